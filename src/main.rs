//! The `brandub` program. Everything it can do is in the library; this is
//! arguments, progress and printing.

mod cli;

use std::process::ExitCode;

fn main() -> ExitCode {
    cli::main()
}
