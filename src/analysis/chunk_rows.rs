//! Rows of chunk files as polars has them, some megabytes at a time. Imports
//! result files.

use std::io::Cursor;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use polars::prelude::*;

use crate::experiment::{Cell, Error, Manifest, read_chunk};

/// Bytes of rows grouped at a time.
const BATCH_BYTES: usize = 2 << 20;

/// Why a table could not be made.
#[derive(Debug, thiserror::Error)]
pub enum TableError {
    /// A file cannot be read or was altered.
    #[error(transparent)]
    File(Error),
    /// What the stop rule says cannot be computed.
    #[error(transparent)]
    Decisions(#[from] Error),
    /// A cell's rows are not as they should be.
    #[error("cell {cell}: {source}")]
    Rows {
        /// Which cell.
        cell: String,
        /// What polars says.
        source: PolarsError,
    },
}

/// The chunk files of a cell that the manifest lists, in the order of their games.
pub(super) fn chunk_files(folder: &Path, manifest: &Manifest, cell: &Cell) -> Vec<PathBuf> {
    let prefix = format!("games/{}/", cell.id);
    let listed = manifest.files.range(prefix.clone()..);
    let names = listed
        .map(|(name, _)| name)
        .take_while(|name| name.starts_with(&prefix));
    let mut names: Vec<&String> = names.collect();
    // Numbers of more than six digits come before shorter ones by name.
    let number = |name: &str| -> Option<u64> {
        let (number, _) = name[prefix.len()..].split_once('-')?;
        number.parse().ok()
    };
    names.sort_by_key(|name| number(name));
    names.into_iter().map(|name| folder.join(name)).collect()
}

/// Calls `with` with the rows of the files, some megabytes at a time, each
/// batch under one header.
pub(super) fn each_batch(
    files: &[PathBuf],
    mut with: impl FnMut(Vec<u8>) -> PolarsResult<()>,
    of_rows: impl Fn(PolarsError) -> TableError,
) -> Result<(), TableError> {
    let mut batch: Vec<u8> = Vec::new();
    for (index, path) in files.iter().enumerate() {
        let bytes = read_chunk(path).map_err(TableError::File)?;
        let rows = if batch.is_empty() {
            &bytes[..]
        } else {
            let header = bytes.iter().position(|&byte| byte == b'\n');
            &bytes[header.map_or(0, |end| end + 1)..]
        };
        batch.extend_from_slice(rows);
        if batch.len() >= BATCH_BYTES || index + 1 == files.len() {
            with(std::mem::take(&mut batch)).map_err(&of_rows)?;
        }
    }
    Ok(())
}

/// Some columns of rows.
pub(super) fn frame(bytes: Vec<u8>, columns: &[&str]) -> PolarsResult<DataFrame> {
    let types = Schema::from_iter([
        Field::new("game".into(), DataType::UInt64),
        Field::new("winner".into(), DataType::String),
        Field::new("reason".into(), DataType::String),
        Field::new("plies".into(), DataType::UInt32),
        Field::new("moves_key".into(), DataType::String),
    ]);
    CsvReadOptions::default()
        .with_columns(Some(columns.iter().map(|&name| name.into()).collect()))
        .with_schema_overwrite(Some(Arc::new(types)))
        // The other columns are not read; their types need no guessing.
        .with_infer_schema_length(Some(0))
        .into_reader_with_file_handle(Cursor::new(bytes))
        .finish()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{Grid, Source};

    #[test]
    fn chunks_come_in_the_order_of_their_games_beyond_a_million() {
        let text = "name='x'\nseed=1\ngames=1\n[rules]\nbase='wtf'\n[[match]]\nagents=['random']\n";
        let grid = Grid::new(Source::parse("x", text).unwrap().experiment);
        let cell = &grid.cells[0];
        let mut manifest = Manifest::new(&grid, None);
        let other = "fffffffffffe";
        for (id, index) in [
            (cell.id.as_str(), 1_000_000),
            (cell.id.as_str(), 100_000),
            (cell.id.as_str(), 100_001),
            (cell.id.as_str(), 999_999),
            (other, 0),
        ] {
            let name = format!("games/{id}/{index:06}-0123456789abcdef.csv");
            manifest.files.insert(name, String::new());
        }
        let files = chunk_files(Path::new("at"), &manifest, cell);
        let expected = [100_000, 100_001, 999_999, 1_000_000].map(|index| {
            PathBuf::from(format!("at/games/{}/{index}-0123456789abcdef.csv", cell.id))
        });
        assert_eq!(files, expected);
    }
}
