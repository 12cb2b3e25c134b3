//! The values each rule axis can take, as plain data with serde.
//! Imports squares, positions and sides; decides nothing.

use std::fmt;

use serde::de::{self, MapAccess, Visitor};
use serde::ser::SerializeMap;
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::bitboard::Bitboard;
use super::position::{Position, PositionError};
use super::side::Side;

/// Declares an axis: an enum whose variants have names in files.
macro_rules! axis {
    ($(#[$doc:meta])* $name:ident { $($(#[$variant_doc:meta])* $variant:ident = $text:literal,)+ }) => {
        $(#[$doc])*
        #[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
        pub enum $name {
            $($(#[$variant_doc])* #[serde(rename = $text)] $variant,)+
        }

        impl $name {
            /// Every value of the axis.
            pub const ALL: &'static [$name] = &[$($name::$variant),+];

            /// The value as files write it.
            #[must_use]
            pub const fn name(self) -> &'static str {
                match self { $($name::$variant => $text),+ }
            }
        }

        impl fmt::Display for $name {
            fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.pad(self.name())
            }
        }
    };
}

axis! {
    /// To whom an empty square (the throne, a corner) stands in for an enemy.
    Hostility {
        /// To nobody.
        None = "none",
        /// To soldiers of both sides.
        Soldiers = "soldiers",
        /// To soldiers and to the king.
        Everyone = "everyone",
    }
}

axis! {
    /// How attackers capture the king.
    KingCapture {
        /// Between two, like a soldier, everywhere.
        Two = "two",
        /// On the throne by all four sides, elsewhere between two.
        Throne = "throne",
        /// On the throne by all four sides, beside it by the other three,
        /// elsewhere between two.
        Zone = "zone",
        /// By all four sides everywhere.
        Four = "four",
    }
}

axis! {
    /// Under [`KingCapture::Four`], what the missing side means on an edge.
    KingEdge {
        /// It counts as closed: three attackers capture there.
        Three = "three",
        /// It can never be closed: the king is safe on an edge.
        Safe = "safe",
    }
}

axis! {
    /// Who may slide over the empty throne.
    ThronePass {
        /// Any piece.
        Everyone = "everyone",
        /// The king alone.
        King = "king",
        /// No piece.
        Nobody = "nobody",
    }
}

axis! {
    /// How far the king moves.
    KingSpeed {
        /// Any number of empty squares, like a soldier.
        Slide = "slide",
        /// One square.
        Step = "step",
    }
}

axis! {
    /// What happens to the player to move who has no legal move.
    NoMoves {
        /// The game is drawn.
        Draw = "draw",
        /// That player loses.
        Loses = "loses",
    }
}

axis! {
    /// What the last repetition of a position brings.
    RepetitionResult {
        /// A draw.
        Draw = "draw",
        /// The attackers win.
        Attackers = "attackers",
        /// The defenders win.
        Defenders = "defenders",
        /// Whoever made the repeating move loses.
        MoverLoses = "mover-loses",
    }
}

/// More repetitions than any rules ask for.
const MAX_REPETITIONS: u32 = 1000;

/// What a repeated position means.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Repetition {
    /// Nothing.
    Ignored,
    /// The game ends when a position (pieces and side to move) has stood
    /// `count` times, the start position counted.
    Counted {
        /// 2 to 1000.
        count: u32,
        /// What it brings.
        result: RepetitionResult,
    },
}

impl fmt::Display for Repetition {
    /// `ignored`, or count and result: `3 draw`.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Repetition::Ignored => f.pad("ignored"),
            Repetition::Counted { count, result } => f.pad(&format!("{count} {result}")),
        }
    }
}

impl Serialize for Repetition {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Repetition::Ignored => serializer.serialize_str("ignored"),
            Repetition::Counted { count, result } => {
                let mut map = serializer.serialize_map(Some(2))?;
                map.serialize_entry("count", count)?;
                map.serialize_entry("result", result)?;
                map.end()
            }
        }
    }
}

impl<'de> Deserialize<'de> for Repetition {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Repetition, D::Error> {
        deserializer.deserialize_any(RepetitionVisitor)
    }
}

struct RepetitionVisitor;

impl<'de> Visitor<'de> for RepetitionVisitor {
    type Value = Repetition;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(r#""ignored" or { count = 2 to 1000, result = "draw" | "attackers" | "defenders" | "mover-loses" }"#)
    }

    fn visit_str<E: de::Error>(self, text: &str) -> Result<Repetition, E> {
        match text {
            "ignored" => Ok(Repetition::Ignored),
            other => Err(E::invalid_value(de::Unexpected::Str(other), &self)),
        }
    }

    fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<Repetition, A::Error> {
        #[derive(Deserialize)]
        #[serde(field_identifier, rename_all = "lowercase")]
        enum Key {
            Count,
            Result,
        }
        let (mut count, mut result) = (None, None);
        while let Some(key) = map.next_key()? {
            match key {
                Key::Count if count.is_some() => return Err(de::Error::duplicate_field("count")),
                Key::Count => count = Some(map.next_value::<u32>()?),
                Key::Result if result.is_some() => {
                    return Err(de::Error::duplicate_field("result"));
                }
                Key::Result => result = Some(map.next_value()?),
            }
        }
        let count = count.ok_or_else(|| de::Error::missing_field("count"))?;
        let result = result.ok_or_else(|| de::Error::missing_field("result"))?;
        if !(2..=MAX_REPETITIONS).contains(&count) {
            return Err(de::Error::invalid_value(
                de::Unexpected::Unsigned(u64::from(count)),
                &format!("a repetition count from 2 to {MAX_REPETITIONS}").as_str(),
            ));
        }
        Ok(Repetition::Counted { count, result })
    }
}

/// Where the pieces stand at the start; attackers move first.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Layout {
    position: Position,
}

/// The layouts that have names, each as an OpenTafl position string.
const NAMED_LAYOUTS: [(&str, &str); 4] = [
    ("cross", "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/"),
    ("circle", "/3t3/1t3t1/3T3/t1TKT1t/3T3/1t3t1/3t3/"),
    ("line", "/2t1t2/7/t2T2t/2TKT2/t2T2t/7/2t1t2/"),
    ("ring", "/7/2t1t2/1t1T1t1/2TKT2/1t1T1t1/2t1t2/7/"),
];

impl Layout {
    /// The default layout.
    ///
    /// # Panics
    /// Never: the text is a constant.
    #[must_use]
    pub fn cross() -> Layout {
        Layout::parse("cross").expect("cross is a named layout")
    }

    /// The names of the layouts that have one.
    pub fn names() -> impl Iterator<Item = &'static str> {
        NAMED_LAYOUTS.iter().map(|(name, _)| *name)
    }

    /// Reads a layout's name or an OpenTafl position string.
    ///
    /// # Errors
    /// A text that is neither, or a position with a piece on a corner.
    pub fn parse(text: &str) -> Result<Layout, PositionError> {
        let named = NAMED_LAYOUTS.iter().find(|(name, _)| *name == text);
        let otn = named.map_or(text, |(_, otn)| otn);
        let position = Position::from_otn(otn, Side::Attackers)?;
        if position.occupied().meets(Bitboard::CORNERS) {
            return Err(PositionError {
                text: text.to_owned(),
                problem: "a piece on a corner".to_owned(),
            });
        }
        Ok(Layout { position })
    }

    /// The start position.
    #[must_use]
    pub const fn position(&self) -> Position {
        self.position
    }

    /// The layout's name if it has one, else its position string.
    #[must_use]
    pub fn name(&self) -> String {
        let otn = self.position.to_otn();
        NAMED_LAYOUTS
            .iter()
            .find(|(_, named)| *named == otn)
            .map_or(otn.clone(), |(name, _)| (*name).to_owned())
    }
}

impl fmt::Display for Layout {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(&self.name())
    }
}

impl Serialize for Layout {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(&self.name())
    }
}

impl<'de> Deserialize<'de> for Layout {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Layout, D::Error> {
        let text = String::deserialize(deserializer)?;
        Layout::parse(&text).map_err(|error| {
            let names: Vec<&str> = Layout::names().collect();
            de::Error::custom(format!("no such layout ({}): {error}", names.join(", ")))
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn named_layouts_stand_as_published() {
        let squares = |text: &str| -> Bitboard {
            text.split(' ').map(|name| name.parse().unwrap()).collect()
        };
        for (name, attackers) in [
            ("cross", "d1 d2 a4 b4 f4 g4 d6 d7"),
            ("circle", "a4 b2 b6 d1 d7 f2 f6 g4"),
            ("line", "a3 a5 c1 c7 e1 e7 g3 g5"),
            ("ring", "b3 b5 c2 c6 e2 e6 f3 f5"),
        ] {
            let position = Layout::parse(name).unwrap().position();
            assert_eq!(position.attackers, squares(attackers), "{name}");
            assert_eq!(position.defenders, squares("d3 c4 e4 d5"), "{name}");
            assert_eq!(position.king, Bitboard::THRONE, "{name}");
        }
    }

    #[test]
    fn a_layout_written_out_has_its_name_again() {
        for (name, otn) in NAMED_LAYOUTS {
            assert_eq!(Layout::parse(otn).unwrap().name(), name);
        }
        assert!(Layout::parse("t5K/7/7/7/7/7/7").is_err());
    }
}
