/*!
Ratings of the agents of a round robin, with intervals. Imports outcomes, roles
and Davidson's model.

Estimates are bias-reduced maximum likelihood; standard errors are those of the
observed information, which take games for independent; bounds are 2.5 and
97.5 % quantiles of a bootstrap over openings, which does not: all games of one
index, in every cell, are drawn together, mirrored pairs among them. Where plain
maximum likelihood goes to infinity, resamples know nothing either, since they
go there, too: the one bound is then no nearer than that of the profile
likelihood, which takes games for independent.
*/

use rand_chacha::ChaCha8Rng;
use rand_chacha::rand_core::{Rng, SeedableRng};
use rayon::prelude::*;
use serde::Serialize;

use super::chunk_rows::TableError;
use super::davidson::{Counts, Design, Fit, Method, Problem, dot};
use super::estimates::{Estimate, Open, Share, Strengths, Tallied};
use super::outcomes::Outcomes;
use super::roles::{ELO, Reference, Roles};
use super::round_robin::{NotRated, RoundRobin};
use crate::experiment::Experiment;

/// Resamples of the openings.
pub const RESAMPLES: usize = 1000;
/// Why there are no ratings.
#[derive(Debug, thiserror::Error)]
pub enum RateError {
    /// The experiment is none that can be rated.
    #[error(transparent)]
    NotRated(#[from] NotRated),
    /// Its games could not be read.
    #[error(transparent)]
    Table(#[from] TableError),
    /// Whoever looked on wanted no more.
    #[error("interrupted while rating: the games are kept, and the same command rates them")]
    Interrupted,
    /// Too many games were stopped.
    #[error(
        "the games under {scope} that were not stopped at the ply limit do not join every role of every agent: raise ply_limit or games"
    )]
    Undetermined {
        /// `all rulesets`, or a ruleset's label.
        scope: String,
    },
}

/// One agent.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct AgentRating {
    /// Its spec.
    pub agent: String,
    /// Its games as attackers.
    pub attacking: Tallied,
    /// Its games as defenders.
    pub defending: Tallied,
    /// How strong it is, against the mean of all agents; where some go to infinity, of
    /// those who do not.
    pub strengths: Strengths,
}

/// From one agent to the next in the experiment's order.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Step {
    /// The former.
    pub from: String,
    /// The latter.
    pub to: String,
    /// The latter's strengths less the former's.
    pub gain: Strengths,
}

/// The balance under one ruleset, between two average players.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct RulesetSide {
    /// The ruleset's id.
    pub ruleset: String,
    /// Its name for people.
    pub label: String,
    /// How the games ended, for the attackers.
    pub games: Tallied,
    /// The attackers' advantage.
    pub advantage: Estimate,
    /// The attackers' expected score, a draw one half.
    pub score: Share,
    /// The chance of a draw.
    pub draws: Share,
    /// Davidson's ν.
    pub nu: f64,
}

/// One fit: all rulesets together, or one alone.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Scope {
    /// `all`, or the ruleset's id.
    pub name: String,
    /// `all rulesets`, or the ruleset's label.
    pub label: String,
    /// Resamples whose games determine everything.
    pub resamples: usize,
    /// Every agent, in the experiment's order.
    pub agents: Vec<AgentRating>,
    /// From each agent to the next.
    pub steps: Vec<Step>,
    /// Every ruleset of the fit.
    pub sides: Vec<RulesetSide>,
}

/// The ratings of an experiment.
#[derive(Clone, PartialEq, Debug, Serialize)]
pub struct Ratings {
    /// All rulesets together, if there are several, then each alone.
    pub scopes: Vec<Scope>,
}

