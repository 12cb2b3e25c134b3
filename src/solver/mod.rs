/*!
Solvers. Imports `game` only.

[`exact`] says what the value of a position is; `tables` (feature `tables`) has
the values of all positions with few men.
*/

pub mod exact;
#[cfg(feature = "tables")]
pub mod tables;
