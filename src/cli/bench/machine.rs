//! What the figures were measured with: the program and the machine.

use std::fmt;
use std::fs;
use std::thread::available_parallelism;

use serde::Serialize;

/// The program and how it was compiled.
#[derive(Serialize)]
pub struct Program {
    version: &'static str,
    commit: &'static str,
    rustc: &'static str,
    /// Cargo's profile and its level of optimisation.
    profile: &'static str,
    opt_level: &'static str,
    target: &'static str,
    /// What the compiler took for granted of the processor.
    target_features: Vec<&'static str>,
}

impl Program {
    /// The program that runs.
    pub fn this() -> Program {
        Program {
            version: env!("CARGO_PKG_VERSION"),
            commit: env!("BRANDUB_COMMIT"),
            rustc: env!("BRANDUB_RUSTC"),
            profile: env!("BRANDUB_PROFILE"),
            opt_level: env!("BRANDUB_OPT_LEVEL"),
            target: env!("BRANDUB_TARGET"),
            target_features: env!("BRANDUB_TARGET_FEATURES")
                .split(',')
                .filter(|name| !name.is_empty())
                .collect(),
        }
    }
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(
            f,
            "brandub {} ({}), {}, {} at level {} for {} with {}",
            self.version,
            self.commit,
            self.rustc,
            self.profile,
            self.opt_level,
            self.target,
            self.target_features.join(" ")
        )
    }
}

/// The machine, as far as it tells.
#[derive(Serialize)]
pub struct Machine {
    cpu: Option<String>,
    /// The vector and bit instructions that the processor has.
    features: Vec<&'static str>,
    /// Threads that can run at once.
    cores: Option<usize>,
    os: &'static str,
}

impl Machine {
    /// The machine that the program runs on.
    pub fn this() -> Machine {
        Machine {
            cpu: cpu_model(),
            features: features(),
            cores: available_parallelism().ok().map(usize::from),
            os: std::env::consts::OS,
        }
    }
}

impl fmt::Display for Machine {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let cpu = self.cpu.as_deref().unwrap_or("an unknown processor");
        write!(f, "{cpu}, ")?;
        match self.cores {
            Some(cores) => write!(f, "{cores} cores, ")?,
            None => write!(f, "an unknown number of cores, ")?,
        }
        write!(f, "{}; has {}", self.os, self.features.join(" "))
    }
}

/// The processor's name, where the system has a file that tells.
fn cpu_model() -> Option<String> {
    let text = fs::read_to_string("/proc/cpuinfo").ok()?;
    let line = text.lines().find(|line| line.starts_with("model name"))?;
    let (_, model) = line.split_once(':')?;
    Some(model.trim().to_owned())
}

#[cfg(target_arch = "x86_64")]
fn features() -> Vec<&'static str> {
    macro_rules! present {
        ($($name:tt)*) => {
            [$(($name, is_x86_feature_detected!($name))),*]
        };
    }
    let known = present!(
        "sse4.2" "popcnt" "bmi1" "bmi2" "avx" "avx2" "fma" "avx512f" "avx512bw" "avx512cd"
        "avx512dq" "avx512vl" "avx512vbmi" "avx512vbmi2" "avx512vpopcntdq" "gfni"
    );
    let present = known.into_iter().filter(|(_, present)| *present);
    present.map(|(name, _)| name).collect()
}

#[cfg(not(target_arch = "x86_64"))]
fn features() -> Vec<&'static str> {
    Vec::new()
}
