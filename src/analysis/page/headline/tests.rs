use super::*;

const WINRATES: &str = "experiment,ruleset,label,king_armed,attackers,defenders,games,draw_rate,draw_low,draw_high\n\
    x,a,one,true,random,random,10,0,0,0.2\n\
    x,a,one,true,greedy,greedy,1000,0.05,0.04,0.07\n\
    x,b,two,false,greedy,greedy,1000,0.02,0.01,0.03\n";
const EFFECTS: &str = "attackers,defenders,experiment,method,axis,from,to,other_axis,other_from,other_to,estimate,low,high,p_adjusted,z,odds_ratio,odds_low,odds_high\n\
    greedy,greedy,x,marginal,king_armed,true,false,,,,0.1,0.05,0.15,0.001,4,,,\n\
    greedy,greedy,x,marginal,king_capture,two,four,,,,-0.479,-0.5,-0.46,0.0001,-40,,,\n\
    greedy,greedy,x,marginal,king_return,true,false,,,,0.01,-0.02,0.04,0.3,1,,,\n\
    random,random,x,marginal,king_return,true,false,,,,0.9,0.8,0.99,0.0001,1,,,\n\
    greedy,greedy,x,logistic,king_armed,true,false,king_capture,two,four,0.7,0.5,0.9,0.001,7,2.01,1.65,2.46\n";
const VERDICTS: &str = "experiment,ruleset,label,attackers,defenders,score,low,high,margin,verdict\n\
    x,a,one,greedy,greedy,0.81,0.78,0.84,0.05,attackers\n\
    x,b,two,greedy,greedy,0.49,0.46,0.52,0.05,balanced\n";
const TRENDS: &str = "experiment,ruleset,family,quantity,verdict\n\
    x,a,alphabeta:nodes=*,equal_slope,toward attackers\n\
    x,b,alphabeta:nodes=*,equal_slope,no trend seen\n";

fn said(tables: &[(&str, &str)]) -> Vec<String> {
    let table = |&(name, csv): &(&str, &str)| PageTable {
        name: name.to_owned(),
        caption: String::new(),
        csv: csv.to_owned(),
    };
    headline(&tables.iter().map(table).collect::<Vec<_>>()).unwrap()
}

#[test]
fn the_numbers_are_put_into_words() {
    let said = said(&[
        ("winrates", WINRATES),
        ("effects", EFFECTS),
        ("verdicts", VERDICTS),
        ("trends", TRENDS),
    ]);
    let expected = [
        "x: 2,010 games under 2 rulesets, by 2 pairs of players. Where nothing else is said, the following is about games between equals: greedy (the last of the experiment).",
        "What matters most to the attackers' score is “king captured by” (four instead of two): −47.9 points (−50.0 to −46.0), on average over the other rules. Then “king armed” (no instead of yes): +10.0 points (+5.0 to +15.0). Not told from no effect by these games: “king may return to the throne” (no instead of yes): +1.0 points (−2.0 to +4.0).",
        "The rules do not act each by itself. Plainest of all pairs: the factor by which “king armed” (no instead of yes) changes the odds of the attackers' score is, where “king captured by” is four, this many times what it is where that is two: 2.01, 1.65 to 2.46 (z = 7.0).",
        "Of 2 rulesets, 1 is in favour of the attackers and none is in favour of the defenders; 1 is balanced within ±5 points, and none is not decided. The attackers' score in these games is highest under armed (81 %, 78 % to 84 %), lowest under unarmed (49 %, 46 % to 52 %), and nearest to even under unarmed (49 %, 46 % to 52 %).",
        "Draws were most frequent in these games under armed: 5 %, 4 % to 7 %.",
        "As both sides' nodes grow (alpha-beta), the score moves, of 2 rulesets: toward the attackers under 1, nowhere that these games show under 1.",
    ];
    assert_eq!(said, expected);
}

#[test]
fn of_equal_scores_the_first_is_named() {
    let verdicts = VERDICTS.replace("0.49,0.46,0.52", "0.81,0.78,0.84");
    let said = said(&[("winrates", WINRATES), ("verdicts", &verdicts)]);
    let armed = "under armed (81 %, 78 % to 84 %) and one more";
    let expected = format!("highest {armed}, lowest {armed}, and nearest to even {armed}.");
    assert!(
        said.iter().any(|line| line.ends_with(&expected)),
        "{said:?}"
    );
}

#[test]
fn what_is_not_told_apart_is_not_ranked() {
    let effects = EFFECTS.replace("0.1,0.05,0.15", "-0.4,-0.47,-0.33");
    let said = said(&[("winrates", WINRATES), ("effects", &effects)]);
    let expected = "What mattered most to the attackers' score in these games is “king captured by” (four instead of two): −47.9 points (−50.0 to −46.0), on average over the other rules; they do not show that it matters more than “king armed”. Then “king armed”";
    assert!(said[1].starts_with(expected), "{said:?}");
}

