//! The solver held against exhaustive search, and its certificates against whoever would forge
//! them.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io::{Cursor, Seek};
use std::path::PathBuf;
use std::slice;
use std::sync::Mutex;
use std::time::Duration;

use brandub::game::{
    Bitboard, Game, MoveList, Position, Rules, RulesetTable, SQUARES, Side, Square, Symmetry,
};
use brandub::solver::check::{CheckError, Steps};
use brandub::solver::exact::{Probe, Value};
use brandub::solver::follow::{Winning, winning_move};
use brandub::solver::{
    Certificate, CertificateFile, CheckpointError, Claim, First, Options, Replies, Search, Step,
    StrategyError, Verdict, carry, check, ranking::Ranking, shorten,
};

#[path = "exhaustive/mod.rs"]
mod exhaustive;

use exhaustive::Proof;
use exhaustive::row::Row;

/// Without optimization the longer wins and the larger endings take minutes.
const LONGEST: u8 = if cfg!(debug_assertions) { 5 } else { 11 };
const ATTACKERS: usize = if cfg!(debug_assertions) { 1 } else { 2 };
const NODES: u64 = 2_000_000;
const SMALL: Options = Options::new(1 << 20);

fn rows() -> Vec<(Row, Rules)> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/data/tactics.jsonl");
    let text = fs::read_to_string(path).expect("the table can be read");
    let rows = text
        .lines()
        .map(|line| Row::read(line).expect("a position"));
    rows.filter(|row| row.plies <= LONGEST)
        .map(|row| {
            let rules = Rules::new(row.ruleset().expect("a ruleset"));
            (row, rules)
        })
        .collect()
}

fn rules(toml: &str) -> Rules {
    let table: RulesetTable = toml::from_str(toml).expect("axes");
    Rules::new(table.resolve().expect("a ruleset"))
}

fn certified(search: &mut Search, root: &Position) -> Certificate {
    let certificate = search.strategy(root, NODES, &[], &mut |_, _| true);
    let certificate = certificate.expect("a strategy");
    if let Err(error) = check::check(&certificate, &mut |_| ()) {
        panic!("{}: {error}", root.to_otn());
    }
    certificate
}

/// The certificate of a row's win, if so much work of both engines finds it.
fn proved(row: &Row, rules: &Rules) -> Option<Certificate> {
    let options = Options::new(1 << 24);
    let mut search = Search::new(rules, row.position.side, options).unwrap();
    for by_depth in [true, false] {
        let found = match by_depth {
            true => search.solve_by_depth(&row.position, 100_000, &mut |_| true),
            false => search.solve(&row.position, 200_000, &mut |_| true),
        };
        match found {
            Verdict::Proved { .. } => return Some(certified(&mut search, &row.position)),
            Verdict::Exhausted => panic!("{}: there is a win", row.position.to_otn()),
            Verdict::Open => {}
        }
    }
    None
}

fn written(certificate: &Certificate) -> Vec<u8> {
    let mut bytes = Vec::new();
    certificate.write(&mut bytes).unwrap();
    bytes
}

/// A certificate with some steps, and its rules.
fn example() -> (Certificate, Rules) {
    let all = rows().into_iter();
    let longest = all.filter(|(row, _)| row.plies == LONGEST.min(7));
    longest
        .filter_map(|(row, rules)| Some((proved(&row, &rules)?, rules)))
        .find(|(certificate, _)| certificate.steps.len() >= 4)
        .expect("some win takes four steps")
}

#[test]
fn every_known_win_is_proved_and_certified_and_never_for_the_other_side() {
    let mut missed = Vec::new();
    for (row, rules) in rows() {
        if let Some(certificate) = proved(&row, &rules) {
            assert!(certificate.claim.plies >= u16::from(row.plies));
            let (read, _) = Certificate::read(&mut written(&certificate).as_slice()).unwrap();
            assert_eq!(read, certificate);
        } else {
            missed.push((row.plies, row.position.to_otn()));
        }

        let other = row.position.side.other();
        let mut search = Search::new(&rules, other, SMALL).unwrap();
        let verdict = search.solve(&row.position, 2_000, &mut |_| true);
        assert!(
            !matches!(verdict, Verdict::Proved { .. }),
            "{}: both sides win",
            row.position.to_otn()
        );
    }
    assert!(missed.is_empty(), "{missed:?}");
}

/// Proof numbers alone: a few quiet wins take them more.
#[test]
fn proof_numbers_find_nearly_every_known_win() {
    let (mut found, mut missed) = (0, Vec::new());
    for (row, rules) in rows() {
        let mut search = Search::new(&rules, row.position.side, Options::new(1 << 24)).unwrap();
        match search.solve(&row.position, 200_000, &mut |_| true) {
            Verdict::Proved { .. } => found += 1,
            _ => missed.push((row.plies, row.position.to_otn())),
        }
    }
    assert!(found > 0 && missed.len() <= 4, "{missed:?}");
}

#[test]
fn a_shortened_certificate_holds_and_takes_no_more_plies_or_steps() {
    let (mut plies, mut steps) = (0, 0);
    for (row, rules) in rows() {
        let mut search = Search::new(&rules, row.position.side, Options::new(1 << 24)).unwrap();
        let verdict = search.solve(&row.position, 20_000, &mut |_| true);
        if !matches!(verdict, Verdict::Proved { .. }) {
            continue;
        }
        let long = certified(&mut search, &row.position);
        let short = shorten(&long, &mut |_, _| true).unwrap();
        assert!(check::check(&short, &mut |_| ()).is_ok());
        assert!(short.claim.plies >= u16::from(row.plies));
        assert!(short.claim.plies <= long.claim.plies && short.steps.len() <= long.steps.len());
        assert_eq!(shorten(&short, &mut |_, _| true).unwrap(), short);
        plies += long.claim.plies - short.claim.plies;
        steps += long.steps.len() - short.steps.len();
    }
    assert!(
        plies > 0 && steps > 0,
        "{plies} plies and {steps} steps fewer"
    );
}

