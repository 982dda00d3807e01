"""Rules in plain words, whatever their family."""

from liarsolve.rules.bidding.describe import bidding_sentences, summarize_bidding_rules
from liarsolve.rules.bidding.rule_set import RuleSet
from liarsolve.rules.cup.describe import cup_sentences, summarize_cup_rules
from liarsolve.rules.cup.rule_set import CupRules


def describe_rules(rules: RuleSet | CupRules) -> str:
    r"""Say in plain words how a round is played: a title and one line for each rule.

    >>> print(describe_rules(RuleSet(name="plain")).split("\n")[2])
    - No face is wild: a die counts only for the face it shows.
    """
    title = f"The rules of {rules.name}"
    return "\n".join([title, *(f"- {sentence}" for sentence in rule_sentences(rules))])


def rule_sentences(rules: RuleSet | CupRules) -> tuple[str, ...]:
    """List the rules as one paragraph each, in the order in which play meets them.

    >>> len(rule_sentences(RuleSet()))
    12
    """
    return cup_sentences(rules) if isinstance(rules, CupRules) else bidding_sentences(rules)


def summarize_rules(rules: RuleSet | CupRules) -> str:
    """Tell a rule set from others in one line.

    >>> summarize_rules(RuleSet())
    'no wild face; quantity, then face'
    """
    if isinstance(rules, CupRules):
        return summarize_cup_rules(rules)
    return summarize_bidding_rules(rules)