/// An axis of three levels has several rows.
#[test]
fn an_axis_is_named_once() {
    let row = "greedy,greedy,x,marginal,king_armed,true,false,,,,0.1,0.05,0.15,0.001,4,,,\n";
    let near = row.replace("0.1,0.05,0.15", "-0.4,-0.47,-0.33");
    let effects = EFFECTS.replace(row, &near.repeat(2));
    let said = said(&[("winrates", WINRATES), ("effects", &effects)]);
    let expected = "that it matters more than “king armed”. Then";
    assert!(said[1].contains(expected), "{said:?}");
}

#[test]
fn of_one_family_the_greatest_budget_counts() {
    let winrates = "experiment,ruleset,label,attackers,defenders,attackers_family,attackers_budget,games,draw_rate\n\
        x,a,one,alphabeta:nodes=4000,alphabeta:nodes=4000,alphabeta:nodes=*,4000,10,0.5\n\
        x,a,one,alphabeta:nodes=500,alphabeta:nodes=500,alphabeta:nodes=*,500,10,0.1\n";
    let said = said(&[("winrates", winrates)]);
    let expected = "is about games between equals: alpha-beta, 4,000 nodes.";
    assert!(said[0].ends_with(expected), "{said:?}");
    assert!(said[1].ends_with("50 %."), "{said:?}");
}

#[test]
fn one_game_is_one() {
    let winrates = "experiment,ruleset,label,attackers,defenders,games\nx,a,one,random,random,1\n";
    let expected = "x: 1 game between equals: random, under 1 ruleset.";
    assert_eq!(said(&[("winrates", winrates)]), [expected]);
}

#[test]
fn what_forfeits_decided_is_neither_highest_nor_lowest() {
    let winrates = "experiment,cell,ruleset,label,attackers,defenders,games,ended_forfeit\n\
        x,1,a,one,greedy,greedy,100,5\nx,2,b,two,greedy,greedy,100,6\n";
    let verdicts = "experiment,cell,ruleset,label,attackers,defenders,score,margin,verdict\n\
        x,1,a,one,greedy,greedy,0.6,0.05,attackers\n\
        x,2,b,two,greedy,greedy,0.1,0.05,undecided\n";
    let said = said(&[("winrates", winrates), ("verdicts", verdicts)]);
    let expected = "The attackers' score in these games is highest under one (60 %), lowest under one (60 %), and nearest to even under one (60 %). Not decided is 1 ruleset where more than 5 % of the games ended by a forfeit.";
    assert!(said[1].ends_with(expected), "{said:?}");
}

#[test]
fn what_forfeits_decided_says_nothing_of_rules_draws_and_strength() {
    let winrates = |forfeits: u32| {
        format!(
            "experiment,cell,ruleset,label,attackers,defenders,attackers_family,games,draw_rate,ended_forfeit\n\
            x,1,a,one,greedy,greedy,alphabeta:nodes=*,100,0.1,5\n\
            x,2,b,two,greedy,greedy,alphabeta:nodes=*,100,0.3,{forfeits}\n"
        )
    };
    let said = |forfeits| {
        said(&[
            ("winrates", &winrates(forfeits)),
            ("effects", EFFECTS),
            ("trends", TRENDS),
        ])
    };
    let [_, rules, interaction, draws, strength] = said(5).try_into().unwrap();
    assert!(rules.starts_with("What matters most"), "{rules}");
    assert!(
        interaction.starts_with("The rules do not act"),
        "{interaction}"
    );
    assert!(draws.ends_with("under two: 30 %."), "{draws}");
    assert!(strength.contains("of 2 rulesets"), "{strength}");

    let [_, rules, draws, strength] = said(6).try_into().unwrap();
    assert_eq!(
        rules,
        "What each rule does is not told: under 1 ruleset more than 5 % of the games ended by a forfeit, which the comparisons count like any other."
    );
    assert!(draws.ends_with("under one: 10 %."), "{draws}");
    let expected = "of 1 ruleset: toward the attackers under 1.";
    assert!(strength.ends_with(expected), "{strength}");
}

#[test]
fn a_margin_is_told_as_it_was_given() {
    for (margin, words) in [
        ("0.025", "±2.5 points"),
        ("0.005", "±0.5 points"),
        ("0.1", "±10 points"),
    ] {
        let verdicts = VERDICTS.replace(",0.05,", &format!(",{margin},"));
        let said = said(&[("winrates", WINRATES), ("verdicts", &verdicts)]);
        assert!(said.iter().any(|line| line.contains(words)), "{said:?}");
    }
}

#[test]
fn what_there_is_no_table_for_is_left_out() {
    let said = said(&[("winrates", WINRATES)]);
    assert_eq!(said.len(), 2, "{said:?}");
    assert_eq!(headline(&[]).unwrap(), Vec::<String>::new());
}
