// SPDX-License-Identifier: Apache-2.0
//! Decisions of providers that no recorded answer covers, and those of earlier versions.

use std::collections::{BTreeMap, BTreeSet};

use garden_gate_model::api::Kind;
use garden_gate_model::api::extensions::ExtensionVersion;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging_extensions::{judge, judge_beside, set, with};

/// Returns a CloudProfile with region `eu` and zones `1`, `2` and `3`.
fn profile(provider: &str, config: &Value) -> Value {
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile", "metadata": {"name": "c"},
        "spec": {"type": provider, "providerConfig": config,
            "regions": [{"name": "eu", "zones": [{"name": "1"}, {"name": "2"}, {"name": "3"}]}]}})
}

const POOL: &str = "/spec/provider/workers/0";
const IC: &str = "/spec/provider/infrastructureConfig";
const WORKER: &str = "/spec/provider/workers/0/providerConfig";

fn azure() -> Value {
    let api = "azure.provider.extensions.gardener.cloud/v1alpha1";
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.33.4"},
            "networking": {"type": "cilium", "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11",
                "services": "100.64.0.0/13"},
            "provider": {"type": "azure",
                "infrastructureConfig": {"apiVersion": api, "kind": "InfrastructureConfig", "zoned": true,
                    "networks": {"vnet": {"cidr": "10.250.0.0/16"}, "workers": "10.250.0.0/19"}},
                "workers": [{"name": "pool", "minimum": 1, "maximum": 2, "zones": ["1"],
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                    "volume": {"type": "Standard", "size": "50Gi"},
                    "dataVolumes": [{"name": "data", "type": "Standard", "size": "50Gi"}],
                    "providerConfig": {"apiVersion": api, "kind": "WorkerConfig"}}]}}})
}

/// The name of a finding of a WorkerConfig.
fn of_worker(error_and_field: &str) -> String {
    let (error, field) = error_and_field.split_once(' ').unwrap();
    format!("{error} spec.provider.workers[0].providerConfig.{field}")
}

/// Judges a Shoot on Azure by provider-azure 1.`minor`.
fn judge_azure(minor: u16, changes: &Value) -> Vec<String> {
    let shoot = with(&azure(), changes);
    let extension = ("azure", Some(ExtensionVersion::new(1, minor)));
    judge(extension, "shoots", (&shoot, None), Some(&profile("azure", &json!(null))))
}

/// Each row has findings of versions of provider-azure, and versions without findings.
#[rstest]
#[case::no_template(json!([]),
    &[], &[54, 59, 62])]
#[case::no_capacity(json!({"nodeTemplate": {"capacity": {}}}),
    &["Required nodeTemplate.capacity 54"], &[59, 62])]
#[case::capacity(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi"}}}),
    &[], &[54, 59, 62])]
#[case::negative_capacity(json!({"nodeTemplate": {"capacity": {"cpu": -1, "gpu": 0, "memory": "1Gi"}}}),
    &["Invalid nodeTemplate.capacity.cpu 54 59 62"], &[])]
#[case::capacity_of_storage(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi", "storage": "1Gi", "ephemeral-storage": 0}}}),
    &[], &[54, 59, 62])]
#[case::negative_storage(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi", "storage": -1}}}),
    &["Invalid nodeTemplate.capacity.storage 59"], &[54, 62])]
#[case::null_storage(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi", "storage": null}}}),
    &[], &[54, 59, 62])]
#[case::other_capacity(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi", "foo": 1}}}),
    &["Invalid nodeTemplate.capacity.foo 59"], &[54, 62])]
#[case::virtual_capacity(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi"}, "virtualCapacity": {"a.io/b": -1}}}),
    &["Invalid nodeTemplate.virtualCapacity.a.io/b 62"], &[54, 59])]
#[case::fraction(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi"}, "virtualCapacity": {"b": "1500m"}}}),
    &["Invalid nodeTemplate.virtualCapacity.b 62"], &[54, 59])]
#[case::rounded_up_to_a_whole(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi"}, "virtualCapacity": {"b": "999999999n"}}}),
    &[], &[54, 59, 62])]
#[case::rounded_up_from_a_whole(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi"}, "virtualCapacity": {"b": "1000000001n"}}}),
    &["Invalid nodeTemplate.virtualCapacity.b 62"], &[54, 59])]
#[case::null_virtual_capacity(json!({"nodeTemplate": {"capacity": {"cpu": 1, "gpu": 0, "memory": "1Gi"}, "virtualCapacity": {"b": null}}}),
    &[], &[54, 59, 62])]
#[case::storage_uri(json!({"diagnosticsProfile": {"enabled": true, "storageURI": "https://a.io"}}),
    &["Invalid diagnosticsProfile.storageURI 59 62"], &[54])]
#[case::no_storage_uri(json!({"diagnosticsProfile": {"enabled": true}}),
    &[], &[54, 59, 62])]
#[case::data_volume(json!({"dataVolumes": [{"name": "data", "imageRef": {"urn": "a:b:c:d"}}]}),
    &[], &[54, 59, 62])]
#[case::other_data_volume(json!({"dataVolumes": [{"name": "other"}]}),
    &["Invalid dataVolumes.Name 54"], &[59, 62])]
#[case::other_data_volume_with_image(json!({"dataVolumes": [{"name": "other", "imageRef": {"urn": "a:b:c:d"}}]}),
    &["Invalid dataVolumes.Name 54", "Invalid dataVolumes[0].name 59 62"], &[])]
#[case::empty_image(json!({"dataVolumes": [{"name": "data", "imageRef": {}}]}),
    &["Invalid dataVolumes.ImageRef 54", "Invalid dataVolumes[0].imageRef 59 62"], &[])]
#[case::syntax_of_images(json!({"dataVolumes": [{"name": "data", "imageRef": {
        "urn": "a", "communityGalleryImageID": "b", "sharedGalleryImageID": "c"}}]}),
    &["Invalid dataVolumes[0].imageRef.communityGalleryImageID 59 62", "Invalid dataVolumes[0].imageRef.sharedGalleryImageID 59 62", "Invalid dataVolumes[0].imageRef.urn 59 62"], &[54])]
#[case::malformed_id_ends_the_list(json!({"dataVolumes": [{"name": "data", "imageRef": {"id": "a"}}, {"name": "other", "imageRef": {}}]}),
    &["Invalid dataVolumes.ImageRef 54", "Invalid dataVolumes.Name 54", "Invalid dataVolumes[0].imageRef.id 59 62"], &[])]
#[case::id(json!({"dataVolumes": [{"name": "data", "imageRef":
        {"id": "/subscriptions/00000000-0000-0000-0000-000000000001/resourceGroups/group/providers/Microsoft.Compute/images/i"}}]}),
    &[], &[54, 59, 62])]
#[case::id_without_uuid(json!({"dataVolumes": [{"name": "data", "imageRef":
        {"id": "/subscriptions/s/resourceGroups/group/providers/Microsoft.Compute/images/i"}}]}),
    &["Invalid dataVolumes[0].imageRef.images 59 62"], &[54])]
fn worker_config_of_azure_by_version(
    #[case] fields: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let mut config = azure().pointer(WORKER).unwrap().clone();
    for (name, value) in fields.as_object().into_iter().flatten() {
        config[name] = value.clone();
    }
    let changes = json!([[WORKER, config]]);
    let prefix = "spec.provider.workers[0].providerConfig";
    check_versions(|minor| judge_azure(minor, &changes), prefix, findings, without);
}

#[rstest]
#[case::caching(json!({"volume": {"caching": "ReadOnly"}}), &[])]
#[case::no_caching(json!({"volume": {}}), &[])]
#[case::other_caching(json!({"volume": {"caching": "Always"}}), &["NotSupported volume.caching"])]
#[case::group(json!({"capacityReservation": {"capacityReservationGroupID":
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/capacityreservationgroups/r"}}), &[])]
#[case::no_group(json!({"capacityReservation": {}}), &[])]
#[case::malformed_group(json!({"capacityReservation": {"capacityReservationGroupID": "a"}}),
    &["Invalid capacityReservation.capacityReservationGroupID"])]
#[case::other_type(json!({"capacityReservation": {"capacityReservationGroupID":
    "/subscriptions/s/resourceGroups/g/providers/Microsoft.Compute/images/r"}}),
    &["Invalid capacityReservation.capacityReservationGroupID"])]
fn worker_config_of_azure(#[case] fields: Value, #[case] expected: &[&str]) {
    let mut config = azure().pointer(WORKER).unwrap().clone();
    for (name, value) in fields.as_object().unwrap() {
        config[name] = value.clone();
    }
    let expected: Vec<String> = expected.iter().map(|it| of_worker(it)).collect();
    assert_eq!(judge_azure(62, &json!([[WORKER, config]])), expected);
}

const SCALE_SETS: &str = "alpha.azure.provider.extensions.gardener.cloud/vmo";
const MIGRATION: &str = "migration.azure.provider.extensions.gardener.cloud/vmo";

/// The changes of a Shoot without zones, with an enabled NAT gateway.
fn unzoned_gateway(annotation: Option<&str>) -> Value {
    let annotations = annotation.map(|it| json!({it: "true"}));
    json!([["/metadata/annotations", annotations], [format!("{IC}/zoned"), false],
        [format!("{POOL}/zones"), []], [format!("{IC}/networks/natGateway"), {"enabled": true}]])
}

/// The changes of a Shoot with one subnet in each of two zones.
fn zones(first: &Value) -> Value {
    let mut zone = json!({"name": 1, "cidr": "10.250.0.0/24"});
    zone.as_object_mut().unwrap().extend(first.as_object().unwrap().clone());
    json!([[format!("{IC}/networks"), {"vnet": {"cidr": "10.250.0.0/16"},
        "zones": [zone, {"name": 2, "cidr": "10.250.1.0/24"}]}]])
}

