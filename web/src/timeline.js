// @ts-check
import { html } from "./view.js";
import { counted, distinct, list, string } from "./text.js";
import { DAY, dayOf, parseTime, shortDay } from "./times.js";
import { groupBy, partOf, poolsText } from "./actions.js";
import { Fold, PagedTable } from "./parts.js";


const TRACKS = 30;

/** @typedef {{ from: number, until: number }} Span */

/** Returns the time span of a chart, 90 days if the document has no end. @param {unknown} at @param {unknown} until @returns {Span} */
export function spanOf(at, until) {
  const from = parseTime(at) ?? Date.now();
  const end = parseTime(until) ?? from + 90 * DAY;
  return { from, until: Math.max(end, from + DAY) };
}

/** @param {Span} span @param {number} time */
function percent({ from, until }, time) {
  return Math.min(100, Math.max(0, ((time - from) / (until - from)) * 100));
}

/** The dates above a chart. @param {{ span: Span }} props */
export function Axis({ span }) {
  const step = [7, 14, 30, 60, 90, 180, 365].find((it) => (span.until - span.from) / (it * DAY) <= 7) ?? 730;
  const ticks = [];
  for (let time = span.from; time < span.until - (step / 3) * DAY; time += step * DAY) ticks.push(time);
  return html`<svg class="axis" aria-hidden="true">${ticks.map((it) => html`<g><line x1="${percent(span, it)}%" x2="${percent(span, it)}%" y1="0" y2="100%" />
    <svg x="${percent(span, it)}%" overflow="visible"><text x="5" y="17">${shortDay(it, step >= 180)}</text></svg></g>`)}</svg>`;
}

/** @typedef {{ from: number, until: number, stage: string, version: string }} Band */

/** @param {Stage[] | undefined} stages @param {Span} span @returns {Band[]} */
export function bandsOf(stages, span) {
  const known = list(stages);
  const bands = known.map((it, at) => {
    const next = parseTime(known[at + 1]?.from) ?? span.until;
    const from = Math.max(span.from, parseTime(it.from) ?? span.from);
    return { from, until: Math.min(span.until, next), stage: string(it.stage) || "not listed", version: string(it.version) };
  });
  return bands.filter((it) => it.until > it.from);
}

/** The stages of one version, with marks of windows. @param {{ bands: Band[], span: Span, lines?: number[], deadEnd?: number }} props */
export function Track({ bands, span, lines = [], deadEnd }) {
  return html`<svg class="track" aria-hidden="true">${bands.map(({ from, until, stage, version }) => {
      const [x, width] = [percent(span, from), percent(span, until) - percent(span, from)];
      const texture = stage === "expired" || stage === "deprecated";
      return html`<svg x="${x}%" width="${width}%" class="band">
        <rect class="stage-${stage.replace(/\W/g, "-")}" width="100%" height="100%" />${texture && html`<rect fill="url(#${stage})" width="100%" height="100%" />`}
        ${width > 4 && html`<text x="6" y="16">${version && `${version} `}${stage}</text>`}
      </svg>`;
    })}
    ${lines.map((it) => html`<line class="cut" x1="${percent(span, it)}%" x2="${percent(span, it)}%" y1="0" y2="100%" />`)}
    ${deadEnd !== undefined && html`<${Mark} x=${percent(span, deadEnd)} kind="impossible" />`}
  </svg>`;
}

/** The mark of a window: its shape shows the kind. @param {{ x: number, kind: string }} props */
function Mark({ x, kind }) {
  const shapes = /** @type {Record<string, View>} */ ({
    regular: html`<circle r="5.5" />`,
    forced: html`<circle r="6.5" />`,
    blocked: html`<rect x="-5.5" y="-5.5" width="11" height="11" />`,
    impossible: html`<rect x="-5.5" y="-5.5" width="11" height="11" transform="rotate(45)" />`,
  });
  return html`<svg x="${x}%" y="50%" overflow="visible"><g class="mark mark-${kind}">${shapes[kind]}</g></svg>`;
}

/** @param {MaintenanceWindow} window */
export function windowKind(window) {
  const classes = list(window.events).map((it) => it.class);
  if (window.status === "blocked") return "blocked";
  if (window.status === "no-update-possible" || classes.includes("no update possible")) return "impossible";
  return classes.includes("forced") ? "forced" : "regular";
}

