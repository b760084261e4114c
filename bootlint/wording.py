"""How bootlint speaks: templates filled with numbers and names, in English and Chinese.

Owns the sentences that belong to no rule (summaries, errors, headings). Sentences of rules stand on their pages.
Everything that comes from a workspace passes through `printable` before it reaches a person.
"""

from __future__ import annotations

import re
from string import Formatter
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from bootlint.diagnostics import Params, Value

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

_SEPARATOR: dict[Language, str] = {"en": ", ", "zh": "、"}

# C0, DEL, C1, zero-width and bidi controls, line separators, BOM, tags, lone surrogates, and the bracket of
# `##[error]`, which a GitHub runner reads as a command wherever it stands: what does not show, or is obeyed.
_UNPRINTABLE = re.compile(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
    r"|(?<=##)\["
)


def printable(text: str) -> str:
    r"""`text` with every character that does not show, or that a log obeys, written as `\x1b` or `\u202e`."""
    return _UNPRINTABLE.sub(_escaped, text)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def fill(template: str, params: Params, language: Language) -> str:
    """The template with its fields.

    `{n:,}` groups digits, `{n:rule/rules}` counts (`1 rule`, `2 rules`), a tuple is joined as the
    language does, each item between two signs where they are given (`{words:“”}`).
    Raises KeyError for a field without a value.
    """
    return _Filler(language).vformat(template, (), params)


class _Filler(Formatter):
    def __init__(self, language: Language) -> None:
        self._language = language

    def format_field(self, value: Value, format_spec: str) -> str:
        if isinstance(value, tuple):
            left, right = format_spec[:1], format_spec[1:]
            return _SEPARATOR[self._language].join(f"{left}{printable(item)}{right}" for item in value)
        if isinstance(value, str):
            return printable(value)
        if "/" in format_spec:
            one, many = format_spec.split("/")
            return f"{value:,} {one if value == 1 else many}"
        return format(value, format_spec)


def phrase(key: str, language: Language, **params: Value) -> str:
    """One of bootlint's own sentences."""
    english, chinese = _PHRASES[key]
    return fill(english if language == "en" else chinese, params, language)


