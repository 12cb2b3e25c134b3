//! `brandub rules`: the rulesets, one by one and against each other.

use std::io::{self, Write};

use brandub::game::parting::{self, Difference, Disagreement, Parting};
use brandub::game::{AXES, Bitboard, Move, Outcome, Preset, Rules, Ruleset};
use clap::Subcommand;
use serde_json::{Value, json};

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
    #[command(after_help = "Examples:\n  brandub rules diff irish-1 how-to-play\n  \
        brandub rules diff wtf '{ base = \"wtf\", king_armed = false }' --json")]
    Diff {
        /// A preset's name, a file, an inline TOML table, or axes as key=value
        #[arg(value_name = "A")]
        first: String,
        /// The other one
        #[arg(value_name = "B")]
        second: String,
        /// One JSON object
        #[arg(long)]
        json: bool,
    },
}

/// Does what the arguments say.
pub fn execute(arguments: &Arguments) -> Result<(), Failure> {
    match &arguments.command {
        Command::List { json } => list(*json),
        Command::Show { rules, json } => show(&ruleset(rules)?, *json),
        Command::Diff {
            first,
            second,
            json,
        } => diff(&ruleset(first)?, &ruleset(second)?, *json),
    }
}

fn list(json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    for preset in Preset::ALL {
        let ruleset = preset.ruleset();
        if json {
            let line = json!({
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
        let object = json!({
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

fn diff(first: &Ruleset, second: &Ruleset, json: bool) -> Result<(), Failure> {
    let mut out = io::stdout().lock();
    let differences = parting::differences(first, second);
    let found = if differences.is_empty() {
        None
    } else {
        let compiled = [first, second].map(|ruleset| Rules::new(ruleset.canonical()));
        parting::find(&compiled[0], &compiled[1])
    };
    if json {
        let object = json!({
            "first": { "id": first.id(), "rules": first },
            "second": { "id": second.id(), "rules": second },
            "same": differences.is_empty(),
            "differences": differences.iter().map(difference_json).collect::<Vec<Value>>(),
            "parting": found.as_ref().map(parting_json),
        });
        writeln!(out, "{object}")?;
        return Ok(());
    }
    if differences.is_empty() {
        writeln!(out, "the same rules, id {}", first.id())?;
        return Ok(());
    }
    for difference in &differences {
        writeln!(out, "{difference}")?;
    }
    match found {
        Some(parting) => writeln!(out, "\n{parting}")?,
        None => writeln!(out, "\nno position was found in which the two part")?,
    }
    Ok(())
}

/// An axis and its two values; null where it does not exist.
fn difference_json(difference: &Difference) -> Value {
    json!({
        "axis": difference.axis,
        "first": difference.first,
        "second": difference.second,
    })
}

/// Where two rulesets part: the position, the moves to play first, and then,
/// unless they start differently, the move that they disagree on with what
/// each makes of it.
fn parting_json(parting: &Parting) -> Value {
    let (what, ply, first, second) = match &parting.what {
        Disagreement::Layout { second } => (
            "layout",
            None,
            json!({ "position": parting.position.to_otn() }),
            json!({ "position": second.to_otn() }),
        ),
        Disagreement::Legal { ply, by_first } => (
            "legal",
            Some(ply.to_string()),
            json!({ "legal": by_first }),
            json!({ "legal": !by_first }),
        ),
        Disagreement::Effect { ply, first, second } => (
            "effect",
            Some(ply.to_string()),
            effect_json(first),
            effect_json(second),
        ),
    };
    json!({
        "position": parting.position.to_otn(),
        "side": parting.position.side,
        "line": parting.line.iter().map(Move::to_string).collect::<Vec<String>>(),
        "smallest": parting.smallest,
        "what": what,
        "move": ply,
        "first": first,
        "second": second,
    })
}

/// What a legal move does, in the words of `brandub check`.
fn effect_json((captured, outcome): &(Bitboard, Option<Outcome>)) -> Value {
    let captures: Vec<String> = captured
        .into_iter()
        .map(|square| square.to_string())
        .collect();
    json!({
        "legal": true,
        "captures": captures,
        "result": outcome.map_or("ongoing", Outcome::result),
        "reason": outcome.map_or("ongoing", |outcome| outcome.reason.name()),
    })
}
