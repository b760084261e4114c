"""`bootlint fix`."""

from __future__ import annotations

import sys
from argparse import SUPPRESS

from bootlint.cli import fault
from bootlint.cli.common import Parser, SettingsReader, add_general, add_paths, add_situation, write_exactly
from bootlint.cli.targets import Target, by_commit, by_editor, by_path
from bootlint.diagnostics import UserError
from bootlint.fixer import FixResult, fix
from bootlint.records import record, replace
from bootlint.reporters.basis import basis_lines
from bootlint.reporters.fix import FORMATS, plan, render, style_notes, summary
from bootlint.reporters.patch import patch
from bootlint.source import NotWrittenError, write_atomically
from bootlint.typed import TYPE_CHECKING
from bootlint.wording import phrase

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Collection, Iterator, Sequence

    from bootlint.wording import Language

_EXAMPLES = """\
  bootlint fix --diff                      what would change, as a diff for git apply
  bootlint fix ~/.openclaw/workspace       make every safe fix that helps
  bootlint fix --unsafe-fixes --diff       split long lines and move sections too: look first
  bootlint fix --scope lost                only what brings lost rules back
  bootlint fix - --stdin-filename AGENTS.md < AGENTS.md   the repaired text on stdout
"""


@record
class _Done:
    """One workspace, and what was found to be done."""

    target: Target
    result: FixResult

    @property
    def failed(self) -> bool:
        """Are findings left at or above `--fail-on`?"""
        return any(found.severity >= self.target.settings.fail_on for found in self.result.report.diagnostics)

    def shown(self, path: str) -> str:
        return self.target.workspace.shown_path(path)


def run(argv: list[str]) -> int:
    """Repair, write, and say what was gained."""
    arguments = _parser().parse_args(argv)
    reader = SettingsReader(
        arguments,
        "select",
        "extend-select",
        "ignore",
        "fail-on",
        "scope",
        "prefix-style",
        for_people=arguments.output_format == "text",
    )
    if (arguments.paths == ["-"]) != bool(arguments.stdin_filename):
        raise UserError("- reads a text from stdin, and --stdin-filename says which file it is; give both")
    done = [_fixed(target, arguments) for target in _targets(arguments, reader)]
    writes = not arguments.diff and not arguments.stdin_filename
    written, refused = _written(done) if writes else ((), ())
    _report([_as_written(one, written) for one in done] if refused else done, arguments, written)
    for refusal in refused:
        fault(str(refusal))
    if refused:
        return 2
    if arguments.hook:
        return int(bool(written))
    would_change = arguments.diff and any(one.result.files for one in done)
    return int(would_change or any(one.failed for one in done))


def _parser() -> Parser:
    parser = Parser(
        "fix",
        "Repair OpenClaw workspaces; every fix is proven by simulating again, or not made.",
        _EXAMPLES,
        "0 all is repaired, 1 findings at or above --fail-on are left, or --diff shows a change",
    )
    add_paths(parser)
    what = parser.add_argument_group("what to repair")
    what.add_argument("--select", metavar="RULES", help="only these codes, prefixes or names")
    what.add_argument("--extend-select", metavar="RULES", help="these too, although they are off by default")
    what.add_argument("--ignore", metavar="RULES", help="not these")
    what.add_argument(
        "--scope",
        metavar="SCOPE",
        help="lost: what does not arrive now; at-risk: also files that are cut or near a limit; all (default)",
    )
    what.add_argument(
        "--prefix-style",
        metavar="STYLE",
        help="english (default): Never, Must …; cjk: a sign that the release ranks, such as 🔴",
    )
    what.add_argument("--unsafe-fixes", action="store_true", help="also split lines and move sections")
    how = parser.add_argument_group("how")
    how.add_argument("--diff", action="store_true", help="write nothing, print a unified diff")
    how.add_argument("--stdin-filename", metavar="FILE", help="with -: the file that stdin stands for")
    how.add_argument("--output-format", choices=FORMATS, default="text", help="text (default) or json")
    how.add_argument(
        "--fail-on", metavar="LEVEL", help="error (default), warning or info: from where on to exit 1"
    )
    how.add_argument("--hook", action="store_true", help=SUPPRESS)  # for pre-commit: the paths are a commit's
    add_situation(parser)
    add_general(parser)
    return parser


