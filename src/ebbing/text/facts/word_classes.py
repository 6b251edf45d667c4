"""What an English word may be, seen by itself: the closed classes in full, the commonest verbs, and endings.

No dictionary: what is not here is a noun, unless its ending says otherwise. Which of the things a word may be it is
in a sentence, is decided where it stands (tagger.py).
"""

from __future__ import annotations

import functools
from typing import Final


class May:
    """What a word may be: bits of a plain number, for every word of every text is asked."""

    NOUN: Final = 1
    BASE: Final = 2  # go, and I go
    SINGULAR: Final = 4  # goes
    PAST: Final = 8  # went
    PARTICIPLE: Final = 16  # gone
    ING: Final = 32  # going
    ADJECTIVE: Final = 64
    ADVERB: Final = 128


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


BE = _words("is are was were am 's 're 'm")
HAVE = _words("has have had 've")
DO = _words("do does did")
MODALS = _words("will would can could may might must shall should 'll 'd ca wo sha cannot")
AUXILIARIES = BE | HAVE | DO | MODALS
SUBJECTS = _words(
    """i you he she it we they there everyone everybody someone somebody anyone anybody nobody everything something
    nothing anything none"""
)
OBJECTS = _words("me him us them myself yourself himself herself itself ourselves themselves whom")
POSSESSIVES = _words("my your his her its our their whose")
ARTICLES = _words("a an the")
QUANTIFIERS = _words(
    """every each some any no all both another many several few most much more fewer less enough various numerous
    certain either neither half"""
)
DEMONSTRATIVES = _words("this that these those")
DETERMINERS = ARTICLES | POSSESSIVES | QUANTIFIERS | DEMONSTRATIVES
PREPOSITIONS = _words(
    """of in on at by for with from into onto about against between among amongst through throughout during without
    within across along around behind beside besides near off over under above below beyond despite toward towards
    upon via per except including excluding concerning regarding following inside outside past than versus vs like
    unlike as amid according owing due up down out instead thanks plus"""
)
COORDINATORS = _words("and or but nor yet so &")
SUBORDINATORS = _words(
    """if unless because since although though while whereas when whenever until till once after before whether where
    wherever lest provided assuming why how"""
)
RELATIVES = _words("which who whom whose that where")
CONDITIONS = _words(
    """if unless until till whether when whenever once provided assuming otherwise except excluding only lest without"""
)
NEGATIONS = _words(
    "not n't never no none nobody nothing nowhere neither nor without hardly barely scarcely rarely seldom cannot few"
)
HEDGES = _words(
    """maybe perhaps probably possibly presumably apparently allegedly reportedly supposedly likely hopefully usually
    often sometimes occasionally mostly mainly partly nearly almost initially originally formerly previously
    temporarily currently generally typically once always still only just rarely"""
)
# What a clause may be the object of: what follows is said or thought by somebody, not by the text.
REPORTING = _words(
    """say tell think believe know hope guess feel find mean suggest show report claim argue note flag warn mention
    state announce confirm explain decide agree promise learn hear see read realize realise assume expect fear insist
    indicate propose recommend require demand ask wonder suppose imagine doubt deny admit remember forget notice
    discover conclude estimate predict worry complain reply answer stress emphasize prove reveal demonstrate ensure
    understand wish consider bet suspect add request prefer allege assert acknowledge observe"""
)
INTRANSITIVE = _words(
    """serve move live die work go come become arrive depart return retire stay remain appear belong happen occur exist
    fall rise sleep walk travel graduate emigrate immigrate migrate compete participate star act sit stand lie reside
    focus specialize specialise consist rank perform collaborate lead win lose begin end continue grow rely
    depend last sell settle debut disappear succeed study play"""
)
EXAMINING = _words(
    """reviewing considering evaluating assessing comparing analyzing analysing examining discussing weighing
    investigating researching studying looking debating deliberating thinking reading talking consulting hearing
    checking reflecting exploring surveying reviewed considered evaluated assessed compared analyzed analysed examined
    discussed weighed investigated researched studied looked debated"""
)

