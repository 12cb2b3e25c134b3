//! The crate `hnefatafl` beside this program: random games under the same
//! rules, in the same process, turn by turn.

mod agreement;
mod theirs;

use std::time::{Duration, Instant};

use brandub::agents::stream;
use brandub::arch::Kind;
use brandub::game::playouts::Playouts;
use brandub::game::{Rules, RulesetTable, Side};

use super::super::clock::Worked;
use super::super::failure::Failure;
use super::figure::Figure;
use super::random_games::RandomGames;
use theirs::{Choosing, Theirs};

/// Games end undecided here.
const CAP: u32 = 500;

/// Games that this program plays at a time.
const OURS: u64 = 1000;

/// What the crate's preset `BRANDUBH` means in this project's axes, repetition
/// apart: there a side loses that makes the same moves to and fro three times.
/// Both programs keep watch, and hardly a random game comes to either ending.
const RULES: &str = "base = 'wtf'\nking_capture = 'zone'\n\
    repetition = { count = 3, result = 'mover-loses' }";

const SPEED: &str = "M plies/s a core";
const PLIES: &str = "plies a game";
const WON: &str = "% of the games";

/// Games of one of the programs.
#[derive(Default)]
struct Tally {
    seconds: f64,
    games: u64,
    plies: u64,
    /// Won by the attackers, by the defenders.
    won: [u64; 2],
}

impl Tally {
    fn count(&mut self, plies: u32, winner: Option<Side>) {
        self.games += 1;
        self.plies += u64::from(plies);
        if let Some(side) = winner {
            self.won[side as usize] += 1;
        }
    }

    fn add(&mut self, games: &RandomGames<'_>) {
        self.games += OURS;
        self.plies += games.plies;
        for (won, more) in self.won.iter_mut().zip(games.won) {
            *won += more;
        }
    }

    /// Million plies a second.
    fn speed(&self) -> f64 {
        self.plies as f64 / self.seconds / 1e6
    }

    fn mean_plies(&self) -> f64 {
        self.plies as f64 / self.games as f64
    }

    fn percent(&self, side: Side) -> f64 {
        100.0 * self.won[side as usize] as f64 / self.games as f64
    }
}

fn rules() -> Rules {
    let table: RulesetTable = toml::from_str(RULES).expect("the table is a constant");
    let ruleset = table.resolve();
    Rules::new(ruleset.expect("the axes go together"))
}

/// Both programs' speeds, and whether their games are the same kind of games.
pub fn figures(time: Duration) -> Result<Vec<Figure>, Failure> {
    let rules = rules();
    let compared = agreement::compare(&rules)?;
    let peer = Theirs::new();
    let playouts = Playouts {
        rules: &rules,
        ply_limit: CAP,
        history: true,
        kind: Kind::best(),
    };
    let mut numbers = stream([1; 32]);
    let mut tallies: [Tally; 3] = Default::default();
    // A machine's speed drifts: the programs take turns.
    let begun = Instant::now();
    while begun.elapsed() < 3 * time || tallies.iter().any(|tally| tally.games == 0) {
        for (program, tally) in tallies.iter_mut().enumerate() {
            let (turn, worked) = (Instant::now(), Worked::start());
            while turn.elapsed() < time / 20 {
                let choosing = match program {
                    0 => {
                        let mut games = RandomGames::new(OURS, &mut numbers);
                        playouts.play(games.again());
                        tally.add(&games);
                        continue;
                    }
                    1 => Choosing::Drawn,
                    _ => Choosing::Listed,
                };
                let (plies, winner) = peer.play(choosing, CAP, &mut numbers);
                tally.count(plies, winner);
            }
            tally.seconds += worked.seconds();
        }
    }
    Ok(rows(&tallies, compared))
}

fn rows([ours, drawn, listed]: &[Tally; 3], compared: u64) -> Vec<Figure> {
    let theirs = if drawn.speed() > listed.speed() {
        drawn
    } else {
        listed
    };
    let figure = |name, what: &str, value, unit| Figure {
        name,
        what: what.to_owned(),
        value,
        unit,
    };
    let (attackers, defenders) = (Side::Attackers, Side::Defenders);
    vec![
        figure(
            "peer_ours",
            "random moves, this program",
            ours.speed(),
            SPEED,
        ),
        figure(
            "peer_drawn",
            "hnefatafl 0.0.2, BRANDUBH, moves drawn until one is valid",
            drawn.speed(),
            SPEED,
        ),
        figure(
            "peer_listed",
            "hnefatafl 0.0.2, BRANDUBH, drawn from the list of all moves",
            listed.speed(),
            SPEED,
        ),
        figure(
            "peer_ratio",
            "this program against the faster of the two",
            ours.speed() / theirs.speed(),
            "times as fast",
        ),
        figure("peer_plies_ours", "mean length", ours.mean_plies(), PLIES),
        figure("peer_plies", "theirs", theirs.mean_plies(), PLIES),
        figure(
            "peer_att_ours",
            "won by the attackers",
            ours.percent(attackers),
            WON,
        ),
        figure("peer_att", "theirs", theirs.percent(attackers), WON),
        figure(
            "peer_def_ours",
            "won by the defenders",
            ours.percent(defenders),
            WON,
        ),
        figure("peer_def", "theirs", theirs.percent(defenders), WON),
        figure(
            "peer_agreement",
            "positions with the same moves, captures and endings in both programs, none with others",
            compared as f64,
            "positions",
        ),
    ]
}
