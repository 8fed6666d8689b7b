// SPDX-License-Identifier: Apache-2.0
//! The policies of operators in texts.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use garden_gate_core::policies::{OwnPolicy, PolicyError, own_policies, policies_in};
use garden_gate_text::escape;
use garden_gate_text::go::and_more;

/// Maximum number of policies, which bounds the number of metrics.
pub const MOST_POLICIES: usize = 1_000;
/// Maximum number of errors that are reported of all files, or of each policy by `policies check`.
const MOST_ERRORS: usize = 100;

/// Compiles the GardenPolicies in texts, in order; each text has the name of its file.
///
/// # Errors
/// Fails with all errors and their positions.
pub fn load(
    texts: impl IntoIterator<Item = (PathBuf, String)>,
) -> Result<Vec<OwnPolicy>, Vec<String>> {
    let (mut policies, mut errors) = (Vec::new(), Vec::new());
    let mut files_by_id: BTreeMap<&str, PathBuf> = BTreeMap::new();
    for (path, text) in texts {
        match policies_in(&text).map(|documents| own_policies(&documents)) {
            Ok(Ok(own)) => {
                for policy in own {
                    if let Some(other) = files_by_id.insert(policy.id(), path.clone()) {
                        errors.push(duplicate(&path, &policy, &other));
                    }
                    policies.push(policy);
                }
            }
            Ok(Err(found)) => errors.extend(found.iter().map(|it| line(&path, it))),
            Err(error) => errors.push(line(&path, &error)),
        }
    }
    if policies.len() > MOST_POLICIES {
        let count = policies.len();
        errors.push(format!("there are {count} GardenPolicies; the limit is {MOST_POLICIES}"));
    }
    if errors.is_empty() { Ok(policies) } else { Err(limited(errors)) }
}

fn duplicate(path: &Path, policy: &OwnPolicy, other: &Path) -> String {
    let [path, other] = [path, other].map(|it| it.display().to_string());
    let [path, other] = [&path, &other].map(|it| escape::value(it));
    let id = policy.id();
    format!("{path}: the id `{id}` is also in `{other}`; set another `spec.id`")
}

/// Returns the first distinct errors with their counts, and the number of the others.
pub fn limited(errors: Vec<String>) -> Vec<String> {
    let (mut first, mut counts) = (Vec::new(), BTreeMap::new());
    for error in &errors {
        let count = counts.entry(error.as_str()).or_insert(0_usize);
        *count += 1;
        if *count == 1 && first.len() < MOST_ERRORS {
            first.push(error.as_str());
        }
    }
    let others = counts.len() - first.len();
    let others = (others > 0).then(|| format!("{} errors", and_more(others)));
    let counted = |error: &str| match counts.get(error) {
        Some(count @ 2..) => format!("{error} ({count} times)"),
        _ => error.to_owned(),
    };
    first.into_iter().map(counted).chain(others).collect()
}

/// Formats an error as `file:line:column: message; help`.
pub fn line(path: &Path, error: &PolicyError) -> String {
    let PolicyError { position, message, help } = error;
    let separator = if help.is_empty() { "" } else { "; " };
    format!("{}:{position}: {message}{separator}{help}", path.display())
}
