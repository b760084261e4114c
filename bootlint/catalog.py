"""The rule pages as data: `rules/*.md` → `RuleInfo`. The only code that knows where the pages are.

A page is read when something asks for its rule, never at start: most runs need two or three of them.
Only its head and its metadata are parsed here; a renderer reads the rest.
"""

from __future__ import annotations

import re
from functools import lru_cache
from pathlib import Path

from bootlint.diagnostics import Params, Severity
from bootlint.lazyre import lazy_pattern
from bootlint.records import field, record
from bootlint.tables import table
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import Language, fill

if TYPE_CHECKING:
    from collections.abc import Mapping

_PAGE_NAME = lazy_pattern(r"(BL\d{3})-([a-z0-9-]+)\.md\Z")
_BLOCK = lazy_pattern(r"^```toml rule\n(.*?)^```$\n*", re.MULTILINE | re.DOTALL)
_SUMMARY = lazy_pattern(r"\A# [^\n]*\n\n([^\n]+)\n")

_CHINESE_HEADING = (
    "\n## 中文\n"  # the last section: the page's reasons and remedies in Chinese, from `### 原因` on
)

_CHOICES = {
    "severity": tuple(severity.label for severity in Severity),
    "fix": ("none", "sometimes", "always"),
    "default": ("on", "off"),
}
_REQUIRED = {"since", "severity", "needs", "fix", "default", "summary-zh", "message", "message-zh"}
_KEYS = _REQUIRED | {"related", "related-zh", "fix-title", "fix-title-zh", "options", "variants"}

OptionValue = int | str | bool | list[str]


def rules_dir() -> Path:
    """The folder of the pages: packaged in a wheel, `rules/` beside the package in a checkout."""
    package = Path(__file__).parent
    packaged = package / "rules"
    return packaged if packaged.is_dir() else package.parent / "rules"


@record
class RuleInfo:
    """One rule's metadata. `text` is the whole page in Markdown."""

    code: str
    name: str
    summary: str
    summary_zh: str
    since: str
    severity: Severity
    needs: tuple[str, ...]
    fix: str
    default: bool
    text: str
    messages: Mapping[str, str]  # `message`, `message-zh`, `related`, ..., and `variant.message` for variants
    options: Mapping[str, OptionValue] = field(default_factory=dict)

    def message(self, params: Params, language: Language, *, variant: str | None = None) -> str:
        """The message in words. Raises KeyError when the check left a field of the template empty."""
        key = "message" if variant is None else f"{variant}.message"
        return fill(self._template(key, language), params, language)

    def related(self, params: Params, language: Language, *, variant: str | None = None) -> str:
        key = "related" if variant is None else f"{variant}.related"
        return fill(self._template(key, language), params, language)

    def fix_title(self, params: Params, language: Language) -> str:
        return fill(self._template("fix-title", language), params, language)

    def _template(self, key: str, language: Language) -> str:
        return self.messages[key if language == "en" else f"{key}-{language}"]

    def localised_summary(self, language: Language) -> str:
        return self.summary_zh if language == "zh" else self.summary

    def explanation(self, language: Language) -> str:
        """The page for a reader: without the metadata block, and in one language."""
        english, _, chinese = self.text.partition(_CHINESE_HEADING)
        if language == "en":
            return _BLOCK.sub("", english)
        examples = english[english.index("\n## Examples\n") :].partition("\n## References\n")[0]
        examples = examples.replace("\n## Examples\n", "\n## 示例\n")
        sections = chinese.rstrip().replace("\n### ", "\n## ")  # no longer below `## 中文`
        return f"# {self.code} {self.name}\n\n{self.summary_zh}\n{sections}\n{examples.rstrip()}\n"

    def advice(self, language: Language) -> str:
        """The reasons and remedies of the page in one language, as Markdown, without summary and examples."""
        english, _, chinese = self.text.partition(_CHINESE_HEADING)
        if language == "zh":
            return chinese.strip()
        return english[english.index("\n## Why\n") : english.index("\n## Examples\n")].strip()


