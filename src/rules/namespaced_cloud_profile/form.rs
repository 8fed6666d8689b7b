use crate::engine::{Change, Context, Findings, rule};
use crate::model::NamespacedCloudProfile;
use crate::rules::cloud_profile::form::check_storage;
use crate::rules::shared::validation::{
    Facts, MALFORMED, MISSING, Naming, OUT_OF_RANGE, Part, REPEATED, Section, TOO_LONG, UNFITTING,
    UNSUPPORTED, check as check_form, check_metadata,
};

rule! {
    /// ## What it checks
    /// Name and labels are well-formed. The profile's own machine types and volume types have unique names. Amounts are not negative. A
    /// machine type with storage sets its size or minimum size. The certificates are well-formed.
    ///
    /// ## Why
    /// Shoots use these values.
    ///
    /// ## Applies to
    /// NamespacedCloudProfiles, on CREATE and UPDATE, in `garden-gate review`: an API server has refused the request before it calls a webhook.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   machineTypes:
    ///   - name: own.large
    ///     cpu: "-1"
    /// ```
    ///
    /// ## How to fix
    /// Apply the correction that the message names.
    ///
    /// ## Gardener
    /// `ValidateNamespacedCloudProfile` in `pkg/api/core/validation/namespacedcloudprofile.go`, by static validation (422).
    id: "namespacedcloudprofile/form",
    summary: "types and names of a NamespacedCloudProfile",
    phase: Static,
    level: Deny,
    door: Review,
    scopes: [NamespacedCloudProfile [Create, Update]],
    findings: { MALFORMED, MISSING, OUT_OF_RANGE, REPEATED, TOO_LONG, UNFITTING, UNSUPPORTED },
    check: Judge(check),
}

const SECTIONS: [&[&str]; 3] = [
    &["spec", "machineTypes"],
    &["spec", "volumeTypes"],
    &["spec", "caBundle"],
];

fn check(context: &Context<'_>, _: Change<'_, NamespacedCloudProfile>, findings: &mut Findings) {
    let profile = Part::whole(context.new_opened());
    check_metadata(&profile, Naming::Subdomain, findings);
    for at in SECTIONS {
        let section = Section {
            kind: "NamespacedCloudProfile",
            at,
            except: &[],
        };
        check_form(section, context.new_opened(), Facts::default(), findings);
    }
    for machine in profile.items_at(&["spec", "machineTypes"]) {
        check_storage(&machine, findings);
    }
}
