// SPDX-License-Identifier: Apache-2.0
//! Tests of the built program: its arguments, files and output.
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

#[path = "../support/browser.rs"]
mod browser;
#[path = "../support/playground.rs"]
mod built_playground;
#[path = "../support/command.rs"]
mod command;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/outlook.rs"]
mod outlook;
#[path = "../support/repository.rs"]
mod repository;

mod amounts;
mod audit;
mod change;
mod change_set;
mod components;
mod config;
mod corpus;
mod coverage;
mod definitions;
mod disguises;
mod drift;
mod editors;
mod enormous;
mod escapes;
mod examples;
mod extension_versions;
mod fixes;
mod forecast;
mod formats;
mod gardenadm;
mod gardener_version;
mod impact;
mod init;
mod installed;
mod json_schemas;
mod landscape;
mod limits;
mod links;
#[path = "lsp/main.rs"]
mod lsp;
#[path = "mcp/main.rs"]
mod mcp;
mod notify;
mod page;
#[path = "pipelines/main.rs"]
mod pipelines;
mod plan;
mod plan_settings;
mod plan_spread;
mod plan_workload;
mod playground;
mod policies;
mod predict;
mod profile_effects;
mod pull_requests;
mod review;
mod review_options;
mod reviewer;
mod site;
mod stored_objects;
mod unfilled;
mod unsupported_versions;
mod untidy;
