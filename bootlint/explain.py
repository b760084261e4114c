"""Why one line reaches the model or does not, in one situation, and a change that would save it: the smallest tried.

Every change is simulated: it counts if the line then arrives whole and no priority rule is lost for it.
"""

from __future__ import annotations

from collections import Counter

from bootlint.checks.agents import NAME as AGENTS
from bootlint.checks.context import is_memory
from bootlint.diagnostics import Edit
from bootlint.fixes import blank_line_fix, keyword_fix
from bootlint.openclaw.digest import (
    MAX_LINE_UNITS,
    full_units,
    is_priority,
    keywords_beyond_cut,
    matched_keyword,
)
from bootlint.openclaw.fates import REACHED
from bootlint.openclaw.jstext import safe_head, utf16_len
from bootlint.openclaw.truncation import MIN_ROOM
from bootlint.readings import mask_of, secrets
from bootlint.records import field, record, replace
from bootlint.simulation import Simulation
from bootlint.source import apply_edits
from bootlint.typed import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Iterator

    from bootlint.checks.agents import Agents
    from bootlint.checks.context import Context
    from bootlint.diagnostics import Params
    from bootlint.openclaw.digest_use import DigestUse
    from bootlint.openclaw.fates import Fate
    from bootlint.openclaw.truncation import InjectedFile
    from bootlint.workspace import TextFile

RemedyKind = Literal["keyword", "blank-line", "keyword-and-blank-line", "shorten-line", "move-up", "shorten-before",
                     "shorten-file", "shorten-other", "plain-file", "repeat-in-agents"]  # fmt: skip


@record
class Reason:
    """One thing that decided the fate. `key` names its sentence."""

    key: str
    params: Params = field(default_factory=dict)


@record
class Remedy:
    """A change that saves the line, and how many UTF-16 units it changes."""

    kind: RemedyKind
    cost: int
    params: Params = field(default_factory=dict)


@record
class Explanation:
    """The fate of one line. `fate` is None for a line of a file that the session is not sent."""

    release: str
    session: str
    fate: Fate | None
    reasons: tuple[Reason, ...]
    remedy: Remedy | None = None
    tried: int = 0  # changes that were simulated, or would have been had a smaller one not saved the line
    curated: str | None = (
        None  # the file that the remedy changes, where an edit from outside may cost its trust
    )
    saved_by_fix: bool | None = None  # does `bootlint fix` save it? None: not asked

    @property
    def reached(self) -> bool:
        return self.fate in REACHED

    @property
    def no_single_change(self) -> bool:
        """Were changes tried, and none of them saves the line?"""
        return self.tried > 0 and self.remedy is None


def explain(context: Context, file: TextFile, line: int) -> Explanation:
    """The fate of a 1-based line of a file of the workspace."""
    simulation = context.simulation
    fate = simulation.told_fates(file.path)[line - 1]
    found = Explanation(
        simulation.contract.release,
        simulation.situation.session,
        fate,
        tuple(_reasons(context, file, line, fate)),
    )
    if found.reached or fate == "blank":
        return found
    trials = sorted(_trials(context, file, line), key=lambda trial: trial.remedy.cost)
    helps = next((trial for trial in trials if _works(context, trial)), None)
    if helps is None:
        return replace(found, tried=len(trials))
    curated = helps.path if context.is_curated(helps.path) else None
    return replace(found, remedy=helps.remedy, tried=len(trials), curated=curated)


# --- reasons -------------------------------------------------------------------------------------------------


def _reasons(context: Context, file: TextFile, line: int, fate: Fate | None) -> Iterator[Reason]:
    injected = context.simulation.injected.get(file.path)
    if injected is not None and file.source.is_garbled(line):
        yield Reason("garbled", {"file": file.path})
    if fate == "blank":
        yield Reason("blank")
    elif fate is None:
        yield _not_sent(context, file)
    elif file.path in context.simulation.refused:
        yield Reason("refused", {"file": file.path})
    elif injected is None:
        yield _left_out(context, file)
    elif not injected.causes:
        yield Reason("whole", {"file": file.path})
        if not context.simulation.in_context(file.path):
            yield Reason("not-in-context", {"file": file.path})
    elif fate == "kept":
        yield Reason("kept", {"file": file.path})
    elif fate == "cut":
        yield Reason("cut", {"file": file.path})
    else:
        yield from _in_cut_middle(context, file, line, injected, fate)


