// SPDX-License-Identifier: Apache-2.0
//! Duplicate objects in a change.

use std::collections::BTreeMap;

use super::subject::{Copies, Subject};
use garden_gate_core::garden::ObjectKey;

/// Maximum number of other copies that are named.
const MOST: usize = 5;

/// Adds notes on other copies of each object in the change, changed or not.
///
/// A new copy that differs is a warning, since the last applied copy wins. Other copies that existed before, such as
/// one for each landscape, are a note.
pub fn note(subjects: &mut [Subject], unchanged: &[Subject]) {
    let mut places: BTreeMap<ObjectKey, Vec<usize>> = BTreeMap::new();
    let all = subjects.iter().chain(unchanged).enumerate();
    for (index, subject) in all.filter(|(_, it)| it.exists_after()) {
        // An object with `generateName` has no name yet.
        if let Some(key) = subject.key().filter(|key| !key.name.is_empty()) {
            places.entry(key).or_default().push(index);
        }
    }
    places.retain(|_, copies| copies.len() > 1);
    let changed = subjects.len();
    let at = |index: usize| match index.checked_sub(changed) {
        None => subjects.get(index),
        Some(index) => unchanged.get(index),
    };
    let mut notes = Vec::new();
    for (key, copies) in places {
        let all: Vec<&Subject> = copies.iter().filter_map(|it| at(*it)).collect();
        let differs = all.windows(2).any(|pair| !pair[0].is_like(pair[1]));
        let mut new = copies.iter().filter(|it| **it < changed);
        let is_new = new.any(|it| at(*it).is_some_and(Subject::is_new));
        for own in copies.iter().filter(|it| **it < changed) {
            let others = copies.iter().filter(|it| *it != own);
            let named = others.filter_map(|it| at(*it)).take(MOST);
            let mut listed: Vec<String> = named.map(Subject::place).collect();
            if copies.len() > MOST + 1 {
                listed.push(format!("{} other places", copies.len() - 1 - MOST));
            }
            let content = if differs { "with other content" } else { "with the same content" };
            let listed = listed.join(", ");
            notes.push((*own, if differs && is_new { Copies::Warned(format!(
                    "{key} is also defined in {listed}, {content}; the last one that is applied remains"
                )) } else { Copies::Noted(format!("{key} is also in {listed}, {content}")) }));
        }
    }
    for (index, note) in notes {
        if let Some(subject) = subjects.get_mut(index) {
            subject.copies = Some(note);
        }
    }
}
