use super::listed::{path, tell};
use crate::engine::{Context, Findings, rule};
use crate::fields::Step;
use crate::rules::shared::lists::short;

rule! {
    /// ## What it checks
    /// No field is a duplicate in its object, and no key in its map, for example in labels and annotations.
    ///
    /// ## Why
    /// Only the last one takes effect. This is rarely intended, so `kubectl` asks the API server to refuse it.
    ///
    /// ## Applies to
    /// Submitted objects, in `garden-gate review`. An API server has decoded an object before it calls a webhook, which removes duplicates.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   region: europe-1
    ///   purpose: production
    ///   region: europe-2
    /// ```
    ///
    /// ## How to fix
    /// Keep one of them. The reported line is that of the last one.
    ///
    /// ## Gardener
    /// The decoder of the API server, with `fieldValidation=Strict` (400). The first 20 are listed here.
    id: "object/repeated-field",
    summary: "each field is set once",
    phase: Decoding,
    level: Deny,
    door: Review,
    scopes: [
        Shoot [Create, Update] [Itself, Binding, Status];
        Project [Create, Update] [Itself, Status];
        CloudProfile [Create, Update] [Itself, Status];
        NamespacedCloudProfile [Create, Update] [Itself, Status];
        Seed [Create, Update] [Itself, Status];
        ExposureClass [Create, Update];
        SecretBinding [Create, Update];
        CredentialsBinding [Create, Update];
        Quota [Create, Update];
    ],
    findings: {
        REPEATED = "object/repeated-field": "a field is set more than once",
    },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some((_, strict_errors)) = context.strict_errors() else {
        return;
    };
    for (place, count) in &strict_errors.repeated.first {
        let message = format!("`{}` is set {}", name(place), times(*count));
        findings
            .duplicate(&REPEATED, path(place), message)
            .help("keep one; without a word, only the last one would count");
    }
    tell(&strict_errors.repeated, &REPEATED, findings);
}

fn name(place: &[Step<'_>]) -> String {
    match place.last() {
        Some(Step::Field(name)) => (*name).to_owned(),
        Some(Step::Unknown(name) | Step::Key(name)) => short(name).into_owned(),
        Some(Step::Index(_)) | None => String::new(),
    }
}

fn times(count: usize) -> String {
    match count {
        2 => "twice".to_owned(),
        count => format!("{count} times"),
    }
}
