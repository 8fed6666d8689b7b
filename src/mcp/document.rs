// SPDX-License-Identifier: Apache-2.0
//! JSON documents of commands within a limit: first whole, then with shorter lists, the most urgent entries first.

use std::collections::BTreeMap;

use serde_json::Value;

use garden_gate_text::escape;

/// The lists that may be shortened, as JSON pointers; all others belong to a whole, such as a patch.
const LISTS: [&str; 15] = [
    "",
    "/audit/byOwner",
    "/audit/byProject",
    "/audit/byRule",
    "/audit/notes",
    "/audit/versions",
    "/changes",
    "/images",
    "/kubernetes",
    "/leftOut/files",
    "/leftOut/incomplete",
    "/noLongerForecast",
    "/notForecast",
    "/reviews",
    "/shoots",
];
/// The lists of an entry that may be shortened.
const LISTS_OF_ENTRY: [&str; 5] = ["findings", "notJudged", "targets", "undetermined", "windows"];
/// The numbers of entries that are tried, and with which lists of an entry are shortened at least.
const ATTEMPTS: [usize; 12] = [5000, 2000, 1000, 500, 200, 100, 50, 20, 10, 5, 2, 1];
const FEWEST_OF_ENTRY: usize = 5;

/// A document within a limit.
pub(super) struct Within {
    pub(super) text: String,
    /// The shortened lists, such as `reviews: 20 of 5000`; empty if the document is whole.
    pub(super) shortened: Vec<String>,
}

/// Returns the document in at most `most` bytes, or `None` if even one entry of each list is too large.
pub(super) fn within(whole: &str, mut document: Value, most: usize) -> Option<Within> {
    if whole.len() <= most {
        return Some(Within { text: whole.to_owned(), shortened: Vec::new() });
    }
    let text = compact(&document);
    if text.len() <= most {
        return Some(Within { text, shortened: Vec::new() });
    }
    let before = lengths(&document);
    sort(&mut document);
    let is_patched = remove_patches(&mut document);
    let mut is_cut = false;
    for count in ATTEMPTS {
        is_cut |= shorten(&mut document, count);
        let text = compact(&document);
        if text.len() <= most {
            let mut shortened = differences(&before, &lengths(&document));
            shortened.extend(is_patched.then(|| "without `patch`".to_owned()));
            let fewest = count.max(FEWEST_OF_ENTRY);
            shortened.extend(is_cut.then(|| format!("lists in an entry: at most {fewest}")));
            return Some(Within { text, shortened });
        }
    }
    None
}

fn compact(document: &Value) -> String {
    escape::json(&document.to_string()).into_owned()
}

fn lengths(document: &Value) -> BTreeMap<&'static str, usize> {
    let lists = LISTS.iter().filter_map(|list| {
        let entries = document.pointer(list)?.as_array()?;
        Some((*list, entries.len()))
    });
    lists.collect()
}

/// Returns the lists that have become shorter.
fn differences(
    before: &BTreeMap<&'static str, usize>,
    after: &BTreeMap<&'static str, usize>,
) -> Vec<String> {
    let shorter = before.iter().filter_map(|(list, count)| {
        let kept = after.get(list).copied().unwrap_or_default();
        let name = match list.trim_start_matches('/') {
            "" => "entries".to_owned(),
            name => name.replace('/', "."),
        };
        (kept < *count).then(|| format!("{name}: {kept} of {count}"))
    });
    shorter.collect()
}

/// Sets patches to `null`, which readers must expect; returns whether there were any.
fn remove_patches(document: &mut Value) -> bool {
    let reviews = document.pointer_mut("/reviews").and_then(Value::as_array_mut);
    let mut is_patched = false;
    for review in reviews.into_iter().flatten() {
        if let Some(patch) = review.get_mut("patch").filter(|it| !it.is_null()) {
            *patch = Value::Null;
            is_patched = true;
        }
    }
    is_patched
}

/// Shortens the lists to `count` entries; returns whether lists of an entry were shortened, too.
fn shorten(document: &mut Value, count: usize) -> bool {
    let fewest = count.max(FEWEST_OF_ENTRY);
    let mut is_cut = false;
    for list in LISTS {
        let Some(entries) = document.pointer_mut(list).and_then(Value::as_array_mut) else {
            continue;
        };
        entries.truncate(count);
        for entry in entries {
            for name in LISTS_OF_ENTRY {
                if let Some(Value::Array(values)) = entry.get_mut(name) {
                    is_cut |= values.len() > fewest;
                    values.truncate(fewest);
                }
            }
        }
    }
    is_cut
}

/// Sorts reviews and Shoots by urgency; equally urgent ones keep their order.
fn sort(document: &mut Value) {
    for list in ["/reviews", "/shoots"] {
        if let Some(Value::Array(entries)) = document.pointer_mut(list) {
            entries.sort_by_cached_key(urgency);
        }
    }
}

