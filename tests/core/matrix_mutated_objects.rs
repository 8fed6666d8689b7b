// SPDX-License-Identifier: Apache-2.0
//! MutatingAdmissionPolicies that an API server applies: objects are judged as they leave them.

use garden_gate_core::admission::{Request, Review, Rules, Verdict, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{FurtherObjects, Knowledge, Parameters, RawObject, Snapshot};
use garden_gate_core::policies::{
    Allowance, Deadline, Policies, PolicyCache, PolicyRemarks, decide,
};
use garden_gate_model::api::{Kind, UserInfo};
use rstest::rstest;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

use crate::recorded_policies::object;

/// A garden with policies, each with a binding, and a request.
struct Case {
    policies: Vec<Value>,
    /// A ValidatingAdmissionPolicy with this validation, if any.
    required: Option<&'static str>,
    parameters: Vec<Value>,
    new: Value,
    old: Option<Value>,
    user: &'static str,
    is_enabled: bool,
}

fn case(policies: impl IntoIterator<Item = Value>) -> Case {
    Case {
        policies: policies.into_iter().collect(),
        required: None,
        parameters: Vec::new(),
        new: json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
            "metadata": {"name": "new", "namespace": "garden-dev", "labels": {"team": "a"}},
            "provider": {"type": "local"},
            "secretRef": {"name": "s", "namespace": "garden-dev"},
        }),
        old: None,
        user: "alice",
        is_enabled: true,
    }
}

/// Returns a policy for all new and changed objects.
fn policy(name: &str, mutation: &Value) -> Value {
    json!({
        "metadata": {"name": name},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"],
                "operations": ["CREATE", "UPDATE"], "resources": ["secretbindings"],
            }]},
            "failurePolicy": "Fail",
            "reinvocationPolicy": "Never",
            "mutations": [mutation],
        },
    })
}

fn configuration(name: &str, expression: &str) -> Value {
    let mutation = json!({"patchType": "ApplyConfiguration", "applyConfiguration": {"expression": expression}});
    policy(name, &mutation)
}

fn patch(name: &str, expression: &str) -> Value {
    policy(name, &json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}}))
}

/// Returns a policy that sets a label to the value of an expression.
fn label(policy: &str, label: &str, value: &str) -> Value {
    let labels = format!("Object{{metadata: Object.metadata{{labels: {{'{label}': {value}}}}}}}");
    configuration(policy, &labels)
}

fn with(mut policy: Value, field: &str, value: Value) -> Value {
    policy["spec"][field] = value;
    policy
}

fn when(policy: Value, expression: &str) -> Value {
    with(policy, "matchConditions", json!([{"name": "c", "expression": expression}]))
}

impl Case {
    fn requiring(mut self, expression: &'static str) -> Self {
        self.required = Some(expression);
        self
    }

    fn garden(&self) -> Snapshot {
        let mut garden = Snapshot::new(Knowledge::Everything);
        for policy in &self.policies {
            garden.apply(object(Kind::MutatingAdmissionPolicy, policy));
            let name = &policy["metadata"]["name"];
            let mut binding = json!({"metadata": {"name": name}, "spec": {"policyName": name}});
            if policy["spec"].get("paramKind").is_some() {
                binding["spec"]["paramRef"] = json!({
                    "namespace": "garden", "selector": {}, "parameterNotFoundAction": "Deny",
                });
            }
            garden.apply(object(Kind::MutatingAdmissionPolicyBinding, &binding));
        }
        if let Some(expression) = self.required {
            let mut policy = self.policies[0].clone();
            let constraints = policy["spec"]["matchConstraints"].take();
            let policy = json!({
                "metadata": {"name": "required"},
                "spec": {"matchConstraints": constraints, "validations": [{"expression": expression}]},
            });
            garden.apply(object(Kind::ValidatingAdmissionPolicy, &policy));
            let binding = json!({
                "metadata": {"name": "required"},
                "spec": {"policyName": "required", "validationActions": ["Deny"]},
            });
            garden.apply(object(Kind::ValidatingAdmissionPolicyBinding, &binding));
        }
        let namespace = json!({"metadata": {"name": "garden-dev", "labels": {"stage": "dev"}}});
        garden.apply(object(Kind::Namespace, &namespace));
        let objects = self.parameters.iter().cloned();
        let objects: Vec<RawObject> = objects.map(|it| RawObject::of(it).unwrap()).collect();
        let kinds = garden.param_kinds().into_iter();
        let parameters = kinds.map(|kind| {
            let parameters = Parameters::of_kind(&kind, &objects, FurtherObjects::None);
            (kind, parameters)
        });
        let parameters = parameters.collect();
        garden.with_parameters(parameters)
    }

