//! Writes `tests/data/tactics.jsonl`: positions with a forced win, as they come up in seeded games
//! between agents, each with its shortest win as the exhaustive search proves it:
//! `tactics [SEED]`. The same seed gives the same lines as long as the agents play the same.

#[path = "mod.rs"]
mod exhaustive;

#[path = "tactics/collection.rs"]
mod collection;
#[path = "tactics/games.rs"]
mod games;

use std::process::ExitCode;
use std::sync::Mutex;
use std::{env, thread};

use brandub::game::{Hostility, KingCapture, Preset, Ruleset, Throne, preset};
use serde_json::{Value, json};

use exhaustive::row::Row;

/// With less distance between them two positions are as good as the same: two pieces must stand
/// elsewhere.
const NEAR: u32 = 4;

fn main() -> ExitCode {
    let seed = match env::args().nth(1).map(|text| text.parse()) {
        None => 20_260_101,
        Some(Ok(seed)) => seed,
        Some(Err(_)) => {
            eprintln!("usage: tactics [SEED]");
            return ExitCode::from(2);
        }
    };
    let mut kept: Vec<Row> = Vec::new();
    for row in collect(&rulesets(), seed) {
        let near = kept.iter().any(|other| {
            other.position.side == row.position.side
                && exhaustive::near::distance(&other.position, &row.position) < NEAR
        });
        if !near {
            println!("{}", row.line());
            kept.push(row);
        }
    }
    ExitCode::SUCCESS
}

/// The disputed factorial as tables of axes, then every other preset by name.
fn rulesets() -> Vec<(Value, Ruleset)> {
    let factorial = preset::disputed_factorial();
    let presets = Preset::ALL.iter().map(|p| (json!(p.name), p.ruleset()));
    let others = presets.filter(|(_, ruleset)| !factorial.contains(ruleset));
    let tables = factorial.iter().map(|ruleset| (axes(ruleset), *ruleset));
    tables.chain(others).collect()
}

fn axes(ruleset: &Ruleset) -> Value {
    let Throne::Reserved {
        hostile,
        king_return,
        ..
    } = ruleset.throne
    else {
        unreachable!("the factorial has a throne");
    };
    json!({
        "king_armed": ruleset.king_armed,
        "throne_hostile": if hostile == Hostility::None { "none" } else { "everyone" },
        "king_capture": if ruleset.king_capture == KingCapture::Two { "two" } else { "four" },
        "king_return": king_return,
    })
}

/// The rows of all rulesets in their order, worked out on all processors.
fn collect(rulesets: &[(Value, Ruleset)], seed: u64) -> Vec<Row> {
    let next = Mutex::new(0..rulesets.len());
    let done = Mutex::new(vec![Vec::new(); rulesets.len()]);
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let Some(index) = next.lock().expect("no thread panics").next() else {
                        return;
                    };
                    let (name, ruleset) = &rulesets[index];
                    let rows = collection::rows(name, *ruleset, seed);
                    let plies: Vec<u8> = rows.iter().map(|row| row.plies).collect();
                    eprintln!("{name}: {plies:?}");
                    done.lock().expect("no thread panics")[index] = rows;
                }
            });
        }
    });
    done.into_inner().expect("no thread panics").concat()
}
