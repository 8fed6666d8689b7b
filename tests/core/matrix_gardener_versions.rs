// SPDX-License-Identifier: Apache-2.0
//! Fields, values and rules that only some versions of Gardener have.

use garden_gate_core::garden::GardenObject;
use garden_gate_model::api::{CloudProfile, GardenerVersion};
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

/// Returns the findings of a Shoot with this `spec.kubernetes`, judged as Gardener 1.`minor`.
fn shoot(minor: u16, kubernetes: &Value, old: Option<&Value>) -> Vec<String> {
    let object = |kubernetes: &Value| {
        let mut object = json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": {"name": "web", "namespace": "garden-p"},
            "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": kubernetes,
                "purpose": "evaluation",
                "provider": {"type": "stratus", "workers": [{
                    "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1,
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                }]}},
        });
        object["spec"]["addons"] = kubernetes["addons"].clone();
        let fields = object["spec"]["kubernetes"].as_object_mut().unwrap();
        fields.remove("addons");
        fields.entry("version").or_insert(json!("1.31.4"));
        object
    };
    let (new, old) = (object(kubernetes), old.map(object));
    let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
    findings(minor, &request("shoots", operation, &new, old.as_ref()))
}

/// Returns the undetermined checks of a Shoot with this `spec.kubernetes`, judged as Gardener 1.`minor`, with their fields.
fn undetermined(minor: u16, kubernetes: &Value) -> Vec<(String, String)> {
    let object = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": kubernetes,
            "provider": {"type": "stratus", "workers": [{
                "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1,
                "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
            }]}},
    });
    let mut setup = Setup::with_project(None);
    setup.config.gardener_version = GardenerVersion::of_minor(minor);
    let review = setup.review_wholly(&request("shoots", "CREATE", &object, None));
    let rules = ["shoot/feature-gates", "shoot/admission-plugins", "shoot/runtime-config"];
    let open = review.undetermined.iter().filter(|it| rules.contains(&it.rule));
    open.map(|it| (it.field.clone(), it.message.clone())).collect()
}

const GATES: &str = "spec.kubernetes.kubeAPIServer.featureGates";
const NEWER: &str = "the newest known Kubernetes is 1.37; update garden-gate";
const OTHERWISE: &str =
    "Gardener 1.150 knows Kubernetes up to 1.36, and a newer one decides otherwise";

/// Each row has the settings of the API server, the Kubernetes version, the field, and why its check is undetermined as Gardener 1.150.
#[rstest]
#[case::gate_of_the_next(json!({"featureGates": {"KubeProxyIPVS": true}}), "1.37.0", &format!("{GATES}.KubeProxyIPVS"), OTHERWISE)]
#[case::gate_gone_in_the_next(json!({"featureGates": {"SidecarContainers": true}}), "1.37.0", &format!("{GATES}.SidecarContainers"), OTHERWISE)]
#[case::gate_locked_in_the_next(json!({"featureGates": {"NodeDeclaredFeatures": false}}), "1.37.0", &format!("{GATES}.NodeDeclaredFeatures"), OTHERWISE)]
#[case::any_gate(json!({"featureGates": {"AllAlpha": true}}), "1.38.0", &format!("{GATES}.AllAlpha"), NEWER)]
#[case::unknown_gate(json!({"featureGates": {"Bogus": true}}), "1.38.0", &format!("{GATES}.Bogus"), NEWER)]
#[case::plugin_gone_in_the_next(json!({"admissionPlugins": [{"name": "JobValidation"}]}), "1.37.1", "spec.kubernetes.kubeAPIServer.admissionPlugins[0].name", OTHERWISE)]
#[case::any_plugin(json!({"admissionPlugins": [{"name": "NodeRestriction", "disabled": true}]}), "1.40.0", "spec.kubernetes.kubeAPIServer.admissionPlugins[0].name", NEWER)]
#[case::api_of_the_next(json!({"runtimeConfig": {"lifecycle.k8s.io/v1alpha1": true}}), "1.37.0", "spec.kubernetes.kubeAPIServer.runtimeConfig[lifecycle.k8s.io/v1alpha1]", OTHERWISE)]
#[case::api_gone_in_the_next(json!({"runtimeConfig": {"scheduling.k8s.io/v1alpha2": true}}), "1.37.0", "spec.kubernetes.kubeAPIServer.runtimeConfig[scheduling.k8s.io/v1alpha2]", OTHERWISE)]
#[case::required_api(json!({"runtimeConfig": {"apps/v1": false}}), "1.38.0-alpha.1", "spec.kubernetes.kubeAPIServer.runtimeConfig[apps/v1]", NEWER)]
fn settings_of_newer_kubernetes_are_undetermined(
    #[case] server: Value,
    #[case] version: &str,
    #[case] field: &str,
    #[case] why: &str,
) {
    let kubernetes = json!({"version": version, "kubeAPIServer": server});
    let open = undetermined(150, &kubernetes);
    let [(found, message)] = &open[..] else {
        unreachable!("{open:?}");
    };
    assert_eq!(found, field);
    assert!(message.starts_with("cannot tell whether Kubernetes `"), "{message}");
    assert!(message.ends_with(why), "{message}");
    // Nothing is refused, and known versions are decided.
    let found = shoot(150, &kubernetes, None);
    assert!(!found.iter().any(|it| it.contains(field)), "{found:?}");
    for version in ["1.36.0", "1.35.1"] {
        let known = json!({"version": version, "kubeAPIServer": server});
        assert_eq!(undetermined(150, &known), []);
    }
    // Gardener until 1.149 is known, and decides by its own tables.
    assert_eq!(undetermined(149, &kubernetes), []);
    // A newer one knows 1.37.
    let is_open = why == NEWER;
    assert_eq!(!undetermined(151, &kubernetes).is_empty(), is_open);
}

