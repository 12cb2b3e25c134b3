//! From a finished search to a strategy: the prover's move in every position
//! that can come up. What the table has forgotten is searched again.
//! Imports `game`, the search and certificates.

use std::collections::HashMap;
use std::hash::BuildHasherDefault;

use super::again::Again;
use super::at_once::Stepless;
use super::certificate::{Certificate, Claim, Step, TooManySoldiers, ranking};
use super::hash::Key;
use super::node::Node;
use super::numbers::Numbers;
use super::progress::Progress;
use super::ranking::{Ranking, Spread, folded};
use super::search::Search;
use super::statics::Glance;
use super::threads::STACK;
use crate::game::{Move, MoveList, Position};

/// How often a position is tried before it is given up.
const ATTEMPTS: u32 = 8;
/// How often of these it is searched again as if the game began there. What
/// that finds may lead back to the line: then a position of the line has a
/// shorter way to win, which it takes when this one is given up.
const ALONE: u32 = 2;
/// Positions that a search which knows nothing expands at most where what is
/// known leads back to the line, and its table, in bytes.
const IN_A_CIRCLE: u64 = 1 << 16;
const SMALL_TABLE: u64 = 4 << 20;
/// After so many steps the observer is told.
const STRIDE: usize = 1 << 14;
/// By how many bytes the stack grows: a line may have thousands of positions,
/// with a search at its end.
const MORE_STACK: usize = 64 << 20;

/// Why there is no strategy.
#[derive(Debug, thiserror::Error)]
pub enum StrategyError {
    /// Nothing was proved from there.
    #[error("{position}: not proved")]
    NotProved {
        /// As a position string.
        position: String,
    },
    /// The positions cannot be numbered.
    #[error(transparent)]
    TooManySoldiers(#[from] TooManySoldiers),
    /// The observer or the limit of nodes ended it.
    #[error("stopped before the strategy was complete")]
    Stopped,
}

type Steps = HashMap<u64, (u16, u16), BuildHasherDefault<Spread>>;

/// The steps of certificates as this numbering has them, of two for one position
/// the quicker.
fn shown(numbering: &Ranking, known: &[&Certificate]) -> Result<Steps, TooManySoldiers> {
    let mut shown = Steps::default();
    for Certificate { claim, steps } in known {
        let theirs = ranking(&claim.root)?;
        for step in steps {
            let number = if theirs == *numbering {
                Some(step.number)
            } else {
                // One that cannot be numbered here is one that nothing leads to.
                let position = theirs.position(step.number, claim.winner);
                position.and_then(|position| numbering.number(&position))
            };
            if let Some(number) = number {
                write_down(&mut shown, number, step.choice, step.plies);
            }
        }
    }
    Ok(shown)
}

/// Does something on a stack that grows where there would be no room for a search.
fn with_room<T>(something: impl FnOnce() -> T) -> T {
    stacker::maybe_grow(STACK, MORE_STACK, something)
}

/// Whether all steps of a certificate may follow from its root. Bounds fall along
/// a line: one that is not below the root's follows from something else, as in
/// what was carried over from other rules without the root.
fn may_be_whole(certificate: &Certificate) -> bool {
    let Claim {
        root,
        winner,
        plies,
        ..
    } = certificate.claim;
    let other = certificate.steps.iter().filter(|step| step.plies >= plies);
    // The root's own step has its bound.
    other.count() <= usize::from(root.side == winner)
}

/// Keeps the quicker of two steps for one position. Within how many plies the
/// step that stays wins.
fn write_down(steps: &mut Steps, number: u64, choice: u16, plies: u16) -> u16 {
    let step = steps.entry(number).or_insert((choice, plies));
    if plies < step.1 {
        *step = (choice, plies);
    }
    step.1
}

/// A strategy in the making.
pub(super) struct Builder<'s, 'r, 'o> {
    pub(super) search: &'s mut Search<'r>,
    pub(super) ranking: Ranking,
    pub(super) steps: Steps,
    pub(super) nodes: u64,
    pub(super) short: Stepless,
    /// By the folded position from which they win: those of which all steps may
    /// follow from there.
    known: HashMap<Position, &'o Certificate>,
    /// All steps of these, of two for one position the quicker.
    shown: Steps,
    pub(super) observe: &'o mut dyn FnMut(&Progress, u64) -> bool,
}

