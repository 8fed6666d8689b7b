// SPDX-License-Identifier: Apache-2.0
//! The properties that fuzz targets check, and the mutations that know what an AdmissionReview is made of.

#[path = "../../tests/core/fuzz/json.rs"]
mod json_text;
mod parity;
#[path = "../../tests/core/fuzz/properties/mod.rs"]
#[expect(dead_code, reason = "targets are named one by one")]
mod properties;
#[path = "../../tests/support/random.rs"]
mod random;
#[path = "../../tests/support/recorded.rs"]
mod recorded;
#[path = "../../tests/core/fuzz/text.rs"]
mod text;

use std::sync::LazyLock;

use libfuzzer_sys::{Corpus, fuzzer_mutate};

use random::Random;

/// The recorded requests of every garden, as JSON.
static REVIEWS: LazyLock<Vec<String>> = LazyLock::new(|| {
    let gardens = properties::gardens::GARDENS.iter();
    let reviews = gardens.flat_map(|garden| &garden.reviews);
    reviews.map(ToString::to_string).collect()
});

macro_rules! targets {
    ($($name:ident)*) => {
        $(
            #[doc = concat!("Checks the properties of the target `", stringify!($name), "`.")]
            pub fn $name(data: &[u8]) {
                properties::$name::check(data);
            }
        )*
    };
}

// Functions of their own, so that a target is linked with the code that it searches, and with no other.
targets!(config constraint expression json manifest review scalars yaml);

/// Judges a request of `tests/cluster/parity`, and decides whether it is kept.
pub fn differential(data: &[u8]) -> Corpus {
    parity::check(data)
}

/// Mutates a request of `tests/cluster/parity` in place; keeps it if the other one is too long.
pub fn mutate_request(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    let mutated = parity::mutated(&data[..size], &mut Random::of_case(seed.into()));
    if mutated.len() > max_size {
        return size;
    }
    data[..mutated.len()].copy_from_slice(&mutated);
    mutated.len()
}

/// Mutates a review in place: mostly value by value, with parts of recorded ones; else byte by byte, with the dictionary.
pub fn mutate_review(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    mutate(data, size, max_size, seed, |random, text| {
        let other = random.pick(&REVIEWS);
        json_text::mutated(random, text, other)
    })
}

/// Mutates YAML in place: by pieces of its grammar, or byte by byte.
pub fn mutate_yaml(data: &mut [u8], size: usize, max_size: usize, seed: u32) -> usize {
    mutate(data, size, max_size, seed, |random, text| {
        text::mutated(random, text, text).into_bytes()
    })
}

fn mutate(
    data: &mut [u8],
    size: usize,
    max_size: usize,
    seed: u32,
    mutated: impl FnOnce(&mut Random, &str) -> Vec<u8>,
) -> usize {
    let mut random = Random::of_case(seed.into());
    let is_by_bytes = random.below(4) == 0;
    match str::from_utf8(&data[..size]) {
        Ok(text) if !is_by_bytes && !text.is_empty() => {
            let mutated = mutated(&mut random, text);
            let size = mutated.len().min(max_size);
            data[..size].copy_from_slice(&mutated[..size]);
            size
        }
        _ => fuzzer_mutate(data, size, max_size),
    }
}
