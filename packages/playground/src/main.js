// SPDX-License-Identifier: Apache-2.0
/** @import { Marker } from "./types.js" */
/** @import { Input } from "./state.js" */
import { yaml } from "@codemirror/lang-yaml";
import { Compartment, EditorState } from "@codemirror/state";
import { basicSetup, EditorView } from "codemirror";
import { connect } from "@garden-gate/core/client";
import { gardenGate, refresh, rendered } from "@garden-gate/codemirror";
import { h, tabs } from "./dom.js";
import { decoded, EMPTY, encoded, valid } from "./state.js";
import { findings, stored, timeline } from "./verdict.js";
import "../../../web/base.css";
import "../../../web/site.css";
import "./playground.css";

const FILE = "manifest.yaml";
const client = connect();

/** @type {Input} */
let input = { ...EMPTY };
/** The session for the garden, the user and the options of `input`. @type {import("@garden-gate/core/client").RemoteSession | null} */
let session = null;
/** Counts changes of the garden, so that only the newest one is used. */
let newest = 0;

const status = h("p", { role: "status", className: "dim" });
const problem = h("div", { role: "alert" });
const verdict = h("div", { className: "scroll" });
const diff = h("div", { className: "scroll" });
const forecast = h("div", { className: "scroll" });
const page = h("div", { className: "scroll" });

/** Shows an error, or removes it. @param {unknown} error */
function report(error) {
  const message = error instanceof Error ? error.message : error;
  problem.replaceChildren(...(message ? [h("p", { className: "message" }, String(message))] : []));
}

/**
 * An editor for a text.
 *
 * @param {string} label
 * @param {(text: string) => void} onChange
 * @param {import("@codemirror/state").Extension} [more]
 */
function editor(label, onChange, more = []) {
  const listener = EditorView.updateListener.of((update) => {
    if (update.docChanged && !update.transactions.some((it) => it.isUserEvent("load"))) onChange(update.state.doc.toString());
  });
  const attributes = EditorView.contentAttributes.of({ "aria-label": label, tabindex: "0" });
  const view = new EditorView({ extensions: [basicSetup, yaml(), attributes, listener, more] });
  /** @param {string} text */
  const load = (text) => view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: text }, userEvent: "load" });
  return { view, load, element: h("div", { className: "editor" }, view.dom) };
}

const old = new Compartment();
const options = () => ({ session: () => session, file: FILE, delay: 30, ...(input.before ? { old: input.before } : {}), ...(input.at ? { at: input.at } : {}) });
const after = editor("Manifest", (text) => {
  input.after = text;
  judge();
}, [old.of(gardenGate(options())), EditorState.tabSize.of(2)]);
const before = editor("Manifest before the change", (text) => {
  input.before = text;
  configured();
});
let file = 0;
const garden = editor("File of the garden", (text) => {
  const chosen = input.garden[file];
  if (chosen) chosen.text = text;
  else input.garden.push({ name: "garden/garden.yaml", text });
  later();
});
const policies = editor("GardenPolicies", (text) => {
  input.policies = text;
  later();
});

/** Gives the editor the options of the input, and reviews again. */
function configured() {
  after.view.dispatch({ effects: old.reconfigure(gardenGate(options())) });
  refresh(after.view);
  judge();
}

let timer = 0;
/** Reads the garden again when the keyboard rests. */
function later() {
  clearTimeout(timer);
  timer = window.setTimeout(open, 300);
}

/** Reads the garden, the user and the options. */
async function open() {
  const number = ++newest;
  try {
    const opened = await client.open({
      ...(input.garden.length > 0 ? { garden: { name: "garden", files: input.garden, whole: input.whole } } : {}),
      policies: input.policies.trim() ? [{ name: "policies.yaml", text: input.policies }] : [],
      ...(input.user ? { user: input.user } : {}),
      groups: input.groups.split(",").map((it) => it.trim()).filter(Boolean),
      ...(input.profile ? { profile: /** @type {"gardener"} */ (input.profile) } : {}),
      ...(input.gardenerVersion ? { gardenerVersion: input.gardenerVersion } : {}),
    });
    const problems = await opened.problems();
    if (number !== newest) return void opened.free();
    const last = session;
    session = opened;
    await last?.free();
    report(problems.length > 0 ? `Parts of the garden cannot be read, and are unknown: ${problems.join("; ")}` : null);
    configured();
  } catch (error) {
    if (number === newest) report(error);
  }
}

/** The number of the last review, so that only its result is shown. */
let review = 0;

