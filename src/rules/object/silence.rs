use crate::config::{Level, did_you_mean};
use crate::engine::{Context, FieldPath, FindingKind, Findings, Kind, Rule, Silence, Terms, rule};
use crate::rules::shared::lists::{list, short};
use crate::rules::{self, ALL};

rule! {
    /// ## What it checks
    /// Every annotation `ignore.garden-gate.dev/<finding>` of an object silences a warning. It names a finding that can be made about such an object and is not
    /// a refusal, and gives a reason; a final `until` is followed by a date. In `review` of an object without an old state, the warning exists.
    ///
    /// ## Why
    /// Users who silence a warning do not expect to see it again. With an error in the id or in the date it is still reported. An
    /// annotation without a warning hides the next warning of its kind.
    ///
    /// ## Applies to
    /// CREATE and UPDATE. The existence of the warning is checked only where all rules run: a warning about a change is reported with that
    /// change only, so an annotation for it may stay. The rule does not apply if the configuration has `silencing: ignored`.
    ///
    /// ## Example
    /// ```yaml
    /// metadata:
    ///   annotations:
    ///     ignore.garden-gate.dev/shoot.worker-pool-removed: moved by hand until 2027-02-30
    /// ```
    /// The finding `shoot/worker-pool-removed` does not exist (but `shoot/worker-pools-removed`), nor does that date.
    ///
    /// ## How to fix
    /// `garden-gate rules <rule>` shows the ids of findings; in the annotation, write `.` for `/`. A refusal cannot be silenced: fix its cause. Remove
    /// annotations that silence no warning.
    ///
    /// ## Gardener
    /// Gardener ignores these annotations, and keeps them like any others.
    id: "object/silence",
    summary: "annotations that silence a warning do so",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    scopes: [
        Shoot [Create, Update];
        Project [Create, Update];
        CloudProfile [Create, Update];
        NamespacedCloudProfile [Create, Update];
        Seed [Create, Update];
        ValidatingWebhookConfiguration [Create, Update];
        MutatingWebhookConfiguration [Create, Update];
        DaemonSet [Create, Update];
        Deployment [Create, Update];
        Pod [Create, Update]
    ],
    findings: {
        UNKNOWN = "object/silence-unknown": "an annotation silences what is no finding about such objects",
        REFUSAL = "object/silence-of-refusal": "an annotation silences what is a refusal, which cannot be silenced",
        NO_REASON = "object/silence-without-reason": "an annotation gives no reason, and so silences nothing",
        NO_DAY = "object/silence-date-invalid": "an annotation ends on what is no day, and so silences nothing",
        IDLE = "object/silence-unused": "an annotation silences a warning that there is not",
    },
    check: Silences(check),
}

/// Maximum number of ids that are compared with all known ones; comparing is expensive.
const SUGGESTIONS: usize = 5;

fn check(context: &Context<'_>, silences: &[Silence<'_>], findings: &mut Findings) {
    let mut suggestions = SUGGESTIONS;
    for silence in silences {
        let reporting = || ALL.iter().copied().filter(|rule| rule.reports(&silence.id));
        let about = context.request.kind();
        let looks = |rule: &Rule| about.is_some_and(|kind| rule.kinds().contains(&kind));
        if !reporting().any(looks) {
            unknown(silence, about, &mut suggestions, findings);
            continue;
        }
        let level = |rule: &Rule| context.config.level(rule.id, &silence.id, rule.levels);
        if reporting().all(|rule| level(rule) == Level::Deny) {
            let message = format!("`{}` is a refusal, which cannot be silenced", silence.id);
            report(
                &REFUSAL,
                silence,
                message,
                "correct what is refused",
                findings,
            );
            continue;
        }
        match &silence.terms {
            Terms::NoReason => report(
                &NO_REASON,
                silence,
                format!("no reason is given, so `{}` is not silenced", silence.id),
                "write why, as in `moved by hand, see ticket 12 until 2027-01-31`; the day may be left out",
                findings,
            ),
            Terms::NoDay(day) => report(
                &NO_DAY,
                silence,
                format!(
                    "`{}` is no day, so `{}` is not silenced",
                    short(day),
                    silence.id
                ),
                "write the last day of the silence as `until 2027-01-31`",
                findings,
            ),
            Terms::Silent(..) if silence.is_idle => report(
                &IDLE,
                silence,
                format!("there is no warning `{}` to silence", silence.id),
                "remove the annotation",
                findings,
            ),
            Terms::Silent(..) | Terms::Ended(_) => {}
        }
    }
}

fn unknown(
    silence: &Silence<'_>,
    about: Option<Kind>,
    suggestions: &mut usize,
    findings: &mut Findings,
) {
    let (id, known) = (silence.id.as_str(), rules::known_ids().findings);
    if let Some(kind) = about.filter(|_| known.contains(&id)) {
        let message = format!("`{id}` is never found in a {kind}");
        report(
            &UNKNOWN,
            silence,
            message,
            "remove the annotation",
            findings,
        );
        return;
    }
    let message = format!(
        "no finding has the id `{}`, so nothing is silenced",
        short(id)
    );
    let suggestion = match rules::find(id) {
        Some(rule) => {
            let ids = rule.findings.iter().map(|finding| finding.id);
            Some(format!("that is a rule; its findings are {}", list(ids)))
        }
        None if *suggestions > 0 => {
            *suggestions -= 1;
            did_you_mean(id, &known)
        }
        None => None,
    };
    let help = suggestion.as_deref().unwrap_or(LISTED);
    report(&UNKNOWN, silence, message, help, findings);
}

const LISTED: &str = "`garden-gate rules <rule>` shows the ids of its findings; write `.` for `/`";

fn report(
    what: &'static FindingKind,
    silence: &Silence<'_>,
    message: String,
    help: &str,
    findings: &mut Findings,
) {
    let path = FieldPath::new("metadata.annotations").key(silence.key);
    findings.invalid(what, path, message).help(help);
}
