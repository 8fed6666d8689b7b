// @ts-check
import { html } from "./view.js";
import { counted, distinct, list, Name, number, sentence, string } from "./text.js";
import { useDocument } from "./data.js";
import { address, ruleAddress } from "./route.js";
import { Command, Facts, Fix, Loaded, Message, Paged, PagedTable, PageHead, Prose, Section, Sentences, UnknownList } from "./parts.js";
import { dailyWindow, dayOf, inDays, Moment, plainDay, WindowTime } from "./times.js";
import { clustersOf, isNamed, ProjectLink } from "./labels.js";
import { actionsOf, changesOf, effectsOf, groupBy, machinesOf, poolsText } from "./actions.js";
import { KindKey, spanOf, Timeline, windowKind } from "./timeline.js";
import { FindingList } from "./findings.js";

/** @param {PageProps} props */
export function ShootPage({ route }) {
  const [namespace = "", name = ""] = route.path;
  const missing = html`<${PageHead} title="Shoot not found" />
    <${Message} title="This site has no Shoot “${name}” in the namespace “${namespace}”.">
      <p>It may be deleted, or the address is wrong. <a href=${address("clusters", [], { text: name })}>Search all Shoots</a></p>
    <//>`;
  return html`<${Loaded} of=${useDocument("projects")} title="Shoot">${(/** @type {{ projects?: ProjectRow[] }} */ { projects }) => {
    const row = list(projects).find((it) => isNamed(it.namespace, namespace));
    return row ? html`<${ShootInProject} data=${string(row.data)} namespace=${namespace} name=${name} missing=${missing} />` : missing;
  }}<//>`;
}

/** @param {{ data: string, namespace: string, name: string, missing: View }} props */
function ShootInProject({ data, namespace, name, missing }) {
  return html`<${Loaded} of=${useDocument(data)} title="Shoot">${(/** @type {ProjectDocument} */ project) => {
    const cluster = clustersOf(project).find((it) => isNamed(it.name, name));
    return cluster ? html`<${ShootInDocument} data=${cluster.data} namespace=${namespace} name=${name} missing=${missing} />` : missing;
  }}<//>`;
}

/** @param {{ data: string, namespace: string, name: string, missing: View }} props */
function ShootInDocument({ data, namespace, name, missing }) {
  const overview = useDocument("overview").value ?? {};
  return html`<${Loaded} of=${useDocument(data)} title="Shoot">${(/** @type {{ shoots?: ShootDocument[] }} */ { shoots }) => {
    const shoot = list(shoots).find((it) => isNamed(it.name, name) && isNamed(it.namespace, namespace));
    return shoot ? html`<${ShootBody} shoot=${shoot} overview=${overview} />` : missing;
  }}<//>`;
}

/** @param {{ shoot: ShootDocument, overview: Overview }} props */
function ShootBody({ shoot, overview }) {
  const { forecast } = shoot;
  const windows = list(forecast?.windows);
  const findings = list(shoot.findings);
  const unknown = list(shoot.undetermined);
  return html`<${ShootHead} shoot=${shoot} overview=${overview} />
    <${Actions} shoot=${shoot} overview=${overview} />
    ${forecast && windows[0] && html`<${Section} title="What happens next"><${NextWindow} shoot=${shoot} window=${windows[0]} overview=${overview} /><//>`}
    ${forecast && html`<${Section} title="Timeline"><${Timeline} forecast=${forecast} span=${spanOf(overview.at, overview.until)} />
      <${Sentences} texts=${list(forecast.remarks)} /><${Versions} targets=${list(forecast.targets)} /><//>
    <${Section} title="Maintenance windows with changes" count=${windows.length}><${Windows} shoot=${shoot} windows=${windows} overview=${overview} /><//>`}
    <${Section} title="Pools" count=${shoot.pools?.length}><${Pools} pools=${shoot.pools} /><//>
    <${Section} title="Findings" count=${findings.length}>
      ${findings.length === 0 ? html`<p class="none">No rule has a finding.</p>` : html`<${FindingList} findings=${findings} size=${10} />`}
    <//>
    ${unknown.length > 0 && html`<${Section} title="Not known" count=${unknown.length}><${UnknownList} entries=${unknown} /><//>`}
    <${Conditions} title="Constraints" conditions=${list(shoot.constraints)} />
    <${Conditions} title="Conditions" conditions=${list(shoot.conditions)} />
    <${Silenced} silenced=${list(shoot.silenced)} />
    ${list(shoot.commands).length > 0 && html`<${Section} title="Commands">${list(shoot.commands).slice(0, 10).map((it) => html`
      <p class="command-title">${sentence(string(it.what))}</p>
      <${Command} command=${string(it.command)} />`)}<//>`}`;
}

/** @param {{ silenced: NonNullable<ShootDocument["silenced"]> }} props */
function Silenced({ silenced }) {
  if (silenced.length === 0) return null;
  return html`<${Section} title="Silenced findings" count=${silenced.length}>
    <${PagedTable} label="Silenced findings" items=${silenced} size=${10} head=${["Finding", "Reason", "Until"]} cells=${(/** @type {(typeof silenced)[0]} */ it) => [
      html`<${Name} text=${it.id} />`,
      html`<${Prose} text=${it.reason} />`,
      it.until ? plainDay(it.until) : "without end",
    ]} />
  <//>`;
}

