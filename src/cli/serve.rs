use std::io::{self, IsTerminal as _, Write};
use std::net::SocketAddr;
use std::panic;
use std::path::PathBuf;

use anyhow::{Context as _, bail};
use clap::ValueEnum;
use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tracing_subscriber::EnvFilter;

use super::Outcome;
use crate::config::ConfigFiles;
use crate::server::{CertificateOptions, Server, ServerOptions, Signals};

/// Arguments of `garden-gate serve`.
#[derive(Debug, clap::Args)]
pub(super) struct Serve {
    /// Directory with the manifests of the garden; read again when they change.
    #[arg(long, value_name = "DIR")]
    garden: Option<PathBuf>,
    /// Configuration file; read again when it changes.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    /// Gardener's `AdmissionConfiguration`, for its toleration lists; read again when it changes.
    #[arg(long, value_name = "FILE")]
    admission_config: Option<PathBuf>,
    /// Where to listen for HTTPS; port 0 is any free one.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:9443")]
    listen: SocketAddr,
    /// Serving certificate and those that sign it, as PEM; read again when it changes. Made at the start if not given.
    #[arg(long, value_name = "FILE")]
    tls_cert: Option<PathBuf>,
    /// Private key of the serving certificate, as PEM.
    #[arg(long, value_name = "FILE")]
    tls_key: Option<PathBuf>,
    /// CA bundle as PEM; only clients with a certificate signed by it may connect.
    #[arg(long, value_name = "FILE")]
    client_ca: Option<PathBuf>,
    /// Where to write the CA of a self-made certificate.
    #[arg(long, value_name = "FILE", default_value = "garden-gate-ca.crt")]
    ca_out: PathBuf,
    /// Where to tell metrics over plain HTTP; nowhere if not given.
    #[arg(long, value_name = "ADDR:PORT")]
    metrics_listen: Option<SocketAddr>,
    /// How log lines on standard error look; RUST_LOG says which (default: info).
    #[arg(long, value_enum, default_value_t = LogFormat::Text)]
    log_format: LogFormat,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum LogFormat {
    Text,
    Json,
}

impl Serve {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let log_format = self.log_format;
        let options = self.options()?;
        log_to_stderr(log_format)?;
        raise_file_limit();
        let runtime = tokio::runtime::Runtime::new().context("failed to start threads")?;
        runtime.block_on(serve(options, out))
    }

    fn options(self) -> anyhow::Result<ServerOptions> {
        let Some(garden) = self.garden else {
            bail!("a live garden cannot be used yet; pass `--garden DIR` with its manifests");
        };
        let certificate = match (self.tls_cert, self.tls_key) {
            (Some(certificate), Some(key)) => CertificateOptions::Files { certificate, key },
            (None, None) => CertificateOptions::SelfMade {
                ca_out: self.ca_out,
            },
            (Some(_), None) => bail!("`--tls-cert` needs its private key; pass `--tls-key` too"),
            (None, Some(_)) => bail!("`--tls-key` needs its certificate; pass `--tls-cert` too"),
        };
        Ok(ServerOptions {
            listen: self.listen,
            metrics_listen: self.metrics_listen,
            certificate,
            client_ca: self.client_ca,
            garden,
            config: ConfigFiles {
                config: self.config,
                admission_config: self.admission_config,
            },
            pause: ServerOptions::PAUSE,
        })
    }
}

async fn serve(options: ServerOptions, out: &mut dyn Write) -> anyhow::Result<Outcome> {
    let signals = Signals::catch()?;
    let server = Server::build(options).await?;
    if let Some(address) = server.metrics_address() {
        tracing::info!("metrics on http://{address}/metrics");
    }
    writeln!(out, "garden-gate listening on https://{}", server.address())?;
    out.flush()?;
    server.run(signals.received()).await?;
    Ok(Outcome::Clean)
}

fn log_to_stderr(format: LogFormat) -> anyhow::Result<()> {
    let filter = match std::env::var("RUST_LOG") {
        Ok(directives) if !directives.is_empty() => EnvFilter::try_new(&directives)
            .with_context(|| format!("RUST_LOG is `{directives}`, use for example `info`"))?,
        _ => EnvFilter::new("info"),
    };
    let builder = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_target(false)
        .with_ansi(io::stderr().is_terminal())
        .with_writer(io::stderr);
    match format {
        LogFormat::Text => builder.init(),
        LogFormat::Json => builder.json().flatten_event(true).init(),
    }
    // A rule's panic belongs into the log, in its format, and only there.
    panic::set_hook(Box::new(|panic| tracing::error!("panic: {panic}")));
    Ok(())
}

/// Lets the process open as many files as it may, as Go programs do: soft limits of 1,024 are kept for programs that use
/// `select`, and fewer connections than that would keep everybody else out.
fn raise_file_limit() {
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    let raised = Rlimit {
        current: maximum,
        maximum,
    };
    if current != maximum && setrlimit(Resource::Nofile, raised).is_err() {
        tracing::warn!("failed to raise the limit on open files from {current:?}");
    }
}
