"""The words a text is found by, in every script people write, and the form in which two texts are the same."""

from __future__ import annotations

import re
import threading
import unicodedata

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.terms import (
    STOP_WORDS,
    digest,
    heads,
    normalised,
    question_names,
    question_terms,
    salted,
    terms,
    without_names,
)
from tests.tables import each_row

anything = st.text(max_size=60)
words = st.text("abcdefghijklmnopqrstuvwxyz", min_size=1, max_size=10)
punctuation = st.text("\"'()[]{}*^~!?;@#$%&|\\/<>=+-`“”«»…—¿¡\n\t", min_size=1, max_size=4)


# Cutting and folding


@each_row(
    ("text", "found"),
    [
        ("The cat sat.", ["the", "cat", "sat"]),
        ("", []),
        (" \t\n", []),
        ("!?—…", []),
        ("running runs run", ["run", "run", "run"]),
        ("naïve CAFÉ Zürich", ["naiv", "cafe", "zurich"]),
        ("Ёлка Ὀδυσσεύς", ["елка", "οδυσσευσ"]),
        ("STRASSE Straße", ["strass", "strass"]),
        ("İstanbul", ["istanbul"]),
        ("ﬁle ＡＢＣ", ["file", "abc"]),
        ("don't", ["don", "t"]),
        ("don’t", ["don", "t"]),
        ("a\x00b", ["a", "b"]),
        ("half\ud800way", ["half", "way"]),
        ("in\u00advoice in\u200dvoice", ["invoic", "invoic"]),
        ("🎉 party 👩‍💻 ❤️", ["parti"]),
        ("1️⃣", ["1"]),
        ("_", []),
    ],
)
def test_a_text_is_cut_into_folded_stemmed_words(text: str, found: list[str]) -> None:
    """Case, accents, ligatures, widths and endings do not matter."""
    assert terms(text) == found


@each_row(
    ("text", "found"),
    [
        ("camelCase", ["camelcas", "camel", "case"]),
        ("HTTPServer", ["httpserver", "http", "server"]),
        ("parseHTML5Doc", ["parsehtml5doc", "pars", "html", "5", "doc"]),
        ("ÉcoleNormale", ["ecolenormal", "ecol", "normal"]),
        ("CAFÉ", ["cafe"]),
        ("snake_case", ["snake", "case"]),
        ("SCREAMING_SNAKE", ["scream", "snake"]),
        ("kebab-case", ["kebab", "case"]),
        ("ebbing.terms.digest", ["ebb", "term", "digest"]),
        ("/etc/nginx/nginx.conf", ["etc", "nginx", "nginx", "conf"]),
        (r"C:\Work\ada", ["c", "work", "ada"]),
        ("ada@example.com", ["ada", "exampl", "com"]),
        ("--dry-run", ["dri", "run"]),
        ("C++ C# .NET", ["c", "c", "net"]),
        ("sha256", ["sha256", "sha", "256"]),
    ],
)
def test_an_identifier_is_found_whole_and_by_its_parts(text: str, found: list[str]) -> None:
    """People ask for the part they remember."""
    assert terms(text) == found


@each_row(
    ("text", "found"),
    [
        ("2400", ["2400"]),
        ("2,400", ["2400"]),
        ("$2,400/month", ["2400", "month"]),
        ("1,234,567.89", ["1234567_89", "1234567", "89"]),
        ("3.14", ["3_14", "3", "14"]),
        ("3.1", ["3_1", "3", "1"]),
        ("3.10", ["3_10", "3", "10"]),
        ("1.2.3", ["1_2_3", "1", "2", "3"]),
        ("v1.2.3", ["1_2_3", "1", "2", "3"]),
        ("V1.2.3-beta", ["1_2_3", "1", "2", "3", "beta"]),
        ("v2", ["v2", "v", "2"]),
        ("10:30", ["10_30", "10", "30"]),
        ("10:30am", ["10_30", "10", "30", "am"]),
        ("10.0.0.1:8080", ["10_0_0_1_8080", "10", "0", "0", "1", "8080"]),
        ("2026-05-31", ["2026", "05", "31"]),
        ("3.", ["3"]),
        ("1, 2, 3", ["1", "2", "3"]),
        ("१२३", ["123"]),
        ("٤٢", ["42"]),
        ("๔๒", ["42"]),
    ],
)
def test_a_number_is_found_however_it_is_written(text: str, found: list[str]) -> None:
    """Thousands are put together; versions, times and decimals stay whole and give their parts."""
    assert terms(text) == found