/** @param {{ shoot: ShootDocument, overview: Overview }} props */
function ShootHead({ shoot, overview }) {
  const { maintenance } = shoot;
  const updates = [maintenance?.kubernetesAutoUpdate && "Kubernetes", maintenance?.imageAutoUpdate && "machine images"].filter(Boolean).join(" and ");
  return html`<${PageHead} title=${html`<span class="dim">Shoot</span> <${Name} text=${shoot.name} />`}>
    <${Facts} pairs=${[
      ["Project", html`<${ProjectLink} of=${shoot} />`],
      ["Owner", html`<${Name} text=${shoot.owner} none="no owner" />`],
      ["Kubernetes", html`<${Name} text=${shoot.kubernetes} none="not known" />`],
      ["Profile", html`<a href=${address("versions", [], { profile: string(shoot.profile) })}><${Name} text=${shoot.profile} none="not known" /></a>`],
      ["Region", shoot.region && html`<${Name} text=${shoot.region} />${shoot.provider && ` (${shoot.provider})`}`],
      ["Seed", string(shoot.seed)],
      ["Purpose", string(shoot.purpose)],
      ["Control plane", shoot.kubernetes === undefined ? "not known" : shoot.highAvailability ? `highly available, failure tolerance ${shoot.highAvailability}` : "not highly available"],
      ["Hibernated", shoot.hibernated && "yes"],
      ["Created", shoot.created && dayOf(shoot.created)],
      ["Maintenance", dailyWindow(maintenance, overview.at)],
      ["Automatic updates", maintenance && (updates || "none, except forced ones")],
    ]} />
  <//>`;
}

/** @param {{ shoot: ShootDocument, overview: Overview }} props */
function Actions({ shoot, overview }) {
  const actions = actionsOf(shoot);
  const [urgent, others] = [actions.filter((it) => it.urgent), actions.filter((it) => !it.urgent)];
  return html`<${Section} title="What you must do" count=${urgent.length} urgent=${urgent.length > 0}>
      ${urgent.length === 0 ? html`<p class="none">Nothing until ${dayOf(overview.until)}.</p>` : html`<${ActionList} actions=${urgent} at=${overview.at} />`}
    <//>
    ${others.length > 0 && html`<${Section} title="What you can do" count=${others.length}><${ActionList} actions=${others} at=${overview.at} /><//>`}`;
}

/** @param {{ actions: import("./actions.js").Action[], at: string | undefined }} props */
function ActionList({ actions, at }) {
  return html`<${Paged} items=${actions} size=${8} label="Pages of actions">${(/** @type {typeof actions} */ shown) => html`<ol class="cards">
    ${shown.map((it) => html`<${ActionCard} action=${it} at=${at} />`)}
  </ol>`}<//>`;
}

