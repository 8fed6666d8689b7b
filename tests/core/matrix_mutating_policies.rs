// SPDX-License-Identifier: Apache-2.0
//! MutatingAdmissionPolicies: those that may change an object are named, others are not.

use std::collections::BTreeMap;

use garden_gate_core::garden::{
    FurtherObjects, GardenObject, Knowledge, ObjectKey, Parameters, RawObject, Snapshot,
};
use garden_gate_core::policies::{missing_policies, unjudged_policies};
use garden_gate_model::api::{Kind, UserInfo};
use rstest::rstest;
use serde_json::{Value, json};

use crate::recorded_policies::{Results, judged, object};

const NOT_APPLIED: &str = "gardener-apiserver applies it if its admission plugin `MutatingAdmissionPolicy` is enabled; \
    the object is judged without its changes";

/// A garden with a policy and its binding, and a request, which rows change.
struct Case {
    policy: Value,
    /// `None` if the garden has no binding at all.
    binding: Option<Value>,
    parameters: Vec<Value>,
    further: FurtherObjects,
    has_namespace: bool,
    new: Option<Value>,
    old: Option<Value>,
    subresource: &'static str,
    user: &'static str,
}

/// A policy that labels all new and changed SecretBindings.
fn case() -> Case {
    Case {
        policy: json!({
            "metadata": {"name": "p"},
            "spec": {
                "matchConstraints": {"resourceRules": [{
                    "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"],
                    "operations": ["CREATE", "UPDATE"], "resources": ["secretbindings"],
                }]},
                "reinvocationPolicy": "Never",
                "mutations": [{
                    "patchType": "ApplyConfiguration",
                    "applyConfiguration": {"expression": "Object{metadata: Object.metadata{labels: {'a': 'b'}}}"},
                }],
            },
        }),
        binding: Some(json!({"metadata": {"name": "b"}, "spec": {"policyName": "p"}})),
        parameters: Vec::new(),
        further: FurtherObjects::None,
        has_namespace: true,
        new: Some(json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
            "metadata": {"name": "new", "namespace": "garden-dev", "labels": {"team": "a"}},
            "provider": {"type": "local"},
            "secretRef": {"name": "s", "namespace": "garden-dev"},
        })),
        old: None,
        subresource: "",
        user: "alice",
    }
}

impl Case {
    fn policy(mut self, field: &str, value: Value) -> Self {
        self.policy["spec"][field] = value;
        self
    }

    fn rule(mut self, field: &str, value: Value) -> Self {
        self.policy["spec"]["matchConstraints"]["resourceRules"][0][field] = value;
        self
    }

    fn constraint(mut self, field: &str, value: Value) -> Self {
        self.policy["spec"]["matchConstraints"][field] = value;
        self
    }

    fn binding(mut self, field: &str, value: Value) -> Self {
        if let Some(binding) = &mut self.binding {
            binding["spec"][field] = value;
        }
        self
    }

    fn condition(self, expression: &str) -> Self {
        self.policy("matchConditions", json!([{"name": "c", "expression": expression}]))
    }

    /// Makes ConfigMaps of namespace `garden` with label `for: p` the parameters.
    fn with_config_maps(mut self, names: &[&str]) -> Self {
        let config_map = |name: &&str| {
            json!({
                "apiVersion": "v1", "kind": "ConfigMap",
                "metadata": {"name": name, "namespace": "garden", "labels": {"for": "p"}},
                "data": {"provider": name},
            })
        };
        self.parameters = names.iter().map(config_map).collect();
        let reference = json!({
            "namespace": "garden", "selector": {"matchLabels": {"for": "p"}}, "parameterNotFoundAction": "Allow",
        });
        self.policy("paramKind", json!({"apiVersion": "v1", "kind": "ConfigMap"}))
            .binding("paramRef", reference)
    }

