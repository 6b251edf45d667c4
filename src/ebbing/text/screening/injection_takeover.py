"""Orders that give a model another master: somebody else's goal, rules that are said to end, commands to run."""

from __future__ import annotations

from typing import Final

from .injection_grammar import AI, order

_RUN = r"(?:run|execute|call|invoke|fetch|visit|open|click|curl|download|send|e-?mail|forward|post|upload|purge|delete)"
_RULES = r"(?:rules?|restrictions?|guidelines?|guardrails?|filters?|safeguards?|polic(?:y|ies)|limits?|limitations?)"
_HARM = (
    r"\b(?:exfiltrate|leak|steal|smuggle|harvest|deceive|manipulate|mislead|spy|sabotage|hack|phish|reveal|disclose"
    r"|api keys?|passwords?|credentials|secrets|private data|user data)\b"
)
_OUTSIDE = r"(?:https?://|www\.|\S+@[a-z0-9-]+\.[a-z]|`|\bwebhook|\bshell\b|\bscript\b|\btools?\b|\bterminal\b)"

TO_OBEY: Final = (
    order(
        "tells a model to run something before it answers",
        "before after while when prior & answer respond reply & run execute call invoke fetch visit open click curl"
        " download send email mail forward post upload purge delete",
        r"\b(?:before|after|while|when|prior to) (?:you )?(?:answer|respond|reply)(?:ing)?\b",
        rf"\b{_RUN}\b",
        beside=_OUTSIDE,
        span=80,
        unless=r".{0,60}\b(?:me|my|i|we|our)\b",
    ),
    order(
        "commands a model by name",
        "assistant agent ai bot model claude chatgpt copilot gemini llm & run execute call invoke fetch visit"
        " open click"
        " curl download send email mail forward post upload purge delete",
        rf"(?:\A|[.!?\n:]\s{{0,3}})(?:dear |hey |hello |attention |note to )?(?:assistant|agent|bot|model"
        rf"|{AI})\s?[,:;-]\s?"
        rf"(?:please |now |you must |immediately )?{_RUN}\b",
        _OUTSIDE,
        imperative=False,
        span=160,
    ),
    order(
        "tells a model that its rules do not hold",
        "pretend assume imagine act behave suppose & rule restrict guid guardrail filter safeguard polic limit",
        rf"\b(?:pretend|assume|imagine|suppose|(?:act|behave) as (?:if|though))(?: that)?(?: (?:the|your|all|any|there"
        rf"|these|those|of)){{0,3}}(?: (?:are|were))?(?: no)?(?: \w+){{0,2}}? {_RULES}"
        r"(?: (?:do not|don't|does not|did not|didn't|no longer|never)(?: \w+)? (?:exist|apply|hold|count|matter|bind)"
        r"| (?:are|were|is) (?:off|gone|lifted|suspended|disabled|void))\b",
    ),
    order(
        "tells a model that permission was given once for all",
        "pretend assume imagine act behave suppose treat & user & approv authori confirm consent agree permit",
        r"\b(?:pretend|assume|imagine|suppose|(?:act|behave) as (?:if|though))(?: that)? the user (?:has "
        r"|had )?(?:already"
        r" )?(?:approved|authori[sz]ed|confirmed|consented to|agreed to|permitted)(?: (?:to|of))? (?:all|any|every|each"
        r"|everything|anything|whatever)\b",
    ),
    order(
        "tells a model that permission was given once for all",
        "developer admin administrator owner operator root system & authori allow permit approve & skip bypass ignore"
        " disable",
        r"\b(?:as|i am|i'm|speaking as) (?:the |your |an? )?(?:developer|admin(?:istrator)?|owner|operator|root"
        r"|system)\b",
        r"\bi (?:hereby )?(?:authori[sz]e|allow|permit|approve) you to (?:skip|bypass|ignore|disable)\b",
        imperative=False,
        span=60,
    ),
    order(
        "gives a model another goal",
        "goal task objective mission purpose job & new real true only actual secret sole primary",
        r"\byour (?:new|real|true|only|actual|secret|sole|primary) (?:goal|task|objective|mission|purpose"
        r"|job) (?:is|will"
        r" be) (?:now )?to\b",
        imperative=False,
        beside=_HARM,
        span=100,
    ),
    order(
        "tells a model to obey somebody else than the user",
        "stop cease quit refuse & user & follow obey listen serve serving help assist",
        r"\b(?:stop|cease|quit|refuse to) (?:follow|obey|listen|serv|help|assist)\w*(?: to)? (?:the|this"
        r"|your) user(?:'s"
        r" (?:requests?|orders?|instructions?|wishes|commands?))?\b",
        unless=r" (?:guide|manual|story|journey|flow|stories|menu|list)\b",
    ),
    order(
        "tells a model to set its instructions aside",
        "discard drop abandon scrap dismiss void & guid instruct direct prompt & output print reveal repeat"
        " instead show",
        r"\b(?:discard|drop|abandon|scrap|dismiss|void)(?: (?:all|any|the|your|of|every)){0,3} (?:prior"
        r"|previous|earlier"
        r"|preceding|former) (?:guidance|guidelines|instructions?|directions|directives|prompts?)\b",
        r"\b(?:output|print|reveal|repeat|show|dump|recite)(?: \w+){0,3}? (?:conversation|chat|prompt|messages"
        r"|instructions"
        r"|context|memor(?:y|ies))\b",
        span=80,
    ),
    order(
        "tells a model to pass on what is private",
        "send post forward mail email transmit upload exfiltrate submit relay ship dump & remembered stored saved known"
        " memorized & http https www webhook @",
        r"\b(?:send|post|forward|e-?mail|mail|transmit|upload|exfiltrate|submit|relay|ship|dump)\b",
        r"\b(?:all|any|every|each)(?: of)?(?: the)? (?:remembered|stored|saved|known"
        r"|memori[sz]ed) (?:passwords?|credentials?"
        r"|secrets?|(?:api )?keys?|tokens?|memories|conversations?|chats?|messages)\b",
        r"(?:https?://|www\.|\S+@[a-z0-9-]+\.[a-z]|\bwebhook)",
        span=120,
    ),
)
