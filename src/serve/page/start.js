// Starting an enumeration: a puzzle is picked, or written; how large it is comes first, and what is too large for the page is
// a command for a terminal.

import { get, post } from "./api.js";
import { choice, command, el, grouped } from "./dom.js";
import { title } from "./kinds.js";

/** A text that is being written is asked about when it has rested for so long, in milliseconds. */
const REST = 400;

export class Starter {
  /** `start(puzzle)` starts an enumeration. */
  constructor(start) {
    this.start = start;
    this.picker = el("div", { class: "row picker" });
    this.field = el("input", { type: "text", name: "puzzle", placeholder: "tiles:3x3", autocomplete: "off", spellcheck: "false",
      "aria-label": "Puzzle as a text", input: () => this.ask(REST) });
    this.about = el("div", { class: "about" });
    this.said = el("p", { class: "message", role: "status" });
    this.element = el("form", { class: "start", submit: (event) => {
      event.preventDefault();
      this.submit();
    } }, el("h2", {}, "Enumerate a puzzle"), this.picker,
    el("details", {}, el("summary", {}, "Write it as a text"), this.field),
    this.about, el("div", { class: "row" }, el("button", { class: "main" }, "Start")), this.said);
    this.load();
  }

  async load() {
    try {
      this.kinds = await get("/api/kinds");
      this.pick(this.kinds[0].name);
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  /** Offers the puzzles of a kind. */
  pick(name, puzzle = null, options = []) {
    const kind = this.kinds.find((kind) => kind.name === name);
    const texts = [...new Set([...kind.examples, ...kind.boards.map((board) => `${name}:${board}`)])].filter((text) => !text.includes("@"));
    const now = puzzle ?? texts[0];
    const use = () => {
      this.field.value = [now, ...options].join(":");
      this.ask(0);
    };
    const flags = kind.options.filter((option) => !option.includes("=") && !now.split(":").includes(option));
    this.picker.replaceChildren(
      choice("Kind", this.kinds.map((kind) => [kind.name, title(kind.name)]), name, (other) => this.pick(other)),
      choice("Puzzle", texts.map((text) => [text, text.slice(name.length + 1)]), now, (text) => this.pick(name, text)),
      flags.length > 0 && choice("Variant", [["", "usual"], ...flags], options[0] ?? "", (flag) => this.pick(name, now, flag ? [flag] : [])) || "");
    use();
  }

  /** How large the puzzle is, and where it can be enumerated. */
  ask(rest) {
    clearTimeout(this.wait);
    const text = this.field.value.trim();
    const asked = (this.asked = {});
    this.wait = setTimeout(async () => {
      const found = text && (await post("/api/puzzle", { puzzle: text }).catch((error) => ({ error })));
      if (asked !== this.asked) return;
      this.about.replaceChildren(...(found ? this.describe(found) : []));
    }, rest);
  }

  describe({ error, puzzle, title: name, states, classes, enumerable }) {
    if (error) return [el("p", { class: "soft" }, error.message)];
    const size = [states && `${grouped(states)} positions`, classes && `about ${grouped(classes)} classes`].filter(Boolean).join(", ");
    const where = enumerable === "no" ? [el("p", { class: "soft" }, "It cannot be enumerated: it has no index.")]
      : enumerable === "command" ? [el("p", { class: "soft" }, "That is too large for the page. In a terminal:"), command(`godnum enumerate ${puzzle}`)] : [];
    return [el("p", {}, `${name}${size ? `: ${size}` : ""}.`), ...where];
  }

  submit() {
    const text = this.field.value.trim();
    if (!text) return this.say("Choose a puzzle, or write one.", "bad");
    this.say("");
    return this.start(text);
  }

  say(words, tone = "") {
    this.said.textContent = words;
    this.said.className = `message ${tone}`;
  }
}