def _targets(arguments: Namespace, reader: SettingsReader) -> Iterator[Target]:
    if arguments.stdin_filename:
        return by_editor(arguments.stdin_filename, reader)
    if arguments.hook:
        return by_commit(arguments.paths, reader)
    return by_path(arguments.paths, reader)


def _fixed(target: Target, arguments: Namespace) -> _Done:
    """In a hook only what the commit touches, and only what is lost or at risk unless the settings say more."""
    settings, shown = target.settings, target.workspace.shown
    only = None
    if arguments.hook:
        settings = replace(settings, scope="at-risk") if settings.origin("scope") is None else settings
        only = frozenset(path.removeprefix(shown) for path in target.passed)
    elif target.only is not None:
        only = frozenset({target.only.removeprefix(shown)})
    result = fix(target.workspace, target.basis, settings, unsafe=arguments.unsafe_fixes, only=only)
    if target.only is not None:
        left = tuple(found for found in result.report.diagnostics if found.path == target.only)
        result = replace(result, report=replace(result.report, diagnostics=left))
    return _Done(target, result)


def _written(done: Sequence[_Done]) -> tuple[list[str], list[NotWrittenError]]:
    """Write each file for itself. The files that were written, as shown, and why others were not."""
    written: list[str] = []
    refused: list[NotWrittenError] = []
    for one in done:
        for file in one.result.files:
            try:
                write_atomically(one.target.workspace.root / file.path, file.before, file.after)
                written.append(one.shown(file.path))
            except NotWrittenError as refusal:
                refused.append(refusal)
    return written, refused


def _as_written(one: _Done, written: Collection[str]) -> _Done:
    """Without the fixes of files that were refused, and then without what would have come of all."""
    result = one.result
    left = {file.path for file in result.files if one.shown(file.path) not in written}
    if not left:
        return one
    made = replace(
        result,
        repairs=tuple(repair for repair in result.repairs if repair.path not in left),
        moves=tuple(move for move in result.moves if move.path not in left),
        held=(),
        reach=(),
        still_lost=(),
        unsafe=0,
        report=replace(result.report, diagnostics=()),
    )
    return replace(one, result=made)


def _report(done: Sequence[_Done], arguments: Namespace, written: Sequence[str]) -> None:
    """The diff, the fixed text or the document on stdout; plan and summary on stderr, the plan before the diff."""
    results = [one.result for one in done]
    language = (done[0].target.settings.language if done else None) or "en"
    if arguments.output_format == "text" and not arguments.quiet:
        _tell(plan(results, language))
    if arguments.output_format == "json":
        diff = "".join(_patches(done)) if arguments.diff else None
        sys.stdout.write(render(results, language, written=written, diff=diff))
    elif arguments.diff:
        write_exactly("".join(_patches(done)))
    elif arguments.stdin_filename:
        write_exactly(_text(done[0]))
    if not arguments.quiet:
        _tell(
            summary(
                results,
                language,
                offers_unsafe=not arguments.unsafe_fixes,
                offers_scope=not arguments.hook and any(one.target.settings.scope == "all" for one in done),
                verbose=arguments.verbose,
            )
        )
        _tell(dict.fromkeys(line for one in done for line in _about(one, language, arguments)))


def _about(one: _Done, language: Language, arguments: Namespace) -> Iterator[str]:
    situations = one.target.basis.situations
    for path, file in one.target.workspace.files.items():
        if not file.source.valid_utf8:
            yield phrase("fix-no-text", language, file=one.shown(path))
    yield from style_notes(one.target.settings, situations, language)
    yield from basis_lines(situations, language, verbose=arguments.verbose)


def _patches(done: Sequence[_Done]) -> Iterator[str]:
    for one in done:
        for file in one.result.files:
            yield patch(one.shown(file.path), file.before, file.after)


def _text(one: _Done) -> str:
    """The editor's text, repaired."""
    path = (one.target.only or "").removeprefix(one.target.workspace.shown)
    after = {file.path: file.after for file in one.result.files}
    return after.get(path, one.target.workspace.files[path].source.text)


def _tell(lines: Iterator[str] | dict[str, None]) -> None:
    for line in lines:
        print(line, file=sys.stderr)
