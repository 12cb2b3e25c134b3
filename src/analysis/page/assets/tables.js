// Tables that can be sorted and saved, from CSV text or from a chart's rows.
"use strict";

const Tables = (() => {
  const FIRST_ROWS = 100;
  const NUMBER = /^[-+]?\d+(\.\d+)?(e[-+]?\d+)?$/i;

  // RFC 4180: quoted fields may hold commas, quotes twice, and line ends.
  function parse(text) {
    const rows = [];
    let row = [];
    const fields = /("(?:[^"]|"")*"|[^,\r\n]*)(,|\r?\n|$)/g;
    while (fields.lastIndex < text.length) {
      const [, field, end] = fields.exec(text);
      row.push(field.startsWith('"') ? field.slice(1, -1).replaceAll('""', '"') : field);
      if (end !== ",") {
        rows.push(row);
        row = [];
      }
    }
    if (row.length > 0) rows.push([...row, ""]);
    return rows;
  }

  const quoted = (field) => (/[",\r\n]/.test(field) ? `"${field.replaceAll('"', '""')}"` : field);
  const unparse = (rows) => rows.map((row) => `${row.map(quoted).join(",")}\n`).join("");

  // Ids are hexadecimal, and some look like numbers.
  const isId = (heading) => ["cell", "ruleset id", "ruleset", "moves key"].includes(heading);

  function isNumeric(rows, column, heading) {
    const filled = rows.map((row) => row[column]).filter((field) => field !== "");
    return !isId(heading) && filled.length > 0 && filled.every((field) => NUMBER.test(field));
  }

  // Three decimals are read, the rest is in the file.
  function shown(field, numeric) {
    if (!numeric || field === "" || !/[.e]/i.test(field)) return field;
    const number = Number(field);
    return number !== 0 && Math.abs(number) < 0.0005 ? number.toExponential(1) : number.toFixed(3);
  }

  function sorted(rows, column, numeric, downward) {
    const sign = downward ? -1 : 1;
    const order = (one, other) => (numeric ? one - other : one.localeCompare(other, "en"));
    return rows.slice().sort((one, other) => {
      const [a, b] = [one[column], other[column]];
      if (a === "" || b === "") return (a === "") - (b === "");
      return sign * (numeric ? order(Number(a), Number(b)) : order(a, b));
    });
  }

  // A table into an element. `headings` are the columns' names as they are.
  function build(element, name, caption, headings, rows, csv) {
    const words = headings.map((heading) => heading.replaceAll("_", " "));
    const numeric = words.map((word, column) => isNumeric(rows, column, word));
    const varies = headings.map((_, column) => rows.length < 2 || rows.some((row) => row[column] !== rows[0][column]));
    const state = { rows, limit: FIRST_ROWS, all: varies.every(Boolean), sort: -1, downward: false };

    const body = Page.element("tbody", {});
    const heads = words.map((word, column) => {
      const button = Page.element("button", { type: "button" }, word);
      button.addEventListener("click", () => {
        state.downward = state.sort === column && !state.downward;
        state.sort = column;
        state.rows = sorted(rows, column, numeric[column], state.downward);
        fill();
      });
      return Page.element("th", { scope: "col", class: numeric[column] ? "number" : "text" }, button);
    });
    const same = headings.map((_, column) => column).filter((column) => !varies[column]);
    const note = Page.element("p", { class: "same" });
    const tools = Page.element("p", { class: "actions" });
    const table = Page.element(
      "table",
      {},
      Page.element("caption", {}, caption),
      Page.element("thead", {}, Page.element("tr", {}, ...heads)),
      body,
    );
    const frame = Page.element("div", { class: "scroll", tabindex: "0", role: "region", "aria-label": `Table ${name}` }, table);
    const more = Page.element("p", { class: "more" });

    function line(row) {
      const cells = row.map((field, column) => {
        const cell = Page.element("td", { class: numeric[column] ? "number" : "text" }, shown(field, numeric[column]));
        cell.hidden = !state.all && !varies[column];
        return cell;
      });
      return Page.element("tr", {}, ...cells);
    }

    function fill() {
      body.replaceChildren(...state.rows.slice(0, state.limit).map(line));
      heads.forEach((head, column) => {
        head.hidden = !state.all && !varies[column];
        const order = state.downward ? "descending" : "ascending";
        head.setAttribute("aria-sort", state.sort === column ? order : "none");
      });
      const rest = rows.length - state.limit;
      more.replaceChildren();
      if (rest > 0) {
        const button = Page.element("button", { type: "button" }, `Show all ${rows.length} rows`);
        button.addEventListener("click", () => {
          state.limit = rows.length;
          fill();
        });
        more.append(button);
      }
      note.textContent =
        state.all || same.length === 0
          ? ""
          : `The same in every row: ${same.map((column) => `${words[column]} ${rows[0][column] || "–"}`).join(", ")}.`;
    }

    const save = Page.element("button", { type: "button", "data-save": "csv" }, `Save ${name}.csv`);
    save.addEventListener("click", () => Page.save(`${name}.csv`, csv ?? unparse([headings, ...rows]), "text/csv"));
    tools.append(save);
    if (same.length > 0) {
      const box = Page.element("input", { type: "checkbox" });
      box.addEventListener("change", () => {
        state.all = box.checked;
        fill();
      });
      tools.append(" ", Page.element("label", {}, box, " every column"));
    }
    fill();
    element.replaceChildren(tools, note, frame, more);
  }

  // The columns of a chart's rows, in the order in which its tips give them.
  function columns(part) {
    if (part === null || typeof part !== "object") return null;
    if (Array.isArray(part.tooltip)) return part.tooltip.map(({ field }) => field);
    for (const [key, inner] of Object.entries(part)) {
      const found = key === "data" ? null : columns(inner);
      if (found) return found;
    }
    return null;
  }

  // Makes a table when the one who reads opens it.
  function whenOpened(details, make) {
    const open = () => {
      if (details.open && !details.dataset.made) {
        details.dataset.made = "true";
        make(details.querySelector(".table"));
      }
    };
    details.addEventListener("toggle", open);
    window.addEventListener("beforeprint", open);
    open();
  }

  function start() {
    for (const details of document.querySelectorAll("[data-table]")) {
      const { name, caption, csv } = Page.data.tables[Number(details.dataset.table)];
      whenOpened(details, (element) => {
        const [headings = [], ...rows] = parse(csv);
        build(element, name, caption, headings, rows, csv);
      });
    }
    for (const details of document.querySelectorAll("[data-rows]")) {
      const { id, title, spec } = Page.data.charts[Number(details.dataset.rows)];
      whenOpened(details, (element) => {
        const values = spec.data.values;
        const headings = columns(spec);
        const rows = values.map((row) => headings.map((key) => String(row[key] ?? "").replaceAll("\n", " ")));
        build(element, id, title, headings, rows);
      });
    }
  }

  return { start, parse };
})();
