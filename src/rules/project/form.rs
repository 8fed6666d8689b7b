use std::collections::BTreeSet;

use crate::compat::{dns_label_error, dns_subdomain_error};
use crate::engine::ErrorType::{Duplicate, Forbidden, Invalid, NotSupported, Required, TooLong};
use crate::engine::{Change, Context, FieldPath, Findings, rule};
use crate::model::Project;
use crate::rules::form::{
    MALFORMED, MISSING, Naming, Part, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED, check_metadata,
    check_selector, say,
};

rule! {
    /// ## What it checks
    /// A Project's name has at most ten characters and no `--`; its namespace is `garden`, or begins with `garden-` and is none of Gardener's own. Members, owner and creator are users,
    /// groups or service accounts, named as such are; each member stands once, with roles that there are, each once, and only one is the owner. Description and purpose
    /// are not empty and have plain characters. What two people must delete are `shoots`.
    ///
    /// ## Why
    /// Names of namespaces, roles and Shoots are made of it.
    ///
    /// ## Applies to
    /// Projects, on CREATE and UPDATE, in `garden-gate review`: an API server has refused the request before it asks a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   members:
    ///   - kind: User
    ///     name: bob
    ///     role: master   # admin, viewer, uam, serviceaccountmanager or owner
    /// ```
    ///
    /// ## How to fix
    /// Do what the message says.
    ///
    /// ## Gardener
    /// `ValidateProject` in `pkg/api/core/validation/project.go`, by static validation (422).
    id: "project/form",
    summary: "names, members and texts of a Project",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [Project [Create, Update]],
    findings: {
        MALFORMED, MISSING, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED,
        NAMESPACE = "project/namespace-unfit": "a Project cannot have the namespace",
        OWNERS = "project/two-owners": "more than one member is the owner",
    },
    check: Judge(check),
}

/// The most characters of a Project's name, and of the name of a role of an extension.
const NAME: usize = 10;
const ROLE: usize = 20;

fn check(context: &Context<'_>, change: Change<'_, Project>, findings: &mut Findings) {
    let project = Part::whole(context.new_json());
    check_metadata(&project, Naming::Subdomain, findings);
    check_name(&project.text_at(&["metadata", "name"]), findings);
    if let Some(namespace) = project.at(&["spec", "namespace"]) {
        check_namespace(&namespace, findings);
    }
    for who in ["owner", "createdBy"] {
        if let Some(subject) = project.at(&["spec", who]) {
            check_subject(&subject, findings);
        }
    }
    check_members(&project, findings);
    let old = change
        .old
        .is_some()
        .then(|| Part::whole(context.old_json()));
    for field in ["description", "purpose"] {
        check_text(&project, old.as_ref(), field, findings);
    }
    check_approval(&project, findings);
}

fn check_name(name: &str, findings: &mut Findings) {
    let field = || FieldPath::new("metadata.name");
    if name.len() > NAME {
        let message = format!(
            "the name has {} characters, which is more than {NAME}",
            name.len()
        );
        say(
            findings,
            (&TOO_LONG, TooLong),
            field(),
            message,
            "choose a shorter one",
        );
    }
    if name.contains("--") {
        let message = "the name has two hyphens in a row";
        say(
            findings,
            (&MALFORMED, Invalid),
            field(),
            message,
            "choose another one",
        );
    }
}

/// Gardener's own namespaces.
const RESERVED: [&str; 3] = [
    "gardener-system-seed-lease",
    "gardener-system-shoot-issuer",
    "gardener-system-public",
];

fn check_namespace(namespace: &Part<'_>, findings: &mut Findings) {
    let name = namespace.text().unwrap_or_default();
    let why = match name.as_str() {
        it if RESERVED.contains(&it) => Some("it is one of Gardener's own"),
        it if it != "garden" && !it.starts_with("garden-") => {
            Some("it does not begin with `garden-`")
        }
        it => dns_label_error(it),
    };
    if let Some(why) = why {
        let message = format!("`{name}` cannot be the namespace of a Project: {why}");
        let help = "leave it out, or write it like `garden-dev`";
        say(
            findings,
            (&NAMESPACE, Invalid),
            namespace.path().clone(),
            message,
            help,
        );
    }
}

const RBAC: &str = "rbac.authorization.k8s.io";

