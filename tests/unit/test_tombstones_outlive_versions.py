"""A tombstone holds no text, so nothing can derive it again: what it is known by stays as it is."""

from __future__ import annotations

from ebbing.text.screening.tombstone_form import tombstone_hashes
from tests.tables import each_row

SALT = b"s" * 32


@each_row(
    ("text", "stored"),
    [
        ("Mara's sister lives in Łódź, near the café.", "0130121624a07c97bba213e7cbae9b35"),
        ("I know C++ and C#", "943b4bcafe62562e2517db8c0dcbef14"),
        ("It costs 3.5 €, not 35", "2f863eed7ddbde756489f034cc5530dc"),
        ("The room has 10² tiles", "97ed6af93d1f10b39f853e7f876afbf9"),
        ("她住在上海。", "ae019a68361f797560c091e90ce3e7cd"),
        ("Он живёт в Москве", "d588c9eb990efabbf9eb0b314be23d39"),
        ("***", "5e99ee91ab4380d45d4d10295c9fc61d"),
        ("- Buy milk", "3c1c180b1c20f6f5bc046c85140a9c7e"),
        ("x >= 3 && y", "031ff552e22b2a6270fd7ab23f6b14fe"),
        ("Ana’s PIN: 10:30", "963375d21306aa504ed9fd8d6dbfc37a"),
    ],
)
def test_a_tombstone_of_this_version_is_found_by_every_later_one(text: str, stored: str) -> None:
    """A purged text could be learned again after an upgrade, and neither `doctor` nor a repair could help: whoever
    changes `purged_form` keeps the form before it among those that are looked for."""
    assert stored in tombstone_hashes(text, [SALT])
