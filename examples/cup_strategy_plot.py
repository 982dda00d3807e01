"""Draw how a cup game is opened: which claims are believed, and what is claimed with which hand.

python cup_strategy_plot.py                                a small game of three dice
python cup_strategy_plot.py picture.png --rules classic    the whole game, in some minutes
python cup_strategy_plot.py picture.png --load FOLDER      one that was solved and saved
"""

import argparse
import logging
import sys
from itertools import groupby
from pathlib import Path
from tempfile import gettempdir

import numpy as np

from liarsolve import CupSolution, LiarsolveError, load, presets, solve
from liarsolve.rules import CupMove

INK, TRUE, LIE, PAPER, LINES = "#2b2b2b", "#2f6f8f", "#c0452f", "#fdfcf9", "#e3ddd0"


def read_opening(solution):
    """Arrays of the opening: chance to claim [claims, hands], to accept [claims], truth, dealt."""
    rules, strategy = solution.rules, solution.strategy
    hands = sorted(rules.equipment.hands, key=rules.ranking.key)
    weights = [rules.equipment.weights[rules.equipment.hand_ids[hand]] for hand in hands]
    made = np.zeros((len(rules.claims), len(hands)))
    for j, hand in enumerate(hands):
        for claim, p in strategy.probs(holding=hand).items():
            made[rules.claims.index(claim), j] = p
    answers = [strategy.probs(offered=claim) for claim in rules.claims]
    accept = np.array([probs.get(CupMove.ACCEPT, 0.0) for probs in answers])
    truth = rules.claims.truth_table(rules.truth)
    truth = truth[:, [rules.equipment.hand_ids[hand] for hand in hands]]
    return hands, made, accept, truth, np.array(weights) / sum(weights)


def name_runs(categories):
    """Neighbours of one category: its name, the first place and the last."""
    words = {"full": "full house", "three": "three of a kind", "four": "four of a kind"}
    names = [words.get(kind.value, kind.value.replace("_", " ")) for kind in categories]
    for name, places in groupby(range(len(names)), key=names.__getitem__):
        run = list(places)
        yield name, run[0] - 0.5, run[-1] + 0.5


def mark_kinds(axis, runs, n_places):
    """Name the kinds of hands or claims along an axis, and draw where they end."""
    is_x = axis.axis_name == "x"
    draw_line = axis.axes.axvline if is_x else axis.axes.axhline
    wide = [(name, first, last) for name, first, last in runs if last - first >= 0.04 * n_places]
    for _, _, last in runs[:-1]:
        draw_line(last, color=LINES, lw=0.8, zorder=0)
    turn = {"rotation": 30, "ha": "right", "rotation_mode": "anchor"} if is_x else {}
    names = [name for name, _, _ in wide]
    axis.set_ticks([(first + last) / 2 for _, first, last in wide], names, **turn)
    axis.set_tick_params(length=0)


def import_pyplot():
    """What draws, set up to write files."""
    logging.getLogger("matplotlib").setLevel(logging.ERROR)  # it tells of building a font cache
    try:
        import matplotlib
    except ImportError:
        sys.exit("drawing needs matplotlib; install it with: pip install 'liarsolve[plot]'")
    matplotlib.use("agg")
    from matplotlib import pyplot

    return pyplot


def draw(solution, path, plt):
    """Draw both pictures side by side."""
    rules = solution.rules
    hands, made, accept, truth, distribution = read_opening(solution)
    frequency = made @ distribution
    is_made = frequency > 1e-4
    p_true = (made * truth) @ distribution / np.maximum(frequency, 1e-12)
    claims, claim_runs = len(accept), list(name_runs([c.category for c in rules.claims]))
    hand_runs = list(name_runs([rules.ranking.category(hand) for hand in hands]))

    style = {"axes.edgecolor": INK, "text.color": INK, "axes.labelcolor": INK, "font.size": 10.5}
    style |= {"xtick.color": INK, "ytick.color": INK, "axes.spines.top": False}
    style |= {"axes.spines.right": False, "figure.facecolor": PAPER, "axes.facecolor": PAPER}
    with plt.rc_context(style):
        figure, (left, right) = plt.subplots(1, 2, figsize=(13, 6.4), layout="constrained")
        low, high = solution.win_bounds
        title = f"{rules.name}: whoever throws first wins {50 * (low + high):.1f} % of the rounds"
        figure.suptitle(title, fontsize=15, fontweight="bold", x=0.012, ha="left")

        mark_kinds(left.xaxis, claim_runs, claims)
        places = np.arange(claims)
        left.plot(places, 100 * accept, color=INK, lw=2.2, label="accepted", zorder=3)
        size = 14 + 1400 * frequency[is_made]
        left.scatter(
            places[is_made], 100 * p_true[is_made], s=size, color=TRUE, alpha=0.6, lw=0, zorder=2,
            label="true, larger where it is made more often",
        )  # fmt: skip
        left.set(xlim=(-0.5, claims - 0.5), ylim=(-2, 104), ylabel="% of the times it is made")
        left.set_title("The first claim: how often it is accepted, and true", loc="left", pad=10)
        left.set_xlabel("claim, from low to high")
        left.legend(frameon=False, loc="lower left").legend_handles[1].set_sizes([40])

        mark_kinds(right.xaxis, hand_runs, len(hands))
        mark_kinds(right.yaxis, claim_runs, claims)
        for is_true, color, word in ((True, TRUE, "true"), (False, LIE, "a lie")):
            claim, hand = np.nonzero((made > 0.005) & (truth == is_true))
            size = (0.5 + 0.5 * made[claim, hand]) * (420 / len(hands) + 1.2) ** 2
            right.scatter(
                hand, claim, s=size, color=color, alpha=0.4 + 0.6 * made[claim, hand], lw=0,
                marker="s", zorder=3,
            )  # fmt: skip
            right.scatter([], [], s=40, color=color, marker="s", label=word)
        right.set(xlim=(-0.5, len(hands) - 0.5), ylim=(-0.5, claims - 0.5))
        right.legend(frameon=False, loc="lower right")
        right.set_title("What is claimed first with which hand", loc="left", pad=10)
        right.set(xlabel="hand, from low to high", ylabel="claim, from low to high")
        try:
            figure.savefig(path, dpi=100)
        except (OSError, ValueError) as error:  # ValueError: an ending that names no kind of file
            reason = getattr(error, "strerror", None) or str(error).rstrip(".").splitlines()[0]
            sys.exit(f"{path} could not be drawn: {reason}")
    plt.close(figure)


def main():
    """Solve or load, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", nargs="?", default=Path(gettempdir()) / "cup_strategy.png")
    parser.add_argument("--rules", choices=sorted(presets.CUP_PRESETS), help="solve that game")
    parser.add_argument("--load", metavar="FOLDER", help="what `liarsolve solve --out` saved")
    args = parser.parse_args()
    pyplot = import_pyplot()
    if args.load is not None:
        try:
            solution = load(args.load)
        except LiarsolveError as error:
            sys.exit(str(error))
        if not isinstance(solution, CupSolution):
            sys.exit(f"{args.load} holds a round of bidding, and this draws cup games")
    elif args.rules is not None:
        solution = solve(presets.CUP_PRESETS[args.rules].replace(blind_pass="off"))
    else:
        small = presets.DOUBTFUL_DICE.replace(equipment="dice(3,6)", claim_detail="full")
        small = small.replace(nothing_claims="named")
        solution = solve(small.replace(name="three dice"))
    draw(solution, args.picture, pyplot)
    print(f"{solution.rules.name} is drawn in {args.picture}")


if __name__ == "__main__":
    main()
