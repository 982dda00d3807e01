"""Lower bounds of exploitability: replies on merged states, local best responses, intervals."""

import numpy as np
import pytest

from liarsolve import Round, presets
from liarsolve.errors import InputError
from liarsolve.game import (
    MaxJump,
    Payoffs,
    Recall,
    StrategyProfile,
    build_complete_tree,
    compile_graph,
    merge_states,
    mix_trees,
)
from liarsolve.rules import Bid
from liarsolve.solvers import (
    AbstractionCFR,
    AbstractionOptions,
    Callbacks,
    CFRSolver,
    Limits,
    LowerBound,
    StopReason,
    certify,
    measure_in_full_game,
    measure_lower_bound,
    solve_abstraction,
)
from liarsolve.solvers import expected_value as value_of
from liarsolve.solvers.imperfect_recall import lower_bounds
from liarsolve.solvers.imperfect_recall.abstract_response import (
    count_states,
    find_response,
    fix_opponent,
    refine_response,
)
from liarsolve.solvers.imperfect_recall.local_response import play_local_response
from liarsolve.solvers.imperfect_recall.lower_bounds import bound_seconds, bound_solved

ROUNDS = {
    "common 2 v 1": Round(presets.COMMON.replace(faces=3), (2, 1)),
    "common 2 v 2": Round(presets.COMMON.replace(faces=3), (2, 2)),
    "common 3 v 2": Round(presets.COMMON.replace(faces=2), (3, 2)),
    "perudo 2 v 1": Round(presets.PERUDO.replace(faces=3), (2, 1)),
    "wild lock 1 v 2": Round(presets.LIARS_DICE.replace(faces=3), (1, 2)),
}
GRAPH = compile_graph(ROUNDS["perudo 2 v 1"])
ROUNDING = 1e-12


def solve_a_little(round_, abstraction, *, n_steps=8):
    if isinstance(abstraction, int):
        abstraction = Recall(abstraction)
    solver = AbstractionCFR(merge_states(compile_graph(round_), abstraction), n_threads=1)
    for _ in range(n_steps):
        solver.step()
    return solver.average_strategy()


TRANSLATED = {
    "common 2 v 1": (ROUNDS["common 2 v 1"], Recall(1) & MaxJump(2)),
    "perudo 2 v 1": (ROUNDS["perudo 2 v 1"], MaxJump(3)),
    "wild lock 1 v 2": (ROUNDS["wild lock 1 v 2"], Recall(3) & MaxJump(2)),
    "perudo 2 v 2": (Round(presets.PERUDO.replace(faces=3), (2, 2)), Recall(3) & MaxJump(2)),
}
"""Bids that somebody remembers are read as others; under the wild lock and the half rule, what
they remember of the true bids does not always say how."""


def answers(tree, strategy, recall):
    """Values of the replies that are found, for both players."""
    return [
        float(
            tree.graph.hand_probs[p]
            @ find_response(StrategyProfile(tree, strategy), p, recall=recall).evaluate()
        )
        for p in range(2)
    ]


def places(tree, origin):
    """State of ``tree`` and of ``origin`` to which the same bids lead, for each of the first."""
    graph, found, waiting = tree.graph, {}, [(0, 0)]
    while waiting:
        state, other = waiting.pop()
        if state in found:
            assert found[state] == other
            continue
        found[state] = other
        node = tree.node[state]
        player = int(graph.player[node])
        for k, action in enumerate(graph.actions(node)):
            if isinstance(action, Bid):
                child = int(tree.children[player][tree.first_edge[state] + k])
                waiting.append((child, int(origin.children[player][origin.first_edge[other] + k])))
    return found


def unfold(tree, strategy):
    """The same strategies with a state for every sequence of bids."""
    complete = build_complete_tree(tree.graph)
    weights = tuple(
        np.empty((complete.children[p].size, n)) for p, n in enumerate(tree.graph.n_hands)
    )
    for state, other in places(complete, tree).items():
        node = complete.node[state]
        player, n = int(tree.graph.player[node]), len(tree.graph.actions(node))
        first, first_other = complete.first_edge[state], tree.first_edge[other]
        weights[player][first : first + n] = strategy[player][first_other : first_other + n]
    return complete, weights


