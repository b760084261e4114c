"""What a line says to the agent: is it a rule, does it command or forbid, by which word, and where would the English
keyword stand that every release knows.

Owns scripts, the marks in front of a line's text, and the judgement over the words that `lexicon` finds. Knows
nothing of files, blocks or budgets: that a line stands in a code block is for the caller to know. A line comes
without its line end, and all offsets are code points in it.
"""

from __future__ import annotations

from bisect import bisect_left
from functools import lru_cache

from bootlint.inline import protected_spans
from bootlint.lazyre import lazy_pattern
from bootlint.lexicon import Find, Meaning, Script, Signal, conjunctions, scope, words
from bootlint.lexicon import near_misses as near_miss_words
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    import re
    from collections.abc import Iterator, Sequence

    from bootlint.openclaw.contract import Digest

LineScript = Literal["latin", "han", "kana", "hangul", "mixed", "none"]
Shape = Literal[
    "blank", "fence", "html", "heading", "tight-heading", "task", "bullet", "ordered", "tight-number", "cjk-number",
    "sign-bullet", "quote", "table", "emoji", "bold-paragraph", "bracket", "paragraph",
]  # fmt: skip
PrefixStyle = Literal["english", "cjk"]


@record
class RuleWord:
    """A word that takes part in a rule."""

    start: int
    end: int
    text: str
    meaning: Meaning

    @property
    def keyword(self) -> str:
        """The English keyword of the same meaning."""
        return _KEYWORDS[self.meaning]


@record
class LineReading:
    """What a line says."""

    is_rule: bool  # its author gives the agent an instruction
    is_priority: bool  # it commands or forbids
    ambiguous: bool  # a priority rule that any keyword in front of it could turn into another one
    word: RuleWord | None  # by which it is a priority rule: the one to translate
    keyword: str  # what to put in front of it: mostly the word's, "" where none would be true
    words: tuple[RuleWord, ...]  # all that take part, left to right
    script: LineScript
    prefix_end: int  # where the text begins, its emphasis included
    text_start: int  # where it begins inside of that; in a row of a table, both are of the rule's cell
    shape: Shape


@record
class Insertion:
    """A text to put into the line before the code point `offset`."""

    offset: int
    text: str


@record
class NearMiss:
    """A word that looks like a keyword of OpenClaw and is none."""

    start: int
    end: int
    text: str
    keyword: str  # the one that would count, in lower case
    replacement: str | None  # what may stand there instead without changing what the line says


def read_line(line: str, *, in_heading: bool | None = None) -> LineReading:
    """Reads one line. `in_heading` says what the document knows; None: headings are the lines that begin with `#`."""
    return _remembered(line, in_heading)


def has_cjk(text: str) -> bool:
    """Does a Chinese, Japanese or Korean letter stand in the text?"""
    return _script(text) not in ("latin", "none")


def suggest_prefix(
    reading: LineReading, line: str, *, style: PrefixStyle = "english", digest: Digest | None
) -> Insertion | None:
    """What to put where so that a release with this digest ranks the rule.

    None where nothing is needed or nothing is safe: no priority rule, an ambiguous one, one that is ranked already,
    a release without a digest, and in the `cjk` style a release that knows no sign.
    """
    from bootlint.openclaw.digest import is_priority

    if digest is None or reading.ambiguous or reading.shape == "html" or is_priority(line, digest):
        return None
    insertion = _sign(reading, digest) if style == "cjk" else _keyword(reading, line)
    if insertion is None:
        return None
    changed = line[: insertion.offset] + insertion.text + line[insertion.offset :]
    return insertion if is_priority(changed, digest) else None


def near_misses(line: str, reading: LineReading | None = None) -> tuple[NearMiss, ...]:
    """The words of a rule that OpenClaw passes over although they look like its keywords."""
    reading = reading or read_line(line)
    found = (_near_miss(word, line) for word in reading.words if reading.is_rule)
    return tuple(near for near in found if near is not None)


