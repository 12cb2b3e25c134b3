/*!
Whether the rows of a chunk file are games that the cell can have: what verifying
and merging ask, where reading alone counts on the file's checksum. Imports
`game` and records.
*/

use std::path::Path;

use super::{COLUMNS, Cell, Chunk, Error, Experiment, GameRecord, Rows, Tally, Winner};
use crate::experiment::record::{MovesKey, Termination};
use crate::game::{Game, Move, NoMoves, Position, Reason, Repetition, Rules, Side};

const WINNERS: [Winner; 4] = [
    Winner::Attackers,
    Winner::Defenders,
    Winner::Draw,
    Winner::None,
];

impl Chunk {
    /// Reads the tally of a chunk file and checks that it has this chunk's rows,
    /// all of them and no other, each as it is written of a game that can end so
    /// under the cell's rules.
    ///
    /// Whether it is the game of its seed only playing it again says.
    ///
    /// # Errors
    /// The first row that is not so: its line, its field, what is there and what
    /// was expected.
    pub(in crate::experiment) fn check_rows(
        &self,
        experiment: &Experiment,
        cell: &Cell,
        path: &Path,
        bytes: &[u8],
    ) -> Result<Tally, Error> {
        let damaged =
            |line: u64, problem: &str| Err(Error::damaged(path, format!("line {line}: {problem}")));
        let mut lines = bytes.split_inclusive(|&byte| byte == b'\n');
        let header = COLUMNS.join(",");
        let first = lines.next().unwrap_or_default();
        if first.strip_suffix(b"\n") != Some(header.as_bytes()) {
            return damaged(1, &format!("expected the columns {header}"));
        }
        let mut check = RowCheck::new(experiment, cell);
        let mut tally = Tally::default();
        for line in lines {
            let game = tally.games();
            if game == self.games {
                return damaged(
                    game + 2,
                    &format!("is one too many: expected {} games", self.games),
                );
            }
            match check.read(self.first_game + game, line) {
                Ok(record) => tally.count(record.winner, u64::from(record.plies)),
                Err(problem) => return damaged(game + 2, &problem),
            }
        }
        let games = tally.games();
        if games != self.games {
            return damaged(
                games + 1,
                &format!(
                    "is the last, the file has {games} games: expected {}",
                    self.games
                ),
            );
        }
        Ok(tally)
    }
}

/// The rows of one cell being checked.
struct RowCheck<'a> {
    experiment: &'a Experiment,
    cell: &'a Cell,
    rules: Rules,
    /// Writes each row again.
    writer: Rows,
}

