// SPDX-License-Identifier: Apache-2.0
//! Idle and nearly idle connections.

use std::net::IpAddr;
use std::time::Duration;

use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};
use tokio::io::{AsyncRead, AsyncWrite, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::target::{FRIEND, NEIGHBOUR, Target};
use crate::trial::Trial;

/// Time for opening connections, and time for which they are held.
const OPENING: Duration = Duration::from_secs(10);
const HELD: Duration = Duration::from_secs(4);
/// Number of connections opened in parallel.
const HANDS: usize = 16;
/// Pause of an attacker after a refused connection.
const REFUSED: Duration = Duration::from_millis(20);

/// The kind of connection that an attacker opens.
#[derive(Clone, Copy, Debug)]
enum Kind {
    /// TCP without a handshake.
    Tcp,
    /// A TLS handshake, and then these bytes.
    Tls(&'static [u8]),
    /// A TLS handshake with HTTP/2, and then these bytes.
    Http2(&'static [u8]),
}

trait Stream: AsyncRead + AsyncWrite + Send + Unpin {}

impl<T: AsyncRead + AsyncWrite + Send + Unpin> Stream for T {}

async fn open(target: &Target, from: IpAddr, kind: Kind) -> Option<Box<dyn Stream>> {
    let (mut stream, bytes): (Box<dyn Stream>, _) = match kind {
        Kind::Tcp => {
            let stream = target.tcp(from, target.address).await.ok()?;
            (Box::new(stream), &b""[..])
        }
        Kind::Tls(bytes) => (Box::new(target.tls(from).await.ok()?), bytes),
        Kind::Http2(bytes) => (Box::new(target.http2(from).await.ok()?), bytes),
    };
    stream.write_all(bytes).await.ok()?;
    stream.flush().await.ok()?;
    Some(stream)
}

/// Opens as many connections as possible, up to a limit, and holds them; closed ones are not opened again.
async fn hold(target: &Target, from: IpAddr, kind: Kind, most: usize) -> Vec<String> {
    raise_file_limit();
    let end = Instant::now() + OPENING;
    let mut hands = JoinSet::new();
    for _ in 0..HANDS {
        let target = target.clone();
        hands.spawn(async move {
            let mut held = Vec::new();
            while held.len() < most / HANDS {
                match timeout_at(end, open(&target, from, kind)).await {
                    Ok(Some(stream)) => held.push(stream),
                    Ok(None) => sleep(REFUSED).await,
                    Err(_) => break,
                }
            }
            held
        });
    }
    let held = hands.join_all().await;
    let opened: usize = held.iter().map(Vec::len).sum();
    sleep(HELD).await;
    drop(held);
    if opened > 100 {
        vec![]
    } else {
        // The attack did not take place.
        vec![format!("only {opened} connections could be opened")]
    }
}

pub(crate) fn raise_file_limit() {
    let Rlimit { maximum, .. } = getrlimit(Resource::Nofile);
    let raised = Rlimit { current: maximum, maximum };
    setrlimit(Resource::Nofile, raised).unwrap();
}

#[test]
fn idle_ones() {
    let trial = Trial::new("A5 idle TLS connections");
    trial.withstands(async |target| hold(target, NEIGHBOUR, Kind::Tls(b""), 8_000).await);
}

#[test]
fn idle_ones_from_where_api_servers_are() {
    let trial = Trial::new("A5 idle TLS connections, HTTP/2, own address");
    trial.withstands(async |target| hold(target, FRIEND, Kind::Http2(b""), 8_000).await);
}

#[test]
fn ones_that_were_used_once() {
    const HEALTH: &[u8] = b"GET /healthz HTTP/1.1\r\nhost: x\r\n\r\n";
    let trial = Trial::new("A5 idle TLS connections after a request");
    trial.withstands(async |target| hold(target, NEIGHBOUR, Kind::Tls(HEALTH), 8_000).await);
}

#[test]
fn ones_without_a_handshake() {
    let trial = Trial::new("A5 TCP connections");
    trial.withstands(async |target| hold(target, NEIGHBOUR, Kind::Tcp, 8_000).await);
}

#[test]
fn ones_that_begin_a_head() {
    let trial = Trial::new("A5 one byte of a head");
    trial.withstands(async |target| hold(target, NEIGHBOUR, Kind::Tls(b"P"), 4_000).await);
}
