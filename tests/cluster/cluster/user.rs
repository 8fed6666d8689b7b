// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path, PathBuf};

use kube::config::{KubeConfigOptions, Kubeconfig};
use kube::{Client, Config};
use serde_json::json;

use super::pki::Authority;

/// A user with a client certificate for the test cluster.
#[derive(Clone)]
pub(crate) struct User {
    /// A client that authenticates as this user.
    pub(crate) client: Client,
    /// A kubeconfig file for programs that run as this user; it lives as long as the cluster.
    pub(crate) kubeconfig: PathBuf,
}

impl User {
    /// Creates a certificate and a kubeconfig file for a user in `groups` (at most two).
    pub(super) async fn create(
        authority: &Authority,
        folder: &Path,
        server: &str,
        name: &str,
        groups: &[&str],
    ) -> User {
        let file = format!("user-{}", name.replace([':', '/'], "-"));
        authority.write_user(folder, &file, name, groups);
        let path = folder.join(&file);
        let kubeconfig = path.with_extension("kubeconfig");
        let content = json!({
            "apiVersion": "v1", "kind": "Config", "current-context": "test",
            "contexts": [{"name": "test", "context": {"cluster": "test", "user": name}}],
            "clusters": [{"name": "test", "cluster": {
                "server": server,
                "certificate-authority": folder.join("ca.crt"),
            }}],
            "users": [{"name": name, "user": {
                "client-certificate": path.with_extension("crt"),
                "client-key": path.with_extension("key"),
            }}],
        });
        fs::write(&kubeconfig, content.to_string()).unwrap();
        User { client: client(&kubeconfig).await, kubeconfig }
    }
}

async fn client(kubeconfig: &Path) -> Client {
    let kubeconfig = Kubeconfig::read_from(kubeconfig).unwrap();
    let config = Config::from_custom_kubeconfig(kubeconfig, &KubeConfigOptions::default()).await;
    Client::try_from(config.unwrap()).unwrap()
}
