// SPDX-License-Identifier: Apache-2.0
/** @import { ForecastDocument, ReviewDocument, CompletionList, CursorInput, Details, ForecastInput, HoverText, InputFile, InputManifest, ReviewInput, RulePage, SessionInput, Versions } from "./types.js" */
import init, { __wbg_reset_state, explain, GardenSession, memorySize, versions } from "./garden_gate.js";

/** The limit of all texts of a call together, in code units; the module refuses larger inputs, too. */
const MOST = 64 * 1024 * 1024;

/** The beginning of the message of a bug in the module. */
const FAILED = "garden-gate has failed: ";

/** The number of the current instance of the module, which is replaced after a bug. */
let instance = 0;

/**
 * A review: the document of `garden-gate review --format json`, and its findings as ranges.
 *
 * @typedef {object} Reviewed
 * @property {string} json the bytes that the program prints
 * @property {ReviewDocument} document the parsed document
 * @property {Details} details the findings as ranges of the texts, with fixes as edits
 */

/**
 * Files: a list, or their texts by names.
 *
 * @typedef {Record<string, string> | readonly InputManifest[]} Files
 */

/**
 * Returns files as a list.
 *
 * @param {Files | undefined} files
 * @returns {InputManifest[]}
 */
export function listed(files) {
  if (files === undefined) return [];
  if (Array.isArray(files)) return [...files];
  return Object.entries(/** @type {Record<string, string>} */ (files)).map(([name, text]) => ({ name, text }));
}

/**
 * Refuses an input that needs too much memory before it is copied.
 *
 * @param {readonly (string | null | undefined)[]} texts
 */
function check(texts) {
  let size = 0;
  for (const text of texts) size += text?.length ?? 0;
  if (size > MOST) throw new Error(`the input has ${Math.ceil(size / 1024 / 1024)} MiB; the limit is ${MOST / 1024 / 1024} MiB: pass fewer or smaller files`);
}

/**
 * Calls the module. After a bug, a new instance replaces the current one, and the error has a message.
 *
 * @template T
 * @param {() => T} call
 * @returns {T}
 */
function guarded(call) {
  try {
    return call();
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    const isOver = error instanceof RangeError;
    if (!isOver && !(error instanceof WebAssembly.RuntimeError) && !message.startsWith(FAILED)) throw error;
    instance += 1;
    __wbg_reset_state();
    if (isOver) throw new Error("the input is nested too deeply, or needs too much memory", { cause: error });
    throw new Error(message.startsWith(FAILED) ? message : FAILED + message, { cause: error });
  }
}

/** A garden with a user and a configuration, kept in memory for many reviews. Call `free` when it is no longer needed. */
export class Session {
  /** @type {GardenSession | null} */
  #inner = null;
  #instance = -1;
  #input;

  /** @param {SessionInput} input */
  constructor(input) {
    check([input.config?.text, ...(input.policies ?? []).map((it) => it.text), ...(input.garden?.files ?? []).map((it) => it.text)]);
    this.#input = JSON.stringify(input);
    this.#open();
  }

