//! Proves that a result folder is what its manifest says, and plays some of
//! its games again. Imports folders, manifests and games.

use std::collections::BTreeSet;
use std::path::Path;

use rayon::prelude::*;

use super::chunk::{Chunk, Rows, read_whole};
use super::error::Error;
use super::files;
use super::folder::find_chunks;
use super::grid::Grid;
use super::manifest::{Manifest, PLAY_REVISION, Status};
use super::one_game;
use super::seed::key;
use crate::agents::stream;
use crate::game::sample::below;

/// Something that is not as it should be.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Finding {
    /// The file, with its place in it where that is known.
    pub place: String,
    /// What is wrong with it.
    pub problem: String,
}

/// What was looked at.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Verified {
    /// What is wrong; empty if all is well.
    pub findings: Vec<Finding>,
    /// Files whose checksums were computed.
    pub files: usize,
    /// Rows that were read.
    pub games: u64,
    /// Games that were played again.
    pub replayed: u64,
    /// Whether every game of the run is there.
    pub complete: bool,
}

/// Checks every file's checksum, that the files are the experiment's chunks
/// with every game once, and plays `sample` games again, drawn at random (the
/// same ones for the same manifest). `tables` makes the files beside the
/// games anew, by name, from the folder: they must be there with these bytes.
///
/// # Errors
/// If the manifest itself cannot be used or a file cannot be read.
pub fn verify(
    folder: &Path,
    sample: u64,
    tables: impl Fn(&Manifest) -> Result<Vec<(String, Vec<u8>)>, Error>,
) -> Result<Verified, Error> {
    let manifest = Manifest::read(folder)?;
    let grid = Grid::new(manifest.experiment.clone());
    let mut findings = Vec::new();
    let mut find = |place: &str, problem: String| {
        findings.push(Finding {
            place: place.to_owned(),
            problem,
        });
    };
    if let Some(difference) = manifest.difference(&Manifest::new(&grid, manifest.shard)) {
        find(
            "manifest.json",
            format!("is not what this program would write: {difference}"),
        );
    }
    let checked: Vec<(&String, Result<String, Error>)> = manifest
        .files
        .par_iter()
        .map(|(name, _)| (name, files::checksum_of(&folder.join(name))))
        .collect();
    for (name, found) in checked {
        match found {
            Ok(found) if found == manifest.files[name] => {}
            Ok(found) => find(
                name,
                format!(
                    "has checksum {found}, the manifest says {}",
                    manifest.files[name]
                ),
            ),
            Err(error) => find(name, error.to_string()),
        }
    }
    let chunks: Vec<Chunk> = grid.chunks(manifest.shard).collect();
    let present = match find_chunks(folder, &grid) {
        Ok(present) => present,
        Err(error) => {
            find("games", error.to_string());
            return Ok(Verified {
                files: manifest.files.len(),
                findings,
                games: 0,
                replayed: 0,
                complete: false,
            });
        }
    };
    let mut names = BTreeSet::new();
    let mut readable = Vec::new();
    let mut games = 0;
    for chunk in &chunks {
        let cell = &grid.cells[chunk.cell];
        let Some(file) = present.get(&(chunk.cell, chunk.index)) else {
            if manifest.status == Status::Complete {
                find(
                    &format!("games/{}", cell.id),
                    format!("chunk {} is missing", chunk.index),
                );
            }
            continue;
        };
        let name = format!("games/{}/{}", cell.id, file.name());
        let path = folder.join(&name);
        let rows = read_whole(&path, file)
            .and_then(|(_, bytes)| chunk.check(cell, &path, &bytes).map(|tally| (bytes, tally)));
        match rows {
            Ok((_, tally)) => {
                games += tally.games();
                readable.push((*chunk, name.clone()));
            }
            Err(error) => find(&name, error.to_string()),
        }
        if manifest.status == Status::Complete && !manifest.files.contains_key(&name) {
            find(&name, "is not in the manifest".to_owned());
        }
        names.insert((chunk.cell, chunk.index));
    }
    for (place, file) in &present {
        if !names.contains(place) {
            let id = &grid.cells[place.0].id;
            find(
                &format!("games/{id}/{}", file.name()),
                "is no chunk of this run".to_owned(),
            );
        }
    }
    if manifest.status == Status::Complete && games != manifest.games {
        find(
            "manifest.json",
            format!("says {} games, the files hold {games}", manifest.games),
        );
    }
    if findings.is_empty() && manifest.status == Status::Complete {
        for (name, bytes) in tables(&manifest)? {
            if manifest.files.get(&name) != Some(&files::checksum(&bytes)) {
                findings.push(Finding {
                    place: name,
                    problem: "is not what the games give".to_owned(),
                });
            }
        }
    }
    let replayed = if manifest.program.play_revision == PLAY_REVISION {
        replay(folder, &grid, &readable, sample, &mut findings)?
    } else {
        0
    };
    Ok(Verified {
        findings,
        files: manifest.files.len(),
        games,
        replayed,
        complete: manifest.status == Status::Complete,
    })
}

/// Plays some of the games again and compares their rows, byte for byte.
fn replay(
    folder: &Path,
    grid: &Grid,
    chunks: &[(Chunk, String)],
    sample: u64,
    findings: &mut Vec<Finding>,
) -> Result<u64, Error> {
    if chunks.is_empty() {
        return Ok(0);
    }
    let mut draws = stream(key(grid.experiment.seed, "verify"));
    let picks: Vec<(&(Chunk, String), u64)> = (0..sample)
        .map(|_| {
            let chosen = &chunks[below(chunks.len() as u32, &mut draws) as usize];
            let game = chosen.0.first_game + u64::from(below(chosen.0.games as u32, &mut draws));
            (chosen, game)
        })
        .collect();
    let differing: Vec<Option<Finding>> = picks
        .into_par_iter()
        .map(|((chunk, name), game)| {
            let cell = &grid.cells[chunk.cell];
            let record = one_game::play(&grid.experiment, cell, &cell.rules(), game).record;
            let mut rows = Rows::new(cell, 1);
            rows.push(&record);
            let expected = rows.finish();
            let expected = last_line(&expected);
            let bytes = files::read(&folder.join(name))?;
            let row = 1 + game - chunk.first_game;
            let found = bytes
                .split(|&byte| byte == b'\n')
                .nth(row as usize)
                .unwrap_or_default();
            Ok((found != expected).then(|| Finding {
                place: format!("{name} line {}", row + 1),
                problem: format!(
                    "game {game} played again gives {}, the file says {}",
                    String::from_utf8_lossy(expected),
                    String::from_utf8_lossy(found)
                ),
            }))
        })
        .collect::<Result<_, Error>>()?;
    findings.extend(differing.into_iter().flatten());
    Ok(sample)
}

fn last_line(bytes: &[u8]) -> &[u8] {
    let bytes = bytes.strip_suffix(b"\n").unwrap_or(bytes);
    bytes.rsplit(|&byte| byte == b'\n').next().unwrap_or(bytes)
}
