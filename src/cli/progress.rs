//! How a run goes on: a bar on a terminal, plain lines elsewhere.

use std::collections::BTreeSet;
use std::io::IsTerminal;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Mutex, PoisonError};
use std::time::{Duration, Instant};

use brandub::agents::{Forfeit, ForfeitKind};
use brandub::experiment::{Cell, Decision, Grid, Observer, Tally};
use brandub::game::Side;
use indicatif::{HumanCount, HumanDuration, ProgressBar, ProgressStyle};

use super::failure::{say, warn_unlocked};
use super::run::at_most;
use super::table::Names;

/// Between two plain lines.
const PLAIN_INTERVAL: Duration = Duration::from_secs(10);

/// Shows a run's progress on standard error.
pub struct Progress<'a> {
    cells: &'a [Cell],
    names: Names,
    /// Before numbers of games that a stop rule need not come to.
    at_most: &'static str,
    /// Games are counted here; it draws on terminals only.
    bar: ProgressBar,
    /// Games that were there before.
    kept: AtomicU64,
    style: Style,
    begun: Instant,
    last_line: Mutex<Instant>,
    /// Which agents' forfeits were told, one of each kind.
    told: Mutex<BTreeSet<(String, ForfeitKind)>>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Style {
    Bar,
    Plain,
    Quiet,
}

impl Progress<'_> {
    /// A display of nothing yet.
    pub fn new(grid: &Grid, quiet: bool) -> Progress<'_> {
        let style = if quiet {
            Style::Quiet
        } else if std::io::stderr().is_terminal() {
            Style::Bar
        } else {
            Style::Plain
        };
        Progress {
            cells: &grid.cells,
            names: Names::new(&grid.cells),
            at_most: at_most(&grid.experiment),
            bar: ProgressBar::hidden(),
            kept: AtomicU64::new(0),
            style,
            begun: Instant::now(),
            last_line: Mutex::new(Instant::now()),
            told: Mutex::default(),
        }
    }

    /// Takes the bar away.
    pub fn finish(&self) {
        self.bar.finish_and_clear();
    }

    fn line(&self, text: &str) {
        match self.style {
            Style::Bar => self.bar.println(text),
            Style::Plain => say(text),
            Style::Quiet => {}
        }
    }

    /// Games a second, of those this process played.
    fn speed(&self) -> f64 {
        let kept = self.kept.load(Ordering::Relaxed);
        let played = self.bar.position().saturating_sub(kept);
        played as f64 / self.begun.elapsed().as_secs_f64().max(0.001)
    }

    fn plain_progress(&self) {
        let Ok(mut last) = self.last_line.try_lock() else {
            return;
        };
        if last.elapsed() < PLAIN_INTERVAL {
            return;
        }
        *last = Instant::now();
        let total = self.bar.length().unwrap_or(0);
        let speed = self.speed();
        let left = total.saturating_sub(self.bar.position()) as f64 / speed.max(0.001);
        self.line(&format!(
            "{} of {}{} games, {speed:.1} games/s, {}{} left",
            HumanCount(self.bar.position()),
            self.at_most,
            HumanCount(total),
            self.at_most,
            HumanDuration(Duration::from_secs_f64(left.min(1e9)))
        ));
    }
}

impl Observer for Progress<'_> {
    fn unlocked(&self) {
        warn_unlocked();
    }

    fn started(&self, games: u64, kept: u64) {
        self.kept.store(kept, Ordering::Relaxed);
        if kept > 0 {
            self.line(&format!(
                "{} of {}{} games are there already",
                HumanCount(kept),
                self.at_most,
                HumanCount(games)
            ));
        }
        self.bar.set_length(games);
        self.bar.set_position(kept);
        if self.style == Style::Bar {
            let style = ProgressStyle::with_template(&format!(
                "{{bar:30}} {{human_pos}} of {0}{{human_len}} games, {{per_sec}}, {0}{{eta}} left",
                self.at_most
            ));
            self.bar
                .set_style(style.expect("the template is one of two"));
            self.bar.reset_eta();
            self.bar
                .set_draw_target(indicatif::ProgressDrawTarget::stderr());
        }
    }

    fn played(&self, tally: &Tally) {
        self.bar.inc(tally.games());
        if self.style == Style::Plain {
            self.plain_progress();
        }
    }

    fn bounded(&self, games: u64) {
        self.bar.set_length(games);
    }

    fn settled(&self, cell: usize, tally: &Tally, decision: Option<Decision>) {
        if self.style == Style::Quiet {
            return;
        }
        let share = |games: u64| 100.0 * games as f64 / tally.games() as f64;
        self.line(&format!(
            "{}: attackers {:.1} %, defenders {:.1} %, draws {:.1} %, stopped {:.1} % of {} games{}",
            self.names.of(&self.cells[cell]),
            share(tally.attackers),
            share(tally.defenders),
            share(tally.draws),
            share(tally.stopped),
            HumanCount(tally.games()),
            decision.map_or_else(String::new, |decision| format!(": {decision}"))
        ));
    }

    fn forfeited(&self, cell: &Cell, game: u64, side: Side, forfeit: &Forfeit) {
        let agent = cell.pair.of(side).to_string();
        let mut told = self.told.lock().unwrap_or_else(PoisonError::into_inner);
        if !told.insert((agent.clone(), forfeit.kind())) {
            return;
        }
        let text = format!(
            "warning: {agent}, {side} in game {game} of cell {}: {forfeit}",
            cell.id
        );
        match self.style {
            Style::Bar => self.bar.println(text),
            Style::Plain | Style::Quiet => say(&text),
        }
    }
}
