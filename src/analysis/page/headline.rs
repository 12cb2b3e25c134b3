/*!
What was found, in sentences made from the tables' numbers. Imports the page's
tables and words, and how many forfeits are too many.

Everything is about one strength of the players who meet their like: the greatest
budget where all are of one family, else the last of the experiment.
*/

use std::fmt::Write;

use super::super::{forfeits, percent};
use super::charts::{Tables, equals};
use super::frame::{Row, distinct};
use super::{PageError, PageTable, words};

/// A p value below it counts as shown.
const LEVEL: f64 = 0.05;

/// Some sentences on every experiment: how many games, which rule matters most,
/// how many rulesets favour whom, what strength does.
///
/// # Errors
/// If a table is no CSV.
pub fn headline(tables: &[PageTable]) -> Result<Vec<String>, PageError> {
    let tables = Tables::read(tables)?;
    let mut paragraphs = Vec::new();
    for (experiment, rows) in tables.by_experiment("winrates") {
        let Some((strongest, which)) = strongest(&equals(&rows)) else {
            continue;
        };
        let effect_rows = tables.rows_of("effects", experiment);
        let (what_matters, what_interacts) = match forfeits(&rows, strongest) {
            Some(said) if !effect_rows.is_empty() => (Some(said), None),
            _ => (
                effects(&effect_rows, strongest),
                interaction(&effect_rows, strongest),
            ),
        };
        let said = [
            Some(games(experiment, &rows, strongest, which)),
            what_matters,
            what_interacts,
            verdicts(&tables, experiment, strongest),
            draws(&tables, &rows, strongest),
            strength(&tables, &rows, experiment),
        ];
        paragraphs.extend(said.into_iter().flatten());
    }
    Ok(paragraphs)
}

/// A row of the players whom everything is about, and what has to be said of
/// them: those of several families are not told apart by strength.
fn strongest<'a>(rows: &[Row<'a>]) -> Option<(Row<'a>, &'static str)> {
    let last = *rows.last()?;
    let family = |row: &Row<'a>| row.text("attackers_family");
    let budget = |row: &Row| row.number("attackers_budget").unwrap_or_default();
    let is_comparable = |row: &Row<'a>| {
        row.text("attackers") == row.text("defenders")
            && family(row) == family(&last)
            && budget(row) > 0.0
    };
    if rows.iter().all(is_comparable) {
        let greatest = rows
            .iter()
            .max_by(|one, other| budget(one).total_cmp(&budget(other)));
        return greatest.map(|row| (*row, ""));
    }
    match rows.iter().all(|row| is_same_strength(*row, last)) {
        true => Some((last, "")),
        false => Some((last, " (the last of the experiment)")),
    }
}

fn is_same_strength(row: Row, other: Row) -> bool {
    ["attackers", "defenders"]
        .iter()
        .all(|side| row.text(side) == other.text(side))
}

fn games(experiment: &str, rows: &[Row], strongest: Row, which: &str) -> String {
    let games = rows
        .iter()
        .filter_map(|row| row.text("games").parse::<usize>().ok());
    let rulesets = distinct(rows.iter().map(|row| row.text("ruleset"))).len();
    let sides = |row: &Row| {
        (
            row.text("attackers").to_owned(),
            row.text("defenders").to_owned(),
        )
    };
    let pairs = distinct(rows.iter().map(sides)).len();
    let games = count(games.sum(), "game");
    let rulesets = count(rulesets, "ruleset");
    let (attackers, defenders) = (strongest.text("attackers"), strongest.text("defenders"));
    let who = match attackers == defenders {
        true => format!("between equals: {}", words::agent(attackers)),
        false => format!("of {}", words::players(attackers, defenders)),
    };
    match pairs {
        1 => format!("{experiment}: {games} {who}, under {rulesets}."),
        pairs => format!(
            "{experiment}: {games} under {rulesets}, by {pairs} pairs of players. Where nothing else is said, the following is about games {who}{which}."
        ),
    }
}

