// SPDX-License-Identifier: Apache-2.0
//! Random MutatingAdmissionPolicies and objects.

use serde_json::{Map, Value, json};

use crate::random::Random;

/// A policy, and objects that it may change.
pub(crate) struct DrawnMutation {
    pub(crate) policy: Value,
    pub(crate) objects: Vec<Value>,
}

/// Returns the definition of Widgets, which have lists and maps of all types.
pub(crate) fn widgets() -> Value {
    let string = json!({"type": "string"});
    let strings = json!({"type": "object", "additionalProperties": string});
    let spec = json!({
        "type": "object",
        "properties": {
            "name": string, "count": {"type": "integer"}, "ratio": {"type": "number"},
            "flag": {"type": "boolean"}, "labels": strings,
            "any": {"x-kubernetes-int-or-string": true},
            "plain": {"type": "array", "items": string},
            "tags": {"type": "array", "items": string, "x-kubernetes-list-type": "set"},
            "items": {
                "type": "array", "x-kubernetes-list-type": "map", "x-kubernetes-list-map-keys": ["name"],
                "items": {
                    "type": "object", "required": ["name"],
                    "properties": {
                        "name": string, "value": string, "size": {"type": "integer"}, "labels": strings,
                        "nested": {"type": "object", "properties": {"a": string, "b": string}},
                    },
                },
            },
            "ports": {
                "type": "array", "x-kubernetes-list-type": "map",
                "x-kubernetes-list-map-keys": ["port", "protocol"],
                "items": {
                    "type": "object", "required": ["port"],
                    "properties": {
                        "port": {"type": "integer"}, "protocol": {"type": "string", "default": "TCP"},
                        "name": string,
                    },
                },
            },
            "atomic": {
                "type": "object", "x-kubernetes-map-type": "atomic",
                "properties": {"x": string, "y": string},
            },
            "free": {"type": "object", "x-kubernetes-preserve-unknown-fields": true},
        },
    });
    json!({
        "apiVersion": "apiextensions.k8s.io/v1", "kind": "CustomResourceDefinition",
        "metadata": {"name": "widgets.example.com"},
        "spec": {
            "group": "example.com", "scope": "Namespaced",
            "names": {"kind": "Widget", "plural": "widgets", "singular": "widget", "listKind": "WidgetList"},
            "versions": [{
                "name": "v1", "served": true, "storage": true,
                "schema": {"openAPIV3Schema": {"type": "object", "properties": {"spec": spec}}},
            }],
        },
    })
}

/// Strings; some fail for some objects.
const TEXTS: [&str; 9] = [
    "'a'",
    "'b'",
    "''",
    "'x/y~z'",
    "object.metadata.name",
    "variables.text",
    "object.metadata.?labels[?'team'].orValue('none')",
    "object.metadata.labels['team']",
    "string(1 + 2)",
];
const NUMBERS: [&str; 5] = ["0", "3", "variables.number", "1 + 1", "-7"];
const CONDITIONS: [&str; 6] = [
    "true",
    "has(object.metadata.labels.team)",
    "object.metadata.labels['team'] == 'a'",
    "object.metadata.name.endsWith('1')",
    "size(object.metadata.labels) > 1",
    "object.none == 1",
];
/// Expressions of policies that API servers refuse.
const INVALID: [&str; 6] = [
    "Object{",
    "Object.spec{}",
    "object",
    "[]",
    "[Object{}]",
    "Object{spec: Object.a{} == Object.b{}}",
];

struct Draw {
    random: Random,
    kind: &'static str,
}

