//! What certificates tell a search: facts, or where to look first.
//! Imports `game`, certificates and the search's parts.

use std::sync::Arc;

use super::certificate::{Certificate, TooManySoldiers, ranking};
use super::node::Node;
use super::numbers::Numbers;
use super::search::Search;
use crate::game::{MoveList, Rules};

/// What a fact counts as having cost: much, so that the table keeps it.
const DEAR: u64 = 1 << 17;

impl Search<'_> {
    /// Takes a strategy as advice on where to look first, whatever rules it is
    /// for and whether or not it holds: it decides nothing.
    ///
    /// # Errors
    /// A root whose positions cannot be numbered.
    pub fn advise_by(&mut self, certificate: &Certificate) -> Result<(), TooManySoldiers> {
        let advice = Arc::make_mut(&mut self.advice);
        for (before, after) in Search::moves_of(certificate)? {
            advice.insert(before.key().check, after.key().check);
        }
        Ok(())
    }

    /// Takes the root and the steps of a certificate as proved. It must have passed its
    /// check; one under other rules ([`carry`](super::carry()) has what of it holds) or for the
    /// other side gives advice only.
    ///
    /// # Errors
    /// A root whose positions cannot be numbered.
    pub fn learn(&mut self, certificate: &Certificate) -> Result<(), TooManySoldiers> {
        let claim = &certificate.claim;
        let form = claim.ruleset.canonical();
        if form != self.rules.ruleset().canonical() || claim.winner != self.prover {
            return self.advise_by(certificate);
        }
        let moves = Search::moves_of(certificate)?;
        for (step, (before, after)) in certificate.steps.iter().zip(moves) {
            let plies = step.plies;
            self.table.put(before.key(), Numbers::won(plies), DEAR);
            let left = Numbers::lost(plies.saturating_sub(1));
            self.table.put(after.key(), left, DEAR);
        }
        let root = Node::new(claim.root);
        let found = if claim.root.side == claim.winner {
            Numbers::won(claim.plies)
        } else {
            Numbers::lost(claim.plies)
        };
        self.table.put(root.key(), found, DEAR);
        Ok(())
    }

    /// The positions of a strategy, each with the one that its move leads to.
    fn moves_of(certificate: &Certificate) -> Result<Vec<(Node, Node)>, TooManySoldiers> {
        let claim = &certificate.claim;
        let ranking = ranking(&claim.root)?;
        let theirs = Rules::new(claim.ruleset);
        let mut list = MoveList::new();
        let mut moves = Vec::with_capacity(certificate.steps.len());
        for step in &certificate.steps {
            let Some(position) = ranking.position(step.number, claim.winner) else {
                continue;
            };
            theirs.moves(&position, &mut list);
            if let Some(&ply) = list.get(usize::from(step.choice)) {
                let before = Node::new(position);
                moves.push((before, before.child(&theirs, ply)));
            }
        }
        Ok(moves)
    }
}
