// SPDX-License-Identifier: Apache-2.0
//! The decisions of provider-alicloud, of which there are no recorded answers.

use garden_gate_core::admission::ErrorType;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging_extensions::{self, set, with};

const API: &str = "alicloud.provider.extensions.gardener.cloud/v1alpha1";

/// Returns the findings as `type field`, sorted.
fn judge(plural: &str, new: &Value, old: Option<&Value>, parent: Option<&Value>) -> Vec<String> {
    judging_extensions::judge(("alicloud", None), plural, (new, old), parent)
}

fn shoot() -> Value {
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu-central-1", "kubernetes": {"version": "1.33.4"},
            "networking": {"type": "calico", "nodes": "10.250.0.0/16", "pods": "172.16.0.0/16",
                "services": "172.17.0.0/16", "providerConfig": {"overlay": {"enabled": false}}},
            "provider": {"type": "alicloud",
                "infrastructureConfig": {"apiVersion": API, "kind": "InfrastructureConfig", "networks": {
                    "vpc": {"cidr": "10.250.0.0/16"}, "zones": [
                        {"name": "a", "workers": "10.250.0.0/19"}, {"name": "b", "workers": "10.250.32.0/19"}]}},
                "controlPlaneConfig": {"apiVersion": API, "kind": "ControlPlaneConfig", "csi": {"enableADController": true}},
                "workers": [{"name": "pool", "minimum": 1, "maximum": 2, "zones": ["a"],
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                    "volume": {"type": "cloud_essd", "size": "50Gi", "encrypted": true},
                    "dataVolumes": [{"name": "data", "type": "cloud_essd", "size": "50Gi", "encrypted": true}]}]}}})
}

const IC: &str = "/spec/provider/infrastructureConfig";
const ZONE: &str = "/spec/provider/infrastructureConfig/networks/zones/1";
const VPC: &str = "/spec/provider/infrastructureConfig/networks/vpc";
const POOL: &str = "/spec/provider/workers/0";

#[rstest]
#[case::valid(json!([]), &[])]
#[case::d1(json!([[IC, null]]), &["Required spec.provider.infrastructureConfig"])]
#[case::d2_unknown_field(json!([[format!("{IC}/foo"), 1]]), &["Forbidden spec.provider.infrastructureConfig"])]
#[case::d2_header(json!([[format!("{IC}/kind"), null]]), &["Forbidden spec.provider.infrastructureConfig"])]
#[case::m2_header_is_completed(json!([["/spec/provider/controlPlaneConfig", {}]]), &[])]
#[case::m2_unknown_field(json!([["/spec/provider/controlPlaneConfig/zone", "a"]]), &["Decode "])]
#[case::m1_panic(json!([["/spec/networking/providerConfig", {"overlay": {}}]]), &["Panic "])]
#[case::m1_other_network(json!([["/spec/networking", {"type": "other", "nodes": "10.250.0.0/16",
    "providerConfig": {"overlay": {}}}]]), &[])]
#[case::i1(json!([[format!("{IC}/networks/zones"), []]]), &["Required networks.zones"])]
#[case::i2(json!([[format!("{ZONE}/workers"), "10.250.33.0/19"]]), &["Invalid networks.zones[1].workers"])]
#[case::i3(json!([[format!("{ZONE}/natGateway"), {}]]), &["Invalid networks.zones[1].natGateway"])]
#[case::i4(json!([[format!("{ZONE}/natGateway"), {"eipAllocationID": ""}]]), &["Invalid networks.zones[1].natGateway"])]
#[case::i5(json!([[format!("{IC}/networks/zones"), [{"name": "a", "workers": "10.250.32.0"}]]]), &["Invalid networks.zones[0].workers"])]
#[case::i6(json!([["/spec/networking/nodes", "10.250.0.0/19"]]), &["Invalid networks.zones[1].workers"])]
#[case::i7_none(json!([[VPC, {}]]), &["Invalid networks.vpc"])]
#[case::i7_both(json!([[format!("{VPC}/id"), "vpc-1"]]), &["Invalid networks.vpc"])]
#[case::i8(json!([[format!("{VPC}/cidr"), "10.250.1.0/16"]]), &["Invalid networks.vpc.cidr"])]
#[case::i9(json!([[format!("{VPC}/cidr"), "10.250"]]), &["Invalid networks.vpc.cidr"])]
#[case::i10_i11(json!([[format!("{VPC}/cidr"), "10.250.0.0/19"]]),
    &["Invalid networking.nodes", "Invalid networks.zones[1].workers"])]
