//! What a search is asked, how it goes on and what comes of it.
//! Imports nothing of ours.

/// How a search goes about its question. Nothing here decides what it proves.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The table, in bytes.
    pub memory: u64,
    /// What positions begin with that nobody has searched.
    pub first: First,
    /// What the replies to a move come to together.
    pub replies: Replies,
    /// Of the prover's moves, only so many are looked at, those first that seem
    /// the easiest to win by; all replies always are.
    pub candidates: Option<usize>,
    /// So many threads have turns side by side, one at least. With more, what is
    /// expanded depends on which of them comes first. Other engines have one.
    pub threads: u16,
}

impl Options {
    /// The usual way, with a table of so many bytes.
    #[must_use]
    pub const fn new(memory: u64) -> Options {
        Options {
            memory,
            first: First::Fitted,
            replies: Replies::Shared,
            candidates: None,
            threads: 1,
        }
    }
}

/// The numbers of positions that nobody has searched.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum First {
    /// By counts of moves.
    Counted,
    /// Estimated from what the position looks like, by what searches of such
    /// positions found.
    Fitted,
}

/// How the proof numbers of replies, all of which have to be met, are put
/// together.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Replies {
    /// Their sum.
    Summed,
    /// The largest and, of the sum of the others, what is beyond ten thousand by
    /// a sixteenth: much of that is the same positions, met again. By counts of
    /// moves ([`First::Counted`]) it is the sum all the same.
    Shared,
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
    /// In a tree of jobs, where the present one stands: both numbers are those
    /// of its position.
    pub above: Option<Above>,
}

/// What is above a job in its tree.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Above {
    /// The level that is tried.
    pub level: u8,
    /// Plies from the question's position to the job's.
    pub plies: u16,
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
