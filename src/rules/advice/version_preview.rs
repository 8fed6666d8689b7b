use super::versions_in_use::Advised;
use crate::engine::{Change, Context, Findings, rule};
use crate::model::Shoot;

rule! {
    /// ## What it checks
    /// No Kubernetes or machine image version that a Shoot goes to is classified `preview` now.
    ///
    /// ## Why
    /// A version in preview is not meant for production: it may have to be left again, and Kubernetes versions cannot go back.
    ///
    /// ## Applies to
    /// Shoots, on CREATE, and on UPDATE for what changes.
    ///
    /// ## Example
    /// A new Shoot names Kubernetes `1.33.0`, which the profile classifies `preview`.
    ///
    /// ## How to fix
    /// Use a version that is supported, unless trying it out is the purpose.
    ///
    /// ## Gardener
    /// Warns of nothing of the kind. Off in profile `gardener`.
    id: "advice/version-preview",
    summary: "a Shoot does not go to a version that is in preview",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [Shoot [Create, Update]],
    reads: [CloudProfile, NamespacedCloudProfile],
    findings: {
        PREVIEW = "advice/version-preview": "the Shoot goes to a version that is in preview",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(advised) = Advised::of(context, shoot) else {
        return;
    };
    let spec = advised.spec();
    for used in advised.uses(spec) {
        if used.changed && used.classification(context.now) == Some("preview") {
            let advice = used.advice(&PREVIEW, "is in preview");
            findings.add(
                advice.help("use a version that is supported, unless trying it out is the purpose"),
            );
        }
    }
}
