// SPDX-License-Identifier: Apache-2.0
//! One bounded message about the news of a Project.

use std::collections::{BTreeMap, BTreeSet};

use jiff::civil::Date;
use schemars::JsonSchema;
use serde::Serialize;

use super::facts::Fact;
use super::news::{Change, NewsItem, ProjectNews};
use crate::report::forecast::{days, relative};
use crate::report::json_document;
use crate::report::truncation::counted;
use garden_gate_model::api::Kind;
use garden_gate_text::escape;
use garden_gate_text::go::clip;

/// Maximum number of items of a message.
const ITEMS: usize = 20;
/// Maximum size of the items of a message in bytes, so that every payload fits the limits of its receiver.
const SIZE: usize = 8_000;
/// Maximum number of objects that an item names.
const NAMED: usize = 5;
/// Maximum size of a name and of a sentence in bytes.
const NAME: usize = 128;
const SENTENCE: usize = 400;
/// Maximum size of the text of a notice in bytes: Kubernetes refuses Events with more than 1,024.
const NOTICE: usize = 1_000;

/// News of a Project.
///
/// All strings are escaped for a terminal.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "Notification")]
pub struct Message {
    /// The day of the forecast (UTC).
    pub(super) day: Date,
    /// The name of the Project, or the namespace if no Project is known.
    pub(super) project: String,
    /// The owner of the Project; empty if unknown.
    pub(super) owner: String,
    /// The message in one line.
    pub(super) title: String,
    /// The number of objects that need a person.
    pub(super) must_act: usize,
    /// The number of Shoots that get forced updates.
    pub(super) forced: usize,
    /// The news: those that need a person first, then by day.
    pub(super) items: Vec<MessageItem>,
    /// The number of further items.
    pub(super) more: usize,
}

/// Equal news of several objects.
#[derive(Clone, Debug, JsonSchema, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
#[schemars(rename = "NotificationItem")]
pub struct MessageItem {
    /// The kind: `blocked`, `impossible`, `deleted`, `no-forecast`, `refused` or `forced`.
    pub(super) kind: String,
    /// The reason for the item: `new`, `changed` or `reminder`.
    pub(super) change: String,
    /// True if a person must act.
    pub(super) must_act: bool,
    /// The first day; null if it is the case now.
    pub(super) first: Option<Date>,
    /// The last day.
    pub(super) last: Option<Date>,
    /// The day in an earlier message, if it has changed.
    pub(super) before: Option<Date>,
    /// The days, such as `12–18 Dec 2026`, or `now`.
    pub(super) when: String,
    /// The number of objects.
    pub(super) count: usize,
    /// The first objects.
    pub(super) objects: Vec<String>,
    /// The objects in one line.
    pub(super) who: String,
    /// The change or the violation.
    pub(super) what: String,
    /// The reasons, one sentence each.
    pub(super) why: Vec<String>,
    /// The actions, one sentence each.
    pub(super) advice: Vec<String>,
    /// The id of the rule that refuses it; empty if there is none.
    pub(super) rule: String,
}

/// The news of one Shoot in one short line.
#[derive(Clone, Debug, PartialEq)]
pub struct Notice {
    /// The namespace of the Shoot.
    pub namespace: String,
    /// The name of the Shoot.
    pub name: String,
    /// The text, with at most 1,000 bytes.
    pub text: String,
    /// Whether a person must act.
    pub must_act: bool,
}

/// The document of `notify --format json`.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "Notifications")]
pub(in crate::report) struct Document<'a> {
    /// The version of the document.
    version: u32,
    /// The messages, by destination and Project.
    messages: Vec<Addressed<'a>>,
}

/// A message with its destination.
#[derive(JsonSchema, Serialize)]
#[schemars(rename = "AddressedNotification")]
struct Addressed<'a> {
    /// The name of the destination; `standard output` without destinations.
    destination: &'a str,
    /// The message.
    notification: &'a Message,
}

/// Formats messages with the names of their destinations as JSON.
///
/// # Errors
/// Fails if `serde_json` fails, which does not happen for strings.
pub fn messages_json(messages: &[(&str, Message)]) -> serde_json::Result<String> {
    let messages =
        messages.iter().map(|(destination, notification)| Addressed { destination, notification });
    json_document(&Document { version: 1, messages: messages.collect() })
}

impl Message {
    /// Returns the message in one line.
    pub fn title(&self) -> &str {
        &self.title
    }
}