def _not_sent(context: Context, file: TextFile) -> Reason:
    simulation = context.simulation
    params: Params = {"file": file.path, "files": tuple(simulation.texts)}
    if file.path in simulation.loaded:
        return Reason("private" if is_memory(file.path) else "not-in-session", params)
    return Reason("personal" if _is_personal(context, file) else "not-loaded", params)


def _left_out(context: Context, file: TextFile) -> Reason:
    arrived = context.simulation.injection.files
    return Reason(
        "total-used-up",
        {
            "file": file.path,
            "total": int(context.simulation.situation.total_limit or 0),
            "used": tuple(f"{other.name} {other.injected_chars:,}" for other in arrived),
        },
    )


def _in_cut_middle(
    context: Context, file: TextFile, line: int, injected: InjectedFile, fate: Fate
) -> Iterator[Reason]:
    yield Reason(
        "between",
        {
            "file": file.path,
            "raw": injected.raw_chars,
            "limit": int(injected.limit or 0),
            "head": max(_lines_of(file, injected, "head"), default=0),
            "tail": min(_lines_of(file, injected, "tail"), default=len(file.source.lines) + 1),
        },
    )
    agents = context.agents if file.path == AGENTS else None
    if agents is None or agents.use is None:
        has_digest = context.simulation.contract.truncation.digest is not None
        yield Reason("digest-elsewhere" if has_digest else "no-digest")
    elif fate == "dropped":
        yield from _passed_over(agents, line)
    else:
        text = file.source.lines[line - 1]
        yield _taken(agents, line)
        if fate == "digest-cut":
            yield Reason("over-240", {"units": full_units(text), "limit": MAX_LINE_UNITS})


def _taken(agents: Agents, line: int) -> Reason:
    """For what the digest holds the line: a keyword, its shape, or the line below it."""
    text, start = agents.file.source.lines[line - 1], agents.file.source.line_starts[line - 1]
    keyword = matched_keyword(text, agents.digest)
    if keyword:
        return Reason("digest-by-keyword", {"keyword": keyword})
    return (
        Reason("digest-by-shape")
        if start in agents.candidates
        else Reason("digest-as-prose", {"line": line + 1})
    )


def _passed_over(agents: Agents, line: int) -> Iterator[Reason]:
    """Why the digest does not hold the line: the first test that it failed, and what that led to."""
    text = agents.file.source.lines[line - 1]
    start = agents.file.source.line_starts[line - 1]
    beyond = keywords_beyond_cut(text, agents.digest)
    if beyond:
        yield Reason("keyword-beyond-240", {"keywords": beyond, "limit": MAX_LINE_UNITS})
    gap = agents.gaps.get(line)
    if gap is not None and gap.kind == "near-miss":
        yield Reason("near-miss", {"words": gap.words, "keywords": gap.keywords})
    if agents.candidates.get(start) is None:
        yield Reason("not-candidate")
        return
    yield Reason("ranked" if is_priority(text, agents.digest) else "unranked")
    use = agents.use
    if use is not None and use.budget is not None and start in use.rooms:
        yield Reason(
            "digest-full",
            {
                "budget": use.budget,
                "room": max(0, use.rooms[start]),
                "needs": use.by_start[start].length,
                "line": _last_taken_before(agents, use, start),
            },
        )


def _last_taken_before(agents: Agents, use: DigestUse, start: int) -> int:
    """The line that got the last place before the candidate's turn came; 0 where it was the first."""
    last = 0
    for candidate in use.candidates:
        if candidate.start == start:
            break
        if candidate.start in use.taken_at:
            last = agents.file.source.line_of(candidate.start)
    return last


def _lines_of(file: TextFile, injected: InjectedFile, kind: str) -> list[int]:
    """The first and the last line of which the head or the tail holds something."""
    spans = [piece.source for piece in injected.pieces if piece.kind == kind and piece.source]
    return [file.source.line_of(at) for start, end in spans for at in (start, max(start, end - 1))]


# --- changes, tried ------------------------------------------------------------------------------------------


@record
class _Trial:
    """A changed text, and where in it the line stands."""

    remedy: Remedy
    path: str
    text: str
    line_path: str
    line: int


def _works(context: Context, trial: _Trial) -> bool:
    after = _after(context, trial.path, trial.text)
    if trial.line_path not in after.simulation.injected:
        return False
    saved = after.simulation.fates(trial.line_path)[trial.line - 1] in REACHED
    return saved and not _reached_rules(context) - _reached_rules(after)


