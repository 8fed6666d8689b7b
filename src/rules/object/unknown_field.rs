use super::hint::hint;
use super::listed::{path, tell};
use crate::engine::{Context, FieldPath, Findings, rule};
use crate::fields::{Removed, Step};
use crate::rules::shared::lists::short;

rule! {
    /// ## What it checks
    /// Every field of the object exists in its kind, also in `status`. Names are case-sensitive: `Region` is not
    /// `region`. Fields that extensions read (`providerConfig` and the like) are not checked.
    ///
    /// ## Why
    /// An API server silently drops an unknown field, or refuses the object: `kubectl` asks for the latter.
    /// A field in the wrong place has no effect, and a misspelt one is the most frequent reason why a setting "does not work".
    ///
    /// ## Applies to
    /// Submitted objects, in `garden-gate review`. An API server has decoded an object before it calls a webhook, and refuses or drops such fields.
    ///
    /// ## Example
    /// ```yaml
    /// spec:
    ///   toleration:
    ///   - key: seed.gardener.cloud/protected
    /// ```
    ///
    /// ## How to fix
    /// Write the intended field: the message suggests a field with a similar name, and the path of a field of that name. For a
    /// field that Gardener removed, the message names the release and the help the replacement.
    /// `garden-gate schema Shoot` prints a schema with which editors complete and check fields.
    ///
    /// ## Gardener
    /// The decoder of the API server, with `fieldValidation=Strict` (400). It names the fields; the first 20 are listed here.
    id: "object/unknown-field",
    summary: "every field is one that the kind has",
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
        UNKNOWN = "object/unknown-field": "the kind has no such field",
    },
    check: Written(check),
}

fn check(context: &Context<'_>, findings: &mut Findings) {
    let Some((kind, strict_errors)) = context.strict_errors() else {
        return;
    };
    for (place, object) in &strict_errors.unknown.first {
        let Some(Step::Unknown(name)) = place.last() else {
            continue;
        };
        let (message, help) = match Removed::of(object, name) {
            Some(it) => (
                format!("`{name}` was removed in Gardener v{}", it.release),
                it.instead.to_owned(),
            ),
            None => (
                format!(
                    "`{}` is no field of {}",
                    short(name),
                    owner(kind.kind, place)
                ),
                hint(kind, object, place, name),
            ),
        };
        findings
            .unsupported(&UNKNOWN, path(place), message)
            .help(help);
    }
    tell(&strict_errors.unknown, &UNKNOWN, findings);
}

/// Returns the name of the object that lacks the field at the end of `place`.
fn owner(kind: &str, place: &[Step<'_>]) -> String {
    match path(&place[..place.len().saturating_sub(1)]) {
        root if root == FieldPath::root() => format!("a {kind}"),
        inside => format!("`{inside}`"),
    }
}
