/*!
What a move brought about, and which rule it took: captures with what they were
made against, the king's returns, his threats to escape. Imports rules.

Nothing is decided here. A rule *decided* a capture if the same move in the same
position captures the piece under the rules as they are and not under the same
rules with that one taken away ([`Rule`]); both answers are the compiled rules'.
What a capture was made against is read off the compiled rules' own tables.
*/

use std::fmt;

use arrayvec::ArrayVec;

use super::axis::{Hostility, KingCapture};
use super::bitboard::Bitboard;
use super::geometry::CAPTURE_LINES;
use super::masks::KingFate;
use super::outcome::Outcome;
use super::play::Game;
use super::position::Position;
use super::rules::{Played, Rules};
use super::ruleset::{Ruleset, Throne};
use super::side::Side;
use super::square::{Move, Square};

/// A rule that can be taken away, so as to see what it decides.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Rule {
    /// `king_armed`; without it `false`.
    ArmedKing,
    /// `throne_hostile`; without it `none`.
    HostileThrone,
    /// `corners_hostile`; without it `none`.
    HostileCorners,
    /// `king_capture` by fewer than four: `two`, `throne` or `zone`; without
    /// it `four`.
    CaptureByTwo,
    /// `king_return`; without it `false`.
    KingReturn,
}

impl Rule {
    /// Every rule.
    pub const ALL: [Rule; 5] = [
        Rule::ArmedKing,
        Rule::HostileThrone,
        Rule::HostileCorners,
        Rule::CaptureByTwo,
        Rule::KingReturn,
    ];

    /// The ruleset with this rule taken away and all else as it is; `None`
    /// where there is no such rule to take away.
    #[must_use]
    pub fn taken_from(self, ruleset: &Ruleset) -> Option<Ruleset> {
        let mut without = *ruleset;
        match (self, &mut without.throne) {
            (Rule::ArmedKing, _) => without.king_armed = false,
            (Rule::HostileThrone, Throne::Reserved { hostile, .. }) => *hostile = Hostility::None,
            (Rule::HostileCorners, _) => without.corners_hostile = Hostility::None,
            (Rule::CaptureByTwo, _) => without.king_capture = KingCapture::Four,
            (Rule::KingReturn, Throne::Reserved { king_return, .. }) => *king_return = false,
            (Rule::HostileThrone | Rule::KingReturn, Throne::Ordinary) => {}
        }
        (without != *ruleset).then_some(without)
    }
}

/// What closes in on a captured piece beside the piece that moved.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Anvil {
    /// A soldier of the capturing side.
    Soldier(Square),
    /// The king, who stood still.
    King(Square),
    /// The empty throne; by `zone` also as the side that counts in any case.
    Throne,
    /// A corner.
    Corner(Square),
    /// The end of the board beside a king whom all sides together capture.
    Edge,
}

/// A piece that was captured.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Capture {
    /// Where it stood.
    pub square: Square,
    /// Whether it was the king.
    pub is_king: bool,
    /// Whether all of its sides had to be closed, rather than two opposite
    /// ones.
    pub is_surrounded: bool,
    /// What else closed in on it: one, or all its other sides, in no order
    /// that matters.
    pub anvils: ArrayVec<Anvil, 4>,
}

/// How many corners the king threatens to go to after a defenders' move, at
/// least one of which he could not have gone to before it.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Threat {
    /// One.
    Raichi,
    /// Two or more: the attackers can hardly close them all.
    Tuichi,
}

/// What a move did, and by which rules.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Explanation {
    /// What it did.
    pub played: Played,
    /// How the game ended with it, if it did.
    pub outcome: Option<Outcome>,
    /// The captured pieces, by square.
    pub captures: ArrayVec<Capture, 4>,
    /// Whether the king moved.
    pub is_kings: bool,
    /// Whether the king stepped back onto the reserved throne.
    pub returned: bool,
    /// The threat it made, if the game goes on.
    pub threat: Option<Threat>,
    /// By rule, the captured that would not have been without it.
    decided: [Bitboard; Rule::ALL.len()],
}

