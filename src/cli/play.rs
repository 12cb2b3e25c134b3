//! `brandub play`: one game on the terminal.

use std::io::{self, BufRead, IsTerminal, Read, Write};
use std::path::PathBuf;
use std::str::FromStr;

use brandub::agents::{Agent, AgentSpec, SpecError, Stream};
use brandub::experiment::Endgames;
use brandub::game::{Game, Move, MoveList, NotationError, Rules, Ruleset, Side, annotate};
use brandub::solver::follow::Winning;

use super::asked::Asked;
use super::by_proof::ByProof;
use super::endgames::endgames;
use super::failure::Failure;
use super::run::end_with_engines;
use super::streams::{new_seed, streams};

/// Play one game on the terminal, against an agent or between agents
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub play --rules wtf --attackers human --defenders alphabeta:depth=5\n  \
    brandub play --rules masters --attackers greedy --defenders mcts:playouts=500 --seed 3\n  \
    brandub play --attackers human --defenders 'external:./my-engine --fast'\n  \
    brandub play --rules masters --after 'd2-e2 d3-d2' --attackers alphabeta:nodes=20000 --defenders human\n  \
    brandub play --rules masters --defenders proof:results/solved/presets\n\n\
    Moves are written d2-e2; `moves` lists them, `undo` takes one back, `help` says more,\n\
    `quit` ends the game. Plies are counted from the start, those of --after among them,\n\
    but where a proof plays, which takes nothing as played before.\n\n\
    Agents: random, greedy, alphabeta:depth=N, alphabeta:nodes=N, mcts:playouts=N,\n\
    external:COMMAND; docs/agents.md and the README have their options.")]
pub struct Arguments {
    #[command(flatten)]
    asked: Asked,
    /// An agent, `human`, or `proof:PATH`: a certificate of the side's win, or a study's
    /// folder in which one is
    #[arg(long, default_value = "human")]
    attackers: Player,
    /// An agent, `human`, or `proof:PATH`
    #[arg(long, default_value = "alphabeta:depth=4")]
    defenders: Player,
    /// Seed of the agents' choices [default: another one each time]
    #[arg(long)]
    seed: Option<u64>,
    /// Plies after which the game is stopped
    #[arg(long, default_value_t = 300, value_parser = clap::value_parser!(u32).range(1..))]
    ply_limit: u32,
}

/// What `help` says.
const HELP: &str = "\
t is an attacker, T a defender, K the king, x an empty corner, + the empty square d4.
The attackers win by capturing the king, the defenders by bringing him to a corner.
A move is the square where a piece stands and the one where it goes, such as d2-e2.
  moves   lists what can be played now
  undo    takes back your last move, and what was played since
  help    says this
  quit    ends the game
docs/rules.md says how Brandub is played; `brandub rules show` has every axis of a ruleset.";

impl Arguments {
    fn player(&self, side: Side) -> &Player {
        match side {
            Side::Attackers => &self.attackers,
            Side::Defenders => &self.defenders,
        }
    }

    fn has_proof(&self) -> bool {
        let players = [&self.attackers, &self.defenders];
        players
            .iter()
            .any(|player| matches!(player, Player::Proof(_)))
    }

    fn is_person(&self, side: Side) -> bool {
        matches!(self.player(side), Player::Human)
    }
}

#[derive(Clone)]
enum Player {
    Human,
    Proof(PathBuf),
    Agent(AgentSpec),
}

impl FromStr for Player {
    type Err = String;

    fn from_str(text: &str) -> Result<Player, String> {
        match text {
            "human" => Ok(Player::Human),
            _ if text.starts_with("human:") => Err("`human` has no options".to_owned()),
            "proof" | "proof:" => Err("needs a certificate: proof:PATH".to_owned()),
            _ if text.starts_with("proof:") => Ok(Player::Proof(text["proof:".len()..].into())),
            spec => spec
                .parse()
                .map(Player::Agent)
                .map_err(|SpecError { problem, .. }| {
                    // Other problems are those of one agent.
                    let known = problem.starts_with("no such agent");
                    problem + if known { ", proof:PATH, or human" } else { "" }
                }),
        }
    }
}

/// The agents at the board, each with a stream of its own; none for a person or a proof.
struct Seated([Option<Box<dyn Agent>>; 2]);

