// SPDX-License-Identifier: Apache-2.0
// Generates sites for tests: node test/fixture.mjs KIND FOLDER, with a kind of `kinds`.
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { siteScript } from "../join.mjs";

export const kinds = ["none", "one", "large", "hostile"];
export const RUN = "20261210T000000Z";

const AT = Date.parse("2026-12-10T00:00:00Z");
const DAY = 86_400_000;
const time = (days) => new Date(AT + days * DAY).toISOString().replace(".000Z", "Z");
const day = (days) => time(days).slice(0, 10);

/** Returns a generator of equal sequences of numbers below a limit. */
export function numbers(seed) {
  let state = seed;
  return (limit) => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648;
    return Math.floor((state / 2_147_483_648) * limit);
  };
}

const rules = Array.from({ length: 276 }, (_, at) => ({
  rule: at === 0 ? "shoot/kubernetes-version-unsupported" : at === 1 ? "shoot/machine-image-kubelet-constraint" : `shoot/example-rule-${at}`,
  summary: at === 0 ? "Rejects an unknown, expired or unavailable Kubernetes version." : "Rejects machine images that do not admit the version of the kubelet.",
  subject: "shoot", here: at < 60 ? 1200 - at * 20 : 0, data: `rule/${at}`,
}));

const rulePage = `# \`shoot/kubernetes-version-unsupported\`

Rejects an unknown, expired or unavailable Kubernetes version.

| level in profile \`documented\` | level in profile \`gardener\` | decided | requests | fix |
|---|---|---|---|---|
| deny | deny | by admission (403) | Shoot CREATE, UPDATE, \`binding\` | none |

## Check
The Kubernetes version of the control plane is **available** in the CloudProfile. See [the other rule](../shoot/machine-image-kubelet-constraint.md),
[the web](https://gardener.cloud) and [no link](javascript:alert(1)) <script>alert(1)</script>.

- one \`item\`
- another item
  that continues

1. first
2. second

## Example
\`\`\`yaml
spec:
  kubernetes:
    version: 1.31.8   # expired <b>bold</b>
\`\`\`

### Findings

| id | meaning |
|---|---|
| \`shoot/kubernetes-version-expired\` | the Kubernetes version of a new Shoot has expired |
`;

const findings = [
  { level: "deny", finding: "shoot/kubernetes-version-expired", rule: "shoot/kubernetes-version-unsupported", occasion: "create", field: "spec.kubernetes.version", message: "Kubernetes version `1.30.14` has expired", help: "use `1.31.8` or later: `spec.kubernetes.version: 1.31.8`" },
  { level: "deny", finding: "shoot/toleration-not-whitelisted", rule: "shoot/example-rule-2", occasion: "every-write", field: "spec.tolerations[0]", message: "toleration `seed.gardener.cloud/protected` is not whitelisted for the Project", help: "remove the toleration, or ask an operator to whitelist it in the Project", beyond: true },
  ...[0, 1, 2, 3].map((pool) => ({ level: "warn", finding: "shoot/worker-surge-zero", rule: "shoot/example-rule-3", occasion: "current", field: `spec.provider.workers[${pool}].maxSurge`, message: "`maxSurge` is 0, so each update first removes a machine", help: "set `maxSurge: 1`" })),
];

const stages = (version, shift) => [
  { from: time(-200), version, stage: "supported" },
  { from: time(20 + shift), version, stage: "deprecated" },
  { from: time(45 + shift), version, stage: "expired" },
];