/// Nothing but the move itself says of such a win that it is one: nobody can move after
/// it. A step may say it, and need not.
#[test]
fn a_move_that_leaves_no_move_wins_with_or_without_a_step() {
    let safe = "no_moves = \"loses\"\nking_capture = \"four\"\nking_edge = \"safe\"\ncorners_hostile = \"none\"";
    let rules = rules(safe);
    let root = Position::from_otn("/2tK3/3t3/4t2/7/7/7/7/", Side::Attackers).unwrap();
    let claim = Claim {
        ruleset: *rules.ruleset(),
        root,
        winner: Side::Attackers,
        plies: 1,
    };
    let without = Certificate {
        claim,
        steps: Vec::new(),
    };
    assert!(check::check(&without, &mut |_| ()).is_ok());
    let (mut steps, _) = CertificateFile::open(Cursor::new(written(&without))).unwrap();
    let found = winning_move(&mut steps, &rules, &root).unwrap().unwrap();
    let after = rules.play(&root, found.ply).position;
    assert_eq!(rules.ending(&after).unwrap().winner, Some(Side::Attackers));
    let sooner = Certificate {
        claim: Claim { plies: 0, ..claim },
        steps: Vec::new(),
    };
    assert!(check::check(&sooner, &mut |_| ()).is_err());
    // Whoever cannot move draws: then it is no win.
    let draws = safe.replace("loses", "draw");
    let other = Claim {
        ruleset: *self::rules(&draws).ruleset(),
        ..claim
    };
    let drawn = Certificate {
        claim: other,
        steps: Vec::new(),
    };
    assert!(check::check(&drawn, &mut |_| ()).is_err());
}

/// What was found until then is a certificate, too.
#[test]
fn a_shortening_may_be_ended_at_any_time() {
    let long = published("68fd953cd2f6-d1-e1-defenders.proof");
    for end in [0, 1 << 14, 1 << 15] {
        let mut asked = Vec::new();
        let short = shorten(&long, &mut |looked_at, _| {
            asked.push(looked_at);
            looked_at < end
        });
        let short = short.unwrap();
        assert_eq!(asked.last(), Some(&end), "{asked:?}");
        assert!(check::check(&short, &mut |_| ()).is_ok());
        assert!(short.claim.plies <= long.claim.plies && short.steps.len() <= long.steps.len());
    }
}

/// Jobs too small for the whole win, put together.
#[test]
fn a_tree_of_jobs_finds_wins_that_take_more_than_one() {
    let (mut found, mut by_more, mut missed) = (0, 0, Vec::new());
    for (row, rules) in rows() {
        let search = |side| Search::new(&rules, side, Options::new(1 << 24)).unwrap();
        let mut whole = search(row.position.side);
        let verdict = whole.solve_by_jobs(&row.position, 200, 20_000, &mut |_| true);
        assert!(whole.nodes() <= 20_000);
        if let Verdict::Proved { plies } = verdict {
            assert!(plies >= u16::from(row.plies));
            found += 1;
            let alone = search(row.position.side).solve(&row.position, 200, &mut |_| true);
            if !matches!(alone, Verdict::Proved { .. }) {
                by_more += 1;
                certified(&mut whole, &row.position);
            }
        } else {
            missed.push((row.plies, row.position.to_otn()));
        }
        let mut other = search(row.position.side.other());
        let verdict = other.solve_by_jobs(&row.position, 50, 2_000, &mut |_| true);
        assert!(!matches!(verdict, Verdict::Proved { .. }));
    }
    assert!(
        found > 9 * missed.len() && by_more > 0,
        "{found} found, {by_more} by more than one job; not {missed:?}"
    );
}

/// Turns too small for the whole win, one after the other.
#[test]
fn turns_find_wins_that_take_more_than_one_and_add_up_to_what_is_allowed() {
    turns_find_wins(1);
}

#[test]
fn turns_of_several_threads_do_so_too() {
    turns_find_wins(3);
}

fn turns_find_wins(threads: u16) {
    let options = Options {
        threads,
        ..Options::new(1 << 24)
    };
    let (mut found, mut by_more, mut missed) = (0, 0, Vec::new());
    for (row, rules) in rows() {
        let search = |side| Search::new(&rules, side, options).unwrap();
        let mut whole = search(row.position.side);
        let mut told = 0;
        let verdict = whole.solve_in_turn(&row.position, 200, 20_000, &mut |progress| {
            told = told.max(progress.nodes);
            true
        });
        assert!(told <= whole.nodes() && whole.nodes() <= 20_000);
        if let Verdict::Proved { plies } = verdict {
            assert!(plies >= u16::from(row.plies));
            found += 1;
            if whole.nodes() > 200 {
                by_more += 1;
                certified(&mut whole, &row.position);
            }
        } else {
            missed.push((row.plies, row.position.to_otn()));
        }
        let mut other = search(row.position.side.other());
        let verdict = other.solve_in_turn(&row.position, 50, 2_000, &mut |_| true);
        assert!(!matches!(verdict, Verdict::Proved { .. }));
        assert!(other.nodes() <= 2_000);
    }
    assert!(
        found > 9 * missed.len() && by_more > 0,
        "{found} found, {by_more} by more than one turn; not {missed:?}"
    );
}

/// The search by depth never says that a win is shorter than exhaustive search says,
/// and mostly the same.
#[test]
fn the_search_by_depth_finds_the_shortest_wins() {
    let (mut found, mut shortest) = (0, 0);
    for (row, rules) in rows() {
        let mut search = Search::new(&rules, row.position.side, Options::new(1 << 24)).unwrap();
        let verdict = search.solve_by_depth(&row.position, 400_000, &mut |_| true);
        if let Verdict::Proved { plies } = verdict {
            assert!(plies >= u16::from(row.plies), "{}", row.position.to_otn());
            found += 1;
            shortest += usize::from(plies == u16::from(row.plies));
        }
    }
    let all = rows().len();
    assert!(found + 1 >= all, "{found} of {all}");
    assert!(10 * shortest >= 9 * all, "{shortest} of {all}");
}

/// Ended again and again, it goes on where it was and comes to the same win.
#[test]
fn the_search_by_depth_goes_on_where_it_was_ended() {
    let all = rows();
    let (row, rules) = all.iter().max_by_key(|(row, _)| row.plies).unwrap();
    let new = || Search::new(rules, row.position.side, SMALL).unwrap();
    let mut whole = new();
    let verdict = whole.solve_by_depth(&row.position, NODES, &mut |_| true);
    assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
    let part = (whole.nodes() / 5).max(200);
    let mut parts = new();
    let mut calls = 0;
    loop {
        calls += 1;
        match parts.solve_by_depth(&row.position, part, &mut |_| true) {
            Verdict::Open => assert_eq!(parts.nodes(), calls * part),
            found => {
                assert_eq!(found, verdict);
                break;
            }
        }
        assert!(calls < 100, "it comes to nothing");
    }
    assert!(calls > 1);
}

/// Whoever knows every win within so many plies, by exhaustive search.
struct Known<'r> {
    proof: Mutex<Proof<'r>>,
    winner: Side,
    plies: u8,
}

