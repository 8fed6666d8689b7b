use std::collections::BTreeMap;
use std::sync::Arc;

use super::extensions::{is_judged, is_of};
use super::{GardenObject, Snapshot};
use crate::api::extensions::Extension;
use crate::api::{
    AdmissionPolicy, AdmissionPolicyBinding, Kind, MatchResources, ObjectMeta, ResourceQuota,
    WebhookConfiguration, WebhookRule,
};
use crate::go::Quantity;

/// The label of garden-gate's own webhooks.
const NAME: &str = "app.kubernetes.io/name";
const OWN_NAME: &str = "garden-gate";

/// Policies, webhooks and limits of the garden's API server, in addition to Gardener's admission.
impl Snapshot {
    /// Returns the titles of bound policies and other webhooks whose rules match an operation, without those of `judged` extensions and of rules.
    #[must_use]
    pub fn policies_for(
        &self,
        resource: (&str, &str, &str),
        operation: &str,
        judged: &[&Extension],
    ) -> Vec<String> {
        let any =
            |rules: &[WebhookRule]| rules.iter().any(|rule| rule.matches(resource, operation));
        let matches = |resources: &MatchResources| {
            let rules = &resources.resource_rules;
            (rules.is_empty() || any(rules)) && !any(&resources.exclude_resource_rules)
        };
        let bindings: Vec<&Arc<AdmissionPolicyBinding>> = self.all().collect();
        let is_bound = |policy: &AdmissionPolicy| {
            let mut bindings = bindings.iter().map(|it| &it.spec);
            let is_dumped = self.knows_of(Kind::ValidatingAdmissionPolicyBinding);
            !is_dumped
                || bindings.any(|binding| {
                    binding.policy_name == policy.metadata.name
                        && binding.match_resources.as_ref().is_none_or(matches)
                })
        };
        let policies = self.all::<AdmissionPolicy>();
        let policies = policies.filter(|it| matches(&it.spec.match_constraints) && is_bound(it));
        let policies =
            policies.map(|it| format!("ValidatingAdmissionPolicy `{}`", it.metadata.name));
        let is_known =
            |it: &WebhookConfiguration| judged.iter().any(|extension| is_of(it, extension));
        let others = self
            .webhook_configurations()
            .filter(|(_, it)| !is_known(it));
        let webhooks = others.flat_map(|(kind, it)| {
            let webhooks = it.webhooks.iter().filter(|webhook| any(&webhook.rules));
            let webhooks = webhooks.filter(|it| !is_judged(it));
            let configuration = &it.metadata.name;
            webhooks.map(move |webhook| {
                format!("webhook `{}` of {kind} `{configuration}`", webhook.name)
            })
        });
        policies.chain(webhooks).collect()
    }

    /// Returns the webhook configurations other than garden-gate's.
    fn webhook_configurations(&self) -> impl Iterator<Item = (Kind, &Arc<WebhookConfiguration>)> {
        let kinds = [
            Kind::MutatingWebhookConfiguration,
            Kind::ValidatingWebhookConfiguration,
        ];
        let all = kinds.into_iter().flat_map(|kind| {
            let of_kind = self.of_namespace(kind, "");
            of_kind.filter_map(move |object| match object {
                GardenObject::MutatingWebhookConfiguration(it)
                | GardenObject::ValidatingWebhookConfiguration(it) => Some((kind, it)),
                _ => None,
            })
        });
        all.filter(|(_, it)| !is_own(&it.metadata))
    }

    /// Returns the ResourceQuotas of a namespace; none if the garden has none at all.
    ///
    /// # Errors
    /// Fails with the reason if they are not completely known.
    pub fn resource_quotas(&self, namespace: &str) -> Result<Vec<Arc<ResourceQuota>>, String> {
        if !self.knows_of(Kind::ResourceQuota) {
            return Ok(Vec::new());
        }
        self.whole(Kind::ResourceQuota)?;
        let quotas = self.of_namespace(Kind::ResourceQuota, namespace);
        let quotas = quotas.filter_map(|object| match object {
            GardenObject::ResourceQuota(it) => Some(Arc::clone(it)),
            _ => None,
        });
        Ok(quotas.collect())
    }

    /// Returns this garden with changed object counts in its ResourceQuotas, by namespace and kind.
    #[must_use]
    pub fn with_counted(&self, added: &BTreeMap<(String, Kind), i64>) -> Self {
        let mut garden = self.clone();
        for ((namespace, kind), added) in added {
            let resource = ResourceQuota::counted_as(*kind);
            for quota in garden.resource_quotas(namespace).unwrap_or_default() {
                let mut quota = ResourceQuota::clone(&quota);
                if let Some(used) = quota.status.used.get_mut(&resource) {
                    *used = used.with_nanos(used.nanos() + i128::from(*added) * Quantity::ONE);
                    garden.apply(GardenObject::from(quota));
                }
            }
        }
        garden
    }
}

fn is_own(metadata: &ObjectMeta) -> bool {
    let label = metadata.labels.get(NAME).map(String::as_str);
    metadata.name == OWN_NAME || label == Some(OWN_NAME)
}
