/*!
Solvers: proof search and endgame tables. Imports `game` and, for what a search
assumes of a position it has not looked at, the features of `agents::evaluation`.

[`exact`] says what the value of a position is; `tables` (feature `tables`) has
the values of all positions with few men; [`ShortWins`] tries everything for a
few plies.

Proof search says whether a side forces a win, and writes certificates of it
that the rules alone can check.

[`Search`] looks for a win by proof numbers; of a win that it found it writes
down the strategy, a [`Certificate`]; [`check`] holds that against the rules,
with none of the search's code. A side's forced win is a fact once a certificate
has passed, and not before; the search itself may be wrong, say when two
positions share a hash.

```
use brandub::game::{Position, Rules, Ruleset, Side};
use brandub::solver::{Options, Search, Verdict, check};

let rules = Rules::new(Ruleset::default());
let position = Position::from_otn("/3t3/3t3/3T3/2t2t1/T2K3/3Tt2/7/", Side::Defenders)?;
let mut search = Search::new(&rules, Side::Defenders, Options::new(1 << 20))?;
let verdict = search.solve(&position, 100_000, &mut |_| true);
assert_eq!(verdict, Verdict::Proved { plies: 3 });
let certificate = search.strategy(&position, 100_000, &[], &mut |_, _| true)?;
assert!(check::check(&certificate, &mut |_| ()).is_ok());
# Ok::<(), Box<dyn std::error::Error>>(())
```
*/

mod again;
mod at_once;
mod bytes;
mod carry;
mod certificate;
mod certificate_file;
pub mod check;
mod checkpoint;
pub mod estimates;
pub mod exact;
mod expand;
pub mod follow;
mod hash;
mod heading;
pub mod hold;
#[cfg(feature = "cli")]
pub mod in_parts;
mod jobs;
mod layer;
mod learn;
mod mate;
mod mend;
mod node;
mod numbers;
mod pairs;
mod path;
mod progress;
mod quickest;
pub mod ranking;
mod sample;
mod search;
mod short_wins;
mod shorten;
mod soon;
mod statics;
mod strategy;
mod table;
#[cfg(feature = "tables")]
pub mod tables;
mod threads;
mod turns;
mod without_steps;

pub use bytes::{Seal, Unreadable};
pub use carry::carry;
pub use certificate::{Certificate, Claim, Step, TooManySoldiers};
pub use certificate_file::CertificateFile;
pub use checkpoint::CheckpointError;
pub use jobs::Player;
pub use layer::{Layer, MOST_SOLDIERS};
pub use numbers::INFINITE;
pub use progress::{Above, First, Options, Progress, Replies, Verdict};
pub use search::{Observer, Search};
pub use short_wins::{MOST_PLIES, ShortWins};
pub use shorten::shorten;
pub use strategy::StrategyError;
pub use table::NoMemory;