impl Probe for Known<'_> {
    fn probe(&self, position: &Position) -> Option<Value> {
        let mut proof = self.proof.lock().unwrap();
        if position.side == self.winner {
            let plies = proof.shortest(position, self.plies).unwrap()?;
            return Some(Value::Win { plies });
        }
        let least = (2..self.plies).step_by(2);
        let mut lost = least.filter(|&plies| proof.forces(position, plies).unwrap());
        lost.next().map(|plies| Value::Loss { plies })
    }
}

/// Exact values decide positions, and are written out to the end of the game
/// in the certificate, which rests on the rules alone.
#[test]
fn exact_values_shorten_the_search_and_not_the_certificate() {
    let (mut fewer, mut steps, mut count) = (0, 0, 0);
    let rows = rows().into_iter();
    let few = rows.filter(|(row, _)| row.plies == LONGEST.min(7));
    for (row, rules) in few.filter(|(row, _)| row.position.occupied().len() <= 9) {
        let winner = row.position.side;
        let known = Known {
            proof: Mutex::new(Proof::new(&rules, winner, u64::MAX)),
            winner,
            plies: LONGEST.min(7) - 2,
        };
        let mut with = Search::new(&rules, winner, SMALL).unwrap();
        with.know(&known, 9);
        let mut without = Search::new(&rules, winner, SMALL).unwrap();
        for search in [&mut with, &mut without] {
            let verdict = search.solve_by_depth(&row.position, NODES, &mut |_| true);
            assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
        }
        fewer += usize::from(with.nodes() < without.nodes());
        let [long, short] = [&mut without, &mut with].map(|search| {
            let certificate = certified(search, &row.position);
            (certificate.claim.plies, certificate.steps.len())
        });
        // A win of five plies that the search never looked into is written out.
        assert!(short.0 >= u16::from(row.plies), "{short:?}");
        assert!(2 * short.1 >= long.1, "{short:?}, without them {long:?}");
        steps += short.1;
        count += 1;
    }
    assert!(count >= 5 && 2 * fewer > count, "{fewer} of {count}");
    assert!(steps > count, "{steps}");
}

#[test]
fn few_candidates_prove_nothing_that_is_not_so() {
    let options = Options {
        candidates: Some(4),
        ..SMALL
    };
    let mut found = 0;
    for (row, rules) in rows().into_iter().step_by(3) {
        let mut search = Search::new(&rules, row.position.side, options).unwrap();
        if let Verdict::Proved { .. } = search.solve(&row.position, 50_000, &mut |_| true) {
            certified(&mut search, &row.position);
            found += 1;
        }
    }
    assert!(found >= 10, "{found}");
}

/// Every position of the king and up to so many attackers in which the game goes on.
fn endings(rules: &Rules) -> Vec<Position> {
    let mut sets = vec![Bitboard::EMPTY];
    for square in (0..SQUARES).map(Square::new) {
        for set in sets.clone() {
            if (set.len() as usize) < ATTACKERS {
                sets.push(set | Bitboard::of(square));
            }
        }
    }
    let mut all = Vec::new();
    for attackers in sets {
        for king in Square::all().map(Bitboard::of) {
            for side in Side::BOTH {
                let position = Position {
                    attackers,
                    defenders: Bitboard::EMPTY,
                    king,
                    side,
                };
                let apart = !attackers.meets(king) && rules.admit(&position).is_ok();
                if apart && rules.ending(&position).is_none() {
                    all.push(position);
                }
            }
        }
    }
    all
}

/// The positions from which a side forces a win, however long it takes, by nothing but the
/// definition: those from which it wins with the next move, those from which it can go to one of
/// them or the other side has to, and so on.
fn forced(rules: &Rules, winner: Side, all: &[Position]) -> HashSet<[u64; 2]> {
    let mut won = HashSet::new();
    let mut list = MoveList::new();
    loop {
        let before = won.len();
        for position in all {
            if won.contains(&position.key()) {
                continue;
            }
            rules.moves(position, &mut list);
            let mut wins = list.iter().map(|&ply| {
                let after = rules.play(position, ply).position;
                match rules.ending(&after) {
                    Some(outcome) => outcome.winner == Some(winner),
                    None => won.contains(&after.key()),
                }
            });
            let forced = if position.side == winner {
                wins.any(|wins| wins)
            } else {
                wins.all(|wins| wins)
            };
            if forced {
                won.insert(position.key());
            }
        }
        if won.len() == before {
            return won;
        }
    }
}

/// One table for all positions, asked in an order of its own: what it keeps from one line must be
/// true on another, or some answer here is wrong.
#[test]
fn endings_full_of_repetitions_are_answered_as_the_definition_says() {
    let mut counts = HashMap::new();
    let (mut won_by_jobs, mut won_in_turn) = (0, 0);
    for text in [
        "",
        "king_speed = \"step\"\nking_armed = false",
        "base = \"irish-1\"\nking_speed = \"step\"",
    ] {
        let rules = rules(text);
        let all = endings(&rules);
        for winner in Side::BOTH {
            let won = forced(&rules, winner, &all);
            let mut search = Search::new(&rules, winner, Options::new(1 << 24)).unwrap();
            let mut by_jobs = Search::new(&rules, winner, Options::new(1 << 24)).unwrap();
            let mut in_turn = Search::new(&rules, winner, Options::new(1 << 24)).unwrap();
            for index in 0..all.len().min(80) {
                let position = all[index * 7919 % all.len()];
                let verdict = search.solve(&position, 20_000, &mut |_| true);
                let is_won = won.contains(&position.key());
                // Where nobody wins, the search may take for ever to have seen it all.
                match verdict {
                    Verdict::Proved { .. } => assert!(is_won, "{winner}: {position}"),
                    _ => assert!(!is_won, "{winner} {verdict:?}: {position}"),
                }
                *counts
                    .entry((winner, verdict != Verdict::Open, is_won))
                    .or_insert(0) += 1;
                if is_won && index % 10 == 0 {
                    certified(&mut search, &position);
                }
                let verdict = by_jobs.solve_by_jobs(&position, 20, 20_000, &mut |_| true);
                if let Verdict::Proved { .. } = verdict {
                    assert!(is_won, "{winner}, by jobs: {position}");
                    won_by_jobs += 1;
                }
                let verdict = in_turn.solve_in_turn(&position, 20, 20_000, &mut |_| true);
                if let Verdict::Proved { .. } = verdict {
                    assert!(is_won, "{winner}, in turn: {position}");
                    won_in_turn += 1;
                }
            }
        }
    }
    for (kind, least) in [
        ((Side::Defenders, true, true), 20),
        ((Side::Defenders, true, false), 1),
        ((Side::Attackers, true, false), 20),
    ] {
        assert!(counts.get(&kind) >= Some(&least), "{counts:?}");
    }
    assert!(
        won_by_jobs >= 20 && won_in_turn >= 20,
        "{won_by_jobs} {won_in_turn}"
    );
}

