"""Ends of validity in German, Spanish, French, Italian and Portuguese, put into the English words for them.

Each cue (until a day, ends on a day, today only, for the next two weeks, for three weeks) is found by the grammar that
these languages share: a word for the cue, an article or preposition, a day or a span. What `validity.py` knows of
English ends then holds for all of them. What comes back every week and what is told of the past gives nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from ..lazy_regex import lazily
from .calendar import MONTHS, WEEKDAYS


def _known(rows: str, names: tuple[str, ...] | list[str]) -> dict[str, str]:
    """The English name of each word, a row of words for each name."""
    pairs = zip(rows.strip().splitlines(), names, strict=True)
    return {word: name for row, name in pairs for word in row.split()}


_MONTH = _known(
    """
    januar jänner enero janvier gennaio janeiro
    februar feber febrero février fevrier febbraio fevereiro
    märz maerz marzo mars março marco
    april abril avril aprile
    mai mayo maggio maio
    juni junio juin giugno junho
    juli julio juillet luglio julho
    august agosto août aout
    september septiembre septembre settembre setembro
    oktober octubre octobre ottobre outubro
    november noviembre novembre novembro
    dezember diciembre décembre decembre dicembre dezembro
    """,
    list(MONTHS),
)
_WEEKDAY = _known(
    """
    montag lunes lundi lunedì lunedi segunda segunda-feira
    dienstag martes mardi martedì martedi terça terça-feira
    mittwoch miércoles miercoles mercredi mercoledì mercoledi quarta quarta-feira
    donnerstag jueves jeudi giovedì giovedi quinta quinta-feira
    freitag viernes vendredi venerdì venerdi sexta sexta-feira
    samstag sonnabend sábado sabado samedi sabato
    sonntag domingo dimanche domenica
    """,
    list(WEEKDAYS),
)
_UNIT = _known(
    """
    tag tage tagen día días dia dias jour jours giorno giorni
    woche wochen semana semanas semaine semaines settimana settimane
    monat monate monaten monats mes meses mois mese mesi mês
    jahr jahre jahren jahres año años an ans année années anno anni ano anos
    """,
    ["day", "week", "month", "year"],
)
_COUNT = _known(
    """
    ein eine einen einem einer un una une um uma uno
    zwei dos deux due dois duas
    drei tres trois tre três
    vier cuatro quatre quattro quatro
    fünf fuenf cinco cinq cinque
    sechs seis six sei
    sieben siete sept sette sete
    acht ocho huit otto oito
    neun nueve neuf nove
    zehn diez dix dieci dez
    """,
    [str(number) for number in range(1, 11)],
)


def _one_of(*words: dict[str, str]) -> str:
    return "|".join(sorted((re.escape(word) for several in words for word in several), key=len, reverse=True))


_NUMBER = rf"(?P<count>\d{{1,3}}|{_one_of(_COUNT)})\s+(?:weitere[nr]?\s+|más\s+)?(?P<unit>{_one_of(_UNIT)})\b"
_OF = r"(?:de\s+|di\s+|do\s+|des\s+|du\s+|del\s+)?"
_DAY = (
    r"(?:(?:den|dem|der|dieser?|nächste[nr]?|kommende[nr]?|el|este|esta|le|ce|il|la|lo|ao?|o|à|próxim[oa]|día|dia)\s+){0,3}(?:"
    r"(?P<iso>20\d\d-\d\d-\d\d)"
    r"|(?P<d>\d{1,2})[./](?P<m>\d{1,2})(?:[./](?P<y>20\d\d)?)?"
    rf"|(?P<day>\d{{1,2}})(?:\.|er|º|°)?\s+{_OF}(?P<month>{_one_of(_MONTH)})(?:\s+{_OF}(?P<year>20\d\d))?\b"
    rf"|(?P<closing>ende|finales?|fins?|fine|fim)\s+{_OF}(?:la\s+|este\s+|dieser\s+|diese[sn]?\s+)?"
    rf"(?P<whole>{_one_of(_MONTH)}|woche|monats?|jahres|semana|mes|año|semaine|mois|année|settimana|mese|anno|mês|ano)\b(?:\s+{_OF}(?P<whole_year>20\d\d))?"
    rf"|(?P<name>{_one_of(_MONTH)})(?:\s+{_OF}(?P<name_year>20\d\d))?\b"
    rf"|(?P<weekday>{_one_of(_WEEKDAY)})\b"
    r"|(?P<next>morgen|mañana|demain|domani|amanhã)\b"
    r"|(?P<weekend>wochenende|week-?end|fine\s+settimana)\b)"
)
_UNTIL = (
    r"bis(?:\s+zu[mr]?|\s+einschließlich)?|hasta|jusqu['’](?:au|en|[àa])|fino\s+(?:a(?:l|lla)?|all['’])|até"
    r"|(?:endet|enden|termina|acaba|finisce|scade|expira|vence|caduca|finit|expire|se\s+termine)(?:\s+(?:am|im|en|em|na|no))?"
)
_END = lazily(rf"(?<![\w-])(?:{_UNTIL})\s*(?<=[\s'’àau]){_DAY}", re.IGNORECASE)
_RUNS_OUT = lazily(rf"\bl[äa]uft\s+(?:am\s+|im\s+)?{_DAY}\s+(?:ab|aus)\b", re.IGNORECASE)
_NTH = lazily(
    rf"\b(?:bis\s+zum\s+(?P<a>\d{{1,2}})\.(?!\s*(?:\d|{_one_of(_MONTH)}))"
    r"|(?:hasta\s+el(?:\s+día)?|jusqu['’]au|fino\s+al|até(?:\s+ao)?\s+dia)\s+(?P<b>\d{1,2})(?=\s*(?:$|[.,;!?)])))",
    re.IGNORECASE,
)
_TODAY = lazily(
    r"\b(?:nur\s+(?:für\s+)?heute|heute\s+nur|(?:s[óo]lo|solamente)\s+(?:por\s+|per\s+)?(?:hoy|oggi)|hoy\s+solamente"
    r"|(?:seulement|juste|uniquement)\s+(?:pour\s+)?aujourd['’]hui|aujourd['’]hui\s+seulement|(?:só|apenas|somente)\s+(?:por\s+)?hoje)\b",
    re.IGNORECASE,
)
_THIS_WEEK = lazily(
    r"\b(?:nur\s+diese\s+woche|(?:s[óo]lo|só|apenas|somente)\s+(?:por\s+)?esta\s+semana|seulement\s+cette\s+semaine|solo\s+questa\s+settimana)\b",
    re.IGNORECASE,
)
_NEXT = lazily(
    r"\b(?:(?:die|den|das|der)\s+(?:nächsten|kommenden)\s+|noch\s+|(?:las|los|le|i|gli|as|os|nas|nos|nei|nelle)\s+(?:próxim[oa]s|prossim[ie])\s+"
    r"|les\s+(?=\S+\s+prochaine?s))" + _NUMBER.replace(r"\s+(?:weitere", r"\s+(?:prochaine?s\s+|weitere"),
    re.IGNORECASE,
)
_FOR = lazily(
    rf"\b(?:für|durante|por|pendant|pour|per)\s+{_NUMBER}|\b{_NUMBER.replace('<', '<l')}\s+lang\b", re.IGNORECASE
)
_STANDS_NOW = lazily(
    r"\b(?:bin|ist|sind|bleib\w*|wohnt|nehme|habe|estoy|está|están|estamos|tomo|suis|est|sommes|sont|prends|reste\w*|sono|è|siamo|sto|resto"
    r"|prendo|estou|estão|fico)\b",
    re.IGNORECASE,
)
_COMES_BACK = lazily(
    r"\b(?:jede[nrsm]?|immer|täglich|wöchentlich|werktags|\w+tags|öffnungszeiten|geöffnet|cada|tod[oa]s\s+(?:l[oa]s|[oa]s)|siempre|horario|abiert[oa]"
    r"|chaque|tous\s+les|toutes\s+les|toujours|horaires|ouverte?|ogni|sempre|orario|apert[oa]|abert[oa])\b",
    re.IGNORECASE,
)
_WAS = lazily(
    r"\b(?:war|waren|hatte|hatten|wurde|gewesen|wohnte|arbeitete|estuv\w+|fui|fue|era|eran|había|tuv\w+|viví[a]?|trabajé|étais|était|avais|avait"
    r"|habitais|\w{3,}av[oa]|j['’]ai|(?:habe|hat|haben)\b[^,;]*\bge\w+[tn]|ho\s+\w+[ts]o|ero|avevo|aveva|abitavo|stat[oa]|estive|estava|foi|tinha|morei|trabalhei)\b",
    re.IGNORECASE,
)
_WEEKDAY_BEFORE = lazily(rf"(?:{_one_of(_WEEKDAY)})\s*$", re.IGNORECASE)


def english_ends(sentence: str) -> Iterator[str]:
    """What a sentence says of its end in one of these languages, in English."""
    if _COMES_BACK.search(sentence) or _WAS.search(sentence):
        return
    for pattern in (_END, _RUNS_OUT):
        for match in pattern.finditer(sentence):
            day = _day(match)
            # "Hasta mañana!" is a greeting.
            is_all = not (sentence[: match.start()] + sentence[match.end() :]).strip(" .!")
            if day is not None and not is_all and not _WEEKDAY_BEFORE.search(sentence[: match.start()]):
                yield f"It is so until {day}"
    for match in _NTH.finditer(sentence):
        yield f"It is so until the {match['a'] or match['b']}th"
    if _TODAY.search(sentence):
        yield "It is so today only"
    if _THIS_WEEK.search(sentence):
        yield "It is so only this week"
    for match in _NEXT.finditer(sentence):
        yield f"It is so for the next {_span(match['count'], match['unit'])}"
    if _STANDS_NOW.search(sentence):
        for match in _FOR.finditer(sentence):
            yield f"I am away for {_span(match['count'] or match['lcount'], match['unit'] or match['lunit'])}"


def _span(number: str, unit: str) -> str:
    return f"{_COUNT.get(number.lower(), number)} {_UNIT[unit.lower()]}s"


def _day(match: re.Match[str]) -> str | None:
    """The English words for a day."""
    said = {name: word.lower() for name, word in match.groupdict().items() if word}
    if "iso" in said:
        return said["iso"]
    if "d" in said:
        if not 1 <= int(said["m"]) <= 12:
            return None
        month, year = MONTHS[int(said["m"]) - 1], said.get("y")
        return f"{month} {said['d']}" + (f", {year}" if year else "")
    if "day" in said:
        return f"{_MONTH[said['month']]} {said['day']}" + (f", {said['year']}" if "year" in said else "")
    if "whole" in said:
        year = f" {said['whole_year']}" if "whole_year" in said else ""
        named = _MONTH.get(said["whole"])
        return f"the end of {named}{year}" if named else f"the end of the {_UNIT[said['whole']]}"
    if "name" in said:
        return _MONTH[said["name"]] + (f" {said['name_year']}" if "name_year" in said else "")
    if "weekday" in said:
        return _WEEKDAY[said["weekday"]]
    return "tomorrow" if "next" in said else "the weekend"
