//! Signals: what is kept, what is said, and that the same command goes on.

use std::fs;
use std::io::{BufRead, BufReader};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use serde_json::Value;

use super::brandub::{
    Said, catches_interrupts, change_manifest, command, fail, files, signal, study, succeed,
    wait_until,
};
use super::same_bytes::{assert_same, count_chunks};

/// More than can be searched in a test.
const ASKED: [&str; 7] = [
    "solve",
    "--after",
    "d2-e2",
    "--for",
    "defenders",
    "--memory",
    "4MiB",
];

fn long<'a>(more: &[&'a str]) -> Vec<&'a str> {
    [&ASKED[..], &["--nodes", "900000000"], more].concat()
}

fn started(at: &Path, words: &[&str]) -> Child {
    command(at, words)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

/// A long run of the study that hears hang-ups even if whoever started the tests ignores
/// them, as it would keep ignoring them, too.
fn hearing_hang_ups(at: &Path, words: &[&str]) -> Child {
    let program = env!("CARGO_BIN_EXE_brandub");
    let mut command = if cfg!(target_os = "linux") {
        let mut command = Command::new("env");
        command.args(["--default-signal=HUP", program]);
        command
    } else {
        Command::new(program)
    };
    command
        .args(["run", "study.toml", "--games", "30000"])
        .args(words)
        .current_dir(at)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap()
}

fn ended(child: Child) -> Said {
    Said::from(child.wait_with_output().unwrap())
}

/// Interrupts a program once more that has just said that it heard. What comes within half
/// a second of that is no second interrupt, and it may be late to look at the clock.
fn interrupt_again(child: &Child) {
    sleep(Duration::from_secs(5));
    signal(child, "INT");
}

#[test]
fn a_signal_ends_a_run_when_its_games_in_flight_are_done() {
    let folder = study();
    let at = folder.path();
    for name in ["INT", "TERM", "HUP"] {
        let mut child = hearing_hang_ups(at, &["--out", name]);
        wait_until(&mut child, || count_chunks(&at.join(name)) >= 1);
        signal(&child, name);
        let said = ended(child);
        assert_eq!(said.status, Some(1), "{name}: {}", said.err);
        let told = "of 360000 games are there; the same command goes on";
        assert!(said.err.contains(told), "{name}: {}", said.err);
        assert!(at.join(name).join("winrates.csv").exists());
        let manifest = fs::read_to_string(at.join(name).join("manifest.json")).unwrap();
        assert!(manifest.contains("\"status\": \"incomplete\""));
        let verified = succeed(at, &["verify", name]).out;
        assert!(verified.contains("run not finished"), "{verified}");
        assert!(!verified.starts_with("0 files"), "{verified}");
    }
}

/// As `nohup` has it: a terminal that is closed does not end it, an interrupt does.
#[cfg(target_os = "linux")]
#[test]
fn a_run_that_ignores_hang_ups_goes_on_after_one() {
    let folder = study();
    let at = folder.path();
    let program = env!("CARGO_BIN_EXE_brandub");
    let script =
        format!("trap '' HUP; exec {program} run study.toml --out r --games 30000 --threads 2");
    let mut child = Command::new("bash")
        .args(["-c", &script])
        .current_dir(at)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    wait_until(&mut child, || count_chunks(&at.join("r")) >= 1);
    signal(&child, "HUP");
    let played = count_chunks(&at.join("r"));
    // More than were being played.
    wait_until(&mut child, || count_chunks(&at.join("r")) > played + 8);
    signal(&child, "INT");
    let said = ended(child);
    assert_eq!(said.status, Some(1), "{}", said.err);
    assert_eq!(said.err.matches("stopping").count(), 1, "{}", said.err);
}

/// Whoever has played is named from the first game on.
#[test]
fn a_build_that_is_killed_is_named_beside_the_one_before() {
    let folder = study();
    let at = folder.path();
    let words = ["run", "study.toml", "--out", "r", "--games", "30000"];
    let killed = |chunks: usize| {
        let mut child = started(at, &words);
        wait_until(&mut child, || count_chunks(&at.join("r")) >= chunks);
        signal(&child, "KILL");
        ended(child);
    };
    killed(1);
    let path = at.join("r/manifest.json");
    let commit = || {
        let manifest: Value = serde_json::from_slice(&fs::read(&path).unwrap()).unwrap();
        manifest["program"]["commit"].as_str().unwrap().to_owned()
    };
    let own = commit();
    change_manifest(&path, |text| {
        text.replace(&format!("\"{own}\""), "\"0123456789ab\"")
    });
    killed(count_chunks(&at.join("r")) + 1);
    let mut both = ["0123456789ab", own.as_str()];
    both.sort_unstable();
    assert_eq!(commit(), both.join(", "));
}

/// The game in flight does not end by itself: its engine answers only once it may.
#[test]
fn the_second_interrupt_ends_a_run_at_once_and_the_next_goes_on() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let engine = format!(
        "[ -e answers ] && exec '{}' engine greedy\n: > asked\nsleep 600\n",
        env!("CARGO_BIN_EXE_brandub")
    );
    fs::write(at.join("engine.sh"), engine).unwrap();
    let text = "name = \"long\"\nseed = 1\ngames = 3\n[rules]\npresets = [\"wtf\"]\n\
        [[match]]\nagents = [\"external:seconds=600,sh engine.sh\"]\n";
    fs::write(at.join("long.toml"), text).unwrap();
    let words = ["run", "long.toml", "--out", "long", "--threads", "1"];
    let mut child = started(at, &words);
    wait_until(&mut child, || at.join("asked").exists());
    signal(&child, "INT");
    let mut heard = BufReader::new(child.stderr.take().unwrap()).lines();
    assert!(heard.any(|line| line.unwrap().contains("once more")));
    interrupt_again(&child);
    let said = ended(child);
    assert_eq!(said.status, Some(130), "{}", said.err);
    assert_eq!(count_chunks(&at.join("long")), 0);
    fs::write(at.join("answers"), "").unwrap();
    succeed(at, &words);
    succeed(at, &["run", "long.toml", "--out", "whole"]);
    let whole = files(&at.join("whole"));
    assert_same(&files(&at.join("long")), &whole);
    let games = whole.iter().find(|(name, _)| name.starts_with("games/"));
    let games = String::from_utf8_lossy(games.unwrap().1);
    assert!(!games.contains("forfeit"), "{games}");
}