impl Draw {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.random.pick::<&'a str>(of)
    }

    fn text(&mut self) -> String {
        self.one(&TEXTS).to_owned()
    }

    fn number(&mut self) -> String {
        self.one(&NUMBERS).to_owned()
    }

    /// Returns some of the fields, now and then an optional or a wrong one.
    fn fields(&mut self, of: &[(&str, String)]) -> String {
        let mut fields: Vec<String> = Vec::new();
        for (name, value) in of {
            match self.random.below(12) {
                0..5 => {}
                5 => fields.push(format!("?{name}: optional.of({value})")),
                6 => fields.push(format!("?{name}: optional.none()")),
                7 if self.one_in(6) => fields.push(format!("{name}: {}", self.wrong())),
                _ => fields.push(format!("{name}: {value}")),
            }
        }
        if self.one_in(25) {
            let wrong = self.wrong();
            fields.push(format!("unknown: {wrong}"));
        }
        fields.join(", ")
    }

    fn wrong(&mut self) -> &'static str {
        self.one(&[
            "null",
            "1",
            "'a'",
            "[]",
            "{'a': 'b'}",
            "1.5",
            "[1, 2]",
            "true",
            "object.none",
            "object.metadata.labels",
        ])
    }

    fn texts(&mut self) -> String {
        let texts: Vec<String> = (0..self.random.below(4)).map(|_| self.text()).collect();
        format!("[{}]", texts.join(", "))
    }

    fn map(&mut self) -> String {
        let entries: Vec<String> = (0..self.random.below(3))
            .map(|_| format!("{}: {}", self.one(&["'k'", "'l'", "'a.b/c'"]), self.text()))
            .collect();
        format!("{{{}}}", entries.join(", "))
    }

    fn object(&mut self, type_name: &str, of: &[(&str, String)]) -> String {
        let fields = self.fields(of);
        let name = if self.one_in(40) { "Object.other" } else { type_name };
        format!("{name}{{{fields}}}")
    }

    fn list(&mut self, mut item: impl FnMut(&mut Self) -> String) -> String {
        let items: Vec<String> = (0..self.random.below(4)).map(|_| item(self)).collect();
        format!("[{}]", items.join(", "))
    }

    fn metadata(&mut self) -> String {
        let of = [
            ("labels", self.map()),
            ("annotations", self.map()),
            ("finalizers", self.finalizers()),
        ];
        self.object("Object.metadata", &of)
    }

    fn finalizers(&mut self) -> String {
        self.one(&["['example.com/a']", "['example.com/b', 'example.com/a']", "[]"]).to_owned()
    }

    fn configuration(&mut self) -> String {
        let metadata = self.metadata();
        let of = match self.kind {
            "ConfigMap" => vec![
                ("metadata", metadata),
                ("data", self.map()),
                ("immutable", self.one(&["true", "false"]).to_owned()),
            ],
            "Deployment" => vec![("metadata", metadata), ("spec", self.deployment_spec())],
            _ => vec![("metadata", metadata), ("spec", self.widget_spec())],
        };
        let configuration = self.object("Object", &of);
        match self.random.below(8) {
            0 => format!("{} ? {configuration} : Object{{}}", self.one(&CONDITIONS)),
            _ => configuration,
        }
    }

    fn widget_spec(&mut self) -> String {
        let items = self.list(|this| {
            let nested = [("a", this.text()), ("b", this.text())];
            let nested = this.object("Object.spec.items.nested", &nested);
            let name = this.one(&["'i'", "'j'", "'k'", "object.metadata.name"]).to_owned();
            let of = [
                ("value", this.text()),
                ("size", this.number()),
                ("nested", nested),
                ("labels", this.map()),
            ];
            let fields = this.fields(&of);
            match this.random.below(20) {
                0 => format!("Object.spec.items{{{fields}}}"),
                _ if fields.is_empty() => format!("Object.spec.items{{name: {name}}}"),
                _ => format!("Object.spec.items{{name: {name}, {fields}}}"),
            }
        });
        let ports = self.list(|this| {
            let port = this.one(&["80", "443", "53"]).to_owned();
            let of =
                [("protocol", this.one(&["'TCP'", "'UDP'"]).to_owned()), ("name", this.text())];
            let fields = this.fields(&of);
            let comma = if fields.is_empty() { "" } else { ", " };
            format!("Object.spec.ports{{port: {port}{comma}{fields}}}")
        });
        let mut of = vec![
            ("name", self.text()),
            ("count", self.number()),
            ("ratio", self.one(&["1.5", "2", "0.0"]).to_owned()),
            ("flag", self.one(&["true", "!true", "has(object.spec.name)"]).to_owned()),
            ("labels", self.map()),
            ("any", self.one(&["1", "'a'"]).to_owned()),
            ("tags", self.texts()),
            ("items", items),
            ("ports", ports),
        ];
        match self.random.below(12) {
            0 => of.push(("plain", self.texts())),
            1 => of.push(("atomic", "Object.spec.atomic{x: 'a'}".to_owned())),
            2 => of
                .push(("free", "Object.spec.free{a: 1, b: Object.spec.free.b{c: 'd'}}".to_owned())),
            3 => of.push(("free", "{'a': 'b'}".to_owned())),
            4 => of.push(("labels", "object.metadata.labels".to_owned())),
            5 => of.push(("items", "object.spec.items".to_owned())),
            _ => {}
        }
        self.object("Object.spec", &of)
    }

    fn deployment_spec(&mut self) -> String {
        let containers = self.list(|this| {
            let env = this.list(|this| {
                let path = "Object.spec.template.spec.containers.env";
                format!(
                    "{path}{{name: {}, value: {}}}",
                    this.one(&["'A'", "'B'", "'C'"]),
                    this.text()
                )
            });
            let ports = this.list(|this| {
                let path = "Object.spec.template.spec.containers.ports";
                let protocol = this.one(&["", ", protocol: 'UDP'", ", protocol: 'TCP'"]);
                format!("{path}{{containerPort: {}{protocol}}}", this.one(&["80", "81"]))
            });
            let of = [("env", env), ("ports", ports), ("imagePullPolicy", "'Always'".to_owned())];
            let fields = this.fields(&of);
            let comma = if fields.is_empty() { "" } else { ", " };
            let name = this.one(&["'c'", "'d'"]);
            format!(
                "Object.spec.template.spec.containers{{name: {name}, image: 'i'{comma}{fields}}}"
            )
        });
        let tolerations = "[Object.spec.template.spec.tolerations{key: 'a', operator: 'Exists'}]";
        let pod = [
            ("containers", containers),
            ("tolerations", if self.one_in(8) { tolerations } else { "[]" }.to_owned()),
            ("nodeSelector", if self.one_in(4) { "{'a': 'b'}" } else { "{}" }.to_owned()),
            ("hostNetwork", "false".to_owned()),
        ];
        let pod: Vec<(&str, String)> = pod
            .into_iter()
            .filter(|(name, value)| *name != "nodeSelector" && value != "[]")
            .collect();
        let pod = self.object("Object.spec.template.spec", &pod);
        let template = self.object("Object.spec.template", &[("spec", pod)]);
        let replicas = self.number();
        self.object(
            "Object.spec",
            &[("replicas", replicas), ("template", template), ("paused", "true".to_owned())],
        )
    }

    fn path(&mut self) -> &'static str {
        const COMMON: [&str; 10] = [
            "/metadata/labels/team",
            "/metadata/labels/new",
            "/metadata/labels",
            "/metadata/annotations",
            "/metadata/annotations/a~1b",
            "/metadata/labels/a~1b",
            "/none",
            "/none/a",
            "metadata",
            "",
        ];
        const WIDGET: [&str; 20] = [
            "/spec/name",
            "/spec/count",
            "/spec/tags/0",
            "/spec/tags/-",
            "/spec/tags/-1",
            "/spec/tags/1",
            "/spec/tags/9",
            "/spec/items/0",
            "/spec/items/0/value",
            "/spec/items/-",
            "/spec/items/0/nested/a",
            "/spec/items",
            "/spec/labels/k",
            "/spec/labels",
            "/spec/plain",
            "/spec/plain/0",
            "/spec/ports/0/name",
            "/spec/atomic/x",
            "/spec/free/a",
            "/spec/tags/x",
        ];
        const CONFIG: [&str; 4] = ["/data/a", "/data/k", "/data", "/immutable"];
        const DEPLOYMENT: [&str; 6] = [
            "/spec/replicas",
            "/spec/template/spec/containers/0/image",
            "/spec/template/spec/containers/0/env",
            "/spec/template/metadata/annotations",
            "/spec/template/metadata/labels/a",
            "/spec/paused",
        ];
        if self.one_in(3) {
            return self.one(&COMMON);
        }
        match self.kind {
            "ConfigMap" => self.one(&CONFIG),
            "Deployment" => self.one(&DEPLOYMENT),
            _ => self.one(&WIDGET),
        }
    }

    fn patch_value(&mut self, path: &str) -> String {
        let text = self.text();
        match path {
            _ if self.one_in(20) => self.wrong().to_owned(),
            "/spec/count" | "/spec/replicas" => self.number(),
            "/spec/paused" | "/immutable" => "true".to_owned(),
            "/metadata/labels"
            | "/spec/labels"
            | "/data"
            | "/metadata/annotations"
            | "/spec/template/metadata/annotations" => {
                let map = self.map();
                let policy = "{'policy': object.metadata.labels.policy}";
                if path == "/metadata/labels" { policy.to_owned() } else { map }
            }
            "/spec/plain" => self.texts(),
            "/spec/items/0" | "/spec/items/-" => {
                format!(
                    "Object.spec.items{{name: 'z', value: {text}, nested: Object.spec.items.nested{{a: {text}}}}}"
                )
            }
            "/spec/items" => "object.spec.items".to_owned(),
            "/spec/template/spec/containers/0/env" => "[{'name': 'Z', 'value': 'z'}]".to_owned(),
            _ => text,
        }
    }

    fn operation(&mut self) -> String {
        let path = self.path();
        let value = self.patch_value(path);
        let (path, from) = (format!("'{path}'"), self.path());
        match self.random.below(14) {
            0..5 => format!("JSONPatch{{op: 'add', path: {path}, value: {value}}}"),
            5..7 => format!("JSONPatch{{op: 'replace', path: {path}, value: {value}}}"),
            7..9 => format!("JSONPatch{{op: 'remove', path: {path}}}"),
            9 => format!("JSONPatch{{op: 'copy', from: '{from}', path: {path}}}"),
            10 => format!("JSONPatch{{op: 'move', from: '{from}', path: {path}}}"),
            11 | 12 => format!("JSONPatch{{op: 'test', path: {path}, value: {value}}}"),
            _ => "JSONPatch{op: 'add', path: '/metadata/labels/' + jsonpatch.escapeKey('a/b~c'), value: variables.text}".to_owned(),
        }
    }

    fn patch(&mut self) -> String {
        let operations: Vec<String> =
            (0..=self.random.below(3)).map(|_| self.operation()).collect();
        let all = format!("[{}]", operations.join(", "));
        match self.random.below(8) {
            0 => format!("{} ? {all} : []", self.one(&CONDITIONS)),
            1 => format!(
                "{all} + ['k', 'l'].map(it, JSONPatch{{op: 'add', path: '/metadata/labels/' + it, value: it}})"
            ),
            _ => all,
        }
    }

    fn mutation(&mut self) -> Value {
        let is_patch = self.one_in(2);
        let expression = match () {
            () if self.one_in(60) => self.one(&INVALID).to_owned(),
            () if is_patch => self.patch(),
            () => self.configuration(),
        };
        if is_patch {
            json!({"patchType": "JSONPatch", "jsonPatch": {"expression": expression}})
        } else {
            let configuration = json!({"expression": expression});
            json!({"patchType": "ApplyConfiguration", "applyConfiguration": configuration})
        }
    }

    fn policy(&mut self, name: &str) -> Value {
        // Only Widgets are decoded and get defaults between mutations.
        let most = if self.kind == "Widget" { 3 } else { 1 };
        let mutations: Vec<Value> =
            (0..=self.random.below(most)).map(|_| self.mutation()).collect();
        let mut spec = Map::new();
        spec.insert(
            "matchConstraints".to_owned(),
            json!({
                "objectSelector": {"matchLabels": {"policy": name}},
                "resourceRules": [{
                    "apiGroups": ["*"], "apiVersions": ["*"], "operations": ["CREATE"],
                    "resources": ["configmaps", "deployments", "widgets"],
                }],
            }),
        );
        spec.insert("failurePolicy".to_owned(), json!(self.one(&["Fail", "Fail", "Ignore"])));
        spec.insert("reinvocationPolicy".to_owned(), json!("Never"));
        let number = self
            .one(&["4", "size(object.metadata.name)", "int(object.metadata.labels.team)"])
            .to_owned();
        let variables = [
            ("text", self.one(&["'v'", "object.metadata.name + '-v'"]).to_owned()),
            ("number", number),
        ];
        spec.insert(
            "variables".to_owned(),
            json!(
                variables.map(|(name, expression)| json!({"name": name, "expression": expression}))
            ),
        );
        if self.one_in(4) {
            spec.insert(
                "matchConditions".to_owned(),
                json!([{"name": "c", "expression": self.one(&CONDITIONS)}]),
            );
        }
        spec.insert("mutations".to_owned(), json!(mutations));
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "MutatingAdmissionPolicy",
            "metadata": {"name": name}, "spec": spec,
        })
    }

    fn drawn_object(&mut self, policy: &str, name: &str) -> Value {
        let mut labels = json!({"policy": policy});
        if !self.one_in(4) {
            labels["team"] = json!(self.one(&["a", "b", "12"]));
        }
        let metadata = json!({"name": name, "namespace": "default", "labels": labels});
        match self.kind {
            "ConfigMap" => json!({
                "apiVersion": "v1", "kind": "ConfigMap", "metadata": metadata, "data": {"a": "1", "b": "2"},
            }),
            "Deployment" => {
                let env = json!([{"name": "A", "value": "1"}, {"name": "B", "value": "2"}]);
                let ports =
                    json!([{"containerPort": 80}, {"containerPort": 80, "protocol": "UDP"}]);
                json!({
                    "apiVersion": "apps/v1", "kind": "Deployment", "metadata": metadata,
                    "spec": {
                        "replicas": 2, "selector": {"matchLabels": {"a": "b"}},
                        "template": {
                            "metadata": {"labels": {"a": "b"}},
                            "spec": {"containers": [
                                {"name": "c", "image": "i", "env": env, "ports": ports}, {"name": "e", "image": "j"},
                            ]},
                        },
                    },
                })
            }
            _ => {
                let items = json!([
                    {"name": "i", "value": "1", "nested": {"a": "x"}}, {"name": "j", "size": 2}, {"name": "l", "labels": {"k": "v"}},
                ]);
                let ports = json!([{"port": 80}, {"port": 80, "protocol": "UDP", "name": "u"}, {"port": 443}]);
                let mut spec = json!({
                    "name": "n", "count": 1, "ratio": 0.5, "items": items, "ports": ports, "tags": ["a", "b", "c"],
                    "labels": {"k": "1"}, "plain": ["p"], "atomic": {"x": "1", "y": "2"}, "free": {"a": {"b": [1]}},
                });
                for field in ["items", "tags", "labels", "ports", "free", "plain"] {
                    if self.one_in(4) {
                        spec.as_object_mut().unwrap().remove(field);
                    }
                }
                json!({"apiVersion": "example.com/v1", "kind": "Widget", "metadata": metadata, "spec": spec})
            }
        }
    }
}

/// Returns the policy with a number, with objects.
pub(crate) fn drawn_mutation(number: u64) -> DrawnMutation {
    let mut draw = Draw { random: Random::of_case(number), kind: "" };
    draw.kind = ["Widget", "Widget", "Widget", "ConfigMap", "Deployment"][draw.random.below(5)];
    let name = format!("p{number}");
    let policy = draw.policy(&name);
    let objects = (0..6).map(|index| draw.drawn_object(&name, &format!("o{number}-{index}")));
    let objects = objects.collect();
    DrawnMutation { policy, objects }
}
