//! How much memory requests may take: what there is, what one becomes, and who holds how much.

mod budget;
mod estimate;
mod limit;

pub(super) use budget::{BODY_LIMIT, Budget, Lack, Permit, UID_LIMIT, USER_LIMIT};
pub(super) use estimate::Tokens;
pub(super) use limit::Memory;
