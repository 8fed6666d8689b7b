// SPDX-License-Identifier: Apache-2.0
// The entry for Node.js, which reads the module from the disk.
import { readFile } from "node:fs/promises";
import { Gate, Session, start } from "./gate.js";

export { Gate, Session };

/** @type {Promise<Gate> | null} */
let loading = null;

/**
 * Loads the module once.
 *
 * @param {string | URL | BufferSource | WebAssembly.Module} [source] the file `garden_gate_bg.wasm`; by default next to this script
 * @returns {Promise<Gate>}
 */
export function load(source = new URL("./garden_gate_bg.wasm", import.meta.url)) {
  loading ??= read(source).then(start).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/**
 * @param {string | URL | BufferSource | WebAssembly.Module} source
 * @returns {Promise<BufferSource | WebAssembly.Module>}
 */
async function read(source) {
  return typeof source === "string" || source instanceof URL ? readFile(source) : source;
}
