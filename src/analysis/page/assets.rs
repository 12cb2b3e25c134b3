//! The page's scripts and styles, as they lie in `assets/`. Imports nothing.

macro_rules! asset {
    ($path:literal) => {
        include_str!(concat!("assets/", $path))
    };
}

pub const VEGA: &str = asset!("vendor/vega.min.js");
pub const VEGA_LITE: &str = asset!("vendor/vega-lite.min.js");
/// What the embedded engine lacks.
pub const ENGINE: &str = asset!("engine.js");
/// Draws without a browser.
pub const HEADLESS: &str = asset!("headless.js");
/// Colours and sizes of every chart.
pub const CHART_CONFIG: &str = asset!("chart-config.json");
/// The page, with `{{names}}` where something is put in.
pub const PAGE: &str = asset!("page.html");
/// The part of the page in which games are played through.
pub const VIEWER: &str = asset!("viewer.html");
pub const STYLE: &str = asset!("page.css");
/// The page's scripts, in the order in which they run.
pub const SCRIPTS: [&str; 11] = [
    VEGA,
    VEGA_LITE,
    asset!("vendor/vega-interpreter.js"),
    asset!("vendor/vega-embed.min.js"),
    asset!("page.js"),
    asset!("charts.js"),
    asset!("tables.js"),
    asset!("game.js"),
    asset!("board.js"),
    asset!("viewer.js"),
    asset!("start.js"),
];
/// Of the vendored scripts.
pub const LICENCES: [&str; 4] = [
    asset!("vendor/LICENSE-vega"),
    asset!("vendor/LICENSE-vega-lite"),
    asset!("vendor/LICENSE-vega-embed"),
    asset!("vendor/LICENSE-vega-interpreter"),
];
