use super::*;
use crate::game::{Bitboard, Position};
use crate::tuning::fit_families;
use crate::tuning::samples::Sample;

/// Games of one position: an attacker on b2 or d2, a defender on c5 or e6, and the
/// defenders win only if both stand where they were named first, or neither.
fn games(ruleset: Ruleset, count: usize) -> Vec<Vec<Sample>> {
    let start = Rules::new(ruleset).start();
    let on = |square: &str| Bitboard::of_option(square.parse::<Square>().ok());
    (0..count)
        .map(|game| {
            let (first, second) = (game % 2 == 0, game / 2 % 2 == 0);
            let position = Position {
                attackers: on(if first { "b2" } else { "d2" }),
                defenders: on(if second { "c5" } else { "e6" }),
                ..start
            };
            let squares = [usize::from(first), 2 + usize::from(second)];
            vec![Sample {
                position,
                features: squares.map(|square| (square as u8, 1)).to_vec(),
                target: f64::from(u8::from(first == second)),
            }]
        })
        .collect()
}

fn samples(ruleset: Ruleset) -> Samples {
    Samples {
        ruleset,
        games: 2_500,
        fitted: games(ruleset, 2_000),
        apart: games(ruleset, 500),
    }
}

fn four() -> Ruleset {
    Ruleset::from_label("king_capture=four").unwrap()
}

#[test]
fn what_weights_cannot_say_of_two_pieces_the_network_learns() {
    let both = [samples(Ruleset::default()), samples(four())];
    let fitted = fit_families(&both).unwrap();
    let mut steps = 0;
    let found = fit_network(&both, &fitted, &mut || steps += 1);
    assert_eq!(steps, FittedNetwork::steps(4_000));
    let names: Vec<&str> = found.rows.iter().map(|row| row.name).collect();
    assert_eq!(
        names,
        ["two, armed, hostile", "four, armed, hostile", "all"]
    );
    for row in &found.rows {
        let [_, weights, network] = row.losses.unwrap();
        // No better than to guess, and nearly sure.
        assert!(weights > 0.6 && network < 0.1, "{row:?}");
        assert!(row.gain.unwrap().is_sure());
    }
    assert_eq!(found.rows[2].positions, 5_000);
    let again = fit_network(&both, &fitted, &mut || {});
    assert_eq!(again.network, found.network);
}

#[test]
fn what_no_game_shows_is_nothing() {
    let one = [samples(four())];
    let fitted = fit_families(&one).unwrap();
    let network = fit_network(&one, &fitted, &mut || {}).network;
    let mut inputs = rule_inputs(&four());
    inputs.sort();
    let written: Vec<&String> = network.rules.keys().collect();
    assert_eq!(written, inputs.iter().collect::<Vec<_>>());
    // One family, and what is for all the others.
    assert_eq!(network.output.len(), 2);
    assert!(network.output[0].rules.holds(&four()));
    assert!(!network.output[0].rules.holds(&Ruleset::default()));
    assert_eq!(network.output[1].rules, Condition::default());
    // The attackers, who move in every position, stand on b2 or d2.
    let zero = [0; UNITS];
    assert!(network.side["attackers"] != zero && network.side["defenders"] == zero);
    for square in Square::all() {
        let images = Symmetry::all().map(|symmetry| symmetry.square(square).to_string());
        let there = images
            .into_iter()
            .any(|image| image == "b2" || image == "d2");
        let row = network.pieces["attacker"][&square.to_string()];
        assert_eq!(row != zero, there, "{square}");
    }
    let text = network.write().unwrap();
    assert_eq!(Network::read(&text).unwrap(), network);
}

#[test]
fn a_few_positions_are_enough_to_be_fitted_to() {
    let mut one = [samples(Ruleset::default())];
    one[0].fitted.truncate(3);
    one[0].apart.clear();
    let fitted = fit_families(&one).unwrap();
    let mut steps = 0;
    let found = fit_network(&one, &fitted, &mut || steps += 1);
    assert_eq!(steps, FittedNetwork::steps(3));
    let all = found.rows.last().unwrap();
    assert_eq!((all.positions, all.losses, all.gain), (3, None, None));
}
