//! Every operation in every kind of word that the processor has, held against
//! the same on plain numbers.

use rand_core::{Rng, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;

use super::{Job, Kind, Lanes, LowRow, MOST_LANES, Row, Word};

/// Numbers of many kinds: small, large, of few bits and of many.
fn numbers(seed: u64) -> Vec<Row> {
    let mut stream = Xoshiro256PlusPlus::seed_from_u64(seed);
    let small = [0, 1, 2, 48, 49, 63, 64, u64::MAX];
    let large = [u64::MAX, 1 << 63, 1 << 62, 1 << 48, 1 << 32, 1 << 31, 0, 1];
    let row = |lane: usize| [small, large][lane / 8 % 2][lane % 8];
    let mut rows = vec![
        Row(std::array::from_fn(row)),
        Row(std::array::from_fn(|lane| row(lane + 8))),
    ];
    rows.extend((0..500).map(|round| {
        Row([0; MOST_LANES].map(|_| {
            let number = stream.next_u64();
            match round % 4 {
                0 => number,
                1 => number & stream.next_u64() & stream.next_u64(),
                2 => number >> (stream.next_u64() % 64),
                _ => 1 << (number % 64),
            }
        }))
    }));
    rows
}

fn bits_of(truths: impl Iterator<Item = bool>) -> u32 {
    truths
        .enumerate()
        .map(|(lane, holds)| u32::from(holds) << lane)
        .sum()
}

/// A word's lanes.
fn lanes_of<W: Word>(word: W, lanes: usize) -> Vec<u64> {
    let mut row = Row::default();
    word.store(&mut row);
    row.0[..lanes].to_vec()
}

/// Asserts that the word has in each lane what `expected` gives for it.
macro_rules! assert_lanes {
    ($job:ident, $word:expr, |$one:ident, $other:ident| $expected:expr) => {{
        let pairs = $job.one.0.iter().zip(&$job.other.0).take($job.lanes);
        let expected: Vec<u64> = pairs.map(|(&$one, &$other)| $expected).collect();
        assert_eq!(
            lanes_of($word, $job.lanes),
            expected,
            "{} of {:x?} and {:x?}",
            stringify!($word),
            $job.one,
            $job.other
        );
    }};
}

struct Pair<'a> {
    one: &'a Row,
    other: &'a Row,
    lanes: usize,
}