/// Each row has versions of provider-azure with a finding, and those without.
#[rstest]
#[case::valid(json!([]), &[], &[44, 49, 54, 59, 63])]
#[case::identity(json!([[format!("{IC}/identity"), {"name": "my-identity", "resourceGroup": "group"}]]), &[], &[54, 55])]
#[case::identity_without_group(json!([[format!("{IC}/identity"), {"name": "my-identity", "resourceGroup": ""}]]), &["Invalid identity 54", "Required identity.resourceGroup 55"], &[])]
#[case::identity_without_name(json!([[format!("{IC}/identity"), {"name": "", "resourceGroup": "group"}]]), &["Invalid identity 54", "Invalid identity.name 55"], &[])]
#[case::scale_sets_with_zones(json!([["/metadata/annotations", {SCALE_SETS: "true"}]]), &["Invalid zoned 49"], &[50])]
#[case::scale_sets_off(json!([["/metadata/annotations", {SCALE_SETS: "false"}]]), &[], &[49])]
#[case::gateway_without_zones(unzoned_gateway(None), &["Forbidden networks.natGateway 49"], &[50])]
#[case::gateway_of_scale_sets(unzoned_gateway(Some(SCALE_SETS)), &[], &[49])]
#[case::gateway_during_migration(unzoned_gateway(Some(MIGRATION)), &["Forbidden networks.natGateway.enabled 50 55"], &[56])]
#[case::addresses_without_names(json!([[format!("{IC}/networks/natGateway"), {"enabled": true, "zone": 1,
    "ipAddresses": [{"name": "", "resourceGroup": "", "zone": 1}]}]]),
    &["Required networks.natGateway.ipAddresses[0].name 54 55 63", "Required networks.natGateway.ipAddresses[0].resourceGroup 54 55 63"], &[])]
#[case::syntax_of_addresses(json!([[format!("{IC}/networks/natGateway"), {"enabled": true, "zone": 1,
    "ipAddresses": [{"name": "a b", "resourceGroup": "group", "zone": 1}]}]]),
    &["Invalid networks.natGateway.ipAddresses[0].name 55"], &[54])]
#[case::addresses_without_zone(json!([[format!("{IC}/networks/natGateway"), {"enabled": true, "zone": 1,
    "ipAddresses": [{"name": "a", "resourceGroup": "group"}]}]]),
    &["Invalid networks.natGateway.ipAddresses[0].zone 49 59"], &[60])]
#[case::addresses_without_gateway_zone(json!([[format!("{IC}/networks/natGateway"), {"enabled": true,
    "ipAddresses": [{"name": "a", "resourceGroup": "group", "zone": 1}]}]]), &["Invalid networks.natGateway.zone 49 63"], &[])]
#[case::addresses_of_v2(json!([[format!("{IC}/networks/natGateway"), {"enabled": true, "sku": "StandardV2",
    "ipAddresses": [{"name": "a", "resourceGroup": "group", "zone": 1}, {"name": "b", "resourceGroup": "group"}]}]]),
    &["Forbidden networks.natGateway.ipAddresses[0].zone 63"], &[])]
#[case::zone_of_v2(json!([[format!("{IC}/networks/natGateway"), {"enabled": true, "sku": "StandardV2", "zone": 1}]]),
    &["Forbidden networks.natGateway.zone 63"], &[])]
#[case::disabled_gateway(json!([[format!("{IC}/networks/natGateway"), {"enabled": false}]]), &[], &[49, 63])]
#[case::disabled_gateway_with_zone(json!([[format!("{IC}/networks/natGateway"), {"enabled": false, "zone": 1}]]), &["Invalid networks.natGateway 49 63"], &[])]
#[case::disabled_gateway_with_timeout(json!([[format!("{IC}/networks/natGateway"), {"enabled": false, "idleConnectionTimeoutMinutes": 5}]]),
    &["Invalid networks.natGateway 49 63"], &[])]
#[case::disabled_gateway_with_addresses(json!([[format!("{IC}/networks/natGateway"), {"enabled": false, "ipAddresses": []}]]),
    &["Invalid networks.natGateway 49 63"], &[])]
#[case::disabled_gateway_with_sku(json!([[format!("{IC}/networks/natGateway"), {"enabled": false, "sku": "Standard"}]]),
    &["Invalid networks.natGateway 63"], &[])]
#[case::endpoints(json!([[format!("{IC}/networks/serviceEndpoints"), ["Microsoft.Storage", "x"]]]), &["Invalid networks.serviceEndpoints[1] 55"], &[54])]
#[case::zones(zones(&json!({})), &[], &[49, 63])]
#[case::endpoints_of_zones(zones(&json!({"serviceEndpoints": ["x"]})), &["Invalid networks.zones.serviceEndpoints[0] 55"], &[54])]
#[case::timeout_of_zones(zones(&json!({"natGateway": {"enabled": true, "idleConnectionTimeoutMinutes": 3}})),
    &["Invalid networks.zones[0].natGateway.idleConnectionTimeoutMinutes 55"], &[54])]
#[case::disabled_gateway_of_zone(zones(&json!({"natGateway": {"enabled": false}})), &[], &[54, 63])]
#[case::disabled_gateway_of_zone_with_timeout(zones(&json!({"natGateway": {"enabled": false, "idleConnectionTimeoutMinutes": 5}})),
    &["Invalid networks.zones[0].natGateway 54 63"], &[])]
#[case::disabled_gateway_of_zone_with_addresses(zones(&json!({"natGateway": {"enabled": false, "ipAddresses": []}})),
    &["Invalid networks.zones[0].natGateway 54 63"], &[])]
#[case::disabled_gateway_of_zone_with_sku(zones(&json!({"natGateway": {"enabled": false, "sku": "Standard"}})),
    &["Invalid networks.zones[0].natGateway 63"], &[])]
#[case::addresses_of_zones(zones(&json!({"natGateway": {"enabled": true, "ipAddresses": [{"name": "", "resourceGroup": "group"}]}})),
    &["Required networks.zones[0].natGateway.ipAddresses[0].name 54 63"], &[])]
#[case::v2_in_zones(zones(&json!({"natGateway": {"enabled": true, "sku": "StandardV2"}})), &["Forbidden networks.zones[0].natGateway.sku 63"], &[])]
#[case::existing_network(json!([[format!("{IC}/networks/vnet"), {"name": "-", "resourceGroup": "group"}]]), &["Invalid networks.vnet.name 55"], &[54])]
#[case::group_of_existing_network(json!([[format!("{IC}/networks/vnet"), {"name": "vnet", "resourceGroup": "g"}]]),
    &["Invalid networks.vnet.resourceGroup 55"], &[54])]
#[case::existing_network_without_name(json!([[format!("{IC}/networks/vnet"), {"name": "", "resourceGroup": "group"}]]), &["Required networks.vnet.name 54"], &[])]
#[case::existing_network_without_group(json!([[format!("{IC}/networks/vnet"), {"name": "vnet", "resourceGroup": ""}]]),
    &["Required networks.vnet.resourceGroup 54 63"], &[])]
#[case::half_of_a_network(json!([[format!("{IC}/networks/vnet"), {"name": "vnet"}]]), &["Invalid networks.vnet 49 63"], &[])]
#[case::other_half_of_a_network(json!([[format!("{IC}/networks/vnet"), {"resourceGroup": "group"}]]), &["Invalid networks.vnet 49 63"], &[])]
#[case::existing_network_with_cidr(json!([[format!("{IC}/networks/vnet"), {"name": "vnet", "resourceGroup": "group", "cidr": "10.250.0.0/16"}]]),
    &["Invalid networks.vnet.cidr 49 63"], &[])]
#[case::plan(json!([[format!("{IC}/networks/vnet/ddosProtectionPlanID"), "a"]]), &["Invalid networks.vnet.ddosProtectionPlanID 55"], &[54])]
#[case::existing_group(json!([[format!("{IC}/resourceGroup"), {"name": "g"}]]),
    &["Invalid resourceGroup 54 55", "Invalid resourceGroup.name 55"], &[])]
#[case::no_network(json!([[format!("{IC}/networks/vnet"), {}]]), &["Invalid networking.nodes 49 63"], &[])]
fn infrastructure_of_azure(
    #[case] changes: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let judge = |minor| judge_azure(minor, &changes);
    check_versions(judge, "spec.provider.infrastructureConfig", findings, without);
}

/// Checks rows `error field minor...` for a component, and versions of it that accept the object.
///
/// Fields of `spec`, `networking` and `metadata` are complete; others are below `prefix`, if there is one.
fn check_versions(
    judge: impl Fn(u16) -> Vec<String>,
    prefix: &str,
    findings: &[&str],
    without: &[u16],
) {
    for minor in without {
        assert_eq!(judge(*minor), [""; 0], "1.{minor}");
    }
    let mut expected = BTreeMap::<u16, BTreeSet<String>>::new();
    for finding in findings {
        let mut words = finding.split(' ');
        let (error, field) = (words.next().unwrap(), words.next().unwrap());
        let is_whole = prefix.is_empty()
            || ["spec.", "networking.", "metadata."].iter().any(|it| field.starts_with(it));
        let field = if is_whole { field.to_owned() } else { format!("{prefix}.{field}") };
        for minor in words.map(|it| it.parse().unwrap()) {
            let expected = expected.entry(minor).or_default();
            expected.insert(format!("{error} {field}"));
        }
    }
    for (minor, expected) in expected {
        let found = BTreeSet::from_iter(judge(minor));
        assert_eq!(found, expected, "1.{minor}");
    }
}

#[rstest]
#[case::added(None, Some("true"), true)]
#[case::removed(Some("true"), None, true)]
#[case::kept(Some("true"), Some("true"), false)]
#[case::never(None, Some("false"), false)]
fn annotation_of_scale_sets_is_immutable(
    #[case] old: Option<&str>,
    #[case] new: Option<&str>,
    #[case] is_refused: bool,
) {
    let [old, new] = [old, new].map(|value| {
        let mut object =
            with(&azure(), &json!([[format!("{IC}/zoned"), false], [format!("{POOL}/zones"), []]]));
        if let Some(value) = value {
            object["metadata"]["annotations"] = json!({SCALE_SETS: value});
        }
        object
    });
    let profile = profile("azure", &json!(null));
    for (minor, is_refused) in [(49, is_refused), (50, false)] {
        let extension = ("azure", Some(ExtensionVersion::new(1, minor)));
        let found = judge(extension, "shoots", (&new, Some(&old)), Some(&profile));
        let expected = vec!["Forbidden metadata.annotations"; usize::from(is_refused)];
        assert_eq!(found, expected, "1.{minor}");
    }
}

#[rstest]
#[case::ipv6(json!(["IPv6"]), true)]
#[case::both(json!(["IPv4", "IPv6"]), true)]
#[case::ipv4(json!(["IPv4"]), false)]
fn azure_refuses_ipv6_since_1_49(#[case] families: Value, #[case] is_refused: bool) {
    let changes = json!([["/spec/networking/ipFamilies", families]]);
    assert_eq!(judge_azure(48, &changes), [""; 0]);
    let expected = vec!["Invalid spec.networking.ipFamilies"; usize::from(is_refused)];
    assert_eq!(judge_azure(49, &changes), expected);
}

