//! `brandub agreement`: how often an agent plays what winners of recorded
//! games played.

use std::io::{self, Write};
use std::num::NonZeroUsize;
use std::path::{Path, PathBuf};

use brandub::agents::AgentSpec;
use brandub::analysis::{Interval, wilson_clustered};
use brandub::experiment::agreement::{Counts, GameAgreement, OPENING_PLIES, Recording, agreement};
use brandub::game::{Game, Move, Position, Rules, Ruleset, Side};
use rayon::prelude::*;
use serde_json::{Value, json};

use super::endgames::endgames;
use super::failure::{Failure, say};
use super::records::{LastRules, Lines, Recorded};
use super::run::use_threads;

/// Ask an agent for the moves that winners of recorded games played
///
/// Reads JSON lines as `check` does, with `winner` beside the moves, or else
/// `result`, and gives the share of the winners' moves that the agent plays in
/// their place. Moves that a symmetry of the position makes equal count as one;
/// positions with one legal move are left out, those of a random opening
/// (`opening_plies`), and games without a winner: a draw, none, ongoing, or
/// neither key.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub agreement games.jsonl --agent alphabeta:nodes=20000\n  \
    brandub agreement games.jsonl --agent greedy --games 100 --json")]
pub struct Arguments {
    /// File of JSON lines; - for standard input
    file: PathBuf,
    /// The agent
    #[arg(long)]
    agent: AgentSpec,
    /// Seed of the agent's choices
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Look at the first so many games with a winner only
    #[arg(long)]
    games: Option<NonZeroUsize>,
    /// Threads to play on [default: every core]
    #[arg(long, value_parser = clap::value_parser!(u16).range(1..=4096))]
    threads: Option<u16>,
    /// One JSON object
    #[arg(long)]
    json: bool,
}

/// A recorded game with a winner, its moves known to be legal.
struct Won {
    rules: usize,
    start: Position,
    opening_plies: usize,
    moves: Vec<Move>,
    winner: Side,
}

/// The games of a file and the rules they were played by.
#[derive(Default)]
struct Archive {
    rules: Vec<Rules>,
    games: Vec<Won>,
    without_winner: u64,
}

/// Compares the agent with the file named by the arguments.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    if arguments.agent.is_external() {
        return Err(Failure::Usage(format!(
            "{}: an external engine plays games of its own; it cannot be asked about moves that others played",
            arguments.agent
        )));
    }
    use_threads(arguments.threads)?;
    let archive = read(&arguments.file, arguments.games.map(NonZeroUsize::get))?;
    let endgames = endgames();
    let rulesets: Vec<Ruleset> = archive.rules.iter().map(|rules| *rules.ruleset()).collect();
    let agent = endgames.settle(&arguments.agent, &rulesets)?;
    let tables = rulesets.iter().map(|ruleset| endgames.of(&agent, ruleset));
    let tables = tables.collect::<Result<Vec<_>, _>>()?;
    let found: Vec<GameAgreement> = archive
        .games
        .par_iter()
        .enumerate()
        .map(|(number, won)| {
            let rules = &archive.rules[won.rules];
            let recording = Recording {
                start: Game::from_position(rules, won.start),
                moves: won.moves.clone(),
                opening_plies: won.opening_plies,
                winner: won.winner,
            };
            let number = number as u64;
            let tables = tables[won.rules].clone();
            agreement(&recording, &agent, tables, arguments.seed, number)
                .map_err(|forfeit| Failure::Failed(format!("{agent}: {forfeit}")))
        })
        .collect::<Result<_, Failure>>()?;
    let groups = groups(&found);
    if groups[0].total.moves == 0 {
        say(&format!(
            "note: {}: no winner had a choice of moves: there is nothing to agree with",
            arguments.file.display()
        ));
    }
    let mut out = io::stdout().lock();
    if arguments.json {
        let value = json!({
            "agent": agent.to_string(),
            "seed": arguments.seed,
            "games": found.len(),
            "without_winner": archive.without_winner,
            "groups": groups.iter().map(Group::json).collect::<Vec<Value>>(),
        });
        writeln!(out, "{value}")?;
    } else {
        print(&mut out, arguments, &archive, &groups)?;
    }
    Ok(())
}

/// Reads the games; a line that is not one, or not a legal one, is an error.
fn read(file: &Path, most: Option<usize>) -> Result<Archive, Failure> {
    let mut archive = Archive::default();
    let mut input = Lines::open(file)?;
    let mut last = LastRules::default();
    while most.is_none_or(|most| archive.games.len() < most) {
        let Some(bytes) = input.next()? else { break };
        let added = Recorded::read(bytes).and_then(|recorded| {
            let rules = last.of(&recorded)?;
            archive.add(&recorded, rules)
        });
        added.map_err(|error| {
            Failure::Usage(format!(
                "{}: line {}: {error}",
                file.display(),
                input.number
            ))
        })?;
    }
    if archive.games.is_empty() && archive.without_winner == 0 {
        return Err(Failure::Usage(format!(
            "{}: expected a game a line, found none",
            file.display()
        )));
    }
    Ok(archive)
}

