// SPDX-License-Identifier: Apache-2.0
// The playground in Chromium: PLAYGROUND is its folder. `.ci/wasm` runs only the tests whose names begin with "short".
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { pathToFileURL } from "node:url";
import { after, before, test } from "node:test";
import axe from "axe-core";
import { chromium } from "playwright-core";
import { shownRules } from "../../test/rules.mjs";
import { serve } from "../../test/serve.mjs";
import { decoded, encoded, EMPTY, valid } from "../src/state.js";

const folder = process.env.PLAYGROUND;
const skip = folder && existsSync(`${folder}/index.html`) ? false : "the playground is not built; set PLAYGROUND";

let browser, server;
before(async () => {
  if (skip) return;
  server = await serve(folder);
  browser = await chromium.launch({ executablePath: process.env.CHROMIUM || "/usr/bin/chromium", args: ["--no-sandbox"] });
});
after(async () => {
  await browser?.close();
  server?.close();
});

/** Opens the page at an address, and waits for the first verdict. */
async function open(hash = "", options = {}) {
  const context = await browser.newContext({ viewport: { width: options.width ?? 1400, height: 900 }, colorScheme: options.scheme ?? "light" });
  const page = await context.newPage();
  page.problems = [];
  page.on("pageerror", (error) => page.problems.push(String(error)));
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  await page.route((url) => !url.href.startsWith(server.url) && url.protocol !== "data:", (route) => {
    page.problems.push(`request to ${route.request().url()}`);
    return route.abort();
  });
  await page.goto(server.url + hash);
  await page.waitForFunction(() => document.querySelector(".verdict"));
  return page;
}

const text = (page) => page.evaluate(() => document.querySelector(".cm-content").cmTile?.view?.state.doc.toString() ?? document.querySelector(".cm-content").textContent);

test("an input survives its link", async () => {
  const input = { ...EMPTY, after: "kind: Shoot\n# 😀\n", garden: [{ name: "a.yaml", text: "a: b\n" }], whole: true, user: "alice" };
  assert.deepEqual(await decoded(await encoded(input)), input);
  await assert.rejects(decoded("%%%"));
  assert.deepEqual(valid({ after: 3, garden: [{ name: 1 }, "x"], whole: "yes" }), EMPTY);
});

test("a link that expands to too much is refused", async () => {
  const link = await encoded({ ...EMPTY, after: "a".repeat(17 << 20) });
  assert.ok(link.length < 100_000);
  await assert.rejects(decoded(link), /too large/);
});