impl Seated {
    fn new(
        arguments: &Arguments,
        ruleset: &Ruleset,
        endgames: &Endgames,
        streams: &mut impl Iterator<Item = Stream>,
    ) -> Result<Seated, SpecError> {
        let mut seat = |player: &Player| -> Result<Option<Box<dyn Agent>>, SpecError> {
            let (Some(stream), Player::Agent(spec)) = (streams.next(), player) else {
                return Ok(None);
            };
            let tables = endgames.of(spec, ruleset)?;
            Ok(Some(spec.build(stream, tables)))
        };
        Ok(Seated([
            seat(&arguments.attackers)?,
            seat(&arguments.defenders)?,
        ]))
    }

    fn of(&mut self, side: Side) -> Option<&mut Box<dyn Agent>> {
        self.0[side as usize].as_mut()
    }
}

/// The certificates at the board.
struct Proofs([Option<ByProof>; 2]);

impl Proofs {
    /// Opens those that the arguments name.
    fn open(arguments: &Arguments, rules: &Rules, begun: &Game<'_>) -> Result<Proofs, Failure> {
        let open = |side: Side| match arguments.player(side) {
            Player::Proof(path) => ByProof::open(path, rules, begun.position(), side).map(Some),
            _ => Ok(None),
        };
        Ok(Proofs([open(Side::Attackers)?, open(Side::Defenders)?]))
    }

    /// Says what they show.
    fn tell(&self, ply_limit: u32, out: &mut impl Write) -> io::Result<()> {
        for (side, proof) in [Side::Attackers, Side::Defenders].iter().zip(&self.0) {
            if let Some(proof) = proof {
                let (plies, path) = (proof.plies(), proof.path().display());
                let unit = if plies == 1 { "ply" } else { "plies" };
                writeln!(out, "the {side} win within {plies} {unit} by {path}")?;
                if u32::from(plies) > ply_limit {
                    writeln!(
                        out,
                        "note: --ply-limit {ply_limit} may stop the game before that"
                    )?;
                }
            }
        }
        Ok(())
    }

    fn of(&mut self, side: Side) -> Option<&mut ByProof> {
        self.0[side as usize].as_mut()
    }
}

/// What whoever is to move does.
enum Turn {
    Plays(Move),
    Wins(Winning),
    TakesBack,
    Leaves,
}

/// Finds the players' programs, and has them end with this one.
fn ready_agents(arguments: &Arguments) -> Result<(), Failure> {
    let players = [&arguments.attackers, &arguments.defenders];
    let agents = players.into_iter().filter_map(|player| match player {
        Player::Agent(spec) => Some(spec),
        _ => None,
    });
    for spec in agents.clone() {
        spec.find_program()?;
    }
    end_with_engines(agents)
}

