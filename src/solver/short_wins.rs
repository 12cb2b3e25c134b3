/*!
Forced wins in few plies, by trying every move and every reply. Imports `game`
only.

Nothing is left out but moves that lose at once, so that the answer is exact for
the position alone: there is a forced win in at most so many plies, or there is
none. A win's plies fall with every move, so it never needs a repetition, and
none is looked for.
*/

use std::collections::HashMap;

use crate::game::{Move, MoveList, NoMoves, Position, Rules, Side};

/// The most plies that are worth asking for: each two more take some fifty times
/// as long.
pub const MOST_PLIES: u8 = 9;
/// Positions remembered at most, some 40 bytes each.
const MEMORY: usize = 1 << 18;

/// What is known of a position for its side to move.
#[derive(Clone, Copy, Default)]
struct Known {
    /// It wins in so many plies; 0 if that is not known.
    wins: u8,
    /// It does not win in so many.
    not_in: u8,
}

/// Looks for short wins under one ruleset. It remembers what it has found.
pub struct ShortWins<'r> {
    rules: &'r Rules,
    /// Whether a side can win otherwise than by the king's capture or escape.
    other_wins: bool,
    known: HashMap<[u64; 2], Known>,
    /// For so many plies left, the reply that last held.
    held: [Option<Move>; MOST_PLIES as usize + 2],
}

impl<'r> ShortWins<'r> {
    /// Under these rules.
    #[must_use]
    pub fn new(rules: &'r Rules) -> ShortWins<'r> {
        let ruleset = rules.ruleset();
        ShortWins {
            rules,
            other_wins: ruleset.encirclement || ruleset.no_moves == NoMoves::Loses,
            known: HashMap::new(),
            held: [None; MOST_PLIES as usize + 2],
        }
    }

    /// In how few plies the side to move forces a win, if it can in `most` or
    /// less, at most [`MOST_PLIES`]. The game must not be over.
    #[must_use]
    pub fn win(&mut self, position: &Position, most: u8) -> Option<u8> {
        let most = most.min(MOST_PLIES);
        (1..=most)
            .step_by(2)
            .find(|&plies| self.wins(position, plies))
    }

    /// In how few plies the other side forces a win, whatever the side to move
    /// does, if it can in `most` or less, at most one more than [`MOST_PLIES`].
    /// The game must not be over.
    #[must_use]
    pub fn loss(&mut self, position: &Position, most: u8) -> Option<u8> {
        let most = most.min(MOST_PLIES + 1);
        (2..=most)
            .step_by(2)
            .find(|&plies| self.loses(position, plies))
    }

    /// Whether the side to move wins in so many plies, an odd number.
    fn wins(&mut self, position: &Position, plies: u8) -> bool {
        if self.rules.decisive_move(position).is_some() {
            return true;
        }
        if plies == 1 && !self.other_wins {
            return false;
        }
        let known = self.known.get(&position.key()).copied();
        let known = known.unwrap_or_default();
        if known.wins > 0 && known.wins <= plies {
            return true;
        }
        if known.not_in >= plies {
            return false;
        }
        let won = self
            .worth_trying(position)
            .iter()
            .any(|&ply| self.wins_by(position, ply, plies));
        if self.known.len() >= MEMORY {
            self.known.clear();
        }
        let known = self.known.entry(position.key()).or_default();
        if won {
            known.wins = plies;
        } else {
            known.not_in = plies;
        }
        won
    }

    fn wins_by(&mut self, position: &Position, ply: Move, plies: u8) -> bool {
        let after = self.rules.play(position, ply).position;
        match self.rules.ending(&after) {
            Some(outcome) => outcome.winner == Some(position.side),
            None => plies > 1 && self.loses(&after, plies - 1),
        }
    }

    /// Whether the side to move loses in so many plies, an even number.
    fn loses(&mut self, position: &Position, plies: u8) -> bool {
        if self.rules.decisive_move(position).is_some() {
            return false;
        }
        let place = usize::from(plies);
        // What held in one place mostly holds in the next.
        if let Some(reply) = self.held[place]
            && self.rules.is_legal(position, reply)
            && !self.loses_after(position, reply, plies)
        {
            return false;
        }
        let holds = |this: &mut Self, reply| !this.loses_after(position, reply, plies);
        let list = self.worth_trying(position);
        let reply = list.into_iter().find(|&reply| holds(self, reply));
        if reply.is_some() {
            self.held[place] = reply;
        }
        reply.is_none()
    }

    fn loses_after(&mut self, position: &Position, reply: Move, plies: u8) -> bool {
        let after = self.rules.play(position, reply).position;
        // Nobody loses by his own move.
        self.rules.ending(&after).is_none() && self.wins(&after, plies - 1)
    }

    /// The moves, those apart that let the king out at once.
    fn worth_trying(&self, position: &Position) -> MoveList {
        let mut list = MoveList::new();
        if position.side == Side::Attackers && !self.rules.escapes(position).is_empty() {
            list.extend(self.rules.blocks(position));
        } else {
            self.rules.moves(position, &mut list);
        }
        list
    }
}

#[cfg(test)]
mod tests {
    use rand_core::SeedableRng;
    use rand_xoshiro::Xoshiro256PlusPlus;

    use super::*;
    use crate::game::{Game, Preset, sample};

    /// The same by the definition alone.
    fn wins(rules: &Rules, position: &Position, plies: u8) -> bool {
        each(rules, position).any(|after| match rules.ending(&after) {
            Some(outcome) => outcome.winner == Some(position.side),
            None => plies > 1 && loses(rules, &after, plies - 1),
        })
    }

    fn loses(rules: &Rules, position: &Position, plies: u8) -> bool {
        each(rules, position).all(|after| match rules.ending(&after) {
            Some(outcome) => outcome.winner == Some(position.side.other()),
            None => wins(rules, &after, plies - 1),
        })
    }

    fn each<'a>(rules: &'a Rules, position: &'a Position) -> impl Iterator<Item = Position> + 'a {
        let mut list = MoveList::new();
        rules.moves(position, &mut list);
        list.into_iter()
            .map(|ply| rules.play(position, ply).position)
    }

    #[test]
    fn wins_and_losses_are_those_of_the_definition() {
        let mut found = [0; 4];
        let mut numbers = Xoshiro256PlusPlus::seed_from_u64(5);
        let presets = Preset::ALL.iter().map(Preset::ruleset);
        for ruleset in presets {
            let rules = Rules::new(ruleset);
            let mut short = ShortWins::new(&rules);
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 80 {
                let position = *game.position();
                for (place, plies) in [(0, 1), (1, 3)] {
                    let expected = wins(&rules, &position, plies);
                    assert_eq!(short.wins(&position, plies), expected, "{position}");
                    found[place] += u32::from(expected);
                }
                let expected = loses(&rules, &position, 2);
                assert_eq!(short.loses(&position, 2), expected, "{position}");
                found[2] += u32::from(expected);
                found[3] += 1;
                let Some(ply) = sample::random_move(&rules, &position, &mut numbers) else {
                    break;
                };
                game.play_legal(ply);
            }
        }
        assert!(found.iter().all(|&count| count > 20), "{found:?}");
    }
}
