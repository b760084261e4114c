"""BL311: what the files of a workspace point to. Prefers to miss a reference to crying about none."""

from __future__ import annotations

import os
import re
from functools import lru_cache

from bootlint.diagnostics import Finding, Related, Span
from bootlint.lazyre import lazy_pattern
from bootlint.typed import TYPE_CHECKING
from bootlint.workspace import BOOTSTRAP_NAMES, meant_name

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.context import Context
    from bootlint.workspace import TextFile

# Absent more often than not, and what is said of them is a plan, not a reference.
_MAY_BE_ABSENT = frozenset({"BOOTSTRAP.md", "MEMORY.md", "memory.md"})
# A diary: it tells what was, and a name in it orders nothing.
_TELLS_STORIES = frozenset({"MEMORY.md", "memory.md"})


def dangling_reference(context: Context) -> Iterator[Finding]:
    """A bootstrap file sends the agent to a file that is absent, or that the release does not load any more."""
    release = context.simulation.contract.release
    for file, _ in context.sent:
        if file.name in _TELLS_STORIES:
            continue
        places: dict[str, list[Span]] = {}
        for target, span in (*_named_files(context, file), *_linked_files(context, file)):
            places.setdefault(target, []).append(span)
        for target, (first, *rest) in places.items():
            yield Finding(
                file.path,
                first,
                {"file": file.path, "target": target, "release": release},
                related=tuple(Related(file.path, span) for span in rest),
                variant=_variant(context, target),
            )


def _variant(context: Context, target: str) -> str | None:
    """None: it is not there."""
    if not _is_retired(context, target):
        return None
    return "retired" if target in context.workspace.entries else "retired-and-absent"


def _is_retired(context: Context, name: str) -> bool:
    """Did older releases load it?"""
    return meant_name(name) == name and name not in context.simulation.contract.loading.names


# --- bootstrap files, by name ------------------------------------------------------------------------------


def _named_files(context: Context, file: TextFile) -> Iterator[tuple[str, Span]]:
    """The names of bootstrap files that are gone, where the text sends the agent to them."""
    text = file.source.text
    for name in BOOTSTRAP_NAMES:
        if name not in text or name == file.name or name in _MAY_BE_ABSENT:
            continue
        retired = _is_retired(context, name)
        if not retired and _is_there(context, name):
            continue
        for match in re.finditer(rf"(?<![\w/\\.-])(?:\./)?{re.escape(name)}(?![\w-])", text, re.ASCII):
            line = file.source.line_of(match.start())
            if _speaks(file, line) and _refers(file.source.lines[line - 1], retired=retired):
                yield name, Span(match.end() - len(name), match.end())


def _is_there(context: Context, name: str) -> bool:
    """Under this name, or under one that BL302 reports."""
    return any(meant_name(entry) == name for entry in context.workspace.entries)


def _speaks(file: TextFile, line: int) -> bool:
    return file.document.kinds[line - 1] not in ("code", "comment", "front-matter")


@lru_cache(maxsize=2)  # a line may name thousands
def _refers(line: str, *, retired: bool) -> bool:
    """Does a line that names a file count on what stands in it?

    Not if it speaks of its making, its absence or its end. Of a retired file every other mention counts, an order
    to write into it too: what stands there does not reach the agent. Of an absent one only an order to read it.
    """
    reads, writes, doubts = _words()
    if doubts.search(line):
        return False
    return retired or (reads.search(line) is not None and not writes.search(line))


@lru_cache(maxsize=1)
def _words() -> tuple[re.Pattern[str], ...]:
    """Reading, writing, and what makes a mention no reference."""
    pairs = ((_READING, _READING_CJK), (_WRITING, _WRITING_CJK), (_DOUBT, _DOUBT_CJK))
    return tuple(re.compile(rf"\b(?:{english})\b|{cjk}", re.IGNORECASE | re.ASCII) for english, cjk in pairs)


