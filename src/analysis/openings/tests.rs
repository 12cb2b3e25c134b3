//! First moves of small runs.

use super::super::quality::tests::played;
use super::*;

/// Games by cell, of every first move.
fn games(table: &Table) -> BTreeMap<String, BTreeMap<String, u64>> {
    let frame = table.frame();
    let text = |name: &str, row| frame.column(name).unwrap().str().unwrap().get(row);
    let games = |row| frame.column("games").unwrap().u64().unwrap().get(row);
    let mut found: BTreeMap<String, BTreeMap<String, u64>> = BTreeMap::new();
    for row in 0..frame.height() {
        let moves = found.entry(text("cell", row).unwrap().to_owned());
        let ply = text("move", row).unwrap().to_owned();
        let other = moves.or_default().insert(ply, games(row).unwrap());
        assert_eq!(other, None, "a move has one row");
    }
    found
}

const RANDOM: &str = "name='random'\nseed=4\ngames=300\nply_limit=60\n[rules]\n\
    presets=['disputed',{layout='/1t5/7/7/3K3/7/2T4/5t1/'}]\n\
    [opening]\nrandom_plies=2\n[[match]]\nagents=['random']\n";

#[test]
fn first_moves_on_record_add_up_to_all_games() {
    let folder = tempfile::tempdir().unwrap();
    let (run, sample) = played(RANDOM, folder.path(), 3);
    let runs = [run];
    let table = openings_table(&runs, &sample).unwrap();
    let found = games(&table);
    let by_cell: Vec<_> = runs[0]
        .cells
        .iter()
        .map(|cell| &found[&cell.row.cell.id])
        .collect();
    for moves in &by_cell {
        assert_eq!(moves.values().sum::<u64>(), 300);
    }
    // The cross has forty first moves, eight images of each of five.
    assert_eq!(by_cell[0].len(), 5, "{:?}", by_cell[0]);
    // The other layout has no symmetry.
    assert_eq!(by_cell[1].len(), 20, "{:?}", by_cell[1]);
    let scores = table.frame().column("score").unwrap().f64().unwrap();
    assert!(
        scores
            .iter()
            .flatten()
            .all(|score| (0.0..=1.0).contains(&score))
    );
    let share = table.frame().column("share").unwrap().f64().unwrap();
    let sum: f64 = share.iter().flatten().sum();
    assert!((sum - 2.0).abs() < 1e-9, "{sum}");
}

#[test]
fn first_moves_of_agents_are_those_of_the_sample() {
    let folder = tempfile::tempdir().unwrap();
    let text = RANDOM.replace("random_plies=2", "random_plies=0");
    let (run, sample) = played(&text, folder.path(), 40);
    let runs = [run];
    let table = openings_table(&runs, &sample).unwrap();
    let found = games(&table);
    assert_eq!(found.len(), 2);
    for moves in found.values() {
        assert_eq!(moves.values().sum::<u64>(), 40);
    }
    let of_random: Vec<&String> = found[&runs[0].cells[0].row.cell.id].keys().collect();
    assert_eq!(of_random.len(), 5, "{of_random:?}");
    assert_eq!(openings_table(&runs, &[]).unwrap().frame().height(), 0);
}

#[test]
fn results_are_counted_and_the_most_frequent_move_comes_first() {
    let rows = "winner,opening,moves_key\n\
        attackers,a4-a3.d3-c3,1\ndefenders,a4-a3.d3-b3,2\nnone,a4-a3,3\n\
        draw,a4-a2.c4-c3,4\ndraw,-,5\n";
    let columns = ["winner", "opening", "moves_key"];
    let mut firsts = Firsts::default();
    firsts
        .add(frame(rows.as_bytes().to_vec(), &columns).unwrap())
        .unwrap();
    assert_eq!(firsts.games(), 5);
    let sorted = firsts.sorted();
    let names: Vec<&str> = sorted.iter().map(|(ply, _)| ply.as_str()).collect();
    assert_eq!(names, ["a4-a3", "-", "a4-a2"]);
    let results = sorted[0].1;
    let counts = (results.won, results.lost, results.drawn, results.stopped);
    assert_eq!(counts, (1, 1, 0, 1));
    assert_eq!(results.score().value(), Some(0.5));
    let stopped = Results {
        stopped: 3,
        ..Results::default()
    };
    assert_eq!(stopped.bounds(), None);
    let bad = "winner,opening,moves_key\nnobody,a4-a3,1\n";
    let bad = frame(bad.as_bytes().to_vec(), &columns).unwrap();
    assert!(Firsts::default().add(bad).is_err());
}
