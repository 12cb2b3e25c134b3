//! Searches again, for a strategy, positions whose winning move was forgotten.
//! Imports `game`, the search and strategies.

use super::path::Path;
use super::progress::{Options, Verdict};
use super::search::Search;
use super::strategy::{Builder, Missing};
use crate::game::{Move, Position};

/// Positions expanded at most where the line counts. There may be no win that
/// keeps clear of it.
const ON_THIS_LINE: u64 = 200_000;
/// Positions expanded by the search that has forgotten, then by one that begins
/// anew; twice as many in each later turn.
const TURN: u64 = 1 << 20;
/// The most that the table of one that begins anew takes, in bytes.
const NEW_TABLE: u64 = 64 << 20;

/// By what a position is known to be won again.
pub(super) enum Again {
    /// By this move.
    By(Move),
    /// Without looking further than one move.
    AtAGlance,
    /// By steps that the strategy knows now.
    Shown,
}

impl<'r> Builder<'_, 'r, '_> {
    /// Searches a position, alone or on the line that leads to it.
    pub(super) fn search_again(
        &mut self,
        position: &Position,
        alone: bool,
    ) -> Result<Again, Missing> {
        if !alone {
            let verdict = self.search_on(position, ON_THIS_LINE)?;
            return self.found(verdict).ok_or(Missing::Here);
        }
        // What a large search has left in its table can lead it astray for far
        // longer than one takes that knows nothing.
        let (mut turn, mut other) = (TURN, None);
        loop {
            let verdict = self.search_alone(position, turn)?;
            if let Some(found) = self.found(verdict) {
                return Ok(found);
            }
            if other.is_none() {
                other = self.knowing_nothing(NEW_TABLE);
            }
            if let Some(other) = &mut other
                && self.search_anew(other, position, turn)?
            {
                return Ok(Again::Shown);
            }
            if verdict == Verdict::Exhausted {
                return Err(Missing::Here);
            }
            turn *= 2;
        }
    }

    fn found(&mut self, verdict: Verdict) -> Option<Again> {
        matches!(verdict, Verdict::Proved { .. }).then(|| match self.search.winning.take() {
            Some(ply) => Again::By(ply),
            None => Again::AtAGlance,
        })
    }

    /// As if the game began there.
    fn search_alone(&mut self, position: &Position, nodes: u64) -> Result<Verdict, Missing> {
        let root = self.search.root;
        let line = std::mem::replace(&mut self.search.path, Path::new());
        let verdict = self.search_on(position, nodes);
        self.search.path = line;
        // The numbers told at the end are those of the question.
        self.search.root = root;
        verdict
    }

    /// Where the game stands.
    fn search_on(&mut self, position: &Position, nodes: u64) -> Result<Verdict, Missing> {
        let left = self.nodes.saturating_sub(self.search.nodes);
        let steps = self.steps.len() as u64;
        let (observe, mut ended) = (&mut self.observe, false);
        let verdict = self
            .search
            .solve(position, left.min(nodes), &mut |progress| {
                ended |= !observe(progress, steps);
                !ended
            });
        match verdict {
            Verdict::Open if ended || self.search.nodes >= self.nodes => Err(Missing::Stopped),
            verdict => Ok(verdict),
        }
    }

    /// A search that has found nothing yet, with a table of its own of so many
    /// bytes at most; none where there is no memory for it.
    pub(super) fn knowing_nothing(&self, memory: u64) -> Option<Search<'r>> {
        let options = Options {
            memory: self.search.options.memory.min(memory),
            ..self.search.options
        };
        self.search.anew(options).ok()
    }

    /// By such a search; whether it has shown the win.
    pub(super) fn search_anew(
        &mut self,
        other: &mut Search<'r>,
        position: &Position,
        nodes: u64,
    ) -> Result<bool, Missing> {
        let (before, steps) = (other.nodes, self.steps.len() as u64);
        let left = nodes.min(self.nodes.saturating_sub(self.search.nodes));
        let (observe, mut ended) = (&mut self.observe, false);
        let expanded = self.search.nodes;
        let mut progress = self.search.progress();
        let mut tell = |nodes: u64| {
            progress.nodes = expanded + nodes - before;
            ended |= !observe(&progress, steps);
            !ended
        };
        let verdict = other.solve(position, left, &mut |progress| tell(progress.nodes));
        let certificate = match verdict {
            Verdict::Proved { .. } => other
                .strategy(
                    position,
                    left.saturating_sub(other.nodes - before),
                    [],
                    &mut |progress, _| tell(progress.nodes),
                )
                .ok(),
            Verdict::Exhausted | Verdict::Open => None,
        };
        self.search.nodes += other.nodes - before;
        if ended || self.search.nodes >= self.nodes {
            return Err(Missing::Stopped);
        }
        // Whoever could number the position can number what it leads to.
        Ok(certificate.is_some_and(|certificate| self.show(&certificate).is_ok()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{MoveList, Rules, Ruleset, Side, preset};
    use crate::solver::check;
    use crate::solver::node::Node;
    use crate::solver::numbers::Numbers;

    /// A position that a search in a table full of another question left open
    /// after 280 million positions, and one that knows nothing wins in 8,534.
    #[test]
    fn a_table_that_leads_astray_does_not_keep_a_win_from_being_written_down() {
        let rules = Rules::new(preset::find("nielsen-cyningstan").unwrap().ruleset());
        let otn = "/2T4/t6/T6/Ktt4/t6/7/7/";
        let root = Position::from_otn(otn, Side::Defenders).unwrap();
        let mut search = Search::new(&rules, Side::Defenders, Options::new(4 << 20)).unwrap();
        let verdict = search.solve(&root, 100_000, &mut |_| true);
        assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
        // It now says of each of the winner's moves that it does not win.
        let node = Node::new(root);
        let mut list = MoveList::new();
        rules.moves(&root, &mut list);
        for ply in list {
            let child = node.child(&rules, ply);
            search.table.put(child.key(), Numbers::won(0), u64::MAX);
        }
        let before = search.nodes();
        let stopped = search.strategy(&root, 100, [], &mut |_, _| true);
        assert!(stopped.is_err());
        let whole = search.strategy(&root, 100_000, [], &mut |_, _| true);
        assert!(check::check(&whole.unwrap(), &mut |_| ()).is_ok());
        assert!(search.nodes() > before + 1000);
    }

    /// Small tables, in which what is known of a position leads back to the line.
    /// Where each such position was only given up, 23,033 and 1,302 positions were
    /// searched again; where no strategy went back to the first of the line that
    /// a step was shown for, 1,219 in the second.
    #[test]
    fn what_leads_round_in_circles_is_soon_given_up() {
        let circles = [
            (
                "throne_hostile=none king_return=false",
                "/7/4t2/t1T4/Kt2t2/Tt1t3/2t4/2t4/",
            ),
            ("king_armed=false", "/3t3/6t/4t1T/1T3tK/2t3t/4t1T/4t2/"),
        ];
        for (rules, otn) in circles {
            let rules = Rules::new(Ruleset::from_label(rules).unwrap());
            let root = Position::from_otn(otn, Side::Attackers).unwrap();
            let mut search = Search::new(&rules, Side::Attackers, Options::new(1 << 16)).unwrap();
            let verdict = search.solve(&root, 40_000, &mut |_| true);
            assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
            let whole = search.strategy(&root, 1000, [], &mut |_, _| true);
            assert!(check::check(&whole.unwrap(), &mut |_| ()).is_ok());
        }
    }
}
