"""What a line says to the agent: is it a rule, does it command or forbid, by which word, and where would the English
keyword stand that every release knows.

Owns scripts, what of a line is only mentioned, and the judgement over the words that `lexicon` finds, those that
speak to the agent by `clauses`. Knows nothing of files, blocks or budgets: that a line stands in a code block is for
the caller to know. A line comes without its line end, and all offsets are code points in it.
"""

from __future__ import annotations

from functools import lru_cache

from bootlint.clauses import (
    CLAUSE_END,
    commanding,
    denies_before,
    is_all_ban,
    is_unclear,
    is_withdrawn,
    modifies,
)
from bootlint.inline import protected_spans
from bootlint.lazyre import lazy_pattern
from bootlint.lexicon import BANS, DUTIES, KEYWORDS, STRONG, Find, Meaning, Script, Signal, words
from bootlint.lexicon import near_misses as near_miss_words
from bootlint.marks import LABEL, Shape, Stretch, cells_of, shape_of, stretch_of
from bootlint.records import record
from bootlint.typed import TYPE_CHECKING, Literal, NamedTuple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from bootlint.openclaw.contract import Digest

LineScript = Literal["latin", "han", "kana", "hangul", "mixed", "none"]
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
        return KEYWORDS[self.meaning]


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


class _Claim(NamedTuple):
    """What such a stretch claims."""

    text: Stretch
    is_rule: bool = False
    word: RuleWord | None = None
    words: tuple[RuleWord, ...] = ()
    keyword: str = ""


def _read(line: str, in_heading: bool | None) -> LineReading:
    shape, prefix_end = shape_of(line)
    script = _script(line)
    text = stretch_of(line, prefix_end, len(line))
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


def _row_claim(line: str, shown: str, row: Stretch, script: LineScript) -> _Claim:
    """The claim of a table's row: that of its strongest cell."""
    cells = [
        _claim(line, shown, cell, script, heading=False) for cell in cells_of(line, shown, row.prefix_end)
    ]
    cells = [cell for cell in cells if not _is_label(line, cell)]
    if not cells:
        return _Claim(row)
    best = max(cells, key=_strength)
    said = tuple(word for cell in cells for word in cell.words)
    return best._replace(is_rule=any(cell.is_rule for cell in cells), words=said)


_RANK = {meaning: rank for rank, meaning in enumerate(Meaning)}
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


def _claim(line: str, shown: str, text: Stretch, script: LineScript, heading: bool) -> _Claim:
    scripts = _SCRIPTS[script]
    if script != "latin" and _LATIN.search(shown, text.start, text.end):
        scripts = (*scripts, "latin")
    finds = commanding(shown, text, _finds(scripts, shown, text))
    if not heading and script != "latin":
        finds = [find for find in finds if not modifies(shown, text, find)]
    said: list[RuleWord] = []
    guards = advises = False
    for find in finds:
        if find.kind in (Meaning.ADVICE, Signal.HEDGE):
            advises = True
        elif find.kind is Meaning.GUARD:
            guards = True
        elif find.kind is Signal.PRODUCT:
            said = [word for word in said if word.meaning in STRONG]
        elif find.kind is Signal.HABIT:
            if find.start == text.start and "也" not in shown[find.end : text.end]:  # `不打电话也行`
                said.append(RuleWord(find.start, find.end, line[find.start : find.end], Meaning.MUST))
        elif isinstance(find.kind, Meaning):
            said.append(RuleWord(find.start, find.end, line[find.start : find.end], find.kind))
    text = _after_label(shown, text, said)
    word = _chosen(line, text, said, heading or guards) if said else None
    if word is not None and script != "latin" and is_withdrawn(shown, text):
        return _Claim(text)
    if word is not None:
        return _Claim(text, True, word, tuple(said), _safe_keyword(line, shown, text, word, finds, scripts))
    return _Claim(text, True, None, tuple(said)) if guards or advises else _Claim(text)


def _finds(scripts: Sequence[Script], shown: str, text: Stretch) -> list[Find]:
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


def _after_label(shown: str, text: Stretch, said: Sequence[RuleWord]) -> Stretch:
    """The text behind a label such as `**语气**：` or `【重要】`, if all that commands stands there."""
    commands = next((word.start for word in said if word.meaning in STRONG), text.start)
    label = LABEL.match(shown, text.start, commands) if commands > text.start else None
    return text if label is None else text._replace(start=label.end())


def _chosen(line: str, text: Stretch, said: Sequence[RuleWord], topics_count: bool) -> RuleWord | None:
    """The word to translate: the one that opens the text, else the strongest.

    But no ban where there is a duty as well: `Never: 发送前必须先问，不得擅自发送` would forbid to ask.
    """
    strong = [word for word in said if word.meaning in STRONG]
    if not strong:
        return min(said, key=_rank, default=None) if topics_count else None
    if len(strong) == 1 or _opens_text(line, text.start, strong[0].start):
        return strong[0]
    duties = [word for word in strong if word.meaning in DUTIES]
    return min(duties or strong, key=_rank)


def _rank(word: RuleWord) -> int:
    return _RANK[word.meaning]


def _safe_keyword(
    line: str, shown: str, text: Stretch, word: RuleWord, finds: Sequence[Find], scripts: Sequence[Script]
) -> str:
    """The keyword that may stand in front of the text without covering more than the rule; "" for none.

    What a line allows must not become a duty or a ban. A ban's keyword fits only where all of the text is the ban:
    `Do not: 报错时不许编造，如实汇报` would forbid to report. Nor where the text denies something before it:
    `Do not: 谁都不能看` would order to look. `Must` fits any rule, but not in front of what only some may do:
    `Must: 给会计转账，必须由老周操作`.
    """
    if any(find.kind is Signal.LESSON for find in finds) or is_unclear(shown, text, word):
        return ""
    if _opens_text(line, text.start, word.start):
        return word.keyword
    is_ban = word.meaning in BANS
    if any(find.kind in _ALLOWING and (is_ban or find.start < word.start) for find in finds):
        return ""
    if is_ban and (denies_before(shown, text, word) or not is_all_ban(shown, text, word, finds, scripts)):
        return KEYWORDS[Meaning.MUST]
    return word.keyword


def _is_title(line: str, text: Stretch, shape: Shape) -> bool:
    """A short line that is all bold, or has an outline number (`一、安全`), is a heading but for its marks."""
    if shape not in ("bold-paragraph", "cjk-number"):
        return False
    title = line[text.prefix_end : text.end].rstrip("：: ")
    if shape == "bold-paragraph" and not (len(title) > 4 and title.endswith(title[:2])):
        return False
    # Letters of English are not counted, so that a title with its keyword in front remains one.
    return CLAUSE_END.search(title) is None and sum(not char.isascii() for char in title) <= _LONGEST_TITLE


_LONGEST_TITLE = 12
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