/// Plays the game that the arguments describe.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let rules = arguments.asked.rules()?;
    let mut begun = arguments.asked.game(&rules)?;
    if arguments.has_proof() {
        // What it shows takes nothing as played before.
        begun = Game::from_position(&rules, *begun.position());
    }
    ready_agents(arguments)?;
    let seed = arguments.seed.unwrap_or_else(new_seed);
    let mut streams = streams(seed);
    let endgames = endgames();
    let mut seat = || Seated::new(arguments, rules.ruleset(), &endgames, &mut streams);
    let mut seated = seat()?;
    let mut proofs = Proofs::open(arguments, &rules, &begun)?;
    let mut out = io::stdout().lock();
    writeln!(out, "{}, seed {seed}", rules.ruleset().label())?;
    proofs.tell(arguments.ply_limit, &mut out)?;
    if [Side::Attackers, Side::Defenders]
        .iter()
        .any(|&side| arguments.is_person(side))
    {
        writeln!(
            out,
            "type a move such as d2-e2; `moves` lists what can be played, `help` says more, `quit` ends the game"
        )?;
    }
    let mut game = begun.clone();
    writeln!(out, "\n{}\n", game.position())?;
    while game.outcome().is_none() && game.plies() < arguments.ply_limit {
        let side = game.position().side;
        let turn = match seated.of(side) {
            Some(agent) => match agent.choose(&game) {
                Ok(ply) => Turn::Plays(ply),
                Err(forfeit) => {
                    let (winner, kind) = (side.other(), forfeit.kind());
                    writeln!(out, "{winner} ({kind}) after {} plies", game.plies())?;
                    return Err(Failure::Failed(format!(
                        "the {side} forfeit the game, the {winner} win: {forfeit}"
                    )));
                }
            },
            None => match proofs.of(side) {
                Some(proof) => Turn::Wins(proof.choose(&rules, game.position())?),
                None => ask(&mut out, &game)?,
            },
        };
        match turn {
            Turn::Plays(ply) => {
                let captured = game.play_legal(ply);
                writeln!(out, "{}. {side} {}", game.plies(), annotate(ply, captured))?;
            }
            Turn::Wins(Winning { ply, plies }) => {
                let captured = game.play_legal(ply);
                let (at, ply) = (game.plies(), annotate(ply, captured));
                match plies {
                    ..=1 => writeln!(out, "{at}. {side} {ply}")?,
                    _ => writeln!(
                        out,
                        "{at}. {side} {ply} (wins within {} more plies)",
                        plies - 1
                    )?,
                }
            }
            Turn::TakesBack => {
                // A person's own turn before this one.
                let turns = if arguments.is_person(side.other()) {
                    1
                } else {
                    2
                };
                let left = game.played().len().checked_sub(turns);
                let Some(left) = left.filter(|&left| left >= begun.played().len()) else {
                    writeln!(out, "no move of yours to take back")?;
                    continue;
                };
                let kept = game.played()[begun.played().len()..left].to_vec();
                game = begun.clone();
                for ply in kept {
                    game.play_legal(ply);
                }
                // What agents keep of a game is of the moves taken back, too.
                seated = seat()?;
                writeln!(out, "taken back to ply {left}")?;
            }
            Turn::Leaves => {
                writeln!(out, "left unfinished after {} plies", game.plies())?;
                return Ok(());
            }
        }
        writeln!(out, "\n{}\n", game.position())?;
    }
    match game.outcome() {
        Some(outcome) => writeln!(out, "{outcome} after {} plies", game.plies())?,
        None => writeln!(out, "stopped at {} plies", game.plies())?,
    }
    Ok(())
}

/// More than anybody writes in one line.
const LONGEST_LINE: u64 = 1 << 16;

/// What a person does, from standard input, in letters of either case; whoever
/// says no more leaves.
fn ask(out: &mut impl Write, game: &Game<'_>) -> Result<Turn, Failure> {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let mut line = Vec::new();
    loop {
        write!(out, "{}> ", game.position().side)?;
        out.flush()?;
        line.clear();
        let read = io::stdin()
            .lock()
            .take(LONGEST_LINE)
            .read_until(b'\n', &mut line)
            .map_err(|error| Failure::Failed(format!("cannot read standard input: {error}")))?;
        if read as u64 == LONGEST_LINE && line.last() != Some(&b'\n') {
            return Err(Failure::Usage(format!(
                "standard input: a line of {LONGEST_LINE} bytes or more; expected a move on each"
            )));
        }
        // What is no text is no move, either.
        let text = String::from_utf8_lossy(&line);
        let text = text.trim();
        let command = text.to_ascii_lowercase();
        if read == 0 || command == "quit" {
            return Ok(Turn::Leaves);
        }
        if !io::stdin().is_terminal() {
            writeln!(out)?;
        }
        match command.as_str() {
            "" => {}
            "undo" => return Ok(Turn::TakesBack),
            "help" => writeln!(out, "{HELP}")?,
            "moves" => {
                let names: Vec<String> = list.iter().map(Move::to_string).collect();
                writeln!(out, "{}", names.join(" "))?;
            }
            _ => match command.parse::<Move>() {
                Ok(ply) if list.contains(&ply) => return Ok(Turn::Plays(ply)),
                Ok(ply) => {
                    let why = game.clone().play(ply).err();
                    let why = why.map_or_else(String::new, |error| error.to_string());
                    writeln!(out, "{why}; `moves` lists what can be played")?;
                }
                Err(NotationError { expected, .. }) => writeln!(
                    out,
                    "`{text}` is not {expected}; `moves` lists what can be played"
                )?,
            },
        }
    }
}
