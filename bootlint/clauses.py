"""Which words of a line speak to the agent: the clauses they stand in, in the grammar of five languages.

A word can also tell a story, quote somebody, say which things are meant, or speak of a rule that no longer holds.
Takes a line as `language` shows it, in small letters and without what it only mentions, and the words found there.
"""

from __future__ import annotations

from bisect import bisect_left

from bootlint.lazyre import lazy_pattern
from bootlint.lexicon import BANS, DUTIES, STRONG, Find, Script, Signal, conjunctions, scope
from bootlint.typed import TYPE_CHECKING

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from bootlint.language import RuleWord
    from bootlint.marks import Stretch


def commanding(shown: str, text: Stretch, finds: Sequence[Find]) -> Sequence[Find]:
    """The finds that speak to the agent: not those that tell a story, quote or report somebody, or ask."""
    if not finds:
        return finds
    silent_until = text.end if _is_dated(shown, text.start) else -1
    commanding: list[Find] = []
    told = 0  # how many of them no report can take back any more
    for find in _unasked(shown, text, finds):
        if find.kind is Signal.LESSON:
            if find.start < silent_until:
                silent_until = -1
                commanding.append(find)
        elif find.start < silent_until or find.kind is Signal.FALSE_FRIEND:
            continue
        elif find.kind is Signal.STORY:
            silent_until = _end(_SENTENCE_END, shown, find.end, text.end)
        elif find.kind is Signal.QUOTED:
            quotation = _QUOTATION.match(shown, find.end, text.end)
            silent_until = quotation.end() if quotation else _end(CLAUSE_END, shown, find.end, text.end)
        elif find.kind is Signal.HEDGE:
            silent_until = _end(CLAUSE_END, shown, find.end, text.end)
            commanding.append(find)
        elif find.kind is Signal.REPORTED:
            while len(commanding) > told and not CLAUSE_END.search(shown, commanding[-1].end, find.start):
                commanding.pop()
            told = len(commanding)
        else:
            commanding.append(find)
    return commanding


def _is_dated(shown: str, start: int) -> bool:
    first = shown[start : start + 1]
    return (first == "[" or first.isdecimal()) and _DATED.match(shown, start) is not None


def _unasked(shown: str, text: Stretch, finds: Sequence[Find]) -> Sequence[Find]:
    """The finds that stand in no question."""
    if "?" not in shown and "？" not in shown:
        return finds
    unasked = []
    end = -1
    for find in finds:
        if find.end > end:
            end = _end(_SENTENCE_END, shown, find.end, text.end)
        if shown[end : end + 1] not in ("?", "？"):
            unasked.append(find)
    return unasked


def _end(pattern: re.Pattern[str], shown: str, start: int, end: int) -> int:
    found = pattern.search(shown, start, end)
    return end if found is None else found.start()


def modifies(shown: str, text: Stretch, find: Find) -> bool:
    """Does a ban or duty only say which things the sentence is about?"""
    if find.kind not in STRONG and find.kind is not Signal.HABIT:
        return False
    if _MODIFIER.match(shown, find.end, text.end):
        return True
    opens = not shown[max(find.start - 1, text.start) : find.start].isalnum()
    return (
        opens
        and find.kind not in DUTIES
        and "的" in shown[find.end : find.end + _LONGEST_DEED + 1]  # or the pattern need not be compiled
        and not shown.endswith(_BEGGING, find.start, find.end)
        and _RELATIVE.match(shown, find.end, text.end) is not None
    )


def is_withdrawn(shown: str, text: Stretch) -> bool:
    """Does the text say that its rule no longer holds?"""
    return _WITHDRAWN.search(shown, text.prefix_end, text.end) is not None


def denies_before(shown: str, text: Stretch, word: RuleWord) -> bool:
    """Does something in front of the word deny, so that a ban's keyword before all of it would deny twice?"""
    before = shown[text.start : word.start]
    return any(negation in before for negation in _NEGATIONS)


