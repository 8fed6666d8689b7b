// SPDX-License-Identifier: Apache-2.0
use std::collections::BTreeMap;

use super::values::{Value, values};
use crate::admission::{Change, Context, ErrorType, FieldPath, Findings, rule};
use crate::rules::shared::validation::{
    MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, TOO_LONG, check_metadata,
};
use garden_gate_model::api::Named;
use garden_gate_text::go::{base64_error, config_key_error};

rule! {
    page: include_str!("form.md"),
    id: "internalsecret/form",
    summary: "rejects invalid or missing data of an InternalSecret",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [InternalSecret [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, TOO_LONG },
    check: Judge(check),
}

/// Maximum size of all values in bytes.
const MOST: usize = 1024 * 1024;
/// The annotation that a token of a ServiceAccount needs.
const ACCOUNT: &str = "kubernetes.io/service-account.name";
const TLS: [&str; 2] = ["tls.crt", "tls.key"];

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let [secret, old] = [context.new_opened(), context.old_opened()].map(Part::whole);
    check_metadata(context, Naming::Subdomain, findings);
    let data = data(&secret, findings);
    let at = || FieldPath::new("data");
    for key in data.keys() {
        if let Some(why) = config_key_error(key) {
            let message = format!("`{key}` cannot be a key: {why}");
            findings
                .invalid(&MALFORMED, at().key(key), message)
                .help("use letters, digits, `-`, `_` and `.` only");
        }
    }
    let size: usize = data.values().map(Value::length).sum();
    if size > MOST {
        let message = format!("the values have {size} bytes, which is more than {MOST}");
        findings.report(&TOO_LONG, ErrorType::TooLong, at(), message).help("store less in it");
    }
    // An update without a type keeps the stored one.
    let class =
        [&secret, &old].map(|it| it.text_at(&["type"])).into_iter().find(|it| !it.is_empty());
    check_type(class.as_deref().unwrap_or_default(), &secret, &data, findings);
}

/// Returns the values by key.
fn data(secret: &Part<'_>, findings: &mut Findings) -> BTreeMap<String, Value> {
    let mut data = BTreeMap::new();
    for value in values(secret) {
        let key = value.key.clone();
        if let (None, Some(why)) = (&value.bytes, base64_error(&value.text)) {
            let message = format!("the value of `{key}` is not base64: {why}");
            findings
                .invalid(&MALFORMED, value.field.clone(), message)
                .help("encode it with `base64`, or write it in `stringData`");
        }
        data.insert(key, value);
    }
    data
}

fn check_type(
    class: &str,
    secret: &Part<'_>,
    data: &BTreeMap<String, Value>,
    findings: &mut Findings,
) {
    let has = |key: &str| data.contains_key(key);
    let mut need = |key: &str| {
        let message = format!("a Secret of type `{class}` has the key `{key}`");
        let field = FieldPath::new("data").key(key);
        findings.required(&MISSING, field, message).help("add it, or use another type");
    };
    match class {
        "kubernetes.io/service-account-token"
            if secret.text_at(&["metadata", "annotations", ACCOUNT]).is_empty() =>
        {
            let message = format!("a Secret of type `{class}` has the annotation `{ACCOUNT}`");
            let field = FieldPath::new("metadata.annotations").key(ACCOUNT);
            findings.required(&MISSING, field, message).help("name the ServiceAccount in it");
        }
        "kubernetes.io/dockercfg" => check_docker(".dockercfg", data, (class, findings)),
        "kubernetes.io/dockerconfigjson" => {
            check_docker(".dockerconfigjson", data, (class, findings));
        }
        "kubernetes.io/basic-auth" if !has("username") && !has("password") => {
            need("username");
            need("password");
        }
        "kubernetes.io/ssh-auth"
            if data.get("ssh-privatekey").is_none_or(|it| it.length() == 0) =>
        {
            need("ssh-privatekey");
        }
        "kubernetes.io/tls" => TLS.into_iter().filter(|key| !has(key)).for_each(need),
        _ => {}
    }
}

/// Checks the credentials of a registry, which are JSON; the message does not show them.
fn check_docker(
    key: &str,
    data: &BTreeMap<String, Value>,
    (class, findings): (&str, &mut Findings),
) {
    let field = FieldPath::new("data").key(key);
    match data.get(key) {
        None => {
            let message = format!("a Secret of type `{class}` has the key `{key}`");
            findings.required(&MISSING, field, message).help("add it, or use another type");
        }
        Some(value) if !value.is_json_object() => {
            let message = format!("the value of `{key}` is not a JSON object");
            findings.invalid(&MALFORMED, field, message).help("write the configuration of Docker");
        }
        Some(_) => {}
    }
}
