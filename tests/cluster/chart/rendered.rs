// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::{Command, Stdio};

use kube::api::DynamicObject;
use rstest::rstest;
use serde_json::{Value, json};

use crate::chart::{
    CERT_MANAGER, CLIENT_CERTIFICATES, DEFAULT, MONITORING, OPERATOR_RUNTIME, OPERATOR_VIRTUAL,
    SHOOT_CLUSTER, VIRTUAL_GARDEN, VIRTUAL_RUNTIME, kinds, only, rendered,
};
use crate::cluster::helm::Helm;
use crate::cluster::objects::documents;

#[rstest]
#[case::default(DEFAULT)]
#[case::cert_manager(CERT_MANAGER)]
#[case::monitoring(MONITORING)]
#[case::virtual_garden_runtime(VIRTUAL_RUNTIME)]
#[case::virtual_garden(VIRTUAL_GARDEN)]
#[case::shoot_cluster(SHOOT_CLUSTER)]
#[case::client_certificates(CLIENT_CERTIFICATES)]
#[case::operator_runtime(OPERATOR_RUNTIME)]
#[case::operator_virtual(OPERATOR_VIRTUAL)]
fn lint_finds_nothing(#[case] values: &[&str]) {
    let Some(helm) = Helm::find() else { return };
    let output = helm.lint(values);
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stdout));
}

#[test]
fn registrations_say_what_the_gate_needs_of_the_api_server() {
    let Some(helm) = Helm::find() else { return };
    let looked_at: Value =
        serde_saphyr::from_str(include_str!("../../../charts/garden-gate/files/webhooks.yaml"))
            .unwrap();
    for values in [DEFAULT, CERT_MANAGER, MONITORING, VIRTUAL_GARDEN] {
        let objects = rendered(&helm, values);
        for (kind, list) in [
            ("MutatingWebhookConfiguration", "mutating"),
            ("ValidatingWebhookConfiguration", "validating"),
        ] {
            let webhooks = only(&objects, kind)["webhooks"].as_array().unwrap();
            let looked_at = looked_at[list].as_array().unwrap();
            assert_eq!(webhooks.len(), looked_at.len());
            for (webhook, looked_at) in webhooks.iter().zip(looked_at) {
                assert_eq!(webhook["rules"], looked_at["rules"]);
                // Conditions for exempt users and groups are additional.
                let conditions =
                    webhook["matchConditions"].as_array().map_or(&[][..], Vec::as_slice);
                let common = looked_at["matchConditions"].as_array().unwrap();
                assert!(conditions.starts_with(common), "{webhook}");
                assert_eq!(webhook["matchPolicy"], "Equivalent");
                assert_eq!(webhook["sideEffects"], "None");
                assert_eq!(webhook["timeoutSeconds"], 10);
                let policy = (list == "mutating").then(|| json!("IfNeeded"));
                assert_eq!(webhook.get("reinvocationPolicy"), policy.as_ref());
            }
        }
    }
}

#[test]
fn a_virtual_garden_is_reached_by_kubeconfig_and_reaches_the_gate_by_url() {
    let Some(helm) = Helm::find() else { return };
    let runtime = rendered(&helm, VIRTUAL_RUNTIME);
    let arguments =
        only(&runtime, "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"]
            .to_string();
    assert!(
        arguments.contains("--kubeconfig=/etc/garden-gate-kubeconfig/kubeconfig"),
        "{arguments}"
    );
    assert_eq!(
        kinds(&runtime),
        [
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "PodDisruptionBudget",
            "Service",
            "ServiceAccount"
        ]
    );

    let garden = rendered(&helm, VIRTUAL_GARDEN);
    let webhook = &only(&garden, "ValidatingWebhookConfiguration")["webhooks"][0];
    assert_eq!(webhook["clientConfig"]["url"], "https://garden-gate.garden.svc:443/validate");
    assert_eq!(only(&garden, "ClusterRoleBinding")["subjects"][0]["name"], "garden-gate");
    assert_eq!(
        kinds(&garden),
        [
            "ClusterRole",
            "ClusterRoleBinding",
            "MutatingWebhookConfiguration",
            "Role",
            "RoleBinding",
            "ValidatingWebhookConfiguration"
        ]
    );
    assert_eq!(
        only(&garden, "RoleBinding")["subjects"],
        only(&garden, "ClusterRoleBinding")["subjects"]
    );
}