impl RowCheck<'_> {
    fn new<'a>(experiment: &'a Experiment, cell: &'a Cell) -> RowCheck<'a> {
        RowCheck {
            experiment,
            cell,
            rules: cell.rules(),
            writer: Rows::new(cell, 1),
        }
    }

    /// Reads a game's line, with its line break; or says what is wrong with it.
    fn read(&mut self, game: u64, line: &[u8]) -> Result<GameRecord, String> {
        let text = std::str::from_utf8(line)
            .map_err(|_| format!("is {}, expected text in UTF-8", line.escape_ascii()))?;
        let Some(text) = text.strip_suffix('\n') else {
            return Err("expected a line break at the end of the file".to_owned());
        };
        let fields = self.fields(text)?;
        let [
            number,
            winner,
            reason,
            plies,
            attackers,
            defenders,
            opening,
            key,
        ] = fields;
        if number.parse() != Ok(game) {
            return Err(unlike("game", number, game));
        }
        let winner = WINNERS
            .into_iter()
            .find(|known| known.name() == winner)
            .ok_or_else(|| unlike("winner", winner, "attackers, defenders, draw or none"))?;
        let termination = Termination::ALL
            .into_iter()
            .find(|known| known.name() == reason)
            .ok_or_else(|| {
                let names = Termination::ALL.map(Termination::name).join(", ");
                unlike("reason", reason, format!("one of {names}"))
            })?;
        let plies = whole("plies", plies, 0, self.experiment.ply_limit)?;
        self.fits(winner, termination, plies)?;
        let opened = self.opening(opening, termination, plies)?;
        let record = GameRecord {
            game,
            winner,
            termination,
            plies,
            attackers_left: whole("attackers_left", attackers, 0, opened.attackers.len())?,
            defenders_left: whole("defenders_left", defenders, 0, opened.defenders.len())?,
            opening: opening.to_owned(),
            moves_key: moves_key(key)?,
        };
        // Whatever reads as the same is still to be written the same.
        self.writer.bytes.clear();
        self.writer.push(&record);
        if self.writer.bytes != line {
            let written = String::from_utf8_lossy(&self.writer.bytes);
            return Err(format!(
                "is written `{}`, expected `{}`",
                text.escape_debug(),
                written.trim_end()
            ));
        }
        Ok(record)
    }

    /// A line's fields behind those that all rows of the cell share.
    fn fields<'t>(&self, line: &'t str) -> Result<[&'t str; 8], String> {
        let shared = String::from_utf8_lossy(&self.writer.shared);
        let rest = line.strip_prefix(&*shared);
        let Some(rest) = rest.and_then(|rest| rest.strip_prefix(',')) else {
            return Err(self.not_shared(line, &shared));
        };
        let found = 5 + rest.bytes().filter(|&byte| byte == b',').count();
        if found != COLUMNS.len() {
            return Err(format!(
                "has {found} fields, expected {}: `{}`",
                COLUMNS.len(),
                line.escape_debug()
            ));
        }
        let mut fields = rest.split(',');
        Ok(std::array::from_fn(|_| fields.next().unwrap_or_default()))
    }

    /// What is wrong with a line that does not begin as the cell's do.
    fn not_shared(&self, line: &str, shared: &str) -> String {
        let mut reader = csv::ReaderBuilder::new()
            .has_headers(false)
            .from_reader(line.as_bytes());
        let mut row = csv::StringRecord::new();
        let pair = &self.cell.pair;
        let expected = [
            self.cell.id.clone(),
            self.cell.ruleset_id.clone(),
            pair.attackers.to_string(),
            pair.defenders.to_string(),
        ];
        if reader.read_record(&mut row).is_ok() {
            for (place, expected) in expected.iter().enumerate() {
                let found = row.get(place).unwrap_or_default();
                if found != expected {
                    return unlike(COLUMNS[place], found, expected);
                }
            }
        }
        format!(
            "is written `{}`, expected it to begin with `{shared},`",
            line.escape_debug()
        )
    }

    /// Whether a game of so many plies can end this way for this winner.
    fn fits(&self, winner: Winner, termination: Termination, plies: u32) -> Result<(), String> {
        let ruleset = &self.cell.ruleset;
        // Attackers move first.
        let (last, next) = match plies % 2 {
            0 => (Side::Defenders, Side::Attackers),
            _ => (Side::Attackers, Side::Defenders),
        };
        let not_here = |why: &str| Err(format!("`reason` is {termination}, but {why}"));
        let limit = self.experiment.ply_limit;
        let (mover, least, most, won) = match termination {
            Termination::Board(Reason::KingEscaped) => {
                (Some(Side::Defenders), 2, limit, Winner::Defenders)
            }
            Termination::Board(Reason::Encircled) if !ruleset.encirclement => {
                return not_here("the rules have no encirclement");
            }
            Termination::Board(Reason::KingCaptured | Reason::Encircled) => {
                (Some(Side::Attackers), 1, limit, Winner::Attackers)
            }
            Termination::Board(Reason::NoMoves) => match ruleset.no_moves {
                NoMoves::Draw => (None, 0, limit, Winner::Draw),
                NoMoves::Loses => (None, 0, limit, winner_of(Some(next.other()))),
            },
            Termination::Board(Reason::Repetition) => {
                if matches!(ruleset.repetition, Repetition::Ignored) {
                    return not_here("the rules ignore repetition");
                }
                let end = self.rules.repeated(last).and_then(|end| end.winner);
                (None, 1, limit, winner_of(end))
            }
            Termination::PlyLimit => (None, limit, limit, Winner::None),
            Termination::Forfeit(_) => {
                let agent = self.cell.pair.of(next);
                if !agent.is_external() {
                    return not_here(&format!(
                        "after {plies} plies it is the turn of the {next}, {agent}, which is no external engine"
                    ));
                }
                let most = limit.saturating_sub(1);
                (None, 0, most, winner_of(Some(next.other())))
            }
        };
        if !(least..=most).contains(&plies) {
            return Err(format!(
                "`plies` is {plies}, expected {} where `reason` is {termination}",
                range(least, most)
            ));
        }
        if let Some(mover) = mover.filter(|&mover| mover != last) {
            let number = match mover {
                Side::Attackers => "odd",
                Side::Defenders => "even",
            };
            return Err(format!(
                "`plies` is {plies}, expected an {number} number: the {mover} move last where `reason` is {termination}"
            ));
        }
        if winner != won {
            return Err(format!(
                "`winner` is {winner}, expected {won} where `reason` is {termination} after {plies} plies"
            ));
        }
        Ok(())
    }

    /// Plays an opening, which is the experiment's or stops where every move
    /// would end the game, and gives the position it leads to.
    fn opening(
        &self,
        opening: &str,
        termination: Termination,
        plies: u32,
    ) -> Result<Position, String> {
        let wrong = |problem: String| format!("`opening` is {}: {problem}", opening.escape_debug());
        let most = self.experiment.random_plies;
        if opening == "-" && most == 0 {
            return Ok(self.rules.start());
        }
        let mut game = Game::new(&self.rules);
        let moves = opening.split('.').filter(|_| opening != "-");
        for ply in moves {
            let ply: Move = ply.parse().map_err(|error| wrong(format!("{error}")))?;
            game.play(ply).map_err(|error| wrong(format!("{error}")))?;
        }
        if let Some(end) = game.outcome().filter(|_| game.plies() > 0) {
            return Err(wrong(format!(
                "it ends the game as {end}, expected moves that do not"
            )));
        }
        let played = game.plies();
        let (least, behind) = match termination {
            Termination::Board(_) if game.outcome().is_none() => (played + 1, 1),
            Termination::Board(_) | Termination::PlyLimit | Termination::Forfeit(_) => (played, 0),
        };
        if played > most {
            return Err(wrong(format!("{played} moves, expected {most}")));
        }
        // It is cut short where every move ends the game: so does the next one.
        let is_cut = termination != Termination::PlyLimit && plies == played + behind;
        if played < most && !is_cut {
            return Err(wrong(format!(
                "{played} moves, expected {most}: `plies` is {plies}, and only where the game ends at once are there fewer"
            )));
        }
        if plies < least {
            return Err(format!(
                "`plies` is {plies}, expected {least} or more: `opening` has {played} moves, `reason` is {termination}"
            ));
        }
        Ok(*game.position())
    }
}