impl ProjectNews<'_> {
    /// Returns the message about the news; `None` if there are none.
    pub fn message(&self) -> Option<Message> {
        if self.is_empty() {
            return None;
        }
        let objects = |must_act: bool| {
            let items = self.items.iter().filter(|it| must_act == (it.group.kind != "forced"));
            let facts = items.flat_map(|it| &it.facts);
            facts.map(|it| (it.kind, &*it.namespace, &*it.name)).collect::<BTreeSet<_>>()
        };
        let (act, forced) = (objects(true), objects(false));
        let is_of_shoots = act.iter().all(|(kind, ..)| *kind == Kind::Shoot);
        let needs = if is_of_shoots {
            counted(act.len(), "Shoot needs a person", "Shoots need a person")
        } else {
            counted(act.len(), "object needs a person", "objects need a person")
        };
        let updates =
            counted(forced.len(), "Shoot gets a forced update", "Shoots get forced updates");
        let counts: Vec<String> = needs.into_iter().chain(updates).collect();
        let project = name(self.facts.project());
        let (mut items, mut size) = (Vec::new(), 0);
        for item in self.items.iter().take(ITEMS) {
            let item = self.item(item);
            size += item.size();
            if size > SIZE {
                break;
            }
            items.push(item);
        }
        Some(Message {
            day: self.today,
            title: format!("Project {project}: {}", counts.join(", ")),
            project,
            owner: name(self.facts.owner()),
            must_act: act.len(),
            forced: forced.len(),
            more: self.items.len() - items.len(),
            items,
        })
    }

    fn item(&self, item: &NewsItem<'_>) -> MessageItem {
        let group = item.group;
        let day = |it: &&Fact| it.day;
        let (first, last) =
            (item.facts.iter().filter_map(day).min(), item.facts.iter().filter_map(day).max());
        let titles: BTreeSet<&str> = item.facts.iter().map(|it| it.title.as_str()).collect();
        let objects: Vec<String> = titles.iter().take(NAMED).map(|it| name(it)).collect();
        let more = titles.len() - objects.len();
        let and_more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let sentences = |all: &[String]| all.iter().map(|it| sentence(it)).collect();
        let (change, before) = match item.change {
            Change::New => ("new", None),
            Change::Changed(before) => ("changed", before),
            Change::Reminder => ("reminder", None),
        };
        MessageItem {
            kind: group.kind.to_owned(),
            change: change.to_owned(),
            must_act: group.kind != "forced",
            first,
            last,
            before,
            when: self.when(first.zip(last)),
            count: titles.len(),
            who: format!("{}{and_more}", objects.join(", ")),
            objects,
            what: sentence(&group.what),
            why: sentences(&group.why),
            advice: sentences(&group.advice),
            rule: name(group.rule.unwrap_or_default()),
        }
    }

    fn when(&self, range: Option<(Date, Date)>) -> String {
        match range {
            None => "now".to_owned(),
            Some((first, last)) if first == last => {
                format!("{}, {}", days(first, last), relative(self.today, first))
            }
            Some((first, last)) => days(first, last),
        }
    }

    /// Returns the objects with news: whether each is a Shoot, and its digest.
    pub fn objects(&self) -> BTreeSet<(bool, u32)> {
        let facts = self.items.iter().flat_map(|it| &it.facts);
        facts.map(|it| (it.kind == Kind::Shoot, it.id.object)).collect()
    }

    /// Returns the news of each Shoot.
    pub fn notices(&self) -> Vec<Notice> {
        let mut notices: BTreeMap<(&str, &str), (Vec<String>, bool)> = BTreeMap::new();
        for item in &self.items {
            for fact in item.facts.iter().filter(|it| it.kind == Kind::Shoot) {
                let when = self.when(fact.day.zip(fact.day));
                let class =
                    if item.group.kind == "forced" { "forced update" } else { item.group.kind };
                let advice = item.group.advice.first().map(|it| format!("; {}", sentence(it)));
                let (what, advice) = (sentence(&item.group.what), advice.unwrap_or_default());
                let key = (&*fact.namespace, &*fact.name);
                let (texts, must_act) = notices.entry(key).or_default();
                texts.push(format!("{when}: {what} ({class}){advice}"));
                *must_act |= item.group.kind != "forced";
            }
        }
        notices
            .into_iter()
            .map(|((namespace, name), (texts, must_act))| Notice {
                namespace: namespace.to_owned(),
                name: name.to_owned(),
                text: clip(texts.join(". "), NOTICE),
                must_act,
            })
            .collect()
    }
}

impl MessageItem {
    /// Returns the size of its strings in bytes.
    fn size(&self) -> usize {
        let lists = self.why.iter().chain(&self.advice).chain(&self.objects);
        self.who.len() + self.what.len() + lists.map(String::len).sum::<usize>()
    }
}

fn name(text: &str) -> String {
    escape::value_within(text, NAME)
}

fn sentence(text: &str) -> String {
    escape::value_within(text, SENTENCE)
}
