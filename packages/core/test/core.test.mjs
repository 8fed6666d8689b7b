// SPDX-License-Identifier: Apache-2.0
// The package in Node.js: equal to the program for the examples, errors with messages, limits, memory.
import assert from "node:assert/strict";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { load } from "@garden-gate/core";
import { difference, native, NOW, PROGRAM } from "./native.mjs";

const root = new URL("../../../", import.meta.url);
const read = (name) => readFileSync(new URL(name, root), "utf8");
const folder = (name, prefix) => readdirSync(new URL(name, root)).sort().map((it) => [`${prefix}${it}`, read(`${name}/${it}`)]);
const garden = folder("examples/garden", "garden/");
const landscape = folder("examples/landscape/garden", "garden/");
const manifests = folder("examples/manifests", "");
const denied = read("examples/manifests/shoot-denied.yaml");
const texts = Object.fromEntries(garden);
const gate = await load();

const program = { skip: existsSync(PROGRAM) ? false : "the program is not built; set GARDEN_GATE" };

for (const [name, comparison] of Object.entries({
  manifests: { manifests, garden },
  "manifests without a garden": { manifests, garden: null },
  "stored objects": { manifests: landscape.map(([name, text]) => [name.replace("garden/", "stored-"), text]), garden: landscape },
  "a pull request": { manifests: folder("examples/pull-request/after", ""), garden },
  policies: { manifests: folder("examples/admission-policies", ""), garden },
  "a user": { manifests, garden, user: "alice@example.com", groups: ["admins"] },
  "a profile of the configuration": { manifests, garden, config: '{"profile": "hardened"}' },
  "an earlier version": { manifests, garden, version: "1.139" },
  "a profile that strands Shoots": {
    manifests: [["cloudprofile.yaml", read("examples/garden/cloudprofile.yaml").replace(/expirationDate: .*/g, 'expirationDate: "2026-12-02T00:00:00Z"')]],
    garden,
  },
})) {
  test(`the document for ${name} is that of the program`, program, async () => {
    assert.equal(await difference(gate, { name, ...comparison }), null);
  });
}

test("findings are ranges of the text, and their fixes are edits", () => {
  const { document, details } = gate.review({ "shoot.yaml": denied }, texts, { at: NOW, diff: true });
  assert.equal(document.reviews[0].verdict, "denied");
  assert.equal(details.objects[0].heading, "CREATE of Shoot garden-dev/sneaky");
  const marker = details.markers.find((it) => it.field === "spec.tolerations[0]");
  assert.equal(marker.severity, "error");
  assert.match(denied.slice(marker.from), /^key: /);
  const misspelt = read("examples/manifests/shoot-misspelt-denied.yaml");
  const fixable = gate.review({ "shoot.yaml": misspelt }, texts, { at: NOW }).details.markers.filter((it) => it.fix);
  assert.ok(fixable.length > 0);
  const [{ fix, id }] = fixable;
  const edits = [...fix.edits].sort((a, b) => b.from - a.from);
  const fixed = edits.reduce((text, it) => text.slice(0, it.from) + it.insert + text.slice(it.to), misspelt);
  const left = gate.review({ "shoot.yaml": fixed }, texts, { at: NOW }).details.markers.filter((it) => it.id === id && it.fix?.title === fix.title);
  assert.equal(left.length, 0);
});

test("offsets count code units of UTF-16", () => {
  const text = `# 😀ä\n${denied}`;
  const marker = gate.review({ "shoot.yaml": text }, texts, { at: NOW }).details.markers.find((it) => it.field === "spec.tolerations[0]");
  assert.match(text.slice(marker.from), /^key: /);
});

test("the stored form is a diff", () => {
  const { details } = gate.review({ "shoot.yaml": read("examples/manifests/shoot-allowed.yaml") }, texts, { at: NOW, diff: true });
  assert.match(details.objects[0].diff, /^--- shoot\.yaml\n\+\+\+ as it would be stored\n/);
});

test("without a garden, checks are undetermined", () => {
  const { document } = gate.review({ "shoot.yaml": denied }, undefined, { at: NOW });
  assert.equal(document.reviews[0].verdict, "undetermined");
});

test("fields are documented and completed", () => {
  const session = gate.open({ garden: { name: "garden", files: garden.map(([name, text]) => ({ name, text })), whole: false } });
  const allowed = read("examples/manifests/shoot-allowed.yaml");
  const offset = allowed.indexOf("region:") + 2;
  const hover = session.hover({ text: allowed, offset });
  assert.equal(allowed.slice(hover.from, hover.to), "region");
  assert.match(hover.markdown, /^`spec\.region`: string/);
  assert.equal(session.hover({ text: "a: b\n", offset: 0 }), null);
  const cut = allowed.replace(/region: .*/, "region: ");
  const list = session.complete({ text: cut, offset: cut.indexOf("region: ") + "region: ".length });
  assert.ok(list.proposals.length > 0 && list.proposals.every((it) => it.kind === "value"));
  session.free();
  assert.throws(() => session.hover({ text: "", offset: 0 }), /has been freed/);
});

