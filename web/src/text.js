// @ts-check
import { html } from "./view.js";

/**
 * Returns an array, which is empty if the document has none.
 * @template T
 * @param {T[] | undefined | null} value
 * @returns {T[]}
 */
export function list(value) {
  return Array.isArray(value) ? value.filter((it) => it !== null && it !== undefined) : [];
}

/** Returns a string, which is empty if the document has none. @param {unknown} value */
export function string(value) {
  return typeof value === "string" ? value : typeof value === "number" ? String(value) : "";
}

/** @param {unknown} value */
export function integer(value) {
  return typeof value === "number" && Number.isFinite(value) ? value : 0;
}

const numbers = new Intl.NumberFormat("en");

/** @param {unknown} value */
export function number(value) {
  return numbers.format(integer(value));
}

/** Formats a number with its noun. @param {unknown} value @param {string} one @param {string} [many] */
export function counted(value, one, many = `${one}s`) {
  return `${number(value)} ${value === 1 ? one : many}`;
}

/** Replaces lone surrogates, which addresses cannot contain. @param {string} text */
export function wellFormed(text) {
  return text.replace(/[\ud800-\udfff]/gu, "\ufffd");
}

/** Compares names in natural order. */
export const compareNames = new Intl.Collator("en", { numeric: true }).compare;

/** Makes the first word of a sentence start with a capital letter, unless it is a name such as `shoot/…` or `1.31`. @param {string} text */
export function sentence(text) {
  return /^[a-z]+[ ,]/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

/** Joins strings without repetitions. @param {(string | undefined)[]} texts */
export function distinct(texts) {
  return [...new Set(texts.map(string).filter(Boolean))];
}

/** Shows a name, isolated from the direction of the text around it. @param {{ text: string | undefined, none?: string }} props */
export function Name({ text, none = "no name" }) {
  return string(text) === "" ? html`<span class="dim">(${none})</span>` : html`<bdi class="name">${string(text)}</bdi>`;
}
