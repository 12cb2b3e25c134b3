/*!
The certificate of a forced win: a file that says what the prover plays in every
position that can come up, and within how many plies he has won. Reading and
writing only; what it claims is checked elsewhere. Imports `game` and the
numbering of positions.

The format is described in `docs/proofs.md`.
*/

use std::io::{self, Read, Write};

use sha2::{Digest, Sha256};

use super::ranking::Ranking;
use crate::game::{Position, Ruleset, Side};

/// What every certificate begins with; the digit is the version.
pub const MAGIC: [u8; 16] = *b"brandub proof 1\n";

/// Texts in the header are shorter.
const LONGEST_TEXT: u64 = 4096;

/// Bytes at the end: the SHA-256 of everything before them.
const DIGEST: usize = 32;

/// What is claimed: under these rules, from this position, this side wins
/// within so many plies.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Claim {
    /// The rules.
    pub ruleset: Ruleset,
    /// The position from which it is won, with nothing played before.
    pub root: Position,
    /// The side that wins.
    pub winner: Side,
    /// Within how many plies at most.
    pub plies: u16,
}

/// What the winner plays in one position and its images.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// The position's number, see [`Ranking`].
    pub number: u64,
    /// Which of the legal moves, in the order of the rules, counted from 0.
    pub choice: u16,
    /// Within how many plies at most the game is then won, this one counted.
    pub plies: u16,
}

/// A claim and the strategy that shows it, by number.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Certificate {
    /// What is claimed.
    pub claim: Claim,
    /// The winner's moves, by ascending number.
    pub steps: Vec<Step>,
    /// The SHA-256 that the file ends with.
    pub digest: [u8; DIGEST],
}

/// A certificate that cannot be read or written.
#[derive(Debug, thiserror::Error)]
pub enum CertificateError {
    /// The file ends early, or the device fails.
    #[error("byte {at}: {error}")]
    Io {
        /// Bytes read before.
        at: u64,
        /// What happened.
        error: io::Error,
    },
    /// Something that no certificate has.
    #[error("byte {at}: {problem}")]
    Damaged {
        /// Bytes read before.
        at: u64,
        /// What is wrong.
        problem: String,
    },
    /// Positions with more soldiers than can be numbered.
    #[error("{attackers} attackers and {defenders} defenders are more than a certificate can name")]
    TooManySoldiers {
        /// In the root.
        attackers: u32,
        /// In the root.
        defenders: u32,
    },
}

/// The numbering that a certificate from this root uses.
///
/// # Errors
/// A root with too many soldiers.
pub fn ranking(root: &Position) -> Result<Ranking, CertificateError> {
    Ranking::of(root).ok_or(CertificateError::TooManySoldiers {
        attackers: root.attackers.len(),
        defenders: root.defenders.len(),
    })
}

/// Writes a certificate; the steps must come by ascending number. Gives the
/// SHA-256 that stands at its end.
///
/// # Errors
/// Whatever the writer's are.
pub fn write(
    claim: &Claim,
    steps: &[Step],
    out: &mut impl Write,
) -> Result<[u8; DIGEST], io::Error> {
    let mut out = Writer {
        out,
        digest: Sha256::new(),
        buffer: Vec::with_capacity(1 << 16),
    };
    let table = toml::to_string(&claim.ruleset.to_table()).map_err(io::Error::other)?;
    out.buffer.extend(MAGIC);
    out.text(&table);
    out.text(&claim.root.to_otn());
    out.text(claim.root.side.name());
    out.text(claim.winner.name());
    out.number(u64::from(claim.plies));
    out.number(steps.len() as u64);
    let mut last = 0;
    for step in steps {
        out.number(step.number - last);
        out.number(u64::from(step.choice));
        out.number(u64::from(step.plies));
        last = step.number;
        out.flush(1 << 16)?;
    }
    out.flush(0)?;
    let digest: [u8; DIGEST] = out.digest.finalize().into();
    out.out.write_all(&digest)?;
    out.out.flush()?;
    Ok(digest)
}

struct Writer<'w, W> {
    out: &'w mut W,
    digest: Sha256,
    buffer: Vec<u8>,
}

impl<W: Write> Writer<'_, W> {
    /// Little-endian base 128, the high bit set on all bytes but the last.
    fn number(&mut self, mut number: u64) {
        while number >= 0x80 {
            self.buffer.push(number as u8 | 0x80);
            number >>= 7;
        }
        self.buffer.push(number as u8);
    }

    fn text(&mut self, text: &str) {
        self.number(text.len() as u64);
        self.buffer.extend(text.as_bytes());
    }

    fn flush(&mut self, least: usize) -> Result<(), io::Error> {
        if self.buffer.len() >= least {
            self.digest.update(&self.buffer);
            self.out.write_all(&self.buffer)?;
            self.buffer.clear();
        }
        Ok(())
    }
}

