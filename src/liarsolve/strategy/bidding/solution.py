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
    Certificate,
    LowerBound,
    ProfileCertificate,
    Proof,
    ProofCallback,
    SolveResult,
    StopReason,
    expected_value,
    seek_proof,
    values_against,
)
from liarsolve.strategy.bidding.recommendation import Recommendation, recommend
from liarsolve.strategy.bidding.strategy import Strategy
from liarsolve.strategy.disk_space import refuse_if_too_large
from liarsolve.strategy.storage import write_folder


@dataclass(frozen=True, eq=False)
class Solution:
    """What `solve` and `solve_exact` return, and `load` reads back.

    Values are utilities of a round. Between two players they are those of the first bidder: +1 if
    he wins the round, -1 if he loses it. Among more, whoever loses pays 1 and the others share it;
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

    @cached_property
    def strategy(self) -> Strategy:
        """All players' strategies, to be asked by hand and history."""
        return Strategy(self._tree, self.result.strategy, self.result.payoffs)

    def recommend(
        self, hand: Iterable[int] | str, history: Iterable[Action | str] = ()
    ) -> Recommendation:
        """Say what to do with a hand after these bids, and what that rests on.

        It is what the strategy plays wherever it has learned to; see
        `liarsolve.strategy.recommend` for where the expected values decide instead.
        """
        nash_conv = self.nash_conv if self.is_measured else None
        return recommend(self.strategy, hand, history, nash_conv=nash_conv)

    @property
    def value_bounds(self) -> tuple[float, float]:
        """Bounds between which the value of the round lies, proved by exact best responses.

        They are never outside of what can be won and lost.

        Raises
        ------
        InputError
            If there are more than two players: such a round may have many equilibria, worth
            different amounts; see `values`.
        """
        low, high = self._proof("value_bounds").value_bounds
        paid = self.result.payoffs.table(2)[..., 0]
        return max(low, float(paid.min())), min(high, float(paid.max()))

    @property
    def exploitability(self) -> float:
        """What the strategies lose on average against perfect opponents, in utility per round.

        Raises
        ------
        InputError
            If there are more than two players; see `nash_conv`.
        """
        return self._proof("exploitability").exploitability

    def prove(
        self, *, max_seconds: float | None = None, on_progress: ProofCallback | None = None
    ) -> "Solution":
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
        Solution
            This one with its `exact_value`, or None there and the reason in `proof`: the strategies
            lose more than 1e-6, no fraction was found, the time was over, or there was an
            interrupt.

        Raises
        ------
        InputError
            If there are more than two players, or they forget.

        Examples
        --------
        >>> from liarsolve import presets, solve
        >>> solve(presets.COMMON.replace(faces=4), dice=(2, 1), target=1e-9).prove().exact_value
        Fraction(345, 1696)
        """
        check_callable("on_progress", on_progress)
        if max_seconds is not None:
            check_number("max_seconds", max_seconds, at_least=0)
        certificate = self._proof("exact_value")
        if self.abstraction is not None:
            raise InputError("only strategies that forget nothing can prove the value of a round")
        if self.exact_value is not None:
            return self
        proof = seek_proof(
            self.result.profile,
            certificate.exploitability,
            max_seconds=max_seconds,
            on_progress=on_progress,
        )
        return replace(self, exact_value=proof.value, proof=proof)

    @cached_property
    def values(self) -> tuple[float, ...]:
        """Utility of every seat when all players follow these strategies.

        Raises
        ------
        InputError
            If there are more than two players and nothing was measured; see `is_measured`.
        """
        self._refuse_unmeasured("values")
        certificate = self._certificate
        if isinstance(certificate, ProfileCertificate):
            return certificate.values
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
    def nash_conv(self) -> float:
        """Sum over players of what each could gain by a best response.

        Raises
        ------
        InputError
            If there are more than two players and nothing was measured; see `is_measured`.
        """
        self._refuse_unmeasured("nash_conv")
        return self._certificate.nash_conv

    @property
    def is_measured(self) -> bool:
        """Whether something is known of what the strategies are worth.

        It is, but for large rounds of more than two players with an abstraction: best responses
        are too long to walk there, and `values` and `nash_conv` are not defined.
        """
        return self.has_value or self.result.is_traversed is not False

    @property
    def has_value(self) -> bool:
        """Whether the round has a value: two players whose payoffs sum to 0.

        If not, `value_bounds` and `exploitability` are not defined.
        """
        return not isinstance(self._certificate, ProfileCertificate)

    @property
    def abstraction(self) -> Abstraction | None:
        """What the players leave out of account; None if they remember and consider every bid."""
        return self._tree.abstraction

    @property
    def lower_bound(self) -> LowerBound | None:
        """What the strategies lose at least, where `exploitability` is only known to be at most.

        None if the exploitability was measured, or nobody has looked for such a bound.
        """
        return self.result.lower_bound

    @property
    def rests_on(self) -> str:
        """What an answer of the strategy rests on, in one sentence."""
        habits = "" if self.abstraction is None else self.abstraction.habits
        if not self.is_measured:
            share = self.result.opponent_model_prob
            reckoning = ""
            if share > 0.0:
                reckoning = (
                    f", who reckon with a chance of {100 * share:.3g} % that another player goes "
                    "by the odds"
                )
            return (
                f"{self.abstraction}: strategies of every seat, of {habits}{reckoning}; what each "
                "could gain in the true game was not measured, since best responses are too long "
                "to walk"
            )
        if not self.has_value:
            words = "" if self.abstraction is None else f"{self.abstraction}: "
            words += f"strategies of every seat, with a measured nash_conv of {self.nash_conv:.3g}"
            return words if self.abstraction is None else f"{words} in the true game"
        price = f"{self.exploitability:.3g}"
        if self.abstraction is None:
            return f"an equilibrium with a certified exploitability of {price}"
        if self.result.is_traversed:
            return (
                f"{self.abstraction}: strategies of {habits}, which lose {price} a round to "
                f"{self.abstraction.responder}, measured in the true game"
            )
        if self.lower_bound is None:
            return (
                f"{self.abstraction}: strategies of {habits}; what they lose in the true game was "
                "not measured, since a best response is too long to walk, and is only known to be "
                f"at most {price}"
            )
        return (
            f"{self.abstraction}: strategies of {habits}, which lose {self.lower_bound}; that is a "
            f"lower bound, the true loss may be larger, at most {price}, since a best response is "
            "too long to walk"
        )

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

    @property
    def _certificate(self) -> Certificate | ProfileCertificate:
        return self.result.certificate

    def _refuse_unmeasured(self, name: str) -> None:
        if not self.is_measured:
            raise InputError(
                f"{name} was not measured: with {self.abstraction} and dice "
                f"{','.join(map(str, self.dice))} best responses are too long to walk"
            )

    def _proof(self, name: str) -> Certificate:
        certificate = self._certificate
        if isinstance(certificate, ProfileCertificate):
            raise InputError(
                f"{name} is about two players who play for the same stake, got "
                f"{len(self.dice)} players; ask values and nash_conv"
            )
        return certificate

    def to_dict(self) -> dict[str, Any]:
        """Everything but the strategy, as plain values for JSON."""
        result, has_value, is_measured = self.result, self.has_value, self.is_measured
        return {
            "rules": self.rules.to_dict(),
            "dice": list(self.dice),
            "palifico": self._tree.graph.round.palifico,
            "payoffs": result.payoffs.to_dict(),
            **Abstraction.describe(self.abstraction),
            "value_bounds": list(self.value_bounds) if has_value else None,
            "values": list(self.values) if is_measured and not has_value else None,
            "exact_value": None if self.exact_value is None else str(self.exact_value),
            **self._describe_proof(),
            "exploitability": self.exploitability if has_value else None,
            "nash_conv": self.nash_conv if is_measured else None,
            "br_values": list(self._certificate.br_values) if is_measured else None,
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
        if self.has_value:
            lo, hi = self.value_bounds
            measured = (
                f"value_bounds=({lo:.6g}, {hi:.6g}), exploitability={self.exploitability:.3g}"
            )
        elif not self.is_measured:
            measured = "nash_conv not measured"
        else:
            values = ", ".join(f"{value:.4g}" for value in self.values)
            measured = f"values=({values}), nash_conv={self.nash_conv:.3g}"
        forgets = "" if self.abstraction is None else f"abstraction={self.abstraction!r}, "
        return (
            f"Solution(rules={self.rules.name!r}, dice={self.dice}, {forgets}{measured}, "
            f"stop={self.stop.name})"
        )


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