def _after(context: Context, path: str, text: str) -> Context:
    changed = context.workspace.with_texts({path: text})
    return replace(context, simulation=Simulation(changed, context.simulation.situation))


def _reached_rules(context: Context) -> Counter[tuple[str, str]]:
    """The texts of the priority rules that arrive, by file."""
    return Counter(
        (file.path, file.source.lines[line - 1])
        for file, _ in context.sent
        for line in context.priority_lines(file)
        if context.simulation.fates(file.path)[line - 1] in REACHED
    )


def _trials(context: Context, file: TextFile, line: int) -> Iterator[_Trial]:
    injected = context.simulation.injected.get(file.path)
    if file.path in context.simulation.texts:
        if injected is None or "total" in injected.causes:
            yield from _others_shortened(context, file, line)
        if injected is not None and injected.causes:
            yield from _line_changed(context, file, line)
            yield from _moved_up(file, line)
            yield from _file_shortened(context, file, line, injected)
        return
    if file.path in context.simulation.refused:
        yield _Trial(
            Remedy("plain-file", 0, {"file": file.path}), file.path, file.source.text, file.path, line
        )
    if not (is_memory(file.path) or _holds_secret(file, line)):  # what is private stays so
        yield from _repeated_in_agents(context, file, line)


def _is_personal(context: Context, file: TextFile) -> bool:
    """Is it `users/<id>/USER.md`, which the release sends in the sessions of that person?"""
    return file.path not in context.simulation.loaded and context.is_loaded(file.path)


def _holds_secret(file: TextFile, line: int) -> bool:
    span = file.source.line_span(line)
    return any(secret.span.start < span.end and span.start < secret.span.end for secret in secrets(file))


def _line_changed(context: Context, file: TextFile, line: int) -> Iterator[_Trial]:
    agents = context.agents if file.path == AGENTS else None
    if agents is None:
        return
    text = file.source.text
    keyword = keyword_fix(agents, line)
    words: tuple[Edit, ...] = keyword.edits if keyword else ()
    added = sum(utf16_len(edit.text) for edit in words)
    params: Params = {"keyword": str(keyword.params["keyword"])} if keyword else {}
    if words:
        params = {**params, "after": mask_of(file)(_line_after(text, words, line))}
        yield _Trial(Remedy("keyword", added, params), file.path, apply_edits(text, words), file.path, line)
    if agents.digest.carries_prose and line > 1 and file.source.lines[line - 2].strip():
        blank = blank_line_fix(file, line).edits
        yield _Trial(Remedy("blank-line", 1), file.path, apply_edits(text, blank), file.path, line + 1)
        if words:
            both = apply_edits(text, (*blank, *words))
            yield _Trial(
                Remedy("keyword-and-blank-line", added + 1, params), file.path, both, file.path, line + 1
            )
    yield from _line_shortened(agents, line)


def _line_after(text: str, edits: tuple[Edit, ...], line: int) -> str:
    return apply_edits(text, edits).split("\n")[line - 1].strip()


def _line_shortened(agents: Agents, line: int) -> Iterator[_Trial]:
    """As if the line ended earlier: under 240 units, and within what the digest has left for it."""
    source = agents.file.source
    text, start = source.lines[line - 1], source.line_starts[line - 1]
    units = full_units(text)
    over = units - MAX_LINE_UNITS
    if agents.use is not None and start in agents.use.rooms:
        over = max(over, agents.use.by_start[start].length - agents.use.rooms[start])
    if 0 < over <= units // 4:  # more would be another rule
        shorter = safe_head(text.rstrip(), utf16_len(text.rstrip()) - over)
        changed = source.text[:start] + shorter + source.text[start + len(text) :]
        path = agents.file.path
        yield _Trial(Remedy("shorten-line", over, {"by": over}), path, changed, path, line)


def _moved_up(file: TextFile, line: int) -> Iterator[_Trial]:
    """The line below the first heading, or at the top where that comes later."""
    source = file.source
    top = _top(file)
    if top + 1 >= line or file.document.kinds[line - 1] == "table":  # alone, a row of a table says little
        return
    moved = source.lines[line - 1]
    start = source.line_starts[line - 1]
    rest = source.text[:start] + source.text[start + len(moved) :].removeprefix("\r").removeprefix("\n")
    remedy = Remedy("move-up", utf16_len(moved) + 1, {"line": top + 1})
    yield _Trial(remedy, file.path, _with_line(file, rest, moved, top), file.path, top + 1)


