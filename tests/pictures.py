"""Makes the pictures in docs/ again: `python tests/pictures.py`. Needs Chromium.

Each shows the sample workspace as a user sees it: the terminal from a real terminal, the HTML from a real browser.
"""

from __future__ import annotations

import html
import io
import os
import pty
import re
import subprocess
import sys
import tempfile
from pathlib import Path

from rich.cells import cell_len
from rich.console import Console
from rich.text import Text

from browser import chromium, running

ROOT = Path(__file__).parent.parent
DOCS = ROOT / "docs"
WORKSPACE = "tests/workspaces/shop"
COLUMNS = 84
CELL = 12.2  # the width of a cell in the units of rich's SVG
LANGUAGES = {"en": "", "zh": ".zh-CN"}  # with what a picture's name ends

# As rich's own, but without the fonts that it fetches from the network.
_SVG = """\
<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" role="img">
<style>
.{unique_id}-matrix {{ font-family: ui-monospace, Menlo, Consolas, "Noto Sans Mono CJK SC", monospace; \
font-size: {char_height}px; line-height: {line_height}px; }}
{styles}
</style>
<defs>{lines}</defs>
<rect width="100%" height="100%" rx="8" fill="#191c21"/>
<g fill="#4b5058"><circle cx="24" cy="22" r="7"/><circle cx="46" cy="22" r="7"/><circle cx="68" cy="22" r="7"/></g>
<g transform="translate({terminal_x}, {terminal_y})">
{backgrounds}
<g class="{unique_id}-matrix">{matrix}</g>
</g>
</svg>
"""


def main() -> int:
    browser = chromium()
    if browser is None:
        print("no Chromium found; apt-get install chromium", file=sys.stderr)
        return 2
    DOCS.mkdir(exist_ok=True)
    for language, ending in LANGUAGES.items():
        command = ["show", WORKSPACE, "--language", language]
        (DOCS / f"terminal{ending}.svg").write_text(terminal(command), encoding="utf-8")
        screenshot(command, browser, DOCS / f"page{ending}.png")
    return 0


def terminal(command: list[str]) -> str:
    """What a terminal shows of the first file and of the end, as SVG."""
    output = in_terminal(command)
    lines = output.splitlines()
    end = len(lines) - lines[::-1].index("")
    shown = [f"$ bootlint {' '.join(command[:2])}", *lines[: lines.index("") + 1], "...", "", *lines[end:]]
    console = Console(record=True, width=COLUMNS, file=io.StringIO(), force_terminal=True)
    console.print(Text.from_ansi("\n".join(shown)))
    svg = console.export_svg(title="", code_format=_SVG, unique_id="terminal")
    return re.sub(r'textLength="[\d.]+"([^>]*)>([^<]*)<', _with_true_length, svg)


def _with_true_length(text: re.Match[str]) -> str:
    """rich gives each character one cell, a Chinese one too."""
    cells = cell_len(html.unescape(text[2]))
    return f'textLength="{cells * CELL:g}"{text[1]}>{text[2]}<'


def in_terminal(command: list[str]) -> str:
    """What a command prints on a terminal of `COLUMNS` columns, colours included."""
    ours, theirs = pty.openpty()
    environment = {**os.environ, "COLUMNS": str(COLUMNS), "TERM": "xterm-256color", "PYTHONPATH": str(ROOT)}
    environment.pop("NO_COLOR", None)
    process = subprocess.Popen(
        [sys.executable, "-m", "bootlint", *command], stdout=theirs, stderr=theirs, cwd=ROOT, env=environment
    )
    os.close(theirs)
    chunks = []
    try:
        while chunk := os.read(ours, 65536):
            chunks.append(chunk)
    except OSError:  # the other side is closed
        pass
    os.close(ours)
    process.wait()
    return b"".join(chunks).decode().replace("\r\n", "\n")


def screenshot(command: list[str], executable: str, picture: Path) -> None:
    """The top of the HTML in a browser's window."""
    with tempfile.TemporaryDirectory() as folder, running(executable) as browser:
        page_file = Path(folder) / "page.html"
        subprocess.run(
            [sys.executable, "-m", "bootlint", *command, "--quiet", "--html", page_file], cwd=ROOT, check=True
        )
        page = browser.new_page(viewport={"width": 1280, "height": 850}, device_scale_factor=1.5)
        page.goto(page_file.as_uri())
        page.screenshot(path=picture)


if __name__ == "__main__":
    sys.exit(main())