fn check_subject(subject: &Part<'_>, findings: &mut Findings) {
    let [kind, name, group, namespace] =
        ["kind", "name", "apiGroup", "namespace"].map(|field| subject.text_at(&[field]));
    let field = |name: &str| subject.path().child(name);
    if name.is_empty() {
        say(
            findings,
            (&MISSING, Required),
            field("name"),
            "the name is not set",
            "set it",
        );
    }
    match kind.as_str() {
        "ServiceAccount" => {
            let malformed = dns_subdomain_error(&name).filter(|_| !name.is_empty());
            if let Some(why) = malformed {
                let message = format!("`{name}` cannot be the name of a service account: {why}");
                say(
                    findings,
                    (&MALFORMED, Invalid),
                    field("name"),
                    message,
                    "correct it",
                );
            }
            if !group.is_empty() {
                let message = "service accounts have no API group";
                say(
                    findings,
                    (&UNSUPPORTED, NotSupported),
                    field("apiGroup"),
                    message,
                    "remove it",
                );
            }
            check_account_namespace(&namespace, field("namespace"), findings);
        }
        "User" | "Group" => {
            if !group.is_empty() && group != RBAC {
                let message = format!("users and groups do not have API group `{group}`");
                let help = format!("use `{RBAC}`, or leave it out");
                say(
                    findings,
                    (&UNSUPPORTED, NotSupported),
                    field("apiGroup"),
                    message,
                    &help,
                );
            }
            if !namespace.is_empty() {
                let message = "users and groups have no namespace";
                say(
                    findings,
                    (&UNFITTING, Forbidden),
                    field("namespace"),
                    message,
                    "remove it",
                );
            }
        }
        _ => {
            let message = format!("there are no subjects of kind `{kind}`");
            let help = "use User, Group or ServiceAccount";
            say(
                findings,
                (&UNSUPPORTED, NotSupported),
                field("kind"),
                message,
                help,
            );
        }
    }
}

fn check_account_namespace(namespace: &str, field: FieldPath, findings: &mut Findings) {
    if namespace.is_empty() {
        let message = "the namespace of the service account is not set";
        say(findings, (&MISSING, Required), field, message, "set it");
    } else if let Some(why) = dns_label_error(namespace) {
        let message = format!("`{namespace}` cannot be a namespace: {why}");
        say(
            findings,
            (&MALFORMED, Invalid),
            field,
            message,
            "correct it",
        );
    }
}

/// How the API server calls a service account that signs in.
const ACCOUNT: &str = "system:serviceaccount:";

fn check_members(project: &Part<'_>, findings: &mut Findings) {
    let (mut known, mut has_owner) = (BTreeSet::new(), false);
    let members = project.at(&["spec", "members"]).map(|it| it.items());
    for member in members.into_iter().flatten() {
        let Some(identity) = identity(&member) else {
            let message = "the name of the service account does not say namespace and name";
            let field = member.path().child("name");
            let help = "write it like `system:serviceaccount:garden-dev:robot`";
            say(findings, (&MALFORMED, Invalid), field, message, help);
            continue;
        };
        if known.contains(&identity) {
            let message = format!("`{}` is a member already", identity[3]);
            let help = "put all roles in one entry";
            say(
                findings,
                (&REPEATED, Duplicate),
                member.path().clone(),
                message,
                help,
            );
        }
        known.insert(identity);
        check_subject(&member, findings);
        check_roles(&member, &mut has_owner, findings);
    }
}

/// API group, kind, namespace and name; `None` for a user whose name is half of that of a service account.
fn identity(member: &Part<'_>) -> Option<[String; 4]> {
    let [group, kind, namespace, name] =
        ["apiGroup", "kind", "namespace", "name"].map(|field| member.text_at(&[field]));
    if kind == "User" && name.starts_with(ACCOUNT) {
        let parts: Vec<&str> = name.split(':').collect();
        let (namespace, name) = (parts.get(2)?, parts.get(3)?);
        return Some([
            String::new(),
            "ServiceAccount".to_owned(),
            (*namespace).to_owned(),
            (*name).to_owned(),
        ]);
    }
    let is_rbac = group.is_empty() && ["User", "Group"].contains(&kind.as_str());
    let group = if is_rbac { RBAC.to_owned() } else { group };
    Some([group, kind, namespace, name])
}

const ROLES: [&str; 5] = ["owner", "admin", "viewer", "uam", "serviceaccountmanager"];
const EXTENSION: &str = "extension:";

