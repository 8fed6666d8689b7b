// SPDX-License-Identifier: Apache-2.0
//! The decisions of small extensions, by the rows of their tables: each with an object that violates it, next to a valid one.

use std::collections::BTreeSet;

use garden_gate_core::admission::{Finding, Review};
use garden_gate_core::config::{Config, ExtensionSettings, Level, Profile};
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot, read_with_configuration};
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_model::api::extensions::ExtensionVersion;
use rstest::rstest;
use serde_json::{Value, json};

use crate::judging::{Setup, request};

/// A row of a table: its name, the changes of a valid Shoot by JSON pointers, and the findings.
///
/// `null` removes a field. Pointers begin in the configuration, except those to `/spec/` and `/status`.
type Row<'r> = (&'r str, Vec<(&'r str, Value)>, &'r [&'r str]);

/// Returns a garden with a Secret, a ConfigMap and WorkloadIdentities called `here`, `aws` and `gcp`; those called `gone` do not exist.
fn garden() -> Snapshot {
    let mut garden = Snapshot::new(Knowledge::Everything);
    let project = json!({"metadata": {"name": "p"}, "spec": {"namespace": "garden-p"}});
    apply(&mut garden, Kind::Project, &project);
    for class in ["aws", "gcp"] {
        let identity = json!({"metadata": {"name": class, "namespace": "garden-p"}, "spec": {"targetSystem": {"type": class}}});
        apply(&mut garden, Kind::WorkloadIdentity, &identity);
    }
    for kind in [Kind::Secret, Kind::ConfigMap] {
        for name in ["here", "gone"] {
            let key = ObjectKey::new(kind, "garden-p", name);
            garden.answer_named(key, Ok(name == "here"));
        }
    }
    garden
}

fn apply(garden: &mut Snapshot, kind: Kind, object: &Value) {
    let object = read_with_configuration(kind, object.to_string().as_str());
    garden.apply(object.unwrap().unwrap());
}

fn shoot(class: &str, config: &Value) -> Value {
    let resource = |name: &str, kind: &str, object: &str| {
        let version = match kind {
            "WorkloadIdentity" => "security.gardener.cloud/v1alpha1",
            _ => "v1",
        };
        json!({"name": name, "resourceRef": {"apiVersion": version, "kind": kind, "name": object}})
    };
    json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
    "metadata": {"name": "web", "namespace": "garden-p"},
    "spec": {"cloudProfile": {"name": "c"}, "region": "eu", "kubernetes": {"version": "1.31.4"},
        "networking": {"type": "calico"},
        "provider": {"type": "stratus", "workers": [{"name": "pool", "minimum": 1, "maximum": 2,
            "machine": {"type": "m", "image": {"name": "i", "version": "1.0.0"}}}]},
        "extensions": [{"type": "other"}, {"type": class, "providerConfig": config}],
        "resources": [
            resource("secret", "Secret", "here"),
            resource("lost-secret", "Secret", "gone"),
            resource("config", "ConfigMap", "here"),
            resource("lost-config", "ConfigMap", "gone"),
            resource("aws", "WorkloadIdentity", "aws"),
            resource("gcp", "WorkloadIdentity", "gcp"),
            resource("lost-identity", "WorkloadIdentity", "gone"),
            resource("nothing", "Secret", ""),
        ]}})
}

/// Sets the value at a JSON pointer, or removes it with `null`.
fn set(object: &mut Value, pointer: &str, value: &Value) {
    let pointer = if pointer.starts_with("/spec/") || pointer == "/status" {
        pointer.to_owned()
    } else {
        format!("/spec/extensions/1/providerConfig{pointer}")
    };
    let (above, name) = pointer.rsplit_once('/').unwrap();
    match object.pointer_mut(above).unwrap() {
        Value::Object(fields) if value.is_null() => _ = fields.remove(name),
        Value::Object(fields) => _ = fields.insert(name.to_owned(), value.clone()),
        items => items[name.parse::<usize>().unwrap()] = value.clone(),
    }
}

struct Extension {
    name: &'static str,
    version: Option<ExtensionVersion>,
}

impl Extension {
    fn named(name: &'static str) -> Self {
        Self { name, version: None }
    }

    fn before(self, minor: u16) -> Self {
        let major = u16::from(self.name.ends_with("-service"));
        Self { version: Some(ExtensionVersion::new(major, minor - 1)), ..self }
    }

    fn review(&self, garden: &Snapshot, object: &Value, old: Option<&Value>) -> Review {
        let mut config = Config { profile: Profile::Documented, ..Config::default() };
        let settings = ExtensionSettings {
            version: self.version,
            admission: Some(true),
            ..ExtensionSettings::default()
        };
        config.extensions.insert(self.name, settings);
        // The component of registry-mirror is that of registry-cache.
        config
            .extensions
            .entry("registry-cache")
            .or_insert(ExtensionSettings { admission: Some(true), ..ExtensionSettings::default() });
        let setup = Setup { config, garden: garden.clone(), ..Setup::with_project(None) };
        let rule = format!("{}/shoot", self.name);
        let own: Vec<_> = rules::ALL.iter().copied().filter(|it| it.id == rule).collect();
        let operation = if old.is_some() { "UPDATE" } else { "CREATE" };
        setup.review_with(&own, &request("shoots", operation, object, old))
    }

