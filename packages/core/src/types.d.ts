// Generated from the Rust types by packages/types.mjs.

/**
 * The type of a proposed text.
 */
export type ProposedKind = ("field" | "value" | "manifest")
/**
 * Whether a fix may be applied without a review of it.
 */
export type Applicability = ("safe" | "suggestion")
/**
 * The weight of a marker.
 */
export type Severity = ("error" | "warning" | "info")
/**
 * The result of a review.
 */
export type Verdict = ("allowed" | "denied" | "undetermined")
/**
 * The source of the version of Gardener by which objects are judged. Earlier variants take precedence.
 */
export type VersionSource = ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The document of `forecast --format json`.
 */
export type ForecastDocument = (Forecast1 | Difference1 | Ladder1)
/**
 * The side on which a field was changed, compared with the applied or earlier manifest.
 */
export type Changed = ("garden" | "both" | "unknown")
/**
 * A change of a JSON object at a JSON pointer.
 */
export type Edit = ({
op: "replace"
/**
 * The JSON pointer.
 */
pointer: string
/**
 * The new value.
 */
value: {
[k: string]: unknown
}
} | {
/**
 * The new key.
 */
key: string
op: "rename"
/**
 * The JSON pointer.
 */
pointer: string
} | {
op: "insert"
/**
 * The JSON pointer.
 */
pointer: string
/**
 * The value.
 */
value: {
[k: string]: unknown
}
} | {
op: "remove"
/**
 * The JSON pointer.
 */
pointer: string
})
/**
 * The type of a field error, as in Kubernetes.
 */
export type ErrorType = ("Required" | "Invalid" | "NotSupported" | "Duplicate" | "Forbidden" | "NotFound" | "TypeInvalid" | "TooLong" | "TooMany" | "InternalError" | "Decode" | "Denied" | "Panic")
/**
 * Effect of a finding.
 */
export type Level = ("off" | "warn" | "deny")
/**
 * The occasion on which a finding about a stored object matters.
 */
export type Trigger = ("every-write" | "create" | "current")
/**
 * The operation of a request on an object.
 */
export type Operation = ("CREATE" | "UPDATE" | "DELETE" | "CONNECT")
/**
 * The component that makes a decision.
 */
export type Origin = ("gardener" | "garden-gate")
/**
 * JSON Patch single patch operation
 */
export type PatchOperation = (AddOperation1 | RemoveOperation | ReplaceOperation | MoveOperation1 | CopyOperation1 | TestOperation)
/**
 * Representation of JSON Patch (list of patch operations)
 */
export type Patch = PatchOperation[]
/**
 * Default levels of all rules.
 */
export type Profile = ("documented" | "gardener" | "hardened")

/**
 * A proposed text.
 */
export interface ProposedText {
/**
 * True if new manifests should not use it.
 */
deprecated: boolean
/**
 * A few words; may be empty.
 */
detail: string
/**
 * Documentation in Markdown; may be empty.
 */
documentation: string
/**
 * The new text.
 */
insert: string
/**
 * The type.
 */
kind: ("field" | "value" | "manifest")
/**
 * The name or the value.
 */
label: string
}
/**
 * The proposals at a cursor. Offsets are in code units of UTF-16.
 */
export interface CompletionList {
/**
 * The beginning of the text that a proposal replaces.
 */
from: number
/**
 * The proposals, the best first.
 */
proposals: ProposedText[]
/**
 * The end of it.
 */
to: number
}
/**
 * A cursor in a manifest.
 */
export interface CursorInput {
/**
 * The time, as in a review.
 */
at?: (string | null)
/**
 * The offset of the cursor, in code units of UTF-16.
 */
offset?: number
/**
 * The text of the file.
 */
text?: string
}
/**
 * A replacement of a range of a text.
 */
export interface EditOfText {
/**
 * The beginning of the range.
 */
from: number
/**
 * The new text.
 */
insert: string
/**
 * The end of the range.
 */
to: number
}
/**
 * A fix as edits of the text.
 */
export interface FixEdits {
/**
 * Whether it may be made without a review of it.
 */
applicability: (Applicability | null)
/**
 * The edits, which do not overlap.
 */
edits: EditOfText[]
/**
 * The change in the imperative.
 */
title: string
}
/**
 * A message at a range of a file. Offsets are in code units of UTF-16, as in strings of JavaScript.
 */
export interface Marker {
/**
 * The field in Gardener's notation; empty for the whole object.
 */
field: string
/**
 * The file.
 */
file: string
/**
 * The fix.
 */
fix?: (FixEdits | null)
/**
 * The beginning of the range.
 */
from: number
/**
 * The id of the finding or of the undetermined rule; empty for notes.
 */
id: string
/**
 * The message; help is on a line of its own.
 */
message: string
/**
 * The id of the rule that documents it; empty for notes.
 */
rule: string
/**
 * The weight.
 */
severity: ("error" | "warning" | "info")
/**
 * The end of the range.
 */
to: number
/**
 * True if a check is undetermined.
 */
undetermined?: boolean
}
/**
 * A reviewed object.
 */
