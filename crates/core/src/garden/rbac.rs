// SPDX-License-Identifier: Apache-2.0
use std::collections::HashSet;

use super::{AccessQuestion, GardenObject, ObjectKey, Snapshot, Unknown};
use garden_gate_model::api::PolicyRule;
use garden_gate_model::api::{Kind, Role, RoleBinding, Subject, UserInfo};

/// Evaluates permissions like Kubernetes' RBAC authorizer, without aggregated roles.
///
/// Mirrors `pkg/registry/rbac/validation/rule.go` and `pkg/apis/rbac/v1/evaluation_helpers.go` of Kubernetes.
impl Snapshot {
    /// Reports whether any binding grants `user` the permission.
    /// A binding to a nonexistent role grants nothing.
    pub(super) fn grants(&self, user: &UserInfo, question: &AccessQuestion) -> bool {
        let (user, namespace) = (&Requester::of(user), question.namespace.as_str());
        let cluster = self
            .of_namespace(Kind::ClusterRoleBinding, "")
            .filter_map(binding)
            .filter(|binding| binding.role_ref.kind == "ClusterRole" && binds(binding, user, ""));
        let within = self
            .of_namespace(Kind::RoleBinding, namespace)
            .filter_map(binding)
            .filter(|binding| binds(binding, user, namespace));
        cluster
            .chain(within)
            .filter_map(|binding| self.role(namespace, binding))
            .flat_map(|role| &role.rules)
            .any(|rule| grants(rule, question))
    }

    /// Fails if RBAC objects may be missing that would grant the permission.
    pub(super) fn refuses(&self, question: &AccessQuestion) -> Result<(), Unknown> {
        let within =
            [Kind::RoleBinding, Kind::Role].iter().filter(|_| !question.namespace.is_empty());
        let cluster = [Kind::ClusterRoleBinding, Kind::ClusterRole];
        let mut kinds = cluster.iter().chain(within);
        Ok(kinds.try_for_each(|kind| self.whole(*kind))?)
    }

    fn role(&self, namespace: &str, binding: &RoleBinding) -> Option<&Role> {
        let name = binding.role_ref.name.as_str();
        let key = match binding.role_ref.kind.as_str() {
            "Role" => ObjectKey::new(Kind::Role, namespace, name),
            "ClusterRole" => ObjectKey::named(Kind::ClusterRole, name),
            _ => return None,
        };
        match self.objects.get(&key)? {
            GardenObject::ClusterRole(role) | GardenObject::Role(role) => Some(role),
            _ => None,
        }
    }
}

fn binding(object: &GardenObject) -> Option<&RoleBinding> {
    match object {
        GardenObject::ClusterRoleBinding(binding) | GardenObject::RoleBinding(binding) => {
            Some(binding)
        }
        _ => None,
    }
}

/// The requesting user.
struct Requester<'a> {
    username: &'a str,
    groups: HashSet<&'a String>,
}

impl<'a> Requester<'a> {
    fn of(user: &'a UserInfo) -> Self {
        Self { username: &user.username, groups: user.groups.iter().collect() }
    }
}

fn binds(binding: &RoleBinding, user: &Requester<'_>, namespace: &str) -> bool {
    binding.subjects.iter().any(|subject| is_subject(subject, user, namespace))
}

/// Reports whether a subject matches the user.
///
/// A service account without a namespace belongs to the binding's namespace; a ClusterRoleBinding has none.
fn is_subject(subject: &Subject, user: &Requester<'_>, namespace: &str) -> bool {
    match subject.kind.as_str() {
        "User" => user.username == subject.name,
        "Group" => user.groups.contains(&subject.name),
        "ServiceAccount" => {
            let namespace =
                if subject.namespace.is_empty() { namespace } else { &subject.namespace };
            let account = user.username.strip_prefix("system:serviceaccount:");
            !namespace.is_empty()
                && account.and_then(|account| account.split_once(':'))
                    == Some((namespace, subject.name.as_str()))
        }
        _ => false,
    }
}

fn grants(rule: &PolicyRule, question: &AccessQuestion) -> bool {
    let lists =
        |list: &[String], wanted: &str| list.iter().any(|entry| entry == "*" || entry == wanted);
    lists(&rule.verbs, question.verb)
        && lists(&rule.api_groups, question.group)
        && rule.resources.iter().any(|resource| covers(resource, question))
        && (rule.resource_names.is_empty() || rule.resource_names.contains(&question.name))
}

