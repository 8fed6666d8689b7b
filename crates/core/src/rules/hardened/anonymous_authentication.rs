// SPDX-License-Identifier: Apache-2.0
use super::{received, written};
use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::admission_controller::AUTHENTICATION;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::{ConfigMapData, Shoot};
use garden_gate_model::gardener::server_configuration::ConfigurationFile;
use garden_gate_text::json::Json;

rule! {
    page: include_str!("anonymous_authentication.md"),
    id: "hardened/anonymous-authentication",
    summary: "warns about anonymous requests to the API server",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    reads_offline: [Names],
    findings: {
        ENABLED = "hardened/anonymous-authentication": "the API server accepts anonymous requests",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const FIELD: &str = "spec.kubernetes.kubeAPIServer.enableAnonymousAuthentication";
/// The field in the file.
const POINTER: &str = "/anonymous/enabled";
const MESSAGE: &str = "anonymous requests to the API server are enabled";

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some((new, received)) = written(shoot).zip(received(context, shoot)) else {
        return;
    };
    let server = new.spec.kubernetes.kube_api_server.as_ref();
    match server.and_then(|it| it.enable_anonymous_authentication) {
        Some(true) => {
            findings
                .forbid(&ENABLED, FieldPath::new(FIELD), MESSAGE)
                .value(true)
                .help(Help::remove("remove `enableAnonymousAuthentication`"));
        }
        // The field takes precedence.
        Some(false) => {}
        None => check_config_map(context, &received, findings),
    }
}

/// Checks the configuration of structured authentication.
///
/// `admission-controller/authentication` reports a ConfigMap that is missing or cannot be decoded.
fn check_config_map(context: &Context<'_>, shoot: &Part<'_>, findings: &mut Findings) {
    let key = AUTHENTICATION.config_map(shoot, &context.request.namespace);
    let Some((reference, key)) = AUTHENTICATION.reference(shoot).zip(key) else {
        return;
    };
    let data = match context.config_map_data(&key) {
        // Servers know no ConfigMaps of Projects.
        Err(_) if context.is_watched() => return,
        data => findings.known(data, reference.path(), format_args!("whether {MESSAGE}")),
    };
    let Some(data) = data.flatten() else { return };
    let text = data.get(ConfigMapData::CONFIG).unwrap_or_default();
    let Ok(file) = ConfigurationFile::parse(text) else {
        return;
    };
    let json = Json::text(file.json()).opened();
    if Part::whole(&json).flag_at(&["anonymous", "enabled"]) != Some(true) {
        return;
    }
    let position = file.position(POINTER);
    let message = format!("{MESSAGE}, at {position} of `config.yaml` in {key}");
    findings
        .forbid(&ENABLED, reference.path().clone(), message)
        .value(key.name.as_str())
        .help("remove `anonymous` from the configuration, or set `enabled: false` in it");
}
