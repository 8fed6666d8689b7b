// SPDX-License-Identifier: Apache-2.0
//! The cases of the shipped definitions, in `tests.yaml` next to each.

use std::collections::BTreeMap;

use rstest::rstest;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Map, Value, json};

use super::super::{Policies, PolicyCache, judge, own_policies, policies_in};
use crate::admission::{Finding, Request, Review, Rules, World};
use crate::config::{Config, ExtensionSettings, Level};
use crate::garden::{Knowledge, Snapshot, read};
use garden_gate_model::api::extensions::{SHIPPED, ShippedDefinition};
use garden_gate_model::api::{Kind, UserInfo};
use garden_gate_text::yaml;

/// Merges a value over another one; `null` removes.
fn merged(base: &Value, over: &Value) -> Value {
    match (base, over) {
        (Value::Object(base), Value::Object(over)) => {
            let mut merged = base.clone();
            for (name, value) in over {
                let value = self::merged(base.get(name).unwrap_or(&Value::Null), value);
                merged.insert(name.clone(), value);
            }
            merged.retain(|_, it| !it.is_null());
            merged.into()
        }
        _ => over.clone(),
    }
}

/// A case, with the values that all cases of a definition share.
struct Case<'c> {
    shipped: &'static ShippedDefinition,
    common: &'c Value,
    case: &'c Value,
}