/** Shows the verdict, the stored form and the forecast. */
async function judge() {
  const number = ++review;
  if (session === null) return;
  const manifest = { name: FILE, text: input.after, ...(input.before ? { old: input.before } : {}) };
  const at = input.at ? { at: input.at } : {};
  try {
    const { details } = await session.review({ manifests: [manifest], diff: true, ...at });
    if (number !== review) return;
    const lineOf = (/** @type {Marker} */ it) => after.view.state.doc.lineAt(Math.min(it.from, after.view.state.doc.length)).number;
    verdict.replaceChildren(findings(details, { lineOf, select, fix, page: explain }));
    diff.replaceChildren(stored(details));
    const foreseen = await session.forecast({ manifests: [{ name: FILE, text: input.after }], ...at, days: 365 });
    if (number !== review) return;
    forecast.replaceChildren(timeline(foreseen));
    document.documentElement.dataset.reviewed = String(number);
  } catch (error) {
    if (number === review) report(error);
  }
}

/** @param {Marker} marker */
function select(marker) {
  manifests.show(0);
  const end = after.view.state.doc.length;
  after.view.dispatch({ selection: { anchor: Math.min(marker.from, end), head: Math.min(marker.to, end) }, scrollIntoView: true });
  after.view.focus();
}

/** @param {Marker} marker */
function fix(marker) {
  if (marker.fix) after.view.dispatch({ changes: marker.fix.edits, userEvent: "input.fix" });
}

