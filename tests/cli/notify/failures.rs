// SPDX-License-Identifier: Apache-2.0
//! Receivers that fail, states that cannot be used, and files with mistakes.

use std::fs;
use std::sync::mpsc;
use std::sync::{Arc, Mutex};

use rstest::rstest;

use super::receiver::{Answer, Receiver, SECRET, closed_port, mail_server, ok};
use super::{Setup, file_names};
use crate::folder::write;

const FEW: [&str; 2] = ["--project", "shop"];

fn failing(status: u16, headers: &[&str], body: &str) -> Answer {
    (status, headers.iter().map(ToString::to_string).collect(), body.to_owned())
}

#[rstest]
#[case::server_error(500, &[])]
#[case::limited(429, &["retry-after: 1"])]
#[case::limited_without_time(429, &[])]
fn temporary_failure_is_retried(#[case] status: u16, #[case] headers: &[&'static str]) {
    let headers = headers.to_vec();
    let receiver = Receiver::start(move |number| match number {
        0 => failing(status, &headers, "busy"),
        _ => ok(),
    });
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, err) = setup.notify(&FEW);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("sent 1 message about 1 Shoot"), "{out}");
    assert_eq!(receiver.requests().len(), 2);
}

#[rstest]
#[case::refused(403, "invalid_token", "the receiver answers 403 Forbidden: invalid_token", 1)]
#[case::bad_request(400, "invalid_payload", "400 Bad Request: invalid_payload", 2)]
#[case::redirect(302, "", "redirects are not followed", 1)]
#[case::wait_too_long(429, "", "no time is left to retry", 1)]
#[case::huge(404, "HUGE", "404 Not Found", 1)]
#[case::echo(400, "ECHO", "400 Bad Request", 2)]
fn failure_is_reported_and_repeated_by_the_next_run(
    #[case] status: u16,
    #[case] body: &str,
    #[case] expected: &str,
    #[case] requests: usize,
) {
    let body = match body {
        "HUGE" => "x".repeat(8 << 20),
        "ECHO" => format!("no such hook: /services/{SECRET}"),
        body => body.to_owned(),
    };
    let other = Receiver::start(|_| ok());
    let location = format!("location: {}", other.url());
    let is_fixed = Arc::new(Mutex::new(false));
    let fixed = Arc::clone(&is_fixed);
    let receiver = Receiver::start(move |_| {
        if *fixed.lock().unwrap() {
            ok()
        } else {
            failing(status, &[&location, "retry-after: 86400"], &body)
        }
    });
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, err) = setup.notify(&[]);
    assert_eq!(code, Some(2), "{out}{err}");
    assert!(out.starts_with("sent 0 messages"), "{out}");
    assert!(err.contains(expected), "{err}");
    assert!(err.contains("error: chat: Project data: "), "{err}");
    assert!(
        err.ends_with("2 messages were not delivered; the next run tries them again\n"),
        "{err}"
    );
    assert!(err.len() < 2_000, "{err}");
    assert_eq!(receiver.requests().len(), requests);
    assert!(other.requests().is_empty());
    *is_fixed.lock().unwrap() = true;
    let (code, out, _) = setup.notify(&[]);
    assert_eq!((code, out.starts_with("sent 2 messages")), (Some(0), true), "{out}");
}

#[test]
fn other_destinations_and_projects_are_not_affected_by_a_failure() {
    let good = Receiver::start(|_| ok());
    let bad = Receiver::start(|number| if number == 0 { failing(400, &[], "") } else { ok() });
    let setup = Setup::new(
        "- {name: good, intervalMilliseconds: 0, webhook: {url: {file: good}}}\n\
         - {name: bad, intervalMilliseconds: 0, webhook: {url: {file: bad}}}\n",
    );
    write(setup.folder.path(), "good", &good.url());
    write(setup.folder.path(), "bad", &bad.url());
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, out.starts_with("sent 3 messages about 2 Shoots")), (Some(2), true), "{out}");
    assert!(err.contains("1 message was not delivered"), "{err}");
    let (code, out, _) = setup.notify(&[]);
    assert_eq!((code, out.starts_with("sent 1 message ")), (Some(0), true), "{out}");
    assert_eq!((good.requests().len(), bad.requests().len()), (2, 3));
}

