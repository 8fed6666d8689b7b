// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, ErrorType, Findings, Write, rule};
use crate::rules::shoot::change::compared;
use crate::rules::shoot::workers::pool_pairs::{Pool, pairs};
use garden_gate_model::api::{Shoot, Worker};
use garden_gate_text::go::{Version, compare_versions};

rule! {
    page: include_str!("in_place_versions.md"),
    id: "shoot/in-place-versions",
    summary: "rejects image downgrades and skipped Kubernetes minor versions of in-place pools",
    phase: Static,
    level: Deny,
    scopes: [Shoot [Update] [Itself, Binding]],
    findings: {
        MINOR_SKIP = "shoot/in-place-minor-skip": "an in-place pool skips a Kubernetes minor version",
        IMAGE_VERSION_MISSING = "shoot/in-place-image-version-missing": "an in-place pool has no machine image version",
        IMAGE_DOWNGRADE = "shoot/in-place-image-downgrade": "the machine image of an in-place pool is downgraded",
        UNREADABLE = "shoot/in-place-image-version-unreadable": "the old or the new machine image version cannot be parsed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let Some((new, old)) = compared(context, shoot) else {
        return;
    };
    for pool in pairs(new, Some(old)) {
        if !pool.new.is_in_place() {
            continue;
        }
        // A new pool is compared with itself, but has the stored version of the Shoot.
        let before = pool.old.unwrap_or(pool.new);
        check_minor(&pool, old.version_of(before), new.version_of(pool.new), findings);
        check_image(&pool, before, findings);
    }
}

fn check_minor(pool: &Pool<'_>, old: &str, new: &str, findings: &mut Findings) {
    let Ok(from) = Version::parse(old) else {
        return;
    };
    let too_far = format!("{}.{}.0", from.major, from.minor.wrapping_add(2));
    if !compare_versions(new, ">=", &too_far).unwrap_or(false) {
        return;
    }
    let name = &pool.new.name;
    let next = format!("{}.{}", from.major, from.minor.wrapping_add(1));
    let message = format!(
        "pool `{name}` would go from Kubernetes `{old}` to `{new}`; nodes that are updated in place cannot skip a minor version"
    );
    let path = pool.path().child("kubernetes").child("version");
    findings
        .forbid(&MINOR_SKIP, path, message)
        .value(new)
        .help(format!("go to `{next}` first; the pool can have a version of its own"));
}

fn check_image(pool: &Pool<'_>, before: &Worker, findings: &mut Findings) {
    let (old, new) = (before.image_version(), pool.new.image_version());
    let name = &pool.new.name;
    let (kind, error, message, help) = if new.is_empty() {
        (
            &IMAGE_VERSION_MISSING,
            ErrorType::Invalid,
            format!(
                "pool `{name}` is updated in place, so the version of its machine image must be there"
            ),
            "name a version of the CloudProfile",
        )
    } else {
        match compare_versions(new, "<", old) {
            Ok(false) => return,
            Ok(true) => (
                &IMAGE_DOWNGRADE,
                ErrorType::Forbidden,
                format!(
                    "pool `{name}` would go back from machine image `{old}` to `{new}`; nodes that are updated in place cannot"
                ),
                "use the same version or a newer one",
            ),
            Err(why) => (
                &UNREADABLE,
                ErrorType::Invalid,
                format!(
                    "machine image versions `{old}` and `{new}` of pool `{name}` cannot be compared: {why}"
                ),
                "use versions of the form `1.2.3`",
            ),
        }
    };
    let path = pool.path().child("machine").child("image").child("version");
    findings.report(kind, error, path, message).value(new).help(help);
}
