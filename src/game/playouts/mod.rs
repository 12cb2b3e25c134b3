/*!
Random games, several at a time. Imports the rules of several boards.

Both sides play uniformly at random, each by its own stream of numbers: one
number a move, of which the high half is scaled to the number of legal moves
(Lemire, "Fast random integer generation in an interval", 2019; the few numbers
that would favour some moves are drawn again). A game follows from its
beginning and its two seeds alone; how many are played at a time, and in what
kind of word, changes no move of it.
*/
#![allow(clippy::inline_always)] // Compiled anew for the instructions of each kind.

mod numbers;
mod repetition;
mod vector;

use rand_core::Rng;

use self::vector::Vector;
use super::lanes::{Boards, Chosen};
use super::outcome::Outcome;
use super::play::Game;
use super::position::Position;
use super::rules::Rules;
use super::sample::below;
use super::square::{Move, Square};
use crate::arch::{Job, Kind, Lanes, Word};

pub use self::numbers::Seed;

/// Where the games come from and where they go.
pub trait Games {
    /// The next game to play; `None` when there are no more.
    fn next(&mut self) -> Option<Beginning<'_>>;

    /// Takes a game that is over. They do not come in the order of their
    /// beginnings.
    fn end(&mut self, ended: &Ended<'_>);
}

/// A game to play.
#[derive(Debug)]
pub struct Beginning<'a> {
    /// What [`Ended`] will have, to know it by.
    pub number: u64,
    /// What has been played already; `None` for a game from the start. The
    /// game is not over.
    pub opening: Option<&'a Game<'a>>,
    /// The attackers' numbers.
    pub attackers: Seed,
    /// The defenders' numbers.
    pub defenders: Seed,
}

/// A game that was played.
#[derive(Debug)]
pub struct Ended<'a> {
    /// Which.
    pub number: u64,
    /// How it ended; `None` at the ply limit.
    pub outcome: Option<Outcome>,
    /// How many plies it took, the opening's among them.
    pub plies: u32,
    /// How many plies the opening took.
    pub opening: u32,
    /// The last position.
    pub last: Position,
    /// All moves, the opening's among them; none unless they are kept.
    pub moves: &'a [Move],
}

/// How games are played.
#[derive(Clone, Copy, Debug)]
pub struct Playouts<'r> {
    /// The rules.
    pub rules: &'r Rules,
    /// Plies after which a game is stopped, the opening's among them.
    pub ply_limit: u32,
    /// Whether repetitions end games, as far as the rules say so, and moves
    /// are kept. Without, it is faster.
    pub history: bool,
    /// The kind of word.
    pub kind: Kind,
}

impl Playouts<'_> {
    /// Plays all the games.
    pub fn play<G: Games>(&self, games: &mut G) {
        self.kind.run(All {
            playouts: self,
            games,
        });
    }
}

/// A legal move of the side to move, each equally likely, as in these games;
/// `None` if there is none.
#[inline]
#[must_use]
pub fn draw(rules: &Rules, position: &Position, numbers: &mut impl Rng) -> Option<Move> {
    Kind::best_single().run(Draw {
        rules,
        position,
        numbers,
    })
}

struct Draw<'a, R> {
    rules: &'a Rules,
    position: &'a Position,
    numbers: &'a mut R,
}

impl<R: Rng> Job for Draw<'_, R> {
    type Output = Option<Move>;

    #[inline(always)]
    fn with<L: Lanes>(self, lanes: L) -> Option<Move> {
        let boards = Boards::new(lanes, self.position);
        let moves = self.rules.lanes.moves(lanes, &boards, self.position.side);
        let count = moves.count().first();
        if count == 0 {
            return None;
        }
        let number = below(count as u32, self.numbers);
        let ply = moves.get(lanes, lanes.all(u64::from(number)), &boards);
        Some(move_of(ply))
    }
}

/// The first lane's move.
#[inline(always)]
fn move_of<W: Word>(ply: Chosen<W>) -> Move {
    Move {
        from: Square::from_low_bits(ply.from.index().first() as u16),
        to: Square::from_low_bits(ply.to.index().first() as u16),
    }
}

struct All<'a, G> {
    playouts: &'a Playouts<'a>,
    games: &'a mut G,
}

impl<G: Games> Job for All<'_, G> {
    type Output = ();

    #[inline(always)]
    fn with<L: Lanes>(self, lanes: L) {
        let All { playouts, games } = self;
        let mut vector = Vector::new(playouts, L::LANES);
        while vector.round(lanes, games) {}
    }
}
