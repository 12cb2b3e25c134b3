//! `brandub judge`: what agents gave up, by tables and by short proofs; and
//! agents that ask tables, in every command that plays them.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

use serde_json::Value;

use super::brandub::{Said, brandub, command, fail, files, succeed};

type Row = BTreeMap<String, String>;

/// Three attackers against the king and a defender: all of it is in small
/// tables.
const FEW: &str = "layout = '/7/1t5/7/3K3/3T1t1/7/4t2/'";

fn experiment(at: &Path, name: &str, rules: &str, agents: &str) {
    let text = format!(
        "name = '{name}'\nseed = 5\ngames = 30\nply_limit = 60\n[rules]\n{rules}\n\
         [opening]\nrandom_plies = 3\n[[match]]\nagents = [{agents}]\n"
    );
    fs::write(at.join(format!("{name}.toml")), text).unwrap();
}

fn few(more: &str) -> String {
    format!("presets = [{{ {FEW} }}{more}]")
}

fn build(at: &Path, rules: &str) {
    let words = ["tables", "build", "--rules", rules, "--attackers", "3"];
    succeed(at, &words);
}

/// Runs the program with the folder of tables named by the environment.
fn knowing(at: &Path, tables: &str, arguments: &[&str]) -> Said {
    let mut command = command(at, arguments);
    command
        .env("BRANDUB_TABLES", tables)
        .output()
        .unwrap()
        .into()
}

fn rows(csv: &str) -> Vec<Row> {
    let mut reader = csv::Reader::from_reader(csv.as_bytes());
    reader.deserialize().map(Result::unwrap).collect()
}

fn number(row: &Row, column: &str) -> u64 {
    row[column].parse().unwrap()
}

#[test]
fn moves_that_gave_up_a_win_are_those_of_which_the_tables_say_so() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, "disputed");
    experiment(
        at,
        "few",
        &few(""),
        "'random', 'greedy', 'alphabeta:depth=3'",
    );
    succeed(at, &["run", "few.toml", "--out", "few", "-q"]);
    let before = files(at);
    let judge = ["judge", "few", "--tables", "tables", "--sample", "30"];
    let csv = succeed(at, &[&judge[..], &["--csv"]].concat()).out;
    let rows = rows(&csv);
    // Three agents, as attackers, defenders and both, by tables and search.
    assert_eq!(rows.len(), 3 * 3 * 2);
    let thrown = |row: &Row| number(row, "thrown_to_draw") + number(row, "thrown_to_loss");
    let find = |agent: &str| {
        let mut rows = rows.iter();
        let is =
            |row: &&Row| row["agent"] == agent && row["side"] == "both" && row["proof"] == "tables";
        rows.find(is).unwrap()
    };
    let [random, deep] = ["random", "alphabeta:depth=3"].map(find);
    let rate = |row: &Row| thrown(row) as f64 / number(row, "wins") as f64;
    assert!(
        number(random, "wins") > 50 && rate(random) > 2.0 * rate(deep),
        "{csv}"
    );
    for row in &rows {
        assert!(thrown(row) + number(row, "missed") <= number(row, "wins"));
        if number(row, "wins") > 0 {
            let share = |end: &str| row[&format!("thrown_{end}")].parse::<f64>().unwrap();
            assert!((share("rate") - rate(row)).abs() < 1e-6);
            assert!(share("low") <= share("rate") && share("rate") <= share("high"));
        }
        // Everything is in the tables.
        assert!(
            row["proof"] == "tables" || number(row, "wins") == 0,
            "{row:?}"
        );
    }

    let json = succeed(at, &[&judge[..], &["--json"]].concat()).out;
    let json: Value = serde_json::from_str(&json).unwrap();
    assert_eq!(
        (&json["games"], &json["tables"]),
        (&90.into(), &true.into())
    );
    let blunders = json["blunders"].as_array().unwrap();
    let mut asked = 0;
    for blunder in blunders.iter().step_by(blunders.len() / 12) {
        let text = |key: &str| blunder[key].as_str().unwrap();
        let probe = [
            "tables",
            "probe",
            "--rules",
            "disputed",
            "--json",
            "--side",
            text("side"),
        ];
        let probe = [&probe[..], &["--position", text("position")]].concat();
        let known: Value = serde_json::from_str(&succeed(at, &probe).out).unwrap();
        assert_eq!(blunder["before"]["value"], known["value"]);
        assert_eq!(blunder["before"]["plies"], known["plies"]);
        let moves = known["moves"].as_array().unwrap();
        let played = moves
            .iter()
            .find(|ply| ply["move"] == blunder["move"])
            .unwrap();
        match text("fate") {
            "thrown-to-loss" => assert_eq!(played["value"], "loss", "{blunder}"),
            "thrown-to-draw" => assert_ne!(played["value"], "loss", "{blunder}"),
            fate => assert_eq!(fate, "missed"),
        }
        // The move is that of the game.
        let game = blunder["game"].to_string();
        let replay = [
            "replay",
            "few",
            "--cell",
            text("cell"),
            "--game",
            &game,
            "--json",
        ];
        let game: Value = serde_json::from_str(&succeed(at, &replay).out).unwrap();
        let plies = blunder["plies"].as_u64().unwrap() as usize;
        assert_eq!(game["moves"][plies], blunder["move"]);
        asked += 1;
    }
    assert!(asked >= 12);

    // The same on any number of threads, and nothing is written.
    let one = succeed(at, &[&judge[..], &["--csv", "--threads", "1"]].concat()).out;
    assert_eq!(one, csv);
    assert!(files(at) == before);
    let table = succeed(at, &judge).out;
    for part in ["random", "tables", "thrown", "90 games played again"] {
        assert!(table.contains(part), "no `{part}` in {table}");
    }
}

