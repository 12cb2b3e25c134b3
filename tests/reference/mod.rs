//! A second, deliberately naive implementation of the rules of Brandub, written sentence by
//! sentence from the rules document. It shares no code and no method with the library: dictionaries,
//! loops and strings, slow and readable. Tests compare the two; tables of expected values come
//! from here.
#![allow(
    dead_code,
    reason = "each program that includes this module uses a part of it"
)]

pub mod board;
pub mod game;
#[cfg(test)]
mod human;
pub mod rules;
#[cfg(test)]
mod tests;

#[allow(
    unused_imports,
    reason = "each program that includes this module uses a part of it"
)]
pub use self::{
    game::{Game, perft},
    rules::Rules,
};