fn gcp() -> Value {
    let api = "gcp.provider.extensions.gardener.cloud/v1alpha1";
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.30.4"},
            "networking": {"type": "calico", "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11",
                "services": "100.64.0.0/13"},
            "provider": {"type": "gcp",
                "infrastructureConfig": {"apiVersion": api, "kind": "InfrastructureConfig",
                    "networks": {"workers": "10.250.0.0/16"}},
                "controlPlaneConfig": {"apiVersion": api, "kind": "ControlPlaneConfig", "zone": "1"},
                "workers": [{"name": "pool", "minimum": 1, "maximum": 2, "zones": ["1"],
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                    "volume": {"type": "pd-ssd", "size": "50Gi"},
                    "dataVolumes": [{"name": "data", "type": "pd-ssd", "size": "50Gi"}],
                    "providerConfig": {"apiVersion": api, "kind": "WorkerConfig"}}]}}})
}

fn judge_gcp(minor: u16, changes: &Value) -> Vec<String> {
    let shoot = with(&gcp(), changes);
    let config = json!({"apiVersion": "gcp.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "image": "projects/p/global/images/i"}]}]});
    let extension = ("gcp", Some(ExtensionVersion::new(1, minor)));
    judge(extension, "shoots", (&shoot, None), Some(&profile("gcp", &config)))
}

/// The changes of a pool whose data volume is a local SSD.
fn scratch(config: &Value) -> Value {
    let api = "gcp.provider.extensions.gardener.cloud/v1alpha1";
    let mut config = config.clone();
    config["apiVersion"] = json!(api);
    config["kind"] = json!("WorkerConfig");
    json!([[format!("{POOL}/dataVolumes/0/type"), "SCRATCH"], [WORKER, config]])
}

#[rstest]
#[case::valid(json!([]), &[], &[36, 41, 45, 46, 50, 55])]
#[case::gpu(json!([[format!("{WORKER}/gpu"), {"acceleratorType": "nvidia-tesla-t4", "count": 1}]]), &[], &[45, 46])]
#[case::gpu_without_type(json!([[format!("{WORKER}/gpu"), {"acceleratorType": "", "count": 1}]]),
    &["Required gpu.acceleratorType 45", "Invalid gpu.acceleratorType 46"], &[])]
#[case::gpu_type(json!([[format!("{WORKER}/gpu"), {"acceleratorType": "A", "count": 1}]]), &["Invalid gpu.acceleratorType 46"], &[45])]
#[case::no_gpus(json!([[format!("{WORKER}/gpu"), {"acceleratorType": "a", "count": 0}]]), &["Forbidden gpu.count 45 46"], &[])]
#[case::account(json!([[format!("{WORKER}/serviceAccount"), {"email": "a@b.gserviceaccount.com", "scopes": ["https://www.googleapis.com/auth/x"]}]]),
    &[], &[45, 46])]
#[case::account_without_email(json!([[format!("{WORKER}/serviceAccount"), {"email": "", "scopes": ["https://www.googleapis.com/auth/x"]}]]),
    &["Required serviceAccount.email 45", "Invalid serviceAccount.email 46"], &[])]
#[case::email(json!([[format!("{WORKER}/serviceAccount"), {"email": "a", "scopes": ["https://www.googleapis.com/auth/x"]}]]),
    &["Invalid serviceAccount.email 46"], &[45])]
#[case::no_scopes(json!([[format!("{WORKER}/serviceAccount"), {"email": "a@b.gserviceaccount.com", "scopes": []}]]),
    &["Required serviceAccount.scopes 45 46"], &[])]
#[case::scopes(json!([[format!("{WORKER}/serviceAccount"), {"email": "a@b.gserviceaccount.com", "scopes": ["a", "a"]}]]),
    &["Duplicate serviceAccount.scopes[1] 45 46", "Invalid serviceAccount.scopes[0] 46", "Invalid serviceAccount.scopes[1] 46"], &[])]
#[case::empty_scope(json!([[format!("{WORKER}/serviceAccount"), {"email": "a@b.gserviceaccount.com", "scopes": [""]}]]),
    &["Required serviceAccount.scopes[0] 45", "Invalid serviceAccount.scopes[0] 46"], &[])]
#[case::no_capacity(json!([[format!("{WORKER}/nodeTemplate"), {"capacity": {}}]]), &["Required nodeTemplate.capacity 41 42 49"], &[50])]
#[case::part_of_capacity(json!([[format!("{WORKER}/nodeTemplate"), {"capacity": {"cpu": 1, "memory": "1Gi"}}]]),
    &["Required nodeTemplate.capacity 41"], &[42, 50])]
#[case::negative_capacity(json!([[format!("{WORKER}/nodeTemplate"), {"capacity": {"cpu": 1, "gpu": -1, "memory": "1Gi"}}]]),
    &["Invalid nodeTemplate.capacity.gpu 41 50"], &[])]
#[case::platform(json!([[format!("{WORKER}/minCpuPlatform"), "Intel-x"]]), &["Invalid minCpuPlatform 46"], &[45])]
#[case::empty_platform(json!([[format!("{WORKER}/minCpuPlatform"), ""]]), &["Invalid minCpuPlatform 46"], &[45])]
#[case::scratch(scratch(&json!({"volume": {"interface": "NVME"}})), &[], &[45, 46])]
#[case::scratch_without_interface(scratch(&json!({})), &["Required volume.interface 45 46"], &[])]
#[case::unknown_interface(scratch(&json!({"volume": {"interface": "IDE"}})), &["NotSupported volume.interface 45 46"], &[])]
#[case::interface_without_scratch(json!([[format!("{WORKER}/volume"), {"interface": "IDE"}]]),
    &["Invalid volume.interface 45 46", "NotSupported volume.interface 46"], &[])]
#[case::encrypted_scratch(scratch(&json!({"volume": {"interface": "SCSI", "encryption": {"kmsKeyName": "k"}}})),
    &["Invalid volume.encryption 45 46"], &[])]
#[case::data_volume_without_type(json!([[format!("{POOL}/dataVolumes/0/type"), null]]), &["Required dataVolumes[0].type 45 46"], &[])]
#[case::encryption_without_key(json!([[format!("{WORKER}/volume"), {"encryption": {"kmsKeyName": " "}}]]),
    &["Required volume.encryption.kmsKeyName 45 46"], &[])]
#[case::key(json!([[format!("{WORKER}/volume"), {"encryption": {"kmsKeyName": "k:", "kmsKeyServiceAccount": "a"}}]]),
    &["Invalid volume.encryption.kmsKeyName 46", "Invalid volume.encryption.kmsKeyServiceAccount 46"], &[45])]
#[case::other_data_volume(json!([[format!("{WORKER}/dataVolumes"), [{"name": "other"}]]]), &["Invalid dataVolumes 45 46"], &[])]
#[case::data_volume_twice(json!([[format!("{WORKER}/dataVolumes"), [{"name": "data"}, {"name": "data"}]]]), &["Duplicate dataVolumes[1] 45 46"], &[])]
#[case::image(json!([[format!("{WORKER}/dataVolumes"), [{"name": "data", "sourceImage": "A"}]]]), &["Invalid dataVolumes[0].sourceImage 46"], &[45])]
#[case::performance(json!([[format!("{WORKER}/dataVolumes"), [{"name": "data", "provisionedIops": 1, "provisionedThroughput": 1}]]]),
    &["Forbidden dataVolumes[0].provisionedIops 46", "Forbidden dataVolumes[0].provisionedThroughput 46"], &[])]
#[case::data_volumes_without_config(json!([[WORKER, null], [format!("{POOL}/dataVolumes/0/type"), null]]),
    &["Required dataVolumes[0].type 45"], &[46])]
fn workers_of_gcp(#[case] changes: Value, #[case] findings: &[&str], #[case] without: &[u16]) {
    let judge = |minor| judge_gcp(minor, &changes);
    let judge = |minor| {
        let found = judge(minor).into_iter();
        // A data volume of the pool is reported without the pool.
        let found = found.map(|it: String| {
            it.replace(" dataVolumes", " spec.provider.providerConfig.dataVolumes")
        });
        found.collect()
    };
    check_versions(judge, "spec.provider.providerConfig", findings, without);
}

#[rstest]
#[case::ipv6(json!(["IPv6"]), "1.31.4", json!({"enabled": false}), &["Invalid spec.networking.ipFamilies 40 43 51"], &[39])]
#[case::both_before_1_31(json!(["IPv4", "IPv6"]), "1.30.4", json!({"enabled": false}), &["Invalid spec.networking.ipFamilies 42 43 50"], &[39, 51])]
#[case::both(json!(["IPv4", "IPv6"]), "1.31.4", json!({"enabled": false}), &["Invalid spec.networking.ipFamilies 42"], &[39, 43, 51])]
#[case::overlay(json!(["IPv4", "IPv6"]), "1.31.4", json!({"enabled": true}), &["Invalid spec.networking.providerConfig.overlay.enabled 44 47"], &[43])]
fn ip_families_of_gcp(
    #[case] families: Value,
    #[case] kubernetes: &str,
    #[case] overlay: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let changes = json!([["/spec/networking/ipFamilies", families], ["/spec/kubernetes/version", kubernetes],
        ["/spec/networking/providerConfig", {"overlay": overlay}]]);
    check_versions(|minor| judge_gcp(minor, &changes), "", findings, without);
}

fn openstack() -> Value {
    let api = "openstack.provider.extensions.gardener.cloud/v1alpha1";
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.31.4"},
            "networking": {"type": "cilium", "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11",
                "services": "100.64.0.0/13"},
            "provider": {"type": "openstack",
                "infrastructureConfig": {"apiVersion": api, "kind": "InfrastructureConfig",
                    "floatingPoolName": "pool", "networks": {"workers": "10.250.0.0/16"}},
                "controlPlaneConfig": {"apiVersion": api, "kind": "ControlPlaneConfig", "loadBalancerProvider": "haproxy"},
                "workers": [{"name": "pool", "minimum": 1, "maximum": 2, "zones": ["1"],
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                    "volume": {"type": "ssd", "size": "50Gi"},
                    "providerConfig": {"apiVersion": api, "kind": "WorkerConfig"}}]}}})
}

fn openstack_profile() -> Value {
    let config = json!({"apiVersion": "openstack.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "keystoneURL": "https://keystone.example.com/v3", "serverGroupPolicies": ["affinity", "soft-anti-affinity"],
        "constraints": {"floatingPools": [{"name": "pool"}], "loadBalancerProviders": [{"name": "haproxy"}]},
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "image": "i"}]}]});
    profile("openstack", &config)
}

fn judge_openstack(minor: u16, changes: &Value, stored: Option<&Value>) -> Vec<String> {
    let old = stored.map(|it| with(&openstack(), it));
    let shoot = with(old.as_ref().unwrap_or(&openstack()), changes);
    let extension = ("openstack", Some(ExtensionVersion::new(1, minor)));
    judge(extension, "shoots", (&shoot, old.as_ref()), Some(&openstack_profile()))
}

