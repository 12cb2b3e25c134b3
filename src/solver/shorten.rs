//! Quicker wins among those that a certificate shows. Imports `game`,
//! certificates and their numbering, and nothing of the search.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::certificate::{Certificate, Claim, Step, TooManySoldiers, ranking};
use super::check::LEFT_OUT;
use super::quickest::quickest;
use super::ranking::{Ranking, Spread};
use super::soon::seen_short_win;
use crate::game::{MoveList, Position, Rules};

/// After so many positions the observer is told.
const STRIDE: u64 = 1 << 14;

/// The same claim with quicker steps, as far as they are seen, and without those
/// that are then needed no more.
///
/// The certificate must have passed its check. Every position of it is looked at
/// again, those of the quickest wins first: a move after which every reply leads
/// to a position with a step, or to one with a short win, wins too, and the
/// quickest such move becomes the position's step. What nothing leads to any more
/// is left out, and all is looked at again until that gains neither plies nor
/// steps. `observe` is told how many positions were looked at and how many steps
/// there are, and may end it by saying false: what was found by then is kept.
///
/// Bounds only ever fall, so that a step stays good while others change.
///
/// # Errors
/// A root with too many soldiers.
pub fn shorten(
    certificate: &Certificate,
    observe: &mut dyn FnMut(u64, u64) -> bool,
) -> Result<Certificate, TooManySoldiers> {
    let rules = Rules::new(certificate.claim.ruleset);
    let steps = certificate.steps.iter().map(|step| (step.number, *step));
    let mut shorter = Shorter {
        rules: &rules,
        ranking: ranking(&certificate.claim.root)?,
        claim: certificate.claim,
        steps: steps.collect(),
    };
    let mut looked_at = 0;
    let mut plies = certificate.claim.plies;
    loop {
        let before = (plies, shorter.steps.len());
        let on = shorter.pass(&mut looked_at, observe);
        shorter.leave_out();
        plies = shorter.plies_from_root();
        if !on || (plies, shorter.steps.len()) == before {
            break;
        }
    }
    let mut steps: Vec<Step> = shorter.steps.into_values().collect();
    steps.sort_unstable_by_key(|step| step.number);
    let claim = Claim {
        plies,
        ..certificate.claim
    };
    Ok(Certificate { claim, steps })
}

type Steps = HashMap<u64, Step, BuildHasherDefault<Spread>>;

struct Shorter<'r> {
    rules: &'r Rules,
    ranking: Ranking,
    claim: Claim,
    steps: Steps,
}

impl Shorter<'_> {
    /// Looks at every position once, unless that is ended.
    fn pass(&mut self, looked_at: &mut u64, observe: &mut dyn FnMut(u64, u64) -> bool) -> bool {
        let mut order: Vec<(u16, u64)> = self
            .steps
            .values()
            .map(|step| (step.plies, step.number))
            .collect();
        order.sort_unstable();
        for (plies, number) in order {
            if looked_at.is_multiple_of(STRIDE) && !observe(*looked_at, self.steps.len() as u64) {
                return false;
            }
            *looked_at += 1;
            let position = self.ranking.position(number, self.claim.winner);
            let found = position.and_then(|position| {
                quickest(self.rules, &position, plies, &mut |after| self.known(after))
            });
            if let Some((choice, _, plies)) = found {
                let step = Step {
                    number,
                    choice,
                    plies,
                };
                self.steps.insert(number, step);
            }
        }
        true
    }

    /// Within how many plies the winner wins from a position after a move of the
    /// other side, as far as it is known.
    fn known(&self, after: &Position) -> Option<u16> {
        if let Some(outcome) = self.rules.ending(after) {
            return (outcome.winner == Some(self.claim.winner)).then_some(0);
        }
        match self.step(after) {
            Some(step) => Some(step.plies),
            None => seen_short_win(self.rules, after),
        }
    }

    fn step(&self, position: &Position) -> Option<Step> {
        let number = self.ranking.number(position)?;
        self.steps.get(&number).copied()
    }

    /// The positions after a move of the other side.
    fn replies(&self, position: &Position) -> impl Iterator<Item = Position> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        list.into_iter()
            .map(|ply| self.rules.play(position, ply).position)
    }

    /// Leaves out the steps that nothing leads to.
    fn leave_out(&mut self) {
        let root = self.claim.root;
        let mut left: Vec<Position> = if root.side == self.claim.winner {
            vec![root]
        } else {
            self.replies(&root).collect()
        };
        let mut needed = Steps::default();
        while let Some(position) = left.pop() {
            let Some(step) = self.step(&position) else {
                continue;
            };
            if let Entry::Vacant(place) = needed.entry(step.number) {
                place.insert(step);
                left.extend(
                    self.after(&step)
                        .iter()
                        .flat_map(|after| self.replies(after)),
                );
            }
        }
        self.steps = needed;
    }

    /// Where a step leads.
    fn after(&self, step: &Step) -> Option<Position> {
        let position = self.ranking.position(step.number, self.claim.winner)?;
        let mut list = MoveList::new();
        self.rules.moves(&position, &mut list);
        let ply = *list.get(usize::from(step.choice))?;
        Some(self.rules.play(&position, ply).position)
    }

    fn plies_from_root(&self) -> u16 {
        let root = &self.claim.root;
        if root.side == self.claim.winner {
            return self.step(root).map_or(self.claim.plies, |step| step.plies);
        }
        // What has no step, in a certificate that holds, is a win within three plies.
        let replies = self.replies(root);
        let longest = replies.map(|after| self.known(&after).unwrap_or(LEFT_OUT) + 1);
        longest.max().unwrap_or(self.claim.plies)
    }
}
