use super::*;

/// Agresti, *Categorical Data Analysis* (2nd edition, 2002), p. 438: home
/// team, away team, home wins, away wins in the Eastern Division of the
/// American League, 1987.
const BASEBALL: &str = include_str!("../../../tests/data/baseball.csv");

/// Davidson (1970), example 2: brands i and j of chocolate pudding, preferred
/// i, preferred j, no preference.
const PUDDING: &str = include_str!("../../../tests/data/pudding.csv");

/// Teams in alphabetical order, Baltimore's strength 0.
fn baseball(home: bool) -> (Design, Vec<Counts>) {
    let games: Vec<Vec<&str>> = BASEBALL
        .lines()
        .skip(1)
        .map(|line| line.split(',').collect())
        .collect();
    let mut teams: Vec<&str> = games.iter().map(|game| game[0]).collect();
    teams.sort_unstable();
    teams.dedup();
    assert_eq!(teams[0], "Baltimore");
    let place = |name: &str| teams.iter().position(|team| *team == name).unwrap();
    let number = |text: &str| text.parse::<f64>().unwrap();
    let row = |game: &Vec<&str>| {
        let mut odds = Vec::new();
        for (team, sign) in [(place(game[0]), 1.0), (place(game[1]), -1.0)] {
            odds.extend((team > 0).then(|| (team - 1, sign)));
        }
        odds.extend(home.then_some((6, 1.0)));
        Row { odds, draw: None }
    };
    let rows = games.iter().map(row).collect();
    let counts = games
        .iter()
        .map(|game| [number(game[2]), number(game[3]), 0.0]);
    (Design::new(rows, 6 + usize::from(home)), counts.collect())
}

fn rounded(values: &[f64], digits: usize) -> Vec<String> {
    let mut sorted = values.to_vec();
    sorted.sort_by(f64::total_cmp);
    sorted
        .iter()
        .map(|value| format!("{value:.digits$}"))
        .collect()
}

/// Table 10.11 of the same book, column 3, and "standard errors are about
/// 0.3"; as `BradleyTerry2` checks itself.
#[test]
fn baseball_has_the_published_strengths() {
    let (design, counts) = baseball(false);
    let problem = Problem::new(&design, &counts);
    let fit = problem.fit(Method::MaximumLikelihood).unwrap();
    assert_eq!(
        rounded(&fit.values, 2),
        ["0.68", "1.11", "1.25", "1.29", "1.44", "1.58"]
    );
    for team in 0..6 {
        let mut contrast = [0.0; 6];
        contrast[team] = 1.0;
        assert_eq!(format!("{:.1}", fit.standard_error(&contrast)), "0.3");
    }
}

/// Column 5 of that table: worths that add up to 1 beside a home advantage of
/// 0.302.
#[test]
fn baseball_has_the_published_home_advantage() {
    let (design, counts) = baseball(true);
    let problem = Problem::new(&design, &counts);
    let fit = problem.fit(Method::MaximumLikelihood).unwrap();
    assert_eq!(format!("{:.3}", fit.values[6]), "0.302");
    let mut worths: Vec<f64> = fit.values[..6].iter().map(|value| value.exp()).collect();
    worths.push(1.0);
    let whole: f64 = worths.iter().sum();
    let shares: Vec<f64> = worths.iter().map(|worth| worth / whole).collect();
    assert_eq!(
        rounded(&shares, 3),
        [
            "0.044", "0.088", "0.137", "0.157", "0.164", "0.190", "0.220"
        ]
    );
}

fn pudding() -> (Design, Vec<Counts>, Vec<[usize; 2]>) {
    let (mut rows, mut counts, mut pairs) = (Vec::new(), Vec::new(), Vec::new());
    for line in PUDDING.lines().skip(1) {
        let numbers: Vec<usize> = line.split(',').map(|text| text.parse().unwrap()).collect();
        let pair = [numbers[0] - 1, numbers[1] - 1];
        let mut odds = Vec::new();
        for (brand, sign) in [(pair[0], 1.0), (pair[1], -1.0)] {
            odds.extend((brand > 0).then(|| (brand - 1, sign)));
        }
        rows.push(Row {
            odds,
            draw: Some(5),
        });
        counts.push([numbers[2], numbers[3], numbers[4]].map(|count| count as f64));
        pairs.push(pair);
    }
    (Design::new(rows, 6), counts, pairs)
}