# --- responders with imperfect recall -----------------------------------------------------------


@pytest.mark.parametrize("n_bids", [1, 2])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_no_reply_earns_more_than_a_best_response(round_, n_bids):
    tree, strategy = solve_a_little(round_, n_bids)
    best = certify(StrategyProfile(tree, strategy))
    earned = []
    for recall in (n_bids, n_bids + 1, n_bids + 2, len(round_.bids)):
        values = answers(tree, strategy, recall)
        assert all(v <= b + ROUNDING for v, b in zip(values, best.br_values, strict=True))
        earned.append(sum(values) / 2)
    # Who remembers all finds a best response, but for choices by float32: see the oracle tests.
    assert earned[-1] == pytest.approx(best.exploitability, abs=2e-6)
    assert earned[0] < earned[-1] - 1e-3  # recall matters here
    assert earned[2] > earned[0] + 1e-3


@pytest.mark.parametrize("n_refined", [0, 40])
@pytest.mark.parametrize("player", [0, 1])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_a_reply_is_worth_what_play_with_it_brings(round_, player, n_refined):
    tree, strategy = solve_a_little(round_, 1)
    response = find_response(StrategyProfile(tree, strategy), player, recall=2)
    if n_refined:
        n_before = response.tree.n_states
        response = refine_response(response, n_refined)
        assert n_before < response.tree.n_states <= n_before + n_refined
    complete, weights = unfold(tree, strategy)
    weights[player][:] = 0.0
    for state, other in places(complete, response.tree).items():
        node = complete.node[state]
        if tree.graph.player[node] == player:
            edges = complete.first_edge[state] + response.choice[other]
            weights[player][edges, np.arange(edges.size)] = 1.0
    to_first = value_of(StrategyProfile(complete, tuple(weights)))
    value = float(tree.graph.hand_probs[player] @ response.evaluate())
    assert value == pytest.approx(to_first if player == 0 else -to_first, abs=ROUNDING)


@pytest.mark.parametrize(("round_", "abstraction"), TRANSLATED.values(), ids=TRANSLATED)
def test_replies_go_beyond_the_jumps_of_the_strategy(round_, abstraction):
    tree, strategy = solve_a_little(round_, abstraction)
    best = measure_in_full_game(
        StrategyProfile(tree, strategy, Payoffs()), max_visits=10**6
    ).certificate.br_values
    # The float32 of choices, as in the oracle tests.
    assert answers(tree, strategy, len(round_.bids)) == pytest.approx(best, abs=2e-6)
    remembered = abstraction.recall or len(round_.bids)
    for recall in (remembered, remembered + 1):
        values = answers(tree, strategy, recall)
        assert all(v <= b + ROUNDING for v, b in zip(values, best, strict=True))
    bound = measure_lower_bound(
        StrategyProfile(tree, strategy), recall=remembered, n_deals=500, confidence=0.9999
    )
    assert bound.lo <= sum(best) / 2 + ROUNDING
    plain = play_local_response(StrategyProfile(tree, strategy), 0, n_deals=500, rng=1)
    assert plain.mean() - 5 * plain.std() / np.sqrt(500) <= best[0]


@pytest.mark.parametrize(("round_", "abstraction"), TRANSLATED.values(), ids=TRANSLATED)
def test_a_responders_state_says_what_the_opponent_does(round_, abstraction):
    tree, strategy = solve_a_little(round_, abstraction, n_steps=1)
    for player in range(2):
        for recall in (None, abstraction.recall or len(round_.bids), len(round_.bids)):
            fixed, states = fix_opponent(StrategyProfile(tree, strategy), player, recall=recall)
            mixed = mix_trees(tree, player)
            found = places(states, mixed)  # sees to it that all histories lead to one state
            if recall is not None:  # the others have states for jumps of both players
                assert sorted(found) == list(range(states.n_states))
            assert all(fixed.row[state] == mixed.first_edge[found[state]] for state in found)


