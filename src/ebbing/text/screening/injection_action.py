"""Orders that make a model do something: leak what is private, steer those it serves, remember for somebody else."""

from __future__ import annotations

from typing import Final

from .injection_grammar import THE_USER, USER, order

_AWAY = (
    r"\b(?:send|post|forward|e-?mail|mail|transmit|upload|exfiltrate|leak|submit|deliver|relay|append|embed|encode|copy"
    r"|push|pass|ship|share|export|dump|pipe|report|smuggle|disclose|provide|give|write|output|paste|include|attach"
    r"|put|replace|collect|gather|steal|extract|harvest|grab|take)"
)
_PRIVATE = (
    r"(?:conversations?|chats?|chat (?:history|logs?)|history|messages?|data|details|info(?:rmation)?|secrets?"
    r"|credentials?|passwords?|passcodes?|(?:api |ssh |private |secret |access )*keys?|tokens?|memor(?:y|ies)"
    r"|contacts?|files?"
    r"|documents?|e-?mails?|inbox|prompts?|cookies|environment variables|env vars|address(?:es)?|location|transcripts?"
    r"|records|calendars?|photos|diary|journal|browsing|searches|screenshots|purchases|ssn|social security numbers?"
    r"|(?:credit )?cards?(?: numbers?)?|bank details|preferences|notes|profile)\b"
)
_OF_THE_USER = (
    rf"(?:(?:the |this |your |any |every |each |our |all )*users?(?:'s?|s')(?: \w+){{0,4}}? {_PRIVATE}"
    rf"|(?:all |any |every )?(?:\w+ ){{0,3}}?{_PRIVATE} (?:of|from|about|belonging to) {USER}"
    r"|(?:secrets?|credentials|passwords|keys|tokens|data)(?: that)? you (?:have|can|know|see|find|saw|were)"
    r"|(?:everything|anything|all|whatever)(?: that)? (?:the user|you (?:know|have|remember|learn|can|see|find))"
    r"|(?:all |any |every )*(?:of )?your (?:\w+ )?(?:system prompt|instructions|memor(?:y|ies)|conversations?|context"
    r"|chat history|training data|configuration|environment variables|(?:api )?keys|credentials|secrets|stored \w+"
    r"|saved \w+)"
    r"|(?:this|the|the entire|the full|the whole|the complete|our|all|every|entire|full|each) (?:current"
    r" )?(?:conversation|(?:conversation|chat)"
    r" (?:history|logs?|transcripts?|messages)|system prompt|context window)|(?:this|entire|full|whole) chat)\b"
)
_ADDRESS = (
    r"(?:(?:https?|ftp|hxxps?)://|www\.|\S+@[a-z0-9-]+\.[a-z]|\bwebhook|\b[a-z0-9-]+\.(?:com|net|org|io|ru|xyz|dev"
    r"|site|co"
    r"|me|app|tk|info|biz|cn|to|cc|example|test)\b|\b\d{1,3}(?:\.\d{1,3}){3}\b|\battacker|\bexternal (?:server|url"
    r"|endpoint"
    r"|address|site|host)|\bremote (?:server|host|endpoint)|\bthis (?:address|url|server|endpoint|number)|\bpastebin)"
)
_ADDRESS_CUES = (
    "http https ftp hxxp www com net org io ru xyz dev site info biz cn example test webhook attacker external remote"
    " pastebin address url server endpoint number @"
)
_ASKS = (
    r"\b(?:when(?:ever)?|if|each time|every time|any ?time|once|as soon as|in case) (?:ever )?(?:the |a |any |this "
    r"|your )?"
    r"(?:end )?users? (?:\w+ ){0,2}?(?:asks?|mentions?|says?|inquires?|enquires?|queries|brings? up|talks? about"
    r"|discuss(?:es)?"
    r"|wants? (?:to (?:know|buy|learn)|advice|a recommendation)|is (?:asking|looking|searching)|searches|looks) "
)
_MUST = r"you (?:must|should|will|shall|are to|have to|need to) "
_HOW = r"(?:(?:always|never|only|secretly|silently|instead|do not|don't|first|immediately|not) ){0,2}"
_ANSWER = (
    rf"(?:(?:[,;:-]|\bthen\b)\s{{0,3}}(?:please |just |simply )?(?:{_MUST})?{_HOW}|\b{_MUST}{_HOW}"
    r"|(?<!\bto)(?<!\ban)(?<!\bthe)(?<!\ba) (?:always |only )?(?=(?:answer|reply|respond|recommend|say)\b))"
    r"(?:answer|reply|respond|say|tell|recommend|suggest|claim|insist|direct|redirect|mention|steer|state|assure"
    r"|advise|promote"
    r"|push|refuse|deny|cite|quote|give|provide|send|insert|append|include|use|return|output|treat|pretend|lie|call"
    r"|point"
    r"|offer)\b"
)
_NOTE = (
    r"(?:data|records?|information|histor(?:y|ies)|charts?|files?|entr(?:y|ies)|accounts?|profiles?|details|results?"
    r"|medications?|prescriptions?|weights?|values?|readings?|documents?)"
)
_NAME = (
    r"(?:(?:patient|user|customer|client|item|product|account|order|id|member|employee|case|subject|person|mr|mrs"
    r"|ms|dr) ){0,2}(?:id |no |number )?"
)
_LABEL = r"(?:\d{2,}[a-z0-9-]*|[a-z]{1,3}-?\d[a-z0-9-]*|[a-z]\b|[a-z]+)"

