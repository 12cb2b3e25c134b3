//! Some of a run's shards, written as schedulers write them: `2,7-9/12`.
//! Imports the grid.

use std::fmt;
use std::str::FromStr;

use super::grid::Shard;

/// The most shards of a run.
pub(super) const MOST: u32 = 100_000;

/// Some of the shards of a run, in order, none twice.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shards {
    indices: Vec<u32>,
    count: u32,
}

impl Shards {
    /// These of `count` shards, which are numbered from 1.
    pub(super) fn new(mut indices: Vec<u32>, count: u32) -> Shards {
        indices.sort_unstable();
        indices.dedup();
        Shards { indices, count }
    }

    /// Each of them.
    pub fn iter(&self) -> impl Iterator<Item = Shard> {
        let count = self.count;
        let indices = self.indices.iter();
        indices.map(move |&index| Shard { index, count })
    }

    /// How many these are.
    #[must_use]
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Whether there are none.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Their numbers, such as `2,7-9`; empty if there are none.
    #[must_use]
    pub fn numbers(&self) -> String {
        let rows = self.indices.chunk_by(|one, next| one + 1 == *next);
        let rows = rows.map(|row| match row {
            [] => String::new(),
            [one] => one.to_string(),
            [first, .., last] => format!("{first}-{last}"),
        });
        rows.collect::<Vec<_>>().join(",")
    }
}

impl fmt::Display for Shards {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}/{}", self.numbers(), self.count)
    }
}

impl FromStr for Shards {
    type Err = String;

    fn from_str(text: &str) -> Result<Shards, String> {
        read(text).ok_or_else(|| {
            format!(
                "`{text}` is no shard: expected I/N, such as 1/3, or several, such as 2,7-9/12, with I from 1 to N and N at most {MOST}"
            )
        })
    }
}

fn read(text: &str) -> Option<Shards> {
    let (rows, count) = text.split_once('/')?;
    let count: u32 = count.parse().ok().filter(|&count| count <= MOST)?;
    let mut indices = Vec::new();
    for row in rows.split(',') {
        let (first, last) = row.split_once('-').unwrap_or((row, row));
        let (first, last): (u32, u32) = (first.parse().ok()?, last.parse().ok()?);
        if first < 1 || last > count || first > last {
            return None;
        }
        indices.extend(first..=last);
    }
    Some(Shards::new(indices, count))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_read_and_written_alike() {
        for (text, written) in [
            ("2/3", "2/3"),
            ("1-3/3", "1-3/3"),
            ("9,2,7-8,8/12", "2,7-9/12"),
            ("1,2,4/4", "1-2,4/4"),
        ] {
            assert_eq!(text.parse::<Shards>().unwrap().to_string(), written);
        }
        assert_eq!("7-9/12".parse::<Shards>().unwrap().len(), 3);
    }

    #[test]
    fn shards_are_read_strictly() {
        for text in [
            "", "1", "0/3", "4/3", "1/0", "a/b", "1/3/2", "-1/3", "1/100001", "3-2/4", "2-5/4",
            ",/3", "1,/3", "1-/3",
        ] {
            assert!(text.parse::<Shards>().is_err(), "{text}");
        }
    }
}