impl Ratings {
    /// Fits the outcomes of an experiment's games. `go_on` hears of every one of
    /// [`RESAMPLES`] that is done, on any thread; when it says no, that is the end.
    ///
    /// # Errors
    /// If the experiment's agents cannot be rated, or not by these games, or `go_on`
    /// said no.
    pub fn new(
        experiment: &Experiment,
        outcomes: &Outcomes,
        go_on: &(dyn Fn() -> bool + Sync),
    ) -> Result<Ratings, RateError> {
        let round_robin = RoundRobin::new(experiment)?;
        let rulesets = experiment.rulesets.len();
        let mut fitters = Vec::new();
        if rulesets > 1 {
            fitters.push(Fitter::new(&round_robin, 0..rulesets));
        }
        fitters.extend((0..rulesets).map(|one| Fitter::new(&round_robin, one..one + 1)));

        let counts = outcomes.counts(&vec![1; outcomes.games()]);
        let of_fitter = |fitter: &Fitter| {
            let name = || RateError::Undetermined {
                scope: fitter.label(experiment),
            };
            fitter.fit(&counts, None).ok_or_else(name)
        };
        let fits: Vec<Fit> = fitters.iter().map(of_fitter).collect::<Result<_, _>>()?;
        for (fitter, fit) in fitters.iter_mut().zip(&fits) {
            fitter.refer(fit, &round_robin, &counts);
        }
        let resampled = resampled(experiment.seed, outcomes, &fitters, &fits, go_on);
        let resampled = resampled.ok_or(RateError::Interrupted)?;
        let places = fitters.iter().zip(&fits).enumerate();
        let scopes = places.map(|(place, (fitter, fit))| {
            let told = resampled.iter().filter_map(|told| told[place].as_deref());
            let told: Vec<&[f64]> = told.collect();
            fitter.scope(experiment, &round_robin, &counts, fit, &told)
        });
        Ok(Ratings {
            scopes: scopes.collect(),
        })
    }
}

/// What one resample tells of every scope; `None` where its games do not determine
/// everything.
type Told = Vec<Option<Vec<f64>>>;

/// What every resample tells; `None` if that was interrupted.
fn resampled(
    seed: u64,
    outcomes: &Outcomes,
    fitters: &[Fitter],
    fits: &[Fit],
    go_on: &(dyn Fn() -> bool + Sync),
) -> Option<Vec<Told>> {
    let numbers = (0..RESAMPLES as u64).into_par_iter();
    let told = numbers.map(|number| {
        let counts = outcomes.counts(&resample(seed, number, outcomes.games()));
        let scopes = fitters.iter().zip(fits);
        let told = scopes.map(|(fitter, near)| {
            let fit = fitter.fit(&counts, Some(near))?;
            Some(fitter.told(&fit.values))
        });
        let told = told.collect();
        go_on().then_some(told)
    });
    told.collect()
}

/// How often each opening is drawn in a resample: as many as there are, each
/// equally likely.
fn resample(seed: u64, number: u64, games: usize) -> Vec<u32> {
    let mut draws = ChaCha8Rng::seed_from_u64(seed);
    draws.set_stream(number);
    let mut times = vec![0; games];
    for _ in 0..games {
        let draw = (u128::from(draws.next_u64()) * games as u128) >> 64;
        times[draw as usize] += 1;
    }
    times
}

/// One agent's games as attackers and as defenders.
type AgentGames = [Tallied; 2];

/// The model of one scope.
struct Fitter {
    roles: Roles,
    /// The scope's first ruleset.
    first: usize,
    /// Cells a ruleset.
    matches: usize,
    design: Design,
    /// Where the likelihood has no finite maximum, how far each parameter goes.
    way: Vec<f64>,
    reference: Reference,
    contrasts: Vec<Vec<f64>>,
}

impl Fitter {
    fn new(round_robin: &RoundRobin, rulesets: std::ops::Range<usize>) -> Fitter {
        let roles = Roles {
            agents: round_robin.agents.len(),
            rulesets: rulesets.len(),
        };
        let rows = (0..roles.rulesets).flat_map(|ruleset| {
            let pairs = round_robin.matches.iter();
            pairs.map(move |&pair| roles.row(ruleset, pair))
        });
        let reference = roles.everyone();
        Fitter {
            roles,
            first: rulesets.start,
            matches: round_robin.matches.len(),
            design: Design::new(rows.collect(), roles.parameters()),
            way: vec![0.0; roles.parameters()],
            contrasts: roles.contrasts(&reference),
            reference,
        }
    }

    /// Sees who goes to infinity, and tells strengths against those who do not.
    fn refer(&mut self, fit: &Fit, round_robin: &RoundRobin, counts: &[[u64; 4]]) {
        let finished = self.finished(counts);
        let problem = Problem::new(&self.design, &finished);
        let Some(way) = problem.escape(fit) else {
            return;
        };
        let others = self.agent_games(round_robin, counts, |[one, other]| one != other);
        let mixed = [0, 1].map(|role| others.iter().map(|games| games[role].is_mixed()).collect());
        self.reference = self.roles.reference(&way, &mixed);
        self.contrasts = self.roles.contrasts(&self.reference);
        self.way = way;
    }

