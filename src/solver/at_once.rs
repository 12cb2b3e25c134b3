//! What needs no search in a strategy: wins by steps written down before, or seen
//! at a glance. Imports `game` and strategies.

use super::node::Node;
use super::ranking::spread;
use super::soon::{seen_short_win, short_win};
use super::strategy::Builder;
use crate::game::{Move, MoveList, Position};

/// Positions of which it is kept whether they need a step.
const SHORT_WINS: usize = 1 << 21;
/// Stands for a win without a step that is not seen at first.
const UNSEEN: u16 = u16::MAX;

/// Numbers of positions, and within how many plies they are won without a
/// step; 0 for those that need one, [`UNSEEN`] for those that may.
pub(super) struct Stepless(Vec<(u64, u16)>);

impl Stepless {
    pub(super) fn new() -> Stepless {
        Stepless(vec![(u64::MAX, 0); SHORT_WINS])
    }

    fn place(&mut self, number: u64) -> &mut (u64, u16) {
        &mut self.0[spread(number) as usize % SHORT_WINS]
    }
}

impl Builder<'_, '_, '_> {
    /// Within how many plies a position without a step is won, if it needs none.
    /// Most come up again and again.
    pub(super) fn short_win(&mut self, number: u64, position: &Position) -> Option<u16> {
        let place = self.short.place(number);
        if place.0 != number || place.1 == UNSEEN {
            let plies = short_win(self.search.rules, position);
            *place = (number, plies.unwrap_or(0));
        }
        (place.1 > 0).then_some(place.1)
    }

    /// The same as far as it is seen at first.
    fn seen_short_win(&mut self, number: u64, position: &Position) -> Option<u16> {
        let place = self.short.place(number);
        if place.0 != number {
            let plies = seen_short_win(self.search.rules, position);
            *place = (number, plies.unwrap_or(UNSEEN));
        }
        (![0, UNSEEN].contains(&place.1)).then_some(place.1)
    }

    /// A move after which every reply is known to lose, by steps written down
    /// before or at a glance; of several, the one that wins soonest. It needs no
    /// step but its own.
    pub(super) fn known_to_win(&mut self, node: &Node) -> Option<(Move, u16)> {
        let rules = self.search.rules;
        let mut list = MoveList::new();
        rules.moves(&node.position, &mut list);
        let mut best: Option<(Move, u16)> = None;
        let mut refutation = None;
        for &ply in &list {
            let child = node.child(rules, ply);
            if rules.ending(&child.position).is_some() {
                continue;
            }
            if let Some(plies) = self.known_to_lose(&child, &mut refutation)
                && best.is_none_or(|(_, least)| plies + 1 < least)
            {
                best = Some((ply, plies + 1));
            }
        }
        best
    }

    /// The other side to move: within how many plies it loses, if that is known
    /// of all its moves. A move of which it is not is left in `refutation`, and
    /// what was left there is tried first: it is often good after other moves too.
    fn known_to_lose(&mut self, node: &Node, refutation: &mut Option<Move>) -> Option<u16> {
        let rules = self.search.rules;
        let mut list = MoveList::new();
        rules.moves(&node.position, &mut list);
        let first = list.iter().find(|&&ply| Some(ply) == *refutation);
        let mut longest = 0;
        for &ply in first.into_iter().chain(&list) {
            let Some(plies) = self.known_to_lose_by(node, ply) else {
                *refutation = Some(ply);
                return None;
            };
            longest = longest.max(plies + 1);
        }
        Some(longest)
    }

    /// Within how many plies the prover wins after this move of the other side,
    /// if that is known.
    fn known_to_lose_by(&mut self, node: &Node, ply: Move) -> Option<u16> {
        let rules = self.search.rules;
        let child = node.child(rules, ply).position;
        if let Some(outcome) = rules.ending(&child) {
            return (outcome.winner == Some(self.search.prover)).then_some(0);
        }
        let number = self.ranking.number(&child)?;
        match self.steps.get(&number) {
            Some(&(_, plies)) => Some(plies),
            None => self.seen_short_win(number, &child),
        }
    }
}
