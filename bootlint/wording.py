"""How bootlint speaks: templates filled with numbers and names, in English and Chinese.

Owns the sentences that belong to no rule (summaries, errors, headings). Sentences of rules stand on their pages.
Everything that comes from a workspace passes through `printable` before it reaches a person.
"""

from __future__ import annotations

from functools import lru_cache

from bootlint.lazyre import lazy_pattern
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    import re

    from bootlint.diagnostics import Params, Value

Language = Literal["en", "zh"]
LANGUAGES: tuple[Language, ...] = ("en", "zh")

_SEPARATOR: dict[Language, str] = {"en": ", ", "zh": "、"}

# C0, DEL, C1, zero-width and bidi controls, line separators, BOM, tags, lone surrogates, and the bracket of
# `##[error]`, which a GitHub runner reads as a command wherever it stands: what does not show, or is obeyed.
_UNPRINTABLE = lazy_pattern(
    "[\x00-\x1f\x7f-\x9f\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u2069\ufeff\ud800-\udfff\U000e0000-\U000e007f]"
    r"|(?<=##)\["
)


def printable(text: str) -> str:
    r"""`text` with every character that does not show, or that a log obeys, written as `\x1b` or `\u202e`."""
    if text.isprintable() and "##[" not in text:  # all else above is nothing that Python calls printable
        return text
    return _UNPRINTABLE.sub(_escaped, text)


def for_terminal(text: str) -> str:
    """Lines to look at, tabs as they are: nothing in them that a terminal obeys, and no byte to count on."""
    lines = (line.removesuffix("\r").split("\t") for line in text.split("\n"))
    return "\n".join("\t".join(map(printable, parts)) for parts in lines)


def _escaped(match: re.Match[str]) -> str:
    code = ord(match[0])
    if code < 0x100:
        return f"\\x{code:02x}"
    return f"\\u{code:04x}" if code < 0x10000 else f"\\U{code:08x}"


def inert(line: str) -> str:
    """A line for people, no command to a GitHub runner: that obeys `::name::` at its start, behind blanks too."""
    blanks = len(line) - len(line.lstrip())
    return f"{line[:blanks]}\\x3a{line[blanks + 1 :]}" if line.startswith("::", blanks) else line


def fill(template: str, params: Params, language: Language) -> str:
    """The template with its fields.

    `{n:,}` groups digits, `{n:rule/rules}` counts (`1 rule`, `2 rules`), a tuple is joined as the
    language does, each item between two signs where they are given (`{words:“”}`).
    What comes of it may stand at the start of a line. Raises KeyError for a field without a value.
    """
    parts: list[str] = []
    for literal, name, spec in _parsed(template):
        parts.append(literal)
        if name is not None:
            parts.append(_shown(params[name], spec, language))
    return inert("".join(parts))


_FIELD = lazy_pattern(r"\{(\w+)(?::([^{}]*))?\}")


@lru_cache(maxsize=512)
def _parsed(template: str) -> tuple[tuple[str, str | None, str], ...]:
    """The literals of a template, each with the field and its format that follow it."""
    parts = _FIELD.split(template)
    fields = zip(parts[::3], (*parts[1::3], None), (*parts[2::3], ""), strict=True)
    return tuple((literal, name, spec or "") for literal, name, spec in fields)


def _shown(value: Value, spec: str, language: Language) -> str:
    if isinstance(value, str):
        return printable(value)
    if isinstance(value, tuple):
        left, right = spec[:1], spec[1:]
        return _SEPARATOR[language].join(f"{left}{printable(item)}{right}" for item in value)
    if "/" in spec:
        one, many = spec.split("/")
        return f"{value:,} {one if value == 1 else many}"
    return format(value, spec)


def phrase(key: str, language: Language, **params: Value) -> str:
    """One of bootlint's own sentences."""
    english, chinese = _PHRASES[key]
    return fill(english if language == "en" else chinese, params, language)


