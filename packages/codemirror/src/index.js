// SPDX-License-Identifier: Apache-2.0
/** @import { CompletionContext, CompletionResult } from "@codemirror/autocomplete" */
/** @import { Diagnostic } from "@codemirror/lint" */
/** @import { Extension, Text } from "@codemirror/state" */
/** @import { EditorView, Tooltip } from "@codemirror/view" */
/** @import { InputManifest, Marker } from "@garden-gate/core" */
import { autocompletion } from "@codemirror/autocomplete";
import { forceLinting, linter } from "@codemirror/lint";
import { StateEffect } from "@codemirror/state";
import { hoverTooltip } from "@codemirror/view";
import { rendered } from "./markdown.js";

export { rendered };

/**
 * A session of `@garden-gate/core`: one in a worker, of `connect().open(…)`, or one in this thread, of `load()` and `open(…)`.
 *
 * @typedef {import("@garden-gate/core/client").RemoteSession | import("@garden-gate/core").Session} AnySession
 */

/**
 * @typedef {object} Options
 * @property {AnySession | (() => AnySession | null)} session the garden, the user and the configuration; `null` while there is none
 * @property {string} [file] the name of the file in messages
 * @property {() => readonly InputManifest[]} [others] other manifests of the same change
 * @property {string} [old] the text before the change
 * @property {string} [at] the time of the verdicts; by default the current time
 * @property {number} [delay] the time without keystrokes before a review, in milliseconds
 * @property {(rule: string) => string | null} [rulePage] the address of the page of a rule
 * @property {(markers: readonly Marker[]) => void} [onMarkers] called with the findings of each review
 */

const DELAY = 15;

/** The effect of `refresh`. */
const refreshed = StateEffect.define();

/**
 * Findings with fixes, documentation and completion for a manifest.
 *
 * @param {Options} options
 * @returns {Extension}
 */
export function gardenGate(options) {
  return [gardenGateLinter(options), gardenGateHover(options), autocompletion({ override: [gardenGateCompletion(options)] })];
}

/**
 * Reviews the manifest again, for example with another garden.
 *
 * @param {EditorView} view
 */
export function refresh(view) {
  view.dispatch({ effects: refreshed.of(null) });
  forceLinting(view);
}

/** @param {Options} options */
function sessionOf({ session }) {
  return typeof session === "function" ? session() : session;
}

/**
 * Shows findings, with fixes as actions.
 *
 * @param {Options} options
 * @returns {Extension}
 */
export function gardenGateLinter(options) {
  const file = options.file ?? "manifest.yaml";
  const needsRefresh = (/** @type {import("@codemirror/view").ViewUpdate} */ update) =>
    update.transactions.some((it) => it.effects.some((effect) => effect.is(refreshed)));
  return linter((view) => reviewed(view, file, options), { delay: options.delay ?? DELAY, needsRefresh });
}

/**
 * @param {EditorView} view
 * @param {string} file
 * @param {Options} options
 * @returns {Promise<Diagnostic[]>}
 */
async function reviewed(view, file, options) {
  const session = sessionOf(options);
  if (session === null) return [];
  const doc = view.state.doc;
  const manifest = { name: file, text: doc.toString(), ...(options.old === undefined ? {} : { old: options.old }) };
  const manifests = [manifest, ...(options.others?.() ?? [])];
  const { details } = await session.review({ manifests, ...(options.at ? { at: options.at } : {}) });
  options.onMarkers?.(details.markers);
  return details.markers.filter((it) => it.file === file).map((it) => diagnostic(it, doc, options));
}

/**
 * @param {Marker} marker
 * @param {Text} doc
 * @param {Options} options
 * @returns {Diagnostic}
 */
function diagnostic(marker, doc, options) {
  const from = Math.min(marker.from, doc.length);
  const end = marker.to > from ? marker.to : doc.lineAt(from).to;
  const { fix } = marker;
  /** @type {import("@codemirror/lint").Action[]} */
  const actions = [];
  if (fix) actions.push({ name: fix.title, apply: (view) => apply(view, doc, fix.edits) });
  const page = marker.rule ? options.rulePage?.(marker.rule) : null;
  if (page) actions.push({ name: "Open the page of the rule", apply: () => void open(page, "_blank", "noopener") });
  return {
    from,
    to: Math.min(end, doc.length),
    severity: marker.severity,
    source: marker.id || "garden-gate",
    message: marker.message,
    actions,
  };
}

/**
 * Applies the edits of a fix, unless the text has changed since the review.
 *
 * @param {EditorView} view
 * @param {Text} doc
 * @param {readonly { from: number, to: number, insert: string }[]} edits
 */
function apply(view, doc, edits) {
  if (!view.state.doc.eq(doc)) return forceLinting(view);
  view.dispatch({ changes: [...edits], userEvent: "input.fix" });
}

/**
 * Shows the documentation of the field at the pointer.
 *
 * @param {Options} options
 * @returns {Extension}
 */
export function gardenGateHover(options) {
  return hoverTooltip(async (view, pos) => {
    const session = sessionOf(options);
    const hover = await session?.hover({ text: view.state.doc.toString(), offset: pos, ...(options.at ? { at: options.at } : {}) });
    if (!hover) return null;
    /** @type {Tooltip} */
    const tooltip = { pos: hover.from, end: hover.to, above: true, create: () => ({ dom: rendered(hover.markdown) }) };
    return tooltip;
  });
}

/**
 * Returns a source of completions.
 *
 * @param {Options} options
 * @returns {(context: CompletionContext) => Promise<CompletionResult | null>}
 */
export function gardenGateCompletion(options) {
  const types = { field: "property", value: "constant", manifest: "class" };
  return async (context) => {
    const session = sessionOf(options);
    const input = { text: context.state.doc.toString(), offset: context.pos, ...(options.at ? { at: options.at } : {}) };
    const list = await session?.complete(input);
    if (!list || list.proposals.length === 0 || context.aborted) return null;
    const isTyped = list.from < context.pos;
    if (!context.explicit && !isTyped) return null;
    return {
      from: list.from,
      to: list.to,
      validFor: /^[\w.\/+-]*$/,
      options: list.proposals.map((it, index) => ({
        label: it.label,
        apply: it.insert,
        type: types[it.kind],
        detail: it.detail,
        boost: -Math.min(index, 98),
        ...(it.documentation ? { info: () => rendered(it.documentation) } : {}),
      })),
    };
  };
}

