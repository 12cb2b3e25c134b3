/*!
Walls: all positions in which attackers have so many men on given squares, and
which of them they hold, worked out together. Imports rules, the ground and the
images of endgame tables.

A [`Wall`] takes every position as held in which it could be, then takes away those
from which a move leads out of the wall, or to one in which no move of the attackers
leads back to what is still held, until nothing more goes. What is left, attackers
hold, by moves that stay in the wall. A capture leads to positions with fewer soldiers
or men, which are worked out before.

For each set of attackers' squares, up to symmetry, there is a row, in it for each set
of soldiers a word, in it a bit for each square of the king, defenders to move: a move
is looked at for all of these squares at once. What the other turn comes to is found
for one row at a time, and kept for as long as that row is looked at. Only the king's
captures and those beside him are asked of the rules one by one.

[`Approach`] looks for the way to what is held, by a search for wins that counts it as
won, and writes down both.

```
use brandub::game::{Bitboard, Position, Rules, Side, preset};
use brandub::solver::hold::check;
use brandub::solver::hold::wall::{Approach, Plan, Wall};

// The attackers' men beside the corners shut a king with one soldier out of all four.
let rules = Rules::new(preset::find("branan")?.ruleset());
let root = Position::from_otn("/1t3t1/t5t/3T3/3K3/7/t5t/1t3t1/", Side::Attackers)?;
let plan = Plan {
    keep: root.attackers,
    least: 7,
    beside: Bitboard::FULL,
};
let mut wall = Wall::new(&rules, plan, &root, 1 << 20)?;
assert!(wall.work_out(&mut |_| true));
assert_eq!(wall.holds(&root), Some(true));
let mut approach = Approach::new(&wall, 1 << 20)?;
let fortress = approach.fortress(&root, false, 0, 1 << 24, &mut |_| true)?;
let fortress = fortress.expect("held");
assert!(check(&fortress, fortress.claim).is_ok());
# Ok::<(), Box<dyn std::error::Error>>(())
```
*/

mod approach;
mod gather;
mod men;
mod passes;

use std::sync::atomic::{AtomicU64, Ordering};

use serde::Serialize;

use super::check::{HoldError, may_hold};
use crate::game::{Bitboard, Position, Rules, Side};
use crate::solver::exact::{Probe, Value};
use crate::solver::tables::ground::{Ground, choose};
use crate::solver::tables::image::{Turn, image, inverse};
pub use approach::Approach;
pub use gather::Gathered;
use men::{Men, PLACE, Place, Row, Step};

/// A wall is worked out against so many soldiers at most.
const MOST_SOLDIERS: u32 = 4;
/// Bytes for all squares of the king.
const WORD: u64 = size_of::<Bitboard>() as u64;

/// Which positions a wall has: those with `least` men on the squares `keep` and the
/// others on these or the squares `beside`; besides, the men of the position that is
/// asked about, and what comes of them by moves that each bring one man more to `keep`.
/// Images of a position belong to it, too.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Plan {
    /// Where men are kept.
    pub keep: Bitboard,
    /// So many stand there.
    pub least: u32,
    /// Where others may be: all squares for wherever a man may stand.
    pub beside: Bitboard,
}

impl Plan {
    /// How many of these men are where they are kept, in the image in which most are.
    fn kept(&self, men: Bitboard) -> u32 {
        let images = (0..8).map(|turn| (image(turn, men) & self.keep).len());
        images.max().unwrap_or(0)
    }
}

/// Positions with as many soldiers and men.
#[derive(Default)]
struct Layer {
    /// The king's squares with which it is held, defenders to move.
    held: Vec<AtomicU64>,
    /// The same with the attackers to move, where a capture may lead to it.
    answered: Vec<Bitboard>,
}

/// How far it has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Soldiers of the positions that are worked out.
    pub soldiers: u32,
    /// Men of theirs.
    pub men: u32,
    /// How often all rows that may change have been looked at.
    pub passes: u32,
    /// Positions taken away so far, of these soldiers and men.
    pub taken: u64,
}

/// What attackers hold with so many soldiers and men left.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Serialize)]
pub struct Held {
    /// Soldiers beside the king.
    pub soldiers: u32,
    /// Attackers.
    pub men: u32,
    /// Of them, where they are kept.
    pub kept: u32,
    /// Positions with the defenders to move: one of those that are images by where the
    /// men stand.
    pub positions: u64,
    /// Of these, held.
    pub held: u64,
}

