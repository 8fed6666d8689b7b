// SPDX-License-Identifier: Apache-2.0
//! Credentials of Secrets, kubeconfigs and requests, which must not leave the process.

use std::fs;
use std::os::unix::fs::PermissionsExt;

use serde_json::{Value, json};
use walkdir::WalkDir;

use super::{World, file};
use crate::common::{Gate, GateArgs, eventually};

const CANARY: &str = "canary-8f3e61d2c7";
const SHOOT: &str = "examples/manifests/shoot-allowed.yaml";
const DENIED: &str = "examples/manifests/shoot-denied.yaml";
/// Most verbose lines of all libraries, also of those that log responses.
const VERBOSE: &str = "trace,kube_client=trace,kube_client::client=trace,hyper=trace,hyper_util=trace,h2=trace,rustls=trace,tower=trace,[requesting]=trace";

/// Returns the base64 encoding of a text.
fn base64(text: &str) -> String {
    const DIGITS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    let encode = |group: &[u8]| {
        let bits = group.iter().fold(0_u32, |bits, byte| (bits << 8) | u32::from(*byte))
            << (8 * (3 - group.len()));
        let digits =
            (0..=group.len()).map(|digit| DIGITS[(bits >> (18 - 6 * digit)) as usize & 63] as char);
        digits.collect::<String>()
    };
    text.as_bytes().chunks(3).map(encode).collect()
}

/// Returns a canary, and what is in the base64 encoding of every text that contains it.
fn canaries() -> Vec<String> {
    let encoded = ["", "x", "xx"].map(|before| {
        let text = base64(&format!("{before}{CANARY}"));
        // The digits at both ends also depend on other characters.
        text[4..text.len() - 4].to_owned()
    });
    [CANARY.to_owned()].into_iter().chain(encoded).collect()
}

fn assert_clean(text: &str, of: &str) {
    for canary in canaries() {
        let at = text.find(&canary);
        let around = at.map(|at| &text[at.saturating_sub(200)..(at + 40).min(text.len())]);
        assert!(around.is_none(), "{of} contains {canary}: {around:?}");
    }
}

/// Returns objects with credentials as `kubectl apply`, kapp and other tools store them.
fn secrets() -> Vec<Value> {
    let secret = |kind: &str, version: &str, name: &str, labels: Value| {
        let data = json!({"password": base64(CANARY)});
        let applied = json!({"kind": kind, "data": data, "stringData": {"a": CANARY}}).to_string();
        json!({
            "apiVersion": version, "kind": kind, "data": data, "stringData": {"password": CANARY},
            "spec": {"gardener": [{"data": {"a": CANARY}}]}, "type": CANARY,
            "metadata": {
                "name": name, "namespace": "garden", "labels": labels,
                "annotations": {
                    "dns.gardener.cloud/provider": "p", "dns.gardener.cloud/domain": "example.com",
                    "kubectl.kubernetes.io/last-applied-configuration": applied,
                    "kapp.k14s.io/original": applied, "objectset.rio.cattle.io/applied": base64(&applied),
                    "argocd.argoproj.io/tracking-id": CANARY, "example.com/token": CANARY,
                },
                "managedFields": [{"manager": "kubectl", "fieldsV1": {"f:data": {format!("f:{CANARY}"): {}}}}],
            },
        })
    };
    let domain = json!({"gardener.cloud/role": "default-domain", "example.com/label": CANARY});
    vec![
        secret("Secret", "v1", "domain", domain),
        secret("Secret", "v1", "limits", json!({})),
        secret("InternalSecret", "core.gardener.cloud/v1beta1", "internal", json!({})),
        secret("ShootState", "core.gardener.cloud/v1beta1", "state", json!({})),
    ]
}

/// Returns a policy whose message contains a Secret, and its binding.
fn policy() -> String {
    let policy =
        file("examples/admission-policies/policy.yaml").replace("kind: ConfigMap", "kind: Secret");
    let (policy, _) = policy.rsplit_once("---\n").unwrap();
    let expression =
        "messageExpression: \"'a pool has at most ' + string(variables.limit) + ' machines'\"";
    let policy = policy
        .replace("name: pool-size\n    namespace", "name: limits\n    namespace")
        .replace(expression, "messageExpression: string(params.data)");
    policy.replace(
        "object.spec.provider.?workers.orValue([]).all(pool, pool.maximum <= variables.limit)",
        "object.metadata.name == ''",
    )
}

