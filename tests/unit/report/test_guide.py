import re
from itertools import pairwise

import pytest

from liarsolve import presets, solve
from liarsolve.errors import InputError
from liarsolve.report import cup_guide, format_guide
from liarsolve.rules import CHALLENGE, Look

GAMES = {
    "classic": presets.CLASSIC.replace(equipment="dice(3,4)"),
    "four dice": presets.DOUBTFUL_DICE.replace(equipment="dice(4,4)"),
    "cards": presets.LIAR_CARDS.replace(equipment="cards(3,3,3)", blind_pass="off"),
    "mia": presets.MIA,
    "liar_die": presets.LIAR_DIE,
}


@pytest.fixture(scope="module", params=GAMES.values(), ids=GAMES)
def solution(request):
    return solve(request.param, target=1e-6)


@pytest.fixture(scope="module")
def guide(solution):
    return cup_guide(solution)


def truth_of_first_claims(solution):
    """Chance that the first claim is true, asked hand by hand."""
    rules, total, true = solution.rules, sum(solution.rules.equipment.weights), 0.0
    for hand, weight in zip(rules.equipment.hands, rules.equipment.weights, strict=True):
        for claim, p in solution.strategy.probs(holding=hand).items():
            if rules.claims.is_true(rules.claims.index(claim), hand, rules.truth):
                true += p * weight / total
    return true


def test_throws_and_claims_are_told_once_each(guide, solution):
    assert sum(row.share for row in guide.first_throws) == pytest.approx(1.0)
    assert sum(row.share for row in guide.first_claims) == pytest.approx(1.0)
    won = sum(row.share * row.win_probability for row in guide.first_throws)
    assert won == pytest.approx(sum(solution.win_bounds) / 2, abs=1e-6)


def test_truth_is_that_of_the_strategy(guide, solution):
    expected = truth_of_first_claims(solution)
    assert guide.p_first_claim_true == pytest.approx(expected)
    by_throw = sum(row.share * row.p_true for row in guide.first_throws)
    by_claim = sum(row.share * (row.p_true or 0.0) for row in guide.first_claims)
    assert by_throw == pytest.approx(expected)
    assert by_claim == pytest.approx(expected, abs=2e-3)  # of rare claims it is not told


def test_what_to_accept_is_what_the_strategy_accepts(guide, solution):
    rules = solution.rules
    assert guide.doubted_from is not None
    doubted = rules.claims.index(rules.parse_claim(guide.doubted_from))
    challenged = solution.strategy.probs(offered=guide.doubted_from)[CHALLENGE]
    assert challenged >= 0.5 - 1e-6
    if guide.believed_to is not None:
        assert solution.strategy.probs(offered=guide.believed_to)[CHALLENGE] <= 0.1
        assert rules.claims.index(rules.parse_claim(guide.believed_to)) < doubted


def test_cases_are_those_of_the_strategy(guide, solution):
    rules, strategy = solution.rules, solution.strategy
    is_seen = rules.look is not Look.NEVER
    assert guide.accepted
    for case in guide.accepted:
        claim = rules.claims.index(rules.parse_claim(case.claim))
        lowest = rules.claims.index(rules.parse_claim(case.lowest))
        highest = rules.claims.index(rules.parse_claim(case.highest))
        assert claim < lowest <= highest
        assert 0.0 <= case.accept <= 1.0
        # Against one who challenges everything, claims win as often as they are true.
        assert case.p_true >= case.win_probability - 1e-6
        if not is_seen:
            assert (case.hand, case.is_true) == ("", None)
            continue
        hand = rules.parse_hand(case.hand)
        assert case.is_true == rules.claims.is_true(claim, hand, rules.truth)
        keeps = strategy.advise(holding=case.hand, claim=case.claim)
        kept = "" if case.keep == "nothing" else case.keep
        best = next(a for a in keeps if rules.format_hand(a.action.faces) == kept)
        assert best.probability == pytest.approx(case.keep_probability)
        assert best.win_probability == pytest.approx(case.win_probability, abs=1e-5)


def test_page_has_all_of_it_and_fits(guide):
    page = format_guide(guide)
    lines = page.splitlines()
    assert lines[0] == f"HOW TO PLAY {guide.rules.upper()}"
    assert len(lines) <= 66
    assert max(map(len, lines)) <= 80
    assert [line[:2] for line in lines if line[:1].isdigit() and line[1:2] == "."] == [
        *("1.", "2.", "3.")
    ]
    for row in guide.first_throws:
        assert f"  {row.hands} " in page
    for case in guide.accepted:
        assert f"  {case.claim}" in page


def test_pages_of_games_with_many_kinds_fit_too():
    rules = presets.DOUBTFUL_DICE.replace(equipment="dice(4,6)")
    guide = cup_guide(solve(rules, target=1e-2))
    assert [row.hands for row in guide.first_throws][:3] == ["nothing", "a pair", "two pairs"]
    assert len(format_guide(guide).splitlines()) <= 66