# --- the wording of a prefix -----------------------------------------------------------------------------------

_KEYWORDS = {
    Meaning.NEVER: "Never",
    Meaning.DO_NOT: "Do not",
    Meaning.MUST: "Must",
    Meaning.REQUIRED: "Required",
    Meaning.SECURITY: "Security",
    Meaning.SECRET: "Secret",
    Meaning.CREDENTIAL: "Credential",
}


def _keyword(reading: LineReading, line: str) -> Insertion | None:
    """`Must / 必须…` where the word opens the text, else `Must: …`."""
    if reading.word is None or not reading.keyword:
        return None
    opens = _opens_text(line, reading.text_start, reading.word.start)
    return Insertion(reading.text_start, reading.keyword + (" / " if opens else ": "))


def _sign(reading: LineReading, digest: Digest) -> Insertion | None:
    """`🔴 必须…`: a sign that is no word fits every rule."""
    sign = next((sign for sign in digest.priority_signs if not has_cjk(sign)), None)
    return None if sign is None or reading.word is None else Insertion(reading.prefix_end, f"{sign} ")


def _opens_text(line: str, text_start: int, at: int) -> bool:
    return not any(map(str.isalnum, line[text_start:at]))


def _near_miss(word: RuleWord, line: str) -> NearMiss | None:
    folded = _folded(word.text)
    keyword = near_miss_words().get(folded)
    if keyword is None and folded.isascii() and (not word.text.isascii() or _is_underlined(word, line)):
        keyword = folded
    if keyword is None:
        return None
    replacement = _spelled_out(word.text) if folded in ("don't", "mustn't") else None
    return NearMiss(word.start, word.end, word.text, keyword, replacement)


def _is_underlined(word: RuleWord, line: str) -> bool:
    """`_must_`: to a regular expression the underline is one more letter of the word."""
    return "_" in (line[max(word.start - 1, 0) : word.start], line[word.end : word.end + 1])


def _spelled_out(contraction: str) -> str:
    return contraction[: -len("n't")] + (" NOT" if contraction.isupper() else " not")


# --- reading ---------------------------------------------------------------------------------------------------


class _Text(NamedTuple):
    """A stretch of a line that says something by itself: its text, or one cell of a table."""

    prefix_end: int
    start: int
    end: int


class _Claim(NamedTuple):
    """What such a stretch claims."""

    text: _Text
    is_rule: bool = False
    word: RuleWord | None = None
    words: tuple[RuleWord, ...] = ()
    keyword: str = ""


def _read(line: str, in_heading: bool | None) -> LineReading:
    shape, prefix_end = _shape(line)
    script = _script(line)
    text = _text(line, prefix_end, len(line))
    claim = _Claim(text)
    if script != "none" and shape != "fence":
        shown = _shown(line)
        if line.startswith("|", prefix_end):
            claim = _row_claim(line, shown, text, script)
        else:
            heading = shape in ("heading", "tight-heading") if in_heading is None else in_heading
            claim = _claim(line, shown, text, script, heading or _is_title(line, text, shape))
    return LineReading(
        claim.is_rule,
        claim.word is not None,
        claim.word is not None and not claim.keyword,
        claim.word,
        claim.keyword,
        claim.words,
        script,
        claim.text.prefix_end,
        claim.text.start,
        shape,
    )


_remembered = lru_cache(maxsize=8192)(_read)  # the same lines are asked for by check after check


def _row_claim(line: str, shown: str, row: _Text, script: LineScript) -> _Claim:
    """The claim of a table's row: that of its strongest cell."""
    cells = [_claim(line, shown, cell, script, heading=False) for cell in _cells(line, shown, row.prefix_end)]
    cells = [cell for cell in cells if not _is_label(line, cell)]
    if not cells:
        return _Claim(row)
    best = max(cells, key=_strength)
    said = tuple(word for cell in cells for word in cell.words)
    return best._replace(is_rule=any(cell.is_rule for cell in cells), words=said)