export interface ObjectDetails {
/**
 * The difference between the object and the one that would be stored, as a unified diff of YAML; empty without one.
 */
diff?: string
/**
 * The file.
 */
file: string
/**
 * The operation, the kind and the name, such as `CREATE of Shoot garden-dev/web`.
 */
heading: string
/**
 * The verdict.
 */
verdict: ("allowed" | "denied" | "undetermined")
}
/**
 * The findings of a review for an editor.
 */
export interface Details {
/**
 * The findings, and the checks that are undetermined.
 */
markers: Marker[]
/**
 * Warnings and notes on the input as a whole.
 */
notes: string[]
/**
 * The objects, in the order of the review.
 */
objects: ObjectDetails[]
}
/**
 * A finding that denies a maintenance run.
 */
export interface BlockingFinding {
/**
 * The field.
 */
field: string
/**
 * The remedy; may be empty.
 */
help: string
/**
 * The violation in one sentence.
 */
message: string
/**
 * The id of the rule.
 */
rule: string
}
/**
 * An event that differs between the forecasts.
 */
export interface ChangedEvent {
/**
 * The event after the change; `null` if there is none.
 */
after: (TimedEvent | null)
/**
 * The event before the change; `null` if there is none.
 */
before: (TimedEvent | null)
/**
 * `stranded`, `forced earlier`, `forced later`, `no longer stranded` or `otherwise`.
 */
change: string
/**
 * The name of the Shoot.
 */
name: string
/**
 * The namespace of the Shoot.
 */
namespace: string
/**
 * The owner of the Project.
 */
owner: string
/**
 * The Project.
 */
project: string
}
/**
 * An event with its time.
 */
export interface TimedEvent {
/**
 * The findings that deny the run, as text.
 */
blockedBy: string[]
/**
 * The reason, as a sentence.
 */
cause: string
/**
 * `regular`, `forced` or `no update possible`.
 */
class: string
/**
 * The earliest time of the run.
 */
earliest: string
/**
 * The former value.
 */
from: string
/**
 * The latest end of the run.
 */
latest: string
/**
 * The affected part, as text.
 */
part: string
/**
 * The new value; `null` if there is no target version.
 */
to: (string | null)
}
/**
 * Difference between two forecasts, with `--with`.
 */
export interface Difference {
/**
 * The start of both forecasts.
 */
at: string
/**
 * The events that differ.
 */
changes: ChangedEvent[]
judgedAs: JudgedAs
/**
 * The Shoots whose forecast is not possible after the change.
 */
noLongerForecast: LostForecast[]
/**
 * The end of both forecasts.
 */
until: string
}
/**
 * The version of Gardener by which updates are judged.
 */
export interface JudgedAs {
/**
 * The minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one; absent if there are none.
 */
ahead?: number
/**
 * In audits, the version of Gardener whose findings are omitted.
 */
comparedWith?: (string | null)
/**
 * The versions of extensions that flags set.
 */
extensions?: OfExtension[]
/**
 * Source of the version.
 */
from: ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The version of Gardener that the garden publishes.
 */
garden?: (string | null)
/**
 * The minor version, such as `1.149`.
 */
gardener: string
/**
 * With several gardens, the version for each of them.
 */
gardens?: OfGarden[]
/**
 * A note on the difference, if any.
 */
note?: (string | null)
}
/**
 * The version of an extension that a flag sets.
 */
export interface OfExtension {
/**
 * In audits, the version whose findings are omitted.
 */
comparedWith?: (string | null)
/**
 * The name of the extension.
 */
name: string
/**
 * The minor version, such as `1.74`.
 */
version: string
}
/**
 * The version of Gardener by which objects are judged with one of several gardens.
 */
export interface OfGarden {
/**
 * The garden directory.
 */
directory: string
/**
 * Source of the version.
 */
from: ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The minor version, such as `1.149`.
 */
gardener: string
}
/**
 * A Shoot whose forecast is not possible after the change.
 */
export interface LostForecast {
/**
 * The name of the Shoot.
 */
name: string
/**
 * The namespace of the Shoot.
 */
namespace: string
/**
 * The owner of the Project.
 */
owner: string
/**
 * The Project.
 */
project: string
/**
 * The reason why there is no forecast.
 */
why: string
}
/**
 * A disruption.
 */
export interface Disruption {
/**
 * `api-server-restarts`, `kubelets-restart`, `in-place`, `in-place-by-hand`, `replaces-surge`, `may-roll` or `rolls`.
 */
effect: string
/**
 * The affected worker pools.
 */
pools?: string[]
}
/**
 * A change by a maintenance run, or an update that is due but impossible.
 */
export interface Event {
/**
 * The action that the owner of the Shoot should or can take before; absent if there is nothing to do.
 */
advice?: string
/**
 * The reason, as a sentence.
 */
cause: string
/**
 * `regular`, `forced` or `no update possible`.
 */
class: string
/**
 * The disruptions that the change causes.
 */
effects: Disruption[]
/**
 * The path of `field`.
 */
field?: (string | null)
/**
 * The former value.
 */
from: string
/**
 * The name of the machine image of `image`.
 */
image?: (string | null)
/**
 * Warnings about results that are probably unintended, although Gardener produces them.
 */
oddities?: string[]
/**
 * `control-plane`, `pool` (its Kubernetes version), `image` (of a pool), `field` or `operation`.
 */
part: string
/**
 * The worker pool of `pool` and `image`.
 */
pool?: (string | null)
/**
 * The new value; `null` if there is no target version, or if the value is removed.
 */
to: (string | null)
}
/**
 * Forecast of a garden; with `--changed-since`, only its new events and notes.
 */
