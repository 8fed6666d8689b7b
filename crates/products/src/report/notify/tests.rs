// SPDX-License-Identifier: Apache-2.0
use std::collections::{BTreeMap, BTreeSet};

use jiff::ToSpan as _;
use jiff::civil::{Date, date};
use proptest::prelude::*;
use rstest::rstest;
use serde_json::Value;

use super::facts::{Fact, FactGroup, FactId, distinguish};
use super::news::Change;
use super::{
    LandscapeFacts, Message, MessageFormat, MessageTemplate, NotificationState, ProjectFacts,
    StateError, document_json, slack_json, teams_json,
};
use garden_gate_model::api::Kind;
use garden_gate_text::escape::is_unsafe;

const TODAY: Date = date(2026, 12, 1);
const TEAM: &str = "team";

/// A fact: the object, the day (in days from [`TODAY`]) and the reason.
type Row = (u32, Option<i32>, u32);

fn day(days: i32) -> Date {
    TODAY.saturating_add(days.days())
}

fn fact(object: u32, title: &str, day: Option<Date>, digest: u32) -> Fact {
    Fact {
        id: FactId { object, subject: 1 },
        kind: Kind::Shoot,
        namespace: "garden-dev".to_owned(),
        name: title.to_owned(),
        title: format!("dev/{title}"),
        day,
        digest,
    }
}

fn group(kind: &'static str, what: &str, facts: Vec<Fact>) -> FactGroup {
    FactGroup {
        kind,
        what: what.to_owned(),
        why: vec!["`1.30.1` expires".to_owned()],
        advice: vec!["update to `1.31.2`".to_owned()],
        rule: None,
        facts,
    }
}

fn landscape(today: i32, groups: Vec<FactGroup>) -> LandscapeFacts {
    let project = ProjectFacts {
        project: "dev".to_owned(),
        owner: "anna@example.com".to_owned(),
        groups,
        uncertain: Vec::new(),
    };
    LandscapeFacts { today: day(today), projects: BTreeMap::from([("dev".to_owned(), project)]) }
}

fn of_rows(today: i32, rows: &[Row]) -> LandscapeFacts {
    let facts = rows
        .iter()
        .map(|(object, at, digest)| fact(*object, &format!("s{object}"), at.map(day), *digest));
    landscape(today, vec![group("blocked", "Kubernetes 1.30.1 → 1.31.2", facts.collect())])
}

/// Returns the changes of the news by object.
fn changes(
    state: &NotificationState,
    facts: &LandscapeFacts,
    remind: &[u16],
) -> BTreeMap<u32, Change> {
    let news = state.news(TEAM, facts, remind);
    let items = news.iter().flat_map(|it| &it.items);
    items.flat_map(|item| item.facts.iter().map(|it| (it.id.object, item.change))).collect()
}

fn record(
    state: &mut NotificationState,
    facts: &LandscapeFacts,
    remind: &[u16],
    is_complete: bool,
) {
    for project in facts.projects.values() {
        state.record(TEAM, (project, facts), remind, is_complete);
    }
}

#[rstest]
#[case::known(&[(1, Some(9), 1)], 0, None)]
#[case::known_later(&[(1, Some(9), 1)], 8, None)]
#[case::day_moved(&[(1, Some(12), 1)], 1, Some(Change::Changed(Some(date(2026, 12, 10)))))]
#[case::day_moved_up(&[(1, Some(5), 1)], 1, Some(Change::Changed(Some(date(2026, 12, 10)))))]
#[case::day_removed(&[(1, None, 1)], 1, Some(Change::Changed(Some(date(2026, 12, 10)))))]
#[case::day_passed_and_repeats(&[(1, Some(10), 1)], 9, None)]
#[case::day_passed_long_ago(&[(1, Some(40), 1)], 33, None)]
#[case::reason_changed(&[(1, Some(9), 2)], 1, Some(Change::Changed(None)))]
#[case::reason_changed_after_the_day(&[(1, Some(12), 2)], 11, Some(Change::Changed(Some(date(2026, 12, 10)))))]
#[case::gone(&[], 1, None)]
fn fact_is_sent_again_when_it_changes(
    #[case] rows: &[Row],
    #[case] today: i32,
    #[case] expected: Option<Change>,
) {
    let mut state = NotificationState::default();
    let first = of_rows(0, &[(1, Some(9), 1)]);
    assert_eq!(changes(&state, &first, &[]), BTreeMap::from([(1, Change::New)]));
    record(&mut state, &first, &[], true);
    let later = of_rows(today, rows);
    assert_eq!(changes(&state, &later, &[]).get(&1).copied(), expected);
    // What another destination knows does not count.
    let of_other = state.news("other", &later, &[]);
    assert_eq!(of_other[0].is_empty(), rows.is_empty());
}

