// SPDX-License-Identifier: Apache-2.0
//! Static validation of Seeds, which an API server performs before it calls webhooks.

use garden_gate_core::admission::EntryPoints;
use garden_gate_core::rules;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};
use crate::judging_extensions::set;

fn credentials() -> Value {
    json!({"apiVersion": "v1", "kind": "Secret", "name": "account", "namespace": "garden"})
}

fn seed() -> Value {
    let domain =
        |domain: &str| json!({"domain": domain, "type": "stub", "credentialsRef": credentials()});
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1",
        "kind": "Seed",
        "metadata": {"name": "eu"},
        "spec": {
            "provider": {"type": "stub", "region": "eu", "zones": ["a", "b"]},
            "networks": {"pods": "10.0.0.0/16", "services": "10.1.0.0/16", "nodes": "10.2.0.0/16"},
            "ingress": {"domain": "in.example.com", "controller": {"kind": "nginx"}},
            "dns": {
                "provider": {"type": "stub", "credentialsRef": credentials()},
                "internal": domain("internal.example.com"),
                "defaults": [domain("example.com")],
            },
            "backup": {"provider": "stub", "credentialsRef": credentials()},
            "settings": {},
            "volume": {},
        },
        "status": {"clusterIdentity": "one"},
    })
}

fn with(changes: &[(&str, Value)]) -> Value {
    let mut object = seed();
    for (pointer, value) in changes {
        set(&mut object, pointer, value.clone());
    }
    object
}

/// Returns findings of rules that run in `review` only, as `finding type field`.
fn told(request: &Value) -> Vec<String> {
    let review = Setup::with_project(None).review_wholly(request);
    let of_review =
        |rule: &str| rules::find(rule).is_some_and(|it| it.entry_points != EntryPoints::All);
    let findings = review.findings.iter().filter(|it| of_review(it.rule));
    let told = findings.map(|it| format!("{} {:?} {}", it.finding, it.error, it.field));
    told.collect()
}

fn told_of_new(changes: &[(&str, Value)]) -> Vec<String> {
    told(&request("seeds", "CREATE", &with(changes), None))
}

#[test]
fn nothing_is_said_about_a_plain_seed() {
    assert_eq!(told_of_new(&[]), Vec::<String>::new());
    assert_eq!(told(&request("seeds", "UPDATE", &seed(), Some(&seed()))), Vec::<String>::new());
}

