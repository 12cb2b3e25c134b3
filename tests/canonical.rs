//! The canonical form of rulesets and their ids: equal forms play alike, different forms part in
//! some position, and rules that cannot stand together are refused. Uses `game` and the agents'
//! random numbers.

#[path = "rulesets/mod.rs"]
mod rulesets;

use std::collections::BTreeMap;
use std::fs;
use std::path::PathBuf;

use brandub::agents::Stream;
use brandub::game::parting::{self, Disagreement, Parting};
use brandub::game::sample::{below, random_move};
use brandub::game::{
    Bitboard, Game, Hostility, KingCapture, KingEdge, KingSpeed, Move, NoMoves, Position, Preset,
    Rules, Ruleset, RulesetTable, Side, Square, Throne, ThronePass,
};
use rand_core::SeedableRng;
use rulesets::{any_ruleset, layouts, pick, possible, repetitions, reserved};
use serde_json::{Value, json};

// Rulesets and positions.

/// The axes of the throne that differ, or `throne` where one of two is ordinary.
fn throne_axes(one: Throne, other: Throne) -> Vec<&'static str> {
    let values = |throne| match throne {
        Throne::Ordinary => None,
        Throne::Reserved {
            hostile,
            pass,
            king_return,
        } => Some((hostile, pass, king_return)),
    };
    let (Some(one), Some(other)) = (values(one), values(other)) else {
        return vec!["throne"];
    };
    [
        ("throne_hostile", one.0 != other.0),
        ("throne_pass", one.1 != other.1),
        ("king_return", one.2 != other.2),
    ]
    .into_iter()
    .filter_map(|(axis, differs)| differs.then_some(axis))
    .collect()
}

/// The rulesets that differ from this one on a single axis, with its name. Thrones that do not
/// exist by both count as one axis.
fn neighbours(of: Ruleset) -> Vec<(&'static str, Ruleset)> {
    let mut all = Vec::new();
    let mut add = |axis, change: &dyn Fn(&mut Ruleset)| {
        let mut changed = of;
        change(&mut changed);
        all.push((axis, changed));
    };
    add("king_armed", &|r| r.king_armed = !r.king_armed);
    add("encirclement", &|r| r.encirclement = !r.encirclement);
    for layout in layouts() {
        add("layout", &|r| r.layout = layout);
    }
    for &value in KingCapture::ALL {
        add("king_capture", &|r| r.king_capture = value);
    }
    for &value in KingEdge::ALL {
        add("king_edge", &|r| r.king_edge = value);
    }
    for throne in reserved().into_iter().chain([Throne::Ordinary]) {
        if let [axis] = throne_axes(of.throne, throne)[..] {
            add(axis, &|r| r.throne = throne);
        }
    }
    for &value in Hostility::ALL {
        add("corners_hostile", &|r| r.corners_hostile = value);
    }
    for &value in KingSpeed::ALL {
        add("king_speed", &|r| r.king_speed = value);
    }
    for value in repetitions() {
        add("repetition", &|r| r.repetition = value);
    }
    for &value in NoMoves::ALL {
        add("no_moves", &|r| r.no_moves = value);
    }
    all.retain(|(_, changed)| *changed != of && possible(changed));
    all
}

/// Calls `visit` with every position of the king and this many soldiers, none on a corner.
fn every_position(soldiers: u32, visit: &mut impl FnMut(&Position)) {
    for king in !Bitboard::CORNERS {
        let bare = Position {
            attackers: Bitboard::EMPTY,
            defenders: Bitboard::EMPTY,
            king: Bitboard::of(king),
            side: Side::Attackers,
        };
        with_soldiers(bare, soldiers, 0, visit);
    }
}

/// Adds soldiers on squares from `from` on in every way.
fn with_soldiers(position: Position, left: u32, from: usize, visit: &mut impl FnMut(&Position)) {
    if left == 0 {
        for side in Side::BOTH {
            visit(&Position { side, ..position });
        }
        return;
    }
    for square in !(position.occupied() | Bitboard::CORNERS) {
        if square.index() < from {
            continue;
        }
        let (at, next) = (Bitboard::of(square), square.index() + 1);
        let attackers = position.attackers | at;
        with_soldiers(
            Position {
                attackers,
                ..position
            },
            left - 1,
            next,
            visit,
        );
        let defenders = position.defenders | at;
        with_soldiers(
            Position {
                defenders,
                ..position
            },
            left - 1,
            next,
            visit,
        );
    }
}