#[rstest]
#[case::unknown(json!({"featureGates": {"Bogus": true}}), &format!("shoot/feature-gate-unknown@{GATES}.Bogus"), [true; 2])]
#[case::of_the_next(json!({"featureGates": {"KubeProxyIPVS": true}}), GATES, [false; 2])]
#[case::gone(json!({"featureGates": {"SidecarContainers": true}}), &format!("shoot/feature-gate-absent@{GATES}.SidecarContainers"), [false, true])]
#[case::locked(json!({"featureGates": {"NodeDeclaredFeatures": false}}), &format!("shoot/feature-gate-locked@{GATES}.NodeDeclaredFeatures"), [false, true])]
#[case::plugin(json!({"admissionPlugins": [{"name": "JobValidation"}]}), "shoot/admission-plugin-absent@spec.kubernetes.kubeAPIServer.admissionPlugins[0].name", [false, true])]
#[case::needed(json!({"runtimeConfig": {"apps/v1": false}}), "shoot/api-needed@spec.kubernetes.kubeAPIServer.runtimeConfig[apps/v1]", [true; 2])]
fn kubernetes_1_37_is_refused_by(
    #[case] server: Value,
    #[case] finding: &str,
    #[case] expected: [bool; 2],
) {
    let kubernetes = json!({"version": "1.37.0", "kubeAPIServer": server});
    let found = [150, 151].map(|minor| {
        let found = shoot(minor, &kubernetes, None);
        found.iter().any(|it| it.contains(finding))
    });
    assert_eq!(found, expected);
}

fn findings(minor: u16, request: &Value) -> Vec<String> {
    let mut setup = Setup::with_project(None);
    setup.config.gardener_version = GardenerVersion::of_minor(minor);
    setup.config.feature_gates.disable_nginx_ingress_in_shoot = true;
    let review = setup.review_wholly(request);
    let findings = review.findings.iter();
    let found = findings.map(|it| format!("{}@{}", it.finding, it.field));
    found.collect()
}