const ROUTER: &str = "/spec/provider/infrastructureConfig/networks/router";
const UUID: &str = "00000000-0000-0000-0000-000000000001";

#[rstest]
#[case::valid(json!([]), &[], &[40, 42, 48, 49, 54, 58])]
#[case::no_pool(json!([[format!("{IC}/floatingPoolName"), ""]]), &["Required floatingPoolName 48 49"], &[])]
#[case::subnet(json!([[format!("{IC}/floatingPoolSubnetName"), "a"]]), &[], &[48, 49])]
#[case::subnet_with_router(json!([[format!("{IC}/floatingPoolSubnetName"), "a"], [ROUTER, {"id": UUID}]]),
    &["Invalid floatingPoolSubnetName 48", "Forbidden router 49"], &[])]
#[case::subnet_with_router_without_id(json!([[format!("{IC}/floatingPoolSubnetName"), "a"], [ROUTER, {"id": ""}]]),
    &["Invalid networks.router.id 48 49", "Forbidden router 49"], &[])]
#[case::syntax_of_subnet(json!([[format!("{IC}/floatingPoolSubnetName"), "{}"]]), &["Invalid floatingPoolSubnetName 49"], &[48])]
#[case::router(json!([[ROUTER, {"id": "r"}]]), &["Invalid networks.router.id 49"], &[48])]
#[case::network(json!([[format!("{IC}/networks/id"), "n"]]), &["Invalid networks.id 48 49"], &[])]
#[case::no_cidr(json!([[format!("{IC}/networks/workers"), ""]]), &["Required networks.workers 48 58"], &[])]
#[case::subnet_pool(json!([[format!("{IC}/networks"), {"subnetPool": {"id": "p", "prefixLength": 24}}]]), &[], &[58])]
#[case::subnet_pool_and_cidr(json!([[format!("{IC}/networks/subnetPool"), {"id": "p", "prefixLength": 24}]]), &["Invalid networks.subnetPool 58"], &[])]
#[case::subnet_pool_without_id(json!([[format!("{IC}/networks"), {"subnetPool": {"id": "", "prefixLength": 33}}]]),
    &["Required networks.subnetPool.id 58", "Invalid networks.subnetPool.prefixLength 58"], &[])]
#[case::ipv6_without_anything(json!([[format!("{IC}/networks/ipv6"), {}]]), &["Required networks.ipv6 58"], &[])]
#[case::ipv6_pool(json!([[format!("{IC}/networks/ipv6"), {"subnetPoolID": "p"}]]), &[], &[58])]
#[case::ipv6_cidrs(json!([[format!("{IC}/networks/ipv6"), {"nodeCIDR": "2001:db8:1::/64", "podCIDR": "2001:db8:2::/64", "serviceCIDR": "2001:db8:3::/64"}]]), &[], &[58])]
#[case::one_ipv6_cidr(json!([[format!("{IC}/networks/ipv6"), {"nodeCIDR": "2001:db8:1::/64"}]]),
    &["Required networks.ipv6.podCIDR 58", "Required networks.ipv6.serviceCIDR 58"], &[])]
#[case::ipv4_as_ipv6(json!([[format!("{IC}/networks/ipv6"), {"nodeCIDR": "10.0.0.0/16", "podCIDR": "2001:db8:2::/64", "serviceCIDR": "2001:db8:3::/64"}]]),
    &["Invalid networks.ipv6.nodeCIDR 58"], &[])]
#[case::ipv6(json!([["/spec/networking/ipFamilies", ["IPv6"]]]), &["Invalid spec.networking.ipFamilies 43 58"], &[42])]
#[case::both(json!([["/spec/networking/ipFamilies", ["IPv4", "IPv6"]]]),
    &["Invalid spec.networking.ipFamilies 43 54", "Required spec.provider.infrastructureConfig 55"], &[42])]
#[case::both_with_pool(json!([["/spec/networking/ipFamilies", ["IPv4", "IPv6"]], [format!("{IC}/networks/ipv6"), {"subnetPoolID": "p"}]]), &[], &[58])]
#[case::no_nodes(json!([["/spec/networking/nodes", null]]), &["Required spec.networking.nodes 40 58"], &[])]
#[case::dns_without_secret(json!([["/spec/dns", {"domain": "a.io", "providers": [{"type": "openstack-designate", "primary": true}]}]]),
    &["Required spec.dns.providers[0].secretName 53", "Required spec.dns.providers[0].credentialsRef 56"], &[52])]
#[case::dns_with_empty_secret(json!([["/spec/dns", {"domain": "a.io", "providers": [{"type": "openstack-designate", "primary": true, "secretName": ""}]}]]),
    &["Required spec.dns.providers[0].secretName 53"], &[52])]
#[case::dns_not_primary(json!([["/spec/dns", {"domain": "a.io", "providers": [{"type": "openstack-designate"}, {"type": "other", "primary": true}]}]]),
    &[], &[53, 58])]
#[case::server_group(json!([[format!("{WORKER}/serverGroup"), {"policy": "affinity"}]]), &[], &[40, 58])]
#[case::server_group_without_policy(json!([[format!("{WORKER}/serverGroup"), {"policy": ""}]]),
    &["Invalid spec.provider.workers[0].providerConfig.serverGroup.policy 40 58"], &[])]
#[case::server_group_of_another_profile(json!([[format!("{WORKER}/serverGroup"), {"policy": "anti-affinity"}]]),
    &["Invalid spec.provider.workers[0].providerConfig.serverGroup.policy 40 58"], &[])]
#[case::affinity_in_two_zones(json!([[format!("{WORKER}/serverGroup"), {"policy": "affinity"}], [format!("{POOL}/zones"), ["1", "2"]]]),
    &["Forbidden spec.provider.workers[0].providerConfig.serverGroup.policy 40 58"], &[])]
#[case::another_policy_in_two_zones(json!([[format!("{WORKER}/serverGroup"), {"policy": "soft-anti-affinity"}], [format!("{POOL}/zones"), ["1", "2"]]]),
    &[], &[40, 58])]
#[case::part_of_capacity(json!([[format!("{WORKER}/nodeTemplate"), {"capacity": {"cpu": 1, "memory": "1Gi"}}]]),
    &["Required spec.provider.workers[0].providerConfig.nodeTemplate.capacity 52"], &[53])]
#[case::labels(json!([[format!("{WORKER}/machineLabels"), [{"name": "a", "value": "b"}, {"name": "a", "value": "c"}]]]),
    &["Duplicate spec.provider.workers[0].providerConfig.machineLabels[1].name 48 49"], &[])]
#[case::syntax_of_labels(json!([[format!("{WORKER}/machineLabels"), [{"name": "{", "value": "}"}]]]),
    &["Invalid spec.provider.workers[0].providerConfig.machineLabels[0].name 49", "Invalid spec.provider.workers[0].providerConfig.machineLabels[0].value 49"], &[48])]
#[case::label_of_pool(json!([[format!("{WORKER}/machineLabels"), [{"name": "a", "value": "b"}]], [format!("{POOL}/labels"), {"a": "c"}]]),
    &["Invalid spec.provider.workers[0].providerConfig.machineLabels[0].name 48 49"], &[])]
#[case::security_groups(json!([[format!("{WORKER}/additionalSecurityGroups"), ["a", "", "a"]]]),
    &["Required spec.provider.workers[0].providerConfig.additionalSecurityGroups[1] 58", "Invalid spec.provider.workers[0].providerConfig.additionalSecurityGroups[2] 58"], &[])]
fn shoots_on_openstack(#[case] changes: Value, #[case] findings: &[&str], #[case] without: &[u16]) {
    let judge = |minor| judge_openstack(minor, &changes, None);
    check_versions(judge, "spec.provider.infrastructureConfig", findings, without);
}

/// Versions before 1.56 take each reference for one to a Secret.
#[rstest]
#[case::taken_for_a_secret(55, &[])]
#[case::unsupported(56, &["Denied "])]
fn workload_identity_on_openstack(#[case] minor: u16, #[case] expected: &[&str]) {
    let named = |name: &str| json!({"name": name, "namespace": "garden-p"});
    let changes = json!([["/spec/credentialsBindingName", "b"]]);
    let shoot = with(&openstack(), &changes);
    let binding = json!({"metadata": named("b"), "provider": {"type": "openstack"}, "credentialsRef": {
        "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "c", "namespace": "garden-p"}});
    let others = [
        (Kind::CloudProfile, &openstack_profile()),
        (Kind::CredentialsBinding, &binding),
        (Kind::Secret, &json!({"metadata": named("c")})),
    ];
    let extension = ("openstack", Some(ExtensionVersion::new(1, minor)));
    let found = judge_beside(extension, "shoots", (&shoot, None), &others);
    assert_eq!(found, expected);
}

#[rstest]
#[case::nothing(json!([]), json!([["/spec/region", "eu"]]), &[], &[54, 55])]
#[case::network(json!([]), json!([[format!("{IC}/networks/id"), UUID]]), &["Invalid networks 54", "Invalid networks.id 55"], &[])]
#[case::network_and_router(json!([[ROUTER, {"id": UUID}]]), json!([[ROUTER, null], [format!("{IC}/networks/id"), UUID]]),
    &["Invalid networks 54", "Invalid networks.id 55", "Invalid networks.router 55"], &[])]
#[case::share_network_enabled(json!([]), json!([[format!("{IC}/networks/shareNetwork"), {"enabled": true}]]), &[], &[42, 54, 55])]
#[case::share_network_disabled(json!([[format!("{IC}/networks/shareNetwork"), {"enabled": true}]]), json!([[format!("{IC}/networks/shareNetwork"), {"enabled": false}]]),
    &["Invalid networks 43 54", "Invalid networks.shareNetwork 55"], &[42])]
#[case::pools(json!([]), json!([[format!("{IC}/floatingPoolSubnetName"), "a"]]), &["Invalid floatingPoolSubnetName 54 55"], &[])]
fn updates_of_shoots_on_openstack(
    #[case] stored: Value,
    #[case] changes: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let judge = |minor| judge_openstack(minor, &changes, Some(&stored));
    check_versions(judge, "spec.provider.infrastructureConfig", findings, without);
}

