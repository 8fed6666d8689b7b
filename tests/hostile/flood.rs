// SPDX-License-Identifier: Apache-2.0
use std::time::Duration;

use tokio::io::{AsyncRead, AsyncReadExt as _, AsyncWrite, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, timeout_at};

use crate::target::{NEIGHBOUR, Target};

const SECONDS: Duration = Duration::from_secs(5);
/// Number of parallel connections.
const HANDS: usize = 4;
/// Pause after a closed connection.
const PAUSE: Duration = Duration::from_millis(20);

/// The protocol of a connection.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Protocol {
    Http1,
    Http2,
}

/// Returns the next bytes to write; `turn` counts from 0 on each connection.
pub(crate) type Batch = fn(turn: u32) -> Vec<u8>;

/// Writes `opening`, and then batches for some seconds, on connections that are reopened when closed.
///
/// Responses are discarded.
pub(crate) async fn flood(
    target: &Target,
    protocol: Protocol,
    opening: &[u8],
    batch: Batch,
) -> Vec<String> {
    let end = Instant::now() + SECONDS;
    let mut hands = JoinSet::new();
    for _ in 0..HANDS {
        let (target, opening) = (target.clone(), opening.to_vec());
        hands.spawn(async move {
            while Instant::now() < end {
                let written = write(&target, protocol, &opening, batch);
                let _ = timeout_at(end, written).await;
                sleep(PAUSE).await;
            }
        });
    }
    hands.join_all().await;
    vec![]
}

async fn write(target: &Target, protocol: Protocol, opening: &[u8], batch: Batch) -> Option<()> {
    let stream = match protocol {
        Protocol::Http1 => target.tls(NEIGHBOUR).await,
        Protocol::Http2 => target.http2(NEIGHBOUR).await,
    };
    let (reader, writer) = tokio::io::split(stream.ok()?);
    tokio::select! {
        () = drain(reader) => None,
        written = send(writer, opening, batch) => written,
    }
}

async fn drain(mut reader: impl AsyncRead + Unpin) {
    let mut buffer = vec![0; 64 << 10];
    while let Ok(1..) = reader.read(&mut buffer).await {}
}

async fn send(mut writer: impl AsyncWrite + Unpin, opening: &[u8], batch: Batch) -> Option<()> {
    writer.write_all(opening).await.ok()?;
    for turn in 0.. {
        writer.write_all(&batch(turn)).await.ok()?;
    }
    Some(())
}
