//! Words for people: axes and their values, players, measures. Imports what players are
//! called.

use crate::agents::AgentSpec;

/// Each rule axis: its key in files, its name, and its name where the values
/// of several axes stand in a row.
const AXES: [(&str, &str, &str); 13] = [
    ("layout", "Layout", "layout"),
    ("king_armed", "King armed", "king"),
    ("throne_hostile", "Throne hostile to", "throne"),
    ("king_capture", "King captured by", "captured by"),
    ("king_return", "King may return to the throne", "return"),
    ("king_edge", "King on an edge", "edge"),
    ("throne", "Throne", "middle square"),
    (
        "throne_pass",
        "Who passes over the throne",
        "passes the throne",
    ),
    ("corners_hostile", "Corners hostile to", "corners"),
    ("king_speed", "King's move", "king's move"),
    ("repetition", "Repetition", "repetition"),
    ("no_moves", "Without a move", "without a move"),
    ("encirclement", "Encirclement wins", "encirclement"),
];

/// The keys of every rule axis, in the order of the tables.
pub fn axes() -> impl Iterator<Item = &'static str> {
    AXES.iter().map(|(key, _, _)| *key)
}

/// An axis, as a heading: `King armed`.
pub fn axis(key: &str) -> String {
    AXES.iter()
        .find(|(name, _, _)| *name == key)
        .map_or_else(|| spaced(key), |(_, name, _)| (*name).to_owned())
}

/// An axis, in a heading over the values of several: `captured by`.
pub fn axis_in_row(key: &str) -> String {
    AXES.iter()
        .find(|(name, _, _)| *name == key)
        .map_or_else(|| spaced(key), |(_, _, name)| (*name).to_owned())
}

/// An axis's value after its name: `yes`, `nobody`.
pub fn value(axis: &str, value: &str) -> String {
    match (axis, value) {
        (_, "true") => "yes".to_owned(),
        (_, "false") => "no".to_owned(),
        ("throne_hostile" | "corners_hostile", "none") => "nobody".to_owned(),
        ("", "") => String::new(),
        (_, "") => "–".to_owned(),
        ("repetition", text) => repetition(text),
        (_, text) => spaced(text),
    }
}

/// An axis's value that must say by itself what it is: `armed`, `no return`.
pub fn value_in_row(axis: &str, text: &str) -> String {
    match (axis, text) {
        ("king_armed", "true") => "armed".to_owned(),
        ("king_armed", "false") => "unarmed".to_owned(),
        ("king_return", "true") => "return".to_owned(),
        ("king_return", "false") => "no return".to_owned(),
        ("encirclement", "true") => "encirclement".to_owned(),
        ("encirclement", "false") => "no encirclement".to_owned(),
        _ => value(axis, text),
    }
}

/// `3 draw`: what happens at the third time.
fn repetition(text: &str) -> String {
    match text.split_once(' ') {
        Some((count, "mover-loses")) => format!("{count} times, the mover loses"),
        Some((count, "draw")) => format!("{count} times, draw"),
        Some((count, winner)) => format!("{count} times, {winner} win"),
        None => spaced(text),
    }
}

/// A name of files as words: `king-escaped`, `mean_plies`.
pub fn spaced(text: &str) -> String {
    text.replace(['_', '-'], " ")
}

/// A player: `alpha-beta, 2,000 nodes`. A spec with more than a budget keeps
/// the rest as it is; of another program's, the folder is left out.
pub fn agent(spec: &str) -> String {
    let Some((name, options)) = spec.split_once(':') else {
        return spec.to_owned();
    };
    if name == "external" {
        return match spec.parse() {
            Ok(AgentSpec::External(command)) => format!("external: {}", command.without_folder()),
            _ => spec.to_owned(),
        };
    }
    let (budget, rest) = options.split_once(',').unwrap_or((options, ""));
    let family = match name {
        "alphabeta" => "alpha-beta",
        "mcts" => "MCTS",
        _ => return spec.to_owned(),
    };
    let Some((unit, number)) = budget.split_once('=') else {
        return spec.to_owned();
    };
    if number.is_empty() || !number.bytes().all(|byte| byte.is_ascii_digit()) {
        return spec.to_owned();
    }
    let budget = match unit {
        "depth" => format!("depth {number}"),
        _ => format!("{} {unit}", grouped(number)),
    };
    let rest = rest.split(',').filter(|option| !option.is_empty());
    rest.fold(format!("{family}, {budget}"), |text, option| {
        format!("{text}, {option}")
    })
}

/// A pair of players: one name where both are the same.
pub fn players(attackers: &str, defenders: &str) -> String {
    if attackers == defenders {
        agent(attackers)
    } else {
        format!("{} against {}", agent(attackers), agent(defenders))
    }
}