/** A Shoot with all parts of a page. */
function shootOf({ namespace, name, project, owner, state, kubernetes, hostile }) {
  const text = (plain) => (hostile ? `${hostile}${plain}` : plain);
  const pools = ["worker", "gpu", "spot"].map((pool, at) => ({
    name: text(pool), machineType: "m6i.2xlarge", image: "gardenlinux", imageVersion: "1592.9.0", kubernetes, minimum: 2, maximum: 6 * (at + 1),
    zones: ["eu-west-1a", "eu-west-1b", "eu-west-1c"].slice(0, 3 - at), updateStrategy: "AutoRollingUpdate",
  }));
  const names = pools.map((it) => it.name);
  const image = { part: "image", image: "gardenlinux", from: "1592.9.0", to: "1592.12.0", class: "regular", cause: "`1592.12.0` is the latest patch version", effects: [{ effect: "rolls", pools: names }], oddities: [] };
  const control = { part: "control-plane", from: kubernetes, to: "1.32.4", class: "forced", cause: text(`\`${kubernetes}\` expires at 2027-01-24T00:00:00Z, and the profile has no later 1.31`), effects: [{ effect: "api-server-restarts", pools: [] }], oddities: [], advice: "to choose the time, update to `1.32.4` or later yourself before" };
  const window = (days, status, events, more = {}) => ({
    begin: time(days + 21 / 24), earliest: time(days + 21 / 24), latest: time(days + 21.75 / 24), local: `${day(days)} 22:00–22:45+01:00`, status, sleeps: false, blockedBy: [], notCertain: [], events, ...more,
  });
  const pooled = (event) => names.map((pool) => ({ ...event, pool }));
  const isUnknown = state === "unknown";
  return {
    namespace, name, project, owner, profile: "CloudProfile stratus", provider: "aws", region: "eu-west-1", purpose: "production", seed: "aws-eu1", created: time(-400), kubernetes, hibernated: false, highAvailability: "zone",
    maintenance: { begin: "220000+0100", end: "230000+0100", offsetMinutes: 60, kubernetesAutoUpdate: true, imageAutoUpdate: true },
    pools,
    constraints: [
      { type: "HibernationPossible", status: state === "act" ? "False" : "True", reason: "ProblematicWebhooks", message: text("`validating-webhook` with failure policy Fail would block the wake-up"), since: time(-3) },
      { type: "MaintenancePreconditionsSatisfied", status: "True", reason: "NoProblematicWebhooks", message: "all webhooks are properly configured", since: time(-90) },
    ],
    conditions: [{ type: "APIServerAvailable", status: "True", reason: "HealthzRequestSucceeded", message: "API server /healthz endpoint responded with success status code.", since: time(-12) }],
    ...(isUnknown ? { kubernetes: undefined, maintenance: undefined, pools: undefined, constraints: undefined, conditions: undefined, hibernated: undefined, highAvailability: undefined } : {}),
    forecast: isUnknown ? null : {
      targets: [
        { part: "control-plane", version: kubernetes, classification: "supported", endOfSupport: time(45), autoUpdate: true, status: "scheduled", targetVersion: "1.32.4", stages: [...stages(kubernetes, 0).slice(0, 2), { from: time(45), version: "1.32.4", stage: "supported" }] },
        ...names.map((pool) => ({ part: "pool", pool, version: kubernetes, classification: "supported", endOfSupport: time(45), autoUpdate: true, status: "scheduled", targetVersion: "1.32.4", stages: [...stages(kubernetes, 0).slice(0, 2), { from: time(45), version: "1.32.4", stage: "supported" }] })),
        ...names.map((pool) => ({ part: "image", pool, image: "gardenlinux", version: "1592.9.0", classification: "supported", autoUpdate: true, status: state === "act" ? "blocked" : "scheduled", targetVersion: "1592.12.0", stages: [{ from: time(-100), version: "1592.9.0", stage: "supported" }, { from: time(2.9), version: "1592.12.0", stage: "supported" }, { from: time(70), version: "1592.12.0", stage: "deprecated" }] })),
      ],
      windows: [
        window(2, "scheduled", pooled(image)),
        ...(state === "act" ? [window(30, "blocked", [control], { blockedBy: [{ rule: "shoot/machine-image-kubelet-constraint", field: "spec.provider.workers[0].machine.image", message: "machine image `suse-chost:15.4.20260801` of pool `suse` does not admit Kubernetes `1.34.4`, only `< 1.34`", help: "use another version of the image, or a Kubernetes version that it admits" }] })] : []),
        window(45, "scheduled", [control, ...pooled({ ...control, part: "pool", effects: [{ effect: "rolls", pools: names }] })], { notCertain: ["the rule `shoot/quota` is not determined"] }),
        ...(state === "act" ? [window(60, "no-update-possible", [{ part: "image", pool: names[0], image: "suse-chost", from: "15.4.20260801", to: null, class: "no update possible", cause: "the profile has no later version", effects: [], oddities: [], advice: "ask the operators of the landscape for a later version in the profile" }])] : []),
        ...Array.from({ length: 9 }, (_, at) => window(65 + at * 2, "scheduled", [{ part: "field", field: "spec.kubernetes.kubeAPIServer.oidcConfig.clientID", from: "a", to: null, class: "regular", cause: "Gardener removes the field", effects: [], oddities: [] }])),
      ],
      remarks: [],
    },
    notForecast: isUnknown ? text("CloudProfile `cumulus` does not exist") : undefined,
    findings: state === "act" ? findings.map((it) => ({ ...it, message: text(it.message) })) : findings.slice(2),
    undetermined: [{ rule: "shoot/quota", field: "spec.provider.workers", message: "Quota `team` could not be read" }],
    silenced: [{ id: "shoot/worker-surge-zero", reason: "accepted by the team", until: "2026-12-31" }],
    commands: [{ what: "its next 90 days", command: `garden-gate forecast --project ${project || "shop"} --shoot ${name}` }],
  };
}

