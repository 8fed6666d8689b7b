// SPDX-License-Identifier: Apache-2.0
use schemars::JsonSchema;
use serde::Serialize;

use super::sections::{CHANGES, headline};
use crate::replay::{Change, ChangeGroup, Replayed};
use crate::report::json_document;

/// Formats a replay as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn replay_json(replayed: &Replayed) -> serde_json::Result<String> {
    let groups = CHANGES.iter().flat_map(|(change, _)| {
        let groups = replayed.of(*change).into_iter();
        groups.map(|(id, group)| ReplayChange::of(*change, id, group))
    });
    let unreadable = replayed.unreadable.iter();
    json_document(&ReplayDocument {
        headline: headline(replayed),
        requests: replayed.requests,
        changed: replayed.changed,
        newly_denied: replayed.newly_denied,
        changes: groups.collect(),
        unreadable_lines: replayed.unreadable_count,
        unreadable: unreadable.map(|(place, why)| UnreadableLine { place, why }).collect(),
    })
}

/// Replay of recorded requests.
#[derive(JsonSchema, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Replay")]
pub(crate) struct ReplayDocument<'a> {
    /// The first line of the text output.
    headline: String,
    /// The number of requests that were judged.
    requests: usize,
    /// The number of requests with other findings than before.
    changed: usize,
    /// The number of requests that are denied, and were not denied before.
    newly_denied: usize,
    /// The changes by effect and finding, most severe first.
    changes: Vec<ReplayChange<'a>>,
    /// The number of lines that are not records.
    unreadable_lines: usize,
    /// The first 20 of these lines.
    unreadable: Vec<UnreadableLine<'a>>,
}

/// The requests with the same effect of a finding.
#[derive(JsonSchema, Serialize)]
struct ReplayChange<'a> {
    /// The effect: `denied`, `denied-otherwise`, `undetermined`, `not-denied`, `warned` or `gone`.
    effect: &'static str,
    /// The id of the finding, or of the undetermined rule.
    finding: &'a str,
    /// The number of requests.
    requests: usize,
    /// The number of objects.
    objects: usize,
    /// The message of the first request; empty if the finding is gone.
    message: &'a str,
    /// The numbers of requests by owner, if the Project is known.
    owners: Vec<OwnerRequests<'a>>,
    /// The first 3 objects.
    examples: Vec<ReplayExample<'a>>,
}

/// The number of requests for the objects of a Project.
#[derive(JsonSchema, Serialize)]
struct OwnerRequests<'a> {
    /// The name of the Project.
    project: &'a str,
    /// The owner of the Project; empty if there is none.
    owner: &'a str,
    /// The number of requests.
    requests: usize,
}

/// An object with one of its requests.
#[derive(JsonSchema, Serialize)]
struct ReplayExample<'a> {
    /// The kind, namespace and name.
    object: &'a str,
    /// The file and the line of the record.
    place: &'a str,
}

/// A line that is not a record.
#[derive(JsonSchema, Serialize)]
struct UnreadableLine<'a> {
    /// The file and the line.
    place: &'a str,
    /// The reason.
    why: &'a str,
}

impl<'a> ReplayChange<'a> {
    fn of(change: Change, finding: &'a str, group: &'a ChangeGroup) -> Self {
        let owners = group.owners.iter().filter(|(owner, _)| !owner.project.is_empty());
        let owners = owners.map(|(owner, requests)| OwnerRequests {
            project: &owner.project,
            owner: &owner.name,
            requests: *requests,
        });
        let examples = group.named.iter();
        Self {
            effect: effect(change),
            finding,
            requests: group.requests,
            objects: group.objects,
            message: &group.message,
            owners: owners.collect(),
            examples: examples.map(|(object, place)| ReplayExample { object, place }).collect(),
        }
    }
}

fn effect(change: Change) -> &'static str {
    match change {
        Change::Denied => "denied",
        Change::DeniedOtherwise => "denied-otherwise",
        Change::Undetermined => "undetermined",
        Change::NotDenied => "not-denied",
        Change::Warned => "warned",
        Change::Gone => "gone",
    }
}
