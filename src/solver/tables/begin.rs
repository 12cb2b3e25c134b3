/*!
The first look at a row: which of its positions are over, and what captures
lead to, whose values lie in layers that are finished. Imports the work, dense
layers and rules.
*/

use super::crossing::Crossing;
use super::dense::Dense;
use super::index::Layer;
use super::within::{QuietRow, slot};
use super::work::{Row, Shape, Word, between};
use crate::game::{Bitboard, Position, Rules, Side, Square};
use crate::solver::exact::Value;

impl Row<'_> {
    /// Notes that a capture leads to a position of this value for the
    /// opponent.
    fn note(&mut self, word: &Word, king: Bitboard, value: Value) {
        let at = word.number;
        if !self.cells[at].open.meets(king) {
            return;
        }
        let code = &mut self.codes[word.code(king)];
        let due = self.cells[at].due.meets(king);
        let held = self.cells[at].held.meets(king);
        match value.before() {
            Value::Win { plies } => {
                let known = due && matches!(Value::of_code(*code), Value::Win { .. });
                if !known || *code > plies + 1 {
                    *code = plies + 1;
                }
                self.cells[at].due |= king;
            }
            // A win stays one; otherwise the draw holds for good.
            Value::Draw => {
                if !(due && matches!(Value::of_code(*code), Value::Win { .. })) {
                    *code = 0;
                    self.cells[at].due = self.cells[at].due - king;
                }
            }
            Value::Loss { plies } => {
                if !held {
                    *code = plies + 1;
                    self.cells[at].due |= king;
                } else if due && matches!(Value::of_code(*code), Value::Loss { .. }) {
                    *code = (*code).max(plies + 1);
                }
            }
        }
        self.cells[at].held |= king;
    }
}

/// What is needed to look at a row.
pub(super) struct Look<'a> {
    pub rules: &'a Rules,
    pub shape: &'a Shape,
    /// The finished layers that captures lead to.
    pub lower: &'a [Dense],
}

impl Look<'_> {
    /// Sorts a row's positions into those that are over and those that are
    /// open, and notes every capture.
    pub fn row(
        &self,
        attackers: Bitboard,
        crossings: &[Crossing],
        quiet: QuietRow<'_>,
        halves: &mut [Row<'_>; 2],
    ) {
        for word in self.shape.words(attackers) {
            self.endings(attackers, &word, halves);
            let [hunters, keepers] = halves;
            for crossing in crossings {
                let takes = crossing.takes | crossing.takes_with_king;
                if takes.meets(word.set) && !crossing.way.meets(word.set) {
                    self.taken_by_attacker(&word, crossing, hunters);
                }
            }
            self.taken_by_king(attackers, &word, quiet, keepers);
            for soldier in word.set {
                self.taken_by_soldier(attackers, &word, soldier, quiet, keepers);
            }
        }
        for half in halves {
            half.mark.waiting = half.cells.iter().any(|cell| !cell.due.is_empty());
            half.mark.fresh = half.losses.iter().any(|word| !word.is_empty());
        }
    }

    fn endings(&self, attackers: Bitboard, word: &Word, halves: &mut [Row<'_>; 2]) {
        for king in word.valid.into_iter().map(Bitboard::of) {
            for side in Side::BOTH {
                let position = Position {
                    attackers,
                    defenders: word.set,
                    king,
                    side,
                };
                let half = &mut halves[side as usize];
                if let Some(outcome) = self.rules.ending(&position) {
                    let value = Value::of_outcome(outcome, side);
                    if value != Value::Draw {
                        half.losses[word.number] |= king;
                    }
                    half.codes[word.code(king)] = value.code();
                    continue;
                }
                half.cells[word.number].open |= king;
                if side == Side::Attackers && self.rules.king_captures(&position).next().is_some() {
                    half.note(word, king, Value::Loss { plies: 0 });
                }
            }
        }
    }

    /// Captures by an attacker's move, except of the king.
    fn taken_by_attacker(&self, word: &Word, crossing: &Crossing, half: &mut Row<'_>) {
        for square in (word.valid & half.cells[word.number].open) - crossing.way {
            let king = Bitboard::of(square);
            let after = Position {
                attackers: crossing.after,
                defenders: word.set,
                king,
                side: Side::Defenders,
            };
            let taken = self.rules.taken_on_arrival(&after, crossing.to);
            if taken.is_empty() || taken.meets(king) {
                continue;
            }
            let defenders = word.set - taken;
            let lower = self.layer(&Position { defenders, ..after });
            let value = lower.value_in(
                crossing.row,
                crossing.turn,
                defenders,
                king,
                Side::Defenders,
            );
            half.note(word, king, value);
        }
    }

    fn taken_by_king(
        &self,
        attackers: Bitboard,
        word: &Word,
        quiet: QuietRow<'_>,
        half: &mut Row<'_>,
    ) {
        for to in word.valid - quiet.king[word.number] {
            let after = Position {
                attackers,
                defenders: word.set,
                king: Bitboard::of(to),
                side: Side::Attackers,
            };
            let taken = self.rules.taken_on_arrival(&after, to);
            let value = self.value(&Position {
                attackers: attackers - taken,
                ..after
            });
            let from = self.rules.king_sources(Bitboard::of(to), after.soldiers());
            for king in from & word.valid {
                half.note(word, Bitboard::of(king), value);
            }
        }
    }

    fn taken_by_soldier(
        &self,
        attackers: Bitboard,
        word: &Word,
        soldier: Square,
        quiet: QuietRow<'_>,
        half: &mut Row<'_>,
    ) {
        for to in self.rules.soldier_reach(soldier, attackers | word.set) {
            let set = (word.set - Bitboard::of(soldier)) | Bitboard::of(to);
            let number = self.shape.index.ground.number(set);
            let quiet = quiet.soldiers[number * self.shape.slots() + slot(set, to)];
            let way = between(soldier, to) | Bitboard::of(to);
            for square in word.valid - quiet - way {
                let king = Bitboard::of(square);
                let after = Position {
                    attackers,
                    defenders: set,
                    king,
                    side: Side::Attackers,
                };
                let taken = self.rules.taken_on_arrival(&after, to);
                let value = self.value(&Position {
                    attackers: attackers - taken,
                    ..after
                });
                half.note(word, king, value);
            }
        }
    }

    fn value(&self, position: &Position) -> Value {
        self.layer(position).value(position)
    }

    fn layer(&self, position: &Position) -> &Dense {
        let layer = Layer::of(position);
        self.lower
            .iter()
            .find(|dense| dense.index.layer == layer)
            .expect("every layer that a capture leads to is given")
    }
}
