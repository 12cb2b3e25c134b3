/*!
What was found, in sentences made from the tables' numbers. Imports the page's
tables and words.

Everything is about one strength: of the players who meet their like the last,
which in an experiment that goes up in strength is the strongest.
*/

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
        let Some(&strongest) = equals(&rows).last() else {
            continue;
        };
        let said = [
            Some(games(experiment, &rows, strongest)),
            effects(&tables.rows_of("effects", experiment), strongest),
            interaction(&tables.rows_of("effects", experiment), strongest),
            verdicts(&tables, experiment, strongest),
            draws(&tables, &rows, strongest),
            strength(&tables, experiment),
        ];
        paragraphs.extend(said.into_iter().flatten());
    }
    Ok(paragraphs)
}

fn is_same_strength(row: Row, other: Row) -> bool {
    ["attackers", "defenders"]
        .iter()
        .all(|side| row.text(side) == other.text(side))
}

fn games(experiment: &str, rows: &[Row], strongest: Row) -> String {
    let games: f64 = rows.iter().filter_map(|row| row.number("games")).sum();
    let rulesets = distinct(rows.iter().map(|row| row.text("ruleset"))).len();
    let sides = |row: &Row| {
        (
            row.text("attackers").to_owned(),
            row.text("defenders").to_owned(),
        )
    };
    let pairs = distinct(rows.iter().map(sides)).len();
    let games = words::grouped(&format!("{games:.0}"));
    let rulesets = count(rulesets, "ruleset");
    let (attackers, defenders) = (strongest.text("attackers"), strongest.text("defenders"));
    let who = match attackers == defenders {
        true => format!("between equals: {}", words::agent(attackers)),
        false => format!("of {}", words::players(attackers, defenders)),
    };
    match pairs {
        1 => format!("{experiment}: {games} games {who}, under {rulesets}."),
        pairs => format!(
            "{experiment}: {games} games under {rulesets}, by {pairs} pairs of players. Where nothing else is said, the following is about games {who}."
        ),
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
        let near: Vec<String> = effects
            .iter()
            .filter(|(_, row)| row.text("axis") != first.1.text("axis"))
            .filter(|(_, row)| size(*row)[1] >= least)
            .map(|(_, row)| format!("“{}”", lower(&words::axis(row.text("axis")))))
            .collect();
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
    Some(format!(
        "The rules do not act each by itself: what is plainest of all pairs is that the odds which “{}” makes depend on “{}” (ratio of odds ratios {}, z = {z:.1}).",
        lower(&words::axis(axis)),
        lower(&words::axis(other)),
        interval(row, ["odds_ratio", "odds_low", "odds_high"], |odds| {
            format!("{odds:.2}")
        }),
    ))
}

fn verdicts(tables: &Tables, experiment: &str, strongest: Row) -> Option<String> {
    let rows: Vec<Row> = tables
        .rows_of("verdicts", experiment)
        .into_iter()
        .filter(|row| is_same_strength(*row, strongest) && row.number("score").is_some())
        .collect();
    let name = |row: Row| {
        let score = interval(row, ["score", "low", "high"], words::percent);
        format!("{} ({score})", tables.names.of(row).replace('\n', " "))
    };
    if let [row] = rows.as_slice() {
        let favours = match row.text("verdict") {
            "balanced" => "balanced within the margin",
            "attackers" => "in favour of the attackers",
            "defenders" => "in favour of the defenders",
            _ => "not decided by these games",
        };
        return Some(format!("The attackers' score: {}, {favours}.", name(*row)));
    }
    let of = |verdict: &str| {
        rows.iter()
            .filter(|row| row.text("verdict") == verdict)
            .count()
    };
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
            0 => name(row),
            1 => format!("{} and one more", name(row)),
            more => format!("{} and {more} more", name(row)),
        }
    };
    let margin = words::points(rows[0].number("margin").unwrap_or(0.05));
    Some(format!(
        "Of {}, {} in favour of the attackers and {} in favour of the defenders; {} balanced within ±{margin} points, and {} not decided. The attackers' score in these games is highest under {}, lowest under {}, and nearest to even under {}.",
        count(rows.len(), "ruleset"),
        are(of("attackers")),
        are(of("defenders")),
        are(of("balanced")),
        are(of("undecided")),
        same(highest),
        same(lowest),
        same(nearest),
    ))
}

