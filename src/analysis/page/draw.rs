//! A chart as SVG and PNG without a browser: Vega in an embedded JavaScript
//! engine, then a renderer of SVG, both with a font of their own. Imports the
//! chart's type.

use std::sync::Arc;

use resvg::tiny_skia::{Pixmap, Transform};
use resvg::usvg::{Options, Tree, fontdb};
use rquickjs::{CatchResultExt, Context, Ctx, Function, Object, Promise, Runtime};

use super::assets;
use super::charts::Chart;
use super::font::Font;

/// Pixels of a PNG for each unit of the SVG.
pub const PNG_SCALE: f32 = 2.0;
/// Most pixels along a side, and in all, of a picture that programs open: a longer chart is
/// drawn smaller.
const LONGEST_SIDE: f32 = 32_000.0;
const MOST_PIXELS: f32 = 64e6;

/// Why a chart could not be drawn.
#[derive(Debug, thiserror::Error)]
pub enum DrawError {
    /// The JavaScript engine could not be set up.
    #[error("cannot start the JavaScript engine: {0}")]
    Engine(String),
    /// Vega refused the chart.
    #[error("chart {chart}: {message}")]
    Chart {
        /// Its id.
        chart: String,
        /// What was thrown.
        message: String,
    },
    /// The SVG could not be made a PNG.
    #[error("chart {chart}: no picture can be made of its SVG: {message}")]
    Picture {
        /// Its id.
        chart: String,
        /// Why not.
        message: String,
    },
}

/// An engine with Vega loaded. Loading takes longer than drawing: keep it for
/// all charts of a report.
pub struct Drawer {
    context: Context,
    fonts: Arc<fontdb::Database>,
}

/// A drawn chart, before it is a picture.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Drawing {
    /// The SVG's text.
    pub svg: String,
    /// What Vega found odd in the chart; none in a sound one.
    #[cfg_attr(
        not(test),
        expect(dead_code, reason = "the tests ask that there are none")
    )]
    pub warnings: Vec<String>,
}

impl Drawer {
    /// Starts an engine and loads Vega.
    ///
    /// # Errors
    /// If there is no memory for it.
    pub fn new() -> Result<Drawer, DrawError> {
        let failed = |error: rquickjs::Error| DrawError::Engine(error.to_string());
        let runtime = Runtime::new().map_err(failed)?;
        let context = Context::full(&runtime).map_err(failed)?;
        context
            .with(|ctx| load(&ctx).catch(&ctx).map_err(|error| error.to_string()))
            .map_err(DrawError::Engine)?;
        let mut fonts = fontdb::Database::new();
        for bytes in Font::FILES {
            fonts.load_font_data(bytes().to_vec());
        }
        fonts.set_sans_serif_family(Font::FAMILY);
        Ok(Drawer {
            context,
            fonts: Arc::new(fonts),
        })
    }

    /// Draws a chart as SVG text and as the bytes of a PNG with
    /// [`PNG_SCALE`] pixels a unit, or fewer where it is very long. The same chart gives the same
    /// bytes.
    ///
    /// # Errors
    /// If Vega refuses the chart's specification, or the chart is empty or too
    /// large for a picture.
    pub fn draw(&self, chart: &Chart) -> Result<(String, Vec<u8>), DrawError> {
        let svg = self.drawing(chart)?.svg;
        let png = self.png(&svg).map_err(|message| DrawError::Picture {
            chart: chart.id.clone(),
            message,
        })?;
        Ok((svg, png))
    }

    /// The SVG with what Vega says of it.
    pub(super) fn drawing(&self, chart: &Chart) -> Result<Drawing, DrawError> {
        self.context
            .with(|ctx| {
                let text = run(&ctx, chart)
                    .catch(&ctx)
                    .map_err(|error| error.to_string())?;
                serde_json::from_str(&text).map_err(|error| error.to_string())
            })
            .map_err(|message| DrawError::Chart {
                chart: chart.id.clone(),
                message,
            })
    }

    fn png(&self, svg: &str) -> Result<Vec<u8>, String> {
        let options = Options {
            font_family: Font::FAMILY.to_owned(),
            fontdb: Arc::clone(&self.fonts),
            ..Options::default()
        };
        let tree = Tree::from_str(svg, &options).map_err(|error| error.to_string())?;
        let size = tree.size();
        let longest = size.width().max(size.height());
        let by_area = (MOST_PIXELS / size.width() / size.height()).sqrt();
        let scale = PNG_SCALE.min(LONGEST_SIDE / longest).min(by_area);
        let pixels = size.to_int_size().scale_by(scale);
        let pixels = pixels.ok_or("it has no size")?;
        let mut pixmap = Pixmap::new(pixels.width(), pixels.height()).ok_or("it is too large")?;
        let scale = Transform::from_scale(scale, scale);
        resvg::render(&tree, scale, &mut pixmap.as_mut());
        pixmap.encode_png().map_err(|error| error.to_string())
    }
}

/// Draws one chart; for several, keep a [`Drawer`].
///
/// # Errors
/// As [`Drawer::new`] and [`Drawer::draw`].
pub fn draw(chart: &Chart) -> Result<(String, Vec<u8>), DrawError> {
    Drawer::new()?.draw(chart)
}

fn load(ctx: &Ctx<'_>) -> rquickjs::Result<()> {
    let globals = ctx.globals();
    globals.set("measure", Function::new(ctx.clone(), measure)?)?;
    globals.set("mathematics", mathematics(ctx)?)?;
    for script in [
        assets::ENGINE,
        assets::VEGA,
        assets::VEGA_LITE,
        assets::HEADLESS,
    ] {
        ctx.eval::<(), _>(script)?;
    }
    Ok(())
}

fn run(ctx: &Ctx<'_>, chart: &Chart) -> rquickjs::Result<String> {
    let draw: Function = ctx.globals().get("drawChart")?;
    let drawing: Promise = draw.call((chart.spec.to_string(), assets::CHART_CONFIG))?;
    drawing.finish()
}

#[expect(clippy::needless_pass_by_value, reason = "the engine hands texts over")]
fn measure(text: String, size: f64, bold: bool) -> f64 {
    Font::get(bold).width(&text) * size
}

type Unary = fn(f64) -> f64;
type Binary = fn(f64, f64) -> f64;

/// Functions whose last digit depends on the system's library.
fn mathematics<'js>(ctx: &Ctx<'js>) -> rquickjs::Result<Object<'js>> {
    let functions = Object::new(ctx.clone())?;
    let unary: [(&str, Unary); 10] = [
        ("exp", libm::exp),
        ("expm1", libm::expm1),
        ("log", libm::log),
        ("log10", libm::log10),
        ("log1p", libm::log1p),
        ("log2", libm::log2),
        ("sin", libm::sin),
        ("cos", libm::cos),
        ("tan", libm::tan),
        ("cbrt", libm::cbrt),
    ];
    for (name, function) in unary {
        functions.set(name, Function::new(ctx.clone(), function)?)?;
    }
    let binary: [(&str, Binary); 2] = [("pow", libm::pow), ("atan2", libm::atan2)];
    for (name, function) in binary {
        functions.set(name, Function::new(ctx.clone(), function)?)?;
    }
    Ok(functions)
}

#[cfg(test)]
mod tests;
