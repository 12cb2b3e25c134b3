//! Proof search on the command line: solved, written down, checked, killed,
//! taken up again, refused.

use std::fs::{self, File};
use std::path::Path;
use std::process::{Command, Stdio};

use brandub::game::{MoveList, Rules, Ruleset, Side};
use brandub::solver::check::{self, Steps};
use brandub::solver::estimates::Estimates;
use brandub::solver::{Certificate, CertificateFile};
use serde_json::Value;

use super::brandub::{Said, command, fail, files, succeed, wait_until};

const FOUR: &str = "{ king_capture = \"four\" }";
/// The defenders win within seven plies under those rules.
const WON: &str = "/2Tt3/4t2/2T4/t2KTtt/1T5/3t3/3t3/";
/// Half a minute's work at least.
const LONG: [&str; 11] = [
    "solve",
    "--rules",
    FOUR,
    "--after",
    "d1-e1",
    "--for",
    "defenders",
    "--memory",
    "4MiB",
    "--engine",
    "pn",
];

fn solve<'a>(more: &[&'a str]) -> Vec<&'a str> {
    let mut words = vec!["solve", "--rules", FOUR, "--position", WON];
    words.extend(["--side", "defenders", "--nodes", "20000"]);
    words.extend(more);
    words
}

/// A certificate in the folder, `won.proof`.
fn certificate(at: &Path) -> Vec<u8> {
    succeed(at, &solve(&["--for", "defenders", "--proof", "won.proof"]));
    fs::read(at.join("won.proof")).unwrap()
}

/// Large certificates are checked in parts: nothing of them is left out, and
/// what is wrong is named as it is by one thread.
#[test]
fn any_number_of_threads_checks_all_of_a_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let name = "results/solved/openings/proofs/68fd953cd2f6-d1-f1-defenders.proof";
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(name);
    let whole = fs::read(&path).unwrap();
    let (whole, _) = Certificate::read(&mut whole.as_slice()).unwrap();
    let checked = |file: &Path, threads: &str| -> Said {
        let words = ["verify-proof", file.to_str().unwrap(), "--threads", threads];
        command(at, &words).output().unwrap().into()
    };
    let one = checked(&path, "1");
    let three = checked(&path, "3");
    assert_eq!(one.status, Some(0), "{}", one.err);
    assert!(
        one.out.contains(&format!("{} steps", whole.steps.len())),
        "{}",
        one.out
    );
    assert_eq!(one.out, three.out);
    let count = whole.steps.len();
    assert!(count > 10_000, "one thread would check it alone");
    for places in [vec![0], vec![count - 1], vec![count / 2, count - 1]] {
        let mut wrong = whole.clone();
        for &place in &places {
            // Within no ply.
            wrong.steps[place].plies = 0;
        }
        let mut bytes = Vec::new();
        wrong.write(&mut bytes).unwrap();
        let file = at.join("wrong.proof");
        fs::write(&file, bytes).unwrap();
        let (one, three) = (checked(&file, "1"), checked(&file, "3"));
        assert_eq!((one.status, three.status), (Some(1), Some(1)));
        assert!(one.err.contains("wrong.proof: step "), "{}", one.err);
        assert_eq!(one.err, three.err);
    }
    // And the root with the first part, whoever has it.
    let mut sooner = whole;
    sooner.claim.plies -= 1;
    let mut bytes = Vec::new();
    sooner.write(&mut bytes).unwrap();
    let file = at.join("sooner.proof");
    fs::write(&file, bytes).unwrap();
    for said in [checked(&file, "1"), checked(&file, "3")] {
        assert_eq!(said.status, Some(1));
        assert!(said.err.contains("sooner.proof: the root "), "{}", said.err);
    }
}

#[test]
fn a_win_is_found_written_down_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for engine in ["pn", "mate", "both"] {
        let file = format!("{engine}.proof");
        let more = ["--engine", engine, "--proof", &file, "--json"];
        let said = succeed(at, &solve(&more));
        // The attackers' question first: they cannot.
        let lines: Vec<Value> = said
            .out
            .lines()
            .map(|line| serde_json::from_str(line).unwrap())
            .collect();
        assert_eq!(lines.len(), 2, "{}", said.out);
        let verdict = |line: usize| (&lines[line]["for"], &lines[line]["verdict"]);
        assert_eq!(verdict(0), (&"attackers".into(), &"unknown".into()));
        assert_eq!(verdict(1), (&"defenders".into(), &"proved".into()));
        let checked = succeed(at, &["verify-proof", &file, "--rules", FOUR, "--json"]);
        let shown: Value = serde_json::from_str(&checked.out).unwrap();
        assert_eq!(shown["sha256"], lines[1]["certificate"]["sha256"]);
        assert_eq!(shown["plies"], lines[1]["plies"]);
        assert!(shown["plies"].as_u64().unwrap() >= 7);
    }
    let said = succeed(at, &["verify-proof", "pn.proof"]);
    assert!(
        said.out
            .starts_with("defenders win under king_capture=four"),
        "{}",
        said.out
    );
    let out = ["--out", "short.proof"];
    let said = succeed(at, &[&["shorten-proof", "pn.proof"], &out[..]].concat());
    assert!(said.out.starts_with("short.proof: within "), "{}", said.out);
    let shorter = succeed(at, &["verify-proof", "short.proof", "--json"]).out;
    let shorter: Value = serde_json::from_str(&shorter).unwrap();
    assert!(said.out.contains(shorter["sha256"].as_str().unwrap()));
    let whole = fs::read(at.join("short.proof")).unwrap();
    let (one, two) = whole.split_at(whole.len() / 2);
    fs::write(at.join("parted.proof.1"), one).unwrap();
    fail(
        at,
        &["verify-proof", "parted.proof"],
        1,
        &["parted.proof", "ends"],
    );
    fs::write(at.join("parted.proof.2"), two).unwrap();
    let parted = succeed(at, &["verify-proof", "parted.proof", "--json"]).out;
    let parted: Value = serde_json::from_str(&parted).unwrap();
    assert_eq!(parted["sha256"], shorter["sha256"]);
    // What killed processes have left is taken away, but not what is being written.
    let [dead, alive, other] = ["short.proof.7", "short.proof.8", "other.proof.7"]
        .map(|name| at.join(format!(".{name}.tmp")));
    for left in [&dead, &alive, &other] {
        fs::write(left, "half").unwrap();
    }
    let held = File::open(&alive).unwrap();
    held.try_lock().unwrap();
    succeed(at, &[&["shorten-proof", "pn.proof"], &out[..]].concat());
    let there = [&dead, &alive, &other].map(|left| left.exists());
    assert_eq!(there, [!cfg!(unix), true, true]);
    drop(held);
    for left in [dead, alive, other] {
        let _ = fs::remove_file(left);
    }
    // A folder without a table stands for what is in it, in parts or whole.
    let kept = at.join("kept");
    fs::create_dir(&kept).unwrap();
    fail(
        at,
        &["verify-proof", "kept"],
        2,
        &["kept: expected a folder with"],
    );
    for name in ["parted.proof.1", "parted.proof.2", "short.proof"] {
        fs::copy(at.join(name), kept.join(name)).unwrap();
    }
    fs::write(kept.join("notes.txt"), "no certificate").unwrap();
    let named = ["(it is a part of kept/parted.proof: name that)"];
    for part in ["kept/parted.proof.1", "kept/parted.proof.2"] {
        fail(at, &["verify-proof", part], 1, &named);
    }
    fs::rename(kept.join("parted.proof.1"), at.join("first")).unwrap();
    let gap = ["kept/parted.proof.1 is not there, and kept/parted.proof.2 is"];
    fail(at, &["verify-proof", "kept/parted.proof"], 2, &gap);
    fs::rename(at.join("first"), kept.join("parted.proof.1")).unwrap();
    let all = succeed(at, &["verify-proof", "kept", "--json"]).out;
    let seals = all
        .lines()
        .map(|line| -> Value { serde_json::from_str(line).unwrap() });
    let seals: Vec<Value> = seals.map(|shown| shown["sha256"].clone()).collect();
    assert_eq!(seals, vec![shorter["sha256"].clone(); 2]);
    fs::write(kept.join("worse.proof"), one).unwrap();
    fail(at, &["verify-proof", "kept"], 1, &["worse.proof", "ends"]);
    assert!(files(at).keys().all(|name| !name.contains(".tmp")));
}

