// @ts-check
import { html } from "./view.js";
import { string } from "./text.js";

/** @param {Intl.DateTimeFormatOptions} options */
const formatter = (options) => new Intl.DateTimeFormat("en-GB", options);
const days = formatter({ day: "numeric", month: "short", year: "numeric" });
const plainDays = formatter({ day: "numeric", month: "short", year: "numeric", timeZone: "UTC" });
const shortDays = formatter({ day: "numeric", month: "short" });
const shortYears = formatter({ month: "short", year: "numeric" });
const minutes = formatter({ weekday: "short", day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const shortMinutes = formatter({ day: "numeric", month: "short", year: "numeric", hour: "2-digit", minute: "2-digit" });
const clock = formatter({ hour: "2-digit", minute: "2-digit" });
export const DAY = 86_400_000;

/** The reader's time zone, such as `Europe/Berlin`. */
export const readerZone = Intl.DateTimeFormat().resolvedOptions().timeZone ?? "UTC";

/** Returns milliseconds, or undefined if the string is not a time. @param {unknown} time */
export function parseTime(time) {
  const value = Date.parse(string(time));
  return Number.isNaN(value) ? undefined : value;
}

/** @param {unknown} time */
export function dayOf(time) {
  const value = parseTime(time);
  return value === undefined ? "not known" : days.format(value);
}

/** Formats a day and month for an axis. @param {number} time */
export function shortDay(time, hasYear = false) {
  return (hasYear ? shortYears : shortDays).format(time);
}

/** Formats a day such as `2026-12-12`, which has no zone. @param {unknown} day */
export function plainDay(day) {
  const value = parseTime(day);
  return value === undefined ? "not known" : plainDays.format(value);
}

/** @param {unknown} first @param {unknown} last */
export function dayRange(first, last) {
  const [a, b] = [parseTime(first), parseTime(last)];
  if (a === undefined || b === undefined || a === b) return plainDay(first ?? last);
  return plainDays.formatRange(a, b);
}

/** Formats the distance of two times in days. @param {unknown} time @param {unknown} from */
export function inDays(time, from) {
  const [a, b] = [parseTime(time), parseTime(from)];
  if (a === undefined || b === undefined) return "";
  const distance = Math.floor(a / DAY) - Math.floor(b / DAY);
  if (distance === 0) return "the same day";
  const unit = Math.abs(distance) === 1 ? "day" : "days";
  return distance > 0 ? `in ${distance} ${unit}` : `${-distance} ${unit} ago`;
}

/** Replaces times in a sentence by those of the reader's zone. @param {string} text */
export function localTimes(text) {
  return text.replace(/\b\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ/g, (time) => (parseTime(time) === undefined ? time : shortMinutes.format(parseTime(time))));
}

/** Shows a time in the reader's zone. @param {{ time: unknown, isShort?: boolean }} props */
export function Moment({ time, isShort = false }) {
  const value = parseTime(time);
  if (value === undefined) return html`<span class="dim">not known</span>`;
  return html`<time datetime=${string(time)}>${(isShort ? shortMinutes : minutes).format(value)}</time>`;
}

/** Shows the time of a run in the reader's zone, and in the zone of its window if that is another. @param {{ window: MaintenanceWindow }} props */
export function WindowTime({ window }) {
  const begin = parseTime(window.earliest ?? window.begin);
  const end = parseTime(window.latest);
  const local = string(window.local);
  if (begin === undefined) return html`<span>${local || "time not known"}</span>`;
  const text = end === undefined ? minutes.format(begin) : minutes.formatRange(begin, end);
  return html`<span class="moment"><time datetime=${new Date(begin).toISOString()}>${text}</time>${
    offsetOf(local) !== -new Date(begin).getTimezoneOffset() && local && html` <span class="dim">your time · </span><span class="nowrap dim">${local}</span>`
  }</span>`;
}

/** Formats a daily window such as `220000+0100`, in its zone and the reader's. @param {ShootDocument["maintenance"]} window @param {unknown} at */
export function dailyWindow(window, at) {
  const [begin, end] = [window?.begin, window?.end].map((it) => /^(\d\d)(\d\d)\d\d([+-]\d\d)(\d\d)$/.exec(string(it)));
  if (!begin || !end) return "not known";
  const own = `${begin[1]}:${begin[2]}–${end[1]}:${end[2]} UTC${begin[3]}:${begin[4]}`;
  const day = new Date(parseTime(at) ?? Date.now()).toISOString().slice(0, 10);
  const [from, to] = [begin, end].map((it) => parseTime(`${day}T${it[1]}:${it[2]}:00${it[3]}:${it[4]}`));
  if (from === undefined || to === undefined) return own;
  const isSame = offsetOf(`${begin[3]}:${begin[4]}`) === -new Date(from).getTimezoneOffset();
  return isSame ? own : `${own} (${clock.format(from)}–${clock.format(to)} your time)`;
}

/** Returns the offset from UTC at the end of a string in minutes. @param {string} text */
function offsetOf(text) {
  const [, sign, hours, rest] = /([+-])(\d\d):(\d\d)$/.exec(text) ?? [];
  if (hours === undefined) return text.endsWith("Z") ? 0 : undefined;
  return (sign === "-" ? -1 : 1) * (Number(hours) * 60 + Number(rest));
}
