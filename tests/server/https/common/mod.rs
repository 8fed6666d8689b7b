// SPDX-License-Identifier: Apache-2.0
//! Starts the built `garden-gate serve` as a user would, and sends requests over real HTTPS.
//!
//! ```ignore
//! let gate = Gate::start(&GateArgs::new().garden("dev.yaml", PROJECT));
//! let (code, answer) = gate.post("/validate", &review).await;
//! ```

pub(crate) mod reviews;

use std::fs;
use std::io::{BufRead as _, BufReader, Read};
use std::net::{SocketAddr, TcpListener};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, ExitStatus, Output, Stdio};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use reqwest::{Certificate, Client, ClientBuilder};
use rustix::process::{Pid, Signal, kill_process};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use serde_json::Value;
use tempfile::TempDir;
use tokio::net::TcpStream;
use tokio::time::{Instant, sleep};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

/// Time limit for a condition to become true.
///
/// A server looks at a directory again after 20 times as long as the last look took, which is long on a busy machine.
pub(crate) const TIMEOUT: Duration = Duration::from_mins(2);

/// A manifest that makes a garden without Seeds a whole one.
const NONE: &str = "apiVersion: core.gardener.cloud/v1beta1
kind: SeedList
---
apiVersion: core.gardener.cloud/v1beta1
kind: ProjectList
---
apiVersion: core.gardener.cloud/v1beta1
kind: CloudProfileList
---
apiVersion: rbac.authorization.k8s.io/v1
kind: ClusterRoleBindingList
";

/// Options of a server.
///
/// Values may contain `{dir}`, the server's directory; its garden is `{dir}/garden`.
#[derive(Clone, Debug, Default)]
pub(crate) struct GateArgs {
    files: Vec<(String, String)>,
    arguments: Vec<String>,
    variables: Vec<(String, String)>,
    garden: Option<PathBuf>,
    kubeconfig: Option<PathBuf>,
    no_garden: bool,
    metrics: Option<SocketAddr>,
}

impl GateArgs {
    /// Returns options with an empty garden and no configuration.
    pub(crate) fn new() -> Self {
        Self::default()
    }

    /// Adds a file to the server's directory.
    pub(crate) fn file(mut self, name: &str, contents: &str) -> Self {
        self.files.push((name.to_owned(), contents.to_owned()));
        self
    }

    /// Adds a manifest to the garden.
    pub(crate) fn garden(self, name: &str, manifest: &str) -> Self {
        self.file(&format!("garden/{name}"), manifest)
    }

    /// Uses an existing directory as the garden.
    pub(crate) fn garden_directory(mut self, directory: &Path) -> Self {
        self.garden = Some(directory.to_owned());
        self
    }

    /// Watches a live garden instead.
    pub(crate) fn live(mut self, kubeconfig: &Path) -> Self {
        self.kubeconfig = Some(kubeconfig.to_owned());
        self
    }

    /// Disables the garden.
    pub(crate) fn no_garden(mut self) -> Self {
        self.no_garden = true;
        self
    }

    /// Exports metrics at this address, so that the address need not be parsed from the log.
    pub(crate) fn metrics(mut self, address: SocketAddr) -> Self {
        self.metrics = Some(address);
        self
    }

    /// Sets `--config` to a file with these contents, `{dir}/config.yaml`.
    pub(crate) fn config(self, yaml: &str) -> Self {
        self.file("config.yaml", yaml).flag("--config", "{dir}/config.yaml")
    }

    /// Sets an environment variable.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    /// Adds a flag with its value.
    pub(crate) fn flag(mut self, name: &str, value: &str) -> Self {
        self.arguments.extend([name.to_owned(), value.to_owned()]);
        self
    }
}

/// A running server, killed when dropped.
pub(crate) struct Gate {
    child: Child,
    directory: TempDir,
    /// The URL, `https://127.0.0.1:PORT`.
    pub(crate) url: String,
    /// A client that trusts the server, and prefers HTTP/2.
    pub(crate) client: Client,
    log: Arc<Mutex<String>>,
    metrics: Option<SocketAddr>,
}

impl Gate {
    /// Starts a server and waits until it listens.
    ///
    /// Panics with its log if it does not.
    pub(crate) fn start(args: &GateArgs) -> Self {
        Self::start_with(args, Stdio::piped())
    }

