// @ts-check
import { html } from "./view.js";
import { counted, integer, list, Name, number, sentence, string } from "./text.js";
import { useDocument } from "./data.js";
import { address, ruleAddress } from "./route.js";
import { Loaded, Message, PagedTable, PageHead, Prose, Section, Sentences } from "./parts.js";
import { dayOf, dayRange, inDays, Moment } from "./times.js";
import { ItemKind, ShootLink } from "./labels.js";

export function OverviewPage() {
  return html`<${Loaded} of=${useDocument("overview")} title="Overview">${(/** @type {Overview} */ overview) => html`<${OverviewBody} overview=${overview} />`}<//>`;
}

/** @param {{ overview: Overview }} props */
function OverviewBody({ overview }) {
  const { at, until } = overview;
  const counts = overview.counts ?? {};
  const end = dayOf(until);
  return html`<${PageHead} title="Overview">
      <p class="dim">Data of <${Moment} time=${at} />. Maintenance is forecast until ${end}${overview.gardener && `, judged as Gardener ${overview.gardener}`}.</p>
    <//>
    ${list(overview.notes).length > 0 && html`<${Message} title="Not everything is known">
      <${Sentences} texts=${list(overview.notes)} />
      ${integer(overview.notesMore) > 0 && html`<p>and ${counted(overview.notesMore, "more note")}</p>`}
    <//>`}
    <${Tiles} overview=${overview} />
    <${Section} title="Must act" count=${list(overview.act).length + integer(overview.actMore)} urgent=${list(overview.act).length > 0}>
      <${Items} label="Must act" items=${list(overview.act)} more=${integer(overview.actMore)} at=${at} filter="act" none="No Shoot needs an action of its owner until ${end}." />
    <//>
    <${Section} title="Forced updates" count=${list(overview.forced).length + integer(overview.forcedMore)}>
      <${Items} label="Forced updates" items=${list(overview.forced)} more=${integer(overview.forcedMore)} at=${at} filter="forced" none="No update is forced until ${end}." />
    <//>
    <${Section} title="Versions that expire" count=${counts.expiring}><${ExpiringVersions} overview=${overview} /><//>`;
}

/** @param {{ overview: Overview }} props */
function Tiles({ overview }) {
  const { soonDays, expiringDays, until } = overview;
  const counts = overview.counts ?? {};
  const byDate = address("clusters", [], { state: "forced", sort: "next" });
  /** @type {[string, number | undefined, string, string, string][]} */
  const tiles = [
    ["must act", counts.mustAct, address("clusters", [], { state: "act" }), "must", "an update is blocked or impossible, or a rule refuses the Shoot"],
    [`forced within ${counted(soonDays, "day")}`, counts.forcedSoon, byDate, "forced", `${number(counts.forced)} until ${dayOf(until)}: show all`],
    ["refused by rules", counts.refused, address("clusters", [], { state: "refused" }), "must", `${counted(counts.warned, "Shoot")} with other findings`],
    ["not known", counts.notForecast, address("clusters", [], { state: "unknown" }), "not", "Shoots without a forecast"],
    ["versions expire", counts.expiring, address("versions"), "forced", `in use, within ${counted(expiringDays, "day")}`],
    ["Shoots", counts.shoots, address("clusters"), "", `in ${counted(counts.projects, "Project")}`],
  ];
  return html`<ul class="tiles">${tiles.map(([label, count, href, look, detail]) => html`<li>
    <a href=${href} class=${look && integer(count) > 0 ? `tile tile-${look}` : "tile"}>
      <strong>${count === undefined ? "?" : number(count)}</strong> <span>${label}</span> <small>${detail}</small>
    </a>
  </li>`)}</ul>`;
}

/** @param {{ label: string, items: Item[], more: number, at: string | undefined, filter: string, none: string }} props */
function Items({ label, items, more, at, filter, none }) {
  if (items.length === 0 && more === 0) return html`<p class="none">${none}</p>`;
  const cells = (/** @type {Item} */ it) => [
    html`<${When} item=${it} at=${at} />`,
    html`<${Who} item=${it} />`,
    html`<p><${ItemKind} kind=${it.kind} /></p><p><${Prose} text=${it.kind === "refused" ? sentence(string(it.what)) : it.what} /></p>`,
    html`<${Sentences} texts=${list(it.why)} />${it.rule && html`<p><a href=${ruleAddress(it.rule)}>${it.rule}</a></p>`}`,
    it.rule && list(it.advice).length === 0 ? html`<p><a href=${ruleAddress(it.rule)}>How to fix</a></p>` : html`<${Sentences} texts=${list(it.advice)} />`,
  ];
  return html`<${PagedTable} label=${label} className="items" items=${items} size=${15} head=${["When", "Shoots", "Change", "Why", "What to do"]} cells=${cells} />
    ${more > 0 && html`<p><a href=${address("clusters", [], { state: filter })}>${counted(more, "more entry", "more entries")}: show all Shoots</a></p>`}`;
}

/** @param {{ item: Item, at: string | undefined }} props */
function When({ item, at }) {
  if (!item.first) return html`<p>now</p>`;
  return html`<p><strong>${dayRange(item.first, item.last)}</strong></p><p class="dim">${inDays(item.first, at)}</p>`;
}

/** @param {{ item: Item }} props */
function Who({ item }) {
  const examples = list(item.examples).slice(0, 3);
  const count = Math.max(integer(item.shoots), examples.length);
  const names = examples.map((it, at) => html`${at > 0 && ", "}<span class="dim"><${Name} text=${it.project || it.namespace} />/</span><${ShootLink} of=${it} />`);
  if (count === examples.length) return html`<p>${names}</p>`;
  return html`<p><a href=${address("clusters", [], { group: string(item.group) })}><strong>${counted(count, "Shoot")}</strong></a></p>
    <p class="dim">such as ${names}</p>`;
}

/** @param {{ overview: Overview }} props */
function ExpiringVersions({ overview }) {
  const versions = list(overview.expiring);
  const more = integer(overview.expiringMore);
  if (versions.length === 0) return html`<p class="none">No version in use expires within ${counted(overview.expiringDays, "day")}.</p>`;
  const cells = (/** @type {Expiring} */ it) => [
    html`<${Moment} time=${it.at} /> <span class="dim">${inDays(it.at, overview.at)}</span>`,
    html`<${Name} text=${it.part} /> <strong><${Name} text=${it.version} /></strong>`,
    html`<a href=${address("versions", [], { profile: string(it.profile) })}><${Name} text=${it.profile} /></a>`,
    html`<a href=${address("clusters", [], { profile: string(it.profile), version: `${string(it.part)} ${string(it.version)}` })}>${number(it.shoots)}</a>`,
    it.stranded ? html`<${ItemKind} kind="impossible" />` : "an update by then",
  ];
  return html`<${PagedTable} label="Versions that expire" items=${versions} size=${15} head=${["Expires", "Version", "Profile", "Shoots", "Then"]} cells=${cells} />
    ${more > 0 && html`<p><a href=${address("versions")}>${counted(more, "more version")}</a></p>`}`;
}
