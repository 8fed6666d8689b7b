// SPDX-License-Identifier: Apache-2.0
use std::io;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use reqwest::{Certificate, Client, ClientBuilder};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpSocket, TcpStream};
use tokio_rustls::TlsConnector;
use tokio_rustls::client::TlsStream;

use crate::common::Gate;

/// The address of API servers and kubelets.
pub(crate) const FRIEND: IpAddr = IpAddr::V4(Ipv4Addr::LOCALHOST);
/// The address of the attacker, if that is another machine.
pub(crate) const NEIGHBOUR: IpAddr = IpAddr::V4(Ipv4Addr::new(127, 0, 0, 66));

/// Time limit of any expected response.
const TIMEOUT: Duration = Duration::from_secs(20);

/// The addresses and the CA of the server under attack.
#[derive(Clone, Debug)]
pub(crate) struct Target {
    pub(crate) address: SocketAddr,
    pub(crate) metrics: SocketAddr,
    ca: PathBuf,
    tls: Arc<ClientConfig>,
    http2: Arc<ClientConfig>,
}

impl Target {
    pub(crate) async fn of(gate: &Gate) -> Self {
        let ca = gate.path("ca.crt");
        let tls = |protocols: &[&str]| {
            let mut roots = RootCertStore::empty();
            roots.add(CertificateDer::from_pem_file(&ca).unwrap()).unwrap();
            let builder = ClientConfig::builder().with_root_certificates(roots);
            let mut config = builder.with_no_client_auth();
            config.alpn_protocols = protocols.iter().map(|it| it.as_bytes().into()).collect();
            Arc::new(config)
        };
        let address = |url: &str| url.split_once("://").unwrap().1.parse().unwrap();
        Self {
            address: address(&gate.url),
            metrics: address(&gate.metrics_url().await),
            tls: tls(&[]),
            http2: tls(&["h2"]),
            ca,
        }
    }

    /// Returns another HTTPS port of the same server.
    pub(crate) fn at(&self, address: SocketAddr) -> Self {
        Self { address, ..self.clone() }
    }

    pub(crate) fn url(&self, path: &str) -> String {
        format!("https://{}{path}", self.address)
    }

    /// Returns a builder of a client that trusts the server and uses this source address.
    pub(crate) fn client(&self, from: IpAddr) -> ClientBuilder {
        let ca = std::fs::read(&self.ca).unwrap();
        Client::builder()
            .tls_certs_only(Certificate::from_pem_bundle(&ca).unwrap())
            .local_address(from)
            .timeout(TIMEOUT)
    }

    pub(crate) async fn tcp(&self, from: IpAddr, to: SocketAddr) -> io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.set_reuseaddr(true)?;
        socket.bind(SocketAddr::new(from, 0))?;
        socket.connect(to).await
    }

    /// Opens a TLS connection with HTTP/1.1.
    pub(crate) async fn tls(&self, from: IpAddr) -> io::Result<TlsStream<TcpStream>> {
        self.handshake(from, &self.tls).await
    }

    /// Opens a TLS connection with HTTP/2.
    pub(crate) async fn http2(&self, from: IpAddr) -> io::Result<TlsStream<TcpStream>> {
        self.handshake(from, &self.http2).await
    }

    async fn handshake(
        &self,
        from: IpAddr,
        config: &Arc<ClientConfig>,
    ) -> io::Result<TlsStream<TcpStream>> {
        let stream = self.tcp(from, self.address).await?;
        stream.set_nodelay(true)?;
        let name = ServerName::try_from("localhost").unwrap();
        TlsConnector::from(Arc::clone(config)).connect(name, stream).await
    }

    /// Posts a review as an attacker; returns the status and the response, unless the request failed.
    pub(crate) async fn post(&self, path: &str, body: impl Into<reqwest::Body>) -> Option<Answer> {
        let client = self.client(NEIGHBOUR).build().unwrap();
        self.post_over(&client, path, body).await
    }

    /// Posts a review with `client`, over an open connection if there is one.
    pub(crate) async fn post_over(
        &self,
        client: &Client,
        path: &str,
        body: impl Into<reqwest::Body>,
    ) -> Option<Answer> {
        let request = client.post(self.url(path)).header("content-type", JSON);
        let response = request.body(body).send().await.ok()?;
        let status = response.status().as_u16();
        let bytes = response.bytes().await.ok()?;
        Some(Answer {
            status,
            length: bytes.len(),
            json: serde_json::from_slice(&bytes).unwrap_or_default(),
        })
    }
}

pub(crate) const JSON: &str = "application/json";

/// A response.
#[derive(Clone, Debug, Default)]
pub(crate) struct Answer {
    pub(crate) status: u16,
    /// The size of the body in bytes.
    pub(crate) length: usize,
    pub(crate) json: serde_json::Value,
}

impl Answer {
    pub(crate) fn is_allowed(&self) -> bool {
        self.json["response"]["allowed"] == true
    }
}
