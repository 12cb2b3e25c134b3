//! Endgame tables in their files: the values against the naive rules, the bytes
//! against themselves on other threads and after a kill, and what is refused.

#[path = "reference/mod.rs"]
mod reference;

#[path = "endgame_tables/damage.rs"]
mod damage;
#[path = "endgame_tables/hold.rs"]
mod hold;
#[path = "endgame_tables/minimax.rs"]
mod minimax;
#[path = "endgame_tables/play.rs"]
mod play;

use std::path::{Path, PathBuf};

use brandub::game::{Rules, Ruleset, RulesetTable};
use brandub::solver::tables::{Error, Event, Layer, Means, Plan, build_tables, table_rules};

/// The ruleset of a table of axes.
fn ruleset(table: &str) -> Ruleset {
    let table: RulesetTable = toml::from_str(table).expect("a table of axes");
    table.resolve().expect("consistent axes")
}

/// Builds all layers up to this one; gives those that were not there before.
fn build(
    dir: &Path,
    ruleset: &Ruleset,
    defenders: u8,
    attackers: u8,
    threads: usize,
) -> Result<Vec<String>, Error> {
    let most = Layer {
        defenders,
        attackers,
    };
    let plan = Plan::new(&Rules::new(*ruleset), most)?;
    let means = Means {
        threads,
        memory: 1 << 30,
    };
    let mut written = Vec::new();
    build_tables(dir, ruleset, &plan, means, |event| {
        if let Event::Written(planned, _) = event {
            written.push(planned.layer.to_string());
        }
    })?;
    Ok(written)
}

/// The file of a layer.
fn file(dir: &Path, ruleset: &Ruleset, layer: &str) -> PathBuf {
    dir.join(table_rules(ruleset).id())
        .join(format!("{layer}.table"))
}