#[test]
fn a_certificate_with_one_byte_changed_missing_or_added_is_refused() {
    let bytes = written(&example().0);
    for place in 0..bytes.len() {
        for change in [1, 0x80, 0xff] {
            let mut changed = bytes.clone();
            changed[place] ^= change;
            let read = Certificate::read(&mut changed.as_slice());
            assert!(read.is_err(), "byte {place} ^ {change:#x}");
        }
        assert!(Certificate::read(&mut &bytes[..place]).is_err(), "{place}");
    }
    let longer = [bytes.as_slice(), &[0]].concat();
    assert!(Certificate::read(&mut longer.as_slice()).is_err());
    assert!(Certificate::read(&mut bytes.as_slice()).is_ok());
}

/// Whoever forges a certificate can also write its checksum anew.
#[test]
fn a_certificate_with_another_move_passes_only_if_that_move_wins_as_soon() {
    let (certificate, rules) = example();
    let winner = certificate.claim.winner;
    let ranking = Ranking::of(&certificate.claim.root).unwrap();
    let mut proof = Proof::new(&rules, winner, u64::MAX);
    let mut refused = 0;
    for index in 0..certificate.steps.len() {
        let step = certificate.steps[index];
        let position = ranking.position(step.number, winner).unwrap();
        let mut list = MoveList::new();
        rules.moves(&position, &mut list);
        for choice in (0..=list.len()).filter(|&choice| choice != usize::from(step.choice)) {
            let mut forged = certificate.clone();
            forged.steps[index].choice = choice as u16;
            if check::check(&forged, &mut |_| ()).is_err() {
                refused += 1;
                continue;
            }
            let after = rules.play(&position, list[choice]).position;
            let wins = proof.forces(&after, step.plies as u8 - 1).unwrap();
            assert!(wins, "{} in {}", list[choice], position.to_otn());
        }
    }
    assert!(refused >= 4 * certificate.steps.len(), "{refused}");
}

#[test]
fn a_certificate_that_claims_more_or_shows_less_is_refused() {
    let (certificate, _) = example();
    let refuse = |change: &dyn Fn(&mut Certificate)| {
        let mut forged = certificate.clone();
        change(&mut forged);
        let error = check::check(&forged, &mut |_| ()).expect_err("forged");
        error.to_string()
    };
    let sooner = refuse(&|forged| forged.claim.plies -= 1);
    assert!(sooner.contains("are left"), "{sooner}");
    refuse(&|forged| forged.claim.winner = forged.claim.winner.other());
    for index in 0..certificate.steps.len() {
        let missing = refuse(&|forged| {
            forged.steps.remove(index);
        });
        assert!(missing.contains("no step for"), "{missing}");
        let quick = refuse(&|forged| forged.steps[index].plies -= 2);
        assert!(quick.contains("left"), "{quick}");
    }
    let nowhere = refuse(&|forged| {
        forged.steps.push(Step {
            number: u64::MAX,
            choice: 0,
            plies: 1,
        });
    });
    assert!(nowhere.contains("no position's number"), "{nowhere}");
    let corner = refuse(&|forged| forged.claim.root.attackers |= Bitboard::CORNERS);
    assert!(corner.contains("corner"), "{corner}");
}

/// A game that is drawn is no win of anybody: not at the root, not by the winner's move, not
/// by a reply, and not within three plies.
#[test]
fn a_drawn_end_is_no_win() {
    let at = |otn: &str, side| Position::from_otn(otn, side).expect("a position");
    let told = |otn: &str, side, winner, plies, steps: &[Step]| {
        let claim = Claim {
            ruleset: *rules("").ruleset(),
            root: at(otn, side),
            winner,
            plies,
        };
        let steps = steps.to_vec();
        let error = check::check(&Certificate { claim, steps }, &mut |_| ());
        error.expect_err("nobody wins").to_string()
    };
    let (attackers, defenders) = (Side::Attackers, Side::Defenders);
    // The king is shut in and cannot move, which draws.
    let over = told("/7/7/t6/Kt5/t6/7/7/", defenders, attackers, 0, &[]);
    assert!(over.contains("the game is over there: draw"), "{over}");
    let near = "/7/7/t6/K6/t6/7/1t5/";
    let number = Ranking::of(&at(near, attackers)).and_then(|all| all.number(&at(near, attackers)));
    let number = number.expect("a number");
    let refusals = (0..40).map(|choice| {
        let step = Step {
            number,
            choice,
            plies: 1,
        };
        told(near, attackers, attackers, 1, &[step])
    });
    let draws = refusals.filter(|error| error.contains(": ends the game: draw"));
    assert_eq!(draws.count(), 1);
    // Whatever else the attackers play, the king gets away in three plies at most.
    let shut = told(near, attackers, defenders, 4, &[]);
    assert!(shut.contains("b7-b4: ends the game: draw"), "{shut}");
    // The king takes the last attacker, which draws; and steps out in more than three.
    let step = rules("king_speed = \"step\"");
    let last = at("/7/1tT4/K6/7/7/7/7/", defenders);
    assert_eq!(check::short_win(&step, &last), None);
}

/// Whichever image of a position is on the board: the move is legal, and every reply to it is
/// won sooner.
#[test]
fn the_winners_move_wins_in_every_image() {
    let certificate = published("0460b7c9b1cb-d2-f2-attackers.proof");
    let rules = Rules::new(certificate.claim.ruleset);
    let winner = certificate.claim.winner;
    let ranking = Ranking::of(&certificate.claim.root).unwrap();
    let bytes = written(&certificate);
    let (mut steps, _) = CertificateFile::open(Cursor::new(&bytes)).unwrap();
    for step in certificate.steps.iter().step_by(293) {
        let folded = ranking.position(step.number, winner).unwrap();
        for symmetry in Symmetry::all() {
            let position = folded.image(symmetry);
            let winning = winning_move(&mut steps, &rules, &position).unwrap();
            let Winning { ply, plies } = winning.expect("a move");
            assert_eq!(plies, step.plies);
            assert!(
                rules.is_legal(&position, ply),
                "{ply} in {}",
                position.to_otn()
            );
            let after = rules.play(&position, ply).position;
            if let Some(outcome) = rules.ending(&after) {
                assert_eq!(outcome.winner, Some(winner));
            } else {
                let left = check::plies_from(&mut steps, *rules.ruleset(), after).unwrap();
                assert!(left < plies, "{left} after {plies}");
            }
            // The other side has no move by these steps.
            let other = Position {
                side: winner.other(),
                ..position
            };
            assert_eq!(winning_move(&mut steps, &rules, &other).unwrap(), None);
        }
    }
}

