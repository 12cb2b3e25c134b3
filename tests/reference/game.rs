//! One game under one ruleset: who may move where, what a move captures, when the game is over.
//! Each rule is a function that reads like its sentence in the rules document.

use std::{
    collections::{BTreeMap, BTreeSet},
    sync::Arc,
};

use super::{
    board::{
        Board, DIRECTIONS, Piece, Side, Square, THRONE, is_corner, is_edge, read_position,
        read_square, square_name, step, write_position,
    },
    rules::Rules,
};

/// A game in progress or over.
#[derive(Clone, Debug)]
pub struct Game {
    rules: Arc<Rules>,
    board: Board,
    side: Side,
    /// How often each position, with the side to move, has stood.
    history: BTreeMap<String, u64>,
    outcome: Option<(String, String)>,
}

impl Game {
    /// A game from a position string and a side to move, or from the layout with the attackers to
    /// move. If the side to move cannot, the game is over at once by `no-moves`.
    ///
    /// # Errors
    /// If the position cannot be read or holds a piece where it may never stand.
    pub fn new(rules: &Rules, position: Option<&str>, side: Option<&str>) -> Result<Game, String> {
        let board = match position {
            Some(text) => read_position(text)?,
            None => rules.start.clone(),
        };
        let mut game = Game {
            rules: Arc::new(rules.clone()),
            board,
            side: side.map_or(Ok(Side::Attackers), Side::from_name)?,
            history: BTreeMap::new(),
            outcome: None,
        };
        game.check_pieces()?;
        game.history.insert(game.standing(), 1);
        if game.side_cannot_move() {
            game.end_by_no_moves();
        }
        Ok(game)
    }

    fn check_pieces(&self) -> Result<(), String> {
        if self.board.values().filter(|p| **p == Piece::King).count() != 1 {
            return Err("a position holds exactly one king".to_owned());
        }
        for (&square, &piece) in &self.board {
            if is_corner(square) {
                return Err(format!("no piece may stand on {}", square_name(square)));
            }
            if square == THRONE && piece != Piece::King && self.throne_is_reserved() {
                return Err("only the king may stand on the throne".to_owned());
            }
        }
        Ok(())
    }

    /// The position string.
    pub fn position(&self) -> String {
        write_position(&self.board)
    }

    /// The name of the side to move.
    pub fn side(&self) -> String {
        self.side.name().to_owned()
    }

    /// Winner (`attackers`, `defenders` or `draw`) and reason, once the game is over.
    pub fn outcome(&self) -> Option<(String, String)> {
        self.outcome.clone()
    }

    /// All legal moves, such as `d2-e2`, sorted; none once the game is over.
    pub fn legal_moves(&self) -> Vec<String> {
        if self.outcome.is_some() {
            return Vec::new();
        }
        let mut moves: Vec<String> = self
            .moves_of_side()
            .iter()
            .map(|(from, to)| format!("{}-{}", square_name(*from), square_name(*to)))
            .collect();
        moves.sort();
        moves
    }

    /// Plays a move and gives the captured squares, sorted, a captured king's among them.
    ///
    /// # Errors
    /// If the game is over or the move is not legal; the game is then unchanged.
    pub fn play(&mut self, text: &str) -> Result<Vec<String>, String> {
        if self.outcome.is_some() {
            return Err(format!("{text}: the game is over"));
        }
        let (from, to) = text
            .split_once('-')
            .ok_or_else(|| format!("{text:?} is not a move"))?;
        let (from, to) = (read_square(from)?, read_square(to)?);
        let piece = self.board.get(&from).copied();
        if piece.is_none_or(|p| p.side() != self.side) || !self.reach(from).contains(&to) {
            return Err(format!("{text} is not legal"));
        }

        let mover = self.side;
        let moved = self.board.remove(&from).expect("a piece was seen there");
        self.board.insert(to, moved);
        // All are judged on this one position; they are lifted together afterwards.
        let captured = self.captured_by_move_to(to);
        let king_captured = captured
            .iter()
            .any(|square| self.board[square] == Piece::King);
        for square in &captured {
            self.board.remove(square);
        }
        self.side = mover.other();
        let stood = self.history.entry(self.standing()).or_insert(0);
        *stood += 1;
        let stood = *stood;
        self.judge_endings(mover, king_captured, stood);

        let mut names: Vec<String> = captured.into_iter().map(square_name).collect();
        names.sort();
        Ok(names)
    }

