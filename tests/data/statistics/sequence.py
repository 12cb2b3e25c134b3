"""Bounds of the betting confidence sequence, game by game, for the tests.

    python3 sequence.py > sequence.csv
    python3 sequence.py --confseq confseq-0.0.11/src > sequence.csv

The published formulas (Waudby-Smith and Ramdas 2024, section 4: hedged capital)
with 60 decimal digits and the product taken over single games; the program sums
logarithms over batches. With --confseq the folder of the authors' own package
(needs numpy, scipy, matplotlib and multiprocess), every bound is also checked
to be where its `betting_mart` crosses 1/alpha.
"""

import random
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60

MOST_STAKED = Decimal("0.75")
# reach, confidence, chances of a win and of a draw, games at each look
STREAMS = [
    ("0.02", "0.95", 0.50, 0.00, [50, 57, 100, 400, 1000, 2500]),
    ("0.05", "0.95", 0.30, 0.40, [100, 112, 126, 300, 600]),
    ("0.01", "0.99", 0.00, 0.00, [1, 2, 10, 100, 500]),
    ("0.1", "0.9", 0.02, 0.03, [20, 40, 60, 120]),
    ("0.05", "0.95", 0.90, 0.10, [100, 150, 200]),
    ("0.025", "0.95", 0.52, 0.01, [30, 60, 500, 1500]),
    ("0.3", "0.5", 0.40, 0.20, [3, 6, 12]),
]


def stakes(games, looks, reach):
    """The stake on every game, set at the look before it."""
    half = Decimal("0.5")
    result = []
    for start, end in zip([0] + looks, looks):
        seen = games[:start]
        variance = half * half
        if seen:
            mean = sum(seen) / len(seen)
            squares = sum((x - mean) ** 2 for x in seen)
            variance = (half * half + squares) / (len(seen) + 1)
        result += [reach / variance] * (end - start)
    return result


def capital(games, bets, mean, sign):
    """What 1 has become by betting that games are above (sign 1) or below
    (sign -1) the mean."""
    most = MOST_STAKED / max(mean, 1 - mean)
    result = Decimal(1)
    for game, bet in zip(games, bets):
        result *= 1 + sign * min(bet, most) * (game - mean)
    return result


def bound(games, bets, alpha, sign):
    """The mean farthest in that gambler's direction that he has refuted."""
    refuted, open_ = (Decimal(0), Decimal(1)) if sign == 1 else (Decimal(1), Decimal(0))
    for _ in range(45):
        middle = (refuted + open_) / 2
        if capital(games, bets, middle, sign) >= 2 / alpha:
            refuted = middle
        else:
            open_ = middle
    return refuted


def check(package, games, bets, alpha, bounds):
    """The authors' martingale crosses 1/alpha at the bounds."""
    import numpy as np

    np.float_ = np.float64  # the name of before NumPy 2
    sys.path.insert(0, package)
    from confseq.betting import betting_mart

    def staked(_, mean):
        most = float(MOST_STAKED) / max(mean, 1 - mean)
        return np.minimum(np.array([float(bet) for bet in bets]), most)

    for mean in map(float, bounds):
        if 0 < mean < 1:
            results = np.array([float(game) for game in games])
            mart = betting_mart(
                results, mean, lambdas_fn_positive=staked, lambdas_fn_negative=staked, trunc_scale=1
            )
            assert abs(mart[-1] * float(alpha) - 1) < 1e-6, (mean, mart[-1])


def main():
    package = sys.argv[2] if sys.argv[1:2] == ["--confseq"] else None
    generator = random.Random(20260112)
    print("stream,reach,confidence,wins,draws,losses,low,high")
    for stream, (reach, confidence, win, draw, looks) in enumerate(STREAMS):
        games = []
        for _ in range(looks[-1]):
            chance = generator.random()
            games.append(Decimal(1 if chance < win else 0) if chance < win or chance >= win + draw else Decimal("0.5"))
        bets = stakes(games, looks, Decimal(reach))
        alpha = 1 - Decimal(confidence)
        for start, end in zip([0] + looks, looks):
            seen = games[:end], bets[:end], alpha
            low, high = bound(*seen, 1), bound(*seen, -1)
            if package:
                check(package, *seen, (low, high))
            batch = games[start:end]
            counts = [batch.count(Decimal(x)) for x in ("1", "0.5", "0")]
            print(stream, reach, confidence, *counts, f"{low:.10f}", f"{high:.10f}", sep=",")


main()
