// A game: one puzzle on one board, its moves, hints, solutions and films. What is special about a puzzle comes from
// its own module, the *kind*:
//
//   name           the puzzle's kind: "tiles"
//   address        the view's name in the address, if it is not the kind's
//   store          the name under which games are stored, if it is not the kind's
//   ownMoves       the view itself shows the moves as buttons: no list of them in the panel
//   fallback       the puzzle to start with: "tiles:4x4"
//   chooser(game)  elements with which another puzzle is chosen (they call game.choose)
//   view(game)     makes the picture for game.info: { board, show(state), step(from, to, name, ms, backwards), and if
//                  wanted offer(moves): what can be done now, key(event): a move, a sentence that refuses, or nothing }
//   looks(puzzle)  the puzzle whose legal moves are offered, if it is not the puzzle itself
//   title(info)    what the puzzle is called here
//   start(game)    the first position as it was written, if it was; the server has the last word
//   counters(log)  [[label, number], ...] out of the names of the moves made; by default their number
//   extras(game)   further elements for the panel
//   arrived(game)  called when a position is reached and looked at
//   wrong(game)    why the position cannot be played yet, in a sentence, where the page can tell; nothing if it can
//   describe(name, info)  a move in words
//   unit(info)     what a move is called: ["step", "steps"]
//   join(last, name, info)  the move that two in a row come to, if they count as one; "" if they cancel each other
//   words(state, info)  the position in words, for those who do not see the board
//   typed(game, text)   sets a position that was typed, if the server's notation is not all that is understood
//   help           how to play: { goal, controls, keys: [[key, what it does], ...] }
//
// The server knows the rules: it says which moves a position has and where they lead. The page only draws.

import { Unreachable, family, post } from "./api.js";
import { Explorer } from "./explorer.js";
import { Controls } from "./controls.js";
import { button, download, el, field, plural, seconds, sentence } from "./dom.js";
import { Film } from "./film.js";
import { keepFile, keptFile, remember, remembered, replayed, written } from "./storage.js";
import { CARRIED, PuzzleView, loadedAgain } from "./puzzle-view.js";

/** How long a move by hand takes on the board, in milliseconds. */
const HAND = 160;

/** Where a list of moves goes on with another position: it was scrambled, painted, typed or linked to. It can be undone. */
const JUMP = "=";

const allowed = ({ cut_short }) => (cut_short ? " in the time and memory allowed" : "");

export class Game extends PuzzleView {
  constructor(root, kind, parameters) {
    super(kind.address ?? kind.name);
    this.kind = kind;
    this.warning = el("p", { class: "warning", hidden: true });
    this.offers = el("div", { class: "offers" });
    this.extras = el("div", { class: "extras" });
    this.controls = new Controls(this);
    this.explorer = new Explorer(this);
    this.furnish(root, this.choosing, this.warning, this.controls.element, this.work.element, this.result,
      this.explorer.element, this.helpElement(), this.extras, this.positionElement(),
      kind.ownMoves ? [] : el("details", {}, el("summary", {}, "Legal moves"), this.offers));
    this.states = [];
    this.log = [];
    this.invalid = null;
    this.controls.refresh();
    this.begin(parameters);
  }

  // ---- puzzle and position

  choose(puzzle, file = null) {
    if (typeof file === "string" && !this.closed) keepFile(puzzle, file);
    super.choose(puzzle);
  }

  async begin(parameters) {
    const saved = remembered(this.kind);
    const puzzle = parameters.get("puzzle") ?? saved?.puzzle ?? this.kind.fallback;
    const known = saved?.puzzle === puzzle ? saved.file : undefined;
    const linked = parameters.get("file");
    if (linked && puzzle.includes("@")) keepFile(puzzle, linked);
    const file = puzzle.includes("@") ? (linked ?? keptFile(puzzle) ?? known) : undefined;
    try {
      this.family = await family(this.kind.name);
      if (!puzzle.startsWith(`${this.kind.name}:`)) throw new Error(`${puzzle} is a puzzle of another view.`);
      this.info = await post("/api/puzzle", { puzzle, file });
      if (this.closed) return;
      this.file = file;
      this.title.textContent = this.kind.title?.(this.info) ?? this.info.title;
      this.warning.textContent = this.info.warning ? sentence(this.info.warning) : "";
      this.warning.hidden = !this.info.warning;
      this.view = this.kind.view(this);
      this.stage.replaceChildren(this.view.board.element);
      this.controls.offer(this.info.solvers);
      this.controls.refresh();
      this.offerChoice(this.kind.chooser(this));
      this.extras.replaceChildren(...[this.kind.extras?.(this) ?? []].flat());
      await this.first(parameters.get("state"), saved);
    } catch (error) {
      if (this.closed) return;
      if (this.family) this.offerChoice(this.kind.chooser(this));
      this.title.textContent = puzzle;
      this.refuse(error);
    }
  }