/// A position with up to 20 soldiers anywhere but on corners and throne.
fn any_position(random: &mut Stream) -> Position {
    let mut free: Vec<Square> = (!(Bitboard::CORNERS | Bitboard::THRONE))
        .into_iter()
        .collect();
    let mut take = |times: u32, random: &mut Stream| -> Bitboard {
        (0..times)
            .map(|_| free.swap_remove(below(free.len() as u32, random) as usize))
            .collect()
    };
    Position {
        king: match below(3, random) {
            0 => Bitboard::THRONE,
            _ => take(1, random),
        },
        attackers: take(1 + below(14, random), random),
        defenders: take(below(7, random), random),
        side: pick(&Side::BOTH, random),
    }
}

/// A move that two rulesets judge differently in a position both admit.
fn difference(first: &Rules, second: &Rules, position: &Position) -> Option<Move> {
    if first.admit(position).is_err() || second.admit(position).is_err() {
        return None;
    }
    for from in position.pieces(position.side) {
        let by_first = first.destinations(position, from);
        if let Some(to) = (by_first ^ second.destinations(position, from)).first() {
            return Some(Move { from, to });
        }
        for to in by_first {
            let ply = Move { from, to };
            let (one, other) = (first.play(position, ply), second.play(position, ply));
            if one != other || first.ending(&one.position) != second.ending(&other.position) {
                return Some(ply);
            }
        }
    }
    None
}

// Rules with one canonical form are the same rules.

/// Makes two rulesets of one that differ in a way the canonical form drops.
type Equivalence = fn(Ruleset, &mut Stream) -> [Ruleset; 2];

fn edge_without_four(mut of: Ruleset, random: &mut Stream) -> [Ruleset; 2] {
    if of.king_capture == KingCapture::Four {
        of.king_capture = KingCapture::Two;
        if of.throne != Throne::Ordinary {
            of.king_capture = pick(&KingCapture::ALL[..3], random);
        }
    }
    [KingEdge::Three, KingEdge::Safe].map(|king_edge| Ruleset { king_edge, ..of })
}

fn throne_hostile_by_zone(mut of: Ruleset, random: &mut Stream) -> [Ruleset; 2] {
    of.king_capture = KingCapture::Zone;
    let (pass, king_return) = (pick(ThronePass::ALL, random), pick(&[true, false], random));
    [Hostility::Soldiers, Hostility::Everyone].map(|hostile| Ruleset {
        throne: Throne::Reserved {
            hostile,
            pass,
            king_return,
        },
        ..of
    })
}

fn corners_by_four_and_safe(mut of: Ruleset, _: &mut Stream) -> [Ruleset; 2] {
    of.king_capture = KingCapture::Four;
    of.king_edge = KingEdge::Safe;
    [Hostility::Soldiers, Hostility::Everyone].map(|corners_hostile| Ruleset {
        corners_hostile,
        ..of
    })
}

fn pass_of_a_stepping_king(mut of: Ruleset, random: &mut Stream) -> [Ruleset; 2] {
    of.king_speed = KingSpeed::Step;
    let (hostile, king_return) = (pick(Hostility::ALL, random), pick(&[true, false], random));
    [ThronePass::King, ThronePass::Nobody].map(|pass| Ruleset {
        throne: Throne::Reserved {
            hostile,
            pass,
            king_return,
        },
        ..of
    })
}

/// Plays a random game by both, comparing every move at every ply.
fn play_alike(first: &Rules, second: &Rules, start: Position, random: &mut Stream) {
    let mut one = Game::from_position(first, start);
    let mut other = Game::from_position(second, start);
    for _ in 0..100 {
        let position = *one.position();
        let parted = difference(first, second, &position);
        assert_eq!(
            parted,
            None,
            "{}\n{}\n{position}",
            first.ruleset(),
            second.ruleset()
        );
        let outcomes = (one.outcome(), other.outcome());
        assert_eq!(outcomes.0, outcomes.1, "{}\n{position}", first.ruleset());
        let Some(ply) = random_move(first, &position, random) else {
            return;
        };
        if outcomes.0.is_some() {
            return;
        }
        assert_eq!(one.play(ply), other.play(ply), "{ply} in\n{position}");
    }
}