fn aws() -> Value {
    let api = "aws.provider.extensions.gardener.cloud/v1alpha1";
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.31.4"},
            "networking": {"type": "calico", "nodes": "10.250.0.0/16", "pods": "100.96.0.0/11",
                "services": "100.64.0.0/13"},
            "provider": {"type": "aws",
                "infrastructureConfig": {"apiVersion": api, "kind": "InfrastructureConfig", "networks": {
                    "vpc": {"cidr": "10.250.0.0/16"}, "zones": [
                        {"name": "1", "workers": "10.250.0.0/19", "public": "10.250.96.0/22", "internal": "10.250.112.0/22"}]}},
                "workers": [{"name": "pool", "minimum": 1, "maximum": 2, "zones": ["1"],
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                    "volume": {"type": "gp3", "size": "50Gi"},
                    "dataVolumes": [{"name": "data", "type": "gp3", "size": "50Gi"}],
                    "providerConfig": {"apiVersion": api, "kind": "WorkerConfig"}}]}}})
}

fn judge_aws(minor: u16, changes: &Value) -> Vec<String> {
    let config = json!({"apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "regions": [{"name": "eu", "ami": "ami-1"}]}]}]});
    let mut profile = profile("aws", &config);
    profile["spec"]["machineTypes"] = json!([{"name": "m", "architecture": "amd64"}]);
    profile["spec"]["machineImages"] =
        json!([{"name": "i", "versions": [{"version": "1.0.0", "architectures": ["amd64"]}]}]);
    let shoot = with(&aws(), changes);
    let extension = ("aws", Some(ExtensionVersion::new(1, minor)));
    judge(extension, "shoots", (&shoot, None), Some(&profile))
}

const NETWORKS: &str = "/spec/provider/infrastructureConfig/networks";
const VPC: &str = "vpc-0123456789abcdef0";

/// The changes of a Shoot with existing subnets in zones.
fn subnets(zones: &[Value]) -> Value {
    let mut number = 0;
    let zones = zones.iter().map(|zone| {
        number += 1;
        let mut object = json!({"name": format!("{number}"), "workersSubnetID": format!("subnet-0000000{number}")});
        object.as_object_mut().unwrap().extend(zone.as_object().unwrap().clone());
        object
    });
    json!([[NETWORKS, {"vpc": {"id": VPC}, "zones": zones.collect::<Vec<_>>()}]])
}

#[rstest]
#[case::valid(json!([]), &[], &[55, 63, 64, 74])]
#[case::elastic_ip(json!([[format!("{NETWORKS}/zones/0/elasticIPAllocationID"), "eipalloc-0123456789abcdef0"]]), &[], &[63, 74])]
#[case::syntax_of_elastic_ip(json!([[format!("{NETWORKS}/zones/0/elasticIPAllocationID"), "a"]]), &["Invalid networks.zones[0].elasticIPAllocationID 64"], &[63])]
#[case::elastic_ip_without_public(json!([[format!("{NETWORKS}/zones/0/elasticIPAllocationID"), "eipalloc-0123456789abcdef0"], [format!("{NETWORKS}/zones/0/public"), null]]),
    &["Forbidden networks.zones[0].elasticIPAllocationID 74"], &[])]
#[case::elastic_ip_twice(json!([
    [format!("{NETWORKS}/zones/0/elasticIPAllocationID"), "eipalloc-0123456789abcdef0"],
    [format!("{NETWORKS}/zones/-"), {"name": "2", "workers": "10.250.32.0/19", "public": "10.250.100.0/22", "elasticIPAllocationID": "eipalloc-0123456789abcdef0"}]]),
    &["Duplicate networks.zones[1].elasticIPAllocationID 74"], &[])]
#[case::subnet(subnets(&[json!({})]), &[], &[74])]
#[case::subnets(subnets(&[json!({"publicSubnetID": "subnet-00000011", "internalSubnetID": "subnet-00000012"}),
    json!({"publicSubnetID": "subnet-00000021", "internalSubnetID": "subnet-00000022"})]), &[], &[74])]
#[case::subnets_of_one_zone(subnets(&[json!({"publicSubnetID": "subnet-00000011", "internalSubnetID": "subnet-00000012"}), json!({})]),
    &["Required networks.zones[1].publicSubnetID 74", "Required networks.zones[1].internalSubnetID 74"], &[])]
#[case::syntax_of_subnet(subnets(&[json!({"workersSubnetID": "a"})]), &["Invalid networks.zones[0].workersSubnetID 74"], &[])]
#[case::subnet_twice(subnets(&[json!({}), json!({"workersSubnetID": "subnet-00000001"})]), &["Duplicate networks.zones[1].workersSubnetID 74"], &[])]
#[case::public_subnet_is_internal(subnets(&[json!({"publicSubnetID": "subnet-00000011", "internalSubnetID": "subnet-00000011"})]),
    &["Duplicate networks.zones[0].internalSubnetID 74", "Invalid networks.zones[0].internalSubnetID 74"], &[])]
#[case::subnet_and_cidr(subnets(&[json!({"workers": "10.250.0.0/19"})]),
    &["Invalid networks.zones[0].workers 74", "Forbidden networks.zones 74"], &[])]
#[case::subnet_and_other_cidrs(subnets(&[json!({"public": "10.250.96.0/22", "internal": "10.250.112.0/22"})]),
    &["Forbidden networks.zones[0].public 74", "Forbidden networks.zones[0].internal 74"], &[])]
#[case::public_subnet_without_subnet(json!([[format!("{NETWORKS}/zones/0/publicSubnetID"), "subnet-00000011"]]),
    &["Forbidden networks.zones[0].publicSubnetID 74"], &[])]
#[case::subnet_without_network(json!([[format!("{NETWORKS}/zones"), [{"name": "1", "workersSubnetID": "subnet-00000001"}]]]),
    &["Forbidden networks.zones[0].workersSubnetID 74"], &[])]
#[case::no_subnets_of_nodes(json!([[format!("{NETWORKS}/zones"), [{"name": "1"}]]]),
    &["Required networks.zones[0] 74", "Required networks.zones 74"], &[])]
#[case::endpoints_with_subnets(json!([[NETWORKS, {"vpc": {"id": VPC, "gatewayEndpoints": ["s3"]}, "zones": [{"name": "1", "workersSubnetID": "subnet-00000001"}]}]]),
    &["Forbidden networks.vpc.gatewayEndpoints 74"], &[])]
#[case::endpoint(json!([[format!("{NETWORKS}/vpc/gatewayEndpoints"), ["s3", "S3"]]]), &["Invalid networks.vpc.gatewayEndpoints[1] 74"], &[])]
#[case::security_group(json!([[NETWORKS, {"vpc": {"id": VPC}, "nodesSecurityGroupID": "sg-0123456789abcdef0", "zones": [{"name": "1", "workersSubnetID": "subnet-00000001"}]}]]),
    &[], &[74])]
#[case::security_group_without_network(json!([[format!("{NETWORKS}/nodesSecurityGroupID"), "sg-0123456789abcdef0"]]),
    &["Forbidden networks.nodesSecurityGroupID 74"], &[])]
#[case::file_system_without_id(json!([[NETWORKS, {"vpc": {"id": VPC}, "zones": [{"name": "1", "workersSubnetID": "subnet-00000001"}]}],
    [format!("{IC}/elasticFileSystem"), {"enabled": true}]]), &["Required elasticFileSystem.id 74"], &[])]
#[case::file_system_off(json!([[NETWORKS, {"vpc": {"id": VPC}, "zones": [{"name": "1", "workersSubnetID": "subnet-00000001"}]}],
    [format!("{IC}/elasticFileSystem"), {"enabled": false}]]), &[], &[74])]
#[case::file_system_of_new_subnets(json!([[format!("{IC}/elasticFileSystem"), {"enabled": true}]]), &[], &[74])]
#[case::network_twice(json!([[format!("{NETWORKS}/vpc/id"), VPC]]), &["Invalid networks.vpc 63 74"], &[])]
#[case::no_network(json!([[format!("{NETWORKS}/vpc"), {}]]), &["Invalid networks.vpc 63 74"], &[])]
#[case::syntax_of_network(json!([[format!("{NETWORKS}/vpc"), {"id": "a"}]]), &["Invalid networks.vpc.id 64"], &[63])]
#[case::ignored_tags(json!([[format!("{IC}/ignoreTags"), {"keys": ["a"], "keyPrefixes": ["b"]}]]), &[], &[63, 74])]
#[case::reserved_tags(json!([[format!("{IC}/ignoreTags"), {"keys": ["Name", "kubernetes.io/x", "Names"], "keyPrefixes": ["Na", "gardener", "gardener.cloud/x", "Names"]}]]),
    &["Invalid ignoreTags.keys[0] 63 74", "Invalid ignoreTags.keys[1] 63 74", "Invalid ignoreTags.keyPrefixes[0] 63 74",
        "Invalid ignoreTags.keyPrefixes[1] 63 74", "Invalid ignoreTags.keyPrefixes[2] 63 74"], &[])]
#[case::syntax_of_tags(json!([[format!("{IC}/ignoreTags"), {"keys": ["a{"], "keyPrefixes": ["b{"]}]]),
    &["Invalid ignoreTags.keys[0] 64", "Invalid ignoreTags.keyPrefixes[0] 64"], &[63])]
fn infrastructure_of_aws(
    #[case] changes: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    check_versions(|minor| judge_aws(minor, &changes), "", findings, without);
}

#[rstest]
#[case::io1(json!({"volume": {"iops": 100}}), json!({"volume": {"type": "io1", "size": "50Gi"}}), &[])]
#[case::io1_without_iops(json!({"volume": {}}), json!({"volume": {"type": "io1", "size": "50Gi"}}), &["Required volume.iops"])]
#[case::no_iops(json!({"volume": {"iops": 0}}), json!({}), &["Forbidden volume.iops"])]
#[case::no_throughput(json!({"volume": {"throughput": 0}}), json!({}), &["Invalid volume.throughput"])]
#[case::data_volume(json!({"dataVolumes": [{"name": "data", "iops": 0}]}), json!({}), &["Forbidden dataVolumes[0].iops"])]
#[case::data_volume_twice(json!({"dataVolumes": [{"name": "data"}, {"name": "data"}]}), json!({}), &["Duplicate dataVolumes[1].name"])]
#[case::other_data_volume(json!({"dataVolumes": [{"name": "other"}]}), json!({}), &["Invalid dataVolumes[0].name"])]
#[case::snapshot(json!({"dataVolumes": [{"name": "data", "snapshotID": "a"}]}), json!({}), &["Invalid dataVolumes[0].snapshotID"])]
#[case::profile(json!({"iamInstanceProfile": {"name": "p"}}), json!({}), &[])]
#[case::no_profile(json!({"iamInstanceProfile": {}}), json!({}), &["Invalid iamInstanceProfile"])]
#[case::arn(json!({"iamInstanceProfile": {"arn": "a"}}), json!({}), &["Invalid iamInstanceProfile.arn"])]
#[case::capacity(json!({"nodeTemplate": {"capacity": {"cpu": -1}, "virtualCapacity": {"a.io/b": "1m"}}}), json!({}),
    &["Invalid nodeTemplate.capacity.cpu", "Invalid nodeTemplate.virtualCapacity.a.io/b"])]