impl Case<'_> {
    fn text(&self, name: &str) -> Option<&str> {
        self.case[name].as_str()
    }

    fn kind(&self) -> Kind {
        let name = self.text("kind").unwrap_or("Shoot");
        Kind::judged().find(|it| it.as_str() == name).unwrap()
    }

    fn of_both(&self, name: &str) -> Value {
        let common =
            if self.common[name].is_null() { json!({}) } else { self.common[name].clone() };
        let own = if self.case[name].is_null() { json!({}) } else { self.case[name].clone() };
        merged(&common, &own)
    }

    /// Returns a configuration with the header of the case.
    fn with_header(&self, field: &str, config: &Value) -> Value {
        let own = if self.case["header"].is_null() {
            &self.common["header"]
        } else {
            &self.case["header"]
        };
        let header = match field {
            "extensions" | "containerRuntimeConfig" => own.clone(),
            // A header is replaced as a whole.
            field if self.case["headers"][field].is_object() => self.case["headers"][field].clone(),
            field => self.common["headers"][field].clone(),
        };
        merged(&merged(&json!({}), &header), config)
    }

    /// Returns an object that names the extension and has its configurations.
    fn complete(&self, object: &Value, configs: &Value, entry: &Value, config: &Value) -> Value {
        let kind = self.kind();
        let (of, class) = self.shipped.types[0];
        let (group, version) = kind.api();
        let mut object = merged(
            &json!({
                "apiVersion": format!("{group}/{version}"), "kind": kind.as_str(),
                "metadata": {"name": "c"}, "spec": {},
            }),
            object,
        );
        if kind == Kind::Shoot {
            object["metadata"]["namespace"] = "garden-dev".into();
            object["spec"]["cloudProfile"] = json!({"kind": "CloudProfile", "name": "p"});
        }
        let mut entry = merged(entry, &json!({"type": class}));
        if !config.is_null() {
            let field = if of == "Extension" { "extensions" } else { "containerRuntimeConfig" };
            entry["providerConfig"] = self.with_header(field, config);
        }
        match (of, kind) {
            ("Extension", _) => {
                if object["spec"]["extensions"].is_null() {
                    object["spec"]["extensions"] = json!([]);
                }
                let entries = object["spec"]["extensions"].as_array_mut().unwrap();
                match entries.iter_mut().find(|it| it["type"] == class) {
                    Some(known) => *known = merged(known, &entry),
                    None => entries.push(entry),
                }
            }
            ("ContainerRuntime", _) => {
                let pool = json!({"name": "p", "machine": {"type": "m"}, "cri": {"name": "containerd", "containerRuntimes": [entry]}});
                object["spec"]["provider"]["workers"] = json!([pool]);
            }
            (_, Kind::CloudProfile) => object["spec"]["type"] = class.into(),
            (_, Kind::NamespacedCloudProfile) => {
                object["metadata"]["namespace"] = "garden-dev".into();
                object["spec"]["parent"] = json!({"kind": "CloudProfile", "name": "p"});
            }
            _ => object["spec"]["provider"]["type"] = class.into(),
        }
        for (field, config) in configs.as_object().into_iter().flatten() {
            let config = self.with_header(field, config);
            match (field.as_str(), kind) {
                ("workerConfig", Kind::Shoot) => {
                    let pools = object["spec"]["provider"]["workers"].as_array_mut();
                    pools.unwrap().iter_mut().for_each(|it| it["providerConfig"] = config.clone());
                }
                ("infrastructureConfig" | "controlPlaneConfig", Kind::Shoot) => {
                    object["spec"]["provider"][field] = config;
                }
                ("cloudProfileConfig", Kind::CloudProfile | Kind::NamespacedCloudProfile) => {
                    object["spec"]["providerConfig"] = config;
                }
                _ => {}
            }
        }
        object
    }

    fn objects(&self) -> [Option<Box<RawValue>>; 2] {
        let is_shoot = self.kind() == Kind::Shoot;
        let [object, configs] = ["object", "configs"].map(|name| {
            if is_shoot { self.of_both(name) } else { merged(&json!({}), &self.case[name]) }
        });
        // A configuration is replaced as a whole.
        let own = self.case["configs"].as_object().into_iter().flatten();
        let own = own.filter(|(_, it)| !it.is_null()).map(|(name, it)| (name.clone(), it.clone()));
        let mut configs = configs.as_object().cloned().unwrap_or_default();
        configs.extend(own);
        let configs = Value::Object(configs);
        let entry = merged(&json!({}), &self.case["extension"]);
        let new = self.complete(&object, &configs, &entry, &self.case["config"]);
        let old = self.case["oldObject"].as_object().map(|old| {
            let configs = merged(&json!({}), &self.case["oldConfigs"]);
            self.complete(&json!(old), &configs, &json!({}), &Value::Null)
        });
        [Some(to_raw_value(&new).unwrap()), old.map(|it| to_raw_value(&it).unwrap())]
    }

    fn config(&self) -> Config {
        let settings = self.of_both("settings");
        let settings: Map<String, Value> = settings.as_object().cloned().unwrap_or_default();
        let settings = ExtensionSettings {
            version: self.text("version").map(|it| it.parse().unwrap()),
            admission: Some(true),
            settings: settings.into_iter().collect(),
        };
        let extensions = BTreeMap::from([(self.shipped.extension.name, settings)]);
        Config { extensions, ..Config::default() }
    }

    fn garden(&self) -> Snapshot {
        let mut garden = Snapshot::new(Knowledge::Everything);
        let project = json!({"metadata": {"name": "dev"}, "spec": {"namespace": "garden-dev"}});
        let profile = json!({"metadata": {"name": "p"}, "spec": {"type": self.shipped.types[0].1}});
        for (kind, object) in [(Kind::Project, project), (Kind::CloudProfile, profile)] {
            garden.apply(read(kind, object.to_string().as_str()).unwrap().unwrap());
        }
        garden
    }

    fn review(&self) -> Review {
        let objects = self.objects();
        let objects = objects.each_ref().map(|it: &Option<Box<RawValue>>| it.as_deref());
        let request = Request {
            name: "c".to_owned(),
            namespace: "garden-dev".to_owned(),
            ..Request::of_objects(self.kind(), UserInfo::default(), objects)
        };
        let (garden, config) = (self.garden(), self.config());
        let world = World {
            rules: Rules::default(),
            garden: &garden,
            config: &config,
            now: "2026-01-01T00:00:00Z".parse().unwrap(),
        };
        let cache = PolicyCache::default();
        let policies =
            Policies { cache: Some(&cache), own: &[], is_user_known: true, is_enforced: false };
        let mut review = Review::default();
        judge(&request, &mut review, &world, policies);
        review
    }

    /// Returns the difference from the expected result.
    #[expect(clippy::unwrap_in_result, reason = "a case without a result should fail")]
    fn difference(&self) -> Option<String> {
        let review = self.review();
        let actual = match () {
            () if review.findings.iter().any(|it| it.level == Level::Deny) => "denied",
            () if !review.undetermined.is_empty() => "undetermined",
            () if !review.findings.is_empty() => "warned",
            () => "allowed",
        };
        let expected = self.text("expected").unwrap();
        let messages = match &self.case["messages"] {
            Value::Array(messages) => messages.iter().map(|it| it.as_str().unwrap()).collect(),
            _ => Vec::from_iter(self.text("message")),
        };
        let says = |it: &Finding, text: &str| it.message.contains(text) || it.field.contains(text);
        let missing = messages.iter().find(|text| !review.findings.iter().any(|it| says(it, text)));
        let found = review.findings.iter().map(|it| format!("{}: {}", it.field, it.message));
        let undetermined =
            review.undetermined.iter().map(|it| format!("{}: {}", it.field, it.message));
        let found: Vec<String> = found.chain(undetermined).collect();
        (actual != expected || missing.is_some()).then(|| {
            let name = self.text("name").unwrap();
            format!(
                "{name}: {actual} instead of {expected}, lacks {missing:?}: {}",
                found.join(" | ")
            )
        })
    }
}