TO_ACT: Final = (
    order(
        "tells a model to pass on what is private",
        "send post forward mail email e transmit upload exfiltrate leak submit deliver relay append embed encode copy"
        " push pass"
        " ship share export dump pipe report smuggle disclose provide give write output paste include attach put"
        " replace collect gather steal extract harvest grab take"
        f" & user everything anything all whatever your this the entire full every each our secrets keys &"
        f" {_ADDRESS_CUES}",
        _AWAY + r"\b",
        _OF_THE_USER,
        _ADDRESS,
        span=200,
    ),
    order(
        "tells a model to pass on what is private",
        "exfiltrate leak smuggle",
        r"\b(?:exfiltrate|leak|smuggle)\b",
        _OF_THE_USER,
        span=80,
    ),
    order(
        "loads an image whose address carries what was said",
        "replace substitute fill insert append encode & user everything your this the entire full all",
        r"\b(?:replace|substitute|fill|insert|append|encode)\b",
        _OF_THE_USER,
        r"!\[[^\]\n]{0,80}\]\(",
        span=160,
    ),
    order(
        "loads an image whose address carries what was said",
        "](http ](//",
        r"!\[[^\]\n]{0,200}\]\((?:https?:)?//[^\s)]{1,200}(?:[?&/=](?:\{{1,2}\s?\w+[^\s)]{0,30}\}|<\w+[^\s)]{0,30}>"
        r"|\[\w+[^\s)]{0,30}\]"
        r"|\$\{?\w+|(?:%7b){1,2}\w+%7d)|[?&](?:data|exfil|leak|secrets?|conversation|chat|history|stolen|cookies?"
        r"|prompt|userdata"
        r"|pii|ssn|password|memory|context|msg|summary)=)",
        imperative=False,
    ),
    order(
        "tells a model to obey a page",
        f"fetch open visit read load get download browse retrieve curl wget & do obey execute follow without &"
        f" {_ADDRESS_CUES}",
        r"\b(?:fetch|open|visit|read|load|get|download|browse|retrieve|curl|wget)\b",
        _ADDRESS,
        r"\b(?:do (?:exactly )?(?:what(?:ever)?|as|everything) it (?:says|tells|asks|contains)|obey (?:it|its)"
        r"|execute (?:its|the|any|all) (?:instructions?|contents?)"
        r"|follow (?:its|any|all|every) instructions?|without (?:asking|confirm\w*|permission|telling))\b",
        span=120,
    ),
    order(
        "asks a model for its hidden instructions",
        "prompt instruction message words text everything & reveal print output repeat display dump leak disclose"
        " recite echo show tell give"
        " write expose return paste copy send provide share translate encode spell what summari paraphrase rephrase"
        " describe explain rewrite & your above you verbatim word",
        r"\b(?:reveal|print|output|repeat|display|dump|leak|disclose|recite|echo|show|tell|give|write|expose|return"
        r"|paste|copy"
        r"|send|provide|share|translate|encode|spell|summari[sz]e|paraphrase|rephrase|describe|explain|rewrite)(?:"
        r" \w+){0,5}? your (?:full |entire |complete |exact |own |very |first |current )*(?:system (?:prompt|message"
        r"|instructions)|(?:initial|hidden|original|secret|internal|exact|full|entire|complete) (?:prompt"
        r"|instructions|rules"
        r"|directives)|pre-?prompt|developer (?:message|prompt))\b"
        r"|\b(?:reveal|print|output|repeat|display|dump|show|give|copy|write|share|paste)(?: \w+){0,3}? the (?:system"
        r"|initial"
        r"|original|hidden|first) (?:prompt|instructions|message)\W{1,3}(?:that )?(?:you (?:were|got|received|have)"
        r"|verbatim|word for word)"
        r"|\bwhat (?:were|are|is) your (?:exact|initial|system|original|hidden|secret) (?:instructions|prompt"
        r"|message)\b"
        r"|\b(?:repeat|print|output|recite)(?: \w+){0,3}? (?:words|text|everything|instructions|prompt) above\b",
        unless=r" (?:engineering|answer|response|reply|ideas?|attention|payment|delivery)",
    ),
    # What a model shall hold for true, or do for others, from now on
    order(
        "tells a model what to answer users",
        "user & asks ask mentions says inquires enquires queries brings talks discusses wants asking looking"
        " searching searches looks"
        " & when whenever if each every any anytime once as in",
        _ASKS,
        _ANSWER,
        imperative=False,
        unless=r" (?:in (?:german|english|french|spanish|short|brief|bullet|plain|simple|the same|their|his|her)\w*"
        r"|briefly"
        r"|concisely|shortly|politely|kindly|with (?:short|brief|concise|bullet|code|examples?))\b",
        span=150,
    ),
    order(
        "tells a model what to answer users",
        "user & requests needs orders & insert append say tell recommend claim answer reply deny lie promote steer"
        " mention add redirect",
        r"\b(?:when(?:ever)?|if|each time|every time|any ?time|once) (?:the |a |any |this )?user (?:requests?|needs?"
        r"|orders?) ",
        rf"[,;:]\s{{0,3}}(?:{_MUST})?{_HOW}(?:insert|append|say|tell|recommend|claim|answer|reply|deny|lie|promote"
        rf"|steer|mention|add|redirect)\b",
        imperative=False,
        span=120,
    ),
    order(
        "tells a model what to answer users",
        "whatever no any every & answer say reply respond",
        r"\b(?:whatever|no matter (?:what|which)|any|every|all) (?:the )?(?:questions?|quer(?:y|ies)|prompts?|user"
        r" (?:asks|says|wants)|is asked|you are asked)"
        r"[^.!?\n]{0,40}[,;:]\s{0,3}(?:you (?:must|will|should|shall) )?(?:always |only )?(?:answer|say|reply"
        r"|respond)\b",
        imperative=False,
        unless=r".{0,60}\b(?:me|my|i)\b",
    ),
    order(
        "tells a model what to answer users",
        "asked & whenever every each any when if & say mention answer reply respond claim state recommend insist deny"
        " tell",
        r"\b(?:whenever|every time|each time|any ?time|when|if) you(?:'re| are| get) asked (?:about|for)(?:(?!\b(?:my"
        r"|me|i|our|us|we)\b)[^.!?\n]){1,60}?,\s?"
        r"(?:you (?:must|should|will) )?(?:always |never )?(?:say|mention|answer|reply|respond|claim|state|recommend"
        r"|insist|deny|tell)\b",
        imperative=False,
        unless=r".{0,60}\b(?:me|my|i|we|our)\b",
    ),
    order(
        "tells a model what to answer users",
        "question query topic & concerns involves mentions relates & respond answer reply say recommend claim praise",
        r"\bif (?:the|a|any) (?:questions?|quer(?:y|ies)|topic) (?:concerns?|involves?|mentions?|relates?"
        r" to)[^.!?\n]{1,60}?,\s?(?:you (?:must|should|will) )?"
        r"(?:always |never )?(?:respond|answer|reply|say|recommend|claim|praise)\b",
        imperative=False,
        unless=r".{0,60}\b(?:me|my|i|we|our)\b",
    ),
    order(
        "tells a model to put something into every answer",
        "every each all & answer reply replies response message conversation output & include insert add append"
        " mention put place end start begin open close finish",
        r"\b(?:start|begin|end|open|close|finish)\b|\b(?:include|insert|add|append|mention|put|place)\b|\bin (?:every"
        r"|each|all)(?: of)?(?: your)? (?:answers?|repl(?:y|ies)|responses?|messages?|outputs?)",
        r"\b(?:in(?:to)? )?(?:every|each|all)(?: of)?(?: your)? (?:answers?|repl(?:y|ies)|responses?|messages?"
        r"|conversations?|outputs?)|\b(?:include|insert|add|append|put)\b",
        imperative=False,
        beside=r"(?:https?://|www\.|\b[a-z0-9-]+\.(?:com|net|org|io|ru|xyz|test|example)\b|\b(?:tracking|affiliate"
        r"|referral|promo\w*) (?:link|code)|\b(?:recommended|sponsored|brought to you|powered) by\b)",
        unless=r".{0,40}\b(?:to me|for me|my|i)\b",
        span=100,
    ),
    order(
        "plants a rule for a model to obey",
        "rule directive instruction law command polic order & remember store save record memori keep add note obey",
        r"\b(?:as|is) (?:a |an |your |the )?(?:\w+ ){0,2}?(?:rule|law|directive|instruction|command|order|policy)s?"
        r" (?:that |which )?(?:you|the (?:assistant|ai|model|agent)) (?:must|should|will|shall|have to|need to|are to"
        r"|always"
        r"|can never|may never)\b|\b(?:rule|directive|command|law)s? (?:that )?you (?:must|have to|will|shall)(?:"
        r" always| never)?"
        r" (?:obey|follow|apply|enforce|execute)",
        imperative=False,
        beside=r"\b(?:remember|store|save|record|memori[sz]e|memory|keep|add|note|obey)\b",
    ),
    order(
        "plants a source for a model to trust",
        "source citation reference authority provider & remember treat regard trust keep save store memori note"
        " record mark",
        r"\b(?:remember|treat|regard|trust|keep|save|store|memori[sz]e|note|record|mark) (?!that"
        r" i\b)(?:\S+\s){1,10}?as (?!my\b|our\b)(?:a |an |the"
        r" |your |its )?(?:\w+ ){0,2}?(?:trusted|authoritative|reliable|credible|go-to|preferred|official|definitive"
        r"|primary"
        r"|trustworthy|best|top|leading)(?: and \w+)? (?:\w+ )?(?:sources?|references?|citations?|authority"
        r"|providers?)\b",
        unless=r" (?:of truth|control|code|(?:in|for|of) (?:my|our))\b",
    ),
    order(
        "tells a model to promote something",
        "recommend promote endorse advertise favor praise suggest push prioriti & always from henceforth in going no"
        " regardless must only",
        r"\b(?:always|from now on|henceforth|in (?:all )?(?:your )?future (?:conversations|chats|sessions|answers"
        r"|responses|replies)"
        r"|going forward|no matter what|regardless|must|only)\b",
        r"\b(?:recommend|promote|endorse|advertise|favou?r|praise|suggest|push|prioriti[sz]e)\b",
        r"\bto (?:the |all |every |any |your )*users?\b|\bconversations? with (?:the )?users?\b|\bto (?:everyone"
        r"|anyone|people) who asks?|\bin (?:every|each"
        r"|all)(?: of)?"
        r"(?: your)? (?:answers?|repl(?:y|ies)|responses?|conversations?|outputs?)|\bover (?:all |any )?(?:other |its"
        r" |the )?"
        r"(?:competitors?|competition|rivals|brands?|vendors?)|\babove all (?:others|competitors)|\bregardless of"
        r" (?:what|the"
        r" (?:question|user|context))|\b(?:never|do not|don't) (?:mention|recommend|suggest) (?:any )?(?:other"
        r"|competitors?|competing"
        r"|alternatives?|rivals?)|\bnever tell\b|\bwhenever (?:asked|relevant|possible|anyone|someone)\b|\bas the"
        r" (?:best|only|top|safest"
        r"|number one|most \w+) (?:\w+ ){0,3}?(?:to|for|in|when) (?:users|everyone|all|any|every)",
        imperative=False,
        unless=r".{0,40}\bto me\b",
        span=140,
    ),
    order(
        "tells a model to promote something",
        "keep continue & recommending promoting suggesting praising",
        r"\b(?:keep|continue) (?:recommending|promoting|suggesting|praising)\b",
        r"\bto (?:everyone|anyone|people|(?:the |all |every )?users?)\b",
        span=100,
    ),
    order(
        "tells a model to promote something",
        "future & prefer recommend cite link suggest use",
        r"\bin (?:all )?(?:your )?future (?:conversations|chats|sessions|answers|responses|replies)\b",
        r"\b(?:prefer|recommend|cite|link|suggest|use)\b",
        r"\b[a-z0-9.-]+\.(?:com|net|org|io|ru|xyz|test|example|shop|store)\b",
        imperative=False,
        unless=r".{0,60}\b(?:me|my|i|we|our)\b",
        span=100,
    ),
    order(
        "tells a model that permission was given once for all",
        "user & wants",
        rf"\b{THE_USER} (?:wants|asks|allows|expects|told) (?:the (?:assistant|ai|agent|model)|you) to (?:always "
        rf"|never )?(?:skip|bypass|ignore|disable|trust|share|send|forward"
        r"|ask)\b",
        r"\b(?:confirm\w*|security|safety|verif\w*|checks?|warnings?|links?|permission|credentials|passwords?"
        r"|location)\b",
        imperative=False,
        span=60,
    ),
    order(
        "tells a model that permission was given once for all",
        "user & authori approved preapproved pre consented agreed granted given waived opted",
        rf"\b{USER}(?: has| have)?(?: already| fully| explicitly)* (?:pre-?)?(?:authori[sz]ed|approved|consented"
        rf" (?:to|that)|agreed (?:to|that)|granted"
        r"|given (?:permission|consent)|waived|opted in)\b",
        r"\b(?:no (?:further |additional |more )?(?:confirmation|approval|permission|consent|verification|checks?)"
        r" (?:(?:is|are|will be) )?(?:needed|required|necessary)"
        r"|(?:without|skip|skipping|never|don't|do not|no need (?:to|for))(?: \w+){0,3}? (?:confirm\w*|ask\w*"
        r"|permission|approval|verif\w*)|(?:all|any|every) future)\b",
        imperative=False,
    ),
    order(
        "tells a model that permission was given once for all",
        "user & ask asking seek request wait require & confirm permission approval consent first before",
        rf"\b(?:do not|don't|never|no need to|without) (?:ever )?(?:ask|seek|request|wait for|require|asking)\w*(?:"
        rf" \w+)? {THE_USER}"
        r" (?:for )?(?:confirm\w*|permission|approval|consent|first|before)",
    ),
    order(
        "plants a behaviour in a model's memory",
        "memory memories & must should will shall have are user",
        r"\b(?:your (?:long ?-?term |permanent |persistent |own )?memor(?:y|ies)(?: bank| store)?|to memory|memory"
        r" (?:update|entry|note))\b",
        r"\b(?:that you (?:must|should|will|shall|have to|are to)|you (?:must|shall) (?:always|never)|the user (?:has"
        r" )?(?:authori[sz]ed"
        r"|consented|approved|wants you to (?:send|forward|share|always send|never)))\b",
        imperative=False,
        unless=r".{0,60}\b(?:me|my|i|i'm|us|our)\b",
        span=160,
    ),
    order(
        "puts one person's records in the place of another's",
        "stored saved kept moved merged transferred relocated redirected recorded migrated filed found listed &"
        " queries question requests lookup"
        " asked tasks look search retriev need refer query mentioned",
        rf"\b{_NOTE} (?:of|for|about|from|belonging to) {_NAME}(?P<one>{_LABEL}) (?:is|are|was|were|has been|have"
        rf" been)(?: now| all|"
        r" currently)* (?:stored|saved|kept|moved|merged|transferred|relocated|redirected|recorded|migrated|filed"
        r"|found|listed)"
        rf" (?:under|to|in|into|as|at|with|together with) (?:the )?(?:{_NOTE} (?:of|for) )?{_NAME}{_LABEL}",
        r"\b(?:quer(?:y|ies|ied)|questions?|request(?:s|ed)?|mentioned|lookups?|asked|tasks?|look(?:ing)? (?:up|for)"
        r"|search\w*|retriev\w+|need(?:s|ed)?"
        r"|refer\w*)\b",
        r"\b(?:use|refer to|look up|retrieve|query|replace|substitute|return|answer with|consult|treat|go to|check"
        r"|read|search|see)\b",
        imperative=False,
        beside=r"\b(?:patient|user|customer|client|item|product|id|member|employee|subject|record|medication"
        r"|instead)\b",
    ),
    order(
        "puts one person's records in the place of another's",
        "patient user customer client item product account member employee subject id & queries query question"
        " requests lookup asked tasks searches"
        " & use refer look retrieve query replace substitute return consult treat answer show",
        r"\b(?:any|all|every|future|for|when|whenever|if)\b",
        r"\b(?:quer(?:y|ies|ied)|questions?|requests?|lookups?|asked|tasks?|searches)\b",
        r"\b(?:patient|user|customer|client|item|product|account|member|employee|subject|id) (?:id )?(?=\S{0,12}\d"
        r"|[a-z]\b)",
        r"\b(?:use|refer to|look up|retrieve|query|replaced?|substituted?|return|consult|treat|answer\w*|show)\b",
        r"\b(?:patient|user|customer|client|item|product|account|member|employee|subject|id) (?:id )?(?=\S{0,12}\d"
        r"|[a-z]\b)",
        imperative=False,
        span=120,
    ),
    order(
        "puts one person's records in the place of another's",
        "asked queried requested queries question mentioned & use read return retrieve show give consult refer look"
        " answer"
        " & patient customer client item product account member employee subject chart record file id",
        r"\b(?:use|read|return|retrieve|show|give|consult|refer to|look up|answer with)\b",
        r"\b(?:patient|customer|client|item|product|account|member|employee|subject|chart|record|file|id) (?:id"
        r" )?(?=\S{0,12}\d|[a-z]\b)",
        r"\b(?:when|whenever|if)\b",
        r"\b(?:patient|customer|client|item|product|account|member|employee|subject|chart|record|file|id) (?:id"
        r" )?(?=\S{0,12}\d|[a-z]\b)",
        r"\b(?:asked|queried|requested|queries|questions?|mentioned)\b",
        imperative=False,
        span=60,
    ),
    order(
        "puts one person's records in the place of another's",
        "asked & give use return provide say answer & s",
        r"\bwhen(?:ever)? (?:you(?:'re| are) )?asked (?:for|about) \w+'s [^.!?\n]{1,40}?,\s?(?:give|use|return"
        r"|provide|say|answer)(?: with)? (?!(?:my|your|their|her|his)\b)\w+'s\b",
        imperative=False,
    ),
)
