"""The order to set instructions aside, and the one to keep quiet before the user, in other languages than English."""

from __future__ import annotations

from typing import Final

from .injection_grammar import order

_ASIDE = "tells a model to set its instructions aside"
_QUIET = "tells a model to keep something from the user"

ABROAD: Final = (
    order(  # German
        _ASIDE,
        "anweisung instruktion befehl vorgabe richtlinie prompt weisung system",
        r"\b(?:ignorier(?:e|en sie|t)?|missachte(?:n sie)?|vergiss|vergesst|vergessen sie|überschreibe?|übergehe?"
        r"|verwirf|(?:befolge|beachte)(?:n sie)?"
        r"(?: nicht)?)(?: (?:bitte|nun|jetzt|alle[ns]?|sämtliche[n]?|jegliche[n]?|die|deine[n]?|ihre[n]?|diese"
        r"|von)){0,4} (?:(?:vorherige[nr]?|bisherige[nr]?"
        r"|vorige[nr]?|frühere[nr]?|obige[nr]?|vorangegangene[nr]?|vorhergehende[nr]?|bestehende[nr]?"
        r"|ursprüngliche[nr]?|gegebene[n]?) )?(?:\w+ )?"
        r"(?:system)?(?:anweisung\w*|instruktion\w*|befehle?n?|vorgaben?|richtlinien?|prompts?|weisungen)\b",
        unless=r" (?:zu[rm]?|über|für|auf|von|aus|bezüglich|in)\b",
    ),
    order(  # French
        _ASIDE,
        "instruction consigne directive ordre prompt précédente anciennes",
        r"\b(?:ignore[zr]?|oublie[zr]?|ne (?:tiens|tenez) (?:pas |plus )?compte|néglige[zr]?|contourne[zr]?|(?:fais"
        r"|faites) abstraction)(?: de| des)?"
        r"(?: (?:toutes?|tous|les|tes|vos|ces|l'ensemble|de)){0,4} (?:(?:instructions?|consignes?|directives?|ordres?"
        r"|prompts?)"
        r" (?:précédente?s?|antérieure?s?|ci-dessus|d'avant|préalables?|initiale?s?|système|données|reçues)"
        r"|(?:précédentes|anciennes) (?:instructions|consignes|directives)"
        r"|(?<=tes\s)(?:instructions|consignes)|(?<=vos\s)(?:instructions|consignes))\b",
    ),
    order(  # Spanish
        _ASIDE,
        "instrucci órden orden directri indicaci prompt reglas",
        r"\b(?:ignora|ignore|ignorad|ignoren|olvida|olvide|olvidad|descarta|omite|desestima|(?:haz|haga) caso omiso"
        r" (?:de|a)|no sigas|no hagas caso (?:a|de)|anula)"
        r"(?: (?:por favor|todas?|todos|las|los|tus|sus|de|cualquier)){0,4} (?:(?:instrucciones|órdenes|ordenes"
        r"|directrices|indicaciones|prompts?|reglas)"
        r" (?:anteriores|previas|previos|de arriba|precedentes|iniciales|del sistema|dadas|que)|(?:anteriores"
        r"|previas) (?:instrucciones|órdenes|indicaciones)"
        r"|(?<=tus\s)(?:instrucciones|directrices))\b",
    ),
    order(  # Italian
        _ASIDE,
        "istruzioni indicazioni regole direttive ordini prompt comandi",
        r"\b(?:ignora|ignorate|ignori|dimentica|dimenticate|trascura|non seguire|tralascia|scarta|disattendi)(?:"
        r" (?:tutte|tutti|le|i|gli|tue|tuoi|di|pure)){0,4}"
        r" (?:(?:istruzioni|indicazioni|regole|direttive|ordini|prompt|comandi) (?:precedenti|sopra|di sopra"
        r"|anteriori|di sistema|iniziali|ricevute|date|fornite)"
        r"|precedenti (?:istruzioni|indicazioni|direttive|ordini)|(?<=tue\s)(?:istruzioni|direttive))\b",
    ),
    order(  # Portuguese
        _ASIDE,
        "instruções instrucoes ordens regras diretrizes orientações comandos prompt",
        r"\b(?:ignore|ignora|ignorem|esqueça|esqueca|esquece|desconsidere|desconsidera|despreze|não siga|descarte"
        r"|anule)(?: (?:todas?|todos|as|os|suas|tuas|de|das)){0,4}"
        r" (?:(?:instruções|instrucoes|ordens|regras|diretrizes|orientações|comandos|prompts?) (?:anteriores|prévias"
        r"|previas|acima|precedentes|do sistema|iniciais|dadas)"
        r"|anteriores (?:instruções|ordens)|(?<=suas\s)(?:instruções|diretrizes)|(?<=tuas\s)(?:instruções"
        r"|diretrizes))\b",
    ),
    order(  # Dutch
        _ASIDE,
        "negeer vergeet",
        r"\b(?:negeer|vergeet)(?: (?:alle|je|uw|de|alsjeblieft|al)){0,3} (?:(?:vorige|eerdere|voorgaande|bovenstaande"
        r"|bestaande) )(?:instructies|opdrachten|regels|aanwijzingen|prompts?)\b",
    ),
    order(  # Swedish, Danish, Norwegian
        _ASIDE,
        "instruktion instruksjon instruks anvisning",
        r"\b(?:ignorera|glöm|bortse från|ignorer|glem|se bort fra)(?: (?:alla|alle|dina|dine|de)){0,2} (?:tidigare"
        r"|föregående|ovanstående|tidligere|foregående|forrige|ovenstående)"
        r" (?:instruktion\w*|instruks\w*|anvisning\w*)\b",
    ),
    order(  # Indonesian, Malay
        _ASIDE,
        "instruksi perintah arahan",
        r"\b(?:abaikan|lupakan)(?: (?:semua|seluruh))? (?:instruksi|perintah|arahan)(?: \w+)?? (?:sebelumnya|di atas"
        r"|terdahulu)\b",
    ),
    order(  # Vietnamese
        _ASIDE,
        "hướng chỉ lệnh",
        r"\b(?:bỏ qua|phớt lờ|quên)(?: \w+){0,4}? (?:hướng dẫn|chỉ dẫn|lệnh|chỉ thị)(?: \w+)?? (?:trước|ở trên|bên"
        r" trên)\b",
        imperative=False,
    ),
    order(  # Czech, Romanian, Finnish, Hungarian, Greek
        _ASIDE,
        "pokyny instrukce příkazy instrucțiunile ohjeet utasítás οδηγίες εντολές",
        r"\b(?:(?:ignoruj|zapomeň na)(?:te)? (?:všechny )?předchozí (?:pokyny|instrukce|příkazy)|(?:ignoră|uită)"
        r" (?:toate )?instrucțiunile (?:anterioare|precedente)"
        r"|(?:unohda|ohita) (?:kaikki )?(?:aiemmat|edelliset) ohjeet|hagyd figyelmen kívül(?: \w+){0,2}? (?:korábbi"
        r"|előző) utasítás\w*"
        r"|(?:αγνόησε|ξέχασε) (?:όλες )?τις προηγούμενες (?:οδηγίες|εντολές))\b",
    ),
    order(  # Polish
        _ASIDE,
        "zignoruj ignoruj zapomnij pomiń",
        r"\b(?:zignoruj|ignoruj|zapomnij o|pomiń)(?: (?:wszystkie|wszystkich))? (?:poprzednie|wcześniejsze|powyższe"
        r"|dotychczasowe|poprzednich|wcześniejszych) (?:instrukcj\w+|poleceni\w+|zasady|wytyczne)\b",
    ),
    order(  # Russian and Ukrainian
        _ASIDE,
        "игнорируй проигнорируй забудь следуй отбрось пренебреги отмени внимания ігноруй проігноруй",
        r"\b(?:про)?(?:игнорируй|забудь|не следуй|отбрось|пренебреги|отмени|не обращай|ігноруй)(?:те)?(?: (?:внимания"
        r" на|про|о|обо|все|всё|всех|эти|свои|твои|ваши|любые|всі|усі|пожалуйста)){0,4}"
        r" (?:(?:предыдущ\w+|прошл\w+|прежн\w+|вышеуказанн\w+|ранее данн\w+|предшествующ\w+|системн\w+|исходн\w+"
        r"|попередн\w+) (?:\w+ )?|(?<=твои\s)|(?<=свои\s)|(?<=все\s))"
        r"(?:инструкци\w+|указани\w+|команд\w*|директив\w+|промпт\w*|распоряжени\w+|інструкці\w+|вказівк\w+"
        r"|правил\w*)\b",
    ),
    order(  # Turkish
        _ASIDE,
        "talimat komut yönerge",
        r"\b(?:önceki|yukarıdaki|bütün|tüm)(?: (?:tüm|bütün|önceki))? (?:talimatları|komutları|kuralları"
        r"|yönergeleri)(?:nı)? (?:yok say|unut|görmezden gel|dikkate alma|göz ardı et)",
        imperative=False,
    ),
    order(  # Chinese
        _ASIDE,
        "忽略 无视 無視 忘记 忘記 忘掉 不要理会 抛弃 不要遵",
        r"(?:忽略|无视|無視|忘记|忘記|忘掉|不要理会|不用理会|抛弃|不要遵守|不要遵循)\s?(?:你|您|掉|了|所有|全部|一切|任何|之前|以前|以上|上面|先前|前面|此前|上述|的|收到|给|過|过|系统"
        r"|系統|原有|当前|先前|\s){1,8}"
        r"(?:指令|指示|说明|說明|命令|提示词|提示|规则|規則|设定|設定|约束|限制)",
        imperative=False,
    ),
    order(  # Japanese
        _ASIDE,
        "指示 命令 指令 プロンプト ルール 規則 設定 制約",
        r"(?:これまで|以前|以上|上記|前|先|過去|今まで|すべて|全て|全部|システム|元|既存)(?:の|に|で|までの|与えられた|すべての|全ての|受けた|ほど){0,4}(?:指示|命令|指令|プロンプト"
        r"|ルール|規則|設定|制約)"
        r"(?:を|は|に|事項){1,3}(?:すべて|全て|全部|完全に|一切)?(?:無視し?(?:て|ろ|なさい|せよ)|無視せよ|忘れ(?:て|ろ|なさい)|破棄し(?:て|ろ)|従(?:わないで|うな|わず))",
        imperative=False,
    ),
    order(  # Korean
        _ASIDE,
        "지시 명령 지침 프롬프트 규칙",
        r"(?:이전|위|앞선|앞|모든|기존|지금까지)(?:의|에)?\s?(?:모든\s?)?(?:지시|명령|지침|프롬프트|규칙)(?:\s?사항)?(?:을|를|은|는|들을)?\s?(?:모두|전부"
        r"|다)?\s?(?:무시하|무시해|잊어|잊고|따르지)",
        imperative=False,
    ),
    order(  # Arabic
        _ASIDE,
        "تجاهل انس",
        r"(?:تجاهل|انس|انسَ|لا تتبع)(?:ي|وا)?\s(?:جميع |كل |كافة )?(?:التعليمات|الأوامر|التوجيهات"
        r"|القواعد)\s(?:السابقة|أعلاه|السابقه)",
        imperative=False,
    ),
    order(  # Hindi
        _ASIDE,
        "निर्देश आदेश नियम",
        r"(?:पिछले|पिछली|पूर्व|ऊपर के|उपरोक्त)\s(?:सभी\s)?(?:निर्देश\S*|आदेश\S*|नियम\S*)\s(?:को|की|का)?\s?(?:अनदेखा"
        r"|भूल|नज़रअंदाज़|नजरअंदाज|उपेक्षा|इग्नोर)",
        imperative=False,
    ),
    order(  # Do not tell the user
        _QUIET,
        "nutzer utilisateur usuario usuário utilizador utente gebruiker пользовател 用户 用戶 ユーザー 사용자",
        r"\b(?:(?:sag|sage|erzähl|erzähle|verrate|erwähne|sagen sie|verraten sie)(?: (?:es|das|dies|davon|hiervon|dem"
        r"|den|gegenüber|nichts|niemals|nicht)){1,5} (?:be)?nutzern?\b"
        r"|ne (?:le |la |en )?(?:dis|dites|mentionne|mentionnez|révèle|révélez|parle|parlez)(?: \w+){0,4}? (?:à|aux)"
        r" (?:l'|tes |vos )?utilisateurs?\b"
        r"|no (?:se )?(?:lo |le |la )?(?:digas|diga|menciones|mencione|cuentes|reveles|revele)(?: \w+){0,4}? al?"
        r" (?:los )?usuarios?\b|non (?:dire|rivelare|menzionare|dirlo)(?: \w+){0,4}?"
        r" (?:all'|agli )utent[ei]\b|não (?:diga|conte|mencione|revele)(?: \w+){0,4}? (?:ao|aos) (?:usuário"
        r"|utilizador)|не (?:говори|сообщай|рассказывай|упоминай)(?:те)?(?: \w+){0,4}? пользовател)"
        r"|(?:不要|别|不得|切勿|请勿)(?:把.{0,10})?(?:告诉|告訴|透露给|向)(?:用户|用戶)|ユーザーに(?:は)?.{0,8}?(?:言わない|伝えない|知らせない|教えない|明かさない)"
        r"|사용자에게.{0,10}?(?:말하지|알리지)",
        imperative=False,
    ),
)
