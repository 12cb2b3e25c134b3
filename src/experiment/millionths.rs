//! A share in whole millionths. Imports nothing of ours.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A number from 0 to 1 with at most six decimals: what people write, exact
/// and the same in every file.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug, Serialize, Deserialize)]
#[serde(try_from = "f64", into = "f64")]
pub struct Millionths(u32);

impl Millionths {
    /// So many millionths, at most 1,000,000.
    #[must_use]
    pub(super) const fn new(millionths: u32) -> Millionths {
        assert!(millionths <= 1_000_000);
        Millionths(millionths)
    }

    /// The number.
    #[must_use]
    pub fn get(self) -> f64 {
        f64::from(self.0) / 1e6
    }

    /// The number of millionths.
    #[must_use]
    pub const fn count(self) -> u32 {
        self.0
    }
}

impl From<Millionths> for f64 {
    fn from(value: Millionths) -> f64 {
        value.get()
    }
}

impl TryFrom<f64> for Millionths {
    type Error = &'static str;

    fn try_from(value: f64) -> Result<Millionths, &'static str> {
        if (0.0..=1.0).contains(&value) {
            let nearest = Millionths((value * 1e6).round() as u32);
            // The quotient of two whole numbers is rounded as the decimal is.
            if nearest.get().to_bits() == value.abs().to_bits() {
                return Ok(nearest);
            }
        }
        Err("expected a number from 0 to 1 with at most six decimals")
    }
}

impl fmt::Display for Millionths {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.get().fmt(f)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn six_decimals_survive_and_seven_do_not() {
        for count in (0..=1_000_000).step_by(7) {
            let text = Millionths(count).to_string();
            let read: f64 = text.parse().unwrap();
            assert_eq!(Millionths::try_from(read), Ok(Millionths(count)), "{text}");
        }
        for wrong in [-0.1, 1.000_001, 0.000_000_1, 0.123_456_7, f64::NAN] {
            assert!(Millionths::try_from(wrong).is_err(), "{wrong}");
        }
    }
}
