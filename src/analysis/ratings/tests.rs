use std::sync::atomic::{AtomicUsize, Ordering};

use super::*;
use crate::analysis::davidson::chances;
use crate::experiment::{Source, Winner};

/// An experiment of these agents, each against each, under two rulesets.
fn experiment(agents: &[&str], games: usize) -> Experiment {
    let text = format!(
        "name='x'\nseed=5\ngames={games}\npairing='common'\n\
         [rules]\npresets=['wtf','walker-2011']\n[[match]]\nagents={agents:?}\ncross=true\n"
    );
    Source::parse("x", &text).unwrap().experiment
}

fn rate(experiment: &Experiment, outcomes: &Outcomes) -> Result<Ratings, RateError> {
    Ratings::new(experiment, outcomes, &|| true)
}

const AGENTS: [&str; 3] = ["random", "greedy", "alphabeta:depth=1"];

/// The truth that games are simulated from, in natural units.
struct Truth {
    attackers: Vec<f64>,
    defenders: Vec<f64>,
    sides: [f64; 2],
    draws: [f64; 2],
}

fn truth() -> Truth {
    Truth {
        attackers: vec![-0.8, 0.1, 0.7],
        defenders: vec![-0.5, -0.1, 0.6],
        sides: [0.5, -1.0],
        draws: [-0.7, -1.5],
    }
}