    /// Checks that a Shoot is valid, and that each row has exactly its findings.
    fn check(&self, valid: &Value, rows: &[Row<'_>]) {
        self.check_as(told, valid, rows);
    }

    /// Does the same with findings in another notation.
    fn check_as(&self, told: fn(&Review) -> BTreeSet<String>, valid: &Value, rows: &[Row<'_>]) {
        let garden = garden();
        assert_eq!(told(&self.review(&garden, valid, None)), BTreeSet::new(), "{}", self.name);
        for (id, changes, expected) in rows {
            let mut object = valid.clone();
            for (pointer, value) in changes {
                set(&mut object, pointer, value);
            }
            let found = told(&self.review(&garden, &object, None));
            let expected: BTreeSet<String> =
                expected.iter().map(|it| format!("{}/{it}", self.name)).collect();
            assert_eq!(found, expected, "{}, {id}", self.name);
        }
    }
}

fn told(review: &Review) -> BTreeSet<String> {
    let level = |finding: &Finding| match finding.level {
        Level::Deny => String::new(),
        other => format!(" {other:?}"),
    };
    let found = review
        .findings
        .iter()
        .map(|it| format!("{} {:?} {}{}", it.finding, it.error, it.field, level(it)));
    let unknown = review
        .undetermined
        .iter()
        .map(|it| format!("{}/undetermined {}", it.rule.split_once('/').unwrap().0, it.field));
    found.chain(unknown).collect()
}

fn changed(mut object: Value, changes: &[(&str, Value)]) -> Value {
    for (pointer, value) in changes {
        set(&mut object, pointer, value);
    }
    object
}

fn dns_config() -> Value {
    json!({"apiVersion": "service.dns.extensions.gardener.cloud/v1alpha1", "kind": "DNSConfig",
        "syncProvidersFromShootSpecDNS": false,
        "providers": [{"type": "aws-route53", "credentials": "secret"}]})
}

#[test]
fn dns_service_by_rows() {
    let valid = shoot("shoot-dns-service", &dns_config());
    let (kind, credentials, secret) =
        ("/providers/0/type", "/providers/0/credentials", "/providers/0/secretName");
    let config = "spec.extensions.[@.type='shoot-dns-service'].providerConfig[0]";
    let at = |finding: &str, field: &str| format!("{finding} Invalid {config}.{field}");
    let invalid_type = at("type", "type");
    let [in_secret, in_credentials] = ["secretName", "credentials"].map(|it| at("credentials", it));
    let [secret_kind, credentials_kind] =
        ["secretName.kind", "credentials.kind"].map(|it| at("credentials", it));
    let missing = at("credentials-missing", "credentials.ref");
    let wrong = at("workload-identity", "credentials.ref");
    let both = [in_secret.as_str(), &in_credentials];
    Extension::named("dns-service").check(
        &valid,
        &[
            ("D1", vec![("/providers", json!("x"))], &["undecodable Decode "]),
            ("D1: other kind", vec![("/kind", json!("Config"))], &["undecodable Decode "]),
            ("D1: unknown field", vec![("/unknown", json!(1))], &[]),
            ("D1: no version", vec![("/apiVersion", json!(null)), (kind, json!("x"))], &[]),
            ("D2", vec![(kind, json!(null))], &[&format!("type Required {config}.type")]),
            ("D3", vec![(kind, json!("route53"))], &[&invalid_type]),
            ("D4", vec![(credentials, json!(null))], &both),
            ("D5", vec![(secret, json!("secret"))], &both),
            ("D6", vec![(credentials, json!("unlisted"))], &[&in_credentials]),
            (
                "D6: Secret",
                vec![(credentials, json!(null)), (secret, json!("unlisted"))],
                &[&in_secret],
            ),
            ("D7", vec![(credentials, json!("nothing"))], &[&in_credentials]),
            ("D8", vec![(credentials, json!("config"))], &[&credentials_kind]),
            ("D9", vec![(credentials, json!(null)), (secret, json!("aws"))], &[&secret_kind]),
            ("D10", vec![(credentials, json!("lost-secret"))], &[&missing]),
            (
                "D10: no type",
                vec![(credentials, json!("lost-secret")), (kind, json!(""))],
                &[&format!("type Required {config}.type")],
            ),
            ("D13", vec![(credentials, json!("lost-identity"))], &[&missing]),
            (
                "D13: no type",
                vec![(credentials, json!("lost-identity")), (kind, json!(""))],
                &[&format!("type Required {config}.type")],
            ),
            (
                "D15",
                vec![(credentials, json!("aws")), (kind, json!("cloudflare-dns"))],
                &[&invalid_type],
            ),
            ("D16", vec![(credentials, json!("gcp"))], &[&wrong]),
            ("D16: right", vec![(credentials, json!("aws"))], &[]),
            (
                "disabled",
                vec![("/spec/extensions/1/disabled", json!(true)), (kind, json!("x"))],
                &[],
            ),
        ],
    );
    let by_secret = changed(valid, &[(credentials, json!(null)), (secret, json!("secret"))]);
    Extension::named("dns-service").before(78).check(
        &by_secret,
        &[
            (
                "D4",
                vec![(secret, json!(null))],
                &[&format!("credentials Required {config}.secretName")],
            ),
            ("D8", vec![(secret, json!("config"))], &[]),
            (
                "D10",
                vec![(secret, json!("lost-secret"))],
                &[&at("credentials-missing", "secretName.ref")],
            ),
            (
                "D10: no type",
                vec![(secret, json!("lost-secret")), (kind, json!(""))],
                &[&format!("type Required {config}.type")],
            ),
        ],
    );
    Extension::named("dns-service").before(68).check(
        &by_secret,
        &[
            ("D3", vec![(kind, json!("gdch-dns"))], &[&invalid_type]),
            ("D7", vec![(secret, json!("nothing"))], &[]),
            ("D10", vec![(secret, json!("lost-secret"))], &[]),
        ],
    );
}

#[rstest]
#[case::secret(None, "/providers/0/credentials", "lost-secret")]
#[case::identity(None, "/providers/0/credentials", "lost-identity")]
#[case::secret_before_identities(Some(78), "/providers/0/secretName", "lost-secret")]
fn dns_service_looks_up_credentials_of_changed_configurations(
    #[case] first: Option<u16>,
    #[case] field: &str,
    #[case] name: &str,
) {
    let lost = [("/providers/0/credentials", json!(null)), (field, json!(name))];
    let object = changed(shoot("shoot-dns-service", &dns_config()), &lost);
    let extension = Extension::named("dns-service");
    let extension = match first {
        Some(minor) => extension.before(minor),
        None => extension,
    };
    let count = |old: &Value| extension.review(&garden(), &object, Some(old)).findings.len();
    assert_eq!(count(&object), 0);
    let zones = [("/providers/0/zones", json!({"include": ["Z1"]}))];
    assert_eq!(count(&changed(object.clone(), &zones)), 1);
}

/// Returns a Shoot with DNS providers, whose configuration is `config`.
fn with_dns(config: &Value) -> Value {
    let mut object = shoot("shoot-dns-service", config);
    object["spec"]["resources"] = json!([
        {"name": "mine", "resourceRef": {"apiVersion": "v1", "kind": "Secret", "name": "here"}},
        {"name": "shoot-dns-service-old", "resourceRef": {"apiVersion": "v1", "kind": "Secret", "name": "old"}},
    ]);
    object["spec"]["dns"] = json!({"domain": "web.example.com", "providers": [
        {"type": "aws-route53", "primary": true, "credentialsRef": {"apiVersion": "v1", "kind": "Secret", "name": "here"}},
        {"type": "google-clouddns", "secretName": "other", "domains": {"include": ["a.io"], "exclude": []}}]});
    object
}

/// Returns the changes of the mutating webhook, by JSON pointers.
fn edits(object: &Value, garden: &Snapshot) -> Vec<(String, Value)> {
    let review = Extension::named("dns-service").review(garden, object, None);
    assert_eq!(told(&review), BTreeSet::new());
    let edits = review.extension_edits.into_iter();
    edits.map(|it| (it.pointer, it.value)).collect()
}

fn copied() -> Value {
    json!({"apiVersion": "service.dns.extensions.gardener.cloud/v1alpha1", "kind": "DNSConfig",
        "syncProvidersFromShootSpecDNS": true, "providers": [
            {"type": "aws-route53", "domains": {"include": ["web.example.com"]}, "credentials": "shoot-dns-service-here"},
            {"type": "google-clouddns", "domains": {"include": ["a.io"]}, "secretName": "shoot-dns-service-other"}]})
}

#[rstest]
#[case::no_config(json!(null), copied())]
#[case::empty(json!({}), copied())]
#[case::overwritten(json!({"syncProvidersFromShootSpecDNS": true, "providers": [], "unknown": 1}), copied())]
fn dns_providers_of_a_shoot_are_copied(#[case] config: Value, #[case] expected: Value) {
    let object = with_dns(&config);
    let secret = |name: &str| {
        json!({"name": format!("shoot-dns-service-{name}"),
            "resourceRef": {"apiVersion": "v1", "kind": "Secret", "name": name}})
    };
    let resources = json!([object["spec"]["resources"][0], secret("here"), secret("other")]);
    let expected = [
        ("/spec/resources".to_owned(), resources),
        ("/spec/extensions/1/providerConfig".to_owned(), expected),
    ];
    assert_eq!(edits(&object, &garden()), expected);
}

#[rstest]
#[case::not_synchronized(&[("/syncProvidersFromShootSpecDNS", json!(false))])]
#[case::own_providers(&[("/syncProvidersFromShootSpecDNS", json!(null))])]
#[case::no_dns(&[("/syncProvidersFromShootSpecDNS", json!(null)), ("/spec/dns", json!(null)), ("/providers", json!(null))])]
#[case::disabled(&[("/spec/extensions/1/disabled", json!(true))])]
#[case::created(&[("/syncProvidersFromShootSpecDNS", json!(null)), ("/providers", json!(null)), ("/status", json!({"lastOperation": {"type": "Create", "state": "Succeeded"}}))])]
fn dns_providers_of_a_shoot_are_not_copied(#[case] changes: &[(&str, Value)]) {
    let mut config = dns_config();
    config["providers"][0]["credentials"] = json!("mine");
    let object = changed(with_dns(&config), changes);
    assert_eq!(edits(&object, &garden()), []);
}

#[test]
fn dns_service_is_added_if_it_is_enabled_for_all_shoots() {
    let mut object = with_dns(&json!(null));
    object["spec"]["extensions"] = json!([{"type": "other"}]);
    let mut garden = garden();
    assert_eq!(edits(&object, &garden), []);
    let registration = json!({"metadata": {"name": "dns"}, "spec": {"resources": [
        {"kind": "Extension", "type": "shoot-dns-service", "autoEnable": ["shoot"]}]}});
    apply(&mut garden, Kind::ControllerRegistration, &registration);
    let expected =
        json!([{"type": "other"}, {"type": "shoot-dns-service", "providerConfig": copied()}]);
    let found = edits(&object, &garden);
    assert_eq!(found.last(), Some(&("/spec/extensions".to_owned(), expected)));
}

#[test]
fn dns_service_refuses_other_credentials() {
    let mut object = with_dns(&json!(null));
    object["spec"]["dns"]["providers"][0]["credentialsRef"]["kind"] = json!("ConfigMap");
    let review = Extension::named("dns-service").review(&garden(), &object, None);
    let expected = BTreeSet::from(["dns-service/failure Denied ".to_owned()]);
    assert_eq!(told(&review), expected);
    assert_eq!(review.findings[0].pointer, "/spec/dns/providers/0/credentialsRef");
}

#[test]
fn undecodable_configuration_of_dns_service_is_not_overwritten() {
    let config = json!({"syncProvidersFromShootSpecDNS": true, "providers": "x"});
    let review = Extension::named("dns-service").review(&garden(), &with_dns(&config), None);
    let expected = BTreeSet::from(["dns-service/undecodable Decode ".to_owned()]);
    assert_eq!(told(&review), expected);
}

#[test]
fn dns_service_copies_workload_identities_since_1_78() {
    let mut object = with_dns(&json!(null));
    object["spec"]["dns"]["providers"][0]["credentialsRef"] = json!({
        "apiVersion": "security.gardener.cloud/v1alpha1", "kind": "WorkloadIdentity", "name": "aws"});
    let refused = "dns-service/failure Denied ".to_owned();
    for (extension, expected) in [
        (Extension::named("dns-service"), false),
        (Extension::named("dns-service").before(78), true),
    ] {
        let found = told(&extension.review(&garden(), &object, None));
        assert_eq!(found.contains(&refused), expected, "{found:?}");
    }
}

#[test]
fn rsyslog_relp_by_rows() {
    let valid = shoot(
        "shoot-rsyslog-relp",
        &json!({"apiVersion": "rsyslog-relp.extensions.gardener.cloud/v1alpha1",
        "kind": "RsyslogRelpConfig", "target": "logs.example.com", "port": 2514,
        "tls": {"enabled": true, "secretReferenceName": "secret", "permittedPeer": ["*.example.com"], "authMode": "name", "tlsLib": "openssl"},
        "loggingRules": [{"severity": 5, "programNames": ["systemd"], "messageContent": {"regex": "^a.*", "exclude": "b+"}}],
        "auditConfig": {"enabled": true, "configMapReferenceName": "config"}}),
    );
    let (peer, rule, program) =
        ("/tls/permittedPeer/0", "/loggingRules/0", "/loggingRules/0/programNames/0");
    let (regex, exclude) =
        ("/loggingRules/0/messageContent/regex", "/loggingRules/0/messageContent/exclude");
    let (secret, audit) = ("/tls/secretReferenceName", "/auditConfig/configMapReferenceName");
    let bad_peer = &["invalid Invalid tls.permittedPeer[0]"];
    let bad_program = &["invalid Invalid loggingRules.programNames[0]"];
    let (unlisted, missing) = (&["resource-unlisted Denied "], &["resource-missing Denied "]);
    Extension::named("rsyslog-relp").check(&valid, &[
        ("1", vec![("/spec/extensions/1/providerConfig", json!(null))], &["required Required spec.extensions[1].providerConfig"]),
        ("2", vec![("/unknown", json!(1))], &["undecodable Decode "]),
        ("3", vec![("/target", json!(""))], &["required Required target"]),
        ("4", vec![("/target", json!("logs.example.com:1"))], &["invalid Invalid target"]),
        ("4: IPv6", vec![("/target", json!("2001:db8::1"))], &[]),
        ("5", vec![("/port", json!(-1))], &["invalid Invalid port"]),
        ("6", vec![(secret, json!(""))], &["required Required tls.secretReferenceName"]),
        ("6: no TLS", vec![("/tls", json!({"enabled": false}))], &[]),
        ("6: absent", vec![("/tls", json!(null))], &[]),
        ("7", vec![("/tls/authMode", json!("Name"))], &["invalid NotSupported tls.authMode"]),
        ("8", vec![("/tls/tlsLib", json!("boring"))], &["invalid NotSupported tls.tlsLib"]),
        ("9", vec![(peer, json!(""))], &["required Required tls.permittedPeer[0]"]),
        ("10", vec![(peer, json!("SHA1:01"))], bad_peer),
        ("11", vec![(peer, json!("a.*.io"))], bad_peer),
        ("12", vec![(peer, json!("A.io"))], bad_peer),
        ("12: long", vec![(peer, json!(vec!["a"; 128].join(".")))], bad_peer),
        ("12: fingerprint", vec![(peer, json!("SHA1:0123456789abcdefABCDEF012345678901234567"))], &[]),
        ("13", vec![("/loggingRules", json!([]))], &["required Required loggingRules"]),
        ("14", vec![(rule, json!({}))], &["required Required loggingRules[0]"]),
        ("14: severity", vec![(rule, json!({"severity": 5}))], &[]),
        ("14: programs", vec![(rule, json!({"programNames": ["systemd"]}))], &[]),
        ("14: content", vec![(rule, json!({"messageContent": {"regex": "a"}}))], &[]),
        ("15: exclude", vec![(regex, json!(null))], &[]),
        ("15", vec![("/loggingRules/0/messageContent", json!({}))], &["required Required loggingRules[0].messageContent"]),
        ("16", vec![(regex, json!("("))], &["invalid Required loggingRules[0].messageContent.regex"]),
        ("17", vec![(exclude, json!("[a"))], &["invalid Required loggingRules[0].messageContent.exclude"]),
        ("17: unknown", vec![(exclude, json!("a**"))], &["undetermined spec.extensions[1].providerConfig.loggingRules[0].messageContent.exclude"]),
        ("18", vec![(program, json!(""))], bad_program),
        ("19", vec![(program, json!("a/b"))], bad_program),
        ("20", vec![(program, json!("a b"))], bad_program),
        ("21", vec![(secret, json!("unlisted"))], unlisted),
        ("22", vec![(secret, json!("config"))], unlisted),
        ("23", vec![(secret, json!("lost-secret"))], missing),
        ("28", vec![(audit, json!("unlisted"))], unlisted),
        ("29", vec![(audit, json!("secret"))], unlisted),
        ("30", vec![(audit, json!("lost-config"))], missing),
        ("30: off", vec![(audit, json!("lost-config")), ("/auditConfig/enabled", json!(false))], &[]),
        ("first step", vec![(secret, json!("unlisted")), ("/port", json!(-1))], &["invalid Invalid port"]),
        ("disabled", vec![("/spec/extensions/1/disabled", json!(true)), ("/port", json!(-1))], &[]),
    ]);
    Extension::named("rsyslog-relp").before(11).check(
        &valid,
        &[
            ("4", vec![("/target", json!("logs.example.com:1"))], &[]),
            ("10", vec![(peer, json!("SHA1:01"))], &[]),
            ("14", vec![(rule, json!({}))], &["required Required loggingRules[0]"]),
            ("19", vec![(program, json!("a/b"))], &[]),
        ],
    );
    let old = changed(valid, &[("/loggingRules/0/messageContent", json!(null))]);
    Extension::named("rsyslog-relp").before(8).check(
        &old,
        &[
            ("13", vec![("/loggingRules", json!([]))], &["required Required loggingRules"]),
            ("14", vec![(rule, json!({}))], &[]),
        ],
    );
}

#[test]
fn lakom_by_rows() {
    let valid = shoot(
        "shoot-lakom-service",
        &json!({"apiVersion": "lakom.extensions.gardener.cloud/v1alpha1",
        "kind": "LakomConfig", "scope": "Cluster", "trustedKeysResourceName": "secret"}),
    );
    let keys = "/trustedKeysResourceName";
    let at = |finding: &str| {
        format!("{finding} Invalid spec.extensions[1].providerConfig.trustedKeysResourceName")
    };
    let (unlisted, missing) = (at("secret-unlisted"), at("secret-missing"));
    Extension::named("lakom").check(
        &valid,
        &[
            ("1", vec![("/unknown", json!(1))], &["undecodable Decode "]),
            ("1: no version", vec![("/apiVersion", json!(null))], &["undecodable Decode "]),
            ("1: absent", vec![("/spec/extensions/1/providerConfig", json!(null))], &[]),
            (
                "2",
                vec![("/scope", json!("Shoot"))],
                &["scope NotSupported spec.extensions[1].providerConfig.scope"],
            ),
            (
                "2: disabled",
                vec![("/scope", json!("")), ("/spec/extensions/1/disabled", json!(true))],
                &[],
            ),
            ("3", vec![(keys, json!("unlisted"))], &[&unlisted]),
            ("4", vec![(keys, json!("config"))], &[&unlisted]),
            ("5", vec![(keys, json!("lost-secret"))], &[&missing]),
        ],
    );
    let old = changed(valid, &[(keys, json!(null))]);
    Extension::named("lakom")
        .before(18)
        .check(&old, &[("3", vec![(keys, json!("secret"))], &["undecodable Decode "])]);
}

#[test]
fn auditing_by_rows() {
    let backend = |mode: &str, url: &str| json!({"deliveryMode": mode, "http": {"url": url, "compression": "gzip", "tls": {"secretReferenceName": "secret"}}});
    let valid = shoot(
        "auditing",
        &json!({"apiVersion": "auditing.extensions.gardener.cloud/v1alpha1",
        "kind": "AuditConfiguration", "backends": [backend("Guaranteed", "https://a.io/logs"), backend("BestEffort", "https://b.io")]}),
    );
    let backends = "spec.extensions[1].providerConfig.backends";
    let (url, secret) = ("/backends/0/http/url", "/backends/0/http/tls/secretReferenceName");
    let invalid = |field: &str| format!("invalid Invalid {backends}[0].http.{field}");
    let (bad_url, bad_compression) = (invalid("url"), invalid("compression"));
    let (name, field) = (
        invalid("tls.secretReferenceName"),
        format!("Invalid {backends}[0].http.tls.secretReferenceName"),
    );
    let (unlisted, missing) =
        (format!("secret-unlisted {field}"), format!("secret-missing {field}"));
    Extension::named("auditing").check(
        &valid,
        &[
            (
                "1",
                vec![("/spec/extensions/1/providerConfig", json!(null))],
                &["required Required spec.extensions[1].providerConfig"],
            ),
            ("2", vec![("/unknown", json!(1))], &["undecodable Decode "]),
            ("3", vec![("/backends", json!([]))], &[&format!("required Required {backends}")]),
            (
                "4",
                vec![("/backends/1/http/url", json!("https://a.io/logs"))],
                &[&format!("duplicate Duplicate {backends}[1].http.url")],
            ),
            (
                "5",
                vec![("/backends", json!([backend("BestEffort", "https://a.io")]))],
                &[&format!("delivery-mode Invalid {backends}[0].deliveryMode")],
            ),
            ("5: default", vec![("/backends", json!([backend("", "https://a.io")]))], &[]),
            (
                "6",
                vec![("/backends/1/deliveryMode", json!("Guaranteed"))],
                &[&format!("delivery-mode Invalid {backends}")],
            ),
            (
                "6: none",
                vec![("/backends/0/deliveryMode", json!(""))],
                &[&format!("delivery-mode Invalid {backends}")],
            ),
            (
                "7",
                vec![("/backends/1/deliveryMode", json!("Never"))],
                &[&format!("invalid NotSupported {backends}[1].deliveryMode")],
            ),
            (
                "8",
                vec![("/backends/1/http", json!(null))],
                &[&format!("required Required {backends}[1].http")],
            ),
            ("9", vec![(url, json!(" "))], &[&format!("required Required {backends}[0].http.url")]),
            ("10", vec![(url, json!("https://%zz"))], &[&bad_url]),
            ("11", vec![(url, json!("http://a.io"))], &[&bad_url]),
            ("12", vec![(url, json!("https://a.io?x"))], &[&bad_url]),
            ("13", vec![(url, json!("https://a.io#x"))], &[&bad_url]),
            ("14", vec![(url, json!("https://me@a.io"))], &[&bad_url]),
            (
                "15",
                vec![(secret, json!(""))],
                &[
                    &format!("required Required {backends}[0].http.tls.secretReferenceName"),
                    &unlisted,
                ],
            ),
            ("16", vec![(secret, json!("Secret"))], &[&name, &unlisted]),
            ("17", vec![("/backends/0/http/compression", json!(""))], &[&bad_compression]),
            (
                "18",
                vec![("/backends/0/http/compression", json!("zstd"))],
                &[&format!("invalid NotSupported {backends}[0].http.compression")],
            ),
            ("19", vec![(secret, json!("unlisted"))], &[&unlisted]),
            ("20", vec![(secret, json!("config"))], &[&unlisted]),
            ("21", vec![(secret, json!("lost-secret"))], &[&missing]),
        ],
    );
    let old = changed(
        valid,
        &[("/backends/0/deliveryMode", json!(null)), ("/backends/1/deliveryMode", json!(null))],
    );
    Extension::named("auditing").before(3).check(
        &old,
        &[(
            "8",
            vec![("/backends/1/http", json!(null))],
            &[&format!("required Required {backends}[1].http")],
        )],
    );
}

#[test]
fn problemdetector_by_rows() {
    let valid = shoot(
        "shoot-networking-problemdetector",
        &json!({"apiVersion": "any", "kind": "Any",
        "additionalProbes": [{"jobID": "a", "protocol": "TCP", "host": "a.io", "port": 443, "period": "10s"},
            {"jobID": "b", "protocol": "ICMP", "host": "10.0.0.1", "port": 0}]}),
    );
    let probes = &["invalid Invalid spec.extensions[1].providerConfig.additionalProbes"];
    let at = |field: &str| format!("/additionalProbes/0/{field}");
    let (id, host, port) = (at("jobID"), at("host"), at("port"));
    let (protocol, period) = (at("protocol"), at("period"));
    let undecodable = &["undecodable Invalid spec.extensions[1].providerConfig"];
    Extension::named("problemdetector").check(
        &valid,
        &[
            ("1", vec![("/unknown", json!(1))], undecodable),
            ("1: type", vec![(&period, json!(10))], undecodable),
            ("1: absent", vec![("/spec/extensions/1/providerConfig", json!(null))], &[]),
            ("2", vec![(&id, json!(""))], probes),
            ("3", vec![(&id, json!(" a"))], probes),
            ("4", vec![(&id, json!("b"))], probes),
            ("5", vec![(&host, json!(" "))], probes),
            ("6", vec![(&host, json!("a.io:443"))], probes),
            ("7", vec![(&port, json!(0))], probes),
            ("7: HTTPS", vec![(&protocol, json!("HTTPS")), (&port, json!(65536))], probes),
            ("8", vec![(&protocol, json!("UDP"))], probes),
            ("9", vec![(&period, json!("9s"))], probes),
        ],
    );
}

#[test]
fn cert_service_by_rows() {
    let valid = shoot(
        "shoot-cert-service",
        &json!({"apiVersion": "service.cert.extensions.gardener.cloud/v1alpha1", "kind": "CertConfig",
        "precheckNameservers": "8.8.8.8,[2001:db8::1]:53", "dnsChallengeOnShoot": {"enabled": true, "namespace": "dns"},
        "issuers": [
            {"name": "a", "server": "https://acme.example.com/directory", "email": "me@example.com", "requestsPerDayQuota": 1,
                "privateKeySecretName": "secret", "precheckNameservers": ["dns.google"]},
            {"name": "b", "server": "https://acme.example.com/directory", "email": "me@example.com", "skipDNSChallengeValidation": true,
                "externalAccountBinding": {"keyID": "id", "keySecretName": "secret"}}]}),
    );
    let (key, binding) =
        ("/issuers/0/privateKeySecretName", "/issuers/1/externalAccountBinding/keySecretName");
    let servers = "/precheckNameservers";
    Extension::named("cert-service").check(
        &valid,
        &[
            ("D0", vec![("/issuer", json!([]))], &["undecodable Decode  Warn"]),
            ("D0: absent", vec![("/spec/extensions/1/providerConfig", json!(null))], &[]),
            (
                "default issuer",
                vec![("/issuers/0/name", json!("garden"))],
                &["reserved-name Invalid issuers[0].name Warn"],
            ),
            ("D1", vec![("/issuers/0/name", json!(""))], &["invalid Invalid issuers[0].name Warn"]),
            (
                "D2",
                vec![("/issuers/1/name", json!("a"))],
                &["duplicate Duplicate issuers[1].name Warn"],
            ),
            (
                "D3",
                vec![("/issuers/0/server", json!("acme.example.com"))],
                &["invalid Invalid issuers[0].server Warn"],
            ),
            (
                "D4",
                vec![("/issuers/0/email", json!("me"))],
                &["invalid Invalid issuers[0].email Warn"],
            ),
            (
                "D5",
                vec![(key, json!("unlisted"))],
                &["secret-unlisted Invalid issuers[0].privateKeySecretName Warn"],
            ),
            (
                "D5: kind",
                vec![(key, json!("config"))],
                &["secret-unlisted Invalid issuers[0].privateKeySecretName Warn"],
            ),
            (
                "D6",
                vec![("/issuers/1/externalAccountBinding/keyID", json!(""))],
                &["invalid Invalid issuers[1].externalAccountBinding.keyID Warn"],
            ),
            (
                "D7",
                vec![(binding, json!("unlisted"))],
                &["secret-unlisted Invalid issuers[1].externalAccountBinding.keySecretName Warn"],
            ),
            (
                "D8",
                vec![("/issuers/1/externalAccountBinding", json!(null))],
                &["invalid Invalid issuers[1].skipDNSChallengeValidation Warn"],
            ),
            (
                "D9",
                vec![("/issuers/0/requestsPerDayQuota", json!(0))],
                &["invalid Invalid issuers[0].requestsPerDayQuota Warn"],
            ),
            (
                "D10",
                vec![("/issuers/0/precheckNameservers/0", json!("8.8.8"))],
                &["invalid Invalid issuers[0].precheckNameservers[0] Warn"],
            ),
            (
                "D11",
                vec![("/dnsChallengeOnShoot/namespace", json!(null))],
                &["invalid Required dnsChallengeOnShoot.namespace Warn"],
            ),
            ("D12", vec![(servers, json!(""))], &["invalid Invalid precheckNameservers Warn"]),
            (
                "D13",
                vec![(servers, json!("8.8.8.8, 8.8.4.4"))],
                &["invalid Invalid precheckNameservers[1] Warn"],
            ),
            (
                "disabled",
                vec![("/issuers/0/name", json!("")), ("/spec/extensions/1/disabled", json!(true))],
                &[],
            ),
        ],
    );
    Extension::named("cert-service").before(64).check(
        &valid,
        &[(
            "D13",
            vec![(servers, json!("[2001:db8::1]"))],
            &["invalid Invalid precheckNameservers Warn"],
        )],
    );
}

#[test]
fn cert_service_in_seeds_by_rows() {
    let config = |changes: &[(&str, Value)]| {
        let mut config = json!({"apiVersion": "service.cert.extensions.gardener.cloud/v1alpha1",
            "kind": "CertConfig", "generateControlPlaneCertificate": true});
        for (field, value) in changes {
            config[field] = value.clone();
        }
        json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Seed", "metadata": {"name": "s"},
            "spec": {"extensions": [{"type": "shoot-cert-service", "providerConfig": config}]}})
    };
    let own: Vec<_> =
        rules::ALL.iter().copied().filter(|it| it.id == "cert-service/seed").collect();
    let found = |object: &Value| {
        let setup = Setup {
            config: Config { profile: Profile::Documented, ..Config::default() },
            garden: garden(),
            ..Setup::with_project(None)
        };
        told(&setup.review_with(&own, &request("seeds", "CREATE", object, None)))
    };
    assert_eq!(found(&config(&[])), BTreeSet::new());
    for (field, value) in [
        ("issuers", json!([{"name": "a", "server": "https://a.io", "email": "me@example.com"}])),
        ("precheckNameservers", json!("8.8.8.8")),
        ("dnsChallengeOnShoot", json!({"enabled": false})),
        ("shootIssuers", json!({"enabled": true})),
        ("alerting", json!({})),
    ] {
        let expected = format!("cert-service/forbidden Forbidden {field} Warn");
        assert_eq!(found(&config(&[(field, value)])), BTreeSet::from([expected]), "{field}");
    }
    let mut absent = config(&[]);
    absent["spec"]["extensions"] = json!([{"type": "shoot-cert-service"}]);
    assert_eq!(found(&absent), BTreeSet::new());
    let expected = "cert-service/undecodable Decode  Warn".to_owned();
    assert_eq!(found(&config(&[("issuer", json!([]))])), BTreeSet::from([expected]));
}

