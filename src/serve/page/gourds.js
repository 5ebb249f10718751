// Gourds: choosing and generating boards, moving gourds. The picture and the phases have modules of their own.

import { post } from "./api.js";
import { button, check, choice, el } from "./dom.js";
import { Game } from "./game.js";
import { keep, kept, keptFile } from "./storage.js";
import { Phases } from "./gourds-phases.js";
import { Picture, endsOf, pairs } from "./gourds-picture.js";

/** What a board may be called while its text is sent along. */
const OWN = "gourds:@board";

/** What can be shown on the board: the class that hides it, its label, and whether it is shown at first. */
const LAYERS = [["numbers", "Cell numbers", false], ["cycle", "Cycle", false], ["aims", "Goal as a tint", true]];

const SHOWN = "godnum:gourds:shown";

/** A board of more cells in a row is not made to fit: no cell of it gets narrower than this many pixels. */
const FITS = 10.5;
const NARROWEST = 33;

class View extends Picture {
  constructor(game) {
    super(game.info);
    this.game = game;
    this.turn = Promise.resolve();
    this.cursor = null;
    this.typed = "";
    const spots = this.board.layer("spots");
    this.spots = this.cells.map((_, cell) => this.hexagon(cell, {
      class: "spot", "data-cell": cell, role: "button", tabindex: "-1", "aria-label": `cell ${cell}`, click: () => this.press(cell),
    }));
    // These are buttons, which are heard.
    spots.removeAttribute("aria-hidden");
    spots.append(...this.spots);
    if (game.info.board.cycle) this.cycle(game.info.board.cycle);
    if (this.width > FITS) this.board.element.style.minWidth = `${Math.ceil(this.width * NARROWEST)}px`;
    const shown = kept(SHOWN) ?? {};
    this.boxes = {};
    for (const [name, label, first] of LAYERS) {
      this.boxes[name] = check(label, shown[name] ?? first, (on) => this.reveal(name, on));
      this.board.element.classList.toggle(`no-${name}`, !(shown[name] ?? first));
    }
    if (!game.info.board.cycle) delete this.boxes.cycle;
    const goal = goalPicture(game.info);
    if (goal) game.deck.after(goal);
  }

  /** Shows or hides a layer from now on. */
  reveal(name, on) {
    this.board.element.classList.toggle(`no-${name}`, !on);
    this.boxes[name].querySelector("input").checked = on;
    keep(SHOWN, { ...kept(SHOWN), [name]: on });
  }

  tell() {
    super.tell();
    const stage = this.board.element.parentNode;
    if (!(stage?.scrollWidth > stage?.clientWidth)) return;
    const scale = this.board.element.clientWidth / this.width;
    stage.scrollTo({ left: this.middles[this.free][0] * scale - stage.clientWidth / 2, behavior: "smooth" });
  }

  get free() {
    return this.hole(this.gourds.map((gourd) => gourd.cells));
  }

  /** The spots that can be clicked, in the order of the clock around the free cell. */
  offer(moves) {
    const [x, y] = this.middles[this.free];
    const angle = (cell) => Math.atan2(this.middles[cell][1] - y, this.middles[cell][0] - x);
    this.round = moves.map((move) => Number(move.name)).sort((a, b) => angle(a) - angle(b));
    this.typed = "";
    this.point(null);
    this.spots.forEach((spot, cell) => {
      const ready = this.round.includes(cell);
      spot.classList.toggle("ready", ready);
      spot.setAttribute("tabindex", ready ? "0" : "-1");
      spot.setAttribute("aria-label", this.words(cell));
    });
  }

  /** What is on a cell, in words. */
  words(cell) {
    const gourd = this.gourds.find((gourd) => gourd.cells.includes(cell));
    if (!gourd) return `cell ${cell}: free`;
    return `cell ${cell}: ${gourd.labels[gourd.cells.indexOf(cell)]}`;
  }

  /** Points at a cell for those who play with keys. */
  point(cell) {
    this.cursor = cell;
    this.spots.forEach((spot, number) => spot.classList.toggle("cursor", number === cell));
  }

  hint(found) {
    const cell = Number(found.moves[0]);
    this.point(cell);
    this.board.arrow(this.middles[cell], this.middles[this.free]);
  }