/// A family of players, and what their budget counts: `alphabeta:nodes=*` is
/// `alpha-beta` with `nodes`.
pub fn family(spec: &str) -> (String, String) {
    let (name, options) = spec.split_once(':').unwrap_or((spec, ""));
    let (budget, rest) = options.split_once(',').unwrap_or((options, ""));
    let unit = budget.split('=').next().unwrap_or_default();
    let name = match name {
        "alphabeta" => "alpha-beta",
        "mcts" => "MCTS",
        other => other,
    };
    let name = match rest {
        "" => name.to_owned(),
        rest => format!("{name}, {}", rest.replace(',', ", ")),
    };
    (name, unit.to_owned())
}

/// Digits in groups of three: `20,000`.
pub fn grouped(digits: &str) -> String {
    let mut text = String::new();
    for (index, digit) in digits.chars().enumerate() {
        if index > 0 && (digits.len() - index).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

/// A share as per cent: `0.842` is `84 %`.
pub fn percent(share: f64) -> String {
    format!("{:.0} %", 100.0 * share)
}

/// The probability of an interval: `95 %`.
pub fn confidence(share: f64) -> String {
    format!("{} %", points(share))
}

/// A share in points, hundredths, with as many decimals as it takes, four at
/// most: `0.025` is `2.5`.
pub fn points(share: f64) -> String {
    let digits = format!("{:.4}", 100.0 * share);
    digits
        .trim_end_matches('0')
        .trim_end_matches('.')
        .to_owned()
}

/// Breaks a text into lines of at most so many letters: between parts that
/// ` · ` or a comma separates, where it has such, else between words.
pub fn lines(text: &str, letters: usize) -> Vec<String> {
    let separator = [" · ", ", "].into_iter().find(|it| text.contains(it));
    let separator = separator.unwrap_or(" ");
    let mut lines: Vec<String> = vec![String::new()];
    for part in text.split_inclusive(separator) {
        let last = lines.last_mut().expect("there is one line at least");
        let length = last.chars().count() + part.trim_end().chars().count();
        if last.is_empty() || length <= letters {
            last.push_str(part);
        } else {
            lines.push(part.to_owned());
        }
    }
    lines
        .iter()
        .map(|line| line.trim_end().to_owned())
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_axis_has_words() {
        assert!(AXES.iter().map(|(axis, ..)| *axis).eq(crate::game::AXES));
    }

    #[test]
    fn players_are_named_by_family_and_budget() {
        for (spec, name) in [
            ("random", "random"),
            ("alphabeta:nodes=20000", "alpha-beta, 20,000 nodes"),
            ("alphabeta:depth=4", "alpha-beta, depth 4"),
            ("mcts:playouts=500,c=1.2", "MCTS, 500 playouts, c=1.2"),
            ("external:./engine --fast", "external: engine --fast"),
            ("external:engines/one", "external: one"),
            (
                "external:seconds=5,./engines/one random",
                "external: seconds=5,one random",
            ),
            (
                "external:'./my engines/one' engine random",
                "external: one engine random",
            ),
            (
                "external:'./engines/my one' random",
                "external: 'my one' random",
            ),
            ("alphabeta:nodes=", "alphabeta:nodes="),
        ] {
            assert_eq!(agent(spec), name);
        }
        assert_eq!(players("random", "random"), "random");
        assert_eq!(players("greedy", "random"), "greedy against random");
        let (name, unit) = family("alphabeta:nodes=*,quiescence=off");
        assert_eq!((&*name, &*unit), ("alpha-beta, quiescence=off", "nodes"));
    }

    #[test]
    fn values_say_what_they_are() {
        assert_eq!(value("king_armed", "false"), "no");
        assert_eq!(value_in_row("king_armed", "false"), "unarmed");
        assert_eq!(value("throne_hostile", "none"), "nobody");
        assert_eq!(value("repetition", "3 attackers"), "3 times, attackers win");
        assert_eq!(axis("king_capture"), "King captured by");
        assert_eq!(axis("new_axis"), "new axis");
    }

    #[test]
    fn long_texts_break_between_their_parts() {
        assert_eq!(lines("armed · two", 20), ["armed · two"]);
        assert_eq!(
            lines("armed · two · return", 13),
            ["armed · two ·", "return"]
        );
        assert_eq!(lines("no return · two", 10), ["no return ·", "two"]);
        assert_eq!(lines("one two three", 8), ["one two", "three"]);
        assert_eq!(lines("indivisible-name", 5), ["indivisible-name"]);
        assert_eq!(grouped("1234567"), "1,234,567");
        assert_eq!(grouped("200"), "200");
    }
}