  /**
   * The first position: the one in the address, the one of the last visit, the one that is given, or any. A game that was
   * left here stays, before the position in the address: it can be gone back to.
   */
  async first(state, last) {
    const own = remembered(this.kind, this.info.puzzle);
    const saved = own ?? last;
    const same = saved?.puzzle === this.info.puzzle && saved.file === this.file;
    let refusal = null;
    try {
      const look = state && (await post("/api/look", this.subject({ state })));
      if (this.closed) return null;
      // A page that is loaded again shows the game as this tab left it, even if the address lagged behind it.
      const left = (own && loadedAgain()) || saved?.states[saved.at] === look?.state;
      if (same && (!look || left)) return await this.restore(saved);
      if (look) {
        if (same) Object.assign(this, { states: saved.states, log: saved.log, at: Math.min(saved.at, saved.log.length) });
        return await this.set(look.state);
      }
    } catch (error) {
      if (error instanceof Unreachable) throw error;
      refusal = state ? error : "The game that was left here cannot be read any more: this is a new one.";
      if (state && same) {
        await this.restore(saved);
        return this.refuse(refusal);
      }
    }
    if (this.closed) return;
    if (this.info.start) await this.set(await this.opening());
    else if (!(await this.scramble()) && this.info.root) await this.set(this.info.root);
    if (refusal) this.refuse(refusal);
  }

  /** The position that is given: as it was written, if that can be. */
  async opening() {
    const written = this.kind.start?.(this);
    const look = written && (await post("/api/look", this.subject({ state: written })).catch(() => null));
    return look?.state ?? this.info.start;
  }

  /** The request that names the puzzle. */
  subject(more = {}) {
    return { puzzle: this.info.puzzle, file: this.file, ...more };
  }

  get state() {
    return this.states[this.at];
  }

  /** Where the game began that the position belongs to: at a jump, or at the start. */
  get base() {
    return this.at === 0 ? 0 : this.log.lastIndexOf(JUMP, this.at - 1) + 1;
  }

  /** The moves of this game up to the position. */
  get made() {
    return this.log.slice(this.base, this.at);
  }

  /** The address of what is on the board, in a film or in the game. */
  here() {
    if (!this.info || !this.state) return null;
    const { film, file } = this;
    const state = film ? film.states[film.at] : this.state;
    return this.address(this.info.puzzle, { state, file: file?.length <= CARRIED ? file : null });
  }

  /** Whether a position of the game is known. After a reload, those of a very long game are not all. */
  has(number) {
    return this.states[number] !== undefined;
  }

  /** A position from which a new game begins. The one before is kept: undo goes back to it. */
  async set(state) {
    if (this.closed) return;
    this.endFilm();
    if (this.states.length === 0) [this.states, this.log, this.at] = [[state], [], 0];
    else if (state !== this.state) this.append(state, JUMP);
    this.view.show(state);
    this.say("");
    await this.arrive();
  }

  /** A step of the game: what was undone before is lost. */
  append(state, name) {
    this.states.length = this.at + 1;
    this.log.length = this.at;
    this.states.push(state);
    this.log.push(name);
    this.at += 1;
  }

  restore(saved) {
    this.states = saved.states;
    this.log = saved.log;
    this.at = Math.min(saved.at, this.log.length);
    this.view.show(this.state);
    return this.arrive();
  }

