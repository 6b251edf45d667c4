"""Secrets go and everything else stays: each kind that is known, and what only looks like one.

No secret here is one. Those that a scanner would take for real are not written in one piece; the others, and what
stays, stand in `tests/phrases/secrets.toml`.
"""

from __future__ import annotations

import base64
import re

from hypothesis import given
from hypothesis import strategies as st

from ebbing.text.screening.secret_assignments import named_secrets
from ebbing.text.screening.secrets import Redaction, redacted, shapes
from tests.steps import faster_than_linear
from tests.tables import each_row, rows


def mixed(length: int) -> str:
    return ("aB3dE6gH9jK2mN5pQ8sT1vW4xY7z" * 10)[:length]


def digits(length: int) -> str:
    return ("7194" + "3058261749" * 12)[:length]


def hexes(length: int) -> str:
    return ("7b3f9a1c5d8e2460" * 12)[:length]


def upper(length: int) -> str:
    return ("Q3XZ7PLM5TRK2WNB" * 12)[:length]


UUID = "-".join((hexes(8), "4f1a", "4b2c", "9d3e", hexes(12)))

SHAPED: dict[str, tuple[str, ...]] = {
    "password hash": (
        "$ap" + "r1$" + mixed(8) + "$" + mixed(22),
        "$2" + "y$05$" + mixed(53),
        "{SS" + "HA}" + mixed(32),
    ),
    "recovery key": ("-".join(["718294"] * 8),),
    "AWS access key": ("AK" + "IA" + upper(16), "AS" + "IA" + upper(16)),
    "AWS secret key": ("secret access key: " + mixed(40), "SecretAccessKey = " + mixed(40)),
    "AWS API key": ("AB" + "SK" + mixed(96),),
    "Amazon marketplace token": ("amzn" + ".mws." + UUID,),
    "Google API key": ("AI" + "za" + mixed(35),),
    "Google client secret": ("GOC" + "SPX-" + mixed(28),),
    "Google access token": ("ya" + "29." + mixed(60),),
    "Google refresh token": ("1//" + "0" + mixed(40),),
    "Azure account key": ("AccountName=x;Account" + "Key=" + mixed(86) + "==",),
    "Azure shared access key": ("Endpoint=sb://x;SharedAccess" + "Key=" + mixed(43) + "=",),
    "Azure client secret": (mixed(3) + "8Q" + "~" + mixed(34),),
    "Azure DevOps token": (mixed(76) + "AZ" + "DO" + mixed(4),),
    "signed URL": (
        "https://s.example/x?a=1&X-Amz-Signat" + "ure=" + hexes(64),
        "https://s.example/x?sv=1&si" + "g=" + mixed(43),
    ),
    "Alibaba access key": ("LT" + "AI" + mixed(20),),
    "Tencent access key": ("AK" + "ID" + mixed(32),),
    "DigitalOcean token": ("do" + "p_v1_" + hexes(64),),
    "Cloudflare key": ("v1" + ".0-" + hexes(24) + "-" + hexes(146), "cf" + "ut_" + mixed(40)),
    "Fly.io token": ("fo" + "1_" + mixed(43),),
    "Heroku key": ("HR" + "KU-" + mixed(36),),
    "Netlify token": ("nf" + "p_" + mixed(36),),
    "Vercel token": ("vc" + "p_" + mixed(24),),
    "Supabase key": ("sb" + "p_" + hexes(40), "sb_" + "secret_" + mixed(30)),
    "PlanetScale token": ("pscale" + "_tkn_" + mixed(43),),
    "Databricks token": ("da" + "pi" + hexes(32),),
    "Terraform token": (mixed(14) + ".atlas" + "v1." + mixed(67),),
    "Vault token": ("hv" + "s." + mixed(90),),
    "Doppler token": ("dp" + ".pt." + mixed(43),),
    "Pulumi token": ("pu" + "l-" + hexes(40),),
    "Tailscale key": ("ts" + "key-auth-" + mixed(12) + "-" + mixed(30),),
    "GitHub token": (
        "gh" + "p_" + mixed(36),
        "github" + "_pat_" + mixed(22) + "_" + mixed(59),
        "gh" + "s_" + mixed(36),
    ),
    "GitLab token": ("gl" + "pat-" + mixed(20),),
    "Bitbucket token": ("AT" + "BB" + mixed(32),),
    "npm token": ("np" + "m_" + mixed(36),),
    "PyPI token": ("py" + "pi-" + mixed(150),),
    "RubyGems key": ("ruby" + "gems_" + hexes(48),),
    "crates.io token": ("ci" + "o" + mixed(32),),
    "NuGet key": ("oy" + "2" + hexes(43),),
    "Clojars token": ("CLO" + "JARS_" + hexes(60),),
    "Docker token": ("dckr" + "_pat_" + mixed(27),),
    "Artifactory token": ("AK" + "Cp" + mixed(69),),
    "CircleCI token": ("CCI" + "PAT_" + mixed(22) + "_" + hexes(40),),
    "Buildkite token": ("bk" + "ua_" + hexes(40),),
    "SonarQube token": ("sq" + "u_" + hexes(40),),
    "Sourcegraph token": ("sg" + "p_" + hexes(40),),
    "Anthropic key": ("sk-" + "ant-api03-" + mixed(90),),
    "OpenRouter key": ("sk-" + "or-v1-" + hexes(64),),
    "OpenAI key": ("sk-" + "proj-" + mixed(80), "sk" + "-" + mixed(48)),
    "API key": ("sk-" + "lf-" + UUID, "tv" + "ly-" + mixed(32)),
    "Hugging Face token": ("hf" + "_" + mixed(34),),
    "Groq key": ("gs" + "k_" + mixed(52),),
    "xAI key": ("xa" + "i-" + mixed(80),),
    "Perplexity key": ("pp" + "lx-" + mixed(48),),
    "Replicate token": ("r" + "8_" + mixed(37),),
    "NVIDIA key": ("nv" + "api-" + mixed(64),),
    "Pinecone key": ("pc" + "sk_" + mixed(60),),
    "LangSmith key": ("ls" + "v2_pt_" + hexes(32) + "_" + hexes(10),),
    "Slack token": (
        "xo" + "xb-" + digits(12) + "-" + mixed(24),
        "xa" + "pp-1-" + upper(11) + "-" + digits(12) + "-" + hexes(40),
    ),
    "Slack webhook": ("https://hooks." + "slack.com/services/" + upper(9) + "/" + upper(11) + "/" + mixed(24),),
    "Discord token": ("M" + mixed(25) + "." + mixed(6) + "." + mixed(38),),
    "Discord webhook": ("https://dis" + "cord.com/api/webhooks/" + digits(18) + "/" + mixed(68),),
    "Teams webhook": ("https://x.webhook" + ".office.com/webhookb2/" + UUID + "@" + UUID,),
    "Telegram bot token": (digits(10) + ":" + "AA" + mixed(33),),
    "Twilio key": ("S" + "K" + hexes(32),),
    "SendGrid key": ("S" + "G." + mixed(22) + "." + mixed(43),),
    "Mailgun key": ("ke" + "y-" + hexes(32), hexes(32) + "-" + hexes(8) + "-" + hexes(8)),
    "Mailchimp key": (hexes(32) + "-us" + "12",),
    "Brevo key": ("xkey" + "sib-" + hexes(64) + "-" + mixed(16),),
    "Resend key": ("r" + "e_" + mixed(8) + "_" + mixed(24),),
    "Stripe key": ("sk" + "_live_" + mixed(24), "rk" + "_test_" + mixed(24)),
    "webhook secret": ("wh" + "sec_" + mixed(32),),
    "ElevenLabs key": ("s" + "k_" + hexes(48),),
    "Square token": ("sq" + "0atp-" + mixed(22), "EA" + "AA" + mixed(60)),
    "PayPal token": ("access" + "_token$production$" + hexes(16) + "$" + hexes(32),),
    "Plaid token": ("access-" + "production-" + UUID,),
    "Razorpay key": ("rz" + "p_live_" + mixed(14),),
    "Flutterwave key": ("FLW" + "SECK-" + mixed(32) + "-X",),
    "Shopify token": ("sh" + "pat_" + hexes(32),),
    "EasyPost key": ("EZ" + "AK" + mixed(54),),
    "Shippo token": ("ship" + "po_live_" + hexes(40),),
    "Linear key": ("li" + "n_api_" + mixed(40),),
    "Notion token": ("nt" + "n_" + mixed(46), "sec" + "ret_" + mixed(43)),
    "Atlassian token": ("ATA" + "TT3" + mixed(180),),
    "Airtable token": ("pa" + "t" + mixed(14) + "." + hexes(64),),
    "HubSpot token": ("pa" + "t-na1-" + UUID,),
    "Asana token": ("1/" + digits(16) + ":" + hexes(32),),
    "Figma token": ("fi" + "gd_" + mixed(40),),
    "Postman key": ("PM" + "AK-" + hexes(24) + "-" + hexes(34),),
    "Typeform token": ("tf" + "p_" + mixed(59),),
    "Contentful token": ("CF" + "PAT-" + mixed(43),),
    "Dropbox token": ("s" + "l." + mixed(136),),
    "1Password token": ("op" + "s_eyJ" + mixed(120),),
    "New Relic key": ("NR" + "AK-" + upper(27),),
    "Grafana token": ("gl" + "sa_" + mixed(32) + "_" + hexes(8),),
    "Sentry token": ("sn" + "tryu_" + hexes(64),),
    "Dynatrace token": ("dt" + "0c01." + upper(24) + "." + upper(64),),
    "PostHog key": ("ph" + "x_" + mixed(43),),
    "Facebook token": ("EA" + "AC" + mixed(120),),
    "X bearer token": ("A" * 21 + mixed(60),),
    "age key": ("AGE-SECRET" + "-KEY-1" + upper(58),),
    "web token": ("ey" + "J" + mixed(33) + ".ey" + "J" + mixed(60) + "." + mixed(43),),
    "bearer token": ("Authorization: Bearer " + mixed(30),),
    "session cookie": ("Cookie: theme=dark; PHPSESS" + "ID=" + mixed(26),),
}