/// Each row has a finding that the versions of the first list have, and those of the second do not.
#[rstest]
#[case::unknown_field(json!({"kubeAPIServer": {"tlsMinVersion": "VersionTLS12"}}), "object/unknown-field@spec.kubernetes.kubeAPIServer.tlsMinVersion", &[139, 148], &[149, 150])]
#[case::removed_field(json!({"kubelet": {"systemReserved": {"cpu": "1"}}}), "object/unknown-field@spec.kubernetes.kubelet.systemReserved", &[141, 150], &[139, 140])]
#[case::reserved_too_late(json!({"kubelet": {"systemReserved": {"cpu": "1"}}}), "shoot/earlier-field-unsupported@spec.kubernetes.kubelet.systemReserved", &[139, 140], &[141, 150])]
#[case::expander(json!({"clusterAutoscaler": {"expander": "least-nodes"}}), "field/unsupported-value@spec.kubernetes.clusterAutoscaler.expander", &[139, 140], &[141, 150])]
#[case::provider(json!({"kubeAPIServer": {"encryptionConfig": {"provider": {"type": "secretbox"}, "resources": []}}}), "field/unsupported-value@spec.kubernetes.kubeAPIServer.encryptionConfig.provider.type", &[139, 140], &[141, 150])]
#[case::nftables(json!({"version": "1.30.1", "kubeProxy": {"mode": "NFTables"}}), "field/unfitting@spec.kubernetes.kubeProxy.mode", &[139, 140], &[141, 150])]
#[case::autoscaler_gate(json!({"verticalPodAutoscaler": {"enabled": true, "featureGates": {"InPlace": true}}}), "shoot/feature-gate-unknown@spec.kubernetes.verticalPodAutoscaler.featureGates.InPlace", &[139, 144], &[145, 150])]
#[case::plugin(json!({"kubeAPIServer": {"admissionPlugins": [{"name": "JobValidation"}]}}), "shoot/admission-plugin-unknown@spec.kubernetes.kubeAPIServer.admissionPlugins[0].name", &[139, 144], &[145, 150])]
#[case::addon(json!({"addons": {"nginxIngress": {"enabled": true}}}), "shoot/nginx-ingress-disallowed@spec.addons.nginxIngress.enabled", &[142, 150], &[139, 141])]
#[case::oidc_without_client(json!({"kubeAPIServer": {"oidcConfig": {"issuerURL": "https://x"}}}), "field/missing@spec.kubernetes.kubeAPIServer.oidcConfig.clientID", &[139, 141], &[142, 150])]
#[case::oidc_issuer(json!({"kubeAPIServer": {"oidcConfig": {"clientID": "c", "issuerURL": "http://x"}}}), "field/malformed@spec.kubernetes.kubeAPIServer.oidcConfig.issuerURL", &[139, 141], &[142, 150])]
#[case::oidc_algorithm(json!({"kubeAPIServer": {"oidcConfig": {"signingAlgs": ["RS1"]}}}), "field/unsupported-value@spec.kubernetes.kubeAPIServer.oidcConfig.signingAlgs[0]", &[139, 141], &[142, 150])]
#[case::oidc_too_late(json!({"version": "1.32.0", "kubeAPIServer": {"oidcConfig": {}}}), "shoot/earlier-field-unsupported@spec.kubernetes.kubeAPIServer.oidcConfig", &[139, 141], &[142, 150])]
fn kubernetes_settings_by_version(
    #[case] kubernetes: Value,
    #[case] finding: &str,
    #[case] having: &[u16],
    #[case] lacking: &[u16],
) {
    for (minors, expected) in [(having, true), (lacking, false)] {
        for minor in minors {
            let found = shoot(*minor, &kubernetes, None);
            let has = found.iter().any(|it| it == finding);
            assert_eq!(has, expected, "1.{minor}: {found:?}");
        }
    }
}

/// Settings of Gardener 1.139 to 1.141 for OpenID Connect, with the fields of findings next to `oidcConfig`.
#[rstest]
#[case::right(json!({"issuerURL": "HTTPS://a.io/x", "groupsClaim": "g", "groupsPrefix": "-", "usernameClaim": "u", "usernamePrefix": "-",
    "signingAlgs": ["RS256", "none"]}), &[])]
#[case::empty_client(json!({"clientID": ""}), &["missing.clientID"])]
#[case::no_issuer(json!({"issuerURL": null}), &["missing.issuerURL"])]
#[case::empty_issuer(json!({"issuerURL": ""}), &["missing.issuerURL"])]
#[case::issuer_without_host(json!({"issuerURL": "https:///x"}), &["malformed.issuerURL"])]
#[case::issuer_with_user(json!({"issuerURL": "https://me@a.io"}), &["malformed.issuerURL"])]
#[case::issuer_with_query(json!({"issuerURL": "https://a.io?x"}), &["malformed.issuerURL"])]
#[case::issuer_with_fragment(json!({"issuerURL": "https://a.io#x"}), &["malformed.issuerURL"])]
#[case::issuer_with_port_name(json!({"issuerURL": "https://a.io:https"}), &["malformed.issuerURL"])]
#[case::bundle(json!({"caBundle": "x"}), &["malformed.caBundle"])]
#[case::empty_bundle(json!({"caBundle": ""}), &["malformed.caBundle"])]
#[case::empty_claims(json!({"groupsClaim": "", "groupsPrefix": "", "usernameClaim": "", "usernamePrefix": ""}),
    &["malformed.groupsClaim", "malformed.groupsPrefix", "malformed.usernameClaim", "malformed.usernamePrefix"])]
