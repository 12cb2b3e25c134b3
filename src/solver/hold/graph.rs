//! Positions of both turns, the moves between them, and which of them are lost.
//! Imports the numbering of positions.

use hashbrown::HashTable;

use super::bits::Bits;
use crate::solver::ranking::spread;

/// What a position takes here at most, its moves apart, in bytes: its number, how many
/// moves it has, its place in an index that may just have grown, a few bits.
const POSITION: u64 = 28;
/// What a move takes.
const MOVE: u64 = 4;
/// Of every so many positions it is known where the moves begin.
const STRIDE: usize = 64;

/// What the positions after a position are like.
pub(super) enum After {
    /// The holder can end the game without losing, or the other side can do
    /// nothing that matters.
    Safe,
    /// The other side wins at once, or the holder has no move that is allowed.
    Lost,
    /// Numbers of positions with the other one to move.
    Open(Vec<u64>),
}

/// A position by its place in the graph.
type Place = u32;

/// Who is to move: the holder, or not.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Turn {
    Holder,
    Other,
}

impl Turn {
    fn next(self) -> Turn {
        match self {
            Turn::Holder => Turn::Other,
            Turn::Other => Turn::Holder,
        }
    }
}

/// A graph of positions, found one after the other from a root, which comes first.
#[derive(Default)]
pub(super) struct Graph {
    /// Places by the hash of their numbers, a table for each turn.
    index: [HashTable<Place>; 2],
    numbers: Vec<u64>,
    /// Whether the other side is to move.
    others: Bits,
    /// Of each position that was looked at: how many moves it has.
    degrees: Vec<u16>,
    /// Where the moves of every [`STRIDE`]th begin.
    first: Vec<usize>,
    moves: Vec<Place>,
    lost: Bits,
    safe: Bits,
}

impl Graph {
    pub(super) fn new(root: u64, turn: Turn) -> Graph {
        let mut graph = Graph::default();
        graph.place(root, turn);
        graph
    }

    /// How many positions were found, how many of them looked at, and how many
    /// moves.
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        (self.numbers.len(), self.degrees.len(), self.moves.len())
    }

    /// Bytes that it takes with all it has found.
    pub(super) fn bytes(&self) -> u64 {
        self.numbers.len() as u64 * POSITION + self.moves.len() as u64 * MOVE
    }

    fn turn(&self, place: usize) -> Turn {
        if self.others.get(place) {
            Turn::Other
        } else {
            Turn::Holder
        }
    }

    /// Up to so many positions that were not looked at yet, in their order.
    pub(super) fn unseen(&self, most: usize) -> Vec<(u64, Turn)> {
        let begin = self.degrees.len();
        let end = self.numbers.len().min(begin + most);
        (begin..end)
            .map(|place| (self.numbers[place], self.turn(place)))
            .collect()
    }

    fn place(&mut self, number: u64, turn: Turn) -> Place {
        let index = &mut self.index[turn as usize];
        let numbers = &self.numbers;
        let same = |&place: &Place| numbers[place as usize] == number;
        if let Some(&place) = index.find(spread(number), same) {
            return place;
        }
        let place = numbers.len() as Place;
        let hash = |&place: &Place| spread(numbers[place as usize]);
        index.insert_unique(spread(number), place, hash);
        self.numbers.push(number);
        self.others.push(turn == Turn::Other);
        place
    }

    /// Adds what comes after the first position that was not looked at.
    pub(super) fn look(&mut self, after: After) {
        let place = self.degrees.len();
        let turn = self.turn(place);
        let (safe, lost, numbers) = match after {
            After::Safe => (true, false, Vec::new()),
            After::Lost => (false, true, Vec::new()),
            After::Open(numbers) => (false, false, numbers),
        };
        if place.is_multiple_of(STRIDE) {
            self.first.push(self.moves.len());
        }
        self.degrees.push(numbers.len() as u16);
        for number in numbers {
            let next = self.place(number, turn.next());
            self.moves.push(next);
        }
        self.safe.push(safe);
        self.lost.push(lost);
    }

    fn after(&self, place: usize) -> &[Place] {
        let block = place / STRIDE;
        let before = &self.degrees[block * STRIDE..place];
        let begin = self.first[block] + before.iter().map(|&n| usize::from(n)).sum::<usize>();
        &self.moves[begin..begin + usize::from(self.degrees[place])]
    }

    /// Marks what is lost: with the other side to move, where a move leads to what
    /// is lost; with the holder to move, where all do. Everything must have been
    /// looked at. Goes through all of it, the last found first, until nothing new is
    /// lost: most moves lead to what was found later.
    pub(super) fn spread_losses(&mut self, go_on: &mut dyn FnMut() -> bool) -> bool {
        let mut new = true;
        while new {
            new = false;
            let mut end = self.moves.len();
            for place in (0..self.degrees.len()).rev() {
                let begin = end - usize::from(self.degrees[place]);
                let mut after = self.moves[begin..end].iter();
                end = begin;
                if self.lost.get(place) || self.safe.get(place) {
                    continue;
                }
                let mut is_lost = |&next: &Place| self.lost.get(next as usize);
                let lost = match self.turn(place) {
                    Turn::Other => after.any(&mut is_lost),
                    Turn::Holder => after.all(&mut is_lost),
                };
                if lost {
                    self.lost.set(place);
                    new = true;
                }
            }
            if !go_on() {
                return false;
            }
        }
        true
    }

    /// Whether the root is lost.
    pub(super) fn root_is_lost(&self) -> bool {
        self.lost.get(0)
    }

    /// Numbers, ascending, of all positions with the other side to move that are not
    /// lost.
    pub(super) fn held(&self) -> Vec<u64> {
        self.numbers_of(|place| !self.lost.get(place) && self.others.get(place))
    }

    fn numbers_of(&self, is_in: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..self.numbers.len())
            .filter(|&place| is_in(place))
            .map(|place| self.numbers[place])
            .collect();
        numbers.sort_unstable();
        numbers
    }

    /// Numbers, ascending, of positions with the other side to move that are not
    /// lost and that he cannot leave, the root or one after it among them. Of the
    /// moves that come back, one to a position that is there already is taken, or
    /// else to the one that was found first.
    pub(super) fn fortress(&self) -> Vec<u64> {
        let mut within = self.lost.cleared();
        let mut new = Vec::new();
        let mut enter = |place: Place, new: &mut Vec<Place>| {
            let at = place as usize;
            let back = match self.turn(at) {
                Turn::Other => Some(place),
                Turn::Holder => {
                    let held = |&&next: &&Place| !self.lost.get(next as usize);
                    let back = self.after(at).iter().filter(held);
                    let first = back.clone().min().copied();
                    first.filter(|_| !back.clone().any(|&next| within.get(next as usize)))
                }
            };
            if let Some(back) = back.filter(|&back| !within.get(back as usize)) {
                within.set(back as usize);
                new.push(back);
            }
        };
        enter(0, &mut new);
        while let Some(place) = new.pop() {
            for &reply in self.after(place as usize) {
                enter(reply, &mut new);
            }
        }
        self.numbers_of(|place| within.get(place))
    }
}