  #open() {
    if (this.#inner !== null && this.#instance === instance) return this.#inner;
    if (this.#input === "") throw new Error("the session has been freed");
    const inner = guarded(() => new GardenSession(this.#input));
    this.#inner = inner;
    this.#instance = instance;
    return inner;
  }

  /** The parts of the garden that cannot be read; objects there are unknown, not absent. */
  get problems() {
    const inner = this.#open();
    return /** @type {string[]} */ (JSON.parse(guarded(() => inner.problems())));
  }

  /**
   * Reviews manifests as `garden-gate review` does.
   *
   * @param {Omit<ReviewInput, "manifests"> & { manifests: Files }} input
   * @returns {Reviewed}
   */
  review(input) {
    const { json, details } = this.reviewAsText(input);
    return { json, document: JSON.parse(json), details: JSON.parse(details) };
  }

  /**
   * Reviews manifests, and parses nothing of the result.
   *
   * @param {Omit<ReviewInput, "manifests"> & { manifests: Files }} input
   */
  reviewAsText(input) {
    const manifests = listed(input.manifests);
    check(manifests.flatMap((it) => [it.text, it.old]));
    const text = JSON.stringify({ ...input, manifests });
    const inner = this.#open();
    const [json, details] = guarded(() => inner.review(text, Date.now()));
    return { json: /** @type {string} */ (json), details: /** @type {string} */ (details) };
  }

  /**
   * Predicts the maintenance of the Shoots in the manifests, or else of those in the garden.
   *
   * @param {Omit<ForecastInput, "manifests"> & { manifests?: Files }} [input]
   * @returns {ForecastDocument}
   */
  forecast(input = {}) {
    const manifests = listed(input.manifests);
    check(manifests.flatMap((it) => [it.text, it.old]));
    const inner = this.#open();
    return JSON.parse(guarded(() => inner.forecast(JSON.stringify({ ...input, manifests }), Date.now())));
  }

  /**
   * Returns the documentation of the field at a cursor.
   *
   * @param {CursorInput} input
   * @returns {HoverText | null}
   */
  hover(input) {
    check([input.text]);
    const inner = this.#open();
    return JSON.parse(guarded(() => inner.hover(JSON.stringify(input), Date.now())));
  }

  /**
   * Returns proposals for the field or value at a cursor.
   *
   * @param {CursorInput} input
   * @returns {CompletionList}
   */
  complete(input) {
    check([input.text]);
    const inner = this.#open();
    return JSON.parse(guarded(() => inner.complete(JSON.stringify(input), Date.now())));
  }

  /** Releases the memory. */
  free() {
    if (this.#inner !== null && this.#instance === instance) this.#inner.free();
    this.#inner = null;
    this.#input = "";
  }
}

/** The loaded module. */
export class Gate {
  /** The versions of garden-gate and Gardener, and the ids of all rules. @type {Versions} */
  versions;

  constructor() {
    this.versions = JSON.parse(guarded(() => versions()));
  }

  /** The size of the module's memory in bytes, which does not shrink. */
  get memory() {
    return memorySize();
  }

  /**
   * Reads a garden, a user and a configuration for many reviews.
   *
   * @param {SessionInput} [input]
   */
  open(input = {}) {
    return new Session(input);
  }

  /**
   * Reviews manifests once.
   *
   * @param {Files} manifests
   * @param {Files | SessionInput["garden"]} [garden] its files; absent if nothing is known of it
   * @param {Omit<SessionInput, "garden"> & Omit<ReviewInput, "manifests">} [options]
   * @returns {Reviewed}
   */
  review(manifests, garden, options = {}) {
    const { at, origin, diff, ...session } = options;
    const opened = this.open(garden ? { ...session, garden: gardenOf(garden) } : session);
    try {
      return opened.review({ manifests, ...(at ? { at } : {}), ...(origin ? { origin } : {}), diff: diff ?? false });
    } finally {
      opened.free();
    }
  }

  /**
   * Returns the page of a rule, or those of the rules that report a finding.
   *
   * @param {string} id
   * @returns {RulePage[]}
   */
  explain(id) {
    return JSON.parse(guarded(() => explain(id)));
  }
}

/**
 * Returns a garden with the default name.
 *
 * @param {Files | NonNullable<SessionInput["garden"]>} garden
 * @returns {NonNullable<SessionInput["garden"]>}
 */
export function gardenOf(garden) {
  if (!Array.isArray(garden) && Array.isArray(/** @type {any} */ (garden).files)) return /** @type {any} */ (garden);
  return { name: "garden", files: /** @type {InputFile[]} */ (listed(/** @type {Files} */ (garden))) };
}

/**
 * Starts the compiled module.
 *
 * @param {BufferSource | WebAssembly.Module} module
 */
export async function start(module) {
  await init({ module_or_path: module });
  return new Gate();
}
