"""Bounds of the betting confidence sequence, game by game, for the tests.

    python3 sequence.py > sequence.csv
    python3 sequence.py --confseq confseq-0.0.11/src > sequence.csv

The published formulas (Waudby-Smith and Ramdas 2024, section 4: hedged capital)
with 60 decimal digits and the product taken over single games; the program sums
logarithms over batches. With --confseq the folder of the authors' own package
(needs numpy, scipy, matplotlib and multiprocess), every bound is also checked
to be where its `betting_mart` says 2/alpha.
"""

import random
import sys
from decimal import Decimal, getcontext

getcontext().prec = 60

MOST_STAKED = Decimal("0.75")
# reach, doublings, confidence, chances of a win and of a draw, games at looks
STREAMS = [
    ("0.02", 0, "0.95", 0.50, 0.00, [50, 57, 100, 400, 1000, 2500]),
    ("0.05", 0, "0.95", 0.30, 0.40, [100, 112, 126, 300, 600]),
    ("0.01", 0, "0.99", 0.00, 0.00, [1, 2, 10, 100, 500]),
    ("0.1", 0, "0.9", 0.02, 0.03, [20, 40, 60, 120]),
    ("0.05", 0, "0.95", 0.90, 0.10, [100, 150, 200]),
    ("0.025", 4, "0.95", 0.52, 0.01, [30, 60, 500, 1500]),
    ("0.025", 4, "0.95", 0.20, 0.05, [60, 72, 100, 300]),
    ("0.1", 2, "0.8", 0.97, 0.01, [10, 25, 60]),
    ("0.3", 1, "0.5", 0.40, 0.20, [3, 6, 12]),
]


def parts(reach, doublings):
    """Parts of the gambler's 1 and the reaches that they are for."""
    halved = [Decimal(1) / 2 ** min(power + 1, doublings) for power in range(doublings + 1)]
    return [(part, Decimal(reach) * 2**power) for power, part in enumerate(halved)]


def variances(games, looks):
    """The guess at the variance of every game, made at the look before it."""
    half = Decimal("0.5")
    result = []
    for start, end in zip([0] + looks, looks):
        seen = games[:start]
        variance = half * half
        if seen:
            mean = sum(seen) / len(seen)
            squares = sum((x - mean) ** 2 for x in seen)
            variance = (half * half + squares) / (len(seen) + 1)
        result += [variance] * (end - start)
    return result


def capital(games, spreads, staked, mean, sign):
    """What 1 has become by betting that games are above (sign 1) or below
    (sign -1) the mean."""
    most = MOST_STAKED / max(mean, 1 - mean)
    total = Decimal(0)
    for part, reach in staked:
        stakes = {variance: sign * min(reach / variance, most) for variance in set(spreads)}
        for game, variance in zip(games, spreads):
            part *= 1 + stakes[variance] * (game - mean)
        total += part
    return total


def bound(games, spreads, staked, alpha, sign):
    """The mean farthest in that gambler's direction that he has refuted."""
    refuted, open_ = (Decimal(0), Decimal(1)) if sign == 1 else (Decimal(1), Decimal(0))
    for _ in range(45):
        middle = (refuted + open_) / 2
        if capital(games, spreads, staked, middle, sign) >= 2 / alpha:
            refuted = middle
        else:
            open_ = middle
    return refuted


def check(package, games, spreads, staked, alpha, bounds):
    """The authors' martingales, added up, cross 2/alpha at the bounds."""
    import numpy as np

    np.float_ = np.float64  # the name of before NumPy 2
    sys.path.insert(0, package)
    from confseq.betting import betting_mart

    results = np.array([float(game) for game in games])
    for mean, theta in zip(map(float, bounds), (1, 0)):
        if not 0 < mean < 1:
            continue
        total = 0
        for part, reach in staked:
            most = float(MOST_STAKED) / max(mean, 1 - mean)
            stakes = np.array([min(float(reach / variance), most) for variance in spreads])
            mart = betting_mart(
                results,
                mean,
                lambdas_fn_positive=lambda x, m: stakes,
                lambdas_fn_negative=lambda x, m: stakes,
                theta=theta,
                trunc_scale=1,
            )
            total += float(part) * mart[-1]
        assert abs(total * float(alpha) / 2 - 1) < 1e-6, (mean, total)


def main():
    package = sys.argv[2] if sys.argv[1:2] == ["--confseq"] else None
    generator = random.Random(20260112)
    print("stream,reach,doublings,confidence,wins,draws,losses,low,high")
    for stream, (reach, doublings, confidence, win, draw, looks) in enumerate(STREAMS):
        games = []
        for _ in range(looks[-1]):
            chance = generator.random()
            result = "1" if chance < win else "0.5" if chance < win + draw else "0"
            games.append(Decimal(result))
        spreads = variances(games, looks)
        staked = parts(reach, doublings)
        alpha = 1 - Decimal(confidence)
        for start, end in zip([0] + looks, looks):
            seen = games[:end], spreads[:end], staked, alpha
            low, high = bound(*seen, 1), bound(*seen, -1)
            if package:
                check(package, *seen, (low, high))
            batch = games[start:end]
            counts = [batch.count(Decimal(result)) for result in ("1", "0.5", "0")]
            rounded = f"{low:.10f}", f"{high:.10f}"
            print(stream, reach, doublings, confidence, *counts, *rounded, sep=",")


main()
