// The shell: which view is shown, the theme, the keys.

import { get } from "./api.js";
import { el } from "./dom.js";

/** Every view: its name in the address, what it is called, what it is. Each is a module of its own. */
const VIEWS = [
  ["wrapslide", "Wrapslide", "Halves of a board slide, with wrap-around, until every colour has its quadrant."],
  ["tiles", "Tiles", "Numbered tiles slide into the gap until they are in order."],
  ["klotski", "Klotski", "Blocks make way for the large one: Huarong Dao."],
  ["gourds", "Gourds", "Pieces of two cells slide and turn on hexagons."],
  ["triangles", "Triangles", "Twenty-four pieces fill a hexagon so that touching edges match."],
  ["jobs", "Jobs", "Enumerations: levels, distributions, the hardest positions."],
];

const root = document.getElementById("view");
const nav = document.querySelector("nav");
nav.append(...VIEWS.map(([name, title]) => el("a", { href: `#/${name}` }, title)));

let current = { close() {}, key: () => false };
let visit = 0;

/** The view and its parameters in the address: `#/tiles?puzzle=tiles:3x3`. */
function address() {
  const [name, query = ""] = location.hash.replace(/^#\/?/, "").split("?");
  return [name, new URLSearchParams(query)];
}

async function route() {
  const [name, parameters] = address();
  const view = VIEWS.find((view) => view[0] === name);
  const mine = ++visit;
  for (const link of nav.children) {
    if (link.hash === `#/${name}`) {
      link.setAttribute("aria-current", "page");
      // On a narrow screen the links do not all fit; the page itself stays where it is.
      nav.scrollLeft = link.offsetLeft - nav.offsetLeft - (nav.clientWidth - link.offsetWidth) / 2;
    } else link.removeAttribute("aria-current");
  }
  document.title = view ? `${view[1]} · godnum` : "godnum";
  current.close();
  current = { close() {}, key: () => false };
  if (!view) return home(name);
  try {
    const module = await import(`./${name}.js`);
    if (mine !== visit) return;
    root.replaceChildren();
    current = module.open(root, parameters);
  } catch (error) {
    if (mine !== visit) return;
    // A module that did not come: most likely nobody is there. It is asked for again when somebody is.
    const why = error instanceof TypeError ? await get("/api/kinds").then(() => error.message, (lost) => lost.message) : error.message;
    if (mine === visit) root.replaceChildren(el("p", { class: "error", role: "alert" }, `This view cannot be shown. ${why}`));
  }
}

function home(name) {
  root.replaceChildren(
    ...(name ? [el("p", { class: "error", role: "alert" }, `There is no view that is called “${name}”.`)] : []),
    el("section", { class: "home" },
      el("h1", {}, "How many moves does the hardest position need?"),
      el("p", {}, "godnum computes it. Here are its puzzles to play, paint, solve and watch, and the enumerations that it made."),
      el("div", { class: "cards" }, VIEWS.map(([name, title, about]) =>
        el("a", { class: "card", href: `#/${name}` }, el("h2", {}, title), el("p", {}, about))))));
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

theme(read("godnum:theme"));
document.getElementById("theme").addEventListener("click", () => {
  const dark = matchMedia("(prefers-color-scheme: dark)").matches;
  const now = document.documentElement.dataset.theme ?? (dark ? "dark" : "light");
  const next = now === "dark" ? "light" : "dark";
  theme(next);
  try {
    localStorage.setItem("godnum:theme", next);
  } catch {
    // Without storage the choice holds until the page is left.
  }
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
// The server is there again: a view goes on, or it is opened anew if it had not come far.
addEventListener("back", () => current.back?.() || (address()[0] && route()));
route();
