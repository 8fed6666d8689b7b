// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Help, Write, rule};
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Section, UNFITTING, UNSUPPORTED, check as check_form,
};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("identity.md"),
    id: "shoot/identity",
    summary: "rejects a missing or invalid profile, region, provider or binding of a Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Create, Update] [Itself, Binding]],
    findings: {
        MALFORMED, MISSING, UNFITTING, UNSUPPORTED,
        NO_PROFILE = "shoot/no-profile": "the Shoot references no profile",
        TWO_PROFILES = "shoot/two-profiles": "a new Shoot references two profiles",
        NO_BINDING = "shoot/no-binding": "a Shoot with workers references no binding",
        TWO_BINDINGS = "shoot/two-bindings": "the Shoot references two bindings",
        BOUND = "shoot/binding-without-workers": "a Shoot without workers references a binding",
    },
    fixes: Suggestion,
    check: Judge(check),
}

const SECTIONS: [&[&str]; 3] =
    [&["spec", "region"], &["spec", "provider"], &["spec", "controlPlane"]];

fn check(context: &Context<'_>, shoot: Write<'_, Shoot>, findings: &mut Findings) {
    let new = shoot.new;
    let facts = Facts::of(new, context);
    for at in SECTIONS {
        // The availability of the control plane is only validated in a Shoot.
        if context.request.is_template && at == ["spec", "controlPlane"] {
            continue;
        }
        let section = Section { kind: "Shoot", at, except: &["Worker"] };
        check_form(section, context.new_opened(), facts, findings);
    }
    check_profile(new, shoot.old.is_none(), findings);
    check_binding(new, findings);
}

fn check_profile(shoot: &Shoot, is_new: bool, findings: &mut Findings) {
    let spec = &shoot.spec;
    let named = match &spec.cloud_profile {
        Some(reference) => !reference.name.is_empty(),
        None => !spec.cloud_profile_name.is_empty(),
    };
    let both = spec.cloud_profile.is_some() && !spec.cloud_profile_name.is_empty();
    if both && is_new {
        let field = FieldPath::new("spec.cloudProfileName");
        let message = "a new Shoot names a profile in `cloudProfile` and in `cloudProfileName`";
        findings.forbid(&TWO_PROFILES, field, message).help("keep `cloudProfile`");
    }
    if !named {
        let field = FieldPath::new("spec.cloudProfile.name");
        let message = "the Shoot names no profile";
        findings
            .required(&NO_PROFILE, field, message)
            .help("name a CloudProfile or NamespacedCloudProfile in `spec.cloudProfile`");
    }
}

fn check_binding(shoot: &Shoot, findings: &mut Findings) {
    let spec = &shoot.spec;
    let fields = [
        ("spec.secretBindingName", &spec.secret_binding_name),
        ("spec.credentialsBindingName", &spec.credentials_binding_name),
    ];
    if shoot.is_workerless() {
        for (field, _) in fields.into_iter().filter(|(_, name)| name.is_some()) {
            let message = format!("a Shoot without workers has no `{field}`");
            let field = FieldPath::new(field);
            findings
                .forbid(&BOUND, field, message)
                .help(Help::remove("remove it, or add a worker pool"));
        }
        return;
    }
    let [secret, credentials] =
        fields.map(|(_, name)| name.as_ref().is_some_and(|it| !it.is_empty()));
    let field = FieldPath::new("spec.secretBindingName");
    match (secret, credentials) {
        _ if shoot.is_self_hosted() => {}
        (false, false) => {
            let message = "the Shoot names no binding, so that there are no credentials for its infrastructure";
            findings
                .required(&NO_BINDING, field, message)
                .help("set `spec.credentialsBindingName`");
        }
        (true, true) => {
            let message =
                "the Shoot names two bindings: `secretBindingName` and `credentialsBindingName`";
            findings.forbid(&TWO_BINDINGS, field, message).help("keep `credentialsBindingName`");
        }
        _ => {}
    }
}
