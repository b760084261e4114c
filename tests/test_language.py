"""What a line says: rule or not, by which word, and where a keyword may stand. The lines are in `tests/data`."""

from __future__ import annotations

import tomllib
import unicodedata
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
import regex
from hypothesis import example, given
from hypothesis import strategies as st

from bootlint import language
from bootlint.language import has_cjk, near_misses, read_line, suggest_prefix
from bootlint.openclaw import contract
from bootlint.openclaw.digest import is_candidate, is_priority
from bootlint.records import replace
from linear_time import assert_linear

if TYPE_CHECKING:
    from bootlint.language import Insertion, PrefixStyle
    from bootlint.marks import Shape
    from bootlint.openclaw.contract import Digest

DATA = Path(__file__).parent / "data"


def data(name: str) -> dict[str, object]:
    return tomllib.loads((DATA / name).read_text(encoding="utf-8"))


SHAPES = cast("list[tuple[str, str, str]]", data("rule_shapes.toml")["shapes"])
NO_RULES = cast("dict[str, list[str]]", data("no_rules.toml"))
PREFIXES = cast("dict[str, dict[str, list[list[str]]]]", data("prefixes.toml"))
CHANGED = [(before, after) for table in PREFIXES.values() for before, after in table["changed"]]
UNCHANGED = [cast("str", line) for table in PREFIXES.values() for line in table["unchanged"]]


def digest_of(release: str) -> Digest:
    digest = contract(release).truncation.digest
    assert digest is not None
    return digest


ENGLISH = digest_of("2026.6.11")
CHINESE = digest_of("2026.9.6")


def inserted(line: str, insertion: Insertion | None) -> str:
    return line if insertion is None else line[: insertion.offset] + insertion.text + line[insertion.offset :]


def prefixed(line: str, style: PrefixStyle = "english", digest: Digest | None = ENGLISH) -> str:
    return inserted(line, suggest_prefix(read_line(line), line, style=style, digest=digest))


def fixed(line: str) -> str:
    """As the fixer does it: `do not` for `don't` where that is enough, else a keyword in front."""
    if is_priority(line, ENGLISH):
        return line
    for miss in near_misses(line):
        spelled_out = f"{line[: miss.start]}{miss.replacement}{line[miss.end :]}"
        if miss.replacement is not None and is_priority(spelled_out, ENGLISH):
            return spelled_out
    return prefixed(line)


# --- which lines are rules -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("line", "label", "keyword"), SHAPES)
def test_the_digest_and_bootlint_see_a_shape(line: str, label: str, keyword: str) -> None:
    seen = "K" if is_candidate(line, ENGLISH) else "k" if is_candidate(line, CHINESE) else "-"
    ranked = " H" if is_priority(line, ENGLISH) else " h" if is_priority(line, CHINESE) else ""
    assert seen + ranked == label
    assert read_line(line).keyword == keyword
    assert read_line(line).is_priority == bool(keyword)


@pytest.mark.parametrize("line", [line for lines in NO_RULES.values() for line in lines])
def test_no_priority_rule(line: str) -> None:
    reading = read_line(line)
    assert not reading.is_priority
    assert reading.word is None
    assert prefixed(line) == line


@pytest.mark.parametrize(
    ("line", "is_rule"),
    [
        ("- 先写测试再写代码", True),
        ("- 遵守交通规则", True),
        ("- 実装後にテストする", True),
        ("- 답변은 짧게 하세요", True),
        ("- Prefer short answers", True),
        ("- 上次先写了测试再写代码", False),
        ("- 李先生住在上海", False),
        ("- 天気は晴れ", False),
        ("- The owner prefers tea", False),
        ("", False),
    ],
)
def test_advice_is_a_rule_but_no_priority_rule(line: str, is_rule: bool) -> None:
    assert (read_line(line).is_rule, read_line(line).is_priority) == (is_rule, False)


@pytest.mark.parametrize(
    ("line", "in_heading", "is_priority"),
    [
        ("安全注意事项", True, True),  # underlined: the document knows that it is a heading
        ("安全注意事项", None, False),
        ("## 安全注意事项", None, True),
        ("## 安全注意事项", False, False),  # in a quoted example
        ("# 安全感的来源", None, False),
        ("**安全规则**", None, True),  # a heading but for its marks
        ("**安全规则**见附录，密码在钥匙串里", None, False),
        ("- 安全规则", None, False),
        ("- 保护主人隐私", None, True),
    ],
)
def test_topics_count_in_headings_and_beside_guards(
    line: str, in_heading: bool | None, is_priority: bool
) -> None:
    assert read_line(line, in_heading=in_heading).is_priority == is_priority


