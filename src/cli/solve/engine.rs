//! How a question is searched: the engine, what it is made of, and what its
//! search begins with.

use std::num::NonZeroU64;

use brandub::agents::{AgentSpec, stream};
use brandub::game::{Game, Move, Position, Rules};
use brandub::solver::{First, Replies};

/// Positions expanded in one job, if nobody says otherwise.
const JOB: u64 = 4_000_000;
/// In a first turn.
const TURN: u64 = 200_000;
/// In a first search where a strategy does not hold.
const PATCH: u64 = 16;

/// How to search.
#[derive(Clone, Copy, PartialEq, Eq, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Engine {
    /// Proof numbers: long forced wins
    Pn,
    /// Depth after depth: quiet wins of a dozen plies
    Mate,
    /// A quarter of the work by depth, then proof numbers
    Both,
    /// A tree of searches by proof numbers, each of some positions
    Jobs,
    /// Proof numbers for one reply after the other, again and again
    Turns,
    /// What other rules' certificates play, mended where it does not hold
    Mend,
}

/// What jobs, turns and mending are made of.
pub struct Jobs {
    /// Positions expanded in one job, in a first turn or in a first search that
    /// mends; 0 with other engines.
    pub size: u64,
    /// Whose moves are tried first.
    player: Option<AgentSpec>,
}

impl Jobs {
    /// As asked; only three engines have them, only two a player, and only one
    /// several threads.
    pub fn new(
        engine: Engine,
        size: Option<NonZeroU64>,
        player: Option<&str>,
        threads: u16,
    ) -> Result<Jobs, String> {
        if threads > 1 && engine != Engine::Turns {
            return Err(format!(
                "{threads} threads: only engine `turns` is searched by several"
            ));
        }
        let usual = match engine {
            Engine::Jobs => Some(JOB),
            Engine::Turns => Some(TURN),
            Engine::Mend => Some(PATCH),
            Engine::Pn | Engine::Mate | Engine::Both => None,
        };
        if let (None, Some(size)) = (usual, size) {
            return Err(format!(
                "a job of {size} positions: only engines `jobs`, `turns` and `mend` have jobs"
            ));
        }
        if let Some(player) = player
            && !matches!(engine, Engine::Jobs | Engine::Turns)
        {
            return Err(format!(
                "the player {player}: only engines `jobs` and `turns` follow one"
            ));
        }
        let size = size.map(NonZeroU64::get).or(usual).unwrap_or_default();
        let player: Option<AgentSpec> = player
            .map(|spec| spec.parse().map_err(|error| format!("player: {error}")))
            .transpose()?;
        if let Some(agent) = &player
            && (agent.is_external() || agent.tables().is_some())
        {
            return Err(format!(
                "the player {agent}: expected one without a program or tables of its own"
            ));
        }
        Ok(Jobs { size, player })
    }

    /// What the player does in a position if not one of these moves, with so many
    /// times the effort asked for, every time the same.
    pub fn asked(
        &self,
        rules: &Rules,
        position: &Position,
        not: &[Move],
        times: u64,
    ) -> Option<Move> {
        let player = self.player.as_ref()?;
        let mut agent = match times {
            1 => player.build(stream([0; 32]), None),
            _ => player.with_effort(times)?.build(stream([0; 32]), None),
        };
        let game = Game::from_position(rules, *position);
        agent.choose_other(&game, not).ok().flatten()
    }
}

/// The first numbers of a position.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Begin {
    /// Estimates, by what it looks like
    #[default]
    Estimates,
    /// Counts of moves alone
    Counts,
}

impl From<Begin> for First {
    fn from(begin: Begin) -> First {
        match begin {
            Begin::Estimates => First::Fitted,
            Begin::Counts => First::Counted,
        }
    }
}

/// Whether the engine, and what positions begin with, have a use for this: each is
/// a name, and whether it was given.
pub fn expect_used(
    engine: Engine,
    begin: Begin,
    replies: bool,
    others: &[(&str, bool)],
) -> Result<(), String> {
    let mut given = vec![("begin", begin != Begin::default()), ("replies", replies)];
    given.extend(others);
    if engine == Engine::Mate
        && let Some((name, _)) = given.iter().find(|(_, given)| *given)
    {
        return Err(format!(
            "{name}: the engine `mate` has no proof numbers and tries every move; expected it with another engine"
        ));
    }
    if begin == Begin::Counts && replies {
        return Err("replies: counts of moves are always summed up; expected it with `begin` as estimates alone".to_owned());
    }
    Ok(())
}

/// What the replies to a move come to together.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug, clap::ValueEnum, serde::Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Together {
    /// The largest number, and a share of the others where they are many
    #[default]
    Shared,
    /// The sum of their numbers
    Summed,
}

impl From<Together> for Replies {
    fn from(together: Together) -> Replies {
        match together {
            Together::Shared => Replies::Shared,
            Together::Summed => Replies::Summed,
        }
    }
}
