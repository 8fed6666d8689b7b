//! How long `audit` takes for a landscape, and how much memory: the Shoots of `examples/audit`, each many times, in files of a hundred.
//!
//! `cargo bench --bench audit`. Behind `--`: another number of Shoots. `cargo test --bench audit` does it once, with few.

#![expect(
    clippy::unwrap_used,
    reason = "a benchmark that cannot go on should stop"
)]
#![expect(clippy::print_stdout, reason = "it prints what it measured")]

use std::env;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

use tempfile::TempDir;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/audit");
/// How many Shoots a file has.
const IN_A_FILE: usize = 100;
/// How often the memory of the process is looked at.
const INTERVAL: Duration = Duration::from_millis(10);

fn main() {
    let is_bench = env::args().any(|it| it == "--bench");
    let number = env::args().find_map(|it| it.parse::<usize>().ok());
    let counts = match (is_bench, number) {
        (_, Some(number)) => vec![number],
        (true, None) => vec![1_000, 10_000, 100_000],
        (false, None) => vec![100],
    };
    for shoots in counts {
        let folder = TempDir::new().unwrap();
        write_garden(folder.path(), shoots);
        for format in ["text", "json"] {
            let (time, memory) = run(folder.path(), format);
            let per_second = shoots as f64 / time.as_secs_f64();
            println!(
                "{shoots:7} Shoots  {format}  {time:8.2?}  {per_second:8.0} a second  {memory:5} MiB at most"
            );
        }
    }
}

/// How long it took, and the most memory that was seen, in MiB.
fn run(garden: &Path, format: &str) -> (Duration, u64) {
    let begin = Instant::now();
    let out = garden.join("report");
    let mut child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .args(["audit", "--no-config", "--at", "2026-12-10T00:00:00Z"])
        .args(["--format", &format!("{format}={}", out.display())])
        .arg("--garden")
        .arg(garden)
        .stderr(Stdio::inherit())
        .spawn()
        .unwrap();
    let mut most = 0;
    let status = loop {
        if let Some(status) = child.try_wait().unwrap() {
            break status;
        }
        most = most.max(memory(child.id()));
        sleep(INTERVAL);
    };
    // Something of it would be refused, and everything is known.
    assert_eq!(status.code(), Some(1));
    (begin.elapsed(), most)
}

/// The most memory that a process has had so far; none of one that has just ended.
fn memory(process: u32) -> u64 {
    let status = fs::read_to_string(format!("/proc/{process}/status")).unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"));
    let kibibytes = line.map_or("0", |line| line.trim().trim_end_matches(" kB"));
    kibibytes.parse::<u64>().unwrap_or_default() / 1024
}

/// The example with so many Shoots.
fn write_garden(folder: &Path, shoots: usize) {
    for file in ["landscape.yaml", "projects.yaml"] {
        fs::copy(Path::new(EXAMPLE).join(file), folder.join(file)).unwrap();
    }
    let text = fs::read_to_string(Path::new(EXAMPLE).join("shoots.yaml")).unwrap();
    let templates: Vec<&str> = text.split("---\n").collect();
    let copies = templates.iter().cycle().take(shoots).enumerate();
    let copies = copies
        .map(|(number, it)| it.replacen("\n  namespace:", &format!("-{number}\n  namespace:"), 1));
    let copies: Vec<String> = copies.collect();
    for (number, some) in copies.chunks(IN_A_FILE).enumerate() {
        let file = folder.join(format!("shoots-{number}.yaml"));
        fs::write(file, some.join("---\n")).unwrap();
    }
}
