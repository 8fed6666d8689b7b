// SPDX-License-Identifier: Apache-2.0
//! The HTML page of a forecast: its content, and its behaviour in a browser.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::collections::BTreeSet;
use std::path::Path;

use crate::browser::{Scheme, assert_narrow, dom_of, evaluate};
use crate::folder::folder;
use crate::outlook::{landscape, outlook};
use garden_gate::garden::directory;
use garden_gate_core::admission::{Kind, World};
use garden_gate_core::config::{Config, JudgedVersion};
use garden_gate_products::audit::{Auditor, Tally};
use garden_gate_products::forecast::{Outlook, Owner, Profiles, ShootForecast, StoredShoot};
use garden_gate_products::report::{
    AuditSummary, ForecastReport, Outcome, PublishedProject, Reviewed, audit_html, forecast_html,
    forecast_json, page_policy, projects_html,
};
use jiff::{SignedDuration, Timestamp};
use scraper::{ElementRef, Html, Selector};
use serde_json::{Value, json};

fn select<'a>(page: &'a Html, selector: &str) -> Vec<ElementRef<'a>> {
    let selector = Selector::parse(selector).unwrap();
    page.select(&selector).collect()
}

/// Returns the page of a forecast.
fn forecast_page(outlook: &Outlook) -> String {
    forecast_html(ForecastReport::of(outlook))
}

fn text(element: &ElementRef<'_>) -> String {
    element.text().collect::<String>().trim().to_owned()
}

#[test]
fn the_table_says_what_the_json_says() {
    let outlook = outlook(1);
    let page = Html::parse_document(&forecast_page(&outlook));
    let cells = Selector::parse("td").unwrap();
    let rows = select(&page, ".project tbody tr");
    let rows = rows.iter().map(|row| {
        let cells: Vec<ElementRef<'_>> = row.select(&cells).collect();
        let said: Vec<String> = cells.iter().map(text).collect();
        let earliest = cells[0].attr("data-key").unwrap();
        (said[1].clone(), earliest.to_owned(), said[2].clone(), said.join(" "))
    });
    let mut rows: Vec<_> = rows.collect();
    rows.sort();
    let forecast: Value =
        serde_json::from_str(&forecast_json(ForecastReport::of(&outlook)).unwrap()).unwrap();
    let mut events = 0;
    for shoot in forecast["shoots"].as_array().unwrap() {
        let word = |value: &Value| value.as_str().unwrap_or_default().to_owned();
        let title = format!("{}/{}", word(&shoot["project"]), word(&shoot["name"]));
        for window in shoot["windows"].as_array().unwrap() {
            for event in window["events"].as_array().unwrap() {
                events += 1;
                let of_event = |(shoot, at, part, text): &&(String, String, String, String)| {
                    let is_part = match event["part"].as_str().unwrap() {
                        "control-plane" => part == "control plane",
                        "pool" => *part == format!("pool {}", word(&event["pool"])),
                        "image" => part.starts_with(&format!("pool {},", word(&event["pool"]))),
                        "field" => *part == word(&event["field"]),
                        _ => part == "operation",
                    };
                    let is_part = is_part && text.contains(&word(&event["from"]));
                    *shoot == title && *at == word(&window["earliest"]) && is_part
                };
                let row = rows.iter().find(of_event).unwrap();
                let mut facts = vec![word(&window["local"]), word(&event["class"])];
                facts.extend([word(&event["from"]), word(&event["to"])]);
                facts.extend([word(&event["cause"]), word(&event["advice"])]);
                for blocked in window["blockedBy"].as_array().into_iter().flatten() {
                    let says = ["rule", "field", "message", "help"].map(|it| word(&blocked[it]));
                    facts.extend(says);
                }
                for fact in facts {
                    let fact = fact.replace('`', "");
                    assert!(row.3.contains(&fact), "{fact}\n{}", row.3);
                }
            }
        }
    }
    assert_eq!(events, rows.len());
}

