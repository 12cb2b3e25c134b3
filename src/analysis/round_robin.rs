//! Which experiments can be rated. Imports experiments.

use std::collections::HashSet;

use crate::agents::AgentSpec;
use crate::experiment::{Experiment, Pairing};

/// Why an experiment's agents cannot be rated.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum NotRated {
    /// Its openings are not shared.
    #[error(
        "`pairing` = \"independent\": ratings compare agents on the same openings in both roles, expected pairing = \"common\""
    )]
    NotPaired,
    /// One agent.
    #[error("only {0} plays: expected at least two agents")]
    OneAgent(String),
    /// One game a cell.
    #[error("`games` = 1: intervals need at least two openings, expected games = 2 or more")]
    OneGame,
    /// Cells have different numbers of games.
    #[error(
        "a rule decides how many games each cell has: ratings resample openings that all cells share, expected games = a number"
    )]
    Stopped,
    /// A pair without its mirror.
    #[error(
        "{attackers} attacks {defenders} but never defends against it: expected every pair in both roles, as `[[match]]` with agents = [ … ] and cross = true gives"
    )]
    OneRole {
        /// Who attacks.
        attackers: String,
        /// Who defends.
        defenders: String,
    },
    /// Two groups of agents' roles between which there is no match.
    #[error(
        "no chain of matches joins {one} as attackers to {other} as {role}: expected agents = [ … ] with cross = true, which has each agent against itself and every other"
    )]
    Apart {
        /// An agent.
        one: String,
        /// Another, or the same one.
        other: String,
        /// `attackers` or `defenders`.
        role: &'static str,
    },
}

/// An experiment whose agents can be rated: every pair of opponents meets in
/// both roles on the same openings, and chains of matches join every role of
/// every agent.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct RoundRobin {
    /// The agents, in the order in which the experiment names them.
    pub agents: Vec<AgentSpec>,
    /// Places of the attackers' and the defenders' agent of every match.
    pub matches: Vec<[usize; 2]>,
}

impl RoundRobin {
    /// The agents and matches of an experiment.
    ///
    /// # Errors
    /// If its agents cannot be rated.
    pub fn new(experiment: &Experiment) -> Result<RoundRobin, NotRated> {
        if experiment.pairing != Pairing::Common {
            return Err(NotRated::NotPaired);
        }
        if experiment.stop.is_some() {
            return Err(NotRated::Stopped);
        }
        if experiment.games < 2 {
            return Err(NotRated::OneGame);
        }
        let mut agents: Vec<AgentSpec> = Vec::new();
        let mut place = |spec: &AgentSpec| {
            let known = agents.iter().position(|agent| agent == spec);
            known.unwrap_or_else(|| {
                agents.push(spec.clone());
                agents.len() - 1
            })
        };
        let pairs = experiment.matches.iter();
        let matches = pairs.map(|pair| [place(&pair.attackers), place(&pair.defenders)]);
        let matches: Vec<[usize; 2]> = matches.collect();
        let round_robin = RoundRobin { agents, matches };
        round_robin.check()?;
        Ok(round_robin)
    }

    fn check(&self) -> Result<(), NotRated> {
        let name = |agent: usize| self.agents[agent].to_string();
        if self.agents.len() < 2 {
            return Err(NotRated::OneAgent(name(0)));
        }
        let played: HashSet<[usize; 2]> = self.matches.iter().copied().collect();
        for &[attackers, defenders] in &self.matches {
            if !played.contains(&[defenders, attackers]) {
                return Err(NotRated::OneRole {
                    attackers: name(attackers),
                    defenders: name(defenders),
                });
            }
        }
        let joined = self.joined();
        for (role, role_name) in ["attackers", "defenders"].into_iter().enumerate() {
            if let Some(other) = joined[role].iter().position(|joined| !joined) {
                return Err(NotRated::Apart {
                    one: name(0),
                    other: name(other),
                    role: role_name,
                });
            }
        }
        Ok(())
    }

    /// Which agents as attackers and as defenders are joined by chains of
    /// matches to the first agent as attackers.
    fn joined(&self) -> [Vec<bool>; 2] {
        let mut joined = [
            vec![false; self.agents.len()],
            vec![false; self.agents.len()],
        ];
        joined[0][0] = true;
        loop {
            let mut more = false;
            for &[attackers, defenders] in &self.matches {
                if joined[0][attackers] != joined[1][defenders] {
                    joined[0][attackers] = true;
                    joined[1][defenders] = true;
                    more = true;
                }
            }
            if !more {
                return joined;
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::experiment::Source;

    fn round_robin(rest: &str) -> Result<RoundRobin, NotRated> {
        of("games=9", rest)
    }

    fn of(games: &str, rest: &str) -> Result<RoundRobin, NotRated> {
        let text = format!("name='x'\nseed=1\n{games}\npairing='common'\n[rules]\n{rest}");
        RoundRobin::new(&Source::parse("x", &text).unwrap().experiment)
    }

    #[test]
    fn agents_keep_the_order_of_the_experiment() {
        let all =
            round_robin("[[match]]\nagents=['greedy','random','alphabeta:depth=1']\ncross=true\n");
        let all = all.unwrap();
        let names: Vec<String> = all.agents.iter().map(ToString::to_string).collect();
        assert_eq!(names, ["greedy", "random", "alphabeta:depth=1"]);
        assert_eq!(all.matches.len(), 9);
        assert_eq!(all.matches[1], [0, 1]);
    }

    #[test]
    fn what_cannot_be_rated_is_refused_by_its_reason() {
        let pair = |attackers: &str, defenders: &str| {
            format!("[[match]]\nattackers='{attackers}'\ndefenders='{defenders}'\n")
        };
        let one_role = format!("{}{}", pair("random", "greedy"), pair("random", "random"));
        let no_self = format!("{}{}", pair("random", "greedy"), pair("greedy", "random"));
        for (rest, part) in [
            ("[[match]]\nagents=['random']\n", "only random plays"),
            (
                "[[match]]\nagents=['random','greedy']\n",
                "joins random as attackers to greedy as attackers",
            ),
            (&one_role, "random attacks greedy but never defends"),
            (&no_self, "joins random as attackers to greedy as attackers"),
        ] {
            let error = round_robin(rest).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        }
        let all = "[[match]]\nagents=['random','greedy']\ncross=true\n";
        assert!(of("games=2", all).is_ok());
        assert_eq!(of("games=1", all), Err(NotRated::OneGame));
        let stop = format!("{all}[stop]\nhalf_width=0.1\n");
        assert_eq!(of("", &stop), Err(NotRated::Stopped));
        // Three agents are joined without playing themselves.
        let agents = ["random", "greedy", "alphabeta:depth=1"];
        let mut ring = String::new();
        for one in agents {
            for other in agents.iter().filter(|other| **other != one) {
                ring.push_str(&pair(one, other));
            }
        }
        assert!(round_robin(&ring).is_ok());
    }
}
