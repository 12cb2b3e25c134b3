//! What the search remembers of positions: a table of fixed size. It may forget
//! anything and, of two positions of equal hash, mistake one for the other;
//! nothing it says is a proof until a certificate was checked. Imports hashes.
//!
//! Several threads may read and write at once, without a lock: of an entry that
//! two write at the same time, what is left fits together, or it counts as
//! another position's (Hyatt and Mann, "A lockless transposition table
//! implementation for parallel search", 2002).

use std::sync::atomic::{AtomicU64, Ordering::Relaxed};

use super::hash::Key;
use super::numbers::{INFINITE, Numbers};

/// Entries that share a place, and one line of a processor's cache.
const WAYS: usize = 4;
const CHECK: u64 = !0xffff;
/// What fewer positions have shown is not taken from other tables.
const DEAR: u64 = 16;
/// 2^64 over the golden ratio. A key's place is the smallest of eight hashes, so
/// mostly small: as it stands it would crowd the front of the table and leave
/// most of the rest empty. Its high bits are made of all its bits.
const SPREAD: u64 = 0x9e37_79b9_7f4a_7c15;

/// A known position: a part of its key, how much work is behind it, and its
/// numbers; all zero where nothing is known.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub(super) struct Entry {
    /// 48 bits of the key's check, the work's logarithm in the low bits.
    tag: u64,
    phi: u32,
    delta: u32,
}

/// An entry's place: its numbers, and its tag with the bits turned that they have.
#[derive(Default)]
struct Place {
    turned: AtomicU64,
    numbers: AtomicU64,
}

impl Place {
    #[inline]
    fn load(&self) -> Entry {
        let numbers = self.numbers.load(Relaxed);
        Entry {
            tag: self.turned.load(Relaxed) ^ numbers,
            phi: numbers as u32,
            delta: (numbers >> 32) as u32,
        }
    }

    #[inline]
    fn store(&self, entry: Entry) {
        let numbers = u64::from(entry.phi) | u64::from(entry.delta) << 32;
        self.turned.store(entry.tag ^ numbers, Relaxed);
        self.numbers.store(numbers, Relaxed);
    }
}

#[derive(Default)]
#[repr(align(64))]
struct Bucket([Place; WAYS]);

/// Bytes of one bucket.
const BUCKET_BYTES: u64 = size_of::<Bucket>() as u64;

/// The table.
pub(super) struct Table {
    buckets: Vec<Bucket>,
    used: AtomicU64,
}

/// Too little or too much memory asked for.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
#[error(
    "a table of {bytes} bytes cannot be had: it takes {least} or more, and as much free memory"
)]
pub struct NoMemory {
    /// What was asked for.
    pub bytes: u64,
    /// The least that will do.
    pub least: u64,
}

impl Entry {
    /// What is remembered: numbers, or a decision with its bound in plies.
    fn numbers(self) -> Numbers {
        match (self.phi, self.delta) {
            (0, plies) => Numbers {
                phi: 0,
                delta: INFINITE,
                plies: plies as u16,
            },
            (plies, 0) => Numbers {
                phi: INFINITE,
                delta: 0,
                plies: plies as u16,
            },
            (phi, delta) => Numbers {
                phi,
                delta,
                plies: 0,
            },
        }
    }

    fn new(key: Key, numbers: Numbers, work: u64) -> Entry {
        // A decision needs one number only; the bound stands in the other,
        // raised to 1 so that both are never zero.
        let plies = u32::from(numbers.plies.max(1));
        let (phi, delta) = match (numbers.phi, numbers.delta) {
            (0, _) => (0, plies),
            (_, 0) => (plies, 0),
            open => open,
        };
        Entry {
            tag: (key.check & CHECK) | (u64::from(work.max(1).ilog2()) + 1),
            phi,
            delta,
        }
    }

    /// Whether it says who has his way, after so much work that finding it
    /// again would cost something.
    pub(super) fn is_dear_fact(self) -> bool {
        (self.phi == 0 || self.delta == 0) && self.work() > u64::from(DEAR.ilog2())
    }