    /// Pieces and side to move: what must be equal for a position to have stood before.
    fn standing(&self) -> String {
        format!("{} {}", self.position(), self.side.name())
    }

    fn throne_is_reserved(&self) -> bool {
        self.rules.is("throne", "reserved")
    }

    // Moving.

    fn moves_of_side(&self) -> Vec<(Square, Square)> {
        let mut moves = Vec::new();
        for (&from, piece) in &self.board {
            if piece.side() == self.side {
                moves.extend(self.reach(from).into_iter().map(|to| (from, to)));
            }
        }
        moves
    }

    /// Every square the piece on `from` may move to: any number of empty squares in a straight
    /// line.
    fn reach(&self, from: Square) -> Vec<Square> {
        let piece = self.board[&from];
        let mut reached = Vec::new();
        for direction in DIRECTIONS {
            let mut here = from;
            while let Some(next) = step(here, direction) {
                if self.board.contains_key(&next) {
                    break;
                }
                if self.may_stop(piece, next) {
                    reached.push(next);
                }
                let one_square = piece == Piece::King && self.rules.is("king_speed", "step");
                if one_square || !self.may_pass(piece, next) {
                    break;
                }
                here = next;
            }
        }
        reached
    }

    fn may_stop(&self, piece: Piece, square: Square) -> bool {
        if is_corner(square) {
            return piece == Piece::King;
        }
        if square == THRONE && self.throne_is_reserved() {
            // A king who can move to the throne is off it, so he has left it before.
            return piece == Piece::King && self.rules.is("king_return", "true");
        }
        true
    }

    fn may_pass(&self, piece: Piece, square: Square) -> bool {
        if square == THRONE && self.throne_is_reserved() {
            return self.rules.is("throne_pass", "everyone")
                || (self.rules.is("throne_pass", "king") && piece == Piece::King);
        }
        true
    }

    // Capturing.

    fn captured_by_move_to(&self, to: Square) -> BTreeSet<Square> {
        let mover = self.board[&to];
        let mut captured = BTreeSet::new();
        for direction in DIRECTIONS {
            let Some(neighbour) = step(to, direction) else {
                continue;
            };
            let taken = match self.board.get(&neighbour) {
                Some(piece) if piece.side() == mover.side() => false,
                Some(Piece::King) => self.king_is_captured(neighbour, direction),
                Some(soldier) => {
                    self.can_capture(mover)
                        && step(neighbour, direction)
                            .is_some_and(|beyond| self.is_anvil(beyond, mover.side(), *soldier))
                }
                None => false,
            };
            if taken {
                captured.insert(neighbour);
            }
        }
        captured
    }

    /// Soldiers capture, and so does an armed king.
    fn can_capture(&self, piece: Piece) -> bool {
        piece != Piece::King || self.rules.is("king_armed", "true")
    }

    /// Whether a soldier can be sandwiched against this square by a move of `side`.
    fn is_anvil(&self, square: Square, side: Side, soldier: Piece) -> bool {
        let held = self
            .board
            .get(&square)
            .is_some_and(|piece| piece.side() == side && self.can_capture(*piece));
        held || self.is_hostile(square, soldier)
    }

    /// Whether the square itself stands in for an enemy of the piece.
    fn is_hostile(&self, square: Square, piece: Piece) -> bool {
        let axis = if is_corner(square) {
            "corners_hostile"
        } else if square == THRONE && self.throne_is_reserved() && !self.board.contains_key(&square)
        {
            "throne_hostile"
        } else {
            return false;
        };
        self.rules.is(axis, "everyone") || (self.rules.is(axis, "soldiers") && piece != Piece::King)
    }