_RANK = {meaning: rank for rank, meaning in enumerate(Meaning)}
_BANS = (Meaning.NEVER, Meaning.DO_NOT)
_DUTIES = (Meaning.MUST, Meaning.REQUIRED)
_STRONG = _BANS + _DUTIES
_ALLOWING = (Signal.NOT_A_DUTY, Signal.PERMISSION)


def _strength(claim: _Claim) -> int:
    """The stronger the greater; 0 for no priority rule."""
    return 0 if claim.word is None else len(_RANK) - _RANK[claim.word.meaning]


def _is_label(line: str, claim: _Claim) -> bool:
    """A cell that holds nothing but the word: the name of a column, or a value such as `required`."""
    text, word = claim.text, claim.word
    return word is not None and not any(
        map(str.isalnum, line[text.prefix_end : word.start] + line[word.end : text.end])
    )


def _claim(line: str, shown: str, text: _Text, script: LineScript, heading: bool) -> _Claim:
    scripts = _SCRIPTS[script]
    if script != "latin" and _LATIN.search(shown, text.start, text.end):
        scripts = (*scripts, "latin")
    finds = _commanding(shown, text, _finds(scripts, shown, text))
    if not heading and script != "latin":
        finds = [find for find in finds if not _modifies(shown, text, find)]
    said: list[RuleWord] = []
    guards = advises = False
    for find in finds:
        if find.kind in (Meaning.ADVICE, Signal.HEDGE):
            advises = True
        elif find.kind is Meaning.GUARD:
            guards = True
        elif find.kind is Signal.PRODUCT:
            said = [word for word in said if word.meaning in _STRONG]
        elif find.kind is Signal.HABIT:
            if find.start == text.start and "也" not in shown[find.end : text.end]:  # `不打电话也行`
                said.append(RuleWord(find.start, find.end, line[find.start : find.end], Meaning.MUST))
        elif isinstance(find.kind, Meaning):
            said.append(RuleWord(find.start, find.end, line[find.start : find.end], find.kind))
    text = _after_label(shown, text, said)
    word = _chosen(line, text, said, heading or guards) if said else None
    if word is not None and script != "latin" and _WITHDRAWN.search(shown, text.prefix_end, text.end):
        return _Claim(text)
    if word is not None:
        return _Claim(text, True, word, tuple(said), _safe_keyword(line, shown, text, word, finds, scripts))
    return _Claim(text, True, None, tuple(said)) if guards or advises else _Claim(text)


def _finds(scripts: Sequence[Script], shown: str, text: _Text) -> list[Find]:
    """The words of the lexicon in a text, left to right without overlap."""
    if len(scripts) == 1:
        return words(scripts[0]).find(shown, text.start, text.end)
    every = [find for script in scripts for find in words(script).find(shown, text.start, text.end)]
    every.sort(key=_place)
    found: list[Find] = []
    for find in every:
        if not found or find.start >= found[-1].end:
            found.append(find)
    return found


def _place(find: Find) -> tuple[int, int]:
    return find.start, -find.end


_SCRIPTS: dict[LineScript, tuple[Script, ...]] = {
    "latin": ("latin",),
    "han": ("han",),
    "kana": ("kana",),
    "hangul": ("hangul",),
    "mixed": ("kana", "hangul"),
}


def _commanding(shown: str, text: _Text, finds: Sequence[Find]) -> Sequence[Find]:
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
            silent_until = quotation.end() if quotation else _end(_CLAUSE_END, shown, find.end, text.end)
        elif find.kind is Signal.HEDGE:
            silent_until = _end(_CLAUSE_END, shown, find.end, text.end)
            commanding.append(find)
        elif find.kind is Signal.REPORTED:
            while len(commanding) > told and not _CLAUSE_END.search(shown, commanding[-1].end, find.start):
                commanding.pop()
            told = len(commanding)
        else:
            commanding.append(find)
    return commanding


