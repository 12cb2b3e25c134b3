//! A list of moves that lives on the stack. Imports moves only.

use arrayvec::ArrayVec;

use super::square::Move;

/// No position has more: every piece has at most twelve targets.
const CAPACITY: usize = 49 * 12;

/// The legal moves of one position.
pub type MoveList = ArrayVec<Move, CAPACITY>;
