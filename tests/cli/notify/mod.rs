// SPDX-License-Identifier: Apache-2.0
//! `garden-gate notify`: messages to local receivers.

mod failures;
mod receiver;

use std::collections::BTreeSet;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::Path;

use insta::assert_snapshot;
use rstest::rstest;
use serde_json::{Value, json};
use tempfile::TempDir;

use self::receiver::{Receiver, SECRET, mail_server, ok};
use crate::command::{garden_gate, printed};
use crate::folder::{folder, write};

const GARDEN: &str = "examples/audit";
const AT: &str = "2026-12-10T00:00:00Z";

/// The garden, the destinations and the state of a test.
struct Setup {
    folder: TempDir,
}

impl Setup {
    /// Copies the example garden; `destinations` are items of a YAML list.
    fn new(destinations: &str) -> Self {
        let file = format!("destinations:\n{destinations}");
        let folder = folder(&[("notify.yaml", &file)]);
        fs::create_dir(folder.path().join("garden")).unwrap();
        for file in fs::read_dir(GARDEN).unwrap() {
            let file = file.unwrap();
            fs::copy(file.path(), folder.path().join("garden").join(file.file_name())).unwrap();
        }
        Self { folder }
    }

    /// Creates a setup with one destination of this kind, whose URL is in a file.
    fn of_url(kind: &str, url: &str) -> Self {
        let setup = Self::new(&format!(
            "- name: chat\n  intervalMilliseconds: 0\n  {kind}: {{url: {{file: url}}}}\n"
        ));
        write(setup.folder.path(), "url", &format!("{url}\n"));
        setup
    }

    fn path(&self, name: &str) -> std::path::PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the command with the destinations and the state; no output contains the secret.
    fn notify(&self, arguments: &[&str]) -> (Option<i32>, String, String) {
        self.notify_at(AT, arguments)
    }

    fn notify_at(&self, at: &str, arguments: &[&str]) -> (Option<i32>, String, String) {
        let destinations = self.path("notify.yaml");
        let state = self.path("state.json");
        let mut command = garden_gate(&["notify", "--no-config", "--at", at]);
        command.arg("--garden").arg(self.path("garden"));
        command.arg("--destinations").arg(destinations).arg("--state").arg(state);
        let printed = printed(command.args(arguments).output().unwrap());
        for text in [&printed.1, &printed.2] {
            assert!(!text.contains(SECRET) && !text.contains("s3cr3t"), "{text}");
        }
        printed
    }

    /// Adds a copy of a Shoot with another name.
    fn add_shoot(&self, name: &str, copy: &str) {
        let shoots = fs::read_to_string(self.path("garden/shoots.yaml")).unwrap();
        let shoot = shoots.split("---\n").find(|it| it.contains(&format!("name: {name}\n")));
        let copied = shoot.unwrap().replace(&format!("name: {name}\n"), &format!("name: {copy}\n"));
        write(self.folder.path(), &format!("garden/{copy}.yaml"), &copied);
    }

    fn state(&self) -> Value {
        serde_json::from_str(&fs::read_to_string(self.path("state.json")).unwrap()).unwrap()
    }
}

/// Prints the messages of the example garden without destinations.
fn printed_messages(arguments: &[&str]) -> (Option<i32>, String, String) {
    let mut command = garden_gate(&["notify", "--no-config", "--at", AT, "--garden", GARDEN]);
    printed(command.args(arguments).output().unwrap())
}

