// SPDX-License-Identifier: Apache-2.0
// The entry for browsers, web workers and bundlers.
import { Gate, Session, start } from "./gate.js";

export { Gate, Session };
/** @typedef {import("./gate.js").Reviewed} Reviewed */
/** @typedef {import("./gate.js").Files} Files */
/** @typedef {import("./types.js").Details} Details */
/** @typedef {import("./types.js").InputManifest} InputManifest */
/** @typedef {import("./types.js").Marker} Marker */
/** @typedef {import("./types.js").SessionInput} SessionInput */

/** @type {Promise<Gate> | null} */
let loading = null;

/**
 * Loads the module once.
 *
 * @param {string | URL | Response | BufferSource | WebAssembly.Module} [source] the file `garden_gate_bg.wasm`; by default next to this script
 * @returns {Promise<Gate>}
 */
export function load(source = new URL("./garden_gate_bg.wasm", import.meta.url)) {
  loading ??= compiled(source).then(start).catch((error) => {
    loading = null;
    throw error;
  });
  return loading;
}

/**
 * @param {string | URL | Response | BufferSource | WebAssembly.Module} source
 * @returns {Promise<BufferSource | WebAssembly.Module>}
 */
async function compiled(source) {
  if (!(typeof source === "string" || source instanceof URL || source instanceof Response)) return source;
  const response = source instanceof Response ? source : await fetch(source);
  if (!response.ok) throw new Error(`cannot load ${response.url}: ${response.status}`);
  // Servers that do not know the type of the file prevent streaming.
  if (response.headers.get("content-type") !== "application/wasm") return WebAssembly.compile(await response.arrayBuffer());
  return WebAssembly.compileStreaming(response);
}
