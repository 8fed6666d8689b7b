// @ts-check
import { html } from "./view.js";
import { compareNames, integer, list, Name, number, string, wellFormed } from "./text.js";
import { address } from "./route.js";

/** Marks and words for the states of Shoots, the most urgent first. @type {Record<string, [string, string]>} */
export const states = {
  act: ["◆", "must act"],
  unknown: ["?", "not known"],
  forced: ["●", "forced update"],
  regular: ["○", "regular update"],
  quiet: ["–", "no change"],
};

/** @type {Record<string, [string, string]>} */
const itemKinds = {
  blocked: ["◆", "update blocked"],
  impossible: ["◆", "no update possible"],
  "no-forecast": ["?", "not known"],
  refused: ["◆", "refused by a rule"],
  forced: ["●", "forced update"],
  deleted: ["◆", "deleted"],
};

/** @param {{ state: string | undefined }} props */
export function State({ state }) {
  const [mark, text] = states[string(state)] ?? ["?", "not known"];
  return html`<span class="state state-${text.replace(/ .*/, "")}"><span aria-hidden="true">${mark}</span> ${text}</span>`;
}

/** @param {{ kind: string | undefined }} props */
export function ItemKind({ kind }) {
  const [mark, text] = itemKinds[string(kind)] ?? ["?", string(kind) || "not known"];
  const look = kind === "forced" ? "forced" : kind === "no-forecast" ? "not" : "must";
  return html`<span class="state state-${look}"><span aria-hidden="true">${mark}</span> ${text}</span>`;
}

/** @param {{ level: string | undefined }} props */
export function Level({ level }) {
  return level === "deny"
    ? html`<span class="state state-must"><span aria-hidden="true">◆</span> refused</span>`
    : html`<span class="state state-warned"><span aria-hidden="true">▲</span> warning</span>`;
}

/** @param {{ of: { namespace?: string, name?: string } }} props */
export function ShootLink({ of }) {
  return html`<a href=${address("shoot", [of.namespace, of.name])}><${Name} text=${of.name} /></a>`;
}

/** A Project, or the namespace if its Project is not known. @param {{ of: Namespace }} props */
export function ProjectLink({ of }) {
  return html`<a href=${address("project", [of.namespace])}>${
    of.project ? html`<${Name} text=${of.project} />` : html`<${Name} text=${of.namespace} /> <span class="dim">(Project not known)</span>`
  }</a>`;
}

/** Returns the value of a filter by Project. @param {Namespace} of */
export function projectName(of) {
  return string(of.project) || string(of.namespace);
}

/** Returns whether a name is the one in an address, in which lone surrogates are replaced. @param {string | undefined} name @param {string | undefined} inAddress */
export function isNamed(name, inAddress) {
  return wellFormed(string(name)) === inAddress;
}

/** Shows a profile, of which the kind matters only if it is not CloudProfile. @param {{ text: string }} props */
export function ProfileName({ text }) {
  return html`<${Name} text=${text.replace(/^CloudProfile /, "")} none="not known" />`;
}

/** @param {number} value @param {string} [look] */
export function quantity(value, look = "") {
  return value === 0 ? html`<span class="dim">0</span>` : html`<span class=${look}>${number(value)}</span>`;
}

/** Reads the rows of an index; malformed ones are Shoots that are not known. @param {Index | ProjectDocument} index @returns {Cluster[]} */
export function clustersOf(index) {
  const namespaces = list(index.namespaces);
  const profiles = list(index.profiles);
  return list("rows" in index ? index.rows : /** @type {ProjectDocument} */ (index).shoots).map((row, at) => {
    const [space, name, profile, kubernetes, region, purpose, state, next, refused, warnings, groups, data, versions] = Array.isArray(row) ? row : [];
    const { namespace = "", project = "", owner = "" } = namespaces[space] ?? {};
    const cluster = {
      key: `${at}`, name: string(name), namespace: string(namespace), project: string(project), owner: string(owner), profile: string(profiles[profile]),
      kubernetes: string(kubernetes), region: string(region), purpose: string(purpose), state: string(state) in states ? string(state) : "unknown",
      next: string(next), refused: integer(refused), warnings: integer(warnings), groups: list(groups), data: string(data), versions: list(versions).map(string), text: "",
    };
    cluster.text = [cluster.name, cluster.namespace, cluster.project, cluster.owner, cluster.kubernetes, cluster.region, cluster.purpose, ...cluster.versions].join(" ").toLowerCase();
    return cluster;
  });
}

const urgency = Object.keys(states);
/** @type {Record<string, (a: Cluster, b: Cluster) => number>} */
const orders = {
  state: (a, b) => urgency.indexOf(a.state) - urgency.indexOf(b.state),
  // Shoots without a date come last.
  next: (a, b) => (a.next || "~").localeCompare(b.next || "~"),
  name: (a, b) => compareNames(a.name, b.name),
  project: (a, b) => compareNames(projectName(a), projectName(b)),
  kubernetes: (a, b) => compareNames(a.kubernetes, b.kubernetes),
  profile: (a, b) => compareNames(a.profile, b.profile),
  region: (a, b) => compareNames(a.region, b.region),
  findings: (a, b) => a.refused - b.refused || a.warnings - b.warnings,
};

/** Sorts Shoots by a key, or in descending order by `-key`; the most urgent come first by default. @param {Cluster[]} clusters @param {string} [sort] */
export function sortClusters(clusters, sort = "state") {
  const order = orders[sort.replace(/^-/, "")] ?? orders.state;
  const sign = sort.startsWith("-") ? -1 : 1;
  return [...clusters].sort((a, b) => sign * /** @type {any} */ (order)(a, b) || orders.next?.(a, b) || Number(a.key) - Number(b.key));
}
