//! How long `forecast` takes for a landscape: the Shoots of `examples/forecast`, each many times, over 90 days, in every format.
//!
//! `cargo bench --bench forecast`. Behind `--`: another number of Shoots. `cargo test --bench forecast` does it once, with few.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on should stop"
)]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::env;
use std::fs;
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/forecast");
const ROUNDS: usize = 5;
/// How many Shoots a file has.
const IN_A_FILE: usize = 100;

fn main() {
    let is_bench = env::args().any(|it| it == "--bench");
    let number = env::args().find_map(|it| it.parse::<usize>().ok());
    let (shoots, rounds) = match is_bench {
        true => (number.unwrap_or(10_000), ROUNDS),
        false => (number.unwrap_or(100), 1),
    };
    let folder = TempDir::new().unwrap();
    write_garden(folder.path(), shoots);
    println!("{shoots} Shoots over 90 days, median of {rounds}");
    for format in ["text", "json", "markdown", "html", "ics"] {
        let mut times: Vec<Duration> = (0..rounds).map(|_| run(folder.path(), format)).collect();
        times.sort_unstable();
        println!("{format:8}  {:.2?}", times[times.len() / 2]);
    }
}

fn run(garden: &Path, format: &str) -> Duration {
    let begin = Instant::now();
    let output = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .args(["forecast", "--no-config", "--at", "2026-12-01T00:00:00Z"])
        .args(["--format", format, "--garden"])
        .arg(garden)
        .output()
        .unwrap();
    let time = begin.elapsed();
    // Something of it is refused, and everything is known.
    let said = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1), "{said}");
    time
}

/// The example with so many Shoots, without the one that follows no profile.
fn write_garden(folder: &Path, shoots: usize) {
    for file in ["cloudprofile.yaml", "projects.yaml"] {
        fs::copy(Path::new(EXAMPLE).join(file), folder.join(file)).unwrap();
    }
    let text = fs::read_to_string(Path::new(EXAMPLE).join("shoots.yaml")).unwrap();
    let templates = text.split("---\n").filter(|it| !it.contains("cumulus"));
    let templates: Vec<&str> = templates.collect();
    let copies = templates.iter().cycle().take(shoots).enumerate();
    let copies = copies
        .map(|(number, it)| it.replacen("\n  namespace:", &format!("-{number}\n  namespace:"), 1));
    let copies: Vec<String> = copies.collect();
    for (number, some) in copies.chunks(IN_A_FILE).enumerate() {
        fs::write(
            folder.join(format!("shoots-{number}.yaml")),
            some.join("---\n"),
        )
        .unwrap();
    }
}
