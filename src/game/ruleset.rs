//! A ruleset as a plain value: what each axis is, which values go together,
//! the canonical form and the id. Imports axes and presets.

use std::fmt;

use serde::{Deserialize, Deserializer, Serialize};
use sha2::{Digest, Sha256};

use super::axis::{
    Hostility, KingCapture, KingEdge, KingSpeed, Layout, NoMoves, Repetition, RepetitionResult,
    ThronePass,
};
use super::bitboard::Bitboard;
use super::preset::{self, UnknownPreset};

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

/// The two values of the `throne` axis, as files write them.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ThroneKind {
    /// See [`Throne::Reserved`].
    Reserved,
    /// See [`Throne::Ordinary`].
    Ordinary,
}

/// Axes as somebody wrote them: any may be left out, and a base preset may
/// stand under them.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is an axis, described at `Ruleset`")]
pub struct RulesetTable {
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub base: Option<String>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub layout: Option<Layout>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub king_armed: Option<bool>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub throne_hostile: Option<Hostility>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub king_capture: Option<KingCapture>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub king_return: Option<bool>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub king_edge: Option<KingEdge>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub throne: Option<ThroneKind>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub throne_pass: Option<ThronePass>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub corners_hostile: Option<Hostility>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub king_speed: Option<KingSpeed>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub repetition: Option<Repetition>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub no_moves: Option<NoMoves>,
    #[serde(
        default,
        deserialize_with = "given",
        skip_serializing_if = "Option::is_none"
    )]
    pub encirclement: Option<bool>,
}

/// The value of a key that is there; null is none, and refused.
fn given<'de, T: Deserialize<'de>, D: Deserializer<'de>>(
    deserializer: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(deserializer).map(Some)
}

/// Rules that cannot stand together, or a base that does not exist.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum RulesetError {
    /// The base is no preset.
    #[error(transparent)]
    Base(#[from] UnknownPreset),
    /// One axis contradicts another.
    #[error("`{key}`: {problem}")]
    Conflict {
        /// The key to change.
        key: &'static str,
        /// Why, and what to write instead.
        problem: String,
    },
}

impl RulesetError {
    /// The key of the table that is to be changed.
    #[must_use]
    pub fn key(&self) -> &'static str {
        match self {
            RulesetError::Base(_) => "base",
            RulesetError::Conflict { key, .. } => key,
        }
    }
}

fn conflict(key: &'static str, problem: &str) -> RulesetError {
    RulesetError::Conflict {
        key,
        problem: problem.to_owned(),
    }
}

impl RulesetTable {
    /// The table of a preset's name alone.
    #[must_use]
    pub fn of_base(name: &str) -> RulesetTable {
        RulesetTable {
            base: Some(name.to_owned()),
            ..RulesetTable::default()
        }
    }

    /// The complete ruleset: the base (or the defaults), overridden axis by
    /// axis.
    ///
    /// # Errors
    /// An unknown base, or axes that exclude each other.
    pub fn resolve(&self) -> Result<Ruleset, RulesetError> {
        let base = match &self.base {
            Some(name) => preset::find(name)?.ruleset(),
            None => Ruleset::default(),
        };
        let king_capture = self.king_capture.unwrap_or(base.king_capture);
        let ruleset = Ruleset {
            layout: self.layout.unwrap_or(base.layout),
            king_armed: self.king_armed.unwrap_or(base.king_armed),
            king_capture,
            king_edge: self.king_edge.unwrap_or(base.king_edge),
            throne: self.resolve_throne(base.throne, king_capture)?,
            corners_hostile: self.corners_hostile.unwrap_or(base.corners_hostile),
            king_speed: self.king_speed.unwrap_or(base.king_speed),
            repetition: self.repetition.unwrap_or(base.repetition),
            no_moves: self.no_moves.unwrap_or(base.no_moves),
            encirclement: self.encirclement.unwrap_or(base.encirclement),
        };
        let on_throne = ruleset.layout.position();
        let soldiers = on_throne.attackers | on_throne.defenders;
        if ruleset.throne != Throne::Ordinary && soldiers.meets(Bitboard::THRONE) {
            return Err(conflict(
                "layout",
                "puts a soldier on d4, where none may stop; write throne = \"ordinary\" or move it",
            ));
        }
        Ok(ruleset)
    }

    /// This table with the other's axes written over it.
    #[must_use]
    pub fn overlaid(&self, over: &RulesetTable) -> RulesetTable {
        RulesetTable {
            base: over.base.clone().or_else(|| self.base.clone()),
            layout: over.layout.or(self.layout),
            king_armed: over.king_armed.or(self.king_armed),
            throne_hostile: over.throne_hostile.or(self.throne_hostile),
            king_capture: over.king_capture.or(self.king_capture),
            king_return: over.king_return.or(self.king_return),
            king_edge: over.king_edge.or(self.king_edge),
            throne: over.throne.or(self.throne),
            throne_pass: over.throne_pass.or(self.throne_pass),
            corners_hostile: over.corners_hostile.or(self.corners_hostile),
            king_speed: over.king_speed.or(self.king_speed),
            repetition: over.repetition.or(self.repetition),
            no_moves: over.no_moves.or(self.no_moves),
            encirclement: over.encirclement.or(self.encirclement),
        }
    }

    fn resolve_throne(
        &self,
        base: Throne,
        king_capture: KingCapture,
    ) -> Result<Throne, RulesetError> {
        let ordinary = match self.throne {
            Some(kind) => kind == ThroneKind::Ordinary,
            None => base == Throne::Ordinary,
        };
        if !ordinary {
            let (hostile, pass, king_return) = match base {
                Throne::Reserved {
                    hostile,
                    pass,
                    king_return,
                } => (hostile, pass, king_return),
                Throne::Ordinary => (Hostility::Everyone, ThronePass::Everyone, true),
            };
            return Ok(Throne::Reserved {
                hostile: self.throne_hostile.unwrap_or(hostile),
                pass: self.throne_pass.unwrap_or(pass),
                king_return: self.king_return.unwrap_or(king_return),
            });
        }
        let named = [
            ("king_return", self.king_return.is_some()),
            ("throne_hostile", self.throne_hostile.is_some()),
            ("throne_pass", self.throne_pass.is_some()),
        ];
        let throne = self.origin(self.throne.is_some());
        if let Some((key, _)) = named.into_iter().find(|(_, named)| *named) {
            return Err(conflict(
                key,
                &format!(
                    "means nothing with an ordinary throne{throne}; leave it out, or write throne = \"reserved\""
                ),
            ));
        }
        match king_capture {
            KingCapture::Two | KingCapture::Four => Ok(Throne::Ordinary),
            KingCapture::Throne | KingCapture::Zone => {
                let capture = self.origin(self.king_capture.is_some());
                Err(conflict(
                    "king_capture",
                    &format!(
                        "\"{king_capture}\"{capture} needs a reserved throne; with an ordinary one{throne} write \"two\" or \"four\""
                    ),
                ))
            }
        }
    }

    /// Says of a value that the table itself does not name where it comes from.
    fn origin(&self, named: bool) -> String {
        match &self.base {
            Some(base) if !named => format!(" (the base `{base}` has it)"),
            _ => String::new(),
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

impl TryFrom<RulesetTable> for Ruleset {
    type Error = RulesetError;

    fn try_from(table: RulesetTable) -> Result<Ruleset, RulesetError> {
        table.resolve()
    }
}

impl From<Ruleset> for RulesetTable {
    fn from(ruleset: Ruleset) -> RulesetTable {
        ruleset.to_table()
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
