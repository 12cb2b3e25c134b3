//! Which positions stood in a game, and how often. Imports positions.

use super::position::Position;

/// The positions since the last capture, oldest first: a captured piece never
/// comes back, so nothing before it can stand again.
#[derive(Clone, Debug, Default)]
pub struct History {
    keys: Vec<[u64; 2]>,
    /// A Bloom filter over `keys`: a position whose bit is clear is new.
    filter: Filter,
}

impl History {
    /// A history that begins with this position.
    #[must_use]
    pub fn new(start: &Position) -> History {
        let mut history = History {
            keys: Vec::with_capacity(64),
            filter: Filter::default(),
        };
        history.push(start);
        history
    }

    /// Forgets what no later position can equal.
    #[inline]
    pub fn forget(&mut self) {
        self.keys.clear();
        self.filter = Filter::default();
    }

    /// Adds a position and says how often it has now stood.
    #[inline]
    pub fn push(&mut self, position: &Position) -> u32 {
        let key = position.key();
        let known = self.filter.insert(key);
        let before = if known { self.count(key) } else { 0 };
        self.keys.push(key);
        before + 1
    }

    /// Takes back the last position added.
    ///
    /// Only positions added since the last [`History::forget`] can be taken
    /// back.
    pub fn pop(&mut self) {
        self.keys.pop();
    }

    /// The positions that can still repeat, oldest first.
    pub fn positions(&self) -> impl Iterator<Item = Position> {
        self.keys.iter().map(|&key| Position::from_key(key))
    }

    /// How often the position has stood.
    #[must_use]
    pub fn times(&self, position: &Position) -> u32 {
        let key = position.key();
        if self.filter.holds(key) {
            self.count(key)
        } else {
            0
        }
    }

    fn count(&self, key: [u64; 2]) -> u32 {
        self.keys.iter().filter(|&&other| other == key).count() as u32
    }
}

#[derive(Clone, Copy, Debug, Default)]
struct Filter([u64; 16]);

impl Filter {
    #[inline]
    fn place(key: [u64; 2]) -> (usize, u64) {
        let mixed = key[0]
            .wrapping_mul(0x9e37_79b9_7f4a_7c15)
            .wrapping_add(key[1])
            .wrapping_mul(0xd6e8_feb8_6659_fd93);
        (usize::from((mixed >> 60) as u8), 1 << (mixed >> 54 & 63))
    }

    /// Whether the key may be known already; knows it from now on.
    #[inline]
    fn insert(&mut self, key: [u64; 2]) -> bool {
        let (word, bit) = Filter::place(key);
        let known = self.0[word] & bit != 0;
        self.0[word] |= bit;
        known
    }

    #[inline]
    fn holds(&self, key: [u64; 2]) -> bool {
        let (word, bit) = Filter::place(key);
        self.0[word] & bit != 0
    }
}
