use std::collections::BTreeMap;

use super::Toleration;

/// Whether a Shoot with `tolerations` may be on a seed with `taints`.
///
/// Mirrors TaintsAreTolerated in `pkg/api/core/helper/seed.go`: there must be as many tolerations as taints, of several
/// tolerations of one key the last counts, and an absent value is the same as an empty one there.
#[must_use]
pub fn tolerates(tolerations: &[Toleration], taints: &[Toleration]) -> bool {
    taints.len() <= tolerations.len() && untolerated(tolerations, taints).is_empty()
}

/// The taints that none of `tolerations` is for; [`tolerates`] may still be false if there are none.
#[must_use]
pub fn untolerated<'a>(
    tolerations: &[Toleration],
    taints: &'a [Toleration],
) -> Vec<&'a Toleration> {
    let values = tolerations.iter().map(|it| {
        let value = it.value.as_deref().unwrap_or_default();
        (it.key.as_str(), value)
    });
    // The last of a key wins.
    let values: BTreeMap<&str, &str> = values.collect();
    let is_tolerated = |taint: &Toleration| match (values.get(taint.key.as_str()), &taint.value) {
        (None, _) => false,
        (Some(_), None) => true,
        (Some(tolerated), Some(value)) => tolerated == value,
    };
    taints.iter().filter(|taint| !is_tolerated(taint)).collect()
}
