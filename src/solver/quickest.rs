//! Of moves that are known to win, the quickest. Imports `game` only.

use crate::game::{Move, MoveList, Position, Rules};

/// Of the moves after which every reply is `known` to lose, in so many plies from
/// the position it leads to, the one that wins soonest, if in fewer than `than`:
/// its place among all moves, itself, and within how many plies it wins.
pub(super) fn quickest(
    rules: &Rules,
    position: &Position,
    than: u16,
    known: &mut dyn FnMut(&Position) -> Option<u16>,
) -> Option<(u16, Move, u16)> {
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    let (mut least, mut best) = (than, None);
    let mut refutation = None;
    for (place, &ply) in (0..).zip(&list) {
        let after = rules.play(position, ply).position;
        if rules.ending(&after).is_some() {
            continue;
        }
        let most = least.saturating_sub(2);
        if let Some(longest) = loses_within(rules, &after, most, &mut refutation, known) {
            least = longest + 1;
            best = Some((place, ply, least));
        }
    }
    best
}

/// The other side to move: within how many plies it loses, if that is known of all
/// its moves and at most so many. A move of which it is not is left in
/// `refutation`, and what was left there is tried first: it is often good after
/// other moves too.
fn loses_within(
    rules: &Rules,
    position: &Position,
    most: u16,
    refutation: &mut Option<Move>,
    known: &mut dyn FnMut(&Position) -> Option<u16>,
) -> Option<u16> {
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    let first = list.iter().find(|&&ply| Some(ply) == *refutation);
    let mut longest = 0;
    for &ply in first.into_iter().chain(&list) {
        let plies = known(&rules.play(position, ply).position);
        let plies = plies.and_then(|plies| plies.checked_add(1));
        let Some(plies) = plies.filter(|&plies| plies <= most) else {
            *refutation = Some(ply);
            return None;
        };
        longest = longest.max(plies);
    }
    Some(longest)
}
