// SPDX-License-Identifier: Apache-2.0
//! Texts of manifests that end anywhere cause no panic.

use garden_gate_text::yaml::parse_keeping_repeated;

use crate::manifest_texts;
use crate::random::Random;

/// The number of random texts.
const COUNT: u64 = 300;

#[test]
fn text_that_ends_anywhere_is_parsed_or_refused() {
    let (mut parsed, mut refused) = (0, 0);
    for case in 0..COUNT {
        let text = manifest_texts::text(&mut Random::of_case(case));
        for (end, _) in text.char_indices() {
            match parse_keeping_repeated(&text[..end]) {
                Ok(_) => parsed += 1,
                Err(_) => refused += 1,
            }
        }
    }
    assert!(parsed > 1_000, "{parsed} are parsed");
    assert!(refused > 1_000, "{refused} are refused");
}
