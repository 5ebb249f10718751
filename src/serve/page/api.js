// What the page asks the server. A refusal is an Error whose message is the server's sentence.

import { sentence } from "./dom.js";

/** An error that the server sent. */
function refusal(status, value) {
  return Object.assign(new Error(value?.error ? sentence(value.error) : `The server answered ${status}.`), { status });
}

/** The message while the server does not answer. */
export const SILENCE = "The server does not answer: is `godnum serve` still running?";

/** The server did not answer. That may pass: as soon as the server is there again, the window gets the event `back`. */
export class Unreachable extends Error {
  constructor() {
    super(SILENCE);
    waitForServer();
  }
}

const ASK_AGAIN = 2000;
let waiting = false;

async function waitForServer() {
  if (waiting) return;
  waiting = true;
  do await pause(ASK_AGAIN);
  while (!(await fetch("/api/kinds").then((response) => response.ok, () => false)));
  waiting = false;
  dispatchEvent(new Event("back"));
}

const pause = (milliseconds) => new Promise((resolve) => setTimeout(resolve, milliseconds));

/** What the server answers, if that is not an error. */
async function respond(request) {
  let response;
  try {
    response = await request;
  } catch {
    throw new Unreachable();
  }
  if (!response.ok) throw refusal(response.status, await response.json().catch(() => null));
  return response;
}

async function answer(request) {
  const response = await respond(request);
  try {
    return await response.json();
  } catch {
    // It broke off in the middle.
    throw new Unreachable();
  }
}

export function get(path) {
  return answer(fetch(path));
}

/** The puzzles of a kind, as the server describes them: boards that have names, examples. */
export async function family(name) {
  return (await get("/api/kinds")).find((kind) => kind.name === name);
}

export function post(path, body) {
  return answer(fetch(path, {
    method: "POST",
    headers: { "Content-Type": "application/json" },
    body: JSON.stringify(body),
  }));
}

/** A text that is not JSON: a chart. */
export async function text(path) {
  return (await respond(fetch(path))).text();
}

/** Asks a task to stop. */
export function cancel(id) {
  return fetch(`/api/tasks/${id}`, { method: "DELETE", keepalive: true }).catch(() => {});
}

/** How long the server may let us wait for the end of a task, in milliseconds: at first, later, when it shall stop. */
const WAITS = { first: 300, later: 1000, stopping: 5000 };

/** So often in a row a question about a task may stay without an answer. */
const MISSES = 3;

/**
 * Work in the background. `done` is a promise of its result, or of `null` if it was stopped; `stop()` ends it.
 * `progress` gets the task now and then. A task whose result is not awaited any more is stopped when the page is left.
 */
export function task(body, progress = () => {}) {
  let id = null;
  let stopped = false;
  const leave = () => id !== null && cancel(id);
  const run = async () => {
    id = (await post("/api/tasks", body)).task;
    if (stopped) cancel(id);
    addEventListener("pagehide", leave);
    try {
      for (let [wait, misses] = [WAITS.first, 0]; ; wait = WAITS.later) {
        let now;
        try {
          now = await get(`/api/tasks/${id}?wait=${stopped ? WAITS.stopping : wait}`);
          misses = 0;
        } catch (error) {
          if (error.status === 404) throw new Error("The server was restarted, and its work is lost: start it again.");
          if (!(error instanceof Unreachable) || (misses += 1) > MISSES) throw error;
          await pause(500);
          continue;
        }
        if (now.state === "done") return now.result;
        if (now.state === "stopped") return null;
        if (now.state === "failed") throw new Error(sentence(now.error));
        if (!stopped) progress(now);
      }
    } finally {
      removeEventListener("pagehide", leave);
      id = null;
    }
  };
  return {
    done: run(),
    stop() {
      stopped = true;
      if (id !== null) cancel(id);
    },
  };
}
