"""The page about a solved game, read back without a browser."""

import json
import random
import re
import shutil
import subprocess
from html import unescape
from importlib.resources import files
from pathlib import Path

import numpy as np
import pytest

from liarsolve import Bid, Payoffs, Recall, presets, solve
from liarsolve.errors import InputError, InputTypeError, StorageError
from liarsolve.report import browser
from liarsolve.report.browser import bidding, make_page
from liarsolve.report.browser.blocks import read_blocks

COMMON = presets.COMMON
SOLVED = {
    "two": lambda: solve(COMMON.replace(faces=3), (2, 1), target=1e-4),
    "three": lambda: solve(COMMON.replace(faces=2), (1, 1, 1), max_iterations=20),
    "recall": lambda: solve(
        COMMON.replace(faces=2), (2, 1), abstraction=Recall(1), max_iterations=20
    ),
    "exact call": lambda: solve(
        presets.PERUDO.replace(faces=3), (1, 1), payoffs=Payoffs.for_exact_call((2, 1))
    ),
    "die": lambda: solve(presets.LIAR_DIE),
}
TEMPLATES = files("liarsolve.report.browser")


@pytest.fixture(scope="module", params=SOLVED)
def solved(request):
    solution = SOLVED[request.param]()
    page = make_page(solution)
    return solution, page, read_blocks(page.html)


@pytest.fixture(scope="module")
def small():
    return solve(COMMON.replace(faces=2), (1, 1), target=1e-3)


def without_data(page):
    return re.sub(r'(?<=">)[A-Za-z0-9+/=]{40,}(?=</script>)', "", page.html)


def states_of(blocks):
    meta = blocks["meta"]
    return {path: s for name in meta["branches"].values() for path, s in blocks[name].items()}


def assert_printed(thousandths, value):
    """What is printed with three decimals, or not at all below half of the last one."""
    if thousandths == -1:
        assert 0.0 < value <= 0.0005
    else:
        assert abs(thousandths - 1000 * value) <= 0.5 + 1e-6


@pytest.mark.parametrize("name", ["two", "three", "recall", "exact call"])
def test_a_page_says_what_advise_says(name):
    solution = SOLVED[name]()
    blocks = read_blocks(make_page(solution, min_reach=0).html)
    meta, states = blocks["meta"], states_of(blocks)
    assert meta["written"] == len(states) == meta["histories"]
    draw = random.Random(7)
    for path in draw.sample(sorted(states), min(len(states), 12)):
        state, history = states[path], path.split(",") if path else []
        node = meta["nodes"][state["n"]]
        hands = meta["hands"][node["p"]]
        h = draw.randrange(len(hands))
        advice = {str(a.action): a for a in solution.advise(hands[h], history)}
        assert list(advice.keys() - node["a"]) == []
        for k, action in enumerate(node["a"]):
            assert_printed(state["p"][k][h], advice[action].probability)
            assert_printed(state["v"][k][h], advice[action].expected_value)
        standing = solution.strategy.standing(hands[h], history)
        prior = float(solution.result.tree.graph.hand_probs[node["p"]][h])
        reach = prior * standing.own_reach * standing.rival_reach
        assert state["h"][h] == pytest.approx(reach, rel=6e-3)
        assert (h in state["g"]) == (standing.own_reach <= 1e-3)


def test_what_others_hold_makes_the_standing_bid_true_so_often():
    solution = SOLVED["two"]()
    blocks = read_blocks(make_page(solution).html)
    meta, state = blocks["meta"], states_of(blocks)["1x3"]
    challenge = meta["nodes"][state["n"]]["a"].index("liar")
    for h, chance in enumerate(state["t"]):  # a challenge wins 1 or loses 1
        value = state["v"][challenge][h]
        assert max(chance, 0) == pytest.approx((1000 - value) / 2, abs=1)
    assert state["b"][1] is None  # their own dice
    assert sum(max(p, 0) for p in state["b"][0]) == pytest.approx(1000, abs=5)


def test_a_cup_page_says_what_advise_says():
    solution = SOLVED["die"]()
    states = states_of(read_blocks(make_page(solution).html))
    opening = states[""]
    for row in opening["rows"]:
        advice = {str(a.action.category.name): a for a in solution.advise(hand=row["name"])}
        assert advice
        made = {solution.rules.format_claim(a.action): a for a in solution.advise(hand=row["name"])}
        for (name, path), p, v in zip(opening["columns"], row["p"], row["v"], strict=True):
            assert path == [name]
            assert_printed(p, made[name].probability)
            assert_printed(v, made[name].win_probability)
    offered = states["5"]
    answers = {str(a.action): a for a in solution.advise(offered="5")}
    for (name, _), p in zip(offered["columns"], offered["rows"][0]["p"], strict=True):
        assert_printed(p, answers[name].probability)
    assert sum(max(p, 0) for p in offered["beliefs"][0]["now"]) == pytest.approx(1000, abs=3)
    assert "5/accepted" in states
    assert "6/accepted" not in states  # nothing is higher, so it is called