impl Pair<'_> {
    fn arithmetic<L: Lanes>(&self, lanes: L) {
        let (a, b) = (lanes.load(self.one), lanes.load(self.other));
        assert_lanes!(self, a, |one, _other| one);
        assert_lanes!(self, a & b, |one, other| one & other);
        assert_lanes!(self, a | b, |one, other| one | other);
        assert_lanes!(self, a ^ b, |one, other| one ^ other);
        assert_lanes!(self, !a, |one, _other| !one);
        assert_lanes!(self, a.without(b), |one, other| one & !other);
        assert_lanes!(self, a + b, |one, other| one.wrapping_add(other));
        assert_lanes!(self, a - b, |one, other| one.wrapping_sub(other));
        let low = u64::from(u32::MAX);
        assert_lanes!(self, a.times(b), |one, other| (one & low) * (other & low));
        assert_lanes!(self, lanes.all(self.one.0[0]), |_one, _other| self.one.0[0]);
    }

    fn shifts<L: Lanes>(&self, lanes: L) {
        let (a, b) = (lanes.load(self.one), lanes.load(self.other));
        assert_lanes!(self, a.up::<0>(), |one, _other| one);
        assert_lanes!(self, a.up::<7>(), |one, _other| one << 7);
        assert_lanes!(self, a.up::<63>(), |one, _other| one << 63);
        assert_lanes!(self, a.down::<0>(), |one, _other| one);
        assert_lanes!(self, a.down::<7>(), |one, _other| one >> 7);
        assert_lanes!(self, a.down::<63>(), |one, _other| one >> 63);
        assert_lanes!(self, a.rotated::<1>(), |one, _other| one.rotate_left(1));
        assert_lanes!(self, a.rotated::<45>(), |one, _other| one.rotate_left(45));
        let by = b & lanes.all(63);
        assert_lanes!(self, a.shifted(by), |one, other| one << (other & 63));
    }

    fn single_bits<L: Lanes>(&self, lanes: L) {
        let a = lanes.load(self.one);
        assert_lanes!(self, a.count() & lanes.all(127), |one, _other| u64::from(
            one.count_ones()
        ));
        assert_lanes!(self, a.lowest(), |one, _other| one & one.wrapping_neg());
        assert_lanes!(self, a.highest(), |one, _other| one
            .checked_ilog2()
            .map_or(0, |bit| 1 << bit));
        let some = Row(self.one.0.map(|number| number | 1 << 48));
        let some = lanes.load(&some);
        assert_lanes!(self, some.highest().index(), |one, _other| u64::from(
            (one | 1 << 48).ilog2()
        ));
        // Of every set bit, which is the one above so many others.
        for place in 0..64 {
            let asked = Row(self.one.0.map(|number| match number.count_ones() {
                0 => 0,
                set => place % u64::from(set),
            }));
            let found = lanes_of(a.nth(lanes.load(&asked)), self.lanes);
            for (lane, found) in found.into_iter().enumerate() {
                let (number, nth) = (self.one.0[lane], asked.0[lane]);
                if number != 0 {
                    assert_eq!(found.count_ones(), 1);
                    assert_ne!(found & number, 0, "{nth} of {number:x}");
                    let below = (number & (found - 1)).count_ones();
                    assert_eq!(u64::from(below), nth, "{number:x}");
                }
            }
        }
        let mut low = LowRow::default();
        a.store_low(&mut low);
        for lane in 0..self.lanes {
            assert_eq!(low.0[lane], self.one.0[lane] as u16);
        }
    }

    fn truths<L: Lanes>(&self, lanes: L) {
        let (a, b) = (lanes.load(self.one), lanes.load(self.other));
        let pairs = || self.one.0.iter().zip(&self.other.0).take(self.lanes);
        let meets = bits_of(pairs().map(|(one, other)| one & other != 0));
        assert_eq!(L::Word::bits(a.meets(b)), meets);
        let all = bits_of(pairs().map(|_| true));
        assert_eq!(L::Word::bits(!a.meets(b)) & all, !meets & all);
        let equal = bits_of(pairs().map(|(one, other)| one == other));
        assert_eq!(L::Word::bits(a.equals(b)), equal);
        assert_eq!(L::Word::bits(a.equals(a)), all);
        let (low_a, low_b) = (a.down::<1>(), b.down::<1>());
        let below = bits_of(pairs().map(|(one, other)| one >> 1 < other >> 1));
        assert_eq!(L::Word::bits(low_a.below(low_b)), below);
        assert_eq!(L::Word::bits(a.meets(b) & a.equals(b)), meets & equal);
        assert_eq!(L::Word::bits(a.meets(b) | a.equals(b)), meets | equal);
        let mask = a.meets(b);
        assert_lanes!(self, a.only(mask), |one, other| match one & other != 0 {
            true => one,
            false => 0,
        });
        assert_lanes!(self, L::Word::select(mask, a, b), |one, other| {
            match one & other != 0 {
                true => one,
                false => other,
            }
        });
    }
}

struct Everything;

impl Job for Everything {
    /// How many lanes were looked at.
    type Output = usize;

    fn with<L: Lanes>(self, lanes: L) -> usize {
        for (one, other) in numbers(1).iter().zip(&numbers(2)) {
            let pair = Pair {
                one,
                other,
                lanes: L::LANES,
            };
            pair.arithmetic(lanes);
            pair.shifts(lanes);
            pair.single_bits(lanes);
            pair.truths(lanes);
        }
        L::LANES
    }
}

#[test]
fn every_kind_of_word_does_what_plain_numbers_do() {
    for kind in Kind::here() {
        let lanes = match kind {
            Kind::One | Kind::Bits => 1,
            Kind::Avx2 => 8,
            Kind::Avx512 => 16,
        };
        assert_eq!(kind.run(Everything), lanes, "{}", kind.name());
    }
    // For the log of a machine without some of them.
    let here: Vec<_> = Kind::here().map(Kind::name).collect();
    println!("kinds of words here: {}", here.join(", "));
    assert_eq!(here.first(), Some(&"portable"));
}
