// SPDX-License-Identifier: Apache-2.0
//! The result of applying a manifest: to a stored object, or to the object that an earlier manifest was stored as.

mod assumed;
mod last;

pub(super) use assumed::AssumedStates;
pub(super) use last::LastApplied;
