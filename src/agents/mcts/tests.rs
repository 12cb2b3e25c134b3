//! What a tree search must get right whatever its options.

use super::node::{Bounds, Node};
use super::*;
use crate::agents::stream;
use crate::game::{Position, Rules, Ruleset, Side, preset};

/// Every way to search, with this budget.
fn all_ways(playouts: u32) -> Vec<MctsOptions> {
    let mut ways = Vec::new();
    for prior in [true, false] {
        for (playout, leaf_games) in [
            (Playout::None, 1),
            (Playout::Random, 1),
            (Playout::Random, 8),
            (Playout::Decisive, 1),
        ] {
            ways.push(MctsOptions {
                prior,
                playout,
                leaf_games,
                ..MctsOptions::new(playouts)
            });
        }
    }
    ways
}

fn grown(options: MctsOptions, game: &Game<'_>) -> Tree {
    let mut list = MoveList::new();
    game.moves(&mut list);
    Mcts::new(options, stream([3; 32])).grow(game, Tree::new(list[0]))
}

fn position(otn: &str, side: Side) -> Position {
    Position::from_otn(otn, side).unwrap()
}

#[test]
fn a_win_is_taken_at_once() {
    let rules = Rules::new(Ruleset::default());
    // The king can go to a1 and g1 along the first rank.
    let game = Game::from_position(&rules, position("/3K3/7/7/7/3t3/7/3t3/", Side::Defenders));
    for options in all_ways(1_000_000) {
        let tree = grown(options, &game);
        assert!(tree.root().bounds.decided() && tree.root().visits < 10);
        let ply = tree.best().unwrap();
        assert!(matches!(ply.to.to_string().as_str(), "a1" | "g1"), "{ply}");
    }
}

#[test]
fn the_only_move_that_does_not_lose_is_played() {
    let rules = Rules::new(Ruleset::default());
    // The king on a4 threatens a1; only a2 stops him, a7 being stopped.
    let here = position("/7/6t/7/K6/7/t6/3t3/", Side::Attackers);
    let game = Game::from_position(&rules, here);
    for options in all_ways(50) {
        let tree = grown(options, &game);
        assert_eq!(tree.best().unwrap().to_string(), "g2-a2");
        let visited = tree.children(0).iter().filter(|child| child.visits > 0);
        assert_eq!(visited.count(), 1, "the others are lost at once");
    }
}

#[test]
fn a_loss_that_nothing_stops_is_proven_and_some_move_played() {
    let rules = Rules::new(Ruleset::default());
    // Both ways out of the first rank are open, and the attacker is far.
    let game = Game::from_position(&rules, position("/3K3/7/7/7/7/t6/1t5/", Side::Attackers));
    for options in all_ways(50) {
        let tree = grown(options, &game);
        assert_eq!(tree.root().bounds, Bounds { lower: 2, upper: 2 });
        assert!(rules.is_legal(game.position(), tree.best().unwrap()));
    }
}

#[test]
fn the_best_of_the_children_bounds_their_parent() {
    let child = |lower, upper| Node {
        bounds: Bounds { lower, upper },
        ..Node::new("a1-a2".parse().unwrap())
    };
    let over = |children: &[Node]| {
        let Bounds { lower, upper } = Bounds::over(children);
        (lower, upper)
    };
    assert_eq!(over(&[]), (2, 2), "no move that does not lose at once");
    assert_eq!(over(&[child(0, 2), child(2, 2)]), (0, 0));
    assert_eq!(over(&[child(0, 0), child(0, 2)]), (0, 2));
    assert_eq!(over(&[child(0, 0), child(1, 1)]), (1, 1), "a draw");
    assert_eq!(over(&[child(0, 2), child(1, 1)]), (0, 1));
    assert_eq!(over(&[child(0, 1), child(1, 1)]), (1, 1));
}

#[test]
fn a_node_sums_up_its_children() {
    for ruleset in preset::disputed_factorial() {
        let rules = Rules::new(ruleset);
        let game = Game::new(&rules);
        for options in all_ways(120) {
            let tree = grown(options, &game);
            assert_eq!(tree.root().visits, 120);
            for (index, node) in tree.nodes.iter().enumerate() {
                let children = tree.children(index);
                if children.is_empty() {
                    continue;
                }
                let below: u32 = children.iter().map(|child| child.visits).sum();
                // Each but the root's was a leaf once.
                assert_eq!(below + u32::from(index > 0), node.visits);
                assert_eq!(Bounds::over(children), node.bounds);
                assert!(node.score <= node.visits * fixed::WIN);
            }
        }
    }
}

