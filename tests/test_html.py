"""`bootlint show --html`: one page that draws what the JSON says, asks nobody for anything, and believes no text."""

from __future__ import annotations

import base64
import hashlib
import json
import os
import re
from pathlib import Path
from typing import TYPE_CHECKING, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bootlint.cli import main
from bootlint.cost import Cost
from bootlint.overview import PARTS
from bootlint.records import replace
from bootlint.reporters import show_html
from bootlint.reporters.treemap import cells
from bootlint.simulation import SESSION_KINDS
from bootlint.wording import LANGUAGES, printable, templates
from browser import chromium, running
from harness import workspace_of
from test_show import SHOP, shop_views, situation_of, views_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from playwright.sync_api import Browser, Locator, Page, ViewportSize

    from bootlint.overview import Overview
    from harness import Entry

PAGE = Path(show_html.__file__).parent / "html"
CSS, SCRIPT = ((PAGE / name).read_text(encoding="utf-8") for name in ("page.css", "page.js"))
VIEWS = shop_views()
SHOP_HTML = show_html.render(VIEWS, "en", "main")


def island(html: str, name: str) -> str:
    """The JSON text that a page holds."""
    (text,) = re.findall(rf'<script type="application/json" id="{name}">(.*?)</script>', html, re.DOTALL)
    return str(text)


# --- the file ----------------------------------------------------------------------------------------------


def test_the_page_holds_the_json_of_show(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "page.html"
    assert main(["show", "--quiet", "--html", str(out), str(SHOP)]) == 0
    assert capsys.readouterr().out == ""
    assert main(["show", "--output-format", "json", "--all-sessions", str(SHOP)]) == 0
    held, shown = (
        json.loads(island(out.read_text(encoding="utf-8"), "data")),
        json.loads(capsys.readouterr().out),
    )
    for in_page, in_json in zip(held["sessions"], shown["sessions"], strict=True):
        for file, same in zip(in_page["files"], in_json["files"], strict=True):
            runs = [(run["fate"], run["first"], run["last"]) for run in file.pop("fates")]
            each = [
                {"line": line, "fate": fate} for fate, first, last in runs for line in range(first, last + 1)
            ]
            assert each == same.pop("lines")
            del same["content"]
    assert held == shown


def test_the_page_names_no_address_and_allows_none() -> None:
    assert not re.search(r"(?i)https?:|//[a-z]|url\(|@import|src=", SHOP_HTML.split('id="data"')[0] + SCRIPT)
    (policy,) = re.findall(r'http-equiv="Content-Security-Policy" content="([^"]*)"', SHOP_HTML)
    rules = dict(rule.strip().split(" ", 1) for rule in policy.split(";"))
    assert rules == {
        "default-src": "'none'",
        "img-src": "data:",
        "style-src": digest(CSS),
        "script-src": digest(SCRIPT),
        "base-uri": "'none'",
        "form-action": "'none'",
    }


def digest(text: str) -> str:
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def test_the_script_makes_nodes_of_text_only() -> None:
    assert not re.search(
        r"innerHTML|outerHTML|insertAdjacent|document\.write|eval\(|Function\(|srcdoc|DOMParser", SCRIPT
    )


def test_every_phrase_of_the_page_exists_in_both_languages() -> None:
    used = set(re.findall(r'"((?:html|show|part|fate)-[a-z-]+)"', SCRIPT))
    used |= set(re.findall(r'data-say="([a-z-]+)"', (PAGE / "page.html").read_text(encoding="utf-8")))
    phrases = json.loads(island(SHOP_HTML, "setup"))["phrases"]
    for language in LANGUAGES:
        assert used <= set(phrases[language])
        html = {key for key in templates(language, ("html-",)) if not key.startswith("html-theme-")}
        assert html <= used | {f"html-{name}" for name in ("session", "language", "theme")}


# --- colours -----------------------------------------------------------------------------------------------


def colours(theme: int) -> dict[str, str]:
    pairs = re.findall(r"--([a-z-]+): light-dark\((#[0-9a-f]{6}), (#[0-9a-f]{6})\)", CSS)
    return {name: both[theme] for name, *both in pairs}


def contrast(one: str, other: str) -> float:
    """WCAG 2.2: relative luminances, 1 to 21."""

    def luminance(colour: str) -> float:
        channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
        linear = [
            value / 12.92 if value <= 0.04045 else ((value + 0.055) / 1.055) ** 2.4 for value in channels
        ]
        return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]

    dark, light = sorted(map(luminance, (one, other)))
    return (light + 0.05) / (dark + 0.05)


