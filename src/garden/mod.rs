// SPDX-License-Identifier: Apache-2.0
//! Where gardens come from.
//!
//! [`directory`] builds a [`Snapshot`](garden_gate_core::garden::Snapshot) from manifests, [`live`] from watches of a cluster.

pub mod directory;
pub mod live;
