//! A verdict in the forms that its readers want: the response to an AdmissionReview, text, JSON. One renderer per
//! format; renderers never filter or judge.

mod admission;
mod baseline;
mod bounded;
mod fingerprint;
mod fix;
mod github;
mod ids;
mod json;
mod junit;
mod markdown;
mod remark;
mod reviewed;
mod sarif;
mod server;
mod status;
mod text;
mod webhooks;
mod yaml;

pub use admission::{AdmissionResponse, AdmissionReview, Cause, Details, Status, admission_review};
pub use baseline::{Baseline, Compared};
pub(crate) use bounded::clip;
pub use fix::{Fix, diff, write_fixed};
pub use github::write_github;
pub(crate) use ids::{findings_in_short, listed, undetermined_in_short};
pub use json::write_json;
pub use junit::write_junit;
pub use markdown::write_markdown;
pub use remark::Weight;
pub use reviewed::{ConfigFile, LeftOut, LeftOutFile, Outcome, Report, Reviewed};
pub use sarif::write_sarif;
pub use server::{ServerAnswer, ServerVerdict};
pub use status::write_status;
pub use text::{Look, write_text};
pub use webhooks::{Cluster, Endpoint, FailurePolicy, WebhookOptions, webhook_configurations};