/// From where its strategy leads, within fewer plies than from its root; from where it does not
/// lead, not at all.
#[test]
fn a_certificate_shows_the_win_from_the_positions_it_leads_to_and_no_other() {
    let (certificate, rules) = example();
    let bytes = written(&certificate);
    let (mut steps, _) = CertificateFile::open(Cursor::new(&bytes)).unwrap();
    let count = steps.count();
    let own = certificate.claim;
    let mut moves = MoveList::new();
    rules.moves(&own.root, &mut moves);
    let (mut leads, mut elsewhere) = (0, 0);
    for ply in moves {
        let after = rules.play(&own.root, ply).position;
        if rules.ending(&after).is_some() {
            continue;
        }
        let found = check::plies_from(&mut steps, own.ruleset, after);
        let mut holds = |plies: u16| {
            let claim = Claim {
                root: after,
                plies,
                ..own
            };
            check::check_part_of(&mut steps, claim, 0..count, &mut |_| ()).is_ok()
        };
        if let Ok(plies) = found {
            assert!(holds(plies) && !holds(plies - 1), "{ply}: {plies}");
            leads += u32::from(plies < own.plies);
        } else {
            assert!(!holds(u16::MAX), "{ply}");
            elsewhere += 1;
        }
    }
    assert!(leads > 0 && elsewhere > 0, "{leads}, {elsewhere}");
    let other = Claim {
        winner: own.winner.other(),
        ..own
    };
    let error = check::check_part_of(&mut steps, other, 0..count, &mut |_| ()).unwrap_err();
    assert!(error.to_string().contains("win by these steps"), "{error}");
}

/// A file that is cut short once it is open: nothing is said of what it shows.
#[test]
fn steps_that_cannot_be_read_any_more_are_no_refusal() {
    let (certificate, rules) = example();
    let mut file = tempfile::tempfile().unwrap();
    certificate.write(&mut file).unwrap();
    file.rewind().unwrap();
    let (mut steps, _) = CertificateFile::open(file.try_clone().unwrap()).unwrap();
    file.set_len(8).unwrap();
    let Claim { ruleset, root, .. } = certificate.claim;
    let error = check::check_steps(&mut steps, &mut |_| ()).unwrap_err();
    assert!(matches!(error, CheckError::Unreadable(_)), "{error}");
    let mut moves = MoveList::new();
    rules.moves(&root, &mut moves);
    let errors: Vec<CheckError> = moves
        .into_iter()
        .filter_map(|ply| {
            let after = rules.play(&root, ply).position;
            check::plies_from(&mut steps, ruleset, after).err()
        })
        .collect();
    let unreadable = |error: &CheckError| matches!(error, CheckError::Unreadable(_));
    assert!(errors.iter().any(unreadable), "{errors:?}");
}

/// The king walks about in the middle for ever; every position has a step, and none leads out.
#[test]
fn a_cycle_is_no_proof() {
    let rules = rules("king_capture = \"four\"");
    let root = Position::from_otn("/1t5/7/3K3/7/7/7/7/", Side::Defenders).unwrap();
    let ranking = Ranking::of(&root).unwrap();
    let mut steps = Vec::new();
    let inside = !Bitboard::EDGES;
    for king in inside.into_iter().map(Bitboard::of) {
        for attacker in Square::all().map(Bitboard::of) {
            let position = Position {
                attackers: attacker,
                king,
                ..root
            };
            if attacker.meets(king) || rules.admit(&position).is_err() {
                continue;
            }
            let number = ranking.number(&position).unwrap();
            let form = ranking.position(number, root.side).unwrap();
            let mut list = MoveList::new();
            rules.moves(&form, &mut list);
            if let Some(choice) = list.iter().position(|ply| inside.contains(ply.to)) {
                steps.push(Step {
                    number,
                    choice: choice as u16,
                    plies: 99,
                });
            }
        }
    }
    steps.sort_by_key(|step| step.number);
    steps.dedup();
    let claim = Claim {
        ruleset: *rules.ruleset(),
        root,
        winner: Side::Defenders,
        plies: 99,
    };
    let error = check::check(&Certificate { claim, steps }, &mut |_| ()).expect_err("a cycle");
    assert!(
        error.to_string().contains("99 plies where 97 are left"),
        "{error}"
    );
}

#[test]
fn a_search_taken_up_again_comes_to_the_same_answer() {
    let all = rows();
    let (row, rules) = all.iter().max_by_key(|(row, _)| row.plies).unwrap();
    let side = row.position.side;
    let mut saved: Option<Vec<u8>> = None;
    for _ in 0..10_000 {
        // Allowed fewer positions than its lines are long, it would come to
        // nothing each time.
        let mut search = Search::new(rules, side, SMALL).unwrap();
        if let Some(bytes) = &saved {
            search
                .restore(&row.position, &mut bytes.as_slice())
                .unwrap();
        }
        let before = search.nodes();
        let verdict = search.solve(&row.position, 60, &mut |_| true);
        if let Verdict::Proved { .. } = verdict {
            assert!(saved.is_some(), "it took no interruption");
            certified(&mut search, &row.position);
            return;
        }
        assert_eq!(search.nodes() - before, 60);
        let mut bytes = Vec::new();
        search
            .save(&row.position, Duration::ZERO, &mut bytes)
            .unwrap();
        saved = Some(bytes);
    }
    panic!("never proved");
}

/// How a question is asked for a few positions more.
type Asked = fn(&mut Search, &Position) -> Verdict;

#[test]
fn jobs_and_turns_taken_up_again_and_again_come_to_their_win() {
    let by_jobs: Asked = |search, root| search.solve_by_jobs(root, 10, 25, &mut |_| true);
    let in_turn: Asked = |search, root| search.solve_in_turn(root, 10, 25, &mut |_| true);
    for asked in [by_jobs, in_turn] {
        comes_to_its_win(asked);
    }
}

fn comes_to_its_win(asked: Asked) {
    let all = rows();
    let quick = all.iter().filter(|(row, _)| row.plies <= 7);
    let (row, rules) = quick.max_by_key(|(row, _)| row.plies).unwrap();
    let new = || Search::new(rules, row.position.side, SMALL).unwrap();
    let saved = |search: &Search| {
        let mut bytes = Vec::new();
        search
            .save(&row.position, Duration::ZERO, &mut bytes)
            .unwrap();
        bytes
    };
    let mut search = new();
    for calls in 0..10_000 {
        if let Verdict::Proved { .. } = asked(&mut search, &row.position) {
            assert!(calls > 0, "it took no interruption");
            certified(&mut search, &row.position);
            return;
        }
        let bytes = saved(&search);
        let mut again = new();
        again.restore(&row.position, &mut bytes.as_slice()).unwrap();
        assert_eq!(saved(&again), bytes);
        search = again;
    }
    panic!("never proved");
}

