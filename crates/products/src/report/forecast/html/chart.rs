// SPDX-License-Identifier: Apache-2.0
use std::collections::HashMap;

use jiff::civil::Weekday;
use jiff::tz::TimeZone;
use jiff::{SignedDuration, Timestamp, ToSpan as _};
use maud::{Markup, html};

use super::super::row::Row;
use super::project_part::ProjectPart;
use super::style::Look;
use crate::forecast::{Outlook, Part, ShootForecast, Stage, VersionStatus};

/// Approximate maximum number of dates on the axis.
const TICKS: i64 = 9;

/// Returns the legend of all timelines.
pub(super) fn legend() -> Markup {
    html! {
        p.legend {
            @for kind in Look::ALL {
                span { span.mark.(kind.name()) aria-hidden="true" {} (kind.title()) }
            }
            @for stage in ["preview", "supported", "deprecated", "expired", "unavailable"] {
                span.band.(stage) { (stage) }
            }
        }
    }
}

/// Returns the timeline of a Project: a row for each Shoot, with its pools folded.
pub(super) fn chart(outlook: &Outlook, part: &ProjectPart<'_>) -> Markup {
    let scale = Scale::of(outlook);
    let mut by_shoot: HashMap<(&str, &str), Vec<(usize, &Row<'_>)>> = HashMap::new();
    for (number, row) in &part.rows {
        let forecast = &row.shoot.forecast;
        let key = (forecast.namespace.as_str(), forecast.name.as_str());
        by_shoot.entry(key).or_default().push((*number, row));
    }
    html! {
        div.chart {
            div.axis aria-hidden="true" {
                div.label { "Project/Shoot" }
                div.track {
                    @for (place, text) in scale.ticks() { span style={ "left:" (place) "%" } { (text) } }
                }
            }
            @for shoot in &part.shoots {
                @let key = (shoot.forecast.namespace.as_str(), shoot.forecast.name.as_str());
                @let rows = by_shoot.get(&key).map_or(&[][..], Vec::as_slice);
                (line(&scale, shoot, rows))
            }
        }
    }
}

fn line(scale: &Scale, shoot: &ShootForecast, rows: &[(usize, &Row<'_>)]) -> Markup {
    let title = shoot.title();
    let standings = &shoot.forecast.standings;
    let first = standings.first();
    let pools = standings.get(1..).unwrap_or_default();
    html! {
        div.shoot data-shoot=(title) {
            div.row {
                div.label {
                    @if pools.is_empty() { (title) } @else { details { summary { (title) } } }
                }
                div.track {
                    @if let Some(first) = first { (bands(scale, &first.stages)) }
                    (today(scale))
                    (marks(scale, rows, |_| true))
                }
            }
            // Marks are links, which are not allowed in a `summary` element.
            div.parts { @for standing in pools { (part(scale, standing, rows)) } }
        }
    }
}

fn part(scale: &Scale, standing: &VersionStatus, rows: &[(usize, &Row<'_>)]) -> Markup {
    html! {
        div.row.part {
            div.label { (standing.part) }
            div.track {
                (bands(scale, &standing.stages))
                (today(scale))
                (marks(scale, rows, |part| *part == standing.part))
            }
        }
    }
}

fn bands(scale: &Scale, stages: &[Stage]) -> Markup {
    let ends = stages.iter().skip(1).map(|stage| stage.from).chain([scale.end]);
    let known = ["preview", "supported", "deprecated", "expired", "unavailable"];
    html! {
        @for (stage, end) in stages.iter().zip(ends) {
            @let class = known.iter().find(|it| **it == stage.classification).unwrap_or(&"unlisted");
            @let (left, right) = (scale.place(stage.from), scale.place(end));
            span.band.(class) style={ "left:" (left) "%;right:" (100.0 - right) "%" }
                title={ (stage.version) " " (stage.classification) } { (stage.version) }
        }
    }
}

fn today(scale: &Scale) -> Markup {
    html! { span.today style={ "left:" (scale.place(scale.at)) "%" } title="now" {} }
}

/// Returns a mark for each window, linked to its first table row, with the look of its worst event.
fn marks(scale: &Scale, rows: &[(usize, &Row<'_>)], is_meant: impl Fn(&Part) -> bool) -> Markup {
    let mut windows: Vec<(Timestamp, Look, usize, String)> = Vec::new();
    for (number, row) in rows.iter().filter(|(_, row)| is_meant(&row.event.part)) {
        let (at, look) = (row.window.earliest, Look::of(row));
        let says = format!("{} {} ({})", row.event.part, row.change(), row.class());
        match windows.last_mut().filter(|last| last.0 == at) {
            Some((_, worst, _, text)) => {
                *worst = look.max(*worst);
                *text = format!("{text}; {says}");
            }
            None => {
                let text = format!("{}, {} {}: {says}", row.shoot.title(), row.day(), row.time());
                windows.push((at, look, *number, text));
            }
        }
    }
    html! {
        @for (at, look, number, text) in windows {
            a.mark.(look.name()) href={ "#e" (number) } style={ "left:" (scale.place(at)) "%" } title=(text) aria-label=(text) {}
        }
    }
}

/// The horizontal scale of times.
struct Scale {
    /// The start of the chart, slightly before now, so that the line for now is visible.
    begin: Timestamp,
    at: Timestamp,
    end: Timestamp,
}

impl Scale {
    fn of(outlook: &Outlook) -> Self {
        let (at, end) = (outlook.at, outlook.until);
        let margin = SignedDuration::from_secs(end.duration_since(at).as_secs() / 50);
        Self { begin: at.checked_sub(margin).unwrap_or(at), at, end }
    }

    /// Returns the position in percent, rounded to a hundredth.
    fn place(&self, instant: Timestamp) -> f64 {
        let whole = self.end.duration_since(self.begin).as_secs_f64();
        let part = instant.duration_since(self.begin).as_secs_f64();
        let percent = (part / whole * 100.0).clamp(0.0, 100.0);
        (percent * 100.0).round() / 100.0
    }

    /// Returns Mondays in UTC, as many as fit, with their positions.
    fn ticks(&self) -> Vec<(f64, String)> {
        let days = self.end.duration_since(self.at).as_hours() / 24;
        let weeks = (days / 7 / TICKS).max(1);
        let zone = TimeZone::UTC;
        let mut day = self.at.to_zoned(zone.clone()).date();
        while day.weekday() != Weekday::Monday {
            let Ok(next) = day.tomorrow() else { break };
            day = next;
        }
        let mut ticks = Vec::new();
        while let Ok(zoned) = day.to_zoned(zone.clone()) {
            if zoned.timestamp() > self.end {
                break;
            }
            let place = self.place(zoned.timestamp());
            if place < 94.0 {
                ticks.push((place, day.strftime("%-d %b").to_string()));
            }
            let Ok(next) = day.checked_add(weeks.weeks()) else {
                break;
            };
            day = next;
        }
        ticks
    }
}