    fn garden(&self) -> Snapshot {
        let mut garden = Snapshot::new(Knowledge::Everything);
        garden.apply(object(Kind::MutatingAdmissionPolicy, &self.policy));
        if let Some(binding) = &self.binding {
            garden.apply(object(Kind::MutatingAdmissionPolicyBinding, binding));
        }
        if self.has_namespace {
            let namespace = json!({"metadata": {"name": "garden-dev", "labels": {"stage": "dev"}}});
            garden.apply(object(Kind::Namespace, &namespace));
        }
        let objects = self.parameters.iter().cloned();
        let objects: Vec<RawObject> = objects.map(|it| RawObject::of(it).unwrap()).collect();
        let kinds = garden.param_kinds().into_iter();
        let parameters = kinds.map(|kind| {
            let parameters = Parameters::of_kind(&kind, &objects, self.further.clone());
            (kind, parameters)
        });
        let parameters: BTreeMap<_, _> = parameters.collect();
        garden.with_parameters(parameters)
    }

    fn judged_in(&self, garden: &Snapshot) -> Results {
        let user = UserInfo { username: self.user.to_owned(), ..UserInfo::default() };
        let objects = [self.new.as_ref(), self.old.as_ref()];
        judged(garden, objects, self.subresource, user)
    }

    /// Returns the policies that are named, with the reasons. They do not change the verdict.
    fn named_in(&self, garden: &Snapshot) -> Vec<(String, String)> {
        let Results { review, remarks } = self.judged_in(garden);
        assert!(review.findings.is_empty() && review.undetermined.is_empty(), "{review:?}");
        remarks.unjudged.into_iter().map(|it| (it.title, it.why)).collect()
    }

    /// Returns the reason why the policy is named; empty if it is not.
    fn why(&self) -> String {
        match &self.named_in(&self.garden())[..] {
            [] => String::new(),
            [(title, why)] => {
                assert_eq!(title, "MutatingAdmissionPolicy `p`");
                why.clone()
            }
            all => unreachable!("{all:?}"),
        }
    }
}

#[rstest]
#[case::itself(case(), true)]
#[case::other_resource(case().rule("resources", json!(["shoots"])), false)]
#[case::any_resource(case().rule("resources", json!(["*"])), true)]
#[case::other_operation(case().rule("operations", json!(["UPDATE"])), false)]
#[case::cluster_scoped(case().rule("scope", json!("Cluster")), false)]
#[case::other_name(case().rule("resourceNames", json!(["other"])), false)]
#[case::excluded(case().constraint("excludeResourceRules", json!([{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}])), false)]
#[case::namespace(case().constraint("namespaceSelector", json!({"matchLabels": {"stage": "dev"}})), true)]
#[case::other_namespace(case().constraint("namespaceSelector", json!({"matchLabels": {"stage": "live"}})), false)]
#[case::labels(case().constraint("objectSelector", json!({"matchLabels": {"team": "a"}})), true)]
#[case::other_labels(case().constraint("objectSelector", json!({"matchLabels": {"team": "b"}})), false)]
#[case::labels_of_binding(case().binding("matchResources", json!({"objectSelector": {"matchLabels": {"team": "a"}}})), true)]
#[case::other_labels_of_binding(case().binding("matchResources", json!({"objectSelector": {"matchLabels": {"team": "b"}}})), false)]
#[case::binding_of_another_policy(case().binding("policyName", json!("other")), false)]
#[case::met(case().condition("object.provider.type == 'local'"), true)]
#[case::unmet(case().condition("object.provider.type == 'x'"), false)]
#[case::unmet_for_the_user(case().condition("request.userInfo.username == 'bob'"), false)]
#[case::parameter(case().with_config_maps(&["local"]), true)]
#[case::no_parameter(case().with_config_maps(&[]), false)]
#[case::a_met_parameter(case().with_config_maps(&["aws", "local"]).condition("params.data.provider == object.provider.type"), true)]
#[case::no_met_parameter(case().with_config_maps(&["aws", "gcp"]).condition("params.data.provider == object.provider.type"), false)]
fn policy_that_matches_is_named(#[case] case: Case, #[case] expected: bool) {
    assert_eq!(case.why(), if expected { NOT_APPLIED } else { "" });
}

