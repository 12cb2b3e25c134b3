//! A study's table of answers, held against the certificates that it names.

use std::path::Path;

use brandub::solver::Claim;

use super::{Shown, Verifier};
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
    let questions = table.questions()?;
    for ((index, row), (ruleset, root)) in table.rows().iter().enumerate().zip(questions) {
        let wrong = |what: String| {
            let line = index + 2;
            Failure::Failed(format!("{}, line {line}: {what}", file.display()))
        };
        let Some(path) = table.certificate(row)? else {
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
