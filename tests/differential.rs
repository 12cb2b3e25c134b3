//! The library's rules against the naive ones in `tests/reference`: thousands of games under
//! random rules, compared at every ply; what is said of each move; and random moves against the
//! list of legal ones. Needs `game` and the agents' random numbers.

#[path = "differential/events.rs"]
mod events;
#[path = "reference/mod.rs"]
mod reference;
#[path = "reference/tables/scatter.rs"]
mod scatter;
#[path = "reference/tables/splitmix.rs"]
mod splitmix;

use std::collections::BTreeMap;
use std::fmt::Debug;

use brandub::agents::Stream;
use brandub::game::sample::{below, random_move};
use brandub::game::{
    self, Bitboard, Game, Move, MoveList, Outcome, Position, Preset, Reason, Rules, RulesetTable,
    Side,
};
use rand_core::{Rng, SeedableRng};
use reference::rules::{AXES, PRESETS, THRONE_AXES};
use serde_json::{Map, Value, json};

use crate::splitmix::SplitMix;

/// Games compared.
const GAMES: u32 = 12_000;
/// Where a game that goes on is left.
const PLY_LIMIT: u32 = 60;
/// How often each kind of ending must have been seen with each value of each axis.
const ENOUGH: u32 = 15;

/// What the reference leaves out is never compared.
#[test]
fn the_reference_has_every_axis_and_preset() {
    let mut axes = [&AXES.map(|(axis, _)| axis)[..], &["layout", "repetition"]].concat();
    axes.sort_unstable();
    let mut expected = game::AXES;
    expected.sort_unstable();
    assert_eq!(axes, expected);
    assert_eq!(PRESETS, Preset::ALL.map(|preset| preset.name));
}

/// The random numbers of one game of one test.
fn numbered(test: u32, number: u32) -> Stream {
    Stream::seed_from_u64(u64::from(test) << 32 | u64::from(number))
}

fn one_in(times: u32, random: &mut Stream) -> bool {
    below(times, random) == 0
}

fn pick<'a, T>(items: &'a [T], random: &mut Stream) -> &'a T {
    &items[below(items.len() as u32, random) as usize]
}

/// A ruleset as a file would give it: each axis left out or at any of its values, now and then a
/// contradiction.
fn any_rules(random: &mut Stream) -> Value {
    let mut rules = Map::new();
    if one_in(6, random) {
        rules.insert("base".to_owned(), json!(pick(&PRESETS, random)));
    }
    for (axis, values) in AXES {
        let value = match *pick(values, random) {
            "true" => json!(true),
            "false" => json!(false),
            // Nearly every axis of the throne depends on its being reserved.
            "ordinary" if !one_in(3, random) => json!("reserved"),
            text => json!(text),
        };
        if !one_in(6, random) {
            rules.insert(axis.to_owned(), value);
        }
    }
    if !one_in(6, random) {
        rules.insert("repetition".to_owned(), any_repetition(random));
    }
    let ordinary = rules.get("throne") == Some(&json!("ordinary"));
    if ordinary && !one_in(8, random) {
        rules.retain(|axis, _| !THRONE_AXES.contains(&axis.as_str()));
    }
    if ordinary && !one_in(8, random) {
        let capture = *pick(&["two", "four"], random);
        rules.insert("king_capture".to_owned(), json!(capture));
    }
    Value::Object(rules)
}

fn any_repetition(random: &mut Stream) -> Value {
    let result = *pick(&["draw", "attackers", "defenders", "mover-loses"], random);
    match below(10, random) {
        0 => json!("ignored"),
        number => json!({"count": 2 + number % 3, "result": result}),
    }
}

/// A position string and a side to move: few pieces, a crowd around the king, or a ring with a
/// gap; which of them most often, the plan decides.
fn any_position(plan: Plan, random: &mut Stream) -> (String, String) {
    if one_in(8, random) {
        return spoiled(random);
    }
    let mut numbers = SplitMix(random.next_u64());
    let kind = match plan {
        Plan::End(Reason::KingCaptured) if one_in(2, random) => 4,
        Plan::End(Reason::Encircled) if one_in(2, random) => 3,
        _ => below(4, random),
    };
    match kind {
        0 => scatter::few_pieces(&mut numbers, 2, 2),
        1 => scatter::few_pieces(&mut numbers, 6, 3),
        2 => scatter::scattered(&mut numbers),
        3 => loop {
            if let Some(ring) = scatter::ring(&mut numbers) {
                break ring;
            }
        },
        _ => loop {
            let (text, side) = scatter::scattered(&mut numbers);
            let king = Position::from_otn(&text, Side::Attackers)
                .expect("a position")
                .king;
            if king.meets(Bitboard::THRONE.neighbours()) {
                break (text, side);
            }
        },
    }
}