    /// Returns the verdict, and the object as the policies leave it.
    fn decided(&self) -> (Review, PolicyRemarks, Value) {
        let garden = self.garden();
        let new = to_raw_value(&self.new).unwrap();
        let old = self.old.as_ref().map(|it| to_raw_value(it).unwrap());
        let kind = if self.new["kind"] == "SecretBinding" {
            Kind::SecretBinding
        } else {
            Kind::InternalSecret
        };
        let user = UserInfo { username: self.user.to_owned(), ..UserInfo::default() };
        let request = Request {
            name: "new".to_owned(),
            namespace: "garden-dev".to_owned(),
            ..Request::of_objects(kind, user, [Some(&*new), old.as_deref()])
        };
        let config = Config { mutating_admission_policies: self.is_enabled, ..Config::default() };
        let world = World {
            rules: Rules::default(),
            garden: &garden,
            config: &config,
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
        };
        let policies = Policies {
            cache: Some(&PolicyCache::default()),
            own: &[],
            is_user_known: !self.user.is_empty(),
            is_enforced: false,
        };
        let allowance = Allowance::of_request(&Deadline::default());
        let (review, remarks) =
            decide(&request, &world, (policies, &allowance), &mut |_| Review::default());
        let mut changed = self.new.clone();
        json_patch::patch(&mut changed, review.mutation()).unwrap();
        (review, remarks, changed)
    }

    /// Returns the labels of the object as the policies leave it.
    fn labels(&self) -> Value {
        let (review, remarks, changed) = self.decided();
        assert_eq!(review.verdict(), Verdict::Allowed, "{review:?}");
        assert!(remarks.unjudged.is_empty(), "{remarks:?}");
        changed["metadata"]["labels"].clone()
    }

    fn refusal(&self) -> String {
        let (review, _, changed) = self.decided();
        assert_eq!(review.verdict(), Verdict::Denied, "{review:?} {changed}");
        review.findings[0].message.clone()
    }

    fn doubt(&self) -> String {
        let (review, ..) = self.decided();
        assert_eq!(review.verdict(), Verdict::Undetermined, "{review:?}");
        review.undetermined[0].message.clone()
    }
}

#[rstest]
#[case::configuration([label("p", "stage", "'x'")], json!({"team": "a", "stage": "x"}))]
#[case::of_the_namespace([label("p", "stage", "namespaceObject.metadata.labels['stage']")], json!({"team": "a", "stage": "dev"}))]
#[case::of_the_user([label("p", "by", "request.userInfo.username")], json!({"team": "a", "by": "alice"}))]
#[case::replaced([label("p", "team", "object.metadata.labels.team + object.provider.type")], json!({"team": "alocal"}))]
#[case::patch([patch("p", "[JSONPatch{op: 'remove', path: '/metadata/labels/team'}, JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b'), value: 'c'}]")], json!({"a/b": "c"}))]
#[case::failed_test([patch("p", "[JSONPatch{op: 'remove', path: '/metadata/labels/team'}, JSONPatch{op: 'test', path: '/provider/type', value: 'x'}]")], json!({"team": "a"}))]
#[case::unmet([when(label("p", "stage", "'x'"), "object.provider.type == 'x'")], json!({"team": "a"}))]
#[case::variable([with(label("p", "stage", "variables.v"), "variables", json!([{"name": "v", "expression": "'x' + object.provider.type"}]))], json!({"team": "a", "stage": "xlocal"}))]
#[case::ignored_error([with(label("p", "stage", "object.absent"), "failurePolicy", json!("Ignore"))], json!({"team": "a"}))]
#[case::ignored_error_of_a_condition([with(when(label("p", "stage", "'x'"), "object.absent == 1"), "failurePolicy", json!("Ignore"))], json!({"team": "a"}))]
#[case::two([label("p", "one", "'1'"), label("q", "two", "'2'")], json!({"team": "a", "one": "1", "two": "2"}))]
#[case::same([label("p", "one", "'1'"), label("q", "one", "'1'")], json!({"team": "a", "one": "1"}))]
#[case::similar_names([label("p", "a", "'1'"), label("q", "a.b", "'1'"), label("r", "a/b", "'1'")], json!({"team": "a", "a": "1", "a.b": "1", "a/b": "1"}))]
fn object_is_changed(#[case] policies: impl IntoIterator<Item = Value>, #[case] expected: Value) {
    let case = case(policies);
    assert_eq!(case.labels(), expected);
    let update = Case { old: Some(case.new.clone()), ..case };
    assert_eq!(update.labels(), expected);
}

