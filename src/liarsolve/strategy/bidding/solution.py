"""A solved round: strategy, certificate and where they come from."""

from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from os import PathLike
from typing import Any

from liarsolve._checks import check_callable, check_number
from liarsolve.errors import InputError
from liarsolve.game import Abstraction, PublicTree, group_hands
from liarsolve.rules import Action, RuleSet
from liarsolve.solvers import (
    REFINED,
    AnyCertificate,
    BoundedLoss,
    Certificate,
    LowerBound,
    ProfileCertificate,
    Proof,
    ProofCallback,
    SolveResult,
    StopReason,
    Unmeasured,
    expected_value,
    seek_proof,
    values_against,
)
from liarsolve.strategy.bidding.recommendation import Recommendation, recommend
from liarsolve.strategy.bidding.strategy import Advice, Strategy
from liarsolve.strategy.disk_space import refuse_if_too_large
from liarsolve.strategy.showing import Browsable
from liarsolve.strategy.situation import Situation
from liarsolve.strategy.storage import write_folder

_MOST_LEFT_OUT = 0.01
"""Of what the payoffs sum to: values that fall short by more are no values of the strategies."""


@dataclass(frozen=True, eq=False)
class BiddingSolution(Browsable):
    """What `solve` and `solve_exact` return, and `load` reads back.

    Values are utilities of a round. Between two players they are those of the first bidder: +1 for
    a round won, -1 for one lost. Among more, whoever loses pays 1 and the others share it;
    there is a value for every seat then, which is that of these strategies, and ``nash_conv`` says
    how near they are to an equilibrium.
    """

    result: SolveResult
    exact_value: Fraction | None = None
    """The value of the round, if it was proved in rational arithmetic."""
    proof: Proof | None = None
    """What the search for a proof came to; None if nobody has looked for one."""

    @property
    def rules(self) -> RuleSet:
        """Rules of the round."""
        return self._tree.graph.round.rules

    @property
    def dice(self) -> tuple[int, ...]:
        """Dice of each player, the first bidder's first."""
        return self._tree.graph.round.dice

    @property
    def n_players(self) -> int:
        """Players at the table."""
        return len(self.dice)

    @cached_property
    def strategy(self) -> Strategy:
        """All players' strategies, to be asked by hand and history."""
        return Strategy(self._tree, self.result.strategy, self.result.payoffs)

    def advise(
        self, hand: Situation | Iterable[int] | str, history: Iterable[Action | str] = ()
    ) -> tuple[Advice, ...]:
        """Every legal action with its probability and expected value; see `Strategy.advise`."""
        return self.strategy.advise(hand, history)

    def recommend(
        self, hand: Situation | Iterable[int] | str, history: Iterable[Action | str] = ()
    ) -> Recommendation:
        """Say what to do with a hand after these bids, and what that rests on.

        It is what the strategy plays wherever it has learned to; see
        `liarsolve.strategy.recommend` for where the expected values decide instead.
        """
        return recommend(self.strategy, hand, history, nash_conv=self.nash_conv)

    @property
    def certificate(self) -> AnyCertificate:
        """What is known of the strategies; the kind says how it is known.

        A `Certificate` is a proof of two players by best responses, a `BoundedLoss` one whose best
        responses were not traversed to the end. With three and more players, or payoffs that do not
        sum to 0, there is a `ProfileCertificate`, or `Unmeasured` where it would take too long.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> from liarsolve.solvers import Certificate, ProfileCertificate
        >>> match solve(presets.COMMON.replace(faces=2), dice=(1, 1, 1)).certificate:
        ...     case Certificate():
        ...         print("two players")
        ...     case ProfileCertificate(values=values):
        ...         print(len(values), "players")
        3 players
        """
        return self.result.certificate

    @property
    def value_bounds(self) -> tuple[float, float] | None:
        """Bounds between which the value of the round lies, proved by exact best responses.

        They are never outside of what can be won and lost. None if there are more than two players
        or payoffs do not sum to 0: such a round may have many equilibria, worth different amounts;
        see `values`.
        """
        bounds = self.certificate.value_bounds
        if bounds is None:
            return None
        paid = self.result.payoffs.table(2)[..., 0]
        return max(bounds[0], float(paid.min())), min(bounds[1], float(paid.max()))

    @property
    def exploitability(self) -> float | None:
        """What the strategies lose on average against perfect opponents, in utility per round.

        At most so much where best responses were not traversed to the end; see `certificate`. None
        where the round has no value; see `nash_conv`.
        """
        return self.certificate.exploitability

    def prove(
        self, *, max_seconds: float | None = None, on_progress: ProofCallback | None = None
    ) -> "BiddingSolution":
        """Prove the value of a round of two players as a fraction, in rational arithmetic.

        That needs strategies that are optimal to the last digits, as of ``target=1e-9``. What is
        tight for them makes equations, whose solutions are strategies in fractions; best responses
        to these, in rational arithmetic, are the proof.

        Parameters
        ----------
        max_seconds : float, optional
            Stop the search after this.
        on_progress : callable, optional
            Called with a `ProofProgress` at every step and ten times a second.

        Returns
        -------
        BiddingSolution
            This one with its `exact_value`, or None there and the reason in `proof`: the strategies
            lose more than 1e-6, no fraction was found, the time was over, or there was an
            interrupt.

        Raises
        ------
        InputError
            If there are more than two players, or their recall is imperfect.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> solve(presets.COMMON.replace(faces=4), dice=(2, 1), target=1e-9).prove().exact_value
        Fraction(345, 1696)
        """
        check_callable("on_progress", on_progress)
        if max_seconds is not None:
            check_number("max_seconds", max_seconds, at_least=0)
        exploitability = self.exploitability
        if exploitability is None:
            raise InputError(
                "exact_value is about two players who play for the same stake, got "
                f"{self.n_players} players; ask values and nash_conv"
            )
        if self.abstraction is not None:
            raise InputError("only strategies with perfect recall can prove the value of a round")
        if self.exact_value is not None:
            return self
        proof = seek_proof(
            self.result.profile,
            exploitability,
            max_seconds=max_seconds,
            on_progress=on_progress,
        )
        return replace(self, exact_value=proof.value, proof=proof)

    @cached_property
    def values(self) -> tuple[float, ...] | None:
        """Utility of every seat when all players follow these strategies.

        None if unmeasured, and where so much was left out of the measurement, as by a limit of
        time, that it says nothing: `left_out` is more than a hundredth then.
        """
        match self.certificate:
            case Unmeasured():
                return None
            case ProfileCertificate(values=values):
                return None if self.left_out > _MOST_LEFT_OUT else values
        profile = self.result.profile
        if self.abstraction is None:
            value = expected_value(profile)
        else:
            first, second = profile.tree.graph.hand_probs
            value = sum(
                float(prob * (values_against(profile, 0, hand, 0)[0] @ second))
                for hand, prob in enumerate(first)
            )
        return (value, -value)

    @property
    def left_out(self) -> float:
        """By how much the measured values of all seats fall short of what the payoffs sum to.

        What a measurement leaves out counts as lost for every seat, and as won for every best
        response, so that `nash_conv` is never too small. 0 between two players who play for the
        same stake, and where nothing was measured.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> solve(presets.COMMON.replace(faces=2), dice=(1, 1, 1)).left_out < 1e-9
        True
        """
        certificate = self.certificate
        if not isinstance(certificate, ProfileCertificate):
            return 0.0
        totals = self.result.payoffs.table(len(self.dice)).sum(axis=2)
        is_constant = float(totals.max() - totals.min()) < _MOST_LEFT_OUT
        return max(float(totals.mean()) - sum(certificate.values), 0.0) if is_constant else 0.0

    @property
    def nash_conv(self) -> float | None:
        """Sum over players of what each could gain by a best response; None if unmeasured."""
        return self.certificate.nash_conv

    @property
    def abstraction(self) -> Abstraction | None:
        """What the players leave out of account; None if they remember and consider every bid."""
        return self._tree.abstraction

    @property
    def exploitability_bounds(self) -> tuple[float, float] | None:
        """What the exploitability lies between, both ends proved; None as `exploitability`.

        Where a search or a traversal leaves something out, the upper end counts it in full against
        the strategies and the lower end not at all. The lower end is 0 where nobody has looked.

        Examples
        --------
        >>> from liarsolve import Recall, presets, solve
        >>> rules = presets.COMMON.replace(faces=3)
        >>> solution = solve(rules, dice=(2, 1), abstraction=Recall(1), max_iterations=50)
        >>> lo, hi = solution.exploitability_bounds
        >>> 0 < lo <= hi == solution.exploitability
        True
        >>> lo, hi = solve(rules, dice=(2, 1)).exploitability_bounds
        >>> 0 < lo <= hi <= 1e-3  # as closely as asked for, and not closer
        True
        """
        return self.certificate.exploitability_bounds

    @property
    def lower_bound(self) -> LowerBound | None:
        """What the strategies lose at least, where `exploitability` is only known to be at most.

        None if the exploitability was measured, or nobody has looked for such a bound.
        """
        return self.result.lower_bound

    @property
    def rests_on(self) -> str:
        """What an answer of the strategy rests on, in one sentence."""
        match self.certificate:
            case Unmeasured():
                share = self.result.opponent_model_prob
                model = ""
                if share > 0.0:
                    model = (
                        f", with an opponent-model probability of {100 * share:.3g} % that another "
                        "player goes by the odds"
                    )
                return self._speak_of_memory(
                    f"strategies of every seat, of {self._habits}{model}; what each could gain "
                    "in the true game was not measured, since best responses are too long to "
                    "compute"
                )
            case ProfileCertificate(nash_conv=nash_conv):
                words = f"strategies of every seat, with a measured nash_conv of {nash_conv:.3g}"
                if self.abstraction is None:
                    return words
                return self._speak_of_memory(f"{words} in the true game")
            case Certificate(exploitability=loss):
                if self.abstraction is None:
                    return f"an equilibrium with a certified exploitability of {loss:.3g}"
                return self._speak_of_memory(
                    f"strategies of {self._habits}, which lose {loss:.3g} a round to "
                    f"{self.abstraction.responder}, measured in the true game"
                )
            case BoundedLoss(exploitability=loss, lower_bound=None):
                return self._speak_of_memory(
                    f"strategies of {self._habits}; what they lose in the true game was not "
                    "measured, since a best response is too long to compute, and is only known to "
                    f"be at most {loss:.3g}"
                )
            case BoundedLoss(exploitability=loss, lower_bound=bound):
                return self._speak_of_memory(
                    f"strategies of {self._habits}, which lose {bound}; that is a lower bound, the "
                    f"true loss may be larger, at most {loss:.3g}, since a best response is too "
                    "long to compute"
                )

    @property
    def is_refined(self) -> bool:
        """Whether players who forget remember those sequences of bids that matter most.

        Examples
        --------
        >>> from liarsolve import Recall, presets, solve
        >>> rules = presets.COMMON.replace(faces=2)
        >>> solution = solve(rules, (1, 1), abstraction=Recall(1), refine=True, max_iterations=50)
        >>> solution.is_refined
        True
        """
        return self.result.method.endswith(REFINED)

    @property
    def _habits(self) -> str:
        if self.abstraction is None:
            return ""
        more = " except where that costs most" if self.is_refined else ""
        return f"{self.abstraction.habits}{more}"

    def _speak_of_memory(self, words: str) -> str:
        if self.abstraction is None:
            return words
        return f"{self.abstraction}{REFINED if self.is_refined else ''}: {words}"

    @property
    def stop(self) -> StopReason:
        """Why the solver stopped."""
        return self.result.stop

    @property
    def iterations(self) -> int:
        """Iterations of the solver."""
        return self.result.iterations

    @property
    def seconds(self) -> float:
        """Time of the solver, without compilation."""
        return self.result.seconds

    @property
    def n_states(self) -> int:
        """Number of public states at which the strategy is written."""
        return self._tree.n_states

    @cached_property
    def n_bytes_stored(self) -> int:
        """Bytes of the arrays that `save` writes.

        Each file has a header of some 128 bytes beside them, and the manifest takes a few kB.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> solution = solve(presets.COMMON.replace(faces=2), dice=(1, 1), target=1e-2)
        >>> 0 < solution.n_bytes_stored < 10_000
        True
        """
        tree, policies = self._tree, self.result.strategy
        classes = group_hands(tree.every_raise.graph, self.abstraction)
        n_entries = [policy.size for policy in policies]
        if classes is not None:
            n_entries = classes.first_entries(tree)[1].tolist()
        n_bytes: int = sum(array.nbytes for array in _tree_arrays(tree).values())
        return n_bytes + sum(
            n * policy.dtype.itemsize for n, policy in zip(n_entries, policies, strict=True)
        )

    @property
    def _tree(self) -> PublicTree:
        return self.result.tree

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategy, as plain values for JSON."""
        result, bounds, certificate = self.result, self.value_bounds, self.certificate
        values = certificate.values if isinstance(certificate, ProfileCertificate) else None
        br_values, loss = certificate.br_values, certificate.exploitability_bounds
        least = certificate.least_br_values
        return {
            "rules": self.rules.to_dict(),
            "dice": list(self.dice),
            "palifico": self._tree.graph.round.palifico,
            "payoffs": result.payoffs.to_dict(),
            **Abstraction.describe(self.abstraction),
            "value_bounds": None if bounds is None else list(bounds),
            "values": None if values is None else list(values),
            "exact_value": None if self.exact_value is None else str(self.exact_value),
            **self._describe_proof(),
            "exploitability": self.exploitability,
            "nash_conv": self.nash_conv,
            "exploitability_bounds": None if loss is None else list(loss),
            "br_values": None if br_values is None else list(br_values),
            "least_br_values": None if least is None else list(least),
            "is_walked": result.is_traversed,
            "odds_share": result.opponent_model_prob,
            "lower_bound": None if self.lower_bound is None else self.lower_bound.to_dict(),
            "stop": self.stop.name.lower(),
            "method": result.method,
            "iterations": result.iterations,
            "seconds": result.seconds,
            "states": self._tree.n_states,
            "peak_memory_mb": result.peak_memory_mb,
        }

    def _describe_proof(self) -> dict[str, str | None]:
        if self.proof is None:  # a fraction alone is one that was proved before
            return {"proof": None if self.exact_value is None else "proved", "proof_reason": None}
        return {"proof": self.proof.outcome.name.lower(), "proof_reason": self.proof.reason}

    def save(self, folder: str | PathLike[str], *, overwrite: bool = False) -> None:
        """Write the solution as a folder: ``manifest.json`` and one ``.npy`` file for each array.

        The folder appears whole or not at all.

        Raises
        ------
        StorageError
            If the folder exists (and is not a stored solution that ``overwrite`` may replace), or
            cannot be written, as when the disk has less than `n_bytes_stored` free.
        """
        refuse_if_too_large(folder, self.n_bytes_stored)
        tree, policies = self._tree, self.result.strategy
        classes = group_hands(tree.every_raise.graph, self.abstraction)
        if classes is not None:  # the same for all hands of a class, so one of them is enough
            policies = classes.gather(tree, policies)
        named = {f"policy_{player}": policy for player, policy in enumerate(policies)}
        write_folder(folder, self.to_dict(), _tree_arrays(tree) | named, overwrite=overwrite)

    def __repr__(self) -> str:
        bounds, values = self.value_bounds, self.certificate
        if bounds is not None:
            lo, hi = bounds
            measured = (
                f"value_bounds=({lo:.6g}, {hi:.6g}), exploitability={self.exploitability:.3g}"
            )
        elif isinstance(values, ProfileCertificate):
            listed = ", ".join(f"{value:.4g}" for value in values.values)
            measured = f"values=({listed}), nash_conv={values.nash_conv:.3g}"
        else:
            measured = "nash_conv not measured"
        recall = "" if self.abstraction is None else f"abstraction={self.abstraction!r}, "
        recall += "refine=True, " if self.is_refined else ""
        return (
            f"BiddingSolution(rules={self.rules.name!r}, dice={self.dice}, {recall}{measured}, "
            f"{self._name_proof()}stop={self.stop.name})"
        )

    def _name_proof(self) -> str:
        """The proved value, or why there is none, where a value can be proved at all."""
        if self.exact_value is not None:
            return f"exact_value={self.exact_value}, "
        if self.proof is not None:
            return f"exact_value={self.proof.outcome.name.lower().replace('_', ' ')}, "
        can_be_proved = self.exploitability is not None and self.abstraction is None
        return "exact_value=not sought, " if can_be_proved else ""


def _tree_arrays(tree: PublicTree) -> dict[str, Any]:  # Any: arrays of several dtypes
    """What is stored beside the policies."""
    children = {f"children_{player}": below for player, below in enumerate(tree.children)}
    return {
        "node": tree.node,
        "first_edge": tree.first_edge,
        **children,
        **_reading_arrays(tree),
    }


def _reading_arrays(tree: PublicTree) -> dict[str, Any]:  # Any: arrays
    """Where raises lead that an abstraction leaves out, among all that are legal."""
    if tree.legal is None:
        return {}
    children = {f"legal_children_{p}": below for p, below in enumerate(tree.legal.children)}
    return {"legal_first_edge": tree.legal.first_edge, **children}
