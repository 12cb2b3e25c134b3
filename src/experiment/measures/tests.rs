//! A game measured by hand, and samples of result folders.

use std::fs;
use std::path::PathBuf;

use super::*;
use crate::experiment::record::{End, Recorder};
use crate::experiment::{RunOptions, Source, measures_csv, read_measures, run, write_whole};
use crate::game::Move;

fn grid(text: &str) -> Grid {
    Grid::new(Source::parse("x.toml", text).unwrap().experiment)
}

/// Four rulesets and two pairs of agents, short games.
fn study() -> Grid {
    grid(
        "name='study'\nseed=3\ngames=12\nply_limit=60\n[rules]\n\
        vary={king_capture=['two','four'],king_return=[true,false]}\n\
        [opening]\nrandom_plies=1\n\
        [[match]]\nagents=['random','alphabeta:nodes=100']\n",
    )
}

/// Plays a run and leaves it in the folder.
fn play(grid: &Grid, folder: &Path) -> Manifest {
    let stop = AtomicBool::new(false);
    let options = RunOptions {
        shard: None,
        stop: &stop,
    };
    let outcome = run(grid, folder, options, &()).unwrap();
    outcome.folder.write_manifest(&outcome.manifest).unwrap();
    outcome.manifest
}

fn measure_all(folder: &Path, manifest: &Manifest, sample: u64) -> Result<Measured, MeasureError> {
    measure(folder, manifest, sample, &AtomicBool::new(false), &())
}

/// A game from a layout of its own, played out by hand: a soldier is captured
/// against the throne, the king captures, goes back to the throne, threatens a
/// corner, and is captured against the throne.
#[test]
fn a_game_by_hand() {
    let grid = grid(
        "name='hand'\nseed=1\ngames=1\n[rules]\n\
        base={layout='/3t1t1/2T4/3T3/7/4K2/6t/1t5/'}\n[[match]]\nagents=['random']\n",
    );
    let cell = &grid.cells[0];
    let rules = cell.rules();
    let moves: Vec<Move> = "d1-d2 e5-e2 g6-g5 e2-e4 g5-g3 e4-d4 g3-g2 d4-d1 b7-b1 d1-d3 g2-d2"
        .split(' ')
        .map(|ply| ply.parse().unwrap())
        .collect();
    let mut game = Game::new(&rules);
    for &ply in &moves {
        game.play(ply).unwrap();
    }
    let outcome = game.outcome().unwrap();
    let end = End::Board(outcome);
    let record = Recorder::new(game.start()).record(0, end, game.position(), &moves, 0);
    let transcript = Transcript {
        moves,
        opening_plies: 0,
        outcome: Some(outcome),
        forfeit: None,
        record,
    };
    let found = GameMeasures::of("hand", cell, &transcript);
    let expected = GameMeasures {
        experiment: "hand".to_owned(),
        cell: cell.id.clone(),
        ruleset: cell.ruleset_id.clone(),
        game: 0,
        winner: Winner::Attackers,
        reason: Termination::Board(crate::game::Reason::KingCaptured),
        plies: 11,
        opening_plies: 0,
        first_move: Some("d1-d2".to_owned()),
        // 31 20 30 18 30 24 30 23 24 19 25 legal moves, 274 in all.
        branching: Some(24.909_091),
        attackers_captured: 1,
        defenders_captured: 1,
        captures_by_king: 1,
        captures_against_king: 0,
        captures_with_throne: 1,
        captures_with_corner: 0,
        king_returns: 1,
        king_captured_with_throne: true,
        king_captured_only_two: true,
        raichi: 1,
        tuichi: 0,
        judged: 11,
        // What the judge thinks is not for hands; that it is passed on is
        // looked at below.
        ..found.clone()
    };
    assert_eq!(found, expected);
    let mut scores = expected_scores(&rules, &transcript.moves, 0);
    // The attackers have won, and at their last move can.
    assert_eq!(scores.pop(), Some(1.0));
    assert_eq!(scores.last(), Some(&1.0));
    let course = Course::new(&scores, Winner::Attackers);
    assert_eq!(found.lead_changes, course.lead_changes);
    let winner = course.of_winner.unwrap();
    for (found, exact) in [
        (found.behind, winner.behind),
        (found.drama, winner.drama),
        (found.drama_max, winner.drama_max),
        (found.settled, winner.settled),
        (found.judge_error, course.judge_error.unwrap()),
    ] {
        assert!((found.unwrap() - exact).abs() <= 0.5e-6);
    }
}

