// SPDX-License-Identifier: Apache-2.0
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use tempfile::TempDir;
use tokio::net::TcpSocket;

use super::objects;
use super::pki::{self, Authority};
use super::process::Process;
use super::programs::Program;
use super::user::User;

/// Time limit for the start: three seconds on an idle machine, with a margin for parallel builds and tests.
pub(super) const READY_DEADLINE: Duration = Duration::from_mins(2);
pub(super) const POLL_INTERVAL: Duration = Duration::from_millis(100);
/// Time limit of one probe, so that it does not use up the deadline.
const PROBE_TIMEOUT: Duration = Duration::from_secs(5);

/// Flags of etcd; its sockets are in the working folder that it shares with the API server, and need no ports.
const ETCD_FLAGS: &[&str] = &[
    "--data-dir=etcd-data",
    "--listen-client-urls=unix://etcd:1",
    "--advertise-client-urls=unix://etcd:1",
    "--listen-peer-urls=unix://etcd:2",
    "--initial-advertise-peer-urls=unix://etcd:2",
    "--initial-cluster=default=unix://etcd:2",
    "--unsafe-no-fsync",
];

/// Flags of every API server, including those that impersonate users.
///
/// Features for complete clusters are off: admission of Pods' service accounts, and fairness.
const API_SERVER_FLAGS: &[&str] = &[
    "--etcd-servers=unix://etcd:1",
    "--bind-address=127.0.0.1",
    "--permit-port-sharing=true",
    "--tls-cert-file=server.crt",
    "--tls-private-key-file=server.key",
    "--client-ca-file=ca.crt",
    "--authorization-mode=RBAC",
    "--service-account-issuer=https://kubernetes.default.svc",
    "--api-audiences=https://kubernetes.default.svc",
    "--service-account-signing-key-file=tokens.key",
    "--service-account-key-file=tokens.pub",
    "--service-cluster-ip-range=10.0.0.0/24",
    "--requestheader-client-ca-file=ca.crt",
    "--requestheader-allowed-names=front-proxy",
    "--requestheader-username-headers=X-Remote-User",
    "--requestheader-group-headers=X-Remote-Group",
    "--requestheader-extra-headers-prefix=X-Remote-Extra-",
    "--proxy-client-cert-file=front-proxy.crt",
    "--proxy-client-key-file=front-proxy.key",
    "--endpoint-reconciler-type=none",
    "--disable-admission-plugins=ServiceAccount",
    "--enable-priority-and-fairness=false",
    "--profiling=false",
];

/// Options of a test's API server.
#[derive(Clone, Debug, Default)]
pub(crate) struct Options {
    flags: Vec<String>,
}

impl Options {
    /// Adds a flag of kube-apiserver, for example `--audit-log-path=audit.log`, relative to [`TestCluster::folder`].
    pub(crate) fn flag(mut self, flag: impl Into<String>) -> Options {
        self.flags.push(flag.into());
        self
    }

    /// Compacts etcd at this interval, so that older watches and pages get 410 Gone.
    pub(crate) fn forgetting_history_every(self, interval: Duration) -> Options {
        // The watch cache would serve old versions for more than a minute after the compaction.
        self.flag("--watch-cache=false")
            .flag(format!("--etcd-compaction-interval={}ms", interval.as_millis()))
    }
}

/// A running control plane with RBAC and client certificates; everything ends and is deleted when it is dropped.
pub(crate) struct TestCluster {
    // Fields are dropped in this order: the API server, its database, then their files.
    api_server: Option<Process>,
    etcd: Process,
    authority: Authority,
    /// A member of `system:masters`.
    pub(crate) admin: User,
    /// The URL of the API server, for example `https://127.0.0.1:39871`.
    pub(crate) url: String,
    program: PathBuf,
    flags: Vec<String>,
    /// A bound socket that never listens, to reserve the port while the API server is down.
    _port: TcpSocket,
    folder: TempDir,
}

impl TestCluster {
    /// Starts a cluster; returns `None` if its programs are not available, which is a failure with `CI=true`.
    pub(crate) async fn start() -> Option<TestCluster> {
        TestCluster::start_with(Options::default()).await
    }