#[rstest]
#[case::failing_condition(case().condition("object.absent == 1"), "no such key: absent")]
#[case::broken_condition(case().condition("object.("), "`spec.matchConditions[0].expression` does not compile")]
#[case::number(case().condition("1"), "`spec.matchConditions[0].expression` does not compile")]
#[case::authorizer(case().condition("authorizer.path('/').check('get').allowed()"), "uses `authorizer")]
#[case::unknown_parameters(Case { further: FurtherObjects::Omitted, ..case().with_config_maps(&[]) }, "its parameters are objects of kind v1 ConfigMap")]
#[case::missing_parameter(case().with_config_maps(&[]).binding("paramRef", json!({"name": "x", "namespace": "garden", "parameterNotFoundAction": "Deny"})), "no params found")]
#[case::unknown_user(Case { user: "", ..case().condition("request.userInfo.username == 'bob'") }, "requesting user")]
#[case::unknown_namespace(Case { has_namespace: false, ..case().constraint("namespaceSelector", json!({"matchLabels": {"stage": "live"}})) }, "the garden has no Namespace")]
#[case::costly(case().condition("'a'.matches('(a|aa)+$') && [1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, [1,2,3,4,5,6,7,8,9,10].all(f, a + b + c + d + e + f > 0))))))"), "")]
fn policy_that_may_match_is_named_with_the_reason(#[case] case: Case, #[case] expected: &str) {
    let why = case.why();
    let doubt = format!("{NOT_APPLIED}. It is not known whether it matches: ");
    assert!(why.starts_with(&doubt) && why.contains(expected), "{why}");
    assert!(why.len() < 2_200, "{}", why.len());
    // Another reason excludes the request.
    let excluded = case.rule("operations", json!(["UPDATE"]));
    assert_eq!(excluded.why(), "");
}

#[rstest]
#[case::no_constraints(case().policy("matchConstraints", Value::Null), "`spec.matchConstraints` is required")]
#[case::no_rules(case().constraint("resourceRules", json!([])), "`spec.matchConstraints.resourceRules` is required")]
#[case::operation(case().rule("operations", json!(["Bogus"])), "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `Bogus`")]
#[case::deletion(case().rule("operations", json!(["DELETE"])), "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `DELETE`, which has no new object")]
#[case::no_operations(case().rule("operations", json!([])), "`spec.matchConstraints.resourceRules[0].operations` is required")]
#[case::resources(case().rule("resources", json!(["shoots", "*/*"])), "`spec.matchConstraints.resourceRules[0].resources` has `*/*` and other resources")]
#[case::match_policy(case().constraint("matchPolicy", json!("Bogus")), "`spec.matchConstraints.matchPolicy` cannot be `Bogus`")]
#[case::selector(case().constraint("objectSelector", json!({"matchExpressions": [{"key": "a", "operator": "Is"}]})), "`spec.matchConstraints.objectSelector.matchExpressions[0].operator`")]
fn policy_with_invalid_constraints_is_named(#[case] case: Case, #[case] expected: &str) {
    let why = case.why();
    let refused = ", so that an API server refuses the policy";
    assert!(why.starts_with(expected) && why.ends_with(refused), "{why}");
    assert_eq!(case.binding("policyName", json!("other")).why(), "");
}

#[rstest]
#[case::constraint(case().constraint("rules", json!([])), "`spec.matchConstraints.rules` is an unknown field, whose effect is not known")]
#[case::binding(case().binding("rules", json!([])), "`spec.rules` is an unknown field of its binding `b`, whose effect is not known")]
#[case::param_ref(case().binding("paramRef", json!({"name": "a"})), "`spec.paramRef.parameterNotFoundAction` is required in its binding `b`, so that an API server refuses the binding")]
#[case::operation(case().binding("matchResources", json!({"resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["DELETE"], "resources": ["*"]}]})), "`spec.matchResources.resourceRules[0].operations[0]` cannot be `DELETE`, which has no new object in its binding `b`, so that an API server refuses the binding")]
fn unknown_field_or_invalid_binding_is_named(#[case] case: Case, #[case] expected: &str) {
    assert_eq!(case.why(), expected);
}

#[test]
fn unreadable_binding_is_named() {
    let mut garden = case().garden();
    let key = ObjectKey::named(Kind::MutatingAdmissionPolicyBinding, "broken");
    garden.apply(GardenObject::Unreadable(key, "why".to_owned()));
    let named = case().named_in(&garden);
    let expected =
        ("MutatingAdmissionPolicyBinding `broken`".to_owned(), "it cannot be read: why".to_owned());
    assert!(named.contains(&expected), "{named:?}");
    let titles: Vec<String> =
        unjudged_policies(&garden, true).into_iter().map(|(it, _)| it.title).collect();
    assert_eq!(titles, [expected.0]);
}

