//! Counts games that are played again.

use std::io::IsTerminal;

use brandub::experiment::ReplayObserver;
use indicatif::{ProgressBar, ProgressStyle};

/// Counts games that are played again, on a terminal only.
pub struct Counter(ProgressBar);

impl Counter {
    /// Names what is done; `quiet` shows nothing.
    pub fn new(doing: &'static str, quiet: bool) -> Counter {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style =
            ProgressStyle::with_template("{msg} {wide_bar} {human_pos}/{human_len} games, {eta}");
        bar.set_style(style.expect("the template is well-formed"));
        bar.set_message(doing);
        Counter(bar)
    }
}

impl ReplayObserver for Counter {
    fn started(&self, games: u64) {
        self.0.set_length(games);
    }

    fn replayed(&self) {
        self.0.inc(1);
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