#[rstest]
#[case::name("/metadata/name", json!("EU"), "field/malformed Invalid metadata.name")]
#[case::provider("/spec/provider/type", json!(""), "field/missing Required spec.provider.type")]
#[case::label("/spec/provider/type", json!(""), "field/malformed Invalid metadata.labels")]
#[case::backup_label("/spec/backup/provider", json!("a b"), "field/malformed Invalid metadata.labels")]
#[case::region("/spec/provider/region", json!(""), "field/missing Required spec.provider.region")]
#[case::zones("/spec/provider/zones", json!(["a", "a"]), "field/repeated Duplicate spec.provider.zones[1]")]
#[case::backup("/spec/backup/provider", json!(""), "field/missing Required spec.backup.provider")]
#[case::backup_region("/spec/backup/provider", json!("other"), "field/missing Invalid spec.backup.region")]
#[case::backup_credentials("/spec/backup/credentialsRef", json!(null), "field/missing Required spec.backup.credentialsRef")]
#[case::credentials_kind("/spec/backup/credentialsRef/kind", json!("Pod"), "field/unsupported-value NotSupported spec.backup.credentialsRef")]
#[case::credentials_name("/spec/backup/credentialsRef/name", json!("A"), "field/malformed Invalid spec.backup.credentialsRef.name")]
#[case::credentials_namespace("/spec/dns/provider/credentialsRef/namespace", json!(null), "field/missing Required spec.dns.provider.credentialsRef.namespace")]
#[case::volume("/spec/volume/minimumSize", json!("-1Gi"), "field/malformed Invalid spec.volume.minimumSize")]
#[case::purpose("/spec/volume/providers", json!([{"name": "p"}]), "field/missing Required spec.volume.providers[0].purpose")]
#[case::purposes("/spec/volume/providers", json!([{"name": "p", "purpose": "e"}, {"name": "q", "purpose": "e"}]), "field/repeated Duplicate spec.volume.providers[1].purpose")]
#[case::ingress("/spec/ingress", json!(null), "field/missing Required spec.ingress")]
#[case::ingress_domain("/spec/ingress/domain", json!("A.com"), "field/malformed Invalid spec.ingress.domain")]
#[case::controller("/spec/ingress/controller/kind", json!("haproxy"), "field/unsupported-value NotSupported spec.ingress.controller.kind")]
#[case::served("/spec/dns/provider", json!(null), "field/missing Required spec.dns.provider")]
#[case::no_domains("/spec/dns", json!(null), "field/missing Required spec.dns.internal")]
#[case::internal("/spec/dns/internal", json!(null), "field/missing Required spec.dns.internal")]
#[case::internal_type("/spec/dns/internal/type", json!(null), "field/missing Required spec.dns.internal.type")]
#[case::internal_credentials("/spec/dns/internal/credentialsRef", json!(null), "field/missing Required spec.dns.internal.credentialsRef.name")]
#[case::extensions("/spec/extensions", json!([{"type": "a"}, {"type": "a"}]), "field/repeated Duplicate spec.extensions[1].type")]
#[case::resources("/spec/resources", json!([{"name": "r", "resourceRef": {"apiVersion": "v1", "kind": "Pod", "name": "p"}}]), "field/unsupported-value NotSupported spec.resources[0].resourceRef")]
#[case::pods("/spec/networks/pods", json!("10.0.0.0"), "field/malformed Invalid spec.networks.pods")]
#[case::family("/spec/networks/nodes", json!("fd00::/64"), "seed/range-of-other-family Invalid spec.networks.nodes")]
#[case::families("/spec/networks/ipFamilies", json!(["IPv5"]), "field/unsupported-value NotSupported spec.networks.ipFamilies[0]")]
#[case::large("/spec/networks/services", json!("12.0.0.0/7"), "field/out-of-range Invalid spec.networks.services")]
#[case::overlap("/spec/networks/nodes", json!("10.0.128.0/20"), "seed/ranges-overlap Invalid spec.networks.nodes")]
#[case::reserved("/spec/networks/pods", json!("241.1.0.0/16"), "seed/range-reserved Invalid spec.networks.pods")]
#[case::of_shoots("/spec/networks/shootDefaults", json!({"pods": "100.64.0.0/12", "services": "100.64.0.0/13"}), "seed/ranges-overlap Invalid spec.networks.shootDefaults.services")]
#[case::resources_kept("/spec/settings/excessCapacityReservation", json!({"configs": [{}]}), "field/missing Required spec.settings.excessCapacityReservation.configs[0].resources")]
#[case::negative("/spec/settings/excessCapacityReservation", json!({"configs": [{"resources": {"cpu": "-1"}}]}), "field/out-of-range Invalid spec.settings.excessCapacityReservation.configs[0].resources.cpu")]
#[case::half_a_pod("/spec/settings/excessCapacityReservation", json!({"configs": [{"resources": {"pods": "500m"}}]}), "field/malformed Invalid spec.settings.excessCapacityReservation.configs[0].resources.pods")]
#[case::half_a_device("/spec/settings/excessCapacityReservation", json!({"configs": [{"resources": {"example.com/gpu": "500m"}}]}), "field/malformed Invalid spec.settings.excessCapacityReservation.configs[0].resources.example.com/gpu")]
#[case::tolerations("/spec/settings/excessCapacityReservation", json!({"configs": [{"resources": {"cpu": 1}, "tolerations": [{"key": "a", "operator": "Lt"}]}]}), "field/unsupported-value NotSupported spec.settings.excessCapacityReservation.configs[0].tolerations[0].operator")]
#[case::all_taints("/spec/settings/excessCapacityReservation", json!({"configs": [{"resources": {"cpu": 1}, "tolerations": [{}]}]}), "field/unfitting Invalid spec.settings.excessCapacityReservation.configs[0].tolerations[0].operator")]
#[case::seconds("/spec/settings/excessCapacityReservation", json!({"configs": [{"resources": {"cpu": 1}, "tolerations": [{"key": "a", "tolerationSeconds": 1}]}]}), "field/unfitting Invalid spec.settings.excessCapacityReservation.configs[0].tolerations[0].effect")]
#[case::class("/spec/settings/loadBalancerServices", json!({"class": ""}), "field/malformed Invalid spec.settings.loadBalancerServices.class")]
#[case::policy("/spec/settings/loadBalancerServices", json!({"externalTrafficPolicy": "Remote"}), "field/unsupported-value NotSupported spec.settings.loadBalancerServices.externalTrafficPolicy")]
#[case::annotations("/spec/settings/loadBalancerServices", json!({"annotations": {"a b": ""}}), "field/malformed Invalid spec.settings.loadBalancerServices.annotations")]
#[case::zone("/spec/settings/loadBalancerServices", json!({"zones": [{"name": "z"}]}), "seed/zone-unknown NotFound spec.settings.loadBalancerServices.zones[0].name")]
#[case::zone_twice("/spec/settings/loadBalancerServices", json!({"zones": [{"name": "a"}, {"name": "a"}]}), "field/repeated Duplicate spec.settings.loadBalancerServices.zones[1].name")]
#[case::most("/spec/settings/verticalPodAutoscaler", json!({"maxAllowed": {"disk": 1}}), "field/unsupported-value NotSupported spec.settings.verticalPodAutoscaler.maxAllowed.disk")]
#[case::gate("/spec/settings/verticalPodAutoscaler", json!({"featureGates": {"No": true}}), "seed/feature-gate-unknown Invalid spec.settings.verticalPodAutoscaler.featureGates.No")]
#[case::mode("/spec/settings/zoneSelection", json!({"mode": "Hope"}), "field/unsupported-value NotSupported spec.settings.zoneSelection.mode")]
fn a_new_seed_is_refused(#[case] pointer: &str, #[case] value: Value, #[case] expected: &str) {
    let told = told_of_new(&[(pointer, value)]);
    assert!(told.contains(&expected.to_owned()), "{told:?}");
}

