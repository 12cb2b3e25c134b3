//! Rulesets at random, and all values of their axes.

use brandub::agents::Stream;
use brandub::game::sample::below;
use brandub::game::{
    Hostility, KingCapture, KingEdge, KingSpeed, Layout, NoMoves, Repetition, RepetitionResult,
    Ruleset, Throne, ThronePass,
};

/// One of the items, each equally likely.
pub fn pick<T: Copy>(items: &[T], random: &mut Stream) -> T {
    items[below(items.len() as u32, random) as usize]
}

/// `ignored`, and every result of two to four repetitions.
pub fn repetitions() -> Vec<Repetition> {
    let counted = (2..=4).flat_map(|count| {
        let results = RepetitionResult::ALL.iter();
        results.map(move |&result| Repetition::Counted { count, result })
    });
    [Repetition::Ignored].into_iter().chain(counted).collect()
}

/// The named layouts.
pub fn layouts() -> Vec<Layout> {
    Layout::names()
        .map(|name| Layout::parse(name).expect("a named layout"))
        .collect()
}

/// Every reserved throne.
pub fn reserved() -> Vec<Throne> {
    let mut thrones = Vec::new();
    for &hostile in Hostility::ALL {
        for &pass in ThronePass::ALL {
            thrones.extend([true, false].map(|king_return| Throne::Reserved {
                hostile,
                pass,
                king_return,
            }));
        }
    }
    thrones
}

/// An ordinary throne leaves room for two ways only to capture the king.
pub fn possible(ruleset: &Ruleset) -> bool {
    ruleset.to_table().resolve().is_ok()
}

/// A ruleset with each axis at any value.
pub fn any_ruleset(random: &mut Stream) -> Ruleset {
    let ruleset = Ruleset {
        layout: pick(&layouts(), random),
        king_armed: pick(&[true, false], random),
        king_capture: pick(KingCapture::ALL, random),
        king_edge: pick(KingEdge::ALL, random),
        throne: match below(5, random) {
            0 => Throne::Ordinary,
            _ => pick(&reserved(), random),
        },
        corners_hostile: pick(Hostility::ALL, random),
        king_speed: pick(KingSpeed::ALL, random),
        repetition: pick(&repetitions(), random),
        no_moves: pick(NoMoves::ALL, random),
        encirclement: pick(&[true, false], random),
    };
    match possible(&ruleset) {
        true => ruleset,
        false => any_ruleset(random),
    }
}