/// Returns the findings with their pointers in the configuration; their field is the configuration.
fn pointers(review: &Review) -> BTreeSet<String> {
    let config = "/spec/extensions/1/providerConfig";
    let line = |it: &Finding| {
        let pointer = it.pointer.strip_prefix(config).unwrap();
        format!("{} {:?} {pointer}", it.finding, it.error)
    };
    review.findings.iter().map(line).collect()
}

#[test]
#[expect(clippy::too_many_lines, reason = "each row is a case")]
fn networking_filter_by_rows() {
    let valid = shoot(
        "shoot-networking-filter",
        &json!({"egressFilter": {"blackholingEnabled": true,
        "workers": {"blackholingEnabled": false, "names": ["pool", "a23456789012345"]},
        "staticFilterList": [
            {"network": "10.1.2.3/8", "policy": "BLOCK_ACCESS", "tags": [{"name": "a", "values": ["b"]}]},
            {"network": "2001:db8::/32", "policy": "ALLOW_ACCESS"}],
        "tagFilters": [{"name": "a", "values": ["b"], "policy": "BLOCK_ACCESS"}],
        "shootFilterListSource": {"name": "list", "key": "list", "namespace": "kube-system"}}}),
    );
    let filter = "/egressFilter";
    let (workers, names, name) =
        ("/egressFilter/workers", "/egressFilter/workers/names", "/egressFilter/workers/names/0");
    let (list, network, policy) = (
        "/egressFilter/staticFilterList",
        "/egressFilter/staticFilterList/0/network",
        "/egressFilter/staticFilterList/1/policy",
    );
    let (project, source, namespace) = (
        "/egressFilter/projectFilterListSource",
        "/egressFilter/shootFilterListSource/name",
        "/egressFilter/shootFilterListSource/namespace",
    );
    let invalid = |pointer: &str| format!("invalid Invalid {pointer}");
    let unsupported = |pointer: &str| format!("unsupported Invalid {pointer}");
    let entries = |count: usize| {
        json!(vec![json!({"network": "10.0.0.0/8", "policy": "BLOCK_ACCESS"}); count])
    };
    let one = json!({"name": "list"});
    Extension::named("networking-filter").check_as(
        pointers,
        &valid,
        &[
            ("absent", vec![("/spec/extensions/1/providerConfig", json!(null))], &[]),
            (
                "decodes",
                vec![("/egressFilter/unknown", json!(1))],
                &["undecodable Decode /egressFilter/unknown"],
            ),
            (
                "healthCheckConfig",
                vec![("/healthCheckConfig", json!({"syncPeriod": "30s"}))],
                &[&unsupported("/healthCheckConfig")],
            ),
            (
                "sleepDuration",
                vec![("/egressFilter/sleepDuration", json!("1h"))],
                &[&unsupported("/egressFilter/sleepDuration")],
            ),
            (
                "filterListProviderType",
                vec![("/egressFilter/filterListProviderType", json!("static"))],
                &[&unsupported("/egressFilter/filterListProviderType")],
            ),
            (
                "filterListProviderType: empty",
                vec![("/egressFilter/filterListProviderType", json!(""))],
                &[],
            ),
            (
                "downloaderConfig",
                vec![("/egressFilter/downloaderConfig", json!({"endpoint": "https://a.io"}))],
                &[&unsupported("/egressFilter/downloaderConfig")],
            ),
            (
                "ensureConnectivity",
                vec![("/egressFilter/ensureConnectivity", json!({}))],
                &[&unsupported("/egressFilter/ensureConnectivity")],
            ),
            ("50,000 entries", vec![(list, entries(50_000))], &[]),
            ("50,001 entries", vec![(list, entries(50_001))], &[&invalid(list)]),
            ("network", vec![(network, json!("10.0.0.1"))], &[&invalid(network)]),
            ("policy", vec![(policy, json!("BLOCK"))], &[&invalid(policy)]),
            (
                "an empty entry",
                vec![("/egressFilter/staticFilterList/0", json!(null))],
                &[&invalid(network), &invalid("/egressFilter/staticFilterList/0/policy")],
            ),
            ("no workers", vec![(workers, json!(null))], &[]),
            ("workers without names", vec![(names, json!([]))], &[&invalid(names)]),
            ("a name of 16 bytes", vec![(name, json!("a234567890123456"))], &[&invalid(name)]),
            ("a name that is no label", vec![(name, json!("Pool"))], &[&invalid(name)]),
            ("a pool that does not exist", vec![(name, json!("other"))], &[]),
            ("both sources", vec![(project, one.clone())], &[&invalid(filter)]),
            ("a source without name", vec![(source, json!(""))], &[&invalid(source)]),
            (
                "a namespace that is no label",
                vec![(namespace, json!("Kube"))],
                &[&invalid(namespace)],
            ),
            ("a source without namespace", vec![(namespace, json!(null))], &[]),
            (
                "the source of the project",
                vec![
                    ("/egressFilter/shootFilterListSource", json!(null)),
                    (project, json!({"name": ""})),
                ],
                &[&invalid("/egressFilter/projectFilterListSource/name")],
            ),
            ("no filter", vec![(filter, json!(null))], &[]),
            (
                "workerless",
                vec![("/spec/provider/workers", json!([])), (policy, json!("BLOCK"))],
                &[],
            ),
            (
                "another extension",
                vec![("/spec/extensions/1/type", json!("another")), (policy, json!("BLOCK"))],
                &[],
            ),
            (
                "disabled",
                vec![("/spec/extensions/1/disabled", json!(true)), (policy, json!("BLOCK"))],
                &[],
            ),
        ],
    );
    Extension::named("networking-filter").before(30).check_as(
        pointers,
        &valid,
        &[
            ("both sources", vec![(project, one)], &[]),
            ("a source without name", vec![(source, json!(""))], &[]),
        ],
    );
    let old =
        json!({"egressFilter": {"blackholingEnabled": true, "staticFilterList": entries(10_000)}});
    Extension::named("networking-filter").before(27).check_as(
        pointers,
        &shoot("shoot-networking-filter", &old),
        &[
            ("10,001 entries", vec![(list, entries(10_001))], &[&invalid(list)]),
            (
                "tags",
                vec![("/egressFilter/tagFilters", json!([]))],
                &["undecodable Decode /egressFilter/tagFilters"],
            ),
        ],
    );
}

