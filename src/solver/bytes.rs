//! Numbers and texts in a file that ends with the SHA-256 of all before it.
//! Imports nothing of ours.

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

/// Texts are shorter.
const LONGEST_TEXT: u64 = 4096;
/// Bytes kept back before they are written.
const BUFFER: usize = 1 << 16;

/// A SHA-256.
pub type Seal = [u8; 32];

/// A file that cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum Unreadable {
    /// It ends early, or the device fails.
    #[error("byte {at}: {error}")]
    Io {
        /// Bytes read before.
        at: u64,
        /// What happened.
        error: io::Error,
    },
    /// Something that was never written like this.
    #[error("byte {at}: {problem}")]
    Damaged {
        /// Bytes read before.
        at: u64,
        /// What is wrong.
        problem: String,
    },
}

pub(super) struct Writer<'w, W> {
    out: &'w mut W,
    digest: Sha256,
    buffer: Vec<u8>,
}

impl<'w, W: Write> Writer<'w, W> {
    pub(super) fn new(out: &'w mut W) -> Writer<'w, W> {
        Writer {
            out,
            digest: Sha256::new(),
            buffer: Vec::with_capacity(BUFFER + 64),
        }
    }

    pub(super) fn bytes(&mut self, bytes: &[u8]) -> io::Result<()> {
        self.buffer.extend(bytes);
        if self.buffer.len() >= BUFFER {
            self.flush()?;
        }
        Ok(())
    }

    /// Little-endian base 128, the high bit set on all bytes but the last.
    pub(super) fn number(&mut self, mut number: u64) -> io::Result<()> {
        while number >= 0x80 {
            self.bytes(&[number as u8 | 0x80])?;
            number >>= 7;
        }
        self.bytes(&[number as u8])
    }

    pub(super) fn text(&mut self, text: &str) -> io::Result<()> {
        self.number(text.len() as u64)?;
        self.bytes(text.as_bytes())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.digest.update(&self.buffer);
        self.out.write_all(&self.buffer)?;
        self.buffer.clear();
        Ok(())
    }

    /// Writes the seal and gives it.
    pub(super) fn seal(mut self) -> io::Result<Seal> {
        self.flush()?;
        let seal: Seal = self.digest.finalize().into();
        self.out.write_all(&seal)?;
        self.out.flush()?;
        Ok(seal)
    }
}

pub(super) struct Reader<'r, R> {
    input: &'r mut R,
    digest: Sha256,
    at: u64,
}

impl<'r, R: Read> Reader<'r, R> {
    pub(super) fn new(input: &'r mut R) -> Reader<'r, R> {
        Reader::from_byte(input, 0)
    }

    /// Reads on from this byte of a file, without what goes before it.
    pub(super) fn from_byte(input: &'r mut R, at: u64) -> Reader<'r, R> {
        Reader {
            input,
            digest: Sha256::new(),
            at,
        }
    }

    /// Bytes read so far.
    pub(super) fn at(&self) -> u64 {
        self.at
    }

    pub(super) fn damaged(&self, problem: impl Into<String>) -> Unreadable {
        Unreadable::Damaged {
            at: self.at,
            problem: problem.into(),
        }
    }

    pub(super) fn bytes(&mut self, bytes: &mut [u8]) -> Result<(), Unreadable> {
        self.input.read_exact(bytes).map_err(|error| {
            let at = self.at;
            let error = match error.kind() {
                kind @ io::ErrorKind::UnexpectedEof => {
                    io::Error::new(kind, "the file ends before it is whole")
                }
                _ => error,
            };
            Unreadable::Io { at, error }
        })?;
        self.digest.update(&*bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }

    pub(super) fn number(&mut self) -> Result<u64, Unreadable> {
        let mut number = 0_u64;
        let mut shift = 0;
        loop {
            let mut byte = [0];
            self.bytes(&mut byte)?;
            let digit = u64::from(byte[0] & 0x7f);
            if shift > 63 || digit << shift >> shift != digit {
                return Err(self.damaged("a number of more than 64 bits"));
            }
            number |= digit << shift;
            if byte[0] == 0 && shift > 0 {
                return Err(self.damaged("a number of more bytes than it needs"));
            }
            if byte[0] < 0x80 {
                break;
            }
            shift += 7;
        }
        Ok(number)
    }

    /// A number of 16 bits, of what.
    pub(super) fn short(&mut self, what: &str) -> Result<u16, Unreadable> {
        let number = self.number()?;
        u16::try_from(number)
            .map_err(|_| self.damaged(format!("{what}: {number}, expected up to 65535")))
    }

    pub(super) fn text(&mut self) -> Result<String, Unreadable> {
        let length = self.number()?;
        if length > LONGEST_TEXT {
            return Err(self.damaged(format!("a text of {length} bytes")));
        }
        let mut bytes = vec![0; length as usize];
        self.bytes(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| self.damaged("a text that is not UTF-8"))
    }

    /// Expects these bytes.
    pub(super) fn magic(&mut self, magic: &[u8], what: &str) -> Result<(), Unreadable> {
        let mut bytes = vec![0; magic.len()];
        self.bytes(&mut bytes)?;
        if bytes == magic {
            return Ok(());
        }
        let line = bytes.trim_ascii_end().escape_ascii();
        Err(self.damaged(format!(
            "the file begins with `{line}`, which is not the first line of {what}"
        )))
    }

    /// Expects the seal and nothing after it.
    pub(super) fn seal(mut self) -> Result<Seal, Unreadable> {
        let seal: Seal = self.digest.clone().finalize().into();
        let mut given: Seal = [0; 32];
        self.bytes(&mut given)?;
        if given != seal {
            return Err(self.damaged("the SHA-256 of all before it is another"));
        }
        match self.input.read(&mut [0]) {
            Ok(0) => Ok(seal),
            Ok(_) => Err(self.damaged("more bytes after the end")),
            Err(error) => Err(Unreadable::Io { at: self.at, error }),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_number_has_the_bytes_it_needs_and_no_more() {
        for number in [0, 1, 127, 128, 300, u64::MAX] {
            let mut bytes = Vec::new();
            let mut writer = Writer::new(&mut bytes);
            writer.number(number).unwrap();
            writer.seal().unwrap();
            let mut input = bytes.as_slice();
            let mut reader = Reader::new(&mut input);
            assert_eq!(reader.number().unwrap(), number);
            assert!(reader.seal().is_ok());
        }
        for bytes in [&[0x80, 0x00][..], &[0x85, 0x80, 0x00]] {
            let mut input = bytes;
            let mut reader = Reader::from_byte(&mut input, 7);
            let problem = reader.number().unwrap_err().to_string();
            let at = 7 + bytes.len();
            let told = format!("byte {at}: a number of more bytes than it needs");
            assert_eq!(problem, told);
        }
    }
}