#[test]
fn mutations_see_the_result_of_those_before() {
    let mut policy = label("p", "one", "'1'");
    let second = label("q", "two", "object.metadata.labels.one + '2'");
    let second = second["spec"]["mutations"][0].clone();
    policy["spec"]["mutations"].as_array_mut().unwrap().push(second);
    assert_eq!(case([policy]).labels(), json!({"team": "a", "one": "1", "two": "12"}));
}

#[test]
fn each_parameter_is_applied() {
    let policy = configuration(
        "p",
        "Object{metadata: Object.metadata{labels: {params.metadata.name: params.data.v}}}",
    );
    let policy = with(policy, "paramKind", json!({"apiVersion": "v1", "kind": "ConfigMap"}));
    let parameter = |name: &str| {
        json!({
            "apiVersion": "v1", "kind": "ConfigMap",
            "metadata": {"name": name, "namespace": "garden"}, "data": {"v": name},
        })
    };
    let mut case = case([policy]);
    assert!(case.refusal().contains("no params found"), "{}", case.refusal());
    case.parameters = ["x", "y"].map(parameter).to_vec();
    assert_eq!(case.labels(), json!({"team": "a", "x": "x", "y": "y"}));
}

#[test]
fn policy_is_applied_again_after_other_changes() {
    let copied = configuration(
        "p",
        "has(object.metadata.labels.one) ? Object{metadata: Object.metadata{labels: {'copy': object.metadata.labels.one}}} : Object{}",
    );
    let again = with(copied.clone(), "reinvocationPolicy", json!("IfNeeded"));
    let expected = json!({"team": "a", "one": "1", "copy": "1"});
    assert_eq!(case([again, label("q", "one", "'1'")]).labels(), expected);
    let doubt = case([copied.clone(), label("q", "one", "'1'")]).doubt();
    assert!(doubt.contains("depends on the order of `p`, `q`"), "{doubt}");
    // A policy whose conditions were not met is not applied again.
    let again = with(copied, "reinvocationPolicy", json!("IfNeeded"));
    let again = when(again, "has(object.metadata.labels.one)");
    let doubt = case([again, label("q", "one", "'1'")]).doubt();
    assert!(doubt.contains("depends on the order of `p`, `q`"), "{doubt}");
}

#[test]
fn result_that_depends_on_the_order_is_undetermined() {
    let doubt = case([label("p", "one", "'1'"), label("q", "one", "'2'")]).doubt();
    assert!(doubt.contains("MutatingAdmissionPolicy `p`") && doubt.contains("`q`"), "{doubt}");
}

#[test]
fn result_that_depends_on_the_order_of_three_is_undetermined() {
    // In the reverse order, too, the last value is 1.
    let policies = [label("p", "one", "'1'"), label("q", "one", "'2'"), label("r", "one", "'1'")];
    let doubt = case(policies).doubt();
    assert!(doubt.contains("depends on the order of `p`, `q`, `r`"), "{doubt}");
}

#[rstest]
#[case::error(label("p", "one", "object.absent"), "resulted in error: no such key: absent")]
#[case::condition(when(label("p", "one", "'1'"), "object.absent == 1"), "no such key: absent")]
#[case::type_name(
    configuration("p", "Object{metadata: Object.other{}}"),
    "type mismatch: unexpected type name \"Object.other\""
)]
#[case::unknown_field(
    configuration("p", "Object{spec: Object.spec{a: 1}}"),
    "field not declared in schema"
)]
#[case::atomic(
    configuration("p", "Object{secretRef: Object.secretRef{name: 'x'}}"),
    "may not mutate atomic arrays, maps or structs: .secretRef"
)]
#[case::patch(
    patch("p", "[JSONPatch{op: 'add', path: '/spec/a', value: 1}]"),
    "JSON Patch: add operation does not apply"
)]
fn error_of_a_policy_refuses(#[case] policy: Value, #[case] expected: &str) {
    let refused = case([policy.clone()]);
    let message = refused.refusal();
    let begin = "policy 'p' with binding 'p' denied request: ";
    assert!(message.starts_with(begin) && message.contains(expected), "{message}");
    let ignored = case([with(policy, "failurePolicy", json!("Ignore"))]);
    assert_eq!(ignored.labels(), json!({"team": "a"}));
}