#[test]
fn fact_without_day_is_sent_once() {
    let (mut state, facts) = (NotificationState::default(), of_rows(0, &[(1, None, 1)]));
    record(&mut state, &facts, &[], true);
    assert!(changes(&state, &of_rows(50, &[(1, None, 1)]), &[7]).is_empty());
    let dated = changes(&state, &of_rows(1, &[(1, Some(3), 1)]), &[]);
    assert_eq!(dated[&1], Change::Changed(None));
}

#[test]
fn vanished_fact_is_forgotten_unless_the_garden_is_incomplete() {
    for (is_complete, expected) in [(true, Some(Change::New)), (false, None)] {
        let (mut state, facts) = (NotificationState::default(), of_rows(0, &[(1, Some(9), 1)]));
        record(&mut state, &facts, &[], true);
        record(&mut state, &of_rows(1, &[]), &[], is_complete);
        assert_eq!(changes(&state, &facts, &[]).get(&1).copied(), expected);
    }
}

#[test]
fn facts_of_a_shoot_without_forecast_are_kept() {
    let (mut state, facts) =
        (NotificationState::default(), of_rows(0, &[(1, Some(9), 1), (2, Some(9), 1)]));
    record(&mut state, &facts, &[], true);
    let mut unknown = of_rows(1, &[]);
    unknown.projects.get_mut("dev").unwrap().uncertain.push(1);
    record(&mut state, &unknown, &[], true);
    assert_eq!(changes(&state, &facts, &[]), BTreeMap::from([(2, Change::New)]));
}

/// Two worker pools of a Shoot have the same impossible update for different reasons.
#[test]
fn facts_that_differ_in_their_reason_are_sent_once() {
    let mut state = NotificationState::default();
    for today in 0..3 {
        let reasons = [(1, 5), (1, 9), (2, 5)].map(|(digest, at)| {
            group("impossible", "a 1 → ?", vec![fact(1, "web", Some(day(at)), digest)])
        });
        // Their order may vary.
        let mut groups = Vec::from(reasons);
        groups.rotate_left(today);
        distinguish(&mut groups);
        let facts = landscape(0, groups);
        let items = state.news(TEAM, &facts, &[])[0].items.len();
        assert_eq!(items, if today == 0 { 3 } else { 0 });
        record(&mut state, &facts, &[], true);
    }
}

#[test]
fn a_fact_keeps_its_id_when_an_equal_one_appears() {
    let one = |day: i32| fact(1, "dev/web", Some(TODAY.saturating_add(day.days())), 1);
    let mut state = NotificationState::default();
    for (days, expected) in [(&[9][..], 1), (&[9, 40], 1), (&[9, 40], 0), (&[40], 0)] {
        let facts = days.iter().map(|it| one(*it)).collect();
        let mut groups = vec![group("forced", "an update", facts)];
        distinguish(&mut groups);
        let facts = landscape(if days == [40] { 10 } else { 0 }, groups);
        let news = state.news(TEAM, &facts, &[]);
        let sent: usize = news.iter().flat_map(|it| &it.items).map(|it| it.facts.len()).sum();
        assert_eq!(sent, expected, "{days:?}");
        record(&mut state, &facts, &[], true);
    }
}

#[test]
fn a_day_that_changes_after_the_first_one_has_passed_is_news() {
    let mut state = NotificationState::default();
    let mut sent = Vec::new();
    // It is repeated on each day from 9 on, until it moves to day 60.
    for today in 0..40 {
        let day = if today < 30 { today.max(9) } else { 60 };
        let facts = of_rows(today, &[(1, Some(day), 1)]);
        if changes(&state, &facts, &[]).contains_key(&1) {
            sent.push(today);
        }
        record(&mut state, &facts, &[], true);
    }
    assert_eq!(sent, [0]);
    for (today, day, expected) in [(40, 60, false), (41, 50, true)] {
        let facts = of_rows(today, &[(1, Some(day), 1)]);
        assert_eq!(changes(&state, &facts, &[]).contains_key(&1), expected, "{today}");
        record(&mut state, &facts, &[], true);
    }
}