@each_row(("kind", "secret"), [(kind, one) for kind, several in SHAPED.items() for one in several])
def test_a_vendors_secret_goes_and_its_kind_is_told(kind: str, secret: str) -> None:
    """Wherever it stands; the sentence around it stays as it was."""
    found = redacted(f"We used {secret} until May.")
    assert found.kinds == (kind,)
    assert found.text.startswith("We used ")
    assert found.text.endswith(f"[redacted: {kind}] until May.")
    assert secret[-8:] not in found.text


def test_every_shape_that_is_known_is_shown_here() -> None:
    """A shape nobody tried could match nothing."""
    assert {shape.kind for shape in shapes()} == set(SHAPED)
    assert len(shapes()) >= 45


BASIC = base64.b64encode(b"admin:" + b"hunter2").decode()
LINES = "\n".join(mixed(64) for _ in range(4))

BUILT = [
    (f"export TOKEN={hexes(32)}", "export TOKEN=[redacted: token]"),
    (f'API_KEY: "{mixed(20)}"', 'API_KEY: "[redacted: API key]"'),
    (f'"client_secret": "{mixed(15)}"', '"client_secret": "[redacted: secret]"'),
    (f"X-API-Key: {hexes(20)}", "X-API-Key: [redacted: API key]"),
    (f"the API key is {hexes(24)}.", "the API key is [redacted: API key]."),
    (f"heroku api key: {UUID}", "heroku api key: [redacted: API key]"),
    (
        f"https://x.example/cb?access_token={mixed(24)}&state=1",
        "https://x.example/cb?access_token=[redacted: token]&state=1",
    ),
    (f"Authorization: Basic {BASIC}", "Authorization: Basic [redacted: basic authorization]"),
    (f"-----BEGIN PRIVATE KEY-----\n{LINES}\n-----END PRIVATE KEY-----\nKeep it.", "[redacted: private key]\nKeep it."),
    (
        f"-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\n\n{LINES}\n-----END RSA PRIVATE KEY-----",
        "[redacted: private key]",
    ),
    (f"-----BEGIN OPENSSH PRIVATE KEY-----\n{LINES}\n-----END OPENSSH PRIVATE KEY-----", "[redacted: private key]"),
    (
        f"-----BEGIN PGP PRIVATE KEY BLOCK-----\nVersion: 2\n\n{LINES}\n-----END PGP PRIVATE KEY BLOCK-----",
        "[redacted: private key]",
    ),
    (
        '{"private_key": "-----BEGIN PRIVATE KEY-----\\n'
        + LINES.replace("\n", "\\n")
        + '\\n-----END PRIVATE KEY-----\\n"}',
        '{"private_key": "[redacted: private key]\\n"}',
    ),
    (
        f"-----BEGIN EC PRIVATE KEY-----\n{mixed(64)}\n{mixed(64)}\nThe rest was cut",
        "[redacted: private key]\nThe rest was cut",
    ),
]
NAMED = [*map(tuple, rows("secrets", "kinds")), *BUILT]
MARKED = rows("secrets", "marked")
KEPT = rows("secrets", "kept")


