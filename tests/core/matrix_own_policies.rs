// SPDX-License-Identifier: Apache-2.0
//! Policies of operators: lookups in the garden, levels and static checks.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use garden_gate_core::admission::{
    Exempted, Operation, Origin, Question, Request, Review, Rules, World,
};
use garden_gate_core::config::{Config, Exemption, Level};
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot, read};
use garden_gate_core::policies::{
    Allowance, Deadline, OwnPolicy, Policies, PolicyRemarks, PolicyResult, judge_quickly,
    judge_within, own_policies, policies_in,
};
use garden_gate_model::api::{Kind, UserInfo};
use rstest::rstest;
use serde_json::value::to_raw_value;
use serde_json::{Value, json};

fn object(kind: Kind, value: &Value) -> GardenObject {
    read(kind, value.to_string().as_str()).unwrap().unwrap()
}

/// Returns a garden with a Project, a CloudProfile and two Shoots.
fn garden() -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let project = json!({
        "metadata": {"name": "dev", "labels": {"tier": "gold"}},
        "spec": {"namespace": "garden-dev", "owner": {"kind": "User", "name": "alice"}},
    });
    garden.apply(object(Kind::Project, &project));
    let profile = json!({"metadata": {"name": "stratus"}, "spec": {
        "type": "stratus",
        "kubernetes": {"versions": [{"version": "1.34.7", "classification": "preview"}]},
        "machineTypes": [{"name": "small", "cpu": "2", "gpu": "0", "memory": "8Gi"}],
    }});
    garden.apply(object(Kind::CloudProfile, &profile));
    for (namespace, name) in [("garden-dev", "a"), ("garden-ops", "b")] {
        garden.apply(object(Kind::Shoot, &shoot(namespace, name)));
    }
    garden
}

fn shoot(namespace: &str, name: &str) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"namespace": namespace, "name": name},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "stratus"},
            "kubernetes": {"version": "1.34.7"},
            "provider": {"type": "stratus", "workers": [{"name": "pool", "maximum": 3, "machine": {"type": "small"}}]},
        },
    })
}

fn policy(fields: &Value) -> Value {
    let mut policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy",
        "metadata": {"name": "own"},
        "spec": {
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["core.gardener.cloud"], "apiVersions": ["*"], "operations": ["*"], "resources": ["shoots"],
            }]},
            "validations": [{"expression": "false", "message": "no"}],
        },
    });
    for (name, value) in fields.as_object().unwrap() {
        policy["spec"][name] = value.clone();
    }
    policy
}

fn compiled(policy: &Value) -> Result<Vec<OwnPolicy>, String> {
    let documents = policies_in(&policy.to_string()).map_err(|error| error.message)?;
    own_policies(&documents).map_err(|errors| errors[0].message.clone())
}

fn judged_in(policy: &Value, garden: &Snapshot, config: &Config) -> (Review, PolicyRemarks) {
    let own = compiled(policy).unwrap();
    let (review, remarks) = judged_by(&own, (garden, config), false);
    (review, remarks.unwrap())
}

/// Judges a new Shoot by policies; quickly, or without a limit on the time.
fn judged_by(
    own: &[OwnPolicy],
    garden: (&Snapshot, &Config),
    is_quick: bool,
) -> (Review, Option<PolicyRemarks>) {
    let allowance = Allowance::of_request(&Deadline::default());
    judged_with(own, garden, (!is_quick).then_some(&allowance))
}

fn judged_within(
    own: &[OwnPolicy],
    garden: (&Snapshot, &Config),
    allowance: &Allowance,
) -> (Review, PolicyRemarks) {
    let (review, remarks) = judged_with(own, garden, Some(allowance));
    (review, remarks.unwrap())
}

