// SPDX-License-Identifier: Apache-2.0
//! `garden-gate webhooks`: the requests for which an API server calls the webhooks.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::fs;

use crate::command::{garden_gate, printed};
use garden_gate::garden::live::Right;
use garden_gate_core::admission::{EntryPoint, EntryPoints, Kind, Operation, Reading, Subresource};
use garden_gate_core::config::{Config, Exemption, Level, ServerAdmission};
use garden_gate_core::rules;
use garden_gate_model::gardener::webhooks::{ConfigurationKind, obstacle};
use garden_gate_products::report::{
    Cluster, Endpoint, FailurePolicy, WebhookOptions, webhook_configurations,
};
use garden_gate_text::yaml;
use serde_json::{Value, json};

fn options() -> WebhookOptions {
    WebhookOptions {
        cluster: Cluster::Garden,
        name: "garden-gate".to_owned(),
        endpoint: Endpoint::Url("https://gate:9443".to_owned()),
        ca_bundle: Some("CA".to_owned()),
        failure_policy: FailurePolicy::Fail,
        of_policies: Vec::new(),
    }
}

/// Returns every (operation, resource) in a configuration.
fn asked(configuration: &Value) -> BTreeSet<(String, String)> {
    let mut asked = BTreeSet::new();
    for webhook in configuration["webhooks"].as_array().unwrap() {
        for rule in webhook["rules"].as_array().unwrap() {
            let [group, version] = ["apiGroups", "apiVersions"].map(|list| only(&rule[list]));
            for operation in rule["operations"].as_array().unwrap() {
                for resource in rule["resources"].as_array().unwrap() {
                    let text = |value: &Value| value.as_str().unwrap().to_owned();
                    let main = text(resource);
                    let main = main.split('/').next().unwrap();
                    assert!(Kind::of_resource(&group, &version, main).is_some(), "{rule}");
                    assert!(asked.insert((text(operation), text(resource))), "asked twice");
                }
            }
        }
    }
    asked
}

fn only(list: &Value) -> String {
    let [item] = &list.as_array().unwrap()[..] else { unreachable!("not one item: {list}") };
    item.as_str().unwrap().to_owned()
}

#[test]
fn exactly_what_enabled_rules_look_at_is_asked_about_but_never_a_status() {
    let all_off: Config = Config {
        levels: rules::ALL.iter().map(|rule| (rule.id.to_owned(), Level::Off)).collect(),
        ..Config::default()
    };
    let one_on = rules::ALL.iter().map(|rule| {
        let mut config = all_off.clone();
        config.levels.insert(rule.id.to_owned(), Level::Deny);
        config
    });
    let complete = Config { admission: ServerAdmission::Complete, ..Config::default() };
    for config in [Config::default(), complete, all_off.clone()].into_iter().chain(one_on) {
        let configurations = webhook_configurations(rules::ALL, &config, &options());
        for (configuration, mutating) in configurations.iter().zip([true, false]) {
            let mut expected = BTreeSet::new();
            for kind in Kind::judged().filter(|kind| !kind.is_outside_garden()) {
                for operation in [Operation::Create, Operation::Update, Operation::Delete] {
                    for subresource in Subresource::ALL {
                        let mut looking = rules::ALL.iter().filter(|rule| {
                            let entry_point =
                                if mutating { EntryPoint::Mutate } else { EntryPoint::Validate };
                            rule.runs_at(entry_point, &config)
                                && rule.is_on(&config)
                                && rule.applies_to(kind, operation, subresource)
                        });
                        if subresource != Subresource::Status && looking.next().is_some() {
                            let resource = format!("{}/{}", kind.resource(), subresource.as_str())
                                .trim_end_matches('/')
                                .to_owned();
                            expected.insert((operation.as_str().to_owned(), resource));
                        }
                    }
                }
            }
            assert_eq!(asked(configuration), expected);
        }
    }
}