/// Any six pieces anywhere, mostly with one king.
fn spoiled(random: &mut Stream) -> (String, String) {
    let mut board = reference::board::Board::new();
    for piece in 0..6 {
        use reference::board::Piece;
        let square = (
            *pick(&['a', 'b', 'c', 'd', 'e', 'f', 'g'], random),
            1 + below(7, random) as u8,
        );
        let piece = match piece {
            0..3 => Piece::Attacker,
            3..5 => Piece::Defender,
            _ => Piece::King,
        };
        board.insert(square, piece);
    }
    if one_in(2, random) {
        board.insert(reference::board::THRONE, reference::board::Piece::Defender);
    }
    let side = *pick(&Side::BOTH, random);
    (
        reference::board::write_position(&board),
        side.name().to_owned(),
    )
}

/// A game to be set up by both implementations.
#[derive(Debug)]
struct Setup {
    rules: Value,
    /// Position string and side to move; the layout's if none.
    position: Option<(String, String)>,
}

impl Setup {
    /// A layout by name and any position, or the start from a layout of any kind.
    fn any(plan: Plan, random: &mut Stream) -> Setup {
        let mut rules = any_rules(random);
        if matches!(plan, Plan::End(Reason::Encircled)) {
            rules["encirclement"] = json!(true);
        }
        let mut position = None;
        match below(6, random) {
            0 => rules["layout"] = json!(any_position(plan, random).0),
            1 => {
                let name = *pick(&["cross", "circle", "line", "ring"], random);
                rules["layout"] = json!(name);
            }
            _ => position = Some(any_position(plan, random)),
        }
        Setup { rules, position }
    }

    fn fast(&self) -> Result<(Rules, Position), String> {
        let table: RulesetTable =
            serde_json::from_value(self.rules.clone()).map_err(|error| error.to_string())?;
        let rules = Rules::new(table.resolve().map_err(|error| error.to_string())?);
        let position = match &self.position {
            None => rules.start(),
            Some((text, side)) => {
                Position::from_otn(text, side.parse()?).map_err(|error| error.to_string())?
            }
        };
        rules.admit(&position)?;
        Ok((rules, position))
    }

    fn slow(&self) -> Result<reference::Game, String> {
        let rules = reference::Rules::from_json(&self.rules)?;
        let (text, side) = self
            .position
            .as_ref()
            .map(|(text, side)| (text.as_str(), side.as_str()))
            .unzip();
        reference::Game::new(&rules, text, side)
    }
}

/// What the two players of a game, who help each other, are after.
#[derive(Clone, Copy, Debug)]
enum Plan {
    /// Nothing.
    Wander,
    /// To go back to where they came from.
    Return,
    /// To leave a side without a move.
    Block(Side),
    /// To end the game in one way, and in no other.
    End(Reason),
}

const PLANS: [Plan; 10] = [
    Plan::Wander,
    Plan::Return,
    Plan::Return,
    Plan::Block(Side::Attackers),
    Plan::Block(Side::Defenders),
    Plan::End(Reason::KingEscaped),
    Plan::End(Reason::KingCaptured),
    Plan::End(Reason::KingCaptured),
    Plan::End(Reason::Encircled),
    Plan::End(Reason::Encircled),
];