#[test]
fn missing_policies_are_reported() {
    let mut garden = Snapshot::new(Knowledge::Everything);
    assert_eq!(missing_policies(&garden, false), [""; 0]);
    let [why] = &missing_policies(&garden, true)[..] else { unreachable!() };
    assert!(why.starts_with("`mutatingAdmissionPolicies` is set, but no "), "{why}");
    let case = case();
    garden.apply(object(Kind::MutatingAdmissionPolicyBinding, case.binding.as_ref().unwrap()));
    for is_applied in [false, true] {
        let [why] = &missing_policies(&garden, is_applied)[..] else { unreachable!() };
        assert!(why.starts_with("MutatingAdmissionPolicyBindings are known, but no "), "{why}");
    }
    garden.apply(object(Kind::MutatingAdmissionPolicy, &case.policy));
    assert_eq!(missing_policies(&garden, true), [""; 0]);
    let mut unbound = Case { binding: None, ..case }.garden();
    // The policy is named for each object.
    assert_eq!(missing_policies(&unbound, true), [""; 0]);
    unbound.complete(Kind::MutatingAdmissionPolicyBinding);
    let [why] = &missing_policies(&unbound, true)[..] else { unreachable!() };
    assert!(why.contains("the garden has no MutatingAdmissionPolicyBinding"), "{why}");
    assert_eq!(missing_policies(&unbound, false), [""; 0]);
}

#[test]
fn deletion_is_not_mutated() {
    let mut deletion = case().rule("operations", json!(["*"]));
    deletion.old = deletion.new.take();
    assert_eq!(deletion.why(), "");
    let mut update = case();
    update.old = update.new.clone();
    assert_eq!(update.why(), NOT_APPLIED);
}

#[test]
fn garden_without_any_binding_leaves_policies_open() {
    let case = Case { binding: None, ..case() };
    let mut garden = case.garden();
    let [(_, why)] = &case.named_in(&garden)[..] else {
        unreachable!("{:?}", case.named_in(&garden));
    };
    assert!(why.contains("no MutatingAdmissionPolicyBinding"), "{why}");
    garden.complete(Kind::MutatingAdmissionPolicyBinding);
    assert!(case.named_in(&garden).is_empty());
}

#[test]
fn unreadable_policy_is_named() {
    let case = case().rule("resources", json!(["shoots"]));
    let mut garden = case.garden();
    let key = ObjectKey::named(Kind::MutatingAdmissionPolicy, "broken");
    garden.apply(GardenObject::Unreadable(key, "\u{1b}[31mred".to_owned()));
    let [(title, why)] = &case.named_in(&garden)[..] else {
        unreachable!("{:?}", case.named_in(&garden));
    };
    assert_eq!(title, "MutatingAdmissionPolicy `broken`");
    assert!(why.starts_with("it cannot be read: "), "{why}");
}

#[test]
fn many_policies_and_bindings_end() {
    let costly = case().condition("[1, 2, 3].all(a, [1, 2, 3].all(b, a + b > 9))");
    let mut garden = costly.garden();
    for index in 0..2_000 {
        let name = format!("b{index}");
        let binding = json!({"metadata": {"name": name}, "spec": {"policyName": "p"}});
        garden.apply(object(Kind::MutatingAdmissionPolicyBinding, &binding));
    }
    // Each evaluation excludes the request, or the limit on all of them is exceeded.
    assert!(costly.named_in(&garden).len() <= 1);
}

#[rstest]
#[case::itself(case(), &["SecretBinding"])]
#[case::other_kinds(case().rule("resources", json!(["pods"])), &[])]
#[case::two(case().rule("resources", json!(["secretbindings", "quotas"])), &["SecretBinding", "Quota"])]
#[case::of_another_policy(case().binding("policyName", json!("other")), &[])]
#[case::without_any_binding(Case { binding: None, ..case() }, &["SecretBinding"])]
fn coverage_names_the_kinds(#[case] case: Case, #[case] expected: &[&str]) {
    let all = unjudged_policies(&case.garden(), false);
    let kinds: Vec<&str> = all.iter().flat_map(|(_, kinds)| kinds).map(|it| it.as_str()).collect();
    assert_eq!(kinds, expected);
    assert!(all.iter().all(|(it, _)| it.title == "MutatingAdmissionPolicy `p`"), "{all:?}");
}
