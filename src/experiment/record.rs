//! What is kept of a game: one row. Imports `game` and why agents forfeit.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::agents::{Forfeit, ForfeitKind};
use crate::game::{Move, Outcome, Position, Reason, Side, Symmetry};

/// The columns of a chunk file, in order.
pub const COLUMNS: [&str; 12] = [
    "cell",
    "ruleset",
    "attackers",
    "defenders",
    "game",
    "winner",
    "reason",
    "plies",
    "attackers_left",
    "defenders_left",
    "opening",
    "moves_key",
];

/// Who won a game.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Winner {
    /// The attackers.
    Attackers,
    /// The defenders.
    Defenders,
    /// Nobody, by rule.
    Draw,
    /// Nobody: the game was stopped.
    None,
}

impl Winner {
    /// `attackers`, `defenders`, `draw` or `none`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Winner::Attackers => "attackers",
            Winner::Defenders => "defenders",
            Winner::Draw => "draw",
            Winner::None => "none",
        }
    }
}

impl fmt::Display for Winner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// Why no more moves were made.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "String", into = "String")]
pub enum Termination {
    /// The game ended on the board.
    Board(Reason),
    /// It reached the experiment's ply limit undecided.
    PlyLimit,
    /// The agent whose turn it was gave no legal move; the other side won.
    Forfeit(ForfeitKind),
}

impl Termination {
    /// Every way, in the order of columns.
    pub const ALL: [Termination; 10] = [
        Termination::Board(Reason::KingEscaped),
        Termination::Board(Reason::KingCaptured),
        Termination::Board(Reason::Encircled),
        Termination::Board(Reason::NoMoves),
        Termination::Board(Reason::Repetition),
        Termination::PlyLimit,
        Termination::Forfeit(ForfeitKind::Illegal),
        Termination::Forfeit(ForfeitKind::Crash),
        Termination::Forfeit(ForfeitKind::Silence),
        Termination::Forfeit(ForfeitKind::Malformed),
    ];

    /// The reason's name, `ply-limit`, or `forfeit-` and the kind.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Termination::Board(reason) => reason.name(),
            Termination::PlyLimit => "ply-limit",
            Termination::Forfeit(kind) => kind.name(),
        }
    }
}

impl TryFrom<String> for Termination {
    type Error = String;

    fn try_from(text: String) -> Result<Termination, String> {
        let named = |way: &Termination| way.name() == text;
        let found = Termination::ALL.into_iter().find(named);
        found.ok_or_else(|| format!("`{text}` is no way for a game to end"))
    }
}

impl From<Termination> for String {
    fn from(termination: Termination) -> String {
        termination.name().to_owned()
    }
}

impl fmt::Display for Termination {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}

/// How a game came to its end, and for whom.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum End {
    Board(Outcome),
    PlyLimit,
    /// This side's agent gave no legal move.
    Forfeit(Side, ForfeitKind),
}

impl End {
    /// How a game ended of which this is known when no more moves are made.
    pub(super) fn of(outcome: Option<Outcome>, forfeit: Option<&(Side, Forfeit)>) -> End {
        match (outcome, forfeit) {
            (Some(outcome), _) => End::Board(outcome),
            (None, Some((side, forfeit))) => End::Forfeit(*side, forfeit.kind()),
            (None, None) => End::PlyLimit,
        }
    }

    fn winner(self) -> Winner {
        let side = match self {
            End::Board(outcome) => outcome.winner,
            End::PlyLimit => return Winner::None,
            End::Forfeit(side, _) => Some(side.other()),
        };
        match side {
            Some(Side::Attackers) => Winner::Attackers,
            Some(Side::Defenders) => Winner::Defenders,
            None => Winner::Draw,
        }
    }

    fn termination(self) -> Termination {
        match self {
            End::Board(outcome) => Termination::Board(outcome.reason),
            End::PlyLimit => Termination::PlyLimit,
            End::Forfeit(_, kind) => Termination::Forfeit(kind),
        }
    }
}

/// One game, without what all games of its cell share.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GameRecord {
    /// The game's index in its cell.
    pub game: u64,
    /// Who won.
    pub winner: Winner,
    /// Why it ended.
    pub termination: Termination,
    /// Its length in plies.
    pub plies: u32,
    /// Attackers on the board at the end.
    pub attackers_left: u32,
    /// Defenders' soldiers on the board at the end, the king not counted.
    pub defenders_left: u32,
    /// The opening's moves up to the board's symmetries, joined by `.`; `-`
    /// where the agents play from the start.
    pub opening: String,
    /// Equal for games that are the same up to the board's symmetries.
    pub moves_key: MovesKey,
}

/// Makes the records of one cell's games.
pub(super) struct Recorder {
    /// The symmetries of the board that leave the start position alone.
    symmetries: Vec<Symmetry>,
    /// The symmetries not yet ruled out, and the bytes of the moves; kept to
    /// be used again.
    left: Vec<Symmetry>,
    bytes: Vec<u8>,
}

