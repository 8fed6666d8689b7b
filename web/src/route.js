// @ts-check
import { string, wellFormed } from "./text.js";

/** Parses the part of an address after `#`. @param {string} hash @returns {Route} */
export function parseRoute(hash) {
  const [path = "", query = ""] = split(hash.replace(/^#?\/?/, ""), "?");
  const [page = "", ...rest] = path.split("/").map(decode);
  return { page, path: rest, query: Object.fromEntries(new URLSearchParams(query)) };
}

/**
 * Formats an address; empty values of the query are left out.
 * @param {string} page @param {(string | undefined)[]} [path] @param {Record<string, string>} [query]
 */
export function address(page, path = [], query = {}) {
  const parts = [page, ...path].map((it) => encodeURIComponent(wellFormed(string(it))));
  const values = Object.entries(query).filter(([, value]) => value !== "");
  const text = new URLSearchParams(values).toString();
  return `#/${parts.join("/")}${text && `?${text}`}`;
}

/** Returns the address of a rule, whose id contains a slash. @param {string | undefined} rule */
export function ruleAddress(rule) {
  return address("rule", string(rule).split("/"));
}

/** @param {string} text @param {string} mark */
function split(text, mark) {
  const at = text.indexOf(mark);
  return at < 0 ? [text] : [text.slice(0, at), text.slice(at + 1)];
}

/** @param {string} text */
function decode(text) {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}
