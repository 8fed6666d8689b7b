// SPDX-License-Identifier: Apache-2.0
//! Connections and requests to the port of published pages.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Bytes;
use axum::http::header::ACCEPT_ENCODING;
use reqwest::Client;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;
use tokio::io::AsyncWriteExt as _;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep};

use crate::common::free_address;
use crate::flood::{Protocol, flood};
use crate::live_api_server::ApiServer;
use crate::many_addresses::{Request, Unread, hold_unread};
use crate::metrics_port::{SOON, hold};
use crate::questions;
use crate::target::{FRIEND, NEIGHBOUR, Target};
use crate::trial::{Trial, report};
/// The duration of an attack, that of [`flood`].
const SECONDS: Duration = Duration::from_secs(5);
/// Interval at which an ordinary reader requests a page.
const PACE: Duration = Duration::from_millis(250);
/// Number of requests in a write of the flood.
const BATCH: u32 = 50;
/// Number of clients that request a large page without a pause, with a connection each.
const READERS: usize = 48;
/// Number of clients that request the page and do not read it.
const SILENT_READERS: usize = 16;
/// Number of Shoots of a large page, of about 750 bytes each.
const SHOOTS: usize = 200;

const PAGE: &str = "/audit?project=dev";
const TOKEN: &str = "t-ben";

/// An API server with a Project that a user may read, and the address for its pages.
struct Garden {
    _server: ApiServer,
    folder: TempDir,
    address: SocketAddr,
}

impl Garden {
    /// Returns the garden of the examples, and this number of Shoots with findings.
    fn new(shoots: usize) -> Self {
        let (server, folder) = questions::garden();
        server.hold(&(0..shoots).map(shoot).collect::<Vec<_>>());
        let mut script = server.script();
        script.users.insert(TOKEN.to_owned(), "ben");
        script.readers.push(("ben", "garden-dev"));
        drop(script);
        Self { _server: server, folder, address: free_address() }
    }

    fn trial(&self, name: &'static str) -> Trial {
        Trial::live(name, &self.folder.path().join("kubeconfig"))
            .flag("--publish-listen", &self.address.to_string())
            .awaits("forecast the maintenance of Shoots")
    }

    fn port(&self, target: &Target) -> Target {
        target.at(self.address)
    }
}

/// Returns a Shoot whose findings are long and need little time.
fn shoot(number: usize) -> Value {
    json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "Shoot",
        "metadata": {"name": format!("s{number}"), "namespace": "garden-dev"},
        "spec": {
            "cloudProfile": {"kind": "CloudProfile", "name": "missing-".repeat(30)}, "region": "r",
            "kubernetes": {"version": "1.34.4"}, "provider": {"type": "local"},
        },
    })
}

/// Requests a page, which may be compressed; returns its status and its size in bytes.
async fn read(client: &Client, port: &Target, page: &str) -> Option<(u16, usize)> {
    let request = client.get(port.url(page)).bearer_auth(TOKEN).header(ACCEPT_ENCODING, "gzip");
    let response = request.send().await.ok()?;
    let status = response.status().as_u16();
    Some((status, response.bytes().await.ok()?.len()))
}

/// Reads the page at a constant rate during an attack, over a kept and new connections; returns the failures.
async fn read_meanwhile(port: &Target, attack: impl Future<Output = ()>) -> Vec<String> {
    let kept = port.client(FRIEND).build().unwrap();
    let new = port.client(FRIEND).pool_max_idle_per_host(0);
    let clients = [kept, new.build().unwrap()];
    let reading = async {
        let (begin, mut failures) = (Instant::now(), Vec::new());
        let (mut pages, mut slowest) = (0, Duration::ZERO);
        for client in clients.iter().cycle() {
            if begin.elapsed() + PACE >= SECONDS {
                break;
            }
            let asked = Instant::now();
            let answer = read(client, port, PAGE).await;
            let took = asked.elapsed();
            (pages, slowest) = (pages + 1, slowest.max(took));
            if !matches!(answer, Some((200, _))) {
                failures.push(format!("a page after {took:?}: {answer:?}"));
            }
            sleep(PACE).await;
        }
        report(&format!("{} of {pages} pages, slowest {slowest:.0?}", pages - failures.len()));
        failures
    };
    let (failures, ()) = tokio::join!(reading, attack);
    failures
}

