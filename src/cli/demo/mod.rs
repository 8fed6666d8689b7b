// SPDX-License-Identifier: Apache-2.0
//! `garden-gate demo`: serves the example landscape that is inside the program.

mod landscape;
mod pages;

use std::io::Write;
use std::net::SocketAddr;
use std::path::PathBuf;

use anyhow::Context as _;
use clap::Args;
use tokio::runtime::Runtime;

use self::landscape::Landscape;
use super::Outcome;
use super::site::read_playground;
use crate::server::{DemoServer, Signals};
use garden_gate_model::api::Kind;

/// Arguments of `garden-gate demo`.
#[derive(Args, Debug)]
#[command(after_help = "\
The landscape is inside the program: the command needs no cluster and no file,
and writes none. Everything is judged as of 2026-11-30. Ctrl-C ends the server.

Examples:
  garden-gate demo
  garden-gate demo --listen 127.0.0.1:8080

Exit codes:
  0  stopped by Ctrl-C or SIGTERM
  2  the server failed to start")]
pub(super) struct Demo {
    /// Loopback address and port for plain HTTP; port 0 selects a free port.
    #[arg(long, value_name = "ADDR:PORT", default_value = "127.0.0.1:0", value_parser = loopback)]
    listen: SocketAddr,
    /// Built playground to serve at /site/playground/; the site links to it.
    #[arg(long, value_name = "FOLDER")]
    playground: Option<PathBuf>,
}

/// Parses a loopback address, since the port has neither TLS nor authentication.
fn loopback(text: &str) -> Result<SocketAddr, String> {
    let address: SocketAddr =
        text.parse().map_err(|_| "write it like 127.0.0.1:8080".to_owned())?;
    if address.ip().is_loopback() {
        Ok(address)
    } else {
        Err("it is not a loopback address, such as 127.0.0.1:8080; `garden-gate serve` has TLS"
            .to_owned())
    }
}

impl Demo {
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let runtime = Runtime::new().context("failed to start threads")?;
        runtime.block_on(self.serve(out))
    }

    async fn serve(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let playground = self.playground.as_deref().map(read_playground).transpose()?;
        let stop = Signals::catch()?.received();
        let landscape = Landscape::read().context("the example landscape is damaged")?;
        let (garden, config) = (landscape.garden.clone(), landscape.config.clone());
        let server = DemoServer::bind(self.listen, garden, config, landscape.at).await?;
        let url = format!("http://{}", server.address());
        let commands = [
            format!(
                "curl -s {url}/review.json | curl -s --data-binary @- -H 'Content-Type: application/json' {url}/validate"
            ),
            format!("garden-gate rules {}", pages::FINDING),
            format!("curl -s {url}/forecast.ics"),
        ];
        let pages = pages::pages(&landscape, playground, &commands)?;
        let count = landscape.of_kind(Kind::Shoot).count();
        write!(
            out,
            "\
garden-gate demo: an example landscape with {count} Shoots, as of {:.0}

  {url}/          all pages and endpoints
  {url}/site/     what happens to each cluster, when, and what to do
  {url}/forecast  updates of the next 90 days
  {url}/audit     findings about stored objects

Try in another terminal:
  {}

Ctrl-C ends the server. It writes no file.
",
            landscape.at,
            commands.join("\n  "),
        )?;
        out.flush()?;
        server.run(pages, stop).await;
        Ok(Outcome::Clean)
    }
}

#[cfg(test)]
mod tests {
    use super::loopback;

    #[test]
    fn only_loopback_addresses_accepted() {
        for text in ["127.0.0.1:0", "127.0.0.2:80", "[::1]:8080"] {
            assert_eq!(loopback(text).unwrap().to_string(), text);
        }
        assert!(loopback("0.0.0.0:80").unwrap_err().contains("not a loopback address"));
        assert!(loopback("localhost").unwrap_err().starts_with("write it like"));
    }
}