#[test]
fn without_tables_short_wins_are_looked_for() {
    let published = Path::new(env!("CARGO_MANIFEST_DIR")).join("results/published/default");
    let published = published.display().to_string();
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let words = [
        "judge", &published, "--sample", "1", "--plies", "3", "--csv",
    ];
    let rows = rows(&succeed(at, &words).out);
    // One agent under each of 16 rulesets and all.
    assert_eq!(rows.len(), 17 * 3 * 2);
    let all: Vec<&Row> = rows.iter().filter(|row| row["label"] == "all").collect();
    let found = |side: &str| {
        let is = |row: &&&Row| row["side"] == side && row["proof"] == "search";
        *all.iter().find(is).unwrap()
    };
    let wins = |side: &str| number(found(side), "wins");
    assert!(wins("both") >= 14, "nearly every game is won in the end");
    assert_eq!(wins("both"), wins("attackers") + wins("defenders"));
    // A search of thousands of positions sees what three plies show.
    assert_eq!(number(found("both"), "missed"), 0);
    assert_eq!(found("both")["draws"], "");
    for row in rows.iter().filter(|row| row["proof"] == "tables") {
        assert_eq!(number(row, "wins"), 0);
    }
    let own = rows
        .iter()
        .filter(|row| row["label"] != "all" && row["side"] == "both");
    let sum: u64 = own.map(|row| number(row, "wins")).sum();
    assert_eq!(sum, wins("both"));
}

#[test]
fn what_cannot_be_judged_is_refused() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, "disputed");
    experiment(at, "few", &few(", 'wtf'"), "'random'");
    succeed(at, &["run", "few.toml", "--out", "few", "-q"]);
    fail(at, &["judge", "none"], 2, &["none", "is no result folder"]);
    fail(
        at,
        &["judge", "few", "--tables", "tables"],
        2,
        &["tables holds no tables of wtf", "it holds those of"],
    );
    fail(
        at,
        &["judge", "few", "--tables", "away"],
        2,
        &["away holds no tables of", "there is no such folder"],
    );
    for plies in ["2", "11", "-1", "some"] {
        let option = format!("--plies={plies}");
        fail(
            at,
            &["judge", "few", &option],
            2,
            &["an odd number up to 9"],
        );
    }
    fail(
        at,
        &["judge", "few", "--plies", "0"],
        2,
        &["nothing can be proved"],
    );
    fail(at, &["judge", "few", "--sample", "0"], 2, &["--sample"]);
    let manifest = fs::read(at.join("few/manifest.json")).unwrap();
    let all = files(&at.join("few"));
    let chunk = all.keys().find(|name| name.starts_with("games/")).unwrap();
    fs::remove_file(at.join("few").join(chunk)).unwrap();
    fail(
        at,
        &["judge", "few"],
        1,
        &[chunk, "is listed in the manifest, but is not there"],
    );
    fs::create_dir(at.join("bare")).unwrap();
    fs::write(at.join("bare/manifest.json"), manifest).unwrap();
    fail(at, &["judge", "bare"], 2, &["bare: no game is kept there"]);
}

