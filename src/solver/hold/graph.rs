//! Positions of both turns, the moves between them, and which of them are lost.
//! Imports the numbering of positions.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use crate::solver::ranking::Spread;

/// What a position takes here at most, its moves apart, in bytes.
const POSITION: u64 = 96;
/// What a move takes: one number each way.
const MOVE: u64 = 8;

type Places = HashMap<u64, u32, BuildHasherDefault<Spread>>;

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
pub(super) type Place = u32;

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

/// A graph of positions, found one after the other from a root.
pub(super) struct Graph {
    places: [Places; 2],
    positions: Vec<(u64, Turn)>,
    /// Where the moves of each position that was looked at begin, and the last end.
    first: Vec<usize>,
    moves: Vec<Place>,
    safe: Vec<bool>,
    lost: Vec<bool>,
}

impl Graph {
    pub(super) fn new(root: u64, turn: Turn) -> Graph {
        let mut graph = Graph {
            places: [Places::default(), Places::default()],
            positions: Vec::new(),
            first: vec![0],
            moves: Vec::new(),
            safe: Vec::new(),
            lost: Vec::new(),
        };
        graph.place(root, turn);
        graph
    }

    /// How many positions were found, how many of them looked at, and how many
    /// moves.
    pub(super) fn counts(&self) -> (usize, usize, usize) {
        (self.positions.len(), self.safe.len(), self.moves.len())
    }

    /// Bytes that it takes with all it has found.
    pub(super) fn bytes(&self) -> u64 {
        self.positions.len() as u64 * POSITION + self.moves.len() as u64 * MOVE
    }

    /// Up to so many positions that were not looked at yet, in their order.
    pub(super) fn unseen(&self, most: usize) -> &[(u64, Turn)] {
        let begin = self.safe.len();
        &self.positions[begin..self.positions.len().min(begin + most)]
    }

    fn place(&mut self, number: u64, turn: Turn) -> Place {
        let next = self.positions.len() as Place;
        let place = *self.places[turn as usize].entry(number).or_insert(next);
        if place == next {
            self.positions.push((number, turn));
        }
        place
    }

    /// Adds what comes after the first position that was not looked at.
    pub(super) fn look(&mut self, after: After) {
        let turn = self.positions[self.safe.len()].1;
        let (safe, lost, numbers) = match after {
            After::Safe => (true, false, Vec::new()),
            After::Lost => (false, true, Vec::new()),
            After::Open(numbers) => (false, false, numbers),
        };
        for number in numbers {
            let place = self.place(number, turn.next());
            self.moves.push(place);
        }
        self.first.push(self.moves.len());
        self.safe.push(safe);
        self.lost.push(lost);
    }

    fn after(&self, place: Place) -> &[Place] {
        let place = place as usize;
        &self.moves[self.first[place]..self.first[place + 1]]
    }

    /// Who leads to each position: where those of each begin, and all of them.
    fn before(&self) -> (Vec<usize>, Vec<Place>) {
        let mut first = vec![0; self.positions.len() + 2];
        for &place in &self.moves {
            first[place as usize + 2] += 1;
        }
        for place in 2..first.len() {
            first[place] += first[place - 1];
        }
        let mut before = vec![0; self.moves.len()];
        for place in 0..self.positions.len() as Place {
            for &next in self.after(place) {
                let free = &mut first[next as usize + 1];
                before[*free] = place;
                *free += 1;
            }
        }
        (first, before)
    }

    /// Marks what is lost: with the other side to move, where a move leads to what
    /// is lost; with the holder to move, where all do. Everything must have been
    /// looked at.
    pub(super) fn spread_losses(&mut self) {
        let (first, before) = self.before();
        let mut left: Vec<u32> = self
            .first
            .windows(2)
            .map(|range| (range[1] - range[0]) as u32)
            .collect();
        let mut new: Vec<Place> = (0..self.positions.len() as Place)
            .filter(|&place| self.lost[place as usize])
            .collect();
        while let Some(place) = new.pop() {
            let place = place as usize;
            for &earlier in &before[first[place]..first[place + 1]] {
                let at = earlier as usize;
                left[at] -= 1;
                let lost = self.positions[at].1 == Turn::Other || left[at] == 0;
                if lost && !self.lost[at] {
                    self.lost[at] = true;
                    new.push(earlier);
                }
            }
        }
    }

    /// Whether the root is lost.
    pub(super) fn root_is_lost(&self) -> bool {
        self.lost[0]
    }

    /// Numbers, ascending, of all positions with the other side to move that are not
    /// lost.
    pub(super) fn held(&self) -> Vec<u64> {
        self.numbers(|place| !self.lost[place] && self.positions[place].1 == Turn::Other)
    }

    fn numbers(&self, is_in: impl Fn(usize) -> bool) -> Vec<u64> {
        let mut numbers: Vec<u64> = (0..self.positions.len())
            .filter(|&place| is_in(place))
            .map(|place| self.positions[place].0)
            .collect();
        numbers.sort_unstable();
        numbers
    }

    /// Numbers, ascending, of positions with the other side to move that are not
    /// lost and that he cannot leave, the root or one after it among them. Of the
    /// moves that come back, one to a position that is there already is taken, or
    /// else to the one that was found first.
    pub(super) fn fortress(&self) -> Vec<u64> {
        let mut within = vec![false; self.positions.len()];
        let mut new = Vec::new();
        let mut enter = |place: Place, new: &mut Vec<Place>| match self.positions[place as usize].1
        {
            Turn::Other => {
                if !std::mem::replace(&mut within[place as usize], true) {
                    new.push(place);
                }
            }
            Turn::Holder => {
                let held = |&&next: &&Place| !self.lost[next as usize];
                let back = self.after(place).iter().filter(held);
                if !back.clone().any(|&next| within[next as usize])
                    && let Some(&next) = back.min()
                {
                    within[next as usize] = true;
                    new.push(next);
                }
            }
        };
        enter(0, &mut new);
        while let Some(place) = new.pop() {
            for &reply in self.after(place) {
                enter(reply, &mut new);
            }
        }
        self.numbers(|place| within[place])
    }
}