fn world() -> World {
    let manifest = format!(
        "{}---\napiVersion: v1\nkind: Secret\nmetadata:\n  name: a\n  namespace: garden-platform\nstringData:\n  password: {CANARY}\n---\n{}",
        file(DENIED),
        file(SHOOT),
    );
    let world = World::new(&[("a/shoots.yaml", &manifest), ("a/policy.yaml", &policy())]);
    world.server.hold(&secrets());
    world
}

#[test]
fn no_command_prints_or_writes_credentials() {
    let world = world();
    let live = ["--live", "--kubeconfig", "kubeconfig"];
    let mut commands: Vec<Vec<&str>> = vec![
        vec!["dump", "dump", "--kubeconfig", "kubeconfig"],
        vec!["init", "new"],
        [&["coverage"], &live[..]].concat(),
        vec!["coverage", "--garden", "dump"],
        [&["review", "a", "--ask-server"], &live[..]].concat(),
        [&["review", "a", "--add-silences", "reason"], &live[..]].concat(),
        vec!["review", "a", "--fix=all", "--diff", "--garden", "dump"],
    ];
    for format in ["text", "json", "sarif", "markdown", "junit", "github"] {
        commands.push([&["review", "a", "--format", format], &live[..]].concat());
        commands.push(vec!["review", "a", "--garden", "dump", "--format", format]);
    }
    for format in ["text", "json", "html"] {
        for command in ["audit", "forecast"] {
            commands.push([&[command, "--format", format], &live[..]].concat());
            commands.push(vec![command, "--garden", "dump", "--format", format]);
        }
    }
    for command in commands {
        let printed = world.run(&command);
        let name = command.join(" ");
        assert!(!printed.err.contains("try `--help`"), "{name}: {}", printed.err);
        assert_clean(&printed.out, &name);
        assert_clean(&printed.err, &name);
    }
    let written = WalkDir::new(world.folder.path().join("dump")).into_iter();
    for entry in written.filter_map(Result::ok).filter(|it| it.file_type().is_file()) {
        let text = fs::read_to_string(entry.path()).unwrap();
        assert_clean(&text, &entry.path().display().to_string());
    }
    let text =
        |name: &str| fs::read_to_string(world.folder.path().join("dump").join(name)).unwrap();
    assert!(text("secrets.yaml").contains("dns.gardener.cloud/domain: example.com"));
    assert!(text("internalsecrets.yaml").contains("name: internal"));
    assert!(text("shootstates.yaml").contains("name: state"));
}

/// A policy about InternalSecrets and ShootStates whose message contains them, and its binding.
const TELLING: &str = "
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicy
metadata: {name: telling}
spec:
  matchConstraints:
    resourceRules:
    - {apiGroups: [core.gardener.cloud], apiVersions: [v1beta1], operations: [CREATE, UPDATE], resources: [internalsecrets, shootstates]}
  validations:
  - {expression: 'object.metadata.name == \"\"', messageExpression: 'string(object.metadata.annotations.token)'}
  - {expression: 'int(object.metadata.annotations.token) == 1'}
  - {expression: 'object.metadata.annotations.token == \"\"', message: no token}
---
apiVersion: admissionregistration.k8s.io/v1
kind: ValidatingAdmissionPolicyBinding
metadata: {name: telling}
spec: {policyName: telling, validationActions: [Deny, Audit]}
---
apiVersion: v1
kind: Namespace
metadata: {name: garden}
";

