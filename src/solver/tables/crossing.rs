/*!
The attackers' quiet moves, for a whole row at once: they lead from row to row,
while defenders and king stay where they are. Imports the work and rules.
*/

use std::mem;
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::image::{Turn, image, image_back};
use super::work::{Mark, Shape, between};
use crate::game::{Bitboard, Position, Rules, Side, Square};

/// A move of one attacker among attackers alone.
#[derive(Clone, Copy, Debug)]
pub(super) struct Crossing {
    /// Where he arrives.
    pub to: Square,
    /// What he slides over and where he stops: no other man may be there.
    pub way: Bitboard,
    /// The attackers after it.
    pub after: Bitboard,
    /// The row of these.
    pub row: usize,
    /// What takes them to the row's own.
    pub turn: Turn,
    /// Squares on which he would capture a defender.
    pub takes: Bitboard,
    /// The same with the king on the throne.
    pub takes_with_king: Bitboard,
}

/// All moves of these attackers.
pub(super) fn crossings(
    rules: &Rules,
    shape: &Shape,
    attackers: Bitboard,
    found: &mut Vec<Crossing>,
) {
    found.clear();
    let index = &shape.index;
    for from in attackers {
        let without = attackers - Bitboard::of(from);
        for to in rules.soldier_reach(from, attackers) {
            let after = without | Bitboard::of(to);
            let (row, turn) = index.rows.find(&index.ground, after);
            let [takes, takes_with_king] = match shape.slots() {
                0 => [Bitboard::EMPTY; 2],
                _ => [false, true]
                    .map(|throne| taken(rules, index.ground.soldiers, after, to, throne)),
            };
            found.push(Crossing {
                to,
                way: between(from, to) | Bitboard::of(to),
                after,
                row,
                turn,
                takes,
                takes_with_king,
            });
        }
    }
}

/// On which squares a defender would be captured by the attacker who came to
/// `to`: defenders do not guard each other, and of the king it only matters
/// whether the throne is empty.
fn taken(rules: &Rules, ground: Bitboard, after: Bitboard, to: Square, throne: bool) -> Bitboard {
    let beside = Bitboard::of(to).neighbours();
    let victims = (beside & ground) - after;
    let elsewhere = Bitboard::FULL - Bitboard::THRONE - beside - after - Bitboard::CORNERS;
    let king = match throne && !after.meets(Bitboard::THRONE) {
        true => Bitboard::THRONE,
        false => Bitboard::of_option(elsewhere.first()),
    };
    let position = Position {
        attackers: after,
        defenders: victims - king,
        king,
        side: Side::Defenders,
    };
    rules.taken_on_arrival(&position, to) & victims
}

/// Room for a row's words under each symmetry.
#[derive(Debug, Default)]
pub(super) struct Room {
    pub found: Vec<Crossing>,
    turned: Vec<Bitboard>,
    used: [bool; 8],
    /// The answer: by number of the defenders' set.
    pub words: Vec<Bitboard>,
}

impl Room {
    pub fn new(shape: &Shape) -> Room {
        let sets = shape.sets.len();
        Room {
            found: Vec::new(),
            turned: vec![Bitboard::EMPTY; sets * 8],
            used: [false; 8],
            words: vec![Bitboard::EMPTY; sets],
        }
    }

    /// Bytes of memory for so many sets of defenders.
    pub fn memory(sets: u64) -> u64 {
        8 * (8 * sets + sets)
    }

