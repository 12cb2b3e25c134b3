//! Which rulesets are balanced, and between whom: `verdicts.csv`. Imports the
//! score's tests, adjusted p values and runs.

use super::WILSON_95_Z;
use super::adjust::benjamini_hochberg;
use super::forfeits;
use super::normal;
use super::run::{CellGames, Run};
use super::score::Score;
use super::sheet::{Sheet, Table};
use crate::experiment::Decision;

/// Of every test.
const LEVEL: f64 = 0.05;
/// More games than this nobody plays.
const MOST_GAMES: f64 = 1e12;

/// What the games of a cell say about its balance.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Verdict {
    /// Within the margin.
    Balanced,
    /// Better for the attackers.
    Attackers,
    /// Better for the defenders.
    Defenders,
    /// Neither is certain.
    Undecided,
}

impl Verdict {
    pub(super) fn name(self) -> &'static str {
        match self {
            Verdict::Balanced => "balanced",
            Verdict::Attackers => "attackers",
            Verdict::Defenders => "defenders",
            Verdict::Undecided => "undecided",
        }
    }
}

struct Row<'a> {
    run: &'a Run,
    cell: &'a CellGames,
    score: Score,
    margin: f64,
    p_even_adjusted: Option<f64>,
    /// The p value at which the score would be found to differ from ½, as
    /// those of the other cells are.
    threshold: f64,
    counted: Counted,
}

/// Who said how many games a cell has.
#[derive(Clone, Copy)]
enum Counted {
    /// The experiment.
    Fixed,
    /// A rule, which looked at them; with bounds that allow for that, once the
    /// run is finished.
    ByRule(Option<[f64; 2]>),
}

impl Row<'_> {
    fn verdict(&self) -> Verdict {
        if self.is_forfeited() {
            return Verdict::Undecided;
        }
        if let Counted::ByRule(bounds) = self.counted {
            return match bounds.and_then(|bounds| Decision::by_bounds(bounds, self.margin)) {
                Some(Decision::Balanced) => Verdict::Balanced,
                Some(Decision::Attackers) => Verdict::Attackers,
                Some(Decision::Defenders) => Verdict::Defenders,
                _ => Verdict::Undecided,
            };
        }
        let below = |p: Option<f64>| p.is_some_and(|p| p < LEVEL);
        if below(self.p_balanced()) {
            Verdict::Balanced
        } else if !below(self.p_even_adjusted) {
            Verdict::Undecided
        } else if self.score.z(0.5) > 0.0 {
            Verdict::Attackers
        } else {
            Verdict::Defenders
        }
    }

    /// Whether forfeits, which say nothing of the rules, are too many.
    fn is_forfeited(&self) -> bool {
        let row = &self.cell.row;
        forfeits::are_too_many(row.forfeits.values().sum(), row.games)
    }

    /// The p value of a score outside the margin: of few games no less than the
    /// exact test can have.
    fn p_balanced(&self) -> Option<f64> {
        let p = self.score.p_balanced(self.margin)?;
        Some(p.max(self.score.least_p_balanced(self.margin)))
    }

    /// The two-sided p value of a score of ½: of few games no less than the
    /// exact test can have, which the normal distribution does not know.
    fn p_even(&self) -> Option<f64> {
        let p = self.score.p_even()?;
        Some(p.max(self.score.least_p_even()))
    }

    /// About how many more games would decide, if shares stay: every z grows
    /// with the root of the number of games.
    fn more_games(&self) -> Option<u64> {
        let games: u64 = self.cell.finished().iter().sum();
        let is_open = self.verdict() == Verdict::Undecided && !self.is_forfeited();
        if games == 0 || !self.is_fixed() || !is_open {
            return None;
        }
        let times = |needed: f64, have: f64| match have > 0.0 {
            true => needed / have,
            false => f64::INFINITY,
        };
        let squared = |needed: f64, z: f64| times(needed, z).powi(2);
        let z90 = normal::quantile(1.0 - LEVEL);
        // As many games, and decided ones, at least as the exact tests take.
        let least = libm::log(LEVEL) / libm::log(1.0 - 2.0 * self.margin);
        let balanced =
            squared(z90, self.score.z_inside(self.margin)).max(times(least, games as f64));
        let critical = normal::quantile(1.0 - self.threshold / 2.0);
        let decided = (1.0 - libm::log2(self.threshold)).floor() + 1.0;
        let differs =
            squared(critical, self.score.z(0.5).abs()).max(times(decided, self.score.decided()));
        let more = (games as f64 * (balanced.min(differs) - 1.0)).ceil();
        (more <= MOST_GAMES).then(|| more.max(1.0) as u64)
    }

    /// The interval at this critical value; where a rule counted the games, the
    /// one that allows for it.
    fn bounds(&self, critical: f64) -> Option<[f64; 2]> {
        self.score.value()?;
        match self.counted {
            Counted::Fixed => Some(self.score.interval(critical)),
            Counted::ByRule(bounds) => bounds,
        }
    }

    fn is_fixed(&self) -> bool {
        matches!(self.counted, Counted::Fixed)
    }

    /// What takes the number of games for fixed; nothing where it is not.
    fn fixed<T>(&self, of: impl Fn(&Self) -> Option<T>) -> Option<T> {
        self.is_fixed().then(|| of(self)).flatten()
    }
}