def _is_dated(shown: str, start: int) -> bool:
    first = shown[start : start + 1]
    return (first == "[" or first.isdecimal()) and _DATED.match(shown, start) is not None


def _unasked(shown: str, text: _Text, finds: Sequence[Find]) -> Sequence[Find]:
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


def _modifies(shown: str, text: _Text, find: Find) -> bool:
    """Does a ban or duty only say which things the sentence is about?"""
    if find.kind not in _STRONG and find.kind is not Signal.HABIT:
        return False
    if _MODIFIER.match(shown, find.end, text.end):
        return True
    opens = not shown[max(find.start - 1, text.start) : find.start].isalnum()
    return (
        opens
        and find.kind not in _DUTIES
        and "的" in shown[find.end : find.end + _LONGEST_DEED + 1]  # or the pattern need not be compiled
        and not shown.endswith(_BEGGING, find.start, find.end)
        and _RELATIVE.match(shown, find.end, text.end) is not None
    )


def _after_label(shown: str, text: _Text, said: Sequence[RuleWord]) -> _Text:
    """The text behind a label such as `**语气**：` or `【重要】`, if all that commands stands there."""
    commands = next((word.start for word in said if word.meaning in _STRONG), text.start)
    label = _LABEL.match(shown, text.start, commands) if commands > text.start else None
    return text if label is None else text._replace(start=label.end())


def _chosen(line: str, text: _Text, said: Sequence[RuleWord], topics_count: bool) -> RuleWord | None:
    """The word to translate: the one that opens the text, else the strongest.

    But no ban where there is a duty as well: `Never: 发送前必须先问，不得擅自发送` would forbid to ask.
    """
    strong = [word for word in said if word.meaning in _STRONG]
    if not strong:
        return min(said, key=_rank, default=None) if topics_count else None
    if len(strong) == 1 or _opens_text(line, text.start, strong[0].start):
        return strong[0]
    duties = [word for word in strong if word.meaning in _DUTIES]
    return min(duties or strong, key=_rank)


def _rank(word: RuleWord) -> int:
    return _RANK[word.meaning]


def _safe_keyword(
    line: str, shown: str, text: _Text, word: RuleWord, finds: Sequence[Find], scripts: Sequence[Script]
) -> str:
    """The keyword that may stand in front of the text without covering more than the rule; "" for none.

    What a line allows must not become a duty or a ban. A ban's keyword fits only where all of the text is the ban:
    `Do not: 报错时不许编造，如实汇报` would forbid to report. Nor where the text denies something before it:
    `Do not: 谁都不能看` would order to look. `Must` fits any rule, but not in front of what only some may do:
    `Must: 给会计转账，必须由老周操作`.
    """
    if any(find.kind is Signal.LESSON for find in finds) or _is_unclear(shown, text, word):
        return ""
    if _opens_text(line, text.start, word.start):
        return word.keyword
    is_ban = word.meaning in _BANS
    if any(find.kind in _ALLOWING and (is_ban or find.start < word.start) for find in finds):
        return ""
    before = shown[text.start : word.start]
    denies = any(negation in before for negation in _NEGATIONS)
    if is_ban and (denies or not _is_all_ban(shown, text, word, finds, scripts)):
        return _KEYWORDS[Meaning.MUST]
    return word.keyword


def _is_unclear(shown: str, text: _Text, word: RuleWord) -> bool:
    """May the word say only when something else is to be done, or who is to do what stands before it?"""
    if word.meaning in _BANS:
        names_time = not _TIMES.isdisjoint(shown[word.end : word.end + _LONGEST_DEED + 2])
        return (
            names_time
            and not word.text.endswith(_BEGGING)
            and _MOMENT.match(shown, word.end, text.end) is not None
        )
    return shown[word.start - 1 : word.start] in ("，", ",") and shown.startswith(_BY_WHOM, word.end)


