//! The program as its users meet it: runs that are interrupted, cut into
//! shards, damaged; wrong input of every kind. Starts the real program.

#[path = "cli/agreement.rs"]
mod agreement;
#[path = "cli/brandub.rs"]
mod brandub;
#[path = "cli/check.rs"]
mod check;
#[path = "cli/commands.rs"]
mod commands;
#[path = "cli/damage.rs"]
mod damage;
#[path = "cli/engine.rs"]
mod engine;
#[path = "cli/forged.rs"]
mod forged;
#[path = "cli/hold.rs"]
mod hold;
#[path = "cli/input.rs"]
mod input;
#[cfg(unix)]
#[path = "cli/interrupts.rs"]
mod interrupts;
#[path = "cli/judge.rs"]
mod judge;
#[path = "cli/many_cells.rs"]
mod many_cells;
#[path = "cli/play.rs"]
mod play;
#[path = "cli/rate.rs"]
mod rate;
#[path = "cli/report.rs"]
mod report;
#[path = "cli/rules.rs"]
mod rules;
#[path = "cli/same_bytes.rs"]
mod same_bytes;
#[path = "cli/shards.rs"]
mod shards;
#[path = "cli/solve.rs"]
mod solve;
#[path = "cli/solved.rs"]
mod solved;
#[path = "cli/stopping.rs"]
mod stopping;
#[path = "cli/tables.rs"]
mod tables;
#[path = "cli/tune.rs"]
mod tune;
