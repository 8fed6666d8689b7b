//! The pure core, judged in process: matrices of the rules, recorded answers of Go functions, properties.

#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod judging;
mod matrix_maintenance;
mod matrix_tolerations_projects;
mod properties;
mod vectors_forecast;
mod vectors_labels;