#[test]
#[expect(clippy::too_many_lines, reason = "each row is a case")]
fn registry_mirror_by_rows() {
    let api = "mirror.extensions.gardener.cloud/v1alpha1";
    let valid = shoot(
        "registry-mirror",
        &json!({"apiVersion": api, "kind": "MirrorConfig", "mirrors": [
        {"upstream": "docker.io", "hosts": [
            {"host": "https://mirror.example.com/a/..b", "capabilities": ["pull", "resolve"], "caBundleSecretReferenceName": "secret"},
            {"host": "http://mirror.example.com:5000"}]},
        {"upstream": "quay.io:443", "hosts": [{"host": "https://mirror.example.com"}]}]}),
    );
    let config = "spec.extensions[1].providerConfig";
    let at = |finding: &str, field: &str| format!("{finding} {config}.mirrors{field}");
    let (upstream, hosts, host) =
        ("/mirrors/0/upstream", "/mirrors/1/hosts", "/mirrors/0/hosts/0/host");
    let (capabilities, bundle) =
        ("/mirrors/0/hosts/0/capabilities", "/mirrors/0/hosts/0/caBundleSecretReferenceName");
    let invalid_upstream = at("invalid Invalid", "[0].upstream");
    let invalid_host = at("invalid Invalid", "[0].hosts[0].host");
    let unlisted = at("secret-unlisted Invalid", "[0].hosts[0].caBundleSecretReferenceName");
    let upstream_twice = at("duplicate Duplicate", "[1].upstream");
    let cached = at("duplicate Invalid", "[0].upstream");
    let cache = |caches: Value| {
        json!({"type": "registry-cache", "providerConfig": {"apiVersion": "registry.extensions.gardener.cloud/v1alpha3",
            "kind": "RegistryConfig", "caches": caches}})
    };
    let wrong_cache = json!({"type": "registry-cache", "providerConfig": {"kind": "Cache"}});
    Extension::named("registry-mirror").check(
        &valid,
        &[
            (
                "Q1",
                vec![("/spec/provider/workers/0/cri", json!({"name": "docker"}))],
                &["failure Denied "],
            ),
            (
                "Q1: containerd",
                vec![("/spec/provider/workers/0/cri", json!({"name": "containerd"}))],
                &[],
            ),
            (
                "Q2",
                vec![("/spec/extensions/1/providerConfig", json!(null))],
                &[&format!("required Required {config}")],
            ),
            ("Q3", vec![("/unknown", json!(1))], &["undecodable Decode "]),
            ("Q4", vec![("/mirrors", json!([]))], &[&at("required Required", "")]),
            ("Q5: scheme", vec![(upstream, json!("https://docker.io"))], &[&invalid_upstream]),
            ("Q5: port", vec![(upstream, json!("docker.io:0"))], &[&invalid_upstream]),
            ("Q5: case", vec![(upstream, json!("Docker.io"))], &[&invalid_upstream]),
            ("Q6", vec![("/mirrors/1/upstream", json!("docker.io"))], &[&upstream_twice]),
            ("Q7", vec![(hosts, json!([]))], &[&at("required Required", "[1].hosts")]),
            ("Q8: URL", vec![(host, json!("https://a.io/%zz"))], &[&invalid_host]),
            ("Q8: scheme", vec![(host, json!("ftp://a.io"))], &[&invalid_host]),
            ("Q8: host", vec![(host, json!("https://A.io"))], &[&invalid_host]),
            ("Q8: user", vec![(host, json!("https://me@a.io"))], &[&invalid_host]),
            ("Q8: query", vec![(host, json!("https://a.io?x"))], &[&invalid_host]),
            ("Q8: fragment", vec![(host, json!("https://a.io#x"))], &[&invalid_host]),
            ("Q9", vec![(host, json!("https://a.io/../x"))], &[&invalid_host]),
            ("Q10", vec![(host, json!("https://a.io/./x"))], &[&invalid_host]),
            (
                "Q11",
                vec![(host, json!("http://mirror.example.com:5000"))],
                &[&at("duplicate Duplicate", "[0].hosts[1].host")],
            ),
            (
                "Q12",
                vec![(capabilities, json!(["push"]))],
                &[&at("invalid NotSupported", "[0].hosts[0].capabilities")],
            ),
            (
                "Q13",
                vec![(capabilities, json!(["pull", "pull"]))],
                &[&at("duplicate Duplicate", "[0].hosts[0].capabilities[1]")],
            ),
            ("Q14", vec![(bundle, json!("unlisted"))], &[&unlisted]),
            ("Q14: kind", vec![(bundle, json!("config"))], &[&unlisted]),
            (
                "Q15",
                vec![(bundle, json!("lost-secret")), (hosts, json!([]))],
                &["secret-missing Denied "],
            ),
            (
                "Q20",
                vec![("/spec/extensions/0", json!({"type": "registry-cache"}))],
                &["failure Denied "],
            ),
            ("Q21", vec![("/spec/extensions/0", wrong_cache)], &["undecodable Decode "]),
            (
                "Q22",
                vec![("/spec/extensions/0", cache(json!([{"upstream": "docker.io"}])))],
                &[&cached],
            ),
            (
                "Q22: another",
                vec![("/spec/extensions/0", cache(json!([{"upstream": "gcr.io"}])))],
                &[],
            ),
            (
                "Q22: mirrors before",
                vec![
                    ("/spec/extensions/0", cache(json!([{"upstream": "gcr.io"}]))),
                    ("/mirrors/1/upstream", json!("docker.io")),
                ],
                &[&upstream_twice, &at("duplicate Invalid", "[1].upstream")],
            ),
            (
                "workerless",
                vec![("/spec/provider/workers", json!([])), (hosts, json!([]))],
                &[&at("required Required", "[1].hosts")],
            ),
        ],
    );
    let segment = [("Q9", vec![(host, json!("https://a.io/../x"))], &[][..])];
    Extension::named("registry-mirror").before(23).check(&valid, &segment);
}

