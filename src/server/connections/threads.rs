//! The threads of connections.
//!
//! Nothing else runs on them, so that a garden that changes keeps no request waiting. They are half as many as there are processors:
//! a small request takes about as long as it takes to wake a thread for it, so that few threads that are busy need less than many
//! that wait. Requests that are large, or look up much, are judged on other threads, one for each processor.

use std::io;
use std::num::NonZero;
use std::thread::available_parallelism;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle, Runtime};

/// After so many turns of connections that are busy it is looked whether there is something new of others.
const EVENTS: u32 = 8;

/// They end when this is dropped, whatever they are at.
#[derive(Debug)]
pub(in crate::server) struct Threads {
    /// For whoever runs something on them.
    pub(in crate::server) handle: Handle,
    runtime: Option<Runtime>,
}

impl Threads {
    pub(in crate::server) fn start() -> io::Result<Self> {
        let runtime = Builder::new_multi_thread()
            .thread_name("requests")
            .worker_threads((processors() / 2).max(1))
            .event_interval(EVENTS)
            .enable_all()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    /// Has them wait for the connections that come in, and no longer the threads that did so far.
    pub(in crate::server) fn take(&self, listener: TcpListener) -> io::Result<TcpListener> {
        let listener = listener.into_std()?;
        let _entered = self.handle.enter();
        TcpListener::from_std(listener)
    }
}

impl Drop for Threads {
    fn drop(&mut self) {
        // Nobody waits for them, which a task must not.
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

/// How many processors there are for us.
pub(in crate::server) fn processors() -> usize {
    available_parallelism().map_or(1, NonZero::get)
}

#[cfg(test)]
mod tests {
    use std::thread;

    use tokio::net::TcpListener;

    use super::Threads;

    #[tokio::test]
    async fn what_runs_on_them_waits_for_nobody_else() {
        let threads = Threads::start().unwrap();
        let listener = TcpListener::bind(("127.0.0.1", 0)).await.unwrap();
        let address = listener.local_addr().unwrap();
        let listener = threads.take(listener).unwrap();
        let accepted = threads.handle.spawn(async move {
            listener.accept().await.unwrap();
            thread::current().name().map(str::to_owned)
        });
        // The only thread of this test is busy until the connection is accepted, which it must not be needed for.
        let connect = thread::spawn(move || std::net::TcpStream::connect(address).unwrap());
        while !accepted.is_finished() {
            thread::yield_now();
        }
        assert_eq!(accepted.await.unwrap().as_deref(), Some("requests"));
        connect.join().unwrap();
    }

    #[tokio::test]
    async fn they_end_with_what_holds_them() {
        let threads = Threads::start().unwrap();
        let endless = threads.handle.spawn(std::future::pending::<()>());
        drop(threads);
        assert!(endless.await.unwrap_err().is_cancelled());
    }
}