#[test]
fn absurd_time_to_wait_ends_the_run() {
    let wait = "retry-after: 18446744073709551615";
    let receiver = Receiver::start(move |_| failing(429, &[wait], ""));
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, err) = setup.notify(&FEW);
    assert_eq!((code, out.starts_with("sent 0 messages")), (Some(2), true), "{err}");
    assert!(err.contains("no time is left to retry"), "{err}");
}

#[rstest]
#[case::token("Bearer T0ken.value", "no T0ken.value")]
#[case::decoded("Basic am9lOmh1bnRlcjJwdw==", "no joe:hunter2pw")]
#[case::beginning("Bearer lowercasetoken", "lowercase")]
fn what_a_receiver_says_of_a_secret_is_not_printed(
    #[case] authorization: &str,
    #[case] said: &'static str,
) {
    let receiver = Receiver::start(move |_| failing(401, &[], said));
    let setup = Setup::new(
        "- {name: chat, webhook: {url: {file: url}, authorization: {file: authorization}}}\n",
    );
    write(setup.folder.path(), "url", &receiver.url());
    write(setup.folder.path(), "authorization", authorization);
    let (code, out, err) = setup.notify(&FEW);
    assert_eq!(code, Some(2), "{out}");
    assert!(err.contains("401 Unauthorized"), "{err}");
    assert!(!err.contains(said) && !out.contains(said), "{err}");
}

#[test]
fn a_link_in_the_place_of_a_markdown_file_is_not_followed() {
    let setup = Setup::new("- {name: notes, markdown: {folder: notes}}\n");
    fs::create_dir(setup.path("notes")).unwrap();
    write(setup.folder.path(), "precious", "kept");
    std::os::unix::fs::symlink(setup.path("precious"), setup.path("notes/shop.md")).unwrap();
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, out.starts_with("sent 1 message ")), (Some(2), true), "{err}");
    assert!(err.contains("it is a link, or no file"), "{err}");
    assert_eq!(fs::read_to_string(setup.path("precious")).unwrap(), "kept");
}

#[test]
fn mail_server_whose_line_has_no_end_is_left() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let port = listener.local_addr().unwrap().port();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            // The client ends the connection.
            while std::io::Write::write_all(&mut stream, &[b'a'; 4096]).is_ok() {}
        }
    });
    let setup = Setup::new(&format!(
        "- {{name: mail, smtp: {{host: localhost, port: {port}, security: none, from: a@example.com, to: [b@example.com]}}}}\n"
    ));
    let (code, _, err) = setup.notify(&["--within", "1s", "--project", "shop"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("sends too much"), "{err}");
}

#[test]
fn receiver_that_does_not_answer_ends_with_the_time_of_the_run() {
    let (hold, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let receiver = Receiver::start(move |_| {
        let _ = wait.lock().unwrap().recv();
        ok()
    });
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, err) = setup.notify(&["--within", "1s"]);
    assert_eq!((code, out.starts_with("sent 0 messages")), (Some(2), true), "{out}");
    assert!(err.contains("no answer until the end of the time"), "{err}");
    drop(hold);
}

#[rstest]
#[case::refused("http", "Connection refused")]
#[case::no_tls("https", "")]
fn connection_failure_names_its_reason(#[case] scheme: &str, #[case] expected: &str) {
    let receiver = Receiver::start(|_| ok());
    let port = if scheme == "http" { closed_port() } else { receiver.port };
    let setup =
        Setup::of_url("slack", &format!("{scheme}://localhost:{port}/{SECRET}?token=s3cr3t"));
    let (code, out, err) = setup.notify(&["--within", "2s", "--project", "shop"]);
    assert_eq!((code, out.starts_with("sent 0 messages")), (Some(2), true), "{out}");
    assert!(err.contains("error: chat: Project shop: ") && err.contains(expected), "{err}");
}

