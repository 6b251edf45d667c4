"""The shapes of the keys and tokens that vendors hand out, so that each is known wherever it stands.

A shape has cues, plain strings one of which must be in the text before the pattern is tried at all, and a pattern
whose group `secret`, or whose whole, is what goes. Every pattern begins at a literal and repeats single characters
only, so that no text makes it slow; and it must not continue a word nor be continued by one.
"""

from __future__ import annotations

import re
from typing import Final, NamedTuple

from ..lazy_regex import lazily

_START = r"(?<![A-Za-z0-9_])"
_END = r"(?![A-Za-z0-9_])"


class Shape(NamedTuple):
    """What one vendor's secret looks like."""

    kind: str  # in plain words, as the marker says it
    cues: tuple[str, ...]
    pattern: re.Pattern[str]


def _token(kind: str, cues: str, pattern: str) -> Shape:
    """A secret known by its own letters."""
    return Shape(kind, tuple(cues.split()), lazily(f"{_START}(?:{pattern}){_END}", re.ASCII))


def _in_place(kind: str, cues: str, pattern: str) -> Shape:
    """A secret known by what stands before it; the pattern says which group goes."""
    return Shape(kind, tuple(cues.split()), lazily(pattern, re.ASCII))


_UUID = "[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}"

SHAPES: Final = (
    # Clouds
    _token("AWS access key", "AKIA ASIA ABIA ACCA", "(?:AKIA|ASIA|ABIA|ACCA)[A-Z0-9]{16}"),
    _in_place(
        "AWS secret key",
        "AKIA ASIA",
        r"(?:AKIA|ASIA)[A-Z0-9]{16}[\s\"',:;/|]{1,4}(?:[A-Za-z_ ]{0,40}[=:]\s{0,4}[\"']?)?"
        r"(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/])",
    ),
    _in_place(
        "AWS secret key",
        "ecret ECRET",
        r"(?i:secret[_ -]?(?:access[_ -]?)?key)[\"']?[\s:=\"'>]{1,6}(?:is"
        r" )?(?P<secret>[A-Za-z0-9+/]{40})(?![A-Za-z0-9+/=])",
    ),
    _token("AWS API key", "ABSK bedrock-api-key-", "(?:ABSK|bedrock-api-key-)[A-Za-z0-9+/]{90,}={0,2}"),
    _token("Amazon marketplace token", "amzn.mws.", rf"amzn\.mws\.{_UUID}"),
    _token("Google API key", "AIza", "AIza[0-9A-Za-z_-]{35}"),
    _token("Google client secret", "GOCSPX-", "GOCSPX-[0-9A-Za-z_-]{24,32}"),
    _token("Google access token", "ya29.", r"ya29\.[0-9A-Za-z_.-]{20,}"),
    _token("Google refresh token", "1//0", "1//0[0-9A-Za-z_-]{30,}"),
    _in_place("Azure account key", "AccountKey=", "AccountKey=(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})"),
    _in_place("Azure shared access key", "AccessKey=", "SharedAccessKey=(?P<secret>[A-Za-z0-9+/]{40,100}={0,2})"),
    _token("Azure client secret", "Q~", r"[A-Za-z0-9_~.]{3}\dQ~[A-Za-z0-9_~.-]{31,34}"),
    _token("Azure DevOps token", "AZDO", "[A-Za-z0-9]{76}AZDO[A-Za-z0-9]{4}"),
    _in_place(
        "signed URL",
        "ignature= sig=",
        r"[?&](?i:x-amz-signature|x-goog-signature|signature|sig)=(?P<secret>[A-Za-z0-9%+/=_-]{24,})",
    ),
    _token("Alibaba access key", "LTAI", "LTAI[A-Za-z0-9]{16,20}"),
    _token("Tencent access key", "AKID", "AKID[A-Za-z0-9]{32}"),
    _token("DigitalOcean token", "_v1_", "do[opr]_v1_[a-f0-9]{64}"),
    _token(
        "Cloudflare key", "v1.0- cfut_ cfat_ cfk_", "v1[.]0-[a-f0-9]{24}-[a-f0-9]{100,}|cf(?:ut|at|k)_[A-Za-z0-9]{36,}"
    ),
    _token("Fly.io token", "fo1_ fm1 fm2", "fo1_[A-Za-z0-9_-]{40,}|fm[12][ar]?_[A-Za-z0-9+/]{60,}={0,2}"),
    _token("Heroku key", "HRKU-", "HRKU-[A-Za-z0-9_-]{30,}"),
    _token("Netlify token", "nfp_ nfc_ nfo_ nfu_ nfb_", "nf[pcoub]_[A-Za-z0-9]{30,}"),
    _token("Vercel token", "vcp_ vci_ vca_ vcr_ vck_", "vc[piark]_[A-Za-z0-9]{24,}"),
    _token("Supabase key", "sbp_ sb_secret_", "sbp_[a-f0-9]{40}|sb_secret_[A-Za-z0-9_-]{20,}"),
    _token("PlanetScale token", "pscale_", "pscale_(?:tkn|oauth|pw)_[A-Za-z0-9_=.-]{32,}"),
    _token("Databricks token", "dapi", "dapi[a-f0-9]{32}(?:-[0-9])?"),
    _token("Terraform token", ".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[A-Za-z0-9_=-]{60,}"),
    _token("Vault token", "hvs. hvb. hvr.", r"hv[sbr]\.[A-Za-z0-9_-]{24,}"),
    _token("Doppler token", "dp.", r"dp\.(?:pt|st|ct|sa|scim|audit)\.(?:[a-z0-9_-]{2,35}\.)?[A-Za-z0-9]{40,44}"),
    _token("Pulumi token", "pul-", "pul-[a-f0-9]{40}"),
    _token("Tailscale key", "tskey-", "tskey-[a-z]{2,10}-[A-Za-z0-9-]{16,}"),
    # Code and packages
    _token("GitHub token", "ghp_ gho_ ghu_ ghs_ ghr_", "gh[pousr]_[A-Za-z0-9]{30,255}"),
    _token("GitHub token", "github_pat_", "github_pat_[A-Za-z0-9_]{22,255}"),
    _token(
        "GitLab token",
        "glpat- gldt- glrt- glcbt- glptt- glft- glimt- glagent- gloas- glsoat- glffct-",
        "gl(?:pat|dt|rt|cbt|ptt|ft|imt|agent|oas|soat|ffct)-[A-Za-z0-9_.-]{20,}",
    ),
    _token("Bitbucket token", "ATBB ATCTT3", "ATBB[A-Za-z0-9]{24,}|ATCTT3[A-Za-z0-9_=-]{60,}"),
    _token("npm token", "npm_", "npm_[A-Za-z0-9]{36}"),
    _token("PyPI token", "pypi-", "pypi-[A-Za-z0-9_-]{50,}"),
    _token("RubyGems key", "rubygems_", "rubygems_[a-f0-9]{48}"),
    _token("crates.io token", "cio", "cio[A-Za-z0-9]{32}"),
    _token("NuGet key", "oy2", "oy2[a-z0-9]{43}"),
    _token("Clojars token", "CLOJARS_", "CLOJARS_[a-z0-9]{60}"),
    _token("Docker token", "dckr_", "dckr_(?:pat|oat)_[A-Za-z0-9_-]{20,}"),
    _token("Artifactory token", "AKCp", "AKCp[A-Za-z0-9]{50,}"),
    _token("CircleCI token", "CCIPAT_", "CCIPAT_[A-Za-z0-9]{22}_[a-f0-9]{40}"),
    _token("Buildkite token", "bkua_", "bkua_[a-f0-9]{40}"),
    _token("SonarQube token", "squ_ sqp_ sqa_", "sq[upa]_[a-f0-9]{40}"),
    _token("Sourcegraph token", "sgp_", "sgp_[A-Za-z0-9_]{40,}"),
    # Language models
    _token("Anthropic key", "sk-ant-", "sk-ant-[a-z0-9]{2,10}-[A-Za-z0-9_-]{20,}"),
    _token("OpenRouter key", "sk-or-", "sk-or-v[0-9]-[a-f0-9]{40,}"),
    _token("OpenAI key", "sk-", "sk-(?:(?:proj|svcacct|admin|None)-[A-Za-z0-9_-]{20,}|[A-Za-z0-9]{32,})"),
    _token("API key", "sk-lf- csk- fc-", f"sk-lf-{_UUID}|csk-[a-z0-9]{{40,}}|fc-[a-f0-9]{{32}}"),
    _token("Hugging Face token", "hf_ api_org_", "(?:hf_|api_org_)[A-Za-z0-9]{30,}"),
    _token("Groq key", "gsk_", "gsk_[A-Za-z0-9]{40,}"),
    _token("xAI key", "xai-", "xai-[A-Za-z0-9]{60,}"),
    _token("Perplexity key", "pplx-", "pplx-[A-Za-z0-9]{40,}"),
    _token("Replicate token", "r8_", "r8_[A-Za-z0-9]{36,}"),
    _token("NVIDIA key", "nvapi-", "nvapi-[A-Za-z0-9_-]{50,}"),
    _token("Pinecone key", "pcsk_", "pcsk_[A-Za-z0-9_]{40,}"),
    _token("LangSmith key", "lsv2_", "lsv2_(?:pt|sk)_[a-f0-9]{32}_[a-f0-9]{10}"),
    _token(
        "API key", "tvly- jina_ tgp_v1_", "tvly-[A-Za-z0-9-]{28,}|jina_[A-Za-z0-9_-]{50,}|tgp_v1_[A-Za-z0-9_-]{40,}"
    ),
    # Talk
    _token("Slack token", "xox", "xox[abceoprs]-[A-Za-z0-9-]{10,}"),
    _token("Slack token", "xapp-", "xapp-[0-9]-[A-Za-z0-9-]{20,}"),
    _token(
        "Slack webhook",
        "hooks.slack.com",
        r"https://hooks\.slack\.com/(?:services|workflows|triggers)/[A-Za-z0-9+/]{20,}",
    ),
    _token("Discord token", ".", r"[MNO][A-Za-z0-9_-]{23,27}\.[A-Za-z0-9_-]{6,7}\.[A-Za-z0-9_-]{27,40}"),
    _token(
        "Discord webhook",
        "/api/webhooks/",
        r"https://(?:[a-z]{2,8}\.)?discord(?:app)?\.com/api/webhooks/[0-9]{15,22}/[A-Za-z0-9_-]{40,}",
    ),
    _token(
        "Teams webhook",
        ".webhook.office.com",
        r"https://[a-z0-9-]{1,60}\.webhook\.office\.com/webhookb2/[A-Za-z0-9@/-]{40,}",
    ),
    _token("Telegram bot token", ":A", r"[0-9]{6,11}:A[A-Za-z][A-Za-z0-9_-]{32,34}"),
    _token("Twilio key", "SK", "SK[0-9a-f]{32}"),
    _token("SendGrid key", "SG.", r"SG\.[A-Za-z0-9_-]{16,32}\.[A-Za-z0-9_-]{16,64}"),
    _token("Mailgun key", "key-", "key-[0-9a-f]{32}"),
    _token("Mailgun key", "-", "[0-9a-f]{32}-[0-9a-f]{8}-[0-9a-f]{8}"),
    _token("Mailchimp key", "-us", "[0-9a-f]{32}-us[0-9]{1,2}"),
    _token("Brevo key", "xkeysib- xsmtpsib-", "x(?:key|smtp)sib-[a-f0-9]{64}-[A-Za-z0-9]{16}"),
    _token("Resend key", "re_", "re_[A-Za-z0-9]{8}_[A-Za-z0-9]{20,}"),
    # Money
    _token("Stripe key", "sk_live_ sk_test_ rk_live_ rk_test_", "[sr]k_(?:live|test)_[0-9A-Za-z]{10,}"),
    _token("webhook secret", "whsec_", "whsec_[A-Za-z0-9+/]{24,}={0,2}"),
    _token("ElevenLabs key", "sk_", "sk_[a-f0-9]{48}"),
    _token("Square token", "sq0", "sq0(?:atp|csp|idp)-[A-Za-z0-9_-]{22,43}"),
    _token("Square token", "EAAA", "EAAA[A-Za-z0-9_-]{60}"),
    _token("PayPal token", "access_token$", r"access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}"),
    _token("Plaid token", "access-", f"access-(?:sandbox|development|production)-{_UUID}"),
    _token("Razorpay key", "rzp_", "rzp_(?:live|test)_[A-Za-z0-9]{14,}"),
    _token("Flutterwave key", "FLWSECK", "FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,}-X"),
    _token("Shopify token", "shpat_ shpca_ shppa_ shpss_", "shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _token("EasyPost key", "EZAK EZTK", "EZ[AT]K[A-Za-z0-9]{54}"),
    _token("Shippo token", "shippo_", "shippo_(?:live|test)_[a-f0-9]{40}"),
    # Work
    _token("Linear key", "lin_", "lin_(?:api|oauth)_[A-Za-z0-9]{32,}"),
    _token("Notion token", "secret_ ntn_", "secret_[A-Za-z0-9]{43}|ntn_[A-Za-z0-9]{40,}"),
    _token("Atlassian token", "ATATT3", "ATATT3[A-Za-z0-9_=-]{60,}"),
    _token("Airtable token", "pat", r"pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    _token("HubSpot token", "pat-", f"pat-(?:na|eu|ap)[0-9]-{_UUID}"),
    _token("Asana token", "/", "[12]/[0-9]{10,20}(?:/[0-9]{10,20})?:[a-f0-9]{32}"),
    _token("Figma token", "figd_ figo_", "fig[do]_[A-Za-z0-9_-]{36,}"),
    _token("Postman key", "PMAK-", "PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    _token("Typeform token", "tfp_", r"tfp_[A-Za-z0-9._=-]{40,}"),
    _token("Contentful token", "CFPAT-", "CFPAT-[A-Za-z0-9_-]{40,}"),
    _token("Dropbox token", "sl.", r"sl\.(?:u\.)?[A-Za-z0-9_-]{60,}"),
    _token("1Password token", "ops_eyJ", "ops_eyJ[A-Za-z0-9_-]{60,}={0,2}"),
    # Watching
    _token("New Relic key", "NRAK- NRJS- NRII-", "NR(?:AK|JS|II)-[A-Za-z0-9_-]{19,40}"),
    _token("Grafana token", "glc_ glsa_", "glc_[A-Za-z0-9+/]{32,}={0,2}|glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"),
    _token("Sentry token", "sntrys_ sntryu_", "sntry[su]_[A-Za-z0-9+/=_]{60,}"),
    _token("Dynatrace token", "dt0", r"dt0[a-z][0-9]{2}\.[A-Z0-9]{24}\.[A-Z0-9]{64}"),
    _token("PostHog key", "phx_ phs_", "ph[xs]_[A-Za-z0-9]{40,}"),
    # People
    _token("Facebook token", "EAA", "EAA[A-Za-z0-9]{80,}"),
    _token("X bearer token", "AAAAAAAAAAAAAAAAAAAAA", "AAAAAAAAAAAAAAAAAAAAA[A-Za-z0-9%]{30,}"),
    # Keys and tickets of no vendor
    _in_place(
        "password hash",
        "$",
        r"(?<![A-Za-z0-9$])(?P<secret>\$(?:[1567y]|2[abxy]?|gy|apr1|sha1|md5|[PH]|argon2(?:id?|d)|scrypt|pbkdf2[\w-]{0,10})\$"
        r"[A-Za-z0-9./+=,$-]{16,250}|(?:pbkdf2|bcrypt|scrypt|argon2)_?\w{0,12}\$[A-Za-z0-9./+=,$-]{24,250})",
    ),
    _in_place(
        "password hash", "{S {s {M {C", r"\{(?i:S?SHA(?:256|512)?|S?MD5|CRYPT)\}(?P<secret>[A-Za-z0-9+/=.$]{13,200})"
    ),
    _token("recovery key", "-", r"(?:\d{6}-){7}\d{6}"),
    _token("age key", "AGE-SECRET-KEY-1", "AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _token("web token", "eyJ", r"(?<!-)eyJ[A-Za-z0-9_-]{8,}\.[A-Za-z0-9_-]{8,}(?:\.[A-Za-z0-9_-]*){1,3}"),
    _in_place(
        "bearer token",
        "earer EARER",
        r"(?i:bearer)[\s:=]{1,3}[\"']?(?P<secret>(?=[A-Za-z._~+/=-]{0,60}[0-9])[A-Za-z0-9._~+/=-]{16,})",
    ),
    _in_place(
        "session cookie",
        "ookie",
        r"(?i:session(?:_?id)?|sid|phpsessid|jsessionid)=(?P<secret>[A-Za-z0-9%._-]{16,})",
    ),
)