/// The likelihood equations of the paper: each brand's expected wins plus half
/// its expected ties are its observed ones, and so are all ties.
#[test]
fn pudding_solves_the_papers_equations() {
    let (design, counts, pairs) = pudding();
    let fit = Problem::new(&design, &counts)
        .fit(Method::MaximumLikelihood)
        .unwrap();
    let worth = |brand: usize| {
        if brand == 0 {
            1.0
        } else {
            fit.values[brand - 1].exp()
        }
    };
    let nu = fit.values[5].exp();
    let (mut scores, mut expected) = ([0.0; 6], [0.0; 6]);
    let (mut ties, mut expected_ties) = (0.0, 0.0);
    for ([i, j], counts) in pairs.into_iter().zip(&counts) {
        let games: f64 = counts.iter().sum();
        let tie = nu * (worth(i) * worth(j)).sqrt();
        let whole = worth(i) + worth(j) + tie;
        for (brand, wins) in [(i, counts[0]), (j, counts[1])] {
            scores[brand] += wins + counts[2] / 2.0;
            expected[brand] += games * (worth(brand) + tie / 2.0) / whole;
        }
        ties += counts[2];
        expected_ties += games * tie / whole;
    }
    for brand in 0..6 {
        assert!((scores[brand] - expected[brand]).abs() < 1e-6);
    }
    assert!((ties - expected_ties).abs() < 1e-6);
}

/// The maximum that a search of the parameters one by one finds, which knows
/// nothing of derivatives.
fn brute_force(design: &Design, counts: &[Counts]) -> Vec<f64> {
    let height = |values: &[f64]| -> f64 {
        let one = |(row, counts): (&Row, &Counts)| -> f64 {
            let odds: f64 = row
                .odds
                .iter()
                .map(|&(at, weight)| weight * values[at])
                .sum();
            let parts = [
                (odds / 2.0).exp(),
                (-odds / 2.0).exp(),
                row.draw.map_or(0.0, |at| values[at].exp()),
            ];
            let whole: f64 = parts.iter().sum();
            let terms = parts.iter().zip(counts);
            terms
                .filter(|(_, count)| **count > 0.0)
                .map(|(part, count)| count * (part / whole).ln())
                .sum()
        };
        design.rows.iter().zip(counts).map(one).sum()
    };
    let mut values = vec![0.0; design.parameters];
    let mut width = 1.0;
    while width > 1e-7 {
        let mut moved = false;
        for at in 0..design.parameters {
            for sign in [1.0, -1.0] {
                let mut other = values.clone();
                other[at] += sign * width;
                if height(&other) > height(&values) {
                    values = other;
                    moved = true;
                }
            }
        }
        if !moved {
            width /= 2.0;
        }
    }
    values
}

#[test]
fn a_search_without_derivatives_finds_the_same_maxima() {
    let (design, counts, _) = pudding();
    let fit = Problem::new(&design, &counts)
        .fit(Method::MaximumLikelihood)
        .unwrap();
    for (value, expected) in fit.values.iter().zip(brute_force(&design, &counts)) {
        assert!((value - expected).abs() < 1e-4, "{value} {expected}");
    }
    let (design, counts) = baseball(true);
    let fit = Problem::new(&design, &counts)
        .fit(Method::MaximumLikelihood)
        .unwrap();
    for (value, expected) in fit.values.iter().zip(brute_force(&design, &counts)) {
        assert!((value - expected).abs() < 1e-4, "{value} {expected}");
    }
}

fn one_log_odds() -> Design {
    let row = Row {
        odds: vec![(0, 1.0)],
        draw: None,
    };
    Design::new(vec![row], 1)
}

/// For one rate, Jeffreys' prior adds half a success and half a failure
/// (Firth 1993); also where there was no failure.
#[test]
fn one_log_odds_is_bias_reduced_by_half_a_game_each_way() {
    let design = one_log_odds();
    for (wins, losses) in [(7.0, 3.0), (40.0, 0.0), (0.0, 5.0)] {
        let counts = [[wins, losses, 0.0]];
        let problem = Problem::new(&design, &counts);
        let fit = problem.fit(Method::BiasReduced).unwrap();
        let expected = f64::ln((wins + 0.5) / (losses + 0.5));
        assert!(
            (fit.values[0] - expected).abs() < 1e-6,
            "{} {expected}",
            fit.values[0]
        );
        let separated = wins * losses == 0.0;
        assert_eq!(problem.fit(Method::MaximumLikelihood).is_none(), separated);
        let escape = problem.escape(&fit);
        assert_eq!(escape.is_some(), separated);
        if let Some(way) = escape {
            assert!(way[0] * expected > 40.0, "{way:?}");
        }
    }
}

