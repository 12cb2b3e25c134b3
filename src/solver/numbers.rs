//! Proof and disproof numbers, seen from the side to move, and the arithmetic
//! of thresholds. Imports nothing of ours.

/// More than any sum of numbers: the disproof number of what is proved, and the
/// proof number of what is disproved.
pub const INFINITE: u32 = u32::MAX / 2;

/// What is known of a position, from its side to move: with the prover to move
/// `phi` is the proof number and `delta` the disproof number, with the other
/// side to move the reverse (Nagai, "Df-pn algorithm for searching AND/OR trees
/// and its applications", 2002).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Numbers {
    /// How much is to be done at least for the side to move to have its way; 0
    /// when it has.
    pub phi: u32,
    /// The same for the other side.
    pub delta: u32,
    /// Where the prover wins: within how many plies; 0 elsewhere.
    pub plies: u16,
}

impl Numbers {
    /// The side to move has its way; where that is the prover's win, within so
    /// many plies.
    pub const fn won(plies: u16) -> Numbers {
        Numbers {
            phi: 0,
            delta: INFINITE,
            plies,
        }
    }

    /// The other side has its way.
    pub const fn lost(plies: u16) -> Numbers {
        Numbers {
            phi: INFINITE,
            delta: 0,
            plies,
        }
    }

    /// Whether either side has its way.
    pub const fn decided(self) -> bool {
        self.phi == 0 || self.delta == 0
    }
}

/// The sum, below infinity.
pub const fn plus(one: u32, other: u32) -> u32 {
    let sum = one.saturating_add(other);
    if sum < INFINITE { sum } else { INFINITE - 1 }
}

/// A little more than the second best number: how far the best may rise before
/// the search turns to the second. Growing in proportion, it turns seldom
/// (Pawlewicz and Lew, "Improving depth-first PN-search: 1 + ε trick", 2007).
pub const fn raised(second: u32) -> u32 {
    // Numbers end below infinity: to a limit there, none of them would ever
    // have room to rise, and the search would come back with nothing forever.
    if second >= INFINITE - 1 {
        INFINITE
    } else {
        plus(second, second / 4 + 1)
    }
}

/// How much of a sum of numbers counts: all up to a size, of what is beyond it
/// one part in so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Share {
    whole: u64,
    parts: u64,
}

impl Share {
    /// All of it.
    pub const ALL: Share = Share::new(0, 1);

    /// All up to `whole`, of the rest one part in `parts`.
    pub const fn new(whole: u64, parts: u64) -> Share {
        Share { whole, parts }
    }

    const fn of(self, sum: u64) -> u64 {
        if sum <= self.whole {
            sum
        } else {
            self.whole + (sum - self.whole) / self.parts
        }
    }

    /// The smallest sum that counts so much.
    const fn sum(self, counted: u64) -> u64 {
        if counted <= self.whole {
            counted
        } else {
            self.whole + (counted - self.whole) * self.parts
        }
    }
}

/// The numbers of moves that all have to be met, put together: the largest
/// whole, of the others together a share. Many moves lead to the same positions,
/// which a plain sum counts again and again (Ueda, Hashimoto, Hashimoto and
/// Iida, "Weak proof-number search", 2008, who count every other as one).
#[derive(Clone, Copy, Default, Debug)]
pub struct Total {
    sum: u64,
    largest: u32,
    second: u32,
}

impl Total {
    /// One more number.
    pub const fn add(&mut self, number: u32) {
        self.sum += number as u64;
        if number > self.largest {
            self.second = self.largest;
            self.largest = number;
        } else if number > self.second {
            self.second = number;
        }
    }

    /// The largest, and of the others this share; below infinity.
    pub const fn number(&self, share: Share) -> u32 {
        let others = self.sum - self.largest as u64;
        below_infinity(self.largest as u64 + share.of(others))
    }

    /// To where one of the numbers, `own`, has to rise for the total to reach
    /// a limit that it has not reached, or, as divisions are rounded down, by
    /// less than the share's parts farther.
    pub const fn room(&self, own: u32, limit: u32, share: Share) -> u32 {
        if limit >= INFINITE {
            return INFINITE;
        }
        let limit = limit as u64;
        let others = self.sum - own as u64;
        let largest = if own == self.largest {
            self.second
        } else {
            self.largest
        } as u64;
        let as_largest = limit.saturating_sub(share.of(others));
        if as_largest >= largest {
            return below_infinity(as_largest);
        }
        below_infinity(share.sum(limit - largest) - (others - largest))
    }
}

const fn below_infinity(number: u64) -> u32 {
    if number < INFINITE as u64 {
        number as u32
    } else {
        INFINITE - 1
    }
}

#[cfg(test)]
mod tests {
    use rand_core::{Rng, SeedableRng};
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;

    fn total(numbers: &[u32]) -> Total {
        let mut total = Total::default();
        for &number in numbers {
            total.add(number);
        }
        total
    }

    #[test]
    fn a_total_is_the_largest_and_a_share_of_the_others_and_stays_below_infinity() {
        assert_eq!(total(&[]).number(Share::ALL), 0);
        assert_eq!(total(&[3, 9, 4]).number(Share::ALL), 16);
        assert_eq!(total(&[3, 9, 4]).number(Share::new(0, 4)), 9 + 7 / 4);
        assert_eq!(total(&[3, 9, 4]).number(Share::new(5, 2)), 9 + 5 + 2 / 2);
        assert_eq!(total(&[3, 9, 4]).number(Share::new(7, 2)), 16);
        let large = total(&[INFINITE - 1; 3]);
        assert_eq!(large.number(Share::ALL), INFINITE - 1);
    }

    #[test]
    fn a_number_that_has_risen_to_its_room_lifts_the_total_to_the_limit_and_far_less_does_not() {
        let mut stream = Xoshiro256PlusPlus::seed_from_u64(8);
        let mut random = |below: u32| stream.next_u32() % below;
        let mut tried = 0;
        while tried < 20_000 {
            let mut numbers: Vec<u32> = (0..=random(5)).map(|_| random(40)).collect();
            let parts = u64::from(1 + random(5));
            let share = Share::new(u64::from(random(60)), parts);
            let limit = 1 + random(120);
            let before = total(&numbers);
            if before.number(share) >= limit {
                continue;
            }
            tried += 1;
            let place = random(numbers.len() as u32) as usize;
            let room = before.room(numbers[place], limit, share);
            assert!(room > numbers[place]);
            numbers[place] = room;
            assert!(
                total(&numbers).number(share) >= limit,
                "{numbers:?} {share:?} {limit}"
            );
            numbers[place] = room.saturating_sub(parts as u32);
            assert!(
                total(&numbers).number(share) < limit,
                "{numbers:?} {share:?} {limit}"
            );
        }
    }

    #[test]
    fn a_limit_never_leaves_a_number_below_infinity_no_room() {
        assert_eq!(raised(INFINITE - 1), INFINITE);
        assert_eq!(raised(INFINITE), INFINITE);
        assert_eq!(raised(100), 126);
        assert_eq!(
            total(&[INFINITE - 1, 5]).room(5, INFINITE, Share::ALL),
            INFINITE
        );
    }
}