/// Under other rules a certificate is advice, and what of it holds there is known.
#[test]
fn what_a_certificate_shows_under_other_rules_is_not_searched_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    certificate(at);
    let other = "{ king_capture = \"four\", repetition = { count = 3, result = \"attackers\" } }";
    let mut words = vec!["solve", "--rules", other, "--position", WON];
    words.extend([
        "--side",
        "defenders",
        "--for",
        "defenders",
        "--engine",
        "pn",
    ]);
    words.extend(["--nodes", "20000", "--json"]);
    let nodes = |more: &[&str]| {
        let said = succeed(at, &[&words[..], more].concat());
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["verdict"], "proved", "{}", said.out);
        (answer["nodes"].as_u64().unwrap(), said.err)
    };
    let (alone, _) = nodes(&[]);
    let (nothing, said) = nodes(&["--with", "won.proof", "--proof", "other.proof"]);
    assert!(alone > 0 && nothing == 0, "{alone}, {nothing}");
    let steps = Certificate::read(&mut &fs::read(at.join("won.proof")).unwrap()[..]);
    let steps = steps.unwrap().0.steps.len();
    let expected = format!("of {steps} steps under other rules {steps} hold under these");
    assert!(said.contains(&expected), "{said}");
    succeed(at, &["verify-proof", "other.proof", "--rules", other]);
}

#[test]
fn a_certificate_that_was_tampered_with_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let bytes = certificate(at);
    let refuse = |bytes: &[u8], parts: &[&str]| {
        fs::write(at.join("bad.proof"), bytes).unwrap();
        let parts = [&["bad.proof"], parts].concat();
        fail(at, &["verify-proof", "bad.proof"], 1, &parts);
        let shorten = ["shorten-proof", "bad.proof", "--out", "short.proof"];
        fail(at, &shorten, 1, &parts);
        assert!(!at.join("short.proof").exists());
        fail(
            at,
            &[&LONG[..], &["--with", "bad.proof"]].concat(),
            1,
            &parts,
        );
    };
    let mut changed = bytes.clone();
    changed[bytes.len() - 40] ^= 1;
    refuse(&changed, &["byte "]);
    refuse(&bytes[..bytes.len() / 2], &["byte "]);
    refuse(&[&bytes[..], b"\n"].concat(), &["more bytes after the end"]);
    refuse(b"brandub proof 9\n", &["byte 16", "first line"]);
    // Whoever changes a move can also write the checksum anew.
    let (mut forged, _) = Certificate::read(&mut bytes.as_slice()).unwrap();
    forged.steps[0].choice = 999;
    let mut sealed = Vec::new();
    forged.write(&mut sealed).unwrap();
    refuse(&sealed, &["step 0 of ", "move 999 of "]);
    fail(
        at,
        &["verify-proof", "won.proof", "--rules", "wtf"],
        1,
        &["it is for the rules king_capture=four, not wtf"],
    );
    fail(
        at,
        &["verify-proof", "no.proof"],
        2,
        &["cannot read no.proof"],
    );
}

#[test]
fn what_cannot_be_asked_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fail(at, &solve(&["--memory", "1KiB"]), 2, &["--memory", "65536"]);
    fail(
        at,
        &["solve", "--memory", "900000GiB"],
        2,
        &["--memory", "free"],
    );
    let little = STUDY.replace("4MiB", "1KiB");
    fs::write(at.join("little.toml"), little).unwrap();
    let study = ["solve", "--study", "little.toml", "--out", "out"];
    fail(at, &study, 2, &["error: little.toml: memory: ", "65536"]);
    fail(at, &["solve", "--memory", "8GB"], 2, &["512MiB"]);
    fail(at, &["solve", "--for", "nobody"], 2, &["both"]);
    fail(at, &["solve", "--after", "d2-d4"], 2, &["d2", "d4"]);
    fail(
        at,
        &["solve", "--position", "/K6/7/7/7/7/7/7/"],
        2,
        &["corner"],
    );
    fail(
        at,
        &solve(&["--checkpoint", "c"]),
        2,
        &["--checkpoint", "--for"],
    );
    fail(at, &solve(&["--every", "5"]), 2, &["--checkpoint"]);
    fail(
        at,
        &solve(&["--out", "c"]),
        2,
        &["--out is a study's folder", "--proof FILE"],
    );
    fail(at, &solve(&["--candidates", "0"]), 2, &["1 or more"]);
    fail(
        at,
        &solve(&["--tables", "none"]),
        2,
        &["none holds no tables of", "brandub tables build --rules"],
    );
    #[cfg(unix)]
    {
        fs::write(at.join("there"), "").unwrap();
        std::os::unix::fs::symlink("there", at.join("link")).unwrap();
        for (file, what) in [("/dev/null", "a device"), ("link", "a symbolic link")] {
            let words = solve(&["--for", "defenders", "--proof", file]);
            fail(at, &words, 2, &["--proof", file, what]);
        }
    }
    // Before the search, which could not be kept.
    for option in ["--proof", "--checkpoint"] {
        for file in ["no/folder", "."] {
            let words = solve(&["--for", "defenders", option, file]);
            let parts = [option, file, "expected a file in a folder that is there"];
            fail(at, &words, 2, &parts);
        }
    }
}

