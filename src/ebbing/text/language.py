"""Whether a question or a statement is English, told by its little words.

The judge was taught in English, and takes most answers in other languages for none. A text is in another language
if more of its words are little words of that one than of English; names and key words alone are taken for English.
"""

from __future__ import annotations

import re
import unicodedata

_WORD = re.compile(r"[^\W\d_]+")
_ENGLISH = frozenset(
    """the is are was were what where who whose when why how which do does did have has had my your our their his her
    its i we you he she they it this that these those of for to and or with from at by on in an a be been can could
    should would will not about any there if me us them no so as""".split()
)
# Of each language the commonest words.
_OTHERS = (
    """ich wo wer wie wann warum wieso welche welcher welches welchen ist sind der das den dem des ein eine einen einer
    mein meine meinen meiner meinem und nicht hat habe hast mit für von im zu zum zur wir unser unsere auf wohin woher
    worauf womit mir mich kann heißt gibt es sie er was die heute in bin an gegen bei nach auch
    nur noch immer seit sehr bitte""",
    """qué dónde quién quiénes cuándo cómo cuánto cuánta cuántos cuántas cuál cuáles que el la los las un una mi mis es
    está son tengo tiene del de en y por para con su se al hay soy a me no te le yo muy siempre hoy estoy desde""",
    """où est qui que quoi quand comment combien quel quelle quels quelles je mon ma mes le la les un une des du de et
    pour avec dans sur ce cette ai suis notre nos sa ses qu c y il elle au a l on""",
    """dove chi che cosa quando come quanto quanti quanta quante quale quali qual il lo la gli le un una mio mia miei
    mie sono ho ha di del della dei per con mi si è al nel nella in a i non gli mia sempre oggi sto tutti""",
    """onde quem que quando como quanto quantos quanta quantas qual quais o os um uma meu minha meus minhas é está são
    tenho tem da dos das em na e para com ao à de se foi a as do no por sou não estou hoje sempre""",
)
_BY_LANGUAGE = tuple(frozenset(words.split()) for words in _OTHERS)


def is_english(text: str) -> bool:
    """Whether it may be English."""
    words = _WORD.findall(unicodedata.normalize("NFC", text).casefold())
    english = sum(word in _ENGLISH for word in words)
    return all(sum(word in little for word in words) <= english for little in _BY_LANGUAGE)