#[test]
#[expect(clippy::too_many_lines, reason = "each row is a case")]
fn registry_cache_by_rows() {
    let valid = shoot(
        "registry-cache",
        &json!({"apiVersion": "registry.extensions.gardener.cloud/v1alpha3",
        "kind": "RegistryConfig", "caches": [
            {"upstream": "docker.io", "remoteURL": "https://registry-1.docker.io/", "volume": {"size": "1Gi", "storageClassName": "fast"},
                "garbageCollection": {"ttl": "1h"}, "secretReferenceName": "secret", "http": {"tls": false},
                "proxy": {"httpProxy": "http://proxy.example.com:80", "httpsProxy": "https://proxy.example.com"}},
            {"upstream": "quay.io:443", "serviceNameSuffix": "quay"}]}),
    );
    let config = "spec.extensions[1].providerConfig";
    let at = |finding: &str, field: &str| format!("{finding} {config}.caches{field}");
    let invalid = |field: &str| at("invalid Invalid", &format!("[0].{field}"));
    let (upstream, url, size) =
        ("/caches/0/upstream", "/caches/0/remoteURL", "/caches/0/volume/size");
    let (class, ttl) = ("/caches/0/volume/storageClassName", "/caches/0/garbageCollection/ttl");
    let (suffix, secret) = ("/caches/1/serviceNameSuffix", "/caches/0/secretReferenceName");
    let invalid_suffix = at("invalid Invalid", "[1].serviceNameSuffix");
    Extension::named("registry-cache").check(
        &valid,
        &[
            (
                "R1",
                vec![("/spec/provider/workers/0/cri", json!({"name": "docker"}))],
                &["failure Denied "],
            ),
            (
                "R2",
                vec![("/spec/extensions/1/providerConfig", json!(null))],
                &[&format!("required Required {config}")],
            ),
            ("R3", vec![("/unknown", json!(1))], &["undecodable Decode "]),
            ("R10", vec![("/caches", json!([]))], &[&at("required Required", "")]),
            ("R11", vec![(upstream, json!("docker.io:0443"))], &[&invalid("upstream")]),
            ("R12", vec![(upstream, json!(""))], &[&invalid("upstream")]),
            (
                "R13",
                vec![("/caches/1/upstream", json!("docker.io"))],
                &[&at("duplicate Duplicate", "[1].upstream")],
            ),
            ("R14", vec![(url, json!("https://%zz"))], &[&invalid("remoteURL")]),
            ("R15", vec![(url, json!("docker.io"))], &[&invalid("remoteURL")]),
            ("R17", vec![(url, json!("https://docker.io/v2"))], &[&invalid("remoteURL")]),
            ("R21", vec![(size, json!("0"))], &[&invalid("volume.size")]),
            ("R21: negative", vec![(size, json!("-1Gi"))], &[&invalid("volume.size")]),
            ("R22", vec![(class, json!("Fast"))], &[&invalid("volume.storageClassName")]),
            ("R23", vec![(ttl, json!("-1s"))], &[&invalid("garbageCollection.ttl")]),
            ("R23: off", vec![(ttl, json!("0s"))], &[]),
            ("R23: absent", vec![(ttl, json!(null))], &[]),
            (
                "R24",
                vec![("/caches/0/proxy/httpProxy", json!("a"))],
                &[&invalid("proxy.httpProxy")],
            ),
            (
                "R25",
                vec![("/caches/0/proxy/httpsProxy", json!("a"))],
                &[&invalid("proxy.httpsProxy")],
            ),
            ("R26", vec![(suffix, json!("a.b"))], &[&invalid_suffix]),
            ("R27", vec![(suffix, json!("a".repeat(54)))], &[]),
            (
                "R27: longer",
                vec![(suffix, json!("a".repeat(55)))],
                &[&at("invalid TooLong", "[1].serviceNameSuffix")],
            ),
            (
                "R28",
                vec![("/caches/0/serviceNameSuffix", json!("quay"))],
                &[&at("duplicate Duplicate", "[1].serviceNameSuffix")],
            ),
            (
                "R29",
                vec![(suffix, json!("docker-io"))],
                &[&at("duplicate Invalid", "[1].serviceNameSuffix")],
            ),
            (
                "R30",
                vec![(secret, json!("unlisted"))],
                &[&at("secret-unlisted Invalid", "[0].secretReferenceName")],
            ),
            (
                "R31",
                vec![(secret, json!("lost-secret")), (upstream, json!(""))],
                &["secret-missing Denied "],
            ),
            (
                "workerless",
                vec![("/spec/provider/workers", json!([])), (upstream, json!(""))],
                &[&invalid("upstream")],
            ),
        ],
    );
    let by_class = [("R22", vec![(class, json!("Fast"))], &[][..])];
    Extension::named("registry-cache").before(17).check(
        &changed(
            valid,
            &[
                ("/caches/1/serviceNameSuffix", json!(null)),
                (url, json!(null)),
                ("/caches/0/proxy", json!(null)),
            ],
        ),
        &by_class,
    );
}

