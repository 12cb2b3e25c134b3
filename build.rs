//! Tells the program which commit it is built from.

use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

fn main() {
    const BUILT_FROM: [&str; 4] = ["src", "Cargo.toml", "Cargo.lock", "build.rs"];
    for path in BUILT_FROM {
        println!("cargo::rerun-if-changed={path}");
    }
    // The log of HEAD grows with every commit and checkout.
    if let Some(log) = git(&["rev-parse", "--git-path", "logs/HEAD"]) {
        println!("cargo::rerun-if-changed={log}");
    }
    // A crate unpacked inside somebody else's repository has no commit.
    let top = git(&["rev-parse", "--show-prefix"]);
    let commit = match (top.as_deref(), git(&["rev-parse", "--short=12", "HEAD"])) {
        (Some(""), Some(commit)) => {
            let mut arguments = vec!["status", "--porcelain", "--"];
            arguments.extend(BUILT_FROM);
            match git(&arguments).as_deref() {
                Some("") => commit,
                _ => format!("{commit}-dirty"),
            }
        }
        _ => "unknown".to_owned(),
    };
    println!("cargo::rustc-env=BRANDUB_COMMIT={commit}");
}
