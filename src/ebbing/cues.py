"""The English words by which a sentence shows what it does and what it tells of (importance.py).

General words only, each list for one purpose; a language that has none of them is read by its marks and digits.
"""

from __future__ import annotations

from types import MappingProxyType
from typing import Final


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ME = _words("i i'm i've i'd i'll we we're we've we'd we'll my our mine ours me us myself ourselves")
YOU = _words("you you're you've you'd you'll your yours yourself yourselves ya y'all")
GRAMMAR = _words(
    """a about above after again against all also am an and any are as at be because been before being below both but by
    can could did do does doing down during each even ever few for from further had has have having he her here hers him
    his how if in into is it its itself just more most nor not now of off on once only or other out over own same she
    should so some such than that the their theirs them then there these they this those though through to too under
    until up very was were what when where which while who whom why will with would yet isn't aren't wasn't weren't
    don't doesn't didn't can't couldn't won't wouldn't shouldn't haven't hasn't hadn't that's it's what's how's there's
    here's let's he's she's they're they've who's say said tell told come take keep make makes get got go let always
    still much many one thing things something anything everything nothing someone anyone everyone way kind bit lot"""
)
# What people say to keep a talk going: greetings, thanks, agreement, praise, wishes.
CHATTER = _words(
    """hi hey hello hiya greetings dear morning afternoon evening night bye goodbye welcome please sorry thanks thank
    thx appreciate appreciated cheers congrats congratulations luck wish wishing hope hoping ok okay alright sure yes
    yeah yep yup no nope nah right exactly absolutely totally definitely certainly indeed true agree agreed oh ah wow
    hmm um uh haha lol well great good nice cool awesome amazing fantastic wonderful excellent perfect lovely beautiful
    incredible impressive interesting fun funny helpful glad happy proud excited grateful see sound sounds look looks
    hear hearing heard feel think thought guess know mean means understand wait care talk chat soon later really pretty
    super lots stuff idea point sense deal"""
)
EMPTY = ME | YOU | GRAMMAR | CHATTER
# Not when and where, which open statements as often.
ASKING = _words("how how's what what's why which who who's whose where's")
# Verbs that ask for a text; not "use", "keep", "define" or "answer", which open rules that are worth keeping.
REQUESTING = _words(
    """write rewrite explain give show list create generate summarize summarise translate describe continue provide
    suggest recommend compare convert analyze analyse improve imagine help tell draft compose outline rephrase reword
    paraphrase shorten simplify expand elaborate proofread brainstorm classify categorize calculate compute solve
    discuss design develop pretend evaluate critique revise predict"""
)
# Verbs that ask for work on a text, where they point at one: "Add a title to the above".
REWORKING = _words(
    """add change fix correct modify update remove replace include insert send complete finish extend extract reduce
    separate reformat format identify use read take make put combine merge answer respond formulate offer"""
)
AT_HAND = _words("above below following previous provided")
# A line that begins so, after one that ended in no mark, was a message of its own.
OPENING_A_REQUEST = _words(
    """Write Rewrite Explain Give Create Generate Summarize Summarise Translate Describe Provide Suggest Recommend Tell
    Please please Can Could What How Why"""
)
OBJECTS: Final = MappingProxyType(
    {
        "act": _words("as like"),
        "make": _words("it this that me them"),
        "plan": _words("a an me"),
        "teach": _words("me us"),
        "turn": _words("it this these"),
        "organize": _words("this these the"),
        "come": _words("up"),
        "try": _words("again"),
        "your": _words("job task role goal"),
        "let's": _words("write continue pretend imagine"),
        "lets": _words("write continue pretend imagine"),
    }
)
INVERTED = _words("is are was were am do does did can could would should may might has have will")
SUBJECTS = _words("i you we they he she it there this that these those")
KEEPING = _words("remember memorize memorise forget mind note")
PLACED = _words("when where")  # "When is it due", not "When it rains"
# No other language that is written in these letters has these words: what is asked with one is asked in English.
ENGLISH = _words("the and what how why which does did could should would can you your there with this that")
# "Do you know …", "if you could …": put to whoever should know everything.
ASSISTING = _words("have know think recommend suggest happen can could")
# How somebody answers to what they heard: "I had no idea", "I'll try that", "I always thought", "I'm not sure".
MUSING = _words(
    """think thought guess believe wonder wondering heard agree understand know knew realize realise imagine hope sure
    idea see get appreciate noticed wondered realized realised find curious convinced intrigued fascinated interested
    surprised impressed disagree"""
)
INTENDING = _words("i'll i'd will would might may could should can can't cannot couldn't want need")
PASSING = _words(
    """just also definitely probably really still even actually certainly already only totally always honestly
    personally kinda now not never no don't didn't do did have had has been be am to ever"""
)
STRESSING = _words(
    "just also definitely probably really still even actually certainly only totally always honestly personally kinda"
)
LOVING = _words("love like enjoy adore hate prefer")
MINE = _words("my mine")
# What everybody has who says "my".
EVERYBODYS = _words(
    """life lives time day days mind brain body heart head eyes skin hair hands health mood stress sleep energy diet
    meal meals food home room kitchen area city town country region community money budget finances savings skills
    knowledge understanding productivity performance focus routine habits goals work workouts practice learning studies
    question questions answer request website site blog list chances options experience experiences opinion interests
    needs message prompt text code way progress success risk"""
)
QUALIFYING = _words("own daily everyday overall next first previous last")
SPEAKER = _words("i i'm i've i'd i'll my mine myself")  # not "we", which is everybody as often
# What everybody means who says "our" or "we".
SHARED = _words(
    """own world society planet universe lives life daily everyday country culture environment climate bodies body minds
    brains health privacy rights history future ancestors species understanding time times all are can can't could
    should would must need often still may might know see think do don't shouldn't as"""
)
OPENING_OURS = _words("our we")
AT_IT = _words("i'm i've we're we've")
BEING = _words("am have was")
WAS = _words("was were")
LIKED = _words("like love")
THAT = _words("the that this how")
NOT_UNDERWAY = _words(
    """looking wondering searching going hoping having being asking talking referring wanting feeling leaning sending
    pasting providing giving willing"""
)
SUBORDINATE = _words("when if what time sure whether once than")
# "List prices are …" asks for nothing.
ASSERTING = _words("is was are were has had will go goes live lives stay stays happen happens belong belongs")
# Asked for with these, something is to be written; with others, done.
WORDING = _words(
    """write explain describe summarize summarise tell list give create generate suggest provide compose draft make
    show help rewrite translate paraphrase outline compare"""
)
RULING = _words("only always never each every unless instead not before all")
# When and on what condition something holds, and how or where it is done: a text that is asked for has a topic.
CONDITIONS = _words("before after when until unless only not never without instead within at while always")
MANNERS = _words("in on with from by per via through under into using")
TOPICAL = _words("about of for between regarding like me my i that which who")
RELATING = ASKING | _words("that when where")
DETERMINING = _words(
    """a an the this that these those my our your me us him her it some any all what how why who which when where
    whether if about for to in on at with of one two three four five six seven eight nine ten more another"""
)
ANSWERING = _words("yes no")
# What the listener writes, of which a rule may speak.
ANSWERS = _words("answer answers reply replies response responses output explanations messages summaries")
LISTENER = _words("you u")
ASKING_FOR = _words("me please")
REACTING = _words("it it's that that's this there i i'm i've i'd i'll you they")
LEADING = _words("please kindly now then also ok okay and so but well yes no great thanks hi hello hey awesome")
ABILITY = _words("can could would will")
WANTING = _words("want need like will would")
MIND = _words(
    """think guess believe hope feel wonder wondering curious agree understand mean impressed amazed glad happy
    proud sorry excited appreciate grateful thankful wish wishing imagine bet suppose interested"""
)
JUDGING = _words(
    """amazing awesome great good nice cool wonderful fantastic incredible crazy interesting fascinating impressive
    inspiring beautiful lovely true sad unfortunate surprising exciting fun hard tough important clear helpful useful
    better best sounds seems looks feels"""
)
POINTING = _words("it it's that that's this there there's they those these sounds looks seems")
SEEKING = _words("looking wondering curious interested searching")
SOUGHT = _words("for if in what how")
NUMBERS = _words(
    """two three four five six seven eight nine ten eleven twelve dozen fifteen twenty thirty forty fifty hundred
    thousand million billion twice half quarter first second third"""
)
TIMES = _words(
    """yesterday tomorrow tonight ago recently lately since monday tuesday wednesday thursday friday saturday sunday
    mondays tuesdays wednesdays thursdays fridays saturdays sundays january february march april june july august
    september october november december weekend weekends week weeks month months year years spring summer autumn winter
    daily weekly monthly yearly birthday anniversary deadline"""
)
IDENTITIES = _words(
    """name named born birthday age pronouns nationality citizen religion native address phone email password
    allergic allergy allergies intolerant diagnosed diagnosis disease illness injury injured surgery hospital medication
    prescription diabetes asthma epilepsy cancer pregnant vegan vegetarian"""
)
LIVES = _words(
    """live lives lived grew husband wife spouse partner married engaged divorced son daughter kid kids
    child children baby mother father mom mum dad parent parents brother sister sibling siblings grandmother grandfather
    grandma grandpa aunt uncle cousin niece nephew boyfriend girlfriend fiance fiancé fiancée family friend friends
    roommate neighbor neighbour colleague coworker boss manager dog cat pet pets puppy kitten
    job career company school university college degree student teacher engineer doctor nurse house apartment hometown
    salary therapy"""
)
_TEAMS = _words("project team repo repository codebase office")
OWNED: Final = MappingProxyType({"our": (LIVES - SHARED) | _TEAMS, "the": _TEAMS, "this": _TEAMS})
OWNABLE = OWNED["our"]
PREFERENCES = _words(
    """love loves loved like likes liked enjoy enjoys enjoyed prefer prefers preferred favorite favorites favourite
    favourites hate hates dislike dislikes fan passion passionate hobby"""
)
LIKE = _words("like")
LIKING = _words("i we you they he she who really also don't doesn't didn't not to would i'd we'd always still")
COMMITMENTS = _words(
    """i'll we'll gonna plan plans planning planned promise promised decide decided decision agreed committed due
    scheduled booked signed goal goals intend must shall never always remember remind important ensure deadline
    appointment"""
)
CORRECTIONS = _words(
    """actually instead anymore correction corrected changed switched replaced renamed wrong updated moved quit stopped
    cancelled canceled former formerly longer"""
)
TELLING = IDENTITIES | LIVES | TIMES | COMMITMENTS | CORRECTIONS
# Something to be done at a time, or always, is no request to write or explain: "Write the report by Friday".
TASKS = _words(
    """tomorrow tonight monday tuesday wednesday thursday friday saturday sunday mondays tuesdays wednesdays thursdays
    fridays saturdays sundays january february march april june july august september october november december weekend
    deadline due scheduled appointment must never always remember remind every"""
)
CLOSE = LIVES | IDENTITIES | TIMES  # people, animals, work, home, what may harm, and when
DATES = TIMES - _words("daily weekly monthly yearly since recently lately birthday anniversary")
# By which speakers tell of their own lives; "never", "actually" and "important" are in every answer to an answer.
DISCLOSING = TELLING - _words(
    """never always actually important remember must i'll we'll instead wrong ensure longer shall agreed remind goal
    goals phone email address password"""
)
DOERS = _words("i i've i'd we we've we'd")
BETWEEN = _words(
    "just also finally recently even once already actually both never only first have had been literally pre"
)
DONE = _words(
    """was were did had went got made took bought saw met found gave won lost began came left ran wrote read spent
    taught built sold drove flew ate grew chose caught brought paid sent kept hurt broke slept swam rode sang fell held
    stood threw drew hid hit put cut led lent wore woke taken written eaten gone done given driven broken chosen grown
    flown ridden sung worn spoken begun"""
)
# Ends like a deed and is a thought; what is here is no event.
THOUGHT = _words(
    """wanted needed hoped realized realised wondered believed guessed imagined loved liked appreciated agreed heard
    noticed expected considered assumed wondered provided mentioned instructed described requested specified pasted
    uploaded meant asked"""
)
UNTRIED = _words("tried had seen")  # "I've never tried it before" answers to what was heard
UNREAL = _words("wish if")
NOT_DONE = _words("no hoping wondering thinking looking curious")
# What opens no fact by which somebody explains a request: it speaks to the listener, answers, points or orders.
NO_REASON = YOU | POINTING | LEADING | CHATTER | REQUESTING | REWORKING
STATING = _words("i i'm")
# "I usually …", "I work at …"; "I never eat …", "I don't drink", not "I never knew", "I don't mind".
HABITUAL = _words(
    "usually normally typically often mostly prefer enjoy hate dislike work live study teach speak own play"
)
HABITUALLY = _words("never always don't can't cannot")
NO_HABIT = MUSING | DONE | _words("believe wait have want mind need thank help stop go seem even really been had")
# "I'm a nurse", "I have two cats", not "I'm a bit tired", "I have a question".
HAVING = _words("am have")
SOME = _words("a an two three four five six seven eight nine ten")
NOTHING_HAD = _words(
    """bit little huge big fan question questions feeling hunch few lot hard difficult tough good great better problem
    issue point doubt request couple long"""
)
USUAL = HABITUAL | HABITUALLY | HAVING | _words("i'm")
# Behind "I": what people say of what they heard, and not of themselves.
NO_STATE = EMPTY | MUSING | INTENDING | PASSING | MIND | PREFERENCES | NO_HABIT
UNSTATED = INVERTED | UNREAL
BEFORE_NO_STATEMENT = UNSTATED | SUBORDINATE | ASKING | PLACED
# "I love that", "I'd love to", "I like your idea": what was heard, not what somebody likes.
NOT_LOVED = THAT | POINTING | YOU | _words("to when")
