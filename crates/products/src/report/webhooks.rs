// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use garden_gate_core::admission::{EntryPoint, Kind, Operation, Rule, Scope, Subresource};
use garden_gate_core::config::{Config, Exemption};
use garden_gate_model::gardener::defaults::incomplete;

/// The address at which an API server reaches the webhook server.
#[derive(Clone, Debug, Eq, PartialEq)]
pub enum Endpoint {
    /// A URL that begins with `https://` and does not end with a slash.
    Url(String),
    /// A Service in the same cluster.
    Service {
        /// The namespace of the Service.
        namespace: String,
        /// The name of the Service.
        name: String,
        /// The port of the Service.
        port: u16,
    },
}

/// The behaviour of an API server if the webhook server is not reachable.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum FailurePolicy {
    /// Requests are refused.
    Fail,
    /// Requests are allowed without a verdict.
    Ignore,
}

/// The cluster whose API server calls the webhooks.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Cluster {
    /// The garden cluster.
    Garden,
    /// A Shoot cluster, for which garden-gate only warns.
    ///
    /// Pods are left out, because the controllers that create them read no warnings. Webhook configurations are left
    /// out, because API servers call no webhooks for them.
    Shoot,
}

impl Cluster {
    fn asks_about(self, kind: Kind) -> bool {
        match self {
            Cluster::Garden => !kind.is_outside_garden(),
            Cluster::Shoot => matches!(kind, Kind::DaemonSet | Kind::Deployment),
        }
    }
}

/// The settings of webhook configurations that do not follow from rules.
#[derive(Clone, Debug)]
pub struct WebhookOptions {
    /// The cluster whose API server calls the webhooks.
    pub cluster: Cluster,
    /// The name of both objects.
    pub name: String,
    /// The address of the webhook server.
    pub endpoint: Endpoint,
    /// The CA of the server's certificate as PEM; `None` if the API server trusts the CA already.
    pub ca_bundle: Option<String>,
    /// The behaviour if the webhook server is not reachable.
    pub failure_policy: FailurePolicy,
    /// The requests that policies of operators judge, in addition to those of rules.
    pub of_policies: Vec<(Kind, Operation)>,
}

/// Timeout of a webhook: the default of Kubernetes, which suffices for live lookups.
const TIMEOUT_SECONDS: u8 = 10;

/// Condition that skips updates without changes.
///
/// Such an update stores the same object again, so a refusal would protect nothing; Gardener's own plugins return early
/// as well. The whole objects are compared, whatever fields their kind has, since policies can read all of them. An update
/// of the object itself cannot change the status. Requests for subresources always match.
const CHANGED: &str = "request.operation != 'UPDATE' || (has(request.subResource) && request.subResource != '') \
    || object != oldObject";

/// Condition for the changes on which mutating rules may act.
///
/// In all other conditions the spec is a map. These rules do not read labels, finalizers or owners; a deletion only
/// makes them do less.
const CHANGES_SPEC_OR_ANNOTATIONS: &str = "request.operation != 'UPDATE' \
    || (has(request.subResource) && request.subResource != '') \
    || object.?spec != oldObject.?spec \
    || object.metadata.?annotations != oldObject.metadata.?annotations \
    || type(object.?spec.orValue(null)) != map";

/// Returns the mutating and the validating webhook configuration for the enabled `rules`.
///
/// They match exactly the requests that `rules` and policies judge under `config`. Requests for the status subresource are left out,
/// since no rule judges them.
pub fn webhook_configurations(
    rules: &[&Rule],
    config: &Config,
    options: &WebhookOptions,
) -> [Value; 2] {
    [EntryPoint::Mutate, EntryPoint::Validate].map(|entry_point| {
        let enabled: Vec<&Rule> = rules
            .iter()
            .filter(|rule| rule.is_on(config) && rule.runs_at(entry_point, config))
            .copied()
            .collect();
        let mut requests = requests(enabled.iter().copied(), options.cluster);
        if entry_point == EntryPoint::Validate {
            add_requests(&options.of_policies, options.cluster, &mut requests);
        }
        let webhooks = requests.iter().map(|(kind, operations)| {
            let concerned = match entry_point {
                EntryPoint::Mutate => may_be_mutated(*kind, operations, &enabled),
                EntryPoint::Validate | EntryPoint::Review | EntryPoint::Audit => {
                    Some(("changes-what-rules-read", CHANGED.to_owned()))
                }
            };
            webhook(entry_point, *kind, operations, concerned, config, options)
        });
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1",
            "kind": match entry_point {
                EntryPoint::Mutate => "MutatingWebhookConfiguration",
                EntryPoint::Validate | EntryPoint::Review | EntryPoint::Audit => "ValidatingWebhookConfiguration",
            },
            "metadata": {"name": options.name, "labels": {"app.kubernetes.io/name": "garden-gate"}},
            "webhooks": webhooks.collect::<Vec<_>>(),
        })
    })
}

/// Returns the condition under which `/mutate` may change, refuse or warn about a request.
///
/// The spec or the annotations change, or a rule declares that it acts on other conditions. Returns `None` if every
/// request matches.
fn may_be_mutated(
    kind: Kind,
    operations: &Operations,
    enabled: &[&Rule],
) -> Option<(&'static str, String)> {
    if !operations.contains_key(&Operation::Update) {
        return None;
    }
    let update = |rule: &&&Rule| rule.applies_to(kind, Operation::Update, Subresource::Itself);
    let mut reasons: Vec<&str> = vec![CHANGES_SPEC_OR_ANNOTATIONS];
    let declared: Option<Vec<_>> =
        enabled.iter().filter(update).map(|rule| rule.acts_on_unchanged).collect();
    for reason in declared?.into_iter().flatten().chain(incomplete(kind)) {
        if !reasons.contains(reason) {
            reasons.push(reason);
        }
    }
    Some(("may-be-mutated", reasons.join(" || ")))
}

