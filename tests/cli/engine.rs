//! External engines: two real processes, one of them good or bad.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::thread;
use std::time::{Duration, Instant};

use ::brandub::game::{Game, Move, MoveList, Rules, preset};
use serde_json::Value;

use super::brandub::{Said, brandub, fail, files, succeed, told};

const BRANDUB: &str = env!("CARGO_BIN_EXE_brandub");

/// An external engine that may take long, on a machine that has much else to do.
fn patient(command: &str) -> String {
    format!("external:seconds=600,{command}")
}

/// An engine of ours as an external one.
fn ours(agent: &str) -> String {
    patient(&format!("'{BRANDUB}' engine {agent}"))
}

/// The engine that misbehaves, which cargo builds beside the tests.
fn misbehaving() -> PathBuf {
    let test = std::env::current_exe().unwrap();
    let profile = test.parent().and_then(Path::parent).unwrap();
    let name = format!("misbehaving-engine{}", std::env::consts::EXE_SUFFIX);
    let path = profile.join("examples").join(name);
    assert!(
        path.is_file(),
        "{} is not there; `cargo test` builds it, or `cargo build --example misbehaving-engine`",
        path.display()
    );
    path
}

/// Writes an experiment of one match.
fn experiment(at: &Path, games: u32, attackers: &str, defenders: &str) {
    let text = format!(
        "name = 'engines'\nseed = 5\ngames = {games}\nply_limit = 60\n[rules]\nbase = 'wtf'\n\
         [opening]\nrandom_plies = 3\n[[match]]\nattackers = {attackers:?}\ndefenders = {defenders:?}\n"
    );
    fs::write(at.join("engines.toml"), text).unwrap();
}

fn run(at: &Path, out: &str, threads: &str) -> Said {
    let arguments = [
        "run",
        "engines.toml",
        "--out",
        out,
        "--threads",
        threads,
        "-q",
    ];
    succeed(at, &arguments)
}

/// The rows of all games: column to value.
fn rows(at: &Path, out: &str) -> Vec<BTreeMap<String, String>> {
    let mut rows = Vec::new();
    for bytes in files(&at.join(out).join("games")).into_values() {
        let mut reader = csv::Reader::from_reader(&bytes[..]);
        rows.extend(reader.deserialize().map(Result::unwrap));
    }
    rows
}

fn column(rows: &[BTreeMap<String, String>], name: &str) -> Vec<String> {
    rows.iter().map(|row| row[name].clone()).collect()
}

#[test]
fn an_engine_of_ours_plays_whole_games_and_the_same_ones_again() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    experiment(at, 12, &ours("alphabeta:nodes=200"), "alphabeta:nodes=200");
    let said = run(at, "first", "2");
    assert!(!said.err.contains("warning"), "{}", said.err);
    run(at, "second", "1");
    assert!(files(&at.join("first")) == files(&at.join("second")));
    let played = rows(at, "first");
    assert_eq!(played.len(), 12);
    let lengths = column(&played, "plies");
    assert!(
        lengths.iter().any(|plies| *plies != lengths[0]),
        "{lengths:?}"
    );
    for row in &played {
        assert!(!row["reason"].starts_with("forfeit"), "{row:?}");
        assert!(row["plies"].parse::<u32>().unwrap() > 3, "{row:?}");
    }

    // What cannot be known to play again is not said to have been verified.
    let verified = succeed(at, &["verify", "first", "--sample", "5", "--json"]);
    let verified: Value = serde_json::from_str(&verified.out).unwrap();
    assert_eq!(verified["replayed"], 0);
    assert_eq!(verified["external"], 12);
    let said = succeed(at, &["verify", "first"]);
    assert!(
        said.out
            .contains("0 played again, 12 not to be played again (against external engines)"),
        "{}",
        said.out
    );
    // This engine does play again what it played, and its moves are legal.
    for game in ["0", "7"] {
        let cell = &played[0]["cell"];
        let said = succeed(
            at,
            &["replay", "first", "--cell", cell, "--game", game, "--json"],
        );
        fs::write(at.join("game.jsonl"), &said.out).unwrap();
        succeed(at, &["check", "game.jsonl"]);
    }
}