    fn label(&self, experiment: &Experiment) -> String {
        if self.is_joint() {
            return "all rulesets".to_owned();
        }
        experiment.rulesets[self.first].label()
    }

    fn is_joint(&self) -> bool {
        self.roles.rulesets > 1
    }

    /// The scope's part of all cells' counts.
    fn own<'a>(&self, counts: &'a [[u64; 4]]) -> &'a [[u64; 4]] {
        &counts[self.first * self.matches..][..self.design.len()]
    }

    fn finished(&self, counts: &[[u64; 4]]) -> Vec<Counts> {
        let own = self.own(counts).iter();
        own.map(|&[won, lost, drawn, _]| [won, lost, drawn].map(|count| count as f64))
            .collect()
    }

    /// The estimates, sought near others if there are any.
    fn fit(&self, counts: &[[u64; 4]], near: Option<&Fit>) -> Option<Fit> {
        let counts = self.finished(counts);
        let problem = Problem::new(&self.design, &counts);
        match near {
            Some(near) => problem.fit_from(near.values.clone(), Method::BiasReduced),
            None => problem.fit(Method::BiasReduced),
        }
    }

    /// Everything that is told of the parameters: the contrasts in Elo points,
    /// then score and draws of every ruleset.
    fn told(&self, values: &[f64]) -> Vec<f64> {
        let contrasts = self.contrasts.iter();
        let mut told: Vec<f64> = contrasts
            .map(|contrast| ELO * dot(contrast, values))
            .collect();
        for ruleset in 0..self.roles.rulesets {
            told.extend(self.shares(ruleset, values));
        }
        told
    }

    fn shares(&self, ruleset: usize, values: &[f64]) -> [f64; 2] {
        self.roles.shares(&self.reference, ruleset, values)
    }

    /// Every agent's games as attackers and as defenders, of the pairs that count.
    fn agent_games(
        &self,
        round_robin: &RoundRobin,
        counts: &[[u64; 4]],
        counted: impl Fn([usize; 2]) -> bool,
    ) -> Vec<AgentGames> {
        let mut games = vec![[Tallied::default(); 2]; self.roles.agents];
        let cells = self.own(counts).iter();
        let cells = cells.zip(round_robin.matches.iter().cycle());
        for (&cell, pair) in cells.filter(|(_, pair)| counted(**pair)) {
            let [won, lost, drawn, stopped] = cell;
            games[pair[0]][0].add(cell);
            games[pair[1]][1].add([lost, won, drawn, stopped]);
        }
        games
    }

    fn scope(
        &self,
        experiment: &Experiment,
        round_robin: &RoundRobin,
        counts: &[[u64; 4]],
        fit: &Fit,
        resampled: &[&[f64]],
    ) -> Scope {
        let agent_games = self.agent_games(round_robin, counts, |_| true);
        let finished = self.finished(counts);
        let teller = Teller {
            fitter: self,
            problem: Problem::new(&self.design, &finished),
            fit,
            told: self.told(&fit.values),
            resampled,
        };
        let names: Vec<String> = round_robin.agents.iter().map(ToString::to_string).collect();
        let agents = names.iter().zip(&agent_games).enumerate();
        let agents = agents.map(|(agent, (name, games))| AgentRating {
            agent: name.clone(),
            attacking: games[0],
            defending: games[1],
            strengths: teller.strengths(agent),
        });
        let steps = names.windows(2).enumerate().map(|(place, names)| Step {
            from: names[0].clone(),
            to: names[1].clone(),
            gain: teller.gain(place),
        });
        Scope {
            name: if self.is_joint() {
                "all".to_owned()
            } else {
                experiment.rulesets[self.first].id()
            },
            label: self.label(experiment),
            resamples: resampled.len(),
            agents: agents.collect(),
            steps: steps.collect(),
            sides: self.sides(experiment, counts, &teller),
        }
    }

    fn sides(
        &self,
        experiment: &Experiment,
        counts: &[[u64; 4]],
        teller: &Teller<'_>,
    ) -> Vec<RulesetSide> {
        let cells = self.own(counts).chunks(self.matches).enumerate();
        let sides = cells.map(|(ruleset, cells)| {
            let mut games = Tallied::default();
            for &cell in cells {
                games.add(cell);
            }
            let rules = &experiment.rulesets[self.first + ruleset];
            teller.side(ruleset, games, (rules.id(), rules.label()))
        });
        sides.collect()
    }
}

