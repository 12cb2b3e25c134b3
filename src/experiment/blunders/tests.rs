//! Games from layouts with few men, judged by tables and against them.

use super::*;
use crate::experiment::{Grid, Source, Table};
use crate::solver::tables::{Layer, Means, Plan, build_tables};

fn grid(rules: &str, games: u64) -> Grid {
    let text = format!(
        "name='x'\nseed=4\ngames={games}\nply_limit=60\n[rules]\nbase={rules}\n[[match]]\nagents=['random','greedy']\n"
    );
    Grid::new(Source::parse("x", &text).unwrap().experiment)
}

/// Three attackers against the king and a defender.
const FEW: &str = "layout='/7/1t5/7/3K3/3T1t1/7/4t2/'";

fn tables(grid: &Grid, folder: &std::path::Path) -> Endgames {
    let ruleset = &grid.experiment.rulesets[0];
    let most = Layer {
        defenders: 1,
        attackers: 3,
    };
    let plan = Plan::new(&Rules::new(*ruleset), most).unwrap();
    let means = Means {
        threads: 1,
        memory: 1 << 30,
    };
    build_tables(folder, ruleset, &plan, means, |_| ()).unwrap();
    Endgames::new(folder.to_owned())
}

/// What of a game is judged: plies, value, proof and fate.
fn judged(grid: &Grid, prover: &Prover) -> Vec<JudgedGame> {
    let cells = grid.cells.iter().enumerate();
    cells
        .flat_map(|(place, cell)| {
            let mut table = Table::new(&grid.experiment, cell);
            let games = 0..grid.experiment.games;
            games.map(move |game| prover.judge(place, cell, &table.transcript(game)))
        })
        .collect()
}

#[test]
fn every_fate_is_what_the_tables_say_of_the_moves() {
    let grid = grid(&format!("{{{FEW}}}"), 600);
    let folder = tempfile::tempdir().unwrap();
    let endgames = tables(&grid, folder.path());
    let rulesets = &grid.experiment.rulesets;
    let known = endgames.whole(&rulesets[0]).unwrap();
    let prover = Prover::new(rulesets, Some(&endgames), 0).unwrap();
    let mut fates = BTreeMap::new();
    for game in judged(&grid, &prover) {
        // All positions are in the tables, so that only lost ones are left out.
        assert!(game.proved.len() as u64 <= game.moves.iter().sum());
        for judged in &game.proved {
            let (value, moves) = known.moves(&judged.position).unwrap();
            assert_eq!(judged.value, value);
            assert_eq!(judged.proof, Proof::Tables);
            let after = moves.iter().find(|(ply, _)| *ply == judged.ply);
            let after = after.map(|(_, value)| value.name());
            let expected = match (value, judged.fate) {
                (Value::Win { .. }, Fate::Kept) => "win",
                // Either by the table, or because the game ended by repetition.
                (Value::Win { .. }, Fate::ThrownToDraw) if judged.after == Some(Value::Draw) => {
                    assert_ne!(after, Some("loss"));
                    *fates.entry(judged.fate).or_insert(0) += 1;
                    continue;
                }
                // Missed: lost by the table, but a repetition might save him yet.
                (_, Fate::ThrownToLoss) | (Value::Win { .. }, Fate::Missed) => "loss",
                (Value::Draw, Fate::Kept) if judged.after.is_none() => "loss",
                (Value::Draw, Fate::Kept) => "draw",
                other => panic!("{other:?}"),
            };
            assert_eq!(after, Some(expected), "{judged:?}");
            *fates.entry(judged.fate).or_insert(0) += 1;
        }
    }
    let count = |fate| fates.get(&fate).copied().unwrap_or(0);
    assert!(count(Fate::Kept) > 100, "{fates:?}");
    assert!(count(Fate::ThrownToDraw) > 10, "{fates:?}");
    assert!(count(Fate::ThrownToLoss) > 10, "{fates:?}");
    assert!(count(Fate::Missed) < 10, "{fates:?}");
}

