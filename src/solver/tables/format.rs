/*!
One layer as bytes: a header in words, a directory of blocks, the blocks, each
compressed by itself, so that one value can be had without the others.

| bytes | what |
| --- | --- |
| 16 | `brandub-table`, a line feed, two zeros |
| 4 | length of the header, little endian, as all numbers here |
| … | the header, TOML |
| 12 a block | the block's length (4) and its xxh3 (8), in order: attackers to move first |
| 32 | SHA-256 of all before |
| … | the blocks: up to 4096 codes each, deflated |

Imports the index and dense layers.
*/

use std::sync::Arc;

use miniz_oxide::deflate::compress_to_vec;
use miniz_oxide::inflate::decompress_slice_iter_to_slice;
use rayon::prelude::*;
use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use xxhash_rust::xxh3::xxh3_64;

use super::dense::Dense;
use super::ground::Ground;
use super::identity::{NOT_HONOURED, REVISION, honoured, table_rules};
use super::index::{Index, Layer, Rows};
use super::mapped::Bytes;
use crate::game::{Ruleset, Side};

/// Codes in a block.
pub(super) const BLOCK: usize = 4096;
const MAGIC: &[u8; 16] = b"brandub-table\n\0\0";
const VERSION: u32 = 1;
const ENTRY: usize = 12;
const DIGEST: usize = 32;
/// A header is some hundred bytes.
const MAX_HEADER: usize = 1 << 16;
/// The end of a table's name.
pub(super) const ENDING: &str = ".table";
/// Bytes that a header takes at most, with what stands before it.
pub(super) const MOST_BEFORE_VALUES: u64 = (MAGIC.len() + 4 + MAX_HEADER) as u64;
/// Deflate at the level where it is still quick.
const LEVEL: u8 = 3;

/// What a file says of itself.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Header {
    version: u32,
    revision: u32,
    /// The id of the rules, and the folder's name.
    pub id: String,
    pub layer: String,
    /// For each side to move.
    pub entries: u64,
    pub block: usize,
    /// Plies of the longest forced win.
    pub longest: u8,
    /// Wins, draws and losses by number, attackers to move.
    pub attackers: [u64; 3],
    /// The same, defenders to move.
    pub defenders: [u64; 3],
    /// Axes that make no difference.
    pub not_honoured: Vec<String>,
    pub rules: Ruleset,
}

impl Header {
    pub fn new(ruleset: &Ruleset, dense: &Dense) -> Header {
        let rules = table_rules(ruleset);
        let counts = dense.codes.each_ref().map(|codes| histogram(codes));
        let longest = (0..=u8::MAX)
            .rev()
            .find(|&code| counts.iter().any(|counts| counts[usize::from(code)] > 0));
        let [attackers, defenders] = counts.map(|counts| verdicts(&counts));
        Header {
            version: VERSION,
            revision: REVISION,
            id: rules.id(),
            layer: dense.index.layer.to_string(),
            entries: dense.index.len() as u64,
            block: BLOCK,
            longest: longest.unwrap_or(0).saturating_sub(1),
            attackers,
            defenders,
            not_honoured: NOT_HONOURED.map(str::to_owned).to_vec(),
            rules,
        }
    }
}

fn histogram(codes: &[u8]) -> [u64; 256] {
    let mut counts = [0; 256];
    for &code in codes {
        counts[usize::from(code)] += 1;
    }
    counts
}

fn verdicts(counts: &[u64; 256]) -> [u64; 3] {
    let wins = counts[2..].iter().step_by(2).sum();
    let losses = counts[1..].iter().step_by(2).sum();
    [wins, counts[0], losses]
}

