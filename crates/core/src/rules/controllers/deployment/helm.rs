//! The Helm chart of a ControllerDeployment.

use super::values::check_values;
use crate::admission::{FieldPath, Findings};
use crate::rules::shared::validation::{MALFORMED, MISSING, Part, UNFITTING};
use garden_gate_text::go::base64_error;

/// Checks a chart, which is in field `raw` or in an OCI repository.
///
/// Gardener reports errors of both versions with the fields of `v1`.
pub(super) fn check_chart(
    helm: &Part<'_>,
    raw: &'static str,
    resources: &[Part<'_>],
    findings: &mut Findings,
) {
    let chart = helm.text_at(&[raw]);
    if let (Some(part), Some(why)) = (helm.at(&[raw]), base64_error(&chart)) {
        let message = format!("`{raw}` is not base64: {why}");
        findings.invalid(&MALFORMED, part.path().clone(), message).help("encode it with `base64`");
    }
    let repository = helm.at(&["ociRepository"]);
    if chart.is_empty() == repository.is_none() {
        let (message, help) = match repository {
            None => ("the chart is missing", "set `ociRepository`"),
            Some(_) => ("`ociRepository` excludes a raw chart", "remove one of them"),
        };
        findings.required(&MISSING, FieldPath::new("helm"), message).at(helm.path()).help(help);
    }
    if let Some(repository) = repository {
        check_repository(&repository, findings);
    }
    if let Some(values) = helm.at(&["values"]) {
        check_values(&values, resources, findings);
    }
}

fn check_repository(repository: &Part<'_>, findings: &mut Findings) {
    let at = || FieldPath::new("helm.ociRepository");
    let [reference, name, tag, digest] =
        ["ref", "repository", "tag", "digest"].map(|field| repository.text_at(&[field]));
    let real = repository.path();
    if reference.is_empty() && name.is_empty() {
        let message = "neither `ref` nor `repository` is set";
        findings.required(&MISSING, at(), message).at(real).help("set `ref`");
        return;
    }
    if repository.at(&["ref"]).is_some() {
        for (field, value) in [("repository", &name), ("tag", &tag), ("digest", &digest)] {
            if !value.is_empty() {
                let message = format!("`ref` excludes `{field}`");
                findings
                    .forbid(&UNFITTING, at().child(field), message)
                    .at(&real.child(field))
                    .help("remove one of them");
            }
        }
        return;
    }
    if tag.is_empty() && digest.is_empty() {
        let message = "neither `tag` nor `digest` is set";
        findings.required(&MISSING, at(), message).at(real).help("set `tag`");
    }
    if repository.at(&["digest"]).is_some() && !digest.starts_with("sha256:") {
        let message = format!("`{digest}` does not begin with `sha256:`");
        findings
            .invalid(&MALFORMED, at().child("digest"), message)
            .at(&real.child("digest"))
            .help("write it like `sha256:…`");
    }
}
