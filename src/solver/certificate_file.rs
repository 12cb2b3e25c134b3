//! A certificate that stays in its file while it is checked: a quarter of a byte
//! of memory a step, and a few MiB. Imports certificates.

use std::io::{self, Read, Seek, SeekFrom};

use super::bytes::{Reader, Seal, Unreadable};
use super::certificate::{Claim, Step, read_steps};
use super::check::Steps;

/// Of every so many steps, the place in the file is known.
const STRIDE: u64 = 64;
/// A step takes no more bytes: a number of 64 bits and two of 16.
const LONGEST_STEP: u64 = 16;
/// Blocks of steps kept in memory.
const KEPT: usize = 1 << 12;

/// The first step of a block, and the byte at which its choice begins.
struct Block {
    number: u64,
    at: u64,
}

/// A certificate whose bytes have been compared with its SHA-256. The file must
/// not change while it is used.
pub struct CertificateFile<R> {
    input: R,
    claim: Claim,
    count: u64,
    blocks: Vec<Block>,
    kept: Vec<(u64, Vec<Step>)>,
}

impl<R: Read + Seek> CertificateFile<R> {
    /// Reads a certificate to its end, as [`Certificate::read`] does, and keeps
    /// where its steps are.
    ///
    /// # Errors
    /// Any byte that is missing, too many or not as it was written.
    ///
    /// [`Certificate::read`]: super::Certificate::read
    pub fn open(input: R) -> Result<(CertificateFile<R>, Seal), Unreadable> {
        let mut input = io::BufReader::with_capacity(1 << 16, input);
        let mut count = 0;
        let mut blocks = Vec::new();
        let (claim, seal) = read_steps(&mut input, &mut |step, at| {
            if count % STRIDE == 0 {
                blocks.push(Block {
                    number: step.number,
                    at,
                });
            }
            count += 1;
        })?;
        let file = CertificateFile {
            input: input.into_inner(),
            claim,
            count,
            blocks,
            kept: vec![(u64::MAX, Vec::new()); KEPT],
        };
        Ok((file, seal))
    }

    /// The steps of a block.
    fn block(&mut self, block: u64) -> Result<&[Step], Unreadable> {
        let slot = block as usize % KEPT;
        if self.kept[slot].0 != block {
            let steps = self.fetch(block)?;
            self.kept[slot] = (block, steps);
        }
        Ok(&self.kept[slot].1)
    }

    fn fetch(&mut self, block: u64) -> Result<Vec<Step>, Unreadable> {
        let Block { mut number, at } = self.blocks[block as usize];
        let length = STRIDE.min(self.count - block * STRIDE);
        self.input
            .seek(SeekFrom::Start(at))
            .map_err(|error| Unreadable::Io { at, error })?;
        let mut bytes = Vec::new();
        self.input
            .by_ref()
            .take(length * LONGEST_STEP)
            .read_to_end(&mut bytes)
            .map_err(|error| Unreadable::Io { at, error })?;
        let mut bytes = bytes.as_slice();
        let mut input = Reader::from_byte(&mut bytes, at);
        let mut steps = Vec::with_capacity(length as usize);
        for place in 0..length {
            if place > 0 {
                number = number.wrapping_add(input.number()?);
            }
            steps.push(Step {
                number,
                choice: input.short("a step's move")?,
                plies: input.short("a step's plies")?,
            });
        }
        Ok(steps)
    }
}

impl<R: Read + Seek> Steps for CertificateFile<R> {
    fn claim(&self) -> Claim {
        self.claim
    }

    fn count(&self) -> u64 {
        self.count
    }

    fn step(&mut self, place: u64) -> Result<Step, Unreadable> {
        let steps = self.block(place / STRIDE)?;
        Ok(steps[(place % STRIDE) as usize])
    }

    fn find(&mut self, number: u64) -> Result<Option<Step>, Unreadable> {
        let block = self.blocks.partition_point(|first| first.number <= number);
        let Some(block) = block.checked_sub(1) else {
            return Ok(None);
        };
        let steps = self.block(block as u64)?;
        let found = steps.binary_search_by_key(&number, |step| step.number);
        Ok(found.ok().map(|place| steps[place]))
    }
}
