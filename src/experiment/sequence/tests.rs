//! Against the published formulas, and against many streams whose mean is
//! known.

use rand_core::Rng;

use super::*;
use crate::agents::{Stream, stream};
use crate::experiment::seed::key;

/// Written by `sequence.py` beside it.
const REFERENCE: &str = include_str!("../../../tests/data/statistics/sequence.csv");

fn tally(attackers: u64, draws: u64, defenders: u64) -> Tally {
    Tally {
        attackers,
        defenders,
        draws,
        ..Tally::default()
    }
}

#[test]
fn bounds_are_those_of_the_published_formulas_game_by_game() {
    let mut reader = csv::Reader::from_reader(REFERENCE.as_bytes());
    let mut last = String::new();
    let mut sequence = Sequence::new(0.1, 0, 0.5);
    let mut rows = 0;
    for row in reader.records() {
        let row = row.unwrap();
        let number = |column: usize| -> f64 { row[column].parse().unwrap() };
        let count = |column: usize| -> u64 { row[column].parse().unwrap() };
        if row[0] != last {
            last = row[0].to_owned();
            sequence = Sequence::new(number(1), count(2) as u32, number(3));
        }
        sequence.add(&tally(count(4), count(5), count(6)));
        let [low, high] = sequence.bounds();
        assert!((low - number(7)).abs() < 1e-9, "{row:?}: {low}");
        assert!((high - number(8)).abs() < 1e-9, "{row:?}: {high}");
        rows += 1;
    }
    assert_eq!(rows, 37);
}

/// Chances of a win and of a draw.
#[derive(Clone, Copy, Debug)]
struct Truth(f64, f64);

impl Truth {
    fn mean(self) -> f64 {
        self.0 + self.1 / 2.0
    }

    fn variance(self) -> f64 {
        self.0 + self.1 / 4.0 - self.mean() * self.mean()
    }

    fn play(self, games: u64, stream: &mut Stream) -> Tally {
        let mut results = Tally::default();
        for _ in 0..games {
            let chance = (stream.next_u64() >> 11) as f64 / (1_u64 << 53) as f64;
            if chance < self.0 {
                results.attackers += 1;
            } else if chance < self.0 + self.1 {
                results.draws += 1;
            } else {
                results.defenders += 1;
            }
        }
        results
    }
}

const TRUTHS: [Truth; 9] = [
    Truth(0.5, 0.0),
    Truth(0.3, 0.4),
    Truth(0.0, 0.9),
    Truth(0.2, 0.1),
    Truth(0.1, 0.0),
    Truth(0.01, 0.02),
    Truth(0.002, 0.0),
    Truth(0.9, 0.05),
    Truth(0.998, 0.001),
];

/// Numbers of games, ever further apart.
fn looks(first: u64, most: u64) -> impl Iterator<Item = u64> {
    std::iter::successors(Some(first), |games| Some(games + (games / 8).max(1)))
        .take_while(move |games| *games <= most)
}

fn runs(truth: Truth, runs: u64) -> impl Iterator<Item = Stream> {
    (0..runs).map(move |run| stream(key(run, &format!("{truth:?}"))))
}

/// In how many runs the sequence, and a fixed-number interval looked at as
/// often, ever excluded the truth.
fn ever_wrong(truth: Truth, begun: &Sequence, z: f64) -> [u64; 2] {
    let mut wrong = [0; 2];
    for mut stream in runs(truth, RUNS) {
        let mut sequence = begun.clone();
        let mut seen = Tally::default();
        let mut excluded = [false; 2];
        for games in looks(20, 4_000) {
            let batch = truth.play(games - seen.games(), &mut stream);
            seen.add(&batch);
            sequence.add(&batch);
            let games = games as f64;
            let mean = (seen.attackers as f64 + 0.5 * seen.draws as f64) / games;
            let error = (truth.variance() / games).sqrt();
            excluded[0] |= sequence.excludes(truth.mean());
            excluded[1] |= (mean - truth.mean()).abs() > z * error;
        }
        for (wrong, excluded) in wrong.iter_mut().zip(excluded) {
            *wrong += u64::from(excluded);
        }
    }
    wrong
}

const RUNS: u64 = 1_000;

#[test]
fn the_truth_is_ever_excluded_no_more_often_than_promised() {
    let mut most = 0;
    for truth in TRUTHS {
        for (reach, doublings, confidence, z) in [
            (0.05, 0, 0.95, 1.96),
            (0.025, 4, 0.95, 1.96),
            (0.02, 0, 0.8, 1.2816),
        ] {
            let begun = Sequence::new(reach, doublings, confidence);
            let [sequence, fixed] = ever_wrong(truth, &begun, z);
            let runs = RUNS as f64;
            let promised = (1.0 - confidence) * runs;
            // Three standard deviations of a count with that chance.
            let chance = 3.0 * (promised * confidence).sqrt();
            let case = format!("{truth:?} {reach} {doublings} {confidence}: {sequence}, {fixed}");
            assert!(sequence as f64 <= promised + chance, "{case}");
            // The same looks are too many for an interval that means one.
            assert!(fixed as f64 > 2.0 * promised + chance, "{case}");
            if confidence > 0.9 {
                most = most.max(sequence);
            }
        }
    }
    // It is no way to be right never to say anything.
    assert!(most > 15, "{most}");
}

