// SPDX-License-Identifier: Apache-2.0
// The examples of the playground, from the recorded cases of Gardener:
//   node playground/examples.mjs index        prints a case for each rule: RULE FILE GARDEN CASE
//   node playground/examples.mjs write FOLDER [GROUP/...] writes an example for each line of examples.txt, with the objects that its verdict needs
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { dump } from "js-yaml";
import { load } from "@garden-gate/core";

const root = new URL("../../", import.meta.url);
const AT = "2026-12-01T00:00:00Z";
/** The largest manifests of examples, in characters of JSON. */
const LARGEST = 6_000;
const gate = await load();

const read = (name) => readFileSync(new URL(name, root), "utf8");
const recorded = (file) => JSON.parse(gunzipSync(readFileSync(new URL(`tests/conformance/${file}`, root))).toString());
const yaml = (object) => dump(object, { lineWidth: -1, noRefs: true });
const identity = (it) => [it?.kind, it?.metadata?.namespace, it?.metadata?.name].join("/");

/** Returns the input of the page for a case. */
function inputOf(garden, it, manifests = garden.manifests) {
  const { object, oldObject, userInfo } = it.request;
  const others = manifests.filter((other) => identity(other) !== identity(object));
  return {
    after: yaml(object),
    before: oldObject ? yaml(oldObject) : "",
    garden: others.length > 0 ? [{ name: "garden/garden.yaml", text: others.map(yaml).join("---\n") }] : [],
    user: userInfo.username,
    groups: (userInfo.groups ?? []).join(","),
    profile: "",
    at: AT,
  };
}

/** Opens a session for the input of the page. */
function session(input) {
  return gate.open({
    ...(input.garden.length > 0 ? { garden: { name: "garden", files: input.garden, whole: false } } : {}),
    ...(input.user ? { user: input.user } : {}),
    groups: input.groups.split(",").filter(Boolean),
  });
}

/** Reviews the input of the page as the page does. */
function reviewed(input, opened = session(input)) {
  const manifest = { name: "manifest.yaml", text: input.after, ...(input.before ? { old: input.before } : {}) };
  const { reviews } = opened.review({ manifests: [manifest], at: input.at }).document;
  opened.free();
  return reviews;
}

/** Returns what an example shows: its verdict, findings, and undetermined rules. */
function shown(reviews) {
  return JSON.stringify(reviews.map((it) => [it.kind, it.name, it.verdict, it.findings.map((finding) => [finding.finding, finding.field, finding.message]), it.undetermined.map((rule) => rule.rule)]));
}

const families = () => readdirSync(new URL("tests/conformance/", root)).filter((it) => it.endsWith(".json.gz")).concat(readdirSync(new URL("tests/conformance/wild/", root)).filter((it) => it.endsWith(".json.gz")).map((it) => `wild/${it}`));

/** Prints the best case for each rule: few findings and short manifests. The garden has no object of the same name. */
function index() {
  const best = new Map();
  for (const file of families()) {
    for (const garden of recorded(file).gardens) {
      const present = new Set(garden.manifests.map(identity));
      const sessions = new Map();
      const files = [{ name: "garden/garden.json", text: JSON.stringify({ apiVersion: "v1", kind: "List", items: garden.manifests }) }];
      for (const it of garden.cases) {
        const { operation, subResource, object, oldObject, userInfo } = it.request;
        const size = JSON.stringify(object ?? null).length;
        if (!["CREATE", "UPDATE"].includes(operation) || subResource || !object || it.text !== undefined || size > LARGEST || present.has(identity(object))) continue;
        const user = { user: userInfo.username, groups: (userInfo.groups ?? []).join(",") };
        const key = JSON.stringify(user);
        if (!sessions.has(key)) sessions.set(key, session({ garden: files, ...user }));
        const manifest = { name: "manifest.json", text: JSON.stringify(object), ...(oldObject ? { old: JSON.stringify(oldObject) } : {}) };
        const { reviews } = sessions.get(key).review({ manifests: [manifest], at: AT }).document;
        if (reviews.length !== 1 || reviews[0].kind !== object.kind) continue;
        const found = reviews[0].findings;
        for (const rule of new Set(found.map((finding) => finding.rule))) {
          const weight = [found.length + reviews[0].undetermined.length, size];
          const other = best.get(rule);
          if (other === undefined || weight[0] < other.weight[0] || (weight[0] === other.weight[0] && weight[1] < other.weight[1])) best.set(rule, { weight, line: [rule, file, garden.id, it.id].join(" ") });
        }
      }
      for (const opened of sessions.values()) opened.free();
    }
  }
  for (const rule of [...best.keys()].sort()) console.log(best.get(rule).line);
}

