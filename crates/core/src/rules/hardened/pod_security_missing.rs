// SPDX-License-Identifier: Apache-2.0
use super::{ADMISSION_PLUGINS, received};
use crate::admission::{Change, Context, FieldPath, Findings, Help, rule};
use crate::rules::shared::lists::short;
use crate::rules::shared::validation::Part;
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("pod_security_missing.md"),
    id: "hardened/pod-security-missing",
    summary: "warns about a cluster without Pod Security Standards by default",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    findings: {
        MISSING = "hardened/pod-security-missing": "the admission plugin `PodSecurity` has no configuration",
        DISABLED = "hardened/pod-security-disabled": "the admission plugin `PodSecurity` is disabled",
        LENIENT = "hardened/pod-security-lenient": "the admission plugin `PodSecurity` has a default level below `baseline`",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const PLUGIN: &str = "PodSecurity";
/// The modes with a default level.
const MODES: [&str; 3] = ["enforce", "warn", "audit"];
/// The levels that satisfy the guide.
const STRICT: [&str; 2] = ["baseline", "restricted"];

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = received(context, shoot) else {
        return;
    };
    let mut plugins = shoot.items_at(ADMISSION_PLUGINS);
    plugins.retain(|it| it.text_at(&["name"]) == PLUGIN);
    let disabled = |it: &&Part<'_>| it.flag_at(&["disabled"]) == Some(true);
    if let Some(plugin) = plugins.iter().find(disabled) {
        let message = format!("admission plugin `{PLUGIN}` is disabled");
        findings
            .forbid(&DISABLED, plugin.path().child("disabled"), message)
            .value(true)
            .help(Help::remove("remove `disabled`"));
        return;
    }
    let plugin = plugins.first();
    let Some(configuration) = plugin.and_then(|it| it.at(&["config"])) else {
        let absent = || FieldPath::new("spec.kubernetes.kubeAPIServer.admissionPlugins");
        let field = plugin.map_or_else(absent, |it| it.path().child("config"));
        let message = format!(
            "admission plugin `{PLUGIN}` has no configuration, so that all pods are permitted by default"
        );
        findings
            .required(&MISSING, field, message)
            .help("add the plugin with a `PodSecurityConfiguration`, and set `enforce`, `audit` and `warn` in `defaults` to `baseline` or `restricted`");
        return;
    };
    for mode in MODES {
        check_mode(&configuration, mode, findings);
    }
}

fn check_mode(configuration: &Part<'_>, mode: &'static str, findings: &mut Findings) {
    let level = configuration.text_at(&["defaults", mode]);
    if STRICT.contains(&level.as_str()) {
        return;
    }
    let message = match level.as_str() {
        "" => format!("mode `{mode}` of admission plugin `{PLUGIN}` has no default level"),
        level => format!(
            "the default level of mode `{mode}` of admission plugin `{PLUGIN}` is `{}`",
            short(level)
        ),
    };
    let field = configuration.path().child("defaults").child(mode);
    findings
        .invalid(&LENIENT, field, message)
        .value(level)
        .help(format!("set `{mode}: baseline` or `{mode}: restricted` in `defaults`"));
}