    /// The entry as a file holds it.
    pub(super) fn bytes(self) -> [u8; 16] {
        let numbers = u64::from(self.phi) | u64::from(self.delta) << 32;
        (u128::from(self.tag) | u128::from(numbers) << 64).to_le_bytes()
    }

    /// The entry that a file holds.
    pub(super) fn of_bytes(bytes: [u8; 16]) -> Entry {
        let all = u128::from_le_bytes(bytes);
        Entry {
            tag: all as u64,
            phi: (all >> 64) as u32,
            delta: (all >> 96) as u32,
        }
    }

    #[inline]
    fn is_of(self, key: Key) -> bool {
        self.tag & CHECK == key.check & CHECK && self.tag != 0
    }

    #[inline]
    fn work(self) -> u64 {
        self.tag & !CHECK
    }
}

impl Table {
    /// An empty table of no more than so many bytes.
    pub(super) fn new(bytes: u64) -> Result<Table, NoMemory> {
        let least = 1 << 16;
        let refused = NoMemory { bytes, least };
        let count = usize::try_from(bytes / BUCKET_BYTES).map_err(|_| refused)?;
        if bytes < least {
            return Err(refused);
        }
        let mut buckets = Vec::new();
        buckets.try_reserve_exact(count).map_err(|_| refused)?;
        buckets.resize_with(count, Bucket::default);
        Ok(Table {
            buckets,
            used: AtomicU64::new(0),
        })
    }

    /// How many entries hold something, and how many there are. Where several
    /// threads write, a place that two fill at once counts twice.
    pub(super) fn fill(&self) -> (u64, u64) {
        let entries = self.buckets.len() * WAYS;
        (self.used.load(Relaxed), entries as u64)
    }

    /// What is known, each with its place, by place.
    pub(super) fn entries(&self) -> impl Iterator<Item = (u64, Entry)> {
        let places = self.buckets.iter().flat_map(|bucket| &bucket.0);
        let entries = places.map(Place::load);
        (0..).zip(entries).filter(|(_, entry)| entry.tag != 0)
    }

    /// Puts an entry back in its place; false if there is no such place.
    pub(super) fn set(&self, place: u64, entry: Entry) -> bool {
        let Some(bucket) = self.buckets.get(place as usize / WAYS) else {
            return false;
        };
        self.store(&bucket.0[place as usize % WAYS], entry);
        true
    }

    #[inline]
    fn store(&self, place: &Place, entry: Entry) {
        if place.load().tag == 0 && entry.tag != 0 {
            self.used.fetch_add(1, Relaxed);
        }
        place.store(entry);
    }

    /// How many times as large it is as one of so many bytes, if that is a whole
    /// number of times.
    pub(super) fn times(&self, bytes: u64) -> Option<u64> {
        let (ours, theirs) = (self.buckets.len() as u64, bytes / BUCKET_BYTES);
        (theirs > 0 && ours.is_multiple_of(theirs)).then(|| ours / theirs)
    }

    /// Adds what another table, so many times smaller, has decided, wherever it
    /// may belong: what is in one bucket there is in one of `times` here, and an
    /// entry does not say in which. Gives how many it was new to: none where it is
    /// decided already, or there is no room but in the stead of something dearer;
    /// `None` if there is no such place.
    pub(super) fn add(&self, place: u64, times: u64, entry: Entry) -> Option<u64> {
        let first = (place as usize / WAYS).checked_mul(times as usize)?;
        let buckets = self
            .buckets
            .get(first..first.checked_add(times as usize)?)?;
        let new = buckets.iter().filter(|bucket| self.add_to(bucket, entry));
        Some(new.count() as u64)
    }

    fn add_to(&self, Bucket(bucket): &Bucket, entry: Entry) -> bool {
        let known = || bucket.iter().map(|place| (place, place.load()));
        let same = known().find(|(_, old)| old.tag != 0 && old.tag & CHECK == entry.tag & CHECK);
        if let Some((place, old)) = same {
            let open = old.phi != 0 && old.delta != 0;
            if open {
                place.store(entry);
            }
            return open;
        }
        let least = known().min_by_key(|(_, old)| old.work());
        let room = least.filter(|(_, old)| old.work() <= entry.work());
        if let Some((place, _)) = room {
            self.store(place, entry);
        }
        room.is_some()
    }

