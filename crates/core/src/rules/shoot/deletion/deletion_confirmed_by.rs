// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, rule};
use garden_gate_model::api::{DELETION_CONFIRMED_BY, Shoot, is_confirmed};

rule! {
    page: include_str!("deletion_confirmed_by.md"),
    id: "shoot/deletion-confirmed-by",
    summary: "sets `deletion.gardener.cloud/confirmed-by` to the confirming user",
    phase: Mutating,
    level: Deny,
    scopes: [Shoot [Create, Update]],
    acts_on_unchanged: [
        "'confirmation.gardener.cloud/deletion' in object.metadata.?annotations.orValue({})",
        "'deletion.gardener.cloud/confirmed-by' in object.metadata.?annotations.orValue({})",
    ],
    effect: "the annotation is set or kept; no request is rejected",
    check: Mutate(mutate),
}

fn mutate(context: &Context<'_>, shoot: &mut Shoot, old: Option<&Shoot>, _: &mut Findings) {
    let by = if !is_confirmed(&shoot.metadata) {
        None
    } else if let Some(old) = old.filter(|old| is_confirmed(&old.metadata)) {
        Some(old.annotation(DELETION_CONFIRMED_BY).unwrap_or_default().to_owned())
    } else {
        Some(context.request.user_info.username.clone())
    };
    let annotations = &mut shoot.metadata.annotations;
    match by {
        Some(by) => annotations.insert(DELETION_CONFIRMED_BY.to_owned(), by),
        None => annotations.remove(DELETION_CONFIRMED_BY),
    };
}
