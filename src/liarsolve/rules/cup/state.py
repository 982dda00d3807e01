"""Where a round of a cup game stands: who has had the cup, what is under it, what comes next."""

from dataclasses import dataclass
from enum import Enum

from liarsolve.claims import Claim
from liarsolve.dice.hands import Hand
from liarsolve.rules.calls import Call
from liarsolve.rules.cup.actions import CupMove

__all__ = ["CupHolding", "CupOutcome", "CupOutcomeKind", "CupPhase", "CupState"]


class CupPhase(Enum):
    """What has to happen next."""

    THROW = "throw"
    """A throw or a draw comes out."""
    CLAIM = "claim"
    """The player who has the cup claims."""
    ANSWER = "answer"
    """Their neighbour answers."""
    LOOK = "look"
    """The player who has accepted looks, or does something unseen."""
    KEEP = "keep"
    """The player who has looked says what they keep."""
    TRY = "try"
    """A throw for the top hand comes out (CL.10)."""
    OVER = "over"


@dataclass(frozen=True, slots=True, kw_only=True)
class CupHolding:
    """The time in which one player has the cup; parts are ``None`` until they are decided.

    `CupRound.view` shows turns as a player sees them: what they do not know is ``None`` there.

    Examples
    --------
    >>> from liarsolve.rules import CupRound, presets
    >>> state = CupRound(presets.LIAR_DIE).state_after(["thrown 2", "5"])
    >>> turn = state.turns[0]
    >>> turn.player, turn.hand, turn.claim.faces
    (0, (2,), (5,))
    """

    player: int
    has_looked: bool = False
    """Whether the player saw the hand they were passed before throwing."""
    is_blind: bool = False
    """Whether the player passes it on unseen."""
    n_thrown: int | None = None
    """Dice thrown, or cards drawn."""
    kept: Hand | None = None
    """Dice or cards that the player kept."""
    hand: Hand | None = None
    """What lies under the cup when the player claims."""
    claim: Claim | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class CupState:
    """Everything that has happened in a round, secrets included.

    Examples
    --------
    >>> from liarsolve.rules import CupRound, presets
    >>> state = CupRound(presets.LIAR_DIE).state_after(["thrown 2", "5"])
    >>> state.phase, state.claimant
    (<CupPhase.ANSWER: 'answer'>, 0)
    """

    turns: tuple[CupHolding, ...]
    phase: CupPhase
    response: Call | CupMove | None = None
    """What the last claim was answered with, once that ends the round: a challenge, a concession,
    or the acceptance of the top claim."""
    tried_hand: Hand | None = None
    """What lies on the table after the latest throw for the top hand."""
    n_tries: int = 0
    """Throws made for the top hand."""

    @property
    def last_claim(self) -> Claim | None:
        """The claim that was made last."""
        claims = (turn.claim for turn in reversed(self.turns))
        return next((claim for claim in claims if claim is not None), None)

    @property
    def claimant(self) -> int | None:
        """The player who made it."""
        players = (turn.player for turn in reversed(self.turns) if turn.claim is not None)
        return next(players, None)

    @property
    def is_terminal(self) -> bool:
        """Whether the round is over."""
        return self.phase is CupPhase.OVER

    @property
    def is_chance(self) -> bool:
        """Whether a throw has to come out before anybody may act."""
        return self.phase in (CupPhase.THROW, CupPhase.TRY)


class CupOutcomeKind(Enum):
    """How a round of a cup game ended."""

    CLAIMANT_LOSES = "claimant_loses"
    """Challenged, and the claim was false."""
    CHALLENGER_LOSES = "challenger_loses"
    """Challenged, and the claim was true."""
    CONCEDED = "conceded"
    """The highest claim was paid for without looking."""
    TOP_MADE = "top_made"
    """The highest claim was accepted, and the top hand made: the claimant loses (CL.10)."""
    TOP_MISSED = "top_missed"
    """The highest claim was accepted, and the top hand not made."""


@dataclass(frozen=True, slots=True, kw_only=True)
class CupOutcome:
    """Who has lost a round, what they owe, and who starts the next one; players as in the round.

    Examples
    --------
    >>> from liarsolve.rules import CupRound, presets
    >>> table = CupRound(presets.LIAR_DIE)
    >>> outcome = table.outcome(table.state_after(["thrown 2", "5", "liar"]))
    >>> outcome.kind.value, outcome.loser, outcome.to_pool
    ('claimant_loses', 0, 1)
    """

    kind: CupOutcomeKind
    claim: Claim
    hand: Hand
    """What was under the cup when it was claimed."""
    claimant: int
    challenger: int
    """The player who answered the claim, also by accepting or conceding it."""
    loser: int
    winner: int
    n_penalties: int
    """How often the loser owes the penalty: twice for a true top claim in Mia, once otherwise."""
    to_pool: int
    """Lives or stakes that the loser owes the pool."""
    to_winner: int
    """Stakes that the loser owes the other player."""
    starter: int
    """Who starts the next round, unless that player is out."""