/** @param {string} rule */
async function explain(rule) {
  try {
    const [first] = await client.explain(rule);
    page.replaceChildren(h("h3", {}, first?.id ?? rule), h("p", {}, first?.summary), rendered(first?.markdown.replace(/^#.*\n/, "").replace(/^#+ (.*)$/gm, "**$1**\n") ?? ""));
  } catch (error) {
    page.replaceChildren(h("p", {}, String(error)));
  }
  results.show(3);
}

const files = h("select", { "aria-label": "File", change: () => choose(Number(files.value)) });

/** Shows a file of the garden. @param {number} index */
function choose(index) {
  file = index;
  files.replaceChildren(...input.garden.map((it, at) => h("option", { value: String(at), selected: at === file }, it.name)));
  garden.load(input.garden[index]?.text ?? "");
}

/**
 * A labelled field of the options.
 *
 * @param {string} title
 * @param {"user" | "groups" | "gardenerVersion" | "at"} key
 * @param {string} placeholder
 */
function field(title, key, placeholder) {
  const element = h("input", { type: "search", placeholder, change: () => {
    input[key] = element.value.trim();
    void open();
  } });
  return { element, label: h("label", {}, h("span", {}, title), element), load: () => { element.value = input[key]; } };
}

const fields = [
  field("Gardener", "gardenerVersion", "newest, such as 1.145"),
  field("User (--as)", "user", "not named"),
  field("Groups", "groups", "such as devs, admins"),
  field("Time", "at", "now, such as 2026-12-24"),
];
const profile = h("select", { change: () => {
  input.profile = profile.value;
  void open();
} }, ...["", "documented", "gardener", "hardened"].map((it) => h("option", { value: it }, it || "default")));
const whole = h("input", { type: "checkbox", change: () => {
  input.whole = whole.checked;
  void open();
} });

/** Shows an input. @param {Input} given */
async function load(given) {
  input = given;
  after.load(input.after);
  before.load(input.before);
  policies.load(input.policies);
  choose(0);
  fields.forEach((it) => it.load());
  profile.value = input.profile;
  whole.checked = input.whole;
  manifests.show(0);
  await open();
}

/** Puts the input into the address, and copies it. */
async function share() {
  history.replaceState(null, "", `#v1=${await encoded(input)}`);
  try {
    await navigator.clipboard.writeText(location.href);
    status.textContent = "The link is copied. It holds the whole input after the #, which browsers send to no server.";
  } catch {
    status.textContent = "The link is in the address bar. It holds the whole input after the #, which browsers send to no server.";
  }
}

const examples = h("select", { "aria-label": "Example", change: () => example(examples.value) }, h("option", { value: "" }, "Choose an example"));

/** Loads an example. @param {string} id */
async function example(id) {
  if (!id) return;
  try {
    const response = await fetch(`examples/${id.replaceAll("/", "_")}.json`);
    if (!response.ok) throw new Error(`there is no example for ${id}`);
    await load(valid(await response.json()));
    examples.value = id;
    report(null);
  } catch (error) {
    report(error);
  }
}

/** Reads dropped files and folders into the garden, or the first manifest into the editor. @param {DataTransfer} data @param {boolean} isGarden */
async function dropped(data, isGarden) {
  const entries = [...data.items].map((it) => it.webkitGetAsEntry()).filter((it) => it !== null);
  const read = (await Promise.all(entries.map((it) => below(it, "")))).flat();
  const texts = read.filter((it) => /\.(ya?ml|json)$/.test(it.name));
  if (texts.length === 0) return report("Drop YAML or JSON files, or a folder with them, such as that of garden-gate dump.");
  if (isGarden) {
    input.garden = texts;
    choose(0);
    await open();
  } else {
    input.after = texts[0]?.text ?? "";
    after.load(input.after);
    await judge();
  }
  status.textContent = `${texts.length} ${texts.length === 1 ? "file was" : "files were"} read. They stay in this browser.`;
}

/** @param {FileSystemEntry} entry @param {string} path @returns {Promise<{ name: string, text: string }[]>} */
async function below(entry, path) {
  const name = path + entry.name;
  if (entry.isFile) {
    const file = await new Promise((resolve, reject) => /** @type {FileSystemFileEntry} */ (entry).file(resolve, reject));
    return [{ name, text: await file.text() }];
  }
  const reader = /** @type {FileSystemDirectoryEntry} */ (entry).createReader();
  const all = [];
  for (;;) {
    /** @type {FileSystemEntry[]} */
    const some = await new Promise((resolve, reject) => reader.readEntries(resolve, reject));
    if (some.length === 0) break;
    all.push(...some);
  }
  return (await Promise.all(all.map((it) => below(it, `${name}/`)))).flat();
}

/** Accepts drops on a column. @param {HTMLElement} element @param {boolean} isGarden */
function accepts(element, isGarden) {
  element.addEventListener("dragover", (event) => event.preventDefault(), true);
  element.addEventListener("drop", (event) => {
    if (!event.dataTransfer?.types.includes("Files")) return;
    event.preventDefault();
    event.stopPropagation();
    void dropped(event.dataTransfer, isGarden);
  }, true);
  return element;
}

const manifests = tabs("Manifest", [["Manifest", after.element], ["Before the change", before.element]]);
const gardens = tabs("Garden", [
  ["Garden", h("div", {}, h("div", { className: "row" }, files, h("label", { className: "check" }, whole, h("span", {}, "nothing else exists"))), garden.element)],
  ["Policies", policies.element],
]);
const results = tabs("Verdict", [["Findings", verdict], ["Stored form", diff], ["Forecast", forecast], ["Rule", page]]);

/** @param {string} title @param {HTMLElement} content */
const column = (title, content) => h("section", { className: "column" }, h("h2", {}, title), content);

document.querySelector("#app")?.replaceChildren(
  h("h1", { className: "visually-hidden", id: "title" }, "Playground"),
  h("div", { className: "filters" },
    h("label", {}, h("span", {}, "Example"), examples),
    h("label", {}, h("span", {}, "Profile"), profile),
    ...fields.map((it) => it.label),
    h("button", { type: "button", click: share }, "Copy link")),
  h("p", { className: "dim" }, "Everything is judged in this browser; nothing is sent anywhere. Drop manifests, or the folder of garden-gate dump, on a column."),
  status, problem,
  h("div", { className: "panes" },
    accepts(column("Change", manifests.element), false),
    accepts(column("Garden", gardens.element), true),
    column("Verdict", results.element)));

/** Loads the input of the address. */
async function fromAddress() {
  const link = /^#v1=(.*)$/.exec(location.hash)?.[1];
  const rule = /^#rule=([\w/-]+)$/.exec(location.hash)?.[1];
  if (rule) return example(rule);
  if (link === undefined) return example("start");
  try {
    await load(await decoded(link));
  } catch (error) {
    report(new Error(`The link cannot be read: ${error instanceof Error ? error.message : error}`));
  }
}
addEventListener("hashchange", fromAddress);

/** Lists the examples and shows the versions. */
async function start() {
  const list = await (await fetch("examples/list.json")).json();
  for (const [group, entries] of Object.entries(list)) {
    const choices = entries.map((/** @type {[string, string]} */ [id, title]) => h("option", { value: id }, title));
    examples.append(h("optgroup", { label: group }, ...choices));
  }
  const versions = await client.versions();
  const shown = document.querySelector("#versions");
  if (shown) shown.textContent = `garden-gate ${versions.gardenGate}, Gardener ${versions.gardener}`;
  await fromAddress();
  if ("serviceWorker" in navigator && location.protocol !== "file:") await navigator.serviceWorker.register("./offline.js");
}
start().catch(report);