def _is_all_ban(
    shown: str, text: _Text, word: RuleWord, finds: Sequence[Find], scripts: Sequence[Script]
) -> bool:
    bans = [find.start for find in finds if find.kind in _BANS]
    for start, end in _clauses(shown, text):
        if start <= word.start < end:
            before = shown[start : word.start].rstrip()
            if any(before.endswith(conjunctions(script)) for script in scripts):
                return False
        elif bisect_left(bans, start) == bisect_left(bans, end) and not _is_frame(shown, start, end, scripts):
            return False
    return True


def _clauses(shown: str, text: _Text) -> Iterator[tuple[int, int]]:
    start = text.start
    for stop in _CLAUSE_END.finditer(shown, text.start, text.end):
        if any(map(str.isalnum, shown[start : stop.start()])):
            yield start, stop.start()
        start = stop.end()
    if any(map(str.isalnum, shown[start : text.end])):
        yield start, text.end


def _is_frame(shown: str, start: int, end: int, scripts: Sequence[Script]) -> bool:
    """Does a clause merely say when, where or for whom another one holds?"""
    finds = (find for script in scripts for find in scope(script).find(shown, start, end))
    return any(find.kind is Signal.SCOPE for find in finds)


def _is_title(line: str, text: _Text, shape: Shape) -> bool:
    """A short line that is all bold, or has an outline number (`一、安全`), is a heading but for its marks."""
    if shape not in ("bold-paragraph", "cjk-number"):
        return False
    title = line[text.prefix_end : text.end].rstrip("：: ")
    if shape == "bold-paragraph" and not (len(title) > 4 and title.endswith(title[:2])):
        return False
    # Letters of English are not counted, so that a title with its keyword in front remains one.
    return _CLAUSE_END.search(title) is None and sum(not char.isascii() for char in title) <= _LONGEST_TITLE


_LONGEST_TITLE = 12
_CLAUSE_END = lazy_pattern(r"[，,。；;！!？?]|\.(?=\s|$)")
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

# --- scripts ---------------------------------------------------------------------------------------------------

# The Unicode property Script as ranges: `regex` costs more to import than this module may spend. A test holds them
# equal. Planes 2 and 3 are set aside for Han.
_RANGES: dict[Script, str] = {
    "han": (
        "\u2e80-\u2e99\u2e9b-\u2ef3\u2f00-\u2fd5\u3005\u3007\u3021-\u3029\u3038-\u303b\u3400-\u4dbf\u4e00-\u9fff"
        "\uf900-\ufa6d\ufa70-\ufad9\U00016fe2-\U00016fe3\U00016ff0-\U00016ff6\U00020000-\U0003fffd"
    ),
    "kana": (
        "\u3041-\u3096\u309d-\u309f\u30a1-\u30fa\u30fd-\u30ff\u31f0-\u31ff\u32d0-\u32fe\u3300-\u3357\uff66-\uff6f"
        "\uff71-\uff9d\U0001aff0-\U0001aff3\U0001aff5-\U0001affb\U0001affd-\U0001affe\U0001b000-\U0001b122"
        "\U0001b132\U0001b150-\U0001b152\U0001b155\U0001b164-\U0001b167\U0001f200"
    ),
    "hangul": (
        "\u1100-\u11ff\u302e-\u302f\u3131-\u318e\u3200-\u321e\u3260-\u327e\ua960-\ua97c\uac00-\ud7a3\ud7b0-\ud7c6"
        "\ud7cb-\ud7fb\uffa0-\uffbe\uffc2-\uffc7\uffca-\uffcf\uffd2-\uffd7\uffda-\uffdc"
    ),
}
_KANA = lazy_pattern(f"[{_RANGES['kana']}]")
# Most lines are told by the first bytes of their letters: ranges of thousands of characters take 1 ms to compile.
_KANA_OR_HANGUL = lazy_pattern(  # all of them, and little else; `re` skips to bytes that stand first as they are
    rb"\xe1[\x84-\x87]|\xe3[\x81-\x8f]|\xe3\x80[\xae\xaf]|\xea|\xeb|\xec|\xed|\xef[\xbd-\xbf]|\xf0[\x9a\x9b\x9f]"
)
_COMMON_HAN = lazy_pattern(rb"[\xe5-\xe9]|\xe4[^\xb7]")  # most of it, and nothing else
_HANGUL = lazy_pattern(f"[{_RANGES['hangul']}]")
_HAN = lazy_pattern(f"[{_RANGES['han']}]")
_LATIN = lazy_pattern("[A-Za-zＡ-Ｚａ-ｚ]")


