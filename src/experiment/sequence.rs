/*!
A confidence sequence: an interval for a cell's score that holds at every look
at once, so that it may decide when to stop. Imports tallies.

The hedged capital of Waudby-Smith and Ramdas ("Estimating means of bounded
random variables by betting", Journal of the Royal Statistical Society B 86,
2024). For every candidate *m* a gambler bets on each result *x* (a win 1, a
draw ½, a loss 0) being above *m*, another on its being below; were the score
*m*, the capital Π (1 ± λ(*x* − *m*)) of neither would ever grow 2/α-fold with
more than the chance α/2 (Ville's inequality), however often one looks. The
interval is what neither gambler has refuted. The stake λ is set before a batch
of games from those before it, for nothing else than the interval's width: at
`reach`/variance it grows fastest against candidates `reach` away. A gambler may
divide his 1 among several reaches, for capital is the same kind of thing when
it is added up.

Games stopped at the ply limit have no result: nobody bets on them, and the
score is that of finished games, as everywhere in the tables.
*/

use super::chunk::Tally;

/// Of the largest stake that cannot lose everything, the part that is staked
/// at most: more would win sooner where one side never loses, and lose more
/// where it seldom does.
const MOST_STAKED: f64 = 0.75;
/// Halvings of [0, 1] to find a bound: to a millionth of a millionth.
const HALVINGS: u32 = 40;

/// An interval for the mean of independent results that all have the same
/// distribution on 0, ½ and 1; it covers the mean after every batch at once
/// with at least the probability asked for.
#[derive(Clone, Debug)]
pub struct Sequence {
    /// Parts of the gamblers' 1, and the reaches that they are for.
    parts: Vec<(f64, f64)>,
    /// The logarithm of the capital that refutes.
    refuted: f64,
    seen: Results,
    batches: Vec<Batch>,
}

#[derive(Clone, Copy, Default, Debug)]
struct Results {
    wins: u64,
    draws: u64,
    losses: u64,
}

#[derive(Clone, Copy, Debug)]
struct Batch {
    /// The guess at the variance of a result before it.
    variance: f64,
    results: Results,
}

/// Which way a gambler bets.
#[derive(Clone, Copy, Debug)]
enum Bet {
    Above,
    Below,
}

impl Sequence {
    /// A sequence of which nothing has been seen.
    ///
    /// `reach`, from 0 to 1, is the distance from the mean at which its bounds
    /// come to stand with the fewest games, while they are far off before. With
    /// `doublings` they are not, for about a fifth more games: half of the 1 is
    /// for the reach, a quarter for twice the reach, and so on as often.
    /// `confidence`, from 0 to 1, is the probability with which the interval
    /// covers the mean for ever.
    #[must_use]
    pub fn new(reach: f64, doublings: u32, confidence: f64) -> Sequence {
        let part = |doubled: u32| {
            let halved = (doubled + 1).min(doublings);
            (
                1.0 / f64::from(1 << halved),
                reach * f64::from(1 << doubled),
            )
        };
        Sequence {
            parts: (0..=doublings).map(part).collect(),
            refuted: libm::log(2.0 / (1.0 - confidence)),
            seen: Results::default(),
            batches: Vec::new(),
        }
    }

    /// Adds games that were played after all those before. Where one batch
    /// ends and the next begins has to be fixed beforehand, or to depend on
    /// the batches before alone; the last batch may end anywhere.
    pub fn add(&mut self, games: &Tally) {
        let results = Results {
            wins: games.attackers,
            draws: games.draws,
            losses: games.defenders,
        };
        self.batches.push(Batch {
            variance: self.seen.variance(),
            results,
        });
        self.seen.wins += results.wins;
        self.seen.draws += results.draws;
        self.seen.losses += results.losses;
    }

    /// The lower and the upper bound, each from 0 to 1.
    #[must_use]
    pub fn bounds(&self) -> [f64; 2] {
        let (low, high) = (self.bound(Bet::Above), 1.0 - self.bound(Bet::Below));
        // Results would have to drift as if made for it to refute every mean.
        [low.min(high), low.max(high)]
    }

    /// Whether a mean, from 0 to 1, is refuted: outside the bounds.
    #[must_use]
    pub fn excludes(&self, mean: f64) -> bool {
        self.log_capital(Bet::Above, mean) >= self.refuted
            || self.log_capital(Bet::Below, 1.0 - mean) >= self.refuted
    }

    /// The largest mean that this gambler has refuted, 0 if none. Capital falls
    /// as the mean it is bet against comes nearer to what is bet on.
    fn bound(&self, bet: Bet) -> f64 {
        let (mut refuted, mut open) = (0.0, 1.0);
        for _ in 0..HALVINGS {
            let middle = f64::midpoint(refuted, open);
            if self.log_capital(bet, middle) >= self.refuted {
                refuted = middle;
            } else {
                open = middle;
            }
        }
        refuted
    }

    /// The logarithm of what a gambler's 1 has become if the mean were `mean`,
    /// seen from the side that is bet on.
    fn log_capital(&self, bet: Bet, mean: f64) -> f64 {
        let part = |&(part, reach): &(f64, f64)| (part, self.log_growth(bet, mean, reach));
        let parts: Vec<(f64, f64)> = self.parts.iter().map(part).collect();
        let most = parts
            .iter()
            .fold(f64::NEG_INFINITY, |most, part| most.max(part.1));
        let sum: f64 = parts
            .iter()
            .map(|(part, growth)| part * libm::exp(growth - most))
            .sum();
        most + libm::log(sum)
    }

    /// The logarithm of what 1 has become that was staked for one reach.
    fn log_growth(&self, bet: Bet, mean: f64, reach: f64) -> f64 {
        // The same limit for both gamblers, so that what one wins by it the
        // other does not win as well.
        let most = MOST_STAKED / mean.max(1.0 - mean);
        self.batches
            .iter()
            .map(|batch| {
                let stake = (reach / batch.variance).min(most);
                let Results {
                    mut wins,
                    draws,
                    mut losses,
                } = batch.results;
                if let Bet::Below = bet {
                    std::mem::swap(&mut wins, &mut losses);
                }
                wins as f64 * libm::log1p(stake * (1.0 - mean))
                    + draws as f64 * libm::log1p(stake * (0.5 - mean))
                    + losses as f64 * libm::log1p(-stake * mean)
            })
            .sum()
    }
}

impl Results {
    /// The variance of a result, guessed: as if one game more had been a
    /// quarter from the mean squared, the most there can be, so that the
    /// guess is never zero.
    fn variance(&self) -> f64 {
        let games = self.wins + self.draws + self.losses;
        if games == 0 {
            return 0.25;
        }
        // In half points, whose sums are whole numbers.
        let sum = u128::from(2 * self.wins + self.draws);
        let squares = u128::from(4 * self.wins + self.draws);
        let spread = u128::from(games) * squares - sum * sum;
        let squared_deviations = spread as f64 / (4.0 * games as f64);
        (0.25 + squared_deviations) / (games as f64 + 1.0)
    }
}

#[cfg(test)]
mod tests;
