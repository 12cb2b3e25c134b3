/*!
Where two rulesets part: in words, axis by axis, and the smallest position that
shows it. Imports rules and games.
*/

use std::fmt;

use rand_core::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;

use super::bitboard::Bitboard;
use super::moves::MoveList;
use super::outcome::Outcome;
use super::play::Game;
use super::position::Position;
use super::rules::Rules;
use super::ruleset::{AXES, Ruleset};
use super::sample::below;
use super::side::Side;
use super::square::{Move, Square};

/// Every position with up to this many pieces beside the king is looked at.
const EXHAUSTIVE: u32 = 3;
/// Positions drawn at random beyond that.
const RANDOM_POSITIONS: u32 = 200_000;
/// Of the positions found that way, how many are reduced to find a small one.
const REDUCED: u32 = 200;

/// One axis on which two rulesets differ.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Difference {
    /// The axis.
    pub axis: &'static str,
    /// The first ruleset's value; `None` where the axis does not exist.
    pub first: Option<String>,
    /// The second ruleset's value.
    pub second: Option<String>,
}

/// The axes on which the canonical forms of two rulesets differ; none if they
/// are the same rules.
#[must_use]
pub fn differences(first: &Ruleset, second: &Ruleset) -> Vec<Difference> {
    let values = first
        .canonical()
        .axes()
        .into_iter()
        .zip(second.canonical().axes());
    AXES.iter()
        .zip(values)
        .filter(|(_, (first, second))| first != second)
        .map(|(&axis, (first, second))| Difference {
            axis,
            first,
            second,
        })
        .collect()
}

impl fmt::Display for Difference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let say = |value: &Option<String>| match value {
            None => "- (does not exist)".to_owned(),
            Some(value) => match meaning(self.axis, value) {
                "" => value.clone(),
                words => format!("{value} ({words})"),
            },
        };
        write!(
            f,
            "{}: {} | {}",
            self.axis,
            say(&self.first),
            say(&self.second)
        )
    }
}

/// What a value of an axis says, in words.
fn meaning(axis: &str, value: &str) -> &'static str {
    match (axis, value) {
        ("king_armed", "true") => "the king captures, moving and standing",
        ("king_armed", "false") => "the king captures nobody",
        ("throne_hostile", "none") => "the empty throne helps to capture nobody",
        ("throne_hostile", "soldiers") => "soldiers are captured against the empty throne",
        ("throne_hostile", "everyone") => "soldiers and king are captured against the empty throne",
        ("king_capture", "two") => "two capture the king everywhere",
        ("king_capture", "throne") => "four capture the king on the throne, two elsewhere",
        ("king_capture", "zone") => {
            "four capture the king on the throne, three beside it, two elsewhere"
        }
        ("king_capture", "four") => "four capture the king everywhere",
        ("king_return", "true") => "the king may stop on the throne again",
        ("king_return", "false") => "the king never stops on the throne again",
        ("king_edge", "three") => "three capture the king on an edge",
        ("king_edge", "safe") => "the king is safe on an edge",
        ("throne", "reserved") => "no soldier stops on d4",
        ("throne", "ordinary") => "d4 is a plain square",
        ("throne_pass", "everyone") => "any piece slides over the empty throne",
        ("throne_pass", "king") => "only the king slides over the empty throne",
        ("throne_pass", "nobody") => "no piece slides over the empty throne",
        ("corners_hostile", "none") => "corners help to capture nobody",
        ("corners_hostile", "soldiers") => "soldiers are captured against corners",
        ("corners_hostile", "everyone") => "soldiers and king are captured against corners",
        ("king_speed", "slide") => "the king moves any distance",
        ("king_speed", "step") => "the king moves one square",
        ("repetition", "ignored") => "positions repeat without end",
        ("no_moves", "draw") => "having no move draws",
        ("no_moves", "loses") => "having no move loses",
        ("encirclement", "true") => "attackers win by shutting everybody in",
        ("encirclement", "false") => "being shut in ends nothing",
        _ => "",
    }
}

/// What the two rulesets disagree on.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Disagreement {
    /// The start positions.
    Layout {
        /// The second ruleset's; the parting's own position is the first's.
        second: Position,
    },
    /// Whether a move is legal.
    Legal {
        /// The move.
        ply: Move,
        /// Whether the first ruleset allows it; the second does what it does
        /// not.
        by_first: bool,
    },
    /// Whom a move captures, or how it ends the game.
    Effect {
        /// The move.
        ply: Move,
        /// Captures and ending by the first ruleset.
        first: (Bitboard, Option<Outcome>),
        /// Captures and ending by the second.
        second: (Bitboard, Option<Outcome>),
    },
}

