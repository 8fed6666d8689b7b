// SPDX-License-Identifier: Apache-2.0
//! `garden-gate probe` checks that a server returns verdicts.

use crate::common::reviews::PROJECT;
use crate::common::{Gate, GateArgs, garden_gate};

fn probed(gate: &Gate, url: &str, arguments: &[&str]) -> (Option<i32>, String) {
    let ca = gate.path("ca.crt").display().to_string();
    let probe = ["probe", "--url", url, "--ca", &ca];
    let output = garden_gate(&[&probe, arguments].concat());
    let text = [output.stdout, output.stderr].concat();
    (output.status.code(), String::from_utf8(text).unwrap())
}

#[tokio::test(flavor = "multi_thread")]
async fn probe_passes_with_any_verdict() {
    let gate = Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT));
    let (code, text) = probed(&gate, &gate.url, &[]);
    assert_eq!(code, Some(0), "{text}");
    assert_eq!(text, "ok: the server judged the test request (denied, which is expected)\n");
    let (code, text) = probed(&gate, &gate.url, &["--shoot-cluster"]);
    assert_eq!(
        (code, text.as_str()),
        (Some(0), "ok: the server judged the test request (allowed)\n")
    );
}

#[tokio::test(flavor = "multi_thread")]
async fn what_gives_no_verdict_is_said_in_a_line() {
    let gate = Gate::start(&GateArgs::new());
    // No process listens on port 9, that of `discard`.
    let cases = [
        ("https://127.0.0.1:9", "https://127.0.0.1:9/ gave no verdict: Connection refused"),
        ("http://127.0.0.1:9", "does not begin with `https://`"),
    ];
    for (url, why) in cases {
        let (code, text) = probed(&gate, url, &[]);
        assert_eq!((code, text.lines().count()), (Some(2), 1), "{text}");
        assert!(text.starts_with("error: ") && text.contains(why), "{text}");
    }
}