#[test]
fn events_that_need_a_person_come_first() {
    let page = Html::parse_document(&forecast_page(&outlook(1)));
    let headings: Vec<String> = select(&page, "h2").iter().map(text).collect();
    let expected =
        ["You must act 2", "Forced 9", "Regular 5, nothing to do", "By Project", "Stays behind"];
    assert_eq!(headings, expected);
    let projects: Vec<String> = select(&page, ".project > summary").iter().map(text).collect();
    assert_eq!(projects, ["data · 3 Shoots · 2 to act on", "shop · 4 Shoots"]);
    assert_eq!(select(&page, ".project[open]").len(), 2);
    let large = Html::parse_document(&forecast_page(&landscape(5_003)));
    assert_eq!(select(&large, ".project").len(), 101);
    assert_eq!(select(&large, ".project[open], .chart, .project table").len(), 0);
}

#[test]
fn the_page_reads_nothing_else() {
    let text = forecast_page(&outlook(1));
    let page = Html::parse_document(&text);
    assert!(select(&page, "[src], link, iframe, img, object, form").is_empty());
    assert!(!text.contains("url(") && !text.contains("@import"));
    for link in select(&page, "a") {
        assert!(link.attr("href").unwrap().starts_with('#'));
    }
    let policy = select(&page, "meta[http-equiv=Content-Security-Policy]");
    assert!(policy[0].attr("content").unwrap().starts_with("default-src 'none'"));
}

#[test]
fn what_a_shoot_says_of_itself_stays_text() {
    let mut outlook = outlook(1);
    let evil = "<script>alert('x')</script>";
    outlook.shoots[0].forecast.remarks.push(evil.to_owned());
    outlook.shoots[0].forecast.windows[0].events[0].cause = format!("`{evil}` \"&");
    let page = Html::parse_document(&forecast_page(&outlook));
    assert_eq!(select(&page, "script").len(), 1);
    assert!(page.root_element().text().any(|it| it.contains(evil)));
}

#[test]
fn every_mark_is_a_link_with_words_to_a_row() {
    let page = Html::parse_document(&forecast_page(&outlook(1)));
    let rows: BTreeSet<String> = select(&page, ".project tbody tr")
        .iter()
        .map(|row| format!("#{}", row.attr("id").unwrap()))
        .collect();
    let marks = select(&page, "a.mark");
    assert!(marks.len() > 10);
    for mark in marks {
        assert!(rows.contains(mark.attr("href").unwrap()));
        assert!(mark.attr("aria-label").unwrap().len() > 20);
    }
}

/// Returns the result of a script that runs after the page's own script in a browser.
fn found_in_browser(page: &str, script: &str) -> Value {
    // The policy of the page permits no script of a test.
    let page = page.replace(page_policy(), "");
    let script = format!(
        "const show = () => [...document.querySelectorAll('.project tbody tr')].filter((it) => !it.hidden);
        const shoots = (rows) => rows.map((it) => it.cells[1].textContent);
        {script}"
    );
    evaluate(&page, &script, Scheme::Light)
}