    /// Starts a server with another standard error. [`Self::log`] is empty unless that is [`Stdio::piped`].
    pub(crate) fn start_with(args: &GateArgs, stderr: Stdio) -> Self {
        // Every test of a process installs the same provider; the first one succeeds.
        let _ = rustls::crypto::ring::default_provider().install_default();
        let directory = TempDir::new().unwrap();
        fs::create_dir(directory.path().join("garden")).unwrap();
        fs::write(directory.path().join("garden/none.yaml"), NONE).unwrap();
        for (name, contents) in &args.files {
            fs::write(directory.path().join(name), contents).unwrap();
        }
        let mut command = command(args, directory.path());
        let mut child = command.stderr(stderr).spawn().unwrap();
        // The command has copies of the streams.
        drop(command);
        let stderr = child.stderr.take();
        let log = stderr.map_or_else(Arc::default, collect);
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let Some(url) = line.trim_end().strip_prefix("garden-gate listening on ") else {
            child.wait().unwrap();
            panic!("it said {line:?} and {}", log.lock().unwrap());
        };
        let (url, client) = (url.to_owned(), client_builder(directory.path()).build());
        Self { child, url, client: client.unwrap(), directory, log, metrics: args.metrics }
    }

    /// Posts JSON; returns the status code and the JSON response.
    pub(crate) async fn post(&self, path: &str, body: &Value) -> (u16, Value) {
        self.send(path, "application/json", body.to_string()).await
    }

    /// Posts any body; returns the status code and the JSON response.
    pub(crate) async fn send(
        &self,
        path: &str,
        content_type: &str,
        body: impl Into<reqwest::Body>,
    ) -> (u16, Value) {
        let request = self
            .client
            .post(format!("{}{path}", self.url))
            .header("content-type", content_type)
            .body(body);
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.json().await.unwrap())
    }

    /// Returns the status code and the body of a GET.
    pub(crate) async fn get(&self, path: &str) -> (u16, String) {
        let request = self.client.get(format!("{}{path}", self.url));
        let response = request.send().await.unwrap();
        (response.status().as_u16(), response.text().await.unwrap())
    }

    /// Returns all metrics.
    pub(crate) async fn metrics(&self) -> String {
        let url = self.metrics_url().await;
        let response = self.client.get(format!("{url}/metrics")).send().await;
        response.unwrap().text().await.unwrap()
    }

    /// Returns the URL of the metrics port, `http://127.0.0.1:PORT`.
    pub(crate) async fn metrics_url(&self) -> String {
        if let Some(address) = self.metrics {
            return format!("http://{address}");
        }
        let url = || {
            let log = self.log();
            let (_, rest) = log.split_once("metrics on ")?;
            Some(rest.split_once("/metrics")?.0.to_owned())
        };
        eventually("the log tells the metrics port", async || url().is_some()).await;
        url().unwrap()
    }

    /// Returns one metric by its name with labels and without `garden_gate_`; 0 if there is none.
    pub(crate) async fn metric(&self, name: &str) -> f64 {
        let metrics = self.metrics().await;
        let value = metrics.lines().find_map(|line| {
            let (found, value) = line.rsplit_once(' ')?;
            (found.strip_prefix("garden_gate_")? == name).then_some(value)
        });
        value.map_or(0.0, |value| value.parse().unwrap())
    }

    /// Returns a path in the server's directory.
    pub(crate) fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    /// Writes a file in the server's directory, or replaces it atomically, as editors do.
    pub(crate) fn write(&self, name: &str, contents: &str) {
        let (new, path) = (self.path(".new"), self.path(name));
        fs::write(&new, contents).unwrap();
        fs::rename(new, path).unwrap();
    }

    /// Returns the log so far.
    pub(crate) fn log(&self) -> String {
        self.log.lock().unwrap().clone()
    }

    /// Waits until a string is logged, which may happen after the response.
    pub(crate) async fn logs(&self, what: &str) {
        eventually(what, async || self.log().contains(what)).await;
    }

    /// Returns a builder of a client that trusts the server.
    pub(crate) fn client_builder(&self) -> ClientBuilder {
        client_builder(self.directory.path())
    }

    /// Opens a TLS connection with HTTP/1.1.
    pub(crate) async fn connect(&self) -> TlsStream<TcpStream> {
        self.connect_with(&[]).await
    }

    /// Opens a TLS connection with one of these protocols.
    pub(crate) async fn connect_with(&self, protocols: &[&str]) -> TlsStream<TcpStream> {
        let address = self.url.strip_prefix("https://").unwrap();
        self.connect_to(address, protocols).await
    }

    /// Opens a TLS connection to another port of the server.
    pub(crate) async fn connect_to(
        &self,
        address: &str,
        protocols: &[&str],
    ) -> TlsStream<TcpStream> {
        let mut roots = RootCertStore::empty();
        let ca = CertificateDer::from_pem_file(self.path("ca.crt")).unwrap();
        roots.add(ca).unwrap();
        let mut config =
            ClientConfig::builder().with_root_certificates(roots).with_no_client_auth();
        config.alpn_protocols = protocols.iter().map(|it| it.as_bytes().to_vec()).collect();
        let stream = TcpStream::connect(address).await.unwrap();
        let name = ServerName::try_from("localhost").unwrap();
        let connecting = TlsConnector::from(Arc::new(config)).connect(name, stream);
        connecting.await.unwrap()
    }

    /// Sends SIGTERM.
    pub(crate) fn terminate(&self) {
        self.signal(Signal::TERM);
    }

    /// Returns the process id.
    pub(crate) fn id(&self) -> u32 {
        self.child.id()
    }

    /// Returns the memory of the process, in MiB.
    pub(crate) fn memory(&self) -> u64 {
        let status = fs::read_to_string(format!("/proc/{}/status", self.child.id())).unwrap();
        let line = status.lines().find_map(|line| line.strip_prefix("VmRSS:"));
        let kibibytes = line.unwrap().trim().trim_end_matches(" kB");
        kibibytes.parse::<u64>().unwrap() / 1024
    }

    /// Suspends the process.
    pub(crate) fn freeze(&self) {
        self.signal(Signal::STOP);
    }

    /// Resumes the process.
    pub(crate) fn thaw(&self) {
        self.signal(Signal::CONT);
    }

    fn signal(&self, signal: Signal) {
        let id = Pid::from_raw(self.child.id().cast_signed()).unwrap();
        kill_process(id, signal).unwrap();
    }

    /// Waits for the end of the process.
    pub(crate) async fn ended(&mut self) -> ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = self.child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < TIMEOUT, "still there: {}", self.log());
            sleep(Duration::from_millis(10)).await;
        }
    }
}

