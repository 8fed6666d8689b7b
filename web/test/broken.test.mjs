// SPDX-License-Identifier: Apache-2.0
// Replaces random values of documents by values of other types: a page may miss something, but is never blank.
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { launch, open, visit } from "./browser.mjs";
import { documents, numbers, RUN, writeSite } from "./fixture.mjs";

const ROUNDS = 6;
const junk = [null, 7, -1, "text", "", {}, [], [null], true, "2026-99-99", { constructor: 1, type: "div", props: {} }, "\u202e<b>"];
const addresses = ["#/", "#/clusters", "#/projects", "#/project/garden-shop", "#/shoot/garden-shop/web", "#/versions?unused=1", "#/findings", "#/rules", "#/rule/shoot/kubernetes-version-unsupported"];

/** Replaces and removes values with a probability of `share` per thousand. */
function changed(value, share, random) {
  if (random(1000) < share) return junk[random(junk.length)];
  if (Array.isArray(value)) return value.map((it) => changed(it, share, random));
  if (typeof value !== "object" || value === null) return value;
  return Object.fromEntries(Object.entries(value).filter(() => random(1000) >= share).map(([key, it]) => [key, changed(it, share, random)]));
}

test("documents_with_wrong_types_never_give_a_blank_page", async () => {
  const folder = mkdtempSync(join(tmpdir(), "garden-gate-site-"));
  const site = writeSite(folder, "one");
  const random = numbers(11);
  const browser = await launch();
  const page = await open(browser, site);
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const [name, value] of Object.entries(documents("one"))) {
      // Every second round keeps the documents that lead to the Shoot.
      const text = round % 2 === 1 && /^project/.test(name) ? value : changed(value, [3, 20, 60][round % 3], random);
      writeFileSync(join(site, RUN, `${name}.js`), `gardenGate(${JSON.stringify(name)}, ${JSON.stringify(text)});`);
    }
    for (const address of addresses) {
      await visit(page, address);
      assert.ok((await page.locator("main").innerText()).length > 10, `round ${round}, ${address}`);
      assert.deepEqual(page.problems.filter((it) => !it.includes("ERR_FILE_NOT_FOUND")), [], `round ${round}, ${address}`);
    }
  }
  await browser.close();
  rmSync(folder, { recursive: true, force: true });
});
