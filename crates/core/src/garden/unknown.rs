// SPDX-License-Identifier: Apache-2.0
use thiserror::Error;

/// The reason why a lookup has no result.
///
/// Must never be treated as absence, which is `Ok(None)`.
#[derive(Clone, Debug, Eq, Error, PartialEq)]
pub enum Unknown {
    /// The object is missing from the watch, which may lag behind; the API server must be asked.
    ///
    /// For a rule, the context has recorded the question already, and the rule runs again with the answer.
    #[error("the API server has not answered yet")]
    Unconfirmed,
    /// The reason and how to fix it.
    #[error("{0}")]
    Reason(String),
}

impl From<String> for Unknown {
    fn from(why: String) -> Self {
        Self::Reason(why)
    }
}