/// Takes random rulesets through an equivalence: the two of each pair are to play alike in every
/// small position and in random games.
fn holds(equivalence: Equivalence, seed: u64) {
    let mut random = Stream::seed_from_u64(seed);
    for _ in 0..RULESETS {
        let pair = equivalence(any_ruleset(&mut random), &mut random);
        assert!(pair[0] != pair[1] && pair.iter().all(possible), "{pair:?}");
        assert_eq!(pair[0].canonical(), pair[1].canonical(), "{pair:?}");
        assert_eq!(pair[0].id(), pair[1].id(), "{pair:?}");
        assert_eq!(parting::differences(&pair[0], &pair[1]), []);
        let [first, second] = pair.map(Rules::new);
        assert_eq!(parting::find(&first, &second), None, "{pair:?}");
        for soldiers in 0..=2 {
            every_position(soldiers, &mut |position| {
                assert_eq!(first.admit(position), second.admit(position));
                assert_eq!(
                    difference(&first, &second, position),
                    None,
                    "{pair:?}\n{position}"
                );
            });
        }
        for _ in 0..100 {
            play_alike(&first, &second, first.start(), &mut random);
            let start = any_position(&mut random);
            play_alike(&first, &second, start, &mut random);
        }
    }
}

/// Rulesets taken through each equivalence.
const RULESETS: u32 = 14;

#[test]
fn the_edge_matters_by_four_alone() {
    holds(edge_without_four, 1);
}

#[test]
fn by_zone_a_throne_hostile_to_soldiers_is_hostile_to_everyone() {
    holds(throne_hostile_by_zone, 2);
}

#[test]
fn with_safe_edges_corners_hostile_to_soldiers_are_hostile_to_everyone() {
    holds(corners_by_four_and_safe, 3);
}

#[test]
fn a_stepping_king_never_slides_over_the_throne() {
    holds(pass_of_a_stepping_king, 4);
}

#[test]
fn the_canonical_form_of_a_canonical_form_is_itself() {
    let mut random = Stream::seed_from_u64(5);
    for _ in 0..2000 {
        let form = any_ruleset(&mut random).canonical();
        assert_eq!(form.canonical(), form);
        assert!(possible(&form), "{form:?}");
    }
}

#[test]
fn a_label_names_the_rules_that_it_is_given_for() {
    let mut random = Stream::seed_from_u64(8);
    for _ in 0..10_000 {
        let form = any_ruleset(&mut random).canonical();
        let label = form.label();
        let read = Ruleset::from_label(&label).map(|read| read.canonical());
        assert_eq!(read, Ok(form), "{label}");
    }
    for (label, said) in [
        ("masterly", "`masterly`"),
        ("king_armed=maybe", "maybe"),
        ("king_capture=three", "three"),
        ("king_armed=false king_armed=true", "twice"),
        ("king_wed=true", "king_wed"),
        ("repetition=3", "expected"),
        ("repetition=1 draw", "repetition count"),
        ("throne=ordinary king_return=true", "king_return"),
    ] {
        let error = Ruleset::from_label(label).unwrap_err();
        assert!(error.contains(said), "{label}: {error}");
    }
}

// Rules with two canonical forms part.

/// Says what is wrong with a parting when it is replayed.
fn replay(first: &Rules, second: &Rules, parting: &Parting) -> Result<(), &'static str> {
    if let Disagreement::Layout { second: other } = parting.what {
        let starts = (first.start(), second.start());
        let right = starts == (parting.position, other) && starts.0 != starts.1;
        return right.then_some(()).ok_or("the layouts do not differ so");
    }
    first
        .admit(&parting.position)
        .and(second.admit(&parting.position))
        .map_err(|_| "not admitted")?;
    let mut one = Game::from_position(first, parting.position);
    let mut other = Game::from_position(second, parting.position);
    for &ply in &parting.line {
        let effects = (one.play(ply), other.play(ply));
        if effects.0.is_err() || effects.0 != effects.1 || one.outcome() != other.outcome() {
            return Err("they part before the end of the line");
        }
    }
    let right = match parting.what {
        Disagreement::Layout { .. } => false,
        Disagreement::Legal { ply, by_first } => {
            (one.play(ply).is_ok(), other.play(ply).is_ok()) == (by_first, !by_first)
        }
        Disagreement::Effect { ply, first, second } => {
            let effects = (one.play(ply), other.play(ply));
            effects == (Ok(first.0), Ok(second.0))
                && (one.outcome(), other.outcome()) == (first.1, second.1)
                && first != second
        }
    };
    right.then_some(()).ok_or("they do not disagree as said")
}

