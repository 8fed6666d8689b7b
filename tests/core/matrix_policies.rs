// SPDX-License-Identifier: Apache-2.0
//! ValidatingAdmissionPolicies: matching, bindings, parameters, actions and failure policies.

use garden_gate_core::admission::Undetermined;
use garden_gate_core::config::Level;
use garden_gate_core::garden::{FurtherObjects, GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_model::api::{Kind, UserInfo};
use rstest::rstest;
use serde_json::{Value, json};

use crate::recorded_policies::{Landscape, Results, judged, object};

/// A garden with a policy and its binding, and a request, which rows change.
struct Case {
    policy: Value,
    binding: Value,
    /// The labels of the Namespace; `None` if the garden has only another one.
    namespace: Option<Value>,
    parameters: Vec<Value>,
    further: FurtherObjects,
    new: Option<Value>,
    old: Option<Value>,
    subresource: &'static str,
    /// The requesting user; empty if unknown.
    user: &'static str,
}

impl Results {
    /// Returns the findings as level and message.
    fn findings(&self) -> Vec<(Level, &str)> {
        let findings = self.review.findings.iter();
        findings.map(|it| (it.level, it.message.as_str())).collect()
    }

    /// Reports whether nothing was found, noted or left open.
    fn is_silent(&self) -> bool {
        let Self { review, remarks } = self;
        review.findings.is_empty()
            && review.undetermined.is_empty()
            && remarks.notes.is_empty()
            && remarks.unjudged.is_empty()
    }

    /// Returns the only reason why a policy is not evaluated.
    fn why_unjudged(&self) -> &str {
        let [unjudged] = &self.remarks.unjudged[..] else {
            unreachable!("{:?} {:?}", self.remarks, self.review);
        };
        assert_eq!(unjudged.title, "ValidatingAdmissionPolicy `p`");
        assert!(self.review.findings.is_empty(), "{:?}", self.review);
        &unjudged.why
    }
}

fn binding_object(name: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "SecretBinding",
        "metadata": {"name": name, "namespace": "garden-dev", "labels": {"team": "a"}},
        "provider": {"type": "local"},
        "secretRef": {"name": "s", "namespace": "garden-dev"},
        "quotas": [{"name": "one", "namespace": "garden"}, {"name": "two", "namespace": "garden-dev"}],
    })
}

/// Refuses all SecretBindings whose provider is not `x`.
fn case() -> Case {
    Case {
        policy: json!({
            "metadata": {"name": "p"},
            "spec": {
                "matchConstraints": {"resourceRules": [{
                    "apiGroups": ["core.gardener.cloud"], "apiVersions": ["v1beta1"],
                    "operations": ["CREATE", "UPDATE"], "resources": ["secretbindings"],
                }]},
                "validations": [{"expression": "object.provider.type == 'x'", "message": "only x"}],
            },
        }),
        binding: json!({
            "metadata": {"name": "b"},
            "spec": {"policyName": "p", "validationActions": ["Deny"]},
        }),
        namespace: Some(json!({"stage": "dev"})),
        parameters: Vec::new(),
        further: FurtherObjects::None,
        new: Some(binding_object("new")),
        old: None,
        subresource: "",
        user: "alice",
    }
}

const DENIED: &str = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: only x";

