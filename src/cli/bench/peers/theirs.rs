//! Random games by the crate `hnefatafl` alone.

use brandub::agents::Stream;
use brandub::game::sample::below;
use brandub::game::{Move, SIDE_LEN, Side, Square};
use hnefatafl::aliases::{SmallBasicBoardState, SmallBasicGameLogic, SmallBasicGameState};
use hnefatafl::board::state::BoardState;
use hnefatafl::game::{GameOutcome, GameStatus};
use hnefatafl::pieces::Side as PeerSide;
use hnefatafl::play::{Play, ValidPlay};
use hnefatafl::preset::{boards, rules};
use hnefatafl::tiles::Tile;

/// Draws that may fail before the moves are listed.
const MAX_DRAWS: u32 = 64;

/// How a random move is found.
#[derive(Clone, Copy)]
pub enum Choosing {
    /// A piece and one of its twelve rook targets, until the move is valid.
    Drawn,
    /// From the list of all moves, as the crate gives them.
    Listed,
}

/// The crate's rules and its start.
pub struct Theirs {
    pub logic: SmallBasicGameLogic,
    pub start: SmallBasicGameState,
}

impl Theirs {
    pub fn new() -> Theirs {
        let start = SmallBasicGameState::new(boards::BRANDUBH, rules::BRANDUBH.starting_side);
        Theirs {
            logic: SmallBasicGameLogic::new(rules::BRANDUBH, SIDE_LEN as u8),
            start: start.expect("the crate's own start position"),
        }
    }

    /// A random game of at most so many plies: how many it took, and who won.
    pub fn play(&self, way: Choosing, most: u32, numbers: &mut Stream) -> (u32, Option<Side>) {
        let mut state = self.start;
        let mut plies = 0;
        while state.status == GameStatus::Ongoing && plies < most {
            let play = match way {
                Choosing::Drawn => self.drawn(&state, numbers),
                Choosing::Listed => self.listed(&state, numbers),
            };
            let Some(play) = play else { break };
            state = self.logic.do_valid_play(play, state).new_state;
            plies += 1;
        }
        (plies, winner(&state))
    }

    fn drawn(&self, state: &SmallBasicGameState, numbers: &mut Stream) -> Option<ValidPlay> {
        let mut tiles = [Tile::new(0, 0); SIDE_LEN * SIDE_LEN];
        let mut count = 0;
        for tile in state.board.occupied_by_side(state.side_to_play) {
            tiles[count] = tile;
            count += 1;
        }
        for _ in 0..MAX_DRAWS {
            let from = tiles[below(count as u32, numbers) as usize];
            let play = Play::from_tiles(from, rook_target(from, below(12, numbers) as u8));
            let valid = play.ok().map(|play| self.logic.validate_play(play, state));
            if let Some(Ok(valid)) = valid {
                return Some(valid);
            }
        }
        self.listed(state, numbers)
    }

    fn listed(&self, state: &SmallBasicGameState, numbers: &mut Stream) -> Option<ValidPlay> {
        let list = self.list(state);
        let some = (!list.is_empty()).then_some(list.len() as u32)?;
        list.into_iter().nth(below(some, numbers) as usize)
    }

    /// Every valid play of the side to move.
    pub fn list(&self, state: &SmallBasicGameState) -> Vec<ValidPlay> {
        let mut list = Vec::with_capacity(64);
        for tile in state.board.occupied_by_side(state.side_to_play) {
            let plays = self.logic.iter_plays(tile, state);
            list.extend(plays.into_iter().flatten());
        }
        list
    }
}

/// The twelve other tiles of its row and column.
fn rook_target(from: Tile, number: u8) -> Tile {
    let skip = |own: u8, number: u8| number + u8::from(number >= own);
    match number {
        0..6 => Tile::new(from.row, skip(from.col, number)),
        _ => Tile::new(skip(from.row, number - 6), from.col),
    }
}

/// Who has won, if somebody has.
pub fn winner(state: &SmallBasicGameState) -> Option<Side> {
    match state.status {
        GameStatus::Over(GameOutcome::Win(_, PeerSide::Attacker)) => Some(Side::Attackers),
        GameStatus::Over(GameOutcome::Win(_, PeerSide::Defender)) => Some(Side::Defenders),
        _ => None,
    }
}

/// A play as this program's move.
pub fn our_move(play: ValidPlay) -> Move {
    Move {
        from: square(play.play.from),
        to: square(play.play.to()),
    }
}

/// This program's move as a play; whether it is valid is not asked.
pub fn their_play(ply: Move) -> ValidPlay {
    let play = Play::from_tiles(tile(ply.from), tile(ply.to));
    ValidPlay {
        play: play.expect("a move keeps to a rank or a file"),
    }
}

/// A tile as this program's square.
pub fn square(tile: Tile) -> Square {
    Square::new(usize::from(tile.row) * SIDE_LEN + usize::from(tile.col))
}

fn tile(square: Square) -> Tile {
    Tile::new(square.rank() as u8, square.file() as u8)
}

/// Where the crate has pieces of a side.
pub fn squares(board: &SmallBasicBoardState, side: PeerSide) -> brandub::game::Bitboard {
    board
        .occupied_by_side(side)
        .into_iter()
        .map(square)
        .collect()
}