/// Returns requests without a token and with invented ones.
fn unauthorized(turn: u32) -> Vec<u8> {
    let requests = (0..BATCH).map(|number| {
        let token = match number % 2 {
            0 => String::new(),
            _ => format!("authorization: Bearer invented-{turn}-{number}\r\n"),
        };
        format!("GET {PAGE} HTTP/1.1\r\nhost: x\r\n{token}\r\n")
    });
    requests.collect::<String>().into_bytes()
}

/// Requests the page over a connection, and does not read the response.
async fn leave_unread(port: &Target) -> Option<()> {
    let mut stream = port.tls(NEIGHBOUR).await.ok()?;
    let request =
        format!("GET {PAGE} HTTP/1.1\r\nhost: x\r\nauthorization: Bearer {TOKEN}\r\n\r\n");
    stream.write_all(request.as_bytes()).await.ok()?;
    sleep(SECONDS).await;
    Some(())
}

/// Reads the page with many clients; returns the sizes of all pages in bytes.
async fn read_all(port: &Target, page: &'static str) -> Vec<usize> {
    let end = Instant::now() + SECONDS;
    let (mut readers, mut unread) = (JoinSet::new(), JoinSet::new());
    for _ in 0..SILENT_READERS {
        let port = port.clone();
        unread.spawn(async move { leave_unread(&port).await });
    }
    for _ in 0..READERS {
        let port = port.clone();
        readers.spawn(async move {
            let (client, mut pages) = (port.client(NEIGHBOUR).build().unwrap(), Vec::new());
            while Instant::now() < end {
                if let Some((200, bytes)) = read(&client, &port, page).await {
                    pages.push(bytes);
                }
            }
            pages
        });
    }
    let pages = readers.join_all().await.concat();
    unread.shutdown().await;
    pages
}

#[test]
fn silent_connections() {
    let garden = Garden::new(0);
    let trial = garden.trial("A9 300 silent connections to the publish port");
    trial.withstands(async |target| {
        let ends = (&[NEIGHBOUR][..], garden.address);
        let attack = hold(target, ends, 300, (SECONDS, SOON));
        read_meanwhile(&garden.port(target), attack).await
    });
}

#[rstest]
#[case::two("C2 unread responses of the publish port, 2 addresses", 2)]
#[case::five("C2 unread responses of the publish port, 5 addresses", 5)]
#[case::fifty("C2 unread responses of the publish port, 50 addresses", 50)]
fn unread_responses_of_many_addresses(#[case] name: &'static str, #[case] addresses: u8) {
    let garden = Garden::new(0);
    let trial = garden.trial(name);
    trial.withstands(async |target| {
        let (port, body) = (garden.port(target), Bytes::new());
        let request = Request { path: PAGE, body };
        let attack = hold_unread(&port, Unread::Http2, &request, (addresses, 300), SECONDS);
        read_meanwhile(&port, attack).await
    });
}

#[test]
fn unauthorized_requests() {
    let garden = Garden::new(0);
    let trial = garden.trial("A9 requests without a valid token").repeats();
    trial.withstands(async |target| {
        let port = garden.port(target);
        let attack = async { drop(flood(&port, Protocol::Http1, b"", unauthorized).await) };
        read_meanwhile(&port, attack).await
    });
}

#[rstest]
#[case::audit("A9 many readers of a large page", PAGE)]
#[case::site("A9 many readers of the site", "/?project=dev")]
#[case::document("A9 many readers of a document", "/api/v1/projects/garden-dev?project=dev")]
fn many_readers_of_a_large_page(#[case] name: &'static str, #[case] page: &'static str) {
    let garden = Garden::new(SHOOTS);
    let trial = garden.trial(name).repeats();
    trial.withstands(async |target| {
        let pages = read_all(&garden.port(target), page).await;
        let (pages, bytes) = (pages.len(), pages.iter().copied().max().unwrap_or_default());
        report(&format!("{pages} pages of {bytes} bytes in {SECONDS:?}"));
        if pages > READERS && bytes > 1 << 10 {
            vec![]
        } else {
            // The attack did not take place.
            vec![format!("only {pages} pages of {bytes} bytes were read")]
        }
    });
}
