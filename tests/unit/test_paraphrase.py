"""Whether two texts say the same: trivial paraphrases do, and what differs in one fact never does."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.paraphrase import differences, same
from tests.tables import each_row

anything = st.text(max_size=60)
plain = st.sampled_from("the user prefers dark mode in every editor and likes green tea".split())
names = st.sampled_from(["Ana", "Ben", "Carla", "Rome", "Oslo", "Berlin"])
statements = st.lists(st.one_of(plain, names), min_size=1, max_size=10).map(" ".join)
SAME = [
    # case, punctuation, articles, emphasis
    ("User prefers dark mode", "The user prefers the dark mode."),
    ("I really like tea", "I like tea"),
    ("Two women are really laughing", "Two women are laughing"),
    ("A dog is really in the garden", "A dog is in the garden"),
    ("I also like tea", "I like tea too"),
    ("uses GitHub", "uses github"),
    ("The user’s editor is “vim”", "The user's editor is vim"),
    ("However, the api is slow", "The api is slow"),
    ("2. Ana owns the backups", "Ana owns the backups"),
    ("Works for the U.S. army", "Works for the US army"),
    ("THE API IS SLOW", "The api is slow"),
    # contractions
    ("I don't like tea", "I do not like tea"),
    ("It's cold", "It is cold"),
    ("She can't swim", "She cannot swim"),
    ("dont call me", "don't call me"),
    # numbers, times, sums
    ("She has three dogs", "She has 3 dogs"),
    ("two hundred users", "200 users"),
    ("twenty-one users", "21 users"),
    ("10 million users", "10,000,000 users"),
    ("10k users", "10,000 users"),
    ("the third floor", "the 3rd floor"),
    ("Meeting at 5pm", "The meeting is at 17:00"),
    ("The train leaves at noon", "The train leaves at 12:00"),
    ("CPU at 50%", "CPU at 50 percent"),
    ("The budget is $2,400/month", "The budget is 2400 dollars per month"),
    ("It weighs 5kg", "It weighs 5 kilograms"),
    ("The release is on May 3, 2024", "The release is on 3 May 2024"),
    ("born on 2024-05-03", "born on May 3rd, 2024"),
    # word forms and spelling
    ("prefers window seats", "prefers window seat"),
    ("He's living in Berlin", "He lives in Berlin"),
    ("Likes hiking", "likes to hike"),
    ("The team has moved to Rome", "The team moved to Rome"),
    ("favourite colour is grey", "favorite color is gray"),
    ("The backend uses Go", "The back-end uses Go"),
    ("send an e-mail", "send an email"),
    ("There is a cat in the garden", "A cat is in the garden"),
    # moves that are safe
    ("On Monday the deploy failed", "The deploy failed on Monday"),
    ("When it rains, the lamp is off", "The lamp is off when it rains"),
    ("Ana works at Google as an engineer", "Ana works as an engineer at Google"),
    ("Flights from Paris to Rome", "Flights to Rome from Paris"),
    ("Ana speaks German and French", "Ana speaks French and German"),
    ("Ana's dog is Rex", "The dog of Ana is Rex"),
    ("Ana's brother's dog", "The dog of the brother of Ana"),
    # other scripts
    ("我喜欢绿茶。", "我喜欢绿茶"),
    ("Prefiere el modo oscuro", "prefiere el modo oscuro."),
]
DIFFERENT = [
    # numbers
    ("has 3 dogs", "has 4 dogs", "numbers differ: 3 and 4"),
    ("has three dogs", "has 4 dogs", "numbers differ: three and 4"),
    ("the limit is -5", "the limit is 5", "numbers differ: -5 and 5"),
    ("version 3.1", "version 3.10", "numbers differ: 3.1 and 3.10"),
    ("agent 007", "agent 7", "numbers differ: 007 and 7"),
    ("the first of May", "the second of May", "numbers differ: first and second"),
    ("has a dog", "has dogs", "words differ: dog and dogs"),
    ("feeds the dog", "feeds the dogs", "words differ: dog and dogs"),
    ("it costs $5", "it costs €5", "words differ: dollars and euros"),
    ("a disk of 5 GB", "a disk of 5 MB", "names differ: GB and MB"),
    ("I give it ★★★", "I give it ★", "codes or paths differ: ★★★ and ★"),
    # times and tenses
    ("we meet on Monday", "we meet on Tuesday", "times differ: Monday and Tuesday"),
    ("we meet on Monday", "we meet on Mondays", "times differ: Monday and Mondays"),
    ("at 5pm", "at 5am", "times differ: 17:00 and 05:00"),
    ("the due date is May 3", "the due date is May 4", "times differ: may 3 and may 4"),
    ("works at Google", "worked at Google", "words differ: works and worked"),
    ("the api is slow", "the api was slow", "tenses differ: is and was"),
    ("Ana deploys", "Ana will deploy", "only one has these tenses: will"),
    # negation and opposites
    ("likes tea", "does not like tea", "one is negated: not"),
    ("likes tea", "doesn’t like tea", "one is negated: not"),
    ("lives in Berlin", "no longer lives in Berlin", "one is negated: no"),
    ("use tabs", "use no tabs", "one is negated: no"),
    ("No, tea is fine", "No tea is fine", "negations differ: No and No"),
    ("likes tea", "dislikes tea", "opposites: likes and dislikes"),
    ("tea with sugar", "tea without sugar", "opposites: with and without"),
    ("the lamp is on", "the lamp is off", "opposites: on and off"),
    ("enable the cache", "disable the cache", "opposites: enable and disable"),
    ("before lunch", "after lunch", "opposites: before and after"),
    ("more than 5", "less than 5", "opposites: more and less"),
    ("it is nowhere", "it is now here", "one is negated: nowhere"),
    ("I don't really like tea", "I don't like tea", "only one has these words: really"),
    # conditions and exceptions
    ("prefers dark mode", "prefers dark mode but light outdoors", "one has a condition: 'but light outdoors'"),
    ("deploys on Friday", "deploys on Friday if it is green", "one has a condition: 'if it is green'"),
    ("likes tea", "only likes tea", "one has a condition: 'only likes tea'"),
    ("it may fail if it rains", "it may fail unless it rains", "conditions differ: if and unless"),
    ("all users pay", "some users pay", "comparisons differ: all and some"),
    # who does what to whom
    ("Ana paid Ben", "Ben paid Ana", "the same words stand in another order: who does what to whom may differ"),
    ("flights from Paris to Rome", "flights from Rome to Paris", "the same words"),
    ("Ana met Ben and Carl met Dan", "Ana met Carl and Ben met Dan", "the same words"),
    ("On Monday Ana said Ben left", "Ana said Ben left on Monday", "the same words"),
    ("Friday prayers are cancelled", "Prayers are cancelled Friday", "the same words"),
    ("the key under the box in the drawer", "the key in the drawer under the box", "the same words"),
    ("Ana is called Ben", "Ana called Ben", "only one has these tenses: is"),
    ("Ana has limited access", "Ana limited access", "only one has these words: has"),
    ("Ana stopped smoking", "Ana stopped to smoke", "only one has these connecting words: to"),
    ("she likes cooks", "she likes cooking", "words differ: cooks and cooking"),
    ("my dog barks", "his dog barks", "words differ: my and his"),
    # names, words, letters
    ("Ana likes tea", "Ben likes tea", "names differ: Ana and Ben"),
    ("Ana Peter called", "Ana Peters called", "names differ: Peter and Peters"),
    ("has a plan", "has a plane", "words differ: plan and plane"),
    ("they import cars", "they important cars", "words differ: import and important"),
    ("He moved to the US", "He moved to us", "only one has these names: US"),
    ("the key is AbCd", "the key is aBcD", "only one has these names: AbCd"),
    ("write it in C", "write it in C++", "only one has these names: C"),
    ("run `rm a`", "run `rm b`", "codes or paths differ: `rm a` and `rm b`"),
    ("see /etc/Foo", "see /etc/foo", "codes or paths differ: /etc/Foo and /etc/foo"),
    ("Is it on", "Is it on?", "one is a question"),
    ("我买股票", "我卖股票", "words differ: 我买股票 and 我卖股票"),
    ("the table has 10² rows", "the table has 102 rows", "only one has these numbers: 102"),
]


@each_row(("one", "other"), SAME)
def test_a_trivial_paraphrase_says_the_same(one: str, other: str) -> None:
    """Whichever comes first."""
    assert differences(one, other) == differences(other, one) == []
    assert same(one, other)
    assert same(other, one)


@each_row(("one", "other", "told"), DIFFERENT)
def test_a_text_that_differs_in_one_fact_says_something_else(one: str, other: str, told: str) -> None:
    """And the difference is told."""
    assert not same(one, other)
    assert not same(other, one)
    assert any(sentence.startswith(told) for sentence in differences(one, other))


@given(anything)
def test_a_text_says_the_same_as_itself(text: str) -> None:
    """Whatever it is."""
    assert same(text, text)
    assert differences(text, text) == []


@given(anything, anything)
def test_two_texts_say_the_same_exactly_when_nothing_differs(one: str, other: str) -> None:
    """Either way round."""
    assert same(one, other) == same(other, one) == (differences(one, other) == [])


@given(statements)
def test_case_spacing_and_full_stops_say_nothing(text: str) -> None:
    """People vary them when they repeat themselves."""
    assert same(text, f"  {text.lower()}. ".replace(" ", "  "))


@given(statements, st.integers(0, 10), st.sampled_from("not never if unless without except only yesterday 7".split()))
def test_a_word_that_turns_a_statement_is_always_seen(text: str, place: int, word: str) -> None:
    """Wherever it is put in."""
    words = text.split()
    assert not same(text, " ".join([*words[:place], word, *words[place:]]))


@given(names, names, st.sampled_from(["paid", "met", "is older than", "moved from Lima to"]))
def test_names_that_change_places_are_always_seen(one: str, other: str, did: str) -> None:
    """Who does it to whom is the fact."""
    assert same(f"{one} {did} {other}", f"{other} {did} {one}") == (one == other)


@given(statements, st.integers(0, 99), st.integers(0, 99))
def test_numbers_are_the_same_only_when_they_are_equal(text: str, one: int, other: int) -> None:
    """However alike the rest is."""
    assert same(f"{text} {one}", f"{text} {other}") == (one == other)
