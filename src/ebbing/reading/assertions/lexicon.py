"""The words that decide what a statement claims: which relations take one value at a time, which values exclude each
other, and which words tell of a change. General English, kept as stems; whatever is not here is read by grammar alone.
"""

from __future__ import annotations

from .tokens import stem


def words(text: str) -> frozenset[str]:
    return frozenset(text.split())


def _stems(text: str) -> frozenset[str]:
    return frozenset(map(stem, text.split()))


def _groups(text: str) -> dict[str, str]:
    """Each word with the first of its group, which with a colon is only a name."""
    return {
        stem(word): group.split("/")[0] for group in text.split() for word in group.split("/") if not word.endswith(":")
    }


# Who is meant, and how a phrase begins.
FIRST_PERSON = words("i we me us myself ourselves")
MINE = words("my our mine")
THIRD_PERSON = words("he she they it this that these those")
NOBODY = words(
    """you there someone somebody everyone everybody anyone anybody people nobody something everything nothing who what
    which one many some most several few all others another both each every any here"""
)
INDEFINITE = words("a an some any another two three four five six seven eight nine ten several many few")
DEFINITE = words("the my our your his her its their this that these those")
OWNERS = words("his her its their your")
# Of these there are many, so that `the man` is nobody in particular.
ANYBODY = _stems(
    """man woman boy girl child person people guy lady kid dog cat player group couple crowd men women boys girls
    children kids toddler baby adult male female animal bird horse lot team band actor author thing things one ones"""
)

PREPOSITIONS = words(
    """of in on at by for with to from as into over under about than near behind against between through during since
    until till before after within without toward towards via per like around across among inside outside besides
    including regarding onto upon beside above below beyond throughout despite"""
)
RELATIVES = words("that which who whom whose where when")
BE = words("am is are was were be been being")
BE_PAST = words("was were")
HAVE = words("have has had having")
DO = words("do does did")
MODALS = {
    **dict.fromkeys(("will", "shall", "gonna"), "plan"),
    **dict.fromkeys("would could might may should ought".split(), "maybe"),
    **dict.fromkeys(("can", "must"), "fact"),
}
NEGATIONS = words("not never no neither nor hardly barely rarely seldom")
ADVERBS = words(
    """now currently also still always usually often sometimes just recently really already even only mostly mainly
    actually simply nearly almost primarily generally typically finally officially definitely probably certainly
    basically approximately roughly about around again too ever lately today soon normally regularly initially
    originally previously formerly once first personally absolutely truly kinda eventually quickly slightly greatly
    significantly successfully exactly obviously apparently clearly completely fully totally both all very so quite
    best well far yet then anymore instead publicly actively happily permanently temporarily frequently never"""
)
CHANGING_ADVERBS = words("now currently nowadays recently lately finally instead again anymore")
PAST_ADVERBS = words("previously formerly originally initially once")
ADDING = words("also too additionally besides another second third furthermore moreover plus")
PLANS = _stems("want plan hope intend need wish expect aim consider think look prepare try dream propose")
STARTS = _stems("start begin began begun")
STOPS = _stems("stop quit cease")
ATTRIBUTION = _stems(
    """say said tell told claim argue report mention suggest think believe feel felt hear heard read guess assume
    suppose suspect doubt imagine wonder hope ask recall remember know knew understand announce predict"""
)

