/*!
Retrograde analysis of one layer: ply by ply, the positions won in so many
plies from those lost in one less, and the other way round (Thompson,
"Retrograde analysis of certain endgames", 1986), with sets of positions in
words instead of single ones. Imports the work, its moves and rules.
*/

use std::sync::atomic::{AtomicBool, Ordering};

use rayon::prelude::*;

use super::begin::Look;
use super::crossing::{Rooms, crossings};
use super::dense::Dense;
use super::index::Index;
use super::within::{self, Goal, QuietRow};
use super::work::{Half, Quiet, Row, Shape, Word, Work};
use crate::game::{Bitboard, Rules};
use crate::solver::exact::{MOST_PLIES, Value};

/// Plies of the longest win that tables hold: one less than a byte can say, so
/// that the ply behind it can be looked at, in which nothing may be new.
pub(super) const LONGEST: u8 = MOST_PLIES - 1;

/// A win that takes more plies than tables can hold.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct TooLong;

/// Computes a layer from those that captures lead to, on as many threads as
/// the pool has that this is called in.
pub(super) fn build(rules: &Rules, index: Index, lower: &[Dense]) -> Result<Dense, TooLong> {
    build_up_to(rules, index, lower, LONGEST)
}

/// The same where no win may take more than `longest` plies.
pub(super) fn build_up_to(
    rules: &Rules,
    index: Index,
    lower: &[Dense],
    longest: u8,
) -> Result<Dense, TooLong> {
    let mut work = Work::new(index);
    let rooms = Rooms::default();
    begin(rules, &mut work, lower);
    for plies in 1..=longest + 1 {
        match plies % 2 {
            1 => wins(rules, &mut work, &rooms, plies),
            _ => losses(rules, &mut work, &rooms, plies),
        }
        // Only the king's step onto a corner, which is seen by now, follows
        // from nothing before it.
        let halves = [&work.attackers, &work.defenders];
        if !halves.iter().any(|half| half.waits() || half.fresh() > 0) {
            return Ok(Dense {
                index: work.shape.index,
                codes: [work.attackers.codes, work.defenders.codes],
            });
        }
    }
    Err(TooLong)
}

/// Finds out what is over and what captures lead to.
fn begin(rules: &Rules, work: &mut Work, lower: &[Dense]) {
    let Work {
        shape,
        attackers,
        defenders,
        quiet: Quiet { king, soldiers },
    } = work;
    let (sets, slots) = (shape.sets.len(), shape.slots().max(1));
    let look = Look {
        rules,
        shape,
        lower,
    };
    (
        &shape.index.rows.sets,
        king.par_chunks_mut(sets),
        soldiers.par_chunks_mut(sets * slots),
        attackers.rows(),
        defenders.rows(),
    )
        .into_par_iter()
        .for_each_init(Vec::new, |found, (&set, king, soldiers, ours, theirs)| {
            within::find_quiet(rules, shape, set, king, soldiers);
            crossings(rules, shape, set, found);
            look.row(set, found, QuietRow { king, soldiers }, &mut [ours, theirs]);
        });
}

/// Positions won in so many plies, for both sides.
fn wins(rules: &Rules, work: &mut Work, rooms: &Rooms, plies: u8) {
    let Work {
        shape,
        attackers,
        defenders,
        quiet,
    } = work;
    let touched = touched(rules, shape, defenders);
    each_row(shape, attackers).for_each_init(
        || rooms.lend(shape),
        |lent, (number, set, mut row)| {
            let room = &mut lent.room;
            room.words.fill(Bitboard::EMPTY);
            if touched[number].load(Ordering::Relaxed) {
                crossings(rules, shape, set, &mut room.found);
                room.gather(shape, &defenders.losses, false, Some(&defenders.marks));
            }
            row.win(shape, set, plies, |word| room.words[word.number]);
        },
    );
    // A king on a corner has won, and stands nowhere else in the table.
    let beside = match plies {
        1 => Bitboard::CORNERS,
        _ => Bitboard::EMPTY,
    };
    let lost = &attackers.losses;
    each_row(shape, defenders).for_each(|(number, set, mut row)| {
        let quiet = quiet.row(shape, number);
        let goal = Goal {
            words: part(lost, shape, number),
            outside: false,
            beside,
        };
        let any = plies == 1 || !empty(goal.words);
        row.win(shape, set, plies, |word| match any {
            true => within::gather(rules, shape, set, word, quiet, goal),
            false => Bitboard::EMPTY,
        });
    });
}

/// Positions lost in so many plies, for both sides.
fn losses(rules: &Rules, work: &mut Work, rooms: &Rooms, plies: u8) {
    let Work {
        shape,
        attackers,
        defenders,
        quiet,
    } = work;
    let touched = touched(rules, shape, defenders);
    each_row(shape, attackers).for_each_init(
        || rooms.lend(shape),
        |lent, (number, set, mut row)| {
            let room = &mut lent.room;
            room.words.fill(Bitboard::EMPTY);
            if touched[number].load(Ordering::Relaxed) {
                crossings(rules, shape, set, &mut room.found);
                room.gather(shape, &defenders.wins, false, Some(&defenders.marks));
            }
            if row.suspect(shape, set, plies, |word| room.words[word.number]) {
                crossings(rules, shape, set, &mut room.found);
                room.gather(shape, &defenders.won, true, None);
                row.lose(shape, set, plies, |word| room.words[word.number]);
            }
        },
    );
    let (new, won) = (&attackers.wins, &attackers.won);
    each_row(shape, defenders).for_each(|(number, set, mut row)| {
        let quiet = quiet.row(shape, number);
        let goal = |words, outside| Goal {
            words: part(words, shape, number),
            outside,
            beside: Bitboard::EMPTY,
        };
        let gather = |word: &Word, goal| within::gather(rules, shape, set, word, quiet, goal);
        let new = goal(new, false);
        let any = !empty(new.words);
        let suspected = row.suspect(shape, set, plies, |word| match any {
            true => gather(word, new),
            false => Bitboard::EMPTY,
        });
        if suspected {
            row.lose(shape, set, plies, |word| gather(word, goal(won, true)));
        }
    });
}

