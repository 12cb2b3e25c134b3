use serde_json::{Value, json};

use super::super::{ChosenGame, Page, PageTable, Provenance, charts};
use super::*;

const EVIL: &str = "</script><script>alert(1)</script><img src onerror>'\"{{data}}";

fn evil_page() -> Page {
    let csv = format!(
        "experiment,cell,ruleset,label,attackers,defenders,games,score,score_low,score_high\n\
         \"{0}\",1,2,\"{0}\",\"{0}\",\"{0}\",9,0.5,0.2,0.8\n",
        EVIL.replace('"', "\"\"")
    );
    Page {
        title: EVIL.to_owned(),
        headline: vec![EVIL.to_owned()],
        notes: vec![EVIL.to_owned()],
        tables: vec![PageTable {
            name: "winrates".to_owned(),
            caption: EVIL.to_owned(),
            csv,
        }],
        games: vec![ChosenGame {
            title: EVIL.to_owned(),
            json: json!({ "moves": [], "captures": [], "attackers": EVIL }),
        }],
        provenance: Provenance {
            version: EVIL.to_owned(),
            commit: EVIL.to_owned(),
            seeds: vec![(EVIL.to_owned(), 1)],
            commands: vec![EVIL.to_owned()],
        },
    }
}

/// The text between an opening tag and its end.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    let (_, rest) = text.split_once(start).unwrap();
    rest.split_once(end).unwrap().0
}

/// The page without its style and scripts.
fn without_assets(html: &str) -> String {
    let scripts = assets::SCRIPTS.iter();
    scripts.fold(html.replace(assets::STYLE, ""), |text, script| {
        text.replace(script.trim_end(), "")
    })
}

#[test]
fn markup_in_the_data_stays_text() {
    let page = evil_page();
    let charts = charts(&page).unwrap();
    assert_eq!(charts.len(), 1);
    let html = html(&page, &charts);
    assert_eq!(without_assets(&html).matches("<img").count(), 0);
    assert_eq!(html.matches("<script>").count(), assets::SCRIPTS.len());
    assert_eq!(
        html.matches("</script>").count(),
        assets::SCRIPTS.len() + 1,
        "one for each script and one for the data"
    );
    let data = between(&html, "id=\"data\">", "</script>");
    let data: Value = serde_json::from_str(data).unwrap();
    assert_eq!(data["games"][0]["title"], EVIL);
    let ruleset = &data["charts"][0]["spec"]["data"]["values"][0]["ruleset"];
    assert_eq!(ruleset.as_str().unwrap().replace('\n', " "), EVIL);
}

#[test]
fn no_asset_ends_its_own_element() {
    for script in assets::SCRIPTS {
        let script = script.to_ascii_lowercase();
        assert!(!script.contains("</script") && !script.contains("<!--"));
    }
    assert!(!assets::STYLE.contains("</"));
}

#[test]
fn rules_are_told_in_their_order() {
    let html = html(&Page::default(), &[]);
    let data: Value = serde_json::from_str(between(&html, "id=\"data\">", "</script>")).unwrap();
    assert_eq!(data["axes"][0], json!(["layout", "Layout"]));
    assert_eq!(data["axes"][1], json!(["king_armed", "King armed"]));
}

/// The command of a report plays nothing.
#[test]
fn how_to_get_the_games_is_told_apart() {
    let html = html(&evil_page(), &[]);
    let told = between(&html, "id=\"provenance\"", "</section>");
    assert!(told.contains("The same tables and charts come from"));
    assert!(told.contains("the games from <code>brandub run</code>"));
}

#[test]
fn an_empty_report_says_what_is_not_there() {
    let page = Page::default();
    let html = html(&page, &charts(&page).unwrap());
    for section in Section::ALL {
        assert!(html.contains(section.absence()), "{section:?}");
    }
    assert!(!html.contains("<figure"));
}

/// Addresses may be named (licences, namespaces), but no attribute, style or
/// script of ours asks for one; the policy forbids what the libraries could.
#[test]
fn nothing_is_loaded() {
    let page = evil_page();
    let html = html(&page, &charts(&page).unwrap());
    let policy = between(
        &html,
        "http-equiv=\"Content-Security-Policy\" content=\"",
        "\"",
    );
    assert!(policy.starts_with("default-src &#39;none&#39;; script-src &#39;sha256-"));
    for word in ["http:", "https:", "unsafe-eval", "connect-src", "*"] {
        assert!(!policy.contains(word), "{word} in {policy}");
    }
    let markup = without_assets(&html);
    for loads in [
        "src=\"",
        "src='",
        "<link",
        "<iframe",
        "<object",
        "<embed",
        "<base",
        "http-equiv=\"refresh",
    ] {
        assert!(!markup.contains(loads), "{loads}");
    }
    assert!(!markup.contains("href=\"http"));
    for word in ["url(", "@import"] {
        assert!(!assets::STYLE.contains(word), "{word}");
    }
    for own in &assets::SCRIPTS[4..] {
        for word in ["http:", "https:", "fetch(", "XMLHttpRequest", "import("] {
            let known = own.matches("http://www.w3.org/2000/svg").count();
            let limit = if word == "http:" { known } else { 0 };
            assert_eq!(own.matches(word).count(), limit, "{word}");
        }
    }
}

#[test]
fn templates_are_filled_once() {
    let fields = [("a", "{{b}}".to_owned()), ("b", "x".to_owned())];
    assert_eq!(fill("<{{a}}|{{b}}>", &fields), "<{{b}}|x>");
}

#[test]
fn texts_are_escaped_for_elements_and_attributes() {
    assert_eq!(
        escape("a<b> & \"c\" 'd'"),
        "a&lt;b&gt; &amp; &quot;c&quot; &#39;d&#39;"
    );
    assert_eq!(embedded(&json!(["</script>"])), r#"["\u003c/script>"]"#);
}

/// A script runs only if its text has the hash that the policy names.
#[test]
fn every_script_is_named_by_its_hash() {
    let html = html(&Page::default(), &[]);
    let scripts: Vec<&str> = html
        .split("<script>")
        .skip(1)
        .map(|rest| rest.split_once("</script>").unwrap().0)
        .collect();
    let written = escape(&policy(scripts));
    assert!(html.contains(&written));
}