def _script(line: str) -> LineScript:
    """The script a line is written in. Latin words beside another script do not count, nor does Han beside kana."""
    if not line.isascii():
        utf8 = line.encode("utf-8", "surrogatepass")
        if _KANA_OR_HANGUL.search(utf8):
            kana, hangul = _KANA.search(line), _HANGUL.search(line)
            if kana or hangul:
                return "mixed" if kana and hangul else "kana" if kana else "hangul"
        if _COMMON_HAN.search(utf8) or _HAN.search(line):
            return "han"
    return "latin" if _LATIN.search(line) else "none"


# --- marks -----------------------------------------------------------------------------------------------------

_BLANK = r"[ \t\u3000]"
_APART = r"(?=[ \t]|\u3000|$)"  # a class with a character of the East takes 0.1 ms to compile
_NUMERALS = "一二三四五六七八九十百"
_ORDINALS = _NUMERALS + "第"
_UNITS = "版倍元万萬亿億秒分小天米公度点點折寸英个個号號以到至"
_INLINE_TAGS = "b|strong|em|i|u|mark"
_NUMBER = (
    rf"\d{{1,3}}[、．）](?!\d)|[（(](?:\d{{1,3}}|[{_NUMERALS}]{{1,4}})[）)]|[{_NUMERALS}]{{1,4}}[、．.]"
    r"|[\u2160-\u217b\u2460-\u24ff\u2776-\u2793\u3220-\u3229\u3280-\u3289]\ufe0f?[.、．]?"
)
_OURS = rf"(?:{'|'.join(_KEYWORDS.values())})(?: /|:) "  # a keyword of ours turns no mark into another one
_MARK = lazy_pattern(
    rf"(?P<heading>\#{{1,6}}{_APART})|(?P<tight_heading>\#{{1,6}}(?=[^\x00-\x7f]|{_OURS})|\#\#{{1,5}}(?=[A-Za-z]))"
    rf"|(?P<task>[-*+]{_BLANK}+\[[ xX]\]{_APART})|(?P<bullet>[-*+:]{_APART})"
    rf"|(?P<ordered>\d{{1,9}}[.)]{_APART})|(?P<tight_number>\d{{1,9}}[.)](?=[^\x00-\x7f]|\*\*|[A-Z]))|(?P<quote>>)"
)
_EASTERN_MARK = lazy_pattern(
    rf"(?P<cjk_number>{_NUMBER})|(?P<sign_bullet>[•・·●○◦‣▪▫■□◆◇▶▷▸►➤➢→⇒※★☆✦－﹣]|[–—]{_BLANK})"
)
# `2.1.`, `A)`, `第三条：`. A figure with its unit (`3.5 版`) is no number of a line.
_OUTLINE_NUMBER = (
    rf"\d{{1,3}}(?:\.\d{{1,3}}){{1,3}}(?:[.)）、．](?!\d)|(?=\**{_BLANK}+[^\x00-\x7f])(?!{_BLANK}*[{_UNITS}]))"
    rf"|[A-Za-z][.)）、](?={_BLANK}|[^\x00-\x7f])|第[{_NUMERALS}\d]{{1,4}}[条條章节節点點步项項款则則](?:[：:、]|{_BLANK})"
)
_OPENING = lazy_pattern(  # stars that something closes, a tag, a number that may end in closing stars, a bracket, a dash
    rf"(?:(?P<stars>\*{{1,3}})(?=[^\s*/.].*?(?P=stars))|<(?:{_INLINE_TAGS})>"
    rf"|(?:{_NUMBER}|{_OUTLINE_NUMBER}|\d{{1,3}}[.)](?=[^\x00-\x7f]|[ *A-Z]))\**|[【〖［（(]|[-+](?=[^\x00-\x7f])){_BLANK}*"
)
_LABEL = lazy_pattern(
    r"[^，,。；;！!？?|：:【〖［（(】〗］）)]{1,20}(?:[】〗］）)]\**[：:]?|(?:：|:(?=\s|[^\x00-\x7f])))\**"
    rf"{_BLANK}*"
)
_FENCE = lazy_pattern(r"`{3,}|~{3,}")
# And notes and link definitions: nothing can be put in front of them.
_HTML = lazy_pattern(
    rf"<(?!(?:{_INLINE_TAGS})>)[A-Za-z/!?]|\[\^[^\]]+\]:|\[[^\]]+\]:[ \t]*[!-~][^ \t]*[ \t]*$"
)


