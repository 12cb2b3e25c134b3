//! What must hold for any rules and any position: notation reads back, the board's symmetries
//! change nothing, legality has no second opinion, a preview comes true. Uses `game` only.

use brandub::game::{
    Bitboard, Game, Hostility, IllegalMove, KingCapture, KingEdge, KingSpeed, Layout, Move,
    MoveList, NoMoves, Position, Repetition, RepetitionResult, Rules, Ruleset, Side, Square,
    Symmetry, Throne, ThronePass,
};
use proptest::prelude::*;
use proptest::sample::{Index, select};
use proptest::test_runner::RngSeed;

/// The same cases every time: a failure is seen by all who run the tests.
fn config() -> ProptestConfig {
    ProptestConfig {
        cases: 1000,
        failure_persistence: None,
        rng_seed: RngSeed::Fixed(20_260_101),
        ..ProptestConfig::default()
    }
}

fn any_throne() -> impl Strategy<Value = Throne> {
    let reserved = (
        select(Hostility::ALL),
        select(ThronePass::ALL),
        any::<bool>(),
    );
    prop_oneof![
        1 => Just(Throne::Ordinary),
        4 => reserved.prop_map(|(hostile, pass, king_return)| Throne::Reserved {
            hostile,
            pass,
            king_return,
        }),
    ]
}

fn any_repetition() -> impl Strategy<Value = Repetition> {
    prop_oneof![
        1 => Just(Repetition::Ignored),
        4 => (2_u32..=4, select(RepetitionResult::ALL))
            .prop_map(|(count, result)| Repetition::Counted { count, result }),
    ]
}

/// Rules with every axis at any value that may stand beside the others.
fn any_rules() -> impl Strategy<Value = Rules> {
    let king = (
        any::<bool>(),
        select(KingCapture::ALL),
        select(KingEdge::ALL),
        select(KingSpeed::ALL),
    );
    let squares = (any_throne(), select(Hostility::ALL));
    let endings = (any_repetition(), select(NoMoves::ALL), any::<bool>());
    (king, squares, endings)
        .prop_map(|(king, (throne, corners_hostile), endings)| Ruleset {
            layout: Layout::cross(),
            king_armed: king.0,
            king_capture: king.1,
            king_edge: king.2,
            throne,
            corners_hostile,
            king_speed: king.3,
            repetition: endings.0,
            no_moves: endings.1,
            encirclement: endings.2,
        })
        .prop_filter("a throne to capture on", |ruleset| {
            ruleset.to_table().resolve().is_ok()
        })
        .prop_map(Rules::new)
}

/// A king and up to 20 soldiers on some of these squares.
fn position_on(squares: Bitboard) -> impl Strategy<Value = Position> {
    let squares: Vec<Square> = squares.into_iter().collect();
    let counts = (0_usize..=13, 0_usize..=7);
    let order = Just(squares).prop_shuffle();
    (order, counts, select(&Side::BOTH[..])).prop_map(|(order, (attackers, defenders), side)| {
        let set = |from: usize, count: usize| -> Bitboard {
            order.iter().skip(from).take(count).copied().collect()
        };
        Position {
            king: set(0, 1),
            attackers: set(1, attackers),
            defenders: set(1 + attackers, defenders),
            side,
        }
    })
}

/// A position that any rules admit: nobody on a corner, no soldier on the throne.
fn any_position() -> impl Strategy<Value = Position> {
    let playable = position_on(!Bitboard::CORNERS).prop_map(|position| Position {
        attackers: position.attackers - Bitboard::THRONE,
        defenders: position.defenders - Bitboard::THRONE,
        ..position
    });
    // A king on the throne is more often seen than chance would have it.
    let enthroned =
        position_on(!(Bitboard::CORNERS | Bitboard::THRONE)).prop_map(|position| Position {
            king: Bitboard::THRONE,
            ..position
        });
    prop_oneof![3 => playable, 1 => enthroned]
}

/// Which of the legal moves to play, one after the other.
fn choices() -> impl Strategy<Value = Vec<Index>> {
    prop::collection::vec(any::<Index>(), 0..40)
}

fn moves(game: &Game<'_>) -> MoveList {
    let mut list = MoveList::new();
    game.moves(&mut list);
    list
}

/// Every pair of squares, legal or not.
fn all_pairs() -> impl Iterator<Item = Move> {
    Square::all().flat_map(|from| Square::all().map(move |to| Move { from, to }))
}

