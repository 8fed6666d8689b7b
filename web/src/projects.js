// @ts-check
import { html, useMemo, useState } from "./view.js";
import { compareNames, counted, integer, list, Name, number, string } from "./text.js";
import { useDocument } from "./data.js";
import { address } from "./route.js";
import { Facts, hasWords, Loaded, Matches, Message, PageHead, Section, TextFilter } from "./parts.js";
import { VirtualList } from "./list.js";
import { Moment } from "./times.js";
import { clustersOf, isNamed, projectName, ProjectLink, quantity, sortClusters } from "./labels.js";
import { ClusterList } from "./clusters.js";
import { Objects } from "./findings.js";

/** @param {PageProps} props */
export function ProjectsPage({ route, update }) {
  return html`<${PageHead} title="Projects" />
    <${Loaded} of=${useDocument("projects")}>${(/** @type {{ projects?: ProjectRow[] }} */ { projects }) =>
      html`<${Projects} all=${list(projects)} route=${route} update=${update} />`}<//>`;
}

/** @type {Record<string, (a: ProjectRow, b: ProjectRow) => number>} */
const projectOrders = {
  act: (a, b) => integer(a.mustAct) - integer(b.mustAct) || integer(a.refused) - integer(b.refused) || integer(a.forced) - integer(b.forced),
  project: (a, b) => compareNames(projectName(a), projectName(b)),
  owner: (a, b) => compareNames(string(a.owner), string(b.owner)),
  shoots: (a, b) => integer(a.shoots) - integer(b.shoots),
  forced: (a, b) => integer(a.forced) - integer(b.forced),
  refused: (a, b) => integer(a.refused) - integer(b.refused),
  warned: (a, b) => integer(a.warned) - integer(b.warned),
  unknown: (a, b) => integer(a.notForecast) - integer(b.notForecast),
  next: (a, b) => (a.next || "~").localeCompare(b.next || "~"),
};

/** @type {import("./list.js").Column[]} */
const projectColumns = [
  { head: "Project", sort: "project" },
  { head: "Owner", sort: "owner" },
  { head: "Must act", sort: "act", descends: true },
  { head: "Forced", sort: "forced", descends: true },
  { head: "Refused", sort: "refused", descends: true },
  { head: "Warned", sort: "warned", descends: true },
  { head: "Not known", sort: "unknown", descends: true },
  { head: "Shoots", sort: "shoots", descends: true },
  { head: "Next forced update", sort: "next" },
];

/** @param {ProjectRow} row */
function projectCells(row) {
  return [
    html`<strong><${ProjectLink} of=${row} /></strong>`,
    html`<${Name} text=${row.owner} none="no owner" />`,
    quantity(integer(row.mustAct), "must"),
    quantity(integer(row.forced)),
    quantity(integer(row.refused), "must"),
    quantity(integer(row.warned)),
    quantity(integer(row.notForecast)),
    quantity(integer(row.shoots)),
    row.next ? html`<${Moment} time=${row.next} isShort />` : html`<span class="dim">none</span>`,
  ];
}

/** @param {PageProps & { all: ProjectRow[] }} props */
function Projects({ all, route, update }) {
  const { text, sort = "-act" } = route.query;
  const rows = useMemo(() => {
    const found = all.filter((it) => hasWords(`${string(it.project)} ${string(it.namespace)} ${string(it.owner)}`.toLowerCase(), text));
    const order = projectOrders[sort.replace(/^-/, "")] ?? /** @type {any} */ (projectOrders.act);
    return found.sort((a, b) => (sort.startsWith("-") ? -1 : 1) * order(a, b) || compareNames(projectName(a), projectName(b)));
  }, [all, text, sort]);
  const set = (/** @type {string} */ name) => (/** @type {string} */ value) => update({ [name]: value });
  return html`<search class="filters"><${TextFilter} label="Project, namespace, owner" value=${text} onInput=${set("text")} /></search>
    <${Matches} count=${rows.length} all=${all.length} noun="Project" isFiltered=${Boolean(text)} onReset=${() => update({ text: "" })} />
    ${rows.length === 0
      ? html`<p class="none">No Project matches.</p>`
      : html`<${VirtualList} label="Projects" className="projects" columns=${projectColumns} rows=${rows} cells=${projectCells} narrowHeight=${6.4}
        sort=${sort} onSort=${set("sort")} />`}`;
}

/** @param {PageProps} props */
export function ProjectPage({ route }) {
  const namespace = route.path[0] ?? "";
  return html`<${Loaded} of=${useDocument("projects")} title="Project">${(/** @type {{ projects?: ProjectRow[] }} */ { projects }) => {
    const row = list(projects).find((it) => isNamed(it.namespace, namespace));
    if (row) return html`<${ProjectOf} key=${namespace} row=${row} />`;
    return html`<${PageHead} title="Project not found" />
      <${Message} title="This site has no Project in the namespace “${namespace}”.">
        <p>It may be deleted, or the address is wrong. <a href=${address("projects")}>Show all Projects</a></p>
      <//>`;
  }}<//>`;
}

/** @param {{ row: ProjectRow }} props */
function ProjectOf({ row }) {
  return html`<${PageHead} title=${html`<span class="dim">Project</span> <${Name} text=${projectName(row)} />`}>
      <${Facts} pairs=${[
        ["Namespace", html`<${Name} text=${row.namespace} />`],
        ["Project", !row.project && "not known: no Project has this namespace"],
        ["Owner", html`<${Name} text=${row.owner} none="no owner" />`],
        ["Shoots", number(row.shoots)],
        ["Must act", integer(row.mustAct) > 0 && html`<span class="must">${counted(row.mustAct, "Shoot")}</span>`],
        ["Next forced update", row.next && html`<${Moment} time=${row.next} />`],
      ]} />
    <//>
    <${Loaded} of=${useDocument(string(row.data) || "project/0")}>${(/** @type {ProjectDocument} */ project) => html`<${ProjectBody} project=${project} />`}<//>`;
}

/** @param {{ project: ProjectDocument }} props */
function ProjectBody({ project }) {
  const [sort, setSort] = useState("state");
  const [text, setText] = useState("");
  const all = useMemo(() => clustersOf(project), [project]);
  const rows = useMemo(() => sortClusters(all.filter((it) => hasWords(it.text, text)), sort), [all, sort, text]);
  const objects = list(project.objects).filter((it) => list(it.findings).length + list(it.undetermined).length > 0);
  return html`<${Objects} title="Findings of other objects" objects=${objects} />
    <${Section} title="Shoots" count=${all.length}>
      ${all.length > 15 && html`<search class="filters"><${TextFilter} label="Name, region, purpose" value=${text} onInput=${setText} /></search>`}
      ${all.length === 0 ? html`<p class="none">This Project has no Shoots.</p>` : html`<${ClusterList} rows=${rows} sort=${sort} onSort=${setSort} />`}
    <//>`;
}
