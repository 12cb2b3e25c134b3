//! What several charts have in common: axes of rulesets and of scores, facets
//! by player, colours. Imports nothing of ours.

use serde_json::{Value, json};

/// The attackers' colour; as every other colour here from Okabe and Ito, who
/// chose them for the colour-blind.
pub const ATTACKERS: &str = "#d55e00";
/// The defenders' colour.
pub const DEFENDERS: &str = "#0072b2";
/// For what is even.
pub const EVEN: &str = "#009e73";
/// For what is not known.
pub const UNKNOWN: &str = "#767676";
/// The text's colour, for what is no side's.
pub const INK: &str = "#222222";

/// Pixels of a line of text.
const LINE_HEIGHT: usize = 13;

/// A label's lines, as an expression of Vega.
const LINES: &str = "split(datum.label, '\\n')";

/// By how much a label of several lines is raised so that their middle is at
/// the tick; Vega has the middle of the first line there.
fn centred() -> Value {
    let conditions: Vec<Value> = (2..=6)
        .map(|lines| {
            json!({
                "test": format!("length({LINES}) == {lines}"),
                "value": -((LINE_HEIGHT * (lines - 1)) as f64 / 2.0),
            })
        })
        .collect();
    json!({ "condition": conditions, "value": 0 })
}

/// Letters, digits and hyphens of a name, for ids and file names.
pub fn slug(text: &str) -> String {
    let mut slug = String::new();
    for letter in text.chars() {
        if letter.is_ascii_alphanumeric() {
            slug.push(letter.to_ascii_lowercase());
        } else if !slug.ends_with('-') && !slug.is_empty() {
            slug.push('-');
        }
    }
    slug.trim_end_matches('-').to_owned()
}

/// An axis of rulesets, one band each, from the top in the order of the data,
/// with the heading over the names, and lines to follow if asked.
pub fn rulesets(heading: &[String], lines: bool) -> Value {
    // The heading's last line ends above the first name.
    let above = 8 + LINE_HEIGHT * (heading.len().max(1) - 1);
    json!({
        "field": "ruleset",
        "type": "nominal",
        "sort": null,
        "axis": {
            "title": heading,
            "grid": lines,
            "titleAngle": 0,
            "titleAlign": "right",
            "titleAnchor": "end",
            "titleBaseline": "bottom",
            "titleX": -6,
            "titleY": -(above as i64),
            "titleLineHeight": LINE_HEIGHT,
            "labelExpr": LINES,
            "labelOffset": centred(),
            "labelLineHeight": LINE_HEIGHT,
        },
    })
}

/// The height of a band that holds names such as these, at least so much.
pub fn band(names: &[String], least: usize) -> usize {
    let lines = names.iter().map(|name| name.lines().count()).max();
    least.max(lines.unwrap_or(1) * LINE_HEIGHT + 5)
}

/// A chart of panels, one for each of these values of a field, in rows of
/// nearly equal length, of at most so many.
pub fn panels(
    title: &str,
    values: &[Value],
    (field, of): (&str, &[String]),
    most: usize,
    panel: &Value,
) -> Value {
    let rows = of.len().div_ceil(most).max(1);
    let columns = of.len().div_ceil(rows);
    let mut spec = json!({
        "title": title,
        "data": { "values": values },
        "facet": {
            "field": field,
            "type": "nominal",
            "sort": of,
            "header": { "title": null, "labelExpr": LINES },
        },
        "columns": columns,
        "spacing": 16,
        "spec": panel,
        // For the page, which has as many columns as its window has room for.
        "usermeta": { "panels": { "count": of.len(), "width": panel["width"] } },
    });
    if !of.len().is_multiple_of(columns.max(1)) {
        // The last row is shorter: an axis below the gap would be nobody's.
        spec["resolve"] = json!({ "axis": { "x": "independent" } });
    }
    spec
}

/// The width of each of so many panels beside the names of rulesets.
pub fn panel_width(count: usize) -> usize {
    (780 / count.max(1)).clamp(150, 480)
}

/// An axis of groups of dots, one dot each of these players, with a line
/// between groups: the encodings `y` and `yOffset`.
pub fn groups(field: &str, groups: &[String], players: &[String]) -> (Value, Value) {
    let y = json!({
        "field": field,
        "type": "nominal",
        "sort": groups,
        "scale": { "padding": 0 },
        "axis": {
            "title": null,
            "grid": true,
            "tickBand": "extent",
            "labelExpr": LINES,
            "labelOffset": centred(),
            "labelLineHeight": LINE_HEIGHT,
        },
    });
    let offset = json!({
        "field": "players",
        "sort": players,
        "scale": { "paddingOuter": 0.8 },
    });
    (y, offset)
}

/// Pixels between the dots of a group.
pub fn step(players: usize) -> usize {
    match players {
        0..=2 => 16,
        3..=6 => 12,
        _ => 8,
    }
}

/// The axis of the attackers' score.
pub fn score_axis(title: &str) -> Value {
    json!({
        "field": "score",
        "type": "quantitative",
        "scale": { "domain": [0, 1] },
        "axis": { "format": ".0%", "values": [0, 0.25, 0.5, 0.75, 1], "title": title, "grid": true, "labelFlush": true },
    })
}

/// A line at a value of x that every panel shows.
pub fn upright(at: f64) -> Value {
    json!({
        "data": { "values": [{}] },
        "mark": { "type": "rule", "strokeDash": [4, 3], "color": UNKNOWN, "aria": false },
        "encoding": {
            "x": { "datum": at },
            "y": { "value": 0 },
            "y2": { "value": "height" },
            "yOffset": { "value": 0 },
        },
    })
}