#[test]
fn missing_project_is_forgotten() {
    let (mut state, facts) = (NotificationState::default(), of_rows(0, &[(1, Some(9), 1)]));
    record(&mut state, &facts, &[], true);
    let none = LandscapeFacts { today: TODAY, projects: BTreeMap::new() };
    state.forget_missing(TEAM, &none);
    assert_eq!(changes(&state, &facts, &[])[&1], Change::New);
    record(&mut state, &facts, &[], true);
    state.retain(&BTreeSet::from(["other".to_owned()]));
    assert_eq!(state, NotificationState::default());
}

#[test]
fn reminder_comes_once_for_each_number_of_days() {
    let mut state = NotificationState::default();
    let mut days = Vec::new();
    for today in 0..40 {
        // The window is repeated daily after day 30.
        let facts = of_rows(today, &[(1, Some(30.max(today)), 1)]);
        if let Some(change) = changes(&state, &facts, &[7, 1]).get(&1) {
            days.push((today, *change));
            record(&mut state, &facts, &[7, 1], true);
        }
    }
    assert_eq!(days, [(0, Change::New), (23, Change::Reminder), (29, Change::Reminder)]);
}

#[rstest]
#[case::torn(r#"{"version":1,"destinations":{"a":{"dev":{"0000000"#)]
#[case::empty("")]
#[case::other_json("[]")]
#[case::unknown_field(r#"{"version":1,"destinations":{},"more":1}"#)]
#[case::id(r#"{"version":1,"destinations":{"a":{"dev":{"+000000100000001":"00000001 - 1"}}}}"#)]
#[case::wide_id(r#"{"version":1,"destinations":{"a":{"dev":{"ééééééééé":"00000001 - 1"}}}}"#)]
#[case::value(r#"{"version":1,"destinations":{"a":{"dev":{"0000000100000001":"1 - 1"}}}}"#)]
#[case::day(
    r#"{"version":1,"destinations":{"a":{"dev":{"0000000100000001":"00000001 99999999999 1"}}}}"#
)]
fn invalid_state_is_an_error(#[case] text: &str) {
    assert!(matches!(NotificationState::parse(text), Err(StateError::Invalid { .. })), "{text}");
}

#[test]
fn state_of_a_later_version_is_an_error() {
    let text = r#"{"version":2,"destinations":{"a":"of another shape"}}"#;
    let error = NotificationState::parse(text).unwrap_err();
    assert_eq!(error, StateError::Later { version: 2 });
    assert!(error.to_string().contains("version 2"), "{error}");
}

proptest! {
    #[test]
    fn each_change_is_sent_once(steps in prop::collection::vec((
        prop::collection::btree_map(0..4u32, (prop::option::of(-3..9i32), 0..2u32), 0..4),
        any::<bool>(),
    ), 1..30)) {
        let mut state = NotificationState::default();
        // What the reader knows: day and reason.
        let mut known: BTreeMap<u32, (Option<Date>, u32)> = BTreeMap::new();
        for (today, (rows, is_delivered)) in (0i32..).step_by(2).zip(steps) {
            let at = |ahead: Option<i32>| ahead.map(|it| today + it);
            let rows: Vec<Row> =
                rows.into_iter().map(|(id, (ahead, digest))| (id, at(ahead), digest)).collect();
            let facts = of_rows(today, &rows);
            let is_news = |(id, at, digest): &&Row| known.get(id).is_none_or(|(known_day, known_digest)| {
                let has_moved = *known_day != at.map(day) && known_day.is_none_or(|it| it > day(today));
                known_digest != digest || has_moved
            });
            let expected: BTreeSet<u32> = rows.iter().filter(is_news).map(|(id, ..)| *id).collect();
            let actual: BTreeSet<u32> = changes(&state, &facts, &[]).into_keys().collect();
            prop_assert_eq!(&actual, &expected);
            let message = state.news(TEAM, &facts, &[])[0].message();
            prop_assert_eq!(message.is_none(), expected.is_empty());
            // An undelivered message does not change the state.
            if is_delivered || expected.is_empty() {
                record(&mut state, &facts, &[], true);
                known.retain(|id, _| rows.iter().any(|(it, ..)| it == id));
                for (id, at, digest) in &rows {
                    // A day that has passed is repeated without a message.
                    let has_passed = known.get(id).is_some_and(|(it, _)| it.is_some_and(|it| it <= day(today)));
                    if expected.contains(id) || has_passed {
                        known.insert(*id, (at.map(day), *digest));
                    }
                }
                prop_assert!(changes(&state, &facts, &[]).is_empty());
            }
            let json = state.to_json().unwrap();
            prop_assert_eq!(&NotificationState::parse(&json).unwrap(), &state);
        }
    }

    #[test]
    fn any_state_is_parsed_or_refused(text in "(\\PC|\\{|\"|:|,|[0-9a-f]){0,60}") {
        let _ = NotificationState::parse(&text);
    }
}

