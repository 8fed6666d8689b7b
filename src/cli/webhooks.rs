// SPDX-License-Identifier: Apache-2.0
use std::io::Write;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::{Context as _, bail};
use clap::{ArgGroup, ValueEnum};
use rustls::pki_types::CertificateDer;
use rustls::pki_types::pem::PemObject as _;
use serde_json::{Value, json};

use super::Outcome;
use super::object_name::object_name;
use super::policies::PolicyFiles;
use crate::config_files;
use crate::files::{self, Limit, Trees};
use garden_gate_core::config::{ConfigFiles, Level};
use garden_gate_core::policies::OwnPolicy;
use garden_gate_core::rules;
use garden_gate_products::report::{
    self, Cluster, Endpoint, WebhookOptions, json_document, webhook_configurations, yaml_document,
};

/// The port of a Service for HTTPS, as in Kubernetes.
const HTTPS: u16 = 443;

/// Arguments of `garden-gate webhooks`.
#[derive(Debug, clap::Args)]
#[command(group = ArgGroup::new("endpoint").args(["url", "service"]).required(true), after_help = "\
Examples:
  garden-gate webhooks --service garden-gate/garden-gate | kubectl apply -f -
  garden-gate webhooks --url https://gate.example.com:9443 --ca-bundle ca.crt

Exit codes:
  0  printed
  2  a file cannot be read or is invalid")]
pub(super) struct Webhooks {
    /// URL of the server, as the API server reaches it, for example `https://gate.example.com:9443`.
    #[arg(long, value_name = "URL", value_parser = url)]
    url: Option<Endpoint>,
    /// Service of the server; the port defaults to 443.
    #[arg(long, value_name = "NAMESPACE/NAME[:PORT]", value_parser = service)]
    service: Option<Endpoint>,
    /// CA bundle of the serving certificate, as PEM; omit it if garden-gate or cert-manager sets `caBundle`.
    #[arg(long, value_name = "FILE")]
    ca_bundle: Option<PathBuf>,
    /// Behaviour of the API server if it cannot reach the server: `Ignore` admits requests without a review, `Fail` refuses
    /// them.
    ///
    /// Begin with `Ignore`, and register again with `Fail` once `garden-gate probe` succeeds.
    #[arg(long, value_enum, default_value = "Ignore")]
    failure_policy: FailurePolicy,
    /// Register the server in a Shoot cluster instead of the garden cluster, for DaemonSets and Deployments.
    ///
    /// Keep `--failure-policy Ignore` there. API servers call no webhooks for webhook configurations: review those with
    /// `garden-gate review`.
    #[arg(long)]
    shoot_cluster: bool,
    /// Name of both webhook configurations.
    #[arg(long, default_value = "garden-gate", value_parser = object_name)]
    name: String,
    /// Configuration file; disabled rules and exempt users are excluded from the webhooks.
    #[arg(long, value_name = "FILE")]
    config: Option<PathBuf>,
    #[command(flatten)]
    policies: PolicyFiles,
    /// Output format.
    #[arg(long, value_enum, default_value_t = Format::Yaml, help_heading = "Output")]
    format: Format,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum FailurePolicy {
    #[value(name = "Fail", alias = "fail")]
    Fail,
    #[value(name = "Ignore", alias = "ignore")]
    Ignore,
}

#[derive(Clone, Copy, Debug, ValueEnum)]
enum Format {
    Yaml,
    Json,
}

impl Webhooks {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let files = ConfigFiles { config: self.config, admission_config: None };
        let policies = self.policies.load_for_server()?;
        let config = config_files::load(&files, &self.policies.known_ids(&policies))?.config;
        let enabled = policies.iter().filter(|it| it.level(&config) != Level::Off);
        let of_policies = enabled.flat_map(OwnPolicy::requests).collect();
        let Some(endpoint) = self.url.or(self.service) else {
            bail!("the endpoint of the server is required; pass --url or --service");
        };
        let options = WebhookOptions {
            cluster: if self.shoot_cluster { Cluster::Shoot } else { Cluster::Garden },
            name: self.name,
            endpoint,
            ca_bundle: self.ca_bundle.as_deref().map(ca_bundle).transpose()?,
            failure_policy: match self.failure_policy {
                FailurePolicy::Fail => report::FailurePolicy::Fail,
                FailurePolicy::Ignore => report::FailurePolicy::Ignore,
            },
            of_policies,
        };
        let objects = webhook_configurations(rules::ALL, &config, &options);
        // A mutating configuration without webhooks is omitted.
        let used =
            |object: &Value| object["webhooks"].as_array().is_some_and(|list| !list.is_empty());
        let objects: Vec<Value> = objects.into_iter().filter(used).collect();
        match self.format {
            Format::Json => {
                let list = json!({"apiVersion": "v1", "kind": "List", "items": objects});
                out.write_all(json_document(&list)?.as_bytes())?;
            }
            Format::Yaml => {
                for object in objects {
                    let text = yaml_document(&object).context("failed to write YAML")?;
                    out.write_all(text.as_bytes())?;
                }
            }
        }
        Ok(Outcome::Clean)
    }
}