export interface Forecast {
/**
 * The start of the forecast.
 */
at: string
/**
 * The comparison with a file, with `--changed-since`.
 */
changedSince?: (ForecastChanges | null)
judgedAs: JudgedAs1
/**
 * The Shoots without a forecast.
 */
notForecast: UnknownForecast[]
/**
 * The Shoots with a forecast.
 */
shoots: ShootForecast[]
summary: ForecastCounts
/**
 * The end of the forecast.
 */
until: string
}
/**
 * Comparison with an earlier forecast.
 */
export interface ForecastChanges {
/**
 * The file of the earlier forecast.
 */
file: string
/**
 * Events of the earlier forecast that no longer occur; equal ones of a Shoot count once.
 */
gone: number
/**
 * Other events, which are in both forecasts.
 */
known: number
/**
 * New events, and Shoots that are newly without a forecast. Only these are in the document.
 */
new: number
/**
 * All selected Shoots.
 */
shoots: number
}
/**
 * The version of Gardener by which updates are judged.
 */
export interface JudgedAs1 {
/**
 * The minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one; absent if there are none.
 */
ahead?: number
/**
 * In audits, the version of Gardener whose findings are omitted.
 */
comparedWith?: (string | null)
/**
 * The versions of extensions that flags set.
 */
extensions?: OfExtension[]
/**
 * Source of the version.
 */
from: ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The version of Gardener that the garden publishes.
 */
garden?: (string | null)
/**
 * The minor version, such as `1.149`.
 */
gardener: string
/**
 * With several gardens, the version for each of them.
 */
gardens?: OfGarden[]
/**
 * A note on the difference, if any.
 */
note?: (string | null)
}
/**
 * A Shoot without a forecast.
 */
export interface UnknownForecast {
/**
 * The name of the Shoot.
 */
name: string
/**
 * The namespace of the Shoot.
 */
namespace: string
/**
 * The owner of the Project.
 */
owner: string
/**
 * The Project.
 */
project: string
/**
 * The reason why there is no forecast.
 */
why: string
}
/**
 * Forecast of a Shoot.
 */
export interface ShootForecast {
/**
 * The name of the Shoot.
 */
name: string
/**
 * The namespace of the Shoot.
 */
namespace: string
/**
 * The owner of the Project.
 */
owner: string
/**
 * The profile, such as `CloudProfile stratus`.
 */
profile: string
/**
 * The Project.
 */
project: string
/**
 * Notes on the Shoot, such as a missing maintenance window.
 */
remarks: string[]
/**
 * The versions in use, with their future.
 */
targets: VersionInUse[]
/**
 * The maintenance windows in which something changes.
 */
windows: MaintenanceWindow[]
}
/**
 * A version in use.
 */
export interface VersionInUse {
/**
 * True if maintenance updates the version automatically.
 */
autoUpdate: boolean
/**
 * The current classification in the profile.
 */
classification?: (string | null)
/**
 * The expiration date in the profile.
 */
endOfSupport?: (string | null)
/**
 * The path of `field`.
 */
field?: (string | null)
/**
 * The name of the machine image of `image`.
 */
image?: (string | null)
/**
 * `control-plane`, `pool` (its Kubernetes version), `image` (of a pool), `field` or `operation`.
 */
part: string
/**
 * The reason of the status `paused`.
 */
pausedReason?: string
/**
 * The worker pool of `pool` and `image`.
 */
pool?: (string | null)
/**
 * `stays`, `scheduled`, `blocked`, `no-update-possible` or `paused`.
 */
status: string
/**
 * The version after the next update.
 */
targetVersion?: (string | null)
/**
 * The version.
 */
version: string
}
/**
 * A maintenance window with changes.
 */
export interface MaintenanceWindow {
/**
 * The start of the window.
 */
begin: string
/**
 * The findings that deny the run. Gardener tries again in each window.
 */
blockedBy?: BlockingFinding[]
/**
 * The earliest time of the run.
 */
earliest: string
/**
 * The changes of the run.
 */
events: Event[]
/**
 * The latest end of the run, if Gardener works without delays.
 */
latest: string
/**
 * The day and time of the run in the time zone of the window.
 */
local: string
/**
 * Undetermined rules, which may deny the run.
 */
notCertain?: string[]
/**
 * True if the cluster is hibernated at that time.
 */
sleeps?: boolean
/**
 * `scheduled`, `blocked` (the run is denied) or `no-update-possible`.
 */
status: string
/**
 * The time at which the hibernated cluster wakes up; nodes are updated after it.
 */
wakesUp?: (string | null)
}
/**
 * Counts of Shoots and events.
 */