#[case::i12(json!([["/spec/networking/pods", "10.250.128.0/17"]]), &["Invalid networking.pods"])]
#[case::i13(json!([[VPC, {"id": "vpc-1", "useCustomRouteTable": true}]]),
    &["Required networks.vpc.gardenerManagedNATGateway"])]
#[case::i13_managed(json!([[VPC, {"id": "vpc-1", "useCustomRouteTable": true, "gardenerManagedNATGateway": true}]]), &[])]
#[case::i14(json!([[format!("{ZONE}/workers"), "10.250.0.0/20"]]), &["Invalid networks.zones[1].workers"])]
#[case::i14_both_fields(json!([[format!("{ZONE}/worker"), "10.250.32.0/19"]]), &["Invalid networks.zones[1].workers"])]
#[case::i15(json!([[VPC, {"id": "vpc-1"}], ["/spec/networking/pods", "10.250.32.0/20"]]),
    &["Invalid networks.zones[1].workers"])]
#[case::i17(json!([[format!("{IC}/dualStack"), {"enabled": true}], ["/spec/region", "me-east-1"]]), &["Invalid region"])]
#[case::i18(json!([[format!("{IC}/dualStack"), {"enabled": true}], [VPC, {"id": "vpc-1"}],
    [format!("{ZONE}/ipv6CidrBlock"), 7]]), &["Required networks.zones[0].ipv6CidrBlock"])]
#[case::i19(json!([[format!("{IC}/dualStack"), {"enabled": true}], [format!("{ZONE}/ipv6CidrBlock"), 256]]),
    &["Invalid networks.zones[1].ipv6CidrBlock"])]
#[case::i20(json!([[format!("{IC}/dualStack"), {"enabled": true}], [format!("{ZONE}/ipv6CidrBlock"), 0]]),
    &["Invalid networks.zones[1].ipv6CidrBlock"])]
#[case::i20_disabled(json!([[format!("{IC}/dualStack"), {"enabled": false}], [format!("{ZONE}/ipv6CidrBlock"), 0]]), &[])]
#[case::w1(json!([[format!("{POOL}/volume"), null]]), &["Required spec.provider.workers[0].volume"])]
#[case::w2(json!([[format!("{POOL}/volume/type"), null]]), &["Required spec.provider.workers[0].volume.type"])]
#[case::w3(json!([[format!("{POOL}/volume/size"), null]]), &["Required spec.provider.workers[0].volume.size"])]
#[case::w5(json!([[format!("{POOL}/dataVolumes/0/name"), "1"]]), &["Invalid spec.provider.workers[0].dataVolumes[0].name"])]
#[case::w6(json!([[format!("{POOL}/dataVolumes/0/name"), "d".repeat(65)]]),
    &["TooLong spec.provider.workers[0].dataVolumes[0].name"])]
#[case::w7(json!([[format!("{POOL}/dataVolumes/0/type"), null]]),
    &["Required spec.provider.workers[0].dataVolumes[0].type"])]
#[case::w8(json!([[format!("{POOL}/dataVolumes/0/size"), null]]),
    &["Required spec.provider.workers[0].dataVolumes[0].size"])]
#[case::w9(json!([[format!("{POOL}/zones"), []]]), &["Required spec.provider.workers[0].zones"])]
#[case::w10(json!([[format!("{POOL}/zones/0"), "c"]]), &["Invalid spec.provider.workers[0].zones[0]"])]
#[case::w10_after_i(json!([[format!("{POOL}/zones/0"), "c"], [VPC, {}]]), &["Invalid networks.vpc"])]
#[case::p1(json!([["/spec/provider/controlPlaneConfig/cloudControllerManager", {"featureGates": {"Foo": true}}]]),
    &["Invalid spec.provider.controlPlaneConfig.cloudControllerManager.featureGates.Foo"])]
#[case::n2(json!([["/spec/networking/nodes", null]]), &["Required spec.networking.nodes"])]
#[case::n3(json!([["/spec/networking/pods", "100.96.0.0/11"]]), &["Invalid spec.networking.pods"])]
fn new_shoot(#[case] changes: Value, #[case] expected: &[&str]) {
    let shoot = with(&shoot(), &changes);
    assert_eq!(judge("shoots", &shoot, None, None), expected);
}

