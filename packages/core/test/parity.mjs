// SPDX-License-Identifier: Apache-2.0
// Compares the module with the native program, byte for byte: node core/test/parity.mjs [NAME...]. A name selects families.
import { readdirSync, readFileSync } from "node:fs";
import { basename } from "node:path";
import { gunzipSync } from "node:zlib";
import { load } from "@garden-gate/core";
import { difference, each } from "./native.mjs";

const tests = new URL("../../../tests/", import.meta.url);
const names = process.argv.slice(2);
const gate = await load();
let cases = 0;

/** Returns all files below a folder. */
function below(folder) {
  return readdirSync(new URL(folder, tests), { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1))
    .flatMap((it) => (it.isDirectory() ? below(`${folder}${it.name}/`) : [`${folder}${it.name}`]));
}

function* comparisons() {
  for (const file of below("conformance/").filter((it) => it.endsWith(".json.gz"))) {
    if (names.length > 0 && !names.some((it) => file.includes(it))) continue;
    const recorded = JSON.parse(gunzipSync(readFileSync(new URL(file, tests))).toString());
    if (file.includes("pull_requests")) yield* pullRequests(recorded);
    else {
      const version = /versions\/v([\d.]+)\//.exec(file)?.[1];
      for (const garden of recorded.gardens) yield* ofGarden(`${file} ${garden.id}`, garden, version);
    }
  }
  if (names.length === 0 || names.includes("corpus")) yield* corpus();
}

const identity = (it) => [it?.kind, it?.metadata?.namespace, it?.metadata?.name].join("/");

/** The cases of a garden as AdmissionReviews, and the CREATEs of each user as manifests. */
function* ofGarden(name, garden, version) {
  const files = [["garden/all.json", JSON.stringify({ apiVersion: "v1", kind: "List", items: garden.manifests })]];
  const common = { garden: files, config: JSON.stringify(garden.config), ...(version ? { version } : {}) };
  cases += garden.cases.length;
  yield { ...common, name, manifests: garden.cases.map((it, index) => [`${index}.json`, reviewOf(it)]) };
  const present = new Set(garden.manifests.map(identity));
  const byUser = Map.groupBy ? Map.groupBy(creates(garden, present), ([it]) => user(it)) : grouped(creates(garden, present));
  for (const [key, own] of byUser) {
    const { username, groups } = JSON.parse(key);
    yield { ...common, name: `${name} as ${username}`, user: username, groups, manifests: own.map(([it, index]) => [`${index}.json`, objectOf(it)]) };
  }
}

function creates(garden, present) {
  return garden.cases.map((it, index) => [it, index]).filter(([it]) => it.request.operation === "CREATE" && !present.has(identity(it.request.object)));
}

const user = ({ request: { userInfo } }) => JSON.stringify({ username: userInfo.username, groups: userInfo.groups ?? [] });

function grouped(list) {
  const groups = new Map();
  for (const entry of list) groups.set(user(entry[0]), [...(groups.get(user(entry[0])) ?? []), entry]);
  return groups;
}

const objectOf = (it) => it.text ?? JSON.stringify(it.request.object);

function reviewOf(it) {
  const request = { ...it.request, uid: it.id };
  if (it.text !== undefined) request.object = "the object goes here";
  const text = JSON.stringify({ apiVersion: "admission.k8s.io/v1", kind: "AdmissionReview", request });
  return it.text === undefined ? text : text.replace('"the object goes here"', () => it.text);
}

/** Each pull request, with and without the stored object in the garden. */
function* pullRequests({ garden, user: { username, groups }, config, cases: all }) {
  for (const it of all) {
    cases += 1;
    const others = garden.filter((object) => identity(object) !== identity(it.before));
    for (const items of [others, [...others, it.stored]]) {
      yield {
        name: it.id,
        manifests: [["after.json", JSON.stringify(it.after)]],
        old: JSON.stringify(it.before),
        garden: [["garden/all.json", JSON.stringify({ apiVersion: "v1", kind: "List", items })]],
        config: JSON.stringify(config),
        user: username,
        groups,
      };
    }
  }
}

/** The manifests of many layouts, without the programs that complete them. */
function* corpus() {
  const read = (name) => readFileSync(new URL(name, tests), "utf8");
  const manifests = below("corpus/manifests/").map((it, index) => [`${String(index).padStart(3, "0")}-${basename(it).replace(/^\./, "")}`, read(it)]);
  const garden = (folder) => below(folder).map((it) => [it.replace(folder, "garden/"), read(it)]);
  cases += manifests.length;
  yield { name: "corpus without a garden", manifests, garden: null };
  yield { name: "corpus with profiles", manifests, garden: garden("corpus/garden/profiles/") };
  yield { name: "corpus with a garden", manifests, garden: garden("corpus/garden/") };
}

const differences = [];
const started = Date.now();
let count = 0;
await each(comparisons(), async (it) => {
  count += 1;
  const found = await difference(gate, it);
  if (found !== null) differences.push(found);
  if (process.env.PROGRESS && count % 50 === 0) console.error(`${count} reviews, ${differences.length} differ, ${Math.round((Date.now() - started) / 1000)} s ${it.name}`);
});
for (const it of differences.slice(0, 20)) console.error(it);
console.log(`${cases} cases in ${count} reviews: ${differences.length} reviews differ; ${Math.round((Date.now() - started) / 1000)} s`);
if (differences.length > 0 || count === 0) process.exit(1);
