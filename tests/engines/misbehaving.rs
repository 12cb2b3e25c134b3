//! An external engine that plays its first legal move until it is asked for a
//! move once more than it likes, and then breaks the protocol.
//!
//! `misbehaving-engine LOG MANNER GOOD`: adds its process id to the file LOG,
//! answers GOOD commands `genmove` well, and then behaves as MANNER says.

use std::env;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::process::exit;
use std::thread::sleep;
use std::time::Duration;

use brandub::game::{Game, MoveList, Rules, Ruleset};

fn main() {
    let arguments: Vec<String> = env::args().collect();
    let [_, log, manner, good] = &arguments[..] else {
        eprintln!("usage: misbehaving-engine LOG MANNER GOOD");
        exit(2);
    };
    let mut log = OpenOptions::new()
        .append(true)
        .create(true)
        .open(log)
        .expect("the log can be written");
    writeln!(log, "{}", std::process::id()).expect("the log can be written");
    if manner == "crash-at-start" {
        eprintln!("no such book: openings.bin");
        exit(3);
    }
    if manner == "greeting" {
        say("Welcome to the engine!\n");
    }
    let mut rules = Rules::new(Ruleset::default());
    let mut good: u64 = good.parse().expect("GOOD is a number");
    while let Some(next) = games(&rules, manner, &mut good) {
        rules = Rules::new(next);
    }
    if manner == "stays" {
        stay();
    }
}

fn say(text: &str) {
    let mut out = io::stdout().lock();
    // Whoever does not listen any more need not stop it.
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}

fn stay() -> ! {
    loop {
        sleep(Duration::from_secs(1000));
    }
}

fn games(rules: &Rules, manner: &str, good: &mut u64) -> Option<Ruleset> {
    let mut game = Game::new(rules);
    for line in io::stdin().lines() {
        let line = line.ok()?;
        let (name, rest) = line.split_once(' ').unwrap_or((&line, ""));
        match name {
            "rules" if manner == "refuse-rules" => say("? I only know other rules\n\n"),
            "rules" => {
                say("=\n\n");
                return serde_json::from_str(rest).ok();
            }
            "play" => {
                let ply = rest.parse().expect("the runner sends moves");
                game.play(ply).expect("the runner sends legal moves");
                say("=\n\n");
            }
            "genmove" => {
                let mut list = MoveList::new();
                game.moves(&mut list);
                let answer = format!("= {}\n\n", list[0]);
                if *good == 0 {
                    misbehave(manner, &answer);
                } else {
                    *good -= 1;
                    say(&answer);
                }
                game.play_legal(list[0]);
            }
            "quit" if manner != "stays" => {
                say("=\n\n");
                return None;
            }
            _ => say("? unknown\n\n"),
        }
    }
    None
}

fn misbehave(manner: &str, answer: &str) {
    match manner {
        "illegal" => say("= d4-a1\n\n"),
        "no-move" => say("= resign\n\n"),
        "no-answer" => say(answer.trim_start_matches("= ")),
        "empty" => say("=\n\n"),
        "refuse" => say("? I resign\n\n"),
        "crash" => {
            eprintln!("out of ideas");
            exit(3);
        }
        "silence" => stay(),
        "unfinished" => {
            say(&answer[..answer.len() - 1]);
            stay();
        }
        "late" => {
            // Longer than its test allows.
            sleep(Duration::from_secs(21));
            say(answer);
        }
        // A good answer, and one nobody asked for.
        "twice" => say(&answer.repeat(2)),
        "flood" => loop {
            say(&"x".repeat(1 << 16));
            if io::stdout().write_all(b"x").is_err() {
                exit(1);
            }
        },
        "flood-of-lines" => loop {
            say("= one more\n");
            if io::stdout().write_all(b"line\n").is_err() {
                exit(1);
            }
        },
        "flood-of-empty-lines" => loop {
            if io::stdout().write_all(&[b'\n'; 1 << 12]).is_err() {
                exit(1);
            }
        },
        "not-text" => {
            let _ = io::stdout().write_all(&[0xff, 0, 0xfe, b'\n', b'\n']);
            say("");
        }
        other => panic!("no manner `{other}`"),
    }
}