#[case::algorithms(json!({"signingAlgs": ["RS256", "rs256", "HS256"]}), &["unsupported-value.signingAlgs[1]", "unsupported-value.signingAlgs[2]"])]
fn oidc_settings_until_1_141(#[case] fields: Value, #[case] expected: &[&str]) {
    let mut oidc = json!({"clientID": "c", "issuerURL": "https://a.io"});
    for (name, value) in fields.as_object().unwrap() {
        oidc[name] = value.clone();
    }
    for minor in [139, 141] {
        let found = shoot(minor, &json!({"kubeAPIServer": {"oidcConfig": oidc}}), None);
        let of_oidc = found.iter().filter_map(|it| {
            let (finding, field) = it.split_once("@spec.kubernetes.kubeAPIServer.oidcConfig.")?;
            Some(format!("{}.{field}", finding.strip_prefix("field/")?))
        });
        let of_oidc: Vec<String> = of_oidc.collect();
        assert_eq!(of_oidc, expected, "1.{minor}: {found:?}");
    }
}

/// Each row has the Kubernetes version, and whether the version of Gardener refuses the setting.
#[rstest]
#[case::client(json!({"kubeAPIServer": {"oidcConfig": {"clientAuthentication": {"secret": "s"}}}}), "kubeAPIServer.oidcConfig.clientAuthentication", 31, [140, 139])]
#[case::oidc(json!({"kubeAPIServer": {"oidcConfig": {"clientID": "c"}}}), "kubeAPIServer.oidcConfig", 32, [141, 139])]
#[case::reserved(json!({"kubelet": {"systemReserved": {"cpu": "1"}}}), "kubelet.systemReserved", 31, [140, 139])]
fn earlier_settings_end_with_a_version_of_kubernetes(
    #[case] kubernetes: Value,
    #[case] field: &str,
    #[case] first: u16,
    #[case] minors: [u16; 2],
) {
    for minor in minors {
        for (version, expected) in [(first - 1, false), (first, true)] {
            let mut kubernetes = kubernetes.clone();
            kubernetes["version"] = json!(format!("1.{version}.1"));
            let found = shoot(minor, &kubernetes, None);
            let finding = format!("shoot/earlier-field-unsupported@spec.kubernetes.{field}");
            assert_eq!(
                found.contains(&finding),
                expected,
                "1.{minor}, Kubernetes 1.{version}: {found:?}"
            );
        }
    }
}

#[test]
fn oidc_and_structured_authentication_exclude_each_other() {
    let finding = "field/unfitting@spec.kubernetes.kubeAPIServer.oidcConfig";
    for version in ["1.31.1", "1.32.1"] {
        let both = json!({"version": version, "kubeAPIServer": {
            "oidcConfig": {"clientID": "c", "issuerURL": "https://a.io"}, "structuredAuthentication": {"configMapName": "a"}}});
        let found = shoot(141, &both, None);
        assert!(found.iter().any(|it| it == finding), "{version}: {found:?}");
    }
}

#[test]
fn reserved_resources_of_pools_until_1_140() {
    let reserved = |amount: &str| json!({"kubelet": {"systemReserved": {"cpu": amount}}});
    let object = |kubernetes: Value| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": {"name": "web", "namespace": "garden-p"},
            "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.31.4"},
                "provider": {"type": "stratus", "workers": [{
                    "name": "pool", "minimum": 1, "maximum": 2, "maxSurge": 1, "kubernetes": kubernetes,
                    "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}},
                }]}},
        })
    };
    let reserved_of_pool = "spec.provider.workers[0].kubernetes.kubelet.systemReserved";
    for (amount, version, expected) in [
        ("1", "1.31.4", vec![format!("shoot/earlier-field-unsupported@{reserved_of_pool}")]),
        ("1", "1.30.4", vec![]),
        ("-1", "1.30.4", vec![format!("field/out-of-range@{reserved_of_pool}.cpu")]),
    ] {
        let mut kubernetes = reserved(amount);
        kubernetes["version"] = json!(version);
        let mut found = findings(140, &request("shoots", "CREATE", &object(kubernetes), None));
        found.retain(|it| it.contains("systemReserved"));
        assert_eq!(found, expected, "{version}");
    }
}

