// SPDX-License-Identifier: Apache-2.0
//! `forecast` of the Shoots of `examples/forecast`, repeated, over 90 days, in each format.

use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::Duration;

use tempfile::TempDir;

use crate::garden::write_garden;
use crate::{Plan, process};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/forecast");

pub(crate) fn run(plan: Plan) {
    let (shoots, rounds) = if plan.is_bench {
        (plan.count.unwrap_or(10_000), 5)
    } else {
        (plan.count.unwrap_or(100), 1)
    };
    let folder = TempDir::new().unwrap();
    let example = Path::new(EXAMPLE);
    let text = fs::read_to_string(example.join("shoots.yaml")).unwrap();
    // Excludes the Shoot whose CloudProfile is missing.
    let templates = text.split("---\n").filter(|shoot| !shoot.contains("cumulus"));
    let templates: Vec<&str> = templates.collect();
    let files = ["cloudprofile.yaml", "projects.yaml"];
    write_garden(example, &files, &templates, shoots, folder.path());
    println!("{shoots} Shoots, median of {rounds}\n\n| format | wall s |\n|---|---|");
    for format in ["text", "json", "markdown", "html", "ics"] {
        let mut times: Vec<Duration> = (0..rounds)
            .map(|_| {
                let mut forecast = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
                forecast
                    .args(["forecast", "--no-config", "--at", "2026-12-01T00:00:00Z"])
                    .args(["--format", format, "--garden"])
                    .arg(folder.path());
                process::run(&mut forecast).wall
            })
            .collect();
        times.sort_unstable();
        println!("| {format} | {:.2} |", times[times.len() / 2].as_secs_f64());
    }
}
