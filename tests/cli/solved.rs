//! The published proofs: every row of the tables is about a position that the
//! question names, and every certificate has the bytes and the claim that its
//! row says and holds by the rules.

use std::collections::{BTreeSet, HashMap};
use std::fs;
use std::io::Read;
use std::path::{Path, PathBuf};

use brandub::game::{
    Bitboard, Game, Position, Preset, Rules, Ruleset, RulesetTable, Side, Square, preset,
};
use brandub::solver::check::{self, Steps};
use brandub::solver::hold::wall::{Plan, Wall};
use brandub::solver::hold::{Checker, Fortress, HoldClaim};
use brandub::solver::in_parts::{InParts, parts};
use brandub::solver::ranking::Ranking;
use brandub::solver::{CertificateFile, Claim};
use sha2::{Digest, Sha256};

/// Of larger certificates the root and the first steps are checked, and
/// `brandub verify-proof` is left to play them through: each takes it several
/// seconds or minutes.
const MOST_STEPS: u64 = 20_000;
const FIRST_STEPS: u64 = 1000;
/// The first moves, up to the board's symmetries.
const OPENINGS: [&str; 5] = ["d2-g2", "d2-f2", "d2-e2", "d1-f1", "d1-e1"];

/// Named rulesets whose start position is decided, and for whom.
const SOLVED: [(&str, Side); 13] = [
    ("masters", Side::Defenders),
    ("masters-armed", Side::Defenders),
    ("masters-weak-king", Side::Attackers),
    ("branan", Side::Defenders),
    ("branan-quiet-throne", Side::Defenders),
    ("nielsen-cyningstan", Side::Defenders),
    ("how-to-play", Side::Defenders),
    ("wtf", Side::Defenders),
    ("irish-1", Side::Defenders),
    ("irish-1-no-return", Side::Defenders),
    ("brandubh-3", Side::Defenders),
    ("throneless", Side::Attackers),
    ("weak-throne", Side::Attackers),
];

/// Of the first moves under the disputed rulesets.
const QUESTIONS: usize = 160;
/// The disputed rulesets that are solved.
const STARTS: usize = 14;

/// Where corners are hostile to nobody, and attackers hold: by eight men, from which
/// position, and against how many placements of the king and no soldier, one, two, three;
/// by seven men.
const HELD: [(&str, &str, &[usize], &[usize]); 4] = [
    ("branan", EIGHT, &UP_TO_TWO, &[66, 2253]),
    ("branan-step", THREE, &STEP, &[72, 2570]),
    ("branan-unarmed", THREE, &UNARMED, &[66, 2275]),
    ("branan-quiet-throne", EIGHT, &UP_TO_TWO, &[66, 2253]),
];
const UP_TO_TWO: [usize; 3] = [74, 2592, 44_100];
const STEP: [usize; 4] = [74, 2592, 44_100, 485_436];
const UNARMED: [usize; 4] = [74, 2592, 44_100, 485_420];
/// Men beside all corners; against the king and two soldiers.
const EIGHT: &str = "/1t3t1/t5t/3T3/3K3/3T3/t5t/1t3t1/";
/// The same against three.
const THREE: &str = "/1t3t1/t5t/3T3/2TK3/3T3/t5t/1t3t1/";
/// One fewer; against the king and one.
const SEVEN: &str = "/1t3t1/t5t/7/3K3/3T3/t5t/1t5/";

/// The start with fewer men, where the king moves one square.
const BEGUN: [(&str, &str); 6] = [
    ("a4d1", "/3t3/7/3T3/t2K2t/7/7/3t3/"),
    ("a5d1", "/3t3/3t3/3T3/t2K2t/7/7/3t3/"),
    ("a6d1", "/3t3/3t3/3T3/t2K2t/7/3t3/3t3/"),
    ("a7d1", "/3t3/3t3/3T3/tt1K2t/7/3t3/3t3/"),
    ("a8d1", "/3t3/3t3/3T3/tt1K1tt/7/3t3/3t3/"),
    ("a8d2", "/3t3/3t3/3T3/tt1K1tt/3T3/3t3/3t3/"),
];
/// Of files with more positions so many are checked, and `brandub verify-proof` is left
/// to check them all.
const MOST_HELD: usize = 50_000;

