// SPDX-License-Identifier: Apache-2.0
use super::kubelet::Kubelet;
use super::received;
use crate::admission::{Change, Context, Findings, Help, rule};
use garden_gate_model::api::Shoot;

rule! {
    page: include_str!("streaming_timeout.md"),
    id: "hardened/streaming-timeout",
    summary: "warns about a timeout of idle streaming connections outside of 5 minutes to 4 hours",
    phase: Admission,
    level: { documented: Off, gardener: Off, hardened: Warn },
    scopes: [Shoot [Create, Update]],
    findings: {
        TIMEOUT = "hardened/streaming-timeout": "the timeout of idle streaming connections is too short or too long",
    },
    fixes: Suggestion,
    check: Judge(check),
}

/// The shortest timeout in seconds: 5 minutes.
const SHORTEST: f64 = 300.0;
/// The longest timeout in seconds: 4 hours.
const LONGEST: f64 = 14_400.0;

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    let Some(shoot) = received(context, shoot) else {
        return;
    };
    for kubelet in Kubelet::all(&shoot) {
        let field = "streamingConnectionIdleTimeout";
        let limit = match kubelet.settings.seconds_at(&[field]) {
            Some(timeout) if timeout < SHORTEST => "shorter than 5 minutes",
            Some(timeout) if timeout > LONGEST => "longer than 4 hours",
            _ => continue,
        };
        findings.report_lazily(&TIMEOUT, |findings| {
            let timeout = kubelet.settings.text_at(&[field]);
            let message = format!(
                "idle streaming connections to {} time out after `{timeout}`, which is {limit}",
                kubelet.name()
            );
            findings
                .invalid(&TIMEOUT, kubelet.settings.path().child(field), message)
                .value(timeout)
                .help(Help::set(
                    "set `streamingConnectionIdleTimeout: 5m`, which is the default",
                    "5m",
                ));
        });
    }
}
