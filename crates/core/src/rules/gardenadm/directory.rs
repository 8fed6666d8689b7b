// SPDX-License-Identifier: Apache-2.0
use crate::admission::rule;

rule! {
    page: include_str!("directory.md"),
    id: "gardenadm/directory",
    summary: "rejects a directory of manifests with which `gardenadm` fails",
    phase: Admission,
    level: Deny,
    entry_point: Offline,
    scopes: [
        Shoot [Create];
        Project [Create];
        CloudProfile [Create];
        ShootState [Create];
        SecretBinding [Create];
        CredentialsBinding [Create];
        ControllerRegistration [Create];
        ControllerDeployment [Create];
        Extension [Create];
        WorkloadIdentity [Create];
    ],
    findings: {
        pub OBJECT_MISSING = "gardenadm/object-missing": "a directory has no CloudProfile, Project or Shoot",
        pub OBJECT_REPEATED = "gardenadm/object-repeated": "a directory has two objects of a kind of which `gardenadm` accepts one",
        pub UNDECODABLE = "gardenadm/undecodable": "`gardenadm` cannot decode a document",
        pub CONTROL_PLANE = "gardenadm/control-plane-missing": "no worker pool of the Shoot runs the control plane",
        pub EXTENSION_MISSING = "gardenadm/extension-missing": "no ControllerRegistration or Extension supports a type that the Shoot uses",
        pub DEPLOYMENT = "gardenadm/deployment-missing": "a required extension does not have exactly one ControllerDeployment",
    },
    check: External,
}