/// Returns an InternalSecret and a ShootState with other credentials.
fn other_credentials() -> String {
    let metadata =
        |name: &str| json!({"name": name, "namespace": "garden", "annotations": {"token": CANARY}});
    // No padding is needed.
    let data = base64(&format!("other-{CANARY}-"));
    let secret = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "InternalSecret", "metadata": metadata("internal"),
        "type": "Opaque", "data": {"password": data},
    });
    let state = json!({
        "apiVersion": "core.gardener.cloud/v1beta1", "kind": "ShootState", "metadata": metadata("state"),
        "spec": {"gardener": [{"name": "ca", "type": "secret", "data": {"a": data}}]},
    });
    format!("{secret}\n---\n{state}\n")
}

/// Returns InternalSecrets and ShootStates with mistakes in and next to the credentials.
fn malformed_credentials() -> String {
    let metadata =
        |name: &str| json!({"name": name, "namespace": "garden", "annotations": {"token": CANARY}});
    let other = base64(&format!("other-{CANARY}"));
    let secret = |name: &str, data: Value| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "InternalSecret", "metadata": metadata(name),
            "type": "kubernetes.io/dockercfg", "data": data, "stringData": {"b": [CANARY], "c": CANARY}, "unknown": CANARY,
        })
    };
    let state = |name: &str| {
        json!({
            "apiVersion": "core.gardener.cloud/v1beta1", "kind": "ShootState", "metadata": metadata(name),
            "spec": {"gardener": [{"name": "", "type": [CANARY], "data": {"a": other}}], "unknown": CANARY},
        })
    };
    let all = [
        secret("internal", json!({"password": other, ".dockercfg": CANARY})),
        secret("new", json!({".dockercfg": other, "x y": 8_361_276_112_345_i64})),
        state("state"),
        state("new"),
    ];
    all.map(|it| it.to_string()).join("\n---\n")
}

#[test]
fn credentials_of_operators_are_judged_and_not_printed() {
    let mut stored = secrets();
    for object in &mut stored {
        let fields = object.as_object_mut().unwrap();
        if fields["kind"] == "ShootState" {
            fields.retain(|name, _| !["data", "stringData", "type"].contains(&name.as_str()));
        } else {
            fields.remove("spec");
            // The type is no credential.
            fields.insert("type".to_owned(), "Opaque".into());
        }
    }
    let world = World::new(&[
        ("a/malformed.yaml", &malformed_credentials()),
        ("b/other.yaml", &other_credentials()),
        ("b/policy.yaml", TELLING),
        ("full/stored.yaml", &stored.iter().map(|it| format!("{it}\n---\n")).collect::<String>()),
        ("full/policy.yaml", TELLING),
    ]);
    world.server.hold(&stored);
    let live = ["--live", "--kubeconfig", "kubeconfig"];
    let mut commands: Vec<Vec<&str>> = Vec::new();
    for garden in [&live[..], &["--garden", "full"], &["--garden", "full", "--old", "full"]] {
        for change in ["a", "b"] {
            commands.push([&["review", change, "--diff"], garden].concat());
            commands.push([&["review", change, "--fix=all", "--diff"], garden].concat());
            for format in
                ["text", "concise", "json", "sarif", "markdown", "junit", "github", "status"]
            {
                commands.push([&["review", change, "--format", format], garden].concat());
            }
        }
    }
    for command in commands {
        let printed = world.run(&command);
        let name = command.join(" ");
        assert!(!printed.err.contains("try `--help`"), "{name}: {}", printed.err);
        for text in [&printed.out, &printed.err] {
            assert_clean(text, &name);
            assert!(!text.contains("8361276112345"), "{name}: {text}");
        }
    }
    let told = |change: &str, parts: &[&str]| {
        let printed = world.run(&["review", change, "--garden", "full"]);
        for part in parts {
            assert!(printed.out.contains(part), "{part}: {}", printed.out);
        }
    };
    told("a", &["object/wrong-type", "object/unknown-field"]);
    told(
        "b",
        &[
            "policy/telling",
            "denied request: no token",
            "failed expression: int(object.metadata.annotations.token) == 1",
        ],
    );
}

#[test]
fn parameters_of_policies_are_no_secrets() {
    let world = world();
    let printed = world.review(&["a"]);
    let why =
        "objects with credentials are not read, since messages of policies could contain them";
    assert!(printed.out.contains(why), "{}", printed.out);
    let secrets = world.server.asked();
    assert!(!secrets.iter().any(|it| it.ends_with("/secrets/limits")), "{secrets:?}");
}

