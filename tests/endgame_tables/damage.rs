//! Files that are not what they have to be, builds that were killed, limits
//! that are too low: each is refused or mended, and said so.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use brandub::game::{Position, Rules, Ruleset, Side};
use brandub::solver::tables::{
    Error, Layer, Means, Plan, Probe, Value, build_tables, open_tables, verify_tables,
};
use tempfile::TempDir;

use super::{build, file, ruleset};

fn built(ruleset: &Ruleset, threads: usize) -> TempDir {
    let dir = tempfile::tempdir().expect("a folder");
    build(dir.path(), ruleset, 1, 2, threads).expect("tables");
    dir
}

/// Every table's bytes by name.
fn bytes(dir: &Path, ruleset: &Ruleset) -> BTreeMap<String, Vec<u8>> {
    let folder = file(dir, ruleset, "d0a0");
    let folder = folder.parent().expect("a folder");
    fs::read_dir(folder)
        .expect("readable")
        .map(|entry| entry.expect("readable").path())
        .filter(|path| path.extension().is_some_and(|ending| ending == "table"))
        .map(|path| {
            let name = path.file_name().expect("a name").to_string_lossy();
            (name.into_owned(), fs::read(&path).expect("readable"))
        })
        .collect()
}

#[test]
fn threads_and_kills_change_no_byte() {
    let rules = ruleset("no_moves = \"loses\"");
    let one = built(&rules, 1);
    let expected = bytes(one.path(), &rules);
    assert_eq!(expected.len(), 6);
    assert_eq!(bytes(built(&rules, 3).path(), &rules), expected);

    // As after a kill: the last two layers are missing, one half written.
    let half = &expected["d1a1.table"][..100];
    for layer in ["d1a1", "d1a2"] {
        fs::remove_file(file(one.path(), &rules, layer)).expect("removed");
    }
    let left = file(one.path(), &rules, "x").with_file_name(".d1a1.table.tmp");
    fs::write(&left, half).expect("written");
    let tables = open_tables(one.path(), &rules).expect("whole layers");
    let layers: Vec<String> = tables.layers().map(|layer| layer.to_string()).collect();
    assert_eq!(layers, ["d0a0", "d0a1", "d0a2", "d1a0"]);
    let written = build(one.path(), &rules, 1, 2, 2).expect("built on");
    assert_eq!(written, ["d1a1", "d1a2"]);
    assert_eq!(bytes(one.path(), &rules), expected);
    assert!(!left.exists());
    assert_eq!(
        build(one.path(), &rules, 1, 2, 2).expect("nothing"),
        [""; 0]
    );
}

#[test]
fn altered_files_are_refused_wherever_they_are_altered() {
    let rules = ruleset("");
    let dir = built(&rules, 2);
    let path = file(dir.path(), &rules, "d1a1");
    let whole = fs::read(&path).expect("readable");
    let check = |bytes: &[u8], part: &str| {
        fs::write(&path, bytes).expect("written");
        let message = open_tables(dir.path(), &rules).expect_err(part).to_string();
        assert!(message.contains("d1a1.table"), "{message}");
        assert!(message.contains(part), "{message}");
        let verified = verify_tables(dir.path(), 10, 1, |_| {});
        assert!(verified.is_err(), "{part}");
    };
    check(&whole[..10], "does not begin");
    check(&whole[..18], "within the header");
    check(&whole[..200], "within the header");
    check(&whole[..whole.len() - 1], "bytes instead of");
    check(&[&whole[..], b"x"].concat(), "bytes instead of");
    // A bit in each part: the beginning, the header, the last block.
    for (place, part) in [
        (3, "does not begin"),
        (whole.len() - 1, "block"),
        (whole.len() / 2, ""),
    ] {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        check(&bytes, part);
    }
    let find = |key: &str| {
        let mut places = whole.windows(key.len());
        places
            .position(|part| part == key.as_bytes())
            .expect("in the header")
            + key.len()
    };
    let mut bytes = whole.clone();
    let place = find("longest = ");
    bytes[place] ^= 1;
    check(&bytes, "checksum");
    bytes.copy_from_slice(&whole);
    let place = find("version = ");
    bytes[place] = b'7';
    check(&bytes, "version 7");
    // Another layer under this name.
    let other = fs::read(file(dir.path(), &rules, "d1a0")).expect("readable");
    check(&other, "it holds layer d1a0");
    fs::write(&path, &whole).expect("written");
    verify_tables(dir.path(), 10, 1, |_| {}).expect("whole again");
    assert!(
        build(dir.path(), &rules, 1, 2, 1)
            .expect("nothing")
            .is_empty()
    );
}

#[test]
fn tables_serve_their_own_rules_alone() {
    let rules = ruleset("");
    let dir = built(&rules, 2);
    // Neither the layout nor repetition makes a difference.
    let same = ruleset("layout = \"line\"\nrepetition = { count = 2, result = \"attackers\" }");
    open_tables(dir.path(), &same).expect("the same tables");
    let other = ruleset("king_armed = false");
    let error = open_tables(dir.path(), &other).expect_err("other rules");
    assert!(matches!(error, Error::NoTables { .. }), "{error}");
    assert!(
        error.to_string().contains("10898765a282 (disputed)"),
        "{error}"
    );
    // A file in the wrong folder.
    let wrong = file(dir.path(), &other, "d0a0");
    fs::create_dir_all(wrong.parent().expect("a folder")).expect("created");
    fs::copy(file(dir.path(), &rules, "d0a0"), &wrong).expect("copied");
    let error = open_tables(dir.path(), &other).expect_err("other rules");
    let message = error.to_string();
    assert!(
        message.contains("has king_armed=true where king_armed=false"),
        "{message}"
    );
}