def test_a_page_needs_nothing_else(solved):
    _, page, _ = solved
    text = without_data(page)
    policy = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]+)">', text)
    assert policy[1] == (
        "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'"
    )
    for word in ("http:", "https:", "src=", "fetch(", "eval(", "import(", "XMLHttp", "innerHTML"):
        assert word not in text, word
    assert len(text.encode()) < 60_000
    assert "{{" not in text


def test_the_page_says_what_it_leaves_out():
    solution = SOLVED["two"]()
    page = make_page(solution, min_reach=0.05)
    meta = read_blocks(page.html)["meta"]
    assert page.n_written < meta["histories"]
    assert meta["note"] == (
        f"This page has {page.n_written} of the {meta['histories']} sequences of bids: those that "
        "come up with a chance of 5 % or more."
    )
    assert page.min_reach == 0.05
    assert page.n_written < make_page(solution, min_reach=0.01).n_written
    assert all(state["r"] >= 0.05 for state in states_of(read_blocks(page.html)).values())


def test_values_may_be_left_out(small):
    blocks = read_blocks(make_page(small, values=False).html)
    assert all(state["v"] is None for state in states_of(blocks).values())
    assert blocks["meta"]["note"].endswith("Expected values were left out.")


def test_large_rounds_are_written_in_part(monkeypatch, small):
    monkeypatch.setattr(bidding, "_FEW_HISTORIES", 15)
    assert make_page(small).min_reach == 1e-3


def test_a_page_that_would_be_too_large_is_refused(monkeypatch, small):
    monkeypatch.setattr(bidding, "MOST_BYTES", 100)
    with pytest.raises(InputError, match="with a chance of 0 or more; raise min_reach"):
        make_page(small)


def test_the_same_solution_makes_the_same_page(small):
    assert make_page(small).html == make_page(small).html


def test_rules_in_words_value_and_certificate(solved):
    solution, _, blocks = solved
    facts = dict(blocks["meta"]["facts"])
    assert blocks["meta"]["rules"]
    assert str(solution.stop.value) in facts["Solver"]
    assert "Certificate" in facts


def test_names_of_rules_are_text():
    rules = COMMON.replace(faces=2, name="<b>{{data}} & co</b>")
    page = make_page(solve(rules, (1, 1), max_iterations=5))
    assert "<b>" not in page.html
    assert unescape(re.search("<title>(.*)</title>", page.html)[1]).startswith(rules.name)


def test_export_replaces_a_file_and_leaves_nothing_else(small, tmp_path):
    path = tmp_path / "page.html"
    path.write_text("old")
    page = small.export_html(path)
    assert path.read_text(encoding="utf-8") == page.html
    assert page.n_bytes == path.stat().st_size
    assert list(tmp_path.iterdir()) == [path]


def test_export_writes_through_a_link(small, tmp_path):
    target, link = tmp_path / "page.html", tmp_path / "link.html"
    target.write_text("old")
    link.symlink_to(target)
    page = small.export_html(link)
    assert link.is_symlink()
    assert target.read_text(encoding="utf-8") == page.html


def test_a_device_is_not_replaced(small):
    with pytest.raises(StorageError, match="/dev/null cannot be written: it is there already"):
        small.export_html("/dev/null")


def test_a_page_that_cannot_be_stored_leaves_nothing(small, tmp_path, monkeypatch):
    def refuse(self, target):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(Path, "replace", refuse)
    with pytest.raises(StorageError, match="No space left on device"):
        small.export_html(tmp_path / "page.html")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "reason"), [("", "it is a folder"), ("none/page.html", "there is no folder")]
)
def test_a_file_that_cannot_be_written_is_one_sentence(small, tmp_path, name, reason):
    with pytest.raises(StorageError, match=reason):
        small.export_html(tmp_path / name)


@pytest.mark.parametrize(
    ("options", "error", "message"),
    [
        ({"min_reach": 2}, InputError, "min_reach"),
        ({"min_reach": "often"}, InputTypeError, "min_reach"),
        ({"values": 1}, InputTypeError, "values"),
    ],
)
def test_wrong_options_are_refused(small, options, error, message):
    with pytest.raises(error, match=message):
        make_page(small, **options)


def test_a_cup_game_has_values_anyway():
    with pytest.raises(InputError, match="values=False is about rounds of bidding"):
        make_page(SOLVED["die"](), values=False)


def test_other_solutions_have_no_page():
    with pytest.raises(InputTypeError, match="a page is made of a solved round"):
        make_page("solution")
    with pytest.raises(InputTypeError, match="path is the name of a file, got 3"):
        browser.export_html(None, 3)


def test_notebooks_show_a_table_and_a_frame(solved):
    solution, page, _ = solved
    table = solution._repr_html_()
    assert table.startswith("<table><caption>")
    assert "<script" not in table
    frame = solution.explore()._repr_html_()
    assert 'sandbox="allow-scripts"' in frame
    assert unescape(re.search('srcdoc="([^"]*)"', frame)[1]) == page.html


