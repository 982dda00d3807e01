"""Odds of bids: single calls, and a million at once beside scipy.

Run with ``pytest benchmarks/test_odds.py``, or ``python benchmarks/test_odds.py`` for the ratio to
scipy in one line.
"""

import time

import numpy as np
import pytest
from scipy.stats import binom

from liarsolve import log_p_at_least, p_at_least
from liarsolve.odds import Posterior, Threshold, largest_count_distribution

N_PAIRS = 10**6


def pairs(seed=1):
    """A million pairs: 1 to 60 hidden dice, and a quantity from 1 to their number."""
    rng = np.random.default_rng(seed)
    n = rng.integers(1, 61, N_PAIRS)
    return n, rng.integers(1, n + 1)


def check_pairs(odds, n, q):
    for i in range(0, N_PAIRS, 99_991):
        assert odds[i] == pytest.approx(p_at_least(int(q[i]), 3, int(n[i])), rel=1e-12)


CALLS = {
    "hidden dice": ((4, 3, 10), {}),
    "hand": ((9, 6), {"total": 25, "hand": (6, 6, 1, 2, 3)}),
    "many dice": ((400, 6, 1200), {}),
}


@pytest.mark.parametrize("name", CALLS)
def test_single_call(benchmark, name):
    arguments, keywords = CALLS[name]
    first = p_at_least(*arguments, **keywords)
    assert benchmark(p_at_least, *arguments, **keywords) == first > 0


def test_single_call_of_scipy(benchmark):
    assert benchmark(binom.sf, 3, 10, 1 / 3) == pytest.approx(p_at_least(4, 3, 10))


def test_million_pairs(benchmark):
    n, q = pairs()
    p_at_least(q, 3, n)  # compile and build the table outside the clock
    check_pairs(benchmark(p_at_least, q, 3, n), n, q)


def test_million_pairs_of_scipy(benchmark):
    n, q = pairs()
    odds = benchmark.pedantic(binom.sf, args=(q - 1, n, 1 / 3), rounds=5, warmup_rounds=1)
    check_pairs(odds, n, q)


def test_hundred_thousand_large_tables(benchmark):
    rng = np.random.default_rng(2)
    n = rng.integers(1000, 10**6, 100_000)
    q = (n * rng.uniform(0.3, 0.4, n.size)).astype(np.int64)
    log_p_at_least(q, 3, n)  # compile
    logs = benchmark.pedantic(log_p_at_least, args=(q, 3, n), rounds=3)
    assert np.isfinite(logs).all()
    assert logs[7] == pytest.approx(log_p_at_least(int(q[7]), 3, int(n[7])), rel=1e-12)


def test_largest_count_of_thirty_dice(benchmark):
    def ask():
        from liarsolve.odds.largest_count import _arrange

        _arrange.cache_clear()
        return largest_count_distribution(30).max_bid(0.5)

    assert benchmark(ask) == 13


def test_belief_after_a_bid(benchmark):
    prior = Posterior((5, 5, 5, 5), hand=(2, 2, 3, 5, 6))
    prob = benchmark(lambda: prior.after_bid(0, 9, 2, Threshold(2, 0.3)).p_at_least(9, 2))
    assert prob > prior.p_at_least(9, 2)


def seconds_of(call, repeats):
    call()
    best = float("inf")
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        best = min(best, time.perf_counter() - start)
    return best


def main():
    n, q = pairs()
    ours = seconds_of(lambda: p_at_least(q, 3, n), 20)
    check_pairs(p_at_least(q, 3, n), n, q)
    scipy = seconds_of(lambda: binom.sf(q - 1, n, 1 / 3), 5)
    single = seconds_of(lambda: [p_at_least(4, 3, 10) for _ in range(10_000)], 5) / 10_000
    print(f"a million pairs: liarsolve {1e3 * ours:.2f} ms, scipy {1e3 * scipy:.1f} ms", end="; ")
    print(f"ratio {scipy / ours:.0f}; single call {1e6 * single:.1f} us")


if __name__ == "__main__":
    main()
