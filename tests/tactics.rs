//! Positions with a forced win: every claim of `tests/data/tactics.jsonl` is proved anew by
//! exhaustive search, and the searching agents are held against them. The positions come from
//! seeded games and are written by the example program `tactics`.

use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::{fs, thread};

use brandub::agents::{AgentSpec, Budget, search, stream};
use brandub::game::{Game, Move, Preset, Rules, Side, preset};

#[path = "exhaustive/mod.rs"]
mod exhaustive;

use exhaustive::row::Row;
use exhaustive::{Proof, heeds_no_history, near};

/// Without optimization the longer wins take minutes.
const LONGEST: u8 = if cfg!(debug_assertions) { 5 } else { 11 };

fn rows() -> Vec<Row> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/tactics.jsonl");
    let text = fs::read_to_string(path).expect("the table can be read");
    let rows = text.lines().map(Row::read).collect::<Result<_, _>>();
    rows.expect("each line is a position")
}

/// What `look` says of each row that is not too long, on all processors, with the row's line.
fn map<T: Send>(look: impl Fn(&Row, &Rules) -> T + Sync) -> Vec<(usize, Row, T)> {
    let rows = rows();
    let next = AtomicUsize::new(0);
    let work = || {
        let mut done = Vec::new();
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            let Some(row) = rows.get(index) else {
                return done;
            };
            if row.plies <= LONGEST {
                let rules = Rules::new(row.ruleset().expect("a ruleset"));
                done.push((index + 1, row.clone(), look(row, &rules)));
            }
        }
    };
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let mut done: Vec<_> = thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(work)).collect();
        let each = threads.into_iter().map(thread::ScopedJoinHandle::join);
        each.flat_map(|done| done.expect("no thread panics"))
            .collect()
    });
    done.sort_by_key(|(line, ..)| *line);
    done
}

/// Asks the same of every row and names all that fail.
fn holds(look: impl Fn(&Row, &Rules) -> Result<(), String> + Sync) {
    let failures: Vec<String> = map(look)
        .into_iter()
        .filter_map(|(line, row, result)| {
            Some(format!("line {line} ({}): {}", row.rules, result.err()?))
        })
        .collect();
    assert!(failures.is_empty(), "{}", failures.join("\n"));
}

fn names(moves: &[Move]) -> String {
    let names: Vec<String> = moves.iter().map(Move::to_string).collect();
    names.join(" ")
}

#[test]
fn every_win_is_proved_to_be_the_shortest() {
    holds(|row, rules| {
        rules.admit(&row.position)?;
        let game = Game::from_position(rules, row.position);
        if game.outcome().is_some() || row.plies % 2 == 0 {
            return Err("no position before the end, or no win of the side to move".to_owned());
        }
        let side = row.position.side;
        if !heeds_no_history(rules.ruleset(), side, row.plies) {
            return Err("a repetition might win sooner".to_owned());
        }
        let mut proof = Proof::new(rules, side, u64::MAX);
        let shortest = proof.shortest(&row.position, row.plies);
        if shortest != Ok(Some(row.plies)) {
            return Err(format!("{} plies, not {shortest:?}", row.plies));
        }
        match proof.best(&row.position, row.plies) {
            Ok(best) if best == row.best => Ok(()),
            best => Err(format!("best are {best:?}, not {}", names(&row.best))),
        }
    });
}

#[test]
fn alphabeta_of_full_depth_finds_every_win() {
    holds(|row, rules| {
        let game = Game::from_position(rules, row.position);
        let depth = Budget::Depth(u32::from(row.plies));
        let found = search(&game, depth, stream([7; 32]));
        if found.wins_in() != Some(i32::from(row.plies)) {
            return Err(format!("{} plies, not {:?}", row.plies, found.wins_in()));
        }
        if !row.best.contains(&found.best) {
            return Err(format!("{} is none of {}", found.best, names(&row.best)));
        }
        Ok(())
    });
}

/// How many of the 54, 108, 106, 34 and 8 wins of each length `mcts:playouts=2000` begins with
/// a best move at least: as many as it does with this stream.
const MCTS_SOLVES: [(u8, usize); 5] = [(3, 52), (5, 87), (7, 68), (9, 22), (11, 6)];

#[test]
fn mcts_finds_as_many_wins_as_it_did() {
    let spec: AgentSpec = "mcts:playouts=2000".parse().expect("a spec");
    let mut rates: BTreeMap<u8, (usize, usize)> = BTreeMap::new();
    for (_, row, ply) in map(|row, rules| {
        let game = Game::from_position(rules, row.position);
        spec.build(stream([7; 32]), None)
            .choose(&game)
            .expect("it never forfeits")
    }) {
        let (solved, all) = rates.entry(row.plies).or_default();
        *solved += usize::from(row.best.contains(&ply));
        *all += 1;
    }
    for (plies, least) in MCTS_SOLVES
        .into_iter()
        .filter(|(plies, _)| *plies <= LONGEST)
    {
        let (solved, all) = rates[&plies];
        println!("{spec}: {solved} of {all} wins in {plies} plies");
        assert!(solved >= least, "{solved} of {all} in {plies} plies");
    }
}

#[test]
fn the_set_is_large_varied_and_without_doubles() {
    let rows = rows();
    assert!(rows.len() >= 240, "{} positions", rows.len());
    for (plies, least) in [(3, 40), (5, 40), (7, 40), (9, 30), (11, 8)] {
        let count = rows.iter().filter(|row| row.plies == plies).count();
        assert!(count >= least, "{count} wins in {plies} plies");
    }
    let sides = Side::BOTH.map(|side| rows.iter().filter(|r| r.position.side == side).count());
    assert!(
        sides.iter().all(|&count| 3 * count >= rows.len()),
        "{sides:?}"
    );
    for (index, row) in rows.iter().enumerate() {
        for other in &rows[..index] {
            let near = row.position.side == other.position.side
                && near::distance(&row.position, &other.position) < 4;
            assert!(!near, "{} twice", row.position.to_otn());
        }
    }
}

#[test]
fn every_ruleset_of_the_factorial_and_every_preset_is_in_the_set() {
    let rulesets = rows()
        .into_iter()
        .map(|row| row.ruleset().expect("a ruleset").id());
    let there: BTreeSet<String> = rulesets.collect();
    let factorial = preset::disputed_factorial().into_iter();
    let presets = Preset::ALL.iter().map(Preset::ruleset);
    for ruleset in factorial.chain(presets) {
        assert!(there.contains(&ruleset.id()), "no position under {ruleset}");
    }
}