VARIANTS = {
    **GAMES,
    "box": presets.BOX.replace(equipment="dice(2,4)", blind_pass="off"),
    "doubtful": presets.DOUBTFUL_DICE.replace(equipment="dice(3,4)"),
    "named nothing": presets.CLASSIC.replace(equipment="dice(2,4)", nothing_claims="named"),
    "try": presets.DOUBTFUL_DICE.replace(equipment="dice(3,3)", top_claim="accept_try"),
    "mia of five": presets.MIA.replace(equipment="dice(2,5)"),
    "two faces": presets.LIAR_DIE.replace(faces=2),
    "hidden number": presets.DOUBTFUL_DICE.replace(equipment="dice(3,3)", announce_count="no"),
}


def whole_percents(text):
    """Figures of a cell, as whole percents between which they lie."""
    return [
        {"<1": (0, 1), ">99": (99, 100)}.get(figure, (int(figure.strip("<>")),) * 2)
        for figure in re.findall(r"([<>]?\d+) %", text)
    ]


@pytest.mark.parametrize("name", VARIANTS)
def test_every_sentence_says_what_the_tables_show(name):
    solution = solve(VARIANTS[name], target=1e-6)
    rules, guide = solution.rules, cup_guide(solution)
    text = " ".join(format_guide(guide, width=400).split())
    order = {rules.format_claim(claim): place for place, claim in enumerate(rules.claims)}

    def accepted(claim):
        return 1.0 - solution.strategy.probs(offered=claim)[CHALLENGE]

    heard = [claim for claim in order if solution.strategy.offer_frequency(claim) >= 5e-4]
    shown = whole_percents(" ".join(f"{100 * r.p_true:.0f} %" for r in guide.first_throws))
    mean = sum(r.share * true for r, (true, _) in zip(guide.first_throws, shown, strict=True))
    said = int(re.search(r"(\d+) % of your first claims should be true", text)[1])
    assert said == pytest.approx(mean, abs=1.0)
    lowest = re.search(r"(none|hardly any) should be lower than (\S+)\. ", text)
    assert lowest[2] == heard[0]
    lower = [c for c in order if order[c] < order[heard[0]]]
    made = sum(solution.strategy.offer_frequency(claim) for claim in lower)
    assert (lowest[1] == "none") == (made == 0.0)
    # What does not exceed a claim is every claim up to it, and every line of the table.
    found = re.search(
        r"Accept (nine times in ten or more )?whatever does not exceed (\S+)\. ", text
    )
    if found:
        least = 0.9 if found[1] else 0.995
        below = [c for c in heard if order[c] <= order[found[2]]]
        assert all(accepted(claim) >= least for claim in below)
        for row in guide.first_claims:
            first, _, last = row.claims.partition(" to ")
            if order.get(last or first, len(order)) <= order[found[2]]:
                assert row.least_accepted >= least
    found = re.search(r"From (\S+) on, challenge every other time or more", text)
    if found:
        above = [c for c in heard if order[c] >= order[found[1]]]
        assert all(accepted(claim) <= 0.5 + 1e-6 for claim in above)
    means = [row.most_accepted + row.least_accepted for row in guide.first_claims]
    is_falling = all(b <= a + 0.01 for a, b in pairwise(means))
    assert ("The higher the kind of claim, the less often" in text) == is_falling
    if "These are samples" in text:
        n_shown, n_all = re.search(r"These are samples, (\d+) of ([\d,]+) cases", text).groups()
        assert int(n_shown) == len(guide.accepted) < int(n_all.replace(",", ""))
    elif guide.accepted:
        assert "These are all cases." in text
        assert len(guide.accepted) == guide.n_accepted
    gaps = [abs(case.p_true - case.win_probability) for case in guide.accepted]
    if gaps:
        assert ("About as often as you win" in text) == (max(gaps) <= 0.03)


def test_mia_is_not_said_to_accept_all_that_is_doubted_now_and_then():
    page = " ".join(format_guide(cup_guide(solve(presets.MIA))).split())
    assert "Accept nine times in ten or more whatever does not exceed 52." in page
    assert "42 to 51 0 % - 94 %" in page
    assert "These are samples, 5 of 14 cases" in page


@pytest.mark.parametrize("width", [40, 53, 61, 80, 100])
@pytest.mark.parametrize("name", ["classic", "mia", "four dice"])
def test_the_page_is_as_wide_as_asked(name, width):
    guide = cup_guide(solve(GAMES[name], target=1e-4))
    lines = format_guide(guide, width=width).splitlines()
    assert max(map(len, lines)) <= width
    assert not [line for line in lines if line.lstrip().startswith("%")]
    words = {word.strip(":,") for word in format_guide(guide, width=400).split()}
    body = [line for line in lines if set(line.strip()) != {"-"}]
    assert {word.strip(":,") for line in body for word in line.split()} <= words


def test_letters_are_explained_where_they_stand(guide):
    page = format_guide(guide)
    tables = "\n".join(line for line in page.splitlines() if line.startswith("  "))
    text = " ".join(page.split())
    assert ("T is a ten." in text) == bool(re.search("[9TJQ]T|T[9TJQ]", tables))
    assert ("An x stands for what is not named." in text) == bool(re.search("[0-9]x", tables))


def test_a_guide_says_how_far_it_was_solved():
    rules = GAMES["classic"]
    with pytest.raises(InputError) as caught:
        cup_guide(solve(rules, from_claim="TT9"))
    assert "a guide needs the whole round, and this one is solved only from higher" in str(
        caught.value
    )
    assert "nobody can do better against it" in format_guide(cup_guide(solve(rules)))