  /** Clicks a cell: one click after the other, however quickly they come. A film is taken over where it is. */
  press(cell) {
    this.turn = this.turn.then(async () => {
      const { game } = this;
      await game.turn;
      if (game.film && this.beside(cell, this.free)) await game.takeOver();
      const move = !game.film && game.look?.moves.find((move) => move.name === String(cell));
      if (move) return game.play(move);
      game.refuse(cell === this.free
        ? `Cell ${cell} is the free cell: click a half beside it.`
        : `The half on cell ${cell} cannot move: it is not beside the free cell ${this.free}.`);
    });
    return this.turn;
  }

  key(event, moves) {
    const at = event.target.dataset?.cell;
    if (event.key === "Enter" || event.key === " ") {
      const cell = at ?? this.cursor;
      if (cell === null) return "Choose a cell beside the free cell with the arrow keys first.";
      this.press(Number(cell));
      return true;
    }
    if (/^\d$/.test(event.key)) return this.game.postpone(event) || this.type(event.key, moves);
    const way = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 }[event.key];
    if (!way || moves.length === 0) return null;
    const place = this.round.indexOf(at === undefined ? this.cursor : Number(at));
    const next = place < 0 ? 0 : (place + way + this.round.length) % this.round.length;
    this.point(this.round[next]);
    this.board.element.focus({ preventScroll: true });
    return true;
  }

  /** A digit of a cell's number: the cell is clicked as soon as no other one can be meant. */
  type(digit, moves) {
    const fitting = (text) => moves.filter((move) => move.name.startsWith(text));
    this.typed = fitting(this.typed + digit).length > 0 ? this.typed + digit : digit;
    const found = fitting(this.typed);
    const exact = found.find((move) => move.name === this.typed);
    if (found.length === 0) {
      this.typed = "";
      return `No cell beside the free cell has a number that begins with ${digit}.`;
    }
    if (exact && found.length === 1) return exact;
    this.point(Number((exact ?? found[0]).name));
    return true;
  }
}

// ---- which board

/** The puzzle's text without its goal. */
const bare = (puzzle) => puzzle.replace(/:goal=.*/, "");

/** A form in one row: its button is pressed by Enter as well. */
function form(submit, ...children) {
  return el("form", { class: "row", submit: (event) => {
    event.preventDefault();
    submit();
  } }, ...children);
}

function field(label, properties) {
  const input = el("input", { type: "text", autocomplete: "off", ...properties });
  return [input, el("label", { class: "choice" }, el("span", {}, label), input)];
}

/** A board by the widths of its rows. */
function rows(game) {
  const widths = /^gourds:rows-([\d-]+)/.exec(game.info?.puzzle ?? "")?.[1] ?? "4-5-4";
  const [input, label] = field("Rows of", { value: widths, size: 9, inputmode: "text", "aria-label": "Widths of the rows" });
  const place = () => game.write(`gourds:rows-${input.value.trim().split(/[^0-9]+/).join("-")}`);
  return form(place, label, button("Use these rows", null, { type: "submit" }));
}

/** A board that is grown from a seed. */
function random(game) {
  const [, cells = "19"] = /^gourds:random:(\d+)/.exec(game.info?.puzzle ?? "") ?? [];
  const [size, sizeLabel] = field("Random, cells",
    { type: "number", min: 3, max: 63, step: 2, value: cells, required: true });
  const [seed, seedLabel] = field("seed",
    { size: 8, pattern: "[0-9]{1,20}", placeholder: "any", inputmode: "numeric", title: "A whole number; empty: any" });
  const any = () => String(crypto.getRandomValues(new Uint32Array(1))[0]);
  return form(() => game.write(`gourds:random:${size.value}:${seed.value || any()}`),
    sizeLabel, seedLabel, button("Generate", null, { type: "submit" }));
}

/** Which cells are covered in the end, on a board without labels. */
function goal(game) {
  if (!game.info || game.info.board.labels) return null;
  const { puzzle } = game.info;
  const take = () => {
    if (!game.state) return;
    const placed = pairs(game.state).map((pair) => pair.sort((a, b) => a - b)).sort((a, b) => a[0] - b[0]);
    game.choose(`${bare(puzzle)}:goal=${placed.map((pair) => pair.join("-")).join(",")}`, game.file ?? null);
  };
  return el("div", { class: "row" },
    button("Make this the goal", take, { title: "The cells that the gourds cover now are to be covered in the end" }),
    puzzle.includes(":goal=") && button("Usual goal", () => game.choose(bare(puzzle), game.file ?? null)));
}