#[rstest]
#[case("text")]
#[case("markdown")]
#[case("json")]
fn messages_are_printed_without_destinations(#[case] format: &str) {
    let (code, out, err) = printed_messages(&["--format", format]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert_snapshot!(format!("notify_{format}"), out);
}

#[test]
fn printed_messages_change_the_state_only_if_marked() {
    let folder = folder(&[]);
    let state = folder.path().join("state.json");
    let run = |arguments: &[&str]| {
        let state = state.to_str().unwrap();
        printed_messages(&[&["--state", state], arguments].concat()).1
    };
    assert!(run(&[]).starts_with("2 messages about 2 Shoots"), "{}", run(&[]));
    assert!(!state.exists());
    assert!(run(&["--mark"]).starts_with("2 messages"));
    assert!(run(&[]).starts_with("0 messages about 0 Shoots; 2 Projects have nothing new"));
}

#[test]
fn message_is_sent_once_per_project() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert_eq!(out, "sent 2 messages about 2 Shoots; 0 Projects have nothing new\n");
    let requests = receiver.requests();
    let projects: BTreeSet<String> =
        requests.iter().map(|it| it.json()["project"].as_str().unwrap().to_owned()).collect();
    assert_eq!(projects, ["data", "shop"].map(str::to_owned).into());
    for request in &requests {
        assert!(request.head.starts_with("post /services/"), "{}", request.head);
        assert!(request.head.contains("content-type: application/json"), "{}", request.head);
        let message = request.json();
        assert_eq!((&message["version"], &message["day"]), (&json!(1), &json!("2026-12-10")));
        assert!(message["items"][0]["mustAct"].is_boolean(), "{message}");
    }
    let mode = fs::metadata(setup.path("state.json")).unwrap().permissions().mode();
    assert_eq!(mode & 0o777, 0o600);
    assert!(!fs::read_to_string(setup.path("state.json")).unwrap().contains("legacy"));
    // Nothing is new, also not on the next day.
    for at in [AT, "2026-12-11T00:00:00Z"] {
        let (code, out, _) = setup.notify_at(at, &[]);
        let expected = "sent 0 messages about 0 Shoots; 2 Projects have nothing new\n";
        assert_eq!((code, out.as_str()), (Some(0), expected));
    }
    assert_eq!(receiver.requests().len(), 2);
}

#[test]
fn only_news_are_sent_after_a_mark() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    let (code, out, _) = setup.notify(&["--mark"]);
    assert_eq!(code, Some(0));
    assert_eq!(out, "recorded the facts of 2 Projects for 1 destination\n");
    setup.add_shoot("legacy", "legacy2");
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert_eq!(out, "sent 1 message about 1 Shoot; 1 Project has nothing new\n");
    let [request] = receiver.requests().try_into().unwrap();
    let message = request.json();
    let items = message["items"].as_array().unwrap();
    assert!(!items.is_empty());
    assert!(items.iter().all(|it| it["objects"] == json!(["shop/legacy2"])), "{message}");
    // A Shoot that is deleted and created again is new.
    let copy = fs::read(setup.path("garden/legacy2.yaml")).unwrap();
    fs::remove_file(setup.path("garden/legacy2.yaml")).unwrap();
    assert!(setup.notify(&[]).1.starts_with("sent 0 messages"));
    fs::write(setup.path("garden/legacy2.yaml"), copy).unwrap();
    assert!(setup.notify(&[]).1.starts_with("sent 1 message about 1 Shoot"));
}

/// What cannot be read is not known, and was not removed.
#[test]
fn unreadable_file_forgets_nothing() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    setup.add_shoot("legacy", "legacy2");
    setup.notify(&["--mark"]);
    let copy = fs::read_to_string(setup.path("garden/legacy2.yaml")).unwrap();
    write(setup.folder.path(), "garden/legacy2.yaml", &format!("{copy}\n a: [\n"));
    let (code, out, _) = setup.notify(&[]);
    assert_eq!(code, Some(4), "{out}");
    write(setup.folder.path(), "garden/legacy2.yaml", &copy);
    let (code, out, _) = setup.notify(&[]);
    assert_eq!((code, out.split(';').next()), (Some(0), Some("sent 0 messages about 0 Shoots")));
}

#[test]
fn selected_projects_leave_others_in_the_state() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("webhook", &receiver.url());
    setup.notify(&["--mark"]);
    let before = setup.state();
    assert!(setup.notify(&["--project", "data"]).1.starts_with("sent 0 messages"));
    assert_eq!(setup.state(), before);
}

#[test]
fn slack_and_teams_get_their_payloads() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::new(
        "- {name: slack, intervalMilliseconds: 0, projects: [data], slack: {url: {file: url}}}\n\
         - {name: teams, intervalMilliseconds: 0, projects: [shop], teams: {url: {file: url}}}\n",
    );
    write(setup.folder.path(), "url", &receiver.url());
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let requests: Vec<Value> = receiver.requests().iter().map(|it| it.json()).collect();
    assert_eq!(requests.len(), 2);
    let slack = requests.iter().find(|it| it["blocks"].is_array()).unwrap();
    assert!(slack["text"].as_str().unwrap().starts_with("Project data: "), "{slack}");
    assert_eq!(slack["blocks"][0]["text"]["type"], "mrkdwn");
    let teams = requests.iter().find(|it| it["type"] == "message").unwrap();
    let card = &teams["attachments"][0]["content"];
    assert_eq!(card["type"], "AdaptiveCard");
    assert!(card["body"][0]["inlines"][0]["text"].as_str().unwrap().starts_with("Project shop"));
}

