// Draws a Vega-Lite chart as SVG text, without a browser. Runs in the embedded
// engine after vega and vega-lite; `measure` is the host's.
"use strict";

// Without a canvas Vega guesses how wide a text is; the host knows the font.
vega.textMetrics.width = (item, text) => {
  const size = item.fontSize ?? 11;
  const bold = item.fontWeight === "bold" || Number(item.fontWeight) >= 600;
  const lines = Array.isArray(text) ? text : [text];
  return Math.max(0, ...lines.map((line) => (line == null ? 0 : measure(String(line), size, bold))));
};

// Thousandths of a pixel are enough, and hide the last digits of arithmetic.
function rounded(svg) {
  return svg.replace(/ (?:d|transform|x|y|x1|x2|y1|y2|cx|cy|r|width|height)="[^"]*"/g, (attribute) =>
    attribute.replace(/-?\d+\.\d{4,}(?:e-?\d+)?/g, (number) => String(Number(Number(number).toFixed(3)))),
  );
}

async function drawChart(spec, config) {
  const warnings = [];
  const logger = vega.logger(vega.Warn);
  for (const level of ["warn", "error"]) {
    logger[level] = (...parts) => {
      warnings.push(parts.join(" "));
      return logger;
    };
  }
  const compiled = vegaLite.compile(JSON.parse(spec), { config: JSON.parse(config), logger }).spec;
  vega.resetSVGDefIds();
  const view = new vega.View(vega.parse(compiled), { renderer: "none", logger });
  const svg = rounded(await view.toSVG());
  view.finalize();
  return JSON.stringify({ svg, warnings });
}
