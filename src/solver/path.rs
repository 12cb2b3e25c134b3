//! The positions between the root and the one searched. Imports hashes.

use super::hash::Key;

const FILTER: usize = 1 << 12;

/// The positions of one line of play, images counted as equal, with a filter in
/// front so that a new position is known as new at a glance.
pub(super) struct Path {
    keys: Vec<Key>,
    filter: Vec<u8>,
}

impl Path {
    pub(super) fn new() -> Path {
        Path {
            keys: Vec::with_capacity(512),
            filter: vec![0; FILTER],
        }
    }

    fn slot(key: Key) -> usize {
        key.check as usize % FILTER
    }

    pub(super) fn push(&mut self, key: Key) {
        self.filter[Path::slot(key)] += 1;
        self.keys.push(key);
    }

    pub(super) fn pop(&mut self) {
        if let Some(key) = self.keys.pop() {
            self.filter[Path::slot(key)] -= 1;
        }
    }

    pub(super) fn len(&self) -> usize {
        self.keys.len()
    }

    /// What follows a position on the line.
    pub(super) fn after(&self, key: Key) -> Option<Key> {
        let place = self.find(key)?;
        self.keys.get(place + 1).copied()
    }

    /// Where on the line the position stands, if it does.
    #[inline]
    pub(super) fn find(&self, key: Key) -> Option<usize> {
        if self.filter[Path::slot(key)] == 0 {
            return None;
        }
        self.keys.iter().position(|&other| other == key)
    }
}
