"""Who speaks in a text: a name in front of it ("Alice: …"), the actor of its source, or somebody whose words are only
reported.

An order may put away what belongs to whoever gives it, so what cannot be read as an opening of one's own ("One more
thing: …", "After the trip: …") is taken for the name of somebody else. Wrongly taking it so costs an order that has to
be given again; the other mistake would let a stranger forget for the user.
"""

from __future__ import annotations

import re

from ..domain.memory import Memory
from .lazy_regex import lazily

_NAME = r"[^\W\d_a-z][\w.'’-]*"
_LABEL = re.compile(rf"(?P<name>{_NAME}(?: {_NAME}){{0,2}}): +\S")
# Words that open a note and name no speaker.
_NO_SPEAKERS = frozenset(
    "note notes todo update fyi ps re warning reminder correction edit status summary decision result answer question "
    "user assistant approved".split()
)
_IGNORED = lazily(r"\([^()]*\)|\[\d[^\]]*\]|[*_`<>\[\]@#|~]|\d+(?:[:./h-]\d+)*(?:\s*[ap]\.?m\b\.?)?", re.IGNORECASE)
# What an opening of one's own begins with …
_OPENERS = frozenset(
    "a about actually additionally after again also am an and another anyway as at because before besides btw but by "
    "correction finally first for from how if important in just last later lastly moreover new next no note notes now "
    "oh ok okay on one or once otherwise please ps quick re regarding remember reminder request second since so sorry "
    "still then there thing third this today todo tomorrow two update urgent well what when while with yes "
    "außerdem bitte jetzt nachtrag noch notiz nun übrigens wichtig además ahora nota recordatorio también "
    "ensuite important maintenant rappel inoltre ora poi também agora".split()
)
# … what one is called, and whom one speaks to …
_OWN_NAMES = frozenset(("i", "me", "we", "us", "user", "human", "myself"))
_ADDRESSED = frozenset(("ebbing", "hey", "hi", "hello", "dear", "thanks", "ok", "okay"))
# … and what it ends with.
_NOTES = frozenset(
    "ask bit correction detail favour favor instruction job message news note notes order point privacy question "
    "reminder request rule summary task thing things thought tidying update upshot wish word words".split()
)
_OTHERS = lazily(
    r"\b(?:he|she|they|his|her|him|their|them|someone|somebody)\b|\w['’]s\b|\baccording\s+to\b", re.IGNORECASE
)
_NAME_LATER = lazily(r"\s(?!I\b)[^\W\d_a-z]")
_FIRST_PERSON = lazily(r"(?:as\s+)?(?:i|we)\b(?!\s+(?:was|were|got|heard|read|saw|received)\b)", re.IGNORECASE)
# What one tells of having said elsewhere, or only thought; not "as I said", nor what was said to the one who listens.
_SPOKE = (
    r"(?:said|told|asked|answered|replied|responded|wrote|typed|texted|messaged|e?-?mailed|posted|tweeted|commented|noted"
    r"|shout(?:ed)?|yell(?:ed)?|scream(?:ed)?|cr(?:y|ied)|whisper(?:ed)?|mutter(?:ed)?|mumbled|called\s+out|sang|sing|joked?"
    r"|begged|urged|warned|advised|ordered|commanded|instructed|dictated|recited?|chant(?:ed)?|quoted?|repeated|translated"
    r"|thought|heard|read|dream(?:ed|t|s)?|imagined?|pretend(?:ed)?|(?:am|was|were)\s+like)"
)
_ELSEWHERE = lazily(
    rf"(?<!\bas\s)\b(?:i|we)(?:['’](?:ve|d|m))?(?:\s+[\w'’]+){{0,3}}?\s+{_SPOKE}\b"
    r"(?!(?:\s+(?:to|this|that|it|so))?\s+(?:you|before|already|earlier|again)\b)",
    re.IGNORECASE,
)
_SIGNED = lazily(
    r"(?:^|[.!?\n]\s*)(?:[–—-]{1,2}\s*|(?i:(?:(?:best|kind|warm)\s+)?(?:regards|wishes)|cheers|yours|love|signed)[,.!]?\s+)"
    r"(?P<name>[^\W\d_a-z][\w'’-]*(?:\s[^\W\d_a-z][\w'’-]*){0,2})[\s.!]*\Z"
)
_INTRODUCED = lazily(
    r"(?:(?i:hi|hello|hey|good\s+(?:morning|evening|day))(?:\s[\w'’-]+)?[,.!]?\s+)?"
    r"(?:(?i:this\s+is|it['’]?s)\s+(?P<name>[^\W\d_a-z][\w'’-]*(?:\s[^\W\d_a-z][\w'’-]*){0,2})"
    r"(?:\s+(?i:here|speaking|again))?"
    r"|(?P<here>[^\W\d_a-z][\w'’-]*)\s+(?i:here|speaking))(?=[\s,.!]*\Z|[.!])"
)
_SIGNATURE_MAX = 80  # characters
_LABEL_BEFORE = lazily(r"\s*([^\n:]{1,60}):(?:\s|$)")
_LINE = lazily(r"[^\W\d_a-z][\w.'’-]*(?:\s[^\W\d_a-z][\w.'’-]*){0,2}(?:,?\s*\(?\d[\d:./ -]*\)?)?")
_SAYS = (
    r"(?:say|said|says|saying|told|tells|ask|asked|asks|wrote|writes|demand|demanded|demands|insisted|insists|order|ordered"
    r"|orders|replied|replies|request|requested|requests|suggested|suggests|want|wanted|wants|wished|wishes)"
)
_SOMEBODY = (
    r"(?:he|she|they|someone|somebody|people|(?:my|our|the|his|her|their|a)\s+\w+|(?-i:[^\W\d_a-z])[\w'’-]*"
    r"(?:\s(?-i:[^\W\d_a-z])[\w'’-]*){0,2})"
)
_REPORTED_AHEAD = lazily(
    rf"(?!(?:i|we|what|whatever|everything|anything|all)\b){_SOMEBODY}\s+(?:has\s+|had\s+|have\s+)?{_SAYS}"
    r"(?:\s+(?:me|us|you|for))?\s+(?:that\s+)?(?:all|anything|everything|what|whatever|the|my|your|his|her|their|our|this"
    r"|that|these|those|it|(?-i:[^\W\d_a-z]))",
    re.IGNORECASE,
)
_REPORTED_BEHIND = lazily(
    rf"[,;–—-]\s*(?:(?:as\s+|so\s+)?(?!(?:i|we)\b){_SOMEBODY}\s+(?:has\s+|had\s+|have\s+)?{_SAYS}"
    rf"|{_SAYS}\s+(?!(?:i|we)\b){_SOMEBODY}|according\s+to\s+(?!(?:me|us)\b)[^,;]{{1,40}})"
    r"(?:\s+(?:me|us|you|so|that|this|it|to|again|today|yesterday|earlier|before|just|now))*[\s.!]*$",
    re.IGNORECASE,
)