/// Its process works for the games, too.
#[cfg(unix)]
#[test]
fn a_plan_counts_what_an_engine_works() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let agent = "alphabeta:nodes=50000";
    experiment(at, 4, &ours(agent), "random");
    let path = at.join("engines.toml");
    let both = format!(
        "{}\n[[match]]\nattackers = '{agent}'\ndefenders = 'random'\n",
        fs::read_to_string(&path).unwrap()
    );
    fs::write(path, both).unwrap();
    let said = succeed(at, &["plan", "engines.toml", "--seconds", "3600", "--json"]);
    let plan: Value = serde_json::from_str(&said.out).unwrap();
    let cost = |place: usize| plan["matches"][place]["seconds_a_game"].as_f64().unwrap();
    // Games differ, but not by so much; without its process it is a hundredth.
    assert!(cost(0) > cost(1) / 10.0, "{plan}");
}

#[test]
fn an_engine_that_plays_other_moves_is_not_said_to_replay() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    // It takes another number of nodes from a file each time.
    let script =
        format!("n=$(cat n); echo ${{n}}000 > n; exec '{BRANDUB}' engine alphabeta:nodes=$n");
    fs::write(at.join("n"), "1").unwrap();
    fs::write(at.join("engine.sh"), script).unwrap();
    experiment(at, 1, &patient("sh engine.sh"), "greedy");
    run(at, "r", "1");
    let cell = rows(at, "r")[0]["cell"].clone();
    fail(
        at,
        &["replay", "r", "--cell", &cell, "--game", "0"],
        1,
        &[
            "not the game on record",
            "an external engine need not play the same moves again",
            "the attackers' command, which is in r/manifest.json: external:seconds=600,sh engine.sh\n",
        ],
    );
}

/// What a manner of misbehaving is recorded as.
const MANNERS: [(&str, &str, &str); 18] = [
    (
        "illegal",
        "forfeit-illegal",
        "d4-a1: no piece of the attackers stands on d4",
    ),
    (
        "no-move",
        "forfeit-malformed",
        "answered `genmove attackers` with `resign`",
    ),
    ("no-answer", "forfeit-malformed", "expected `= …` or `? …`"),
    ("empty", "forfeit-malformed", "such as d2-e2"),
    (
        "refuse",
        "forfeit-malformed",
        "refused `genmove attackers`: I resign",
    ),
    (
        "refuse-rules",
        "forfeit-malformed",
        "I only know other rules",
    ),
    (
        "crash-at-start",
        "forfeit-crash",
        // A long command is shortened.
        "exit status: 3) before it answered `rules {\"layout\":\"cross\",\"king_armed\":true,\
         \"throne_hostile\":\"soldiers\",\"king_capt…`: no such book",
    ),
    (
        "crash",
        "forfeit-crash",
        "exit status: 3) before it answered `genmove attackers`: out of ideas",
    ),
    (
        "silence",
        "forfeit-silence",
        "no answer to `genmove attackers` in 20 s",
    ),
    (
        "unfinished",
        "forfeit-silence",
        "`, but in 20 s not with the empty line that ends an answer",
    ),
    ("late", "forfeit-silence", "in 20 s"),
    ("twice", "forfeit-malformed", "expected `=` alone"),
    ("flood", "forfeit-malformed", "xxx"),
    ("flood-of-lines", "forfeit-malformed", "65536 bytes"),
    ("flood-of-empty-lines", "forfeit-silence", "in 5 s"),
    ("not-text", "forfeit-malformed", "expected `= …`"),
    ("greeting", "forfeit-malformed", "Welcome to the engine!"),
    ("stays", "", ""),
];