/// How badly a move serves the plan.
fn cost(game: &Game<'_>, plan: Plan, past: &[Move], ply: Move) -> u32 {
    let (played, outcome) = game.preview(ply);
    let after = played.position;
    let wanted = match plan {
        Plan::Wander => return 0,
        Plan::Return => {
            let last = past.iter().nth_back(1);
            return u32::from(last.is_none_or(|last| (last.from, last.to) != (ply.to, ply.from)));
        }
        Plan::Block(_) => Reason::NoMoves,
        Plan::End(reason) => reason,
    };
    match (outcome.map(|outcome| outcome.reason), plan) {
        (Some(reason), _) if reason == wanted => 0,
        (Some(_), _) => u32::MAX,
        (None, Plan::Block(side)) => game.rules().count_moves(&Position { side, ..after }) as u32,
        (None, Plan::End(Reason::KingCaptured)) => {
            1 + (after.king.neighbours() - after.attackers).len()
        }
        (None, Plan::End(Reason::Encircled)) => 1 + after.king.flood(!after.attackers).len(),
        (None, _) => 1,
    }
}

/// A legal move that serves the plan, mostly.
fn choose(game: &Game<'_>, plan: Plan, past: &[Move], random: &mut Stream) -> Move {
    let mut list = MoveList::new();
    game.moves(&mut list);
    let any = *pick(&list, random);
    if one_in(8, random) {
        return any;
    }
    let cost = |ply: Move| cost(game, plan, past, ply);
    let least = list.iter().map(|&ply| cost(ply)).min().expect("a move");
    list.retain(|ply| cost(*ply) == least);
    *pick(&list, random)
}

/// One game played by both.
struct Match<'r> {
    fast: Game<'r>,
    slow: reference::Game,
    moves: Vec<Move>,
}

fn names(squares: Bitboard) -> Vec<String> {
    let mut names: Vec<String> = squares.into_iter().map(|at| at.to_string()).collect();
    names.sort();
    names
}

fn agree<T: PartialEq + Debug>(what: &str, fast: &T, slow: &T) -> Result<(), String> {
    if fast == slow {
        return Ok(());
    }
    Err(format!(
        "{what}: {fast:?} by the library, {slow:?} by the reference"
    ))
}

impl Match<'_> {
    /// Whether position, side to move, legal moves and outcome are the same.
    fn compare(&self) -> Result<(), String> {
        let position = self.fast.position();
        agree("position", &position.to_otn(), &self.slow.position())?;
        agree(
            "side to move",
            &position.side.to_string(),
            &self.slow.side(),
        )?;
        let outcome = self.fast.outcome().map(|outcome| {
            let (result, reason) = (outcome.result(), outcome.reason.name());
            (result.to_owned(), reason.to_owned())
        });
        agree("outcome", &outcome, &self.slow.outcome())?;
        let mut list = MoveList::new();
        self.fast.moves(&mut list);
        let mut moves: Vec<String> = list.iter().map(Move::to_string).collect();
        moves.sort();
        agree("legal moves", &moves, &self.slow.legal_moves())
    }

    fn play(&mut self, ply: Move) -> Result<(), String> {
        self.moves.push(ply);
        let fast = self
            .fast
            .play(ply)
            .map(names)
            .map_err(|error| error.to_string())?;
        let slow = self.slow.play(&ply.to_string())?;
        agree("captures", &fast, &slow)?;
        self.compare()
    }
}

/// How often something was seen.
#[derive(Default)]
struct Tally(BTreeMap<String, u32>);

impl Tally {
    fn add(&mut self, key: String) {
        *self.0.entry(key).or_default() += 1;
    }

    /// Counts the end of a game, by what the rules say about such an end and by every axis.
    fn add_end(&mut self, game: &Game<'_>, before: &Position, outcome: Outcome) {
        let rules = game.rules().ruleset();
        let reason = outcome.reason;
        let axes = game::AXES.iter().zip(rules.axes());
        for (axis, value) in axes.skip(1) {
            self.add(format!("{reason}, {axis} {}", value.unwrap_or_default()));
        }
        let side = game.position().side;
        self.add(match reason {
            Reason::KingCaptured => {
                format!("{reason} {} {}", rules.king_capture, place(before.king))
            }
            Reason::Repetition => format!("{reason} {} by {}", rules.repetition, side.other()),
            Reason::NoMoves => format!("{reason} {} for {side}", rules.no_moves),
            Reason::KingEscaped | Reason::Encircled => reason.to_string(),
        });
    }

    /// Everything that was to be seen and was seen too seldom.
    fn missing(&self) -> Vec<String> {
        let seen = |key: &String| self.0.get(key).copied().unwrap_or(0);
        wanted()
            .into_iter()
            .filter(|key| seen(key) < ENOUGH)
            .map(|key| format!("{key}: {}", seen(&key)))
            .collect()
    }
}

