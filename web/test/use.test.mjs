// SPDX-License-Identifier: Apache-2.0
// Uses fixture sites with the keyboard and by addresses, over HTTP and from files, and breaks their data.
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { follow, launch, measure, open, serve, shown, visit } from "./browser.mjs";
import { RUN, writeSite } from "./fixture.mjs";

const folder = mkdtempSync(join(tmpdir(), "garden-gate-site-"));
const large = writeSite(join(folder, "large"), "large");
let browser;

before(async () => { browser = await launch(); });
after(async () => {
  await browser?.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Runs a test with a page, and checks that it had no problems. */
async function withPage(base, options, body) {
  const page = await open(browser, base, options);
  await body(page);
  assert.deepEqual(page.problems.filter((it) => !options.expected?.test(it)), []);
  await page.context().close();
}

const heading = (page) => page.locator("#title").innerText();
const rows = (page) => page.locator("[role=table]").getAttribute("aria-rowcount").then(Number);

test("search_by_keyboard_opens_a_shoot", () => withPage(large, {}, async (page) => {
  await visit(page, "#/findings");
  await page.keyboard.press("/");
  await page.keyboard.type("cluster-777");
  const input = page.getByRole("combobox", { name: /^Search/ });
  await page.waitForFunction(() => document.querySelectorAll("[role=option]").length > 1);
  assert.equal(await input.getAttribute("aria-expanded"), "true");
  assert.equal(await input.getAttribute("aria-activedescendant"), "result-0");
  await page.keyboard.press("ArrowDown");
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => document.title.includes("cluster-777 "));
  assert.match(await heading(page), /Shoot cluster-777$/);
  assert.equal(await page.evaluate(() => document.activeElement?.id), "title");
}));

test("search_finds_all_kinds_and_closes_by_escape", () => withPage(large, {}, async (page) => {
  await visit(page, "#/");
  for (const [text, kind] of [["team-12", "Project"], ["owner-7@", "Owner"], ["expired", "Finding"], ["kubernetes-version-unsupported", "Rule"], ["gardenlinux 1592.3", "Version"]]) {
    await page.keyboard.press("/");
    await page.keyboard.type(text);
    await page.waitForFunction((it) => [...document.querySelectorAll(".result-kind")].some((element) => element.textContent === it), kind);
    await page.keyboard.press("Escape");
    assert.equal(await page.locator("[role=option]").count(), 0);
    await page.keyboard.press("Escape");
    assert.notEqual(await page.evaluate(() => document.activeElement?.getAttribute("role")), "combobox");
  }
}));

test("search_with_many_results_leads_to_the_list_of_clusters", () => withPage(large, {}, async (page) => {
  await visit(page, "#/");
  await page.keyboard.press("/");
  await page.keyboard.type("cluster-1");
  await page.waitForFunction(() => document.querySelectorAll("[role=option]").length > 5);
  await page.keyboard.press("ArrowUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#/clusters?text=cluster-1"));
  await shown(page);
  assert.equal(await rows(page) > 100, true);
}));

test("filters_write_the_address_and_an_address_reproduces_them", () => withPage(large, {}, async (page) => {
  await visit(page, "#/clusters");
  await page.getByLabel("State").selectOption("act");
  await page.getByLabel("Project", { exact: true }).fill("shop");
  await page.getByLabel("Name, owner, region, purpose").fill("eu-west");
  await page.getByRole("button", { name: "Kubernetes" }).click();
  const hash = await page.evaluate(() => location.hash);
  for (const part of ["state=act", "project=shop", "text=eu-west", "sort=kubernetes"]) assert.ok(hash.includes(part), hash);
  const count = await rows(page);
  assert.ok(count > 1 && count < 200, `${count} rows`);
  const first = await page.locator("[aria-rowindex='2']").innerText();
  await visit(page, hash);
  assert.equal(await rows(page), count);
  assert.equal(await page.locator("[aria-rowindex='2']").innerText(), first);
  assert.equal(await page.getByLabel("State").inputValue(), "act");
  await page.getByRole("button", { name: "Show all" }).click();
  assert.equal(await rows(page), 10_001);
}));