#[test]
fn a_sample_is_the_same_on_one_thread_and_on_three_and_reads_back() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = play(&study(), at);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads);
        let pool = pool.build().unwrap();
        pool.install(|| measure_all(at, &manifest, 5)).unwrap()
    };
    let measured = on(1);
    assert_eq!(on(3), measured);
    assert_eq!(measured.external, [""; 0]);
    let grid = study();
    assert_eq!(measured.games.len(), 5 * grid.cells.len());
    for (index, game) in measured.games.iter().enumerate() {
        assert_eq!(game.cell, grid.cells[index / 5].id);
        assert_eq!(game.game, index as u64 % 5);
        assert_eq!(game.opening_plies, 1);
        assert!(game.judged <= game.plies && game.judged > 0);
        let men = game.attackers_captured + game.defenders_captured;
        let with_king = game.captures_by_king + game.captures_against_king;
        assert!(with_king <= game.attackers_captured && men < 12);
        assert_eq!(game.drama.is_some(), game.winner.name().ends_with("ers"));
    }
    let path = at.join("measures.csv");
    write_whole(&path, &measures_csv(&[])).unwrap();
    assert_eq!(read_measures(&path).unwrap(), []);
    write_whole(&path, &measures_csv(&measured.games)).unwrap();
    assert_eq!(read_measures(&path).unwrap(), measured.games);
    let text = fs::read_to_string(&path).unwrap();
    fs::write(&path, text.replacen("study", "studio", 1)).unwrap();
    assert_ne!(read_measures(&path).unwrap(), measured.games);
    fs::write(&path, text.replacen(",raichi,", ",", 1)).unwrap();
    let error = read_measures(&path).unwrap_err().to_string();
    assert!(error.contains("measures.csv"), "{error}");
    // More than there are is all there are.
    let all = measure_all(at, &manifest, 100).unwrap();
    assert_eq!(all.games.len(), 12 * grid.cells.len());
}

#[test]
fn the_judge_knows_more_than_nothing_of_who_wins() {
    let folder = tempfile::tempdir().unwrap();
    let grid = grid(
        "name='judged'\nseed=5\ngames=20\n[rules]\n[opening]\nrandom_plies=2\n\
        [[match]]\nagents=['alphabeta:nodes=300']\n",
    );
    let manifest = play(&grid, folder.path());
    let games = measure_all(folder.path(), &manifest, 20).unwrap().games;
    let errors: Vec<f64> = games.iter().filter_map(|game| game.judge_error).collect();
    let mean = errors.iter().sum::<f64>() / errors.len() as f64;
    // ½ everywhere would have ¼.
    assert!(mean < 0.2, "{mean}");
    assert!(games.iter().any(|game| game.lead_changes > 0));
}

/// The first chunk file of a folder.
fn chunk_file(folder: &Path) -> PathBuf {
    let cell = fs::read_dir(folder.join("games")).unwrap();
    let mut cells: Vec<PathBuf> = cell.map(|entry| entry.unwrap().path()).collect();
    cells.sort();
    let file = fs::read_dir(&cells[0]).unwrap().next().unwrap();
    file.unwrap().path()
}

#[test]
fn a_game_that_is_not_the_one_on_record_is_named() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let manifest = play(&study(), at);
    let path = chunk_file(at);
    let text = fs::read_to_string(&path).unwrap();
    let row = text.lines().nth(3).unwrap();
    let fields: Vec<&str> = row.split(',').collect();
    // One ply more, in a file that is whole by its name.
    let plies: u32 = fields[7].parse().unwrap();
    let longer = row.replacen(&format!(",{plies},"), &format!(",{},", plies + 1), 1);
    let changed = text.replace(row, &longer);
    let checksum = crate::experiment::files::checksum(changed.as_bytes());
    let name = ChunkFile::of(0, &checksum).name();
    fs::remove_file(&path).unwrap();
    let changed_path = path.with_file_name(name);
    fs::write(&changed_path, &changed).unwrap();
    match measure_all(at, &manifest, 12) {
        Err(MeasureError::NotOnRecord {
            cell,
            game,
            recorded,
            played,
        }) => {
            assert_eq!((cell.as_str(), game), (fields[0], 2));
            assert_eq!((recorded, played), (longer.clone(), row.to_owned()));
        }
        other => panic!("{other:?}"),
    }
    // The games before it are as they were.
    assert!(measure_all(at, &manifest, 2).is_ok());
    // A file that is not whole by its name is not read at all.
    fs::rename(changed_path, path).unwrap();
    let error = measure_all(at, &manifest, 2).unwrap_err().to_string();
    assert!(error.contains("its name says"), "{error}");
}

#[test]
fn other_players_games_and_engines_are_left_alone() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    let grid = grid(
        "name='mixed'\nseed=3\ngames=2\nply_limit=20\n[rules]\n\
        [[match]]\nagents=['random']\n[[match]]\nagents=['external:no-such-engine']\n",
    );
    let mut manifest = Manifest::new(&grid, None);
    let random = &grid.cells[0];
    let played = (0..2).map(|game| Table::new(&grid.experiment, random).record(game).0);
    let mut text = "header\n".to_owned();
    text.extend(played.map(|record| row(random, &record) + "\n"));
    for (cell, text) in [(random, text.as_str()), (&grid.cells[1], "header\nfalse\n")] {
        let folder = at.join("games").join(&cell.id);
        fs::create_dir_all(&folder).unwrap();
        let checksum = crate::experiment::files::checksum(text.as_bytes());
        fs::write(folder.join(ChunkFile::of(0, &checksum).name()), text).unwrap();
    }
    let measured = measure_all(at, &manifest, 9).unwrap();
    assert_eq!(measured.external, [grid.cells[1].id.clone()]);
    assert_eq!(measured.games.len(), 2);
    assert!(measured.games.iter().all(|game| game.cell == random.id));
    let stopped = measure(at, &manifest, 9, &AtomicBool::new(true), &());
    assert!(matches!(stopped, Err(MeasureError::Stopped)));
    manifest.program.play_revision += 1;
    let error = measure_all(at, &manifest, 9).unwrap_err().to_string();
    assert!(error.contains("revision"), "{error}");
}
