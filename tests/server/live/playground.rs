// SPDX-License-Identifier: Apache-2.0
//! `serve --publish-playground`: a built playground next to the published site, without tokens.

use std::io::Read as _;

use flate2::read::GzDecoder;
use tokio::io::{AsyncReadExt as _, AsyncWriteExt as _};

use super::publishing::{World, garden};
use crate::built_playground::{PAGE, playground, script};
use crate::common::garden_gate;
use crate::folder::write;

/// Starts a server that publishes a playground.
async fn published() -> (World, tempfile::TempDir) {
    let built = playground();
    let path = built.path().to_str().unwrap();
    let world = World::with(&garden(), &[("--publish-playground", path)]);
    world.forecasts("/forecast.json").await;
    (world, built)
}

#[tokio::test]
async fn playground_is_served_without_a_token_and_the_site_links_to_it() {
    let (world, built) = published().await;
    // It is in memory.
    write(built.path(), "index.html", "changed");
    for (path, content_type, content) in [
        ("/playground/", "text/html; charset=utf-8", PAGE),
        ("/playground/index.html", "text/html; charset=utf-8", PAGE),
        ("/playground/index.html?x=1", "text/html; charset=utf-8", PAGE),
        ("/playground/assets/index-1.js", "text/javascript; charset=utf-8", &script()),
        ("/playground/assets/gate-1.wasm", "application/wasm", "\0asm"),
        ("/playground/examples/start.json", "application/json", "{}"),
    ] {
        let answer = world.send("GET", path, &[]).await;
        assert_eq!((answer.status, answer.text.as_str()), (200, content), "{path}");
        assert_eq!(answer.header("content-type"), content_type, "{path}");
        assert_eq!(answer.header("x-content-type-options"), "nosniff");
        assert_eq!(answer.header("cache-control"), "private, no-cache");
        assert_eq!(answer.header("content-encoding"), "");
        let policy = answer.header("content-security-policy");
        assert!(policy.starts_with("default-src 'self'; script-src 'self' 'wasm-unsafe-eval';"));
        assert!(policy.ends_with("frame-ancestors 'none'"), "{policy}");
        let head = world.send("HEAD", path, &[]).await;
        assert_eq!((head.status, head.text.as_str()), (200, ""), "{path}");
    }
    let about = world.send("GET", "/", &[]).await;
    assert!(about.text.contains("/playground/"), "{}", about.text);
    for (path, token) in [("/", "Bearer t-root"), ("/?project=data", "Bearer t-ben")] {
        let site = world.get(path, token).await;
        let link =
            " data-playground=\"playground/index.html\" data-examples=\"shoot/hibernated-change\"";
        assert!(site.text.contains(link), "{path}: {}", site.text);
        let policy = site.header("content-security-policy");
        assert!(!policy.contains("wasm-unsafe-eval"), "{policy}");
    }
}

#[tokio::test]
async fn files_of_a_playground_are_compressed_and_sent_once() {
    let (world, _built) = published().await;
    let path = "/playground/assets/index-1.js";
    let request = world.gate.client.get(format!("{}{path}", world.url));
    let response = request.header("accept-encoding", "br, gzip").send().await.unwrap();
    assert_eq!(response.headers()["content-encoding"], "gzip");
    let vary: Vec<_> = response.headers().get_all("vary").iter().collect();
    assert!(vary.iter().any(|it| *it == "accept-encoding"), "{vary:?}");
    let tag = response.headers()["etag"].to_str().unwrap().to_owned();
    let body = response.bytes().await.unwrap();
    assert!(body.len() < script().len() / 2, "{}", body.len());
    let mut text = String::new();
    GzDecoder::new(&body[..]).read_to_string(&mut text).unwrap();
    assert_eq!(text, script());
    for (headers, status) in [
        (vec![("if-none-match", tag.as_str())], 304),
        (vec![("if-none-match", tag.as_str()), ("accept-encoding", "gzip")], 304),
        (vec![("if-none-match", "W/\"other\"")], 200),
    ] {
        let answer = world.send("GET", path, &headers).await;
        assert_eq!((answer.status, answer.header("etag")), (status, tag.as_str()));
        assert_eq!(answer.text.is_empty(), status == 304);
    }
    // Compression does not make it smaller.
    let small =
        world.send("GET", "/playground/examples/start.json", &[("accept-encoding", "gzip")]).await;
    assert_eq!((small.text.as_str(), small.header("content-encoding")), ("{}", ""));
}

#[tokio::test]
async fn other_paths_below_a_playground_are_not_found() {
    let (world, built) = published().await;
    // It is not in the list.
    write(built.path(), "notes.txt", "mine");
    let address = world.url.strip_prefix("https://").unwrap();
    for path in [
        "/playground/notes.txt",
        "/playground/playground.json",
        "/playground/assets",
        "/playground/assets/",
        "/playground//index.html",
        "/playground/./index.html",
        "/playground/../playground/index.html",
        "/playground/..%2findex.html",
        "/playground/%2e%2e/%2e%2e/etc/passwd",
        "/playground/assets/..%2f..%2f..%2fetc/passwd",
        "/playground/%2fetc%2fpasswd",
        "/playground/index.html%00",
        "/playground/%ff%fe",
        "/playground/index.html/",
        "/playgrounds/index.html",
    ] {
        let mut stream = world.gate.connect_to(address, &[]).await;
        let head = format!("GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n");
        stream.write_all(head.as_bytes()).await.unwrap();
        let mut answer = String::new();
        // The end may lack an announcement.
        let _ = stream.read_to_string(&mut answer).await;
        assert!(answer.starts_with("HTTP/1.1 404 "), "{path}: {answer}");
        assert!(!answer.contains("mine") && !answer.contains("root:"), "{path}: {answer}");
    }
    let folder = world.gate.client.get(format!("{}/playground", world.url)).send().await.unwrap();
    assert_eq!((folder.status().as_u16(), folder.url().path()), (200, "/playground/"));
    let post = world.send("POST", "/playground/index.html", &[]).await;
    assert_eq!(post.status, 405);
}

#[test]
fn playground_needs_the_port_and_must_be_one() {
    let serve = ["serve", "--garden", "examples/garden", "--publish-playground", "examples"];
    let port = ["--publish-listen", "127.0.0.1:0", "--listen", "127.0.0.1:0"];
    for (arguments, expected) in [
        (serve.to_vec(), "--publish-listen"),
        ([&serve[..], &port[..]].concat(), "is not a built playground"),
        ([&serve[..], &port[..]].concat(), "correct --publish-playground"),
    ] {
        let output = garden_gate(&arguments);
        let err = String::from_utf8(output.stderr).unwrap();
        assert_eq!(output.status.code(), Some(2), "{err}");
        assert!(err.contains(expected), "{err}");
    }
}
