// SPDX-License-Identifier: Apache-2.0
//! Announced bodies that never arrive completely.

use std::time::Duration;

use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep, sleep_until};

use crate::target::{NEIGHBOUR, Target};
use crate::trial::Trial;

const SECONDS: Duration = Duration::from_secs(8);
/// The maximum size of a body, with an unsent margin.
const LARGE: usize = (8 << 20) - (1 << 10);
/// Pause before the body is sent on a new connection, since handshakes are not under test.
const PAUSE: Duration = Duration::from_secs(1);
/// Time in which the server expects a body.
const BETWEEN: Duration = Duration::from_secs(3);
const SMALL: usize = 500;

/// Repeatedly sends all but the last byte of a body.
async fn stall(target: &Target, bytes: usize) -> Option<()> {
    let mut stream = target.tls(NEIGHBOUR).await.ok()?;
    let length = bytes + 1;
    let head = format!(
        "POST /validate?timeout=30s HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: {length}\r\n\r\n"
    );
    stream.write_all(head.as_bytes()).await.ok()?;
    stream.write_all(&vec![b' '; bytes]).await.ok()?;
    stream.flush().await.ok()?;
    stream.read_to_end(&mut Vec::new()).await.ok()?;
    Some(())
}

/// Stalls bodies of each size; those of the next size begin when the previous ones should be complete.
async fn stall_all(target: &Target, sizes: &[(usize, usize)]) -> Vec<String> {
    let end = Instant::now() + SECONDS;
    let mut stalled = JoinSet::new();
    for (bytes, number) in sizes.iter().copied() {
        for _ in 0..number {
            let target = target.clone();
            stalled.spawn(async move {
                loop {
                    stall(&target, bytes).await;
                    sleep(PAUSE).await;
                }
            });
        }
        sleep(BETWEEN).await;
    }
    sleep_until(end).await;
    stalled.shutdown().await;
    vec![]
}

#[test]
fn large_and_small_ones() {
    let trial = Trial::new("A6 stalled bodies");
    trial.withstands(async |target| stall_all(target, &[(LARGE, 16), (SMALL, 40)]).await);
}

#[test]
fn very_many_small_ones() {
    let trial = Trial::new("A6 stalled bodies of 64 KiB");
    trial.withstands(async |target| stall_all(target, &[(64 << 10, 200)]).await);
}