#[test]
fn markdown_files_are_written_into_a_folder() {
    let setup = Setup::new("- {name: pages, markdown: {folder: pages}}\n");
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    for project in ["data", "shop"] {
        let text = fs::read_to_string(setup.path(&format!("pages/{project}.md"))).unwrap();
        assert!(text.starts_with(&format!("### Project {project}: ")), "{text}");
    }
}

#[test]
fn mail_reaches_the_owner_and_others() {
    let (port, mails) = mail_server("220 localhost", "250 ok");
    let setup = Setup::new(&format!(
        "- name: mail\n  intervalMilliseconds: 0\n  projects: [shop]\n  smtp: {{host: localhost, port: {port}, security: none, from: garden-gate@example.com, to: [owner, ops@example.com]}}\n"
    ));
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let [mail] = <[_; 1]>::try_from(mails.lock().unwrap().clone()).unwrap();
    let recipients: Vec<&String> =
        mail.commands.iter().filter(|it| it.starts_with("RCPT")).collect();
    assert!(recipients.iter().any(|it| it.contains("<ops@example.com>")), "{recipients:?}");
    let lines = mail.lines.join("\n");
    assert!(lines.contains("Subject: Project shop: "), "{lines}");
    assert!(lines.contains("Auto-Submitted: auto-generated"), "{lines}");
    assert_eq!(lines.matches("\nSubject:").count(), 1);
}

#[test]
fn template_of_the_user_is_used() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::new(
        "- {name: hook, template: hook.jinja, projects: [shop], webhook: {url: {env: NOTIFY_URL}, authorization: {file: token}}}\n",
    );
    write(setup.folder.path(), "hook.jinja", "{\"text\": {{ title }}, \"team\": {{ project }}}");
    write(setup.folder.path(), "token", "Bearer s3cr3t-token");
    let mut command = garden_gate(&["notify", "--no-config", "--at", AT, "--garden", GARDEN]);
    command.env("NOTIFY_URL", receiver.url());
    command.arg("--destinations").arg(setup.path("notify.yaml"));
    command.arg("--state").arg(setup.path("state.json"));
    let (code, out, err) = printed(command.output().unwrap());
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    let [request] = receiver.requests().try_into().unwrap();
    assert_eq!(request.json()["team"], "shop");
    assert!(request.head.contains("authorization: bearer s3cr3t-token"), "{}", request.head);
}

#[test]
fn dry_run_prints_messages_and_sends_nothing() {
    let receiver = Receiver::start(|_| ok());
    let setup = Setup::of_url("slack", &receiver.url());
    let (code, out, err) = setup.notify(&["--dry-run"]);
    assert_eq!((code, err.as_str()), (Some(0), ""));
    assert!(out.starts_with("would send 2 messages about 2 Shoots"), "{out}");
    assert!(out.contains("\nto chat:\n*Project data: "), "{out}");
    assert!(receiver.requests().is_empty() && !setup.path("state.json").exists());
    let (_, out, _) = setup.notify(&["--dry-run", "--format", "json"]);
    let document: Value = serde_json::from_str(&out).unwrap();
    assert_eq!(document["messages"][0]["destination"], "chat");
}

