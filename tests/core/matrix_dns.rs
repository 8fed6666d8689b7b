// SPDX-License-Identifier: Apache-2.0
//! The domain of a Shoot: defaulting, default domains, and conflicts with other domains.

use garden_gate_core::admission::Review;
use garden_gate_core::garden::{GardenObject, Knowledge, Snapshot};
use garden_gate_model::api::{DomainSecret, Seed, ShootUse};
use rstest::rstest;
use serde_json::{Value, from_value, json};

use crate::judging::{Setup, request};

const DOMAIN: &str = "spec.dns.domain";
const MISUSED: &str = "shoot/default-domain-misused Invalid spec.dns.domain";

fn default_domain(domain: &str, priority: &str) -> GardenObject {
    let metadata = json!({
        "namespace": "garden", "name": domain,
        "labels": {"gardener.cloud/role": "default-domain"},
        "annotations": {
            "dns.gardener.cloud/provider": "p",
            "dns.gardener.cloud/domain": domain,
            "dns.gardener.cloud/domain-default-priority": priority,
        },
    });
    from_value::<DomainSecret>(json!({"metadata": metadata})).unwrap().into()
}

fn seed(name: &str, domains: &[&str]) -> GardenObject {
    let domains: Vec<_> = domains.iter().map(|it| json!({"domain": it})).collect();
    let spec = json!({"provider": {"type": "stub", "region": "eu"}, "dns": {"defaults": domains}});
    let seed = json!({"metadata": {"name": name}, "spec": spec});
    from_value::<Seed>(seed).unwrap().into()
}

fn stored(name: &str, domain: &str) -> GardenObject {
    let metadata = json!({"name": name, "namespace": "garden-p"});
    let shoot = json!({"metadata": metadata, "spec": {"dns": {"domain": domain}}});
    GardenObject::Shoot(Box::new(from_value::<ShootUse>(shoot).unwrap()))
}

/// Returns a garden with Project `p`, the seeds `plain` and `own`, which has separate default domains, and some Shoots.
fn setup(secrets: &[(&str, &str)]) -> Setup {
    let mut setup = Setup::with_project(None).user("root", &["system:masters"]);
    let project = setup.garden.project_of_namespace("garden-p");
    setup.garden = Snapshot::new(Knowledge::Everything);
    setup.garden.apply(GardenObject::Project(project.unwrap().unwrap()));
    setup.garden.apply(seed("plain", &[]));
    setup.garden.apply(seed("own", &["own.io", "second.io"]));
    setup.garden.apply(stored("apps", "apps.example.com"));
    for (domain, priority) in secrets {
        setup.garden.apply(default_domain(domain, priority));
    }
    setup
}

const SECRETS: &[(&str, &str)] = &[("a.io", ""), ("b.io", "10"), ("c.io", "x")];

fn shoot(dns: &Value, seed: Option<&str>) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"dns": dns, "seedName": seed, "kubernetes": {"version": "1.34.1"}},
    })
}

fn created(setup: &Setup, shoot: &Value) -> Review {
    setup.review_wholly(&request("shoots", "CREATE", shoot, None))
}

fn updated(setup: &Setup, old: &Value, new: &Value) -> Review {
    setup.review_wholly(&request("shoots", "UPDATE", new, Some(old)))
}

/// Returns denials about domains and DNS providers.
fn told(review: &Review) -> Vec<String> {
    let findings = review.findings.iter();
    let about_dns = findings.filter(|it| it.field.starts_with("spec.dns"));
    let told = about_dns.map(|it| format!("{} {:?} {}", it.finding, it.error, it.field));
    told.collect()
}

/// Returns the stored `spec.dns` after the defaulting rule.
fn filled(setup: &Setup, old: Option<&Value>, new: &Value) -> Value {
    let only: Vec<_> = garden_gate_core::rules::ALL
        .iter()
        .copied()
        .filter(|rule| rule.id == "shoot/dns-default")
        .collect();
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    let request = request("shoots", operation, new, old);
    let mut object = new.clone();
    let patch = setup.review_with(&only, &request).patch;
    json_patch::patch(&mut object, &patch).unwrap();
    object["spec"]["dns"].take()
}

