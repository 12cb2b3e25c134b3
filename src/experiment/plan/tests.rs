//! Plans fed with made-up results, in every order.

use std::collections::BTreeMap;

use rand_core::Rng;

use super::*;
use crate::agents::stream;
use crate::experiment::Source;
use crate::experiment::seed::key;

/// How many games: the file's own keys, and its tables.
type Games = (&'static str, String);

fn fixed() -> Games {
    ("games=500", String::new())
}

fn stop(more: &str) -> Games {
    let table = format!("[stop]\nhalf_width=0.05\nmin_games=60\n{more}");
    ("", table)
}

fn adaptive(total: u64) -> Games {
    let table = format!("[adaptive]\ntotal={total}\nmin_games=50\nmax_games=5000");
    ("games='adaptive'", table)
}

/// Four cells, with chunks of different sizes.
fn grid((keys, tables): &Games) -> Grid {
    let text = format!(
        "name='x'\nseed=1\n{keys}\n[rules]\nvary={{king_armed=[true,false]}}\n\
         [[match]]\nagents=['random','alphabeta:nodes=20000']\n{tables}"
    );
    Grid::new(Source::parse("x", &text).unwrap().experiment)
}

/// The results of a chunk: in each cell the attackers win this part of a
/// hundred games.
fn results(chunk: &Chunk, percent: &[u64]) -> Tally {
    let mut tally = Tally::default();
    for game in chunk.first_game..chunk.first_game + chunk.games {
        let mut draws = stream(key(game, &format!("cell {}", chunk.cell)));
        if draws.next_u64() % 100 < percent[chunk.cell] {
            tally.attackers += 1;
        } else {
            tally.defenders += 1;
        }
    }
    tally
}

/// What each cell came to: games, bounds, decision.
type Came = Vec<(u64, [f64; 2], Option<Decision>)>;

/// Plays a plan to its end, taking of the chunks that are asked for each time
/// the one that `choose` chooses of so many.
fn play(grid: &Grid, percent: &[u64], mut choose: impl FnMut(usize) -> usize) -> Came {
    let (mut plan, next) = Plan::new(grid, None);
    let mut chunks = next.chunks;
    let mut settled = BTreeMap::new();
    let mut next_game = vec![0; grid.cells.len()];
    for chunk in &chunks {
        assert_eq!(chunk.first_game, next_game[chunk.cell]);
        next_game[chunk.cell] += chunk.games;
    }
    while !chunks.is_empty() {
        assert!(!plan.is_finished());
        let chunk = chunks.swap_remove(choose(chunks.len()));
        let most = plan.most_games();
        let more = plan.add(&chunk, &results(&chunk, percent));
        assert!(plan.most_games() <= most);
        for chunk in &more.chunks {
            assert_eq!(chunk.first_game, next_game[chunk.cell], "contiguous");
            assert!(!settled.contains_key(&chunk.cell));
            next_game[chunk.cell] += chunk.games;
        }
        for cell in more.settled {
            let games = plan.cell(cell).tally.games();
            assert!(settled.insert(cell, games).is_none(), "settled once");
        }
        chunks.extend(more.chunks);
    }
    assert!(plan.is_finished());
    assert_eq!(settled.len(), grid.cells.len());
    assert_eq!(plan.most_games(), next_game.iter().sum::<u64>());
    let cells = (0..grid.cells.len()).map(|cell| {
        let plan = plan.cell(cell);
        assert_eq!(plan.given, next_game[cell]);
        assert_eq!(plan.tally.games(), plan.given);
        (plan.given, plan.bounds, plan.decision)
    });
    cells.collect()
}

fn in_order(_: usize) -> usize {
    0
}

#[test]
fn the_order_of_results_changes_nothing() {
    for games in [fixed(), stop(""), adaptive(8_000)] {
        let grid = grid(&games);
        let percent = [50, 0, 93, 30];
        let expected = play(&grid, &percent, in_order);
        for seed in 0..20 {
            let mut draws = stream(key(seed, "order"));
            let shuffled = play(&grid, &percent, |choices| {
                (draws.next_u64() % choices as u64) as usize
            });
            assert_eq!(shuffled, expected, "{games:?}");
        }
        assert_eq!(play(&grid, &percent, |choices| choices - 1), expected);
    }
}

#[test]
fn a_cell_stops_when_its_score_is_known_or_at_the_most() {
    let came = play(&grid(&stop("")), &[50, 0, 93, 30], in_order);
    let games: Vec<u64> = came.iter().map(|cell| cell.0).collect();
    assert!(games[1] < 150 && games[1] < games[2], "{games:?}");
    assert!(games[2] < games[3] && games[3] < games[0], "{games:?}");
    for (games, [low, high], decision) in came {
        assert!(high - low <= 0.1 && games < 1_600);
        assert_eq!(decision, Some(Decision::HalfWidth));
    }
    let came = play(&grid(&stop("max_games=130")), &[50, 0, 93, 30], in_order);
    assert_eq!((came[0].0, came[0].2), (130, Some(Decision::MaxGames)));
    assert_eq!(came[1].2, Some(Decision::HalfWidth));
}

#[test]
fn a_budget_goes_to_cells_that_are_undecided() {
    let came = play(&grid(&adaptive(12_000)), &[50, 0, 93, 57], in_order);
    let said: Vec<_> = came.iter().map(|cell| cell.2.unwrap().name()).collect();
    assert_eq!(said, ["balanced", "defenders", "attackers", "attackers"]);
    let games: Vec<u64> = came.iter().map(|cell| cell.0).collect();
    assert!(games[1] < 150 && games[2] < 150, "{games:?}");
    assert!(games[0] > 1_000 && games[3] > 150, "{games:?}");
}

#[test]
fn a_budget_is_never_exceeded_and_its_end_is_shared() {
    for total in [200, 201, 260, 333, 1_000] {
        let grid = grid(&adaptive(total));
        let came = play(&grid, &[52, 48, 52, 48], in_order);
        let games: Vec<u64> = came.iter().map(|cell| cell.0).collect();
        let used: u64 = games.iter().sum();
        let chunks: u64 = grid.cells.iter().map(|cell| cell.chunk_games).sum();
        assert!(
            used <= total && total < used + chunks + 4,
            "{total}: {games:?}"
        );
        assert!(came.iter().all(|cell| cell.2 == Some(Decision::Budget)));
    }
}

#[test]
fn shards_of_a_rule_are_whole_cells_and_come_to_the_same() {
    let grid = grid(&stop(""));
    let percent = [50, 0, 93, 30];
    let expected = play(&grid, &percent, in_order);
    for count in [1, 2, 3, 7] {
        for index in 1..=count {
            let shard = Some(Shard { index, count });
            let possible: Vec<Chunk> = grid.chunks(shard).collect();
            assert_eq!(possible.len() as u64, grid.count_chunks(shard));
            let (mut plan, next) = Plan::new(&grid, shard);
            let missing = plan.follow(next, &mut |chunk| {
                assert!(possible.contains(chunk));
                Some(results(chunk, &percent))
            });
            assert!(missing.chunks.is_empty() && plan.is_finished());
            for (cell, expected) in expected.iter().enumerate() {
                let here = possible.iter().any(|chunk| chunk.cell == cell);
                let games = plan.cell(cell).given;
                assert_eq!(games, if here { expected.0 } else { 0 });
                assert_eq!(missing.settled.contains(&cell), here);
            }
        }
    }
}

#[test]
fn what_a_rule_does_not_come_to_is_stray() {
    let grid = grid(&stop(""));
    let percent = [50, 0, 93, 30];
    let (mut plan, next) = Plan::new(&grid, None);
    assert_eq!(plan.stray((1, 1)), None, "nobody knows yet");
    plan.follow(next, &mut |chunk| {
        (chunk.cell != 0).then(|| results(chunk, &percent))
    });
    let chunks = |cell: usize| plan.cell(cell).given.div_ceil(grid.cells[cell].chunk_games);
    assert_eq!(plan.stray((1, chunks(1) - 1)), None);
    let problem = plan.stray((1, chunks(1))).unwrap();
    assert!(
        problem.contains("the stop rule gives its cell"),
        "{problem}"
    );
    assert_eq!(plan.stray((0, chunks(0))), None, "cell 0 may go on");
    assert!(plan.stray((0, 1_000_000)).is_some());
}