impl Archive {
    fn add(&mut self, recorded: &Recorded, rules: &Rules) -> Result<(), String> {
        let mut game = recorded.start(rules)?;
        let start = *game.position();
        let mut moves = Vec::with_capacity(recorded.moves.len());
        for text in &recorded.moves {
            let ply: Move = text.parse().map_err(|error| format!("{error}"))?;
            game.play(ply).map_err(|error| error.to_string())?;
            moves.push(ply);
        }
        let winner = recorded.winner()?;
        if let Some(other) = recorded.other_winner(&game) {
            return Err(other);
        }
        if let Some(surplus) = recorded.surplus_opening() {
            return Err(surplus);
        }
        let Some(winner) = winner else {
            self.without_winner += 1;
            return Ok(());
        };
        let same = |known: &Rules| known.ruleset() == rules.ruleset();
        let place = self.rules.iter().position(same).unwrap_or_else(|| {
            self.rules.push(rules.clone());
            self.rules.len() - 1
        });
        self.games.push(Won {
            rules: place,
            start,
            opening_plies: recorded.opening_plies.unwrap_or(0),
            moves,
            winner,
        });
        Ok(())
    }
}

/// Moves that are counted together.
struct Group {
    name: String,
    total: Counts,
    /// Its interval allows for moves of one game being alike; `None` without
    /// moves.
    agreed: Option<Interval>,
}

impl Group {
    fn new(name: &str, counts: &[Counts]) -> Group {
        let clusters: Vec<(u64, u64)> = counts.iter().map(|c| (c.agreed, c.moves)).collect();
        let total = counts.iter().copied().fold(Counts::default(), Counts::and);
        Group {
            name: name.to_owned(),
            total,
            agreed: (total.moves > 0).then(|| wilson_clustered(&clusters)),
        }
    }

    /// The share that a random move would agree with; `None` without moves.
    fn chance(&self) -> Option<f64> {
        let Counts {
            moves, by_chance, ..
        } = self.total;
        (moves > 0).then(|| by_chance / (moves as f64))
    }

    fn json(&self) -> Value {
        json!({
            "group": self.name,
            "moves": self.total.moves,
            "agreed": self.total.agreed,
            "rate": self.agreed.map(|agreed| agreed.rate),
            "low": self.agreed.map(|agreed| agreed.low),
            "high": self.agreed.map(|agreed| agreed.high),
            "chance": self.chance(),
        })
    }
}

/// All moves, each side's, each phase's.
fn groups(found: &[GameAgreement]) -> Vec<Group> {
    let all: Vec<Counts> = found
        .iter()
        .map(|game| game.opening.and(game.later))
        .collect();
    let of = |side: Side| -> Vec<Counts> {
        let games = found
            .iter()
            .zip(&all)
            .filter(|(game, _)| game.winner == side);
        games.map(|(_, counts)| *counts).collect()
    };
    let opening: Vec<Counts> = found.iter().map(|game| game.opening).collect();
    let later: Vec<Counts> = found.iter().map(|game| game.later).collect();
    vec![
        Group::new("all", &all),
        Group::new("attackers", &of(Side::Attackers)),
        Group::new("defenders", &of(Side::Defenders)),
        Group::new("opening", &opening),
        Group::new("later", &later),
    ]
}

fn print(
    out: &mut impl Write,
    arguments: &Arguments,
    archive: &Archive,
    groups: &[Group],
) -> io::Result<()> {
    let Arguments { agent, seed, .. } = arguments;
    let (games, without) = (archive.games.len(), archive.without_winner);
    writeln!(
        out,
        "{agent}, seed {seed}; {games} games, {without} more without a winner"
    )?;
    writeln!(
        out,
        "{:10} {:>6}  {:^18} {:>8}",
        "", "moves", "agreed %", "chance %"
    )?;
    for group in groups {
        let percent = |share: f64| format!("{:.1}", 100.0 * share);
        let nothing = || "–".to_owned();
        let rate = group.agreed.map(|agreed| percent(agreed.rate));
        let bounds = group
            .agreed
            .map(|Interval { low, high, .. }| format!("{}–{}", percent(low), percent(high)));
        writeln!(
            out,
            "{:10} {:6}  {:>5}  {:11} {:>8}",
            group.name,
            group.total.moves,
            rate.unwrap_or_else(nothing),
            bounds.unwrap_or_else(nothing),
            group.chance().map_or_else(nothing, percent)
        )?;
    }
    writeln!(
        out,
        "agreed: with Wilson 95 % bounds, games as clusters; chance: a uniformly random legal move;\n\
         opening: the first {OPENING_PLIES} plies; moves that are equal by symmetry count as one"
    )
}
