//! From what somebody wrote to the position that is asked about.

use brandub::game::{Game, Move, Position, Rules, Side};

use super::failure::Failure;
use super::ruleset_argument::ruleset;

/// The position that a command asks about, and the rules.
#[derive(clap::Args)]
pub struct Asked {
    /// A preset's name, a file, an inline TOML table, or axes as key=value
    #[arg(long, default_value = "disputed")]
    rules: String,
    /// `OpenTafl` position string instead of the start position
    #[arg(long, value_name = "OTN")]
    position: Option<String>,
    /// Who moves first
    #[arg(long, default_value = "attackers")]
    side: Side,
    /// Moves to be played first, such as "d2-e2 c4-c2"
    #[arg(long, value_name = "MOVES", default_value = "")]
    after: String,
}

impl Asked {
    /// The rules.
    pub fn rules(&self) -> Result<Rules, Failure> {
        ruleset(&self.rules).map(Rules::new)
    }

    /// The game from its start on, in which it goes on.
    pub fn game<'r>(&self, rules: &'r Rules) -> Result<Game<'r>, Failure> {
        let side = self.side;
        let start = match &self.position {
            Some(otn) => {
                Position::from_otn(otn, side).map_err(|error| Failure::Usage(error.to_string()))?
            }
            None => Position {
                side,
                ..rules.start()
            },
        };
        game_after(rules, start, &self.after).map_err(Failure::Usage)
    }

    /// The rules, and the position, in which the game goes on.
    pub fn read(&self) -> Result<(Rules, Position), Failure> {
        let rules = self.rules()?;
        let position = *self.game(&rules)?.position();
        Ok((rules, position))
    }
}

/// The position after these moves from a start; one in which the game goes on.
pub fn after(rules: &Rules, start: Position, moves: &str) -> Result<Position, String> {
    game_after(rules, start, moves).map(|game| *game.position())
}

fn game_after<'r>(rules: &'r Rules, start: Position, moves: &str) -> Result<Game<'r>, String> {
    rules
        .admit(&start)
        .map_err(|problem| format!("position {}: {problem}", start.to_otn()))?;
    let mut game = Game::from_position(rules, start);
    for text in moves.split([' ', ',']).filter(|text| !text.is_empty()) {
        let wrong = |problem: String| format!("after `{moves}`: {problem}");
        let ply: Move = text.parse().map_err(|error| wrong(format!("{error}")))?;
        game.play(ply).map_err(|error| wrong(error.to_string()))?;
    }
    let over = game.outcome().or_else(|| rules.ending(game.position()));
    match over {
        None => Ok(game),
        Some(outcome) => Err(format!("the game is over there: {outcome}")),
    }
}
