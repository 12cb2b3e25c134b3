//! What a search is asked, how it goes on and what comes of it.
//! Imports nothing of ours.

/// How a search goes about its question. Nothing here decides what it proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The table, in bytes.
    pub memory: u64,
    /// How the numbers of moves that all have to be answered are combined.
    pub combine: Combine,
    /// Of the prover's moves, only so many are looked at, those first that
    /// leave the other side the fewest replies; all replies always are.
    pub candidates: Option<usize>,
}

impl Options {
    /// The usual way, with a table of so many bytes.
    #[must_use]
    pub const fn new(memory: u64) -> Options {
        Options {
            memory,
            combine: Combine::Sum,
            candidates: None,
        }
    }
}

/// How the numbers of several moves that all have to be answered are combined.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Combine {
    /// Their sum.
    Sum,
    /// The largest, and one for every other: many moves lead to the same
    /// positions, which a sum counts again and again (Ueda, Hashimoto,
    /// Hashimoto and Iida, "Weak proof-number search", 2008).
    Weak,
}

/// How a search goes on.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Progress {
    /// Positions expanded, repeatedly expanded ones counted each time.
    pub nodes: u64,
    /// The root's proof number, 0 when proved.
    pub proof: u32,
    /// Its disproof number.
    pub disproof: u32,
    /// Table entries that hold something.
    pub used: u64,
    /// Table entries.
    pub entries: u64,
}

/// What became of the question.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// The prover wins, within so many plies at most.
    Proved {
        /// A bound, seldom the shortest win.
        plies: u16,
    },
    /// There is no win in what the search was allowed to look at. No
    /// certificate shows it, so it is not to be published as a fact.
    Exhausted,
    /// It was stopped.
    Open,
}