#[test]
fn certificate_must_be_trusted() {
    let receiver = Receiver::start_tls(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, err) = setup.notify(&["--within", "2s", "--project", "shop"]);
    assert_eq!((code, out.starts_with("sent 0 messages")), (Some(2), true), "{out}");
    assert!(err.contains("certificate"), "{err}");
    assert!(receiver.requests().is_empty());
    let file = fs::read_to_string(setup.path("notify.yaml")).unwrap();
    write(
        setup.folder.path(),
        "notify.yaml",
        &file.replace("{file: url}", "{file: url}, ca: ca.pem"),
    );
    write(setup.folder.path(), "ca.pem", &receiver.certificate);
    let (code, out, err) = setup.notify(&FEW);
    assert_eq!((code, out.starts_with("sent 1 message ")), (Some(0), true), "{out}{err}");
}

#[rstest]
#[case::permanent("550 no such user", 1)]
#[case::temporary("450 busy", 4)]
fn mail_failure_is_reported(#[case] answer: &'static str, #[case] attempts: usize) {
    let (port, mails) = mail_server("220 localhost", answer);
    let setup = Setup::new(&format!(
        "- {{name: mail, intervalMilliseconds: 0, smtp: {{host: localhost, port: {port}, security: none, from: a@example.com, to: [b@example.com]}}}}\n"
    ));
    let within = if attempts == 1 { "10s" } else { "1s" };
    let (code, _, err) = setup.notify(&["--within", within, "--project", "shop"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(&answer[4..]), "{err}");
    assert!(mails.lock().unwrap().is_empty());
}

#[test]
fn mail_server_without_starttls_is_an_error() {
    let (port, mails) = mail_server("220 localhost", "250 ok");
    let setup = Setup::new(&format!(
        "- {{name: mail, smtp: {{host: localhost, port: {port}, from: a@example.com, to: [b@example.com], username: u, password: {{file: password}}}}}}\n"
    ));
    write(setup.folder.path(), "password", "s3cr3t-password");
    let (code, _, err) = setup.notify(&["--within", "1s", "--project", "shop"]);
    assert_eq!(code, Some(2), "{err}");
    assert!(mails.lock().unwrap().is_empty());
}

#[test]
fn owner_without_address_is_not_reached() {
    let (port, _) = mail_server("220 localhost", "250 ok");
    let setup = Setup::new(&format!(
        "- {{name: mail, smtp: {{host: localhost, port: {port}, security: none, from: a@example.com, to: [owner]}}}}\n"
    ));
    let projects = fs::read_to_string(setup.path("garden/projects.yaml")).unwrap();
    let projects = projects.replace('@', " at ");
    write(setup.folder.path(), "garden/projects.yaml", &projects);
    let (code, _, err) = setup.notify(&[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains("the owner of the Project is not an e-mail address"), "{err}");
}

#[rstest]
#[case::torn("{\"version\":1,\"destinations\":{\"chat", "is not a valid state of notifications")]
#[case::later("{\"version\":9}", "it has version 9, and this garden-gate reads version 1")]
fn unusable_state_is_an_error_and_stays(#[case] state: &str, #[case] expected: &str) {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    write(setup.folder.path(), "state.json", state);
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains(expected), "{err}");
    assert!(receiver.requests().is_empty());
    assert_eq!(fs::read_to_string(setup.path("state.json")).unwrap(), state);
}

#[test]
fn state_is_locked_by_a_run() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    let lock = fs::File::create(setup.path("state.json.lock")).unwrap();
    lock.lock().unwrap();
    let (code, _, err) = setup.notify(&[]);
    assert_eq!(code, Some(2));
    assert!(err.contains("another run uses the state"), "{err}");
    // People can look at it nevertheless.
    assert_eq!(setup.notify(&["--dry-run"]).0, Some(0));
    drop(lock);
    assert_eq!(setup.notify(&[]).0, Some(0));
    assert_eq!(receiver.requests().len(), 2);
    let names = file_names(setup.folder.path());
    let expected = ["garden", "notify.yaml", "state.json", "state.json.lock", "url"];
    assert_eq!(names, expected.map(str::to_owned).into());
}