def _shape(line: str) -> tuple[Shape, int]:
    """The shape, which the first mark gives, and where the last mark ends."""
    at = _skip_blanks(line, 0)
    shape: Shape | None = None
    while True:
        mark, end = _mark(line, at)
        if mark is None:
            break
        shape = shape or mark
        at = _skip_blanks(line, end)
    if line[at : at + 1] in _OPENERS:
        if line[at] == "|":
            return shape or "table", at
        if _HTML.match(line, at):
            return "html", at
        if _FENCE.match(line, at):
            return "fence", at
    return shape or _plain_shape(line, at), at


_OPENERS = ("|", "<", "[", "`", "~")


def _mark(line: str, at: int) -> tuple[Shape | None, int]:
    first = line[at : at + 1]
    if first.isalpha() and first not in _NUMERALS:
        return None, at
    found = _MARK.match(line, at)
    if found is None and (not first.isascii() or first in _OPENS_NUMBER):
        found = _EASTERN_MARK.match(line, at)
    if found is not None:
        return _MARK_SHAPES[found.lastgroup or ""], found.end()
    end = _emoji_end(line, at)
    return ("emoji", end) if end > at else (None, at)


_OPENS_NUMBER = frozenset("(0123456789")
_MARK_SHAPES: dict[str, Shape] = {
    "heading": "heading",
    "tight_heading": "tight-heading",
    "task": "task",
    "bullet": "bullet",
    "ordered": "ordered",
    "tight_number": "tight-number",
    "cjk_number": "cjk-number",
    "quote": "quote",
    "sign_bullet": "sign-bullet",
}


def _plain_shape(line: str, at: int) -> Shape:
    if at == len(line):
        return "blank"
    if line.startswith(("**", "__"), at):
        return "bold-paragraph"
    return "bracket" if line[at] == "【" else "paragraph"


def _emoji_end(line: str, at: int) -> int:
    """Where the emoji end that begin at `at`."""
    from unicodedata import category

    keycap = _KEYCAP.match(line, at)
    end = at if keycap is None else keycap.end()
    while end < len(line) and (
        category(line[end]) == "So" or line[end] in "‼⁉" or (end > at and line[end] in _EMOJI_PARTS)
    ):
        end += 1
    return end


_KEYCAP = lazy_pattern("[0-9#*]\ufe0f?\u20e3")
_EMOJI_PARTS = frozenset("\ufe0e\ufe0f\u200d\u2640\u2642\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")


def _cells(line: str, shown: str, start: int) -> list[_Text]:
    """The cells of a table's row that hold anything."""
    bars = [bar.start() for bar in _BAR.finditer(shown, start)]
    return [
        _text(line, _skip_blanks(line, bar + 1), end)
        for bar, end in zip(bars, [*bars[1:], len(line)], strict=True)
        if line[bar + 1 : end].strip()
    ]


