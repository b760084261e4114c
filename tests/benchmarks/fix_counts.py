"""How many of 60 Chinese priority rules reach the model before and after `bootlint fix`, and the CPU time that it takes.

    python tests/benchmarks/fix_counts.py

The rules stand evenly spread in an AGENTS.md of 40,000 characters, in the shapes in which people write them. Prints
the table that stands in the README.
"""

from __future__ import annotations

import sys
import tempfile
import time
from itertools import cycle
from pathlib import Path

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))

from bootlint import config  # noqa: E402 - the path is set for running this file as a script
from bootlint.fixer import FixResult, fix  # noqa: E402
from bootlint.situations import basis  # noqa: E402
from bootlint.workspace import Workspace  # noqa: E402

RELEASES = ("2026.6.11", "2026.9.6")
RULES = 60
CHARS = 40_000

_SHAPES = (
    "- 必须：先备份{thing}再改动",
    "- **禁止**：擅自公开{thing}",
    "- 未经同意不能删除{thing}",
    "{number}. 严禁把{thing}发到群里",
    "所有人改动{thing}之前都必须先得到主人同意。",
    "**铁律**：没有核对过{thing}不算完成",
    "- [ ] 交付前务必检查{thing}",
    "> ⚠️ 绝不向外人展示{thing}",
    "1、不得擅自转交{thing}",
    "❌ 不要凭记忆填写{thing}",
)
_THINGS = ("客户名单", "报价单", "库存表", "值班安排", "合同草稿", "发货记录")
_PROSE = (
    "早上的邮件大多是问包裹到了哪里，也有人问茶叶怎么保存。回信写两三句就好，语气平和一些。",
    "仓库在城西，下午四点以后车就走了。周末人少，来电通常等到星期一再回。",
    "老客人喜欢手写的卡片，新客人更在意快慢。两种信的写法不一样，样本放在抽屉里。",
    "春天的新茶三月底到货，样品先放在窗边的架子上。味道淡的配白瓷杯，味道浓的配紫砂壶。",
)


def agents_md() -> str:
    """The file: exactly `CHARS` characters, all of one UTF-16 unit."""
    head = "# 小店助手\n\n"
    rules = [_rule(number) for number in range(RULES)]
    room = CHARS - len(head) - sum(map(len, rules))
    share, rest = divmod(room, RULES)
    parts = [
        _prose(number, share + (rest if number == RULES - 1 else 0)) + rule
        for number, rule in enumerate(rules)
    ]
    return head + "".join(parts)


def _rule(number: int) -> str:
    thing = _THINGS[number // len(_SHAPES) % len(_THINGS)]
    return _SHAPES[number % len(_SHAPES)].format(thing=thing, number=number + 1) + "\n\n"


def _prose(number: int, chars: int) -> str:
    """Text that orders nothing: paragraphs, every other time a list, every sixth time below a heading."""
    opening = f"## 第{number // 6 + 1}部分\n\n" if number % 6 == 0 else ""
    mark = "- " if number % 2 else ""
    text = ""
    for sentence in cycle(_PROSE):
        text += f"{mark}{sentence}\n"
        if len(opening) + len(text) >= chars:
            break
    return f"{opening}{text[: chars - len(opening) - 3]}。\n\n"


def repaired(workspace: Workspace, release: str, *, unsafe: bool) -> FixResult:
    settings = config.parse({"openclaw": release}, "")
    return fix(workspace, basis(workspace, settings), settings, unsafe=unsafe)


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "AGENTS.md").write_text(agents_md(), encoding="utf-8")
        workspace = Workspace.at(Path(folder))
        print("| OpenClaw | before | `bootlint fix` | `bootlint fix --unsafe-fixes` |")
        print("|---|---|---|---|")
        for release in RELEASES:
            start = time.process_time()
            safe = repaired(workspace, release, unsafe=False)
            seconds = time.process_time() - start
            unsafe = repaired(workspace, release, unsafe=True)
            before, after, most = safe.reach[0], safe.reach[0], unsafe.reach[0]
            print(
                f"| {release} | {before.reached_before}/{before.rules_before} "
                f"| {after.reached_after}/{after.rules_after} in {seconds:.1f} s "
                f"| {most.reached_after}/{most.rules_after} |"
            )


if __name__ == "__main__":
    main()