#[rstest]
#[case::pods("pods", "2")]
#[case::devices("example.com/gpu", "2")]
#[case::native("kubernetes.io/disk", "500m")]
#[case::requests("requests.example.com/gpu", "500m")]
fn amounts_that_are_reserved(#[case] resource: &str, #[case] amount: &str) {
    let reserved = json!({"configs": [{"resources": {resource: amount}}]});
    let told = told_of_new(&[("/spec/settings/excessCapacityReservation", reserved)]);
    assert_eq!(told, [""; 0]);
}

#[rstest]
#[case::balancers(json!({"loadBalancerServices": {"zones": [{"name": "a"}]}}), "spec.settings.loadBalancerServices.zones")]
#[case::routing(json!({"topologyAwareRouting": {"enabled": true}}), "spec.settings.topologyAwareRouting.enabled")]
fn settings_by_zone_need_several_zones(#[case] settings: Value, #[case] field: &str) {
    let expected = vec![format!("field/unfitting Forbidden {field}")];
    let zones =
        |zones: Value| [("/spec/provider/zones", zones), ("/spec/settings", settings.clone())];
    assert_eq!(told_of_new(&zones(json!(["a"]))), expected);
    assert_eq!(told_of_new(&zones(json!(["a", "b"]))), Vec::<String>::new());
}

