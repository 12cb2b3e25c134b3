//! A bit a position. Imports nothing of ours.

/// Bits by their place, false until they are set.
#[derive(Default)]
pub(super) struct Bits {
    words: Vec<u64>,
    length: usize,
}

impl Bits {
    pub(super) fn push(&mut self, bit: bool) {
        if self.length.is_multiple_of(64) {
            self.words.push(0);
        }
        self.length += 1;
        if bit {
            self.set(self.length - 1);
        }
    }

    pub(super) fn get(&self, place: usize) -> bool {
        self.words[place / 64] >> (place % 64) & 1 == 1
    }

    pub(super) fn set(&mut self, place: usize) {
        self.words[place / 64] |= 1 << (place % 64);
    }

    /// As many bits, none of them set.
    pub(super) fn cleared(&self) -> Bits {
        Bits {
            words: vec![0; self.words.len()],
            length: self.length,
        }
    }
}
