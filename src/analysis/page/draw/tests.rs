use serde_json::json;

use super::super::charts::{Section, charts};
use super::super::{Page, PageTable};
use super::*;

/// A page of the tables in `tests/data/page`.
fn sample() -> Page {
    let names = [
        "winrates", "effects", "verdicts", "strength", "trends", "games", "openings", "people",
    ];
    let table = |name: &str| PageTable {
        name: name.to_owned(),
        caption: String::new(),
        csv: std::fs::read_to_string(format!("tests/data/page/{name}.csv")).unwrap(),
    };
    Page {
        tables: names.map(table).into(),
        ..Page::default()
    }
}

fn chart(spec: serde_json::Value) -> Chart {
    Chart {
        id: "it".to_owned(),
        section: Section::Balance,
        title: String::new(),
        description: String::new(),
        spec,
    }
}

fn bars() -> Chart {
    chart(json!({
        "data": { "values": [{ "a": "one", "b": 1 }, { "a": "two", "b": 3 }] },
        "mark": "bar",
        "width": 90,
        "height": 40,
        "encoding": {
            "x": { "field": "b", "type": "quantitative" },
            "y": { "field": "a", "type": "nominal" },
        },
    }))
}

#[test]
fn bars_are_as_long_as_their_numbers() {
    let drawing = Drawer::new().unwrap().drawing(&bars()).unwrap();
    assert!(drawing.warnings.is_empty(), "{:?}", drawing.warnings);
    assert!(drawing.svg.starts_with("<svg"));
    for (word, length) in [("one", 30), ("two", 90)] {
        let bar = drawing.svg.split("<path").find(|mark| {
            mark.contains("aria-roledescription=\"bar\"") && mark.contains(&format!("a: {word}"))
        });
        let bar = bar.unwrap_or_else(|| panic!("no bar {word} in {}", drawing.svg));
        assert!(bar.contains(&format!("h{length}v18h-{length}Z")), "{bar}");
    }
}

#[test]
fn the_picture_has_the_drawings_size_and_a_white_ground() {
    let (svg, png) = draw(&bars()).unwrap();
    let side = |name: &str| {
        let (_, rest) = svg.split_once(&format!(" {name}=\"")).unwrap();
        let side: u32 = rest.split_once('"').unwrap().0.parse().unwrap();
        side * PNG_SCALE as u32
    };
    let picture = Pixmap::decode_png(&png).unwrap();
    assert_eq!(picture.width(), side("width"));
    assert_eq!(picture.height(), side("height"));
    let corner = picture.pixel(0, 0).unwrap();
    assert_eq!((corner.red(), corner.alpha()), (255, 255));
    // The bars' blue is there, and the labels' dark grey.
    let has = |red, green, blue| {
        let is = |pixel: &resvg::tiny_skia::PremultipliedColorU8| {
            (pixel.red(), pixel.green(), pixel.blue()) == (red, green, blue)
        };
        picture.pixels().iter().any(is)
    };
    assert!(has(0x22, 0x22, 0x22), "no text");
    assert!(has(0x4c, 0x78, 0xa8) || has(0x00, 0x72, 0xb2), "no bars");
}

/// Whatever was drawn before, by whichever engine.
#[test]
fn drawing_again_gives_the_same_bytes() {
    let page = sample();
    let charts = charts(&page).unwrap();
    let (one, other) = (Drawer::new().unwrap(), Drawer::new().unwrap());
    let forth: Vec<_> = charts.iter().map(|it| one.draw(it).unwrap()).collect();
    let back: Vec<_> = charts
        .iter()
        .rev()
        .map(|it| other.draw(it).unwrap())
        .collect();
    assert!(forth.iter().eq(back.iter().rev()));
}

#[test]
fn every_chart_of_the_sample_draws_without_a_warning() {
    let charts = charts(&sample()).unwrap();
    let drawer = Drawer::new().unwrap();
    for section in Section::ALL {
        assert!(charts.iter().any(|it| it.section == section), "{section:?}");
    }
    for it in &charts {
        let drawing = drawer.drawing(it).unwrap();
        assert!(
            drawing.warnings.is_empty(),
            "{}: {:?}",
            it.id,
            drawing.warnings
        );
        assert!(!drawing.svg.contains("NaN"), "{}", it.id);
    }
}

/// The marks of a section's first chart by their role.
fn marks(charts: &[Chart], drawer: &Drawer, id: &str, role: &str) -> usize {
    let chart = charts.iter().find(|it| it.id == id).unwrap();
    let svg = drawer.drawing(chart).unwrap().svg;
    svg.matches(&format!("aria-roledescription=\"{role}\""))
        .count()
}