impl Case {
    /// Changes a field of the policy.
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
        self.binding["spec"][field] = value;
        self
    }

    fn expression(self, expression: &str) -> Self {
        self.policy("validations", json!([{"expression": expression}]))
    }

    /// Makes ConfigMaps of namespace `garden` the parameters.
    fn with_config_maps(mut self, reference: Value, data: &[(&str, &str)]) -> Self {
        self = self.policy("paramKind", json!({"apiVersion": "v1", "kind": "ConfigMap"}));
        self.parameters = data
            .iter()
            .map(|(name, provider)| {
                json!({
                    "apiVersion": "v1", "kind": "ConfigMap",
                    "metadata": {"name": name, "namespace": "garden", "labels": {"for": "p"}},
                    "data": {"provider": provider},
                })
            })
            .collect();
        self.binding("paramRef", reference)
            .expression("object.provider.type == params.data.provider")
    }

    fn garden(&self) -> Snapshot {
        let (name, labels) = match &self.namespace {
            Some(labels) => ("garden-dev", labels.clone()),
            None => ("garden-other", json!({})),
        };
        let landscape = Landscape {
            policy: self.policy.clone(),
            bindings: vec![self.binding.clone()],
            parameters: self.parameters.clone(),
            namespace: json!({"metadata": {"name": name, "labels": labels}}),
        };
        landscape.garden(&self.further)
    }

    fn judged(&self) -> Results {
        self.judged_in(&self.garden())
    }

    fn judged_in(&self, garden: &Snapshot) -> Results {
        let user = UserInfo { username: self.user.to_owned(), ..UserInfo::default() };
        let objects = [self.new.as_ref(), self.old.as_ref()];
        judged(garden, objects, self.subresource, user)
    }

    fn is_denied(&self) -> bool {
        let results = self.judged();
        let is_denied = results.findings() == [(Level::Deny, DENIED)];
        assert!(is_denied || results.is_silent(), "{:?}", results.review);
        is_denied
    }
}

#[rstest]
#[case::itself(case(), true)]
#[case::other_resource(case().rule("resources", json!(["shoots"])), false)]
#[case::any_resource(case().rule("resources", json!(["*"])), true)]
#[case::all_subresources(case().rule("resources", json!(["secretbindings/*"])), true)]
#[case::a_subresource(case().rule("resources", json!(["secretbindings/status"])), false)]
#[case::other_group(case().rule("apiGroups", json!([""])), false)]
#[case::any_group(case().rule("apiGroups", json!(["*"])), true)]
#[case::other_version(case().rule("apiVersions", json!(["v1"])), false)]
#[case::other_operation(case().rule("operations", json!(["UPDATE"])), false)]
#[case::any_operation(case().rule("operations", json!(["*"])), true)]
#[case::namespaced(case().rule("scope", json!("Namespaced")), true)]
#[case::cluster_scoped(case().rule("scope", json!("Cluster")), false)]
#[case::other_name(case().rule("resourceNames", json!(["other"])), false)]
#[case::own_name(case().rule("resourceNames", json!(["other", "new"])), true)]
#[case::excluded(case().constraint("excludeResourceRules", json!([{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"]}])), false)]
#[case::other_excluded(case().constraint("excludeResourceRules", json!([{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["*"], "resourceNames": ["a"]}])), true)]
#[case::namespace_labels(case().constraint("namespaceSelector", json!({"matchLabels": {"stage": "dev"}})), true)]
#[case::other_namespace_labels(case().constraint("namespaceSelector", json!({"matchLabels": {"stage": "live"}})), false)]
#[case::namespace_name(case().constraint("namespaceSelector", json!({"matchLabels": {"kubernetes.io/metadata.name": "garden-dev"}})), true)]
#[case::object_labels(case().constraint("objectSelector", json!({"matchExpressions": [{"key": "team", "operator": "In", "values": ["a", "b"]}]})), true)]
#[case::other_object_labels(case().constraint("objectSelector", json!({"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]})), false)]
#[case::resources_of_binding(case().binding("matchResources", json!({"resourceRules": [{"apiGroups": ["*"], "apiVersions": ["*"], "operations": ["DELETE"], "resources": ["*"]}]})), false)]
#[case::labels_of_binding(case().binding("matchResources", json!({"objectSelector": {"matchLabels": {"team": "a"}}})), true)]
#[case::binding_of_another_policy(case().binding("policyName", json!("other")), false)]
fn policy_applies_to(#[case] case: Case, #[case] expected: bool) {
    assert_eq!(case.is_denied(), expected);
}

