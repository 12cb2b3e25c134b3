/*!
Solvers. Imports `game` only.

[`exact`] says what the value of a position is; `tables` (feature `tables`) has
the values of all positions with few men; [`ShortWins`] tries everything for a
few plies.
*/

pub mod exact;
mod layer;
mod short_wins;
#[cfg(feature = "tables")]
pub mod tables;

pub use layer::{Layer, MOST_SOLDIERS};
pub use short_wins::{MOST_PLIES, ShortWins};