/** A custom board, as a text. What is wrong with it is said here, and its line is selected. */
function own(game) {
  const text = el("textarea",
    { rows: 7, spellcheck: "false", autocapitalize: "off", wrap: "off", "aria-label": "The board as a text" });
  text.value = game.info?.file ?? keptFile(OWN) ?? "";
  const wrong = el("p", { class: "bad", role: "alert" });
  const submit = async () => {
    wrong.textContent = "";
    // Of several boards in one text the first is played.
    const names = [...text.value.matchAll(/^\s*board\s+(\S+)/gm)].map((found) => found[1]);
    const puzzle = names.length > 1 ? `${OWN}#${names[0]}` : OWN;
    try {
      await post("/api/puzzle", { puzzle, file: text.value });
      game.choose(puzzle, text.value);
    } catch (error) {
      wrong.textContent = error.message;
      select(text, Number(/line (\d+)/.exec(error.message)?.[1] ?? 0));
    }
  };
  return el("details", { class: "own" }, el("summary", {}, "A custom board"),
    el("p", { class: "promise" }, "In rows, o is a cell; its neighbours are two columns away, or one in the next row. "
      + "cells says what belongs on each cell; a gourd is its two cells and the labels of its ends. "
      + "A board of type shape has neither."),
    text, wrong, el("div", { class: "row" }, button("Play this board", submit)));
}

/** Selects a line of a text, counted from 1. */
function select(text, line) {
  if (line < 1) return;
  const lines = text.value.split("\n");
  const start = lines.slice(0, line - 1).join("\n").length + (line > 1 ? 1 : 0);
  text.focus();
  text.setSelectionRange(start, start + (lines[line - 1] ?? "").length);
}

const kind = {
  name: "gourds",
  fallback: "gourds:flower7",
  view: (game) => new View(game),
  chooser(game) {
    const names = (game.family.boards ?? []).map((name) => [`gourds:${name}`, name]);
    const now = bare(game.info?.puzzle ?? "");
    if (!names.some(([puzzle]) => puzzle === now)) {
      names.unshift([now, now.replace("gourds:", "").replace("@board#", "your ") || "…"]);
    }
    return [
      choice("Board", names, now, (puzzle) => game.choose(puzzle, puzzle === now ? (game.file ?? null) : null)),
      el("details", { class: "more", open: !game.info }, el("summary", {}, "Other boards"),
        rows(game), random(game), goal(game), own(game)),
    ];
  },
  extras(game) {
    game.phases = new Phases(game);
    return [
      el("div", { class: "row toggles" }, Object.values(game.view.boxes)),
      game.phases.element,
    ].filter(Boolean);
  },
  arrived: (game) => game.phases.refresh(),
  /** The half that moves, and the gourd it belongs to. */
  describe(name, info, state) {
    const ends = endsOf(info);
    const gourd = pairs(state).findIndex((cells) => cells.includes(Number(name)));
    if (gourd < 0) return null;
    const [one, other] = ends[gourd];
    return `gourd ${one}-${other}, from cell ${name}`;
  },
  words(state, info) {
    const ends = endsOf(info);
    return pairs(state).map((cells, gourd) => `Gourd ${ends[gourd].join("-")} on cells ${cells.join(" and ")}`).join("; ");
  },
  help: {
    goal: "Bring every half of a gourd to a cell of its colour or letter; where a board has no labels, cover the cells of the goal.",
    controls: "Click a half beside the free cell, and it goes there: the gourd slides, turns or pivots.",
    keys: [["arrows, Enter", "choose a half beside the free cell, and move it"], ["a cell's number", "moves the half on that cell"]],
  },
};

/** The goal as a small picture of its own, beside the board: letters on the board itself would be read as pieces. */
function goalPicture(info) {
  if (!info.root) return null;
  return el("figure", { class: "goal inset" }, picture(info, info.root),
    el("figcaption", {}, info.board.goal ? "Goal" : "One of the goals"));
}

export const open = (root, parameters) => new Game(root, kind, parameters);

/** A still picture of a position. */
export function picture(info, state) {
  const drawn = new Picture(info);
  drawn.board.element.classList.add(...LAYERS.map(([name]) => `no-${name}`));
  drawn.show(state);
  return drawn.board.still();
}
