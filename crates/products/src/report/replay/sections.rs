// SPDX-License-Identifier: Apache-2.0
//! The groups of a replay, most severe first.

use crate::forecast::Owner;
use crate::replay::{Change, ChangeGroup, Replayed};
use crate::report::forecast::counted;
use crate::report::truncation::number;

/// Maximum number of owners that an entry names.
const OWNERS: usize = 3;

/// The changes in the order of reports, with their headings.
pub(super) const CHANGES: [(Change, &str); 6] = [
    (Change::Denied, "denied, and not denied before"),
    (Change::DeniedOtherwise, "denied, and denied by other findings before"),
    (Change::Undetermined, "undetermined"),
    (Change::NotDenied, "no longer denied"),
    (Change::Warned, "with a new warning"),
    (Change::Gone, "without a former finding"),
];

/// Returns the first line of a report.
pub(super) fn headline(replayed: &Replayed) -> String {
    let all = count(replayed.requests, "recorded request");
    match (replayed.requests, replayed.changed, replayed.newly_denied) {
        (0, ..) => "no recorded request was judged".to_owned(),
        (_, 0, _) => format!("{all} judged again: the same findings as before"),
        (_, changed, 0) => {
            format!("newly denied: none of {all}; changed: {}", number(changed))
        }
        (_, changed, denied) => {
            let (denied, changed) = (number(denied), number(changed));
            format!("newly denied: {denied} of {all}; changed: {changed}")
        }
    }
}

/// Returns the heading of a section with the number of requests.
pub(super) fn heading(title: &str, groups: &[(&str, &ChangeGroup)]) -> String {
    let requests: usize = groups.iter().map(|(_, group)| group.requests).sum();
    format!("{title} ({})", number(requests))
}

/// Returns the number of requests and objects of a group, and their owners.
pub(super) fn scope(group: &ChangeGroup) -> String {
    let mut owners: Vec<(&Owner, usize)> = group.owners.iter().map(|(it, n)| (it, *n)).collect();
    owners.sort_by_key(|(_, requests)| std::cmp::Reverse(*requests));
    let named = owners.iter().take(OWNERS).filter_map(|(owner, _)| name(owner));
    let mut named: Vec<String> = named.collect();
    let more = owners.len().saturating_sub(OWNERS);
    if more > 0 {
        named.push(format!("{} more", number(more)));
    }
    let of = if named.is_empty() { String::new() } else { format!(" of {}", named.join(", ")) };
    format!("{} for {}{of}", count(group.requests, "request"), count(group.objects, "object"))
}

/// Returns the objects that are named, with the places of their requests.
pub(super) fn examples(group: &ChangeGroup) -> String {
    let named = group.named.iter().map(|(object, place)| format!("{object} ({place})"));
    let mut named: Vec<String> = named.collect();
    let more = group.objects.saturating_sub(named.len());
    if more > 0 {
        named.push(format!("{} more", number(more)));
    }
    named.join(", ")
}

fn name(owner: &Owner) -> Option<String> {
    match (owner.project.as_str(), owner.name.as_str()) {
        ("", _) => None,
        (project, "") => Some(format!("Project {project}")),
        (project, name) => Some(format!("Project {project} ({name})")),
    }
}

/// Returns a number with a noun.
pub(super) fn count(count: usize, noun: &str) -> String {
    counted(count, noun, &format!("{noun}s")).unwrap_or_default()
}