impl Recorder {
    pub(super) fn new(start: &Position) -> Recorder {
        let alike = |symmetry: &Symmetry| start.image(*symmetry) == *start;
        Recorder {
            symmetries: Symmetry::all().filter(alike).collect(),
            left: Vec::new(),
            bytes: Vec::new(),
        }
    }

    pub(super) fn record(
        &mut self,
        game: u64,
        end: End,
        last: &Position,
        moves: &[Move],
        opening_plies: usize,
    ) -> GameRecord {
        let symmetry = self.canonical(moves);
        GameRecord {
            game,
            winner: end.winner(),
            termination: end.termination(),
            plies: moves.len() as u32,
            attackers_left: last.attackers.len(),
            defenders_left: last.defenders.len(),
            opening: opening(&moves[..opening_plies], symmetry),
            moves_key: self.key(moves, symmetry),
        }
    }

    /// A symmetry that makes the moves smallest, compared move by move.
    fn canonical(&mut self, moves: &[Move]) -> Symmetry {
        self.left.clone_from(&self.symmetries);
        for &ply in moves {
            if self.left.len() == 1 {
                break;
            }
            let smallest = self.left.iter().map(|symmetry| symmetry.ply(ply)).min();
            self.left
                .retain(|symmetry| Some(symmetry.ply(ply)) == smallest);
        }
        self.left[0]
    }

    fn key(&mut self, moves: &[Move], symmetry: Symmetry) -> MovesKey {
        self.bytes.resize(2 * moves.len(), 0);
        for (bytes, &ply) in self.bytes.chunks_exact_mut(2).zip(moves) {
            let image = symmetry.ply(ply);
            bytes.copy_from_slice(&[image.from.index() as u8, image.to.index() as u8]);
        }
        MovesKey(xxhash_rust::xxh3::xxh3_64(&self.bytes))
    }
}

fn opening(moves: &[Move], symmetry: Symmetry) -> String {
    let names: Vec<String> = moves
        .iter()
        .map(|&ply| symmetry.ply(ply).to_string())
        .collect();
    if names.is_empty() {
        "-".to_owned()
    } else {
        names.join(".")
    }
}

/// A 64-bit key of a whole game: XXH3 of the moves, two bytes (origin and
/// target, 0 for `a1` to 48 for `g7`) each, in the smallest of the images
/// under those symmetries of the board that leave the start position alone.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct MovesKey(pub u64);

impl fmt::Display for MovesKey {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:016x}", self.0)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::Layout;

    fn moves(text: &str) -> Vec<Move> {
        text.split(' ').map(|ply| ply.parse().unwrap()).collect()
    }

    fn record(start: &Position, moves: &[Move]) -> GameRecord {
        Recorder::new(start).record(0, End::PlyLimit, start, moves, moves.len().min(2))
    }

    #[test]
    fn every_image_of_a_game_has_its_key_and_no_other_game_does() {
        let start = Layout::cross().position();
        let game = moves("d2-e2 c4-c1 d6-f6 e4-e7");
        let canonical = record(&start, &game);
        for symmetry in Symmetry::all() {
            let image: Vec<Move> = game.iter().map(|&ply| symmetry.ply(ply)).collect();
            let other = record(&start, &image);
            assert_eq!(other.moves_key, canonical.moves_key);
            assert_eq!(other.opening, canonical.opening);
        }
        let other = record(&start, &moves("d2-e2 c4-c1 d6-f6 e4-e6"));
        assert_ne!(other.moves_key, canonical.moves_key);
    }

    #[test]
    fn an_unsymmetrical_start_has_no_images() {
        let start = Layout::parse("/1t5/7/7/3K3/7/7/7/").unwrap().position();
        let left = record(&start, &moves("b1-c1")).moves_key;
        let mirrored = record(&start, &moves("f1-e1")).moves_key;
        assert_ne!(left, mirrored);
    }

    #[test]
    fn a_forfeit_is_the_other_sides_win_and_says_its_kind() {
        let start = Layout::cross().position();
        for (side, winner) in [
            (Side::Attackers, Winner::Defenders),
            (Side::Defenders, Winner::Attackers),
        ] {
            for kind in ForfeitKind::ALL {
                let end = End::Forfeit(side, kind);
                let record = Recorder::new(&start).record(0, end, &start, &[], 0);
                assert_eq!(record.winner, winner);
                assert_eq!(record.termination, Termination::Forfeit(kind));
                assert!(Termination::ALL.contains(&record.termination));
                assert!(record.termination.name().starts_with("forfeit-"));
            }
        }
    }

    #[test]
    fn the_key_is_the_published_hash_of_the_smallest_image() {
        // d1-c1 is square 3 to square 2; of its images under the symmetries
        // of the cross none is smaller.
        let start = Layout::cross().position();
        let key = record(&start, &moves("d7-e7")).moves_key;
        assert_eq!(key.0, xxhash_rust::xxh3::xxh3_64(&[3, 2]));
    }
}
