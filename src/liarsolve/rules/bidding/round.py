"""One round as a state machine: whose turn, what may be done and why not, who wins."""

from collections.abc import Iterable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from enum import Enum
from functools import cached_property

from liarsolve._checks import check_flag, check_whole
from liarsolve.dice import Hand, format_hand, parse_hand
from liarsolve.errors import IllegalActionError, InputError, InputTypeError, RuleError
from liarsolve.rules.bidding.actions import CHALLENGE, EXACT, Action, Bid, Call, parse_action
from liarsolve.rules.bidding.bid_order import biddable_faces, enumerate_bids, raise_problem
from liarsolve.rules.bidding.hand_count import count_hand, most_extra
from liarsolve.rules.bidding.options import (
    ChallengeWho,
    ExactWho,
    OpenMin,
    OpenOnes,
    PalificoFace,
    Wild,
    WildUntil,
)
from liarsolve.rules.bidding.round_rules import BiddingRoundRules
from liarsolve.rules.bidding.rule_set import RuleSet

MAX_BIDS = 100_000
"""Most bids of a round; a hundred players with five dice of six faces have 3,000."""


@dataclass(frozen=True, slots=True)
class PublicState:
    """What all players know: the bids made so far, and the call that ended the round, if any.

    Examples
    --------
    >>> from liarsolve.rules.presets import COMMON
    >>> state = Round(COMMON, (1, 1)).state_after(["1x3", "liar"])
    >>> str(state.last_bid), state.caller, state.is_terminal
    ('1x3', 1, True)
    """

    bids: tuple[Bid, ...] = ()
    """All bids in the order in which they were made, the first by player 0."""
    call: Call | None = None
    caller: int | None = None

    @property
    def last_bid(self) -> Bid | None:
        """The standing bid."""
        return self.bids[-1] if self.bids else None

    @property
    def is_terminal(self) -> bool:
        """Whether a call has ended the round."""
        return self.call is not None


