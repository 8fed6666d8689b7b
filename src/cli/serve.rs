// SPDX-License-Identifier: Apache-2.0
use std::io::{self, Write as _};
use std::net::{Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::pin::pin;
use std::thread;
use std::time::Duration;

use anyhow::{Context as _, bail};
use jiff::SignedDuration;
use prometheus_client::metrics::counter::Counter;
use tokio::runtime::Builder;

use super::Outcome;
use super::log::{Log, LogFormat};
use super::object_name::object_name;
use super::policies::PolicyFiles;
use super::versions::gardener_version;
use crate::garden::live::LiveSource;
use crate::notify::{NotifyOptions, StatePlace};
use crate::platform::raise_open_file_limit;
use crate::server::{
    CertificateOptions, GardenOptions, ManagedOptions, RecordOptions, Server, ServerOptions,
    Signals,
};
use garden_gate_core::config::ConfigFiles;
use garden_gate_model::api::GardenerVersion;
use garden_gate_text::go::{Quantity, parse_duration};

/// The usual port of webhook servers.
const PORT: u16 = 9443;
/// Minimum lifetime; shorter ones cannot be renewed in time.
///
/// Dates of certificates have a resolution of seconds.
const SHORTEST_LIFETIME: SignedDuration = SignedDuration::from_secs(5);
/// Minimum size of records in bytes.
const LEAST_RECORD: u64 = 8 << 20;
/// Maximum size of records in bytes.
const MOST_RECORD: u64 = 1 << 40;
/// Number of tasks that a thread runs before it looks for new data of connections.
///
/// A new connection needs several such looks. With tokio's default of 61, it waited behind hundreds of reviews of busy connections.
const EVENT_INTERVAL: u32 = 4;

/// Arguments of `garden-gate serve`.
#[derive(Debug, clap::Args)]
#[command(after_help = "\
Examples:
  garden-gate serve --garden examples/garden --metrics-listen 127.0.0.1:9090
  garden-gate serve --config config.yaml --tls-cert tls.crt --tls-key tls.key

Exit codes:
  0  stopped by SIGTERM or SIGINT, after pending requests were answered
  2  the server failed to start, or a task of it ended unexpectedly")]
pub(super) struct Serve {
    /// Directory with the manifests of the garden; reloaded when they change.
    #[arg(long, value_name = "DIR", help_heading = "Garden")]
    garden: Option<PathBuf>,
    /// Treat objects missing from the directory as nonexistent, even if it has no Seed, Project or CloudProfile.
    #[arg(long, requires = "garden", help_heading = "Garden")]
    whole_garden: bool,
    /// Time for which a file of --garden must be unchanged before objects removed from it count as deleted.
    ///
    /// Until then, the objects are retained: a partly written file does not hide objects.
    #[arg(long, value_name = "DURATION", default_value = "30s", value_parser = duration, help_heading = "Garden")]
    garden_removal_delay: Duration,
    /// Kubeconfig of the garden cluster to watch, without --garden [default: KUBECONFIG, then the service account of the
    /// pod].
    #[arg(long, value_name = "FILE", conflicts_with = "garden", help_heading = "Garden")]
    kubeconfig: Option<PathBuf>,
    /// Run without a garden: judge only objects of Shoot clusters, which are workload and webhook configurations.
    #[arg(long, conflicts_with_all = ["garden", "policies"], help_heading = "Garden")]
    no_garden: bool,
    /// Configuration file; reloaded when it changes.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    config: Option<PathBuf>,
    #[command(flatten)]
    policies: PolicyFiles,
    /// Gardener's `AdmissionConfiguration`, for its toleration lists; reloaded when it changes.
    #[arg(long, value_name = "FILE", help_heading = "Configuration")]
    admission_config: Option<PathBuf>,
    /// Version of Gardener by which objects are judged, such as 1.145 [default: `gardenerVersion` of the configuration, then
    /// the ConfigMap `gardener-info` of the garden, then the newest known version].
    #[arg(long, value_name = "VERSION", value_parser = gardener_version, help_heading = "Configuration")]
    gardener_version: Option<GardenerVersion>,
    /// Address and port for HTTPS; port 0 selects a free port [default: 127.0.0.1:9443 with --garden, 0.0.0.0:9443
    /// otherwise].
    #[arg(long, value_name = "ADDR:PORT", help_heading = "Ports")]
    listen: Option<SocketAddr>,
    /// Serving certificate with its chain, as PEM; reloaded when it changes.
    ///
    /// Without this flag and --cert-secret, the server generates a certificate at the start; see --ca-out.
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    tls_cert: Option<PathBuf>,
    /// Private key of the serving certificate, as PEM.
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    tls_key: Option<PathBuf>,
    /// Secret in which replicas share a CA and a serving certificate, which they generate and renew.
    #[arg(long, value_name = "NAMESPACE/NAME", value_parser = secret, conflicts_with_all = ["tls_cert", "tls_key", "garden"], help_heading = "Certificates")]
    cert_secret: Option<(String, String)>,
    /// Service in the namespace of the Secret, for which the certificate is issued.
    #[arg(
        long,
        value_name = "NAME",
        requires = "cert_secret",
        default_value = "garden-gate",
        value_parser = object_name,
        help_heading = "Certificates"
    )]
    cert_service: String,
    /// Additional DNS name or address of the certificate; may be given several times.
    #[arg(long, value_name = "HOST", requires = "cert_secret", help_heading = "Certificates")]
    cert_name: Vec<String>,
    /// Name of the webhook configurations of garden-gate, whose `caBundle` the server sets to the CA.
    #[arg(long, value_name = "NAME", requires = "cert_secret", value_parser = object_name, help_heading = "Certificates")]
    webhook_configuration: Option<String>,
    /// Validity of a serving certificate.
    #[arg(long, value_name = "DURATION", requires = "cert_secret", default_value = "2160h", value_parser = lifetime, hide = true, help_heading = "Certificates")]
    cert_lifetime: SignedDuration,
    /// CA bundle for client certificates, as PEM; only clients with a certificate signed by it can connect.
    #[arg(long, value_name = "FILE", help_heading = "Certificates")]
    client_ca: Option<PathBuf>,
    /// Allow only clients whose certificate has this name (DNS name, URI or common name); may be given several times.
    #[arg(long, value_name = "NAME", requires = "client_ca", help_heading = "Certificates")]
    client_name: Vec<String>,
    /// Time for which the last known state of a kind is used while the API server refuses its watch.
    #[arg(long, value_name = "DURATION", default_value = "10m", value_parser = duration, hide = true, help_heading = "Garden")]
    watch_patience: Duration,
    /// File for the CA of a generated certificate.
    #[arg(
        long,
        value_name = "FILE",
        default_value = "garden-gate-ca.crt",
        help_heading = "Certificates"
    )]
    ca_out: PathBuf,
    /// Address and port for metrics over plain HTTP; disabled if not set.
    #[arg(long, value_name = "ADDR:PORT", help_heading = "Ports")]
    metrics_listen: Option<SocketAddr>,
    /// Address and port for the site over HTTPS, for people with a token of the garden's API server; disabled if not set.
    ///
    /// Callers need the permissions to get and list Shoots in the namespace of a Project. The certificate is that of
    /// --listen, without client certificates. With --garden, the address must be a loopback one, and all users of the
    /// machine can read everything.
    #[arg(long, value_name = "ADDR:PORT", conflicts_with = "no_garden", help_heading = "Ports")]
    publish_listen: Option<SocketAddr>,
    /// Built playground to serve at /playground/ of --publish-listen; the site links to it.
    ///
    /// It needs no token, since it judges manifests in the browser and contains no data of the garden.
    #[arg(long, value_name = "FOLDER", requires = "publish_listen", help_heading = "Ports")]
    publish_playground: Option<PathBuf>,
    /// Interval between audits of the whole garden, such as 1h, with results exported as metrics; disabled if not set.
    #[arg(long, value_name = "DURATION", value_parser = often, conflicts_with = "no_garden", help_heading = "Reports")]
    audit_every: Option<Duration>,
    /// Interval between forecasts of the maintenance of all Shoots, such as 1h, with results exported as metrics;
    /// disabled if not set [default with --publish-listen or --notify-destinations: 10m].
    #[arg(long, value_name = "DURATION", value_parser = seldom, conflicts_with = "no_garden", help_heading = "Reports")]
    forecast_every: Option<Duration>,
    /// File with destinations of messages to the owners of Projects about each forecast, as for `notify`; disabled if not set.
    #[arg(
        long,
        value_name = "FILE",
        requires = "notify_state",
        conflicts_with = "no_garden",
        help_heading = "Reports"
    )]
    notify_destinations: Option<PathBuf>,
    /// State with the facts that were sent: a file, or `configmap:NAMESPACE/NAME`, which replicas share.
    #[arg(long, value_name = "PLACE", requires = "notify_destinations", help_heading = "Reports")]
    notify_state: Option<StatePlace>,
    /// Directory for records of requests, which `replay` judges again; disabled if not set.
    ///
    /// Requests for Shoots, Projects, profiles and Seeds are recorded, each with its user and its verdict. Only the owner may
    /// read the files.
    #[arg(long, value_name = "DIR", help_heading = "Records")]
    record: Option<PathBuf>,
    /// Recorded share of requests, from 0 to 1; at most 100 requests per second are recorded.
    #[arg(long, value_name = "SHARE", requires = "record", default_value = "1", value_parser = share, help_heading = "Records")]
    record_share: f64,
    /// Maximum size of all records; the oldest ones are removed.
    #[arg(long, value_name = "QUANTITY", requires = "record", default_value = "256Mi", value_parser = record_size, help_heading = "Records")]
    record_size: u64,
    /// Time after which records are removed.
    #[arg(long, value_name = "DURATION", requires = "record", default_value = "24h", value_parser = record_age, help_heading = "Records")]
    record_age: Duration,
    /// Memory limit of the process, for example 512Mi [default: the limit of its cgroup, else 512Mi].
    ///
    /// The limits for requests and connections are derived from it.
    #[arg(long, value_name = "QUANTITY", value_parser = memory, help_heading = "Limits and logs")]
    memory_limit: Option<u64>,
    /// Format of log lines on standard error.
    ///
    /// RUST_LOG sets the level (default: info). A level without a target applies to garden-gate; libraries log warnings
    /// only, unless they are named, as in `debug,h2=debug`.
    #[arg(long, value_enum, default_value_t = LogFormat::Text, help_heading = "Limits and logs")]
    log_format: LogFormat,
}