impl Truth {
    fn play(&self, games: usize, seed: u64) -> Outcomes {
        let mut numbers = ChaCha8Rng::seed_from_u64(seed);
        let mut cells = Vec::new();
        for ruleset in 0..2 {
            for attackers in &self.attackers {
                for defenders in &self.defenders {
                    let odds = self.sides[ruleset] + attackers - defenders;
                    let [won, lost, _] = chances(odds, Some(self.draws[ruleset]));
                    let winner = |_| {
                        let draw = (numbers.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
                        if draw < won {
                            Winner::Attackers
                        } else if draw < won + lost {
                            Winner::Defenders
                        } else {
                            Winner::Draw
                        }
                    };
                    cells.push((0..games).map(winner).collect());
                }
            }
        }
        Outcomes::from_winners(&cells)
    }
}

fn contains(estimate: &Estimate, truth: f64) -> bool {
    estimate.low.is_none_or(|low| low <= ELO * truth)
        && estimate.high.is_none_or(|high| ELO * truth <= high)
}

fn wald_contains(estimate: &Estimate, truth: f64) -> bool {
    (estimate.elo - ELO * truth).abs() <= 1.96 * estimate.se
}

/// Both kinds of intervals hold the truth as often as they say, within four
/// standard errors of so many simulations.
#[test]
fn intervals_hold_the_truth_as_often_as_they_say() {
    const SIMULATIONS: u64 = 120;
    let (truth, games) = (truth(), 60);
    let experiment = experiment(&AGENTS, games);
    let mut held = [[0_u64; 2]; 5];
    for seed in 0..SIMULATIONS {
        let ratings = rate(&experiment, &truth.play(games, seed)).unwrap();
        let all = &ratings.scopes[0];
        let last = &all.agents[2].strengths;
        let looked_at = [
            (
                &last.both,
                f64::midpoint(truth.attackers[2], truth.defenders[2]),
            ),
            (&last.attackers, truth.attackers[2]),
            (
                &all.steps[0].gain.defenders,
                truth.defenders[1] - truth.defenders[0],
            ),
            (&all.sides[1].advantage, truth.sides[1]),
            (
                &ratings.scopes[1].agents[0].strengths.attackers,
                truth.attackers[0],
            ),
        ];
        for (held, (estimate, truth)) in held.iter_mut().zip(looked_at) {
            held[0] += u64::from(contains(estimate, truth));
            held[1] += u64::from(wald_contains(estimate, truth));
        }
    }
    let error = (0.95 * 0.05 * SIMULATIONS as f64).sqrt();
    for count in held.into_iter().flatten() {
        let off = (count as f64 - 0.95 * SIMULATIONS as f64) / error;
        assert!(off.abs() < 4.0, "{held:?}");
    }
}

#[test]
fn many_games_give_the_strengths_back() {
    let truth = truth();
    let experiment = experiment(&AGENTS, 4000);
    let ratings = rate(&experiment, &truth.play(4000, 1)).unwrap();
    assert_eq!(ratings.scopes.len(), 3);
    let all = &ratings.scopes[0];
    assert_eq!((all.name.as_str(), all.resamples), ("all", RESAMPLES));
    for agent in 0..3 {
        let found = &all.agents[agent].strengths;
        assert!((found.attackers.elo - ELO * truth.attackers[agent]).abs() < 12.0);
        assert!((found.defenders.elo - ELO * truth.defenders[agent]).abs() < 12.0);
        assert!(found.both.se < 5.0 && found.both.open.is_none());
        let both = f64::midpoint(found.attackers.elo, found.defenders.elo);
        assert!((found.both.elo - both).abs() < 1e-9);
    }
    for ruleset in 0..2 {
        let side = &all.sides[ruleset];
        let [won, _, drawn] = chances(truth.sides[ruleset], Some(truth.draws[ruleset]));
        assert!((side.score.share - won - drawn / 2.0).abs() < 0.02);
        assert!((side.draws.share - drawn).abs() < 0.02);
        assert!(side.draws.low < drawn && drawn < side.draws.high);
        assert_eq!(side.games.finished(), 36_000);
    }
}

/// Results of cells by the agents' new places.
fn relabelled(outcomes: &Outcomes, order: [usize; 3]) -> Outcomes {
    let winners = [Winner::Attackers, Winner::Defenders, Winner::Draw];
    let mut cells = Vec::new();
    for ruleset in 0..2 {
        for attackers in order {
            for defenders in order {
                let cell = ruleset * 9 + attackers * 3 + defenders;
                let games = (0..outcomes.games()).map(|game| {
                    let mut once = vec![0; outcomes.games()];
                    once[game] = 1;
                    let counts = outcomes.counts(&once)[cell];
                    winners[counts.iter().position(|&count| count == 1).unwrap()]
                });
                cells.push(games.collect());
            }
        }
    }
    Outcomes::from_winners(&cells)
}

#[test]
fn names_and_places_change_no_rating() {
    let order = [2, 0, 1];
    let outcomes = truth().play(40, 3);
    let ratings = rate(&experiment(&AGENTS, 40), &outcomes).unwrap();
    let names = order.map(|agent| AGENTS[agent]);
    let others = rate(&experiment(&names, 40), &relabelled(&outcomes, order)).unwrap();
    for (scope, other) in ratings.scopes.iter().zip(&others.scopes) {
        for rating in &other.agents {
            let same = |one: &&AgentRating| one.agent == rating.agent;
            let found = scope.agents.iter().find(same).unwrap();
            assert_eq!(found.attacking, rating.attacking);
            for (one, two) in [
                (&found.strengths.both, &rating.strengths.both),
                (&found.strengths.attackers, &rating.strengths.attackers),
                (&found.strengths.defenders, &rating.strengths.defenders),
            ] {
                assert!((one.elo - two.elo).abs() < 1e-4);
                assert!((one.se - two.se).abs() < 1e-4);
                assert!((one.low.unwrap() - two.low.unwrap()).abs() < 1e-3);
            }
        }
    }
}

#[test]
fn who_wants_no_more_resamples_gets_no_ratings() {
    let experiment = experiment(&AGENTS, 10);
    let outcomes = truth().play(10, 4);
    let heard = AtomicUsize::new(0);
    let rated = Ratings::new(&experiment, &outcomes, &|| {
        heard.fetch_add(1, Ordering::Relaxed) < 20
    });
    assert!(matches!(rated, Err(RateError::Interrupted)), "{rated:?}");
    assert!((21..RESAMPLES).contains(&heard.into_inner()));
}

#[test]
fn the_same_games_give_the_same_bytes_on_any_number_of_threads() {
    let experiment = experiment(&AGENTS, 30);
    let outcomes = truth().play(30, 4);
    let on = |threads| {
        let pool = rayon::ThreadPoolBuilder::new()
            .num_threads(threads)
            .build()
            .unwrap();
        pool.install(|| rate(&experiment, &outcomes).unwrap().files())
    };
    assert_eq!(on(1), on(3));
    let mut other = experiment.clone();
    other.seed += 1;
    assert_ne!(rate(&other, &outcomes).unwrap().files(), on(1));
}

/// Where every game of an opening goes the same way, an opening is one
/// observation and not eighteen.
#[test]
fn the_bootstrap_takes_openings_for_the_units() {
    let games = 200;
    let winner = |game: usize| match game * 7919 % 100 {
        0..60 => Winner::Attackers,
        _ => Winner::Defenders,
    };
    let cells: Vec<Vec<Winner>> = vec![(0..games).map(winner).collect(); 18];
    let ratings = rate(&experiment(&AGENTS, games), &Outcomes::from_winners(&cells)).unwrap();
    let side = &ratings.scopes[0].sides[0].advantage;
    let width = (side.high.unwrap() - side.low.unwrap()) / (2.0 * 1.96);
    // Nine cells of the ruleset: three times the error.
    assert!(
        (2.5..3.5).contains(&(width / side.se)),
        "{width} {}",
        side.se
    );
    let same = &ratings.scopes[0].steps[0].gain.both;
    assert!(same.elo.abs() < 1e-6 && same.high.unwrap().abs() < 1e-6);
}

/// The last agent wins every game as attackers and the first one loses every
/// game in both roles: finite strengths, open bounds, and the middle one as
/// ever.
#[test]
fn who_always_wins_or_loses_has_an_open_bound() {
    let games = 50;
    let mut cells = Vec::new();
    for _ in 0..2 {
        for attackers in 0..3 {
            for defenders in 0..3 {
                let winner = |game: usize| match (attackers, defenders) {
                    (0, _) => Winner::Defenders,
                    (2, _) | (_, 0) => Winner::Attackers,
                    _ => [Winner::Attackers, Winner::Draw, Winner::Defenders][game % 3],
                };
                cells.push((0..games).map(winner).collect());
            }
        }
    }
    let ratings = rate(&experiment(&AGENTS, games), &Outcomes::from_winners(&cells)).unwrap();
    for scope in &ratings.scopes {
        let [first, middle, last] = [0, 1, 2].map(|agent| &scope.agents[agent].strengths);
        assert_eq!(first.attackers.open, Some(Open::Below), "{scope:#?}");
        assert_eq!(last.attackers.open, Some(Open::Above));
        assert_eq!(middle.attackers.open, None);
        assert!(last.attackers.high.is_none() && last.attackers.low.is_some());
        // As attackers it won 150 games of 150 (of all rulesets, 300), which
        // odds of e² to one for it in each, 347 points, do not explain.
        let low = last.attackers.low.unwrap();
        assert!(low < last.attackers.elo - 250.0 && low > 0.0, "{low}");
        assert!(first.attackers.elo < middle.attackers.elo);
        assert!(middle.attackers.elo < last.attackers.elo && last.attackers.elo < 4000.0);
        // He alone is told against: that he is as strong as himself is certain.
        let own = middle.attackers;
        assert!(own.elo.abs() + own.low.unwrap().abs() + own.high.unwrap().abs() < 1e-9);
        assert_eq!(scope.steps[1].gain.attackers.open, Some(Open::Above));
        assert_eq!(scope.steps[0].gain.both.open, Some(Open::Above));
    }
}

/// Of two agents the weaker one loses every game against the other, whatever they do
/// against themselves: what one has no bound below, the other has none above, and the
/// bounds that there are mirror each other.
#[test]
fn two_agents_without_a_bound_mirror_each_other() {
    let games = 50;
    let agents = ["random", "greedy"];
    let own = |game: usize| [Winner::Attackers, Winner::Draw, Winner::Defenders][game % 3];
    let cell = |winner: &dyn Fn(usize) -> Winner| (0..games).map(winner).collect();
    let of_ruleset = [
        cell(&own),
        cell(&|_| Winner::Defenders),
        cell(&|_| Winner::Attackers),
        cell(&own),
    ];
    let cells = [of_ruleset.clone(), of_ruleset].concat();
    let ratings = rate(&experiment(&agents, games), &Outcomes::from_winners(&cells)).unwrap();
    for scope in &ratings.scopes {
        let [weak, strong] = [0, 1].map(|agent| &scope.agents[agent].strengths);
        for (weak, strong) in [
            (weak.both, strong.both),
            (weak.attackers, strong.attackers),
            (weak.defenders, strong.defenders),
        ] {
            assert!((weak.elo + strong.elo).abs() < 1e-6, "{scope:#?}");
            assert_eq!(weak.open, Some(Open::Below));
            assert_eq!(strong.open, Some(Open::Above));
            assert_eq!((weak.low, strong.high), (None, None));
            assert!((weak.high.unwrap() + strong.low.unwrap()).abs() < 1e-3);
        }
        // An average of the two attacks as well as it defends.
        assert_eq!(scope.sides[0].advantage.open, None);
    }
}

/// Two of three agents play each other, and both beat the third in every game: they are
/// told against each other, with bounds.
#[test]
fn agents_between_whom_games_decide_have_bounds_whoever_else_plays() {
    let games = 60;
    let mut cells = Vec::new();
    for _ in 0..2 {
        for attackers in 0..3 {
            for defenders in 0..3 {
                let winner = |game: usize| match (attackers, defenders) {
                    (0, 1 | 2) => Winner::Defenders,
                    (1 | 2, 0) => Winner::Attackers,
                    _ => [Winner::Attackers, Winner::Draw, Winner::Defenders][game * 7 % 3],
                };
                cells.push((0..games).map(winner).collect());
            }
        }
    }
    let ratings = rate(&experiment(&AGENTS, games), &Outcomes::from_winners(&cells)).unwrap();
    for scope in &ratings.scopes {
        let [never, one, other] = [0, 1, 2].map(|agent| &scope.agents[agent].strengths);
        assert_eq!(never.both.open, Some(Open::Below));
        for pair in [(one.attackers, other.attackers), (one.both, other.both)] {
            assert_eq!((pair.0.open, pair.1.open), (None, None), "{scope:#?}");
            assert!((pair.0.elo + pair.1.elo).abs() < 1e-6);
            assert!(pair.0.low <= Some(pair.0.elo) && Some(pair.0.elo) <= pair.0.high);
        }
    }
}

/// Who never loses as defenders is without a bound in one role alone. An average player
/// then is whoever has bounds in both, on either side of the board: the attackers' share is
/// that of games between such players.
#[test]
fn a_role_without_bounds_does_not_move_the_sides() {
    let games = 100;
    let agents = ["random", "greedy"];
    let often = |wins: usize| {
        move |game: usize| match game * 37 % 100 < wins {
            true => Winner::Attackers,
            false => Winner::Defenders,
        }
    };
    let cell = |wins: usize| (0..games).map(often(wins)).collect();
    // The latter holds against everybody, and attacks the former as well as he himself.
    let of_ruleset = [cell(10), cell(0), cell(30), cell(0)];
    let cells = [of_ruleset.clone(), of_ruleset].concat();
    let ratings = rate(&experiment(&agents, games), &Outcomes::from_winners(&cells)).unwrap();
    for scope in &ratings.scopes {
        let [one, other] = [0, 1].map(|agent| &scope.agents[agent].strengths);
        assert_eq!(other.defenders.open, Some(Open::Above), "{scope:#?}");
        assert_eq!(other.both.open, Some(Open::Above));
        assert_eq!((other.attackers.open, one.both.open), (None, None));
        assert!(other.attackers.low.unwrap() > 0.0);
        for side in &scope.sides {
            let share = side.score.share;
            assert!((0.09..0.12).contains(&share), "{share}");
            assert!(side.score.low < 0.1 && side.score.high < 0.25);
        }
    }
}

#[test]
fn games_that_were_stopped_are_counted_and_not_used() {
    let experiment = experiment(&AGENTS, 40);
    let outcomes = truth().play(20, 9);
    let mut cells = Vec::new();
    for cell in 0..18 {
        let mut winners = Vec::new();
        for game in 0..20 {
            let mut once = vec![0; 20];
            once[game] = 1;
            let place = outcomes.counts(&once)[cell]
                .iter()
                .position(|&count| count == 1);
            winners.push([Winner::Attackers, Winner::Defenders, Winner::Draw][place.unwrap()]);
        }
        winners.extend([Winner::None; 20]);
        cells.push(winners);
    }
    let with = rate(&experiment, &Outcomes::from_winners(&cells)).unwrap();
    let mut half = experiment.clone();
    half.games = 20;
    let without = rate(&half, &outcomes).unwrap();
    let (with, without) = (&with.scopes[0], &without.scopes[0]);
    assert_eq!(with.agents[0].attacking.stopped, 120);
    assert_eq!(with.sides[0].games.stopped, 180);
    for (one, two) in with.agents.iter().zip(&without.agents) {
        assert!((one.strengths.both.elo - two.strengths.both.elo).abs() < 1e-9);
        assert!((one.strengths.both.se - two.strengths.both.se).abs() < 1e-9);
    }

    let stopped = Outcomes::from_winners(&vec![vec![Winner::None; 40]; 18]);
    let error = rate(&experiment, &stopped).unwrap_err().to_string();
    assert!(error.contains("all rulesets"), "{error}");
}
