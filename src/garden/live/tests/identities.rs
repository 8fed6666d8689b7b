// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::Path;

use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use rcgen::{CertificateParams, KeyPair, PublicKeyData as _, SigningKey as _};
use rstest::rstest;
use serde_json::json;

use crate::garden::live::{LiveClient, LiveSource, Target};

/// Encodes a DER value of at most 64 KiB.
fn der(tag: u8, contents: &[u8]) -> Vec<u8> {
    let [high, low] = u16::try_from(contents.len()).unwrap().to_be_bytes();
    [&[tag, 0x82, high, low], contents].concat()
}

fn pem(label: &str, contents: &[u8]) -> String {
    let text = BASE64_STANDARD.encode(contents);
    format!("-----BEGIN {label}-----\n{text}\n-----END {label}-----\n")
}

/// Returns a self-signed certificate with a field for the version, which is missing for X.509 version 1.
fn with_version(key: &KeyPair, version: &[u8]) -> String {
    // ecdsa-with-SHA256
    let algorithm = der(0x30, &[6, 8, 0x2a, 0x86, 0x48, 0xce, 0x3d, 4, 3, 2]);
    let (serial, name) = ([2, 1, 1], der(0x30, &[]));
    let times = [b"250101000000Z", b"480101000000Z"].map(|it| der(0x17, it));
    let validity = der(0x30, &times.concat());
    let key_info = key.subject_public_key_info();
    let parts = [version, &serial, &algorithm[..], &name, &validity, &name, &key_info];
    let body = der(0x30, &parts.concat());
    let signature = [vec![0], key.sign(&body).unwrap()].concat();
    let signed = [body, algorithm, der(3, &signature)].concat();
    pem("CERTIFICATE", &der(0x30, &signed))
}

fn version_3(key: &KeyPair) -> String {
    let params = CertificateParams::new(vec!["client".to_owned()]).unwrap();
    params.self_signed(key).unwrap().pem()
}

fn write_kubeconfig(path: &Path, user: &serde_json::Value) {
    let kubeconfig = json!({
        "apiVersion": "v1", "kind": "Config", "current-context": "c",
        "clusters": [{"name": "c", "cluster": {"server": "https://127.0.0.1:1"}}],
        "contexts": [{"name": "c", "context": {"cluster": "c", "user": "u"}}],
        "users": [{"name": "u", "user": user}],
    });
    fs::write(path, kubeconfig.to_string()).unwrap();
}

/// Returns the error of the server and of commands for a user with this certificate and key.
async fn error(certificate: &str, key: &str, is_file: bool) -> Option<String> {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let directory = tempfile::TempDir::new().unwrap();
    let path = directory.path().join("kubeconfig");
    let user = if is_file {
        fs::write(directory.path().join("c.pem"), certificate).unwrap();
        fs::write(directory.path().join("k.pem"), key).unwrap();
        json!({"client-certificate": "c.pem", "client-key": "k.pem"})
    } else {
        let [certificate, key] = [certificate, key].map(|it| BASE64_STANDARD.encode(it));
        json!({"client-certificate-data": certificate, "client-key-data": key})
    };
    write_kubeconfig(&path, &user);
    let kubeconfig = Some(path.clone());
    let of_server = LiveClient::open(LiveSource { kubeconfig }).await.err();
    let target = Target { kubeconfig: Some(path.clone()), context: None };
    let of_command = target.connection().await.err();
    let texts = [of_server, of_command].map(|it| it.map(|it| it.to_string()));
    assert_eq!(texts[0], texts[1]);
    let [text, _] = texts;
    let prefix = format!("failed to use the kubeconfig `{}`: ", path.display());
    text.map(|it| {
        let why = it.strip_prefix(&prefix).unwrap_or(&it).to_owned();
        why.replace(&format!("{}/", directory.path().display()), "")
    })
}

#[rstest]
#[case::data(false, "in `client-certificate-data`")]
#[case::file(true, "`c.pem` (client-certificate)")]
#[tokio::test]
async fn version_1_is_named_with_the_certificate(#[case] is_file: bool, #[case] name: &str) {
    let key = KeyPair::generate().unwrap();
    let why = error(&with_version(&key, &[]), &key.serialize_pem(), is_file).await;
    let expected = format!(
        "the client certificate {name} has X.509 version 1, and only version 3 is supported; issue it again with version 3 (with openssl x509: -extfile), or use a token"
    );
    assert_eq!(why, Some(expected));
}

#[tokio::test]
async fn highest_version_is_named() {
    let key = KeyPair::generate().unwrap();
    let version = der(0xa0, &[2, 5, 0, 0xff, 0xff, 0xff, 0xff]);
    let why = error(&with_version(&key, &version), &key.serialize_pem(), false).await.unwrap();
    assert!(why.contains("X.509 version 4294967295,"), "{why}");
}

#[tokio::test]
async fn errors_name_the_certificate_or_the_key() {
    let key = KeyPair::generate().unwrap();
    let (certificate, key) = (version_3(&key), key.serialize_pem());
    let other = KeyPair::generate().unwrap().serialize_pem();
    let encrypted = pem("ENCRYPTED PRIVATE KEY", b"secret");
    let legacy = "-----BEGIN RSA PRIVATE KEY-----\nProc-Type: 4,ENCRYPTED\nDEK-Info: AES-256-CBC,00\n\nAAAA\n-----END RSA PRIVATE KEY-----\n";
    let (no_certificate, no_key) = (pem("CERTIFICATE", b"no"), pem("PRIVATE KEY", b"no"));
    assert_eq!(error(&certificate, &key, false).await, None);
    for (certificate, key, expected) in [
        (
            &*certificate,
            &*other,
            "the private key in `client-key-data` does not belong to the client certificate in `client-certificate-data`; ",
        ),
        (&certificate, &encrypted, "the private key in `client-key-data` is encrypted"),
        (&certificate, legacy, "the private key in `client-key-data` is encrypted"),
        (&certificate, "", "the private key in `client-key-data` has no PEM block"),
        (&certificate, &certificate, "the private key in `client-key-data` has no PEM block"),
        (&certificate, &no_key, "the private key in `client-key-data` is not supported"),
        (
            &key,
            &key,
            "the client certificate in `client-certificate-data` has no PEM block `CERTIFICATE`",
        ),
        (
            &no_certificate,
            &key,
            "the client certificate in `client-certificate-data` cannot be read",
        ),
    ] {
        let why = error(certificate, key, false).await.unwrap_or_default();
        assert!(why.starts_with(expected), "{why} instead of {expected}");
        assert!(!why.contains("BEGIN"), "{why}");
    }
}
