"""What a player of a cup game remembers of a round: everything, or what they saw lately."""

from dataclasses import dataclass
from typing import Literal, TypeAlias

from liarsolve.errors import InputError
from liarsolve.rules import CupHolding, CupRound

__all__ = ["PERFECT_RECALL", "SINCE_HELD", "CupMemory", "Glimpse", "Memories", "Observation"]

Observation: TypeAlias = tuple[
    Literal["opens", "throws", "blind", "unseen", "renewed", "keeps", "thrown", "sees", "claims"],
    int,
]
"""What a player notices, with a number: somebody opens, throws so many (-1: they do not say),
passes on blind or throws all unseen; all that was under the cup is thrown, as everybody knows; the
player keeps some (``keep_id``); a hand they have thrown themselves, or see after accepting it
(``hand_id``); somebody claims (``claim_id``)."""

Glimpse: TypeAlias = tuple[int, int, int, int]
"""One turn as remembered: move, claim, hand and what was kept; -1 is what is not known. A move is a
number of dice thrown, or one of the codes below."""

NOT_KNOWN = -1
OPENING, BLIND, UNSEEN, NOT_SAID, NOT_REMEMBERED = -2, -3, -4, -5, -6
_CODES = {"opens": OPENING, "blind": BLIND, "unseen": UNSEEN}


@dataclass(frozen=True, kw_only=True)
class CupMemory:
    """What of a round a player goes by.

    A player who has just looked at what they were passed always knows that hand and the claim that
    they accepted. Imperfect recall makes an abstraction: strategies are then no better than
    what they remember.

    Parameters
    ----------
    since_held : bool
        Remember only what came after they last held the cup and saw what was under it, or after
        all that was under it was thrown.
    n_claims : int, optional
        Claims remembered, from the last one back; `None` for all of them.
    n_moves : int, optional
        Turns of which they remember how many dice were thrown, or that the cup was passed on blind;
        `None` for all of them.

    Raises
    ------
    InputError
        If not even the last claim is remembered, which one has to know to go on.

    Examples
    --------
    >>> str(CupMemory(since_held=True, n_claims=2, n_moves=1))
    'since the cup was last held, the last 2 claims, the last move'
    >>> str(PERFECT_RECALL)
    'everything'
    """

    since_held: bool = False
    n_claims: int | None = None
    n_moves: int | None = None

    def __post_init__(self) -> None:
        for name, number, least in (("n_claims", self.n_claims, 1), ("n_moves", self.n_moves, 0)):
            if number is not None and (type(number) is not int or number < least):
                raise InputError(
                    f"{name} must be a whole number of at least {least}, or None for all, "
                    f"got {number!r}"
                )

    @property
    def is_perfect(self) -> bool:
        """Whether this is perfect recall."""
        return self == CupMemory()

    def __str__(self) -> str:
        parts = ["since the cup was last held"] * self.since_held
        for number, noun in ((self.n_claims, "claim"), (self.n_moves, "move")):
            if number is not None:
                words = {0: f"no {noun}s", 1: f"the last {noun}"}
                parts.append(words.get(number, f"the last {number} {noun}s"))
        return ", ".join(parts) or "everything"

    def after(self, turns: tuple[Glimpse, ...], seen: Observation) -> tuple[Glimpse, ...]:
        """Memory after one more observation."""
        word, number = seen
        if word in _CODES:
            turns = (*turns, (_CODES[word], NOT_KNOWN, NOT_KNOWN, NOT_KNOWN))
        elif word == "throws":
            move = NOT_SAID if number < 0 else number
            turns = (*turns, (move, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN))
        else:
            turns = self._with_detail(turns, seen)
        return turns if self.is_perfect else self._trimmed(turns)

    def _with_detail(self, turns: tuple[Glimpse, ...], seen: Observation) -> tuple[Glimpse, ...]:
        """Add something to the last turn."""
        word, number = seen
        move, claim, hand, kept = turns[-1]
        if word == "renewed":
            if not self.since_held:
                return turns
            return ((NOT_REMEMBERED, turns[-2][1], NOT_KNOWN, NOT_KNOWN), turns[-1])
        if word == "claims":
            is_own = hand != NOT_KNOWN  # what others have under the cup is seen later
            before = () if self.since_held and is_own else turns[:-1]
            return (*before, (move, number, hand, kept))
        if word == "keeps":
            # What was kept tells the player nothing once they see what came of it.
            return turns if self.since_held else (*turns[:-1], (move, claim, hand, number))
        if self.since_held and word == "sees":
            return ((NOT_REMEMBERED, claim, number, NOT_KNOWN),)
        return (*turns[:-1], (move, claim, number, kept))

    def _trimmed(self, turns: tuple[Glimpse, ...]) -> tuple[Glimpse, ...]:
        n_turns = len(turns)
        is_pending = turns[-1][1] == NOT_KNOWN
        first_claim = 0 if self.n_claims is None else n_turns - self.n_claims - is_pending
        first_move = 0 if self.n_moves is None else n_turns - self.n_moves
        kept: list[Glimpse] = []
        for place, (move, claim, hand, keep) in enumerate(turns):
            left = (
                move if place >= first_move else NOT_REMEMBERED,
                claim if place >= first_claim else NOT_KNOWN,
                hand,
                keep,
            )
            is_blank = left == (NOT_REMEMBERED, NOT_KNOWN, NOT_KNOWN, NOT_KNOWN)
            if kept or not is_blank or place == n_turns - 1:
                kept.append(left)
        return tuple(kept)


