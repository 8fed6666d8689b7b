// SPDX-License-Identifier: Apache-2.0
/** @import { CompletionList, CursorInput, ForecastDocument, ForecastInput, HoverText, ReviewInput, RulePage, SessionInput, Versions } from "./types.js" */
/** @import { Files, Reviewed } from "./gate.js" */

/**
 * Starts a worker with the module.
 *
 * @param {Worker} [worker] a worker that runs `@garden-gate/core/worker`; by default a new one
 */
export function connect(worker = new Worker(new URL("./worker.js", import.meta.url), { type: "module" })) {
  return new Client(worker);
}

/** The module in a worker. Its methods are those of `Gate`, and return promises. */
export class Client {
  #worker;
  #last = 0;
  /** @type {Map<number, { resolve: (value: any) => void, reject: (error: Error) => void }>} */
  #open = new Map();

  /** @param {Worker} worker */
  constructor(worker) {
    this.#worker = worker;
    worker.addEventListener("message", ({ data }) => {
      const call = this.#open.get(data.id);
      this.#open.delete(data.id);
      if (data.error === undefined) call?.resolve(data.result);
      else call?.reject(new Error(data.error));
    });
    worker.addEventListener("error", (event) => {
      const error = new Error(event.message || "the worker cannot be started");
      for (const call of this.#open.values()) call.reject(error);
      this.#open.clear();
    });
  }

  /**
   * Calls a method in the worker.
   *
   * @param {string} method
   * @param {number} session
   * @param {unknown} [input]
   * @returns {Promise<any>}
   */
  call(method, session, input) {
    const id = ++this.#last;
    return new Promise((resolve, reject) => {
      this.#open.set(id, { resolve, reject });
      this.#worker.postMessage({ id, method, session, input });
    });
  }

  /** @returns {Promise<Versions>} */
  versions() {
    return this.call("versions", 0);
  }

  /**
   * @param {string} id
   * @returns {Promise<RulePage[]>}
   */
  explain(id) {
    return this.call("explain", 0, id);
  }

  /**
   * Reads a garden, a user and a configuration for many reviews.
   *
   * @param {SessionInput} [input]
   */
  async open(input = {}) {
    const number = ++this.#last;
    await this.call("open", number, input);
    return new RemoteSession(this, number);
  }

  /** Ends the worker. */
  close() {
    this.#worker.terminate();
    for (const call of this.#open.values()) call.reject(new Error("the worker has been closed"));
    this.#open.clear();
  }
}

/** A session in a worker. Its methods are those of `Session`, and return promises. */
export class RemoteSession {
  #client;
  #number;

  /**
   * @param {Client} client
   * @param {number} number
   */
  constructor(client, number) {
    this.#client = client;
    this.#number = number;
  }

  /** @returns {Promise<string[]>} */
  problems() {
    return this.#client.call("problems", this.#number);
  }

  /**
   * @param {Omit<ReviewInput, "manifests"> & { manifests: Files }} input
   * @returns {Promise<Reviewed>}
   */
  review(input) {
    return this.#client.call("review", this.#number, input);
  }

  /**
   * @param {Omit<ForecastInput, "manifests"> & { manifests?: Files }} [input]
   * @returns {Promise<ForecastDocument>}
   */
  forecast(input = {}) {
    return this.#client.call("forecast", this.#number, input);
  }

  /**
   * @param {CursorInput} input
   * @returns {Promise<HoverText | null>}
   */
  hover(input) {
    return this.#client.call("hover", this.#number, input);
  }

  /**
   * @param {CursorInput} input
   * @returns {Promise<CompletionList>}
   */
  complete(input) {
    return this.#client.call("complete", this.#number, input);
  }

  /** Releases the memory. */
  async free() {
    await this.#client.call("free", this.#number);
  }
}
