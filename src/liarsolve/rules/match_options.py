"""The options of matches that both families share: one enum each, valued as players write them."""

from enum import Enum

__all__ = ["ExtraLife", "MatchEnd", "NextStarter", "StarterIfOut"]


class NextStarter(Enum):
    """Who starts the next round."""

    CHALLENGER = "challenger"
    """The player whose answer ended the round, whoever lost (CL.8, DD.6)."""
    LOSER = "loser"
    """The player who lost the round (BX.5, LD.3)."""
    WINNER = "winner"
    """The player who won it (Mia)."""
    ROTATE = "rotate"
    """The next player to the left of the one who started this round (Red Dead Redemption)."""
    CALLER_OF_EXACT = "caller_of_exact"
    """The player who lost the round; after an exact call its caller, right or wrong (PE?5)."""


class StarterIfOut(Enum):
    """Who starts if that player has just gone out (CL?3, BX?5, LD.3)."""

    NEXT_LEFT = "next_left"
    """The next player to their left who is still in."""
    WINNER_OF_CALL = "winner_of_call"
    """The winner of the round."""


class ExtraLife(Enum):
    """Who gets one more life, or die, after losing all (CL.11, BX.1)."""

    OFF = "off"
    """Nobody."""
    FIRST_OUT = "first_out"
    """The first player of the match, once."""
    EVERYONE = "everyone"
    """Every player, once."""


class MatchEnd(Enum):
    """When a match is over."""

    LAST_STANDING = "last_standing"
    """When one player is left, who has won (CL.13, BX.1, DD.10, LD.1)."""
    FIRST_OUT_LOSES = "first_out_loses"
    """When the first player goes out, who has lost."""
    SINGLE_ROUND = "single_round"
    """After one round; who has lost nothing in it has won."""
