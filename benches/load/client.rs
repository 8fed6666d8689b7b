// SPDX-License-Identifier: Apache-2.0
//! The load generator, with minimal CPU time of the client, on one thread.

use std::io;
use std::time::{Duration, Instant};

use http_body_util::{BodyExt as _, Full};
use hyper::body::Bytes;
use hyper::client::conn::http1::{SendRequest, handshake};
use hyper_util::rt::TokioIo;
use rustls::pki_types::ServerName;
use serde::Deserialize;
use tokio::net::TcpStream;
use tokio_rustls::TlsConnector;

/// A keep-alive connection.
pub(crate) struct Connection(SendRequest<Full<Bytes>>);

#[derive(Deserialize)]
struct Review {
    response: Response,
}

#[derive(Deserialize)]
struct Response {
    allowed: bool,
}

impl Connection {
    pub(crate) async fn open(port: u16, tls: &TlsConnector) -> io::Result<Self> {
        let stream = TcpStream::connect(("127.0.0.1", port)).await?;
        stream.set_nodelay(true)?;
        let name = ServerName::try_from("localhost").map_err(io::Error::other)?;
        let stream = tls.connect(name, stream).await?;
        let (sender, connection) =
            handshake(TokioIo::new(stream)).await.map_err(io::Error::other)?;
        tokio::spawn(connection);
        Ok(Self(sender))
    }

    /// Sends requests for the given time, at least one, and returns their latencies.
    pub(crate) async fn send(
        mut self,
        path: String,
        body: Bytes,
        is_allowed: bool,
        time: Duration,
    ) -> Vec<Duration> {
        let mut latencies = Vec::new();
        let begin = Instant::now();
        loop {
            let request = hyper::Request::post(&path)
                .header("host", "localhost")
                .header("content-type", "application/json")
                .body(Full::new(body.clone()))
                .unwrap();
            let start = Instant::now();
            let response = self.0.send_request(request).await.unwrap();
            let status = response.status();
            let answer = response.into_body().collect().await.unwrap().to_bytes();
            latencies.push(start.elapsed());
            let text = String::from_utf8_lossy(&answer);
            assert_eq!(status, 200, "{text}");
            let review: Review = serde_json::from_slice(&answer).unwrap();
            assert_eq!(review.response.allowed, is_allowed, "{text}");
            if begin.elapsed() >= time {
                return latencies;
            }
        }
    }
}
