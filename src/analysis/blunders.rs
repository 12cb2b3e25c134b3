/*!
How often agents gave up what was proved: a table of a sample's judged games.
Imports judged games and estimates.
*/

use std::collections::BTreeMap;

use super::sheet::{Sheet, Table};
use super::statistics::{Interval, wilson_clustered};
use crate::agents::AgentSpec;
use crate::experiment::{Fate, Grid, JudgedGame, Pairing, Proof};
use crate::game::{Ruleset, Side};
use crate::solver::exact::{Value, draws_hold};

/// Moves of one agent in one game.
#[derive(Clone, Copy, Default)]
struct OfGame {
    moves: u64,
    wins: u64,
    to_draw: u64,
    to_loss: u64,
    missed: u64,
    draws: u64,
    draws_lost: u64,
}

impl OfGame {
    fn and(self, other: OfGame) -> OfGame {
        OfGame {
            moves: self.moves + other.moves,
            wins: self.wins + other.wins,
            to_draw: self.to_draw + other.to_draw,
            to_loss: self.to_loss + other.to_loss,
            missed: self.missed + other.missed,
            draws: self.draws + other.draws,
            draws_lost: self.draws_lost + other.draws_lost,
        }
    }
}

/// Of whose moves a row is.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord)]
struct Key {
    /// The ruleset's place; `None` for all together.
    ruleset: Option<usize>,
    /// The agent's place.
    agent: usize,
    /// Attackers, defenders; `None` for both together.
    side: Option<usize>,
    proof: Proof,
}

struct Row {
    experiment: String,
    ruleset: Option<Ruleset>,
    agent: String,
    side: &'static str,
    proof: Proof,
    /// Whether values of the tables hold where they say draw.
    draws: bool,
    games: u64,
    /// What is independent of each other: games, or all games of an opening
    /// where all cells share them.
    clusters: Vec<OfGame>,
}

impl Row {
    fn sum(&self) -> OfGame {
        self.clusters
            .iter()
            .copied()
            .fold(OfGame::default(), OfGame::and)
    }

    /// A share of moves with its bounds; `None` where there is nothing that it
    /// is a share of.
    fn share(&self, part: fn(&OfGame) -> u64, of: fn(&OfGame) -> u64) -> Option<Interval> {
        let clusters: Vec<(u64, u64)> = self
            .clusters
            .iter()
            .map(|game| (part(game), of(game)))
            .collect();
        let trials: u64 = clusters.iter().map(|(_, trials)| trials).sum();
        (trials > 0).then(|| wilson_clustered(&clusters))
    }

    fn thrown(&self) -> Option<Interval> {
        self.share(|game| game.to_draw + game.to_loss, |game| game.wins)
    }

    fn missed(&self) -> Option<Interval> {
        self.share(|game| game.missed, |game| game.wins)
    }

    fn draws_lost(&self) -> Option<Interval> {
        self.tells_draws()
            .then(|| self.share(|game| game.draws_lost, |game| game.draws))?
    }

    /// Draws are known by tables alone, and not under every ruleset.
    fn tells_draws(&self) -> bool {
        self.draws && self.proof == Proof::Tables
    }
}

/// `blunders.csv`: a row for every ruleset and all together, agent, side and
/// both together, and kind of proof.
#[must_use]
pub fn blunders_table(grid: &Grid, judged: &[JudgedGame]) -> Table {
    let rows = rows(grid, judged);
    let sheet = Sheet::new(&rows)
        .text("experiment", |row| row.experiment.clone())
        .text("ruleset", |row| {
            row.ruleset.map_or_else(String::new, |rules| rules.id())
        })
        .text("label", |row| {
            row.ruleset
                .map_or_else(|| "all".to_owned(), |rules| rules.label())
        })
        .text("agent", |row| row.agent.clone())
        .text("side", |row| row.side.to_owned())
        .text("proof", |row| row.proof.name().to_owned())
        .count("games", |row| row.games)
        .count("moves", |row| row.sum().moves)
        .count("wins", |row| row.sum().wins)
        .count("thrown_to_draw", |row| row.sum().to_draw)
        .count("thrown_to_loss", |row| row.sum().to_loss)
        .share("thrown_rate", |row| row.thrown().map(|share| share.rate))
        .share("thrown_low", |row| row.thrown().map(|share| share.low))
        .share("thrown_high", |row| row.thrown().map(|share| share.high))
        .count("missed", |row| row.sum().missed)
        .share("missed_rate", |row| row.missed().map(|share| share.rate))
        .share("missed_low", |row| row.missed().map(|share| share.low))
        .share("missed_high", |row| row.missed().map(|share| share.high))
        .maybe_count("draws", |row| row.tells_draws().then(|| row.sum().draws))
        .maybe_count("draws_lost", |row| {
            row.tells_draws().then(|| row.sum().draws_lost)
        });
    sheet
        .share("draws_lost_rate", |row| {
            row.draws_lost().map(|share| share.rate)
        })
        .share("draws_lost_low", |row| {
            row.draws_lost().map(|share| share.low)
        })
        .share("draws_lost_high", |row| {
            row.draws_lost().map(|share| share.high)
        })
        .table("blunders")
}

