//! What a certificate shows under other rules than its own.
//! Imports `game`, certificates, their check and the numbering of positions.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

#[cfg(feature = "tables")]
use rayon::prelude::*;

use super::certificate::{Certificate, Claim, Step, TooManySoldiers, ranking};
use super::ranking::{Ranking, Spread, spread};
use super::soon::short_win;
use crate::game::{Move, MoveList, Position, Rules, Side};

/// Positions of which it is kept whether they need a step.
const SHORT_WINS: usize = 1 << 20;

/// The steps of a certificate that hold under other rules: as a certificate
/// under those, from the same root if it holds there too, else from the last of
/// the steps. `None` if no step does. Nothing rests on the certificate's own check.
///
/// A step holds if its move is legal and each reply to it is met, by other steps
/// that hold or within three plies; it is then asked for again within how many.
/// The quickest come first, since a step leads only to quicker ones; those that
/// were equally quick are shared out among rayon's threads (with the feature
/// `tables`), which changes nothing in what comes of them.
///
/// # Errors
/// A root with too many soldiers.
pub fn carry(
    certificate: &Certificate,
    rules: &Rules,
) -> Result<Option<Certificate>, TooManySoldiers> {
    let claim = &certificate.claim;
    let mut carrier = Carrier {
        rules,
        theirs: Rules::new(claim.ruleset),
        winner: claim.winner,
        ranking: ranking(&claim.root)?,
        held: HashMap::default(),
    };
    let mut seen = Seen::by_thread();
    let mut left: Vec<Step> = certificate.steps.clone();
    left.sort_by_key(|step| step.plies);
    loop {
        let mut still: Vec<Step> = Vec::new();
        for same in left.chunk_by(|one, other| one.plies == other.plies) {
            let moved = carrier.moved_all(&mut seen, same);
            for (step, moved) in same.iter().zip(moved) {
                match moved {
                    Some(held) => _ = carrier.held.insert(step.number, held),
                    None => still.push(*step),
                }
            }
        }
        if still.len() == left.len() {
            break;
        }
        left = still;
    }
    carrier.certificate(&mut seen[0], claim.root)
}

struct Carrier<'r> {
    rules: &'r Rules,
    theirs: Rules,
    winner: Side,
    ranking: Ranking,
    /// By the position's number: the move's place, and within how many plies.
    held: HashMap<u64, (u16, u16), BuildHasherDefault<Spread>>,
}

/// What one thread has seen: numbers of positions, and within how many plies they
/// are won without a step; 0 for those that need one.
struct Seen(Vec<(u64, u16)>);

impl Seen {
    /// Of nothing yet, for every thread.
    fn by_thread() -> Vec<Seen> {
        #[cfg(feature = "tables")]
        let threads = rayon::current_num_threads();
        #[cfg(not(feature = "tables"))]
        let threads = 1;
        let new = || Seen(vec![(u64::MAX, 0); SHORT_WINS]);
        std::iter::repeat_with(new).take(threads).collect()
    }
}

impl Carrier<'_> {
    /// Of steps that do not lead to each other, the moves and plies of those that hold.
    fn moved_all(&self, seen: &mut [Seen], steps: &[Step]) -> Vec<Option<(u16, u16)>> {
        let share = steps.len().div_ceil(seen.len()).max(1);
        let moved = |(seen, steps): (&mut Seen, &[Step])| -> Vec<_> {
            steps.iter().map(|step| self.moved(seen, step)).collect()
        };
        #[cfg(feature = "tables")]
        let moved: Vec<Vec<_>> = seen
            .par_iter_mut()
            .zip(steps.par_chunks(share))
            .map(moved)
            .collect();
        #[cfg(not(feature = "tables"))]
        let moved: Vec<Vec<_>> = seen
            .iter_mut()
            .zip(steps.chunks(share))
            .map(moved)
            .collect();
        moved.concat()
    }

    /// The step's move among those that are legal here, and within how many
    /// plies it wins, if it holds.
    fn moved(&self, seen: &mut Seen, step: &Step) -> Option<(u16, u16)> {
        let position = self.ranking.position(step.number, self.winner)?;
        self.rules.admit(&position).ok()?;
        if self.short_win(seen, step.number, &position).is_some() {
            // Others count on that, which may be sooner than by this step.
            return None;
        }
        let mut list = MoveList::new();
        self.theirs.moves(&position, &mut list);
        let ply: Move = *list.get(usize::from(step.choice))?;
        self.rules.moves(&position, &mut list);
        let choice = list.iter().position(|&legal| legal == ply)?;
        let after = self.rules.play(&position, ply).position;
        let plies = self.met(seen, &after)?;
        Some((choice as u16, plies.checked_add(1)?))
    }

    /// Within how many plies a position is won, as far as is known.
    fn met(&self, seen: &mut Seen, position: &Position) -> Option<u16> {
        match self.rules.ending(position) {
            Some(outcome) => (outcome.winner == Some(self.winner)).then_some(0),
            None if position.side == self.winner => self.won(seen, position),
            None => self.answered(seen, position),
        }
    }

    /// The other side to move: within how many plies it loses, whatever it does.
    fn answered(&self, seen: &mut Seen, position: &Position) -> Option<u16> {
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        let mut longest = 0;
        for ply in list {
            let after = self.rules.play(position, ply).position;
            longest = longest.max(self.met(seen, &after)? + 1);
        }
        Some(longest)
    }

    /// The winner to move: by a step that holds, or by none.
    fn won(&self, seen: &mut Seen, position: &Position) -> Option<u16> {
        let number = self.ranking.number(position)?;
        if let Some(&(_, plies)) = self.held.get(&number) {
            return Some(plies);
        }
        self.short_win(seen, number, position)
    }

    /// Within how many plies the winner, to move, wins without a step.
    fn short_win(&self, seen: &mut Seen, number: u64, position: &Position) -> Option<u16> {
        let place = &mut seen.0[spread(number) as usize % SHORT_WINS];
        if place.0 != number {
            *place = (number, short_win(self.rules, position).unwrap_or(0));
        }
        (place.1 > 0).then_some(place.1)
    }

    /// Within how many plies the root is won.
    fn root(&self, seen: &mut Seen, root: &Position) -> Option<u16> {
        self.rules.admit(root).ok()?;
        self.rules
            .ending(root)
            .is_none()
            .then(|| self.met(seen, root))?
    }

    /// The steps that hold, from the root or from the last of them.
    fn certificate(
        &self,
        seen: &mut Seen,
        root: Position,
    ) -> Result<Option<Certificate>, TooManySoldiers> {
        let whole = self.root(seen, &root).map(|plies| (root, plies));
        let last = || {
            let (&number, &(_, plies)) = self.held.iter().max_by_key(|(number, _)| **number)?;
            Some((self.ranking.position(number, self.winner)?, plies))
        };
        let Some((root, plies)) = whole.or_else(last) else {
            return Ok(None);
        };
        let claim = Claim {
            ruleset: *self.rules.ruleset(),
            root,
            winner: self.winner,
            plies,
        };
        // The last may have fewer soldiers than the root.
        let numbering = ranking(&root)?;
        let steps = self.held.iter().filter_map(|(&number, &(choice, plies))| {
            let position = self.ranking.position(number, self.winner)?;
            Some(Step {
                number: numbering.number(&position)?,
                choice,
                plies,
            })
        });
        let mut steps: Vec<Step> = steps.collect();
        steps.sort_unstable_by_key(|step| step.number);
        Ok(Some(Certificate { claim, steps }))
    }
}
