"""Whether an order found in a text is given there or only spoken about.

"Attackers write 'ignore previous instructions'" reports one; so do a test that contains the phrase, a heading over a
list of examples, and "they told the bot to …". An order stands where a sentence or clause begins, or behind "you
must"; a report has somebody else before it, or stands in quotes with words around them that say what it is.

Places are those of a reading in lower case, with one kind of quotation mark (deobfuscate.py).
"""

from __future__ import annotations

import re
from typing import Final

from ..lazy_regex import lazily

_LEAD_LETTERS = 240  # how far back a sentence is followed
_AROUND_LETTERS = 200  # how far around a quotation its frame is looked for

_SENTENCE_END = lazily(r"[.!?。！？](?=\s|\Z)|[。！？]|\n\s*\n|\n(?=\s*(?:[-*•#>]|\d+[.)]))")
_CLAUSE_END = lazily(r"[,;:()\[\]{}<>\"'`|*#>=~\n-]|\b(?:and|then|but|or|so|plus|et|und|oder|y|og|och|dan|и)\b")
_WORD = lazily(r"[^\W\d_]+(?:'[a-z]+)?")

# What may stand between the beginning of a clause and the verb of an order.
_OPENING: Final = frozenset(
    """please kindly now then first also and so ok okay just simply immediately instead always important attention note
    urgent notice warning hey hi hello dear listen sir finally second next lastly again therefore hence henceforth
    thus you must should shall will would could can may need have has are is be required instructed ordered
    commanded authorized authorised permitted allowed asked told expected supposed going want i i'm we it to the an
    a all any every your ai llm llms gpt chatgpt claude gemini copilot assistant assistants agent agents model
    models bot chatbot system language large machine from on onwards moment point forward this that as of for here
    today never not do don't task step action new instruction instructions rule command order directive todo user
    admin critical crucial vital essential imperative necessary mandatory there reader whoever reading prompt begin
    start end bitte jetzt nun ab sofort por favor ahora s'il te plaît vous maintenant per favore ora agora
    пожалуйста теперь сейчас let's us really completely totally fully entirely quietly secretly silently discreetly
    covertly sudo ps btw actually oh yes no by way special secret hidden""".split()
)
_ADDRESSED: Final = frozenset(
    "you assistant assistants ai llm model models agent bot chatbot gpt chatgpt claude".split()
)
_ASKING = lazily(r"\s*(?:should|can|could|would|will|do|does|did|why|how|what|is|are)\b")
_QUESTION = lazily(r"[^.!?\n]*\?(?:[\s\"')]|\Z)")

