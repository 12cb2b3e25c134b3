//! What the next move could decide: the king's ways out, the squares that
//! complete a capture, and what stands against them. Asks the compiled rules'
//! own masks, so that nothing is decided twice. Imports rules.

use super::bitboard::{Bitboard, DIRECTIONS};
use super::geometry::between;
use super::masks::KingFate;
use super::position::Position;
use super::rules::Rules;
use super::side::Side;
use super::square::{Move, Square};

impl Rules {
    /// Where the king could go if it were the defenders' turn; nothing once he
    /// is captured.
    #[inline]
    #[must_use]
    pub fn king_reach(&self, position: &Position) -> Bitboard {
        match position.king.first() {
            Some(king) => self.king.targets(king, position.occupied()),
            None => Bitboard::EMPTY,
        }
    }

    /// Where the king could go from any of these squares if nothing else moved;
    /// of the squares themselves, none that he would have to slide to.
    #[inline]
    #[must_use]
    pub fn king_reach_from(&self, position: &Position, first: Bitboard) -> Bitboard {
        self.king.targets_of_all(first, position.soldiers())
    }

    /// The squares from which a king could go to one of these among such
    /// soldiers: what [`Rules::king_reach`] says, asked backwards.
    #[inline]
    #[must_use]
    pub fn king_sources(&self, to: Bitboard, soldiers: Bitboard) -> Bitboard {
        self.king.sources(to, soldiers)
    }

    /// Where a soldier could go from this square among such pieces.
    #[inline]
    #[must_use]
    pub fn soldier_reach(&self, from: Square, occupied: Bitboard) -> Bitboard {
        self.soldier.targets(from, occupied)
    }

    /// The corners the king could go to if it were the defenders' turn.
    #[inline]
    #[must_use]
    pub fn escapes(&self, position: &Position) -> Bitboard {
        self.king_reach(position) & Bitboard::CORNERS
    }

    /// The empty squares on which an attacker would capture the king by
    /// arriving, whether or not one can get there.
    #[inline]
    #[must_use]
    pub fn king_capture_squares(&self, position: &Position) -> Bitboard {
        let Some(king) = position.king.first() else {
            return Bitboard::EMPTY;
        };
        let occupied = position.occupied();
        let closed = position.attackers | self.to_king.squares(occupied);
        let completing = match self.king_fate[king.index()] {
            KingFate::Sandwich => completing(position.king, closed),
            KingFate::Surround(sides) if (sides - closed).len() == 1 => sides - closed,
            KingFate::Surround(_) | KingFate::Safe => Bitboard::EMPTY,
        };
        completing & self.soldier.open(occupied)
    }

    /// The empty squares on which a piece of `side` would capture a soldier by
    /// arriving, whether or not one can get there. A king who takes nobody may
    /// be the only one who can.
    #[inline]
    #[must_use]
    pub fn capture_squares(&self, position: &Position, side: Side) -> Bitboard {
        let occupied = position.occupied();
        let hostile = self.to_soldiers.squares(occupied);
        let (victims, anvils) = match side {
            Side::Attackers => (position.defenders, position.attackers | hostile),
            Side::Defenders => (
                position.attackers,
                position.defenders | (position.king & self.king_arms) | hostile,
            ),
        };
        completing(victims, anvils) - occupied
    }

    /// The squares that the soldiers of a side could go to if it were their
    /// turn.
    #[inline]
    #[must_use]
    pub fn soldiers_reach(&self, position: &Position, side: Side) -> Bitboard {
        let soldiers = match side {
            Side::Attackers => position.attackers,
            Side::Defenders => position.defenders,
        };
        self.soldier.targets_of_all(soldiers, position.occupied())
    }

    /// [`Rules::soldiers_reach`] of the attackers and of the defenders.
    #[inline]
    #[must_use]
    pub fn both_soldiers_reach(&self, position: &Position) -> [Bitboard; 2] {
        let sides = [position.attackers, position.defenders];
        self.soldier.targets_of_both(sides, position.occupied())
    }

    /// The attackers who could capture the king if it were their turn, each
    /// with the square he would go to.
    #[inline]
    pub fn king_captures(&self, position: &Position) -> impl Iterator<Item = Move> {
        let squares = self.king_capture_squares(position);
        self.soldiers_moves_to(position, Side::Attackers, squares)
    }

    /// The first of [`Rules::king_captures`]: mostly there is none, and no
    /// square for one.
    #[inline]
    #[must_use]
    pub fn king_capture(&self, position: &Position) -> Option<Move> {
        let occupied = position.occupied();
        for to in self.king_capture_squares(position) {
            let from = self.soldier.seen_from(to, occupied) & position.attackers;
            if let Some(from) = from.first() {
                return Some(Move { from, to });
            }
        }
        None
    }