/** @param {{ action: import("./actions.js").Action, at: string | undefined }} props */
function ActionCard({ action, at }) {
  return html`<li class=${action.urgent ? "card card-must" : "card card-forced"}>
    <div class="card-head">
      <p class="card-title"><span aria-hidden="true">${action.urgent ? "◆" : "●"}</span> <${Prose} text=${action.title} /></p>
      ${action.rule && html`<a href=${ruleAddress(action.rule)}>${action.rule}</a>`}
    </div>
    ${action.window && html`<p><${WindowTime} window=${action.window} /> <span class="dim">· ${inDays(action.window.begin, at)}</span></p>`}
    ${action.at && html`<p><${Moment} time=${action.at} /> <span class="dim">· ${inDays(action.at, at)}</span></p>`}
    <${Sentences} texts=${action.why} />
    ${distinct(action.how).map((text) => html`<${Fix} text=${text} />`)}
  </li>`;
}

/** @param {{ shoot: ShootDocument, window: MaintenanceWindow, overview: Overview }} props */
function NextWindow({ shoot, window, overview }) {
  const machines = machinesOf(shoot, window);
  return html`<div class="card card-next">
    <p class="next-when"><${WindowTime} window=${window} /> <span class="dim">· ${inDays(window.begin, overview.at)}</span></p>
    <p><${KindKey} kind=${windowKind(window)} /></p>
    <ul>${changesOf(list(window.events)).slice(0, 12).map((it) => html`<li><${Prose} text=${it} /></li>`)}</ul>
    ${window.status === "blocked"
      ? html`<p>Nothing changes as long as the rule refuses it. Gardener tries again in each window.</p>`
      : html`<p>${machines === "none" ? "It replaces no machine." : `It replaces ${machines}.`}</p><${Sentences} texts=${effectsOf(window)} />`}
    ${window.wakesUp && html`<p>The cluster is hibernated. Its nodes are updated after it wakes up at <${Moment} time=${window.wakesUp} />.</p>`}
  </div>`;
}

/**
 * Windows in their order; consecutive ones that do the same are one row.
 * @param {{ shoot: ShootDocument, windows: MaintenanceWindow[], overview: Overview }} props
 */
function Windows({ shoot, windows, overview }) {
  if (windows.length === 0) return html`<p class="none">Maintenance changes nothing until ${dayOf(overview.until)}.</p>`;
  /** @type {{ first: number, last: number, key: string }[]} */
  const rows = [];
  windows.forEach((it, at) => {
    const key = JSON.stringify([windowKind(it), it.events, it.blockedBy, it.notCertain]);
    const before = rows[rows.length - 1];
    before?.key === key ? (before.last = at) : rows.push({ first: at, last: at, key });
  });
  const head = ["Window", "When", "Changes", "Machines replaced", "Effects and reasons"];
  const cells = (/** @type {{ first: number, last: number }} */ { first, last }) => {
    const it = windows[first] ?? {};
    const later = last - first;
    return [
      html`<p><strong>${later === 0 ? first + 1 : `${first + 1}–${last + 1}`}</strong></p><p><${KindKey} kind=${windowKind(it)} /></p>`,
      html`<p><${WindowTime} window=${it} /></p>
        <p class="dim">${inDays(it.begin, overview.at)}</p>
        ${later > 0 && html`<p>and ${counted(later, "later window")} until ${dayOf(windows[last]?.begin)}</p>`}`,
      changesOf(list(it.events)).slice(0, 12).map((text) => html`<p><${Prose} text=${text} /></p>`),
      it.status === "blocked" ? "None" : sentence(machinesOf(shoot, it)),
      html`<${Sentences} texts=${reasonsOf(it)} />${it.wakesUp && html`<p>Wakes up at <${Moment} time=${it.wakesUp} /></p>`}`,
    ];
  };
  return html`<${PagedTable} label="Maintenance windows" className="windows" items=${rows} size=${8} head=${head} cells=${cells} />`;
}

/** @param {MaintenanceWindow} window */
function reasonsOf(window) {
  const events = list(window.events);
  const blockers = list(window.blockedBy).map((it) => `refused: ${string(it.message)}`);
  const unsure = list(window.notCertain).map((it) => `not certain: ${it}`);
  const causes = distinct(events.map((it) => it.cause)).slice(0, 4);
  const oddities = events.flatMap((it) => list(it.oddities)).slice(0, 4);
  const hibernated = window.sleeps ? ["the cluster is hibernated at that time"] : [];
  return [...blockers, ...(blockers.length > 0 ? [] : effectsOf(window)), ...causes, ...oddities, ...unsure.slice(0, 4), ...hibernated];
}

