//! The table of a study's answers, one row a question, and what it names in its
//! folder.

use std::collections::HashSet;
use std::fmt;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use brandub::experiment::{plain_words, write_whole};
use brandub::game::{Move, Position, Rules, Ruleset, Side};
use brandub::regular_file;
use brandub::solver::in_parts::{self, InParts};
use csv::{DeserializeErrorKind, ErrorKind, StringRecord};
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::asked::after;
use super::failure::Failure;
use super::whole_number;

/// The table's name in a study's folder.
pub const FILE: &str = "solved.csv";

/// One answer.
#[derive(Clone, PartialEq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Row {
    pub ruleset: String,
    pub rules: String,
    pub question: String,
    pub position: String,
    pub side: Side,
    #[serde(rename = "for")]
    pub winner: Side,
    /// `proved` or `unknown`.
    pub value: String,
    /// Within how many plies at most.
    pub plies: Option<u16>,
    /// Positions expanded, and how many were allowed.
    pub nodes: u64,
    pub budget: u64,
    pub seconds: f64,
    /// The root's last numbers, where a search gave it any.
    pub proof_number: Option<u32>,
    pub disproof_number: Option<u32>,
    pub steps: Option<usize>,
    /// Relative to the study's folder.
    pub certificate: Option<String>,
    /// Of the certificate's bytes.
    pub sha256: Option<String>,
}

impl Row {
    /// The rules and the position that it names; what is wrong with it, certificate
    /// apart.
    fn question(&self) -> Result<(Ruleset, Position), String> {
        let ruleset = Ruleset::from_label(&self.rules)
            .map_err(|error| format!("the rules `{}`: {error}", self.rules))?;
        let id = ruleset.id();
        if self.ruleset != id {
            let Row { ruleset, rules, .. } = self;
            return Err(format!(
                "it says {ruleset} where the rules `{rules}` have {id}"
            ));
        }
        let root = Position::from_otn(&self.position, self.side)
            .map_err(|error| format!("the position {}: {error}", self.position))?;
        if root.to_otn() != self.position {
            let otn = root.to_otn();
            return Err(format!("it spells {otn} otherwise: {}", self.position));
        }
        Rules::new(ruleset)
            .admit(&root)
            .map_err(|error| format!("the position {}: {error}", self.position))?;
        let named = named_position(&self.question, ruleset);
        if named.is_none() && is_of_moves(&self.question) {
            let question = &self.question;
            return Err(format!(
                "it says {question}, which cannot be played from the start"
            ));
        }
        if let Some(named) = named
            && named != root
        {
            let Row {
                question, position, ..
            } = self;
            let leads = named.to_otn();
            return Err(format!(
                "it says {question} and has the position {position}, where {question} leads to {leads}"
            ));
        }
        let value = self.certificate.as_ref().map_or("unknown", |_| "proved");
        if self.value != value {
            let said = &self.value;
            return Err(format!("it says {said} and is {value} by its certificates"));
        }
        if value == "unknown" && (self.plies.is_some() || self.steps.is_some()) {
            return Err("plies or steps of what is unknown".to_owned());
        }
        Ok((ruleset, root))
    }
}

/// Whether a question's name reads as moves, whatever they lead to.
pub fn is_of_moves(question: &str) -> bool {
    question.split('_').all(|ply| ply.parse::<Move>().is_ok())
}

/// The position that a question's name leads to from a ruleset's start, if it is
/// made of moves.
pub fn named_position(question: &str, ruleset: Ruleset) -> Option<Position> {
    let rules = Rules::new(ruleset);
    match question {
        "start" => Some(rules.start()),
        moves => after(&rules, rules.start(), &moves.replace('_', " ")).ok(),
    }
}

/// Of a file's bytes, or of those of its parts.
fn sha256(path: &Path) -> io::Result<String> {
    let mut bytes = Vec::new();
    InParts::open(path)?.read_to_end(&mut bytes)?;
    Ok(hex::encode(Sha256::digest(&bytes)))
}

/// Where a row is wrong, and how.
fn in_plain_words(error: &csv::Error, columns: &StringRecord) -> String {
    let what = match error.kind() {
        ErrorKind::Deserialize { err, .. } => {
            let what = match err.kind() {
                DeserializeErrorKind::ParseInt(wrong) => whole_number(wrong).to_owned(),
                DeserializeErrorKind::ParseFloat(_) => "expected a number".to_owned(),
                other => plain_words(&other.to_string(), "row"),
            };
            match err.field().and_then(|at| columns.get(at as usize)) {
                Some(name) => format!("`{name}`: {what}"),
                None => what,
            }
        }
        ErrorKind::UnequalLengths {
            expected_len, len, ..
        } => format!("{len} fields, expected {expected_len}"),
        ErrorKind::Utf8 { .. } => "expected text in UTF-8".to_owned(),
        _ => return format!(": {error}"),
    };
    let line = error.position().map_or(1, csv::Position::line);
    format!(", line {line}: {what}")
}

impl fmt::Display for Row {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Row {
            rules,
            question,
            winner,
            value,
            nodes,
            seconds,
            ..
        } = self;
        write!(f, "{rules}, {question}, {winner}: {value}")?;
        if let Some(plies) = self.plies {
            write!(f, " within {plies} plies")?;
        }
        write!(f, ", {nodes} positions in {seconds} s")
    }
}

/// The rows of a folder.
pub struct StudyTable {
    folder: PathBuf,
    rows: Vec<Row>,
}