#[test]
fn long_event_ttl_of_a_stored_shoot_is_allowed_until_1_146() {
    let stored = json!({"kubeAPIServer": {"eventTTL": "48h"}});
    let same = json!({"kubeAPIServer": {"eventTTL": "2880m"}});
    let other = json!({"kubeAPIServer": {"eventTTL": "49h"}});
    let finding = "field/out-of-range@spec.kubernetes.kubeAPIServer.eventTTL";
    for (minor, new, expected) in [
        (142, &same, false),
        (142, &other, true),
        (143, &same, false),
        (146, &other, false),
        (147, &same, true),
        (150, &same, true),
    ] {
        let found = shoot(minor, new, Some(&stored));
        let has = found.iter().any(|it| it == finding);
        assert_eq!(has, expected, "1.{minor} {new}: {found:?}");
        let warns = found.iter().any(|it| it.starts_with("shoot/warn-event-ttl@"));
        assert_eq!(warns, minor <= 142, "1.{minor} {new}: {found:?}");
    }
    let created = shoot(143, &same, None);
    assert!(created.iter().any(|it| it == finding), "{created:?}");
}

#[test]
fn event_ttl_of_a_day_has_no_warning() {
    let kubernetes = json!({"kubeAPIServer": {"eventTTL": "24h"}});
    let found = shoot(142, &kubernetes, Some(&kubernetes));
    let warns = |it: &String| it.starts_with("shoot/warn-event-ttl@");
    assert!(!found.iter().any(warns), "{found:?}");
}

#[rstest]
#[case::of_the_parent("m", true)]
#[case::another("n", false)]
fn machine_type_of_the_parent_is_refused_in_1_143(#[case] name: &str, #[case] is_refused: bool) {
    let mut setup = Setup::with_project(None);
    setup.config.gardener_version = GardenerVersion::of_minor(143);
    let parent = json!({"metadata": {"name": "c"}, "spec": {
        "type": "stratus", "machineTypes": [{"name": "m", "architecture": "amd64"}]}});
    let parent: CloudProfile = serde_json::from_value(parent).unwrap();
    setup.garden.apply(GardenObject::from(parent));
    let object = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "NamespacedCloudProfile",
        "metadata": {"name": "n", "namespace": "garden-p"},
        "spec": {"parent": {"kind": "CloudProfile", "name": "c"}, "machineTypes": [
            {"name": name, "architecture": "amd64", "cpu": "1", "gpu": "0", "memory": "1Gi"}]},
    });
    let review = setup.review_wholly(&request("namespacedcloudprofiles", "CREATE", &object, None));
    let mut found = review.findings.iter().map(|it| it.finding);
    let expected = "namespacedcloudprofile/machine-type-of-parent";
    assert_eq!(found.any(|it| it == expected), is_refused);
    // A stored machine type can stay.
    let mut new = object.clone();
    new["spec"]["limits"] = json!({"maxNodesTotal": 10});
    let update = request("namespacedcloudprofiles", "UPDATE", &new, Some(&object));
    let review = setup.review_wholly(&update);
    let mut found = review.findings.iter().map(|it| it.finding);
    assert!(!found.any(|it| it == expected));
}

#[rstest]
#[case::classifications(json!({"classification": "supported"}), &[139, 148, 149, 150], &[])]
#[case::stages(json!({"lifecycle": [{"classification": "supported"}]}), &[139, 148], &[149, 150])]
fn overlapping_versions_by_version(
    #[case] fields: Value,
    #[case] having: &[u16],
    #[case] lacking: &[u16],
) {
    let version = |version: &str| {
        let mut object = json!({"version": version});
        let fields = fields.as_object().unwrap().clone();
        object.as_object_mut().unwrap().extend(fields);
        object
    };
    let profile = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile",
        "metadata": {"name": "c"},
        "spec": {"type": "stratus", "kubernetes": {"versions": [version("1.34.1"), version("1.34.2")]}},
    });
    let request = request("cloudprofiles", "CREATE", &profile, None);
    for (minors, expected) in [(having, true), (lacking, false)] {
        for minor in minors {
            let found = findings(*minor, &request);
            let has = found.iter().any(|it| it.starts_with("cloudprofile/supported-overlap@"));
            assert_eq!(has, expected, "1.{minor}: {found:?}");
        }
    }
}

