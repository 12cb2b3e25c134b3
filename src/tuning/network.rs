//! The evaluation's network, fitted to what its weights leave of the games'
//! results. Imports samples, families and the network.

mod adam;
mod losses;

use std::collections::BTreeMap;

use rand_core::Rng;
use rayon::iter::{IntoParallelIterator, ParallelIterator};

use self::adam::{Adam, Numbers};
use self::losses::rows;
use super::families::{Family, Fitted, Gain, applying};
use super::samples::Samples;
use crate::agents::evaluation::network::{
    ANSWER, IMAGES, KINDS, MOST_OF_PIECE, Network, ONE, OUTPUT, Output, PIECES, UNITS, Units,
    image, inputs, rule_inputs,
};
use crate::agents::evaluation::{Condition, Provenance, SCALE};
use crate::agents::stream;
use crate::game::{Rules, Ruleset, SQUARES, Side, Square, Symmetry};

/// How often the positions are gone through.
const EPOCHS: usize = 10;
/// Positions between two steps: so many, or fewer where there are few.
const BATCH: usize = 8192;
const LEAST_BATCH: usize = 64;
/// An epoch has so many steps at least, if there are positions enough.
const STEPS: usize = 256;
/// The positions of a step are summed in so many parts, whatever the number of
/// threads.
const PARTS: usize = 8;
/// The longest step, before it is made shorter as below.
const RATE: f32 = 0.01;
/// The steps grow to that over the first so many, then fall to nothing.
const GROWING: usize = 200;
/// Numbers to begin with lie between these and their opposites: of the pieces,
/// of the answers' worth.
const FIRST: [f32; 2] = [0.25, 0.3];

/// A network, and what it does on games kept apart.
pub struct FittedNetwork {
    /// The network; its provenance is empty.
    pub network: Network,
    /// The families of rulesets that have games, by their names, then all.
    pub rows: Vec<NetworkRow>,
}

/// The mean logarithmic loss, in nats a position, over the games kept apart of
/// some rulesets.
#[derive(Clone, PartialEq, Debug)]
pub struct NetworkRow {
    /// The family's name, or `all`.
    pub name: &'static str,
    /// Positions fitted to and kept apart.
    pub positions: u64,
    /// By the evaluation in the program, by the weights fitted to the same games,
    /// by these and the network; `None` if no game kept apart has a position.
    pub losses: Option<[f64; 3]>,
    /// The fall from the first to the last.
    pub gain: Option<Gain>,
}

/// A position to learn from.
struct Lesson {
    /// Where its pieces' inputs stand among all.
    pieces: std::ops::Range<usize>,
    /// The number of its ruleset, times two, one more with the defenders to move.
    start: usize,
    /// The logit by the weights.
    base: f32,
    target: f32,
}

/// All of them, and what their rulesets set.
struct Course {
    lessons: Vec<Lesson>,
    pieces: Vec<u8>,
    /// The names of the rules' inputs, and those that each ruleset sets.
    inputs: Vec<String>,
    set: Vec<Vec<usize>>,
    /// The families that rulesets belong to, and each ruleset's; 0 is none.
    families: Vec<Family>,
    family: Vec<usize>,
    images: Vec<[u8; PIECES]>,
}

// An input's number is kept in a byte.
const _: () = assert!(PIECES <= 256);

const SIDES: usize = PIECES;
const RULES: usize = SIDES + 2;

/// What one step's positions say, by ruleset and side rather than by their
/// inputs, and by family.
struct Slope {
    pieces: Vec<[f32; UNITS]>,
    starts: Vec<[f32; UNITS]>,
    outputs: Vec<[f32; UNITS]>,
    biases: Vec<f32>,
}

/// The numbers of one step: what units begin with, and the outputs.
struct Ready {
    starts: Vec<[f32; UNITS]>,
    outputs: Vec<[f32; UNITS]>,
    biases: Vec<f32>,
}

