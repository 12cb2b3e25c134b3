//! A proof search by turns, on one thread and on two.

use std::time::{Duration, Instant};

use brandub::game::{Game, Rules, Side, preset};
use brandub::solver::{Options, Search};

use super::super::failure::Failure;
use super::figure::Figure;

/// Open for tens of millions of positions.
const RULES: &str = "branan";
const AFTER: &str = "d2-g2";
const MEMORY: u64 = 256 << 20;
const FIRST: u64 = 50_000;

/// Positions expanded a second by the clock on the wall.
pub fn figures(time: Duration) -> Result<Vec<Figure>, Failure> {
    // A machine's speed drifts: one and two threads take turns.
    let mut turns = [(0, Duration::ZERO); 2];
    for threads in [1, 2, 2, 1] {
        let (nodes, seconds) = searched(threads, time)?;
        let place = &mut turns[usize::from(threads) - 1];
        place.0 += nodes;
        place.1 += seconds;
    }
    let [one, two] = turns.map(|(nodes, time)| nodes as f64 / time.as_secs_f64() / 1e6);
    let figure = |name, what: &str, value, unit| Figure {
        name,
        what: what.to_owned(),
        value,
        unit,
    };
    let what = format!("a proof search by turns, {RULES} after {AFTER}, 1 thread");
    Ok(vec![
        figure("turns_1", &what, one, "M positions/s"),
        figure("turns_2", "the same, 2 threads", two, "M positions/s"),
        figure(
            "turns_threads",
            "2 threads against 1",
            two / one,
            "times the positions",
        ),
    ])
}

/// The positions expanded in this time or a little more, and the time.
fn searched(threads: u16, time: Duration) -> Result<(u64, Duration), Failure> {
    let failed = |error: String| Failure::Failed(format!("a search by turns: {error}"));
    let rules = Rules::new(
        preset::find(RULES)
            .map_err(|e| failed(e.to_string()))?
            .ruleset(),
    );
    let mut game = Game::new(&rules);
    let ply = AFTER.parse().map_err(|_| failed(AFTER.to_owned()))?;
    game.play(ply).map_err(|error| failed(error.to_string()))?;
    let options = Options {
        threads,
        ..Options::new(MEMORY)
    };
    let mut search =
        Search::new(&rules, Side::Defenders, options).map_err(|error| failed(error.to_string()))?;
    let begun = Instant::now();
    search.solve_in_turn(game.position(), FIRST, u64::MAX, &mut |_| {
        begun.elapsed() < time
    });
    Ok((search.nodes(), begun.elapsed()))
}
