/*!
Table files: a folder for each ruleset, named by its id, a file for each layer,
there whole or not at all. Imports the format, what is found of it, the builder, the plan
and locks.
*/

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::build::{TooLong, build};
use super::dense::Dense;
use super::error::Error;
use super::format::{Packed, most_bytes, pack};
use super::found::{entries, found_in, layer_file, layer_of, open_file, unreadable};
use super::ground::Ground;
use super::identity::table_rules;
use super::index::{Index, Layer, Rows};
use super::mapped::Bytes;
use super::plan::{Plan, Planned};
use super::tables::{DEFAULT_ROOM, Tables};
use crate::folder_lock::{FolderLock, LOCK, NotLocked};
use crate::game::{Rules, Ruleset};

const TEMPORARY: &str = ".tmp";

/// What is told while tables are built.
#[derive(Clone, Copy, Debug)]
pub enum Event<'a> {
    /// Nothing keeps others from building there: the file system has no locks.
    Unlocked,
    /// A layer is there already, and whole.
    Kept(&'a Planned),
    /// A layer is begun.
    Begun(&'a Planned),
    /// A layer is written, in so many bytes.
    Written(&'a Planned, u64),
}

/// How to build.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Means {
    /// Threads, at least one; they change no byte.
    pub threads: usize,
    /// Bytes of memory allowed.
    pub memory: u64,
}

/// The tables of one ruleset in their folder.
#[derive(Debug)]
pub(super) struct Folder {
    pub path: PathBuf,
    pub rules: Rules,
    ground: Arc<Ground>,
    rows: BTreeMap<u8, Arc<Rows>>,
}

/// Builds all layers up to `plan`'s last under `dir`, those apart that are
/// there already. Interrupted, it goes on with the layer it was at.
///
/// # Errors
/// Too little memory or disk for the plan, told before anything is computed; what is
/// no folder in its place; a damaged file; another build in the same folder; the
/// system's refusals.
pub fn build_tables(
    dir: &Path,
    ruleset: &Ruleset,
    plan: &Plan,
    means: Means,
    mut tell: impl FnMut(Event<'_>) + Send,
) -> Result<(), Error> {
    if let Some(peak) = plan.peak(means.threads) {
        let needed = peak.memory(means.threads);
        if needed > means.memory {
            return Err(Error::Memory {
                layer: peak.layer,
                needed,
                allowed: means.memory,
            });
        }
    }
    let pool = rayon::ThreadPoolBuilder::new().num_threads(means.threads);
    let pool = pool.build().map_err(|error| Error::Threads {
        threads: means.threads,
        problem: error.to_string(),
    })?;
    let mut folder = Folder::new(dir.join(table_rules(ruleset).id()), ruleset);
    expect_folder(&folder.path)?;
    fs::create_dir_all(&folder.path).map_err(Error::io("create", &folder.path))?;
    let lock = folder.lock()?;
    if !lock.holds() {
        tell(Event::Unlocked);
    }
    folder.clear()?;
    pool.install(|| {
        let mut missing = Vec::new();
        for planned in &plan.layers {
            if folder.file(planned.layer).exists() {
                folder.read(planned.layer)?;
                tell(Event::Kept(planned));
            } else {
                missing.push(planned);
            }
        }
        folder.has_room_for(&missing)?;
        for planned in missing {
            tell(Event::Begun(planned));
            let bytes = folder.build(planned.layer)?;
            tell(Event::Written(planned, bytes));
        }
        Ok(())
    })
}

/// Opens the tables of these rules under `dir` and checks every byte of them.
///
/// # Errors
/// No tables of these rules; files that are damaged or of other rules.
pub fn open_tables(dir: &Path, ruleset: &Ruleset) -> Result<Tables, Error> {
    let (folder, layers) = there(dir, ruleset, None)?;
    open(folder, layers)
}

/// The same with the layers up to this one and no others.
///
/// # Errors
/// As [`open_tables`]; [`Error::Short`] if one of the layers is not there.
pub fn open_tables_up_to(dir: &Path, ruleset: &Ruleset, most: Layer) -> Result<Tables, Error> {
    let (folder, layers) = there(dir, ruleset, Some(most))?;
    let missing = most.within().find(|layer| !layers.contains(layer));
    if let Some(missing) = missing {
        return Err(Error::Short {
            path: folder.path,
            most,
            missing,
        });
    }
    open(folder, most.within().collect())
}

/// The layer up to which `dir` holds tables of these rules.
///
/// # Errors
/// As [`open_tables`], but that no file is read; [`Error::Ragged`] if they are
/// not all layers up to one and nothing else.
pub fn table_extent(dir: &Path, ruleset: &Ruleset) -> Result<Layer, Error> {
    let (folder, layers) = there(dir, ruleset, None)?;
    let most = |count: fn(&Layer) -> u8| layers.iter().map(count).max().unwrap_or(0);
    let most = Layer {
        defenders: most(|layer| layer.defenders),
        attackers: most(|layer| layer.attackers),
    };
    let missing = most.within().find(|layer| !layers.contains(layer));
    missing.map_or(Ok(most), |missing| {
        Err(Error::Ragged {
            path: folder.path,
            most,
            missing,
        })
    })
}

/// The folder of these rules under `dir` and its layers, at least one.
fn there(
    dir: &Path,
    ruleset: &Ruleset,
    most: Option<Layer>,
) -> Result<(Folder, Vec<Layer>), Error> {
    let id = table_rules(ruleset).id();
    let folder = Folder::new(dir.join(&id), ruleset);
    let layers = match folder.path.is_dir() {
        true => folder.layers()?,
        false => Vec::new(),
    };
    if layers.is_empty() {
        return Err(Error::NoTables {
            path: dir.to_owned(),
            label: ruleset.label(),
            id,
            found: found_in(dir),
            most,
        });
    }
    Ok((folder, layers))
}

fn open(mut folder: Folder, layers: Vec<Layer>) -> Result<Tables, Error> {
    let layers = layers.into_iter().map(|layer| folder.read(layer));
    let layers = layers.collect::<Result<Vec<Packed>, Error>>()?;
    Ok(Tables::new(folder.rules, layers, DEFAULT_ROOM))
}

/// Refuses what is there where a folder is to be made, and is none.
fn expect_folder(path: &Path) -> Result<(), Error> {
    let there = path
        .ancestors()
        .find(|above| above.symlink_metadata().is_ok());
    match there {
        Some(there) if !there.is_dir() => Err(Error::NoFolder {
            path: there.to_owned(),
        }),
        _ => Ok(()),
    }
}

impl Folder {
    pub fn new(path: PathBuf, ruleset: &Ruleset) -> Folder {
        let rules = Rules::new(table_rules(ruleset));
        Folder {
            path,
            ground: Arc::new(Ground::of(&rules)),
            rules,
            rows: BTreeMap::new(),
        }
    }

    pub fn file(&self, layer: Layer) -> PathBuf {
        self.path.join(layer_file(layer))
    }

    /// The layers whose files are there.
    pub fn layers(&self) -> Result<Vec<Layer>, Error> {
        let paths = entries(&self.path)?;
        Ok(paths.iter().filter_map(|path| layer_of(path)).collect())
    }

    fn rows(&mut self, attackers: u8) -> Arc<Rows> {
        let ground = &self.ground;
        let rows = self.rows.entry(attackers);
        Arc::clone(rows.or_insert_with(|| Arc::new(Rows::new(ground, attackers))))
    }

    /// Reads a layer's file and checks every byte.
    pub fn read(&mut self, layer: Layer) -> Result<Packed, Error> {
        let path = self.file(layer);
        let rows = self.rows(layer.attackers);
        let most = most_bytes(Index::new(layer, &self.ground, &rows).len() as u64);
        let file = open_file(&path)?;
        let length = file.metadata().map_err(Error::io("read", &path))?.len();
        if length > most {
            let problem = format!("it has {length} bytes, its layer takes at most {most}");
            return Err(Error::Damaged { path, problem });
        }
        let bytes = Bytes::of(&file).map_err(Error::io("read", &path))?;
        Packed::read(bytes, self.rules.ruleset(), layer, &self.ground, &rows)
            .map_err(|problem| unreadable(&path, problem))
    }

    /// Reads and unpacks a layer.
    pub fn unpack(&mut self, layer: Layer) -> Result<Dense, Error> {
        let path = self.file(layer);
        let packed = self.read(layer)?;
        packed
            .unpack()
            .map_err(|problem| unreadable(&path, problem))
    }

    /// Unpacks the layers that captures lead to.
    pub fn lower(&mut self, layer: Layer) -> Result<Vec<Dense>, Error> {
        let mut lower = Vec::new();
        for missing in layer.lower() {
            if !self.file(missing).exists() {
                return Err(Error::Gap {
                    path: self.path.clone(),
                    layer,
                    missing,
                });
            }
            lower.push(self.unpack(missing)?);
        }
        Ok(lower)
    }

    /// Builds a layer and writes its file; says how long that is.
    fn build(&mut self, layer: Layer) -> Result<u64, Error> {
        // Rows of more or fewer attackers than captures lead to are not needed.
        let needed = layer.attackers.saturating_sub(3)..=layer.attackers;
        self.rows.retain(|attackers, _| needed.contains(attackers));
        let rows = self.rows(layer.attackers);
        let lower = self.lower(layer)?;
        let index = Index::new(layer, &self.ground, &rows);
        let dense =
            build(&self.rules, index, &lower).map_err(|TooLong| Error::TooLong { layer })?;
        drop(lower);
        let bytes = pack(self.rules.ruleset(), &dense);
        write_whole(&self.file(layer), &bytes)?;
        Ok(bytes.len() as u64)
    }

    /// Keeps others from building here as long as it is held.
    fn lock(&self) -> Result<FolderLock, Error> {
        let path = self.path.join(LOCK);
        FolderLock::of(&path).map_err(|problem| match problem {
            NotLocked::Unwritable(error) => Error::io("create", &path)(error),
            NotLocked::Taken => Error::Locked {
                path: self.path.clone(),
            },
            NotLocked::Refused(error) => Error::io("lock", &path)(error),
        })
    }

    /// Removes what a build that was killed left half written.
    fn clear(&self) -> Result<(), Error> {
        for path in entries(&self.path)? {
            let name = path.file_name().unwrap_or_default().to_string_lossy();
            if name.starts_with('.') && name.ends_with(TEMPORARY) {
                fs::remove_file(&path).map_err(Error::io("remove", &path))?;
            }
        }
        Ok(())
    }

    fn has_room_for(&self, layers: &[&Planned]) -> Result<(), Error> {
        let needed = layers.iter().map(|planned| planned.disk).sum();
        match free_space(&self.path)? {
            Some(free) if free < needed => Err(Error::Disk {
                path: self.path.clone(),
                needed,
                free,
            }),
            _ => Ok(()),
        }
    }
}

/// Bytes that may still be written to a folder's disk, where the system says.
#[allow(
    clippy::useless_conversion,
    reason = "the system's numbers have another width elsewhere"
)]
fn free_space(folder: &Path) -> Result<Option<u64>, Error> {
    #[cfg(unix)]
    {
        let stat = nix::sys::statvfs::statvfs(folder)
            .map_err(|error| Error::io("ask for the free space of", folder)(error.into()))?;
        let blocks: u64 = stat.blocks_available().into();
        Ok(Some(blocks.saturating_mul(stat.fragment_size().into())))
    }
    #[cfg(not(unix))]
    {
        let _ = folder;
        Ok(None)
    }
}

/// Writes a file under another name, syncs it and gives it its name.
fn write_whole(path: &Path, bytes: &[u8]) -> Result<(), Error> {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let temporary = path.with_file_name(format!(".{name}{TEMPORARY}"));
    let written = (|| {
        let mut file = File::create(&temporary)?;
        file.write_all(bytes)?;
        file.sync_all()?;
        fs::rename(&temporary, path)?;
        match path.parent() {
            Some(folder) if cfg!(unix) => File::open(folder)?.sync_all(),
            _ => Ok(()),
        }
    })();
    written.map_err(|source| {
        // What is left of it is useless, and may be what fills the disk.
        let _ = fs::remove_file(&temporary);
        Error::io("write", path)(source)
    })
}
