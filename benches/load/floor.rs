// SPDX-License-Identifier: Apache-2.0
//! Baseline servers that allow everything: one only parses the body as JSON, the other only reads it.

use std::path::Path;
use std::sync::Arc;

use axum::body::Bytes;
use axum::routing::post;
use axum::{Json, Router};
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

use crate::server::{CERTIFICATE, KEY};

/// The processing of a body.
#[derive(Clone, Copy)]
pub(crate) enum Does {
    /// Parses the body as a `Value`.
    Parse,
    /// Only reads the body, the minimum for any webhook.
    Read,
}

impl Does {
    fn router(self) -> Router {
        let entry_point = match self {
            Self::Parse => post(parse),
            Self::Read => post(read),
        };
        Router::new().route("/validate", entry_point.clone()).route("/mutate", entry_point)
    }
}

/// Serves until it is killed, with the certificate in the folder.
pub(crate) fn serve(does: Does, port: u16, folder: &Path) {
    let chain = vec![CertificateDer::from_pem_file(folder.join(CERTIFICATE)).unwrap()];
    let key = PrivateKeyDer::from_pem_file(folder.join(KEY)).unwrap();
    let config =
        rustls::ServerConfig::builder().with_no_client_auth().with_single_cert(chain, key).unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    tokio::runtime::Runtime::new().unwrap().block_on(accept(port, acceptor, does.router()));
}

async fn accept(port: u16, acceptor: TlsAcceptor, router: Router) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (acceptor, router) = (acceptor.clone(), router.clone());
        tokio::spawn(async move {
            let stream = TokioIo::new(acceptor.accept(stream).await.unwrap());
            let service = hyper::service::service_fn(|request| router.clone().oneshot(request));
            let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
            // A connection closed by the client is not a failure.
            let _ = server.serve_connection(stream, service).await;
        });
    }
}

async fn parse(Json(review): Json<Value>) -> Json<Value> {
    allow(&review["request"]["uid"])
}

async fn read(_: Bytes) -> Json<Value> {
    allow(&Value::Null)
}

fn allow(uid: &Value) -> Json<Value> {
    let response = json!({"uid": uid, "allowed": true});
    Json(
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}),
    )
}