PAST_FORMS = {
    past: base
    for pair in """went/go gone/go bought/buy met/meet got/get gotten/get had/have took/take taken/take saw/see seen/see
    ate/eat eaten/eat drank/drink made/make wrote/write written/write spoke/speak spoken/speak knew/know known/know
    left/leave lost/lose sold/sell became/become came/come gave/give given/give chose/choose chosen/choose grew/grow
    grown/grow rose/rise risen/rise fell/fall fallen/fall drove/drive driven/drive broke/break broken/break won/win
    built/build taught/teach thought/think found/find ran/run began/begin begun/begin held/hold kept/keep led/lead
    paid/pay sent/send spent/spend slept/sleep swam/swim wore/wear flew/fly felt/feel said/say told/tell did/do
    done/do was/be were/be been/be born/born hid/hide sang/sing sung/sing sat/sit stood/stand understood/understand
    brought/bring caught/catch forgot/forget heard/hear read/read meant/mean died/die shut/shut set/set cut/cut
    put/put quit/quit hit/hit let/let upgraded/upgrade""".split()
    for past, base in [pair.split("/")]
}
# Verbs by which a clause with an ordinary noun for its subject is cut: elsewhere grammar finds the verb.
VERBS = _stems(
    """live reside dwell move relocate work employ join leave left study attend teach use prefer like love hate dislike
    enjoy want need speak know own have eat drink smoke run listen host deploy store cost weigh earn measure last
    take contain hold include consist belong report become switch change migrate upgrade update downgrade rename
    call name increase decrease improve drop fall rise grow raise lower reduce cut jump climb reach hit stand remain
    stay reschedule postpone push shift delay extend retire die pass marry divorce date graduate start begin stop
    quit close open expire end support require allow return write serve cover target expect plan handle accept
    reject play drive ride make buy sell produce manage lead head keep sit come go get give show say think recommend
    decide choose pick adopt replace depend connect point map default equal enable disable turn set fail succeed
    break crash freeze ship release total average exceed recover lose gain double halve shrink slow speed double
    follow sleep wake arrive depart fly land happen occur cancel finish complete land rent"""
)

# Relations that take one value at a time, by verb and preposition; the first of a group names it.
ONE_AT_A_TIME = {
    tuple(phrase.split("-")): group.split("/")[0].replace("-", " ")
    for group in """live-in/resid-in/dwell-in/base-in/live-at/reloc-in work-at/work-for/employ-by/employ-at
    work-as/employ-as studi-at/enrol-at/enrol-in/enroll-at/attend major-in report-to belong-to marri-to/marri
    engag-to locat-in/situat-in/headquart-in/locat-at/locat-on locat-near
    run-on/listen-on/host-on/deploy-on/deploy-to/run-at store-in/save-in call/name born-in/bear-in born-on/bear-on
    die-in die-on die-of found-by found-in creat-by written-by/write-by write-in direct-by
    produc-by/manufactur-by/make-by develop-by design-by invent-by invent-in compos-by paint-by build-by built-by
    publish-by own-by lead-by/head-by/run-by/manag-by author-by illustr-by narrat-by releas-by releas-on releas-in
    train-by coach-by graduat-from nativ-of sponsor-by captain-by bury-in buri-in play-for schedul-for/schedul-on
    plan-for expir-on expir-in end-on start-on start-at end-at end-in start-in begin-on begin-at due-on due-by
    close-at open-at born name-after rule-by edit-by star-by licens-under pay-by set-to set-in""".split()
    for phrase in group.split("/")
}
# Those of them that a person has one of; of the others people have several, whatever is said of firms and films.
PERSONAL = frozenset(
    "live in|work at|work as|studi at|report to|marri to|engag to|call|born in|born on|born|die in|die on".split("|")
)
# What once happened stays so: of these a past tense is as current as a present one.
LASTING = words("born in on die founded found creat write written direct produc develop design invent")

# Nouns whose one value may be any word.
ATTRIBUTES = _stems(
    """name nickname username address number email password passcode pin color colour age birthday birthplace deadline
    date time day price cost budget fee rent salary income wage rate port host url domain version size height weight
    length width depth title job occupation profession role position rank status state level employer boss manager
    supervisor capital currency language timezone zone limit timeout threshold quota goal target score result grade
    temperature theme mode editor browser framework database provider diet religion nationality gender type hometown
    degree major school university frequency duration speed latency throughput coverage accuracy balance total count
    amount percentage share schedule plan subscription tier format encoding style font model engine backend frontend
    stack vendor license licence branch owner lead leader head director president chairperson chairman chairwoman
    minister mayor king queen governor chancellor secretary captain dean bishop pope emperor chair ceo cto cfo coo
    founder author winner champion headquarters location venue room floor seat destination origin key id code
    setting value default preference choice pronouns citizenship wife husband spouse girlfriend boyfriend partner
    fiance fiancee"""
)
TOOLS = _stems("editor ide browser framework database phone car bank provider language shell laptop keyboard os cache")
APPOSED = _stems(  # what stands before `of` to say of which class a name is: the city of London
    """city town village country state nation province region county district island kingdom republic language name
    title role rank party profession company school university brand color colour age currency capital borough
    municipality"""
)
COUNTS = _stems("total count amount sum probability result answer")  # of one thing now and of another then
AMOUNTS = _stems("deadline budget goal target limit price cost salary rent quota score balance weight threshold fee")
MEASURES = AMOUNTS | _stems(  # of which a thing has so many seconds, percent, bytes
    "time rate size coverage accuracy latency throughput speed duration length height width temperature uptime"
)
SINGLING = _stems(
    "favorite favourite preferred default main primary native current official legal maiden top best go-to"
)
PLURAL_KIN = _stems(  # of these someone may have several, and says `my` of each
    "child son daughter brother sister friend cousin uncle aunt colleague dog cat pet neighbor neighbour nephew niece "
    "car bike phone laptop computer house project book app client customer hobby meeting"
)
SAME_ROLE = _groups(
    """partner/wife/husband/spouse/girlfriend/boyfriend/fiance/fiancee/fiancée boss/manager/supervisor
    ceo/chief-executive-officer employer/company job/occupation/profession residence/home email/mail"""
)

