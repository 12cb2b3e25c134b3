//! Positions that a side need not lose, on the command line: found, written down,
//! checked, and what is refused.

use std::fs;
use std::path::Path;

use brandub::game::{Position, Side, preset};
use brandub::solver::hold::{Fortress, HoldClaim, check};
use brandub::solver::ranking::Ranking;
use serde_json::Value;

use super::brandub::{fail, succeed};

/// Eight men beside the corners, the king and two soldiers inside.
const WALL: &str = "/1t3t1/t5t/3T3/3K3/3T3/t5t/1t3t1/";
/// The king and one.
const ONE: &str = "/1t3t1/t5t/7/3K3/3T3/t5t/1t3t1/";
/// The king alone inside.
const ALONE: &str = "/1t3t1/t5t/7/3K3/7/t5t/1t3t1/";
const KEEP: &str = "a2 a6 b1 b7 f1 f7 g2 g6";

fn hold<'a>(rules: &'a str, position: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["hold", "--rules", rules, "--position", position];
    words.extend(["--for", "attackers", "--keep", KEEP, "--least", "7"]);
    words.extend(more);
    words
}

fn written(at: &Path, file: &str) -> Fortress {
    let bytes = fs::read(at.join(file)).unwrap();
    Fortress::read(&mut bytes.as_slice()).unwrap().0
}

#[test]
fn a_wall_is_found_written_down_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = hold("branan", WALL, &["--proof", "wall.proof", "--json"]);
    let said: Value = serde_json::from_str(&succeed(at, &words).out).unwrap();
    assert_eq!(said["verdict"], "held");
    let fortress = written(at, "wall.proof");
    assert_eq!(said["held"], fortress.positions.len());
    assert!(fortress.positions.len() > 1000);
    let checked = succeed(at, &["verify-proof", "wall.proof", "--json"]);
    let shown: Value = serde_json::from_str(&checked.out).unwrap();
    assert_eq!(shown["sha256"], said["certificate"]["sha256"]);
    assert_eq!(shown["positions"], said["held"]);
    assert_eq!(shown["holder"], "attackers");
    assert_eq!(shown["position"], WALL);
    let text = succeed(at, &["verify-proof", "wall.proof"]).out;
    assert!(
        text.starts_with("attackers need not lose under branan from"),
        "{text}"
    );
}

/// The same file, whatever the number of threads.
#[test]
fn any_number_of_threads_writes_the_same() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for threads in ["1", "3"] {
        let file = format!("{threads}.proof");
        let more = ["-q", "--threads", threads, "--proof", &file];
        succeed(at, &hold("branan-unarmed", ONE, &more));
    }
    let read = |file: &str| fs::read(at.join(file)).unwrap();
    assert_eq!(read("1.proof"), read("3.proof"));
}

/// The way to the wall is found, and what holds from there on; with fewer squares for
/// the men outside as with all.
#[test]
fn men_who_are_not_there_yet_come_there() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let begun = "/3t3/3t3/3T3/tt1K1tt/7/3t3/3t3/";
    for more in [
        &[][..],
        &[
            "--beside",
            "b2 b3 b4 b5 b6 c2 c6 d2 d6 e2 e6 f2 f3 f4 f5 f6",
        ],
    ] {
        let more = [&["-q", "--proof", "begun.proof"], more].concat();
        let mut words = hold("branan-step", begun, &more);
        *words.iter_mut().find(|word| **word == "7").unwrap() = "6";
        let said = succeed(at, &words).out;
        assert!(said.contains(": proved, by "), "{said}");
        let checked = succeed(at, &["verify-proof", "begun.proof"]).out;
        let rules = "under branan-step from /3t3/3t3/3T3/tt1K1tt/7/3t3/3t3/, attackers to move";
        assert!(checked.contains(rules), "{checked}");
    }
    // Where the last man has to go round, the way is searched for.
    let round = "/1t3t1/t5t/3T3/3K3/2t4/t6/1t3t1/";
    for threads in ["1", "3"] {
        let file = format!("{threads}.proof");
        let more = ["--beside", "b2 b6 f2 f6", "--json", "--proof", &file];
        let words = [
            &hold("branan-step", round, &more)[..],
            &["--threads", threads],
        ]
        .concat();
        let said: Value = serde_json::from_str(&succeed(at, &words).out).unwrap();
        assert_eq!(said["verdict"], "held");
        assert!(said["nodes"].as_u64().unwrap() > 100, "{said}");
        succeed(at, &["verify-proof", &file]);
    }
    let read = |file: &str| fs::read(at.join(file)).unwrap();
    assert_eq!(read("1.proof"), read("3.proof"));
    let few = ["--beside", "b2 b6 f2 f6", "--nodes", "100"];
    let said = succeed(at, &hold("branan-step", round, &few)).out;
    assert!(said.contains("no way to this wall was found"), "{said}");
}

