//! Random streams for commands that play one game at a time.

use std::process;
use std::time::{SystemTime, UNIX_EPOCH};

use brandub::agents::{Stream, stream};
use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};

/// Streams drawn from one seed.
pub fn streams(seed: u64) -> impl Iterator<Item = Stream> {
    let mut source = ChaCha8Rng::seed_from_u64(seed);
    std::iter::repeat_with(move || {
        let mut bytes = [0; 32];
        source.fill_bytes(&mut bytes);
        stream(bytes)
    })
}

/// A seed for whoever named none: another one for each program, also for those
/// that start together.
pub fn new_seed() -> u64 {
    let time = SystemTime::now().duration_since(UNIX_EPOCH);
    // Nanoseconds of four seconds are in the bits below the process.
    time.unwrap_or_default().as_nanos() as u64 ^ u64::from(process::id()) << 32
}
