//! Counts of positions. For every axis and every pair of its values there are positions where
//! changing just this axis changes the count; both rows stand next to each other. The values of
//! `no_moves` and the results of a repetition decide who wins, not how many positions there are,
//! so their rows agree.

use std::collections::BTreeMap;

use serde_json::{Value, json};

use crate::{
    reference::{
        Game, Rules, perft,
        rules::{AXES, PRESETS, THRONE_AXES},
    },
    scatter::{few_pieces, ring, scattered},
    splitmix::SplitMix,
};

/// Examples for each pair of values of an axis.
const EXAMPLES: usize = 5;
/// No row counts more positions than this.
const MOST_NODES: u64 = 300_000;

type Axes = BTreeMap<String, Value>;

/// A position to count from.
struct Root {
    position: String,
    side: String,
}

/// One line for each count.
pub fn lines() -> Vec<String> {
    let mut lines = starts();
    let mut random = SplitMix(2026);
    for (axis, values) in AXES {
        if axis == "no_moves" {
            continue;
        }
        for (index, first) in values.iter().enumerate() {
            for second in &values[index + 1..] {
                for example in 0..EXAMPLES {
                    lines.extend(pair(axis, first, second, example, &mut random));
                }
                eprintln!("{axis}: {first}, {second}");
            }
        }
    }
    lines.extend(no_moves(&mut random));
    lines.extend(repetitions(&mut random));
    lines
}

/// Every preset and every layout from its start.
fn starts() -> Vec<String> {
    let of_preset = |name| ("base", name);
    let of_layout = |name| ("layout", name);
    PRESETS
        .map(of_preset)
        .into_iter()
        .chain(["cross", "circle", "line", "ring"].map(of_layout))
        .map(|(key, name)| {
            let axes = Axes::from([(key.to_owned(), json!(name))]);
            let game = Game::new(&rules(&axes), None, None).expect("a start");
            let root = Root {
                position: game.position(),
                side: game.side(),
            };
            line(&axes, &root, 3, perft(&game, 3))
        })
        .collect()
}

/// Two rows that differ in one axis and in the count.
fn pair(
    axis: &str,
    first: &str,
    second: &str,
    example: usize,
    random: &mut SplitMix,
) -> [String; 2] {
    loop {
        let axes = random_axes(axis, first, second, random);
        let mut changed = axes.clone();
        changed.insert(axis.to_owned(), axis_value(second));
        let root = if axis == "encirclement" {
            ring(random)
        } else if example < 3 {
            played(&axes, random)
        } else {
            Some(scattered(random))
        };
        let Some((position, side)) = root else {
            continue;
        };
        let root = Root { position, side };
        let (Some(one), Some(other)) = (game(&axes, &root), game(&changed, &root)) else {
            continue;
        };
        let Some(depth) = affordable_depth(&one, random) else {
            continue;
        };
        let counts = (perft(&one, depth), perft(&other, depth));
        if counts.0 != counts.1 && counts.0.max(counts.1) <= MOST_NODES {
            return [
                line(&axes, &root, depth, counts.0),
                line(&changed, &root, depth, counts.1),
            ];
        }
    }
}

/// A depth of 2 to 4 whose count will be of moderate size, now and then a large one.
fn affordable_depth(game: &Game, random: &mut SplitMix) -> Option<u32> {
    let depth = *random.pick(&[2, 2, 3, 3, 3, 4]);
    let most = if random.below(8) == 0 {
        MOST_NODES
    } else {
        30_000
    };
    let two = perft(game, 2) as f64;
    let expected = two.powf(f64::from(depth) / 2.0);
    (expected <= most as f64).then_some(depth)
}

/// Rows whose positions hold endings by `no-moves`, which both values of the axis stop at.
fn no_moves(random: &mut SplitMix) -> Vec<String> {
    let mut lines = Vec::new();
    while lines.len() < 8 {
        let axes = random_axes("no_moves", "draw", "loses", random);
        let (position, side) = few_pieces(random, 2, 4);
        let root = Root { position, side };
        let Some(one) = game(&axes, &root) else {
            continue;
        };
        if !ends_within(&one, 2, "no-moves") {
            continue;
        }
        for value in ["draw", "loses"] {
            let mut changed = axes.clone();
            changed.insert("no_moves".to_owned(), json!(value));
            let game = game(&changed, &root).expect("the position was read before");
            lines.push(line(&changed, &root, 3, perft(&game, 3)));
        }
    }
    lines
}

fn ends_within(game: &Game, depth: u32, reason: &str) -> bool {
    if let Some((_, held)) = game.outcome() {
        return held == reason;
    }
    depth > 0
        && game.legal_moves().iter().any(|text| {
            let mut next = game.clone();
            next.play(text).expect("a listed move is legal");
            ends_within(&next, depth - 1, reason)
        })
}