impl Certificate {
    /// Reads a certificate to its end and compares its SHA-256. The claim is
    /// well formed then, and no more is known of it. Takes 16 bytes of memory
    /// a step.
    ///
    /// # Errors
    /// Any byte that is missing, too many or not as it was written.
    pub fn read(input: &mut impl Read) -> Result<Certificate, CertificateError> {
        let mut reader = Reader {
            input,
            digest: Sha256::new(),
            at: 0,
        };
        let (claim, count) = reader.head()?;
        let mut steps = Vec::new();
        let mut last = None;
        for _ in 0..count {
            steps.push(reader.step(&mut last)?);
        }
        let digest: [u8; DIGEST] = reader.digest.clone().finalize().into();
        let mut given = [0; DIGEST];
        reader.fill(&mut given)?;
        if given != digest {
            return Err(reader.damaged("the SHA-256 of all before it is another"));
        }
        let mut rest = [0];
        match reader.input.read(&mut rest) {
            Ok(0) => Ok(Certificate {
                claim,
                steps,
                digest,
            }),
            Ok(_) => Err(reader.damaged("more bytes after the end")),
            Err(error) => Err(reader.io(error)),
        }
    }
}

struct Reader<'r, R> {
    input: &'r mut R,
    digest: Sha256,
    at: u64,
}

impl<R: Read> Reader<'_, R> {
    fn io(&self, error: io::Error) -> CertificateError {
        CertificateError::Io { at: self.at, error }
    }

    fn damaged(&self, problem: impl Into<String>) -> CertificateError {
        CertificateError::Damaged {
            at: self.at,
            problem: problem.into(),
        }
    }

    fn fill(&mut self, bytes: &mut [u8]) -> Result<(), CertificateError> {
        self.input
            .read_exact(bytes)
            .map_err(|error| self.io(error))?;
        self.digest.update(&*bytes);
        self.at += bytes.len() as u64;
        Ok(())
    }

    fn number(&mut self) -> Result<u64, CertificateError> {
        let mut number = 0_u64;
        for shift in (0..).step_by(7) {
            let mut byte = [0];
            self.fill(&mut byte)?;
            let digit = u64::from(byte[0] & 0x7f);
            if shift > 63 || digit << shift >> shift != digit {
                return Err(self.damaged("a number of more than 64 bits"));
            }
            number |= digit << shift;
            if byte[0] < 0x80 {
                if byte[0] == 0 && shift > 0 {
                    return Err(self.damaged("a number with a needless byte"));
                }
                break;
            }
        }
        Ok(number)
    }

    fn short(&mut self) -> Result<u16, CertificateError> {
        let number = self.number()?;
        u16::try_from(number).map_err(|_| self.damaged(format!("{number} is above 65535")))
    }

    fn text(&mut self) -> Result<String, CertificateError> {
        let length = self.number()?;
        if length > LONGEST_TEXT {
            return Err(self.damaged(format!("a text of {length} bytes")));
        }
        let mut bytes = vec![0; length as usize];
        self.fill(&mut bytes)?;
        String::from_utf8(bytes).map_err(|_| self.damaged("a text that is not UTF-8"))
    }

    fn head(&mut self) -> Result<(Claim, u64), CertificateError> {
        let mut magic = [0; MAGIC.len()];
        self.fill(&mut magic)?;
        if magic != MAGIC {
            return Err(self.damaged("no certificate of this version: the first line is another"));
        }
        let ruleset: Ruleset =
            toml::from_str(&self.text()?).map_err(|error| self.damaged(error.to_string()))?;
        let otn = self.text()?;
        let side: Side = self.text()?.parse().map_err(|error| self.damaged(error))?;
        let root =
            Position::from_otn(&otn, side).map_err(|error| self.damaged(error.to_string()))?;
        let winner: Side = self.text()?.parse().map_err(|error| self.damaged(error))?;
        let plies = self.short()?;
        let count = self.number()?;
        let claim = Claim {
            ruleset,
            root,
            winner,
            plies,
        };
        Ok((claim, count))
    }

    fn step(&mut self, last: &mut Option<u64>) -> Result<Step, CertificateError> {
        let gap = self.number()?;
        let number = match *last {
            None => Some(gap),
            Some(_) if gap == 0 => None,
            Some(last) => last.checked_add(gap),
        };
        let Some(number) = number else {
            return Err(self.damaged("positions that do not ascend"));
        };
        *last = Some(number);
        Ok(Step {
            number,
            choice: self.short()?,
            plies: self.short()?,
        })
    }
}
