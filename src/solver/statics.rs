//! What can be said of a position at a glance: who wins with the next move or
//! the one after, and how much is left to do otherwise. Imports `game`.

use crate::game::{Move, MoveList, Position, Rules, Side};

/// What a glance says, for the side that is to prove a win.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Glance {
    /// The prover wins within so many plies, whatever the other does.
    Proved(u16),
    /// The prover does not win: the other side does, or the game is drawn.
    Refuted,
    /// The side to move has to meet a threat to win with the next move:
    /// attackers stand in the king's way, defenders save him from capture. It
    /// can in so many ways.
    Answers(u32),
    /// Any move may do.
    Quiet,
}

/// Looks at a position that a legal move has led to, repetition apart.
#[inline]
#[must_use]
pub fn glance(rules: &Rules, prover: Side, position: &Position) -> Glance {
    let won = |winner: Side, plies| {
        if winner == prover {
            Glance::Proved(plies)
        } else {
            Glance::Refuted
        }
    };
    if let Some(outcome) = rules.ending(position) {
        return match outcome.winner {
            Some(winner) => won(winner, 0),
            None => Glance::Refuted,
        };
    }
    let escapes = rules.escapes(position);
    match position.side {
        Side::Defenders if !escapes.is_empty() => won(Side::Defenders, 1),
        Side::Defenders if rules.king_capture(position).is_none() => Glance::Quiet,
        Side::Defenders => match rescues(rules, position) {
            0 => won(Side::Attackers, 2),
            ways => Glance::Answers(ways),
        },
        Side::Attackers => {
            if rules.king_capture(position).is_some() {
                return won(Side::Attackers, 1);
            }
            if escapes.is_empty() {
                return Glance::Quiet;
            }
            // Attackers who can neither take the king nor stand in his way
            // watch him go.
            match rules.blocks(position).count() as u32 {
                0 => won(Side::Defenders, 2),
                ways => Glance::Answers(ways),
            }
        }
    }
}

/// How many of the defenders' moves leave their king where he is not taken with
/// the next move.
fn rescues(rules: &Rules, position: &Position) -> u32 {
    let mut list = MoveList::new();
    rules.moves(position, &mut list);
    let saves = |&&ply: &&Move| {
        let after = rules.play(position, ply).position;
        match rules.ending(&after) {
            Some(outcome) => outcome.winner != Some(Side::Attackers),
            None => rules.king_capture(&after).is_none(),
        }
    };
    list.iter().filter(saves).count() as u32
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::{Game, preset, sample};
    use crate::solver::ShortWins;

    #[test]
    fn what_a_glance_says_is_what_trying_every_move_says() {
        let mut stream = crate::agents::stream([12; 32]);
        let mut met = [0; 5];
        for ruleset in preset::disputed_factorial() {
            let rules = Rules::new(ruleset);
            let mut wins = ShortWins::new(&rules);
            for _ in 0..60 {
                let mut game = Game::new(&rules);
                while game.outcome().is_none() && game.plies() < 60 {
                    let here = *game.position();
                    let other = here.side.other();
                    let seen = glance(&rules, other, &here);
                    assert_eq!(
                        matches!(seen, Glance::Refuted),
                        wins.win(&here, 1).is_some(),
                        "{here:?}"
                    );
                    let (kind, lost) = match seen {
                        Glance::Refuted => (0, None),
                        Glance::Proved(plies) => (1, Some(plies)),
                        Glance::Quiet => (2, None),
                        Glance::Answers(ways) => {
                            assert_eq!(ways, answers(&rules, &mut wins, &here), "{here:?}");
                            (3 + here.side as usize, None)
                        }
                    };
                    met[kind] += 1;
                    if kind > 0 {
                        assert_eq!(wins.loss(&here, 2).map(u16::from), lost, "{here:?}");
                    }
                    let Some(ply) = sample::random_move(&rules, &here, &mut stream) else {
                        break;
                    };
                    game.play_legal(ply);
                }
            }
        }
        assert!(met.iter().all(|&met| met > 20), "{met:?}");
    }

    /// The moves after which the other side does not win with the next.
    fn answers(rules: &Rules, wins: &mut ShortWins<'_>, here: &Position) -> u32 {
        let mut list = MoveList::new();
        rules.moves(here, &mut list);
        let holds = |&&ply: &&Move| {
            let after = rules.play(here, ply).position;
            match rules.ending(&after) {
                Some(outcome) => outcome.winner != Some(here.side.other()),
                None => wins.win(&after, 1).is_none(),
            }
        };
        list.iter().filter(holds).count() as u32
    }
}
