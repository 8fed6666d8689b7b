// SPDX-License-Identifier: Apache-2.0
use super::{Collected, Referred, resources};
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Kind;

const DNS: &[&str] = &["spec", "dns"];
pub(crate) const PLUGINS: &[&str] = &["spec", "kubernetes", "kubeAPIServer", "admissionPlugins"];
const AUTHENTICATION: &[&str] =
    &["spec", "kubernetes", "kubeAPIServer", "structuredAuthentication"];
pub(crate) const AUTHORIZATION: &[&str] =
    &["spec", "kubernetes", "kubeAPIServer", "structuredAuthorization"];

/// Returns all objects that a Shoot of a namespace references.
pub(crate) fn of_shoot(shoot: &Part<'_>, namespace: &str) -> Vec<Referred> {
    let mut all = Collected::new(namespace);
    all.all = resources(shoot, namespace);
    for provider in shoot.items_at(&["spec", "dns", "providers"]) {
        match provider.at(&["credentialsRef"]) {
            None => all.add(DNS, Kind::Secret, provider.at(&["secretName"])),
            reference => all.add_reference(DNS, reference),
        }
    }
    for plugin in shoot.items_at(PLUGINS) {
        all.add(PLUGINS, Kind::Secret, plugin.at(&["kubeconfigSecretName"]));
    }
    for part in [AUTHENTICATION, AUTHORIZATION] {
        let structured = shoot.at(part);
        let name = structured.as_ref().and_then(|it| it.at(&["configMapName"]));
        all.add(part, Kind::ConfigMap, name);
        for kubeconfig in structured.iter().flat_map(|it| it.items_at(&["kubeconfigs"])) {
            all.add(part, Kind::Secret, kubeconfig.at(&["secretName"]));
        }
    }
    all.all
}
