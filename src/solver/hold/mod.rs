/*!
Never to lose: sets of positions that the other side cannot leave. Imports
`game`, the numbering of positions and certificates' bytes.

A side *holds* a position if it need not lose from there, however long the game
goes on. What shows that is a [`Fortress`]: positions with the other side to
move, after each of whose moves the holder can come back to one of them.
[`Search`] looks for such a set among all that can come up, `wall` (feature
`tables`) among positions in which attackers keep men on given squares; [`check`]
holds one against the rules, with none of the code that found it. The argument and the file are in `docs/proofs.md`.

```
use brandub::game::{Position, Rules, Side, preset};
use brandub::solver::hold::{Found, Search, check};

// Three attackers never capture a king who has to be taken by four.
let rules = Rules::new(preset::find("branan")?.ruleset());
let few = Position::from_otn("/3t3/7/7/3K3/7/7/2t1t2/", Side::Attackers)?;
let mut search = Search::new(&rules, &few, Side::Defenders, 1 << 28)?;
let Found::Held(fortress) = search.run(&mut |_| true) else {
    panic!("held");
};
let claim = fortress.claim;
assert!(check(&fortress, claim).is_ok());
# Ok::<(), Box<dyn std::error::Error>>(())
```
*/

mod bits;
mod certificate;
mod check;
mod graph;
mod search;
#[cfg(feature = "tables")]
pub mod wall;

pub use certificate::{Fortress, HOLD_MAGIC, HoldClaim};
pub use check::{Checked, Checker, HoldError, check, may_hold};
pub use search::{Found, Progress, Search};