const HOSTILE: &str = "<!channel> @here https://e.example/x [a](http://b) `c` *d* _e_ \u{1b}[2J\u{202e}f\r\nBcc: g@h.example <img src=x> | # i :fire: ::error::j";

fn hostile_message() -> Message {
    let long = "x".repeat(253);
    let name = format!("{HOSTILE}{long}");
    let facts = (0..300).map(|it| fact(it, &format!("{name}{it}"), Some(day(3)), 1)).collect();
    let mut groups = vec![group("blocked", &name, facts)];
    for number in 0..200 {
        let mut group = group(
            "forced",
            &format!("{name} {number}"),
            vec![fact(number, &name, Some(day(4)), 1)],
        );
        group.why = vec![name.repeat(20); 4];
        group.advice = vec![name.clone(); 4];
        groups.push(group);
    }
    let mut facts = landscape(0, groups);
    for project in facts.projects.values_mut() {
        project.project = name.clone();
        project.owner = name.clone();
    }
    NotificationState::default().news(TEAM, &facts, &[])[0].message().unwrap()
}

#[test]
fn hostile_strings_are_harmless_in_each_format() {
    let message = hostile_message();
    assert!(!message.title().contains(is_unsafe), "{}", message.title());
    for format in [MessageFormat::Text, MessageFormat::Markdown, MessageFormat::Slack] {
        let text = MessageTemplate::built_in(format).unwrap().render(&message).unwrap();
        assert!(text.len() < 64 << 10, "{}", text.len());
        assert!(!text.contains(|it| is_unsafe(it) && it != '\n'), "{format:?}");
        assert!(
            !text.lines().any(|it| it.starts_with("Bcc:") || it.trim_start().starts_with("::"))
        );
        match format {
            MessageFormat::Slack => {
                assert!(!text.contains('<') && !text.contains('>'), "{text}");
                for markup in ["@here", "https://e.example/x", "*d*", "_e_", ":fire:"] {
                    assert!(text.contains(&format!("`{markup}`")), "{markup}: {text}");
                }
            }
            MessageFormat::Markdown => {
                let outside: String = text.split('`').step_by(2).collect();
                assert!(!text.contains("<img") && !outside.contains("](http"), "{text}");
            }
            MessageFormat::Text | MessageFormat::Json => {}
        }
        if format == MessageFormat::Slack {
            let payload: Value = serde_json::from_str(&slack_json(&message, &text)).unwrap();
            let blocks = payload["blocks"].as_array().unwrap();
            assert!(!blocks.is_empty() && blocks.len() <= 50);
            for block in blocks {
                assert!(block["text"]["text"].as_str().unwrap().chars().count() <= 3_000);
                assert_eq!(block["text"]["verbatim"], true);
            }
        }
        if format == MessageFormat::Text {
            let card = teams_json(&message, &text);
            assert!(card.len() < 28_000, "{}", card.len());
            let card: Value = serde_json::from_str(&card).unwrap();
            let body = &card["attachments"][0]["content"]["body"];
            assert!(body.as_array().unwrap().iter().all(|it| it["type"] == "RichTextBlock"));
        }
    }
    let json: Value = serde_json::from_str(&document_json(&message).unwrap()).unwrap();
    assert_eq!((&json["version"], &json["mustAct"]), (&1.into(), &300.into()));
    assert!(json["more"].as_u64().unwrap() > 100);
}

