// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, Findings, Update, rule};
use crate::rules::shoot::seed::addresses::with_defaults;
use crate::rules::shoot::seed::placement::{move_of, seed, seed_name_path};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("seed_name_change.md"),
    id: "shoot/seed-name-change",
    summary: "rejects changes of `spec.seedName` other than by the subresource `binding`",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [Seed],
    findings: {
        SAME = "shoot/binding-same-seed": "the subresource `binding` is updated, but the seed stays the same",
        UNSET = "shoot/seed-name-unset": "the seed of a Shoot is removed" since 144,
        NOT_VIA_BINDING = "shoot/seed-name-not-via-binding": "the seed is set or changed by an update of the Shoot itself" since 144,
        MORE = "shoot/binding-only-seed-name": "a move to another seed changes another field of the spec",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let is_binding = context.request.sub_resource == "binding";
    let (kind, message, help) = match (old.seed_name(), new.seed_name()) {
        (old, new) if old == new && is_binding => (
            &SAME,
            format!("the binding is updated, but the seed stays {}", quoted(old)),
            "set another spec.seedName, or update the Shoot itself",
        ),
        (old, new) if old == new => return,
        (Some(old), None) => (
            &UNSET,
            format!("the Shoot is on seed `{old}`, which cannot be removed from it"),
            "keep spec.seedName",
        ),
        (old, new) if !is_binding => (
            &NOT_VIA_BINDING,
            format!(
                "the seed cannot be changed from {} to {} by an update of the Shoot itself",
                quoted(old),
                quoted(new)
            ),
            "update the subresource shoots/binding",
        ),
        _ if changes_more(context, shoot, findings) => (
            &MORE,
            "moving to another seed must change nothing of the spec but `spec.seedName`".to_owned(),
            "make the other changes before or afterwards",
        ),
        _ => return,
    };
    findings.forbid(kind, seed_name_path(), message).value(new.seed_name()).help(help);
}

/// Reports whether a move to another seed changes anything else.
///
/// Ranges that only the new seed fills in are a change, too.
fn changes_more(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) -> bool {
    let new = shoot.new;
    let Some((_, to)) = move_of(shoot) else {
        return false;
    };
    let fields = context.stored_changes(new);
    if fields.iter().any(|field| field != "seedName") {
        return true;
    }
    let Some(seed) = seed(context, to, findings) else {
        return false;
    };
    let own = &new.networking();
    let (pods, services) = with_defaults(own, new.is_workerless(), &seed.spec.networks);
    // Gardener then generates a range for a Shoot without worker pools.
    let made_up = new.is_workerless() && own.has("IPv6") && services.is_none();
    pods != own.pods.as_ref() || services != own.services.as_ref() || made_up
}

fn quoted(seed: Option<&str>) -> String {
    seed.map_or_else(|| "none".to_owned(), |seed| format!("`{seed}`"))
}

#[cfg(test)]
mod tests {
    use super::quoted;

    #[test]
    fn absent_seed_is_none() {
        assert_eq!(quoted(Some("s")), "`s`");
        assert_eq!(quoted(None), "none");
    }
}
