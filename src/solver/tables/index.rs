/*!
Where a position's value stands in its layer.

A layer is all positions with so many soldiers on each side. Its rows are the
sets of attackers' squares up to the board's eight symmetries; within a row
come the defenders' sets, then the king's squares, each counted among the
squares that are still free, so that no number is spent on two men on one
square. A row whose attackers stand symmetrically holds some positions more
than once. Imports rules and bitboards.
*/

use std::fmt;
use std::str::FromStr;
use std::sync::Arc;

use super::ground::{Ground, choose};
use super::image::{Turn, image, inverse};
use crate::game::{Bitboard, Position, Side};

/// The most soldiers of a side in a layer.
pub const MOST_SOLDIERS: u8 = 8;

/// How many soldiers each side has; the king is always there.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Layer {
    /// Defenders beside the king, 0 to 8.
    pub defenders: u8,
    /// Attackers, 0 to 8.
    pub attackers: u8,
}

impl Layer {
    /// The layer a position belongs to, however large.
    #[inline]
    #[must_use]
    pub fn of(position: &Position) -> Layer {
        Layer {
            defenders: position.defenders.len() as u8,
            attackers: position.attackers.len() as u8,
        }
    }

    /// The layers that captures lead to from here, in the order in which they
    /// can be built: one move captures one to three soldiers, all of one side.
    pub fn lower(self) -> impl Iterator<Item = Layer> {
        let fewer = |count: u8| count.saturating_sub(3)..count;
        let defenders = fewer(self.defenders).map(move |defenders| Layer { defenders, ..self });
        let attackers = fewer(self.attackers).map(move |attackers| Layer { attackers, ..self });
        defenders.chain(attackers)
    }
}

impl fmt::Display for Layer {
    /// `d1a4`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&format!("d{}a{}", self.defenders, self.attackers))
    }
}

impl FromStr for Layer {
    type Err = ();

    fn from_str(text: &str) -> Result<Layer, ()> {
        let (defenders, attackers) = text
            .strip_prefix('d')
            .and_then(|counts| counts.split_once('a'))
            .ok_or(())?;
        let layer = Layer {
            defenders: defenders.parse().map_err(|_| ())?,
            attackers: attackers.parse().map_err(|_| ())?,
        };
        let small = layer.defenders <= MOST_SOLDIERS && layer.attackers <= MOST_SOLDIERS;
        (small && layer.to_string() == text)
            .then_some(layer)
            .ok_or(())
    }
}

/// The sets of so many attackers up to symmetry.
#[derive(Debug)]
pub(super) struct Rows {
    /// One set of each row.
    pub sets: Vec<Bitboard>,
    /// For the number of any set: its row, times eight, and the symmetry that
    /// takes it to the row's own set.
    place: Vec<u32>,
}

impl Rows {
    pub fn new(ground: &Ground, attackers: u8) -> Rows {
        const UNSEEN: u32 = u32::MAX;
        let all = ground.sets(u32::from(attackers));
        let mut place = vec![UNSEEN; all.len()];
        let mut sets = Vec::with_capacity(all.len() / 8 + 64);
        for (number, &set) in all.iter().enumerate() {
            if place[number] != UNSEEN {
                continue;
            }
            let row = sets.len() as u32;
            for turn in 0..8 {
                let seen = &mut place[ground.number(image(turn, set))];
                if *seen == UNSEEN {
                    *seen = row << 3 | u32::from(inverse(turn));
                }
            }
            sets.push(set);
        }
        Rows { sets, place }
    }

    /// The row of a set and the symmetry that takes it to the row's own.
    #[inline]
    pub fn find(&self, ground: &Ground, set: Bitboard) -> (usize, Turn) {
        let place = self.place[ground.number(set)];
        ((place >> 3) as usize, (place & 7) as Turn)
    }

    /// Bytes of memory.
    pub fn memory(ground: &Ground, attackers: u8) -> u64 {
        let sets = choose(ground.soldiers.len(), u32::from(attackers));
        // Numbered places and rows, and all sets while they are made.
        sets * 4 + (sets / 8 + 64) * 8 + sets * 8
    }
}

/// The numbering of one layer's positions.
#[derive(Clone, Debug)]
pub(super) struct Index {
    pub layer: Layer,
    pub ground: Arc<Ground>,
    pub rows: Arc<Rows>,
    /// Defenders' sets beside given attackers.
    pub sets: usize,
    /// King's squares beside given soldiers.
    pub kings: usize,
}

impl Index {
    pub fn new(layer: Layer, ground: &Arc<Ground>, rows: &Arc<Rows>) -> Index {
        let attackers = u32::from(layer.attackers);
        let defenders = u32::from(layer.defenders);
        let free = ground.soldiers.len().saturating_sub(attackers);
        Index {
            layer,
            ground: Arc::clone(ground),
            rows: Arc::clone(rows),
            sets: choose(free, defenders) as usize,
            // Soldiers stand where the king might.
            kings: (ground.king.len() - attackers - defenders) as usize,
        }
    }

