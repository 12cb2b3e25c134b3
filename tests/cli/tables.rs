//! Endgame tables on the command line: built, killed, asked, checked, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::brandub::{brandub, command, fail, files, names, succeed};

const SMALL: [&str; 8] = [
    "tables",
    "build",
    "--rules",
    "wtf",
    "--attackers",
    "2",
    "--out",
    "tables",
];

/// Attackers to move and capture the king, who stands beside one of them.
const POSITION: &str = "/7/7/1t5/1K5/7/1t5/3T3/";

fn table_files(folder: &Path) -> usize {
    names(folder)
        .iter()
        .filter(|path| path.extension().is_some_and(|kind| kind == "table"))
        .count()
}

/// The file of a layer, of the one ruleset that there is.
fn table_file(at: &Path, layer: &str) -> PathBuf {
    let ending = format!("{layer}.table");
    let mut paths = names(at).into_iter();
    paths.find(|path| path.ends_with(&ending)).unwrap()
}

#[test]
fn tables_are_built_asked_and_checked() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let said = succeed(at, &SMALL);
    assert!(said.out.is_empty());
    assert!(said.err.contains("MiB of memory"), "{}", said.err);
    assert_eq!(table_files(at), 6);
    let probe = ["tables", "probe", "--rules", "wtf", "--position", POSITION];
    let probe = [&probe[..], &["--side", "attackers"]].concat();
    let said = succeed(at, &probe);
    assert!(
        said.out.contains("attackers to move: win in 1 ply"),
        "{}",
        said.out
    );
    let said = succeed(at, &[&probe[..], &["--json"]].concat());
    let line: Value = serde_json::from_str(&said.out).unwrap();
    assert_eq!((&line["value"], &line["plies"]), (&"win".into(), &1.into()));
    assert_eq!(line["moves"][0]["move"], "b6-b5");
    // Three repetitions win for the attackers here.
    assert_eq!(line["draws_hold"], false);
    let said = succeed(at, &["tables", "verify", "tables"]);
    assert!(said.out.contains("d1a2"), "{}", said.out);
    assert!(
        said.out.ends_with("agrees with its moves\n"),
        "{}",
        said.out
    );
}

#[test]
fn what_was_checked_is_a_row_a_layer() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [&SMALL[..], &["--threads", "1"]].concat();
    succeed(at, &words);
    let csv = succeed(
        at,
        &["tables", "verify", "tables", "--csv", "--sample", "1000"],
    )
    .out;
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    let rows: Vec<std::collections::BTreeMap<String, String>> =
        reader.deserialize().map(Result::unwrap).collect();
    let layers: Vec<&str> = rows.iter().map(|row| &*row["layer"]).collect();
    assert_eq!(layers, ["d0a0", "d0a1", "d0a2", "d1a0", "d1a1", "d1a2"]);
    let tables = files(at);
    for row in &rows {
        let number = |column: &str| row[column].parse::<f64>().unwrap();
        for side in ["attackers", "defenders"] {
            let shares = ["win", "draw", "loss"].map(|end| number(&format!("{side}_{end}")));
            assert!((shares.iter().sum::<f64>() - 1.0).abs() < 2e-6, "{row:?}");
        }
        assert!(number("compared") <= 1000.0 && number("compared") <= number("values"));
        assert_eq!(row["build_threads"], "1");
        assert!(number("build_processor_seconds") >= 0.0);
        let file = &tables[&format!("tables/{}/{}.table", row["ruleset"], row["layer"])];
        assert_eq!(row["bytes"], file.len().to_string());
        let sum = <sha2::Sha256 as sha2::Digest>::digest(file);
        assert_eq!(row["sha256"], hex::encode(sum));
    }
}

