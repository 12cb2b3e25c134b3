//! Which program plays, and how long it may think: the part of a spec string
//! behind `external:`. Imports nothing of ours.

use std::fmt;
use std::path::{Path, PathBuf};
use std::time::Duration;

/// Milliseconds for an answer where the spec names none.
const DEFAULT_LIMIT: u32 = 10_000;
const MAX_LIMIT: u32 = 3_600_000;

/// A program with its arguments, and the longest it may take for an answer.
/// [`fmt::Display`] writes the words quoted as a shell would want them.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct EngineCommand {
    /// 1 to 3,600,000.
    limit_milliseconds: u32,
    /// The program first; never empty.
    words: Vec<String>,
}

impl EngineCommand {
    /// Reads `COMMAND` or `seconds=S,COMMAND`.
    ///
    /// # Errors
    /// What is wrong and what was expected, in words.
    pub(crate) fn parse(text: &str) -> Result<EngineCommand, String> {
        if text.chars().any(char::is_control) {
            return Err("a command has no line breaks or other control characters".to_owned());
        }
        let (limit_milliseconds, command) = match option(text) {
            None => (DEFAULT_LIMIT, text),
            Some(("seconds", value, command)) => (milliseconds(value)?, command),
            Some((key, _, _)) => {
                return Err(format!(
                    "unknown option `{key}`; external knows seconds=0.001…3600, then a comma and the command"
                ));
            }
        };
        let words = shlex::split(command)
            .ok_or_else(|| format!("a quote is not closed, or a backslash ends it: {command}"))?;
        match words.first() {
            Some(program) if !program.is_empty() => {}
            _ => return Err("needs a command: external:COMMAND".to_owned()),
        }
        Ok(EngineCommand {
            limit_milliseconds,
            words,
        })
    }

    /// The program as it was named.
    #[must_use]
    pub fn program(&self) -> &str {
        &self.words[0]
    }

    /// What it is started with.
    #[must_use]
    pub fn arguments(&self) -> &[String] {
        &self.words[1..]
    }

    /// The longest it may take for one answer.
    #[must_use]
    pub fn limit(&self) -> Duration {
        Duration::from_millis(u64::from(self.limit_milliseconds))
    }

    /// The limit in seconds as spec strings write it: `10`, `0.25`.
    #[must_use]
    pub fn seconds(&self) -> String {
        let (whole, rest) = (
            self.limit_milliseconds / 1000,
            self.limit_milliseconds % 1000,
        );
        let text = format!("{whole}.{rest:03}");
        text.trim_end_matches('0').trim_end_matches('.').to_owned()
    }

    /// The same with the program's file name alone, for people.
    #[must_use]
    pub fn without_folder(&self) -> EngineCommand {
        let mut short = self.clone();
        if let Some(name) = Path::new(self.program()).file_name() {
            short.words[0] = name.to_string_lossy().into_owned();
        }
        short
    }

    /// Looks for the program: a name with a separator as it stands, any other
    /// in the directories of `PATH`.
    ///
    /// # Errors
    /// What was looked for and where, in words.
    pub(crate) fn find(&self) -> Result<PathBuf, String> {
        let program = self.program();
        if program.contains(std::path::is_separator) {
            let path = Path::new(program);
            return match path.metadata() {
                Err(error) => Err(format!("no program `{program}`: {error}")),
                Ok(_) if is_executable(path) => Ok(path.to_owned()),
                Ok(_) => Err(format!("`{program}` is no program that can be started")),
            };
        }
        let path = std::env::var_os("PATH").unwrap_or_default();
        let name = format!("{program}{}", std::env::consts::EXE_SUFFIX);
        std::env::split_paths(&path)
            .flat_map(|directory| [directory.join(program), directory.join(&name)])
            .find(|candidate| is_executable(candidate))
            .ok_or_else(|| {
                format!(
                    "no program `{program}` in the directories of PATH ({})",
                    path.display()
                )
            })
    }
}

impl fmt::Display for EngineCommand {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut text = String::new();
        if self.limit_milliseconds != DEFAULT_LIMIT {
            text = format!("seconds={},", self.seconds());
        }
        let words = self.words.iter().map(|word| quoted(word));
        text += &words.collect::<Vec<_>>().join(" ");
        f.pad(&text)
    }
}