# base / past / participle, where not made with -ed; one form after the slash serves for both.
_IRREGULAR = """become/became/become begin/began/begun bend/bent bet/bet bite/bit/bitten blow/blew/blown
break/broke/broken bring/brought build/built burn/burnt buy/bought catch/caught choose/chose/chosen
come/came/come cost/cost cut/cut deal/dealt dig/dug draw/drew/drawn dream/dreamt drink/drank/drunk
drive/drove/driven eat/ate/eaten fall/fell/fallen feed/fed feel/felt fight/fought find/found
fly/flew/flown forbid/forbade/forbidden forget/forgot/forgotten forgive/forgave/forgiven
freeze/froze/frozen get/got/gotten give/gave/given go/went/gone grow/grew/grown hang/hung hear/heard
hide/hid/hidden hit/hit hold/held hurt/hurt keep/kept know/knew/known lay/laid lead/led learn/learnt
leave/left lend/lent let/let lie/lay/lain light/lit lose/lost make/made mean/meant meet/met pay/paid
put/put quit/quit read/read ride/rode/ridden ring/rang/rung rise/rose/risen run/ran/run say/said
see/saw/seen seek/sought sell/sold send/sent set/set shake/shook/shaken shine/shone shoot/shot
show/showed/shown shut/shut sing/sang/sung sink/sank/sunk sit/sat sleep/slept speak/spoke/spoken
spend/spent split/split spread/spread spring/sprang/sprung stand/stood steal/stole/stolen stick/stuck
strike/struck swear/swore/sworn sweep/swept swim/swam/swum swing/swung take/took/taken teach/taught
tear/tore/torn tell/told think/thought throw/threw/thrown understand/understood wake/woke/woken
wear/wore/worn weave/wove/woven win/won withdraw/withdrew/withdrawn write/wrote/written
overcome/overcame/overcome undergo/underwent/undergone undertake/undertook/undertaken
rewrite/rewrote/rewritten rebuild/rebuilt bear/bore/born bind/bound breed/bred cast/cast cling/clung
creep/crept foresee/foresaw/foreseen rid/rid shrink/shrank/shrunk slide/slid spin/spun upset/upset
outgrow/outgrew/outgrown oversee/oversaw/overseen"""
_REGULAR = """accept access accompany accuse achieve acquire act adapt add address adjust admire admit adopt advance
advise affect afford agree aim allow alter amount announce answer appear apply appoint appreciate
approach approve argue arise arrange arrest arrive ask assert assess assign assist assume attach attack
attempt attend attract avoid award back balance ban base beat believe border belong benefit block boil
boost borrow browse cache calculate call cancel capture care carry cause celebrate challenge change
charge check claim clean clear climb close collaborate collapse collect combine comment commit
communicate compare compete compile complain complete compose comprise compute concern conclude conduct
confirm connect consider consist construct consume contact contain continue contribute control convert
convince cook cool cope copy correct count cover crash create cross cry damage dance debug debut decide
declare decline decrease define delay delete deliver demand demonstrate deny depend deploy derive
describe deserve design desire destroy determine develop die differ direct disable disagree disappear
discover discuss dislike display divide document dominate donate double doubt download drop earn edit
elect emerge emphasize employ enable encourage end endorse enforce engage enjoy ensure enter escape
establish estimate evaluate evolve examine exceed exchange exclude execute exist expand expect experience
explain explore export express extend face fail fear feature fetch fill film finance finish fire fit fix
flag flow focus follow force form found function gain gather generate govern graduate grant gross
guarantee guess guide handle happen hate head help hike hire hope host house identify ignore illustrate
imagine implement imply import improve include incorporate increase indicate influence inform inherit
inspire install intend interact introduce invent invest investigate invite involve issue join judge jump
justify kick kill knock label lack land last laugh launch lean leak lift like limit link list listen live
load locate lock log look love lower maintain manage manufacture map mark marry match matter measure
mention merge migrate miss mix monitor mount move multiply name need negotiate note notice number observe
obtain occupy occur offer open operate oppose order organize organise originate own pack paint
participate partner pass peak perform persuade pick place plan plant play please point possess post power
practice practise predict prefer prepare present preserve press prevent print process produce program
promise promote propose protect prove provide publish pull purchase push qualify raise range rank reach
react realize realise receive recognize recognise recommend record recover recruit reduce refer reflect
refuse regard register regulate reject relate release rely remain remember remind remove rename renew
rent repair repeat replace reply report represent request require research reserve reside resign resist
resolve respond rest restart restore restrict result resume retain retire return reveal review revise
roll rule satisfy save scale schedule score search seem select separate serve settle sew share shift ship
shop sign signal skip slow smell smile smoke solve sound spark specialize specialise specify spell
sponsor stage star start state stay stem step stop store stream stress stretch struggle study submit
subscribe succeed suffer suggest suit supply support suppose surprise surround survive suspect switch
talk target taste tend term terminate test thank threaten tie touch tour trace track trade train transfer
transform translate travel treat trigger trust try turn type underlie unite update upgrade upload urge
use validate value vary verify view visit volunteer vote wait walk want warn wash waste watch weigh
welcome wish wonder work worry wrap yield"""
_NOT_PAST = _words(
    """need seed speed feed bed red shed wed hundred indeed embed exceed proceed succeed sacred naked ted reed breed
    bleed weed kindred united fred greed creed steed sled"""
)
_NOT_ING = _words(
    """thing king ring string spring wing sing bring something anything nothing everything morning evening during sling
    ceiling building meeting wedding sibling being swing sterling beijing pudding housing clothing feeling painting
    funding training marketing engineering spelling beginning rating setting warning"""
)
_ADJECTIVES = _words(
    """good bad big small new old young long short high low great large little own other same different early late first
    last next few main major minor strong weak fast slow quick cheap expensive hot cold warm cool hard soft easy simple
    free full empty open closed public private common rare rich poor safe dangerous clean dirty dark light bright happy
    sad angry tired hungry sick healthy busy ready sure able likely real true false right wrong best better worst worse
    clear red blue green white black yellow brown grey gray pink purple orange whole single double deep wide narrow thin
    thick heavy fine nice kind quiet loud smart calm dry wet fresh raw sweet sour bitter sharp flat round square vast
    huge tiny dead alive famous popular modern ancient stable robust secure flexible mature native dense elegant humble
    friendly lovely lonely lively costly timely daily weekly monthly yearly elderly asleep afraid aware alone similar
    responsible available allergic pregnant vegan vegetarian married retired fluent reliable scalable lazy shy
    brave proud polite rude fair cute funny weird strange odd subtle gentle"""
)
_ADVERBS = _words(
    """also then now here there too very quite rather really just still already yet ever never always often sometimes
    soon later again once twice even almost maybe perhaps however therefore thus hence moreover furthermore instead
    meanwhile otherwise together away back ago today yesterday tomorrow tonight so far well only indeed else forward
    further abroad home everywhere somewhere nowhere anyway not n't about around currently seldom both either
    primarily mostly subsequently nowadays anymore"""
)
_ADJECTIVE_ENDINGS = ("ous", "ful", "able", "ible", "ical", "less", "ish", "esque")
_ADJECTIVE_OR_NOUN_ENDINGS = ("al", "ic", "ant", "ar", "an", "ive", "ary", "ese", "ient", "dent")
_NOT_ADVERBS = _words(
    "family reply supply apply rely italy july assembly anomaly fly ally bully belly jelly early only"
)
_PLURALS = _words("people children men women data police feet teeth mice media criteria phenomena staff")
_NOT_PLURAL_ENDINGS = ("ss", "us", "is", "ous", "'s")
_SINGULAR_IN_S = _words(
    """news physics mathematics economics politics series species lens gas bus kubernetes redis postgres aws ios dns
    https devops always perhaps analytics athletics gymnastics ethics status"""
)
_VOWELS = "aeiou"
_DOUBLING = _words("prefer refer occur commit admit permit transfer submit begin forget regret control cancel travel")
_THIRD_PERSONS = {"be": "is", "am": "is", "are": "is", "have": "has", "do": "does", "go": "goes", "were": "was"}


