//! Counts what is done, such as games that are played again.

use std::io::IsTerminal;

use brandub::experiment::ReplayObserver;
use indicatif::{ProgressBar, ProgressStyle};

/// Counts what is done, on a terminal only.
pub struct Counter(ProgressBar);

impl Counter {
    /// Names what is done, and with what; `quiet` shows nothing.
    pub fn new(doing: &'static str, with: &'static str, quiet: bool) -> Counter {
        let bar = if quiet || !std::io::stderr().is_terminal() {
            ProgressBar::hidden()
        } else {
            ProgressBar::new(0)
        };
        let style = ProgressStyle::with_template(&format!(
            "{{msg}} {{wide_bar}} {{human_pos}}/{{human_len}} {with}, {{eta}}"
        ));
        bar.set_style(style.expect("the template is well-formed"));
        bar.set_message(doing);
        Counter(bar)
    }

    /// So many are to come.
    pub fn expect(&self, count: u64) {
        self.0.set_length(count);
    }

    /// One is done.
    pub fn one(&self) {
        self.0.inc(1);
    }
}

impl ReplayObserver for Counter {
    fn started(&self, games: u64) {
        self.expect(games);
    }

    fn replayed(&self) {
        self.one();
    }
}

impl Drop for Counter {
    fn drop(&mut self) {
        self.0.finish_and_clear();
    }
}
