// SPDX-License-Identifier: Apache-2.0
use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::common::Gate;

/// Interval of readiness probes: shorter than a kubelet's, to save time in the test.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);

/// A replacement of a Kubernetes Service.
///
/// A new connection goes to a replica that was ready at its last probe.
pub(crate) struct Service {
    /// The URL, `https://127.0.0.1:PORT`.
    pub(crate) url: String,
    endpoints: Arc<Endpoints>,
    /// Tasks that end when dropped.
    _tasks: JoinSet<()>,
}

#[derive(Default)]
struct Endpoints {
    replicas: Mutex<Vec<Replica>>,
    next: AtomicUsize,
}

#[derive(Clone)]
struct Replica {
    address: SocketAddr,
    /// The URL of the readiness probe.
    probe: String,
    is_ready: bool,
}

impl Service {
    pub(crate) async fn start() -> Service {
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let url = format!("https://{}", listener.local_addr().unwrap());
        let endpoints = Arc::<Endpoints>::default();
        let mut tasks = JoinSet::new();
        tasks.spawn(forward(listener, Arc::clone(&endpoints)));
        tasks.spawn(probe(Arc::clone(&endpoints)));
        Service { url, endpoints, _tasks: tasks }
    }

    /// Adds a replica; it gets no connection before it is ready.
    pub(crate) async fn add(&self, gate: &Gate) {
        let replica = Replica {
            address: gate.url.strip_prefix("https://").unwrap().parse().unwrap(),
            probe: format!("{}/readyz", gate.metrics_url().await),
            is_ready: false,
        };
        self.endpoints.replicas.lock().unwrap().push(replica);
    }

    /// Returns the number of ready replicas.
    pub(crate) fn ready(&self) -> usize {
        self.endpoints.ready().len()
    }
}

impl Endpoints {
    fn ready(&self) -> Vec<SocketAddr> {
        let replicas = self.replicas.lock().unwrap();
        let ready = replicas.iter().filter(|replica| replica.is_ready);
        ready.map(|replica| replica.address).collect()
    }

    /// Returns the next replica, in rotation.
    fn pick(&self) -> Option<SocketAddr> {
        let ready = self.ready();
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        ready.get(turn % ready.len().max(1)).copied()
    }
}

/// Forwards connections.
///
/// A connection without a ready replica is closed, as a Service without endpoints refuses it.
async fn forward(listener: TcpListener, endpoints: Arc<Endpoints>) {
    let mut connections = JoinSet::new();
    while let Ok((mut client, _)) = listener.accept().await {
        let Some(address) = endpoints.pick() else {
            continue;
        };
        connections.spawn(async move {
            let mut replica = TcpStream::connect(address).await.unwrap();
            // Either side may close the connection at any time, which the other side notices.
            let _ = copy_bidirectional(&mut client, &mut replica).await;
        });
    }
}

async fn probe(endpoints: Arc<Endpoints>) {
    let client = reqwest::Client::new();
    loop {
        let replicas = endpoints.replicas.lock().unwrap().clone();
        for replica in replicas {
            let answer = client.get(&replica.probe).send().await;
            let is_ready = answer.is_ok_and(|answer| answer.status() == 200);
            let mut replicas = endpoints.replicas.lock().unwrap();
            let known = replicas.iter_mut().find(|it| it.address == replica.address);
            known.unwrap().is_ready = is_ready;
        }
        tokio::time::sleep(PROBE_INTERVAL).await;
    }
}