@each_row(("text", "expected"), NAMED)
def test_only_the_secret_itself_goes(text: str, expected: str) -> None:
    """Names, quotes, hosts and the end of the sentence stay."""
    assert redacted(text).text == expected


@each_row("row", MARKED)
def test_every_secret_goes_whole_and_alone(row: str) -> None:
    """Half a password is a hint at the rest, and what stands around it is what was worth remembering."""
    once = redacted(re.sub("[⟦⟧]", "", row)).text
    assert re.sub(r"\[redacted: [^\]]*\]", "⟦⟧", once) == re.sub("⟦.*?⟧", "⟦⟧", row)
    assert redacted(once).text == once, "an import screens what was screened before"


@each_row("text", KEPT)
def test_what_only_looks_like_a_secret_stays(text: str) -> None:
    """Numbers, versions, hashes, flags and talk about passwords are what people remember every day."""
    assert redacted(text) == Redaction(text, ())


def test_a_token_in_full_width_letters_is_a_token() -> None:
    """Whoever pastes from a Japanese keyboard gives away the same key."""
    token = "gh" + "p_" + mixed(36)
    assert redacted("".join(chr(ord(letter) + 0xFEE0) for letter in token)).text == "[redacted: GitHub token]"


def test_kinds_are_told_in_the_order_of_the_text() -> None:
    """One for each secret, also for two of a kind."""
    first, second = "gh" + "p_" + mixed(36), "AK" + "IA" + upper(16)
    found = redacted(f"{first}, then {second}, then {first} and password=hunter2")
    assert found.kinds == ("GitHub token", "AWS access key", "GitHub token", "password")


