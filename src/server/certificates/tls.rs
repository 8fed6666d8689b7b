// SPDX-License-Identifier: Apache-2.0
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use rustls::ServerConfig;
use rustls::crypto::ring;
use rustls::server::danger::ClientCertVerifier;

use super::certificate::{CertificateError, File, Identity};
use super::client_check::ClientCheck;
use super::managed::Keeper;
use super::self_made::SelfMade;
use crate::files::Limit;
use crate::server::clock::Clock;
use crate::server::source::{Source, hash_contents};

/// The inputs of a TLS configuration.
///
/// Any change creates a new configuration for subsequent connections; existing connections keep theirs.
#[derive(Debug)]
pub(crate) struct TlsSource {
    pub(crate) identity: IdentitySource,
    pub(crate) clients: ClientCheck,
    pub(crate) clock: Clock,
}

#[derive(Debug)]
pub(crate) enum IdentitySource {
    Files { certificate: PathBuf, key: PathBuf },
    SelfMade(SelfMade),
    Managed(Arc<Keeper>),
}

/// A TLS configuration and the expiry time of its certificate.
#[derive(Debug)]
pub(crate) struct Tls {
    pub(crate) config: Arc<ServerConfig>,
    /// The same without client certificates, which people do not have.
    /// It shares no sessions, so that none of them is resumed where client certificates are checked.
    pub(crate) public: Arc<ServerConfig>,
    pub(crate) not_after: i64,
}

impl Source for TlsSource {
    type Output = Tls;
    type Error = CertificateError;
    type Fingerprint = u64;

    /// Hashes contents instead of timestamps and inodes, which in mounted Secrets belong to symbolic links.
    fn fingerprint(&self) -> u64 {
        let mut hasher = DefaultHasher::new();
        if let Some(path) = &self.clients.ca {
            hash_contents(path, Limit::PEM, &mut hasher);
        }
        match &self.identity {
            IdentitySource::Files { certificate, key } => {
                hash_contents(certificate, Limit::PEM, &mut hasher);
                hash_contents(key, Limit::PEM, &mut hasher);
            }
            IdentitySource::SelfMade(made) => made.generation(self.clock.now()).hash(&mut hasher),
            IdentitySource::Managed(keeper) => keeper.fingerprint().hash(&mut hasher),
        }
        hasher.finish()
    }

    fn load(&self) -> Result<Tls, CertificateError> {
        let identity = self.identity.load(&self.clock)?;
        let (certificate, key) = self.identity.files();
        let validity = certificate.validity(&identity.chain)?;
        if let IdentitySource::Files { .. } = &self.identity {
            // Other certificates are renewed by garden-gate itself.
            validity.warn_if_invalid(&certificate.path, self.clock.now());
        }
        let pair = |source| CertificateError::Pair {
            certificate: certificate.path.display().to_string(),
            key: key.path.display().to_string(),
            source,
        };
        let config = |verifier: Option<Arc<dyn ClientCertVerifier>>| {
            let builder = ServerConfig::builder_with_provider(Arc::new(ring::default_provider()))
                .with_protocol_versions(rustls::ALL_VERSIONS)?;
            let builder = match verifier {
                Some(verifier) => builder.with_client_cert_verifier(verifier),
                None => builder.with_no_client_auth(),
            };
            let (chain, key) = (identity.chain.clone(), identity.key.clone_key());
            let mut config = builder.with_single_cert(chain, key)?;
            config.alpn_protocols = vec![b"h2".to_vec(), b"http/1.1".to_vec()];
            Ok(Arc::new(config))
        };
        Ok(Tls {
            config: config(self.clients.verifier()?).map_err(pair)?,
            public: config(None).map_err(pair)?,
            not_after: validity.not_after,
        })
    }
}

impl IdentitySource {
    fn load(&self, clock: &Clock) -> Result<Identity, CertificateError> {
        match self {
            IdentitySource::SelfMade(made) => made.issue(clock.now()),
            IdentitySource::Managed(keeper) => keeper.identity()?.ok_or_else(|| {
                CertificateError::Managed("the Secret has not been read yet".to_owned())
            }),
            IdentitySource::Files { .. } => {
                let (certificate, key) = self.files();
                Ok(Identity { chain: certificate.certificates()?, key: key.key()? })
            }
        }
    }

    /// Returns the files for error messages.
    fn files(&self) -> (File, File) {
        let (certificate, key) = match self {
            IdentitySource::Files { certificate, key } => (certificate.as_path(), key.as_path()),
            IdentitySource::SelfMade(_) => (Path::new("self-made"), Path::new("self-made")),
            IdentitySource::Managed(_) => (Path::new("tls.crt"), Path::new("tls.key")),
        };
        (File::new("--tls-cert", certificate), File::new("--tls-key", key))
    }
}