fn draws(tables: &Tables, rows: &[Row], strongest: Row) -> Option<String> {
    let (rate, row) = rows
        .iter()
        .filter(|row| is_same_strength(**row, strongest))
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

/// Where the balance goes as both sides think longer, by family of players.
fn strength(tables: &Tables, experiment: &str) -> Option<String> {
    let slopes: Vec<Row> = tables
        .rows_of("trends", experiment)
        .into_iter()
        .filter(|row| row.text("quantity") == "equal_slope" && !row.text("verdict").is_empty())
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
    let points = |value: f64| format!("{:+.1}", 100.0 * value).replace('-', "−");
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
        number => format!("{number} {noun}s"),
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
mod tests {
    use super::*;

    const WINRATES: &str = "experiment,ruleset,label,king_armed,attackers,defenders,games,draw_rate,draw_low,draw_high\n\
        x,a,one,true,random,random,10,0,0,0.2\n\
        x,a,one,true,greedy,greedy,1000,0.05,0.04,0.07\n\
        x,b,two,false,greedy,greedy,1000,0.02,0.01,0.03\n";
    const EFFECTS: &str = "attackers,defenders,experiment,method,axis,from,to,other_axis,estimate,low,high,p_adjusted,z,odds_ratio,odds_low,odds_high\n\
        greedy,greedy,x,marginal,king_armed,true,false,,0.1,0.05,0.15,0.001,4,,,\n\
        greedy,greedy,x,marginal,king_capture,two,four,,-0.479,-0.5,-0.46,0.0001,-40,,,\n\
        greedy,greedy,x,marginal,king_return,true,false,,0.01,-0.02,0.04,0.3,1,,,\n\
        random,random,x,marginal,king_return,true,false,,0.9,0.8,0.99,0.0001,1,,,\n\
        greedy,greedy,x,logistic,king_armed,true,false,king_capture,0.7,0.5,0.9,0.001,7,2.01,1.65,2.46\n";
    const VERDICTS: &str = "experiment,ruleset,label,attackers,defenders,score,low,high,margin,verdict\n\
        x,a,one,greedy,greedy,0.81,0.78,0.84,0.05,attackers\n\
        x,b,two,greedy,greedy,0.49,0.46,0.52,0.05,balanced\n";
    const TRENDS: &str = "experiment,ruleset,family,quantity,verdict\n\
        x,a,alphabeta:nodes=*,equal_slope,toward attackers\n\
        x,b,alphabeta:nodes=*,equal_slope,no trend seen\n";

    fn said(tables: &[(&str, &str)]) -> Vec<String> {
        let table = |&(name, csv): &(&str, &str)| PageTable {
            name: name.to_owned(),
            caption: String::new(),
            csv: csv.to_owned(),
        };
        headline(&tables.iter().map(table).collect::<Vec<_>>()).unwrap()
    }

    #[test]
    fn the_numbers_are_put_into_words() {
        let said = said(&[
            ("winrates", WINRATES),
            ("effects", EFFECTS),
            ("verdicts", VERDICTS),
            ("trends", TRENDS),
        ]);
        let expected = [
            "x: 2,010 games under 2 rulesets, by 2 pairs of players. Where nothing else is said, the following is about games between equals: greedy.",
            "What matters most to the attackers' score is “king captured by” (four instead of two): −47.9 points (−50.0 to −46.0), on average over the other rules. Then “king armed” (no instead of yes): +10.0 points (+5.0 to +15.0). Not told from no effect by these games: “king may return to the throne” (no instead of yes): +1.0 points (−2.0 to +4.0).",
            "The rules do not act each by itself: what is plainest of all pairs is that the odds which “king armed” makes depend on “king captured by” (ratio of odds ratios 2.01, 1.65 to 2.46, z = 7.0).",
            "Of 2 rulesets, 1 is in favour of the attackers and none is in favour of the defenders; 1 is balanced within ±5 points, and none is not decided. The attackers' score in these games is highest under armed (81 %, 78 % to 84 %), lowest under unarmed (49 %, 46 % to 52 %), and nearest to even under unarmed (49 %, 46 % to 52 %).",
            "Draws were most frequent in these games under armed: 5 %, 4 % to 7 %.",
            "As both sides' nodes grow (alpha-beta), the score moves, of 2 rulesets: toward the attackers under 1, nowhere that these games show under 1.",
        ];
        assert_eq!(said, expected);
    }

    #[test]
    fn of_equal_scores_the_first_is_named() {
        let verdicts = VERDICTS.replace("0.49,0.46,0.52", "0.81,0.78,0.84");
        let said = said(&[("winrates", WINRATES), ("verdicts", &verdicts)]);
        let armed = "under armed (81 %, 78 % to 84 %) and one more";
        let expected = format!("highest {armed}, lowest {armed}, and nearest to even {armed}.");
        assert!(
            said.iter().any(|line| line.ends_with(&expected)),
            "{said:?}"
        );
    }

    #[test]
    fn what_is_not_told_apart_is_not_ranked() {
        let effects = EFFECTS.replace("0.1,0.05,0.15", "-0.4,-0.47,-0.33");
        let said = said(&[("winrates", WINRATES), ("effects", &effects)]);
        let expected = "What mattered most to the attackers' score in these games is “king captured by” (four instead of two): −47.9 points (−50.0 to −46.0), on average over the other rules; they do not show that it matters more than “king armed”. Then “king armed”";
        assert!(said[1].starts_with(expected), "{said:?}");
    }

    #[test]
    fn a_margin_is_told_as_it_was_given() {
        for (margin, words) in [
            ("0.025", "±2.5 points"),
            ("0.005", "±0.5 points"),
            ("0.1", "±10 points"),
        ] {
            let verdicts = VERDICTS.replace(",0.05,", &format!(",{margin},"));
            let said = said(&[("winrates", WINRATES), ("verdicts", &verdicts)]);
            assert!(said.iter().any(|line| line.contains(words)), "{said:?}");
        }
    }

    #[test]
    fn what_there_is_no_table_for_is_left_out() {
        let said = said(&[("winrates", WINRATES)]);
        assert_eq!(said.len(), 2, "{said:?}");
        assert_eq!(headline(&[]).unwrap(), Vec::<String>::new());
    }
}
