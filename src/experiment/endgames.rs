//! The endgame tables of a run: where they are, each opened once. Imports
//! tables, agents and experiments.

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

use super::config::Experiment;
use crate::agents::{AgentSpec, AskedTables, SpecError};
use crate::game::Ruleset;
use crate::solver::Layer;
use crate::solver::exact::Probe;
use crate::solver::tables::{
    Error, Tables, open_tables, open_tables_up_to, table_extent, table_rules,
};

/// Endgame tables, each opened when it is first asked for and shared from then
/// on by whoever asks for the same layers.
#[derive(Debug)]
pub struct Endgames {
    folder: PathBuf,
    open: Mutex<BTreeMap<(String, Layer), Open>>,
}

/// The tables of some rules up to a layer.
#[derive(Debug)]
struct Open {
    /// Of the folder that was opened first: there is but one right table of a
    /// layer.
    tables: Arc<Tables>,
    /// Every folder that they were found whole in.
    folders: BTreeSet<PathBuf>,
}

impl Endgames {
    /// Those in a folder, unless a spec names another. Nothing is read yet, and
    /// the folder need not be there if nobody asks.
    #[must_use]
    pub fn new(folder: PathBuf) -> Endgames {
        Endgames {
            folder,
            open: Mutex::default(),
        }
    }

    /// The folder.
    #[must_use]
    pub fn folder(&self) -> &Path {
        &self.folder
    }

    /// Puts the layers in the place of a folder that a spec names, and opens
    /// them for all these rulesets. A spec that names layers, or no tables, is
    /// given back as it is.
    ///
    /// # Errors
    /// If the folder has not tables of all these rules, all up to the same
    /// layer; if they are damaged.
    pub fn settle(&self, spec: &AgentSpec, rulesets: &[Ruleset]) -> Result<AgentSpec, SpecError> {
        let Some(AskedTables::In(folder)) = spec.tables() else {
            return Ok(spec.clone());
        };
        let folder = Path::new(folder);
        let refused = |problem: String| SpecError {
            spec: spec.to_string(),
            problem,
        };
        let mut settled: Option<(Layer, &Ruleset)> = None;
        for ruleset in rulesets {
            let extent = table_extent(folder, ruleset)
                .map_err(|error| refused(told(&error, ruleset, None)))?;
            let (most, first) = *settled.get_or_insert((extent, ruleset));
            if most != extent {
                return Err(refused(format!(
                    "{} has tables up to {most} of {} and up to {extent} of {}: say up to which they are to be asked, such as tables={most}",
                    folder.display(),
                    first.label(),
                    ruleset.label()
                )));
            }
            self.check(folder, ruleset, most)
                .map_err(|error| refused(told(&error, ruleset, Some(most))))?;
        }
        Ok(settled.map_or_else(|| spec.clone(), |(most, _)| spec.with_tables(most)))
    }

    /// The same for all agents of an experiment. Matches that are then the same
    /// are played once.
    ///
    /// # Errors
    /// As [`Endgames::settle`].
    pub fn settle_all(&self, experiment: &mut Experiment) -> Result<(), SpecError> {
        let rulesets = &experiment.rulesets;
        for pair in &mut experiment.matches {
            for spec in [&mut pair.attackers, &mut pair.defenders] {
                *spec = self.settle(spec, rulesets)?;
            }
        }
        let mut seen = Vec::new();
        experiment.matches.retain(|pair| {
            let new = !seen.contains(pair);
            if new {
                seen.push(pair.clone());
            }
            new
        });
        Ok(())
    }

    /// The tables that an agent asks under a ruleset; `None` if it asks none.
    ///
    /// # Errors
    /// If they are not there or damaged.
    pub fn of(
        &self,
        spec: &AgentSpec,
        ruleset: &Ruleset,
    ) -> Result<Option<Arc<dyn Probe>>, SpecError> {
        let settled = self.settle(spec, &[*ruleset])?;
        let Some(AskedTables::UpTo(most)) = settled.tables() else {
            return Ok(None);
        };
        let tables = self.shared(&self.folder, ruleset, *most);
        match tables {
            Ok(tables) => Ok(Some(tables)),
            Err(error) => Err(SpecError {
                spec: spec.to_string(),
                problem: told(&error, ruleset, Some(*most)),
            }),
        }
    }

