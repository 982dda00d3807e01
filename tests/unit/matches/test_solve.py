"""Values of matches: known ones, brackets that are true whenever the work stops, and workers."""

import pickle
import threading
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from itertools import product

import pytest

import liarsolve.matches.solve as solving
from liarsolve import RuleSet, certified_values, match_values, presets
from liarsolve.errors import InputError, InputTypeError, RuleError, StorageError
from liarsolve.matches import MatchStop
from liarsolve.matches.rounds import RoundJob, RoundResult, solve_round
from liarsolve.rules.bidding.match import BiddingScore
from liarsolve.solvers import StopReason

TINY = RuleSet(name="tiny", faces=2, dice=2)
CHALLENGER = TINY.replace(next_starter="challenger")
CIRCLES = TINY.replace(exact_who="next", exact_win="nothing")


@pytest.fixture
def solved(monkeypatch):
    """Jobs that were really solved and not looked up, in order."""
    jobs = []

    def note(job):
        result = solve_round(job)
        if result.stop is not None:
            jobs.append(job)
        return result

    monkeypatch.setattr(solving, "solve_round", note)
    return jobs


@pytest.mark.parametrize(
    ("score", "percent"), [((2, 2), 50.287), ((2, 1), 75.309), ((1, 2), 26.749)]
)
def test_gibsons_recursion_with_three_faces(score, percent):
    values = match_values(presets.COMMON.replace(faces=3), dice=2, target=1e-6)
    low, high = values.bounds(score)
    assert 100 * low - 5e-4 <= percent <= 100 * high + 5e-4
    assert high - low < 1e-5


def test_the_recursion_by_hand_from_fractions():
    # -1/9, -22/81 and 212027/771552 are values of rounds, proved in rational arithmetic.
    p11, p12, p21 = ((1 + Fraction(v)) / 2 for v in ("-1/9", "-22/81", "212027/771552"))
    p22 = (1 + Fraction("-97993266983069/5815959611262048")) / 2
    v11 = p11
    v12 = p12 * (1 - v11)  # wins: one each, the loser starts
    v21 = p21 + (1 - p21) * v11
    v22 = p22 * (1 - v12) + (1 - p22) * v12
    values = match_values(presets.COMMON, dice=2)
    for score, exact in {(1, 1): v11, (1, 2): v12, (2, 1): v21, (2, 2): v22}.items():
        low, high = values.bounds(score)
        assert low <= exact <= high
    assert values.width() < 1e-13


def test_known_rounds_are_not_solved(solved):
    values = match_values(presets.LIARS_DICE, dice=2)
    assert solved == []
    assert (values.n_rounds, values.n_solved, values.stop) == (4, 0, MatchStop.DONE)
    row = next(r for r in certified_values() if (r.rules, r.dice) == ("liars_dice", (1, 1)))
    assert values.bounds((1, 1)) == pytest.approx([(1 + float(row.exact_value)) / 2] * 2)


def test_names_do_not_matter_but_rules_do(solved):
    match_values(presets.COMMON.replace(name="mine", next_starter="winner"), dice=1)
    assert solved == []
    match_values(presets.COMMON.replace(faces=2), dice=1)
    assert len(solved) == 1


def test_a_round_is_solved_once_for_all_scores(solved):
    match_values(RuleSet(faces=2, dice=1, lives=4))
    assert [job.dice for job in solved] == [(1, 1)]
    match_values(presets.LIAR_DIE.replace(lives=4))
    assert len(solved) == 2


def test_where_the_challenger_starts_rounds_are_solved_for_each_score(solved):
    match_values(CHALLENGER)
    assert [job.dice for job in solved if job.stakes] == [(1, 2), (2, 1), (2, 2)]
    # 2 v 2: whoever was right to challenge has two dice against one, and starts.
    stakes = dict(solved[-1].stakes)
    values = match_values(CHALLENGER)
    middle = sum(values.bounds((2, 1))) / 2
    assert stakes["bidder_loses", 0].guess == middle
    assert stakes["bidder_loses", 1].guess == pytest.approx(1 - middle)


def test_both_may_rather_lose(solved):
    rules = presets.LIAR_DIE.replace(lives=2, extra_life="first_out")
    values = match_values(rules, target=1e-6)
    assert [bool(job.stakes) for job in solved] == [False, True]
    # At one life each who loses gets the spare life, and starts with the better chance: 41/60.
    assert values.bounds((1, 1))[0] > 0.5
    assert values.width() < 1e-6


def test_the_same_bits_with_workers():
    for rules in (TINY, CHALLENGER, CIRCLES):
        alone = match_values(rules, target=1e-4)
        with ThreadPoolExecutor(2) as executor:
            together = match_values(rules, target=1e-4, executor=executor)
        assert (together.lower, together.upper) == (alone.lower, alone.upper)