#[test]
fn a_checkpoint_that_is_damaged_or_of_another_question_is_refused() {
    let (row, rules) = rows().swap_remove(0);
    let side = row.position.side;
    let new = |side, options| Search::new(&rules, side, options).unwrap();
    let mut search = new(side, SMALL);
    search.solve_by_jobs(&row.position, 40, NODES, &mut |_| true);
    let mut bytes = Vec::new();
    search
        .save(&row.position, Duration::ZERO, &mut bytes)
        .unwrap();
    assert!(
        new(side, SMALL)
            .restore(&row.position, &mut bytes.as_slice())
            .is_ok()
    );
    for place in (0..bytes.len()).step_by(7) {
        let mut changed = bytes.clone();
        changed[place] ^= 1;
        let restored = new(side, SMALL).restore(&row.position, &mut changed.as_slice());
        assert!(restored.is_err(), "byte {place}");
        let cut = new(side, SMALL).restore(&row.position, &mut &bytes[..place]);
        assert!(cut.is_err(), "{place} bytes");
    }
    let counted = Options {
        first: First::Counted,
        ..SMALL
    };
    for (side, options, what) in [
        (side.other(), SMALL, "side"),
        (side, Options::new(1 << 21), "memory"),
        (side, counted, "beginning"),
    ] {
        let restored = new(side, options).restore(&row.position, &mut bytes.as_slice());
        match restored {
            Err(CheckpointError::Different { what: named, .. }) => assert_eq!(named, what),
            other => panic!("{other:?}"),
        }
    }
}

#[test]
fn what_another_search_has_decided_need_not_be_searched_again() {
    let mut taken = 0;
    for (row, rules) in rows() {
        let side = row.position.side;
        let new = |side, options| Search::new(&rules, side, options).unwrap();
        let mut search = new(side, SMALL);
        let verdict = search.solve(&row.position, 100_000, &mut |_| true);
        if !matches!(verdict, Verdict::Proved { .. }) || search.nodes() < 100 {
            continue;
        }
        let mut bytes = Vec::new();
        search
            .save(&row.position, Duration::ZERO, &mut bytes)
            .unwrap();

        // Summed, but facts are facts.
        let summed = Options {
            replies: Replies::Summed,
            ..SMALL
        };
        let mut other = new(side, summed);
        let facts = other.take_facts(&mut bytes.as_slice()).unwrap();
        assert!(facts > 0);
        assert_eq!(other.progress().used, facts);
        assert_eq!(other.take_facts(&mut bytes.as_slice()).unwrap(), 0);
        let known = other.solve(&row.position, 1, &mut |_| true);
        assert!(matches!(known, Verdict::Proved { .. }), "{known:?}");
        assert_eq!(other.nodes(), 0);
        certified(&mut other, &row.position);
        taken += 1;
        if taken > 1 {
            continue;
        }

        // A table that was full goes on in a larger one.
        let larger = Options::new(3 * SMALL.memory);
        let mut other = new(side, larger);
        let entries = other.take_facts(&mut bytes.as_slice()).unwrap();
        assert!(entries > 2 * facts && entries <= 3 * facts, "{entries}");
        let known = other.solve(&row.position, 1, &mut |_| true);
        assert!(matches!(known, Verdict::Proved { .. }), "{known:?}");
        certified(&mut other, &row.position);

        for place in (0..bytes.len()).step_by(61) {
            let mut changed = bytes.clone();
            changed[place] ^= 1;
            let refused = new(side, SMALL).take_facts(&mut changed.as_slice());
            assert!(refused.is_err(), "byte {place}");
            let cut = new(side, SMALL).take_facts(&mut &bytes[..place]);
            assert!(cut.is_err(), "{place} bytes");
        }
        for (side, options, what) in [
            (side.other(), SMALL, "side"),
            (side, Options::new(SMALL.memory / 2), "memory"),
            (side, Options::new(SMALL.memory / 2 * 3), "memory"),
        ] {
            match new(side, options).take_facts(&mut bytes.as_slice()) {
                Err(CheckpointError::Different { what: named, .. }) => assert_eq!(named, what),
                refused => panic!("{refused:?}"),
            }
        }
    }
    assert!(taken > 5, "{taken}");
}

#[test]
fn what_a_certificate_has_shown_need_not_be_searched_again() {
    let (certificate, rules) = example();
    let Claim { root, winner, .. } = certificate.claim;
    let mut search = Search::new(&rules, winner, SMALL).unwrap();
    search.learn(&certificate).unwrap();
    assert!(matches!(
        search.solve(&root, 0, &mut |_| true),
        Verdict::Proved { .. }
    ));
    let again = certified(&mut search, &root);
    assert!(again.claim.plies <= certificate.claim.plies);

    // For the other side it is no more than advice.
    let mut other = Search::new(&rules, winner.other(), SMALL).unwrap();
    other.learn(&certificate).unwrap();
    let verdict = other.solve(&root, 1_000, &mut |_| true);
    assert!(!matches!(verdict, Verdict::Proved { .. }));
}

/// A published certificate of a first move, or of the start.
fn published(name: &str) -> Certificate {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("results/solved/openings/proofs");
    let bytes = fs::read(folder.join(name)).expect("the file can be read");
    let (certificate, _) = Certificate::read(&mut bytes.as_slice()).expect("a certificate");
    certificate
}