/// The clock decides only where nothing is said. Those engines wait at the same time.
#[test]
fn every_way_to_misbehave_is_recorded_as_what_it_is() {
    let slow = ["silence", "unfinished", "late", "flood-of-empty-lines"];
    let (slow, quick): (Vec<_>, Vec<_>) = MANNERS
        .into_iter()
        .partition(|(manner, ..)| slow.contains(manner));
    assert_eq!(slow.len(), 4);
    thread::scope(|scope| {
        for manner in slow {
            // A flood takes all that a processor has.
            let is_flood = manner.0.starts_with("flood");
            let seconds = if is_flood { "5" } else { "20" };
            scope.spawn(move || assert_recorded(manner, seconds));
        }
    });
    for manner in quick {
        assert_recorded(manner, "600");
    }
}

/// An engine of this manner, with so many seconds for an answer, loses as it should.
fn assert_recorded((manner, reason, message): (&str, &str, &str), seconds: &str) {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let good = if manner == "stays" { 1000 } else { 1 };
    let log = at.join("log");
    let spec = format!(
        "external:seconds={seconds},'{}' '{}' {manner} {good}",
        misbehaving().display(),
        log.display()
    );
    experiment(at, 2, &spec, "random");
    let said = run(at, "r", "2");
    let played = rows(at, "r");
    assert_eq!(played.len(), 2, "{manner}");
    if !reason.is_empty() {
        for row in &played {
            assert_eq!(row["winner"], "defenders", "{manner}: {row:?}");
            assert!(row["reason"].starts_with(reason), "{manner}: {row:?}");
        }
        assert!(said.err.contains(message), "{manner}: {}", said.err);
        assert!(
            said.err.contains("lost 2 games by forfeit-"),
            "{manner}: {}",
            said.err
        );
        let table = fs::read_to_string(at.join("r/winrates.csv")).unwrap();
        assert!(table.lines().next().unwrap().ends_with(",ended_forfeit"));
        assert!(table.lines().nth(1).unwrap().ends_with(",2"), "{table}");
        // The verifier believes in nothing it cannot check, and finds no
        // fault with the rest.
        succeed(at, &["verify", "r"]);
    }
    // A process for each game, and none is left.
    let started = fs::read_to_string(&log).unwrap();
    assert_eq!(started.lines().count(), 2, "{manner}");
    assert_gone(manner, &started);
}

/// No process of these ids is there, not even a dead one nobody waited for.
fn assert_gone(what: &str, ids: &str) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for id in ids.lines() {
        let path = PathBuf::from(format!("/proc/{id}"));
        let deadline = Instant::now() + Duration::from_mins(1);
        while path.exists() && Instant::now() < deadline {
            thread::sleep(Duration::from_millis(10));
        }
        assert!(!path.exists(), "{what}: process {id} is still there");
    }
}

#[cfg(unix)]
#[test]
fn a_closed_output_is_a_crash_and_what_the_engine_started_ends_with_it() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let script = "sleep 1000 >&- & echo $! >> sleepers; exec >&-; sleep 1000";
    fs::write(at.join("mute.sh"), script).unwrap();
    experiment(at, 2, "random", &patient("sh mute.sh"));
    let said = run(at, "mute", "1");
    let played = rows(at, "mute");
    assert_eq!(column(&played, "reason"), ["forfeit-crash"; 2]);
    assert_eq!(column(&played, "winner"), ["attackers"; 2]);
    assert!(
        said.err.contains("closed its output, or was killed,"),
        "{}",
        said.err
    );
    assert_gone("mute", &fs::read_to_string(at.join("sleepers")).unwrap());
}

#[test]
fn a_missing_program_and_a_wrong_spec_are_named_before_any_game() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("plain.txt"), "no program").unwrap();
    for (spec, parts) in [
        (
            "external:no-such-engine --fast",
            ["no program `no-such-engine`", "PATH ("],
        ),
        (
            "external:./missing",
            ["agent `external:./missing`", "no program `./missing`"],
        ),
        (
            "external:./plain.txt",
            ["`./plain.txt` is no program", "external"],
        ),
        (
            "external:secs=3,sh",
            ["unknown option `secs`", "0.001…3600"],
        ),
        ("external:", ["needs a command", "external"]),
    ] {
        #[cfg(not(unix))]
        if spec.contains("plain") {
            continue;
        }
        experiment(at, 2, spec, "random");
        fail(at, &["run", "engines.toml", "--out", "r"], 2, &parts);
        assert!(!at.join("r").exists(), "{spec}: nothing is begun");
        fail(at, &["play", "--attackers", spec], 2, &parts[..1]);
        fail(at, &["engine", spec], 2, &parts[..1]);
    }
}

