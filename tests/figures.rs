//! The pages' tables against the committed files that they tell of: every number is worked
//! out here anew.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// A row of a CSV file, by column.
type Row = BTreeMap<String, String>;

fn text(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join(file);
    fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

fn rows(file: &str) -> Vec<Row> {
    let text = text(file);
    let mut reader = csv::Reader::from_reader(text.as_bytes());
    let rows: Result<Vec<Row>, csv::Error> = reader.deserialize().collect();
    rows.unwrap_or_else(|error| panic!("{file}: {error}"))
}

/// The rows of a page's table that has this heading, cell by cell.
fn table(page: &str, heading: &str) -> Vec<Vec<String>> {
    let text = text(page);
    let heading = format!("\n{heading}\n");
    let mut parts = text.split(&heading);
    let body = parts
        .nth(1)
        .unwrap_or_else(|| panic!("{page}: no table {heading}"));
    assert!(parts.next().is_none(), "{page}: two tables {heading}");
    let lines = body
        .lines()
        .skip(1)
        .map_while(|line| line.strip_prefix("| "));
    let cells = |line: &str| {
        let line = line.strip_suffix(" |").expect("a row ends");
        line.split(" | ").map(str::to_owned).collect()
    };
    lines.map(cells).collect()
}

fn number(row: &Row, column: &str) -> f64 {
    let cell = &row[column];
    cell.parse().unwrap_or_else(|_| panic!("{column}: {cell}"))
}

/// To so many decimals, halves away from zero; counts of games make exact halves.
fn rounded(value: f64, decimals: i32) -> String {
    let unit = 10_f64.powi(decimals);
    let value = (value * unit + 1e-7 * value.signum()).round() / unit;
    // No minus before a zero.
    format!("{:.*}", usize::try_from(decimals).unwrap(), value + 0.0)
}

fn signed(value: f64, decimals: i32) -> String {
    let rounded = rounded(value.abs(), decimals);
    format!("{}{rounded}", if value < 0.0 { '−' } else { '+' })
}

/// The attackers' score in per cent of the games that ended, and the draws'.
fn score(row: &Row) -> (f64, f64) {
    let [won, lost, drawn] = ["attackers_wins", "defenders_wins", "draws"].map(|n| number(row, n));
    let games = won + lost + drawn;
    (100.0 * (won + drawn / 2.0) / games, 100.0 * drawn / games)
}

/// What files call the rules with these disputed axes.
fn label(armed: bool, hostile: &str, captured_by: &str, may_return: bool) -> String {
    let parts = [
        (!armed).then_some("king_armed=false".to_owned()),
        (hostile != "everyone").then(|| format!("throne_hostile={hostile}")),
        (captured_by != "two").then(|| format!("king_capture={captured_by}")),
        (!may_return).then_some("king_return=false".to_owned()),
    ];
    let parts: Vec<String> = parts.into_iter().flatten().collect();
    match parts.join(" ").as_str() {
        "" => "disputed".to_owned(),
        "throne_hostile=none" => "walker-2011".to_owned(),
        label => label.to_owned(),
    }
}

/// The rules of a table's first four cells: armed, throne hostile to, captured by, may return.
fn disputed(cells: &[String]) -> String {
    let yes = |cell: &str| match cell {
        "yes" => true,
        "no" => false,
        cell => panic!("{cell}"),
    };
    label(yes(&cells[0]), &cells[1], &cells[2], yes(&cells[3]))
}

/// The rules that words tell, as far as they tell them; the rest are those of the row before.
struct Told {
    armed: bool,
    hostile: &'static str,
    captured_by: &'static str,
    may_return: bool,
}

impl Told {
    const NOTHING: Told = Told {
        armed: true,
        hostile: "everyone",
        captured_by: "two",
        may_return: true,
    };

    fn read(&mut self, words: &str) -> String {
        if words.contains("armed") {
            self.armed = !words.contains("unarmed");
        }
        for (part, hostile) in [("to everyone", "everyone"), ("to nobody", "none")] {
            if words.contains(part) {
                self.hostile = hostile;
            }
        }
        for (part, by) in [("by two", "two"), ("by four", "four")] {
            if words.contains(part) {
                self.captured_by = by;
            }
        }
        for (part, may) in [("may return", true), ("may not return", false)] {
            if words.contains(part) {
                self.may_return = may;
            }
        }
        label(self.armed, self.hostile, self.captured_by, self.may_return)
    }
}

/// The row of these rules and of agents that both are this one.
fn cell<'a>(rows: &'a [Row], label: &str, agent: &str) -> &'a Row {
    let is_it = |row: &&Row| {
        row["label"] == label && row["attackers"] == agent && row["defenders"] == agent
    };
    let mut found = rows.iter().filter(is_it);
    let row = found.next().unwrap_or_else(|| panic!("{label}, {agent}"));
    assert!(found.next().is_none(), "{label}, {agent}: twice");
    row
}

