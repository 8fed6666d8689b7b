// SPDX-License-Identifier: Apache-2.0
use std::io::{BufRead as _, BufReader, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};

/// A process that is killed when dropped.
pub(crate) struct Killed(pub(crate) Child);

impl Drop for Killed {
    fn drop(&mut self) {
        self.0.kill().unwrap();
        self.0.wait().unwrap();
    }
}

/// The chart relies on this: one address serves clusters with IPv4, with IPv6 and with both.
#[test]
fn the_unspecified_address_of_ipv6_is_that_of_ipv4_too() {
    if let Err(error) = TcpListener::bind((Ipv6Addr::LOCALHOST, 0)) {
        let line = format!("test listening DID NOT RUN: there is no IPv6 here: {error}\n");
        std::io::stderr().write_all(line.as_bytes()).unwrap();
        return;
    }
    let directory = tempfile::TempDir::new().unwrap();
    let child = Command::new(env!("CARGO_BIN_EXE_garden-gate"))
        .args(["serve", "--garden", ".", "--listen", "[::]:0"])
        .current_dir(directory.path())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn();
    let mut gate = Killed(child.unwrap());
    let mut line = String::new();
    let mut stdout = BufReader::new(gate.0.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let address = line.trim_end().strip_prefix("garden-gate listening on https://");
    let address: SocketAddr = address.unwrap().parse().unwrap();
    TcpStream::connect((Ipv4Addr::LOCALHOST, address.port())).unwrap();
    TcpStream::connect((Ipv6Addr::LOCALHOST, address.port())).unwrap();
}
