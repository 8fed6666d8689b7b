// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::extensions::{WEBHOOK_CONFIGURATIONS, is_judged, is_of};
use super::{GardenObject, ObjectKey, Parameters, Snapshot};
use garden_gate_model::api::extensions::Extension;
use garden_gate_model::api::{
    AdmissionPolicy, AdmissionPolicyBinding, AdmissionPolicyBindingSpec, Kind, MutatingPolicy,
    MutatingPolicyBinding, ObjectMeta, ParamKind, ParamRef, ResourceQuota, WebhookConfiguration,
    WebhookRule,
};
use garden_gate_text::go::Quantity;

/// The label of garden-gate's own webhooks.
const NAME: &str = "app.kubernetes.io/name";
const OWN_NAME: &str = "garden-gate";

/// The kinds of policies of an API server and their bindings.
pub const ADMISSION_POLICIES: [Kind; 4] = [
    Kind::ValidatingAdmissionPolicy,
    Kind::ValidatingAdmissionPolicyBinding,
    Kind::MutatingAdmissionPolicy,
    Kind::MutatingAdmissionPolicyBinding,
];

/// Policies, webhooks and limits of the garden's API server, in addition to Gardener's admission.
impl Snapshot {
    /// Reports whether the garden has policies of an API server, even unreadable ones.
    pub fn has_admission_policies(&self) -> bool {
        self.knows_of(Kind::ValidatingAdmissionPolicy)
            || self.knows_of(Kind::MutatingAdmissionPolicy)
    }

    /// Returns the ValidatingAdmissionPolicies by name.
    pub fn admission_policies(&self) -> impl Iterator<Item = &Arc<AdmissionPolicy>> {
        self.all()
    }

    /// Returns the policies or bindings of a kind that cannot be read, with the reasons.
    pub fn unreadable_policies(&self, kind: Kind) -> impl Iterator<Item = (&str, &str)> {
        self.unreadable_of(kind).map(|(key, why)| (key.name.as_str(), why.as_str()))
    }

    /// Returns the bindings of ValidatingAdmissionPolicies by name; `None` if the garden has no binding at all.
    pub fn admission_policy_bindings(&self) -> Option<Vec<&Arc<AdmissionPolicyBinding>>> {
        let is_known = self.knows_of(Kind::ValidatingAdmissionPolicyBinding);
        is_known.then(|| self.all().collect())
    }

    /// Returns the MutatingAdmissionPolicies by name.
    pub fn mutating_policies(&self) -> impl Iterator<Item = &Arc<MutatingPolicy>> {
        self.all()
    }

    /// Returns the bindings of MutatingAdmissionPolicies by name; `None` if the garden has no binding at all.
    pub fn mutating_policy_bindings(&self) -> Option<Vec<&Arc<MutatingPolicyBinding>>> {
        let is_known = self.knows_of(Kind::MutatingAdmissionPolicyBinding);
        is_known.then(|| self.all().collect())
    }

    /// Returns the kinds of parameters that the bound policies of the garden use.
    pub fn param_kinds(&self) -> BTreeSet<ParamKind> {
        let kinds = self.param_refs().map(|(kind, _)| kind);
        kinds.filter(|it| !it.kind.is_empty() && !it.api_version.is_empty()).cloned().collect()
    }

    /// Returns the references of all bindings to parameters, with the kinds that their policies use.
    pub fn param_refs(&self) -> impl Iterator<Item = (&ParamKind, &ParamRef)> {
        let validating =
            self.all::<AdmissionPolicy>().map(|it| (&it.metadata.name, &it.spec.param_kind));
        let mutating =
            self.all::<MutatingPolicy>().map(|it| (&it.metadata.name, &it.spec.param_kind));
        let bindings = self.all::<AdmissionPolicyBinding>().map(|it| &it.spec);
        let mutating_bindings = self.all::<MutatingPolicyBinding>().map(|it| &it.spec);
        let validating = bound_params(validating, bindings);
        validating.chain(bound_params(mutating, mutating_bindings))
    }

    /// Returns this garden with the parameters of policies.
    #[must_use]
    pub fn with_parameters(mut self, parameters: BTreeMap<ParamKind, Parameters>) -> Self {
        self.parameters = Arc::new(parameters);
        self
    }

    /// Returns the parameters of a kind; `None` if they are not known at all.
    pub fn parameters(&self, kind: &ParamKind) -> Option<&Parameters> {
        self.parameters.get(kind)
    }

    /// Returns the metadata of a Namespace; `None` if the garden does not have it.
    pub fn namespace(&self, name: &str) -> Option<&ObjectMeta> {
        match self.objects.get(&ObjectKey::named(Kind::Namespace, name))? {
            GardenObject::Namespace(namespace) => Some(&namespace.metadata),
            _ => None,
        }
    }

    /// Returns the titles of webhooks whose rules match an operation, without those of `judged` extensions and of rules.
    pub fn webhooks_for(
        &self,
        (group, version, resource): (&str, &str, &str),
        operation: &str,
        judged: &[&Extension],
    ) -> Vec<String> {
        let resource = (group, version, resource, "");
        let any =
            |rules: &[WebhookRule]| rules.iter().any(|rule| rule.matches(resource, operation));
        let is_known =
            |it: &WebhookConfiguration| judged.iter().any(|extension| is_of(it, extension));
        let others = self.webhook_configurations().filter(|(_, it)| !is_known(it));
        let webhooks = others.flat_map(|(kind, it)| {
            let webhooks = it
                .webhooks
                .iter()
                .filter(|webhook| any(&webhook.rules))
                .filter(|it| !is_judged(it));
            let configuration = &it.metadata.name;
            webhooks.map(move |webhook| {
                format!("webhook `{}` of {kind} `{configuration}`", webhook.name)
            })
        });
        webhooks.collect()
    }

    /// Returns the webhook configurations other than garden-gate's.
    fn webhook_configurations(&self) -> impl Iterator<Item = (Kind, &Arc<WebhookConfiguration>)> {
        let all = WEBHOOK_CONFIGURATIONS.into_iter().flat_map(|kind| {
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
        let quotas =
            self.of_namespace(Kind::ResourceQuota, namespace).filter_map(|object| match object {
                GardenObject::ResourceQuota(it) => Some(Arc::clone(it)),
                _ => None,
            });
        Ok(quotas.collect())
    }

    /// Returns this garden with changed object counts in its ResourceQuotas, by namespace and kind.
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

/// Returns the references of bindings, with the kinds of the parameters of the policies that they name.
fn bound_params<'a>(
    policies: impl Iterator<Item = (&'a String, &'a Option<ParamKind>)>,
    bindings: impl Iterator<Item = &'a AdmissionPolicyBindingSpec>,
) -> impl Iterator<Item = (&'a ParamKind, &'a ParamRef)> {
    let kinds: BTreeMap<&String, &ParamKind> =
        policies.filter_map(|(name, kind)| Some((name, kind.as_ref()?))).collect();
    bindings.filter_map(move |it| Some((*kinds.get(&it.policy_name)?, it.param_ref.as_ref()?)))
}

fn is_own(metadata: &ObjectMeta) -> bool {
    let label = metadata.labels.get(NAME).map(String::as_str);
    metadata.name == OWN_NAME || label == Some(OWN_NAME)
}