fn rows(grid: &Grid, judged: &[JudgedGame]) -> Vec<Row> {
    let experiment = &grid.experiment;
    let mut agents: Vec<&AgentSpec> = Vec::new();
    for pair in &experiment.matches {
        for spec in [&pair.attackers, &pair.defenders] {
            if !agents.contains(&spec) {
                agents.push(spec);
            }
        }
    }
    // By whose moves they are, then by game: an agent that plays both sides of
    // a game has one game.
    let mut groups: BTreeMap<Key, BTreeMap<(usize, u64), OfGame>> = BTreeMap::new();
    for game in judged {
        let pair = &grid.cells[game.cell].pair;
        let ruleset = game.cell / experiment.matches.len();
        for side in Side::BOTH {
            let agent = agents.iter().position(|spec| *spec == pair.of(side));
            let Some(agent) = agent else { continue };
            for proof in Proof::ALL {
                let moves = of_side(game, side, proof);
                for ruleset in [None, Some(ruleset)] {
                    for side in [Some(side as usize), None] {
                        let key = Key {
                            ruleset,
                            agent,
                            side,
                            proof,
                        };
                        let games = groups.entry(key).or_default();
                        let sum = games.entry((game.cell, game.game)).or_default();
                        *sum = sum.and(moves);
                    }
                }
            }
        }
    }
    // Games of an index, in every cell, begin alike, and agents draw the same
    // numbers under every ruleset.
    let cluster = |(cell, game): (usize, u64)| match experiment.pairing {
        Pairing::Common => (0, game),
        Pairing::Independent => (cell, game),
    };
    let all_hold = experiment.rulesets.iter().all(draws_hold);
    let several = experiment.rulesets.len() > 1;
    groups
        .into_iter()
        .filter(|(key, _)| several || key.ruleset.is_some())
        .map(|(key, games)| {
            let ruleset = key.ruleset.map(|place| experiment.rulesets[place]);
            let mut clusters: BTreeMap<(usize, u64), OfGame> = BTreeMap::new();
            for (&game, &moves) in &games {
                let sum = clusters.entry(cluster(game)).or_default();
                *sum = sum.and(moves);
            }
            Row {
                experiment: experiment.name.clone(),
                ruleset,
                agent: agents[key.agent].to_string(),
                side: key.side.map_or("both", |side| Side::BOTH[side].name()),
                proof: key.proof,
                draws: ruleset.as_ref().map_or(all_hold, draws_hold),
                games: games.len() as u64,
                clusters: clusters.into_values().collect(),
            }
        })
        .collect()
}

