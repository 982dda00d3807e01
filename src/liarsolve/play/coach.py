"""What a decision cost by the strategies of a round, in words, and the dearest of a match."""

from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from enum import Enum
from typing import Any

from liarsolve.play._values import Values

__all__ = ["Coaching", "Decision", "Verdict", "describe_unjudged", "judge", "say_small", "sum_up"]

_NOTABLE = 0.01
"""Loss that a player would notice: one round in two hundred."""
_GREAT = 0.1
"""Loss of a mistake: one round in twenty."""
_TIE = 1e-9
_ROUNDING = 1e-6
"""Nothing is told to be more exact than this."""
_PLAYED = 0.05
"""A move that the strategy plays so often is as good as its best, within the margin."""
_DEAREST = 3


class Coaching(Enum):
    """When a person is told what their decisions cost."""

    OFF = "off"
    """Never."""
    AFTER = "after"
    """After each decision, and at the end."""
    NOW = "now"
    """Before a decision is final, so that they may choose again; and at the end."""


class Verdict(Enum):
    """What a decision was, by its loss."""

    BEST = "best"
    """Nothing is worth more, as far as the solver can tell."""
    FINE = "fine"
    """It loses less than anybody notices, or than the solver may be wrong by."""
    INACCURACY = "inaccuracy"
    """It loses less than one round in twenty."""
    MISTAKE = "mistake"
    """It loses more."""

    @property
    def is_wrong(self) -> bool:
        """Whether another move would have been clearly better."""
        return self in (Verdict.INACCURACY, Verdict.MISTAKE)


@dataclass(frozen=True, slots=True)
class Decision:
    """A decision of the person, and what it cost."""

    round: int
    """Number of the round, from 1."""
    move: str
    best: str
    """The move that is worth most."""
    loss: float
    """What the best move is worth more, in utility of the round."""
    margin: float
    """What the solver may be wrong by here."""
    exploitability: float | None
    """What the strategies lose at most over the whole round."""
    verdict: Verdict
    why: str
    """One sentence."""

    def lines(self) -> list[str]:
        """Tell it in two sentences, what it cost and why.

        >>> decision = Decision(1, "2x3", "liar", 0.25, 1e-6, None, Verdict.MISTAKE, "It is so.")
        >>> decision.lines()[0][:62]
        'Coach: 2x3 is a mistake; it loses 0.250 a round against liar ('
        """
        article = {"inaccuracy": "an ", "mistake": "a "}.get(self.verdict.value, "")
        words = f"Coach: {self.move} is {article}{self.verdict.value}"
        if self.verdict is not Verdict.BEST:
            words += f"; it loses {self.loss:.3f} a round against {self.best}"
        whole = (
            ""
            if self.exploitability is None
            else f", and loses at most {say_small(self.exploitability)} over the whole round"
        )
        return [
            f"{words} (the solver may be off by {say_small(self.margin)} here{whole}).",
            self.why,
        ]

    def to_dict(self) -> dict[str, Any]:
        """Everything as plain values for JSON."""
        plain = asdict(self) | {"verdict": self.verdict.value}
        del plain["exploitability"]  # of the round, and no decision's own
        return plain


def say_small(amount: float) -> str:
    """Write what may be wrong, rounding aside.

    >>> say_small(3e-14), say_small(0.012)
    ('1e-06', '0.01')
    """
    return f"{max(amount, _ROUNDING):.1g}"


def judge(values: Values, action: Any) -> tuple[Verdict, float, Any] | None:
    """Judge an action: the verdict, the loss and the action that is worth most.

    No action is called wrong that loses no more than the solver may be wrong by.

    Returns
    -------
    tuple or None
        None where nothing is known of what the solver may be wrong by, or it is everything.

    Examples
    --------
    >>> values = Values((("a", 0.9, 0.5), ("b", 0.1, 0.3)), margin=0.01, exploitability=0.001)
    >>> verdict, loss, best = judge(values, "b")
    >>> verdict.value, round(loss, 3), best
    ('mistake', 0.2, 'a')
    >>> judge(Values(values.options, margin=0.25, exploitability=0.1), "b")[0].value
    'best'
    """
    if values.margin is None or values.margin >= 1.0:
        return None
    best, _, most = max(values.options, key=lambda option: option[2])
    share, worth = next((share, worth) for a, share, worth in values.options if a == action)
    loss = max(most - worth, 0.0)
    margin = values.margin + _TIE
    if loss <= _TIE or (loss <= margin and share >= _PLAYED):
        return Verdict.BEST, loss, best
    if loss <= max(margin, _NOTABLE):
        return Verdict.FINE, loss, best
    return (Verdict.INACCURACY if loss <= _GREAT else Verdict.MISTAKE), loss, best


def describe_unjudged(values: Values, action: Any, write: Callable[[Any], str]) -> str:
    """Say that a move cannot be judged, and what the strategy would have thought of it.

    >>> values = Values((("a", 1.0, 0.5), ("b", 0.0, 0.25)), margin=None, exploitability=0.001)
    >>> print(describe_unjudged(values, "b", str).partition(";")[0])
    Coach: not judged, since by the strategy nobody comes here
    """
    best, _, most = max(values.options, key=lambda option: option[2])
    loss = most - next(worth for a, _, worth in values.options if a == action)
    thought = (
        f"it would give {write(best)} {loss:.3f} more" if loss > _TIE else "it would do so too"
    )
    rarely = "nobody comes here" if values.margin is None else "play hardly ever comes here"
    return f"Coach: not judged, since by the strategy {rarely}; for what it is worth, {thought}."


def sum_up(decisions: Sequence[Decision], n_unjudged: int) -> list[str]:
    """Sum up a match: loss per decision, and the dearest decisions.

    >>> sum_up([], 2)
    ['Coach: none of your 2 decisions could be judged.']
    """
    n_all = len(decisions) + n_unjudged
    if n_all == 0:
        return ["Coach: there was no decision to judge."]
    if not decisions:
        return [f"Coach: none of your {n_all} decisions could be judged."]
    loss = sum(decision.loss for decision in decisions)
    counts = [
        f"{sum(d.verdict is verdict for d in decisions)} {verdict.value}" for verdict in Verdict
    ]
    lines = [
        f"Coach: {len(decisions)} of {n_all} decisions judged: {', '.join(counts)}. "
        f"You lost {loss / len(decisions):.3f} of a round per decision."
    ]
    dearest = sorted((d for d in decisions if d.verdict.is_wrong), key=lambda d: -d.loss)
    return lines + [
        f"Round {decision.round}: {decision.move} lost {decision.loss:.3f} against "
        f"{decision.best}. {decision.why}"
        for decision in dearest[:_DEAREST]
    ]