proptest! {
    #![proptest_config(config())]

    #[test]
    fn position_strings_read_back(position in position_on(Bitboard::FULL)) {
        let text = position.to_otn();
        prop_assert_eq!(Position::from_otn(&text, position.side), Ok(position));
        let bare = text.trim_matches('/');
        prop_assert_eq!(Position::from_otn(bare, position.side), Ok(position));
    }

    #[test]
    fn equal_keys_are_equal_positions(
        one in position_on(Bitboard::FULL),
        other in position_on(Bitboard::FULL),
    ) {
        prop_assert_eq!(one.key() == other.key(), one == other);
        let turned = Position { side: one.side.other(), ..one };
        prop_assert_ne!(turned.key(), one.key());
    }

    #[test]
    fn layouts_read_back(position in any_position()) {
        let layout = Layout::parse(&position.to_otn()).expect("no piece on a corner");
        prop_assert_eq!(Layout::parse(&layout.name()), Ok(layout));
        prop_assert_eq!(layout.position(), Position { side: Side::Attackers, ..position });
    }

    #[test]
    fn symmetries_change_nothing(
        rules in any_rules(),
        start in any_position(),
        choices in choices(),
    ) {
        for symmetry in Symmetry::all() {
            let mut game = Game::from_position(&rules, start);
            let mut other = Game::from_position(&rules, start.image(symmetry));
            for choice in &choices {
                let list = moves(&game);
                let mut images: Vec<Move> = list.iter().map(|&ply| symmetry.ply(ply)).collect();
                images.sort_unstable();
                prop_assert_eq!(&images[..], &moves(&other)[..]);
                prop_assert_eq!(game.outcome(), other.outcome());
                if list.is_empty() {
                    break;
                }
                let ply = *choice.get(&list);
                let captured = game.play(ply).expect("a listed move");
                let there = other.play(symmetry.ply(ply)).expect("its image");
                prop_assert_eq!(symmetry.set(captured), there);
                prop_assert_eq!(game.position().image(symmetry), *other.position());
            }
        }
    }

    #[test]
    fn pieces_are_captured_and_nothing_else(
        rules in any_rules(),
        start in any_position(),
        choices in choices(),
    ) {
        let mut game = Game::from_position(&rules, start);
        for choice in choices {
            let list = moves(&game);
            if list.is_empty() {
                break;
            }
            let (before, ply) = (*game.position(), *choice.get(&list));
            let captured = game.play(ply).expect("a listed move");
            let after = *game.position();
            let enemies = before.pieces(before.side.other());
            prop_assert!(captured.is_subset(enemies));
            prop_assert_eq!(after.pieces(before.side.other()), enemies - captured);
            let stayed = before.pieces(before.side) - Bitboard::of(ply.from);
            prop_assert_eq!(after.pieces(before.side), stayed | Bitboard::of(ply.to));
            prop_assert_eq!(after.king.len(), u32::from(!captured.meets(before.king)));
            let sets = after.attackers.len() + after.defenders.len() + after.king.len();
            prop_assert_eq!(after.occupied().len(), sets, "pieces share a square");
            let over = game.outcome().is_some();
            prop_assert!(over || rules.admit(&after).is_ok());
            prop_assert!(over || !after.king.is_empty());
        }
    }

    #[test]
    fn previews_come_true(
        rules in any_rules(),
        start in any_position(),
        choices in choices(),
    ) {
        let mut game = Game::from_position(&rules, start);
        let mut past = Vec::new();
        for choice in choices {
            let list = moves(&game);
            for &ply in &list {
                let (played, outcome) = game.preview(ply);
                let mut after = game.clone();
                prop_assert_eq!(after.play(ply), Ok(played.captured));
                prop_assert_eq!(*after.position(), played.position);
                prop_assert_eq!(after.outcome(), outcome);
                prop_assert_eq!(after.plies(), game.plies() + 1);
            }
            if list.is_empty() {
                break;
            }
            // Going back now and then, so that positions repeat.
            let back = past.iter().nth_back(1).map(|last: &Move| Move {
                from: last.to,
                to: last.from,
            });
            let ply = match back {
                Some(back) if list.contains(&back) && choice.index(4) > 0 => back,
                _ => *choice.get(&list),
            };
            past.push(ply);
            game.play(ply).expect("a listed move");
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 300, ..config() })]

    #[test]
    fn listed_moves_are_legal_and_no_others(
        rules in any_rules(),
        start in any_position(),
        choices in prop::collection::vec(any::<Index>(), 0..6),
    ) {
        let mut game = Game::from_position(&rules, start);
        for choice in choices {
            let list = moves(&game);
            if !list.is_empty() {
                game.play(*choice.get(&list)).expect("a listed move");
            }
        }
        let (list, position) = (moves(&game), *game.position());
        for ply in all_pairs() {
            let mut after = game.clone();
            let played = after.play(ply);
            prop_assert_eq!(played.is_ok(), list.contains(&ply), "{}", ply);
            let Err(error) = played else { continue };
            let expected = match game.outcome() {
                Some(outcome) => IllegalMove::Over { ply, outcome },
                None if position.pieces(position.side).contains(ply.from) => {
                    IllegalMove::Unreachable { ply, side: position.side }
                }
                None => IllegalMove::NoPiece { ply, side: position.side },
            };
            prop_assert_eq!(error, expected);
            prop_assert_eq!((*after.position(), after.plies()), (position, game.plies()));
        }
        if game.outcome().is_none() {
            prop_assert_eq!(rules.count_moves(&position), list.len() as u64);
            prop_assert!(rules.has_moves(&position));
            let sorted = list.windows(2).all(|pair| pair[0] < pair[1]);
            prop_assert!(sorted, "each move once, by origin, then by target");
        }
    }
}

#[test]
fn every_move_reads_back_from_its_notation() {
    for ply in all_pairs() {
        assert_eq!(ply.to_string().parse(), Ok(ply));
    }
}