/// Runs an engine of ours on this input.
fn dialogue(arguments: &[&str], input: &[u8]) -> Said {
    told(Path::new("."), &[&["engine"], arguments].concat(), input)
}

#[test]
fn the_dialogue_of_the_documentation_is_what_is_said() {
    let text = include_str!("../../docs/protocol.md");
    let block = text.split("```text\n").nth(1).unwrap();
    let block = block.split("```").next().unwrap();
    let (mut commands, mut answers) = (String::new(), String::new());
    for line in block.lines() {
        match line.strip_prefix("> ") {
            Some(command) => commands.extend([command, "\n"]),
            None => answers.extend([line, "\n"]),
        }
    }
    assert!(commands.lines().count() > 10, "{commands}");
    let said = dialogue(&["greedy", "--seed", "1"], commands.as_bytes());
    assert_eq!(said.out, answers);
    assert_eq!((said.status, said.err.as_str()), (Some(0), ""));
    // Line breaks of another system make no difference.
    let commands = commands.replace('\n', "\r\n");
    let said = dialogue(&["greedy", "--seed", "1"], commands.as_bytes());
    assert_eq!(said.out, answers);
}

#[cfg(unix)]
#[test]
fn the_rules_of_the_documentation_are_what_the_runner_sends() {
    let folder = tempfile::tempdir().unwrap();
    let script = "read -r line; echo \"$line\" > line; printf '? no\\n\\n'";
    fs::write(folder.path().join("engine.sh"), script).unwrap();
    let spec = patient("sh engine.sh");
    let engine = ["--attackers", &spec, "--rules", "wtf"];
    let play = [&["play", "--defenders", "random"], &engine[..]].concat();
    fail(folder.path(), &play, 1, &["refused `rules {", "…`: no"]);
    let sent = fs::read_to_string(folder.path().join("line")).unwrap();
    assert!(sent.starts_with("rules {\"layout\":"), "{sent}");
    let page = include_str!("../../docs/protocol.md");
    assert!(page.contains(&format!("\n{sent}")), "{sent}");
}

#[test]
fn bad_input_is_refused_in_words_and_the_engine_goes_on() {
    let long = format!("play {}", "d".repeat(200_000));
    let deep = format!("rules {}", "[".repeat(60_000));
    for (line, part) in [
        ("hello", "no command `hello`"),
        ("rules", "rules: expected a JSON table"),
        ("rules {\"king_armed\": 3}", "expected a boolean"),
        ("rules {\"base\": \"chess\"}", "chess"),
        ("rules {\"thron\": 1}", "thron"),
        ("rules 7", "a preset's name, a table"),
        (
            "rules {\"king_armed\": true, \"king_armed\": false}",
            "rules: duplicate field `king_armed`",
        ),
        (deep.as_str(), "rules"),
        ("position", "ranks instead of 7"),
        ("position /7/7/7/7/7/7/7/", "0 kings"),
        (
            "position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ white",
            "`white` is no side",
        ),
        (
            "position /3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/ attackers 1",
            "found `1`",
        ),
        ("position /t5t/7/7/3K3/7/7/7/", ""),
        ("play", "is not a move"),
        ("play d4-d5", "no piece of the attackers"),
        ("play d2-d3", "cannot go to d3"),
        ("genmove", "is no side"),
        ("genmove defenders", "it is the turn of the attackers"),
        ("seed -1", "is no seed from 0 to"),
        ("name me", "given alone"),
        ("legal_moves d2", "given alone"),
        ("undo", "no move has been played"),
        (long.as_str(), "longer than 65536 bytes"),
    ] {
        let input = format!("{line}\nplay d2-e2\nquit\nplay d6-e6\n");
        let said = dialogue(&["random", "--rules", "wtf"], input.as_bytes());
        let answers: Vec<&str> = said.out.split("\n\n").collect();
        let shown = answers[0].chars().take(300).collect::<String>();
        assert!(answers[0].starts_with("? "), "{line:.40}: {shown}");
        assert!(!answers[0].contains('\n'), "{line:.40}: {shown}");
        assert!(answers[0].contains(part), "{line:.40}: {shown}");
        assert_eq!(answers[1..], ["=", "=", ""], "{line:.40}");
        assert_eq!(said.status, Some(0));
    }
    // Not UTF-8; no line break at the end; nothing at all.
    let said = dialogue(
        &["random"],
        b"play \xff\xfe\n\n# a remark\n6 # another\n7 name",
    );
    assert_eq!(said.out, "? a line is not UTF-8\n\n=7 brandub random\n\n");
    assert_eq!(dialogue(&["random"], b"").out, "");
}

