// @ts-check
import { html, render, useEffect, useErrorBoundary, useState } from "./view.js";
import { string } from "./text.js";
import { load, playground, useDocument } from "./data.js";
import { address, parseRoute } from "./route.js";
import { Message, navigation, PageHead } from "./parts.js";
import { DAY, inDays, Moment, parseTime, readerZone } from "./times.js";
import { Patterns } from "./timeline.js";
import { Search } from "./search.js";
import { OverviewPage } from "./overview.js";
import { ClustersPage } from "./clusters.js";
import { ProjectPage, ProjectsPage } from "./projects.js";
import { ShootPage } from "./shoot.js";
import { VersionsPage } from "./versions.js";
import { FindingsPage } from "./findings.js";
import { RulePage, RulesPage } from "./rules.js";

const STALE_DAYS = 2;

/** @type {Record<string, [(props: PageProps) => View, string]>} Pages, and the entry of the navigation that they belong to. */
const pages = {
  "": [OverviewPage, ""],
  clusters: [ClustersPage, "clusters"],
  shoot: [ShootPage, "clusters"],
  projects: [ProjectsPage, "projects"],
  project: [ProjectPage, "projects"],
  versions: [VersionsPage, "versions"],
  findings: [FindingsPage, "findings"],
  rules: [RulesPage, "rules"],
  rule: [RulePage, "rules"],
};

/** @type {[string, string][]} */
const entriesOfNavigation = [["", "Overview"], ["clusters", "Clusters"], ["projects", "Projects"], ["versions", "Versions"], ["findings", "Findings"], ["rules", "Rules"]];

function App() {
  const [route, setRoute] = useState(() => parseRoute(location.hash));
  useEffect(() => followAddress(setRoute), []);
  const update = (/** @type {Record<string, string>} */ changes) => {
    const next = { ...route, query: { ...route.query, ...changes } };
    Object.keys(next.query).forEach((it) => next.query[it] === "" && delete next.query[it]);
    setRoute(next);
    replaceAddress(address(next.page, next.path, next.query));
  };
  const [Page, section] = (Object.hasOwn(pages, route.page) && pages[route.page]) || [MissingPage, undefined];
  const skip = (/** @type {Event} */ event) => { event.preventDefault(); document.getElementById("title")?.focus(); };
  return html`<header class="site-head">
      <a class="skip" href="#/" onClick=${skip}>Skip to the content</a>
      <a class="brand" href="#/">garden-gate</a>
      <nav aria-label="Pages">${entriesOfNavigation.map(([page, text]) => html`
        <a href=${address(page)} aria-current=${page === section ? "page" : undefined}>${text}</a>`)}
        ${playground && html`<a href=${playground}>Playground</a>`}</nav>
      <${Search} />
    </header>
    <main><${Guard} key=${[route.page, ...route.path].join("/")}><${Page} route=${route} update=${update} /><//></main>
    <${Foot} />
    <${Patterns} />`;
}

/** Shows a message if the data of a page is broken. @param {{ children: View }} props */
function Guard({ children }) {
  const [error] = useErrorBoundary();
  if (!error) return children;
  return html`<${PageHead} title="This page cannot be shown" />
    <${Message} title="A data file of this site is broken: ${error.message}">
      <p>Write or publish the site again with the same version of garden-gate. If the message stays, report it.</p>
    <//>`;
}

function MissingPage() {
  return html`<${PageHead} title="Page not found" /><p>The address is wrong. <a href="#/">Show the overview</a></p>`;
}

function Foot() {
  const { value } = useDocument("overview");
  const at = parseTime(value?.at);
  const isStale = at !== undefined && Date.now() - at > STALE_DAYS * DAY;
  const age = isStale && html` <strong class="stale">(${inDays(value.at, new Date().toISOString())}: publish the site again)</strong>`;
  return html`<footer class="site-foot dim">${value && html`
    <p>Data of <${Moment} time=${value.at} />; times are in your zone, ${readerZone}${age}</p>
    <p>${string(value.generator)}${value.gardener && `, Gardener ${string(value.gardener)}`}</p>`}</footer>`;
}

/** Follows the address. Back and forward restore the position, other navigation starts at the top. @param {(route: Route) => void} show */
function followAddress(show) {
  /** @type {Map<string, number>} */
  const positions = new Map();
  history.scrollRestoration = "manual";
  const follow = (/** @type {HashChangeEvent} */ event) => {
    positions.set(new URL(event.oldURL).hash, scrollY);
    navigation.top = history.state?.isKnown ? (positions.get(location.hash) ?? 0) : 0;
    replaceAddress(location.hash);
    show(parseRoute(location.hash));
  };
  addEventListener("hashchange", follow);
  return () => removeEventListener("hashchange", follow);
}

/** @param {string} hash */
function replaceAddress(hash) {
  try {
    history.replaceState({ isKnown: true }, "", hash);
  } catch {
    // Browsers limit the number of changes; the next one contains the filters again.
  }
}

/** Starts the page. The overview that the program wrote stays until its data is loaded. */
function start() {
  const app = document.getElementById("app");
  if (!app) return;
  const show = () => render(html`<${App} />`, app);
  replaceAddress(location.hash || "#/");
  if (parseRoute(location.hash).page === "") load("overview").then(show, show);
  else show();
}

start();
