//! Verdicts about objects of Gardener.
//!
//! A verdict is a pure function of four inputs: an admission request, a snapshot of the garden, the configuration, and the current time.
//! Nothing here reads files, clocks, the environment or a network.
//!
//! - [`admission`] judges a request, and [`rules`] are what it judges by.
//! - [`policies`] are rules that an operator writes in CEL.
//! - [`garden`] is what is known of the garden, [`config`] what the operator has configured.
//! - [`stored`] is the form in which an API server would store an object.
//! - [`catalogue`] lists all rules, for documentation.

#![cfg_attr(test, expect(clippy::unwrap_used, reason = "a test that cannot go on should fail"))]

pub mod admission;
pub mod catalogue;
pub mod config;
pub mod garden;
pub mod policies;
pub mod rules;
pub mod stored;