def run_in_node(code, *values):
    node = shutil.which("node")
    if node is None:
        pytest.skip("node is not installed")
    start = f"const b = require({str(TEMPLATES / 'browser.js')!r});const v = {json.dumps(values)};"
    done = subprocess.run(
        [node, "-e", start + f"(async () => console.log(JSON.stringify({code})))()"],
        capture_output=True,
        text=True,
        check=True,
    )
    return json.loads(done.stdout)


def test_the_program_reads_the_data_blocks(solved):
    _, page, blocks = solved
    letters = re.search('id="data-meta">([^<]*)<', page.html)[1]
    assert run_in_node("await b.unpack(v[0])", letters) == blocks["meta"]


def test_the_program_writes_numbers():
    probs = run_in_node("v.map(b.formatProb)", 0, -1, 1, 123, 1000)
    assert probs == ["·", "<0.1\xa0%", "0.1\xa0%", "12.3\xa0%", "100\xa0%"]
    values = run_in_node("v.map((n) => b.formatValue(n, 'utility'))", 0, -5, 1234)
    assert values == ["0.000", "\N{MINUS SIGN}0.005", "+1.234"]
    assert run_in_node("v.map(b.formatChance)", 0, 1, 1e-5) == ["never", "100\xa0%", "0.001\xa0%"]


@pytest.mark.parametrize(
    ("text", "family", "path"),
    [
        ("#1x3,2x5", "bidding", ["1x3", "2x5"]),
        (" 1x3; 2x5 ", "bidding", ["1x3", "2x5"]),
        ("1X3 2\N{MULTIPLICATION SIGN}5", "bidding", ["1x3", "2x5"]),
        ("#", "bidding", []),
        ("#%", "bidding", ["%"]),
        ("#full%20house/accepted", "cup", ["full house", "accepted"]),
        ("#a%2Fb", "cup", ["a/b"]),
    ],
)
def test_the_program_reads_links(text, family, path):
    assert run_in_node("b.parsePath(v[0], v[1])", text, family) == path


@pytest.mark.parametrize(
    ("typed", "claim"),
    [("TT99", "TT99"), ("99tt", "TT99"), ("12", "12"), ("21", "21"), ("KK", "KK"), ("", "")],
)
def test_the_program_knows_claims_in_any_order(typed, claim):
    meta = {"branches": {"": "b0", "TT99": "b1", "12": "b2", "21": "b3"}}
    assert run_in_node("b.nameClaim(v[0], v[1])", meta, typed) == claim


@pytest.mark.parametrize(
    ("tokens", "wanted", "found"),
    [
        (["1", "3", "3"], "33", True),
        (["1", "3", "3"], "3, 1", True),
        (["1", "3"], "33", False),
        (["12", "3"], "12", True),
        (["12", "3"], "1", False),
        (["Q", "9"], "q", True),
        (["1"], "", True),
    ],
)
def test_the_program_filters_hands(tokens, wanted, found):
    assert run_in_node("b.hasAll(v[0], v[1])", tokens, wanted) is found


@pytest.mark.parametrize("name", ["two", "exact call"])
def test_the_program_reckons_odds_by_dice_alone(name):
    solution = SOLVED[name]()
    meta = read_blocks(make_page(solution).html)["meta"]
    graph = solution.result.tree.graph
    node = len(graph.player) // 2
    player = int(graph.player[node])
    found = run_in_node(
        f"v[0].hands[{player}].map((_, h) => v[0].nodes[{node}].a.map("
        f"(_, k) => b.oddsOfAction(v[0], {player}, h, {node}, k)))",
        meta,
    )
    other = 1 - player
    for h, of_hand in enumerate(found):
        for k, odds in enumerate(of_hand):
            action = graph.actions(node)[k]
            is_bid = isinstance(action, Bid)
            at = graph.action_target[graph.action_start[node] + k] if is_bid else node
            row, quantity = graph.match_class[at], int(graph.quantity[at])
            count = graph.matches[player][row, h] + graph.matches[other][row]
            right = {"liar": count < quantity, "exact": count == quantity}.get(
                str(action), count >= quantity
            )
            assert odds == pytest.approx(float(np.sum(graph.hand_probs[other][right])), abs=2e-6)


def test_the_program_shows_places_that_are_not_written():
    meta = read_blocks(make_page(SOLVED["two"](), min_reach=0.5).html)["meta"]
    view = run_in_node("b.viewBidding(v[0], ['1x1', '2x3'], undefined)", meta)
    assert "leaves such places out" in view["summary"][0]
    assert view["rows"][0]["cells"][0]["p"] is None
    assert view["rows"][0]["cells"][0]["odds"] is not None
    assert [column["path"] for column in view["columns"]][-1] is None  # a call ends the round