#[test]
fn an_agent_that_asks_tables_plays_the_same_wherever_they_are() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, "disputed");
    let agent = |tables: &str| {
        let knowing = |budget: &str| format!("'alphabeta:{budget},tables={tables}'");
        let budgets = ["depth=2", "nodes=1", "nodes=40"].map(knowing).join(", ");
        format!("{budgets}, 'alphabeta:depth=2'")
    };
    experiment(at, "named", &few(""), &agent("tables"));
    let run = ["run", "named.toml", "--out", "one", "-q", "--threads", "1"];
    succeed(at, &run);
    let manifest = fs::read_to_string(at.join("one/manifest.json")).unwrap();
    assert!(
        manifest.contains("alphabeta:depth=2,tables=d1a3"),
        "{manifest}"
    );
    let options = ["--out", "weights.toml", "--threads", "1"];
    succeed(at, &[&["tune", "named.toml"], &options[..]].concat());
    fs::rename(at.join("tables"), at.join("elsewhere")).unwrap();
    experiment(at, "named", &few(""), &agent("d1a3"));
    let said = knowing(
        at,
        "elsewhere",
        &["run", "named.toml", "--out", "two", "-q"],
    );
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert!(files(&at.join("one")) == files(&at.join("two")));

    // Its games are played again only with them.
    let missing = [
        "tables=d1a3",
        "BRANDUB_TABLES",
        "--defenders 1 --attackers 3",
    ];
    fs::create_dir(at.join("tables")).unwrap();
    fail(at, &["verify", "one"], 2, &missing);
    fail(at, &["judge", "one"], 2, &missing);
    succeed(at, &["verify", "one", "--sample", "0"]);
    let study = "nodes = 50\nmemory = '1MiB'\n[games]\nresults = 'one'\neach = 2\n\
                 from_ply = 4\nbefore_end = 1\nseed = 1\n";
    fs::write(at.join("study.toml"), study).unwrap();
    let study = ["solve", "--study", "study.toml", "--out", "asked"];
    fail(at, &study, 2, &missing);
    for words in [&["verify", "one"][..], &["judge", "one"], &study] {
        let said = knowing(at, "elsewhere", words);
        assert_eq!(said.status, Some(0), "{}", said.err);
    }
    let said = brandub(at, &["report", "one", "--out", "r", "--threads", "1"]);
    assert_eq!(said.status, Some(0), "{}", said.err);
    assert!(
        said.err.contains("note: named: no game is measured"),
        "{}",
        said.err
    );
    // What it knows it plays out: no win is given up.
    let words = ["judge", "one", "--tables", "elsewhere", "--csv"];
    let judged = rows(&succeed(at, &words).out);
    let thrown = |agent: &str| {
        let is =
            |row: &&Row| row["agent"] == agent && row["side"] == "both" && row["proof"] == "tables";
        let row = judged.iter().find(is).unwrap();
        assert!(number(row, "wins") > 20, "{row:?}");
        number(row, "thrown_to_draw") + number(row, "thrown_to_loss") + number(row, "draws_lost")
    };
    for budget in ["depth=2", "nodes=1", "nodes=40"] {
        assert_eq!(thrown(&format!("alphabeta:{budget},tables=d1a3")), 0);
    }
}

