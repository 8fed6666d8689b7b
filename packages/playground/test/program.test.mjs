// SPDX-License-Identifier: Apache-2.0
// The playground that the program serves next to a site, with its content security policy, in Chromium: PLAYGROUND is its folder, and GARDEN_GATE
// the program.
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { existsSync } from "node:fs";
import { test } from "node:test";
import { chromium } from "playwright-core";
import { PROGRAM } from "../../core/test/native.mjs";
import { shownRules } from "../../test/rules.mjs";

const folder = process.env.PLAYGROUND;
const skip = folder && existsSync(`${folder}/index.html`) && existsSync(PROGRAM) ? false : "the playground or the program is not built; set PLAYGROUND and GARDEN_GATE";

test("short: a rule page of the site opens its example in the playground", { skip }, async (context) => {
  const demo = spawn(PROGRAM, ["demo", "--playground", folder], { stdio: ["ignore", "pipe", "inherit"] });
  context.after(() => demo.kill());
  let printed = "";
  for await (const part of demo.stdout) {
    printed += part;
    if (printed.includes("Ctrl-C")) break;
  }
  const site = /http:\S+\/site\//.exec(printed)?.[0];
  const browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
  context.after(() => browser.close());
  const page = await browser.newPage();
  const problems = [];
  page.on("pageerror", (error) => problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  await page.goto(`${site}#/rule/shoot/hibernated-change`);
  await page.click("main a:has-text('Try it')");
  assert.ok((await shownRules(page)).includes("shoot/hibernated-change"));
  // The worker keeps the page, which needs its folder as an address.
  assert.equal(await page.evaluate(() => navigator.serviceWorker.ready.then((it) => it.scope)), `${site}playground/`);
  await page.goto(site);
  await page.click("nav a:has-text('Playground')");
  await page.waitForSelector(".verdict");
  assert.deepEqual(problems, []);
});
