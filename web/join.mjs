// SPDX-License-Identifier: Apache-2.0
// Joins the modules of src/ into one classic script, as the program does: node join.mjs > site.js
import { readFileSync, realpathSync } from "node:fs";
import { fileURLToPath } from "node:url";

const folder = new URL("./", import.meta.url);
const read = (name) => readFileSync(new URL(name, folder), "utf8");

export const vendored = ["preact.umd.js", "hooks.umd.js", "htm.umd.js"];

/** Returns the names of the modules in their order. */
export function order() {
  return read("src/order.txt").split("\n").filter(Boolean);
}

/** Returns a module without `import` lines and without the word `export`. */
export function strip(source) {
  const lines = source.split("\n").filter((line) => !line.startsWith("import "));
  return lines.map((line) => line.replace(/^export /, "")).join("\n");
}

/** Returns `site.js`: the view library, and the modules in one function. */
export function siteScript() {
  const library = vendored.map((name) => read(`vendor/${name}`));
  const modules = order().map((name) => strip(read(`src/${name}`)));
  return [...library, "(() => {", '"use strict";', ...modules, "})();", ""].join("\n");
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) process.stdout.write(siteScript());
