// SPDX-License-Identifier: Apache-2.0
//! Gardens like the example, with more seeds and Shoots.

use std::fs;
use std::path::Path;

const EXAMPLE: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples/garden");

/// Writes the example with these total numbers of seeds and Shoots.
pub(crate) fn write(folder: &Path, seeds: usize, shoots: usize) {
    fs::create_dir(folder).unwrap();
    for file in fs::read_dir(EXAMPLE).unwrap() {
        let file = file.unwrap();
        fs::copy(file.path(), folder.join(file.file_name())).unwrap();
    }
    repeat(&folder.join("seeds.yaml"), "stratus-eu", seeds);
    repeat(&folder.join("shoots.yaml"), "name: web", shoots);
}

/// Repeats the first object of a file under other names, up to the wanted number.
fn repeat(file: &Path, name: &str, wanted: usize) {
    let example = fs::read_to_string(file).unwrap();
    let objects: Vec<&str> = example.split("---\n").collect();
    let more = objects.len()..wanted;
    let copies = more.map(|number| objects[0].replace(name, &format!("{name}-{number}")));
    let all: Vec<String> = objects.iter().map(|it| (*it).to_owned()).chain(copies).collect();
    fs::write(file, all.join("---\n")).unwrap();
}
