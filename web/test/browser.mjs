// SPDX-License-Identifier: Apache-2.0
// Opens sites in Chromium, and collects everything that a page must not do.
import { createServer } from "node:http";
import { readFileSync } from "node:fs";
import { join, normalize } from "node:path";
import { pathToFileURL } from "node:url";
import axe from "axe-core";
import { chromium } from "playwright-core";

const TYPES = { ".html": "text/html", ".js": "text/javascript", ".css": "text/css" };

export const axeSource = axe.source;

/** Starts the browser that CHROMIUM names, or else `chromium`. */
export function launch() {
  const path = process.env.CHROMIUM || "/usr/bin/chromium";
  return chromium.launch({ executablePath: path, args: ["--no-sandbox"] });
}

/** Serves a folder; returns its address and a function that ends it. */
export async function serve(folder) {
  const server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url, "http://x").pathname)).replace(/\/$/, "/index.html");
    try {
      const body = readFileSync(join(folder, path));
      response.writeHead(200, { "content-type": TYPES[/\.\w+$/.exec(path)?.[0]] ?? "application/json" }).end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise((resolve) => server.listen(0, "127.0.0.1", resolve));
  return { url: `http://127.0.0.1:${server.address().port}/`, close: () => server.close() };
}

/** Opens a page whose `problems` are console errors, exceptions and requests elsewhere. */
export async function open(browser, base, options = {}) {
  const context = await browser.newContext({ viewport: { width: options.width ?? 1280, height: 900 }, colorScheme: options.scheme ?? "light", timezoneId: options.zone ?? "Europe/Berlin", permissions: [] });
  const page = await context.newPage();
  page.problems = [];
  page.base = base.startsWith("http") ? base : pathToFileURL(join(base, "index.html")).href;
  page.on("console", (message) => message.type() === "error" && page.problems.push(message.text()));
  page.on("pageerror", (error) => page.problems.push(`${error.name}: ${error.message}\n${error.stack}`));
  const own = page.base.replace(/index\.html$/, "");
  await page.route((url) => !url.href.startsWith(own) && url.protocol !== "data:", (route) => {
    page.problems.push(`request to ${route.request().url()}`);
    return route.abort();
  });
  await page.addInitScript(() => {
    const observer = new MutationObserver(() => {
      if (!document.querySelector("[role=combobox]")) return;
      globalThis.interactiveAt = performance.now();
      observer.disconnect();
    });
    observer.observe(document, { childList: true, subtree: true });
  });
  return page;
}

/** Goes to an address of the site, and waits until its data is shown. */
export async function visit(page, hash) {
  await page.goto("about:blank");
  await page.goto(page.base + hash);
  await shown(page);
}

/** Follows a link to an address of the site, and waits until its data is shown. */
export async function follow(page, hash) {
  await page.evaluate((to) => new Promise((resolve) => {
    addEventListener("hashchange", () => setTimeout(resolve, 20), { once: true });
    setTimeout(resolve, 2000);
    location.hash = to;
  }), hash);
  await shown(page);
}

/** Waits until no part of the page is loading. */
export async function shown(page) {
  await page.waitForFunction(() => document.querySelector("[role=combobox]") && document.getElementById("title") && !document.querySelector("main")?.textContent.includes("Loading…"));
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
}

/** Returns the size of a page, and the elements that are wider than the screen. */
export function measure(page) {
  return page.evaluate(() => {
    const width = document.documentElement.clientWidth;
    const wide = document.documentElement.scrollWidth > width ? [...document.querySelectorAll("body *")].filter((it) => it.getBoundingClientRect().right > width + 1).slice(0, 3).map((it) => it.outerHTML.slice(0, 120)) : [];
    return { nodes: document.querySelectorAll("*").length, wide, title: document.getElementById("title").textContent, interactiveAt: Math.round(globalThis.interactiveAt) };
  });
}

/** Returns the violations that axe finds, of all rules or of some. */
export async function violations(page, rules) {
  // Evaluated by the debugger, since the content security policy permits no other scripts. Addresses of one page share it.
  if (!(await page.evaluate(() => "axe" in globalThis))) await page.evaluate(axeSource);
  return page.evaluate(async (only) => {
    const { violations: found } = await globalThis.axe.run(document, { preload: false, ...(only && { runOnly: only }) });
    return found.map((it) => `${it.id}: ${it.nodes.slice(0, 3).map((node) => `${node.html.slice(0, 160)} ${node.any.concat(node.all)[0]?.message ?? ""}`).join("\n  ")}`);
  }, rules);
}
