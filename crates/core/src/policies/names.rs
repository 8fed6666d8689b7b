use std::collections::BTreeSet;
use std::sync::{Mutex, PoisonError};

use garden_gate_text::escape;

use crate::admission::POLICY_PREFIX;

/// Maximum number of policies with an id of their own, which bounds the memory of all ids.
const MOST: usize = 10_000;
/// Maximum length of the name of an object in Kubernetes, in bytes.
const LONGEST: usize = 253;
/// The id of all policies above these limits.
const OTHER: &str = "policy/*";

/// The ids so far. Like those of rules, they live as long as the program.
static IDS: Mutex<BTreeSet<&'static str>> = Mutex::new(BTreeSet::new());

/// Returns the id of the findings of a policy, safe to print; the same for the same name.
pub(super) fn finding_id(policy: &str) -> &'static str {
    let id = format!("{POLICY_PREFIX}{}", escape::value(policy));
    let mut ids = IDS.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(known) = ids.get(id.as_str()) {
        return known;
    }
    if ids.len() >= MOST || policy.len() > LONGEST {
        return OTHER;
    }
    let id: &'static str = id.leak();
    ids.insert(id);
    id
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