export interface ForecastCounts {
/**
 * Updates that a rule denies.
 */
blocked: number
/**
 * Forced updates that no rule denies.
 */
forced: number
/**
 * Blocked runs, impossible updates, and Shoots without a forecast, which need a person.
 */
mustAct: number
/**
 * Events of class `no update possible`.
 */
noUpdatePossible: number
/**
 * Shoots without a forecast.
 */
notForecast: number
/**
 * Versions with status `paused`.
 */
paused: number
/**
 * Regular updates that no rule denies.
 */
regular: number
/**
 * Shoots with a forecast; with `--changed-since`, those with new events or notes.
 */
shoots: number
/**
 * Windows with undetermined rules.
 */
uncertainWindows: number
}
/**
 * Counts of a forecast.
 */
export interface ForecastCounts1 {
/**
 * Updates that a rule denies.
 */
blocked: number
/**
 * Forced updates that no rule denies.
 */
forced: number
/**
 * Blocked runs, impossible updates, and Shoots without a forecast, which need a person.
 */
mustAct: number
/**
 * Events of class `no update possible`.
 */
noUpdatePossible: number
/**
 * Shoots without a forecast.
 */
notForecast: number
/**
 * Versions with status `paused`.
 */
paused: number
/**
 * Regular updates that no rule denies.
 */
regular: number
/**
 * Shoots with a forecast; with `--changed-since`, those with new events or notes.
 */
shoots: number
/**
 * Windows with undetermined rules.
 */
uncertainWindows: number
}
/**
 * The version of Gardener by which objects are judged; with several gardens, that of the first.
 */
export interface JudgedAs2 {
/**
 * The minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one; absent if there are none.
 */
ahead?: number
/**
 * In audits, the version of Gardener whose findings are omitted.
 */
comparedWith?: (string | null)
/**
 * The versions of extensions that flags set.
 */
extensions?: OfExtension[]
/**
 * Source of the version.
 */
from: ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The version of Gardener that the garden publishes.
 */
garden?: (string | null)
/**
 * The minor version, such as `1.149`.
 */
gardener: string
/**
 * With several gardens, the version for each of them.
 */
gardens?: OfGarden[]
/**
 * A note on the difference, if any.
 */
note?: (string | null)
}
/**
 * Versions of a profile, with `--cloud-profile`.
 */
export interface Ladder {
/**
 * The start of the period.
 */
at: string
/**
 * Versions of machine images.
 */
images: VersionGroup[]
judgedAs: JudgedAs3
/**
 * Kubernetes versions.
 */
kubernetes: VersionGroup[]
/**
 * The profile, such as `CloudProfile stratus`.
 */
profile: string
/**
 * The end of the period.
 */
until: string
}
/**
 * Versions of a Kubernetes minor version or of a machine image.
 */
export interface VersionGroup {
/**
 * The minor version of Kubernetes, or the name of the image.
 */
name: string
/**
 * The versions.
 */
versions: VersionStages[]
}
/**
 * A version with its lifecycle stages.
 */
export interface VersionStages {
/**
 * The time from which Shoots require an update that is impossible.
 */
deadEndFrom?: (string | null)
/**
 * The number of Shoots that currently use it.
 */
shoots: number
/**
 * The lifecycle stages with their start times; the first starts with the period.
 */
stages: Stage[]
/**
 * The version.
 */
version: string
}
/**
 * A lifecycle stage.
 */
export interface Stage {
/**
 * The classification.
 */
classification: string
/**
 * The start.
 */
from: string
}
/**
 * The version of Gardener by which updates are judged.
 */
export interface JudgedAs3 {
/**
 * The minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one; absent if there are none.
 */
ahead?: number
/**
 * In audits, the version of Gardener whose findings are omitted.
 */
comparedWith?: (string | null)
/**
 * The versions of extensions that flags set.
 */
extensions?: OfExtension[]
/**
 * Source of the version.
 */
from: ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The version of Gardener that the garden publishes.
 */
garden?: (string | null)
/**
 * The minor version, such as `1.149`.
 */
gardener: string
/**
 * With several gardens, the version for each of them.
 */
gardens?: OfGarden[]
/**
 * A note on the difference, if any.
 */
note?: (string | null)
}
/**
 * Forecast of a garden.
 */
export interface Forecast1 {
/**
 * The start of the forecast.
 */
at: string
/**
 * The comparison with a file, with `--changed-since`.
 */
changedSince?: (ForecastChanges | null)
judgedAs: JudgedAs1
/**
 * The Shoots without a forecast.
 */
notForecast: UnknownForecast[]
/**
 * The Shoots with a forecast.
 */
shoots: ShootForecast[]
summary: ForecastCounts
/**
 * The end of the forecast.
 */
until: string
}
/**
 * Difference between two forecasts, with `--with`.
 */
export interface Difference1 {
/**
 * The start of both forecasts.
 */
at: string
/**
 * The events that differ.
 */
changes: ChangedEvent[]
judgedAs: JudgedAs
/**
 * The Shoots whose forecast is not possible after the change.
 */
noLongerForecast: LostForecast[]
/**
 * The end of both forecasts.
 */
until: string
}
/**
 * Versions of a profile, with `--cloud-profile`.
 */
