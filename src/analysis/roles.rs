/*!
What ratings are made of: a strength of every agent in each role, and of every
ruleset the attackers' advantage and the weight of draws. Imports Davidson's
model and estimates.

Under ruleset r, with A attacking and B defending,

> λ = `s_r` + `a_A` − `d_B`,  δ = `δ_r`

where the attackers' strengths a and the defenders' strengths d each add up to
zero, so that `s_r` is the attackers' advantage between two average players. Agents whose
strengths go to infinity are left out of that sum: see [`Roles::reference`].
Inside, the first agent's strengths are zero instead: that takes the same
models to the same maxima, and leaves every row with four terms at most. What is
of one ruleset comes first, as it meets no other ruleset ([`super::envelope`]).
*/

use super::davidson::{Row, chances, dot};
use super::estimates::Open;

/// Elo points of one natural unit of log odds: 400 / ln 10.
pub(super) const ELO: f64 = 173.717_792_761_248_17;

/// The parameters of a fit and what is told of them.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Roles {
    /// At least two.
    pub(super) agents: usize,
    /// Rulesets fitted together.
    pub(super) rulesets: usize,
}

/// A strength of one agent: as attackers, as defenders, or the mean of both,
/// in which two agents differ as in a pair of games with roles exchanged.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Role {
    Attackers,
    Defenders,
    Both,
}

/// The order in which roles are told.
const ROLES: [Role; 3] = [Role::Both, Role::Attackers, Role::Defenders];

impl Roles {
    /// How many parameters there are: every ruleset's side and draws, strengths but
    /// the first agent's.
    pub(super) fn parameters(self) -> usize {
        2 * (self.agents - 1) + 2 * self.rulesets
    }

    fn strength(self, role: usize, agent: usize) -> Option<usize> {
        (agent > 0).then(|| 2 * self.rulesets + role * (self.agents - 1) + agent - 1)
    }

    fn side(ruleset: usize) -> usize {
        2 * ruleset
    }

    fn draw(ruleset: usize) -> usize {
        2 * ruleset + 1
    }

    /// The row of a cell.
    pub(super) fn row(self, ruleset: usize, [attackers, defenders]: [usize; 2]) -> Row {
        let mut odds = vec![(Roles::side(ruleset), 1.0)];
        odds.extend(self.strength(0, attackers).map(|at| (at, 1.0)));
        odds.extend(self.strength(1, defenders).map(|at| (at, -1.0)));
        Row {
            odds,
            draw: Some(Roles::draw(ruleset)),
        }
    }

    /// The combination of parameters that is an agent's strength in a role,
    /// less the mean of those it is told against.
    fn strength_contrast(self, reference: &Reference, role: Role, agent: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.parameters()];
        let (roles, weight): (&[usize], f64) = match role {
            Role::Attackers => (&[0], 1.0),
            Role::Defenders => (&[1], 1.0),
            Role::Both => (&[0, 1], 0.5),
        };
        for &role in roles {
            for other in 0..self.agents {
                if let Some(at) = self.strength(role, other) {
                    let own = f64::from(u8::from(other == agent));
                    contrast[at] = weight * (own - reference.0[other]);
                }
            }
        }
        contrast
    }

    /// The combination that is a ruleset's side term between average players.
    pub(super) fn side_contrast(self, reference: &Reference, ruleset: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.parameters()];
        contrast[Roles::side(ruleset)] = 1.0;
        for agent in 1..self.agents {
            for (role, sign) in [(0, 1.0), (1, -1.0)] {
                if let Some(at) = self.strength(role, agent) {
                    contrast[at] = sign * reference.0[agent];
                }
            }
        }
        contrast
    }

    /// Everything that is told in Elo points: every agent's strengths, the steps from
    /// each to the next, every ruleset's side.
    pub(super) fn contrasts(self, reference: &Reference) -> Vec<Vec<f64>> {
        let mut contrasts = Vec::new();
        for agent in 0..self.agents {
            contrasts.extend(ROLES.map(|role| self.strength_contrast(reference, role, agent)));
        }
        for agent in 1..self.agents {
            for role in ROLES {
                let from = self.strength_contrast(reference, role, agent - 1);
                let to = self.strength_contrast(reference, role, agent);
                contrasts.push(to.iter().zip(from).map(|(to, from)| to - from).collect());
            }
        }
        contrasts.extend((0..self.rulesets).map(|at| self.side_contrast(reference, at)));
        contrasts
    }

    /// The parameter that is a ruleset's δ, as a combination.
    pub(super) fn draw_contrast(self, ruleset: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.parameters()];
        contrast[Roles::draw(ruleset)] = 1.0;
        contrast
    }

    /// Between two average players, the attackers' expected score, a draw one
    /// half, and the chance of a draw.
    pub(super) fn shares(self, reference: &Reference, ruleset: usize, values: &[f64]) -> [f64; 2] {
        let side = dot(&self.side_contrast(reference, ruleset), values);
        let [won, _, drawn] = chances(side, Some(values[Roles::draw(ruleset)]));
        [won + drawn / 2.0, drawn]
    }

    /// Davidson's ν of a ruleset.
    pub(super) fn nu(ruleset: usize, values: &[f64]) -> f64 {
        libm::exp(values[Roles::draw(ruleset)])
    }

    /// Everyone.
    pub(super) fn everyone(self) -> Reference {
        Reference(vec![1.0 / self.agents as f64; self.agents])
    }

    /// Whom strengths are told against, after these changes of the parameters on
    /// their way to infinity: all who in both roles stay where the middle one is of
    /// the agents who both won and lost in that role against others; everyone if
    /// nobody does. `mixed` says of which role and agent it is true that he won and
    /// lost.
    pub(super) fn reference(self, way: &[f64], mixed: &[Vec<bool>; 2]) -> Reference {
        let stays = [0, 1].map(|role| -> Vec<bool> {
            let ways = (0..self.agents).map(|agent| self.strength(role, agent));
            let ways: Vec<f64> = ways.map(|at| at.map_or(0.0, |at| way[at])).collect();
            let middle = median(&ways, &mixed[role]);
            let stays = |way: &f64| middle.is_some_and(|middle| Open::of(way - middle).is_none());
            ways.iter().map(stays).collect()
        });
        let both: Vec<bool> = stays[0]
            .iter()
            .zip(&stays[1])
            .map(|(a, d)| *a && *d)
            .collect();
        let count = both.iter().filter(|both| **both).count();
        if count == 0 {
            return self.everyone();
        }
        let weight = |both: &bool| f64::from(u8::from(*both)) / count as f64;
        Reference(both.iter().map(weight).collect())
    }
}

/// The median of the chosen values.
fn median(values: &[f64], chosen: &[bool]) -> Option<f64> {
    let values = values.iter().zip(chosen).filter(|(_, chosen)| **chosen);
    let mut sorted: Vec<f64> = values.map(|(value, _)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    sorted.get(sorted.len() / 2).copied()
}

/// Whose mean strength in each role is zero: every agent's weight in it.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Reference(Vec<f64>);
