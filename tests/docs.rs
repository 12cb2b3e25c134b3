//! The project's pages: what a link names is there, files and headings alike.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

#[cfg(feature = "cli")]
use brandub::experiment::Source;
use brandub::game::AXES;
use pulldown_cmark::{Event, Options, Parser, Tag, TagEnd};

/// A page's links, and what its headings are called in links.
#[derive(Default)]
struct Page {
    links: Vec<String>,
    anchors: BTreeSet<String>,
}

/// As hosts of repositories name headings: lower case, letters, digits, `-` and `_`, spaces as `-`;
/// the second of one name ends in `-1`.
fn anchor(heading: &str, anchors: &BTreeSet<String>) -> String {
    let name: String = heading
        .to_lowercase()
        .chars()
        .filter_map(|c| match c {
            ' ' => Some('-'),
            '-' | '_' => Some(c),
            _ => c.is_alphanumeric().then_some(c),
        })
        .collect();
    let mut numbered = (1..).map(|number| format!("{name}-{number}"));
    let free = |name: &String| !anchors.contains(name);
    if free(&name) {
        name
    } else {
        numbered.find(free).expect("numbers do not end")
    }
}

fn page(text: &str) -> Page {
    let mut page = Page::default();
    let mut heading: Option<String> = None;
    for event in Parser::new_ext(text, Options::ENABLE_TABLES) {
        match event {
            Event::Start(Tag::Link { dest_url, .. } | Tag::Image { dest_url, .. }) => {
                page.links.push(dest_url.into_string());
            }
            Event::Start(Tag::Heading { .. }) => heading = Some(String::new()),
            Event::Text(text) | Event::Code(text) => {
                if let Some(heading) = &mut heading {
                    heading.push_str(&text);
                }
            }
            Event::End(TagEnd::Heading(_)) => {
                let name = anchor(&heading.take().expect("a heading began"), &page.anchors);
                page.anchors.insert(name);
            }
            _ => {}
        }
    }
    page
}

/// All `.md` files of the project, not of what was built or installed beside it.
fn pages(root: &Path) -> BTreeMap<PathBuf, Page> {
    let mut found = BTreeMap::new();
    let mut folders = vec![root.to_owned()];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(&folder).expect("a folder of the project is readable") {
            let entry = entry.expect("its entries are, too");
            let (path, name) = (entry.path(), entry.file_name());
            let name = name.to_string_lossy();
            if entry.file_type().expect("an entry has a kind").is_dir() {
                let built = path.join("CACHEDIR.TAG").exists() || path.join("pyvenv.cfg").exists();
                if !built && !name.starts_with('.') && name != "node_modules" {
                    folders.push(path);
                }
            } else if name.ends_with(".md") {
                let text = fs::read_to_string(&path).expect("a page is text");
                found.insert(path, page(&text));
            }
        }
    }
    found
}

/// What of a page's links is not there.
fn broken(path: &Path, pages: &BTreeMap<PathBuf, Page>) -> Vec<String> {
    let mut broken = Vec::new();
    for link in &pages[path].links {
        if link.contains("://") || link.starts_with("mailto:") {
            continue;
        }
        let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
        let folder = path.parent().expect("a page is in a folder");
        let target = match file {
            "" => Ok(path.to_owned()),
            file => folder.join(file).canonicalize(),
        };
        let Ok(target) = target else {
            broken.push(format!("{}: no file {link}", path.display()));
            continue;
        };
        let page = pages.get(&target);
        if !anchor.is_empty() && !page.is_some_and(|page| page.anchors.contains(anchor)) {
            broken.push(format!("{}: no heading {link}", path.display()));
        }
    }
    broken
}

fn root() -> PathBuf {
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    root.canonicalize().expect("the project is there")
}

#[test]
fn every_link_of_a_page_leads_somewhere() {
    let root = root();
    let pages = pages(&root);
    for name in ["README.md", "docs/proofs.md", "results/solved/README.md"] {
        let page = &pages[&root.join(name)];
        assert!(
            page.links.len() > 3 && page.anchors.len() > 3,
            "{name} was not read"
        );
    }
    let broken: Vec<String> = pages.keys().flat_map(|path| broken(path, &pages)).collect();
    assert!(broken.is_empty(), "{}", broken.join("\n"));
}

#[test]
fn every_experiment_is_in_the_table_of_experiments() {
    let root = root();
    let links = pages(&root).remove(&root.join("README.md")).unwrap().links;
    for entry in fs::read_dir(root.join("experiments")).unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|end| end == "toml") {
            let link = path.strip_prefix(&root).unwrap().display().to_string();
            assert!(links.contains(&link), "{link}");
        }
    }
}

/// Also where no compiler looks.
#[test]
fn every_list_of_axes_has_all_of_them() {
    let read = |file: &str| fs::read_to_string(root().join(file)).unwrap();
    let (readme, notebooks, page) = (
        read("README.md"),
        read("notebooks/results.py"),
        read("tests/data/page/make.py"),
    );
    for axis in AXES {
        assert!(readme.contains(&format!("\n| `{axis}` | ")), "{axis}");
        assert!(
            notebooks.contains(&format!("\n    \"{axis}\",\n")),
            "{axis}"
        );
        let mut words = page.split(|symbol: char| !symbol.is_alphanumeric() && symbol != '_');
        assert!(words.any(|word| word == axis), "{axis}");
    }
}

/// A key that there is not makes the program list those that there are.
#[cfg(feature = "cli")]
#[test]
fn every_key_of_an_experiment_has_a_row() {
    let text = fs::read_to_string(root().join("docs/experiments.md")).unwrap();
    let mut keys = 0;
    for (section, least) in [
        ("", 10),
        ("[stop]", 4),
        ("[adaptive]", 5),
        ("[rules]", 3),
        ("[opening]", 1),
        ("[[match]]", 4),
    ] {
        let error = Source::parse("x", &format!("{section}\nbogus = 1\n")).unwrap_err();
        let names: Vec<&str> = error.message.split('`').skip(3).step_by(2).collect();
        assert!(names.len() >= least, "{error}");
        // Up to the next section, each of which begins a line of its own.
        let start = text.find(&format!("\n`{section}`")).unwrap_or_default();
        assert!(section.is_empty() || start > 0, "{section}");
        let part = text[start..].split("\n`[").take(1 + usize::from(start > 0));
        let part: String = part.collect();
        let mut first = part.lines().filter_map(|line| line.strip_prefix("| `"));
        let mut told: BTreeSet<&str> = BTreeSet::new();
        for row in &mut first {
            let cell = row.split('|').next().unwrap();
            told.extend(cell.split('`').filter(|name| !name.contains([',', ' '])));
        }
        for name in names {
            let opens = ["[", "[["].map(|open| format!("\n`{open}{name}]"));
            let has_section = opens.iter().any(|open| text.contains(open));
            let is_told = told.contains(name) || section.is_empty() && has_section;
            assert!(is_told, "{name}: {error}");
            keys += 1;
        }
    }
    assert_eq!(keys, 27);
}

#[test]
fn what_is_not_there_is_found() {
    let text = "# A `page` of its own\n\n## Twice\n\n## Twice\n\n```\n# no heading\n[no](link.md)\n```\n\
                [1](#a-page-of-its-own) [2](#twice-1) [3](#no-heading) [4](gone.md) [5](https://a.b/#c)\n";
    let path = root().join("README.md");
    let pages = BTreeMap::from([(path.clone(), page(text))]);
    assert_eq!(
        broken(&path, &pages),
        [
            format!("{}: no heading #no-heading", path.display()),
            format!("{}: no file gone.md", path.display())
        ]
    );
}