_PHRASES: dict[str, tuple[str, str]] = {
    "basis": (
        "OpenClaw {release} ({release_origin}), session {session}: limit {limit:,} a file ({limit_origin}), "
        "{total:,} in all ({total_origin})",
        "OpenClaw {release}（{release_origin}），会话类型 {session}：单文件上限 {limit:,}（{limit_origin}），"
        "总上限 {total:,}（{total_origin}）",
    ),
    "basis-without-total": (
        "OpenClaw {release} ({release_origin}), session {session}: limit {limit:,} a file ({limit_origin}), no total",
        "OpenClaw {release}（{release_origin}），会话类型 {session}：单文件上限 {limit:,}（{limit_origin}），无总上限",
    ),
    "assumed": (
        "OpenClaw {release} is not on record; assumed to behave like {known}",
        "OpenClaw {release} 不在记录中，按 {known} 的行为推定",
    ),
    "also-lines": (" (also lines {lines})", "（另见第 {lines} 行）"),
    "to-line": ("... to line {line}", "... 直到第 {line} 行"),
    "more-places": ("and {count:more place/more places}", "另有 {count} 处"),
    "fix-safe": ("safe fix: {title}", "安全修复：{title}"),
    "fix-unsafe": ("unsafe fix: {title}", "不安全修复：{title}"),
    "fix-display": ("advice: {title}", "建议：{title}"),
    "severity-error": ("error", "错误"),
    "severity-warning": ("warning", "警告"),
    "severity-info": ("info", "提示"),
    "line-kept": ("line {line} kept: the model receives it whole", "第 {line} 行保留：模型完整收到"),
    "line-digest": (
        "line {line} in the digest only: the model receives it there",
        "第 {line} 行仅摘要保留：模型只在摘要中收到",
    ),
    "line-digest-cut": (
        "line {line} cut in the digest: the model receives only its beginning, and only there",
        "第 {line} 行摘要中截断：模型只在摘要中收到开头",
    ),
    "line-cut": ("line {line} cut: the model receives a part of it", "第 {line} 行截断：模型只收到一部分"),
    "line-dropped": ("line {line} dropped: the model does not receive it", "第 {line} 行丢失：模型收不到"),
    "column-line": ("Line", "行"),
    "column-rule": ("Rule", "规则"),
    "column-finding": ("Finding", "问题"),
    "not-shown": (
        "{count:more finding/more findings}: a comment holds no more",
        "另有 {count} 条：一条评论放不下",
    ),
    "summary": (
        "{errors:error/errors}, {warnings:warning/warnings}, {infos:info/infos} in {workspaces:workspace/workspaces}",
        "{workspaces} 个工作区：错误 {errors}，警告 {warnings}，提示 {infos}",
    ),
    "suppressed": ("{count:finding/findings} suppressed", "已按设置忽略 {count} 条"),
    "reached": (
        "priority rules that reach the model: {reached}/{rules}",
        "送达模型的硬性规则：{reached}/{rules}",
    ),
    "show-session": ("== session kind {session}", "== 会话类型 {session}"),
    "show-file": (
        "{file}: {raw:,} → {injected:,} of {limit:,}, lost {lost:,}, headroom {headroom:,}",
        "{file}：{raw:,} → {injected:,}（上限 {limit:,}），丢失 {lost:,}，余量 {headroom:,}",
    ),
    "show-absent": ("{file}: {status} ({raw:,} → {cost:,})", "{file}：{status}（{raw:,} → {cost:,}）"),
    "show-causes": ("  cut by {causes}", "  被{causes}截断"),
    "show-total": (
        "in all: {raw:,} → {injected:,}, lost {lost:,}; priority rules that reach the model: {reached}/{rules}",
        "合计：{raw:,} → {injected:,}，丢失 {lost:,}；送达模型的硬性规则：{reached}/{rules}",
    ),
    "status-missing": ("missing", "缺失"),
    "status-unreadable": ("unreadable", "无法读取"),
    "status-skipped": ("skipped", "被略过"),
    "status-not-loaded": ("not loaded", "不加载"),
    "cause-limit": ("the limit", "单文件上限"),
    "cause-total": ("the total limit", "总上限"),
    "cause-user-cap": ("the fixed cap of USER.md", "USER.md 的固定上限"),
    "fate-blank": ("blank", "空白"),
    "fate-kept": ("kept", "保留"),
    "fate-digest": ("digest", "仅摘要保留"),
    "fate-digest-cut": ("digest, cut", "摘要中截断"),
    "fate-cut": ("cut", "截断"),
    "fate-dropped": ("dropped", "丢失"),
    "baseline-written": (
        "{file}: {count:finding/findings} written; they stay quiet from now on",
        "{file}：已写入 {count} 条，此后不再报告",
    ),
    "diff-nothing": (
        "nothing changes in what the model receives",
        "模型收到的内容没有变化",
    ),
    "diff-changed": (
        "{workspace}: OpenClaw {release}, session {session}: priority rules that reach the model "
        "{reached_before}/{rules_before} → {reached_after}/{rules_after}",
        "{workspace}：OpenClaw {release}，会话类型 {session}：送达模型的硬性规则 "
        "{reached_before}/{rules_before} → {reached_after}/{rules_after}",
    ),
    "diff-new": (
        "{workspace} is new: OpenClaw {release}, session {session}: {reached_after}/{rules_after} priority rules "
        "reach the model",
        "{workspace} 是新工作区：OpenClaw {release}，会话类型 {session}：送达模型的硬性规则 {reached_after}/{rules_after}",
    ),
    "diff-deleted": (
        "{workspace} is gone: OpenClaw {release}, session {session}: {reached_before}/{rules_before} priority rules "
        "reached the model",
        "{workspace} 已删除：OpenClaw {release}，会话类型 {session}：此前送达模型的硬性规则 {reached_before}/{rules_before}",
    ),
    "diff-file": (
        "{file}: {raw_before:,} → {raw_after:,} characters, lost {lost_before:,} → {lost_after:,}, "
        "headroom {headroom_before:,} → {headroom_after:,}",
        "{file}：{raw_before:,} → {raw_after:,} 个字符，丢失 {lost_before:,} → {lost_after:,}，"
        "余量 {headroom_before:,} → {headroom_after:,}",
    ),
    "diff-newly_lost": ("newly lost: {count:priority rule/priority rules}", "新丢失的硬性规则：{count} 条"),
    "diff-newly_lost-grown": (
        "newly lost: {count:priority rule/priority rules}; what grew: {grown}",
        "新丢失的硬性规则：{count} 条；变长的文件：{grown}",
    ),
    "diff-newly_reached": (
        "newly reached: {count:priority rule/priority rules}",
        "新送达的硬性规则：{count} 条",
    ),
    "diff-added": ("added: {count:priority rule/priority rules}", "新增的硬性规则：{count} 条"),
    "diff-removed": ("removed: {count:priority rule/priority rules}", "删除的硬性规则：{count} 条"),
    "diff-other_lines": (
        "{count:other untouched line/other untouched lines} whose fate changed",
        "另有 {count} 行未改动但去向变了",
    ),
    "diff-more": ("… and {count:more line/more lines}", "……另有 {count} 行"),
    "agent": ("agent {agent}", "代理 {agent}"),
}