#[test]
fn a_pool_has_at_most_64_data_volumes() {
    let mut shoot = shoot();
    let volumes = (0..65).map(
        |it| json!({"name": format!("d{it}"), "type": "cloud_essd", "size": "50Gi", "encrypted": true}),
    );
    set(&mut shoot, &format!("{POOL}/dataVolumes"), volumes.collect());
    let expected = format!("{:?} spec.provider.workers[0].dataVolumes", ErrorType::TooMany);
    assert_eq!(judge("shoots", &shoot, None, None), [expected]);
}

#[rstest]
#[case::unchanged(json!([]), json!([]), &[])]
#[case::m3_stored(json!([["/spec/provider/controlPlaneConfig/zone", "a"]]), json!([["/spec/region", "eu-west-1"]]), &["Denied "])]
#[case::d3_header(json!([]), json!([["/spec/provider/controlPlaneConfig/kind", null], ["/spec/region", "eu-west-1"]]),
    &["Invalid spec.provider.controlPlaneConfig"])]
#[case::u1(json!([]), json!([[format!("{VPC}/cidr"), "10.250.0.0/15"]]), &["Invalid networks.vpc"])]
#[case::u1_gateway(json!([]), json!([[format!("{VPC}/gardenerManagedNATGateway"), false]]), &["Invalid networks.vpc"])]
#[case::u2(json!([]), json!([[format!("{VPC}/useCustomRouteTable"), true]]), &["Forbidden networks.vpc.useCustomRouteTable"])]
#[case::u2_absent_is_false(json!([]), json!([[format!("{VPC}/useCustomRouteTable"), false]]), &[])]
#[case::u3(json!([]), json!([[ZONE, null]]), &["Forbidden networks.zones"])]
#[case::u3a(json!([]), json!([[format!("{ZONE}/name"), "c"]]), &["Invalid networks.zones[1]"])]
#[case::u3b(json!([]), json!([[format!("{ZONE}/workers"), "10.250.64.0/19"]]), &["Invalid networks.zones[1]"])]
#[case::u3b_moved(json!([[ZONE, {"name": "b", "worker": "10.250.32.0/19"}]]),
    json!([[ZONE, {"name": "b", "workers": "10.250.32.0/19"}]]), &[])]
#[case::u3b_moved_back(json!([]), json!([[ZONE, {"name": "b", "worker": "10.250.32.0/19"}]]), &["Invalid networks.zones[1]"])]
#[case::u3c(json!([[format!("{ZONE}/ipv6CidrBlock"), 7]]), json!([[format!("{ZONE}/ipv6CidrBlock"), null]]),
    &["Invalid networks.zones[1].ipv6CidrBlock"])]
#[case::u3_appended(json!([]), json!([[format!("{IC}/networks/zones/-"), {"name": "c", "workers": "10.250.64.0/19"}]]), &[])]
#[case::u4(json!([[format!("{IC}/dualStack"), {"enabled": true}]]), json!([[format!("{IC}/dualStack"), null]]),
    &["Forbidden dualStack"])]
#[case::u5(json!([]), json!([[format!("{POOL}/zones"), ["b"]]]), &["Invalid spec.provider.workers[0].zones"])]
#[case::u6_bytes(json!([[format!("{POOL}/updateStrategy"), "AutoInPlaceUpdate"], [format!("{POOL}/providerConfig"), {"a": 1}]]),
    json!([[format!("{POOL}/providerConfig"), {"a": 1.0}]]), &["Invalid spec.provider.workers[0].providerConfig"])]
#[case::u6_same(json!([[format!("{POOL}/updateStrategy"), "AutoInPlaceUpdate"], [format!("{POOL}/providerConfig"), {"a": 1}]]),
    json!([[format!("{POOL}/maximum"), 3]]), &[])]
