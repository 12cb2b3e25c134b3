//! The attackers' sets of a wall, and their moves from one to another.
//! Imports rules, the ground and the images of sets.

use std::collections::{HashMap, HashSet};
use std::hash::BuildHasherDefault;

use super::Plan;
use crate::game::{Bitboard, Position, Rules, Side, Square, between};
use crate::solver::ranking::Spread;
use crate::solver::tables::ground::{Ground, choose};
use crate::solver::tables::image::{Turn, image, inverse};

/// Bytes that a set takes at most while all are found.
pub(super) const PLACE: u64 = 48;

/// Where a set is: its row among those of as many men, and the symmetry that takes
/// it to the row's own.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Place {
    pub row: u32,
    pub turn: Turn,
}

/// A set, the least of its images, and what may be done from it.
pub(super) struct Row {
    pub set: Bitboard,
    pub steps: Vec<Step>,
}

/// All sets of men that a wall has.
pub(super) struct Men {
    /// By how many men.
    rows: Vec<Vec<Row>>,
    places: HashMap<u64, Place, BuildHasherDefault<Spread>>,
}

impl Men {
    /// How many sets a plan has with up to so many men, images apart and those on the way
    /// left out.
    pub fn count(ground: &Ground, plan: &Plan, most: u32) -> u64 {
        let keep = (plan.keep & ground.soldiers).len();
        let beside = ((plan.beside & ground.soldiers) - plan.keep).len();
        let of = |men: u32| {
            let kept = plan.least..=keep.min(men);
            kept.map(move |kept| choose(keep, kept) * choose(beside, men - kept))
        };
        (plan.least..=most).flat_map(of).sum()
    }

    /// The sets of a plan, and those that lie on the way to them.
    pub fn new(rules: &Rules, ground: &Ground, plan: &Plan, root: Bitboard) -> Men {
        let mut men = Men {
            rows: Vec::new(),
            places: HashMap::default(),
        };
        for count in 0..=root.len() {
            let mut all = Vec::new();
            if count >= plan.least {
                let others = count - plan.least;
                collect(
                    plan,
                    Bitboard::EMPTY,
                    ground.soldiers,
                    count,
                    others,
                    &mut all,
                );
            }
            if count == root.len() {
                on_the_way(rules, plan, root, &mut all);
            }
            men.add(&all);
        }
        let sets: Vec<Vec<Bitboard>> = men.rows.iter().map(|rows| sets(rows)).collect();
        for (rows, sets) in men.rows.iter_mut().zip(sets) {
            for (row, set) in rows.iter_mut().zip(sets) {
                row.steps = steps(rules, ground, &men.places, set);
            }
        }
        men
    }

    /// Adds the sets of so many men, one row for all images of a set.
    fn add(&mut self, all: &[Bitboard]) {
        let mut rows = Vec::new();
        for &set in all {
            if self.places.contains_key(&set.0) {
                continue;
            }
            let images = (0..8).map(|turn| image(turn, set));
            let least = images.min().unwrap_or(set);
            for turn in 0..8 {
                let place = Place {
                    row: rows.len() as u32,
                    turn: inverse(turn),
                };
                self.places.entry(image(turn, least).0).or_insert(place);
            }
            rows.push(Row {
                set: least,
                steps: Vec::new(),
            });
        }
        self.rows.push(rows);
    }

    /// Bytes that sets and steps take.
    pub fn memory(&self) -> u64 {
        let rows = self.rows.iter().flatten();
        let steps: usize = rows.map(|row| row.steps.len()).sum();
        self.places.len() as u64 * PLACE + (steps * size_of::<Step>()) as u64
    }

    /// The sets of so many men.
    pub fn rows(&self, count: u32) -> &[Row] {
        &self.rows[count as usize]
    }

    /// Where a set is; `None` if it is no set of the wall.
    #[inline]
    pub fn find(&self, set: Bitboard) -> Option<Place> {
        self.places.get(&set.0).copied()
    }
}

fn sets(rows: &[Row]) -> Vec<Bitboard> {
    rows.iter().map(|row| row.set).collect()
}

/// Adds all sets with `size` more men from these squares, at most `others` of them
/// where they are not kept.
fn collect(
    plan: &Plan,
    set: Bitboard,
    from: Bitboard,
    size: u32,
    others: u32,
    all: &mut Vec<Bitboard>,
) {
    if size == 0 {
        all.push(set);
        return;
    }
    let mut lower = Bitboard::EMPTY;
    for square in from {
        let here = Bitboard::of(square);
        if plan.keep.contains(square) {
            collect(plan, set | here, lower, size - 1, others, all);
        } else if plan.beside.contains(square) && others > 0 {
            collect(plan, set | here, lower, size - 1, others - 1, all);
        }
        lower |= here;
    }
}

/// Adds a set and all that come of it by moves that bring one man more to where they
/// are kept.
fn on_the_way(rules: &Rules, plan: &Plan, root: Bitboard, all: &mut Vec<Bitboard>) {
    let mut seen = HashSet::from([root.0]);
    let mut open = vec![root];
    while let Some(set) = open.pop() {
        all.push(set);
        for from in set - plan.keep {
            for to in rules.soldier_reach(from, set) & plan.keep {
                let after = (set - Bitboard::of(from)) | Bitboard::of(to);
                if seen.insert(after.0) {
                    open.push(after);
                }
            }
        }
    }
}

/// A man's move that leaves a set of the wall.
#[derive(Clone, Copy)]
pub(super) struct Step {
    /// Squares that must be empty: those he passes and the one he comes to.
    pub way: Bitboard,
    pub place: Place,
    /// Which soldiers he captures where one stands, with the king on the throne and
    /// elsewhere.
    pub takes: [Bitboard; 2],
    /// Where he captures the king.
    pub mates: Bitboard,
}

/// All moves from a set to another, wherever soldiers and king stand.
fn steps(
    rules: &Rules,
    ground: &Ground,
    places: &HashMap<u64, Place, BuildHasherDefault<Spread>>,
    set: Bitboard,
) -> Vec<Step> {
    let mut steps = Vec::new();
    for from in set {
        for to in rules.soldier_reach(from, set) {
            let after = (set - Bitboard::of(from)) | Bitboard::of(to);
            if let Some(&place) = places.get(&after.0) {
                steps.push(step(rules, ground, [from, to], after, place));
            }
        }
    }
    steps
}

fn step(
    rules: &Rules,
    ground: &Ground,
    [from, to]: [Square; 2],
    after: Bitboard,
    place: Place,
) -> Step {
    let beside = Bitboard::of(to).neighbours() - after;
    let taken = |king, defenders| {
        let position = Position {
            attackers: after,
            defenders,
            king,
            side: Side::Defenders,
        };
        rules.taken_on_arrival(&position, to)
    };
    // Soldiers on all squares beside him at once: none is behind another.
    let soldiers = beside & ground.soldiers;
    let takes = [Bitboard::THRONE, Bitboard::EMPTY].map(|king| taken(king, soldiers - king));
    let kings = (beside & ground.king).into_iter().map(Bitboard::of);
    Step {
        way: between(from, to) | Bitboard::of(to),
        place,
        takes: takes.map(|taken| taken & soldiers),
        mates: kings
            .filter(|&king| taken(king, Bitboard::EMPTY).meets(king))
            .fold(Bitboard::EMPTY, Bitboard::with),
    }
}