/// Fits a network to what these weights leave, in the whole numbers that are
/// written. `stepped` is called after each of [`FittedNetwork::steps`].
///
/// # Panics
/// If the samples have no position to fit to, or of the weights none that are kept
/// are for every ruleset: what [`fit_families`](super::fit_families) gives of the
/// same samples will do.
#[must_use]
pub fn fit_network(
    samples: &[Samples],
    fitted: &[Fitted],
    stepped: &mut dyn FnMut(),
) -> FittedNetwork {
    let course = Course::new(samples, fitted);
    let numbers = course.learn(stepped);
    let network = course.written(&numbers);
    FittedNetwork {
        rows: rows(samples, fitted, &network),
        network,
    }
}

impl FittedNetwork {
    /// How many steps [`fit_network`] takes of so many positions fitted to.
    #[must_use]
    pub fn steps(positions: u64) -> u64 {
        let positions = positions as usize;
        (EPOCHS * (positions / batch(positions)).max(1)) as u64
    }
}

fn batch(positions: usize) -> usize {
    (positions / STEPS).clamp(LEAST_BATCH, BATCH)
}

fn logit(score: i32) -> f64 {
    f64::from(score) / f64::from(SCALE)
}

impl Course {
    fn new(samples: &[Samples], fitted: &[Fitted]) -> Course {
        let symmetries = Symmetry::all();
        let mut course = Course {
            lessons: Vec::new(),
            pieces: Vec::new(),
            inputs: Vec::new(),
            set: Vec::new(),
            families: Vec::new(),
            family: Vec::new(),
            images: symmetries
                .map(|symmetry| std::array::from_fn(|input| image(symmetry, input) as u8))
                .collect(),
        };
        for samples in samples {
            let weights = applying(fitted, &samples.ruleset);
            let rules = Rules::new(samples.ruleset);
            let start = 2 * course.add_ruleset(&samples.ruleset);
            for sample in samples.fitted.iter().flatten() {
                let position = &sample.position;
                let from = course.pieces.len();
                course
                    .pieces
                    .extend(inputs(position).map(|input| input as u8));
                course.lessons.push(Lesson {
                    pieces: from..course.pieces.len(),
                    start: start + position.side as usize,
                    base: logit(weights.score(&rules, position)) as f32,
                    target: sample.target as f32,
                });
            }
        }
        course
    }

    /// Its number.
    fn add_ruleset(&mut self, ruleset: &Ruleset) -> usize {
        let names = rule_inputs(ruleset).into_iter();
        let set = names.map(|name| {
            let place = self.inputs.iter().position(|known| *known == name);
            place.unwrap_or_else(|| {
                self.inputs.push(name);
                self.inputs.len() - 1
            })
        });
        let set = set.collect();
        self.set.push(set);
        let family = Family::of(ruleset).map_or(0, |family| {
            let mut known = self.families.iter();
            let place = known.position(|known| known.name == family.name);
            1 + place.unwrap_or_else(|| {
                self.families.push(family);
                self.families.len() - 1
            })
        });
        self.family.push(family);
        self.family.len() - 1
    }

    fn outputs_from(&self) -> usize {
        RULES + self.inputs.len()
    }

    fn first(&self) -> Numbers {
        let outputs = 1 + self.families.len();
        let mut numbers = Numbers::zero(self.outputs_from() + outputs, outputs);
        let mut random = stream([b'n'; 32]);
        let mut within = |most: f32| {
            let part = (random.next_u32() >> 8) as f32 / (1 << 23) as f32;
            (part - 1.0) * most
        };
        let (seen, shared) = (self.seen(), self.outputs_from());
        for (row, seen) in numbers.rows.iter_mut().zip(seen) {
            for number in row {
                let drawn = within(FIRST[0]);
                *number = if seen { drawn } else { 0.0 };
            }
        }
        for number in &mut numbers.rows[shared] {
            *number = within(FIRST[1]);
        }
        numbers
    }

