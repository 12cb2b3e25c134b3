//! The page: a template filled with escaped texts, and all data as JSON for
//! the page's own scripts. Imports charts, words and assets.

use std::fmt::Write;

use serde_json::{Value, json};

use super::assets;
use super::charts::{Chart, Section};
use super::policy::policy;
use super::{Page, words};

/// The report as one HTML file. It loads nothing and needs no network; whatever
/// the tables, titles and games hold is shown as text.
#[must_use]
pub fn html(page: &Page, charts: &[Chart]) -> String {
    let fields = [
        ("policy", escape(&policy(assets::SCRIPTS.map(script_text)))),
        ("title", escape(&page.title)),
        ("style", assets::STYLE.to_owned()),
        ("headline", sentences(&page.headline, "headline")),
        ("notes", sentences(&page.notes, "notes")),
        ("contents", contents()),
        ("sections", sections(charts)),
        ("games", games(page)),
        ("tables", tables(page)),
        ("provenance", provenance(page)),
        ("data", data(page, charts)),
        ("scripts", scripts()),
    ];
    fill(assets::PAGE, &fields)
}

/// A text in which HTML sees no markup, neither between tags nor in a quoted
/// attribute.
fn escape(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

/// JSON in which HTML sees no markup: in JSON `<` stands only inside texts,
/// where it may be written so.
fn embedded(value: &Value) -> String {
    value.to_string().replace('<', "\\u003c")
}

/// Puts the fields where the template has `{{name}}`, in one pass: what is put
/// in is not looked at again.
fn fill(template: &str, fields: &[(&str, String)]) -> String {
    let mut filled = String::new();
    let mut parts = template.split("{{");
    filled.push_str(parts.next().unwrap_or_default());
    for part in parts {
        let (name, rest) = part.split_once("}}").expect("every {{ has its }}");
        let field = fields.iter().find(|(field, _)| *field == name);
        let (_, value) = field.expect("every name in the template is a field");
        filled.push_str(value);
        filled.push_str(rest);
    }
    filled
}

fn sentences(texts: &[String], class: &str) -> String {
    if texts.is_empty() {
        return String::new();
    }
    let items = texts.iter().fold(String::new(), |mut items, text| {
        let _ = writeln!(items, "<li>{}</li>", escape(text));
        items
    });
    format!("<ul class=\"{class}\">\n{items}</ul>")
}

fn contents() -> String {
    let ends = [
        ("games", "Games"),
        ("tables", "Tables"),
        ("provenance", "How it was made"),
    ];
    let sections = Section::ALL.map(|section| (section.id(), section.heading()));
    let links = sections.into_iter().chain(ends);
    links.fold(String::new(), |mut list, (id, heading)| {
        let _ = writeln!(list, "<li><a href=\"#{id}\">{heading}</a></li>");
        list
    })
}

fn sections(charts: &[Chart]) -> String {
    let mut text = String::new();
    for section in Section::ALL {
        let (id, heading) = (section.id(), section.heading());
        let _ = writeln!(
            text,
            "<section id=\"{id}\" aria-labelledby=\"{id}-heading\">\n\
             <h2 id=\"{id}-heading\">{heading}</h2>"
        );
        let mut is_empty = true;
        for (index, chart) in charts.iter().enumerate() {
            if chart.section == section {
                text.push_str(&figure(index, chart));
                is_empty = false;
            }
        }
        if is_empty {
            let _ = writeln!(text, "<p class=\"absent\">{}</p>", section.absence());
        }
        text.push_str("</section>\n");
    }
    text
}

fn figure(index: usize, chart: &Chart) -> String {
    let id = escape(&chart.id);
    let title = escape(&chart.title);
    let description = escape(&chart.description);
    format!(
        "<figure id=\"{id}\" aria-labelledby=\"{id}-title\" aria-describedby=\"{id}-description\">\n\
         <h3 id=\"{id}-title\">{title}</h3>\n\
         <div class=\"chart\" data-chart=\"{index}\"></div>\n\
         <figcaption id=\"{id}-description\">{description}</figcaption>\n\
         <p class=\"actions\">\n\
         <button type=\"button\" data-chart-svg=\"{index}\" aria-label=\"Save as SVG: {title}\">Save as SVG</button>\n\
         <button type=\"button\" data-chart-png=\"{index}\" aria-label=\"Save as PNG: {title}\">Save as PNG</button>\n\
         </p>\n\
         <details data-rows=\"{index}\"><summary>The numbers as a table</summary><div class=\"table\"></div></details>\n\
         </figure>\n"
    )
}

fn games(page: &Page) -> String {
    let hidden = if page.games.is_empty() { " hidden" } else { "" };
    fill(assets::VIEWER, &[("hidden", hidden.to_owned())])
}

fn tables(page: &Page) -> String {
    let mut text = "<section id=\"tables\" aria-labelledby=\"tables-heading\">\n\
                    <h2 id=\"tables-heading\">Tables</h2>\n"
        .to_owned();
    if page.tables.is_empty() {
        text.push_str("<p class=\"absent\">There are no tables.</p>\n");
    }
    for (index, table) in page.tables.iter().enumerate() {
        let _ = writeln!(
            text,
            "<details data-table=\"{index}\"><summary><code>{}.csv</code> {}</summary>\
             <div class=\"table\"></div></details>",
            escape(stem(&table.name)),
            escape(&table.caption)
        );
    }
    text.push_str("</section>");
    text
}

fn stem(name: &str) -> &str {
    name.strip_suffix(".csv").unwrap_or(name)
}

fn provenance(page: &Page) -> String {
    let made = &page.provenance;
    let mut text = "<section id=\"provenance\" aria-labelledby=\"provenance-heading\">\n\
                    <h2 id=\"provenance-heading\">How it was made</h2>\n<dl>\n"
        .to_owned();
    for (name, value) in [("brandub", &made.version), ("commit", &made.commit)] {
        if !value.is_empty() {
            let _ = writeln!(text, "<dt>{name}</dt><dd>{}</dd>", escape(value));
        }
    }
    for (experiment, seed) in &made.seeds {
        let _ = writeln!(
            text,
            "<dt>seed of {}</dt><dd>{seed}</dd>",
            escape(experiment)
        );
    }
    text.push_str("</dl>\n");
    if !made.commands.is_empty() {
        let commands = escape(&made.commands.join("\n"));
        let _ = writeln!(
            text,
            "<p>The same tables and charts come from</p>\n<pre><code>{commands}</code></pre>\n\
             <p>and the games from <code>brandub run</code> with the same experiment, which \
             <code>manifest.json</code> in its result folder has as it was played, seed and all.</p>"
        );
    }
    let _ = writeln!(
        text,
        "<details><summary>Licences of what this page brings along</summary>\n<pre>{}</pre></details>\n</section>",
        escape(&assets::LICENCES.join("\n\n"))
    );
    text
}

/// Everything that the page's scripts read.
fn data(page: &Page, charts: &[Chart]) -> String {
    let config: Value = serde_json::from_str(assets::CHART_CONFIG).expect("the asset is JSON");
    // In the order in which rules are told, which an object would not keep.
    let axes: Vec<[String; 2]> = words::axes()
        .map(|key| [key.to_owned(), words::axis(key)])
        .collect();
    let charts: Vec<Value> = charts
        .iter()
        .map(|chart| {
            json!({
                "id": chart.id,
                "title": chart.title,
                "description": chart.description,
                "spec": chart.spec,
            })
        })
        .collect();
    let tables: Vec<Value> = page
        .tables
        .iter()
        .map(|table| json!({ "name": stem(&table.name), "caption": table.caption, "csv": table.csv }))
        .collect();
    let games: Vec<Value> = page
        .games
        .iter()
        .map(|game| json!({ "title": game.title, "game": game.json }))
        .collect();
    embedded(&json!({
        "config": config,
        "axes": axes,
        "charts": charts,
        "tables": tables,
        "games": games,
    }))
}

/// A script as it stands between its tags, which is what its hash is of.
fn script_text(script: &'static str) -> &'static str {
    script.trim_end()
}

fn scripts() -> String {
    assets::SCRIPTS
        .iter()
        .fold(String::new(), |mut text, script| {
            let _ = writeln!(text, "<script>{}</script>", script_text(script));
            text
        })
}

#[cfg(test)]
mod tests;
