// SPDX-License-Identifier: Apache-2.0
use crate::api::{GARDEN_NAMESPACE, MaintenanceAutoUpdate, Shoot};

/// Defaults a Shoot of `namespace`. Mirrors `pkg/apis/core/v1beta1/defaults_shoot.go`, as far as rules read the result.
pub fn shoot(shoot: &mut Shoot, namespace: &str) {
    if namespace == GARDEN_NAMESPACE {
        super::tolerations::tolerate_protected(&mut shoot.spec.tolerations);
    }
    let spec = &mut shoot.spec;
    let auto_update = spec.maintenance.auto_update;
    // Only if the whole section is absent: next to another setting, an absent one means no.
    let auto_update = auto_update
        .unwrap_or(MaintenanceAutoUpdate { kubernetes_version: true, machine_image_version: None });
    let auto_update = spec.maintenance.auto_update.insert(auto_update);
    if spec.provider.workers.is_empty() {
        return;
    }
    auto_update.machine_image_version.get_or_insert(true);
    spec.provider.workers.iter_mut().for_each(super::worker);
    spec.kubernetes.kubelet.get_or_insert_default();
    let proxy = spec.kubernetes.kube_proxy.get_or_insert_default();
    proxy.enabled.get_or_insert(true);
    proxy.mode.get_or_insert_with(|| "IPTables".to_owned());
}

/// Replaces the submitted status by the stored one: only the subresource `status` can change it.
///
/// Mirrors PrepareForCreate and PrepareForUpdate in `pkg/apiserver/registry/core/shoot/strategy.go`. So rules see the effective
/// status of a new object, whatever the request contains.
pub fn stored_status(new: &mut Shoot, old: Option<&Shoot>) {
    new.status = old.map(|old| old.status.clone()).unwrap_or_default();
}

/// Clears fields that only the API server sets.
///
/// A manifest that was copied from a Shoot in deletion has them.
pub fn system_fields(new: &mut Shoot) {
    new.metadata.deletion_timestamp = None;
}

#[cfg(test)]
mod tests {
    use super::shoot;
    use crate::api::{Shoot, Toleration};

    fn defaulted(namespace: &str, tolerations: &[Toleration]) -> Vec<String> {
        let mut object = Shoot::default();
        object.spec.tolerations = tolerations.to_vec();
        shoot(&mut object, namespace);
        object.spec.tolerations.iter().map(ToString::to_string).collect()
    }

    #[test]
    fn garden_shoots_tolerate_protected_seeds() {
        let protected = "seed.gardener.cloud/protected";
        assert_eq!(defaulted("garden", &[]), [protected]);
        assert_eq!(defaulted("garden", &[Toleration::bare(protected)]), [protected]);
        let with_value = Toleration::with_value(protected, "x");
        assert_eq!(
            defaulted("garden", &[with_value]),
            ["seed.gardener.cloud/protected=x", protected]
        );
    }

    #[test]
    fn other_shoots_are_left_alone() {
        assert!(defaulted("garden-dev", &[]).is_empty());
    }
}