    /// Which pieces and sides some position has, on some image: of the others
    /// nothing can be learnt.
    fn seen(&self) -> [bool; RULES] {
        let mut seen = [false; RULES];
        for &piece in &self.pieces {
            seen[usize::from(piece)] = true;
        }
        let pieces = (0..PIECES).filter(|&piece| seen[piece]);
        for piece in pieces.collect::<Vec<_>>() {
            for images in &self.images {
                seen[usize::from(images[piece])] = true;
            }
        }
        for lesson in &self.lessons {
            seen[SIDES + lesson.start % 2] = true;
        }
        seen
    }

    fn learn(&self, stepped: &mut dyn FnMut()) -> Numbers {
        let mut numbers = self.first();
        let batch = batch(self.lessons.len());
        let an_epoch = (self.lessons.len() / batch).max(1);
        let steps = EPOCHS * an_epoch;
        let mut adam = Adam::new(&numbers);
        for step in 0..steps {
            let growing = (step + 1) as f32 / GROWING.min(steps) as f32;
            let left = (steps - step) as f32 / steps as f32;
            let rate = RATE * growing.min(1.0) * left;
            let ready = self.ready(&numbers);
            let (epoch, place) = (step / an_epoch, step % an_epoch);
            let parts: Vec<Slope> = (0..PARTS)
                .into_par_iter()
                .map(|part| {
                    let own = (batch * part / PARTS)..(batch * (part + 1) / PARTS);
                    // Far from each other, so that a step's are of many games;
                    // each epoch leaves others over.
                    let chosen = own.map(|k| {
                        (k * an_epoch + place + epoch * (batch / 2 + 1)) % self.lessons.len()
                    });
                    self.slope(&numbers, &ready, chosen)
                })
                .collect();
            let gradient = self.gradient(&numbers, &parts, batch);
            adam.step(&mut numbers, &gradient, rate);
            stepped();
        }
        numbers
    }

    fn ready(&self, numbers: &Numbers) -> Ready {
        let rulesets = self.set.iter();
        let starts = rulesets.flat_map(|set| {
            [0, 1].map(|side| {
                let mut start = numbers.rows[SIDES + side];
                for &input in set {
                    add(&mut start, &numbers.rows[RULES + input]);
                }
                start
            })
        });
        let outputs = self.outputs_from();
        let shared = numbers.rows[outputs];
        let own = |family: usize| {
            let mut own = shared;
            if family > 0 {
                add(&mut own, &numbers.rows[outputs + family]);
            }
            own
        };
        let bias = |family: usize| {
            let more = if family > 0 {
                numbers.biases[family]
            } else {
                0.0
            };
            numbers.biases[0] + more
        };
        Ready {
            starts: starts.collect(),
            outputs: (0..numbers.biases.len()).map(own).collect(),
            biases: (0..numbers.biases.len()).map(bias).collect(),
        }
    }

    fn slope(
        &self,
        numbers: &Numbers,
        ready: &Ready,
        chosen: impl Iterator<Item = usize>,
    ) -> Slope {
        let zero = |count| vec![[0.0; UNITS]; count];
        let mut slope = Slope {
            pieces: zero(PIECES),
            starts: zero(ready.starts.len()),
            outputs: zero(ready.outputs.len()),
            biases: vec![0.0; ready.biases.len()],
        };
        let mut sums = [[0.0; UNITS]; IMAGES];
        for lesson in chosen.map(|place| &self.lessons[place]) {
            let pieces = &self.pieces[lesson.pieces.clone()];
            let family = self.family[lesson.start / 2];
            let worth = &ready.outputs[family];
            let mut logit = lesson.base + ready.biases[family];
            for (sums, images) in sums.iter_mut().zip(&self.images) {
                *sums = ready.starts[lesson.start];
                for &piece in pieces {
                    add(sums, &numbers.rows[usize::from(images[usize::from(piece)])]);
                }
                for (sum, worth) in sums.iter().zip(worth) {
                    let held = sum.clamp(0.0, 1.0);
                    logit += held * held * worth;
                }
            }
            let error = 1.0 / (1.0 + libm::expf(-logit)) - lesson.target;
            slope.biases[family] += error;
            for (sums, images) in sums.iter().zip(&self.images) {
                let mut by_sum = [0.0; UNITS];
                for unit in 0..UNITS {
                    let held = sums[unit].clamp(0.0, 1.0);
                    slope.outputs[family][unit] += error * held * held;
                    let is_held = sums[unit] > 0.0 && sums[unit] < 1.0;
                    by_sum[unit] = if is_held {
                        error * 2.0 * held * worth[unit]
                    } else {
                        0.0
                    };
                }
                add(&mut slope.starts[lesson.start], &by_sum);
                for &piece in pieces {
                    add(
                        &mut slope.pieces[usize::from(images[usize::from(piece)])],
                        &by_sum,
                    );
                }
            }
        }
        slope
    }