#[test]
fn selector_matches_the_stored_object_too() {
    let mut case = case().constraint("objectSelector", json!({"matchLabels": {"team": "a"}}));
    case.old = case.new.clone();
    case.new.as_mut().unwrap()["metadata"]["labels"] = json!({"team": "b"});
    assert!(case.is_denied());
    case.old.as_mut().unwrap()["metadata"]["labels"] = json!({"team": "b"});
    assert!(!case.is_denied());
}

#[test]
fn deletion_has_no_object() {
    let mut case = case().rule("operations", json!(["DELETE"])).expression(
        "object == null && oldObject.metadata.name == 'new' && request.operation == 'CREATE'",
    );
    case.old = case.new.take();
    let results = case.judged();
    let [(Level::Deny, message)] = results.findings()[..] else {
        unreachable!("{:?}", results.review);
    };
    assert!(message.contains("failed expression: object == null"), "{message}");
    assert_eq!(results.review.findings[0].pointer, "");
}

#[test]
fn creation_has_no_old_object() {
    let case = case().expression("oldObject == null && request.operation == 'CREATE' && request.name == 'new' && request.namespace == 'garden-dev' && request.resource.resource == 'secretbindings' && request.kind.kind == 'SecretBinding' && !request.dryRun");
    assert!(case.judged().is_silent());
}

#[test]
fn namespace_is_visible_in_validations() {
    let mut case = case().expression("namespaceObject.metadata.labels['stage'] == 'dev'");
    assert!(case.judged().is_silent());
    case.namespace = None;
    let review = case.judged().review;
    let [Undetermined { message, level, .. }] = &review.undetermined[..] else {
        unreachable!("{review:?}");
    };
    assert_eq!(*level, Level::Deny);
    assert!(message.ends_with("the garden has no Namespace `garden-dev`"), "{message}");
}

#[test]
fn unknown_namespace_is_undetermined() {
    let mut case = case().constraint("namespaceSelector", json!({"matchLabels": {"stage": "dev"}}));
    case.namespace = None;
    let review = case.judged().review;
    assert_eq!(review.undetermined.len(), 1, "{review:?}");
    assert_eq!(review.undetermined[0].rule, "policy/p");
    // Another reason excludes the object.
    let case = case.rule("resources", json!(["shoots"]));
    assert!(case.judged().is_silent());
}

const WARNED: &str = "Validation failed for ValidatingAdmissionPolicy 'p' with binding 'b': only x";
const RECORDED: &str =
    "ValidatingAdmissionPolicy `p` with binding `b` records a violation in the audit log: only x";

#[rstest]
#[case::deny(&["Deny"], &[(Level::Deny, DENIED)], &[])]
#[case::deny_and_audit(&["Audit", "Deny"], &[(Level::Deny, DENIED)], &[])]
#[case::warn(&["Warn"], &[(Level::Warn, WARNED)], &[])]
#[case::warn_and_audit(&["Warn", "Audit"], &[(Level::Warn, WARNED)], &[])]
#[case::audit(&["Audit"], &[], &[RECORDED])]
fn actions_are_levels(
    #[case] actions: &[&str],
    #[case] findings: &[(Level, &str)],
    #[case] notes: &[&str],
) {
    let results = case().binding("validationActions", json!(actions)).judged();
    assert_eq!(results.findings(), findings);
    assert_eq!(results.remarks.notes, notes);
}

const ERROR: &str = "ValidatingAdmissionPolicy 'p' with binding 'b' denied request: \
    expression 'object.metadata.absent == 1' resulted in error: no such key: absent";

#[rstest]
#[case::default(Value::Null, &[(Level::Deny, ERROR)])]
#[case::fail(json!("Fail"), &[(Level::Deny, ERROR)])]
#[case::ignore(json!("Ignore"), &[])]
fn errors_count_by_the_failure_policy(#[case] policy: Value, #[case] expected: &[(Level, &str)]) {
    let case = case().expression("object.metadata.absent == 1");
    let results = case.policy("failurePolicy", policy).judged();
    assert_eq!(results.findings(), expected);
}