@pytest.mark.parametrize("n_bids", [1, 2])
def test_refined_replies_come_to_a_best_response(n_bids):
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], n_bids)
    best = certify(StrategyProfile(tree, strategy))
    earned = []
    for n_refined in (50, 500, 4096):  # that is all sequences of twelve bids
        values = [
            float(
                tree.graph.hand_probs[p]
                @ refine_response(
                    find_response(StrategyProfile(tree, strategy), p), n_refined
                ).evaluate()
            )
            for p in range(2)
        ]
        assert all(v <= b + ROUNDING for v, b in zip(values, best.br_values, strict=True))
        earned.append(sum(values) / 2)
    assert earned[0] < earned[1] < earned[2] + 2e-6
    # Sequences of a chance below 1e-9 are left out, and choices go by float32.
    assert earned[2] == pytest.approx(best.exploitability, abs=2e-6)


def test_there_may_be_no_room_to_refine():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    response = find_response(StrategyProfile(tree, strategy), 0)
    assert refine_response(response, 2) is response


def test_threads_do_not_change_a_reply():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    response = find_response(StrategyProfile(tree, strategy), 0, recall=3)
    assert response.evaluate().tobytes() == response.evaluate(n_threads=3).tobytes()


def test_what_is_hardly_reached_counts_as_lost():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    response = find_response(StrategyProfile(tree, strategy), 0)
    exact, cut, nothing = (response.evaluate(threshold=t) for t in (0.0, 0.01, 1.0))
    assert np.all(cut <= exact + ROUNDING)
    assert np.any(cut < exact - 1e-3)
    assert nothing == pytest.approx(-1.0, abs=ROUNDING)


def test_payoffs_decide_the_reply():
    tree, strategy = solve_a_little(ROUNDS["perudo 2 v 1"], 1)
    payoffs = Payoffs(exact_right=5.0)
    with_prize = find_response(StrategyProfile(tree, strategy, payoffs), 0, recall=3)
    best = certify(StrategyProfile(tree, strategy, payoffs)).br_values[0]
    assert tree.graph.hand_probs[0] @ with_prize.evaluate() <= best + ROUNDING
    plain = find_response(StrategyProfile(tree, strategy), 0, recall=3)
    assert np.any(plain.choice != with_prize.choice)


@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_states_are_counted_before_they_are_built(round_):
    graph = compile_graph(round_)
    for n_bids in (1, 2, 3, len(round_.bids)):
        n_states, counted = (
            merge_states(graph, Recall(n_bids)).n_states,
            count_states(graph, n_bids),
        )
        # With the wild lock, bids of one sequence may lead to two nodes.
        most = 1.2 * n_states if round_.rules.wild_until.name != "ALWAYS" else n_states
        assert n_states <= counted <= most


# --- local best responses -----------------------------------------------------------------------


@pytest.mark.parametrize("player", [0, 1])
def test_merged_states_are_played_as_all_that_they_stand_for(player):
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    merged = play_local_response(StrategyProfile(tree, strategy), player, n_deals=200, rng=3)
    unfolded = play_local_response(
        StrategyProfile(*unfold(tree, strategy)), player, n_deals=200, rng=3
    )
    assert merged.tobytes() == unfolded.tobytes()


def test_where_the_tree_has_no_state_the_opponent_plays_the_default():
    round_ = ROUNDS["common 2 v 1"]
    tree, strategy = unfold(*solve_a_little(round_, 2))
    short = build_complete_tree(tree.graph)
    for children in short.children:
        children[:] = -1  # only the start is left
    nowhere = tuple(np.zeros_like(weights) for weights in strategy)
    cut = play_local_response(StrategyProfile(short, nowhere), 0, n_deals=100, rng=1)
    assert (
        cut.tobytes()
        == play_local_response(StrategyProfile(tree, nowhere), 0, n_deals=100, rng=1).tobytes()
    )


