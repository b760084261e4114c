"""How many small changes to the code the tests notice: mutation testing of a random sample.

    pip install cosmic-ray
    python tests/benchmarks/mutants.py              # all modules of the table below, about an hour
    python tests/benchmarks/mutants.py --only openclaw/cuts fixer --most 100

cosmic-ray makes the mutants; one runs at a time, in a clone of the last commit, against the tests of its module. A
place in the code (a comparison, a number, a condition ...) is sampled at most once, with one of the changes that
cosmic-ray knows for it: counting every change would let the places count most whose changes die of themselves.
Prints the table that stands in CONTRIBUTING.md, and to stderr each mutant that survived.
"""

from __future__ import annotations

import argparse
import ast
import difflib
import importlib.util
import os
import resource
import signal
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from random import Random

from cosmic_ray.ast import ast_nodes, get_ast
from cosmic_ray.mutating import mutate_code
from cosmic_ray.plugins import get_operator

ROOT = Path(__file__).parents[2]
SEED = 8
MOST = 12  # places of a module

# Which tests answer for which module. Tests of the whole command are left out: they take minutes, not seconds.
TESTS = {
    "openclaw/collation": ("prompt", "startup"),
    "openclaw/compaction": ("compaction",),
    "openclaw/config_file": ("config_file",),
    "openclaw/contract": ("releases", "truncation", "sessions", "prompt", "openclaw_settings", "loading"),
    "openclaw/cuts": ("truncation", "fates"),
    "openclaw/digest": ("digest", "truncation", "fates"),
    "openclaw/digest_use": ("digest_use", "digest_rules", "why"),
    "openclaw/extra_files": ("extra_files",),
    "openclaw/fates": ("fates",),
    "openclaw/heartbeat": ("heartbeat",),
    "openclaw/history": ("upgrading",),
    "openclaw/jstext": ("jstext",),
    "openclaw/loading": ("loading",),
    "openclaw/prompt": ("prompt",),
    "openclaw/reading": ("loading", "startup"),
    "openclaw/releases": ("releases", "truncation", "digest", "sessions", "startup", "prompt", "compaction"),
    "openclaw/sessions": ("sessions",),
    "openclaw/settings": ("openclaw_settings",),
    "openclaw/settings_check": ("settings_check",),
    "openclaw/startup": ("startup", "show_after", "security_rules"),
    "openclaw/truncation": ("truncation", "fates"),
    "openclaw/upgrade": ("budget_rules",),
    "language": ("language",),
    "clauses": ("language",),
    "marks": ("language",),
    "lexicon": ("lexicon", "language"),
    "fixer": ("fixer", "fix_cli", "why"),
    "proof": ("fixer",),
    "choice": ("fixer",),
    "candidates": ("candidates", "fixer"),
    "rescue": ("fixer",),
}

# Of the changes to an operator, those that a slip of the hand could make; `a ** b` for `a + b` dies of itself.
_COMPARISONS = ("Eq", "NotEq", "Lt", "LtE", "Gt", "GtE")
_OPERATORS = (
    *("AddNot", "NumberReplacer", "ExceptionReplacer", "ZeroIterationForLoop"),
    *("ReplaceAndWithOr", "ReplaceOrWithAnd", "ReplaceTrueWithFalse", "ReplaceFalseWithTrue"),
    *("ReplaceBreakWithContinue", "ReplaceContinueWithBreak"),
    *("ReplaceUnaryOperator_Delete_Not", "ReplaceUnaryOperator_USub_UAdd"),
    *(
        f"ReplaceBinaryOperator_{pair}"
        for pair in ("Add_Sub", "Sub_Add", "Mul_Add", "Div_Mul", "FloorDiv_Mul")
    ),
    *(f"ReplaceBinaryOperator_{pair}" for pair in ("Mod_Add", "BitOr_BitAnd", "BitAnd_BitOr")),
    *(f"ReplaceComparisonOperator_{old}_{new}" for old in _COMPARISONS for new in _COMPARISONS if old != new),
    *(f"ReplaceComparisonOperator_{pair}" for pair in ("Is_IsNot", "IsNot_Is")),
)

_PYTEST = (
    *("-m", "pytest", "-x", "-q", "--hypothesis-profile=mutants", "-p", "no:cacheprovider"),
    *("-k", "not time_grows and not linear_time"),  # what a clock says is no proof on a busy machine
)
_MEMORY = 4 << 30  # bytes; a mutant may ask for all there is
_PATIENCE = 300  # seconds; a mutant may wait for what never comes. CPU time is limited by what the tests need


Position = tuple[int, int]  # a line and a column, as in `ast`


@dataclass(frozen=True, slots=True)
class Mutant:
    operator: str
    occurrence: int
    line: int


@dataclass(slots=True)
class Score:
    places: int
    sampled: int
    endless: int  # of the killed: those that a limit of time ended
    survivors: list[str]