fn ca_bundle(path: &Path) -> anyhow::Result<String> {
    certificates(path, "--ca-bundle").map(|(text, _)| text)
}

/// Returns the PEM of a file, and its certificates, of which there is at least one.
pub(super) fn certificates(
    path: &Path,
    flag: &str,
) -> anyhow::Result<(String, Vec<CertificateDer<'static>>)> {
    let shown = path.display();
    let text = files::read_text_in(&Trees::default(), path, Limit::PEM)
        .with_context(|| format!("failed to read `{shown}`, pass another {flag}"))?;
    let certificates = CertificateDer::pem_slice_iter(text.as_bytes())
        .collect::<Result<Vec<_>, _>>()
        .with_context(|| format!("failed to read the PEM blocks of `{shown}`"))?;
    if certificates.is_empty() {
        bail!("`{shown}` has no certificate; it needs a PEM block `CERTIFICATE`");
    }
    Ok((text, certificates))
}

fn url(text: &str) -> Result<Endpoint, String> {
    let rest = text
        .strip_prefix("https://")
        .ok_or("it must begin with `https://`, since API servers call webhooks by HTTPS")?;
    let (authority, _) = rest.split_once('/').unwrap_or((rest, ""));
    if authority.is_empty() || authority.starts_with(':') {
        return Err("it has no host; write for example `https://gate.example.com:9443`".into());
    }
    if let Some(character) = rest.chars().find(|it| "?#@".contains(*it) || it.is_whitespace()) {
        return Err(format!("`{character}` cannot be part of the URL of a webhook"));
    }
    Ok(Endpoint::Url(text.trim_end_matches('/').to_owned()))
}

fn service(text: &str) -> Result<Endpoint, String> {
    let (namespace, rest) = text
        .split_once('/')
        .ok_or("it has no namespace; write `NAMESPACE/NAME` or `NAMESPACE/NAME:PORT`")?;
    let (service, port) = match rest.split_once(':') {
        None => (rest, HTTPS),
        Some((service, port)) => {
            let port = u16::from_str(port).ok().filter(|port| *port > 0);
            (service, port.ok_or("the port is not a number between 1 and 65535")?)
        }
    };
    Ok(Endpoint::Service { namespace: object_name(namespace)?, name: object_name(service)?, port })
}

#[cfg(test)]
mod tests {
    use super::{Endpoint, service, url};

    #[test]
    fn endpoints_are_read_and_mistakes_explained() {
        let at = |url: &str| Ok(Endpoint::Url(url.to_owned()));
        assert_eq!(url("https://a:1"), at("https://a:1"));
        assert_eq!(url("https://a/b/"), at("https://a/b"));
        for bad in [
            "http://a",
            "a:443",
            "https://",
            "https://:1",
            "https://a?b",
            "https://u@a",
            "https://a b",
        ] {
            assert!(url(bad).is_err(), "{bad}");
        }
        let behind = |port| {
            Ok(Endpoint::Service { namespace: "garden".to_owned(), name: "gate".to_owned(), port })
        };
        assert_eq!(service("garden/gate"), behind(443));
        assert_eq!(service("garden/gate:9443"), behind(9443));
        for bad in ["gate", "/gate", "garden/", "garden/gate:0", "garden/gate:x", "a/b/c", "A/b"] {
            assert!(service(bad).is_err(), "{bad}");
        }
    }
}
