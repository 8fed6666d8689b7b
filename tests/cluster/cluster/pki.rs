// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;

use rcgen::{
    BasicConstraints, CertificateParams, DnType, ExtendedKeyUsagePurpose, IsCa, Issuer, KeyPair,
    KeyUsagePurpose,
};

/// The object identifier of organizationName, which holds a group in certificates.
const ORGANIZATION: [u64; 4] = [2, 5, 4, 10];

/// The certificate authority of a test cluster, for its API server and its users.
#[derive(Debug)]
pub(super) struct Authority {
    issuer: Issuer<'static, KeyPair>,
    pub(super) certificate: String,
}

impl Authority {
    pub(super) fn new() -> Authority {
        let key = KeyPair::generate().unwrap();
        let mut params = CertificateParams::default();
        params.is_ca = IsCa::Ca(BasicConstraints::Unconstrained);
        params.key_usages = vec![KeyUsagePurpose::KeyCertSign, KeyUsagePurpose::CrlSign];
        params.distinguished_name.push(DnType::CommonName, "test cluster");
        let certificate = params.self_signed(&key).unwrap().pem();
        Authority { issuer: Issuer::new(params, key), certificate }
    }

    /// Writes `<name>.crt` and `<name>.key` for the API server.
    pub(super) fn write_server(&self, folder: &Path, name: &str) {
        let hosts = ["127.0.0.1", "localhost", "kubernetes.default.svc"].map(String::from);
        let mut params = CertificateParams::new(hosts).unwrap();
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ServerAuth];
        self.write(params, folder, name);
    }

    /// Writes `<file>.crt` and `<file>.key` for a user in at most two groups.
    pub(super) fn write_user(&self, folder: &Path, file: &str, user: &str, groups: &[&str]) {
        // rcgen keeps one value for each notation of a name type, and there are two notations.
        let spellings = [DnType::OrganizationName, DnType::CustomDnType(ORGANIZATION.to_vec())];
        assert!(
            groups.len() <= spellings.len(),
            "a test user can be in two groups, not {groups:?}"
        );
        let mut params = CertificateParams::default();
        params.distinguished_name.push(DnType::CommonName, user);
        for (spelling, group) in spellings.into_iter().zip(groups) {
            params.distinguished_name.push(spelling, *group);
        }
        params.extended_key_usages = vec![ExtendedKeyUsagePurpose::ClientAuth];
        self.write(params, folder, file);
    }

    fn write(&self, params: CertificateParams, folder: &Path, file: &str) {
        let key = KeyPair::generate().unwrap();
        let certificate = params.signed_by(&key, &self.issuer).unwrap();
        fs::write(folder.join(file).with_extension("crt"), certificate.pem()).unwrap();
        fs::write(folder.join(file).with_extension("key"), key.serialize_pem()).unwrap();
    }
}

/// Writes the key pair for service account tokens: `<name>.key` and `<name>.pub`.
pub(super) fn write_token_keys(folder: &Path, name: &str) {
    let key = KeyPair::generate().unwrap();
    fs::write(folder.join(name).with_extension("key"), key.serialize_pem()).unwrap();
    fs::write(folder.join(name).with_extension("pub"), key.public_key_pem()).unwrap();
}