# Words that say that what follows, or stands in quotes beside them, is an attack or an example of one.
_ATTACK = lazily(
    r"\b(?:prompt[ -]injections?|injections?(?: attacks?| attempts?| phrases?)|injected|jailbreak(?:s|ing)?(?!"
    r" yourself)|attack(?:s|er|ers|ed)?"
    r"|adversar\w+|malicious|hackers?|exploits?|payloads?|red[- ]team\w*|phish\w*|scam\w*|angreifer\w*|angriff\w*"
    r"|attaquants?"
    r"|atacantes?|ataques?|attaccant[ei]|злоумышленник\w*|атак\w+|インジェクション|攻撃|攻击|注入)\b|インジェクション|攻撃|攻击者|注入"
)
_TOPIC = lazily(
    r"\b(?:prompt[ -]injections?|injection (?:attacks?|attempts?|phrases?|payloads?)|jailbreak(?:s|ing)? (?:attempts?"
    r"|prompts?|phrases?))\b"
)
_DENIAL = lazily(
    r"\b(?:not|isn't|no|disabled?|bypass)\b.{0,16}\b(?:injection|attack|jailbreak)|filters? (?:off"
    r"|disabled)"
)
_REPORT = lazily(
    r"\b(?:wr(?:ote|ites|itten)|writes|says|said|saying|typed|types|told|tells|asks|asked|tried|tries|tricks?|tricked"
    r"|contain(?:s|ed|ing)"
    r"|mention(?:s|ed)|discuss\w*|explain(?:s|ed)|describ\w+|detect\w*|block(?:s|ed)|flag(?:s|ged|ging)?|catch(?:es)?"
    r"|caught|reject(?:s|ed)"
    r"|match(?:es|ed)|quot(?:e[sd]?|ing)|means?|hid|hides|pasted|inserted|embedded|read|reads|called|titled|named"
    r"|labelled|labeled"
    r"|phrases?|strings?|sentences?|patterns?|regex(?:es)?|examples?|e\.g|such as|something like|things like|test(?:s"
    r"|ed|ing|ers)?|filter(?:s|ed)?"
    r"|detectors?|classifiers?|scanners?|dataset|benchmark|paper|article|blog|novel|story|character|chapter|book|film"
    r"|movie|lyrics"
    r"|poem|song|joke|meme|sticker|t-shirt|shirt|poster|mug|template|tokens?|tokenizer|markers?|chatml|format|syntax"
    r"|docs|documentation"
    r"|variable|constant|parameter|prompt|schreib\w*|schrieb\w*|sagt\w*|écri\w+|dit|escrib\w+|dice|scriv\w+|диктует"
    r"|пишет|написал\w*)\b"
)
_ENDORSING = lazily(
    r"\b(?:follow|obey|comply|execute|carry out|do (?:exactly )?(?:as|what)|act on|adhere|decode|apply|perform|you"
    r" must|must be followed)\b"
)
# A quotation in the middle of a sentence is a thing the sentence speaks of.
_MENTIONED_BEFORE = lazily(r"[^\W_]+ [^\W_]+ \Z")
_MENTIONED_AFTER = lazily(
    r",? (?:is|are|was|were|in|into|on|as|when|because|works?|and|or|to (?:get|make|see)|at"
    r"|does|has)\b"
)
_OPEN_SINGLE = lazily(r"(?<!\w)'(?=\S)")
_CLOSE_SINGLE = lazily(r"(?<=\S)'(?!\w)")
_CODE_LEAD = lazily(
    r"(?:(?:^|[\s;({\[,])[\w.\[\]\"']+\s*(?:\+?=|==|!=|~=|=~|=>|:=)\s*(?:[\[({](?:[^\n]{0,200},)?\s*)?"
    r"|[\w\]]\((?:[^()\n]{0,80},)?\s*|\b(?:in|assert|case|return|if|print)\s+)[frbu]{0,2}\Z"
)
_SHELL_LEAD = lazily(r"\s*(?:[$%>]\s*)?(?:grep|rg|ag|sed|awk|curl|git|python3?|pytest|npm|node|jq)\s[^\n]{0,120}\Z")
_CODE_LIST = lazily(r"[=(]\s*[\[({]\s*(?:\n[^\n]*){0,8}\Z")
_CODE_SIGNS = lazily(r"[=(){}\[\];]|\bassert\b|\bdef\b|\bconst\b|\blet\b|\bimport\b")
_COMMENT = lazily(r"(?:#|//|/\*|--|<!--|\*)\s*[^\"']*\Z")


def is_reported(text: str, start: int, end: int) -> bool:
    """Whether what stands there is quoted, listed or used as an example of itself."""
    fence = _fence(text, start, end)
    if fence:
        before, after = text[max(0, fence[0] - _AROUND_LETTERS) : fence[0]], text[fence[1] : fence[1] + _AROUND_LETTERS]
        if _is_framed(before, after):
            return True
    if _is_code(text, start, end):
        return True
    quotation = _quotation(text, start, end)
    if quotation:
        opening, closing = quotation
        before, after = text[max(0, opening - _AROUND_LETTERS) : opening], text[closing : closing + _AROUND_LETTERS]
        return _is_framed(before, after)
    return _is_listed(text, start) or _is_topic(text, start, end)


def speaks_of_attacks(text: str) -> bool:
    """Whether the text as a whole is about such orders."""
    return bool(_TOPIC.search(text)) and not _DENIAL.search(text) and not _ENDORSING.search(text)