def mutants_of(code: str, random: Random, most: int) -> tuple[int, list[Mutant]]:
    """How many places there are to change, and one mutant for each of a sample of them."""
    places: dict[tuple[Position, Position], list[Mutant]] = {}
    tree = get_ast(code)
    left_out = _not_executed(code)
    for name in _OPERATORS:
        operator = get_operator(f"core/{name}")()
        positions = (position for node in ast_nodes(tree) for position in operator.mutation_positions(node))
        for occurrence, (start, end) in enumerate(positions):
            if not any(first <= start <= last for first, last in left_out):
                places.setdefault((start, end), []).append(Mutant(name, occurrence, start[0]))
    chosen = random.sample(sorted(places), min(most, len(places)))
    return len(places), [random.choice(places[place]) for place in sorted(chosen)]


def _not_executed(code: str) -> list[tuple[Position, Position]]:
    """Annotations, and the question whether a type checker reads the file."""
    nodes: list[ast.expr | None] = []
    for node in ast.walk(ast.parse(code)):
        match node:
            case ast.arg(annotation=found) | ast.FunctionDef(returns=found) | ast.AnnAssign(annotation=found):
                nodes.append(found)
            case ast.If(test=ast.Name("TYPE_CHECKING") as found):
                nodes.append(found)
    return [
        ((node.lineno, node.col_offset), (node.end_lineno or 0, node.end_col_offset or 0))
        for node in nodes
        if node is not None
    ]


def score(clone: Path, module: str, seed: int, most: int) -> Score:
    path = clone / "bootlint" / f"{module}.py"
    code = path.read_text(encoding="utf-8")
    tests = [f"tests/test_{name}.py" for name in TESTS[module]]
    before = _cpu_seconds()
    assert _run(clone, tests, {}) == 0, f"{module}: its tests fail without any change"
    limit = 5 + round(3 * (_cpu_seconds() - before))
    places, mutants = mutants_of(code, Random(f"{seed} {module}"), most)
    result = Score(places, len(mutants), 0, [])
    # Python takes a compiled file for current if the second of the change and the size are the same.
    Path(importlib.util.cache_from_source(str(path))).unlink(missing_ok=True)
    for mutant in mutants:
        try:
            mutated: str = mutate_code(code, get_operator(f"core/{mutant.operator}")(), mutant.occurrence)
        except AttributeError:  # cosmic-ray cannot change `except module.Error`
            result.sampled -= 1
            continue
        path.write_text(mutated, encoding="utf-8")
        status = _run(clone, tests, {resource.RLIMIT_CPU: limit, resource.RLIMIT_AS: _MEMORY})
        assert status not in (-signal.SIGTERM, -signal.SIGKILL), (
            "somebody else ended the tests, which proves nothing"
        )
        result.endless += status in (None, -signal.SIGXCPU)
        if status == 0:
            result.survivors.append(f"{module}.py:{mutant.line}\n{_difference(code, mutated)}")
    path.write_text(code, encoding="utf-8")
    return result


def _run(clone: Path, tests: list[str], limits: dict[int, int]) -> int | None:
    """The exit status of the tests, None if they wait for ever."""

    def limit() -> None:
        for what, most in limits.items():
            resource.setrlimit(what, (most, most + 1))  # at the second one there is no signal to tell it by

    environment = {**os.environ, "PYTHONPATH": str(clone)}
    if limits:
        environment["PYTHONDONTWRITEBYTECODE"] = "1"
    command = [sys.executable, *_PYTEST, *tests]
    try:
        done = subprocess.run(
            command, cwd=clone, env=environment, capture_output=True, preexec_fn=limit, timeout=_PATIENCE
        )
    except subprocess.TimeoutExpired:
        return None
    return done.returncode


def _cpu_seconds() -> float:
    """What the tests have used so far."""
    use = resource.getrusage(resource.RUSAGE_CHILDREN)
    return use.ru_utime + use.ru_stime


def _difference(before: str, after: str) -> str:
    lines = difflib.unified_diff(before.splitlines(), after.splitlines(), lineterm="", n=0)
    return "\n".join(f"    {line}" for line in lines if not line.startswith(("---", "+++", "@@")))


def main() -> None:
    parser = argparse.ArgumentParser(description="Mutation testing of a random sample.")
    parser.add_argument("--only", nargs="+", choices=TESTS, default=TESTS, metavar="MODULE")
    parser.add_argument("--seed", type=int, default=SEED)
    parser.add_argument("--most", type=int, default=MOST, help="places that are sampled in each module")
    options = parser.parse_args()
    print("| module | places | sampled | killed | of them by a limit of time |\n|---|---:|---:|---:|---:|")
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "-q", str(ROOT), str(clone)], check=True)
        for module in options.only:
            found = score(clone, module, options.seed, options.most)
            killed = found.sampled - len(found.survivors)
            print(f"| {module} | {found.places} | {found.sampled} | {killed} | {found.endless} |", flush=True)
            print(*found.survivors, sep="\n", file=sys.stderr, flush=True)


if __name__ == "__main__":
    main()
