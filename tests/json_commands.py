"""Command lines for everything that ``--json`` prints, by the definition that describes it."""

TWO = "--rules common --faces 2 --dice 1,1"
THREE = "--rules common --faces 2 --dice 1,1,1"
RECALL = f"{TWO} --recall 1 --max-iterations 20"
CUP = "--rules liar_die"
SEEN = "--rules classic --set equipment=dice(3,3)"

LINES = {
    "odds_bid": [
        "odds --bid 3x6 --total 10",
        "odds --bid 3x6 --total 10 --hand 6,6,1,2,3",
        "odds --bid 1x2 --unseen 2 --own 1 --wild none",
        "odds --bid 1x2 --unseen 2 --own 1 --wild 3",
        "odds --bid 5x2 --total 3 --rules perudo",
        "odds --dice 2,2 --history 1x2,1x3 --hand 3,1",
        "odds --dice 2,2 --history 1x2,1x3 --hand 3,1 --believe honest",
        "odds --dice 2,2 --bid 2x3 --palifico",
    ],
    "odds_table": [
        "odds --total 3",
        "odds --total 3 --hand 3,1 --wild 3",
        "odds --unseen 2 --rules common",
        "odds --dice 1,2 --hand 3",
        "odds --dice 1,2 --history= --hand 3",
    ],
    "odds_claim": [
        "odds --claim QQQ99",
        "odds --claim QQQ99 --hand QQQ9T --thrown 1",
        "odds --claim QQQ99 --hand QQQ9T --throws 2",
        "odds --beat --hand QQQ99 --keep QQQ --rules box",
    ],
    "odds_distribution": [
        "odds --rules mia",
        "odds --rules mia --hand 64 --thrown 2",
        "odds --rules classic --keep QQQQ",
    ],
    "rules_preset": [
        "rules perudo",
        "rules common --faces 2 --dice 1,1 --options",
        "rules mia --claims",
        "rules classic --set max_rethrow=2 --set dislodge_prob=1/10 --options",
    ],
    "rules_list": ["rules", "rules --options"],
    "solve_bidding": [
        f"solve {TWO}",
        f"solve {TWO} --exact --prove",
        f"solve {TWO} --exact --out {{out}}",
        f"solve {THREE} --max-iterations 10",
        f"solve {RECALL}",
        f"solve {TWO} --max-jump 1 --similar-hands 1 --max-iterations 10",
        f"solve {THREE} --recall 1 --max-iterations 10",
        "solve --rules perudo --faces 2 --dice 1,1 --palifico --max-iterations 5",
        "solve --rules perudo --faces 2 --dice 1,1 --exact-payoff 2,1 --max-iterations 5",
    ],
    "solve_cup": [
        f"solve {CUP}",
        f"solve {CUP} --exact --out {{out}}",
        f"solve {CUP} --players 3",
        "solve --rules classic --set equipment=dice(2,3) --players 3 --target 0.5",
        f"solve {SEEN}",
        "solve --rules box --set equipment=dice(2,3) --set blind_pass=any",
    ],
    "advise_bidding": [
        f"advise {TWO} --hand 1",
        f"advise {TWO} --hand 2 --history 1x1",
        f"advise {THREE} --hand 2 --history 1x1 --max-iterations 10",
        "advise --load {bidding} --hand 1 --history 1x2",
        "advise --load {bounded} --hand 1",
        "advise --load {unmeasured} --hand 1",
        f"advise {RECALL} --hand 2",
        f"advise {TWO} --set lives=2 --hand 1",
        "advise --position 'common faces=2; dice 1,0,1; starts 3; hand 1; said 1x1'",
    ],
    "advise_cup": [
        f"advise {CUP} --hand 3",
        f"advise {CUP} --offered 3",
        f"advise {CUP} --offered 5 --claim 4",
        f"advise {SEEN} --hand JTT --claim TT9",
        f"advise {SEEN} --hand JJT --passed JJ9 --claim JJ9 --thrown 1",
        f"advise {SEEN} --offered JJT --passed JJ9 --thrown 1",
        "advise --load {cup} --hand 3",
        "advise --position 'liar_die; lives 1,1; offered 3'",
    ],
    "advise_cup_table": [
        f"advise {CUP} --players 3 --hand 3",
        f"advise {CUP} --players 3 --offered 3",
        f"advise {CUP} --players 3 --offered 5 --claim 4",
        "advise --load {table} --hand 3",
    ],
    "advise_guide": [
        f"advise {CUP} --guide",
        f"advise {SEEN} --guide",
        "advise --rules classic --set equipment=dice(2,2) --guide",
        "advise --load {cup} --guide",
    ],
    "match": [
        "match --rules common --faces 2 --dice 2 --target 0.1 --folder {out}",
        "match --rules common --faces 2 --dice 1 --set lives=1 --set extra_life=everyone",
        "match --rules liar_die --set lives=2 --out {out}.json --svg {out}.svg",
        "match --rules common --dice 3 --max-seconds 1e-9",
    ],
    "play": [
        f"play {CUP} --seed 3 --coach after",
        "play --faces 2 --set dice=1 --seed 3",
        "play --faces 2 --set dice=1 --seed 3 --players 4 --opponents random",
    ],
    "arena": [
        f"arena {TWO} --players probability,honest --deals 3",
        f"arena {TWO} --players probability,honest --deals 3 --confidence 0.9999999999999999",
        f"arena {THREE} --players random,honest --deals 2",
        f"arena {TWO} --players strategy,strategy --deals 2 --computed",
        f"arena {CUP} --players strategy,honest --deals 2",
        f"arena {CUP} --players random,honest --deals 2 --seats 3",
    ],
    "arena_match": [
        "arena --match --players random,honest --matches 3 --rules liar_die",
        "arena --match --players random,honest,probability --matches 3 --log {out} --set dice=1",
        "arena --match --player false --player honest --matches 2 --set dice=1",
    ],
    "replay": [
        "replay {matches}",
        "replay {matches} --number 2",
    ],
    "values": ["values --rules common --dice 1,1", "values --dice 1,2"],
    "compact": ["compact {bidding} {out}", "compact {three} {out} --bits 8"],
    "report_bidding": [
        "report {bidding} --html {out}",
        "report {three} --html {out} --min-reach 0.1 --no-values",
    ],
    "report_cup": ["report {cup} --html {out}"],
    "warm_up": ["warm-up"],
}
"""``{bidding}`` and the like are stored strategies, ``{out}`` is a folder that is not there yet."""

TYPED = "liar\n1.\n" * 20
"""What is typed where a line asks for answers."""
