// SPDX-License-Identifier: Apache-2.0
use crate::admission::{Context, FieldPath, Findings, Write, rule};
use crate::garden::Shoots;
use garden_gate_model::api::{Seed, Tolerated, Toleration};

rule! {
    page: include_str!("taint_untolerated.md"),
    id: "audit/taint-untolerated",
    summary: "warns about a Seed taint that no Shoot tolerates",
    phase: Admission,
    level: { documented: Warn, gardener: Off },
    entry_point: Audit,
    scopes: [Seed [Update]],
    reads: [Shoot],
    findings: {
        UNTOLERATED = "audit/taint-untolerated": "no Shoot tolerates a taint of the Seed",
    },
    check: Judge(check),
}

fn check(context: &Context<'_>, write: Write<'_, Seed>, findings: &mut Findings) {
    let seed = write.new;
    let scheduling = seed.spec.settings.as_ref().map(|it| &it.scheduling);
    let is_hidden = scheduling.is_some_and(|it| it.as_ref().is_some_and(|it| !it.visible));
    if is_hidden || seed.spec.taints.is_empty() {
        return;
    }
    let path = FieldPath::new("spec.taints");
    let Some(shoots) = findings.known(context.shoots(), &path, "who tolerates them") else {
        return;
    };
    for (index, taint) in seed.spec.taints.iter().enumerate() {
        let is_default = tolerate(&context.config.tolerations.defaults, taint);
        if !is_default && !is_tolerated(shoots, taint) {
            let message = format!("no Shoot tolerates the taint `{taint}`");
            findings
                .forbid(&UNTOLERATED, path.index(index), message)
                .value(taint.to_string())
                .help("whitelist it for whom the Seed is for, or remove the taint");
        }
    }
}

fn is_tolerated(shoots: &Shoots, taint: &Toleration) -> bool {
    let by_key = Toleration::bare(&taint.key);
    let mut candidates = shoots.tolerating(&by_key, None).filter_map(|name| shoots.get(name));
    candidates.any(|shoot| tolerate(&shoot.tolerations, taint))
}

fn tolerate(tolerations: &[Toleration], taint: &Toleration) -> bool {
    let tolerated = Tolerated::by(tolerations);
    tolerated.untolerated(std::slice::from_ref(taint)).is_empty()
}
