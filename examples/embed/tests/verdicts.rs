// SPDX-License-Identifier: Apache-2.0
//! Runs the example as a user would.

#![expect(clippy::disallowed_methods, reason = "it reads files, and starts the example")]

use std::fs;
use std::process::Command;

#[test]
fn example_prints_the_verdict_first() {
    let root = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");
    let garden = fs::read_dir(format!("{root}/examples/garden")).unwrap();
    let garden: Vec<_> = garden.map(|it| it.unwrap().path()).collect();
    let garden = garden.iter().filter(|it| it.extension().is_some_and(|it| it == "yaml"));
    for (verdict, code) in [("denied", 1), ("allowed", 0)] {
        let review = format!("{root}/examples/reviews/shoot-create-{verdict}.json");
        let mut embed = Command::new(env!("CARGO_BIN_EXE_embed"));
        let output = embed.arg(review).args(garden.clone()).output().unwrap();
        let text = String::from_utf8(output.stdout).unwrap();
        assert_eq!(text.lines().next(), Some(verdict), "{text}");
        assert_eq!(output.status.code(), Some(code));
    }
}
