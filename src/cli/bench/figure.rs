//! What was measured, for people and for scripts.

use std::io::{self, Write};

use serde::Serialize;

use super::super::failure::Failure;
use super::machine::{Machine, Program};

/// The form of the JSON object. A change that a reader could trip over makes
/// it another.
const SCHEMA: u32 = 1;

/// One measured number.
#[derive(Serialize)]
pub struct Figure {
    /// A name that stays the same.
    pub name: &'static str,
    /// What was measured, in words.
    pub what: String,
    /// How much.
    pub value: f64,
    /// Of what.
    pub unit: &'static str,
}

/// The figures of one invocation: printed as they come, or together as JSON.
#[derive(Serialize)]
pub struct Report {
    schema: u32,
    program: Program,
    machine: Machine,
    figures: Vec<Figure>,
    #[serde(skip)]
    json: bool,
}

impl Report {
    /// Without a figure.
    pub fn new(json: bool) -> Report {
        Report {
            schema: SCHEMA,
            program: Program::this(),
            machine: Machine::this(),
            figures: Vec::new(),
            json,
        }
    }

    /// Says what is measured.
    pub fn begin(&self) -> Result<(), Failure> {
        if !self.json {
            writeln!(io::stdout(), "{}\n{}\n", self.program, self.machine)?;
        }
        Ok(())
    }

    /// Takes a figure in.
    pub fn add(&mut self, figure: Figure) -> Result<(), Failure> {
        if !self.json {
            let Figure {
                name,
                what,
                value,
                unit,
            } = &figure;
            writeln!(io::stdout(), "{name:18} {value:>9.2} {unit:18} {what}")?;
        }
        self.figures.push(figure);
        Ok(())
    }

    /// Prints what has to come together.
    pub fn end(&self) -> Result<(), Failure> {
        if self.json {
            let text = serde_json::to_string_pretty(self).map_err(io::Error::from)?;
            writeln!(io::stdout(), "{text}")?;
        }
        Ok(())
    }
}