#[test]
fn error_is_a_warning_if_the_binding_warns() {
    let case = case()
        .expression("object.metadata.absent == 1")
        .binding("validationActions", json!(["Warn"]));
    let levels: Vec<Level> = case.judged().findings().iter().map(|it| it.0).collect();
    assert_eq!(levels, [Level::Warn]);
}

#[rstest]
#[case::met(&["true", "object.provider.type == 'local'"], Value::Null, Some(DENIED))]
#[case::unmet(&["false"], Value::Null, None)]
#[case::unmet_after_an_error(&["object.absent == 1", "false"], Value::Null, None)]
#[case::error(&["object.absent == 1", "true"], Value::Null, Some("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: expression 'object.absent == 1' resulted in error: no such key: absent"))]
#[case::errors(&["object.absent == 1", "object.gone == 1"], Value::Null, Some("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: [expression 'object.absent == 1' resulted in error: no such key: absent, expression 'object.gone == 1' resulted in error: no such key: gone]"))]
#[case::ignored_error(&["object.absent == 1"], json!("Ignore"), None)]
#[case::no_namespace(&["namespaceObject == null"], Value::Null, Some(DENIED))]
fn conditions_decide_whether_a_policy_applies(
    #[case] conditions: &[&str],
    #[case] failure_policy: Value,
    #[case] expected: Option<&str>,
) {
    let conditions = conditions.iter().enumerate();
    let conditions =
        conditions.map(|(index, it)| json!({"name": index.to_string(), "expression": it}));
    let conditions: Vec<Value> = conditions.collect();
    let case =
        case().policy("matchConditions", json!(conditions)).policy("failurePolicy", failure_policy);
    let results = case.judged();
    let messages: Vec<&str> = results.findings().iter().map(|it| it.1).collect();
    assert_eq!(messages, Vec::from_iter(expected));
}

#[rstest]
#[case::expression(json!({"expression": " false "}), "failed expression: false")]
#[case::message(json!({"expression": "false", "message": " said "}), "said")]
#[case::evaluated(json!({"expression": "false", "message": "said", "messageExpression": "'not ' + object.provider.type"}), "not local")]
#[case::error(json!({"expression": "false", "message": "said", "messageExpression": "string(object.absent)"}), "said")]
#[case::several_lines(json!({"expression": "false", "message": "said", "messageExpression": "'a\\nb'"}), "said")]
#[case::blank(json!({"expression": "false", "messageExpression": "'  '"}), "failed expression: false")]
#[case::variable(json!({"expression": "variables.no", "messageExpression": "variables.text"}), "text of local")]
fn message_is(#[case] validation: Value, #[case] expected: &str) {
    let case = case().policy("validations", json!([validation])).policy(
        "variables",
        json!([
            {"name": "no", "expression": "false"},
            {"name": "text", "expression": "'text of ' + object.provider.type"},
        ]),
    );
    let results = case.judged();
    let expected =
        format!("ValidatingAdmissionPolicy 'p' with binding 'b' denied request: {expected}");
    assert_eq!(results.findings(), [(Level::Deny, expected.as_str())]);
}

#[rstest]
#[case::default(Value::Null, 422)]
#[case::invalid(json!("Invalid"), 422)]
#[case::forbidden(json!("Forbidden"), 403)]
fn reason_determines_the_status(#[case] reason: Value, #[case] code: u16) {
    let validation = json!({"expression": "false", "reason": reason});
    let review = case().policy("validations", json!([validation])).judged().review;
    assert_eq!(review.findings[0].phase.code(), code);
}