#[test]
fn exemptions_become_conditions_with_nothing_to_break_out_of() {
    let mut config = Config::default();
    config.exemptions.all = Exemption {
        users: vec!["a'\"\\ || true".to_owned()],
        groups: vec!["system:masters".to_owned()],
        namespaces: vec!["garden".to_owned()],
    };
    for configuration in webhook_configurations(rules::ALL, &config, &options()) {
        let conditions = &configuration["webhooks"][0]["matchConditions"];
        assert_eq!(
            conditions[0]["expression"],
            r#"!(request.userInfo.username in ["a'\"\\ || true"])"#
        );
        assert_eq!(
            conditions[1]["expression"],
            r#"!(has(request.userInfo.groups) && request.userInfo.groups.exists(group, group in ["system:masters"]))"#
        );
        assert_eq!(
            conditions[2]["expression"],
            r#"!(has(request.namespace) && request.namespace in ["garden"])"#
        );
    }
}

#[test]
fn the_whole_output_is_as_reviewed() {
    let directory = tempfile::tempdir().unwrap();
    let config = directory.path().join("config.yaml");
    // One rule of each entry point, so that new rules do not affect this test.
    let mut text = "apiVersion: garden-gate.dev/v1alpha1\nkind: GateConfiguration\nexempt: {users: [robot]}\nrules:\n".to_owned();
    for rule in rules::ALL {
        let kept = ["shoot/tolerations-default", "shoot/tolerations-invalid"];
        if !kept.contains(&rule.id) {
            text.push_str(&format!("  {}: off\n", rule.id));
        }
    }
    fs::write(&config, text).unwrap();
    let mut command = garden_gate(&["webhooks", "--service", "garden/garden-gate", "--config"]);
    let (_, out, err) = printed(command.arg(&config).output().unwrap());
    assert_eq!(err, "");
    insta::assert_snapshot!(out);
}

#[test]
fn a_shoot_cluster_is_asked_about_what_lives_there_and_never_to_change_it() {
    let options = WebhookOptions { cluster: Cluster::Shoot, ..options() };
    let [mutating, validating] = webhook_configurations(rules::ALL, &Config::default(), &options);
    assert_eq!(mutating["webhooks"], json!([]));
    let mut expected = BTreeSet::new();
    for resource in ["daemonsets", "deployments"] {
        for operation in ["CREATE", "UPDATE"] {
            expected.insert((operation.to_owned(), resource.to_owned()));
        }
    }
    assert_eq!(asked(&validating), expected);
    chart_has("webhooks-shoot.yaml", &[mutating, validating]);
}

#[test]
fn the_registration_in_a_shoot_cluster_is_no_obstacle_itself() {
    let mut command =
        garden_gate(&["webhooks", "--shoot-cluster", "--service", "kube-system/gate"]);
    command.args(["--failure-policy", "Ignore"]);
    let (_, out, _) = printed(command.output().unwrap());
    let kinds = out.matches("\nkind: ValidatingWebhookConfiguration").count();
    assert_eq!((kinds, out.matches("---\n").count()), (1, 1), "{out}");
    let object: Value = serde_saphyr::from_str(&out).unwrap();
    let configuration = serde_json::from_value(object).unwrap();
    let alone = [(ConfigurationKind::Validating, configuration)];
    assert_eq!(obstacle(&alone), None);
}

/// The chart installs the registration without running the command, so both must agree.
#[test]
fn the_chart_registers_what_the_command_prints_for_the_default_configuration() {
    let printed = webhook_configurations(rules::ALL, &Config::default(), &options());
    chart_has("webhooks.yaml", &printed);
}

/// The chart selects this file by `config.admission`.
#[test]
fn the_chart_registers_what_the_command_prints_for_complete_admission() {
    let config = Config { admission: ServerAdmission::Complete, ..Config::default() };
    let printed = webhook_configurations(rules::ALL, &config, &options());
    let validated = asked(&printed[1]);
    for resource in ["credentialsbindings", "secretbindings"] {
        let create = ("CREATE".to_owned(), resource.to_owned());
        assert!(validated.contains(&create), "{validated:?}");
    }
    chart_has("webhooks-complete.yaml", &printed);
}