type Row = HashMap<String, String>;

fn folder(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("results/solved")
        .join(name)
}

fn rows(folder: &Path) -> Vec<Row> {
    let mut reader = csv::Reader::from_path(folder.join("solved.csv")).unwrap();
    reader.deserialize().map(Result::unwrap).collect()
}

/// The claims of a folder's certificates; panics where a row and its
/// certificate disagree, and where one does not hold.
fn proved(folder: &Path) -> Vec<Claim> {
    let mut claims = Vec::new();
    let mut named = BTreeSet::new();
    for row in rows(folder) {
        let what = format!("{}, {}, {}", row["rules"], row["question"], row["for"]);
        assert_eq!(
            row["value"] == "proved",
            !row["sha256"].is_empty(),
            "{what}"
        );
        if row["value"] != "proved" {
            assert_eq!(row["value"], "unknown", "{what}");
            assert!(
                row["plies"].is_empty() && row["certificate"].is_empty(),
                "{what}"
            );
            assert!(row["nodes"].parse::<u64>().unwrap() > 0, "{what}");
            continue;
        }
        let path = folder.join(&row["certificate"]);
        let mut bytes = Vec::new();
        InParts::open(&path)
            .unwrap()
            .read_to_end(&mut bytes)
            .unwrap();
        let digest = hex::encode(Sha256::digest(&bytes));
        assert_eq!(digest, row["sha256"], "{what}");
        let (mut file, _) = CertificateFile::open(InParts::open(&path).unwrap()).unwrap();
        // One certificate may stand for several rulesets and positions.
        let side: Side = row["side"].parse().unwrap();
        let claim = Claim {
            ruleset: Ruleset::from_label(&row["rules"]).unwrap(),
            root: Position::from_otn(&row["position"], side).unwrap(),
            plies: row["plies"].parse().unwrap(),
            ..file.claim()
        };
        let said = [
            claim.ruleset.id(),
            claim.winner.name().to_owned(),
            file.count().to_string(),
        ];
        let columns = ["ruleset", "for", "steps"];
        for (found, column) in said.iter().zip(columns) {
            assert_eq!(*found, row[column], "{what}: {column}");
        }
        let count = file.count();
        let places = 0..if count <= MOST_STEPS {
            count
        } else {
            FIRST_STEPS
        };
        let checked = check::check_part_of(&mut file, claim, places, &mut |_| ());
        assert!(checked.is_ok(), "{what}: {checked:?}");
        let plies = if claim.root == file.claim().root {
            file.claim().plies
        } else {
            check::plies_from(&mut file, claim.ruleset, claim.root).unwrap()
        };
        assert_eq!(claim.plies, plies, "{what}");
        named.extend(parts(&path));
        claims.push(claim);
    }
    let there = fs::read_dir(folder.join("proofs")).unwrap();
    let there: BTreeSet<PathBuf> = there.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(there, named);
    claims
}

fn disputed() -> Vec<Ruleset> {
    let mut rulesets = Vec::new();
    for armed in [true, false] {
        for throne in ["everyone", "none"] {
            for capture in ["two", "four"] {
                for back in [true, false] {
                    let axes = format!(
                        "king_armed = {armed}\nthrone_hostile = '{throne}'\nking_capture = '{capture}'\nking_return = {back}"
                    );
                    let table: RulesetTable = toml::from_str(&axes).unwrap();
                    rulesets.push(table.resolve().unwrap());
                }
            }
        }
    }
    rulesets
}

