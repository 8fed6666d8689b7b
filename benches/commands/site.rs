// SPDX-License-Identifier: Apache-2.0
//! `site` of the Shoots of `examples/forecast`, repeated, with the size of what a browser loads first.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;
use walkdir::WalkDir;

use crate::garden::write_garden;
use crate::{Plan, process};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/forecast");

pub(crate) fn run(plan: Plan) {
    let count = plan.count.unwrap_or(if plan.is_bench { 10_000 } else { 100 });
    let (garden, folder) = (TempDir::new().unwrap(), TempDir::new().unwrap());
    let example = Path::new(EXAMPLE);
    let text = fs::read_to_string(example.join("shoots.yaml")).unwrap();
    // Excludes the Shoot whose CloudProfile is missing.
    let templates: Vec<&str> =
        text.split("---\n").filter(|shoot| !shoot.contains("cumulus")).collect();
    let files = ["cloudprofile.yaml", "projects.yaml"];
    write_garden(example, &files, &templates, count, garden.path());
    let mut site = Command::new(env!("CARGO_BIN_EXE_garden-gate"));
    site.args(["site", "--no-config", "--at", "2026-12-01T00:00:00Z", "--garden"]);
    let cost = process::run(site.arg(garden.path()).arg(folder.path()));
    let first = ["index.html", "site.css", "site.js", "overview.js"];
    let files = WalkDir::new(folder.path()).into_iter().map(Result::unwrap);
    let files = files.filter(|it| first.iter().any(|name| it.file_name() == *name));
    let first: usize = files.map(|it| compressed(&fs::read(it.path()).unwrap())).sum();
    println!(
        "{count} Shoots\n\n| wall s | CPU s | peak MiB | first page, compressed KiB |\n|---|---|---|---|"
    );
    println!(
        "| {:.2} | {:.2} | {:.0} | {:.0} |",
        cost.wall.as_secs_f64(),
        cost.cpu_seconds,
        cost.peak_mib,
        first as f64 / 1024.0
    );
}

/// Returns the size after compression with gzip.
fn compressed(content: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap().len()
}