def test_a_round_travels_to_another_process_and_back():
    job = RoundJob(rules=TINY, dice=(1, 1), target=1e-4, max_seconds=None, is_kept=True)
    result = solve_round(pickle.loads(pickle.dumps(job)))
    assert pickle.loads(pickle.dumps(result)).bounds == result.bounds
    kept = next(
        r for j in _jobs_of(CIRCLES) if j.is_kept and (r := solve_round(j)).solution is not None
    )
    again = pickle.loads(pickle.dumps(kept)).solution.result.profile
    kinds = ("bidder_loses", "challenger_loses", "exact_right", "exact_wrong")
    stakes = dict.fromkeys(product(kinds, range(2)), (0.25, 0.75))
    assert solving.bounds_for(again, stakes) == solving.bounds_for(
        kept.solution.result.profile, stakes
    )


def _jobs_of(rules):
    jobs = []
    match_values(rules, on_progress=lambda _: None, executor=_Spy(jobs))
    return jobs


class _Spy(ThreadPoolExecutor):
    def __init__(self, jobs):
        super().__init__(1)
        self.jobs = jobs

    def submit(self, function, /, job):
        self.jobs.append(job)
        return super().submit(function, job)


@pytest.mark.parametrize("rules", [TINY, CHALLENGER], ids=["loser", "challenger"])
def test_a_second_run_takes_rounds_from_the_folder(rules, tmp_path, solved):
    first = match_values(rules, folder=tmp_path / "kept")
    n_solved = len(solved)
    assert n_solved == len(list((tmp_path / "kept").iterdir())) == 4
    second = match_values(rules, folder=tmp_path / "kept")
    assert len(solved) == n_solved
    assert (second.lower, second.upper, second.stop) == (first.lower, first.upper, first.stop)
    match_values(rules, target=1e-2, folder=tmp_path / "kept")
    assert len(solved) > n_solved  # another target is another round


def test_rounds_of_circles_are_kept_with_their_strategies(tmp_path, solved):
    first = match_values(CIRCLES, folder=tmp_path)
    n_solved = len(solved)
    kept = sorted(path.stem for path in tmp_path.glob("*.json"))
    assert len(kept) == n_solved > 4
    assert {path.name for path in tmp_path.iterdir() if path.is_dir()} <= set(kept)
    second = match_values(CIRCLES, folder=tmp_path)
    assert len(solved) == n_solved
    assert (second.lower, second.upper) == (first.lower, first.upper)


def test_a_run_that_was_killed_goes_on_where_it_was(tmp_path, monkeypatch):
    done = []

    def die(job):
        if len(done) == 2:
            raise RuntimeError("killed")
        done.append(job)
        return solve_round(job)

    with monkeypatch.context() as patch:
        patch.setattr(solving, "solve_round", die)
        with pytest.raises(RuntimeError, match="killed"):
            match_values(TINY, folder=tmp_path)
    assert len(list(tmp_path.iterdir())) == 2
    rest = []
    monkeypatch.setattr(solving, "solve_round", lambda job: rest.append(job) or solve_round(job))
    values = match_values(TINY, folder=tmp_path)
    assert len(rest) == 2
    assert values.stop is MatchStop.DONE


def test_a_damaged_round_is_named(tmp_path):
    match_values(TINY.replace(dice=1), folder=tmp_path)
    (path,) = tmp_path.iterdir()
    path.write_text('{"bounds": [0.5, 7], "stop": "converged", "seconds": 1}')
    with pytest.raises(StorageError, match="is damaged: a bound is a number from 0 to 1, got 7"):
        match_values(TINY.replace(dice=1), folder=tmp_path)


def test_without_time_brackets_say_so():
    for rules in (TINY, CHALLENGER, CIRCLES, presets.LIAR_DIE):
        values = match_values(rules, max_seconds=1e-9)
        assert values.stop is MatchStop.TIME_LIMIT
        assert values.n_open == values.n_rounds > 0
        assert all(low <= high for low, high in zip(values.lower, values.upper, strict=True))
        assert values.width() > 0.4


def test_an_interrupt_keeps_what_is_finished(monkeypatch):
    calls = []

    def interrupt(job):
        calls.append(job)
        if len(calls) == 3:
            raise KeyboardInterrupt
        return solve_round(job)

    monkeypatch.setattr(solving, "solve_round", interrupt)
    values = match_values(TINY)
    assert values.stop is MatchStop.INTERRUPTED
    assert values.width((1, 1)) < 0.01
    assert values.width((2, 2)) > 0.1
    assert (len(calls), values.n_open) == (3, 2)


