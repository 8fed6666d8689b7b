//! A server of the gate's parts that only parses the body as JSON and allows it.

use std::path::Path;
use std::sync::Arc;

use axum::Json;
use axum::routing::post;
use hyper_util::rt::{TokioExecutor, TokioIo};
use rustls::pki_types::pem::PemObject as _;
use rustls::pki_types::{CertificateDer, PrivateKeyDer};
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio_rustls::TlsAcceptor;
use tower::ServiceExt as _;

use crate::server::{CERTIFICATE, KEY};

/// Serves until it is killed, with the certificate that lies in the folder.
pub(crate) fn serve(port: u16, folder: &Path) {
    let chain = vec![CertificateDer::from_pem_file(folder.join(CERTIFICATE)).unwrap()];
    let key = PrivateKeyDer::from_pem_file(folder.join(KEY)).unwrap();
    let config = rustls::ServerConfig::builder()
        .with_no_client_auth()
        .with_single_cert(chain, key)
        .unwrap();
    let acceptor = TlsAcceptor::from(Arc::new(config));
    let router = axum::Router::new()
        .route("/validate", post(allow))
        .route("/mutate", post(allow));
    tokio::runtime::Runtime::new()
        .unwrap()
        .block_on(accept(port, acceptor, router));
}

async fn accept(port: u16, acceptor: TlsAcceptor, router: axum::Router) {
    let listener = TcpListener::bind(("127.0.0.1", port)).await.unwrap();
    loop {
        let (stream, _) = listener.accept().await.unwrap();
        stream.set_nodelay(true).unwrap();
        let (acceptor, router) = (acceptor.clone(), router.clone());
        tokio::spawn(async move {
            let stream = TokioIo::new(acceptor.accept(stream).await.unwrap());
            let service = hyper::service::service_fn(|request| router.clone().oneshot(request));
            let server = hyper_util::server::conn::auto::Builder::new(TokioExecutor::new());
            // A connection that the client closes is no failure of the floor.
            let _ = server.serve_connection(stream, service).await;
        });
    }
}

async fn allow(Json(review): Json<Value>) -> Json<Value> {
    let response = json!({"uid": review["request"]["uid"], "allowed": true});
    Json(
        json!({"apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "response": response}),
    )
}
