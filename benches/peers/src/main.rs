/*!
The AIs of the crate `hnefatafl-copenhagen` behind Brandub's engine protocol, on
standard input and output: `copenhagen-engine basic [PLIES]` or
`copenhagen-engine monte-carlo [MILLISECONDS]`.

`basic` is a function of position, history and `seed`; `monte-carlo` is limited by
the clock and draws its own random numbers, so that no two runs are alike.
*/

mod dialogue;
mod player;

use std::env;
use std::io::{self, BufRead, Write};
use std::process::ExitCode;
use std::time::Duration;

use dialogue::{Dialogue, Reply};
use player::Player;

fn main() -> ExitCode {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let Some(player) = player(&arguments) else {
        eprintln!("usage: copenhagen-engine basic [PLIES] | monte-carlo [MILLISECONDS]");
        return ExitCode::from(2);
    };
    match converse(&mut Dialogue::new(player)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

/// The defaults of `basic` are the crate's; those of `monte-carlo` are its depth of playouts and
/// a fifth of a second instead of its ten.
fn player(arguments: &[String]) -> Option<Player> {
    let arguments: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match arguments[..] {
        ["basic"] => Some(Player::Basic { plies: 4 }),
        ["basic", plies] => match plies.parse() {
            Ok(plies @ 1..=8) => Some(Player::Basic { plies }),
            _ => None,
        },
        ["monte-carlo"] => Some(Player::MonteCarlo(Duration::from_millis(200))),
        ["monte-carlo", time] => {
            let time = time.parse().ok().filter(|&time| time > 0)?;
            Some(Player::MonteCarlo(Duration::from_millis(time)))
        }
        _ => None,
    }
}

fn converse(dialogue: &mut Dialogue) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for line in io::stdin().lock().lines() {
        let line = line?;
        if line.trim().is_empty() {
            continue;
        }
        match dialogue.answer(line.trim()) {
            Ok(Reply::Done(text)) => write!(out, "= {text}\n\n")?,
            Ok(Reply::Quit) => {
                write!(out, "= \n\n")?;
                return out.flush();
            }
            Err(refusal) => write!(out, "? {refusal}\n\n")?,
        }
        out.flush()?;
    }
    Ok(())
}
