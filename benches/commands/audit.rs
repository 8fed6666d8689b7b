// SPDX-License-Identifier: Apache-2.0
//! `audit` of the Shoots of `examples/audit`, repeated.

use std::fs;
use std::path::Path;
use std::process::Command;

use tempfile::TempDir;

use crate::garden::write_garden;
use crate::{Plan, process};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/audit");

pub(crate) fn run(plan: Plan) {
    let counts = match plan.count {
        Some(count) => vec![count],
        None if plan.is_bench => vec![1_000, 10_000, 100_000],
        None => vec![100],
    };
    println!("| Shoots | format | wall s | Shoots/s | peak MiB |\n|---|---|---|---|---|");
    let example = Path::new(EXAMPLE);
    let shoots = fs::read_to_string(example.join("shoots.yaml")).unwrap();
    let shoots: Vec<&str> = shoots.split("---\n").collect();
    for count in counts {
        let folder = TempDir::new().unwrap();
        let files = ["landscape.yaml", "projects.yaml"];
        write_garden(example, &files, &shoots, count, folder.path());
        for format in ["text", "json"] {
            let out = folder.path().join("report");
            let mut audit = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
            audit
                .args(["audit", "--no-config", "--at", "2026-12-10T00:00:00Z"])
                .args(["--format", &format!("{format}={}", out.display())])
                .arg("--garden")
                .arg(folder.path());
            let cost = process::run(&mut audit);
            let wall = cost.wall.as_secs_f64();
            let per_second = count as f64 / wall;
            println!("| {count} | {format} | {wall:.2} | {per_second:.0} | {:.0} |", cost.peak_mib);
        }
    }
}