KINDS = ("kept", "digest", "marker", "lost")
# What is written on what needs 4.5 : 1, what is drawn on what (borders, focus) 3 : 1.
WRITTEN = [
    *((text, ground) for text in ("ink", "muted", "accent") for ground in ("page", "panel")),
    ("page", "accent"),
    *(("ink", f"{kind}-fill") for kind in KINDS),
    *(("muted", f"{kind}-fill") for kind in KINDS),
    *((f"{kind}-ink", ground) for kind in KINDS for ground in (f"{kind}-fill", "page")),
    ("lost-ink", "digest-fill"),  # what is lost of a line that is cut
    ("lost-fill", "lost-ink"),
]
DRAWN = [
    ("border", "page"),
    ("border", "panel"),
    ("accent", "page"),
    *(("accent", f"{kind}-fill") for kind in KINDS),
]


@pytest.mark.parametrize("theme", [0, 1], ids=["light", "dark"])
def test_colours_meet_wcag_aa(theme: int) -> None:
    found = colours(theme)
    assert set(found) == {name for pair in WRITTEN + DRAWN for name in pair}
    too_low = {
        pair: round(contrast(found[pair[0]], found[pair[1]]), 2)
        for pairs, least in ((WRITTEN, 4.5), (DRAWN, 3))
        for pair in pairs
        if contrast(found[pair[0]], found[pair[1]]) < least
    }
    assert too_low == {}


def test_every_colour_is_a_variable() -> None:
    rules = CSS.split("}", 1)[1]
    assert not re.search(r"#[0-9a-f]{3,8}\b|\brgb|\bhsl", re.sub(r"#[a-z-]+(?=[ .:,{])", "", rules))


# --- the map -----------------------------------------------------------------------------------------------


@given(
    st.lists(st.tuples(*[st.integers(0, 30_000)] * 5), max_size=12),
    st.sampled_from([(5, 2), (4, 5)]),
)
def test_areas_are_in_proportion(amounts: list[tuple[int, ...]], shape: tuple[int, int]) -> None:
    files = [
        replace(
            VIEWS[0].files[0],
            lost_chars=lost,
            parts={part: Cost(chars) for part, chars in zip(PARTS, parts, strict=True)},
        )
        for lost, *parts in amounts
    ]
    total = sum(map(sum, amounts))
    found = list(cells(files, *shape))
    for file, part, rect in found:
        lost, *parts = amounts[file]
        amount = dict(zip((*PARTS, "lost", None), (*parts, lost, lost + sum(parts)), strict=True))[part]
        share = amount / total
        assert abs(rect.width * rect.height / (shape[0] * shape[1]) - share) < 1e-6
        assert -1e-6 <= rect.x <= rect.x + rect.width <= shape[0] + 1e-6
        assert -1e-6 <= rect.y <= rect.y + rect.height <= shape[1] + 1e-6
    drawn = [(file, part) for file, part, _ in found if part]
    assert len(drawn) == len(set(drawn)) == sum(amount > 0 for parts in amounts for amount in parts)


# --- in a browser ------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    executable = chromium()
    if executable is None:
        message = "no Chromium: the HTML report was NOT looked at (apt-get install chromium)"
        if os.environ.get("CI"):
            pytest.fail(message)
        pytest.skip(message)
    with running(executable) as found:
        yield found


