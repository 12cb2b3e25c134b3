//! From a wall, and what is known of the way to it, to a set of positions that
//! defenders cannot leave. Imports the wall, the search's table and the numbering of
//! positions.

use std::collections::HashSet;
use std::hash::BuildHasherDefault;
use std::ops::Range;

use rayon::prelude::*;

use super::{Wall, load};
use crate::game::{Bitboard, Move, MoveList, Position, Side};
use crate::solver::certificate::ranking;
use crate::solver::hold::HoldError;
use crate::solver::node::Node;
use crate::solver::numbers::Numbers;
use crate::solver::ranking::{Ranking, Spread};
use crate::solver::table::Table;

/// So many positions are looked at side by side.
const AT_ONCE: usize = 1 << 13;

type Numbered = HashSet<u64, BuildHasherDefault<Spread>>;

/// How far a set has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Gathered {
    /// Positions with the defenders to move.
    pub positions: u64,
    /// Of them, looked at.
    pub looked_at: u64,
}

impl Wall<'_> {
    /// All positions of either turn that are held, with as many men as in one, and as
    /// many of them kept.
    pub(in crate::solver::hold) fn held_like(&self, one: &Position) -> Vec<Position> {
        let men = one.attackers.len();
        let mut all = Vec::new();
        for (row, number) in self.men.rows(men).iter().zip(0..) {
            if self.plan.kept(row.set) != self.plan.kept(one.attackers) {
                continue;
            }
            for (sets, layers) in self.soldiers.iter().zip(&self.layers) {
                let words = number * sets.sets.len()..;
                let held = &layers[men as usize].held[words];
                for (&defenders, word) in sets.sets.iter().zip(held) {
                    let answered = match row.set.meets(defenders) {
                        true => Bitboard::EMPTY,
                        false => self.kings_answered(men, row, defenders),
                    };
                    let turns = [(Side::Defenders, load(word)), (Side::Attackers, answered)];
                    all.extend(turns.into_iter().flat_map(|(side, kings)| {
                        kings.into_iter().map(move |king| Position {
                            attackers: row.set,
                            defenders,
                            king: Bitboard::of(king),
                            side,
                        })
                    }));
                }
            }
        }
        all.retain(|position| self.rules.ending(position).is_none());
        all
    }
}

/// What attackers, to move, do.
#[derive(Clone, Copy)]
enum Answer {
    /// They end the game.
    End,
    /// They come to the position of this number.
    To(u64),
    /// It is not known.
    Unknown(Position),
}

/// A set of positions that defenders cannot leave, while it is gathered.
pub(in crate::solver::hold) struct Gathering<'w> {
    wall: &'w Wall<'w>,
    /// What a search for the way to the wall has found.
    table: &'w Table,
    ranking: Ranking,
    /// Positions with the defenders to move ...
    numbers: Numbered,
    /// ... in the order in which they were found.
    order: Vec<u64>,
    /// Positions with the attackers to move whose answer is settled.
    settled: Numbered,
    /// Bytes that it may take.
    memory: u64,
}

/// Who finds a move where none is known.
pub(in crate::solver::hold) type Finder<'f> = &'f mut dyn FnMut(&Position) -> Option<Move>;