#[test]
fn a_kept_part_has_the_statistics_it_had_and_counts_for_the_budget() {
    let rules = Rules::new(Ruleset::default());
    let mut game = Game::new(&rules);
    let mut agent = Mcts::new(MctsOptions::new(400), stream([3; 32]));
    let ply = agent.choose(&game).unwrap();
    let before = agent.kept.as_ref().unwrap().part(&game).unwrap();
    assert_eq!(before.root().visits, 400);
    game.play_legal(ply);
    let replies = before.below(before.find(&[ply]).unwrap());
    let reply = replies.best().unwrap();
    game.play_legal(reply);
    let part = agent.kept.as_ref().unwrap().part(&game).unwrap();
    let old = &before.nodes[before.find(&[ply, reply]).unwrap()];
    let (new, visits) = (part.root(), part.root().visits);
    assert_eq!((new.visits, new.score), (old.visits, old.score));
    assert!(visits > 1 && part.nodes.len() < before.nodes.len());
    let statistics = |tree: &Tree| -> Vec<_> {
        let children = tree.children(0).iter();
        children
            .map(|it| (it.ply, it.visits, it.score, it.bounds))
            .collect()
    };
    assert_eq!(
        statistics(&part),
        statistics(&replies.below(replies.find(&[reply]).unwrap()))
    );
    agent.choose(&game).unwrap();
    let after = agent.kept.as_ref().unwrap().part(&game).unwrap();
    assert_eq!(after.root().visits, 400, "{visits} of them kept");
}

#[test]
fn a_tree_of_another_game_is_not_used() {
    let rules = Rules::new(Ruleset::default());
    let mut agent = Mcts::new(MctsOptions::new(30), stream([3; 32]));
    let mut one = Game::new(&rules);
    one.play("d2-e2".parse().unwrap()).unwrap();
    agent.choose(&one).unwrap();
    let mut other = Game::new(&rules);
    other.play("d2-c2".parse().unwrap()).unwrap();
    assert!(agent.kept.as_ref().unwrap().part(&other).is_none());
}

#[test]
fn whole_games_are_legal_and_the_same_again_with_any_budget() {
    let rules = Rules::new(preset::find("wtf").unwrap().ruleset());
    for budget in [1, 2, 25] {
        for options in all_ways(budget) {
            let play = || {
                let mut agent = Mcts::new(options, stream([8; 32]));
                let mut game = Game::new(&rules);
                while game.outcome().is_none() && game.plies() < 60 {
                    let ply = agent.choose(&game).unwrap();
                    game.play(ply).unwrap();
                }
                game.played().to_vec()
            };
            assert_eq!(play(), play(), "{options:?}");
        }
    }
}

#[test]
fn the_mean_of_random_games_is_that_of_the_games() {
    let rules = Rules::new(Ruleset::default());
    let here = position("/7/7/7/3K3/7/7/3t3/", Side::Defenders);
    let game = Game::from_position(&rules, here);
    let mut numbers = stream([4; 32]);
    let mean = |games, numbers: &mut Stream| playout::random_games(&game, games, numbers);
    let single = |_| mean(1, &mut stream([7; 32]));
    assert!((0..3).map(single).all(|result| result == single(0)));
    let alone: Vec<u32> = (0..640).map(|_| mean(1, &mut numbers)).collect();
    assert!(
        alone
            .iter()
            .all(|it| [0, fixed::WIN / 2, fixed::WIN].contains(it))
    );
    let average = |all: &[u32]| all.iter().sum::<u32>() as f64 / all.len() as f64;
    let together: Vec<u32> = (0..10).map(|_| mean(64, &mut numbers)).collect();
    let spread = fixed::WIN as f64 / 640_f64.sqrt();
    assert!((average(&alone) - average(&together)).abs() < 3.0 * spread);
    // One attacker cannot hold a king that moves at random for long.
    assert!(average(&together) > 0.8 * fixed::WIN as f64);
}
