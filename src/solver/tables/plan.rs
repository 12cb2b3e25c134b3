//! What building takes, worked out before it begins. Imports the index and
//! the work.

use super::crossing::Room;
use super::error::Error;
use super::format::most_bytes;
use super::ground::{Ground, choose};
use super::image::image;
use super::index::{Layer, MOST_SOLDIERS, Rows};
use super::work::Work;
use crate::game::{Bitboard, Rules};

/// The program itself, its threads and what the allocator keeps.
const OVERHEAD: u64 = 64 << 20;
/// More values than any machine this is meant for could hold.
const MOST_ENTRIES: u64 = 1 << 36;

/// One layer's cost.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Planned {
    /// Which layer.
    pub layer: Layer,
    /// Values of both sides.
    pub entries: u64,
    /// Bytes of its file at most; a tenth of that is usual.
    pub disk: u64,
    /// Bytes of memory that all threads share.
    shared: u64,
    /// Bytes of memory that each thread has for itself.
    room: u64,
    /// Sets of attackers; no more threads than that are at work at once.
    rows: u64,
}

impl Planned {
    /// Bytes of memory at most while it is built on so many threads.
    #[must_use]
    pub fn memory(&self, threads: usize) -> u64 {
        let rooms = self.rows.min(threads as u64);
        self.shared + rooms * self.room
    }
}

/// The layers up to some number of soldiers on each side, in the order in which
/// they are built.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Every layer, also those that may be there already.
    pub layers: Vec<Planned>,
}

impl Plan {
    /// Works out what all layers up to this one take.
    ///
    /// # Errors
    /// [`Error::TooLarge`].
    pub fn new(rules: &Rules, most: Layer) -> Result<Plan, Error> {
        let ground = Ground::of(rules);
        let mut layers: Vec<Planned> = Vec::new();
        for defenders in 0..=most.defenders {
            for attackers in 0..=most.attackers {
                let layer = Layer {
                    defenders,
                    attackers,
                };
                let size = Size::of(&ground, layer);
                let entries = 2 * size.codes;
                let small = defenders.max(attackers) <= MOST_SOLDIERS;
                if !small || entries > MOST_ENTRIES {
                    return Err(Error::TooLarge { layer, entries });
                }
                let lower: u64 = layer
                    .lower()
                    .map(|layer| 2 * Size::of(&ground, layer).codes)
                    .sum();
                let rows: u64 = (attackers.saturating_sub(3)..=attackers)
                    .map(|attackers| Rows::memory(&ground, attackers))
                    .sum();
                let slots = u64::from(defenders);
                layers.push(Planned {
                    layer,
                    entries,
                    disk: most_bytes(size.codes),
                    shared: Work::memory(size.rows, size.sets, slots, size.codes)
                        + lower
                        + rows
                        + OVERHEAD,
                    room: Room::memory(size.sets),
                    rows: size.rows,
                });
            }
        }
        Ok(Plan { layers })
    }

    /// The layer that takes the most memory on so many threads; a plan has at
    /// least one.
    #[must_use]
    pub fn peak(&self, threads: usize) -> Option<Planned> {
        self.layers
            .iter()
            .max_by_key(|planned| planned.memory(threads))
            .copied()
    }
}

struct Size {
    rows: u64,
    /// Defenders' sets, those on attackers among them.
    sets: u64,
    /// Values of one side.
    codes: u64,
}

impl Size {
    fn of(ground: &Ground, layer: Layer) -> Size {
        let (attackers, defenders) = (u32::from(layer.attackers), u32::from(layer.defenders));
        let squares = ground.soldiers.len();
        let rows = rows(ground, layer.attackers);
        let free = squares.saturating_sub(attackers);
        let kings = ground.king.len().saturating_sub(attackers + defenders);
        Size {
            rows,
            sets: choose(squares, defenders),
            codes: rows
                .saturating_mul(choose(free, defenders))
                .saturating_mul(u64::from(kings)),
        }
    }
}

/// How many sets of attackers there are up to symmetry: the mean of how many
/// sets each symmetry leaves as they are (Burnside's lemma).
fn rows(ground: &Ground, attackers: u8) -> u64 {
    let size = usize::from(attackers);
    let mut kept = 0;
    for turn in 0..8 {
        // Coefficients of the product of 1 + x^n over all cycles of length n.
        let mut sets = vec![0; size + 1];
        sets[0] = 1;
        for cycle in cycles(ground.soldiers, turn) {
            for count in (cycle..=size).rev() {
                sets[count] += sets[count - cycle];
            }
        }
        kept += sets[size];
    }
    kept / 8
}

/// The lengths of the cycles in which a symmetry moves the squares.
fn cycles(squares: Bitboard, turn: u8) -> Vec<usize> {
    let mut left = squares;
    let mut lengths = Vec::new();
    while let Some(first) = left.first() {
        let start = Bitboard::of(first);
        let (mut at, mut length) = (start, 0);
        loop {
            left = left - at;
            at = image(turn, at);
            length += 1;
            if at == start {
                break;
            }
        }
        lengths.push(length);
    }
    lengths
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Ruleset, RulesetTable};

    #[test]
    fn as_many_rows_are_planned_as_there_are() {
        let ordinary: RulesetTable = toml::from_str("throne = \"ordinary\"").unwrap();
        for ruleset in [Ruleset::default(), ordinary.resolve().unwrap()] {
            let ground = Ground::of(&Rules::new(ruleset));
            for attackers in 0..=4 {
                let there = Rows::new(&ground, attackers).sets.len() as u64;
                assert_eq!(rows(&ground, attackers), there, "{attackers}");
            }
        }
    }

    #[test]
    fn every_thread_at_work_has_its_room() {
        let most = Layer {
            defenders: 4,
            attackers: 1,
        };
        let rules = Rules::new(Ruleset::default());
        let plan = Plan::new(&rules, most).unwrap();
        let planned = plan.peak(1).unwrap();
        assert_eq!(planned.layer, most);
        // Each has all 135,751 sets of defenders nine times.
        let room = 135_751 * 9 * 8;
        let more = |threads| planned.memory(threads) - planned.memory(1);
        assert_eq!(more(2), room);
        let rows = Rows::new(&Ground::of(&rules), 1).sets.len();
        for threads in [rows, rows + 1, 64, usize::MAX] {
            assert_eq!(more(threads), (rows as u64 - 1) * room, "{threads}");
        }
    }
}
