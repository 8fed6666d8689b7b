// SPDX-License-Identifier: Apache-2.0
// Checks the modules without a browser: the joined script, and the vendored files.
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { test } from "node:test";
import { Script } from "node:vm";
import { order, siteScript, strip, vendored } from "../join.mjs";

const read = (name) => readFileSync(new URL(`../${name}`, import.meta.url), "utf8");

test("order_names_every_module_once", () => {
  const files = readdirSync(new URL("../src", import.meta.url)).filter((it) => it.endsWith(".js"));
  assert.deepEqual([...order()].sort(), files.sort());
});

test("joined_modules_parse_as_one_script", () => {
  new Script(siteScript(), { filename: "site.js" });
});

test("modules_have_imports_and_exports_that_can_be_dropped", () => {
  for (const name of order()) {
    const source = read(`src/${name}`);
    for (const line of source.split("\n").filter((it) => it.startsWith("import "))) assert.match(line, /^import \{ [\w, ]+ \} from "\.\/[a-z]+\.js";$/, `${name}: ${line}`);
    for (const line of source.split("\n").filter((it) => it.startsWith("export "))) assert.match(line, /^export (async )?(function|const|class) /, `${name}: ${line}`);
    assert.doesNotMatch(strip(source), /^\s*(import|export)\b/m, name);
  }
});

test("modules_write_no_markup_and_evaluate_nothing", () => {
  for (const name of order()) assert.doesNotMatch(read(`src/${name}`), /innerHTML|outerHTML|insertAdjacent|document\.write|dangerously|\beval\(|new Function/, name);
});

test("vendored_files_match_their_checksums", () => {
  const table = read("vendor/README.md");
  for (const name of vendored) {
    const sum = createHash("sha256").update(read(`vendor/${name}`)).digest("hex");
    assert.ok(table.split("\n").some((it) => it.includes(`\`${name}\``) && it.includes(sum)), `${name} has sha256 ${sum}`);
  }
});
