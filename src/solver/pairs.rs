//! Where two pieces stand, up to the board's symmetries: what an estimate
//! weighs of all pairs of pieces on the board. Imports `game`.

use std::collections::BTreeMap;
use std::sync::LazyLock;

use crate::game::{Position, SQUARES, Square, Symmetry};

/// The kinds of pairs in order: name and how many ways there are to stand,
/// images counted as one: the board's eight symmetries leave 315 of the 2,352
/// for two pieces that differ, 171 of the 1,176 for two alike.
pub const PAIR_GROUPS: [(&str, usize); 5] = [
    ("attacker_attacker", 171),
    ("attacker_defender", 315),
    ("attacker_king", 315),
    ("defender_defender", 171),
    ("defender_king", 315),
];

/// How many ways to stand there are.
pub const PAIRS: usize = 1287;

/// A piece's kind and square as one number: attackers, defenders, the king.
const PIECES: usize = 3 * SQUARES;
/// Room for the pieces of any position.
const MOST: usize = SQUARES;

/// The number of the way that two pieces stand; 0 for what cannot be.
type Numbers = Vec<[u16; PIECES]>;

static NUMBERS: LazyLock<Numbers> = LazyLock::new(numbers);

/// Numbers the ways to stand, each where its first two pieces are met.
fn numbers() -> Numbers {
    let mut numbers: Numbers = vec![[0; PIECES]; PIECES];
    let mut next = 0;
    for (one, other) in [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)] {
        let mut met = BTreeMap::new();
        for (first, second) in every_two_squares() {
            let images = Symmetry::all().map(|symmetry| {
                let image = [symmetry.square(first), symmetry.square(second)];
                let [a, b] = image.map(Square::index);
                if one == other && a > b {
                    (b, a)
                } else {
                    (a, b)
                }
            });
            let number = *met.entry(images.min()).or_insert_with(|| {
                next += 1;
                next - 1
            });
            let place = [
                one * SQUARES + first.index(),
                other * SQUARES + second.index(),
            ];
            numbers[place[0]][place[1]] = number;
            numbers[place[1]][place[0]] = number;
        }
    }
    numbers
}

fn every_two_squares() -> impl Iterator<Item = (Square, Square)> {
    let others = |first| Square::all().filter(move |&second| second != first);
    Square::all().flat_map(move |first| others(first).map(move |second| (first, second)))
}

/// The pieces of a position, and how many there are.
#[inline]
fn pieces(position: &Position) -> ([u8; MOST], usize) {
    let mut pieces = [0; MOST];
    let mut count = 0;
    let sets = [position.attackers, position.defenders, position.king];
    for (kind, set) in (0..).zip(sets) {
        for square in set {
            pieces[count] = kind * SQUARES as u8 + square.index() as u8;
            count += 1;
        }
    }
    (pieces, count)
}

/// The number, below [`PAIRS`], of how each two pieces of the position stand.
pub fn pairs(position: &Position) -> impl Iterator<Item = usize> {
    let numbers = &*NUMBERS;
    let (pieces, count) = pieces(position);
    (0..count).flat_map(move |later| {
        let row = &numbers[usize::from(pieces[later])];
        (0..later).map(move |earlier| usize::from(row[usize::from(pieces[earlier])]))
    })
}

/// What every two pieces are worth in two estimates.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct PairTable(Vec<[[i16; 2]; PIECES]>);

impl PairTable {
    /// From the weights of both estimates by number.
    pub(super) fn new(weights: [&[i16; PAIRS]; 2]) -> PairTable {
        let worth = |&number: &u16| weights.map(|weights| weights[usize::from(number)]);
        let mut table: Vec<[[i16; 2]; PIECES]> = Vec::with_capacity(PIECES);
        for row in NUMBERS.iter() {
            table.push(std::array::from_fn(|piece| worth(&row[piece])));
        }
        PairTable(table)
    }

    /// The sums over all pairs of pieces.
    #[inline]
    pub(super) fn sums(&self, position: &Position) -> [i32; 2] {
        let (pieces, count) = pieces(position);
        let mut sums = [0; 2];
        for later in 1..count {
            let row = &self.0[usize::from(pieces[later])];
            for &earlier in &pieces[..later] {
                let worth = row[usize::from(earlier)];
                sums[0] += i32::from(worth[0]);
                sums[1] += i32::from(worth[1]);
            }
        }
        sums
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Rules, Ruleset, sample};

    #[test]
    fn ways_to_stand_are_numbered_group_after_group() {
        let kinds = [(0, 0), (0, 1), (0, 2), (1, 1), (1, 2)];
        let mut start = 0;
        for ((one, other), (name, len)) in kinds.into_iter().zip(PAIR_GROUPS) {
            let mut found: Vec<u16> = every_two_squares()
                .map(|(a, b)| NUMBERS[one * SQUARES + a.index()][other * SQUARES + b.index()])
                .collect();
            found.sort_unstable();
            found.dedup();
            let expected: Vec<u16> = (start..start + len as u16).collect();
            assert_eq!(found, expected, "{name}");
            start += len as u16;
        }
        assert_eq!(usize::from(start), PAIRS);
    }

    #[test]
    fn images_stand_alike_and_the_table_adds_up_what_is_listed() {
        let rules = Rules::new(Ruleset::default());
        let mut stream = crate::agents::stream([3; 32]);
        let weights = [3, 5].map(|factor| -> [i16; PAIRS] {
            std::array::from_fn(|number| (number * factor % 701) as i16 - 350)
        });
        let table = PairTable::new([&weights[0], &weights[1]]);
        let mut game = Game::new(&rules);
        while game.outcome().is_none() && game.plies() < 80 {
            let here = *game.position();
            let listed = |position: &Position| {
                let mut listed: Vec<usize> = pairs(position).collect();
                listed.sort_unstable();
                listed
            };
            let men = here.occupied().len() as usize;
            assert_eq!(listed(&here).len(), men * (men - 1) / 2);
            for symmetry in Symmetry::all() {
                let image = Position {
                    attackers: symmetry.set(here.attackers),
                    defenders: symmetry.set(here.defenders),
                    king: symmetry.set(here.king),
                    side: here.side,
                };
                assert_eq!(listed(&image), listed(&here));
            }
            let sums: [i32; 2] = [0, 1].map(|which| {
                let worth = |number: &usize| i32::from(weights[which][*number]);
                listed(&here).iter().map(worth).sum()
            });
            assert_eq!(table.sums(&here), sums);
            let Some(ply) = sample::random_move(&rules, &here, &mut stream) else {
                break;
            };
            game.play_legal(ply);
        }
    }
}