/// What it says of a game is what the rules say, after each of its plies and back.
#[test]
fn programs_can_leave_the_rules_to_it() {
    let rules = Rules::new(preset::find("wtf").unwrap().ruleset());
    let mut game = Game::new(&rules);
    let (mut input, mut answers) = (String::new(), Vec::new());
    let mut boards = Vec::new();
    for ply in ["d2-e2", "c4-c1", "a4-a3", "e4-e3", "e2-f2", "c1-b1"] {
        let mut list = MoveList::new();
        game.moves(&mut list);
        let mut moves: Vec<String> = list.iter().map(Move::to_string).collect();
        moves.sort();
        let board = format!("{} {}", game.position().to_otn(), game.position().side);
        boards.push(board.clone());
        input.extend(["board\nlegal_moves\noutcome\nplay ", ply, "\n"]);
        answers.push((board, moves));
        game.play(ply.parse().unwrap()).unwrap();
    }
    input += &"undo\nboard\n".repeat(boards.len());
    let said = dialogue(&["random", "--rules", "wtf"], input.as_bytes()).out;
    let mut said = said
        .split("\n\n")
        .map(|answer| answer.strip_prefix("= ").unwrap_or(answer));
    for (board, moves) in answers {
        assert_eq!(said.next(), Some(board.as_str()));
        let mut told: Vec<&str> = said.next().unwrap().split(' ').collect();
        told.sort_unstable();
        assert_eq!(told, moves);
        assert_eq!(said.next(), Some("ongoing"));
        assert_eq!(said.next(), Some("="));
    }
    for board in boards.iter().rev() {
        assert_eq!(said.next(), Some("="));
        assert_eq!(said.next(), Some(board.as_str()));
    }
}

#[test]
fn a_seed_decides_the_moves_and_an_engine_can_be_played_on_the_terminal() {
    let input = |seed: u64| {
        format!("seed {seed}\ngenmove attackers\ngenmove defenders\ngenmove attackers\n")
    };
    let moves = |seed| dialogue(&["random"], input(seed).as_bytes()).out;
    assert_eq!(moves(1), moves(1));
    assert_ne!(moves(1), moves(2));

    let spec = ours("greedy");
    let play = [
        "play",
        "--attackers",
        &spec,
        "--defenders",
        "random",
        "--seed",
        "4",
    ];
    let first = succeed(Path::new("."), &play).out;
    assert_eq!(first, succeed(Path::new("."), &play).out);
    let folder = tempfile::tempdir().unwrap();
    let log = folder.path().join("log");
    let spec = format!("'{}' '{}' refuse 1", misbehaving().display(), log.display());
    let spec = patient(&spec);
    let said = brandub(
        Path::new("."),
        &["play", "--attackers", &spec, "--defenders", "random"],
    );
    assert_eq!(said.status, Some(1));
    assert!(
        said.err
            .contains("the attackers forfeit the game, the defenders win: "),
        "{}",
        said.err
    );
    let last = said.out.lines().last().unwrap();
    assert_eq!(last, "defenders (forfeit-malformed) after 2 plies");
}
