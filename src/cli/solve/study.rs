//! Many questions from one file, one after the other, and a table of the
//! answers that an interruption leaves whole.

use std::collections::{HashMap, HashSet};
use std::fmt;
use std::fs;
use std::io;
use std::num::{NonZeroU64, NonZeroUsize};
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use brandub::experiment::{Grid, Manifest, PLAY_REVISION, RulesSection, Table, lock_folder};
use brandub::game::{Game, Position, Rules, Ruleset, Side};
use brandub::solver::Options;
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use serde::Deserialize;

use super::engine::{Begin, Engine, Jobs, Together};
use super::known::Known;
use super::question::{Answer, Means, ask};
use super::{all_verified, asked, bytes, tables, uncertified};
use crate::cli::endgames::endgames;
use crate::cli::failure::{Failure, say};
use crate::cli::run::stop_on_signal;
use crate::cli::study_table::{Row, StudyTable};
use crate::cli::verify_proof::Verifier;

/// The folder of a study's certificates.
const PROOFS: &str = "proofs";
/// The folder of the tables of questions that have no answer yet.
const UNFINISHED: &str = "unfinished";

/// Of a question, in bytes: file systems allow names of 255.
const LONGEST_NAME: usize = 150;

/// A study file.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Study {
    /// Positions expanded for each question at most.
    nodes: u64,
    memory: String,
    /// Keeps a question's table after so many positions expanded, each time.
    every: Option<NonZeroU64>,
    #[serde(default = "Study::engine")]
    engine: Engine,
    job: Option<NonZeroU64>,
    /// An agent.
    player: Option<String>,
    #[serde(default)]
    begin: Begin,
    #[serde(default)]
    replies: Together,
    #[serde(rename = "for", default = "Study::sides")]
    sides: Vec<Side>,
    /// Whether certificates found for earlier questions serve the later ones.
    #[serde(default)]
    build_on: bool,
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
struct Question {
    ruleset: Ruleset,
    name: String,
    root: Position,
    winner: Side,
}

impl Study {
    fn engine() -> Engine {
        Engine::Both
    }

    fn sides() -> Vec<Side> {
        Side::BOTH.to_vec()
    }

    fn read(path: &Path) -> Result<Study, Failure> {
        let text = fs::read_to_string(path).map_err(|error| Failure::unreadable(path, &error))?;
        let mut study: Study = toml::from_str(&text)
            .map_err(|error| Failure::Usage(format!("{}: {error}", path.display())))?;
        if let Some(section) = &study.rules {
            study.rulesets = section.rulesets(&path.display().to_string(), &text)?;
        }
        Ok(study)
    }

