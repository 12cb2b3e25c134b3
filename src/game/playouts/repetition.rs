//! Which positions may have stood before in a lane's game. Imports positions
//! and boards.

use crate::arch::{Lanes, One, Row, Word};
use crate::game::lanes::Boards;
use crate::game::position::Position;
use crate::game::side::Side;

/// The positions' keys, equal for equal positions.
#[inline(always)]
pub(super) fn key<L: Lanes>(lanes: L, boards: &Boards<L::Word>, side: Side) -> L::Word {
    let side = lanes.all((side as u64) << 63);
    let mixed = boards.attackers ^ boards.defenders.rotated::<21>() ^ boards.king.rotated::<42>();
    let mixed = mixed ^ side;
    // Two odd constants without a pattern.
    mixed.times(lanes.all(0x9e37_79b9)) + mixed.down::<32>().times(lanes.all(0x85eb_ca6b))
}

/// A position's key.
pub(super) fn key_of(position: &Position) -> u64 {
    let boards = Boards::new(One, position);
    key(One, &boards, position.side).first()
}

/// Words of a lane's filter.
const WORDS: usize = 8;

/// The positions of a word's games by keys of 64 bits: equal positions have
/// equal keys, others hardly ever.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The keys after each of the last steps.
    keys: Vec<Row>,
    /// For each lane a Bloom filter over the keys since its last capture.
    once: [Row; WORDS],
    /// The same over those that the first filter knew already.
    twice: Row,
    /// For each lane the first step whose key counts, times two; one more if
    /// the opening's keys do not.
    since: Row,
    /// For each lane the keys of its opening.
    before: Vec<Vec<u64>>,
    /// Whether a position must have stood twice before it matters.
    often: bool,
}

impl Seen {
    /// For this many lanes; keys of `kept` steps are kept, a power of two. A
    /// position that stands `limit` times, at least twice, ends the game.
    pub(super) fn new(lanes: usize, kept: usize, limit: Option<u32>) -> Seen {
        Seen {
            keys: vec![Row::default(); kept],
            once: [Row::default(); WORDS],
            twice: Row::default(),
            since: Row::default(),
            before: vec![Vec::new(); lanes],
            often: limit != Some(2),
        }
    }

    /// Begins a lane's game anew with these positions, the last its present
    /// one, before this step.
    pub(super) fn begin<'a>(
        &mut self,
        lane: usize,
        step: u64,
        positions: impl Iterator<Item = &'a Position>,
    ) {
        for row in self.once.iter_mut().chain([&mut self.twice]) {
            row.0[lane] = 0;
        }
        self.since.0[lane] = 2 * step;
        self.before[lane].clear();
        for position in positions {
            let key = key_of(position);
            let (slot, bit, other) = (key >> SLOT, key >> BIT, key >> OTHER);
            let (bit, other) = (1 << (bit & 63), 1 << (other & 63));
            let word = &mut self.once[slot as usize % WORDS].0[lane];
            if *word & bit != 0 {
                self.twice.0[lane] |= other;
            }
            *word |= bit;
            self.before[lane].push(key);
        }
    }

    /// Adds the positions after this step, those before a capture forgotten,
    /// and says which may have stood as often as matters.
    #[inline(always)]
    pub(super) fn add<L: Lanes>(
        &mut self,
        lanes: L,
        step: u64,
        keys: L::Word,
        captured: <L::Word as Word>::Mask,
    ) -> u32 {
        let at = step as usize & (self.keys.len() - 1);
        keys.store(&mut self.keys[at]);
        let since = lanes.load(&self.since);
        L::Word::select(captured, lanes.all(2 * step + 1), since).store(&mut self.since);
        let one = |by: L::Word| lanes.all(1).shifted(by & lanes.all(63));
        let slot = keys.down::<SLOT>() & lanes.all(WORDS as u64 - 1);
        let bit = one(keys.down::<BIT>());
        // In several lanes all of a filter's words, each where it is the one: to
        // look up one lane's word after the other takes longer.
        let mut words = 0..WORDS;
        if L::LANES == 1 {
            let slot = slot.first() as usize;
            words = slot..slot + 1;
            if L::Word::bits(captured) != 0 {
                self.once = [Row::default(); WORDS];
            }
        }
        let mut known = lanes.all(0);
        for number in words {
            let row = &mut self.once[number];
            let here = bit.only(slot.equals(lanes.all(number as u64)));
            let old = lanes.load(row).only(!captured);
            known = known | old & here;
            (old | here).store(row);
        }
        let known = known.meets(bit);
        if !self.often {
            return L::Word::bits(known);
        }
        let other = one(keys.down::<OTHER>());
        let old = lanes.load(&self.twice).only(!captured);
        (old | other.only(known)).store(&mut self.twice);
        L::Word::bits(known & old.meets(other))
    }

    /// How often the lane's position after this step has stood.
    pub(super) fn times(&self, lane: usize, step: u64) -> u32 {
        let mask = self.keys.len() - 1;
        let at = |step: u64| self.keys[step as usize & mask].0[lane];
        let last = at(step);
        let since = self.since.0[lane];
        let opening = if since.is_multiple_of(2) {
            &self.before[lane][..]
        } else {
            &[]
        };
        let before = opening.iter().filter(|&&key| key == last).count();
        let since = (since / 2..=step).filter(|&step| at(step) == last).count();
        (before + since) as u32
    }
}

/// From which of a key's bits on its place in a filter is taken: the word, the
/// bit, and the bit in the second filter. The bits in the middle of a product
/// depend on most of its factors.
const SLOT: u32 = 32;
const BIT: u32 = 35;
const OTHER: u32 = 41;