def _top(file: TextFile) -> int:
    """The line below which the first words of the file stand: its first heading, its front matter, or 0."""
    heading = next((heading.line for heading in file.document.headings), 0)
    return max(heading, file.document.front_matter[1] if file.document.front_matter else 0)


def _with_line(file: TextFile, text: str, line: str, below: int) -> str:
    """`text`, which begins like the file, with a line put in below a line of the file."""
    starts = file.source.line_starts
    at = starts[below] if below < len(starts) else len(text)
    end = "" if text[:at].endswith("\n") or not at else file.source.line_end
    return f"{text[:at]}{end}{line}{file.source.line_end}{text[at:]}"


def _file_shortened(context: Context, file: TextFile, line: int, injected: InjectedFile) -> Iterator[_Trial]:
    """So much less anywhere that the file fits, or so much less above the line that the head reaches it."""
    others = _lines_without_rules(context, file, line)
    over = injected.raw_chars - int(injected.limit or 0)
    if over > 0:
        text = _without(file, others, over)
        if text is not None:
            remedy = Remedy("shorten-file", over, {"file": file.path, "by": over})
            yield _Trial(remedy, file.path, text, file.path, line)
    end = file.source.line_starts[line - 1] + len(file.source.lines[line - 1].rstrip())
    head = sum(
        utf16_len(injected.content[piece.start : piece.end])
        for piece in injected.pieces
        if piece.kind == "head"
    )
    before = utf16_len(file.source.text[:end]) - head
    if 0 < before < over:
        text = _without(file, [number for number in reversed(others) if number < line], before)
        if text is not None:
            yield _Trial(Remedy("shorten-before", before, {"by": before}), file.path, text, file.path, line)


def _without(file: TextFile, lines: list[int], units: int) -> str | None:
    """The text with so many units taken out of these lines, none of the lines itself; None if they hold less."""
    left = {line: file.source.lines[line - 1] for line in lines}
    for line, text in left.items():
        taken = min(units, utf16_len(text))
        left[line] = safe_head(text, utf16_len(text) - taken)
        units -= utf16_len(text) - utf16_len(left[line])
        if units <= 0:
            break
    if units > 0:
        return None
    source = file.source
    kept = [Edit(file.path, source.line_span(line), text) for line, text in left.items()]
    return apply_edits(source.text, kept)


def _others_shortened(context: Context, file: TextFile, line: int) -> Iterator[_Trial]:
    """A file before this one, so much shorter that the total leaves room for it and for those between."""
    simulation = context.simulation
    sent = list(simulation.outcomes)
    limit = int(simulation.situation.limit)
    needs = {name: min(simulation.raw_chars(name), limit) for name in sent[: sent.index(file.path) + 1]}
    arrived = {name: one.injected_chars for name, one in simulation.injected.items() if name in needs}
    needs |= {name: chars for name, chars in arrived.items() if name != file.path}
    needs[file.path] = max(MIN_ROOM, needs[file.path])
    over = sum(needs.values()) - int(simulation.situation.total_limit or 0)
    for name in needs:
        other = simulation.texts.get(name)
        if other is None or name not in arrived or name == file.path or not 0 < over < arrived[name]:
            continue
        by = simulation.raw_chars(name) - arrived[name] + over
        text = _without(other, _lines_without_rules(context, other), by)
        if text is not None:
            yield _Trial(Remedy("shorten-other", by, {"file": name, "by": by}), name, text, file.path, line)


def _lines_without_rules(context: Context, file: TextFile, *also: int) -> list[int]:
    """The lines that may be shortened: no priority rule, and none of those given."""
    kept = {*context.priority_lines(file), *also}
    return [line for line in range(1, len(file.source.lines) + 1) if line not in kept]


def _repeated_in_agents(context: Context, file: TextFile, line: int) -> Iterator[_Trial]:
    """The line once more, below the first heading of AGENTS.md, which every session receives."""
    agents = context.simulation.texts.get(AGENTS)
    if agents is None or file.path == AGENTS:
        return
    text = file.source.lines[line - 1].strip()
    top = _top(agents)
    changed = _with_line(agents, agents.source.text, text, top)
    yield _Trial(Remedy("repeat-in-agents", utf16_len(text) + 1), AGENTS, changed, AGENTS, top + 1)