    /// From which positions of a row, attackers to move, one of the crossings
    /// in `found` quietly leads to a position of `there` (or, `outside`, to
    /// one that is not in it). `fresh` may say which rows hold any.
    pub fn gather(
        &mut self,
        shape: &Shape,
        there: &[Bitboard],
        outside: bool,
        fresh: Option<&[Mark]>,
    ) {
        let sets = shape.sets.len();
        let flip = if outside {
            Bitboard::FULL
        } else {
            Bitboard::EMPTY
        };
        self.used = [false; 8];
        for crossing in &self.found {
            if fresh.is_some_and(|fresh| !fresh[crossing.row].fresh) {
                continue;
            }
            let turn = usize::from(crossing.turn);
            let turned = &mut self.turned[turn * sets..][..sets];
            if !self.used[turn] {
                self.used[turn] = true;
                turned.fill(Bitboard::EMPTY);
            }
            let row = &there[crossing.row * sets..][..sets];
            crossing.add(shape, row, flip, turned);
        }
        self.words.fill(Bitboard::EMPTY);
        for turn in (0..8).filter(|&turn| self.used[turn]) {
            let turned = &self.turned[turn * sets..][..sets];
            for (word, &image) in self.words.iter_mut().zip(&shape.images[turn]) {
                *word |= image_back(turn as Turn, turned[image as usize]);
            }
        }
    }
}

/// The rooms of a layer, kept from step to step: as many as were at work at
/// once, so at most one a thread and one a row.
#[derive(Debug, Default)]
pub(super) struct Rooms {
    idle: Mutex<Vec<Room>>,
}

/// A room that goes back to the others.
#[derive(Debug)]
pub(super) struct Lent<'a> {
    pub room: Room,
    rooms: &'a Rooms,
}

impl Rooms {
    /// A room for a thread's rows, as whoever had it before left it.
    pub fn lend(&self, shape: &Shape) -> Lent<'_> {
        let idle = self.idle().pop();
        Lent {
            room: idle.unwrap_or_else(|| Room::new(shape)),
            rooms: self,
        }
    }

    fn idle(&self) -> MutexGuard<'_, Vec<Room>> {
        self.idle.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Lent<'_> {
    fn drop(&mut self) {
        let room = mem::take(&mut self.room);
        self.rooms.idle().push(room);
    }
}

impl Crossing {
    /// Adds what of the row it arrives in can be reached by it, as that row
    /// lies.
    #[inline]
    fn add(&self, shape: &Shape, row: &[Bitboard], flip: Bitboard, turned: &mut [Bitboard]) {
        let way = image(self.turn, self.way);
        let takes = image(self.turn, self.takes);
        let takes_with_king = image(self.turn, self.takes_with_king);
        let special = way | takes | takes_with_king;
        let free = !way;
        for ((&word, &set), turned) in row.iter().zip(&shape.sets).zip(turned) {
            let word = (word ^ flip) & free;
            if !set.meets(special) {
                *turned |= word;
                continue;
            }
            if set.meets(way) {
                continue;
            }
            let mut quiet = Bitboard::EMPTY;
            if !set.meets(takes) {
                quiet |= !Bitboard::THRONE;
            }
            if !set.meets(takes_with_king) {
                quiet |= Bitboard::THRONE;
            }
            *turned |= word & quiet;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use rayon::prelude::*;

    use super::super::ground::Ground;
    use super::super::index::{Index, Layer, Rows};
    use super::*;
    use crate::game::Ruleset;

    #[test]
    fn as_much_room_is_made_as_is_planned() {
        let layer = Layer {
            defenders: 2,
            attackers: 1,
        };
        let ground = Arc::new(Ground::of(&Rules::new(Ruleset::default())));
        let rows = Arc::new(Rows::new(&ground, layer.attackers));
        let shape = Shape::new(Index::new(layer, &ground, &rows));
        let rooms = Rooms::default();
        // Far more threads than rows.
        let pool = rayon::ThreadPoolBuilder::new().num_threads(64);
        let step = || {
            let sets = rows.sets.par_iter();
            sets.for_each_init(
                || rooms.lend(&shape),
                |lent, _| lent.room.words.fill(Bitboard::EMPTY),
            );
        };
        pool.build()
            .unwrap()
            .install(|| (0..100).for_each(|_| step()));
        let idle = rooms.idle();
        assert!(
            (1..=rows.sets.len()).contains(&idle.len()),
            "{}",
            idle.len()
        );
        for room in idle.iter() {
            let bitboards = room.turned.capacity() + room.words.capacity();
            assert_eq!(8 * bitboards as u64, Room::memory(shape.sets.len() as u64));
        }
    }
}
