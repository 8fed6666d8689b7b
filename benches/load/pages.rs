// SPDX-License-Identifier: Apache-2.0
//! Latency of requests while a client reads a published page of a live garden.

use std::ffi::OsStr;
use std::fs;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::thread::{self, JoinHandle};
use std::time::{Duration, Instant};

use reqwest::{Certificate, Client};
use tokio::runtime::Builder;

use crate::api_server::ApiServer;
use crate::requests::Request;
use crate::rounds::{Plan, figures, median};
use crate::server::Place;

/// The time limit of the first forecast, which uses a tenth of a processor.
const TIMEOUT: Duration = Duration::from_mins(5);
/// Pause between two pages, so that the client reads at most 20 a second.
const PAUSE: Duration = Duration::from_millis(50);
/// Polling interval of the first forecast.
const INTERVAL: Duration = Duration::from_millis(100);

/// Prints a table of the same rounds without and with a reader of the list of all Projects.
///
/// The page has one row for each namespace of the Shoots.
pub(crate) async fn measure(shoots: usize, plan: &Plan, requests: &[Request], place: &Place) {
    let api_server = ApiServer::start(Place::free_port(), shoots).await;
    let kubeconfig = place.folder().join("kubeconfig");
    fs::write(&kubeconfig, api_server.kubeconfig().to_string()).unwrap();
    let port = Place::free_port();
    let listen = format!("127.0.0.1:{port}");
    let arguments: [&OsStr; 5] = [
        "--kubeconfig".as_ref(),
        kubeconfig.as_os_str(),
        "--publish-listen".as_ref(),
        listen.as_ref(),
        // No forecast runs during the rounds.
        "--forecast-every=24h".as_ref(),
    ];
    let server = crate::serve("live garden", &arguments, place).await;
    let page = Page {
        url: format!("https://localhost:{port}/forecast"),
        certificate: place.certificate(),
    };
    let bytes = page.published().await;
    println!("\nThe page of {shoots} Shoots has {bytes} bytes.");
    println!(
        "\n| request | pages a second | p50 µs | p99 µs | p50, with/without | p99, with/without |"
    );
    println!("|---|---|---|---|---|---|");
    for request in requests {
        let (mut rounds, mut pages) = (Vec::new(), 0);
        for _ in 0..plan.warm_up + plan.rounds {
            let without = figures(server.round(request, plan.time, place).await);
            let reader = Reader::start(&page);
            let with = figures(server.round(request, plan.time, place).await);
            pages += reader.stop();
            rounds.push([without, with]);
        }
        assert!(plan.time.is_zero() || pages > 0, "no page was read");
        let time = plan.time.as_secs_f64() * rounds.len() as f64;
        let rounds = rounds.split_off(plan.warm_up);
        for (index, pages) in [0.0, pages as f64 / time.max(1e-3)].into_iter().enumerate() {
            let figure = |at: usize| median(rounds.iter().map(|it| it[index][at]));
            let ratio = |at: usize| median(rounds.iter().map(|it| it[index][at] / it[0][at]));
            println!(
                "| {} | {pages:.0} | {:.0} | {:.0} | {:.2} | {:.2} |",
                request.name,
                figure(1),
                figure(2),
                ratio(1),
                ratio(2),
            );
        }
    }
}

/// A published page.
#[derive(Clone)]
struct Page {
    url: String,
    certificate: PathBuf,
}

impl Page {
    fn client(&self) -> Client {
        let certificate = fs::read(&self.certificate).unwrap();
        let certificate = Certificate::from_pem(&certificate).unwrap();
        Client::builder().tls_certs_only([certificate]).build().unwrap()
    }

    /// Returns the status and the size in bytes. The API server accepts every token.
    async fn read(&self, client: &Client) -> (u16, usize) {
        let request = client.get(&self.url).bearer_auth("reader");
        let response = request.send().await.unwrap();
        let status = response.status().as_u16();
        (status, response.bytes().await.unwrap().len())
    }

    /// Waits for the first forecast, and returns the size in bytes.
    async fn published(&self) -> usize {
        let (client, begin) = (self.client(), Instant::now());
        loop {
            match self.read(&client).await {
                (200, bytes) => return bytes,
                (status, _) => assert!(begin.elapsed() < TIMEOUT, "status {status}"),
            }
            tokio::time::sleep(INTERVAL).await;
        }
    }
}

/// A client that reads a page in a loop, on a separate thread.
struct Reader {
    is_stopped: Arc<AtomicBool>,
    thread: JoinHandle<usize>,
}

impl Reader {
    fn start(page: &Page) -> Self {
        let is_stopped = Arc::new(AtomicBool::new(false));
        let (stopped, page) = (Arc::clone(&is_stopped), page.clone());
        let reading = async move {
            let (client, mut pages) = (page.client(), 0);
            while !stopped.load(Ordering::Relaxed) {
                assert_eq!(page.read(&client).await.0, 200);
                pages += 1;
                tokio::time::sleep(PAUSE).await;
            }
            pages
        };
        let thread = thread::spawn(|| {
            let runtime = Builder::new_current_thread().enable_all().build().unwrap();
            runtime.block_on(reading)
        });
        Self { is_stopped, thread }
    }

    /// Returns the number of pages.
    fn stop(self) -> usize {
        self.is_stopped.store(true, Ordering::Relaxed);
        self.thread.join().unwrap()
    }
}