#[test]
fn secrets_of_the_garden_are_listed_only_where_that_is_wanted() {
    let Some(helm) = Helm::find() else { return };
    for (set, listed) in [
        ("--set=rbac.listSecrets=false", "[[\"configmaps\"]]"),
        ("--set=rbac.listSecrets=true", "[[\"configmaps\"],[\"secrets\"]]"),
    ] {
        let objects = rendered(&helm, &[DEFAULT[0], set]);
        let role = only(&objects, "Role");
        let resources: Value = role["rules"]
            .as_array()
            .unwrap()
            .iter()
            .map(|rule| {
                assert_eq!(rule["verbs"], json!(["list"]));
                rule["resources"].clone()
            })
            .collect();
        assert_eq!(resources.to_string(), listed);
    }
}

#[test]
fn in_a_shoot_cluster_the_gate_knows_no_garden_and_is_no_obstacle() {
    let Some(helm) = Helm::find() else { return };
    let yaml = helm.template(SHOOT_CLUSTER).unwrap();
    let objects = documents(&yaml);
    assert_eq!(
        kinds(&objects),
        [
            "ClusterRole",
            "ClusterRoleBinding",
            "ConfigMap",
            "Deployment",
            "NetworkPolicy",
            "Pod",
            "PodDisruptionBudget",
            "Role",
            "RoleBinding",
            "Secret",
            "Service",
            "ServiceAccount",
            "ValidatingAdmissionPolicy",
            "ValidatingAdmissionPolicyBinding",
            "ValidatingWebhookConfiguration"
        ]
    );
    let arguments =
        &only(&objects, "Deployment")["spec"]["template"]["spec"]["containers"][0]["args"];
    let arguments = arguments.as_array().unwrap();
    assert!(arguments.contains(&json!("--no-garden")), "{arguments:?}");
    let webhooks = &only(&objects, "ValidatingWebhookConfiguration")["webhooks"];
    let resources: Vec<&Value> = webhooks
        .as_array()
        .unwrap()
        .iter()
        .map(|webhook| &webhook["rules"][0]["resources"][0])
        .collect();
    assert_eq!(resources, ["daemonsets", "deployments"]);
    assert_eq!(webhooks[0]["failurePolicy"], "Ignore");
    // `garden-gate review` has no findings about the installed objects; workload without findings is not listed.
    let mut child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .args(["review", "--format=json", "-"])
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut input = child.stdin.take().unwrap();
    input.write_all(yaml.as_bytes()).unwrap();
    drop(input);
    let output = child.wait_with_output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap();
    let reviews = report["reviews"].as_array().unwrap();
    assert_eq!(reviews.len(), 1, "{report}");
    assert!(reviews.iter().all(|review| review["findings"] == json!([])), "{report}");
}

