//! The inner loops one by one: `cargo bench -p brandub-benches`. Whole runs:
//! `brandub bench`.

use std::hint::black_box;

use brandub::agents::{AgentSpec, Budget, search, stream};
use brandub::game::{Game, MoveList, Rules, Ruleset, perft, sample};
use criterion::{BatchSize, Criterion, Throughput, criterion_group, criterion_main};

/// Some plies into a game, so that both sides have open lines.
fn middle_game(rules: &Rules) -> Game<'_> {
    let mut numbers = stream([3; 32]);
    let mut game = Game::new(rules);
    while game.plies() < 12 && game.outcome().is_none() {
        let ply = sample::random_move(rules, game.position(), &mut numbers);
        game.play_legal(ply.expect("the game is not over"));
    }
    game
}

fn rules_engine(criterion: &mut Criterion) {
    let rules = Rules::new(Ruleset::default());
    let game = middle_game(&rules);
    let position = *game.position();
    let mut numbers = stream([5; 32]);
    let mut group = criterion.benchmark_group("rules");
    group.bench_function("list moves", |bencher| {
        let mut list = MoveList::new();
        bencher.iter(|| rules.moves(black_box(&position), &mut list));
    });
    group.bench_function("count moves", |bencher| {
        bencher.iter(|| rules.count_moves(black_box(&position)));
    });
    group.bench_function("draw a move", |bencher| {
        bencher.iter(|| sample::random_move(&rules, black_box(&position), &mut numbers));
    });
    group.bench_function("random game", |bencher| {
        bencher.iter(|| {
            let mut game = Game::new(&rules);
            while game.outcome().is_none() && game.plies() < 300 {
                let ply = sample::random_move(&rules, game.position(), &mut numbers);
                game.play_legal(ply.expect("the game is not over"));
            }
            game.plies()
        });
    });
    group.throughput(Throughput::Elements(1_007_392));
    group.sample_size(20);
    group.bench_function("perft 4", |bencher| {
        let start = rules.start();
        bencher.iter(|| perft::perft(&rules, black_box(&start), 4));
    });
    group.finish();
}

fn agents(criterion: &mut Criterion) {
    let rules = Rules::new(Ruleset::default());
    let game = middle_game(&rules);
    let mut group = criterion.benchmark_group("one move");
    for spec in ["greedy", "alphabeta:depth=4", "mcts:playouts=200"] {
        let agent: AgentSpec = spec.parse().expect("the spec is a constant");
        group.bench_function(spec, |bencher| {
            bencher.iter_batched(
                || agent.build(stream([7; 32]), None),
                |mut player| player.choose(black_box(&game)),
                BatchSize::SmallInput,
            );
        });
    }
    // It may be done with fewer nodes than it is allowed.
    let searched = || search(black_box(&game), Budget::Nodes(100_000), stream([7; 32]));
    group.throughput(Throughput::Elements(searched().nodes));
    group.sample_size(20);
    group.bench_function("alphabeta nodes", |bencher| bencher.iter(searched));
    group.finish();
}

criterion_group!(benches, rules_engine, agents);
criterion_main!(benches);
