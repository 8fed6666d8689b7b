// SPDX-License-Identifier: Apache-2.0
//! Custom resources, judged by their CustomResourceDefinition as a kube-apiserver judges them.
//!
//! An object is decoded first: unknown and duplicate fields are found, `null` is removed, and defaults are filled in. Then it is validated by its
//! schema, by the types of its lists, and by the rules in CEL of `x-kubernetes-validations`. In an update, values that were invalid before and
//! are unchanged are accepted, as KEP-4008 describes.
//!
//! ```text
//! JSON text ─► Tree ─► decoding ─► schema ─► list types ─► rules in CEL
//!                          ▲          ▲            ▲             ▲
//!                      Definition  ratcheting: the stored object, decoded
//! ```
//!
//! Mirrors `pkg/apiserver` and `pkg/registry/customresource` of `k8s.io/apiextensions-apiserver` v0.36, and
//! `pkg/validation` of `k8s.io/kube-openapi`.

mod correlation;
mod decoding;
mod expressions;
mod formats;
mod list_types;
mod numbers;
mod pruning;
mod schema;
#[cfg(test)]
mod tests;
mod tree;
mod validation;
mod violation;

pub(crate) use decoding::{Decoded, UnknownField};
pub(crate) use validation::{CustomResource, validate_part};
pub(crate) use violation::{Fault, Violation, Violations};