#[case::reservation(json!({"capacityReservation": {"capacityReservationPreference": "open"}}), json!({}), &[])]
#[case::preference(json!({"capacityReservation": {"capacityReservationPreference": "all"}}), json!({}),
    &["NotSupported capacityReservation.capacityReservationPreference"])]
#[case::preference_with_id(json!({"capacityReservation": {"capacityReservationPreference": "open", "capacityReservationId": "cr-0123456789abcdef0"}}), json!({}),
    &["Forbidden capacityReservation.capacityReservationPreference"])]
#[case::only_reservations(json!({"capacityReservation": {"capacityReservationPreference": "capacity-reservations-only", "capacityReservationId": "cr-0123456789abcdef0"}}),
    json!({}), &[])]
#[case::tokens(json!({"instanceMetadataOptions": {"httpTokens": "none", "httpPutResponseHopLimit": 65}}), json!({}),
    &["Invalid instanceMetadataOptions.httpPutResponseHopLimit", "Invalid instanceMetadataOptions.httpTokens"])]
#[case::hops(json!({"instanceMetadataOptions": {"httpTokens": "required", "httpPutResponseHopLimit": 64}}), json!({}), &[])]
#[case::cores(json!({"cpuOptions": {"coreCount": 1}}), json!({}), &["Required cpuOptions.threadsPerCore"])]
#[case::threads(json!({"cpuOptions": {"threadsPerCore": 1}}), json!({}), &["Required cpuOptions.coreCount"])]
#[case::three_threads(json!({"cpuOptions": {"coreCount": 1, "threadsPerCore": 3}}), json!({}), &["Invalid cpuOptions.threadsPerCore"])]
#[case::snp(json!({"cpuOptions": {"amdSevSnp": "on"}}), json!({}), &["NotSupported cpuOptions.amdSevSnp"])]
#[case::interface(json!({"networkInterfaces": [{"type": "efa-only", "networkCardIndex": 1}, {"type": "efa-only", "networkCardIndex": 0, "deviceIndex": 1},
    {"type": "efa-only", "networkCardIndexRange": {"from": 1, "to": 3}}]}), json!({}), &[])]
#[case::interface_type(json!({"networkInterfaces": [{"type": "e"}]}), json!({}), &["NotSupported networkInterfaces[0].type"])]
#[case::primary_interface(json!({"networkInterfaces": [{"type": "efa-only"}, {"type": "efa-only", "networkCardIndex": 0, "deviceIndex": 0}]}), json!({}),
    &["Invalid networkInterfaces[0].type", "Invalid networkInterfaces[1].type"])]
#[case::primary_interface_by_range(json!({"networkInterfaces": [{"type": "efa-only", "networkCardIndexRange": {"from": 0, "to": 3}}]}), json!({}),
    &["Invalid networkInterfaces[0].type"])]
#[case::index_and_range(json!({"networkInterfaces": [{"networkCardIndex": 1, "networkCardIndexRange": {"from": 1, "to": 1}}]}), json!({}),
    &["Invalid networkInterfaces[0]"])]
#[case::ranges(json!({"networkInterfaces": [{"networkCardIndexRange": {"from": -1, "to": 2_147_483_648_i64}}, {"networkCardIndexRange": {"from": 2, "to": 1}}]}), json!({}),
    &["Invalid networkInterfaces[0].networkCardIndexRange.from", "Invalid networkInterfaces[0].networkCardIndexRange.to",
        "Invalid networkInterfaces[1].networkCardIndexRange"])]
#[case::largest_index_of_range(json!({"networkInterfaces": [{"type": "efa-only", "networkCardIndexRange": {"from": 1, "to": 2_147_483_647}}]}), json!({}), &[])]
#[case::indexes(json!({"networkInterfaces": [{"networkCardIndex": -1, "deviceIndex": 2_147_483_648_i64}]}), json!({}),
    &["Invalid networkInterfaces[0].deviceIndex", "Invalid networkInterfaces[0].networkCardIndex"])]
#[case::placement(json!({"placement": {"tenancy": "host", "hostId": "h", "affinity": "host", "partitionNumber": 1}}), json!({}), &[])]
#[case::placement_without_host(json!({"placement": {"tenancy": "default", "hostId": "h"}}), json!({}), &["Forbidden placement.hostId"])]
#[case::wrong_placement(json!({"placement": {"tenancy": "x", "affinity": "y", "partitionNumber": 0}}), json!({}),
    &["Invalid placement.partitionNumber", "NotSupported placement.affinity", "NotSupported placement.tenancy"])]
#[case::market(json!({"instanceMarketOptions": {"marketType": "spot"}}), json!({}), &[])]
#[case::no_market(json!({"instanceMarketOptions": {"marketType": ""}}), json!({}), &["NotSupported instanceMarketOptions.marketType"])]
fn worker_config_of_aws(#[case] fields: Value, #[case] pool: Value, #[case] expected: &[&str]) {
    let mut config = aws().pointer(WORKER).unwrap().clone();
    config.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let mut changes = vec![json!([WORKER, config])];
    for (field, value) in pool.as_object().unwrap() {
        changes.push(json!([format!("{POOL}/{field}"), value]));
    }
    let expected: Vec<String> = expected.iter().map(|it| of_worker(it)).collect();
    assert_eq!(judge_aws(74, &changes.into()), expected);
}

#[rstest]
#[case::io1(json!([[format!("{POOL}/volume/type"), "io1"]]), &["Required providerConfig"])]
#[case::io1_as_data_volume(json!([[format!("{POOL}/dataVolumes/0/type"), "io1"]]), &["Required providerConfig"])]
#[case::no_volume(json!([[format!("{POOL}/volume"), null]]), &["Required volume"])]
#[case::no_size(json!([[format!("{POOL}/volume/size"), ""]]), &["Required volume.size"])]
#[case::no_type(json!([[format!("{POOL}/volume/type"), null]]), &["Required volume.type"])]
#[case::data_volume_without_type(json!([[format!("{POOL}/dataVolumes/0/type"), null]]), &["Required dataVolumes[0].type"])]
#[case::no_zones(json!([[format!("{POOL}/zones"), []]]), &["Required zones"])]
#[case::other_zone(json!([[format!("{POOL}/zones"), ["1", "2"]]]), &["Invalid zones[1]"])]
#[case::eleven_data_volumes(json!([[format!("{POOL}/dataVolumes"), (0..11).map(|it| json!({"name": format!("d{it}"), "type": "gp3", "size": "1Gi"})).collect::<Vec<_>>()]]), &[])]
#[case::twelve_data_volumes(json!([[format!("{POOL}/dataVolumes"), (0..12).map(|it| json!({"name": format!("d{it}"), "type": "gp3", "size": "1Gi"})).collect::<Vec<_>>()]]),
    &["TooMany dataVolumes"])]
fn pools_of_aws(#[case] changes: Value, #[case] expected: &[&str]) {
    let mut changes = changes;
    changes.as_array_mut().unwrap().push(json!([WORKER, null]));
    let expected = expected.iter().map(|it| it.replacen(' ', " spec.provider.workers[0].", 1));
    assert_eq!(judge_aws(74, &changes), expected.collect::<Vec<_>>());
}

/// The mutating webhooks of providers refuse a configuration of the network that is not an object.
#[rstest]
#[case::aws(74, judge_aws)]
#[case::azure(54, judge_azure)]
#[case::gcp(54, judge_gcp)]
#[case::openstack(54, |minor, changes: &Value| judge_openstack(minor, changes, None))]
fn network_that_is_not_an_object(
    #[case] minor: u16,
    #[case] judge: fn(u16, &Value) -> Vec<String>,
) {
    let changes = json!([["/spec/networking/providerConfig", ["x"]]]);
    let found = judge(minor, &changes);
    assert_eq!(found.first().map(String::as_str), Some("Decode "));
}

#[rstest]
#[case::unknown_field_of_the_stored_one(json!([[format!("{IC}/unknown"), 1]]), &[])]
#[case::no_stored_one(json!([[IC, null]]), &["InternalError spec.provider.infrastructureConfig"])]
#[case::undecodable_stored_one(json!([[format!("{IC}/zoned"), "x"]]), &["Forbidden spec.provider.infrastructureConfig"])]
fn stored_configurations_are_decoded_leniently(#[case] stored: Value, #[case] expected: &[&str]) {
    let old = with(&azure(), &stored);
    let extension = ("azure", Some(ExtensionVersion::new(1, 62)));
    let profile = profile("azure", &json!(null));
    let found = judge(extension, "shoots", (&azure(), Some(&old)), Some(&profile));
    assert_eq!(found, expected);
}

#[rstest]
#[case::valid(json!({}), &[])]
#[case::servers(json!({"dnsServers": ["10.0.0.53", "dns.io"]}), &["Invalid dnsServers[1]"])]
#[case::domain(json!({"dhcpDomain": ""}), &["Required dhcpDomain"])]
#[case::policies(json!({"serverGroupPolicies": ["affinity", ""]}), &["Required serverGroupPolicies[1]"])]
#[case::no_url(json!({"keystoneURL": ""}), &["Required keyStoneURL"])]
#[case::urls(json!({"keystoneURL": "", "keystoneURLs": [{"region": "a", "url": "https://a.io"}, {"region": "b", "url": "https://b.io"}]}), &[])]
#[case::certificate(json!({"keystoneCACert": "x"}), &["Invalid caCert"])]
#[case::empty_certificate(json!({"keystoneCACert": ""}), &[])]
#[case::urls_without_anything(json!({"keystoneURLs": [{"region": "", "url": "", "caCert": "x"}]}),
    &["Invalid keyStoneURLs[0].caCert", "Required keyStoneURLs[0].region", "Required keyStoneURLs[0].url"])]
#[case::region_twice(json!({"keystoneURLs": [{"region": "a", "url": "https://a.io"}, {"region": "a", "url": "https://b.io"}]}),
    &["Duplicate keyStoneURLs[1].region"])]
fn cloud_profiles_of_openstack(#[case] fields: Value, #[case] expected: &[&str]) {
    let mut config = json!({"apiVersion": "openstack.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "keystoneURL": "https://keystone.example.com/v3",
        "constraints": {"floatingPools": [{"name": "pool"}], "loadBalancerProviders": [{"name": "haproxy"}]},
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "image": "i"}]}]});
    config.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let mut object = profile("openstack", &config);
    object["spec"]["machineImages"] =
        json!([{"name": "i", "versions": [{"version": "1.0.0", "architectures": ["amd64"]}]}]);
    let extension = ("openstack", Some(ExtensionVersion::new(1, 58)));
    let found = judge(extension, "cloudprofiles", (&object, None), None);
    let expected = expected.iter().map(|it| it.replacen(' ', " spec.providerConfig.", 1));
    assert_eq!(found, expected.collect::<Vec<_>>());
}