/// Each row has changes of the stored and of the new configuration.
#[rstest]
#[case::same(&[], &[], &[])]
#[case::equal_with_defaults(
    &[("/caches/0/volume", json!({"size": "10240Mi"})), ("/caches/0/garbageCollection", json!({"ttl": "168h0m"})), ("/caches/0/http", json!({"tls": true}))],
    &[("/caches/0/volume", json!(null)), ("/caches/0/garbageCollection", json!(null)), ("/caches/0/http", json!(null))], &[])]
#[case::invalid_as_before(&[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!(""))], &[])]
#[case::invalid_and_changed(&[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!("-"))], &["invalid Invalid .caches[0].upstream"])]
#[case::size(&[], &[("/caches/0/volume/size", json!("2Gi"))], &["immutable Invalid .caches[0].volume.size"])]
#[case::size_of_another(&[], &[("/caches/0/upstream", json!("gcr.io")), ("/caches/0/volume/size", json!("2Gi"))], &[])]
#[case::class(&[], &[("/caches/0/volume/storageClassName", json!(null))], &["immutable Invalid .caches[0].volume.storageClassName"])]
#[case::collection_on(&[("/caches/0/garbageCollection/ttl", json!("0s"))], &[], &["immutable Invalid .caches[0].garbageCollection.ttl"])]
#[case::collection_on_by_default(
    &[("/caches/0/garbageCollection/ttl", json!("0s"))], &[("/caches/0/garbageCollection", json!(null))],
    &["immutable Invalid .caches[0].garbageCollection.ttl"])]