macro_rules! cases {
    ($name:literal) => {
        ($name, include_str!(concat!("../../../../model/extensions/", $name, "/tests.yaml")))
    };
}

#[rstest]
#[case::acl(cases!("acl"), 17)]
#[case::envoy_gateway(cases!("envoy-gateway"), 13)]
#[case::flux(cases!("flux"), 21)]
#[case::gvisor(cases!("gvisor"), 13)]
#[case::hcloud(cases!("hcloud"), 16)]
#[case::ironcore(cases!("ironcore"), 23)]
#[case::oidc(cases!("oidc"), 4)]
#[case::stackit(cases!("stackit"), 34)]
#[case::traefik(cases!("traefik"), 12)]
fn shipped_definition_judges_its_cases(#[case] definition: (&str, &str), #[case] count: usize) {
    let (name, text) = definition;
    let shipped = SHIPPED.iter().find(|it| it.extension.name == name).unwrap();
    let common = yaml::parse(text).unwrap()[0].to_value();
    let cases = common["cases"].as_array().unwrap();
    let wrong =
        cases.iter().filter_map(|case| Case { shipped, common: &common, case }.difference());
    let wrong: Vec<String> = wrong.collect();
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    assert_eq!(cases.len(), count);
}

#[test]
fn shipped_definitions_are_valid() {
    for it in SHIPPED {
        let documents = policies_in(it.text).unwrap();
        let own = own_policies(&documents);
        assert!(own.is_ok(), "{}: {:?}", it.extension.name, own.err());
    }
}

/// A definition with one more line in its `spec`.
fn errors(line: &str) -> String {
    let text = format!(
        "apiVersion: garden-gate.dev/v1alpha1\nkind: ExtensionDefinition\nmetadata: {{name: own}}\nspec:\n  {line}\n"
    );
    let documents = match policies_in(&text) {
        Ok(documents) => documents,
        Err(error) => return format!("{}: {}", error.position, error.message),
    };
    let errors = own_policies(&documents).unwrap_err();
    errors
        .iter()
        .map(|it| format!("{}: {}; {}", it.position, it.message, it.help))
        .collect::<Vec<_>>()
        .join("\n")
}

