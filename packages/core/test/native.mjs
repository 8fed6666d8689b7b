// SPDX-License-Identifier: Apache-2.0
// Runs the native program on files, and the module on the same files as texts.
import { spawn } from "node:child_process";
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join, resolve } from "node:path";

/** The native program: that of GARDEN_GATE, or else of `cargo build`. */
export const PROGRAM = resolve(process.env.GARDEN_GATE ?? new URL("../../../target/debug/garden-gate", import.meta.url).pathname);

/** The time of all reviews. */
export const NOW = "2026-12-01T00:00:00Z";

/** Returns the output of the program in a folder with these files, `[name, text]`. */
export async function native(files, args) {
  const folder = mkdtempSync(join(tmpdir(), "garden-gate-"));
  try {
    for (const [name, text] of files) {
      mkdirSync(dirname(join(folder, name)), { recursive: true });
      writeFileSync(join(folder, name), text);
    }
    return await run(folder, args);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Runs the program. */
export function run(folder, args) {
  return new Promise((done, failed) => {
    const program = spawn(PROGRAM, args, { cwd: folder, stdio: ["ignore", "pipe", "pipe"] });
    const [out, errors] = [[], []];
    program.stdout.on("data", (it) => out.push(it));
    program.stderr.on("data", (it) => errors.push(it));
    program.on("error", failed);
    program.on("close", (code) => done({ code, out: Buffer.concat(out).toString(), errors: Buffer.concat(errors).toString() }));
  });
}

/**
 * A comparison: manifests with a garden, a configuration and a user.
 *
 * @typedef {object} Comparison
 * @property {string} name
 * @property {[string, string][]} manifests
 * @property {[string, string][] | null} garden
 * @property {string} [config]
 * @property {string} [old] the text before the change of the only manifest
 * @property {string} [user]
 * @property {string[]} [groups]
 * @property {string} [version]
 */

/** Returns the difference between the program and the module for a comparison; `null` if there is none. */
export async function difference(gate, it) {
  const files = [...it.manifests];
  const args = ["review", "--format", "json", "--at", NOW];
  if (it.garden) {
    files.push(...it.garden);
    args.push("--garden", "garden");
  }
  if (it.config === undefined) args.push("--no-config");
  else {
    files.push(["config.json", it.config]);
    args.push("--config", "config.json");
  }
  if (it.old !== undefined) {
    files.push(["before.json", it.old]);
    args.push("--old", "before.json");
  }
  if (it.user !== undefined) args.push("--as", it.user);
  for (const group of it.groups ?? []) args.push("--as-group", group);
  if (it.version !== undefined) args.push("--gardener-version", it.version);
  const expected = native(files, [...args, ...it.manifests.map(([name]) => name)]);
  const own = reviewed(gate, it);
  const { code, out, errors } = await expected;
  // Without an object, the program prints nothing.
  if (out === "" && code === 3) return JSON.parse(own).reviews.length === 0 ? null : `${it.name}: the program prints nothing; the module:\n${own.slice(0, 500)}`;
  if (own === out) return null;
  const [a, b] = [own.split("\n"), out.split("\n")];
  const at = a.findIndex((line, index) => line !== b[index]);
  return `${it.name}, line ${at + 1}:\n  module:  ${a[at]}\n  program: ${b[at]}\n${errors.slice(0, 500)}`;
}

/** Returns the document of the module for a comparison. */
function reviewed(gate, it) {
  const file = ([name, text]) => ({ name, text });
  const session = gate.open({
    ...(it.garden ? { garden: { name: "garden", files: it.garden.map(file) } } : {}),
    ...(it.config === undefined ? {} : { config: { name: "config.json", text: it.config } }),
    ...(it.user === undefined ? {} : { user: it.user }),
    ...(it.version === undefined ? {} : { gardenerVersion: it.version }),
    groups: it.groups ?? [],
  });
  try {
    const manifests = it.manifests.map(([name, text]) => ({ name, text, ...(it.old === undefined ? {} : { old: it.old }) }));
    return session.reviewAsText({ manifests, at: NOW, ...(it.old === undefined ? {} : { origin: "before.json" }) }).json;
  } finally {
    session.free();
  }
}

/** Calls `work` for each item, two at a time. */
export async function each(items, work) {
  const iterator = items[Symbol.iterator]();
  const next = async () => {
    for (let step = iterator.next(); !step.done; step = iterator.next()) await work(step.value);
  };
  await Promise.all([next(), next()]);
}
