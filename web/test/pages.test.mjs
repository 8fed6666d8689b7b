// SPDX-License-Identifier: Apache-2.0
// Opens every page of sites in all sizes and schemes. SITE=FOLDER tests a site that the program wrote instead of fixtures.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { follow, launch, measure, open, violations, visit } from "./browser.mjs";
import { kinds, readDocument, writeSite } from "./fixture.mjs";

const NODES = 3000;
const folder = mkdtempSync(join(tmpdir(), "garden-gate-site-"));
const sites = process.env.SITE ? { written: process.env.SITE } : Object.fromEntries(kinds.map((it) => [it, writeSite(join(folder, it), it)]));
let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Returns addresses of all kinds of pages of a site. */
function addresses(site) {
  const run = /data-run="([^"]*)"/.exec(readFileSync(join(site, "index.html"), "utf8"))?.[1];
  const part = (text) => encodeURIComponent((text ?? "").replace(/[\ud800-\udfff]/gu, "\ufffd"));
  const all = ["#/clusters", "#/clusters?state=act&sort=-next", "#/clusters?text=no-such-cluster", "#/projects", "#/versions", "#/versions?unused=1", "#/findings", "#/findings?level=deny", "#/rules", "#/rule/no/such", "#/shoot/no/such", "#/project/none", "#/nowhere", "#/"];
  const { projects } = readDocument(site, run, "projects");
  for (const project of projects.slice(0, projects.length > 12 ? 2 : 12)) {
    all.push(`#/project/${part(project.namespace)}`);
    const { shoots } = readDocument(site, run, project.data);
    // A Shoot of each state.
    const states = new Map(shoots.map((it) => [it[6], it]));
    for (const shoot of [...states.values()].slice(0, projects.length === 12 ? 1 : 5)) all.push(`#/shoot/${part(project.namespace)}/${part(shoot[1])}`);
  }
  const { profiles } = readDocument(site, run, "versions");
  for (const it of profiles.slice(0, 4)) all.push(`#/versions?profile=${part(it.profile)}`);
  const { rules } = readDocument(site, run, "rules");
  for (const it of rules.filter((rule) => rule.data).slice(0, 2)) all.push(`#/rule/${it.rule}`);
  return all;
}

for (const [kind, site] of Object.entries(sites)) {
  for (const width of [400, 1280]) {
    for (const scheme of ["light", "dark"]) {
      test(`pages_of_${kind}_${width}_px_${scheme}_fit_and_are_accessible`, async () => {
        const page = await open(browser, site, { width, scheme });
        let most = 0;
        await visit(page, "#/");
        for (const address of addresses(site)) {
          await follow(page, address);
          const { nodes, wide, title } = await measure(page);
          most = Math.max(most, nodes);
          assert.notEqual(title, "", address);
          assert.doesNotMatch(title, /cannot be shown/, address);
          assert.deepEqual(wide, [], `${address} is wider than the screen`);
          assert.ok(nodes <= NODES, `${address} has ${nodes} elements`);
          // Only colors depend on the scheme.
          assert.deepEqual(await violations(page, scheme === "dark" ? ["color-contrast"] : undefined), [], address);
          assert.equal(await page.evaluate(() => globalThis.attacked), undefined, address);
          assert.deepEqual(page.problems, [], address);
        }
        console.log(`${kind}, ${width} px, ${scheme}: ${addresses(site).length} pages, at most ${most} elements`);
        await page.context().close();
      });
    }
  }

  // The lists of the large site are those of the others.
  if (kind !== "large") test(`pages_of_${kind}_fit_other_widths_and_paper`, async () => {
    for (const width of [360, 780, 1100, 2560]) {
      const page = await open(browser, site, { width });
      await visit(page, "#/");
      for (const address of addresses(site)) {
        await follow(page, address);
        assert.deepEqual((await measure(page)).wide, [], `${address} at ${width} px`);
      }
      await page.context().close();
    }
    const page = await open(browser, site, { width: 794 });
    await visit(page, "#/");
    await page.emulateMedia({ media: "print" });
    for (const address of addresses(site)) {
      await follow(page, address);
      const { nodes, wide } = await measure(page);
      assert.deepEqual(wide, [], `${address} printed`);
      assert.ok(nodes <= NODES, `${address} printed has ${nodes} elements`);
      assert.equal(await page.locator(".site-head nav").isVisible(), false);
    }
    await page.context().close();
  });

  test(`start_of_${kind}_is_measured`, async () => {
    for (const address of ["#/", "#/clusters", "#/findings"]) {
      const page = await open(browser, site);
      await visit(page, address);
      const { interactiveAt } = await measure(page);
      console.log(`${kind} ${address}: interactive after ${interactiveAt} ms, all data after ${Math.round(await page.evaluate(() => performance.now()))} ms`);
      await page.context().close();
    }
  });
}
