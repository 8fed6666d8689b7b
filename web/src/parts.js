// @ts-check
import { html, useEffect, useState } from "./view.js";
import { counted, distinct, list, number, sentence, string } from "./text.js";
import { localTimes } from "./times.js";

/** The position to scroll to when the next page is shown; none for the first page. @type {{ top: number | undefined }} */
export const navigation = { top: undefined };

/** The heading of a page, which gets the focus after navigation. @param {{ title: View, children?: View }} props */
export function PageHead({ title, children }) {
  useEffect(() => {
    const heading = document.getElementById("title");
    document.title = `${heading?.textContent ?? ""} · garden-gate`;
    if (navigation.top === undefined) return;
    heading?.focus({ preventScroll: true });
    scrollTo({ top: navigation.top, behavior: "instant" });
    navigation.top = undefined;
  }, []);
  return html`<header class="page-head"><h1 tabindex="-1" id="title">${title}</h1>${children}</header>`;
}

/** A titled part of a page. @param {{ title: string, count?: number, id?: string, urgent?: boolean, children?: View }} props */
export function Section({ title, count, urgent = false, children }) {
  return html`<section class=${urgent ? "section urgent" : "section"}>
    <h2>${title}${count !== undefined && html` <span class="count">${number(count)}</span>`}</h2>
    ${children}
  </section>`;
}

/** Formats a message of the program: parts between backticks are code, and times are in the reader's zone. @param {{ text: string | undefined }} props */
export function Prose({ text }) {
  const parts = string(text).split("`");
  if (parts.length % 2 === 0) return html`<bdi>${string(text)}</bdi>`;
  return html`<bdi>${parts.map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : localTimes(part)))}</bdi>`;
}

/** Sentences, each once. @param {{ texts: (string | undefined)[] }} props */
export function Sentences({ texts }) {
  return distinct(texts).map((text) => html`<p><${Prose} text=${sentence(text)} /></p>`);
}

/** A message in place of something that cannot be shown. @param {{ title: string, children?: View }} props */
export function Message({ title, children }) {
  return html`<div class="message" role="alert"><p><strong>${title}</strong></p>${children}</div>`;
}

/**
 * Shows a document that is loading or failed, or the children. The title is for pages whose heading depends on the document.
 * @param {{ of: { value?: any, error?: Error }, title?: string, children: (value: any) => View }} props
 */
export function Loaded({ of, title, children }) {
  if (of.error) {
    return html`${title && html`<${PageHead} title=${title} />`}<${Message} title=${of.error.message}>
      <p>Reload the page. If that does not help, write or publish the site again; all its files must come from the same run.</p>
      <p><button type="button" onClick=${() => location.reload()}>Reload</button></p>
    <//>`;
  }
  return of.value ? children(of.value) : html`<p class="dim" role="status">Loading…</p>`;
}

/**
 * Shows one part of many items at a time, so that the page stays small.
 * @param {{ items: any[], size: number, label: string, children: (items: any[], first: number) => View }} props
 */
export function Paged({ items, size, label, children }) {
  const [page, setPage] = useState(0);
  const last = Math.max(0, Math.ceil(items.length / size) - 1);
  const first = Math.min(page, last) * size;
  const button = (/** @type {string} */ text, /** @type {number} */ to) =>
    html`<button type="button" disabled=${to < 0 || to > last} onClick=${() => setPage(to)}>${text}</button>`;
  return html`${children(items.slice(first, first + size), first)}
    ${last > 0 &&
    html`<div class="pager" role="group" aria-label=${label}>
      ${button("Previous", first / size - 1)}
      <span role="status">${number(first + 1)}–${number(Math.min(first + size, items.length))} of ${number(items.length)}</span>
      ${button("Next", first / size + 1)}
    </div>`}`;
}

/**
 * A small table, which becomes a list of cards on narrow screens.
 * @param {{ label: string, head: string[], rows: View[][], className?: string }} props
 */
export function Table({ label, head, rows, className = "" }) {
  // CSS changes the display of the elements, which would remove the roles of a table.
  return html`<table role="table" class=${className} aria-label=${label}>
    <thead role="rowgroup"><tr role="row">${head.map((it) => html`<th role="columnheader" scope="col">${it}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map(
      (cells) => html`<tr role="row">${cells.map((cell, at) => html`<td role="cell" data-head=${head[at]}>${cell}</td>`)}</tr>`,
    )}</tbody>
  </table>`;
}

/**
 * A table of which one part is shown at a time.
 * @param {{ items: any[], size: number, label: string, head: string[], cells: (item: any) => View[], className?: string }} props
 */
export function PagedTable({ items, size, label, head, cells, className }) {
  return html`<${Paged} items=${items} size=${size} label="Pages: ${label}">${(/** @type {any[]} */ shown) =>
    html`<${Table} label=${label} className=${className} head=${head} rows=${shown.map(cells)} />`}<//>`;
}

/** Pairs of a term and its value; those without a value are left out. @param {{ pairs: [string, View][] }} props */
export function Facts({ pairs }) {
  const shown = pairs.filter(([, value]) => value !== "" && value !== undefined && value !== false && value !== null);
  return html`<dl class="facts">${shown.map(([term, value]) => html`<div><dt>${term}</dt><dd>${value}</dd></div>`)}</dl>`;
}