#[case::collection_off(&[], &[("/caches/0/garbageCollection/ttl", json!("0s"))], &[])]
#[case::url(&[], &[("/caches/0/remoteURL", json!("https://docker.io"))], &[])]
#[case::tls(&[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!("")), ("/caches/0/http", json!({"tls": false}))], &["invalid Invalid .caches[0].upstream"])]
#[case::availability(
    &[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!("")), ("/caches/0/highAvailability", json!({"enabled": false}))],
    &["invalid Invalid .caches[0].upstream"])]
#[case::secret(
    &[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!("")), ("/caches/0/secretReferenceName", json!("secret"))],
    &["invalid Invalid .caches[0].upstream"])]
#[case::suffix(
    &[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!("")), ("/caches/0/serviceNameSuffix", json!("s"))],
    &["invalid Invalid .caches[0].upstream"])]
#[case::proxy(
    &[("/caches/0/upstream", json!(""))], &[("/caches/0/upstream", json!("")), ("/caches/0/proxy", json!({"httpProxy": "http://a.io"}))],
    &["invalid Invalid .caches[0].upstream"])]
#[case::stored_without_configuration(&[("/spec/extensions/1/providerConfig", json!(null))], &[], &["failure Denied"])]
#[case::stored_undecodable(&[("/unknown", json!(1))], &[], &["stored-undecodable Decode"])]
#[case::added(&[("/spec/extensions/1/type", json!("other-2"))], &[], &[])]
fn registry_cache_updates(
    #[case] stored: &[(&str, Value)],
    #[case] changes: &[(&str, Value)],
    #[case] expected: &[&str],
) {
    let valid = shoot(
        "registry-cache",
        &json!({"apiVersion": "registry.extensions.gardener.cloud/v1alpha3",
        "kind": "RegistryConfig", "caches": [{"upstream": "docker.io",
            "volume": {"size": "1Gi", "storageClassName": "fast"}, "garbageCollection": {"ttl": "1h"}}]}),
    );
    let (old, new) = (changed(valid.clone(), stored), changed(valid, changes));
    let review = Extension::named("registry-cache").review(&garden(), &new, Some(&old));
    let found: BTreeSet<String> = told(&review)
        .into_iter()
        .map(|it| it.replace("spec.extensions[1].providerConfig", "").trim_end().to_owned())
        .collect();
    let expected = expected.iter().map(|it| format!("registry-cache/{it}"));
    assert_eq!(found, expected.collect());
}