/// A limit on the size of any file stands in for a disk that fills up.
#[cfg(unix)]
#[test]
fn a_full_disk_leaves_no_half_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [&LONG[..], &["--nodes", "40000", "--every", "20000"]].concat();
    let words = [&words[..], &["--checkpoint", "long.checkpoint"]].concat();
    let quoted: Vec<String> = words.iter().map(|word| format!("'{word}'")).collect();
    let program = env!("CARGO_BIN_EXE_brandub");
    let script = format!(
        "trap '' XFSZ; ulimit -f 16; exec {program} {}",
        quoted.join(" ")
    );
    let said = Command::new("bash")
        .args(["-c", &script])
        .current_dir(at)
        .output()
        .unwrap();
    let err = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(1), "{err}");
    assert!(err.contains("cannot write long.checkpoint"), "{err}");
    assert!(files(at).is_empty(), "{:?}", files(at).keys());
}

#[test]
fn a_search_that_is_killed_goes_on_from_its_checkpoint() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let keep = ["--checkpoint", "long.checkpoint", "--every", "20000"];
    let words = |nodes| [&LONG[..], &keep, &["--nodes", nodes]].concat();
    let mut child = command(at, &words("900000000"))
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until(&mut child, || at.join("long.checkpoint").exists());
    child.kill().unwrap();
    child.wait().unwrap();
    let said = succeed(at, &[&words("1000")[..], &["--json"]].concat());
    assert!(said.err.contains("goes on after "), "{}", said.err);
    let answer: Value = serde_json::from_str(&said.out).unwrap();
    let nodes = answer["nodes"].as_u64().unwrap();
    assert!(nodes >= 21_000 && nodes % 20_000 == 1_000, "{nodes}");
    assert!(answer["table_used"].as_u64().unwrap() > 5_000);

    let other = [&words("1000")[..], &["--candidates", "3"]].concat();
    fail(
        at,
        &other,
        2,
        &["checkpoint long.checkpoint", "candidates", "3"],
    );
    let other = words("1000");
    let other: Vec<&str> = other
        .iter()
        .map(|&word| if word == FOUR { "wtf" } else { word })
        .collect();
    fail(
        at,
        &other,
        2,
        &["its ruleset is king_capture=four, not wtf"],
    );
    let path = at.join("long.checkpoint");
    let mut bytes = fs::read(&path).unwrap();
    let half = bytes.len() / 2;
    bytes[half] ^= 1;
    fs::write(&path, &bytes).unwrap();
    fail(at, &words("1000"), 2, &["checkpoint long.checkpoint"]);
    fs::write(&path, &bytes[..half]).unwrap();
    fail(
        at,
        &words("1000"),
        2,
        &["checkpoint long.checkpoint", "byte"],
    );
}

#[test]
fn what_another_checkpoint_has_decided_is_known() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let ask = |after, more: &[&'static str]| {
        let words = ["solve", "--rules", FOUR, "--after", after, "--json"];
        let how = ["--for", "defenders", "--engine", "pn", "--memory", "64MiB"];
        [&words[..], &how, more].concat()
    };
    // Mirrored: another position to begin with.
    let (one, other) = ("d6-f6 d3-f3 d2-f2", "d6-b6 d3-b3 d2-b2");
    let keep = ["--checkpoint", "one.checkpoint"];
    let nodes = |said: &str| -> u64 {
        let answer: Value = serde_json::from_str(said).unwrap();
        assert_eq!(answer["verdict"], "proved");
        answer["nodes"].as_u64().unwrap()
    };
    let first = nodes(&succeed(at, &ask(one, &keep)).out);
    assert!(first > 1_000, "{first}");
    let facts = ["--facts", "one.checkpoint", "--proof", "other.proof"];
    let said = succeed(at, &ask(other, &facts));
    assert!(said.err.contains("one.checkpoint: "), "{}", said.err);
    assert!(said.err.contains(" new facts"), "{}", said.err);
    assert!(nodes(&said.out) < first / 2, "{}", said.out);
    succeed(at, &["verify-proof", "other.proof"]);
    let parts = ["checkpoint one.checkpoint", "position"];
    fail(at, &ask(other, &keep), 2, &parts);

    let wrong = |words: &[&str], parts: &[&str]| fail(at, words, 2, parts);
    let facts = ["--facts", "one.checkpoint"];
    wrong(&solve(&facts), &["--facts", "--for"]);
    let side = ["--for", "defenders", "--memory", "1MiB"];
    let small = [&solve(&side)[..], &facts].concat();
    let parts = [
        "--facts one.checkpoint",
        "memory",
        "67108864",
        "1048576",
        "fraction",
    ];
    wrong(&small, &parts);
    wrong(&ask(other, &["--facts", "none"]), &["cannot read none"]);
    let bytes = fs::read(at.join("one.checkpoint")).unwrap();
    fs::write(at.join("half"), &bytes[..bytes.len() / 2]).unwrap();
    wrong(&ask(other, &["--facts", "half"]), &["--facts half", "byte"]);
}

const STUDY: &str = r#"
nodes = 20000
memory = "4MiB"
build_on = true
[rules]
base = "disputed"
vary = { king_capture = ["two", "four"] }
[[position]]
name = "won"
otn = "/2Tt3/4t2/2T4/t2KTtt/1T5/3t3/3t3/"
side = "defenders"
"#;

