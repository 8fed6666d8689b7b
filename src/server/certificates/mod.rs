// SPDX-License-Identifier: Apache-2.0
//! TLS certificates and client authentication.
//!
//! Certificates come from files, a generated CA, or a Secret (`managed`).

mod certificate;
mod client_check;
mod managed;
mod self_made;
mod tls;
mod validity;

pub use certificate::CertificateError;
pub(super) use certificate::Identity;
pub(super) use client_check::ClientCheck;
pub(super) use managed::Keeper;
pub(super) use self_made::SelfMade;
pub(super) use tls::{IdentitySource, TlsSource};