const DENY = "\u202Eevil\u202C";
const hostileNames = ["<script>globalThis.attacked=1</script>", '"><img src=x onerror=globalThis.attacked=1>', DENY, "n".repeat(253), "", "\ud800lone", "__proto__", "%zz%", "a/b?c#d", "..", "مشروع", "`tick`"];

/** Returns the documents of a site by name. */
export function documents(kind) {
  const random = numbers(7);
  const isHostile = kind === "hostile";
  const size = { none: [0, 0], one: [1, 1], large: [300, 10_000], hostile: [hostileNames.length, hostileNames.length * 3] }[kind];
  const [projectCount, shootCount] = size;
  const namespaces = Array.from({ length: projectCount }, (_, at) => {
    const project = isHostile ? hostileNames[at] : at === 0 ? "shop" : `team-${at}`;
    return { namespace: isHostile ? hostileNames[at] : `garden-${project}`, project: at % 50 === 49 ? "" : project, owner: isHostile ? hostileNames[(at + 1) % hostileNames.length] : `owner-${at % 90}@example.org`, data: `project/${at}` };
  });
  const profiles = ["CloudProfile stratus", "CloudProfile nimbus", isHostile ? hostileNames[0] : "NamespacedCloudProfile garden-shop/custom"];
  const states = ["act", "forced", "regular", "regular", "quiet", "quiet", "quiet", "unknown"];
  const shoots = Array.from({ length: shootCount }, (_, at) => {
    const space = kind === "large" ? (at < 400 ? 0 : random(projectCount)) : at % Math.max(1, projectCount);
    const name = isHostile ? hostileNames[Math.floor(at / 3)] : at === 0 ? "web" : `cluster-${at}`;
    const state = at === 0 ? "act" : states[random(states.length)];
    return { ...namespaces[space], space, name: isHostile ? name : name, state, kubernetes: `1.${30 + random(4)}.${4 + random(3)}`, hostile: isHostile ? hostileNames[at % hostileNames.length] : "" };
  });
  shoots.sort((a, b) => a.space - b.space);
  const row = (it, at) => [it.space, it.name, at % 3, it.kubernetes, ["eu-west-1", "us-east-1", "ap-south-1"][at % 3], ["production", "evaluation"][at % 2], it.state, ["quiet", "unknown"].includes(it.state) ? "" : time(1 + (at % 60)), it.state === "act" ? 2 : 0, at % 4, it.state === "act" ? ["g0"] : [], `shoots/${Math.floor(at / 25)}`, [`Kubernetes ${it.kubernetes}`, "gardenlinux 1592.9.0"]];
  const rows = shoots.map(row);
  const result = {};
  const byProject = namespaces.map(() => []);
  rows.forEach((it, at) => byProject[it[0]].push([rows[at], shoots[at]]));
  const number = (state) => shoots.filter((it) => it.state === state).length;
  const examples = shoots.slice(0, 3).map(({ namespace, name, project, owner }) => ({ namespace, name, project, owner }));
  const item = (at, kind) => ({
    group: `g${at}`, kind, first: kind === "refused" || kind === "no-forecast" ? undefined : day(2 + at), last: kind === "refused" || kind === "no-forecast" ? undefined : day(2 + at + (at % 4)), shoots: at % 3 === 0 ? 4980 - at * 40 : 1, examples: examples.slice(0, at % 3 === 0 ? 3 : 1),
    what: kind === "refused" ? "toleration `seed.gardener.cloud/protected` is not whitelisted" : kind === "forced" ? "Kubernetes 1.31.4 → 1.32.4" : "gardenlinux 1592.9.0 → 1592.12.0", why: kind === "forced" ? ["`1.31.4` expires at 2027-01-15T12:00:00Z, and the profile has no later 1.31", "API servers restart, rolls 12,400 pools"] : [isHostile ? hostileNames[at % hostileNames.length] : "machine image `suse-chost:15.4.20260801` does not admit Kubernetes `1.34.4`, only `< 1.34`"],
    advice: [kind === "forced" ? "to choose the time, update to `1.32.4` or later yourself before" : "use another version of the image, or a Kubernetes version that it admits"], rule: kind === "forced" ? undefined : "shoot/machine-image-kubelet-constraint",
  });
  const few = kind === "none" ? 0 : kind === "one" ? 2 : kind === "large" ? 100 : 12;
  const act = Array.from({ length: few }, (_, at) => item(at, ["blocked", "impossible", "refused", "no-forecast"][at % 4]));
  result.overview = {
    at: time(0), until: time(90), gardener: "1.149", generator: "garden-gate 0.1.0", notes: kind === "large" ? ["NamespacedCloudProfiles could not be read: forbidden"] : [],
    counts: { shoots: shootCount, projects: projectCount, mustAct: number("act"), forcedSoon: Math.floor(number("forced") / 4), forced: number("forced"), refused: number("act"), warned: Math.floor(shootCount / 3), notForecast: number("unknown"), expiring: few ? 4 : 0 },
    soonDays: 14, expiringDays: 30, act, actMore: kind === "large" ? 37 : 0, forced: Array.from({ length: Math.ceil(few / 2) }, (_, at) => item(at, "forced")), forcedMore: 0,
    expiring: few ? [["Kubernetes", "1.30.4", true], ["Kubernetes", "1.31.4", false], ["gardenlinux", "1592.9.0", false], ["suse-chost", "15.4.20260801", true]].map(([part, version, stranded], at) => ({ profile: profiles[at % 3], part, version, at: time(3 + at * 6), shoots: 12 * (at + 1), stranded })) : [], expiringMore: 0,
  };
  result.projects = { projects: namespaces.map((it, at) => {
    const own = byProject[at].map(([, shoot]) => shoot.state);
    const count = (state) => own.filter((each) => each === state).length;
    return { ...it, shoots: own.length, mustAct: count("act"), forced: count("forced"), next: time(2 + (at % 20)), refused: count("act"), warned: at % 7, notForecast: count("unknown") };
  }) };
  result.clusters = { namespaces, profiles, rows };
  namespaces.forEach((it, at) => {
    const { namespace, project, owner } = it;
    result[`project/${at}`] = {
      namespace, project, owner, namespaces: [it], profiles, shoots: byProject[at].map(([each]) => [0, ...each.slice(1)]),
      objects: at % 5 === 0 ? [{ kind: "Project", name: project, findings: [findings[1]], undetermined: [] }, { kind: "SecretBinding", name: "aws", findings: [], undetermined: [{ rule: "binding/quota", field: "quotas[0]", message: "Quota `team` could not be read" }] }] : [],
    };
  });
  for (let at = 0; at < shoots.length; at += 25) result[`shoots/${at / 25}`] = { shoots: shoots.slice(at, at + 25).map(shootOf) };
  result.versions = { at: time(0), until: time(365), profiles: kind === "none" ? [] : profiles.map((profile, at) => (at === 2 && kind === "large" ? { profile, shoots: 3, unknown: "NamespacedCloudProfile `custom` could not be read" } : { profile, shoots: Math.ceil(shootCount / 3), lanes: lanes(kind === "large" ? 25 : 3, random) })) };
  result.findings = {
    findings: kind === "none" ? [] : Array.from({ length: kind === "large" ? 120 : 6 }, (_, at) => ({
      level: at % 4 === 0 ? "deny" : "warn", finding: `shoot/example-finding-${at}`, rule: rules[at % 60].rule, sentence: isHostile ? hostileNames[at] : at % 2 ? "`maxSurge` is 0, so each update first removes a machine" : "the Kubernetes version of a new Shoot has expired", occasions: [["every-write", "create", "current"][at % 3]], objects: 1200 - at, kinds: { Shoot: 1200 - at },
      namespaces: namespaces.slice(0, 40).map((_, place) => [place, 40 - place]).concat([[-1, 1]]), examples: shoots.slice(0, 20).map(({ namespace, name }) => ({ kind: "Shoot", namespace, name })), beyond: at % 5 === 0,
    })), namespaces,
    objects: kind === "none" ? [] : [{ kind: "CloudProfile", name: isHostile ? hostileNames[0] : "stratus", findings: [findings[1]], undetermined: [] }],
  };
  result.rules = { rules };
  rules.forEach((it, at) => { if (at < 3) result[`rule/${at}`] = { rule: it.rule, summary: it.summary, markdown: rulePage }; });
  return result;
}