#[test]
fn hostile_names_are_harmless() {
    let receiver = Receiver::start(|_| ok());
    let (port, mails) = mail_server("220 localhost", "250 ok");
    let setup = Setup::new(&format!(
        "- {{name: slack, intervalMilliseconds: 0, slack: {{url: {{file: url}}}}}}\n\
         - {{name: pages, markdown: {{folder: pages}}}}\n\
         - {{name: mail, intervalMilliseconds: 0, smtp: {{host: localhost, port: {port}, security: none, from: a@example.com, to: [b@example.com]}}}}\n"
    ));
    write(setup.folder.path(), "url", &receiver.url());
    let hostile =
        "<!channel> @here [a](https://e.example)\\n`b` *c* \\e[2J\\u202e\\r\\nBcc: x@y.example";
    let head = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\n";
    let long = "x".repeat(253);
    for (number, name) in [hostile, &long].iter().enumerate() {
        let shoot =
            format!("{head}metadata: {{name: \"{name}\", namespace: \"{name}\"}}\nspec: []\n");
        write(setup.folder.path(), &format!("garden/h{number}.yaml"), &shoot);
    }
    let (_, out, err) = setup.notify(&[]);
    assert!(out.starts_with("sent "), "{out}{err}");
    let all: Vec<Value> = receiver.requests().iter().map(|it| it.json()).collect();
    let texts = all.iter().map(|it| it["blocks"].to_string() + &it["text"].to_string());
    let texts: String = texts.collect();
    assert!(texts.contains("&lt;!channel&gt;"), "{texts}");
    assert!(!texts.contains("<!") && !texts.contains("\\u001b[2J"), "{texts}");
    for mail in mails.lock().unwrap().iter() {
        assert!(!mail.lines.iter().any(|it| it.starts_with("Bcc:")), "{:?}", mail.lines);
        assert!(mail.commands.iter().filter(|it| it.starts_with("RCPT")).count() == 1);
    }
    for file in fs::read_dir(setup.path("pages")).unwrap() {
        let text = fs::read_to_string(file.unwrap().path()).unwrap();
        let outside: String = text.split('`').step_by(2).collect();
        assert!(!outside.contains("](https") && !text.contains('\u{1b}'), "{text}");
    }
    let (_, out, _) = setup.notify(&["--dry-run", "--to", "mail"]);
    assert!(!out.contains('\u{1b}') && !out.contains('\u{202e}'), "{out}");
}

/// The file of the page is one that the command and editors accept.
#[test]
fn destinations_of_the_page_are_valid() {
    let page = fs::read_to_string("docs/how-to/notify-owners.md").unwrap();
    let (_, example) = page.split_once("```yaml\ndestinations:\n").unwrap();
    let setup = Setup::new(example.split_once("```").unwrap().0);
    let (code, out, err) = setup.notify(&["--dry-run"]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("would send 5 messages about 2 Shoots"), "{out}");
    let schema = garden_gate(&["schema", "destinations"]).output().unwrap().stdout;
    let schema: Value = serde_json::from_slice(&schema).unwrap();
    let validator = jsonschema::validator_for(&schema).unwrap();
    let text = fs::read_to_string(setup.path("notify.yaml")).unwrap();
    let mut value: Value = serde_saphyr::from_str(&text).unwrap();
    assert!(validator.is_valid(&value), "{:?}", validator.iter_errors(&value).next());
    value["destinations"][0]["slack"]["url"] = "https://e.example/x".into();
    assert!(!validator.is_valid(&value));
}

#[test]
fn many_projects_get_one_message_each() {
    // Refused messages do not stop those of other Projects.
    let refused = |number| if number < 5 { (400, Vec::new(), String::new()) } else { ok() };
    let receiver = Receiver::start(refused);
    let setup = Setup::of_url("webhook", &receiver.url());
    let shoots = fs::read_to_string(format!("{GARDEN}/shoots.yaml")).unwrap();
    let legacy = shoots.split("---\n").find(|it| it.contains("name: legacy\n")).unwrap();
    for project in 0..50 {
        let mut text = format!(
            "apiVersion: core.gardener.cloud/v1beta1\nkind: Project\nmetadata: {{name: p{project}}}\nspec: {{namespace: garden-p{project}}}\n"
        );
        for number in 0..10 {
            let shoot = legacy.replace("name: legacy\n", &format!("name: s{number}\n"));
            let shoot = shoot.replace("garden-shop", &format!("garden-p{project}"));
            text += &format!("---\n{shoot}");
        }
        write(setup.folder.path(), &format!("garden/p{project}.yaml"), &text);
    }
    let (code, out, err) = setup.notify(&[]);
    assert_eq!(code, Some(2), "{out}");
    assert!(
        err.ends_with("5 messages were not delivered; the next run tries them again\n"),
        "{err}"
    );
    assert_eq!(receiver.requests().len(), 52);
    assert!(out.starts_with("sent 47 messages about "), "{out}");
    let (code, out, err) = setup.notify(&[]);
    assert_eq!((code, err.as_str()), (Some(0), ""), "{out}");
    assert!(out.starts_with("sent 5 messages about "), "{out}");
    let size = fs::metadata(setup.path("state.json")).unwrap().len();
    assert!(size < 200_000, "{size}");
}

fn file_names(path: &Path) -> BTreeSet<String> {
    let entries = fs::read_dir(path).unwrap();
    entries.map(|it| it.unwrap().file_name().into_string().unwrap()).collect()
}
