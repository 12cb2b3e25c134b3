//! Tables as polars frames, and as CSV with the same bytes everywhere. Imports
//! runs.

use polars::prelude::*;

use super::run::{CellGames, Run};

/// A table of a report.
#[derive(Clone, Debug)]
pub struct Table {
    name: &'static str,
    frame: DataFrame,
    /// Of every column whether its numbers are written with six decimals
    /// rather than six significant digits.
    decimals: Vec<bool>,
}

impl Table {
    /// The file's name without `.csv`.
    #[must_use]
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// The values, unrounded; nothing where there is no such number.
    #[must_use]
    pub fn frame(&self) -> &DataFrame {
        &self.frame
    }

    /// The file's bytes: a header, then a line a row. Shares and differences of
    /// shares have six decimals, other numbers six significant digits.
    ///
    /// # Panics
    /// Never: memory takes every row.
    #[must_use]
    pub fn csv(&self) -> Vec<u8> {
        let mut writer = csv::Writer::from_writer(Vec::new());
        let names = self.frame.get_column_names();
        let header = names.iter().map(|name| name.as_str());
        writer.write_record(header).expect("memory takes every row");
        for row in self.fields() {
            writer.write_record(row).expect("memory takes every row");
        }
        writer.into_inner().expect("memory takes every row")
    }

    /// A word in a column; empty if there is no such column or word.
    #[must_use]
    pub fn word(&self, column: &str, row: usize) -> String {
        let column = self.frame.column(column).ok();
        let value = column.and_then(|column| column.get(row).ok());
        value.map_or_else(String::new, |value| field(&value, false))
    }

    /// A number in a column; `None` if there is no such column or number.
    #[must_use]
    pub fn value(&self, column: &str, row: usize) -> Option<f64> {
        let column = self.frame.column(column).ok()?;
        match column.get(row).ok()? {
            AnyValue::Float64(number) => Some(number),
            AnyValue::UInt64(count) => Some(count as f64),
            _ => None,
        }
    }

    /// Every row as an object of its columns, numbers unrounded.
    #[must_use]
    pub fn records(&self) -> Vec<serde_json::Map<String, serde_json::Value>> {
        let mut rows = vec![serde_json::Map::new(); self.frame.height()];
        for column in self.frame.columns() {
            for (row, fields) in rows.iter_mut().enumerate() {
                let value = match column.get(row).unwrap_or(AnyValue::Null) {
                    AnyValue::Null => serde_json::Value::Null,
                    AnyValue::Float64(number) => number.into(),
                    AnyValue::UInt64(count) => count.into(),
                    AnyValue::Boolean(flag) => flag.into(),
                    word => field(&word, false).into(),
                };
                fields.insert(column.name().to_string(), value);
            }
        }
        rows
    }

    /// Every row's fields as the file has them.
    #[must_use]
    pub fn fields(&self) -> Vec<Vec<String>> {
        let mut rows = vec![Vec::new(); self.frame.height()];
        for (column, &decimals) in self.frame.columns().iter().zip(&self.decimals) {
            for (row, fields) in rows.iter_mut().enumerate() {
                let value = column.get(row).unwrap_or(AnyValue::Null);
                fields.push(field(&value, decimals));
            }
        }
        rows
    }
}

fn field(value: &AnyValue<'_>, decimals: bool) -> String {
    match value {
        AnyValue::Null => String::new(),
        AnyValue::String(text) => (*text).to_owned(),
        AnyValue::StringOwned(text) => text.to_string(),
        AnyValue::Float64(number) if decimals => unsigned_zero(format!("{number:.6}")),
        AnyValue::Float64(number) => significant(*number),
        other => other.to_string(),
    }
}

/// No sign before nothing.
fn unsigned_zero(text: String) -> String {
    match text.strip_prefix('-') {
        Some(rest) if rest.bytes().all(|byte| b"0.".contains(&byte)) => rest.to_owned(),
        _ => text,
    }
}

/// Six significant digits: 0.0123457, 1234.57, and outside 0.0001 to a million
/// with an exponent, 1.23457e-9.
fn significant(number: f64) -> String {
    // Rounded first: 999999.9 has seven digits before the point.
    let scientific = format!("{number:.5e}");
    let Some((_, exponent)) = scientific.split_once('e') else {
        return scientific;
    };
    match exponent.parse::<i32>() {
        _ if number == 0.0 => "0".to_owned(),
        Ok(exponent) if (-4..6).contains(&exponent) => {
            let decimals = (5 - exponent) as usize;
            format!("{number:.decimals$}")
        }
        _ => scientific,
    }
}

/// Makes a table of rows, column by column.
pub(super) struct Sheet<'a, R> {
    rows: &'a [R],
    columns: Vec<Column>,
    decimals: Vec<bool>,
}

