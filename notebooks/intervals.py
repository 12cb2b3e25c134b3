"""Bounds of shares and adjusted p values, as docs/tables.md defines them.
Imports numpy and scipy alone."""

from __future__ import annotations

import numpy as np
from scipy import optimize, stats

Z95 = stats.norm.ppf(0.975)


def wilson(successes, trials, z=Z95):
    """Wilson's (1927) interval of a share, without continuity correction: low
    and high, from 0 to 1. Takes numbers or arrays; without trials, 0 and 1.
    """
    successes, trials = np.asarray(successes, float), np.asarray(trials, float)
    with np.errstate(divide="ignore", invalid="ignore"):
        share = successes / trials
        scale = 1 / (1 + z**2 / trials)
        centre = (share + z**2 / (2 * trials)) * scale
        half = z * np.sqrt(share * (1 - share) / trials + z**2 / (4 * trials**2)) * scale
    low, high = centre - half, centre + half
    # The bounds meet 0 and 1 exactly where nothing or all was seen.
    low = np.where((successes <= 0) | (trials <= 0), 0.0, low)
    high = np.where((successes >= trials) | (trials <= 0), 1.0, high)
    return low, high


def score_z(won, lost, drawn, score):
    """By how many standard errors the attackers' score is above `score`, if
    that is the true one (Tango 1998; see `score_interval`).
    """
    games, difference = won + lost + drawn, 2 * score - 1
    if difference < 0:  # the formula loses digits there; it is symmetric
        return -score_z(lost, won, drawn, 1 - score)
    # The most likely share of lost games if won and lost differ by so much is
    # the root of a square equation.
    b = (2 * games - won + lost) * difference - won - lost
    share = (np.sqrt(b**2 + 8 * games * lost * difference * (1 - difference)) - b) / (4 * games)
    variance = games * (2 * share + difference * (1 - difference))
    above = won - lost - games * difference
    if above == 0:
        return 0.0
    return above / np.sqrt(variance) if variance > 0 else np.inf * above


def score_interval(won, lost, drawn, z=Z95):
    """Bounds of the attackers' score, (won + drawn / 2) / games: the scores that
    the score test does not reject. Nan without games.

    Twice the score less one is the difference between the shares of games won
    and lost, a difference of paired proportions; test and interval are Tango's
    ("Equivalence test and confidence interval for the difference in proportions
    for the paired-sample design", 1998). Without draws it is Wilson's interval.
    """
    games = won + lost + drawn
    if games == 0:
        return np.nan, np.nan
    value = (won + drawn / 2) / games
    bounds = []
    for end, sign in ((0.0, 1), (1.0, -1)):

        def beyond(score, sign=sign):
            return sign * score_z(won, lost, drawn, score) - z

        rejected = value != end and beyond(end) > 0
        bounds.append(optimize.bisect(beyond, end, value, xtol=1e-15) if rejected else end)
    return tuple(bounds)


def benjamini_hochberg(p):
    """p values adjusted for the false discovery rate (Benjamini and Hochberg
    1995): the smallest rate at which each would be called a discovery. Nan is
    no test, and stays.
    """
    p = np.asarray(p, float)
    adjusted, tests = np.full_like(p, np.nan), ~np.isnan(p)
    if tests.any():
        adjusted[tests] = stats.false_discovery_control(p[tests])
    return adjusted


def unvaried(estimate, observations):
    """Of a mean of differences, -1 to 1, none of which differed from another: how far
    the 95 % bounds are away, and the two-sided p. A share of differences of which
    none was seen, each of them two off, moves the mean by twice that share at most, whose
    bound is Clopper and Pearson's (1934). Where the mean is 1 or -1, p is the sign test's.
    """
    half = 2 * (1 - 0.025 ** (1 / np.asarray(observations, float)))
    other = np.clip(np.abs(estimate) / 2, 0, 1)
    return half, np.minimum(2 * (1 - other) ** observations, 1)