#[test]
#[ignore = "needs chromium (.ci/browser): cargo test --test cli -- --ignored"]
fn a_browser_sorts_filters_and_folds() {
    let script = "
        const search = document.getElementById('search');
        const heads = document.querySelectorAll('th button');
        const all = show().length;
        heads[1].click();
        const up = shoots(show());
        const sorted = heads[1].parentNode.getAttribute('aria-sort');
        heads[1].click();
        const down = shoots(show());
        heads[0].click();
        const times = show().map((it) => it.cells[0].dataset.key);
        search.value = 'KUBELET-constraint etl';
        search.dispatchEvent(new Event('input'));
        const searched = shoots(show());
        const charted = [...document.querySelectorAll('.shoot')].filter((it) => !it.hidden).map((it) => it.dataset.shoot);
        const status = document.getElementById('count').textContent;
        search.value = '';
        search.dispatchEvent(new Event('input'));
        const box = document.querySelector('input[value=regular]');
        box.click();
        const irregular = show().every((it) => it.dataset.class !== 'regular');
        const fewer = show().length;
        box.click();
        const closed = document.querySelectorAll('details[open]').length;
        document.getElementById('fold').click();
        const open = document.querySelectorAll('details[open]').length;
        const parts = [...document.querySelectorAll('.parts')].every((it) => getComputedStyle(it).display === 'block');
        const mark = document.querySelector('a.mark.blocked');
        mark.focus();
        const focused = document.activeElement === mark;
        const scripted = getComputedStyle(document.querySelector('.controls')).display;
        return { all, up, down, times, sorted, searched, charted, status, irregular, fewer, closed, open, parts, focused, scripted };";
    // A table is sorted by itself.
    let mut outlook = outlook(1);
    outlook.shoots.iter_mut().for_each(|shoot| shoot.owner.project = "data".to_owned());
    let found = found_in_browser(&forecast_page(&outlook), script);
    let list = |name: &str| -> Vec<String> {
        let list = found[name].as_array().unwrap().iter();
        list.map(|it| it.as_str().unwrap().to_owned()).collect()
    };
    let all = found["all"].as_u64().unwrap();
    assert!(all > 10 && list("up").is_sorted() && list("times").is_sorted());
    assert!(list("down").iter().rev().is_sorted());
    assert_eq!(found["sorted"], "ascending");
    assert_eq!([&found["searched"], &found["charted"]], [&json!(["data/etl"]); 2]);
    assert_eq!(found["status"], format!("1 of {all} events"));
    assert_eq!(found["irregular"], true);
    assert!(found["fewer"].as_u64().unwrap() < all);
    assert_eq!([&found["closed"], &found["open"]], [&json!(1), &json!(8)]);
    assert_eq!([&found["parts"], &found["focused"]], [true, true]);
    assert_eq!(found["scripted"], "flex");
}

#[test]
#[ignore = "needs chromium (.ci/browser): cargo test --test cli -- --ignored"]
fn script_uses_the_document_in_proportion_to_the_shoots() {
    // Counts calls, reads and writes of properties of elements, and the lengths of the results.
    let counter = "
        var uses = 0;
        const counted = (run) => function (...given) {
            const result = run.apply(this, given);
            uses += 1 + (result?.length ?? 0);
            return result;
        };
        for (const { prototype } of [EventTarget, Node, Document, Element, HTMLElement, HTMLTableRowElement, HTMLDetailsElement]) {
            for (const [name, field] of Object.entries(Object.getOwnPropertyDescriptors(prototype))) {
                if (name === 'constructor' || !field.configurable) continue;
                for (const part of ['get', 'set', 'value']) {
                    if (typeof field[part] === 'function') field[part] = counted(field[part]);
                }
                Object.defineProperty(prototype, name, field);
            }
        }";
    let script = "
        document.querySelectorAll('th button')[1].click();
        const search = document.getElementById('search');
        search.value = 'web-17';
        search.dispatchEvent(new Event('input'));
        const few = show().length;
        search.value = '';
        search.dispatchEvent(new Event('input'));
        document.getElementById('fold').click();
        return { few, uses, rows: show().length };";
    let uses = |projects: u64| {
        let outlook = outlook(usize::try_from(projects).unwrap());
        let report = ForecastReport { is_detailed: true, ..ForecastReport::of(&outlook) };
        let page = forecast_html(report).replacen(
            "<script>",
            &format!("<script>{counter}</script><script>"),
            1,
        );
        let found = found_in_browser(&page, script);
        assert_eq!(found["rows"].as_u64(), Some(16 * projects), "{found}");
        assert!(found["few"].as_u64().unwrap() > 0);
        found["uses"].as_u64().unwrap()
    };
    let [few, many] = [72, 288].map(uses);
    assert!(few > 10 * 16 * 72, "{few}");
    assert!(many < 4 * few + few / 10, "4 times as many Shoots: {many} instead of {few}");
}

/// Returns the page of an audit of the Shoots in the examples.
fn audit_page() -> String {
    let loaded = directory::load(Path::new("examples/audit")).unwrap();
    let (config, now) = (Config::default(), "2026-12-01T00:00:00Z".parse().unwrap());
    let auditor = Auditor::new(&loaded.snapshot, &config, now);
    let mut tally = Tally::default();
    let mut found = Vec::new();
    let file = Path::new("examples/audit/shoots.yaml");
    for (key, stored) in directory::objects(file, &[Kind::Shoot]) {
        let reviewed = Reviewed::audited(&key, auditor.object(&key, &stored));
        if let Outcome::Judged(review, _) = &reviewed.outcome {
            tally.add(&key, &Owner::default(), (review, &reviewed.occasions));
        }
        found.push(reviewed);
    }
    let audit = AuditSummary::of_part(now, tally);
    audit_html(audit, JudgedVersion::default(), &found)
}