#[rstest]
#[case::without_a_seed(SECRETS, None, json!(null), json!(null))]
#[case::of_the_landscape(SECRETS, Some("plain"), json!(null), json!({"domain": "web.p.b.io"}))]
#[case::of_the_seed(SECRETS, Some("own"), json!({}), json!({"domain": "web.p.own.io"}))]
#[case::any_of_two(&[("a.io", ""), ("b.io", "")], Some("plain"), json!(null), json!({}))]
#[case::none_known(&[], Some("plain"), json!(null), json!(null))]
#[case::own(SECRETS, Some("plain"), json!({"domain": "x.org"}), json!({"domain": "x.org"}))]
#[case::unmanaged(SECRETS, Some("plain"), json!({"providers": [{"type": "unmanaged"}]}), json!({"providers": [{"type": "unmanaged", "primary": true}]}))]
#[case::first_is_primary(SECRETS, Some("plain"), json!({"domain": "x.org", "providers": [{"type": "a"}, {"type": "b"}]}), json!({"domain": "x.org", "providers": [{"type": "a", "primary": true}, {"type": "b"}]}))]
#[case::second_is_primary(SECRETS, Some("plain"), json!({"domain": "x.org", "providers": [{"type": "a"}, {"primary": true}]}), json!({"domain": "x.org", "providers": [{"type": "a"}, {"primary": true}]}))]
#[case::none_is_primary_below_a_default_domain(SECRETS, Some("plain"), json!({"providers": [{"type": "a"}]}), json!({"domain": "web.p.b.io", "providers": [{"type": "a"}]}))]
fn what_a_new_shoot_gets(
    #[case] secrets: &[(&str, &str)],
    #[case] seed: Option<&str>,
    #[case] dns: Value,
    #[case] expected: Value,
) {
    assert_eq!(filled(&setup(secrets), None, &shoot(&dns, seed)), expected);
}

#[rstest]
#[case::made(SECRETS, "web.p.b.io", json!(null), json!({"domain": "web.p.b.io"}))]
#[case::made_of_another_domain(SECRETS, "web.p.a.io", json!(null), json!({"domain": "web.p.b.io"}))]
#[case::made_of_any_of_two(&[("a.io", ""), ("b.io", "")], "web.p.b.io", json!({}), json!({"domain": "web.p.b.io"}))]
#[case::nothing_known_and_looks_made(&[], "web.p.b.io", json!(null), json!({"domain": "web.p.b.io"}))]
#[case::nothing_known_and_does_not(&[], "x.org", json!(null), json!({}))]
fn what_a_manifest_without_a_domain_gets(
    #[case] secrets: &[(&str, &str)],
    #[case] stored: &str,
    #[case] dns: Value,
    #[case] expected: Value,
) {
    let old = shoot(&json!({"domain": stored}), Some("plain"));
    let new = shoot(&dns, Some("plain"));
    assert_eq!(filled(&setup(secrets), Some(&old), &new), expected);
}

#[test]
fn what_was_primary_stays_so() {
    let provider = |kind: &str, name: &str| {
        let reference = json!({"apiVersion": "v1", "kind": "Secret", "name": name});
        json!({"type": kind, "credentialsRef": reference})
    };
    let providers = [provider("a", "x"), provider("b", "x"), provider("b", "y")];
    let mut old = json!({"domain": "x.org", "providers": providers});
    old["providers"][2]["primary"] = json!(true);
    let new = json!({"domain": "x.org", "providers": [providers[2], providers[0]]});
    let filled = filled(&setup(SECRETS), Some(&shoot(&old, None)), &shoot(&new, None));
    assert_eq!(filled["providers"][0]["primary"], json!(true));
    assert_eq!(filled["providers"][1].get("primary"), None);
}