#[test]
fn a_study_goes_on_where_it_was_and_never_takes_an_altered_certificate() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("study.toml"), STUDY).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    let first = succeed(at, &study);
    assert!(first.err.contains("of 4 proved"), "{}", first.err);
    let there = files(&at.join("out"));
    let mut reader = csv::Reader::from_reader(there["solved.csv"].as_slice());
    let rows: Vec<std::collections::HashMap<String, String>> =
        reader.deserialize().map(Result::unwrap).collect();
    assert_eq!(rows.len(), 4);
    let mut proved = 0;
    for row in &rows {
        assert_eq!(row["value"] == "proved", !row["certificate"].is_empty());
        if row["value"] == "proved" {
            proved += 1;
            assert_eq!(row["for"], "defenders");
            let path = format!("out/{}", row["certificate"]);
            succeed(at, &["verify-proof", &path]);
        } else {
            assert!(row["nodes"].parse::<u64>().unwrap() > 0);
        }
    }
    assert!(proved >= 1);
    // One process at a time.
    let lock = File::open(at.join("out/.lock")).unwrap();
    lock.lock().unwrap();
    fail(at, &study, 1, &["out is in use by another run"]);
    drop(lock);
    // Its names are taken.
    let other = STUDY.replace("/2Tt3/", "/2T4/");
    fs::write(at.join("other.toml"), other).unwrap();
    fail(
        at,
        &["solve", "--study", "other.toml", "--out", "out"],
        2,
        &["out has `won` of another position"],
    );
    fs::write(at.join("wrong.toml"), format!("games = 5\n{STUDY}")).unwrap();
    fail(
        at,
        &["solve", "--study", "wrong.toml", "--out", "out"],
        2,
        &["wrong.toml:1:9: `games`: invalid type: integer `5`, expected a table"],
    );
    assert_eq!(files(&at.join("out")), there);
    // Nothing is asked again, not even after the last rows were lost.
    let again = succeed(at, &study);
    assert!(!again.err.contains("of 4: "), "{}", again.err);
    assert_eq!(files(&at.join("out")), there);
    let text = String::from_utf8(there["solved.csv"].clone()).unwrap();
    let cut: Vec<&str> = text.lines().take(3).collect();
    fs::write(at.join("out/solved.csv"), cut.join("\n")).unwrap();
    let again = succeed(at, &study);
    assert_eq!(again.err.matches("of 4: ").count(), 2, "{}", again.err);
    let name = there
        .keys()
        .find(|name| name.starts_with("proofs/"))
        .unwrap();
    // A certificate that is gone is made again.
    fs::remove_file(at.join("out").join(name)).unwrap();
    let again = succeed(at, &study);
    assert_eq!(again.err.matches("of 4: ").count(), 1, "{}", again.err);
    assert_eq!(files(&at.join("out"))[name], there[name]);
    let mut bytes = there[name].clone();
    bytes[20] ^= 1;
    fs::write(at.join("out").join(name), bytes).unwrap();
    fail(at, &study, 1, &[name.as_str(), "SHA-256"]);
    fail(at, &["verify-proof", "out"], 1, &[name.as_str(), "SHA-256"]);
}

#[test]
fn a_certificate_answers_for_all_rules_under_which_it_holds_as_it_is() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // Without return as with it; where two capture the king the win is another.
    let text = STUDY.replace(
        "vary = { king_capture = [\"two\", \"four\"] }",
        "vary = { king_capture = [\"four\", \"two\"], king_return = [true, false] }",
    );
    assert_ne!(text, STUDY);
    fs::write(at.join("study.toml"), &text).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    succeed(at, &study);
    let there = files(&at.join("out"));
    let proofs: Vec<&String> = there
        .keys()
        .filter(|name| name.starts_with("proofs/"))
        .collect();
    assert_eq!(proofs.len(), 1, "{proofs:?}");
    let rows = String::from_utf8(there["solved.csv"].clone()).unwrap();
    let proved: Vec<&str> = rows.lines().filter(|row| row.contains("proved")).collect();
    assert_eq!(proved.len(), 2, "{rows}");
    assert!(proved[0].contains("king_capture=four,") && proved[0].contains(proofs[0].as_str()));
    let label = "king_capture=four king_return=false";
    assert!(proved[1].contains(label) && proved[1].contains(proofs[0].as_str()));
    let shown = succeed(at, &["verify-proof", "out"]).out;
    assert!(shown.contains(label), "{shown}");
    // It says so of itself, and not of rules under which it does not hold.
    let file = format!("out/{}", proofs[0]);
    let under = |rules| ["verify-proof", file.as_str(), "--under", rules];
    let shown = succeed(at, &under(label)).out;
    assert!(shown.contains(label), "{shown}");
    fail(at, &under("disputed"), 1, &[&file, "step"]);
    let none = "king_capture=three";
    fail(at, &under(none), 2, &[none, "`three`"]);
    for (option, value) in [("--under", "wtf"), ("--after", "d2-e2")] {
        let folder = ["verify-proof", "out", option, value];
        fail(at, &folder, 2, &[option, "out"]);
    }
    // Whoever goes on finds what is wrong with a row as who checks it.
    for (row, altered, what) in [
        (",unknown,", ",proved,", "it says proved and is unknown"),
        (",unknown,", ",banana,", "it says banana and is unknown"),
        (
            ",unknown,,",
            ",unknown,x,",
            "`plies`: expected a whole number",
        ),
        (",unknown,,", ",unknown,", "15 fields, expected 16"),
        ("\n68fd953cd2f6,", "\n0460b7c9b1cb,", "have 68fd953cd2f6"),
    ] {
        let lie = rows.replacen(row, altered, 1);
        assert_ne!(lie, rows);
        fs::write(at.join("out/solved.csv"), &lie).unwrap();
        for words in [&study[..], &["verify-proof", "out"]] {
            fail(at, words, 1, &["solved.csv, line ", what]);
        }
        assert_eq!(fs::read_to_string(at.join("out/solved.csv")).unwrap(), lie);
    }
    // A row that names it for rules under which it does not hold.
    let lie = rows.replace(
        "68fd953cd2f6,king_capture=four,",
        "a97b9f7476dc,walker-2011,",
    );
    assert_ne!(lie, rows);
    fs::write(at.join("out/solved.csv"), lie).unwrap();
    fail(at, &["verify-proof", "out"], 1, &[proofs[0], "step"]);
    // What is gone is made again, for the rules that are asked about.
    fs::write(at.join("out/solved.csv"), &rows).unwrap();
    fs::remove_file(at.join(&file)).unwrap();
    let gone = [proofs[0].as_str(), "which solved.csv names"];
    fail(at, &["verify-proof", "out"], 1, &gone);
    succeed(at, &study);
    assert_eq!(files(&at.join("out"))[proofs[0]], there[proofs[0]]);
}

