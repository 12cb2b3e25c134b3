//! Random games from the start, of which nothing is kept but how long they
//! were and who won.

use brandub::agents::Stream;
use brandub::game::Side;
use brandub::game::playouts::{Beginning, Ended, Games};
use rand_core::Rng;

/// So many games at a time.
pub struct RandomGames<'a> {
    numbers: &'a mut Stream,
    count: u64,
    left: u64,
    /// Plies of all games so far.
    pub plies: u64,
    /// Games won by the attackers, by the defenders.
    pub won: [u64; 2],
}

impl RandomGames<'_> {
    /// None is played yet.
    pub fn new(count: u64, numbers: &mut Stream) -> RandomGames<'_> {
        RandomGames {
            numbers,
            count,
            left: 0,
            plies: 0,
            won: [0; 2],
        }
    }

    /// To be played once more.
    pub fn again(&mut self) -> &mut Self {
        self.left = self.count;
        self
    }
}

impl Games for RandomGames<'_> {
    fn next(&mut self) -> Option<Beginning<'_>> {
        self.left = self.left.checked_sub(1)?;
        let mut beginning = Beginning {
            number: self.left,
            opening: None,
            attackers: [0; 32],
            defenders: [0; 32],
        };
        self.numbers.fill_bytes(&mut beginning.attackers);
        self.numbers.fill_bytes(&mut beginning.defenders);
        Some(beginning)
    }

    fn end(&mut self, ended: &Ended<'_>) {
        self.plies += u64::from(ended.plies);
        match ended.outcome.and_then(|outcome| outcome.winner) {
            Some(Side::Attackers) => self.won[0] += 1,
            Some(Side::Defenders) => self.won[1] += 1,
            None => {}
        }
    }
}