fn check_roles(member: &Part<'_>, has_owner: &mut bool, findings: &mut Findings) {
    let first = member.text_at(&["role"]);
    let others = member
        .texts_at(&["roles"])
        .into_iter()
        .map(|(_, role)| role);
    let others = others.filter(|role| *role != first);
    let all = (!first.is_empty())
        .then_some(first.clone())
        .into_iter()
        .chain(others);
    let mut known = BTreeSet::new();
    for (index, role) in all.enumerate() {
        let field = member.path().child("roles").index(index);
        if role == "owner" && std::mem::replace(has_owner, true) {
            let message = "another member is the owner already";
            say(
                findings,
                (&OWNERS, Forbidden),
                field.clone(),
                message,
                "keep one of them",
            );
        }
        check_role(&role, &field, findings);
        if !known.insert(role.clone()) {
            let message = format!("role `{role}` stands here twice");
            say(
                findings,
                (&REPEATED, Duplicate),
                field,
                message,
                "keep one of them",
            );
        }
    }
}

fn check_role(role: &str, field: &FieldPath, findings: &mut Findings) {
    let Some(name) = role.strip_prefix(EXTENSION) else {
        if !ROLES.contains(&role) {
            let message = format!("there is no role `{role}`");
            let help = format!("use {}, or extension:NAME", ROLES.join(", "));
            say(
                findings,
                (&UNSUPPORTED, NotSupported),
                field.clone(),
                message,
                &help,
            );
        }
        return;
    };
    if name.len() > ROLE {
        let message = format!(
            "the name of the role has {} characters, which is more than {ROLE}",
            name.len()
        );
        say(
            findings,
            (&TOO_LONG, TooLong),
            field.clone(),
            message,
            "use a shorter one",
        );
    }
    if name == "." || name == ".." || name.contains(['/', '%']) {
        let message = format!("`{name}` cannot be the name of a role");
        say(
            findings,
            (&MALFORMED, Invalid),
            field.clone(),
            message,
            "leave `/` and `%` out",
        );
    }
}

/// Besides letters, digits and white space.
const SPECIAL: &str = ".,:-_/\\";

fn check_text(project: &Part<'_>, old: Option<&Part<'_>>, name: &str, findings: &mut Findings) {
    let Some(text) = project.at(&["spec", name]) else {
        return;
    };
    let words = text.text().unwrap_or_default();
    if words.is_empty() {
        let message = format!("`{name}` is empty");
        say(
            findings,
            (&MISSING, Required),
            text.path().clone(),
            message,
            "write something, or leave it out",
        );
    }
    let stored = old.and_then(|it| it.at(&["spec", name])?.text());
    if stored.as_ref() == Some(&words) {
        return;
    }
    let is_plain = |it: &char| it.is_alphanumeric() || it.is_whitespace() || SPECIAL.contains(*it);
    if let Some(odd) = words.chars().find(|it| !is_plain(it)) {
        let message = format!("`{name}` has the character `{odd}`");
        let help = format!("use letters, digits, spaces and {SPECIAL}");
        say(
            findings,
            (&MALFORMED, Forbidden),
            text.path().clone(),
            message,
            &help,
        );
    }
}

fn check_approval(project: &Part<'_>, findings: &mut Findings) {
    let rules = project
        .at(&["spec", "dualApprovalForDeletion"])
        .map(|it| it.items());
    let mut known = BTreeSet::new();
    for rule in rules.into_iter().flatten() {
        let resource = rule.text_at(&["resource"]);
        let field = rule.path().child("resource");
        if resource.is_empty() {
            say(
                findings,
                (&MISSING, Required),
                field,
                "the resource is not set",
                "use shoots",
            );
        } else {
            if resource != "shoots" {
                let message = format!("`{resource}` cannot be protected in this way");
                say(
                    findings,
                    (&UNSUPPORTED, NotSupported),
                    field.clone(),
                    message,
                    "use shoots",
                );
            }
            if known.contains(&resource) {
                let message = format!("`{resource}` stands here twice");
                say(
                    findings,
                    (&REPEATED, Duplicate),
                    field,
                    message,
                    "keep one of them",
                );
            }
            known.insert(resource);
        }
        if let Some(selector) = rule.at(&["selector"]) {
            check_selector(&selector, findings);
        }
    }
}
