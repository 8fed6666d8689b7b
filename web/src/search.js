// @ts-check
import { html, useEffect, useMemo, useRef, useState } from "./view.js";
import { counted, distinct, list, string } from "./text.js";
import { load } from "./data.js";
import { address, ruleAddress } from "./route.js";
import { clustersOf, projectName } from "./labels.js";

const LIMIT = 12;
const LIMIT_OF_KIND = 5;

/** @typedef {{ kind: string, title: string, detail: string, href: string, text: string }} Entry */

/** @param {string} kind @param {string} title @param {string} detail @param {string} href @returns {Entry} */
function entry(kind, title, detail, href) {
  return { kind, title, detail, href, text: `${title} ${detail}`.toLowerCase() };
}

/** @param {string} profile @param {Lane} lane @param {Version} version */
function versionEntry(profile, lane, { version, shoots }) {
  const query = { profile, unused: shoots ? "" : "1" };
  return entry("Version", `${string(lane.part)} ${string(version)}`, `${profile} · ${counted(shoots, "Shoot")}`, address("versions", [], query));
}

/** @param {FindingGroup} finding */
function findingEntry({ finding, sentence, rule, objects }) {
  const query = { rule: string(rule) };
  return entry("Finding", string(sentence) || string(finding), `${string(rule)} · ${counted(objects, "object")}`, address("findings", [], query));
}

/** The documents of the search, and their entries. @type {[string, (document: any) => Entry[]][]} */
const sources = [
  ["clusters", (/** @type {Index} */ index) => {
    const owners = distinct(list(index.namespaces).map((it) => it.owner));
    return [
      ...list(index.namespaces).map((it) => entry("Project", projectName(it), string(it.owner), address("project", [it.namespace]))),
      ...owners.map((it) => entry("Owner", it, "its Shoots", address("clusters", [], { owner: it }))),
      ...clustersOf(index).map((it) => entry("Shoot", it.name, `${projectName(it)} · ${it.kubernetes}`, address("shoot", [it.namespace, it.name]))),
    ];
  }],
  ["versions", (/** @type {Versions} */ document) => list(document.profiles).flatMap((profile) => list(profile.lanes).flatMap((lane) =>
    list(lane.versions).map((it) => versionEntry(string(profile.profile), lane, it))))],
  ["findings", (/** @type {Findings} */ document) => list(document.findings).map(findingEntry)],
  ["rules", (/** @type {{ rules?: RuleRow[] }} */ document) => list(document.rules).map((it) => entry("Rule", string(it.rule), string(it.summary), ruleAddress(it.rule)))],
];

/** Returns the entries that contain all words, the best first, and the number of all. @param {Entry[]} entries @param {string} query */
function find(entries, query) {
  const text = query.trim().toLowerCase();
  const words = text.split(/\s+/).filter(Boolean);
  if (words.length === 0) return { best: [], count: 0 };
  const rank = (/** @type {Entry} */ it) => {
    const title = it.title.toLowerCase();
    return title === text ? 0 : title.startsWith(text) ? 1 : title.includes(text) ? 2 : 3;
  };
  const found = entries.filter((it) => words.every((word) => it.text.includes(word))).map((it) => ({ it, rank: rank(it) }));
  found.sort((a, b) => a.rank - b.rank);
  const kinds = /** @type {Record<string, number>} */ ({});
  const best = found.filter(({ it }) => (kinds[it.kind] = (kinds[it.kind] ?? 0) + 1) <= LIMIT_OF_KIND);
  return { best: best.slice(0, LIMIT).map(({ it }) => it), count: found.length };
}

/** The search over the whole site: a combobox with a list of links. */
export function Search() {
  const input = useRef(/** @type {any} */ (null));
  const [entries, setEntries] = useState(/** @type {Entry[] | undefined} */ (undefined));
  const [missing, setMissing] = useState(/** @type {string[]} */ ([]));
  const [query, setQuery] = useState("");
  const [isOpen, setOpen] = useState(false);
  const [active, setActive] = useState(0);
  const { best, count } = useMemo(() => find(entries ?? [], query), [entries, query]);
  const text = query.trim();
  const all = count > best.length ? [...best, entry("Clusters", `All Shoots with “${text}”`, "", address("clusters", [], { text }))] : best;

  const start = async () => {
    if (entries) return;
    const results = await Promise.allSettled(sources.map(([name, entriesOf]) => load(name).then(entriesOf)));
    setMissing(sources.filter((_, at) => results[at]?.status === "rejected").map(([name]) => name));
    setEntries(results.flatMap((it) => (it.status === "fulfilled" ? it.value : [])));
  };
  const close = () => { setOpen(false); setQuery(""); setActive(0); };
  const choose = (/** @type {Entry | undefined} */ it) => {
    if (!it) return;
    close();
    input.current.blur();
    location.hash = it.href;
  };
  useEffect(() => {
    const focus = (/** @type {KeyboardEvent} */ event) => {
      const isTyping = /** @type {Element} */ (event.target).closest("input, textarea, select, [contenteditable]");
      if (event.key !== "/" || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
      event.preventDefault();
      input.current.focus();
    };
    addEventListener("keydown", focus);
    return () => removeEventListener("keydown", focus);
  }, []);
  const keys = (/** @type {KeyboardEvent} */ event) => {
    if (event.key === "Escape") return query === "" ? input.current.blur() : close();
    if (event.key === "Enter") return choose(all[active]);
    const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
    if (step === 0 || all.length === 0) return;
    event.preventDefault();
    setOpen(true);
    setActive((active + step + all.length) % all.length);
  };
  const isShown = isOpen && text !== "";
  const hasActive = isShown && all.length > 0;
  const lost = missing.length > 0 ? `; could not be loaded: ${missing.join(", ")}` : "";
  const status = entries ? `${counted(count, "result")}${lost}` : "Loading…";
  const keepFocus = (/** @type {Event} */ event) => event.preventDefault();
  const type = (/** @type {any} */ event) => { setQuery(event.currentTarget.value); setActive(0); setOpen(true); };

  return html`<search class="search">
    <input ref=${input} type="search" role="combobox" aria-label="Search Shoots, Projects, owners, findings, rules and versions" placeholder="Search  /" autocomplete="off" spellcheck=${false}
      aria-autocomplete="list" aria-controls="results" aria-expanded=${hasActive ? "true" : "false"} aria-activedescendant=${hasActive ? `result-${active}` : undefined}
      value=${query} onFocus=${start} onInput=${type} onKeyDown=${keys} onBlur=${() => setOpen(false)} />
    <ul id="results" role="listbox" aria-label="Results" class=${hasActive ? "results" : "results empty"}>${(isShown ? all : []).map((it, at) => html`
      <li key=${at} id="result-${at}" role="option" aria-selected=${at === active ? "true" : "false"}
        onMouseDown=${keepFocus} onClick=${() => choose(it)} onMouseMove=${() => setActive(at)}>
        <span class="result-kind">${it.kind}</span> <bdi>${it.title}</bdi> <bdi class="dim result-detail">${it.detail}</bdi>
      </li>`)}</ul>
    <p role="status" class=${isShown && (all.length === 0 || missing.length > 0) ? "search-status" : "visually-hidden"}>${isShown && status}</p>
  </search>`;
}
