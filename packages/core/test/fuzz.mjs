// SPDX-License-Identifier: Apache-2.0
// Compares the module with the native program for random changes of manifests: node core/test/fuzz.mjs COUNT [SEED]
import { readdirSync, readFileSync } from "node:fs";
import { load } from "@garden-gate/core";
import { difference, each } from "./native.mjs";

const root = new URL("../../../", import.meta.url);
const count = Number(process.argv[2] ?? 1000);
const seed = Number(process.argv[3] ?? Date.now() % 1_000_000);
const BATCH = 50;

/** A generator of random numbers (mulberry32). */
let state = seed;
function random(below) {
  state = (state + 0x6d2b79f5) | 0;
  let it = Math.imul(state ^ (state >>> 15), 1 | state);
  it = (it + Math.imul(it ^ (it >>> 7), 61 | it)) ^ it;
  return ((it ^ (it >>> 14)) >>> 0) % below;
}
const one = (list) => list[random(list.length)];

function texts(folder) {
  return readdirSync(new URL(folder, root), { withFileTypes: true, recursive: true }).filter((it) => it.isFile() && /\.(ya?ml|json)$/.test(it.name))
    .map((it) => readFileSync(`${it.parentPath ?? it.path}/${it.name}`, "utf8"));
}

const sources = [...texts("tests/corpus/manifests/"), ...texts("examples/manifests/"), ...texts("examples/reviews/"), ...texts("examples/pull-request/")];
const garden = texts("examples/garden/").map((text, index) => [`garden/${index}.yaml`, text]);
const SCALARS = ["", "~", "null", "true", "0", "-1", "1.30.0", "1e400", "99999999999999999999", "'x'", "\"\\u0000\"", "[]", "{}", "[1, {a: b}]", "&a x", "*a", "!!binary aGk=", "ä😀", "2026-12-01", "0x1f", "|\n    x", "eu-west-1", "aws"];

const changes = [
  (lines) => lines.splice(random(lines.length), 1 + random(3)),
  (lines) => lines.splice(random(lines.length), 0, one(lines)),
  (lines) => { const at = random(lines.length); lines[at] = lines[at].replace(/:.*$/, () => `: ${one(SCALARS)}`); },
  (lines) => { const at = random(lines.length); lines[at] = lines[at].replace(/\w+(?=:)/, () => one(["spec", "name", "unknown", "kind", "<<", "a.b", "provider", "workers"])); },
  (lines) => { const at = random(lines.length); lines[at] = ` ${lines[at]}`; },
  (lines) => { const [a, b] = [random(lines.length), random(lines.length)]; [lines[a], lines[b]] = [lines[b], lines[a]]; },
  (lines) => { const at = random(lines.length); const line = lines[at]; const where = random(line.length + 1); lines[at] = line.slice(0, where) + one(["{", "]", "\"", "#", ": ", "- ", "\t", "\u{feff}", "{{ .x }}", "---"]) + line.slice(where); },
  (lines) => { lines.length = random(lines.length) + 1; },
  (lines) => lines.push("---", ...one(sources).split("\n")),
];

function changed() {
  const lines = one(sources).split("\n");
  for (let times = 1 + random(4); times > 0; times -= 1) {
    if (lines.length === 0) lines.push("");
    one(changes)(lines);
  }
  return lines.join(one(["\n", "\n", "\n", "\r\n"]));
}

function* batches() {
  for (let done = 0; done < count; done += BATCH) {
    const manifests = Array.from({ length: Math.min(BATCH, count - done) }, (_, index) => [`${index}.yaml`, changed()]);
    yield { name: `seed ${seed}, batch ${done / BATCH}`, manifests, garden: random(4) === 0 ? null : garden };
  }
}

const gate = await load();
const differences = [];
const started = Date.now();
await each(batches(), async (it) => {
  const found = await difference(gate, it);
  if (found !== null) differences.push(found);
});
for (const it of differences.slice(0, 5)) console.error(it);
console.log(`${count} manifests with seed ${seed}: ${differences.length} reviews differ; ${Math.round((Date.now() - started) / 1000)} s`);
if (differences.length > 0) process.exit(1);