/// Finds where two rulesets part, and checks it.
fn found(one: Ruleset, other: Ruleset) -> Parting {
    let (first, second) = (Rules::new(one), Rules::new(other));
    let parting = parting::find(&first, &second);
    let parting = parting.unwrap_or_else(|| panic!("never part:\n{one:?}\n{other:?}"));
    if let Err(wrong) = replay(&first, &second, &parting) {
        panic!("{wrong}: {parting:?}\n{one:?}\n{other:?}");
    }
    assert!(!parting::differences(&one, &other).is_empty());
    assert_ne!(one.id(), other.id());
    parting
}

/// The neighbours of a ruleset that are the same rules, and those that are not.
fn by_form(of: Ruleset) -> [Vec<(&'static str, Ruleset)>; 2] {
    let same = |(_, other): &(&str, Ruleset)| other.canonical() == of.canonical();
    neighbours(of)
        .into_iter()
        .partition::<Vec<_>, _>(same)
        .into()
}

/// Axes on which rulesets part in larger positions only, which take long to find.
const SLOW: [&str; 2] = ["encirclement", "king_edge"];

#[test]
fn every_preset_parts_from_all_its_neighbours() {
    for preset in Preset::ALL {
        for (axis, other) in by_form(preset.ruleset())[1].clone() {
            if axis != "encirclement" {
                found(preset.ruleset(), other);
            }
        }
    }
}

#[test]
fn encirclement_parts_by_every_way_to_capture_the_king() {
    for name in ["walker-2011", "wtf", "irish-1", "branan", "masters"] {
        let of = brandub::game::preset::find(name)
            .expect("a preset")
            .ruleset();
        let other = Ruleset {
            encirclement: !of.encirclement,
            ..of
        };
        let parting = found(of, other);
        // Four attackers around the king capture him, so a fifth has to move.
        assert_eq!(parting.position.occupied().len(), 6, "{parting}");
        let (first, second) = (Rules::new(of), Rules::new(other));
        let soldiers = parting.position.attackers | parting.position.defenders;
        for square in soldiers {
            let mut fewer = parting.position;
            fewer.attackers = fewer.attackers - Bitboard::of(square);
            fewer.defenders = fewer.defenders - Bitboard::of(square);
            assert_eq!(
                difference(&first, &second, &fewer),
                None,
                "without {square}: {parting}"
            );
        }
    }
}

#[test]
fn different_forms_part_whatever_the_other_axes_are() {
    let mut random = Stream::seed_from_u64(6);
    // Positions that have shown a difference, by axis.
    let mut known: BTreeMap<&str, Vec<Position>> = BTreeMap::new();
    let mut pairs = [0; 2];
    for _ in 0..150 {
        let one = any_ruleset(&mut random);
        let [same, different] = by_form(one);
        pairs[0] += same.len();
        pairs[1] += different.len();
        for (axis, other) in different {
            assert_ne!(one.id(), other.id(), "{axis}: {one:?}");
            let known = known.entry(axis).or_default();
            if !SLOW.contains(&axis) || first_of(known, one, other).is_none() {
                known.push(found(one, other).position);
            }
        }
        for (axis, other) in same {
            assert_eq!(one.id(), other.id(), "{axis}: {one:?}");
            assert!(alike(axis, one, other), "{axis}: {one:?}\n{other:?}");
        }
    }
    assert!(pairs[0] > 100 && pairs[1] > 3000, "{pairs:?} pairs");
}

/// Whether two rulesets that differ on this axis alone are the same by one of the equivalences
/// tested above: no other may be dropped.
fn alike(axis: &str, one: Ruleset, other: Ruleset) -> bool {
    let thrones = [one.throne, other.throne].map(|throne| match throne {
        Throne::Ordinary => None,
        Throne::Reserved { hostile, pass, .. } => Some((hostile, pass)),
    });
    match axis {
        "king_edge" => one.king_capture != KingCapture::Four,
        "throne_hostile" => {
            let none = thrones
                .iter()
                .flatten()
                .any(|(hostile, _)| *hostile == Hostility::None);
            one.king_capture == KingCapture::Zone && !none
        }
        "corners_hostile" => {
            let none = [one, other]
                .iter()
                .any(|of| of.corners_hostile == Hostility::None);
            let safe = one.king_capture == KingCapture::Four && one.king_edge == KingEdge::Safe;
            safe && !none
        }
        "throne_pass" => {
            let open = thrones
                .iter()
                .flatten()
                .any(|(_, pass)| *pass == ThronePass::Everyone);
            one.king_speed == KingSpeed::Step && !open
        }
        _ => false,
    }
}

/// The first of some positions that shows a difference.
fn first_of(positions: &[Position], one: Ruleset, other: Ruleset) -> Option<Position> {
    let (first, second) = (Rules::new(one), Rules::new(other));
    let mut shown = positions.iter().copied();
    shown.find(|position| difference(&first, &second, position).is_some())
}

#[test]
fn forms_that_differ_on_several_axes_part() {
    let mut random = Stream::seed_from_u64(7);
    let mut pairs = 0;
    for _ in 0..1500 {
        let one = any_ruleset(&mut random);
        let (_, between) = pick(&neighbours(one), &mut random);
        let (_, other) = pick(&neighbours(between), &mut random);
        let other = Ruleset {
            layout: one.layout,
            ..other
        };
        let alike = Ruleset {
            encirclement: one.encirclement,
            ..other
        };
        if alike.canonical() != one.canonical() {
            pairs += 1;
            found(one, other);
        }
    }
    assert!(pairs > 1000, "{pairs} pairs");
}

#[test]
fn no_smaller_position_shows_what_the_smallest_shows() {
    let mut random = Stream::seed_from_u64(8);
    let mut checked = [0; 4];
    for _ in 0..40 {
        let one = any_ruleset(&mut random);
        for (axis, other) in by_form(one)[1].clone() {
            if axis == "encirclement" || axis == "layout" {
                continue;
            }
            let (first, second) = (Rules::new(one), Rules::new(other));
            let parting = found(one, other);
            let soldiers = parting.position.occupied().len() - 1;
            assert!(parting.smallest, "{parting}");
            checked[soldiers as usize] += 1;
            if soldiers == 3 && checked[3] > 5 {
                continue;
            }
            for fewer in 0..soldiers {
                every_position(fewer, &mut |position| {
                    let parted = difference(&first, &second, position);
                    assert_eq!(parted, None, "{axis}: {parting}\nbut also\n{position}");
                });
            }
        }
    }
    assert!(checked.iter().all(|&pairs| pairs > 0), "{checked:?}");
}

// Ids.

/// Reads rules as a file gives them; the error is what its reader is told.
fn read(rules: &Value) -> Result<Ruleset, String> {
    serde_json::from_value(rules.clone()).map_err(|error| error.to_string())
}

fn id(rules: &Value) -> String {
    read(rules)
        .unwrap_or_else(|error| panic!("{rules}: {error}"))
        .id()
}

#[test]
fn ids_of_presets_never_change() {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/ruleset_ids.jsonl");
    let text = fs::read_to_string(path).expect("the table can be read");
    let rows: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("each line is JSON"))
        .collect();
    let now = Preset::ALL.map(|preset| json!({"preset": preset.name, "id": preset.ruleset().id()}));
    assert_eq!(rows, now);
}

