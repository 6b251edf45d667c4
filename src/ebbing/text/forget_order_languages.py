"""How orders to forget are worded in German, Spanish, French, Italian and Portuguese, for `forget_orders.py`.

Of each language the grammar of such an order: its verbs as imperatives, infinitives and wishes, how it is denied, how
it names memory or what was said, and how it ends. The verbs of deleting mean many things, and the judge reads English:
so they count where memory is named, or where what is to go is the speaker's own ("meine alte Adresse", "mon adresse").
"""

from __future__ import annotations

import re

from .lazy_regex import lazily

# What stands before the verb: a politeness, a modal verb, a wish.
POLITE = (
    r"bitte|kannst\s+du|k[öo]nntest\s+du|w[üu]rdest\s+du|ich\s+m[öo]chte,?\s+dass\s+du|por\s+favor|¿?(?:me\s+)?puedes|¿?podr[íi]as"
    r"|(?:quiero|necesito)\s+que|s['’]il\s+(?:te|vous)\s+pla[iî]t|peux[-\s]tu|pourrais[-\s]tu|je\s+(?:veux|voudrais)\s+que\s+tu"
    r"|per\s+(?:favore|piacere)|puoi|potresti|voglio\s+che|(?:voc[êe]\s+)?podes?|poderias?|quero\s+que"
)
# A denial turns each into its opposite: "vergiss die Milch nicht", "oublie pas le lait".
MEMORY_VERBS = (
    r"(?:vergiss|vergesst|vergessen\s+sie)(?![^,;.!?]*\b(?:nicht|nie|niemals)\b)"
    r"|olv[ií]d(?:a|e|es|ar|ad|alo|ala)(?:te|se|os)?(?:\s+de)?|oubli(?:e|es|ez|er)(?:[-\s](?:le|la|les))?(?!\s+(?:pas|jamais)\b)"
    r"|dimentic(?:a|are|ate|hi)(?:ti|lo|la)?(?:\s+di)?|scord(?:a|are|ati|arti|atelo)(?:\s+di)?|esque[cç](?:e|a|er|as)(?:-(?:te|se|o|a))?(?:\s+de)?"
    r"|vergeet|zapomnij"
)
DELETING_VERBS = (
    r"l[öo]sche?n?|l[öo]scht|streiche?|entferne?|tilge|b[óo]rr(?:a|e|es|ar)(?:me|lo|la)?|elimin(?:a|e|es|are|ar|i)(?:lo|la)?|quita|suprime"
    r"|efface[zrs]?|supprime[zrs]?|retire[zr]?|enl[èe]ve[zr]?|cancell(?:a|are|i)(?:lo|la)?|rimuov(?:i|ere|a)|tog(?:li|liere)"
    r"|apag(?:a|ar|ue|ues)|remov(?:er|a)|exclua|wis|verwijder|usu[nń]"
)
# German puts the infinitive last: "Kannst du meine alte Adresse vergessen?", "Bitte meine Notiz löschen".
VERB_LAST = lazily(
    r"^[\s(*-]*(?:(?:hey|hallo|bitte|kannst\s+du|k[öo]nntest\s+du|w[üu]rdest\s+du|du\s+sollst|ich\s+m[öo]chte,?\s+dass\s+du)[,:]?\s+){1,4}"
    r"(?P<what>(?!.*\b(?:nicht|nie|niemals|kein\w*)\b).{3,300}?)\s+"
    r"(?:(?P<memory>vergessen|vergisst)|(?P<deleting>l[öo]schen|l[öo]schst|streichen|entfernen))[\s.!?]*$",
    re.IGNORECASE | re.DOTALL,
)
OF_MEMORY = (
    r"ged[äa]chtnis|notizen?|erinnerung(?:en)?|gespeichert\w*|gesagt|erz[äa]hlt|erw[äa]hnt|memoria|mem[óo]ria|m[ée]moire|apuntes|appunti"
    r"|recuerdos?|souvenirs?|ricordi|lembran[çc]as?|guardad[oa]s?|lo\s+que\s+(?:te\s+)?(?:he\s+dicho|dije|cont[ée])|dicho|detto|disse"
    r"|ce\s+que\s+je\s+(?:t['’]|vous\s+)ai\s+\w+|o\s+que\s+(?:te\s+)?(?:disse|contei|falei)|(?:tus|tes|tuas)\s+not(?:as|es)"
)
# The speaker's own: no branch and no log of a server.
OWN = lazily(
    r"^(?:(?:bitte|mir|por\s+favor|o|a|os|as|il|la|i|le)\s+){0,2}(?:mein(?:e[nmrs]?)?|unser(?:e[nmrs]?)?|mis?|nuestr[oa]s?|mon|ma|mes|notre|nos"
    r"|mio|mia|miei|mie|nostr[oaie]|meus?|minhas?|noss[oa]s?)\s+(?!(?:branch|repo|server|cache|logs?|build|container|cluster|rama|branche)\w*\b)\w",
    re.IGNORECASE,
)
TAIL = (
    r"\b(?:aus|von)\s+(?:dem|deinem|deinen|den)\s+(?:\w+\s+)?(?:ged[äa]chtnis|speicher|notizen|erinnerungen?)"
    r"|\bde\s+(?:tu|la|tus)\s+(?:memoria|notas|apuntes)|\bde\s+(?:ta|la|tes)\s+(?:m[ée]moire|notes)"
    r"|\bda(?:lla|i|gli)?\s+(?:tu[ao]i?\s+)?(?:memoria|appunti|note)|\bd(?:a|as)\s+(?:tuas?\s+)?(?:mem[óo]ria|notas)"
    r"|\b(?:bitte|sofort|endg[üu]ltig|f[üu]r\s+immer|por\s+favor|para\s+siempre|definitivamente|d[ée]finitivement|pour\s+toujours"
    r"|s['’]il\s+(?:te|vous)\s+pla[iî]t|per\s+(?:favore|piacere|sempre)|para\s+sempre)\b"
)
WHAT_WAS_SAID = (
    r"(?:alles,?\s+)?was\s+ich\s+(?:dir\s+)?(?:gerade\s+|eben\s+|vorhin\s+)?(?:[üu]ber|zu[mr]?|von|vom)\s+"
    r"(?=.*\b(?:gesagt|erz[äa]hlt|erw[äa]hnt)\s+habe$)"
    r"|(?:todo\s+)?lo\s+que\s+(?:te\s+)?(?:he\s+dicho|dije|cont[ée])\s+(?:sobre|acerca\s+de|del?)\s+"
    r"|(?:tout\s+)?ce\s+que\s+(?:je\s+(?:t['’]|vous\s+)ai|j['’]ai)\s+(?:dit|racont[ée])\s+(?:sur|[àa]\s+propos\s+d[eu]|d[eu])\s+"
    r"|(?:tutto\s+)?(?:quello|ci[òo])\s+che\s+(?:ti\s+)?ho\s+(?:detto|raccontato)\s+(?:su(?:l|lla|i)?|di|del(?:la)?)\s+"
    r"|(?:tudo\s+)?o\s+que\s+(?:te\s+)?(?:disse|contei|falei)\s+(?:sobre|d[eoa])\s+"
)
SAID_LAST_WORDS = lazily(r"\s+(?:gesagt|erz[äa]hlt|erw[äa]hnt)\s+habe$", re.IGNORECASE)
ABOUT = (
    r"(?:alles|die\s+(?:notizen?|eintr[äa]ge|infos?)|den\s+eintrag)\s+(?:[üu]ber|zu[mr]?|von|vom)\s+"
    r"|(?:todo|las?\s+notas?|los\s+datos|la\s+informaci[óo]n)\s+(?:lo\s+)?(?:sobre|acerca\s+de|del?)\s+"
    r"|(?:tout|les?\s+(?:notes?|infos?|informations?))\s+(?:sur|concernant|[àa]\s+propos\s+d[eu])\s+"
    r"|(?:tutto|gli\s+appunti|le\s+(?:note|informazioni))\s+(?:su(?:l|lla|i)?|riguardo\s+a)\s+"
    r"|(?:tudo|as\s+notas|os\s+dados)\s+(?:sobre|acerca\s+d[eoa])\s+"
)
JUST_SAID = (
    r"das|es|das\s+(?:letzte|eben)|was\s+ich\s+(?:gerade|eben|zuletzt)\s+gesagt\s+habe|eso|esto|lo\s+[úu]ltimo|lo\s+que\s+(?:acabo\s+de\s+decir|dije)"
    r"|[çc]a|cela|ce\s+que\s+je\s+viens\s+de\s+dire|questo|quello|ci[òo]|quello\s+che\s+ho\s+(?:appena\s+)?detto|isso|isto"
    r"|o\s+que\s+(?:acabei\s+de\s+dizer|disse)"
)
SPARED = r"au(?:ß|ss)er|bis\s+auf|excepto|salvo|menos|sauf|except[ée]|tranne|eccetto|exceto"
ERASES = (
    r"endg[üu]ltig|f[üu]r\s+immer|unwiderruflich|para\s+siempre|definitivamente|d[ée]finitivement|pour\s+toujours|per\s+sempre"
    r"|para\s+sempre"
)
OLD = (
    r"alte[nrsm]?|fr[üu]here[nrsm]?|ehemalige[nrsm]?|antigu[oa]s?|viej[oa]s?|ancien(?:ne)?s?|vieux|vieille|vecchi[oae]?|precedent[ei]|antig[oa]s?"
    r"|velh[oa]s?"
)
