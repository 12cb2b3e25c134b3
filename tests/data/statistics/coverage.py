"""How often 95 % bounds hold where little was seen, by simulation: the figures in
docs/tables.md. Prints them; writes nothing. Needs numpy and scipy."""

import numpy as np
from scipy import stats

Z = stats.norm.ppf(0.975)
draw = np.random.default_rng(1)


def marginal(games: int, chance: float, runs: int = 40_000) -> float:
    """Paired differences that are 1 with this chance and else 0, by Student's t."""
    mean = draw.binomial(games, chance, runs) / games
    variance = mean * (1 - mean) / (games - 1)
    unseen = 2 * (1 - 0.025 ** (1 / games))
    half = np.where(variance > 0, stats.t.ppf(0.975, games - 1) * np.sqrt(variance), unseen)
    return np.mean(np.abs(mean - chance) <= half)


def clustered(rate: float, correlation: float, clusters: int = 40, size: int = 36, runs: int = 20_000) -> float:
    """Wilson's bounds of a share in clusters with a beta-binomial law."""
    scale = 1 / correlation - 1
    own = draw.beta(rate * scale, (1 - rate) * scale, (runs, clusters))
    seen = draw.binomial(size, own)
    trials = size * clusters
    share = seen.sum(axis=1) / trials
    between = ((seen - share[:, None] * size) ** 2).sum(axis=1) * clusters / (clusters - 1)
    mixed = (share > 0) & (share < 1)
    effect = np.where(mixed, between / (trials * np.where(mixed, share * (1 - share), 1)), 1)
    freedom = stats.t.ppf(0.975, trials - 1) / stats.t.ppf(0.975, clusters - 1)
    count = np.where(mixed, trials / np.maximum(effect, 1) * freedom**2, clusters)
    scale = 1 / (1 + Z**2 / count)
    centre = (share + Z**2 / (2 * count)) * scale
    half = Z * np.sqrt(share * (1 - share) / count + Z**2 / (4 * count**2)) * scale
    return np.mean((centre - half <= rate + 1e-12) & (rate <= centre + half + 1e-12))


for games, chance in ((100, 0.05), (400, 0.02), (2000, 0.02)):
    print(f"marginal, {games} differences, {chance}: {marginal(games, chance):.3f}")
for rate, correlation in ((0.01, 0.1), (0.01, 0.3), (0.2, 0.1)):
    print(f"clustered, rate {rate}, correlation {correlation}: {clustered(rate, correlation):.3f}")


def favoured(decided: int) -> float:
    """How often McNemar's test at 5 % finds a side favoured in so many decided games
    of an even cell: no simulation, every outcome with its chance."""
    won = np.arange(decided + 1)
    p = 2 * stats.norm.sf(np.abs(2 * won - decided) / np.sqrt(decided))
    found = np.maximum(p, 2.0 ** (1 - decided)) < 0.05
    return stats.binom.pmf(won[found], decided, 0.5).sum()


sizes = {decided: favoured(decided) for decided in range(1, 1001)}
for least, most in ((1, 5), (6, 50), (51, 99), (100, 199), (200, 1000)):
    worst = max(range(least, most + 1), key=sizes.get)
    print(f"favoured, {least} to {most} decided games: at most {sizes[worst]:.3f}, with {worst}")