#[case::u6_rolling(json!([[format!("{POOL}/providerConfig"), {"a": 1}]]), json!([[format!("{POOL}/providerConfig"), {"a": 1.0}]]), &[])]
#[case::u7(json!([]), json!([["/spec/networking/services", "172.18.0.0/16"]]), &["Invalid spec.networking.services"])]
#[case::n3_is_only_for_new_shoots(json!([["/spec/networking/pods", "100.96.0.0/11"]]), json!([["/spec/region", "eu-west-1"]]), &[])]
fn updated_shoot(#[case] stored: Value, #[case] changes: Value, #[case] expected: &[&str]) {
    let mut stored = with(&shoot(), &stored);
    stored["metadata"]["resourceVersion"] = json!("1");
    let shoot = with(&stored, &changes);
    assert_eq!(judge("shoots", &shoot, Some(&stored), None), expected);
}

fn profile(kind: &str, images: Value, config: Option<Value>) -> Value {
    let mut profile = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": kind,
        "metadata": {"name": "c"}, "spec": {"type": "alicloud", "machineImages": images}});
    if let Some(images) = config {
        profile["spec"]["providerConfig"] =
            json!({"apiVersion": API, "kind": "CloudProfileConfig", "machineImages": images});
    }
    profile
}

fn mapped(version: &str) -> Value {
    json!([{"name": "i", "versions": [{"version": version, "regions": [{"name": "eu", "id": "m-1"}]}]}])
}

const MAPPED: &str = "spec.providerConfig.machineImages";

#[rstest]
#[case::p1(None, vec!["Required spec.providerConfig".to_owned()])]
#[case::valid(Some(mapped("1")), vec![])]
#[case::p4(Some(json!([])), vec!["Required spec.machineImages[0]".to_owned(), format!("Required {MAPPED}")])]
#[case::p5_p6(Some(json!([mapped("1")[0], {}])), vec![format!("Required {MAPPED}[1].name"), format!("Required {MAPPED}[1].versions")])]
#[case::p7_p8(Some(json!([mapped("1")[0], {"name": "j", "versions": [{}]}])),
    vec![format!("Required {MAPPED}[1].versions[0].regions"), format!("Required {MAPPED}[1].versions[0].version")])]
#[case::p8(Some(json!([{"name": "i", "versions": [{"version": "1", "regions": [{}]}]}])),
    vec![format!("Required {MAPPED}[0].versions[0].regions[0].id"), format!("Required {MAPPED}[0].versions[0].regions[0].name")])]
#[case::p11(Some(json!([{"name": "i", "versions": [{"version": "1", "regions": [{"name": "eu", "id": "m-1"}],
    "capabilityFlavors": [{"regions": [{"name": "eu", "id": "m-1"}]}]}]}])),
    vec![format!("Forbidden {MAPPED}[0].versions[0].capabilityFlavors")])]
#[case::p12(Some(json!([{"name": "j", "versions": mapped("1")[0]["versions"]}])), vec!["Required spec.machineImages[0]".to_owned()])]
#[case::p13(Some(mapped("2")), vec!["Required spec.machineImages[0].versions[0]".to_owned()])]
fn cloud_profile(#[case] config: Option<Value>, #[case] expected: Vec<String>) {
    // Other architectures than `amd64` need no mapping.
    let images =
        json!([{"name": "i", "versions": [{"version": "1", "architectures": ["amd64", "arm64"]}]}]);
    let profile = profile("CloudProfile", images, config);
    assert_eq!(judge("cloudprofiles", &profile, None, None), expected);
}

#[rstest]
#[case::flavors(json!([]), &[])]
#[case::p9(json!([{"name": "eu", "id": "m-1"}]), &["Forbidden spec.providerConfig.machineImages[0].versions[0].regions"])]
fn cloud_profile_with_capabilities(#[case] regions: Value, #[case] expected: &[&str]) {
    let capabilities = json!({"architecture": ["amd64"]});
    let images =
        json!([{"name": "i", "versions": [{"version": "1", "capabilityFlavors": [capabilities]}]}]);
    let flavors = json!([{"capabilities": capabilities, "regions": [{"name": "eu", "id": "m-1"}]}]);
    let config = json!([{"name": "i", "versions": [{"version": "1", "regions": regions, "capabilityFlavors": flavors}]}]);
    let mut profile = profile("CloudProfile", images, Some(config));
    profile["spec"]["machineCapabilities"] = json!([{"name": "architecture", "values": ["amd64"]}]);
    assert_eq!(judge("cloudprofiles", &profile, None, None), expected);
}