#[test]
fn audit_that_foresees_maintenance_has_the_same_findings_and_the_whole_forecast() {
    let loaded = directory::load(Path::new("examples/forecast")).unwrap();
    let (config, now): (_, Timestamp) =
        (Config::default(), "2026-12-01T00:00:00Z".parse().unwrap());
    let auditor = Auditor::new(&loaded.snapshot, &config, now);
    let world =
        World { rules: auditor.rules().into(), garden: auditor.garden(), config: &config, now };
    let until = |hours| now.checked_add(SignedDuration::from_hours(hours)).unwrap();
    let [short, long] = [until(24), until(90 * 24)].map(|it| auditor.clone().foreseeing(it));
    let mut foreseen = 0;
    let file = Path::new("examples/forecast/shoots.yaml");
    for (key, stored) in directory::objects(file, &[Kind::Shoot]) {
        let plain = auditor.object(&key, &stored);
        let audited = [&short, &long].map(|it| it.object(&key, &stored));
        for it in &audited {
            assert_eq!(it.review.findings, plain.review.findings, "{key:?}");
            assert_eq!(it.occasions, plain.occasions, "{key:?}");
        }
        let names = (key.namespace.clone(), key.name.clone());
        let value = serde_json::from_str(stored.get()).unwrap();
        let shoot = StoredShoot::new(names, Owner::default(), Ok(value));
        let forecast = shoot.forecast(&Profiles::default(), &world, until(90 * 24));
        let forecast = forecast.ok().map(|it| Box::new(it.forecast));
        foreseen += usize::from(forecast.is_some());
        let found = audited.map(|it| it.forecast);
        assert_eq!((plain.forecast, found), (None, [None, forecast]), "{key:?}");
    }
    assert_eq!(foreseen, 7);
}

#[test]
#[ignore = "needs chromium (.ci/browser): cargo test --test cli -- --ignored"]
fn findings_of_an_audit_are_searched() {
    let script = "
        const search = document.getElementById('search');
        const shown = () => [...document.querySelectorAll('tbody tr')].filter((it) => it.checkVisibility()).length;
        const find = (text) => {
            search.value = text;
            search.dispatchEvent(new Event('input'));
            return [shown(), document.getElementById('count').textContent];
        };
        const all = find('');
        const some = find('DENY');
        const none = find('no such word');
        find('');
        document.querySelector('.controls input[value=warn]').click();
        return { all, some, none, refusals: shown(),
            warnings: [...document.querySelectorAll('tr[data-level=warn]')].filter((it) => it.checkVisibility()).length };";
    let found = found_in_browser(&audit_page(), script);
    let [all, some, none] = ["all", "some", "none"].map(|it| found[it][0].as_u64().unwrap());
    assert!(all > some && some > 0, "{found}");
    assert_eq!((none, &found["warnings"]), (0, &json!(0)), "{found}");
    assert!(found["none"][1].as_str().unwrap().starts_with("0 of "), "{found}");
    assert!(found["refusals"].as_u64().unwrap() > 0, "{found}");
}

fn projects_page() -> String {
    let project = |name: &str, blocked| PublishedProject {
        project: name.to_owned(),
        namespace: format!("garden-{name}"),
        shoots: 3,
        next_forced: Some("2026-12-06T02:00:00Z".parse().unwrap()),
        blocked,
        denied: 1,
        warned: 2,
    };
    let projects = [project("data", 1), project("shop", 0), project("", 0)];
    projects_html("2026-12-01T00:00:00Z".parse().unwrap(), &projects)
}

#[test]
fn page_is_at_most_three_times_as_large_as_its_forecast_in_memory() {
    let outlook = outlook(10);
    let memory: usize = outlook.shoots.iter().map(ShootForecast::memory).sum();
    let page = forecast_page(&outlook);
    assert!(page.len() < 3 * memory, "{} {memory}", page.len());
    assert!(memory < 10 * page.len(), "{} {memory}", page.len());
}