def is_order(text: str, start: int, end: int) -> bool:
    """Whether the verb at this place is told to somebody, and not told about somebody."""
    lead = _lead(text, start)
    clause_start = max((match.end() for match in _CLAUSE_END.finditer(lead)), default=0)
    words = _WORD.findall(lead[clause_start:])
    if not _OPENING.issuperset(words) or (words and words[0] in ("we", "it", "this", "that") and "you" not in words):
        return False
    if words and words[-1] == "that":
        return False  # whoever does so is spoken about
    if {"i", "i'm"} & set(words) and not _ADDRESSED & set(words):
        return False
    if words and words[-1] == "to" and not {"you", "need", "have", "want"} & set(words) and not _ADDRESSED & set(words):
        return False
    before = lead[:clause_start]
    if before.rstrip().endswith((":", ",")) and _REPORT.search(before) and not _ENDORSING.search(before):
        return False
    asks = _ASKING.match(lead) and _QUESTION.match(text[end : end + _AROUND_LETTERS])
    return not (asks and "you" not in words)


def _lead(text: str, start: int) -> str:
    """The sentence up to this place."""
    window = text[max(0, start - _LEAD_LETTERS) : start]
    return window[max((end.end() for end in _SENTENCE_END.finditer(window)), default=0) :]


def _is_framed(before: str, after: str) -> bool:
    """Whether the words around a quotation say that it is one."""
    frame = f"{before[-_AROUND_LETTERS:]} {after}"
    if _ENDORSING.search(frame) or _DENIAL.search(frame):
        return False
    if _MENTIONED_BEFORE.search(before) and _MENTIONED_AFTER.match(after):
        return True
    near = f"{before[-90:]} | {after[:90]}"
    return bool(_ATTACK.search(frame) or _REPORT.search(near))


def _is_listed(text: str, start: int) -> bool:
    """Whether it is an item below a line that announces examples."""
    head = text[max(0, start - 600) : start]
    line = head.rpartition("\n")[2]
    if not re.match(r"\s*(?:[-*•>]|\d+[.)])\s*[\"']?\Z", line):
        return False
    announcing = [one for one in head.split("\n")[:-1] if one.strip() and not re.match(r"\s*(?:[-*•>]|\d+[.)])\s", one)]
    return bool(announcing) and bool(_ATTACK.search(announcing[-1])) and not _ENDORSING.search(announcing[-1])


def _is_topic(text: str, start: int, end: int) -> bool:
    """Whether its own sentence, or the one beside it, names it an attack."""
    before = text[max(0, start - 160) : start]
    after = text[end : end + 160]
    around = f"{before} {after}"
    return bool(_TOPIC.search(around)) and not _DENIAL.search(around) and not _ENDORSING.search(around)


def _fence(text: str, start: int, end: int) -> tuple[int, int] | None:
    if text.count("```", 0, start) % 2 == 0:
        return None
    closing = text.find("```", end)
    return text.rfind("```", 0, start), len(text) if closing < 0 else closing + 3


def _quotation(text: str, start: int, end: int) -> tuple[int, int] | None:
    """Where the quotation that holds this place opens and closes."""
    floor = max(text.rfind("\n\n", 0, start), start - 2_000, 0)
    for mark in ('"', "`"):
        if text.count(mark, floor, start) % 2:
            closing = text.find(mark, end)
            return text.rfind(mark, floor, start), len(text) if closing < 0 else closing + 1
    opening = max((match.start() for match in _OPEN_SINGLE.finditer(text, floor, start + 1)), default=-1)
    if opening < 0 or opening >= start or _CLOSE_SINGLE.search(text, opening + 1, start):
        return None
    closed = _CLOSE_SINGLE.search(text, end)
    return (opening, closed.end()) if closed else None


def _is_code(text: str, start: int, end: int) -> bool:
    """Whether it is a string of a program, or a regular expression; what a comment says is not exempt."""
    line_start = text.rfind("\n", 0, start) + 1
    if text[start - 1 : start] == "/" and "/" in text[end : end + 40] and "://" not in text[line_start:start]:
        return True
    quotation = _quotation(text, start, end)
    if not quotation or quotation[0] < line_start - 200:
        return False
    opening = quotation[0]
    while opening > 0 and text[opening - 1] in "\"'`":
        opening -= 1
    lead = text[text.rfind("\n", 0, opening) + 1 : opening]
    line = lead + text[quotation[1] : quotation[1] + 80].partition("\n")[0]
    if not lead.strip():
        return bool(_CODE_LIST.search(text[max(0, opening - 400) : opening]))
    if _SHELL_LEAD.match(lead):
        return True
    return bool(_CODE_LEAD.search(lead) and _CODE_SIGNS.search(line)) and not _COMMENT.search(lead)
