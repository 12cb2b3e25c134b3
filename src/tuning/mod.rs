/*!
Fits an evaluation's weights to the results of games, by logistic regression of
the result on the features of positions, and a small network to what they leave;
and what proof searches begin
with to what they come to. Imports `game`, `agents`, `solver`, `experiment` and
the solver of linear equations of `analysis`.

The games are an experiment's, so they follow from its seed. Sums are taken
over pieces of a fixed size in a fixed order, with an exponential function that
rounds alike everywhere: the same experiment gives the same weights on every
machine and any number of threads.
*/

mod estimates;
mod families;
mod fit;
mod network;
mod samples;

pub use estimates::{Sampling, Seen, fit_estimates, see};
pub use families::{AsWritten, Family, Fitted, Gain, NoPositions, as_written, fit_families};
pub use network::{FittedNetwork, NetworkRow, fit_network};
pub use samples::{MIN_GAMES, Sample, Samples};
