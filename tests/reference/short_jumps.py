"""What players who do not jump far make of a history, by listing every history that they know."""

from collections import defaultdict

from reference.bidding import ReferenceGame
from reference.imperfect_recall import ImperfectRecallCFR


class ShortJumps:
    """Raises to one of the first few legal bids, and how bids beyond them are remembered.

    After every bid what is remembered is made to look like the end of a history that the players
    know: one with the same standing bid, the same number of remembered bids, the same player on
    turn and the same wild faces. Going back from the standing bid, each bid stays as it is if such
    a history has it, and is otherwise taken for the lowest in such a history, but not lower than it
    was if that can be. If there is no such history, nothing is changed.

    ``order`` names all bids, the lowest first; with ``n_bids`` None nothing is forgotten.
    """

    def __init__(self, game: ReferenceGame, order, max_jump, n_bids=None) -> None:
        self.game, self.max_jump, self.n_bids = game, max_jump, n_bids
        self.rank = {bid: rank for rank, bid in enumerate(order)}
        self.read = {(): ()}
        self.known = defaultdict(set)
        for history in self.known_histories(()):
            if history:
                self.known[self.kind(history, self.last(history))].add(self.last(history))

    def known_actions(self, history):
        actions = self.game.legal_actions(history)
        raises = sorted((a for a in actions if not isinstance(a, str)), key=self.rank.get)
        calls = [a for a in actions if isinstance(a, str)]
        return raises[: self.max_jump if history else None] + calls

    def known_histories(self, history):
        yield history
        for action in self.known_actions(history):
            if not isinstance(action, str):
                yield from self.known_histories((*history, action))

    def last(self, bids):
        return bids if self.n_bids is None else bids[-self.n_bids :]

    def kind(self, history, remembered):
        mover = self.game.player_to_act(history)
        return remembered[-1], len(remembered), mover, self.game.jokers_live(history)

    def reading(self, history):
        """The bids that are remembered after a history, as they are read, the standing one last."""
        if history not in self.read:
            made = self.last((*self.reading(history[:-1]), history[-1]))
            self.read[history] = self.nearest(made, self.known[self.kind(history, made)])
        return self.read[history]

    def nearest(self, made, possible):
        if not possible:
            return made
        for place in range(len(made) - 2, -1, -1):
            bids = {other[place] for other in possible}
            bid = made[place]
            if bid not in bids:
                higher = [b for b in bids if self.rank[b] > self.rank[bid]]
                bid = min(higher or bids, key=self.rank.get)
            possible = {other for other in possible if other[place] == bid}
        (reading,) = possible
        return reading


class ShortJumpCFR(ImperfectRecallCFR):
    """`ForgetfulCFR` for players who also raise to one of the first few legal bids only."""

    def __init__(self, game: ReferenceGame, jumps: ShortJumps, **options) -> None:
        super().__init__(game, jumps.n_bids or len(jumps.rank), **options)
        self.jumps = jumps

    def memory(self, history):
        is_short = len(history) < self.n_bids
        return self.jumps.reading(history), is_short, self.game.jokers_live(history)

    def actions(self, history):
        return self.jumps.known_actions(history)


class MergedHandsCFR(ShortJumpCFR):
    """`ShortJumpCFR` for players to whom hands are alike that match the next bids alike.

    A hand is told apart by how many of its dice match the standing bid and each of the next
    ``n_matched`` legal bids; before the opening bid all hands are. In the averages every hand
    counts with its chance, as it does in the regrets by the deals.
    """

    def __init__(self, game: ReferenceGame, jumps: ShortJumps, n_matched, **options) -> None:
        super().__init__(game, jumps, **options)
        self.n_matched = n_matched

    def kind_of_hand(self, player, hand, history):
        if not history:
            return hand
        legal = [a for a in self.game.legal_actions(history) if not isinstance(a, str)]
        legal.sort(key=self.jumps.rank.get)
        after = [history, *((*history, bid) for bid in legal[: self.n_matched])]
        return tuple(self.game.count(bids, (hand,)) for bids in after)

    def key(self, player, hand, history):
        return player, self.kind_of_hand(player, hand, history), self.memory(history)
