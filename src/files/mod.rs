// SPDX-License-Identifier: Apache-2.0
//! Finds, reads and writes files.
//! Reads are bounded and never block; writes are atomic.

mod confinement;
mod contained;
mod open;
mod patterns;
mod read;
mod trees;
mod walk;
mod write;

pub(crate) use confinement::{confine, may_be_read};
pub use contained::contained;
pub use garden_gate_core::garden::texts::Problem;
pub use open::{
    Limit, check_within, is_passed_descriptor, read_text_in, read_text_within, read_within,
};
pub(crate) use open::{open_regular, read_in};
pub(crate) use patterns::ignores;
pub(crate) use read::{MAX_FILE, explain, too_large};
pub use read::{bytes, read, text};
pub use trees::{EscapingLink, Trees};
pub(crate) use trees::{Resolved, leaves_work_tree, resolve};
pub use walk::{Found, Ignoring, below};
pub(crate) use walk::{IGNORE_FILE, KUSTOMIZATION, has_manifest_name};
pub(crate) use write::{
    Destination, cannot_write, create_directory, create_private_directory, replace,
};
