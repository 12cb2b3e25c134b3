/*!
When a cell has games enough: the rule, and what it says of a cell. Imports
the confidence sequence.

The rule is asked at numbers of games that are fixed beforehand, so that what
it says depends on the games alone and not on when, where or by how many
threads they were played.
*/

use std::fmt;

use serde::{Deserialize, Serialize};

use super::millionths::Millionths;
use super::sequence::Sequence;

/// Between two looks at a cell, the part of its games that is played anew: on
/// average half of it is played for nothing, and a smaller part would leave
/// threads without work.
const LOOK_PART: u64 = 8;
/// In a cell's most games, chunks at least: the rule is asked at whole ones.
const CHUNKS: u64 = 100;

/// When to stop playing a cell's games, beside the most it may have.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct StopRule {
    /// What is to be known.
    pub until: Until,
    /// Games of a cell before the first look.
    pub min_games: u64,
    /// With this probability a cell's interval covers its score at all looks.
    pub confidence: Millionths,
}

/// What is to be known of a cell's score, the attackers' in finished games.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", deny_unknown_fields)]
pub enum Until {
    /// The score itself: the interval reaches no further than this to either
    /// side of its middle. Each cell stops by itself.
    HalfWidth(Millionths),
    /// Whom the cell favours. Cells that are undecided share a budget.
    Decided {
        /// A score this near to one half is balanced.
        margin: Millionths,
        /// Games of all cells together, at most.
        total: u64,
    },
}

/// Why a cell has no more games.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Decision {
    /// Its interval is narrow enough.
    HalfWidth,
    /// It favours the attackers: one half is below its interval.
    Attackers,
    /// It favours the defenders: one half is above its interval.
    Defenders,
    /// It is balanced: its interval is within the margin.
    Balanced,
    /// It has as many games as a cell may have.
    MaxGames,
    /// The budget is used up.
    Budget,
}

impl Decision {
    /// Whom an interval of a score favours, if that is known: balanced is
    /// within ½ ± `margin`.
    #[must_use]
    pub fn by_bounds([low, high]: [f64; 2], margin: f64) -> Option<Decision> {
        if 0.5 - margin <= low && high <= 0.5 + margin {
            Some(Decision::Balanced)
        } else if low >= 0.5 {
            Some(Decision::Attackers)
        } else if high <= 0.5 {
            Some(Decision::Defenders)
        } else {
            None
        }
    }

    /// `half-width`, `attackers`, `defenders`, `balanced`, `max-games` or
    /// `budget`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Decision::HalfWidth => "half-width",
            Decision::Attackers => "attackers",
            Decision::Defenders => "defenders",
            Decision::Balanced => "balanced",
            Decision::MaxGames => "max-games",
            Decision::Budget => "budget",
        }
    }
}

impl fmt::Display for Decision {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

impl StopRule {
    /// A sequence for one cell.
    #[must_use]
    pub fn sequence(&self) -> Sequence {
        let doublings = match self.until {
            Until::HalfWidth(_) => 0,
            // Most cells are further from even than the hardest.
            Until::Decided { .. } => 4,
        };
        Sequence::new(self.until.reach(), doublings, self.confidence.get())
    }

    /// What a cell's interval says, if it says enough.
    #[must_use]
    pub fn decision(&self, [low, high]: [f64; 2]) -> Option<Decision> {
        match self.until {
            Until::HalfWidth(width) => {
                (high - low <= 2.0 * width.get()).then_some(Decision::HalfWidth)
            }
            Until::Decided { margin, .. } => Decision::by_bounds([low, high], margin.get()),
        }
    }

    /// After how many games a cell that has `games` is looked at next: whole
    /// chunks, at most `most`.
    pub(super) fn next_look(&self, games: u64, chunk_games: u64, most: u64) -> u64 {
        let wanted = match games {
            0 => self.min_games,
            some => some + (some / LOOK_PART).max(1),
        };
        wanted.next_multiple_of(chunk_games).min(most)
    }

    /// Games of a chunk at most, where a cell has at most `most` games and is
    /// one of so many.
    pub(super) fn chunk_games(&self, most: u64, cells: u64) -> u64 {
        let games = match self.until {
            Until::HalfWidth(_) => most,
            Until::Decided { total, .. } => most.min(total / cells.max(1)),
        };
        games.div_ceil(CHUNKS).max(1)
    }
}

impl Until {
    /// How near to the score the bounds have to come.
    fn reach(self) -> f64 {
        f64::from(self.reach_in_two_millionths()) / 2e6
    }

    /// A score halfway between even and the margin is the hardest to place.
    fn reach_in_two_millionths(self) -> u32 {
        match self {
            Until::HalfWidth(width) => 2 * width.count(),
            Until::Decided { margin, .. } => margin.count(),
        }
    }

    /// The most games of a cell where the experiment does not say: 4 over the
    /// square of the distance, about twice what a score of one half without
    /// draws needs at 95 %, so that next to nothing but games at the ply limit
    /// keeps a cell from knowing.
    pub(super) fn default_max_games(self) -> u64 {
        let reach = u64::from(self.reach_in_two_millionths());
        16_000_000_000_000_u64.div_ceil(reach * reach)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(until: Until) -> StopRule {
        StopRule {
            until,
            min_games: 100,
            confidence: Millionths::new(950_000),
        }
    }

    const WIDTH: Until = Until::HalfWidth(Millionths::new(10_000));
    const MARGIN: Until = Until::Decided {
        margin: Millionths::new(50_000),
        total: 3_000,
    };

    #[test]
    fn looks_are_at_whole_chunks_ever_further_apart_until_the_most() {
        let looks = |chunk, most| {
            let mut games = 0;
            let mut looks = Vec::new();
            while games < most {
                games = rule(WIDTH).next_look(games, chunk, most);
                looks.push(games);
            }
            looks
        };
        assert_eq!(looks(1, 150), [100, 112, 126, 141, 150]);
        assert_eq!(looks(40, 300), [120, 160, 200, 240, 280, 300]);
        assert_eq!(looks(500, 300), [300]);
        assert!(looks(20, 1_000_000).len() < 90);
    }

    #[test]
    fn an_interval_is_decided_by_where_one_half_is() {
        let said = |until, low, high| rule(until).decision([low, high]).map(Decision::name);
        assert_eq!(said(WIDTH, 0.301, 0.32), Some("half-width"));
        assert_eq!(said(WIDTH, 0.299, 0.32), None);
        assert_eq!(said(MARGIN, 0.46, 0.54), Some("balanced"));
        assert_eq!(said(MARGIN, 0.51, 0.54), Some("balanced"));
        assert_eq!(said(MARGIN, 0.51, 0.56), Some("attackers"));
        assert_eq!(said(MARGIN, 0.0, 0.49), Some("defenders"));
        assert_eq!(said(MARGIN, 0.44, 0.54), None);
    }

    #[test]
    fn the_default_most_grows_with_the_square_of_the_distance() {
        assert_eq!(WIDTH.default_max_games(), 40_000);
        assert_eq!(MARGIN.default_max_games(), 6_400);
        assert_eq!(rule(WIDTH).chunk_games(40_000, 16), 400);
        assert_eq!(rule(MARGIN).chunk_games(6_400, 16), 2);
    }
}
