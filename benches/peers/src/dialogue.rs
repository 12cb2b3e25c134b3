//! One dialogue: the rules, the game so far, and what is asked of the player.

use brandub::agents::{Stream, stream};
use brandub::game::{Game, Move, Position, Rules, Ruleset, RulesetTable, Side, ThronePass};

use crate::player::{Player, PlayerError};

/// What the peer plays, but for repetition: see docs/peers.md.
pub fn played() -> Ruleset {
    let table = RulesetTable {
        throne_pass: Some(ThronePass::King),
        ..RulesetTable::of_base("wtf")
    };
    table.resolve().expect("the axes go together")
}

/// What an accepted command is answered with.
pub enum Reply {
    /// Text, mostly none.
    Done(String),
    /// Nothing more will be answered.
    Quit,
}

/// Why a command is refused.
#[derive(Debug, thiserror::Error)]
pub enum Refusal {
    /// No such command, or one that lacks something.
    #[error("{0}")]
    Command(&'static str),
    /// Not a ruleset, position or move.
    #[error("{0}")]
    Input(String),
    /// A ruleset that the peer does not play.
    #[error("plays {{ base = \"wtf\", throne_pass = \"king\" }} alone, repetition aside")]
    Rules,
    /// The peer found no move.
    #[error(transparent)]
    Player(#[from] PlayerError),
}

/// What was said so far.
pub struct Dialogue {
    player: Player,
    rules: Option<Rules>,
    /// Every position of the game, the present one the last.
    positions: Vec<Position>,
    /// Chooses between moves of equal worth; without it the peer's first is played.
    stream: Option<Stream>,
}

impl Dialogue {
    /// Nothing said yet.
    pub fn new(player: Player) -> Dialogue {
        Dialogue {
            player,
            rules: None,
            positions: Vec::new(),
            stream: None,
        }
    }

    /// Answers one line.
    pub fn answer(&mut self, line: &str) -> Result<Reply, Refusal> {
        let (command, rest) = line.split_once(' ').unwrap_or((line, ""));
        let done = |()| Reply::Done(String::new());
        match command {
            "rules" => self.set_rules(rest).map(done),
            "position" => self.set_position(rest).map(done),
            "play" => self.play(rest).map(done),
            "seed" => self.seed(rest).map(done),
            "genmove" => self.genmove(rest).map(Reply::Done),
            "name" => Ok(Reply::Done("hnefatafl-copenhagen".to_owned())),
            "quit" => Ok(Reply::Quit),
            _ => Err(Refusal::Command("unknown command")),
        }
    }

    fn set_rules(&mut self, text: &str) -> Result<(), Refusal> {
        let table: RulesetTable = match serde_json::from_str::<String>(text) {
            Ok(name) => RulesetTable::of_base(&name),
            Err(_) => serde_json::from_str(text).map_err(|e| Refusal::Input(e.to_string()))?,
        };
        let ruleset = table.resolve().map_err(|e| Refusal::Input(e.to_string()))?;
        let played = played();
        let aside = Ruleset {
            repetition: played.repetition,
            ..ruleset
        };
        if aside.canonical() != played.canonical() {
            return Err(Refusal::Rules);
        }
        let rules = Rules::new(ruleset);
        self.positions = vec![rules.start()];
        self.rules = Some(rules);
        Ok(())
    }

    fn rules(&self) -> Result<&Rules, Refusal> {
        self.rules
            .as_ref()
            .ok_or(Refusal::Command("no rules yet: rules {json}"))
    }

    fn set_position(&mut self, text: &str) -> Result<(), Refusal> {
        let (otn, side) = text.split_once(' ').unwrap_or((text, "attackers"));
        let side: Side = side.trim().parse().map_err(Refusal::Input)?;
        let position =
            Position::from_otn(otn, side).map_err(|error| Refusal::Input(error.to_string()))?;
        self.rules()?.admit(&position).map_err(Refusal::Input)?;
        self.positions = vec![position];
        Ok(())
    }

    fn play(&mut self, text: &str) -> Result<(), Refusal> {
        let ply: Move = text
            .trim()
            .parse()
            .map_err(|error| Refusal::Input(format!("{error}")))?;
        let now = self.now()?;
        let mut game = Game::from_position(self.rules()?, now);
        game.play(ply)
            .map_err(|error| Refusal::Input(error.to_string()))?;
        let after = *game.position();
        self.positions.push(after);
        Ok(())
    }

    fn now(&self) -> Result<Position, Refusal> {
        let now = self.positions.last().copied();
        now.ok_or(Refusal::Command("no rules yet: rules {json}"))
    }

    fn seed(&mut self, text: &str) -> Result<(), Refusal> {
        let seed: u64 = text
            .trim()
            .parse()
            .map_err(|_| Refusal::Command("seed: expected a whole number"))?;
        let mut bytes = [0x5a; 32];
        bytes[..8].copy_from_slice(&seed.to_le_bytes());
        self.stream = Some(stream(bytes));
        Ok(())
    }

    /// Chooses a move for the side to move and plays it here.
    fn genmove(&mut self, text: &str) -> Result<String, Refusal> {
        let side: Side = text.trim().parse().map_err(Refusal::Input)?;
        let now = self.now()?;
        if now.side != side {
            return Err(Refusal::Command("genmove: it is the other side's turn"));
        }
        if Game::from_position(self.rules()?, now).outcome().is_some() {
            return Err(Refusal::Command("genmove: the game is over"));
        }
        let ply = self.player.choose(&self.positions, &mut self.stream)?.to_string();
        self.play(&ply)?;
        Ok(ply)
    }
}
