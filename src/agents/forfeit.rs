//! Why an agent gave no legal move. Imports `game`.

use std::fmt;

use crate::game::IllegalMove;

/// Why an agent gave no legal move. Only external engines ever do.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum Forfeit {
    /// It answered with a move that may not be played.
    #[error("illegal move: {0}")]
    Illegal(#[from] IllegalMove),
    /// The system could not start it.
    #[error("could not be started: {problem}")]
    Start {
        /// What the system said.
        problem: String,
    },
    /// It ended, or closed its output, before the answer.
    #[error("{how} before it answered `{command}`{last_words}")]
    Crash {
        /// The beginning of what it had been asked.
        command: String,
        /// How it ended: `exit status: 3`, `signal: 6 (SIGABRT)`, ….
        how: String,
        /// The last it wrote to its standard error, set off by `: `; empty if
        /// there was nothing.
        last_words: String,
    },
    /// It did not answer in time.
    #[error("no answer to `{command}` in {seconds} s")]
    Silence {
        /// The beginning of what it had been asked.
        command: String,
        /// The limit for an answer, as spec strings write it.
        seconds: String,
    },
    /// It began an answer in time, but did not end it.
    #[error(
        "answered `{command}` with `{answer}`, but in {seconds} s not with the empty line that ends an answer"
    )]
    Unended {
        /// The beginning of what it had been asked.
        command: String,
        /// The beginning of what it answered.
        answer: String,
        /// The limit for an answer, as spec strings write it.
        seconds: String,
    },
    /// It answered in words that the protocol does not know.
    #[error("answered `{command}` with `{answer}`, expected {expected}")]
    Malformed {
        /// The beginning of what it had been asked.
        command: String,
        /// The beginning of what it answered.
        answer: String,
        /// What the protocol knows.
        expected: &'static str,
    },
    /// It answered `?`.
    #[error("refused `{command}`: {message}")]
    Refused {
        /// The beginning of what it had been asked.
        command: String,
        /// What it said behind the `?`.
        message: String,
    },
}

impl Forfeit {
    /// Which kind it is in records.
    #[must_use]
    pub const fn kind(&self) -> ForfeitKind {
        match self {
            Forfeit::Illegal(_) => ForfeitKind::Illegal,
            Forfeit::Start { .. } | Forfeit::Crash { .. } => ForfeitKind::Crash,
            Forfeit::Silence { .. } | Forfeit::Unended { .. } => ForfeitKind::Silence,
            Forfeit::Malformed { .. } | Forfeit::Refused { .. } => ForfeitKind::Malformed,
        }
    }
}

/// The kinds of [`Forfeit`] that records tell apart.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum ForfeitKind {
    /// A move that may not be played.
    Illegal,
    /// The engine could not be started, ended, or closed its output.
    Crash,
    /// No answer in time, or not the end of one.
    Silence,
    /// An answer that is none, or a refusal.
    Malformed,
}

impl ForfeitKind {
    /// Every kind.
    pub const ALL: [ForfeitKind; 4] = [
        ForfeitKind::Illegal,
        ForfeitKind::Crash,
        ForfeitKind::Silence,
        ForfeitKind::Malformed,
    ];

    /// `forfeit-illegal`, `forfeit-crash`, `forfeit-silence` or
    /// `forfeit-malformed`.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            ForfeitKind::Illegal => "forfeit-illegal",
            ForfeitKind::Crash => "forfeit-crash",
            ForfeitKind::Silence => "forfeit-silence",
            ForfeitKind::Malformed => "forfeit-malformed",
        }
    }
}

impl fmt::Display for ForfeitKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(self.name())
    }
}
