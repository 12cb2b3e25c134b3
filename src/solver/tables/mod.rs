/*!
Endgame tables: the exact value of every position with few soldiers, by
retrograde analysis under any ruleset. Imports `game` only.

A value is a win, a loss or a draw for the side to move, with the plies to the
end if the winner hurries and the loser delays. It is that of the position
alone. A win never needs a repetition: its plies fall with every move, so no
position stands twice on the way. Where repetition is no draw, somebody may do
better by it than the table knows: see [`draws_hold`].

[`build_tables`] computes and writes a folder of tables, [`open_tables`] reads
one, [`Probe`] asks it, [`verify_tables`] checks it. `docs/endgame-tables.md`
has the format.
*/

mod begin;
mod build;
mod crossing;
mod dense;
mod error;
mod folder;
mod format;
mod found;
pub(super) mod ground;
mod identity;
pub(super) mod image;
mod index;
mod mapped;
mod plan;
#[expect(clippy::module_inception, reason = "the one noun it is about")]
mod tables;
#[cfg(test)]
mod tests;
mod verify;
mod within;
mod work;

pub use super::exact::{Probe, Value, draws_hold};
pub use super::layer::{Layer, MOST_SOLDIERS};
pub use error::{Error, mebi};
pub use folder::{Event, Means, build_tables, open_tables, open_tables_up_to, table_extent};
pub use identity::{NOT_HONOURED, table_label, table_rules};
pub use plan::{Plan, Planned};
pub use tables::{DEFAULT_ROOM, Tables};
pub use verify::{Checked, verify_tables};
