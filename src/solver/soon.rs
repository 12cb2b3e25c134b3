//! Wins within three plies, found by the few moves that can be the first of one:
//! what a search asks of a position before it gives it a place. Imports `game`,
//! glances and the check.

use super::check::{self, LEFT_OUT};
use super::statics::{Glance, glance};
use crate::game::{Bitboard, Move, Position, Rules, Side, Square, between};

/// Whether the side to move has a move after which the other can do nothing
/// against its winning with the next. It has where this says so. Overlooked are
/// moves that win because the other side cannot move or is encircled, and those
/// of attackers that do not come beside the king.
#[inline]
#[must_use]
pub fn wins_in_three(rules: &Rules, position: &Position) -> bool {
    begins_with(rules, position, |ply| {
        let after = rules.play(position, ply).position;
        matches!(glance(rules, position.side, &after), Glance::Proved(_))
    })
}

/// Whether the side to move wins within three plies, and within how many, as
/// [`check::short_win`] says it: much quicker where it does.
#[must_use]
pub fn short_win(rules: &Rules, position: &Position) -> Option<u16> {
    seen_short_win(rules, position).or_else(|| check::short_win(rules, position))
}

/// The same, but for what is [overlooked](wins_in_three): much quicker where it
/// does not, too.
#[must_use]
pub fn seen_short_win(rules: &Rules, position: &Position) -> Option<u16> {
    if check::wins_at_once(rules, position) {
        Some(1)
    } else {
        let decides = |ply| check::threatens_all(rules, &rules.play(position, ply).position);
        begins_with(rules, position, decides).then_some(LEFT_OUT)
    }
}

/// Whether one of the few moves that can be the first of a short win decides.
#[inline]
fn begins_with(rules: &Rules, position: &Position, decides: impl Fn(Move) -> bool) -> bool {
    match position.side {
        Side::Defenders => lets_the_king_out(rules, position, decides),
        Side::Attackers => closes_in(rules, position, decides),
    }
}

/// Only from an edge does the king see corners: he goes to one, or stands there
/// while a soldier opens his way.
fn lets_the_king_out(rules: &Rules, position: &Position, decides: impl Fn(Move) -> bool) -> bool {
    let Some(from) = position.king.first() else {
        return false;
    };
    let edges = rules.king_reach(position) & Bitboard::EDGES;
    edges.into_iter().any(|to| decides(Move { from, to }))
        || position.king.meets(Bitboard::EDGES) && opens_a_way(rules, position, from, decides)
}

/// Whether a soldier leaves, or takes what stands on, the king's way along an
/// edge.
fn opens_a_way(
    rules: &Rules,
    position: &Position,
    king: Square,
    decides: impl Fn(Move) -> bool,
) -> bool {
    let mut taking = false;
    for corner in Bitboard::CORNERS {
        if king.file() != corner.file() && king.rank() != corner.rank() {
            continue;
        }
        let way = between(king, corner);
        let (own, theirs) = (way & position.defenders, way & position.attackers);
        if own.len() > 1 {
            continue;
        }
        taking |= !theirs.is_empty();
        if theirs.is_empty()
            && let Some(from) = own.first()
        {
            let aside = rules.soldier_reach(from, position.occupied()) - way;
            if aside.into_iter().any(|to| decides(Move { from, to })) {
                return true;
            }
        }
    }
    taking && {
        let squares = rules.capture_squares(position, Side::Defenders);
        rules
            .soldiers_moves_to(position, Side::Defenders, squares)
            .any(&decides)
    }
}

/// Whether an attacker comes beside the king, and nothing saves him.
fn closes_in(rules: &Rules, position: &Position, decides: impl Fn(Move) -> bool) -> bool {
    rules
        .soldiers_moves_to(position, Side::Attackers, position.king.neighbours())
        .any(&decides)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, Preset, Ruleset, preset, sample};
    use crate::solver::{ShortWins, check};

    /// Under all of these rules, what is found is a win by the definition, and
    /// nearly every win that the check of a certificate finds, by trying every
    /// move, is found.
    #[test]
    fn what_is_found_are_wins_and_few_are_overlooked() {
        let mut stream = crate::agents::stream([31; 32]);
        // For each side: wins, and those of them that were found.
        let mut seen = [[0; 2]; 2];
        let named = Preset::ALL.iter().map(Preset::ruleset);
        let rulesets: Vec<Ruleset> = named.chain(preset::disputed_factorial()).collect();
        for ruleset in rulesets {
            let rules = Rules::new(ruleset);
            let mut wins = ShortWins::new(&rules);
            for _ in 0..40 {
                let mut game = Game::new(&rules);
                while game.outcome().is_none() && game.plies() < 80 {
                    let here = *game.position();
                    if wins.win(&here, 1).is_none() {
                        let found = wins_in_three(&rules, &here);
                        let said = check::short_win(&rules, &here);
                        assert_eq!(short_win(&rules, &here), said);
                        assert!(said.is_none() || wins.win(&here, 3).is_some(), "{here:?}");
                        let quick = seen_short_win(&rules, &here);
                        assert!(quick.is_none() || quick == said, "{here:?}");
                        assert!(!found || wins.win(&here, 3).is_some(), "{here:?}");
                        if check::wins_in_three(&rules, &here).is_some() {
                            let [all, some] = &mut seen[here.side as usize];
                            *all += 1;
                            *some += u32::from(found);
                        }
                    }
                    let Some(ply) = sample::random_move(&rules, &here, &mut stream) else {
                        break;
                    };
                    game.play_legal(ply);
                }
            }
        }
        let [[attackers, taken], [defenders, out]] = seen;
        assert!(
            defenders > 10_000 && out * 100 >= defenders * 99,
            "{seen:?}"
        );
        assert!(attackers > 200 && taken * 100 >= attackers * 75, "{seen:?}");
    }
}