    /// Whether an attacker who has come to the king's side against `direction` captures him.
    fn king_is_captured(&self, king: Square, direction: (i8, i8)) -> bool {
        let on_throne = king == THRONE;
        let beside_throne = DIRECTIONS.iter().any(|d| step(king, *d) == Some(THRONE));
        let all_four_sides = self.rules.is("king_capture", "four")
            || (self.rules.is("king_capture", "throne") && on_throne)
            || (self.rules.is("king_capture", "zone") && (on_throne || beside_throne));
        if all_four_sides {
            DIRECTIONS.iter().all(|d| self.is_closed(step(king, *d)))
        } else {
            step(king, direction).is_some_and(|beyond| self.is_hard(beyond))
        }
    }

    /// Whether one side of a king, who must be closed in on all four, is closed.
    fn is_closed(&self, side: Option<Square>) -> bool {
        match side {
            // Only `four` asks for all sides of a king on the edge.
            None => self.rules.is("king_edge", "three"),
            Some(THRONE) if self.rules.is("king_capture", "zone") => true,
            Some(square) => self.is_hard(square),
        }
    }

    /// Whether the square holds an attacker or is hostile to the king.
    fn is_hard(&self, square: Square) -> bool {
        self.board.get(&square) == Some(&Piece::Attacker) || self.is_hostile(square, Piece::King)
    }

    // Ending.

    fn judge_endings(&mut self, mover: Side, king_captured: bool, stood: u64) {
        if self.king_is_on_corner() {
            self.end("defenders", "king-escaped");
        } else if king_captured {
            self.end("attackers", "king-captured");
        } else if mover == Side::Attackers
            && self.rules.is("encirclement", "true")
            && self.defenders_are_encircled()
        {
            self.end("attackers", "encircled");
        } else if self.side_cannot_move() {
            self.end_by_no_moves();
        } else if let Some((count, result)) = self.rules.repetition.clone()
            && stood >= count
        {
            let winner = match result.as_str() {
                "mover-loses" => mover.other().name(),
                named => named,
            };
            self.end(winner, "repetition");
        }
    }

    fn end(&mut self, winner: &str, reason: &str) {
        self.outcome = Some((winner.to_owned(), reason.to_owned()));
    }

    fn end_by_no_moves(&mut self) {
        let winner = if self.rules.is("no_moves", "loses") {
            self.side.other().name()
        } else {
            "draw"
        };
        self.end(winner, "no-moves");
    }

    fn king_is_on_corner(&self) -> bool {
        self.board
            .iter()
            .any(|(square, piece)| *piece == Piece::King && is_corner(*square))
    }

    fn side_cannot_move(&self) -> bool {
        self.moves_of_side().is_empty()
    }

    /// Whether no piece of the defenders is connected to an edge through squares not held by
    /// attackers.
    fn defenders_are_encircled(&self) -> bool {
        let mut connected: BTreeSet<Square> = self
            .board
            .iter()
            .filter(|(_, piece)| piece.side() == Side::Defenders)
            .map(|(square, _)| *square)
            .collect();
        let mut to_visit: Vec<Square> = connected.iter().copied().collect();
        while let Some(here) = to_visit.pop() {
            for next in DIRECTIONS.iter().filter_map(|d| step(here, *d)) {
                if self.board.get(&next) != Some(&Piece::Attacker) && connected.insert(next) {
                    to_visit.push(next);
                }
            }
        }
        !connected.into_iter().any(is_edge)
    }
}

/// The number of positions after exactly `depth` plies; a finished game has no successors.
pub fn perft(game: &Game, depth: u32) -> u64 {
    if depth == 0 {
        return 1;
    }
    let moves = game.legal_moves();
    if depth == 1 {
        return moves.len() as u64;
    }
    let mut nodes = 0;
    for text in moves {
        let mut next = game.clone();
        next.play(&text).expect("a listed move is legal");
        nodes += perft(&next, depth - 1);
    }
    nodes
}
