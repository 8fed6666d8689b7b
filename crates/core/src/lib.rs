// SPDX-License-Identifier: Apache-2.0
//! Verdicts about objects of Gardener.
//!
//! A verdict is a pure function of four inputs: an admission request, a snapshot of the garden, the configuration, and the current time.
//! Nothing here reads files, clocks, the environment or a network.
//!
//! - [`admission`] judges a request, and [`rules`] are what it judges by.
//! - [`policies`] are rules that an operator writes in CEL.
//! - [`garden`] is what is known of the garden, [`config`] what the operator has configured.
//! - [`plan`] predicts what a change does to machines.
//! - [`workload`] is the workload of a Shoot cluster, and how ready it is for a change.
//! - [`stored`] is the form in which an API server would store an object.
//! - [`catalogue`] lists all rules, for documentation.
//!
//! # Example
//!
//! A new Shoot, in a garden that is completely known and has no CloudProfile. `examples/embed` in the repository reads files.
//!
//! ```
//! use garden_gate_core::admission::{EntryPoint, Judgement, Request, Verdict, World, judge};
//! use garden_gate_core::config::Config;
//! use garden_gate_core::garden::{self, Knowledge, Snapshot};
//! use garden_gate_core::{admission::Kind, rules};
//!
//! let mut garden = Snapshot::new(Knowledge::Everything);
//! let project = r#"{"metadata": {"name": "dev"}, "spec": {"namespace": "garden-dev"}}"#;
//! garden.apply(garden::read(Kind::Project, project)?.ok_or("Projects are kept")?);
//!
//! let request = Request::from_review(include_bytes!("../../../examples/reviews/shoot-create-denied.json"))?;
//! let config = Config::default();
//! let now = "2026-12-01T00:00:00Z".parse()?;
//! let world = World { rules: rules::ALL.into(), garden: &garden, config: &config, now };
//! match judge(EntryPoint::Validate, &request, &world) {
//!     Judgement::Review(review) => assert_eq!(review.verdict(), Verdict::Denied),
//!     // Look these facts up, add them to the garden, and judge again.
//!     Judgement::Questions(questions) => panic!("{questions:?}"),
//! }
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

pub mod admission;
pub mod catalogue;
pub mod config;
mod custom_resources;
pub mod garden;
pub mod plan;
pub mod policies;
pub mod rules;
pub mod stored;
pub mod workload;
