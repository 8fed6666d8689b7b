use std::collections::BTreeMap;

use super::AccessQuestion;
use crate::model::{Among, PolicyRule, Role, RoleBinding, Subject, UserInfo};

/// The RBAC objects of a garden directory. Answers as Kubernetes' RBAC authorizer does, without aggregated roles.
///
/// Mirrors `pkg/registry/rbac/validation/rule.go` and `pkg/apis/rbac/v1/evaluation_helpers.go` of Kubernetes.
#[derive(Clone, Debug, Default)]
pub struct Rbac {
    cluster_roles: BTreeMap<String, Vec<PolicyRule>>,
    cluster_role_bindings: Vec<RoleBinding>,
    namespaces: BTreeMap<String, Namespace>,
}

#[derive(Clone, Debug, Default)]
struct Namespace {
    roles: BTreeMap<String, Vec<PolicyRule>>,
    role_bindings: Vec<RoleBinding>,
}

impl Rbac {
    /// Adds a ClusterRole.
    pub fn add_cluster_role(&mut self, role: Role) {
        self.cluster_roles.insert(role.metadata.name, role.rules);
    }

    /// Adds a ClusterRoleBinding.
    pub fn add_cluster_role_binding(&mut self, binding: RoleBinding) {
        self.cluster_role_bindings.push(binding);
    }

    /// Adds a Role.
    pub fn add_role(&mut self, role: Role) {
        let namespace = self.namespaces.entry(role.metadata.namespace).or_default();
        namespace.roles.insert(role.metadata.name, role.rules);
    }

    /// Adds a RoleBinding.
    pub fn add_role_binding(&mut self, binding: RoleBinding) {
        let namespace = binding.metadata.namespace.clone();
        self.namespaces
            .entry(namespace)
            .or_default()
            .role_bindings
            .push(binding);
    }

    /// Whether any binding grants `user` what is asked. A binding of a role that does not exist grants nothing.
    #[must_use]
    pub fn allows(&self, user: &UserInfo, question: &AccessQuestion) -> bool {
        let user = &Requester::of(user);
        let cluster = self.cluster_role_bindings.iter();
        let by_cluster = cluster
            .filter(|binding| binding.role_ref.kind == "ClusterRole" && binds(binding, user, ""))
            .filter_map(|binding| self.cluster_roles.get(&binding.role_ref.name));
        let by_namespace = self
            .namespaces
            .get(&question.namespace)
            .into_iter()
            .flat_map(|namespace| {
                let bindings = namespace.role_bindings.iter();
                bindings
                    .filter(|binding| binds(binding, user, &question.namespace))
                    .filter_map(|binding| self.role(namespace, binding))
            });
        by_cluster
            .chain(by_namespace)
            .flatten()
            .any(|rule| grants(rule, question))
    }

    fn role<'a>(
        &'a self,
        namespace: &'a Namespace,
        binding: &RoleBinding,
    ) -> Option<&'a Vec<PolicyRule>> {
        let name = &binding.role_ref.name;
        match binding.role_ref.kind.as_str() {
            "Role" => namespace.roles.get(name),
            "ClusterRole" => self.cluster_roles.get(name),
            _ => None,
        }
    }
}

/// Who asks.
struct Requester<'a> {
    username: &'a str,
    groups: Among<'a, String>,
}

impl<'a> Requester<'a> {
    fn of(user: &'a UserInfo) -> Self {
        Self {
            username: &user.username,
            groups: Among::of(&user.groups),
        }
    }
}

fn binds(binding: &RoleBinding, user: &Requester<'_>, namespace: &str) -> bool {
    binding
        .subjects
        .iter()
        .any(|subject| is_subject(subject, user, namespace))
}