fn covers(resource: &str, question: &AccessQuestion) -> bool {
    if resource == "*" {
        return true;
    }
    match resource.split_once('/') {
        None => question.subresource.is_empty() && resource == question.resource,
        Some((parent, subresource)) => {
            !question.subresource.is_empty()
                && subresource == question.subresource
                && (parent == "*" || parent == question.resource)
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use crate::garden::{AccessQuestion, GardenObject, Knowledge, Snapshot};
    use garden_gate_model::api::{Kind, UserInfo};

    fn add(garden: &mut Snapshot, kind: Kind, object: Value) {
        let object = GardenObject::read(kind, object.to_string().as_str());
        garden.apply(object.unwrap().unwrap());
    }

    const SUBJECT: &str = r#"{"kind": "User", "name": "alice"}"#;

    fn rule(resources: &[&str]) -> Value {
        json!({"verbs": ["manage-members"], "apiGroups": ["core.gardener.cloud"], "resources": resources})
    }

    fn role(namespace: &str, name: &str, rule: &Value) -> Value {
        json!({"metadata": {"name": name, "namespace": namespace}, "rules": [rule]})
    }

    fn binding(namespace: &str, kind: &str, name: &str, subject: &Value) -> Value {
        json!({"metadata": {"name": "b", "namespace": namespace}, "subjects": [subject], "roleRef": {"kind": kind, "name": name}})
    }

    fn alice() -> UserInfo {
        UserInfo {
            username: "alice".to_owned(),
            groups: vec!["devs".to_owned()],
            ..UserInfo::default()
        }
    }

    fn question() -> AccessQuestion {
        AccessQuestion {
            verb: "manage-members",
            group: "core.gardener.cloud",
            resource: "projects",
            subresource: "",
            namespace: String::new(),
            name: "dev".to_owned(),
        }
    }

    /// Returns a garden with a ClusterRole of one rule, bound to a subject.
    fn bound(rule: &Value, subject: &Value) -> Snapshot {
        let mut garden = Snapshot::new(Knowledge::Everything);
        add(&mut garden, Kind::ClusterRole, role("", "r", rule));
        let binding = binding("", "ClusterRole", "r", subject);
        add(&mut garden, Kind::ClusterRoleBinding, binding);
        garden
    }

    /// Reports whether a ClusterRole with one rule, bound to alice, grants the permission.
    fn rule_allows(rule: &Value, question: &AccessQuestion) -> bool {
        bound(rule, &serde_json::from_str(SUBJECT).unwrap()).grants(&alice(), question)
    }

    #[test]
    fn a_rule_grants_what_it_lists() {
        let core = "core.gardener.cloud";
        let cases = [
            (
                json!({"verbs": ["manage-members"], "apiGroups": [core], "resources": ["projects"]}),
                true,
            ),
            (json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}), true),
            (
                json!({"verbs": ["get", "manage-members"], "apiGroups": ["", core], "resources": ["shoots", "projects"]}),
                true,
            ),
            (json!({"verbs": ["manage"], "apiGroups": [core], "resources": ["projects"]}), false),
            (
                json!({"verbs": ["manage-members"], "apiGroups": [""], "resources": ["projects"]}),
                false,
            ),
            (json!({"verbs": ["manage-members"], "resources": ["projects"]}), false),
            (
                json!({"verbs": ["manage-members"], "apiGroups": [core], "resources": ["projects/status"]}),
                false,
            ),
            (
                json!({"verbs": ["manage-members"], "apiGroups": [core], "resources": ["*/*"]}),
                false,
            ),
            (json!({"verbs": ["*"], "nonResourceURLs": ["*"]}), false),
            (
                json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "resourceNames": []}),
                true,
            ),
            (
                json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "resourceNames": ["a", "dev"]}),
                true,
            ),
            (
                json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "resourceNames": ["a"]}),
                false,
            ),
            (
                json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"], "resourceNames": ["*"]}),
                false,
            ),
        ];
        for (rule, expected) in cases {
            assert_eq!(rule_allows(&rule, &question()), expected, "{rule}");
        }
    }

    #[test]
    fn subresources_are_granted_apart() {
        let binding = AccessQuestion { resource: "shoots", subresource: "binding", ..question() };
        let cases = [
            ("shoots/binding", true),
            ("*/binding", true),
            ("*", true),
            ("shoots", false),
            ("shoots/*", false),
            ("projects/binding", false),
            ("*/status", false),
        ];
        for (resource, expected) in cases {
            assert_eq!(rule_allows(&rule(&[resource]), &binding), expected, "{resource}");
        }
    }

    #[test]
    fn a_role_is_bound_to_users_groups_and_service_accounts() {
        let robot = "system:serviceaccount:garden-dev:robot";
        let cases = [
            (json!({"kind": "User", "name": "alice"}), "alice", true),
            (json!({"kind": "User", "name": "devs"}), "alice", false),
            (json!({"kind": "Group", "name": "devs"}), "alice", true),
            (json!({"kind": "Group", "name": "alice"}), "alice", false),
            (json!({"kind": "User", "name": robot}), robot, true),
            (
                json!({"kind": "ServiceAccount", "name": "robot", "namespace": "garden-dev"}),
                robot,
                true,
            ),
            (
                json!({"kind": "ServiceAccount", "name": "robot", "namespace": "garden"}),
                robot,
                false,
            ),
            (
                json!({"kind": "ServiceAccount", "name": "other", "namespace": "garden-dev"}),
                robot,
                false,
            ),
            (
                json!({"kind": "ServiceAccount", "name": "alice", "namespace": "garden-dev"}),
                "alice",
                false,
            ),
            (json!({"kind": "Robot", "name": "alice"}), "alice", false),
        ];
        for (subject, username, expected) in cases {
            let garden = bound(&rule(&["projects"]), &subject);
            let user = UserInfo { username: username.to_owned(), ..alice() };
            assert_eq!(garden.grants(&user, &question()), expected, "{subject} {username}");
        }
    }

    #[test]
    fn a_service_account_without_namespace_is_one_of_the_bindings_namespace() {
        let subject = json!({"kind": "ServiceAccount", "name": "robot"});
        let robot =
            UserInfo { username: "system:serviceaccount:garden-dev:robot".to_owned(), ..alice() };
        let asked = AccessQuestion { namespace: "garden-dev".to_owned(), ..question() };
        let mut garden = bound(&rule(&["projects"]), &subject);
        assert!(!garden.grants(&robot, &asked));
        add(&mut garden, Kind::RoleBinding, binding("garden-dev", "ClusterRole", "r", &subject));
        assert!(garden.grants(&robot, &asked));
    }

    #[test]
    fn a_role_binding_reaches_its_own_namespace_only() {
        let cases = [
            ("garden-dev", "Role", "local", "garden-dev", true),
            ("garden-dev", "ClusterRole", "global", "garden-dev", true),
            ("garden-dev", "ClusterRole", "global", "garden-prod", false),
            ("garden-dev", "ClusterRole", "global", "", false),
            ("garden-prod", "Role", "local", "garden-prod", false),
            ("garden-dev", "ClusterRole", "local", "garden-dev", false),
            ("garden-dev", "Role", "global", "garden-dev", false),
            ("garden-dev", "Role", "missing", "garden-dev", false),
            ("", "ClusterRole", "global", "garden-dev", true),
            ("", "ClusterRole", "global", "", true),
            ("", "Role", "local", "garden-dev", false),
            ("", "ClusterRole", "missing", "", false),
        ];
        for (namespace, kind, name, asked, expected) in cases {
            let mut garden = Snapshot::new(Knowledge::Everything);
            add(&mut garden, Kind::Role, role("garden-dev", "local", &rule(&["projects"])));
            add(&mut garden, Kind::ClusterRole, role("", "global", &rule(&["projects"])));
            let subject = serde_json::from_str(SUBJECT).unwrap();
            let binding = binding(namespace, kind, name, &subject);
            if namespace.is_empty() {
                add(&mut garden, Kind::ClusterRoleBinding, binding);
            } else {
                add(&mut garden, Kind::RoleBinding, binding);
            }
            let question = AccessQuestion { namespace: asked.to_owned(), ..question() };
            assert_eq!(
                garden.grants(&alice(), &question),
                expected,
                "{namespace} {kind}/{name} {asked}"
            );
        }
    }

    #[test]
    fn without_bindings_nothing_is_allowed() {
        assert!(!Snapshot::new(Knowledge::Everything).grants(&alice(), &question()));
    }
}