const statusTexts = /** @type {Record<string, string>} */ ({
  stays: "no change", scheduled: "scheduled", blocked: "◆ refused by a rule", "no-update-possible": "◆ no update possible", paused: "paused",
});

/** Versions in use, equal ones of several pools once. @param {{ targets: Target[] }} props */
function Versions({ targets }) {
  const groups = groupBy(targets, (it) => JSON.stringify([it.part, it.image, it.version, it.status, it.targetVersion, it.autoUpdate, it.endOfSupport]));
  const head = ["Part", "Version", "Stage", "Supported until", "Next update"];
  const cells = (/** @type {Target[]} */ same) => {
    const it = same[0] ?? {};
    const pools = distinct(same.map((target) => target.pool));
    const part = it.part === "image" ? string(it.image) : it.part === "pool" ? "Kubernetes" : "Kubernetes, control plane";
    return [
      html`<${Name} text=${part} /> <span class="dim"><bdi>${pools.length > 0 && poolsText(pools)}</bdi></span>`,
      html`<${Name} text=${it.version} none="not known" />`,
      string(it.classification) || "not listed",
      it.endOfSupport ? dayOf(it.endOfSupport) : "no date",
      html`<${NextUpdate} target=${it} />`,
    ];
  };
  return html`<${PagedTable} label="Versions in use" className="versions-used" items=${groups} size=${10} head=${head} cells=${cells} />`;
}

/** @param {{ target: Target }} props */
function NextUpdate({ target: { status, targetVersion, pausedReason, autoUpdate } }) {
  const text = statusTexts[string(status)] ?? "not known";
  return html`<span class=${text.startsWith("◆") ? "must" : ""}>${text}</span>
    ${targetVersion && html` to <${Name} text=${targetVersion} />`}${pausedReason && html`: <${Prose} text=${pausedReason} />`}
    ${autoUpdate === false && html` <span class="dim">(automatic updates are off)</span>`}`;
}

/** @param {{ pools: Pool[] | undefined }} props */
function Pools({ pools }) {
  if (!pools) return html`<p class="none">Not known, since the Shoot could not be read.</p>`;
  if (list(pools).length === 0) return html`<p class="none">This Shoot has no pools.</p>`;
  const head = ["Pool", "Machines", "Machine type", "Image", "Kubernetes", "Zones", "Update"];
  const cells = (/** @type {Pool} */ it) => [
    html`<strong><${Name} text=${it.name} /></strong>`,
    it.maximum === undefined ? "not known" : `${number(it.minimum)}–${number(it.maximum)}`,
    html`<${Name} text=${it.machineType} none="not known" />`,
    html`<${Name} text=${it.image} none="not known" /> <${Name} text=${it.imageVersion} none="no version" />`,
    html`<${Name} text=${it.kubernetes} none="not known" />`,
    list(it.zones).length > 3 ? counted(list(it.zones).length, "zone") : list(it.zones).join(", ") || "none",
    string(it.updateStrategy),
  ];
  return html`<${PagedTable} label="Pools" items=${list(pools)} size=${12} head=${head} cells=${cells} />`;
}

/** @param {{ title: string, conditions: Condition[] }} props */
function Conditions({ title, conditions }) {
  if (conditions.length === 0) return null;
  const cells = (/** @type {Condition} */ it) => [
    html`<${Name} text=${it.type} />`,
    html`<span class=${it.status === "False" ? "must" : ""}>${it.status === "False" && "◆ "}${string(it.status) || "Unknown"}</span>`,
    html`<${Moment} time=${it.since} />`,
    html`${it.reason && html`<p><${Name} text=${it.reason} /></p>`}<p><${Prose} text=${it.message} /></p>`,
  ];
  return html`<${Section} title=${title} count=${conditions.length}>
    <${PagedTable} label=${title} items=${conditions} size=${12} head=${["Type", "Status", "Since", "Reason and message"]} cells=${cells} />
  <//>`;
}
