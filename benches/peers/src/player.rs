//! The peer's AIs, asked for a move in a position of ours.

use std::time::Duration;

use brandub::agents::Stream;
use brandub::game::sample::below;
use brandub::game::{Move, Position, SIDE_LEN, Side, Square};
use hnefatafl_copenhagen::ai::{AI, AiMonteCarlo};
use hnefatafl_copenhagen::board::{Board, BoardSize};
use hnefatafl_copenhagen::game::{Game, PreviousBoards};
use hnefatafl_copenhagen::play::{Plae, Plays, Vertex};
use hnefatafl_copenhagen::role::Role;
use hnefatafl_copenhagen::space::Space;
use hnefatafl_copenhagen::time::TimeSettings;

/// Playouts of the peer's Monte Carlo search go so many plies deep, as in its own program.
const PLAYOUT_PLIES: u8 = 20;
/// The peer's search looks up moves by their number in the game and counts from before its
/// beginning; so many absent ones are put in front.
const ABSENT_PLAYS: usize = 64;

/// One of the peer's AIs.
pub enum Player {
    /// Alpha-beta to so many plies with its evaluation.
    Basic {
        /// 1 to 8; the crate's own default is 4.
        plies: u8,
    },
    /// Monte Carlo tree search for so long, on all processors.
    MonteCarlo(Duration),
}

/// Why there is no move.
#[derive(Debug, thiserror::Error)]
pub enum PlayerError {
    /// The peer knows no legal move here, or resigns.
    #[error("the peer has no move")]
    NoMove,
    /// What its own program would say.
    #[error("the peer says: {0}")]
    Peer(String),
}

impl Player {
    /// A move in the last of these positions, which are those of the whole game.
    pub fn choose(
        &self,
        positions: &[Position],
        stream: &mut Option<Stream>,
    ) -> Result<Move, PlayerError> {
        let mut game = peer_game(positions).ok_or(PlayerError::NoMove)?;
        let play = match self {
            Player::Basic { plies } => basic(&game, *plies, stream),
            Player::MonteCarlo(time) => {
                let mut ai = AiMonteCarlo::new(*time, PLAYOUT_PLIES);
                let found = ai.generate_move(&mut game);
                Some(found.map_err(|e| PlayerError::Peer(e.to_string()))?.play)
            }
        };
        match play {
            Some(Plae::Play(play)) => Ok(Move {
                from: square(play.from),
                to: square(play.to),
            }),
            _ => Err(PlayerError::NoMove),
        }
    }
}

/// The peer's `AiBasic`: its obvious move, else the best of its alpha-beta search. The root's
/// moves are compared here, since near the end of a game its own search gives back a move other
/// than the one it found; their values are the search's.
fn basic(game: &Game, plies: u8, stream: &mut Option<Stream>) -> Option<Plae> {
    if let Some(play) = game.obvious_play() {
        return Some(play);
    }
    let sign = match game.turn {
        Role::Attacker => 1.0,
        _ => -1.0,
    };
    let mut best: Vec<Plae> = Vec::new();
    let mut most = f64::NEG_INFINITY;
    for play in game.all_legal_plays() {
        let mut child = game.clone();
        if child.play(&play).is_err() {
            continue;
        }
        let (low, high) = (f64::NEG_INFINITY, f64::INFINITY);
        let depth = plies - 1;
        let (_, value, _) = child.alpha_beta(usize::from(depth), depth, None, low, high);
        let worth = sign * value;
        if best.is_empty() || worth > most {
            most = worth;
            best.clear();
        }
        if worth >= most {
            best.push(play);
        }
    }
    let chosen = match stream {
        Some(stream) if !best.is_empty() => below(best.len() as u32, stream) as usize,
        _ => 0,
    };
    (!best.is_empty()).then(|| best.swap_remove(chosen))
}

/// The peer's game at the last of these positions, its past boards known to it.
fn peer_game(positions: &[Position]) -> Option<Game> {
    let now = positions.last()?;
    let mut game = Game::make(BoardSize::_7, &TimeSettings::UnTimed);
    game.board = board(now);
    game.previous_boards = PreviousBoards(positions.iter().map(board).collect());
    game.plays = Plays::PlayRecords(vec![None; ABSENT_PLAYS]);
    game.turn = match now.side {
        Side::Attackers => Role::Attacker,
        Side::Defenders => Role::Defender,
    };
    Some(game)
}

