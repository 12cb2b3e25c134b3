/*!
What a layer is while it is built: for each set of attackers a row, in it for
each set of defenders a word, in it a bit for each square of the king. One
operation on words so asks about a move for all of the king's squares at once.
Imports the index and bitboards.
*/

use rayon::prelude::*;

use super::index::Index;
use crate::game::{Bitboard, Square};

/// What one side's step needs to know of a word, and nobody else.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Cell {
    /// The value is not known yet.
    pub open: Bitboard,
    /// Not lost, or not yet, because of a capture that is not, or not yet,
    /// known to lose.
    pub held: Bitboard,
    /// The code says in how many plies a capture wins, or no longer holds.
    pub due: Bitboard,
}

/// What is to be done about a row.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Mark {
    /// It has a position in `wins` or `losses`, whichever is newer.
    pub fresh: bool,
    /// It has a position that is due.
    pub waiting: bool,
}

/// One side's positions. All sets hold only positions that can be.
#[derive(Debug)]
pub(super) struct Half {
    cells: Vec<Cell>,
    /// Won by the side to move, as far as is known.
    pub won: Vec<Bitboard>,
    /// Won in as many plies as were looked at last.
    pub wins: Vec<Bitboard>,
    /// Lost in as many plies as were looked at last.
    pub losses: Vec<Bitboard>,
    /// As [`super::dense::Dense::codes`].
    pub codes: Vec<u8>,
    /// By row.
    pub marks: Vec<Mark>,
}

/// One row of a half.
#[derive(Debug)]
pub(super) struct Row<'a> {
    pub cells: &'a mut [Cell],
    pub won: &'a mut [Bitboard],
    pub wins: &'a mut [Bitboard],
    pub losses: &'a mut [Bitboard],
    pub codes: &'a mut [u8],
    pub mark: &'a mut Mark,
}

impl Half {
    fn new(rows: usize, words: usize, codes: usize) -> Half {
        let none = || vec![Bitboard::EMPTY; words];
        Half {
            cells: vec![Cell::default(); words],
            won: none(),
            wins: none(),
            losses: none(),
            codes: vec![0; codes],
            marks: vec![Mark::default(); rows],
        }
    }

    /// All rows, for several threads.
    pub fn rows(&mut self) -> impl IndexedParallelIterator<Item = Row<'_>> {
        let rows = self.marks.len();
        let (sets, len) = (self.won.len() / rows, self.codes.len() / rows);
        (
            self.cells.par_chunks_mut(sets),
            self.won.par_chunks_mut(sets),
            self.wins.par_chunks_mut(sets),
            self.losses.par_chunks_mut(sets),
            self.codes.par_chunks_mut(len),
            &mut self.marks,
        )
            .into_par_iter()
            .map(|(cells, won, wins, losses, codes, mark)| Row {
                cells,
                won,
                wins,
                losses,
                codes,
                mark,
            })
    }

    /// Whether something is still to come of a capture.
    pub fn waits(&self) -> bool {
        self.marks.iter().any(|mark| mark.waiting)
    }

    /// How many rows were changed last.
    pub fn fresh(&self) -> usize {
        self.marks.iter().filter(|mark| mark.fresh).count()
    }
}

/// Where arriving captures nobody, by row and the defenders' set.
#[derive(Debug)]
pub(super) struct Quiet {
    /// The squares on which the king arrives quietly; corners always.
    pub king: Vec<Bitboard>,
    /// For each soldier of the set, lowest square first, the king's squares
    /// with which that soldier arrives quietly.
    pub soldiers: Vec<Bitboard>,
}

/// A layer being built.
#[derive(Debug)]
pub(super) struct Work {
    pub shape: Shape,
    pub attackers: Half,
    pub defenders: Half,
    pub quiet: Quiet,
}

/// The layer's numbering by words.
#[derive(Debug)]
pub(super) struct Shape {
    pub index: Index,
    /// All defenders' sets, also those that stand on attackers.
    pub sets: Vec<Bitboard>,
    /// For each symmetry, the number of each set's image.
    pub images: [Vec<u32>; 8],
}

/// One word of a row.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    /// Number of the defenders' set.
    pub number: usize,
    /// Defenders.
    pub set: Bitboard,
    /// Where the king may stand.
    pub valid: Bitboard,
    /// The first code of the word within the row.
    codes: usize,
}

impl Word {
    /// The code of a king's square within the row.
    #[inline]
    pub fn code(&self, king: Bitboard) -> usize {
        let below = Bitboard(self.valid.0 & king.0.wrapping_sub(1));
        self.codes + below.len() as usize
    }
}

impl Shape {
    pub fn new(index: Index) -> Shape {
        let sets = index.ground.sets(u32::from(index.layer.defenders));
        let images = std::array::from_fn(|turn| {
            let image = |&set| super::image::image(turn as u8, set);
            let number = |set| index.ground.number(set) as u32;
            sets.iter().map(image).map(number).collect()
        });
        Shape {
            index,
            sets,
            images,
        }
    }

    /// The words of a row whose defenders stand beside these attackers.
    #[inline]
    pub fn words(&self, attackers: Bitboard) -> impl Iterator<Item = Word> {
        let kings = self.index.kings;
        let king = self.index.ground.king - attackers;
        let all = self.sets.iter().enumerate();
        let beside = all.filter(move |(_, set)| !set.meets(attackers));
        beside.zip(0..).map(move |((number, &set), place)| Word {
            number,
            set,
            valid: king - set,
            codes: place * kings,
        })
    }

    /// Defenders of a set.
    pub fn slots(&self) -> usize {
        usize::from(self.index.layer.defenders)
    }
}

impl Work {
    pub fn new(index: Index) -> Work {
        let shape = Shape::new(index);
        let rows = shape.index.rows.sets.len();
        let words = rows * shape.sets.len();
        let codes = shape.index.len();
        Work {
            attackers: Half::new(rows, words, codes),
            defenders: Half::new(rows, words, codes),
            quiet: Quiet {
                king: vec![Bitboard::EMPTY; words],
                soldiers: vec![Bitboard::EMPTY; words * shape.slots().max(1)],
            },
            shape,
        }
    }

    /// Bytes of memory, nearly to the last.
    pub fn memory(rows: u64, sets: u64, slots: u64, codes: u64) -> u64 {
        let words = rows * sets * 8;
        words * (12 + 1 + slots.max(1)) + 2 * codes + 4 * rows + sets * (8 + 8 * 4)
    }
}

/// The squares strictly between two squares of one rank or file.
#[inline]
pub(super) fn between(one: Square, other: Square) -> Bitboard {
    BETWEEN[one.index()][other.index()]
}

static BETWEEN: [[Bitboard; 49]; 49] = {
    let mut all = [[Bitboard::EMPTY; 49]; 49];
    let mut from = 0;
    while from < 49 {
        let mut direction = 0;
        while direction < 4 {
            let (files, ranks) = [(1, 0), (0, 1), (-1, 0), (0, -1)][direction];
            let mut path = Bitboard::EMPTY;
            let mut at = Square::new(from).offset(files, ranks);
            while let Some(square) = at {
                all[from][square.index()] = path;
                path = path.with(Bitboard::of(square));
                at = square.offset(files, ranks);
            }
            direction += 1;
        }
        from += 1;
    }
    all
};