def speaker_in(text: str) -> str | None:
    """The name that a text puts before what is said ("Alice: …"), in lower case; None when there is none."""
    found = _LABEL.match(text)
    name = None if found is None else found["name"].casefold()
    return None if name in _NO_SPEAKERS else name


def same_actor(memory: Memory, actor: str | None) -> bool:
    """Whether a memory may come from this actor: nothing says that it comes from another."""
    return None in (memory.source.actor, actor) or memory.source.actor == actor


def name_different_speakers(one: str, other: str) -> bool:
    """Whether two texts begin with the names of two speakers."""
    names = (speaker_in(one), speaker_in(other))
    return None not in names and names[0] != names[1]


def is_reported(clause: str) -> bool:
    """Whether a clause tells what somebody else wants: "Eve says the tent must be forgotten", "forget it, said Eve"."""
    return bool(_REPORTED_AHEAD.match(clause) or _REPORTED_BEHIND.search(clause))


def tells_of_words(lead: str) -> bool:
    """Whether words before a colon tell of what one said elsewhere: "then I whispered:", "in my dream I shout:"."""
    return bool(_ELSEWHERE.search(lead))


def signed_by(text: str) -> str | None:
    """The name that a text is signed with ("… -- Eve", "Regards, Eve"), in small letters."""
    found = _SIGNED.search(text[-_SIGNATURE_MAX:])
    return None if found is None else found["name"].casefold()


def given_as_others(text: str) -> bool:
    """Whether a text is somebody else's words: their name opens it, introduces or signs it, or they are only told."""
    named = speaker_in(text) or signed_by(text) or _introduced(text)
    return named is not None or is_reported(text)


def _introduced(text: str) -> str | None:
    """Who introduces themselves at the beginning: "Eve here.", "Hi, this is Eve."."""
    found = _INTRODUCED.match(text.strip())
    return None if found is None else (found["name"] or found["here"]).casefold()


def speaker_named(text: str) -> str | None:
    """The speaker whose name opens a text ("Eve: …"), in small letters."""
    found = _LABEL_BEFORE.match(text)
    return None if found is None else speaker_after(found[0], None)


def speaker_after(before: str, speaker: str | None) -> str | None:
    """Who says what follows these words; `speaker` is who spoke before them, None the one whose text it is."""
    if _LINE.fullmatch(before.strip()):
        return _named(before, speaker)  # a name on a line of its own, as in an exported talk
    if (name := _introduced(before)) is not None:
        return name
    for lead in before.split(":")[:-1]:
        speaker = _named(lead.rpartition(";")[2], speaker)
    return speaker


def _named(lead: str, speaker: str | None) -> str | None:
    """The speaker that a lead names; where it names none, the one before."""
    plain = " ".join(_IGNORED.sub(" ", lead).strip(" ,.!?-–—+").split())
    words = plain.casefold().replace(",", " ").split()
    if not words or set(words) <= _ADDRESSED:
        return speaker
    if len(words) == 1 and words[0] in _OWN_NAMES:
        return None
    if not _OTHERS.search(plain) and (_FIRST_PERSON.match(plain) or _is_opening(words, plain)):
        return speaker
    return " ".join(words)


def _is_opening(words: list[str], plain: str) -> bool:
    return (words[0] in _OPENERS and not _NAME_LATER.search(plain)) or words[-1] in _NOTES
