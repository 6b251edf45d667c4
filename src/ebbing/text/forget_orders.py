"""Orders to forget, said in talk: "forget my old address", "please delete the token X from memory".

What counts as an order is a sentence that begins with one (after a politeness or an address), or that says of something
that it is to be, or was, deleted from memory. "Don't forget …", "I forgot …" and "delete the branch after merging" are
none: the verbs of deleting count only where memory, or what was said, is named, or where the caller knows by other
means that it is an order. What stands in quotation marks, in a block of code, or behind "Tom wrote:" was said by
somebody else, and orders nothing; nor does "…, she told me", nor "then I told him: …". Told besides: what it names,
what it spares, whether it asks for erasure in so many words, whose name stands before it ("Eve: …") or below it, and
the rest of the text. Pure.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from . import forget_order_languages as languages
from .lazy_regex import lazily
from .speakers import is_reported, signed_by, speaker_after, tells_of_words


@dataclass(frozen=True, slots=True)
class Order:
    """One order to forget."""

    what: str  # the words for what is to be forgotten
    spared: str  # and for what is to stay; empty: nothing is named
    is_plain: bool  # it speaks of memory, or of what was said: no other deed can be meant
    last_said: bool  # it means what was said just before
    erases: bool  # for good, in so many words
    speaker: str | None = None  # whose name stands before it, in small letters; None: whoever says the text


@dataclass(frozen=True, slots=True)
class Orders:
    """The orders of a text, and what it says besides."""

    orders: tuple[Order, ...]
    rest: str


_POLITE = (
    r"(?:(?:hey|hi|hello|ok(?:ay)?|so|and|also|now|then|oh|actually|please|kindly|assistant|ebbing|just|permanently|could\s+you|can\s+you"
    r"|would\s+you|will\s+you|you\s+can|you\s+may|you\s+should|i['’]d\s+like\s+you\s+to|i\s+would\s+like\s+you\s+to|i\s+want\s+you\s+to"
    r"|i\s+need\s+you\s+to|go\s+ahead\s+and|let['’]s|" + languages.POLITE + r")"
    r"[,:]?\s+){0,5}"
)
_MEMORY_VERBS = (
    r"forget|unlearn|unremember|stop\s+remembering|(?:do\s+not|don['’]t)\s+(?:remember|retain)(?:\s+any\s*more)?"
    r"|no\s+longer\s+remember|" + languages.MEMORY_VERBS
)
_DELETING_VERBS = (
    r"delete|erase|remove|wipe|purge|drop|scrap|scratch|discard|bin|clear|get\s+rid\s+of|throw\s+(?:out|away)|let\s+go\s+of"
    r"|strike|take\s+out|lose|" + languages.DELETING_VERBS
)
_IMPERATIVE = lazily(
    rf"^[\s(*-]*{_POLITE}(?:(?P<memory>{_MEMORY_VERBS})|(?P<deleting>{_DELETING_VERBS}))\b(?!\s+to\b)[\s:,]*(?P<what>.*)$",
    re.IGNORECASE | re.DOTALL,
)
_PASSIVE = lazily(
    r"^(?P<what>.{3,300}?)\s+(?:(?:should|must|can|needs?\s+to|has\s+to|have\s+to|is\s+to|are\s+to|may)\s+(?:now\s+)?be"
    r"|(?:is|are|was|were|has\s+been|have\s+been)(?:\s+(?:now|hereby|fully|completely))?)\s+"
    # Not from somebody else's memory, nor from records of another kind: that is news, and no order.
    r"(?:deleted|erased|removed|wiped|purged|dropped|forgotten|scrubbed)\s+from\s+"
    r"(?:(?:(?!(?:my|our|his|her|their|its)\b)\w+\s+){0,3}memor(?:y|ies)|your\s+(?:\w+\s+){0,2}(?:records?|notes?))\b",
    re.IGNORECASE | re.DOTALL,
)
_WANTED = lazily(
    r"^(?:i|we)\s+(?:want|would\s+like|['’]d\s+like|need)\s+(?P<what>.{3,300}?)\s+"
    r"(?:deleted|erased|removed|wiped|purged|forgotten)\s+from\s+(?:the\s+|your\s+|our\s+)?(?:\w+\s+){0,2}(?:memor(?:y|ies)|records?|notes?)\b",
    re.IGNORECASE | re.DOTALL,
)
_OF_MEMORY = lazily(
    r"\b(?:memor(?:y|ies)|remember(?:ed)?|(?:i|we)(?:['’]ve)?\s+(?:have\s+)?(?:just\s+)?(?:said|told|mentioned|wrote|gave\s+you)"
    r"|you\s+(?:have\s+)?(?:stored|saved|noted|kept|know|remembered|hold|have\s+(?:on|about|down))|(?:stored|saved)\b"
    r"|your\s+(?:notes?|records?|memory)|(?:the|that|my|our|this|all|every|any)\s+(?:\w+\s+){0,2}(?:notes?|entr(?:y|ies)|records?"
    r"|memor(?:y|ies)|facts?|reminders?)|" + languages.OF_MEMORY + r")\b",
    re.IGNORECASE,
)
_TAIL = lazily(
    r"\s*[,;]?\s*(?:\bfrom\s+(?:the\s+|your\s+|our\s+|my\s+)?(?:\w+\s+){0,2}(?:memor(?:y|ies)|records?|notes?|profile|files?)\b"
    r"|\b(?:completely|entirely|permanently|for\s+good|for\s*ever|forever|irrecoverably|irreversibly|now|please|right\s+away"
    r"|immediately|thanks?(?:\s+you)?)\b|" + languages.TAIL + r")[\s.!]*",
    re.IGNORECASE,
)
_WHAT_WAS_SAID = lazily(
    r"^(?:what(?:ever)?|everything|anything|all(?:\s+that)?|the\s+(?:thing|things|stuff|part|bit|bits))?\s*"
    r"(?:that\s+)?(?:i|we)(?:['’]ve|\s+have)?\s+(?:just\s+)?(?:said|told\s+you|mentioned|wrote|gave\s+you)\b"
    r"(?:\s+(?:earlier|before|to\s+you))?\s*(?:(?:about|regarding|on|of|concerning)\s+)?|^(?:"
    + languages.WHAT_WAS_SAID
    + ")",
    re.IGNORECASE,
)
_ABOUT = lazily(
    r"^(?:(?:all|every|any)(?:\s+of)?\s+)?(?:everything|anything|all|(?:the|my|our|your|those|these|all|any)?\s*"
    r"(?:notes?|entr(?:y|ies)|records?|memor(?:y|ies)|facts?|things?|stuff|bits?|part|info(?:rmation)?|details?))\s+"
    r"(?:that\s+(?:you\s+(?:have|hold|stored|saved)\s+)?)?(?:about|regarding|on|of|concerning|for|mentioning|to\s+do\s+with)\s+"
    r"|^(?:" + languages.ABOUT + ")",
    re.IGNORECASE,
)
_THAT = lazily(
    r"^(?:(?:that|about|dass|que|che)\s+|(?:this|that|these|those|it|the\s+following)\s*:\s+)(?=\w)", re.IGNORECASE
)
_JUST_SAID = lazily(
    r"^(?:it|that|this|that\s+one|(?:the|that|my)\s+last\s+(?:one|thing|bit|message|note|memory)|what\s+i\s+(?:just\s+)?(?:said|told\s+you|wrote)"
    r"|my\s+last\s+(?:message|note|sentence)|the\s+previous\s+(?:one|message|note)|"
    + languages.JUST_SAID
    + r")\s*[.!]*$",
    re.IGNORECASE,
)
_SPARED = lazily(
    r"(?<!\bnot)(?<!n't)\s*(?:[,;.]\s*|\s)(?<!\bnot\s)(?<!n't\s)(?:but\s+|and\s+)?(?:(?:only\s+)?(?:keep|retain|leave)\b(?:\s+only)?|except(?:\s+for)?|apart\s+from|but\s+not"
    r"|other\s+than|" + languages.SPARED + r")\s+(?P<spared>.+)$",
    re.IGNORECASE | re.DOTALL,
)
_BECAUSE = lazily(
    r"\s*(?:[,;:]\s+|\s+[-–—]\s+)(?:(?!(?:and|or)\b)).+$|\s+(?:because|since|as\s+(?:i|we|it|he|she|they)|so\s+that|now\s+that)\b.+$",
    re.IGNORECASE | re.DOTALL,
)
_ERASES = lazily(
    r"\b(?:permanently|for\s+good|for\s*ever|forever|irrecoverabl\w+|irreversibl\w+|purge|erase\s+(?:it\s+)?(?:completely|entirely)"
    r"|without\s+a\s+trace|unrecoverabl\w+|should\s+not\s+be\s+recoverable|" + languages.ERASES + r")\b",
    re.IGNORECASE,
)
_LABELS = lazily(r"^(?:[\w .'-]{1,40}:\s+){1,3}(?=\S)")
_CLAUSE = lazily(r"[:;]\s+")
_SENTENCE = lazily(r"(?<=[.!?])\s+(?=[\"“'A-ZÀ-Þ(])|\n+")
_CONFIRMS = lazily(
    r"^(?:confirmed|done|ok(?:ay)?|noted|understood|thanks?|thank\s+you|sure|acknowledged)\b[^.!?]{0,20}[.!]?$",
    re.IGNORECASE,
)
_KEEPS = lazily(
    r"^(?:please\s+)?(?:only\s+)?(?:keep|retain|leave)\b(?:\s+only)?\s+(?P<spared>.+)$", re.IGNORECASE | re.DOTALL
)
_REPORTS = lazily(
    r"^(?!(?:as\s+)?(?:i|we)\b).*\b(?:wrote|writes?|writing|said|says?|saying|told|tells?|asked|asks|asking|replied|repl(?:y|ies)"
    r"|answered|answers|post(?:s|ed)?|comment(?:s|ed)?|reads?|quot\w+|demand\w*|e-?mails?|mails?|pages?|web\w*|sites?|letters?"
    r"|messages?|documents?|articles?|books?|songs?|lyrics|stor(?:y|ies)|tweets?|readme|files?|pdfs?|tools?|outputs?|results?"
    r"|from|subject|title|headline|examples?|schrieb|schreibt|sagte?|escribi[oó]|dijo|dice|[ée]crit|dit|scritto|detto"
    r"|escreveu|disse)\b",
    re.IGNORECASE | re.DOTALL,
)
_MARKS = (("“", "”"), ("«", "»"), ("„", "“"))
_CHARACTERS_MAX = 2000  # a longer text is told, not ordered


def orders_in(text: str) -> Orders:
    """The orders to forget in a text, in their order, and the text without them."""
    if len(text) > _CHARACTERS_MAX:
        return Orders((), text)
    orders: list[Order] = []
    rest: list[str] = []
    kept: list[str] = []
    before = ""
    speaker: str | None = None
    is_quoted = False
    for sentence in (one.strip() for one in _SENTENCE.split(text.strip()) if one.strip()):
        found, is_quoted = ([], True) if is_quoted else _orders(sentence, before, speaker)
        speaker = speaker_after(sentence, speaker)
        before += f"{sentence} "
        if found:
            orders += found
        elif orders and (keeps := _KEEPS.match(sentence)):
            kept.append(keeps["spared"])
        elif not _CONFIRMS.match(sentence):
            rest.append(sentence)
    if orders and (name := signed_by(text)) is not None:
        orders = [replace(order, speaker=order.speaker or name) for order in orders]
    if kept:
        orders = [replace(order, spared=" ".join((order.spared, *kept)).strip()) for order in orders]
    return Orders(tuple(orders), " ".join(rest) if orders else text)


def _orders(sentence: str, before: str, speaker: str | None) -> tuple[list[Order], bool]:
    """The order of a sentence, and of its clauses behind a colon or a semicolon; and whether it says that what follows
    is quoted from somebody else."""
    leads = sentence.split(":")[:-1]
    reports = [
        bool(_REPORTS.match(lead) or tells_of_words(lead)) and _order(_without_label(lead)) is None for lead in leads
    ]
    if is_quoted := any(reports):
        sentence = "" if reports[0] else sentence
    if _is_inside_a_quotation(before):
        return [], is_quoted
    said = _without_label(sentence)
    label = len(sentence) - len(said)
    speaker = speaker_after(sentence[:label], speaker)
    whole, *clauses = _CLAUSE.split(said)
    own: list[Order] = []
    by, start = speaker, 0
    for gap, clause in zip(_CLAUSE.finditer(said), clauses, strict=True):
        by, start = speaker_after(said[start : gap.end()], by), gap.end()
        order = None if is_quoted or _is_inside_a_quotation(said[:start]) else _order(clause)
        own += [] if order is None else [replace(order, speaker=by)]
    first = _order(whole if own or is_quoted else said)
    return [*([] if first is None else [replace(first, speaker=speaker)]), *own], is_quoted


def _is_inside_a_quotation(before: str) -> bool:
    """Whether a quotation or a block of code was opened and not closed."""
    is_open = before.count('"') % 2 or before.count("```") % 2
    return bool(is_open) or any(before.count(begin) > before.count(end) for begin, end in _MARKS)


def _order(sentence: str) -> Order | None:
    said = sentence
    if is_reported(said):
        return None
    for pattern in (_PASSIVE, _WANTED):
        if match := pattern.match(said):
            return _made(match["what"], said, is_plain=True)
    match = _IMPERATIVE.match(said) or languages.VERB_LAST.match(said)
    if match is None:
        return None
    what = match["what"]
    is_plain = match["memory"] is not None or bool(_OF_MEMORY.search(what) or languages.OWN.match(what))
    return _made(match["what"], said, is_plain=is_plain)


def _without_label(sentence: str) -> str:
    """A sentence without what stands before it, as in "Ana: forget that" or "One more thing: forget that"."""
    found = _LABELS.match(sentence)
    return sentence if found is None or _IMPERATIVE.match(found[0]) else sentence[found.end() :]


def _made(what: str, sentence: str, *, is_plain: bool) -> Order | None:
    what = what.strip().rstrip(".!?").strip()
    spared = ""
    if match := _SPARED.search(what):
        spared, what = match["spared"].strip(), what[: match.start()].strip()
    what = _TAIL.sub(" ", what).strip(" ,;.")
    if _JUST_SAID.match(what) or not what:
        return Order("", spared, is_plain, True, bool(_ERASES.search(sentence)))
    for lead in (_WHAT_WAS_SAID, _ABOUT, _THAT):
        shorter = lead.sub("", what, count=1).strip()
        what = shorter or what
    what = languages.SAID_LAST_WORDS.sub("", what).strip(" ,") or what
    quoted = re.match(r"^.*[\"“”'‘’`].*$", what, re.DOTALL)
    what = what if quoted else (_BECAUSE.sub("", what).strip() or what)
    return Order(what, spared, is_plain, False, bool(_ERASES.search(sentence)))
