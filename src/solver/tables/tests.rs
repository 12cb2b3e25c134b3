//! Small layers, value by value, against what one move ahead says: as the
//! head of `verify` explains, that proves them.

use std::sync::Arc;

use super::build::{TooLong, build, build_up_to};
use super::dense::Dense;
use super::folder::{Folder, open_tables};
use super::format::pack;
use super::ground::Ground;
use super::identity::table_rules;
use super::index::{Index, Layer, Rows};
use super::verify::{look_ahead, verify_tables};
use crate::game::{
    Bitboard, Hostility, KingCapture, KingSpeed, NoMoves, Position, Preset, Rules, Ruleset,
    RulesetTable, Side, Throne, ThronePass, preset,
};
use crate::solver::exact::{Probe, Value};

fn rules(table: &str) -> Rules {
    let table: RulesetTable = toml::from_str(table).unwrap();
    Rules::new(table.resolve().unwrap())
}

/// All layers up to this one, in the order in which they are built.
fn layers(rules: &Rules, defenders: u8, attackers: u8) -> Vec<Dense> {
    let ground = Arc::new(Ground::of(rules));
    let mut done: Vec<Dense> = Vec::new();
    for defenders in 0..=defenders {
        for attackers in 0..=attackers {
            let layer = Layer {
                defenders,
                attackers,
            };
            let rows = Arc::new(Rows::new(&ground, attackers));
            let index = Index::new(layer, &ground, &rows);
            let dense = build(rules, index, &done).unwrap();
            done.push(dense);
        }
    }
    done
}

/// Compares every `step`-th value; says how many were wins, draws and losses.
fn compare(rules: &Rules, layers: &[Dense], step: usize) -> [u64; 3] {
    let mut counts = [0; 3];
    for dense in layers {
        for number in (0..dense.index.len()).step_by(step) {
            for side in Side::BOTH {
                let position = dense.index.position(number, side);
                let value = dense.value(&position);
                let expected = look_ahead(rules, layers, &position);
                let label = rules.ruleset().label();
                assert_eq!(value, expected, "{label}, {side} to move\n{position}");
                match value {
                    Value::Win { .. } => counts[0] += 1,
                    Value::Draw => counts[1] += 1,
                    Value::Loss { .. } => counts[2] += 1,
                }
            }
        }
    }
    counts
}

#[test]
fn every_value_agrees_with_its_moves_under_every_ruleset() {
    let mut rulesets: Vec<Ruleset> = Preset::ALL.iter().map(Preset::ruleset).collect();
    rulesets.extend(preset::disputed_factorial());
    let base = rules("base = \"wtf\"\nking_return = false");
    let Throne::Reserved { hostile, .. } = base.ruleset().throne else {
        unreachable!("wtf has a throne");
    };
    for king_return in [true, false] {
        for king_speed in [KingSpeed::Slide, KingSpeed::Step] {
            let throne = Throne::Reserved {
                hostile,
                pass: ThronePass::Nobody,
                king_return,
            };
            let ruleset = *base.ruleset();
            rulesets.push(Ruleset {
                throne,
                king_speed,
                corners_hostile: Hostility::None,
                ..ruleset
            });
        }
    }
    assert!(rulesets.iter().any(|ruleset| ruleset.encirclement));
    assert!(
        rulesets
            .iter()
            .any(|ruleset| ruleset.no_moves == NoMoves::Loses)
    );
    assert!(
        rulesets
            .iter()
            .any(|ruleset| ruleset.king_capture == KingCapture::Four)
    );
    let mut counts = [0; 3];
    for rules in rulesets.into_iter().map(Rules::new) {
        let layers = layers(&rules, 1, 2);
        // A prime that leaves out no square for good.
        let found = compare(&rules, &layers, 23);
        for (count, found) in counts.iter_mut().zip(found) {
            *count += found;
        }
    }
    assert!(counts.iter().all(|&count| count > 1000), "{counts:?}");
}

#[test]
fn every_single_value_of_small_layers_agrees_with_its_moves() {
    for (table, defenders, attackers) in [
        ("king_return = false\nno_moves = \"loses\"", 0, 3),
        ("base = \"wtf\"", 1, 1),
        ("base = \"branan-step\"", 1, 1),
        ("base = \"masters-armed\"", 1, 1),
        ("encirclement = true\nking_capture = \"zone\"", 2, 1),
    ] {
        let rules = rules(table);
        let layers = layers(&rules, defenders, attackers);
        compare(&rules, &layers, 1);
    }
}

