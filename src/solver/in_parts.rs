//! Files that are kept in parts, where one would be larger than a host of
//! repositories takes. Imports what files may be.

use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use crate::regular_file;

/// A file to read, or in its place its parts, which read as one: `NAME.1`,
/// `NAME.2` and so on, as far as they are there.
#[derive(Debug)]
pub struct InParts {
    /// Each with the byte of the whole at which it begins.
    parts: Vec<(u64, File)>,
    length: u64,
    at: u64,
}

/// The name of a part, the first of which is 1.
fn part(path: &Path, number: usize) -> PathBuf {
    let mut name = OsString::from(path);
    name.push(format!(".{number}"));
    PathBuf::from(name)
}

/// Where the bytes of a file are: in itself, or in its parts. Empty where there is
/// neither.
#[must_use]
pub fn parts(path: &Path) -> Vec<PathBuf> {
    if path.exists() {
        return vec![path.to_owned()];
    }
    let all = (1..).map(|number| part(path, number));
    all.take_while(|part| part.exists()).collect()
}

/// The name of the file that this is a part of; its own if it is whole.
#[must_use]
pub fn whole_name(path: &Path) -> PathBuf {
    let number = path.extension().and_then(|number| number.to_str());
    let is_part = |name: &str| {
        let number = name.parse::<usize>();
        number.is_ok_and(|number| number > 0 && number.to_string() == name)
    };
    if number.is_some_and(is_part) {
        path.with_extension("")
    } else {
        path.to_owned()
    }
}

impl InParts {
    /// Opens a file, or its parts where it is not there itself.
    ///
    /// # Errors
    /// What the system says, of the file if it has no parts either; that a part is not there
    /// and the next one is.
    pub fn open(path: &Path) -> io::Result<InParts> {
        let found = parts(path);
        if found.first().is_none_or(|first| first != path) {
            let [missing, next] = [1, 2].map(|more| part(path, found.len() + more));
            if next.exists() {
                return Err(io::Error::other(format!(
                    "{} is not there, and {} is",
                    missing.display(),
                    next.display()
                )));
            }
        }
        if found.is_empty() {
            File::open(path)?;
        }
        let mut length = 0;
        let mut parts = Vec::new();
        for path in found {
            let file = regular_file::open(&path)?;
            let bytes = file.metadata()?.len();
            parts.push((length, file));
            length += bytes;
        }
        Ok(InParts {
            parts,
            length,
            at: 0,
        })
    }
}

impl Read for InParts {
    fn read(&mut self, bytes: &mut [u8]) -> io::Result<usize> {
        // An empty part begins where the next does, which is the one to read.
        let after = self.parts.partition_point(|&(begins, _)| begins <= self.at);
        let Some((begins, file)) = self.parts[..after].last_mut() else {
            return Ok(0);
        };
        file.seek(SeekFrom::Start(self.at - *begins))?;
        let read = file.read(bytes)?;
        self.at += read as u64;
        Ok(read)
    }
}

impl Seek for InParts {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        let place = match to {
            SeekFrom::Start(at) => Some(at),
            SeekFrom::End(by) => self.length.checked_add_signed(by),
            SeekFrom::Current(by) => self.at.checked_add_signed(by),
        };
        self.at = place.ok_or(io::ErrorKind::InvalidInput)?;
        Ok(self.at)
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    #[test]
    fn parts_read_as_one_file_from_any_place() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.proof");
        let missing = InParts::open(&path).unwrap_err();
        assert_eq!(missing.kind(), io::ErrorKind::NotFound);
        let whole: Vec<u8> = (0..100).collect();
        for (number, range) in [(1, 0..33), (2, 33..33), (3, 33..99), (4, 99..100)] {
            fs::write(part(&path, number), &whole[range]).unwrap();
        }
        fs::write(part(&path, 6), [0; 9]).unwrap();
        let gap = InParts::open(&path).unwrap_err().to_string();
        assert!(gap.contains("a.proof.5 is not there"), "{gap}");
        fs::remove_file(part(&path, 6)).unwrap();
        let mut file = InParts::open(&path).unwrap();
        for from in 0..=100 {
            assert_eq!(file.seek(SeekFrom::Start(from)).unwrap(), from);
            let mut rest = Vec::new();
            file.read_to_end(&mut rest).unwrap();
            assert_eq!(rest, whole[from as usize..], "{from}");
        }
        assert_eq!(file.seek(SeekFrom::End(-70)).unwrap(), 30);
        let mut few = [0; 10];
        file.read_exact(&mut few).unwrap();
        assert_eq!(few[..], whole[30..40]);
        assert_eq!(file.seek(SeekFrom::Current(-5)).unwrap(), 35);
        assert!(file.seek(SeekFrom::End(-101)).is_err());
    }

    #[test]
    fn a_file_that_is_there_has_no_parts() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("a.proof");
        fs::write(&path, b"whole").unwrap();
        fs::write(part(&path, 1), b"part").unwrap();
        let mut read = String::new();
        InParts::open(&path)
            .unwrap()
            .read_to_string(&mut read)
            .unwrap();
        assert_eq!(read, "whole");
        assert_eq!(parts(&path), [path]);
    }
}