/// Whether a process still does something.
fn is_running(process: &str) -> bool {
    let stat = fs::read_to_string(format!("/proc/{process}/stat")).unwrap_or_default();
    let kill = Command::new("kill").args(["-0", process]).output().unwrap();
    kill.status.success() && !stat.contains(") Z ")
}

/// Engines are in groups of their own, and do not hear of the terminal's interrupts.
#[test]
fn engines_end_with_the_program_that_started_them() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // It says who it is, and never answers.
    fs::write(
        at.join("silent.sh"),
        "echo $$ > new; mv new number; sleep 600; :",
    )
    .unwrap();
    let engine = "external:seconds=600,sh silent.sh";
    let text = format!(
        "name = \"silent\"\nseed = 1\ngames = 1\n[rules]\npresets = [\"wtf\"]\n\
         [[match]]\nattackers = \"{engine}\"\ndefenders = \"random\"\n"
    );
    fs::write(at.join("silent.toml"), text).unwrap();
    let number = at.join("number");
    let play = ["play", "--attackers", engine, "--defenders", "random"];
    for (words, interrupts) in [(&play[..], 1), (&["run", "silent.toml"], 2)] {
        let mut child = started(at, words);
        wait_until(&mut child, || number.exists());
        let process = fs::read_to_string(&number).unwrap();
        fs::remove_file(&number).unwrap();
        assert!(is_running(process.trim()));
        if interrupts == 2 {
            signal(&child, "INT");
            let mut heard = BufReader::new(child.stderr.take().unwrap()).lines();
            assert!(heard.any(|line| line.unwrap().contains("once more")));
            interrupt_again(&child);
        } else {
            signal(&child, "INT");
        }
        assert_eq!(ended(child).status, Some(130), "{words:?}");
        let last = Instant::now() + Duration::from_mins(1);
        while is_running(process.trim()) {
            assert!(Instant::now() < last, "{words:?}");
            sleep(Duration::from_millis(5));
        }
    }
}

