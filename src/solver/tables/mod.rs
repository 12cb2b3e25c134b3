/*!
Endgame tables: the exact value of every position with few soldiers, by
retrograde analysis under any ruleset. Imports `game` only.
*/

mod begin;
mod build;
mod crossing;
mod dense;
mod ground;
mod image;
mod index;
mod value;
mod within;
mod work;
#[cfg(test)]
mod tests;

pub use index::Layer;
pub use value::{Probe, Value};