export interface Ladder1 {
/**
 * The start of the period.
 */
at: string
/**
 * Versions of machine images.
 */
images: VersionGroup[]
judgedAs: JudgedAs3
/**
 * Kubernetes versions.
 */
kubernetes: VersionGroup[]
/**
 * The profile, such as `CloudProfile stratus`.
 */
profile: string
/**
 * The end of the period.
 */
until: string
}
/**
 * A manifest to review.
 */
export interface InputManifest {
/**
 * The name, for messages and positions.
 */
name: string
/**
 * The text before the change; absent for a new file, or if nothing is compared.
 */
old?: (string | null)
/**
 * The text: YAML or JSON, also with several objects. The text of a deleted file is empty.
 */
text: string
}
/**
 * A forecast.
 */
export interface ForecastInput {
/**
 * The start, as in a review.
 */
at?: (string | null)
/**
 * The number of days; 90 if absent, at most 3,650.
 */
days?: (number | null)
/**
 * The files with Shoots; without a Shoot, those of the garden.
 */
manifests?: InputManifest[]
}
/**
 * The documentation at a cursor. Offsets are in code units of UTF-16.
 */
export interface HoverText {
/**
 * The beginning of the documented key or value.
 */
from: number
/**
 * The documentation in Markdown.
 */
markdown: string
/**
 * The end of it.
 */
to: number
}
/**
 * JSON Patch 'add' operation representation
 */
export interface AddOperation {
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * within the target document where the operation is performed.
 */
path: string
/**
 * Value to add to the target location.
 */
value: {
[k: string]: unknown
}
}
/**
 * Worker pools whose machines a change replaces or removes.
 */
export interface AffectedMachines {
/**
 * Whether the machines are removed; otherwise they are replaced.
 */
areRemoved: boolean
/**
 * The maximum number of their machines.
 */
atMost: number
/**
 * The number of worker pools.
 */
pools: number
}
/**
 * Shoots that a profile change affects.
 */
export interface AffectedShoots {
/**
 * True if there may be more, since not all Shoots, profiles or rules could be evaluated.
 */
atLeast?: boolean
/**
 * The number of Shoots.
 */
count: number
/**
 * The first of these Shoots, each as `namespace/name`.
 */
first?: string[]
}
/**
 * A changed entry of the profile.
 */
export interface ChangedOffer {
/**
 * The change.
 */
change: string
/**
 * The first of these Shoots, each as `namespace/name`.
 */
first?: string[]
/**
 * The Shoots with forced updates, and their start.
 */
forced?: (ForcedUpdates | null)
/**
 * The number of Shoots that use it; `null` if not all Shoots are known.
 */
shoots: (number | null)
/**
 * The entry, such as `Kubernetes 1.34.1`.
 */
what: string
}
/**
 * Forced updates because a version expires that did not, or expires earlier.
 */
export interface ForcedUpdates {
/**
 * The start of the updates.
 */
from: string
/**
 * The number of Shoots, except those of a NamespacedCloudProfile with a separate expiration date.
 */
shoots: number
}
/**
 * A component whose version a change modifies.
 */
export interface ChangedVersion {
/**
 * Whether the component is Gardener or an extension with rules.
 */
isJudged: boolean
/**
 * The name of the component.
 */
name: string
/**
 * The new version; `null` if the component is removed.
 */
new: (string | null)
/**
 * The old version; `null` if the component is new.
 */
old: (string | null)
}
/**
 * The components whose versions a change modifies, and the stored objects that the new versions judge.
 */
export interface ChangedVersions {
/**
 * The components, by name.
 */
changed: ChangedVersion[]
stored: StoredCounts
}
/**
 * Counts of stored objects; findings that the old versions report, too, do not count.
 */
export interface StoredCounts {
/**
 * The number of objects that would be refused on some occasion.
 */
denied: number
/**
 * The number of all objects.
 */
objects: number
/**
 * The number of other objects for which a check that can refuse is undetermined.
 */
undetermined: number
/**
 * The number of remaining objects with findings.
 */
warned: number
}
/**
 * The result of a comparison with a baseline.
 */
export interface Compared {
/**
 * The number of baseline findings that are fixed: their objects were reviewed without these findings.
 */
gone: number
/**
 * The number of findings in the baseline.
 */
known: number
}
/**
 * JSON Patch 'copy' operation representation
 */
export interface CopyOperation {
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * to copy value from.
 */
from: string
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * within the target document where the operation is performed.
 */
path: string
}
/**
 * Counts of a review.
 */
export interface Counts {
/**
 * Objects with the verdict `allowed`.
 */
allowed: number
/**
 * Objects with the verdict `denied`.
 */
denied: number
/**
 * Files with objects.
 */
files: number
/**
 * Objects.
 */
objects: number
/**
 * Findings of level `deny` that are not in the baseline.
 */
refusals: number
/**
 * Objects with the verdict `undetermined`.
 */
undetermined: number
/**
 * Findings of level `warn` that are not in the baseline.
 */
warnings: number
}
/**
 * A version from the garden that replaces the version in a file.
 */
