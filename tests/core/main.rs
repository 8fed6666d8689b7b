// SPDX-License-Identifier: Apache-2.0
//! Tests of the pure core, in process: matrices of the rules, recorded answers of Go functions, properties.
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]
#![expect(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test that cannot go on should fail"
)]

#[path = "../support/manifest_texts.rs"]
mod manifest_texts;
#[path = "../support/random.rs"]
mod random;
#[path = "../support/recorded.rs"]
mod recorded;
#[path = "../support/recorded_mutations.rs"]
mod recorded_mutations;
#[path = "../support/recorded_policies.rs"]
mod recorded_policies;
#[path = "../support/recorded_requests.rs"]
mod recorded_requests;

#[path = "fuzz/main.rs"]
mod fuzz;

mod allocations;
mod changed_objects;
mod cut_texts;
mod exhaustive;
mod expressions;
mod fields;
mod filled_in;
mod fixes;
mod forecast_blocked;
mod forecast_rotations;
mod forecast_steps;
mod forecast_windows;
mod growth;
mod hints;
mod judging;
mod judging_extensions;
mod large_policies;
mod levels;
mod many_findings;
mod matrix_admission_controller;
mod matrix_advice;
mod matrix_audit;
mod matrix_bindings_extensions;
mod matrix_cloudprofile;
mod matrix_deletion;
mod matrix_dns;
mod matrix_ext_alicloud;
mod matrix_ext_providers;
mod matrix_ext_small;
mod matrix_extensions;
mod matrix_forms;
mod matrix_gardener_versions;
mod matrix_gardenlets;
mod matrix_hardened;
mod matrix_hibernation;
mod matrix_machines;
mod matrix_maintenance;
mod matrix_managed_seed;
mod matrix_mutated_objects;
mod matrix_mutating_policies;
mod matrix_namespacedcloudprofile;
mod matrix_operations;
mod matrix_operators;
mod matrix_own_policies;
mod matrix_policies;
mod matrix_project_and_profile_forms;
mod matrix_quotas;
mod matrix_references;
mod matrix_refilled;
mod matrix_removed_pools;
mod matrix_seed_form;
mod matrix_seeds;
mod matrix_shoot_versions;
mod matrix_silences;
mod matrix_small_kinds;
mod matrix_surge;
mod matrix_tolerations_projects;
mod matrix_versioned;
mod matrix_warnings;
mod matrix_webhooks;
mod matrix_workers;
mod may_be_mutated;
mod needs;
mod notes;
mod odd_json;
mod only_if;
mod policy_validation;
mod profile_effects;
mod profiles;
mod profiles_documented;
mod properties;
mod properties_expressions;
mod properties_overlay;
mod properties_rolls;
mod properties_versions;
mod review_bodies;
mod server_admission;
mod sweep;
mod unknown;
mod vectors;
mod vectors_duration;
mod vectors_expressions;
mod vectors_forecast;
mod vectors_labels;
mod vectors_mutations;
mod vectors_networks;
mod vectors_policies;
mod vectors_quantity;
mod vectors_roll;
mod vectors_schedules;
mod vectors_seeds;
mod vectors_small;
mod vectors_versions;
mod vectors_webhooks;
mod work;
