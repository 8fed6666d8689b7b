//! A verdict in the forms that its readers want: the response to an AdmissionReview; text and JSON.

mod admission;
mod bounded;

pub use admission::{AdmissionResponse, AdmissionReview, Cause, Details, Status, admission_review};
pub(crate) use bounded::clip;
