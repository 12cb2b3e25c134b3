/*!
What ratings are made of: a strength of every agent in each role, and of every
ruleset the attackers' advantage and the weight of draws. Imports Davidson's
model.

Under ruleset r, with A attacking and B defending,

> λ = `s_r` + `a_A` − `d_B`,  δ = `δ_r`

where the attackers' strengths a and the defenders' strengths d each add up to
zero, so that `s_r` is the attackers' advantage between two average players.
Inside, the first agent's strengths are zero instead: that takes the same
models to the same maxima, and leaves every row with four terms at most.
*/

use super::davidson::{Row, chances, dot};

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
pub(super) const ROLES: [Role; 3] = [Role::Both, Role::Attackers, Role::Defenders];

impl Roles {
    /// How many parameters there are: strengths but the first agent's, sides,
    /// draws.
    pub(super) fn parameters(self) -> usize {
        2 * (self.agents - 1) + 2 * self.rulesets
    }

    fn strength(self, role: usize, agent: usize) -> Option<usize> {
        (agent > 0).then(|| role * (self.agents - 1) + agent - 1)
    }

    fn side(self, ruleset: usize) -> usize {
        2 * (self.agents - 1) + ruleset
    }

    fn draw(self, ruleset: usize) -> usize {
        self.side(self.rulesets) + ruleset
    }

    /// The row of a cell.
    pub(super) fn row(self, ruleset: usize, [attackers, defenders]: [usize; 2]) -> Row {
        let mut odds = vec![(self.side(ruleset), 1.0)];
        odds.extend(self.strength(0, attackers).map(|at| (at, 1.0)));
        odds.extend(self.strength(1, defenders).map(|at| (at, -1.0)));
        Row {
            odds,
            draw: Some(self.draw(ruleset)),
        }
    }

    /// The combination of parameters that is an agent's strength in a role,
    /// less the mean of all agents'.
    pub(super) fn strength_contrast(self, role: Role, agent: usize) -> Vec<f64> {
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
                    contrast[at] = weight * (own - 1.0 / self.agents as f64);
                }
            }
        }
        contrast
    }

    /// The combination that is a ruleset's side term between average players.
    pub(super) fn side_contrast(self, ruleset: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.parameters()];
        contrast[self.side(ruleset)] = 1.0;
        for agent in 1..self.agents {
            for (role, sign) in [(0, 1.0), (1, -1.0)] {
                if let Some(at) = self.strength(role, agent) {
                    contrast[at] = sign / self.agents as f64;
                }
            }
        }
        contrast
    }

    /// The parameter that is a ruleset's δ, as a combination.
    pub(super) fn draw_contrast(self, ruleset: usize) -> Vec<f64> {
        let mut contrast = vec![0.0; self.parameters()];
        contrast[self.draw(ruleset)] = 1.0;
        contrast
    }

    /// Between two average players, the attackers' expected score, a draw one
    /// half, and the chance of a draw.
    pub(super) fn shares(self, ruleset: usize, values: &[f64]) -> [f64; 2] {
        let side = dot(&self.side_contrast(ruleset), values);
        let [won, _, drawn] = chances(side, Some(values[self.draw(ruleset)]));
        [won + drawn / 2.0, drawn]
    }

    /// Davidson's ν of a ruleset.
    pub(super) fn nu(self, ruleset: usize, values: &[f64]) -> f64 {
        libm::exp(values[self.draw(ruleset)])
    }

    /// Changes of the parameters, in each role seen from the middle one of the
    /// agents that have both won and lost there instead of from the first:
    /// where others' strengths go to infinity, that one stays. `mixed` says of
    /// which role and agent that is true.
    pub(super) fn seen_from_the_middle(self, way: &[f64], mixed: &[Vec<bool>; 2]) -> Way {
        let of_role = |role: usize| -> Vec<f64> {
            let ways = (0..self.agents).map(|agent| self.strength(role, agent));
            ways.map(|at| at.map_or(0.0, |at| way[at])).collect()
        };
        let mut strengths = [of_role(0), of_role(1)];
        let middle = |role: usize| median(&strengths[role], &mixed[role]);
        let middles = [middle(0), middle(1)];
        for (role, middle) in strengths.iter_mut().zip(middles) {
            for way in role {
                *way -= middle;
            }
        }
        Way {
            sides: (0..self.rulesets)
                .map(|ruleset| way[self.side(ruleset)] + middles[0] - middles[1])
                .collect(),
            draws: (0..self.rulesets)
                .map(|ruleset| way[self.draw(ruleset)])
                .collect(),
            strengths,
        }
    }
}

/// The median of the chosen values, of all if none is chosen.
fn median(values: &[f64], chosen: &[bool]) -> f64 {
    let all = !chosen.contains(&true);
    let values = values
        .iter()
        .zip(chosen)
        .filter(|(_, chosen)| all || **chosen);
    let mut sorted: Vec<f64> = values.map(|(value, _)| *value).collect();
    sorted.sort_by(f64::total_cmp);
    sorted[sorted.len() / 2]
}

/// How far strengths, sides and draws went.
#[derive(Clone, PartialEq, Debug)]
pub(super) struct Way {
    /// Of every agent as attackers and as defenders.
    strengths: [Vec<f64>; 2],
    /// Of every ruleset.
    pub(super) sides: Vec<f64>,
    /// Of every ruleset.
    pub(super) draws: Vec<f64>,
}

impl Way {
    /// How far an agent's strength went.
    pub(super) fn strength(&self, role: Role, agent: usize) -> f64 {
        let [attackers, defenders] = &self.strengths;
        match role {
            Role::Attackers => attackers[agent],
            Role::Defenders => defenders[agent],
            Role::Both => f64::midpoint(attackers[agent], defenders[agent]),
        }
    }
}
