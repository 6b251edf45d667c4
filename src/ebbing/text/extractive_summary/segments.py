"""A text as sentences: which of them say nothing, and which can be understood without the others.

What a summary is made of (select.py). Reads only; whether a sentence is left out is decided there.
"""

from __future__ import annotations

import functools
import itertools
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from ..lazy_regex import lazily
from ..protected_spans import Span, between, is_inside, is_name, sentence_spans, spaced, spans
from ..terms import STOP_WORDS, normalised

_FILLER_WORDS = (
    r"(?:oh|ah|aw+|wow|well|hey|hi|hello|ok|okay|anyway|btw|haha|lol|by\ the\ way|thanks|thank\ you|cheers"
    r"|as\ (?:i\ |we\ |already\ )*(?:mentioned|said|discussed|noted)(?:\ (?:earlier|before|above))?)"
    r"(?:\ there|\ again|\ so\ much|\ very\ much|\ a\ lot|\ everyone|\ everybody|\ all)?"
)
# Said before a sentence and apart from it. Not `I think` or `sure`: those say how sure somebody is, or agree.
_ASIDE = lazily(rf"(?:{_FILLER_WORDS}\s*[,!.…]+\s+)+", re.VERBOSE | re.IGNORECASE)
_FILLER = lazily(
    rf"""\W*+(?:(?:{_FILLER_WORDS}|good\ (?:morning|afternoon|evening|night)|(?:good)?bye|you['’]re\ welcome|see\ you
      |have\ a\ (?:nice|good|great|lovely)\ (?:day|evening|weekend|time))[\s,!.…]*+)+\W*+""",
    re.VERBOSE | re.IGNORECASE,
)
_SENTENCE_WORDS_MIN = 3  # fewer behind an aside are a part of it: `Thanks, will do`
_SPEAKER = lazily(r"\s*[^\W\d_][^:\n]{0,40}:\s")  # `Ada: I like tea`
_FIRST_PERSON = lazily(r"(?:I|We|My|Our)(?=['’\s])")
# Words by which a sentence speaks of what another one named.
_REFERENCE = lazily(
    r"""\b(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|this|that|these|those|ones?|others?|another|same
      |former|latter|such|so|too|also|there|here|then|either|neither|both|instead|otherwise|again|else|still)\b""",
    re.VERBOSE | re.IGNORECASE,
)
# The same, where the very first words do: nobody who reads only this text knows who or what is meant. `This
# repository` points at where it is said, `this is` at nothing.
_OPENING_REFERENCE = lazily(
    r"""\W*+(?:(?:and|but|so|or|also|then|because|since|when|while|if|after|before)\ )?
      (?:(?:he|she|it|they|him|her|them|his|hers|its|their|theirs|who|which|whose|same|ditto|likewise|also|too|both
        |neither|either|others?|another)\b(?!['’-]?\w)(?!\s*:)
      |(?:it|he|she|they|that)['’](?:s|d|ll|re|ve)\b
      |(?:none|some|most|many|few|half|several|all|any|each|one|both|two|three)\ of\ (?:them|these|those|it|this|that)\b
      |(?:is|was|are|were|do|does|did|has|have|had|can|could|will|would|should|must|may)(?:n['’]t)?
        \ (?:it|this|that|these|those|one)\b
      |(?:this|that|these|those)\ (?:is|was|are|were|has|had|have|will|would|can|could|should|must|may|means?|did|does
        |do|one|ones)\b
      |(?:(?:the|this|that|my|her|his|their|our|your|its|a|an|each|any)\ )?(?:[\w-]+\ )?ones?
        (?=\ (?:is|was|are|were|has|had|have|will|would|can|could|should|must|for|in|on|at|to|from|i|we|he|she|they)\b
          |[,.:]|$)
      |the\ (?:other|others|former|latter|rest|same)\b)""",
    re.VERBOSE | re.IGNORECASE,
)
# The pronouns that open a sentence in other languages, and `das ist`, `eso es`: of what another sentence names.
_FOREIGN_REFERENCE = lazily(
    r"""\W*+(?:(?:er|sie|es|ihr|ihre|ihn|ihm|sein|seine|dessen|deren|il|elle|ils|elles|lui|leur|leurs|él|ella|ellos
        |ellas|ele|ela|eles|elas|lei|loro|hij|zij|ze|hun|han|hon|они|он|она|оно|его|её|ее|их|ему|ей|він|вона|вони
        |هو|هي|هم|הוא|היא|הם|वह)\b(?!['’-]?\w)(?!\s*:)
      |(?:das|dies|dieses|eso|esto|isso|isto|questo|quello|cela|это)\ (?:ist|war|wird|hat|es|era|fue|no|é|foi|não|è|non
        |ne|n['’]est|est|не|было)\b
      |ça\b|c['’]est\b|[他她它]|彼|그는|그녀|그들)""",
    re.VERBOSE | re.IGNORECASE,
)
_WORD = lazily(r"[^\W_]+")
_OF_ANOTHER = frozenset(("him", "her"))
# `It` where it does something: `Run it` may be said of anything.
_PRONOUN = lazily(
    r"""\b(?:(?P<person>he|she|him|her|his|hers|they|them|their|theirs)\b
      |it(?=['’](?:s|d|ll)\b|\ (?:is|was|has|had|will|would|can|could|should|must|may|does|did|[a-z]+(?:s|ed))\b))""",
    re.VERBOSE | re.IGNORECASE,
)
# What a sentence opens with when it names whom it speaks of without a name: `My sister says that she …`, `Tests …`.
_OPENING_NOUN = lazily(
    r"""\W*+(?:(?:the|a|an|my|our|your|this|that|these|those|each|every|any|some|no|all|most|many|both)\ \w)""",
    re.VERBOSE | re.IGNORECASE,
)
_OPENING_PLURAL = lazily(
    r"\W*+(?:every(?:one|body)|some(?:one|body)|any(?:one|body)|nobody|people|[^\W\d_]{3,}s)\b", re.IGNORECASE
)
# A text that goes on behind its end, or puts what stands below it under a heading or into a list.
_OPEN_END = lazily(r"[:,;–—&(]\s*\Z|\s-\s*\Z|\b(?:and|or|but)\s*\Z", re.IGNORECASE)
_OPEN_LINE = lazily(
    r"^[ \t]*#{1,6}\ |^[^\n]*:[ \t]*\n(?![ \t]*(?:[-*•+]|\d{1,3}[.)])\s)|\A[ \t]*(?:[-*•+]|\d{1,3}[.)])\s",
    re.MULTILINE,
)
_CODE = lazily(r"```[\s\S]*?```")
_LABEL_LINE = lazily(r"^[ \t]*[^\W\d_a-z][\w.'’ -]{0,40}:\s", re.MULTILINE)
_SELF = lazily(
    r"\b(?:I|[Mm](?:e|y|ine)|[Ww]e|[Uu]s|[Oo]urs?|[Ii]ch|[Mm]eine?|[Jj]e|[Mm](?:on|a|es)|[Yy]o|[Ee]u|[Ii]o|[Яя]|[Мм]ы)\b|[我私]|나는"
)
_KEPT_CHARACTERS_MAX = 4000  # a longer text is read again: what is kept of a thousand must not fill the memory