#[test]
fn every_row_has_its_mark() {
    let charts = charts(&sample()).unwrap();
    let drawer = Drawer::new().unwrap();
    let count = |id, role| marks(&charts, &drawer, id, role);
    // 16 rulesets, five pairs of players.
    assert_eq!(count("balance-disputed-rules", "point"), 80);
    // Four rules, six pairs of rules.
    assert_eq!(count("effects-disputed-rules", "point"), 20);
    assert_eq!(count("interactions-disputed-rules", "point"), 30);
    assert_eq!(count("odds-disputed-rules", "point"), 20);
    // Three budgets each.
    assert_eq!(
        count("strength-disputed-rules-alphabeta-nodes", "point"),
        48
    );
    // Four rulesets, four budgets against four.
    assert_eq!(count("surface-ladder-alphabeta-nodes", "rect mark"), 64);
    // Seven rulesets: people and two programs.
    assert_eq!(count("people-people", "point"), 21);
}

/// Red, green and blue of a colour as Vega writes it.
fn colour(text: &str) -> [f64; 3] {
    let numbers: Vec<f64> = if let Some(digits) = text.strip_prefix('#') {
        let byte = |at: usize| u8::from_str_radix(&digits[at..at + 2], 16).unwrap();
        [0, 2, 4].map(|at| f64::from(byte(at))).into()
    } else {
        let inside = text.trim_start_matches("rgb(").trim_end_matches(')');
        inside
            .split(',')
            .map(|number| number.trim().parse().unwrap())
            .collect()
    };
    numbers.try_into().unwrap()
}

/// As the WCAG has it.
fn luminance(text: &str) -> f64 {
    let linear = colour(text).map(|channel| match channel / 255.0 {
        channel if channel <= 0.03928 => channel / 12.92,
        channel => ((channel + 0.055) / 1.055).powf(2.4),
    });
    0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]
}

/// What an attribute of these marks is, in their order.
fn fills<'a>(svg: &'a str, tag: &str, with: &str) -> Vec<&'a str> {
    let marks = svg.split(tag).skip(1);
    let marks = marks.map(|rest| rest.split_once('>').unwrap().0);
    let fill = |mark: &'a str| {
        mark.split_once(" fill=\"")
            .unwrap()
            .1
            .split_once('"')
            .unwrap()
            .0
    };
    marks.filter(|mark| mark.contains(with)).map(fill).collect()
}

/// The words in a heat map's cells have a contrast of 4.5 to 1 at least.
#[test]
fn every_score_can_be_read_on_its_cell() {
    let header = "experiment,ruleset,label,family,attackers_budget,defenders_budget,score\n";
    let rows = (0..=100).map(|percent| {
        let score = f64::from(percent) / 100.0;
        format!("x,1,wtf,alphabeta:nodes=*,{},9000,{score}\n", 100 + percent)
    });
    let page = Page {
        tables: vec![PageTable {
            name: "strength".to_owned(),
            caption: String::new(),
            csv: header.to_owned() + &rows.collect::<String>(),
        }],
        ..Page::default()
    };
    let charts = charts(&page).unwrap();
    let surface = charts.iter().find(|it| it.section == Section::Surface);
    let drawing = Drawer::new().unwrap().drawing(surface.unwrap()).unwrap();
    assert!(drawing.warnings.is_empty(), "{:?}", drawing.warnings);
    let cells = fills(&drawing.svg, "<path", "aria-roledescription=\"rect mark\"");
    let words = fills(&drawing.svg, "<text", "font-size=\"11px\" fill=\"#");
    let words: Vec<&str> = words.into_iter().filter(|it| *it != "#222222").collect();
    assert_eq!((cells.len(), words.len()), (101, 101));
    for (percent, (cell, word)) in cells.into_iter().zip(words).enumerate() {
        let [one, other] = [cell, word].map(|it| luminance(it) + 0.05);
        let contrast = (one / other).max(other / one);
        assert!(contrast >= 4.5, "{percent} %: {word} on {cell}, {contrast}");
    }
}

#[test]
fn what_vega_refuses_is_an_error_that_names_the_chart() {
    let odd = chart(json!({ "mark": "bar", "encoding": 3, "data": { "values": [] }, "params": 7 }));
    let error = draw(&odd).unwrap_err().to_string();
    assert!(error.starts_with("chart it: "), "{error}");
    let empty = chart(json!({ "mark": "no such mark", "data": { "values": [] } }));
    assert!(matches!(draw(&empty), Err(DrawError::Chart { .. })));
}