export interface Edit2 {
/**
 * The old version.
 */
from: string
/**
 * The reason why the file was not changed; absent if it was.
 */
leftBecause?: (string | null)
/**
 * The line in the file, from 1.
 */
line: number
/**
 * The JSON pointer in the manifest.
 */
pointer: string
/**
 * The version in the garden.
 */
to: string
}
/**
 * An error with its position in the file.
 */
export interface Error {
/**
 * The column in the file, from 1.
 */
column: number
/**
 * The line in the file, from 1.
 */
line: number
/**
 * The error.
 */
message: string
}
/**
 * The edits that remove the cause of a finding.
 */
export interface Fix {
/**
 * Whether a fix may be applied without a review of it.
 */
applicability: ("safe" | "suggestion")
/**
 * The edits of the object, in the order in which they apply.
 */
edits: Edit[]
/**
 * The change in the imperative, such as "replace `Gcp` with `gcp`".
 */
title: string
}
/**
 * An object as fixed by Gardener or `--fix`.
 */
export interface Fix2 {
/**
 * The changes as a unified diff of YAML, without comments and with uniform formatting.
 */
diff: string
/**
 * The whole object.
 */
manifest: {
[k: string]: unknown
}
}
/**
 * The impact of a CloudProfile update on Shoots.
 */
export interface Impact {
/**
 * The first changes.
 */
changes: ChangedOffer[]
/**
 * The number of further changes.
 */
more?: number
/**
 * Entries of the changed profile that no Shoot uses; empty if not all Shoots are known.
 */
unused?: Unused[]
}
/**
 * Profile entries that no Shoot uses.
 */
export interface Unused {
/**
 * The number of further names.
 */
more?: number
/**
 * The first names.
 */
names: string[]
/**
 * The type of entry, such as `machine types`.
 */
what: string
}
/**
 * A skipped file.
 */
export interface LeftOutFile {
/**
 * The file.
 */
file: string
/**
 * The reason why the file is skipped.
 */
why: string
}
/**
 * A field whose value differs from that in the garden, with its position in the file.
 */
export interface LocatedDrift {
/**
 * Whether the field is a version, and the version in the garden is newer.
 */
behind: boolean
/**
 * The side on which the field was changed.
 */
changed: ("garden" | "both" | "unknown")
/**
 * The column in the file, from 1.
 */
column: number
/**
 * The path for people, with items of lists by name: `spec.provider.workers[a].machine.image.version`.
 */
field: string
/**
 * The value in the manifest; `null` for an item of a list that only the garden has.
 */
file: {
[k: string]: unknown
}
/**
 * The line in the file, from 1.
 */
line: number
/**
 * The JSON pointer in the manifest; that of the list, for an item that only the garden has.
 */
pointer: string
/**
 * The value in the garden; `null` if it has none.
 */
stored: {
[k: string]: unknown
}
}
/**
 * A finding with its position in the file.
 */
export interface LocatedFinding {
/**
 * True if the baseline contains the finding.
 */
baseline?: boolean
/**
 * The column in the file, from 1.
 */
column: number
/**
 * The field, as Gardener reports it.
 */
field: string
/**
 * The id of the finding.
 */
finding: string
/**
 * Edits of the object that remove the cause; only collected for `review`.
 */
fixes?: Fix[]
/**
 * The remedy; may be empty.
 */
help: string
/**
 * The effect on the request.
 */
level: ("off" | "warn" | "deny")
/**
 * The line in the file, from 1.
 */
line: number
/**
 * The machines that the change replaces or removes.
 */
machines?: (AffectedMachines | null)
/**
 * The violation in one sentence.
 */
message: string
/**
 * Trigger of the finding; only in audits.
 */
occasion?: (Trigger | null)
/**
 * The component that makes the decision.
 */
origin: ("gardener" | "garden-gate")
/**
 * The position of the field in the object, as a JSON pointer.
 */
pointer: string
/**
 * The rule's id.
 */
rule: string
/**
 * The type of the error, as in Kubernetes.
 */
type: ("Required" | "Invalid" | "NotSupported" | "Duplicate" | "Forbidden" | "NotFound" | "TypeInvalid" | "TooLong" | "TooMany" | "InternalError" | "Decode" | "Denied" | "Panic")
/**
 * The invalid value; `null` if there is none.
 */
value: {
[k: string]: unknown
}
/**
 * Whether it would deny the request if the configuration did not lower the level of the profile.
 */
wouldDeny?: boolean
}
/**
 * JSON Patch 'move' operation representation
 */
export interface MoveOperation {
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * to move value from.
 */
from: string
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * within the target document where the operation is performed.
 */
path: string
}
/**
 * 'add' operation
 */
export interface AddOperation1 {
op: "add"
}
/**
 * 'remove' operation
 */
export interface RemoveOperation {
op: "remove"
}
/**
 * 'replace' operation
 */
export interface ReplaceOperation {
op: "replace"
}
/**
 * 'move' operation
 */
export interface MoveOperation1 {
op: "move"
}
/**
 * 'copy' operation
 */
export interface CopyOperation1 {
op: "copy"
}
/**
 * 'test' operation
 */
export interface TestOperation {
op: "test"
}
/**
 * JSON Patch 'remove' operation representation
 */
