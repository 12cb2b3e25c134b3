//! Starting the program and looking at what it leaves.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Output, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// What a finished command said.
pub struct Said {
    pub status: Option<i32>,
    pub out: String,
    pub err: String,
}

impl From<Output> for Said {
    fn from(output: Output) -> Said {
        Said {
            status: output.status.code(),
            out: String::from_utf8(output.stdout).unwrap(),
            err: String::from_utf8(output.stderr).unwrap(),
        }
    }
}

pub fn command(folder: &Path, arguments: &[&str]) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_brandub"));
    command
        .current_dir(folder)
        .args(arguments)
        .stdin(Stdio::null());
    command
}

/// Runs the program in a folder.
pub fn brandub(folder: &Path, arguments: &[&str]) -> Said {
    command(folder, arguments).output().unwrap().into()
}

/// Runs the program where nobody reads what it prints; gives its status.
pub fn unread(folder: &Path, arguments: &[&str]) -> Option<i32> {
    let (reader, writer) = std::io::pipe().unwrap();
    drop(reader);
    let mut command = command(folder, arguments);
    command.stdout(writer).stderr(Stdio::null());
    command.status().unwrap().code()
}

/// Runs the program on this input.
pub fn told(folder: &Path, arguments: &[&str], input: &[u8]) -> Said {
    let mut child = command(folder, arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    child.stdin.take().unwrap().write_all(input).unwrap();
    child.wait_with_output().unwrap().into()
}

/// Runs the program, which must succeed.
pub fn succeed(folder: &Path, arguments: &[&str]) -> Said {
    let said = brandub(folder, arguments);
    assert_eq!(said.status, Some(0), "{arguments:?}: {}", said.err);
    said
}

/// Runs the program, which must fail with this status and name all of these.
pub fn fail(folder: &Path, arguments: &[&str], status: i32, parts: &[&str]) {
    let said = brandub(folder, arguments);
    assert_eq!(said.status, Some(status), "{arguments:?}: {}", said.err);
    for part in parts {
        assert!(
            said.err.contains(part),
            "{arguments:?}: no `{part}` in {}",
            said.err
        );
    }
}

/// Every file below a folder, the empty lock apart, in no order.
///
/// Files that come and go meanwhile may be named or not.
pub fn names(folder: &Path) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![folder.to_owned()], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else if path.file_name().unwrap() != ".lock" {
                found.push(path);
            }
        }
    }
    found
}

/// Every file below a folder with its bytes, the empty lock apart.
pub fn files(folder: &Path) -> BTreeMap<String, Vec<u8>> {
    let named = |path: PathBuf| {
        let name = path.strip_prefix(folder).unwrap().display().to_string();
        (name, fs::read(&path).unwrap())
    };
    names(folder).into_iter().map(named).collect()
}

/// Twelve cells, some of several chunks, a second or so of work.
pub const STUDY: &str = r#"
name = "study"
seed = 7
games = 40
ply_limit = 120
pairing = "common"
[rules]
base = "disputed"
vary = { king_capture = ["two", "four"], king_return = [true, false] }
[opening]
random_plies = 2
[[match]]
attackers = "mcts:playouts=60"
defenders = "mcts:playouts=60"
[[match]]
attackers = "alphabeta:nodes=500"
defenders = "alphabeta:nodes=400"
[[match]]
agents = ["random"]
"#;

/// A row of a table, by column.
pub type Row = BTreeMap<String, String>;

/// A table's rows.
pub fn rows(path: impl AsRef<Path>) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(path).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// What a row has in a column that has numbers.
pub fn number(row: &Row, column: &str) -> f64 {
    row[column]
        .parse()
        .unwrap_or_else(|_| panic!("{column}: {row:?}"))
}

/// A file of the tests' own.
pub fn data(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/data")
        .join(name)
}

/// A temporary folder with the study in it.
pub fn study() -> tempfile::TempDir {
    let folder = tempfile::tempdir().unwrap();
    fs::write(folder.path().join("study.toml"), STUDY).unwrap();
    folder
}

/// Waits until something is seen of a program that goes on meanwhile.
pub fn wait_until(child: &mut Child, is_seen: impl FnMut() -> bool) {
    assert!(is_at_work(child, is_seen), "it ended too soon");
}

/// Waits until something is seen of a program, or it ends; whether it goes on.
fn is_at_work(child: &mut Child, mut is_seen: impl FnMut() -> bool) -> bool {
    let last = Instant::now() + Duration::from_mins(5);
    while !is_seen() {
        if child.try_wait().unwrap().is_some() {
            return false;
        }
        if Instant::now() > last {
            let _ = child.kill();
            panic!("nothing was seen in five minutes");
        }
        sleep(Duration::from_millis(2));
    }
    true
}

/// Starts a program and kills it once something is seen. Whether it was killed; it may
/// have come to its end before.
pub fn is_cut(at: &Path, words: &[&str], is_seen: impl FnMut() -> bool) -> bool {
    let mut child = command(at, words)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    is_at_work(&mut child, is_seen);
    child.kill().unwrap();
    let status = child.wait().unwrap();
    assert!(status.success() || status.code().is_none(), "{status}");
    !status.success()
}

/// Whether a process has said what is to become of it at an interrupt.
pub fn catches_interrupts(process: u32) -> bool {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let caught = status.lines().find_map(|line| line.strip_prefix("SigCgt:"));
    let Some(mask) = caught else {
        // Elsewhere than under Linux nobody says so.
        sleep(Duration::from_millis(500));
        return true;
    };
    u64::from_str_radix(mask.trim(), 16).unwrap() & 1 << 1 != 0
}

/// Sends a signal, such as `INT`.
pub fn signal(child: &Child, name: &str) {
    let kill = Command::new("kill")
        .args([&format!("-{name}"), &child.id().to_string()])
        .status()
        .unwrap();
    assert!(kill.success());
}

/// Gives a file of games other contents, and everything that tells of its bytes; its name
/// then.
pub fn reseal(folder: &Path, name: &str, contents: &str) -> String {
    let old = blake3::hash(&fs::read(folder.join(name)).unwrap()).to_string();
    let checksum = blake3::hash(contents.as_bytes()).to_string();
    let (before, _) = name.rsplit_once('-').unwrap();
    let renamed = format!("{before}-{}.csv", &checksum[..16]);
    fs::remove_file(folder.join(name)).unwrap();
    fs::write(folder.join(&renamed), contents).unwrap();
    change_manifest(&folder.join("manifest.json"), |honest| {
        honest.replace(name, &renamed).replace(&old, &checksum)
    });
    renamed
}

/// Changes a manifest and gives it the checksum that it then has.
pub fn change_manifest(path: &Path, change: impl Fn(&str) -> String) {
    let text = change(&fs::read_to_string(path).unwrap());
    let (before, _) = text.rsplit_once("\"checksum\": \"").unwrap();
    let open = format!("{before}\"checksum\": \"\"\n}}\n");
    let checksum = blake3::hash(open.as_bytes()).to_string();
    fs::write(path, format!("{before}\"checksum\": \"{checksum}\"\n}}\n")).unwrap();
}