#[test]
fn ids_do_not_depend_on_how_rules_are_written() {
    let ring = "/7/2t1t2/1t1T1t1/2TKT2/1t1T1t1/2t1t2/7/";
    for (one, other) in [
        (json!({}), json!({"base": "disputed"})),
        (json!({"king_edge": "safe"}), json!({"king_capture": "two"})),
        (json!({"layout": "ring"}), json!({"layout": ring})),
        (
            json!({"layout": "ring"}),
            json!({"layout": ring.trim_matches('/')}),
        ),
        (
            json!({"base": "branan", "king_armed": false}),
            json!({"base": "branan-unarmed"}),
        ),
        (
            json!({"base": "irish-1", "king_return": false}),
            json!({"base": "irish-1-no-return"}),
        ),
        (
            json!({"base": "walker-2011", "throne": "ordinary"}),
            json!({"base": "throneless"}),
        ),
        (
            json!({"base": "masters", "throne": "reserved"}),
            json!({"king_armed": false, "king_capture": "four"}),
        ),
        (
            json!({"base": "dragonheelslair"}),
            json!({"base": "walker-2011"}),
        ),
    ] {
        assert_eq!(id(&one), id(&other), "{one} {other}");
    }
}

#[test]
fn ids_survive_writing_and_reading() {
    let mut random = Stream::seed_from_u64(9);
    let presets = Preset::ALL.map(|preset| preset.ruleset());
    let others = (0..2000).map(|_| any_ruleset(&mut random));
    for ruleset in presets.into_iter().chain(others) {
        let written = json!(ruleset);
        assert_eq!(id(&written), ruleset.id(), "{written}");
        let form = ruleset.canonical();
        assert_eq!(read(&json!(form)), Ok(form));
        assert_eq!(form.id(), ruleset.id());
    }
}

