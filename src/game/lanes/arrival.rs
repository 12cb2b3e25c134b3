//! Whom a piece captures where it arrives, and what ends a game. Imports the
//! masks.

use super::masks::Hostile;
use super::{Boards, Chosen, Masks};
use crate::arch::{Lanes, Word};
use crate::game::bitboard::Bitboard;

const RANK: u32 = 7;
const FILE_A: u64 = 0x0000_0408_1020_4081;
const FILE_G: u64 = FILE_A << 6;
const BOARD: u64 = Bitboard::FULL.0;

/// What a move did.
#[derive(Clone, Copy)]
pub(in crate::game) struct Arrived<W: Word> {
    /// The boards after it.
    pub(in crate::game) boards: Boards<W>,
    /// Where it captured somebody.
    pub(in crate::game) captured: W::Mask,
    /// Where it ended the game for the mover.
    pub(in crate::game) won: W::Mask,
}

impl Masks {
    /// Plays a move of the attackers. `won` is where it captures the king.
    #[inline(always)]
    pub(in crate::game) fn play_attackers<L: Lanes>(
        &self,
        lanes: L,
        boards: &Boards<L::Word>,
        ply: Chosen<L::Word>,
    ) -> Arrived<L::Word> {
        let zero = lanes.all(0);
        let attackers = boards.attackers ^ ply.from ^ ply.to;
        let occupied = boards.occupied() ^ ply.from ^ ply.to;
        let anvils = attackers | self.to_soldiers.squares(lanes, occupied);
        let taken = sandwiched(lanes, ply.to, boards.defenders, anvils);
        let closed = attackers | self.to_king.squares(lanes, occupied);
        let king = boards.king;
        let sides = neighbours(lanes, king);
        let between = sandwiched(
            lanes,
            ply.to,
            king & lanes.all(self.capture.between),
            closed,
        );
        let open = sides.without(closed | lanes.all(self.capture.spared));
        let surrounded = open.equals(zero)
            & king.meets(lanes.all(self.capture.surrounded))
            & sides.meets(ply.to);
        let won = between.meets(king) | surrounded;
        Arrived {
            boards: Boards {
                attackers,
                defenders: boards.defenders ^ taken,
                king: king.only(!won),
            },
            captured: taken.meets(taken) | won,
            won,
        }
    }

    /// Plays a move of the defenders. `won` is where the king escapes.
    #[inline(always)]
    pub(in crate::game) fn play_defenders<L: Lanes>(
        &self,
        lanes: L,
        boards: &Boards<L::Word>,
        ply: Chosen<L::Word>,
    ) -> Arrived<L::Word> {
        let shift = ply.from ^ ply.to;
        let by_king = boards.king.meets(ply.from);
        let king = boards.king ^ shift.only(by_king);
        let defenders = boards.defenders ^ shift.only(!by_king);
        let occupied = boards.occupied() ^ shift;
        let mut anvils = defenders | self.to_soldiers.squares(lanes, occupied);
        if self.king_armed {
            anvils = anvils | king;
        }
        let mut taken = sandwiched(lanes, ply.to, boards.attackers, anvils);
        if !self.king_armed {
            taken = taken.only(!by_king);
        }
        Arrived {
            boards: Boards {
                attackers: boards.attackers ^ taken,
                defenders,
                king,
            },
            captured: taken.meets(taken),
            won: king.meets(lanes.all(Bitboard::CORNERS.0)),
        }
    }

    /// Where no defender and not the king is connected to an edge through
    /// squares that attackers do not hold.
    #[inline(always)]
    pub(in crate::game) fn encircled<L: Lanes>(
        lanes: L,
        boards: &Boards<L::Word>,
    ) -> <L::Word as Word>::Mask {
        let open = lanes.all(BOARD).without(boards.attackers);
        let mut outside = lanes.all(Bitboard::EDGES.0) & open;
        loop {
            let wider = (outside | neighbours(lanes, outside)) & open;
            let grown = wider ^ outside;
            outside = wider;
            if L::Word::bits(grown.meets(grown)) == 0 {
                break;
            }
        }
        !outside.meets(boards.defenders | boards.king)
    }
}

impl Hostile {
    #[inline(always)]
    fn squares<L: Lanes>(&self, lanes: L, occupied: L::Word) -> L::Word {
        lanes.all(self.corners) | lanes.all(self.throne).without(occupied)
    }
}

#[inline(always)]
fn neighbours<L: Lanes>(lanes: L, set: L::Word) -> L::Word {
    let right = set.without(lanes.all(FILE_G)).up::<1>();
    let left = set.without(lanes.all(FILE_A)).down::<1>();
    right | left | set.up::<RANK>() & lanes.all(BOARD) | set.down::<RANK>()
}

/// The victims beside `to` that have an anvil behind them.
#[inline(always)]
fn sandwiched<L: Lanes>(lanes: L, to: L::Word, victims: L::Word, anvils: L::Word) -> L::Word {
    // Nobody on the outer files is taken along his rank; so nothing here
    // wraps around the board.
    let along = to.up::<1>() & anvils.down::<1>() | to.down::<1>() & anvils.up::<1>();
    let across = to.up::<RANK>() & anvils.down::<RANK>() | to.down::<RANK>() & anvils.up::<RANK>();
    along & victims.without(lanes.all(FILE_A | FILE_G)) | across & victims
}
