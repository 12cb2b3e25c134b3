/*!
Tables from result folders. Reads result files and record types only; plays
nothing, changes no game.
*/

mod adjust;
mod blunders;
mod cell_row;
mod cells;
mod chosen;
mod chunk_rows;
mod davidson;
mod difference;
mod effects;
pub(crate) mod envelope;
mod estimates;
#[cfg(test)]
mod fixture;
mod forfeits;
mod in_order;
mod logistic;
mod normal;
mod notes;
mod openings;
mod outcomes;
pub mod page;
mod people;
mod percent;
mod quality;
mod rating_files;
mod ratings;
mod report;
mod roles;
mod round_robin;
mod run;
mod score;
mod sheet;
mod solved;
mod statistics;
mod strength;
mod student;
mod trends;
mod verdicts;
mod winrates;

pub use blunders::blunders_table;
pub use cell_row::CellRow;
pub use chosen::{Choice, Why};
pub use chunk_rows::TableError;
pub use estimates::{Estimate, Open, Share, Strengths, Tallied};
pub use forfeits::forfeits_note;
pub use openings::openings_table;
pub use outcomes::Outcomes;
pub use percent::percent;
pub use quality::games_table;
pub use rating_files::RATING_FILES;
pub use ratings::{AgentRating, RESAMPLES, RateError, Ratings, RulesetSide, Scope, Step};
pub use report::{Report, ReportError};
pub use round_robin::{NotRated, RoundRobin};
pub use run::{CellGames, Run, RunError};
pub use sheet::Table;
pub use solved::solved_table;
pub use statistics::{Interval, WILSON_95_Z, wilson, wilson_clustered};
pub use winrates::Tables;