fn of_side(game: &JudgedGame, side: Side, proof: Proof) -> OfGame {
    let mut sum = OfGame {
        moves: game.moves[side as usize],
        ..OfGame::default()
    };
    let proved = game.proved.iter();
    for judged in proved.filter(|judged| judged.position.side == side && judged.proof == proof) {
        if judged.value == Value::Draw {
            sum.draws += 1;
            sum.draws_lost += u64::from(judged.fate == Fate::ThrownToLoss);
            continue;
        }
        sum.wins += 1;
        match judged.fate {
            Fate::Kept => {}
            Fate::ThrownToDraw => sum.to_draw += 1,
            Fate::ThrownToLoss => sum.to_loss += 1,
            Fate::Missed => sum.missed += 1,
        }
    }
    sum
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::{ProvedMove, Source};
    use crate::game::Position;

    fn proved(side: Side, value: Value, proof: Proof, fate: Fate) -> ProvedMove {
        ProvedMove {
            plies: 5,
            position: Position::from_otn("/7/7/2t4/4K2/7/5t1/3T3/", side).unwrap(),
            ply: "c3-c4".parse().unwrap(),
            value,
            proof,
            after: None,
            fate,
        }
    }

    #[test]
    fn moves_are_counted_by_agent_side_ruleset_and_proof() {
        use Fate::{Kept, Missed, ThrownToDraw, ThrownToLoss};
        use Proof::{Search, Tables};
        use Side::{Attackers, Defenders};
        let text = "name='x'\nseed=1\ngames=2\n[rules]\npresets=['wtf','disputed']\n\
                    [[match]]\nagents=['random']\n[[match]]\nattackers='greedy'\ndefenders='random'\n";
        let grid = Grid::new(Source::parse("x", text).unwrap().experiment);
        let win = Value::Win { plies: 3 };
        let game = |cell, game, moves: &[(Side, Value, Proof, Fate)]| JudgedGame {
            cell,
            game,
            moves: [10, 9],
            proved: moves
                .iter()
                .map(|&(side, value, proof, fate)| proved(side, value, proof, fate))
                .collect(),
        };
        let judged = [
            game(
                2,
                0,
                &[
                    (Attackers, win, Tables, Kept),
                    (Attackers, win, Tables, ThrownToDraw),
                    (Defenders, win, Tables, ThrownToLoss),
                    (Defenders, Value::Draw, Tables, Kept),
                    (Attackers, Value::Draw, Tables, ThrownToLoss),
                    (Attackers, win, Search, Missed),
                ],
            ),
            game(2, 1, &[(Defenders, win, Tables, Kept)]),
            game(3, 0, &[(Attackers, win, Search, Kept)]),
            game(0, 0, &[]),
        ];
        let table = blunders_table(&grid, &judged);
        let find = |label: &str, agent: &str, side: &str, proof: &str| {
            let is = |row: &usize| {
                let wanted = [
                    ("label", label),
                    ("agent", agent),
                    ("side", side),
                    ("proof", proof),
                ];
                wanted
                    .iter()
                    .all(|(column, word)| table.word(column, *row) == *word)
            };
            (0..table.frame().height()).find(is)
        };
        let row = find("disputed", "random", "both", "tables").unwrap();
        for (column, value) in [
            ("games", 3.0),
            ("moves", 47.0),
            ("wins", 4.0),
            ("thrown_to_draw", 1.0),
            ("thrown_to_loss", 1.0),
            ("thrown_rate", 0.5),
            ("missed", 0.0),
            ("draws", 2.0),
            ("draws_lost", 1.0),
            ("draws_lost_rate", 0.5),
        ] {
            assert_eq!(table.value(column, row), Some(value), "{column}");
        }
        assert!(
            table.value("thrown_low", row) < Some(0.2)
                && table.value("thrown_high", row) > Some(0.8)
        );
        let row = find("disputed", "random", "attackers", "search").unwrap();
        assert_eq!(table.value("missed_rate", row), Some(1.0));
        assert_eq!(table.value("draws", row), None);
        let row = find("disputed", "greedy", "attackers", "search").unwrap();
        assert_eq!(
            (table.value("wins", row), table.value("games", row)),
            (Some(1.0), Some(1.0))
        );
        assert_eq!(find("disputed", "greedy", "defenders", "search"), None);
        // Attackers win by repetition here: what the tables call a draw is none.
        let row = find("wtf", "random", "both", "tables").unwrap();
        assert_eq!(
            (table.value("wins", row), table.value("draws", row)),
            (Some(0.0), None)
        );
        assert_eq!(table.value("thrown_rate", row), None);
        let row = find("all", "random", "defenders", "tables").unwrap();
        assert_eq!(
            (table.value("games", row), table.value("wins", row)),
            (Some(4.0), Some(2.0))
        );
        // No rate of draws where not all of them are known to be draws.
        let row = find("all", "random", "both", "tables").unwrap();
        assert_eq!(
            (
                table.value("draws", row),
                table.value("draws_lost_rate", row)
            ),
            (None, None)
        );
    }

    /// Where all cells share their openings, the same games under a second
    /// ruleset tell nothing new.
    #[test]
    fn games_of_one_opening_are_one_cluster() {
        use Fate::{Kept, ThrownToLoss};
        let bounds = |pairing: &str| {
            let text = format!(
                "name='x'\nseed=1\ngames=8\npairing='{pairing}'\n[rules]\npresets=['crust','disputed']\n\
                 [[match]]\nagents=['random']\n"
            );
            let grid = Grid::new(Source::parse("x", &text).unwrap().experiment);
            let judged: Vec<JudgedGame> = (0..2)
                .flat_map(|cell| (0..8).map(move |game| (cell, game)))
                .map(|(cell, game)| {
                    let fate = if game < 4 { Kept } else { ThrownToLoss };
                    let win = Value::Win { plies: 3 };
                    JudgedGame {
                        cell,
                        game,
                        moves: [5, 5],
                        proved: vec![proved(Side::Attackers, win, Proof::Tables, fate)],
                    }
                })
                .collect();
            let table = blunders_table(&grid, &judged);
            let row = |label: &str| {
                let is = |row: &usize| {
                    table.word("label", *row) == label && table.word("side", *row) == "both"
                };
                (0..table.frame().height()).find(is).unwrap()
            };
            let bounds = |row| ["thrown_low", "thrown_high"].map(|name| table.value(name, row));
            assert_eq!(table.value("games", row("all")), Some(16.0));
            [bounds(row("all")), bounds(row("disputed"))]
        };
        let [all, one] = bounds("common");
        // Sixteen moves in eight clusters that are each of one mind, eight in
        // as many: but for rounding of the design effect, the same.
        let narrower = |part: [Option<f64>; 2], whole: [Option<f64>; 2]| {
            part[1].unwrap() - part[0].unwrap() < 0.95 * (whole[1].unwrap() - whole[0].unwrap())
        };
        assert!(!narrower(all, one), "{all:?} {one:?}");
        let [all, one] = bounds("independent");
        assert!(narrower(all, one), "{all:?} {one:?}");
    }
}
