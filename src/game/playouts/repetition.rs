//! Which positions may have stood before in a lane's game. Imports positions
//! and boards.

use crate::arch::{Lanes, MOST_LANES, One, Row, Word};
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
    let mut row = Row::default();
    key(One, &boards, position.side).store(&mut row);
    row.0[0]
}

/// Words of a lane's filter.
const WORDS: usize = 32;

/// The positions of a word's games by keys of 64 bits: equal positions have
/// equal keys, others hardly ever.
#[derive(Clone, Debug)]
pub(super) struct Seen {
    /// The keys after each of the last steps.
    keys: Vec<Row>,
    /// For each lane a Bloom filter over the keys since its last capture: in a
    /// word's low half those that were there, in its high half those that the
    /// low half knew already.
    filters: Vec<[u64; WORDS]>,
    lanes: Vec<Lane>,
    /// Whether a position must have stood twice before it matters.
    often: bool,
}

/// What a lane's game has seen since its last capture.
#[derive(Clone, Debug, Default)]
struct Lane {
    /// The first step whose key counts.
    since: u64,
    /// The keys of the opening.
    before: Vec<u64>,
}

impl Seen {
    /// For this many lanes; keys of `kept` steps are kept, a power of two. A
    /// position that stands `limit` times, at least twice, ends the game.
    pub(super) fn new(lanes: usize, kept: usize, limit: Option<u32>) -> Seen {
        Seen {
            keys: vec![Row::default(); kept],
            filters: vec![[0; WORDS]; lanes],
            lanes: vec![Lane::default(); lanes],
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
        self.forget(lane, step);
        for position in positions {
            let key = key_of(position);
            self.lanes[lane].before.push(key);
            let (slot, bit) = place(One, One.load(&Row([key; MOST_LANES])));
            let (mut slots, mut bits) = (Row::default(), Row::default());
            slot.store(&mut slots);
            bit.store(&mut bits);
            let word = &mut self.filters[lane][slots.0[0] as usize % WORDS];
            *word |= bits.0[0] | (*word & bits.0[0]) << 32;
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
        captured: u32,
    ) -> u32 {
        let at = step as usize & (self.keys.len() - 1);
        keys.store(&mut self.keys[at]);
        let mut rest = captured;
        while rest != 0 {
            self.forget(rest.trailing_zeros() as usize, step);
            rest &= rest - 1;
        }
        let (slot, bit) = place(lanes, keys);
        let (mut slots, mut words) = (Row::default(), Row::default());
        slot.store(&mut slots);
        // By way of memory, see `Word::nth`.
        std::hint::black_box((&mut slots, &mut words));
        for ((word, slot), filter) in words.0.iter_mut().zip(&slots.0).zip(&self.filters) {
            *word = filter[*slot as usize % WORDS];
        }
        std::hint::black_box(&mut words);
        let old = lanes.load(&words);
        (old | bit | (old & bit).up::<32>()).store(&mut words);
        std::hint::black_box(&mut words);
        for ((word, slot), filter) in words.0.iter().zip(&slots.0).zip(&mut self.filters) {
            filter[*slot as usize % WORDS] = *word;
        }
        let known = if self.often { old.down::<32>() } else { old };
        L::Word::bits(known.meets(bit))
    }

    /// How often the lane's position after this step has stood.
    pub(super) fn times(&self, lane: usize, step: u64) -> u32 {
        let mask = self.keys.len() - 1;
        let at = |step: u64| self.keys[step as usize & mask].0[lane];
        let last = at(step);
        let game = &self.lanes[lane];
        let before = game.before.iter().filter(|&&key| key == last).count();
        let since = (game.since..=step).filter(|&step| at(step) == last).count();
        (before + since) as u32
    }

    #[inline(always)]
    fn forget(&mut self, lane: usize, step: u64) {
        self.filters[lane] = [0; WORDS];
        let lane = &mut self.lanes[lane];
        lane.since = step;
        lane.before.clear();
    }
}

/// Where a key is in a filter: the word, and the bit in its low half.
#[inline(always)]
fn place<L: Lanes>(lanes: L, key: L::Word) -> (L::Word, L::Word) {
    // The bits in the middle of a product depend on most of its factors.
    let slot = key.down::<32>() & lanes.all(WORDS as u64 - 1);
    let bit = lanes.all(1).shifted(key.down::<37>() & lanes.all(31));
    (slot, bit)
}
