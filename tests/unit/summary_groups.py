"""Topics as people leave them behind: what a summary of each must still say, statement by statement.

Each group is a tuple of texts, oldest first. The last element of a row says whether a summary without a language model
is smaller than the texts, counted in words and signs.
"""

from __future__ import annotations

GROUPS: tuple[tuple[str, tuple[str, ...], bool], ...] = (
    # One person
    ("a person", ("Ana likes green tea.", "Ana has 3 cats.", "Ana moved to Porto in 2020."), True),
    (
        "a preference beside other facts",
        ("Frank prefers window seats.", "Frank flies to Oslo on Friday.", "Frank and Grace share an office."),
        False,
    ),
    ("a dislike", ("Mia does not eat meat.", "Mia does not drink milk.", "Mia does eat eggs."), True),
    (
        "an allergy in passing",
        ("Ben joined on 3 May.", "Ben is allergic to peanuts.", "Ben runs the Tuesday meeting."),
        True,
    ),
    (
        "a family",
        ("Ana's sister Eva lives in Rome.", "Ana's brother Tom lives in Riga.", "Ana's mother lives with Tom."),
        False,
    ),
    ("first person", ("I like dark mode.", "I like short answers.", "I never use tabs."), True),
    ("first person, one beginning", ("I like dark mode.", "I like short answers.", "I like tea."), True),
    ("a German", ("Jürgen mag Tee.", "Jürgen wohnt in Köln.", "Jürgen hat keine Kinder."), True),
    ("in French", ("Élise aime le thé.", "Élise habite à Lyon.", "Élise ne mange pas de viande."), True),
    ("in Chinese", ("安娜喜欢绿茶。", "安娜住在北京。", "安娜有三只猫。"), False),
    # Several people
    ("two people, the same matter", ("Ana likes tea.", "Bob likes coffee.", "Ana hates coffee."), False),
    ("two people, turn by turn", ("Ana owns the api.", "Bob owns the docs.", "Ana owns the cache."), False),
    ("speakers", ("Ana: I like tea.", "Ana: I have a dog.", "Bob: I like tea."), True),
    ("speakers who say the same", ("Ana: I like tea.", "Bob: I like tea.", "Carl: I like tea."), False),
    (
        "speakers, several sentences",
        ("Ana: I have a dog. I like tea.", "Bob: I have a cat. I like tea.", "Bob: I like milk."),
        False,
    ),
    (
        "one is named in the line of another",
        ("Grace works with Frank at Harbor HQ.", "Frank prefers decaf.", "Grace prefers espresso."),
        False,
    ),
    (
        "who paid whom",
        ("Ana paid Ben 5 dollars.", "Ben paid Ana 5 dollars.", "Ana paid Ben 9 dollars on Monday."),
        False,
    ),
    (
        "what somebody says of another",
        ("Ana says Ben likes tea.", "Ben likes tea.", "Ana's sister likes tea.", "Ana likes tea."),
        False,
    ),
    (
        "managers",
        ("Ana manages the Berlin team.", "Ana manages the Porto team.", "Ben manages the Oslo team."),
        True,
    ),
    # A sentence that leans on another
    (
        "a new one",
        (
            "Ana rotated the password of the router. New one is copper-owl-31.",
            "Ana rotated the password of the printer. New one is blue-fox-12.",
            "Ana rotated the password of the camera. She told nobody.",
        ),
        True,
    ),
    (
        "a pronoun behind the same sentence",
        ("Ana met Eva. She likes tea.", "Ana met Eva. They talked for 2 hours.", "Ana met Bob."),
        False,
    ),
    (
        "the same words about different things",
        (
            "We moved the database to db-2. The port is 8080.",
            "We moved the cache to db-3. The port is 8080.",
            "We moved the queue to db-4. The port is 9090.",
        ),
        False,
    ),
    (
        "the other one",
        ("Tom has two bikes. The red one is broken. The other one is new.", "Tom has two kids.", "Tom has two jobs."),
        True,
    ),
    ("it failed", ("We tried the red rocket. It burned for 7 seconds.", "We tried the blue rocket. It failed."), False),
    (
        "former and latter",
        (
            "Eva compared Redis and Kafka. The former was faster.",
            "Eva compared Go and Rust. The latter was faster.",
            "Eva compared tea and milk.",
        ),
        False,
    ),
    (
        "a copy that another sentence needs",
        ("Ana bought a car. It is red.", "Ana bought a car.", "Ana bought a car. It broke down."),
        True,
    ),
    # Work
    (
        "a deploy",
        (
            "The deploy of api failed on 3 May.",
            "The deploy of api worked on 4 May.",
            "The deploy of api is planned for 9 May.",
        ),
        True,
    ),
    (
        "a deploy with reasons",
        (
            "The build of web failed because disk 3 was full, and it took us all day.",
            "The build of web passed; nobody knows why.",
            "The build of web is slow, which annoys Ana.",
        ),
        True,
    ),
    (
        "commands",
        ("Run `make lint` before a commit.", "Run `make test` before a release.", "Run `make docs` every week."),
        True,
    ),
    (
        "paths",
        (
            "Logs of the api are in /var/log/api.log.",
            "Logs of the web are in /var/log/web.log.",
            "Logs of the db are nowhere.",
        ),
        True,
    ),
    (
        "a rule and its exception",
        ("Do not deploy on Fridays.", "Deploy on Fridays only if Anna agrees.", "Do not deploy on 24 December."),
        False,
    ),
    (
        "a state that changes",
        ("The build is green on main.", "The build is not green on main.", "The build is green on main."),
        True,
    ),
    (
        "a list",
        (
            "Before a release:\n- run make test\n- tag v1.2\n- tell Ana",
            "Before a release:\n- run make lint",
            "Thanks a lot!",
        ),
        True,
    ),
    ("code", ("Use this:\n```python\nx = 1\n\ny = 2\n```", "Use this:\n```python\nx = 1\n```"), False),
    (
        "this repository",
        ("This repo uses pnpm, not npm.", "This repo uses Node 22.", "This repo uses tabs."),
        True,
    ),
    (
        "tickets",
        ("PROJ-12 blocks PROJ-13.", "PROJ-13 blocks PROJ-14.", "PROJ-12 is done."),
        False,
    ),
    # Numbers, dates and denials
    ("pins", ("Pin 4711", "Pin 0815", "Pin 1337"), False),
    (
        "measurements",
        ("Room 5 has 21 °C at 9:00.", "Room 5 has 22 °C at 10:00.", "Room 7 has 21 °C at 9:00."),
        True,
    ),
    (
        "no errors, one error",
        ("There were no errors in run 1.", "There was one error in run 2.", "There were no errors in run 3."),
        False,
    ),
    (
        "prices",
        ("The plan costs $2,400 a month.", "The plan costs $24,000 a year.", "The plan costs nothing for schools."),
        True,
    ),
    (
        "versions",
        ("Acme runs v2.3.1 in Porto.", "Acme runs v2.4.0-rc1 in Oslo.", "Acme never runs nightly builds."),
        True,
    ),
    (
        "quotations",
        ('Ana said "never again".', 'Ana said "maybe".', 'Bob said "never again".'),
        True,
    ),
    # Nothing to say
    (
        "greetings",
        ("Hi there! By the way, the server moved to 10.0.0.7.", "Thanks a lot! Ana owns the backups.", "Bye!"),
        True,
    ),
    (
        "greetings that say something",
        ("I think, Ana is right.", "Sure, we deploy.", "Thanks to Maria the disk is fine."),
        False,
    ),
    (
        "said again",
        ("Ana likes tea.", "Ben has 3 cats.", "Ana likes tea!", "ana likes tea"),
        True,
    ),
    (
        "said again among other things",
        ("Ana likes tea. Ben has 3 cats.", "Ana likes tea. Carl has a boat.", "Carl has a boat."),
        True,
    ),
)

# Texts that speak of somebody or something they do not name: beside others they would seem to speak of theirs.
INCOMPLETE = (
    "She likes tea.",
    "He does not eat meat.",
    "Her birthday is on 3 May.",
    "It failed again.",
    "They moved to Oslo.",
    "And she has a dog.",
    "When he was 5 he lived in Rome.",
    "New one is copper-owl-31.",
    "The other one is blue.",
    "The latter is faster.",
    "That was awful.",
    "This is what Ana wants.",
    "It's broken.",
    "Also likes tea.",
    "Same for Bob.",
    "Thanks! She likes tea.",
    "The manager told her to stop.",
    "Sie mag Tee.",
    "Er wohnt in Köln.",
    "Elle habite à Lyon.",
)
COMPLETE = (
    "Ana said she likes tea.",
    "Eva told Bob to call her.",
    "This repo uses tabs.",
    "That server is in Oslo.",
    "One error was found.",
    "The user prefers tea.",
    "I like tea.",
    "Also: buy milk.",
    "Run the linter; it is slow.",
    "Iter8 is a tool.",
    "Erika wohnt in Köln.",
)