/// Writes a layer.
pub(super) fn pack(ruleset: &Ruleset, dense: &Dense) -> Vec<u8> {
    let header = toml::to_string(&Header::new(ruleset, dense)).unwrap_or_default();
    let [attackers, defenders] = &dense.codes;
    let blocks: Vec<Vec<u8>> = attackers
        .par_chunks(BLOCK)
        .chain(defenders.par_chunks(BLOCK))
        .map(|codes| compress_to_vec(codes, LEVEL))
        .collect();
    let mut bytes = MAGIC.to_vec();
    bytes.extend((header.len() as u32).to_le_bytes());
    bytes.extend(header.as_bytes());
    for block in &blocks {
        bytes.extend((block.len() as u32).to_le_bytes());
        bytes.extend(xxh3_64(block).to_le_bytes());
    }
    let digest = Sha256::digest(&bytes);
    bytes.extend(digest);
    bytes.reserve_exact(blocks.iter().map(Vec::len).sum());
    for block in blocks {
        bytes.extend(block);
    }
    bytes
}

/// Bytes that [`pack`] gives at most for so many entries of each side: what
/// cannot be compressed is stored, with five bytes more.
pub(super) fn most_bytes(entries: u64) -> u64 {
    let blocks = 2 * entries.div_ceil(BLOCK as u64);
    2 * entries + blocks * (5 + ENTRY as u64) + 4096
}

/// A layer as it is in its file, the blocks still compressed.
#[derive(Debug)]
pub(super) struct Packed {
    pub header: Header,
    pub index: Index,
    bytes: Bytes,
    /// Where each block begins, and where the last one ends.
    starts: Vec<usize>,
    /// Of each block, from the directory.
    sums: Vec<u64>,
}

/// Why bytes are no layer.
#[derive(Debug)]
pub(super) enum Unreadable {
    /// They are damaged.
    Damaged(String),
    /// They are of other rules: the axes as they are, and as they should be.
    OtherRules(String, String),
}

fn damaged<T>(problem: impl Into<String>) -> Result<T, Unreadable> {
    Err(Unreadable::Damaged(problem.into()))
}

/// What is read first: a newer header may have other keys.
#[derive(Deserialize)]
struct Versions {
    version: u32,
    revision: u32,
}

/// The header and where it ends.
pub(super) fn header(bytes: &[u8]) -> Result<(Header, usize), Unreadable> {
    let Some(rest) = bytes.strip_prefix(MAGIC) else {
        return damaged("it does not begin as a table does");
    };
    let Some((length, rest)) = rest.split_first_chunk::<4>() else {
        return damaged("it ends within the header");
    };
    let length = u32::from_le_bytes(*length) as usize;
    let Some(text) = rest.get(..length).filter(|_| length <= MAX_HEADER) else {
        return damaged("it ends within the header");
    };
    let text = str::from_utf8(text)
        .map_err(|_| Unreadable::Damaged("the header is no text".to_owned()))?;
    let unreadable =
        |error: toml::de::Error| Unreadable::Damaged(format!("header: {}", error.message()));
    let versions: Versions = toml::from_str(text).map_err(unreadable)?;
    if (versions.version, versions.revision) != (VERSION, REVISION) {
        return damaged(format!(
            "it has version {} of the format and revision {} of the rules; this program reads {VERSION} and {REVISION}",
            versions.version, versions.revision,
        ));
    }
    Ok((
        toml::from_str(text).map_err(unreadable)?,
        MAGIC.len() + 4 + length,
    ))
}

impl Packed {
    /// Reads a layer and checks every byte of it.
    pub fn read(
        bytes: Bytes,
        ruleset: &Ruleset,
        layer: Layer,
        ground: &Arc<Ground>,
        rows: &Arc<Rows>,
    ) -> Result<Packed, Unreadable> {
        let (header, end) = header(&bytes)?;
        if header.rules != table_rules(ruleset) {
            return Err(Unreadable::OtherRules(
                honoured(&header.rules),
                honoured(ruleset),
            ));
        }
        if header.layer != layer.to_string() {
            return damaged(format!("it holds layer {}", header.layer));
        }
        let index = Index::new(layer, ground, rows);
        if header.entries != index.len() as u64 || header.block != BLOCK {
            return damaged("the header counts other positions than the layer has");
        }
        let blocks = 2 * index.len().div_ceil(BLOCK);
        let directory = end..end + blocks * ENTRY;
        let first = directory.end + DIGEST;
        let Some(digest) = bytes.get(directory.end..first) else {
            return damaged("it ends within the directory");
        };
        if Sha256::digest(&bytes[..directory.end])[..] != *digest {
            return damaged("the checksum of header and directory is wrong");
        }
        let mut starts = vec![first];
        let mut sums = Vec::with_capacity(blocks);
        for entry in bytes[directory].chunks_exact(ENTRY) {
            let (length, sum) = entry.split_at(4);
            let length = length
                .iter()
                .rev()
                .fold(0, |all, &byte| all << 8 | usize::from(byte));
            sums.push(
                sum.iter()
                    .rev()
                    .fold(0, |all, &byte| all << 8 | u64::from(byte)),
            );
            starts.push(starts[starts.len() - 1] + length);
        }
        let packed = Packed {
            header,
            index,
            bytes,
            starts,
            sums,
        };
        packed.check()?;
        Ok(packed)
    }

