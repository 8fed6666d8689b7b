// SPDX-License-Identifier: Apache-2.0
//! A server process: waits for its start, and measures its CPU time.

use std::collections::BTreeMap;
use std::fs;
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustls::RootCertStore;
use tempfile::TempDir;
use tokio_rustls::TlsConnector;

use crate::client::Connection;
use crate::requests::Request;

/// Number of busy connections; more than cores, as with an API server.
const CONNECTIONS: usize = 4;
/// Startup timeout.
///
/// Reading a large garden takes long, especially in a debug build.
const TIMEOUT: Duration = Duration::from_mins(5);
/// File names that Go's webhooks expect.
pub(crate) const CERTIFICATE: &str = "tls.crt";
pub(crate) const KEY: &str = "tls.key";

/// A temporary folder with one certificate for all servers, and a client that trusts it.
pub(crate) struct Place {
    folder: TempDir,
    tls: TlsConnector,
}

impl Place {
    pub(crate) fn new() -> Self {
        let folder = tempfile::tempdir().unwrap();
        let signed = rcgen::generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        fs::write(folder.path().join(CERTIFICATE), signed.cert.pem()).unwrap();
        fs::write(folder.path().join(KEY), signed.signing_key.serialize_pem()).unwrap();
        let mut roots = RootCertStore::empty();
        roots.add(signed.cert.der().clone()).unwrap();
        let config =
            rustls::ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        let tls = TlsConnector::from(Arc::new(config));
        Self { folder, tls }
    }

    pub(crate) fn folder(&self) -> &Path {
        self.folder.path()
    }

    pub(crate) fn certificate(&self) -> PathBuf {
        self.folder().join(CERTIFICATE)
    }

    pub(crate) fn key(&self) -> PathBuf {
        self.folder().join(KEY)
    }

    /// Returns a free port for a server that cannot report its own.
    pub(crate) fn free_port() -> u16 {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        listener.local_addr().unwrap().port()
    }
}

/// A running server, which is killed on drop.
pub(crate) struct Server {
    pub(crate) name: String,
    process: Child,
    port: u16,
    /// The path for all requests, if it is not the path of the request.
    path: Option<&'static str>,
    /// Whether the server allows everything.
    is_unquestioning: bool,
}

impl Server {
    /// Starts the server, and waits until it accepts connections.
    pub(crate) async fn start(name: &str, mut command: Command, port: u16, place: &Place) -> Self {
        let process = command.stdout(Stdio::null()).spawn().unwrap();
        let mut server =
            Self { name: name.to_owned(), process, port, path: None, is_unquestioning: false };
        let begin = Instant::now();
        while let Err(error) = Connection::open(port, &place.tls).await {
            let ended = server.process.try_wait().unwrap();
            assert!(ended.is_none(), "{name} ended: {ended:?}");
            assert!(begin.elapsed() < TIMEOUT, "{name} is not there: {error}");
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
        server
    }

    pub(crate) fn at(mut self, path: &'static str) -> Self {
        self.path = Some(path);
        self
    }

    pub(crate) fn unquestioning(mut self) -> Self {
        self.is_unquestioning = true;
        self
    }

    /// Returns the CPU time of all requests together, and the latency of each.
    /// Handshakes do not count.
    pub(crate) async fn round(
        &self,
        request: &Request,
        time: Duration,
        place: &Place,
    ) -> (Duration, Vec<Duration>) {
        let path = self.path.unwrap_or(request.path);
        let is_allowed = request.is_allowed || self.is_unquestioning;
        let mut connections = Vec::new();
        for _ in 0..CONNECTIONS {
            connections.push(Connection::open(self.port, &place.tls).await.unwrap());
        }
        let before = self.cpu();
        let busy: Vec<_> = connections
            .into_iter()
            .map(|it| {
                it.send(format!("{path}?timeout=10s"), request.body.clone(), is_allowed, time)
            })
            .map(tokio::spawn)
            .collect();
        let mut latencies = Vec::new();
        for connection in busy {
            latencies.extend(connection.await.unwrap());
        }
        let after = self.cpu();
        let spent = after.iter().map(|(thread, cpu)| {
            cpu.saturating_sub(before.get(thread).copied().unwrap_or_default())
        });
        (spent.sum(), latencies)
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.process.id()
    }

    /// Returns the CPU time of each thread with nanosecond precision.
    ///
    /// The time of threads that end during a round is lost. They have been idle for seconds, so that it is negligible.
    fn cpu(&self) -> BTreeMap<String, Duration> {
        let tasks = fs::read_dir(format!("/proc/{}/task", self.id())).unwrap();
        let threads = tasks.filter_map(|task| {
            let task = task.unwrap();
            // The thread may have ended since it was listed.
            let times = fs::read_to_string(task.path().join("schedstat")).ok()?;
            let nanos = times.split_ascii_whitespace().next()?.parse().ok()?;
            let name = task.file_name().into_string().ok()?;
            Some((name, Duration::from_nanos(nanos)))
        });
        threads.collect()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        // The process may have ended already.
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}
