//! A study file, and the questions that it asks.

use std::collections::HashMap;
use std::fmt;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};

use brandub::experiment::{Grid, Manifest, PLAY_REVISION, RulesSection, Table, read_toml};
use brandub::game::{Game, Position, Rules, Ruleset, Side};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

use super::engine::{Begin, Engine, Together};
use crate::cli::asked;
use crate::cli::endgames::endgames;
use crate::cli::failure::{Failure, say};
use crate::cli::input_file;
use crate::cli::study_table::{StudyTable, is_of_moves, named_position};

/// Of a question, in bytes: file systems allow names of 255.
const LONGEST_NAME: usize = 150;

/// A study file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Study {
    /// Positions expanded for each question at most.
    pub nodes: u64,
    pub memory: String,
    /// Keeps a question's table after so many positions expanded, each time.
    pub every: Option<NonZeroU64>,
    #[serde(default = "Study::engine")]
    pub engine: Engine,
    pub job: Option<NonZeroU64>,
    /// An agent.
    pub player: Option<String>,
    #[serde(default)]
    pub begin: Begin,
    pub replies: Option<Together>,
    #[serde(rename = "for", default = "Study::sides")]
    sides: Vec<Side>,
    /// Whether certificates found for earlier questions serve the later ones.
    #[serde(default)]
    pub build_on: bool,
    rules: Option<RulesSection>,
    /// Those of `rules`.
    #[serde(skip)]
    rulesets: Vec<Ruleset>,
    /// Moves from each ruleset's start position.
    #[serde(default)]
    after: Vec<String>,
    #[serde(default)]
    position: Vec<Given>,
    games: Option<Games>,
}

/// A position to be asked about under all of the study's rules.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Given {
    name: String,
    otn: String,
    side: Side,
}

/// Positions from games of a result folder, each asked about for its winner.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Games {
    results: PathBuf,
    /// Games of each cell, from the first on.
    each: u64,
    /// No earlier position.
    from_ply: usize,
    /// So many plies before the end at least.
    before_end: NonZeroUsize,
    seed: u64,
}

/// One line of the table to be.
pub struct Question {
    pub ruleset: Ruleset,
    pub name: String,
    pub root: Position,
    pub winner: Side,
}

impl Study {
    fn engine() -> Engine {
        Engine::Both
    }

    fn sides() -> Vec<Side> {
        Side::BOTH.to_vec()
    }

    /// Reads a file.
    pub fn read(path: &Path) -> Result<Study, Failure> {
        let text = input_file::text(path)?;
        let file = path.display().to_string();
        let mut study: Study = read_toml(&file, &text)?;
        if let Some(section) = &study.rules {
            study.rulesets = section.rulesets(&file, &text)?;
        }
        Ok(study)
    }

    /// What it asks, in order.
    pub fn questions(&self, quiet: bool) -> Result<Vec<Question>, Failure> {
        let mut questions = Vec::new();
        for &ruleset in &self.rulesets {
            let rules = Rules::new(ruleset);
            for (name, start, moves) in self.roots(&rules)? {
                let root = asked::after(&rules, start, &moves).map_err(Failure::Usage)?;
                questions.extend(self.sides.iter().map(|&winner| Question {
                    ruleset,
                    name: name.clone(),
                    root,
                    winner,
                }));
            }
        }
        if let Some(games) = &self.games {
            questions.extend(games.questions(quiet)?);
        }
        if questions.is_empty() {
            return Err(Failure::Usage(
                "the study asks nothing: expected rules with `after` or `[[position]]`, or `[games]`"
                    .into(),
            ));
        }
        named_apart(&questions).map_err(Failure::Usage)?;
        Ok(questions)
    }

    /// What is asked under one ruleset: a name, a position and moves from there.
    fn roots(&self, rules: &Rules) -> Result<Vec<(String, Position, String)>, Failure> {
        let mut roots = Vec::new();
        for moves in &self.after {
            let name = match moves.as_str() {
                "" => "start".to_owned(),
                moves => moves.replace([' ', ','], "_"),
            };
            roots.push((name, rules.start(), moves.clone()));
        }
        for Given { name, otn, side } in &self.position {
            let position = Position::from_otn(otn, *side)
                .map_err(|error| Failure::Usage(format!("{name}: {error}")))?;
            roots.push((name.clone(), position, String::new()));
        }
        Ok(roots)
    }
}