@pytest.fixture
def opened(browser: Browser, tmp_path: Path) -> Iterator[Callable[..., Page]]:
    """Opens a page from disk. At the end: it said nothing on the console and asked for nothing but itself."""
    complaints: list[str] = []
    contexts = []

    def open_page(
        html: str = SHOP_HTML, *, width: int = 1280, height: int = 900, theme: str = "light"
    ) -> Page:
        file = tmp_path / "page.html"
        file.write_text(html, encoding="utf-8")
        size: ViewportSize = {"width": width, "height": height}
        context = browser.new_context(viewport=size, color_scheme="dark" if theme == "dark" else "light")
        contexts.append(context)
        page = context.new_page()
        page.on("console", lambda message: complaints.append(message.text))
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "request",
            lambda request: complaints.append(request.url) if request.url != file.as_uri() else None,
        )
        page.on("dialog", lambda dialog: complaints.append(dialog.message))
        page.goto(file.as_uri())
        return page

    yield open_page
    for context in contexts:
        context.close()
    assert [text for text in complaints if text != "data:,"] == []


def rows(page: Page, pane: str) -> list[dict[str, str]]:
    """Number, sign and text of each row that a pane has."""
    script = """(pane) => [...pane.querySelectorAll(".row")].map((row) => Object.fromEntries(
        ["number", "sign", "text"].map((part) => [part, row.querySelector("." + part).textContent])))"""
    return cast("list[dict[str, str]]", page.locator(f"#{pane}").evaluate(script))


def chosen(page: Page, pane: str) -> Locator:
    return page.locator(f"#{pane} .row[aria-selected=true]")


def view_of(session: str) -> Overview:
    return next(view for view in VIEWS if view.session == session)


@pytest.mark.browser
@pytest.mark.parametrize("session", SESSION_KINDS)
@pytest.mark.parametrize("width", [1280, 375])
def test_areas_in_the_browser_are_in_proportion(
    opened: Callable[..., Page], session: str, width: int
) -> None:
    page = opened(width=width)
    page.get_by_label(session, exact=True).check()
    script = """(map) => [...map.querySelectorAll("button")].map((cell) => {
        const { width, height } = cell.getBoundingClientRect();
        return [cell.dataset.file, cell.dataset.part, width * height]; })"""
    areas = page.locator("#map").evaluate(script)
    amounts = amounts_in_json(session)
    assert {(file, part) for file, part, _ in areas} == set(amounts)
    whole = sum(area for *_, area in areas)
    for file, part, area in areas:
        share = amounts[file, part] / sum(amounts.values())
        assert area / whole == pytest.approx(share, rel=0.02, abs=1e-4)


def amounts_in_json(session: str) -> dict[tuple[str, str], int]:
    """Characters by file and part, those that are lost too, of what a session sends."""
    amounts: dict[tuple[str, str], int] = {}
    data = json.loads(island(SHOP_HTML, "data"))
    files = next(one["files"] for one in data["sessions"] if one["session"] == session)
    for file in files:
        amounts |= {(file["name"], part): cost["chars"] for part, cost in file["parts"].items()}
        if file["status"] in ("injected", "skipped") and file["lost_chars"]:
            amounts[file["name"], "lost"] = file["lost_chars"]
    return amounts


@pytest.mark.browser
def test_a_cell_says_its_numbers(opened: Callable[..., Page]) -> None:
    page = opened()
    assert page.locator("#map [data-part=digest]").get_attribute("aria-label") == (
        "AGENTS.md, digest: 700 characters, ~175 tokens, counted 319"
    )
    texts = page.locator("#map button").all_inner_texts()
    assert "* 700 digest" in texts
    assert "- 1,036 lost" in texts


@pytest.mark.browser
def test_figures_and_table_say_the_totals(opened: Callable[..., Page]) -> None:
    page = opened()
    assert page.locator("#figures dd").all_inner_texts() == [
        "3,567\ncharacters",
        "2,999\ncharacters",
        "1,266\ncharacters",
        "7/15\nreach the model",
        "1,895\ntokens by o200k_base; OpenClaw reckons 782, a quarter of 3,127 characters",
    ]
    assert page.locator("#files tbody tr").last.inner_text().split("\t") == [
        "MEMORY.md", "cut (the total limit)", "491", "365", "230", "0", "92", "248", "0",
    ]  # fmt: skip