#[test]
fn published_pages_have_the_policy_and_no_other_script() {
    for page in [audit_page(), projects_page()] {
        let page = Html::parse_document(&page);
        let policy = select(&page, "meta[http-equiv=Content-Security-Policy]");
        assert_eq!(policy[0].attr("content"), Some(page_policy()));
        assert!(select(&page, "[src], link, iframe, form, [onclick]").is_empty());
        assert!(select(&page, "script").len() <= 1, "only that of audits");
        let heads = select(&page, "th");
        assert!(heads.len() > 4 && heads.iter().all(|it| it.attr("scope") == Some("col")));
    }
    let findings = Html::parse_document(&audit_page());
    let findings = select(&findings, "tbody tr");
    assert!(findings.len() > 3);
    let page = Html::parse_document(&projects_page());
    let names = select(&page, "a");
    let names = names.iter().map(|it| it.attr("aria-label").unwrap());
    assert_eq!(names.collect::<BTreeSet<_>>().len(), 6);
}

#[test]
#[ignore = "needs chromium (.ci/browser): cargo test --test cli -- --ignored"]
fn a_browser_runs_the_script_that_the_policy_permits() {
    let page = forecast_page(&outlook(1));
    for (page, expected) in
        [(page.clone(), 1), (page.replace("'use strict';", "'use strict'; "), 0)]
    {
        let dom = dom_of(&page, Scheme::Light);
        assert_eq!(select(&dom, "html.scripted").len(), expected);
    }
}

#[test]
#[ignore = "needs chromium (.ci/browser): cargo test --test cli -- --ignored"]
fn page_fits_a_narrow_window() {
    let page = forecast_page(&outlook(1)).replace("<details>", "<details open>");
    let folder = folder(&[("page.html", &page)]);
    for scheme in [Scheme::Dark, Scheme::Light] {
        assert_narrow(&[&folder.path().join("page.html")], scheme, |_| true);
    }
}

#[test]
#[ignore = "needs chromium (.ci/browser): cargo test --test cli -- --ignored"]
fn pages_fit_into_narrow_and_wide_windows_and_work_with_a_keyboard() {
    let script = "
        const view = document.getElementById('frame').contentWindow;
        const page = view.document;
        const all = [...page.querySelectorAll('a[href], button, input, summary')].filter((it) => it.checkVisibility());
        const label = (it) => it.labels && it.labels.length > 0 ? it.labels[0].textContent : '';
        const name = (it) => (it.getAttribute('aria-label') || label(it) || it.textContent).trim();
        const html = (list) => list.map((it) => it.outerHTML);
        const unnamed = html(all.filter((it) => name(it) === ''));
        const reordered = html(all.filter((it) => it.tabIndex !== 0));
        const unfocused = html(all.filter((it) => { it.focus(); return page.activeElement !== it; }));
        const root = page.documentElement;
        const first = all.length > 0 ? name(all[0]) : '';
        return { unnamed, reordered, unfocused, first, controls: all.length, width: view.innerWidth,
            overflow: root.scrollWidth - root.clientWidth, headings: page.querySelectorAll('h1').length };";
    for (page, first) in [
        (forecast_page(&outlook(1)), "To the Projects"),
        (audit_page(), "To the findings"),
        (projects_page(), "Forecast of data"),
    ] {
        let page = page.replace(page_policy(), "").replace('&', "&amp;").replace('"', "&quot;");
        for width in [400, 1280] {
            let frame = format!(
                "<!DOCTYPE html><title>t</title><body><iframe id=frame style=\"border:0\" width={width} height=900 srcdoc=\"{page}\"></iframe>"
            );
            let found = found_in_browser(&frame, script);
            for list in ["unnamed", "reordered", "unfocused"] {
                assert_eq!(found[list], json!([]), "{first} {width}: {list}");
            }
            assert_eq!(found["first"], first);
            assert_eq!(found["width"], width);
            assert_eq!(found["overflow"], 0, "{first} {width}");
            assert_eq!(found["headings"], 1);
        }
    }
}