test("short: the first example is refused, and its fix or its rule can be chosen", { skip }, async () => {
  const page = await open();
  assert.match(await page.textContent(".verdict"), /^refused CREATE of Shoot garden-dev\/sneaky/);
  await page.click(".findings .said button.plain");
  await page.waitForSelector("h3:has-text('shoot/toleration-not-whitelisted')");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("a fix changes the verdict", { skip }, async () => {
  const page = await open();
  await page.selectOption("select[aria-label=Example]", "misspelt");
  await page.waitForSelector("button:has-text('Fix: ')");
  const title = await page.locator("button:has-text('Fix: ')").first().textContent();
  await page.locator("button:has-text('Fix: ')").first().click();
  await page.waitForFunction((it) => [...document.querySelectorAll("button")].every((button) => button.textContent !== it), title);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("the stored form and the forecast are shown", { skip }, async () => {
  const page = await open("#rule=accepted");
  await page.waitForFunction(() => document.querySelector(".verdict-allowed"));
  await page.click("role=tab[name='Stored form']");
  await page.waitForSelector(".diff ins");
  await page.click("role=tab[name=Forecast]");
  await page.waitForSelector(".timeline, table");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("short: a link holds the input", { skip }, async () => {
  const input = { ...EMPTY, after: "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {name: from-a-link}\nspec: {unknown: 1}\n" };
  const page = await open(`#v1=${await encoded(input)}`);
  assert.match(await page.textContent(".verdict"), /Project from-a-link/);
  assert.match(await text(page), /from-a-link/);
  await page.evaluate(() => history.replaceState(null, "", "#"));
  await page.click("text=Copy link");
  await page.waitForFunction(() => location.hash.startsWith("#v1="));
  assert.deepEqual(await decoded((await page.evaluate(() => location.hash)).slice(4)), input);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("short: a broken link is an error with a message", { skip }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(`${server.url}#v1=abc`);
  await page.waitForSelector("role=alert >> text=The link cannot be read");
  await context.close();
});

test("short: hostile text stays text", { skip }, async () => {
  const link = await encoded({ ...EMPTY, after: "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: '<img src=x onerror=alert(1)>', namespace: a}\nspec: {'<b>': 1}\n" });
  const page = await open(`#v1=${link}`);
  assert.equal(await page.locator("#app img, #app b").count(), 0);
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("short: the page works without a network after the first visit", { skip }, async () => {
  const page = await open();
  await page.evaluate(() => navigator.serviceWorker.ready);
  await page.waitForTimeout(500);
  await page.context().setOffline(true);
  await page.reload();
  await page.waitForFunction(() => document.querySelector(".verdict"));
  await page.selectOption("select[aria-label=Example]", "accepted");
  await page.waitForSelector(".verdict-allowed");
  await page.context().close();
});

test("short: a page of a disk says that it must be served", { skip }, async () => {
  const context = await browser.newContext();
  const page = await context.newPage();
  await page.goto(pathToFileURL(`${folder}/index.html`).href);
  await page.waitForSelector("role=alert >> text=opened from a disk");
  await context.close();
});

test("short: a link to a rule opens its example", { skip }, async () => {
  const page = await open("#rule=shoot/immutable-fields");
  assert.ok((await shownRules(page)).includes("shoot/immutable-fields"));
  assert.equal(await page.locator("select[aria-label=Example]").inputValue(), "shoot/immutable-fields");
  assert.deepEqual(page.problems, []);
  await page.context().close();
});

test("short: the list has all files with their checksums", { skip }, () => {
  const { gardenGate, files } = JSON.parse(readFileSync(`${folder}/playground.json`, "utf8"));
  assert.match(gardenGate, /^\d+\.\d+\.\d+/);
  const found = readdirSync(folder, { recursive: true, withFileTypes: true }).filter((it) => it.isFile()).map((it) => `${it.parentPath ?? it.path}/${it.name}`.slice(folder.replace(/\/$/, "").length + 1));
  assert.deepEqual(files.map((it) => it.path), found.filter((it) => it !== "playground.json").sort());
  for (const { path, sha256 } of files) assert.equal(createHash("sha256").update(readFileSync(`${folder}/${path}`)).digest("hex"), sha256, path);
});

test("short: all packages in the scripts have notices", { skip }, () => {
  const text = readFileSync(`${folder}/THIRD-PARTY-NOTICES.txt`, "utf8");
  // Those that the editor needs, directly and indirectly.
  for (const name of ["codemirror", "@codemirror/state", "@codemirror/view", "@codemirror/lang-yaml", "@lezer/common", "@lezer/yaml", "style-mod", "w3c-keyname", "crelt"]) assert.ok(text.includes(`\n${name} `), name);
  assert.match(text, /Permission is hereby granted/);
});

for (const [width, scheme] of [[1400, "light"], [400, "dark"]]) {
  test(`nothing is wider than ${width} px, and axe finds nothing, ${scheme}`, { skip }, async () => {
    const page = await open("", { width, scheme });
    assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > document.documentElement.clientWidth), false);
    await page.evaluate(axe.source);
    const found = await page.evaluate(async () => (await globalThis.axe.run(document, { preload: false, rules: { "color-contrast": { enabled: true } } })).violations.map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((node) => node.html.slice(0, 160)).join("\n  ")}`));
    assert.deepEqual(found, []);
    await page.context().close();
  });
}

test("examples have the findings of their rules", { skip }, async () => {
  const { load } = await import("@garden-gate/core");
  const gate = await load();
  const names = readdirSync(`${folder}/examples`).filter((it) => it.includes("_"));
  for (const name of names) {
    const input = JSON.parse(readFileSync(`${folder}/examples/${name}`, "utf8"));
    const { document } = gate.review([{ name: "a.yaml", text: input.after, ...(input.before ? { old: input.before } : {}) }], input.garden.length > 0 ? { name: "garden", files: input.garden, whole: false } : undefined, { at: input.at, user: input.user, groups: input.groups.split(",").filter(Boolean) });
    const rule = name.replace("_", "/").replace(".json", "");
    assert.ok(document.reviews.some((it) => it.findings.some((finding) => finding.rule === rule)), rule);
  }
});