impl Games {
    fn questions(&self, quiet: bool) -> Result<Vec<Question>, Failure> {
        let manifest = Manifest::read(&self.results)?;
        if manifest.program.play_revision != PLAY_REVISION {
            return Err(Failure::Usage(format!(
                "{} was played by revision {} of the players, this program has {PLAY_REVISION}: its games would be others",
                self.results.display(),
                manifest.program.play_revision,
            )));
        }
        let grid = Grid::opened(manifest.experiment.clone(), &endgames())?;
        let external = grid.cells.iter().filter(|cell| !cell.is_reproducible());
        let external = external.count();
        if external > 0 && !quiet {
            say(&format!(
                "note: the games of {external} cells with an external engine are left out, since it need not play the same moves again"
            ));
        }
        let mut numbers = ChaCha8Rng::seed_from_u64(self.seed);
        let mut questions = Vec::new();
        for (place, cell) in grid.cells.iter().enumerate() {
            if !cell.is_reproducible() {
                continue;
            }
            let mut table = Table::new(&grid.experiment, cell);
            let rules = cell.rules();
            for game in 0..self.each.min(manifest.games_of(place)) {
                let transcript = table.transcript(game);
                let winner = transcript.outcome.and_then(|outcome| outcome.winner);
                let last = transcript.moves.len().saturating_sub(self.before_end.get());
                let number = numbers.next_u32() as usize;
                let Some(winner) = winner.filter(|_| last >= self.from_ply) else {
                    continue;
                };
                let plies = self.from_ply + number % (last - self.from_ply + 1);
                let mut played = Game::new(&rules);
                for &ply in &transcript.moves[..plies] {
                    played.play_legal(ply);
                }
                questions.push(Question {
                    ruleset: cell.ruleset,
                    name: format!("{}-{game}-{plies}", cell.id),
                    root: *played.position(),
                    winner,
                });
            }
        }
        Ok(questions)
    }
}

impl Question {
    /// The name of its files.
    pub fn file(&self) -> String {
        let (ruleset, winner) = (self.ruleset.id(), self.winner.name());
        format!("{ruleset}-{}-{winner}", self.name)
    }

    /// Another question of the folder may not have the same files: its
    /// certificate would be lost.
    pub fn own_name(&self, table: &StudyTable, out: &Path) -> Result<(), Failure> {
        let ruleset = self.ruleset.id();
        let other = table.rows().iter().find(|row| {
            (&row.ruleset, &row.question, row.winner) == (&ruleset, &self.name, self.winner)
                && (row.position != self.root.to_otn() || row.side != self.root.side)
        });
        other.map_or(Ok(()), |row| {
            Err(Failure::Usage(format!(
                "{} has `{}` of another position under these rules ({}, {} to move): expected another name or folder",
                out.display(),
                self.name,
                row.position,
                row.side
            )))
        })
    }
}

/// Questions are told apart by their names, which are parts of files' names.
fn named_apart(questions: &[Question]) -> Result<(), String> {
    let mut named: HashMap<String, &Question> = HashMap::new();
    for question in questions {
        let name = &question.name;
        let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-_".contains(&byte);
        if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(plain) {
            return Err(format!(
                "`{name}` names files: expected 1 to {LONGEST_NAME} letters, digits, - and _"
            ));
        }
        let led_to = named_position(name, question.ruleset);
        if led_to.is_none() && is_of_moves(name) {
            return Err(format!(
                "`{name}` reads as moves, and they cannot be played under {}: expected another name",
                question.ruleset.label()
            ));
        }
        if let Some(led_to) = led_to
            && led_to != question.root
        {
            return Err(format!(
                "`{name}` is the name of {} under {}: expected another for {}",
                led_to.to_otn(),
                question.ruleset.label(),
                question.root.to_otn()
            ));
        }
        let other = named.insert(question.file(), question);
        if other.is_some_and(|other| other.root != question.root) {
            return Err(format!(
                "`{name}` names two positions under {}: expected a name for each",
                question.ruleset.label()
            ));
        }
    }
    Ok(())
}

impl fmt::Display for Question {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "{}, {}, {}",
            self.ruleset.label(),
            self.name,
            self.winner
        )
    }
}