const kindTexts = /** @type {Record<string, string>} */ ({
  regular: "regular update", forced: "forced update", blocked: "run refused by a rule", impossible: "no update possible",
});

/** The mark of a kind of window, with its words. @param {{ kind: string }} props */
export function KindKey({ kind }) {
  return html`<span class="key"><svg class="key-mark" width="18" height="18" aria-hidden="true"><${Mark} x=${50} kind=${kind} /></svg>${kindTexts[kind]}</span>`;
}

/** Patterns that make stages differ without colours; once in a page. */
export function Patterns() {
  return html`<svg class="patterns" width="0" height="0" aria-hidden="true"><defs>
    <pattern id="deprecated" width="8" height="8" patternUnits="userSpaceOnUse"><circle class="pattern" cx="2" cy="2" r="1" /></pattern>
    <pattern id="expired" width="7" height="7" patternUnits="userSpaceOnUse" patternTransform="rotate(45)"><rect class="pattern" width="2" height="7" /></pattern>
  </defs></svg>`;
}

/** The versions of a Shoot over time, its windows, and the same as a table. @param {{ forecast: Forecast, span: Span }} props */
export function Timeline({ forecast, span }) {
  const rows = groupBy(list(forecast.targets).filter((it) => list(it.stages).length > 0), (it) => JSON.stringify([partOf(it), it.version, it.stages]));
  const tracks = rows.map((same) => ({ title: partOf(same[0] ?? {}), where: placesOf(same), bands: bandsOf(same[0]?.stages, span) }));
  const windows = list(forecast.windows).map((it, at) => ({ number: at + 1, kind: windowKind(it), time: parseTime(it.begin ?? it.earliest) ?? span.from }));
  const kinds = distinct(windows.map((it) => it.kind));
  const stages = tracks.flatMap(({ title, where, bands }) => bands.map((it) => ({ ...it, part: `${title}, ${where}` })));
  const cells = (/** @type {(typeof stages)[0]} */ it) => [it.part, it.version, it.stage, dayOf(new Date(it.from).toISOString()), dayOf(new Date(it.until).toISOString())];
  let labelled = -Infinity;
  const marks = windows.filter((it) => it.time <= span.until).map((it) => {
    const x = percent(span, it.time);
    const hasNumber = x - labelled > 3;
    if (hasNumber) labelled = x;
    return html`<${Mark} x=${x} kind=${it.kind} />
      ${hasNumber && html`<svg x="${x}%" y="50%" overflow="visible"><text class="number" y="-9">${it.number}</text></svg>`}`;
  });
  return html`<div class="chart" role="img" aria-label="Versions and maintenance windows over time; the table below has the same content">
      <div class="chart-row chart-axis"><span></span><${Axis} span=${span} /></div>
      <div class="chart-row chart-windows"><span class="label">Windows</span><svg class="track" aria-hidden="true">${marks}</svg></div>
      ${tracks.slice(0, TRACKS).map((it) => html`<div class="chart-row">
        <span class="label"><bdi>${it.title}</bdi> <span class="dim"><bdi>${it.where}</bdi></span></span>
        <${Track} bands=${it.bands} span=${span} lines=${windows.map(({ time }) => time)} />
      </div>`)}
    </div>
    <p class="legend">${kinds.map((kind) => html`<${KindKey} kind=${kind} />`)}<span class="dim">Numbers are those of the windows below.</span></p>
    ${tracks.length > TRACKS && html`<p>${counted(tracks.length - TRACKS, "more version")} in the table.</p>`}
    <${Fold} title="The timeline as a table">${() => html`<${PagedTable} label="Versions over time" items=${stages} size=${30} head=${["Part", "Version", "Stage", "From", "Until"]} cells=${cells} />`}<//>`;
}

/** @param {Target[]} targets */
function placesOf(targets) {
  const pools = distinct(targets.filter((it) => it.part !== "control-plane").map((it) => it.pool));
  const parts = [targets.some((it) => it.part === "control-plane") ? "control plane" : "", pools.length > 0 ? poolsText(pools) : ""];
  return parts.filter(Boolean).join(", ");
}