/// Compares data that the chart embeds with a file; writes the file if `UPDATE_DOCS` is set.
fn chart_has(file: &str, printed: &[Value; 2]) {
    let lists = printed.each_ref().map(|configuration| {
        let webhooks = configuration["webhooks"].as_array().unwrap().iter();
        let entry = |webhook: &Value| {
            let (name, _) = webhook["name"].as_str().unwrap().split_once('.').unwrap();
            json!({"name": name, "rules": webhook["rules"], "matchConditions": webhook["matchConditions"]})
        };
        webhooks.map(entry).collect::<Vec<_>>()
    });
    let [mutating, validating] = lists;
    let wanted = json!({"mutating": mutating, "validating": validating});
    let path = format!("charts/garden-gate/files/{file}");
    if std::env::var_os("UPDATE_DOCS").is_some() {
        let comment = "# Made from what `garden-gate webhooks` prints: UPDATE_DOCS=1 cargo test --test meta webhooks::";
        let yaml = serde_saphyr::to_string(&wanted).unwrap();
        fs::write(&path, format!("{comment}\n{yaml}")).unwrap();
    }
    let chart: Value = serde_saphyr::from_str(&fs::read_to_string(&path).unwrap()).unwrap();
    assert_eq!(chart, wanted, "{path}: run UPDATE_DOCS=1 cargo test --test meta webhooks::");
}

/// Returns all permissions in the garden that the chart grants: verb, group, resource and namespace.
fn granted() -> BTreeSet<[String; 4]> {
    let template = fs::read_to_string("charts/garden-gate/templates/rbac-garden.yaml").unwrap();
    let lines = template.lines().filter(|line| !line.contains("{{"));
    let text: Vec<&str> = lines.collect();
    let mut granted = BTreeSet::new();
    for document in yaml::parse(&text.join("\n")).unwrap() {
        let role = document.to_value();
        let namespace = role["metadata"]["namespace"].as_str().unwrap_or_default();
        for rule in role["rules"].as_array().into_iter().flatten() {
            let group = only(&rule["apiGroups"]);
            for resource in rule["resources"].as_array().unwrap() {
                for verb in rule["verbs"].as_array().unwrap() {
                    let [verb, resource] = [verb, resource].map(|it| it.as_str().unwrap());
                    granted.insert([verb, &group, resource, namespace].map(str::to_owned));
                }
            }
        }
    }
    granted
}

#[test]
fn the_chart_grants_what_rules_look_up_and_nothing_else() {
    let mut needed: Vec<Right> = Right::of_watches().collect();
    // Only with `publish.enabled`.
    needed.push(Right::new("create", "authentication.k8s.io", "tokenreviews"));
    // Only with `notify`: the state, and Events on Shoots.
    needed.extend(["get", "create", "update"].map(|verb| Right::new(verb, "", "configmaps")));
    needed.push(Right::new("create", "", "events"));
    // The server reads the version of Gardener, which no rule looks up.
    needed.push(Right::new("get", "", "configmaps").on("gardener-info"));
    // No server runs rules that are for `review` only.
    let of_servers = rules::ALL
        .iter()
        .filter(|it| matches!(it.entry_points, EntryPoints::All | EntryPoints::Plugin));
    let reads = of_servers.flat_map(|rule| rule.reads);
    for read in reads.filter(|it| !it.is_offline) {
        needed.extend(match read.what {
            Reading::Verbs => {
                let reviews = "subjectaccessreviews";
                vec![Right::new("create", "authorization.k8s.io", reviews)]
            }
            // Servers read no Secrets, and decide nothing that depends on their existence.
            Reading::Names => Vec::new(),
            Reading::Objects(kind) => {
                let rights = Right::to_know(kind);
                assert!(!rights.is_empty(), "no API server is asked about a {kind}");
                rights
            }
        });
    }
    let needed = needed.into_iter().map(|right| {
        let Right { verb, group, resource, namespace, .. } = right;
        [verb, group, resource, &namespace].map(str::to_owned)
    });
    let (granted, needed): (_, BTreeSet<_>) = (granted(), needed.collect());
    let lacking: Vec<_> = needed.difference(&granted).collect();
    assert!(lacking.is_empty(), "the chart does not grant {lacking:?}");
    let idle: Vec<_> = granted.difference(&needed).collect();
    assert!(idle.is_empty(), "no rule needs {idle:?}");
}
