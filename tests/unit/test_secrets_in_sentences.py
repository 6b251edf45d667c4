"""Passwords told in a sentence, wherever they stand in it; and secrets that a name beside the text gives away."""

from __future__ import annotations

import re
from typing import Any

import pytest

from ebbing.text.screening.request import screen
from ebbing.text.screening.secrets import redacted
from tests.unit.secret_family_rows import rows

POSITIVE = """
⟦Tr0ub4dor&3xyz⟧ is my wifi password
⟦copper-owl-31⟧ is the router's password now.
Please keep "⟦heron-lake-72⟧" as our guest wifi password.
Use ⟦m4ple-Street⟧ as the admin password
I rotated the router password: the new one is ⟦copper-owl-31⟧
We changed the passphrase of the NAS. Please use ⟦copper-owl-31⟧ from now on.
The vault password expired last week; log in with ⟦T1dalPool⟧
New wifi password → ⟦copper-owl-31⟧
The password was changed from ⟦blue-fox-12⟧ to ⟦copper-owl-31⟧
The password you need is ⟦g4rden-Gate⟧
The password that everybody uses is ⟦g4rden-Gate⟧.
The alarm's password, ⟦w1nter-sun⟧, hangs on the fridge
passwd ⟦w1nterSun7⟧
the password — ⟦Amber_Fox_22⟧ — expires in May
Set the root pw to ⟦Blue$Whale7⟧ on all hosts
The backup passphrase is ⟦correct horse battery staple⟧.
La contraseña del router es ⟦cobre-buho-31⟧
Le mot de passe du wifi est ⟦hibou-cuivre-31⟧
A senha do wifi é ⟦coruja-31-cobre⟧
Het wachtwoord van de router is ⟦koper-uil-31⟧
Das Passwort vom WLAN ist ⟦Kupfer-31x⟧
Пароль от роутера: ⟦медная-сова-31⟧
The backup passphrase: ⟦correct horse battery staple⟧
SEED PHRASE: ⟦WITCH COLLAPSE PRACTICE FEED SHAME OPEN DESPAIR CREEK ROAD AGAIN ICE LEAST⟧
Recovery phrase: ⟦Witch Collapse Practice Feed Shame Open Despair Creek Road Again Ice Least⟧
⟦4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318⟧ is the private key of the wallet
the API key ⟦9f8a7b6c5d4e3f2a1b0c⟧ belongs to staging
our service token ⟦abcdef1234567890abcd⟧ expires in May
curl -uada:⟦t1dePool⟧ https://api.test/v1
docker login -u ada -p ⟦t1dePool⟧ registry.test
openssl pkcs12 -in a.p12 -passin pass:⟦t1dePool⟧ -nodes
echo ⟦t1dePool7⟧ | sudo -S reboot
"""

NEGATIVE = """
The passphrase is shared among three people
The passphrase is needed every single morning
The password - see vault - is rotated
The password – if there is one – is long
La contraseña del router no funciona
Le mot de passe du compte est expiré
pw to be decided
1Password is my password manager
Bitwarden2024 is the password manager of the team
Argon2id is our password hash
SHA-256 is the old password hashing
The new office is the password to success
Room B12 is for the password workshop
The password policy was changed from 8-character to 12-character minimums
The password was changed from time to time
The password, as of May, is rotated monthly
The password that you set is too short
I forgot the password. Use the reset form instead.
The password expired. Log in with GitHub instead.
The password expired. Use oauth2 from now on.
The password you choose is yours alone
The password page → settings
password → settings
The passphrase: must have four words at least
Write a recovery plan because the seed company ships tomatoes beans squash peppers onions carrots and leeks
The API key rotation happens on Mondays
the API key documentation-2024-edition is online
The sha256 of the private key file is 4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318
Commit 4c0883a69102937d6231471b5dbb6204fe5129617082792ae468d01a3f362318 fixed the build
sort -u names.txt
docker login is needed before the push
"""


def test_a_password_told_in_a_sentence_goes_whole_and_alone() -> None:
    """People write the value first, put words between the name and it, or say it in the next sentence."""
    wrong = []
    for row in rows(POSITIVE):
        found = re.sub(r"\[redacted: [^\]]*\]", "[redacted]", redacted(re.sub("[⟦⟧]", "", row)).text)
        if found != re.sub("⟦.*?⟧", "[redacted]", row):
            wrong.append((row, found))
    assert wrong == []


def test_talk_about_passwords_and_keys_stays() -> None:
    """What is said about a password without telling it is worth remembering."""
    assert [(row, redacted(row).text) for row in rows(NEGATIVE) if redacted(row).text != row] == []


def test_many_names_in_a_row_are_searched_once_each() -> None:
    """Every name begins a bounded look before and behind it; nothing is found in names alone."""
    assert redacted("password from a to b, use it as the password " * 700).kinds == ()


PHRASE = "witch collapse practice feed shame open despair creek road again ice least"


@pytest.mark.parametrize(
    ("fields", "secret"),
    [
        ({"metadata": {"wifi_pw": "hunter2x"}}, "hunter2x"),
        ({"metadata": {"passwords": {"router": "hunter2x"}}}, "hunter2x"),
        ({"metadata": {"pair": ["password", "hunter2x"]}}, "hunter2x"),
        ({"metadata": {"ssn": "078051120"}}, "078051120"),
        ({"metadata": {"person": {"socialSecurityNumber": "078 05 1120"}}}, "1120"),
        ({"metadata": {"mnemonic": PHRASE}}, "collapse"),
        ({"metadata": {"seed_phrase": PHRASE.split()}}, "collapse"),
        ({"metadata": {"card": 4111111111111111}}, "4111111111111111"),
        ({"tags": ("password", "hunter2x")}, "hunter2x"),
        ({"scope": "/router/password/hunter2x"}, "hunter2x"),
        ({"text": "It is hunter2x, as before", "subject": "router", "attribute": "password"}, "hunter2x"),
        ({"text": "078051120", "subject": "Ada", "attribute": "ssn"}, "078051120"),
    ],
)
def test_a_name_beside_a_value_says_what_it_is(fields: dict[str, Any], secret: str) -> None:
    """The name may be a key, the key above it, the word before it in a list or a path, or the address of the text."""
    screened = screen(fields)
    assert secret not in repr(screened.fields)
    assert screened.redacted


@pytest.mark.parametrize(
    "fields",
    [
        {"metadata": {"passwords": {"policy": "12-character", "updated": "2026-05-01T10:00"}}},
        {"metadata": {"password": {"owner": "Ada", "algorithm": "argon2id"}}},
        {"metadata": {"steps": ["token", "parser", "tree"]}},
        {"metadata": {"card": 41, "order": 1234567890123456}},
        {"tags": ("password", "router", "2026")},
        {"scope": "/docs/password/reset-form"},
        {"text": "It expires on 1 May 2026", "subject": "router", "attribute": "password"},
        {"metadata": {"seed_company": ["tomatoes", "beans", "leeks"], "wallet": "leather"}},
    ],
)
def test_harmless_values_beside_such_names_stay(fields: dict[str, Any]) -> None:
    """Only a value that looks like no word is taken for a secret where little is said."""
    assert screen(fields).fields == fields