/// Five openings under 16 rulesets, either side's win: each asked about the
/// position that the opening leads to.
#[test]
fn the_table_of_openings_is_whole_and_its_proofs_hold() {
    let at = folder("openings");
    let rows = rows(&at);
    let mut asked = 0;
    for ruleset in disputed() {
        let rules = Rules::new(ruleset);
        for opening in OPENINGS {
            let mut game = Game::new(&rules);
            game.play(opening.parse().unwrap()).unwrap();
            for side in Side::BOTH {
                let same: Vec<&Row> = rows
                    .iter()
                    .filter(|row| {
                        row["ruleset"] == ruleset.id()
                            && row["question"] == opening
                            && row["for"] == side.name()
                    })
                    .collect();
                for row in &same {
                    assert_eq!(row["position"], game.position().to_otn());
                    assert_eq!(row["side"], "defenders");
                }
                asked += same.len();
            }
        }
    }
    assert_eq!(asked, QUESTIONS);
    let claims = proved(&at);
    let start = |claim: &&Claim| claim.root == Rules::new(claim.ruleset).start();
    assert_eq!(claims.iter().filter(start).count(), STARTS);
}

#[test]
fn the_proofs_under_named_rulesets_hold() {
    let claims = proved(&folder("presets"));
    let named: Vec<Ruleset> = Preset::ALL.iter().map(Preset::ruleset).collect();
    let known = |claim: &Claim| {
        let mut named = named.iter();
        named.any(|ruleset| ruleset.canonical() == claim.ruleset.canonical())
    };
    assert!(!claims.is_empty() && claims.iter().all(known));
    for (name, winner) in SOLVED {
        let rules = Rules::new(preset::find(name).unwrap().ruleset());
        let solved = |claim: &Claim| {
            claim.ruleset.canonical() == rules.ruleset().canonical()
                && claim.root == rules.start()
                && claim.winner == winner
        };
        assert!(claims.iter().any(solved), "{name}");
    }
}

#[test]
fn both_sides_wins_in_the_middle_of_games_are_proved() {
    let claims = proved(&folder("midgame"));
    assert!(claims.len() >= 200, "{}", claims.len());
    for side in Side::BOTH {
        let of = claims.iter().filter(|claim| claim.winner == side).count();
        assert!(of >= 50, "{side}: {of}");
    }
}

/// A position with the king and so many soldiers of his placed anew in every way,
/// either side to move, as far as the game goes on there.
fn placed_anew(rules: &Rules, position: &Position, soldiers: u32) -> Vec<Position> {
    let mut placed = Vec::new();
    let empty: Vec<Square> = Square::all()
        .filter(|square| !(position.attackers | Bitboard::CORNERS).contains(*square))
        .collect();
    for &king in &empty {
        let mut sets = vec![Bitboard::EMPTY];
        for _ in 0..soldiers {
            let larger = sets.iter().flat_map(|set| {
                let after = empty
                    .iter()
                    .filter(move |&&square| square != king && set.into_iter().all(|s| s < square));
                after.map(move |&square| *set | Bitboard::of(square))
            });
            sets = larger.collect();
        }
        for defenders in sets {
            placed.extend(Side::BOTH.map(|side| Position {
                attackers: position.attackers,
                defenders,
                king: Bitboard::of(king),
                side,
            }));
        }
    }
    placed.retain(|at| rules.admit(at).is_ok() && rules.ending(at).is_none());
    placed
}

/// Of the placements of the king and so many soldiers, how many are held.
fn held(fortress: &Fortress, soldiers: u32) -> usize {
    let rules = Rules::new(fortress.claim.ruleset);
    let ranking = Ranking::of(&fortress.claim.root).unwrap();
    let checker = Checker::new(fortress, fortress.claim).unwrap();
    let all = placed_anew(&rules, &fortress.claim.root, soldiers);
    let shown = all.iter().filter(|&root| match root.side {
        Side::Attackers => checker.shows(root).is_ok(),
        Side::Defenders => ranking
            .number(root)
            .is_some_and(|number| fortress.positions.binary_search(&number).is_ok()),
    });
    shown.count()
}

