// SPDX-License-Identifier: Apache-2.0
/** @import { Details, Marker, ForecastDocument } from "./types.js" */
import { h } from "./dom.js";

const WORDS = { allowed: "accepted", denied: "refused", undetermined: "undetermined" };
const WEIGHTS = { error: "Refused", warning: "Warning", info: "Note" };

/**
 * The verdict and the findings.
 *
 * @param {Details} details
 * @param {{ lineOf: (marker: Marker) => number, select: (marker: Marker) => void, fix: (marker: Marker) => void, page: (rule: string) => void }} actions
 */
export function findings(details, actions) {
  const objects = details.objects.map((it) => h("p", { className: `verdict verdict-${it.verdict}` }, h("strong", {}, WORDS[/** @type {keyof typeof WORDS} */ (it.verdict)] ?? it.verdict), ` ${it.heading}`));
  const items = details.markers.map((it) => h("li", { className: `finding finding-${it.severity}` },
    h("button", { type: "button", className: "plain where", click: () => actions.select(it) }, `Line ${actions.lineOf(it)}`),
    h("span", { className: "weight" }, it.undetermined ? "Undetermined" : WEIGHTS[it.severity]),
    h("div", { className: "said" }, ...it.message.split("\n").map((line) => h("p", {}, line)),
      it.rule ? h("button", { type: "button", className: "plain", click: () => actions.page(it.rule) }, it.id) : null,
      it.fix ? h("button", { type: "button", click: () => actions.fix(it) }, `Fix: ${it.fix.title}`) : null)));
  const notes = details.notes.map((it) => h("li", {}, it));
  const isQuiet = items.length === 0 && notes.length === 0;
  return h("div", {},
    ...(objects.length > 0 ? objects : [h("p", {}, "No object to judge: write a manifest of Gardener.")]),
    isQuiet && objects.length > 0 ? h("p", { className: "dim" }, "No findings.") : null,
    items.length > 0 ? h("ul", { className: "findings" }, ...items) : null,
    notes.length > 0 ? h("ul", { className: "dim" }, ...notes) : null);
}

/**
 * The stored form as a diff.
 *
 * @param {Details} details
 */
export function stored(details) {
  const diffs = details.objects.map((it) => it.diff).filter(Boolean);
  if (diffs.length === 0) return h("p", { className: "dim" }, "Gardener would store the object as it is, or the object is refused.");
  return h("div", {}, ...diffs.map((diff) => h("pre", { className: "diff", tabIndex: 0 }, ...diff.trimEnd().split("\n").map((line) => {
    const kind = line.startsWith("+") ? "ins" : line.startsWith("-") ? "del" : "span";
    return h(kind, {}, `${line}\n`);
  }))));
}

/**
 * The forecast as a timeline, with a table.
 *
 * @param {ForecastDocument} document
 */
export function timeline(document) {
  if (!("shoots" in document) || !("notForecast" in document)) return h("p", {}, "There is no forecast.");
  const [from, until] = [Date.parse(document.at), Date.parse(document.until)];
  const part = (/** @type {string} */ time) => `${(100 * (Date.parse(time) - from)) / (until - from)}%`;
  const day = (/** @type {string} */ time) => time.slice(0, 10);
  const missing = document.notForecast.map((it) => h("p", {}, `No forecast for ${it.namespace}/${it.name}: ${it.why}`));
  const shoots = document.shoots.map((shoot) => {
    const marks = shoot.windows.map((it) => h("span", { className: `mark mark-${it.status}`, style: `left: ${part(it.begin)}`, title: `${day(it.begin)}: ${it.status}` }));
    const rows = shoot.windows.flatMap((it) => it.events.map((event) => h("tr", {},
      h("td", { className: "nowrap" }, day(it.begin)),
      h("td", {}, [event.pool ?? event.field ?? event.part, event.image].filter(Boolean).join(" ")),
      h("td", {}, `${event.from} → ${event.to ?? "nothing"}`),
      h("td", {}, it.status === "scheduled" ? event.class : it.status.replaceAll("-", " ")),
      h("td", {}, event.cause, ...(it.blockedBy ?? []).map((by) => h("p", {}, `${by.message} (${by.rule})`))))));
    return h("section", {},
      h("h3", {}, `${shoot.namespace}/${shoot.name}`),
      h("div", { className: "timeline", "aria-hidden": "true" }, ...marks),
      h("p", { className: "dim axis-text" }, h("span", {}, day(document.at)), h("span", {}, day(document.until))),
      rows.length === 0 ? h("p", { className: "dim" }, "Maintenance changes nothing in this period.")
        : h("table", {}, h("thead", {}, h("tr", {}, ...["Window", "Part", "Change", "Type", "Reason"].map((it) => h("th", {}, it)))), h("tbody", {}, ...rows)),
      ...shoot.remarks.map((it) => h("p", { className: "dim" }, it)));
  });
  if (shoots.length + missing.length === 0) return h("p", { className: "dim" }, "There is no Shoot to forecast.");
  return h("div", {}, ...shoots, ...missing);
}