#[test]
fn a_certificate_answers_for_the_positions_it_leads_to() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    certificate(at);
    // The move by which the defenders win, and where it leads.
    let (mut steps, _) = CertificateFile::open(File::open(at.join("won.proof")).unwrap()).unwrap();
    let own = steps.claim();
    let rules = Rules::new(own.ruleset);
    let mut moves = MoveList::new();
    rules.moves(&own.root, &mut moves);
    let (ply, after) = moves
        .iter()
        .map(|&ply| (ply, rules.play(&own.root, ply).position))
        .find(|(_, after)| check::plies_from(&mut steps, own.ruleset, *after).is_ok())
        .unwrap();
    let plies = format!("within {} plies", own.plies - 1);
    let ply = ply.to_string();
    let shown = succeed(at, &["verify-proof", "won.proof", "--after", &ply]).out;
    assert!(
        shown.contains(&after.to_otn()) && shown.contains(&plies),
        "{shown}"
    );
    // Not every move leads there, and not every word is a move.
    let other = moves.iter().map(ToString::to_string).find(|m| *m != ply);
    let other = other.unwrap();
    let asked = ["verify-proof", "won.proof", "--after", &other];
    fail(at, &asked, 1, &["won.proof", "the root"]);
    let asked = ["verify-proof", "won.proof", "--after", "e9"];
    fail(at, &asked, 2, &["--after", "e9"]);
    // A study that asks both, this position first, has one certificate.
    let more = format!(
        "[[position]]\nname = \"after\"\notn = \"{}\"\nside = \"attackers\"\n",
        after.to_otn()
    );
    let text = STUDY.replace("[\"two\", \"four\"]", "[\"four\"]") + &more;
    fs::write(at.join("study.toml"), text).unwrap();
    succeed(at, &["solve", "--study", "study.toml", "--out", "out"]);
    let there = files(&at.join("out"));
    assert_eq!(there.len(), 2, "{:?}", there.keys());
    let rows = String::from_utf8(there["solved.csv"].clone()).unwrap();
    let proved: Vec<&str> = rows.lines().filter(|row| row.contains("proved")).collect();
    assert_eq!(proved.len(), 2, "{rows}");
    let claimed = format!("proved,{},0,", own.plies - 1);
    assert!(proved[1].contains(&claimed), "{rows}");
    let shown = succeed(at, &["verify-proof", "out"]).out;
    assert!(
        shown.contains(&after.to_otn()) && shown.contains(&plies),
        "{shown}"
    );
    // Also what was unknown after as much work, if there is a certificate now.
    let parts: Vec<&str> = proved[1].split(',').collect();
    let unknown = format!("{},unknown,,20000,20000,0.1,3,5,,,", parts[..6].join(","));
    let before = rows.replace(proved[1], &unknown);
    fs::write(at.join("out/solved.csv"), before).unwrap();
    succeed(at, &["solve", "--study", "study.toml", "--out", "out"]);
    let again = fs::read_to_string(at.join("out/solved.csv")).unwrap();
    assert!(again.contains(&claimed), "{again}");
    // What it takes from there is checked, too.
    let lie = rows.replace(&claimed, &format!("proved,{},0,", own.plies));
    fs::write(at.join("out/solved.csv"), lie).unwrap();
    let said = own.plies.to_string();
    fail(at, &["verify-proof", "out"], 1, &["line 5", &said]);
    let elsewhere = moves.iter().find(|m| m.to_string() == other).unwrap();
    let elsewhere = rules.play(&own.root, *elsewhere).position.to_otn();
    let lie = rows.replace(proved[1], &proved[1].replace(&after.to_otn(), &elsewhere));
    fs::write(at.join("out/solved.csv"), lie).unwrap();
    fail(at, &["verify-proof", "out"], 1, &["the root", &elsewhere]);
}

#[test]
fn a_study_that_is_killed_goes_on_within_its_question() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // More than can be searched in a test.
    let text = "nodes = 900000000\nmemory = \"4MiB\"\nengine = \"pn\"\nevery = 20000\n\
        for = [\"defenders\"]\nafter = [\"d1-e1\"]\n[rules]\npresets = [\"branan-step\"]\n";
    fs::write(at.join("study.toml"), text).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    let kept = "out/unfinished/c06405ca7115-d1-e1-defenders.checkpoint";
    let mut child = command(at, &study)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    wait_until(&mut child, || at.join(kept).exists());
    child.kill().unwrap();
    child.wait().unwrap();
    assert!(!at.join("out/solved.csv").exists());
    // The table of another question is refused by name, and stays.
    let few = text.replace("900000000", "400000");
    fs::write(at.join("study.toml"), few.replace("4MiB", "8MiB")).unwrap();
    fail(at, &study, 2, &[kept, "memory"]);
    fs::write(at.join("study.toml"), few).unwrap();
    let said = succeed(at, &study);
    let name = "1 of 1: branan-step, d1-e1, defenders: ";
    let line = said
        .err
        .lines()
        .find(|line| line.contains("goes on after "));
    let line = line.unwrap_or_else(|| panic!("{}", said.err));
    let after = line.strip_prefix(&format!("{name}{kept}: goes on after "));
    let there = after.and_then(|after| after.split(' ').next()?.parse::<u64>().ok());
    let there = there.unwrap_or_else(|| panic!("{line}"));
    // One more at least, if it was killed late.
    let spent = 400_000.max(there + 1);
    let there = files(&at.join("out"));
    assert_eq!(there.keys().collect::<Vec<_>>(), ["solved.csv"]);
    let row = String::from_utf8(there["solved.csv"].clone()).unwrap();
    let told = format!(",unknown,,{spent},400000,");
    assert!(row.contains(&told), "{row}");
    assert!(!at.join("out/unfinished").exists());
}

/// A win in a table so small that it has forgotten most of it, which cannot be
/// written down for little.
#[test]
fn a_win_without_its_certificate_is_not_proved_and_its_table_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let kept = "unfinished/68fd953cd2f6-d2-g2_d3-g3-defenders.checkpoint";
    let mut found = vec!["solve", "--rules", FOUR, "--after", "d2-g2 d3-g3"];
    found.extend(["--for", "defenders", "--engine", "pn", "--memory", "64KiB"]);
    found.extend(["--checkpoint", "found", "--json"]);
    let found: Value = serde_json::from_str(&succeed(at, &found).out).unwrap();
    assert_eq!(found["verdict"], "proved");
    let nodes = found["nodes"].as_u64().unwrap();
    fs::create_dir_all(at.join("out/unfinished")).unwrap();
    fs::rename(at.join("found"), at.join("out").join(kept)).unwrap();

    let text = "nodes = 1\nmemory = \"64KiB\"\nengine = \"pn\"\nevery = 10000\n\
        for = [\"defenders\"]\nafter = [\"d2-g2 d3-g3\"]\n\
        [rules]\nbase = \"disputed\"\nvary = { king_capture = [\"four\"] }\n";
    fs::write(at.join("study.toml"), text).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    let said = succeed(at, &study);
    assert!(said.err.contains("made no certificate"), "{}", said.err);
    assert!(said.err.contains("0 of 1 proved"), "{}", said.err);
    let there = files(&at.join("out"));
    assert_eq!(there.keys().collect::<Vec<_>>(), ["solved.csv", kept]);
    let row = String::from_utf8(there["solved.csv"].clone()).unwrap();
    let spent = format!(",unknown,,{},1,", nodes + 1);
    assert!(row.contains(&spent), "{spent}: {row}");
    // Nothing more for as much; more goes on from there.
    let again = succeed(at, &study);
    assert!(!again.err.contains("goes on after"), "{}", again.err);
    let text = text.replace("nodes = 1\n", "nodes = 1000000\n");
    fs::write(at.join("study.toml"), text).unwrap();
    let more = succeed(at, &study);
    let line = format!("goes on after {} ", nodes + 1);
    assert!(more.err.contains(&line), "{line}: {}", more.err);
    assert!(more.err.contains("1 of 1 proved"), "{}", more.err);
    let there = files(&at.join("out"));
    let proof = "proofs/68fd953cd2f6-d2-g2_d3-g3-defenders.proof";
    assert_eq!(there.keys().collect::<Vec<_>>(), [proof, "solved.csv"]);
}

