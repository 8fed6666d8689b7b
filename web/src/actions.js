// @ts-check
import { counted, distinct, integer, list, string } from "./text.js";
import { parseTime } from "./times.js";

/** @typedef {{ urgent: boolean, window?: MaintenanceWindow, at?: string, title: string, why: string[], how: string[], rule?: string }} Action */

/** Returns the actions of the owner of a Shoot, those that are necessary first, then by date. @param {ShootDocument} shoot @returns {Action[]} */
export function actionsOf(shoot) {
  const windows = list(shoot.forecast?.windows);
  const ofShoot = [...deletion(shoot), ...unknownForecast(shoot), ...refusals(shoot), ...failedConstraints(shoot)];
  const all = [...ofShoot, ...blockedRuns(windows), ...impossibleUpdates(shoot, windows), ...forcedUpdates(windows)];
  const time = (/** @type {Action} */ it) => parseTime(it.window?.begin ?? it.at) ?? 0;
  return all.sort((a, b) => Number(b.urgent) - Number(a.urgent) || time(a) - time(b));
}

/** @param {ShootDocument} shoot @returns {Action[]} */
function deletion({ deletion }) {
  if (!deletion) return [];
  const how = ["save what you need, or extend its lifetime if its Quota permits that"];
  return [{ urgent: true, at: deletion, title: "Gardener deletes this cluster", why: ["its lifetime ends"], how }];
}

/** @param {ShootDocument} shoot @returns {Action[]} */
function unknownForecast({ forecast, notForecast }) {
  if (forecast) return [];
  const why = [string(notForecast) || "no reason is given"];
  return [{ urgent: true, title: "The maintenance of this Shoot is not known", why, how: ["correct the Shoot or the garden, and repeat the forecast"] }];
}

/** @param {ShootDocument} shoot @returns {Action[]} */
function refusals({ findings }) {
  const denied = list(findings).filter((it) => it.level === "deny");
  return groupBy(denied, (it) => `${string(it.finding)}\n${string(it.message)}`).map((same) => {
    const [first = {}] = same;
    const who = first.beyond ? "garden-gate refuses" : "Gardener refuses";
    const what = first.occasion === "create" ? "this Shoot if it is created again" : first.occasion === "current" ? "the current state of this Shoot" : "every write of this Shoot";
    const fields = distinct(same.map((it) => it.field));
    const where = fields.length > 1 ? `${fields[0]} and ${counted(fields.length - 1, "more field")}` : fields[0];
    const field = where ? `field \`${where.replaceAll("`", "")}\`` : "";
    return { urgent: first.occasion !== "create", title: `${who} ${what}`, why: [string(first.message), field], how: [string(first.help)], rule: first.rule };
  });
}

/** @param {ShootDocument} shoot @returns {Action[]} */
function failedConstraints({ constraints }) {
  return list(constraints).filter((it) => it.status === "False").map((it) => ({
    urgent: false, at: it.since, title: `Constraint ${string(it.type)} is False`, why: [string(it.message) || string(it.reason)], how: [],
  }));
}

/** @param {MaintenanceWindow[]} windows @returns {Action[]} */
function blockedRuns(windows) {
  const blocked = windows.filter((it) => it.status === "blocked");
  return groupBy(blocked, (it) => JSON.stringify(list(it.blockedBy))).map((same) => {
    const [window = {}] = same;
    const reasons = list(window.blockedBy);
    const later = same.length > 1 ? [`so do ${counted(same.length - 1, "later run")}`] : [];
    const own = list(window.events).map((it) => string(it.advice));
    const helps = distinct(reasons.map((it) => it.help));
    return {
      urgent: true, window, title: "The maintenance run fails, since a rule refuses its update", rule: reasons[0]?.rule,
      why: [...reasons.map((it) => string(it.message)), ...later], how: helps.length > 0 ? helps : own,
    };
  });
}

/** @param {ShootDocument} shoot @param {MaintenanceWindow[]} windows @returns {Action[]} */
function impossibleUpdates({ forecast }, windows) {
  const events = windows.flatMap((window) => list(window.events).filter((it) => it.class === "no update possible").map((event) => ({ window, event })));
  const actions = groupBy(events, ({ event }) => `${changeOf(event)}\n${string(event.cause)}`).map((same) => {
    const { window, event } = /** @type {{ window: MaintenanceWindow, event: MaintenanceEvent }} */ (same[0]);
    const title = `No update of ${partOf(event)} ${string(event.from)} is possible`;
    return { urgent: true, window, title, why: [string(event.cause)], how: [string(event.advice)] };
  });
  if (actions.length > 0) return actions;
  const stuck = list(forecast?.targets).filter((it) => it.status === "no-update-possible");
  return groupBy(stuck, (it) => `${partOf(it)} ${string(it.version)}`).map(([target = {}]) => ({
    urgent: true, at: target.endOfSupport, title: `No update of ${partOf(target)} ${string(target.version)} is possible`, why: [],
    how: ["ask the operators of the landscape for a later version in the profile"],
  }));
}

