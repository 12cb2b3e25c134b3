//! Files of held positions: recognized, checked by the rules alone, published.

use std::io::{self, BufReader, Read, Write};
use std::path::Path;

use brandub::game::Side;
use brandub::solver::Seal;
use brandub::solver::hold::{Fortress, HOLD_MAGIC, HoldClaim, check};
use brandub::solver::in_parts::InParts;
use serde::Serialize;

use super::failure::Failure;
use super::proof_file::{Written, publish_checked};

/// What a file of held positions has shown.
#[derive(Serialize)]
pub struct Shown {
    rules: String,
    ruleset: String,
    position: String,
    side: Side,
    holder: Side,
    positions: u64,
    replies: u64,
    sha256: String,
}

/// Whether a file begins as one of held positions does.
pub fn is_one(path: &Path) -> Result<bool, Failure> {
    let unreadable = |error: io::Error| Failure::unreadable(path, &error);
    let file = InParts::open(path).map_err(unreadable)?;
    let mut bytes = Vec::new();
    file.take(HOLD_MAGIC.len() as u64)
        .read_to_end(&mut bytes)
        .map_err(unreadable)?;
    Ok(bytes == HOLD_MAGIC)
}

/// Reads a file to its end.
pub fn read(path: &Path) -> Result<(Fortress, Seal), Failure> {
    let file = InParts::open(path).map_err(|error| Failure::unreadable(path, &error))?;
    Fortress::read(&mut BufReader::with_capacity(1 << 20, file))
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))
}

/// Checks what a file that was read shows of a claim, its own or another.
pub fn checked(path: &Path, read: &(Fortress, Seal), claim: HoldClaim) -> Result<Shown, Failure> {
    let (fortress, seal) = read;
    let HoldClaim { ruleset, root, .. } = claim;
    let checked = check(fortress, claim)
        .map_err(|error| Failure::Failed(format!("{}: {error}", path.display())))?;
    Ok(Shown {
        rules: ruleset.label(),
        ruleset: ruleset.id(),
        position: root.to_otn(),
        side: root.side,
        holder: claim.holder,
        positions: checked.positions,
        replies: checked.replies,
        sha256: hex::encode(seal),
    })
}

/// Writes held positions, reads them again, checks them, and only then gives the
/// file its name.
pub fn publish(path: &Path, fortress: &Fortress) -> Result<Written, Failure> {
    let again = |file: &Path| {
        let (written, seal) = read(file)?;
        let failed = |problem: String| Failure::Failed(format!("{}: {problem}", path.display()));
        if written.claim != fortress.claim {
            return Err(failed("what was written is not what was to be".to_owned()));
        }
        check(&written, written.claim).map_err(|error| failed(error.to_string()))?;
        Ok((written.positions.len(), seal))
    };
    publish_checked(path, |out| fortress.write(out).map(|_| ()), again)
}

/// Says what a file has shown.
pub fn print(shown: &Shown, json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    if json {
        serde_json::to_writer(&mut out, shown).map_err(io::Error::from)?;
        writeln!(out)?;
        return Ok(());
    }
    let Shown {
        rules,
        position,
        side,
        holder,
        positions,
        replies,
        sha256,
        ..
    } = shown;
    writeln!(
        out,
        "{holder} need not lose under {rules} from {position}, {side} to move"
    )?;
    writeln!(
        out,
        "{positions} positions and {replies} replies checked, SHA-256 {sha256}"
    )?;
    Ok(())
}