/// A word that reads back as itself, and never as an option.
fn quoted(word: &str) -> String {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-./:@%+,".contains(&byte);
    if !word.is_empty() && word.bytes().all(plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
}

/// The option that stands before the command, if one does: key, value, rest.
/// An option is letters, `=`, and no space or quote up to a comma or the end.
fn option(text: &str) -> Option<(&str, &str, &str)> {
    let (key, rest) = text.split_once('=')?;
    let named = !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_lowercase());
    let (value, command) = rest.split_once(',').unwrap_or((rest, ""));
    let whole = !value.contains([' ', '\'', '"', '\\']);
    (named && (whole || key == "seconds")).then_some((key, value, command))
}

/// Reads seconds with up to three decimals.
fn milliseconds(text: &str) -> Result<u32, String> {
    let (whole, decimals) = text.split_once('.').unwrap_or((text, "0"));
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let value = if digits(whole) && digits(decimals) && decimals.len() <= 3 {
        format!("{whole}{decimals:0<3}").parse().ok()
    } else {
        None
    };
    value
        .filter(|value| (1..=MAX_LIMIT).contains(value))
        .ok_or_else(|| {
            format!("seconds={text} is no number from 0.001 to 3600 with up to three decimals")
        })
}

#[cfg(unix)]
fn is_executable(path: &Path) -> bool {
    use std::os::unix::fs::PermissionsExt;
    path.metadata()
        .is_ok_and(|file| file.is_file() && file.permissions().mode() & 0o111 != 0)
}

#[cfg(not(unix))]
fn is_executable(path: &Path) -> bool {
    path.is_file()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_are_split_like_a_shell_splits_words_and_read_back() {
        for (text, canonical, words) in [
            ("engine", "engine", &["engine"][..]),
            ("  ./a   b ", "./a b", &["./a", "b"]),
            ("seconds=5,gtp -q", "seconds=5,gtp -q", &["gtp", "-q"]),
            ("seconds=10.0,x", "x", &["x"]),
            ("seconds=0.25,x", "seconds=0.25,x", &["x"]),
            ("seconds=3600,x", "seconds=3600,x", &["x"]),
            ("seconds=0.001,x", "seconds=0.001,x", &["x"]),
            (
                r#"'a b' "c d" e\ f '' it\'s $HOME a=1,b=2"#,
                r"'a b' 'c d' 'e f' '' 'it'\''s' '$HOME' 'a=1,b=2'",
                &["a b", "c d", "e f", "", "it's", "$HOME", "a=1,b=2"],
            ),
            ("'a=b,c' d", "'a=b,c' d", &["a=b,c", "d"]),
            ("'#x' ü", "'#x' 'ü'", &["#x", "ü"]),
            (
                "env A=1,2 engine",
                "env 'A=1,2' engine",
                &["env", "A=1,2", "engine"],
            ),
        ] {
            let command = EngineCommand::parse(text).unwrap();
            assert_eq!(command.words, words, "{text}");
            assert_eq!(command.to_string(), canonical);
            assert_eq!(EngineCommand::parse(canonical), Ok(command));
        }
    }

    #[test]
    fn what_is_no_command_says_so() {
        for (text, part) in [
            ("", "needs a command"),
            ("''", "needs a command"),
            ("# engine", "needs a command"),
            ("seconds=5", "needs a command"),
            ("seconds=5,", "needs a command"),
            ("seconds=0,x", "seconds=0 is no number from 0.001 to 3600"),
            ("seconds=3600.001,x", "0.001 to 3600"),
            ("seconds=1e3,x", "0.001 to 3600"),
            ("seconds=-1,x", "0.001 to 3600"),
            ("seconds=.5,x", "0.001 to 3600"),
            ("seconds=1.0001,x", "0.001 to 3600"),
            ("seconds=5 x", "0.001 to 3600"),
            ("seconds=99999999999999,x", "0.001 to 3600"),
            ("second=5,x", "unknown option `second`"),
            ("depth=5", "external knows seconds=0.001…3600"),
            ("seconds=5,depth=5,x", "no program"),
            ("a 'b", "a quote is not closed"),
            ("a\\", "a quote is not closed, or a backslash"),
            ("a\nb", "no line breaks"),
        ] {
            let problem = EngineCommand::parse(text)
                .and_then(|command| command.find().map(|_| ()))
                .unwrap_err();
            assert!(problem.contains(part), "{text}: {problem}");
        }
    }
}