#[rstest]
#[case::unknown_field("/wrong", "1")]
#[case::type_of_a_value("/provider/type", "1")]
fn patch_that_cannot_be_decoded_refuses_in_any_case(#[case] path: &str, #[case] value: &str) {
    let expression = format!("[JSONPatch{{op: 'add', path: '{path}', value: {value}}}]");
    for effect in ["Fail", "Ignore"] {
        let policy = with(patch("p", &expression), "failurePolicy", json!(effect));
        case([policy]).refusal();
    }
}

#[test]
fn validating_policies_see_the_changed_object() {
    let required = "object.metadata.labels['stage'] == 'x'";
    assert!(!case([label("p", "stage", "'x'")]).requiring(required).labels().is_null());
    let message = case([label("p", "stage", "'y'")]).requiring(required).refusal();
    assert!(message.contains("'required'"), "{message}");
    // They are not reached after a refusal.
    let message = case([label("p", "stage", "object.absent")]).requiring("false").refusal();
    assert!(message.contains("'p'"), "{message}");
}

#[rstest]
#[case::uid(label("p", "one", "object.metadata.uid"), "the API server sets this field")]
#[case::patch_of_the_uid(
    patch("p", "[JSONPatch{op: 'copy', from: '/metadata/uid', path: '/metadata/labels/x'}]"),
    "`metadata.uid`, which is not known"
)]
#[case::whole_metadata(
    patch("p", "[JSONPatch{op: 'test', path: '/metadata', value: {}}]"),
    "which is not known"
)]
#[case::unsupported(
    label("p", "one", "authorizer.path('/').check('get').allowed() ? 'a' : 'b'"),
    "uses `authorizer"
)]
#[case::invalid(configuration("p", "Object{"), "does not compile")]
#[case::name(
    configuration("p", "Object{metadata: Object.metadata{name: 'x'}}"),
    "changes `metadata.name`"
)]
#[case::kind(
    patch("p", "[JSONPatch{op: 'replace', path: '/kind', value: 'Shoot'}]"),
    "changes `kind`"
)]
#[case::metadata(
    patch("p", "[JSONPatch{op: 'remove', path: '/metadata'}]"),
    "changes `metadata.name`"
)]
#[case::new_uid(
    patch("p", "[JSONPatch{op: 'add', path: '/metadata/uid', value: 'x'}]"),
    "changes `metadata.uid`"
)]
#[case::large(
    with(
        configuration("p", &format!("Object{{metadata: Object.metadata{{annotations: {{{}}}}}}}", (0..100).map(|it| format!("'{it}': variables.w")).collect::<Vec<String>>().join(", "))),
        "variables",
        json!([
            {"name": "v", "expression": format!("'{}'", "x".repeat(9_000))},
            {"name": "w", "expression": format!("{}variables.v", "variables.v + ".repeat(9))},
        ]),
    ),
    "more than 8388608 bytes"
)]
#[case::negative_index(
    patch("p", "[JSONPatch{op: 'replace', path: '/metadata/managedFields/-1', value: {}}]"),
    "which is not known"
)]
fn unknown_values_are_undetermined(#[case] policy: Value, #[case] expected: &str) {
    let doubt = case([policy]).doubt();
    assert!(doubt.contains(expected), "{doubt}");
}

#[rstest]
#[case::unknown_user(Case { user: "", ..case([when(label("p", "one", "'1'"), "request.userInfo.username == 'x'")]) }, "requesting user")]
#[case::disabled(Case { is_enabled: false, ..case([label("p", "one", "'1'")]) }, "if its admission plugin")]
fn policy_that_is_not_applied_is_named(#[case] case: Case, #[case] expected: &str) {
    let (review, remarks, changed) = case.decided();
    assert_eq!(review.verdict(), Verdict::Allowed, "{review:?}");
    let [unjudged] = &remarks.unjudged[..] else {
        unreachable!("{remarks:?}");
    };
    assert!(unjudged.title.contains("`p`") && unjudged.why.contains(expected), "{unjudged:?}");
    assert_eq!(changed, case.new);
}