    /// All layers that the folder has of a ruleset.
    ///
    /// # Errors
    /// If there are none, or they are damaged.
    pub fn whole(&self, ruleset: &Ruleset) -> Result<Tables, Error> {
        open_tables(&self.folder, ruleset)
    }

    fn shared(&self, folder: &Path, ruleset: &Ruleset, most: Layer) -> Result<Arc<Tables>, Error> {
        let key = key(ruleset, most);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.get(&key) {
            return Ok(Arc::clone(&open.tables));
        }
        let tables = Arc::new(open_tables_up_to(folder, ruleset, most)?);
        let new = Open {
            tables: Arc::clone(&tables),
            folders: BTreeSet::from([folder.to_owned()]),
        };
        open.insert(key, new);
        Ok(tables)
    }

    /// Opens the tables of a folder once, also where those of another are
    /// asked, so that no damage goes unseen.
    fn check(&self, folder: &Path, ruleset: &Ruleset, most: Layer) -> Result<(), Error> {
        self.shared(folder, ruleset, most)?;
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(open) = open.get_mut(&key(ruleset, most))
            && !open.folders.contains(folder)
        {
            open_tables_up_to(folder, ruleset, most)?;
            open.folders.insert(folder.to_owned());
        }
        Ok(())
    }
}

/// Rulesets that share their tables share them here.
fn key(ruleset: &Ruleset, most: Layer) -> (String, Layer) {
    (table_rules(ruleset).id(), most)
}

/// What is wrong, of which rules, and what would help.
fn told(error: &Error, ruleset: &Ruleset, most: Option<Layer>) -> String {
    let label = ruleset.label();
    match (error, most) {
        (Error::NoTables { .. }, None) => error.to_string(),
        (Error::NoTables { .. }, Some(_)) => {
            format!("{error}, and BRANDUB_TABLES names the folder where they are")
        }
        (Error::Short { .. }, Some(most)) => format!(
            "{label}: {error}; `brandub tables build --defenders {} --attackers {}` with its --rules builds them, and BRANDUB_TABLES names the folder where they are",
            most.defenders, most.attackers
        ),
        _ => format!("{label}: {error}"),
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;
    use crate::game::Rules;
    use crate::solver::tables::{Means, Plan, build_tables};

    #[test]
    fn every_folder_that_is_named_is_checked() {
        let ruleset = Ruleset::default();
        let most = Layer {
            defenders: 0,
            attackers: 1,
        };
        let plan = Plan::new(&Rules::new(ruleset), most).unwrap();
        let means = Means {
            threads: 1,
            memory: 1 << 30,
        };
        let folders = [(); 2].map(|()| tempfile::tempdir().unwrap());
        let endgames = Endgames::new("no tables".into());
        let settle = |folder: &tempfile::TempDir| {
            let spec = format!("alphabeta:depth=1,tables={}", folder.path().display());
            endgames.settle(&spec.parse().unwrap(), &[ruleset])
        };
        for folder in &folders {
            build_tables(folder.path(), &ruleset, &plan, means, |_| ()).unwrap();
        }
        let spec = settle(&folders[0]).unwrap();
        let id = table_rules(&ruleset).id();
        let file = folders[1].path().join(id).join("d0a1.table");
        let whole = fs::read(&file).unwrap();
        fs::write(&file, &whole[..whole.len() - 1]).unwrap();
        let error = settle(&folders[1]).unwrap_err().to_string();
        assert!(error.contains(&file.display().to_string()), "{error}");
        fs::write(&file, whole).unwrap();
        assert_eq!(settle(&folders[1]).unwrap().to_string(), spec.to_string());
        // Those opened first are asked, and each folder was checked once.
        assert!(endgames.of(&spec, &ruleset).unwrap().is_some());
        let open = endgames.open.lock().unwrap();
        assert_eq!(open.len(), 1);
        assert!(open.values().all(|open| open.folders.len() == 2));
    }
}