#[test]
fn alerts_are_about_this_release_and_say_what_they_mean() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, MONITORING);
    let groups = &only(&objects, "PrometheusRule")["spec"]["groups"];
    let alerts = groups[0]["rules"].as_array().unwrap();
    assert!(alerts.len() > 10, "{groups}");
    let page = fs::read_to_string("docs/troubleshooting.md").unwrap();
    let headings = page.lines().filter_map(|line| line.strip_prefix("## "));
    let sections = headings.map(|it| it.to_lowercase().replace(':', "").replace(' ', "-"));
    let sections: Vec<String> = sections.collect();
    for alert in alerts {
        let text = alert.to_string();
        assert!(text.contains(r#"namespace=\"garden-gate\""#), "{text}");
        let unfilled = ["NAMESPACE", "SECONDS"].iter().any(|it| text.contains(it));
        assert!(!unfilled, "{text}");
        for annotation in ["summary", "description"] {
            let words = alert["annotations"][annotation].as_str().unwrap_or_default();
            assert!(words.split(' ').count() > 4, "{text}");
        }
        let runbook = alert["annotations"]["runbook_url"].as_str().unwrap();
        let (_, section) = runbook.split_once("troubleshooting.html#").unwrap();
        assert!(sections.iter().any(|it| it == section), "{runbook}");
        let severity = alert["labels"]["severity"].as_str().unwrap();
        assert!(["info", "warning", "critical"].contains(&severity), "{text}");
    }
}

#[test]
fn service_objective_alerts_burn_rates_over_two_windows() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, MONITORING);
    let groups = &only(&objects, "PrometheusRule")["spec"]["groups"];
    let alerts = groups[1]["rules"].as_array().unwrap();
    let windows = [("14.4", "1h", "5m"), ("6", "6h", "30m"), ("1", "3d", "6h")];
    assert_eq!(alerts.len(), 2 * windows.len(), "{groups}");
    for (pair, (rate, long, short)) in alerts.chunks(2).zip(windows) {
        let names = pair.iter().map(|alert| alert["alert"].as_str().unwrap());
        assert_eq!(names.collect::<Vec<_>>(), ["GardenGateLate", "GardenGateUnanswered"]);
        for alert in pair {
            let query = alert["expr"].as_str().unwrap();
            let (first, second) = query.split_once(" and ").unwrap();
            for (part, window) in [(first, long), (second, short)] {
                assert!(part.contains(&format!("> {rate} * 0.0")), "{query}");
                let count = part.matches(&format!("[{window}]")).count();
                assert_eq!(count, part.matches('[').count(), "{query}");
                assert_eq!(part.matches('(').count(), part.matches(')').count(), "{query}");
                assert!(part.contains(r#"namespace="garden-gate""#), "{query}");
            }
            assert!(!query.contains("WINDOW") && !query.contains("RATE"), "{query}");
        }
    }
    let off = [MONITORING, &["--set=prometheusRule.serviceObjective=false"]].concat();
    let objects = rendered(&helm, &off);
    let groups = &only(&objects, "PrometheusRule")["spec"]["groups"];
    assert_eq!(groups.as_array().unwrap().len(), 1);
}

#[test]
fn audits_run_with_a_garden_and_if_enabled() {
    let Some(helm) = Helm::find() else { return };
    let audits = |values: &[&str]| {
        let objects = rendered(&helm, values);
        let deployment = only(&objects, "Deployment");
        let container = &deployment["spec"]["template"]["spec"]["containers"][0];
        let arguments = container["args"].as_array().unwrap();
        arguments.contains(&json!("--audit-every=1h"))
    };
    assert!(audits(&["--set=auditEvery=1h"]));
    assert!(!audits(&[]));
    assert!(!audits(&["--set=auditEvery=1h,target=shoot,webhooks.failurePolicy=Ignore"]));
}

#[test]
fn policies_are_mounted_unless_they_are_empty() {
    let Some(helm) = Helm::find() else { return };
    let root = Path::new(env!("CARGO_MANIFEST_DIR"));
    let file = root.join("examples/policies/naming/policy.yaml");
    let policies = format!("--set-file=policies.naming\\.yaml={}", file.display());
    let mounted = |values: &[&str]| {
        let objects = rendered(&helm, values);
        let deployment = &only(&objects, "Deployment")["spec"]["template"]["spec"];
        let container = &deployment["containers"][0];
        let arguments = container["args"].as_array().unwrap();
        let argument = json!("--policies=/etc/garden-gate-policies");
        let has = |list: &Value| list.to_string().contains("\"name\":\"policies\"");
        let map =
            objects.iter().find(|it| it.metadata.name.as_deref() == Some("garden-gate-policies"));
        let text = map.map(|it| it.data["data"]["naming.yaml"].as_str().unwrap().to_owned());
        let is_mounted = [
            arguments.contains(&argument),
            has(&container["volumeMounts"]),
            has(&deployment["volumes"]),
        ];
        (is_mounted, text)
    };
    let text = fs::read_to_string(&file).unwrap();
    assert_eq!(mounted(&[&policies]), ([true; 3], Some(text)));
    assert_eq!(mounted(&[]), ([false; 3], None));
    let shoot = "--set=target=shoot,webhooks.failurePolicy=Ignore";
    assert_eq!(mounted(&[&policies, shoot]), ([false; 3], None));
}

#[test]
fn published_forecasts_have_a_port_and_a_permission() {
    let Some(helm) = Helm::find() else { return };
    let ports = |values: &[&str]| {
        let objects = rendered(&helm, values);
        let deployment = only(&objects, "Deployment");
        let container = &deployment["spec"]["template"]["spec"]["containers"][0];
        let arguments = container["args"].as_array().unwrap();
        let is_served = arguments.contains(&json!("--publish-listen=[::]:9444"));
        let service = only(&objects, "Service")["spec"]["ports"].clone();
        let mut ports = service.as_array().unwrap().iter();
        let port = ports.find(|it| it["targetPort"] == "publish").cloned();
        let role = only(&objects, "ClusterRole").to_string();
        let policy = only(&objects, "NetworkPolicy").to_string();
        let is_open = policy.contains("\"port\":\"publish\"");
        (is_served, port.is_some(), role.contains("tokenreviews"), is_open)
    };
    assert_eq!(ports(&[]), (false, false, false, false));
    let enabled = "--set=publish.enabled=true";
    assert_eq!(ports(&[enabled]), (true, true, true, false));
    let from = "--set=publish.from[0].podSelector.matchLabels.app=proxy";
    assert_eq!(ports(&[enabled, from]), (true, true, true, true));
}

#[test]
fn messages_to_owners_have_their_files_state_and_permissions() {
    let Some(helm) = Helm::find() else { return };
    let destinations = "--set=notify.secretName=destinations";
    let objects = rendered(&helm, &[destinations]);
    let pod = &only(&objects, "Deployment")["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    let arguments = container["args"].as_array().unwrap();
    let of_kind = |it: &&DynamicObject| it.types.as_ref().unwrap().kind == "Deployment";
    let deployment = objects.iter().find(of_kind).unwrap();
    let namespace = deployment.metadata.namespace.as_ref().unwrap();
    for argument in [
        "--notify-destinations=/etc/garden-gate-notify/notify.yaml".to_owned(),
        format!("--notify-state=configmap:{namespace}/garden-gate-notifications"),
    ] {
        assert!(arguments.contains(&json!(argument)), "{arguments:?}");
    }
    let named = |list: &Value| {
        let list = list.as_array().unwrap();
        list.iter().find(|it| it["name"] == "notify").cloned()
    };
    let mount = named(&container["volumeMounts"]).unwrap();
    assert_eq!(mount["mountPath"], "/etc/garden-gate-notify");
    assert_eq!(named(&pod["volumes"]).unwrap()["secret"]["secretName"], "destinations");
    let of_state = |objects: &[DynamicObject], kind: &str| {
        let mut names = objects.iter().filter(|it| it.types.as_ref().unwrap().kind == kind);
        names.any(|it| it.metadata.name.as_ref().unwrap().ends_with("-notifications"))
    };
    for kind in ["Role", "RoleBinding"] {
        assert!(of_state(&objects, kind), "{kind}");
        assert!(!of_state(&rendered(&helm, &[]), kind), "{kind}");
    }
    let may_create_events = |values: &[&str]| {
        only(&rendered(&helm, values), "ClusterRole").to_string().contains("\"events\"")
    };
    assert!(!may_create_events(&[destinations]));
    assert!(may_create_events(&[destinations, "--set=notify.events=true"]));
    let to = "--set=notify.egress[0].to[0].ipBlock.cidr=192.0.2.10/32";
    let policy = |values: &[&str]| only(&rendered(&helm, values), "NetworkPolicy").to_string();
    assert!(policy(&[destinations, to]).contains("192.0.2.10/32"));
    assert!(!policy(&[to]).contains("192.0.2.10/32"));
    let shoot = "--set=target=shoot,webhooks.failurePolicy=Ignore";
    let objects = rendered(&helm, &[destinations, shoot]);
    assert!(!only(&objects, "Deployment").to_string().contains("garden-gate-notify"));
}

#[test]
fn records_have_a_volume_and_limits() {
    let Some(helm) = Helm::find() else { return };
    let deployment = |values: &[&str]| only(&rendered(&helm, values), "Deployment").clone();
    assert!(!deployment(&[]).to_string().contains("record"));
    let claim = "--set=record.claimName=requests";
    let pod = &deployment(&[claim, "--set=record.share=0.25"])["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    for argument in [
        "--record=/var/lib/garden-gate/records",
        "--record-share=0.25",
        "--record-size=256Mi",
        "--record-age=24h",
    ] {
        assert!(container["args"].as_array().unwrap().contains(&json!(argument)), "{argument}");
    }
    let named = |list: &Value| {
        let list = list.as_array().unwrap();
        list.iter().find(|it| it["name"] == "records").cloned()
    };
    assert_eq!(named(&container["volumeMounts"]).unwrap()["mountPath"], "/var/lib/garden-gate");
    let volume = named(&pod["volumes"]).unwrap();
    assert_eq!(volume["persistentVolumeClaim"]["claimName"], "requests");
    let shoot = "--set=target=shoot,webhooks.failurePolicy=Ignore";
    assert!(!deployment(&[claim, shoot]).to_string().contains("record"));
}

#[test]
fn the_admission_configuration_of_gardener_lies_where_gardener_has_it() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, &["--set=admissionConfig.configMapName=admission"]);
    let pod = &only(&objects, "Deployment")["spec"]["template"]["spec"];
    let container = &pod["containers"][0];
    let file = "--admission-config=/etc/kubernetes/admission/admission-configuration.yaml";
    assert!(container["args"].as_array().unwrap().contains(&json!(file)));
    let mounts = container["volumeMounts"].as_array().unwrap();
    let mount = mounts.iter().find(|it| it["name"] == "admission-config");
    assert_eq!(mount.unwrap()["mountPath"], "/etc/kubernetes/admission");
    let volumes = pod["volumes"].as_array().unwrap();
    let volume = volumes.iter().find(|it| it["name"] == "admission-config");
    assert_eq!(volume.unwrap()["configMap"]["name"], "admission");
}