    #[inline]
    fn index(&self, key: Key) -> usize {
        let spread = key.place.wrapping_mul(SPREAD);
        ((u128::from(spread) * self.buckets.len() as u128) >> 64) as usize
    }

    /// Something of the place where a position belongs: asking many places for
    /// it before looking into any lets the memory fetch them side by side.
    #[inline]
    pub(super) fn touch(&self, key: Key) -> u64 {
        self.buckets[self.index(key)].0[0].turned.load(Relaxed)
    }

    /// What is known of the position.
    #[inline]
    pub(super) fn get(&self, key: Key) -> Option<Numbers> {
        let bucket = &self.buckets[self.index(key)].0;
        let mut entries = bucket.iter().map(Place::load);
        entries.find(|entry| entry.is_of(key)).map(Entry::numbers)
    }

    /// Remembers a position, if need be in the stead of the one with the least
    /// work behind it.
    #[inline]
    pub(super) fn put(&self, key: Key, numbers: Numbers, work: u64) {
        let bucket = &self.buckets[self.index(key)].0;
        let known = bucket.each_ref().map(Place::load);
        let place = known
            .iter()
            .position(|entry| entry.is_of(key))
            .unwrap_or_else(|| {
                let least = (0..WAYS).min_by_key(|&way| known[way].work());
                least.unwrap_or(0)
            });
        let old = known[place];
        let work = if old.is_of(key) {
            // The logarithm of all work so far, kept from falling.
            work.max(1 << (old.work().clamp(1, 60) - 1))
        } else {
            work
        };
        self.store(&bucket[place], Entry::new(key, numbers, work));
    }
}

#[cfg(test)]
impl Table {
    /// Counts so many places again, as threads may.
    pub(super) fn overcount(&self, places: u64) {
        self.used.fetch_add(places, Relaxed);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset, sample};
    use crate::solver::node::Node;

    /// Four ways a bucket and as many positions as places leave a fifth of
    /// the places empty where each bucket is as likely as any other
    /// (a Poisson distribution of mean 4, cut at 4).
    #[test]
    fn positions_are_spread_over_the_whole_table() {
        let rules = Rules::new(Ruleset::default());
        let mut stream = crate::agents::stream([7; 32]);
        let table = Table::new(1 << 18).unwrap();
        let entries = table.fill().1;
        let mut met = std::collections::HashSet::new();
        while (met.len() as u64) < entries {
            let mut node = Node::new(rules.start());
            while rules.ending(&node.position).is_none() {
                let Some(ply) = sample::random_move(&rules, &node.position, &mut stream) else {
                    break;
                };
                node = node.child(&rules, ply);
                let key = node.key();
                if (met.len() as u64) < entries && met.insert((key.place, key.check)) {
                    table.put(key, Numbers::won(1), 1);
                }
            }
        }
        let expected = 0.8046 * entries as f64;
        let used = table.fill().0 as f64;
        assert!((used / expected - 1.0).abs() < 0.02, "{used} of {expected}");
    }

    /// Few places and many writers: whatever is read of a position was written
    /// of that position.
    #[test]
    fn what_threads_write_at_the_same_time_is_never_mixed() {
        let table = Table::new(1 << 16).unwrap();
        let key = |number: u64| Key {
            place: number % 8,
            check: number.wrapping_mul(SPREAD) | 1 << 20,
        };
        let numbers = |number: u64| Numbers {
            phi: number as u32 + 1,
            delta: (number as u32 + 1) ^ 0x5555,
            plies: 0,
        };
        let seen = AtomicU64::new(0);
        std::thread::scope(|scope| {
            for thread in 0..4 {
                let (table, seen) = (&table, &seen);
                scope.spawn(move || {
                    for round in 0..200_000_u64 {
                        let number = (round * 7 + thread * 13) % 64;
                        table.put(key(number), numbers(number), 1 + round % 100);
                        let other = (round * 11 + thread) % 64;
                        if let Some(known) = table.get(key(other)) {
                            assert_eq!(known, numbers(other));
                            seen.fetch_add(1, Relaxed);
                        }
                    }
                });
            }
        });
        assert!(seen.into_inner() > 1000);
    }
}