#[rstest]
#[case::found(json!({"name": "one", "namespace": "garden", "parameterNotFoundAction": "Deny"}), &["x"], &["failed expression: object.provider.type == params.data.provider"])]
#[case::fitting(json!({"name": "one", "namespace": "garden", "parameterNotFoundAction": "Deny"}), &["local"], &[])]
#[case::selected(json!({"selector": {"matchLabels": {"for": "p"}}, "namespace": "garden", "parameterNotFoundAction": "Deny"}), &["local", "x", "y"], &["failed expression: object.provider.type == params.data.provider"])]
#[case::missing(json!({"name": "none", "namespace": "garden", "parameterNotFoundAction": "Deny"}), &["x"], &["failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"])]
#[case::none_selected(json!({"selector": {"matchLabels": {"for": "q"}}, "namespace": "garden", "parameterNotFoundAction": "Deny"}), &["x"], &["failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"])]
#[case::missing_and_allowed(json!({"name": "none", "namespace": "garden", "parameterNotFoundAction": "Allow"}), &["x"], &[])]
#[case::of_the_namespace(json!({"name": "one", "parameterNotFoundAction": "Deny"}), &["x"], &["failed to configure binding: no params found for policy binding with `Deny` parameterNotFoundAction"])]
fn parameters_are(#[case] reference: Value, #[case] providers: &[&str], #[case] expected: &[&str]) {
    const NAMES: [&str; 3] = ["one", "two", "three"];
    let data: Vec<(&str, &str)> = NAMES.into_iter().zip(providers.iter().copied()).collect();
    let results = case().with_config_maps(reference, &data).judged();
    let messages = results.findings().into_iter().map(|(_, message)| message);
    let messages: Vec<&str> =
        messages.map(|it| it.split_once(" denied request: ").unwrap().1).collect();
    assert_eq!(messages, expected);
    assert!(results.review.undetermined.is_empty());
}

#[test]
fn missing_parameter_refuses_even_if_the_binding_warns() {
    let reference =
        json!({"name": "none", "namespace": "garden", "parameterNotFoundAction": "Deny"});
    let case =
        case().with_config_maps(reference, &[]).binding("validationActions", json!(["Warn"]));
    let results = case.judged();
    assert_eq!(results.review.findings[0].level, Level::Deny);
}

#[test]
fn policy_without_a_reference_has_no_params() {
    let case = case()
        .policy("paramKind", json!({"apiVersion": "v1", "kind": "ConfigMap"}))
        .expression("params == null");
    assert!(case.judged().is_silent());
}

#[test]
fn parameters_that_may_exist_are_undetermined() {
    let reference =
        json!({"name": "none", "namespace": "garden", "parameterNotFoundAction": "Allow"});
    let mut case = case().with_config_maps(reference, &[("one", "x")]);
    case.further = FurtherObjects::Possible("they are not listed".to_owned());
    let review = case.judged().review;
    assert_eq!(review.undetermined.len(), 1, "{review:?}");
    let message = &review.undetermined[0].message;
    assert!(
        message.contains("the ConfigMap `none`, is not known: they are not listed"),
        "{message}"
    );
}

#[test]
fn parameters_that_the_garden_omits_are_not_judged() {
    let reference =
        json!({"name": "none", "namespace": "garden", "parameterNotFoundAction": "Deny"});
    let mut case = case().with_config_maps(reference, &[]);
    case.further = FurtherObjects::Omitted;
    let results = case.judged();
    let why = results.why_unjudged();
    assert!(why.contains("objects of kind v1 ConfigMap"), "{why}");
}

#[test]
fn parameters_of_any_kind_are_found() {
    let limit = json!({"apiVersion": "example.com/v1", "kind": "Limit", "metadata": {"name": "one"}, "provider": "x"});
    let mut case = case()
        .policy("paramKind", json!({"apiVersion": "example.com/v1", "kind": "Limit"}))
        .binding("paramRef", json!({"name": "one", "parameterNotFoundAction": "Deny"}))
        .expression("object.provider.type == params.provider");
    case.parameters = vec![limit];
    assert_eq!(case.judged().findings().len(), 1);
    // A cluster-scoped kind has no namespace.
    let reference =
        json!({"name": "one", "namespace": "garden", "parameterNotFoundAction": "Deny"});
    let case = case.binding("paramRef", reference);
    let results = case.judged();
    assert!(results.findings()[0].1.contains("paramRef.namespace must not be provided"));
}