/// Why nothing is said of what each rule does, if too many games say nothing of
/// the rules.
fn forfeits(rows: &[Row], strongest: Row) -> Option<String> {
    let rows = rows.iter().filter(|row| is_same_strength(**row, strongest));
    match rows.filter(|row| is_forfeited(**row)).count() {
        0 => None,
        number => Some(format!(
            "What each rule does is not told: under {} more than 5 % of the games ended by a forfeit, which the comparisons count like any other.",
            count(number, "ruleset")
        )),
    }
}

/// The marginal effects of single rules, the largest first.
fn effects(rows: &[Row], strongest: Row) -> Option<String> {
    let mut effects: Vec<(f64, Row)> = rows
        .iter()
        .filter(|row| row.text("method") == "marginal" && row.text("other_axis").is_empty())
        .filter(|row| is_same_strength(**row, strongest))
        .filter_map(|&row| Some((row.number("estimate")?, row)))
        .collect();
    effects.sort_by(|(one, _), (other, _)| other.abs().total_cmp(&one.abs()));
    let is_shown = |row: &Row| row.number("p_adjusted").is_some_and(|p| p < LEVEL);
    let (shown, open) = effects
        .iter()
        .partition::<Vec<&(f64, Row)>, _>(|(_, row)| is_shown(row));
    let say = |(_, row): &&(f64, Row)| {
        let axis = row.text("axis");
        let [from, to] = ["from", "to"].map(|level| words::value(axis, row.text(level)));
        format!(
            "“{}” ({to} instead of {from}): {}",
            lower(&words::axis(axis)),
            change(*row)
        )
    };
    let mut sentences = Vec::new();
    if let Some((first, rest)) = shown.split_first() {
        let least = size(first.1)[0];
        let near = effects
            .iter()
            .filter(|(_, row)| row.text("axis") != first.1.text("axis"))
            .filter(|(_, row)| size(*row)[1] >= least)
            .map(|(_, row)| format!("“{}”", lower(&words::axis(row.text("axis")))));
        let near = distinct(near);
        sentences.push(match near.is_empty() {
            true => format!(
                "What matters most to the attackers' score is {}, on average over the other rules.",
                say(first)
            ),
            false => format!(
                "What mattered most to the attackers' score in these games is {}, on average over the other rules; they do not show that it matters more than {}.",
                say(first),
                near.join(", ")
            ),
        });
        if !rest.is_empty() {
            let rest: Vec<String> = rest.iter().map(say).collect();
            sentences.push(format!("Then {}.", rest.join("; ")));
        }
    }
    if !open.is_empty() {
        let open: Vec<String> = open.iter().map(say).collect();
        sentences.push(format!(
            "Not told from no effect by these games: {}.",
            open.join("; ")
        ));
    }
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

/// How large an effect is in either direction: its bounds, the estimate where
/// it has none.
fn size(row: Row) -> [f64; 2] {
    let number = |column| row.number(column).or_else(|| row.number("estimate"));
    let [low, high] = ["low", "high"].map(|column| number(column).unwrap_or_default());
    match low + high < 0.0 {
        true => [-high, -low],
        false => [low, high],
    }
}

/// The strongest interaction of two rules, if one is shown.
fn interaction(rows: &[Row], strongest: Row) -> Option<String> {
    let (z, row) = rows
        .iter()
        .filter(|row| row.text("method") == "logistic" && !row.text("other_axis").is_empty())
        .filter(|row| is_same_strength(**row, strongest))
        .filter(|row| row.number("p_adjusted").is_some_and(|p| p < LEVEL))
        .filter_map(|&row| Some((row.number("z")?.abs(), row)))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    let [axis, other] = ["axis", "other_axis"].map(|column| row.text(column));
    let level = |axis: &str, column: &str| words::value(axis, row.text(column));
    Some(format!(
        "The rules do not act each by itself. Plainest of all pairs: the factor by which “{}” ({} instead of {}) changes the odds of the attackers' score is, where “{}” is {}, this many times what it is where that is {}: {} (z = {z:.1}).",
        lower(&words::axis(axis)),
        level(axis, "to"),
        level(axis, "from"),
        lower(&words::axis(other)),
        level(other, "other_to"),
        level(other, "other_from"),
        interval(row, ["odds_ratio", "odds_low", "odds_high"], |odds| {
            format!("{odds:.2}")
        }),
    ))
}

fn verdicts(tables: &Tables, experiment: &str, strongest: Row) -> Option<String> {
    let all: Vec<Row> = tables
        .rows_of("verdicts", experiment)
        .into_iter()
        .filter(|row| is_same_strength(*row, strongest) && row.number("score").is_some())
        .collect();
    if let [row] = all.as_slice() {
        let favours = match row.text("verdict") {
            "balanced" => "balanced within the margin",
            "attackers" => "in favour of the attackers",
            "defenders" => "in favour of the defenders",
            _ => "not decided by these games",
        };
        return Some(format!(
            "The attackers' score: {}, {favours}.{}",
            scored(tables, *row),
            confidence(*row)
        ));
    }
    let first = *all.first()?;
    let of = |verdict: &str| {
        all.iter()
            .filter(|row| row.text("verdict") == verdict)
            .count()
    };
    let margin = words::points(first.number("margin").unwrap_or(0.05));
    let mut text = format!(
        "Of {}, {} in favour of the attackers and {} in favour of the defenders; {} balanced within ±{margin} points, and {} not decided.",
        count(all.len(), "ruleset"),
        are(of("attackers")),
        are(of("defenders")),
        are(of("balanced")),
        are(of("undecided")),
    );
    let cells = tables.rows_of("winrates", experiment);
    let is_played = |row: &Row| {
        let mut cells = cells.iter();
        let cell = cells.find(|cell| cell.text("cell") == row.text("cell"));
        !cell.is_some_and(|cell| is_forfeited(*cell))
    };
    let played: Vec<Row> = all.iter().copied().filter(is_played).collect();
    if let Some(said) = extremes(tables, &played) {
        let _ = write!(text, " {said}{}", confidence(first));
    }
    if played.len() < all.len() {
        let _ = write!(
            text,
            " {} where more than 5 % of the games ended by a forfeit.",
            match all.len() - played.len() {
                1 => "Not decided is 1 ruleset".to_owned(),
                others => format!("Not decided are {others} rulesets"),
            }
        );
    }
    Some(text)
}

/// What bounds are, if not the usual ones.
fn confidence(row: Row) -> String {
    let confidence = row.number("confidence").unwrap_or(0.95);
    if (confidence - 0.95).abs() < 1e-9 {
        return String::new();
    }
    format!(" Bounds are those of {}.", words::confidence(confidence))
}

/// Whether so many games of a cell ended by a forfeit that no verdict is given.
fn is_forfeited(cell: Row) -> bool {
    let count = |column| cell.text(column).parse().unwrap_or_default();
    forfeits::are_too_many(count("ended_forfeit"), count("games"))
}

/// A ruleset with its score.
fn scored(tables: &Tables, row: Row) -> String {
    let score = interval(row, ["score", "low", "high"], words::percent);
    format!("{} ({score})", tables.names.of(row).replace('\n', " "))
}

/// Where the score is highest, lowest and nearest to even.
fn extremes(tables: &Tables, rows: &[Row]) -> Option<String> {
    let score = |row: &Row| row.number("score").unwrap_or(0.5);
    let by = |one: &Row, other: &Row| score(one).total_cmp(&score(other));
    let (lowest, highest) = (
        *rows.iter().min_by(|one, other| by(one, other))?,
        // Of several the first, as below and above.
        *rows.iter().rev().max_by(|one, other| by(one, other))?,
    );
    let uneven = |row: &Row| (score(row) - 0.5).abs();
    let nearest = *rows
        .iter()
        .min_by(|one, other| uneven(one).total_cmp(&uneven(other)))?;
    // How many more have the same.
    let same = |row: Row| {
        let others = rows.iter().filter(|other| by(other, &row).is_eq());
        match others.count() - 1 {
            0 => scored(tables, row),
            1 => format!("{} and one more", scored(tables, row)),
            more => format!("{} and {more} more", scored(tables, row)),
        }
    };
    Some(format!(
        "The attackers' score in these games is highest under {}, lowest under {}, and nearest to even under {}.",
        same(highest),
        same(lowest),
        same(nearest),
    ))
}

fn draws(tables: &Tables, rows: &[Row], strongest: Row) -> Option<String> {
    let (rate, row) = rows
        .iter()
        .filter(|row| is_same_strength(**row, strongest) && !is_forfeited(**row))
        .filter_map(|&row| Some((row.number("draw_rate")?, row)))
        .max_by(|(one, _), (other, _)| one.total_cmp(other))?;
    (rate > 0.0).then(|| {
        format!(
            "Draws were most frequent in these games under {}: {}.",
            tables.names.of(row).replace('\n', " "),
            interval(row, ["draw_rate", "draw_low", "draw_high"], words::percent),
        )
    })
}

/// Where the balance goes as both sides think longer, by family of players:
/// under the rulesets where they played their games to the end.
fn strength(tables: &Tables, rows: &[Row], experiment: &str) -> Option<String> {
    let is_played = |slope: &Row| {
        let is_own = |row: &&Row| {
            row.text("ruleset") == slope.text("ruleset")
                && row.text("attackers_family") == slope.text("family")
        };
        !rows.iter().filter(is_own).any(|row| is_forfeited(*row))
    };
    let slopes: Vec<Row> = tables
        .rows_of("trends", experiment)
        .into_iter()
        .filter(|row| row.text("quantity") == "equal_slope" && !row.text("verdict").is_empty())
        .filter(is_played)
        .collect();
    let families = distinct(slopes.iter().map(|row| row.text("family")));
    let sentences: Vec<String> = families
        .into_iter()
        .map(|family| {
            let own = slopes.iter().filter(|row| row.text("family") == family);
            let verdicts: Vec<&str> = own.map(|row| row.text("verdict")).collect();
            let parts: Vec<String> = distinct(verdicts.iter().copied())
                .into_iter()
                .map(|verdict| {
                    let number = verdicts.iter().filter(|one| **one == verdict).count();
                    format!("{} under {number}", direction(verdict))
                })
                .collect();
            let (name, unit) = words::family(family);
            format!(
                "As both sides' {unit} grow ({name}), the score moves, of {}: {}.",
                count(verdicts.len(), "ruleset"),
                parts.join(", ")
            )
        })
        .collect();
    (!sentences.is_empty()).then(|| sentences.join(" "))
}

fn direction(verdict: &str) -> &str {
    match verdict {
        "toward attackers" => "toward the attackers",
        "toward defenders" => "toward the defenders",
        "toward balance" => "toward even",
        "away from balance" => "away from even",
        _ => "nowhere that these games show",
    }
}

/// A change of the score with its bounds: `−47.9 points (−49.7 to −46.1)`.
fn change(row: Row) -> String {
    let points = |value: f64| format!("{:+.1}", percent(value)).replace('-', "−");
    let estimate = row.number("estimate").map(points).unwrap_or_default();
    match (row.number("low"), row.number("high")) {
        (Some(low), Some(high)) => {
            format!("{estimate} points ({} to {})", points(low), points(high))
        }
        _ => format!("{estimate} points"),
    }
}

/// A number with its bounds: `84 % (80 % to 87 %)`.
fn interval(row: Row, columns: [&str; 3], say: impl Fn(f64) -> String) -> String {
    let [value, low, high] = columns.map(|column| row.number(column).map(&say));
    let value = value.unwrap_or_default();
    match (low, high) {
        (Some(low), Some(high)) => format!("{value}, {low} to {high}"),
        _ => value,
    }
}

fn count(number: usize, noun: &str) -> String {
    match number {
        1 => format!("1 {noun}"),
        number => format!("{} {noun}s", words::grouped(&number.to_string())),
    }
}

fn are(number: usize) -> String {
    match number {
        0 => "none is".to_owned(),
        1 => "1 is".to_owned(),
        number => format!("{number} are"),
    }
}

fn lower(text: &str) -> String {
    let mut letters = text.chars();
    letters.next().map_or_else(String::new, |first| {
        first.to_lowercase().chain(letters).collect()
    })
}

#[cfg(test)]
mod tests;
