// SPDX-License-Identifier: Apache-2.0
use super::binding_missing::{Binding, Bindings, Credentials};
use crate::admission::{Context, FieldPath, FindingKind, Findings, Kind, Update, rule};
use crate::garden::ObjectKey;
use crate::rules::shared::references::kind_of_credentials;
use garden_gate_model::api::{ObjectReference, Shoot};

rule! {
    page: include_str!("credentials_change.md"),
    id: "shoot/credentials-change",
    summary: "rejects a changed Secret or unreadable credentials on a change of the binding",
    phase: Admission,
    level: Deny,
    entry_point: Plugin,
    scopes: [Shoot [Update] [Itself, Binding]],
    reads: [SecretBinding, CredentialsBinding, Verbs],
    findings: {
        SECRET = "shoot/credentials-change": "the Secret changes during the move to a CredentialsBinding",
        UNREADABLE = "shoot/credentials-unreadable": "the requesting user may not read the old or the new credentials",
        GONE = "shoot/credentials-previous-missing": "the previous binding of the Shoot is not found",
    },
    check: Judge(check),
}

const FIELD: &str = "spec.credentialsBindingName";

fn check(context: &Context<'_>, shoot: Update<'_, Shoot>, findings: &mut Findings) {
    let Update { new, old } = shoot;
    let (new, old) = (&new.spec, &old.spec);
    let names = [new, old].map(|spec| spec.credentials_binding_name.as_deref());
    let moves = old.secret_binding_name.is_some() && new.secret_binding_name.is_none();
    let (before, is_move) = match names {
        [Some(_), None] if moves => (Kind::SecretBinding, true),
        [Some(new), Some(old)] if new != old => (Kind::CredentialsBinding, false),
        _ => return,
    };
    let before = named(Bindings::of(context, old, findings), before);
    let after = named(Bindings::of(context, new, findings), Kind::CredentialsBinding);
    let Some(before) = before else {
        return;
    };
    let Some(credentials) = &before.found else {
        let message = format!(
            "the Shoot named {} `{}` before, which does not exist, so that nobody can tell whether it keeps its credentials",
            before.kind, before.name
        );
        let help = "make that binding again, with the credentials that the cluster was made with";
        findings.forbid(&GONE, FieldPath::new(FIELD), message).help(help);
        return;
    };
    // `shoot/binding-missing` reports that it does not exist.
    let Some((after, next)) = after.and_then(|it| Some((it.name, it.found?))) else {
        return;
    };
    if !is_move {
        let both = [("old", credentials), ("new", &next)];
        for (which, credentials) in both {
            check_readable(context, which, credentials, findings);
        }
    } else if !is_same_secret(&credentials.reference, &next.reference) {
        let ObjectReference { namespace, name, .. } = &credentials.reference;
        let message = format!(
            "CredentialsBinding `{after}` is not for Secret `{namespace}/{name}`, which the Shoot has by its SecretBinding"
        );
        let help = format!("name a CredentialsBinding for Secret `{namespace}/{name}`");
        findings.forbid(&SECRET, FieldPath::new(FIELD), message).value(after).help(help);
    }
}

fn named(bindings: Bindings<'_>, kind: Kind) -> Option<Binding<'_>> {
    bindings.0.into_iter().find(|it| it.kind == kind)
}

fn is_same_secret(old: &ObjectReference, new: &ObjectReference) -> bool {
    let is_secret = new.kind == "Secret" && new.api_version == "v1";
    is_secret && (&new.namespace, &new.name) == (&old.namespace, &old.name)
}

fn check_readable(
    context: &Context<'_>,
    which: &str,
    credentials: &Credentials,
    findings: &mut Findings,
) {
    let ObjectReference { api_version, kind, namespace, name } = &credentials.reference;
    let mut refuse = |kind: &'static FindingKind, message: String, help: &str| {
        findings.forbid(kind, FieldPath::new(FIELD), message).help(help.to_owned());
    };
    let Some(known) = kind_of_credentials(api_version) else {
        let message = format!(
            "the {which} credentials are a {kind} of `{api_version}`, and neither a Secret, an InternalSecret nor a WorkloadIdentity"
        );
        let help = "name a CredentialsBinding for one of these";
        return refuse(&UNREADABLE, message, help);
    };
    let key = ObjectKey::new(known, namespace, name);
    let user = &context.request.user_info.username;
    let credentials = format!("the {which} credentials, {kind} `{namespace}/{name}`");
    let what = format_args!("whether user `{user}` may read {credentials}");
    let may_get = context.requester_may_get(&key);
    if findings.known(may_get, &FieldPath::new(FIELD), what) == Some(false) {
        let message = format!("user `{user}` may not read {credentials}");
        findings
            .forbid(&UNREADABLE, FieldPath::new(FIELD), message)
            .help("ask a user who may read the credentials of both bindings to change it");
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;
    use serde_json::{from_value, json};

    use super::*;

    #[rstest]
    #[case::same("v1", "Secret", "a", true)]
    #[case::other_name("v1", "Secret", "b", false)]
    #[case::other_kind("v1", "ConfigMap", "a", false)]
    #[case::other_group("example.com/v1", "Secret", "a", false)]
    fn secret_is_kept(
        #[case] api_version: &str,
        #[case] kind: &str,
        #[case] name: &str,
        #[case] expected: bool,
    ) {
        let reference = |api_version: &str, kind: &str, name: &str| -> ObjectReference {
            let reference = json!({"apiVersion": api_version, "kind": kind, "name": name, "namespace": "garden-p"});
            from_value(reference).unwrap()
        };
        let old = reference("v1", "Secret", "a");
        let new = reference(api_version, kind, name);
        assert_eq!(is_same_secret(&old, &new), expected);
    }
}