impl<'w> Gathering<'w> {
    /// Nothing yet, of what can come of this position, in so many bytes.
    pub fn new(
        wall: &'w Wall<'w>,
        table: &'w Table,
        root: &Position,
        memory: u64,
    ) -> Result<Gathering<'w>, HoldError> {
        Ok(Gathering {
            wall,
            table,
            ranking: ranking(root)?,
            numbers: Numbered::default(),
            order: Vec::new(),
            settled: Numbered::default(),
            memory,
        })
    }

    /// Numbers, ascending, of what attackers come to from these positions, which are
    /// held or have a way to what is, and from those on. `None` if the finder knows of
    /// no move, or the observer wants no more; an error where there is too little memory.
    pub fn run(
        mut self,
        roots: &[Position],
        find: Finder<'_>,
        observe: &mut dyn FnMut(&Gathered) -> bool,
    ) -> Result<Option<Vec<u64>>, HoldError> {
        self.fits(roots.len(), roots.len())?;
        for root in roots.iter().filter(|root| root.side == Side::Defenders) {
            self.add(self.number(root));
        }
        for part in roots.chunks(AT_ONCE) {
            let attackers = part.par_iter();
            let attackers = attackers.filter(|root| root.side == Side::Attackers);
            let answers = attackers.map(|root| (self.number(root), self.answer(root)));
            let answers: Vec<_> = answers.collect();
            self.fits(roots.len(), answers.len())?;
            if self.settle(answers, find).is_none() {
                return Ok(None);
            }
        }
        let mut looked_at = 0;
        while looked_at < self.order.len() {
            let end = self.order.len().min(looked_at + AT_ONCE);
            let answers = self.answers(looked_at..end);
            self.fits(roots.len(), answers.len())?;
            if self.settle(answers, find).is_none() {
                return Ok(None);
            }
            looked_at = end;
            let gathered = Gathered {
                positions: self.order.len() as u64,
                looked_at: looked_at as u64,
            };
            if !observe(&gathered) {
                return Ok(None);
            }
        }
        self.order.sort_unstable();
        Ok(Some(self.order))
    }

    /// Whether there is room for so many more of each, beside the roots that it was
    /// given.
    fn fits(&self, roots: usize, more: usize) -> Result<(), HoldError> {
        // What is full moves to a place of twice the size, and has both meanwhile.
        let room = |length: usize, capacity: usize| match length + more {
            needed if needed <= capacity => capacity,
            needed => 3 * needed,
        };
        let sets = [&self.numbers, &self.settled];
        let sets = sets.map(|set| room(set.len(), set.capacity()));
        // A set has a byte and a number in each place, an eighth of which stay empty.
        let sets = sets.iter().sum::<usize>() * 8 / 7 * (size_of::<u64>() + 1);
        let order = room(self.order.len(), self.order.capacity()) * size_of::<u64>();
        let takes = (sets + order + roots * size_of::<Position>()) as u64;
        match takes <= self.memory {
            true => Ok(()),
            false => Err(HoldError::Gathering {
                positions: self.order.len() as u64,
                takes,
                memory: self.memory,
            }),
        }
    }

    fn number(&self, position: &Position) -> u64 {
        // Nothing has more soldiers than the root.
        self.ranking.number(position).unwrap_or(u64::MAX)
    }

    fn add(&mut self, number: u64) {
        if self.numbers.insert(number) {
            self.order.push(number);
        }
    }

    fn settle(&mut self, answers: Vec<(u64, Answer)>, find: Finder<'_>) -> Option<()> {
        let rules = self.wall.rules;
        for (number, answer) in answers {
            if !self.settled.insert(number) {
                continue;
            }
            match answer {
                Answer::End => {}
                Answer::To(next) => self.add(next),
                Answer::Unknown(position) => {
                    let after = rules.play(&position, find(&position)?).position;
                    if rules.ending(&after).is_none() {
                        self.add(self.number(&after));
                    }
                }
            }
        }
        Some(())
    }

    /// What attackers do after all moves from some of the positions.
    fn answers(&self, places: Range<usize>) -> Vec<(u64, Answer)> {
        let rules = self.wall.rules;
        let numbers = self.order[places].par_iter();
        let answers = numbers.flat_map_iter(|&number| {
            let mut list = MoveList::new();
            let position = self.ranking.position(number, Side::Defenders);
            if let Some(position) = &position {
                rules.moves(position, &mut list);
            }
            list.into_iter().filter_map(move |ply| {
                let after = rules.play(position.as_ref()?, ply).position;
                let number = self.number(&after);
                if self.settled.contains(&number) || rules.ending(&after).is_some() {
                    return None;
                }
                Some((number, self.answer(&after)))
            })
        });
        answers.collect()
    }

    /// What holds: a move that captures the king, else one to what is held, else one to
    /// what has a way there.
    fn answer(&self, position: &Position) -> Answer {
        let mut list = MoveList::new();
        self.wall.rules.moves(position, &mut list);
        let mut after = Vec::with_capacity(list.len());
        for ply in list {
            let played = self.wall.rules.play(position, ply);
            if played.captured.meets(position.king) {
                return Answer::End;
            }
            after.push(played.position);
        }
        let held = self.best(&after, |after| self.rank(after));
        let best = held.or_else(|| self.best(&after, |after| self.plies(after)));
        best.unwrap_or(Answer::Unknown(*position))
    }

    /// Of the positions that have a rank, the least; but one that is there already if
    /// there is any.
    fn best<R: Ord>(
        &self,
        all: &[Position],
        rank: impl Fn(&Position) -> Option<R>,
    ) -> Option<Answer> {
        let mut best: Option<(R, u64, &Position)> = None;
        for after in all {
            let Some(rank) = rank(after) else {
                continue;
            };
            let number = self.number(after);
            if self.numbers.contains(&number) {
                return Some(Answer::To(number));
            }
            if best
                .as_ref()
                .is_none_or(|(least, first, _)| (&rank, number) < (least, *first))
            {
                best = Some((rank, number, after));
            }
        }
        best.map(|(_, number, after)| match self.wall.rules.ending(after) {
            None => Answer::To(number),
            // Defenders who cannot move do not win.
            Some(_) => Answer::End,
        })
    }

    /// Soldiers, and men away from where they are kept, in what is held.
    fn rank(&self, after: &Position) -> Option<[u32; 2]> {
        let wall = self.wall;
        let away = || wall.plan.keep.len() - wall.plan.kept(after.attackers);
        let held = wall.holds(after) == Some(true);
        held.then(|| [after.defenders.len(), away()])
    }

    /// How far it is to what is held.
    fn plies(&self, after: &Position) -> Option<u16> {
        match self.table.get(Node::new(*after).key())? {
            Numbers {
                delta: 0, plies, ..
            } => Some(plies),
            _ => None,
        }
    }
}