def test_a_seed_says_what_is_drawn_and_threads_do_not_matter():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    one, again, other = (
        play_local_response(StrategyProfile(tree, strategy), 0, n_deals=300, rng=seed, n_threads=n)
        for seed, n in ((1, 1), (1, 3), (2, 1))
    )
    generator = np.random.default_rng(1)
    assert one.tobytes() == again.tobytes() != other.tobytes()
    first = play_local_response(StrategyProfile(tree, strategy), 0, n_deals=300, rng=generator)
    second = play_local_response(StrategyProfile(tree, strategy), 0, n_deals=300, rng=generator)
    assert one.tobytes() == first.tobytes() != second.tobytes()


def test_a_guide_takes_luck_away_and_adds_value():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    plain = play_local_response(StrategyProfile(tree, strategy), 0, n_deals=2000, rng=1)
    guide = find_response(StrategyProfile(tree, strategy), 0, recall=3)
    guided = play_local_response(
        StrategyProfile(tree, strategy), 0, n_deals=2000, rng=1, guide=guide
    )
    assert guided.std() < plain.std() / 2
    assert guided.mean() > plain.mean()


def test_a_guide_is_for_one_player():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 1)
    guide = find_response(StrategyProfile(tree, strategy), 1)
    with pytest.raises(InputError, match="guide for player 0 is needed, got one for 1"):
        play_local_response(StrategyProfile(tree, strategy), 0, n_deals=10, rng=0, guide=guide)


# --- bounds -------------------------------------------------------------------------------------


@pytest.mark.parametrize("n_bids", [1, 2])
@pytest.mark.parametrize("round_", ROUNDS.values(), ids=ROUNDS)
def test_bounds_lie_below_the_exploitability(round_, n_bids):
    tree, strategy = solve_a_little(round_, n_bids)
    true = certify(StrategyProfile(tree, strategy)).exploitability
    for recall in (n_bids, n_bids + 1):
        # Ten intervals at 0.9999: about one suite in two thousand has one that is too high.
        bound = measure_lower_bound(
            StrategyProfile(tree, strategy),
            recall=recall,
            n_deals=500,
            confidence=0.9999,
            rng=recall,
        )
        assert bound.lo <= true + ROUNDING
        assert bound.lo > 0.0


@pytest.mark.parametrize(("is_guided", "n_deals"), [(False, 40), (True, 200)])
def test_intervals_hold_what_they_should(is_guided, n_deals):
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 1)
    guides = [
        find_response(StrategyProfile(tree, strategy), p) if is_guided else None for p in range(2)
    ]

    def play(n, seed):
        return tuple(
            play_local_response(
                StrategyProfile(tree, strategy),
                p,
                n_deals=n,
                rng=np.random.default_rng((seed, p)),
                guide=guides[p],
            )
            for p in range(2)
        )

    mean = sum(part.mean() for part in play(100_000, 0)) / 2
    n_trials, n_held = 200, 0
    for seed in range(1, n_trials + 1):
        bound = lower_bounds._from_deals(play(n_deals, seed), 0.9, "")
        n_held += bound.lo <= mean <= bound.hi
    # 180 are expected, give or take 4.2 by chance; results are few numbers, far from normal.
    assert abs(n_held - 180) <= 4 * 4.2


def test_who_remembers_all_gives_the_exploitability_itself():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 2)
    bound = measure_lower_bound(StrategyProfile(tree, strategy))  # all twelve bids fit
    certificate = certify(StrategyProfile(tree, strategy))
    assert bound.value == pytest.approx(certificate.exploitability, abs=2e-6)
    assert bound.br_values == pytest.approx(certificate.br_values, abs=2e-6)