def third_person(base: str) -> str:
    """like → likes, try → tries, are → is."""
    if base in _THIRD_PERSONS:
        return _THIRD_PERSONS[base]
    if base.endswith(("s", "x", "z", "ch", "sh")):
        return f"{base}es"
    if base.endswith("y") and base[-2:-1] not in _VOWELS:
        return f"{base[:-1]}ies"
    return f"{base}s"


def _ed(base: str) -> str:
    if base.endswith("e"):
        return f"{base}d"
    if base.endswith("y") and base[-2] not in _VOWELS:
        return f"{base[:-1]}ied"
    return f"{_doubled(base)}ed"


def _ing(base: str) -> str:
    if base.endswith("ie"):
        return f"{base[:-2]}ying"
    if base.endswith("e") and not base.endswith(("ee", "oe", "ye")):
        return f"{base[:-1]}ing"
    return f"{_doubled(base)}ing"


def _doubled(base: str) -> str:
    """plan → plann, before an ending: one vowel, and one consonant behind it."""
    is_short = sum(letter in _VOWELS for letter in base) == 1 and len(base) < 6
    ends_so = base[-2] in _VOWELS and base[-1] not in f"{_VOWELS}wxy"
    return base + base[-1] if base in _DOUBLING or (is_short and ends_so) else base