/// A position in which two rulesets part.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Parting {
    /// The position to start from.
    pub position: Position,
    /// Moves both rulesets allow with the same effect, played first: only a
    /// repetition needs any.
    pub line: Vec<Move>,
    /// What they disagree on then.
    pub what: Disagreement,
    /// Whether no position with fewer pieces shows a difference; else none
    /// of its pieces can be left out, but smaller ones may exist.
    pub smallest: bool,
}

/// The smallest position found in which two rulesets part, by pieces on the
/// board. All positions with up to three pieces beside the king are looked
/// at; beyond, positions are drawn at random and reduced. Needs some seconds
/// at most; `None` if nothing was found, as for equal rules.
#[must_use]
pub fn find(first: &Rules, second: &Rules) -> Option<Parting> {
    let start = first.start();
    if start != second.start() {
        let what = Disagreement::Layout {
            second: second.start(),
        };
        return Some(Parting {
            position: start,
            line: Vec::new(),
            what,
            smallest: true,
        });
    }
    if first.ruleset().canonical() == second.ruleset().canonical() {
        return None;
    }
    let pair = Pair { first, second };
    for others in 0..=EXHAUSTIVE {
        if let Some(parting) = pair.exhaustive(others) {
            return Some(parting);
        }
    }
    pair.random()
}

/// One of each eight squares that the board's symmetries map onto each other.
fn octant() -> impl Iterator<Item = Square> {
    Square::all().filter(|square| {
        let (file, rank) = (square.file(), square.rank());
        file <= 3 && rank <= file && !Bitboard::CORNERS.contains(*square)
    })
}

#[derive(Clone, Copy)]
struct Pair<'a> {
    first: &'a Rules,
    second: &'a Rules,
}

impl Pair<'_> {
    fn exhaustive(self, others: u32) -> Option<Parting> {
        octant().find_map(|king| {
            let position = Position {
                attackers: Bitboard::EMPTY,
                defenders: Bitboard::EMPTY,
                king: Bitboard::of(king),
                side: Side::Attackers,
            };
            self.place(position, others, 0)
        })
    }

    /// Adds soldiers on squares from `from` on in every way.
    fn place(self, position: Position, others: u32, from: usize) -> Option<Parting> {
        if others == 0 {
            return Side::BOTH.into_iter().find_map(|side| {
                let position = Position { side, ..position };
                self.part(&position)
                    .or_else(|| self.repeat(&position))
                    .map(|(line, what)| Parting {
                        position,
                        line,
                        what,
                        smallest: true,
                    })
            });
        }
        Square::all().skip(from).find_map(|square| {
            let at = Bitboard::of(square);
            if at.meets(position.occupied() | Bitboard::CORNERS) {
                return None;
            }
            Side::BOTH.into_iter().find_map(|side| {
                let mut next = position;
                match side {
                    Side::Attackers => next.attackers |= at,
                    Side::Defenders => next.defenders |= at,
                }
                self.place(next, others - 1, square.index() + 1)
            })
        })
    }

    /// The first disagreement on a move from here.
    fn part(self, position: &Position) -> Option<(Vec<Move>, Disagreement)> {
        self.first.admit(position).ok()?;
        self.second.admit(position).ok()?;
        for from in position.pieces(position.side) {
            let by_first = self.first.destinations(position, from);
            let by_second = self.second.destinations(position, from);
            if let Some(to) = (by_first ^ by_second).first() {
                let what = Disagreement::Legal {
                    ply: Move { from, to },
                    by_first: by_first.contains(to),
                };
                return Some((Vec::new(), what));
            }
        }
        let mut list = MoveList::new();
        self.first.moves(position, &mut list);
        list.into_iter().find_map(|ply| {
            let effect = |rules: &Rules| {
                let played = rules.play(position, ply);
                (played.captured, rules.ending(&played.position))
            };
            let (first, second) = (effect(self.first), effect(self.second));
            (first != second).then(|| (Vec::new(), Disagreement::Effect { ply, first, second }))
        })
    }

    /// A disagreement on repetition: each side moves a piece there and back.
    fn repeat(self, position: &Position) -> Option<(Vec<Move>, Disagreement)> {
        if self.first.ruleset().repetition == self.second.ruleset().repetition {
            return None;
        }
        let limit = |rules: &Rules| rules.repetition_limit().unwrap_or(0);
        let plies = 4 * limit(self.first).max(limit(self.second)) as usize;
        let mut list = MoveList::new();
        self.first.moves(position, &mut list);
        list.iter().find_map(|&one| {
            let there = self.first.play(position, one).position;
            let mut replies = MoveList::new();
            self.first.moves(&there, &mut replies);
            replies.into_iter().find_map(|other| {
                let back = |ply: Move| Move {
                    from: ply.to,
                    to: ply.from,
                };
                let cycle = [one, other, back(one), back(other)];
                self.play_out(position, cycle.into_iter().cycle().take(plies))
            })
        })
    }

    /// Plays a line under both rulesets until they disagree on its effect.
    fn play_out(
        self,
        position: &Position,
        line: impl Iterator<Item = Move>,
    ) -> Option<(Vec<Move>, Disagreement)> {
        let mut first = Game::from_position(self.first, *position);
        let mut second = Game::from_position(self.second, *position);
        let mut played = Vec::new();
        for ply in line {
            let by_first = (first.play(ply).ok()?, first.outcome());
            let by_second = (second.play(ply).ok()?, second.outcome());
            if by_first != by_second {
                let what = Disagreement::Effect {
                    ply,
                    first: by_first,
                    second: by_second,
                };
                return Some((played, what));
            }
            played.push(ply);
        }
        None
    }

    /// Positions at random, many pieces on the board, each that shows a
    /// difference stripped of what it does not need; the smallest of those.
    fn random(self) -> Option<Parting> {
        let mut rng = Xoshiro256PlusPlus::seed_from_u64(0);
        let found = (0..RANDOM_POSITIONS).filter_map(|_| {
            let position = scatter(&mut rng);
            self.part(&position)?;
            Some(self.reduce(position))
        });
        found
            .take(REDUCED as usize)
            .min_by_key(|position| position.occupied().len())
            .and_then(|position| {
                let (line, what) = self.part(&position)?;
                Some(Parting {
                    position,
                    line,
                    what,
                    smallest: false,
                })
            })
    }

    fn reduce(self, mut position: Position) -> Position {
        loop {
            let soldiers = position.attackers | position.defenders;
            let smaller = soldiers.into_iter().find_map(|square| {
                let at = Bitboard::of(square);
                let less = Position {
                    attackers: position.attackers - at,
                    defenders: position.defenders - at,
                    ..position
                };
                self.part(&less).map(|_| less)
            });
            match smaller {
                Some(less) => position = less,
                None => return position,
            }
        }
    }
}

