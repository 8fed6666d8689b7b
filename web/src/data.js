// @ts-check
import { useEffect, useState } from "./view.js";
import { wellFormed } from "./text.js";

/** @typedef {{ promise: Promise<any>, value?: any }} Entry */

const SHOOT_DOCUMENTS = 20;
const run = document.documentElement.dataset.run ?? "";
/** The page of the playground, relative to this one; empty without one. */
export const playground = document.documentElement.dataset.playground ?? "";
/** The ids of rules with an example in the playground. */
export const examples = new Set((document.documentElement.dataset.examples ?? "").split(" "));
const isApi = document.documentElement.dataset.source === "api";
/** @type {Map<string, Entry>} */
const entries = new Map();
/** @type {Map<string, (document: unknown) => void>} */
const waiting = new Map();

globalThis.gardenGate = (name, value) => waiting.get(name)?.(value);

/** Loads a document once, and keeps it. @param {string} name @returns {Promise<any>} */
export function load(name) {
  const known = entries.get(name);
  if (known) return known.promise;
  /** @type {Entry} */
  const entry = { promise: read(name).then(checked) };
  entries.set(name, entry);
  entry.promise.then((value) => { entry.value = value; }, () => { entries.delete(name); });
  evict();
  return entry.promise;
}

/**
 * Loads a document for a component; no document for an empty name.
 * @param {string} name
 * @returns {{ value?: any, error?: Error }}
 */
export function useDocument(name) {
  const [state, setState] = useState(/** @type {{ name: string, value?: any, error?: Error }} */ ({ name: "" }));
  const kept = entries.get(name)?.value;
  useEffect(() => {
    let isCurrent = true;
    if (name === "" || kept) return;
    load(name).then(
      (value) => isCurrent && setState({ name, value }),
      (error) => isCurrent && setState({ name, error }),
    );
    return () => { isCurrent = false; };
  }, [name]);
  if (kept) return { value: kept };
  return state.name === name ? state : {};
}

function evict() {
  const shoots = [...entries.keys()].filter((it) => it.startsWith("shoots/"));
  shoots.slice(0, -SHOOT_DOCUMENTS).forEach((it) => entries.delete(it));
}

/** @param {any} value */
function checked(value) {
  if (typeof value !== "object" || value === null) throw new Error("A data file of this site is broken.");
  return value;
}

/** @param {string} name */
function read(name) {
  const parts = name.split("/");
  if (parts.some((it) => /^\.*$/.test(it))) return Promise.reject(new Error(`The data file “${name}” does not exist.`));
  const path = parts.map((it) => encodeURIComponent(wellFormed(it))).join("/");
  return isApi ? answer(path) : script(name, `${encodeURIComponent(run)}/${path}.js`);
}

/** @param {string} path */
async function answer(path) {
  const project = new URLSearchParams(location.search).get("project");
  const query = project === null ? "" : `?project=${encodeURIComponent(wellFormed(project))}`;
  const response = await fetch(`api/v1/${path}${query}`).catch(() => undefined);
  if (!response) throw new Error("The server does not answer.");
  if (!response.ok) throw new Error(`The server answers ${response.status} for “${path}”: ${await reason(response)}`);
  return response.json().catch(() => { throw new Error(`The server's answer for “${path}” is not valid JSON.`); });
}

/** Returns the first line of a refusal. @param {Response} response */
async function reason(response) {
  const text = await response.text().catch(() => "");
  return text.split("\n")[0]?.slice(0, 500) || "it gives no reason.";
}

/** Loads a document as a script, since browsers fetch nothing from file://. @param {string} name @param {string} path @returns {Promise<unknown>} */
function script(name, path) {
  return new Promise((resolve, reject) => {
    const element = document.createElement("script");
    const end = () => { waiting.delete(name); element.remove(); };
    waiting.set(name, (value) => { end(); resolve(value); });
    element.onload = () => {
      if (waiting.has(name)) reject(new Error(`The data file “${path}” is broken.`));
      end();
    };
    element.onerror = () => {
      end();
      isOutdated().then((is) => reject(new Error(is ? "A newer version of this site was published." : `The data file “${path}” could not be loaded.`)));
    };
    element.src = path;
    document.head.append(element);
  });
}

/** Reads the page again, and returns whether it now has another run. */
async function isOutdated() {
  if (!location.protocol.startsWith("http")) return false;
  try {
    const page = await (await fetch(location.pathname, { cache: "no-store" })).text();
    const newest = /data-run="([^"]*)"/.exec(page)?.[1];
    return newest !== undefined && newest !== run;
  } catch {
    return false;
  }
}