impl<'a, R> Sheet<'a, R> {
    pub(super) fn new(rows: &'a [R]) -> Sheet<'a, R> {
        Sheet {
            rows,
            columns: Vec::new(),
            decimals: Vec::new(),
        }
    }

    fn push(mut self, column: Column, decimals: bool) -> Self {
        self.columns.push(column);
        self.decimals.push(decimals);
        self
    }

    /// A column of words; an empty one is nothing.
    pub(super) fn text(self, name: &str, of: impl Fn(&R) -> String) -> Self {
        let words = self.rows.iter().map(of);
        let words: Vec<Option<String>> = words
            .map(|word| Some(word).filter(|word| !word.is_empty()))
            .collect();
        self.push(Column::new(name.into(), words), false)
    }

    /// A column of yes and no.
    pub(super) fn flag(self, name: &str, of: impl Fn(&R) -> Option<bool>) -> Self {
        let flags: Vec<Option<bool>> = self.rows.iter().map(of).collect();
        self.push(Column::new(name.into(), flags), false)
    }

    /// A column of counts.
    pub(super) fn count(self, name: &str, of: impl Fn(&R) -> u64) -> Self {
        self.maybe_count(name, |row| Some(of(row)))
    }

    /// A column of counts that not all rows have.
    pub(super) fn maybe_count(self, name: &str, of: impl Fn(&R) -> Option<u64>) -> Self {
        let counts: Vec<Option<u64>> = self.rows.iter().map(of).collect();
        self.push(Column::new(name.into(), counts), false)
    }

    /// A column of shares, or differences of shares.
    pub(super) fn share(self, name: &str, of: impl Fn(&R) -> Option<f64>) -> Self {
        let column = self.numbers(name, of);
        self.push(column, true)
    }

    /// A column of other numbers.
    pub(super) fn number(self, name: &str, of: impl Fn(&R) -> Option<f64>) -> Self {
        let column = self.numbers(name, of);
        self.push(column, false)
    }

    fn numbers(&self, name: &str, of: impl Fn(&R) -> Option<f64>) -> Column {
        let numbers = self.rows.iter().map(of);
        let numbers: Vec<Option<f64>> = numbers
            .map(|number| number.filter(|number| number.is_finite()))
            .collect();
        Column::new(name.into(), numbers)
    }

    /// The experiment's name.
    pub(super) fn experiment(self, of: impl Fn(&R) -> &Run) -> Self {
        self.text("experiment", |row| of(row).experiment().name.clone())
    }

    /// The experiment, cell, ruleset, label and, unless they are named
    /// otherwise, agents of a row about one cell.
    pub(super) fn cell(self, of: impl Fn(&R) -> (&Run, &CellGames)) -> Self {
        self.experiment(|row| of(row).0)
            .text("cell", |row| of(row).1.row.cell.id.clone())
            .text("ruleset", |row| of(row).1.row.cell.ruleset_id.clone())
            .text("label", |row| of(row).1.row.cell.ruleset.label())
    }

    /// The agents of a row about one cell.
    pub(super) fn agents(self, of: impl Fn(&R) -> &CellGames) -> Self {
        self.text("attackers", |row| {
            of(row).row.cell.pair.attackers.to_string()
        })
        .text("defenders", |row| {
            of(row).row.cell.pair.defenders.to_string()
        })
    }

    pub(super) fn table(self, name: &'static str) -> Table {
        let frame = DataFrame::new(self.rows.len(), self.columns);
        Table {
            name,
            frame: frame.expect("the columns have one length and names of their own"),
            decimals: self.decimals,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_with_fixed_digits() {
        for (number, expected) in [
            (0.0, "0"),
            (0.012_345_67, "0.0123457"),
            (1234.567, "1234.57"),
            (-1.5, "-1.50000"),
            (999_999.9, "1.00000e6"),
            (0.000_099, "9.90000e-5"),
            (1.234_567e-200, "1.23457e-200"),
        ] {
            assert_eq!(significant(number), expected);
        }
    }

    #[test]
    fn a_table_has_its_rows_as_fields() {
        let rows = [(1.0, "a,b"), (-1e-9, "")];
        let table = Sheet::new(&rows)
            .text("word", |row| row.1.to_owned())
            .share("share", |row| Some(row.0))
            .number("number", |row| Some(row.0).filter(|number| *number > 0.0))
            .flag("flag", |row| Some(row.0 > 0.0))
            .count("count", |_| 7)
            .table("test");
        let text = String::from_utf8(table.csv()).unwrap();
        let expected =
            "word,share,number,flag,count\n\"a,b\",1.000000,1.00000,true,7\n,0.000000,,false,7\n";
        assert_eq!(text, expected);
        assert_eq!((table.name(), table.frame().height()), ("test", 2));
        assert_eq!(
            (&*table.word("word", 0), &*table.word("word", 1)),
            ("a,b", "")
        );
        assert_eq!(
            (table.value("count", 1), table.value("number", 1)),
            (Some(7.0), None)
        );
        assert_eq!(
            (table.value("none", 0), table.value("share", 9)),
            (None, None)
        );
        let records = serde_json::to_string(&table.records()[1]).unwrap();
        assert_eq!(
            records,
            r#"{"count":7,"flag":false,"number":null,"share":-1e-9,"word":null}"#
        );
        let none: [(f64, &str); 0] = [];
        let table = Sheet::new(&none)
            .share("share", |row| Some(row.0))
            .table("none");
        assert_eq!(table.csv(), b"share\n");
    }
}