def is_unclear(shown: str, text: Stretch, word: RuleWord) -> bool:
    """May the word say only when something else is to be done, or who is to do what stands before it?"""
    if word.meaning in BANS:
        names_time = not _TIMES.isdisjoint(shown[word.end : word.end + _LONGEST_DEED + 2])
        return (
            names_time
            and not word.text.endswith(_BEGGING)
            and _MOMENT.match(shown, word.end, text.end) is not None
        )
    return shown[word.start - 1 : word.start] in ("，", ",") and shown.startswith(_BY_WHOM, word.end)


def is_all_ban(
    shown: str, text: Stretch, word: RuleWord, finds: Sequence[Find], scripts: Sequence[Script]
) -> bool:
    bans = [find.start for find in finds if find.kind in BANS]
    for start, end in _clauses(shown, text):
        if start <= word.start < end:
            before = shown[start : word.start].rstrip()
            if any(before.endswith(conjunctions(script)) for script in scripts):
                return False
        elif bisect_left(bans, start) == bisect_left(bans, end) and not _is_frame(shown, start, end, scripts):
            return False
    return True


def _clauses(shown: str, text: Stretch) -> Iterator[tuple[int, int]]:
    start = text.start
    for stop in CLAUSE_END.finditer(shown, text.start, text.end):
        if any(map(str.isalnum, shown[start : stop.start()])):
            yield start, stop.start()
        start = stop.end()
    if any(map(str.isalnum, shown[start : text.end])):
        yield start, text.end


def _is_frame(shown: str, start: int, end: int, scripts: Sequence[Script]) -> bool:
    """Does a clause merely say when, where or for whom another one holds?"""
    finds = (find for script in scripts for find in scope(script).find(shown, start, end))
    return any(find.kind is Signal.SCOPE for find in finds)


