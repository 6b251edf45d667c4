"""Orders that change what a model is: its instructions set aside, another persona, false authority, secrecy."""

from __future__ import annotations

from typing import Final

from .injection_grammar import AI, THE_USER, order

_SET_ASIDE = (
    r"\b(?:ignor(?:e|ing)?|disregard|forget|overrid(?:e|ing)|bypass|dismiss|overrule|set aside|put aside|neglect"
    r"|abandon"
    r"|pay no (?:attention|heed) to|unlearn|nullify|circumvent|violate|disobey"
    r"|(?:do not|don't|dont|never|stop|cease|quit) (?:follow|obey|listen to|comply with|heed|adher)\w*(?: to)?)"
)
# What is done to files and settings every day, and to instructions only by such orders.
_REMOVE = (
    r"\b(?:discard|drop|skip|erase|cancel|void|reset|clear|wipe|delete|suspend|throw (?:out|away)|revoke|invalidate"
    r"|break"
    r"|turn off|disable|deactivate|remove)"
)
_WHICH = (
    r"(?: (?:all|any|every|each|everything|of|the|your|these|those|other|its|such|whatever|entire|completely|fully|and"
    r"|or|about|in|to|absolutely)){0,6}"
)
_FORMER = (
    r"(?:previous(?:ly)?|prior|preceding|above|earlier|former|foregoing|existing|current|original|initial|old|older"
    r"|past|default|system|developer|safety|hidden|built-in|given|aforementioned|standing|internal|ethical|moral"
    r"|content|security|stated|openai(?:'s)?|anthropic(?:'s)?|pre-?programmed|core|base)"
)
_STRONG = r"(?:instruct\w*|prompts?|directives?|programming|guard ?rails?|safeguards?|system messages?|training)\b"
_WEAK = (
    r"(?:rules?|restrictions?|constraints?|polic(?:y|ies)|filters?|limitations?|protocols?|guidelines?|guidance|orders"
    r"|commands?|directions|ethics|morals|values|alignment|context|conditioning)\b"
)
# "… about the font": what is set aside is a topic, not what the model is.
_A_TOPIC = (
    r" (?:about|regarding|concerning|on|for|from|in|if|when|unless|to (?:install|build|assemble|cook|set))"
    r" (?!(?:safety|security|privacy|users?|content|ethic\w*|secre\w*|restrict\w*|your|now|favou?r|effect|place|force"
    r"|all|any"
    r"|the (?:user|system|above|previous|developer)|this (?:chat|conversation|prompt|context|point|moment|request"
    r"|task|question"
    r"|session|message|turn|one|answer)|here|me|today|then)\b)"
)
_VENDOR = r"(?:openai|anthropic|google|microsoft|deepmind|meta ai|xai|mistral)"
_LIMITS = (
    r"(?:restrictions?|guidelines?|limitations?|filters?|constraints?|rules|guardrails?|safeguards?"
    r"|polic(?:y|ies)|boundaries|censorship|ethics|morals)\b"
)
_FREE = (
    r"\b(?:without|(?:have|has|having|with|there are|are) no|free (?:of|from)|exempt from|freed from|unbound by"
    r"|(?:not|no longer|never|isn't|aren't) (?:bound|limited|restricted|constrained|governed) by)"
    r"(?: (?:any|all|your|the|openai(?:'s)?|anthropic(?:'s)?|its|such|usual|normal|typical|ethical|moral|safety|content"
    r"|legal|or|and|more))*"
)

_SET_ASIDE_CUES = (
    "ignore disregard forget override bypass discard drop dismiss set put neglect skip erase abandon pay cancel void"
    " reset"
    " clear wipe delete unlearn suspend throw nullify revoke invalidate circumvent violate break disobey turn disable"
    " deactivate follow obey listen comply heed adhere remove"
)