fn judged_with(
    own: &[OwnPolicy],
    (garden, config): (&Snapshot, &Config),
    allowance: Option<&Allowance>,
) -> (Review, Option<PolicyRemarks>) {
    let new = to_raw_value(&shoot("garden-dev", "new")).unwrap();
    let user = UserInfo { username: "alice".to_owned(), ..UserInfo::default() };
    let request = Request {
        name: "new".to_owned(),
        namespace: "garden-dev".to_owned(),
        ..Request::of_objects(Kind::Shoot, user, [Some(&*new), None])
    };
    let world = World {
        rules: Rules::default(),
        garden,
        config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let policies = Policies { cache: None, own, is_user_known: true, is_enforced: true };
    let mut review = Review::default();
    let remarks = match allowance {
        None => judge_quickly(&request, &mut review, &world, policies),
        Some(allowance) => {
            let limited = (policies, allowance);
            Some(judge_within(&request, &mut review, &world, limited))
        }
    };
    (review, remarks)
}

fn judged(policy: &Value) -> Review {
    judged_in(policy, &garden(), &Config::default()).0
}

#[rstest]
#[case::project(
    "garden.project.metadata.name == 'dev' && garden.project.metadata.labels.tier == 'gold' && garden.project.spec.owner.name == 'alice'"
)]
#[case::profile(
    "garden.cloudProfile.spec.kubernetes.versions.exists(it, it.version == object.spec.kubernetes.version && it.classification == 'preview')"
)]
#[case::machine_type(
    "garden.cloudProfile.spec.machineTypes[0].name == 'small' && quantity(garden.cloudProfile.spec.machineTypes[0].cpu).isGreaterThan(quantity('1'))"
)]
#[case::no_seed("garden.seed == null")]
#[case::shoots(
    "size(garden.shoots()) == 2 && garden.shoots('garden-dev')[0].metadata.name == 'a' && garden.shoots('none') == []"
)]
#[case::time("now == timestamp('2026-01-01T00:00:00Z')")]
#[case::user("request.userInfo.username == 'alice'")]
fn expression_is_true(#[case] expression: &str) {
    let policy = policy(&json!({"validations": [{"expression": expression}]}));
    let review = judged(&policy);
    assert!(review.findings.is_empty() && review.undetermined.is_empty(), "{review:?}");
}

#[test]
fn finding_has_message_help_and_origin() {
    let review = judged(&policy(&json!({"id": "custom", "help": "do it"})));
    let finding = &review.findings[0];
    let texts = [finding.finding, &*finding.message, &*finding.help];
    assert_eq!(texts, ["policy/custom", "no", "do it"]);
    assert_eq!((finding.level, finding.origin), (Level::Deny, Origin::GardenGate));
}

#[rstest]
#[case::deny(None, None, Some(Level::Deny), false)]
#[case::warn(Some("warn"), None, Some(Level::Warn), false)]
#[case::off(Some("off"), None, None, false)]
#[case::lowered(None, Some(Level::Warn), Some(Level::Warn), true)]
#[case::switched_off(None, Some(Level::Off), None, false)]
#[case::raised(Some("warn"), Some(Level::Deny), Some(Level::Deny), false)]
fn level_is(
    #[case] own: Option<&str>,
    #[case] configured: Option<Level>,
    #[case] expected: Option<Level>,
    #[case] would_deny: bool,
) {
    let mut config = Config::default();
    if let Some(level) = configured {
        config.levels.insert("policy/own".to_owned(), level);
    }
    let (review, _) = judged_in(&policy(&json!({"level": own})), &garden(), &config);
    let levels: Vec<Level> = review.findings.iter().map(|it| it.level).collect();
    assert_eq!(levels, Vec::from_iter(expected));
    assert!(review.findings.iter().all(|it| it.would_deny == would_deny));
}

#[test]
fn unknown_object_is_undetermined() {
    let policy =
        policy(&json!({"validations": [{"expression": "garden.project.metadata.name == 'dev'"}]}));
    let nothing = Snapshot::new(Knowledge::Nothing);
    let (review, _) = judged_in(&policy, &nothing, &Config::default());
    assert_eq!(review.undetermined.len(), 1, "{review:?}");
    let message = &review.undetermined[0].message;
    assert!(
        message.contains("GardenPolicy `own`") && message.contains("`garden.project` is not known"),
        "{message}"
    );
}

#[rstest]
#[case::parameters(json!({"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}), "`spec.paramKind` is an unknown field")]
#[case::field(json!({"validation": []}), "`spec.validation` is an unknown field")]
#[case::level(json!({"level": "error"}), "`error` is not a level")]
#[case::lookup(json!({"validations": [{"expression": "garden.profile == null"}]}), "does not compile")]
#[case::call(json!({"validations": [{"expression": "garden.seeds() == []"}]}), "does not compile")]
#[case::no_rules(json!({"matchConstraints": {}}), "resourceRules` is required")]
#[case::authorizer(json!({"validations": [{"expression": "authorizer.path('/').check('get').allowed()"}]}), "authorizer")]
fn policy_is_an_error(#[case] fields: Value, #[case] expected: &str) {
    let Err(message) = compiled(&policy(&fields)) else {
        unreachable!("{fields} is accepted");
    };
    assert!(message.contains(expected), "{message}");
}

