//! What is told of a fit: numbers with their uncertainty. Imports nothing of
//! ours.

use serde::Serialize;

/// How far a parameter goes in search of the maximum, in natural units, to be
/// taken for infinite.
const INFINITE: f64 = 5.0;

/// In which direction a strength has no bound: with these games the maximum of
/// the likelihood lies at infinity.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Open {
    /// Any larger strength explains the games better.
    Above,
    /// Any smaller one.
    Below,
}

impl Open {
    pub(super) fn of(way: f64) -> Option<Open> {
        if way.abs() < INFINITE {
            None
        } else if way > 0.0 {
            Some(Open::Above)
        } else {
            Some(Open::Below)
        }
    }

    /// `above` or `below`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Open::Above => "above",
            Open::Below => "below",
        }
    }
}

/// A strength, a difference of strengths or an advantage, in Elo points.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Estimate {
    /// The estimate.
    pub elo: f64,
    /// Its standard error by the observed information.
    pub se: f64,
    /// The lower bound of its interval; `None` where it is open.
    pub low: Option<f64>,
    /// The upper bound.
    pub high: Option<f64>,
    /// Where the games set no bound.
    pub open: Option<Open>,
}

/// A share with its interval, from 0 to 1.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Share {
    /// The estimate.
    pub share: f64,
    /// The lower bound.
    pub low: f64,
    /// The upper bound.
    pub high: f64,
}

/// Strengths in both roles together, as attackers and as defenders.
#[derive(Clone, Copy, PartialEq, Debug, Serialize)]
pub struct Strengths {
    /// The mean of the two: what tells in a pair of games with roles exchanged.
    pub both: Estimate,
    /// As attackers.
    pub attackers: Estimate,
    /// As defenders.
    pub defenders: Estimate,
}

/// Games by who won.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Tallied {
    /// Won by the side in question; by the attackers where none is.
    pub won: u64,
    /// Lost by it.
    pub lost: u64,
    /// Drawn by rule.
    pub drawn: u64,
    /// Stopped at the ply limit: not used.
    pub stopped: u64,
}

impl Tallied {
    /// Games that have a result.
    #[must_use]
    pub fn finished(&self) -> u64 {
        self.won + self.lost + self.drawn
    }

    /// Whether not all was won, nor all lost.
    pub(super) fn is_mixed(&self) -> bool {
        self.drawn > 0 || (self.won > 0 && self.lost > 0)
    }

    pub(super) fn add(&mut self, [won, lost, drawn, stopped]: [u64; 4]) {
        self.won += won;
        self.lost += lost;
        self.drawn += drawn;
        self.stopped += stopped;
    }
}
