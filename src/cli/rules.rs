//! `brandub rules`: the rulesets, one by one and against each other.

use std::io::{self, Write};

use brandub::game::{AXES, Preset, Rules, Ruleset, parting};
use clap::Subcommand;

use super::failure::Failure;
use super::ruleset_argument::ruleset;

/// Show rulesets and compare them
#[derive(clap::Args)]
#[command(after_help = "Examples:\n  \
    brandub rules list\n  \
    brandub rules show wtf --json\n  \
    brandub rules show '{ base = \"wtf\", king_armed = false }'\n  \
    brandub rules diff wtf irish-1")]
pub struct Arguments {
    #[command(subcommand)]
    command: Command,
}

#[derive(Subcommand)]
enum Command {
    /// Every named ruleset with its id and source
    #[command(after_help = "Example:\n  brandub rules list --json")]
    List {
        /// One JSON object a line
        #[arg(long)]
        json: bool,
    },
    /// Every axis of a ruleset, its canonical form and id
    #[command(after_help = "Examples:\n  brandub rules show wtf\n  \
        brandub rules show '{ base = \"wtf\", king_armed = false }' --json")]
    Show {
        /// A preset's name, a file, an inline TOML table, or axes as key=value
        #[arg(value_name = "NAME|FILE|TABLE")]
        rules: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
    /// What two rulesets disagree on, and the smallest position that shows it
    #[command(after_help = "Example:\n  brandub rules diff irish-1 how-to-play")]
    Diff {
        /// A preset's name, a file, an inline TOML table, or axes as key=value
        #[arg(value_name = "A")]
        first: String,
        /// The other one
        #[arg(value_name = "B")]
        second: String,
    },
}

/// Does what the arguments say.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::List { json } => list(*json),
        Command::Show { rules, json } => show(&ruleset(rules)?, *json),
        Command::Diff { first, second } => diff(&ruleset(first)?, &ruleset(second)?),
    }
}

fn list(json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for preset in Preset::ALL {
        let ruleset = preset.ruleset();
        if json {
            let line = serde_json::json!({
                "name": preset.name,
                "id": ruleset.id(),
                "source": preset.source,
                "rules": ruleset,
            });
            writeln!(out, "{line}")?;
        } else {
            writeln!(
                out,
                "{:20} {}  {}",
                preset.name,
                ruleset.id(),
                preset.source
            )?;
        }
    }
    Ok(())
}

fn show(ruleset: &Ruleset, json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let form = ruleset.canonical();
    let names: Vec<&str> = Preset::ALL
        .iter()
        .filter(|preset| preset.ruleset().canonical() == form)
        .map(|preset| preset.name)
        .collect();
    let position = ruleset.layout.position();
    if json {
        let object = serde_json::json!({
            "id": ruleset.id(),
            "presets": names,
            "rules": ruleset,
            "canonical": form,
            "position": position.to_otn(),
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    writeln!(out, "id {}", ruleset.id())?;
    if !names.is_empty() {
        writeln!(out, "known as {}", names.join(", "))?;
    }
    writeln!(out)?;
    for (axis, (value, canonical)) in AXES.iter().zip(ruleset.axes().into_iter().zip(form.axes())) {
        let note = match (&value, &canonical) {
            (None, _) => "  (does not exist under these rules)".to_owned(),
            (Some(value), Some(canonical)) if value != canonical => {
                format!("  (the same rules as {canonical})")
            }
            _ => String::new(),
        };
        writeln!(out, "{axis:16} {}{note}", value.as_deref().unwrap_or("-"))?;
    }
    writeln!(out, "\n{position}\n{}", position.to_otn())?;
    Ok(())
}

fn diff(first: &Ruleset, second: &Ruleset) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let differences = parting::differences(first, second);
    if differences.is_empty() {
        writeln!(out, "the same rules, id {}", first.id())?;
        return Ok(());
    }
    for difference in &differences {
        writeln!(out, "{difference}")?;
    }
    let (one, other) = (
        Rules::new(first.canonical()),
        Rules::new(second.canonical()),
    );
    match parting::find(&one, &other) {
        Some(parting) => writeln!(out, "\n{parting}")?,
        None => writeln!(out, "\nno position was found in which the two part")?,
    }
    Ok(())
}
