// SPDX-License-Identifier: Apache-2.0
//! Tests of the built server over HTTPS, garden directories, and commands that query an API server.
#![expect(clippy::disallowed_methods, reason = "tests use files, clocks and processes")]
#![expect(clippy::unwrap_used, clippy::panic, reason = "a test that cannot go on should fail")]

#[path = "../support/playground.rs"]
mod built_playground;
#[path = "../support/command.rs"]
mod command;
#[expect(dead_code, reason = "other test binaries use the rest")]
#[path = "https/common/mod.rs"]
mod common;
#[path = "../support/folder.rs"]
mod folder;
#[path = "../support/recorded.rs"]
#[expect(dead_code, reason = "the suite `core` builds gardens in process")]
mod recorded;

mod garden_directory;
#[path = "https/main.rs"]
mod https;
#[path = "live/main.rs"]
mod live;
