/*!
The tables of one ruleset, ready to be asked. Files are mapped into memory, compressed
as they are; blocks are unpacked when they are asked for and kept while there is
room, which takes some microseconds each. Whoever asks often unpacks whole
layers beforehand. Imports the format, values and rules.
*/

use std::sync::{Mutex, PoisonError};

use super::dense::Dense;
use super::format::{BLOCK, Packed};
use super::index::Layer;
use crate::game::{Move, MoveList, Position, Rules};
use crate::solver::exact::{Probe, Value};

/// Room for unpacked blocks unless told otherwise, in bytes.
pub const DEFAULT_ROOM: usize = 64 << 20;

/// The tables of one ruleset. Asking is quick and may be done by several
/// threads.
#[derive(Debug)]
pub struct Tables {
    rules: Rules,
    /// By defenders and attackers.
    layers: Vec<Packed>,
    /// For each of these its codes, if it was unpacked.
    whole: Vec<Option<Dense>>,
    cache: Cache,
}

impl Tables {
    pub(super) fn new(rules: Rules, mut layers: Vec<Packed>, room: usize) -> Tables {
        layers.sort_by_key(|packed| packed.index.layer);
        Tables {
            rules,
            whole: layers.iter().map(|_| None).collect(),
            layers,
            cache: Cache::new(room),
        }
    }

    /// The same with as many layers unpacked, smaller ones first, as so many
    /// bytes hold: a byte for each position and side to move.
    #[must_use]
    pub fn unpacked(mut self, bytes: u64) -> Tables {
        let mut order: Vec<usize> = (0..self.layers.len()).collect();
        order.sort_by_key(|&layer| self.layers[layer].index.len());
        let mut left = bytes;
        for layer in order {
            let packed = &self.layers[layer];
            let Some(rest) = left.checked_sub(2 * packed.index.len() as u64) else {
                break;
            };
            left = rest;
            // Every byte was checked, so that it can be unpacked; if not, its
            // blocks say why.
            self.whole[layer] = packed.unpack().ok();
        }
        self
    }

    /// The same with room for so many bytes of unpacked blocks.
    #[must_use]
    pub fn with_room(self, bytes: usize) -> Tables {
        Tables {
            cache: Cache::new(bytes),
            ..self
        }
    }

    /// The layers there are, by defenders and attackers.
    pub fn layers(&self) -> impl Iterator<Item = Layer> {
        self.layers.iter().map(|packed| packed.index.layer)
    }

    /// The most men of both sides, the king among them, in a layer; 0 without
    /// layers. Positions with more men are not worth asking for.
    #[must_use]
    pub fn most_men(&self) -> u32 {
        let men = self
            .layers()
            .map(|layer| layer.attackers + layer.defenders + 1);
        men.max().map_or(0, u32::from)
    }

    /// Bytes of memory, the room for unpacked blocks apart.
    #[must_use]
    pub fn memory(&self) -> usize {
        let packed: usize = self.layers.iter().map(Packed::memory).sum();
        let whole = self.whole.iter().flatten();
        packed + whole.map(|dense| 2 * dense.index.len()).sum::<usize>()
    }

    /// The value of a position and that of every move, the best first; `None`
    /// where the position or one that a move leads to is in no layer:
    /// [`Tables::missing`] says in which.
    #[must_use]
    pub fn moves(&self, position: &Position) -> Option<(Value, Vec<(Move, Value)>)> {
        let value = self.probe(position)?;
        let mut moves = Vec::new();
        for (ply, after) in self.played(position) {
            let there = match self.rules.ending(&after) {
                Some(outcome) => Value::of_outcome(outcome, after.side),
                None => self.probe(&after)?,
            };
            moves.push((ply, there.before()));
        }
        moves.sort_by(|(_, one), (_, other)| other.compare(*one));
        Some((value, moves))
    }

    /// The first layer that [`Tables::moves`] asks and that is not there: the
    /// position's own, or one that a move leads to.
    #[must_use]
    pub fn missing(&self, position: &Position) -> Option<Layer> {
        let after = self.played(position).into_iter().map(|(_, after)| after);
        let after = after.filter(|after| self.rules.ending(after).is_none());
        let mut needed = std::iter::once(*position).chain(after);
        needed.find_map(|position| {
            let layer = Layer::of(&position);
            self.place(layer).is_none().then_some(layer)
        })
    }

    /// Every move with the position after it; none where the game is over.
    fn played(&self, position: &Position) -> Vec<(Move, Position)> {
        let mut list = MoveList::new();
        if self.rules.ending(position).is_none() {
            self.rules.moves(position, &mut list);
        }
        let played = list.iter();
        let played = played.map(|&ply| (ply, self.rules.play(position, ply).position));
        played.collect()
    }

    /// Which of the layers this is.
    fn place(&self, layer: Layer) -> Option<usize> {
        let place = |packed: &Packed| packed.index.layer;
        self.layers.binary_search_by_key(&layer, place).ok()
    }

    /// One code.
    ///
    /// # Panics
    /// If the file was changed since it was opened: what is asked then has no answer.
    fn code(&self, layer: usize, block: usize, place: usize) -> u8 {
        let packed = &self.layers[layer];
        self.cache.get(layer, block, place, |codes| {
            codes.resize(packed.block_len(block), 0);
            let unpacked = packed.block(block, codes);
            unpacked.expect("a table is not changed while it is in use");
        })
    }
}

impl Probe for Tables {
    fn probe(&self, position: &Position) -> Option<Value> {
        let layer = self.place(Layer::of(position))?;
        let packed = &self.layers[layer];
        let ground = &packed.index.ground;
        let stands = position.soldiers().is_subset(ground.soldiers)
            && position.king.is_subset(ground.king)
            && position.king.len() == 1;
        if !stands {
            return None;
        }
        if let Some(dense) = &self.whole[layer] {
            return Some(dense.value(position));
        }
        let number = packed.index.number(position);
        let (block, place) = packed.place(number, position.side);
        Some(Value::of_code(self.code(layer, block, place)))
    }
}

/// Unpacked blocks, each in the one slot that its number allows.
struct Cache {
    slots: Vec<Mutex<Slot>>,
}

#[derive(Default)]
struct Slot {
    /// Layer and block.
    holds: Option<(usize, usize)>,
    codes: Vec<u8>,
}

impl std::fmt::Debug for Cache {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "Cache({} blocks)", self.slots.len())
    }
}

impl Cache {
    fn new(room: usize) -> Cache {
        let slots = (room / BLOCK).max(1);
        Cache {
            slots: (0..slots).map(|_| Mutex::default()).collect(),
        }
    }

    fn get(&self, layer: usize, block: usize, place: usize, fill: impl FnOnce(&mut Vec<u8>)) -> u8 {
        // Blocks of one layer lie side by side, those of layers apart.
        let number = block.wrapping_add(layer.wrapping_mul(0x9e37_79b9)) % self.slots.len();
        let mut slot = self.slots[number]
            .lock()
            .unwrap_or_else(PoisonError::into_inner);
        if slot.holds != Some((layer, block)) {
            slot.holds = None;
            fill(&mut slot.codes);
            slot.holds = Some((layer, block));
        }
        slot.codes[place]
    }
}