#[rstest]
#[case::valid(json!([]), json!([]), &[])]
#[case::b2(json!([]), json!([["/spec/backup/credentialsRef/kind", "WorkloadIdentity"]]), &["NotSupported spec.backup.credentialsRef"])]
#[case::b3(json!([]), json!([["/spec/backup/providerConfig/foo", 1]]), &["Invalid spec.backup.providerConfig"])]
#[case::b3_of_another_provider(json!([["/spec/provider/type", "other"]]),
    json!([["/spec/provider/type", "other"], ["/spec/backup/providerConfig/foo", 1]]), &["Invalid spec.backup.providerConfig"])]
#[case::backup_of_another_provider(json!([["/spec/provider/type", "other"], ["/spec/backup/provider", "other"]]),
    json!([["/spec/provider/type", "other"], ["/spec/backup/provider", "other"], ["/spec/backup/providerConfig/foo", 1]]), &[])]
#[case::b4(json!([["/spec/backup/providerConfig/kind", null]]), json!([]), &["Invalid spec.backup.providerConfig"])]
#[case::b5(json!([]), json!([["/spec/backup/providerConfig/immutability/retentionType", "object"]]),
    &["Invalid spec.backup.providerConfig.immutability.retentionType"])]
#[case::b6(json!([["/spec/backup/providerConfig/immutability", null]]),
    json!([["/spec/backup/providerConfig/immutability/retentionPeriod", 0]]),
    &["Invalid spec.backup.providerConfig.immutability.retentionPeriod"])]
#[case::b7(json!([]), json!([["/spec/backup/providerConfig/immutability/locked", null]]),
    &["Forbidden spec.backup.providerConfig.immutability.locked"])]
#[case::b7_removed(json!([]), json!([["/spec/backup/providerConfig/immutability", null]]), &[])]
#[case::b8(json!([]), json!([["/spec/backup/providerConfig/immutability/retentionPeriod", 6]]),
    &["Forbidden spec.backup.providerConfig.immutability.retentionPeriod"])]
fn updated_seed(#[case] stored: Value, #[case] changes: Value, #[case] expected: &[&str]) {
    let seed = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Seed",
        "metadata": {"name": "s", "resourceVersion": "1"},
        "spec": {"provider": {"type": "alicloud", "region": "eu"}, "backup": {"provider": "alicloud",
            "credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "b", "namespace": "garden"},
            "providerConfig": {"apiVersion": API, "kind": "BackupBucketConfig",
                "immutability": {"retentionType": "bucket", "retentionPeriod": 7, "locked": true}}}}});
    let (stored, seed) = (with(&seed, &stored), with(&seed, &changes));
    assert_eq!(judge("seeds", &seed, Some(&stored), None), expected);
}

#[rstest]
#[case::valid(mapped("2"), json!([{"name": "i", "versions": [{"version": "2"}]}]), vec![])]
#[case::n5(json!([]), json!([{"name": "j", "versions": [{"version": "1"}]}]), vec![format!("Required {MAPPED}")])]
#[case::n6(json!([]), json!([{"name": "i", "versions": [{"version": "2"}]}]), vec![format!("Required {MAPPED}")])]
#[case::n10_n12(mapped("1"), json!([{"name": "i", "versions": [{"version": "1"}]}]), vec![format!("Forbidden {MAPPED}[0].versions[0]")])]
#[case::n11(mapped("2"), json!([]), vec![format!("Required {MAPPED}[0]")])]
#[case::n12(mapped("3"), json!([{"name": "i", "versions": [{"version": "1"}]}]), vec![format!("Invalid {MAPPED}[0].versions[0]")])]
fn namespaced_cloud_profile(
    #[case] config: Value,
    #[case] images: Value,
    #[case] expected: Vec<String>,
) {
    let parent = json!([{"name": "i", "versions": [{"version": "1"}]}]);
    let parent = profile("CloudProfile", parent, Some(mapped("1")));
    let mut profile = profile("NamespacedCloudProfile", images, Some(config));
    profile["metadata"]["namespace"] = json!("garden-p");
    profile["spec"]["parent"] = json!({"kind": "CloudProfile", "name": "c"});
    set(&mut profile, "/spec/type", Value::Null);
    assert_eq!(judge("namespacedcloudprofiles", &profile, None, Some(&parent)), expected);
}
