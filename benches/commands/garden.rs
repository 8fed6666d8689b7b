// SPDX-License-Identifier: Apache-2.0
//! Gardens with the Shoots of an example, repeated.

use std::fs;
use std::path::Path;

/// Shoots in a file of a generated garden.
const SHOOTS_PER_FILE: usize = 100;

/// Copies `files` of the garden directory `example`, and repeats `shoots` up to `count`.
pub(crate) fn write_garden(
    example: &Path,
    files: &[&str],
    shoots: &[&str],
    count: usize,
    folder: &Path,
) {
    for file in files {
        fs::copy(example.join(file), folder.join(file)).unwrap();
    }
    let copies = shoots.iter().cycle().take(count).enumerate();
    let copies: Vec<String> = copies
        .map(|(number, shoot)| {
            shoot.replacen("\n  namespace:", &format!("-{number}\n  namespace:"), 1)
        })
        .collect();
    for (number, chunk) in copies.chunks(SHOOTS_PER_FILE).enumerate() {
        let file = folder.join(format!("shoots-{number}.yaml"));
        fs::write(file, chunk.join("---\n")).unwrap();
    }
}