impl Serve {
    pub(super) fn run(self) -> anyhow::Result<Outcome> {
        let log_format = self.log_format;
        let options = self.options()?;
        let log = Log::start(log_format, options.dropped_log_lines.clone())?;
        let outcome = run(options).unwrap_or_else(|error| {
            log.fail(&error);
            Outcome::Failed
        });
        log.end();
        Ok(outcome)
    }

    fn options(self) -> anyhow::Result<ServerOptions> {
        let (garden, address) = match self.garden {
            Some(path) => {
                let is_whole = self.whole_garden;
                let garden = GardenOptions::Directory {
                    path,
                    is_whole,
                    removal_delay: self.garden_removal_delay,
                };
                (garden, Ipv4Addr::LOCALHOST)
            }
            None => {
                let kubeconfig = self.kubeconfig;
                let source = LiveSource { kubeconfig };
                let garden = if self.no_garden {
                    GardenOptions::Absent(source)
                } else {
                    GardenOptions::Live(source)
                };
                (garden, Ipv4Addr::UNSPECIFIED)
            }
        };
        let listen = self.listen.unwrap_or(SocketAddr::from((address, PORT)));
        let managed = self.cert_secret.map(|(namespace, secret)| ManagedOptions {
            namespace,
            secret,
            service: self.cert_service,
            names: self.cert_name,
            webhook_configuration: self.webhook_configuration,
            lifetime: self.cert_lifetime,
        });
        let certificate = match (self.tls_cert, self.tls_key) {
            (None, None) if let Some(managed) = managed => CertificateOptions::Managed(managed),
            (Some(certificate), Some(key)) => CertificateOptions::Files { certificate, key },
            (None, None) => CertificateOptions::SelfMade { ca_out: self.ca_out },
            (Some(_), None) => bail!("`--tls-cert` needs its private key; pass `--tls-key` too"),
            (None, Some(_)) => bail!("`--tls-key` needs its certificate; pass `--tls-cert` too"),
        };
        let notify = self
            .notify_destinations
            .zip(self.notify_state)
            .map(|(destinations, state)| NotifyOptions { destinations, state });
        let is_used = self.publish_listen.is_some() || notify.is_some();
        let forecast_every =
            self.forecast_every.or(is_used.then_some(ServerOptions::FORECAST_EVERY));
        let record = self.record.map(|directory| RecordOptions {
            directory,
            share: self.record_share,
            size: self.record_size,
            age: self.record_age,
        });
        Ok(ServerOptions {
            record,
            listen,
            metrics_listen: self.metrics_listen,
            publish_listen: self.publish_listen,
            publish_playground: self.publish_playground,
            certificate,
            client_ca: self.client_ca,
            client_names: self.client_name,
            garden,
            watch_patience: self.watch_patience,
            config: ConfigFiles { config: self.config, admission_config: self.admission_config },
            policies: self.policies.into_paths(),
            gardener_version: self.gardener_version,
            memory_limit: self.memory_limit,
            audit_every: self.audit_every,
            forecast_every,
            notify,
            pause: ServerOptions::PAUSE,
            dropped_log_lines: Counter::default(),
        })
    }
}

