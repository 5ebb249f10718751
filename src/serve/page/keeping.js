// What stays when the page is left: games and choices, in the browser's storage and in files.

import { post } from "./api.js";

/** Remembers a value until it is asked for again, on this machine and in this browser only. */
export function keep(key, value, storage = "localStorage") {
  try {
    window[storage].setItem(key, JSON.stringify(value));
  } catch {
    // A browser without storage plays as well; it only forgets.
  }
}

/** What was remembered, or nothing. */
export function kept(key, storage = "localStorage") {
  try {
    return JSON.parse(window[storage].getItem(key));
  } catch {
    return null;
  }
}

const key = (kind, puzzle = null) => `godnum:game:${kind.name}${puzzle === null ? "" : `:${puzzle}`}`;

/**
 * The browser remembers the last game of a kind; each tab also the games of its other puzzles, to come back to. Nothing
 * (`null`) instead of a game makes both forget.
 */
export function remember(kind, game, puzzle = game.puzzle) {
  keep(key(kind), game);
  keep(key(kind, puzzle), game, "sessionStorage");
}

/** The last game of a kind, or this tab's game of a puzzle; nothing if what is in the storage is no game. */
export function remembered(kind, puzzle = null) {
  const saved = puzzle === null ? kept(key(kind)) : kept(key(kind, puzzle), "sessionStorage");
  const texts = (list) => Array.isArray(list) && list.every((text) => typeof text === "string");
  const whole = texts(saved?.states) && texts(saved.log) && saved.states.length === saved.log.length + 1;
  return whole && typeof saved.puzzle === "string" && saved.at >= 0 && saved.at < saved.states.length ? saved : null;
}

/** A game as a file, which `godnum play --load` reads, too. */
export function written({ puzzle, file, start, moves }) {
  return `${JSON.stringify({ godnum: "game", puzzle, file, start, moves }, null, 1)}\n`;
}

/** The game in such a file, replayed by the rules, as it is remembered; refused if it is none or breaks a rule. */
export async function replayed(kind, text) {
  let game = null;
  try {
    game = JSON.parse(text);
  } catch {
    // Refused below.
  }
  const texts = [game?.puzzle, game?.start].every((text) => typeof text === "string");
  if (game?.godnum !== "game" || !texts || !Array.isArray(game.moves)) {
    throw new Error("This file is not a game that was saved here.");
  }
  if (!game.puzzle.startsWith(`${kind.name}:`)) {
    throw new Error(`This is a game of ${game.puzzle}: load it in the view of that puzzle.`);
  }
  const puzzle = kind.looks?.(game.puzzle) ?? game.puzzle;
  const look = (state) => post("/api/look", { puzzle, file: game.file, state });
  let now = await look(game.start);
  const states = [now.state];
  for (const name of game.moves) {
    const move = now.moves.find((move) => move.name === name);
    if (!move) throw new Error(`The game in this file breaks off: its move ${states.length}, "${name}", is not legal.`);
    states.push(move.state);
    now = await look(move.state);
  }
  return { puzzle: game.puzzle, file: game.file, states, log: game.moves, at: game.moves.length };
}