#[test]
fn more_work_is_not_spent_where_the_other_side_is_known_to_win() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let one = STUDY.replace(r#"["two", "four"]"#, r#"["four"]"#);
    fs::write(at.join("study.toml"), &one).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    let first = succeed(at, &study);
    assert!(first.err.contains("1 of 2 proved"), "{}", first.err);
    let there = files(&at.join("out"));
    fs::write(at.join("study.toml"), one.replace("20000", "30000")).unwrap();
    let more = succeed(at, &study);
    let said = "1 of 2: king_capture=four, won, attackers: the other side wins";
    assert!(more.err.contains(said), "{}", more.err);
    assert!(!more.err.contains("unknown"), "{}", more.err);
    assert_eq!(files(&at.join("out")), there);
}

#[test]
fn searches_that_begin_otherwise_expand_others_and_a_study_begins_as_it_says() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let expanded = |begin: &str| {
        let more = ["--for", "defenders", "--engine", "pn", "--memory", "4MiB"];
        let said = succeed(
            at,
            &solve(&[&more[..], &["--begin", begin, "--json"]].concat()),
        );
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["verdict"], "proved", "{begin}");
        answer["nodes"].as_u64().unwrap()
    };
    let by_counts = expanded("counts");
    assert_ne!(by_counts, expanded("estimates"));
    let study = format!("engine = \"pn\"\nbegin = \"counts\"\nfor = [\"defenders\"]{STUDY}");
    let study = study.replace("[\"two\", \"four\"]", "[\"four\"]");
    fs::write(at.join("study.toml"), study).unwrap();
    succeed(at, &["solve", "--study", "study.toml", "--out", "out"]);
    let text = fs::read_to_string(at.join("out/solved.csv")).unwrap();
    // The certificate may take some positions more.
    let nodes: u64 = text
        .lines()
        .nth(1)
        .unwrap()
        .split(',')
        .nth(8)
        .unwrap()
        .parse()
        .unwrap();
    assert!(
        nodes >= by_counts && nodes < by_counts + 100,
        "{nodes}, {by_counts}"
    );
    fail(at, &solve(&["--begin", "guesses"]), 2, &["counts"]);
    fail(at, &solve(&["--replies", "half"]), 2, &["summed"]);
}

#[test]
fn searches_begin_with_the_estimates_of_a_file() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let four = Ruleset::from_label("king_capture=four").unwrap();
    let own = Estimates::of(&four, Side::Defenders).clone();
    // Fitted to other rules, and taken for these.
    let other = Estimates {
        rules: own.rules.clone(),
        ..Estimates::of(&Ruleset::default(), Side::Defenders).clone()
    };
    for (name, set) in [("own.toml", own), ("other.toml", other)] {
        let text = Estimates::write_all(&[set]).unwrap();
        fs::write(at.join(name), text).unwrap();
    }
    let pn = ["--for", "defenders", "--engine", "pn", "--memory", "4MiB"];
    let with = |more: &[&'static str]| solve(&[&pn[..], more].concat());
    let expanded = |more: &[&'static str]| {
        let said = succeed(at, &with(&[&["--json"], more].concat()));
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["verdict"], "proved", "{more:?}");
        answer["nodes"].as_u64().unwrap()
    };
    let usual = expanded(&[]);
    assert_eq!(expanded(&["--estimates", "own.toml"]), usual);
    let by_other = expanded(&["--estimates", "other.toml"]);
    assert_ne!(by_other, usual);
    let study = format!("engine = \"pn\"\nfor = [\"defenders\"]{STUDY}");
    let study = study.replace("[\"two\", \"four\"]", "[\"four\"]");
    fs::write(at.join("study.toml"), &study).unwrap();
    let asked = |out, file| {
        let study = ["solve", "--study", "study.toml", "--out", out];
        succeed(at, &[&study[..], &["--estimates", file]].concat());
        fs::read_to_string(at.join(out).join("solved.csv")).unwrap()
    };
    let nodes = |table: String| {
        let row = table.lines().nth(1).unwrap().to_owned();
        assert!(row.contains(",proved,"), "{row}");
        row.split(',').nth(8).unwrap().to_owned()
    };
    assert_ne!(
        nodes(asked("own", "own.toml")),
        nodes(asked("other", "other.toml"))
    );

    let attackers = solve(&["--for", "attackers", "--estimates", "own.toml"]);
    let none = "own.toml: no set is for the attackers under king_capture=four";
    fail(at, &attackers, 2, &[none]);
    let counts = with(&["--begin", "counts", "--estimates", "own.toml"]);
    fail(at, &counts, 2, &["own.toml: the search begins with counts"]);
    let text = fs::read_to_string(at.join("own.toml")).unwrap();
    fs::write(at.join("cut.toml"), &text[..text.len() / 2]).unwrap();
    fail(at, &with(&["--estimates", "cut.toml"]), 2, &["cut.toml: "]);
    fail(at, &with(&["--estimates", "none.toml"]), 2, &["none.toml"]);
}

