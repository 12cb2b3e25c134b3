//! The games of one word. Imports the rules of several boards.

use super::numbers::Numbers;
use super::repetition::{Seen, key};
use super::{Beginning, Ended, Games, Playouts, Seed};
use crate::arch::{Lanes, LowRow, MOST_LANES, Row, Word};
use crate::game::bitboard::Bitboard;
use crate::game::lanes::{Boards, Masks};
use crate::game::outcome::{Outcome, Reason};
use crate::game::position::Position;
use crate::game::side::Side;
use crate::game::square::{Move, Square};

/// Games in step: all lanes have the same side to move.
pub(super) struct Vector<'a> {
    playouts: &'a Playouts<'a>,
    attackers: Row,
    defenders: Row,
    king: Row,
    /// The step before which the lane's game reaches the ply limit.
    until: Row,
    /// The attackers' numbers, then the defenders'.
    numbers: [Numbers; 2],
    /// The lanes whose games go on.
    alive: u32,
    games: Vec<Playing>,
    seen: Seen,
    /// A beginning that waits for the other side's turn.
    waiting: Option<Playing>,
    /// Whether there may be more games to begin.
    more: bool,
    /// Steps made.
    step: u64,
    /// The moves of the last steps: origin, and target from bit 8 on.
    moves: Vec<LowRow>,
    list: Vec<Move>,
}

/// One lane's game.
struct Playing {
    number: u64,
    begin: Position,
    /// How many plies the opening has.
    plies: u32,
    /// The opening's moves, and its positions since the last capture.
    opening: Vec<Move>,
    before: Vec<Position>,
    seeds: [Seed; 2],
    /// The step that was its first.
    first: u64,
}

impl Playing {
    fn new() -> Playing {
        Playing {
            number: 0,
            begin: Position {
                attackers: Bitboard::EMPTY,
                defenders: Bitboard::EMPTY,
                king: Bitboard::EMPTY,
                side: Side::Attackers,
            },
            plies: 0,
            opening: Vec::new(),
            before: Vec::new(),
            seeds: [[0; 32]; 2],
            first: 0,
        }
    }

    fn begin(&mut self, beginning: &Beginning<'_>, playouts: &Playouts<'_>) {
        self.number = beginning.number;
        self.seeds = [beginning.attackers, beginning.defenders];
        self.opening.clear();
        self.before.clear();
        match beginning.opening {
            None => {
                self.begin = playouts.rules.start();
                self.plies = 0;
            }
            Some(game) => {
                self.begin = *game.position();
                self.plies = game.plies();
                if playouts.history {
                    self.opening.extend(game.played());
                    self.before.extend(game.history().positions());
                    self.before.pop();
                }
            }
        }
    }
}