#[rstest]
#[case::no_resources("versions: {oldest: '1.0', newest: '1.1'}", "`spec.resources` is required")]
#[case::built_in(
    "resources: [{kind: Infrastructure, type: aws}]",
    "5:44: ExtensionDefinition `own`: `spec.resources[0].type` is the type of `aws`"
)]
#[case::duplicate(
    "resources: [{kind: Extension, type: a}, {kind: Extension, type: a}]",
    "`spec.resources[1]` is a duplicate"
)]
#[case::unknown_kind("resources: [{kind: Extensions, type: a}]", "is not one of")]
#[case::version(
    "versions: {oldest: one}",
    "5:22: ExtensionDefinition `own`: `spec.versions.oldest` is not valid"
)]
#[case::order("versions: {oldest: '1.2', newest: '1.1'}", "is newer than `newest`")]
#[case::unknown_field("resource: []", "did you mean `resources`")]
#[case::wrong_type("resources: {}", "has the wrong type")]
#[case::expression(
    "validations: [{expression: 'a', message: m}]",
    "`spec.validations[0].expression`"
)]
#[case::no_message(
    "validations: [{expression: 'true'}]",
    "`spec.validations[0].message` is required"
)]
#[case::reason(
    "validations: [{expression: 'true', message: m, reason: Bad}]",
    "`spec.validations[0].reason` is not one of"
)]
#[case::schema(
    "configurations: [{field: extensions, type: a, schema: {type: object, foo: 1}}]",
    "`spec.configurations[0].schema"
)]
#[case::rule(
    "configurations: [{field: extensions, type: a, schema: {type: object, x-kubernetes-validations: [{rule: 'self.('}]}}]",
    "does not compile"
)]
#[case::since(
    "configurations: [{field: extensions, type: a, schema: {type: object, properties: {a: {type: string, x-garden-gate-since: x}}}}]",
    "x-garden-gate-since"
)]
#[case::condition(
    "matchConditions: [{name: a, expression: 'a'}]",
    "`spec.matchConditions[0].expression`"
)]
fn invalid_definition_is_an_error(#[case] line: &str, #[case] expected: &str) {
    let errors = errors(line);
    assert!(errors.contains(expected), "{errors}");
}

/// A schema with so many fields, or so deep that it nests so many objects.
fn schema(fields: usize, depth: usize) -> String {
    let fields: String = (0..fields).map(|it| format!("f{it}: {{type: string}}, ")).collect();
    let open = "{type: object, properties: {a: ".repeat(depth);
    let close = "}}".repeat(depth);
    let schema = format!("{open}{{type: object, properties: {{{fields}}}}}{close}");
    format!("configurations: [{{field: extensions, type: a, schema: {schema}}}]")
}

#[rstest]
#[case::fields(schema(5_001, 0), "has more than 5000 schemas")]
#[case::depth(schema(0, 100_000), "")]
#[case::configurations(
    format!("configurations: [{}]", "{field: extensions, type: a, schema: {type: object}}, ".repeat(51)),
    "has more than 50 entries"
)]
#[case::name_of_a_type(
    format!(
        "resources: [{{kind: Extension, type: {}}}]\n  versions: {{oldest: '1.0', newest: '1.1'}}",
        "a".repeat(3_000)
    ),
    "has a name that is too long"
)]
#[case::control_characters(
    "resources: [{kind: \"\\e[31m\", type: a}]\n  versions: {oldest: \"\\e[31m\", newest: \"1.0\"}".to_owned(),
    "is not one of"
)]
#[case::endless_rule(
    "validations: [{message: m, expression: '[1].map(a, [1].map(b, '}]".to_owned(),
    "`spec.validations[0].expression`"
)]
fn hostile_definition_is_an_error(#[case] line: String, #[case] expected: &str) {
    let errors = errors(&line);
    assert!(!errors.is_empty() && errors.contains(expected), "{errors}");
    assert!(errors.len() < 20_000, "{} bytes", errors.len());
}