@pytest.mark.parametrize(
    ("line", "word", "meaning"),
    [
        ("- 未经同意不能删文件", "不能", "do-not"),
        ("- 不要发密码，严禁截图", "不要", "do-not"),  # it opens the text
        ("- 群里不要发密码，严禁截图", "严禁", "never"),  # the strongest
        ("- 发送前必须先问，不得擅自发送", "必须", "must"),  # no ban in front of a duty
        ("| 🔴 红线 | 不得越权 |", "不得", "never"),  # cells are read by themselves
        ("- 絶対に鍵を書かない", "絶対に鍵を書かない", "never"),
        ("- 비밀번호는 절대 보내지 마세요", "절대 보내지 마", "never"),
        ("- 群聊中 NEVER 输出 token", "NEVER", "never"),
        ("## 密钥与安全", "安全", "security"),
    ],
)
def test_the_word_that_makes_it_a_priority_rule(line: str, word: str, meaning: str) -> None:
    found = read_line(line).word
    assert found is not None
    assert (found.text, found.meaning.value) == (word, meaning)


# --- where the text begins -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("marks", "opening", "shape"),
    [
        ("- ", "", "bullet"),
        ("  * ", "**", "bullet"),
        ("- [ ] ", "", "task"),
        ("12. ", "***", "ordered"),
        ("1.", "", "tight-number"),
        ("1.", "**", "tight-number"),
        ("1、", "", "cjk-number"),
        ("1）", "", "cjk-number"),
        ("（一）", "", "cjk-number"),
        ("十二、", "", "cjk-number"),
        ("① ", "", "cjk-number"),
        ("• ", "", "sign-bullet"),
        ("※", "", "sign-bullet"),
        ("– ", "", "sign-bullet"),
        ("> ", "", "quote"),
        ("> - 🔒 ", "**", "quote"),
        ("## ", "", "heading"),
        ("## 🚨 三、", "", "heading"),
        ("##", "", "tight-heading"),
        ("⚠️ ", "**", "emoji"),
        ("1️⃣ ", "", "emoji"),
        ("👩🏽‍💻", "", "emoji"),
        ("", "", "paragraph"),
        ("\u3000\u3000", "", "paragraph"),
        ("", "**", "bold-paragraph"),
        ("", "**1. ", "bold-paragraph"),
        ("", "**🔴 ", "bold-paragraph"),
        ("", "【", "bracket"),
        ("- ", "【", "bullet"),
        ("| ", "", "table"),
        ("| 删除 | ", "**", "table"),
    ],
)
def test_marks(marks: str, opening: str, shape: Shape) -> None:
    closing = opening.strip("1. 🔴").replace("【", "】")
    reading = read_line(f"{marks}{opening}必须先备份{closing}{' |' if shape == 'table' else ''}")
    assert (reading.prefix_end, reading.text_start) == (len(marks), len(marks + opening))
    assert reading.shape == shape


@pytest.mark.parametrize(
    ("line", "shape"),
    [
        ("", "blank"),
        ("\u3000 ", "blank"),
        ("-", "bullet"),
        ("```sh", "fence"),
        ("<div>必须", "html"),
        ("[^1]: 必须先备份", "html"),
        ("#标签", "tight-heading"),
        ("#tag", "paragraph"),
        ("2026.9.6 是最新版", "paragraph"),
        ("__必须__", "bold-paragraph"),
    ],
)
def test_other_shapes(line: str, shape: Shape) -> None:
    assert read_line(line).shape == shape


# --- scripts ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "script"),
    [
        ("Never commit", "latin"),
        ("ｍｕｓｔ", "latin"),
        ("必须 review", "han"),
        ("必ず", "kana"),
        ("반드시 確認", "hangul"),
        ("必ず 반드시", "mixed"),
        ("1. 🔴 —", "none"),
        ("𠮷", "han"),
        ("ﾃｽﾄ", "kana"),
    ],
)
def test_script(line: str, script: str) -> None:
    assert read_line(line).script == script
    assert has_cjk(line) == (script not in ("latin", "none"))