def test_numbers_that_differ_are_told_apart() -> None:
    """Version 3.1 is not 3.10, and 1.2 is not 12."""
    whole = {text: terms(text)[0] for text in ("3.1", "3.10", "31", "3.1.0", "1.2", "12", "1,200", "1.200")}
    assert len(set(whole.values())) == len(whole)


# Scripts


@each_row(
    ("text", "found"),
    [
        ("绿茶", ["绿茶", "绿", "茶"]),
        ("茶", ["茶"]),
        ("東京タワー", ["東京", "京タ", "タワ", "ワー", "東", "京"]),
        ("ジョン・スミス", ["ジョ", "ョン", "スミ", "ミス"]),
        ("ｶﾞ", ["ガ"]),
        ("人々", ["人々", "人", "々"]),
        ("서울에서", ["서울", "울에", "에서"]),
        ("ไทย", ["ไท", "ทย"]),
        ("မြန်မာ", ["မြ", "ြန", "န်", "်မ", "မာ"]),
        ("API를 쓴다", ["api", "를", "쓴다"]),
        ("用Python写", ["用", "python", "写"]),
        ("2026年", ["2026", "年"]),
        ("𠮷野家", ["𠮷野", "野家", "𠮷", "野", "家"]),
    ],
)
def test_a_script_that_keeps_no_words_apart_is_cut_into_pairs(text: str, found: list[str]) -> None:
    """And a Han character, often a word of its own, is found by itself."""
    assert terms(text) == found


def test_a_question_in_chinese_shares_words_with_its_answer() -> None:
    """No pair of these two is the same, and yet both are about the cat."""
    assert "猫" in set(question_terms("我的猫叫什么？")) & set(terms("猫的名字是小白。"))


def test_a_korean_word_is_found_behind_its_particles() -> None:
    """People ask for Seoul, and the memory says `in Seoul`."""
    assert set(question_terms("서울")) <= set(terms("우리는 서울에서 만났다"))


@each_row(
    "word",
    ["हिन्दी", "क्ष", "বাংলা", "தமிழ்", "తెలుగు", "ಕನ್ನಡ", "മലയാളം", "සිංහල", "བོད", "ދިވެހި", "ગુજરાતી"],
)
def test_a_vowel_sign_is_a_letter_and_a_word_stays_whole(word: str) -> None:
    """In these scripts marks are not accents: without them it is another word, or none."""
    assert terms(word) == [unicodedata.normalize("NFC", word)]
    assert terms(f"({word}) – {word}!") == terms(word) * 2


@each_row(("one", "other"), [("कल", "काल"), ("दिन", "दीन"), ("பல", "பால்"), ("กา", "กี"), ("か", "が")])
def test_words_that_differ_in_a_vowel_sign_are_different_words(one: str, other: str) -> None:
    """Yesterday is not time, and a day is not a beggar."""
    assert terms(one) != terms(other)


@each_row(
    ("plain", "pointed"),
    [
        ("محمد", "مُحَمَّد"),
        ("محمد", "محـــمد"),
        ("اسلام", "إسلام"),
        ("שלום", "שָׁלוֹם"),
        ("Malaga", "Málaga"),
        ("eko", "ẹ́kọ́"),
        ("Nguyen", "Nguyễn"),
        ("cafe", "cafe\u0301"),
    ],
)
def test_a_mark_that_quick_writers_leave_out_does_not_matter(plain: str, pointed: str) -> None:
    """Accents, Hebrew points, Arabic vowels and stretchings: present or not, the same word."""
    assert terms(plain) == terms(pointed)
    assert len(terms(pointed)) == 1


def test_a_persian_word_with_a_non_joiner_is_found_as_with_a_space() -> None:
    """The two ways to write `I want`."""
    assert terms("می\u200cخواهم") == terms("می خواهم")


@given(anything)
def test_the_composition_of_letters_does_not_matter(text: str) -> None:
    """NFC, NFD: the same words."""
    nfc, nfd = unicodedata.normalize("NFC", text), unicodedata.normalize("NFD", text)
    assert terms(nfc) == terms(nfd)


# Laws


@given(anything)
def test_no_word_holds_what_a_query_language_could_read(text: str) -> None:
    """No quote, space, operator or control character, never empty, never long, always well-formed."""
    for term in terms(text):
        assert 0 < len(term) <= 64
        assert not re.search(r"[\s\x00-\x2f:-@\[-^`{-\x7f\ud800-\udfff]", term)