#[test]
fn encryption_provider_is_immutable_until_1_143() {
    let of = |provider: &str| json!({"kubeAPIServer": {"encryptionConfig": {"provider": {"type": provider}, "resources": []}}});
    let finding = "shoot/encryption-provider-immutable@spec.kubernetes.kubeAPIServer.encryptionConfig.provider.type";
    for (minor, expected) in [(141, true), (143, true), (144, false), (150, false)] {
        let found = shoot(minor, &of("secretbox"), Some(&of("aescbc")));
        let has = found.iter().any(|it| it == finding);
        assert_eq!(has, expected, "1.{minor}: {found:?}");
    }
}

#[rstest]
#[case::of_gardener("gardener-a", "field/unfitting@spec.machineCapabilities[1].name", &[147, 150], &[139, 146])]
#[case::gate("a", "cloudprofile/capabilities-feature-gate@spec.machineCapabilities", &[139, 145], &[146, 150])]
fn capabilities_by_version(
    #[case] name: &str,
    #[case] finding: &str,
    #[case] having: &[u16],
    #[case] lacking: &[u16],
) {
    let profile = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "CloudProfile",
        "metadata": {"name": "c"},
        "spec": {"type": "stratus", "machineCapabilities": [
            {"name": "architecture", "values": ["amd64"]}, {"name": name, "values": ["x"]},
        ]},
    });
    let request = request("cloudprofiles", "CREATE", &profile, None);
    for (minors, expected) in [(having, true), (lacking, false)] {
        for minor in minors {
            let found = findings(*minor, &request);
            let has = found.iter().any(|it| it == finding);
            assert_eq!(has, expected, "1.{minor}: {found:?}");
        }
    }
}

/// Each row has pools as zones, whether they run the control plane, and whether they allow system components.
#[rstest]
#[case::one(&[("a b", true, true)], &[], &[])]
#[case::no_control_plane(&[("a", false, true), ("b", false, true)], &[], &[])]
#[case::two(&[("a", true, true), ("a", true, true)], &["two-control-plane-pools@spec.provider.workers[1].controlPlane"], &[])]
#[case::same_zones(&[("a b", true, true), ("b", false, true)], &[],
    &["system-components-outside-control-plane@spec.provider.workers[1].systemComponents"])]
#[case::other_zones(&[("a", true, true), ("a b", false, true)],
    &["system-components-outside-control-plane-zones@spec.provider.workers[1].systemComponents"],
    &["system-components-outside-control-plane@spec.provider.workers[1].systemComponents"])]
#[case::no_system_components(&[("a", true, true), ("b", false, false)], &[], &[])]
fn pools_of_a_self_hosted_shoot(
    #[case] pools: &[(&str, bool, bool)],
    #[case] expected: &[&str],
    #[case] until_1_141: &[&str],
) {
    let pool = |(index, (zones, is_control_plane, is_for_system)): (usize, &(&str, bool, bool))| {
        let mut pool = json!({"name": format!("pool-{index}"), "minimum": 1, "maximum": 2, "maxSurge": 1,
            "zones": zones.split(' ').collect::<Vec<_>>(), "systemComponents": {"allow": is_for_system},
            "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}}});
        if *is_control_plane {
            pool["controlPlane"] = json!({});
        }
        pool
    };
    let object = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": "web", "namespace": "garden-p"},
        "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.31.4"},
            "provider": {"type": "stratus", "workers": pools.iter().enumerate().map(pool).collect::<Vec<_>>()}},
    });
    for (minor, expected) in [(142, expected), (150, expected), (141, until_1_141)] {
        let found = findings(minor, &request("shoots", "CREATE", &object, None));
        let of_pools = found.iter().filter_map(|it| it.strip_prefix("shoot/"));
        let names = ["two-control-plane-pools", "system-components-outside"];
        let of_pools = of_pools.filter(|it| names.iter().any(|name| it.starts_with(name)));
        let mut of_pools: Vec<&str> = of_pools.collect();
        of_pools.retain(|it| minor != 141 || !it.starts_with("two-"));
        assert_eq!(of_pools, expected, "1.{minor}: {found:?}");
    }
}

#[test]
fn unknown_fields_of_newer_versions_are_undetermined() {
    let mut setup = Setup::with_project(None);
    setup.config.gardener_version = GardenerVersion::of_minor(151);
    let project = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project",
        "metadata": {"name": "p"}, "spec": {"namespace": "garden-p", "invented": 1},
    });
    let review = setup.review_wholly(&request("projects", "UPDATE", &project, Some(&project)));
    let fields: Vec<&str> = review.undetermined.iter().map(|it| &*it.field).collect();
    assert_eq!(fields, ["spec.invented"]);
    assert!(review.findings.is_empty(), "{:?}", review.findings);
}