#[test]
fn it_stops_at_about_twice_the_games_of_a_single_look_and_covers_the_truth() {
    for (truth, width, doublings, most) in [
        (Truth(0.5, 0.0), 0.05, 0, 2.3),
        (Truth(0.5, 0.0), 0.02, 0, 2.3),
        (Truth(0.3, 0.4), 0.03, 0, 2.3),
        (Truth(0.15, 0.1), 0.03, 0, 2.3),
        (Truth(0.8, 0.1), 0.03, 0, 2.3),
        (Truth(0.5, 0.0), 0.025, 4, 2.7),
    ] {
        let (mut games, mut covered) = (0, 0);
        for mut stream in runs(truth, 100) {
            let mut sequence = Sequence::new(width, doublings, 0.95);
            let mut seen = 0;
            for look in looks(100, 100_000) {
                sequence.add(&truth.play(look - seen, &mut stream));
                seen = look;
                let [low, high] = sequence.bounds();
                if high - low <= 2.0 * width {
                    covered += u64::from((low..=high).contains(&truth.mean()));
                    break;
                }
            }
            games += seen;
        }
        let single = 1.96_f64.powi(2) * truth.variance() / (width * width);
        let times = games as f64 / 100.0 / single;
        assert!((1.9..most).contains(&times), "{truth:?} {width}: {times}");
        assert!(covered >= 95, "{truth:?} {width}: {covered}");
    }
}

#[test]
fn doublings_keep_early_bounds_near() {
    let width = |doublings| {
        let mut sequence = Sequence::new(0.025, doublings, 0.95);
        sequence.add(&tally(20, 4, 56));
        sequence.add(&tally(10, 2, 28));
        let [low, high] = sequence.bounds();
        assert!(low < 0.275 && 0.275 < high);
        high - low
    };
    assert!(
        width(4) < 0.3 && width(0) > 0.5,
        "{} {}",
        width(4),
        width(0)
    );
}

#[test]
fn a_side_that_never_wins_is_known_soon() {
    let mut sequence = Sequence::new(0.02, 0, 0.95);
    let mut seen = 0;
    let known = looks(50, 1_000).find(|&games| {
        sequence.add(&tally(0, 0, games - seen));
        seen = games;
        let [low, high] = sequence.bounds();
        low <= 0.0 && high <= 0.04
    });
    assert!(known.is_some_and(|games| games < 200), "{known:?}");
}

#[test]
fn bounds_are_where_exclusion_ends_and_mirror_each_other() {
    for truth in TRUTHS {
        for mut stream in runs(truth, 20) {
            let mut sequence = Sequence::new(0.1, 2, 0.9);
            let mut mirror = Sequence::new(0.1, 2, 0.9);
            for games in [30, 31, 50, 200] {
                let batch = truth.play(games, &mut stream);
                sequence.add(&batch);
                mirror.add(&tally(batch.defenders, batch.draws, batch.attackers));
            }
            let [low, high] = sequence.bounds();
            assert!(0.0 <= low && low < high && high <= 1.0);
            for (inside, outside) in [
                (low + 1e-9, low - 1e-9),
                (high - 1e-9, high + 1e-9),
                (f64::midpoint(low, high), low / 2.0),
            ] {
                assert!(!sequence.excludes(inside), "{truth:?} {inside}");
                if 0.0 < outside && outside < 1.0 {
                    assert!(sequence.excludes(outside), "{truth:?} {outside}");
                }
            }
            let [mirror_low, mirror_high] = mirror.bounds();
            assert!((low - (1.0 - mirror_high)).abs() < 1e-9);
            assert!((high - (1.0 - mirror_low)).abs() < 1e-9);
        }
    }
}

#[test]
fn games_without_a_result_say_nothing() {
    let mut with = Sequence::new(0.05, 0, 0.95);
    let mut without = with.clone();
    for batch in [tally(40, 20, 60), tally(70, 10, 40)] {
        without.add(&batch);
        with.add(&Tally {
            stopped: 500,
            ..batch
        });
    }
    let bits = |sequence: &Sequence| sequence.bounds().map(f64::to_bits);
    assert_eq!(bits(&with), bits(&without));
    let mut none = Sequence::new(0.05, 0, 0.95);
    none.add(&Tally {
        stopped: 500,
        ..Tally::default()
    });
    assert!(none.bounds()[0] < 1e-9 && none.bounds()[1] > 1.0 - 1e-9);
}
