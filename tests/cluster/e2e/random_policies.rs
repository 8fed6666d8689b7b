// SPDX-License-Identifier: Apache-2.0
//! Random policies with bindings, parameters and requests.

use serde_json::{Map, Value, json};

use crate::random::Random;
use crate::recorded_policies::Landscape;

/// A policy and the changes of objects that are put to it.
pub(crate) struct Drawn {
    pub(crate) landscape: Landscape,
    /// The new and the stored object of each request.
    pub(crate) changes: Vec<[Option<Value>; 2]>,
}

/// Returns the Namespace of the objects.
pub(crate) fn namespace() -> Value {
    json!({
        "apiVersion": "v1", "kind": "Namespace",
        "metadata": {"name": "garden-dev", "labels": {"kubernetes.io/metadata.name": "garden-dev", "stage": "dev"}},
    })
}

const TEXTS: [&str; 9] = [
    "'eu-west-1'",
    "'a'",
    "''",
    "object.spec.region",
    "object.metadata.labels['team']",
    "object.spec.?stage.orValue('none')",
    "string(object.spec.size)",
    "request.operation",
    "object.spec.provider.workers[0].name",
];
const NUMBERS: [&str; 8] = [
    "0",
    "3",
    "50",
    "object.spec.size",
    "size(object.spec.provider.workers)",
    "object.spec.provider.workers[0].maximum",
    "object.spec.provider.workers.map(w, w.minimum).sum()",
    "int(object.spec.region)",
];
const LISTS: [&str; 6] = [
    "object.spec.provider.workers",
    "object.spec.provider.workers[0].zones",
    "['a', 'b', 'eu-west-1']",
    "[1, 2, 50]",
    "object.spec.provider.workers.map(w, w.name)",
    "object.spec.region.split('-')",
];
/// Conditions, of which some fail for some objects.
const CONDITIONS: [&str; 17] = [
    "true",
    "has(object.spec.stage)",
    "object.spec.stage == 'production'",
    "has(oldObject.spec.stage)",
    "oldObject == null || object.spec.region == oldObject.spec.region",
    "object.spec.provider.workers.all(w, w.maximum <= 50)",
    "object.spec.provider.workers.all(w, size(w.zones) > 1)",
    "object.spec.provider.workers.exists(w, w.machine.type.startsWith('m5'))",
    "object.metadata.name.matches('^s[0-9]+-[0-4]$')",
    "quantity(object.spec.memory).isGreaterThan(quantity('2Gi'))",
    "namespaceObject.metadata.labels['stage'] == 'dev'",
    "namespaceObject.metadata.labels['stage'] == object.metadata.labels['team']",
    "'system:masters' in request.userInfo.groups",
    "request.userInfo.username == 'admin'",
    "request.kind.kind == 'Shoot' && request.resource.resource == 'shoots'",
    "cidr('10.0.0.0/8').containsIP(object.spec.address)",
    "duration(object.spec.grace) < duration('1h')",
];
/// Conditions of policies with parameters; one object has the fields, the other lacks them.
const WITH_PARAMETERS: [&str; 4] = [
    "params.data.team == object.metadata.labels['team']",
    "object.spec.size <= int(params.data.most)",
    "params == null || params.metadata.name.startsWith('p')",
    "object.spec.region in params.data.regions.split(',')",
];
const ACTIONS: [&[&str]; 6] =
    [&["Deny"], &["Deny"], &["Deny", "Audit"], &["Warn"], &["Warn", "Audit"], &["Audit"]];
/// Expressions of policies that API servers refuse.
const INVALID: [&str; 5] =
    ["object.spec.region ==", "'a' + 1 == 'a1'", "size(1) > 0", "1", "nothing.a == 1"];

struct Draw {
    random: Random,
    has_parameters: bool,
    variables: Vec<String>,
}

impl Draw {
    fn one_in(&mut self, count: usize) -> bool {
        self.random.below(count) == 0
    }