_READING = (
    "read|see|check|consult|follow|refer|load|open|review|per|according to|look (?:in|at|up)|"
    "(?:defined|described|documented|listed|explained|stands?) in"
)
_READING_CJK = (
    "读取|阅读|先读|要读|请读|重读|参见|参照|参考|参阅|查看|查阅|详见|遵守|遵循|按照|依照|根据|加载|讀取|閱讀|先讀|參見|參照|參考|詳見|載入|"
    "読む|読み|参照|읽|참조|확인"
)
_WRITING = (
    "(?:creat|writ|mak|add|updat|edit|delet|remov|renam|sav|stor|keep|record|append|log|put|fill|maintain|generat|mov)"
    "(?:e|es|ed|ing|s|t|ten)?|cop(?:y|ies|ied)|kept"
)
_WRITING_CJK = (
    "创建|新建|建立|写入|写到|写进|更新|编辑|修改|删除|记录|保存|存入|存到|追加|维护|补充|生成|創建|寫入|寫到|編輯|刪除|記錄|儲存|維護|"
    "作成|書く|書き|編集|削除|작성|생성|수정|삭제|저장"
)
_DOUBT = (
    "exist(?:s|ed|ing)?|if (?:present|available|any|needed|there|you (?:have|want|like))|optional(?:ly)?|no longer|any ?more|"
    "retired|deprecated|removed|obsolete|legacy|former(?:ly)?|old|migrat(?:e|ed|ion)|merg(?:e|ed)|replac(?:e|ed|es)|moved|"
    "instead of|there is no|(?:is|are|was|were|been|be) (?:gone|not)|not (?:injected|loaded|used|read|needed)|"
    "(?:do not|don['’]t|never)[^.;:]{0,200} (?:use|create|write|add|edit|put|keep|store|save|paste|rely)"
)
_DOUBT_CJK = (
    "存在|如有|若有|如果有|有的话|可选|停用|废弃|弃用|不再|迁移|合并|移除|已删|旧的|取代|代替|作废|没有|不加载|不会加载|不用|"
    "(?:不要|不得|禁止|严禁|切勿|请勿)[^。；，：]{0,100}(?:用|写|建|放|存|记)|可選|廢棄|棄用|遷移|合併|舊的|沒有|不載入|"
    "(?:不要|不得|禁止|嚴禁|切勿|請勿)[^。；，：]{0,100}(?:用|寫|建|放|存|記)|"
    "廃止|あれば|없으면|있으면|더 이상"
)


# --- other files, by Markdown link ---------------------------------------------------------------------------

_ELSEWHERE = lazy_pattern(r"[a-z][a-z0-9+.-]*:|[/#?~$@%]|\\", re.IGNORECASE)
_PLACEHOLDER = lazy_pattern(r"[{}<>*…$|]|YYYY|path/to|\.\.\.|xxx|example|your[-_]", re.IGNORECASE)
_LOOKS_LIKE_FILE = lazy_pattern(r"[^/]\.[A-Za-z][A-Za-z0-9]{0,7}\Z|/\Z")
_MADE_LATER = ("memory/",)  # daily notes


def _linked_files(context: Context, file: TextFile) -> Iterator[tuple[str, Span]]:
    """The targets of links that lead to nothing in the workspace."""
    if "](" not in file.source.text and "]:" not in file.source.text:
        return
    from bootlint.inline import targets

    for line in file.document.prose_lines():
        text = file.source.lines[line - 1]
        for start, end in targets(text) if "](" in text or "]:" in text else ():
            path = _local_path(text[start:end])
            if path is not None and not _exists(context, path) and _refers_by_link(text):
                begin = file.source.line_starts[line - 1]
                yield path, Span(begin + start, begin + end)


@lru_cache(maxsize=1)
def _refers_by_link(line: str) -> bool:
    _, writes, doubts = _words()
    return not writes.search(line) and not doubts.search(line)


def _local_path(target: str) -> str | None:
    """The path in the workspace that a link means; None where it may mean something else."""
    from urllib.parse import unquote

    target = target.removeprefix("<").removesuffix(">")
    if _ELSEWHERE.match(target) or _PLACEHOLDER.search(target):
        return None
    path = unquote(re.split("[#?]", target, maxsplit=1)[0])
    normal = os.path.normpath(path).replace(os.sep, "/")
    if not _LOOKS_LIKE_FILE.search(path) or normal.startswith(("..", "/", *_MADE_LATER)) or "\0" in path:
        return None
    return None if meant_name(normal) == normal else normal


def _exists(context: Context, path: str) -> bool:
    return path in context.workspace.files or os.path.lexists(context.workspace.root / path)