#[test]
fn replies_of_which_a_share_counts_lead_another_way_to_the_same_win() {
    let folder = tempfile::tempdir().unwrap();
    let expanded = |replies: &str| {
        let said = succeed(
            folder.path(),
            &[
                "solve",
                "--rules",
                "{ king_capture = \"four\" }",
                "--after",
                "d2-f2",
                "--for",
                "defenders",
                "--engine",
                "pn",
                "--memory",
                "64MiB",
                "--replies",
                replies,
                "--json",
            ],
        );
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert_eq!(answer["verdict"], "proved", "{replies}");
        answer["nodes"].as_u64().unwrap()
    };
    let summed = expanded("summed");
    assert_ne!(summed, expanded("shared"));
    // A study's key does the same; `--json` leaves out what the certificate takes.
    let study = "nodes = 4000000\nmemory = \"64MiB\"\nengine = \"pn\"\nreplies = \"summed\"\n\
        for = [\"defenders\"]\nafter = [\"d2-f2\"]\n\n[rules]\nbase = \"disputed\"\n\
        vary = { king_capture = [\"four\"] }\n";
    fs::write(folder.path().join("study.toml"), study).unwrap();
    succeed(
        folder.path(),
        &["solve", "--study", "study.toml", "--out", "out"],
    );
    let text = fs::read_to_string(folder.path().join("out/solved.csv")).unwrap();
    let row: Vec<&str> = text.lines().nth(1).unwrap().split(',').collect();
    assert_eq!(row[6], "proved", "{text}");
    let nodes: u64 = row[8].parse().unwrap();
    assert!(nodes.abs_diff(summed) < 5_000, "{nodes}, {summed}");
}

/// What small jobs, or turns, say of a win that one does not find.
fn in_parts(at: &Path, engine: &str, more: &[&str]) -> Value {
    let rules = "{ king_capture = \"four\" }";
    let mut all = vec!["solve", "--rules", rules, "--after", "d2-f2"];
    all.extend(["--for", "defenders", "--engine", engine, "--job", "20000"]);
    all.extend(["--memory", "64MiB", "--json"]);
    all.extend(more);
    serde_json::from_str(&succeed(at, &all).out).unwrap()
}

fn is_taken_up_where_it_was(engine: &str) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let kept = ["--checkpoint", "c", "--proof", "p"];
    let asked = |nodes: &str| in_parts(at, engine, &[&kept[..], &["--nodes", nodes]].concat());
    let first = asked("50000");
    assert_eq!(first["verdict"], "unknown");
    assert_eq!(first["nodes"], 50_000);
    // More than one part, and each of its rests is done.
    let second = asked("4000000");
    assert_eq!(second["verdict"], "proved");
    assert!(second["nodes"].as_u64().unwrap() > 70_000);
    let said = succeed(at, &["verify-proof", "p"]);
    let plies = second["plies"].to_string();
    assert!(
        said.out.contains(&format!("within {plies} plies")),
        "{}",
        said.out
    );
}

#[test]
fn a_tree_of_jobs_is_taken_up_where_it_was_and_its_win_passes_the_check() {
    is_taken_up_where_it_was("jobs");
}

#[test]
fn turns_are_taken_up_where_they_were_and_their_win_passes_the_check() {
    is_taken_up_where_it_was("turns");
}

#[test]
fn only_three_engines_have_jobs() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for engine in ["jobs", "turns", "mend"] {
        let none = solve(&["--engine", engine, "--job", "0"]);
        fail(at, &none, 2, &["--job"]);
    }
    let other = solve(&["--engine", "pn", "--job", "9"]);
    fail(
        at,
        &other,
        2,
        &["a job of 9 positions", "`jobs`", "`turns`", "`mend`"],
    );
    let study = format!("engine = \"jobs\"\njob = 0{STUDY}");
    fs::write(at.join("study.toml"), study).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    fail(at, &study, 2, &["study.toml:2:7: `job`", "above 0"]);
    fs::write(at.join("study.toml"), format!("job = 9{STUDY}")).unwrap();
    fail(at, &study, 2, &["study.toml", "a job of 9 positions"]);
}

#[test]
fn turns_alone_are_searched_by_several_threads() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let four = [
        "solve",
        "--rules",
        FOUR,
        "--after",
        "d2-g2",
        "--for",
        "defenders",
    ];
    let turns = ["--engine", "turns", "--job", "5000", "--threads", "2"];
    let to = ["--memory", "64MiB", "--nodes", "4000000", "--proof", "p"];
    succeed(at, &[&four[..], &turns, &to].concat());
    let said = succeed(at, &["verify-proof", "p"]);
    assert!(said.out.contains("defenders win"), "{}", said.out);
    for (threads, why) in [
        ("0", "1..=4096"),
        ("9999", "1..=4096"),
        ("two", "invalid digit"),
    ] {
        let none = solve(&["--engine", "turns", "--threads", threads]);
        fail(at, &none, 2, &["--threads", threads, why]);
    }
    let other = solve(&["--engine", "jobs", "--threads", "2"]);
    fail(at, &other, 2, &["2 threads", "only engine `turns`"]);
    fs::write(at.join("study.toml"), STUDY).unwrap();
    let study = [
        "solve",
        "--study",
        "study.toml",
        "--out",
        "out",
        "--threads",
        "2",
    ];
    fail(
        at,
        &study,
        2,
        &["study.toml", "2 threads", "only engine `turns`"],
    );
}

const QUIET: &str = "{ king_capture = \"four\", throne_hostile = \"none\" }";

fn mend<'a>(rules: &'a str, more: &[&'a str]) -> Vec<&'a str> {
    let mut all = vec!["solve", "--rules", rules, "--after", "d2-g2", "--json"];
    all.extend([
        "--for",
        "defenders",
        "--engine",
        "mend",
        "--memory",
        "64MiB",
    ]);
    all.extend(more);
    all
}

/// What the defenders play after d2-g2 where four capture the king and the throne is
/// hostile to everyone, mended for one that is hostile to nobody.
#[test]
fn a_strategy_is_mended_and_its_win_passes_the_check() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let known = Path::new(env!("CARGO_MANIFEST_DIR")).join("experiments/solve/four-d2-g2.proof");
    let known = known.to_str().unwrap();
    let nothing = ["`mend` has nothing to mend", "--with", "defenders"];
    for (rules, with) in [(QUIET, &[][..]), (FOUR, &["--with", known])] {
        fail(at, &mend(rules, with), 2, &nothing);
    }
    let kept = |nodes| {
        let kept = ["--checkpoint", "c", "--proof", "p", "--with", known];
        let said = succeed(at, &mend(QUIET, &[&kept[..], &["--nodes", nodes]].concat()));
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        answer
    };
    let first = kept("500");
    assert_eq!(
        (&first["verdict"], &first["nodes"]),
        (&"unknown".into(), &500.into())
    );
    let second = kept("1000000");
    assert_eq!(second["verdict"], "proved");
    let said = succeed(at, &["verify-proof", "p"]);
    let plies = format!("within {} plies", second["plies"]);
    assert!(said.out.contains(&plies), "{}", said.out);
}

