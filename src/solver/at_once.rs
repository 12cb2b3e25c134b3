//! What needs no search in a strategy: wins by steps written down before, or seen
//! at a glance. Imports `game` and strategies.

use super::node::Node;
use super::quickest::quickest;
use super::ranking::spread;
use super::soon::{seen_short_win, short_win};
use super::strategy::Builder;
use crate::game::{Move, Position};

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
        let (rules, prover) = (self.search.rules, self.search.prover);
        let known = &mut |child: &Position| {
            if let Some(outcome) = rules.ending(child) {
                return (outcome.winner == Some(prover)).then_some(0);
            }
            let number = self.ranking.number(child)?;
            match self.steps.get(&number) {
                Some(&(_, plies)) => Some(plies),
                None => self.seen_short_win(number, child),
            }
        };
        let (_, ply, plies) = quickest(rules, &node.position, u16::MAX, known)?;
        Some((ply, plies))
    }
}
