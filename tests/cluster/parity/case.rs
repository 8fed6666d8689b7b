// SPDX-License-Identifier: Apache-2.0
//! A request in the recorded form; format in `tests/conformance/README.md`.

use serde_json::{Value, json};

use crate::recorded;

/// The requesting user.
#[derive(Clone, Debug)]
pub(crate) struct User {
    pub(crate) name: String,
    pub(crate) groups: Vec<String>,
}

/// A request to an API server, as the resulting AdmissionReview.
#[derive(Clone, Debug)]
pub(crate) struct Case {
    pub(crate) id: String,
    pub(crate) request: Value,
    /// The object as sent, if a parsed value cannot represent it.
    pub(crate) text: Option<String>,
}

impl Case {
    /// Returns a recorded case.
    pub(crate) fn recorded(case: &Value) -> Self {
        Self {
            id: case["id"].as_str().unwrap().to_owned(),
            request: case["request"].clone(),
            text: case["text"].as_str().map(str::to_owned),
        }
    }

    /// Returns a user's request that changes an object from `old` to `new`.
    pub(crate) fn new(
        id: String,
        user: &User,
        (sub_resource, resource): (&str, &str),
        [new, old]: [Option<&Value>; 2],
    ) -> Self {
        let object = new.or(old).unwrap();
        let api = object["apiVersion"].as_str().unwrap();
        let (group, version) = api.split_once('/').unwrap();
        let operation = match (new, old) {
            (Some(_), None) => "CREATE",
            (Some(_), Some(_)) => "UPDATE",
            (None, _) => "DELETE",
        };
        let named = old.unwrap_or(object);
        let metadata = &named["metadata"];
        let mut request = json!({
            "kind": {"group": group, "version": version, "kind": object["kind"]},
            "resource": {"group": group, "version": version, "resource": resource},
            "name": name_of(named),
            "operation": operation,
            "userInfo": {"username": user.name, "groups": user.groups},
            "dryRun": false,
        });
        if !metadata["namespace"].is_null() {
            request["namespace"] = metadata["namespace"].clone();
        }
        if !sub_resource.is_empty() {
            request["subResource"] = json!(sub_resource);
        }
        for (member, object) in [("object", new), ("oldObject", old)] {
            if let Some(object) = object {
                request[member] = object.clone();
            }
        }
        Self { id, request, text: None }
    }

    /// Returns the request with another new object.
    pub(crate) fn with_object(&self, object: Value) -> Self {
        let mut case = self.clone();
        if case.operation() == "CREATE" {
            case.request["name"] = name_of(&object);
        }
        case.request["object"] = object;
        case
    }

    /// Returns the request of another user.
    pub(crate) fn with_user(&self, user: &User) -> Self {
        let mut case = self.clone();
        case.request["userInfo"] = json!({"username": user.name, "groups": user.groups});
        case
    }

    /// Returns the request about another old object, which is changed in the same way; `None` if that is not possible.
    pub(crate) fn with_old(&self, old: &Value) -> Option<Self> {
        if self.operation() == "CREATE" {
            return None;
        }
        let mut case = self.clone();
        if self.operation() == "UPDATE" {
            let changes = json_patch::diff(&self.request["oldObject"], &self.request["object"]);
            let mut new = old.clone();
            json_patch::patch(&mut new, &changes).ok()?;
            case.request["object"] = new;
        }
        case.request["oldObject"] = old.clone();
        case.request["name"] = name_of(old);
        if !old["metadata"]["namespace"].is_null() {
            case.request["namespace"] = old["metadata"]["namespace"].clone();
        }
        Some(case)
    }

    /// Returns the request with its old object as stored; `None` if that does not exist.
    pub(crate) fn among(&self, stored: &[Value]) -> Option<Self> {
        let old = &self.request["oldObject"];
        if self.operation() == "CREATE" {
            return Some(self.clone());
        }
        let is_same = |it: &&Value| {
            let of = |object: &Value, member: &str| object["metadata"][member].clone();
            it["kind"] == old["kind"]
                && ["namespace", "name"].iter().all(|member| of(it, member) == of(old, member))
        };
        self.with_old(stored.iter().find(is_same)?)
    }