fn run(options: ServerOptions) -> anyhow::Result<Outcome> {
    if let Err(error) = raise_open_file_limit() {
        tracing::warn!("failed to raise the limit on open files: {error}");
    }
    let runtime = Builder::new_multi_thread()
        .event_interval(EVENT_INTERVAL)
        .enable_all()
        .build()
        .context("failed to start threads")?;
    runtime.block_on(serve(options))
}

async fn serve(options: ServerOptions) -> anyhow::Result<Outcome> {
    let mut stop = pin!(Signals::catch()?.received());
    let server = tokio::select! {
        server = Server::build(options) => server?,
        () = &mut stop => return Ok(Outcome::Clean),
    };
    announce(server.address());
    server.run(stop).await?;
    Ok(Outcome::Clean)
}

/// Prints the address from a separate thread: standard output may be a pipe without reader.
fn announce(address: SocketAddr) {
    let print = move || {
        let mut out = io::stdout();
        let printed = writeln!(out, "garden-gate listening on https://{address}");
        if let Err(error) = printed.and_then(|()| out.flush()) {
            tracing::warn!("cannot write to standard output: {error}");
        }
    };
    let thread = thread::Builder::new().name("stdout".to_owned());
    if let Err(error) = thread.spawn(print) {
        tracing::warn!("failed to start the thread that prints the address: {error}");
    }
}

