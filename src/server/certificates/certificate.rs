// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::path::{Path, PathBuf};

use rustls::RootCertStore;
use rustls::pki_types::pem::{self, PemObject as _};
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use thiserror::Error;

use super::validity::Validity;
use crate::files::{self, Limit};

/// An error that makes a certificate, its key or a client CA unusable.
#[derive(Debug, Error)]
pub enum CertificateError {
    /// The file cannot be read.
    #[error("failed to read `{path}`, pass another {flag}")]
    Read {
        /// The file.
        path: PathBuf,
        /// The flag that sets it.
        flag: &'static str,
        /// The error of the operating system.
        source: io::Error,
    },
    /// The file is not PEM.
    #[error("failed to read the PEM blocks of `{path}` ({flag}): {source}")]
    Pem {
        /// The file.
        path: PathBuf,
        /// The flag that sets it.
        flag: &'static str,
        /// The cause.
        source: pem::Error,
    },
    /// The file contains no certificate.
    #[error("`{path}` ({flag}) has no certificate; it needs a PEM block `CERTIFICATE`")]
    NoCertificate {
        /// The file.
        path: PathBuf,
        /// The flag that sets it.
        flag: &'static str,
    },
    /// A certificate cannot be parsed.
    #[error("`{path}` ({flag}) holds a certificate that cannot be read: {reason}")]
    Malformed {
        /// The file.
        path: PathBuf,
        /// The flag that sets it.
        flag: &'static str,
        /// The reason.
        reason: String,
    },
    /// The certificate and the key do not match, or their type is not supported.
    #[error(
        "the certificate `{certificate}` and the key `{key}` cannot be used together: {source}"
    )]
    Pair {
        /// The certificate's file.
        certificate: String,
        /// The key's file.
        key: String,
        /// The cause.
        source: rustls::Error,
    },
    /// The certificate cannot be stored in its Secret.
    #[error("{0}")]
    Managed(String),
    /// The certificate cannot be generated.
    #[error("failed to generate a certificate: {0}")]
    Make(#[from] rcgen::Error),
}

/// A certificate chain with its private key.
#[derive(Debug)]
pub(crate) struct Identity {
    pub(crate) chain: Vec<CertificateDer<'static>>,
    pub(crate) key: PrivateKeyDer<'static>,
}

/// A file and the flag that sets it.
#[derive(Clone, Debug)]
pub(crate) struct File {
    pub(crate) flag: &'static str,
    pub(crate) path: PathBuf,
}

impl File {
    pub(crate) fn new(flag: &'static str, path: &Path) -> Self {
        Self { flag, path: path.to_owned() }
    }

    /// Returns the certificates of the file, at least one.
    pub(crate) fn certificates(&self) -> Result<Vec<CertificateDer<'static>>, CertificateError> {
        let text = self.read()?;
        let chain = CertificateDer::pem_slice_iter(&text)
            .collect::<Result<Vec<_>, _>>()
            .map_err(|source| self.pem(source))?;
        if chain.is_empty() {
            let (path, flag) = (self.path.clone(), self.flag);
            return Err(CertificateError::NoCertificate { path, flag });
        }
        Ok(chain)
    }

    /// Returns the private key of the file.
    pub(crate) fn key(&self) -> Result<PrivateKeyDer<'static>, CertificateError> {
        PrivateKeyDer::from_pem_slice(&self.read()?).map_err(|source| self.pem(source))
    }

    /// Returns the certificates of the file as trust roots.
    pub(crate) fn roots(&self) -> Result<RootCertStore, CertificateError> {
        let mut roots = RootCertStore::empty();
        for certificate in self.certificates()? {
            roots.add(certificate).map_err(|error| self.malformed(&error))?;
        }
        Ok(roots)
    }

    /// Returns the validity period of the first certificate of a chain.
    pub(super) fn validity(
        &self,
        chain: &[CertificateDer<'static>],
    ) -> Result<Validity, CertificateError> {
        let leaf = chain.first().map(AsRef::as_ref).unwrap_or_default();
        Validity::of(leaf).map_err(|error| self.malformed(&error))
    }

    fn read(&self) -> Result<Vec<u8>, CertificateError> {
        files::read_within(&self.path, Limit::PEM).map_err(|source| CertificateError::Read {
            path: self.path.clone(),
            flag: self.flag,
            source,
        })
    }

    fn pem(&self, source: pem::Error) -> CertificateError {
        CertificateError::Pem { path: self.path.clone(), flag: self.flag, source }
    }

    fn malformed(&self, reason: &dyn std::fmt::Display) -> CertificateError {
        CertificateError::Malformed {
            path: self.path.clone(),
            flag: self.flag,
            reason: reason.to_string(),
        }
    }
}