@pytest.mark.parametrize(
    ("name", "script"), [("han", "Han"), ("kana", "[\\p{Hiragana}\\p{Katakana}]"), ("hangul", "Hangul")]
)
def test_scripts_are_those_of_unicode(name: str, script: str) -> None:
    known = "".join(
        char for code in range(0x110000) if unicodedata.category(char := chr(code)) not in ("Cn", "Cs")
    )
    by_property = regex.compile(script if script.startswith("[") else rf"\p{{{script}}}").findall(known)
    ranges = {"han": language._HAN, "hangul": language._HANGUL, "kana": language._KANA}
    assert ranges[name].findall(known) == by_property
    assert {read_line(char).script for char in by_property} == {name}


# --- prefixes --------------------------------------------------------------------------------------------------


def test_the_table_is_large_enough() -> None:
    assert len(CHANGED) + len(UNCHANGED) >= 120
    assert len(UNCHANGED) >= 40
    assert sum(map(len, NO_RULES.values())) >= 60


@pytest.mark.parametrize(("before", "after"), CHANGED)
def test_fixed(before: str, after: str) -> None:
    assert fixed(before) == after
    assert is_priority(after, ENGLISH)
    assert fixed(after) == after


@pytest.mark.parametrize("line", UNCHANGED)
def test_stays_as_it_is(line: str) -> None:
    assert fixed(line) == line


@pytest.mark.parametrize("line", PREFIXES["permissions"]["unchanged"])
def test_no_keyword_stands_before_what_is_allowed(line: str) -> None:
    """Not even one that a reader is to judge."""
    reading = read_line(line)
    assert reading.ambiguous
    assert suggest_prefix(replace(reading, ambiguous=False), line, digest=ENGLISH) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("- 必须：最大委派5轮", "- 🔴 必须：最大委派5轮"),
        ("- **必须**：先备份", "- 🔴 **必须**：先备份"),
        ("## 红线", "## 🔴 红线"),
        ("| 删除文件 | 必须确认 |", "| 删除文件 | 🔴 必须确认 |"),
        ("- ❌ 不要猜", "- ❌ 🔴 不要猜"),
        ("- 禁止外传", "- 禁止外传"),  # the release knows the word
        ("- 天气不可控", "- 天气不可控"),
    ],
)
def test_cjk_style(before: str, after: str) -> None:
    assert prefixed(before, "cjk", CHINESE) == after
    assert prefixed(before, "cjk", ENGLISH) == before  # knows no sign


def test_a_release_without_a_digest_needs_no_prefix() -> None:
    assert prefixed("- 必须先备份", digest=None) == "- 必须先备份"


def test_the_keyword_must_be_seen() -> None:
    row = f"| {'很长的说明' * 60} | 必须确认 |"  # the digest holds 240 units of a line
    assert read_line(row).is_priority
    assert prefixed(row) == row


@pytest.mark.parametrize(
    ("line", "keyword"),
    [
        ("- 主人在场时才可以外传，平时不得外传", "Must"),
        ("- 先看日志，不要乱猜", "Must"),  # `Do not:` would forbid to look
        ("- 立即提醒主人并且不要保存", "Must"),
        ("- 遇到报错，不要重试", "Do not"),  # the first clause says only when
        ("- 群里不要发密码，严禁截图", "Never"),  # both forbid
        ("- 可以读文件，不能删文件", ""),  # a prefix could cover what is allowed
        ("- 文档不强制，代码必须附测试", ""),
        ("- 代码必须附测试，文档不强制", "Must"),
        ("- 教训：曾误发私信，以后必须先确认", ""),
        ("- 모르면 추측하지 말고 반드시 물어본다", "Must"),
    ],
)
def test_a_keyword_never_turns_a_rule_round(line: str, keyword: str) -> None:
    reading = read_line(line)
    assert reading.is_priority
    assert (reading.keyword, reading.ambiguous) == (keyword, not keyword)


