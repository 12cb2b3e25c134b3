//! What readers of TOML and JSON say, for people.

/// What is expected, as programs name it and as people do.
const EXPECTED: [(&str, &str); 10] = [
    ("i64", "a whole number up to 9223372036854775807"),
    ("f64", "a number"),
    ("u8", "a whole number from 0 to 255"),
    ("u16", "a whole number from 0 to 65535"),
    ("u32", "a whole number from 0 to 4294967295"),
    ("u64", "a whole number, 0 or more"),
    ("usize", "a whole number, 0 or more"),
    ("a nonzero u64", "a whole number above 0"),
    ("a nonzero usize", "a whole number above 0"),
    ("a sequence", "a list"),
];

/// A reader's message without the names that types have in programs. What has keys is
/// called by its name in the format: `table`, `object`.
#[must_use]
pub fn plain_words(message: &str, map: &str) -> String {
    // What was found may be a text, which stays as it is.
    let Some((found, expected)) = message.rsplit_once(", expected ") else {
        return message.to_owned();
    };
    let found = match found.strip_suffix(" as i128").unwrap_or(found) {
        "invalid type: map" => &format!("invalid type: {map}"),
        "invalid type: sequence" => "invalid type: list",
        other => other,
    };
    // A place may follow.
    let (what, place) = match expected.split_once(" at line ") {
        Some((what, place)) => (what, format!(" at line {place}")),
        None => (expected, String::new()),
    };
    let is_map = what == "a map" || what.starts_with("struct ");
    let what = match EXPECTED.iter().find(|(name, _)| *name == what) {
        Some((_, plain)) => (*plain).to_owned(),
        None if is_map => match map.starts_with(['a', 'e', 'i', 'o', 'u']) {
            true => format!("an {map}"),
            false => format!("a {map}"),
        },
        None => what.to_owned(),
    };
    if is_map && found.starts_with("invalid length") {
        return format!("invalid type: list, expected {what}{place}");
    }
    format!("{found}, expected {what}{place}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn types_are_told_as_people_name_them_and_what_was_found_as_it_is() {
        for (message, map, plain) in [
            (
                "invalid type: string \"1 as i128, expected u64\", expected f64",
                "table",
                "invalid type: string \"1 as i128, expected u64\", expected a number",
            ),
            (
                "invalid value: integer `-1` as i128, expected u32",
                "table",
                "invalid value: integer `-1`, expected a whole number from 0 to 4294967295",
            ),
            (
                "invalid type: map, expected a sequence",
                "object",
                "invalid type: object, expected a list",
            ),
            (
                "invalid type: integer `3`, expected struct Record",
                "object",
                "invalid type: integer `3`, expected an object",
            ),
            (
                "invalid length 0, expected struct Opening with 1 element",
                "table",
                "invalid type: list, expected a table",
            ),
            (
                "invalid type: null, expected u8 at line 13 column 16",
                "object",
                "invalid type: null, expected a whole number from 0 to 255 at line 13 column 16",
            ),
            ("missing field `a map`", "table", "missing field `a map`"),
        ] {
            assert_eq!(plain_words(message, map), plain);
        }
    }
}
