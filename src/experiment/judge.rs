/*!
How each position of a game stood, and what the course of a game was like by
that. Imports `game`, `agents` and who won.

A position is judged by the project's own search and evaluation, the same small
one for every game whoever played it, as the attackers' expected score. The
measures are those of Browne, "Automatic Generation and Evaluation of
Recombination Games" (doctoral thesis, Queensland University of Technology, 2008),
and Browne and Maire, "Evolutionary Game Design" (IEEE Transactions on
Computational Intelligence and AI in Games 2, 2010); where this module departs
from them it says so.
*/

use crate::agents::evaluation::SCALE;
use crate::agents::{Budget, search, stream};
use crate::game::{Game, Move, Rules, Side};

use super::record::Winner;

/// Positions the judge looks at for each position of a game.
pub const JUDGE_NODES: u64 = 1_000;

/// A side leads from this much more than one half of the expected score on:
/// what is less is the judge's noise and the worth of the move.
pub const LEAD: f64 = 0.05;

/// The attackers' expected score in a position of a game, from 0 to 1, a draw
/// by rule one half.
///
/// Where the game goes on it is 1 / (1 + exp(−s / [`SCALE`])), s the score for
/// the attackers of an `alphabeta` search of [`JUDGE_NODES`] nodes with the
/// weights that come with the program, which were fitted by logistic regression
/// to the results of games in just this unit; 0 or 1 where the search proves a
/// win. It depends on the game up to here and on nothing else.
#[must_use]
pub fn expected_score(game: &Game<'_>) -> f64 {
    if let Some(outcome) = game.outcome() {
        return match outcome.winner {
            Some(Side::Attackers) => 1.0,
            Some(Side::Defenders) => 0.0,
            None => 0.5,
        };
    }
    let found = search(game, Budget::Nodes(JUDGE_NODES), stream([1; 32]));
    let sign = match game.position().side {
        Side::Attackers => 1,
        Side::Defenders => -1,
    };
    match found.wins_in() {
        Some(plies) if plies * sign > 0 => 1.0,
        Some(_) => 0.0,
        None => 1.0 / (1.0 + libm::exp(-f64::from(sign * found.score) / f64::from(SCALE))),
    }
}

/// The attackers' expected score after so many plies and after each later one,
/// the position in which the game ended on the board among them.
///
/// The moves must be legal, from the ruleset's start.
#[must_use]
pub fn expected_scores(rules: &Rules, moves: &[Move], plies: usize) -> Vec<f64> {
    let mut game = Game::new(rules);
    let (before, after) = moves.split_at(plies);
    for &ply in before {
        game.play_legal(ply);
    }
    let mut scores = vec![expected_score(&game)];
    for &ply in after {
        game.play_legal(ply);
        scores.push(expected_score(&game));
    }
    scores
}

/// What the course of one game was like.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Course {
    /// Positions that were judged: from the first one that an agent saw to the
    /// last one that was not the end of the game.
    pub judged: u32,
    /// How often the lead went from one side to the other. A side leads from
    /// an expected score of ½ + [`LEAD`] on, and keeps the lead until the other
    /// side leads (Browne has no such margin).
    pub lead_changes: u32,
    /// Seen from the winner; `None` if nobody won.
    pub of_winner: Option<WinnersCourse>,
    /// The mean over the positions of (expected score − result)², the Brier
    /// score: how far the judge can be trusted here. ¼ is what ½ everywhere
    /// gives, or less where games are drawn; `None` if the game was stopped.
    pub judge_error: Option<f64>,
}

/// The course of a game as its winner saw it.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct WinnersCourse {
    /// The share of the positions in which the winner's expected score was
    /// less than the loser's: how long.
    pub behind: f64,
    /// Drama: the mean over these positions of √(the loser's expected score −
    /// the winner's): how far; 0 if there are none. Browne's average drama.
    pub drama: f64,
    /// The greatest of these roots; 0 if there are none. Browne's maximum
    /// drama.
    pub drama_max: f64,
    /// The share of the positions that come after the last one in which the
    /// winner was behind: how long the game was settled before it ended. In the
    /// sense of Browne's decisiveness.
    pub settled: f64,
}

impl Course {
    /// The course of a game by the attackers' expected scores of its positions,
    /// the end of the game left out.
    #[must_use]
    pub fn new(scores: &[f64], winner: Winner) -> Course {
        let of_winner = match winner {
            Winner::Attackers => Some(WinnersCourse::new(scores.iter().copied())),
            Winner::Defenders => {
                let scores = scores.iter().map(|score| 1.0 - score);
                Some(WinnersCourse::new(scores))
            }
            Winner::Draw | Winner::None => None,
        };
        let result = match winner {
            Winner::Attackers => Some(1.0),
            Winner::Defenders => Some(0.0),
            Winner::Draw => Some(0.5),
            Winner::None => None,
        };
        let error = |result: f64| mean(scores.iter().map(|score| (score - result).powi(2)));
        Course {
            judged: scores.len() as u32,
            lead_changes: lead_changes(scores),
            of_winner,
            judge_error: result.and_then(error),
        }
    }
}

