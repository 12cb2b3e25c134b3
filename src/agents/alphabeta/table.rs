//! A transposition table of fixed size. Imports `game` for moves.

use crate::game::{Move, Square};

/// What a stored score says about the true one.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Bound {
    Exact,
    /// The true score is at least this.
    Lower,
    /// The true score is at most this.
    Upper,
}

/// What is known of a position. The move is that of the image of the position
/// under which the table knows it.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
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
    /// The search that wrote it, counted modulo 256.
    search: u8,
}

/// Four slots: one line of the processor's cache.
#[derive(Clone, Copy, Default)]
#[repr(align(64))]
struct Bucket([Slot; BUCKET]);

const BUCKET: usize = 4;

pub(super) struct Table {
    buckets: Vec<Bucket>,
    search: u8,
}

impl Table {
    /// An empty table of `2^bits` slots of 16 bytes; at least four.
    pub(super) fn new(bits: u32) -> Table {
        Table {
            buckets: vec![Bucket::default(); (1 << bits) / BUCKET],
            search: 0,
        }
    }

    /// Begins a new search: what earlier ones found is given up first.
    pub(super) fn age(&mut self) {
        self.search = self.search.wrapping_add(1);
    }

    fn place(&self, hash: u64) -> usize {
        hash as usize & (self.buckets.len() - 1)
    }

    #[inline]
    pub(super) fn get(&self, hash: u64) -> Option<Entry> {
        let bucket = &self.buckets[self.place(hash)];
        let slot = bucket
            .0
            .iter()
            .find(|slot| slot.hash == hash && slot.state != 0)?;
        Some(Entry {
            best: (slot.from != slot.to).then(|| Move {
                from: Square::new(usize::from(slot.from)),
                to: Square::new(usize::from(slot.to)),
            }),
            score: slot.score,
            depth: slot.depth,
            bound: match slot.state {
                1 => Bound::Exact,
                2 => Bound::Lower,
                _ => Bound::Upper,
            },
        })
    }

    /// Stores an entry in place of what is known of the same position, unless
    /// the same search looked deeper, else of the least worth: an older
    /// search's before a newer one's, a shallower before a deeper.
    #[inline]
    pub(super) fn put(&mut self, hash: u64, entry: Entry) {
        let search = self.search;
        let place = self.place(hash);
        let slots = &mut self.buckets[place].0;
        let worth = |slot: &Slot| match slot.state {
            0 => 0,
            _ => 1 + u32::from(slot.depth) + if slot.search == search { 256 } else { 0 },
        };
        let known = slots.iter().position(|slot| slot.hash == hash);
        let chosen = known.unwrap_or_else(|| {
            (0..BUCKET)
                .min_by_key(|&slot| worth(&slots[slot]))
                .unwrap_or(0)
        });
        let slot = &mut slots[chosen];
        let same = slot.state != 0 && slot.hash == hash;
        if same && slot.search == search && slot.depth > entry.depth {
            return;
        }
        let (from, to) = match entry.best {
            Some(ply) => (ply.from.index() as u8, ply.to.index() as u8),
            // A move that was good once is worth more than none.
            None if same => (slot.from, slot.to),
            None => (0, 0),
        };
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
            search,
        };
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entry(depth: u8) -> Entry {
        Entry {
            best: Some(Move {
                from: Square::new(3),
                to: Square::new(4),
            }),
            score: -7,
            depth,
            bound: Bound::Lower,
        }
    }

    #[test]
    fn the_shallowest_and_the_oldest_give_way() {
        let mut table = Table::new(2);
        for (hash, depth) in [(1, 5), (2, 2), (3, 4), (4, 3)] {
            table.put(hash, entry(depth));
        }
        table.put(5, entry(1));
        assert_eq!(table.get(2), None, "the shallowest of a full bucket");
        assert_eq!(table.get(5), Some(entry(1)));
        table.age();
        table.put(6, entry(1));
        table.put(7, entry(1));
        assert_eq!(table.get(5), None);
        assert_eq!(table.get(6), Some(entry(1)), "of this search");
        assert_eq!(table.get(1), Some(entry(5)));
    }

    #[test]
    fn a_deeper_entry_stays_until_the_next_search() {
        let mut table = Table::new(4);
        table.put(9, entry(6));
        table.put(9, entry(2));
        assert_eq!(table.get(9), Some(entry(6)));
        table.age();
        table.put(9, entry(2));
        assert_eq!(table.get(9), Some(entry(2)));
    }
}