    pub(crate) fn user(&self) -> User {
        let user = &self.request["userInfo"];
        let groups = user["groups"].as_array().into_iter().flatten();
        User {
            name: user["username"].as_str().unwrap().to_owned(),
            groups: groups.map(|it| it.as_str().unwrap().to_owned()).collect(),
        }
    }

    pub(crate) fn kind(&self) -> &str {
        self.request["kind"]["kind"].as_str().unwrap()
    }

    pub(crate) fn operation(&self) -> &str {
        self.request["operation"].as_str().unwrap()
    }

    /// Returns the subresource; empty for the object itself.
    pub(crate) fn sub_resource(&self) -> &str {
        self.request["subResource"].as_str().unwrap_or_default()
    }

    /// Returns the kind with the subresource: `Shoot`, `Shoot/binding`.
    pub(crate) fn asked_of(&self) -> String {
        match self.sub_resource() {
            "" => self.kind().to_owned(),
            sub_resource => format!("{}/{sub_resource}", self.kind()),
        }
    }

    /// Formats a title, such as `UPDATE of Shoot garden-dev/web by alice`.
    pub(crate) fn title(&self) -> String {
        let text = |member: &str| self.request[member].as_str().unwrap_or_default();
        let (namespace, name) = (text("namespace"), text("name"));
        let slash = if namespace.is_empty() { "" } else { "/" };
        let (operation, kind) = (self.operation(), self.asked_of());
        let user = self.user().name;
        format!("{operation} of {kind} {namespace}{slash}{name} by {user}")
    }

    /// Returns the URL path of the request: the collection for a new object, otherwise the object or a subresource.
    pub(crate) fn path(&self) -> String {
        let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let resource = &self.request["resource"];
        let (group, version) = (text(&resource["group"]), text(&resource["version"]));
        let mut path = format!("/apis/{group}/{version}");
        let namespace = text(&self.request["namespace"]);
        if !namespace.is_empty() {
            path += &format!("/namespaces/{namespace}");
        }
        path += &format!("/{}", text(&resource["resource"]));
        if self.operation() != "CREATE" {
            path += &format!("/{}", text(&self.request["name"]));
        }
        match self.sub_resource() {
            "" => path,
            sub_resource => format!("{path}/{sub_resource}"),
        }
    }

    /// Returns the request as an AdmissionReview.
    pub(crate) fn review(&self) -> String {
        let mut review = recorded::review(&json!({"id": self.id, "request": self.request}));
        if self.text.is_some() {
            review["request"]["object"] = json!("the object goes here");
        }
        match &self.text {
            Some(text) => review.to_string().replacen("\"the object goes here\"", text, 1),
            None => review.to_string(),
        }
    }
}

/// Returns the name of an object; an empty string if it has none.
fn name_of(object: &Value) -> Value {
    json!(object["metadata"]["name"].as_str().unwrap_or_default())
}

impl User {
    pub(crate) fn new(name: &str, groups: &[&str]) -> Self {
        Self { name: name.to_owned(), groups: groups.iter().copied().map(str::to_owned).collect() }
    }
}

#[test]
fn update_with_another_old_object_changes_it_alike() {
    let old =
        json!({"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "a"}, "spec": {"x": 1}});
    let new =
        json!({"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "a"}, "spec": {"x": 2}});
    let other = json!({"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "b"}, "spec": {"x": 3, "y": 4}});
    let user = User::new("alice", &[]);
    let case = Case::new(String::new(), &user, ("", "as"), [Some(&new), Some(&old)]);
    let other_case = case.with_old(&other).unwrap();
    assert_eq!(other_case.request["object"]["spec"], json!({"x": 2, "y": 4}));
    assert_eq!(other_case.request["oldObject"], other);
    assert_eq!(other_case.request["name"], "b");
    assert!(case.among(std::slice::from_ref(&other)).is_none());
    let without = json!({"apiVersion": "a/v1", "kind": "A", "metadata": {"name": "a"}});
    assert!(case.with_old(&without).is_none());
}
