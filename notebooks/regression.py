"""Logistic regression of games' scores, also where maximum likelihood has no
finite answer. Imports numpy, scipy and statsmodels."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import statsmodels.api as sm
from scipy.optimize import linprog
from scipy.special import expit


# So many games a coefficient have to differ from what most did (Peduzzi et al., "A
# simulation study of the number of events per variable in logistic regression
# analysis", 1996).
EVENTS = 10


class Fit(NamedTuple):
    """Log-odds, their covariance, `ml` or `firth`, how many games, and the degrees of
    freedom of the covariance: infinite if it is not clustered."""

    values: np.ndarray
    covariance: np.ndarray
    kind: str
    games: int
    freedom: float = np.inf


def logistic(score, design, index=None) -> Fit | None:
    """Fits games' scores (1, 0, a draw ½) to a design with a row a game.

    By maximum quasi-likelihood (Papke and Wooldridge 1996). With the `index` of
    each game, games of one index share their opening, and the covariance is the
    sandwich clustered by it (Liang and Zeger 1986), with statsmodels' correction
    for few clusters and one degree of freedom fewer than clusters; otherwise White's HC0. Where no maximum exists, or fewer than
    `EVENTS` games a coefficient ended otherwise than most did, by `firth`, with the
    inverse of the information as covariance. None if the games do not determine the
    coefficients.
    """
    score, design = np.asarray(score, float), np.asarray(design, float)
    if np.linalg.matrix_rank(design) < design.shape[1]:
        return None
    rows, place = np.unique(design, axis=0, return_inverse=True)
    games, won = np.bincount(place.ravel()), np.bincount(place.ravel(), weights=score)
    most = np.unique(score, return_counts=True)[1].max()
    if len(score) - most < EVENTS * design.shape[1] or separated(rows, won, games):
        return Fit(*firth(rows, won, games), "firth", len(score))
    model = sm.GLM(score, design, family=sm.families.Binomial())
    if index is None:
        fit = model.fit(cov_type="HC0", tol=1e-12)
        return Fit(fit.params, fit.cov_params(), "ml", len(score))
    clusters = len(np.unique(index))
    if clusters < 2 or len(score) <= design.shape[1]:
        return None
    fit = model.fit(cov_type="cluster", cov_kwds={"groups": np.asarray(index)}, tol=1e-12)
    return Fit(fit.params, fit.cov_params(), "ml", len(score), clusters - 1)


def separated(design, score, games) -> bool:
    """Whether the likelihood grows without end in some direction, so that no
    maximum exists (Albert and Anderson 1984).

    `design` has a row a cell, `score` the sum of its games' scores. Asks for a
    direction that fits no cell worse and some cell better: up where everything
    was won, down where everything was lost, level where neither.
    """
    design, score, games = (np.asarray(part, float) for part in (design, score, games))
    towards = np.select([score <= 0, score >= games], [-1.0, 1.0], 0.0)
    extreme = towards != 0
    if not extreme.any():
        return False
    better = towards[extreme, None] * design[extreme]
    mixed = design[~extreme]
    found = linprog(
        -better.sum(axis=0),
        A_ub=-better,
        b_ub=np.zeros(len(better)),
        A_eq=mixed if len(mixed) else None,
        b_eq=np.zeros(len(mixed)) if len(mixed) else None,
        bounds=(-1, 1),
    )
    return -found.fun > 1e-7


def firth(design, score, games, tolerance=1e-12, steps=500):
    """Logistic regression with Firth's (1993) penalty, half the logarithm of the
    determinant of the information: finite whatever was won, and free of the
    estimate's bias of first order. Takes what `separated` takes; gives the
    coefficients and the inverse of the information at them.
    """
    design, score, games = (np.asarray(part, float) for part in (design, score, games))
    beta = np.zeros(design.shape[1])

    def penalised(beta):
        eta = design @ beta
        chance = expit(eta)
        weights = games * chance * (1 - chance)
        information = (design * weights[:, None]).T @ design
        sign, determinant = np.linalg.slogdet(information)
        value = score @ eta - games @ np.logaddexp(0, eta) + determinant / 2
        return value if sign > 0 else -np.inf, chance, weights, information

    value, chance, weights, information = penalised(beta)
    for _ in range(steps):
        inverse = np.linalg.inv(information)
        leverage = weights * np.einsum("ij,jk,ik->i", design, inverse, design)
        gradient = design.T @ (score - games * chance + leverage * (0.5 - chance))
        step = inverse @ gradient
        # Halved until the penalised likelihood does not fall.
        for _ in range(60):
            after = penalised(beta + step)
            if after[0] >= value - 1e-12:
                break
            step = step / 2
        beta = beta + step
        value, chance, weights, information = after
        if np.abs(step).max() < tolerance:
            break
    return beta, np.linalg.inv(information)
