// The board viewer: which game, which ply.
"use strict";

const Viewer = (() => {
  const by = (id) => document.getElementById(id);
  let game = null;
  let ply = 0;

  const capital = (text) => text.charAt(0).toUpperCase() + text.slice(1);
  const spaced = (text) => String(text).replace(/[-_]/g, " ");

  function moveText(step) {
    return step.move + step.removed.map(({ square }) => `x${square}`).join("");
  }

  function said(step, number) {
    if (number === 0) return `Start. ${capital(game.facts.side === "defenders" ? "defenders" : "attackers")} to move.`;
    const opening = number <= (game.facts.opening_plies ?? 0) ? " (opening, drawn at random)" : "";
    const took = step.removed.map(({ square, piece }) => `${piece} on ${square}`).join(", ");
    const parts = [`${number}. ${capital(step.side)}: ${moveText(step)}${opening}.`];
    if (step.events.length > 0) parts.push(`${capital(step.events.join("; "))}.`);
    else if (took) parts.push(`Captured: ${took}.`);
    if (number === game.positions.length - 1) parts.push(`${result()}.`);
    return parts.join(" ");
  }

  function result() {
    const { winner, result: outcome, termination, reason } = game.facts;
    const who = winner ?? outcome ?? "ongoing";
    const why = termination ?? reason;
    const text = { attackers: "The attackers win", defenders: "The defenders win", draw: "Draw" }[who] ?? "No result";
    return why && why !== "ongoing" ? `${text}: ${spaced(why)}` : text;
  }

  function value(key, given) {
    if (given === true) return "yes";
    if (given === false) return "no";
    if (given !== null && typeof given === "object") {
      return Object.values(given).map(spaced).join(" times, ");
    }
    if (key.endsWith("_hostile") && given === "none") return "nobody";
    return spaced(given);
  }

  function rules(given) {
    if (typeof given === "string") return given;
    if (given === null || typeof given !== "object") return "not said";
    const axes = new Map(Page.data.axes);
    const order = [...axes.keys()];
    return Object.entries(given)
      .filter(([, of]) => of !== null)
      .sort(([one], [other]) => order.indexOf(one) - order.indexOf(other))
      .map(([key, of]) => `${axes.get(key) ?? spaced(key)}: ${value(key, of)}`)
      .join(" · ");
  }

  function facts() {
    const { facts: of } = game;
    const rows = [
      ["Attackers", of.attackers ?? "not said"],
      ["Defenders", of.defenders ?? "not said"],
      ["Result", `${result()}, after ${game.positions.length - 1} plies`],
      ["Rules", rules(of.rules)],
    ];
    if (of.cell !== undefined && of.game !== undefined) {
      const whose = of.experiment === undefined ? "" : `${of.experiment}, `;
      rows.push(["Row", `${whose}cell ${of.cell}, game ${of.game}`]);
    }
    if (of.forfeit) rows.push(["Forfeit", String(of.forfeit)]);
    by("viewer-facts").replaceChildren(
      ...rows.flatMap(([name, text]) => [Page.element("dt", {}, name), Page.element("dd", {}, String(text))]),
    );
  }

  function moves() {
    const items = game.positions.slice(1).map((step, index) => {
      const button = Page.element("button", { type: "button", class: step.side }, moveText(step));
      const marked = step.events.length > 0 || step.removed.length > 0;
      if (marked) button.classList.add("marked");
      button.title = said(step, index + 1);
      button.addEventListener("click", () => go(index + 1));
      return Page.element("li", { value: index + 1 }, button);
    });
    by("viewer-moves").replaceChildren(...items);
  }

  // Keeps the current move in sight without moving the page.
  function mark() {
    const list = by("viewer-moves");
    for (const button of list.querySelectorAll("[aria-current]")) button.removeAttribute("aria-current");
    const item = list.children[ply - 1];
    if (!item) {
      list.scrollTop = 0;
      return;
    }
    item.firstElementChild.setAttribute("aria-current", "true");
    const [top, bottom] = [item.offsetTop - list.offsetTop, item.offsetTop - list.offsetTop + item.offsetHeight];
    if (top < list.scrollTop) list.scrollTop = top;
    if (bottom > list.scrollTop + list.clientHeight) list.scrollTop = bottom - list.clientHeight;
  }

  function go(to) {
    const last = game.positions.length - 1;
    ply = Math.min(Math.max(to, 0), last);
    const step = game.positions[ply];
    const words = said(step, ply);
    Board.draw(by("viewer-board"), step, words);
    by("viewer-now").textContent = words;
    const slider = by("viewer-slider");
    slider.max = String(last);
    slider.value = String(ply);
    slider.setAttribute("aria-valuetext", ply === 0 ? "start" : `ply ${ply} of ${last}, ${moveText(step)}`);
    for (const button of document.querySelectorAll("[data-step]")) {
      const back = ["first", "back"].includes(button.dataset.step);
      button.setAttribute("aria-disabled", String(back ? ply === 0 : ply === last));
    }
    mark();
  }

  function show(next) {
    game = next;
    facts();
    moves();
    go(0);
  }

  const STEPS = {
    first: () => go(0),
    back: () => go(ply - 1),
    on: () => go(ply + 1),
    last: () => go(game.positions.length - 1),
  };
  const KEYS = { ArrowLeft: "back", ArrowRight: "on", Home: "first", End: "last" };

  function onKey(event) {
    if (event.altKey || event.ctrlKey || event.metaKey) return;
    const isTyping = event.target.closest("input, textarea, select");
    const step = KEYS[event.key];
    if (isTyping || !step || !game) return;
    event.preventDefault();
    STEPS[step]();
  }

  // Shows a game if it is one; else says why not, and leaves what is there.
  function attempt(read) {
    const error = by("viewer-error");
    error.textContent = "";
    try {
      show(read());
      return true;
    } catch (problem) {
      if (!(problem instanceof Game.Refused)) throw problem;
      error.textContent = problem.message;
      by("viewer-other").open = true;
      return false;
    }
  }

  function onPaste() {
    if (!attempt(() => Game.read(by("viewer-text").value))) return;
    by("viewer-game").selectedIndex = -1;
    by("viewer-board").focus();
    by("viewer-board").scrollIntoView({ block: "nearest" });
  }

  function start() {
    if (!by("viewer")) return;
    const chosen = Page.data.games;
    const select = by("viewer-game");
    select.append(...chosen.map(({ title }) => Page.element("option", {}, title)));
    const open = (index) => attempt(() => Game.play(chosen[index].game));
    select.addEventListener("change", () => open(select.selectedIndex));
    for (const button of document.querySelectorAll("[data-step]")) {
      button.addEventListener("click", () => STEPS[button.dataset.step]());
    }
    by("viewer-slider").addEventListener("input", (event) => go(Number(event.target.value)));
    by("viewer").addEventListener("keydown", onKey);
    by("viewer-show").addEventListener("click", onPaste);
    if (chosen.length === 0 || !open(0)) show(Game.play({ moves: [], captures: [] }));
  }

  return { start };
})();