test("filters_of_findings_reproduce_from_the_address", () => withPage(large, {}, async (page) => {
  await visit(page, "#/findings?level=deny&project=shop");
  assert.equal(await page.getByLabel("Level").inputValue(), "deny");
  assert.match(await page.locator(".matches").innerText(), /^30 of 120 findings/);
  assert.equal(await page.locator(".card .state-warned").count(), 0);
}));

test("list_by_keyboard_reaches_the_last_row", () => withPage(large, {}, async (page) => {
  await visit(page, "#/clusters?sort=name");
  await page.locator("[aria-rowindex='2'] a").first().focus();
  await page.keyboard.press("ArrowDown");
  await page.waitForFunction(() => document.activeElement?.closest("[role=row]")?.getAttribute("aria-rowindex") === "3");
  await page.keyboard.press("End");
  await page.waitForFunction(() => document.activeElement?.closest("[role=row]")?.getAttribute("aria-rowindex") === "10001");
  const box = await page.evaluate(() => document.activeElement.getBoundingClientRect().top);
  assert.ok(box > 0 && box < 900, `the focus is at ${box} px`);
  await page.keyboard.press("PageUp");
  await page.keyboard.press("Enter");
  await page.waitForFunction(() => location.hash.startsWith("#/shoot/"));
}));

test("focused_row_stays_in_the_page_while_it_scrolls", () => withPage(large, {}, async (page) => {
  await visit(page, "#/clusters?sort=name");
  await page.locator("[aria-rowindex='3'] a").first().focus();
  await page.evaluate(() => scrollTo(0, 100_000));
  await page.waitForFunction(() => [...document.querySelectorAll(".list-body [role=row]")].some((it) => Number(it.getAttribute("aria-rowindex")) > 1000));
  assert.equal(await page.evaluate(() => document.activeElement?.closest("[role=row]")?.getAttribute("aria-rowindex")), "3");
  assert.ok((await measure(page)).nodes <= 3000);
}));

test("back_restores_the_position_of_a_list", () => withPage(large, {}, async (page) => {
  await visit(page, "#/clusters?sort=name");
  await page.evaluate(() => scrollTo(0, 50_000));
  await page.waitForTimeout(100);
  await page.evaluate(() => document.querySelector(".list-body [role=row]:nth-child(9) a").click());
  await page.waitForFunction(() => document.title.startsWith("Shoot"));
  assert.equal(await page.evaluate(() => scrollY), 0);
  await page.goBack();
  await page.waitForFunction(() => document.title.startsWith("Clusters"));
  await page.waitForFunction(() => Math.abs(scrollY - 50_000) < 5);
}));

test("times_are_in_the_zones_of_reader_and_window", () => withPage(large, { zone: "America/New_York" }, async (page) => {
  await visit(page, "#/shoot/garden-shop/web");
  const text = await page.locator(".card-next").innerText();
  assert.match(text, /Sat, 12 Dec 2026, 16:00–16:45/);
  assert.match(text, /2026-12-12 22:00–22:45\+01:00/);
}));

test("time_of_a_window_in_the_zone_of_the_reader_is_shown_once", () => withPage(large, { zone: "Europe/Berlin" }, async (page) => {
  await visit(page, "#/shoot/garden-shop/web");
  const text = await page.locator(".card-next").innerText();
  assert.match(text, /22:00–22:45/);
  assert.doesNotMatch(text, /\+01:00/);
}));

test("site_works_over_http", async () => {
  const server = await serve(large);
  await withPage(server.url, {}, async (page) => {
    await visit(page, "#/shoot/garden-shop/web");
    assert.match(await heading(page), /web/);
  });
  server.close();
});

