// SPDX-License-Identifier: Apache-2.0
//! Mutations of short texts in any grammar.

use crate::random::Random;

/// Tokens of all grammars.
const PIECES: &[&str] = &[
    "0",
    "1",
    "9",
    "00",
    ".",
    "-",
    "+",
    "e",
    "E",
    "*",
    "/",
    ",",
    " ",
    "||",
    ">=",
    "<",
    "~",
    "^",
    "!=",
    "=",
    "x",
    "v",
    "%",
    ":",
    "::",
    "Gi",
    "m",
    "n",
    "h",
    "s",
    "ms",
    "µs",
    "\t",
    "\n",
    "\0",
    "\u{e9}",
    "\u{1f600}",
    "\u{2028}",
    "99999999999999999999",
    "2147483648",
    "1.2.3-rc.1+b",
    "MON-FRI",
    "@daily",
    "TZ=Europe/Berlin ",
    "#",
    "[",
    "]",
    "{",
    "}",
    "\"",
    "'",
    "&a ",
    "*a",
    "<<: ",
    "!!binary ",
    "- ",
    ": ",
    "---\n",
    "? ",
    "|\n",
    ">\n",
    "\u{feff}",
];

/// Maximum length of a text; longer ones are truncated.
const LONGEST: usize = 64 << 10;

/// Mutates a text up to six times; parts of `other` may be inserted.
pub(crate) fn mutated(random: &mut Random, text: &str, other: &str) -> String {
    let mut chars: Vec<char> = text.chars().collect();
    let other: Vec<char> = other.chars().collect();
    for _ in 0..random.below(7) {
        mutate(random, &mut chars, &other);
        chars.truncate(LONGEST);
    }
    chars.into_iter().collect()
}

fn mutate(random: &mut Random, chars: &mut Vec<char>, other: &[char]) {
    let [start, end] = [(); 2].map(|()| random.below(chars.len() + 1));
    let range = start.min(end)..start.max(end).min(start.min(end) + 20);
    match random.below(6) {
        0 => drop(chars.drain(range)),
        1 => drop(chars.splice(start..start, random.pick(PIECES).chars())),
        2 => {
            let times = *random.pick(&[1, 2, 10, 300]);
            let part = chars[range.clone()].repeat(times);
            chars.splice(range, part);
        }
        3 => {
            let [from, to] = [(); 2].map(|()| random.below(other.len() + 1));
            let part = other[from.min(to)..from.max(to)].to_vec();
            chars.splice(range, part);
        }
        4 => chars.truncate(start),
        _ => drop(chars.splice(range, random.pick(PIECES).chars())),
    }
}
