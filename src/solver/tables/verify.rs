/*!
Whether tables are right: every byte is what was written, and values agree with
what one move ahead says of them.

A win must have a move to a loss in one ply less, and so on down to a position
that is over; a draw must have a move to a draw, and none to a loss. If that
holds of *every* value of a layer and of those below it, the layer is proven: no
value can be wrong without one that disagrees with its moves. A sample only
makes that likely. Imports folders and rules.
*/

use std::path::{Path, PathBuf};

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use rayon::prelude::*;

use super::dense::Dense;
use super::error::Error;
use super::folder::Folder;
use super::found::{check_name, passed_over, ruleset_folders};
use super::index::Layer;
use crate::game::{MoveList, Position, Rules, Ruleset, Side, sample};
use crate::solver::exact::Value;

/// Values looked at one after the other by a thread.
const CHUNK: u64 = 4096;

/// What was checked of one layer.
#[derive(Clone, Debug)]
pub struct Checked {
    /// The ruleset's folder.
    pub path: PathBuf,
    /// The rules of the table.
    pub rules: Ruleset,
    /// Which layer.
    pub layer: Layer,
    /// Values of both sides.
    pub entries: u64,
    /// How many of them were compared with their moves.
    pub compared: u64,
    /// Plies of the longest forced win.
    pub longest: u8,
    /// Bytes of the file.
    pub bytes: u64,
    /// Its SHA-256, hexadecimal.
    pub sha256: String,
    /// Wins, draws and losses by number, for attackers and defenders to move.
    pub verdicts: [[u64; 3]; 2],
}

/// Checks all tables in a folder, or in its folders: every byte, and of each
/// layer `most` values drawn by the seed, or all if it has no more.
///
/// # Errors
/// A folder that is named by the id of other rules; a file that is named as a table is
/// and in no place of one; the first file that is damaged or missing, or value that is
/// wrong.
pub fn verify_tables(
    dir: &Path,
    most: u64,
    seed: u64,
    mut tell: impl FnMut(Checked),
) -> Result<(), Error> {
    let folders = ruleset_folders(dir)?;
    if folders.is_empty() {
        return Err(Error::None {
            path: dir.to_owned(),
        });
    }
    for (path, ruleset) in &folders {
        check_name(path, ruleset)?;
    }
    if let Some(path) = passed_over(dir, &folders)? {
        return Err(Error::Unread { path });
    }
    for (path, ruleset) in folders {
        let mut folder = Folder::new(path.clone(), &ruleset);
        for layer in folder.layers()? {
            let packed = folder.read(layer)?;
            let (bytes, sha256) = (packed.bytes(), packed.sha256());
            let header = packed.header;
            let mut layers = folder.lower(layer)?;
            layers.push(folder.unpack(layer)?);
            let compared = compare(&folder, &layers, most, seed)?;
            tell(Checked {
                path: path.clone(),
                rules: ruleset,
                layer,
                entries: 2 * header.entries,
                compared,
                longest: header.longest,
                bytes,
                sha256,
                verdicts: [header.attackers, header.defenders],
            });
        }
    }
    Ok(())
}

/// Compares values of the last layer with their moves; says how many.
fn compare(folder: &Folder, layers: &[Dense], most: u64, seed: u64) -> Result<u64, Error> {
    let Some(dense) = layers.last() else {
        return Ok(0);
    };
    let entries = 2 * dense.index.len() as u64;
    let all = entries <= most;
    let count = entries.min(most);
    let wrong = (0..count.div_ceil(CHUNK))
        .into_par_iter()
        .find_map_first(|chunk| {
            let mut numbers =
                Xoshiro256PlusPlus::seed_from_u64(seed ^ chunk.wrapping_mul(0x9e37_79b9_7f4a_7c15));
            (chunk * CHUNK..count.min((chunk + 1) * CHUNK)).find_map(|number| {
                let number = match all {
                    true => number,
                    false => draw(entries, &mut numbers),
                };
                disagrees(&folder.rules, layers, dense, number)
            })
        });
    match wrong {
        None => Ok(count),
        Some(problem) => Err(Error::Damaged {
            path: folder.file(dense.index.layer),
            problem,
        }),
    }
}

/// A number below `bound`, each equally likely.
fn draw(bound: u64, numbers: &mut Xoshiro256PlusPlus) -> u64 {
    let high = sample::below((bound >> 16) as u32 + 1, numbers);
    let low = sample::below(1 << 16, numbers);
    match u64::from(high) << 16 | u64::from(low) {
        number if number < bound => number,
        _ => draw(bound, numbers),
    }
}

/// What is wrong with a value, the sides' numbered one behind the other.
fn disagrees(rules: &Rules, layers: &[Dense], dense: &Dense, number: u64) -> Option<String> {
    let half = dense.index.len() as u64;
    let side = if number < half {
        Side::Attackers
    } else {
        Side::Defenders
    };
    let position = dense.index.position((number % half) as usize, side);
    let value = dense.value(&position);
    let expected = look_ahead(rules, layers, &position);
    (value != expected).then(|| {
        format!(
            "{} with {side} to move is {value:?} by the table and {expected:?} by its moves",
            position.to_otn()
        )
    })
}

/// What the moves of a position say of it.
pub(super) fn look_ahead(rules: &Rules, layers: &[Dense], position: &Position) -> Value {
    if let Some(outcome) = rules.ending(position) {
        return Value::of_outcome(outcome, position.side);
    }
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    let values = list.iter().map(|&ply| {
        let after = rules.play(position, ply).position;
        let value = if let Some(outcome) = rules.ending(&after) {
            Value::of_outcome(outcome, after.side)
        } else {
            let layer = Layer::of(&after);
            let dense = layers.iter().find(|dense| dense.index.layer == layer);
            let dense = dense.expect("every layer that a move leads to is given");
            dense.value(&after)
        };
        value.before()
    });
    values
        .max_by(|one, other| one.compare(*other))
        .unwrap_or(Value::Draw)
}
