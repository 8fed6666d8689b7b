//! `site` of the Shoots of `examples/forecast`, repeated, with the size of what a browser loads first.

use std::fs;
use std::io::Write as _;
use std::path::Path;
use std::process::Command;

use flate2::Compression;
use flate2::write::GzEncoder;
use tempfile::TempDir;

use crate::garden::write_garden;
use crate::{Plan, process};

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/forecast");
const RUN: &str = "20261201T000000Z";

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
    let first = ["index.html", "site.css", "site.js", "overview.js"].map(|name| {
        let in_run = folder.path().join(RUN).join(name);
        let path = if in_run.exists() { in_run } else { folder.path().join(name) };
        compressed(&fs::read(path).unwrap())
    });
    println!(
        "{count} Shoots\n\n| wall s | CPU s | peak MiB | first page, compressed KiB |\n|---|---|---|---|"
    );
    println!(
        "| {:.2} | {:.2} | {:.0} | {:.0} |",
        cost.wall.as_secs_f64(),
        cost.cpu_seconds,
        cost.peak_mib,
        first.iter().sum::<usize>() as f64 / 1024.0
    );
}

/// Returns the size after compression with gzip.
fn compressed(content: &[u8]) -> usize {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::default());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap().len()
}
