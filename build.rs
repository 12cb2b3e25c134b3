//! Tells the program which commit it is built from, and by what.

use std::env;
use std::process::Command;

fn git(arguments: &[&str]) -> Option<String> {
    let output = Command::new("git").args(arguments).output().ok()?;
    let text = String::from_utf8(output.stdout).ok()?;
    output.status.success().then(|| text.trim().to_owned())
}

/// What the compiler says of itself: `rustc 1.95.0 (…)`.
fn compiler() -> String {
    let rustc = env::var_os("RUSTC").unwrap_or_else(|| "rustc".into());
    let output = Command::new(rustc).arg("--version").output();
    let text = output
        .ok()
        .and_then(|said| String::from_utf8(said.stdout).ok());
    text.map_or("unknown".to_owned(), |text| text.trim().to_owned())
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
    let variable = |name| env::var(name).unwrap_or_default();
    for (name, value) in [
        ("RUSTC", compiler()),
        ("PROFILE", variable("PROFILE")),
        ("OPT_LEVEL", variable("OPT_LEVEL")),
        ("TARGET", variable("TARGET")),
        ("TARGET_FEATURES", variable("CARGO_CFG_TARGET_FEATURE")),
    ] {
        println!("cargo::rustc-env=BRANDUB_{name}={value}");
    }
}