#[rstest]
#[case::authorizer(case().expression("authorizer.group('').resource('pods').check('get').allowed()"), "authorizer")]
#[case::type_error(case().expression("1 + 'a' == 2"), "does not compile")]
#[case::no_boolean(case().expression("'a'"), "does not compile")]
#[case::undeclared_params(case().expression("params.x == 1"), "does not compile")]
#[case::broken_message(case().policy("validations", json!([{"expression": "false", "messageExpression": "1"}])), "messageExpression` does not compile")]
#[case::authorizer_in_message(case().policy("validations", json!([{"expression": "false", "messageExpression": "authorizer.path('/').check('get').reason()"}])), "messageExpression` does not compile, so that an API server refuses the policy: 1:1: undeclared reference to 'authorizer'")]
#[case::no_rules(case().policy("matchConstraints", json!({})), "`spec.matchConstraints.resourceRules` is required, so that an API server refuses the policy")]
#[case::no_validations(case().policy("validations", json!([])), "`spec.validations` is required")]
#[case::failure_policy(case().policy("failurePolicy", json!("Perhaps")), "`spec.failurePolicy` cannot be `Perhaps`, so that")]
#[case::reason(case().policy("validations", json!([{"expression": "false", "reason": "Gone"}])), "`spec.validations[0].reason` cannot be `Gone`, so that")]
#[case::unauthorized(case().policy("validations", json!([{"expression": "false", "reason": "Unauthorized"}])), "`spec.validations[0].reason` cannot be `Unauthorized`")]
#[case::message_of_lines(case().policy("validations", json!([{"expression": "false", "message": "a\nb"}])), "`spec.validations[0].message` cannot be")]
#[case::operation(case().rule("operations", json!(["CREATE", "PATCH"])), "`spec.matchConstraints.resourceRules[0].operations[1]` cannot be `PATCH`")]
#[case::operation_that_matches_nothing(case().rule("operations", json!(["create"])), "`spec.matchConstraints.resourceRules[0].operations[0]` cannot be `create`, so that")]
#[case::condition_with_a_variable(case().policy("variables", json!([{"name": "a", "expression": "true"}])).policy("matchConditions", json!([{"name": "a", "expression": "variables.a"}])), "`spec.matchConditions[0].expression` uses `variables`")]
#[case::scope(case().rule("scope", json!("Namespace")), "`spec.matchConstraints.resourceRules[0].scope` cannot be `Namespace`")]
#[case::selector(case().constraint("objectSelector", json!({"matchExpressions": [{"key": "a", "operator": "Is"}]})), "`spec.matchConstraints.objectSelector.matchExpressions[0].operator` cannot be `Is`")]
#[case::parameter_kind(case().policy("paramKind", json!({"kind": "ConfigMap"})), "`spec.paramKind.apiVersion` is required")]
#[case::variable_name(case().policy("variables", json!([{"name": "a-b", "expression": "1"}])), "`spec.variables[0].name` cannot be `a-b`")]
#[case::conditions(case().policy("matchConditions", json!([{"name": "a", "expression": "true"}, {"name": "a", "expression": "true"}])), "`spec.matchConditions[1].name` is a duplicate of `a`")]
#[case::annotation(case().policy("auditAnnotations", json!([{"key": "a b", "valueExpression": "'a'"}])), "`spec.auditAnnotations[0].key` cannot be `a b`")]
#[case::no_actions(case().binding("validationActions", json!([])), "`spec.validationActions` is required in its binding `b`, so that an API server refuses the binding")]
#[case::actions(case().binding("validationActions", json!(["Deny", "Warn"])), "`spec.validationActions` has both `Deny` and `Warn` in its binding `b`")]
#[case::action(case().binding("validationActions", json!(["Deny", "Log"])), "`spec.validationActions[1]` cannot be `Log` in its binding `b`")]
#[case::bound_selector(case().binding("matchResources", json!({"namespaceSelector": {"matchLabels": {"a b": ""}}})), "`spec.matchResources.namespaceSelector.matchLabels[a b]` is not a valid label")]
#[case::name_and_selector(case().binding("paramRef", json!({"name": "a", "selector": {}, "parameterNotFoundAction": "Deny"})), "`spec.paramRef.name` cannot be set together with `selector` in its binding `b`")]
#[case::no_action(case().binding("paramRef", json!({"name": "a"})), "`spec.paramRef.parameterNotFoundAction` is required in its binding `b`")]
#[case::match_policy(case().constraint("matchPolicy", json!("exact")), "`spec.matchConstraints.matchPolicy` cannot be `exact`, so that")]
#[case::unknown_field(case().policy("foo", json!(1)), "`spec.foo` is an unknown field, whose effect is not known")]
#[case::unknown_field_of_binding(case().binding("foo", json!(1)), "`spec.foo` is an unknown field of its binding `b`, whose effect is not known")]
#[case::many_variables(case().policy("variables", json!(vec![json!({"name": "a", "expression": "1"}); 10_000])), "10000 `spec.variables`; at most 1000")]
fn policy_is_not_judged(#[case] case: Case, #[case] expected: &str) {
    let results = case.judged();
    let why = results.why_unjudged();
    assert!(why.contains(expected), "{why}");
}

