//! `brandub perft`: counts positions, to compare rules engines by.

use std::io::{self, Write};

use brandub::game::{Position, Rules, Side, perft};

use super::failure::Failure;
use super::ruleset_argument::ruleset;

/// Count the positions after exactly N plies
///
/// A finished game has no successors.
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub perft --rules wtf --depth 4\n  \
    brandub perft --rules '{ king_armed = false }' --depth 3 --divide\n  \
    brandub perft --rules wtf --depth 2 --position /3t3/3t3/3T3/ttTK1tt/3T3/3t3/3t3/ --side defenders")]
pub struct Arguments {
    /// A preset's name, a file, an inline TOML table, or axes as key=value
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// Plies
    #[arg(long, value_parser = clap::value_parser!(u32).range(0..=64))]
    depth: u32,
    /// `OpenTafl` position string instead of the start position
    #[arg(long, value_name = "OTN")]
    position: Option<String>,
    /// Who moves first
    #[arg(long, default_value = "attackers")]
    side: Side,
    /// The count after each move, then their sum
    #[arg(long)]
    divide: bool,
}

/// Counts what the arguments say.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    let rules = Rules::new(ruleset(&arguments.rules)?);
    let position = match &arguments.position {
        Some(otn) => Position::from_otn(otn, arguments.side)
            .map_err(|error| Failure::Usage(error.to_string()))?,
        None => Position {
            side: arguments.side,
            ..rules.start()
        },
    };
    rules
        .admit(&position)
        .map_err(|problem| Failure::Usage(format!("position {}: {problem}", position.to_otn())))?;
    let mut out = io::stdout().lock();
    let sum = if arguments.divide && arguments.depth > 0 {
        let counts = perft::divide(&rules, &position, arguments.depth);
        for (ply, count) in &counts {
            writeln!(out, "{ply} {count}")?;
        }
        counts.iter().map(|(_, count)| count).sum()
    } else {
        perft::perft(&rules, &position, arguments.depth)
    };
    writeln!(out, "{sum}")?;
    Ok(())
}