export interface RemoveOperation1 {
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * within the target document where the operation is performed.
 */
path: string
}
/**
 * JSON Patch 'replace' operation representation
 */
export interface ReplaceOperation1 {
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * within the target document where the operation is performed.
 */
path: string
/**
 * Value to replace with.
 */
value: {
[k: string]: unknown
}
}
/**
 * A reviewed object.
 */
export interface Review {
/**
 * True if the verdict is `allowed`.
 */
allowed: boolean
/**
 * The number of the document in the file, from 1.
 */
document: number
/**
 * Fields whose value differs from that in the garden.
 */
drift?: LocatedDrift[]
/**
 * Versions from the garden that were written to the file.
 */
edits?: Edit2[]
/**
 * Error that prevented reading the object.
 */
error?: (Error | null)
/**
 * Rules from which the configuration exempts the user.
 */
exempt?: string[]
/**
 * The file; `-` for standard input.
 */
file: string
/**
 * The violations.
 */
findings: LocatedFinding[]
/**
 * The fixed object, with `--fix` or `--diff`.
 */
fix?: (Fix2 | null)
/**
 * The source of the old state, such as a Git revision.
 */
from?: string
/**
 * The garden directory, if several were given.
 */
garden?: string
/**
 * The effect of a CloudProfile update on Shoots.
 */
impact?: (Impact | null)
/**
 * The kind of the object.
 */
kind: string
/**
 * The name of the object.
 */
name: string
/**
 * The namespace; empty if there is none.
 */
namespace: string
/**
 * Parts of the object that no rule checks.
 */
notJudged?: Unjudged[]
/**
 * Notes on the review of this object.
 */
notes?: string[]
/**
 * The operation of the request.
 */
operation?: (Operation | null)
/**
 * JSON Patch from the object to its stored form; complete for Shoots only, and not for updates of their status.
 */
patch: (Patch | null)
/**
 * Response of the API server to a dry run.
 */
server?: (ServerVerdict | null)
/**
 * Shoots with a forced update that a profile update adds or makes earlier within 90 days; the stranded ones are not
 * included.
 */
shootsForcedEarlier?: (AffectedShoots | null)
/**
 * Shoots that a profile update strands within 90 days: an update was possible and no longer is. Absent without a
 * known garden. If the profiles of the change have more than 200 Shoots, rules judge the updates of the first 200
 * affected ones only.
 */
shootsStranded?: (AffectedShoots | null)
/**
 * Findings that annotations of the object silence.
 */
silenced?: Silence[]
/**
 * Rules that could not be evaluated, with the missing information.
 */
undetermined: Undetermined[]
/**
 * The verdict.
 */
verdict: ("allowed" | "denied" | "undetermined")
/**
 * True if the profile refuses the object and the configuration lowers the level of every refusal.
 */
wouldDeny?: boolean
}
/**
 * A part of an object that is not judged.
 */
export interface Unjudged {
/**
 * The field, as Kubernetes writes it.
 */
field: string
/**
 * The position, as a JSON pointer.
 */
pointer: string
/**
 * The component that checks it, or the aspect that is not checked.
 */
why: string
}
/**
 * The response of an API server to a dry run.
 */
export interface ServerVerdict {
/**
 * Verdict of the API server; `null` if there is none.
 */
allowed: (boolean | null)
/**
 * The HTTP status code of a refusal.
 */
code?: (number | null)
/**
 * True if it differs from the verdict of garden-gate.
 */
disagrees: boolean
/**
 * The message of the API server.
 */
message: string
}
/**
 * A silenced rule or finding.
 */
export interface Silence {
/**
 * The id of the rule or finding.
 */
id: string
/**
 * The messages of the silenced findings.
 */
messages: string[]
/**
 * The reason in the annotation.
 */
reason: string
/**
 * Last day on which the annotation applies.
 */
until: (string | null)
}
/**
 * A question that a rule could not answer.
 *
 * If the rule can deny, the request is neither allowed nor invalid.
 */
export interface Undetermined {
/**
 * The field in question.
 */
field: string
/**
 * The effect on the request: the highest level of the rule's possible findings.
 */
level: ("off" | "warn" | "deny")
/**
 * The missing information, and how to provide it.
 */
message: string
/**
 * The rule that could not decide.
 */
rule: string
/**
 * Whether it would deny the request if the configuration did not lower the level of the profile.
 */
wouldDeny?: boolean
}
/**
 * Objects and files that `review` skipped.
 */
export interface SkippedInput {
/**
 * Skipped files in directories, with reasons.
 */
files: LeftOutFile[]
/**
 * Templates and patches, which other programs complete before they are applied.
 */
incomplete?: LeftOutFile[]
/**
 * The number of documents of unsupported kinds.
 */
others: number
/**
 * The number of unchanged objects.
 */
unchanged: number
}
/**
 * Counts of stored objects by verdict of the new versions.
 */
export interface StoredCounts1 {
/**
 * The number of objects that would be refused on some occasion.
 */
denied: number
/**
 * The number of all objects.
 */
objects: number
/**
 * The number of other objects for which a check that can refuse is undetermined.
 */
undetermined: number
/**
 * The number of remaining objects with findings.
 */
warned: number
}
/**
 * JSON Patch 'test' operation representation
 */
