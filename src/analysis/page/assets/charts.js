// Draws the page's charts with Vega: to the window's width, in the colours of
// the light or the dark theme, and saves them as they were published.
"use strict";

const Charts = (() => {
  // Colours of programs for a dark page.
  const DARK = {
    "#d39200": "#f0b429",
    "#a4508b": "#e3a3c5",
    "#00808a": "#4fc3c9",
    "#5b54b0": "#aeb0ff",
    "#6b4c2a": "#cfae86",
  };
  const darkness = window.matchMedia("(prefers-color-scheme: dark)");
  const SPACE = 18;
  // The width of a number on an axis.
  const NUMBER = 24;
  const NARROW = 560;

  // Vega's own way to run expressions needs `eval`, which the page forbids.
  const INTERPRETED = { ast: true, expr: vegaInterpreter };

  const canvas = document.createElement("canvas").getContext("2d");
  function textWidth(text) {
    canvas.font = `11px ${Page.data.config.font}`;
    return Math.max(...String(text).split("\n").map((line) => canvas.measureText(line).width));
  }

  // Calls `with` with every object inside a specification, data left out.
  function walk(value, visit) {
    if (Array.isArray(value)) value.forEach((item) => walk(item, visit));
    else if (value !== null && typeof value === "object") {
      visit(value);
      for (const [key, inner] of Object.entries(value)) if (key !== "data") walk(inner, visit);
    }
  }

  // How much room the labels of y take, their names being in the data.
  function leftOf(unit, values) {
    const y = unit.encoding?.y ?? unit.layer?.map((layer) => layer.encoding?.y).find(Boolean);
    if (!y) return 0;
    if (y.type === "quantitative") return 62;
    const names = new Set(values.map((row) => row[y.field]));
    const title = y.axis?.title && y.axis.titleAngle !== 0 ? 7 + 13 * [y.axis.title].flat().length : 0;
    return Math.max(...[...names].map(textWidth)) + 14 + title;
  }

  // Lines of at most this width, broken between the values of a ruleset, in
  // other texts between words, but not at an arrow.
  function wrapped(text, width) {
    const lines = [""];
    const parts = text.includes(" · ") ? text.replaceAll(" · ", " ·\n").split("\n") : text.replace(/ → /g, "\u00a0→\u00a0").split(" ");
    for (const word of parts) {
      const longer = `${lines[lines.length - 1]} ${word}`.trim();
      if (lines[lines.length - 1] !== "" && textWidth(longer) > width) lines.push(word);
      else lines[lines.length - 1] = longer;
    }
    return lines;
  }

  // Breaks the long names on the y axis of a narrow chart into lines, and makes
  // its bands high enough for them.
  function broken(spec, unit, room) {
    const y = unit.encoding?.y;
    if (room >= NARROW || y?.type !== "nominal") return;
    const names = new Map(spec.data.values.map((row) => [row[y.field], wrapped(row[y.field].replaceAll("\n", " "), room * 0.36).join("\n")]));
    for (const row of spec.data.values) row[y.field] = names.get(row[y.field]);
    if (Array.isArray(y.sort)) y.sort = y.sort.map((name) => names.get(name) ?? name);
    if (y.axis.title) y.axis.title = null;
    const lines = Math.max(...[...names.values()].map((name) => name.split("\n").length));
    const dots = unit.encoding.yOffset ? new Set(spec.data.values.map((row) => row.players)).size + 1 : 1;
    unit.height.step = Math.max(unit.height.step, (13 * lines + 5) / dots);
  }

  // Puts as many panels beside each other as there is room for, with their
  // headers, which are broken to a panel's width, and makes them as wide.
  function arranged(spec, unit, space) {
    const panels = spec.usermeta.panels;
    const { field, sort } = spec.facet;
    // Dots and bars bear to be drawn a little narrower; cells and names do not.
    const least = unit.encoding?.y?.type === "nominal" ? 0.8 * panels.width : panels.width;
    // The numbers of a scale of its own stand out on both sides of a panel.
    const between = spec.resolve?.scale ? SPACE + NUMBER : SPACE;
    let most = Math.max(1, Math.min(panels.count, Math.floor((space + SPACE) / (least + between))));
    for (; ; most -= 1) {
      const rows = Math.ceil(panels.count / most);
      spec.columns = Math.ceil(panels.count / rows);
      const share = (space + SPACE) / spec.columns - between;
      const width = Math.floor(Math.max(90, Math.min(1.25 * panels.width, share)));
      const headers = new Map(sort.map((name) => [name, wrapped(name.replaceAll("\n", " "), width).join("\n")]));
      const widest = Math.max(width, ...[...headers.values()].map(textWidth));
      if (widest > share && spec.columns > 1) continue;
      const gap = panels.count % spec.columns !== 0;
      const own = spec.resolve?.scale || gap || (rows > 1 && spec.columns === 1);
      spec.resolve = { ...spec.resolve, axis: { x: own ? "independent" : "shared" } };
      spec.facet.sort = sort.map((name) => headers.get(name));
      for (const row of spec.data.values) row[field] = headers.get(row[field]);
      unit.width = width;
      return;
    }
  }

  // How many entries of a legend stand beside each other.
  function columnsOf({ legend, scale }, room) {
    const entry = Math.max(...scale.domain.map(textWidth)) + SPACE * 2;
    return Math.max(1, Math.min(legend.columns, Math.floor(room / entry)));
  }

  // In the page's colours: black, which can be read on white, is the text's.
  function coloured(value) {
    let text = JSON.stringify(value).replaceAll('"#222222"', '"currentColor"');
    if (darkness.matches) {
      for (const [light, dark] of Object.entries(DARK)) text = text.replaceAll(`"${light}"`, `"${dark}"`);
    }
    return JSON.parse(text);
  }

  // The chart for a window of this width.
  function fitted(chart, room) {
    const spec = coloured(chart.spec);
    delete spec.title;
    spec.description = `${chart.title}. ${chart.description}`;
    const unit = spec.spec ?? spec;
    broken(spec, unit, room);
    const left = leftOf(unit, spec.data.values);
    const space = room - left - SPACE;
    if (spec.usermeta?.panels) arranged(spec, unit, space);
    else if (typeof unit.width === "number") {
      unit.width = Math.floor(Math.max(90, Math.min(unit.width * 1.6, space)));
    }
    walk(spec, (object) => {
      if (object.legend?.columns) object.legend.columns = columnsOf(object, space);
      if (object.x?.type === "ordinal" && room < NARROW) Object.assign(object.x.axis, { labelOverlap: "parity", labelSeparation: 4 });
      if (object.legend?.gradientLength) object.legend.gradientLength = Math.min(180, room - 120);
      if (object.x?.axis && typeof object.x.axis.title === "string") {
        object.x.axis.title = wrapped(object.x.axis.title, Math.max(unit.width, 120));
      }
      if (object.x?.axis?.format === ".0%" && unit.width < 130) object.x.axis.values = [0, 0.5, 1];
    });
    return spec;
  }

  function config() {
    return { ...coloured(Page.data.config), background: null, padding: 2 };
  }

  async function draw(element) {
    const chart = Page.data.charts[Number(element.dataset.chart)];
    const result = await vegaEmbed(element, fitted(chart, element.clientWidth), {
      ...INTERPRETED,
      mode: "vega-lite",
      renderer: "svg",
      actions: false,
      config: config(),
      tooltip: { theme: darkness.matches ? "dark" : "light" },
      loader: { load: () => Promise.reject(new Error("the page loads nothing")) },
    });
    element.finalize?.();
    element.finalize = () => result.finalize();
  }

  // One after the other, from the top: the first can be read early. A newer
  // wish ends the drawing of an older one, and waits until it has ended.
  let wishes = 0;
  let ended = Promise.resolve();
  function drawAll() {
    wishes += 1;
    const mine = wishes;
    delete document.documentElement.dataset.drawn;
    ended = ended.then(async () => {
      for (const element of document.querySelectorAll("[data-chart]")) {
        if (mine !== wishes) return;
        try {
          await draw(element);
        } catch (problem) {
          element.textContent = `This chart could not be drawn: ${problem.message}`;
          console.error(problem);
        }
      }
      document.documentElement.dataset.drawn = String(mine);
    });
  }

  // As the published file has it, whatever the window and theme.
  async function published(index, format) {
    const { id, spec } = Page.data.charts[index];
    const compiled = vegaLite.compile(spec, { config: Page.data.config }).spec;
    const view = new vega.View(vega.parse(compiled, null, { ast: true }), { renderer: "none", expr: vegaInterpreter });
    if (format === "svg") {
      Page.save(`${id}.svg`, await view.toSVG(), "image/svg+xml");
    } else {
      const picture = await view.toCanvas(2);
      const blob = await new Promise((done) => picture.toBlob(done));
      // There is none of what is larger than the browser's pictures may be.
      if (blob) Page.save(`${id}.png`, blob);
      else Page.save(`${id}.svg`, await view.toSVG(), "image/svg+xml");
    }
    view.finalize();
  }

  function start() {
    for (const format of ["svg", "png"]) {
      const key = format === "svg" ? "chartSvg" : "chartPng";
      for (const button of document.querySelectorAll(`[data-chart-${format}]`)) {
        button.addEventListener("click", () => published(Number(button.dataset[key]), format));
      }
    }
    darkness.addEventListener("change", drawAll);
    let width = window.innerWidth;
    let timer;
    window.addEventListener("resize", () => {
      if (window.innerWidth === width) return;
      width = window.innerWidth;
      clearTimeout(timer);
      timer = setTimeout(drawAll, 150);
    });
    drawAll();
  }

  return { start };
})();