impl Row<'_> {
    /// Settles the positions from which a quiet move wins by `reached`, and
    /// those whose captures win now.
    fn win(
        &mut self,
        shape: &Shape,
        set: Bitboard,
        plies: u8,
        reached: impl Fn(&Word) -> Bitboard,
    ) {
        self.wins.fill(Bitboard::EMPTY);
        let (mut fresh, mut waiting) = (false, false);
        for word in shape.words(set) {
            let new = reached(&word) | self.due(&word, plies);
            let cell = &mut self.cells[word.number];
            let new = new & cell.open;
            cell.open = cell.open - new;
            cell.due = cell.due - new;
            waiting |= !cell.due.is_empty();
            fresh |= !new.is_empty();
            self.won[word.number] |= new;
            self.wins[word.number] = new;
            self.settle(&word, new, Value::Win { plies });
        }
        self.mark.fresh = fresh;
        self.mark.waiting = waiting;
    }

    /// Finds the positions that may be lost now: those from which a quiet move
    /// leads to what the opponent has just won, as `reached` says, and those
    /// that a capture no longer holds. They are left in `losses`.
    fn suspect(
        &mut self,
        shape: &Shape,
        set: Bitboard,
        plies: u8,
        reached: impl Fn(&Word) -> Bitboard,
    ) -> bool {
        self.losses.fill(Bitboard::EMPTY);
        let (mut some, mut waiting) = (false, false);
        for word in shape.words(set) {
            let free = self.due(&word, plies);
            for king in free {
                self.codes[word.code(Bitboard::of(king))] = Value::Draw.code();
            }
            let cell = &mut self.cells[word.number];
            cell.due = cell.due - free;
            cell.held = cell.held - free;
            waiting |= !cell.due.is_empty();
            let open = cell.open - cell.held;
            if open.is_empty() {
                continue;
            }
            let new = (reached(&word) | free) & open;
            some |= !new.is_empty();
            self.losses[word.number] = new;
        }
        self.mark.fresh = false;
        self.mark.waiting = waiting;
        some
    }

    /// Settles those of the suspected positions from which no quiet move leads
    /// out, as `escapes` says.
    fn lose(
        &mut self,
        shape: &Shape,
        set: Bitboard,
        plies: u8,
        escapes: impl Fn(&Word) -> Bitboard,
    ) {
        for word in shape.words(set) {
            let suspected = self.losses[word.number];
            if suspected.is_empty() {
                continue;
            }
            let new = suspected - escapes(&word);
            let cell = &mut self.cells[word.number];
            cell.open = cell.open - new;
            self.mark.fresh |= !new.is_empty();
            self.losses[word.number] = new;
            self.settle(&word, new, Value::Loss { plies });
        }
    }

    /// What is due in so many plies.
    fn due(&self, word: &Word, plies: u8) -> Bitboard {
        if !self.mark.waiting {
            return Bitboard::EMPTY;
        }
        let due = self.cells[word.number].due.into_iter().map(Bitboard::of);
        due.filter(|&king| self.codes[word.code(king)] == plies + 1)
            .fold(Bitboard::EMPTY, Bitboard::with)
    }

    fn settle(&mut self, word: &Word, kings: Bitboard, value: Value) {
        for king in kings {
            self.codes[word.code(Bitboard::of(king))] = value.code();
        }
    }
}

/// The rows from which an attacker's move leads to a row with something new.
fn touched(rules: &Rules, shape: &Shape, there: &Half) -> Vec<AtomicBool> {
    let rows = &shape.index.rows.sets;
    let many = there.fresh() * 16 > rows.len();
    let touched: Vec<AtomicBool> = rows.iter().map(|_| AtomicBool::new(many)).collect();
    if !many {
        rows.par_iter()
            .zip(&there.marks)
            .filter(|(_, mark)| mark.fresh)
            .for_each_init(Vec::new, |found, (&set, _)| {
                // Attackers move back as they came.
                crossings(rules, shape, set, found);
                for crossing in found {
                    touched[crossing.row].store(true, Ordering::Relaxed);
                }
            });
    }
    touched
}

/// Every row of a half with its number and attackers.
fn each_row<'a>(
    shape: &'a Shape,
    half: &'a mut Half,
) -> impl IndexedParallelIterator<Item = (usize, Bitboard, Row<'a>)> {
    let sets = shape.index.rows.sets.par_iter();
    sets.zip(half.rows())
        .enumerate()
        .map(|(number, (&set, row))| (number, set, row))
}

fn empty(words: &[Bitboard]) -> bool {
    words.iter().all(|word| word.is_empty())
}

/// One row of words.
fn part<'a>(words: &'a [Bitboard], shape: &Shape, number: usize) -> &'a [Bitboard] {
    let sets = shape.sets.len();
    &words[number * sets..][..sets]
}

impl Quiet {
    fn row(&self, shape: &Shape, number: usize) -> QuietRow<'_> {
        let sets = shape.sets.len();
        let slots = sets * shape.slots().max(1);
        QuietRow {
            king: &self.king[number * sets..][..sets],
            soldiers: &self.soldiers[number * slots..][..slots],
        }
    }
}
