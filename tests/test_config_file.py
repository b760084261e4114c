"""Reading openclaw.json: JSON5, includes, variables, and files that a stranger wrote."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.openclaw.config_file import (
    MAX_BYTES,
    MAX_FILE_BYTES,
    MAX_FILES,
    MAX_FILLED_CHARS,
    MAX_INCLUDE_DEPTH,
    MAX_NESTING,
    ConfigError,
    FromEnvironment,
    absolute,
    read_tree,
    shown,
)
from linear_time import assert_linear

if TYPE_CHECKING:
    from collections.abc import Mapping


MAIN = "openclaw.json"
NO_FILES: Mapping[str, str] = {}


def write(folder: Path, files: Mapping[str, str]) -> None:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / name).write_bytes(text.encode("utf-8", "surrogatepass"))


def read(
    folder: Path, main: str, others: Mapping[str, str] = NO_FILES, env: Mapping[str, str] = NO_FILES
) -> dict[str, object]:
    write(folder, {MAIN: main, **others})
    return read_tree(folder / MAIN, env)


def refusal(folder: Path, env: Mapping[str, str] = NO_FILES) -> str:
    """Why the openclaw.json in the folder is refused, paths relative to it."""
    with pytest.raises(ConfigError) as caught:
        read_tree(folder / MAIN, env)
    return str(caught.value).replace(f"{folder}{os.sep}", "").replace(str(folder), ".")


# --- JSON5 -----------------------------------------------------------------------------------------------


def test_json5(tmp_path: Path) -> None:
    text = "\ufeff// note\n{a: 'x', \"b\": [1, .5, +2, 0x1f, -Infinity,], /* c */ 名: null, d: '\\\n'}\n"
    tree = {"a": "x", "b": [1, 0.5, 2, 31, -float("inf")], "名": None, "d": ""}
    assert read(tmp_path, text) == tree


def test_underscores_outside_of_numbers(tmp_path: Path) -> None:
    text = """{a_1: '1_\\'2_', $5_0: "3_\\"4_", // 5_\n /* 6_ */ \\u0061_7: 8}"""
    assert read(tmp_path, text) == {"a_1": "1_'2_", "$5_0": '3_"4_', "a_7": 8}


@pytest.mark.parametrize(
    ("text", "place", "words"),
    [
        ("", "1:1", "no JSON data found"),
        ("{\n  a: 1\n  b: 2\n}", "3:3", 'expected comma or "}"'),
        ("{a: '🔴'} x", "1:10", "extra data"),
        ("{\r\n a: tru\r\n}", "2:8", 'expected "e"'),
        ("{\n a: [1,\n", "2:5", "unclosed array"),
        ("{a: 'x\n'}", "1:5", "unclosed string"),
        ("{a: 1,, b: 2}", "1:7", "stray comma"),
        ("{,}", "1:2", "expected a key"),
        ("{'a': nope}", "1:8", 'expected "u"'),
        ("{a_1: '_1',\n b: 5_000}", "2:5", "expected a number without underscores"),
        ("[.5_0]", "1:3", "expected a number without underscores"),
    ],
)
def test_a_syntax_error_has_its_place(tmp_path: Path, text: str, place: str, words: str) -> None:
    write(tmp_path, {MAIN: text})
    # Without what stands there: a stranger's settings may name any file of this machine.
    assert refusal(tmp_path) == f"openclaw.json:{place}: is no JSON5: {words}"


def test_the_parts_of_an_error(tmp_path: Path) -> None:
    with pytest.raises(ConfigError) as caught:
        read(tmp_path, "{\n!}")
    error = caught.value
    assert (error.path, error.line, error.column) == (tmp_path / MAIN, 2, 1)
    assert error.message == "is no JSON5: expected a key"


def test_bytes_become_text_as_in_node(tmp_path: Path) -> None:
    path = tmp_path / MAIN
    path.write_bytes("{a: 1} // 注释".encode("gbk"))
    assert read_tree(path, {}) == {"a": 1}
    path.write_bytes("{a: 1}".encode("utf-16"))
    assert refusal(tmp_path).endswith("; the file is not UTF-8")


@pytest.mark.parametrize("text", ["[]", "7", "'text'", "null"])
def test_the_file_holds_an_object(tmp_path: Path, text: str) -> None:
    write(tmp_path, {MAIN: text})
    assert refusal(tmp_path) == "openclaw.json: holds no object"


@pytest.mark.parametrize("opening", ["[", "{a:", "[{a:"])
def test_deep_nesting_is_an_error(tmp_path: Path, opening: str) -> None:
    write(tmp_path, {MAIN: opening * 100_000})
    assert refusal(tmp_path) == f"openclaw.json: is nested more than {MAX_NESTING} levels deep"
    deep = f"{{a: {'[' * (MAX_NESTING - 1)}{']' * (MAX_NESTING - 1)}}}"
    assert read(tmp_path, deep)


# --- what is no plain file ---------------------------------------------------------------------------------


def test_what_is_no_plain_file_is_not_read(tmp_path: Path) -> None:
    path = tmp_path / MAIN
    assert refusal(tmp_path) == "openclaw.json: cannot be read: No such file or directory"
    path.mkdir()
    assert refusal(tmp_path) == "openclaw.json: cannot be read: no plain file"
    path.rmdir()
    os.mkfifo(path)
    assert refusal(tmp_path) == "openclaw.json: cannot be read: no plain file"
    path.unlink()
    path.symlink_to("/dev/zero")
    assert refusal(tmp_path) == "openclaw.json: cannot be read: no plain file"


def test_a_large_file_is_not_read(tmp_path: Path) -> None:
    text = '{a: "' + "x" * (MAX_FILE_BYTES - 7) + '"}'
    assert len(text) == MAX_FILE_BYTES
    assert read(tmp_path, text)
    write(tmp_path, {MAIN: text + " "})
    assert refusal(tmp_path) == "openclaw.json: is larger than 2,097,152 bytes"


def test_paths_are_made_absolute_without_following_links(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("/")
    assert absolute(tmp_path / "link" / ".." / "x") == tmp_path / "x"
    assert absolute("~/x") == Path.home() / "x"


# --- includes ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("main", "tree"),
    [
        ("{$include: './a.json5'}", {"x": {"y": 1, "z": 1}, "l": [1]}),
        ("{in: {$include: 'a.json5'}}", {"in": {"x": {"y": 1, "z": 1}, "l": [1]}}),
        ("{in: [{$include: 'list.json5'}]}", {"in": [[3]]}),
        ("{$include: ['a.json5', 'b.json5']}", {"x": {"y": 2, "z": 1}, "l": [1, 2]}),
        ("{$include: ['a.json5'], x: {y: 9}, l: [9]}", {"x": {"y": 9, "z": 1}, "l": [1, 9]}),
        ("{$include: ['a.json5'], x: [9], l: {y: 9}}", {"x": [9], "l": {"y": 9}}),
        ("{$include: 'sub/c.json5'}", {"x": {"y": 2}, "l": [2], "c": 1}),
        ("{$include: 'sub/../a.json5'}", {"x": {"y": 1, "z": 1}, "l": [1]}),
        ("{$include: []}", {}),
        ("{$include: ['a.json5'], constructor: 1, __proto__: {}}", {"x": {"y": 1, "z": 1}, "l": [1]}),
    ],
)
def test_includes_are_merged(tmp_path: Path, main: str, tree: object) -> None:
    write(tmp_path / "sub", {"c.json5": "{$include: '../b.json5', c: 1}"})
    files = {"a.json5": "{x: {y: 1, z: 1}, l: [1]}", "b.json5": "{x: {y: 2}, l: [2]}", "list.json5": "[3]"}
    assert read(tmp_path, main, files) == tree


@pytest.mark.parametrize(
    ("main", "words"),
    [
        ("{$include: 7}", "openclaw.json: $include takes a path or a list of paths"),
        ("{$include: ['ok.json', 7]}", "openclaw.json: $include takes a path or a list of paths"),
        ("{$include: 'none.json'}", "openclaw.json: includes 'none.json', which cannot be read"),
        ("{$include: 'a\\0b'}", "openclaw.json: includes 'a\\x00b', which cannot be read"),
        ("{$include: 'list.json', a: 1}",
         "openclaw.json: keys beside $include need an included file that holds an object"),
        ("{$include: 'self.json'}", "self.json: includes './self.json', which leads back to itself"),
        ("{$include: 'openclaw.json'}",
         "openclaw.json: includes 'openclaw.json', which leads back to itself"),
        ("{$include: '.'}", ".: cannot be read: no plain file"),
        ("{$include: 'broken.json'}", 'broken.json:1:2: is no JSON5: expected a key'),
        ("{$include: 'fifo'}", "fifo: cannot be read: no plain file"),
        ("{$include: 'hard.json'}", "openclaw.json: includes 'hard.json', which is a hard link"),
        ("{$include: '../out.json'}", "openclaw.json: includes '../out.json', which is outside ."),
        ("{$include: '/etc/x'}", "openclaw.json: includes '/etc/x', which is outside ."),
        ("{$include: 'away.json'}",
         "openclaw.json: includes 'away.json', which is a link that leads out of ."),
        ("{$include: 'loop.json'}", "openclaw.json: includes 'loop.json', which cannot be read"),
    ],
)  # fmt: skip
def test_what_is_not_included(tmp_path: Path, main: str, words: str) -> None:
    folder = tmp_path / "state"
    write(folder, {MAIN: main, "ok.json": "{}", "list.json": "[]", "broken.json": "{!}"})
    write(folder, {"self.json": "{$include: './self.json'}"})
    write(tmp_path, {"out.json": "{}"})
    (folder / "away.json").symlink_to("../out.json")
    (folder / "loop.json").symlink_to("loop.json")
    (folder / "hard.json").hardlink_to(tmp_path / "out.json")
    os.mkfifo(folder / "fifo")
    assert refusal(folder) == words


def test_a_link_inside_the_folder_may_be_included(tmp_path: Path) -> None:
    (tmp_path / "link.json").symlink_to("real.json")
    assert read(tmp_path, "{$include: 'link.json'}", {"real.json": "{a: 1}"}) == {"a": 1}


def test_other_folders_can_be_allowed(tmp_path: Path) -> None:
    folder, shared = tmp_path / "state", tmp_path / "shared"
    write(shared, {"more.json": "{a: 1}"})
    write(folder, {MAIN: f"{{$include: '{shared}/more.json'}}"})
    assert "which is outside" in refusal(folder)
    env = {"OPENCLAW_INCLUDE_ROOTS": f" {shared} {os.pathsep}"}
    assert read_tree(folder / MAIN, env) == {"a": 1}


def test_includes_are_bounded(tmp_path: Path) -> None:
    chain = {f"f{at}.json": f"{{$include: 'f{at + 1}.json'}}" for at in range(1, MAX_INCLUDE_DEPTH)}
    end, beyond = f"f{MAX_INCLUDE_DEPTH}.json", f"f{MAX_INCLUDE_DEPTH + 1}.json"
    assert read(tmp_path, "{$include: 'f1.json'}", {**chain, end: "{a: 1}"}) == {"a": 1}
    write(tmp_path, {end: f"{{$include: '{beyond}'}}", beyond: "{}"})
    assert refusal(tmp_path) == f"{end}: includes '{beyond}', more than {MAX_INCLUDE_DEPTH} files deep"


def test_includes_do_not_multiply(tmp_path: Path) -> None:
    flood = {f"f{at}.json": f"{{$include: {[f'f{at + 1}.json'] * 9}}}" for at in range(1, MAX_INCLUDE_DEPTH)}
    write(tmp_path, {MAIN: "{$include: 'f1.json'}", **flood, f"f{MAX_INCLUDE_DEPTH}.json": "{}"})
    assert refusal(tmp_path) == f"openclaw.json: includes more than {MAX_FILES} files"
    most = [f"f{MAX_INCLUDE_DEPTH}.json"] * (MAX_FILES - 1)  # and the main file
    assert read(tmp_path, f"{{$include: {most}}}") == {}
    write(tmp_path, {MAIN: f"{{$include: {[*most, most[0]]}}}"})
    assert refusal(tmp_path) == f"openclaw.json: includes more than {MAX_FILES} files"


def test_includes_hold_no_more_than_some_bytes(tmp_path: Path) -> None:
    half = f"[{'1,' * (MAX_FILE_BYTES // 4)}]"
    files = MAX_BYTES // len(half)
    main = "{{a: [{}]}}"
    assert read(tmp_path, main.format("{$include: 'half.json'}," * (files - 1)), {"half.json": half})
    write(tmp_path, {MAIN: main.format("{$include: 'half.json'}," * (files + 1))})
    assert refusal(tmp_path) == "openclaw.json: includes more than 8,388,608 bytes"


def test_nesting_is_counted_over_all_files(tmp_path: Path) -> None:
    def nested(levels: int, what: str) -> str:
        return "[" * levels + what + "]" * levels

    main, first = "{a: {$include: 'a.json'}}", nested(40, "{$include: 'b.json'}")
    assert read(tmp_path, main, {"a.json": first, "b.json": nested(MAX_NESTING - 41, "1")})
    write(tmp_path, {"b.json": nested(MAX_NESTING - 40, "1")})
    assert refusal(tmp_path) == f"b.json: is nested more than {MAX_NESTING} levels deep"


# --- variables ---------------------------------------------------------------------------------------------

ENV = {"NAME": "ada", "EMPTY": "", "lower": "x", "OWN": "outer"}


@pytest.mark.parametrize(
    ("written", "value"),
    [
        ("${NAME}", "ada"),
        ("a ${NAME} b ${NAME}", "a ada b ada"),
        ("$${NAME}", "${NAME}"),
        ("$$${NAME}", "$${NAME}"),
        ("$NAME ${name} ${lower} ${A-B} ${", "$NAME ${name} ${lower} ${A-B} ${"),
        ("${EMPTY}${UNSET}", "${EMPTY}${UNSET}"),
        ("${OWN}${INNER}${CHAINED}", "outerin${CHAINED}"),
    ],
)
def test_variables_are_filled_in(tmp_path: Path, written: str, value: str) -> None:
    block = "env: {OWN: 'own', vars: {INNER: 'in', CHAINED: '${NAME}', N: 7}, shellEnv: {}}"
    tree = read(tmp_path, f"{{{block}, list: [{{text: '{written}'}}]}}", env=ENV)
    assert tree["list"] == [{"text": value}]


def test_keys_and_includes_take_no_variables(tmp_path: Path) -> None:
    assert read(tmp_path, "{'${NAME}': 1}", env=ENV) == {"${NAME}": 1}
    write(tmp_path, {MAIN: "{$include: '${NAME}.json'}"})
    assert "${NAME}" in refusal(tmp_path, ENV)


def test_variables_hold_no_more_than_some_characters(tmp_path: Path) -> None:
    env = {"LONG": "x" * (MAX_FILLED_CHARS // 4)}
    assert read(tmp_path, "{a: ['${LONG}', '${LONG}${LONG}', '${LONG}']}", env=env)
    write(tmp_path, {MAIN: "{a: ['${LONG}', '${LONG}${LONG}', '${LONG}', '$${LONG}']}"})
    assert (
        refusal(tmp_path, env)
        == f"openclaw.json: its variables hold more than {MAX_FILLED_CHARS:,} characters"
    )


def test_the_value_of_a_variable_does_not_print(tmp_path: Path) -> None:
    tree = read(tmp_path, "{a: '${TOKEN}!', b: 'plain'}", env={"TOKEN": "s3cret"})
    value, plain = tree["a"], tree["b"]
    assert isinstance(value, FromEnvironment)
    assert isinstance(plain, str)
    assert value == "s3cret!"
    assert {str(value), f"{value}", f"{value:s}", shown(value), f"{value!r}".strip("'")} == {"${TOKEN}!"}
    assert shown(plain) == "plain"
    assert "s3cret" not in repr(tree)


# --- anything at all ---------------------------------------------------------------------------------------

fragments = st.lists(st.sampled_from([*"{}[]:,'\"\\/*\n 01e.-$", "$include", "a", "${A}"]) | st.text()).map(
    "".join
)


@pytest.fixture(scope="module")
def scratch(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("scratch")


@given(data=st.binary() | fragments.map(str.encode))
def test_any_bytes_are_an_object_or_refused_in_one_line(scratch: Path, data: bytes) -> None:
    (scratch / MAIN).write_bytes(data)
    try:
        assert isinstance(read_tree(scratch / MAIN, {"A": "b"}), dict)
    except ConfigError as error:
        assert re.fullmatch(r"\S+/openclaw\.json(:\d+:\d+)?: [^\n]+", str(error))


@pytest.mark.parametrize("unit", ["${A}", "$", "${", "\\n", "a"])
def test_variables_take_linear_time(tmp_path: Path, unit: str) -> None:
    assert_linear(lambda text: read(tmp_path, f'{{a: "{text}"}}', env={"A": "b"}), unit)
