// SPDX-License-Identifier: Apache-2.0
use std::path::Path;
use std::time::Instant;

use serde_json::json;
use tokio::net::TcpSocket;

use super::control_plane::{POLL_INTERVAL, READY_DEADLINE, TestCluster, is_ready, reserve_port};
use super::objects;
use super::process::Process;
use super::user::User;

/// Flags of a server that shares etcd, certificates and permissions with the cluster.
const FLAGS: &[&str] = &[
    "--etcd-servers=unix://etcd:1",
    "--bind-address=127.0.0.1",
    "--permit-port-sharing=true",
    "--tls-cert-file=server.crt",
    "--tls-private-key-file=server.key",
    "--enable-priority-and-fairness=false",
    "--profiling=false",
];

/// Another API server in the cluster's folder.
///
/// It ends when dropped, which has to happen before the cluster ends.
pub(crate) struct AggregatedServer {
    _process: Process,
    /// A member of `system:masters`, connected directly to this server.
    pub(crate) admin: User,
    port: u16,
    _socket: TcpSocket,
}

impl AggregatedServer {
    /// Starts the program under its own name, and waits until it is ready.
    pub(crate) async fn start(
        cluster: &TestCluster,
        program: &Path,
        name: &str,
        flags: &[String],
    ) -> AggregatedServer {
        let (socket, port) = reserve_port();
        let url = format!("https://127.0.0.1:{port}");
        let kubeconfig = cluster.admin.kubeconfig.display();
        let mut arguments: Vec<String> = FLAGS.iter().copied().map(String::from).collect();
        arguments.push(format!("--secure-port={port}"));
        for flag in ["kubeconfig", "authentication-kubeconfig", "authorization-kubeconfig"] {
            arguments.push(format!("--{flag}={kubeconfig}"));
        }
        arguments.extend_from_slice(flags);
        let mut process = Process::start(program, &arguments, cluster.folder(), name);
        let admin = cluster.admin_of(&url, &format!("admin-of-{name}")).await;
        let deadline = Instant::now() + READY_DEADLINE;
        while !is_ready(&admin).await {
            process.assert_running();
            assert!(Instant::now() < deadline, "not ready in time: {}", process.log_end());
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        AggregatedServer { _process: process, admin, port, _socket: socket }
    }

    /// Registers APIServices, so that the cluster's API server forwards requests for these API groups.
    pub(crate) async fn serve(&self, cluster: &TestCluster, groups: &[(&str, &str)]) {
        let service = json!({
            "apiVersion": "v1", "kind": "Service",
            "metadata": {"name": "aggregated", "namespace": "default"},
            "spec": {"type": "ExternalName", "externalName": "localhost", "ports": [{"port": self.port}]},
        });
        let client = &cluster.admin.client;
        objects::apply(client, &service.to_string()).await;
        for (group, version) in groups {
            let api = json!({
                "apiVersion": "apiregistration.k8s.io/v1", "kind": "APIService",
                "metadata": {"name": format!("{version}.{group}")},
                "spec": {
                    "group": group, "version": version,
                    "groupPriorityMinimum": 9000, "versionPriority": 10,
                    "insecureSkipTLSVerify": true,
                    "service": {"name": "aggregated", "namespace": "default", "port": self.port},
                },
            });
            objects::apply(client, &api.to_string()).await;
        }
    }
}
