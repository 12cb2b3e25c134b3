/*!
A program that answers lines with lines. Imports nothing of ours.

It runs in a process group of its own, which is ended with everything in it.
Its input is written and its output read by threads, so that nothing it does or
leaves undone can make the game wait longer than it should; what it may pile up
in memory is bounded.
*/

use std::collections::{BTreeSet, VecDeque};
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStderr, ChildStdin, ChildStdout, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, TrySendError, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

/// Most bytes of a line, and of an answer.
pub(super) const MAX_LINE: usize = 1 << 16;
/// Lines read ahead of whoever asks for them.
const LINES_AHEAD: usize = 16;
/// Lines not yet written: whoever reads none for so long does not listen.
const LINES_BEHIND: usize = 16;
/// Bytes kept of the standard error.
const LAST_WORDS: usize = 2048;
/// How long a program may take to end after `quit`.
const FAREWELL: Duration = Duration::from_millis(500);
/// How long one that closed its output by itself may take to end.
const LINGER: Duration = Duration::from_millis(20);
/// How long to wait for the rest of its standard error.
const REST_OF_ERRORS: Duration = Duration::from_secs(2);

/// The programs that run, by their numbers, which are their groups'.
static RUNNING: Mutex<BTreeSet<u32>> = Mutex::new(BTreeSet::new());

fn running() -> MutexGuard<'static, BTreeSet<u32>> {
    RUNNING.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Ends every external engine and everything in its group, for whoever ends the
/// process itself right after, without waiting for its games: those with an engine go
/// no further, so that no end of an engine is taken for its forfeit.
pub fn end_engines() {
    let running = running();
    for &group in &*running {
        end_group(group);
    }
    std::mem::forget(running);
}

/// The number of a group must not be another's yet: its first process has not been
/// waited for.
#[cfg(unix)]
fn end_group(group: u32) {
    let _ = nix::sys::signal::killpg(
        nix::unistd::Pid::from_raw(group as i32),
        nix::sys::signal::Signal::SIGKILL,
    );
}

#[cfg(not(unix))]
fn end_group(_: u32) {}

/// A line of output.
enum Line {
    Whole(String),
    /// Nothing more is read behind it.
    TooLong(String),
}

/// Why there is no line.
pub(super) enum NoLine {
    /// The output was closed, most likely because the program ended.
    Closed,
    /// The time is up.
    Late,
    /// It is longer than [`MAX_LINE`]; its beginning.
    TooLong(String),
}

/// A running program. Dropping it asks it to `quit` and ends it if it does not.
pub(super) struct Process {
    child: Child,
    /// `None` once its input is closed.
    input: Option<SyncSender<String>>,
    output: Receiver<Line>,
    errors: Arc<Mutex<VecDeque<u8>>>,
    errors_end: Receiver<()>,
    ended: bool,
}

impl Process {
    pub(super) fn start(program: &str, arguments: &[String]) -> io::Result<Process> {
        let mut command = Command::new(program);
        command
            .args(arguments)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        // An interrupt from the terminal is the runner's affair, and the
        // program's own children are to end with it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut command, 0);
        let mut child = {
            let mut running = running();
            let child = command.spawn()?;
            running.insert(child.id());
            child
        };
        let pipes = (child.stdin.take(), child.stdout.take(), child.stderr.take());
        let (input, to_write) = sync_channel(LINES_BEHIND);
        let (read, output) = sync_channel(LINES_AHEAD);
        let (errors_ended, errors_end) = sync_channel(1);
        let process = Process {
            child,
            input: Some(input),
            output,
            errors: Arc::default(),
            errors_end,
            ended: false,
        };
        let (Some(stdin), Some(stdout), Some(stderr)) = pipes else {
            return Err(io::Error::other("no pipes to it"));
        };
        let errors = Arc::clone(&process.errors);
        let spawn = |name: &str| thread::Builder::new().name(format!("engine {name}"));
        spawn("input").spawn(move || write_lines(stdin, &to_write))?;
        spawn("output").spawn(move || read_lines(stdout, &read))?;
        spawn("errors").spawn(move || {
            keep_last(stderr, &errors);
            let _ = errors_ended.send(());
        })?;
        Ok(process)
    }

    /// Sends a line, without waiting for it to be read; false if the program
    /// has not read the last ones.
    pub(super) fn send(&self, line: &str) -> bool {
        let Some(input) = &self.input else {
            return false;
        };
        // One that no longer reads may still have said why.
        !matches!(
            input.try_send(format!("{line}\n")),
            Err(TrySendError::Full(_))
        )
    }

