// SPDX-License-Identifier: Apache-2.0
//! The limit on the findings of policies does not change a verdict.

use garden_gate_core::admission::{Decision, Request, Review, Rules, World};
use garden_gate_core::config::Config;
use garden_gate_core::garden::{Knowledge, Snapshot};
use garden_gate_core::policies::{OwnPolicy, Policies, judge, own_policies, policies_in};
use garden_gate_model::api::{Kind, UserInfo};
use proptest::prelude::*;
use serde_json::json;
use serde_json::value::to_raw_value;

/// The limit on findings of a level.
const LISTED: usize = 200;

/// Results of a policy: their level, whether they are undetermined, and their number.
#[derive(Clone, Debug)]
struct Results {
    level: &'static str,
    is_undetermined: bool,
    count: usize,
}

fn results() -> impl Strategy<Value = Results> {
    let level = prop::sample::select(vec!["deny", "warn"]);
    let count = prop::sample::select(vec![0, 1, LISTED, LISTED + 1, 2 * LISTED]);
    (level, any::<bool>(), count).prop_map(|(level, is_undetermined, count)| Results {
        level,
        is_undetermined,
        count,
    })
}

/// Returns a policy with these results about a Shoot, in fields of its own.
fn policy(number: usize, results: &Results) -> OwnPolicy {
    let validations = (0..results.count).map(|index| {
        let field = format!("object.metadata.?annotations.?p{number}v{index}.orValue('')");
        let expression = if results.is_undetermined {
            format!("{field} == garden.project.metadata.name")
        } else {
            format!("{field} == '{index}'")
        };
        json!({"expression": expression, "message": format!("wrong {index}")})
    });
    let mut validations: Vec<_> = validations.collect();
    validations.push(json!({"expression": "true"}));
    let policy = json!({
        "apiVersion": "garden-gate.dev/v1alpha1", "kind": "GardenPolicy",
        "metadata": {"name": format!("own-{number}")},
        "spec": {
            "level": results.level,
            "matchConstraints": {"resourceRules": [{
                "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["*"], "resources": ["shoots"],
            }]},
            "validations": validations,
        },
    });
    let documents = policies_in(&policy.to_string()).unwrap();
    own_policies(&documents).unwrap().remove(0)
}

fn judged(own: &[OwnPolicy]) -> Review {
    let object = json!({"metadata": {"namespace": "garden-dev", "name": "s"}, "spec": {}});
    let new = to_raw_value(&object).unwrap();
    let request = Request {
        name: "s".to_owned(),
        namespace: "garden-dev".to_owned(),
        is_converted: false,
        ..Request::of_objects(Kind::Shoot, UserInfo::default(), [Some(&*new), None])
    };
    let world = World {
        rules: Rules::default(),
        garden: &Snapshot::new(Knowledge::Nothing),
        config: &Config::default(),
        now: "2026-01-01T00:00:00Z".parse().unwrap(),
    };
    let policies = Policies { cache: None, own, is_user_known: true, is_enforced: true };
    let mut review = Review::default();
    judge(&request, &mut review, &world, policies);
    review
}

/// Returns the decision without any limit.
fn decision(all: &[Results]) -> Decision {
    let has = |level: &str, is_undetermined: bool| {
        let mut all = all.iter();
        all.any(|it| it.count > 0 && it.level == level && it.is_undetermined == is_undetermined)
    };
    match (has("deny", false), has("deny", true)) {
        (true, _) => Decision::Denied,
        (false, true) => Decision::Undetermined,
        (false, false) => Decision::Allowed,
    }
}

#[test]
fn refusal_after_many_warnings_counts() {
    let results = |level, count| Results { level, is_undetermined: false, count };
    for count in [LISTED - 1, LISTED, LISTED + 50] {
        let policies = [results("warn", count), results("deny", 1)];
        let policies: Vec<_> =
            policies.iter().enumerate().map(|(number, it)| policy(number, it)).collect();
        let review = judged(&policies);
        assert_eq!(review.decision(), Decision::Denied, "{count}");
        assert!(review.findings.len() <= LISTED + 1);
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(40))]

    #[test]
    fn decision_does_not_depend_on_the_limit(all in prop::collection::vec(results(), 1..4)) {
        let policies: Vec<_> = all.iter().enumerate().map(|(number, it)| policy(number, it)).collect();
        prop_assert_eq!(judged(&policies).decision(), decision(&all));
    }
}
