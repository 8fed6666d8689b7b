// SPDX-License-Identifier: Apache-2.0
use crate::admission::{
    Context, FieldPath, FindingKind, Findings, Help, Kind, POLICY_PREFIX, RuleHeader, Silence,
    Terms, rule,
};
use crate::config::Level;
use crate::rules::shared::lists::{list, short};
use garden_gate_text::nearest::did_you_mean;

rule! {
    page: include_str!("silence.md"),
    id: "object/silence",
    summary: "warns about silencing annotations without effect",
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
        Pod [Create, Update];
        StatefulSet [Create, Update];
        ReplicaSet [Create, Update];
        ReplicationController [Create, Update];
        Job [Create, Update];
        CronJob [Create, Update];
        Service [Create, Update];
        Ingress [Create, Update];
        PersistentVolumeClaim [Create, Update];
        VolumeSnapshot [Create, Update];
        VolumeSnapshotContent [Create, Update];
        CustomResourceDefinition [Create, Update]
    ],
    findings: {
        UNKNOWN = "object/silence-unknown": "an annotation silences a finding that does not exist for the object's kind",
        REFUSAL = "object/silence-of-refusal": "an annotation silences a refusal, which cannot be silenced",
        NO_REASON = "object/silence-without-reason": "an annotation has no reason and therefore no effect",
        NO_DAY = "object/silence-date-invalid": "an annotation has an invalid end date and therefore no effect",
        IDLE = "object/silence-unused": "an annotation silences a warning that is not reported",
    },
    fixes: Suggestion,
    check: Silences(check),
}

/// Maximum number of ids that are compared with all known ones; comparing is expensive.
const SUGGESTIONS: usize = 5;

fn check(
    context: &Context<'_>,
    silences: &[Silence<'_>],
    rules: &[&'static RuleHeader],
    findings: &mut Findings,
) {
    let mut suggestions = SUGGESTIONS;
    for silence in silences {
        let reporting = || rules.iter().copied().filter(|rule| rule.reports(&silence.id));
        let about = context.request.kind();
        let looks = |rule: &RuleHeader| about.is_some_and(|kind| rule.kinds().contains(&kind));
        // The policies of the garden are evaluated after all rules.
        let is_policy = silence.id.starts_with(POLICY_PREFIX);
        if !is_policy && !reporting().any(looks) {
            unknown(silence, about, rules, &mut suggestions, findings);
            continue;
        }
        let level = |rule: &RuleHeader| context.config.level(rule.id, &silence.id, rule.levels);
        if !is_policy && reporting().all(|rule| level(rule) == Level::Deny) {
            let message = format!("`{}` is a refusal, which cannot be silenced", silence.id);
            report(&REFUSAL, silence, message, "correct what is refused", findings);
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
                format!("`{}` is no day, so `{}` is not silenced", short(day), silence.id),
                "write the last day of the silence as `until 2027-01-31`",
                findings,
            ),
            Terms::Silent(..) if silence.is_idle => report(
                &IDLE,
                silence,
                format!("there is no warning `{}` to silence", silence.id),
                Help::remove("remove the annotation"),
                findings,
            ),
            Terms::Silent(..) | Terms::Ended(_) => {}
        }
    }
}

fn unknown(
    silence: &Silence<'_>,
    about: Option<Kind>,
    rules: &[&'static RuleHeader],
    suggestions: &mut usize,
    findings: &mut Findings,
) {
    let id = silence.id.as_str();
    let known: Vec<&str> =
        rules.iter().flat_map(|rule| rule.findings).map(|finding| finding.id).collect();
    if let Some(kind) = about.filter(|_| known.contains(&id)) {
        let message = format!("`{id}` is never found in a {kind}");
        report(&UNKNOWN, silence, message, Help::remove("remove the annotation"), findings);
        return;
    }
    let message = format!("no finding has the id `{}`, so nothing is silenced", short(id));
    let suggestion = match rules.iter().find(|rule| rule.id == id) {
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
    help: impl Into<Help>,
    findings: &mut Findings,
) {
    let path = FieldPath::new("metadata.annotations").key(silence.key);
    findings.invalid(what, path, message).help(help);
}