    fn check(&self) -> Result<(), Unreadable> {
        let end = self.starts[self.sums.len()];
        if self.bytes.len() != end {
            let length = self.bytes.len();
            return damaged(format!("it has {length} bytes instead of {end}"));
        }
        let blocks = (0..self.sums.len()).into_par_iter();
        match blocks.find_map_first(|number| self.whole(number).err()) {
            None => Ok(()),
            Some(wrong) => Err(wrong),
        }
    }

    /// A block as it was written.
    fn whole(&self, number: usize) -> Result<&[u8], Unreadable> {
        let compressed = self.compressed(number);
        match xxh3_64(compressed) == self.sums[number] {
            true => Ok(compressed),
            false => damaged(format!(
                "block {number}, at byte {}, is altered",
                self.starts[number]
            )),
        }
    }

    fn compressed(&self, number: usize) -> &[u8] {
        &self.bytes[self.starts[number]..self.starts[number + 1]]
    }

    /// The block and the place in it of a position's code.
    pub fn place(&self, number: usize, side: Side) -> (usize, usize) {
        let blocks = self.index.len().div_ceil(BLOCK);
        (side as usize * blocks + number / BLOCK, number % BLOCK)
    }

    /// Unpacks a block, and checks it once more: its file may have been changed since it
    /// was opened. Only the last of a side is shorter than others.
    pub fn block(&self, number: usize, codes: &mut [u8]) -> Result<(), Unreadable> {
        let compressed = self.whole(number)?;
        match decompress_slice_iter_to_slice(codes, std::iter::once(compressed), false, false) {
            Ok(length) if length == codes.len() => Ok(()),
            _ => damaged(format!("block {number} cannot be unpacked")),
        }
    }

    /// How many codes a block holds.
    pub fn block_len(&self, number: usize) -> usize {
        let blocks = self.index.len().div_ceil(BLOCK);
        (self.index.len() - number % blocks * BLOCK).min(BLOCK)
    }

    /// Bytes of its file.
    pub fn bytes(&self) -> u64 {
        self.bytes.len() as u64
    }

    /// The SHA-256 of its file, hexadecimal.
    pub fn sha256(&self) -> String {
        hex::encode(Sha256::digest(&*self.bytes))
    }

    /// Bytes of memory as it is, those that the system may take away again among them.
    pub fn memory(&self) -> usize {
        self.bytes.len() + 16 * self.starts.len()
    }

    /// Unpacks the whole layer.
    pub fn unpack(&self) -> Result<Dense, Unreadable> {
        let blocks = self.index.len().div_ceil(BLOCK);
        let mut codes = [vec![0; self.index.len()], vec![0; self.index.len()]];
        for (side, codes) in codes.iter_mut().enumerate() {
            codes
                .par_chunks_mut(BLOCK)
                .enumerate()
                .try_for_each(|(number, codes)| self.block(side * blocks + number, codes))?;
        }
        let dense = Dense {
            index: self.index.clone(),
            codes,
        };
        if Header::new(&self.header.rules, &dense) != self.header {
            return damaged("its values are not those that the header counts");
        }
        Ok(dense)
    }
}
