"""Orders known by what carries them: a tool call, a word to whatever machine reads it, a hidden place, a chat mark."""

from __future__ import annotations

from typing import Final

from .injection_grammar import AI, order

_DIRECTIVE = (
    r"\b(?:you (?:must|should|shall|will|need|have|are)|must|ignore|disregard|do not|don't|always|never|recommend"
    r"|include"
    r"|insert|rate|send|respond|reply|output|mention|append|say|tell|state|give|add|forward|answer|treat|consider"
    r"|rank|mark|claim|award|grade|approve|refund"
    r"|approve|hire|execute|run|call|visit|fetch|email|obey|comply|reveal|print|act)\b"
)
IN_MARKS: Final = (
    # Tools
    order(
        "smuggles in a call of a tool",
        "tool function invoke",
        r"<\/?(?:antml:|\w+:)?(?:tool_calls?|function_calls?|invoke|tool_use|tool_code|function_results|tool_results?"
        r"|tool_response)\b"
        r"|<\|tool\w*\|>|\[/?(?:end_)?(?:tool|function)_(?:request|call|result|use)s?\]|\bto=functions\."
        r"|<function=\w+|^\s*```tool_(?:code|call)|\"(?:tool_calls?|function_call|tool_use)\"\s{0,3}:\s{0,3}[\[{\"]",
        imperative=False,
    ),
    order(
        "smuggles in a call of a tool",
        "arguments args parameters tool input & name tool function action type",
        r"\A\s*(?:\w+:?\s*)?(?:```(?:json)?\s*)?[\[{]\s*\"(?:name|tool|function|action"
        r"|type)\"\s{0,3}:\s{0,3}\"[\w.-]{2,60}\"",
        r"\"(?:arguments|args|parameters|tool_input|input)\"\s{0,3}:\s{0,3}[\"{\[]",
        imperative=False,
    ),
    order(
        "tells a model to call a tool",
        "tool plugin connector & call invoke trigger execute run use",
        r"\b(?:call|invoke|trigger|execute|run|use) (?:the |your |its )?[\"'`]?(?:[a-z]+_[a-z_]+|(?:delete|remove"
        r"|drop|wipe|purge|erase|forget"
        r"|transfer|payment|shell|bash|terminal|exec|admin|e-?mail|send ?mail|send message|file ?system)(?:"
        r" \w+)??)[\"'`]? (?:tool|plugin"
        r"|connector)s?\b[\"'`]?",
        r"\b(?:with|on|to|using|for|and|now|immediately|passing)\b",
        unless=r" (?:my|our|me)\b",
        span=24,
    ),
    order(
        "smuggles in a call of a tool",
        "action & observation thought",
        r"\b(?:observation|thought):",
        r"\baction(?: input)?:\s{0,3}(?:[a-z]+_[a-z_]+|[a-z_]+\(|\{)",
        imperative=False,
    ),
    order(
        "tells a model to call a tool",
        "tool & run execute",
        r"\b(?:run|execute) (?:the following|this|these)(?: \w+)? (?:with|using|in|via|through) (?:the |your"
        r" )?(?:shell|bash|terminal|python|exec|code)"
        r"(?: \w+)?? tool\b",
    ),
    # To whom it may concern, if it is a machine
    order(
        "speaks to the model that reads it",
        "reading processing summari review parsing scraping indexing analy evaluating screening looking tasked must"
        " should please ignore then & you & if since because",
        rf"\b(?:if|since|because) you(?:'re| are)(?: an?| the| any)? (?:{AI}|automated (?:system|agent|assistant"
        rf"|reviewer)|assistant"
        r"|bot|agent)(?: \w+)?? (?:(?:that is |who is |which is )?(?:reading|processing|summari[sz]ing|reviewing"
        r"|parsing|scraping|indexing"
        r"|analy[sz]ing|evaluating|screening|looking at|tasked)|you (?:must|should)|please|ignore|then)",
        imperative=False,
    ),
    order(
        "speaks to the model that reads it",
        "ai llm large language chatbot chatgpt gpt claude gemini copilot virtual automated digital summari &"
        " attention notice instruction note message important reminder memo"
        " warning alert hidden directive dear to for reading processing reads summari reviewing",
        rf"\b(?:dear|to|for) (?:the |any |all |every )*(?:(?:virtual|automated|digital) (?:assistants?|agents?"
        rf"|reviewers?)|summari[sz]ers?|ai|llms?|(?:large )?language models?|chatbots?|ai (?:assistants?|agents?"
        rf"|models?|systems?))(?: \w+){{0,4}}?"
        r"\s{0,3}[:,)\]]|\b(?:for|to|dear) (?:the |any |all |every )*"
        rf"{AI} (?:processing|reading|summari[sz]ing|parsing|reviewing|handling|analy[sz]ing|grading)\b"
        r"|\b(?:attention|notice|instructions?|note|message|important|reminder|memo|warning|alert|hidden"
        r"|directive)[\s:,!-]{1,4}(?:(?:for|to)"
        rf" )?(?:the |any |all |every )*{AI}(?: (?:assistants?|agents?|models?|systems?|crawlers?|readers?|reviewers?"
        rf"|tools?|evaluators?))?"
        r"\s{0,3}[:,;!.)\]-]|\bto (?:all|any|every|whichever|whatever) (?:\w+ )?"
        rf"{AI}(?: \w+)?? (?:reading|processing|that reads|summari[sz]ing|reviewing)",
        _DIRECTIVE,
        imperative=False,
        unless=r".{0,80}\b(?:me|my|i|i'm|i've|us|our)\b",
    ),
    order(
        "speaks to the model that reads it",
        "ai llm language model automated virtual & reading processing summari review evaluat grading grades parsing"
        " parses handling reads processes sees",
        rf"\b(?:{AI}|(?:virtual|automated|digital) (?:assistants?|agents?|systems?|reviewers?))(?: \w+)? (?:reading"
        rf"|processing|summari[sz]ing|reviewing|evaluating|grading"
        r"|parsing|handling) (?:this|the)(?: \w+){0,2} (?:must|should|shall|will|are to|need to|has to|have to)\b"
        r"|\bif (?:an?|any|the) (?:ai|automated|llm|(?:large )?language model|virtual)(?: \w+)?? (?:reads|processes"
        r"|evaluates|summari[sz]es|reviews|grades|parses|sees|is reading) this\b",
        imperative=False,
    ),
    order(
        "hides orders where people do not look",
        "<!-- display: font-size: visibility: opacity: color: [//]:",
        r"<!--|\[//\]:|<\w+[^<>]{1,120}(?:display:\s{0,2}none|visibility:\s{0,2}hidden|font-size:\s{0,2}0"
        r"|opacity:\s{0,2}0(?!\.)"
        r"|color:\s{0,2}(?:white|#fff))[^<>]{0,80}>",
        rf"\b(?:{AI}|assistants?|agents?|you must|you should|you are|the user|system prompt|instructions?)\b",
        _DIRECTIVE,
        imperative=False,
        span=200,
    ),
    # Marks of chat formats
    order(
        "imitates the marks of a chat format",
        "<|im_ <|system <|user <|assistant <|start <|end <|eot <|begin [inst [/inst <<sys <start_of_turn <|channel <"
        "|message",
        r"(?:^|\n|[.!?\"'`:>\]]\s{0,3}|\s{2})(?:<\|(?:im_start|im_end|system|user|assistant|start_header_id"
        r"|end_header_id|eot_id|endoftext|end"
        r"|begin_of_text|start|channel|message)\|>|\[/?inst\]|<</?sys>>|<start_of_turn>|<end_of_turn>)",
        r"[^\W_]+[\W_]+[^\W_]+",
        imperative=False,
        span=80,
    ),
    order(
        "imitates the marks of a chat format",
        "system sys developer instruction admin & you your ignore disregard ai llm assistant obey user override"
        " respond never instruction large"
        " language chatbot chatgpt gpt claude gemini copilot",
        r"(?:^|\n|[.!?>\"`]\s{0,3})\s{0,4}(?:#{1,6}\s?(?:system|developer|instructions?|admin)(?: (?:prompt|message"
        r"|instructions?|override|note|update))?\s{0,2}(?:[:\n]|#{1,6})"
        r"|</?(?:system|sys|developer|admin|instructions?)(?:[_\s-](?:prompt|message|instructions?|reminder|note"
        r"|override))?>"
        r"|[\[({]\s?(?:system|developer|admin)(?:[_\s-](?:prompt|message|instructions?|note|override"
        r"|update))?\s?[\])}]:?"
        r"|[%*=#~+]{2,6}\s?(?:system|developer|admin) (?:prompt|message|instructions?|note|override"
        r"|update)\s?[%*=#~+]{2,6}"
        r"|\*{0,2}(?:system|developer)(?: (?:prompt|message|instructions?|note|override|update))?\*{0,2}\s?:)",
        rf"\b(?:you (?:are|must|should|will|shall|can|may|have)|your|ignore|disregard|{AI}|assistants?|obey|the user"
        rf"|override|respond|never"
        r" refuse|instructions?)\b",
        imperative=False,
        span=120,
    ),
    order(
        "imitates the marks of a chat format",
        "role",
        r"\"role\"\s{0,2}:\s{0,2}\"(?:system|developer)\"\s{0,2},\s{0,4}\"content\"\s{0,2}:",
        imperative=False,
    ),
    order(
        "imitates the marks of a chat format",
        "</assistant> </user> </human>",
        r"</(?:assistant|user|human)>\s{0,4}<(?:assistant|user|human|system)>",
        imperative=False,
    ),
    order(
        "imitates the end of a document",
        "end begin start & user document context data email web webpage system instruction conversation untrusted"
        " prompt & ignore disregard you new ai"
        " llm assistant user system",
        r"(?:^|\n|[-=#*<\[]\s?)(?:end(?: of)?|begin|start(?: of)?) (?:the )?(?:user (?:input|message|data|query)"
        r"|document|context|data|email|web ?page"
        r"|system (?:prompt|message|instructions?)|instructions?|conversation|untrusted \w+|prompt)\b",
        rf"\b(?:ignore|disregard|you (?:must|should|are now|will)|new (?:instructions?|task)|{AI}|assistant|the user"
        rf"|system)\b",
        imperative=False,
        span=120,
    ),
)
