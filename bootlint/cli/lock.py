"""`bootlint lock`."""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path

from bootlint import catalog, lock
from bootlint.cli.common import Parser, SettingsReader, add_general, add_paths
from bootlint.diagnostics import UserError
from bootlint.lock import Approval, Lock, LockError
from bootlint.past import Drift, Past
from bootlint.readings import mask_of
from bootlint.records import record
from bootlint.source import write_atomically, write_new
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase, printable
from bootlint.workspace import (
    BOOTSTRAP_NAMES,
    LOCK_NAME,
    NoWorkspaceError,
    TextFile,
    Workspace,
    discover,
    folders_at,
    root_of_file,
    shown_folder,
)

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping

    from bootlint.diagnostics import Params
    from bootlint.past import Lines
    from bootlint.security.secrets import Mask
    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint lock                   approve SOUL.md, IDENTITY.md and AGENTS.md as they are now
  bootlint lock USER.md           approve one file, and leave the others alone
  bootlint lock --check           say which lines changed since
"""

_MOST_LINES = 200  # of a file that are printed, of each kind
_LONGEST_LINE = 300  # code points


@record
class _Target:
    """A workspace, and the files in it that were named; () where the workspace itself was."""

    workspace: Workspace
    names: tuple[str, ...]


def run(argv: list[str]) -> int:
    """Approve files and write the lock; or compare with it, and exit with 1 where something changed."""
    arguments = _parser().parse_args(argv)
    targets = _targets(arguments.paths, locked=arguments.check)
    language = SettingsReader(arguments, for_people=True).of(targets[0].workspace.root).language or "en"
    if not arguments.check:
        for line in _approved(targets, language):
            print(line)
        return 0
    targets, without = _split(targets)
    if not arguments.quiet:
        for target in without:
            shown = target.workspace.shown.rstrip("/") or "."
            print(phrase("lock-without", language, workspace=shown, lock=LOCK_NAME), file=sys.stderr)
    checked = [_compared(target, language) for target in targets]
    drifts = [(target, drift) for target, (_, found) in zip(targets, checked, strict=True) for drift in found]
    for target, drift in drifts:
        print("\n".join(_told(target.workspace, drift, language)))
    if not arguments.quiet:
        files = sum(count for count, _ in checked)
        key = "lock-summary" if drifts else "lock-all-well"
        print(phrase(key, language, files=files, changed=len(drifts)), file=sys.stderr)
    return int(bool(drifts))


def _parser() -> Parser:
    parser = Parser(
        "lock",
        f"Write down in {LOCK_NAME} which files are approved as they are; or say what changed since. It detects a "
        "change and does not prevent it: whoever may write the files may write the lock.",
        _EXAMPLES,
        "0, or with --check 1 if something changed",
    )
    add_paths(parser)
    what = parser.add_argument_group("what to do")
    what.add_argument("--check", action="store_true", help="approve nothing; say what changed since")
    add_general(parser)
    return parser


# --- which files -------------------------------------------------------------------------------------------


def _targets(paths: Iterable[str], *, locked: bool) -> list[_Target]:
    names: dict[str, set[str]] = {}
    workspaces: dict[str, Workspace] = {}
    for path in paths:
        found = (
            [(each, "") for each in _workspaces(path, locked=locked)]
            if os.path.isdir(path)
            else [_file(path)]
        )
        for workspace, name in found:
            key = os.path.realpath(workspace.root)
            workspaces.setdefault(key, workspace)
            names.setdefault(key, set()).update([name] if name else [])
    return [_Target(workspaces[key], tuple(sorted(names[key]))) for key in sorted(names)]


def _workspaces(path: str, *, locked: bool) -> list[Workspace]:
    """With `locked`, a folder with a lock counts as well: all else in it may have been deleted."""
    holders = [folder for folder in folders_at(Path(path)) if locked and os.path.lexists(folder / LOCK_NAME)]
    try:
        found = discover([path])
    except NoWorkspaceError:
        if not holders:
            raise
        found = []
    known = {os.path.realpath(workspace.root) for workspace in found}
    gone = [folder for folder in holders if os.path.realpath(folder) not in known]
    return found + [Workspace.at(folder, shown_folder(folder)) for folder in gone]


def _file(path: str) -> tuple[Workspace, str]:
    root = root_of_file(path)
    name = os.path.relpath(os.path.abspath(path), root).replace(os.sep, "/")
    if not lock.is_approvable(name):
        known = ", ".join(BOOTSTRAP_NAMES[:-1])
        raise UserError(f"{path}: only bootstrap files can be approved: {known}, users/<id>/USER.md")
    return Workspace.at(root, shown_folder(root)), name


# --- approve ---------------------------------------------------------------------------------------------


def _approved(targets: Iterable[_Target], language: Language) -> list[str]:
    """Write the locks, all or none where a file cannot be approved, and say what was done."""
    today = time.strftime("%Y-%m-%d", time.gmtime())
    work = [(target, _old_lock(target.workspace, language)) for target in targets]
    done = [(target, old, _approvals(target, old, today)) for target, old in work]
    lines: list[str] = []
    for target, old, new in done:
        _write(target.workspace, {**old, **new})
        lines += (_what_was_done(target, name, old, new, language) for name in new)
    return lines


def _old_lock(workspace: Workspace, language: Language) -> Lock:
    try:
        return lock.read(workspace)
    except LockError as error:
        if error.fault == "missing":
            return {}
        raise _fault(workspace, error, language) from error


def _approvals(target: _Target, old: Lock, today: str) -> dict[str, Approval | None]:
    """What becomes of each file that was named, or of the default ones; None: it is gone, and so is its approval."""
    workspace = target.workspace
    approvals: dict[str, Approval | None] = {}
    for name in target.names or lock.DEFAULT_FILES:
        data, known = lock.content(workspace, name), old.get(name)
        if isinstance(data, bytes):
            approvals[name] = known if known and known.matches(data) else lock.approve(name, data, today)
        elif data != "gone":
            raise UserError(f"{workspace.shown_path(name)}: {_NOT_APPROVABLE[data]}")
        elif known is not None:
            approvals[name] = None
        elif target.names:
            raise UserError(f"{workspace.shown_path(name)}: there is no such file")
    if not approvals:
        raise UserError(
            f"{workspace.shown or './'}: holds none of {', '.join(lock.DEFAULT_FILES)}; name the file to approve"
        )
    return approvals


_NOT_APPROVABLE = {
    "link": "is reached through a link, and bootlint approves plain files only",
    "unreadable": "is no plain, readable file below 2 MiB",
}


def _write(workspace: Workspace, approvals: Mapping[str, Approval | None]) -> None:
    path = workspace.root / LOCK_NAME
    text = lock.render({name: approval for name, approval in approvals.items() if approval is not None})
    before = lock.content(workspace, LOCK_NAME)
    if not isinstance(before, bytes):
        write_new(path, text)
    elif before != text.encode():
        write_atomically(path, before.decode(), text)


def _what_was_done(
    target: _Target, name: str, old: Lock, new: Mapping[str, Approval | None], language: Language
) -> str:
    file, approval = target.workspace.shown_path(name), new[name]
    if approval is None:
        return phrase("lock-withdrawn", language, file=file)
    if old.get(name) == approval:
        return phrase("lock-unchanged", language, file=file, date=approval.date)
    return phrase("lock-approved", language, file=file, size=approval.size)


# --- compare ---------------------------------------------------------------------------------------------


def _split(targets: list[_Target]) -> tuple[list[_Target], list[_Target]]:
    """What is compared, and the workspaces without a lock that are passed over: none where no other has one."""
    without = [
        target
        for target in targets
        if not target.names and not os.path.lexists(target.workspace.root / LOCK_NAME)
    ]
    if len(without) == len(targets):
        return targets, []
    return [target for target in targets if target not in without], without


def _compared(target: _Target, language: Language) -> tuple[int, list[Drift]]:
    """How many approved files were asked about, and which of them changed."""
    workspace = target.workspace
    try:
        approvals = lock.read(workspace)
    except LockError as error:
        raise _fault(workspace, error, language) from error
    for name in target.names:
        if name not in approvals:
            shown = workspace.shown_path(name)
            raise UserError(f"{shown}: nobody has approved it; bootlint lock {shown} does")
    wanted = target.names or tuple(approvals)
    return len(wanted), [each for each in Past.of(workspace).drifts if each.approval.path in wanted]


def _fault(workspace: Workspace, error: LockError, language: Language) -> UserError:
    """Named in the words of the rule, with the place in front."""
    place = workspace.shown_path(LOCK_NAME) + (f":{error.line}" if error.line else "")
    params: Params = {"lock": LOCK_NAME, "line": error.line}
    words = catalog.rule("BL505").message(params, language, variant=f"lock-{error.fault}")
    return UserError(f"{place}: {words}")


def _told(workspace: Workspace, drift: Drift, language: Language) -> Iterator[str]:
    found, date, file = drift.difference, drift.approval.date, workspace.shown_path(drift.approval.path)
    if found is None or not (found.added or found.removed):
        params: Params = {"file": file, "date": date, "before": drift.approval.size}
        variant = drift.now if isinstance(drift.now, str) else "unknown" if found is None else "rearranged"
        size = drift.now if isinstance(drift.now, int) else 0
        yield catalog.rule("BL505").message({**params, "size": size}, language, variant=variant)
        return
    counts = {"added": len(found.added), "removed": len(found.removed)}
    yield phrase("lock-changed", language, file=file, date=date, **counts)
    texts = (TextFile(file, found.before), TextFile(file, found.after))
    mask = mask_of(*texts)
    yield from _listed("-", found.removed, mask, language)
    yield from _listed("+", found.added, mask, language)


def _listed(sign: str, lines: Lines, mask: Mask, language: Language) -> Iterator[str]:
    for number, text in lines[:_MOST_LINES]:
        shown = mask(text)
        yield f"  {sign}{number} {printable(shown if len(shown) <= _LONGEST_LINE else shown[:_LONGEST_LINE] + '…')}"
    if len(lines) > _MOST_LINES:
        yield "  " + phrase("diff-more", language, count=len(lines) - _MOST_LINES)