    fn one<'a>(&mut self, of: &[&'a str]) -> &'a str {
        self.random.pick::<&'a str>(of)
    }

    fn text(&mut self) -> String {
        match self.random.below(5) {
            0 => format!("{}.lowerAscii()", self.one(&TEXTS)),
            1 => format!("({} + '-' + {})", self.one(&TEXTS), self.one(&TEXTS)),
            _ => self.one(&TEXTS).to_owned(),
        }
    }

    fn number(&mut self) -> String {
        match self.random.below(5) {
            0 => format!(
                "({} {} {})",
                self.one(&NUMBERS),
                self.one(&["+", "-", "*", "/", "%"]),
                self.one(&NUMBERS)
            ),
            1 => format!("size({})", self.one(&LISTS)),
            _ => self.one(&NUMBERS).to_owned(),
        }
    }

    fn condition(&mut self, depth: usize) -> String {
        let choice = if depth == 0 { 0 } else { self.random.below(8) };
        match choice {
            1 => format!(
                "({} {} {})",
                self.condition(depth - 1),
                self.one(&["&&", "||"]),
                self.condition(depth - 1)
            ),
            2 => format!("!({})", self.condition(depth - 1)),
            3 => format!("{} {} {}", self.text(), self.one(&["==", "!=", "<", ">="]), self.text()),
            4 => {
                format!("{} {} {}", self.number(), self.one(&["==", "<", "<=", ">"]), self.number())
            }
            5 => format!("{} in {}", self.text(), self.one(&LISTS)),
            6 => format!(
                "({} ? {} : {})",
                self.condition(depth - 1),
                self.condition(depth - 1),
                self.condition(depth - 1)
            ),
            7 if !self.variables.is_empty() => {
                let known = self.random.below(self.variables.len());
                self.variables[known].clone()
            }
            _ if self.has_parameters && self.one_in(2) => self.one(&WITH_PARAMETERS).to_owned(),
            _ => self.one(&CONDITIONS).to_owned(),
        }
    }

    /// Returns a condition, now and then one that does not compile.
    fn expression(&mut self) -> String {
        if self.one_in(60) { self.one(&INVALID).to_owned() } else { self.condition(3) }
    }

    fn operations(&mut self) -> Value {
        match self.random.below(4) {
            0 => json!(["CREATE", "UPDATE"]),
            1 => json!(["UPDATE", "DELETE"]),
            _ => json!(["*"]),
        }
    }

    fn rules(&mut self) -> Value {
        let resources = self.one(&["shoots", "shoots", "*", "shoots/*", "shoots/status"]);
        json!([{
            "apiGroups": ["core.gardener.cloud"], "apiVersions": ["*"], "operations": self.operations(),
            "resources": [resources], "scope": self.one(&["*", "Namespaced", "*"]),
        }])
    }

    fn labels(&mut self) -> Value {
        match self.random.below(4) {
            0 => json!({"matchLabels": {"team": "a"}}),
            1 => {
                json!({"matchExpressions": [{"key": "team", "operator": "In", "values": ["a", "b"]}]})
            }
            2 => json!({"matchExpressions": [{"key": "team", "operator": "DoesNotExist"}]}),
            _ => json!({}),
        }
    }

    fn validation(&mut self) -> Value {
        let mut validation = json!({"expression": self.expression()});
        if self.one_in(3) {
            validation["message"] =
                json!(self.one(&["not allowed", "use another \"region\"", "ä"]));
        }
        if self.one_in(3) {
            let text = self.text();
            // API servers refuse expressions whose type is not known to be a string.
            validation["messageExpression"] =
                if self.one_in(10) { json!(text) } else { json!(format!("string({text})")) };
        }
        if self.one_in(3) {
            validation["reason"] = json!(self.one(&["Invalid", "Forbidden"]));
        }
        validation
    }

    fn policy(&mut self, name: &str) -> Value {
        let mut spec = Map::new();
        let mut constraints = json!({
            "resourceRules": self.rules(),
            "objectSelector": {"matchLabels": {"policy": name}},
        });
        if self.one_in(6) {
            constraints["namespaceSelector"] =
                json!({"matchLabels": {"stage": self.one(&["dev", "live"])}});
        }
        if self.one_in(8) {
            constraints["excludeResourceRules"] = self.rules();
        }
        spec.insert("matchConstraints".to_owned(), constraints);
        if self.has_parameters {
            spec.insert("paramKind".to_owned(), json!({"apiVersion": "v1", "kind": "ConfigMap"}));
        }
        if self.one_in(3) {
            spec.insert("failurePolicy".to_owned(), json!("Ignore"));
        }
        if self.one_in(3) {
            let condition = json!([{"name": "c", "expression": self.expression()}]);
            spec.insert("matchConditions".to_owned(), condition);
        }
        if self.one_in(2) {
            let variables = [("one", self.condition(2)), ("two", self.condition(1))];
            let variables =
                variables.map(|(name, expression)| json!({"name": name, "expression": expression}));
            spec.insert("variables".to_owned(), json!(variables));
            self.variables = ["variables.one", "variables.two"].map(str::to_owned).to_vec();
        }
        let validations: Vec<Value> =
            (0..=self.random.below(3)).map(|_| self.validation()).collect();
        spec.insert("validations".to_owned(), json!(validations));
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicy",
            "metadata": {"name": name}, "spec": spec,
        })
    }

    fn binding(&mut self, policy: &str, name: &str) -> Value {
        let actions = *self.random.pick(&ACTIONS);
        let mut spec = json!({"policyName": policy, "validationActions": actions});
        if self.one_in(3) {
            spec["matchResources"] = json!({"objectSelector": self.labels()});
        }
        if self.has_parameters {
            let mut reference = json!({
                "namespace": "garden",
                "parameterNotFoundAction": self.one(&["Allow", "Deny"]),
            });
            match self.random.below(3) {
                0 => reference["selector"] = json!({"matchLabels": {"policy": policy}}),
                number => reference["name"] = json!(format!("{policy}-{number}")),
            }
            spec["paramRef"] = reference;
        }
        json!({
            "apiVersion": "admissionregistration.k8s.io/v1", "kind": "ValidatingAdmissionPolicyBinding",
            "metadata": {"name": name}, "spec": spec,
        })
    }

    fn parameters(&mut self, policy: &str) -> Vec<Value> {
        let count = if self.has_parameters { self.random.below(3) } else { 0 };
        let parameters = (1..=count).map(|number| {
            let mut data = json!({"team": self.one(&["a", "b"]), "most": self.one(&["3", "60", "many"])});
            if self.one_in(2) {
                data["regions"] = json!("eu-west-1,a");
            }
            json!({
                "apiVersion": "v1", "kind": "ConfigMap", "data": data,
                "metadata": {"name": format!("{policy}-{number}"), "namespace": "garden", "labels": {"policy": policy}},
            })
        });
        parameters.collect()
    }

    fn shoot(&mut self, policy: &str, name: &str) -> Value {
        let mut labels = json!({"policy": policy});
        if !self.one_in(4) {
            labels["team"] = json!(self.one(&["a", "b", "dev"]));
        }
        // Gardener omits an empty list, which the tests' API server keeps.
        let pools = (0..=self.random.below(2)).map(|number| {
            json!({
                "name": self.one(&["a", "b", "pool"]), "minimum": number, "maximum": self.random.pick(&[3, 50, 51]),
                "machine": {"type": self.one(&["m5.large", "x1"])},
                "zones": self.random.pick(&[&["eu-west-1a"][..], &["eu-west-1a", "eu-west-1b"]]),
            })
        });
        let pools: Vec<Value> = pools.collect();
        let mut spec = json!({
            "region": self.one(&["eu-west-1", "a", "7"]),
            "size": self.random.pick(&[0, 3, 50]),
            "memory": self.one(&["1Gi", "4Gi", "much"]),
            "address": self.one(&["10.1.2.3", "192.168.0.1", "fe80::1", "none"]),
            "grace": self.one(&["30m", "2h", "soon"]),
            "provider": {"type": "aws", "workers": pools},
        });
        if self.one_in(2) {
            spec["stage"] = json!(self.one(&["production", "testing"]));
        }
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
            "metadata": {"name": name, "namespace": "garden-dev", "labels": labels}, "spec": spec,
        })
    }
}

/// Returns the policy with a number, with six requests.
pub(crate) fn drawn(number: u64) -> Drawn {
    let mut draw =
        Draw { random: Random::of_case(number), has_parameters: false, variables: Vec::new() };
    draw.has_parameters = draw.one_in(3);
    let name = format!("p{number}");
    let policy = draw.policy(&name);
    let bindings =
        (0..=draw.random.below(2)).map(|at| draw.binding(&name, &format!("{name}-{at}")));
    let bindings = bindings.collect();
    let parameters = draw.parameters(&name);
    let changes = (0..6)
        .map(|request| {
            let named = format!("s{number}-{request}");
            let new = (request < 5).then(|| draw.shoot(&name, &named));
            let old = (request > 2).then(|| draw.shoot(&name, &named));
            [new, old]
        })
        .collect();
    Drawn { landscape: Landscape { policy, bindings, parameters, namespace: namespace() }, changes }
}
