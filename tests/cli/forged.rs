//! Folders whose checksums are all right and whose contents are not.

use std::fs;

use super::brandub::{brandub, change_manifest, fail, files, study, succeed};

#[test]
fn a_row_that_no_game_gives_is_named_without_playing() {
    let folder = study();
    let at = folder.path();
    let run = ["run", "study.toml", "--out", "r", "--games", "20", "-q"];
    succeed(at, &run);
    let all = files(&at.join("r"));
    let (name, bytes) = all
        .iter()
        .find(|(name, _)| name.starts_with("games/"))
        .unwrap();
    let text = String::from_utf8(bytes.clone()).unwrap();
    let row = text.lines().nth(3).unwrap();
    let mut fields: Vec<&str> = row.split(',').collect();
    fields[7] = "1000000000";
    let forged = text.replace(row, &fields.join(","));
    let checksum = blake3::hash(forged.as_bytes()).to_string();
    let (before, _) = name.rsplit_once('-').unwrap();
    let renamed = format!("{before}-{}.csv", &checksum[..16]);
    fs::remove_file(at.join("r").join(name)).unwrap();
    fs::write(at.join("r").join(&renamed), &forged).unwrap();
    let old = blake3::hash(bytes).to_string();
    change_manifest(&at.join("r/manifest.json"), |honest| {
        honest.replace(name, &renamed).replace(&old, &checksum)
    });
    let said = brandub(at, &["verify", "r", "--sample", "0"]);
    assert_eq!(said.status, Some(1), "{}", said.out);
    let finding =
        format!("{renamed}: line 4: `plies` is `1000000000`, expected a whole number, 0 to 120");
    assert!(said.out.contains(&finding), "{}", said.out);
    assert_eq!(said.out.matches(&renamed).count(), 1, "{}", said.out);
}

#[test]
fn a_manifest_of_another_schema_is_told_by_its_number() {
    let folder = study();
    let at = folder.path();
    let run = ["run", "study.toml", "--out", "r", "--games", "1", "-q"];
    succeed(at, &run);
    change_manifest(&at.join("r/manifest.json"), |honest| {
        honest.replace("\"schema\": 3,", "\"schema\": 4,\n  \"new\": true,")
    });
    let expected = ["manifest.json: has schema 4, this program reads 3"];
    fail(at, &["verify", "r"], 1, &expected);
}