export interface TestOperation1 {
/**
 * JSON-Pointer value [RFC6901](https://tools.ietf.org/html/rfc6901) that references a location
 * within the target document where the operation is performed.
 */
path: string
/**
 * Value to test against.
 */
value: {
[k: string]: unknown
}
}
/**
 * The document of `review --format json`.
 */
export interface ReviewDocument {
/**
 * The comparison with a baseline, with `--baseline`.
 */
baseline?: (Compared | null)
/**
 * The configuration file that was found.
 */
config?: (string | null)
judgedAs: JudgedAs4
leftOut: SkippedInput1
/**
 * The objects, one entry each.
 */
reviews: Review[]
summary: Counts1
/**
 * The changed versions of components, with `--components` and `--git`.
 */
versions?: (ChangedVersions | null)
}
/**
 * The version of Gardener whose checks apply.
 */
export interface JudgedAs4 {
/**
 * The minor versions by which the Gardener of the garden, or the one set, is newer than the newest known one; absent if there are none.
 */
ahead?: number
/**
 * In audits, the version of Gardener whose findings are omitted.
 */
comparedWith?: (string | null)
/**
 * The versions of extensions that flags set.
 */
extensions?: OfExtension[]
/**
 * Source of the version.
 */
from: ("flag" | "components" | "configuration" | "gardener-info" | "newest")
/**
 * The version of Gardener that the garden publishes.
 */
garden?: (string | null)
/**
 * The minor version, such as `1.149`.
 */
gardener: string
/**
 * With several gardens, the version for each of them.
 */
gardens?: OfGarden[]
/**
 * A note on the difference, if any.
 */
note?: (string | null)
}
/**
 * Skipped objects and files.
 */
export interface SkippedInput1 {
/**
 * Skipped files in directories, with reasons.
 */
files: LeftOutFile[]
/**
 * Templates and patches, which other programs complete before they are applied.
 */
incomplete?: LeftOutFile[]
/**
 * The number of documents of unsupported kinds.
 */
others: number
/**
 * The number of unchanged objects.
 */
unchanged: number
}
/**
 * Counts of the review.
 */
export interface Counts1 {
/**
 * Objects with the verdict `allowed`.
 */
allowed: number
/**
 * Objects with the verdict `denied`.
 */
denied: number
/**
 * Files with objects.
 */
files: number
/**
 * Objects.
 */
objects: number
/**
 * Findings of level `deny` that are not in the baseline.
 */
refusals: number
/**
 * Objects with the verdict `undetermined`.
 */
undetermined: number
/**
 * Findings of level `warn` that are not in the baseline.
 */
warnings: number
}
/**
 * A review.
 */
export interface ReviewInput {
/**
 * The time of the review, such as `2026-12-24T18:00:00Z`, or a date (UTC); absent for the current time.
 */
at?: (string | null)
/**
 * True if the result contains the diff between each object and the object that would be stored.
 */
diff?: boolean
/**
 * The files to review.
 */
manifests?: InputManifest[]
/**
 * The name of the old state of the files, such as a revision.
 */
origin?: (string | null)
}
/**
 * The page of a rule.
 */
export interface RulePage {
/**
 * The id.
 */
id: string
/**
 * The page in Markdown.
 */
markdown: string
/**
 * The violation or effect in one line.
 */
summary: string
}
/**
 * The objects of a garden.
 */
export interface GardenInput {
/**
 * The files.
 */
files?: InputFile[]
/**
 * The name of the garden, for messages, such as that of its directory.
 */
name?: string
/**
 * True if objects that the files lack do not exist, as `--whole-garden`.
 */
whole?: boolean
}
/**
 * A file with its text.
 */
export interface InputFile {
/**
 * The name, for messages and positions.
 */
name: string
/**
 * The text: YAML or JSON, also with several objects.
 */
text: string
}
/**
 * The garden, the user and the configuration of reviews.
 */
export interface SessionInput {
/**
 * The configuration file of garden-gate.
 */
config?: (InputFile | null)
/**
 * The objects of the garden, such as the files of `garden-gate dump`; absent if nothing is known of it, so that rules
 * that look up objects are undetermined.
 */
garden?: (GardenInput | null)
/**
 * The version of Gardener, such as `1.145`; absent for that of the configuration or the garden.
 */
gardenerVersion?: (string | null)
/**
 * The groups of the user, as `--as-group`.
 */
groups?: string[]
/**
 * The namespace of manifests without one.
 */
namespace?: (string | null)
/**
 * Files with GardenPolicies.
 */
policies?: InputFile[]
/**
 * The profile: `documented`, `gardener` or `hardened`; absent for that of the configuration.
 */
profile?: (Profile | null)
/**
 * The requesting user, as `--as`; absent if needed permissions are noted, not judged.
 */
user?: (string | null)
}
/**
 * The versions of the program and of Gardener.
 */
export interface Versions {
/**
 * The version of garden-gate.
 */
gardenGate: string
/**
 * The newest known version of Gardener.
 */
gardener: string
/**
 * The ids of all rules.
 */
rules: string[]
}
