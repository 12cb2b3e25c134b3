//! How long tables took to build: a line a layer, beside the layers' files,
//! which hold nothing of the kind so that their bytes are the same everywhere.

use std::collections::BTreeMap;
use std::fs::OpenOptions;
use std::io::{self, Read, Write};
use std::path::Path;

use brandub::experiment::Program;
use brandub::regular_file;
use serde::{Deserialize, Serialize};

/// The file in a ruleset's folder of tables.
const FILE: &str = "builds.jsonl";

/// How one layer was built.
#[derive(Clone, Serialize, Deserialize)]
pub struct Built {
    /// Which layer.
    pub layer: String,
    /// Threads.
    pub threads: usize,
    /// Seconds by the clock.
    pub seconds: f64,
    /// Seconds of processor time of all threads; where the system tells.
    pub processor_seconds: Option<f64>,
    /// Which program.
    pub program: Program,
}

/// Adds a layer to the file in a ruleset's folder.
pub fn record(folder: &Path, built: &Built) -> io::Result<()> {
    let path = folder.join(FILE);
    // A line that was cut short stays one of its own.
    let whole = read(&path)?.last().is_none_or(|&byte| byte == b'\n');
    let mut line = if whole { Vec::new() } else { vec![b'\n'] };
    serde_json::to_writer(&mut line, built)?;
    line.push(b'\n');
    let mut file = OpenOptions::new().create(true).append(true).open(path)?;
    file.write_all(&line)
}

/// The file's bytes, none where it is not there.
fn read(path: &Path) -> io::Result<Vec<u8>> {
    let mut bytes = Vec::new();
    match regular_file::open(path).and_then(|mut file| file.read_to_end(&mut bytes)) {
        Err(error) if error.kind() != io::ErrorKind::NotFound => {
            Err(io::Error::new(error.kind(), format!("{FILE}: {error}")))
        }
        _ => Ok(bytes),
    }
}

/// How the layers of a ruleset's folder were built, the last time each; those
/// without a line that can be read are not among them.
pub fn recorded(folder: &Path) -> BTreeMap<String, Built> {
    let bytes = read(&folder.join(FILE)).unwrap_or_default();
    let lines = bytes.split(|&byte| byte == b'\n');
    let built = lines.filter_map(|line| serde_json::from_slice::<Built>(line).ok());
    built.map(|built| (built.layer.clone(), built)).collect()
}