fn nodes(number: u32) -> String {
    format!("alphabeta:nodes={number}")
}

/// The tables of what is solved, row by row.
fn solved() -> Vec<Row> {
    let files = ["openings", "presets"];
    let files = files.map(|folder| rows(&format!("results/solved/{folder}/solved.csv")));
    files.into_iter().flatten().collect()
}

/// Who is proved to win under these rules from the start.
fn from_start<'a>(solved: &'a [Row], rules: &str) -> Option<&'a Row> {
    let is_it = |row: &&Row| {
        row["rules"] == rules && row["question"] == "start" && row["value"] == "proved"
    };
    let mut found = solved.iter().filter(is_it);
    let row = found.next();
    assert!(found.next().is_none(), "{rules}: won by both");
    row
}

/// As pages tell several numbers that belong together.
fn range(numbers: &[String], join: &str) -> String {
    let (first, last) = (&numbers[0], &numbers[numbers.len() - 1]);
    if first == last {
        first.clone()
    } else {
        format!("{first}{join}{last}")
    }
}

/// As pages write whole numbers.
fn with_commas(digits: &str) -> String {
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[test]
fn the_default_experiments_table() {
    let heading = "| king armed | throne hostile to | captured by | may return | attackers % \
                   | defenders % | draws % | balance |";
    let rows = rows("results/published/default/winrates.csv");
    let told = table("README.md", heading);
    assert_eq!(told.len(), rows.len());
    let per_cent = |row: &Row, share: &str| {
        let [rate, low, high] = ["rate", "low", "high"].map(|end| {
            let share = number(row, &format!("{share}_{end}"));
            rounded(100.0 * share, 1)
        });
        format!("{rate} ({low}–{high})")
    };
    for (told, row) in told.iter().zip(&rows) {
        assert_eq!(disputed(told), row["label"]);
        assert_eq!(told[4], per_cent(row, "attackers"), "{told:?}");
        assert_eq!(told[5], per_cent(row, "defenders"), "{told:?}");
        assert_eq!(told[6], per_cent(row, "draw"), "{told:?}");
        let balance = signed(100.0 * number(row, "balance"), 1);
        assert_eq!(told[7].replace('-', "−"), balance, "{told:?}");
    }
}

#[test]
fn what_the_disputed_rules_do() {
    let heading = "| king armed | throne hostile to | captured by | may return | random | greedy \
                   | 200 nodes | 2,000 | 20,000 | of these, draws |";
    let rows = rows("results/published/disputed-rules/winrates.csv");
    let told = table("README.md", heading);
    assert_eq!(told.len(), 16);
    for told in told {
        let rules = disputed(&told);
        let (random, greedy) = ("random".to_owned(), "greedy".to_owned());
        let agents = [random, greedy, nodes(200), nodes(2000), nodes(20_000)];
        let scores = agents.map(|agent| score(cell(&rows, &rules, &agent)));
        for (told, (score, _)) in told[4..9].iter().zip(scores) {
            assert_eq!(*told, rounded(score, 0), "{rules}");
        }
        assert_eq!(told[9], rounded(scores[4].1, 0), "{rules}");
    }
}

#[test]
fn what_each_rule_does_by_itself() {
    let rows = rows("results/published/disputed-rules/effects.csv");
    let told = table(
        "README.md",
        "| the attackers' score if | random | greedy | 200 nodes | 2,000 | 20,000 |",
    );
    let axes = [
        "king_capture",
        "king_armed",
        "throne_hostile",
        "king_return",
    ];
    assert_eq!(told.len(), axes.len());
    let (random, greedy) = ("random".to_owned(), "greedy".to_owned());
    let agents = [random, greedy, nodes(200), nodes(2000), nodes(20_000)];
    for (told, axis) in told.iter().zip(axes) {
        for (told, agent) in told[1..].iter().zip(&agents) {
            let own = |row: &&Row| {
                row["method"] == "marginal" && row["axis"] == axis && row["attackers"] == *agent
            };
            let row = rows.iter().find(own).unwrap();
            let half = (number(row, "high") - number(row, "low")) / 2.0;
            let points = signed(100.0 * number(row, "estimate"), 1);
            assert_eq!(
                *told,
                format!("{points} ± {}", rounded(100.0 * half, 1)),
                "{axis}"
            );
        }
    }
}

#[test]
fn how_games_begin() {
    let heading = "| king, captured by, throne, the king | proved | 4,000 nodes: 0 plies | 2 | 4 \
                   | 20,000 nodes: 0 plies | 2 | 4 | 200,000 nodes: 0 plies |";
    let games =
        [0, 2, 4].map(|plies| rows(&format!("results/published/openings-{plies}/winrates.csv")));
    let deep = rows("results/published/openings-0-deep/winrates.csv");
    let solved = solved();
    let told = table("README.md", heading);
    assert_eq!(told.len(), 32);
    let mut words = Told::NOTHING;
    for told in told {
        // A name alone, or words and perhaps a name that is one for the same rules.
        let name = told[0]
            .strip_prefix('`')
            .and_then(|rest| rest.strip_suffix('`'));
        let rules = name.map_or_else(|| words.read(&told[0]), str::to_owned);
        if let Some((_, name)) = told[0].split_once("(`") {
            assert_eq!(name, format!("{rules}`)"));
        }
        let proved = match from_start(&solved, &rules) {
            Some(row) => format!("{}, {}", row["for"], row["plies"]),
            None => "open".to_owned(),
        };
        assert_eq!(told[1], proved, "{rules}");
        let agents = [nodes(4000), nodes(20_000)];
        let rounded = |rows, agent: &str| rounded(score(cell(rows, &rules, agent)).0, 0);
        let mut scores: Vec<String> = agents
            .iter()
            .flat_map(|agent| games.iter().map(|rows| rounded(rows, agent)))
            .collect();
        scores.push(rounded(&deep, &nodes(200_000)));
        assert_eq!(told[2..], scores, "{rules}");
    }
}

#[test]
fn solved_rulesets() {
    let solved = solved();
    let told = table("README.md", "| rules | winner | within plies | steps |");
    let mut words = Told::NOTHING;
    let (mut attackers, mut defenders) = (0, 0);
    for told in &told {
        let named: Vec<&str> = told[0].split('`').skip(1).step_by(2).collect();
        let names: Vec<String> = if told[0].starts_with('`') {
            named.iter().map(|name| (*name).to_owned()).collect()
        } else {
            vec![words.read(&told[0])]
        };
        for rules in names {
            let row = from_start(&solved, &rules).unwrap_or_else(|| panic!("{rules}"));
            assert_eq!(told[1], row["for"], "{rules}");
            assert_eq!(told[2], row["plies"], "{rules}");
            assert_eq!(told[3], with_commas(&row["steps"]), "{rules}");
            match told[1].as_str() {
                "attackers" => attackers += 1,
                _ => defenders += 1,
            }
        }
    }
    let starts = solved
        .iter()
        .filter(|row| row["question"] == "start" && row["value"] == "proved");
    assert_eq!((defenders, attackers), (18, 9));
    assert_eq!(starts.count(), 27);
    // Each certificate once.
    let steps: BTreeMap<&str, f64> = solved
        .iter()
        .filter(|row| row["value"] == "proved")
        .map(|row| (row["sha256"].as_str(), number(row, "steps")))
        .collect();
    let millions = rounded(steps.values().sum::<f64>() / 1e6, 0);
    let readme = text("README.md");
    assert!(
        readme.contains(&format!("all of them, {millions} million steps,")),
        "{millions}"
    );
}

/// Games of stronger players against what is proved, over all rulesets of a row.
#[test]
fn games_beside_proofs() {
    let told = table(
        "README.md",
        "| rules | winner | 200 nodes | 2,000 | 20,000 |",
    );
    let disputed = rows("results/published/disputed-rules/winrates.csv");
    let zone = rows("results/published/zone/winrates.csv");
    let solved = solved();
    let both = |armed, hostile: &'static str, by: &'static str| {
        [true, false].map(|may_return| label(armed, hostile, by, may_return))
    };
    let four = |armed| [both(armed, "everyone", "four"), both(armed, "none", "four")].concat();
    let groups = [
        four(true),
        four(false),
        both(false, "everyone", "two").to_vec(),
        both(true, "everyone", "two").to_vec(),
        both(false, "none", "two").to_vec(),
    ];
    let mut groups = groups.into_iter();
    assert_eq!(told.len(), 8);
    for told in &told {
        let named: Vec<String> = told[0]
            .split('`')
            .skip(1)
            .step_by(2)
            .map(str::to_owned)
            .collect();
        let (rules, games) = match named.as_slice() {
            [] => (groups.next().expect("words tell five groups"), &disputed),
            _ => (named, &zone),
        };
        for (told, count) in told[2..].iter().zip([200, 2000, 20_000]) {
            let mut scores: Vec<f64> = Vec::new();
            for rules in &rules {
                let winner = &from_start(&solved, rules).expect("a solved ruleset")["for"];
                let (attackers, _) = score(cell(games, rules, &nodes(count)));
                scores.push(match winner.as_str() {
                    "attackers" => attackers,
                    _ => 100.0 - attackers,
                });
            }
            scores.sort_by(f64::total_cmp);
            let scores: Vec<String> = scores.iter().map(|score| rounded(*score, 0)).collect();
            // Two rulesets are told one by one.
            let join = if rules.len() == 2 { ", " } else { "–" };
            assert_eq!(*told, range(&scores, join), "{rules:?}, {count} nodes");
        }
    }
    assert!(groups.next().is_none());
}

fn elo(row: &Row, role: &str) -> String {
    let [elo, low, high] = ["elo", "low", "high"].map(|end| number(row, &format!("{role}_{end}")));
    let [elo, low, high] = [elo, low, high].map(|value| signed(value, 0));
    format!("{elo} ({low} … {high})")
}

#[test]
fn what_a_doubling_is_worth() {
    let heading = "| nodes | all | wtf | walker-2011 | armed, everyone, two, return \
                   | unarmed, none, four, no return |";
    let steps = rows("results/published/ladder/steps.csv");
    let labels = [
        "all rulesets",
        "wtf",
        "walker-2011",
        &label(true, "everyone", "two", true),
        &label(false, "none", "four", false),
    ];
    let told = table("README.md", heading);
    assert_eq!(told.len() * labels.len(), steps.len());
    for told in told {
        let (from, to) = told[0].split_once(" → ").expect("from one to the next");
        let [from, to] = [from, to].map(|count| nodes(count.parse().unwrap()));
        for (told, label) in told[1..].iter().zip(labels) {
            let is_it =
                |row: &&Row| row["label"] == label && row["from"] == from && row["to"] == to;
            let row = steps
                .iter()
                .find(is_it)
                .unwrap_or_else(|| panic!("{label} {from}"));
            assert_eq!(*told, elo(row, "both"), "{label}, {from}");
        }
    }
}

#[test]
fn what_each_part_adds() {
    let steps = rows("results/published/ablation/steps.csv");
    let steps: Vec<&Row> = steps.iter().filter(|row| row["scope"] == "all").collect();
    let told = table(
        "README.md",
        "| added | both roles | attackers | defenders |",
    );
    assert_eq!(told.len(), steps.len());
    for (told, row) in told.iter().zip(steps) {
        let roles = ["both", "attackers", "defenders"].map(|role| elo(row, role));
        assert_eq!(told[1..], roles, "{}", told[0]);
    }
}

/// People's share by the fit's log-odds, the program's by its games, whose bounds are the
/// report's.
#[test]
fn beside_people() {
    #[derive(serde::Deserialize)]
    struct People {
        rulesets: Vec<Fit>,
    }
    #[derive(serde::Deserialize)]
    struct Fit {
        preset: String,
        games: u32,
        logit: f64,
        se: f64,
    }
    let people: People = toml::from_str(&text("src/analysis/people.toml")).unwrap();
    let games = rows("results/published/people/winrates.csv");
    let told = table(
        "README.md",
        "| | games of people | their share | 2,000 nodes | 20,000 nodes |",
    );
    assert_eq!(told.len(), 7);
    for told in told {
        let rules = told[0].trim_matches('`');
        let fit = people.rulesets.iter().find(|fit| fit.preset == rules);
        let fit = fit.unwrap_or_else(|| panic!("{rules}"));
        assert_eq!(told[1], with_commas(&fit.games.to_string()), "{rules}");
        let share = |errors: f64| {
            let odds = (fit.logit + errors * fit.se).exp();
            rounded(100.0 * odds / (1.0 + odds), 1)
        };
        let [low, share, high] = [-1.96, 0.0, 1.96].map(share);
        assert_eq!(told[2], format!("{share} ({low}–{high})"), "{rules}");
        for (told, count) in told[3..].iter().zip([2000, 20_000]) {
            let (attackers, _) = score(cell(&games, rules, &nodes(count)));
            let (share, bounds) = told.split_once(" (").expect("a share and its bounds");
            assert_eq!(
                share,
                rounded(100.0 - attackers, 1),
                "{rules}, {count} nodes"
            );
            let (low, high) = bounds
                .trim_end_matches(')')
                .split_once('–')
                .expect("two bounds");
            let [low, share, high] = [low, share, high].map(|end| end.parse::<f64>().unwrap());
            assert!(low < share && share < high, "{rules}: {told}");
        }
    }
}

/// Who is proved to win after every first move, against the files of certificates.
#[test]
fn first_moves() {
    let solved = solved();
    let page = "results/solved/README.md";
    let disputed = table(
        page,
        "| rules | king | captured by | throne hostile to | may return | d2-g2 | d2-f2 | d2-e2 \
         | d1-f1 | d1-e1 | start |",
    );
    let named = table(
        page,
        "| rules | d2-g2 | d2-f2 | d2-e2 | d1-f1 | d1-e1 | start |",
    );
    assert_eq!((disputed.len(), named.len()), (16, 14));
    for told in &disputed {
        let mut words = Told::NOTHING;
        let rules = words.read(&format!(
            "{}, by {}, to {}, {}",
            told[1],
            told[2],
            told[3],
            if told[4] == "yes" {
                "may return"
            } else {
                "may not return"
            }
        ));
        assert_eq!(told[0], format!("`{rules}`"));
    }
    let disputed = disputed.iter().map(|told| (&told[0], &told[5..]));
    let named = named.iter().map(|told| (&told[0], &told[1..]));
    let questions = ["d2-g2", "d2-f2", "d2-e2", "d1-f1", "d1-e1", "start"];
    for (rules, told) in disputed.chain(named) {
        for rules in rules.split('`').skip(1).step_by(2) {
            for (told, question) in told.iter().zip(questions) {
                let is_it = |row: &&Row| {
                    row["rules"] == rules && row["question"] == question && row["value"] == "proved"
                };
                let mut proved = solved.iter().filter(is_it);
                let is_told = match proved.next() {
                    Some(row) => {
                        let side = row["for"][..1].to_uppercase();
                        format!("**{side}** {}", row["plies"])
                    }
                    None if question == "start" => "–".to_owned(),
                    None => "?".to_owned(),
                };
                assert_eq!(*told, is_told, "{rules}, {question}");
                assert!(proved.next().is_none(), "{rules}, {question}: won by both");
            }
        }
    }
}
