// @ts-check
import { html, useMemo } from "./view.js";
import { counted, integer, list, Name, number, string } from "./text.js";
import { useDocument } from "./data.js";
import { address } from "./route.js";
import { Fix, Loaded, Message, Paged, PagedTable, PageHead, Prose, Section } from "./parts.js";
import { VirtualList } from "./list.js";
import { dayOf, inDays, parseTime } from "./times.js";
import { Axis, bandsOf, KindKey, spanOf, Track } from "./timeline.js";

const NAMED = 6;

/** @param {PageProps} props */
export function VersionsPage({ route, update }) {
  return html`<${PageHead} title="Versions"><p class="dim">Versions of each profile, their Shoots, and the dates from which these need another version.</p><//>
    <${Loaded} of=${useDocument("versions")}>${(/** @type {Versions} */ document) => html`<${Profiles} document=${document} route=${route} update=${update} />`}<//>`;
}

/** @param {PageProps & { document: Versions }} props */
function Profiles({ document, route, update }) {
  const { profile, unused } = route.query;
  const isUnknown = (/** @type {Profile} */ it) => Number(Boolean(it.unknown));
  const profiles = list(document.profiles).sort((a, b) => isUnknown(b) - isUnknown(a) || strandedOf(b) - strandedOf(a) || integer(b.shoots) - integer(a.shoots));
  const chosen = profiles.find((it) => string(it.profile) === profile) ?? profiles.find((it) => !it.unknown) ?? profiles[0];
  if (!chosen) return html`<p class="none">This landscape has no profiles.</p>`;
  const change = (/** @type {any} */ event) => update({ unused: event.currentTarget.checked ? "1" : "" });
  return html`${profile && chosen.profile !== profile && html`<${Message} title="This site has no profile “${profile}”."><p>Another one is shown.</p><//>`}
    ${profiles.length > 1 && html`<${ProfileTable} profiles=${profiles} chosen=${chosen} />`}
    <${Section} title=${string(chosen.profile) || "(no name)"}>
      <search class="filters">
        <label class="check"><input type="checkbox" checked=${unused === "1"} onChange=${change} /> <span>Also versions without Shoots</span></label>
      </search>
      ${chosen.unknown
        ? html`<${Message} title="The versions of this profile are not known"><p><${Prose} text=${chosen.unknown} /></p><//>`
        : html`<${Lanes} key=${chosen.profile} profile=${chosen} hasUnused=${unused === "1"} at=${document.at} until=${document.until} />`}
    <//>`;
}

/** Returns the number of Shoots that will need an impossible update. @param {Profile} profile */
function strandedOf(profile) {
  const versions = list(profile.lanes).flatMap((it) => list(it.versions)).filter((it) => it.deadEnd);
  return versions.reduce((sum, it) => sum + integer(it.shoots), 0);
}

/** Profiles, those first that need an action. @param {{ profiles: Profile[], chosen: Profile }} props */
function ProfileTable({ profiles, chosen }) {
  const result = (/** @type {Profile} */ it) => {
    const stranded = strandedOf(it);
    if (it.unknown) return html`? not known: <${Prose} text=${it.unknown} />`;
    return stranded > 0 ? html`<span class="must">◆ ${counted(stranded, "Shoot")} without an update</span>` : html`<span class="dim">nothing</span>`;
  };
  const cells = (/** @type {Profile} */ it) => [
    html`<a href=${address("versions", [], { profile: string(it.profile) })} aria-current=${it === chosen ? "true" : undefined}><${Name} text=${it.profile} /></a>`,
    number(it.shoots),
    result(it),
  ];
  return html`<${PagedTable} label="Profiles" className="profiles" items=${profiles} size=${8} head=${["Profile", "Shoots", "Must act"]} cells=${cells} />`;
}

/** @typedef {{ lane: Lane, version?: Version }} LaneRow */

/** @param {{ profile: Profile, hasUnused: boolean, at: string | undefined, until: string | undefined }} props */
function Lanes({ profile, hasUnused, at, until }) {
  const span = spanOf(at, until);
  const rows = useMemo(() => laneRows(profile, hasUnused), [profile, hasUnused]);
  const columns = [{ head: "Version" }, { head: "Stages", content: html`<${Axis} span=${span} />` }, { head: "Shoots" }, { head: "If it expired now" }];
  const rowClass = (/** @type {LaneRow} */ it) => (it.version ? "" : "lane-head");
  const gap = html`<span class="must">◆ missing in the profile: updates stop before it</span>`;
  const cells = (/** @type {LaneRow} */ { lane, version }) => (version
    ? [html`<${Name} text=${version.version} />`, html`<${Stages} version=${version} span=${span} />`, users(profile, lane, version), retirement(version)]
    : [html`<strong><${Name} text=${titleOf(lane)} /></strong>`, lane.gap && gap, "", ""]);
  return html`<${DeadEnds} lanes=${list(profile.lanes)} at=${at} />
    <section>
      <h3>Stages of versions</h3>
      ${rows.some(({ version }) => version?.deadEnd) && html`<p class="legend"><${KindKey} kind="impossible" /></p>`}
      ${rows.length === 0
        ? html`<p class="none">No Shoot uses a version of this profile.</p>`
        : html`<${VirtualList} label="Versions" className="lanes" columns=${columns} rows=${rows} cells=${cells} rowClass=${rowClass} narrowHeight=${5.6} />`}
    </section>`;
}