#[test]
fn too_little_memory_is_said_before_anything_is_built() {
    let rules = ruleset("");
    let dir = tempfile::tempdir().expect("a folder");
    let most = Layer {
        defenders: 1,
        attackers: 4,
    };
    let plan = Plan::new(&Rules::new(rules), most).expect("a plan");
    let peak = |threads| plan.peak(threads).expect("layers").memory(threads);
    assert!(peak(64) > peak(1));
    // What is enough for one thread is not for many.
    for (threads, memory) in [(1, peak(1) - 1), (64, peak(64) - 1), (64, peak(1))] {
        let means = Means { threads, memory };
        let error = build_tables(dir.path(), &rules, &plan, means, |_| {}).expect_err("too little");
        assert!(
            matches!(error, Error::Memory { needed, .. } if needed == peak(threads)),
            "{error}"
        );
        assert!(error.to_string().contains("d1a4"), "{error}");
    }
    assert_eq!(fs::read_dir(dir.path()).expect("readable").count(), 0);
    let large = Layer {
        defenders: 8,
        attackers: 8,
    };
    let error = Plan::new(&Rules::new(rules), large).expect_err("too large");
    assert!(matches!(error, Error::TooLarge { .. }), "{error}");
}

#[test]
fn a_folder_with_the_id_of_other_rules_is_not_verified() {
    let rules = ruleset("");
    let dir = built(&rules, 2);
    let right = file(dir.path(), &rules, "d0a0");
    let right = right.parent().expect("a folder");
    verify_tables(right, 10, 1, |_| {}).expect("the folder of one ruleset");
    let other = file(dir.path(), &ruleset("king_armed = false"), "d0a0");
    let other = other.parent().expect("a folder");
    fs::rename(right, other).expect("renamed");
    for named in [dir.path(), other] {
        let error = verify_tables(named, 10, 1, |_| {}).expect_err("of other rules");
        assert!(matches!(error, Error::Misnamed { .. }), "{error}");
        let message = error.to_string();
        assert!(message.contains(&other.display().to_string()), "{message}");
        assert!(message.contains("disputed"), "{message}");
        assert!(
            message.contains("has to be named 10898765a282"),
            "{message}"
        );
    }
    // A name that is no id says nothing of rules.
    let plain = dir.path().join("copy");
    fs::rename(other, &plain).expect("renamed");
    for named in [dir.path(), &plain] {
        verify_tables(named, 10, 1, |_| {}).expect("as they were");
    }
}

#[test]
fn a_layer_above_a_missing_one_is_not_verified() {
    let rules = ruleset("");
    let dir = built(&rules, 2);
    fs::remove_file(file(dir.path(), &rules, "d0a1")).expect("removed");
    let error = verify_tables(dir.path(), 10, 1, |_| {}).expect_err("a gap");
    assert!(error.to_string().contains("without d0a1"), "{error}");
}

#[test]
fn moves_lead_to_the_values_that_they_say() {
    let rules = ruleset("");
    let dir = built(&rules, 2);
    let tables = open_tables(dir.path(), &rules)
        .expect("tables")
        .with_room(1 << 16);
    let at = |otn, side| Position::from_otn(otn, side).expect("a position");
    let position = at("/7/7/7/K3t2/7/7/3T1t1/", Side::Defenders);
    let (value, moves) = tables.moves(&position).expect("in the tables");
    assert_eq!(value, Value::Win { plies: 1 });
    let names: Vec<String> = moves
        .iter()
        .take(3)
        .map(|(ply, _)| ply.to_string())
        .collect();
    assert_eq!(names[..2], ["a4-a1", "a4-a7"]);
    assert!(
        moves
            .iter()
            .skip(2)
            .all(|(_, value)| *value != Value::Win { plies: 1 })
    );
    for (ply, value) in moves.into_iter().skip(2) {
        let after = Rules::new(rules).play(&position, ply).position;
        assert_eq!(tables.probe(&after).map(Value::before), Some(value));
    }
    // More men than any layer has, and men where none may stand.
    for otn in [
        "/7/7/7/K3t2/7/7/1ttT1t1/",
        "/t6/7/7/K6/7/7/7/",
        "/7/7/7/K2T3/7/7/7/",
    ] {
        let probed = tables.probe(&at(otn, Side::Attackers));
        assert_eq!(probed, None, "{otn}");
    }
    assert_eq!(tables.most_men(), 4);
    // Unpacked whole, all but the largest layer.
    let packed = tables.memory();
    let whole = open_tables(dir.path(), &rules)
        .expect("tables")
        .unpacked(100_000);
    assert!(whole.memory() > packed && whole.memory() <= packed + 100_000);
    let walk = [
        "/7/7/7/K3t2/7/7/3T1t1/",
        "/7/7/7/K3t2/7/7/3T3/",
        "/7/7/7/K3t2/7/7/5t1/",
        "/7/7/7/4t2/1K5/7/7/",
    ];
    for otn in walk {
        for side in Side::BOTH {
            let position = at(otn, side);
            assert!(tables.probe(&position).is_some());
            assert_eq!(tables.probe(&position), whole.probe(&position), "{otn}");
        }
    }
}