impl WinnersCourse {
    /// From the winner's expected scores.
    fn new(scores: impl Iterator<Item = f64>) -> WinnersCourse {
        let gaps: Vec<f64> = scores.map(|score| 1.0 - 2.0 * score).collect();
        let behind: Vec<f64> = gaps.iter().copied().filter(|gap| *gap > 0.0).collect();
        let settled = gaps.iter().rev().take_while(|gap| **gap <= 0.0).count();
        let share = |count: usize| count as f64 / (gaps.len() as f64).max(1.0);
        WinnersCourse {
            behind: share(behind.len()),
            drama: mean(behind.iter().map(|gap| gap.sqrt())).unwrap_or(0.0),
            drama_max: behind.iter().fold(0.0, |most, gap| gap.sqrt().max(most)),
            settled: share(settled),
        }
    }
}

fn lead_changes(scores: &[f64]) -> u32 {
    let mut leader = None;
    let mut changes = 0;
    for score in scores {
        let leads = if *score >= 0.5 + LEAD {
            Side::Attackers
        } else if *score <= 0.5 - LEAD {
            Side::Defenders
        } else {
            continue;
        };
        changes += u32::from(leader.replace(leads) == Some(leads.other()));
    }
    changes
}

/// `None` of nothing.
fn mean(values: impl Iterator<Item = f64>) -> Option<f64> {
    let (sum, count) = values.fold((0.0, 0_u32), |(sum, count), value| (sum + value, count + 1));
    (count > 0).then(|| sum / f64::from(count))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Position, Ruleset};

    const COURSE: [f64; 6] = [0.5, 0.6, 0.4, 0.52, 0.3, 0.7];

    fn is(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-12, "{found} {expected}");
    }

    #[test]
    fn a_course_by_hand() {
        let course = Course::new(&COURSE, Winner::Attackers);
        assert_eq!((course.judged, course.lead_changes), (6, 2));
        is(course.judge_error.unwrap(), 1.5804 / 6.0);
        let winner = course.of_winner.unwrap();
        // Behind by 0.2 and by 0.4; ahead in the last position alone.
        is(winner.behind, 2.0 / 6.0);
        is(winner.drama, f64::midpoint(0.2_f64.sqrt(), 0.4_f64.sqrt()));
        is(winner.drama_max, 0.4_f64.sqrt());
        is(winner.settled, 1.0 / 6.0);
        // The defenders were behind by 0.2, by 0.04 and in the end by 0.4.
        let course = Course::new(&COURSE, Winner::Defenders);
        assert_eq!(course.lead_changes, 2);
        is(course.judge_error.unwrap(), 1.6204 / 6.0);
        let winner = course.of_winner.unwrap();
        is(winner.behind, 0.5);
        is(
            winner.drama,
            (0.2_f64.sqrt() + 0.04_f64.sqrt() + 0.4_f64.sqrt()) / 3.0,
        );
        is(winner.settled, 0.0);
    }

    #[test]
    fn what_nobody_won_has_no_winners_course() {
        let drawn = Course::new(&COURSE, Winner::Draw);
        assert_eq!(drawn.of_winner, None);
        is(drawn.judge_error.unwrap(), 0.1004 / 6.0);
        let stopped = Course::new(&COURSE, Winner::None);
        assert_eq!((stopped.of_winner, stopped.judge_error), (None, None));
        assert_eq!(stopped.lead_changes, 2);
    }

    #[test]
    fn whoever_was_never_behind_had_no_drama() {
        let winner = Course::new(&[0.5, 0.6, 0.9], Winner::Attackers).of_winner;
        let expected = WinnersCourse {
            behind: 0.0,
            drama: 0.0,
            drama_max: 0.0,
            settled: 1.0,
        };
        assert_eq!(winner, Some(expected));
        assert_eq!(lead_changes(&[0.6, 0.5, 0.6]), 0);
        assert_eq!(lead_changes(&[0.5, 0.46, 0.54]), 0, "within the margin");
    }

    #[test]
    fn proven_wins_and_ends_of_games_are_certain() {
        let rules = Rules::new(Ruleset::default());
        let judge = |otn: &str, side| {
            let position = Position::from_otn(otn, side).unwrap();
            expected_score(&Game::from_position(&rules, position))
        };
        // The king stands beside a way out; an attacker can close in on him.
        let open = "/7/3t3/7/7/7/1tK3t/7/";
        assert!(judge(open, Side::Attackers) >= 1.0);
        assert!(judge("/2K4/7/7/7/7/7/3t3/", Side::Defenders) <= 0.0);
        let moves: Vec<Move> = ["d2-e2", "d3-d2"].map(|ply| ply.parse().unwrap()).into();
        let scores = expected_scores(&rules, &moves, 1);
        assert_eq!(scores.len(), 2);
        assert!(scores.iter().all(|score| (0.1..0.9).contains(score)));
        assert_eq!(scores[..], expected_scores(&rules, &moves, 0)[1..]);
    }
}