PERFECT_RECALL = CupMemory()
"""Everything that `CupRound.view` tells."""
SINCE_HELD = CupMemory(since_held=True)
"""What came since they last held the cup: the hand and claim passed on, and later turns.

Nothing is lost by it between two players who look at what they accept: both then know the hand and
the claim, and nothing else matters."""


class Memories:
    """Memories of one kind by number, so that they are cheap to compare."""

    def __init__(self, kind: CupMemory) -> None:
        self.kind = kind
        self.turns: list[tuple[Glimpse, ...]] = [()]
        """Memory by number; 0 is that of the start."""
        self._ids: dict[tuple[Glimpse, ...], int] = {(): 0}
        self._after: dict[tuple[int, Observation], int] = {}

    def after(self, memory_id: int, seen: Observation) -> int:
        """Memory after one more observation."""
        key = (memory_id, seen)
        found = self._after.get(key)
        if found is None:
            found = self._after[key] = self.number(self.kind.after(self.turns[memory_id], seen))
        return found

    def number(self, turns: tuple[Glimpse, ...]) -> int:
        """Number of a memory, a new one if it has none."""
        found = self._ids.setdefault(turns, len(self.turns))
        if found == len(self.turns):
            self.turns.append(turns)
        return found


def observe(table: CupRound, turns: tuple[CupHolding, ...], player: int) -> list[Observation]:
    """List what a player has noticed, given his `CupRound.view` of a round."""
    rules = table.rules
    kit, claims = rules.equipment, rules.claims
    keep_ids = {kept: keep_id for keep_id, kept in enumerate(kit.kept_hands)}
    is_public = rules.announce_count or len(rules.reroll_counts) == 1
    seen: list[Observation] = []
    for place, turn in enumerate(turns):
        is_own = turn.player == player
        if place and is_own and turn.has_looked:
            passed = turns[place - 1].hand
            assert passed is not None  # they have looked
            seen.append(("sees", kit.hand_ids[passed]))
        has_thrown = turn.n_thrown is not None or turn.claim is not None
        if place == 0:
            seen.append(("opens", 0))
        elif turn.is_blind:
            seen.append(("blind", 0))
        elif turn.has_looked and has_thrown:
            seen.append(("throws", -1 if turn.n_thrown is None else turn.n_thrown))
            if is_public and turn.n_thrown == kit.n_items:
                seen.append(("renewed", 0))
            if turn.kept is not None:
                seen.append(("keeps", keep_ids[turn.kept]))
        elif has_thrown:
            seen += [("unseen", 0), ("renewed", 0)]
        if is_own and turn.hand is not None:
            seen.append(("thrown", kit.hand_ids[turn.hand]))
        if turn.claim is not None:
            seen.append(("claims", claims.index(turn.claim)))
    return seen