/// Shapes, so that colours are not needed to tell players apart.
const SHAPES: [&str; 7] = [
    "circle",
    "square",
    "triangle-up",
    "diamond",
    "cross",
    "triangle-down",
    "triangle-right",
];
/// Colours of programs, from Okabe and Ito and darker ones beside them; none is
/// a side's. `charts.js` has others for a dark page.
const COLOURS: [&str; 5] = ["#d39200", "#a4508b", "#00808a", "#5b54b0", "#6b4c2a"];
/// The shape of people, a star, which no program has.
const STAR: &str = "M0,-1.6L0.4,-0.55L1.52,-0.49L0.65,0.21L0.94,1.29\
                    L0,0.68L-0.94,1.29L-0.65,0.21L-1.52,-0.49L-0.4,-0.55Z";

/// Players told apart by colours and by shapes: the encodings `color` and
/// `shape`. The first may be `people`, who are no program.
pub fn by_player(people: Option<&str>, programs: &[String]) -> (Value, Value) {
    let colour = |place: usize| COLOURS[place % COLOURS.len()];
    // Where the colours begin anew, the shapes are other ones.
    let shape =
        |place: usize| SHAPES[(place % COLOURS.len() + place / COLOURS.len()) % SHAPES.len()];
    let places = 0..programs.len();
    let own = |of_people, of_programs: Vec<&'static str>| -> Vec<&'static str> {
        people
            .map(|_| of_people)
            .into_iter()
            .chain(of_programs)
            .collect()
    };
    let colours = own(INK, places.clone().map(colour).collect());
    let shapes = own(STAR, places.map(shape).collect());
    let programs = programs.iter().map(String::as_str);
    let players: Vec<&str> = people.into_iter().chain(programs).collect();
    let color = json!({
        "field": "players",
        "type": "nominal",
        "scale": { "domain": players, "range": colours },
        "legend": { "title": null, "columns": 3 },
    });
    let shape = json!({
        "field": "players",
        "type": "nominal",
        "scale": { "domain": players, "range": shapes },
    });
    (color, shape)
}

/// Something to tell dots by: its name, a colour and a shape.
pub type Kind = (&'static str, &'static str, &'static str);

/// Verdicts told apart by colours and by shapes, in this order: the encodings
/// `color` and `shape`.
pub fn by_verdict(kinds: &[Kind]) -> (Value, Value) {
    let names: Vec<&str> = kinds.iter().map(|kind| kind.0).collect();
    let colors: Vec<&str> = kinds.iter().map(|kind| kind.1).collect();
    let shapes: Vec<&str> = kinds.iter().map(|kind| kind.2).collect();
    let color = json!({
        "field": "verdict",
        "type": "nominal",
        "scale": { "domain": names, "range": colors },
        "legend": { "title": null, "columns": 5 },
    });
    let shape = json!({
        "field": "verdict",
        "type": "nominal",
        "scale": { "domain": names, "range": shapes },
    });
    (color, shape)
}

/// Dots with the lines of their intervals from `low` to `high`, cut at the
/// panel's border if asked.
pub fn dots(x: &Value, (color, shape): &(Value, Value), tips: &Value, clip: bool) -> Vec<Value> {
    let mut low = x.clone();
    low["field"] = json!("low");
    vec![
        json!({
            "mark": { "type": "rule", "strokeWidth": 1.5, "clip": clip, "aria": false },
            "encoding": { "x": low, "x2": { "field": "high" }, "color": color },
        }),
        json!({
            "mark": { "type": "point", "filled": true, "size": 55, "opacity": 1, "clip": clip },
            "encoding": { "x": x, "color": color, "shape": shape, "tooltip": tips },
        }),
    ]
}

/// What is told of a mark, which is also the columns of the chart's table:
/// names with the format of numbers, empty for texts.
pub fn tips(columns: &[(&str, &str)]) -> Value {
    let tip = |(field, format): &(&str, &str)| {
        if format.is_empty() {
            json!({ "field": field, "type": "nominal" })
        } else {
            json!({ "field": field, "type": "quantitative", "format": format })
        }
    };
    columns.iter().map(tip).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slugs_name_files() {
        assert_eq!(slug("Disputed rules / 2"), "disputed-rules-2");
        assert_eq!(slug("alphabeta:nodes=*"), "alphabeta-nodes");
    }

    #[test]
    fn no_two_players_have_one_mark_and_none_has_a_sides_colour() {
        let programs: Vec<String> = (0..35).map(|number| number.to_string()).collect();
        let (color, shape) = by_player(Some("people"), &programs);
        let range = |encoding: &Value| encoding["scale"]["range"].as_array().unwrap().clone();
        let marks: Vec<(Value, Value)> = range(&color).into_iter().zip(range(&shape)).collect();
        assert_eq!(marks.len(), 36);
        for (place, mark) in marks.iter().enumerate() {
            assert!(!marks[..place].contains(mark), "{place}: {mark:?}");
            assert!(mark.0 != ATTACKERS && mark.0 != DEFENDERS);
        }
        for program in &marks[1..] {
            assert!(program.0 != marks[0].0 && program.1 != marks[0].1);
        }
        assert_eq!(color["scale"]["domain"][0], "people");
        assert_eq!(range(&by_player(None, &programs).1), range(&shape)[1..]);
    }

    #[test]
    fn bands_hold_their_names() {
        assert_eq!(band(&["one".to_owned()], 20), 20);
        assert_eq!(
            band(&["one\ntwo\nthree".to_owned()], 20),
            3 * LINE_HEIGHT + 5
        );
    }
}