fn unlike(field: &str, found: &str, expected: impl std::fmt::Display) -> String {
    format!(
        "`{field}` is `{}`, expected {expected}",
        found.escape_debug()
    )
}

fn range(least: u32, most: u32) -> String {
    if least == most {
        most.to_string()
    } else {
        format!("{least} to {most}")
    }
}

/// A field that is a whole number between these.
fn whole(field: &str, text: &str, least: u32, most: u32) -> Result<u32, String> {
    let number = text.parse().ok();
    number
        .filter(|number| (least..=most).contains(number))
        .ok_or_else(|| {
            let range = range(least, most);
            unlike(field, text, format!("a whole number, {range}"))
        })
}

fn moves_key(text: &str) -> Result<MovesKey, String> {
    let digit = |byte: u8| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte);
    let is_key = text.len() == 16 && text.bytes().all(digit);
    let key = u64::from_str_radix(text, 16).ok().filter(|_| is_key);
    key.map(MovesKey).ok_or_else(|| {
        unlike(
            "moves_key",
            text,
            "16 hexadecimal digits, letters in lower case",
        )
    })
}

/// Who won by rule.
fn winner_of(side: Option<Side>) -> Winner {
    match side {
        Some(Side::Attackers) => Winner::Attackers,
        Some(Side::Defenders) => Winner::Defenders,
        None => Winner::Draw,
    }
}

#[cfg(test)]
mod tests;