#[test]
fn files_of_a_dump_are_private() {
    let world = World::new(&[]);
    let mode = |name: &str| {
        let metadata = fs::metadata(world.folder.path().join(name)).unwrap();
        metadata.permissions().mode() & 0o777
    };
    let dump = || {
        let command = "umask 0000; exec \"$0\" dump new/dump --kubeconfig kubeconfig";
        let mut shell = std::process::Command::new("sh");
        let shell = shell.args(["-c", command, env!("CARGO_BIN_EXE_garden-gate")]);
        let status = shell.current_dir(world.folder.path()).stdout(std::process::Stdio::null());
        assert!(status.status().unwrap().success());
    };
    dump();
    for entry in WalkDir::new(world.folder.path().join("new")) {
        let entry = entry.unwrap();
        let expected = if entry.file_type().is_dir() { 0o700 } else { 0o600 };
        assert_eq!(entry.metadata().unwrap().permissions().mode() & 0o777, expected, "{entry:?}");
    }
    let wide = world.folder.path().join("new/dump/shoots.yaml");
    fs::set_permissions(wide, PermissionsExt::from_mode(0o666)).unwrap();
    dump();
    assert_eq!(mode("new/dump/shoots.yaml"), 0o600);
}

#[test]
fn error_about_a_response_does_not_quote_it() {
    let world = world();
    let list = format!("/{}/secrets", "api/v1/namespaces/garden");
    for body in [
        json!({"items": CANARY}),
        json!({"items": [{"metadata": CANARY}]}),
        json!({"items": [{"metadata": {"name": [CANARY]}}]}),
        json!(CANARY),
        json!({"metadata": CANARY, "items": []}),
    ] {
        world.server.script().bodies.insert(list.clone(), (200, body.to_string()));
        let printed = world.run(&["dump", "dump", "--kubeconfig", "kubeconfig"]);
        assert_clean(&(printed.out.clone() + &printed.err), "dump");
        assert!(printed.out.contains("the response cannot be decoded"), "{}", printed.out);
    }
    world.server.script().bodies.insert(list, (500, format!("not a Status: {CANARY}")));
    let printed = world.run(&["dump", "dump", "--kubeconfig", "kubeconfig"]);
    assert!(printed.out.contains("the API server answered 500"), "{}", printed.out);
    assert_clean(&(printed.out + &printed.err), "dump");
}

#[test]
fn error_about_a_kubeconfig_does_not_quote_it() {
    let world = World::new(&[]);
    let users = |user: Value| {
        let mut kubeconfig = world.server.kubeconfig();
        kubeconfig["users"] = user;
        kubeconfig.to_string()
    };
    let exec = |script: &str| {
        let exec = json!({"apiVersion": "client.authentication.k8s.io/v1", "command": "sh",
            "args": ["-c", script, CANARY], "env": [{"name": "TOKEN", "value": CANARY}], "interactiveMode": "Never"});
        users(json!([{"name": "u", "user": {"exec": exec}}]))
    };
    for kubeconfig in [
        users(json!(CANARY)),
        users(json!([{"name": "u", "user": CANARY}])),
        users(json!([{"name": "u", "user": {"token": {"a": CANARY}}}])),
        users(
            json!([{"name": "u", "user": {"client-key-data": CANARY, "client-certificate-data": CANARY}}]),
        ),
        format!("users:\n- user:\n    token: {CANARY}: x\n"),
        format!("token: \"{CANARY}\n"),
        exec(&format!("echo {CANARY}; echo {CANARY} >&2; exit 1")),
        exec(&format!("echo '\"{CANARY}\"'")),
        exec(&format!("echo 'status: {{token: [{CANARY}]}}'")),
    ] {
        fs::write(world.folder.path().join("kubeconfig"), &kubeconfig).unwrap();
        for command in [
            ["dump", "dump", "--kubeconfig", "kubeconfig"],
            ["review", "kubeconfig", "--live", "--kubeconfig=kubeconfig"],
        ] {
            let printed = world.run(&command);
            assert_clean(&(printed.out + &printed.err), &kubeconfig);
        }
    }
}