#[test]
fn two_families_may_be_mixed_and_ranges_of_shoots_meet_the_seed_by_ipv6_only() {
    let networks = |shoots: Value| {
        let networks = json!({
            "pods": "10.0.0.0/16", "services": "fd00:1::/112", "ipFamilies": ["IPv4", "IPv6"], "shootDefaults": shoots,
        });
        told_of_new(&[("/spec/networks", networks)])
    };
    assert_eq!(networks(json!({"pods": "10.0.0.0/16"})), Vec::<String>::new());
    assert_eq!(
        networks(json!({"services": "fd00:1::/64"})),
        ["seed/ranges-overlap Invalid spec.networks.shootDefaults.services"]
    );
}

#[rstest]
#[case::pods("/spec/networks/pods", json!("10.9.0.0/16"), "field/immutable Invalid spec.networks.pods")]
#[case::nodes("/spec/networks/nodes", json!(null), "field/immutable Invalid spec.networks.nodes")]
#[case::families("/spec/networks/ipFamilies", json!(["IPv4", "IPv6"]), "field/immutable Invalid spec.networks.ipFamilies")]
#[case::domain("/spec/ingress/domain", json!("other.example.com"), "field/immutable Invalid spec.ingress.domain")]
#[case::provider("/spec/backup/provider", json!("other"), "field/immutable Invalid spec.backup.provider")]
#[case::region("/spec/backup/region", json!("eu"), "field/immutable Invalid spec.backup.region")]
#[case::backup("/spec/backup", json!(null), "field/immutable Invalid spec.backup")]
#[case::defaults("/spec/dns/defaults", json!(null), "seed/default-domains-removed Forbidden spec.dns.defaults")]
fn a_change_is_refused(#[case] pointer: &str, #[case] value: Value, #[case] expected: &str) {
    let new = with(&[(pointer, value)]);
    let told = told(&request("seeds", "UPDATE", &new, Some(&seed())));
    assert!(told.contains(&expected.to_owned()), "{told:?}");
}

#[test]
fn what_was_not_there_may_come() {
    let old = with(&[
        ("/spec/networks/nodes", json!(null)),
        ("/spec/backup", json!(null)),
        ("/spec/networks/ipFamilies", json!(["IPv4"])),
    ]);
    assert_eq!(told(&request("seeds", "UPDATE", &seed(), Some(&old))), Vec::<String>::new());
}

#[rstest]
#[case::change(json!("other"), 1)]
#[case::removal(json!(null), 1)]
#[case::same(json!("one"), 0)]
fn the_identity_of_a_seed_stays(#[case] identity: Value, #[case] refusals: usize) {
    let new = with(&[("/status/clusterIdentity", identity), ("/spec", json!({}))]);
    let mut request = request("seeds", "UPDATE", &new, Some(&seed()));
    request["subResource"] = json!("status");
    let told = told(&request);
    let expected = "field/immutable Invalid status.clusterIdentity";
    assert_eq!(told, vec![expected; refusals]);
}

#[rstest]
#[case::malformed("a b", 1)]
#[case::replaced_by_gardener("dnsrecord.extensions.gardener.cloud/a b", 0)]
#[case::name_replaced_by_gardener("name.seed.gardener.cloud/a b", 0)]
#[case::similar_to_a_replaced_one("x.dnsrecord.extensions.gardener.cloud/a b", 1)]
fn labels_that_come_with_a_status_are_judged(#[case] label: &str, #[case] refusals: usize) {
    let new = with(&[("/metadata/labels", json!({label: ""}))]);
    let mut request = request("seeds", "UPDATE", &new, Some(&seed()));
    request["subResource"] = json!("status");
    let expected = "field/malformed Invalid metadata.labels";
    assert_eq!(told(&request), vec![expected; refusals]);
}