/// Shards without games are made one after the other, too.
#[test]
fn an_interrupt_ends_a_run_of_many_shards() {
    let folder = study();
    let at = folder.path();
    let words = [
        "run",
        "study.toml",
        "--games",
        "1",
        "--results",
        "parts",
        "-q",
    ];
    let words = [&words[..], &["--shard", "1-100000/100000"]].concat();
    let mut child = started(at, &words);
    let shards = || fs::read_dir(at.join("parts")).map_or(0, Iterator::count);
    wait_until(&mut child, || shards() > 20);
    signal(&child, "TERM");
    let said = ended(child);
    assert_eq!(said.status, Some(1), "{}", said.err);
    assert!(
        said.err.contains("interrupted before shard "),
        "{}",
        said.err
    );
    assert!(shards() < 100_000);
}

/// Whichever engine works, a search that is ended keeps its table.
#[test]
fn a_search_that_is_interrupted_says_the_truth_of_what_it_kept() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    for engine in ["both", "pn"] {
        let file = format!("{engine}.checkpoint");
        let words = long(&["--engine", engine, "--checkpoint", &file]);
        let mut child = started(at, &[&words[..], &["--every", "20000"]].concat());
        wait_until(&mut child, || at.join(&file).exists());
        signal(&child, "INT");
        let said = ended(child);
        assert_eq!(said.status, Some(1), "{}", said.err);
        let told = format!("interrupted: the same command goes on from {file}");
        assert!(said.err.contains(&told), "{}", said.err);
        let more = [
            "--engine",
            engine,
            "--checkpoint",
            &file,
            "--json",
            "--nodes",
            "20000",
        ];
        let said = succeed(at, &[&ASKED[..], &more].concat());
        assert!(said.err.contains("goes on after "), "{}", said.err);
        let answer: Value = serde_json::from_str(&said.out).unwrap();
        assert!(answer["nodes"].as_u64().unwrap() >= 40_000, "{answer}");
    }
    // The time of both runs, however short the second.
    let kept = ["--engine", "pn", "--checkpoint", "time", "--json"];
    let seconds = |nodes| {
        let words = [&ASKED[..], &kept, &["--nodes", nodes]].concat();
        let answer: Value = serde_json::from_str(&succeed(at, &words).out).unwrap();
        answer["seconds"].as_f64().unwrap()
    };
    // What the first says has the time to write the table, which is not in the table.
    let is_all = |_| {
        let first = seconds("300000");
        seconds("1") >= first
    };
    assert!((0..5).any(is_all));

    let mut child = started(at, &long(&["--engine", "mate"]));
    let process = child.id();
    wait_until(&mut child, || catches_interrupts(process));
    signal(&child, "INT");
    let said = ended(child);
    let told = "interrupted: without --checkpoint nothing is kept";
    assert!(said.err.contains(told), "{}", said.err);
    for (more, told) in [
        (
            ["--engine", "mate", "--checkpoint", "m"],
            "the engine `mate` keeps no table",
        ),
        (
            ["--checkpoint", "m", "--every", "9999"],
            "expected 10000 at least",
        ),
        (["--checkpoint", "m", "--proof", "m"], "the same file"),
    ] {
        fail(
            at,
            &[&ASKED[..], &more].concat(),
            2,
            &["--checkpoint", told],
        );
    }
    let text = "nodes = 9\nmemory = \"4MiB\"\nevery = 9\nafter = [\"\"]\n\
        [rules]\npresets = [\"wtf\"]\n";
    fs::write(at.join("study.toml"), text).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "out"];
    fail(
        at,
        &study,
        2,
        &["study.toml: every: kept after every 9 positions"],
    );
}

/// What was found by then is whole, and not all that there is to find.
#[test]
fn an_interrupted_shortening_keeps_what_it_found() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let long = format!(
        "{}/results/solved/openings/proofs/0460b7c9b1cb-d2-e2-attackers.proof",
        env!("CARGO_MANIFEST_DIR")
    );
    let mut child = started(at, &["shorten-proof", &long, "--out", "short.proof"]);
    // It watches for interrupts once the long one is read and checked.
    let process = child.id();
    wait_until(&mut child, || catches_interrupts(process));
    signal(&child, "INT");
    let said = ended(child);
    assert_eq!(said.status, Some(1), "{}", said.err);
    let kept = "short.proof has what was found by then";
    assert!(said.err.contains(kept), "{}", said.err);
    succeed(at, &["verify-proof", "short.proof"]);
}
