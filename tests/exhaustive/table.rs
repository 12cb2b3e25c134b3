//! What the search found out, so that it need not find out twice. Whole positions are compared,
//! so that no two are taken for one; a newer one takes the place of an older.

use brandub::game::Position;

const BITS: u32 = 19;

#[derive(Clone, Copy)]
struct Slot {
    key: [u64; 2],
    /// The fewest plies within which a win is known to be forced.
    forced: u8,
    /// The most plies within which none is.
    refuted: u8,
}

const EMPTY: Slot = Slot {
    key: [0; 2],
    forced: u8::MAX,
    refuted: 0,
};

/// About half a million positions.
pub struct Table(Vec<Slot>);

impl Table {
    pub fn new() -> Table {
        Table(vec![EMPTY; 1 << BITS])
    }

    /// Whether a win within so many plies is forced, if that is known.
    pub fn get(&self, position: &Position, plies: u8) -> Option<bool> {
        let key = position.key();
        let slot = &self.0[place(key)];
        if slot.key != key {
            None
        } else if slot.forced <= plies {
            Some(true)
        } else if slot.refuted >= plies {
            Some(false)
        } else {
            None
        }
    }

    pub fn put(&mut self, position: &Position, plies: u8, forced: bool) {
        let key = position.key();
        let slot = &mut self.0[place(key)];
        if slot.key != key {
            *slot = Slot { key, ..EMPTY };
        }
        if forced {
            slot.forced = slot.forced.min(plies);
        } else {
            slot.refuted = slot.refuted.max(plies);
        }
    }
}

fn place(key: [u64; 2]) -> usize {
    let mixed = key[0]
        .wrapping_mul(0x9e37_79b9_7f4a_7c15)
        .wrapping_add(key[1])
        .wrapping_mul(0xd6e8_feb8_6659_fd93);
    ((mixed ^ mixed >> 32).wrapping_mul(0x9e37_79b9_7f4a_7c15) >> (64 - BITS)) as usize
}