/// Where a man of the wall has to go to take a king who cannot be saved.
#[test]
fn a_way_may_lead_to_a_win_at_once() {
    let folder = tempfile::tempdir().unwrap();
    let rules = "king_armed=false corners_hostile=none";
    let otn = "/3K1t1/t2T2t/7/2t4/4t2/t6/1t3t1/";
    let more = ["--side", "attackers", "--nodes", "1000"];
    let more = [&more[..], &["--json", "--proof", "won.proof"]].concat();
    let said = succeed(folder.path(), &hold(rules, otn, &more)).out;
    let said: Value = serde_json::from_str(&said).unwrap();
    assert_eq!(said["verdict"], "held");
    succeed(folder.path(), &["verify-proof", "won.proof"]);
}

/// Also with more men than the start position has.
#[test]
fn a_way_is_found_with_any_number_of_men() {
    let folder = tempfile::tempdir().unwrap();
    let keep = "a2 a6 b1 b7 f1 f7 g2 g6 c1 d1 e1 c7 d7 e7";
    for (position, keep, least) in [
        ("/1ttttt1/t5t/3T3/3K3/2t4/t6/1ttttt1/", keep, "13"),
        (
            "/1ttttt1/t5t/t2T3/3K3/2t4/t6/1ttttt1/",
            &format!("{keep} a3"),
            "14",
        ),
    ] {
        let mut words = vec!["hold", "--rules", "branan-step", "--position", position];
        words.extend(["--for", "attackers", "--keep", keep, "--least", least]);
        words.extend(["--beside", "b2 b6 f2 f6", "--nodes", "300000", "--json"]);
        let said: Value = serde_json::from_str(&succeed(folder.path(), &words).out).unwrap();
        assert_eq!(said["verdict"], "held", "{position}");
        assert!(said["nodes"].as_u64().unwrap() > 100, "{said}");
    }
}

/// A file of all that is held answers for each of them.
#[test]
fn all_that_is_held_is_written_where_it_is_asked_for() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for file in ["one.proof", "all.proof"] {
        let all = ["-q", "--all", "--proof", file];
        let more = if file == "all.proof" {
            &all[..]
        } else {
            &all[2..]
        };
        succeed(at, &hold("branan", ONE, more));
    }
    assert_ne!(
        written(at, "all.proof").positions,
        written(at, "one.proof").positions
    );
    let elsewhere = ["--position", "/1tT2t1/t4Kt/7/7/7/t5t/1t3t1/", "--side"];
    for side in ["attackers", "defenders"] {
        let there = [&["verify-proof", "all.proof"], &elsewhere[..], &[side]].concat();
        succeed(at, &there);
    }
    // Defenders hold against few, and of all that comes up more is held than one way of
    // holding comes to.
    let few = ["--position", "/7/7/7/3K3/7/7/2t1t2/", "--for", "defenders"];
    let words = [&["hold", "--rules", "branan", "-q"], &few[..]].concat();
    let mut positions = Vec::new();
    for more in [
        &["--proof", "few.proof"][..],
        &["--proof", "few.proof", "--all"],
    ] {
        let said = succeed(at, &[&words[..], more].concat()).out;
        assert!(said.starts_with("defenders hold under branan"), "{said}");
        let checked = succeed(at, &["verify-proof", "few.proof"]).out;
        assert!(checked.starts_with("defenders need not lose"), "{checked}");
        positions.push(written(at, "few.proof").positions.len());
    }
    assert!(positions[0] < positions[1], "{positions:?}");
}

