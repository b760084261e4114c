"""The lexicon: its file keeps its own grammar, and the search finds what the file lists."""

from __future__ import annotations

import pytest

from bootlint.catalog import rules_dir
from bootlint.lexicon import (
    TABLES,
    LexiconError,
    Meaning,
    Script,
    Signal,
    near_misses,
    parse_lexicon,
    words,
)

TEXT = (rules_dir() / "lexicon.toml").read_text(encoding="utf-8")
SIGNS = frozenset("^$…_")


@pytest.mark.parametrize(
    ("script", "table"), [(script, table) for script, tables in TABLES.items() for table in tables[:1]]
)
def test_a_word_means_what_its_list_says(script: Script, table: str) -> None:
    """No other list claims it, and no other word of the file hides it."""
    hidden = [
        (kind, word)
        for kind in (*Meaning, *Signal)
        for word in parse_lexicon(TEXT)[0][table].get(kind.value, ())
        if kind is not Signal.SCOPE and SIGNS.isdisjoint(word)
        if words(script).find(word, 0, len(word)) != [(0, len(word), kind)]
    ]
    assert hidden == []


# The characters of the lexicon that the scripts write differently: a word with a new one adds it here.
_SIMPLIFIED = str.maketrans(
    "並佈併來倉個們偽傳僅儘內冊別刪則勁動務勝勢區參員問啟單嗎嚴圖執堅報壓媽學實寧寫對導師帶幾庫廢強彈後從復態憑應戶捨換損擊擋據擾敗數斷於時暫會條棄業極標樣機檔檢權歷決沒況洩測準滅滿瀏為無狀獎現當發盡盤眾瞞確碼稱節範紀約紅納終結絕統經維網緊緒線編張東彙總"
    "緩繞續罰罷義聞聯聽臉與舉舊萬蓋薦藥處號裝製複見規視覷覺覽觀觸計討訓記設許評詞話該詳誇誌認語誤說調請論諾謂證識議讀變貨趕載輯輸轉辦這連週進遊運過達遞遠適選還醫釋針鈕銀銷鋒錄錢錯鎖鐵鑰長門閉開闆關陣隨隱雙離電響頁項須預領題願類顧顯風館饋驗體麼點給價賒帳簽禮賣減訂煙",
    "并布并来仓个们伪传仅尽内册别删则劲动务胜势区参员问启单吗严图执坚报压妈学实宁写对导师带几库废强弹后从复态凭应户舍换损击挡据扰败数断于时暂会条弃业极标样机档检权历决没况泄测准灭满浏为无状奖现当发尽盘众瞒确码称节范纪约红纳终结绝统经维网紧绪线编张东汇总"
    "缓绕续罚罢义闻联听脸与举旧万盖荐药处号装制复见规视觑觉览观触计讨训记设许评词话该详夸志认语误说调请论诺谓证识议读变货赶载辑输转办这连周进游运过达递远适选还医释针钮银销锋录钱错锁铁钥长门闭开板关阵随隐双离电响页项须预领题愿类顾显风馆馈验体么点给价赊账签礼卖减订烟",
)
_SAME_IN_BOTH = set("准并制板")  # in some words, such as 不准
_TAIWANESE = {
    "^不回覆", "^不載入", "未…不轉寄", "不經…不轉寄", "沒…不轉寄", "強制推送", "強制重新整理", "執行緒安全", "金鑰長度",
    "不能列印", "只能列印", "使用者不要", "不能載入$", "不能執行$", "不能運作$", "永不當機", "不支援…，不能", "不相容…，不能",
    "介面不能回傳", "回應當天", "回應當前", "覆盤", "介面限制", "使用者說", "使用者問", "使用者表示", "使用者反映",
    "見文件", "即時$", "不能連線$", "範本", "設計文件", "前端實作", "的實作", "教學",
}  # fmt: skip
_CLASSIFYING = {"情况别", "时间别", "期间别", "场合别"}  # 時間別: by the hour


@pytest.mark.parametrize(
    "listed",
    ["never", "do-not", "must", "required", *(kind.value for kind in Signal if kind is not Signal.SCOPE)],
)
def test_both_scripts_have_a_word(listed: str) -> None:
    tables = parse_lexicon(TEXT)[0]
    simplified, traditional = (set(tables[table].get(listed, ())) for table in TABLES["han"][:2])
    known = {word.translate(_SIMPLIFIED): word for word in traditional}
    differing = set(_SIMPLIFIED.values()) - set(map(ord, _SAME_IN_BOTH))
    missing = {word for word in simplified if not differing.isdisjoint(map(ord, word)) and word not in known}
    assert missing <= _CLASSIFYING
    assert {word for form, word in known.items() if form not in simplified} <= _TAIWANESE


@pytest.mark.parametrize(
    ("script", "text", "found"),
    [
        ("han", "不得不停", ["不得不"]),  # the longest wins
        ("han", "请务实回答", ["请"]),  # which begins like `请务必`
        ("han", "千萬不要", ["千萬不要"]),
        ("han", "別人別管", ["別人"]),
        ("han", "，別管", ["別"]),  # `^別`: only where a clause begins
        ("han", "你别管", ["别"]),  # or after a joiner
        ("han", "通知不要。", ["不要"]),  # `不要$`
        ("han", "只有主人才能改", ["只有主人才能"]),  # `只有…才能`
        ("han", "只有主人。才能改", []),  # a gap does not leave its clause
        ("han", "厳禁", ["厳禁"]),  # Japanese, but without kana
        ("kana", "一切しない", ["一切しない"]),
        ("hangul", "사용 말 것", [" 말 것"]),  # `_말 것`: the blank belongs to it
        ("latin", "you must not", ["must not"]),
        ("latin", "musty", []),
        ("latin", "必must必", ["must"]),  # to OpenClaw a Chinese character is no letter
        ("latin", "and don't", ["don't"]),
        ("latin", "we don't", []),
    ],
)
def test_search(script: Script, text: str, found: list[str]) -> None:
    assert [text[find.start : find.end] for find in words(script).find(text, 0, len(text))] == found


def test_near_misses_are_words_of_the_lexicon() -> None:
    for word in near_misses():
        assert words("latin").find(word, 0, len(word)) or words("latin").find(
            f"x {word}", 2, len(word) + 2
        ), word


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("[simplified", "lexicon.toml: "),
        ("[klingon]\nmust = 'x'", "[klingon] is no language"),
        ("[simplified]\nnevr = '不'", "[simplified] nevr is no list of words"),
        ("[simplified]\nmust = ['必须']", "[simplified] must is no list of words"),
        ("[simplified]\nmust = '必须, …才能'", "[simplified] must: …才能 is wrong"),
        ("[simplified]\nmust = '只…有…才'", "[simplified] must: 只…有…才 is wrong"),
        ("[simplified]\nmust = '^$'", "[simplified] must: ^$ is wrong"),
        ("[near-misses]\nx = 1", "[near-misses] gives each word one keyword"),
    ],
)
def test_a_broken_lexicon_says_where(text: str, message: str) -> None:
    with pytest.raises(LexiconError) as caught:
        parse_lexicon(text)
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)
