"""One round of a cup game as a state machine: who may do what and why not, and who loses."""

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import combinations

from liarsolve.claims import Category, Claim, NothingClaims
from liarsolve.dice.hands import Hand
from liarsolve.errors import IllegalActionError, InputError, InputTypeError
from liarsolve.rules.calls import CHALLENGE, Call
from liarsolve.rules.cup.actions import (
    CupAction,
    CupMove,
    Keep,
    Thrown,
    format_cup_action,
    parse_cup_action,
)
from liarsolve.rules.cup.options import BlindClaim, BlindPass, Look, TopAccept, TopClaim
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.cup.state import CupHolding, CupOutcome, CupOutcomeKind, CupPhase, CupState
from liarsolve.rules.match_options import NextStarter

__all__ = ["CupRound"]

_ANSWERS = (CHALLENGE, CupMove.ACCEPT, CupMove.CONCEDE)
_LOOKS = (CupMove.LOOK, CupMove.BLIND_PASS, CupMove.THROW_UNSEEN)


@dataclass(frozen=True)
class CupRound:
    """One round: the rules, and how many players sit at the table.

    Players are numbered in turn order, to the left; player 0 throws first. Nothing is
    drawn in here: the outcome of a throw is passed in as a `Thrown`, and `chance_distribution` says
    how likely each is. Where a player has one choice only, such as to look after an acceptance, it
    is made for them.

    Parameters
    ----------
    rules : CupRules
        The rules.
    n_players : int
        Two or more.

    Raises
    ------
    InputError, InputTypeError
        If rules or players are not as described.

    Examples
    --------
    >>> from liarsolve.rules.presets import CLASSIC
    >>> table = CupRound(CLASSIC, 3)
    >>> state = table.state_after(["thrown 99QJT", "QQ99J", "accept", "keep QJ"])
    >>> state.phase, table.to_act(state)
    (<CupPhase.THROW: 'throw'>, None)
    >>> state = table.state_after(["thrown QQQJ9"], state)
    >>> table.illegal_reason(state, table.rules.parse_claim("QQ99J"))
    'claim refused: CL.9 a claim must be higher than the last one; got QQ99J on QQ99J'
    """

    rules: CupRules
    n_players: int = 2

    def __post_init__(self) -> None:
        if not isinstance(self.rules, CupRules):
            raise InputTypeError(
                f"rules of a cup game are CupRules such as presets.CLASSIC, got {self.rules!r}"
            )
        if isinstance(self.n_players, bool) or not hasattr(self.n_players, "__index__"):
            raise InputTypeError(f"the number of players is a whole number, got {self.n_players!r}")
        if self.n_players < 2:
            raise InputError(f"a round needs two players or more, got {self.n_players}")

    def initial_state(self) -> CupState:
        """Return the state before the first throw."""
        n_items = self.rules.equipment.n_items
        return CupState(
            turns=(CupHolding(player=0, kept=(), n_thrown=n_items),), phase=CupPhase.THROW
        )

    def to_act(self, state: CupState) -> int | None:
        """Player who has to act; ``None`` while a throw comes out, and after the round."""
        if state.is_chance or state.is_terminal:
            return None
        holder = state.turns[-1].player
        return self._left_of(holder) if state.phase is CupPhase.ANSWER else holder

    def chance_distribution(self, state: CupState) -> dict[Hand, Fraction]:
        """Chance of each hand that the throw may leave under the cup; empty if none is due."""
        equipment = self.rules.equipment
        if state.phase is CupPhase.TRY:
            kept: Hand = () if state.tried_hand is None else self.rules.try_kept(state.tried_hand)
            return self._redraw_distribution(kept)
        if state.phase is not CupPhase.THROW:
            return {}
        turn = state.turns[-1]
        kept = turn.kept or ()
        prob = self.rules.dislodge_prob
        if prob == 0 or len(kept) in (0, equipment.n_items):
            return self._redraw_distribution(kept)
        distribution: defaultdict[Hand, Fraction] = defaultdict(Fraction)
        for n_upright in range(len(kept) + 1):  # BX?8: each kept die falls over on its own
            weight = (1 - prob) ** n_upright * prob ** (len(kept) - n_upright)
            for upright in combinations(kept, n_upright):
                for hand, chance in self._redraw_distribution(upright).items():
                    distribution[hand] += weight * chance
        return dict(sorted(distribution.items()))

    def illegal_reason(
        self, state: CupState, action: CupAction, player: int | None = None
    ) -> str | None:
        """Say why ``player`` (the one who has to act) may not do this; ``None`` if they may.

        Every other question about legality is answered by this one. The sentence names the
        clause or the option.
        """
        kind = self._kind(action)
        problem = self._phase_problem(state, action)
        if problem is None and player is not None:
            problem = self._player_problem(state, player)
        if problem is None:
            match action:
                case Claim():
                    problem = self._claim_problem(state, action)
                case Keep():
                    problem = self._keep_problem(state, action)
                case Thrown():
                    problem = self._thrown_problem(state, action)
                case CupMove.ACCEPT | CupMove.CONCEDE:
                    problem = self._answer_problem(state, action)
                case CupMove():
                    problem = self._look_problem(state, action)
        return None if problem is None else f"{kind} refused: {problem}"

    def legal_actions(self, state: CupState) -> tuple[CupAction, ...]:
        """List all that may happen next: claims from low to high, keeps from few dice to many."""
        candidates: Iterable[CupAction]
        match state.phase:
            case CupPhase.CLAIM:
                candidates = self.rules.claims
            case CupPhase.ANSWER:
                candidates = _ANSWERS
            case CupPhase.LOOK:
                candidates = _LOOKS
            case CupPhase.KEEP:
                hand = self._passed_hand(state)
                sizes = range(len(hand) + 1)
                kept = {faces for size in sizes for faces in combinations(hand, size)}
                candidates = map(Keep, sorted(kept, key=lambda faces: (len(faces), faces)))
            case _:
                return tuple(map(Thrown, self.chance_distribution(state)))
        return tuple(a for a in candidates if self.illegal_reason(state, a) is None)

    def next_state(self, state: CupState, action: CupAction, player: int | None = None) -> CupState:
        """State after ``player`` (the one who has to act) has done this, or a throw came out.

        Raises
        ------
        IllegalActionError
            With the sentence of `illegal_reason`.
        """
        reason = self.illegal_reason(state, action, player)
        if reason is not None:
            raise IllegalActionError(reason)
        match action:
            case Thrown(hand) if state.phase is CupPhase.TRY:
                return self._after_try(state, hand)
            case Thrown(hand):
                return _change_turn(state, CupPhase.CLAIM, hand=hand)
            case Claim():
                return _change_turn(state, CupPhase.ANSWER, claim=action)
            case Keep(faces):
                return self._after_keep(state, faces)
            case CupMove.ACCEPT:
                return self._after_accept(state)
            case CupMove.LOOK:
                return _change_turn(state, CupPhase.KEEP, has_looked=True)
            case CupMove.BLIND_PASS:
                hand = self._passed_hand(state)
                return _change_turn(
                    state, CupPhase.CLAIM, is_blind=True, kept=hand, hand=hand, n_thrown=0
                )
            case CupMove.THROW_UNSEEN:
                return self._after_keep(state, ())
            case _:
                return replace(state, phase=CupPhase.OVER, response=action)

    def state_after(
        self, actions: Iterable[CupAction | str], state: CupState | None = None
    ) -> CupState:
        """State after actions and throws, from the start of the round or from ``state``.

        Raises
        ------
        IllegalActionError
            With the number of the first illegal action, and the sentence of `illegal_reason`.
        """
        state = self.initial_state() if state is None else state
        for number, entry in enumerate(actions, start=1):
            action = parse_cup_action(entry, self.rules) if isinstance(entry, str) else entry
            reason = self.illegal_reason(state, action)
            if reason is not None:
                raise IllegalActionError(
                    f"action {number}, {format_cup_action(action, self.rules)}: {reason}"
                )
            state = self.next_state(state, action)
        return state

    def view(self, state: CupState, player: int) -> tuple[CupHolding, ...]:
        """Say what a player knows of each turn: what they do not know is ``None`` there.

        Claims, looks, blind passes and, if they are announced, the numbers thrown are public. Hands
        are seen by whoever throws and claims on them, by whoever accepts them and looks, and by
        everybody after a challenge.
        """
        self._check_player(player)
        followers = (*state.turns[1:], None)
        return tuple(
            self._turn_as_seen(state, turn, follower, player)
            for turn, follower in zip(state.turns, followers, strict=True)
        )

    def outcome(self, state: CupState) -> CupOutcome:
        """Show what is under the cup, and say who has lost what.

        Raises
        ------
        InputError
            If the round is not over.

        >>> from liarsolve.rules.presets import BOX
        >>> table = CupRound(BOX, 3)
        >>> result = table.outcome(table.state_after(["thrown 99QJT", "JJ", "liar"]))
        >>> result.kind, result.loser, result.starter
        (<CupOutcomeKind.CLAIMANT_LOSES: 'claimant_loses'>, 0, 0)
        """
        turn = state.turns[-1]
        if not state.is_terminal or turn.claim is None or turn.hand is None:
            raise InputError("the round is not over, nobody has answered for good yet")
        kind = self._outcome_kind(state, turn.claim, turn.hand)
        return self.settle(kind, claim=turn.claim, hand=turn.hand, claimant=turn.player)

    def settle(
        self, kind: CupOutcomeKind, *, claim: Claim, hand: Hand, claimant: int
    ) -> CupOutcome:
        """Say who has lost what in a round that ended so.

        >>> from liarsolve.rules.presets import LIAR_DIE
        >>> claim = LIAR_DIE.claims[0]
        >>> end = CupOutcomeKind.CLAIMANT_LOSES
        >>> CupRound(LIAR_DIE).settle(end, claim=claim, hand=(1,), claimant=1).winner
        0
        """
        rules, challenger = self.rules, self._left_of(claimant)
        is_won = kind in (CupOutcomeKind.CLAIMANT_LOSES, CupOutcomeKind.TOP_MADE)
        winner, loser = (challenger, claimant) if is_won else (claimant, challenger)
        to_pool, to_winner = rules.penalty_liar if is_won else rules.penalty_doubter
        is_double = (
            rules.top_claim is TopClaim.CONCEDE_1_OR_LOOK_2
            and self._is_top(claim)
            and kind is CupOutcomeKind.CHALLENGER_LOSES
        )
        n_penalties = 2 if is_double else 1
        starter = {
            NextStarter.CHALLENGER: challenger,
            NextStarter.LOSER: loser,
            NextStarter.WINNER: winner,
            NextStarter.ROTATE: 1,  # the round counts from its starter
        }[rules.next_starter]
        return CupOutcome(
            kind=kind,
            claim=claim,
            hand=hand,
            claimant=claimant,
            challenger=challenger,
            loser=loser,
            winner=winner,
            n_penalties=n_penalties,
            to_pool=n_penalties * to_pool,
            to_winner=n_penalties * to_winner,
            starter=starter,
        )

    def _outcome_kind(self, state: CupState, claim: Claim, hand: Hand) -> CupOutcomeKind:
        if state.response is CupMove.CONCEDE:
            return CupOutcomeKind.CONCEDED
        if state.response is CupMove.ACCEPT:
            is_made = state.tried_hand == self.rules.top_hand
            return CupOutcomeKind.TOP_MADE if is_made else CupOutcomeKind.TOP_MISSED
        claims = self.rules.claims
        if claims.is_true(claims.index(claim), hand, self.rules.truth):
            return CupOutcomeKind.CHALLENGER_LOSES
        return CupOutcomeKind.CLAIMANT_LOSES

    def _turn_as_seen(
        self, state: CupState, turn: CupHolding, follower: CupHolding | None, player: int
    ) -> CupHolding:
        is_own = player == turn.player
        sees_hand = is_own and not turn.is_blind
        if follower is None:
            sees_hand |= state.response is CHALLENGE
            if state.response is CupMove.ACCEPT and self._carries:
                sees_hand |= player == self._left_of(turn.player)
        elif follower.player == player:
            sees_hand |= follower.has_looked
        rules = self.rules
        counts_are_public = rules.announce_count or len(rules.reroll_counts) == 1
        knows_count = is_own or counts_are_public or not turn.has_looked
        return replace(
            turn,
            hand=turn.hand if sees_hand else None,
            kept=turn.kept if is_own and not turn.is_blind else None,
            n_thrown=turn.n_thrown if knows_count else None,
        )

    @property
    def _carries(self) -> bool:
        """Whether the top hand is tried for from what was passed."""
        return self.rules.top_accept is TopAccept.CARRY_KEEP

    def _left_of(self, player: int) -> int:
        return (player + 1) % self.n_players

    def _is_top(self, claim: Claim | None) -> bool:
        return claim == self.rules.claims[self.rules.top_claim_id]

    def _redraw_distribution(self, kept: Hand) -> dict[Hand, Fraction]:
        equipment = self.rules.equipment
        total = equipment.n_redraws(equipment.n_items - len(kept))
        return {hand: Fraction(count, total) for hand, count in equipment.redraw(kept)}

    def _passed_hand(self, state: CupState) -> Hand:
        """Return what the player who has the cup was passed."""
        return state.turns[-2].hand or ()

    def _after_accept(self, state: CupState) -> CupState:
        if self._is_top(state.last_claim) and self.rules.top_claim is TopClaim.ACCEPT_TRY:
            start = state.turns[-1].hand if self._carries else None
            trying = replace(state, phase=CupPhase.TRY, response=CupMove.ACCEPT, tried_hand=start)
            is_made = start == self.rules.top_hand
            return replace(trying, phase=CupPhase.OVER) if is_made else trying
        turn = CupHolding(player=self._left_of(state.turns[-1].player))
        accepted = replace(state, turns=(*state.turns, turn), phase=CupPhase.LOOK)
        choices = self.legal_actions(accepted)
        return self.next_state(accepted, choices[0]) if len(choices) == 1 else accepted

    def _after_keep(self, state: CupState, kept: Hand) -> CupState:
        n_thrown = self.rules.equipment.n_items - len(kept)
        if n_thrown == 0:
            return _change_turn(state, CupPhase.CLAIM, kept=kept, hand=kept, n_thrown=0)
        return _change_turn(state, CupPhase.THROW, kept=kept, n_thrown=n_thrown)

    def _after_try(self, state: CupState, hand: Hand) -> CupState:
        n_tries = state.n_tries + 1
        is_over = hand == self.rules.top_hand or n_tries == self.rules.top_throws
        phase = CupPhase.OVER if is_over else CupPhase.TRY
        return replace(state, phase=phase, tried_hand=hand, n_tries=n_tries)

    def _kind(self, action: CupAction) -> str:
        match action:
            case Claim():
                return "claim"
            case Call.CHALLENGE:
                return "challenge"
            case Call.EXACT:
                return "exact call"
            case CupMove():
                return str(action)
            case Keep():
                return "keep"
            case Thrown():
                return "throw"
        raise InputTypeError(
            "an action of a cup game is a Claim, CHALLENGE, a CupMove, Keep or Thrown, "
            f"got {action!r}"
        )

    def _check_player(self, player: int) -> None:
        if isinstance(player, bool) or not hasattr(player, "__index__"):
            raise InputTypeError(f"a player is a whole number, got {player!r}")
        if not 0 <= player < self.n_players:
            raise InputError(f"players are numbered 0 to {self.n_players - 1}, got {player}")

    def _player_problem(self, state: CupState, player: int) -> str | None:
        self._check_player(player)
        to_act = self.to_act(state)
        if player == to_act:
            return None
        if to_act is None:
            return f"a throw has to come out, which is not for player {player} to decide"
        clause = "CL.6 only the left neighbour answers: " * (state.phase is CupPhase.ANSWER)
        return f"{clause}it is the turn of player {to_act}, not of player {player}"

    def _phase_problem(self, state: CupState, action: CupAction) -> str | None:
        """Say why this kind of action has no place now."""
        if action is Call.EXACT:
            return "there is no exact call in a cup game"
        holder = state.turns[-1].player
        kinds: dict[CupPhase, tuple[bool, str]] = {
            CupPhase.THROW: (isinstance(action, Thrown), "a throw has to come out first"),
            CupPhase.TRY: (isinstance(action, Thrown), "a throw has to come out first"),
            CupPhase.CLAIM: (isinstance(action, Claim), f"player {holder} has to claim"),
            CupPhase.ANSWER: (
                action in _ANSWERS,
                f"player {self._left_of(holder)} has to answer the claim",
            ),
            CupPhase.LOOK: (
                action in _LOOKS,
                f"player {holder} has to say first whether they look",
            ),
            CupPhase.KEEP: (isinstance(action, Keep), f"player {holder} has to say what they keep"),
            CupPhase.OVER: (False, "the round is over"),
        }
        has_place, expected = kinds[state.phase]
        return None if has_place else expected

    def _claim_problem(self, state: CupState, claim: Claim) -> str | None:
        rules, claims, last = self.rules, self.rules.claims, state.last_claim
        if claim not in claims:
            is_nothing = claim.category is Category.NOTHING
            if is_nothing and rules.nothing_claims is NothingClaims.FORBIDDEN:
                return "CL.5 a hand that makes nothing cannot be claimed"
            return (
                f"with claim_detail={rules.claim_detail.value} no claim is {claim.category.value} "
                f"with the faces {claim.faces}"
            )
        if last is None:
            return None
        is_same_blind = (
            state.turns[-1].is_blind and rules.blind_claim is BlindClaim.SAME and claim == last
        )
        problem = rules.follow_problem(claims.index(last), claims.index(claim))
        if problem is None or is_same_blind:
            return None
        return f"{problem}; got {rules.format_claim(claim)} on {rules.format_claim(last)}"

    def _answer_problem(self, state: CupState, answer: CupMove) -> str | None:
        rules, last = self.rules, state.last_claim
        assert last is not None  # the phase says that there is a claim to answer
        said, option = rules.format_claim(last), f"top_claim={rules.top_claim.value}"
        is_conceding = rules.top_claim is TopClaim.CONCEDE_1_OR_LOOK_2
        if answer is CupMove.CONCEDE:
            if not is_conceding:
                return f"with {option} no claim is conceded without looking"
            return (
                None
                if self._is_top(last)
                else f"with {option} only the highest claim is conceded, got {said}"
            )
        if not self._is_top(last):
            if rules.legal_claims(rules.claims.index(last)):
                return None
            return f"nothing may follow {said}, so it has to be challenged"
        if rules.top_claim is TopClaim.MUST_CHALLENGE:
            return f"BX.8 the highest claim, {said}, has to be challenged"
        return (
            f"with {option} the highest claim, {said}, is conceded or challenged"
            if is_conceding
            else None
        )

    def _look_problem(self, state: CupState, move: CupMove) -> str | None:
        rules, last = self.rules, state.last_claim
        if move is CupMove.LOOK and rules.look is Look.NEVER:
            return "with look=never nobody looks at the hand they were passed"
        if move is CupMove.THROW_UNSEEN and rules.look is Look.BEFORE_THROW:
            return "with look=before_throw nobody throws before they have looked"
        if move is CupMove.BLIND_PASS:
            if rules.blind_pass is BlindPass.OFF:
                return "with blind_pass=off nobody passes on a hand they have not seen"
            is_bare = last is not None and rules.claims.index(last) in rules.bare_claims
            if rules.blind_pass is BlindPass.ONLY_IF_BARE and not is_bare:
                return (
                    "with blind_pass=only_if_bare only a claim that could have named odd dice, and "
                    "named none, is passed on unseen"
                )
        return None

    def _keep_problem(self, state: CupState, keep: Keep) -> str | None:
        rules, hand = self.rules, self._passed_hand(state)
        kept = rules.format_hand(keep.faces)
        if any(keep.faces.count(face) > hand.count(face) for face in keep.faces):
            return f"what is kept has to be part of {rules.format_hand(hand)}, got {kept}"
        if keep.faces != tuple(sorted(keep.faces)):
            return f"what is kept is given in rising order, got {keep.faces}"
        n_thrown, counts = len(hand) - len(keep.faces), rules.reroll_counts
        if n_thrown not in counts:
            clause = "with rethrow_all=true" if rules.rethrow_all else "CL.9"
            clause = "DD?3" if n_thrown < counts[0] and not rules.rethrow_all else clause
            allowed = f"{counts[0]} to {counts[-1]}" if len(counts) > 1 else f"{counts[0]}"
            return f"{clause} a player throws {allowed}; to keep {kept} is to throw {n_thrown}"
        return None

    def _thrown_problem(self, state: CupState, thrown: Thrown) -> str | None:
        if thrown.hand in self.chance_distribution(state):
            return None
        return f"no throw leads to {self.rules.format_hand(thrown.hand)} from here"


def _change_turn(state: CupState, phase: CupPhase, **changes: object) -> CupState:
    """Change the turn that is being played."""
    turn = replace(state.turns[-1], **changes)  # type: ignore[arg-type]  # fields of CupHolding
    return replace(state, turns=(*state.turns[:-1], turn), phase=phase)