/// The peer's rows go from rank 7 down.
fn board(position: &Position) -> Board {
    let mut board = Board::new(BoardSize::_7);
    for square in Square::all() {
        let vertex = vertex(square);
        board.spaces[vertex.y * SIDE_LEN + vertex.x] = match position.symbol(square) {
            't' => Space::Attacker,
            'T' => Space::Defender,
            'K' => Space::King,
            _ => Space::Empty,
        };
    }
    board.king = position.king.first().map(vertex);
    board.attackers_captured = 8_usize.saturating_sub(position.attackers.len() as usize);
    board.defenders_captured = 4_usize.saturating_sub(position.defenders.len() as usize);
    board
}

fn vertex(square: Square) -> Vertex {
    Vertex {
        size: BoardSize::_7,
        x: square.file() as usize,
        y: SIDE_LEN - 1 - square.rank() as usize,
    }
}

fn square(vertex: Vertex) -> Square {
    Square::new((SIDE_LEN - 1 - vertex.y) * SIDE_LEN + vertex.x)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use brandub::agents::stream;
    use brandub::game::{Bitboard, Game as Ours, MoveList, Outcome, Repetition, Rules, Ruleset};
    use hnefatafl_copenhagen::status::Status;

    use super::*;

    /// Expects the same legal moves here and there, and counts those that capture or end the game
    /// differently, by kind.
    fn compare(game: &Ours<'_>, differences: &mut BTreeMap<String, u32>) {
        let peer = peer_game(&[*game.position()]).expect("a position");
        let mut theirs: Vec<Move> = Vec::new();
        let mut list = MoveList::new();
        game.moves(&mut list);
        for play in peer.all_legal_plays() {
            let Plae::Play(play) = play else { continue };
            let ply = Move {
                from: square(play.from),
                to: square(play.to),
            };
            theirs.push(ply);
            let mut child = peer.clone();
            let captured = child.play(&Plae::Play(play)).expect("a legal play").0;
            let captured: Bitboard = captured.into_iter().map(square).collect();
            let (played, outcome) = game.preview(ply);
            *differences.entry("moves".to_owned()).or_default() += 1;
            if captured != played.captured {
                let more = if played.captured.is_subset(captured) {
                    "more"
                } else {
                    "other"
                };
                let kind = format!("captures {more}");
                *differences.entry(kind).or_default() += 1;
            } else if let Some(kind) = ends_otherwise(outcome, &child.status) {
                *differences.entry(kind).or_default() += 1;
            }
        }
        theirs.sort_unstable();
        assert_eq!(&theirs[..], &list[..], "{}", game.position());
    }

    fn ends_otherwise(ours: Option<Outcome>, theirs: &Status) -> Option<String> {
        let name = ours.map_or("ongoing", Outcome::result);
        let other = match theirs {
            Status::AttackerWins => "attackers",
            Status::DefenderWins => "defenders",
            Status::Draw => "draw",
            Status::Ongoing => "ongoing",
        };
        let reason = ours.map_or("-", |outcome| outcome.reason.name());
        (name != other).then(|| format!("{name} ({reason}) here, {other} there"))
    }

    /// Random games, repetition ignored.
    #[test]
    fn the_peer_has_our_moves_captures_and_endings() {
        let ruleset = Ruleset {
            repetition: Repetition::Ignored,
            ..crate::dialogue::played()
        };
        let rules = Rules::new(ruleset);
        let mut differences = BTreeMap::new();
        for number in 0..300_u16 {
            let mut bytes = [0x5a; 32];
            bytes[..2].copy_from_slice(&number.to_le_bytes());
            let mut random = stream(bytes);
            let mut game = Ours::new(&rules);
            while game.outcome().is_none() && game.plies() < 150 {
                compare(&game, &mut differences);
                let mut list = MoveList::new();
                game.moves(&mut list);
                game.play_legal(list[below(list.len() as u32, &mut random) as usize]);
            }
        }
        let moves = differences.remove("moves");
        assert!(
            moves > Some(500_000) && differences.is_empty(),
            "{moves:?} {differences:#?}"
        );
    }
}