/// Puts estimates, errors and bounds together.
struct Teller<'a> {
    fitter: &'a Fitter,
    problem: Problem<'a>,
    fit: &'a Fit,
    told: Vec<f64>,
    /// What each resample tells.
    resampled: &'a [&'a [f64]],
}

impl Teller<'_> {
    /// The bounds of what stands at this place.
    fn bounds(&self, place: usize) -> [f64; 2] {
        let mut values: Vec<f64> = self.resampled.iter().map(|told| told[place]).collect();
        values.sort_by(f64::total_cmp);
        // Nowhere determined: nothing is known of the spread.
        let Some(last) = values.len().checked_sub(1) else {
            return [f64::NEG_INFINITY, f64::INFINITY];
        };
        let outside = values.len() / 40;
        [values[outside], values[last - outside]]
    }

    /// In which direction a combination of the parameters has no bound.
    fn open(&self, contrast: &[f64]) -> Option<Open> {
        Open::of(dot(contrast, &self.fitter.way))
    }

    fn estimate(&self, place: usize) -> Estimate {
        let [low, high] = self.bounds(place);
        let contrast = &self.fitter.contrasts[place];
        let open = self.open(contrast);
        // What went the same way in every game does so in every resample.
        let end = self.profile_end(open, contrast);
        let end = end.map(|values| ELO * dot(contrast, &values));
        let (low, high) = match open {
            None => (Some(low), Some(high)),
            Some(Open::Above) => (end.map(|end| end.min(low)), None),
            Some(Open::Below) => (None, end.map(|end| end.max(high))),
        };
        Estimate {
            elo: self.told[place],
            se: ELO * self.fit.standard_error(contrast),
            low: low.filter(|low| low.is_finite()),
            high: high.filter(|high| high.is_finite()),
            open,
        }
    }

    /// The parameters at the end of the interval on the side where it has one.
    fn profile_end(&self, open: Option<Open>, contrast: &[f64]) -> Option<Vec<f64>> {
        let sign = match open? {
            Open::Above => -1.0,
            Open::Below => 1.0,
        };
        self.problem.profile_end(self.fit, contrast, sign)
    }

    fn strengths(&self, agent: usize) -> Strengths {
        self.three(3 * agent)
    }

    fn gain(&self, step: usize) -> Strengths {
        self.three(3 * self.fitter.roles.agents + 3 * step)
    }

    /// What stands at this place and the next two.
    fn three(&self, place: usize) -> Strengths {
        let [both, attackers, defenders] = [0, 1, 2].map(|role| self.estimate(place + role));
        Strengths {
            both,
            attackers,
            defenders,
        }
    }

    fn side(&self, ruleset: usize, games: Tallied, (id, label): (String, String)) -> RulesetSide {
        let roles = self.fitter.roles;
        let advantages = 3 * roles.agents + 3 * (roles.agents - 1);
        let shares = advantages + roles.rulesets + 2 * ruleset;
        let share = |at: usize, contrast: &[f64]| {
            let place = shares + at;
            let [low, high] = self.bounds(place);
            let open = self.open(contrast);
            let end = self.profile_end(open, contrast);
            let end = end.map(|values| self.fitter.shares(ruleset, &values)[at]);
            let (low, high) = match open {
                None => (low, high),
                Some(Open::Above) => (end.map_or(0.0, |end| end.min(low)), 1.0),
                Some(Open::Below) => (0.0, end.map_or(1.0, |end| end.max(high))),
            };
            Share {
                share: self.told[place],
                low: low.max(0.0),
                high: high.min(1.0),
            }
        };
        let side = &self.fitter.contrasts[advantages + ruleset];
        let draws = roles.draw_contrast(ruleset);
        RulesetSide {
            ruleset: id,
            label,
            games,
            advantage: self.estimate(advantages + ruleset),
            score: share(0, side),
            draws: share(1, &draws),
            nu: Roles::nu(ruleset, &self.fit.values),
        }
    }
}

#[cfg(test)]
mod tests;