impl Drop for Gate {
    fn drop(&mut self) {
        // Both fail only if the process has already ended.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Returns the program under test; `GARDEN_GATE_BIN` names another build of it.
fn binary() -> PathBuf {
    let built = env!("CARGO_BIN_EXE_garden-gate").into();
    std::env::var_os("GARDEN_GATE_BIN").map_or(built, PathBuf::from)
}

/// Runs `garden-gate` with arguments and waits for it.
pub(crate) fn garden_gate(arguments: &[&str]) -> Output {
    let mut command = Command::new(binary());
    command.args(arguments).output().unwrap()
}

/// Returns a free address on loopback.
pub(crate) fn free_address() -> SocketAddr {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap()
}

/// Waits until a condition is true; panics after a timeout.
pub(crate) async fn eventually(what: &str, mut condition: impl AsyncFnMut() -> bool) {
    let start = Instant::now();
    while !condition().await {
        assert!(start.elapsed() < TIMEOUT, "never came true: {what}");
        sleep(Duration::from_millis(20)).await;
    }
}

fn command(args: &GateArgs, directory: &Path) -> Command {
    let garden: Vec<PathBuf> = match &args.kubeconfig {
        _ if args.no_garden => vec!["--no-garden".into()],
        Some(kubeconfig) => vec!["--kubeconfig".into(), kubeconfig.clone()],
        None => {
            let garden = args.garden.clone();
            vec!["--garden".into(), garden.unwrap_or(directory.join("garden"))]
        }
    };
    let own = directory.to_str().unwrap();
    let metrics = args.metrics.map_or("127.0.0.1:0".to_owned(), |address| address.to_string());
    let mut command = Command::new(binary());
    command
        .args(["serve", "--listen", "127.0.0.1:0"])
        .args(["--metrics-listen", &metrics])
        .args(garden)
        .arg("--ca-out")
        .arg(directory.join("ca.crt"))
        .envs(args.variables.iter().cloned())
        .args(args.arguments.iter().map(|it| it.replace("{dir}", own)))
        .current_dir(directory)
        .stdout(Stdio::piped());
    command
}

pub(crate) fn collect(mut stderr: impl Read + Send + 'static) -> Arc<Mutex<String>> {
    let log = Arc::new(Mutex::new(String::new()));
    let shared = Arc::clone(&log);
    thread::spawn(move || {
        let mut buffer = [0; 4096];
        while let Ok(read @ 1..) = stderr.read(&mut buffer) {
            let text = String::from_utf8_lossy(&buffer[..read]);
            shared.lock().unwrap().push_str(&text);
        }
    });
    log
}

fn client_builder(directory: &Path) -> ClientBuilder {
    let builder = Client::builder().timeout(TIMEOUT);
    match fs::read(directory.join("ca.crt")) {
        Ok(ca) => builder.tls_certs_only(Certificate::from_pem_bundle(&ca).unwrap()),
        // The certificate has another source, for example a Secret.
        Err(_) => builder.tls_certs_only([]),
    }
}
