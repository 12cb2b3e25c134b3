//! Numbers that are fitted, and how they go down a slope. Imports the network's
//! shape.

use crate::agents::evaluation::network::UNITS;

/// How far a number is drawn to zero by a step, as a share of the rate.
const DECAY: f32 = 0.01;
/// Adam's averages of the gradient and of its square.
const AVERAGES: [f32; 2] = [0.9, 0.999];

/// The numbers that are fitted, or what changes them.
#[derive(Clone)]
pub(super) struct Numbers {
    /// Pieces, sides, the rules' inputs, then outputs: of all rulesets, and what
    /// each family's are more.
    pub(super) rows: Vec<[f32; UNITS]>,
    /// Of the outputs.
    pub(super) biases: Vec<f32>,
}

impl Numbers {
    pub(super) fn zero(rows: usize, biases: usize) -> Numbers {
        Numbers {
            rows: vec![[0.0; UNITS]; rows],
            biases: vec![0.0; biases],
        }
    }

    fn all(&self) -> impl Iterator<Item = &f32> {
        self.rows.iter().flatten().chain(&self.biases)
    }

    pub(super) fn all_mut(&mut self) -> impl Iterator<Item = &mut f32> {
        self.rows.iter_mut().flatten().chain(&mut self.biases)
    }
}

/// Adam (Kingma and Ba 2015) with decay apart from the gradient (Loshchilov and
/// Hutter 2019).
pub(super) struct Adam {
    means: [Numbers; 2],
    /// What is missing to the averages yet.
    missing: [f32; 2],
}

impl Adam {
    pub(super) fn new(numbers: &Numbers) -> Adam {
        let zero = Numbers::zero(numbers.rows.len(), numbers.biases.len());
        Adam {
            means: [zero.clone(), zero],
            missing: [1.0, 1.0],
        }
    }

    pub(super) fn step(&mut self, numbers: &mut Numbers, gradient: &Numbers, rate: f32) {
        for (missing, average) in self.missing.iter_mut().zip(AVERAGES) {
            *missing *= average;
        }
        let there = self.missing.map(|missing| 1.0 - missing);
        let [means, squares] = &mut self.means;
        let places = numbers.all_mut().zip(gradient.all());
        let averages = means.all_mut().zip(squares.all_mut());
        for ((number, slope), (mean, square)) in places.zip(averages) {
            *mean += (1.0 - AVERAGES[0]) * (slope - *mean);
            *square += (1.0 - AVERAGES[1]) * (slope * slope - *square);
            let step = (*mean / there[0]) / ((*square / there[1]).sqrt() + 1e-8);
            *number -= rate * (step + DECAY * *number);
        }
    }
}