def _forms() -> tuple[dict[str, int], dict[str, str], dict[str, str]]:
    may: dict[str, int] = {}
    base_of: dict[str, str] = {}
    past_of: dict[str, str] = {}

    def note(form: str, what: int, base: str) -> None:
        may[form] = may.get(form, 0) | what
        base_of.setdefault(form, base)

    verbs = {base: (_ed(base), _ed(base)) for base in _REGULAR.split()}
    for entry in _IRREGULAR.split():
        base, past, *participle = entry.split("/")
        verbs[base] = (past, participle[0] if participle else past)
    for base, (simple, perfect) in verbs.items():
        note(base, May.BASE | May.NOUN, base)
        note(third_person(base), May.SINGULAR | May.NOUN, base)
        note(_ing(base), May.ING, base)
        note(simple, May.PAST, base)
        note(perfect, May.PARTICIPLE, base)
        past_of[base] = simple
    return may, base_of, past_of


_VERBS, _BASES, _PASTS = _forms()
_NEVER_NOUNS = _words(
    """go goes went come comes came become becomes became bring brings brought choose chooses chose give gives gave
    grow grows grew keep keeps kept know knows knew lose loses lost make makes made say says said see sees saw
    sell sells sold send sends sent speak speaks spoke take takes took tell tells told think thinks thought
    understand understands write writes wrote begin begins began believe believes belong belongs consist
    consists contain contains continue continues create creates decide decides depend depends describe describes
    develop develops enable enables ensure ensures exist exists explain explains include includes introduce
    introduces involve involves maintain maintains mean meant meet meets met occur occurs prefer prefers produce
    provide provides recommend recommends refer refers remain require requires seem seems suggest suggests tend
    tends agree agrees allow allows appear appears enjoy enjoys publish publishes receive receives reduce
    reduces replace replaces operate operates specialize specializes sing sings teach teaches eat eats buy buys
    learn learns live want wants hate hates dislike"""
)


@functools.lru_cache(maxsize=20_000)
def may_be(lower: str) -> int:
    """All that a word, written small, may be; the closed classes are asked for before."""
    found = _VERBS.get(lower, 0)
    if lower in _NEVER_NOUNS:
        found &= ~May.NOUN
    if lower in _ADVERBS:
        found |= May.ADVERB
    if lower in _ADJECTIVES:
        found |= May.ADJECTIVE
    return found or _by_ending(lower)


def _by_ending(lower: str) -> int:
    if not lower.isalpha() and "-" not in lower:
        return May.NOUN
    last = lower.rpartition("-")[2]
    if "-" in lower and (last in _VERBS or last.endswith("ed")) and _VERBS.get(last, May.PARTICIPLE) & May.PARTICIPLE:
        return May.ADJECTIVE
    if lower.endswith("ly") and lower not in _NOT_ADVERBS and len(lower) > 4:
        return May.ADVERB
    if lower.endswith("ed") and len(lower) > 4 and lower not in _NOT_PAST and not lower.endswith("eed"):
        return May.PAST | May.PARTICIPLE
    if lower.endswith("ing") and len(lower) > 4 and lower not in _NOT_ING:
        return May.ING
    if lower.endswith(("izes", "ises", "ifies")) and len(lower) > 6:
        return May.SINGULAR
    if lower.endswith(("ize", "ise", "ify")) and len(lower) > 5 and not lower.endswith(("rise", "wise", "cise")):
        return May.BASE
    if lower.endswith(_ADJECTIVE_ENDINGS) and len(lower) > 5:
        return May.ADJECTIVE
    if lower.endswith(_ADJECTIVE_OR_NOUN_ENDINGS) and len(lower) > 5:
        return May.ADJECTIVE | May.NOUN
    return May.NOUN


def base_of(form: str) -> str:
    """The verb a form belongs to; the form itself where it is not known."""
    return _BASES.get(form, form)


def is_known_verb(form: str) -> bool:
    return form in _BASES


def past_of(base: str) -> str | None:
    """The simple past of a known verb."""
    return _PASTS.get(base)


def is_plural(noun: str) -> bool:
    """Whether a noun, written small, looks like several."""
    if noun in _PLURALS:
        return True
    return (
        noun.endswith("s") and not noun.endswith(_NOT_PLURAL_ENDINGS) and noun not in _SINGULAR_IN_S and len(noun) > 2
    )
