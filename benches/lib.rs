//! Nothing but benchmarks: `cargo bench -p brandub-benches`.