    /// Starts a cluster with other flags.
    pub(crate) async fn start_with(options: Options) -> Option<TestCluster> {
        let etcd = Program::Etcd.find()?;
        let program = Program::KubeApiserver.find()?;
        let folder = tempfile::tempdir().unwrap();
        let authority = write_secrets(&folder);
        let (socket, port) = reserve_port();
        let url = format!("https://127.0.0.1:{port}");
        let admin =
            User::create(&authority, folder.path(), &url, "admin", &["system:masters"]).await;
        let mut flags: Vec<String> = API_SERVER_FLAGS.iter().copied().map(String::from).collect();
        flags.push(format!("--secure-port={port}"));
        flags.extend(options.flags);
        let etcd_flags: Vec<String> = ETCD_FLAGS.iter().copied().map(String::from).collect();
        let mut cluster = TestCluster {
            api_server: None,
            etcd: Process::start(&etcd, &etcd_flags, folder.path(), "etcd"),
            authority,
            admin,
            url,
            program,
            flags,
            _port: socket,
            folder,
        };
        cluster.start_api_server().await;
        Some(cluster)
    }

    /// Creates a user with a client certificate, in at most two groups, without permissions.
    pub(crate) async fn user(&self, name: &str, groups: &[&str]) -> User {
        User::create(&self.authority, self.folder.path(), &self.url, name, groups).await
    }

    /// Creates an administrator of another server that trusts the cluster's `ca.crt`.
    pub(super) async fn admin_of(&self, url: &str, name: &str) -> User {
        let groups = ["system:masters"];
        User::create(&self.authority, self.folder(), url, name, &groups).await
    }

    /// Creates a serving certificate for loopback, signed by `ca.crt`: `<name>.crt` and `<name>.key` in the folder.
    pub(crate) fn serving_certificate(&self, name: &str) {
        // Programs that watch the files never read a partly written one.
        self.authority.write_server(self.folder(), "new");
        for extension in ["crt", "key"] {
            let path = |name| self.folder().join(name).with_extension(extension);
            fs::rename(path("new"), path(name)).unwrap();
        }
    }

    /// Installs the Gardener kinds as CustomResourceDefinitions that accept any content.
    pub(crate) async fn install_gardener_kinds(&self) {
        objects::apply(&self.admin.client, include_str!("../crds.yaml")).await;
    }

    /// Returns the working folder of etcd and the API server: certificates, logs, kubeconfig files.
    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Returns the CPU time of the API server's process so far.
    pub(crate) fn api_server_cpu(&self) -> Duration {
        self.api_server.as_ref().unwrap().cpu()
    }

    /// Kills the API server and starts it again, at the same address and with the same data.
    pub(crate) async fn restart_api_server(&mut self) {
        self.stop_api_server();
        self.start_api_server().await;
    }

    /// Kills the API server; connections to it are refused from now on.
    pub(crate) fn stop_api_server(&mut self) {
        self.api_server = None;
    }

    /// Starts the API server, if it is not running, and waits until it is ready.
    pub(crate) async fn start_api_server(&mut self) {
        let (program, flags, folder) = (&self.program, &self.flags, self.folder.path());
        self.api_server
            .get_or_insert_with(|| Process::start(program, flags, folder, "kube-apiserver"));
        let deadline = Instant::now() + READY_DEADLINE;
        while !is_ready(&self.admin).await {
            self.etcd.assert_running();
            let api_server = self.api_server.as_mut().unwrap();
            api_server.assert_running();
            assert!(Instant::now() < deadline, "not ready in time: {}", api_server.log_end());
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    }
}

/// Reports whether the server of this user is ready.
pub(super) async fn is_ready(user: &User) -> bool {
    let request = axum::http::Request::get("/readyz").body(Vec::new()).unwrap();
    let answer = user.client.request_text(request);
    matches!(tokio::time::timeout(PROBE_TIMEOUT, answer).await, Ok(Ok(text)) if text == "ok")
}

fn write_secrets(folder: &TempDir) -> Authority {
    let authority = Authority::new();
    fs::write(folder.path().join("ca.crt"), &authority.certificate).unwrap();
    authority.write_server(folder.path(), "server");
    authority.write_user(folder.path(), "front-proxy", "front-proxy", &[]);
    pki::write_token_keys(folder.path(), "tokens");
    authority
}

/// Reserves a free port as long as the socket lives; the API server shares it.
pub(super) fn reserve_port() -> (TcpSocket, u16) {
    let socket = TcpSocket::new_v4().unwrap();
    socket.set_reuseport(true).unwrap();
    socket.bind(([127, 0, 0, 1], 0).into()).unwrap();
    let port = socket.local_addr().unwrap().port();
    (socket, port)
}
