use std::net::SocketAddr;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinSet;

use crate::common::Gate;

/// How often replicas are asked whether they are ready: oftener than a kubelet does, since a test has less time.
const PROBE_INTERVAL: Duration = Duration::from_millis(200);

/// Stands in for a Kubernetes Service: a new connection goes to a replica that said it was ready when it was last asked.
pub(crate) struct Service {
    /// `https://127.0.0.1:PORT`.
    pub(crate) url: String,
    endpoints: Arc<Endpoints>,
    /// Ended when dropped.
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
    /// Where it says whether it is ready.
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
        Service {
            url,
            endpoints,
            _tasks: tasks,
        }
    }

    /// Adds a replica; it gets no connection before it has said that it is ready.
    pub(crate) async fn add(&self, gate: &Gate) {
        let replica = Replica {
            address: gate.url.strip_prefix("https://").unwrap().parse().unwrap(),
            probe: format!("{}/readyz", gate.metrics_url().await),
            is_ready: false,
        };
        self.endpoints.replicas.lock().unwrap().push(replica);
    }

    /// How many replicas get connections.
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

    /// The replica whose turn it is.
    fn pick(&self) -> Option<SocketAddr> {
        let ready = self.ready();
        let turn = self.next.fetch_add(1, Ordering::Relaxed);
        ready.get(turn % ready.len().max(1)).copied()
    }
}

/// A connection for which there is no replica is closed, as one is refused by a Service without endpoints.
async fn forward(listener: TcpListener, endpoints: Arc<Endpoints>) {
    let mut connections = JoinSet::new();
    while let Ok((mut client, _)) = listener.accept().await {
        let Some(address) = endpoints.pick() else {
            continue;
        };
        connections.spawn(async move {
            let mut replica = TcpStream::connect(address).await.unwrap();
            // Either side may go without a word, which the other side notices.
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