/** @param {MaintenanceWindow[]} windows @returns {Action[]} */
function forcedUpdates(windows) {
  const scheduled = windows.filter((it) => it.status !== "blocked");
  return scheduled.flatMap((window) => {
    const forced = list(window.events).filter((it) => it.class === "forced");
    return groupBy(forced, (it) => `${changeOf(it)}\n${string(it.cause)}`).map((same) => {
      const [event = {}] = same;
      return { urgent: false, window, title: `Forced update: ${changesOf(same)[0]}`, why: [string(event.cause)], how: [string(event.advice)] };
    });
  });
}

/**
 * @template T
 * @param {T[]} items @param {(item: T) => string} key @returns {T[][]}
 */
export function groupBy(items, key) {
  /** @type {Map<string, T[]>} */
  const groups = new Map();
  for (const item of items) {
    const group = groups.get(key(item));
    group ? group.push(item) : groups.set(key(item), [item]);
  }
  return [...groups.values()];
}

/** Names a part of a Shoot without its pool. @param {{ part?: string, image?: string, field?: string }} of */
export function partOf({ part, image, field }) {
  if (part === "image") return string(image) || "machine image";
  if (part === "field") return string(field) || "field";
  return part === "operation" ? "operation" : "Kubernetes";
}

/** @param {MaintenanceEvent} event */
function changeOf(event) {
  if (event.part === "operation") return `operation ${string(event.to) || string(event.from)}`;
  const to = event.class === "no update possible" ? "no update possible" : event.to === null ? "removed" : string(event.to) || "?";
  return `${partOf(event)} ${string(event.from)} → ${to}`;
}

/** Formats changes, equal ones of several pools once. @param {MaintenanceEvent[]} events @returns {string[]} */
export function changesOf(events) {
  return groupBy(list(events), changeOf).map((same) => {
    const [first = {}] = same;
    const pools = distinct(same.map((it) => it.pool));
    const where = pools.length === 0 ? "" : ` in ${poolsText(pools)}`;
    const isControlPlane = same.some((it) => it.part === "control-plane");
    return `${changeOf(first)}${isControlPlane && where ? ` and${where}` : where}`;
  });
}

/** Disruptions without those that replace all machines of a pool. @type {[string, (pools: string) => string][]} */
const effectTexts = [
  ["replaces-surge", (pools) => `replaces as many machines as \`maxSurge\` of ${pools}`],
  ["in-place-by-hand", (pools) => `updates ${pools} in place, node by node when you select it`],
  ["in-place", (pools) => `updates ${pools} in place`],
  ["kubelets-restart", (pools) => `restarts the kubelets of ${pools}`],
  ["api-server-restarts", () => "restarts the API server"],
];

/** @param {MaintenanceWindow} window @param {string} effect */
function poolsWith(window, effect) {
  const effects = list(window.events).flatMap((it) => list(it.effects)).filter((it) => it.effect === effect);
  return distinct(effects.flatMap((it) => list(it.pools)));
}

/** Formats the disruptions of a run, the largest first. @param {MaintenanceWindow} window */
export function effectsOf(window) {
  const known = list(window.events).flatMap((it) => list(it.effects)).map((it) => it.effect);
  return effectTexts.filter(([effect]) => known.includes(effect)).map(([effect, text]) => {
    const pools = poolsWith(window, effect);
    return text(poolsText(pools));
  });
}

/** @param {string[]} pools */
export function poolsText(pools) {
  return pools.length === 1 ? `pool ${pools[0]}` : counted(pools.length, "pool");
}

/** Formats the number of machines that a run replaces. @param {ShootDocument} shoot @param {MaintenanceWindow} window */
export function machinesOf(shoot, window) {
  const count = (/** @type {string} */ effect) => {
    const names = poolsWith(window, effect);
    const pools = list(shoot.pools).filter((it) => names.includes(string(it.name)));
    return { pools: names, machines: pools.reduce((sum, it) => sum + integer(it.maximum), 0), isKnown: pools.length === names.length };
  };
  const text = (/** @type {ReturnType<typeof count>} */ { pools, machines, isKnown }) =>
    `${isKnown ? `up to ${counted(machines, "machine")}` : "an unknown number of machines"} in ${poolsText(pools)}`;
  const [rolls, mayRoll] = [count("rolls"), count("may-roll")];
  return [rolls.pools.length > 0 ? text(rolls) : "", mayRoll.pools.length > 0 ? `perhaps ${text(mayRoll)}` : ""].filter(Boolean).join(", and ") || "none";
}