/// A certificate that another program manages, for an address outside of the cluster.
const FILES: &[&str] = &[
    "--set=certificates.mode=files,webhooks.caBundle=Zm9v",
    "--set=webhooks.url=https://gate.example.com",
];

#[rstest]
#[case::own_certificate(DEFAULT, Some("--url=https://garden-gate.garden-gate.svc"))]
#[case::by_url(FILES, Some("--url=https://gate.example.com"))]
#[case::for_those_only_that_are_named(VIRTUAL_RUNTIME, None)]
#[case::in_a_shoot_cluster(SHOOT_CLUSTER, Some("--shoot-cluster"))]
#[case::for_api_servers_only(CLIENT_CERTIFICATES, None)]
#[case::without_the_gate(VIRTUAL_GARDEN, None)]
#[case::operator_runtime(OPERATOR_RUNTIME, None)]
#[case::operator_virtual(OPERATOR_VIRTUAL, None)]
fn helm_test_asks_the_gate_for_a_verdict(#[case] values: &[&str], #[case] argument: Option<&str>) {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, values);
    let pods = objects.iter().filter(|it| it.types.as_ref().unwrap().kind == "Pod");
    let probes: Vec<&Value> = pods
        .map(|pod| {
            assert_eq!(pod.metadata.annotations.as_ref().unwrap()["helm.sh/hook"], "test");
            // Otherwise API servers would call it.
            let selector = &only(&objects, "Service")["spec"]["selector"];
            let name = &pod.metadata.labels.as_ref().unwrap()["app.kubernetes.io/name"];
            assert_ne!(selector["app.kubernetes.io/name"], json!(name));
            &pod.data["spec"]["containers"][0]["args"]
        })
        .collect();
    match argument {
        Some(argument) => {
            assert_eq!(probes.len(), 1);
            assert!(probes[0].as_array().unwrap().contains(&json!(argument)), "{probes:?}");
        }
        None => assert!(probes.is_empty(), "{probes:?}"),
    }
}

