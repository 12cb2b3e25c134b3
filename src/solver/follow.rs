//! What the winner plays by a certificate. Imports `game`, certificates and their
//! check.

use super::certificate::ranking;
use super::check::{CheckError, Steps};
use super::ranking::folded;
use super::without_steps::{LEFT_OUT, ends_it, wins_at_once, wins_in_three};
use crate::game::{Move, MoveList, Position, Rules, Symmetry};

/// A move of the winner.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Winning {
    /// What he plays.
    pub ply: Move,
    /// Within how many plies at most he then wins, this one counted.
    pub plies: u16,
}

/// What the winner of these steps plays here: the king's capture or escape, the
/// step's move, the first of a win within three plies, or one that ends the game.
/// `None` where it is not his turn, or where the steps say nothing. Whether the steps
/// hold under these rules is not asked; if they do, he wins by playing so from any
/// position of theirs.
///
/// # Errors
/// Steps that cannot be read, or whose positions cannot be numbered.
pub fn winning_move(
    steps: &mut dyn Steps,
    rules: &Rules,
    position: &Position,
) -> Result<Option<Winning>, CheckError> {
    let own = steps.claim();
    if position.side != own.winner || rules.ending(position).is_some() {
        return Ok(None);
    }
    if wins_at_once(rules, position) {
        let winning = rules.decisive_move(position);
        return Ok(winning.map(|ply| Winning { ply, plies: 1 }));
    }
    let step = match ranking(&own.root)?.number(position) {
        Some(number) => steps.find(number)?,
        None => None,
    };
    if let Some(step) = step {
        let ply = move_of(&Rules::new(own.ruleset), position, step.choice);
        let legal = ply.filter(|&ply| rules.is_legal(position, ply));
        return Ok(legal.map(|ply| Winning {
            ply,
            plies: step.plies,
        }));
    }
    let three = wins_in_three(rules, position).map(|ply| (ply, LEFT_OUT));
    let short = three.or_else(|| ends_it(rules, position).map(|ply| (ply, 1)));
    Ok(short.map(|(ply, plies)| Winning { ply, plies }))
}

/// The move that a step names, on the board as it stands: a step counts the moves of
/// the folded position.
fn move_of(own: &Rules, position: &Position, choice: u16) -> Option<Move> {
    let form = folded(position);
    let back = Symmetry::all()
        .find(|&symmetry| position.image(symmetry) == form)?
        .inverse();
    let mut list = MoveList::new();
    own.moves(&form, &mut list);
    let ply = list.get(usize::from(choice))?;
    Some(Move {
        from: back.square(ply.from),
        to: back.square(ply.to),
    })
}
