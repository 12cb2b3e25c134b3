//! Many questions from one file, one after the other, and a table of the
//! answers that an interruption leaves whole.

use std::collections::HashSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::atomic::Ordering;
use std::time::Instant;

use brandub::experiment::{FolderLock, create_folder, lock_folder, unfinished};
use brandub::game::Rules;
use brandub::solver::{INFINITE, Options};

use super::engine::{Jobs, expect_used};
use super::known::Known;
use super::own_estimates::OwnEstimates;
use super::question::{Answer, Means, ask};
use super::study_file::{Question, Study};
use super::{all_verified, bytes, may_be_kept, tables, uncertified};
use crate::cli::failure::{Failure, say, warn_unlocked};
use crate::cli::run::stop_on_signal;
use crate::cli::study_table::{self, Row, StudyTable};
use crate::cli::verify_proof::Verifier;

/// The folder of a study's certificates.
const PROOFS: &str = "proofs";
/// The folder of the tables of questions that have no answer yet.
const UNFINISHED: &str = "unfinished";

impl Study {
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
                    proof_number: Some(0),
                    disproof_number: Some(INFINITE),
                    ..row.clone()
                }));
            }
        }
        Ok(None)
    }
}

/// What goes with a study and is not in its file.
pub struct Beside<'a> {
    /// A folder of endgame tables.
    pub tables: Option<&'a Path>,
    pub estimates: Option<&'a OwnEstimates>,
    pub threads: u16,
    pub quiet: bool,
}

/// Asks what has no answer in the folder yet.
pub fn execute(
    file: &Path,
    out: &Path,
    mut known: Known,
    beside: &Beside<'_>,
) -> Result<(), Failure> {
    let &Beside { threads, quiet, .. } = beside;
    let (study, memory, jobs) = read(file, threads, beside.estimates.is_some())?;
    let questions = study.questions(quiet);
    let questions = questions.map_err(|failure| failure.in_file(file))?;
    expect_study(out)?;
    let proofs = folder(out, PROOFS)?;
    let _lock = own(out)?;
    let mut table = table_for(&questions, out)?;
    let stop = stop_on_signal("stopping; answers so far are kept; once more to stop at once")?;
    let all = questions.len();
    let mut proved = 0;
    let memory_key = format!("{}: memory", file.display());
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
            let opened = tables(beside.tables, &question.ruleset)?;
            let path = proofs.join(format!("{}.proof", question.file()));
            let unfinished = study.unfinished(question, out)?;
            for certificate in all_verified(&std::mem::take(&mut unread), quiet)? {
                known.add(certificate);
            }
            let certificates = known.under(&rules, question.winner, &name, quiet)?;
            let means = Means {
                options: Options {
                    first: study.begin.into(),
                    replies: study.replies.unwrap_or_default().into(),
                    threads,
                    ..Options::new(memory)
                },
                memory: &memory_key,
                engine: study.engine,
                jobs: &jobs,
                estimates: beside.estimates,
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

/// A study, its table's size in bytes, and what its engine's jobs are made of.
fn read(file: &Path, threads: u16, estimates: bool) -> Result<(Study, u64, Jobs), Failure> {
    let wrong = |error: String| Failure::Usage(format!("{}: {error}", file.display()));
    let study = Study::read(file)?;
    let memory = bytes(&study.memory).map_err(|error| wrong(format!("memory: {error}")))?;
    if let Some(every) = study.every {
        may_be_kept(study.engine, every.get()).map_err(|error| wrong(format!("every: {error}")))?;
    }
    let replies = study.replies.is_some();
    let others = [("--estimates", estimates)];
    expect_used(study.engine, study.begin, replies, &others).map_err(wrong)?;
    let jobs = Jobs::new(study.engine, study.job, study.player.as_deref(), threads);
    Ok((study, memory, jobs.map_err(wrong)?))
}

/// The folder's table, in which none of the questions' names is another's.
fn table_for(questions: &[Question], out: &Path) -> Result<StudyTable, Failure> {
    let table = StudyTable::open(out)?;
    table.questions()?;
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

/// A folder in the study's, made where it is missing.
fn folder(out: &Path, name: &str) -> Result<PathBuf, Failure> {
    let path = out.join(name);
    create_folder(&path)?;
    Ok(path)
}

/// Expects a folder that is a study's, empty, or not there yet.
fn expect_study(out: &Path) -> Result<(), Failure> {
    let Ok(entries) = fs::read_dir(out) else {
        return Ok(());
    };
    if out.join(study_table::FILE).exists() {
        return Ok(());
    }
    let names = entries.flatten().map(|entry| entry.file_name());
    // A study that was killed before its first answer leaves these.
    let other = names.into_iter().find(|name| {
        let is_hidden = name.to_string_lossy().starts_with('.');
        !is_hidden && name != PROOFS && name != UNFINISHED
    });
    other.map_or(Ok(()), |other| {
        Err(Failure::Usage(format!(
            "--out {}: it has {}, and no {} of a study: expected a study's folder, an empty one, or a name that is free",
            out.display(),
            other.display(),
            study_table::FILE
        )))
    })
}

/// The folder for this process alone, without what a killed one has left of its table.
fn own(out: &Path) -> Result<FolderLock, Failure> {
    let lock = lock_folder(out)?;
    if !lock.holds() {
        warn_unlocked();
    }
    for left in unfinished(&out.join(study_table::FILE)) {
        let _ = fs::remove_file(left);
    }
    Ok(lock)
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