/// What one position's turn came to.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Missing {
    /// It cannot be shown from here: on this line, or at all.
    Here,
    /// It is shown by a step that this position of the line has by now, too:
    /// from there on all goes by such steps.
    Back(Key),
    Stopped,
}

impl Missing {
    /// The same above this position of the line, which its own step has not
    /// helped.
    fn above(self, key: Key) -> Missing {
        if self == Missing::Back(key) {
            Missing::Here
        } else {
            self
        }
    }
}

impl Search<'_> {
    /// The strategy behind a proved root. Searches again what the table has forgotten, with at
    /// most `nodes` expansions; `observe` is told how the search goes and how
    /// many steps there are, and may end it by saying false. Where the strategy
    /// comes to a position of a `known` certificate, which must have passed its
    /// check, it goes on by its steps, and from its root on takes over all of
    /// them; one under other rules ([`carry`](super::carry()) has what of it holds) or for
    /// the other side is left out.
    ///
    /// # Errors
    /// A root that is not proved, or one with too many soldiers; being ended.
    pub fn strategy<'k>(
        &mut self,
        root: &Position,
        nodes: u64,
        known: impl IntoIterator<Item = &'k Certificate>,
        observe: &mut dyn FnMut(&Progress, u64) -> bool,
    ) -> Result<Certificate, StrategyError> {
        let form = self.rules.ruleset().canonical();
        let known = known.into_iter().filter(|certificate| {
            let Claim {
                ruleset, winner, ..
            } = &certificate.claim;
            ruleset.canonical() == form && *winner == self.prover
        });
        let known: Vec<&Certificate> = known.collect();
        let ranking = ranking(root)?;
        let mut builder = Builder {
            shown: shown(&ranking, &known)?,
            ranking,
            steps: Steps::default(),
            nodes: self.nodes.saturating_add(nodes),
            short: Stepless::new(),
            known: known
                .into_iter()
                .filter(|certificate| may_be_whole(certificate))
                .map(|certificate| (folded(&certificate.claim.root), certificate))
                .collect(),
            search: self,
            observe,
        };
        let node = Node::new(*root);
        let proving = root.side == builder.search.prover;
        let plies = with_room(|| {
            if proving {
                builder.resolve(&node)
            } else {
                builder.answer(&node)
            }
        });
        let plies = plies.map_err(|missing| match missing {
            Missing::Stopped => StrategyError::Stopped,
            Missing::Here | Missing::Back(_) => StrategyError::NotProved {
                position: root.to_otn(),
            },
        })?;
        let claim = Claim {
            ruleset: *builder.search.rules.ruleset(),
            root: *root,
            winner: builder.search.prover,
            plies,
        };
        let steps = builder.steps.into_iter();
        let mut steps: Vec<Step> = steps
            .map(|(number, (choice, plies))| Step {
                number,
                choice,
                plies,
            })
            .collect();
        steps.sort_unstable_by_key(|step| step.number);
        Ok(Certificate { claim, steps })
    }

    /// Puts a position on the path, unless it stands there already.
    fn enter(&mut self, key: Key) -> bool {
        let new = self.path.find(key).is_none();
        if new {
            self.path.push(key);
        }
        new
    }

    /// Takes back what was decided about a position.
    pub(super) fn forget(&mut self, key: Key) {
        let open = Numbers {
            phi: 1,
            delta: 1,
            plies: 0,
        };
        self.table.put(key, open, 1);
    }

    /// Of the prover's moves that are known to win, the one that does so
    /// soonest.
    pub(super) fn proved_move(&self, node: &Node) -> Option<Move> {
        let mut list = MoveList::new();
        self.rules.moves(&node.position, &mut list);
        let least = |plies: &dyn Fn(&Node) -> Option<u16>| {
            let known = list.iter().filter_map(|&ply| {
                let child = node.child(self.rules, ply);
                plies(&child).map(|plies| (plies, ply))
            });
            known.min_by_key(|(plies, _)| *plies).map(|(_, ply)| ply)
        };
        let written = |child: &Node| match self.table.get(child.key()) {
            Some(Numbers {
                delta: 0, plies, ..
            }) => Some(plies),
            _ => None,
        };
        let at_a_glance = |child: &Node| match self.look(&child.position) {
            Glance::Proved(plies) => Some(plies),
            Glance::Refuted | Glance::Answers(_) | Glance::Quiet => None,
        };
        // The table is much quicker to ask.
        least(&written).or_else(|| least(&at_a_glance))
    }
}

