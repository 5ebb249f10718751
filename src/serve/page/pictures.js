// Pictures of positions of any puzzle: by the module of its kind, or else as text, drawn by the server.

import { post } from "./api.js";
import { el } from "./dom.js";
import { VIEWS } from "./kinds.js";

/** Drawings of states, in their order. */
export async function drawings(subject, states) {
  return (await post("/api/draw", { ...subject, states })).pictures;
}

/** Pictures of states of a puzzle, as the server describes it. */
export async function pictures(info, states) {
  const kind = info.puzzle.split(":")[0];
  if (VIEWS.includes(kind)) {
    try {
      const { picture } = await import(`./${kind}.js`);
      return states.map((state) => {
        const drawn = picture(info, state);
        drawn.setAttribute("aria-label", state);
        return drawn;
      });
    } catch {
      // As text, then.
    }
  }
  const texts = await drawings({ puzzle: info.puzzle, file: info.puzzle.includes("@") ? info.file : undefined }, states);
  return texts.map((text, i) => el("pre", { role: "img", "aria-label": states[i] }, text));
}
