// A recorded game, read and played out: from what `brandub replay --json`
// prints to the list of its positions. Touches no page.
"use strict";

const Game = (() => {
  const LAYOUTS = {
    cross: "/3t3/3t3/3T3/ttTKTtt/3T3/3t3/3t3/",
    circle: "/3t3/1t3t1/3T3/t1TKT1t/3T3/1t3t1/3t3/",
    line: "/2t1t2/7/t2T2t/2TKT2/t2T2t/7/2t1t2/",
    ring: "/7/2t1t2/1t1T1t1/2TKT2/1t1T1t1/2t1t2/7/",
  };
  const PIECES = { t: "attacker", T: "defender", K: "king" };
  const MOST_PLIES = 100000;

  class Refused extends Error {}

  const refuse = (message) => {
    throw new Refused(message);
  };
  const sideOf = (piece) => (piece === "attacker" ? "attackers" : "defenders");
  const isSquare = (text) => typeof text === "string" && /^[a-g][1-7]$/.test(text);
  const shown = (value) => {
    const text = JSON.stringify(value) ?? "nothing";
    return text.length > 40 ? `${text.slice(0, 40)}…` : text;
  };

  // Pieces by square from a position string, rank 1 first.
  function position(text) {
    const ranks = text.replace(/^\/|\/$/g, "").split("/");
    if (ranks.length !== 7) refuse(`The start ${shown(text)} has ${ranks.length} ranks, not 7.`);
    const pieces = new Map();
    ranks.forEach((rank, row) => {
      let file = 0;
      for (const letter of rank) {
        if (/[1-7]/.test(letter)) {
          file += Number(letter);
        } else if (letter in PIECES) {
          pieces.set("abcdefg"[file] + (row + 1), PIECES[letter]);
          file += 1;
        } else {
          refuse(`The start ${shown(text)} has a letter ${shown(letter)}: expected t, T, K and digits.`);
        }
      }
      if (file !== 7) refuse(`Rank ${row + 1} of the start ${shown(text)} has ${file} squares, not 7.`);
    });
    if ([...pieces.values()].filter((piece) => piece === "king").length !== 1) {
      refuse(`The start ${shown(text)} has not exactly one king.`);
    }
    return pieces;
  }

  function start(game) {
    const given = game.start ?? game.position ?? game.rules?.layout ?? "cross";
    if (typeof given !== "string") refuse(`The start ${shown(given)} is no position string.`);
    // A position may be followed by the side to move.
    return position(LAYOUTS[given] ?? given.split(" ")[0]);
  }

  function listOf(game, key, length) {
    const list = game[key];
    if (!Array.isArray(list)) refuse(`\`${key}\` is ${shown(list)}: expected a list.`);
    if (length !== undefined && list.length !== length) {
      refuse(`\`${key}\` has ${list.length} entries, \`moves\` has ${length}: expected one for each move.`);
    }
    return list;
  }

  // The squares that a piece slides over, its goal with them; none if it is
  // not on one line.
  function path(from, to) {
    const [file, rank] = [to.charCodeAt(0) - from.charCodeAt(0), Number(to[1]) - Number(from[1])];
    if ((file === 0) === (rank === 0)) return [];
    return Array.from({ length: Math.abs(file + rank) }, (_, index) => {
      const far = index + 1;
      return (
        String.fromCharCode(from.charCodeAt(0) + Math.sign(file) * far) +
        String(Number(from[1]) + Math.sign(rank) * far)
      );
    });
  }

  function played(pieces, side, move, captured, ply) {
    const where = `Ply ${ply}, ${shown(move)}`;
    const [from, to] = typeof move === "string" ? move.split("-") : [];
    if (!isSquare(from) || !isSquare(to) || move.length !== 5) {
      refuse(`${where}: expected a move such as "d2-e2".`);
    }
    const piece = pieces.get(from);
    if (!piece || sideOf(piece) !== side) refuse(`${where}: no piece of the ${side} stands on ${from}.`);
    const way = path(from, to);
    if (way.length === 0) refuse(`${where}: a piece moves along a file or a rank.`);
    const blocked = way.find((square) => pieces.has(square));
    if (blocked) refuse(`${where}: ${blocked} is not empty.`);
    const after = new Map(pieces);
    after.delete(from);
    after.set(to, piece);
    const removed = captured.map((square) => {
      if (!isSquare(square)) refuse(`${where}: it captures on ${shown(square)}, which is no square.`);
      const victim = after.get(square);
      if (!victim || sideOf(victim) === side) {
        refuse(`${where}: no piece of the other side stands on ${square}, which it is said to capture.`);
      }
      after.delete(square);
      return { square, piece: victim };
    });
    return { side, piece, from, to, removed, pieces: after };
  }

  // The game of a JSON text. Throws an error whose message is for people.
  function read(text) {
    if (text.trim() === "") refuse("Nothing has been pasted.");
    let game;
    try {
      game = JSON.parse(text);
    } catch (error) {
      refuse(`This is not JSON (${error.message}). Paste the whole line that \`brandub replay --json\` prints.`);
    }
    return play(game);
  }

  // A game's positions, the first before any move.
  function play(game) {
    if (typeof game !== "object" || game === null || Array.isArray(game)) {
      refuse("This is JSON, but no game: expected an object with `moves` and `captures`.");
    }
    const moves = listOf(game, "moves");
    if (moves.length > MOST_PLIES) refuse(`The game has more than ${MOST_PLIES} plies.`);
    const captures = listOf(game, "captures", moves.length);
    const events = game.events === undefined ? moves.map(() => []) : listOf(game, "events", moves.length);
    let pieces = start(game);
    let side = game.side === "defenders" ? "defenders" : "attackers";
    const positions = [{ pieces, removed: [], events: [] }];
    moves.forEach((move, index) => {
      const captured = captures[index];
      if (!Array.isArray(captured)) refuse(`Ply ${index + 1}: its captures are ${shown(captured)}: expected a list of squares.`);
      const words = events[index];
      if (!Array.isArray(words) || words.some((word) => typeof word !== "string")) {
        refuse(`Ply ${index + 1}: its events are ${shown(words)}: expected a list of texts.`);
      }
      const step = played(pieces, side, move, captured, index + 1);
      positions.push({ ...step, move, events: words });
      pieces = step.pieces;
      side = side === "attackers" ? "defenders" : "attackers";
    });
    return { facts: game, positions };
  }

  return { read, play, Refused };
})();
