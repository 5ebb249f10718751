// What stays when the page is left: games and choices, in the browser's storage and in files.

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

const fileKey = (puzzle) => `godnum:file:${puzzle}`;

/** Remembers the text of a custom board: each tab has its own, and the browser the last one. */
export function keepFile(puzzle, text) {
  keep(fileKey(puzzle), text);
  keep(fileKey(puzzle), text, "sessionStorage");
}

/** Such a text, or nothing. */
export function keptFile(puzzle) {
  return kept(fileKey(puzzle), "sessionStorage") ?? kept(fileKey(puzzle));
}

const key = (kind, puzzle = null) => `godnum:game:${kind.store ?? kind.name}${puzzle === null ? "" : `:${puzzle}`}`;

/** The number of positions kept before and after the present one, besides the first: a browser keeps some megabytes only. */
const REMEMBERED = 1000;

/** A game as it is kept: all moves up to the last position, but not all positions. */
function packed({ states, log, at, ...rest }) {
  let first = at;
  while (first > 0 && at - first < REMEMBERED && states[first - 1] !== undefined) first -= 1;
  const some = states.slice(first, at + REMEMBERED + 1);
  const base = at === 0 ? 0 : log.lastIndexOf("=", at - 1) + 1;
  return { ...rest, start: states[0], base: [base, states[base]], first, states: some, log: log.slice(0, first + some.length - 1), at };
}

/** Such a game as it was; positions that were not kept are not there. Nothing if it is not a game. */
function unpacked(saved) {
  const texts = (list) => Array.isArray(list) && list.every((text) => typeof text === "string");
  if (!texts([saved?.puzzle, saved?.start]) || !texts(saved.states) || !texts(saved.log)) return null;
  const { start, first, at, base, ...game } = saved;
  if (!(first >= 0 && first <= at && at < first + saved.states.length && first + saved.states.length === saved.log.length + 1)) return null;
  const states = new Array(first).concat(saved.states);
  states[0] = start;
  if (Number.isInteger(base?.[0]) && base[0] <= at && typeof base[1] === "string") states[base[0]] = base[1];
  return { ...game, states, at };
}

/**
 * The browser remembers the last game of a kind; each tab also the games of its other puzzles, to come back to. Nothing
 * (`null`) instead of a game makes both forget.
 */
export function remember(kind, game, puzzle = game.puzzle) {
  const value = game && packed(game);
  keep(key(kind), value);
  keep(key(kind, puzzle), value, "sessionStorage");
}

/** The last game of a kind, or this tab's game of a puzzle; nothing if the stored value is not a game. */
export function remembered(kind, puzzle = null) {
  const game = unpacked(puzzle === null ? kept(key(kind)) : kept(key(kind, puzzle), "sessionStorage"));
  return game?.puzzle.startsWith(`${kind.name}:`) ? game : null;
}

/** A game as a file, which `godnum play --load` reads, too. */
export function written({ puzzle, file, start, moves }) {
  return `${JSON.stringify({ godnum: "game", puzzle, file, start, moves }, null, 1)}\n`;
}

/**
 * The game in such a file, replayed by the rules, as it is remembered; rejected if it is not a game or breaks a rule, nothing
 * if that was stopped. `replay(body)` starts the server's work and resolves to its result.
 */
export async function replayed(kind, text, replay) {
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
  const file = game.puzzle.includes("@") ? game.file : undefined;
  const found = await replay({ do: "replay", puzzle, file, start: game.start, moves: game.moves });
  return found && { puzzle: game.puzzle, file, states: found.states, log: game.moves, at: game.moves.length };
}