@dataclass(frozen=True, slots=True)
class Sentence:
    """A sentence of a text, without an aside before it."""

    span: Span
    text: str  # as it is written, on one line unless it is code
    key: str  # equal for the same words in the same order
    is_filler: bool  # greets or thanks, and says nothing else
    stands_alone: bool  # says whom it is about, and refers to no other sentence


def sentences(text: str) -> tuple[Sentence, ...]:
    """The sentences of a text, in order."""
    return _kept(text) if len(text) <= _KEPT_CHARACTERS_MAX else tuple(_read(text))


def is_incomplete(text: str) -> bool:
    """Whether a text speaks of somebody or something that it does not name (`She likes tea`, `New one is blue`), or
    has an open end (`Message from Bob:`).

    Beside the text of another it would seem to speak of what that one names, or to hold what that one says.
    """
    bare = _CODE.sub("- code", text)
    if _OPEN_END.search(bare) or _OPEN_LINE.search(bare) or "```" in bare:
        return True
    held = spans(text)
    for start, end in sentence_spans(text, held):
        begin = _without_aside(text, start, end, held)
        if _FILLER.fullmatch(text, begin, end):
            continue
        if _OPENING_REFERENCE.match(text, begin, end) or _FOREIGN_REFERENCE.match(text, begin, end):
            return True
        return _has_unnamed_pronoun(text, begin, end, held)
    return False


