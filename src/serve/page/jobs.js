// Jobs and results: what was enumerated in the server's directory, what is being enumerated, and the tables that come
// with the program. An enumeration belongs to the server: it continues when this page is left, and every page sees it.

import { cancel, get, post } from "./api.js";
import { Detail, atLeast, resources } from "./detail.js";
import { button, choice, command, el, grouped, plural, sentence } from "./dom.js";
import { title } from "./kinds.js";
import { Starter } from "./start.js";

/** How often the server is asked, in milliseconds: while something is running, and otherwise. */
const SOON = 1000;
const LATER = 5000;
/** How often it is asked for results that it is still looking at. */
const AGAIN = 300;

/** What results are filtered and sorted by, also after one of them was opened. */
let filter = "";
let order = "puzzle";

const ORDERS = [["puzzle", "puzzle"], ["number", "last level"], ["states", "positions"]];

const address = (kind, name) => `#/jobs?${new URLSearchParams({ [kind]: name })}`;

/** How much of a job is known, from 0 to 1; null if that is not known. */
function share({ states, total }) {
  return total && Number(total) > 0 ? Math.min(1, Number(states) / Number(total)) : null;
}

/** The name of a job's folder, where that is not the puzzle's. */
const folder = ({ name, puzzle }) => (puzzle && puzzle.replace(/[:@#/,=]/g, "-") !== name ? `in ${name}` : null);

/** How large a job is so far. */
const size = (job) => `${plural(job.levels, "level", "levels")}, ${grouped(job.states)} positions`;

/** The answer of a finished job or table in a few characters. */
function answer({ question, last, complete, state, states, total }) {
  if (last === null || last === undefined) return "";
  const part = state ? state !== "finished" : complete === false;
  const what = question === "gods-number" ? "God's number" : question === "eccentricity" ? "eccentricity" : "levels to";
  return part ? `${what} at least ${atLeast(last, states, total)}` : `${what} ${last}`;
}

/** A bar for something that is running. */
function bar(part, label) {
  return el("progress", { max: 1, value: part ?? undefined, "aria-label": label });
}

class Jobs {
  constructor(root, parameters) {
    this.job = parameters.get("job");
    this.result = parameters.get("result");
    this.items = new Map();
    this.closed = false;
    /** The task that was started here, until its job is there. */
    this.started = null;
    this.jobList = el("ul", { class: "job-list" });
    this.jobTitle = el("h2", {}, "Jobs");
    this.resultList = el("div", { class: "result-list" });
    this.resultTitle = el("h2", {}, "Results");
    this.filter = el("input", {
      type: "text", placeholder: "filter: tiles 3x3", "aria-label": "Filter results", value: filter,
      input: () => this.listResults(),
    });
    this.unseen = el("p", { class: "soft" });
    this.none = el("p", { class: "soft" }, "There are no jobs here yet.");
    this.starter = new Starter((puzzle) => this.start(puzzle));
    const name = this.job ?? this.result;
    this.detail = name ? new Detail(name, !this.job, () => this.names ?? []) : null;
    // What is looked at comes first, for those who go through the page by keys, too.
    root.append(el("h1", {}, "Jobs and results"), el("div", { class: name ? "jobs chosen" : "jobs" },
      this.detail?.element ?? el("p", { class: "soft detail" }, "Choose a job or a result to see its levels, its distribution and its hardest positions."),
      el("div", { class: "lists" }, this.starter.element, this.jobTitle, this.none, this.jobList, this.resultTitle,
        el("div", { class: "row" }, this.filter, choice("Sort by", ORDERS, order, (value) => {
          order = value;
          this.listResults();
        })), this.resultList, this.unseen)));
    this.see = () => !document.hidden && this.poll();
    document.addEventListener("visibilitychange", this.see);
    if (this.result) this.detail.load();
    this.poll();
  }

  // ---- starting

  /** A sentence, beside what was pressed last. */
  say(words, tone = "") {
    const beside = this.resuming ? this.detail : this.starter;
    for (const place of [this.starter, this.detail]) place?.say(place === beside ? words : "", tone);
  }

  /** Starts or resumes an enumeration. The server has it from then on. */
  async start(puzzle, job = null) {
    this.resuming = job !== null;
    this.say("");
    try {
      this.started = (await post("/api/tasks", { do: "enumerate", puzzle, job: job ?? undefined })).task;
      this.poll();
    } catch (error) {
      this.say(error.message, "bad");
    }
  }

  /** A button that stops a task. */
  stopper(task) {
    const stop = button("Stop", async () => {
      stop.textContent = "Stopping …";
      stop.disabled = true;
      await cancel(task);
      this.poll();
    }, { class: "stop" });
    return stop;
  }

  // ---- what is running

  /** Asks how things are, shows it, and asks again: soon if something is running, never while the page is hidden. */
  async poll() {
    clearTimeout(this.timer);
    const turn = (this.turn = {});
    let busy = false;
    try {
      const [jobs, tasks] = await Promise.all([get("/api/jobs"), get("/api/tasks")]);
      if (this.closed || turn !== this.turn) return;
      const enumerations = tasks.filter((task) => task.do === "enumerate");
      const listed = (task) => jobs.jobs.some((job) => job.task === task.task);
      const waiting = enumerations.filter((task) => task.state === "waiting" && !listed(task));
      busy = jobs.jobs.some((job) => job.state === "running")
        || enumerations.some((task) => ["waiting", "running"].includes(task.state));
      this.show(jobs, waiting);
      this.follow(jobs, enumerations);
      if (!(await this.refresh(jobs))) busy = true;
      if (this.lost) this.say("");
      this.lost = false;
    } catch (error) {
      if (this.closed || turn !== this.turn) return;
      this.lost = true;
      this.say(error.message, "bad");
    }
    if (this.closed || turn !== this.turn || document.hidden) return;
    this.timer = setTimeout(() => this.poll(), busy || this.started !== null ? SOON : LATER);
  }

  /** What was started here is opened when its job is there; what failed is reported. */
  follow(jobs, enumerations) {
    if (this.started === null) return;
    const task = enumerations.find((task) => task.task === this.started);
    const job = jobs.jobs.find((job) => job.task === this.started)?.name ?? (task?.state !== "failed" && task?.job);
    if (job && jobs.jobs.some(({ name }) => name === job)) return this.open(job);
    if (!task || task.state === "failed" || task.state === "stopped") {
      this.started = null;
      if (task?.state === "failed") this.say(sentence(task.error), "bad");
    } else {
      this.say(task.state === "waiting" ? "It waits until other work is done." : sentence(task.progress ?? "it begins"));
    }
  }

  open(name) {
    this.started = null;
    this.say("");
    if (this.job !== name) location.hash = address("job", name);
  }

  // ---- lists

  show({ dir, jobs, results, left_out: unseen, error }, waiting) {
    this.jobTitle.textContent = "Jobs";
    this.jobTitle.title = `In the folder ${dir}`;
    this.unseen.textContent = unseen > 0 ? `${plural(unseen, "more entry is", "more entries are")} not listed here.` : error ? sentence(error) : "";
    // What waits and has no folder yet has no name.
    const rows = [...waiting.map(({ task, puzzle }) => ({ puzzle, state: "waiting", task })), ...jobs];
    const name = (row) => row.name ?? `task ${row.task}`;
    this.none.hidden = rows.length > 0;
    const names = new Set(rows.map(name));
    for (const [name, item] of this.items) {
      if (names.has(name)) continue;
      item.element.remove();
      this.items.delete(name);
    }
    rows.forEach((row, i) => {
      let item = this.items.get(name(row));
      if (!item) {
        item = { element: el("li", { "data-job": name(row) }) };
        this.items.set(name(row), item);
      }
      if (this.jobList.children[i] !== item.element) this.jobList.insertBefore(item.element, this.jobList.children[i] ?? null);
      // What did not change keeps the focus and the selection; what is being pressed stays until it is released.
      const now = JSON.stringify(row);
      if (item.now === now || item.element.matches(":active")) return;
      item.now = now;
      const focused = item.element.contains(document.activeElement);
      item.element.replaceChildren(this.line(row));
      if (focused) item.element.querySelector("a, button")?.focus();
    });
    if (this.names?.join() !== results.join()) {
      this.names = results;
      this.detail?.offerComparison();
      this.resultTitle.textContent = `Results (${results.length})`;
      this.loadResults();
    }
  }

  /** Every result with its numbers. The server finds out about them bit by bit. */
  async loadResults() {
    try {
      const { results, pending } = await get("/api/results");
      if (this.closed) return;
      this.results = results;
      this.listResults();
      if (pending > 0) this.again = setTimeout(() => this.loadResults(), AGAIN);
    } catch (error) {
      if (!this.closed) this.resultList.replaceChildren(el("p", { class: "error" }, error.message));
    }
  }

  line(job) {
    const about = [
      el("b", {}, job.puzzle ?? job.name), el("span", { class: `badge ${job.state}` }, job.state),
      el("span", { class: "soft" }, job.state === "damaged" ? sentence(job.error ?? "")
        : job.state === "waiting" ? "until other work is done" : [folder(job), answer(job), size(job)].filter(Boolean).join(", ")),
      job.state === "running" ? bar(share(job), job.puzzle) : null,
    ];
    if (!job.name) return el("div", { class: "job" }, about, this.stopper(job.task));
    const current = job.name === this.job ? "true" : null;
    return el("a", { class: `job ${job.state}`, href: address("job", job.name), "aria-current": current }, about);
  }

  /** Results by kind of puzzle, each with its answer. A kind is opened if it is asked about. */
  listResults() {
    filter = this.filter.value;
    const words = filter.toLowerCase().split(/\s+/).filter(Boolean);
    const text = (row) => `${row.name} ${row.puzzle ?? ""} ${row.title ?? ""}`.toLowerCase();
    const found = (this.results ?? []).filter((row) => words.every((word) => text(row).includes(word)));
    const by = { puzzle: () => 0, number: (a, b) => b.last - a.last, states: (a, b) => Number(b.states) - Number(a.states) }[order];
    const groups = new Map();
    for (const row of [...found].sort(by)) {
      const kind = row.kind ?? row.name.split("-")[0];
      groups.set(kind, [...(groups.get(kind) ?? []), row]);
    }
    const open = new Set([...this.resultList.querySelectorAll("details[open]")].map((group) => group.dataset.kind));
    this.resultList.replaceChildren(...[...groups].map(([kind, rows]) => el("details", {
      "data-kind": kind, open: words.length > 0 || open.has(kind) || rows.some((row) => row.name === this.result),
    }, el("summary", {}, `${title(kind)} (${rows.length})`), el("ul", {}, rows.map((row) => el("li", {},
      el("a", { href: address("result", row.name), "aria-current": row.name === this.result ? "true" : null },
        el("b", {}, row.puzzle ?? row.name), el("span", {}, [answer(row), `${grouped(row.states)} positions`].filter(Boolean).join(", ")))))))));
    const none = this.results?.length ? "None has these words in its name." : "No results here.";
    if (found.length === 0) this.resultList.append(el("p", { class: "soft" }, none));
  }

  // ---- one of them

  /** A job is looked at again when its row in the list is another one. Returns whether it is shown as it is. */
  async refresh({ jobs }) {
    if (!this.job) return true;
    const row = jobs.find((job) => job.name === this.job);
    const now = JSON.stringify(row ?? null);
    // What was not answered is asked for again.
    if (now !== this.seen && (await this.detail.load((detail) => this.about(detail)))) this.seen = now;
    return now === this.seen;
  }

  /** How a job is, and what can be done with it. */
  about(detail) {
    const { state, task, error, progress, puzzle, total, name, small, ...job } = detail;
    const running = state === "running";
    // A job can also be run by another program, which this page cannot stop.
    const own = running && task !== null && task !== undefined;
    const extent = `${size(job)}${total && state !== "finished" ? ` of ${grouped(total)}` : ""}`;
    return [
      el("p", {}, el("span", { class: `badge ${state}` }, state), " ", state === "damaged" ? null : extent),
      state === "damaged" ? null : resources(detail),
      error ? el("p", { class: "error" }, sentence(error)) : null,
      running ? el("div", { class: "row" }, bar(share({ ...job, total }), "Progress"),
        own ? this.stopper(task) : null) : null,
      state === "waiting" ? el("div", { class: "row" }, "It waits until other work is done.", this.stopper(task)) : null,
      running ? el("p", { class: "soft" }, progress ? sentence(progress) : "", own ? "" : " It runs in another program.") : null,
      state === "stopped" && small ? el("div", { class: "row" },
        button("Resume", () => this.start(puzzle, name), { class: "main" })) : null,
      state === "stopped" && !small ? el("p", {}, "It is too large to be resumed from the page. In a terminal:") : null,
      state === "stopped" && !small ? command(`godnum enumerate ${puzzle}`) : null,
    ];
  }

  // ---- the shell

  /** The server is there again. */
  back() {
    this.poll();
    if (this.result) this.detail.load();
    if (!this.starter.kinds) this.starter.load();
    return true;
  }

  key() {
    return false;
  }

  close() {
    this.closed = true;
    clearTimeout(this.timer);
    clearTimeout(this.again);
    this.detail?.close();
    document.removeEventListener("visibilitychange", this.see);
  }
}

export const open = (root, parameters) => new Jobs(root, parameters);
