// SPDX-License-Identifier: Apache-2.0
//! Memory limits for requests: the available memory, estimates per request, and reservations.

mod budget;
mod estimate;
mod limit;

pub(super) use budget::{BODY_LIMIT, Budget, Permit, ReserveError, UID_LIMIT, USER_LIMIT};
pub(super) use estimate::{as_objects, as_text, as_values};
pub(super) use limit::Memory;
