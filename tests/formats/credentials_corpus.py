"""Credentials of every kind, and lines of ordinary letters that hold none.

Nothing here is a credential, nor looks like one to a scanner: the positives are put together at run time, from pieces
that mean nothing alone and from digits drawn with a fixed seed.
"""

from __future__ import annotations

import base64
import hashlib
import json
import random
import string
from collections.abc import Iterator
from uuid import UUID

LOWER, DIGITS, HEX = string.ascii_lowercase, string.digits, "0123456789abcdef"
ALNUM = string.ascii_letters + DIGITS
UPPER = string.ascii_uppercase + DIGITS
URLSAFE = ALNUM + "-_"


class _Drawn:
    """Letters drawn with a seed, so that every run draws the same."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)

    def of(self, alphabet: str, number: int) -> str:
        return "".join(self._random.choice(alphabet) for _ in range(number))

    def alnum(self, number: int) -> str:
        """Letters and digits, a digit among them, as any real one has."""
        return self.of(ALNUM, number - 2) + "7q"

    def bytes(self, number: int) -> bytes:
        return self._random.randbytes(number)


def positives() -> Iterator[tuple[str, str]]:
    """The kind of each credential, and a line of a letter that holds it."""
    for seed in range(2):
        yield from _tokens(_Drawn(seed))
        yield from _stated(_Drawn(100 + seed))


def _tokens(drawn: _Drawn) -> Iterator[tuple[str, str]]:
    """Tokens whose form says whose they are, each in a sentence, a list, a call or an assignment."""
    of, alnum = drawn.of, drawn.alnum
    yield "AWS Access Key", f"- the deploy used {'AK' + 'IA'}{of(UPPER, 16)}, which is still valid"
    yield "AWS Access Key", f"aws_access_key_id = {'AS' + 'IA'}{of(UPPER, 16)}"
    yield "Azure Storage Account access key", f"AccountName=depot;{'Account' + 'Key'}={_base64(drawn, 64)};"
    yield "Discord Bot Token", f"bot runs with {'M'}{of(ALNUM, 23)}.{of(ALNUM, 6)}.{of(ALNUM, 27)}"
    yield "Discord Webhook", f"https://discord.com/api/{'web' + 'hooks'}/{of('123456789', 18)}/{of(ALNUM, 68)}"
    yield "GitLab Token", f"glab auth login with `{'gl' + 'pat'}-{alnum(20)}`"
    yield "GitLab Token", f"runner token {'gl' + 'rt'}-{alnum(20)}"
    yield "Mailchimp Access Key", f"newsletter: {of(HEX, 32)}-{'u' + 's'}12"
    yield "PyPI Token", f"twine upload -p {'py' + 'pi'}-{'AgEIcHlwa' + 'S5vcmc'}{of(URLSAFE, 90)}"
    yield "SendGrid API Key", f"SENDGRID={'S' + 'G'}.{of(ALNUM, 22)}.{of(ALNUM, 43)}"
    yield "Slack Token", f"the bot is {'xo' + 'xb'}-{of(DIGITS, 12)}-{of(DIGITS, 12)}-{of(ALNUM, 24)}"
    yield "Slack Token", f"({'xa' + 'pp'}-1-{of(UPPER, 11)}-{of(DIGITS, 13)}-{of(HEX, 64)})"
    yield "Slack Token", f"curl https://hooks.{'slack'}.com/services/T{of(UPPER, 8)}/B{of(UPPER, 8)}/{of(ALNUM, 24)}"
    yield "Square OAuth Secret", f"square: {'sq0' + 'csp'}-{of(ALNUM, 43)}"
    yield "Telegram Bot Token", f"api.telegram.org/bot with {of('123456789', 9)}:{of(ALNUM, 35)}"
    yield "Twilio API Key", f"twilio {'S' + 'K'}{of(HEX, 32)}"
    yield "JSON Web Token", f"the session cookie was {_jwt(drawn)}"
    yield "Private Key", f"-----BEGIN {'RSA'} {'PRIVATE'} KEY-----"
    yield "Private Key", f"-----BEGIN {'ENCRYPTED'} {'PRIVATE'} KEY-----"
    yield "Private Key", f"> -----BEGIN {'OPENSSH'} {'PRIVATE'} KEY-----"
    yield "Private Key", f"-----BEGIN {'PGP'} {'PRIVATE'} KEY BLOCK-----"
    yield "Private Key", f"{'AGE-SECRET'}-KEY-1{of(UPPER, 58)}"
    yield "GitHub Token", f"git push with {'gh' + 'p'}_{alnum(36)}"
    yield "GitHub Token", f"GITHUB_TOKEN={'gh' + 's'}_{alnum(36)}"
    yield "GitHub Token", f"**token**: {'github' + '_pat'}_{of(ALNUM, 22)}_{of(ALNUM, 59)}"
    yield "NPM tokens", f"npm publish used {'np' + 'm'}_{alnum(36)}."
    yield "NPM tokens", f"//registry.npmjs.org/:_{'auth' + 'Token'}={UUID(bytes=drawn.bytes(16))}"
    yield "OpenAI Token", f"OPENAI={'s' + 'k'}-{alnum(20)}{'T3Blbk' + 'FJ'}{alnum(20)}"
    yield "OpenAI Token", f"key {'s' + 'k'}-proj-{of(URLSAFE, 58)}{'T3Blbk' + 'FJ'}{of(URLSAFE, 58)}"
    yield "Anthropic API Key", f"set {'sk-' + 'ant'}-api03-{of(URLSAFE, 93)}AA in the shell"
    yield "Stripe Access Key", f'stripe.api_key = "{"s" + "k"}_live_{alnum(24)}"'
    yield "Stripe Access Key", f"{'wh' + 'sec'}_{alnum(32)} signs the hook"
    yield "Google API Key", f"maps?key={'AI' + 'za'}{of(ALNUM, 35)}"
    yield "Google API Key", f"client secret {'GOC' + 'SPX'}-{of(ALNUM, 28)}"
    yield "Hugging Face Token", f"huggingface-cli login --token {'h' + 'f'}_{alnum(34)}"
    yield "Docker Hub Token", f"docker login -p {'dckr' + '_pat'}_{alnum(27)}"
    yield "DigitalOcean Token", f"doctl: {'dop' + '_v1'}_{of(HEX, 64)}"
    yield "Shopify Token", f"X-Shopify-Access-Token: {'shp' + 'at'}_{of(HEX, 32)}"
    yield "Databricks Token", f"databricks {'da' + 'pi'}{of(HEX, 32)}"
    yield "HashiCorp Vault Token", f"VAULT={'hv' + 's'}.{alnum(90)}"
    yield "Grafana Token", f"grafana {'gl' + 'sa'}_{alnum(32)}_{of(HEX, 8)}"
    yield "Artifactory Credentials", f"jfrog {'AK' + 'Cp'}{alnum(69)}"
    yield "Linear API Key", f"linear {'lin' + '_api'}_{alnum(40)}"
    yield "Sentry Token", f"sentry {'sntr' + 'ys'}_{alnum(60)}"
    yield "Groq API Key", f"groq {'gs' + 'k'}_{alnum(52)}"


def _stated(drawn: _Drawn) -> Iterator[tuple[str, str]]:
    """Values that a line states: what they are is said by the words before them."""
    alnum, named = drawn.alnum, "pass" + "word"
    yield "AWS Secret Key", f"aws_{'secret'}_access_key = {drawn.of(ALNUM, 36)}+/9q"
    yield "AWS Secret Key", f'AWS_{"SECRET"}_ACCESS_KEY: "{drawn.of(ALNUM, 38)}/9"'
    yield "Basic Auth Credentials", f"postgres{'://'}depot:{alnum(12)}@db.internal:5432/parcels"
    yield "Basic Auth Credentials", f"git clone https{'://'}mara:{alnum(20)}@git.example.org/parcels.git"
    yield "Basic Auth Credentials", f"redis{'://'}:{alnum(16)}@cache:6379/0"
    yield "Authorization Header", f"curl -H 'Authorization: {'Bea' + 'rer'} {alnum(40)}' https://api.internal/v1"
    yield "Authorization Header", f"Authorization: {'Ba' + 'sic'} {_base64(drawn, 18)}7"
    yield "Password", f"{named}: {alnum(10)}"
    yield "Password", f"The {named} is in the vault, but for now {named} = {alnum(9)}!"
    yield "Password", f'"db_{named}": "{alnum(14)}",'
    yield "Password", f"mysql --{named}={alnum(8)} parcels"
    yield "Password", f"SMTP_{'PASS' + 'WD'}={alnum(11)}"
    yield "Password", f"Server=db;User=depot;{'P' + 'wd'}={alnum(12)};"
    yield "Password", f"`{named}`: `{'Tr0ub4dor'}&{drawn.of(DIGITS, 2)}`"
    yield "Secret Keyword", f"API_{'KEY'}={alnum(32)}"
    yield "Secret Keyword", f"client_{'secret'}: '{alnum(40)}'"
    yield "Secret Keyword", f"export DEPLOY_{'TOKEN'}={alnum(24)}"
    yield "Secret Keyword", f'refresh_{"token"} := "{alnum(28)}"'
    yield "Secret Keyword", f"signing-{'key'}: {_base64(drawn, 32)}"


def _base64(drawn: _Drawn, number: int) -> str:
    return base64.b64encode(drawn.bytes(number)).decode()


def _jwt(drawn: _Drawn) -> str:
    parts = [json.dumps(part).encode() for part in ({"alg": "HS256", "typ": "JWT"}, {"sub": "mara", "iat": 1790000000})]
    head, body, sign = (base64.urlsafe_b64encode(part).rstrip(b"=").decode() for part in (*parts, drawn.bytes(32)))
    return f"{head}.{body}.{sign}"


# ---------------------------------------------------------------------- ordinary letters
def negatives() -> list[str]:
    """Lines as they stand in ordinary letters; none holds a credential, and many speak of some."""
    with_ids = [line.format(**_ids(_Drawn(seed))) for seed in range(3) for line in _WITH_IDS.strip().split("\n")]
    return [*_PLAIN.strip().split("\n"), *with_ids]


def _ids(drawn: _Drawn) -> dict[str, str]:
    words = " ".join(drawn._random.sample(["rounding", "parcel", "depot", "tariff", "country", "rule", "test"], 5))
    return {
        "sha1": hashlib.sha1(drawn.bytes(8)).hexdigest(),
        "sha256": hashlib.sha256(drawn.bytes(8)).hexdigest(),
        "sha512": hashlib.sha512(drawn.bytes(8)).hexdigest(),
        "md5": hashlib.md5(drawn.bytes(8)).hexdigest(),
        "short": drawn.of(HEX, 7),
        "uuid": str(UUID(bytes=drawn.bytes(16), version=4)),
        "ulid": "01J" + drawn.of("0123456789ABCDEFGHJKMNPQRSTVWXYZ", 23),
        "session": f"s-202609{drawn.of('12', 2)}061500-{drawn.of(HEX, 4)}",
        "b64": base64.b64encode(words.encode()).decode(),
        "sri": base64.b64encode(hashlib.sha512(drawn.bytes(8)).digest()).decode(),
        "b64sha": base64.b64encode(hashlib.sha256(drawn.bytes(8)).digest()).decode(),
        "id": drawn.of(ALNUM, 21),
    }


_WITH_IDS = """
- `{sha1}` rounds the price of a parcel by the rule of its country
- commit {sha256} (SHA-256 repository) is the last one that passed
Supersedes: docs/handoffs/HANDOFF-2026-09-11-rounding.md at {short}
Digest: sha256:{sha256}
sha256sum says {sha256}  docs/handoffs/HANDOFF-2026-09-11-rounding.md
md5 of the fixture: {md5}
checksum: {sha512}
Episode {session} closed with outcome “partial”
session_id: {session}
generation: {ulid}
The event {ulid} was the last in the ledger
Correlation id {uuid}, see the trace
request-id: {uuid}
the run folder is .agent-run/{uuid}/
cancel token: {uuid}
idempotency_token: {uuid}
auth_token: {uuid} is the id of the row, not its value
api_key = {uuid}
integrity sha512-{sri}
"integrity": "sha512-{sri}",
the payload was `{b64}`, which is only words
data:text/plain;base64,{b64}
ETag: "{md5}"
docker pull registry.internal/parcels@sha256:{sha256}
image: docker://alpine:3.19@sha256:{sha256}
git range-diff {short}..{short} {sha1}
diff --git a/src/price.py b/src/price.py index {short}..{short} 100644
https://git.internal/parcels/-/commit/{sha1}
https://ci.internal/runs/{uuid}?attempt=2&job={id}
cache key: {sha1}
the build cache key is {md5}-linux-x86_64
key: {b64sha}
pinned: h1:{b64sha}
fingerprint SHA256:{b64sha}
secret: sha256:{sha256}
the token {sha1} is a commit, not a token
password hash {sha256} compared in constant time
nanoid {id} names the draft
trace_id={md5} span_id={short}
key {ulid}
"""

_PLAIN = """
# Handoff: rounding of parcel prices
Status: active
Effort: parcel-rounding
Leg: 3
Supersedes: none
Consumed-at: pending
Consumed-at: 2026-09-12T07:30:00Z
## Original goal
Price every parcel by the rule of the country that it is sent to, and not of the depot that it leaves.
## Progress
- wrote `src/price.py`: the table of rules, and the function that picks one
- wrote tests/test_price.py::test_a_parcel_of_500_grams_is_rounded_up
- moved the tariff sheet from docs/tariffs.csv to data/tariffs-2026.csv
- removed the old endpoint /v1/price?country=CH&grams=500
## Ordered remainder
1. Ask the team whether Norway rounds to 0.10 or to 0.50
2. Delete `legacy_rounding()` once nobody calls it
3. Rotate the password of the staging database; ask ops, it is in the vault
4. Add the API key to the vault, and never to the repository
## Invariants
- The public function is `price(country: str, grams: int) -> Decimal`
- No price is ever negative; no rounding happens twice
- The tokens of the parser are frozen
## Verification
`make check`
`python3 -m pytest tests/test_price.py -k rounding -x`
`git log --oneline -5 && git status --short`
`curl -s http://127.0.0.1:8741/api/v1/continuity | jq .session.session_id`
`curl -H "Authorization: Bearer $TOKEN" https://api.internal/v1/parcels`
`curl -H "Authorization: Bearer ${DEPOT_TOKEN}" https://api.internal/v1/parcels`
`curl -H 'Authorization: Bearer <your-token>' https://api.internal/v1/parcels`
`curl -u "$USER:$PASSWORD" https://api.internal/v1/parcels`
password: ask ops
password: see the vault, entry parcels/staging
password: <password>
password: ${DB_PASSWORD}
password: $DB_PASSWORD
password: {{ vault_db_password_1 }}
password: ********
password: xxxxxxxxxxxx
password: "changeme"
password: REDACTED-2026-09-11
password: your-password-123
password=os.environ["DB_PASSWORD1"]
password = getpass.getpass("2nd password: ")
passwd: /etc/passwd
pwd: /home/mara/src/parcels-2
PWD=/home/mara/src/parcels-2
pwd = os.getcwd()
The password field has at least 12 characters and 1 digit.
The password: at least 12 characters.
"password": {"type": "string", "minLength": 12}
password: str = field(default="")
api_key: str | None = None
api_key = settings.api_key
api_key = config.get("parcels.api_key.v2")
API_KEY=${API_KEY}
API_KEY=<from the vault>
api-key: parcels-staging-api-key-2026
API key: kept in the vault under parcels/staging/api-key-2026
client_secret = load_secret("parcels/client_secret_v2")
client_secret: CLIENT_SECRET_2026_STAGING
client_secret_file: /run/secrets/client_secret_v2
secret: docs/secrets-policy.md
secret_name: parcels-staging-db-2
secretKeyRef: { name: parcels-db, key: url-2 }
The secret is that 0.1 + 0.2 is not 0.3.
secret = "none"
token: the next word of the input
token = tokens[position + 1]
token = next(tokens)
max_tokens: 128000
max_tokens=4096, temperature=0.2
token count: 12,345 of 200,000
access_token = await client.fetch_access_token(scope="parcels:read")
access_token: AccessToken = field(factory=AccessToken)
refresh_token=request.cookies.get("refresh_token_v2")
bearer tokens are refused without TLS
Basic understanding of the tariff sheet is assumed.
a basic implementation-of-the-rounding rule was there before
DATABASE_URL=postgres://user:password@localhost:5432/parcels
DATABASE_URL=postgres://postgres:postgres@localhost:5432/parcels
DATABASE_URL=postgres://$DB_USER:$DB_PASSWORD@db.internal/parcels
postgres://<user>:<password>@db.internal/parcels
https://user:***@git.internal/parcels.git
https://x-access-token:${GITHUB_TOKEN}@github.com/mara/parcels.git
https://git.internal/parcels.git
https://git.internal:8443/parcels/-/merge_requests/12#note_34567
ssh://git@git.internal:2222/parcels.git
git@git.internal:parcels.git
http://127.0.0.1:8741/cockpit/continuity?standing=open&sort=last
http://[::1]:8741/cockpit/handoffs
mailto:mara@depot.example
see https://docs.python.org/3/library/decimal.html#decimal.Decimal.quantize
see https://example.org/@mara/12:30
AWS documents AKIAIOSFODNN7EXAMPLE as an id that belongs to nobody
a Slack address is https://hooks.slack.com/services/T00000000/B00000000/XXXXXXXXXXXXXXXXXXXXXXXX
a GitHub token begins with ghp_, one of Stripe with sk_live_
the pattern is `ghp_[A-Za-z0-9]{36}`
set GITHUB_TOKEN, NPM_TOKEN and PYPI_TOKEN in CI before the release
ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
sk-ant-api03-... goes into ANTHROPIC_API_KEY
OPENAI_API_KEY=sk-...
npm_config_registry=https://registry.internal/npm
npm_lifecycle_event is set by npm run
a JWT has three parts: header.payload.signature
eyJ is how base64 of {" begins
-----BEGIN CERTIFICATE-----
-----BEGIN PUBLIC KEY-----
The public key is in docs/keys/release.pub
ssh-ed25519 keys are listed in docs/keys/authorized_keys
AccountKey= must not stand in appsettings.json
sq0csp- is what a Square secret begins with
hf_hub_download("bert-base-uncased", "config.json")
hvs. is what a Vault token begins with
SKILL.md was split in two; SKU12345678 stayed as it was
ACCOUNT_SIDS are listed in docs/twilio.md
Monday_morning_standup_notes.txt.backup
MNO is how a Discord token may begin
module.submodule.function_with_a_long_name_that_says_it
0123456789abcdef0123456789abcdef
12:30:45 the build started; 12:31:02 it passed
2026-09-11T06:15:00.123456789Z
20260911061500:rounding-and-tariffs-of-the-norwegian-depot
1790000000:1790003600
port 8741, pid 12345, inode 8675309
version 1.24.0-rc.1+build.20260911
requirements: flask==3.1.0 msgspec==0.19.0 pyyaml==6.0.2
cafebabe deadbeef feedface c0ffee
0xDEADBEEF and 0x7ffd5e8c3a10
R2D2 and C3PO are the names of the runners
UTF-8, ISO-8859-1, base64url, sha512-256
test_password_is_hashed_with_argon2id
tests/formats/test_credentials.py::test_a_password_is_masked
src/auth/password_reset_v2.py:120: def reset(token: str) -> None
templates/secret_santa_2026.html
def token_urlsafe(nbytes: int | None = None) -> str
from secrets import token_hex, token_urlsafe
git config --global credential.helper cache
`secrets.token_urlsafe(32)` makes one
Answers by 2026-10-01: who owns the vault? who may rotate the keys?
Waiting for a person: may the old endpoint go? (asked 2026-09-11)
The passphrase prompt of gpg hangs in CI; use --batch.
Password reset: 3 of 5 tests pass
Passwords: 2 tests fail, see run 1234
| field | type | meaning |
| password | string | at least 12 characters |
| `api_key` | `string` | optional |
OK: 1,234 passed, 0 failed, 2 skipped in 45.67s
FAILED tests/test_price.py::test_norway[0.10-0.50] - AssertionError
Traceback (most recent call last): KeyError: 'password'
Übergabe: die Rundung der Paketpreise ist fertig, die Tests für Norwegen fehlen noch.
Contraseña: pedirla al equipo de operaciones
密码: 请向运维团队索取
"""
