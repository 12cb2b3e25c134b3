//! The bytes of a table's file, mapped into memory: what is asked is read, what is not can
//! be taken away again, and processes share it. Imports nothing of ours.
#![expect(
    unsafe_code,
    reason = "no system promises that nobody changes a file that is mapped"
)]

use std::fs::File;
use std::io::{self, Read};
use std::ops::Deref;

use memmap2::Mmap;

/// A file's bytes; read where its file system cannot map.
#[derive(Debug)]
pub(super) enum Bytes {
    Mapped(Mmap),
    Read(Vec<u8>),
}

impl Bytes {
    /// Those of a file.
    ///
    /// # Errors
    /// What the system says where it can be read neither.
    pub fn of(mut file: &File) -> io::Result<Bytes> {
        // SAFETY: tables are never changed in place: a file gets its name when it is whole,
        // and none is written where one is. What somebody else changes all the same is
        // found by the sum of the block that is asked for, as every byte is compared with
        // one before it is believed; nothing here rests on two reads being equal.
        if let Ok(mapped) = unsafe { Mmap::map(file) } {
            return Ok(Bytes::Mapped(mapped));
        }
        let mut bytes = Vec::new();
        file.read_to_end(&mut bytes)?;
        Ok(Bytes::Read(bytes))
    }
}

impl Deref for Bytes {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(mapped) => mapped,
            Bytes::Read(bytes) => bytes,
        }
    }
}
