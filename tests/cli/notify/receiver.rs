// SPDX-License-Identifier: Apache-2.0
//! A local receiver of HTTP requests.

use std::io::{self, BufRead as _, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

use rcgen::{CertifiedKey, generate_simple_self_signed};
use rustls::pki_types::{PrivateKeyDer, PrivatePkcs8KeyDer};
use rustls::{ServerConfig, ServerConnection, StreamOwned};
use serde_json::Value;

/// A part of the URL that must not be printed.
pub(super) const SECRET: &str = "T0AAAAAA-v3rys3cr3t-path";

/// A request.
#[derive(Clone, Debug)]
pub(super) struct Received {
    /// The request line and the headers, in lower case.
    pub(super) head: String,
    pub(super) body: String,
}

impl Received {
    pub(super) fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap()
    }
}

/// An answer: status, headers and body.
pub(super) type Answer = (u16, Vec<String>, String);

/// A server that records its requests.
pub(super) struct Receiver {
    pub(super) port: u16,
    /// The certificate in PEM, for HTTPS.
    pub(super) certificate: String,
    scheme: &'static str,
    requests: Arc<Mutex<Vec<Received>>>,
}

pub(super) fn ok() -> Answer {
    (200, Vec::new(), "ok".to_owned())
}

impl Receiver {
    /// Starts a server whose answers depend on the number of the request.
    pub(super) fn start(answer: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Self {
        Self::with(answer, None, String::new())
    }

    /// Starts a server with HTTPS.
    pub(super) fn start_tls(answer: impl Fn(usize) -> Answer + Send + Sync + 'static) -> Self {
        let CertifiedKey { cert, signing_key } =
            generate_simple_self_signed(["localhost".to_owned()]).unwrap();
        let key = PrivateKeyDer::Pkcs8(PrivatePkcs8KeyDer::from(signing_key.serialize_der()));
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .unwrap()
            .with_no_client_auth()
            .with_single_cert(vec![cert.der().clone()], key)
            .unwrap();
        Self::with(answer, Some(Arc::new(config)), cert.pem())
    }

    fn with(
        answer: impl Fn(usize) -> Answer + Send + Sync + 'static,
        tls: Option<Arc<ServerConfig>>,
        certificate: String,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let requests = Arc::<Mutex<Vec<Received>>>::default();
        let scheme = if tls.is_some() { "https" } else { "http" };
        let (kept, answer) = (Arc::clone(&requests), Arc::new(answer));
        thread::spawn(move || {
            for stream in listener.incoming() {
                let (tls, kept, answer) = (tls.clone(), Arc::clone(&kept), Arc::clone(&answer));
                thread::spawn(move || {
                    let stream = stream.unwrap();
                    // A client that disconnects early is a case of its own.
                    let _ = match tls {
                        Some(config) => {
                            let connection = ServerConnection::new(config).unwrap();
                            serve(StreamOwned::new(connection, stream), &kept, &*answer)
                        }
                        None => serve(stream, &kept, &*answer),
                    };
                });
            }
        });
        Self { port, certificate, scheme, requests }
    }

    pub(super) fn url(&self) -> String {
        format!("{}://localhost:{}/services/{SECRET}", self.scheme, self.port)
    }

    pub(super) fn requests(&self) -> Vec<Received> {
        self.requests.lock().unwrap().clone()
    }
}

/// Records a request, and returns the number of earlier ones.
fn record(requests: &Mutex<Vec<Received>>, request: Received) -> usize {
    let mut requests = requests.lock().unwrap();
    requests.push(request);
    requests.len() - 1
}

fn serve(
    stream: impl Read + Write,
    requests: &Mutex<Vec<Received>>,
    answer: &dyn Fn(usize) -> Answer,
) -> io::Result<()> {
    let mut reader = BufReader::new(stream);
    let (mut head, mut length) = (String::new(), 0);
    loop {
        let mut line = String::new();
        if reader.read_line(&mut line)? == 0 || line == "\r\n" {
            break;
        }
        let line = line.to_lowercase();
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse().map_err(io::Error::other)?;
        }
        head += &line;
    }
    let mut body = vec![0; length];
    reader.read_exact(&mut body)?;
    let body = String::from_utf8(body).map_err(io::Error::other)?;
    let number = record(requests, Received { head, body });
    let (status, headers, body) = answer(number);
    let headers: String = headers.iter().map(|it| format!("{it}\r\n")).collect();
    let length = body.len();
    let mut stream = reader.into_inner();
    write!(
        stream,
        "HTTP/1.1 {status} x\r\n{headers}content-length: {length}\r\nconnection: close\r\n\r\n{body}"
    )?;
    stream.flush()
}

/// A port on which nothing listens, and which refuses connections.
pub(super) fn closed_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

/// A mail as a server received it.
#[derive(Clone, Debug, Default)]
pub(super) struct Mail {
    /// The lines of the client before and after the mail.
    pub(super) commands: Vec<String>,
    /// The lines of the mail.
    pub(super) lines: Vec<String>,
}

/// A mail server without TLS that records mails, and answers with this line at the end of the data.
pub(super) fn mail_server(
    greeting: &'static str,
    recipient_answer: &'static str,
) -> (u16, Arc<Mutex<Vec<Mail>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    let mails = Arc::<Mutex<Vec<Mail>>>::default();
    let kept = Arc::clone(&mails);
    thread::spawn(move || {
        for stream in listener.incoming() {
            let kept = Arc::clone(&kept);
            thread::spawn(move || converse(&stream.unwrap(), greeting, recipient_answer, &kept));
        }
    });
    (port, mails)
}

fn converse(
    stream: &TcpStream,
    greeting: &str,
    recipient_answer: &str,
    mails: &Mutex<Vec<Mail>>,
) -> Option<()> {
    let mut lines = BufReader::new(stream).lines();
    let say = |line: &str| (&mut &*stream).write_all(format!("{line}\r\n").as_bytes()).ok();
    say(greeting)?;
    let mut mail = Mail::default();
    while let Some(Ok(line)) = lines.next() {
        let command = line.split([' ', ':']).next().unwrap_or_default().to_uppercase();
        mail.commands.push(line);
        match command.as_str() {
            "EHLO" => say("250-localhost\r\n250 8BITMIME")?,
            "RCPT" => say(recipient_answer)?,
            "DATA" => {
                say("354 go on")?;
                for line in lines.by_ref() {
                    let line = line.ok()?;
                    if line == "." {
                        break;
                    }
                    mail.lines.push(line);
                }
                mails.lock().unwrap().push(std::mem::take(&mut mail));
                say("250 kept")?;
            }
            "QUIT" => {
                say("221 bye")?;
                return Some(());
            }
            _ => say("250 ok")?,
        }
    }
    Some(())
}
