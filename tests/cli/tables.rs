//! Endgame tables on the command line: built, killed, asked, checked, refused.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::thread;
use std::time::Duration;

use serde_json::Value;

use super::brandub::{Said, brandub, command, fail, files, names, signal, succeed, wait_until};

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
    for (words, status) in [
        (&["tables", "verify", "tables"][..], 1),
        (&ask("wtf", POSITION), 2),
        (&SMALL, 2),
    ] {
        fail(at, words, status, &["d0a2.table", "block", "altered"]);
    }
    // What is asked for is not there, whatever else is damaged.
    fs::write(table_file(at, "d0a0"), "none").unwrap();
    fail(
        at,
        &ask("crust", POSITION),
        2,
        &["holds no tables of crust", "cannot be told", "d0a0.table"],
    );
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
        let what = match dir {
            "nope" => "there is no such folder",
            _ => "it is no folder",
        };
        fail(at, &words, 2, &[dir, what]);
    }
    let build = |out| ["tables", "build", "--attackers", "1", "--out", out];
    for (out, taken) in [
        ("file", "file is no folder"),
        ("file/in", "file is no folder"),
    ] {
        fail(at, &build(out), 2, &[taken, "a name that is free"]);
    }
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink("nowhere", at.join("link")).unwrap();
        fail(at, &build("link"), 2, &["link is no folder"]);
    }
    assert_eq!(fs::read(at.join("file")).unwrap(), b"");
}

#[test]
fn nothing_named_as_a_table_is_passed_over() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(at, &SMALL);
    let verify = ["tables", "verify", "tables"];
    let own = table_file(at, "d1a1").parent().unwrap().to_owned();
    let other = at.join("tables/deep/tables");
    fs::create_dir_all(&other).unwrap();
    for path in [
        own.join("d1a2.TABLE"),
        own.join("d01a2.table"),
        own.join("d1a2 (1).table"),
        own.join("d1a2.table.part"),
        at.join("tables/x.table"),
        other.join("d1a2.table"),
    ] {
        fs::write(&path, "none").unwrap();
        let name = path.file_name().unwrap().to_str().unwrap();
        fail(at, &verify, 2, &[name, "is in no place of a table"]);
        fs::remove_file(&path).unwrap();
    }
    // What is only named like one stays out of it.
    fs::write(at.join("tables/notes.tables.csv"), "none").unwrap();
    succeed(at, &verify);
    fail(
        at,
        &[&verify[..], &["--sample", "0"]].concat(),
        2,
        &["0", "1.."],
    );
    // A file of other rules is named itself, not the folder that it lies in.
    let foreign = [
        "tables",
        "build",
        "--rules",
        "crust",
        "--attackers",
        "0",
        "--out",
        "other",
    ];
    succeed(at, &foreign);
    fs::copy(
        table_file(&at.join("other"), "d0a0"),
        own.join("d0a0.table"),
    )
    .unwrap();
    fail(at, &verify, 1, &["d0a0.table is a table of other rules"]);
}

/// The system would read a pipe until somebody writes to it, and a sparse file whole.
#[cfg(unix)]
#[test]
fn what_is_no_table_is_not_waited_for_and_not_read_whole() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    succeed(at, &SMALL);
    let probe = ["tables", "probe", "--rules", "wtf", "--position", POSITION];
    let probe = [&probe[..], &["--side", "attackers"]].concat();
    let path = table_file(at, "d0a1");
    let whole = fs::read(&path).unwrap();
    let all = |says: &[&str]| {
        let verify = ["tables", "verify", "tables"];
        for (words, status) in [(&verify[..], 1), (&probe, 2), (&SMALL, 2)] {
            fail(at, words, status, says);
        }
    };
    let pipe = |path: &Path| {
        let made = std::process::Command::new("mkfifo").arg(path).status();
        assert!(made.unwrap().success());
    };
    fs::remove_file(&path).unwrap();
    pipe(&path);
    all(&["d0a1.table", "not a pipe"]);
    fs::remove_file(&path).unwrap();
    fs::create_dir(&path).unwrap();
    all(&["d0a1.table", "not a folder"]);
    fs::remove_dir(&path).unwrap();
    let sparse = fs::File::create(&path).unwrap();
    sparse.set_len(1 << 40).unwrap();
    all(&["d0a1.table", "at most", "bytes"]);
    fs::write(&path, whole).unwrap();
    succeed(at, &probe);
    let lock = path.with_file_name(".lock");
    fs::remove_file(&lock).unwrap();
    pipe(&lock);
    fail(at, &SMALL, 1, &[".lock", "not a pipe"]);
    fs::remove_file(&lock).unwrap();
    // A line that was cut short does not take the next one with it.
    let builds = path.with_file_name("builds.jsonl");
    fs::write(&builds, "{\"layer\": \"d0").unwrap();
    fs::remove_file(&path).unwrap();
    succeed(at, &[&SMALL[..], &["--threads", "1"]].concat());
    let csv = succeed(at, &["tables", "verify", "tables", "--csv"]).out;
    let built: Vec<&str> = csv.lines().filter(|line| !line.ends_with(",,")).collect();
    assert_eq!(built.len(), 2, "{csv}");
    assert!(built[1].contains(",d0a1,"), "{csv}");
}

#[cfg(unix)]
#[test]
fn an_interrupted_build_says_so_and_keeps_what_it_has() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = ["tables", "build", "--attackers", "5", "--threads", "1"];
    let mut child = command(at, &words).stderr(Stdio::piped()).spawn().unwrap();
    wait_until(&mut child, || table_files(at) >= 3);
    signal(&child, "TERM");
    let said = Said::from(child.wait_with_output().unwrap());
    assert_eq!(said.status, Some(1), "{}", said.err);
    assert!(
        said.err.contains("the same command goes on\n"),
        "{}",
        said.err
    );
    succeed(at, &["tables", "verify", "tables", "--sample", "1000"]);
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
