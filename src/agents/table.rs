//! A transposition table of fixed size. Imports `game` for keys and moves.

use crate::game::{Move, Position, Square};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What is known of a position.
#[derive(Clone, Copy, Debug)]
pub(super) struct Entry {
    pub(super) best: Option<Move>,
    pub(super) score: i16,
    pub(super) depth: u8,
    pub(super) bound: Bound,
}

/// 16 bytes: the whole 64-bit hash, then the entry.
#[derive(Clone, Copy, Default)]
struct Slot {
    hash: u64,
    score: i16,
    depth: u8,
    /// 0 empty, else 1 + bound.
    state: u8,
    from: u8,
    to: u8,
}

pub(super) struct Table {
    slots: Vec<Slot>,
}

/// A position's hash: both words of its key, multiplied and folded.
pub(super) fn hash(position: &Position) -> u64 {
    let [first, second] = position.key();
    let mut mixed = first.wrapping_mul(0x9e37_79b9_7f4a_7c15)
        ^ second.wrapping_mul(0xc2b2_ae3d_27d4_eb4f).rotate_left(32);
    mixed = (mixed ^ mixed >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed ^ mixed >> 32
}

impl Table {
    /// An empty table of `2^bits` slots of 16 bytes.
    pub(super) fn new(bits: u32) -> Table {
        Table {
            slots: vec![Slot::default(); 1 << bits],
        }
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.slots.len() - 1)
    }

    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        let slot = &self.slots[self.place(hash)];
        let bound = match slot.state {
            1 => Bound::Exact,
            2 => Bound::Lower,
            3 => Bound::Upper,
            _ => return None,
        };
        (slot.hash == hash).then(|| Entry {
            best: (slot.from != slot.to).then(|| Move {
                from: Square::new(usize::from(slot.from)),
                to: Square::new(usize::from(slot.to)),
            }),
            score: slot.score,
            depth: slot.depth,
            bound,
        })
    }

    /// Stores an entry. What is known of other positions gives way always, of
    /// the same position unless it was searched deeper.
    pub(super) fn put(&mut self, hash: u64, entry: Entry) {
        let place = self.place(hash);
        let slot = &mut self.slots[place];
        if slot.state != 0 && slot.hash == hash && slot.depth > entry.depth {
            return;
        }
        let (from, to) = entry
            .best
            .map_or((0, 0), |ply| (ply.from.index() as u8, ply.to.index() as u8));
        *slot = Slot {
            hash,
            score: entry.score,
            depth: entry.depth,
            state: match entry.bound {
                Bound::Exact => 1,
                Bound::Lower => 2,
                Bound::Upper => 3,
            },
            from,
            to,
        };
    }
}