/** A command with a button that copies it. @param {{ command: string }} props */
export function Command({ command }) {
  const [state, setState] = useState("Copy");
  const copy = () => {
    const done = () => setState("Copied");
    // Browsers have no clipboard on pages that are served by plain HTTP.
    const failed = () => setState("Select and copy it");
    navigator.clipboard ? navigator.clipboard.writeText(command).then(done, failed) : failed();
  };
  return html`<div class="command">
    <code>${command}</code><button type="button" onClick=${copy}><span role="status">${state}</span></button>
  </div>`;
}

const CHOICES = 60;

/**
 * A choice in the filters of a page; many values are a text field with suggestions.
 * @param {{ label: string, value: string | undefined, values: [string, string][], onChange: (value: string) => void }} props
 */
export function Choice({ label, value = "", values, onChange }) {
  const change = (/** @type {any} */ event) => onChange(event.currentTarget.value);
  if (values.length > CHOICES) {
    const matching = values.filter(([it]) => it !== "" && it.toLowerCase().includes(value.toLowerCase())).slice(0, CHOICES);
    const id = `values-${label.toLowerCase()}`;
    return html`<label><span>${label}</span>
      <input type="search" list=${id} value=${value} placeholder="all" autocomplete="off" spellcheck=${false} onInput=${change} />
      <datalist id=${id}>${matching.map(([it]) => html`<option value=${it}></option>`)}</datalist>
    </label>`;
  }
  const known = values.some(([it]) => it === value) ? values : [...values, /** @type {[string, string]} */ ([value, value])];
  return html`<label><span>${label}</span>
    <select value=${value} onChange=${change}>${known.map(([it, text]) => html`<option value=${it} selected=${it === value}>${text}</option>`)}</select>
  </label>`;
}

/**
 * Returns a filter for a value of `Choice`: equal if it is a name, or else contained.
 * @param {string[]} names @param {string | undefined} wanted @returns {(name: string | undefined) => boolean}
 */
export function nameFilter(names, wanted) {
  if (!wanted) return () => true;
  if (names.includes(wanted)) return (name) => name === wanted;
  const part = wanted.toLowerCase();
  return (name) => string(name).toLowerCase().includes(part);
}

/** A part that is in the page only while it is open. @param {{ title: string, children: () => View }} props */
export function Fold({ title, children }) {
  const [isOpen, setOpen] = useState(false);
  return html`<details onToggle=${(/** @type {any} */ event) => setOpen(event.currentTarget.open)}><summary>${title}</summary>${isOpen && children()}</details>`;
}

/** A filter by text. @param {{ label: string, value: string | undefined, onInput: (value: string) => void }} props */
export function TextFilter({ label, value = "", onInput }) {
  return html`<label class="text-filter"><span>${label}</span>
    <input type="search" value=${value} spellcheck=${false} autocomplete="off" onInput=${(/** @type {any} */ event) => onInput(event.currentTarget.value)} />
  </label>`;
}

/**
 * The number of rows that match the filters, and a button that removes these.
 * @param {{ count: number, all: number, noun: string, isFiltered: boolean, isVirtual?: boolean, onReset: () => void }} props
 */
export function Matches({ count, all, noun, isFiltered, isVirtual = true, onReset }) {
  return html`<p class="matches">
    <span role="status">${count === all ? counted(all, noun) : `${number(count)} of ${counted(all, noun)}`}</span>
    ${isFiltered && html`<button type="button" class="plain" onClick=${onReset}>Show all</button>`}
    ${isVirtual && count > 40 && html`<span class="dim">Find in page sees only the rows on the screen: use the filters.</span>`}
  </p>`;
}

/** Returns whether a text contains all words, without regard to case. @param {string} text @param {string | undefined} words */
export function hasWords(text, words = "") {
  return words.toLowerCase().split(/\s+/).every((it) => text.includes(it));
}

/** The sorted distinct values of a filter, after a choice for all. @param {string} all @param {string[]} values @returns {[string, string][]} */
export function choices(all, values) {
  const sorted = distinct(values).sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  return [["", all], ...sorted.map((it) => /** @type {[string, string]} */ ([it, it]))];
}

/** The remedy of a finding. @param {{ text: string | undefined }} props */
export function Fix({ text }) {
  return string(text) && html`<p><strong>Fix:</strong> <${Prose} text=${sentence(string(text))} /></p>`;
}

/** Entries that the program could not determine, equal ones once. @param {{ entries: Undetermined[] | undefined }} props */
export function UnknownList({ entries }) {
  const messages = list(entries).map((it) => string(it.message) || "no reason is given");
  const rows = distinct(messages).map((message) => {
    const same = list(entries).filter((it) => (string(it.message) || "no reason is given") === message);
    return { message, same };
  });
  return html`<${Paged} items=${rows} size=${10} label="Pages of entries that are not known">
    ${(/** @type {typeof rows} */ shown) => html`<ul class="plain-list">${shown.map(
      ({ message, same }) => html`<li>
        <strong>Not known</strong>${same.length > 1 && ` (${counted(same.length, "field")})`}: <${Prose} text=${message} />
        <span class="dim"> · ${distinct([...same.map((it) => it.field), ...same.map((it) => it.rule)]).slice(0, 6).join(" · ")}</span>
      </li>`,
    )}</ul>`}
  <//>`;
}
