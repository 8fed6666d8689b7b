use super::version_in_use::Removed;
use crate::engine::{Change, Context, FieldPath, Findings, is_unchanged, rule};
use crate::model::NamespacedCloudProfile;

rule! {
    /// ## What it checks
    /// The CloudProfile that `spec.parent` names exists.
    ///
    /// ## Why
    /// Without it there is nothing to change.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on CREATE and UPDATE; an UPDATE that changes nothing is let through.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   parent:
    ///     kind: CloudProfile
    ///     name: startus   # a typing error
    /// ```
    ///
    /// ## How to fix
    /// Name an existing CloudProfile, or create it first.
    ///
    /// ## Gardener
    /// `plugin/pkg/namespacedcloudprofile/validator/admission.go`, and the same lookup in
    /// `plugin/pkg/global/resourcereferencemanager/admission.go`. Gardener answers 400 or 500, here it is 403.
    id: "namespacedcloudprofile/parent-missing",
    summary: "the parent exists",
    phase: Admission,
    level: Deny,
    scopes: [NamespacedCloudProfile [Create, Update]],
    reads: [CloudProfile],
    findings: {
        MISSING = "namespacedcloudprofile/parent-missing": "the CloudProfile that is named as parent does not exist",
    },
    check: Judge(check),
}

fn check(
    context: &Context<'_>,
    profile: Change<'_, NamespacedCloudProfile>,
    findings: &mut Findings,
) {
    let Some(new) = profile.new else { return };
    let is_unchanged = profile
        .old
        .is_some_and(|old| is_unchanged(context, new, old));
    if is_unchanged && Removed::of(profile).is_none() {
        return;
    }
    let name = new.spec.parent.name.as_str();
    let path = FieldPath::new("spec.parent.name");
    let found = findings.known(
        context.cloud_profile(name).answer(),
        &path,
        format_args!("whether there is a CloudProfile `{name}`"),
    );
    if let Some(None) = found {
        let message = format!("there is no CloudProfile `{name}`");
        findings
            .not_found(&MISSING, path, message)
            .value(name)
            .help("name an existing CloudProfile, or create it first");
    }
}