  /** A position is reached. The next move waits until it was looked at: those of the position before mean nothing. */
  arrive() {
    this.invalid = null;
    this.save();
    this.settleAddress();
    this.tellCounts();
    this.view.board.describe?.(this.kind.words?.(this.state, this.info) ?? this.state);
    const wrong = this.kind.wrong?.(this);
    if (wrong) return this.hold(wrong);
    return this.waitFor(this.lookAt(this.state));
  }

  /** Looks at a position: what can be done now, and is it solved. */
  async lookAt(state) {
    try {
      const puzzle = this.kind.looks?.(this.info.puzzle) ?? this.info.puzzle;
      const look = await post("/api/look", this.subject({ puzzle, state }));
      if (this.closed || state !== this.state || this.film) return;
      this.look = look;
      this.offer();
      if (look.solved) this.sayEnd(this.made);
      this.stage.classList.toggle("solved", look.solved);
      this.controls.refresh();
      this.explorer.ask();
      this.kind.arrived?.(this);
    } catch (error) {
      if (this.closed || state !== this.state) return;
      this.lost = error instanceof Unreachable;
      this.hold(error.message, "bad");
    }
  }

  /** That the position is solved, and after what. */
  sayEnd(made) {
    this.say(this.kind.solvedWords?.(made, this) ?? (made.length > 0 ? `Solved, after ${plural(made.length, "move", "moves")}.` : "Solved."), "good");
  }

  back() {
    const { lost } = this;
    this.lost = false;
    if (!super.back() || this.states.length === 0) return false;
    if (lost && !this.film) this.arrive();
    return true;
  }

  /** While the server does not answer, that is the reason shown. */
  refuse(error) {
    super.refuse(this.lost ? this.invalid : error);
  }

  /** A position that cannot be played: nothing is offered. */
  hold(sentence, tone = "") {
    this.look = { moves: [], solved: false };
    this.offer();
    this.explorer.clear();
    this.stage.classList.remove("solved");
    this.block(sentence, tone);
  }

  /** Shows what can be done: in a list for those who like to read, and on the board. */
  offer() {
    const moves = this.look.moves;
    this.offers.replaceChildren(...moves.map((move) => button(move.name, () => this.play(move))));
    this.view.board.arrow?.();
    this.view.offer?.(moves);
  }

  /** Says why the position on the board cannot be solved or played; nothing if it can. */
  block(sentence, tone = "bad") {
    this.invalid = sentence;
    if (sentence) this.say(sentence, tone);
    this.controls.refresh();
  }

  // ---- moves

  /** Makes a move: one of those that were offered. One after the other, however quickly they come. */
  play(move, quick = false) {
    return this.queue(async () => {
      // A move that was offered in another position means nothing in this one.
      if (!move || !this.look.moves.includes(move)) return;
      this.leaveFilm();
      this.say("");
      const from = this.state;
      this.voice.textContent = this.moveWords(move.name, from);
      const joined = this.at > this.base ? this.kind.join?.(this.log[this.at - 1], move.name, this.info) : null;
      // Two that come to one are one step of the game.
      if (typeof joined === "string") this.at -= 1;
      if (joined === "") this.states.length = (this.log.length = this.at) + 1;
      else this.append(move.state, joined ?? move.name);
      await this.view.step(from, move.state, move.name, quick ? 0 : HAND, false);
      await this.arrive();
    });
  }

  /** Goes to a position of the game; which one is asked when its turn has come. */
  go(where) {
    return this.queue(async () => {
      const number = where();
      if (!this.has(number)) return;
      this.leaveFilm();
      this.say("");
      const from = this.at;
      this.at = number;
      const name = this.log[Math.min(from, number)];
      if (Math.abs(from - number) === 1 && name !== JUMP) await this.view.step(this.states[from], this.state, name, HAND, number < from);
      else this.view.show(this.state);
      await this.arrive();
    });
  }

  /** A random position, or a random puzzle where puzzles are random; returns whether there is one. */
  async scramble(seed = null) {
    let random = null;
    await this.attempt(async () => {
      random = await post("/api/scramble", this.subject({ seed: seed || null }));
      if (random.puzzle) return this.choose(random.puzzle);
      await this.set(random.state);
      this.say(`A random position: seed ${random.seed}.`);
    });
    return random !== null;
  }