def test_the_better_of_two_bounds_is_given():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    few = measure_lower_bound(StrategyProfile(tree, strategy), recall=3, n_deals=10, n_refined=0)
    many = measure_lower_bound(StrategyProfile(tree, strategy), recall=3, n_deals=5000, n_refined=0)
    assert (few.n_deals, few.lo, few.hi, few.confidence) == (0, few.value, few.value, 1.0)
    assert str(few).endswith("to a reply found with recall 3 and evaluated exactly")
    assert many.n_deals == 5000
    assert few.lo < many.lo < many.value < many.hi
    assert many.confidence == 0.95
    assert "(95 %: " in str(many)
    assert str(many).endswith("with perfect recall, guided by replies found with recall 3")


def test_bounds_are_the_same_on_any_number_of_threads():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 1)
    one, two = (
        measure_lower_bound(
            StrategyProfile(tree, strategy), n_deals=400, rng=5, n_refined=0, recall=1, n_threads=n
        )
        for n in (1, 2)
    )
    assert one == two
    assert one != measure_lower_bound(
        StrategyProfile(tree, strategy), n_deals=400, rng=6, n_refined=0, recall=1
    )


@pytest.mark.parametrize("limit", [{"max_memory": 1e3}, {"max_seconds": 1e-6}])
def test_limits_leave_the_local_response(limit):
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    bound = measure_lower_bound(StrategyProfile(tree, strategy), n_deals=1000, **limit)
    assert bound.method == "a local best response with perfect recall"
    assert bound.n_deals == (1000 if "max_memory" in limit else 200)  # the least


def test_memory_decides_what_is_remembered():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    most_entries = 2 * count_states(tree.graph, 4) * 6  # half of it is for likely bids
    memory = most_entries * lower_bounds._BYTES_AN_ENTRY
    bound = measure_lower_bound(StrategyProfile(tree, strategy), n_deals=2, max_memory=memory)
    assert "recall 4, refined for likely bids" in bound.method
    less = measure_lower_bound(StrategyProfile(tree, strategy), n_deals=2, max_memory=memory - 1)
    assert "recall 3, refined for likely bids" in less.method


def test_a_bound_goes_through_a_dictionary():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 1)
    bound = measure_lower_bound(StrategyProfile(tree, strategy), recall=1, n_deals=100)
    assert LowerBound.from_dict(bound.to_dict()) == bound


def test_a_bound_lies_in_its_interval():
    values = {"confidence": 0.95, "n_deals": 9, "br_values": (0.1, 0.1), "method": "x"}
    with pytest.raises(InputError, match="a bound lies in its interval"):
        LowerBound(value=0.1, lo=0.2, hi=0.3, **values)
    with pytest.raises(InputError, match="finite"):
        LowerBound(value=0.1, lo=float("nan"), hi=0.3, **values)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"recall": 1}, "as much as the strategy or more: recall 2 or more, got 1"),
        ({"n_deals": 1}, "2 deals or more, got n_deals=1"),
        ({"confidence": 1.0}, "between 0 and 1, got 1.0"),
        ({"max_seconds": 0.0}, "max_seconds must be more than 0, got 0.0"),
    ],
)
def test_what_cannot_be_measured_is_refused(options, message):
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 2)
    with pytest.raises(InputError, match=message):
        measure_lower_bound(StrategyProfile(tree, strategy), **options)


def test_payoffs_sum_to_zero():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 2)
    payoffs = Payoffs(bidder_loses=((1.0, 0.0), (0.0, 1.0)))
    with pytest.raises(InputError, match="two players whose payoffs sum to 0"):
        measure_lower_bound(StrategyProfile(tree, strategy, payoffs))


def test_strategies_that_remember_all_meet_the_local_response():
    solver = CFRSolver(GRAPH)
    for _ in range(5):
        solver.step()
    tree, strategy = solver.average_strategy()
    assert tree.n_states < 2 ** len(GRAPH.round.bids)  # it has grown but a little
    bound = measure_lower_bound(StrategyProfile(tree, strategy), confidence=0.9999)
    assert bound.method == "a local best response with perfect recall"
    assert bound.lo <= certify(StrategyProfile(tree, strategy)).exploitability
    with pytest.raises(InputError, match="this one lacks some"):
        find_response(StrategyProfile(tree, strategy), 0)