#[rstest]
#[case::form("web.p.b.io", json!([]), &[])]
#[case::not_the_first("web.p.c.io", json!([]), &[])]
#[case::no_default_domain("web.xb.io", json!([]), &[])]
#[case::other_name("site.p.b.io", json!([]), &[MISUSED])]
#[case::other_project("web.q.b.io", json!([]), &[MISUSED])]
#[case::below("a.web.p.b.io", json!([]), &[MISUSED])]
#[case::with_a_primary_provider("web.p.b.io", json!([{"type": "a", "primary": true}]), &["shoot/default-domain-with-primary-provider Invalid spec.dns.providers[0].primary"])]
#[case::unmanaged("site.q.b.io", json!([{"type": "unmanaged"}]), &["field/missing Required spec.dns.providers[0].credentialsRef"])]
fn what_is_below_a_default_domain_is_called_after_shoot_and_project(
    #[case] domain: &str,
    #[case] providers: Value,
    #[case] expected: &[&str],
) {
    let dns = json!({"domain": domain, "providers": providers});
    assert_eq!(told(&created(&setup(SECRETS), &shoot(&dns, None))), expected);
}

#[rstest]
#[case::of_the_project("x.p.b.io", false)]
#[case::of_another_project("x.q.b.io", true)]
fn a_shoot_without_a_name_has_a_domain_of_its_project(#[case] domain: &str, #[case] refused: bool) {
    let mut shoot = shoot(&json!({"domain": domain}), None);
    shoot["metadata"] = json!({"generateName": "web-", "namespace": "garden-p"});
    let told = told(&created(&setup(SECRETS), &shoot));
    assert_eq!(told.contains(&MISUSED.to_owned()), refused, "{told:?}");
}

#[test]
fn default_domains_of_the_seed_are_the_only_ones_that_count() {
    let told = |domain: &str| {
        let dns = json!({"domain": domain});
        told(&created(&setup(SECRETS), &shoot(&dns, Some("own"))))
    };
    assert_eq!(told("site.second.io"), [MISUSED]);
    assert_eq!(told("site.b.io"), Vec::<String>::new());
}

#[rstest]
#[case::on_a_seed(Some("plain"), json!({"domain": "site.b.io"}), false)]
#[case::without_a_seed(None, json!({"domain": "site.b.io"}), true)]
#[case::domain_is_new(Some("plain"), json!({}), true)]
fn a_stored_domain_of_another_form_stays(
    #[case] seed: Option<&str>,
    #[case] was: Value,
    #[case] refused: bool,
) {
    let old = shoot(&was, seed);
    let new = shoot(&json!({"domain": "site.b.io"}), seed);
    let told = told(&updated(&setup(SECRETS), &old, &new));
    assert_eq!(told.contains(&MISUSED.to_owned()), refused, "{told:?}");
}

#[rstest]
#[case::free("web.example.com", None)]
#[case::same("apps.example.com", Some("shoot/domain-taken Duplicate"))]
#[case::below("a.b.apps.example.com", Some("shoot/domain-overlaps Forbidden"))]
#[case::above("example.com", Some("shoot/domain-overlaps Forbidden"))]
fn no_two_shoots_share_a_domain(#[case] domain: &str, #[case] expected: Option<&str>) {
    let dns = json!({"domain": domain});
    let told = told(&created(&setup(&[]), &shoot(&dns, None)));
    let expected = expected.map(|it| format!("{it} {DOMAIN}"));
    assert_eq!(told, Vec::from_iter(expected));
}

#[rstest]
#[case::nothing("/metadata/labels", json!({"a": "b"}), false)]
#[case::specification("/spec/purpose", json!("testing"), true)]
fn stored_domain_is_checked_when_the_spec_changes(
    #[case] pointer: &str,
    #[case] value: Value,
    #[case] refused: bool,
) {
    let old = shoot(&json!({"domain": "apps.example.com"}), None);
    let mut new = old.clone();
    let (parent, name) = pointer.rsplit_once('/').unwrap();
    new.pointer_mut(parent).unwrap()[name] = value;
    let told = told(&updated(&setup(&[]), &old, &new));
    assert_eq!(told.is_empty(), !refused, "{told:?}");
}

#[test]
fn a_domain_that_is_filled_in_can_be_taken() {
    let mut setup = setup(SECRETS);
    setup.garden.apply(stored("other", "web.p.b.io"));
    let told = told(&created(&setup, &shoot(&json!({}), Some("plain"))));
    assert_eq!(told, ["shoot/domain-taken Duplicate spec.dns.domain"]);
}
