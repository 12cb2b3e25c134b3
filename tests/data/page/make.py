"""Makes the tables of this folder, from which the report's page is tested.

    python3 make.py

Scores, lengths and endings are those of results/published. What the published
tables do not hold (first moves, measures of games) is drawn from a fixed seed:
it has the right shape and means nothing.
"""

import csv
import itertools
import math
import random
import re
from pathlib import Path

HERE = Path(__file__).resolve().parent
PUBLISHED = HERE.parents[2] / "results" / "published"
AXES = (
    "layout king_armed throne_hostile king_capture king_return king_edge throne throne_pass "
    "corners_hostile king_speed repetition no_moves encirclement"
).split()
DISPUTED = ["king_armed", "throne_hostile", "king_capture", "king_return"]
ENDINGS = ["king_escaped", "king_captured", "encircled", "no_moves", "repetition", "forfeit"]
Z = 1.959963984540054
draw = random.Random(7)


def read(name):
    with open(PUBLISHED / name / "winrates.csv", newline="") as file:
        return [{"experiment": name, **row} for row in csv.DictReader(file)]


def write(name, columns, rows):
    with open(HERE / f"{name}.csv", "w", newline="") as file:
        writer = csv.DictWriter(file, columns, extrasaction="ignore", lineterminator="\n")
        writer.writeheader()
        for row in rows:
            writer.writerow(
                {key: f"{value:.6f}" if isinstance(value, float) else value for key, value in row.items()}
            )


def wilson(rate, games):
    centre = (rate + Z * Z / (2 * games)) / (1 + Z * Z / games)
    half = Z * math.sqrt(rate * (1 - rate) / games + Z * Z / (4 * games * games)) / (1 + Z * Z / games)
    return centre - half, centre + half


def budget(spec):
    found = re.fullmatch(r"(\w+:\w+=)(\d+)(.*)", spec)
    return (found[1] + "*" + found[3], found[2]) if found else (spec, "")


def scored(row):
    wins, losses, draws = (int(row[key]) for key in ("attackers_wins", "defenders_wins", "draws"))
    finished = wins + losses + draws
    row["finished"] = finished
    row["score"] = (wins + draws / 2) / finished
    row["score_low"], row["score_high"] = wilson(row["score"], finished)
    row["low"], row["high"] = row["score_low"], row["score_high"]
    row["effective_games"] = int(row["distinct_games"])
    row["ply_limit_rate"] = int(row["ply_limits"]) / int(row["games"])
    row["ply_limit_low"], row["ply_limit_high"] = wilson(row["ply_limit_rate"], int(row["games"]))
    for side in ("attackers", "defenders"):
        row[f"{side}_family"], row[f"{side}_budget"] = budget(row[side])
    return row


def effect(rows, terms):
    """The mean difference, or difference of differences, between cells."""
    total, variance, games = 0.0, 0.0, 0
    for row in rows:
        sign = 1
        for axis, first, _ in terms:
            sign *= -1 if row[axis] == first else 1
        weight = sign * 2 ** len(terms) / len(rows)
        total += weight * row["score"]
        variance += weight**2 * (row["score"] * (1 - row["score"]) + 0.5 / row["finished"]) / row["finished"]
        games += row["finished"]
    return total, math.sqrt(variance), games


def effects(cells):
    levels = {axis: list(dict.fromkeys(row[axis] for row in cells)) for axis in DISPUTED}
    for agent in dict.fromkeys(row["attackers"] for row in cells):
        rows = [row for row in cells if row["attackers"] == agent]
        singles = [[axis] for axis in DISPUTED]
        for axes in singles + [list(pair) for pair in itertools.combinations(DISPUTED, 2)]:
            terms = [(axis, *levels[axis]) for axis in axes]
            estimate, se, games = effect(rows, terms)
            row = {"experiment": "disputed-rules", "attackers": agent, "defenders": agent, "games": games}
            row |= {"axis": terms[0][0], "from": terms[0][1], "to": terms[0][2]}
            if len(terms) > 1:
                row |= {"other_axis": terms[1][0], "other_from": terms[1][1], "other_to": terms[1][2]}
            row |= {"estimate": estimate, "se": se, "low": estimate - Z * se, "high": estimate + Z * se}
            row |= {"z": estimate / se, "p": math.erfc(abs(estimate / se) / math.sqrt(2))}
            row |= {"p_adjusted": row["p"], "paired": "true", "pairing_gain": 1.2}
            yield row | {"method": "marginal"}
            # Stands in for a regression: on a scale of log-odds, and wide.
            logit, spread = 6 * estimate, 8 * se
            ratios = [math.exp(logit + z * spread) for z in (0, -Z, Z)]
            yield row | {
                "method": "logistic", "estimate": logit, "se": spread, "low": logit - Z * spread,
                "high": logit + Z * spread, "odds_ratio": ratios[0], "odds_low": ratios[1],
                "odds_high": ratios[2], "paired": "false", "pairing_gain": "", "fit": "ml",
            }


def verdict(row):
    if 0.45 < row["low"] and row["high"] < 0.55:
        return "balanced"
    return "attackers" if row["low"] > 0.5 else "defenders" if row["high"] < 0.5 else "undecided"


def slope(rows):
    """Least squares of the log-odds on the doublings."""
    points = []
    for row in rows:
        score = min(max(row["score"], 0.005), 0.995)
        weight = row["finished"] * score * (1 - score)
        points.append((math.log2(float(row["attackers_budget"])), math.log(score / (1 - score)), weight))
    total = sum(w for _, _, w in points)
    mean = sum(x * w for x, _, w in points) / total
    square = sum(w * (x - mean) ** 2 for x, _, w in points)
    return sum(w * (x - mean) * y for x, y, w in points) / square, 1 / math.sqrt(square)