/// A service account without a namespace is one of the binding's namespace; a ClusterRoleBinding has none.
fn is_subject(subject: &Subject, user: &Requester<'_>, namespace: &str) -> bool {
    match subject.kind.as_str() {
        "User" => user.username == subject.name,
        "Group" => user.groups.contains(&subject.name),
        "ServiceAccount" => {
            let namespace = if subject.namespace.is_empty() {
                namespace
            } else {
                &subject.namespace
            };
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
        && rule
            .resources
            .iter()
            .any(|resource| covers(resource, question))
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

    use super::Rbac;
    use crate::garden::AccessQuestion;
    use crate::model::UserInfo;

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

    /// Whether a ClusterRole with one rule, bound to alice, answers the question with yes.
    fn rule_allows(rule: &Value, question: &AccessQuestion) -> bool {
        let mut rbac = Rbac::default();
        rbac.add_cluster_role(serde_json::from_value(role("", "r", rule)).unwrap());
        let subject = serde_json::from_str(SUBJECT).unwrap();
        rbac.add_cluster_role_binding(
            serde_json::from_value(binding("", "ClusterRole", "r", &subject)).unwrap(),
        );
        rbac.allows(&alice(), question)
    }

    #[test]
    fn a_rule_grants_what_it_lists() {
        let core = "core.gardener.cloud";
        let cases = [
            (
                json!({"verbs": ["manage-members"], "apiGroups": [core], "resources": ["projects"]}),
                true,
            ),
            (
                json!({"verbs": ["*"], "apiGroups": ["*"], "resources": ["*"]}),
                true,
            ),
            (
                json!({"verbs": ["get", "manage-members"], "apiGroups": ["", core], "resources": ["shoots", "projects"]}),
                true,
            ),
            (
                json!({"verbs": ["manage"], "apiGroups": [core], "resources": ["projects"]}),
                false,
            ),
            (
                json!({"verbs": ["manage-members"], "apiGroups": [""], "resources": ["projects"]}),
                false,
            ),
            (
                json!({"verbs": ["manage-members"], "resources": ["projects"]}),
                false,
            ),
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
        let binding = AccessQuestion {
            resource: "shoots",
            subresource: "binding",
            ..question()
        };
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
            assert_eq!(
                rule_allows(&rule(&[resource]), &binding),
                expected,
                "{resource}"
            );
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
            let mut rbac = Rbac::default();
            rbac.add_cluster_role(
                serde_json::from_value(role("", "r", &rule(&["projects"]))).unwrap(),
            );
            rbac.add_cluster_role_binding(
                serde_json::from_value(binding("", "ClusterRole", "r", &subject)).unwrap(),
            );
            let user = UserInfo {
                username: username.to_owned(),
                ..alice()
            };
            assert_eq!(
                rbac.allows(&user, &question()),
                expected,
                "{subject} {username}"
            );
        }
    }

    #[test]
    fn a_service_account_without_namespace_is_one_of_the_bindings_namespace() {
        let subject = json!({"kind": "ServiceAccount", "name": "robot"});
        let robot = UserInfo {
            username: "system:serviceaccount:garden-dev:robot".to_owned(),
            ..alice()
        };
        let asked = AccessQuestion {
            namespace: "garden-dev".to_owned(),
            ..question()
        };
        let mut rbac = Rbac::default();
        rbac.add_cluster_role(serde_json::from_value(role("", "r", &rule(&["projects"]))).unwrap());
        rbac.add_cluster_role_binding(
            serde_json::from_value(binding("", "ClusterRole", "r", &subject)).unwrap(),
        );
        assert!(!rbac.allows(&robot, &asked));
        rbac.add_role_binding(
            serde_json::from_value(binding("garden-dev", "ClusterRole", "r", &subject)).unwrap(),
        );
        assert!(rbac.allows(&robot, &asked));
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
            let mut rbac = Rbac::default();
            rbac.add_role(
                serde_json::from_value(role("garden-dev", "local", &rule(&["projects"]))).unwrap(),
            );
            rbac.add_cluster_role(
                serde_json::from_value(role("", "global", &rule(&["projects"]))).unwrap(),
            );
            let subject = serde_json::from_str(SUBJECT).unwrap();
            let binding = serde_json::from_value(binding(namespace, kind, name, &subject)).unwrap();
            if namespace.is_empty() {
                rbac.add_cluster_role_binding(binding);
            } else {
                rbac.add_role_binding(binding);
            }
            let question = AccessQuestion {
                namespace: asked.to_owned(),
                ..question()
            };
            assert_eq!(
                rbac.allows(&alice(), &question),
                expected,
                "{namespace} {kind}/{name} {asked}"
            );
        }
    }

    #[test]
    fn without_bindings_nothing_is_allowed() {
        assert!(!Rbac::default().allows(&alice(), &question()));
    }
}
