// The first view: what God's number is, and for each puzzle a picture, the largest result that is known here, and a way to
// its hardest position.

import { get, post, task } from "./api.js";
import { button, el, grouped } from "./dom.js";
import { summary, title } from "./kinds.js";
import { pictures } from "./pictures.js";

/** How often it is asked again while results are still being looked at, in milliseconds. */
const AGAIN = 400;

/** The answer of an enumeration, in a few words. */
export function headline({ last, states, question }) {
  const what = { "gods-number": "God's number", eccentricity: "farthest position", solutions: "levels" }[question] ?? "last level";
  return [`${what} ${grouped(last)}`, `${grouped(states)} positions`];
}

export const play = (puzzle, more = {}) => `#/${puzzle.split(":")[0]}?${new URLSearchParams({ puzzle, ...more })}`;

class Card {
  constructor(kind, say) {
    this.kind = kind;
    this.say = say;
    this.thumbnail = el("div", { class: "thumbnail", "aria-hidden": "true" });
    this.fact = el("p", { class: "fact" }, " ");
    this.hardest = button("Try the hardest position", () => this.open(), { hidden: true });
    this.link = el("a", { href: `#/${kind.name}` }, title(kind.name));
    this.element = el("article", { class: "card", "data-kind": kind.name },
      this.thumbnail, el("h2", {}, this.link), this.fact, el("p", { class: "about" }, summary(kind)), this.hardest);
    const { examples } = kind;
    this.puzzle = examples.find((text) => !text.includes("@"));
    this.draw();
  }

  /** A picture of the puzzle in its card: the first position that it is given in, or a solved one. */
  async draw() {
    try {
      const info = (this.info = await post("/api/puzzle", { puzzle: this.puzzle }));
      const state = info.start ?? info.root ?? (await post("/api/scramble", { puzzle: this.puzzle, seed: "1" })).state;
      if (state === undefined) return;
      this.thumbnail.replaceChildren(...await pictures(info, [state]));
      if (!this.best) this.tell();
    } catch {
      // A card without a picture is a card as well.
    }
  }

  /** The largest result that is known of this kind. */
  show(best) {
    if (!best || this.best?.puzzle === best.puzzle) return;
    this.best = best;
    this.tell();
    if (best.small && best.puzzle !== this.puzzle) {
      this.puzzle = best.puzzle;
      this.draw();
    }
  }

  tell() {
    const { best, info } = this;
    if (best) {
      const [number, size] = headline(best);
      this.fact.replaceChildren(`${best.title}: `, el("b", {}, number), `; ${size}`);
    } else if (info) {
      this.fact.textContent = `${info.title}${info.states ? `: ${grouped(info.states)} positions` : ""}`;
    }
    const small = best ? best.small : ["quick", "slow"].includes(info?.table);
    this.hardest.hidden = !small;
  }

  /** Goes to a position of the last level; its table is built first if need be. */
  async open() {
    const { puzzle } = this.best ?? this;
    if (this.running) return this.running.stop();
    const seed = crypto.getRandomValues(new Uint32Array(1))[0];
    this.running = task({ do: "positions", puzzle, count: 1, seed: String(seed) }, (now) => {
      this.say(`Looking for the hardest position of ${puzzle}: ${now.progress ?? "it begins"}. Press again to stop.`);
    });
    try {
      const found = await this.running.done;
      this.say(found ? "" : "Stopped.");
      if (found && this.element.isConnected) location.hash = play(puzzle, { state: found.states[0] });
    } catch (error) {
      this.say(error.message, "error");
    } finally {
      this.running = null;
    }
  }
}

class Home {
  constructor(root, kinds, missing) {
    this.closed = false;
    this.said = el("p", { class: "message", role: "status" });
    this.news = el("div", { class: "news" });
    this.cards = kinds.map((kind) => new Card(kind, (words, tone = "") => {
      this.said.textContent = words;
      this.said.className = `message ${tone}`;
    }));
    root.append(el("section", { class: "home" },
      missing ? el("p", { class: "error", role: "alert" }, `There is no view named “${missing}”. Choose a puzzle here.`) : [],
      el("h1", {}, "How many moves does the hardest position need?"),
      el("p", { class: "lead" }, "God's number of a puzzle is the number of moves that its hardest position needs when every move is the best one;"
        + " godnum computes it by visiting all positions."),
      el("p", {}, el("a", { href: "#/jobs" }, "All results, and new enumerations"), " · ", el("a", { href: "#/glossary" }, "What the words mean")),
      this.said, this.news, el("div", { class: "cards" }, this.cards.map((card) => card.element))));
    this.ask();
  }

  async ask() {
    try {
      const { best, recent, pending } = await get("/api/home");
      if (this.closed) return;
      for (const card of this.cards) card.show(best[card.kind.name]);
      this.tell(recent);
      if (pending > 0) this.timer = setTimeout(() => this.ask(), AGAIN);
    } catch (error) {
      if (!this.closed) this.said.textContent = error.message;
    }
  }

  /** What was computed here last. */
  tell(recent) {
    if (recent.length === 0) return;
    this.news.replaceChildren(el("h2", {}, "New here"), el("ul", {}, recent.map((row) => el("li", {},
      el("a", { href: `#/jobs?${new URLSearchParams({ job: row.job })}` }, row.title), `: ${headline(row).join("; ")}`))));
  }

  key() {
    return false;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    for (const card of this.cards) card.running?.stop();
  }
}

export const open = async (root, parameters, missing) => new Home(root, await get("/api/kinds"), missing);