/// The rows of a run, cells without games left out.
fn of_run(run: &Run, margin: f64) -> Vec<Row<'_>> {
    let ruled = run.experiment().stop.is_some();
    let cells = run.cells.iter().filter(|cell| cell.row.games > 0);
    let mut rows: Vec<Row<'_>> = cells
        .map(|cell| Row {
            run,
            cell,
            score: Score::new(cell.finished()),
            margin,
            p_even_adjusted: None,
            threshold: 0.0,
            counted: match ruled {
                false => Counted::Fixed,
                true => Counted::ByRule(cell.row.decision.map(|said| [said.low, said.high])),
            },
        })
        .collect();
    // Rows with many forfeits are not tested.
    let tested = |row: &Row<'_>| row.p_even().filter(|_| !row.is_forfeited());
    let p_values: Vec<Option<f64>> = rows.iter().map(tested).collect();
    let adjusted = benjamini_hochberg(&p_values);
    let tests = p_values.iter().flatten().count() as f64;
    let rejected = adjusted.iter().flatten().filter(|&&p| p < LEVEL).count() as f64;
    // One more rejection has to be below this.
    let threshold = LEVEL * (rejected + 1.0) / tests;
    for (row, p) in rows.iter_mut().zip(adjusted) {
        row.p_even_adjusted = p;
        row.threshold = threshold;
    }
    rows
}