/// Returns the urgency of a review or a forecast of a Shoot; the least is the most urgent.
pub(super) fn urgency(entry: &Value) -> u8 {
    if let Some(verdict) = entry.get("verdict").and_then(Value::as_str) {
        let has_findings = entry["findings"].as_array().is_some_and(|it| !it.is_empty());
        return match (verdict, has_findings) {
            ("denied", _) => 0,
            ("undetermined", _) => 1,
            (_, true) => 2,
            _ => 3,
        };
    }
    let windows = entry["windows"].as_array().map(Vec::as_slice).unwrap_or_default();
    let is_stuck = |it: &Value| it["status"] != "scheduled";
    let is_forced = |it: &Value| {
        it["events"].as_array().is_some_and(|it| it.iter().any(|it| it["class"] == "forced"))
    };
    match windows {
        [] => 3,
        windows if windows.iter().any(is_stuck) => 0,
        windows if windows.iter().any(is_forced) => 1,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::within;

    fn reviews(count: usize) -> Value {
        let reviews = (0..count).map(|index| {
            let verdict = if index + 1 == count { "denied" } else { "allowed" };
            json!({"name": index, "verdict": verdict, "findings": [], "patch": ["x".repeat(100)]})
        });
        json!({"reviews": reviews.collect::<Vec<_>>(), "summary": {"objects": count}})
    }

    fn shortened(document: &Value, most: usize) -> Option<(Value, Vec<String>)> {
        let whole = serde_json::to_string_pretty(document).unwrap();
        let found = within(&whole, document.clone(), most)?;
        assert!(found.text.len() <= most);
        Some((serde_json::from_str(&found.text).unwrap(), found.shortened))
    }

    #[test]
    fn document_within_the_limit_is_unchanged() {
        let document = reviews(10);
        let whole = serde_json::to_string_pretty(&document).unwrap();
        let found = within(&whole, document.clone(), whole.len()).unwrap();
        assert_eq!(found.text, whole);
        let (compact, shortened) = shortened(&document, whole.len() - 1).unwrap();
        assert_eq!((compact, shortened), (document, Vec::new()));
    }

    #[test]
    fn longer_document_has_the_most_urgent_entries() {
        let (document, shortened) = shortened(&reviews(1000), 1000).unwrap();
        let reviews = document["reviews"].as_array().unwrap();
        assert_eq!(reviews[0]["verdict"], "denied");
        assert_eq!(reviews[1]["name"], 0);
        assert_eq!(document["summary"]["objects"], 1000);
        assert_eq!(shortened[0], format!("reviews: {} of 1000", reviews.len()));
        assert!(reviews.iter().all(|it| it["patch"].is_null()));
        assert!(shortened.contains(&"without `patch`".to_owned()));
    }

    #[test]
    fn patches_are_removed_first() {
        let (document, shortened) = shortened(&reviews(100), 8000).unwrap();
        assert_eq!(document["reviews"].as_array().unwrap().len(), 100);
        assert_eq!(shortened, ["without `patch`"]);
    }

    #[test]
    fn entry_with_many_findings_has_the_first_ones() {
        let findings: Vec<Value> = (0..5000).map(|it| json!({"message": it})).collect();
        let document = json!({"reviews": [{"verdict": "denied", "findings": findings}]});
        let (document, _) = shortened(&document, 1000).unwrap();
        let kept = document["reviews"][0]["findings"].as_array().unwrap().len();
        assert!((5..1000).contains(&kept), "{kept}");
    }

    #[test]
    fn list_of_rules_is_shortened() {
        let rules: Vec<Value> = (0..500).map(|it| json!({"id": it})).collect();
        let (document, shortened) = shortened(&json!(rules), 1000).unwrap();
        let kept = document.as_array().unwrap().len();
        assert_eq!(shortened[0], format!("entries: {kept} of 500"));
    }

    #[test]
    fn document_without_lists_is_whole_or_nothing() {
        assert!(shortened(&json!({"properties": {"x": ["y".repeat(1000)]}}), 100).is_none());
    }

    #[test]
    fn forecasts_that_need_a_person_come_first() {
        let shoot = |name: &str, status: &str, class: &str| {
            let window = json!({"status": status, "events": [{"class": class}]});
            json!({"name": name, "windows": [window], "remarks": ["x".repeat(100)]})
        };
        let mut shoots = vec![shoot("regular", "scheduled", "regular"); 50];
        shoots.push(shoot("forced", "scheduled", "forced"));
        shoots.push(shoot("blocked", "blocked", "forced"));
        let (document, _) = shortened(&json!({"shoots": shoots}), 3000).unwrap();
        assert_eq!(document["shoots"][0]["name"], "blocked");
        assert_eq!(document["shoots"][1]["name"], "forced");
    }
}
