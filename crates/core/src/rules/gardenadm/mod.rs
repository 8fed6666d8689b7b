// SPDX-License-Identifier: Apache-2.0
//! Rules about the manifests of self-hosted Shoots, which `gardenadm` reads from a directory.

mod directory;

use crate::admission::Rule;

pub use directory::{
    CONTROL_PLANE, DEPLOYMENT, EXTENSION_MISSING, OBJECT_MISSING, OBJECT_REPEATED, UNDECODABLE,
};

/// The rule about the directory as a whole.
pub const DIRECTORY: &Rule = &directory::RULE;

pub(crate) const RULES: &[&Rule] = &[&directory::RULE];
