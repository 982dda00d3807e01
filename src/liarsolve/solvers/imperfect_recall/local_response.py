"""Play against a fixed strategy by a responder who remembers all and looks one reply ahead."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from liarsolve._typing import F8
from liarsolve.errors import InputError
from liarsolve.game import BidGraph, StrategyProfile
from liarsolve.solvers.core.halt import NEVER, Halt
from liarsolve.solvers.imperfect_recall import _response_kernels as kernels
from liarsolve.solvers.imperfect_recall import _response_records as records
from liarsolve.solvers.imperfect_recall.abstract_response import AbstractResponse, fix_opponent

_PIECE = 1e7
"""(reply, reply, hand) triples of the deals between two looks at the clock: a tenth of a second."""
_CHUNK = 64
"""Deals that share a stream of random numbers, so that the result does not depend on threads."""


def play_local_response(
    profile: StrategyProfile,
    player: int,
    *,
    n_deals: int,
    rng: np.random.Generator | int,
    guide: AbstractResponse | None = None,
    n_threads: int = 1,
    halt: Halt = NEVER,
) -> F8:
    """Utility of a local best response to the other player's strategy, in each of many deals.

    At each of their turns the responder knows, by all bids since the start, how likely each hand of
    the opponent is. They value their calls by that, and each raise by what the opponent does next
    with each hand, looking no further than the call that they would then make; and they do what is
    worth the most. With a guide they also look at the raises that they might then make, at the
    guide's values.
    They may play so in the true game, so the mean is a lower bound of the value of a best response.

    Only the opponent's actions are drawn, not their hand; and from each result is taken what the
    draws had promised beforehand, which is nothing on average and makes it less noisy.

    Parameters
    ----------
    profile : StrategyProfile
        Of players with imperfect recall or of others; of the responder's own strategy nothing is
        used.
    player : int
        The responder.
    n_deals : int
        Rounds to play.
    rng : Generator or int
        Source of the draws, or a seed.
    guide : AbstractResponse, optional
        A response of the same player to the same strategy.
    n_threads : int
        The result does not depend on it.
    halt : Halt
        What ends play before: the deals up to the first that was not played are returned.

    Returns
    -------
    float64[n_deals]
        The mean has the value of the responder's policy as its expectation.

    References
    ----------
    Lisý and Bowling (2017), "Equilibrium approximation quality of current no-limit poker bots",
    arXiv:1612.07547, for the local best response. Burch et al. (2018), "AIVAT: a new variance
    reduction technique for agent evaluation in imperfect information games", arXiv:1612.06915,
    for taking the luck of the draws from the results.

    Examples
    --------
    >>> from liarsolve.game import Recall, StrategyProfile, compile_graph, merge_states
    >>> from liarsolve.rules import Round, presets
    >>> from liarsolve.solvers import AbstractionCFR
    >>> graph = compile_graph(Round(presets.COMMON.replace(faces=3), (1, 1)))
    >>> solver = AbstractionCFR(merge_states(graph, Recall(1)))
    >>> solver.step()
    >>> profile = StrategyProfile(*solver.average_strategy())
    >>> utilities = play_local_response(profile, 0, n_deals=1000, rng=1)
    >>> utilities.shape, bool(utilities.mean() > -1 / 9)  # the value of the round
    ((1000,), True)
    """
    if n_deals < 1:
        raise InputError(f"n_deals must be 1 or more, got {n_deals}")
    if guide is None:
        fixed, states = fix_opponent(profile, player)
        raise_value = np.empty((0, 0), np.float32)
    else:
        if guide.player != player:
            raise InputError(f"a guide for player {player} is needed, got one for {guide.player}")
        fixed, states, raise_value = guide.fixed, guide.tree, guide.raise_value
    graph = states.graph
    probs = graph.hand_probs[player]
    rng = np.random.default_rng(rng)
    hands = rng.choice(probs.size, size=n_deals, p=probs)
    starts = range(0, n_deals, _CHUNK)
    streams = rng.spawn(len(starts))
    utilities = np.empty(n_deals)

    n_played = np.zeros(len(starts), np.int64)
    piece = max(int(_PIECE / replies_of_a_deal(graph, 1 - player)), 1)

    def play(thread: int) -> None:
        scratch = _make_scratch(fixed)
        for chunk in range(thread, len(starts), n_threads):
            stop = min(starts[chunk] + _CHUNK, n_deals)
            for start in range(starts[chunk], stop, piece):
                if halt():
                    return
                part = slice(start, min(start + piece, stop))
                kernels.play_deals(
                    fixed,
                    player,
                    raise_value,
                    hands[part],
                    streams[chunk],
                    scratch,
                    utilities[part],
                )
                n_played[chunk] = part.stop - starts[chunk]

    if n_threads == 1:
        play(0)
    else:
        with ThreadPoolExecutor(n_threads) as pool:
            list(pool.map(play, range(n_threads)))
    n_whole = int(np.cumprod(n_played == _CHUNK).sum())  # chunks before the first with a gap
    n_done = min(n_whole * _CHUNK + int(n_played[n_whole : n_whole + 1].sum()), n_deals)
    utilities, hands = utilities[:n_done], hands[:n_done]
    if guide is not None:  # the luck of the own hand
        utilities += probs @ guide.value[0] - guide.value[0, hands]
    return utilities


def replies_of_a_deal(graph: BidGraph, opponent: int) -> float:
    """About how many (reply, reply, hand) triples a deal takes at the most."""
    n_actions = int(np.diff(graph.action_start).max())
    return n_actions**2 / 2 * graph.n_hands[opponent]


def _make_scratch(fixed: records.Fixed) -> records.PlayScratch:
    n_opp, n_actions = fixed.opp_probs.size, int(np.diff(fixed.action_start).max())
    return records.PlayScratch(
        belief=np.empty(n_opp),
        policy=np.empty((n_actions + 1, n_opp)),
        share=np.empty(n_actions),
        worth=np.empty(n_actions),
    )