#[test]
fn what_tables_cannot_do_is_refused_by_name() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(at, &SMALL);
    let ask = |rules, position| {
        let mut words = vec!["tables", "probe", "--rules", rules, "--position", position];
        words.extend(["--side", "attackers"]);
        words
    };
    fail(
        at,
        &ask("crust", POSITION),
        2,
        &["tables holds no tables of crust", "king_capture=throne"],
    );
    let many = "/2ttt2/7/1t5/1K5/7/1t5/7/";
    fail(at, &ask("wtf", many), 2, &["of layer d0a5", "d1a2"]);
    fail(at, &ask("wtf", "/t6/7/7/1K5/7/7/7/"), 2, &["corner"]);
    let lower = table_file(at, "d1a1");
    let whole = fs::read(&lower).unwrap();
    fs::remove_file(&lower).unwrap();
    // A defender may capture the attacker beside the corner.
    let take = "/1t5/7/2T4/3K3/7/7/4t2/";
    let words = ["tables", "probe", "--rules", "wtf", "--position", take];
    let words = [&words[..], &["--side", "defenders"]].concat();
    let gap = "holds d1a2 without d1a1, which captures lead to";
    fail(at, &words, 2, &["tables/", gap]);
    fs::write(&lower, whole).unwrap();
    succeed(at, &words);
    let little = [&SMALL[..], &["--memory", "1MiB"]].concat();
    fail(at, &little, 2, &["layer d1a2 needs", "1 MiB are allowed"]);
    fail(
        at,
        &[&SMALL[..], &["--memory", "1MB"]].concat(),
        2,
        &["4GiB"],
    );
    let path = table_file(at, "d0a2");
    let mut bytes = fs::read(&path).unwrap();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    for words in [
        &["tables", "verify", "tables"][..],
        &ask("wtf", POSITION),
        &SMALL,
    ] {
        fail(at, words, 1, &["d0a2.table", "block", "altered"]);
    }
    fail(
        at,
        &["tables", "verify", "."],
        2,
        &[". holds no tables; `brandub tables build`"],
    );
}

/// As where the machine has too little left.
#[cfg(target_os = "linux")]
#[test]
fn memory_that_is_not_there_is_told_before_the_build() {
    let folder = tempfile::tempdir().unwrap();
    let program = env!("CARGO_BIN_EXE_brandub");
    let build = "tables build --rules wtf --defenders 1 --attackers 5 --threads 1";
    let script = format!("ulimit -v 600000; exec {program} {build}");
    let said = std::process::Command::new("bash")
        .args(["-c", &script])
        .current_dir(folder.path())
        .output()
        .unwrap();
    let err = String::from_utf8(said.stderr).unwrap();
    assert_eq!(said.status.code(), Some(2), "{err}");
    assert!(err.contains("error: the tables: "), "{err}");
    assert!(err.contains(" bytes of memory are free"), "{err}");
    assert!(!folder.path().join("tables").exists());
}

#[test]
fn a_folder_that_is_none_is_wrong_input() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("file"), "").unwrap();
    for dir in ["nope", "file"] {
        let cannot = format!("cannot read {dir}: ");
        let said = brandub(at, &["tables", "verify", dir, "--csv"]);
        assert_eq!(said.status, Some(2), "{}", said.err);
        assert!(said.err.contains(&cannot), "{}", said.err);
        assert!(said.out.is_empty(), "{}", said.out);
        let words = ["tables", "probe", "--dir", dir, "--position", POSITION];
        let words = [&words[..], &["--side", "attackers"]].concat();
        fail(at, &words, 2, &[dir, "there is no such folder"]);
    }
}

#[test]
fn a_build_that_is_killed_goes_on_where_it_was() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let build = |out: &'static str| {
        let mut words = vec!["tables", "build", "--attackers", "3", "--threads", "1"];
        words.extend(["--out", out]);
        words
    };
    succeed(at, &build("whole"));
    let whole = table_files(&at.join("whole"));
    let mut child = command(at, &build("killed"))
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    while child.try_wait().unwrap().is_none() && table_files(at) < whole + 2 {
        thread::sleep(Duration::from_millis(1));
    }
    let _ = child.kill();
    child.wait().unwrap();
    let said = brandub(at, &build("killed"));
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert!(said.err.contains("is there"), "{}", said.err);
    let tables = |folder: &str| {
        let mut files = files(&at.join(folder));
        // How long it took is no part of a table.
        files.retain(|name, _| !name.ends_with("builds.jsonl"));
        files
    };
    assert_eq!(tables("whole").len(), 8);
    assert!(tables("killed") == tables("whole"));
}
