// SPDX-License-Identifier: Apache-2.0
//! `garden-gate lsp`: sessions of a client with the built program.

mod client;
mod features;
mod gardens;
mod judging;
mod robustness;

/// A Shoot that the garden of the examples allows.
const SHOOT: &str = "\
apiVersion: core.gardener.cloud/v1beta1
kind: Shoot
metadata:
  name: gateway
  namespace: garden-platform
spec:
  cloudProfile:
    kind: CloudProfile
    name: stratus
  credentialsBindingName: account
  region: us-east-1
  purpose: evaluation
  exposureClassName: internal
  tolerations:
  - key: seed.gardener.cloud/protected
  kubernetes:
    version: 1.34.7
  networking:
    type: calico
    nodes: 10.250.0.0/16
    pods: 100.96.0.0/11
    services: 100.64.0.0/13
  provider:
    type: stratus
    workers:
    - name: pool-a
      machine:
        type: m5.large
        image:
          name: gardenlinux
          version: 1877.5.0
      minimum: 1
      maximum: 3
      volume:
        size: 50Gi
        type: gp3
      zones:
      - us-east-1a
";
