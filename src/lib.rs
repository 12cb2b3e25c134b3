/*!
A research harness for Brandub, the 7x7 tafl game whose rules are lost: it
plays millions of seeded games between programs under every reconstruction of
the rules and writes how often each side wins.

The modules build on each other in this order. Nothing points back, but that
players are told exact values (`solver::exact`) and that proof searches weigh what
players' evaluations do (`agents::evaluation`):

- [`arch`] has words of one or several numbers by what the processor offers;
- [`game`] has rulesets, positions, legal moves, endings;
- [`agents`] are the players;
- [`solver`] proves wins and writes certificates of them;
- `experiment` has experiment files, the runner, result folders (feature `cli`);
- `analysis` has the tables (feature `cli`);
- `tuning` fits the evaluation's weights and network to games (feature `cli`).

Beside them, `regular_file` opens files and waits for no pipe (feature `tables`).

With `default-features = false` the first four are all there is: no files, no
clock, no threads but those that a proof search is told to use.
*/

pub mod agents;
#[cfg(feature = "cli")]
pub mod analysis;
pub mod arch;
#[cfg(feature = "cli")]
pub mod experiment;
#[cfg(feature = "tables")]
mod folder_lock;
pub mod game;
mod place_in_text;
#[cfg(feature = "tables")]
pub mod regular_file;
pub mod solver;
#[cfg(feature = "cli")]
pub mod tuning;