impl StudyTable {
    /// The table that is there, or none yet.
    pub fn open(folder: &Path) -> Result<StudyTable, Failure> {
        let path = folder.join(FILE);
        let mut rows = Vec::new();
        if path.exists() {
            let named =
                |what: &dyn fmt::Display| Failure::Failed(format!("{}{what}", path.display()));
            let mut reader = regular_file::open(&path)
                .map(csv::Reader::from_reader)
                .map_err(|error| named(&format_args!(": {error}")))?;
            let columns = reader.headers().cloned();
            let columns = columns.map_err(|error| named(&format_args!(": {error}")))?;
            for row in reader.deserialize() {
                rows.push(row.map_err(|error| named(&in_plain_words(&error, &columns)))?);
            }
            // It is written with the first answer, and never without one.
            if rows.is_empty() {
                return Err(Failure::Failed(format!(
                    "{}: it has no row: expected the answers of a study, or no such file",
                    path.display()
                )));
            }
        }
        Ok(StudyTable {
            folder: folder.to_owned(),
            rows,
        })
    }

    fn same(row: &Row, ruleset: &str, root: &Position, winner: Side) -> bool {
        row.ruleset == ruleset
            && row.position == root.to_otn()
            && row.side == root.side
            && row.winner == winner
    }

    /// All answers.
    pub fn rows(&self) -> &[Row] {
        &self.rows
    }

    /// The rules and position of every row; the rows agree with themselves and each
    /// other. What their certificates show is another question.
    pub fn questions(&self) -> Result<Vec<(Ruleset, Position)>, Failure> {
        let file = self.folder.join(FILE);
        let mut met = HashSet::new();
        let rows = self.rows.iter().zip(2..).map(|(row, line)| {
            let asked = (&row.ruleset, &row.position, row.side, row.winner);
            let checked = row.question().and_then(|question| match met.insert(asked) {
                true => Ok(question),
                false => Err("the same question as in a line before".to_owned()),
            });
            checked.map_err(|what: String| {
                Failure::Failed(format!("{}, line {line}: {what}", file.display()))
            })
        });
        rows.collect()
    }

    /// One row for each certificate that shows a win of this side, from this position
    /// or under these rules, and is still there: those from this position first.
    pub fn proved(&self, ruleset: &str, root: &Position, winner: Side) -> Vec<&Row> {
        let (otn, side) = (root.to_otn(), root.side);
        let from_here = |row: &Row| row.position == otn && row.side == side;
        let mut proved: Vec<&Row> = self
            .rows
            .iter()
            .filter(|row| row.winner == winner && (from_here(row) || row.ruleset == ruleset))
            .collect();
        proved.sort_by_key(|row| !from_here(row));
        let mut named = HashSet::new();
        proved.retain(|row| {
            let file = row.certificate.as_ref();
            file.is_some_and(|file| {
                named.insert(file) && !in_parts::parts(&self.folder.join(file)).is_empty()
            })
        });
        proved
    }

    /// The certificate that a row names, if it names one: its file, which has
    /// the bytes that the row says.
    pub fn certificate(&self, row: &Row) -> Result<Option<PathBuf>, Failure> {
        let Some(certificate) = &row.certificate else {
            return Ok(None);
        };
        let path = self.folder.join(certificate);
        let digest = sha256(&path).map_err(|error| {
            Failure::Failed(format!(
                "cannot read {}, which {FILE} names: {error}",
                path.display()
            ))
        })?;
        if row.sha256.as_ref() == Some(&digest) {
            return Ok(Some(path));
        }
        Err(Failure::Failed(format!(
            "{}: its SHA-256 is {digest}, not that in {FILE}: remove the row to ask anew",
            path.display()
        )))
    }

    /// The answer to a question, if it is there: with a certificate of the
    /// bytes that the row names, or unknown after as much work at least. One
    /// whose certificate is gone is no answer.
    pub fn answered(
        &self,
        ruleset: &str,
        root: &Position,
        winner: Side,
        nodes: u64,
    ) -> Result<Option<Row>, Failure> {
        let row = self
            .rows
            .iter()
            .find(|row| StudyTable::same(row, ruleset, root, winner));
        let Some(row) = row else {
            return Ok(None);
        };
        let Some(certificate) = &row.certificate else {
            return Ok((row.budget >= nodes).then(|| row.clone()));
        };
        if in_parts::parts(&self.folder.join(certificate)).is_empty() {
            return Ok(None);
        }
        self.certificate(row).map(|_| Some(row.clone()))
    }

    /// Adds an answer, in the stead of an older one to the same question, and
    /// writes the table.
    pub fn put(&mut self, row: Row) -> Result<(), Failure> {
        let root = Position::from_otn(&row.position, row.side)
            .map_err(|error| Failure::Failed(error.to_string()))?;
        let place = self
            .rows
            .iter()
            .position(|old| StudyTable::same(old, &row.ruleset, &root, row.winner));
        match place {
            Some(place) => self.rows[place] = row,
            None => self.rows.push(row),
        }
        let mut writer = csv::Writer::from_writer(Vec::new());
        for row in &self.rows {
            writer
                .serialize(row)
                .map_err(|error| Failure::Failed(error.to_string()))?;
        }
        let bytes = writer
            .into_inner()
            .map_err(|error| Failure::Failed(error.to_string()))?;
        Ok(write_whole(&self.folder.join(FILE), &bytes)?)
    }
}