impl Explanation {
    /// The squares of the captured that would not have been captured without
    /// this rule; with [`Rule::KingReturn`] none, since it decides moves.
    #[must_use]
    pub fn decided_by(&self, rule: Rule) -> Bitboard {
        self.decided[rule as usize]
    }

    /// What happened, in words, in the order of [`Event::ALL`]; an event that
    /// several captures share is there once.
    #[must_use]
    pub fn events(&self) -> Vec<Event> {
        let happened = |event: &Event| self.has(*event);
        Event::ALL.into_iter().filter(happened).collect()
    }

    fn has(&self, event: Event) -> bool {
        let against = |is_king, kind: fn(&Anvil) -> bool| {
            let mut captures = self.captures.iter();
            captures.any(|capture| capture.is_king == is_king && capture.anvils.iter().any(kind))
        };
        let king = self.captures.iter().find(|capture| capture.is_king);
        match event {
            Event::ByKing => self.is_kings && !self.captures.is_empty(),
            Event::AgainstKing => against(false, |anvil| matches!(anvil, Anvil::King(_))),
            Event::AgainstThrone => against(false, |anvil| *anvil == Anvil::Throne),
            Event::AgainstCorner => against(false, |anvil| matches!(anvil, Anvil::Corner(_))),
            Event::KingByTwo => king.is_some_and(|king| !king.is_surrounded),
            Event::KingSurrounded => king.is_some_and(|king| king.is_surrounded),
            Event::KingAgainstThrone => against(true, |anvil| *anvil == Anvil::Throne),
            Event::KingAgainstCorner => against(true, |anvil| matches!(anvil, Anvil::Corner(_))),
            Event::KingAgainstEdge => against(true, |anvil| *anvil == Anvil::Edge),
            Event::NotByFour => !self.decided_by(Rule::CaptureByTwo).is_empty(),
            Event::Returned => self.returned,
            Event::Raichi => self.threat == Some(Threat::Raichi),
            Event::Tuichi => self.threat == Some(Threat::Tuichi),
        }
    }
}

/// Something worth a word beside a move.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Event {
    /// The king moved and captured.
    ByKing,
    /// A soldier was captured between the piece that moved and the king.
    AgainstKing,
    /// A soldier was captured against the empty throne.
    AgainstThrone,
    /// A soldier was captured against a corner.
    AgainstCorner,
    /// The king was captured between two.
    KingByTwo,
    /// The king was captured by all sides.
    KingSurrounded,
    /// The empty throne was one of the king's closed sides.
    KingAgainstThrone,
    /// A corner was.
    KingAgainstCorner,
    /// The end of the board was.
    KingAgainstEdge,
    /// The king's capture takes a rule by which fewer than four capture him.
    NotByFour,
    /// The king stepped onto the throne again.
    Returned,
    /// See [`Threat::Raichi`].
    Raichi,
    /// See [`Threat::Tuichi`].
    Tuichi,
}

impl Event {
    /// Every event.
    pub const ALL: [Event; 13] = [
        Event::ByKing,
        Event::AgainstKing,
        Event::AgainstThrone,
        Event::AgainstCorner,
        Event::KingByTwo,
        Event::KingSurrounded,
        Event::KingAgainstThrone,
        Event::KingAgainstCorner,
        Event::KingAgainstEdge,
        Event::NotByFour,
        Event::Returned,
        Event::Raichi,
        Event::Tuichi,
    ];

    /// The words for it.
    #[must_use]
    pub const fn words(self) -> &'static str {
        match self {
            Event::ByKing => "captured by the king",
            Event::AgainstKing => "captured against the king",
            Event::AgainstThrone => "captured against the empty throne",
            Event::AgainstCorner => "captured against a corner",
            Event::KingByTwo => "king captured by two",
            Event::KingSurrounded => "king captured on all sides",
            Event::KingAgainstThrone => "king captured against the empty throne",
            Event::KingAgainstCorner => "king captured against a corner",
            Event::KingAgainstEdge => "king captured against the edge",
            Event::NotByFour => "not a capture where it takes four",
            Event::Returned => "king back on the throne",
            Event::Raichi => "raichi",
            Event::Tuichi => "tuichi",
        }
    }
}

impl fmt::Display for Event {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.words())
    }
}

