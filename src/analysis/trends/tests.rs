use super::*;
use crate::analysis::fixture;
use crate::experiment::{Cell, Winner};

/// Games of a score that is nearest to these log odds, the index deciding.
fn games(log_odds: f64, count: usize) -> Vec<Option<Winner>> {
    let wins = (count as f64 / (1.0 + libm::exp(-log_odds))).round() as usize;
    // Spread evenly, so that neighbours do not agree.
    let winner = |game: usize| match game * 7919 % count < wins {
        true => Winner::Attackers,
        false => Winner::Defenders,
    };
    (0..count).map(|game| Some(winner(game))).collect()
}

fn budgets(cell: &Cell) -> [f64; 2] {
    let pair = &cell.pair;
    [&pair.attackers, &pair.defenders].map(|agent| agent.budget().unwrap().1 as f64)
}

fn run(agents: &str, cross: bool, log_odds: impl Fn([f64; 2]) -> f64) -> Run {
    let rest = format!("presets=['wtf']\n[[match]]\nagents=[{agents}]\ncross={cross}");
    fixture::run_of("common", &rest, |cell| games(log_odds(budgets(cell)), 4001))
}

const FOUR: &str =
    "'alphabeta:nodes=100','alphabeta:nodes=200','alphabeta:nodes=400','alphabeta:nodes=1600'";

/// Rows of quantity, budget, estimate, verdict.
fn told(run: &Run) -> Vec<(String, String, f64, String)> {
    let table = table(std::slice::from_ref(run));
    let fields = table.fields().into_iter();
    let told = fields.map(|row| {
        let estimate = row[8].parse().unwrap_or(f64::NAN);
        (row[4].clone(), row[5].clone(), estimate, row[15].clone())
    });
    told.collect()
}

fn assert_told(run: &Run, expected: &[(&str, &str, f64, &str)]) {
    let told = told(run);
    assert_eq!(told.len(), expected.len(), "{told:?}");
    for ((quantity, budget, estimate, verdict), expected) in told.iter().zip(expected) {
        assert_eq!(
            (&**quantity, &**budget, &**verdict),
            (expected.0, expected.1, expected.3),
            "{told:?}"
        );
        let close = (estimate - expected.2).abs() < 0.01 * expected.2.abs().max(0.3);
        assert!(
            close || (estimate.is_nan() && expected.2.is_nan()),
            "{told:?}"
        );
    }
}

#[test]
fn slopes_are_per_doubling_and_say_where_they_lead() {
    let score = |log_odds: f64| 1.0 / (1.0 + libm::exp(-log_odds));
    for (start, slope, verdict) in [
        (0.2, 0.3, "away from balance"),
        (-0.2, -0.3, "away from balance"),
        (-1.6, 0.3, "toward balance"),
        (-0.5, 0.4, "toward attackers"),
        (0.5, -0.4, "toward defenders"),
        (0.4, 0.0, "no trend seen"),
    ] {
        let at = |[budget, _]: [f64; 2]| start + slope * libm::log2(budget / 100.0);
        let step = score(at([1600.0, 0.0])) - score(at([400.0, 0.0]));
        let expected = [
            ("equal_slope", "", slope, verdict),
            ("equal_curvature", "", 0.0, ""),
            ("last_step", "1600", step, ""),
        ];
        assert_told(&run(FOUR, false, at), &expected);
    }
}

#[test]
fn curvature_is_the_change_of_the_slope_per_doubling() {
    let at = |[budget, _]: [f64; 2]| {
        let x = libm::log2(budget / 100.0);
        0.9 - 1.2 * x + 0.25 * x * x
    };
    assert!((told(&run(FOUR, false, at))[1].2 - 0.5).abs() < 0.005);
    // Two budgets have none.
    let two = run(
        "'mcts:playouts=9','mcts:playouts=18'",
        false,
        |[budget, _]| budget / 30.0,
    );
    let quantities: Vec<String> = told(&two).into_iter().map(|row| row.0).collect();
    assert_eq!(quantities, ["equal_slope", "last_step"]);
}

#[test]
fn unequal_budgets_give_each_sides_gain_and_the_odds() {
    let agents = "'alphabeta:nodes=100','alphabeta:nodes=200','alphabeta:nodes=400'";
    let run = run(agents, true, |budgets| {
        let [x, y] = budgets.map(|budget| libm::log2(budget / 100.0));
        0.6 + 0.5 * x - 0.4 * y
    });
    let expected = [
        ("equal_slope", "", 0.1, "away from balance"),
        ("equal_curvature", "", 0.0, ""),
        ("last_step", "400", 0.020, ""),
        ("attackers_doubling", "", 0.5, ""),
        ("defenders_doubling", "", 0.4, ""),
        // 0.6 + 0.5·x = 0.4·y, and the ratio is 2 to the power of y − x.
        ("odds", "100", libm::exp2(1.5), ""),
        ("odds", "200", libm::exp2(2.75 - 1.0), "extrapolated"),
        ("odds", "400", libm::exp2(4.0 - 2.0), "extrapolated"),
    ];
    assert_told(&run, &expected);
    let table = table(std::slice::from_ref(&run));
    for row in table.fields() {
        let [estimate, _, low, high] =
            [8, 9, 10, 11].map(|column| row[column].parse::<f64>().unwrap());
        assert!(low < estimate && estimate < high, "{row:?}");
    }
    assert_eq!((&*table.fields()[0][6], &*table.fields()[5][6]), ("3", "9"));
}

