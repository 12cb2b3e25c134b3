//! What readers of TOML and JSON say, for people.

/// A reader's message without the names that types have in programs.
#[must_use]
pub fn plain_words(message: &str) -> String {
    let words = [
        (" as i128", ""),
        (
            "expected i64",
            "expected a whole number up to 9223372036854775807",
        ),
        ("expected f64", "expected a number"),
        ("expected u8", "expected a whole number from 0 to 255"),
        ("expected u16", "expected a whole number from 0 to 65535"),
        (
            "expected u32",
            "expected a whole number from 0 to 4294967295",
        ),
        ("expected u64", "expected a whole number, 0 or more"),
        ("expected usize", "expected a whole number, 0 or more"),
        ("a nonzero u64", "a whole number above 0"),
        ("a nonzero usize", "a whole number above 0"),
        ("expected a sequence", "expected a list"),
        ("expected a map", "expected a table"),
        ("invalid type: map", "invalid type: table"),
        ("invalid type: sequence", "invalid type: list"),
    ];
    let mut plain = words.iter().fold(message.to_owned(), |plain, (word, by)| {
        plain.replace(word, by)
    });
    if let Some((before, name)) = plain.split_once("expected struct ") {
        let rest = name.trim_start_matches(|c: char| c.is_alphanumeric());
        plain = format!("{before}expected a table{rest}");
    }
    if plain.starts_with("invalid length") && plain.contains("expected a table") {
        "invalid type: list, expected a table".clone_into(&mut plain);
    }
    plain
}