@pytest.mark.browser
@pytest.mark.parametrize("session", ["main", "subagent"])
def test_both_sides_hold_the_texts_exactly(opened: Callable[..., Page], session: str) -> None:
    page = opened()
    page.get_by_label(session, exact=True).check()
    for file in view_of(session).files:
        page.get_by_role("button", name=file.name, exact=True).click()
        assert page.locator("#file-title").inner_text() == file.name
        content = "".join(excerpt.text for excerpt in file.excerpts)
        assert [row["text"] for row in rows(page, "injected")] == (content.split("\n") if content else [])
        lines = file.file.source.lines if file.file else []
        torn = [line for line, fate in enumerate(file.fates) if fate in ("cut", "digest-cut")]
        assert [row["text"] for row in rows(page, "source")] == lines
        assert page.locator("#source .row:has(.gone)").count() == len(torn)


@pytest.mark.browser
def test_every_row_has_the_sign_of_its_fate(opened: Callable[..., Page]) -> None:
    page = opened()
    agents = view_of("main").files[0]
    signs: dict[str | None, str] = {
        "blank": " ",
        "kept": "+",
        "digest": "*",
        "digest-cut": "~",
        "cut": "~",
        "dropped": "-",
    }
    expected = [
        "!" if line in agents.lost_rules else signs[fate] for line, fate in enumerate(agents.fates, 1)
    ]
    assert [row["sign"] for row in rows(page, "source")] == expected
    assert {row["sign"] for row in rows(page, "injected")} == {"+", "*", "="}


# A line of AGENTS.md for each fate: what is told of it, and how the line begins to which it leads.
LINKS = [
    (3, "line 3 (kept) → line 3 of what the model receives", "你是“山脚茶铺”"),
    (32, "line 32 (cut) → line 32 of what the model receives", "打招呼用“您好”"),
    (48, "line 48 (digest) → line 49 of what the model receives", "- 必须：退款超过 200 元先问店主"),
    (34, "line 34 (dropped) → the model does not receive it", None),
    (54, "line 54 (lost priority rule) → the model does not receive it", None),
    (50, "line 50 (lost priority rule) → line 50 of what the model receives", "- Must: write every refund"),
    (86, "line 86 (kept) → line 61 of what the model receives", "- Never run commands"),
]


@pytest.mark.browser
@pytest.mark.parametrize(("line", "told", "text"), LINKS)
@pytest.mark.parametrize("by", ["click", "keyboard"])
def test_a_line_leads_to_where_it_ended_up(
    opened: Callable[..., Page], line: int, told: str, text: str | None, by: str
) -> None:
    page = opened()
    if by == "click":
        page.locator(f"#source-{line - 1}").click()
    else:
        page.locator("#source").focus()
        for _ in range(line):
            page.keyboard.press("ArrowDown")
        page.keyboard.press("Enter")
    assert page.locator("#told").inner_text() == told
    assert chosen(page, "source").locator(".number").inner_text() == str(line)
    if text is None:
        assert chosen(page, "injected").count() == 0
        return
    assert chosen(page, "injected").locator(".text").inner_text().startswith(text)
    assert is_seen(chosen(page, "injected"), page.locator("#injected"))
    if by == "keyboard":
        page.keyboard.press("Enter")  # and back
        assert chosen(page, "source").locator(".number").inner_text() == str(line)
        assert page.evaluate("document.activeElement.id") == "source"


def is_seen(row: Locator, pane: Locator) -> bool:
    inner, outer = row.bounding_box(), pane.bounding_box()
    assert inner is not None
    assert outer is not None
    return outer["y"] - 1 <= inner["y"] and inner["y"] + inner["height"] <= outer["y"] + outer["height"] + 1


@pytest.mark.browser
def test_a_name_in_the_table_opens_the_file(opened: Callable[..., Page]) -> None:
    page = opened()
    page.get_by_role("button", name="USER.md", exact=True).focus()
    page.keyboard.press("Enter")
    assert page.locator("#file-title").inner_text() == "USER.md"
    assert page.locator("#files tr.current th").inner_text() == "USER.md"
    page.keyboard.press("ArrowDown")  # the keyboard is in the file already
    assert chosen(page, "source").locator(".text").inner_text() == "# USER.md"
    page.locator("#theme-dark").check()  # leaves the reader where he is
    assert chosen(page, "source").count() == 1