/** Returns the input with only the objects of the garden that the verdict needs. */
function reduced(garden, it) {
  let manifests = garden.manifests;
  const expected = shown(reviewed(inputOf(garden, it)));
  const isSame = (list) => shown(reviewed(inputOf(garden, it, list))) === expected;
  const byKind = Map.groupBy ? Map.groupBy(manifests, (other) => other.kind) : manifests.reduce((map, other) => map.set(other.kind, [...(map.get(other.kind) ?? []), other]), new Map());
  for (const objects of byKind.values()) {
    const without = manifests.filter((other) => !objects.includes(other));
    if (isSame(without)) manifests = without;
  }
  for (const object of manifests) {
    const without = manifests.filter((other) => other !== object);
    if (without.length > 0 && isSame(without)) manifests = without;
  }
  return inputOf(garden, it, manifests);
}

/** The examples that are files of the repository. */
function own() {
  const garden = readdirSync(new URL("examples/garden/", root)).sort().map((name) => ({ name: `garden/${name}`, text: read(`examples/garden/${name}`) }));
  const file = (name) => read(`examples/manifests/${name}`);
  const allowed = file("shoot-allowed.yaml");
  const common = { garden, at: AT };
  return {
    start: ["A refused Shoot", { ...common, after: file("shoot-denied.yaml") }],
    accepted: ["An accepted Shoot", { ...common, after: allowed }],
    misspelt: ["Misspelt fields, with fixes", { ...common, after: file("shoot-misspelt-denied.yaml") }],
    downgrade: ["A Kubernetes downgrade", { ...common, before: allowed, after: allowed.replace(/(kubernetes:\n +version: )\S+/, "$11.33.5") }],
    region: ["A region that the CloudProfile lacks", { ...common, after: allowed.replace(/region: \S+/, "region: mars-north-1") }],
    unknown: ["Without a garden: undetermined", { after: allowed, at: AT }],
    policy: ["A policy of the landscape", { ...common, after: read("examples/admission-policies/shoot.yaml"), garden: [...garden, { name: "garden/policy.yaml", text: read("examples/admission-policies/policy.yaml") }] }],
  };
}

function write(folder, groups) {
  mkdirSync(folder, { recursive: true });
  const save = (id, input) => writeFileSync(`${folder}/${id.replaceAll("/", "_")}.json`, JSON.stringify(input));
  const list = { "First steps": [] };
  for (const [id, [title, input]] of Object.entries(own())) {
    list["First steps"].push([id, title]);
    save(id, input);
  }
  const lines = readFileSync(new URL("examples.txt", import.meta.url), "utf8").split("\n").filter(Boolean).map((it) => it.split(" ")).filter(([rule]) => groups.length === 0 || groups.some((it) => rule.startsWith(it)));
  for (const file of new Set(lines.map((it) => it[1]))) {
    const { gardens } = recorded(file);
    for (const [rule, , gardenId, id] of lines.filter((it) => it[1] === file)) {
      const garden = gardens.find((it) => String(it.id) === gardenId);
      const input = reduced(garden, garden.cases.find((it) => it.id === id));
      const found = reviewed(input).flatMap((it) => it.findings);
      if (!found.some((it) => it.rule === rule)) throw new Error(`the example of ${rule} does not show it`);
      save(rule, input);
    }
  }
  for (const [rule] of lines) (list[rule.split("/")[0]] ??= []).push([rule, `${rule.split("/")[1]}`]);
  writeFileSync(`${folder}/list.json`, JSON.stringify(list));
  console.log(`${lines.length} examples of rules in ${Object.keys(list).length - 1} groups`);
}

if (process.argv[2] === "index") index();
else write(process.argv[3], process.argv.slice(4));
