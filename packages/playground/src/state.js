// SPDX-License-Identifier: Apache-2.0
/**
 * The whole input of the page, which a link holds.
 *
 * @typedef {object} Input
 * @property {string} after the manifest
 * @property {string} before the manifest before the change; empty for a new object
 * @property {{ name: string, text: string }[]} garden the files of the garden
 * @property {boolean} whole whether objects that the garden lacks do not exist
 * @property {string} policies GardenPolicies
 * @property {string} user the requesting user; empty if none is named
 * @property {string} groups its groups, separated by commas
 * @property {string} profile the profile; empty for the default
 * @property {string} gardenerVersion the version of Gardener; empty for the newest or that of the garden
 * @property {string} at the time; empty for now
 */

/** @type {Readonly<Input>} */
export const EMPTY = { after: "", before: "", garden: [], whole: false, policies: "", user: "", groups: "", profile: "", gardenerVersion: "", at: "" };

/** The largest link that is read, in characters, and the largest input in it, in bytes. */
const LONGEST = 2_000_000;
const LARGEST = 16 << 20;

/**
 * Compresses an input for the fragment of an address, which browsers send to no server.
 *
 * @param {Input} input
 */
export async function encoded(input) {
  const given = Object.fromEntries(Object.entries(input).filter(([key, value]) => JSON.stringify(value) !== JSON.stringify(EMPTY[/** @type {keyof Input} */ (key)])));
  const stream = new Blob([JSON.stringify(given)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  return btoa(text).replace(/\+/g, "-").replace(/\//g, "_").replace(/=+$/, "");
}

/**
 * Reads the fragment of an address.
 *
 * @param {string} text
 * @returns {Promise<Input>}
 */
export async function decoded(text) {
  if (text.length > LONGEST) throw new Error("the link is too long");
  const bytes = Uint8Array.from(atob(text.replace(/-/g, "+").replace(/_/g, "/")), (it) => it.charCodeAt(0));
  const reader = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  const parts = [];
  let size = 0;
  for (let step = await reader.read(); !step.done; step = await reader.read()) {
    size += step.value.length;
    if (size > LARGEST) throw new Error("the input of the link is too large");
    parts.push(step.value);
  }
  return valid(JSON.parse(await new Blob(parts).text()));
}

/**
 * Returns an input whose fields have the right types, whatever the link has.
 *
 * @param {any} given
 * @returns {Input}
 */
export function valid(given) {
  const input = { ...EMPTY };
  for (const key of /** @type {const} */ (["after", "before", "policies", "user", "groups", "profile", "gardenerVersion", "at"])) {
    if (typeof given?.[key] === "string") input[key] = given[key];
  }
  input.whole = given?.whole === true;
  const files = Array.isArray(given?.garden) ? given.garden : [];
  input.garden = files.filter((/** @type {any} */ it) => typeof it?.name === "string" && typeof it?.text === "string")
    .map((/** @type {any} */ { name, text }) => ({ name, text }));
  return input;
}