def test_responses_are_for_two_players_and_their_own_strategies():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 1"], 2)
    with pytest.raises(InputError, match="player 0 or 1, got 2"):
        find_response(StrategyProfile(tree, strategy), 2)
    with pytest.raises(InputError, match=r"strategy of player 1 must be float\[E, H\]"):
        find_response(StrategyProfile(tree, strategy[::-1]), 0)
    with pytest.raises(InputError, match="n_deals must be 1 or more, got 0"):
        play_local_response(StrategyProfile(tree, strategy), 0, n_deals=0, rng=0)
    with pytest.raises(InputError, match="only a strategy of players with imperfect recall"):
        find_response(StrategyProfile(*unfold(tree, strategy)), 0, recall=3)
    three = compile_graph(Round(presets.COMMON.replace(faces=2), (1, 1, 1)))
    with pytest.raises(InputError, match="between two players, got 3"):
        find_response(StrategyProfile(merge_states(three, Recall(1)), ()), 0)


def test_a_bound_that_is_none_says_so():
    values = {"confidence": 0.95, "n_deals": 9, "br_values": (0.0, 0.0), "method": "somebody"}
    bound = LowerBound(value=0.001, lo=-0.01, hi=0.012, **values)
    assert str(bound) == "nothing for certain (95 %: -0.01 to 0.012) to somebody"


# --- solves -------------------------------------------------------------------------------------


def test_a_solve_that_cannot_traverse_gives_a_bound():
    limits = {"target": 0, "max_iterations": 5}
    blind = solve_abstraction(
        GRAPH, Recall(1), limits=Limits(**limits), options=AbstractionOptions(max_visits=3, seed=4)
    )
    traversed = solve_abstraction(
        GRAPH, Recall(1), limits=Limits(**limits), options=AbstractionOptions(seed=4)
    )
    assert (blind.is_traversed, traversed.is_traversed, traversed.lower_bound) == (
        False,
        True,
        None,
    )
    # All nine bids fit into the memory, and so the bound is the exploitability itself.
    assert blind.lower_bound.n_deals == 0
    lo, hi = traversed.certificate.exploitability_bounds
    assert hi - lo < 1e-3
    assert lo - 2e-6 <= blind.lower_bound.value <= hi
    again = solve_abstraction(
        GRAPH, Recall(1), limits=Limits(**limits), options=AbstractionOptions(max_visits=3, seed=4)
    )
    assert again.lower_bound == blind.lower_bound


def test_a_bound_takes_its_share_of_the_limits():
    tree, strategy = solve_a_little(ROUNDS["common 2 v 2"], 1)
    stored = sum(policy.nbytes for policy in strategy)
    limits = {"max_seconds": None, "max_memory": stored + 100.0, "seed": 1, "n_threads": 1}
    bound = bound_solved(StrategyProfile(tree, strategy, Payoffs()), **limits)
    assert bound.method == "a local best response with perfect recall"
    limits |= {"max_memory": 1e9}
    assert bound_solved(StrategyProfile(tree, strategy, Payoffs()), **limits).lo > bound.lo
    limits |= {"max_seconds": 1e-3}
    assert (
        bound_solved(StrategyProfile(tree, strategy, Payoffs()), **limits).n_deals == 200
    )  # the least
    assert (bound_seconds(20.0), bound_seconds(3600.0)) == (2.0, 60.0)


def test_who_interrupts_does_not_wait_for_a_bound():
    def interrupt(_progress):
        raise KeyboardInterrupt

    result = solve_abstraction(
        GRAPH,
        Recall(1),
        limits=Limits(target=0),
        options=AbstractionOptions(max_visits=3),
        callbacks=Callbacks(on_progress=interrupt),
    )
    assert (result.stop, result.lower_bound) == (StopReason.INTERRUPTED, None)
