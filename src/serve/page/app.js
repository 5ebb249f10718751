// The shell: which view is shown, the theme, the keys.

import { get } from "./api.js";
import { el } from "./dom.js";
import { VIEWS, title } from "./kinds.js";

/** What is shown besides puzzles: its name in the address, its title. */
const JOBS = ["jobs", "Results"];
const OTHERS = ["jobs", "glossary"];

const root = document.getElementById("view");
const nav = document.querySelector("nav");

/** Everything that can be shown, as in `JOBS`: every kind that the server lists, and the jobs. Asked for once. */
let listed = null;
function list() {
  listed ??= get("/api/kinds").then(
    (kinds) => [JOBS, ...kinds.map((kind) => [kind.name, title(kind.name)])],
    (error) => {
      listed = null;
      throw error;
    });
  return listed;
}

let current = { close() {}, key: () => false };
let visit = 0;

/** The view and its parameters in the address: `#/tiles?puzzle=tiles:3x3`. */
function address() {
  const [name, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return [name, new URLSearchParams(query)];
}

async function route() {
  const [name, parameters] = address();
  const mine = ++visit;
  document.title = name ? `${title(name)} · godnum` : "godnum";
  current.close();
  current = { close() {}, key: () => false };
  // A view of its own need not wait for the list.
  const own = VIEWS.includes(name) || OTHERS.includes(name);
  const links = list().then((views) => mine === visit && showLinks(views, name), () => {});
  try {
    // An address that names no view leads to the first one, which says so.
    const known = own || name === "generic" || (name && (await list()).some((view) => view[0] === name));
    const module = await import(own ? `./${name}.js` : known ? "./generic.js" : "./home.js");
    if (mine !== visit) return;
    root.replaceChildren();
    const view = await module.open(root, parameters, name);

    if (mine === visit) current = view;
    else view.close();
  } catch (error) {
    if (mine !== visit) return;
    // A module that did not come: most likely the server has ended. It is asked for again when it answers.
    const why = error instanceof TypeError ? await get("/api/kinds").then(() => error.message, (lost) => lost.message) : error.message;
    if (mine === visit) root.replaceChildren(el("p", { class: "error", role: "alert" }, `This view cannot be shown. ${why}`),
      el("p", {}, el("a", { href: "#/" }, "Back to the puzzles")));
  } finally {
    await links;
  }
}

function showLinks(views, name) {
  if (nav.children.length === 0) nav.append(...views.map(([name, title]) => el("a", { href: `#/${name}` }, title)));
  for (const link of nav.children) {
    if (link.hash === `#/${name}`) {
      link.setAttribute("aria-current", "page");
      // On a narrow screen the links do not all fit; the page itself stays where it is.
      nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
    } else link.removeAttribute("aria-current");
  }
}

/** Light, dark, or what the system has. */
function theme(choice) {
  if (choice) document.documentElement.dataset.theme = choice;
  else delete document.documentElement.dataset.theme;
}

function read(key) {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

const chooser = document.getElementById("theme");
chooser.value = read("godnum:theme") ?? "system";
theme(read("godnum:theme"));
chooser.addEventListener("change", () => {
  const choice = chooser.value === "system" ? null : chooser.value;
  theme(choice);
  try {
    if (choice) localStorage.setItem("godnum:theme", choice);
    else localStorage.removeItem("godnum:theme");
  } catch {
    // Without storage the choice holds until the page is left.
  }
});

document.getElementById("skip").addEventListener("click", (event) => {
  event.preventDefault();
  root.focus();
});

// Who points sees what was pointed at: a frame around the board is for those who use keys.
addEventListener("pointerdown", () => { document.documentElement.dataset.by = "pointer"; }, true);
addEventListener("keydown", () => { document.documentElement.dataset.by = "keys"; }, true);
addEventListener("keydown", (event) => {
  const field = event.target.closest?.("input:not([type=checkbox]), select, textarea");
  if (field || event.ctrlKey || event.metaKey || event.altKey) return;
  // A button is pressed by space and Enter itself.
  if (event.target.closest?.("button, a, summary") && [" ", "Enter"].includes(event.key)) return;
  if (current.key(event)) event.preventDefault();
});
addEventListener("hashchange", route);
// The server is there again: a view continues, or is opened anew if it had not loaded.
addEventListener("back", () => current.back?.() || root.querySelector(".home") || route());
route();