/** @param {Profile} profile @param {boolean} hasUnused @returns {LaneRow[]} */
function laneRows(profile, hasUnused) {
  return list(profile.lanes).flatMap((lane) => {
    const versions = list(lane.versions).filter((it) => hasUnused || integer(it.shoots) > 0);
    if (versions.length === 0 && !lane.gap) return [];
    return [{ lane }, ...versions.map((version) => ({ lane, version }))];
  });
}

/** The stages of a version as a chart, and as text for readers of the page. @param {{ version: Version, span: import("./timeline.js").Span }} props */
function Stages({ version, span }) {
  const bands = bandsOf(version.stages, span);
  const text = bands.map((it, at) => (at === 0 ? it.stage : `${it.stage} from ${dayOf(new Date(it.from).toISOString())}`)).join(", ");
  return html`<span class="visually-hidden">${text}</span>
    <span title=${text}><${Track} bands=${bands} span=${span} deadEnd=${parseTime(version.deadEnd)} /></span>`;
}

/** @param {Profile} profile @param {Lane} lane @param {Version} version */
function users(profile, lane, version) {
  if (integer(version.shoots) === 0) return html`<span class="dim">0 Shoots</span>`;
  const text = counted(version.shoots, "Shoot");
  const used = `${string(lane.part)} ${string(version.version)}`;
  return html`<a href=${address("clusters", [], { profile: string(profile.profile), version: used })}>${text}</a>`;
}

/** @param {Version} version */
function retirement({ retirement, shoots, stages }) {
  if (list(stages)[0]?.stage === "expired") return html`<span class="dim">it has expired</span>`;
  if (!retirement) return integer(shoots) === 0 ? html`<span class="dim">nothing</span>` : html`<span class="dim">not known</span>`;
  const { forced, stranded, to } = retirement;
  if (integer(forced) + integer(stranded) === 0) return html`<span class="dim">nothing</span>`;
  const targets = list(to).slice(0, 2).join(", ") + (list(to).length > 2 ? " …" : "");
  return html`${integer(stranded) > 0 && html`<span class="must">◆ ${number(stranded)} without an update</span> `}
    ${integer(forced) > 0 && html`<span>${number(forced)} forced${targets && html` to <bdi>${targets}</bdi>`}</span>`}`;
}

/** Versions whose Shoots will need an update that is impossible, and missing minor versions. @param {{ lanes: Lane[], at: string | undefined }} props */
function DeadEnds({ lanes, at }) {
  const gaps = lanes.filter((it) => it.gap);
  const ends = lanes.map((lane) => ({ lane, stuck: list(lane.versions).filter((it) => it.deadEnd && integer(it.shoots) > 0) }));
  const cards = [
    ...ends.filter(({ stuck }) => stuck.length > 0).map(({ lane, stuck }) => html`<${DeadEnd} lane=${lane} stuck=${stuck} at=${at} />`),
    ...gaps.map((lane) => html`<li class="card card-must">
      <p class="card-title"><span aria-hidden="true">◆</span> <${Name} text=${titleOf(lane)} /> is missing in the profile</p>
      <${Fix} text="add a version of it: Kubernetes updates go one minor version at a time" />
    </li>`),
  ];
  if (cards.length === 0) return null;
  return html`<section class="urgent">
    <h3>Must act <span class="count">${cards.length}</span></h3>
    <${Paged} items=${cards} size=${8} label="Pages of versions">${(/** @type {View[]} */ shown) => html`<ul class="cards">${shown}</ul>`}<//>
  </section>`;
}

/** @param {{ lane: Lane, stuck: Version[], at: string | undefined }} props */
function DeadEnd({ lane, stuck, at }) {
  const shoots = stuck.reduce((sum, it) => sum + integer(it.shoots), 0);
  const [first = ""] = stuck.map((it) => string(it.deadEnd)).sort();
  const more = stuck.length - NAMED;
  const names = stuck.slice(0, NAMED).map((it) => string(it.version)).join(", ");
  return html`<li class="card card-must">
    <p class="card-title">
      <span aria-hidden="true">◆</span> <${Name} text=${titleOf(lane)} />: ${counted(shoots, "Shoot")} without an update from ${dayOf(first)}, ${inDays(first, at)}
    </p>
    <p><bdi>${names}</bdi>${more > 0 && ` and ${counted(more, "more version")}`}</p>
    <${Fix} text="add a later version to the profile, or extend the expiration dates" />
  </li>`;
}

/** @param {Lane} lane */
function titleOf({ part, name }) {
  return string(name).startsWith(string(part)) ? string(name) : `${string(part)} ${string(name)}`;
}
