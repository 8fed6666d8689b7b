// SPDX-License-Identifier: Apache-2.0
// Writes the TypeScript types of all inputs and results from the schemas of the Rust types: node types.mjs SCHEMAS.json > core/src/types.d.ts
import { readFileSync } from "node:fs";
import { compile } from "json-schema-to-typescript";

const schemas = JSON.parse(readFileSync(process.argv[2], "utf8"));
const all = {};

/** Adds a definition; types of the same name must be equal. */
function add(name, schema) {
  const text = JSON.stringify(schema);
  if (all[name] !== undefined && JSON.stringify(all[name]) !== text) throw new Error(`two types are named ${name}`);
  all[name] = schema;
}

/** Removes titles of properties, which would become types of their own. */
function untitled(schema, isRoot = true) {
  if (Array.isArray(schema)) return schema.map((it) => untitled(it, false));
  if (schema === null || typeof schema !== "object") return schema;
  const entries = Object.entries(schema).filter(([key, value]) => !(key === "title" && typeof value === "string") && key !== "$schema");
  return Object.fromEntries(entries.map(([key, value]) => [key, untitled(value, false)]));
}

for (const [name, { $defs = {}, ...schema }] of Object.entries(schemas)) {
  for (const [inner, definition] of Object.entries($defs)) add(inner, untitled(definition));
  add(name, untitled(schema));
}
const text = await compile({ $defs: all, title: "AllTypes" }, "AllTypes", {
  additionalProperties: false,
  bannerComment: "// Generated from the Rust types by packages/types.mjs.",
  format: false,
  unreachableDefinitions: true,
});
const documented = text
  .replace(/\/\*\*\n \* This interface was referenced by [^]*?\*\/\n/g, "")
  .replace(/( \* ?\n)? \* This interface was referenced by [^]*?\n \* via the `definition` "[^"]*"\.\n/g, "")
  .replace(/export (?:default )?interface AllTypes \{[^}]*\}\n?/, "")
  .replace(/[ \t]+$/gm, "");
process.stdout.write(documented);