#[rstest]
#[case::own_architecture(json!({"regions": [{"name": "eu", "ami": "ami-1", "architecture": "amd64"}]}), false)]
#[case::other_architecture(json!({"regions": [{"name": "eu", "ami": "ami-1", "architecture": "arm64"}]}), true)]
#[case::other_region(json!({"regions": [{"name": "us", "ami": "ami-1", "architecture": "amd64"}]}), true)]
fn images_of_aws_by_architecture(#[case] mapped: Value, #[case] is_refused: bool) {
    let mut version = json!({"version": "1.0.0"});
    version["regions"] = mapped["regions"].clone();
    let config = json!({"apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "machineImages": [{"name": "i", "versions": [version]}]});
    let mut profile = profile("aws", &config);
    profile["spec"]["machineTypes"] = json!([{"name": "m", "architecture": "amd64"}]);
    profile["spec"]["machineImages"] =
        json!([{"name": "i", "versions": [{"version": "1.0.0", "architectures": ["amd64"]}]}]);
    let extension = ("aws", Some(ExtensionVersion::new(1, 74)));
    let found = judge(extension, "shoots", (&aws(), None), Some(&profile));
    let expected = vec!["Invalid spec.provider.workers[0].machine.image"; usize::from(is_refused)];
    assert_eq!(found, expected);
}

#[rstest]
#[case::same(json!({}), json!({}), false)]
#[case::gateway(json!({}), json!({"natGateway": {"enabled": true}}), true)]
#[case::empty_addresses(json!({"natGateway": {"enabled": true, "ipAddresses": []}}), json!({"natGateway": {"enabled": true}}), false)]
fn zones_on_azure_stay_with_a_pool_updated_in_place(
    #[case] old: Value,
    #[case] new: Value,
    #[case] is_refused: bool,
) {
    let [old, new] = [old, new].map(|zone| {
        let mut object = with(&azure(), &zones(&zone));
        let strategy = format!("{POOL}/updateStrategy");
        set(&mut object, &strategy, json!("AutoInPlaceUpdate"));
        object
    });
    let profile = profile("azure", &json!(null));
    let extension = ("azure", Some(ExtensionVersion::new(1, 62)));
    let found = judge(extension, "shoots", (&new, Some(&old)), Some(&profile));
    let is_found = found.iter().any(|it| it.ends_with("infrastructureConfig.networks.zones"));
    assert_eq!(is_found, is_refused, "{found:?}");
}

/// `admission-openstack` compares pointers to zones, and then needs credentials.
#[rstest]
#[case::zone(json!([["/spec/provider/controlPlaneConfig/zone", "1"]]), &["Panic "])]
#[case::no_zone(json!([]), &[])]
fn openstack_panics_without_binding(#[case] stored: Value, #[case] expected: &[&str]) {
    let changes = json!([[format!("{POOL}/maximum"), 3]]);
    assert_eq!(judge_openstack(58, &changes, Some(&stored)), expected);
}

/// Returns the findings of a CloudProfile with these images, and images of the provider.
fn judge_images(provider: &'static str, minor: u16, spec: &Value, images: &Value) -> Vec<String> {
    let api = format!("{provider}.provider.extensions.gardener.cloud/v1alpha1");
    let mut config =
        json!({"apiVersion": api, "kind": "CloudProfileConfig", "machineImages": images});
    if provider == "openstack" {
        config["keystoneURL"] = json!("https://keystone.example.com/v3");
        config["constraints"] = json!({"floatingPools": [{"name": "pool"}], "loadBalancerProviders": [{"name": "haproxy"}]});
    }
    if provider == "azure" {
        for field in ["countFaultDomains", "countUpdateDomains"] {
            config[field] = json!([{"region": "eu", "count": 1}]);
        }
    }
    let mut object = profile(provider, &config);
    for (field, value) in spec.as_object().unwrap() {
        object["spec"][field] = value.clone();
    }
    let extension = (provider, Some(ExtensionVersion::new(1, minor)));
    judge(extension, "cloudprofiles", (&object, None), None)
}

/// Components that do not know capabilities skip only profiles that define them.
#[rstest]
#[case::alicloud("alicloud", 71, json!({"regions": [{"name": "eu", "id": "m-1"}]}))]
#[case::openstack("openstack", 54, json!({"image": "i"}))]
fn images_of_profiles_without_capabilities_are_judged(
    #[case] provider: &'static str,
    #[case] minor: u16,
    #[case] mapped: Value,
) {
    let spec = json!({"machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "architectures": ["amd64"]}]}]});
    let mut version = mapped;
    version["version"] = json!("1.0.0");
    let mut images = json!([{"name": "i", "versions": [version]}]);
    assert_eq!(judge_images(provider, minor, &spec, &images), [""; 0]);
    images.as_array_mut().unwrap().push(json!({}));
    let found = judge_images(provider, minor, &spec, &images);
    let expected = "Required spec.providerConfig.machineImages[1].name";
    assert!(found.iter().any(|it| it == expected), "{found:?}");
}

#[rstest]
#[case::before_mappings_are_compared(49, false)]
#[case::mappings_are_compared(50, true)]
fn unmapped_image_on_azure(#[case] minor: u16, #[case] is_refused: bool) {
    let spec = json!({"machineImages": [{"name": "i", "versions": [
        {"version": "1.0.0", "architectures": ["amd64"]}, {"version": "2.0.0", "architectures": ["amd64"]}]}]});
    let images = json!([{"name": "i", "versions": [{"version": "1.0.0", "urn": "a:b:c:d"}]}]);
    let found = judge_images("azure", minor, &spec, &images);
    assert_eq!(!found.is_empty(), is_refused, "{found:?}");
}

#[rstest]
#[case::before_capabilities_are_judged(59, false)]
#[case::capabilities_are_judged(60, true)]
fn image_without_version_on_azure_with_capabilities(#[case] minor: u16, #[case] is_refused: bool) {
    let spec = json!({"machineCapabilities": [{"name": "architecture", "values": ["amd64"]}],
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0"}]}]});
    let images = json!([{"name": "i", "versions": [{"version": "", "urn": "a:b:c:d"}]}]);
    let found = judge_images("azure", minor, &spec, &images);
    assert_eq!(!found.is_empty(), is_refused, "{found:?}");
}

#[test]
fn unmapped_version_of_a_namespaced_profile_with_capabilities_on_openstack() {
    let api = "openstack.provider.extensions.gardener.cloud/v1alpha1";
    let config = json!({"apiVersion": api, "kind": "CloudProfileConfig",
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "image": "i"}]}]});
    let mut parent = profile("openstack", &config);
    parent["spec"]["machineCapabilities"] = json!([{"name": "architecture", "values": ["amd64"]}]);
    parent["spec"]["machineImages"] = json!([{"name": "i", "versions": [{"version": "1.0.0"}]}]);
    let object = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "NamespacedCloudProfile",
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "c"},
            "machineImages": [{"name": "i", "versions": [{"version": "2.0.0"}]}],
            "providerConfig": {"apiVersion": api, "kind": "CloudProfileConfig", "machineImages": []}}});
    let extension = ("openstack", Some(ExtensionVersion::new(1, 58)));
    let plural = "namespacedcloudprofiles";
    let found = judge(extension, plural, (&object, None), Some(&parent));
    let expected = "Required spec.providerConfig.machineImages";
    assert!(found.iter().any(|it| it == expected), "{found:?}");
}

#[rstest]
#[case::valid(json!({"backend": "bird"}), &[], &[49, 50])]
#[case::backend(json!({"backend": "x"}), &["Invalid backend 50"], &[49])]
#[case::mode(json!({"ipv4": {"pool": "ipip", "mode": "Off"}}), &[], &[50])]
#[case::mode_of_vxlan(json!({"ipv4": {"pool": "vxlan", "mode": "Always"}}), &[], &[50])]
#[case::other_mode_of_vxlan(json!({"ipv4": {"pool": "vxlan", "mode": "Off"}}), &["Invalid ipv4.mode 50"], &[49])]
fn network_of_calico(#[case] fields: Value, #[case] findings: &[&str], #[case] without: &[u16]) {
    let mut config = json!({"apiVersion": "calico.networking.extensions.gardener.cloud/v1alpha1", "kind": "NetworkConfig"});
    config.as_object_mut().unwrap().extend(fields.as_object().unwrap().clone());
    let shoot = with(&gcp(), &json!([["/spec/networking/providerConfig", config]]));
    let judge = |minor| {
        let extension = ("calico", Some(ExtensionVersion::new(1, minor)));
        judge(extension, "shoots", (&shoot, None), None)
    };
    check_versions(judge, "spec.networking.providerConfig", findings, without);
}

/// Each row has changes of the stored Shoot, and further ones.
#[rstest]
#[case::nothing(json!([]), json!([]), &[], &[53, 54])]
#[case::workers(json!([]), json!([[format!("{IC}/networks/workers"), "10.250.0.0/20"]]),
    &["Invalid metadata.networks.workers 53", "Invalid networks.workers 54"], &[])]
#[case::identity_with_pool_updated_in_place(json!([[format!("{POOL}/updateStrategy"), "AutoInPlaceUpdate"]]),
    json!([[format!("{IC}/identity"), {"name": "my-identity", "resourceGroup": "group"}]]), &["Invalid identity 54"], &[53])]
#[case::no_longer_half_of_a_network(json!([[format!("{IC}/networks/vnet"), {"name": "vnet"}]]),
    json!([[format!("{IC}/networks/vnet"), {"cidr": "10.250.0.0/16"}]]), &[], &[54, 63])]
fn updates_of_infrastructure_on_azure(
    #[case] stored: Value,
    #[case] changes: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let judge = |minor| update_azure(minor, &stored, &changes);
    check_versions(judge, "spec.provider.infrastructureConfig", findings, without);
}

/// Judges an update of a Shoot on Azure by provider-azure 1.`minor`.
fn update_azure(minor: u16, stored: &Value, changes: &Value) -> Vec<String> {
    let old = with(&azure(), stored);
    let new = with(&old, changes);
    let extension = ("azure", Some(ExtensionVersion::new(1, minor)));
    let profile = profile("azure", &json!(null));
    judge(extension, "shoots", (&new, Some(&old)), Some(&profile))
}

