//! A table of the report, read for drawing: rows by column name. Imports
//! nothing of ours.

use std::collections::HashMap;

/// A CSV table.
#[derive(Clone, Debug, Default)]
pub struct Frame {
    columns: HashMap<String, usize>,
    records: Vec<csv::StringRecord>,
}

/// A row of a [`Frame`].
#[derive(Clone, Copy)]
pub struct Row<'a> {
    frame: &'a Frame,
    record: &'a csv::StringRecord,
}

impl Frame {
    /// Reads a table with a header line.
    ///
    /// # Errors
    /// If a row has not as many fields as the header.
    pub fn parse(text: &str) -> Result<Frame, csv::Error> {
        let mut reader = csv::Reader::from_reader(text.as_bytes());
        let columns = reader
            .headers()?
            .iter()
            .enumerate()
            .map(|(index, name)| (name.to_owned(), index))
            .collect();
        let records = reader.records().collect::<Result<_, _>>()?;
        Ok(Frame { columns, records })
    }

    /// Every row, in the file's order.
    pub fn rows(&self) -> impl Iterator<Item = Row<'_>> {
        self.records.iter().map(|record| Row {
            frame: self,
            record,
        })
    }
}

impl<'a> Row<'a> {
    /// A field; empty where the table has no such column.
    pub fn text(self, column: &str) -> &'a str {
        self.frame
            .columns
            .get(column)
            .and_then(|&index| self.record.get(index))
            .unwrap_or("")
    }

    /// A field that is a finite number.
    pub fn number(self, column: &str) -> Option<f64> {
        let number: f64 = self.text(column).parse().ok()?;
        number.is_finite().then_some(number)
    }
}

/// The different values of an iterator, in the order in which they come.
pub fn distinct<T: PartialEq>(values: impl IntoIterator<Item = T>) -> Vec<T> {
    values.into_iter().fold(Vec::new(), |mut seen, value| {
        if !seen.contains(&value) {
            seen.push(value);
        }
        seen
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn fields_are_found_by_name_and_missing_ones_are_empty() {
        let frame = Frame::parse("label,score\n\"a, b\",0.25\nc,\n").unwrap();
        let rows: Vec<Row> = frame.rows().collect();
        assert_eq!(rows[0].text("label"), "a, b");
        assert_eq!(rows[0].number("score"), Some(0.25));
        assert_eq!((rows[1].number("score"), rows[1].text("p")), (None, ""));
        assert!(Frame::parse("a,b\n1\n").is_err());
    }

    #[test]
    fn distinct_values_keep_their_order() {
        assert_eq!(distinct([3, 1, 3, 2, 1]), [3, 1, 2]);
    }
}
