// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Change, Context, FieldPath, Findings, rule};
use crate::rules::shared::tolerations::check_form as check_tolerations;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    check as check_form, check_metadata, check_selector,
};
use garden_gate_model::api::{Named, Toleration};

rule! {
    page: include_str!("form.md"),
    id: "exposureclass/form",
    summary: "rejects an invalid handler, seed selector or toleration of an ExposureClass",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [ExposureClass [Create]],
    findings: {
        MALFORMED, MISSING, REPEATED, TOO_LONG, UNFITTING,
        TOLERATION = "exposureclass/tolerations-invalid": "a toleration has a missing or malformed key, a malformed value, or is a duplicate",
    },
    fixes: Safe,
    check: Judge(check),
}

/// Maximum length of a handler, in bytes.
const HANDLER: usize = 34;

fn check(context: &Context<'_>, _: Change<'_, Named>, findings: &mut Findings) {
    let class = Part::whole(context.new_opened());
    check_metadata(context, Naming::Label, findings);
    let section = Section { kind: "ExposureClass", at: &["handler"], except: &[] };
    check_form(section, context.new_opened(), Facts::without_shoot(context), findings);
    let handler = class.text_at(&["handler"]);
    if handler.len() > HANDLER {
        let bytes = handler.len();
        let message = format!("the handler has {bytes} characters, which is more than {HANDLER}");
        let field = FieldPath::new("handler");
        findings.invalid(&TOO_LONG, field, message).help("choose a shorter one");
    }
    if let Some(selector) = class.at(&["scheduling", "seedSelector"]) {
        check_selector(&selector, findings);
    }
    if let Some(tolerations) = class.at(&["scheduling", "tolerations"]) {
        let all: Vec<Toleration> = tolerations.items().iter().map(toleration).collect();
        check_tolerations(&all, tolerations.path(), &TOLERATION, findings);
    }
}

fn toleration(part: &Part<'_>) -> Toleration {
    Toleration { key: part.text_at(&["key"]), value: part.at(&["value"]).and_then(|it| it.text()) }
}