#[test]
fn unused_variable_does_not_matter() {
    let variables =
        json!([{"name": "a", "expression": "authorizer.path('/').check('get').allowed()"}]);
    let unused = case().policy("variables", variables);
    assert!(unused.is_denied());
    let results = unused.expression("variables.a").judged();
    let why = results.why_unjudged();
    assert!(why.contains("authorizer"), "{why}");
}

#[test]
fn unreadable_policy_is_not_judged() {
    let mut case = case();
    case.policy["metadata"]["name"] = "other".into();
    let mut garden = case.garden();
    let key = ObjectKey::named(Kind::ValidatingAdmissionPolicy, "p");
    garden.apply(GardenObject::Unreadable(key, "broken".to_owned()));
    let results = case.judged_in(&garden);
    assert_eq!(results.why_unjudged(), "it cannot be read: broken");
}

#[test]
fn unreadable_binding_is_named() {
    let case = case();
    let mut garden = case.garden();
    let key = ObjectKey::named(Kind::ValidatingAdmissionPolicyBinding, "broken");
    garden.apply(GardenObject::Unreadable(key, "why".to_owned()));
    let results = case.judged_in(&garden);
    assert_eq!(results.findings().len(), 1);
    let unjudged = results.remarks.unjudged.iter().map(|it| (&*it.title, &*it.why));
    let expected = ("ValidatingAdmissionPolicyBinding `broken`", "it cannot be read: why");
    assert_eq!(unjudged.collect::<Vec<_>>(), [expected]);
}

#[test]
fn garden_without_any_binding_leaves_policies_open() {
    let case = case();
    let mut garden = Snapshot::new(Knowledge::Everything);
    garden.apply(object(Kind::ValidatingAdmissionPolicy, &case.policy));
    let results = case.judged_in(&garden);
    let why = results.why_unjudged();
    assert!(why.contains("no ValidatingAdmissionPolicyBinding"), "{why}");
    garden.complete(Kind::ValidatingAdmissionPolicyBinding);
    assert!(case.judged_in(&garden).is_silent());
}

#[test]
fn unknown_user_is_not_judged() {
    let mut case = case().expression("request.userInfo.username == 'bob'");
    assert_eq!(case.judged().findings().len(), 1);
    case.user = "";
    let results = case.judged();
    let why = results.why_unjudged();
    assert!(why.contains("requesting user"), "{why}");
}

#[test]
fn error_of_an_audit_annotation_refuses() {
    let annotations = |expression: &str| json!([{"key": "a", "valueExpression": expression}]);
    let case = case()
        .expression("true")
        .binding("validationActions", json!(["Audit"]))
        .policy("auditAnnotations", annotations("string(object.absent)"));
    assert_eq!(case.judged().findings().len(), 1);
    let ignored = case.policy("failurePolicy", json!("Ignore"));
    assert!(ignored.judged().is_silent());
    let valid = ignored.policy("auditAnnotations", annotations("string(object.provider.type)"));
    assert!(valid.policy("failurePolicy", Value::Null).judged().is_silent());
}