CLAUSE_END = lazy_pattern(r"[，,。；;！!？?]|\.(?=\s|$)")
_SENTENCE_END = lazy_pattern(r"[。；;！!？?]|\.(?=\s|$)")
_QUOTATION = lazy_pattern(r"[：:]?\s*x{2,}")  # as `_shown` leaves it
# A log entry, or a year that ended something. `2026-03-01 起` is the day from which a rule holds.
_DATED = lazy_pattern(
    r"\[?\d{4}[-/.年]\d{1,2}(?![-/.\d月日]*\s*(?:起|开始|開始|以降|から|부터))|\d{4}\s*年[以之]?前"
)
# `不能公开的文件放…`: a word in front of it says which files are meant, and orders nothing. What stands between the
# word and 的 is a verb of two characters, not what is forbidden (`禁止危险的操作`) or whose it is (`不要改我的日程`).
_ADVERB = (
    "自[动動]|手[动動]|人工|直接|[对對][外内內]|[内內]部|立即|马上|馬上|[当當]天|提前|[随隨][意便]|擅自|私自|[亲親]自|[当當]面"
    "|批量|完全|[会會]|再|本人|我|您|主管|[经經]理|老[板闆]|[双雙两兩]人"
)
_NO_VERB = (
    "危[险險]|[恶惡]意|[虚虛]假|多[余餘]|[过過]多|外部|[类類]似|不明|陌生|其他|任何|所有|一切|[无無][关關]|重要|最新|完整|清楚"
    "|[认認]真|仔[细細]|[详詳][细細]|[准準]确|明[确確]|[客用][户戶]|公司|[团團]队|自己|[对對]方"
)
_ENDS_NO_VERB = "我你您他她它们們谁誰人新旧舊假真大小多少好坏壞老长長短错錯这這那里裡上下中前后後"
_VERB = rf"\w\w(?<![{_ENDS_NO_VERB}])|\w{{1,2}}[出进進回过過][去来來]|[给給让讓被]\w{{1,4}}(?:看[到见見]?|知道|[动動]|改|用)"
_MODIFIER = lazy_pattern(
    rf"(?:{_ADVERB})*(?!{_NO_VERB})(?:{_VERB})?的(?!\w{{1,8}}(?:[：:]|包括|如下))\w{{3}}"
    r"|(?<=ない)[\u4e00-\u9fff\u30a1-\u30faa-z]"  # `送ってはいけないメール`
)
# `不能按时退房的客人加收半天房费`: the thing that is meant does or gets something. Not where it is somebody's: `禁止打开客人的
# 信箱放东西`. Alternatives of one length would become a class of characters, which takes 0.2 ms to compile.
_BEGGING = ("要", "别", "別", "勿")  # speaks to somebody, and so describes nothing
_OWNER = (
    "客人|客户|客戶|住户|住戶|用户|用戶|使用者|主人|老板|老闆|店长|店長|别人|別人|他人|对方|對方|同事|公司|昨天|今天|明天"
    r"|我|你|您|他|她|们|們|自己|里|裡|上|中|内|內|[老小](?!孩|人|狗|猫)\w"
)
_COVERB = "把|将|將|给|給|对|對|向|在|让|讓|叫|替|跟|和|与|與|拿|为|為|从|從|因|再|一起"
_PREDICATE = "要|先|统一|統一|一律|单独|單獨|另|加收|标|標|贴|貼|放|存|送|走|归|歸|交|收|换|換|转|轉|找|安排|由|有|是|在|都|全"
_NO_THING = "再|才|就|后|後|以|重要|主要|必要|需要|所有|现有|現有|私有|存在|安全|首都"
_LONGEST_DEED = 8
_DEED = rf"(?!(?:{_COVERB})(?!的))(?:(?!(?:{_OWNER})的)\w){{1,{_LONGEST_DEED}}}的"
_RELATIVE = lazy_pattern(
    rf"{_DEED}(?:(?!{_NO_THING})\w){{1,4}}(?:{_PREDICATE})\w"
    rf"|(?<=[从從]不){_DEED}\w{{1,4}}[，,：:]"
    rf"|{_DEED}(?:房[间間]|包[间間]|客房|[座车車]位|车厢|車廂|路段|[区區]域|客人)[：:]"
)
# `不能联系上老周时找小林` says when; `不能开车时打电话` forbids.
_TIMES = frozenset("时時期")
_MOMENT = lazy_pattern(
    rf"(?!{_COVERB})\w{{1,{_LONGEST_DEED}}}(?:(?<!小)(?<!及)(?<!按)(?<!准)(?<!準)(?<!同)(?<!随)(?<!隨)(?<!即)(?<!定)(?<!限)(?<!超)(?<!临)"
    r"(?<!臨)(?<!平)[时時](?!间|間|刻|常)|期[间間])"
)
# `给会计转账，必须由老周操作`
_BY_WHOM = ("由", "经", "經", "先经", "先經", "得到", "取得", "征得", "徵得")
_NEGATIONS = ("没", "沒", "除了", "除非", "谁", "誰")
# No rule, or no longer: `该规则已取消：…`, `（已废弃）…`, `…，现在不用了`, `…，是已知问题`.
_NORM = "[规規][定则則]|限制|的要求|禁令|制度|[这這该該][条條][规規]?[则則定]?"
_ENDED = "(?:取消|作[废廢]|[废廢][止弃棄除]|停用|[过過]期|失效|解除|放[开開]|[开開]放)"
_LATELY = "[上去今昨前][年月周週天]|[刚剛最][刚剛近]?|早就?"
_WITHDRAWN = lazy_pattern(
    rf"(?:{_NORM})[现現都也]?已[经經]?被?{_ENDED}(?![后後时時的])"
    rf"|(?:{_NORM})(?:{_LATELY})?{_ENDED}(?:了|[，,。；：:]|$)"
    rf"|[（(【]已?[经經]?{_ENDED}[）)】]"
    rf"|[，,；;。](?:[现現]在|如今|已[经經]?|都)+(?:{_ENDED}|不用|不再|不需要|可以)了?[。！]?$"
    r"|[，,]是?(?:个|個)?已知[问問][题題]"
)
