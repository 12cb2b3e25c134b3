//! The loops that a run spends its time in, each by itself. A loop is a row of
//! [`LOOPS`]: to add one is all there is to do, for the figures and for the
//! counts of instructions.

use std::hint::black_box;
use std::path::Path;

use brandub::agents::evaluation::{Choice, Evaluation};
use brandub::agents::{Budget, SearchOptions, search, stream};
use brandub::analysis::Tables;
use brandub::arch::Kind;
use brandub::experiment::Keeping;
use brandub::game::playouts::Playouts;
use brandub::game::{Game, Rules, Ruleset, perft, preset, sample};

use super::super::failure::Failure;
use super::figure::Figure;
use super::folder::{Folder, wait_for_removal};
use super::random_games::RandomGames;
use super::whole_run;

/// Does a piece of work, always the same kind and amount, and says how much it
/// was.
pub type Work = Box<dyn FnMut() -> u64>;

/// A loop that can be measured.
pub struct Loop {
    /// What it is called on the command line and in files.
    pub name: &'static str,
    /// What it does, in words.
    pub what: &'static str,
    /// What is counted.
    pub counts: &'static str,
    /// A million of them a second.
    unit: &'static str,
    /// The kind of word that it needs of the processor.
    needs: Kind,
    /// Makes ready what the work needs, in a folder below this one if it needs
    /// files.
    pub prepare: fn(&Path) -> Result<Work, Failure>,
}

impl Loop {
    /// Whether this processor can do it.
    pub fn can_be_done(&self) -> bool {
        self.needs.is_here()
    }

    /// Its figure, from how much it did in a second.
    pub fn figure(&self, per_second: f64) -> Figure {
        Figure {
            name: self.name,
            what: self.what.to_owned(),
            value: per_second / 1e6,
            unit: self.unit,
        }
    }
}

/// What loops of random games have in common.
const PLAYOUTS: Loop = Loop {
    name: "",
    what: "",
    counts: "plies",
    unit: "M plies/s a core",
    needs: Kind::One,
    prepare: |_| Ok(playouts(Kind::One, false)),
};

/// Every loop, in the order in which they are measured.
pub const LOOPS: [Loop; 13] = [
    Loop {
        name: "playouts_portable",
        what: "random games without repetition, the 16 disputed rulesets, one at a time",
        prepare: |_| Ok(playouts(Kind::One, false)),
        ..PLAYOUTS
    },
    Loop {
        name: "playouts_bmi2",
        what: "the same with the bit instructions of x86-64-v3",
        needs: Kind::Bits,
        prepare: |_| Ok(playouts(Kind::Bits, false)),
        ..PLAYOUTS
    },
    Loop {
        name: "playouts_avx2",
        what: "the same with AVX2, eight games a word",
        needs: Kind::Avx2,
        prepare: |_| Ok(playouts(Kind::Avx2, false)),
        ..PLAYOUTS
    },
    Loop {
        name: "playouts_avx512",
        what: "the same with AVX-512, sixteen games a word",
        needs: Kind::Avx512,
        prepare: |_| Ok(playouts(Kind::Avx512, false)),
        ..PLAYOUTS
    },
    Loop {
        name: "playouts_kept",
        what: "random games with repetition, moves kept, in the best kind of word",
        prepare: |_| Ok(playouts(Kind::best(), true)),
        ..PLAYOUTS
    },
    Loop {
        name: "perft",
        what: "4 plies from the start, the last one counted and not played",
        counts: "leaves",
        unit: "M leaves/s a core",
        needs: Kind::One,
        prepare: |_| Ok(perft_from_the_start()),
    },
    Loop {
        name: "search",
        what: "alphabeta:nodes=200000 from the start, table and evaluation included",
        counts: "nodes",
        unit: "M nodes/s a core",
        needs: Kind::One,
        prepare: |_| {
            Ok(searched(
                preset::disputed_factorial()[0],
                Budget::Nodes(200_000),
            ))
        },
    },
    Loop {
        name: "search_linear",
        what: "the same by an evaluation without the network, which looks at other positions",
        counts: "nodes",
        unit: "M nodes/s a core",
        needs: Kind::One,
        prepare: |_| {
            let linear = SearchOptions {
                weights: Choice::Linear,
                ..SearchOptions::from(Budget::Nodes(200_000))
            };
            Ok(searched(preset::disputed_factorial()[0], linear))
        },
    },
    Loop {
        name: "evaluation",
        what: "positions of random games judged, by weights and network",
        counts: "positions",
        unit: "M positions/s a core",
        needs: Kind::One,
        prepare: |_| Ok(judged(Choice::Tuned)),
    },
    Loop {
        name: "evaluation_linear",
        what: "the same positions judged by weights alone",
        counts: "positions",
        unit: "M positions/s a core",
        needs: Kind::One,
        prepare: |_| Ok(judged(Choice::Linear)),
    },
    Loop {
        name: "search_depth",
        what: "alphabeta:depth=8 from the start of wtf",
        counts: "nodes",
        unit: "M nodes/s a core",
        needs: Kind::One,
        prepare: |_| {
            let wtf = preset::find("wtf").expect("a preset of this name");
            Ok(searched(wtf.ruleset(), Budget::Depth(8)))
        },
    },
    Loop {
        name: "records",
        what: "rows, keys and checksums of games that are played already",
        counts: "games",
        unit: "M games/s a core",
        needs: Kind::One,
        prepare: |_| records(),
    },
    Loop {
        name: "tables",
        what: "the tables of 8,000 games in 16 files; of many more: run_tables",
        counts: "games",
        unit: "M games/s a core",
        needs: Kind::One,
        prepare: tables,
    },
];

