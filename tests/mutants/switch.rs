// SPDX-License-Identifier: Apache-2.0
//! The switch of mutants: a part of each rewritten crate, not of the tests.

use std::env;
use std::fs::{File, OpenOptions};
use std::io::Write as _;
use std::sync::LazyLock;
use std::sync::atomic::{AtomicBool, Ordering};

struct Switch {
    active: Option<u32>,
    /// A file for the ids of mutants that the process reaches.
    reached: Option<File>,
}

static SWITCH: LazyLock<Switch> = LazyLock::new(|| Switch {
    active: env::var("MUTANT").ok().and_then(|it| it.parse().ok()),
    reached: env::var_os("MUTANTS_REACHED")
        .and_then(|path| OpenOptions::new().append(true).open(path).ok()),
});

static REACHED: [AtomicBool; 1 << 16] = [const { AtomicBool::new(false) }; 1 << 16];

/// Reports whether a mutant is switched on.
pub(crate) fn is_on(id: u32) -> bool {
    let switch = &*SWITCH;
    if let Some(mut file) = switch.reached.as_ref()
        && let Some(reached) = REACHED.get(id as usize)
        && !reached.swap(true, Ordering::Relaxed)
    {
        let _ = file.write_all(format!("{id}\n").as_bytes());
    }
    switch.active == Some(id)
}

/// Returns the value, negated if the mutant is switched on.
pub(crate) fn flip(id: u32, value: bool) -> bool {
    is_on(id) != value
}