#[test]
fn a_strategy_goes_on_by_the_certificates_it_comes_to() {
    // The start falls to the proofs after the first moves: the defenders' after
    // all of them, the attackers' after one. Nothing is searched.
    for (ruleset, side, after) in [
        (
            "4a4cd7909025",
            "defenders",
            &["d2-g2", "d2-f2", "d2-e2", "d1-f1", "d1-e1"][..],
        ),
        ("04ea63c0226b", "attackers", &["d2-e2"]),
    ] {
        let name = |place: &str| format!("{ruleset}-{place}-{side}.proof");
        let known: Vec<Certificate> = after.iter().map(|ply| published(&name(ply))).collect();
        let start = published(&name("start")).claim;
        let rules = Rules::new(start.ruleset);
        let mut search = Search::new(&rules, start.winner, Options::new(1 << 26)).unwrap();
        for certificate in &known {
            search.learn(certificate).unwrap();
        }
        let found = search.solve(&start.root, 100, &mut |_| true);
        assert!(matches!(found, Verdict::Proved { .. }), "{found:?}");
        let whole = search.strategy(&start.root, 0, &known, &mut |_, _| true);
        let whole = whole.expect("a strategy");
        let longest = known.iter().map(|part| part.claim.plies).max();
        assert_eq!(Some(whole.claim.plies - 1), longest);
        // Every position of the parts has a step that is as quick.
        let most = known.iter().map(|part| part.steps.len()).max();
        assert!(Some(whole.steps.len()) >= most);
        for part in &known {
            for step in &part.steps {
                let place = whole.steps.binary_search_by_key(&step.number, |s| s.number);
                let place = place.expect("a step for the position");
                assert!(whole.steps[place].plies <= step.plies);
            }
        }
        if let Err(error) = check::check(&whole, &mut |_| ()) {
            panic!("{side}: {error}");
        }

        // One of the other side, or under other rules, is left out.
        let strange = published(if side == "attackers" {
            "4a4cd7909025-d2-e2-defenders.proof"
        } else {
            "04ea63c0226b-d2-e2-attackers.proof"
        });
        let root = strange.claim.root;
        let mut search = Search::new(&rules, start.winner, SMALL).unwrap();
        let with_it = search.strategy(&root, 0, &[strange], &mut |_, _| true);
        assert!(with_it.is_err());
    }
}

#[test]
fn a_strategy_goes_on_from_the_middle_of_a_certificate() {
    let known = published("68fd953cd2f6-d2-g2-defenders.proof");
    let Claim {
        ruleset, winner, ..
    } = known.claim;
    let rules = Rules::new(ruleset);
    let numbers = Ranking::of(&known.claim.root).unwrap();
    // Some of the positions that the longest wins begin with, with fewer men than
    // the root, so that they are numbered otherwise, among them.
    let mut steps = known.steps.clone();
    steps.sort_by_key(|step| std::cmp::Reverse(step.plies));
    let mut fewer_men = 0;
    for step in steps.iter().take(60) {
        let root = numbers.position(step.number, winner).unwrap();
        fewer_men += u32::from(root.soldiers().len() < known.claim.root.soldiers().len());
        let mut search = Search::new(&rules, winner, SMALL).unwrap();
        let part = search
            .strategy(&root, 0, slice::from_ref(&known), &mut |_, _| true)
            .expect("a strategy");
        assert_eq!(search.nodes(), 0);
        assert!(part.claim.plies <= step.plies);
        let theirs = Ranking::of(&root).unwrap();
        for step in &part.steps {
            let position = theirs.position(step.number, winner).unwrap();
            let number = numbers.number(&position).unwrap();
            let place = known.steps.binary_search_by_key(&number, |s| s.number);
            assert_eq!(
                known.steps[place.expect("a step of the certificate")].choice,
                step.choice
            );
        }
        assert!(check::check(&part, &mut |_| ()).is_ok());
    }
    assert!(fewer_men > 10, "{fewer_men}");
}

#[test]
fn what_holds_of_a_certificate_under_other_rules_is_one_under_those() {
    let known = published("68fd953cd2f6-d2-g2-defenders.proof");
    let Claim { root, winner, .. } = known.claim;
    let theirs = Rules::new(known.claim.ruleset);
    let numbers = Ranking::of(&root).unwrap();
    let moved = |rules: &Rules, numbers: &Ranking, step: &Step| {
        let position = numbers.position(step.number, winner).unwrap();
        let mut list = MoveList::new();
        rules.moves(&position, &mut list);
        (position, list[usize::from(step.choice)])
    };
    let mut kept = Vec::new();
    for other in [
        // No line of a certificate repeats a position.
        "king_capture = \"four\"\nrepetition = { count = 3, result = \"attackers\" }",
        "king_capture = \"four\"\nking_return = false",
        "king_capture = \"four\"\nthrone_hostile = \"none\"",
        "king_capture = \"four\"\nking_armed = false",
        "king_capture = \"four\"\nthrone_pass = \"nobody\"",
        "king_capture = \"two\"",
    ] {
        let rules = rules(other);
        let carried = carry(&known, &rules).unwrap().expect("some steps hold");
        if let Err(error) = check::check(&carried, &mut |_| ()) {
            panic!("{other}: {error}");
        }
        let claim = carried.claim;
        assert_eq!((claim.ruleset, claim.winner), (*rules.ruleset(), winner));
        kept.push((carried.steps.len(), claim.root == root, claim.plies));

        // The moves are those of the certificate.
        let mine = Ranking::of(&claim.root).unwrap();
        let mut held = HashSet::new();
        for step in &carried.steps {
            let (position, ply) = moved(&rules, &mine, step);
            // Who comes there from elsewhere counts on such a win, not on the step.
            assert_eq!(check::short_win(&rules, &position), None, "{other}");
            let number = numbers.number(&position).unwrap();
            let place = known.steps.binary_search_by_key(&number, |s| s.number);
            let place = place.expect("a step of the certificate");
            assert_eq!(moved(&theirs, &numbers, &known.steps[place]).1, ply);
            held.insert(number);
        }
        // Nor does another step of it hold where one is needed.
        for step in known.steps.iter().filter(|s| !held.contains(&s.number)) {
            let (position, ply) = moved(&theirs, &numbers, step);
            if check::short_win(&rules, &position).is_some() {
                continue;
            }
            let mut list = MoveList::new();
            rules.moves(&position, &mut list);
            let (Some(number), Some(choice)) = (
                mine.number(&position),
                list.iter().position(|&legal| legal == ply),
            ) else {
                continue;
            };
            let mut more = carried.clone();
            let step = Step {
                number,
                choice: choice as u16,
                plies: 999,
            };
            let place = more.steps.partition_point(|s| s.number < number);
            more.steps.insert(place, step);
            let (mut more, _) = CertificateFile::open(Cursor::new(written(&more))).unwrap();
            let place = place as u64;
            let checked = check::check_part(&mut more, place..place + 1, &mut |_| ());
            let wrong = checked.expect_err(other).to_string();
            assert!(wrong.contains(&position.to_otn()), "{wrong}");
        }
        // From another root than the certificate's not all of them follow.
        if claim.root != root {
            let mut search = Search::new(&rules, winner, SMALL).unwrap();
            let strategy = search.strategy(&claim.root, 0, [&carried], &mut |_, _| true);
            let strategy = strategy.expect("a strategy");
            assert!(strategy.steps.len() < carried.steps.len(), "{other}");
            assert!(check::check(&strategy, &mut |_| ()).is_ok());
        }
    }
    let all = known.steps.len();
    // Nor does the king ever go back to the throne in this one.
    assert_eq!(kept[..2], [(all, true, known.claim.plies); 2]);
    for &(steps, whole, _) in &kept[2..] {
        assert!(0 < steps && steps < all && !whole, "{kept:?}");
    }

    // A search takes them for facts.
    let rules = rules("king_capture = \"four\"\nking_return = false");
    let carried = carry(&known, &rules).unwrap().unwrap();
    let nodes = [true, false].map(|with_it| {
        let mut search = Search::new(&rules, winner, Options::new(1 << 26)).unwrap();
        search.learn(&known).unwrap();
        if with_it {
            search.learn(&carried).unwrap();
        }
        let verdict = search.solve(&root, NODES, &mut |_| true);
        assert!(matches!(verdict, Verdict::Proved { .. }), "{verdict:?}");
        let whole = search.strategy(&root, NODES, [&carried], &mut |_, _| true);
        assert!(check::check(&whole.unwrap(), &mut |_| ()).is_ok());
        search.nodes()
    });
    assert!(nodes[0] == 0 && nodes[1] > 100, "{nodes:?}");
}

