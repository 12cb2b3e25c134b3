//! Writes the tables of expected values under `tests/data`, made with the naive reference rules:
//! `reference-tables perft|golden|endings` prints one table. The same program prints the same
//! bytes every time.

#[path = "mod.rs"]
mod reference;

#[path = "tables/cases.rs"]
mod cases;
#[path = "tables/endings.rs"]
mod endings;
#[path = "tables/golden.rs"]
mod golden;
#[path = "tables/perft.rs"]
mod perft;
#[path = "tables/scatter.rs"]
mod scatter;
#[path = "tables/splitmix.rs"]
mod splitmix;

use std::{env, process::ExitCode};

fn main() -> ExitCode {
    let lines = match env::args().nth(1).as_deref() {
        Some("perft") => perft::lines(),
        Some("golden") => golden::lines(),
        Some("endings") => endings::lines(),
        _ => {
            eprintln!("usage: reference-tables perft|golden|endings");
            return ExitCode::from(2);
        }
    };
    for line in lines {
        println!("{line}");
    }
    ExitCode::SUCCESS
}
