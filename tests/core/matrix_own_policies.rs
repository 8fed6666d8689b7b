//! Policies of operators: lookups in the garden, levels and static checks.

use garden_gate::admission::{Origin, Request, Review, World};
use garden_gate::api::{Kind, UserInfo};
use garden_gate::config::{Config, Level};
use garden_gate::garden::{GardenObject, Knowledge, Snapshot, read};
use garden_gate::policies::{OwnPolicy, Policies, PolicyRemarks, judge, own_policies, policies_in};
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
    let new = to_raw_value(&shoot("garden-dev", "new")).unwrap();
    let user = UserInfo {
        username: "alice".to_owned(),
        ..UserInfo::default()
    };
    let request = Request {
        name: "new".to_owned(),
        namespace: "garden-dev".to_owned(),
        ..Request::of_objects(Kind::Shoot, user, [Some(&*new), None])
    };
    let world = World {
        rules: &[],
        garden,
        config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let policies = Policies {
        cache: None,
        own: &own,
        is_user_known: true,
    };
    let mut review = Review::default();
    let remarks = judge(&request, &mut review, &world, policies);
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
    assert!(
        review.findings.is_empty() && review.undetermined.is_empty(),
        "{review:?}"
    );
}

#[test]
fn finding_has_message_help_and_origin() {
    let review = judged(&policy(&json!({"id": "custom", "help": "do it"})));
    let finding = &review.findings[0];
    let texts = [finding.finding, &*finding.message, &*finding.help];
    assert_eq!(texts, ["policy/custom", "no", "do it"]);
    assert_eq!(
        (finding.level, finding.origin),
        (Level::Deny, Origin::GardenGate)
    );
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
#[case::parameters(json!({"paramKind": {"apiVersion": "v1", "kind": "ConfigMap"}}), "has no field `spec.paramKind`")]
#[case::field(json!({"validation": []}), "has no field `spec.validation`")]
#[case::level(json!({"level": "error"}), "`error` is not a level")]
#[case::lookup(json!({"validations": [{"expression": "garden.profile == null"}]}), "does not compile")]
#[case::call(json!({"validations": [{"expression": "garden.seeds() == []"}]}), "does not compile")]
#[case::no_rules(json!({"matchConstraints": {}}), "resourceRules` is missing")]
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
    assert!(
        message.contains("`garden-gate.dev/v1` of GardenPolicy"),
        "{message}"
    );
}