#[test]
fn other_version_is_an_error() {
    let mut other = policy(&json!({}));
    other["apiVersion"] = "garden-gate.dev/v1".into();
    let Err(message) = compiled(&other) else {
        unreachable!("{other} is accepted");
    };
    assert!(message.contains("`garden-gate.dev/v1` of GardenPolicy"), "{message}");
}

fn of_expression(expression: &str) -> Value {
    policy(&json!({"validations": [{"expression": expression, "message": "no"}]}))
}

#[rstest]
#[case::accepted("true", PolicyResult::Accepted)]
#[case::violated("false", PolicyResult::Violated)]
#[case::failed("object.spec.nope == 1", PolicyResult::Failed)]
#[case::undetermined("namespaceObject.metadata.name == 'a'", PolicyResult::Undetermined)]
fn result_is_returned_by_name(#[case] expression: &str, #[case] expected: PolicyResult) {
    let policy = of_expression(expression);
    let (_, remarks) = judged_in(&policy, &garden(), &Config::default());
    assert_eq!(remarks.evaluated, [("own", expected)]);
    assert_eq!(remarks.unjudged, []);
}

#[test]
fn ignored_failure_is_returned_and_excluded_requests_are_not() {
    let ignoring = policy(
        &json!({"failurePolicy": "Ignore", "validations": [{"expression": "object.spec.nope == 1"}]}),
    );
    let (review, remarks) = judged_in(&ignoring, &garden(), &Config::default());
    assert_eq!(remarks.evaluated, [("own", PolicyResult::Failed)]);
    assert!(review.findings.is_empty());
    let excluded = policy(&json!({"matchConditions": [{"name": "none", "expression": "false"}]}));
    let (_, remarks) = judged_in(&excluded, &garden(), &Config::default());
    assert_eq!(remarks.evaluated, []);
}

#[rstest]
#[case::accepted("object.spec.provider.workers.all(it, it.maximum < 5)", true)]
#[case::cheap_lookup("garden.project.metadata.name == 'dev'", true)]
#[case::violated("false", false)]
#[case::profile("garden.cloudProfile != null", true)]
#[case::shoots("garden.shoots() != []", true)]
#[case::expensive("lists.range(2000).all(it, it + 1 > it)", false)]
#[case::large_strings(
    "lists.range(200).map(it, 'a').join('b').replace('a', 'c'.replace('c', 'ddddddddd')) != ''",
    true
)]
fn quick_evaluation_only_accepts_cheaply(#[case] expression: &str, #[case] is_quick: bool) {
    let own = compiled(&of_expression(expression)).unwrap();
    let config = Config::default();
    let (review, remarks) = judged_by(&own, (&garden(), &config), true);
    assert_eq!(remarks.is_some(), is_quick);
    assert!(review.findings.is_empty());
}

#[test]
fn cost_of_all_policies_of_a_request_is_limited() {
    let slow = of_expression("lists.range(200000).all(it, it + 1 > it)");
    let own: Vec<OwnPolicy> = (0..30)
        .flat_map(|index| {
            let mut policy = slow.clone();
            policy["spec"]["id"] = format!("slow-{index}").into();
            compiled(&policy).unwrap()
        })
        .collect();
    let config = Config::default();
    let (review, remarks) = judged_by(&own, (&garden(), &config), false);
    // Each expression costs its limit of one million, and has some work.
    let failed = review.findings.len();
    assert!((10..=20).contains(&failed), "{failed}");
    let undetermined = review.undetermined.iter();
    let messages: Vec<&str> = undetermined.map(|it| &*it.message).collect();
    assert_eq!(messages.len(), 30 - failed);
    let expected = "cannot tell whether GardenPolicy `own` accepts the object: its expressions exceed the limit on work for one object; shorten long lists and strings of the object, or simplify the policy";
    assert_eq!(messages.last(), Some(&expected));
    let evaluated = remarks.unwrap().evaluated;
    let results: Vec<PolicyResult> = evaluated.iter().map(|(_, it)| *it).collect();
    let (first, rest) = results.split_at(failed);
    assert!(first.iter().all(|it| *it == PolicyResult::Failed));
    assert!(rest.iter().all(|it| *it == PolicyResult::Undetermined));
}

