//! Second thoughts about a position that has had many [turns](super::turns): what
//! seemed best at first need not win. The player thinks again, the longer the more
//! turns it had, and a survey of all other moves says of which most replies fall to
//! a short search. Imports the search's parts.

use super::jobs::{Bounds, Known, any_decided};
use super::node::Node;
use super::search::Search;
use crate::game::Move;

/// A position that has had this many times as many first turns as before, or as a
/// new one, once more ...
const AGAIN: u64 = 4;
/// ... but not the first time, has the player think again ...
const FIRST_AGAIN: u32 = 2;
/// ... and, from this time on, all other moves looked at ...
const FIRST_SURVEY: u32 = 3;
/// ... with one part in so many of what it has had.
const SURVEY: u64 = 4;
/// A move of which no smaller share of the replies resists that is not tried.
const MOST_RESIST: f64 = 0.5;

impl Search<'_> {
    /// Thinks again about a position that has had many turns, with an effort in
    /// proportion to them: what seemed best at first may not win. The player's
    /// move is one more of those that are tried, and so is one that a survey of
    /// all others finds.
    pub(super) fn think_again(&mut self, node: &Node, bounds: &mut Bounds<'_>) {
        let spent = self.spent(node);
        let round = (spent / bounds.job).max(1).ilog(AGAIN);
        let mut jobs = self.jobs();
        let done = jobs.done.entry(node.key().check).or_default();
        if round < FIRST_AGAIN || round <= u32::from(done.asked) {
            return;
        }
        done.asked = round as u8;
        drop(jobs);
        if let Some(player) = self.player {
            let branches = self.branches(node).into_iter();
            let refuted: Vec<Move> = branches
                .filter(|(.., known)| matches!(known, Known::Refuted))
                .map(|(ply, ..)| ply)
                .collect();
            if let Some(ply) = player(&node.position, &refuted, AGAIN.pow(round - 1)) {
                self.try_too(node, &node.child(self.rules, ply));
            }
        }
        if round >= FIRST_SURVEY {
            self.survey(node, spent / SURVEY, bounds);
        }
    }

    /// Of the moves that were not tried, counts among those that are tried the one
    /// of which the smallest share of replies resists a short search, of so many
    /// expansions for all moves; none where most replies resist.
    fn survey(&mut self, node: &Node, nodes: u64, bounds: &mut Bounds<'_>) {
        let check = node.key().check;
        let tried = self.jobs().done.get(&check).map(|done| done.tried.clone());
        let tried = tried.unwrap_or_default();
        let open: Vec<Node> = self
            .branches(node)
            .into_iter()
            .filter(|(_, after, known)| {
                matches!(known, Known::Open(_)) && !tried.contains(&after.key().check)
            })
            .map(|(_, after, _)| after)
            .collect();
        let each = nodes / open.len().max(1) as u64;
        let mut best: Option<(f64, Node)> = None;
        for after in open {
            if bounds.stopped || any_decided(&self.table, &bounds.line) {
                return;
            }
            let most = best.as_ref().map_or(MOST_RESIST, |&(share, _)| share);
            let before = self.nodes;
            bounds.above.plies += 1;
            bounds.line.push(after.key());
            let share = self.resisting(&after, each, most, bounds);
            bounds.line.pop();
            bounds.above.plies -= 1;
            self.spend(&after, self.nodes - before);
            if let Some(share) = share.filter(|&share| share < most) {
                best = Some((share, after));
            }
        }
        if let Some((_, after)) = best {
            self.try_too(node, &after);
        }
    }

    /// The share of a move's replies that resist a short search, of so many
    /// expansions for all of them, or a share that is not below `most`. `None`
    /// where one refutes it.
    fn resisting(
        &mut self,
        after: &Node,
        nodes: u64,
        most: f64,
        bounds: &mut Bounds<'_>,
    ) -> Option<f64> {
        let mut open = self.open_replies(after)?;
        // Those that seem hardest first: of most moves one look is enough.
        open.sort_by_key(|&((.., number), _)| std::cmp::Reverse(number));
        let each = (nodes / open.len().max(1) as u64).max(1);
        let all = self.branches(after).len();
        let mut resist = 0;
        let share = |resist: usize| (resist as f64 + 0.5) / (all as f64 + 1.0);
        for (_, reply) in open {
            if share(resist) >= most {
                break;
            }
            if !self.job(&reply.position, each, bounds) {
                resist += 1;
            }
            if matches!(self.known(&reply), Known::Refuted) {
                return None;
            }
        }
        (!bounds.stopped).then(|| share(resist))
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Mutex;

    use super::super::jobs::{Bounds, Known, for_jobs};
    use super::super::node::Node;
    use super::super::search::Observer;
    use super::super::{Options, Search};
    use crate::game::{Game, Move, Rules, Ruleset, Side};

    fn after(rules: &Rules, ply: &str) -> Node {
        let mut game = Game::new(rules);
        game.play(ply.parse().unwrap()).unwrap();
        Node::new(*game.position())
    }

    /// The greater the effort he is asked for, the seldomer, and a checkpoint knows.
    #[test]
    fn the_player_thinks_again_about_what_has_had_many_turns() {
        let rules = Rules::new(Ruleset::default());
        let root = after(&rules, "d2-f2");
        let [first, later]: [Move; 2] = ["d3-c3", "d3-b3"].map(|ply| ply.parse().unwrap());
        let efforts: Mutex<Vec<u64>> = Mutex::default();
        let player = |position: &_, _: &[Move], effort| {
            if *position != root.position {
                return None;
            }
            efforts.lock().unwrap().push(effort);
            Some(if effort < 16 { first } else { later })
        };
        let new = || Search::new(&rules, Side::Defenders, Options::new(1 << 20)).unwrap();
        let mut search = new();
        search.follow(&player);
        search.solve_in_turn(&root.position, 20, 60_000, &mut |_| true);
        let mut efforts = efforts.lock().unwrap().clone();
        efforts.retain(|&effort| effort > 1);
        // For 16, 64, 256 and 1024 first turns.
        assert_eq!(efforts, [4, 16, 64, 256]);
        let done = search.jobs().done[&root.key().check].clone();
        assert_eq!(done.asked, 5);
        let times = |ply| {
            let to = root.child(&rules, ply).key().check;
            done.tried.iter().filter(|&&check| check == to).count()
        };
        assert_eq!((times(first), times(later)), (1, 1));
        let mut bytes = Vec::new();
        search.save(&root.position, &mut bytes).unwrap();
        let mut again = new();
        again
            .restore(&root.position, &mut bytes.as_slice())
            .unwrap();
        assert_eq!(again.jobs().done[&root.key().check], done);
    }

    /// Nobody names a move, and the search's own numbers prefer others.
    #[test]
    fn a_survey_finds_the_move_to_which_most_replies_fall() {
        let rules = Rules::new(Ruleset::default());
        let root = after(&rules, "d2-g2");
        let mut search = Search::new(&rules, Side::Defenders, Options::new(16 << 20)).unwrap();
        let left = for_jobs(1_000_000);
        let observe: Observer<'_> = &mut |_| true;
        let mut bounds = Bounds::new(20, &left, observe);
        search.survey(&root, 200_000, &mut bounds);
        let found = search.jobs().done[&root.key().check].tried.clone();
        assert_eq!(
            found,
            [root.child(&rules, "d3-g3".parse().unwrap()).key().check]
        );
        let resist = |after: &Node| {
            let replies = search.branches(after);
            let open = replies
                .iter()
                .filter(|(.., known)| matches!(known, Known::Open(_)));
            open.count() as f64 / replies.len() as f64
        };
        for (_, after, _) in search.branches(&root) {
            assert_eq!(resist(&after) < 0.24, after.key().check == found[0]);
            // Each had its share, and one that seemed bad less.
            let spent = search.spent(&after);
            assert!(spent > 0 && spent <= 200_000 / 25, "{spent}");
        }
        assert!(search.nodes < 100_000);
    }
}