  // ---- hints and solutions

  /** Starts work that takes a while; only one thing at a time. */
  async busy(body, what) {
    // On a narrow screen the buttons are far below the board, where all that comes of them is seen.
    this.stage.scrollIntoView({ block: "nearest" });
    const result = await this.work.run(body, what);
    return this.closed ? null : result;
  }

  hint() {
    return this.attempt(async () => {
      const state = this.state;
      const { solver } = this.controls;
      const found = await this.busy({ do: "solve", ...this.subject({ state, solver }) }, "Looking for a good move");
      if (!found || state !== this.state || this.film) return;
      this.view.board.arrow?.();
      if (found.length === 0) return this.say("Solved already.", "good");
      if (found.length === null) return this.say(`No solution was found${allowed(found)}, so there is no hint.`, "bad");
      const words = this.kind.describe?.(found.moves[0], this.info, state);
      this.say(`Hint: ${found.moves[0]}${words ? ` (${words})` : ""}; ${this.many(found.length)} to go`
        + (found.optimal ? ", and there is no shorter way." : ", and there may be a shorter way."));
      this.view.hint?.(found);
    });
  }

  solve() {
    return this.attempt(async () => {
      const state = this.state;
      const { solver, short } = this.controls;
      const found = await this.busy({ do: "solve", ...this.subject({ state, solver, length_only: short }) }, "Solving");
      if (!found) return;
      if (state !== this.state) return this.say("A solution was found, but the game has gone on: press Solve again.");
      this.show(found);
    });
  }

  /** A move in words, as it is heard. */
  moveWords(name, from) {
    const words = this.kind.describe?.(name, this.info, from);
    return words ? `${words[0].toUpperCase()}${words.slice(1)}.` : `Move ${name}.`;
  }

  /** A number of moves, in the words of the puzzle's metric. */
  many(count) {
    return plural(count, ...(this.kind.unit?.(this.info) ?? ["move", "moves"]));
  }

  /** Shows what a solver found. */
  show(found) {
    this.endFilm();
    this.say("");
    const about = [`solver ${found.solver}`, seconds(found.seconds)];
    const bound = found.bound > 1 ? `at least ${found.bound} are needed` : "no lower bound is proven";
    const sentence = found.length === null
      ? `No solution was found${allowed(found)}; ${bound}; ${about.join(", ")}.`
      : `${this.many(found.length)}, ${found.optimal ? "proven optimal" : `not proven optimal (${bound})`}; ${about.join(", ")}.`;
    this.result.replaceChildren(el("p", { class: "found" }, sentence));
    if (found.states && found.length > 0) this.watch(found.states, found.moves, "Solution");
  }

  /** Shows a film of a way that begins where the game is. It can be taken over at any position. */
  watch(states, names, label, play = true, goal = true) {
    this.endFilm(true);
    this.say("");
    const take = button("Continue from here", () => this.takeOver(), { title: "Play on from the position that is shown" });
    const film = new Film(this.view, states, names, {
      label,
      many: (count) => this.many(count),
      describe: (name, from) => this.kind.describe?.(name, this.info, from),
      seen: (number) => {
        const ended = number === names.length && number > 0;
        const all = this.made.concat(names.slice(0, number));
        this.stage.classList.toggle("solved", ended && goal);
        if (ended && goal) this.sayEnd(all);
        else if (this.message.classList.contains("good")) this.say("");
        this.tellCounts(all);
        this.view.board.describe?.(this.kind.words?.(states[number], this.info) ?? states[number]);
        this.settleAddress();
        take.disabled = number === 0;
      },
    });
    const close = button("Close", () => this.closeFilm());
    this.film = film;
    this.view.offer?.([]);
    film.element.append(el("div", { class: "row" }, take, close));
    this.deck.replaceChildren(film.element);
    this.result.append(film.list);
    this.explorer.clear();
    take.disabled = true;
    this.view.show(states[0]);
    this.controls.refresh();
    // A user who pressed a button for it can pause it with the space bar.
    if (document.activeElement?.matches("main button")) film.toggle.focus({ preventScroll: true });
    if (play) film.play();
    return film;
  }

