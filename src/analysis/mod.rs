/*!
Tables from result folders. Reads result files and record types only; plays
nothing, changes no game.
*/

pub(crate) mod cholesky;
mod chosen;
mod davidson;
mod estimates;
mod outcomes;
pub mod page;
mod rating_files;
mod ratings;
mod roles;
mod round_robin;
mod run;
mod statistics;
mod winrates;

pub use chosen::{Choice, Why};
pub use estimates::{Estimate, Open, Share, Strengths, Tallied};
pub use outcomes::Outcomes;
pub use rating_files::RATING_FILES;
pub use ratings::{AgentRating, RESAMPLES, RateError, Ratings, RulesetSide, Scope, Step};
pub use round_robin::{NotRated, RoundRobin};
pub use run::{CellGames, Run, RunError};
pub use statistics::{Interval, WILSON_95_Z, wilson, wilson_clustered};
pub use winrates::{CellRow, TableError, Tables};
