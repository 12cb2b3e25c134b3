//! Where endgame tables are. Reads the environment.

use std::path::{Path, PathBuf};

use brandub::experiment::Endgames;

/// Names the folder of tables that agents ask, where their specs do not.
const VARIABLE: &str = "BRANDUB_TABLES";
/// The folder otherwise, as `tables build` fills it.
const DEFAULT: &str = "tables";

/// The tables that agents ask.
pub fn endgames() -> Endgames {
    endgames_or(Path::new(DEFAULT))
}

/// The tables that agents ask, in this folder where the environment names none.
pub fn endgames_or(folder: &Path) -> Endgames {
    let named = std::env::var_os(VARIABLE).filter(|folder| !folder.is_empty());
    Endgames::new(named.map_or_else(|| folder.to_owned(), PathBuf::from))
}
