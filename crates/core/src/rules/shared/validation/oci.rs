// SPDX-License-Identifier: Apache-2.0
use super::{MALFORMED, MISSING, Part, UNFITTING};
use crate::admission::{FieldPath, Findings};

/// Validates the OCI repository of a Helm chart, which is reported `at` a path.
///
/// Mirrors ValidateOCIRepository in `pkg/api/core/validation/controllerdeployment.go`.
pub(crate) fn check_oci_repository(repository: &Part<'_>, at: &FieldPath, findings: &mut Findings) {
    let [reference, name, tag, digest] =
        ["ref", "repository", "tag", "digest"].map(|field| repository.text_at(&[field]));
    let real = repository.path();
    if reference.is_empty() && name.is_empty() {
        let message = "neither `ref` nor `repository` is set";
        findings.required(&MISSING, at.clone(), message).at(real).help("set `ref`");
        return;
    }
    if repository.at(&["ref"]).is_some() {
        for (field, value) in [("repository", &name), ("tag", &tag), ("digest", &digest)] {
            if !value.is_empty() {
                let message = format!("`ref` excludes `{field}`");
                findings
                    .forbid(&UNFITTING, at.child(field), message)
                    .at(&real.child(field))
                    .help("remove one of them");
            }
        }
        return;
    }
    if tag.is_empty() && digest.is_empty() {
        let message = "neither `tag` nor `digest` is set";
        findings.required(&MISSING, at.clone(), message).at(real).help("set `tag`");
    }
    if repository.at(&["digest"]).is_some() && !digest.starts_with("sha256:") {
        let message = format!("`{digest}` does not begin with `sha256:`");
        findings
            .invalid(&MALFORMED, at.child("digest"), message)
            .at(&real.child("digest"))
            .help("write it like `sha256:…`");
    }
}
