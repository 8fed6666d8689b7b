// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, rule};
use crate::rules::shared::lists::short;
use garden_gate_text::json::{Json, RawJson};

rule! {
    page: include_str!("unknown_kind.md"),
    id: "object/unknown-kind",
    summary: "rejects an unknown kind or API version",
    phase: Decoding,
    level: Deny,
    entry_point: Review,
    scopes: [
        Shoot [Create, Update] [Itself, Binding, Status];
        Project [Create, Update] [Itself, Status];
        CloudProfile [Create, Update] [Itself, Status];
        NamespacedCloudProfile [Create, Update] [Itself, Status];
        Seed [Create, Update] [Itself, Status];
        ShootState [Create, Update];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
        BackupBucket [Create, Update] [Itself, Status];
        BackupEntry [Create, Update] [Itself, Status];
        ControllerRegistration [Create, Update];
        ControllerDeployment [Create, Update];
        ControllerInstallation [Create, Update] [Itself, Status];
        InternalSecret [Create, Update];
        WorkloadIdentity [Create, Update];
        Bastion [Create, Update] [Itself, Status];
        ManagedSeed [Create, Update] [Itself, Status];
        ManagedSeedSet [Create, Update] [Itself, Status];
        Gardenlet [Create, Update] [Itself, Status];
        Garden [Create, Update] [Itself, Status];
        Extension [Create, Update] [Itself, Status];
    ],
    findings: {
        UNKNOWN = "object/unknown-kind": "the kind or API version is unknown",
    },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some(kind) = context.request.kind() else {
        return;
    };
    let (group, _) = kind.api();
    let version = &context.request.resource.version;
    let expected =
        [("apiVersion", format!("{group}/{version}")), ("kind", kind.as_str().to_owned())];
    for (name, expected) in &expected {
        let Json::Text(text) = context.new_opened().opened_at(&[*name]) else {
            continue;
        };
        let RawJson::Text(text) = RawJson::of(text) else {
            continue;
        };
        let text = text.text();
        if !text.is_empty() && text != expected.as_str() {
            let message = match (*name, is_removed(&text)) {
                ("kind", _) => format!("unknown kind `{}`; did you mean `{kind}`?", short(&text)),
                (_, true) => {
                    format!("the API version `{text}` of {kind} was removed from Gardener")
                }
                _ => format!("unknown API version `{}` of {kind}", short(&text)),
            };
            findings
                .invalid(&UNKNOWN, FieldPath::new(*name), message)
                .value(short(&text).into_owned())
                .help(format!("write `{name}: {expected}`"));
        }
    }
}

/// Reports whether this is an API version that Gardener removed.
fn is_removed(api_version: &str) -> bool {
    ["garden.sapcloud.io/v1beta1", "core.gardener.cloud/v1alpha1"].contains(&api_version)
}
