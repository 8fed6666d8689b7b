//! A verdict in the forms that its readers want: the response to an AdmissionReview, text, JSON. One renderer per
//! format; renderers never filter or judge.

mod admission;
mod bounded;
mod fix;
mod json;
mod reviewed;
mod text;
mod webhooks;

pub use admission::{AdmissionResponse, AdmissionReview, Cause, Details, Status, admission_review};
pub(crate) use bounded::clip;
pub use fix::{Fix, write_fixed};
pub use json::write_json;
pub use reviewed::{Outcome, Reviewed};
pub use text::write_text;
pub use webhooks::{Cluster, Endpoint, FailurePolicy, WebhookOptions, webhook_configurations};
