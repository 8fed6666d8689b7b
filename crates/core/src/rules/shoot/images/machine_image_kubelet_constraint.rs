// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shoot::images::offered_images::{PoolImage, check_each, name};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::{Constraint, Version};

rule! {
    page: include_str!("machine_image_kubelet_constraint.md"),
    id: "shoot/machine-image-kubelet-constraint",
    summary: "rejects a machine image that does not support the pool's Kubernetes version",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        CONSTRAINT = "shoot/machine-image-kubelet-constraint": "the machine image does not support the pool's Kubernetes version",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    check_each(context, shoot, findings, |new, pool_image, findings| {
        if let Some((image, message)) = violated(pool_image, new.version_of(pool_image.pool.new)) {
            let path = pool_image.pool.path().descendant("machine.image");
            findings
                .invalid(&CONSTRAINT, path, message)
                .value(image)
                .help("use another version of the image, or a Kubernetes version that it admits");
        }
    });
}

/// Returns the image of a pool, and why it does not admit the version of the kubelet.
fn violated(pool_image: &PoolImage<'_>, kubelet: &str) -> Option<(String, String)> {
    let image = pool_image.pool.new.machine.image.as_ref()?;
    let constraint = pool_image.version()?.kubelet_version_constraint.as_deref()?;
    // Another rule refuses a version that cannot be parsed.
    let parsed = Version::parse(kubelet).ok()?;
    if Constraint::parse(constraint).is_ok_and(|it| it.matches(&parsed)) {
        return None;
    }
    // Gardener checks an image's constraint only if all earlier checks pass.
    if !pool_image.passes() {
        return None;
    }
    let pool = &pool_image.pool.new.name;
    let image = name(image);
    let message = format!(
        "machine image `{image}` of pool `{pool}` does not admit Kubernetes `{kubelet}`, only `{constraint}`"
    );
    Some((image, message))
}