@given(st.lists(words, max_size=6), st.lists(punctuation, min_size=7, max_size=7))
def test_punctuation_never_matters(several: list[str], between: list[str]) -> None:
    """Quotes, brackets, operators and question marks, anywhere, in any number."""
    dressed = between[0] + "".join(word + mark for word, mark in zip(several, between[1:], strict=False))
    assert terms(dressed) == terms(" ".join(several))
    assert question_terms(dressed) == question_terms(" ".join(several))


@given(st.lists(st.text("abcxyzéßøñжяλώğ", min_size=1, max_size=8), max_size=4))
def test_case_never_matters(several: list[str]) -> None:
    """Shouted, as a title or in small letters: the same words."""
    text = " ".join(several)
    assert terms(text.upper()) == terms(text) == terms(" ".join(word.capitalize() for word in several))


@given(st.lists(words, max_size=8))
def test_a_text_has_the_words_of_its_parts_in_order(several: list[str]) -> None:
    """Nothing is lost between words, and repetitions are kept."""
    assert terms(" ".join(several)) == [term for word in several for term in terms(word)]


@given(anything)
def test_a_text_is_found_by_asking_for_it(text: str) -> None:
    """The words of a question are words of the text it was copied from; none twice, and some if there are any."""
    asked = question_terms(text)
    assert set(asked) <= set(terms(text))
    assert len(set(asked)) == len(asked)
    assert bool(asked) == bool(terms(text))


# Blobs


def test_a_blob_gives_one_short_word() -> None:
    """A base64 line would otherwise fill the index with its accidental parts."""
    blob = "aGVsbG8gd29ybGQx" * 1000
    assert terms(blob) == [blob.lower()[:64]]


def test_a_long_identifier_still_gives_its_parts() -> None:
    """Longer than a word is kept, shorter than a blob."""
    name = "AbstractSingletonProxyFactoryBeanWithAVeryLongAndDescriptiveNameIndeed"
    assert len(name) > 64
    assert {"proxi", "factori", "bean"} <= set(terms(name))


@each_row("text", ["1." * 15_000 + "1", "9" * 30_000, "1,000" + ",000" * 5000, "ⅷ" * 20_000, "é" * 30_000])
def test_no_word_is_longer_than_a_store_can_index(text: str) -> None:
    """PostgreSQL refuses a lexeme of more than 2,046 bytes, and the memory with it."""
    assert max(len(term) for term in terms(text)) <= 64


def test_a_long_text_without_spaces_is_indexed_to_its_end() -> None:
    """Ten thousand Chinese characters are a text, not a blob."""
    assert "终了" in terms("开始" + "中文" * 5000 + "终了")


# Questions


def test_stop_words_tell_nothing_apart() -> None:
    """Only the words that could find something are asked for."""
    assert question_terms("What is the name of the cat that I have?") == ["name", "cat"]
    assert question_terms("Why doesn't it work?") == ["work"]


def test_a_question_of_stop_words_alone_asks_for_them() -> None:
    """The Who is a band."""
    assert question_terms("The Who") == ["the", "who"]
    assert question_terms("to be or not to be") == ["to", "be", "or", "not"]


def test_a_name_that_is_the_stem_of_a_stop_word_is_asked_for() -> None:
    """`does` and Doe have one stem; only one of them is a stop word."""
    assert question_terms("John Doe") == ["john", "doe"]
    assert question_terms("Ani") == ["ani"]
    assert question_terms("what does John do") == ["john"]


def test_the_small_words_inside_an_identifier_are_left_out() -> None:
    """`isActive` is asked for whole and by what it says."""
    assert question_terms("isActive") == ["isact", "activ"]


@each_row("question", ["", "   ", "?!", "🎉", "\ud800", "\x00", "_"])
def test_a_question_may_have_no_words_at_all(question: str) -> None:
    """Nothing to look for, and nothing breaks."""
    assert question_terms(question) == []


def test_stop_words_are_written_as_they_are_compared() -> None:
    """In small letters, without signs."""
    assert all(re.fullmatch("[a-z]+", word) for word in STOP_WORDS)