#[rstest]
#[case::error(configuration("p", "Object{?data: object.data.k}"), Verdict::Denied)]
#[case::path(
    patch("p", "[JSONPatch{op: 'add', path: '/x/' + object.data.k + '/y', value: 1}]"),
    Verdict::Denied
)]
#[case::field(
    patch("p", "[JSONPatch{op: 'add', path: '/' + object.data.k, value: 1}]"),
    Verdict::Denied
)]
#[case::condition(when(label("p", "one", "'1'"), "{}[object.data.k] == 1"), Verdict::Denied)]
#[case::other_order(
    label("p", "one", "object.data.k + object.metadata.uid"),
    Verdict::Undetermined
)]
#[case::key(label("p", "k", "'1'"), Verdict::Allowed)]
fn credentials_are_never_printed(#[case] mut policy: Value, #[case] expected: Verdict) {
    policy["spec"]["matchConstraints"]["resourceRules"][0]["resources"] = json!(["*"]);
    let new = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "InternalSecret",
        "metadata": {"name": "new", "namespace": "garden-dev"}, "type": "Opaque", "data": {"k": "c2VjcmV0"},
    });
    let (review, remarks, _) = Case { new, ..case([policy]) }.decided();
    assert_eq!(review.verdict(), expected, "{review:?}");
    let printed = format!("{:?}{:?}{remarks:?}", review.findings, review.undetermined);
    assert!(!printed.contains("c2VjcmV0"), "{printed}");
}

#[rstest]
#[case::reinvocation("reinvocationPolicy", json!("Bogus"), "`spec.reinvocationPolicy` cannot be `Bogus`")]
#[case::no_reinvocation("reinvocationPolicy", Value::Null, "`spec.reinvocationPolicy` is required")]
#[case::failure("failurePolicy", json!("Bogus"), "`spec.failurePolicy` cannot be `Bogus`")]
#[case::no_mutations("mutations", json!([]), "`spec.mutations` is required")]
#[case::patch_type("mutations", json!([{"patchType": "Bogus"}]), "`spec.mutations[0].patchType` cannot be `Bogus`")]
#[case::two_patches("mutations", json!([{"patchType": "JSONPatch", "jsonPatch": {"expression": "[]"}, "applyConfiguration": {"expression": "Object{}"}}]), "`spec.mutations[0].applyConfiguration` is not allowed")]
#[case::no_constraints("matchConstraints", Value::Null, "`spec.matchConstraints` is required")]
#[case::no_rules("matchConstraints", json!({"resourceRules": []}), "`spec.matchConstraints.resourceRules` is required")]
#[case::operation("matchConstraints", json!({"resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["Bogus"], "resources": ["*"]}]}), "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `Bogus`")]
#[case::condition("matchConditions", json!([{"name": "", "expression": "true"}]), "`spec.matchConditions[0].name` is required")]
#[case::unknown("mutation", json!([]), "`spec.mutation` is an unknown field, whose effect is not known")]
fn policy_that_an_api_server_refuses_is_undetermined(
    #[case] field: &str,
    #[case] value: Value,
    #[case] expected: &str,
) {
    let doubt = case([with(label("p", "stage", "'x'"), field, value)]).doubt();
    assert!(doubt.contains("MutatingAdmissionPolicy `p`") && doubt.contains(expected), "{doubt}");
}

#[test]
fn changes_are_noted() {
    let (_, remarks, _) = case([label("p", "stage", "'x'")]).decided();
    assert_eq!(remarks.notes, ["MutatingAdmissionPolicy `p` changes `metadata.labels.stage`"]);
}

#[test]
fn costly_policies_end() {
    let costly = "[1,2,3,4,5,6,7,8,9,10].all(a, [1,2,3,4,5,6,7,8,9,10].all(b, [1,2,3,4,5,6,7,8,9,10].all(c, [1,2,3,4,5,6,7,8,9,10].all(d, [1,2,3,4,5,6,7,8,9,10].all(e, a + b + c + d + e > 0))))) ? 'x' : 'y'";
    let policies = (0..200).map(|it| label(&format!("p{it}"), &format!("l{it}"), costly));
    let (review, ..) = case(policies).decided();
    assert_ne!(review.verdict(), Verdict::Allowed);
}
