"""Secrets that show what they are by their published shapes: private keys, tokens, keys of clouds and services."""

from __future__ import annotations

import re
from collections.abc import Iterator

from palimpsest.domain.scrub.kinds import Found, Kind

_PRIVATE_KEY = (
    r"-----BEGIN (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----(?:(?:(?!-----BEGIN)[\s\S]){0,20000}?"
    r"-----END (?:[A-Z0-9]+ ){0,3}PRIVATE KEY(?: BLOCK)?-----"
    r"|(?:(?:\s|\\n){1,20}(?:[A-Za-z0-9+/=]{16,}|[A-Za-z-]{3,20}: [^\n]{1,200}))+)"
)
"""From the first dash to the last; without an end, as far as it looks like one."""

_SHAPES: tuple[tuple[str, str], ...] = (
    ("-----BEGIN", _PRIVATE_KEY),
    ("Private-Lines", r"Private-Lines: *\d+\s+(?:[A-Za-z0-9+/=]{1,80}\s*)+"),
    ("AGE-SECRET-KEY", r"AGE-SECRET-KEY-1[0-9A-Z]{50,60}"),
    ("eyJ", r"(?<![A-Za-z0-9])eyJ[\w-]{8,}\.[\w-]{4,}\.[\w-]*(?:\.[\w-]+\.[\w-]+)?"),
    ("plm_", r"plm_[0-9A-Z]{26}_[\w-]{20,}"),
    ("AKIA ASIA", r"(?<![A-Za-z0-9])A[KS]IA[A-Z0-9]{16}(?![A-Za-z0-9])"),
    ("AKIA ASIA", r"(?<=A[KS]IA)[A-Z0-9]{16}(?:\W{1,6}|\s+\w{1,12}\s+)(?P<value>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])"),
    ("ghp_ gho_ ghu_ ghs_ ghr_", r"(?<![A-Za-z0-9])gh[pousr]_[A-Za-z0-9]{30,}"),
    ("github_pat_", r"github_pat_\w{22,}"),
    (
        "glpat- glrt- gldt- glcbt- glptt- glft- glsoat- glagent- glimt- glffct-",
        r"(?<![A-Za-z0-9])gl(?:pat|rt|dt|cbt|ptt|ft|soat|agent|imt|ffct)-[\w.-]{19,}\w",
    ),
    ("xox", r"xox[abeoprs]-[\w-]{10,}"),
    ("xapp-", r"xapp-\d-[\w-]{10,}"),
    ("hooks.slack.com", r"hooks\.slack\.com/(?:services|workflows|triggers)/(?P<value>[\w/]{20,})"),
    ("/api/webhooks/", r"discord(?:app)?\.com/api/webhooks/(?P<value>\d+/[\w-]{40,})"),
    ("k_live_ k_test_", r"(?<![A-Za-z0-9])[sr]k_(?:live|test)_[A-Za-z0-9]{10,}"),
    ("whsec_", r"whsec_[A-Za-z0-9+/=]{20,}"),
    ("sk-", r"(?<![\w-])sk-(?:proj|svcacct|admin|ant-[a-z]+\d*|or-v\d|lf)-[\w-]{20,}"),
    ("sk-", r"(?<![\w-])sk-[A-Za-z0-9]{32,}(?![\w-])"),
    ("AIza", r"AIza[\w-]{35}"),
    ("GOCSPX-", r"GOCSPX-[\w-]{20,}"),
    ("ya29.", r"ya29\.[\w-]{20,}"),
    ("1//0", r"(?<![\w/])1//0[\w-]{20,}"),
    ("npm_", r"(?<![A-Za-z0-9])npm_[A-Za-z0-9]{30,}"),
    ("pypi-", r"pypi-[\w-]{50,}"),
    ("hf_", r"(?<![A-Za-z0-9])hf_[A-Za-z0-9]{30,}"),
    ("_v1_", r"do[opr]_v1_[a-f0-9]{64}"),
    ("hvs. hvb. hvr.", r"(?<![A-Za-z0-9])hv[bsr]\.[\w-]{20,}"),
    ("glsa_", r"glsa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8}"),
    ("glc_", r"(?<![A-Za-z0-9])glc_[A-Za-z0-9+/=]{32,}"),
    ("shpat_ shpca_ shppa_ shpss_", r"(?<![A-Za-z0-9])shp(?:at|ca|pa|ss)_[A-Fa-f0-9]{32}"),
    (":AA", r"(?<!\d)\d{7,11}:AA[\w-]{32,34}(?![\w-])"),
    ("dckr_", r"dckr_[po]at_[\w-]{20,}"),
    ("lin_api_", r"lin_api_[A-Za-z0-9]{32,}"),
    ("dapi", r"(?<![A-Za-z0-9])dapi[a-f0-9]{32}"),
    ("SG.", r"(?<![A-Za-z0-9])SG\.[\w-]{16,}\.[\w-]{16,}"),
    ("SK", r"(?<![A-Za-z0-9])SK[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("sqp_ squ_ sqa_", r"(?<![A-Za-z0-9])sq[apu]_[a-f0-9]{40}"),
    ("sq0", r"sq0(?:atp|csp|idp)-[\w-]{22,}"),
    ("key-", r"(?<![A-Za-z0-9-])key-[a-f0-9]{32}(?![A-Za-z0-9])"),
    ("-us", r"(?<![A-Za-z0-9])[a-f0-9]{32}-us\d{1,2}(?!\w)"),
    ("PMAK-", r"PMAK-[a-f0-9]{24}-[a-f0-9]{34}"),
    ("pul-", r"(?<![A-Za-z0-9])pul-[a-f0-9]{40}"),
    ("dp.pt dp.st dp.ct dp.sa dp.scim dp.audit", r"(?<![A-Za-z0-9])dp\.(?:pt|st|ct|sa|scim|audit)\.[\w.-]{40,}"),
    ("NRAK-", r"NRAK-[A-Z0-9]{27}"),
    ("sntr", r"sntr[yu]s?_[\w+/=]{40,}"),
    ("ntn_", r"(?<![A-Za-z0-9])ntn_[A-Za-z0-9]{40,}"),
    ("figd_", r"figd_[\w-]{36,}"),
    ("pat", r"(?<![A-Za-z0-9])pat[A-Za-z0-9]{14}\.[a-f0-9]{64}"),
    ("gsk_", r"(?<![A-Za-z0-9])gsk_[A-Za-z0-9]{40,}"),
    ("xai-", r"(?<![A-Za-z0-9])xai-[A-Za-z0-9]{40,}"),
    ("r8_", r"(?<![A-Za-z0-9])r8_[A-Za-z0-9]{37}"),
    ("pplx-", r"pplx-[A-Za-z0-9]{40,}"),
    (".atlasv1.", r"[A-Za-z0-9]{14}\.atlasv1\.[\w=-]{60,}"),
    ("rubygems_", r"rubygems_[a-f0-9]{48}"),
    ("ATATT3", r"ATATT3[\w=-]{60,}"),
    ("EAA", r"(?<![A-Za-z0-9])EAA[A-Za-z0-9]{80,}"),
    ("sb_secret_ sbp_", r"(?<![A-Za-z0-9])sb_secret_[\w-]{20,}|(?<![A-Za-z0-9])sbp_[a-f0-9]{40}"),
)
"""Each with parts of which it must have one, so that a text is searched for the few that may be there."""

_COMPILED = tuple((parts.split(" "), re.compile(shape, re.ASCII)) for parts, shape in _SHAPES)

_HAS_LONG = re.compile(r"[!-~]{20}")
_BEGINS = ("-----BEGIN", "Private-Lines")
"""A secret with a shape is as long without a space, or begins so."""

_URL = re.compile(
    r"[A-Za-z][A-Za-z0-9+.-]{1,30}://[^\s/?#:@\"'<>\\]{0,100}:(?P<password>[^\s/?#\"'<>\\]{1,200})@[^\s@/]", re.ASCII
)
_PLACE_OF_ONE = re.compile(
    r"\$\{.*\}|\$\w+|\{.*\}|%\w*%|\*+|x+|\.+|[A-Z_]*(?:PASS|PWD|SECRET|TOKEN|KEY)[A-Z_]*|pass(?:word)?|\[REDACTED\]|<.*>"
)


def shaped(text: str) -> Iterator[Found]:
    """The secrets in a text that have a shape of their own, and the passwords in its URLs."""
    shapes = _COMPILED if _HAS_LONG.search(text) or any(begin in text for begin in _BEGINS) else ()
    for parts, shape in shapes:
        if any(part in text for part in parts):
            for match in shape.finditer(text):
                start, end = match.span("value" if "value" in shape.groupindex else 0)
                yield Found(start, end, Kind.SECRET)
    if "://" in text and "@" in text:
        for match in _URL.finditer(text):
            if not _PLACE_OF_ONE.fullmatch(match["password"]):
                yield Found(*match.span("password"), Kind.SECRET)