#[rstest]
#[case::field("object.provider.type == 'x'", "provider.type")]
#[case::absent("has(object.metadata.labels.cost)", "metadata.labels.cost")]
#[case::element("object.quotas.all(it, it.namespace == 'garden-dev')", "quotas[0].namespace")]
#[case::other_element("object.quotas.all(it, it.namespace == 'garden')", "quotas[1].namespace")]
#[case::all_elements("object.quotas.all(it, it.namespace == 'x')", "quotas")]
#[case::no_element("object.quotas.exists(it, it.namespace == 'x')", "quotas")]
#[case::variable("variables.provider == 'x'", "provider.type")]
#[case::none("1 == 2", "")]
fn finding_is_at(#[case] expression: &str, #[case] expected: &str) {
    let variables = json!([{"name": "provider", "expression": "object.provider.type"}]);
    let case = case().policy("variables", variables).expression(expression);
    let review = case.judged().review;
    assert_eq!(review.findings[0].field, expected);
}

#[test]
fn warning_can_be_silenced() {
    let mut case = case().binding("validationActions", json!(["Warn"]));
    let annotations = json!({"ignore.garden-gate.dev/policy.p": "known"});
    case.new.as_mut().unwrap()["metadata"]["annotations"] = annotations;
    let review = case.judged().review;
    assert!(review.findings.is_empty());
    assert_eq!(review.silenced[0].id, "policy/p");
}

#[rstest]
#[case::value("object.metadata.uid != ''", "metadata.uid")]
#[case::key("!('uid' in object.metadata)", "metadata")]
fn fields_that_an_api_server_sets_are_undetermined(#[case] expression: &str, #[case] field: &str) {
    let case = case().expression(expression);
    let review = case.judged().review;
    assert_eq!(review.undetermined.len(), 1, "{review:?}");
    assert_eq!(review.undetermined[0].field, field);
    // Other fields decide.
    let case = case.expression("object.metadata.uid != '' || object.provider.type == 'local'");
    assert!(case.judged().is_silent());
}

#[test]
fn endless_comprehension_is_an_error() {
    let items = json!(vec![json!({"name": "q", "namespace": "n"}); 1_000]);
    let mut case = case().expression(
        "object.quotas.all(a, object.quotas.all(b, object.quotas.all(c, a.name + b.name + c.name != 'x')))",
    );
    case.new.as_mut().unwrap()["quotas"] = items;
    let results = case.judged();
    let findings = results.findings();
    assert_eq!(findings.len(), 1, "{:?}", results.review);
    assert!(findings[0].1.contains("cost"), "{findings:?}");
}

#[test]
fn effort_of_many_parameters_is_limited_for_an_object() {
    let names: Vec<String> = (0..200).map(|it| format!("c-{it}")).collect();
    let data: Vec<(&str, &str)> = names.iter().map(|it| (it.as_str(), "local")).collect();
    let selector = json!({"selector": {"matchLabels": {"for": "p"}}, "parameterNotFoundAction": "Deny", "namespace": "garden"});
    let expensive = |failure_policy: &str| {
        let case = case()
            .with_config_maps(selector.clone(), &data)
            .expression("lists.range(100000).all(it, it + 1 > it)");
        case.policy("failurePolicy", failure_policy.into()).judged()
    };
    let Results { review, .. } = expensive("Fail");
    let messages: Vec<&str> = review.undetermined.iter().map(|it| &*it.message).collect();
    let expected = "cannot tell whether ValidatingAdmissionPolicy `p` accepts the object: its expressions exceed the limit on work for one object; shorten long lists and strings of the object, or simplify the policy";
    assert_eq!(messages, [expected]);
    let Results { review, .. } = expensive("Ignore");
    assert!(review.undetermined.is_empty() && review.findings.is_empty());
}
