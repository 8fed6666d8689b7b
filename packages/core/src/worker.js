// SPDX-License-Identifier: Apache-2.0
// A module worker that answers the messages of `client.js`.
import { load } from "./index.js";

/** @import { Session } from "./gate.js" */

/** @type {Map<number, Session>} */
const sessions = new Map();

/**
 * @typedef {object} Call
 * @property {number} id the number of the call
 * @property {"open" | "free" | "explain" | "versions" | "problems" | "review" | "forecast" | "hover" | "complete"} method
 * @property {number} session the number of the session; 0 for calls without one
 * @property {any} input
 */

/** @param {Call} call */
async function answer({ method, session: number, input }) {
  const gate = await load();
  if (method === "versions") return gate.versions;
  if (method === "explain") return gate.explain(input);
  if (method === "open") {
    sessions.set(number, gate.open(input));
    return null;
  }
  const session = sessions.get(number);
  if (session === undefined) throw new Error("the session has been freed");
  switch (method) {
    case "free":
      sessions.delete(number);
      return session.free();
    case "problems":
      return session.problems;
    default:
      return session[method](input);
  }
}

addEventListener("message", async (/** @type {MessageEvent<Call>} */ { data }) => {
  try {
    postMessage({ id: data.id, result: await answer(data) });
  } catch (error) {
    postMessage({ id: data.id, error: error instanceof Error ? error.message : String(error) });
  }
});