impl<'a> Vector<'a> {
    pub(super) fn new(playouts: &'a Playouts<'a>, lanes: usize) -> Vector<'a> {
        let kept = match playouts.history {
            true => (playouts.ply_limit as usize + 1).next_power_of_two(),
            false => 0,
        };
        Vector {
            playouts,
            attackers: Row::default(),
            defenders: Row::default(),
            king: Row::default(),
            until: Row::default(),
            numbers: [Numbers::default(), Numbers::default()],
            alive: 0,
            games: (0..lanes).map(|_| Playing::new()).collect(),
            seen: Seen::new(lanes, kept, playouts.rules.repetition_limit()),
            waiting: None,
            more: true,
            step: 0,
            moves: vec![LowRow::default(); kept],
            list: Vec::new(),
        }
    }

    /// Makes a move of each side in each game, and says whether any game goes
    /// on.
    #[inline(always)]
    pub(super) fn round<L: Lanes, G: Games>(&mut self, lanes: L, games: &mut G) -> bool {
        self.turn(lanes, games, Side::Attackers);
        self.turn(lanes, games, Side::Defenders);
        self.alive != 0 || self.waiting.is_some() || self.more
    }

    #[inline(always)]
    fn turn<L: Lanes, G: Games>(&mut self, lanes: L, games: &mut G, side: Side) {
        if self.alive.count_ones() as usize != L::LANES {
            self.fill(games, side);
        }
        if self.alive == 0 {
            return;
        }
        let boards = Boards {
            attackers: lanes.load(&self.attackers),
            defenders: lanes.load(&self.defenders),
            king: lanes.load(&self.king),
        };
        let moves = self.playouts.rules.lanes.moves(lanes, &boards, side);
        let count = moves.count();
        let stuck = L::Word::bits(count.equals(lanes.all(0)));
        let stopped = L::Word::bits(lanes.load(&self.until).equals(lanes.all(self.step)));
        if (stuck | stopped) & self.alive != 0 {
            for lane in lanes_of((stuck | stopped) & self.alive) {
                let position = self.position(lane, side);
                let outcome =
                    (stuck >> lane & 1 != 0).then(|| self.playouts.rules.stalemate(&position));
                self.end(games, lane, position, outcome.flatten());
            }
        }
        let number = self.choose(lanes, count, side);
        let ply = moves.get(lanes, number, &boards);
        let arrived = self.playouts.rules.lanes.play(lanes, &boards, ply, side);
        arrived.boards.attackers.store(&mut self.attackers);
        arrived.boards.defenders.store(&mut self.defenders);
        arrived.boards.king.store(&mut self.king);
        let mut repeated = 0;
        if self.playouts.history {
            let slot = self.step as usize & (self.moves.len() - 1);
            let code = ply.from.index() | ply.to.index().up::<8>();
            code.store_low(&mut self.moves[slot]);
            let keys = key(lanes, &arrived.boards, side.other());
            repeated = self.seen.add(lanes, self.step, keys, arrived.captured);
        }
        self.step += 1;
        let won = L::Word::bits(arrived.won) & self.alive;
        let encircled = match side {
            Side::Attackers if self.playouts.rules.lanes.encirclement => {
                L::Word::bits(Masks::encircled(lanes, &arrived.boards)) & self.alive & !won
            }
            _ => 0,
        };
        if won | encircled | repeated & self.alive != 0 {
            self.settle(
                games,
                side,
                won,
                encircled,
                repeated & self.alive & !won & !encircled,
            );
        }
    }

    /// Numbers below the counts, each equally likely.
    #[inline(always)]
    fn choose<L: Lanes>(&mut self, lanes: L, count: L::Word, side: Side) -> L::Word {
        let numbers = &mut self.numbers[side as usize];
        let product = numbers.next(lanes).down::<32>().times(count);
        let low = product & lanes.all(u64::from(u32::MAX));
        let chosen = product.down::<32>();
        let doubtful = L::Word::bits(low.below(count)) & self.alive;
        if doubtful == 0 {
            return chosen;
        }
        let [mut counts, mut lows, mut row] = [Row::default(); 3];
        count.store(&mut counts);
        low.store(&mut lows);
        chosen.store(&mut row);
        for lane in lanes_of(doubtful) {
            numbers.again(
                lane,
                counts.0[lane] as u32,
                lows.0[lane] as u32,
                &mut row.0[lane],
            );
        }
        lanes.load(&row)
    }

    /// Ends the games that the last move of `side` ended.
    #[cold]
    #[inline(never)]
    fn settle<G: Games>(
        &mut self,
        games: &mut G,
        side: Side,
        won: u32,
        encircled: u32,
        repeated: u32,
    ) {
        let reason = match side {
            Side::Attackers => Reason::KingCaptured,
            Side::Defenders => Reason::KingEscaped,
        };
        for (lanes, reason) in [(won, reason), (encircled, Reason::Encircled)] {
            for lane in lanes_of(lanes) {
                let position = self.position(lane, side.other());
                let winner = Some(side);
                self.end(games, lane, position, Some(Outcome { winner, reason }));
            }
        }
        let Some(limit) = self.playouts.rules.repetition_limit() else {
            return;
        };
        for lane in lanes_of(repeated) {
            if self.seen.times(lane, self.step - 1) < limit {
                continue;
            }
            let position = self.position(lane, side.other());
            if self.stood(lane, &position) >= limit {
                self.end(games, lane, position, self.playouts.rules.repeated(side));
            }
        }
    }

    /// How often the position stood in the lane's game, by the rules alone.
    fn stood(&mut self, lane: usize, position: &Position) -> u32 {
        self.read_moves(lane);
        let game = &self.games[lane];
        let mut stood = game.before.iter().filter(|&it| it == position).count() as u32;
        let mut at = game.begin;
        stood += u32::from(at == *position);
        for &ply in &self.list[game.opening.len()..] {
            at = self.playouts.rules.play(&at, ply).position;
            stood += u32::from(at == *position);
        }
        stood
    }

    fn position(&self, lane: usize, side: Side) -> Position {
        Position {
            attackers: Bitboard(self.attackers.0[lane]),
            defenders: Bitboard(self.defenders.0[lane]),
            king: Bitboard(self.king.0[lane]),
            side,
        }
    }

    /// Puts the lane's moves into the list.
    fn read_moves(&mut self, lane: usize) {
        self.list.clear();
        if !self.playouts.history {
            return;
        }
        let lane = lane % MOST_LANES;
        let game = &self.games[lane];
        self.list.extend(&game.opening);
        // The steps lie in a ring.
        let ring = self.moves.len();
        let (from, to) = (
            game.first as usize & (ring - 1),
            self.step as usize & (ring - 1),
        );
        let plies = (self.step - game.first) as usize;
        let (early, late) = match from + plies <= ring {
            true => (&self.moves[from..from + plies], &[][..]),
            false => (&self.moves[from..], &self.moves[..to]),
        };
        self.list.extend(early.iter().chain(late).map(|row| {
            let code = row.0[lane];
            Move {
                from: Square::from_low_bits(code),
                to: Square::from_low_bits(code >> 8),
            }
        }));
    }

    fn end<G: Games>(
        &mut self,
        games: &mut G,
        lane: usize,
        last: Position,
        outcome: Option<Outcome>,
    ) {
        self.alive &= !(1 << lane);
        self.read_moves(lane);
        games.end(&Ended {
            number: self.games[lane].number,
            outcome,
            plies: self.games[lane].plies + (self.step - self.games[lane].first) as u32,
            opening: self.games[lane].plies,
            last,
            moves: &self.list,
        });
    }

    /// Begins games in the lanes that have none, as long as it is the side's
    /// turn in them.
    #[cold]
    #[inline(never)]
    fn fill<G: Games>(&mut self, games: &mut G, side: Side) {
        for lane in 0..self.games.len() {
            if self.alive >> lane & 1 != 0 {
                continue;
            }
            if let Some(waiting) = self.waiting.take_if(|game| game.begin.side == side) {
                self.games[lane] = waiting;
            } else if self.waiting.is_some() || !self.more {
                return;
            } else {
                let Some(beginning) = games.next() else {
                    self.more = false;
                    return;
                };
                self.games[lane].begin(&beginning, self.playouts);
                if self.games[lane].begin.side != side {
                    let game = std::mem::replace(&mut self.games[lane], Playing::new());
                    self.waiting = Some(game);
                    return;
                }
            }
            self.start(lane);
        }
    }

    fn start(&mut self, lane: usize) {
        let game = &mut self.games[lane];
        game.first = self.step;
        if self.playouts.history {
            let positions = game.before.iter().chain([&game.begin]);
            self.seen.begin(lane, self.step, positions);
        }
        let left = self.playouts.ply_limit.saturating_sub(game.plies);
        self.until.0[lane] = self.step + u64::from(left);
        self.attackers.0[lane] = game.begin.attackers.0;
        self.defenders.0[lane] = game.begin.defenders.0;
        self.king.0[lane] = game.begin.king.0;
        for (numbers, seed) in self.numbers.iter_mut().zip(&game.seeds) {
            numbers.seed(lane, seed);
        }
        self.alive |= 1 << lane;
    }
}

fn lanes_of(mut bits: u32) -> impl Iterator<Item = usize> {
    std::iter::from_fn(move || {
        let lane = bits.trailing_zeros() as usize;
        bits &= bits.wrapping_sub(1);
        (lane < 32).then_some(lane)
    })
}