/// The table of all runs; `margin` is how far from ½ a balanced score may be, if not
/// the run's own.
pub(super) fn table(runs: &[Run], margin: Option<f64>) -> Table {
    let runs = runs.iter();
    let rows = runs.flat_map(|run| of_run(run, margin.unwrap_or_else(|| run.margin())));
    let rows: Vec<Row<'_>> = rows.collect();
    let z90 = normal::quantile(1.0 - LEVEL);
    let bound = |critical: f64, end: usize| {
        move |row: &Row<'_>| row.bounds(critical).map(|bounds| bounds[end])
    };
    Sheet::new(&rows)
        .cell(|row| (row.run, row.cell))
        .agents(|row| row.cell)
        .count("games", |row| row.cell.finished().iter().sum())
        .share("score", |row| row.score.value())
        .share("low", bound(WILSON_95_Z, 0))
        .share("high", bound(WILSON_95_Z, 1))
        .share("low90", |row| {
            row.fixed(|row| row.bounds(z90)).map(|bounds| bounds[0])
        })
        .share("high90", |row| {
            row.fixed(|row| row.bounds(z90)).map(|bounds| bounds[1])
        })
        .share("margin", |row| Some(row.margin))
        .number("p_balanced", |row| row.fixed(Row::p_balanced))
        .number("p_even", |row| row.fixed(Row::p_even))
        .number("p_even_adjusted", |row| {
            row.fixed(|row| row.p_even_adjusted)
        })
        .text("verdict", |row| row.verdict().name().to_owned())
        .maybe_count("more_games", Row::more_games)
        .share("confidence", |row| Some(row.run.confidence()))
        .table("verdicts")
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::analysis::fixture;
    use crate::experiment::Winner::{self, Attackers, Defenders, Draw, None as Stopped};

    fn games(counts: [usize; 4]) -> Vec<Option<Winner>> {
        let kinds = [Attackers, Defenders, Draw, Stopped]
            .into_iter()
            .zip(counts);
        kinds
            .flat_map(|(winner, games)| vec![Some(winner); games])
            .collect()
    }

    /// A run of four rulesets with these games.
    fn run(cells: [[usize; 4]; 4]) -> Run {
        let rules = "presets=['wtf','crust','branan','disputed']";
        let run = fixture::run("common", rules, |_| Vec::new());
        let places = run.cells.iter().map(|cell| cell.row.cell.id.clone());
        let places: Vec<String> = places.collect();
        fixture::run("common", rules, |cell| {
            let place = places.iter().position(|id| *id == cell.id).unwrap();
            games(cells[place])
        })
    }

    fn verdicts(cells: [[usize; 4]; 4], margin: f64) -> Vec<(&'static str, Option<u64>)> {
        let run = run(cells);
        let rows = of_run(&run, margin);
        rows.iter()
            .map(|row| (row.verdict().name(), row.more_games()))
            .collect()
    }

    #[test]
    fn every_verdict_is_given_where_it_is_due() {
        let cells = [
            [520, 480, 1000, 5],
            [90, 30, 0, 0],
            [30, 90, 0, 0],
            [50, 50, 0, 0],
        ];
        let names: Vec<&str> = verdicts(cells, 0.05).iter().map(|row| row.0).collect();
        assert_eq!(names, ["balanced", "attackers", "defenders", "undecided"]);
        // An even score of 100 decided games: ±8 points at 90 %, and 271 games
        // are needed for ±5: (1.645 / 0.1)² less a hundredth of it.
        let more = verdicts(cells, 0.05)[3].1.unwrap();
        assert_eq!(
            more,
            (1.644_853_6_f64.powi(2) * 0.99 / 0.01).ceil() as u64 - 100
        );
        assert_eq!(verdicts(cells, 0.1)[3].0, "balanced");
    }

    /// Where 55 of 100 points are scored and nine games in ten are drawn, 28 are
    /// all drawn once in 19 times, 29 once in 21.
    #[test]
    fn few_drawn_games_are_not_found_balanced() {
        let cells = [[0, 0, 28, 0], [0, 0, 29, 0], [0; 4], [0; 4]];
        let found = verdicts(cells, 0.05);
        assert_eq!(found, [("undecided", Some(1)), ("balanced", None)]);
        let run = run(cells);
        for (row, expected) in of_run(&run, 0.05)
            .iter()
            .zip([0.9_f64.powi(28), 0.9_f64.powi(29)])
        {
            let p = row.p_balanced().unwrap();
            assert!((p - expected).abs() < 1e-12, "{p}");
        }
    }

    #[test]
    fn so_many_more_games_of_the_same_kind_do_decide() {
        for cell in [[55, 45, 0], [60, 45, 20], [2, 0, 6], [1, 1, 0], [26, 25, 3]] {
            let with = |won, lost, drawn| [won, lost, drawn, 0];
            let others = [[100, 0, 0, 0], [0, 100, 0, 0], [0, 0, 0, 9]];
            let cells = |times: usize| {
                let own = cell.map(|games| games * times);
                [
                    with(own[0], own[1], own[2]),
                    others[0],
                    others[1],
                    others[2],
                ]
            };
            let games: usize = cell.iter().sum();
            let (name, more) = verdicts(cells(1), 0.05)[0];
            assert_eq!(name, "undecided", "{cell:?}");
            let times = 1.0 + more.unwrap() as f64 / games as f64;
            assert_ne!(
                verdicts(cells(times.ceil() as usize), 0.05)[0].0,
                "undecided"
            );
            let fewer = (times * 0.98) as usize;
            if fewer as f64 > times * 0.9 {
                assert_eq!(
                    verdicts(cells(fewer), 0.05)[0].0,
                    "undecided",
                    "{cell:?} {times}"
                );
            }
        }
    }

    #[test]
    fn few_games_that_all_went_one_way_decide_nothing() {
        let cells = |games| {
            [
                [games, 0, 0, 0],
                [0, games, 30, 0],
                [0, 0, 30, 0],
                [15, 15, 0, 0],
            ]
        };
        // The exact test of five games has a p value of 1/16 at least; of
        // seven 1/64, adjusted for the second of four 1/32.
        for (games, first, second) in [(5, "undecided", "undecided"), (7, "attackers", "defenders")]
        {
            let verdicts = verdicts(cells(games), 0.001);
            assert_eq!((verdicts[0].0, verdicts[1].0), (first, second), "{games}");
        }
        let more = verdicts(cells(5), 0.001)[0].1.unwrap();
        assert!((1..=4).contains(&more), "{more}");
    }

    /// Where a rule counted the games, what it said stands, not tests that take
    /// their number for fixed.
    #[test]
    fn where_a_rule_counted_the_games_its_bounds_decide() {
        let text = "name='x'\nseed=1\ngames='adaptive'\nply_limit=100\n\
                    [adaptive]\nmargin=0.05\ntotal=700\nmin_games=100\n\
                    [rules]\nbase='disputed'\nvary={ king_armed=[true, false] }\n\
                    [opening]\nrandom_plies=2\n[[match]]\nagents=['random']\n";
        let folder = tempfile::tempdir().unwrap();
        let (run, _) = crate::analysis::quality::tests::played(text, folder.path(), 1);
        let rows = of_run(&run, 0.05);
        assert_eq!(rows.len(), 2);
        for row in &rows {
            let said = row.cell.row.decision.unwrap();
            assert_eq!(row.bounds(WILSON_95_Z), Some([said.low, said.high]));
            let decision = said.decision.unwrap().name();
            let expected = match decision {
                "attackers" | "defenders" | "balanced" => decision,
                _ => "undecided",
            };
            assert_eq!((row.verdict().name(), row.more_games()), (expected, None));
            // Wider than where the number is fixed.
            let [low, high] = row.score.interval(WILSON_95_Z);
            assert!(said.low < low && high < said.high);
        }
        let table = table(std::slice::from_ref(&run), None);
        assert_eq!(table.value("p_even", 0), None);
        assert!(table.value("low", 0).is_some());
    }

    #[test]
    fn where_forfeits_are_many_nothing_is_decided() {
        use crate::agents::ForfeitKind;
        use crate::game::Side;
        for (forfeits, verdict) in [(10, "defenders"), (11, "undecided")] {
            let mut run = run([[0, 200, 0, 0], [0; 4], [0; 4], [0; 4]]);
            let key = (Side::Attackers, ForfeitKind::Crash);
            run.cells[0].row.forfeits.insert(key, forfeits);
            let rows = of_run(&run, 0.05);
            let said = (rows[0].verdict().name(), rows[0].more_games());
            assert_eq!(said, (verdict, None), "{forfeits}");
        }
        // Others' verdicts are as they were without them.
        let mut run = run([[0, 200, 0, 0], [6, 0, 0, 0], [4, 2, 0, 0], [0; 4]]);
        let told = |run: &Run| -> Vec<_> {
            let rows = of_run(run, 0.05);
            let rows = rows.iter();
            rows.map(|row| (row.verdict().name(), row.p_even_adjusted, row.more_games()))
                .collect()
        };
        assert_eq!(told(&run)[1].0, "attackers");
        let key = (Side::Attackers, ForfeitKind::Crash);
        run.cells[0].row.forfeits.insert(key, 50);
        let with = told(&run);
        assert_eq!((with[0].1, with[1].0), (None, "undecided"));
        run.cells[0].row.games = 0;
        assert_eq!(with[1..], told(&run));
    }

    #[test]
    fn without_finished_games_nothing_is_said() {
        let run = run([[0, 0, 0, 3], [0; 4], [1, 0, 0, 0], [0, 0, 1, 0]]);
        let table = table(std::slice::from_ref(&run), None);
        let rows = table.fields();
        // A cell without any game has no row.
        assert_eq!(rows.len(), 3);
        assert_eq!(
            rows[0][6..],
            [
                "0",
                "",
                "",
                "",
                "",
                "",
                "0.050000",
                "",
                "",
                "",
                "undecided",
                "",
                "0.950000"
            ]
            .map(str::to_owned)
        );
        assert_eq!(rows[1][7], "1.000000");
        assert_eq!((&*rows[2][7], &*rows[2][16]), ("0.500000", "undecided"));
        assert!(rows[2][17].parse::<u64>().unwrap() > 10);
    }
}
