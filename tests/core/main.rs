//! The pure core, judged in process: matrices of the rules, recorded answers of Go functions, properties.

#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    reason = "a test that cannot go on should fail"
)]

mod judging;
mod matrix_maintenance;
mod matrix_tolerations_projects;
mod properties;
mod properties_versions;
mod vectors_duration;
mod vectors_forecast;
mod vectors_labels;
mod vectors_versions;
