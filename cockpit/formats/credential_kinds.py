"""The detectors of credentials: detect-secrets' own, and further ones of its form (imported only where one is wanted).

Left out on purpose, since an ordinary letter is full of them: high entropy (commit ids, digests), public addresses,
and ``key: <44 characters>`` of one provider. Every pattern takes time in proportion to a line, also a hostile one: what
repeats is bounded, or begins only where a word does. The network is never asked: a plugin's ``verify`` is not called.
"""

from __future__ import annotations

import re
from collections.abc import Generator, Iterable
from itertools import chain

from detect_secrets.filters import heuristic
from detect_secrets.plugins.aws import AWSKeyDetector
from detect_secrets.plugins.azure_storage_key import AzureStorageKeyDetector
from detect_secrets.plugins.base import RegexBasedDetector
from detect_secrets.plugins.discord import DiscordBotTokenDetector
from detect_secrets.plugins.gitlab_token import GitLabTokenDetector
from detect_secrets.plugins.jwt import JwtTokenDetector
from detect_secrets.plugins.mailchimp import MailchimpDetector
from detect_secrets.plugins.pypi_token import PypiTokenDetector
from detect_secrets.plugins.sendgrid import SendGridDetector
from detect_secrets.plugins.slack import SlackDetector
from detect_secrets.plugins.square_oauth import SquareOAuthDetector
from detect_secrets.plugins.telegram_token import TelegramBotTokenDetector
from detect_secrets.plugins.twilio import TwilioKeyDetector

_INNER = re.compile(r"\w", re.ASCII)
_FILLER = re.compile(r"(.)\1{5}|example|placeholder|redacted|your[_-]|[.…]{3}|…", re.IGNORECASE)
_NAME = re.compile(
    r"[a-z]+(?:[-_.][a-z0-9]+)*|[A-Z][A-Z0-9_]*|[a-z0-9_.~-]*/[a-z0-9_./~-]*|[./~][\w./~-]*|[\w./-]+\.[a-z]{1,5}"
)
_DATED = re.compile(r"(?:[a-z]-)?\d{4}-?\d\d-?\d\d.*")
_ULID = re.compile(r"[0-7][0-9A-HJKMNP-TV-Z]{25}")
_DIGEST = re.compile(r"(?:[0-9a-f]{40}|[0-9a-f]{64}|sha(?:1|256|512)[:-].*)", re.IGNORECASE)
_CLASSES = (re.compile(r"[a-z]"), re.compile(r"[A-Z]"), re.compile(r"\d"), re.compile(r"[^\w.:/-]"))
_COMMON = frozenset(
    ("password", "passwd", "pass", "pwd", "secret", "token", "user", "username", "key", "x-access-token")
)


class _Token(RegexBasedDetector):
    """A token whose form says whose it is: a word of its own, and no filler such as ``AKIA…EXAMPLE`` or ``xxxxxx``."""

    secret_type = ""
    denylist: Iterable[re.Pattern[str]] = ()

    def __init__(self, secret_type: str, *patterns: str | re.Pattern[str]) -> None:
        self.secret_type = secret_type
        self.denylist = [re.compile(pattern) for pattern in patterns]

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        """Every match in a text, whole."""
        for found in chain.from_iterable(regex.finditer(string) for regex in self.denylist):
            before, after = string[max(found.start() - 1, 0) : found.start()], string[found.end() : found.end() + 1]
            inner = _INNER.match(before) and _INNER.match(found[0])
            if not (inner or _INNER.match(after) or _FILLER.search(found[0])):
                yield found[0]


class _Stated(RegexBasedDetector):
    """What a line states as the value of something: the one group of each pattern, where it is no reference or name."""

    secret_type = ""
    denylist: Iterable[re.Pattern[str]] = ()

    def __init__(self, secret_type: str, *patterns: str) -> None:
        self.secret_type = secret_type
        self.denylist = [re.compile(pattern, re.IGNORECASE) for pattern in patterns]

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        """Every value in a text that looks as if it was secret."""
        for found in chain.from_iterable(regex.finditer(string) for regex in self.denylist):
            if _secretive(found[1]):
                yield found[1]


class _InAddress(RegexBasedDetector):
    """``scheme://user:password@host``, the password; an image with its digest (``name:tag@sha256:…``) is none."""

    secret_type = "Basic Auth Credentials"  # noqa: S105  the name of a kind, as detect-secrets calls it
    denylist: Iterable[re.Pattern[str]] = [re.compile(r"://([^\s/:@<>]{0,256}):([^\s/@]{3,256})@(?!sha\d)")]

    def analyze_string(self, string: str) -> Generator[str, None, None]:
        """Every password in an address that is no placeholder."""
        for user, stated in chain.from_iterable(regex.findall(string) for regex in self.denylist):
            if stated.casefold() not in (_COMMON | {user.casefold()}) and not _unsaid(stated):
                yield stated


class _JWT(JwtTokenDetector):
    """Signed and encrypted ones. The pattern begins once a word; detect-secrets' own begins again at each ``eyJ``."""

    denylist = [re.compile(r"(?<![\w.=-])eyJ[\w=-]{8,}\.[\w=-]{4,}(?:\.[\w+/=-]+)?", re.ASCII)]  # noqa: RUF012


def _secretive(value: str) -> bool:
    """Whether a stated value can be a secret: letters and digits, or three kinds of characters; no name, no digest."""
    kinds = [bool(each.search(value)) for each in _CLASSES]
    mixed = (kinds[2] and (kinds[0] or kinds[1])) or sum(kinds) > 2
    named = _NAME.fullmatch(value) or _DATED.fullmatch(value) or _ULID.fullmatch(value) or _DIGEST.fullmatch(value)
    return mixed and not named and not _unsaid(value) and not heuristic.is_potential_uuid(value)


