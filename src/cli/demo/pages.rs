// SPDX-License-Identifier: Apache-2.0
//! The pages about the example landscape.

use anyhow::Context as _;
use serde_json::{Value, json};

use super::landscape::Landscape;
use crate::playground::{PAGE, PlaygroundFiles};
use crate::server::DemoPage;
use garden_gate_core::admission::World;
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::rules;
use garden_gate_model::api::Kind;
use garden_gate_products::audit::{Auditor, Tally, audited_kinds};
use garden_gate_products::forecast::{Outlook, Owner, PERIOD, Profiles, StoredShoot};
use garden_gate_products::report::{
    AuditSummary, ForecastReport, IndexEntry, LandscapeBuilder, Lookups, Naming, Outcome,
    PLAYGROUND_POLICY, Reviewed, SITE_POLICY, Site, SiteFile, audit_html, audit_json,
    forecast_html, forecast_ics, forecast_json, index_html, json_document, page_policy,
};

/// The Shoot of the example request, and the version that the request sets.
const SHOOT: (&str, &str) = ("garden-shop", "web");
const OLDER_VERSION: &str = "1.33.11";
/// The finding about the example request.
pub(super) const FINDING: &str = "shoot/kubernetes-version-downgrade";

const HTML: &str = "text/html; charset=utf-8";
const JSON: &str = "application/json";

/// Renders all pages; the index page shows these commands.
///
/// # Errors
/// Fails if the landscape has no such Shoot, which a test excludes.
pub(super) fn pages(
    landscape: &Landscape,
    playground: Option<PlaygroundFiles>,
    commands: &[String],
) -> anyhow::Result<Vec<DemoPage>> {
    let outlook = outlook(landscape)?;
    let (tally, audited) = audited(landscape);
    let judged = landscape.config.judged_as();
    let summary = || AuditSummary::of_part(landscape.at, tally.clone());
    let text = |path, content_type, body: String| page(path, content_type, body.into_bytes());
    let mut pages = vec![
        text("/", HTML, index(landscape, commands)),
        text("/forecast", HTML, forecast_html(ForecastReport::of(&outlook))),
        text("/forecast.json", JSON, forecast_json(ForecastReport::of(&outlook))?),
        text("/forecast.ics", "text/calendar; charset=utf-8", forecast_ics(&outlook)),
        text("/audit", HTML, audit_html(summary(), judged, &audited)),
        page("/audit.json", JSON, audit_json(summary(), judged, &audited)?),
        text("/review.json", JSON, json_document(&review(landscape)?)?),
    ];
    pages.extend(site(landscape, playground.as_ref())?);
    for (path, file) in playground.into_iter().flat_map(|it| it.files) {
        let page = DemoPage {
            path: format!("/site/playground/{path}"),
            content_type: file.content_type,
            policy: PLAYGROUND_POLICY,
            body: file.content.into(),
        };
        if path == PAGE {
            pages.push(DemoPage { path: "/site/playground/".to_owned(), ..page.clone() });
        }
        pages.push(page);
    }
    Ok(pages)
}

fn page(path: &str, content_type: &'static str, body: Vec<u8>) -> DemoPage {
    DemoPage { path: path.to_owned(), content_type, policy: page_policy(), body: body.into() }
}

/// Returns the files of the site.
fn site(
    landscape: &Landscape,
    playground: Option<&PlaygroundFiles>,
) -> anyhow::Result<Vec<DemoPage>> {
    let until = landscape.at.checked_add(PERIOD)?;
    let auditor =
        Auditor::new(&landscape.garden, &landscape.config, landscape.at).foreseeing(until);
    let builder = LandscapeBuilder::new(&auditor, until, Lookups::default());
    let mut collecting = builder.begin();
    for kind in audited_kinds() {
        for (key, stored) in landscape.of_kind(kind) {
            let mut reviewed = Reviewed::audited(key, auditor.object(key, stored));
            collecting.add(builder.part(key, stored, &mut reviewed)?);
        }
    }
    let mut pages = Vec::new();
    let landscape = builder
        .end(collecting, |_, _| true)?
        .with_playground(playground.map(PlaygroundFiles::shown));
    Site::of(&landscape, Naming::Numbers).files("data", |file| {
        let SiteFile { path, content_type, content } = file;
        let path = format!("/site/{}", path.strip_suffix("index.html").unwrap_or(&path));
        pages.push(DemoPage { path, content_type, policy: SITE_POLICY, body: content.into() });
        anyhow::Ok(())
    })?;
    Ok(pages)
}

