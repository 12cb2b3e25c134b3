//! The font of saved charts and how wide its texts are. Imports nothing of ours.

use std::sync::LazyLock;

use skrifa::instance::{LocationRef, Size};
use skrifa::{FontRef, MetadataProvider};

/// A weight of `DejaVu Sans`.
pub struct Font {
    font: FontRef<'static>,
    units: f64,
}

static REGULAR: LazyLock<Font> = LazyLock::new(|| Font::new(dejavu::sans::regular()));
static BOLD: LazyLock<Font> = LazyLock::new(|| Font::new(dejavu::sans::bold()));

impl Font {
    /// Its name, as charts give it.
    pub const FAMILY: &'static str = "DejaVu Sans";
    /// The bytes of each weight.
    pub const FILES: [fn() -> &'static [u8]; 2] = [dejavu::sans::regular, dejavu::sans::bold];

    fn new(bytes: &'static [u8]) -> Font {
        let font = FontRef::new(bytes).expect("the embedded font is sound");
        let metrics = font.metrics(Size::unscaled(), LocationRef::default());
        Font {
            units: f64::from(metrics.units_per_em),
            font,
        }
    }

    /// The regular or the bold weight.
    pub fn get(bold: bool) -> &'static Font {
        if bold { &BOLD } else { &REGULAR }
    }

    /// The width of a text in units of the font's size, kerning left out.
    pub fn width(&self, text: &str) -> f64 {
        let charmap = self.font.charmap();
        let metrics = self
            .font
            .glyph_metrics(Size::unscaled(), LocationRef::default());
        let advance = |letter| {
            let glyph = charmap.map(letter).unwrap_or_default();
            f64::from(metrics.advance_width(glyph).unwrap_or(0.0))
        };
        text.chars().map(advance).sum::<f64>() / self.units
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Advances as `fc-scan` and other programs give them: 2048 units an em,
    /// `i` 569, `m` 1995, a space 651; bold `m` 2134.
    #[test]
    fn texts_are_as_wide_as_their_glyphs() {
        let close = |width: f64, units: f64| (width * 2048.0 - units).abs() < 1e-9;
        assert!(close(Font::get(false).width("i"), 569.0));
        assert!(close(
            Font::get(false).width("mi m"),
            2.0 * 1995.0 + 569.0 + 651.0
        ));
        assert!(close(Font::get(true).width("m"), 2134.0));
        assert!(close(Font::get(false).width(""), 0.0));
    }
}