#[test]
fn tables_that_are_missing_short_or_damaged_are_named_before_a_game_is_played() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, "disputed");
    let run = |rules: &str, tables: &str, parts: &[&str]| {
        let agents = format!("'alphabeta:depth=1,tables={tables}'");
        experiment(at, "x", rules, &agents);
        fail(at, &["run", "x.toml", "--out", "x", "-q"], 2, parts);
        assert!(!at.join("x").exists());
    };
    run(
        &few(", 'wtf'"),
        "tables",
        &[
            "tables=tables`: tables holds no tables of wtf",
            "brandub tables build --rules 'wtf'",
        ],
    );
    run(
        &few(", 'wtf'"),
        "d1a3",
        &[
            "tables=d1a3`: tables holds no tables of wtf",
            "--rules 'wtf' --defenders 1 --attackers 3 --out tables",
        ],
    );
    run(&few(""), "d1a4", &["has no layer d0a4", "all up to d1a4"]);
    run(
        &few(""),
        "nowhere",
        &["nowhere holds no tables of", "there is no such folder"],
    );
    succeed(
        at,
        &["tables", "build", "--rules", "wtf", "--attackers", "2"],
    );
    run(
        &few(", 'wtf'"),
        "tables",
        &["up to d1a3", "up to d1a2 of wtf", "tables=d1a3"],
    );
    let tables = files(&at.join("tables"));
    let name = tables
        .keys()
        .find(|name| name.ends_with("d1a3.table"))
        .unwrap();
    let path = at.join("tables").join(name);
    let whole = fs::read(&path).unwrap();
    let mut bytes = whole.clone();
    *bytes.last_mut().unwrap() ^= 1;
    fs::write(&path, bytes).unwrap();
    run(&few(""), "tables", &["d1a3.table", "altered"]);
    fs::remove_file(path.with_file_name("d0a2.table")).unwrap();
    run(&few(""), "tables", &["layers up to d1a3 without d0a2"]);
    fs::write(&path, whole).unwrap();
    run(&few(""), "d1a3", &["has no layer d0a2"]);
}

#[test]
fn play_and_engine_ask_tables_too() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    build(at, "disputed");
    let rules = format!("{{ {FEW} }}");
    let layout = FEW.split('\'').nth(1).unwrap();
    let probe = [
        "tables",
        "probe",
        "--json",
        "--side",
        "attackers",
        "--position",
        layout,
    ];
    let known: Value = serde_json::from_str(&succeed(at, &probe).out).unwrap();
    let plies = known["plies"].as_u64().unwrap();
    assert!(plies >= 4);
    // One ply of search and the tables: to the end without a detour.
    let agent = "alphabeta:depth=1,tables=tables";
    for seed in ["1", "2"] {
        let words = [
            "play",
            "--rules",
            &rules,
            "--attackers",
            agent,
            "--defenders",
            agent,
        ];
        let said = succeed(at, &[&words[..], &["--seed", seed]].concat());
        let end = format!("after {plies} plies");
        assert!(said.out.trim_end().ends_with(&end), "{}", said.out);
    }
    let engine = ["engine", "alphabeta:depth=1,tables=d1a3", "--rules", &rules];
    let mut child = command(at, &engine)
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    let commands = "name\nrules \"wtf\"\ngenmove attackers\nrules \"disputed\"\nquit\n";
    std::io::Write::write_all(&mut child.stdin.take().unwrap(), commands.as_bytes()).unwrap();
    let said = Said::from(child.wait_with_output().unwrap());
    let answers: Vec<&str> = said.out.split("\n\n").collect();
    assert_eq!(answers[0], "= brandub alphabeta:depth=1,tables=d1a3");
    assert!(
        answers[1].starts_with("? ") && answers[1].contains("BRANDUB_TABLES"),
        "{answers:?}"
    );
    // The rules are as they were.
    let best: Vec<&str> = known["moves"]
        .as_array()
        .unwrap()
        .iter()
        .filter(|ply| ply["plies"] == known["plies"])
        .map(|ply| ply["move"].as_str().unwrap())
        .collect();
    assert!(
        best.contains(&answers[2].trim_start_matches("= ")),
        "{answers:?} {best:?}"
    );
    assert_eq!(answers[3..5], ["=", "="]);
}