    /// The mean over a step's positions.
    fn gradient(&self, numbers: &Numbers, parts: &[Slope], positions: usize) -> Numbers {
        let mut sums = Numbers::zero(numbers.rows.len(), numbers.biases.len());
        for part in parts {
            for (row, own) in sums.rows.iter_mut().zip(&part.pieces) {
                add(row, own);
            }
            for (place, own) in part.starts.iter().enumerate() {
                add(&mut sums.rows[SIDES + place % 2], own);
                for &input in &self.set[place / 2] {
                    add(&mut sums.rows[RULES + input], own);
                }
            }
            let outputs = self.outputs_from();
            for (family, own) in part.outputs.iter().enumerate() {
                add(&mut sums.rows[outputs], own);
                sums.biases[0] += part.biases[family];
                if family > 0 {
                    add(&mut sums.rows[outputs + family], own);
                    sums.biases[family] += part.biases[family];
                }
            }
        }
        for sum in sums.all_mut() {
            *sum /= positions as f32;
        }
        sums
    }

    /// In whole numbers.
    fn written(&self, numbers: &Numbers) -> Network {
        let ready = self.ready(numbers);
        let units = |row: &[f32; UNITS]| row.map(|it| whole(it * f32::from(ONE), MOST_OF_PIECE));
        let named = |names: Vec<String>, from: usize| -> BTreeMap<String, Units> {
            let rows = names.into_iter().zip(&numbers.rows[from..]);
            rows.map(|(name, row)| (name, units(row))).collect()
        };
        let kinds = KINDS.iter().enumerate().map(|(kind, name)| {
            let squares = Square::all().map(|square| square.to_string()).collect();
            ((*name).to_owned(), named(squares, kind * SQUARES))
        });
        let output = |family: usize, rules: Condition| Output {
            rules,
            bias: whole(ready.biases[family] * SCALE as f32, i16::MAX),
            weights: ready.outputs[family].map(|worth| {
                // An answer of 1 is worth so much of the logit.
                let scale = (SCALE * OUTPUT) as f32 / ANSWER as f32;
                whole(worth * scale, i16::MAX)
            }),
        };
        // In the order of all families: a narrower one comes before the wider.
        let order = Family::all().into_iter().filter_map(|family| {
            let mut known = self.families.iter();
            let place = known.position(|known| known.name == family.name)?;
            Some(output(1 + place, family.rules))
        });
        Network {
            provenance: Provenance::default(),
            side: named(Side::BOTH.map(|side| side.to_string()).into(), SIDES),
            rules: named(self.inputs.clone(), RULES),
            pieces: kinds.collect(),
            output: order.chain([output(0, Condition::default())]).collect(),
        }
    }
}

fn whole(number: f32, most: i16) -> i16 {
    number.round().clamp(-f32::from(most), f32::from(most)) as i16
}

#[inline]
fn add(sums: &mut [f32; UNITS], numbers: &[f32; UNITS]) {
    for (sum, number) in sums.iter_mut().zip(numbers) {
        *sum += number;
    }
}

#[cfg(test)]
mod tests;