/// The judged resources by operation.
type Operations = BTreeMap<Operation, BTreeSet<String>>;

fn requests<'a>(
    rules: impl Iterator<Item = &'a Rule>,
    cluster: Cluster,
) -> BTreeMap<Kind, Operations> {
    let mut requests: BTreeMap<Kind, Operations> = BTreeMap::new();
    let asks = |scope: &&Scope| cluster.asks_about(scope.kind);
    for scope in rules.flat_map(|rule| rule.scopes).filter(asks) {
        let judged = scope.subresources.iter().filter(|it| **it != Subresource::Status);
        for subresource in judged {
            let resource = match subresource {
                Subresource::Itself => scope.kind.resource().to_owned(),
                other => format!("{}/{}", scope.kind.resource(), other.as_str()),
            };
            for operation in scope.operations {
                let operations = requests.entry(scope.kind).or_default();
                let resources = operations.entry(*operation).or_default();
                resources.insert(resource.clone());
            }
        }
    }
    requests
}

/// Adds requests for objects themselves.
fn add_requests(
    added: &[(Kind, Operation)],
    cluster: Cluster,
    requests: &mut BTreeMap<Kind, Operations>,
) {
    for (kind, operation) in added.iter().filter(|(kind, _)| cluster.asks_about(*kind)) {
        let operations = requests.entry(*kind).or_default();
        let resources = operations.entry(*operation).or_default();
        resources.insert(kind.resource().to_owned());
    }
}

fn webhook(
    entry_point: EntryPoint,
    kind: Kind,
    operations: &Operations,
    concerned: Option<(&'static str, String)>,
    config: &Config,
    options: &WebhookOptions,
) -> Value {
    let (path, word) = match entry_point {
        EntryPoint::Mutate => ("/mutate", "mutate"),
        EntryPoint::Validate | EntryPoint::Review | EntryPoint::Audit => ("/validate", "validate"),
    };
    let mut webhook = json!({
        "name": format!("{}.{word}.garden-gate.dev", kind.resource()),
        "admissionReviewVersions": ["v1"],
        "clientConfig": client_config(path, options),
        "failurePolicy": match options.failure_policy {
            FailurePolicy::Fail => "Fail",
            FailurePolicy::Ignore => "Ignore",
        },
        "matchConditions": match_conditions(concerned, &config.exemptions.all),
        "matchPolicy": "Equivalent",
        "rules": webhook_rules(kind, operations),
        "sideEffects": "None",
        "timeoutSeconds": TIMEOUT_SECONDS,
    });
    if entry_point == EntryPoint::Mutate {
        // Later mutations by other webhooks may need another verdict together with our own.
        webhook["reinvocationPolicy"] = json!("IfNeeded");
    }
    webhook
}

fn client_config(path: &str, options: &WebhookOptions) -> Value {
    let mut client_config = match &options.endpoint {
        Endpoint::Url(url) => json!({"url": format!("{url}{path}")}),
        Endpoint::Service { namespace, name, port } => json!({
            "service": {"namespace": namespace, "name": name, "port": port, "path": path},
        }),
    };
    if let Some(bundle) = &options.ca_bundle {
        client_config["caBundle"] = json!(BASE64_STANDARD.encode(bundle));
    }
    client_config
}

/// Returns one entry for all operations on the same resources.
fn webhook_rules(kind: Kind, operations: &Operations) -> Vec<Value> {
    let mut by_resources: BTreeMap<&BTreeSet<String>, Vec<&str>> = BTreeMap::new();
    for (operation, resources) in operations {
        let same = by_resources.entry(resources).or_default();
        same.push(operation.as_str());
    }
    let (group, version) = kind.api();
    let rule = |(resources, operations)| {
        json!({
            "apiGroups": [group],
            "apiVersions": [version],
            "operations": operations,
            "resources": resources,
            "scope": if kind.is_namespaced() { "Namespaced" } else { "Cluster" },
        })
    };
    by_resources.into_iter().map(rule).collect()
}

/// Returns match conditions that avoid unnecessary calls.
///
/// The server applies exemptions itself as well.
fn match_conditions(concerned: Option<(&'static str, String)>, exempt: &Exemption) -> Vec<Value> {
    let users = (!exempt.users.is_empty()).then(|| {
        let users = list(&exempt.users);
        ("not-an-exempt-user", format!("!(request.userInfo.username in {users})"))
    });
    let groups = (!exempt.groups.is_empty()).then(|| {
        let groups = list(&exempt.groups);
        let any = format!("request.userInfo.groups.exists(group, group in {groups})");
        ("not-in-an-exempt-group", format!("!(has(request.userInfo.groups) && {any})"))
    });
    let namespaces = (!exempt.namespaces.is_empty()).then(|| {
        let namespaces = list(&exempt.namespaces);
        let any = format!("request.namespace in {namespaces}");
        ("not-in-an-exempt-namespace", format!("!(has(request.namespace) && {any})"))
    });
    let conditions = [users, groups, namespaces, concerned].into_iter().flatten();
    conditions.map(|(name, expression)| json!({"name": name, "expression": expression})).collect()
}

/// Formats a list of strings in CEL, whose string literals are those of JSON.
fn list(items: &[String]) -> String {
    json!(items).to_string()
}