/// The error of the odds by the delta method is what resampling gives.
#[test]
fn the_error_of_the_odds_is_that_of_games_drawn_again() {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    let mut numbers = ChaCha8Rng::seed_from_u64(5);
    let mut estimates = Vec::new();
    let mut errors = Vec::new();
    for _ in 0..200 {
        let rest = "presets=['wtf']\n[[match]]\nagents=['alphabeta:nodes=100','alphabeta:nodes=400']\ncross=true";
        let draws = std::cell::RefCell::new(&mut numbers);
        let run = fixture::run_of("independent", rest, |cell| {
            let [x, y] = budgets(cell).map(|budget| libm::log2(budget / 100.0));
            let chance = 1.0 / (1.0 + libm::exp(-0.3 - 0.4 * x + 0.5 * y));
            let mut numbers = draws.borrow_mut();
            let mut winner = || match (numbers.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 {
                below if below < chance => Winner::Attackers,
                _ => Winner::Defenders,
            };
            (0..500).map(|_| Some(winner())).collect()
        });
        let rows = of_run(&run);
        let row = rows.iter().find(|row| row.quantity == "odds").unwrap();
        let estimate = row.estimate.unwrap();
        estimates.push(libm::log2(estimate.value));
        errors.push(estimate.se.unwrap());
    }
    let count = estimates.len() as f64;
    let mean = estimates.iter().sum::<f64>() / count;
    let squares: f64 = estimates
        .iter()
        .map(|one| (one - mean) * (one - mean))
        .sum();
    let spread = (squares / (count - 1.0)).sqrt();
    let error = errors.iter().sum::<f64>() / count;
    assert!((mean - 0.6).abs() < 0.05, "{mean}");
    assert!((spread / error - 1.0).abs() < 0.15, "{spread} {error}");
}

/// Where budgets are unevenly apart, a few games in one cell lie close to the line
/// whatever its slope is: that is no evidence of one.
#[test]
fn few_games_in_one_cell_are_no_trend() {
    use Winner::{Attackers, Defenders, Draw};
    let agents = "'alphabeta:nodes=100','alphabeta:nodes=200','alphabeta:nodes=3000'";
    for (rare, counts) in [(Attackers, [0, 2, 0]), (Draw, [0, 2, 0]), (Draw, [2, 3, 0])] {
        let rest = format!("presets=['masters']\n[[match]]\nagents=[{agents}]");
        let run = fixture::run_of("common", &rest, |cell| {
            let place = [150.0, 250.0].map(|budget| budgets(cell)[0] > budget);
            let events = counts[place.iter().filter(|is_above| **is_above).count()];
            let winner = |game| if game < events { rare } else { Defenders };
            (0..40).map(|game| Some(winner(game))).collect()
        });
        let rows = of_run(&run);
        let slope = &rows[0];
        assert_eq!((slope.quantity, slope.fit), ("equal_slope", "firth"));
        let p = slope.p().unwrap();
        assert!(p > 0.15, "{rare:?} {counts:?}: {p}");
    }
}

/// Of games that are won now and then at every budget alike, no more than so many
/// experiments in a hundred show a trend.
#[test]
fn rare_wins_show_no_more_trends_than_chance_does() {
    use rand_chacha::ChaCha8Rng;
    use rand_chacha::rand_core::{Rng, SeedableRng};
    const RUNS: usize = 600;
    let agents = "'alphabeta:nodes=100','alphabeta:nodes=200','alphabeta:nodes=3000'";
    let rest = format!("presets=['masters']\n[[match]]\nagents=[{agents}]");
    for (chance, games) in [(0.02, 40), (0.1, 100)] {
        let mut numbers = ChaCha8Rng::seed_from_u64(7);
        let mut below = [0; 2];
        for _ in 0..RUNS {
            let draws = std::cell::RefCell::new(&mut numbers);
            let run = fixture::run_of("common", &rest, |_| {
                let mut numbers = draws.borrow_mut();
                let mut winner = || match (numbers.next_u64() >> 11) as f64 / (1_u64 << 53) as f64 {
                    number if number < chance => Winner::Attackers,
                    _ => Winner::Defenders,
                };
                (0..games).map(|_| Some(winner())).collect()
            });
            // One side's win of every game has no slope.
            let p = of_run(&run)[0].p().unwrap_or(1.0);
            for (count, level) in below.iter_mut().zip([0.05, 0.001]) {
                *count += usize::from(p < level);
            }
        }
        // 5 % and 0.1 %, and three standard errors.
        assert!(below[0] <= 46 && below[1] <= 3, "{chance}: {below:?}");
    }
}

#[test]
fn a_side_that_always_wins_has_no_slope() {
    let rest = "presets=['wtf']\n[[match]]\nagents=['mcts:playouts=9','mcts:playouts=18','random']\ncross=true";
    let run = fixture::run_of("common", rest, |_| vec![Some(Winner::Defenders); 30]);
    let told = told(&run);
    let names: Vec<&str> = told.iter().map(|row| &*row.0).collect();
    let doublings = ["attackers_doubling", "defenders_doubling", "odds", "odds"];
    assert_eq!(
        names,
        [&["equal_slope", "last_step"][..], &doublings].concat()
    );
    assert!(told[0].2.is_nan() && told[2].2.is_nan() && told[4].2.is_nan());
    assert_eq!((told[1].2, &*told[0].3), (0.0, "no trend seen"));
}
