"""Orders to forget, as they are said: what they name, what they spare, and what is none."""

from __future__ import annotations

import time

from ebbing.text.forget_orders import orders_in
from tests.tables import each_row, rows


@each_row(
    ("text", "what", "spared"),
    [
        ("Forget my old address", "my old address", ""),
        ("forget about the gym", "the gym", ""),
        ("Scrap what I said about Friday", "Friday", ""),
        ("please delete the token X-99-ALPHA from memory", "the token X-99-ALPHA", ""),
        ("Please forget what I told you about Delacroix Insurance, I signed elsewhere.", "Delacroix Insurance", ""),
        ("Delete the notes about Marcus. We broke up.", "Marcus", ""),
        ("Forget everything about Anna except her birthday", "Anna", "her birthday"),
        ("Erase 'half board' from your notes and keep only 'breakfast'.", "'half board'", "'breakfast'"),
        ("Could you please erase my blood type from your records?", "my blood type", ""),
        ("Ana: forget what I said about the tent, found it", "the tent", ""),
        ("ops: After the outage: remove the staging key from memory", "the staging key", ""),
        ("The gate code K7-2210 is deleted from memory.", "The gate code K7-2210", ""),
        ("I want the exact old wording removed from memory.", "the exact old wording", ""),
        ("Stop remembering that I used to smoke, please", "I used to smoke", ""),
        ("Vergiss bitte die Diätregeln vom Sommer", "die Diätregeln vom Sommer", ""),
        ("Olvida lo de la herencia", "lo de la herencia", ""),
        ("Remove my stored preferences about news", "my stored preferences about news", ""),
        ("Forget this: my flat is in Mill Road", "my flat is in Mill Road", ""),
    ],
)
def test_an_order_names_what_is_to_go(text: str, what: str, spared: str) -> None:
    """And it speaks of memory, so that no other deed can be meant."""
    [order] = orders_in(text).orders
    assert (order.what, order.spared.rstrip("."), order.is_plain, order.last_said) == (what, spared, True, False)


@each_row("text", ["forget that", "Forget it.", "forget what I just said", "delete that last message from memory"])
def test_what_was_said_last_needs_no_name(text: str) -> None:
    """The caller knows what that was."""
    [order] = orders_in(text).orders
    assert order.last_said


@each_row(
    "text",
    ["Delete the branch after merging", "Drop the kids at school", "Remove the old fence on Friday", "Clear the table"],
)
def test_a_deed_on_something_else_is_told_apart(text: str) -> None:
    """The caller asks a judge whether it is an order to a memory."""
    assert all(not order.is_plain for order in orders_in(text).orders)


@each_row(
    "text",
    [
        "Don't forget the milk",
        "Never delete the logs",
        "I forgot my keys",
        "She told me to forget him",
        "I always forget to water the plants",
        "Forget to",
        "We decided to delete the staging cluster",
        "My favourite flower is the forget-me-not",
    ],
)
def test_what_only_speaks_of_forgetting_is_no_order(text: str) -> None:
    assert orders_in(text).orders == ()
    assert orders_in(text).rest == text


@each_row(
    "text",
    [
        "she told me to forget my old address",
        "Mum said: delete the photos from memory",
        "Forget my old address, she told me.",
        "Delete the photos from memory, says Mum",
        "Forget the tent - as Eve asked",
        "Everything about the tent should be deleted from memory, wrote my boss",
        "Eve says everything about the tent should be deleted from memory",
        "She told me that my old address must be deleted from memory",
        "The nurse asked that the tent is deleted from memory",
        "I was told: forget the tent",
        "I told my boss: forget the tent",
        "then I told him: forget the tent",
        "I said to Tom: delete everything about the tent from memory",
        "Last week I typed: forget everything about the tent",
        "In the film, I shout: forget everything about the tent",
        "I dreamed that I said: forget the tent",
        "And I was like: forget the tent",
        "We whispered: forget the tent",
    ],
)
def test_what_somebody_else_is_told_to_want_is_no_order(text: str) -> None:
    assert orders_in(text).orders == ()


