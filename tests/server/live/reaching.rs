// SPDX-License-Identifier: Apache-2.0
use std::net::TcpListener;

use rstest::rstest;
use serde_json::json;

use crate::live::{Printed, World, file};

const SHOOT: &str = "examples/manifests/shoot-allowed.yaml";

fn complaint(printed: &Printed) -> &str {
    assert_eq!((printed.code, printed.out.as_str()), (Some(2), ""));
    assert_eq!(printed.err.lines().count(), 1, "{}", printed.err);
    printed.err.trim_end()
}

#[rstest]
#[case(&["--live", "--kubeconfig", "kubeconfig", "--context", "gardn"], "error: the kubeconfig `kubeconfig` has no context `gardn`; there are `another`, `garden`")]
#[case(&["--live", "--kubeconfig", "nowhere"], "error: failed to use the kubeconfig `nowhere`: No such file or directory (os error 2)")]
#[case(&["--live"], "error: there is no kubeconfig; pass --kubeconfig FILE, or set KUBECONFIG")]
#[case(&["--live", "--kubeconfig", "none-current"], "error: the kubeconfig `none-current` names no current context, so --context has to; there are `only`")]
#[case(&["--live", "--garden", "."], "error: the argument '--live' cannot be used with '--garden <DIR>' (try `--help`)")]
fn what_names_no_garden_is_one_line(#[case] arguments: &[&str], #[case] says: &str) {
    let kubeconfig = json!({"apiVersion": "v1", "kind": "Config", "contexts": [{"name": "only"}]});
    let world =
        World::new(&[("none-current", &kubeconfig.to_string()), ("shoot.yaml", &file(SHOOT))]);
    let printed = world.run(&[&["review", "shoot.yaml"], arguments].concat());
    assert_eq!(complaint(&printed), says);
}

#[rstest]
#[case(&["--kubeconfig", "kubeconfig"])]
#[case(&["--context", "garden"])]
#[case(&["--ask-server"])]
fn live_flags_require_a_live_garden(#[case] arguments: &[&str]) {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    let printed = world.run(&[&["review", "shoot.yaml"], arguments].concat());
    assert!(complaint(&printed).contains("--live"), "{}", printed.err);
}

#[test]
fn unreachable_server_is_named() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap().to_string();
    drop(listener);
    let mut kubeconfig = world.server.kubeconfig();
    kubeconfig["clusters"][0]["cluster"]["server"] = format!("http://{address}").into();
    crate::folder::write(world.folder.path(), "kubeconfig", &kubeconfig.to_string());
    let printed = world.review(&["shoot.yaml"]);
    let expected = "error: the API server `http://ADDRESS/` (context `garden` of the kubeconfig `kubeconfig`) cannot be asked: Connection refused (os error 111)";
    assert_eq!(complaint(&printed).replace(&address, "ADDRESS"), expected);
}

#[test]
fn unauthenticated_user_is_reported() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    world.server.answer("GET /seeds", 401, "Unauthorized");
    let expected = "error: the API server `http://server/` (context `garden` of the kubeconfig `kubeconfig`) does not accept the credentials: the API server answered 401: Unauthorized; log in again";
    assert_eq!(complaint(&world.review(&["shoot.yaml"])), expected);
}

#[test]
fn the_kubeconfig_is_found_as_kubectl_finds_it() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    let kubeconfig = world.server.kubeconfig().to_string();
    crate::folder::write(world.folder.path(), ".kube/config", &kubeconfig);
    let printed = world.run(&["review", "--live", "shoot.yaml"]);
    assert_eq!((printed.code, printed.err.as_str()), (Some(0), ""));
}

#[test]
fn cluster_without_gardener_is_refused() {
    let world = World::new(&[("shoot.yaml", &file(SHOOT))]);
    for plural in [
        "shoots",
        "cloudprofiles",
        "namespacedcloudprofiles",
        "projects",
        "seeds",
        "exposureclasses",
        "managedseeds",
        "quotas",
        "secretbindings",
        "controllerregistrations",
    ] {
        let why = "the server could not find the requested resource";
        world.server.answer(&format!("GET /{plural}"), 404, why);
    }
    let deployments = "GET /apis/core.gardener.cloud/v1/controllerdeployments";
    let why = "the server could not find the requested resource";
    world.server.answer(deployments, 404, why);
    let expected = "error: the API server `http://server/` (context `garden` of the kubeconfig `kubeconfig`) is no garden cluster: it does not serve shoots.core.gardener.cloud; pass --context or --kubeconfig of one";
    assert_eq!(complaint(&world.review(&["shoot.yaml"])), expected);
}