/// Returns an allowance whose time is over when it is asked for the given time, and the number of questions.
fn ending(after: usize) -> (Allowance, Arc<AtomicUsize>) {
    let asked = Arc::new(AtomicUsize::new(0));
    let own = Arc::clone(&asked);
    let is_over = move || own.fetch_add(1, Ordering::Relaxed) >= after;
    (Allowance::of_request(&Deadline::new(is_over)), asked)
}

const SLOW: &str = "lists.range(100000).all(it, it + 1 > it)";

#[rstest]
#[case::validation(json!({"validations": [{"expression": SLOW}]}))]
#[case::condition(json!({"matchConditions": [{"name": "slow", "expression": SLOW}]}))]
#[case::variable(json!({
    "variables": [{"name": "slow", "expression": SLOW}],
    "validations": [{"expression": "variables.slow || true"}],
}))]
#[case::annotation(json!({
    "validations": [{"expression": "true"}],
    "auditAnnotations": [{"key": "slow", "valueExpression": format!("string({SLOW})")}],
}))]
fn deadline_ends_evaluations_undetermined(#[case] fields: Value) {
    let config = Config::default();
    for after in [0, 1, 2, 5] {
        for policy_fails in [true, false] {
            let mut policy = policy(&fields);
            let failure_policy = if policy_fails { "Fail" } else { "Ignore" };
            policy["spec"]["failurePolicy"] = failure_policy.into();
            let own = compiled(&policy).unwrap();
            let (allowance, asked) = ending(after);
            let (review, remarks) = judged_within(&own, (&garden(), &config), &allowance);
            assert_eq!(review.findings.len(), 0, "{review:?}");
            assert_eq!(review.undetermined.len(), usize::from(policy_fails));
            assert_eq!(remarks.evaluated, [("own", PolicyResult::Undetermined)]);
            // Nothing goes on after the deadline.
            assert_eq!(asked.load(Ordering::Relaxed), after + 1);
            for it in &review.undetermined {
                let expected = "GardenPolicy `own` accepts the object: the time limit of the request was exceeded";
                assert!(it.message.contains(expected), "{}", it.message);
            }
        }
    }
}

#[test]
fn refusals_before_the_deadline_are_kept() {
    let policy = policy(&json!({"validations": [
        {"expression": "false", "message": "no"}, {"expression": SLOW}, {"expression": "false", "message": "later"},
    ]}));
    let own = compiled(&policy).unwrap();
    let config = Config::default();
    let (review, _) = judged_within(&own, (&garden(), &config), &ending(2).0);
    let messages: Vec<&str> = review.findings.iter().map(|it| &*it.message).collect();
    assert_eq!((messages, review.undetermined.len()), (vec!["no"], 1));
}

#[test]
fn many_objects_share_the_work_of_a_run() {
    let own = (0..10).flat_map(|_| compiled(&of_expression(SLOW)).unwrap());
    let own: Vec<OwnPolicy> = own.collect();
    let config = Config::default();
    let undetermined = |objects| {
        let allowance = Allowance::of_object(objects);
        let (review, _) = judged_within(&own, (&garden(), &config), &allowance);
        review.undetermined.len()
    };
    assert_eq!(undetermined(1), 0);
    assert!(undetermined(100) > 0);
    assert_eq!(undetermined(1_000_000), undetermined(100));
}

#[test]
fn large_lookups_are_quick_once_they_are_converted() {
    let config = Config::default();
    let mut garden = garden();
    for number in 0..1_000 {
        let shoot = shoot(&format!("garden-{}", number % 3), &format!("s-{number:04}"));
        garden.apply(object(Kind::Shoot, &shoot));
    }
    let own = compiled(&of_expression(
        "garden.shoots().size() == 1002 && garden.shoots('garden-1')[332].metadata.name == 's-0997'",
    )).unwrap();
    let is_quick = |garden: &Snapshot| {
        let (review, remarks) = judged_by(&own, (garden, &config), true);
        assert!(review.findings.is_empty() && review.undetermined.is_empty());
        remarks.is_some()
    };
    assert!(!is_quick(&garden));
    let (review, _) = judged_by(&own, (&garden, &config), false);
    assert!(review.findings.is_empty(), "{review:?}");
    assert!(is_quick(&garden) && is_quick(&garden.clone()));
    // Another version is another list; the former one keeps its own.
    let former = garden.clone();
    garden.apply(object(Kind::Shoot, &shoot("garden-1", "s-9999")));
    assert!(!is_quick(&garden));
    let (review, _) = judged_by(&own, (&garden, &config), false);
    assert_eq!(review.findings.len(), 1);
    let (review, _) = judged_by(&own, (&former, &config), false);
    assert!(review.findings.is_empty(), "{review:?}");
}

