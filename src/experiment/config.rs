//! An experiment, complete and consistent. Imports `game` and `agents`.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::stopping::{StopRule, Until};
use crate::agents::{AgentSpec, SpecError};
use crate::game::{Ruleset, Side};

/// Whether games of the same index share random numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pairing {
    /// They do, so that differences are measured on paired games: the opening
    /// is the same in every cell, whatever the ruleset and whoever plays (as
    /// far as the same moves are legal), and two agents have the same numbers
    /// under every ruleset.
    Common,
    /// Every cell has random numbers of its own.
    #[default]
    Independent,
}

impl fmt::Display for Pairing {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Pairing::Common => "common",
            Pairing::Independent => "independent",
        })
    }
}

/// Who plays whom.
#[derive(Clone, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
pub struct Match {
    /// The attackers' agent.
    pub attackers: AgentSpec,
    /// The defenders' agent.
    pub defenders: AgentSpec,
}

impl Match {
    /// A side's agent.
    #[must_use]
    pub fn of(&self, side: Side) -> &AgentSpec {
        match side {
            Side::Attackers => &self.attackers,
            Side::Defenders => &self.defenders,
        }
    }
}

/// An experiment, complete and consistent: what is written to the manifest.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Experiment {
    /// Lower-case letters, digits, `-` and `_`; the folder's name.
    pub name: String,
    /// The master seed.
    pub seed: u64,
    /// Games a cell; with a stop rule the most a cell may have.
    pub games: u64,
    /// When a cell has games enough, if that is not a fixed number.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stop: Option<StopRule>,
    /// Plies after which a game is stopped as `ply-limit`.
    pub ply_limit: u32,
    /// Whether rulesets share random numbers.
    pub pairing: Pairing,
    /// Random plies before the agents take over, the first of the game.
    pub random_plies: u32,
    /// The rulesets, in their canonical forms, no two the same.
    pub rulesets: Vec<Ruleset>,
    /// The matches, no two the same.
    pub matches: Vec<Match>,
}

impl Experiment {
    /// Whether the results of all cells together decide how many games each
    /// has: such a run cannot be cut into shards.
    #[must_use]
    pub fn shares_a_budget(&self) -> bool {
        let rule = self.stop.as_ref();
        rule.is_some_and(|rule| matches!(rule.until, Until::Decided { .. }))
    }

    /// Makes sure that the program of every external engine is there.
    ///
    /// # Errors
    /// The first that is not: what was looked for, and where.
    pub fn find_programs(&self) -> Result<(), SpecError> {
        let mut agents = self
            .matches
            .iter()
            .flat_map(|pair| [&pair.attackers, &pair.defenders]);
        agents.try_for_each(AgentSpec::find_program)
    }
}
