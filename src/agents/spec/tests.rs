use super::*;

#[test]
fn canonical_specs_read_back() {
    for (spec, canonical) in [
        ("random", "random"),
        ("greedy", "greedy"),
        ("alphabeta:depth=4", "alphabeta:depth=4"),
        ("alphabeta:nodes=020000", "alphabeta:nodes=20000"),
        (
            "alphabeta:reductions=on,weights=tuned,nodes=9",
            "alphabeta:nodes=9",
        ),
        (
            "alphabeta:weights=hand,reductions=on,quiescence=off,depth=3,ordering=off",
            "alphabeta:depth=3,quiescence=off,ordering=off,reductions=on,weights=hand",
        ),
        (
            "alphabeta:tables=d1a5,nodes=9",
            "alphabeta:nodes=9,tables=d1a5",
        ),
        (
            "alphabeta:tables=some/folder,weights=hand,depth=2",
            "alphabeta:depth=2,weights=hand,tables=some/folder",
        ),
        ("mcts:c=0.70,playouts=1000", "mcts:playouts=1000"),
        ("mcts:playouts=9,prior=off,c=1", "mcts:playouts=9,prior=off"),
        (
            "mcts:weights=hand,playout=decisive,keep=off,prior=off,c=0.7,playouts=9",
            "mcts:playouts=9,c=0.7,prior=off,keep=off,playout=decisive,weights=hand",
        ),
        ("mcts:playout=none,keep=on,playouts=9", "mcts:playouts=9"),
        (
            "mcts:weights=linear,playouts=9",
            "mcts:playouts=9,weights=linear",
        ),
        (
            "alphabeta:weights=linear,nodes=9",
            "alphabeta:nodes=9,weights=linear",
        ),
        (
            "mcts:leaf=1,playout=random,playouts=9",
            "mcts:playouts=9,playout=random",
        ),
        (
            "mcts:leaf=64,playout=random,playouts=9",
            "mcts:playouts=9,playout=random,leaf=64",
        ),
        ("mcts:playouts=1000,c=1.20", "mcts:playouts=1000,c=1.2"),
        ("mcts:playouts=1000,c=2", "mcts:playouts=1000,c=2"),
        ("mcts:playouts=5,c=0.05", "mcts:playouts=5,c=0.05"),
        #[cfg(feature = "cli")]
        (
            "external:seconds=5.0,'my engine'  --fast",
            "external:seconds=5,'my engine' --fast",
        ),
    ] {
        let parsed: AgentSpec = spec.parse().unwrap();
        assert_eq!(parsed.to_string(), canonical);
        assert_eq!(canonical.parse(), Ok(parsed.clone()));
        #[cfg(feature = "cli")]
        {
            let json = serde_json::to_string(&parsed).unwrap();
            assert_eq!(serde_json::from_str::<AgentSpec>(&json).unwrap(), parsed);
        }
    }
}

#[test]
fn a_family_differs_in_its_budget_alone() {
    for (spec, family, number) in [
        ("alphabeta:depth=4", "alphabeta:depth=*", 4),
        (
            "alphabeta:nodes=20,weights=hand",
            "alphabeta:nodes=*,weights=hand",
            20,
        ),
        ("mcts:playouts=1,c=1", "mcts:playouts=*,c=1", 1),
        (
            "alphabeta:depth=4,tables=d1a4",
            "alphabeta:depth=*,tables=d1a4",
            4,
        ),
    ] {
        let spec: AgentSpec = spec.parse().unwrap();
        assert_eq!(spec.budget(), Some((family.to_owned(), number)));
    }
    for spec in [AgentSpec::Random, AgentSpec::Greedy] {
        assert_eq!(spec.budget(), None);
    }
}

