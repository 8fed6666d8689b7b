// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, Findings, rule};
use crate::rules::shoot::images::offered_images::{PoolImage, check_each, name};
use garden_gate_model::api::Shoot;
use garden_gate_model::gardener::version::supports_capabilities;

rule! {
    page: include_str!("machine_image_capabilities.md"),
    id: "shoot/machine-image-capabilities",
    summary: "rejects a machine image that does not support the machine type's capabilities",
    phase: Admission,
    level: Deny,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    reads: [CloudProfile, NamespacedCloudProfile],
    only_if: Changed,
    findings: {
        CAPABILITIES = "shoot/machine-image-capabilities": "the machine image does not support the capabilities of the machine type",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    check_each(context, shoot, findings, |_, pool_image, findings| {
        if let Some((image, message)) = incapable(pool_image) {
            let path = pool_image.pool.path().descendant("machine.image.version");
            findings
                .invalid(&CAPABILITIES, path, message)
                .value(image)
                .help("use another version of the image, or another machine type");
        }
    });
}

/// Returns the image of a pool, and why its machine type cannot use it.
fn incapable(pool_image: &PoolImage<'_>) -> Option<(String, String)> {
    let machine = &pool_image.pool.new.machine;
    let image = machine.image.as_ref()?;
    if pool_image.spec.machine_capabilities.is_empty() || !pool_image.offered().is_fine() {
        return None;
    }
    let version = pool_image.version()?;
    let mut types = pool_image.spec.machine_types.iter();
    let (kind, image) = (&machine.machine_type, name(image));
    let pool = &pool_image.pool.new.name;
    let message = match types.find(|it| it.name == *kind) {
        Some(machine_type) if supports_capabilities(version, pool_image.spec, machine_type) => {
            return None;
        }
        Some(_) => format!(
            "machine image `{image}` of pool `{pool}` does not have the capabilities of machine type `{kind}`"
        ),
        // Another rule refuses a new machine type that is missing in the profile.
        None if pool_image.pool.old.is_none_or(|old| old.machine.machine_type != *kind) => {
            return None;
        }
        None => format!(
            "the profile does not list machine type `{kind}` of pool `{pool}` any more, so the capabilities of image `{image}` cannot be compared"
        ),
    };
    Some((image, message))
}
