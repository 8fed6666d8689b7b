// SPDX-License-Identifier: Apache-2.0
//! Policies judge objects with JSON that many parsers reject, and never skip them.

use garden_gate_cel::{Activation, Environment, EvaluationError, Expression, Value};
use garden_gate_core::admission::{Request, Review, Rules, Verdict, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::policies::{
    OwnPolicy, Policies, PolicyResult, judge, own_policies, policies_in,
};
use garden_gate_model::api::{Kind, UserInfo};
use rstest::rstest;
use serde_json::value::RawValue;
use serde_json::{Value as Json, json};

/// The fields of a Shoot that Gardener passes to extensions unchanged.
const CONFIGURATIONS: [&str; 5] = [
    "/spec/provider/infrastructureConfig",
    "/spec/provider/controlPlaneConfig",
    "/spec/provider/workers/0/providerConfig",
    "/spec/networking/providerConfig",
    "/spec/extensions/0/providerConfig",
];

fn nested(levels: usize) -> String {
    format!("{{\"a\":{}{}}}", "[".repeat(levels), "]".repeat(levels))
}

fn nested_objects(levels: usize) -> String {
    format!("{}1{}", "{\"a\":".repeat(levels), "}".repeat(levels))
}

/// Valid JSON that many parsers reject.
fn odd() -> Vec<(&'static str, String)> {
    vec![
        ("half a surrogate pair", r#"{"a":"\ud800"}"#.to_owned()),
        ("other half", r#"{"a":"\udc00\ud800x"}"#.to_owned()),
        ("key that is half a pair", r#"{"\udc00":1,"\ud800":2}"#.to_owned()),
        ("NUL", r#"{"a":"\u00000","\u0000":"\u00001"}"#.to_owned()),
        ("number beyond floats", r#"{"a":1e999}"#.to_owned()),
        ("negative number", r#"{"a":[-1e999]}"#.to_owned()),
        ("long exponent", r#"{"a":1e99999999999999999999}"#.to_owned()),
        ("small exponent", r#"{"a":1e-99999999999999999999}"#.to_owned()),
        ("long integer", format!("{{\"a\":{}}}", "9".repeat(400))),
        ("100 levels", nested(100)),
        ("127 levels", nested(127)),
        ("128 levels", nested(128)),
        ("200 objects", nested_objects(200)),
        ("9,000 levels", nested(9_000)),
        ("9,000 objects", nested_objects(9_000)),
        ("20,000 levels", nested(20_000)),
        ("100,000 objects", nested_objects(100_000)),
        ("repeated keys", r#"{"a":1,"a":"\ud800"}"#.to_owned()),
    ]
}

fn shoot(purpose: &str) -> Json {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"namespace": "garden-dev", "name": "s", "labels": {"team": "a"}},
        "spec": {
            "purpose": purpose,
            "networking": {"providerConfig": {}},
            "provider": {
                "type": "stratus", "infrastructureConfig": {}, "controlPlaneConfig": {},
                "workers": [{"name": "pool", "providerConfig": {}}],
            },
            "extensions": [{"type": "e", "providerConfig": {}}],
        },
    })
}

/// Returns a Shoot with a text in one of its configurations.
fn with_text(purpose: &str, pointer: &str, text: &str) -> Box<RawValue> {
    let mut shoot = shoot(purpose);
    *shoot.pointer_mut(pointer).unwrap() = json!("@here@");
    let shoot = shoot.to_string().replace("\"@here@\"", text);
    RawValue::from_string(shoot).unwrap()
}

fn policy(expression: &str, failure_policy: &str) -> OwnPolicy {
    let policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy",
        "metadata": {"name": "own"},
        "spec": {
            "failurePolicy": failure_policy,
            "matchConstraints": {
                "resourceRules": [{
                    "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["shoots"],
                }],
                "objectSelector": {"matchLabels": {"team": "a"}},
            },
            "validations": [{"expression": expression}],
        },
    });
    let documents = policies_in(&policy.to_string()).unwrap();
    own_policies(&documents).unwrap().remove(0)
}

/// Judges a request by a policy, as sent by an API server or as made from manifests.
fn judged(
    policy: &OwnPolicy,
    [new, old]: [Option<&RawValue>; 2],
    is_converted: bool,
) -> (Review, Vec<PolicyResult>) {
    let user = UserInfo { username: "alice".to_owned(), ..UserInfo::default() };
    let request = Request {
        name: "s".to_owned(),
        namespace: "garden-dev".to_owned(),
        is_converted,
        ..Request::of_objects(Kind::Shoot, user, [new, old])
    };
    let (garden, config) = (Snapshot::new(Knowledge::Everything), Config::default());
    let world = World {
        rules: Rules::default(),
        garden: &garden,
        config: &config,
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let policies = Policies {
        cache: None,
        own: std::slice::from_ref(policy),
        is_user_known: true,
        is_enforced: true,
    };
    let mut review = Review::default();
    let remarks = judge(&request, &mut review, &world, policies);
    let results = remarks.evaluated.into_iter().map(|(_, it)| it);
    (review, results.collect())
}

/// Returns the objects of CREATE, UPDATE and DELETE.
fn requests<'o>(new: &'o RawValue, old: &'o RawValue) -> [[Option<&'o RawValue>; 2]; 3] {
    [[Some(new), None], [Some(new), Some(old)], [None, Some(new)]]
}

#[rstest]
#[case::of_an_api_server(false)]
#[case::of_manifests(true)]
fn other_fields_are_judged(#[case] is_converted: bool) {
    let policy =
        policy("(object == null ? oldObject : object).spec.purpose != 'evaluation'", "Ignore");
    for (what, text) in odd() {
        for pointer in CONFIGURATIONS {
            for (purpose, expected, result) in [
                ("evaluation", Verdict::Denied, PolicyResult::Violated),
                ("testing", Verdict::Allowed, PolicyResult::Accepted),
            ] {
                let new = with_text(purpose, pointer, &text);
                for objects in requests(&new, &with_text(purpose, pointer, "{}")) {
                    let (review, results) = judged(&policy, objects, is_converted);
                    assert_eq!(review.verdict(), expected, "{what} at {pointer}: {review:?}");
                    assert_eq!(results, [result], "{what} at {pointer}");
                }
            }
        }
    }
}

#[rstest]
#[case::of_an_api_server(false)]
#[case::of_manifests(true)]
fn odd_value_is_compared_or_fails(#[case] is_converted: bool) {
    let unreadable = [
        "number beyond floats",
        "negative number",
        "long exponent",
        "long integer",
        "20,000 levels",
        "100,000 objects",
    ];
    let equal =
        "object.spec.provider.infrastructureConfig == oldObject.spec.provider.infrastructureConfig";
    for (what, text) in odd() {
        let odd = with_text("testing", CONFIGURATIONS[0], &text);
        let other = with_text("testing", CONFIGURATIONS[0], "{\"a\":[7]}");
        for (old, is_same) in [(&odd, true), (&other, false)] {
            let objects = [Some(&*odd), Some(&**old)];
            let [fail, ignore] =
                ["Fail", "Ignore"].map(|it| judged(&policy(equal, it), objects, is_converted));
            let results = [&fail.1[..], &ignore.1[..]];
            let verdicts = [fail.0.verdict(), ignore.0.verdict()];
            let (expected, result) = match (unreadable.contains(&what), is_same) {
                (false, true) => ([Verdict::Allowed; 2], PolicyResult::Accepted),
                (false, false) => ([Verdict::Denied; 2], PolicyResult::Violated),
                // The comparison may end before the value.
                (true, false) if results == [[PolicyResult::Violated]; 2] => continue,
                (true, _) => ([Verdict::Denied, Verdict::Allowed], PolicyResult::Failed),
            };
            assert_eq!(verdicts, expected, "{what}, {is_same}: {fail:?}");
            assert_eq!(results, [[result]; 2], "{what}, {is_same}");
        }
    }
}

fn evaluated(expression: &str, text: &str) -> Result<Value, EvaluationError> {
    let expression = Expression::compile(expression, &Environment::admission())
        .unwrap_or_else(|error| unreachable!("{error}"));
    let object = Value::from_text(text);
    expression.evaluate(&Activation::new().bind("object", object.clone()).bind("oldObject", object))
}

#[rstest]
#[case::pair(r#""\ud83d\ude00""#, "\u{1f600}")]
#[case::half(r#""\ud800""#, "\u{fffd}")]
#[case::two_halves(r#""\udc00\ud800x""#, "\u{fffd}\u{fffd}x")]
#[case::half_before_an_escape(r#""\ud800\n""#, "\u{fffd}\n")]
#[case::half_before_a_pair(r#""\ud800\ud83d\ude00""#, "\u{fffd}\u{1f600}")]
fn strings_are_decoded_as_in_go(#[case] text: &str, #[case] expected: &str) {
    let value = evaluated("object.a", &format!("{{\"a\":{text}}}")).unwrap();
    assert_eq!(value.as_str(), Some(expected));
    let key = evaluated("object.map(key, key)[0]", &format!("{{{text}:1}}")).unwrap();
    assert_eq!(key.as_str(), Some(expected));
}

#[rstest]
#[case::zero("-0", "type(object.a) == int && object.a == 0")]
#[case::whole("9223372036854775807", "type(object.a) == int")]
#[case::wider(
    "9223372036854775808",
    "type(object.a) == double && object.a == 9223372036854775808.0"
)]
#[case::exponent("1e2", "type(object.a) == double && object.a == 100.0")]
#[case::fraction("1.0", "type(object.a) == double && object.a == 1.0")]
#[case::tiny("1e-999", "object.a == 0.0")]
fn numbers_are_decoded_as_in_go(#[case] number: &str, #[case] expression: &str) {
    let value = evaluated(expression, &format!("{{\"a\":{number}}}"));
    assert!(value.unwrap().is_true());
}

/// Test threads have stacks of 2 MiB, as those of the server.
#[rstest]
#[case::equality("object == oldObject && [object] == [oldObject]")]
#[case::membership("object in [oldObject] && [object].indexOf(oldObject) == 0")]
#[case::distinct("[object, oldObject].distinct().size() == 1")]
#[case::sets("sets.contains([object], [oldObject])")]
#[case::flatten("[object.a].flatten(100000).size() >= 0")]
#[case::optional("optional.of(object).value() == oldObject && object.?a.hasValue()")]
#[case::format("'%s'.format([object]).size() > 0 || true")]
#[case::no_overload("'a'.matches(object.a) || true")]
#[case::error("[?object].size() == 1 || true")]
fn functions_accept_any_nesting(#[case] expression: &str) {
    for text in [nested(9_990), nested_objects(9_990)] {
        let value = evaluated(expression, &text);
        // The length of a printed map grows with its nesting.
        let is_limited =
            matches!(value, Err(EvaluationError::CostLimit | EvaluationError::Exceeded(_)));
        let is_right = value.as_ref().is_ok_and(Value::is_true);
        assert!(is_right || is_limited && expression.contains("format"), "{expression}");
    }
    let deep = Value::from_text(&nested(9_990));
    assert!(deep.to_string().len() > 19_000);
}

#[test]
fn values_beyond_the_limit_of_api_servers_fail_when_they_are_read() {
    let text = nested(100_000);
    assert!(evaluated("has(object.a)", &text).unwrap().is_true());
    let error = evaluated("object == oldObject", &text).unwrap_err();
    assert!(error.to_string().contains("10000 levels"), "{error}");
    let text = r#"{"a":1e999,"b":1}"#;
    assert!(evaluated("object.b == 1", text).unwrap().is_true());
    for reading in [
        "object.a > 1.0",
        "object == oldObject",
        "object.a == null",
        "[object.a].size() == 1",
        "type(object.a) == double",
        "has(object.a)",
    ] {
        let result = evaluated(reading, text);
        assert!(matches!(result, Err(EvaluationError::Failed(_))), "{reading}: {result:?}");
    }
}