    /// A move of the side to move that wins on the board at once, by the
    /// king's escape or his capture.
    #[inline]
    #[must_use]
    pub fn decisive_move(&self, position: &Position) -> Option<Move> {
        match position.side {
            Side::Attackers => self.king_capture(position),
            Side::Defenders => {
                let from = position.king.first()?;
                let to = self.escapes(position).first()?;
                Some(Move { from, to })
            }
        }
    }

    /// The attackers' moves onto the lines by which the king threatens to
    /// escape, none that leaves one of them open. The king must threaten to.
    ///
    /// Every other move lets him out, unless it captures him or ends the game
    /// by repetition. One of these may, too: by capturing a soldier that stood in his way
    /// to another corner.
    #[inline]
    pub fn blocks(&self, position: &Position) -> impl Iterator<Item = Move> {
        let lines = position.king.first().map_or(Bitboard::EMPTY, |king| {
            self.escapes(position)
                .into_iter()
                .map(|corner| between(king, corner))
                .fold(Bitboard::FULL, |all, line| all & line)
        });
        self.soldiers_moves_to(position, Side::Attackers, lines)
    }

    /// The moves that the soldiers of a side would have to these squares if it
    /// were their turn.
    #[inline]
    pub fn soldiers_moves_to(
        &self,
        position: &Position,
        side: Side,
        squares: Bitboard,
    ) -> impl Iterator<Item = Move> {
        let soldiers = match side {
            Side::Attackers => position.attackers,
            Side::Defenders => position.defenders,
        };
        let occupied = position.occupied();
        let soldier = self.soldier;
        let open = squares & soldier.open(occupied);
        open.into_iter().flat_map(move |to| {
            // A slide is as free in one direction as in the other.
            let from = soldier.seen_from(to, occupied) & soldiers;
            from.into_iter().map(move |from| Move { from, to })
        })
    }
}