_BAR = lazy_pattern(r"(?<!\\)\|")


def _text(line: str, prefix_end: int, end: int) -> _Text:
    """A stretch of text; its start lies inside opening emphasis, after the signs and numbers there.

    Stars that nothing closes are not entered, nor underlines: to OpenClaw `_Must` is no keyword.
    """
    start = prefix_end
    while start < end and not _begins_word(line, start):
        opening = _OPENING.match(line, start, end)
        after = _skip_blanks(line, _emoji_end(line, start)) if opening is None else opening.end()
        if after == start:
            break
        start = after
    return _Text(prefix_end, min(start, end), end)


def _begins_word(line: str, at: int) -> bool:
    """And no number such as `三、`, `第三条：` or `A.`"""
    return (
        line[at].isalpha()
        and line[at] not in _ORDINALS
        and line[at + 1 : at + 2] not in (".", ")", "）", "、")
    )


def _skip_blanks(line: str, at: int) -> int:
    while at < len(line) and line[at] in " \t\u3000":
        at += 1
    return at


# --- what can be seen of a line --------------------------------------------------------------------------------

_QUOTED = lazy_pattern(
    r"~~.+?~~|“[^“”]*”|‘[^‘’]*’(?!\w)|「[^「」]*」|『[^『』]*』|《[^《》]*》|\"[^\"]*\"|\[\[[^][]*\]\]"
)
_MENTION = lazy_pattern(r"[`<\]“‘「『《\"~_]")  # in every line that mentions something but a bare URL
_WIDE = lazy_pattern("[Ａ-Ｚａ-ｚ’ʼ′＇]")
_URL = lazy_pattern(r"https?://[^\s，。；、）」]+")  # `protected_spans` ends one where no ASCII follows
_UNDERLINES = lazy_pattern(r"(?<![^\W_])_{1,3}(?=[^\W_])|(?<=[^\W_])_{1,3}(?![^\W_])")
_FOLD = {
    **{ord("A") + at: ord("a") + at for at in range(26)},
    **{ord("Ａ") + at: ord("a") + at for at in range(26)},
    **{ord("ａ") + at: ord("a") + at for at in range(26)},
    **dict.fromkeys(map(ord, "’ʼ′＇"), ord("'")),
}


def _shown(line: str) -> str:
    """The line in small letters, every offset as it was.

    What it only mentions, such as code, links and quotations, becomes letters that are in no word of the lexicon.
    """
    if _MENTION.search(line) is None and "http" not in line:
        return _folded(line)
    parts = []
    last = 0
    for start, end in _mentioned(line):
        parts += [line[last:start], "x" * (end - start)]
        last = end
    shown = _QUOTED.sub(lambda quoted: "x" * len(quoted.group()), "".join((*parts, line[last:])))
    if "_" in shown:
        shown = _UNDERLINES.sub(lambda marks: " " * len(marks.group()), shown)
    return _folded(shown)


def _mentioned(line: str) -> Iterator[tuple[int, int]]:
    """Code, tags, comments, URLs to their last letter, and links with their text."""
    last = 0
    for start, end in protected_spans(line):
        if line.startswith("](", start - 1) and (opening := line.rfind("[", last, start)) >= 0:
            start = opening
        elif (url := _URL.match(line, start)) is not None:
            end = url.end()
        if end > last:
            yield max(start, last), end
            last = end


def _folded(text: str) -> str:
    """ASCII and full-width letters small, apostrophes straight. No offset changes."""
    if text.isascii():
        return text.lower()
    if _WIDE.search(text) is not None:
        return text.translate(_FOLD)
    utf8 = text.encode("utf-8", "surrogatepass")
    return utf8.lower().decode("utf-8", "surrogatepass")  # of bytes, `lower` changes ASCII only