#[test]
fn a_wrong_spec_names_the_option_and_its_range() {
    for (spec, part) in [
        ("", "no such agent"),
        ("alphabeat:depth=3", "no such agent"),
        ("random:depth=3", "unknown option `depth`: random has none"),
        ("alphabeta", "depth=1…64"),
        ("alphabeta:depth=3,nodes=4", "one budget"),
        (
            "alphabeta:depth=0",
            "depth=0 is no whole number from 1 to 64",
        ),
        ("alphabeta:depth=65", "from 1 to 64"),
        ("alphabeta:nodes=0", "from 1 to 1000000000000"),
        ("alphabeta:nodes=-5", "from 1 to 1000000000000"),
        ("alphabeta:nodes=99999999999999999999", "from 1 to"),
        ("alphabeta:depth", "`depth` is not of the form key=value"),
        ("alphabeta:depth=3,depth=3", "given twice"),
        (
            "alphabeta:plies=3",
            "alphabeta knows depth, nodes, quiescence",
        ),
        (
            "alphabeta:depth=3,ordering=yes",
            "ordering=yes is neither on nor off",
        ),
        (
            "alphabeta:depth=3,weights=mine",
            "weights=mine is none of tuned, linear and hand",
        ),
        ("alphabeta:depth=3,tables=", "tables= names neither layers"),
        ("mcts:c=1", "playouts=1…1000000"),
        ("mcts:playouts=2000000", "from 1 to 1000000"),
        ("mcts:playouts=10,c=-1", "c=-1 is no number"),
        ("mcts:playouts=10,c=11", "c=11 is no number"),
        ("mcts:playouts=10,c=1e1", "c=1e1 is no number"),
        ("mcts:playouts=0", "from 1 to 1000000"),
        ("mcts:playouts=9,bias=1", "mcts knows playouts, c, prior"),
        ("mcts:playouts=9,prior=1", "neither on nor off"),
        (
            "mcts:playouts=9,playout=clever",
            "playout=clever is none of none, random and decisive",
        ),
        (
            "mcts:playouts=9,playout=random,leaf=65",
            "leaf=65 is no whole number from 1 to 64",
        ),
        ("mcts:playouts=9,leaf=8", "playout=random"),
        (
            "mcts:playouts=9,weights=old",
            "none of tuned, linear and hand",
        ),
    ] {
        let error = spec.parse::<AgentSpec>().unwrap_err();
        assert!(error.problem.contains(part), "{spec}: {error}");
    }
}

#[test]
fn layers_are_told_from_folders_and_take_their_place() {
    let asked = |spec: &str| {
        let spec: AgentSpec = spec.parse().unwrap();
        spec.tables().cloned()
    };
    let d1a5 = Layer {
        defenders: 1,
        attackers: 5,
    };
    assert_eq!(
        asked("alphabeta:depth=1,tables=d1a5"),
        Some(AskedTables::UpTo(d1a5))
    );
    for folder in ["./d1a5", "d1a9", "d01a5", "tables"] {
        let spec = format!("alphabeta:depth=1,tables={folder}");
        assert_eq!(asked(&spec), Some(AskedTables::In(folder.to_owned())));
        let settled = spec.parse::<AgentSpec>().unwrap().with_tables(d1a5);
        assert_eq!(settled.to_string(), "alphabeta:depth=1,tables=d1a5");
    }
    assert_eq!(asked("alphabeta:depth=1"), None);
    assert_eq!(AgentSpec::Greedy.with_tables(d1a5), AgentSpec::Greedy);
}

#[test]
#[should_panic(expected = "is given the tables that it asks")]
fn an_agent_is_not_built_without_its_tables() {
    let spec: AgentSpec = "alphabeta:depth=1,tables=d1a5".parse().unwrap();
    drop(spec.build(crate::agents::stream([1; 32]), None));
}

#[test]
fn an_effort_multiplies_positions_alone() {
    let with = |spec: &str, times| {
        let spec: AgentSpec = spec.parse().unwrap();
        spec.with_effort(times).map(|spec| spec.to_string())
    };
    let spec = "alphabeta:nodes=300,ordering=off,tables=d1a4";
    let more = "alphabeta:nodes=4800,ordering=off,tables=d1a4";
    assert_eq!(with(spec, 16).as_deref(), Some(more));
    assert_eq!(with(spec, 1).as_deref(), Some(spec));
    for spec in ["random", "greedy", "alphabeta:depth=3", "mcts:playouts=9"] {
        assert_eq!(with(spec, 2), None, "{spec}");
    }
}