function lanes(patches, random) {
  const kubernetes = [30, 31, 33, 34].map((minor) => ({
    part: "Kubernetes", name: `1.${minor}`, gap: false,
    versions: Array.from({ length: patches }, (_, at) => ({
      version: `1.${minor}.${at + 2}`, shoots: at % 2 ? random(400) : 0,
      stages: [{ from: time(-300), stage: minor === 34 ? "preview" : "supported" }, { from: time(minor * 20 - 590 + at), stage: minor === 34 ? "supported" : "deprecated" }, { from: time(minor * 20 - 540 + at), stage: "expired" }],
      deadEnd: minor === 31 && at % 2 ? time(80 + at) : undefined, retirement: { forced: at % 2 ? 12 + at : 0, to: ["1.32.4", "1.32.5"], stranded: minor === 31 ? 3 : 0 },
    })),
  }));
  const gap = { part: "Kubernetes", name: "1.32", gap: true, versions: [] };
  const images = ["gardenlinux", "suse-chost"].map((part) => ({ part, name: `${part} (strategy major)`, gap: false, versions: Array.from({ length: patches * 2 }, (_, at) => ({ version: `1592.${at}.0`, shoots: at % 3 ? 0 : 33, stages: [{ from: time(-90), stage: "supported" }, { from: time(10 + at * 4), stage: "expired" }], retirement: { forced: 33, to: ["1592.60.0"], stranded: 0 } })) }));
  return [...kubernetes.slice(0, 2), gap, ...kubernetes.slice(2), ...images];
}