OCCUPATIONS = _stems(
    """engineer developer programmer teacher nurse doctor lawyer designer analyst accountant manager director
    consultant architect electrician plumber carpenter chef cook waiter barista pharmacist dentist professor
    lecturer researcher scientist journalist editor librarian pilot driver mechanic technician salesperson cashier
    secretary receptionist firefighter paramedic therapist psychologist veterinarian surgeon physicist chemist
    biologist economist banker recruiter administrator intern apprentice freelancer contractor farmer baker butcher
    hairdresser tailor postman policeman soldier translator tutor principal superintendent supervisor assistant
    clerk bookkeeper"""
)
# Values of which a thing has one at a time; the first names the group.
EXCLUSIVE = _groups(
    """diet:/vegetarian/vegan/pescatarian/omnivore/carnivore/flexitarian
    marital:/single/married/divorced/engaged/widowed alive:/alive/dead
    switch:/on/off/enabled/disabled/active/inactive/deactivated/activated open:/open/closed
    running:/up/down/online/offline
    colour:/red/blue/green/yellow/black/white/gray/grey/silver/orange/purple/pink/brown visibility:/public/private
    truth:/true/false employment:/employed/unemployed/retired health:/healthy/sick/ill
    size:/big/small/tiny/huge/large speed:/fast/slow state:/done/unfinished/finished/pending/cancelled/canceled
    required:/required/optional/mandatory side:/left/right hot:/hot/cold full:/full/empty pass:/passing/failing
    working:/working/broken safety:/safe/dangerous cost:/cheap/expensive/free mode:/dark/light
    easy:/easy/difficult/hard taste:/good/bad/terrible/excellent/great/awful mood:/happy/sad/unhappy
    stable:/stable/unstable/flaky"""
)
SAME_VALUE = _groups(
    """on/enabled/active/activated/true off/disabled/inactive/deactivated/false up/online down/offline dead/deceased
    big/large gray/grey sick/ill cancelled/canceled required/mandatory hard/difficult done/finished
    good/great/excellent bad/terrible/awful sad/unhappy broken/down unstable/flaky"""
)
LIKING = _stems("like love enjoy adore appreciate fancy")
DISLIKING = _stems("hate dislike detest loathe despise")
MEETINGS = _stems(
    """meeting appointment call webinar interview exam flight session class lesson workshop conference event party
    dinner lunch concert training presentation demo review checkup visit trip"""
)
SCHEDULED = _stems("start begin end leave depart arrive open close land expire finish happen occur launch ship release")
HABITS = _stems("smoke vape gamble")
STATES = _stems("have own contain hold weigh cost earn measure last take sleep total average support require need pay")
OWN_STATES = _stems("have own weigh earn measure sleep")  # of somebody who may need, take and pay many things
COUNTRIES = words(
    """germany france italy spain portugal england scotland wales ireland uk britain usa us america canada mexico
    brazil argentina chile peru colombia china japan korea india pakistan bangladesh indonesia malaysia singapore
    thailand vietnam philippines australia russia ukraine poland austria switzerland belgium netherlands denmark
    sweden norway finland iceland greece turkey egypt morocco nigeria kenya ghana ethiopia israel iran iraq hungary
    romania bulgaria croatia serbia europe asia africa oceania california texas florida bavaria ontario"""
)