test("the maintenance of a Shoot is predicted", () => {
  const session = gate.open({ garden: { name: "garden", files: landscape.map(([name, text]) => ({ name, text })), whole: false } });
  const all = session.forecast({ at: "2026-11-30T08:00:00Z" });
  assert.ok(all.shoots.length > 3 && all.shoots.some((it) => it.windows.length > 0));
  session.free();
  const other = gate.open({ garden: { name: "garden", files: garden.map(([name, text]) => ({ name, text })), whole: false } });
  const one = other.forecast({ manifests: { "shoot.yaml": read("examples/manifests/shoot-allowed.yaml") }, at: NOW, days: 365 });
  assert.equal(one.shoots.length, 1);
  other.free();
});

test("the forecast is that of the program", program, async () => {
  const at = "2026-11-30T08:00:00Z";
  const { out } = await native(landscape, ["forecast", "--garden", "garden", "--at", at, "--format", "json"]);
  const session = gate.open({ garden: { name: "garden", files: landscape.map(([name, text]) => ({ name, text })), whole: false } });
  assert.deepEqual(session.forecast({ at }), JSON.parse(out));
  session.free();
});

test("rules are explained", () => {
  const [page] = gate.explain("shoot/toleration-not-whitelisted");
  assert.match(page.markdown, /^# `shoot\/toleration-not-whitelisted`/);
  assert.throws(() => gate.explain("shoot/toleration-not-whitelist"), /no rule or finding has the id .*toleration-not-whitelisted/);
  assert.ok(gate.versions.rules.length > 100 && gate.versions.gardener.startsWith("1."));
});

const shoot = (spec) => ({ "a.yaml": `apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: a, namespace: garden-dev}\nspec: ${spec}\n` });

for (const [name, call, message] of [
  ["an unknown option", () => gate.open({ gardens: [] }), /unknown field `gardens`/],
  ["a wrong type", () => gate.open({ garden: 3 }), /the input is not valid/],
  ["an invalid time", () => gate.review(shoot("{}"), undefined, { at: "yesterday" }), /`yesterday` is not a valid time/],
  ["an invalid version", () => gate.open({ gardenerVersion: "x" }), /write it like 1\./],
  ["an unknown profile", () => gate.open({ profile: "x" }), /unknown variant `x`/],
  ["an invalid configuration", () => gate.open({ config: { name: "gate.yaml", text: "profil: x" } }), /profil/],
  ["an invalid policy", () => gate.open({ policies: [{ name: "p.yaml", text: "a: [" }] }), /p\.yaml:1/],
  ["an input beyond the limit", () => gate.review({ "a.yaml": "x".repeat((64 << 20) + 1) }), /the limit is 64 MiB/],
]) {
  test(`${name} is an error with a message`, () => assert.throws(call, message));
}

for (const [name, text] of Object.entries({
  "deep flow": "[".repeat(200_000),
  "deep mappings": Array.from({ length: 20_000 }, (_, depth) => `${" ".repeat(Math.min(depth, 2000))}a:`).join("\n"),
  "many anchors": `a: &a [x]\n${Array.from({ length: 200 }, (_, it) => `b${it}: &b${it} [*a, *a]`).join("\n")}`,
  "nested aliases": `a0: &a0 [x, x]\n${Array.from({ length: 40 }, (_, it) => `a${it + 1}: &a${it + 1} [*a${it}, *a${it}]`).join("\n")}`,
  "an unpaired surrogate": "kind: Shoot\na: \ud800\n",
  "NUL": "kind: Shoot\0",
  "a byte order mark": "\ufeffkind: Shoot\napiVersion: core.gardener.cloud/v1beta1\n",
  "deep JSON": `{"kind": "Shoot", "apiVersion": "core.gardener.cloud/v1beta1", "spec": ${"{\"a\":".repeat(50_000)}1${"}".repeat(50_000)}}`,
})) {
  test(`${name} gives a document or an error with a message`, () => {
    for (const input of [{ "a.yaml": text }, { "a.yaml": `${denied}---\n${text}` }]) {
      try {
        const { document } = gate.review(input, texts, { at: NOW });
        assert.ok(Array.isArray(document.reviews));
      } catch (error) {
        assert.ok(error.constructor === Error && error.message.length > 10, String(error));
        assert.doesNotMatch(error.message, /unreachable|has failed/);
      }
    }
    // The module is still usable.
    assert.equal(gate.review({ "shoot.yaml": denied }, texts, { at: NOW }).document.reviews[0].verdict, "denied");
  });
}

test("memory is returned", () => {
  const session = gate.open({ garden: { name: "garden", files: garden.map(([name, text]) => ({ name, text })), whole: false } });
  const review = (times) => {
    for (let index = 0; index < times; index += 1) {
      session.review({ manifests: { "a.yaml": denied }, at: NOW });
      gate.open({ garden: { name: "garden", files: garden.map(([name, text]) => ({ name, text })), whole: false } }).free();
    }
  };
  review(50);
  const before = gate.memory;
  review(500);
  assert.equal(gate.memory, before);
  session.free();
});