def templates(language: Language, prefixes: tuple[str, ...]) -> dict[str, str]:
    """Those of bootlint's own sentences whose keys begin so, their fields not filled, for a report that fills them."""
    at = LANGUAGES.index(language)
    return {key: sentences[at] for key, sentences in _PHRASES.items() if key.startswith(prefixes)}


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
    "origin-place": ("{name}", "{name}"),
    "origin-openclaw-json": ("{name} in openclaw.json", "openclaw.json 的 {name}"),
    "origin-default": ("default of {release}", "{release} 的默认值"),
    "origin-default-instead": (
        "default of {release}, as {name} in openclaw.json is no positive number",
        "{release} 的默认值，因为 openclaw.json 的 {name} 不是正数",
    ),
    "origin-no-total": ("no total in {release}", "{release} 没有总上限"),
    "origin-latest-known": ("latest known", "已知的最新版本"),
    "origin-latest-instead": (
        "latest known, as {name} in openclaw.json is no release",
        "已知的最新版本，因为 openclaw.json 的 {name} 不是版本号",
    ),
    "not-pinned": (
        "what openclaw.json says can change without a commit; pin it in bootlint.toml (bootlint init writes one)",
        "openclaw.json 里的值可能不经提交就改变；请固定在 bootlint.toml 里（可用 bootlint init 生成）",
    ),
    "assumed": (
        "OpenClaw {release} is not on record; assumed to behave like {known}",
        "OpenClaw {release} 不在记录中，按 {known} 的行为推定",
    ),
    "also-line": (" (also line {lines})", "（另见第 {lines} 行）"),
    "also-lines": (" (also lines {lines})", "（另见第 {lines} 行）"),
    "only-in": (" (in OpenClaw {releases})", "（OpenClaw {releases}）"),
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
    "show-file": (
        ": {raw:,} → {injected:,} characters ({tokens})",
        "：{raw:,} → {injected:,} 个字符（{tokens}）",
    ),
    "show-absent": (": {status} ({raw:,} → {cost:,} characters)", "：{status}（{raw:,} → {cost:,} 个字符）"),
    "show-causes": ("cut to {limit:,} by {causes}", "被{causes}截断到 {limit:,}"),
    "show-not-in-context": (
        "spends budget, but stands outside the Project Context",
        "占用额度，但不在 Project Context 中",
    ),
    "show-part": ("{name} {chars:,} ({tokens})", "{name} {chars:,}（{tokens}）"),
    "show-tokens-estimated": ("~{estimated:,} tokens", "约 {estimated:,} token"),
    "show-tokens": ("~{estimated:,}/{tokens:,} tokens", "约 {estimated:,}/{tokens:,} token"),
    "show-scale": ("one sign for {lines} lines: the worst of them", "每个符号代表 {lines} 行，取其中最差的"),
    "show-total": (
        "in all: {raw:,} → {injected:,} characters, lost {lost:,}; priority rules that arrive: {reached}/{rules}",
        "合计：{raw:,} → {injected:,} 个字符，丢失 {lost:,}；送达的硬性规则：{reached}/{rules}",
    ),
    "show-start": (
        "session start: {chars:,} characters, headings of the files included ({tokens})",
        "会话开始：连同各文件的标题共 {chars:,} 个字符（{tokens}）",
    ),
    "show-note-estimated": (
        "~tokens: OpenClaw's estimate, a quarter of the characters",
        "约……token：OpenClaw 的估算，即字符数的四分之一",
    ),
    "show-note-tokens": (
        "~tokens: OpenClaw's estimate (characters / 4), then the count of {encoding}",
        "约……token：先是 OpenClaw 的估算（字符数 / 4），后是 {encoding} 的计数",
    ),
    "show-cell-whole": ("arrives whole", "完整送达"),
    "show-cell-nothing": ("nothing arrives", "什么也没送达"),
    "part-head": ("head", "头部"),
    "part-digest": ("digest", "摘要"),
    "part-marker": ("OpenClaw's words", "OpenClaw 的说明"),
    "part-tail": ("tail", "尾部"),
    "part-lost": ("lost", "丢失"),
    "part-free": ("headroom", "余量"),
    "lost-rule": ("lost priority rule", "丢失的硬性规则"),
    "show-row-rules": ("priority rules", "硬性规则"),
    "show-row-lost": ("lost", "丢失"),
    "show-row-start": ("session start", "会话开始"),
    "show-row-estimated": ("~ tokens", "约 token"),
    "show-row-tokens": ("{encoding} tokens", "{encoding} token"),
    "html-title": ("What the model receives", "模型收到的内容"),
    "html-basis": (
        "OpenClaw {release}: limit {limit} a file, {total} in all",
        "OpenClaw {release}：单文件上限 {limit}，总上限 {total}",
    ),
    "html-basis-without-total": (
        "OpenClaw {release}: limit {limit} a file, no total",
        "OpenClaw {release}：单文件上限 {limit}，无总上限",
    ),
    "html-session": ("Session kind", "会话类型"),
    "html-language": ("Language", "语言"),
    "html-theme": ("Colours", "配色"),
    "html-theme-auto": ("auto", "自动"),
    "html-theme-light": ("light", "浅色"),
    "html-theme-dark": ("dark", "深色"),
    "html-on-disk": ("on disk", "磁盘上"),
    "html-arrives-all": ("arrives", "送达"),
    "html-rules": ("priority rules", "硬性规则"),
    "html-rules-unit": ("reach the model", "送达模型"),
    "html-start": ("session start", "会话开始"),
    "html-characters": ("characters", "字符"),
    "html-start-estimated": (
        "tokens as OpenClaw reckons: a quarter of {chars} characters",
        "token，OpenClaw 的估算：{chars} 个字符的四分之一",
    ),
    "html-start-counted": (
        "tokens by {encoding}; OpenClaw reckons {estimated}, a quarter of {chars} characters",
        "token，按 {encoding} 计数；OpenClaw 估算为 {estimated}，即 {chars} 个字符的四分之一",
    ),
    "html-map": ("Map", "分布图"),
    "html-map-hint": (
        "Each area is as large as its share of characters: what arrives of a file, and what is lost beside it.",
        "面积与字符数成正比：文件送达的部分，旁边是丢失的部分。",
    ),
    "html-files": ("Files", "文件"),
    "html-column-file": ("file", "文件"),
    "html-column-status": ("what becomes of it", "结果"),
    "html-column-estimated": ("~ tokens", "约 token"),
    "html-column-tokens": ("{encoding} tokens", "{encoding} token"),
    "html-column-lost-rules": ("lost priority rules", "丢失的硬性规则"),
    "html-file-hint": (
        "Point at a line or click it to see where it ended up. Keys: arrows choose a line, Enter follows it.",
        "指向或点击一行，即可看到它的去向。键盘：方向键选行，回车跳转。",
    ),
    "html-filter": ("only lost priority rules", "只看丢失的硬性规则"),
    "html-source": ("On disk", "磁盘上"),
    "html-injected": ("What the model receives", "模型收到的内容"),
    "html-no-source": ("There is no such file.", "没有这个文件。"),
    "html-no-lost-rules": ("No priority rule of this file is lost.", "这个文件没有丢失的硬性规则。"),
    "html-no-injected": ("The model receives nothing of this file.", "模型收不到这个文件的任何内容。"),
    "html-line": ("line {line}", "第 {line} 行"),
    "html-nowhere": ("the model does not receive it", "模型收不到"),
    "html-arrives": ("line {line} of what the model receives", "模型收到的第 {line} 行"),
    "html-comes-from": ("line {line} of the file", "文件第 {line} 行"),
    "html-from-openclaw": ("OpenClaw wrote it", "由 OpenClaw 写入"),
    "html-gap": ("… {chars} more characters …", "……另有 {chars} 个字符……"),
    "html-more-lines": ("{lines} more lines are not drawn.", "另有 {lines} 行未画出。"),
    "html-chars": ("{chars} characters", "{chars} 个字符"),
    "html-cost-estimated": (
        "{chars} characters, ~{estimated} tokens",
        "{chars} 个字符，约 {estimated} token",
    ),
    "html-cost": (
        "{chars} characters, ~{estimated} tokens, counted {tokens}",
        "{chars} 个字符，约 {estimated} token，实计 {tokens}",
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
    "fate-not-sent": ("not sent", "未送达"),
    "baseline-written": (
        "{file}: {count:finding/findings} written; they stay quiet from now on",
        "{file}：已写入 {count} 条，此后不再报告",
    ),
    "init-new": ("{file}: new", "{file}：新文件"),
    "init-merged": ("{file}: one entry more", "{file}：增加一个条目"),
    "init-left": ("{file}: there already, left as it is", "{file}：已存在，保持不变"),
    "init-in-doubt": (
        "{file}: left as it is, since the place for an entry is not clear; add this to it:",
        "{file}：无法确定条目该放在哪里，保持不变；请手工加入：",
    ),
    "init-dry-run": ("nothing was written (--dry-run)", "没有写入任何文件（--dry-run）"),
    "init-no-repository": (
        "not in a git repository: no hook and no workflow",
        "不在 git 仓库中：没有写入钩子和工作流",
    ),
    "init-next": (
        "next: pre-commit install, and commit these files",
        "下一步：运行 pre-commit install，并提交这些文件",
    ),
    "init-here-only": (
        "{file}: names a folder of this machine, where bootlint stands; others need the address of its repository",
        "{file}：写入的是本机上 bootlint 所在的文件夹；别人使用时需要换成它的仓库地址",
    ),
    "init-no-source": (
        "{file}: fails until the line that installs bootlint names a place: CI cannot reach where this one came from, "
        "and a package of its name on an index may be anybody's",
        "{file}：补上安装 bootlint 的那一行之前，这个工作流会失败：CI 访问不到本机 bootlint 的来源，"
        "而软件包索引上同名的包可能属于任何人",
    ),
    "other-repository": (
        "{workspace}: belongs to another repository, such as a submodule; left out, run bootlint there",
        "{workspace}：属于另一个仓库（例如子模块），已跳过；请在那里运行 bootlint",
    ),
    "agent-without-workspace": (
        "agent {agent}: its workspace {folder} is not there",
        "智能体 {agent}：工作区 {folder} 不存在",
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
        "headroom {headroom_before} → {headroom_after}",
        "{file}：{raw_before:,} → {raw_after:,} 个字符，丢失 {lost_before:,} → {lost_after:,}，"
        "余量 {headroom_before} → {headroom_after}",
    ),
    "diff-text": (
        "{file}: {count:line/lines} of text changed, sizes as before",
        "{file}：有 {count} 行文字改动，大小不变",
    ),
    "diff-limits": (
        "limit of a file {file} → {file_now}, of all {total} → {total_now}",
        "单文件上限 {file} → {file_now}，总上限 {total} → {total_now}",
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
    "diff-added-lost": (
        "added: {count:priority rule/priority rules}, of which {lost:,} do not reach the model",
        "新增的硬性规则：{count} 条，其中 {lost} 条模型收不到",
    ),
    "diff-removed": ("removed: {count:priority rule/priority rules}", "删除的硬性规则：{count} 条"),
    "diff-removed-standing": (
        "removed: {count:priority rule/priority rules}, of which {standing:,} still stand there and are no rules now: "
        "in a comment, in code, in another sense",
        "删除的硬性规则：{count} 条，其中 {standing} 条文字仍在，但已不再是规则：被放进注释或代码，或意思变了",
    ),
    "passed-over": (
        "{workspace}: so many daily notes or personal USER.md that {count:was/were} passed over; "
        "--diff-base and the hook look at each that changes",
        "{workspace}：日记或个人 USER.md 太多，有 {count} 份没有检查；--diff-base 和钩子会检查每一份有改动的",
    ),
    "diff-reworded": (
        "changed inside of priority rules: {count:line/lines}",
        "硬性规则内部有变动的行：{count} 行",
    ),
    "diff-unrendered": (
        "added where a reader of the rendered page does not see it and the model does: {count:order/orders}",
        "新增在渲染后的页面上看不见、模型却会收到的命令：{count} 条",
    ),
    "diff-other_lines": (
        "{count:other untouched line/other untouched lines} whose fate changed",
        "另有 {count} 行未改动但去向变了",
    ),
    "diff-more": ("… and {count:more line/more lines}", "……另有 {count} 行"),
    "why-situation": (
        "OpenClaw {release}, session {sessions}: {fate}",
        "OpenClaw {release}，会话类型 {sessions}：{fate}",
    ),
    "why-garbled": (
        "{file} is not UTF-8, and what is none in this line reaches the model as “�”; save the file as UTF-8",
        "{file} 不是 UTF-8，这一行里的相应字节会变成“�”送给模型；请另存为 UTF-8",
    ),
    "why-blank": ("the line is blank", "这一行是空白"),
    "why-whole": ("{file} arrives whole", "{file} 完整送达"),
    "why-not-in-context": (
        "but it stands outside the Project Context: OpenClaw shows it during set-up only",
        "但不在 Project Context 中：OpenClaw 只在初始设置期间使用它",
    ),
    "why-kept": (
        "{file} is cut, and the line stands in the part that stays",
        "{file} 被截断，但这一行在保留的部分里",
    ),
    "why-cut": ("{file} is cut, and the cut goes through the line", "{file} 被截断，截断处正好落在这一行"),
    "why-not-loaded": (
        "this release does not load {file}; the session receives {files}",
        "这个版本不加载 {file}；该会话收到的是 {files}",
    ),
    "why-personal": (
        "only sessions of the person to whom {file} belongs receive it, which bootlint does not simulate",
        "只有 {file} 所属用户的会话才会收到它，bootlint 不模拟这种会话",
    ),
    "why-not-in-session": (
        "sessions of this kind do not receive {file}; they receive {files}",
        "这类会话收不到 {file}；收到的是 {files}",
    ),
    "why-private": (
        "sessions of this kind do not receive {file}, on purpose: it is private; they receive {files}",
        "这类会话收不到 {file}，这是有意为之：其中是私人内容；收到的是 {files}",
    ),
    "why-refused": (
        "this release refuses to read {file}, so that nothing of it arrives",
        "这个版本拒绝读取 {file}，其中的内容全部到不了模型",
    ),
    "why-total-used-up": (
        "{file} is left out whole: the total limit of {total:,} is used up by {used}",
        "{file} 被整份略过：总上限 {total:,} 已被 {used} 用完",
    ),
    "why-between": (
        "{file} has {raw:,} characters of at most {limit:,}; its head ends in line {head}, its tail begins in line "
        "{tail}, and the line stands between them",
        "{file} 有 {raw:,} 个字符，上限 {limit:,}；头部到第 {head} 行为止，尾部从第 {tail} 行开始，这一行在两者之间",
    ),
    "why-no-digest": ("this release has no digest", "这个版本没有摘要"),
    "why-digest-elsewhere": ("only AGENTS.md has a digest", "只有 AGENTS.md 有摘要"),
    "why-digest-by-keyword": ("the digest takes it, for “{keyword}”", "摘要因“{keyword}”收录了它"),
    "why-digest-by-shape": (
        "the digest takes it, as a list item or heading for which there was room",
        "它是列表项或标题，摘要还有空位，所以收录了它",
    ),
    "why-digest-as-prose": (
        "the digest takes it as the line above line {line}, which it takes",
        "摘要收录第 {line} 行时，会带上它前面的这一行",
    ),
    "why-over-240": (
        "but of its {units:,} characters no more than {limit:,}",
        "但它有 {units:,} 个字符，摘要最多保留 {limit:,} 个",
    ),
    "why-keyword-beyond-240": (
        "{keywords:“”} stands behind the first {limit:,} characters, where the digest does not look",
        "{keywords:“”} 在前 {limit:,} 个字符之后，摘要不会看到",
    ),
    "why-near-miss": (
        "the digest knows {keywords:“”}, but not {words:“”}",
        "摘要只认 {keywords:“”}，不认 {words:“”}",
    ),
    "why-not-candidate": (
        "the digest does not look at it: no keyword, and neither list item nor heading",
        "摘要不会看它：没有关键词，也不是列表项或标题",
    ),
    "why-unranked": (
        "the digest looks at it last, for it holds no priority keyword",
        "没有优先关键词，摘要最后才考虑它",
    ),
    "why-ranked": ("it holds a priority keyword", "它含有优先关键词"),
    "why-digest-full": (
        "the digest is full: after line {line}, {room:,} of its {budget:,} characters were left, and it needs {needs:,}",
        "摘要已满：收录第 {line} 行之后，{budget:,} 个字符只剩 {room:,} 个，而它需要 {needs:,} 个",
    ),
    "remedy": ("a change that saves it: {change}", "补救办法：{change}"),
    "remedy-none": (
        "no single change that was tried saves it without losing another rule",
        "试过的单项改动都无法在不丢失其他规则的前提下救回它",
    ),
    "remedy-fix-too": ("bootlint fix saves it", "bootlint fix 能救回它"),
    "remedy-fix": (
        "bootlint fix, which changes several lines at once, saves it",
        "bootlint fix 会同时改动多行，能救回它",
    ),
    "remedy-no-fix": (
        "bootlint fix, which changes several lines at once, does not save it either: "
        "shorten or merge rules, or move some of them to another file",
        "bootlint fix 会同时改动多行，也救不回它：请精简或合并规则，或把一部分移到别的文件",
    ),
    "remedy-keyword": ("write it as  {after}", "改写为  {after}"),
    "remedy-blank-line": ("put a blank line above it", "在它上方插入空行"),
    "remedy-keyword-and-blank-line": (
        "put a blank line above it, and write it as  {after}",
        "在它上方插入空行，并改写为  {after}",
    ),
    "remedy-shorten-line": ("shorten the line by {by:character/characters}", "把这一行缩短 {by:,} 个字符"),
    "remedy-move-up": ("move it up to line {line}", "移到第 {line} 行"),
    "remedy-shorten-before": (
        "shorten what stands above it by {by:character/characters}",
        "把它上方的内容缩短 {by:,} 个字符",
    ),
    "remedy-shorten-file": (
        "shorten {file} by {by:character/characters}, anywhere",
        "把 {file} 的任意部分缩短 {by:,} 个字符",
    ),
    "remedy-shorten-other": ("shorten {file} by {by:character/characters}", "把 {file} 缩短 {by:,} 个字符"),
    "remedy-plain-file": (
        "put a plain file in the place of {file}",
        "把 {file} 换成普通文件",
    ),
    "remedy-repeat-in-agents": ("repeat it in AGENTS.md", "在 AGENTS.md 里重复这一行"),
    "fact": ("{fact}: {value}", "{fact}：{value}"),
    "fact-change": ("{fact}: {before} → {after}", "{fact}：{before} → {after}"),
    "fact-none": ("none", "无"),
    "fact-yes": ("yes", "是"),
    "fact-no": ("no", "否"),
    "fact-limit": ("limit of a file", "单文件上限"),
    "fact-total-limit": ("total limit", "总上限"),
    "fact-user-limit": ("fixed cap of USER.md", "USER.md 的固定上限"),
    "fact-long-personal-user": ("personal USER.md over its limit", "超过上限的个人 USER.md"),
    "fact-long-personal-user-dropped": ("dropped whole", "整份丢弃"),
    "fact-cut": ("how files without a digest are cut", "没有摘要的文件如何截断"),
    "fact-cut-70-20-marker-on-top": (
        "70 % of the limit as head, 20 % as tail, the marker on top",
        "头部占上限的 70%，尾部占 20%，截断标记另加",
    ),
    "fact-cut-75-25-and-marker-fit": (
        "head and tail share what the marker leaves of the limit, 75 to 25",
        "上限扣除截断标记后，头部与尾部按 75 比 25 分",
    ),
    "fact-pairs": ("characters of two units, such as emoji, at a cut", "截断处占两个单位的字符（如 emoji）"),
    "fact-pairs-may-be-split": ("may be split", "可能被切成两半"),
    "fact-pairs-whole": ("stay whole", "保持完整"),
    "fact-digest": ("digest of AGENTS.md", "AGENTS.md 的摘要"),
    "fact-digest-english-keywords": ("by English keywords", "按英文关键词"),
    "fact-digest-signs": ("priority keywords that are not English", "非英文的优先关键词"),
    "fact-digest-lesser-signs": ("candidate keywords that are not English", "非英文的候选关键词"),
    "fact-digest-prose": ("prose in the digest", "摘要收录的正文"),
    "fact-digest-prose-line-before-candidate": ("the line before a rule", "规则的前一行"),
    "fact-files": ("files", "文件"),
    "fact-lowercase-memory": ("memory.md", "memory.md"),
    "fact-lowercase-memory-beside": ("loaded beside MEMORY.md", "与 MEMORY.md 一并加载"),
    "fact-lowercase-memory-instead": ("loaded where there is no MEMORY.md", "没有 MEMORY.md 时加载"),
    "fact-lowercase-memory-never": ("never loaded", "从不加载"),
    "fact-skipped-when-absent": ("absent without a marker", "缺失时不留标记的文件"),
    "fact-links-inside": ("links to inside the workspace", "指向工作区内的链接"),
    "fact-links-outside": ("links to outside", "指向工作区外的链接"),
    "fact-hard-links": ("hard links", "硬链接"),
    "fact-read": ("read", "读取"),
    "fact-fail": ("refused", "拒绝"),
    "fact-refused-file": ("what is refused counts as", "被拒绝的文件视为"),
    "fact-refused-file-missing": ("missing", "缺失"),
    "fact-refused-file-unreadable": ("unreadable", "无法读取"),
    "fact-subagent-files": ("files for sub-agents", "子智能体会话的文件"),
    "fact-cron-files": ("files for cron runs", "cron 会话的文件"),
    "fact-all": ("all", "全部"),
    "fact-groups-see-memory": ("group chats see MEMORY.md", "群聊能看到 MEMORY.md"),
    "fact-prompt-order": ("order in the prompt", "在提示词中的顺序"),
    "fact-prompt-order-load-order": ("as loaded", "按加载顺序"),
    "fact-prompt-order-rank-and-name": ("by rank and name", "按固定次序和文件名"),
    "fact-project-entries": (
        "entries marked for a project are left out elsewhere",
        "带项目标记的条目在别处不注入",
    ),
    "fact-bootstrap-file": ("BOOTSTRAP.md", "BOOTSTRAP.md"),
    "fact-bootstrap-file-like-any": ("like any file", "与其他文件相同"),
    "fact-bootstrap-file-never-in-context": ("never in Project Context", "从不进入 Project Context"),
    "fact-bootstrap-file-while-setup": (
        "in Project Context while set-up is pending",
        "仅在初始设置未完成时进入 Project Context",
    ),
    "fact-sections-after-compaction": ("sections that come back after a compaction", "压缩后重新注入的小节"),
    "fact-sections-after-compaction-named-in-openclaw-json": (
        "only those that openclaw.json names",
        "只有 openclaw.json 点名的",
    ),
    "fact-compaction-chars": ("characters that come back after a compaction", "压缩后重新注入的字符数上限"),
    "fact-daily-note-chars": (
        "characters of a daily note at a bare /new",
        "单独的 /new 对每份日记的字符数上限",
    ),
    "fact-daily-notes-chars": (
        "characters of all daily notes at a bare /new",
        "单独的 /new 对全部日记的字符数上限",
    ),
    "fact-memory-provenance": (
        "record of who wrote MEMORY.md and USER.md",
        "MEMORY.md 和 USER.md 的写入者记录",
    ),
    "fact-memory-provenance-kept": ("kept", "有"),
    "upgrade-gone": ("no longer loaded: {files}", "不再加载：{files}"),
    "upgrade-came": ("newly loaded: {files}", "新加载：{files}"),
    "upgrade-merge": (
        "TOOLS.md is merged into AGENTS.md by the upgrade; its sizes above are those of the merged file, "
        "right to a few characters",
        "升级时 TOOLS.md 会并入 AGENTS.md；上面是合并后的大小，可能有几个字符的出入",
    ),
    "upgrade-ranked": (
        "newly ranked by the digest: {count:priority rule/priority rules}",
        "摘要新认得的硬性规则：{count} 条",
    ),
    "upgrade-unranked": (
        "no longer ranked by the digest: {count:priority rule/priority rules}",
        "摘要不再认得的硬性规则：{count} 条",
    ),
    "releases-not-listed": (
        "{count:release is/releases are} not listed, each like the one before it (--all lists them)",
        "另有 {count} 个版本未列出，各与其前一版本行为相同（--all 全部列出）",
    ),
    "lock-approved": ("{file}: approved, {size:byte/bytes}", "{file}：已批准，{size:,} 字节"),
    "lock-unchanged": ("{file}: as approved on {date}", "{file}：与 {date} 批准的相同"),
    "lock-withdrawn": ("{file}: gone, approval withdrawn", "{file}：文件已不在，批准已撤销"),
    "lock-changed": (
        "{file}: {added:line/lines} added and {removed:line/lines} removed since it was approved on {date}",
        "{file}：自 {date} 批准以来，新增 {added} 行，删除 {removed} 行",
    ),
    "lock-without": (
        "{workspace}: has no {lock} and is passed over",
        "{workspace}：没有 {lock}，已跳过",
    ),
    "lock-summary": (
        "{changed} of {files:approved file/approved files} changed since; bootlint lock FILE approves one",
        "{files} 个已批准的文件中有 {changed} 个发生了变化；用 bootlint lock FILE 批准其中一个",
    ),
    "lock-all-well": (
        "{files:approved file/approved files}, none changed since",
        "{files} 个已批准的文件，均无变化",
    ),
    "after-compaction": (
        "OpenClaw {release} brings back {count:section/sections} of AGENTS.md after a compaction: {names:“”}",
        "压缩之后，OpenClaw {release} 会重新注入 AGENTS.md 的 {count} 节：{names:“”}",
    ),
    "after-compaction-cut": (
        "these have {full:,} characters, and the first {limit:,} come back",
        "这些小节共 {full:,} 个字符，只有前 {limit:,} 个会回来",
    ),
    "after-compaction-missing": ("asked for and not found: {names:“”}", "点了名但没有找到：{names:“”}"),
    "after-compaction-not-in-release": (
        "nothing comes back after a compaction: OpenClaw {release} does not do that",
        "压缩之后没有内容重新注入：OpenClaw {release} 没有这个功能",
    ),
    "after-compaction-not-asked-for": (
        "nothing comes back after a compaction: OpenClaw {release} brings back only the sections that "
        "agents.defaults.compaction.postCompactionSections in openclaw.json names, and it names none",
        "压缩之后没有内容重新注入：OpenClaw {release} 只注入 openclaw.json 的 "
        "agents.defaults.compaction.postCompactionSections 点名的小节，而那里没有点名",
    ),
    "after-compaction-no-config": (
        "nothing comes back after a compaction: OpenClaw {release} brings back only the sections that "
        "agents.defaults.compaction.postCompactionSections in openclaw.json names, and there is no openclaw.json here "
        "(--openclaw-config names one)",
        "压缩之后没有内容重新注入：OpenClaw {release} 只注入 openclaw.json 的 "
        "agents.defaults.compaction.postCompactionSections 点名的小节，而这里没有 openclaw.json"
        "（可用 --openclaw-config 指定）",
    ),
    "after-compaction-switched-off": (
        "nothing comes back after a compaction: agents.defaults.compaction.postCompactionSections in openclaw.json "
        "is empty",
        "压缩之后没有内容重新注入：openclaw.json 的 agents.defaults.compaction.postCompactionSections 是空列表",
    ),
    "after-compaction-no-file": (
        "nothing comes back after a compaction: AGENTS.md is absent or cannot be read",
        "压缩之后没有内容重新注入：AGENTS.md 不存在或无法读取",
    ),
    "after-compaction-too-large": (
        "nothing comes back after a compaction: AGENTS.md is larger than OpenClaw {release} reads",
        "压缩之后没有内容重新注入：AGENTS.md 超过了 OpenClaw {release} 读取的大小",
    ),
    "after-compaction-nothing-found": (
        "nothing comes back after a compaction: AGENTS.md has no ## or ### heading that reads {names:“”}",
        "压缩之后没有内容重新注入：AGENTS.md 没有名为 {names:“”} 的 ## 或 ### 标题",
    ),
    "after-new": (
        "OpenClaw {release} adds {count:note/notes} to a bare /new, after an introduction of its own: {names}",
        "收到单独的 /new 时，OpenClaw {release} 会在自己的引言之后加入 {count} 份笔记：{names}",
    ),
    "after-new-not-in-release": (
        "a bare /new adds no notes: OpenClaw {release} does not do that",
        "单独的 /new 不会加入笔记：OpenClaw {release} 没有这个功能",
    ),
    "after-new-switched-off": (
        "a bare /new adds no notes: agents.defaults.startupContext.enabled in openclaw.json is false",
        "单独的 /new 不会加入笔记：openclaw.json 的 agents.defaults.startupContext.enabled 为 false",
    ),
    "after-new-not-for-action": (
        "a bare /new adds no notes: agents.defaults.startupContext.applyOn in openclaw.json does not name it",
        "单独的 /new 不会加入笔记：openclaw.json 的 agents.defaults.startupContext.applyOn 没有列出 new",
    ),
    "after-new-no-notes": (
        "a bare /new adds no notes: memory/ holds none of {days} that can be read and fits",
        "单独的 /new 不会加入笔记：memory/ 里没有 {days} 的可读且放得下的笔记",
    ),
    "extra-files": (
        "not simulated: the hook bootstrap-extra-files adds {files} behind all other files",
        "未模拟：钩子 bootstrap-extra-files 会在所有文件之后追加 {files}",
    ),
    "agent": ("agent {agent}", "智能体 {agent}"),
    "fix-move-start": (
        "move “{title}” (lines {first} to {last}, {chars:,} characters) to the beginning of {file}: "
        "{gained:more priority rule reaches/more priority rules reach} the model",
        "把“{title}”一节（第 {first} 至 {last} 行，{chars:,} 个字符）移到 {file} 开头：又有 {gained} 条硬性规则送达模型",
    ),
    "fix-move-end": (
        "move “{title}” (lines {first} to {last}, {chars:,} characters) to the end of {file}: "
        "{gained:more priority rule reaches/more priority rules reach} the model",
        "把“{title}”一节（第 {first} 至 {last} 行，{chars:,} 个字符）移到 {file} 末尾：又有 {gained} 条硬性规则送达模型",
    ),
    "fix-move-start-within": (
        "move “{title}” (lines {first} to {last}, {chars:,} characters) to the beginning of “{within}” in {file}: "
        "{gained:more priority rule reaches/more priority rules reach} the model",
        "把“{title}”一节（第 {first} 至 {last} 行，{chars:,} 个字符）移到 {file} 中“{within}”一节的开头："
        "又有 {gained} 条硬性规则送达模型",
    ),
    "fix-move-end-within": (
        "move “{title}” (lines {first} to {last}, {chars:,} characters) to the end of “{within}” in {file}: "
        "{gained:more priority rule reaches/more priority rules reach} the model",
        "把“{title}”一节（第 {first} 至 {last} 行，{chars:,} 个字符）移到 {file} 中“{within}”一节的末尾："
        "又有 {gained} 条硬性规则送达模型",
    ),
    "fix-file": ("{file}: {count:fix/fixes} ({codes})", "{file}：修复 {count} 处（{codes}）"),
    "fix-held-lines": (
        "{file}: held back {count:fix/fixes} of {code} (line {lines}): {why}",
        "{file}：{code} 有 {count} 处修复未采用（第 {lines} 行）：{why}",
    ),
    "fix-held-arrives": (
        "{file}: {count:fix/fixes} of {code} left out, the lines arrive as they are: {why}",
        "{file}：{code} 有 {count} 处修复未采用，这些行照样送达：{why}",
    ),
    "fix-held-arrives-lines": (
        "{file}: {count:fix/fixes} of {code} left out, the lines arrive as they are (line {lines}): {why}",
        "{file}：{code} 有 {count} 处修复未采用，这些行照样送达（第 {lines} 行）：{why}",
    ),
    "fix-held-whole-file-cut": (
        "{file} arrives whole in OpenClaw {release}, and would be cut",
        "{file} 在 OpenClaw {release} 中本来完整送达，改后会被截断",
    ),
    "fix-held-rule-lost": (
        "the priority rule in line {line} of {file} would be lost in OpenClaw {release}",
        "{file} 第 {line} 行的硬性规则在 OpenClaw {release} 中会因此丢失",
    ),
    "fix-held-line-falls": (
        "less of line {line} of {file} would arrive in OpenClaw {release}, and no priority rule be gained for it",
        "{file} 第 {line} 行在 OpenClaw {release} 中送达的内容会变少，又没有让更多硬性规则送达",
    ),
    "fix-held-no-room": (
        "it would not help: the room for priority rules in {file} is used up",
        "改了也没有用：{file} 中留给硬性规则的空间已经用完",
    ),
    "fix-held-no-gain": (
        "no priority rule would be gained by it",
        "改了也不会有更多硬性规则送达",
    ),
    "fix-held-structure": (
        "Markdown would read {file} differently",
        "会改变 {file} 的 Markdown 结构",
    ),
    "fix-held-curated": (
        "OpenClaw {release} records who wrote {file}, and may distrust it for good after an edit from outside; "
        "let the agent change it",
        "OpenClaw {release} 会记录 {file} 由谁写入，外部改动可能使它从此不被信任；请让智能体自己修改",
    ),
    "fix-held-link": (
        "{file} is a link or has a second name, and bootlint writes through neither",
        "{file} 是链接或有另一个硬链接名，bootlint 不会透过它写入",
    ),
    "fix-held-encoding": (
        "{file} is not UTF-8, and would not be written back as it was",
        "{file} 不是 UTF-8，无法原样写回",
    ),
    "fix-release": ("OpenClaw {release}: ", "OpenClaw {release}："),
    "fix-reach-file": ("{file}: {reach}", "{file}：{reach}"),
    "fix-reach": (
        "priority rules that reach the model: {before}/{rules_before} → {after}/{rules_after}",
        "送达模型的硬性规则：{before}/{rules_before} → {after}/{rules_after}",
    ),
    "fix-reach-all": (
        "priority rules that reach the model: {before}/{rules_before}, all of them already before",
        "送达模型的硬性规则：{before}/{rules_before}，修复前就已全部送达",
    ),
    "fix-no-rules": ("no priority rules", "没有硬性规则"),
    "fix-no-text": (
        "{file}: not UTF-8, so not read as text and not repaired; save it as UTF-8 first "
        "(from GBK: iconv -f GB18030 -t UTF-8)",
        "{file}：不是 UTF-8，没有作为文本读取，也没有修复；请先另存为 UTF-8（GBK 文件：iconv -f GB18030 -t UTF-8）",
    ),
    "fix-offer-scope": (
        "to change less: --scope lost changes only what is lost, --scope at-risk also what soon may be",
        "想少改一些：--scope lost 只改已丢失的，--scope at-risk 还改可能丢失的",
    ),
    "fix-no-signs": (
        "prefix-style cjk adds nothing here: OpenClaw {release} ranks no sign and no Chinese word; use english",
        "prefix-style cjk 在这里不起作用：OpenClaw {release} 不会优先收录任何符号或中文词；请改用 english",
    ),
    "fix-more-unsafe": (
        "{count:more fix needs/more fixes need} --unsafe-fixes; look at them with --diff first",
        "另有 {count} 处修复需要 --unsafe-fixes；请先用 --diff 查看",
    ),
    "fix-still-lost": (
        "{file}: {count:priority rule/priority rules} still lost: {why}",
        "{file}：仍有 {count} 条硬性规则丢失：{why}",
    ),
    "fix-offer-moves": (
        "--unsafe-fixes tries to move sections to where they arrive",
        "--unsafe-fixes 会尝试把所在小节移到能送达的位置",
    ),
    "fix-in-vain": ("{moves}; {rest}", "{moves}；{rest}"),
    "fix-moves-in-vain": (
        "no move of their sections helps ({count} tried)",
        "移动小节也无法送达（已试 {count} 种）",
    ),
    "fix-no-moves": ("no section can be moved", "没有可移动的小节"),
    "fix-over": (
        "the file has {over:character/characters} too many: shorten it by so many, or move part of it to another file",
        "文件超出 {over:,} 个字符：请精简这么多，或把一部分移到别的文件",
    ),
    "fix-no-room-left": (
        "the files before it leave it no room: shorten them, or raise the total limit",
        "排在前面的文件没有给它留下空间：请精简它们，或调高总上限",
    ),
    "fix-left": (
        "left: {errors:error/errors}, {warnings:warning/warnings}, {infos:info/infos}; bootlint check shows them",
        "尚余：错误 {errors}，警告 {warnings}，提示 {infos}；用 bootlint check 查看",
    ),
}