fn index(landscape: &Landscape, commands: &[String]) -> String {
    let count = landscape.of_kind(Kind::Shoot).count();
    let at = format!("{:.0}", landscape.at);
    let about = format!(
        "An example landscape with {count} Shoots, as of {at}. The program contains it; nothing is written. A real server uses HTTPS, and people need a token for its pages."
    );
    index_html(
        "garden-gate demo",
        &[&about],
        &[
            IndexEntry::page(
                "/site/",
                "the whole landscape: what happens to each cluster, when, and what to do",
            ),
            IndexEntry::page("/forecast", "the updates of the next 90 days: which, when and why"),
            IndexEntry::page("/forecast.json", "the same as JSON"),
            IndexEntry::page("/forecast.ics", "a calendar with the maintenance windows"),
            IndexEntry::page("/audit", "findings about the stored objects"),
            IndexEntry::page("/audit.json", "the same as JSON"),
            IndexEntry::page("/review.json", "an AdmissionReview, for `/validate`"),
            IndexEntry::post("/validate", "verdicts about AdmissionReviews"),
            IndexEntry::post("/mutate", "patches with defaults for AdmissionReviews"),
            IndexEntry::page("/metrics", "metrics for Prometheus"),
            IndexEntry::page("/readyz", "readiness"),
        ],
        commands,
    )
}

fn outlook(landscape: &Landscape) -> anyhow::Result<Outlook> {
    let Landscape { garden, config, at, .. } = landscape;
    let until = at.checked_add(PERIOD)?;
    let world = World { rules: rules::ALL.into(), garden, config, now: *at };
    let profiles = Profiles::default();
    let mut outlook = Outlook {
        at: *at,
        until,
        judged: config.judged_as(),
        shoots: Vec::new(),
        unforeseen: Vec::new(),
    };
    for (key, stored) in landscape.of_kind(Kind::Shoot) {
        let owner = Owner::of_namespace(&key.namespace, garden);
        let stored = serde_json::from_str(stored.get()).map_err(|error| error.to_string());
        let shoot = StoredShoot::new((key.namespace.clone(), key.name.clone()), owner, stored);
        match shoot.forecast(&profiles, &world, until) {
            Ok(shoot) => outlook.shoots.push(shoot),
            Err(shoot) => outlook.unforeseen.push(shoot),
        }
    }
    Ok(outlook)
}

/// Audits all objects; returns the counts, and the objects with findings.
fn audited(landscape: &Landscape) -> (Tally, Vec<Reviewed>) {
    let auditor = Auditor::new(&landscape.garden, &landscape.config, landscape.at);
    let mut tally = Tally::default();
    let mut remarkable = Vec::new();
    for kind in audited_kinds() {
        for (key, stored) in landscape.of_kind(kind) {
            let mut reviewed = Reviewed::audited(key, auditor.object(key, stored));
            reviewed.owner = Owner::of_namespace(&key.namespace, &landscape.garden);
            if let Outcome::Judged(review, _) = &reviewed.outcome {
                tally.add(key, &reviewed.owner, (review, reviewed.occasions.as_slice()));
            }
            if reviewed.is_remarkable() {
                remarkable.push(reviewed);
            }
        }
    }
    (tally, remarkable)
}

/// Returns an AdmissionReview that downgrades Kubernetes.
fn review(landscape: &Landscape) -> anyhow::Result<Value> {
    let (namespace, name) = SHOOT;
    let is_wanted = |key: &ObjectKey| key.namespace == namespace && key.name == name;
    let mut shoots = landscape.of_kind(Kind::Shoot);
    let (_, stored) = shoots.find(|(key, _)| is_wanted(key)).context("no example Shoot")?;
    let old: Value = serde_json::from_str(stored.get())?;
    let mut new = old.clone();
    let version = new.pointer_mut("/spec/kubernetes/version").context("no version")?;
    *version = json!(OLDER_VERSION);
    let resource =
        json!({"group": "core.gardener.cloud", "version": "v1beta1", "resource": "shoots"});
    Ok(json!({
        "apiVersion": "admission.k8s.io/v1",
        "kind": "AdmissionReview",
        "request": {
            "uid": "00000000-0000-4000-8000-000000000001",
            "kind": {"group": "core.gardener.cloud", "version": "v1beta1", "kind": "Shoot"},
            "resource": resource,
            "requestResource": resource,
            "namespace": namespace,
            "name": name,
            "operation": "UPDATE",
            "userInfo": {"username": "anna@example.com", "groups": ["system:authenticated"]},
            "object": new,
            "oldObject": old,
        },
    }))
}