impl Builder<'_, '_, '_> {
    /// The prover to move: within how many plies he wins, with a step for this
    /// position and all that follow where they need one.
    fn resolve(&mut self, node: &Node) -> Result<u16, Missing> {
        // Most positions come up again and again: the step first, which is the
        // quickest to find.
        let number = self.ranking.number(&node.position).ok_or(Missing::Here)?;
        if let Some(&(_, plies)) = self.steps.get(&number) {
            return Ok(plies);
        }
        if let Some(plies) = self.short_win(number, &node.position) {
            return Ok(plies);
        }
        if let Some(plies) = self.take_over(node) {
            return Ok(plies);
        }
        let key = node.key();
        if !self.search.enter(key) {
            let shown = self.shown.contains_key(&number);
            return Err(if shown {
                Missing::Back(key)
            } else {
                Missing::Here
            });
        }
        let mut result = self.follow(number, node);
        if result == Err(Missing::Back(key)) {
            let shown = self.as_shown(number, node);
            result = shown.and_then(|step| step.ok_or(Missing::Here));
        }
        self.search.path.pop();
        let (choice, plies) = result.map_err(|missing| missing.above(key))?;
        // A certificate taken over below this position may have a step for it
        // that its other steps count on.
        let plies = write_down(&mut self.steps, number, choice, plies);
        if self.steps.len().is_multiple_of(STRIDE) {
            let progress = self.search.progress();
            if !(self.observe)(&progress, self.steps.len() as u64) {
                return Err(Missing::Stopped);
            }
        }
        Ok(plies)
    }

    /// Knows a certificate more, by its steps.
    pub(super) fn show(&mut self, certificate: &Certificate) -> Result<(), TooManySoldiers> {
        for (number, (choice, plies)) in shown(&self.ranking, &[certificate])? {
            write_down(&mut self.shown, number, choice, plies);
        }
        Ok(())
    }

    /// All steps of the certificate that shows the win from this very position,
    /// if there is one; within how many plies it wins.
    fn take_over(&mut self, node: &Node) -> Option<u16> {
        if self.known.is_empty() {
            return None;
        }
        let certificate = self.known.remove(&folded(&node.position))?;
        let all = shown(&self.ranking, &[certificate]).ok()?;
        for (number, (choice, plies)) in all {
            write_down(&mut self.steps, number, choice, plies);
        }
        Some(certificate.claim.plies)
    }

    /// The place of a move that leads to the same position among the legal
    /// moves of the folded position.
    fn choice(&self, position: &Position, ply: Move) -> u16 {
        let rules = self.search.rules;
        let form = folded(position);
        let wanted = folded(&rules.play(position, ply).position);
        let mut list = MoveList::new();
        rules.moves(&form, &mut list);
        list.iter()
            .position(|&ply| folded(&rules.play(&form, ply).position) == wanted)
            .map_or(u16::MAX, |place| place as u16)
    }

    /// The step for this position, with all that follow: as a certificate has
    /// shown it, or by what the search has found.
    fn follow(&mut self, number: u64, node: &Node) -> Result<(u16, u16), Missing> {
        if let Some(step) = self.as_shown(number, node)? {
            return Ok(step);
        }
        if let Some((ply, plies)) = self.known_to_win(node) {
            return Ok((self.choice(&node.position, ply), plies));
        }
        let (mut searches, mut anew) = (0, false);
        for _ in 0..ATTEMPTS {
            let ply = if let Some(ply) = self.search.proved_move(node) {
                ply
            } else {
                // Proved once, but the move that did it is forgotten.
                self.search.forget(node.key());
                let found = self.search_again(&node.position, searches < ALONE)?;
                searches += 1;
                match found {
                    Again::By(ply) => ply,
                    Again::AtAGlance => continue,
                    Again::Shown => match self.as_shown(number, node)? {
                        Some(step) => return Ok(step),
                        None => continue,
                    },
                }
            };
            let choice = self.choice(&node.position, ply);
            let child = node.child(self.search.rules, ply);
            if let Some(outcome) = self.search.rules.ending(&child.position)
                && outcome.winner == Some(self.search.prover)
            {
                return Ok((choice, 1));
            }
            match self.answer(&child) {
                Ok(plies) => return Ok((choice, plies.saturating_add(1))),
                // What the table says of it rests on a position of this line,
                // or on another of equal hash.
                Err(Missing::Here) => self.search.forget(child.key()),
                Err(missing) => return Err(missing),
            }
            // Where few are on the board all that is known may go round in
            // circles: what knows nothing shows a way that does not.
            if !anew {
                anew = true;
                if let Some(mut other) = self.knowing_nothing(SMALL_TABLE)
                    && self.search_anew(&mut other, &node.position, IN_A_CIRCLE)?
                    && let Some(step) = self.as_shown(number, node)?
                {
                    return Ok(step);
                }
            }
        }
        Err(Missing::Here)
    }

    /// The step that a certificate has for this position, with all that follow.
    fn as_shown(&mut self, number: u64, node: &Node) -> Result<Option<(u16, u16)>, Missing> {
        let Some(&(choice, _)) = self.shown.get(&number) else {
            return Ok(None);
        };
        let form = Node::new(folded(&node.position));
        let mut list = MoveList::new();
        self.search.rules.moves(&form.position, &mut list);
        let Some(&ply) = list.get(usize::from(choice)) else {
            return Ok(None);
        };
        let child = form.child(self.search.rules, ply);
        if self.search.rules.ending(&child.position).is_some() {
            return Ok(Some((choice, 1)));
        }
        // Whoever showed this step showed one for every reply to the move, also
        // for the one that the line goes on with from there.
        if let Some(after) = self.search.path.after(child.key()) {
            return Err(Missing::Back(after));
        }
        Ok(Some((choice, self.answer(&child)? + 1)))
    }

    /// The other side to move: within how many plies every move of it loses.
    fn answer(&mut self, node: &Node) -> Result<u16, Missing> {
        let rules = self.search.rules;
        if let Some(plies) = self.take_over(node) {
            return Ok(plies);
        }
        if !self.search.enter(node.key()) {
            return Err(Missing::Here);
        }
        let mut list = MoveList::new();
        rules.moves(&node.position, &mut list);
        let mut longest = Ok(0);
        for ply in list {
            let child = node.child(rules, ply);
            let plies = match rules.ending(&child.position) {
                Some(outcome) if outcome.winner == Some(self.search.prover) => Ok(0),
                Some(_) => Err(Missing::Here),
                None => with_room(|| self.resolve(&child)),
            };
            match plies {
                Ok(plies) => {
                    longest = longest.map(|longest: u16| longest.max(plies.saturating_add(1)));
                }
                Err(missing) => {
                    if matches!(missing, Missing::Here) {
                        self.search.forget(child.key());
                    }
                    longest = Err(missing);
                    break;
                }
            }
        }
        self.search.path.pop();
        longest
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Rules, Ruleset, Side};
    use crate::solver::check;
    use crate::solver::progress::{Options, Verdict};

    /// Where the stack did not grow, it overflowed.
    #[test]
    fn a_line_may_be_longer_than_a_stack_has_room_for() {
        let rules = Rules::new(Ruleset::from_label("king_armed=false").unwrap());
        let otn = "/3t3/6t/4t1T/1T3tK/2t3t/4t1T/4t2/";
        let root = Position::from_otn(otn, Side::Attackers).unwrap();
        let mut search = Search::new(&rules, Side::Attackers, Options::new(1 << 24)).unwrap();
        let verdict = search.solve(&root, 40_000, &mut |_| true);
        assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
        std::thread::scope(|scope| {
            let small = std::thread::Builder::new().stack_size(1 << 15);
            let written =
                small.spawn_scoped(scope, || search.strategy(&root, 0, [], &mut |_, _| true));
            let whole = written.unwrap().join().unwrap().unwrap();
            assert!(check::check(&whole, &mut |_| ()).is_ok());
        });
    }
}
