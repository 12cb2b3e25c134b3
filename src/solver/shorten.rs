//! Quicker wins among those that a certificate shows. Imports `game`,
//! certificates and their numbering, and nothing of the search.

use std::collections::HashMap;
use std::collections::hash_map::Entry;
use std::hash::BuildHasherDefault;

use super::certificate::{Certificate, Claim, Step, TooManySoldiers, ranking};
use super::ranking::{Ranking, Spread};
use super::soon::seen_short_win;
use crate::game::{Move, MoveList, Position, Rules};

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
/// there are.
///
/// Bounds only ever fall, so that a step stays good while others change.
///
/// # Errors
/// A root with too many soldiers.
pub fn shorten(
    certificate: &Certificate,
    observe: &mut dyn FnMut(u64, u64),
) -> Result<Certificate, TooManySoldiers> {
    let rules = Rules::new(certificate.claim.ruleset);
    let steps = certificate.steps.iter().map(|step| (step.number, *step));
    let mut shorter = Shorter {
        rules: &rules,
        ranking: ranking(&certificate.claim.root)?,
        claim: certificate.claim,
        steps: steps.collect(),
        refutation: None,
    };
    let mut looked_at = 0;
    let mut plies = certificate.claim.plies;
    loop {
        let before = (plies, shorter.steps.len());
        shorter.pass(&mut looked_at, observe);
        shorter.leave_out();
        plies = shorter.plies_from_root();
        if (plies, shorter.steps.len()) == before {
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
    /// A reply that held against another move: it is often good again.
    refutation: Option<Move>,
}

impl Shorter<'_> {
    /// Looks at every position once.
    fn pass(&mut self, looked_at: &mut u64, observe: &mut dyn FnMut(u64, u64)) {
        let mut order: Vec<(u16, u64)> = self
            .steps
            .values()
            .map(|step| (step.plies, step.number))
            .collect();
        order.sort_unstable();
        for (plies, number) in order {
            if looked_at.is_multiple_of(STRIDE) {
                observe(*looked_at, self.steps.len() as u64);
            }
            *looked_at += 1;
            let position = self.ranking.position(number, self.claim.winner);
            if let Some((choice, plies)) = position.and_then(|it| self.quicker(&it, plies)) {
                let step = Step {
                    number,
                    choice,
                    plies,
                };
                self.steps.insert(number, step);
            }
        }
    }

    /// The winner's quickest move that is known to win within fewer plies.
    fn quicker(&mut self, position: &Position, plies: u16) -> Option<(u16, u16)> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        let (mut best, mut found) = (plies, None);
        for (choice, &ply) in (0..).zip(&list) {
            let after = self.rules.play(position, ply).position;
            if self.rules.ending(&after).is_some() {
                continue;
            }
            if let Some(longest) = self.loses_within(&after, best.saturating_sub(2)) {
                best = longest + 1;
                found = Some((choice, best));
            }
        }
        found
    }

    /// The other side to move: within how many plies it loses, if that is known
    /// to be at most so many.
    fn loses_within(&mut self, position: &Position, most: u16) -> Option<u16> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        let first = list.iter().find(|&&ply| Some(ply) == self.refutation);
        let mut longest = 0;
        for &ply in first.into_iter().chain(&list) {
            let plies = self.known_after(position, ply).map(|plies| plies + 1);
            match plies {
                Some(plies) if plies <= most => longest = longest.max(plies),
                _ => {
                    self.refutation = Some(ply);
                    return None;
                }
            }
        }
        Some(longest)
    }

    /// Within how many plies the winner wins after this move of the other side,
    /// as far as it is known.
    fn known_after(&self, position: &Position, ply: Move) -> Option<u16> {
        let after = self.rules.play(position, ply).position;
        if let Some(outcome) = self.rules.ending(&after) {
            return (outcome.winner == Some(self.claim.winner)).then_some(0);
        }
        match self.step(&after) {
            Some(step) => Some(step.plies),
            None => seen_short_win(self.rules, &after),
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
        let mut list = MoveList::new();
        self.rules.moves(root, &mut list);
        let replies = list.iter().map(|&ply| self.known_after(root, ply));
        let longest: Option<Vec<u16>> = replies.collect();
        let longest = longest.and_then(|all| all.into_iter().max());
        longest.map_or(self.claim.plies, |plies| plies + 1)
    }
}