/// Rows five plies deep, where the second standing of a position has cut off its successors.
fn repetitions(random: &mut SplitMix) -> Vec<String> {
    let mut lines = Vec::new();
    for result in ["draw", "attackers", "defenders", "mover-loses"] {
        let (root, counts) = loop {
            let (position, side) = few_pieces(random, 1, 1);
            let root = Root { position, side };
            let counts = [2, 3, 4, 0].map(|count| {
                let axes = repetition_axes(count, result);
                let nodes = game(&axes, &root).map_or(0, |game| {
                    if perft(&game, 2) > 150 {
                        0
                    } else {
                        perft(&game, 5)
                    }
                });
                (axes, nodes)
            });
            let nodes = counts.each_ref().map(|(_, nodes)| *nodes);
            if nodes[0] != nodes[1] && nodes.into_iter().all(|n| (1..=MOST_NODES).contains(&n)) {
                break (root, counts);
            }
        };
        lines.extend(counts.map(|(axes, nodes)| line(&axes, &root, 5, nodes)));
    }
    lines
}

/// A repetition of this count and result, ignored where the count is 0, and a slow king, so that
/// five plies are few.
fn repetition_axes(count: u64, result: &str) -> Axes {
    let repetition = match count {
        0 => json!("ignored"),
        _ => json!({"count": count, "result": result}),
    };
    Axes::from([
        ("king_speed".to_owned(), json!("step")),
        ("repetition".to_owned(), repetition),
    ])
}

/// Random values, named or left at their defaults, around the two values of one axis.
fn random_axes(axis: &str, first: &str, second: &str, random: &mut SplitMix) -> Axes {
    let mut axes = Axes::new();
    for (name, values) in AXES {
        if random.below(2) == 0 {
            axes.insert(name.to_owned(), axis_value(random.pick::<&str>(values)));
        }
    }
    if random.below(4) == 0 {
        axes.insert("repetition".to_owned(), json!("ignored"));
    }
    axes.insert(axis.to_owned(), axis_value(first));
    if axis == "king_edge" {
        axes.insert("king_capture".to_owned(), json!("four"));
    }

    let by_throne = |value: &str| value == "throne" || value == "zone";
    let needs_throne = THRONE_AXES.contains(&axis) || by_throne(first) || by_throne(second);
    if needs_throne {
        axes.remove("throne");
    }
    let may_be_ordinary = axis == "throne" || axes.get("throne") == Some(&json!("ordinary"));
    if may_be_ordinary {
        for name in THRONE_AXES {
            axes.remove(name);
        }
        let capture = axes.get("king_capture").and_then(Value::as_str);
        if capture.is_some_and(by_throne) {
            axes.insert("king_capture".to_owned(), json!("four"));
        }
    }
    axes
}

/// A value as rulesets write it: true and false are no strings.
fn axis_value(text: &str) -> Value {
    match text {
        "true" => json!(true),
        "false" => json!(false),
        _ => json!(text),
    }
}

/// A position reached by random play from a random layout.
fn played(axes: &Axes, random: &mut SplitMix) -> Option<(String, String)> {
    let mut axes = axes.clone();
    let layout = *random.pick(&["cross", "cross", "circle", "line", "ring"]);
    axes.insert("layout".to_owned(), json!(layout));
    let mut game = Game::new(&rules(&axes), None, None).expect("a start");
    for _ in 0..4 + random.below(60) {
        let text = random.pick(&game.legal_moves()).clone();
        game.play(&text).expect("a listed move is legal");
        if game.outcome().is_some() {
            return None;
        }
    }
    Some((game.position(), game.side()))
}

fn rules(axes: &Axes) -> Rules {
    Rules::from_json(&json!(axes)).expect("the axes fit together")
}

/// The game from a position, if it is allowed there and not over at once.
fn game(axes: &Axes, root: &Root) -> Option<Game> {
    let game = Game::new(&rules(axes), Some(&root.position), Some(&root.side)).ok()?;
    game.outcome().is_none().then_some(game)
}

fn line(axes: &Axes, root: &Root, depth: u32, nodes: u64) -> String {
    let axes: Vec<String> = axes
        .iter()
        .map(|(axis, value)| format!("{}: {value}", json!(axis)))
        .collect();
    format!(
        "{{\"rules\": {{{}}}, \"position\": {}, \"side\": {}, \"depth\": {depth}, \
         \"nodes\": {nodes}}}",
        axes.join(", "),
        json!(root.position),
        json!(root.side),
    )
}
