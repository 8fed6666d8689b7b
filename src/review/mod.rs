// SPDX-License-Identifier: Apache-2.0
//! Manifests of a review from files, Git, kustomize and live clusters, and files with its fixes.
//!
//! [`garden_gate_products::review`] judges them.

pub(crate) mod ask;
pub(crate) mod cluster;
pub(crate) mod fixes;
pub(crate) mod gardenadm;
pub(crate) mod git;
pub(crate) mod ignored;
pub(crate) mod input;
pub(crate) mod kustomize;
pub(crate) mod live;
pub(crate) mod manifests;
pub(crate) mod notes;
pub(crate) mod parameters;
pub(crate) mod paths;
pub(crate) mod progress;
pub(crate) mod read_objects;
pub(crate) mod repository;
pub(crate) mod silences;
pub(crate) mod surroundings;
pub(crate) mod versions;