/// `admission-azure` dereferences the stored CIDR of the workers.
#[test]
fn azure_panics_at_zones_of_a_shoot_without_subnet() {
    let stored = json!([[format!("{IC}/networks/workers"), null]]);
    let found = update_azure(62, &stored, &zones(&json!({})));
    assert_eq!(found, ["Panic "]);
}

#[rstest]
#[case::vpc(json!([[format!("{NETWORKS}/vpc"), {"name": "vpc", "cloudRouter": {"name": "router"}}]]), &[], &[45, 46])]
#[case::syntax_of_vpc(json!([[format!("{NETWORKS}/vpc"), {"name": "VPC", "cloudRouter": {"name": "Router"}}]]),
    &["Invalid vpc.cloudRouter.name 46", "Invalid vpc.name 46"], &[45])]
#[case::flow_logs(json!([[format!("{NETWORKS}/flowLogs"), {"aggregationInterval": "INTERVAL_5_MIN", "metadata": "INCLUDE_ALL_METADATA"}]]), &[], &[45, 46])]
#[case::later_flow_logs(json!([[format!("{NETWORKS}/flowLogs"), {"aggregationInterval": "INTERVAL_10_MIN", "metadata": "EXCLUDE_ALL_METADATA"}]]),
    &["NotSupported flowLogs.aggregationInterval 45", "NotSupported flowLogs.metadata 45"], &[46])]
fn infrastructure_of_gcp(
    #[case] changes: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let prefix = "spec.provider.infrastructureConfig.networks";
    check_versions(|minor| judge_gcp(minor, &changes), prefix, findings, without);
}

#[rstest]
#[case::internal_added(json!([]), json!([[format!("{NETWORKS}/internal"), "10.251.0.0/16"]]), &["Invalid internal 44"], &[45])]
#[case::internal_changed(json!([[format!("{NETWORKS}/internal"), "10.252.0.0/16"]]), json!([[format!("{NETWORKS}/internal"), "10.251.0.0/16"]]),
    &["Invalid internal 44 45"], &[])]
#[case::internal_kept(json!([[format!("{NETWORKS}/internal"), "10.251.0.0/16"]]), json!([[format!("{POOL}/maximum"), 3]]), &[], &[44, 45])]
#[case::internal_kept_with_other_changes(json!([[format!("{NETWORKS}/internal"), "10.251.0.0/16"]]),
    json!([[format!("{NETWORKS}/flowLogs"), {"flowSampling": 0.5}]]), &[], &[44, 45])]
fn internal_network_of_gcp_with_vpc(
    #[case] stored: Value,
    #[case] changes: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let vpc =
        json!([[format!("{NETWORKS}/vpc"), {"name": "vpc", "cloudRouter": {"name": "router"}}]]);
    let old = with(&with(&gcp(), &vpc), &stored);
    let new = with(&old, &changes);
    let config = json!({"apiVersion": "gcp.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "image": "projects/p/global/images/i"}]}]});
    let profile = profile("gcp", &config);
    let judge = |minor| {
        let extension = ("gcp", Some(ExtensionVersion::new(1, minor)));
        judge(extension, "shoots", (&new, Some(&old)), Some(&profile))
    };
    let prefix = "spec.provider.infrastructureConfig.networks";
    check_versions(judge, prefix, findings, without);
}

/// Components judge backups since these versions.
#[rstest]
#[case::alicloud("alicloud", 65)]
#[case::aws("aws", 62)]
#[case::azure("azure", 52)]
#[case::gcp("gcp", 42)]
fn backups_are_judged_since(#[case] provider: &'static str, #[case] first: u16) {
    let api = format!("{provider}.provider.extensions.gardener.cloud/v1alpha1");
    let seed = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Seed", "metadata": {"name": "s"},
        "spec": {"provider": {"type": provider, "region": "eu"}, "backup": {"provider": provider,
            "credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "b", "namespace": "garden"},
            "providerConfig": {"apiVersion": api, "kind": "BackupBucketConfig", "immutability": {"retentionType": "object"}}}}});
    let judge = |major, minor| {
        let extension = (provider, Some(ExtensionVersion::new(major, minor)));
        judge(extension, "seeds", (&seed, None), None)
    };
    assert_ne!(judge(1, first), [""; 0]);
    assert_eq!(judge(1, first - 1), [""; 0]);
    // Versions before the known ones are not judged.
    assert_eq!(judge(0, 1), [""; 0]);
}

/// Until 1.63, provider-aws decodes a new configuration like that of a new Seed.
#[rstest]
#[case::added(false, 63, false)]
#[case::changed(true, 63, true)]
#[case::added_since_1_64(false, 64, true)]
fn unknown_field_in_the_backup_of_a_seed_on_aws(
    #[case] has_stored: bool,
    #[case] minor: u16,
    #[case] is_refused: bool,
) {
    let config = json!({"apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1", "kind": "BackupBucketConfig",
        "immutability": {"retentionType": "bucket", "retentionPeriod": "24h", "mode": "compliance"}});
    let seed = |config: Value| {
        json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Seed",
            "metadata": {"name": "s", "resourceVersion": "1"},
            "spec": {"provider": {"type": "aws", "region": "eu"}, "backup": {"provider": "aws",
                "credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "b", "namespace": "garden"},
                "providerConfig": config}}})
    };
    let mut changed = config.clone();
    changed["foo"] = json!(1);
    let mut old = seed(config);
    if !has_stored {
        set(&mut old, "/spec/backup/providerConfig", json!(null));
    }
    let extension = ("aws", Some(ExtensionVersion::new(1, minor)));
    let found = judge(extension, "seeds", (&seed(changed), Some(&old)), None);
    assert_eq!(!found.is_empty(), is_refused, "{found:?}");
}

#[rstest]
#[case::name(json!({"name": "p"}), &[], &[63, 64])]
#[case::syntax_of_name(json!({"name": "a b"}), &["Invalid iamInstanceProfile.name 64"], &[63])]
#[case::syntax_of_arn(json!({"arn": "a"}), &["Invalid iamInstanceProfile.arn 64"], &[63])]
fn instance_profile_on_aws(
    #[case] instance_profile: Value,
    #[case] findings: &[&str],
    #[case] without: &[u16],
) {
    let changes = json!([[format!("{WORKER}/iamInstanceProfile"), instance_profile]]);
    check_versions(
        |minor| judge_aws(minor, &changes),
        "spec.provider.workers[0].providerConfig",
        findings,
        without,
    );
}

/// The architecture of a machine type is the only one of the profile.
#[rstest]
#[case::own_architecture("arm64", false)]
#[case::other_architecture("amd64", true)]
fn images_of_aws_by_the_only_architecture(#[case] mapped: &str, #[case] is_refused: bool) {
    let flavor = json!({"capabilities": {"architecture": [mapped]}, "regions": [{"name": "eu", "ami": "ami-1"}]});
    let config = json!({"apiVersion": "aws.provider.extensions.gardener.cloud/v1alpha1", "kind": "CloudProfileConfig",
        "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "capabilityFlavors": [flavor]}]}]});
    let mut profile = profile("aws", &config);
    profile["spec"]["machineCapabilities"] = json!([{"name": "architecture", "values": ["arm64"]}]);
    profile["spec"]["machineTypes"] = json!([{"name": "m"}]);
    profile["spec"]["machineImages"] = json!([{"name": "i", "versions": [{"version": "1.0.0"}]}]);
    let extension = ("aws", Some(ExtensionVersion::new(1, 74)));
    let found = judge(extension, "shoots", (&aws(), None), Some(&profile));
    let expected = vec!["Invalid spec.provider.workers[0].machine.image"; usize::from(is_refused)];
    assert_eq!(found, expected);
}

/// The floating pool is immutable, too.
#[rstest]
#[case::pool(json!([[format!("{IC}/floatingPoolName"), "other"]]),
    &["Invalid spec.provider.infrastructureConfig.floatingPoolName", "NotSupported spec.provider.infrastructureConfig.floatingPoolName"])]
#[case::load_balancer(json!([["/spec/provider/controlPlaneConfig/loadBalancerProvider", "other"]]),
    &["NotSupported spec.provider.controlPlaneConfig.loadBalancerProvider"])]
fn changed_references_to_the_profile_on_openstack(
    #[case] changes: Value,
    #[case] expected: &[&str],
) {
    let stored = json!([["/spec/secretBindingName", "b"]]);
    assert_eq!(judge_openstack(58, &changes, Some(&stored)), expected);
}

/// Returns whether a NamespacedCloudProfile with an image that nothing maps is refused; its parent has these fields.
fn is_unmapped_image_refused(provider: &'static str, minor: u16, fields: &Value) -> bool {
    let api = format!("{provider}.provider.extensions.gardener.cloud/v1alpha1");
    let config = json!({"apiVersion": api, "kind": "CloudProfileConfig", "machineImages": []});
    let mut parent = profile(provider, &config);
    for (field, value) in fields.as_object().unwrap() {
        parent["spec"][field] = value.clone();
    }
    let object = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "NamespacedCloudProfile",
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "c"},
            "machineImages": [{"name": "i", "versions": [{"version": "1.0.0", "architectures": ["amd64"]}]}],
            "providerConfig": config}});
    let extension = (provider, Some(ExtensionVersion::new(1, minor)));
    let plural = "namespacedcloudprofiles";
    let found = judge(extension, plural, (&object, None), Some(&parent));
    let expected = "Required spec.providerConfig.machineImages";
    assert!(found.iter().all(|it| it == expected), "{found:?}");
    !found.is_empty()
}

/// Each row has a version of the component that judges profiles with capabilities, and one that skips them.
#[rstest]
#[case::aws("aws", 69, 68)]
#[case::azure("azure", 60, 58)]
fn unmapped_image_of_a_namespaced_profile(
    #[case] provider: &'static str,
    #[case] judges: u16,
    #[case] skips: u16,
) {
    let capabilities =
        json!({"machineCapabilities": [{"name": "architecture", "values": ["amd64"]}]});
    assert!(is_unmapped_image_refused(provider, judges, &capabilities));
    assert!(!is_unmapped_image_refused(provider, skips, &capabilities));
    assert!(is_unmapped_image_refused(provider, skips, &json!({})));
}

/// Since 1.60, provider-azure checks no version of an image that the parent has.
#[rstest]
#[case::compares_versions(59, true)]
#[case::compares_images(60, false)]
fn unmapped_version_of_an_image_of_the_parent_on_azure(
    #[case] minor: u16,
    #[case] is_refused: bool,
) {
    let images = json!({"machineImages": [{"name": "i", "versions": [{"version": "0.9.0"}]}]});
    let found = is_unmapped_image_refused("azure", minor, &images);
    assert_eq!(found, is_refused);
}