class OutcomeKind(Enum):
    """How a round ended."""

    BIDDER_LOSES = "bidder_loses"
    """Challenged, and the bid was false."""
    CHALLENGER_LOSES = "challenger_loses"
    """Challenged, and the bid was true."""
    EXACT_RIGHT = "exact_right"
    """The exact call was right."""
    EXACT_WRONG = "exact_wrong"
    """The exact call was wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """The showdown: the count, and who has won or lost by it.

    Examples
    --------
    >>> from liarsolve.rules.presets import COMMON
    >>> round_ = Round(COMMON, (1, 1))
    >>> outcome = round_.showdown(round_.state_after(["1x3", "liar"]), [(2,), (3,)])
    >>> outcome.kind.value, outcome.count, outcome.winner
    ('challenger_loses', 1, 0)
    """

    kind: OutcomeKind
    count: int
    """Dice of all players that match the bid."""
    bid: Bid
    bidder: int
    caller: int
    loser: int | None
    """The player the outcome goes against; none for a right exact call among three or more."""
    winner: int | None
    """The player the outcome favours; none for a wrong exact call among three or more."""


def _check_state(state: object) -> None:
    if not isinstance(state, PublicState):
        raise InputTypeError(f"a state is what Round.state_after returns, got {state!r}")


@dataclass(frozen=True)
class Round:
    """One round: the rules, and how many dice each player has.

    Players are numbered in turn order; player 0 bids first. Two rounds are equal if they are played
    alike: what they cost in a match does not count. Without ``cap_bids`` the bids go up
    to one die more than there are on the table: every bid above the number of dice is false
    whatever the dice show, so still larger ones would add nothing but length.

    In a palifico round no face is wild, every face may be bid and may open, and faces rank from 1
    upwards without the half rule; after the first bid only some players may change the face
    (``rules.palifico_face``). The game of PE.7 plays no palifico round with two players left;
    here it is allowed, for analysis.

    Parameters
    ----------
    rules : RuleSet
        The rules of the round.
    dice : tuple of int
        Dice of each player, two players or more, each at least 1.
    palifico : bool
        Whether this is a palifico round (PE.7).
    ex_palifico : frozenset of int
        Players who have had a palifico round of their own; asked only by
        ``ex_palifico_may_change``.

    Raises
    ------
    InputError, InputTypeError
        If dice or players are not as described.
    RuleError
        If the rules leave no legal opening bid for these dice.

    >>> from liarsolve.rules.presets import PERUDO
    >>> perudo = Round(PERUDO, (2, 1))
    >>> state = perudo.state_after(["2x5"])
    >>> " ".join(map(str, perudo.legal_actions(state)))
    '2x6 1x1 3x2 3x3 3x4 3x5 3x6 2x1 3x1 liar exact'
    >>> perudo.illegal_reason(state, Bid(2, 4))
    'raise refused: PE.3a a raise needs more dice, or as many of a higher face; got 2x4 on 2x5'
    """

    rules: RuleSet = field(compare=False)
    dice: tuple[int, ...]
    _: KW_ONLY
    palifico: bool = False
    ex_palifico: frozenset[int] = frozenset()
    _round_rules: BiddingRoundRules = field(init=False, repr=False)

    def __post_init__(self) -> None:
        self._check_kinds()
        object.__setattr__(self, "_round_rules", self.rules.round_rules)
        dice = tuple(n_dice.__index__() for n_dice in self.dice)
        object.__setattr__(self, "dice", dice)
        object.__setattr__(self, "ex_palifico", frozenset(self.ex_palifico))
        if len(dice) < 2:
            raise InputError(f"a round needs two players or more, got dice={dice}")
        if min(dice) < 1:
            raise InputError(
                f"each player needs a die, got dice={dice}; a player without dice has lost"
            )
        if self.max_quantity * self.rules.faces > MAX_BIDS:
            raise InputError(
                f"a round has at most {MAX_BIDS:,} bids, and {self.total_dice} dice of "
                f"{self.rules.faces} faces allow more; take fewer dice or faces"
            )
        for player in self.ex_palifico:
            self._check_player(player)
        if not any(self._opening_problem(bid) is None for bid in self.bids):
            raise RuleError(
                f"no opening bid is legal with {self.total_dice} dice: "
                f"open_min={self.rules.open_min.value} asks for {self._open_min} or more"
            )

    def _check_kinds(self) -> None:
        """Refuse values of another kind than they should be."""
        if getattr(self.rules, "family", None) == "cup":
            raise InputTypeError(
                f"{self.rules.name} is a cup game, which CupRound plays; a Round takes rules of "
                "bidding such as presets.PERUDO"
            )
        if not isinstance(self.rules, RuleSet):
            raise InputTypeError(f"rules are a RuleSet such as presets.PERUDO, got {self.rules!r}")
        check_flag("palifico", self.palifico)
        if isinstance(self.dice, str | bytes) or not isinstance(self.dice, Iterable):
            raise InputTypeError(
                f"dice are numbers, one for each player, as in (2, 1), got {self.dice!r}"
            )
        if isinstance(self.ex_palifico, str | bytes) or not isinstance(self.ex_palifico, Iterable):
            raise InputTypeError(
                f"ex_palifico are the numbers of players, as in {{0, 2}}, got {self.ex_palifico!r}"
            )
        for n_dice in self.dice:
            if isinstance(n_dice, bool) or not hasattr(n_dice, "__index__"):
                raise InputTypeError(f"dice are whole numbers, one per player, got {n_dice!r}")

    @property
    def n_players(self) -> int:
        """Number of players."""
        return len(self.dice)

    @property
    def total_dice(self) -> int:
        """Dice of all players together."""
        return sum(self.dice)

    @property
    def max_count(self) -> int:
        """Most dice that can match a bid: all on the table, and what ``hand_bonus`` adds."""
        return self.total_dice + most_extra(self.dice, self.rules.faces, self.rules.hand_bonus)

    @property
    def max_quantity(self) -> int:
        """Largest quantity that can be bid."""
        return self.max_count + (0 if self.rules.cap_bids else 1)

    @cached_property
    def bids(self) -> tuple[Bid, ...]:
        """Every bid of the round, lowest first: a legal raise goes to a later position."""
        return enumerate_bids(self.rules, self.max_quantity, palifico=self.palifico)

    @cached_property
    def _id_of_bid(self) -> dict[Bid, int]:
        return {bid: bid_id for bid_id, bid in enumerate(self.bids)}

    def bid_id(self, bid: Bid) -> int:
        """Position of a bid in `bids`.

        Raises
        ------
        IllegalActionError
            If the bid can never be made in this round.
        """
        if not isinstance(bid, Bid):
            raise InputTypeError(f"a bid is a Bid such as Bid(2, 3), got {bid!r}")
        bid_id = self._id_of_bid.get(bid)
        if bid_id is None:
            raise IllegalActionError(f"bid refused: {self._unbiddable_problem(bid)}")
        return bid_id

    def initial_state(self) -> PublicState:
        """Return the state in which no bid has been made."""
        return PublicState()

    def to_act(self, state: PublicState) -> int:
        """Player whose turn it is; after a call, whose turn it was."""
        _check_state(state)
        return len(state.bids) % self.n_players

    def bidder(self, state: PublicState) -> int | None:
        """Player who made the standing bid."""
        return (len(state.bids) - 1) % self.n_players if state.bids else None

    def is_locked(self, state: PublicState) -> bool:
        """Whether bids on ones have ended their wildness for the rest of the round (LD.4)."""
        ones = self.rules.ones_face
        if self.palifico or self.rules.wild_until is WildUntil.NEVER_LOCKED:
            return False
        if self.rules.wild_until is WildUntil.OPENING_ONES:
            return bool(state.bids) and state.bids[0].face == ones
        return any(bid.face == ones for bid in state.bids)

    def wild_face(self, state: PublicState) -> int | None:
        """Face that counts for the standing bid too; a bid on that face counts it alone (PE.4)."""
        if self.palifico or self.rules.wild is Wild.NONE or self.is_locked(state):
            return None
        return self.rules.ones_face

    def illegal_reason(
        self, state: PublicState, action: Action, player: int | None = None
    ) -> str | None:
        """Say why ``player`` (the one on turn) may not do this; ``None`` if they may.

        Every other question about legality is answered by this one. The sentence names the
        clause or the option.

        Raises
        ------
        InputTypeError
            If it is no action of bidding.
        InputError
            If there is no such player.
        """
        player = self.to_act(state) if player is None else player
        _check_state(state)
        self._check_player(player)
        if isinstance(action, Bid):
            kind = "raise" if state.bids else "opening bid"
        elif isinstance(action, Call):
            kind = "challenge" if action is CHALLENGE else "exact call"
        else:
            raise InputTypeError(f"an action is a Bid, CHALLENGE or EXACT, got {action!r}")
        if state.call is not None:
            problem: str | None = (
                f"the round is over, player {state.caller} has called {state.call}"
            )
        elif isinstance(action, Bid):
            problem = self._bid_problem(state, action, player)
        elif action is CHALLENGE:
            problem = self._challenge_problem(state, player)
        else:
            problem = self._exact_problem(state, player)
        return None if problem is None else f"{kind} refused: {problem}"

    def legal_actions(self, state: PublicState, player: int | None = None) -> tuple[Action, ...]:
        """All actions open to ``player`` (the one on turn): bids lowest first, then the calls."""
        _check_state(state)
        # a legal raise always has a larger id
        first = 0 if state.last_bid is None else self.bid_id(state.last_bid) + 1
        candidates: tuple[Action, ...] = (*self.bids[first:], CHALLENGE, EXACT)
        return tuple(
            action for action in candidates if self.illegal_reason(state, action, player) is None
        )

    def next_state(
        self, state: PublicState, action: Action, player: int | None = None
    ) -> PublicState:
        """State after ``player`` (the one on turn) has done this.

        Raises
        ------
        IllegalActionError
            With the sentence of `illegal_reason`.
        """
        reason = self.illegal_reason(state, action, player)
        if reason is not None:
            raise IllegalActionError(reason)
        if isinstance(action, Bid):
            return PublicState(bids=(*state.bids, action))
        caller = self.to_act(state) if player is None else player
        return PublicState(bids=state.bids, call=action, caller=caller)

    def state_after(self, actions: Iterable[Action | str]) -> PublicState:
        """State after actions from the start of the round, each by the player on turn.

        Raises
        ------
        InputTypeError
            If the actions are not listed, as a text alone.
        IllegalActionError
            With the number of the first illegal action, and the sentence of `illegal_reason`.
        """
        state = self.initial_state()
        if isinstance(actions, str | bytes) or not isinstance(actions, Iterable):
            raise InputTypeError(f'a history is a list of bids such as ["1x2"], got {actions!r}')
        for number, entry in enumerate(actions, start=1):
            action = parse_action(entry) if isinstance(entry, str) else entry
            reason = self.illegal_reason(state, action)
            if reason is not None:
                raise IllegalActionError(f"action {number}, {action}: {reason}")
            state = self.next_state(state, action)
        return state

    def graph_key(self, state: PublicState) -> tuple[int, int, bool]:
        """Standing bid, player on turn and lock: all that decides what may follow, and its worth.

        Two states that are not terminal and have the same key have the same legal actions and the
        same judgement of every bid, now and after the same further actions.
        """
        last_bid_id = -1 if state.last_bid is None else self.bid_id(state.last_bid)
        return (last_bid_id, self.to_act(state), self.is_locked(state))

    def showdown(self, state: PublicState, hands: Sequence[Hand]) -> Outcome:
        """Show all dice after a call, count, and say who has won.

        Raises
        ------
        InputError
            If no call has been made, or the hands do not fit the dice of the players.

        >>> from liarsolve.rules.presets import PERUDO
        >>> perudo = Round(PERUDO, (2, 1))
        >>> perudo.showdown(perudo.state_after(["2x5", "liar"]), [(1, 5), (3,)]).count
        2
        """
        bid, bidder = state.last_bid, self.bidder(state)
        if state.call is None or state.caller is None or bid is None or bidder is None:
            raise InputError("a showdown needs a call, but nobody has called liar or exact yet")
        wild, bonus = self.wild_face(state), self.rules.hand_bonus
        count = sum(count_hand(hand, bid.face, wild, bonus) for hand in self._checked_hands(hands))
        rival: int | None
        if state.call is CHALLENGE:
            is_right, rival = count < bid.quantity, bidder
            kind = OutcomeKind.BIDDER_LOSES if is_right else OutcomeKind.CHALLENGER_LOSES
        else:
            is_right, rival = count == bid.quantity, bidder if self.n_players == 2 else None
            kind = OutcomeKind.EXACT_RIGHT if is_right else OutcomeKind.EXACT_WRONG
        winner, loser = (state.caller, rival) if is_right else (rival, state.caller)
        return Outcome(
            kind=kind,
            count=count,
            bid=bid,
            bidder=bidder,
            caller=state.caller,
            loser=loser,
            winner=winner,
        )

    def _checked_hands(self, hands: Sequence[Hand]) -> list[Hand]:
        if not isinstance(hands, Sequence):
            raise InputTypeError(f"hands are listed, one for each player, got {hands!r}")
        if len(hands) != self.n_players:
            raise InputError(
                f"a showdown needs the hands of all {self.n_players} players, got {len(hands)}"
            )
        parsed = [parse_hand(hand, self.rules.faces) for hand in hands]
        for player, (hand, n_dice) in enumerate(zip(parsed, self.dice, strict=True)):
            if len(hand) != n_dice:
                raise InputError(
                    f"player {player} has {n_dice} dice, got the hand {format_hand(hand)!r}"
                )
        return parsed

    def _check_player(self, player: int) -> None:
        if type(player) is not int:
            player = check_whole("a player", player)
        if not 0 <= player < self.n_players:
            raise InputError(f"players are numbered 0 to {self.n_players - 1}, got {player}")

    def _bid_problem(self, state: PublicState, bid: Bid, player: int) -> str | None:
        to_act = self.to_act(state)
        if player != to_act:
            return f"it is the turn of player {to_act}, not of player {player}"
        if bid not in self._id_of_bid:
            return self._unbiddable_problem(bid)
        if state.last_bid is None:
            return self._opening_problem(bid)
        if self.palifico and bid.face != state.last_bid.face:
            problem = self._palifico_face_problem(state.last_bid, bid, player)
            if problem is not None:
                return problem
        return raise_problem(self.rules, state.last_bid, bid, palifico=self.palifico)

    def _unbiddable_problem(self, bid: Bid) -> str:
        """Say why a bid is not among `bids`."""
        rules = self.rules
        if bid.face > rules.faces:
            return f"the dice have faces 1 to {rules.faces}, got {bid}"
        if bid.face not in biddable_faces(rules, palifico=self.palifico):
            ones = "stars" if rules.wild is Wild.TOP_FACE else "ones"
            return f"with ones_slot=forbidden, {ones} may not be bid, got {bid}"
        if rules.cap_bids and self.max_count > self.total_dice:
            return (
                f"PE?7 with hand_bonus={rules.hand_bonus.value}, the {self.total_dice} dice on "
                f"the table count {self.max_count} at most, got {bid}"
            )
        if rules.cap_bids:
            return f"PE?7 there are {self.total_dice} dice on the table, got {bid}"
        return (
            f"with cap_bids=false, bids still end one above the {self.total_dice} dice on the "
            f"table, at {self.max_quantity}; got {bid}"
        )

    @cached_property
    def _open_min(self) -> int:
        """Smallest quantity of an opening bid."""
        if self.rules.open_min is OpenMin.N_PLAYERS:
            return self.n_players
        if self.rules.open_min is OpenMin.ONE_AND_A_HALF_N:
            return (3 * self.n_players + 1) // 2
        return 1

    def _opening_problem(self, bid: Bid) -> str | None:
        rules = self.rules
        if rules.open_ones is OpenOnes.NO and not self.palifico and bid.face == rules.ones_face:
            ones = "stars" if rules.wild is Wild.TOP_FACE else "ones"
            return f"PE.2 {ones} may not open the round, got {bid}"
        if bid.quantity < self._open_min:
            return (
                f"with open_min={rules.open_min.value}, an opening bid needs at least "
                f"{self._open_min} dice with {self.n_players} players, got {bid}"
            )
        return None

    def _palifico_face_problem(self, last: Bid, bid: Bid, player: int) -> str | None:
        who = self.rules.palifico_face
        if who is PalificoFace.LOCKED_ALL:
            reason = "nobody may change the face in a palifico round"
        elif who is PalificoFace.ONE_DIE_MAY_CHANGE and self.dice[player] > 1:
            reason = (
                "only players with one die may change the face in a palifico round, "
                f"player {player} has {self.dice[player]} dice"
            )
        elif who is PalificoFace.EX_PALIFICO_MAY_CHANGE and player not in self.ex_palifico:
            reason = (
                "only players who have been palifico may change the face in a palifico round, "
                f"player {player} has not"
            )
        else:
            return None
        return f"PE.7 {reason}; got {bid} on {last}"

    def _challenge_problem(self, state: PublicState, player: int) -> str | None:
        if not state.bids:
            return "there is no bid to challenge yet"
        if player == self.bidder(state):
            return f"player {player} made the standing bid {state.last_bid}"
        if self.rules.challenge_who is ChallengeWho.NEXT and player != self.to_act(state):
            return (
                f"LD?3 only the player on turn, {self.to_act(state)}, may challenge, "
                f"not player {player}"
            )
        return None

    def _exact_problem(self, state: PublicState, player: int) -> str | None:
        who = self.rules.exact_who
        is_on_turn = player == self.to_act(state)
        if who is ExactWho.OFF:
            return "with exact_who=off, there is no exact call"
        if self.palifico:
            return "PE?4 there is no exact call in a palifico round"
        if self.n_players < self.rules.exact_min_players:
            return (
                f"PE.6 it needs at least {self.rules.exact_min_players} players, "
                f"there are {self.n_players}"
            )
        if not state.bids:
            return "there is no bid to call exact yet"
        if player == self.bidder(state):
            return f"player {player} made the standing bid {state.last_bid}"
        if who is ExactWho.NEXT and not is_on_turn:
            return (
                f"PE?3 only the player on turn, {self.to_act(state)}, may call exact, "
                f"not player {player}"
            )
        if who is ExactWho.OFF_TURN_ONLY and is_on_turn:
            return f"PE?3 only players who are not on turn may call exact, not player {player}"
        return None