class CatalogError(Exception):
    """A rule page that cannot be read: a bug of ours, never of the user."""


@lru_cache(maxsize=1)
def pages() -> Mapping[str, Path]:
    """Code → page, in code order, from the file names alone."""
    found = ((match[1], path) for path in rules_dir().iterdir() if (match := _PAGE_NAME.fullmatch(path.name)))
    return dict(sorted(found))


@lru_cache(maxsize=1)
def names() -> Mapping[str, str]:
    """Code → name, from the file names alone."""
    return {code: path.stem.partition("-")[2] for code, path in pages().items()}


def code_of(code_or_name: str) -> str | None:
    """The code of a rule given by code (any case) or name, None if there is no such rule."""
    wanted = code_or_name.strip()
    if wanted.upper() in pages():
        return wanted.upper()
    return next((code for code, name in names().items() if name == wanted.lower()), None)


def codes_matching(selector: str) -> tuple[str, ...]:
    """The codes that a code, a prefix (`BL2`, `ALL`) or a name selects; () when it selects none."""
    if selector == "ALL":
        return tuple(pages())
    exact = code_of(selector)
    if exact is not None:
        return (exact,)
    prefix = selector.upper()
    if not re.fullmatch(r"BL\d{0,2}", prefix):
        return ()
    return tuple(code for code in pages() if code.startswith(prefix))


@lru_cache(maxsize=256)
def rule(code: str) -> RuleInfo:
    """The rule of a code. Raises KeyError for an unknown one, CatalogError for a broken page."""
    page = pages()[code]
    try:
        return _rule_info(code, table(page, _parsed))
    except (KeyError, ValueError, TypeError) as error:
        raise CatalogError(f"{page.name}: {error}") from error


_Parsed = tuple[str, str, dict[str, object]]


def _parsed(text: str) -> _Parsed:
    """A page, its summary and its metadata."""
    import tomllib

    block = _BLOCK.search(text)
    summary = _SUMMARY.match(text)
    if block is None or summary is None:
        raise ValueError("a page is `# CODE name`, a summary line and a ```toml rule block")
    data: dict[str, object] = tomllib.loads(block[1])
    for wrong, keys in (("unknown", data.keys() - _KEYS), ("missing", _REQUIRED - data.keys())):
        if keys:
            raise ValueError(f"{wrong} key {', '.join(sorted(keys))}")
    for key, choices in _CHOICES.items():
        if data[key] not in choices:
            raise ValueError(f"{key} is one of {', '.join(choices)}")
    return text, summary[1], data


def _rule_info(code: str, parsed: _Parsed) -> RuleInfo:
    text, summary, data = parsed
    messages = {key: value for key, value in data.items() if isinstance(value, str)}
    for variant, parts in _tables(data.get("variants", {})).items():
        messages |= {f"{variant}.{key}": str(value) for key, value in parts.items()}
    return RuleInfo(
        code=code,
        name=names()[code],
        summary=summary,
        summary_zh=str(data["summary-zh"]),
        since=str(data["since"]),
        severity=Severity[str(data["severity"]).upper()],
        needs=_strings(data["needs"]),
        fix=str(data["fix"]),
        default=data["default"] == "on",
        text=text,
        messages=messages,
        options=_options(data.get("options", {})),
    )


def _strings(value: object) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(item, str) for item in value):
        raise TypeError(f"{value!r} is no list of strings")
    return tuple(value)


def _tables(value: object) -> dict[str, dict[str, object]]:
    if not isinstance(value, dict) or not all(isinstance(part, dict) for part in value.values()):
        raise TypeError(f"{value!r} is no table of tables")
    return value


def _options(value: object) -> dict[str, OptionValue]:
    if not isinstance(value, dict):
        raise TypeError(f"{value!r} is no table")
    return value