def test_threads_cut_the_same_words() -> None:
    """The stemmer and the memory of words are shared by all of them."""
    texts = [f"Running {word}ing through the {word}Factories of {number},000" for number, word in enumerate("abcdefgh")]
    expected = [terms(text) for text in texts]
    wrong: list[list[str]] = []

    def cut() -> None:
        for _ in range(200):
            wrong.extend(got for text, want in zip(texts, expected, strict=True) if (got := terms(text)) != want)

    threads = [threading.Thread(target=cut) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert wrong == []


# Sameness


@each_row(
    ("one", "other"),
    [
        ("I like tea", "I like tea."),
        ("I like tea", "i LIKE Tea!"),
        ("I like tea", "  I\tlike \n tea  "),
        ("I like tea", "I like\u00a0tea..."),
        ("Café", "cafe\u0301".replace("c", "C")),
        ("ΟΔΟΣ", "οδος"),
    ],
)
def test_a_repetition_is_known_again(one: str, other: str) -> None:
    """Case, spacing and the full stop are what people vary when they say the same."""
    assert normalised(one) == normalised(other)
    assert digest(one) == digest(other)


@each_row(
    ("one", "other"),
    [
        ("I like tea", "I do not like tea"),
        ("I like tea", "I don't like tea"),
        ("He can swim", "He can't swim"),
        ("Use tabs", "Use no tabs"),
        ("The limit is 10", "The limit is 100"),
        ("The limit is 1.0", "The limit is 10"),
        ("The limit is -5", "The limit is 5"),
        ("10² requests", "102 requests"),
        ("10⁶ users", "106 users"),
        ("½ cup", "12 cup"),
        ("x₁ holds", "x1 holds"),
        ("Ada lives in Bonn", "Ida lives in Bonn"),
        ("Das sind die Maße", "Das sind die Masse"),
        ("résumé", "resume"),
        ("Is it on", "Is it on?"),
        ("C", "C++"),
        ("C#", "C"),
        ("a/b", "a b"),
        ("prefers dark mode", "prefers dark mode but light outdoors"),
        ("meet on 05-06", "meet on 06-05"),
        ("co-op", "coop"),
        ("か", "が"),
        ("कल", "काल"),
        ("شَعر", "شِعر"),
    ],
)
def test_what_says_something_else_is_not_the_same(one: str, other: str) -> None:
    """What is equal here is never stored again, so a wrong equality loses a fact."""
    assert digest(one) != digest(other)


@given(anything)
def test_normalising_twice_changes_nothing(text: str) -> None:
    """The digest of what was stored is the digest of what was said."""
    assert normalised(normalised(text)) == normalised(text)


def test_a_salted_digest_tells_nothing_to_whoever_lacks_the_salt() -> None:
    """Equal for equal salt and text, different otherwise."""
    one, other = digest("I like tea"), digest("I like coffee")
    assert salted(one, b"a" * 32) == salted(one, b"a" * 32)
    assert len({salted(one, b"a" * 32), salted(one, b"b" * 32), salted(other, b"a" * 32), one}) == 4


def test_capitals_within_a_word_tell_texts_apart() -> None:
    """Two keys that differ only in their capitals are two facts; shouting is not another one."""
    assert digest("the key is AbCd") != digest("the key is aBcD")
    assert digest("The Lamp is RED") == digest("the lamp is red")


@each_row(
    ("text", "expected"),
    [
        ("Ada: I went to the market", ["ada"]),
        ("Ada Byron: hello Bo", ["ada", "byron"]),
        ("Ada's boat sank", ["ada"]),
        ("The Porto office is closed", ["porto"]),
        ("“Zoë” — asked again", ["zoe"]),
        ("i like tea, says Ada", []),
        ("the boat of Ada", []),
        ("1. Ada comes first", []),
        ("", []),
        ("東京は大きい", []),
    ],
)
def test_a_text_begins_with_whom_it_is_about(text: str, expected: list[str]) -> None:
    """A name or what may be one; who is only spoken to or of later is not it."""
    assert heads(text) == expected


@each_row(
    ("question", "expected"),
    [
        ("What did Ada buy?", ["ada"]),
        ("Ada's boat: which colour?", ["ada"]),
        ("Which boats do Ada and Bo have? Where is Bo?", ["ada", "bo"]),
        ("Tell me about tea", []),
        ("What do I like? Tea or milk?", []),
        ("what does ada like", []),
        ("¿Qué compró Zoë?", ["zoe"]),
    ],
)
def test_names_in_a_question_are_written_large_without_beginning_a_sentence(question: str, expected: list[str]) -> None:
    """As the words under which a text that begins with one is found."""
    assert question_names(question) == expected


def test_a_question_is_asked_without_its_names_only_where_something_is_left() -> None:
    """Who Ada is cannot be asked without Ada."""
    assert without_names("What colour is Ada's boat?") == "What colour is boat?"
    assert without_names("Who is Ada?") is None
    assert without_names("What colour is the boat?") is None


@given(anything)
def test_any_text_has_heads_and_names_that_are_words_of_it(text: str) -> None:
    """So whatever is looked for under a head can be found as a word too."""
    found = set(terms(text))
    assert set(question_names(text)) <= found
    assert set(heads(text)) <= found