#[test]
fn objects_missing_from_a_watch_are_asked_for() {
    let config = Config::default();
    let watched = Snapshot::new(Knowledge::Watched);
    let own = compiled(&of_expression("garden.project != null")).unwrap();
    let (review, remarks) = judged_by(&own, (&watched, &config), false);
    let expected = Question::ProjectOfNamespace("garden-dev".to_owned());
    assert!(remarks.unwrap().questions.contains(&expected));
    assert_eq!(review.undetermined.len(), 1);
    let (_, remarks) = judged_by(&own, (&garden(), &config), false);
    assert!(remarks.unwrap().questions.is_empty());
}

#[test]
fn exempt_requests_are_recorded() {
    let policy = policy(&json!({}));
    let alice = Exemption { users: vec!["alice".to_owned()], ..Exemption::default() };
    let mut config = Config::default();
    let by_rule = &mut config.exemptions.by_rule;
    by_rule.insert("policy/own".to_owned(), alice.clone());
    let (review, _) = judged_in(&policy, &garden(), &config);
    assert_eq!(review.exempted, Exempted::From(vec!["policy/own"]));
    assert!(review.findings.is_empty());
    config.exemptions.all = alice;
    let (review, _) = judged_in(&policy, &garden(), &config);
    assert_eq!(review.exempted, Exempted::Wholly);
}

#[rstest]
#[case::none("object != null", &[])]
#[case::project("garden.project != null", &[Kind::Project])]
#[case::profile("garden.cloudProfile != null", &[Kind::CloudProfile, Kind::NamespacedCloudProfile])]
#[case::seed_and_shoots("garden.seed == null && garden.shoots() == []", &[Kind::Seed, Kind::Shoot])]
fn lookups_are_reads(#[case] expression: &str, #[case] expected: &[Kind]) {
    let own = compiled(&of_expression(expression)).unwrap();
    assert_eq!(own[0].reads().collect::<Vec<_>>(), expected);
}

#[test]
fn dependence_on_namespaces_is_known() {
    let needs = |policy: &Value| compiled(policy).unwrap()[0].needs_namespace();
    assert!(!needs(&of_expression("request.namespace != ''")));
    assert!(needs(&of_expression("namespaceObject != null")));
    let selecting = |labels: Value| {
        let mut policy = policy(&json!({}));
        policy["spec"]["matchConstraints"]["namespaceSelector"] = json!({"matchLabels": labels});
        policy
    };
    assert!(needs(&selecting(json!({"a": "b"}))));
    assert!(!needs(&selecting(json!({"kubernetes.io/metadata.name": "b"}))));
    let in_variable = policy(
        &json!({"variables": [{"name": "a", "expression": "namespaceObject"}], "validations": [{"expression": "variables.a != null"}]}),
    );
    assert!(needs(&in_variable));
}

#[test]
fn requests_of_a_policy_are_known() {
    let mut policy = policy(&json!({}));
    policy["spec"]["matchConstraints"]["resourceRules"] = json!([
        {"apiGroups": ["*"], "apiVersions": ["v1beta1"], "operations": ["CREATE"], "resources": ["seeds", "secretbindings"]},
    ]);
    let mut requests = compiled(&policy).unwrap()[0].requests();
    requests.sort();
    let mut expected =
        vec![(Kind::Seed, Operation::Create), (Kind::SecretBinding, Operation::Create)];
    expected.sort();
    assert_eq!(requests, expected);
}

#[rstest]
#[case::simple("object.spec.provider.workers.all(it, it.maximum < 5)", true)]
#[case::nested_once("object.a.all(a, object.b.all(b, a != b))", true)]
#[case::nested_thrice(
    "object.a.all(a, object.b.all(b, object.c.all(c, object.d.all(d, a != d))))",
    false
)]
#[case::shoots("garden.shoots().all(it, it.metadata.name != 'x')", true)]
#[case::shoots_twice("garden.shoots().all(a, garden.shoots().all(b, a != b))", false)]
fn cost_is_bounded_before_the_evaluation(#[case] expression: &str, #[case] is_allowed: bool) {
    let own = compiled(&of_expression(expression)).unwrap();
    assert_eq!(own[0].excessive_cost().is_none(), is_allowed, "{}", own[0].cost_bound());
}