/// The set also shows what it comes to, and what holds under other rules.
#[test]
fn other_questions_are_answered_as_far_as_the_positions_go() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(
        at,
        &hold("branan", ALONE, &["-q", "--proof", "alone.proof"]),
    );
    // Where the king moves one square only, less can be done against it.
    succeed(
        at,
        &["verify-proof", "alone.proof", "--under", "branan-step"],
    );
    let there = ["verify-proof", "alone.proof", "--rules", "branan"];
    succeed(at, &there);
    // It is no certificate of a win.
    for more in [
        &["shorten-proof", "alone.proof", "--out", "short.proof"][..],
        &["solve", "--rules", "branan", "--with", "alone.proof"],
    ] {
        let what =
            "alone.proof: shows what a side need not lose; expected the certificate of a win";
        fail(at, more, 2, &[what]);
    }
    let twice = ["hold", "--rules", "branan", "--keep", "a2 b1 a2"];
    fail(at, &twice, 2, &["a2 is there twice"]);
    fail(
        at,
        &["verify-proof", "alone.proof", "--rules", "wtf"],
        1,
        &["it is for the rules branan"],
    );
    // Where the corners are hostile to everyone, an armed king takes the men beside
    // them.
    fail(
        at,
        &["verify-proof", "alone.proof", "--under", "masters-armed"],
        1,
        &["alone.proof: "],
    );
    let won = "{ base = \"branan\", repetition = { count = 3, result = \"defenders\" } }";
    fail(
        at,
        &["verify-proof", "alone.proof", "--under", won],
        1,
        &["may lose by it"],
    );
    let gone = [
        "verify-proof",
        "alone.proof",
        "--after",
        "a2-a3 d4-d2 g6-f6",
    ];
    fail(at, &gone, 1, &["the root /"]);
}

#[test]
fn what_was_changed_or_does_not_hold_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(
        at,
        &hold("branan", ALONE, &["-q", "--proof", "alone.proof"]),
    );
    let whole = fs::read(at.join("alone.proof")).unwrap();
    for place in 0..whole.len() {
        let mut bytes = whole.clone();
        bytes[place] ^= 1;
        fs::write(at.join("wrong.proof"), &bytes).unwrap();
        assert!(
            Fortress::read(&mut bytes.as_slice()).is_err(),
            "byte {place}"
        );
        if place % 50 == 0 {
            fail(
                at,
                &["verify-proof", "wrong.proof"],
                1,
                &["wrong.proof: byte "],
            );
        }
    }
    for length in [0, 15, 16, whole.len() / 2, whole.len() - 1] {
        fs::write(at.join("wrong.proof"), &whole[..length]).unwrap();
        fail(
            at,
            &["verify-proof", "wrong.proof"],
            1,
            &["ends before it is whole"],
        );
    }
    // Whole files of what is not so: a position too few, a side that does not hold.
    let fortress = written(at, "alone.proof");
    let mut refused = 0;
    for place in 0..fortress.positions.len() {
        let mut fewer = fortress.clone();
        fewer.positions.remove(place);
        // Where there is another move back, one is not missed.
        if check(&fewer, fewer.claim).is_ok() {
            continue;
        }
        refused += 1;
        if refused == 1 {
            let mut bytes = Vec::new();
            fewer.write(&mut bytes).unwrap();
            fs::write(at.join("wrong.proof"), bytes).unwrap();
            fail(at, &["verify-proof", "wrong.proof"], 1, &["no move back"]);
        }
    }
    assert!(refused * 2 > fortress.positions.len(), "{refused}");
    let mut other = fortress;
    other.claim.holder = other.claim.holder.other();
    let mut bytes = Vec::new();
    other.write(&mut bytes).unwrap();
    fs::write(at.join("wrong.proof"), bytes).unwrap();
    fail(at, &["verify-proof", "wrong.proof"], 1, &["wrong.proof: "]);
}

/// A position in which the other side wins at once is held by nobody, though it has no reply
/// to come back from.
#[test]
fn a_set_that_contains_a_loss_is_refused() {
    let root = Position::from_otn("/7/Kt5/t6/7/7/7/7/", Side::Defenders).unwrap();
    let claim = HoldClaim {
        ruleset: preset::find("branan").unwrap().ruleset(),
        root,
        holder: Side::Attackers,
    };
    let positions = vec![Ranking::of(&root).unwrap().number(&root).unwrap()];
    let error = check(&Fortress { claim, positions }, claim).unwrap_err();
    assert!(
        error.to_string().contains("after a2-a1 ends the game"),
        "{error}"
    );
}

