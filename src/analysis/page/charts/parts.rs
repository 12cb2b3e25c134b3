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

/// Pixels of a line of text.
const LINE_HEIGHT: usize = 13;

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
            "labelExpr": "split(datum.label, '\\n')",
            "labelBaseline": "middle",
            "labelLineHeight": LINE_HEIGHT,
        },
    })
}

/// The height of a band that holds names such as these, at least so much.
pub fn band<'a>(names: impl IntoIterator<Item = &'a str>, least: usize) -> usize {
    let lines = names.into_iter().map(|name| name.lines().count()).max();
    least.max(lines.unwrap_or(1) * LINE_HEIGHT + 5)
}

/// Panels side by side, one for each value of a field, in the data's order.
pub fn facet(field: &str, values: &[String]) -> Value {
    json!({
        "field": field,
        "type": "nominal",
        "sort": values,
        "header": { "title": null, "labelExpr": "split(datum.label, '\\n')" },
    })
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
            "labelExpr": "split(datum.label, '\\n')",
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

/// What the page must know to fit a chart of panels to a narrow window: how
/// wide a panel may be, and how much stands to the left of the panels.
pub fn panels(count: usize, columns: usize, width: usize) -> Value {
    json!({ "panels": { "count": count, "columns": columns, "width": width } })
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

/// Players told apart by colours, of a range in the charts' configuration, and
/// by shapes: the encodings `color` and `shape`.
pub fn by_player(players: &[String], range: &str) -> (Value, Value) {
    let color = json!({
        "field": "players",
        "type": "nominal",
        "scale": { "domain": players, "range": range },
        "legend": { "title": null, "columns": 3 },
    });
    let shapes: Vec<&str> = SHAPES.iter().copied().cycle().take(players.len()).collect();
    let shape = json!({
        "field": "players",
        "type": "nominal",
        "scale": { "domain": players, "range": shapes },
    });
    (color, shape)
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
    fn bands_hold_their_names() {
        assert_eq!(band(["one", "two"], 20), 20);
        assert_eq!(band(["one\ntwo\nthree"], 20), 3 * LINE_HEIGHT + 5);
    }
}
