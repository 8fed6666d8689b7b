// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use garden_gate_text::escape;

use crate::admission::POLICY_PREFIX;

/// Maximum length of the name of an object in Kubernetes, in bytes.
const LONGEST: usize = 253;
/// Maximum number of names, which bounds their memory: ids of policies, and names of extensions.
const MOST: usize = 10_000;
/// Maximum length of a name, whose characters may be escaped, in bytes.
const LONGEST_KEPT: usize = 10 * LONGEST;
/// The id of all policies above these limits.
const OTHER: &str = "policy/*";

/// The names so far. Like the ids of rules, they live as long as the program.
static NAMES: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Returns the id of the findings of a policy, safe to print; the same for the same name.
pub(super) fn finding_id(policy: &str) -> &'static str {
    let id = (policy.len() <= LONGEST).then(|| format!("{POLICY_PREFIX}{}", escape::value(policy)));
    id.and_then(kept).unwrap_or(OTHER)
}

/// Returns a name that lives as long as the program, the same for the same text; `None` above the limits.
pub(super) fn kept(name: impl Into<String>) -> Option<&'static str> {
    let name = name.into();
    let mut names = NAMES.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = names.get(name.as_str()) {
        return Some(known);
    }
    if names.len() >= MOST || name.len() > LONGEST_KEPT {
        return None;
    }
    let name: &'static str = name.leak();
    names.insert(name);
    Some(name)
}

#[cfg(test)]
mod tests {
    use super::{OTHER, finding_id};

    #[test]
    fn id_is_the_same_for_the_same_name() {
        let [one, again] = ["a.example.com"; 2].map(finding_id);
        assert_eq!(one, "policy/a.example.com");
        assert!(std::ptr::eq(one, again));
        assert_eq!(finding_id(&"x".repeat(1000)), OTHER);
    }

    #[test]
    fn id_has_no_control_characters() {
        assert_eq!(finding_id("a\u{1b}[1mb"), "policy/a\\u{1b}[1mb");
    }
}