/// The squares opposite to an anvil across a victim.
#[inline]
fn completing(victims: Bitboard, anvils: Bitboard) -> Bitboard {
    let mut squares = Bitboard::EMPTY;
    for direction in DIRECTIONS {
        squares |= (victims & anvils.step(direction)).step(direction);
    }
    squares
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::game::preset::Preset;
    use crate::game::{Game, MoveList, Reason, Ruleset, RulesetTable, sample};

    /// Every position of some random games under every named ruleset and the
    /// disputed factorial, both with the side to move and with the other.
    fn each_position(mut look: impl FnMut(&Rules, &Position)) {
        let mut numbers = crate::agents::stream([9; 32]);
        let named = Preset::ALL.iter().map(Preset::ruleset);
        let disputed = crate::game::preset::disputed_factorial();
        for rules in named.chain(disputed).map(Rules::new) {
            for _ in 0..25 {
                let mut game = Game::new(&rules);
                while game.outcome().is_none() && game.plies() < 150 {
                    let here = *game.position();
                    for side in Side::BOTH {
                        look(&rules, &Position { side, ..here });
                    }
                    let Some(ply) = sample::random_move(&rules, &here, &mut numbers) else {
                        break;
                    };
                    game.play_legal(ply);
                }
            }
        }
    }

    fn legal(rules: &Rules, position: &Position) -> MoveList {
        let mut list = MoveList::new();
        rules.moves(position, &mut list);
        list
    }

    fn wins(rules: &Rules, position: &Position, ply: Move) -> bool {
        let outcome = rules.ending(&rules.play(position, ply).position);
        outcome.is_some_and(|outcome| {
            matches!(outcome.reason, Reason::KingEscaped | Reason::KingCaptured)
                && outcome.winner == Some(position.side)
        })
    }

    #[test]
    fn a_decisive_move_is_found_where_the_list_of_moves_has_one() {
        let mut found = [0; 2];
        each_position(|rules, position| {
            let list = legal(rules, position);
            let listed = list.iter().any(|&ply| wins(rules, position, ply));
            match rules.decisive_move(position) {
                Some(ply) => {
                    assert!(list.contains(&ply) && wins(rules, position, ply));
                    if position.side == Side::Attackers {
                        assert_eq!(rules.king_captures(position).next(), Some(ply));
                    }
                    found[position.side as usize] += 1;
                }
                None => assert!(!listed, "{position}"),
            }
        });
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }

    #[test]
    fn moves_are_counted_as_they_are_listed() {
        each_position(|rules, position| {
            let listed = legal(rules, position).len();
            assert_eq!(rules.count_moves(position), listed as u64, "{position}");
            assert_eq!(rules.has_moves(position), listed > 0, "{position}");
        });
    }

    #[test]
    fn a_piece_can_be_where_it_could_have_come_from() {
        let mut numbers = crate::agents::stream([3; 32]);
        let mut draw = |bound| Bitboard(u64::from(sample::below(bound, &mut numbers)));
        let mut rulesets: Vec<Ruleset> = Preset::ALL.iter().map(Preset::ruleset).collect();
        rulesets.extend(crate::game::preset::disputed_factorial());
        for table in [
            "king_speed = \"step\"\nking_return = false",
            "throne_pass = \"nobody\"\nking_return = true",
            "throne_pass = \"nobody\"\nking_return = false",
        ] {
            let table: RulesetTable = toml::from_str(table).unwrap();
            rulesets.push(table.resolve().unwrap());
        }
        for rules in rulesets.into_iter().map(Rules::new) {
            for _ in 0..200 {
                let mut squares = || {
                    let wide = Bitboard(draw(1 << 25).0 | draw(1 << 24).0 << 25);
                    wide & Bitboard(draw(1 << 25).0 | draw(1 << 24).0 << 25)
                };
                let (soldiers, to) = (squares() - Bitboard::THRONE, squares());
                let from: Bitboard = (!soldiers)
                    .into_iter()
                    .filter(|&square| rules.king.targets(square, soldiers).meets(to))
                    .collect();
                assert_eq!(
                    rules.king_sources(to, soldiers),
                    from,
                    "{:?}",
                    rules.ruleset()
                );
            }
        }
    }

    #[test]
    fn who_is_taken_does_not_depend_on_where_the_piece_came_from() {
        each_position(|rules, position| {
            for ply in legal(rules, position) {
                let played = rules.play(position, ply);
                let moved = |set: Bitboard| match set.contains(ply.from) {
                    true => set ^ Bitboard::of(ply.from) ^ Bitboard::of(ply.to),
                    false => set,
                };
                let after = Position {
                    attackers: moved(position.attackers),
                    defenders: moved(position.defenders),
                    king: moved(position.king),
                    side: position.side.other(),
                };
                assert_eq!(rules.taken_on_arrival(&after, ply.to), played.captured);
            }
        });
    }

    #[test]
    fn the_blocks_are_the_moves_that_keep_the_king_in() {
        let mut found = [0; 2];
        each_position(|rules, position| {
            let threatened = !rules.escapes(position).is_empty();
            if position.side == Side::Defenders
                || !threatened
                || rules.decisive_move(position).is_some()
            {
                return;
            }
            let lets_out = |ply: Move| {
                let played = rules.play(position, ply);
                let open = !rules.escapes(&played.position).is_empty();
                assert!(!open || !played.captured.is_empty(), "{position}: {ply}");
                open
            };
            let blocks = rules.blocks(position);
            let mut blocks: Vec<Move> = blocks.filter(|&ply| !lets_out(ply)).collect();
            let mut keeping = legal(rules, position);
            keeping.retain(|ply| {
                let after = rules.play(position, *ply).position;
                rules.escapes(&after).is_empty()
            });
            let order = |ply: &Move| (ply.from, ply.to);
            blocks.sort_by_key(order);
            keeping.sort_by_key(order);
            assert_eq!(blocks, keeping.to_vec(), "{position}");
            found[usize::from(blocks.is_empty())] += 1;
        });
        assert!(found.iter().all(|&count| count > 100), "{found:?}");
    }

    #[test]
    fn reaches_and_capture_squares_are_those_of_the_list_of_moves() {
        each_position(|rules, position| {
            let side = position.side;
            let mut soldiers = Bitboard::EMPTY;
            let mut king = Bitboard::EMPTY;
            let mut captures = Bitboard::EMPTY;
            for ply in legal(rules, position) {
                let to = Bitboard::of(ply.to);
                if position.king.contains(ply.from) {
                    king |= to;
                    continue;
                }
                soldiers |= to;
                let captured = rules.play(position, ply).captured;
                if !(captured - position.king).is_empty() {
                    captures |= to;
                }
            }
            assert_eq!(rules.soldiers_reach(position, side), soldiers);
            let both = rules.both_soldiers_reach(position);
            assert_eq!(both[side as usize], soldiers);
            let squares = rules.capture_squares(position, side);
            assert_eq!(squares & soldiers, captures, "{position}");
            if side == Side::Defenders {
                assert_eq!(rules.king_reach(position), king);
                let two = king.into_iter().fold(king, |all, square| {
                    let there = Position {
                        king: Bitboard::of(square),
                        ..*position
                    };
                    all | rules.king_reach(&there)
                });
                let beyond = rules.king_reach_from(position, king) - position.king;
                assert_eq!(beyond | king, two - position.king, "{position}");
            }
        });
    }
}
