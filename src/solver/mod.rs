/*!
Solvers. Imports `game` only.

[`tables`] has the exact values of positions with few men.
*/

#[cfg(feature = "tables")]
pub mod tables;
