// SPDX-License-Identifier: Apache-2.0
//! ValidatingAdmissionPolicies with requests, and the answers of a kube-apiserver to them.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use garden_gate_core::admission::{Request, Review, Rules, World};
use garden_gate_core::config::{Config, Level};
use garden_gate_core::garden::{
    FurtherObjects, GardenObject, Knowledge, Parameters, RawObject, Snapshot, read,
};
use garden_gate_core::policies::{Policies, PolicyCache, PolicyRemarks, judge, why_unjudged};
use garden_gate_model::api::{Kind, ParamKind, UserInfo};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::to_raw_value;

/// Objects that decide about requests.
#[derive(Clone, Debug, Deserialize, Serialize)]
pub(crate) struct Landscape {
    pub(crate) policy: Value,
    pub(crate) bindings: Vec<Value>,
    /// ConfigMaps.
    pub(crate) parameters: Vec<Value>,
    pub(crate) namespace: Value,
}

/// A policy and the answers of an API server.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RecordedPolicy {
    #[serde(flatten)]
    pub(crate) landscape: Landscape,
    /// The error if the API server refuses the policy.
    pub(crate) refused: Option<String>,
    pub(crate) requests: Vec<RecordedRequest>,
}

/// A request and its answer.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct RecordedRequest {
    /// The new object; `null` on DELETE.
    pub(crate) object: Option<Value>,
    /// The stored object; `null` on CREATE.
    #[serde(rename = "oldObject")]
    pub(crate) old_object: Option<Value>,
    pub(crate) answer: Answer,
}

/// The answer of an API server.
#[derive(Clone, Debug, Default, Deserialize, Eq, PartialEq, Serialize)]
pub(crate) struct Answer {
    /// The HTTP status of a refusal.
    pub(crate) refused: Option<u16>,
    /// The message of a refusal without the name of the object.
    pub(crate) message: String,
    pub(crate) warnings: BTreeSet<String>,
}

/// The results of policies.
pub(crate) struct Results {
    pub(crate) review: Review,
    pub(crate) remarks: PolicyRemarks,
}

/// Reads an object of a garden.
pub(crate) fn object(kind: Kind, value: &Value) -> GardenObject {
    read(kind, value.to_string().as_str()).unwrap().unwrap()
}

impl Landscape {
    /// Returns a garden with the objects; `further` are the parameters beside the named ones.
    pub(crate) fn garden(&self, further: &FurtherObjects) -> Snapshot {
        let mut garden = Snapshot::new(Knowledge::Everything);
        garden.apply(object(Kind::ValidatingAdmissionPolicy, &self.policy));
        for binding in &self.bindings {
            garden.apply(object(Kind::ValidatingAdmissionPolicyBinding, binding));
        }
        garden.apply(object(Kind::Namespace, &self.namespace));
        let objects = self.parameters.iter().cloned();
        let objects: Vec<RawObject> = objects.map(|it| RawObject::of(it).unwrap()).collect();
        let kinds = garden.param_kinds().into_iter();
        let parameters = kinds.map(|kind| {
            let parameters = Parameters::of_kind(&kind, &objects, further.clone());
            (kind, parameters)
        });
        let parameters: BTreeMap<ParamKind, Parameters> = parameters.collect();
        garden.with_parameters(parameters)
    }
}

/// Evaluates the policies of a garden for a change from the stored to the new object; an empty user is not known.
pub(crate) fn judged(
    garden: &Snapshot,
    objects: [Option<&Value>; 2],
    sub_resource: &str,
    user: UserInfo,
) -> Results {
    let [new, old] = objects.map(|it| it.map(|it| to_raw_value(it).unwrap()));
    let object = objects.into_iter().flatten().next().unwrap();
    let text = |pointer: &str| {
        let text = object.pointer(pointer).and_then(Value::as_str);
        text.unwrap_or_default().to_owned()
    };
    let kind = Kind::of_manifest("core.gardener.cloud", &text("/kind")).unwrap();
    let is_user_known = !user.username.is_empty();
    let request = Request {
        name: text("/metadata/name"),
        namespace: text("/metadata/namespace"),
        sub_resource: sub_resource.to_owned(),
        ..Request::of_objects(kind, user, [new.as_deref(), old.as_deref()])
    };
    let config = Config::default();
    let world = World {
        rules: Rules::default(),
        garden,
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let mut review = Review::default();
    let policies = Policies {
        cache: Some(&PolicyCache::default()),
        own: &[],
        is_user_known,
        is_enforced: false,
    };
    let remarks = judge(&request, &mut review, &world, policies);
    Results { review, remarks }
}

impl RecordedPolicy {
    /// Returns the requests with a result that differs from that of the API server, in words.
    pub(crate) fn differences(&self) -> Vec<String> {
        let garden = self.landscape.garden(&FurtherObjects::None);
        let why = garden
            .admission_policies()
            .find_map(|it| why_unjudged(&GardenObject::ValidatingAdmissionPolicy(Arc::clone(it))));
        let spec = &self.landscape.policy["spec"];
        if why.is_some() != self.refused.is_some() {
            return vec![format!("{:?} {why:?}\n{spec:#}", self.refused)];
        }
        let requests = self.requests.iter().filter(|_| why.is_none());
        let differences = requests.filter_map(|request| {
            let groups = ["system:masters", "system:authenticated"];
            let user = UserInfo {
                username: "admin".to_owned(),
                groups: groups.map(str::to_owned).to_vec(),
                ..UserInfo::default()
            };
            let objects = [&request.object, &request.old_object].map(Option::as_ref);
            let difference = request.answer.difference(&judged(&garden, objects, "", user))?;
            Some(format!("{difference}\n{spec:#}\n{objects:?}"))
        });
        differences.collect()
    }
}

impl Answer {
    /// Returns the difference to results of garden-gate.
    fn difference(&self, results: &Results) -> Option<String> {
        let Results { review, remarks } = results;
        let of_level = |level: Level| review.findings.iter().filter(move |it| it.level == level);
        let warnings: BTreeSet<String> =
            of_level(Level::Warn).map(|it| it.message.clone()).collect();
        let mut refusals = of_level(Level::Deny);
        let is_same = match self.refused {
            // The API server names one refusal of several.
            Some(code) => refusals.any(|it| it.phase.code() == code && it.message == self.message),
            None => refusals.next().is_none(),
        };
        let is_judged = remarks.unjudged.is_empty() && review.undetermined.is_empty();
        let is_same = is_same && is_judged && warnings == self.warnings;
        let is_known = || {
            format!(
                "{self:?}\n  {:?}\n  {:?}\n  {:?}",
                review.findings, review.undetermined, remarks.unjudged
            )
        };
        (!is_same).then(is_known)
    }
}
