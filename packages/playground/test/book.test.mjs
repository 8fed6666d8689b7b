// SPDX-License-Identifier: Apache-2.0
// The links from the pages of rules in the book to the playground, in Chromium: BOOK is the folder of the book, with a playground.
import assert from "node:assert/strict";
import { existsSync, readdirSync } from "node:fs";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { shownRules } from "../../test/rules.mjs";
import { serve } from "../../test/serve.mjs";

const folder = process.env.BOOK;
const skip = folder && existsSync(`${folder}/playground/index.html`) ? false : "the book with a playground is not built; set BOOK";

test("a page of a rule opens its example in the playground", { skip }, async (context) => {
  const server = await serve(folder);
  context.after(() => server.close());
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  context.after(() => browser.close());
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  for (const rule of ["shoot/immutable-fields", "shoot/hibernated-change"]) {
    await page.goto(`${server.url}rules/${rule}.html`);
    await page.click("main a:text-is('Try it')");
    await page.waitForURL(`**/playground/index.html#rule=${rule}`);
    assert.ok((await shownRules(page)).includes(rule), rule);
  }
  const pages = readdirSync(`${folder}/rules`, { recursive: true }).map((it) => /^([\w-]+)\/([\w-]+)\.html$/.exec(it)).filter(Boolean);
  const without = pages.find(([, group, name]) => !existsSync(`${folder}/playground/examples/${group}_${name}.json`));
  if (without) {
    await page.goto(`${server.url}rules/${without[0]}`);
    await page.waitForLoadState("networkidle");
    assert.equal(await page.locator("main a:text-is('Try it')").count(), 0, without[0]);
  }
  assert.deepEqual(problems, []);
});
