/*!
The rules for several boards at once: one board a lane of a word. Imports the
words and compiled rules.

Everything here is without a branch that depends on a lane, and follows from
the masks of [`Rules`] alone; the tests play the same games by [`Rules`].

Moves are numbered by direction (right, up, left, down), within a direction by
the square they go to. In one direction at most one piece can come to a square,
so these are all moves, each once, and a number stands for a move without a
list of them.
*/
#![allow(clippy::inline_always)] // Compiled anew for the instructions of each kind.

mod arrival;
mod masks;
mod reach;

use crate::arch::{Lanes, Word};

pub(super) use self::masks::Masks;

use self::arrival::Arrived;
use super::bitboard::Bitboard;
use super::position::Position;
use super::side::Side;

/// A board a lane.
#[derive(Clone, Copy)]
pub(super) struct Boards<W> {
    pub(super) attackers: W,
    /// The defenders' soldiers.
    pub(super) defenders: W,
    pub(super) king: W,
}

impl<W: Word> Boards<W> {
    /// The same board in every lane.
    #[inline(always)]
    pub(super) fn new<L: Lanes<Word = W>>(lanes: L, position: &Position) -> Boards<W> {
        Boards {
            attackers: lanes.all(position.attackers.0),
            defenders: lanes.all(position.defenders.0),
            king: lanes.all(position.king.0),
        }
    }

    #[inline(always)]
    fn occupied(&self) -> W {
        self.attackers | self.defenders | self.king
    }
}

/// The moves of one side: for each direction the squares that can be moved to.
#[derive(Clone, Copy)]
pub(super) struct Moves<W> {
    by_direction: [W; 4],
    /// How many squares the directions up to each have together.
    sums: [W; 4],
}

/// One move a lane.
#[derive(Clone, Copy)]
pub(super) struct Chosen<W> {
    /// The square it comes from.
    pub(super) from: W,
    /// The square it goes to.
    pub(super) to: W,
}

impl<W: Word> Moves<W> {
    #[inline(always)]
    fn new(by_direction: [W; 4]) -> Moves<W> {
        // Not by `map`: that would not be compiled for the kind of word.
        let [right, up, left, down] = by_direction;
        let one = right.count();
        let two = one + up.count();
        let three = two + left.count();
        let four = three + down.count();
        Moves {
            by_direction,
            sums: [one, two, three, four],
        }
    }

    /// How many moves there are.
    #[inline(always)]
    pub(super) fn count(&self) -> W {
        self.sums[3]
    }

    /// The move of this number, below the count. In a lane without moves,
    /// anything.
    #[inline(always)]
    pub(super) fn get<L: Lanes<Word = W>>(
        &self,
        lanes: L,
        number: W,
        boards: &Boards<W>,
    ) -> Chosen<W> {
        let [right, up, left, down] = self.by_direction;
        let in_first = number.below(self.sums[0]);
        let in_two = number.below(self.sums[1]);
        let in_three = number.below(self.sums[2]);
        let pick = |first, second, third, fourth| {
            let low = W::select(in_first, first, second);
            W::select(in_two, low, W::select(in_three, third, fourth))
        };
        let zero = lanes.all(0);
        let before = pick(zero, self.sums[0], self.sums[1], self.sums[2]);
        let to = pick(right, up, left, down).nth(number - before);
        // Along a rank nothing stands between in the order of squares; along a
        // file the other files are left out.
        let is_rank = in_first | !in_two & in_three;
        let line = W::select(is_rank, lanes.all(Bitboard::FULL.0), reach::file(lanes, to));
        let others = boards.occupied() & line;
        let below = to - lanes.all(1);
        let comes_up = in_first | in_two;
        let from = W::select(
            comes_up,
            (others & below).highest(),
            others.without(below).lowest(),
        );
        Chosen { from, to }
    }
}

impl Masks {
    /// What the side can play.
    #[inline(always)]
    pub(super) fn moves<L: Lanes>(
        &self,
        lanes: L,
        boards: &Boards<L::Word>,
        side: Side,
    ) -> Moves<L::Word> {
        match side {
            Side::Attackers => self.attackers_moves(lanes, boards),
            Side::Defenders => self.defenders_moves(lanes, boards),
        }
    }

    /// Plays a move of the side.
    #[inline(always)]
    pub(super) fn play<L: Lanes>(
        &self,
        lanes: L,
        boards: &Boards<L::Word>,
        ply: Chosen<L::Word>,
        side: Side,
    ) -> Arrived<L::Word> {
        match side {
            Side::Attackers => self.play_attackers(lanes, boards, ply),
            Side::Defenders => self.play_defenders(lanes, boards, ply),
        }
    }
}