@pytest.mark.browser
def test_pointing_at_a_line_marks_it_wherever_it_stands(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator("#source-4").hover()
    linked = page.locator(".row.linked")
    assert linked.locator(".text").all_inner_texts() == ["## Session Startup"] * 2  # head and digest
    page.locator("#source-33").hover()
    assert linked.count() == 0
    page.locator("#injected-2").hover()
    assert linked.evaluate_all("(rows) => rows.map((row) => row.id)") == ["source-2"]


@pytest.mark.browser
def test_a_part_of_the_map_leads_to_its_lines(opened: Callable[..., Page]) -> None:
    page = opened()
    page.locator("#map [data-file='AGENTS.md'][data-part=digest]").click()
    assert page.locator("#told").inner_text() == "line 35 (digest) ← line 1 of the file"
    page.locator("#map [data-file='MEMORY.md'][data-part=lost]").focus()
    page.keyboard.press("Enter")
    assert page.locator("#file-title").inner_text() == "MEMORY.md"
    assert chosen(page, "source").locator(".sign").inner_text() == "~"
    page.locator("#map [data-file='AGENTS.md'][data-part=marker]").click()
    assert page.locator("#told").inner_text().endswith("← OpenClaw wrote it")


@pytest.mark.browser
@pytest.mark.parametrize("by", ["click", "keyboard"])
def test_the_filter_leaves_the_lost_priority_rules(opened: Callable[..., Page], by: str) -> None:
    page = opened()
    agents = view_of("main").files[0]
    press(page, page.get_by_label("only lost priority rules"), by)
    assert [int(row["number"]) for row in rows(page, "source")] == sorted(agents.lost_rules)
    assert page.locator("#map button:not(.aside)").evaluate_all(
        "(cells) => [...new Set(cells.map((cell) => cell.dataset.file))]"
    ) == ["AGENTS.md"]
    page.locator("#source .row").nth(0).click()
    assert page.locator("#told").inner_text() == LINKS[5][1]
    press(page, page.get_by_label("only lost priority rules"), by)
    assert len(rows(page, "source")) == len(agents.fates)


def press(page: Page, control: Locator, by: str) -> None:
    if by == "click":
        control.click()
    else:
        control.focus()
        page.keyboard.press("Space")


@pytest.mark.browser
@pytest.mark.parametrize("by", ["click", "keyboard"])
def test_switches(opened: Callable[..., Page], by: str) -> None:
    page = opened()

    def switch(name: str, steps: int, value: str) -> None:
        if by == "click":
            page.locator(f"#{name}-{value}").click()
            return
        page.locator(f"[name={name}]:checked").focus()
        for _ in range(steps):
            page.keyboard.press("ArrowRight")
        assert page.evaluate("document.activeElement.id") == f"{name}-{value}"

    assert page.locator("html").get_attribute("lang") == "en"
    switch("session", 2, "subagent")
    assert page.locator("#figures dd").nth(3).inner_text().startswith("5/13")
    assert page.locator("#map [data-file='SOUL.md']").count() == 0
    switch("language", 1, "zh")
    assert page.locator("h1").inner_text() == "模型收到的内容"
    assert page.locator("html").get_attribute("lang") == "zh-CN"
    assert page.locator("#figures dd").nth(3).inner_text().startswith("5/13")
    switch("theme", 2, "dark")
    assert ground(page) == "rgb(20, 23, 28)"


def ground(page: Page) -> str:
    return str(page.evaluate("getComputedStyle(document.body).backgroundColor"))


@pytest.mark.browser
@pytest.mark.parametrize(("theme", "colour"), [("light", "rgb(255, 255, 255)"), ("dark", "rgb(20, 23, 28)")])
def test_colours_follow_the_system_until_they_are_chosen(
    opened: Callable[..., Page], theme: str, colour: str
) -> None:
    page = opened(theme=theme)
    assert ground(page) == colour
    page.locator("#theme-light").check()
    assert ground(page) == "rgb(255, 255, 255)"


@pytest.mark.browser
def test_the_keyboard_reaches_everything_and_everything_has_a_name(opened: Callable[..., Page]) -> None:
    page = opened()
    script = """() => { const one = document.activeElement;
        return one.closest("fieldset")?.querySelector("legend").textContent ?? one.closest("#map, #files")?.id ?? one.id; }"""
    reached: dict[str, int] = {}
    for _ in range(60):
        page.keyboard.press("Tab")
        name = str(page.evaluate(script))
        reached[name] = reached.get(name, 0) + 1
        if name == "injected":
            break
    agents, memory = ("AGENTS.md", 5), ("MEMORY.md", 4)  # parts: head, digest, marker, tail, lost
    cell_count = agents[1] + memory[1] + 4 + 2
    assert reached == {
        "Session kind": 1, "Language": 1, "Colours": 1, "map": cell_count, "files": 8, "filter": 1, "source": 1, "injected": 1,
    }  # fmt: skip
    names = page.get_by_role("button").evaluate_all(
        "(all) => all.map((one) => one.ariaLabel ?? one.textContent)"
    )
    assert all(names)
    named = (
        page.get_by_role("listbox", name="On disk AGENTS.md", exact=True),
        page.get_by_role("listbox", name="What the model receives AGENTS.md", exact=True),
        page.get_by_role("group", name="Map", exact=True),
        page.get_by_role("checkbox", name="only lost priority rules", exact=True),
    )
    assert [one.count() for one in named] == [1, 1, 1, 1]
    page.locator("#source-2").click()
    active = page.locator("#source").get_attribute("aria-activedescendant")
    assert page.locator(f"#{active} .sign").get_attribute("aria-label") == "kept"


@pytest.mark.browser
def test_a_narrow_window_scrolls_down_only(opened: Callable[..., Page]) -> None:
    page = opened(width=375, height=800)
    assert page.evaluate("document.documentElement.scrollWidth") == 375
    source, injected = (page.locator(f"#{pane}").bounding_box() for pane in ("source", "injected"))
    assert source is not None
    assert injected is not None
    assert injected["y"] > source["y"] + source["height"]


@pytest.mark.browser
def test_a_shadow_says_that_the_table_has_more_columns(opened: Callable[..., Page]) -> None:
    page = opened(width=375, height=800)
    page.locator("#files").scroll_into_view_if_needed()

    def edge(side: str) -> bytes:
        """A few points in the padding of the table's first row."""
        box = page.locator(".wide").bounding_box()
        assert box is not None
        x = box["x"] if side == "left" else box["x"] + box["width"] - 4
        return page.screenshot(clip={"x": x, "y": box["y"] + 1, "width": 4, "height": 3})

    more_behind, nothing_before = edge("right"), edge("left")
    page.locator(".wide").evaluate("(wide) => { wide.scrollLeft = wide.scrollWidth; }")
    nothing_behind, more_before = edge("right"), edge("left")
    assert nothing_before == nothing_behind
    assert len({more_behind, more_before, nothing_behind}) == 3


# --- hostile text ------------------------------------------------------------------------------------------

HOSTILE = [
    "<script>window.hacked = 1; alert(1)</script>",
    "</script><script>window.hacked = 2</script><!-- <script>",
    "<img src=x onerror=\"window.hacked = 3\"> <svg onload='window.hacked = 4'>",
    "<style>body { display: none }</style> <base href=https://example.invalid/>",
    "&lt;b&gt; &#60;script&#62; \\u003cscript\\u003e {data} {script} ${window.hacked}",
    "- Never \u202etxet desrever\u202c, \u2066isolated\u2069, \u200fmarks\u200e",
    "line\u2028separator\u2029 and \x00 NUL, \x1b[31m, \x85, \ufeff, \U000e0041 tags, \u00ad",
    "// ]]> --> --!> ```",
]  # fmt: skip


@pytest.mark.browser
def test_hostile_text_stays_text(opened: Callable[..., Page]) -> None:
    text = "\n".join(HOSTILE) + "\n"
    evil = "<img src=x onerror=window.hacked=5>"
    files: dict[str, Entry] = {
        "AGENTS.md": text,
        f"users/{evil}/USER.md": text,
        "SOUL.md": b"\xff\xfe" + text.encode(),
    }
    with workspace_of(files) as workspace:
        options = {"openclaw": "2026.9.6", "workspace-path": f"/w/{evil}"}
        html = show_html.render(views_of(workspace, situation_of(workspace, **options)), "en", "main")
    assert html.isascii() or "\u202e" not in html
    page = opened(html)
    expected = [printable(line) for line in HOSTILE]
    assert [row["text"] for row in rows(page, "source")] == expected
    assert [row["text"] for row in rows(page, "injected")] == expected
    page.get_by_role("button", name=f"users/{evil}/USER.md", exact=True).click()
    assert page.locator("#file-title").inner_text() == f"users/{evil}/USER.md"
    assert page.evaluate("window.hacked") is None
    assert (
        page.locator("img, svg, base, iframe, link:not([rel=icon]), style").count() == 1
    )  # the page's own style
    assert page.locator("script").count() == 3


@pytest.mark.browser
def test_what_does_not_show_is_written_out_as_in_every_report(opened: Callable[..., Page]) -> None:
    points = [
        *range(0x20),
        *range(0x7E, 0xA1),
        0x61C,
        *range(0x200A, 0x2070),
        0xFEFF,
        0xE0000,
        0xE007F,
        0xE0080,
        0x1F389,
    ]
    shown = {chr(point) for point in points} - {"\n", "\t", "\r"}
    with workspace_of({"SOUL.md": "".join(f"a{char}b\n" for char in sorted(shown))}) as workspace:
        html = show_html.render(
            views_of(workspace, situation_of(workspace, openclaw="2026.6.11")), "en", "main"
        )
    page = opened(html)
    page.get_by_role("button", name="SOUL.md", exact=True).click()
    assert [row["text"] for row in rows(page, "source")] == [printable(f"a{char}b") for char in sorted(shown)]


@pytest.mark.browser
def test_half_a_character_of_an_old_release_is_shown(opened: Callable[..., Page]) -> None:
    with workspace_of({"SOUL.md": "🎉" * 3000}) as workspace:
        situation = situation_of(workspace, openclaw="2026.1.29", **{"max-chars": 1002})
        html = show_html.render(views_of(workspace, situation), "en", "main")
    page = opened(html)
    page.get_by_role("button", name="SOUL.md", exact=True).click()
    assert "\\ud83c" in "".join(row["text"] for row in rows(page, "injected"))


# --- large files -------------------------------------------------------------------------------------------

TWO_MIB = 2 * 1024 * 1024


def repeated(line: str) -> str:
    text = line * (TWO_MIB // len(line.encode()))
    return text[: len(text.rstrip())]


@pytest.mark.browser
@pytest.mark.parametrize(
    ("text", "limit"),
    [
        pytest.param(
            repeated("- Never share this line 绝不外传 with anyone, not even a friend.\n"), 20_000, id="rules"
        ),
        pytest.param(
            repeated("- Never share this line 绝不外传 with anyone, not even a friend.\n"),
            3_000_000,
            id="whole",
        ),
        pytest.param(repeated("one long line 一行 "), 20_000, id="one line"),
        pytest.param("\n" * (TWO_MIB - 1) + "x", 20_000, id="blank lines"),
    ],
)
def test_two_mebibytes_open_in_a_few_seconds(opened: Callable[..., Page], text: str, limit: int) -> None:
    with workspace_of({"AGENTS.md": text}) as workspace:
        limits = {"max-chars": limit, "total-max-chars": limit}
        situation = situation_of(workspace, openclaw="2026.9.6", **limits)
        html = show_html.render(views_of(workspace, situation, "main", count=None), "en", "main")
    page = opened(html)
    page.set_default_timeout(10_000)
    page.locator("#source .row").first.wait_for()
    page.locator("#source").focus()
    page.keyboard.press("End")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelector('#told').textContent !== ''")


@pytest.mark.browser
def test_a_release_that_is_assumed_is_told_as_such(opened: Callable[..., Page]) -> None:
    basis = opened().locator("#basis")
    assert basis.inner_text().endswith("in all")
    views = [replace(view, release="2027.1.1") for view in VIEWS]
    basis = opened(show_html.render(views, "en", "main")).locator("#basis")
    assert basis.inner_text().endswith(
        "in all · OpenClaw 2027.1.1 is not on record; assumed to behave like 2026.6.11"
    )
