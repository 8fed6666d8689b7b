// SPDX-License-Identifier: Apache-2.0
//! The pods of the Deployment: flags, tokens, grace period, and network access.

use kube::api::DynamicObject;
use rstest::rstest;
use serde_json::{Value, json};

use crate::chart::{
    ALL, CERT_MANAGER, CLIENT_CERTIFICATES, DEFAULT, MONITORING, OPERATOR_RUNTIME, SHOOT_CLUSTER,
    VIRTUAL_RUNTIME, only, rendered,
};
use crate::cluster::helm::Helm;
use crate::common::garden_gate;

/// The shutdown time of the server after SIGTERM, in seconds.
///
/// It accepts connections for two more, and finishes requests within thirty.
const LONGEST_END: i64 = 32;

fn pod(objects: &[DynamicObject]) -> &Value {
    &only(objects, "Deployment")["spec"]["template"]["spec"]
}

fn arguments(objects: &[DynamicObject]) -> Vec<&str> {
    let arguments = pod(objects)["containers"][0]["args"].as_array().unwrap();
    arguments.iter().map(|it| it.as_str().unwrap()).collect()
}

#[test]
fn every_flag_is_one_that_the_gate_knows() {
    let Some(helm) = Helm::find() else { return };
    let help = garden_gate(&["serve", "--help"]).stdout;
    let help = String::from_utf8(help).unwrap();
    for values in ALL {
        let objects = rendered(&helm, values);
        if !objects.iter().any(|it| it.data["spec"]["template"].is_object()) {
            continue;
        }
        for argument in arguments(&objects).into_iter().skip(1) {
            let flag = argument.split('=').next().unwrap();
            assert!(
                help.contains(&format!("{flag} ")) || help.contains(&format!("{flag}\n")),
                "{flag}"
            );
        }
    }
}

#[test]
fn clients_show_a_certificate_where_a_ca_is_named() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, CLIENT_CERTIFICATES);
    let arguments = arguments(&objects);
    assert!(arguments.contains(&"--client-ca=/etc/garden-gate-clients/ca.crt"));
    assert!(arguments.contains(&"--client-name=garden-gate-client"));
    let volume = |objects: &[DynamicObject]| {
        let volumes = pod(objects)["volumes"].as_array().unwrap().clone();
        volumes.into_iter().find(|it| it["name"] == "client-ca")
    };
    let from = json!({"name": "garden-gate-clients"});
    assert_eq!(volume(&objects).unwrap()["configMap"], from);

    // The private key of a CA must not be mounted.
    let secret = ["--set=clientCA.secretName=ca,clientCA.key=tls.crt"];
    let objects = rendered(&helm, &secret);
    let items = json!([{"key": "tls.crt", "path": "tls.crt"}]);
    assert_eq!(volume(&objects).unwrap()["secret"]["items"], items);
    assert_eq!(volume(&rendered(&helm, DEFAULT)), None);
}

#[test]
fn clients_show_a_certificate_where_a_ca_is_a_value() {
    let Some(helm) = Helm::find() else { return };
    let pem = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let objects = rendered(&helm, &[&format!("--set-string=clientCA.pem={pem}")]);
    assert!(arguments(&objects).contains(&"--client-ca=/etc/garden-gate-clients/ca.crt"));
    let volumes = pod(&objects)["volumes"].as_array().unwrap();
    let volume = volumes.iter().find(|it| it["name"] == "client-ca").unwrap();
    let name = volume["configMap"]["name"].as_str().unwrap();
    let is_named = |it: &&DynamicObject| it.metadata.name.as_deref() == Some(name);
    let map = objects.iter().find(is_named).unwrap();
    assert_eq!(map.data["data"], json!({ "ca.crt": pem }));
}

#[rstest]
#[case::garden(DEFAULT, true)]
#[case::garden_with_other_certificates(CERT_MANAGER, true)]
#[case::elsewhere_by_kubeconfig(VIRTUAL_RUNTIME, false)]
#[case::gardener_operator(OPERATOR_RUNTIME, false)]
#[case::shoot_cluster_with_own_certificates(SHOOT_CLUSTER, true)]
#[case::shoot_cluster_with_other_certificates(
    &["--values=ci/shoot-cluster.yaml", "--set=certificates.mode=cert-manager"],
    false
)]
fn a_token_is_mounted_where_it_is_used(#[case] values: &[&str], #[case] mounted: bool) {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, values);
    assert_eq!(pod(&objects)["automountServiceAccountToken"], mounted);
}

#[test]
fn a_pod_has_the_time_that_it_takes_to_end() {
    let Some(helm) = Helm::find() else { return };
    for delay in [0, 8, 60] {
        let set = format!("--set=shutdownDelaySeconds={delay}");
        let objects = rendered(&helm, &[&set]);
        let pod = pod(&objects);
        let grace = pod["terminationGracePeriodSeconds"].as_i64().unwrap();
        assert!(grace > delay + LONGEST_END, "{grace} s with {delay} s");
        let sleep = &pod["containers"][0]["lifecycle"]["preStop"]["sleep"]["seconds"];
        assert_eq!(sleep.as_i64().unwrap_or_default(), delay);
    }
}

/// Returns the ports and the sources of each rule.
fn ingress(objects: &[DynamicObject]) -> Vec<(&Value, &Value)> {
    let rules = &only(objects, "NetworkPolicy")["spec"]["ingress"];
    let rules = rules.as_array().unwrap().iter();
    rules.map(|rule| (&rule["ports"][0]["port"], &rule["from"])).collect()
}

#[test]
fn metrics_and_published_pages_admit_only_named_peers() {
    let Some(helm) = Helm::find() else { return };
    let everybody = (&json!("https"), &Value::Null);
    assert_eq!(ingress(&rendered(&helm, DEFAULT)), [everybody]);
    let prometheus = json!([{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "monitoring"}}}]);
    let objects = rendered(&helm, MONITORING);
    let proxy =
        json!([{"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress"}}}]);
    assert_eq!(
        ingress(&objects),
        [everybody, (&json!("metrics"), &prometheus), (&json!("publish"), &proxy)]
    );
    let objects = rendered(&helm, VIRTUAL_RUNTIME);
    let api_servers = json!([{"podSelector": {"matchLabels": {
        "networking.resources.gardener.cloud/to-all-webhook-targets": "allowed"
    }}}]);
    assert_eq!(ingress(&objects), [(&json!("https"), &api_servers)]);
}

#[test]
fn names_are_resolved_in_clusters_of_gardener_too() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, DEFAULT);
    let ports = &only(&objects, "NetworkPolicy")["spec"]["egress"][0]["ports"];
    for port in [53, 8053] {
        for protocol in ["UDP", "TCP"] {
            let wanted = json!({"port": port, "protocol": protocol});
            assert!(ports.as_array().unwrap().contains(&wanted), "{ports}");
        }
    }
}

/// gardener-operator creates network policies from these annotations, whose values are JSON.
#[test]
fn the_service_says_who_of_the_garden_reaches_it() {
    let Some(helm) = Helm::find() else { return };
    let objects = rendered(&helm, VIRTUAL_RUNTIME);
    let service = objects.iter().find(|it| it.types.as_ref().unwrap().kind == "Service");
    let annotations = service.unwrap().metadata.annotations.clone().unwrap();
    for (from, port) in [("webhook-targets", 9443), ("garden-scrape-targets", 8080)] {
        let key = format!("networking.resources.gardener.cloud/from-all-{from}-allowed-ports");
        let value: Value = serde_json::from_str(&annotations[&key]).unwrap();
        assert_eq!(value, json!([{"port": port, "protocol": "TCP"}]));
    }
}