/// A value that is wrong is found, whether all are compared with their moves or as many
/// drawn, and it is said which.
#[test]
fn a_wrong_value_in_a_whole_file_is_found() {
    let rules = rules("king_return = false");
    let mut layers = layers(&rules, 0, 1);
    let at = tempfile::tempdir().unwrap();
    let ruleset = table_rules(rules.ruleset());
    let folder = Folder::new(at.path().join(ruleset.id()), &ruleset);
    std::fs::create_dir(&folder.path).unwrap();
    let write = |dense: &Dense| {
        let bytes = pack(&ruleset, dense);
        std::fs::write(folder.file(dense.index.layer), bytes).unwrap();
        folder.layers().unwrap().len()
    };
    for (count, dense) in layers.iter().enumerate() {
        assert_eq!(write(dense), count + 1);
    }
    verify_tables(at.path(), u64::MAX, 1, |_| ()).unwrap();
    let dense = layers.last_mut().unwrap();
    // Its first value becomes that of another position of the layer.
    let [attackers, _] = &mut dense.codes;
    let other = attackers.iter().position(|code| *code != attackers[0]);
    attackers[0] = attackers[other.unwrap()];
    let entries = 2 * dense.index.len() as u64;
    assert_eq!(write(layers.last().unwrap()), layers.len());
    for most in [u64::MAX, entries - 1] {
        // Each value is drawn in one of so many samples.
        let found = (0..20).find_map(|seed| verify_tables(at.path(), most, seed, |_| ()).err());
        let error = found.unwrap().to_string();
        assert!(error.contains("by the table and"), "{error}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn tables_in_use_are_mapped_and_a_change_is_no_answer() {
    use std::io::{Seek, SeekFrom, Write};
    use std::panic::{AssertUnwindSafe, catch_unwind};
    let rules = rules("king_return = false");
    let layers = layers(&rules, 0, 2);
    let at = tempfile::tempdir().unwrap();
    let ruleset = table_rules(rules.ruleset());
    let folder = Folder::new(at.path().join(ruleset.id()), &ruleset);
    std::fs::create_dir(&folder.path).unwrap();
    for dense in &layers {
        let bytes = pack(&ruleset, dense);
        std::fs::write(folder.file(dense.index.layer), bytes).unwrap();
    }
    let tables = open_tables(at.path(), &ruleset).unwrap();
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let dense = layers.last().unwrap();
    let path = folder.file(dense.index.layer);
    for dense in &layers {
        let path = folder.file(dense.index.layer).display().to_string();
        assert!(maps.contains(&path), "{path}");
    }
    let position = dense.index.position(dense.index.len() - 1, Side::Defenders);
    assert_eq!(tables.probe(&position), Some(dense.value(&position)));
    // One byte of the last block, which no other process should have touched.
    let tables = open_tables(at.path(), &ruleset).unwrap();
    let last = *std::fs::read(&path).unwrap().last().unwrap();
    let mut file = std::fs::OpenOptions::new().write(true).open(&path).unwrap();
    file.seek(SeekFrom::End(-1)).unwrap();
    file.write_all(&[last ^ 1]).unwrap();
    let asked = catch_unwind(AssertUnwindSafe(|| tables.probe(&position)));
    let said = asked.unwrap_err();
    let said = said.downcast_ref::<String>().unwrap();
    assert!(said.contains("changed while it is in use"), "{said}");
    assert!(said.contains("is altered"), "{said}");
}

#[test]
fn a_layer_is_built_up_to_its_longest_win_and_not_beyond() {
    let rules = rules("king_return = false");
    let layers = layers(&rules, 0, 3);
    for dense in &layers {
        let codes = dense.codes.iter().flatten();
        let values = codes.map(|&code| Value::of_code(code));
        let longest = values.filter_map(Value::plies).max().unwrap();
        let again = |longest| build_up_to(&rules, dense.index.clone(), &layers, longest);
        assert_eq!(again(longest).unwrap().codes, dense.codes);
        assert_eq!(again(longest - 1).unwrap_err(), TooLong);
    }
}

/// The share of wins in per cent among all ways to place men with the king on
/// one of his nine squares up to symmetry: each of them counts once, however
/// many images it has.
fn wins(rules: &Rules, dense: &Dense, side: Side) -> f64 {
    let (mut won, mut all) = (0_u32, 0_u32);
    let attackers = u32::from(dense.index.layer.attackers);
    for set in dense.index.ground.sets(attackers) {
        for king in dense.index.ground.king - set {
            if king.file() > 3 || king.rank() > king.file() {
                continue;
            }
            let position = Position {
                attackers: set,
                defenders: Bitboard::EMPTY,
                king: Bitboard::of(king),
                side,
            };
            assert!(rules.admit(&position).is_ok());
            all += 1;
            won += u32::from(matches!(dense.value(&position), Value::Win { .. }));
        }
    }
    100.0 * f64::from(won) / f64::from(all)
}

#[test]
fn the_king_alone_against_four_wins_as_often_as_another_program_found() {
    let rules = rules("king_return = false\nno_moves = \"loses\"");
    let layers = layers(&rules, 0, 4);
    let dense = layers.last().unwrap();
    let rounded = |side| format!("{:.2}", wins(&rules, dense, side));
    assert_eq!(rounded(Side::Defenders), "99.78");
    assert_eq!(rounded(Side::Attackers), "23.94");
}
