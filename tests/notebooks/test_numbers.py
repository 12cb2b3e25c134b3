"""The notebooks' own statistics against published values."""

from __future__ import annotations

import math

import numpy as np
import pytest
from intervals import benjamini_hochberg, score_interval, score_z, wilson
from regression import firth, logistic, separated


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [(81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605), (0, 20, 0, 0.1611), (1, 29, 0.0061, 0.1718)],
)
def test_wilsons_interval_is_the_published_one(successes, trials, low, high):
    """Newcombe, Statistics in Medicine 17 (1998), table I."""
    assert np.round(wilson(successes, trials), 4) == pytest.approx([low, high])


@pytest.mark.parametrize(
    ("gained", "lost", "same", "low", "high"), [(6, 16, 139, -0.1240, -0.0054), (1, 7, 13, -0.5172, -0.0260)]
)
def test_tangos_interval_is_the_published_one(gained, lost, same, low, high):
    """Fagerland, Lydersen and Laake, Statistics in Medicine 33 (2014)."""
    bounds = 2 * np.array(score_interval(gained, lost, same)) - 1
    assert np.round(bounds, 4) == pytest.approx([low, high])


def test_without_draws_the_scores_interval_is_wilsons():
    for won, games in [(0, 1), (1, 1), (0, 48), (3, 29), (50, 100)]:
        expected = [float(bound) for bound in wilson(won, games)]
        assert list(score_interval(won, games - won, 0)) == pytest.approx(expected, abs=1e-12)
    assert score_z(30, 10, 5, 0.5) == pytest.approx(20 / math.sqrt(40))
    assert all(math.isnan(bound) for bound in score_interval(0, 0, 0))


def test_adjusted_p_values_are_the_papers():
    """Benjamini and Hochberg (1995), section 3: at 5 % four are rejected."""
    p = [
        0.0001, 0.0004, 0.0019, 0.0095, 0.0201, 0.0278, 0.0298, 0.0344, 0.0459, 0.3240, 0.4262, 0.5719, 0.6528,
        0.7590, 1.0,
    ]  # fmt: skip
    adjusted = benjamini_hochberg(p)
    assert (adjusted < 0.05).sum() == 4
    assert adjusted[3] == pytest.approx(0.0095 * 15 / 4)
    with_gap = benjamini_hochberg([0.04, math.nan, 0.01])
    assert with_gap[[0, 2]] == pytest.approx([0.04, 0.02]) and math.isnan(with_gap[1])


def test_firths_fit_of_one_cell_is_known():
    """With one parameter the penalty adds half a success and half a failure."""
    for won, games in [(20, 20), (0, 20), (3, 11)]:
        beta, covariance = firth([[1.0]], [won], [games])
        assert beta[0] == pytest.approx(math.log((won + 0.5) / (games - won + 0.5)))
        chance = 1 / (1 + math.exp(-beta[0]))
        assert covariance[0, 0] == pytest.approx(1 / (games * chance * (1 - chance)))


def test_a_fit_is_firths_only_where_no_maximum_exists():
    square = [[1, -0.5, -0.5, 0.25], [1, -0.5, 0.5, -0.25], [1, 0.5, -0.5, -0.25], [1, 0.5, 0.5, 0.25]]
    assert separated(square, [5, 5, 5, 0], [10, 10, 10, 10])
    assert not separated(square, [5, 5, 5, 1], [10, 10, 10, 10])
    # Without the interaction a combination that won nothing is no limit.
    assert not separated([row[:3] for row in square], [5, 5, 5, 0], [10, 10, 10, 10])
    assert separated([row[:3] for row in square], [5, 0, 5, 0], [10, 10, 10, 10])


def test_a_regression_on_two_levels_has_the_odds_of_its_cells():
    score = [1] * 30 + [0] * 10 + [1] * 12 + [0] * 24
    design = [[1, -0.5]] * 40 + [[1, 0.5]] * 36
    fit = logistic(score, design)
    assert fit.kind == "ml" and fit.games == 76
    assert fit.values[1] == pytest.approx(math.log(12 / 24) - math.log(30 / 10))
    # Woolf's variance, which is also White's here.
    assert fit.covariance[1, 1] == pytest.approx(1 / 30 + 1 / 10 + 1 / 12 + 1 / 24)
    assert logistic(score, [[1, 1]] * 76) is None


def test_a_clustered_fit_has_one_degree_of_freedom_fewer_than_clusters():
    score = [1] * 30 + [0] * 10 + [1] * 12 + [0] * 24
    design = [[1, -0.5]] * 40 + [[1, 0.5]] * 36
    index = [game % 19 for game in range(76)]
    assert logistic(score, design, index).freedom == 18
    assert logistic(score, design).freedom == math.inf