test("site_works_with_the_api", async () => {
  const server = await serve(writeSite(join(folder, "api"), "one", "api"));
  await withPage(server.url, {}, async (page) => {
    await visit(page, "#/");
    await follow(page, "#/shoot/garden-shop/web");
    assert.match(await heading(page), /web/);
  });
  await withPage(server.url, { expected: /404/ }, async (page) => {
    await page.route("**/api/v1/versions", (route) => route.fulfill({ status: 404 }));
    await visit(page, "#/versions");
    assert.match(await page.locator(".message").innerText(), /The server answers 404/);
  });
  server.close();
});

test("missing_and_broken_documents_show_a_message", async () => {
  const site = writeSite(join(folder, "broken"), "one");
  const put = (name, text) => writeFileSync(join(site, RUN, name), text);
  rmSync(join(site, RUN, "clusters.js"));
  put("projects.js", "gardenGate(");
  put("versions.js", "gardenGate('versions', null);");
  put("findings.js", "gardenGate('findings', { findings: [{ namespaces: 7, kinds: [], examples: [{}] }, null, 3], namespaces: {} });");
  put("rules.js", "gardenGate('other', {});");
  put("overview.js", "gardenGate('overview', { act: [{}, { examples: [null], why: 'text' }], counts: null, forced: {}, at: 'yesterday' });");
  await withPage(site, { expected: /ERR_FILE_NOT_FOUND|SyntaxError/ }, async (page) => {
    for (const [address, message] of [["#/clusters", /could not be loaded/], ["#/projects", /is broken/], ["#/versions", /is broken/], ["#/rules", /is broken/], ["#/", /cannot be shown|broken|Overview/], ["#/findings", /Findings/]]) {
      await visit(page, address);
      assert.match(await page.locator("main").innerText(), message, address);
    }
  });
});

test("page_of_an_older_run_asks_for_a_reload", async () => {
  const site = writeSite(join(folder, "older"), "one");
  const server = await serve(site);
  await withPage(server.url, { expected: /404/ }, async (page) => {
    await visit(page, "#/");
    rmSync(join(site, RUN, "versions.js"));
    writeFileSync(join(site, "index.html"), readFileSync(join(site, "index.html"), "utf8").replaceAll(RUN, "20270101T000000Z"));
    await follow(page, "#/versions");
    assert.match(await page.locator(".message").innerText(), /A newer version of this site was published/);
  });
  server.close();
});

test("overview_of_the_program_stays_until_the_script_shows_it", async () => {
  const server = await serve(large);
  await withPage(server.url, {}, async (page) => {
    let release;
    const held = new Promise((resolve) => { release = resolve; });
    await page.route("**/overview.js", async (route) => { await held; await route.continue(); });
    await page.goto(`${server.url}#/`, { waitUntil: "commit" });
    await page.waitForFunction(() => document.querySelector("#app h1"));
    assert.equal(await page.locator("[role=combobox]").count(), 0);
    assert.match(await page.locator("main").innerText(), /gardenlinux/);
    release();
    await shown(page);
    assert.equal(await page.locator("h1").count(), 1);
    assert.equal(await page.locator("main").count(), 1);
  });
  server.close();
});

test("site_with_a_playground_links_to_it_and_to_examples_of_rules", async () => {
  const linked = writeSite(join(folder, "linked"), "one", "files", true);
  await withPage(linked, {}, async (page) => {
    await visit(page, "#/rule/shoot/kubernetes-version-unsupported");
    const links = () => page.locator("a[href^='playground/']").evaluateAll((all) => all.map((it) => it.getAttribute("href")));
    assert.deepEqual(await links(), ["playground/index.html", "playground/index.html#rule=shoot/kubernetes-version-unsupported"]);
    // A rule without an example.
    await follow(page, "#/rule/shoot/machine-image-kubelet-constraint");
    assert.deepEqual(await links(), ["playground/index.html"]);
  });
  await withPage(linked, { width: 360 }, async (page) => {
    await visit(page, "#/rule/shoot/kubernetes-version-unsupported");
    assert.deepEqual((await measure(page)).wide, []);
  });
  await withPage(large, {}, async (page) => {
    await visit(page, "#/rule/shoot/kubernetes-version-unsupported");
    assert.equal(await page.locator("a[href*='playground']").count(), 0);
  });
});
