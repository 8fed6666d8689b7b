//! The threads of requests.
//!
//! Nothing else runs on them, so that a garden that changes keeps no request waiting. They are half as many as there are processors:
//! a small request takes about as long as it takes to wake a thread for it, so that few threads that are busy need less than many
//! that wait. What is large is judged on other threads, one for each processor.

use std::io;
use std::num::NonZero;
use std::thread::available_parallelism;

use tokio::net::TcpListener;
use tokio::runtime::{Builder, Handle, Runtime};

/// They end when this is dropped, whatever they are at.
#[derive(Debug)]
pub(super) struct Threads {
    /// For whoever runs something on them.
    pub(super) handle: Handle,
    runtime: Option<Runtime>,
}

impl Threads {
    pub(super) fn start() -> io::Result<Self> {
        let processors = available_parallelism().map_or(1, NonZero::get);
        let runtime = Builder::new_multi_thread()
            .thread_name("requests")
            .worker_threads((processors / 2).max(1))
            .enable_all()
            .build()?;
        Ok(Self {
            handle: runtime.handle().clone(),
            runtime: Some(runtime),
        })
    }

    /// Has them wait for the connections that come in, and no longer the threads that did so far.
    pub(super) fn take(&self, listener: TcpListener) -> io::Result<TcpListener> {
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