/// What a file shows under a named ruleset of a position with attackers to move:
/// that they need not lose there.
fn fortress(path: &Path, name: &str, position: &str) -> Fortress {
    let bytes = fs::read(path).unwrap();
    let (fortress, _) = Fortress::read(&mut bytes.as_slice()).unwrap();
    let claim = HoldClaim {
        ruleset: preset::find(name).unwrap().ruleset(),
        root: Position::from_otn(position, Side::Attackers).unwrap(),
        holder: Side::Attackers,
    };
    assert_eq!(fortress.claim, claim, "{}", path.display());
    let checker = Checker::new(&fortress, claim).unwrap();
    let shown = checker.shows(&claim.root);
    assert!(shown.is_ok(), "{}: {shown:?}", path.display());
    let ranking = Ranking::of(&claim.root).unwrap();
    let every = fortress.positions.len().div_ceil(MOST_HELD);
    for &number in fortress.positions.iter().step_by(every) {
        let position = ranking.position(number, Side::Defenders).unwrap();
        let shown = checker.shows(&position);
        assert!(shown.is_ok(), "{}: {shown:?}", path.display());
    }
    fortress
}

/// Eight men hold wherever the king and up to two soldiers stand, under two of the
/// rulesets nearly everywhere against three, others from the position named.
#[test]
fn what_attackers_hold_is_held() {
    let at = folder("held");
    let mut named = BTreeSet::new();
    for (name, eight, by_eight, by_seven) in HELD {
        for (men, position, by) in [(8, eight, by_eight), (7, SEVEN, by_seven)] {
            let path = at.join(format!("{name}-{men}-men.proof"));
            let fortress = fortress(&path, name, position);
            for (soldiers, &by) in (0..).zip(by) {
                let held = held(&fortress, soldiers);
                assert_eq!(held, by, "{name}, {men} men, {soldiers} soldiers");
            }
            named.insert(path);
        }
    }
    for (file, position) in BEGUN {
        let path = at.join(format!("branan-step-{file}.proof"));
        fortress(&path, "branan-step", position);
        named.insert(path);
    }
    let there = fs::read_dir(at).unwrap();
    let there: BTreeSet<PathBuf> = there.map(|entry| entry.unwrap().path()).collect();
    assert_eq!(there, named);
}

/// What the page says of walls with one square empty at most, against three soldiers.
#[test]
fn with_one_square_empty_few_placements_are_held() {
    for (name, expected) in [("branan-step", 3460), ("branan-unarmed", 1044)] {
        let rules = Rules::new(preset::find(name).unwrap().ruleset());
        let root = Position::from_otn(THREE, Side::Attackers).unwrap();
        let plan = Plan {
            keep: root.attackers,
            least: 7,
            beside: Bitboard::FULL,
        };
        let mut wall = Wall::new(&rules, plan, &root, 1 << 30).unwrap();
        assert!(wall.work_out(&mut |_| true));
        let all = wall.held();
        let all = all.iter().find(|of| (of.soldiers, of.kept) == (3, 8));
        let counts = all.map(|of| (of.positions, of.held));
        assert_eq!(counts, Some((242_760, expected)), "{name}");
    }
}

#[test]
fn the_frontier_of_small_positions_is_proved() {
    let at = folder("frontier");
    let rows = rows(&at);
    let claims = proved(&at);
    let open = [
        "masters",
        "branan-unarmed",
        "branan-step",
        "wtf",
        "irish-1",
        "nielsen-cyningstan",
    ];
    let named = open.map(|name| preset::find(name).unwrap().ruleset());
    for ruleset in disputed().into_iter().chain(named) {
        let asked = rows
            .iter()
            .filter(|row| row["ruleset"] == ruleset.id())
            .count();
        assert_eq!(asked, 24, "{ruleset}");
        // Where the king steps, no win of four attackers or more is proved by search.
        let any = claims.iter().any(|claim| claim.ruleset == ruleset);
        assert_eq!(any, named[2] != ruleset, "{ruleset}");
    }
}
