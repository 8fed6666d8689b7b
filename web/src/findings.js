// @ts-check
import { html, useMemo } from "./view.js";
import { counted, distinct, integer, list, Name, number, sentence, string } from "./text.js";
import { useDocument } from "./data.js";
import { address, ruleAddress } from "./route.js";
import { Choice, choices, Fix, Fold, hasWords, Loaded, Matches, nameFilter, Paged, PageHead, Prose, Section, TextFilter, UnknownList } from "./parts.js";
import { Level, projectName } from "./labels.js";
import { groupBy } from "./actions.js";

/** Findings of one object, refusals first, equal ones once. @param {{ findings: Finding[] | undefined, size: number }} props */
export function FindingList({ findings, size }) {
  const sorted = list(findings).sort((a, b) => Number(b.level === "deny") - Number(a.level === "deny"));
  const groups = groupBy(sorted, (it) => JSON.stringify([it.level, it.finding, it.message]));
  return html`<${Paged} items=${groups} size=${size} label="Pages of findings">${(/** @type {Finding[][]} */ shown) => html`<ul class="cards">${shown.map((same) => {
    const it = same[0] ?? {};
    const fields = distinct(same.map((each) => each.field));
    return html`<li class=${it.level === "deny" ? "card card-must" : "card"}>
      <div class="card-head">
        <p class="card-title"><${Level} level=${it.level} /> <${Prose} text=${sentence(string(it.message))} /></p>
        ${same.length > 1 && html`<span>${counted(same.length, "time")}</span>`}
      </div>
      <${Fix} text=${it.help} />
      <p class="dim">
        ${fields.slice(0, 3).map((field) => html`<code>${field}</code> `)}
        ${fields.length > 3 && `and ${counted(fields.length - 3, "more field")} `}${fields.length > 0 && " · "}
        <a href=${ruleAddress(it.rule)}>${string(it.rule) || "rule not known"}</a>${occasion(it.occasion)}${it.beyond && " · Gardener accepts it"}
      </p>
    </li>`;
  })}</ul>`}<//>`;
}

/** @param {string | undefined} occasion */
function occasion(occasion) {
  if (occasion === "every-write") return " · with every write";
  if (occasion === "create") return " · if created again";
  return occasion === "current" ? " · in its current state" : "";
}

/** Objects other than Shoots, with their findings. @param {{ title: string, objects: OtherObject[] }} props */
export function Objects({ title, objects }) {
  if (objects.length === 0) return null;
  return html`<${Section} title=${title} count=${objects.length}>
    <${Paged} items=${objects} size=${5} label="Pages of objects">${(/** @type {OtherObject[]} */ shown) => shown.map((it) => html`<div class="object">
      <h3><${Name} text=${it.kind} /> <${Name} text=${it.name} /></h3>
      <${FindingList} findings=${it.findings} size=${5} />
      <${UnknownList} entries=${it.undetermined} />
    </div>`)}<//>
  <//>`;
}

/** @param {PageProps} props */
export function FindingsPage({ route, update }) {
  return html`<${PageHead} title="Findings" />
    <${Loaded} of=${useDocument("findings")}>${(/** @type {Findings} */ document) => html`<${Groups} document=${document} route=${route} update=${update} />
      <${Objects} title="Objects without a Project" objects=${list(document.objects)} />`}<//>`;
}

/** @typedef {{ group: FindingGroup, places: { of: Namespace | undefined, count: number }[], objects: number }} Found */

/** @param {PageProps & { document: Findings }} props */
function Groups({ document, route, update }) {
  const { rule, owner, project, level, text } = route.query;
  const namespaces = list(document.namespaces);
  const groups = list(document.findings);
  const rows = useMemo(() => found(groups, namespaces, route.query), [document, rule, owner, project, level, text]);
  const isFiltered = Boolean(rule || owner || project || level || text);
  const reset = () => update({ rule: "", owner: "", project: "", level: "", text: "" });
  const change = (/** @type {string} */ name) => (/** @type {string} */ value) => update({ [name]: value });
  return html`<search class="filters">
      <${TextFilter} label="Sentence, rule" value=${text} onInput=${change("text")} />
      <${Choice} label="Level" value=${level} values=${[["", "all"], ["deny", "refused"], ["warn", "warning"]]} onChange=${change("level")} />
      <${Choice} label="Owner" value=${owner} values=${choices("all", namespaces.map((it) => string(it.owner)))} onChange=${change("owner")} />
      <${Choice} label="Project" value=${project} values=${choices("all", namespaces.map(projectName))} onChange=${change("project")} />
      <${Choice} label="Rule" value=${rule} values=${choices("all", groups.map((it) => string(it.rule)))} onChange=${change("rule")} />
    </search>
    <${Matches} count=${rows.length} all=${groups.length} noun="finding" isVirtual=${false} isFiltered=${isFiltered} onReset=${reset} />
    ${rows.length === 0 && html`<p class="none">${groups.length === 0 ? "No rule has a finding in this landscape." : "No finding matches."}</p>`}
    <${Paged} key=${JSON.stringify(route.query)} items=${rows} size=${15} label="Pages of findings">${(/** @type {Found[]} */ shown) => html`<ul class="cards">
      ${shown.map((it) => html`<${Group} found=${it} isNarrowed=${Boolean(owner || project)} />`)}
    </ul>`}<//>`;
}

