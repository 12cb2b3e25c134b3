//! `measures.csv`: a row a measured game. Imports measures.

use std::path::Path;

use super::error::Error;
use super::files;
use super::measures::GameMeasures;

/// The file's name.
pub const MEASURES_FILE: &str = "measures.csv";

/// The columns, in the order of the fields of [`GameMeasures`].
const COLUMNS: [&str; 28] = [
    "experiment",
    "cell",
    "ruleset",
    "game",
    "winner",
    "reason",
    "plies",
    "opening_plies",
    "first_move",
    "branching",
    "attackers_captured",
    "defenders_captured",
    "captures_by_king",
    "captures_against_king",
    "captures_with_throne",
    "captures_with_corner",
    "king_returns",
    "king_captured_with_throne",
    "king_captured_only_two",
    "raichi",
    "tuichi",
    "judged",
    "lead_changes",
    "behind",
    "drama",
    "drama_max",
    "settled",
    "judge_error",
];

/// The file's bytes: a header, then a row a game, in order.
///
/// # Panics
/// Never: memory takes every row.
#[must_use]
pub fn measures_csv(games: &[GameMeasures]) -> Vec<u8> {
    let mut writer = csv::WriterBuilder::new()
        .has_headers(false)
        .from_writer(Vec::new());
    writer
        .write_record(COLUMNS)
        .expect("memory takes every row");
    for game in games {
        writer.serialize(game).expect("memory takes every row");
    }
    writer.into_inner().expect("memory takes every row")
}

/// Reads what [`measures_csv`] wrote.
///
/// # Errors
/// If the file cannot be read or has other columns or values, with the line.
pub fn read_measures(path: &Path) -> Result<Vec<GameMeasures>, Error> {
    let bytes = files::read(path)?;
    let mut reader = csv::Reader::from_reader(&bytes[..]);
    let rows = reader.deserialize();
    rows.map(|row| row.map_err(|error| Error::damaged(path, error.to_string())))
        .collect()
}

/// A number with six decimals; an empty field where there is none.
pub(super) mod six_decimals {
    use serde::{Deserialize, Deserializer, Serializer};

    #[expect(clippy::ref_option, reason = "serde asks for a reference")]
    pub fn serialize<S: Serializer>(value: &Option<f64>, serializer: S) -> Result<S::Ok, S::Error> {
        match value {
            Some(value) => serializer.serialize_str(&format!("{value:.6}")),
            None => serializer.serialize_none(),
        }
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(
        deserializer: D,
    ) -> Result<Option<f64>, D::Error> {
        Option::deserialize(deserializer)
    }
}

/// 1 for true, 0 for false.
pub(super) mod zero_or_one {
    use serde::Serializer;
    use serde::de::{Deserialize, Deserializer, Error, Unexpected};

    #[expect(
        clippy::trivially_copy_pass_by_ref,
        reason = "serde asks for a reference"
    )]
    pub fn serialize<S: Serializer>(value: &bool, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u8(u8::from(*value))
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(deserializer: D) -> Result<bool, D::Error> {
        match u8::deserialize(deserializer)? {
            0 => Ok(false),
            1 => Ok(true),
            other => Err(D::Error::invalid_value(
                Unexpected::Unsigned(other.into()),
                &"0 or 1",
            )),
        }
    }
}
