// The kinds of puzzles and their views.

/** Kinds that have a view of their own, a module of this name; every other kind is shown by generic.js. */
export const VIEWS = ["wrapslide", "tiles", "klotski", "gourds", "triangles"];

/** What a kind is called. */
export const title = (name) => name[0].toUpperCase() + name.slice(1);

/** The first sentence about a kind. */
export const summary = ({ about }) => about.split("\n")[0].trim();
