// SPDX-License-Identifier: Apache-2.0
//! The assumptions of a plan about durations.

use garden_gate_core::plan::{Estimates, minutes};

/// Formats the assumptions as sentences.
pub(super) fn sentence(estimates: &Estimates) -> String {
    let range = |best, typical| format!("{} to {}", minutes(best), minutes(typical));
    let source = if *estimates == Estimates::default() {
        "Assumed, not measured"
    } else {
        "By the configuration, not measured"
    };
    format!(
        "{source}: the creation of a machine takes {}, its drain and deletion {}, an update in place {}. At worst, {}, and no machine fails.",
        range(estimates.creation_best, estimates.creation_typical),
        range(estimates.removal_best, estimates.removal_typical),
        range(estimates.update_best, estimates.update_typical),
        worst(estimates),
    )
}

fn worst(estimates: &Estimates) -> String {
    let known = [
        ("a creation", "creations", estimates.creation_worst),
        ("a drain and deletion", "drains", estimates.removal_worst),
        ("a drain and update in place", "updates", estimates.update_worst),
    ];
    let configured =
        known.iter().filter_map(|(one, _, it)| it.map(|it| format!("{one} takes {}", minutes(it))));
    let others: Vec<&str> =
        known.iter().filter(|(.., it)| it.is_none()).map(|(_, many, _)| *many).collect();
    let others = match others.as_slice() {
        [] => None,
        [one] => Some(format!("{one} end at their timeouts")),
        [first @ .., last] => {
            Some(format!("{} and {last} end at their timeouts", first.join(", ")))
        }
    };
    configured.chain(others).collect::<Vec<String>>().join(", ")
}