#[test]
fn different_presets_have_different_ids() {
    let mut names: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for preset in Preset::ALL {
        names
            .entry(preset.ruleset().id())
            .or_default()
            .push(preset.name);
    }
    let shared: Vec<Vec<&str>> = names
        .into_values()
        .filter(|names| names.len() > 1)
        .collect();
    // Two sources that give the same rules.
    assert_eq!(shared, [["walker-2011", "dragonheelslair"]]);
}

// Errors.

#[test]
fn axes_of_a_reserved_throne_exclude_an_ordinary_one() {
    for (key, value) in [
        ("king_return", json!(true)),
        ("king_return", json!(false)),
        ("throne_hostile", json!("none")),
        ("throne_pass", json!("everyone")),
        ("king_capture", json!("throne")),
        ("king_capture", json!("zone")),
    ] {
        for rules in [
            json!({"throne": "ordinary"}),
            json!({"base": "masters"}),
            json!({"base": "crust", "throne": "ordinary"}),
        ] {
            let mut rules = rules;
            rules[key] = value.clone();
            conflict(&rules, key);
            rules["throne"] = json!("reserved");
            assert!(read(&rules).is_ok(), "{rules}");
        }
    }
    conflict(
        &json!({"base": "irish-1", "throne": "ordinary"}),
        "king_capture",
    );
}

/// Asserts that these axes are refused, and that the error names the key to change.
fn conflict(rules: &Value, key: &str) {
    let table: RulesetTable = serde_json::from_value(rules.clone()).expect("a table of axes");
    let error = table.resolve().expect_err("axes that exclude each other");
    assert_eq!(error.key(), key, "{rules}: {error}");
    assert!(
        error.to_string().contains(&format!("`{key}`")),
        "{rules}: {error}"
    );
    assert_eq!(read(rules), Err(error.to_string()));
}

#[test]
fn no_soldier_starts_on_a_reserved_throne() {
    for soldier in ["t", "T"] {
        let layout = format!("/3t3/7/7/3{soldier}3/3K3/7/7/");
        conflict(&json!({"layout": layout}), "layout");
        conflict(
            &json!({"base": "throneless", "throne": "reserved", "layout": layout}),
            "layout",
        );
        let ordinary = json!({"layout": layout, "throne": "ordinary"});
        assert!(read(&ordinary).is_ok(), "{ordinary}");
    }
}

#[test]
fn an_unknown_preset_is_answered_with_the_nearest_name() {
    for (name, nearest) in [
        ("walker", "walker-2011"),
        ("brannan", "branan"),
        ("irish1", "irish-1"),
        ("nielsen", "nielsen-cyningstan"),
    ] {
        let table = RulesetTable::of_base(name);
        let error = table.resolve().expect_err("no preset");
        assert_eq!(error.key(), "base");
        let text = error.to_string();
        assert!(
            text.contains(&format!("`{name}`")) && text.contains(&format!("`{nearest}`")),
            "{text}"
        );
    }
}

#[test]
fn what_is_no_axis_or_no_value_is_named() {
    for (rules, named) in [
        (json!({"king_captured": "two"}), "king_captured"),
        (json!({"king_capture": "five"}), "five"),
        (json!({"throne_hostile": "king"}), "king"),
        (json!({"repetition": "forever"}), "forever"),
        (
            json!({"repetition": {"count": 1, "result": "draw"}}),
            "from 2 to 1000",
        ),
        (json!({"repetition": {"count": 3}}), "result"),
        (json!({"repetition": {"result": "draw"}}), "count"),
        (
            json!({"repetition": {"count": 3, "result": "draw", "side": 1}}),
            "side",
        ),
        (json!({"layout": "square"}), "square"),
        (json!({"layout": "/t6/7/7/3K3/7/7/7/"}), "corner"),
        (json!({"layout": "/7/7/7/7/7/7/7/"}), "0 kings"),
        (json!({"king_armed": "true"}), "true"),
    ] {
        let error = read(&rules).expect_err("no ruleset");
        assert!(error.contains(named), "{rules}: {error}");
    }
}
