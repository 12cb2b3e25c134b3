//! The named rulesets, each with its source. Imports axes and rulesets.

use super::axis::{
    Hostility, KingCapture, KingEdge, KingSpeed, NoMoves, Repetition, RepetitionResult, ThronePass,
};
use super::ruleset::{Ruleset, Throne};
use super::ruleset_table::{RulesetTable, ThroneKind};

/// A ruleset that has a name.
#[derive(Clone, Copy, Debug)]
pub struct Preset {
    /// The name users write.
    pub name: &'static str,
    /// Where the rules come from, and which axes the source leaves open.
    pub source: &'static str,
    change: fn(&mut RulesetTable),
}

/// A name that no preset has.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("no ruleset is named `{name}`; nearest: `{nearest}` (all of them: brandub rules list)")]
pub struct UnknownPreset {
    /// What was asked for.
    pub name: String,
    /// The preset whose name is most like it.
    pub nearest: &'static str,
}

impl Preset {
    /// The rules.
    ///
    /// # Panics
    /// Never: the presets are constants, and a test resolves each.
    #[must_use]
    pub fn ruleset(&self) -> Ruleset {
        let mut table = RulesetTable::default();
        (self.change)(&mut table);
        table.resolve().expect("a preset's axes go together")
    }

    /// Every preset, in the order of the documentation.
    pub const ALL: [Preset; 19] = [
        Preset {
            name: "disputed",
            source: "every axis at its default: the point from which the disputed factorial varies",
            change: |_| {},
        },
        Preset {
            name: "walker-2011",
            source: "Damian Walker's leaflet (2011) after MacWhite (1946); silent on throne_pass, corners_hostile",
            change: |t| {
                t.throne_hostile = Some(Hostility::None);
            },
        },
        Preset {
            name: "nielsen-cyningstan",
            source: "Aage Nielsen's rules on Damian Walker's site",
            change: |t| {
                t.king_capture = Some(KingCapture::Zone);
                t.king_return = Some(false);
                t.repetition = Some(Repetition::Counted {
                    count: 2,
                    result: RepetitionResult::Draw,
                });
            },
        },
        Preset {
            name: "masters",
            source: "James Masters' leaflet \"7 x 7 Irish Tafl\"; it names no throne, and is silent on repetition and no_moves",
            change: masters,
        },
        Preset {
            name: "masters-weak-king",
            source: "the variation of James Masters' leaflet in which two capture the king",
            change: |t| {
                masters(t);
                t.king_capture = Some(KingCapture::Two);
            },
        },
        Preset {
            name: "masters-armed",
            source: "the variation of James Masters' leaflet with an armed king",
            change: |t| {
                masters(t);
                t.king_armed = Some(true);
            },
        },
        Preset {
            name: "branan",
            source: "the French presentation of MacWhite's model; silent on repetition and no_moves",
            change: branan,
        },
        Preset {
            name: "branan-step",
            source: "a variant of branan: the king moves one square",
            change: |t| {
                branan(t);
                t.king_speed = Some(KingSpeed::Step);
            },
        },
        Preset {
            name: "branan-unarmed",
            source: "a variant of branan: the king is unarmed",
            change: |t| {
                branan(t);
                t.king_armed = Some(false);
            },
        },
        Preset {
            name: "branan-quiet-throne",
            source: "a variant of branan: the empty throne is hostile to nobody",
            change: |t| {
                branan(t);
                t.throne_hostile = Some(Hostility::None);
            },
        },
        Preset {
            name: "how-to-play",
            source: "the \"How to Play Brandub\" post; silent on repetition and no_moves",
            change: |t| {
                t.king_capture = Some(KingCapture::Zone);
                t.king_return = Some(false);
            },
        },
        Preset {
            name: "wtf",
            source: "World Tafl Federation, on aagenielsen.dk as \"Irish Brandubh 2\"",
            change: |t| {
                t.throne_hostile = Some(Hostility::Soldiers);
                t.king_capture = Some(KingCapture::Throne);
                attackers_win_repetition(t);
                t.encirclement = Some(true);
            },
        },
        Preset {
            name: "irish-1",
            source: "aagenielsen.dk, \"Irish Brandubh 1\"",
            change: irish,
        },
        Preset {
            name: "irish-1-no-return",
            source: "aagenielsen.dk, \"Brandubh noreturn\"",
            change: |t| {
                irish(t);
                t.king_return = Some(false);
            },
        },
        Preset {
            name: "brandubh-3",
            source: "aagenielsen.dk, \"Brandubh3\"; repetition and no_moves at their defaults",
            change: |t| {
                t.king_capture = Some(KingCapture::Zone);
                t.king_return = Some(false);
                t.throne_pass = Some(ThronePass::Nobody);
            },
        },
        Preset {
            name: "weak-throne",
            source: "aagenielsen.dk, \"Brandubh weak-throne\"; repetition and no_moves at their defaults",
            change: |t| {
                t.king_capture = Some(KingCapture::Throne);
            },
        },
        Preset {
            name: "dragonheelslair",
            source: "the first rules of dragonheelslair.com; silent on repetition",
            change: |t| {
                t.throne_hostile = Some(Hostility::None);
                t.no_moves = Some(NoMoves::Draw);
            },
        },
        Preset {
            name: "crust",
            source: "the proposal on the site's forum, 2011; silent on repetition",
            change: |t| {
                t.throne_hostile = Some(Hostility::None);
                t.king_return = Some(false);
                t.no_moves = Some(NoMoves::Loses);
            },
        },
        Preset {
            name: "throneless",
            source: "aagenielsen.dk, \"Brandubh throneless cross\"; repetition and no_moves at their defaults",
            change: |t| {
                t.throne = Some(ThroneKind::Ordinary);
            },
        },
    ];
}