#[test]
fn jobs_and_turns_follow_a_player() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let asked = |engine: &str, more: &[&str]| {
        let answer = in_parts(at, engine, &[&["--nodes", "200000"], more].concat());
        let [proof, disproof, used] =
            ["proof_number", "disproof_number", "table_used"].map(|name| answer[name].as_u64());
        (proof.unwrap(), disproof.unwrap(), used.unwrap())
    };
    let player = ["--player", "alphabeta:nodes=2000"];
    for engine in ["jobs", "turns"] {
        let alone = asked(engine, &[]);
        let followed = asked(engine, &player);
        assert_ne!(followed, alone);
        assert_eq!(followed, asked(engine, &player));
        assert_ne!(asked(engine, &["--player", "random"]), alone);
    }
    for (player, why) in [
        ("strong", "no such agent"),
        ("external:/bin/cat", "without a program"),
        (
            "alphabeta:nodes=9,tables=d0a4",
            "without a program or tables",
        ),
    ] {
        let asked = solve(&["--engine", "jobs", "--player", player]);
        fail(at, &asked, 2, &["player", why]);
    }
    let other = solve(&["--engine", "pn", "--player", "greedy"]);
    fail(at, &other, 2, &["the player greedy", "`jobs`"]);
    let study = format!("engine = \"jobs\"\nplayer = \"strong\"{STUDY}");
    fs::write(at.join("study.toml"), study).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    fail(at, &study, 2, &["study.toml", "player", "no such agent"]);
}

#[test]
fn a_table_of_answers_has_to_agree_with_its_certificates() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("study.toml"), STUDY).unwrap();
    succeed(at, &["solve", "--study", "study.toml", "--out", "out"]);
    let said = succeed(at, &["verify-proof", "out"]);
    let text = fs::read_to_string(at.join("out/solved.csv")).unwrap();
    let proved = text.matches(",proved,").count();
    assert!(proved >= 1);
    assert_eq!(said.out.matches(", within ").count(), proved);
    let of = format!("{proved} of 4 answers are proofs");
    assert!(said.err.contains(&of), "{}", said.err);
    let refuse = |from: &str, to: &str, parts: &[&str]| {
        let line = text.lines().find(|line| line.contains(from)).unwrap();
        let changed = line.replace(from, to);
        fs::write(at.join("out/solved.csv"), text.replace(line, &changed)).unwrap();
        fail(at, &["verify-proof", "out"], 1, parts);
    };
    let plies = text.split(",proved,").nth(1).unwrap();
    let plies: u16 = plies.split(',').next().unwrap().parse().unwrap();
    let from = format!(",proved,{plies},");
    let to = format!(",proved,{},", plies - 2);
    refuse(&from, &to, &["solved.csv, line ", &(plies - 2).to_string()]);
    refuse(",proved,", ",unknown,", &["solved.csv, line ", "proved"]);
    refuse(",unknown,,", ",proved,9,", &["solved.csv, line ", "proved"]);
    refuse(",unknown,,", ",unknown,9,", &["solved.csv, line ", "plies"]);
    let told = ["the same question as in a line before"];
    refuse(",defenders,proved,", ",attackers,proved,", &told);
    let line = text.lines().find(|line| line.contains(",proved,")).unwrap();
    let head = text.lines().next().unwrap();
    let other = line.replace(",defenders,proved,", ",attackers,proved,");
    fs::write(at.join("out/solved.csv"), format!("{head}\n{other}\n")).unwrap();
    fail(
        at,
        &["verify-proof", "out"],
        1,
        &["it says attackers where"],
    );
    // The name of a question, too, where it is made of moves.
    refuse(",won,", ",d2-e2,", &["line ", "where d2-e2 leads to"]);
    refuse(",won,", ",d2-e3,", &["line ", "cannot be played"]);
    let position = text.split(",won,").nth(1).unwrap().split(',').next();
    let position = position.unwrap();
    let otherwise = position.trim_matches('/');
    assert_ne!(otherwise, position);
    refuse(position, otherwise, &["line ", "otherwise"]);
    fs::write(at.join("out/solved.csv"), format!("{text}{line}\n")).unwrap();
    fail(at, &["verify-proof", "out"], 1, &told);
    fs::remove_file(at.join("out/solved.csv")).unwrap();
    fail(at, &["verify-proof", "out"], 2, &["out", "solved.csv"]);
}

#[test]
fn a_study_that_asks_nothing_or_the_impossible_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let study = ["solve", "--study", "s.toml", "--out", "out"];
    let refuse = |text: &str, parts: &[&str]| {
        fs::write(at.join("s.toml"), text).unwrap();
        fail(at, &study, 2, parts);
    };
    fail(at, &study, 2, &["cannot read s.toml"]);
    refuse(&STUDY.replace("nodes", "nods"), &["s.toml", "nods"]);
    refuse(&STUDY.replace("4MiB", "4MB"), &["s.toml", "memory", "4MB"]);
    refuse(
        &STUDY.replace("\"four\"", "\"five\""),
        &["s.toml:7:33: `king_capture`: ", "five"],
    );
    refuse(
        "nodes = 1\nmemory = \"1MiB\"\n[rules]\npresets = [\"brandub-3\"]\n",
        &["s.toml:4:12: no ruleset is named `brandub-3`; nearest: `brandubh-3`"],
    );
    refuse(
        &STUDY.replace("/2Tt3/", "/2Tt4/"),
        &["s.toml: won", "rank 1"],
    );
    refuse(
        &STUDY.replace("\"won\"", "\"deep/won\""),
        &["s.toml: `deep/won` names files: expected 1 to 150 letters"],
    );
    refuse(
        &STUDY.replace("\"won\"", "\"start\""),
        &["s.toml: `start` is the name of /3t3/", "under disputed"],
    );
    let twice = "[[position]]\nname = \"won\"\notn = \"/7/4t2/2T4/t2KTtt/1T5/3t3/3t3/\"\n\
                 side = \"defenders\"\n";
    refuse(
        &format!("{STUDY}{twice}"),
        &["s.toml: `won` names two positions under disputed"],
    );
    let games = "nodes = 1\nmemory = \"1MiB\"\n[games]\nresults = \"r\"\neach = 1\n\
                 from_ply = 0\nbefore_end = 0\nseed = 1\n";
    refuse(
        games,
        &["s.toml:7:14: `before_end`", "a whole number above 0"],
    );
    let nothing = "nodes = 1\nmemory = \"1MiB\"\n";
    refuse(nothing, &["s.toml: ", "asks nothing"]);
    assert!(!at.join("out/solved.csv").exists());
}