# --- near misses -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("line", "missed"),
    [
        ("- Don't share the secrets", [("Don't", "do not", "Do not"), ("secrets", "secret", None)]),
        ("- don’t push", [("don’t", "do not", "do not")]),
        ("- DON'T push", [("DON'T", "do not", "DO NOT")]),
        ("- Dont push", [("Dont", "do not", None)]),
        ("- Do **not** push", [("Do **not**", "do not", None)]),
        ("- You MUST_NOT push", [("MUST_NOT", "must not", None)]),
        ("- Agents mustn't push", [("mustn't", "must not", "must not")]),
        ("- AGENTS MUSTN’T PUSH", [("MUSTN’T", "must not", "MUST NOT")]),
        ("- _Never_ push", [("Never", "never", None)]),
        ("- _Never push_ on Friday", [("Never", "never", None)]),
        ("- ｍｕｓｔ confirm", [("ｍｕｓｔ", "must", None)]),
        ("- Always ask first", [("Always", "must", None)]),
        ("- Pushing is strictly forbidden", [("strictly forbidden", "never", None)]),
        ("- secrets 不入库", [("secrets", "secret", None)]),
        ("- Keep credentials out of git", [("credentials", "credential", None)]),
        ("- Never push", []),
        ("- If you don't find it, create it", []),
        ("- The API always returns JSON", []),
        ("- The DO_NOT_EDIT marker stays", []),
        ("- 必须先备份", []),
    ],
)
def test_near_misses(line: str, missed: list[tuple[str, str, str | None]]) -> None:
    found = near_misses(line)
    assert [(miss.text, miss.keyword, miss.replacement) for miss in found] == missed
    assert all(line[miss.start : miss.end] == miss.text for miss in found)


# --- any line --------------------------------------------------------------------------------------------------

MARKS = (
    "- ", "* ", "1. ", "1.", "1、", "（一）", "① ", "> ", "# ", "##", "#", "- [ ] ", "| ", "|", "**", "__", "*", "_",
    "【", "】", "`", "~~", "❌ ", "⚠️", "🔴 ", "1️⃣", "：", ": ", "，", "。", "？", "? ", " ", "\t", "「", "」", '"',
    "“", "”", "<b>", "<!-- x -->", "[a](b.md)", "[x]: y", "[^1]: ", "https://a.b/必须", "\\|", "→ ", "・", "```",
    "***", "2026-03-01 ", "\u3000", "\x00", "\u200d",
)  # fmt: skip
WORDS = (
    "必须", "不要", "禁止", "不得不", "非必须", "可以", "密码", "保护", "曾", "用户说", "以后", "如果", "先", "必ず", "絶対に",
    "しない", "不要です", "반드시", "하지 마", "금지", "불필요", "must", "Don’t", "don't", "secrets", "MUST_NOT", "ｍｕｓｔ",
    "Always ", "abc", "第三条", "é", "ſ",
)  # fmt: skip
lines = st.lists(st.sampled_from(MARKS) | st.sampled_from(WORDS) | st.text(max_size=3), max_size=9).map(
    "".join
)


@given(lines)
@example("|不要| |")
@example("**必须")
def test_offsets_lie_in_the_line(line: str) -> None:
    reading = read_line(line)
    assert 0 <= reading.prefix_end <= reading.text_start <= len(line)
    ends = [0, *(word.end for word in reading.words)]
    assert all(end <= word.start < word.end for end, word in zip(ends, reading.words, strict=False))
    assert all(line[word.start : word.end] == word.text for word in reading.words)
    assert reading.is_priority == (reading.word is not None)
    assert reading.word is None or reading.word in reading.words


def block(line: str) -> Shape:
    """The shape, bold or not: stars that nothing closes stay behind the keyword."""
    shape = read_line(line).shape
    return "paragraph" if shape in ("bold-paragraph", "bracket") else shape


@given(lines, st.sampled_from(["english", "cjk"]), st.sampled_from([ENGLISH, CHINESE]))
def test_a_prefix_helps_once_and_can_be_taken_out(line: str, style: PrefixStyle, digest: Digest) -> None:
    insertion = suggest_prefix(read_line(line), line, style=style, digest=digest)
    if insertion is not None:
        after = inserted(line, insertion)
        start, end = insertion.offset, insertion.offset + len(insertion.text)
        assert after[:start] + after[end:] == line
        assert is_priority(after, digest)
        assert prefixed(after, style, digest) == after
        assert read_line(after).is_priority
        assert style == "cjk" or block(after) == block(line)


UNITS = (
    "必须", "必须，", "用", "`", "`a``", "[", "](a)", "[a](b)", "**1.", "*(", "“", '"', "~~a", "_a_", "不要 ", "如果，",
    "群里不要，先看。", "https://a ", "| 不要a ", "必须？", "never ", "do not, ", "don't ", "\u3000", "❌", "> ", "【", "曾",
    "以后，", "可以，", "절대", "絶対に", "[[", "必ずと言った",
    "<b>", "先备份并", "[x]:",
)  # fmt: skip


@pytest.mark.parametrize("unit", UNITS)
def test_time_grows_with_the_line(unit: str) -> None:
    assert_linear(lambda line: language._read(line, None), unit)