fn playouts(kind: Kind, history: bool) -> Work {
    let disputed = preset::disputed_factorial();
    let rules: Vec<Rules> = disputed.into_iter().map(Rules::new).collect();
    let mut numbers = stream([1; 32]);
    Box::new(move || {
        let mut games = RandomGames::new(1_000, &mut numbers);
        for rules in &rules {
            let playouts = Playouts {
                rules,
                ply_limit: 300,
                history,
                kind,
            };
            playouts.play(games.again());
        }
        games.plies
    })
}

fn perft_from_the_start() -> Work {
    let rules = Rules::new(preset::disputed_factorial()[0]);
    Box::new(move || perft::perft(&rules, black_box(&rules.start()), 4))
}

fn searched(ruleset: Ruleset, options: impl Into<SearchOptions>) -> Work {
    let (rules, options) = (Rules::new(ruleset), options.into());
    Box::new(move || {
        let game = Game::new(&rules);
        search(black_box(&game), options, stream([1; 32])).nodes
    })
}

/// So many positions of random games, the start first.
fn judged(choice: Choice) -> Work {
    const POSITIONS: usize = 10_000;
    let rules = Rules::new(preset::disputed_factorial()[0]);
    let mut numbers = stream([1; 32]);
    let mut positions = Vec::with_capacity(POSITIONS);
    while positions.len() < POSITIONS {
        let mut game = Game::new(&rules);
        while positions.len() < POSITIONS && game.outcome().is_none() {
            positions.push(*game.position());
            let Some(ply) = sample::random_move(&rules, game.position(), &mut numbers) else {
                break;
            };
            game.play_legal(ply);
        }
    }
    let evaluation = Evaluation::of(rules.ruleset(), choice);
    Box::new(move || {
        for position in &positions {
            black_box(evaluation.score(&rules, black_box(position)));
        }
        POSITIONS as u64
    })
}

fn records() -> Result<Work, Failure> {
    const GAMES: u64 = 1_000;
    let grid = whole_run::experiment(GAMES)?;
    let mut keeping = Keeping::new(&grid.experiment, &grid.cells[0], GAMES);
    Ok(Box::new(move || {
        black_box(keeping.file());
        GAMES
    }))
}

fn tables(parent: &Path) -> Result<Work, Failure> {
    let grid = whole_run::experiment(500)?;
    let folder = Folder::below(parent);
    let manifest = whole_run::played(&grid, folder.path(), 1)?;
    let pool = whole_run::pool(1)?;
    let games = grid.games();
    Ok(Box::new(move || {
        let tables = pool.install(|| Tables::read(folder.path(), &manifest));
        if tables.is_err() {
            wait_for_removal();
        }
        black_box(tables.expect("the games were just written"));
        games
    }))
}