    fn questions(&self, quiet: bool) -> Result<Vec<Question>, Failure> {
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

    /// Where a question's table is kept until it has its answer, and after how
    /// many expansions each time.
    fn unfinished(
        &self,
        question: &Question,
        out: &Path,
    ) -> Result<Option<(PathBuf, u64)>, Failure> {
        let Some(every) = self.every else {
            return Ok(None);
        };
        let path = folder(out, UNFINISHED)?.join(format!("{}.checkpoint", question.file()));
        Ok(Some((path, every.get())))
    }

    /// The answer by a certificate that the folder has for another question, under
    /// other rules or from another position, if that answers this one as it is.
    fn shared(
        &self,
        question: &Question,
        table: &StudyTable,
        verifier: &mut Verifier,
    ) -> Result<Option<Row>, Failure> {
        if !self.build_on {
            return Ok(None);
        }
        let begun = Instant::now();
        for row in table.proved(&question.ruleset.id(), &question.root, question.winner) {
            if let Some(path) = table.certificate(row)?
                && let Some(plies) = verifier.shows(&path, question.ruleset, question.root)?
            {
                return Ok(Some(Row {
                    ruleset: question.ruleset.id(),
                    rules: question.ruleset.label(),
                    question: question.name.clone(),
                    position: question.root.to_otn(),
                    side: question.root.side,
                    plies: Some(plies),
                    nodes: 0,
                    budget: self.nodes,
                    seconds: tenths(begun.elapsed().as_secs_f64()),
                    proof_number: 1,
                    disproof_number: 1,
                    ..row.clone()
                }));
            }
        }
        Ok(None)
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

/// Asks what has no answer in the folder yet.
pub fn execute(
    file: &Path,
    out: &Path,
    tables_folder: Option<&Path>,
    mut known: Known,
    threads: u16,
    quiet: bool,
) -> Result<(), Failure> {
    let study = Study::read(file)?;
    let memory = bytes(&study.memory)
        .map_err(|error| Failure::Usage(format!("{}: memory: {error}", file.display())))?;
    let jobs = Jobs::new(study.engine, study.job, study.player.as_deref(), threads)
        .map_err(|error| Failure::Usage(format!("{}: {error}", file.display())))?;
    let questions = study.questions(quiet).map_err(|failure| match failure {
        Failure::Usage(problem) => Failure::Usage(format!("{}: {problem}", file.display())),
        other => other,
    })?;
    let proofs = folder(out, PROOFS)?;
    let _lock = lock_folder(out)?;
    let mut table = table_for(&questions, out)?;
    let stop = stop_on_signal("stopping; answers so far are kept; once more to stop at once")?;
    let all = questions.len();
    let mut proved = 0;
    let mut verifier = Verifier::default();
    // Certificates of earlier questions, read when one is searched.
    let (mut met, mut unread) = (HashSet::new(), Vec::new());
    for (index, question) in questions.iter().enumerate() {
        let name = format!("{} of {all}: {question}: ", index + 1);
        let (proof, unknown) = match table.find(question, study.nodes)? {
            Some(row) if row.certificate.is_some() => (Some(row), None),
            other => (None, other),
        };
        let row = if let Some(row) = proof {
            row
        } else if unknown.is_none() && table.won_by_the_other(question)? {
            if !quiet {
                say(&format!("{name}the other side wins"));
            }
            continue;
        } else if let Some(row) = study.shared(question, &table, &mut verifier)? {
            if !quiet {
                say(&format!("{} of {all}: {row}", index + 1));
            }
            table.put(row.clone())?;
            row
        } else if let Some(row) = unknown {
            row
        } else {
            let rules = Rules::new(question.ruleset);
            let opened = tables(tables_folder, &question.ruleset)?;
            let path = proofs.join(format!("{}.proof", question.file()));
            let unfinished = study.unfinished(question, out)?;
            for certificate in all_verified(&std::mem::take(&mut unread), quiet)? {
                known.add(certificate);
            }
            let certificates = known.under(&rules, question.winner, &name, quiet)?;
            let means = Means {
                options: Options {
                    first: study.begin.into(),
                    replies: study.replies.into(),
                    threads,
                    ..Options::new(memory)
                },
                engine: study.engine,
                jobs: &jobs,
                nodes: study.nodes,
                tables: opened.as_ref(),
                known: &certificates,
                facts: &[],
                proof: Some(&path),
                checkpoint: unfinished.as_ref().map(|(path, every)| (&**path, *every)),
                in_all: true,
                name: &name,
                quiet,
                stop: &stop,
            };
            let answer = ask(&rules, &question.root, question.winner, &means)?;
            if stop.load(Ordering::Relaxed) && answer.certificate.is_none() {
                return Err(Failure::Failed(format!(
                    "interrupted: {index} of {all} questions have their answer; the same command goes on"
                )));
            }
            let row = row(&question.name, &answer, study.nodes, out);
            if !quiet {
                let why = answer
                    .not_certified
                    .as_ref()
                    .map_or(String::new(), |reason| format!(", {}", uncertified(reason)));
                say(&format!("{} of {all}: {row}{why}", index + 1));
            }
            table.put(row.clone())?;
            // A win without a certificate can be written down from its table yet.
            if let Some((path, _)) = unfinished
                && answer.not_certified.is_none()
            {
                forget(&path)?;
            }
            row
        };
        if let Some(certificate) = &row.certificate {
            proved += 1;
            if study.build_on && met.insert(certificate.clone()) {
                unread.push(out.join(certificate));
            }
        }
    }
    if !quiet {
        say(&format!("{proved} of {all} proved"));
    }
    Ok(())
}

/// The folder's table, in which none of the questions' names is another's.
fn table_for(questions: &[Question], out: &Path) -> Result<StudyTable, Failure> {
    let table = StudyTable::open(out)?;
    for question in questions {
        question.own_name(&table, out)?;
    }
    Ok(table)
}

/// Seconds to the tenth.
fn tenths(seconds: f64) -> f64 {
    (seconds * 10.0).round() / 10.0
}

/// The row of an answer. Without a certificate nothing is proved.
fn row(question: &str, answer: &Answer, budget: u64, folder: &Path) -> Row {
    let written = answer.certificate.as_ref();
    let certificate = written.map(|written| {
        let inside = written.file.strip_prefix(folder);
        inside.unwrap_or(&written.file).display().to_string()
    });
    Row {
        ruleset: answer.ruleset.clone(),
        rules: answer.rules.clone(),
        question: question.to_owned(),
        position: answer.position.clone(),
        side: answer.side,
        winner: answer.winner,
        value: match written {
            Some(_) => "proved",
            None => "unknown",
        }
        .to_owned(),
        plies: answer.plies.filter(|_| written.is_some()),
        nodes: answer.nodes,
        budget,
        seconds: tenths(answer.seconds),
        proof_number: answer.proof_number,
        disproof_number: answer.disproof_number,
        steps: written.map(|written| written.steps),
        certificate,
        sha256: written.map(|written| written.file_sha256.clone()),
    }
}

impl Question {
    /// The name of its files.
    fn file(&self) -> String {
        let (ruleset, winner) = (self.ruleset.id(), self.winner.name());
        format!("{ruleset}-{}-{winner}", self.name)
    }

    /// Another question of the folder may not have the same files: its
    /// certificate would be lost.
    fn own_name(&self, table: &StudyTable, out: &Path) -> Result<(), Failure> {
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

/// A folder in the study's, made where it is missing.
fn folder(out: &Path, name: &str) -> Result<PathBuf, Failure> {
    let path = out.join(name);
    match fs::create_dir_all(&path) {
        Ok(()) => Ok(path),
        Err(error) => Err(Failure::Failed(format!(
            "cannot create {}: {error}",
            path.display()
        ))),
    }
}

/// Removes the table of a question that has its answer, and the folder after
/// the last.
fn forget(checkpoint: &Path) -> Result<(), Failure> {
    let cannot =
        |error| Failure::Failed(format!("cannot remove {}: {error}", checkpoint.display()));
    fs::remove_file(checkpoint)
        .or_else(missing)
        .map_err(cannot)?;
    if let Some(folder) = checkpoint.parent() {
        // It stays where other tables are in it.
        let _ = fs::remove_dir(folder);
    }
    Ok(())
}

/// What is not there need not be removed.
fn missing(error: io::Error) -> io::Result<()> {
    match error.kind() {
        io::ErrorKind::NotFound => Ok(()),
        _ => Err(error),
    }
}

impl StudyTable {
    fn find(&self, question: &Question, nodes: u64) -> Result<Option<Row>, Failure> {
        self.answered(
            &question.ruleset.id(),
            &question.root,
            question.winner,
            nodes,
        )
    }

    /// Whether there is a certificate of the other side's win.
    fn won_by_the_other(&self, question: &Question) -> Result<bool, Failure> {
        let (ruleset, other) = (question.ruleset.id(), question.winner.other());
        let row = self.answered(&ruleset, &question.root, other, 0)?;
        Ok(row.is_some_and(|row| row.certificate.is_some()))
    }
}
