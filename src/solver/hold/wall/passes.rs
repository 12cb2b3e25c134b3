//! Takes away what is not held, a layer at a time. Imports rules and bitboards.

use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};

use rayon::prelude::*;

use super::men::{Place, Row};
use super::{Layer, Progress, Wall, load};
use crate::game::{Bitboard, CAPTURE_LINES, Position, SQUARES, Side, Square, between};
use crate::solver::tables::image::{image, inverse};

/// So many rows are looked at between two reports.
const AT_ONCE: usize = 1 << 8;

/// Whom defenders may capture from where, beside one set of men.
struct Beside {
    /// Squares beside a man.
    near: Bitboard,
    /// By the square that a defender comes to: those behind the men beside it where
    /// somebody may stand.
    behind: [Bitboard; SQUARES],
    /// Squares from which a man is captured wherever others stand, but for a king on
    /// the throne.
    always: Bitboard,
}

impl Wall<'_> {
    /// Works out the positions with so many soldiers and men.
    pub(super) fn work_out_layer(
        &mut self,
        soldiers: usize,
        men: u32,
        observe: &mut dyn FnMut(&Progress) -> bool,
    ) -> bool {
        let words = self.soldiers[soldiers].sets.len();
        let layer = self.everything(soldiers, men);
        self.layers[soldiers].push(layer);
        let rows = self.men.rows(men);
        let mut due: Vec<AtomicBool> = rows.iter().map(|_| AtomicBool::new(true)).collect();
        // Where few are kept, most is lost: what leads there is looked at after it.
        let mut order: Vec<usize> = (0..rows.len()).collect();
        order.sort_by_key(|&row| self.plan.kept(rows[row].set));
        let mut progress = Progress {
            soldiers: soldiers as u32,
            men,
            ..Progress::default()
        };
        while due.iter_mut().any(|due| *due.get_mut()) {
            progress.passes += 1;
            for part in order.chunks(AT_ONCE) {
                let lost = part.par_iter().with_max_len(1).map_init(
                    || vec![Bitboard::EMPTY; words],
                    |answered, &row| self.look_at(soldiers, men, row, &due, answered),
                );
                progress.taken += lost.sum::<u64>();
                if !observe(&progress) {
                    return false;
                }
            }
        }
        if men < self.most {
            let mut answered = vec![Bitboard::EMPTY; rows.len() * words];
            let rows = answered.par_chunks_mut(words).zip(rows);
            rows.for_each(|(answered, row)| self.answer_row(soldiers, men, row, answered));
            self.layers[soldiers][men as usize].answered = answered;
        }
        true
    }

    /// A layer in which all is held that can be.
    fn everything(&self, soldiers: usize, men: u32) -> Layer {
        let sets = &self.soldiers[soldiers].sets;
        let rows = self.men.rows(men).par_iter();
        let held = rows.flat_map_iter(|row| {
            sets.iter().map(|&soldiers| {
                let free = match row.set.meets(soldiers) {
                    true => Bitboard::EMPTY,
                    false => self.ground.king - row.set - soldiers,
                };
                AtomicU64::new(free.0)
            })
        });
        Layer {
            held: held.collect(),
            answered: Vec::new(),
        }
    }

    /// Looks at a row if it is due; how many positions it has lost. Then those are due
    /// from which a man's move leads to it.
    fn look_at(
        &self,
        soldiers: usize,
        men: u32,
        row: usize,
        due: &[AtomicBool],
        answered: &mut [Bitboard],
    ) -> u64 {
        // Whoever finds a row due sees why: all that was taken away before.
        if !due[row].swap(false, Ordering::AcqRel) {
            return 0;
        }
        let rows = self.men.rows(men);
        self.answer_row(soldiers, men, &rows[row], answered);
        let lost = self.keep_answered(soldiers, men, row, answered);
        if lost > 0 {
            // Whoever can move to a set can be moved to from it.
            for step in &rows[row].steps {
                due[step.place.row as usize].store(true, Ordering::Release);
            }
        }
        lost
    }

    /// By the soldiers' sets, on which squares of the king attackers, to move, can come
    /// to what is held: as [`kings_answered`](Wall::kings_answered), for a whole row at
    /// once, a man's move for all sets before the next.
    fn answer_row(&self, soldiers: usize, men: u32, row: &Row, answered: &mut [Bitboard]) {
        answered.fill(Bitboard::EMPTY);
        let all = &self.soldiers[soldiers];
        let words = all.sets.len();
        let held = &self.layers[soldiers][men as usize].held;
        for step in &row.steps {
            let Place { row: to, turn } = step.place;
            let held = &held[to as usize * words..(to as usize + 1) * words];
            let (turned, back) = (&all.turned[usize::from(turn)], inverse(turn));
            let [with_king, without] = step.takes;
            let (blocked, taken) = (step.way | row.set, with_king | without);
            for (number, answered) in answered.iter_mut().enumerate() {
                let soldiers = all.sets[number];
                let free = self.ground.king - row.set - soldiers;
                if soldiers.meets(blocked) || free.is_subset(*answered) {
                    continue;
                }
                let kings = if soldiers.meets(taken) {
                    self.after(men, step, soldiers)
                } else {
                    let kings = image(back, load(&held[turned[number] as usize]));
                    (kings | step.mates) - step.way
                };
                *answered |= kings & free;
            }
        }
    }

    /// Keeps of a row what defenders cannot leave; how many positions it has lost.
    fn keep_answered(&self, soldiers: usize, men: u32, row: usize, answered: &[Bitboard]) -> u64 {
        let all = &self.soldiers[soldiers];
        let words = all.sets.len();
        let held = &self.layers[soldiers][men as usize].held;
        let set = self.men.rows(men)[row].set;
        let beside = self.beside(set);
        let mut lost = 0;
        for (number, word) in held[row * words..(row + 1) * words].iter().enumerate() {
            let kings = load(word);
            if kings.is_empty() {
                continue;
            }
            let soldiers = all.sets[number];
            let mut kept = kings - self.kings_leave(set, soldiers, answered[number], &beside);
            for from in soldiers {
                if kept.is_empty() {
                    break;
                }
                let rest = soldiers - Bitboard::of(from);
                for to in self.rules.soldier_reach(from, set | soldiers) {
                    let after = rest | Bitboard::of(to);
                    let way = between(from, to) | Bitboard::of(to);
                    let held = if beside.near.contains(to) {
                        self.kings_after(set, after, to, &beside, answered, kept)
                    } else {
                        answered[self.ground.number(after)]
                    };
                    kept &= held | way;
                }
            }
            if kept != kings {
                lost += u64::from((kings - kept).len());
                word.store(kept.0, Ordering::Relaxed);
            }
        }
        lost
    }

    /// From which squares the king himself can go where it is not held.
    fn kings_leave(
        &self,
        set: Bitboard,
        soldiers: Bitboard,
        answered: Bitboard,
        beside: &Beside,
    ) -> Bitboard {
        let occupied = set | soldiers;
        let mut lost = (Bitboard::FULL - answered) - occupied;
        for to in (beside.near & self.ground.king) - occupied {
            if !beside.always.contains(to) && !beside.behind[to.index()].meets(soldiers) {
                continue;
            }
            let here = Bitboard::of(to);
            let taken = self.taken(set, soldiers, here, to);
            if taken.is_empty() {
                continue;
            }
            lost = if self.held_after(set - taken, soldiers).meets(here) {
                lost - here
            } else {
                lost | here
            };
        }
        self.rules.king_sources(lost, occupied)
    }

    /// On which of these squares of the king it is held that a soldier has come to a
    /// square beside a man.
    fn kings_after(
        &self,
        set: Bitboard,
        soldiers: Bitboard,
        to: Square,
        beside: &Beside,
        answered: &[Bitboard],
        kings: Bitboard,
    ) -> Bitboard {
        let behind = beside.behind[to.index()];
        let held_after = |taken: Bitboard| match taken.is_empty() {
            true => answered[self.ground.number(soldiers)],
            false => self.held_after(set - taken, soldiers),
        };
        let taken = match beside.always.contains(to) || behind.meets(soldiers) {
            true => self.taken(set, soldiers, Bitboard::EMPTY, to),
            false => Bitboard::EMPTY,
        };
        let mut held = held_after(taken) - behind;
        for king in behind & kings {
            let king = Bitboard::of(king);
            held |= held_after(self.taken(set, soldiers, king, to)) & king;
        }
        held
    }

    /// Where the king may be so that attackers, to move, hold with fewer men; nowhere
    /// if these are no wall.
    fn held_after(&self, set: Bitboard, soldiers: Bitboard) -> Bitboard {
        let Some(place) = self.men.find(set) else {
            return Bitboard::EMPTY;
        };
        let layer = &self.layers[soldiers.len() as usize][set.len() as usize];
        let kings = layer.answered[self.word(place, soldiers)];
        image(inverse(place.turn), kings)
    }

    /// Whom a defender takes who has come to a square.
    fn taken(&self, set: Bitboard, soldiers: Bitboard, king: Bitboard, to: Square) -> Bitboard {
        let after = Position {
            attackers: set,
            defenders: soldiers,
            king,
            side: Side::Attackers,
        };
        self.rules.taken_on_arrival(&after, to)
    }

    fn beside(&self, set: Bitboard) -> Beside {
        let mut beside = Beside {
            near: set.neighbours() - set,
            behind: [Bitboard::EMPTY; SQUARES],
            always: Bitboard::EMPTY,
        };
        for to in beside.near {
            for line in &CAPTURE_LINES[to.index()] {
                if line.neighbour.meets(set) {
                    let behind = &mut beside.behind[to.index()];
                    *behind |= line.beyond & (self.ground.king - set);
                }
            }
            let alone = Bitboard::of(to);
            if !self.taken(set, alone, Bitboard::EMPTY, to).is_empty() {
                beside.always |= alone;
            }
        }
        beside
    }
}
