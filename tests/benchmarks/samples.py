"""Generated workspaces for measuring: the same text whenever they are made, in Chinese and English."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

_SECTION = """\
## 第 {n} 节 Routine {n}

每天早上先看一遍第 {n} 组待办，再决定今天做什么。The list of day {n} is short on purpose: what is not on it can wait.

- 必须先备份再改第 {n} 号表格
- 禁止在群里发第 {n} 位客人的电话
- Never push to the main branch of project {n}
- 写完第 {n} 份稿子之后读一遍，读起来不顺就重写
- Keep the notes of day {n} in one place

整理第 {n} 批资料时按日期归档，重复的只留最新的一份。

```sh
make report-{n}  # once a day
```

"""


def text(title: str, chars: int, first: int = 0) -> str:
    """A text of exactly `chars` characters, all of the BMP, so that they are UTF-16 units as well.

    Sections are numbered from `first`, so that no line stands twice in a workspace.
    """
    parts = [f"# {title}\n\n"]
    size = len(parts[0])
    number = first
    while size < chars:
        number += 1
        parts.append(_SECTION.format(n=number))
        size += len(parts[-1])
    return "".join(parts)[: chars - 1] + "\n"


def text_of_bytes(title: str, size: int) -> str:
    """A text of `size` bytes of UTF-8, or up to three less."""
    return text(title, size).encode()[: size - 1].decode(errors="ignore") + "\n"


def write_workspace(folder: Path, *, agents: int = 30_000, soul: int = 25_000, first: int = 0) -> None:
    """The 8-file sample. With another `first` no line is that of another workspace."""
    folder.mkdir(parents=True)
    sizes = {
        "AGENTS": agents, "SOUL": soul, "TOOLS": 1_500, "IDENTITY": 600, "USER": 1_200, "HEARTBEAT": 400,
        "BOOTSTRAP": 800, "MEMORY": 4_000,
    }  # fmt: skip
    for file, (name, chars) in enumerate(sizes.items(), 1):
        (folder / f"{name}.md").write_text(text(name, chars, first + 10_000 * file), encoding="utf-8")


def write_quiet_workspace(folder: Path) -> None:
    """A workspace within all limits, with nothing to say."""
    folder.mkdir(parents=True)
    texts = {
        "AGENTS": "# Agents\n\n## Every morning\n\nRead SOUL.md and USER.md first.\n\n## What holds always\n\n"
        "- Never send anything that is not yours to send\n",
        "SOUL": "# Soul\n\nCalm, plain, patient.\n",
        "IDENTITY": "# Identity\n\nA helper for a small garden.\n",
        "USER": "# User\n\nPrefers short messages.\n",
    }
    for name, content in texts.items():
        (folder / f"{name}.md").write_text(content, encoding="utf-8")
