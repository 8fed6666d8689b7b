// SPDX-License-Identifier: Apache-2.0
//! Notes about the reviews of the matrices. Another process takes them in one run of all matrices, for the tests in `sweep`, `hints` and `fixes`.

use std::env;
use std::fs::{self, OpenOptions};
use std::io::Write as _;
use std::process::Command;
use std::sync::LazyLock;
use std::thread;

/// Environment variable for the file to which the matrices add notes.
const FILE: &str = "GARDEN_GATE_NOTES";

/// The notes: subject, test and text of each.
static TAKEN: LazyLock<String> = LazyLock::new(|| {
    let notes = tempfile::NamedTempFile::new().unwrap();
    // With one thread, tests have no names.
    let output = Command::new(env::current_exe().unwrap())
        .args(["matrix_", "profiles_documented", "hints::a_mistake", "--test-threads", "2"])
        .env(FILE, notes.path())
        .output()
        .unwrap();
    let printed = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "the matrices fail by themselves:\n{printed}");
    fs::read_to_string(notes.path()).unwrap()
});

/// Reports whether this process takes notes.
pub(crate) fn are_taken() -> bool {
    env::var_os(FILE).is_some()
}

/// Takes notes about a subject.
pub(crate) fn take(subject: &str, notes: &[String]) {
    let thread = thread::current();
    let test = thread.name().unwrap();
    let lines = notes.iter().map(|it| it.replace('\n', " "));
    let lines: String = lines.map(|it| format!("{subject}\t{test}\t{it}\n")).collect();
    let file = env::var_os(FILE).unwrap();
    let mut file = OpenOptions::new().append(true).open(file).unwrap();
    file.write_all(lines.as_bytes()).unwrap();
}

/// Returns the notes about a subject, each with the name of its test.
pub(crate) fn about(subject: &str) -> impl Iterator<Item = (&'static str, &'static str)> {
    let notes = TAKEN
        .lines()
        .filter_map(|line| line.split_once('\t'))
        .filter(move |(it, _)| *it == subject);
    notes.filter_map(|(_, note)| note.split_once('\t'))
}