#[tokio::test]
async fn log_of_a_server_has_no_credentials_at_any_level() {
    let world = world();
    let mut kubeconfig = world.server.kubeconfig();
    kubeconfig["users"][0]["user"]["token"] = CANARY.into();
    let path = world.folder.path().join("kubeconfig");
    fs::write(&path, kubeconfig.to_string()).unwrap();
    // Lists of these kinds fail, and kube logs responses that it cannot decode.
    let body = json!({"items": CANARY}).to_string();
    world
        .server
        .script()
        .bodies
        .insert("/apis/core.gardener.cloud/v1beta1/exposureclasses".to_owned(), (200, body));
    for format in ["text", "json"] {
        let args = GateArgs::new().live(&path).variable("RUST_LOG", VERBOSE);
        let gate =
            Gate::start(&args.flag("--log-format", format).flag("--publish-listen", "127.0.0.1:0"));
        eventually("connections are logged", async || {
            gate.log().contains("hyper") || gate.log().contains("pooling idle connection")
        })
        .await;
        let review = json!({
            "apiVersion": "admission.k8s.io/v1", "kind": "AdmissionReview", "request": {
                "uid": "u", "operation": "CREATE", "resource": {"group": "", "version": "v1", "resource": "secrets"},
                "kind": {"group": "", "version": "v1", "kind": "Secret"}, "object": secrets()[0], "namespace": "garden", "name": "domain",
            },
        });
        let request = gate.client.post(format!("{}/validate", gate.url)).json(&review);
        let answer =
            request.header("authorization", format!("Bearer {CANARY}")).send().await.unwrap();
        assert_clean(&answer.text().await.unwrap(), "answer");
        eventually("the broken list is logged", async || gate.log().contains("exposureclasses"))
            .await;
        assert_clean(&gate.log(), "log");
    }
}

#[test]
fn reports_show_no_line_of_a_secret() {
    let secret = format!(
        "stringData:\n  password: {CANARY}\nkind: Secret\napiVersion: v1\nmetadata: {{name: a}}\n"
    );
    let broken = secret.replace(CANARY, &format!("{CANARY}: x"));
    let shoot = file(SHOOT);
    let (before, after) = shoot.split_once("  purpose: evaluation\n").unwrap();
    let fixable = format!("{before}{after}  purpose: evaluatoin\n---\n{secret}");
    let project = json!({"apiVersion": "core.gardener.cloud/v1beta1", "kind": "Project", "metadata": {"name": "UPPER"}});
    let listed =
        json!([{"kind": "Secret", "apiVersion": "v1", "data": {"a": base64(CANARY)}}, project]);
    let json_secret =
        format!("{{\"kind\": \"Secret\", \"data\": {{\"a\": {}}}}}", CANARY.replace('-', ""));
    let world = World::new(&[
        ("a/broken.yaml", &format!("{shoot}---\n{broken}")),
        ("a/tagged.yaml", &format!("{shoot}---\nkind: Secret\ndata:\n  a: !!int {CANARY}\n")),
        ("a/list.json", &listed.to_string()),
        ("a/broken.json", &format!("[{json_secret}, {project}]")),
        ("a/fixable.yaml", &fixable),
    ]);
    let canary = CANARY.replace('-', "");
    for format in ["text", "json", "sarif", "markdown", "junit", "github"] {
        let printed = world.run(&["review", "a", "--garden", "a", "--format", format]);
        assert!(printed.out.contains("broken.yaml"), "{}", printed.out);
        let text = printed.out + &printed.err;
        assert_clean(&text, format);
        assert!(!text.contains(&canary), "{text}");
    }
    let printed = world.run(&["review", "a/fixable.yaml", "--fix=all", "--diff"]);
    assert!(printed.out.contains("-  purpose: evaluatoin"), "{} {}", printed.out, printed.err);
    assert_clean(&(printed.out + &printed.err), "diff");
}