fn masters(table: &mut RulesetTable) {
    table.king_armed = Some(false);
    table.king_capture = Some(KingCapture::Four);
    table.throne = Some(ThroneKind::Ordinary);
}

fn branan(table: &mut RulesetTable) {
    table.throne_hostile = Some(Hostility::Soldiers);
    table.king_capture = Some(KingCapture::Four);
    table.king_edge = Some(KingEdge::Safe);
    table.throne_pass = Some(ThronePass::King);
    table.corners_hostile = Some(Hostility::None);
}

fn irish(table: &mut RulesetTable) {
    table.king_capture = Some(KingCapture::Zone);
    attackers_win_repetition(table);
}

fn attackers_win_repetition(table: &mut RulesetTable) {
    table.repetition = Some(Repetition::Counted {
        count: 3,
        result: RepetitionResult::Attackers,
    });
    table.no_moves = Some(NoMoves::Loses);
}

/// The preset of this name.
///
/// # Errors
/// If there is none, with the nearest name.
pub fn find(name: &str) -> Result<&'static Preset, UnknownPreset> {
    static PRESETS: [Preset; Preset::ALL.len()] = Preset::ALL;
    PRESETS
        .iter()
        .find(|preset| preset.name == name)
        .ok_or_else(|| UnknownPreset {
            name: name.to_owned(),
            nearest: PRESETS
                .iter()
                .map(|preset| preset.name)
                .max_by(|a, b| likeness(name, a).total_cmp(&likeness(name, b)))
                .unwrap_or("disputed"),
        })
}

/// How alike two names are: the one measure forgives swapped letters, the
/// other a missing end.
fn likeness(one: &str, other: &str) -> f64 {
    let one = one.to_lowercase();
    strsim::normalized_damerau_levenshtein(&one, other) + strsim::jaro_winkler(&one, other)
}

/// The 16 rulesets of the disputed factorial: `king_armed` {true, false} ×
/// `throne_hostile` {everyone, none} × `king_capture` {two, four} ×
/// `king_return` {true, false}, the last varying fastest.
#[must_use]
pub fn disputed_factorial() -> Vec<Ruleset> {
    let mut rulesets = Vec::with_capacity(16);
    for king_armed in [true, false] {
        for hostile in [Hostility::Everyone, Hostility::None] {
            for king_capture in [KingCapture::Two, KingCapture::Four] {
                for king_return in [true, false] {
                    rulesets.push(Ruleset {
                        king_armed,
                        king_capture,
                        throne: Throne::Reserved {
                            hostile,
                            pass: ThronePass::Everyone,
                            king_return,
                        },
                        ..Ruleset::default()
                    });
                }
            }
        }
    }
    rulesets
}
