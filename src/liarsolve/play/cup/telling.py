"""What the players of a cup game are told: turns, moves, showdowns and scores."""

from collections.abc import Sequence

from liarsolve.claims import Claim, spell_claim
from liarsolve.dice.words import count_word
from liarsolve.play._voice import Voice
from liarsolve.rules import (
    CHALLENGE,
    CupAction,
    CupGameState,
    CupMove,
    CupOutcomeKind,
    CupPhase,
    CupRound,
    CupRules,
    CupScore,
    CupState,
    Keep,
    Thrown,
)

__all__ = ["CupTeller"]

_FEW = 8
"""Choices up to this are all listed."""


class CupTeller:
    """Tells one player of a match about its rounds."""

    def __init__(self, voice: Voice) -> None:
        self.voice = voice

    def action(self, state: CupGameState, action: CupAction, player: int) -> str | None:
        """Tell in one line what a player has done at ``state``; None if nobody sees it."""
        rules, cup = state.table.rules, _cup(state)
        match action:
            case Thrown(hand) if cup.phase is CupPhase.TRY:
                return f"The throw for the top hand leaves {rules.format_hand(hand)}."
            case Thrown(hand):
                is_own = player == self.voice.player
                verb = "now hold" if len(cup.turns) > 1 else "hold"
                return f"You {verb} {rules.format_hand(hand)}." if is_own else None
            case Keep():
                return self._tell_keep(rules, action, player)
            case Claim():
                return f"{self.voice.tell(player, 'claim')} {_say_claim(action, rules)}."
        words: dict[CupAction, str] = {
            CupMove.ACCEPT: "accept",
            CupMove.CONCEDE: "concede",
            CupMove.LOOK: "look",
            CHALLENGE: "call",
            CupMove.BLIND_PASS: "pass",
            CupMove.THROW_UNSEEN: "throw",
        }
        more: dict[CupAction, str] = {CHALLENGE: " liar", CupMove.BLIND_PASS: " it on unseen"}
        more[CupMove.THROW_UNSEEN] = " all of it unseen"
        return f"{self.voice.tell(player, words[action])}{more.get(action, '')}."

    def _tell_keep(self, rules: CupRules, keep: Keep, player: int) -> str:
        n_thrown = rules.equipment.n_items - len(keep.faces)
        if player == self.voice.player:
            return f"You keep {rules.format_hand(keep.faces) or 'nothing'}."
        if n_thrown == 0 and rules.announce_count:
            return f"{self.voice.tell(player, 'keep')} all of it."
        if not rules.announce_count and len(rules.reroll_counts) > 1:
            return f"{self.voice.tell(player, 'throw')} in secret."
        return f"{self.voice.tell(player, 'throw')} {rules.equipment.name_items(n_thrown)}."

    def round_start(self, table: CupRound, seats: Sequence[int]) -> str:
        """Say who has the cup first."""
        items = table.rules.equipment.name_items()
        return f"{self.voice.tell(seats[0], 'have')} the {items} first."

    def situation(self, state: CupGameState, seats: Sequence[int]) -> list[str]:
        """What the player on turn knows: their hand, what was claimed, what must be beaten."""
        rules, cup = state.table.rules, _cup(state)
        view = state.information_state(seats.index(self.voice.player))
        lines, turns = [], view.turns
        hand = turns[-1].hand if cup.phase is CupPhase.CLAIM else None
        if cup.phase is CupPhase.KEEP and len(turns) > 1:
            hand = turns[-2].hand
        if hand is not None:
            lines.append(f"You hold {rules.format_hand(hand)}.")
        elif cup.phase is CupPhase.ANSWER:
            lines.append("You do not see the hand.")
        elif cup.phase is CupPhase.CLAIM:
            lines.append("You have not seen what you pass on.")
        said = [
            f"{self.voice.name(seats[turn.player])} {rules.format_claim(turn.claim)}"
            for turn in turns
            if turn.claim is not None
        ]
        if cup.last_claim is None:
            return [*lines, "Nothing was claimed yet: you claim first."]
        lines.append(f"Said: {', '.join(said)}.")
        claim = _say_claim(cup.last_claim, rules)
        to_do = {
            CupPhase.ANSWER: f"To answer: {claim}.",
            CupPhase.CLAIM: f"To beat: {claim}.",
            CupPhase.LOOK: f"You have accepted {claim}. Look, or go on unseen?",
            CupPhase.KEEP: f"What do you keep? To beat: {claim}.",
        }
        return [*lines, to_do[cup.phase]]

    def short_list(self, state: CupGameState, actions: Sequence[CupAction]) -> list[CupAction]:
        """All choices if they are few; else claims around the truth, and keeps of whole groups."""
        if len(actions) <= _FEW:
            return list(actions)
        if _cup(state).phase is CupPhase.KEEP:
            passed = _cup(state).turns[-2].hand or ()
            whole = [
                action
                for action in actions
                if isinstance(action, Keep)
                and all(action.faces.count(f) == passed.count(f) for f in action.faces)
            ]
            return list((whole or actions)[-_FEW:])
        hand, rules = _cup(state).turns[-1].hand, state.table.rules
        is_seen = hand is not None and not _cup(state).turns[-1].is_blind
        chosen = set(range(_FEW // 2))
        if is_seen and hand is not None:
            true = [
                k
                for k, claim in enumerate(actions)
                if isinstance(claim, Claim)
                and rules.claims.is_true(rules.claims.index(claim), hand, rules.truth)
            ]
            chosen |= set(true[:1] + true[-2:])
        return [actions[k] for k in sorted(chosen)]

    def choice(self, state: CupGameState, action: CupAction) -> str:
        """Write an action of the list."""
        rules = state.table.rules
        match action:
            case Claim():
                hand = _cup(state).turns[-1].hand
                is_seen = hand is not None and not _cup(state).turns[-1].is_blind
                is_true = is_seen and rules.claims.is_true(
                    rules.claims.index(action), hand or (), rules.truth
                )
                return _say_claim(action, rules) + (" (true)" if is_true else "")
            case Keep():
                n_thrown = rules.equipment.n_items - len(action.faces)
                return (
                    f"{state.format_action(action)}: throw {rules.equipment.name_items(n_thrown)}"
                )
        last = _cup(state).last_claim
        assert last is not None  # whatever else is done answers a claim
        words: dict[CupAction, str] = {
            CHALLENGE: f"you say that {rules.format_claim(last)} is false",
            CupMove.ACCEPT: "you take the cup over",
            CupMove.CONCEDE: "you pay without looking",
            CupMove.LOOK: "you look at what was passed",
            CupMove.BLIND_PASS: "you pass it on unseen",
            CupMove.THROW_UNSEEN: "you throw all of it unseen",
        }
        return f"{action}: {words[action]}"

    def showdown(self, state: CupGameState, seats: Sequence[int]) -> list[str]:
        """What lay under the cup, and whether the claim was true."""
        outcome, rules = state.outcome, state.table.rules
        claim, who = rules.format_claim(outcome.claim), self.voice.own(seats[outcome.claimant])
        shown = f"Under the cup: {rules.format_hand(outcome.hand)}."
        match outcome.kind:
            case CupOutcomeKind.CLAIMANT_LOSES:
                return [shown, f"{who.capitalize()} claim of {claim} was false."]
            case CupOutcomeKind.CHALLENGER_LOSES:
                return [shown, f"{who.capitalize()} claim of {claim} was true."]
            case CupOutcomeKind.CONCEDED:
                return [f"Nobody looks: {claim} was conceded."]
            case CupOutcomeKind.TOP_MADE:
                return ["The top hand was made."]
        return ["The top hand was not made."]

    def changes(self, before: CupScore, after: CupScore) -> list[str]:
        """Who loses or gains what."""
        lines = []
        for player, (had, has) in enumerate(zip(before.stakes, after.stakes, strict=True)):
            they = "you" if player == self.voice.player else "they"
            is_out = player not in after.live
            rest = f"{they} {'are out' if is_out else f'have {_say_lives(after, player)}'}"
            if has != had:
                verb = "lose" if has < had else "gain"
                number = count_word(abs(has - had))
                lines.append(f"{self.voice.tell(player, verb)} {number}: {rest}.")
            elif before.has_extra[player] and not after.has_extra[player]:
                lines.append(f"{self.voice.tell(player, 'lose')} the extra life: {rest}.")
        return lines or ["Nobody loses anything."]

    def score(self, score: CupScore) -> str:
        """How many lives everybody has."""
        counts = [
            f"{self.voice.name(player)} "
            f"{_say_lives(score, player) if player in score.live else 'out'}"
            for player in range(len(score.stakes))
        ]
        return f"Score: {', '.join(counts)}."


def _cup(state: CupGameState) -> CupState:
    assert state.cup is not None  # filled in when the state was made
    return state.cup


def _say_lives(score: CupScore, player: int) -> str:
    count = score.stakes[player]
    if score.has_extra[player]:
        return "an extra life" if count == 0 else f"{count_word(count)} and an extra life"
    return f"{count_word(count)} {'life' if count == 1 else 'lives'}"


def _say_claim(claim: Claim, rules: CupRules) -> str:
    short, words = rules.format_claim(claim), spell_claim(claim, rules.claims)
    return short if words == short else f"{short}, {words}"
