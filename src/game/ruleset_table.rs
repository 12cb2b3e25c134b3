//! A ruleset as somebody wrote it: axes left out, a preset under them, and what
//! cannot stand together. Imports axes, presets and rulesets.

use serde::{Deserialize, Deserializer, Serialize};

use super::axis::{
    Hostility, KingCapture, KingEdge, KingSpeed, Layout, NoMoves, Repetition, ThronePass,
};
use super::bitboard::Bitboard;
use super::preset::{self, UnknownPreset};
use super::ruleset::{Ruleset, Throne};

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
#[serde(default, deny_unknown_fields)]
#[expect(missing_docs, reason = "each key is an axis, described at `Ruleset`")]
pub struct RulesetTable {
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub base: Option<String>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub layout: Option<Layout>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub king_armed: Option<bool>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub throne_hostile: Option<Hostility>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub king_capture: Option<KingCapture>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub king_return: Option<bool>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub king_edge: Option<KingEdge>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub throne: Option<ThroneKind>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub throne_pass: Option<ThronePass>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub corners_hostile: Option<Hostility>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub king_speed: Option<KingSpeed>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub repetition: Option<Repetition>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
    pub no_moves: Option<NoMoves>,
    #[serde(deserialize_with = "given", skip_serializing_if = "Option::is_none")]
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