/// Components of versions before the known ones are not judged.
#[rstest]
#[case::auditing("auditing", "auditing")]
#[case::cert_service("cert-service", "shoot-cert-service")]
#[case::lakom("lakom", "shoot-lakom-service")]
#[case::networking_filter("networking-filter", "shoot-networking-filter")]
#[case::problemdetector("problemdetector", "shoot-networking-problemdetector")]
#[case::registry_cache("registry-cache", "registry-cache")]
#[case::registry_mirror("registry-mirror", "registry-mirror")]
#[case::rsyslog_relp("rsyslog-relp", "shoot-rsyslog-relp")]
fn versions_before_the_known_ones_are_not_judged(#[case] name: &'static str, #[case] class: &str) {
    let config = json!({"apiVersion": "any/v1", "kind": "Any", "egressFilter": {"unknown": 1}});
    let object = shoot(class, &config);
    let found = |version| {
        let extension = Extension { name, version };
        told(&extension.review(&garden(), &object, None))
    };
    assert_ne!(found(None), BTreeSet::new());
    let older = ExtensionVersion::new(0, 0);
    assert_eq!(found(Some(older)), BTreeSet::new());
}

/// A registry cache of an unknown version does not conflict with mirrors.
#[test]
fn registry_mirror_next_to_an_older_registry_cache() {
    let mirrors = json!({"apiVersion": "mirror.extensions.gardener.cloud/v1alpha1", "kind": "MirrorConfig",
        "mirrors": [{"upstream": "docker.io", "hosts": [{"host": "https://mirror.example.com"}]}]});
    let caches = json!({"apiVersion": "registry.extensions.gardener.cloud/v1alpha3", "kind": "RegistryConfig",
        "caches": [{"upstream": "docker.io", "volume": {"size": "10Gi"}}]});
    let mut object = shoot("registry-mirror", &mirrors);
    object["spec"]["extensions"][0] = json!({"type": "registry-cache", "providerConfig": caches});
    let found = |version| {
        let mut config = Config { profile: Profile::Documented, ..Config::default() };
        for (name, version) in [("registry-mirror", None), ("registry-cache", version)] {
            let admission = Some(true);
            let settings = ExtensionSettings { version, admission, ..ExtensionSettings::default() };
            config.extensions.insert(name, settings);
        }
        let setup = Setup { config, garden: garden(), ..Setup::with_project(None) };
        let own: Vec<_> =
            rules::ALL.iter().copied().filter(|it| it.id == "registry-mirror/shoot").collect();
        told(&setup.review_with(&own, &request("shoots", "CREATE", &object, None)))
    };
    assert_ne!(found(None), BTreeSet::new());
    let older = ExtensionVersion::new(0, 0);
    assert_eq!(found(Some(older)), BTreeSet::new());
}