  /** The game continues from the position that a film shows. */
  async takeOver() {
    const { at, states, names } = this.film;
    this.film.pause();
    this.states = this.states.slice(0, this.at + 1).concat(states.slice(1, at + 1));
    this.settleAddress();
    this.log = this.log.slice(0, this.at).concat(names.slice(0, at));
    this.at += at;
    this.say("");
    this.endFilm();
    this.view.show(this.state);
    await this.arrive();
  }

  closeFilm() {
    this.endFilm();
    this.view.show(this.state);
    return this.arrive();
  }

  /** A move or an undo from a film: the board is as the game has it, before it changes. */
  leaveFilm() {
    const left = this.film !== null;
    this.endFilm();
    if (left) this.view.show(this.state);
  }

  /** A film ends, and its result goes with it unless it is to stay. */
  endFilm(keepResult = false) {
    this.film?.pause();
    this.film?.element.remove();
    this.film?.list.remove();
    this.film = null;
    if (!keepResult) this.result.replaceChildren();
    this.view?.board.finish();
    this.controls.refresh();
  }

  tellCounts(made = this.made) {
    this.tell(this.kind.counters?.(made) ?? [["moves", made.length]]);
  }

  // ---- the panel

  /** How the puzzle is played. */
  helpElement() {
    const { help } = this.kind;
    if (!help) return null;
    return el("details", { class: "help" }, el("summary", {}, "How to play"),
      el("p", {}, help.goal), el("p", {}, help.controls),
      el("dl", { class: "keys" }, [...help.keys, ["u, r", "undo, redo"], ["?", "hint"]]
        .map(([keys, what]) => [el("dt", {}, keys), el("dd", {}, what)]).flat()));
  }

  /** A position that is typed, and a scramble that can be made again. */
  positionElement() {
    const set = (text) => this.attempt(async () => (this.kind.typed ? this.kind.typed(this, text)
      : this.set((await post("/api/look", this.subject({ state: text }))).state)));
    const [state, seed] = [field("State", "", "Set this state", set), field("Seed", "", "Scramble with this seed", (text) => this.scramble(text))];
    const details = el("details", { class: "position", toggle: () => { state.querySelector("input").value = this.state ?? ""; } },
      el("summary", {}, "Position and seed"), state, seed);
    return details;
  }

  // ---- keeping

  save() {
    const { states, log, at, file, info: { puzzle } } = this;
    remember(this.kind, { puzzle, file, states, log, at });
  }

  saveFile() {
    if (!this.info) return;
    // A board that is not complete would be refused when it is loaded.
    if (this.kind.wrong?.(this)) return this.refuse(`This cannot be saved yet. ${this.kind.wrong(this)}`);
    const { puzzle } = this.info;
    const text = written({ puzzle, file: this.file, start: this.states[this.base], moves: this.made });
    download(`${puzzle.replace(/[^a-z0-9]+/gi, "-")}.json`, text);
  }

  /** A game in a file becomes the game; one that cannot be is refused and changes nothing. */
  loadFile(text) {
    return this.attempt(async () => {
      const game = await replayed(this.kind, text, (body) => this.busy(body, "Replaying the game"));
      if (this.closed || !game) return;
      remember(this.kind, game);
      this.choose(game.puzzle, game.file ?? null);
    });
  }

  // ---- the shell

  key(event) {
    if (this.film) return this.film.key(event);
    if (!this.look) return false;
    const keys = {
      u: () => this.undo(), Backspace: () => this.undo(), r: () => this.redo(), y: () => this.redo(), "?": () => this.hint(),
    };
    const meant = this.view.key?.(event, this.look.moves);
    if (meant === true) return true;
    if (meant) {
      if (typeof meant === "string") this.refuse(meant);
      else this.play(meant);
      return true;
    }
    keys[event.key]?.();
    return event.key in keys;
  }

  /** A key that names a move of the position waits while one is on its way; returns whether it does. */
  postpone(event) {
    if (this.pending > 0) this.turn.then(() => this.closed || this.key(event));
    return this.pending > 0;
  }

  close() {
    super.close();
    this.explorer.clear();
    this.view?.close?.();
    this.endFilm();
  }
}