#[test]
fn strategies_of_other_rules_are_mended() {
    let known = published("68fd953cd2f6-d2-g2-defenders.proof");
    let others = published("0460b7c9b1cb-d2-e2-attackers.proof");
    let Claim { root, winner, .. } = known.claim;
    let mend = |search: &mut Search, strategies: &[&Certificate], nodes| {
        let verdict = search.solve_by_mending(&root, strategies, 16, nodes, &mut |_| true);
        verdict.expect("a verdict")
    };
    for (other, holds) in [
        ("king_return = false", true),
        ("throne_hostile = \"none\"", false),
        ("throne_pass = \"nobody\"", false),
    ] {
        let rules = rules(&format!("king_capture = \"four\"\n{other}"));
        let mut search = Search::new(&rules, winner, Options::new(1 << 26)).unwrap();
        let mut calls = 0;
        loop {
            calls += 1;
            let before = search.nodes();
            let verdict = mend(&mut search, &[&known, &others], 1_000);
            if let Verdict::Proved { .. } = verdict {
                break;
            }
            assert!(search.nodes() - before <= 1_000, "{other}");
            assert!(search.nodes() < NODES, "{other}: {verdict:?}");
        }
        assert!(calls > 1, "{other}: it took no interruption");
        // Where each move holds it is only looked at.
        let few = search.nodes() < 5 * known.steps.len() as u64;
        assert!(few || !holds, "{other}: {}", search.nodes());
        certified(&mut search, &root);
    }

    // The loser has nothing to mend in the winner's strategy.
    let rules = rules("king_capture = \"four\"");
    let mut search = Search::new(&rules, winner.other(), SMALL).unwrap();
    let verdict = mend(&mut search, &[&known], 20_000);
    assert!(!matches!(verdict, Verdict::Proved { .. }));
    assert!(search.nodes() <= 20_000);
}

#[test]
fn writing_a_strategy_tells_how_far_it_is_and_can_be_ended() {
    let path = "results/solved/openings/proofs/04ea63c0226b-start-attackers.proof";
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join(path);
    let bytes = fs::read(&path).expect("the file can be read");
    let (certificate, _) = Certificate::read(&mut bytes.as_slice()).expect("a certificate");
    let Claim {
        ruleset,
        root,
        winner,
        ..
    } = certificate.claim;
    let rules = Rules::new(ruleset);
    let mut search = Search::new(&rules, winner, Options::new(1 << 24)).unwrap();
    search.learn(&certificate).unwrap();

    let mut told = Vec::new();
    let ended = search.strategy(&root, NODES, &[], &mut |_, steps| {
        told.push(steps);
        false
    });
    assert!(matches!(ended, Err(StrategyError::Stopped)), "{ended:?}");
    assert!(told.len() == 1 && told[0] > 0, "{told:?}");

    // Ended once, it can be written from the beginning.
    let before = told[0];
    told.clear();
    let whole = search.strategy(&root, NODES, &[], &mut |_, steps| {
        told.push(steps);
        true
    });
    let whole = whole.expect("a strategy");
    assert_eq!(told.first(), Some(&before));
    assert!(told.iter().all(|&steps| steps <= whole.steps.len() as u64));
    assert!(check::check(&whole, &mut |_| ()).is_ok());
}

/// The certificates beside the studies, each twice. Without optimization only the
/// smallest.
#[test]
fn every_certificate_beside_the_studies_holds() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("experiments/solve");
    let mut count = 0;
    for entry in fs::read_dir(folder).expect("the folder can be read") {
        let path = entry.expect("an entry").path();
        if path.extension().is_none_or(|ending| ending != "proof") {
            continue;
        }
        let bytes = fs::read(&path).expect("the file can be read");
        if cfg!(debug_assertions) && bytes.len() > 10_000 {
            continue;
        }
        let (certificate, _) = Certificate::read(&mut bytes.as_slice()).expect("a certificate");
        let checked = check::check(&certificate, &mut |_| ());
        assert!(checked.is_ok(), "{}: {checked:?}", path.display());
        // The same from its file, step by step.
        let file = fs::File::open(&path).expect("the file can be opened");
        let (mut steps, _) = CertificateFile::open(file).expect("a certificate");
        for (place, step) in certificate.steps.iter().enumerate().step_by(61) {
            assert_eq!(steps.step(place as u64).unwrap(), *step);
            assert_eq!(steps.find(step.number).unwrap(), Some(*step));
            assert_ne!(steps.find(step.number + 1).unwrap(), Some(*step));
        }
        assert_eq!(steps.find(0).unwrap(), None);
        let again = check::check_steps(&mut steps, &mut |_| ());
        assert_eq!(again.unwrap(), checked.unwrap(), "{}", path.display());
        count += 1;
    }
    assert!(count > 0);
}

#[test]
fn too_little_memory_is_refused() {
    let rules = rules("");
    assert!(Search::new(&rules, Side::Attackers, Options::new(100)).is_err());
    let much = Options::new(u64::MAX / 2);
    assert!(Search::new(&rules, Side::Attackers, much).is_err());
}

#[test]
fn what_ten_positions_do_not_decide_is_open_and_has_no_strategy() {
    let rules = rules("");
    let mut game = Game::new(&rules);
    game.play("d2-e2".parse().unwrap()).unwrap();
    let mut search = Search::new(&rules, Side::Defenders, SMALL).unwrap();
    let verdict = search.solve(game.position(), 10, &mut |_| true);
    assert_eq!(verdict, Verdict::Open);
    assert!(
        search
            .strategy(game.position(), 10, &[], &mut |_, _| true)
            .is_err()
    );
}