/// Rules, and the same rules with each [`Rule`] taken away.
#[derive(Clone, Debug)]
pub struct Explainer {
    rules: Rules,
    without: [Option<Rules>; Rule::ALL.len()],
}

impl Explainer {
    /// An explainer of moves by these rules.
    #[must_use]
    pub fn new(rules: &Rules) -> Explainer {
        let ruleset = rules.ruleset();
        Explainer {
            rules: rules.clone(),
            without: Rule::ALL.map(|rule| rule.taken_from(ruleset).map(Rules::new)),
        }
    }

    /// Explains a legal move of a game that is not over.
    ///
    /// # Panics
    /// If the game is played by other rules.
    #[must_use]
    pub fn explain(&self, game: &Game<'_>, ply: Move) -> Explanation {
        assert_eq!(game.rules().ruleset(), self.rules.ruleset());
        let position = game.position();
        let (played, outcome) = game.preview(ply);
        let decided = |rule: Rule| match &self.without[rule as usize] {
            Some(rules) => played.captured - rules.play(position, ply).captured,
            None => Bitboard::EMPTY,
        };
        let illegal = |rules: &Rules| !rules.is_legal(position, ply);
        Explanation {
            captures: self.captures(position, ply, &played),
            is_kings: position.king.contains(ply.from),
            returned: self.without[Rule::KingReturn as usize]
                .as_ref()
                .is_some_and(illegal),
            threat: match outcome {
                None => self.threat(position, &played.position),
                Some(_) => None,
            },
            decided: Rule::ALL.map(decided),
            played,
            outcome,
        }
    }

    fn captures(&self, before: &Position, ply: Move, played: &Played) -> ArrayVec<Capture, 4> {
        // Captures are judged before anyone is lifted.
        let standing = Position {
            attackers: played.position.attackers | (played.captured & before.attackers),
            defenders: played.position.defenders | (played.captured & before.defenders),
            king: played.position.king | (played.captured & before.king),
            side: played.position.side,
        };
        let captured = played.captured.into_iter();
        captured
            .map(|square| self.capture(&standing, ply.to, square))
            .collect()
    }

    fn capture(&self, standing: &Position, to: Square, square: Square) -> Capture {
        let is_king = standing.king.contains(square);
        let mut anvils = ArrayVec::new();
        let surrounded = match self.rules.king_fate[square.index()] {
            KingFate::Surround(sides) if is_king => Some(sides),
            _ => None,
        };
        let closing = match surrounded {
            Some(sides) => {
                let around = Bitboard::of(square).neighbours();
                if around.len() < 4 {
                    anvils.push(Anvil::Edge);
                }
                // A side that need not be closed is the throne's.
                anvils.extend((around - sides).into_iter().map(|_| Anvil::Throne));
                sides - Bitboard::of(to)
            }
            None => beyond(to, square),
        };
        anvils.extend(closing.into_iter().map(|at| anvil(standing, at)));
        Capture {
            square,
            is_king,
            is_surrounded: surrounded.is_some(),
            anvils,
        }
    }

    fn threat(&self, before: &Position, after: &Position) -> Option<Threat> {
        if before.side == Side::Attackers {
            return None;
        }
        let open = self.rules.escapes(after);
        if open.is_subset(self.rules.escapes(before)) {
            return None;
        }
        Some(match open.len() {
            1 => Threat::Raichi,
            _ => Threat::Tuichi,
        })
    }
}

/// The square across a piece from the one that moved beside it.
fn beyond(to: Square, square: Square) -> Bitboard {
    let lines = CAPTURE_LINES[to.index()].iter();
    lines
        .filter(|line| line.neighbour.contains(square))
        .fold(Bitboard::EMPTY, |all, line| all | line.beyond)
}

/// What stands, or does not stand, on a square that closes in on a piece.
fn anvil(standing: &Position, at: Square) -> Anvil {
    if standing.soldiers().contains(at) {
        Anvil::Soldier(at)
    } else if standing.king.contains(at) {
        Anvil::King(at)
    } else if at == Square::THRONE {
        Anvil::Throne
    } else {
        Anvil::Corner(at)
    }
}

#[cfg(test)]
mod tests;
