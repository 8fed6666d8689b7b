// SPDX-License-Identifier: Apache-2.0
use super::metadata::{KEY, VALUE};
use super::{MALFORMED, Part, UNFITTING, UNSUPPORTED};
use crate::admission::{Findings, Help};
use crate::rules::shared::lists::one_of;
use garden_gate_text::go::{label_value_error, qualified_name_error};

const EFFECTS: [&str; 3] = ["NoExecute", "NoSchedule", "PreferNoSchedule"];

/// Validates tolerations of pods.
///
/// Mirrors ValidateTolerations in `pkg/utils/validation/kubernetes/core`.
pub(crate) fn check_pod_tolerations(tolerations: &Part<'_>, findings: &mut Findings) {
    for toleration in tolerations.items() {
        check_key(&toleration, findings);
        check_operator(&toleration, findings);
        check_effect(&toleration, findings);
    }
}

fn check_key(toleration: &Part<'_>, findings: &mut Findings) {
    let key = toleration.text_at(&["key"]);
    if let Some(why) = qualified_name_error(&key).filter(|_| !key.is_empty()) {
        let message = format!("`{key}` cannot be the key of a taint: {why}");
        let field = toleration.path().child("key");
        findings.invalid(&MALFORMED, field, message).help(KEY);
    }
}

fn check_operator(toleration: &Part<'_>, findings: &mut Findings) {
    let [key, operator, value] =
        ["key", "operator", "value"].map(|field| toleration.text_at(&[field]));
    let field = toleration.path().child("operator");
    if key.is_empty() && operator != "Exists" {
        let message = "a toleration without a key tolerates all taints, and has operator `Exists`";
        findings.invalid(&UNFITTING, field.clone(), message).help("set the key, or use `Exists`");
    }
    match operator.as_str() {
        "" | "Equal" => {
            if let Some(why) = label_value_error(&value) {
                let message = format!("`{value}` cannot be the value of a taint: {why}");
                findings.invalid(&MALFORMED, field, message).help(VALUE);
            }
        }
        "Exists" if !value.is_empty() => {
            let message = "operator `Exists` takes no value";
            findings
                .invalid(&UNFITTING, field, message)
                .help(Help::remove("remove it").at("../value"));
        }
        "Exists" => {}
        _ => {
            let message = format!("`{operator}` is no operator");
            findings.unsupported(&UNSUPPORTED, field, message).help("use `Equal` or `Exists`");
        }
    }
}

fn check_effect(toleration: &Part<'_>, findings: &mut Findings) {
    let effect = toleration.text_at(&["effect"]);
    let field = toleration.path().child("effect");
    if toleration.at(&["tolerationSeconds"]).is_some() && effect != "NoExecute" {
        let message = "`tolerationSeconds` is for effect `NoExecute`";
        findings
            .invalid(&UNFITTING, field.clone(), message)
            .help("set the effect, or remove `tolerationSeconds`");
    }
    if !effect.is_empty() && !EFFECTS.contains(&effect.as_str()) {
        let message = format!("`{effect}` is no effect of a taint");
        findings.unsupported(&UNSUPPORTED, field, message).help(one_of(&effect, &EFFECTS));
    }
}
