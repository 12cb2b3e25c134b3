//! Where the pieces of a side can go, by direction. Imports the masks.

use super::masks::Mobility;
use super::{Boards, Masks, Moves};
use crate::arch::{Lanes, Word};

const RANK: u32 = 7;
const FILE_A: u64 = 0x0000_0408_1020_4081;
const FILE_G: u64 = FILE_A << 6;
/// The `a` squares and the one that would follow on the board: where a slide
/// to the right ends at the latest.
const RIGHT_END: u64 = FILE_A | 1 << 49;

/// The files of single squares.
#[inline(always)]
pub(super) fn file<L: Lanes>(lanes: L, square: L::Word) -> L::Word {
    let one = square | square.up::<RANK>() | square.down::<RANK>();
    let three = one | one.up::<{ 2 * RANK }>() | one.down::<{ 2 * RANK }>();
    let seven = three | three.up::<{ 4 * RANK }>() | three.down::<{ 4 * RANK }>();
    seven & lanes.all((1 << 49) - 1)
}

impl Masks {
    /// What the attackers can play.
    #[inline(always)]
    pub(in crate::game) fn attackers_moves<L: Lanes>(
        &self,
        lanes: L,
        boards: &Boards<L::Word>,
    ) -> Moves<L::Word> {
        let occupied = boards.occupied();
        Moves::new(soldiers(lanes, self.soldier, boards.attackers, occupied))
    }

    /// What the defenders can play, the king among them.
    #[inline(always)]
    pub(in crate::game) fn defenders_moves<L: Lanes>(
        &self,
        lanes: L,
        boards: &Boards<L::Word>,
    ) -> Moves<L::Word> {
        let occupied = boards.occupied();
        let soldiers = soldiers(lanes, self.soldier, boards.defenders, occupied);
        let [right, up, left, down] = self.king_moves(lanes, boards.king, occupied);
        Moves::new([
            soldiers[0] | right,
            soldiers[1] | up,
            soldiers[2] | left,
            soldiers[3] | down,
        ])
    }

    #[inline(always)]
    fn king_moves<L: Lanes>(&self, lanes: L, king: L::Word, occupied: L::Word) -> [L::Word; 4] {
        let stop = lanes.all(self.king.stop).without(occupied);
        let not_a = lanes.all(!FILE_A);
        let not_g = lanes.all(!FILE_G);
        if self.king_steps {
            return [
                king.up::<1>() & not_a & stop,
                king.up::<RANK>() & stop,
                king.down::<1>() & not_g & stop,
                king.down::<RANK>() & stop,
            ];
        }
        let blockers = occupied | lanes.all(self.king.wall);
        let file = file(lanes, king);
        let below = king - lanes.all(1);
        let twice = king + king;
        // Taking twice the king away borrows from the first blocker above.
        let along = blockers | lanes.all(RIGHT_END);
        let right = (along - twice) ^ along;
        let across = blockers & file;
        let up = ((across - twice) ^ across) & file;
        let left = king - end(lanes, (blockers | lanes.all(FILE_G)) & below);
        let down = (king - end(lanes, across & below)) & file;
        [
            right & not_a & stop,
            up & stop,
            left & not_g & stop,
            down & stop,
        ]
    }
}

/// Where a slide down ends at the latest, a wall on which he may stop among
/// it: at the highest square of these, or the first of the board.
#[inline(always)]
fn end<L: Lanes>(lanes: L, blockers: L::Word) -> L::Word {
    (blockers | lanes.all(1)).highest()
}

#[inline(always)]
fn soldiers<L: Lanes>(
    lanes: L,
    mobility: Mobility,
    from: L::Word,
    occupied: L::Word,
) -> [L::Word; 4] {
    let stop = lanes.all(mobility.stop).without(occupied);
    let blockers = occupied | lanes.all(mobility.wall);
    let open = lanes.all((1 << 49) - 1).without(blockers);
    let not_a = lanes.all(!FILE_A);
    let not_g = lanes.all(!FILE_G);
    let along = blockers | lanes.all(RIGHT_END);
    let right = (along - (from + from)) ^ along;
    let up = spread(
        from,
        open,
        Word::up::<RANK>,
        Word::up::<{ 2 * RANK }>,
        Word::up::<{ 4 * RANK }>,
    );
    let left = spread(
        from,
        open & not_g,
        Word::down::<1>,
        Word::down::<2>,
        Word::down::<4>,
    );
    let down = spread(
        from,
        open,
        Word::down::<RANK>,
        Word::down::<{ 2 * RANK }>,
        Word::down::<{ 4 * RANK }>,
    );
    [right & not_a & stop, up & stop, left & stop, down & stop]
}

/// The set and what it reaches by steps through open squares, at most seven
/// (Kogge and Stone's parallel prefix).
#[inline(always)]
fn spread<W: Word>(
    from: W,
    open: W,
    one: impl Fn(W) -> W,
    two: impl Fn(W) -> W,
    four: impl Fn(W) -> W,
) -> W {
    let reached = from | open & one(from);
    let open = open & one(open);
    let reached = reached | open & two(reached);
    let open = open & two(open);
    reached | open & four(reached)
}