fn scatter(rng: &mut Xoshiro256PlusPlus) -> Position {
    let mut position = Position {
        attackers: Bitboard::EMPTY,
        defenders: Bitboard::EMPTY,
        king: Bitboard::EMPTY,
        side: Side::BOTH[below(2, rng) as usize],
    };
    let attackers = 4 + below(20, rng);
    let defenders = below(5, rng);
    for piece in 0..=attackers + defenders {
        loop {
            let at = Bitboard::of(Square::new(below(49, rng) as usize));
            if at.meets(position.occupied() | Bitboard::CORNERS) {
                continue;
            }
            match piece {
                0 => position.king = at,
                piece if piece <= attackers => position.attackers |= at,
                _ => position.defenders |= at,
            }
            break;
        }
    }
    position
}

impl fmt::Display for Parting {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let position = &self.position;
        let pieces = match position.occupied().len() {
            1 => "the king alone".to_owned(),
            2 => "the king and one other".to_owned(),
            pieces => format!("the king and {} others", pieces - 1),
        };
        match (&self.what, self.smallest) {
            (Disagreement::Layout { .. }, _) => write!(f, "they start from different positions")?,
            (_, true) => write!(f, "the smallest position in which they part has {pieces}")?,
            (_, false) => write!(
                f,
                "they part in this position with {pieces}, none of which can be left out (more than {EXHAUSTIVE} are needed)"
            )?,
        }
        writeln!(f, "; {} to move:\n", position.side)?;
        writeln!(f, "{position}\n{}\n", position.to_otn())?;
        if !self.line.is_empty() {
            let names: Vec<String> = self.line.iter().map(Move::to_string).collect();
            writeln!(f, "after {}:", names.join(" "))?;
        }
        match &self.what {
            Disagreement::Layout { second } => {
                write!(f, "the second from\n\n{second}\n{}", second.to_otn())
            }
            Disagreement::Legal { ply, by_first } => {
                let (legal, illegal) = match by_first {
                    true => ("first", "second"),
                    false => ("second", "first"),
                };
                write!(
                    f,
                    "{ply} is legal by the {legal} rules, not by the {illegal}"
                )
            }
            Disagreement::Effect { ply, first, second } => write!(
                f,
                "{ply} {} by the first rules, {} by the second",
                effect(first),
                effect(second)
            ),
        }
    }
}

fn effect((captured, outcome): &(Bitboard, Option<Outcome>)) -> String {
    let captures: Vec<String> = captured
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    let captures = match captures.len() {
        0 => "captures nobody".to_owned(),
        _ => format!("captures {}", captures.join(" and ")),
    };
    match outcome {
        None => format!("{captures} and the game goes on"),
        Some(outcome) => format!("{captures} and ends the game: {outcome}"),
    }
}