#[test]
fn what_a_search_proves_the_tables_say_too() {
    let grid = grid(&format!("{{{FEW}}}"), 60);
    let folder = tempfile::tempdir().unwrap();
    let endgames = tables(&grid, folder.path());
    let rulesets = &grid.experiment.rulesets;
    let known = endgames.whole(&rulesets[0]).unwrap();
    let prover = Prover::new(rulesets, None, 3).unwrap();
    let mut fates = BTreeMap::new();
    for game in judged(&grid, &prover) {
        for judged in &game.proved {
            assert_eq!(judged.proof, Proof::Search);
            assert_eq!(known.probe(&judged.position), Some(judged.value));
            let (_, moves) = known.moves(&judged.position).unwrap();
            let after = moves.iter().find(|(ply, _)| *ply == judged.ply).unwrap().1;
            match judged.fate {
                Fate::Kept => assert!(matches!(after, Value::Win { plies: ..=5 })),
                Fate::ThrownToLoss => assert!(matches!(after, Value::Loss { .. })),
                // A longer win, a draw, or a longer loss.
                Fate::Missed => assert!(!matches!(after, Value::Win { plies: ..=5 })),
                Fate::ThrownToDraw => assert_ne!(after.name(), "loss"),
            }
            *fates.entry(judged.fate).or_insert(0) += 1;
        }
    }
    for fate in [Fate::Kept, Fate::Missed, Fate::ThrownToLoss] {
        assert!(fates.get(&fate) > Some(&3), "{fates:?}");
    }
}

#[test]
fn a_draw_that_attackers_win_by_repetition_is_not_proved() {
    let rules = format!("{{{FEW},repetition={{count=3,result='attackers'}}}}");
    let grid = grid(&rules, 60);
    let folder = tempfile::tempdir().unwrap();
    let endgames = tables(&grid, folder.path());
    let prover = Prover::new(&grid.experiment.rulesets, Some(&endgames), 0).unwrap();
    let mut wins = 0;
    for (place, cell) in grid.cells.iter().enumerate() {
        let mut table = Table::new(&grid.experiment, cell);
        for game in 0..grid.experiment.games {
            let transcript = table.transcript(game);
            for judged in prover.judge(place, cell, &transcript).proved {
                assert!(matches!(judged.value, Value::Win { .. }));
                wins += 1;
                if judged.fate == Fate::ThrownToDraw {
                    // Only the end of the game can show that.
                    assert_eq!(judged.plies as usize + 1, transcript.moves.len());
                    assert_eq!(transcript.outcome.unwrap().winner, None);
                }
            }
        }
    }
    assert!(wins > 100, "{wins}");
}

/// Whatever stood already would end the game: a win is proved unless a position
/// before it, in which the same side wins sooner, may lie on its way.
#[test]
fn a_win_that_leads_through_the_past_is_not_proved() {
    let rules = |repetition: &str| format!("{{{FEW}{repetition}}}");
    let folder = tempfile::tempdir().unwrap();
    let strict = grid(&rules(",repetition={count=2,result='draw'}"), 600);
    let endgames = tables(&strict, folder.path());
    let prover = Prover::new(&strict.experiment.rulesets, Some(&endgames), 0).unwrap();
    let known = endgames.whole(&strict.experiment.rulesets[0]).unwrap();
    let (mut proved, mut left_out) = (0, 0);
    for (place, cell) in strict.cells.iter().enumerate() {
        let mut table = Table::new(&strict.experiment, cell);
        for game in 0..strict.experiment.games {
            let transcript = table.transcript(game);
            let judged = prover.judge(place, cell, &transcript);
            let won = |judged: &&ProvedMove| judged.value != Value::Draw;
            let found: Vec<u32> = judged
                .proved
                .iter()
                .filter(won)
                .map(|of| of.plies)
                .collect();
            let rules = cell.rules();
            let mut past = vec![rules.start()];
            let mut expected = Vec::new();
            for (plies, &ply) in (0..).zip(&transcript.moves) {
                let (position, before) = past.split_last().unwrap();
                if let Some(Value::Win { plies: own }) = known.probe(position) {
                    // What had more men cannot come again.
                    let men = |at: &Position| (at.attackers.len(), at.defenders.len());
                    let mut again = before.iter().filter(|at| men(at) == men(position));
                    let sooner = again.any(|earlier| match known.probe(earlier) {
                        Some(Value::Win { plies }) => earlier.side == position.side && plies < own,
                        Some(Value::Loss { plies }) => earlier.side != position.side && plies < own,
                        _ => false,
                    });
                    left_out += u32::from(sooner);
                    expected.extend((!sooner).then_some(plies));
                }
                past.push(rules.play(past.last().unwrap(), ply).position);
            }
            proved += expected.len();
            assert_eq!(found, expected, "game {game}");
        }
    }
    assert!(proved > 100 && left_out > 10, "{proved} {left_out}");
}
