// The board as SVG. Attackers are dark squares, defenders light discs, the king
// a light disc with a cross: colour is not needed to tell them apart.
"use strict";

const Board = (() => {
  const SVG = "http://www.w3.org/2000/svg";
  const FILES = "abcdefg";
  const SQUARE = 50;
  const EDGE = 22;
  const SIZE = 7 * SQUARE + EDGE;

  const node = (name, attributes, ...children) => {
    const element = document.createElementNS(SVG, name);
    for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, value);
    element.append(...children);
    return element;
  };
  const x = (square) => EDGE + FILES.indexOf(square[0]) * SQUARE;
  const y = (square) => (7 - Number(square[1])) * SQUARE;
  const centre = (square) => [x(square) + SQUARE / 2, y(square) + SQUARE / 2];

  function squares() {
    const all = [];
    for (const file of FILES) {
      for (let rank = 1; rank <= 7; rank += 1) {
        const square = file + rank;
        const isCorner = "ag".includes(file) && (rank === 1 || rank === 7);
        const kind = isCorner ? "corner" : square === "d4" ? "throne" : "plain";
        const place = { x: x(square), y: y(square), width: SQUARE, height: SQUARE };
        all.push(node("rect", { ...place, class: `square ${kind}` }));
        if (kind !== "plain") all.push(ornament(square));
      }
    }
    return all;
  }

  function ornament(square) {
    const [left, top, far] = [x(square) + 12, y(square) + 12, SQUARE - 24];
    const d = `M${left} ${top}l${far} ${far}M${left + far} ${top}l${-far} ${far}`;
    return node("path", { d, class: "ornament" });
  }

  function coordinates() {
    const letter = (text, left, top) => {
      const label = node("text", { x: left, y: top, class: "coordinate" });
      label.textContent = text;
      return label;
    };
    const files = [...FILES].map((file) => letter(file, x(file + 1) + SQUARE / 2, SIZE - 7));
    const ranks = [1, 2, 3, 4, 5, 6, 7].map((rank) => letter(rank, EDGE / 2, y(`a${rank}`) + SQUARE / 2 + 4));
    return files.concat(ranks);
  }

  function piece(kind, square, extra = "") {
    const [cx, cy] = centre(square);
    const group = node("g", { class: `piece ${kind} ${extra}`.trim(), "data-square": square });
    if (kind === "attacker") {
      group.append(node("rect", { x: cx - 14, y: cy - 14, width: 28, height: 28, rx: 3 }));
    } else {
      group.append(node("circle", { cx, cy, r: kind === "king" ? 19 : 15 }));
    }
    if (kind === "king") {
      group.append(node("path", { class: "cross", d: `M${cx - 10} ${cy}h20M${cx} ${cy - 10}v20` }));
    }
    return group;
  }

  function captured({ square, piece: kind }) {
    const [cx, cy] = centre(square);
    const group = piece(kind, square, "captured");
    group.append(
      node("path", { class: "strike", d: `M${cx - 18} ${cy - 18}l36 36M${cx + 18} ${cy - 18}l-36 36` }),
    );
    return group;
  }

  function trace(from, to) {
    const [x1, y1] = centre(from);
    const [x2, y2] = centre(to);
    return [
      node("rect", { x: x(from) + 3, y: y(from) + 3, width: SQUARE - 6, height: SQUARE - 6, class: "from" }),
      node("line", { x1, y1, x2, y2, class: "trace" }),
      node("rect", { x: x(to) + 2, y: y(to) + 2, width: SQUARE - 4, height: SQUARE - 4, class: "to" }),
    ];
  }

  // Who stands where, in words.
  function words(pieces) {
    const on = (kind) => [...pieces].filter(([, found]) => found === kind).map(([square]) => square).sort();
    const list = (name, squares) => (squares.length === 0 ? `no ${name}` : `${name} on ${squares.join(", ")}`);
    return [list("king", on("king")), list("defenders", on("defender")), list("attackers", on("attacker"))].join("; ");
  }

  // Draws a position of a game into an element.
  function draw(element, step, title) {
    const svg = node("svg", { viewBox: `0 0 ${SIZE} ${SIZE}`, role: "img" });
    const label = `${title}. ${words(step.pieces)}.`;
    svg.setAttribute("aria-label", label);
    svg.append(...squares(), ...coordinates());
    if (step.from) svg.append(...trace(step.from, step.to));
    for (const victim of step.removed) svg.append(captured(victim));
    for (const [square, kind] of step.pieces) svg.append(piece(kind, square));
    element.replaceChildren(svg);
  }

  return { draw };
})();