/**
 * Returns the findings that match, refusals first, then those of most objects.
 * @param {FindingGroup[]} groups @param {Namespace[]} namespaces @param {Record<string, string>} query @returns {Found[]}
 */
function found(groups, namespaces, { rule, owner, project, level, text }) {
  const isNarrowed = owner || project;
  const isOwner = nameFilter(namespaces.map((it) => string(it.owner)), owner);
  const isProject = nameFilter(namespaces.map(projectName), project);
  const isRule = nameFilter(groups.map((it) => string(it.rule)), rule);
  const isFound = (/** @type {FindingGroup} */ it) => hasWords(`${string(it.sentence)} ${string(it.finding)} ${string(it.rule)}`.toLowerCase(), text);
  const matching = groups.filter((it) => isRule(it.rule) && (!level || it.level === level) && isFound(it));
  const rows = matching.map((group) => {
    const all = list(group.namespaces).filter(Array.isArray).map(([at, count]) => ({ of: namespaces[at], count: integer(count) }));
    const places = all.filter(({ of }) => isOwner(of?.owner) && isProject(of && projectName(of)));
    return { group, places, objects: isNarrowed ? places.reduce((sum, it) => sum + it.count, 0) : integer(group.objects) };
  });
  const shown = isNarrowed ? rows.filter((it) => it.places.length > 0) : rows;
  return shown.sort((a, b) => Number(b.group.level === "deny") - Number(a.group.level === "deny") || b.objects - a.objects);
}

/** @param {{ found: Found, isNarrowed: boolean }} props */
function Group({ found: { group, places, objects }, isNarrowed }) {
  const kinds = Object.keys(group.kinds ?? {});
  const noun = kinds.length === 1 && !isNarrowed ? string(kinds[0]) : "object";
  const examples = list(group.examples).filter((it) => !isNarrowed || places.some(({ of }) => of?.namespace === it.namespace));
  const title = sentence(string(group.sentence || group.finding));
  return html`<li class=${group.level === "deny" ? "card card-must" : "card"}>
    <div class="card-head">
      <p class="card-title"><${Level} level=${group.level} /> <${Prose} text=${title} /></p>
      <strong class="nowrap">${counted(objects, noun)}</strong>
    </div>
    <p class="dim">
      <a href=${ruleAddress(group.rule)}>${string(group.rule) || "rule not known"}</a>
      ${distinct(list(group.occasions)).map(occasion).join("")}${group.beyond && " · Gardener accepts it"}
    </p>
    <${Places} places=${places} />
    ${examples.length > 0 && html`<${Fold} title="Examples">${() => html`<ul class="columns">
      ${examples.slice(0, 20).map((it) => html`<li><${Example} of=${it} /></li>`)}
    </ul>`}<//>`}
  </li>`;
}

/** The Projects with most objects of a finding. @param {{ places: Found["places"] }} props */
function Places({ places }) {
  const sorted = [...places].sort((a, b) => b.count - a.count);
  const name = (/** @type {Namespace | undefined} */ of) =>
    of ? html`<a href=${address("project", [of.namespace])}><${Name} text=${projectName(of)} /></a>` : "cluster-scoped";
  return html`<p>
    ${sorted.slice(0, 5).map(({ of, count }, at) => html`${at > 0 && " · "}${name(of)} <span class="dim">${number(count)}</span>`)}
    ${sorted.length > 5 && html` <span class="dim">· and ${counted(sorted.length - 5, "more Project")}</span>`}
  </p>`;
}

/** @param {{ of: { kind?: string, namespace?: string, name?: string } }} props */
function Example({ of: { kind, namespace, name } }) {
  if (kind === "Shoot") return html`<a href=${address("shoot", [namespace, name])}><${Name} text=${namespace} />/<${Name} text=${name} /></a>`;
  return html`<${Name} text=${kind} /> <${Name} text=${name} /> <span class="dim"><${Name} text=${namespace} none="cluster-scoped" /></span>`;
}
