// Builds the playground: node playground/build.mjs FOLDER
import { readdirSync, readFileSync, writeFileSync } from "node:fs";
import { createHash } from "node:crypto";
import { fileURLToPath } from "node:url";
import { execFileSync } from "node:child_process";
import { build } from "vite";

const own = fileURLToPath(new URL("./", import.meta.url));
const out = process.argv[2];
await build({ root: own, configFile: `${own}vite.config.js`, logLevel: "warn", build: { outDir: out, emptyOutDir: true } });
execFileSync(process.execPath, [`${own}examples.mjs`, "write", `${out}/examples`], { stdio: "inherit" });

// A worker that keeps all files, so that the page works without a network after the first visit.
const files = readdirSync(out, { recursive: true, withFileTypes: true }).filter((it) => it.isFile()).map((it) => `${it.parentPath ?? it.path}/${it.name}`);
const hash = createHash("sha256");
for (const file of files.sort()) hash.update(readFileSync(file));
const version = hash.digest("hex").slice(0, 16);
const names = files.map((it) => it.slice(out.replace(/\/$/, "").length + 1));
writeFileSync(`${out}/offline.js`, `// Keeps all files of the page for use without a network.
const CACHE = "garden-gate-${version}";
const FILES = ${JSON.stringify(["./", ...names])};
addEventListener("install", (event) => event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(FILES)).then(() => skipWaiting())));
addEventListener("activate", (event) => event.waitUntil(caches.keys().then((all) => Promise.all(all.filter((it) => it.startsWith("garden-gate-") && it !== CACHE).map((it) => caches.delete(it)))).then(() => clients.claim())));
addEventListener("fetch", (event) => {
  if (event.request.method !== "GET") return;
  event.respondWith(caches.open(CACHE).then((cache) => cache.match(event.request, { ignoreSearch: true })).then((found) => found ?? fetch(event.request)));
});
`);