    /// The next line of its output, without the line break.
    pub(super) fn line(&self, deadline: Instant) -> Result<String, NoLine> {
        let left = deadline.saturating_duration_since(Instant::now());
        if left.is_zero() {
            return Err(NoLine::Late);
        }
        match self.output.recv_timeout(left) {
            Ok(Line::Whole(line)) => Ok(line),
            Ok(Line::TooLong(beginning)) => Err(NoLine::TooLong(beginning)),
            Err(RecvTimeoutError::Timeout) => Err(NoLine::Late),
            Err(RecvTimeoutError::Disconnected) => Err(NoLine::Closed),
        }
    }

    /// For one that closed its output: how it ended, and its last words, set
    /// off by `: `.
    pub(super) fn last_words(&mut self) -> (String, String) {
        thread::sleep(LINGER);
        let how = match self.end() {
            Ok(status) if was_killed(status) => "closed its output, or was killed,".to_owned(),
            Ok(status) => format!("ended ({status})"),
            Err(error) => format!("ended ({error})"),
        };
        let _ = self.errors_end.recv_timeout(REST_OF_ERRORS);
        let errors = self.errors.lock().unwrap_or_else(PoisonError::into_inner);
        let bytes: Vec<u8> = errors.iter().copied().collect();
        let text = String::from_utf8_lossy(&bytes);
        let lines: Vec<&str> = text
            .lines()
            .map(str::trim)
            .filter(|line| !line.is_empty())
            .collect();
        let last = lines[lines.len().saturating_sub(3)..].join(" / ");
        let last: String = last.chars().filter(|symbol| !symbol.is_control()).collect();
        let set_off = if last.is_empty() { "" } else { ": " };
        (how, format!("{set_off}{last}"))
    }

    /// Ends it and everything in its group at once.
    pub(super) fn end(&mut self) -> io::Result<ExitStatus> {
        if !self.ended {
            self.ended = true;
            self.input = None;
            let mut running = running();
            running.remove(&self.child.id());
            end_group(self.child.id());
            let _ = self.child.kill();
        }
        self.child.wait()
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.ended {
            let deadline = Instant::now() + FAREWELL;
            self.send("quit");
            self.input = None;
            while !matches!(self.line(deadline), Err(NoLine::Closed | NoLine::Late)) {}
        }
        let _ = self.end();
    }
}

#[cfg(unix)]
fn was_killed(status: ExitStatus) -> bool {
    use std::os::unix::process::ExitStatusExt;
    status.signal() == Some(nix::sys::signal::Signal::SIGKILL as i32)
}

#[cfg(not(unix))]
fn was_killed(_: ExitStatus) -> bool {
    false
}

/// Writes lines until there are no more or nobody reads them.
fn write_lines(mut stdin: ChildStdin, lines: &Receiver<String>) {
    while let Ok(line) = lines.recv() {
        if stdin.write_all(line.as_bytes()).is_err() {
            break;
        }
    }
}

/// Reads lines until there are no more, one is too long, or nobody wants them.
fn read_lines(stdout: ChildStdout, lines: &SyncSender<Line>) {
    let mut stdout = BufReader::new(stdout);
    let mut bytes = Vec::new();
    loop {
        bytes.clear();
        let mut limited = stdout.by_ref().take(MAX_LINE as u64 + 1);
        match limited.read_until(b'\n', &mut bytes) {
            Ok(1..) => {}
            _ => return,
        }
        let text = String::from_utf8_lossy(&bytes);
        let line = if bytes.len() > MAX_LINE && bytes.last() != Some(&b'\n') {
            Line::TooLong(text.into_owned())
        } else {
            Line::Whole(text.trim_end_matches(['\n', '\r']).to_owned())
        };
        let last = matches!(line, Line::TooLong(_));
        if lines.send(line).is_err() || last {
            return;
        }
    }
}

/// Reads to the end and keeps the last bytes.
fn keep_last(mut stderr: ChildStderr, kept: &Mutex<VecDeque<u8>>) {
    let mut bytes = [0; 4096];
    while let Ok(read @ 1..) = stderr.read(&mut bytes) {
        let mut kept = kept.lock().unwrap_or_else(PoisonError::into_inner);
        kept.extend(&bytes[..read]);
        let surplus = kept.len().saturating_sub(LAST_WORDS);
        kept.drain(..surplus);
    }
}