#[test]
fn state_that_cannot_be_written_is_an_error_before_a_message() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    fs::create_dir(setup.path("state.json")).unwrap();
    let (code, _, err) = setup.notify(&[]);
    assert_eq!(code, Some(2), "{err}");
    assert!(receiver.requests().is_empty());
    assert!(!setup.path("state.json.lock").exists());
}

#[rstest]
#[case::url_in_the_file(
    "- {name: a, slack: {url: \"https://e/s3cr3t\"}}",
    "a secret is read from elsewhere"
)]
#[case::url_as_kind("- {name: a, slack: \"https://e/s3cr3t\"}", "invalid type: string \"…\"")]
#[case::no_kind("- {name: a}", "must have one of `webhook`")]
#[case::two_kinds("- {name: a, events: {}, markdown: {folder: b}}", "must have one of `webhook`")]
#[case::unknown_field("- {name: a, slak: {}}", "notify.yaml:2:")]
#[case::duplicate(
    "- {name: a, markdown: {folder: b}}\n- {name: a, markdown: {folder: c}}",
    "two destinations with the name `a`"
)]
#[case::name("- {name: \"a b\", markdown: {folder: b}}", "`name` must have 1 to 63")]
#[case::none("", "notify.yaml")]
#[case::no_secret("- {name: a, slack: {url: {file: missing}}}", "missing")]
#[case::no_variable(
    "- {name: a, slack: {url: {env: GARDEN_GATE_NO_SUCH_VARIABLE}}}",
    "`GARDEN_GATE_NO_SUCH_VARIABLE` is not set"
)]
#[case::no_url("- {name: a, slack: {url: {file: url}}}", "the URL is not valid")]
#[case::user("- {name: a, slack: {url: {file: user}}}", "the URL has a user")]
#[case::lines("- {name: a, slack: {url: {file: lines}}}", "has more than one line")]
#[case::secret_as_file(
    "- {name: a, slack: {url: {file: \"https://e/s3cr3t\"}}}",
    "a URL is a secret"
)]
#[case::plain_http("- {name: a, slack: {url: {file: http}}}", "the URL is not encrypted")]
#[case::events("- {name: a, events: {}}", "`events` needs a live garden cluster")]
#[case::recipients("- {name: a, smtp: {host: h, from: a@b.example, to: []}}", "has no recipients")]
#[case::address(
    "- {name: a, smtp: {host: h, from: a@b.example, to: [\"a b\"]}}",
    "`a b` is not a valid e-mail address"
)]
#[case::plain_password(
    "- {name: a, smtp: {host: h, security: none, from: a@b.example, to: [a@b.example], username: u, password: {file: url}}}",
    "a password would be sent without encryption"
)]
#[case::template(
    "- {name: a, template: broken.jinja, markdown: {folder: b}}",
    "broken.jinja:2: syntax error"
)]
fn mistake_in_the_file_is_an_error(#[case] destinations: &str, #[case] expected: &str) {
    let setup = Setup::new(destinations);
    write(setup.folder.path(), "url", "s3cr3t");
    write(setup.folder.path(), "http", "http://hooks.example.com/s3cr3t");
    write(setup.folder.path(), "user", "https://joe:s3cr3t@localhost/x");
    write(setup.folder.path(), "lines", "https://localhost/s3cr3t\nhttps://localhost/x");
    write(setup.folder.path(), "broken.jinja", "a\n{% if %}");
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains(expected), "{err}");
    assert!(!setup.path("state.json").exists());
}

#[rstest]
#[case::no_destination(&["--to", "chatt"], "there is no destination `chatt`; did you mean `chat`?")]
#[case::format(&["--format", "json"], "--format is for printed messages")]
fn wrong_argument_is_an_error(#[case] arguments: &[&str], #[case] expected: &str) {
    let setup = Setup::of_url("slack", "https://localhost/x");
    let (code, _, err) = setup.notify(arguments);
    assert_eq!(code, Some(2), "{err}");
    assert!(err.contains(expected), "{err}");
}