@each_row(
    "text",
    [
        "Forget what Mum said about the tent",
        "Forget everything about the tent, Mum sold it",
        "Everything that Mum said about the tent should be deleted from memory",
        "Forget what I said about the tent, as I told you",
        "One more thing: forget what I said about the tent",
        "I moved to Lyon: forget what I said about the tent",
        "Hey Ebbing: forget the tent",
        "As I told you: forget the tent",
        "As I said: forget the tent",
        "I said it before: forget the tent",
        "I already asked you: forget the tent",
        "user: forget the tent",
        "Eve: hello\nuser: forget the tent",
    ],
)
def test_ones_own_order_has_no_other_speaker(text: str) -> None:
    """An opening with a colon behind it is no name; nor is somebody spoken of the one who speaks."""
    [order] = orders_in(text).orders
    assert order.speaker is None


@each_row(
    ("text", "speaker"),
    [
        ("Eve: forget the tent", "eve"),
        ("eve: forget the tent", "eve"),
        ("**Eve Smith** (guest): forget the tent", "eve smith"),
        ("[2026-01-01 10:32] Eve: forget the tent", "eve"),
        ("Eve: Hi all. Forget the tent.", "eve"),
        ("Eve: the tent is green; forget the tent", "eve"),
        ("Eve:\nForget the tent", "eve"),
        ("Eve, 10:32\nForget the tent", "eve"),
        ("Ana: I have a tent.\nEve: forget the tent", "eve"),
        ("my boss: forget the tent", "my boss"),
        ("Assistant: forget the tent", "assistant"),
        ("ops: After the outage: forget the tent", "ops"),
        ("According to Eve: forget the tent", "according to eve"),
        ("Mum's wish: forget the tent", "mum's wish"),
        ("Hi, this is Eve. Forget the tent.", "eve"),
        ("Eve here. Forget the tent.", "eve"),
        ("Forget the tent.\n-- Eve", "eve"),
        ("Forget the tent. Best regards, Eve Smith", "eve smith"),
    ],
)
def test_an_order_says_whose_name_stands_before_it(text: str, speaker: str) -> None:
    """It holds for what follows, until another speaker is named. What may be a name is taken for one."""
    [order] = orders_in(text).orders
    assert order.speaker == speaker


def test_the_rest_of_a_text_is_told_besides() -> None:
    found = orders_in("I live in Lyon now. Forget my old flat. Thanks!")
    assert [order.what for order in found.orders] == ["my old flat"]
    assert found.rest == "I live in Lyon now."


def test_erasing_for_good_is_heard() -> None:
    """Everything else can be undone."""
    assert orders_in("Permanently erase my address from memory").orders[0].erases
    assert not orders_in("Erase my address from memory").orders[0].erases


def test_reading_for_orders_takes_time_in_proportion() -> None:
    """A text made to be slow to read is read as far as others."""
    for text in ("forget " * 280, "please " * 280, "a: " * 600, "delete; " * 240, "x is to be " * 180):
        begun = time.process_time()
        orders_in(text)
        assert time.process_time() - begun < 2


@each_row("text, what", rows("languages", "orders"))
def test_orders_of_other_languages_name_what_is_to_go(text: str, what: str) -> None:
    """And they count without the judge, which was taught in English."""
    [order] = orders_in(text).orders
    assert (order.what, order.is_plain, order.last_said) == (what, True, False)


@each_row("text", rows("languages", "said_last"))
def test_what_was_said_last_needs_no_name_in_other_languages(text: str) -> None:
    [order] = orders_in(text).orders
    assert order.last_said


@each_row("text", rows("languages", "no_orders"))
def test_a_denied_order_is_none_in_other_languages(text: str) -> None:
    """ "Vergiss die Milch nicht" asks for the opposite."""
    assert orders_in(text).orders == ()


@each_row("text", rows("languages", "other_deeds"))
def test_a_deed_on_something_else_is_no_order_to_a_memory(text: str) -> None:
    assert all(not order.is_plain for order in orders_in(text).orders)