def is_quoted_speech(text: str) -> bool:
    """Whether it puts a name before what somebody says of themselves (`Ada: I like tea`): below it an `I` of nobody's
    would be taken for theirs."""
    return _LABEL_LINE.search(text) is not None and _SELF.search(text) is not None


def is_own_speech(text: str) -> bool:
    """Whether whoever wrote it speaks of themselves, and says nowhere who that is."""
    return _SELF.search(text) is not None and _LABEL_LINE.search(text) is None


def _has_unnamed_pronoun(text: str, begin: int, end: int, held: Sequence[Span]) -> bool:
    """Whether the first pronoun of a sentence stands before anything that it could mean."""
    reach = _end_of_opening(text, begin, end)  # behind it, `it` may mean what the opening names
    found = (one for one in _PRONOUN.finditer(text, begin, end) if not is_inside(one.start(), held))
    first = next((one for one in found if one["person"] or one.start() < reach), None)
    if first is None or any(is_name(text[slice(*one)]) for one in between(held, 0, first.start())):
        return False
    word = first.group().lower()
    if word in _OF_ANOTHER:  # `The manager told her`: told is somebody else
        return True
    plural = _OPENING_PLURAL.match(text, begin, first.start()) if word.startswith("the") else None
    is_plural = plural is not None and plural.group().strip().lower() not in STOP_WORDS
    return not is_plural and _OPENING_NOUN.match(text, begin, first.start()) is None


def _end_of_opening(text: str, begin: int, end: int) -> int:
    """Where the second word of a sentence begins that is no stop word."""
    telling = (one.start() for one in _WORD.finditer(text, begin, end) if one.group().lower() not in STOP_WORDS)
    return next(itertools.islice(telling, 1, None), end)


@functools.lru_cache(maxsize=1024)
def _kept(text: str) -> tuple[Sentence, ...]:
    """Kept, because what waits for its topic is tried with one group after another; about what a scope has waiting."""
    return tuple(_read(text))


def _read(text: str) -> Iterator[Sentence]:
    held = spans(text)
    has_speaker = _SPEAKER.match(text) is not None
    for start, end in sentence_spans(text, held):
        begin = _without_aside(text, start, end, held)
        inside = between(held, begin, end)
        written = text[begin:end]
        if "```" not in written:
            written = spaced(written)
        yield Sentence(
            (begin, end),
            written,
            normalised(written),
            not inside and _FILLER.fullmatch(text, begin, end) is not None,
            _names_its_subject(text, begin, inside, has_speaker)
            and not written.endswith(":")
            and not _REFERENCE.search(text, begin, end),
        )


def _without_aside(text: str, start: int, end: int, held: Sequence[Span]) -> int:
    """Where a sentence proper begins; an aside that names anything is a part of it."""
    aside = _ASIDE.match(text, start, end)
    if aside is None or is_inside(aside.end(), held) or between(held, start, aside.end()):
        return start
    return aside.end() if len(text[aside.end() : end].split()) >= _SENTENCE_WORDS_MIN else start


def _names_its_subject(text: str, begin: int, inside: Sequence[Span], has_speaker: bool) -> bool:
    """Whether a sentence opens with a name, or with `I` where nobody else can be meant than whoever wrote the text."""
    if inside and inside[0][0] == begin:
        return is_name(text[slice(*inside[0])])
    return not has_speaker and _FIRST_PERSON.match(text, begin) is not None