def _unsaid(value: str) -> bool:
    """Whether a value only stands for one: ``${TOKEN}``, ``<password>``, ``********``."""
    templated = heuristic.is_templated_secret(value) or value[0] in "$%<{["
    return templated or heuristic.is_not_alphanumeric_string(value) or bool(_FILLER.search(value))


_IS = r"[\"'`]?[ \t]{0,4}(?::=|=>|[:=])[ \t]{0,4}[\"'`]?"
_END = r"(?![\w(\[.])"
_PASSWORD = r"pass(?:word|wd|phrase)|pwd"  # noqa: S105  a pattern
_KEY = (
    r"(?:api|auth|access|bot|bearer|refresh|client|app|secret|signing|encryption|private|master)[_-]?(?:key|token|secret)"
    r"|secret|\w_token"
)
_VALUE = r"[^\s\"'`,;()\[\]{}<>|]"

DETECTORS: tuple[RegexBasedDetector, ...] = (
    _Token(AWSKeyDetector.secret_type, AWSKeyDetector.denylist[0]),
    _Token(AzureStorageKeyDetector.secret_type, *AzureStorageKeyDetector.denylist),
    _Token(DiscordBotTokenDetector.secret_type, *DiscordBotTokenDetector.denylist),
    _Token(GitLabTokenDetector.secret_type, *GitLabTokenDetector.denylist),
    _Token(MailchimpDetector.secret_type, *MailchimpDetector.denylist),
    _Token(PypiTokenDetector.secret_type, *PypiTokenDetector.denylist),
    _Token(SendGridDetector.secret_type, *SendGridDetector.denylist),
    _Token(SlackDetector.secret_type, *SlackDetector.denylist, r"xapp-\d-[A-Z0-9]{6,20}-\d{6,20}-[a-f0-9]{32,128}"),
    _Token(SquareOAuthDetector.secret_type, *SquareOAuthDetector.denylist),
    _Token(TelegramBotTokenDetector.secret_type, *TelegramBotTokenDetector.denylist),
    _Token(TwilioKeyDetector.secret_type, *TwilioKeyDetector.denylist),
    _JWT(),
    _InAddress(),
    _Token("Private Key", r"-----BEGIN [A-Z0-9 ]{0,32}PRIVATE KEY(?: BLOCK)?-----", r"AGE-SECRET-KEY-1[0-9A-Z]{58}"),
    _Token("GitHub Token", r"gh[pousr]_[A-Za-z0-9]{36,251}", r"github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}"),
    _Token("NPM tokens", r"npm_[A-Za-z0-9]{36}", r"(?<=:_authToken=)[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}"),
    _Token("OpenAI Token", r"(?<![\w-])sk-[\w-]{20,120}?T3BlbkFJ[\w-]{20,120}"),
    _Token("Stripe Access Key", r"(?:[rs]k_(?:live|test)|whsec)_[0-9a-zA-Z]{24,128}"),
    _Token("Anthropic API Key", r"sk-ant-[a-z0-9]{3,10}-[A-Za-z0-9_-]{40,120}"),
    _Token("Google API Key", r"AIza[0-9A-Za-z_-]{35}", r"GOCSPX-[0-9A-Za-z_-]{28}", r"ya29\.[0-9A-Za-z_-]{40,1024}"),
    _Token("Hugging Face Token", r"hf_[A-Za-z0-9]{34,40}"),
    _Token("Docker Hub Token", r"dckr_(?:pat|oat)_[A-Za-z0-9_-]{27,40}"),
    _Token("DigitalOcean Token", r"do[opr]_v1_[a-f0-9]{64}"),
    _Token("Shopify Token", r"shp(?:at|ca|pa|ss)_[a-fA-F0-9]{32}"),
    _Token("Databricks Token", r"dapi[a-f0-9]{32}(?:-\d)?"),
    _Token("HashiCorp Vault Token", r"hv[sbr]\.[A-Za-z0-9_-]{24,256}"),
    _Token("Grafana Token", r"glsa_[A-Za-z0-9]{32}_[a-f0-9]{8}"),
    _Token("Discord Webhook", r"https://(?:\w{1,12}\.)?discord(?:app)?\.com/api/webhooks/\d{17,20}/[\w-]{60,80}"),
    _Token("Artifactory Credentials", r"AKCp[A-Za-z0-9]{69}"),
    _Token("Linear API Key", r"lin_(?:api|oauth)_[A-Za-z0-9]{40,64}"),
    _Token("Sentry Token", r"sntry[us]_[A-Za-z0-9+/=_-]{40,256}"),
    _Token("Groq API Key", r"gsk_[A-Za-z0-9]{52}"),
    _Stated("AWS Secret Key", rf"secret[_-]?(?:access[_-]?)?key{_IS}([A-Za-z0-9/+]{{40}})(?![A-Za-z0-9/+=])"),
    _Stated("Authorization Header", r"\b(?:bearer|basic)[ \t]{1,4}([A-Za-z0-9._~+/=-]{16,2048})(?![\w~+/-])"),
    _Stated("Password", rf"(?<![\w-])[\w-]{{0,40}}?(?:{_PASSWORD})\d{{0,2}}{_IS}({_VALUE}{{6,200}}){_END}"),
    _Stated("Secret Keyword", rf"(?<![\w-])[\w-]{{0,40}}?(?:{_KEY})\d{{0,2}}{_IS}({_VALUE}{{16,200}}){_END}"),
)
"""In the order in which they are asked: what names its issuer first, what a line states last."""
