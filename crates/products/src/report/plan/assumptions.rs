//! The assumptions of a plan about durations.

use garden_gate_core::plan::{Estimates, minutes};

/// Formats the assumptions as a sentence.
pub(super) fn sentence(estimates: &Estimates) -> String {
    let range = |best, typical| format!("{} to {}", minutes(best), minutes(typical));
    format!(
        "Assumed, not measured: the creation of a machine takes {}, its drain and deletion {}, an update in place {}. At worst, creations, drains and updates end at their timeouts, and no machine fails.",
        range(estimates.creation_best, estimates.creation_typical),
        range(estimates.removal_best, estimates.removal_typical),
        range(estimates.update_best, estimates.update_typical),
    )
}
