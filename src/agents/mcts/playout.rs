//! Games played on from a leaf of the tree: at random, or at random but for
//! what decides at once. Imports `game`.

use rand_core::Rng;

use super::fixed::WIN;
use crate::agents::Stream;
use crate::arch::Kind;
use crate::game::playouts::{Beginning, Ended, Games, Playouts, Seed};
use crate::game::sample::{below, random_move};
use crate::game::{Game, Move, MoveList, Position, Rules, Side};

/// A playout longer than this counts as a draw.
const MAX_PLIES: u32 = 200;

/// How often a move is drawn that shall keep the king from being captured,
/// before all are looked at.
const DRAWS: u32 = 4;

/// The mean result of random games for the side to move, in parts of a
/// [`WIN`]; repetitions are not looked for. The game must not be over.
pub(super) fn random_games(game: &Game<'_>, games: u32, stream: &mut Stream) -> u32 {
    let playouts = Playouts {
        rules: game.rules(),
        ply_limit: game.plies() + MAX_PLIES,
        history: false,
        kind: match games {
            1 => Kind::best_single(),
            _ => Kind::best(),
        },
    };
    let mut work = Work {
        game,
        stream,
        left: games,
        score: 0,
    };
    playouts.play(&mut work);
    work.score / games
}

/// Games from one position, each with seeds of its own.
struct Work<'a> {
    game: &'a Game<'a>,
    stream: &'a mut Stream,
    left: u32,
    score: u32,
}

impl Games for Work<'_> {
    fn next(&mut self) -> Option<Beginning<'_>> {
        self.left = self.left.checked_sub(1)?;
        let [mut attackers, mut defenders]: [Seed; 2] = Default::default();
        self.stream.fill_bytes(&mut attackers);
        self.stream.fill_bytes(&mut defenders);
        Some(Beginning {
            number: u64::from(self.left),
            opening: Some(self.game),
            attackers,
            defenders,
        })
    }

    fn end(&mut self, ended: &Ended<'_>) {
        self.score += match ended.outcome.and_then(|outcome| outcome.winner) {
            None => WIN / 2,
            Some(side) if side == self.game.position().side => WIN,
            Some(_) => 0,
        };
    }
}

/// Plays both sides: a win in one is taken and a loss in one stopped, all else
/// is at random.
pub(super) struct Decisive<'a> {
    pub(super) rules: &'a Rules,
}

/// What the player does.
enum Action {
    Play(Move),
    /// The game is as good as over.
    End(Option<Side>),
}

impl Decisive<'_> {
    /// The result for the side to move, in parts of a [`WIN`]; repetitions are
    /// not looked for.
    pub(super) fn play_on(&self, start: &Position, stream: &mut Stream) -> u32 {
        match self.winner(start, stream) {
            None => WIN / 2,
            Some(side) if side == start.side => WIN,
            Some(_) => 0,
        }
    }

    fn winner(&self, start: &Position, stream: &mut Stream) -> Option<Side> {
        let mut position = *start;
        for _ in 0..MAX_PLIES {
            let ply = match self.act(&position, stream) {
                Action::Play(ply) => ply,
                Action::End(winner) => return winner,
            };
            position = self.rules.play(&position, ply).position;
            if let Some(outcome) = self.rules.ending(&position) {
                return outcome.winner;
            }
        }
        None
    }

    fn act(&self, position: &Position, stream: &mut Stream) -> Action {
        if self.rules.decisive_move(position).is_some() {
            return Action::End(Some(position.side));
        }
        match position.side {
            Side::Attackers if !self.rules.escapes(position).is_empty() => {
                self.block(position, stream)
            }
            Side::Defenders if self.rules.king_captures(position).next().is_some() => {
                self.parry(position, stream)
            }
            _ => self.any_move(position, stream),
        }
    }

    fn any_move(&self, position: &Position, stream: &mut Stream) -> Action {
        random_move(self.rules, position, stream).map_or(Action::End(None), Action::Play)
    }

    /// Any move that keeps the king in; without one he is out.
    fn block(&self, position: &Position, stream: &mut Stream) -> Action {
        let mut chosen = Action::End(Some(Side::Defenders));
        for (index, block) in self.rules.blocks(position).enumerate() {
            // Each of them is kept with the same chance in the end.
            if below(index as u32 + 1, stream) == 0 {
                chosen = Action::Play(block);
            }
        }
        chosen
    }

    /// Any move that keeps the king from being captured; without one, any.
    fn parry(&self, position: &Position, stream: &mut Stream) -> Action {
        // Often a few draws find one, which is cheaper than to try all.
        for _ in 0..DRAWS {
            match self.any_move(position, stream) {
                Action::Play(ply) if !self.is_parry(position, ply) => {}
                action => return action,
            }
        }
        let mut list = MoveList::new();
        self.rules.moves(position, &mut list);
        let parries = list.iter().filter(|&&ply| self.is_parry(position, ply));
        let mut chosen = None;
        for (index, &parry) in parries.enumerate() {
            // Each of them is kept with the same chance in the end.
            if below(index as u32 + 1, stream) == 0 {
                chosen = Some(parry);
            }
        }
        chosen.map_or_else(|| self.any_move(position, stream), Action::Play)
    }

    fn is_parry(&self, position: &Position, ply: Move) -> bool {
        let after = self.rules.play(position, ply).position;
        self.rules.king_captures(&after).next().is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::agents::stream;

    /// In random games, whoever can stop a loss in one does, by each of the moves
    /// that do.
    #[test]
    fn a_loss_in_one_is_stopped_where_it_can_be() {
        let mut stream = stream([7; 32]);
        let mut stopped = [0; 2];
        for ruleset in crate::game::preset::disputed_factorial() {
            let rules = Rules::new(ruleset);
            let players = Decisive { rules: &rules };
            for _ in 0..40 {
                let mut game = Game::new(&rules);
                while game.outcome().is_none() && game.plies() < 100 {
                    let here = *game.position();
                    let turn = Position {
                        side: here.side.other(),
                        ..here
                    };
                    let mut list = MoveList::new();
                    game.moves(&mut list);
                    if rules.decisive_move(&here).is_none() && rules.decisive_move(&turn).is_some()
                    {
                        let stops = |ply: &Move| {
                            let after = rules.play(&here, *ply).position;
                            rules.ending(&after).is_none() && rules.decisive_move(&after).is_none()
                        };
                        let stops: Vec<Move> = list.iter().copied().filter(stops).collect();
                        let mut chosen = Vec::new();
                        for _ in 0..12 * stops.len() {
                            match players.act(&here, &mut stream) {
                                Action::Play(ply) => chosen.push(ply),
                                Action::End(winner) => {
                                    assert_eq!(winner, Some(here.side.other()), "{here}");
                                    assert!(stops.is_empty(), "{here}");
                                }
                            }
                        }
                        assert!(chosen.iter().all(|ply| stops.contains(ply)), "{here}");
                        assert!(stops.iter().all(|ply| chosen.contains(ply)), "{here}");
                        stopped[here.side as usize] += usize::from(!stops.is_empty());
                    }
                    let Some(ply) = random_move(&rules, &here, &mut stream) else {
                        break;
                    };
                    game.play_legal(ply);
                }
            }
        }
        assert!(
            stopped.iter().all(|&positions| positions > 100),
            "{stopped:?}"
        );
    }
}
