/*!
Proof search: whether a side forces a win, and certificates of it that the
rules alone can check. Imports `game` only.
*/

pub mod certificate;
pub mod check;
mod hash;
mod numbers;
mod path;
pub mod ranking;
mod search;
mod statics;
mod strategy;
mod table;

pub use search::{Combine, Progress, Search, Verdict};
pub use strategy::StrategyError;
pub use table::NoMemory;