/// Where the king stands, as far as his capture depends on it.
fn place(king: Bitboard) -> &'static str {
    if king == Bitboard::THRONE {
        "on the throne"
    } else if king.meets(Bitboard::THRONE.neighbours()) {
        "beside it"
    } else if king.meets(Bitboard::EDGES) {
        "on an edge"
    } else {
        "elsewhere"
    }
}

/// Every ending by every variety of it, and beside every value of every other axis.
fn wanted() -> Vec<String> {
    let mut wanted = Vec::new();
    for capture in ["two", "throne", "zone", "four"] {
        for place in ["on the throne", "beside it", "on an edge", "elsewhere"] {
            wanted.push(format!("king-captured {capture} {place}"));
        }
    }
    for side in Side::BOTH {
        for (count, result) in (2..=4).flat_map(|count| {
            ["draw", "attackers", "defenders", "mover-loses"].map(|result| (count, result))
        }) {
            wanted.push(format!("repetition {count} {result} by {side}"));
        }
        for result in ["draw", "loses"] {
            wanted.push(format!("no-moves {result} for {side}"));
        }
    }
    for reason in [
        "king-escaped",
        "king-captured",
        "encircled",
        "no-moves",
        "repetition",
    ] {
        for (axis, value) in AXES
            .iter()
            .flat_map(|(axis, values)| values.iter().map(move |value| (axis, value)))
        {
            wanted.push(format!("{reason}, {axis} {value}"));
        }
        wanted.push(format!("{reason}, repetition ignored"));
    }
    wanted.retain(|key| {
        key != "encircled, encirclement false" && key != "repetition, repetition ignored"
    });
    wanted
}

/// Plays one game through both and counts how it ends; the error says where they differ.
fn play_both(
    setup: &Setup,
    plan: Plan,
    random: &mut Stream,
    tally: &mut Tally,
) -> Result<(), String> {
    let (fast, slow) = (setup.fast(), setup.slow());
    let ((rules, start), slow) = match (fast, slow) {
        (Ok(fast), Ok(slow)) => (fast, slow),
        (Err(_), Err(_)) => {
            tally.add("refused".to_owned());
            return Ok(());
        }
        (fast, slow) => return agree("admitted", &fast.map(|_| ()), &slow.map(|_| ())),
    };
    let mut game = Match {
        fast: Game::from_position(&rules, start),
        slow,
        moves: Vec::new(),
    };
    let with_moves = |game: &Match<'_>, error| format!("{error}, after {:?}", game.moves);
    game.compare()?;
    for _ in 0..PLY_LIMIT {
        if game.fast.outcome().is_some() {
            break;
        }
        let before = *game.fast.position();
        let ply = choose(&game.fast, plan, &game.moves, random);
        game.play(ply).map_err(|error| with_moves(&game, error))?;
        if let Some(outcome) = game.fast.outcome() {
            tally.add_end(&game.fast, &before, outcome);
        }
    }
    Ok(())
}

#[test]
fn library_and_reference_play_the_same_games() {
    let mut tally = Tally::default();
    for number in 0..GAMES {
        let mut random = numbered(1, number);
        let plan = *pick(&PLANS, &mut random);
        let setup = Setup::any(plan, &mut random);
        if let Err(error) = play_both(&setup, plan, &mut random, &mut tally) {
            panic!("game {number}: {error}; {setup:?}");
        }
    }
    let missing = tally.missing();
    assert!(
        missing.is_empty(),
        "seen too seldom:\n{}",
        missing.join("\n")
    );
    let refused = tally.0.get("refused").copied().unwrap_or(0);
    assert!(
        (GAMES / 50..GAMES / 4).contains(&refused),
        "{refused} refused"
    );
}