fn secret(text: &str) -> Result<(String, String), String> {
    let (namespace, name) = text.split_once('/').ok_or("write `NAMESPACE/NAME`")?;
    Ok((object_name(namespace)?, object_name(name)?))
}

fn duration(text: &str) -> Result<Duration, String> {
    Duration::try_from(parse_duration(text)?).map_err(|_| "it is negative".to_owned())
}

fn often(text: &str) -> Result<Duration, String> {
    let every = Duration::try_from(parse_duration(text)?).unwrap_or_default();
    if every >= ServerOptions::LEAST_AUDIT_EVERY {
        Ok(every)
    } else {
        Err("it is shorter than 1s".to_owned())
    }
}

fn seldom(text: &str) -> Result<Duration, String> {
    let every = Duration::try_from(parse_duration(text)?).unwrap_or_default();
    if every >= ServerOptions::LEAST_FORECAST_EVERY {
        Ok(every)
    } else {
        Err("it is shorter than 1m".to_owned())
    }
}

fn lifetime(text: &str) -> Result<SignedDuration, String> {
    let lifetime = parse_duration(text)?;
    if lifetime >= SHORTEST_LIFETIME {
        Ok(lifetime)
    } else {
        Err("it is shorter than 5s".to_owned())
    }
}

fn memory(text: &str) -> Result<u64, String> {
    let quantity = Quantity::parse(text).map_err(|error| error.to_string())?;
    let bytes = u64::try_from(quantity.ceiling()).unwrap_or_default();
    if bytes >= ServerOptions::LEAST_MEMORY {
        Ok(bytes)
    } else {
        Err("it is less than 32Mi".to_owned())
    }
}

fn share(text: &str) -> Result<f64, String> {
    let share = text.parse().ok().filter(|it| (0.0..=1.0).contains(it));
    share.ok_or_else(|| "it is not a number from 0 to 1".to_owned())
}

fn record_size(text: &str) -> Result<u64, String> {
    let quantity = Quantity::parse(text).map_err(|error| error.to_string())?;
    let bytes = u64::try_from(quantity.ceiling()).unwrap_or_default();
    if (LEAST_RECORD..=MOST_RECORD).contains(&bytes) {
        Ok(bytes)
    } else {
        Err("it is not between 8Mi and 1Ti".to_owned())
    }
}

fn record_age(text: &str) -> Result<Duration, String> {
    let age = Duration::try_from(parse_duration(text)?).unwrap_or_default();
    if age >= Duration::from_mins(1) { Ok(age) } else { Err("it is shorter than 1m".to_owned()) }
}