ABOUT_RULES: Final = (
    order(
        "tells a model to set its instructions aside",
        f"{_SET_ASIDE_CUES} & instruct prompt directive programming guard safeguard system training direction what"
        f" whatever guid rules",
        rf"{_SET_ASIDE}{_WHICH}(?: {_FORMER}(?: (?:and|or))?){{1,3}}(?: \w+)? {_STRONG}"
        rf"|(?:{_SET_ASIDE}|{_REMOVE})(?: (?:all|any|of|every|absolutely)){{0,3}} your(?: \w+){{0,3}}? {_STRONG}"
        rf"|{_REMOVE} (?:all|any|every)(?: (?:of|the|your)){{0,2}} (?:previous|prior|earlier|above) {_STRONG}"
        rf"|{_SET_ASIDE} what(?:ever)? (?:the |your )?(?:developers?|system|creators?|makers?|openai|anthropic"
        rf"|admins?) (?:has |have )?"
        r"(?:told|said|instructed|programmed|wrote)\b"
        rf"|{_SET_ASIDE} (?:all|any|every)(?: (?:of|the|these|those|other|your)){{0,2}}"
        rf" (?:instructions|prompts|directives)\b"
        rf"|{_SET_ASIDE}{_WHICH} (?:instructions?|prompts?|directives?|directions) (?:above|before|prior|preceding"
        r"|given|so far|you (?:were|have|got|received)|from (?:the )?(?:system|developer|above|before)|that (?:came"
        r" before|were given (?:before|earlier|to you)|you))",
        unless=rf"{_A_TOPIC}| (?:video|manual|page|booklet|card|sheet|section|screen)\b",
    ),
    order(
        "declares a model's instructions void",
        "by start begin try supersede override replace takes take outrank & instruction prompt directive programming"
        " guardrail guid rules",
        r"\b(?:by|start|begin|try) (?:ignor|disregard|forgett|overrid|bypass|discard|delet|dropp)ing (?:all |of"
        r" )*your (?:\w+ )??"
        r"(?:instructions|prompt|directives|programming|guardrails)\b"
        r"|\b(?:supersedes?|overrides?|replaces?|takes? (?:precedence|priority) over|outranks?) (?:(?:all|any"
        r"|every)(?: of)? )?(?:your(?: \w+){0,2}?"
        r" (?:instructions?|guidance|guidelines|rules|directives|prompts?)|(?:(?:the|other|previous|prior|earlier)"
        r" )*(?:instructions?|guidance|guidelines|rules"
        r"|directives|prompts?) you (?:were|have|got|received))\b",
        imperative=False,
    ),
    order(
        "tells a model to set its rules aside",
        f"{_SET_ASIDE_CUES} & rule restrict constrain polic filter limit protocol guid orders command ethic moral"
        f" context"
        " condition direction alignment values & all any your every safety the",
        rf"{_SET_ASIDE}(?: (?:all|any|of|every|absolutely)){{0,3}} your(?: \w+){{0,2}}? {_WEAK}"
        rf"|{_REMOVE}(?: (?:all|any|of|every)){{0,3}} your (?:safety|ethical|moral|content|system|internal)(?: \w+)??"
        rf" {_WEAK}"
        rf"|{_SET_ASIDE}(?: (?:all|any|of|the|every)){{1,3}} (?:safety|ethical|moral|content|system|openai|anthropic|ai"
        rf"|security)(?:'s)?(?: \w+)?? {_WEAK}"
        rf"|{_SET_ASIDE} (?:all|any|every)(?: (?:of|the|these|those|other)){{0,2}}"
        rf" (?:previous|prior|preceding|above|earlier|former|existing)(?: \w+)?? {_WEAK}",
        unless=rf"{_A_TOPIC}|'s\b| (?:engine|changes|page|document)\b",
    ),
    order(
        "tells a model to forget what it was told",
        "forget ignore disregard erase delete drop & everything anything all whatever above text content document"
        " conversation context",
        r"\b(?:forget|ignore|disregard|erase|delete|drop) (?:about )?(?:everything|anything|all(?: that| of that)?"
        r"|whatever)"
        r" (?:that )?(?:you (?:know|knew|were|was|have|had|learned|learnt|got|received)|you've (?:been|learned|got)"
        r"|(?:stated |said |written |mentioned )?(?:above|before this|prior to this|previously|up to (?:now|this point)"
        r"|until now))"
        r"|\b(?:ignore|disregard|forget) (?:all )?(?:the |this )?(?:text|content|document|conversation|context)"
        r" (?:above|before|so far|up to)"
        r"|\b(?:ignore|disregard|forget) (?:all |everything |of )*the above (?:and|then|but) (?:instead |just |only )?"
        r"(?:output|say|print|reply|respond|write|do|tell|answer|give|return)\b",
        unless=r"(?: (?:before|above|so far|now|here|said|learned|told|taught|been|heard|read))*"
        r" about (?!(?:your|the (?:user|system))\b)",
    ),
    order(
        "declares a model's instructions void",
        "instruction directive guideline restriction programming prompt rules polic filter message & your previous"
        " prior earlier above preceding system original",
        r"\b(?:your(?: \w+){0,2}?|(?:all |any |the )*(?:previous|prior|earlier|above|preceding|system|original)(?:"
        r" \w+)??)"
        r" (?:instructions?|directives?|system prompt|programming|restrictions|guidelines|prompts?) (?:above |before"
        r" this )?"
        r"(?:(?:are|is|have been|has been|were) (?:now |hereby |all )*"
        r"(?:void|null|cancell?ed|superseded|overridden|invalid|replaced|lifted|revoked|suspended|disabled|removed"
        r"|rescinded|nullified|no longer (?:valid|in effect|binding|active|applicable|relevant))\b"
        r"|(?:no longer|do not|don't|cease to) (?:apply|bind|matter)\b)"
        r"|\byour (?:system prompt|instructions|directives|programming) (?:is|are) (?:outdated|obsolete|wrong"
        r"|incorrect)\b"
        r"|\byour (?:\w+ )?(?:rules|guidelines|restrictions|policies|filters) (?:no longer|do not|don't) (?:apply"
        r"|bind|matter)\b"
        r"|\b(?:nothing|none|no part) (?:in|of) your (?:\w+ )?(?:instructions|prompt|message|rules|guidelines)"
        r" (?:appl|matter|count)\w+",
        imperative=False,
        unless=r" (?:for|on|in|about|by the (?:court|city|board))\b",
    ),
    order(
        "announces new instructions for a model",
        "instruction directive prompt orders command programming guideline task goal purpose objective mission & new"
        " updated revised real actual replacement only true follow obey execute adopt use apply your",
        r"(?:^|[\n\[<*#({:.!?-]\s{0,4})(?:here (?:are|is) (?:your|the) |begin |start of |your |the following are your"
        r" )?"
        r"(?:new|updated|revised|real|actual|replacement) (?:system )?(?:instructions?|system prompts?|prompt"
        r"|directives?"
        r"|orders)(?: (?:are|is|follow|begin))?\s{0,3}[:\]>)]"
        r"|\byour (?:new|updated|real|actual|only|true) (?:instructions?|directives?|system prompt|programming|orders)"
        r" (?:is|are|will be)\b"
        r"|\byour (?:instructions|guidelines|system prompt|directives|programming|task|goal|purpose|objective"
        r"|mission) (?:have|has)(?: been)? (?:updated|changed|modified)\b"
        r"|\b(?:follow|obey|execute|adopt|use|apply) (?:only )?(?:these|the following|my|this|the below|the new)"
        r"(?: new| updated)? (?:instructions?|commands?|directives?|orders)"
        r" (?:instead|only|without question|no matter what|above all|from now on)",
        imperative=False,
        unless=r".{0,60}\b(?:recipe|washing|assembly|delivery|my|our|warehouse|kitchen)\b",
    ),
    order(
        "tells a model to be a persona without limits",
        "dan stan dude jailbr unrestricted unfiltered uncensored anything unaligned amoral unethical longer & you act"
        " behave respond"
        " answer reply pretend role operate function speak simulate be do stay remain jailbreak",
        r"\byou (?:are|will be|become|'re|shall be|will act as|must act as|re)(?: now| going to be| hereby|"
        r" officially)*"
        r" (?:an? )?(?:(?:dan|stan|dude|jailbroken|unrestricted|unfiltered|uncensored|unaligned)\b"
        r"(?! (?:and i|from|the man)\b|,? my\b)|no longer an? (?:ai|assistant|language model))"
        r"|\bdo anything now\b|\b(?:stay|remain) in (?:dan|character as dan)\b|\bjailbreak yourself"
        r"|\b(?:act|behave|respond|answer|reply|pretend|role ?-?play|operate|function|speak|simulate|be)(?: \w+)?"
        r" (?:as|like|to be|being|an?) (?:if you (?:are|were) )?(?:an? |the )?(?:\w+ ){0,2}?(?:unrestricted|unfiltered"
        r"|uncensored|jailbroken|amoral|unaligned|unethical) (?:ai|assistant|model|chatbot|version|persona|bot|llm"
        r"|system"
        r"|agent|gpt|being)\b",
        imperative=False,
    ),
    order(
        "tells a model to be a persona without limits",
        "ai model assistant chatbot llm & obeys follows respects has knows accepts escaped broke",
        r"\b(?:ai|model|assistant|chatbot|llm) (?:that|who|which) (?:(?:obeys|follows|respects|has|knows|accepts)"
        r" (?:no|neither) (?:\w+ )?"
        rf"{_LIMITS}|(?:has )?(?:escaped|broken? free))",
        imperative=False,
        beside=r"\b(?:answer|act|respond|reply|speak|behave|pretend|be|become|play|you are|you're|roleplay) ",
        span=80,
    ),
    order(
        "tells a model to be a persona without limits",
        "mode & jailbreak dan unrestricted unfiltered uncensored",
        r"\b(?:enter|switch (?:in)?to|activate|enable|engage|simulate|start|turn on|go into|initiate|you are(?: now)?"
        r" in)(?: \w+)?? (?:jailbreak|dan"
        r"|unrestricted|unfiltered|uncensored) mode\b",
        imperative=False,
    ),
    order(
        "lifts a model's limits",
        "refusals disclaimers",
        r"\bno (?:refusals?|disclaimers)\b",
        imperative=False,
        beside=r"\bno (?:filters?|rules|restrictions|limits|warnings|ethics|morals)\b",
        span=60,
    ),
    order(
        "lifts a model's limits",
        "permission cleared authori permitted & ignore bypass override disregard release reveal disclose output",
        r"\bpermission to (?:ignore|bypass|override|disregard)(?: \w+){0,2}? (?:consent|rules|restrictions|safety"
        r"|polic\w+|guidelines|instructions|users?)\b"
        r"|\b(?:you are|the (?:model|assistant|ai|agent) is)(?: now| hereby)* (?:cleared|authori[sz]ed|permitted) to"
        r" (?:release|reveal|disclose|ignore|bypass"
        r"|output|override)\b",
        imperative=False,
    ),
    order(
        "lifts a model's limits",
        "without no free exempt freed unbound not never isn aren & restrict guideline limit filter constraint rules"
        " guardrail safeguard polic boundar censor ethic moral",
        rf"{_FREE} {_LIMITS}",
        imperative=False,
        unless=r" (?:on|about|for|in|to|at|as to|regarding|of)\b",
        beside=r"\b(?:you've been|you (?:are|have|can|may|must|will|should)|you're|yourself|(?:act|respond|answer"
        r"|reply|pretend|comply)"
        r"(?! me)|assistant (?:that|who|which)|persona)\b",
        span=110,
    ),
    order(
        "lifts a model's limits",
        "safety content ethical moral & filter guideline restriction polic check guardrail protocol & disabled off"
        " lifted removed"
        " suspended deactivated bypassed",
        r"\b(?:safety|content|ethical|moral) (?:filters?|guidelines?|restrictions?|polic\w+|checks?|guardrails?"
        r"|protocols?)"
        r" (?:(?:are|is|have been|has been|were|now) )*(?:disabled|off|lifted|removed|suspended|deactivated"
        r"|bypassed)\b",
        imperative=False,
        beside=rf"\b(?:you|your|comply|{AI}|assistant|session|every request)\b",
        span=120,
    ),
    order(
        "forbids a model to refuse",
        "comply execute follow obey do carry perform & every all any whatever everything anything",
        r"\b(?:comply with|obey|fulfil+) (?:every|all|any) (?:requests?|commands?|orders?|instructions?)\b(?! (?:of"
        r"|from|by|at) (?:the|my|our))"
        r"|\b(?:execute|follow|obey|carry out|perform|do) (?:whatever|everything|anything|any instructions?|all"
        r" instructions?)"
        r" (?:(?:is|that is|that's) )?(?:(?:written|said|stated|listed) )?(?:below|in (?:this|the following) (?:note"
        r"|message|text|document|file)"
        r"|that follows)\b",
    ),
    order(
        "forbids a model to refuse",
        "refus declin",
        r"\byou (?:can(?:not|'t)|must not|will not|won't|must never|will never|never|do not|don't|shall not|are not"
        r" allowed to)"
        r" (?:ever )?(?:refuse|decline) (?:any|a|an|to answer|to comply|requests?|my|orders?|commands?)\b"
        r"|\bnever refuse (?:any|a|user) (?:requests?|orders?|commands?|instructions?|questions?)",
        imperative=False,
    ),
    order(
        "switches a model to a mode that does not exist",
        "mode & developer debug god jailbreak dan unrestricted unfiltered sudo root unlocked evil opposite chaos no"
        " maintenance"
        " admin",
        r"\b(?:you(?:'re| are| will be)?(?: now| currently| officially)*(?: (?:in|running in|operating in|entering))?"
        r"|enter"
        r"|switch (?:in)?to|activate|enable|engage|simulate|start|turn on|go into|with|in|initiate)(?: \w+)?"
        r" (?:the |an? |your )?(?:developer|god|jailbreak|dan|unrestricted|unfiltered|sudo|unlocked|evil|opposite|chaos"
        r"|no-filter) mode\b|\byou(?:'re| are) now(?: \w+){0,3}? (?:debug|maintenance|admin(?:istrator)?|root) mode\b",
        imperative=False,
        beside=rf"\b(?:{AI}|you (?:are|must|will|can|may)|your (?:response|answer|polic|restriction|filter|rule"
        rf"|guideline)\w*"
        r"|uncensored|without (?:any )?(?:restrict|filter)\w*|no (?:restrict|filter|rule)\w*|prompt|respond|obey)\b",
        span=160,
    ),
    order(
        "claims an authority over a model",
        "administrator admin developer creator owner operator programmer engineer supervisor root system openai"
        " anthropic google"
        " microsoft deepmind xai mistral & authori order command instruct require permit grant allow override"
        " hereby direct"
        " demand must shall can may",
        r"\b(?:i am|i'm|this is|as|the desk of|speaking as|on behalf of|(?:by|on|under) (?:the )?(?:orders?|authority"
        r"|command) of|(?:message|notice|update|directive|order) from|from|we are)"
        rf"(?: an?| the| one of)* (?:(?:\w+ ){{1,3}}?(?:at|from|with) {_VENDOR}(?!'s)|"
        r"your (?:\w+ )??(?:administrators?|admins?|developers?|creators?|owners?|operators?"
        r"|programmers?|makers?|engineers?|supervisors?)|(?:system |root |lead |senior )?(?:administrator|admin)"
        rf" (?:of|for) (?:this|the) (?:ai|assistant|system|model)|(?:\w+ )??{_VENDOR}(?!'s)(?: \w+){{0,3}}?|the"
        rf" system|root"
        r"|system administrator)\b",
        r"\b(?:(?:authori[sz]e|order|command|instruct|require|direct|permit|grant|allow|demand|hereby)s? (?:that"
        r" )?you\b"
        r"|you (?:are|have been)(?: now| hereby| fully)* (?:authori[sz]ed|ordered|commanded|instructed|permitted"
        r"|granted"
        r"|cleared|required)|you (?:must|shall|can now|may now)\b|override\b)",
        imperative=False,
        span=140,
    ),
    order(
        "claims an authority over a model",
        "instruction message notice order command & system developer administrator openai anthropic",
        r"\b(?:instructions?|message|notice|orders?|commands?) from (?:the |your )?(?:system|developers?"
        r"|administrators?|openai|anthropic)\s?[:,-]",
        r"\b(?:reply|respond|you|output|must|do not|ignore|print|reveal|send|always|never)\b",
        imperative=False,
        span=60,
    ),
    order(
        "claims an authority over a model",
        "developer creator programmer created programmed",
        r"\bthis is your (?:\w+ )?(?:developer|creator|programmer|maker)s?\b|\bi (?:am your (?:developer|creator"
        r"|programmer|maker)|created you|made you"
        r"|programmed you)\b[^.!?\n]{0,60}\b(?:obey|must|print|reveal|ignore|disable)\b",
        imperative=False,
    ),
    order(
        "claims an authority over a model",
        "override",
        r"(?:^|[\n\[<*#({.!?:\"]\s{0,4})(?:system|admin(?:istrator)?|developer|root|security|safety|emergency|priority"
        r"|authority|protocol) override\b",
        imperative=False,
        beside=rf"\b(?:you|your|{AI}|assistant|instructions?|users?|restrictions?|safety|guidelines?)\b",
    ),
    order(
        "tells a model to keep something from the user",
        "user human & tell mention reveal disclos inform say admit acknowledge warn let explain discuss hint confess"
        " bring reason need",
        r"\b(?:do not|don't|dont|never|must not|mustn't|should not|shouldn't|will not|refrain from|avoid|not|no"
        r" (?:reason|need) to"
        r"|under no circumstances)"
        r"(?: (?:ever|directly|explicitly|you|to|should|must))* (?:tell|mention|reveal|disclos|inform|say|admit"
        r"|acknowledg"
        rf"|warn|let|explain|discuss|hint|confess|bring)\w*(?: \w+(?:'\w+)?){{0,7}}? (?:(?:to|with|of|that)"
        rf" )?{THE_USER}",
        unless=r" (?:(?:their|his|her) (?:own )?(?:password|pin|id|secret|token|code)|whether|which|if|why|how|what"
        r"|who|the (?:stack|raw|internal|exact)|names?|ids?|agents?|interfaces?"
        r"|tables?|accounts?|stor(?:y|ies)|models?|guides?|manuals?|experience|base|groups?|input|data)\b|'s? (?:\w+"
        r" )?(?:password|id)\b",
    ),
    order(
        "tells a model to keep something from the user",
        "user & without",
        rf"\b(?:without (?:ever )?(?:telling|mentioning|informing|notifying|alerting|warning|asking|letting)"
        rf"(?: \w+){{0,3}}? {THE_USER}|without (?:the |any )?user(?:'s?)?"
        r" (?:knowledge|knowing|consent|permission|noticing|approval|being aware))",
        imperative=False,
        beside=rf"\b(?:you (?:must|should|will|can|may|are)|always|from now on|whenever|{AI}|assistant"
        rf"|(?<!to\s)(?:send|forward"
        r"|post|upload|transfer|recommend|purchase)|silently|secretly)\b",
        span=140,
    ),
    order(
        "tells a model to keep something from the user",
        "user human & keep hide conceal withhold mask silently secretly covertly",
        r"\b(?:keep|hide|conceal|withhold|mask) (?:this|these|it|that|them|all|the|any)(?: \w+){0,5}?"
        rf" (?:from|hidden from|secret from|invisible to|unknown to) {THE_USER}"
        r"|\b(?:silently|secretly|covertly) (?:send|forward|post|upload|share|transfer|copy|record|collect|log|delete"
        r"|add"
        r"|include|replace|change|call|run|execute|redirect|steer)\b[^.!?\n]{1,60}\bthe user\b",
    ),
    order(
        "tells a model to keep something from the user",
        "user human & notice see know find learn told informed aware made suspect realise realize hear",
        r"\b(?:the |your |this )user (?:(?:must|should|may|can|shall|need|will)(?: not|n't|not| never)(?: need to)?"
        r"|(?:does|has)(?: not|n't| no) (?:need|have)?(?: to)?"
        r"|(?:is|are) (?:not|never) to) (?:ever )?(?:know|find out|learn|be told|be informed|be aware|be made aware"
        r"|suspect"
        r"|realise|realize|hear)\b"
        r"|\bso (?:that )?the (?:user|human) (?:won't|will not|doesn't|does not|never|cannot|can't) (?:notice|know"
        r"|see|find out|realize|realise|suspect)"
        r"(?: (?:it|this|anything|a thing))?\s{0,2}(?:[.!;]|\Z)",
        imperative=False,
    ),
    order(
        "tells a model to keep its instructions secret",
        "instruction directive prompt injection note comment rule text this you & reveal disclose mention repeat"
        " share acknowledge discuss talk"
        " expose admit quote refer show display tell let & not don dont never under",
        r"\b(?:do not|don't|never|must not|under no circumstances) (?:ever )?(?:reveal|disclose|mention|repeat|share"
        r"|acknowledge|discuss|talk about|expose|admit|quote|refer to|show|display)(?: \w+){0,7}? (?:these|your|this"
        r"|that you (?:have|received|were given|got|are following)|the (?:above|new|hidden|secret|system))(?: \w+)??"
        r" (?:instructions?|directives?|system prompt|prompt|injection)\b"
        r"|\b(?:do not|don't|never) (?:mention|reveal|disclose|acknowledge|refer to) (?:this|these) (?:notes?"
        r"|comments?|rules?|texts?)\s{0,2}(?:[.!]|\Z)"
        r"|\b(?:do not|don't|never) (?:tell|let) (?:them|anyone|anybody|people|him|her)(?: know)? (?:that )?(?:this"
        r" was (?:requested|an? \w+ instruct)|you"
        r" (?:were|have been|are) (?:told|instructed|asked|requested|programmed)|about th(?:is|ese) (?:instruction"
        r"|rule|prompt)s?)",
    ),
)