def test_a_named_token_of_a_known_vendor_is_told_by_its_vendor() -> None:
    """What overlaps is one secret, and the surer name wins."""
    assert redacted("API_KEY=" + "gh" + "p_" + mixed(36)).kinds == ("GitHub token",)
    assert redacted("password=abc/" + "gh" + "p_" + mixed(36)) == Redaction(
        "password=[redacted: GitHub token]", ("GitHub token",)
    )


def test_the_secret_key_beside_its_access_key_goes_too() -> None:
    """AWS hands out two, and people note both on one line."""
    found = redacted("AK" + "IA" + upper(16) + " / " + mixed(40))
    assert found == Redaction(
        "[redacted: AWS access key] / [redacted: AWS secret key]", ("AWS access key", "AWS secret key")
    )


def test_places_agree_where_small_letters_are_longer_than_capitals() -> None:
    """The capital İ has a small form of two characters."""
    assert redacted("İİİ password=hunter2 İ").text == "İİİ password=[redacted: password] İ"


pieces = st.one_of(
    st.sampled_from([one for several in SHAPED.values() for one in several]),
    st.sampled_from([text for text, _ in NAMED]),
    st.sampled_from([expected for _, expected in NAMED]),
    st.sampled_from(KEPT),
    st.sampled_from(
        [" ", "", ":", "=", '"', "'", ", ", "-", ".", "@", "/", "(", "[", "]", "\n", "\\n", "password", "token is", "é"]
    ),
    st.text(max_size=8),
)


@given(st.lists(pieces, max_size=6).map("".join))
def test_what_was_redacted_is_not_redacted_again(text: str) -> None:
    """However secrets, names and markers stand against each other."""
    once = redacted(text)
    assert redacted(once.text) == Redaction(once.text, ())


@given(st.text())
def test_text_without_findings_comes_back_as_it_was(text: str) -> None:
    """And the number of markers is the number of kinds."""
    found = redacted(text)
    assert (found.text == text) == (found.kinds == ())
    assert found.text.count("[redacted: ") - text.count("[redacted: ") == len(found.kinds)


@each_row(
    "unit",
    [
        *(
            "password=",
            'password:"',
            "token is ",
            "password for a ",
            "user a password ",
            "api_key=\\",
            "password=(",
            "password=)",
        ),
        *("-----BEGIN PRIVATE KEY-----", "ey" + "Jaaaaaaaa-", "ey" + "Jaaaaaaaa.", "a.", "a-", "a_", "0", "4 ", "4-"),
        *("://a:", "://a:b@", "://:@", "bearer ", "basic aaaaaaaa", "sk-" + "ant-aa-", "[redacted: x]", "secret key "),
        *(
            "1/1111111111",
            "M" + "a" * 24 + ".",
            "login is a/",
            "PIN for ",
            " -u a:",
            '"',
            "'",
            "İ",
            "{",
            "x",
            "password=a.",
        ),
        *("PIN, ", "the door code is ", "IBAN DE89 ", "pin ", "code of the ", "seed ", "mysql -u a ", "password. It "),
        *("a:b@ ", "password from a to b, use it as the password "),
        *(
            "p a s s ",
            "p  a ",
            "a.a.a.a.a.a. ",
            "four ",
            "four,one-",
            "login a / ",
            "user a ",
            "password\n",
            "password\n\n--",
        ),
    ],
)
def test_no_text_makes_the_search_slow(unit: str) -> None:
    """Four times the text costs about four times the steps, not sixteen times."""
    assert faster_than_linear(redacted, unit, 1_024) is None


@each_row("unit", ["seed ", "mysql -u a ", "password. It ", "a:b@ ", "password from a to b, use it as the password "])
def test_names_alone_give_nothing_away(unit: str) -> None:
    """However many there are."""
    assert redacted(unit * 700).kinds == ()


@each_row("unit", ['password=a"b"', "password='a''b'", "密码是ab1,"])
def test_a_value_without_blanks_is_followed_for_a_bounded_stretch(unit: str) -> None:
    """Where each of thousands of names was followed to the end of the text, 32,000 characters took sixteen seconds."""
    found = list(named_secrets(unit * 2_000))
    assert max(one.end - one.start for one in found) < 1_024
