//! A study's table of answers, held against the certificates that it names.

use std::collections::HashSet;
use std::path::Path;

use brandub::game::{Position, Rules, Ruleset};
use brandub::solver::Claim;

use super::{Shown, Verifier};
use crate::cli::asked::after;
use crate::cli::failure::Failure;
use crate::cli::study_table::{self, Row, StudyTable};

/// A study's table of answers.
///
/// # Errors
/// A folder without one, or a table that cannot be read.
pub fn answers(folder: &Path) -> Result<StudyTable, Failure> {
    if folder.join(study_table::FILE).is_file() {
        return StudyTable::open(folder);
    }
    Err(Failure::Usage(format!(
        "{}: expected a folder with {}",
        folder.display(),
        study_table::FILE
    )))
}

/// Checks what a study's table says of its certificates, and tells of each of
/// them; how many answers there are.
pub fn each(
    folder: &Path,
    tell: &mut dyn FnMut(&Claim, &Shown) -> Result<(), Failure>,
) -> Result<usize, Failure> {
    let file = folder.join(study_table::FILE);
    let table = answers(folder)?;
    let mut verifier = Verifier::default();
    let mut met = HashSet::new();
    for (index, row) in table.rows().iter().enumerate() {
        let wrong = |what: String| {
            let line = index + 2;
            Failure::Failed(format!("{}, line {line}: {what}", file.display()))
        };
        let ruleset = Ruleset::from_label(&row.rules)
            .map_err(|error| wrong(format!("the rules `{}`: {error}", row.rules)))?;
        let root = Position::from_otn(&row.position, row.side)
            .map_err(|error| wrong(format!("the position {}: {error}", row.position)))?;
        let asked = (&row.ruleset, &row.position, row.side, row.winner);
        if !met.insert(asked) {
            return Err(wrong("the same question as in a line before".to_owned()));
        }
        if let Some(named) = named(&row.question, ruleset)
            && named != root
        {
            return Err(wrong(format!(
                "it says {} and has the position {}, where {} leads to {}",
                row.question,
                row.position,
                row.question,
                named.to_otn()
            )));
        }
        let certificate = table.certificate(row)?;
        let value = certificate.as_ref().map_or("unknown", |_| "proved");
        if row.value != value {
            return Err(wrong(format!(
                "it says {} and is {value} by its certificates",
                row.value
            )));
        }
        let Some(path) = certificate else {
            if row.plies.is_some() || row.steps.is_some() {
                return Err(wrong("plies or steps of what is unknown".to_owned()));
            }
            continue;
        };
        // Its own may be other rules, or another position: it must hold for the row's.
        let (claim, shown) = verifier.file(&path, &|_| Ok((ruleset, root)))?;
        let said = said(row);
        let found = [
            &shown.ruleset,
            &shown.position,
            shown.side.name(),
            shown.winner.name(),
            &shown.plies.to_string(),
            &shown.steps.to_string(),
        ];
        if let Some(place) = (0..found.len()).find(|&place| said[place] != found[place]) {
            return Err(wrong(format!(
                "it says {} where {} has {}",
                said[place],
                path.display(),
                found[place]
            )));
        }
        tell(&claim, &shown)?;
    }
    Ok(table.rows().len())
}

/// The position that a question's name leads to from a ruleset's start, if it is
/// made of moves.
fn named(question: &str, ruleset: Ruleset) -> Option<Position> {
    let rules = Rules::new(ruleset);
    match question {
        "start" => Some(rules.start()),
        moves => after(&rules, rules.start(), &moves.replace('_', " ")).ok(),
    }
}

/// What a row claims, in the order of the claim's parts.
fn said(row: &Row) -> [String; 6] {
    let number = |number: Option<String>| number.unwrap_or_else(|| "nothing".to_owned());
    [
        row.ruleset.clone(),
        row.position.clone(),
        row.side.name().to_owned(),
        row.winner.name().to_owned(),
        number(row.plies.map(|plies| plies.to_string())),
        number(row.steps.map(|steps| steps.to_string())),
    ]
}