def trends(rows):
    for ruleset in dict.fromkeys(row["ruleset"] for row in rows):
        of = [row for row in rows if row["ruleset"] == ruleset]
        estimate, se = slope(of)
        low, high = estimate - Z * se, estimate + Z * se
        toward = "toward attackers" if low > 0 else "toward defenders" if high < 0 else "no trend seen"
        yield of[0] | {
            "family": of[0]["attackers_family"], "quantity": "equal_slope", "budgets": len(of),
            "games": sum(row["finished"] for row in of), "estimate": estimate, "se": se, "low": low,
            "high": high, "p": math.erfc(abs(estimate / se) / math.sqrt(2)), "verdict": toward,
        }


def openings(cells):
    for row in cells:
        for move in ("d1-b1", "d1-c1", "d2-a2", "d2-b2", "d2-c2"):
            games = draw.randint(60, 100)
            score = min(max(row["score"] + draw.uniform(-0.08, 0.08), 0.0), 1.0)
            low, high = wilson(score, games)
            yield row | {"move": move, "games": games, "share": games / 400, "score": score, "low": low, "high": high}


def measures(cells):
    for row in cells:
        spread = 0.3 * float(row["mean_plies"])
        values = [
            ("plies", float(row["mean_plies"]), spread),
            ("decisive", 1 - float(row["draw_rate"]), 0.3),
            ("lead_changes", draw.uniform(1, 6), 2.0),
            ("captures", draw.uniform(3, 9), 2.0),
            ("branching", draw.uniform(20, 40), 6.0),
        ]
        for name, mean, sd in values:
            half = Z * sd / math.sqrt(row["finished"])
            yield row | {"measure": name, "games": row["finished"], "mean": mean, "sd": sd, "low": mean - half, "high": mean + half}


def people(cells):
    # Shares of the defenders among people and half of their intervals, in per
    # cent, as the README gives them.
    shares = {
        "irish-1": (66.6, 2.6, 960), "irish-1-no-return": (63.4, 15, 41), "brandubh-3": (62.3, 18, 30),
        "wtf": (58.7, 2.9, 644), "walker-2011": (57.9, 7.6, 115), "weak-throne": (30.8, 20, 20),
        "throneless": (21.6, 18, 22),
    }
    for row in cells:
        share, half, games = shares[row["label"]]
        score = 1 - share / 100
        yield row | {
            "preset": row["label"], "people_games": games, "people_score": score,
            "people_low": max(score - half / 100, 0.0), "people_high": min(score + half / 100, 1.0),
            "games": row["finished"],
        }


def main():
    disputed, others = [scored(row) for row in read("disputed-rules")], [scored(row) for row in read("people")]
    sizes = {"250", "1000", "4000", "16000"}
    ladder = [scored(row) for row in read("ladder")]
    ladder = [row for row in ladder if {row["attackers_budget"], row["defenders_budget"]} <= sizes]
    cells = disputed + ladder + others
    rates = [f"{who}_{what}" for who in ("attackers", "defenders", "draw", "ply_limit") for what in ("rate", "low", "high")]
    players = ["attackers", "defenders"]
    families = [f"{side}_{what}" for side in players for what in ("family", "budget")]
    cell = ["experiment", "cell", "ruleset", "label", *players]
    write(
        "winrates",
        ["experiment", "cell", "ruleset", "label", *AXES, *players, *families, "random_plies", "ply_limit", "games",
         "distinct_games", "effective_games", "attackers_wins", "defenders_wins", "draws", "ply_limits", *rates,
         "score", "score_low", "score_high", "mean_plies", "median_plies", "p95_plies",
         *(f"ended_{ending}" for ending in ENDINGS)],
        cells,
    )
    write(
        "effects",
        ["experiment", *players, "method", "axis", "from", "to", "other_axis", "other_from", "other_to", "games",
         "estimate", "se", "low", "high", "odds_ratio", "odds_low", "odds_high", "z", "p", "p_adjusted", "paired",
         "pairing_gain", "fit"],
        effects(disputed),
    )
    write(
        "verdicts",
        [*cell, "games", "score", "low", "high", "margin", "verdict"],
        [row | {"games": row["finished"], "margin": 0.05, "verdict": verdict(row)} for row in disputed],
    )
    searching = [row for row in disputed if row["attackers_budget"]]
    write(
        "strength",
        ["experiment", "cell", "ruleset", "label", "family", "attackers_budget", "defenders_budget", "games", "score",
         "low", "high", "draw_rate"],
        [row | {"family": row["attackers_family"], "games": row["finished"]} for row in searching + ladder],
    )
    write(
        "trends",
        ["experiment", "ruleset", "label", "family", "quantity", "at_budget", "budgets", "games", "estimate", "se",
         "low", "high", "p", "verdict"],
        trends(searching),
    )
    strongest = [row for row in disputed if row["attackers_budget"] in {"2000", "20000"}]
    write("openings", [*cell, "move", "games", "share", "score", "low", "high"], openings(strongest))
    write("games", [*cell, "measure", "games", "mean", "sd", "low", "high"], measures(strongest))
    write(
        "people",
        ["experiment", "ruleset", "label", "preset", "people_games", "people_score", "people_low", "people_high",
         *players, "games", "score", "low", "high"],
        people(others),
    )


main()