#[test]
fn what_is_not_held_or_too_large_is_unknown() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // All men must stay, and one has to move.
    let mut words = hold("branan", ALONE, &["--proof", "none.proof"]);
    *words.iter_mut().find(|word| **word == "7").unwrap() = "8";
    let said = succeed(at, &words);
    assert!(
        said.out.contains("unknown, this wall holds nothing"),
        "{}",
        said.out
    );
    // What is held there is out of reach: the king goes to a corner at once.
    let late = "/1t3t1/t5t/7/1T5/3t3/t5t/3K1t1/";
    let said = succeed(at, &hold("branan", late, &[])).out;
    assert!(
        said.contains("unknown, but not by a way to this wall"),
        "{said}"
    );
    // With all of them allowed, it is lost.
    let lost = "/7/7/7/3K3/7/7/3t3/";
    let words = ["hold", "--rules", "branan", "--position", lost];
    let said = succeed(at, &[&words[..], &["--for", "attackers"]].concat());
    assert!(
        said.out.contains("defenders are the ones to win"),
        "{}",
        said.out
    );
    let words = ["hold", "--rules", "branan", "--position", ALONE];
    let small = ["--for", "attackers", "--memory", "64KiB", "--json"];
    let said = succeed(at, &[&words[..], &small].concat());
    let said: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!(said["verdict"], "unknown");
    assert_eq!(said["exhausted"], false);
    assert!(!at.join("none.proof").exists());
}

#[test]
fn wrong_questions_are_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let loses = "{ repetition = { count = 3, result = \"mover-loses\" } }";
    for (rules, position, more, said) in [
        (loses, WALL, &[][..], "may lose by it"),
        ("branan", "/K6/7/7/7/7/7/7/", &[], "corner"),
        (
            "branan",
            WALL,
            &["--proof", "no/wall.proof"],
            "in a folder that is there",
        ),
        ("branan", WALL, &["--after", "a2-c3"], "a2-c3"),
        ("branan", WALL, &["--memory", "64KiB"], "the wall takes"),
        (
            "branan",
            "/1t3t1/t5t/2TT3/2TKT2/3T3/t5t/1t3t1/",
            &[],
            "against 5 soldiers",
        ),
    ] {
        fail(at, &hold(rules, position, more), 2, &[said]);
    }
    // The wall alone fits, or part of the certificate, too.
    for memory in ["8MiB", "12MiB"] {
        let mut words = hold("branan-unarmed", ONE, &["--memory", memory]);
        words[4] = "/1t3t1/t5t/7/3K3/3T3/t5t/1t5/";
        *words.iter_mut().find(|word| **word == "7").unwrap() = "5";
        fail(at, &words, 2, &["--memory: ", "are left for them"]);
    }
    // What is free is known on Linux alone.
    if cfg!(target_os = "linux") {
        let words = hold("branan", WALL, &["--memory", "9000000GiB"]);
        fail(at, &words, 2, &["bytes of memory are free"]);
    }
    for (words, said) in [
        (&["--keep", "a2 h9"][..], "`h9` is not a square"),
        (&["--keep", ""], "expected squares"),
        (&["--keep", "a2", "--least", "2"], "2 of 8 men on 1 squares"),
        (&["--keep", "a1 a2"], "no man may stand on a1"),
        (
            &["--keep", "a2", "--beside", "b2 d4"],
            "no man may stand on d4",
        ),
        (&["--least", "2"], "--keep"),
        (&["--beside", "c2"], "--keep"),
        (&["--keep", "a2", "--for", "defenders"], "--for attackers"),
        // All ways to place eight men.
        (&["--keep", "a2", "--least", "0"], "the wall takes"),
    ] {
        let mut all = vec!["hold"];
        if !words.contains(&"--for") {
            all.extend(["--for", "attackers"]);
        }
        all.extend(words);
        fail(at, &all, 2, &[said]);
    }
}
