"""Rules in a few words: a preset, and the options that differ from it."""

from liarsolve.errors import RuleError
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.rule_set import CupRules
from liarsolve.rules.option_text import format_option
from liarsolve.rules.presets import PRESETS, get_preset

__all__ = ["format_rules", "parse_rules"]


def format_rules(rules: RuleSet | CupRules) -> str:
    """Write rules as a preset and what differs from it, the inverse of `parse_rules`.

    The preset is the one that the rules are named after, or the one with the fewest differences.

    Raises
    ------
    RuleError
        If the rules have a ranking of their own, which has no name that could be read.

    Examples
    --------
    >>> from liarsolve.rules import presets
    >>> format_rules(presets.PERUDO.replace(faces=3, open_ones="yes"))
    'perudo faces=3 open_ones=yes'
    """
    family = {name: preset for name, preset in PRESETS.items() if type(preset) is type(rules)}
    own = rules.name.partition(",")[0].strip()
    named = [own] if own in family else []
    written = [(name, _differences(rules, family[name])) for name in named or family]
    name, changes = min(written, key=lambda entry: len(entry[1]))
    text = " ".join([name, *(f"{option}={value}" for option, value in changes.items())])
    if parse_rules(text) != rules:
        raise RuleError(f"{rules.name} has options that cannot be written down, such as a ranking")
    return text


def parse_rules(text: str) -> RuleSet | CupRules:
    """Read a preset and options that change it, such as ``perudo faces=3``.

    Raises
    ------
    RuleError
        If there is no such preset, option or value, or they make no sense together.

    >>> parse_rules("perudo faces=3").faces
    3
    """
    name, *entries = text.split() or [""]
    options: dict[str, str] = {}
    for entry in entries:
        option, equals, value = entry.partition("=")
        if not equals or not option:
            raise RuleError(
                f"rules are a preset and OPTION=VALUE, such as wild=none, got {entry!r}"
            )
        if option in options:
            raise RuleError(f"{option} is said twice, as {options[option]} and as {value}")
        options[option] = value
    return get_preset(name).replace(**options)


def _differences(rules: RuleSet | CupRules, preset: RuleSet | CupRules) -> dict[str, str]:
    """Options to change in a preset, in its order, so that these rules come out."""
    plain, usual = rules.to_dict(), preset.to_dict()
    changes = {
        option: format_option(value)
        for option, value in plain.items()
        if option != "name" and value != usual[option]
    }
    try:
        changed = preset.replace(**changes).to_dict()
    except RuleError:
        return changes  # a ranking without a name; `format_rules` says so
    also = {  # some changes take others along that are not wanted
        option: format_option(value)
        for option, value in plain.items()
        if option != "name" and value != changed[option]
    }
    merged = changes | also
    return {option: merged[option] for option in plain if option in merged}
