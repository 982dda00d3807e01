"""Draw what forgetting costs: true exploitability by the number of bids that players remember.

python recall_prices_plot.py                 the table that comes with the library
python recall_prices_plot.py picture.png     the same, to that file
"""

import argparse
import logging
import sys
from collections import defaultdict
from pathlib import Path
from tempfile import gettempdir

from liarsolve import recall_prices

INK, PAPER, LINES = "#2b2b2b", "#fdfcf9", "#e3ddd0"
COLORS = ("#2f6f8f", "#c0452f", "#8a7a2f", "#6a4c93")


def lines_by_rules(prices):
    """For every preset a line for each number of dice: dice, recalls, exploitabilities."""
    found = defaultdict(lambda: defaultdict(list))
    for price in prices:
        found[price.rules][price.dice].append((price.abstraction.recall, price.exploitability))
    return {
        rules: [(dice, *zip(*sorted(points), strict=True)) for dice, points in sorted(by.items())]
        for rules, by in sorted(found.items())
    }


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


def draw(lines, path, plt):
    """Draw one panel for each preset."""
    style = {"axes.edgecolor": INK, "text.color": INK, "axes.labelcolor": INK, "font.size": 10.5}
    style |= {"xtick.color": INK, "ytick.color": INK, "axes.spines.top": False}
    style |= {"axes.spines.right": False, "figure.facecolor": PAPER, "axes.facecolor": PAPER}
    color_of = {}
    with plt.rc_context(style):
        figure, panels = plt.subplots(
            1, len(lines), figsize=(12, 4.6), layout="constrained", sharey=True, squeeze=False
        )
        figure.suptitle(
            "What forgetting costs: utility lost a round to a best response that forgets nothing",
            fontsize=14, fontweight="bold", x=0.012, ha="left",
        )  # fmt: skip
        for axis, (rules, rows) in zip(panels[0], lines.items(), strict=True):
            axis.set_title(rules, loc="left", pad=10)
            axis.grid(axis="y", color=LINES, lw=0.8)
            for dice, recalls, prices in rows:
                color = color_of.setdefault(dice, COLORS[len(color_of) % len(COLORS)])
                axis.plot(recalls, prices, "o-", color=color, lw=2)
            axis.set(yscale="log", xticks=range(1, 5), xlabel="bids that players remember")
        panels[0][0].set_ylabel("true exploitability")
        last = panels[0][-1]
        for dice, color in sorted(color_of.items()):
            last.plot([], [], "o-", color=color, lw=2, label="{} v {}".format(*dice))
        last.legend(frameon=False, loc="upper right", title="dice, six faces")
        try:
            figure.savefig(path, dpi=100)
        except (OSError, ValueError) as error:  # ValueError: an ending that names no kind of file
            reason = getattr(error, "strerror", None) or str(error).rstrip(".").splitlines()[0]
            sys.exit(f"{path} could not be drawn: {reason}")
    plt.close(figure)


def main():
    """Read the table, and draw."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("picture", nargs="?", default=Path(gettempdir()) / "recall_prices.png")
    picture = parser.parse_args().picture
    draw(lines_by_rules(recall_prices()), picture, import_pyplot())
    print(f"{len(recall_prices())} prices are drawn in {picture}")


if __name__ == "__main__":
    main()
