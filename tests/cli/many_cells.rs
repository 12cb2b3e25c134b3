//! A run of many cells: whoever reads them must not have all of them open at once.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::brandub::{files, succeed};

/// 1,320 rulesets, as some of the 1,728 combinations mean the same; two threads of two
/// mebibytes of stack were enough for some three hundred, one inside another.
const MANY: &str = r#"
name = "many"
seed = 1
games = 2
ply_limit = 30
[rules]
base = "disputed"
[rules.vary]
king_armed = [true, false]
throne_hostile = ["everyone", "soldiers", "none"]
king_capture = ["two", "throne", "zone", "four"]
king_return = [true, false]
throne_pass = ["everyone", "king", "nobody"]
corners_hostile = ["everyone", "soldiers", "none"]
king_speed = ["slide", "step"]
no_moves = ["draw", "loses"]
[[match]]
agents = ["random"]
"#;

fn games(folder: &Path) -> u64 {
    let text = fs::read(folder.join("manifest.json")).unwrap();
    let manifest: Value = serde_json::from_slice(&text).unwrap();
    manifest["games"].as_u64().unwrap()
}

#[test]
fn many_cells_are_read_a_few_at_a_time() {
    let folder = tempfile::tempdir().unwrap();
    let at = folder.path();
    fs::write(at.join("many.toml"), MANY).unwrap();
    succeed(at, &["run", "many.toml", "--out", "whole", "-q"]);
    assert_eq!(games(&at.join("whole")), 2 * 1_320);
    let whole = files(&at.join("whole"));
    // Counted while they were played; read from here on.
    succeed(at, &["run", "many.toml", "--out", "whole", "-q"]);
    succeed(
        at,
        &[
            "run",
            "many.toml",
            "--results",
            "parts",
            "--shard",
            "1-2/2",
            "-q",
        ],
    );
    let parts = ["parts/many-shard-1-of-2", "parts/many-shard-2-of-2"];
    succeed(at, &[&["merge", "--out", "merged"], &parts[..]].concat());
    assert!(files(&at.join("whole")) == whole);
    assert!(files(&at.join("merged")) == whole);
    for threads in ["1", "2", "8"] {
        let verify = ["verify", "whole", "--sample", "0", "--threads", threads];
        succeed(at, &verify);
    }
    succeed(at, &["report", "whole", "--tables", "--quiet"]);
    assert!(at.join("whole/report/winrates.csv").exists());
}
