// @ts-check
// The subset of Markdown of rule pages. Every string becomes text, never markup.
import { html } from "./view.js";
import { ruleAddress } from "./route.js";

const item = /^(\s*)(?:[-*+]|\d+[.)])\s+(.*)$/;
const isBlockStart = (/** @type {string} */ line) => /^(#{1,6}\s|```|\|)/.test(line) || item.test(line);

/** @param {{ text: string }} props */
export function Markdown({ text }) {
  const lines = text.split("\n");
  const blocks = [];
  let at = 0;
  const take = (/** @type {(line: string) => boolean} */ matches) => {
    const start = at;
    while (at < lines.length && matches(lines[at] ?? "")) at += 1;
    return lines.slice(start, at);
  };
  while (at < lines.length) {
    const line = lines[at] ?? "";
    const heading = /^(#{1,6})\s+(.*)$/.exec(line);
    if (line.trim() === "") {
      at += 1;
    } else if (line.startsWith("```")) {
      at += 1;
      const code = take((it) => !it.startsWith("```"));
      at += 1;
      blocks.push(html`<pre tabindex="0"><code>${code.join("\n")}</code></pre>`);
    } else if (heading) {
      at += 1;
      blocks.push(headingOf(heading[1]?.length ?? 1, heading[2] ?? ""));
    } else if (line.startsWith("|")) {
      blocks.push(tableOf(take((it) => it.startsWith("|"))));
    } else if (item.test(line)) {
      blocks.push(listOf(take((it) => item.test(it) || /^\s+\S/.test(it))));
    } else {
      at += 1;
      blocks.push(html`<p>${inline([line, ...take((it) => it.trim() !== "" && !isBlockStart(it))].join(" "))}</p>`);
    }
  }
  return html`<div class="markdown">${blocks}</div>`;
}

/** @param {number} level @param {string} text */
function headingOf(level, text) {
  // The title of the page is its heading of level 1.
  if (level === 1) return null;
  return level === 2 ? html`<h2>${inline(text)}</h2>` : html`<h3>${inline(text)}</h3>`;
}

/** @param {string[]} lines */
function tableOf(lines) {
  const cells = (/** @type {string} */ line) => line.replace(/^\||\|\s*$/g, "").split(/(?<!\\)\|/).map((it) => it.trim().replaceAll("\\|", "|"));
  const [head = "", , ...rows] = lines;
  const heads = cells(head);
  return html`<table role="table">
    <thead role="rowgroup"><tr role="row">${heads.map((it) => html`<th role="columnheader" scope="col">${inline(it)}</th>`)}</tr></thead>
    <tbody role="rowgroup">${rows.map((row) => html`<tr role="row">
      ${cells(row).map((it, at) => html`<td role="cell" data-head=${heads[at]?.replaceAll("`", "")}>${inline(it)}</td>`)}
    </tr>`)}</tbody>
  </table>`;
}

/** @param {string[]} lines */
function listOf(lines) {
  /** @type {string[]} */
  const items = [];
  for (const line of lines) {
    const [, , text] = item.exec(line) ?? [];
    if (text === undefined) items.push(`${items.pop() ?? ""} ${line.trim()}`);
    else items.push(text);
  }
  const entries = items.map((it) => html`<li>${inline(it)}</li>`);
  return /^\s*\d/.test(lines[0] ?? "") ? html`<ol>${entries}</ol>` : html`<ul>${entries}</ul>`;
}

/** @param {string} text @returns {View[]} */
function inline(text) {
  const parts = [];
  const pattern = /(`+)(.+?)\1|\*\*(.+?)\*\*|(?<![\w*])[*_](\S(?:.*?\S)?)[*_](?![\w*])|\[([^\]]*)\]\(([^()\s]*)\)/g;
  let end = 0;
  for (const match of text.matchAll(pattern)) {
    const [all, , code, strong, emphasis, label, target] = match;
    parts.push(text.slice(end, match.index));
    end = match.index + all.length;
    if (code !== undefined) parts.push(html`<code>${code}</code>`);
    else if (strong !== undefined) parts.push(html`<strong>${inline(strong)}</strong>`);
    else if (emphasis !== undefined) parts.push(html`<em>${inline(emphasis)}</em>`);
    else parts.push(linkOf(label ?? "", target ?? ""));
  }
  return [...parts, text.slice(end)];
}

/** Links the web and other rules; other targets are files that this site does not have. @param {string} label @param {string} target */
function linkOf(label, target) {
  const rule = /(?:^|\/)([a-z0-9-]+\/[a-z0-9-]+)\.md(?:#.*)?$/.exec(target)?.[1];
  if (/^https?:\/\//i.test(target)) return html`<a href=${target} rel="noreferrer">${inline(label)}</a>`;
  const isRule = rule && !/(how-to|reference|explanation|tutorials|development)\//.test(target);
  return isRule ? html`<a href=${ruleAddress(rule)}>${inline(label)}</a>` : html`${inline(label)}`;
}
