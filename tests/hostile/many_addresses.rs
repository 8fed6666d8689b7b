// SPDX-License-Identifier: Apache-2.0
//! Connections of many addresses whose clients do not read the responses.

use std::net::{IpAddr, Ipv4Addr};
use std::time::Duration;

use axum::body::Bytes;
use rstest::rstest;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::connections::raise_file_limit;
use crate::metrics_port::SOON;
use crate::ordinary::update;
use crate::target::{JSON, Target};
use crate::trial::Trial;

/// Number of connections of all addresses together, more than the HTTPS port has for 512 MiB.
const CONNECTIONS: usize = 1_300;
/// Pause between the first connections.
const BETWEEN: Duration = Duration::from_millis(2);
/// Duration of an attack; the server ends unread responses after 10 seconds.
const SECONDS: Duration = Duration::from_secs(14);

/// How a client leaves a response unread.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Unread {
    /// HTTP/2 with a flow-control window of 0.
    Http2,
    /// HTTP/1.1, without reading.
    Http1,
}

/// A request whose response is not read.
#[derive(Clone, Debug)]
pub(crate) struct Request {
    pub(crate) path: &'static str,
    /// A review; a GET request if empty.
    pub(crate) body: Bytes,
}

/// Returns the addresses of this number of attackers.
pub(crate) fn attackers(number: u8) -> Vec<IpAddr> {
    let addresses = (0..number).map(|it| Ipv4Addr::new(127, 0, 0, 100 + it).into());
    addresses.collect()
}

/// Holds connections of some addresses with an unread response each, and replaces closed ones.
pub(crate) async fn hold_unread(
    target: &Target,
    unread: Unread,
    request: &Request,
    (addresses, connections): (u8, usize),
    time: Duration,
) {
    raise_file_limit();
    let end = Instant::now() + time;
    let mut held = JoinSet::new();
    let addresses = attackers(addresses);
    for from in addresses.into_iter().cycle().take(connections) {
        let (target, request) = (target.clone(), request.clone());
        held.spawn(async move {
            while Instant::now() < end {
                let one = async {
                    match unread {
                        Unread::Http2 => http2(&target, from, &request).await,
                        Unread::Http1 => http1(&target, from, &request).await,
                    }
                };
                let _ = timeout_at(end, one).await;
                sleep(SOON).await;
            }
        });
        sleep(BETWEEN).await;
    }
    held.join_all().await;
}

/// Returns when the server closes the connection.
async fn http2(target: &Target, from: IpAddr, request: &Request) -> Option<()> {
    let stream = target.http2(from).await.ok()?;
    let mut builder = h2::client::Builder::new();
    let builder = builder.initial_window_size(0);
    let (mut client, connection) = builder.handshake::<_, Bytes>(stream).await.ok()?;
    let head = http::Request::builder().uri(target.url(request.path));
    let head = if request.body.is_empty() {
        head.body(())
    } else {
        head.method("POST").header("content-type", JSON).body(())
    };
    let is_get = request.body.is_empty();
    let (_response, mut sending) = client.send_request(head.ok()?, is_get).ok()?;
    if !is_get {
        sending.send_data(request.body.clone(), true).ok()?;
    }
    connection.await.ok()
}

async fn http1(target: &Target, from: IpAddr, request: &Request) -> Option<()> {
    let mut stream = target.tls(from).await.ok()?;
    let (path, length) = (request.path, request.body.len());
    let head = match length {
        0 => format!("GET {path} HTTP/1.1\r\nhost: x\r\n\r\n"),
        _ => format!(
            "POST {path} HTTP/1.1\r\nhost: x\r\ncontent-type: {JSON}\r\ncontent-length: {length}\r\n\r\n"
        ),
    };
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(&request.body).await.ok()?;
    stream.flush().await.ok()?;
    // The kernel has received the response. Reading it here only detects that the server closes the connection.
    stream.read_to_end(&mut Vec::new()).await.ok()?;
    Some(())
}

fn review() -> Request {
    Request { path: "/validate", body: update().to_string().into() }
}

#[rstest]
#[case::two("C1 unread reviews, HTTP/2, 2 addresses", Unread::Http2, 2)]
#[case::five("C1 unread reviews, HTTP/2, 5 addresses", Unread::Http2, 5)]
#[case::ten("C1 unread reviews, HTTP/2, 10 addresses", Unread::Http2, 10)]
#[case::fifty("C1 unread reviews, HTTP/2, 50 addresses", Unread::Http2, 50)]
#[case::five_http1("C1 unread reviews, HTTP/1.1, 5 addresses", Unread::Http1, 5)]
fn unread_reviews(#[case] name: &'static str, #[case] unread: Unread, #[case] addresses: u8) {
    let trial = Trial::new(name);
    trial.withstands(async |target| {
        let number = (addresses, CONNECTIONS);
        hold_unread(target, unread, &review(), number, SECONDS).await;
        vec![]
    });
}