#[test]
fn a_bare_off_in_values_stays_a_level() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, CERT_MANAGER);
    let config = only(&objects, "ConfigMap")["data"]["config.yaml"].as_str().unwrap().to_owned();
    let config: Value = serde_saphyr::from_str(&config).unwrap();
    assert_eq!(config["rules"]["shoot/self-hosted-verb"], "off");
}

#[rstest]
#[case::misspelt("replica=3", "additional properties 'replica' not allowed")]
#[case::misspelt_below(
    "webhooks.failurepolicy=Ignore",
    "additional properties 'failurepolicy' not allowed"
)]
#[case::unknown_mode(
    "certificates.mode=vault",
    "value must be one of 'self-managed', 'cert-manager', 'files'"
)]
#[case::plain_http("webhooks.url=http://gate", "does not match pattern")]
#[case::unknown_level(
    "config.rules.shoot/hibernation=error",
    "at '/config/rules/shoot~1hibernation': value must be one of 'off', 'warn', 'deny', false"
)]
#[case::unknown_rule(
    "config.rules.shoot/hibernatio=warn",
    "at '/config/rules': additional properties 'shoot/hibernatio' not allowed"
)]
#[case::unknown_setting(
    "config.profil=gardener",
    "at '/config': additional properties 'profil' not allowed"
)]
#[case::users_that_are_no_list(
    "config.exempt.users=alice",
    "at '/config/exempt/users': got string, want array"
)]
#[case::no_way_to_the_garden("target=runtime", "set kubeconfig.secretName")]
#[case::closed_in_a_shoot_cluster(
    "target=shoot,webhooks.failurePolicy=Fail",
    "set webhooks.failurePolicy to Ignore"
)]
#[case::two_clusters_at_once("kubeconfig.secretName=garden", "set target to runtime here")]
#[case::no_image("image.repository=", "set image.repository to its name")]
#[case::no_ca("certificates.mode=files", "set webhooks.caBundle")]
#[case::two_writers_of_the_ca("webhooks.caBundle=Zm9v", "leave webhooks.caBundle empty")]
#[case::no_address("target=garden,certificates.mode=files", "set webhooks.url")]
#[case::nobody_to_answer("replicas=0,webhooks.failurePolicy=Fail", "set it to Ignore first")]
#[case::names_without_a_ca(
    "clientNames={api-server}",
    "set clientCA.pem, clientCA.configMapName or clientCA.secretName"
)]
#[case::ca_that_is_a_path("clientCA.pem=ca.crt", "at '/clientCA/pem'")]
#[case::ca_with_its_key(
    "clientCA.pem=-----BEGIN CERTIFICATE----- -----BEGIN PRIVATE KEY-----",
    "set the certificate only"
)]
#[case::ca_and_its_name(
    "clientCA.pem=-----BEGIN CERTIFICATE-----,clientCA.configMapName=a",
    "set one of them"
)]
#[case::two_cas("clientCA.configMapName=a,clientCA.secretName=b", "set one of them")]
#[case::a_port_too_much("listenAddress=0.0.0.0:9443", "does not match pattern")]
#[case::self_managed_elsewhere("target=garden", "set certificates.mode to cert-manager or files")]
fn values_that_cannot_work_are_refused(#[case] set: &str, #[case] message: &str) {
    let Some(helm) = Helm::find() else { return };
    let error = helm.template(&["--set", set]).unwrap_err();
    assert!(error.contains(message), "{error}");
}

/// Tests run the recipes of docs/how-to/review-in-ci.md also without Helm.
#[test]
fn helm_fixture_of_pipelines_is_what_helm_renders() {
    let Some(helm) = Helm::find() else { return };
    let tests = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/cli/pipelines");
    let read = |yaml: &str| -> Value { serde_saphyr::from_str(yaml).unwrap() };
    let rendered = helm.render(&tests.join("repository/charts/shoots"));
    let printed = fs::read_to_string(tests.join("programs/helm.yaml")).unwrap();
    assert_eq!(read(&rendered), read(&printed));
}
