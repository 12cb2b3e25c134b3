//! Uniformly random play. Imports `game`.

use super::{Agent, Forfeit, Stream};
use crate::game::{Game, Move, playouts};

pub(super) struct Random {
    stream: Stream,
}

impl Random {
    pub(super) fn new(stream: Stream) -> Random {
        Random { stream }
    }
}

impl Agent for Random {
    fn choose(&mut self, game: &Game<'_>) -> Result<Move, Forfeit> {
        let ply = playouts::draw(game.rules(), game.position(), &mut self.stream);
        Ok(ply.expect("a game that is not over has a legal move"))
    }
}