def test_a_round_that_was_interrupted_is_not_taken_for_solved(monkeypatch, tmp_path):
    wide = RoundResult(bounds=(0.1, 0.9), stop=StopReason.INTERRUPTED, seconds=0.0)
    monkeypatch.setattr(solving, "solve_round", lambda job: wide)
    values = match_values(TINY, folder=tmp_path)
    assert values.stop is MatchStop.INTERRUPTED
    assert list(tmp_path.iterdir()) == []


def test_rounds_that_ran_out_of_time_are_said(monkeypatch):
    wide = RoundResult(bounds=(0.1, 0.9), stop=StopReason.TIME_LIMIT, seconds=0.0)
    monkeypatch.setattr(solving, "solve_round", lambda job: wide)
    values = match_values(TINY.replace(dice=1))
    assert values.stop is MatchStop.ROUND_LIMIT
    assert values.bounds((1, 1)) == pytest.approx((0.1, 0.9))


def test_progress_counts_rounds():
    seen = []
    match_values(TINY, on_progress=seen.append)
    assert [(p.n_done, p.n_rounds, p.words) for p in seen] == [
        (1, 4, "1 v 1"), (2, 4, "1 v 2"), (3, 4, "2 v 1"), (4, 4, "2 v 2")
    ]  # fmt: skip


def test_workers_may_be_threads_of_another_thread():
    found = []
    thread = threading.Thread(target=lambda: found.append(match_values(TINY.replace(dice=1))))
    thread.start()
    thread.join()
    assert found[0].stop is MatchStop.DONE


def test_circles_come_to_rest_between_bounds():
    values = match_values(CIRCLES, target=1e-4)
    assert values.stop is MatchStop.DONE
    assert values.width() < 1e-3
    whole = match_values(TINY, target=1e-6)
    assert values.bounds((1, 1))[0] != whole.bounds((1, 1))[0]


def test_a_die_that_changes_hands_leads_to_a_fair_sum():
    # By symmetry the starter of 2 v 2 and the other together win once.
    rules = TINY.replace(loss="transfer")
    values = match_values(rules, target=1e-7)
    (a, b), (c, d) = values.bounds((1, 3)), values.bounds((2, 2))
    assert b - a < 1e-5
    assert 0.0 < a < c < d < 1.0


def test_stakes_under_a_cup_may_go_back_and_forth():
    rules = presets.LIAR_DIE.replace(lives=2, penalty_liar="0,1", penalty_doubter="0,1")
    values = match_values(rules)
    # 41/60 of each round, and the loser starts: at 3 v 1 the starter wins at once, or is at 2 v 2.
    p = 41 / 60
    (a, b), (c, d) = values.bounds((1, 3)), values.bounds((2, 2))
    assert d - c < 1e-9
    assert c <= p * (1 - a) + (1 - p) * b + 1e-9
    assert d >= p * (1 - b) + (1 - p) * a - 1e-9
    with pytest.raises(RuleError) as caught:
        match_values(rules.replace(next_starter="challenger"))
    assert str(caught.value) == (
        "with next_starter=challenger and these penalties the stakes go back and forth in rounds "
        "of more than two outcomes, which is not solved for cup games; use next_starter=loser and "
        "the same penalty for both, or let something go to the pool"
    )


def test_rounds_of_bidding_have_a_limit_of_their_own(solved):
    match_values(TINY.replace(dice=1))
    match_values(TINY.replace(dice=1), round_seconds=5)
    match_values(presets.LIAR_DIE)
    assert [job.max_seconds for job in solved] == [60.0, 5.0, None]


def test_a_score_of_the_other_seat_is_the_same():
    values = match_values(TINY)
    assert values.bounds(BiddingScore(dice=(1, 2), starter=1)) == values.bounds((2, 1))


@pytest.mark.parametrize(
    ("options", "error", "sentence"),
    [
        ({"dice": 0}, InputError, "dice is a whole number of 1 or more, got 0"),
        ({"target": -1}, InputError, "target is a number of 0 or more, got -1"),
        ({"max_seconds": 0}, InputError, "max_seconds is a number above 0, got 0"),
        ({"round_seconds": -1}, InputError, "round_seconds is a number of 0 or more, got -1"),
        ({"executor": 3}, InputTypeError, "executor is a concurrent.futures.Executor, got 3"),
        ({"on_progress": 3}, InputTypeError, "on_progress is a function, got 3"),
        ({"folder": ""}, InputTypeError, "folder is the name of a folder, got ''"),
    ],
)
def test_wrong_arguments_are_one_sentence(options, error, sentence):
    with pytest.raises(error) as caught:
        match_values(TINY, **options)
    assert str(caught.value) == sentence


def test_rules_are_rules():
    with pytest.raises(InputTypeError, match=r"rules is rules such as presets.COMMON, got 'mia'"):
        match_values("mia")
    with pytest.raises(InputTypeError, match="the rules of a cup game say how many dice"):
        match_values(presets.MIA, dice=2)