/// Won `n` times of `n`: with one log odds the penalised likelihood is that of
/// half a game more each way, and its interval ends where that has fallen by
/// 1.92; above, it does not fall so far.
#[test]
fn who_won_always_has_the_lower_bound_of_the_profile() {
    let design = one_log_odds();
    for games in [2.0, 4.0, 20.0, 40.0, 300.0] {
        let counts = [[games, 0.0, 0.0]];
        let problem = Problem::new(&design, &counts);
        let fit = problem.fit(Method::BiasReduced).unwrap();
        let height = |log_odds: f64| {
            -(games + 0.5) * (-log_odds).exp().ln_1p() - 0.5 * log_odds.exp().ln_1p()
        };
        let top = height((2.0 * games + 1.0).ln());
        let (mut outside, mut inside) = (-40.0, (2.0 * games + 1.0).ln());
        for _ in 0..80 {
            let middle = f64::midpoint(outside, inside);
            if top - height(middle) > 1.920_729_410_347 {
                outside = middle;
            } else {
                inside = middle;
            }
        }
        let end = problem.profile_end(&fit, &[1.0], -1.0).unwrap()[0];
        assert!((end - inside).abs() < 1e-5, "{games}: {end} {inside}");
    }
}

/// Of several parameters: the likelihood has fallen by 1.92 at each end, and
/// nothing near it with the same difference of two strengths is higher.
#[test]
fn a_profile_ends_where_the_likelihood_has_fallen_so_far() {
    let (design, counts, _) = pudding();
    let parameters = 6;
    let problem = Problem::new(&design, &counts);
    let fit = problem.fit(Method::BiasReduced).unwrap();
    let height = |values: &[f64]| {
        problem
            .point(values.to_vec())
            .unwrap()
            .height(Method::BiasReduced)
    };
    let mut contrast = vec![0.0; parameters];
    (contrast[0], contrast[1]) = (1.0, -1.0);
    for sign in [1.0, -1.0] {
        let end = problem.profile_end(&fit, &contrast, sign).unwrap();
        assert!((height(&fit.values) - height(&end) - FALL_95).abs() < 1e-6);
        let moved = sign * (dot(&contrast, &end) - dot(&contrast, &fit.values));
        assert!(
            (moved / (1.96 * fit.standard_error(&contrast)) - 1.0).abs() < 0.1,
            "{moved}"
        );
        // Nothing near it with the same difference is higher.
        for at in 0..parameters {
            for step in [-1e-3, 1e-3] {
                let mut other = end.clone();
                other[at] += step;
                match at {
                    0 => other[1] += step,
                    1 => other[0] += step,
                    _ => {}
                }
                assert!(height(&other) <= height(&end) + 1e-9);
            }
        }
    }
}

#[test]
fn the_bias_reduced_score_is_the_slope_of_its_objective() {
    let (design, counts, _) = pudding();
    let problem = Problem::new(&design, &counts);
    let values = vec![0.3, -0.2, 0.1, 0.4, -0.5, -0.3];
    let at = problem.point(values.clone()).unwrap();
    let score = problem.score(&at, Method::BiasReduced);
    for parameter in 0..6 {
        let height = |shift: f64| {
            let mut values = values.clone();
            values[parameter] += shift;
            problem.point(values).unwrap().height(Method::BiasReduced)
        };
        let slope = (height(1e-5) - height(-1e-5)) / 2e-5;
        assert!(
            (slope - score[parameter]).abs() < 1e-4,
            "{slope} {}",
            score[parameter]
        );
    }
}

#[test]
fn comparisons_that_do_not_connect_determine_nothing() {
    // Two pairs of which neither met the other.
    let row = |one, other| Row {
        odds: vec![(one, 1.0), (other, -1.0)],
        draw: None,
    };
    let rows = vec![
        row(0, 1),
        Row {
            odds: vec![(2, 1.0)],
            draw: None,
        },
    ];
    let design = Design::new(rows, 3);
    let counts = [[3.0, 2.0, 0.0], [1.0, 1.0, 0.0]];
    assert!(
        Problem::new(&design, &counts)
            .fit(Method::BiasReduced)
            .is_none()
    );
}
