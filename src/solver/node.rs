//! A position in the search, with the hashes of its images. Imports `game` and
//! hashes.

use super::hash::{Hashes, Key};
use crate::game::{Move, Position, Rules};

/// A position and the hashes of its images.
#[derive(Clone, Copy, Debug)]
pub(super) struct Node {
    pub(super) position: Position,
    pub(super) hashes: Hashes,
}

impl Node {
    pub(super) fn new(position: Position) -> Node {
        Node {
            position,
            hashes: Hashes::of(&position),
        }
    }

    #[inline]
    pub(super) fn child(&self, rules: &Rules, ply: Move) -> Node {
        let played = rules.play(&self.position, ply);
        Node {
            position: played.position,
            hashes: self.hashes.after(&self.position, &played),
        }
    }

    #[inline]
    pub(super) fn key(&self) -> Key {
        self.hashes.key(self.position.side)
    }
}