/// Positions to draw moves from: open and crowded ones, and a full board with two moves left.
fn drawn_from() -> Vec<Setup> {
    let full = "/1ttttt1/ttttttt/ttttttt/tttKttt/ttttttt/ttttttt/1tttt2/";
    let cross = "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/";
    [
        (json!({}), cross, "attackers"),
        (json!({}), cross, "defenders"),
        (json!({}), "/7/1t5/7/K4t1/2T4/5T1/7/", "attackers"),
        (
            json!({"base": "crust"}),
            "/7/1t5/2K4/T4t1/2T4/5T1/7/",
            "defenders",
        ),
        (
            json!({"base": "branan-step"}),
            "/7/7/1T5/2K1T2/7/3t3/7/",
            "defenders",
        ),
        (
            json!({"base": "brandubh-3"}),
            "/3t3/7/3T3/t1T3t/5t1/1K5/7/",
            "attackers",
        ),
        (
            json!({"base": "brandubh-3"}),
            "/3t3/7/3K3/t1T3t/5t1/1T5/7/",
            "defenders",
        ),
        (
            json!({"throne": "ordinary"}),
            "/3t3/7/3K3/t1T3t/5t1/1T5/7/",
            "attackers",
        ),
        (json!({}), full, "attackers"),
    ]
    .into_iter()
    .map(|(rules, text, side)| Setup {
        rules,
        position: Some((text.to_owned(), side.to_owned())),
    })
    .collect()
}

/// What a chi-square statistic exceeds with a probability of about one in a million (Wilson and
/// Hilferty's approximation, 1931).
fn critical(degrees: f64) -> f64 {
    let spread = 2.0 / (9.0 * degrees);
    degrees * (1.0 - spread + 4.753 * spread.sqrt()).powi(3)
}

#[test]
fn random_moves_are_uniform() {
    const DRAWS: u32 = 200_000;
    for (setup, number) in drawn_from().iter().zip(0..) {
        let (rules, position) = setup.fast().expect("a position");
        let mut list = MoveList::new();
        rules.moves(&position, &mut list);
        let mut drawn: BTreeMap<Move, u32> = list.iter().map(|&ply| (ply, 0)).collect();
        let mut random = numbered(2, number);
        for _ in 0..DRAWS {
            let ply = random_move(&rules, &position, &mut random).expect("a move");
            let count = drawn.get_mut(&ply);
            *count.unwrap_or_else(|| panic!("{ply} is not legal: {setup:?}")) += 1;
        }
        let expected = f64::from(DRAWS) / drawn.len() as f64;
        let statistic: f64 = drawn
            .values()
            .map(|&count| (f64::from(count) - expected).powi(2) / expected)
            .sum();
        let bound = critical(drawn.len() as f64 - 1.0);
        assert!(
            statistic < bound,
            "{statistic} against {bound}: {setup:?} {drawn:?}"
        );
    }
}

/// A board so full that its side to move may have no move.
fn crowded(random: &mut Stream) -> Position {
    let mut position = Position {
        attackers: Bitboard::EMPTY,
        defenders: Bitboard::EMPTY,
        king: Bitboard::THRONE,
        side: *pick(&Side::BOTH, random),
    };
    let gaps = 1 + below(12, random);
    for square in !(Bitboard::CORNERS | Bitboard::THRONE) {
        let at = Bitboard::of(square);
        match below(44, random) {
            choice if choice < gaps => {}
            choice if choice % 9 == 0 => position.defenders |= at,
            _ => position.attackers |= at,
        }
    }
    position
}

#[test]
fn a_random_move_is_legal_and_missing_only_where_there_is_none() {
    let mut stuck = [0; 2];
    for number in 0..4000 {
        let mut random = numbered(3, number);
        let Ok((rules, position)) = Setup::any(Plan::Wander, &mut random).fast() else {
            continue;
        };
        for position in [position, crowded(&mut random)] {
            let mut list = MoveList::new();
            rules.moves(&position, &mut list);
            for _ in 0..8 {
                let drawn = random_move(&rules, &position, &mut random);
                let right = drawn.map_or(list.is_empty(), |ply| list.contains(&ply));
                assert!(
                    right,
                    "game {number}: {drawn:?} drawn of {list:?} in {position:?}"
                );
            }
            assert_eq!(
                rules.has_moves(&position),
                !list.is_empty(),
                "game {number}"
            );
            stuck[position.side as usize] += u32::from(list.is_empty());
        }
    }
    assert!(
        stuck.iter().all(|&times| times >= ENOUGH),
        "{stuck:?} stuck"
    );
}