/// All positions of attackers behind a wall, with up to so many men on each side.
pub struct Wall<'r> {
    rules: &'r Rules,
    plan: Plan,
    ground: Ground,
    /// By how many there are.
    soldiers: Vec<Soldiers>,
    men: Men,
    /// Men at most.
    most: u32,
    /// By soldiers, then by men.
    layers: Vec<Vec<Layer>>,
}

/// All sets of so many soldiers.
struct Soldiers {
    sets: Vec<Bitboard>,
    /// The numbers of their images.
    turned: [Vec<u32>; 8],
}

impl Soldiers {
    fn new(ground: &Ground, size: u32) -> Soldiers {
        let sets = ground.sets(size);
        let turned = std::array::from_fn(|turn| {
            let images = sets.iter().map(|&set| image(turn as Turn, set));
            images.map(|set| ground.number(set) as u32).collect()
        });
        Soldiers { sets, turned }
    }
}

impl<'r> Wall<'r> {
    /// A plan for a position, with so many bytes of memory. Nothing is worked out yet.
    ///
    /// # Errors
    /// Rules by which repeating may lose; squares where no man may stand; more men to be
    /// kept than there are men, or squares; more than four soldiers; too little memory.
    pub fn new(
        rules: &'r Rules,
        plan: Plan,
        root: &Position,
        memory: u64,
    ) -> Result<Wall<'r>, HoldError> {
        may_hold(rules, Side::Attackers)?;
        let ground = Ground::of(rules);
        for squares in [plan.keep, plan.beside] {
            let shut = squares - ground.soldiers;
            if let Some(square) = shut.into_iter().next()
                && squares != Bitboard::FULL
            {
                return Err(HoldError::Wall(format!("no man may stand on {square}")));
            }
        }
        let (squares, most) = (plan.keep & ground.soldiers, root.attackers.len());
        let soldiers = root.defenders.len();
        if plan.least > squares.len().min(most) || soldiers > MOST_SOLDIERS {
            return Err(HoldError::Wall(format!(
                "{} of {most} men on {} squares against {soldiers} soldiers: expected no more than there are men and squares, and {MOST_SOLDIERS} soldiers at most",
                plan.least,
                squares.len(),
            )));
        }
        let takes = |takes| match takes <= memory {
            true => Ok(()),
            false => Err(HoldError::Memory { takes, memory }),
        };
        let sizes = 0..=soldiers;
        let squares = ground.soldiers.len();
        let words: u64 = sizes.clone().map(|size| choose(squares, size)).sum();
        let sets = Men::count(&ground, &plan, most);
        // A row for each set up to eight images.
        takes(sets * PLACE + sets.div_ceil(8).saturating_mul(words * WORD))?;
        let wall = Wall {
            soldiers: sizes.map(|size| Soldiers::new(&ground, size)).collect(),
            men: Men::new(rules, &ground, &plan, root.attackers),
            most,
            layers: Vec::new(),
            rules,
            plan,
            ground,
        };
        takes(wall.memory())?;
        Ok(wall)
    }

    /// Bytes that it takes when all is worked out.
    #[must_use]
    pub fn memory(&self) -> u64 {
        let fewer: usize = (0..self.most).map(|men| self.men.rows(men).len()).sum();
        let words: usize = self.soldiers.iter().map(|all| all.sets.len()).sum();
        let rows = 2 * fewer + self.men.rows(self.most).len();
        self.men.memory() + (rows * words) as u64 * WORD
    }

    /// What is held, by soldiers, men, and how many of these are kept.
    #[must_use]
    pub fn held(&self) -> Vec<Held> {
        let mut all: Vec<Held> = Vec::new();
        for (soldiers, layers) in self.layers.iter().enumerate() {
            let sets = &self.soldiers[soldiers].sets;
            for (men, layer) in layers.iter().enumerate() {
                let rows = self.men.rows(men as u32).iter();
                for (row, words) in rows.zip(layer.held.chunks(sets.len())) {
                    let words = sets.iter().zip(words);
                    let words = words.filter(|&(&set, _)| !set.meets(row.set));
                    let kings = self.ground.king.len() - men as u32 - soldiers as u32;
                    let held = words.clone().map(|(_, word)| load(word).len());
                    all.push(Held {
                        soldiers: soldiers as u32,
                        men: men as u32,
                        kept: self.plan.kept(row.set),
                        positions: words.count() as u64 * u64::from(kings),
                        held: held.map(u64::from).sum(),
                    });
                }
            }
        }
        all.sort_by_key(|held| (held.soldiers, held.men, held.kept));
        all.dedup_by(|next, held| {
            let same = (next.soldiers, next.men, next.kept) == (held.soldiers, held.men, held.kept);
            if same {
                held.positions += next.positions;
                held.held += next.held;
            }
            same
        });
        all
    }

    /// Works out all of it, on rayon's threads; the same comes out with any number of
    /// them. `observe` is told how far it has come and says whether to go on.
    /// Whether it came to the end.
    pub fn work_out(&mut self, observe: &mut dyn FnMut(&Progress) -> bool) -> bool {
        self.layers.clear();
        for soldiers in 0..self.soldiers.len() {
            self.layers.push(Vec::new());
            for men in 0..=self.most {
                if !self.work_out_layer(soldiers, men, observe) {
                    self.layers.clear();
                    return false;
                }
            }
        }
        true
    }

    /// Whether attackers hold a position, by moves that stay in the wall; `None` if it
    /// is none of the wall.
    #[inline]
    #[must_use]
    pub fn holds(&self, position: &Position) -> Option<bool> {
        let Position {
            attackers,
            defenders,
            king,
            side,
        } = *position;
        let place = self.men.find(attackers)?;
        if defenders.len() as usize >= self.layers.len() {
            return None;
        }
        let men = attackers.len();
        let kings = match side {
            Side::Defenders => self.held_in(men, place, defenders),
            Side::Attackers => {
                let row = &self.men.rows(men)[place.row as usize];
                let kings = self.kings_answered(men, row, image(place.turn, defenders));
                image(inverse(place.turn), kings)
            }
        };
        Some(kings.meets(king))
    }

    /// On which squares of the king these soldiers are held, defenders to move.
    #[inline]
    fn held_in(&self, men: u32, place: Place, soldiers: Bitboard) -> Bitboard {
        let held = &self.layers[soldiers.len() as usize][men as usize].held;
        let word = self.word(place, soldiers);
        image(inverse(place.turn), load(&held[word]))
    }

    /// Where these soldiers' word is.
    #[inline]
    fn word(&self, place: Place, soldiers: Bitboard) -> usize {
        let all = &self.soldiers[soldiers.len() as usize];
        let turned = &all.turned[usize::from(place.turn)];
        let number = turned[self.ground.number(soldiers)] as usize;
        place.row as usize * all.sets.len() + number
    }

    /// On which squares of the king attackers, to move, can come to what is held.
    fn kings_answered(&self, men: u32, row: &Row, soldiers: Bitboard) -> Bitboard {
        let steps = row.steps.iter();
        let steps = steps.filter(|step| !soldiers.meets(step.way));
        let kings = steps.map(|step| self.after(men, step, soldiers));
        kings.fold(Bitboard::EMPTY, Bitboard::with) - row.set - soldiers
    }

    /// On which squares of the king a man's move leads to what is held, or captures
    /// him.
    #[inline]
    fn after(&self, men: u32, step: &Step, soldiers: Bitboard) -> Bitboard {
        let [with_king, without] = step.takes;
        let left = |taken| self.held_in(men, step.place, soldiers - taken);
        let kings = if soldiers.meets(with_king | without) {
            (left(without) - Bitboard::THRONE) | (left(with_king) & Bitboard::THRONE)
        } else {
            left(Bitboard::EMPTY)
        };
        (kings | step.mates) - step.way
    }
}

#[inline]
fn load(word: &AtomicU64) -> Bitboard {
    Bitboard(word.load(Ordering::Relaxed))
}

/// What is held counts as won by the attackers at once, so that a search for their wins
/// finds the way to the wall, and one for the defenders' looks no further.
impl Probe for Wall<'_> {
    fn probe(&self, position: &Position) -> Option<Value> {
        match (self.holds(position)?, position.side) {
            (false, _) => None,
            (true, Side::Attackers) => Some(Value::Win { plies: 1 }),
            (true, Side::Defenders) => Some(Value::Loss { plies: 2 }),
        }
    }
}
