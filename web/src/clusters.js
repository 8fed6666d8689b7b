// @ts-check
import { html, useMemo } from "./view.js";
import { counted, list, Name } from "./text.js";
import { useDocument } from "./data.js";
import { Choice, choices, hasWords, Loaded, Matches, nameFilter, PageHead, Prose, TextFilter } from "./parts.js";
import { VirtualList } from "./list.js";
import { Moment } from "./times.js";
import { clustersOf, ProfileName, projectName, ProjectLink, ShootLink, sortClusters, State, states } from "./labels.js";

/** @param {PageProps} props */
export function ClustersPage({ route, update }) {
  return html`<${PageHead} title="Clusters" />
    <${Loaded} of=${useDocument("clusters")}>${(/** @type {Index} */ index) => html`<${Clusters} index=${index} route=${route} update=${update} />`}<//>`;
}

/** @param {PageProps & { index: Index }} props */
function Clusters({ index, route, update }) {
  const all = useMemo(() => clustersOf(index), [index]);
  const options = useMemo(() => ({
    project: choices("all", all.map(projectName)),
    profile: choices("all", all.map((it) => it.profile)),
    version: choices("all", all.flatMap((it) => it.versions)),
    owner: choices("all", all.map((it) => it.owner)),
  }), [all]);
  const { state, text, project, profile, version, group, owner, sort } = route.query;
  const rows = useMemo(() => {
    const isProject = nameFilter(all.map(projectName), project);
    const found = all.filter((it) =>
      (!state || (state === "refused" ? it.refused > 0 : it.state === state)) && isProject(projectName(it)) && (!profile || it.profile === profile) &&
      (!version || it.versions.includes(version)) && (!owner || it.owner === owner) && (!group || it.groups.includes(group)) && (!text || hasWords(it.text, text)));
    return sortClusters(found, sort);
  }, [all, state, text, project, profile, version, group, owner, sort]);
  const reset = { state: "", text: "", project: "", profile: "", version: "", group: "", owner: "" };
  /** @type {Overview} */
  const overview = useDocument(group ? "overview" : "").value ?? {};
  const change = [...list(overview.act), ...list(overview.forced)].find((it) => String(it.group) === group);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => update({ [name]: value });
  const isFiltered = Object.keys(reset).some((it) => route.query[it]);
  return html`<search class="filters">
      <${TextFilter} label="Name, owner, region, purpose" value=${text} onInput=${set("text")} />
      <${Choice} label="State" value=${state} values=${stateChoices} onChange=${set("state")} />
      <${Choice} label="Project" value=${project} values=${options.project} onChange=${set("project")} />
      <${Choice} label="Profile" value=${profile} values=${options.profile} onChange=${set("profile")} />
      <${Choice} label="Owner" value=${owner} values=${options.owner} onChange=${set("owner")} />
      <${Choice} label="Version" value=${version} values=${options.version} onChange=${set("version")} />
    </search>
    ${group && html`<p>Only Shoots with the change <strong><${Prose} text=${change ? change.what : "that the overview does not have any more"} /></strong>.</p>`}
    <${Matches} count=${rows.length} all=${all.length} noun="Shoot" isFiltered=${isFiltered} onReset=${() => update(reset)} />
    <${ClusterList} rows=${rows} sort=${sort} onSort=${set("sort")} />`;
}

const stateChoices = [["", "all"], ...Object.entries(states).map(([id, [, words]]) => [id, words]), ["refused", "refused by rules"]];

/** @type {import("./list.js").Column[]} */
const columns = [
  { head: "State", sort: "state" },
  { head: "Shoot", sort: "name" },
  { head: "Project", sort: "project" },
  { head: "Next maintenance", sort: "next" },
  { head: "Kubernetes", sort: "kubernetes" },
  { head: "Profile", sort: "profile" },
  { head: "Region", sort: "region" },
  { head: "Findings", sort: "findings", descends: true },
];

/** Shoots in a list. @param {{ rows: Cluster[], sort?: string, onSort: (sort: string) => void }} props */
export function ClusterList({ rows, sort, onSort }) {
  if (rows.length === 0) return html`<p class="none">No Shoot matches.</p>`;
  return html`<${VirtualList} label="Shoots" className="clusters" columns=${columns} rows=${rows} narrowHeight=${6.4}
    sort=${sort || "state"} onSort=${onSort}
    cells=${(/** @type {Cluster} */ it) => [
      html`<${State} state=${it.state} />`,
      html`<strong><${ShootLink} of=${it} /></strong>`,
      html`<${ProjectLink} of=${it} />`,
      it.next ? html`<${Moment} time=${it.next} isShort />` : html`<span class="dim">${it.state === "unknown" ? "not known" : "no change"}</span>`,
      html`<${Name} text=${it.kubernetes} none="not known" />`,
      html`<${ProfileName} text=${it.profile} />`,
      html`<${Name} text=${it.region} none="not known" />`,
      findings(it),
    ]} />`;
}

/** @param {Cluster} cluster */
function findings({ refused, warnings }) {
  if (refused + warnings === 0) return html`<span class="dim">none</span>`;
  const separator = refused > 0 && warnings > 0 && ", ";
  return html`${refused > 0 && html`<span class="must">${refused} refused</span>`}${separator}${warnings > 0 && counted(warnings, refused > 0 ? "other" : "finding")}`;
}
