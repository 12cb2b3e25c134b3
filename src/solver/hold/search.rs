//! Looks for positions that the other side cannot leave: all that can come up is
//! found, then what is lost is taken away until nothing more is.

#[cfg(feature = "tables")]
use rayon::prelude::*;

use super::certificate::{Fortress, HoldClaim};
use super::check::{HoldError, loses, may_hold};
use super::graph::{After, Graph, Turn};
use crate::game::{MoveList, Position, Rules, Side};
use crate::solver::certificate::ranking;
use crate::solver::ranking::Ranking;

/// So many positions are looked at side by side.
const AT_ONCE: usize = 1 << 14;

/// What a search has come to.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Found {
    /// The holder need not lose.
    Held(Fortress),
    /// He cannot hold.
    Left,
    /// There are more positions than there is memory for, or than 2^31.
    Full,
    /// The observer wanted no more.
    Stopped,
}

/// How far a search has come.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Progress {
    /// Positions found, of either turn.
    pub positions: u64,
    /// Of them, looked at.
    pub looked_at: u64,
    /// Moves between them.
    pub moves: u64,
}

/// Whether a side holds a position.
pub struct Search<'r> {
    rules: &'r Rules,
    claim: HoldClaim,
    ranking: Ranking,
    /// Bytes.
    memory: u64,
    all: bool,
    progress: Progress,
}

impl<'r> Search<'r> {
    /// Asks about one side and one position, with so many bytes of memory.
    ///
    /// # Errors
    /// Rules by which repeating may lose; a position that is none, with the game
    /// over or with too many soldiers.
    pub fn new(
        rules: &'r Rules,
        root: &Position,
        holder: Side,
        memory: u64,
    ) -> Result<Search<'r>, HoldError> {
        may_hold(rules, holder)?;
        let wrong = |problem| HoldError::Root {
            root: root.to_otn(),
            problem,
        };
        rules.admit(root).map_err(wrong)?;
        if let Some(end) = rules.ending(root) {
            return Err(wrong(format!("the game is over there: {end}")));
        }
        Ok(Search {
            rules,
            claim: HoldClaim {
                ruleset: *rules.ruleset(),
                root: *root,
                holder,
            },
            ranking: ranking(root)?,
            memory,
            all: false,
            progress: Progress::default(),
        })
    }

    /// Asks for all positions found that the holder holds, instead of those that
    /// one way of holding the root comes to.
    pub fn want_all(&mut self) {
        self.all = true;
    }

    /// How far it has come.
    #[must_use]
    pub fn progress(&self) -> Progress {
        self.progress
    }

    /// Looks at everything, on rayon's threads (with the feature `tables`; the same
    /// comes out with any number of them). `observe` is told now and then how far it
    /// has come, and says whether to go on.
    pub fn run(&mut self, observe: &mut dyn FnMut(&Progress) -> bool) -> Found {
        let HoldClaim { root, holder, .. } = self.claim;
        let turn = if root.side == holder {
            Turn::Holder
        } else {
            Turn::Other
        };
        let Some(number) = self.ranking.number(&root) else {
            return Found::Left;
        };
        let mut graph = Graph::new(number, turn);
        loop {
            let unseen = graph.unseen(AT_ONCE);
            if unseen.is_empty() {
                break;
            }
            #[cfg(feature = "tables")]
            let unseen = unseen.par_iter();
            #[cfg(not(feature = "tables"))]
            let unseen = unseen.iter();
            let looked: Vec<After> = unseen.map(|&at| self.look(at)).collect();
            for after in looked {
                graph.look(after);
            }
            let (positions, looked_at, moves) = graph.counts();
            self.progress = Progress {
                positions: positions as u64,
                looked_at: looked_at as u64,
                moves: moves as u64,
            };
            if graph.bytes() > self.memory || positions > u32::MAX as usize / 2 {
                return Found::Full;
            }
            if !observe(&self.progress) {
                return Found::Stopped;
            }
        }
        if !graph.spread_losses(&mut || observe(&self.progress)) {
            return Found::Stopped;
        }
        if graph.root_is_lost() {
            return Found::Left;
        }
        Found::Held(Fortress {
            claim: self.claim,
            positions: if self.all {
                graph.held()
            } else {
                graph.fortress()
            },
        })
    }

    fn look(&self, (number, turn): (u64, Turn)) -> After {
        let holder = self.claim.holder;
        let side = match turn {
            Turn::Holder => holder,
            Turn::Other => holder.other(),
        };
        let Some(position) = self.ranking.position(number, side) else {
            return After::Lost;
        };
        let mut list = MoveList::new();
        self.rules.moves(&position, &mut list);
        let mut numbers = Vec::with_capacity(list.len());
        for ply in list {
            let after = self.rules.play(&position, ply).position;
            match (self.rules.ending(&after), turn) {
                (Some(end), Turn::Holder) if !loses(holder, end) => return After::Safe,
                (Some(end), Turn::Other) if loses(holder, end) => return After::Lost,
                (Some(_), _) => {}
                (None, _) => numbers.extend(self.ranking.number(&after)),
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        match turn {
            _ if !numbers.is_empty() => After::Open(numbers),
            Turn::Holder => After::Lost,
            Turn::Other => After::Safe,
        }
    }
}