#[test]
fn large_landscape_has_one_bounded_message_per_project() {
    let mut all = landscape(0, Vec::new());
    for number in 0..300 {
        let of_project =
            (0..35).map(|it| fact(number * 100 + it, &format!("s{it}"), Some(day(3)), 1));
        let groups = vec![group("blocked", "Kubernetes 1.30.1 → 1.31.2", of_project.collect())];
        let project = format!("p{number}");
        let facts = ProjectFacts { project: project.clone(), groups, ..ProjectFacts::default() };
        all.projects.insert(project, facts);
    }
    let mut state = NotificationState::default();
    let news = state.news(TEAM, &all, &[7]);
    let messages: Vec<Message> = news.iter().filter_map(|it| it.message()).collect();
    assert_eq!(messages.len(), 300);
    assert!(messages.iter().all(|it| document_json(it).unwrap().len() < 2_000));
    record(&mut state, &all, &[7], true);
    assert!(changes(&state, &all, &[7]).is_empty());
    // It fits a ConfigMap.
    let size = state.to_json().unwrap().len();
    assert!(size < 600_000, "{size}");
}

#[test]
fn message_leads_with_what_needs_a_person() {
    let facts = landscape(
        0,
        vec![
            group(
                "blocked",
                "Kubernetes 1.30.1 → 1.31.2",
                vec![fact(1, "web", Some(day(3)), 1), fact(2, "api", Some(day(5)), 1)],
            ),
            group(
                "forced",
                "gardenlinux 1592.9.0 → 1592.12.0",
                vec![fact(1, "web", Some(day(9)), 1)],
            ),
        ],
    );
    let state = NotificationState::default();
    let message = state.news(TEAM, &facts, &[])[0].message().unwrap();
    let text = MessageTemplate::built_in(MessageFormat::Text).unwrap().render(&message).unwrap();
    assert_eq!(
        text,
        "\
Project dev: 2 Shoots need a person, 1 Shoot gets a forced update

* 4–6 Dec 2026: dev/api, dev/web: Kubernetes 1.30.1 → 1.31.2 (blocked)
  `1.30.1` expires
  -> update to `1.31.2`

* 10 Dec 2026, in 9 days: dev/web: gardenlinux 1592.9.0 → 1592.12.0 (forced update)
  `1.30.1` expires
  -> update to `1.31.2`
"
    );
    let notices = state.news(TEAM, &facts, &[])[0].notices();
    assert_eq!(notices.len(), 2);
    assert!(notices.iter().all(|it| it.must_act && it.text.len() <= 1_000));
}

#[rstest]
#[case::unknown_value("a\n{{ nothing }}", Some(2), "undefined value")]
#[case::syntax("{% if %}", Some(1), "syntax error")]
#[case::endless(
    "{% for a in range(9999) %}{% for b in range(9999) %}.{% endfor %}{% endfor %}",
    None,
    ""
)]
#[case::large("{% for a in range(9999) %}{{ title }}{% endfor %}", None, "more than 65536 bytes")]
#[case::long("a\n{{ 1 + \"}}\" + LONG 1 }}", Some(2), "more than 1000 bytes")]
#[case::no_files("{% include \"/etc/passwd\" %}", Some(1), "")]
fn template_error_names_file_and_line(
    #[case] source: &str,
    #[case] line: Option<usize>,
    #[case] part: &str,
) {
    let message = hostile_message();
    let long = source.replace("LONG", &"1 + ".repeat(500));
    let parsed = MessageTemplate::parse("chat.jinja", &long, MessageFormat::Text);
    let error = parsed.and_then(|it| it.render(&message)).unwrap_err();
    assert_eq!(error.name, "chat.jinja");
    assert!(error.to_string().contains(part), "{error}");
    if line.is_some() {
        assert_eq!(error.line, line, "{error}");
    }
}

#[test]
fn template_of_a_webhook_is_json() {
    let message = hostile_message();
    let template = |source: &str| MessageTemplate::parse("hook.jinja", source, MessageFormat::Json);
    let text = template("{\"summary\": {{ title }}, \"count\": {{ mustAct }}}").unwrap();
    let json: Value = serde_json::from_str(&text.render(&message).unwrap()).unwrap();
    assert_eq!(json["summary"], message.title());
    let error = template("{\"summary\": \"{{ title }}\"}").unwrap().render(&message).unwrap_err();
    assert!(error.to_string().contains("not valid JSON"), "{error}");
}
