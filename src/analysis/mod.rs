/*!
Tables from result folders. Reads result files and record types only; plays
nothing, changes no game.
*/

mod statistics;
mod winrates;

pub use statistics::{Interval, WILSON_95_Z, wilson};
pub use winrates::{CellRow, TableError, Tables};
