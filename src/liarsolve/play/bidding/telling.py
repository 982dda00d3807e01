"""What the players of a match of bidding are told: turns, moves, showdowns and scores."""

from collections.abc import Sequence

from liarsolve.dice import Hand
from liarsolve.dice.words import count_word, face_word, spell_bid
from liarsolve.play._voice import Voice
from liarsolve.rules import (
    CHALLENGE,
    Action,
    Bid,
    BiddingScore,
    BiddingState,
    Call,
    OutcomeKind,
    PalificoFace,
    PublicState,
    Round,
    Thrown,
)

__all__ = ["BiddingTeller"]

_MOST_LISTED = 9
"""Bids of the short list."""

_FACE_CHANGERS = {
    PalificoFace.ONE_DIE_MAY_CHANGE: ", and only players with one die may change the face",
    PalificoFace.LOCKED_ALL: ", and nobody may change the face",
    PalificoFace.EX_PALIFICO_MAY_CHANGE: ", and only players who have been palifico may change it",
    PalificoFace.NONE: "",
}


class BiddingTeller:
    """Tells one player of a match about its rounds."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice

    def action(self, state: BiddingState, action: Action | Thrown, player: int) -> str | None:
        """Tell in one line what a player has done before ``state`` was left; None if nobody sees.

        Their dice are told to nobody but themselves.
        """
        if isinstance(action, Thrown):
            is_own = player == self.voice.player
            return f"You throw {_say_hand(action.hand)}." if is_own else None
        if isinstance(action, Bid):
            return f"{self.voice.tell(player, 'bid')} {_say_bid(action)}."
        word = "liar" if action is CHALLENGE else "exact"
        return f"{self.voice.tell(player, 'call')} {word}."

    def round_start(self, round_: Round, seats: Sequence[int]) -> str:
        """Say who bids first, and by what rules if they are others than before."""
        first = f"{self.voice.tell(seats[0], 'bid')} first."
        if round_.palifico:
            who = _FACE_CHANGERS[round_.rules.palifico_face]
            first += f" It is a palifico round: no face is wild{who}."
        return first

    def situation(self, state: BiddingState, seats: Sequence[int]) -> list[str]:
        """What the player on turn knows: their dice, what was said, what must be beaten."""
        public, position = state.public, seats.index(self.voice.player)
        lines = [f"You hold {_say_hand(state.hands[position])}."]
        if public.last_bid is None:
            return [*lines, "Nothing was bid yet: you open the round."]
        said = [
            f"{self.voice.name(seats[k % len(seats)])} {bid}" for k, bid in enumerate(public.bids)
        ]
        bidder = seats[(len(public.bids) - 1) % len(seats)]
        by = "" if bidder == self.voice.player else f", bid by {self.voice.name(bidder)}"
        beat = f"To beat: {_say_bid(public.last_bid)}{by}. {_say_wild(state.round, public)}"
        return [*lines, f"Said: {', '.join(said)}.", beat.strip()]

    def short_list(self, state: BiddingState, actions: Sequence[Action]) -> list[Action]:
        """The lowest bid on each face, and the calls."""
        bids: dict[int, Bid] = {}
        for action in actions:
            if isinstance(action, Bid):
                bids.setdefault(action.face, action)
        calls = [action for action in actions if isinstance(action, Call)]
        return [*sorted(bids.values(), key=state.round.bid_id)[:_MOST_LISTED], *calls]

    def choice(self, state: BiddingState, action: Action) -> str:
        """Write an action of the list."""
        if isinstance(action, Bid):
            return _say_bid(action)
        last = state.public.last_bid
        what = "the bid is false" if action is CHALLENGE else f"{last} is exactly right"
        return f"{action}: you say that {what}"

    def showdown(self, state: BiddingState, seats: Sequence[int]) -> list[str]:
        """All dice, the count, and whether the bid was true."""
        outcome, bid = state.outcome, state.outcome.bid
        shown = [
            f"{self.voice.name(player)} {_say_hand(hand)}"
            for player, hand in sorted(zip(seats, state.hands, strict=True))
        ]
        wild = state.round.wild_face(state.public)
        with_wild = "" if wild in (None, bid.face) else f", {face_word(wild or 0)} included"
        is_one = outcome.count == 1
        count = f"There {'is' if is_one else 'are'} "
        count += f"{spell_bid(outcome.count, bid.face)}{with_wild}: "
        verdict = {
            OutcomeKind.BIDDER_LOSES: f"the bid of {bid} was false.",
            OutcomeKind.CHALLENGER_LOSES: f"the bid of {bid} was true.",
            OutcomeKind.EXACT_RIGHT: f"{bid} was exactly right.",
            OutcomeKind.EXACT_WRONG: f"{bid} was not exactly right.",
        }[outcome.kind]
        return [f"All dice: {'; '.join(shown)}.", count + verdict]

    def changes(self, before: BiddingScore, after: BiddingScore) -> list[str]:
        """Who loses or gains what."""
        old, new = _counts(before), _counts(after)
        lines = []
        for player, (had, has) in enumerate(zip(old, new, strict=True)):
            if _is_revived(before, after, player):
                one = "life" if before.lives else "die"
                lost = f"{self.voice.tell(player, 'lose')} the last {one}"
                gets = "get" if player == self.voice.player else "gets"
                lines.append(f"{lost} and {gets} an extra one.")
                continue
            if has == had:
                continue
            verb = "lose" if has < had else "gain"
            amount = _say_count(before, abs(had - has))
            they = "you" if player == self.voice.player else "they"
            rest = f"have {_say_count(before, has)}" if after.dice[player] else "are out"
            lines.append(f"{self.voice.tell(player, verb)} {amount}: {they} {rest}.")
        return lines or ["Nobody loses anything."]

    def score(self, score: BiddingScore) -> str:
        """How many dice or lives everybody has."""
        counts = [
            f"{self.voice.name(player)} {_say_count(score, count) if score.dice[player] else 'out'}"
            for player, count in enumerate(_counts(score))
        ]
        return f"Score: {', '.join(counts)}."


def _is_revived(before: BiddingScore, after: BiddingScore, player: int) -> bool:
    """Whether a player has just been given an extra die or life."""
    return bool(after.had_extra) and after.had_extra[player] and not before.had_extra[player]


def _counts(score: BiddingScore) -> tuple[int, ...]:
    return score.lives or score.dice


def _say_count(score: BiddingScore, count: int) -> str:
    one, more = ("life", "lives") if score.lives else ("die", "dice")
    return f"{count_word(count)} {one if count == 1 else more}"


def _say_hand(hand: Hand) -> str:
    return " ".join(map(str, hand))


def _say_bid(bid: Bid) -> str:
    return f"{bid}, {spell_bid(bid.quantity, bid.face)}"


def _say_wild(round_: Round, public: PublicState) -> str:
    """Say which face is wild for the standing bid; nothing where the rules have none."""
    wild, bid = round_.wild_face(public), public.last_bid
    if wild is not None:
        return f"{face_word(wild).capitalize()} are wild." if bid and wild != bid.face else ""
    return "Ones are not wild any more." if round_.is_locked(public) else ""
