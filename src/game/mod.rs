/*!
The rules of Brandub: squares, rulesets and presets, compiled rules, positions,
games, notation and perft. Imports nothing of ours but the words of bits that the
processor works in.

A [`Ruleset`] is a plain value; [`Rules`] is the same compiled to masks, and the
only place that decides legality, captures and endings. A [`Game`] adds the
history that repetition needs.

```
use brandub::game::{Game, Rules, Ruleset};

let rules = Rules::new(Ruleset::default());
let mut game = Game::new(&rules);
game.play("d2-e2".parse()?)?;
assert_eq!(game.position().to_otn(), "/3t3/4t2/3T3/ttTKTtt/3T3/3t3/3t3/");
# Ok::<(), Box<dyn std::error::Error>>(())
```
*/

mod axis;
mod bitboard;
mod events;
mod geometry;
mod history;
mod label;
mod lanes;
mod masks;
mod moves;
mod outcome;
pub mod parting;
pub mod perft;
mod play;
pub mod playouts;
mod position;
pub mod preset;
mod rules;
mod ruleset;
mod ruleset_table;
pub mod sample;
mod side;
mod square;
mod threats;
mod variation;
pub(crate) mod zobrist;

pub use axis::{
    Hostility, KingCapture, KingEdge, KingSpeed, Layout, NoMoves, Repetition, RepetitionResult,
    ThronePass,
};
pub use bitboard::{Bitboard, Squares};
pub use events::{Anvil, Capture, Event, Explainer, Explanation, Rule, Threat};
#[cfg(feature = "tables")]
pub(crate) use geometry::CAPTURE_LINES;
pub use geometry::Symmetry;
pub(crate) use geometry::between;
pub use history::History;
pub use moves::MoveList;
pub use outcome::{Outcome, Reason};
pub use play::{Game, IllegalMove, annotate};
pub use position::{Position, PositionError};
pub use preset::{Preset, UnknownPreset};
pub use rules::{Played, Rules};
pub use ruleset::{AXES, Ruleset, Throne, short_id};
pub use ruleset_table::{RulesetError, RulesetTable, ThroneKind};
pub use side::Side;
pub use square::{Move, NotationError, SIDE_LEN, SQUARES, Square};
