// SPDX-License-Identifier: Apache-2.0
// Builds the playground: node playground/build.mjs FOLDER [NOTICES [GROUP/...]]. NOTICES is the folder that `.ci/notices` writes for the
// module; without it, the playground must not be published. Groups select the examples of rules.
import { copyFileSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { build } from "vite";
import { collect, notices } from "../notices.mjs";

const own = fileURLToPath(new URL("./", import.meta.url));
const [out, noticesOfModule, ...groups] = process.argv.slice(2);
const used = new Set();
await build({ root: own, configFile: `${own}vite.config.js`, logLevel: "warn", plugins: [collect(used)], worker: { plugins: () => [collect(used)] }, build: { outDir: out, emptyOutDir: true } });
execFileSync(process.execPath, [`${own}examples.mjs`, "write", `${out}/examples`, ...groups], { stdio: "inherit" });
copyFileSync(`${own}../../LICENSE`, `${out}/LICENSE.txt`);
writeFileSync(`${out}/THIRD-PARTY-NOTICES.txt`, notices(used));
if (noticesOfModule) {
  copyFileSync(`${noticesOfModule}/THIRD-PARTY-NOTICES`, `${out}/THIRD-PARTY-NOTICES-module.txt`);
  copyFileSync(`${noticesOfModule}/rust-standard-library.html`, `${out}/rust-standard-library.html`);
}

/** Returns the paths of all files, sorted. */
const paths = () => readdirSync(out, { recursive: true, withFileTypes: true }).filter((it) => it.isFile()).map((it) => `${it.parentPath ?? it.path}/${it.name}`.slice(out.replace(/\/$/, "").length + 1)).sort();
const checksum = (path) => createHash("sha256").update(readFileSync(`${out}/${path}`)).digest("hex");

// A worker that keeps all files, so that the page works without a network after the first visit.
const kept = paths().filter((it) => !it.endsWith(".txt") && it !== "rust-standard-library.html");
const version = createHash("sha256").update(kept.map(checksum).join()).digest("hex").slice(0, 16);
writeFileSync(`${out}/offline.js`, `// Keeps all files of the page for use without a network.
const PREFIX = "garden-gate playground " + registration.scope + " ";
const CACHE = PREFIX + "${version}";
const FILES = ${JSON.stringify(["./", ...kept])};
addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((it) => it.startsWith(PREFIX) && it !== CACHE).map((it) => caches.delete(it)))).then(() => clients.claim())));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request)));
});
`);

// The list by which garden-gate recognizes the folder, and reads exactly these files.
const { version: gardenGate } = JSON.parse(readFileSync(`${own}../core/package.json`, "utf8"));
const files = paths().map((path) => ({ path, sha256: checksum(path) }));
writeFileSync(`${out}/playground.json`, `${JSON.stringify({ gardenGate, files }, null, 1)}\n`);
