"""Whether the options of a cup game have values of their kind."""

from collections.abc import Mapping
from enum import Enum

__all__ = ["kind_problem", "number_problem"]

_TEXT = "text goes through CupRules.replace or CupRules.from_dict"


def kind_problem(rules: object, kinds: Mapping[str, type]) -> str | None:
    """Say which option is not of the type it must have."""
    for option, kind in kinds.items():
        value = getattr(rules, option)
        if not isinstance(value, kind):
            member = "a member of " if issubclass(kind, Enum) else "of type "
            return f"{option} must be {member}{kind.__name__}, got {value!r}; {_TEXT}"
    return None


def number_problem(rules: object, least: Mapping[str, int]) -> str | None:
    """Say which option is no whole number, or too small a one."""
    for option, bound in least.items():
        value = getattr(rules, option)
        if type(value) is not int or value < bound:
            return f"{option} must be a whole number of at least {bound}, got {value!r}"
    return None