    /// How many values a row holds for each side to move.
    pub fn row_len(&self) -> usize {
        self.sets * self.kings
    }

    /// How many values the layer holds for each side to move.
    pub fn len(&self) -> usize {
        self.rows.sets.len() * self.row_len()
    }

    /// The number of a position of this layer.
    #[inline]
    pub fn number(&self, position: &Position) -> usize {
        let (row, turn) = self.rows.find(&self.ground, position.attackers);
        self.number_in(row, turn, position.defenders, position.king)
    }

    /// The same where the attackers' row is known.
    #[inline]
    pub fn number_in(&self, row: usize, turn: Turn, defenders: Bitboard, king: Bitboard) -> usize {
        let attackers = self.rows.sets[row];
        let defenders = image(turn, defenders);
        let king = image(turn, king);
        let free = self.ground.soldiers - attackers;
        let set = match defenders.first() {
            None => 0,
            Some(_) if self.layer.defenders == 1 => below(defenders, free),
            Some(_) => defenders
                .into_iter()
                .zip(1..)
                .map(|(square, order)| choose(below(Bitboard::of(square), free), order) as u32)
                .sum(),
        };
        let king = below(king, self.ground.king - attackers - defenders);
        row * self.row_len() + set as usize * self.kings + king as usize
    }

    /// The position of a number.
    pub fn position(&self, number: usize, side: Side) -> Position {
        let attackers = self.rows.sets[number / self.row_len()];
        let rest = number % self.row_len();
        let mut free: Vec<_> = (self.ground.soldiers - attackers).into_iter().collect();
        let mut left = (rest / self.kings) as u64;
        let mut defenders = Bitboard::EMPTY;
        for order in (1..=u32::from(self.layer.defenders)).rev() {
            while choose(free.len() as u32 - 1, order) > left {
                free.pop();
            }
            left -= choose(free.len() as u32 - 1, order);
            defenders |= free.pop().map_or(Bitboard::EMPTY, Bitboard::of);
        }
        let mut kings = (self.ground.king - attackers - defenders).into_iter();
        Position {
            attackers,
            defenders,
            king: Bitboard::of_option(kings.nth(rest % self.kings)),
            side,
        }
    }

    /// The position that stands for this one and all its images.
    #[cfg(test)]
    pub fn representative(&self, position: &Position) -> Position {
        let (row, turn) = self.rows.find(&self.ground, position.attackers);
        Position {
            attackers: self.rows.sets[row],
            defenders: image(turn, position.defenders),
            king: image(turn, position.king),
            side: position.side,
        }
    }
}

/// How many squares of `free` lie below the one square of `of`.
#[inline]
fn below(of: Bitboard, free: Bitboard) -> u32 {
    Bitboard(free.0 & of.0.wrapping_sub(1)).len()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset, Symmetry};

    #[test]
    fn every_number_is_one_position_and_images_share_it() {
        let ground = Arc::new(Ground::of(&Rules::new(Ruleset::default())));
        for (defenders, attackers) in [(0, 0), (0, 2), (1, 1), (1, 2), (2, 1), (3, 0)] {
            let layer = Layer {
                defenders,
                attackers,
            };
            let rows = Arc::new(Rows::new(&ground, attackers));
            let index = Index::new(layer, &ground, &rows);
            for number in 0..index.len() {
                let position = index.position(number, Side::Defenders);
                assert_eq!(Layer::of(&position), layer);
                assert_eq!(
                    position.occupied().len(),
                    u32::from(defenders + attackers) + 1
                );
                assert_eq!(index.number(&position), number);
                assert_eq!(index.representative(&position), position);
                if number % 7 > 0 {
                    continue;
                }
                for symmetry in Symmetry::all() {
                    // Of a position that stands there more than once, another
                    // number may be found; it is an image all the same.
                    let image = position.image(symmetry);
                    let found = index.position(index.number(&image), Side::Defenders);
                    assert_eq!(found, index.representative(&image));
                    let same = Symmetry::all().any(|symmetry| image.image(symmetry) == found);
                    assert!(same, "{position}");
                }
            }
        }
    }

    #[test]
    fn layers_have_names() {
        let layer = Layer {
            defenders: 1,
            attackers: 4,
        };
        assert_eq!("d1a4".parse(), Ok(layer));
        for wrong in ["d1", "a4d1", "d01a4", "d1a9", "d1a4 "] {
            assert!(wrong.parse::<Layer>().is_err(), "{wrong}");
        }
        let lower: Vec<String> = layer.lower().map(|layer| layer.to_string()).collect();
        assert_eq!(lower, ["d0a4", "d1a1", "d1a2", "d1a3"]);
    }
}