const escape = (text) => String(text).replace(/[&<>"]/g, (it) => `&#${it.charCodeAt(0)};`);

/** Returns the page of a site, with a part of the overview. */
export function indexPage({ overview }, source, playground = false) {
  const tile = (count, label, href) => `<li><a href="${href}" class="tile"><strong>${count}</strong> <span>${label}</span></a></li>`;
  return `<!doctype html>
<html lang="en" data-run="${RUN}" data-source="${source}"${playground ? ` data-playground="playground/index.html" data-examples="${rules[0].rule} ${rules[2].rule}"` : ""}>
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self' data:; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Overview · garden-gate</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${RUN}/site.css">
<script defer src="${RUN}/site.js"></script>
</head>
<body>
<div id="app"><header class="site-head"><a class="brand" href="#/">garden-gate</a></header><main><header class="page-head"><h1 tabindex="-1" id="title">Overview</h1></header>
<ul class="tiles">${tile(overview.counts.mustAct, "must act", "#/clusters?state=act")}${tile(overview.counts.shoots, "Shoots", "#/clusters")}</ul>
<section class="section"><h2>Must act</h2><ul>${overview.act.slice(0, 15).map((it) => `<li>${escape(it.what)}</li>`).join("")}</ul></section></main></div>
<noscript><p>The lists of this site need JavaScript.</p></noscript>
</body>
</html>
`;
}

/** Writes a site into a folder. */
export function writeSite(folder, kind, source = "files", playground = false) {
  const all = documents(kind);
  const put = (name, text) => {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    writeFileSync(join(folder, name), text);
  };
  put("index.html", indexPage(all, source, playground));
  put(`${RUN}/site.js`, siteScript());
  const styles = ["base.css", "site.css"].map((it) => readFileSync(new URL(`../${it}`, import.meta.url)));
  writeFileSync(join(folder, RUN, "site.css"), Buffer.concat(styles));
  for (const [name, value] of Object.entries(all)) {
    const text = JSON.stringify(value);
    if (source === "api") put(`api/v1/${name}`, text);
    else put(`${RUN}/${name}.js`, `gardenGate(${JSON.stringify(name)}, ${text});\n`);
  }
  return folder;
}

/** Reads a document of a written site. */
export function readDocument(folder, run, name) {
  let value;
  new Function("gardenGate", readFileSync(join(folder, run, `${name}.js`), "utf8"))((_, it) => { value = it; });
  return value;
}

if (process.argv[1] && realpathSync(process.argv[1]) === fileURLToPath(import.meta.url)) {
  const [, , kind, folder] = process.argv;
  if (!kinds.includes(kind) || !folder) throw new Error(`usage: node test/fixture.mjs ${kinds.join("|")} FOLDER`);
  writeSite(folder, kind);
}
