//! A ruleset as a plain value: what each axis is, which values go together,
//! the canonical form and the id. Imports axes and its written form.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use super::axis::{
    Hostility, KingCapture, KingEdge, KingSpeed, Layout, NoMoves, Repetition, RepetitionResult,
    ThronePass,
};
use super::ruleset_table::{RulesetTable, ThroneKind};

/// Whether `d4` is a special square.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Throne {
    /// No soldier stops there.
    Reserved {
        /// To whom it is hostile while empty.
        hostile: Hostility,
        /// Who may slide over it while empty.
        pass: ThronePass,
        /// Whether the king, once he has left it, may stop on it again. A
        /// king who stands elsewhere has left it.
        king_return: bool,
    },
    /// A plain square for everyone.
    Ordinary,
}

/// A complete, consistent ruleset. Build one from a [`RulesetTable`], a preset
/// or [`Ruleset::default`]; serde reads and writes it as such a table.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "RulesetTable", into = "RulesetTable")]
pub struct Ruleset {
    /// Where the pieces stand at the start.
    pub layout: Layout,
    /// Whether the king captures, moving or standing.
    pub king_armed: bool,
    /// How he is captured.
    pub king_capture: KingCapture,
    /// How he is captured on an edge, with [`KingCapture::Four`] only.
    pub king_edge: KingEdge,
    /// What `d4` is.
    pub throne: Throne,
    /// To whom corners are hostile.
    pub corners_hostile: Hostility,
    /// How far the king moves.
    pub king_speed: KingSpeed,
    /// What repeated positions mean.
    pub repetition: Repetition,
    /// What having no move means.
    pub no_moves: NoMoves,
    /// Whether attackers win by shutting everybody in.
    pub encirclement: bool,
}

impl Default for Ruleset {
    /// The preset `disputed`: every axis at its default.
    fn default() -> Ruleset {
        Ruleset {
            layout: Layout::cross(),
            king_armed: true,
            king_capture: KingCapture::Two,
            king_edge: KingEdge::Three,
            throne: Throne::Reserved {
                hostile: Hostility::Everyone,
                pass: ThronePass::Everyone,
                king_return: true,
            },
            corners_hostile: Hostility::Everyone,
            king_speed: KingSpeed::Slide,
            repetition: Repetition::Counted {
                count: 3,
                result: RepetitionResult::Draw,
            },
            no_moves: NoMoves::Draw,
            encirclement: false,
        }
    }
}

/// The axes in the order of files and columns.
pub const AXES: [&str; 13] = [
    "layout",
    "king_armed",
    "throne_hostile",
    "king_capture",
    "king_return",
    "king_edge",
    "throne",
    "throne_pass",
    "corners_hostile",
    "king_speed",
    "repetition",
    "no_moves",
    "encirclement",
];

impl Ruleset {
    /// The value of every axis of [`AXES`], in that order; `None` where the
    /// axis does not exist under these rules (the three other throne axes with an
    /// ordinary throne, `king_edge` unless the king is captured by four).
    #[must_use]
    pub fn axes(&self) -> [Option<String>; 13] {
        let (hostile, pass, king_return) = match self.throne {
            Throne::Ordinary => (None, None, None),
            Throne::Reserved {
                hostile,
                pass,
                king_return,
            } => (
                Some(hostile.to_string()),
                Some(pass.to_string()),
                Some(king_return.to_string()),
            ),
        };
        let edge = (self.king_capture == KingCapture::Four).then(|| self.king_edge.to_string());
        let throne = if self.throne == Throne::Ordinary {
            "ordinary"
        } else {
            "reserved"
        };
        [
            Some(self.layout.to_string()),
            Some(self.king_armed.to_string()),
            hostile,
            Some(self.king_capture.to_string()),
            king_return,
            edge,
            Some(throne.to_owned()),
            pass,
            Some(self.corners_hostile.to_string()),
            Some(self.king_speed.to_string()),
            Some(self.repetition.to_string()),
            Some(self.no_moves.to_string()),
            Some(self.encirclement.to_string()),
        ]
    }

    /// The same rules in one fixed form: where two values of an axis cannot
    /// make a difference, the form holds one of them.
    ///
    /// - `king_edge` is `three` unless the king is captured by four;
    /// - by `zone`, a throne hostile to soldiers is hostile to everyone: the
    ///   king is sandwiched against it only from beside it, and there its side
    ///   counts in any case;
    /// - by `four` with safe edges, corners hostile to soldiers are hostile to
    ///   everyone: whoever stands beside a corner stands on an edge;
    /// - a king who steps never slides over the throne, so `throne_pass`
    ///   `king` is `nobody`.
    ///
    /// Nothing else is dropped: for any two forms that differ there is a
    /// position in which the rules part.
    #[must_use]
    pub fn canonical(&self) -> Ruleset {
        let mut form = *self;
        if form.king_capture != KingCapture::Four {
            form.king_edge = KingEdge::Three;
        } else if form.king_edge == KingEdge::Safe && form.corners_hostile == Hostility::Soldiers {
            form.corners_hostile = Hostility::Everyone;
        }
        if let Throne::Reserved { hostile, pass, .. } = &mut form.throne {
            if form.king_capture == KingCapture::Zone && *hostile == Hostility::Soldiers {
                *hostile = Hostility::Everyone;
            }
            if form.king_speed == KingSpeed::Step && *pass == ThronePass::King {
                *pass = ThronePass::Nobody;
            }
        }
        form
    }

    /// The first 12 hexadecimal digits of the SHA-256 of the canonical form's
    /// axes, written `key=value` and joined by `;` (an absent axis is `-`).
    /// Equal rules have equal ids.
    #[must_use]
    pub fn id(&self) -> String {
        let text: Vec<String> = AXES
            .iter()
            .zip(self.canonical().axes())
            .map(|(key, value)| format!("{key}={}", value.as_deref().unwrap_or("-")))
            .collect();
        short_id(&text.join(";"))
    }

    /// Every axis written out, so that resolving the table gives this ruleset.
    #[must_use]
    pub fn to_table(&self) -> RulesetTable {
        let (kind, hostile, pass, king_return) = match self.throne {
            Throne::Ordinary => (ThroneKind::Ordinary, None, None, None),
            Throne::Reserved {
                hostile,
                pass,
                king_return,
            } => (
                ThroneKind::Reserved,
                Some(hostile),
                Some(pass),
                Some(king_return),
            ),
        };
        RulesetTable {
            base: None,
            layout: Some(self.layout),
            king_armed: Some(self.king_armed),
            throne_hostile: hostile,
            king_capture: Some(self.king_capture),
            king_return,
            king_edge: (self.king_capture == KingCapture::Four).then_some(self.king_edge),
            throne: Some(kind),
            throne_pass: pass,
            corners_hostile: Some(self.corners_hostile),
            king_speed: Some(self.king_speed),
            repetition: Some(self.repetition),
            no_moves: Some(self.no_moves),
            encirclement: Some(self.encirclement),
        }
    }
}

impl fmt::Display for Ruleset {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.label())
    }
}

/// The first 12 hexadecimal digits of a text's SHA-256.
#[must_use]
pub fn short_id(text: &str) -> String {
    hex::encode(&Sha256::digest(text.as_bytes())[..6])
}
