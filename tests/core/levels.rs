// SPDX-License-Identifier: Apache-2.0
//! Levels and exemptions in the configuration.

use garden_gate_core::admission::{Decision, Exempted, Review};
use garden_gate_core::config::{Exemption, Level};
use garden_gate_core::garden::{GardenObject, Knowledge, ObjectKey, Snapshot};
use garden_gate_model::api::Kind;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request, tolerations};

const RULE: &str = "shoot/toleration-not-whitelisted";

/// Returns a Shoot with these tolerations.
fn shoot(ids: &[&str]) -> Value {
    let metadata = json!({"name": "s", "namespace": "garden-p"});
    json!({"metadata": metadata, "spec": {"kubernetes": {"version": "1.33.1"}, "tolerations": tolerations(ids)}})
}

/// Returns a setup with a default toleration of the landscape, which is whitelisted everywhere.
fn setup(patterns: &[(&str, Level)]) -> Setup {
    let mut setup = Setup::with_project(None).global(&["shared"], &["shared"]);
    for (pattern, level) in patterns {
        setup.config.patterns.insert(pattern, *level);
    }
    setup
}

/// Judges a Shoot with a toleration that is not whitelisted.
fn create(setup: &Setup) -> Review {
    setup.review(&request("shoots", "CREATE", &shoot(&["x"]), None))
}

#[rstest]
#[case::nothing_lowered(&[], Decision::Denied, Some(Level::Deny))]
#[case::everything_warns(&[("*", Level::Warn)], Decision::WouldDeny, Some(Level::Warn))]
#[case::others_warn(&[("*", Level::Warn), ("shoot/*", Level::Deny)], Decision::Denied, Some(Level::Deny))]
#[case::nobody_wants_to_know(&[("*", Level::Warn), ("shoot/*", Level::Off)], Decision::Allowed, None)]
fn what_would_be_denied(
    #[case] patterns: &[(&str, Level)],
    #[case] decision: Decision,
    #[case] level: Option<Level>,
) {
    let review = create(&setup(patterns));
    assert_eq!(review.decision(), decision);
    let found = review.findings.iter().find(|it| it.finding == RULE);
    assert_eq!(found.map(|it| it.level), level);
    let would_deny = found.is_some_and(|it| it.would_deny);
    assert_eq!(would_deny, decision == Decision::WouldDeny);
}

#[test]
fn a_rule_that_may_only_warn_refuses_nothing_that_it_cannot_judge() {
    let unknown = |patterns| {
        let mut setup = setup(patterns);
        setup.garden = Snapshot::new(Knowledge::Everything);
        let key = ObjectKey::new(Kind::Project, "", "p");
        setup.garden.apply(GardenObject::Unreadable(key, "odd".to_owned()));
        setup.review(&request("shoots", "CREATE", &shoot(&["shared"]), None))
    };
    let refused = unknown(&[]);
    assert_eq!(refused.decision(), Decision::Undetermined, "{refused:?}");
    let lowered = unknown(&[("*", Level::Warn)]);
    assert_eq!(lowered.decision(), Decision::WouldDeny, "{lowered:?}");
    assert!(lowered.undetermined.iter().all(|it| it.level == Level::Warn));
}

#[test]
fn a_rule_that_changes_objects_does_so_at_warn_and_not_when_it_is_off() {
    let adds = |level| create(&setup(&[("*", level)])).patch.to_string().contains("shared");
    assert!(adds(Level::Warn));
    assert!(!adds(Level::Off));
}

fn exemption(users: &[&str]) -> Exemption {
    Exemption { users: users.iter().map(|it| (*it).to_owned()).collect(), ..Exemption::default() }
}

#[rstest]
#[case::nobody(&[], &[], Decision::Denied, Exempted::No)]
#[case::somebody_else(&["bob"], &["bob"], Decision::Denied, Exempted::No)]
#[case::from_all(&["alice"], &[], Decision::Exempt, Exempted::Wholly)]
#[case::from_the_rule(&[], &["alice"], Decision::Exempt, Exempted::From(vec![RULE]))]
fn who_is_exempt(
    #[case] all: &[&str],
    #[case] by_rule: &[&str],
    #[case] decision: Decision,
    #[case] exempted: Exempted,
) {
    let mut setup = setup(&[]);
    setup.config.exemptions.all = exemption(all);
    let own = (RULE.to_owned(), exemption(by_rule));
    setup.config.exemptions.by_rule = [own].into();
    let review = create(&setup);
    assert_eq!((review.decision(), &review.exempted), (decision, &exempted));
}

#[test]
fn who_is_exempt_from_another_rule_is_judged_by_the_others() {
    let mut setup = setup(&[]);
    let ids = ["project/owner-verb", "shoot/tolerations-invalid"];
    setup.config.exemptions.by_rule = ids.map(|id| (id.to_owned(), exemption(&["alice"]))).into();
    let review = create(&setup);
    assert_eq!(review.decision(), Decision::Denied);
    assert_eq!(review.exempted, Exempted::From(vec![ids[1]]), "only what concerns Shoots");
}

#[test]
fn exemptions_need_an_applicable_rule() {
    let mut setup = setup(&[("*", Level::Off)]);
    setup.config.exemptions.all = exemption(&["alice"]);
    assert_eq!(create(&setup).decision(), Decision::Allowed);
}
