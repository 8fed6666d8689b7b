// SPDX-License-Identifier: Apache-2.0
//! `garden-gate notify`: sends news of a landscape to the owners of Projects.

mod state;

use std::collections::BTreeSet;
use std::io::Write;
use std::path::PathBuf;
use std::str::FromStr;
use std::time::Duration;

use anyhow::{Context as _, bail};
use clap::{Args, ValueEnum};

use self::state::open_state;
use super::Outcome;
use super::landscape::{LandscapeArgs, LoadedLandscape};
use super::time::digits_and_unit;
use crate::notify::{
    Channel, Delivery, DeliveryOptions, Destination, Report, Resources, StatePlace, Store,
    Undelivered, mark, read_destinations,
};
use crate::review::cluster::Live;
use crate::review::notes::note;
use garden_gate_products::report::{
    LandscapeFacts, Lines, Message, MessageFormat, MessageTemplate, NotificationState,
    messages_json, number_of,
};
use garden_gate_text::nearest::did_you_mean;

/// The destination of messages without a file of destinations, in the state.
const STANDARD_OUTPUT: &str = "standard output";
/// Maximum number of undelivered messages that are listed.
const LISTED: usize = 20;
/// Maximum time of a run.
const LONGEST: u64 = 24 * 60 * 60;

/// Arguments of `garden-gate notify`.
#[derive(Args, Debug)]
#[command(
    next_help_heading = "Destinations",
    after_help = "\
Without --destinations, the messages are printed, and the state stays as it is
unless --mark is given.

Examples:
  garden-gate notify --garden dump/
  garden-gate notify --live --destinations notify.yaml --state notified.json --mark
  garden-gate notify --live --destinations notify.yaml --state notified.json
  garden-gate notify --live --destinations notify.yaml --state configmap:garden/notifications

Exit codes:
  0  everything new was sent, or nothing is new
  2  the command failed, or messages were not delivered
  3  there are no Shoots
  4  sent, but an unreadable file may contain objects"
)]
pub(super) struct Notify {
    /// File with the destinations of the messages (YAML).
    #[arg(long, value_name = "FILE")]
    destinations: Option<PathBuf>,

    /// Send only to this destination; may be given several times.
    #[arg(long = "to", value_name = "NAME", requires = "destinations")]
    to: Vec<String>,

    /// State with the facts that were sent: a file, or `configmap:NAMESPACE/NAME` with --live. It is created if it does not exist.
    #[arg(long, value_name = "PLACE")]
    state: Option<StatePlace>,

    /// Record all facts as sent, and send nothing.
    #[arg(long, requires = "state", conflicts_with = "dry_run")]
    mark: bool,

    /// Print what would be sent, with the templates of the destinations; the state stays as it is.
    #[arg(long, requires = "destinations")]
    dry_run: bool,

    /// Maximum time for all messages, such as 90s, 10m or 1h.
    #[arg(long, value_name = "TIME", default_value = "10m")]
    within: Within,

    /// Format of printed messages: text, markdown or json [default: text, or the template of the destination].
    #[arg(long, value_name = "FORMAT", hide_possible_values = true)]
    format: Option<Format>,

    #[command(flatten, next_help_heading = "Selection")]
    landscape: LandscapeArgs,
}

/// A format of printed messages.
#[derive(Clone, Copy, Debug, Eq, PartialEq, ValueEnum)]
enum Format {
    /// Plain text.
    Text,
    /// GitHub-flavored Markdown.
    Markdown,
    /// JSON.
    Json,
}

/// The maximum time of a run.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
struct Within(Duration);

impl FromStr for Within {
    type Err = String;

    fn from_str(text: &str) -> Result<Self, String> {
        let wrong =
            || format!("`{text}` is not a valid duration; write it like `90s`, `10m` or `1h`");
        let (count, unit) = digits_and_unit(text).ok_or_else(wrong)?;
        let unit = match unit {
            's' => 1,
            'm' => 60,
            'h' => 60 * 60,
            _ => return Err(wrong()),
        };
        let seconds =
            count.parse::<u64>().ok().and_then(|it| it.checked_mul(unit)).ok_or_else(wrong)?;
        Ok(Self(Duration::from_secs(seconds.min(LONGEST))))
    }
}

/// Messages for one destination, with the text of each.
struct Printed<'a> {
    destination: &'a str,
    message: Message,
    text: String,
}

impl Notify {
    /// Sends, prints or records what is new.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let file = self.destinations.as_deref().map(read_destinations).transpose()?;
        let is_sending = file.is_some() && !self.dry_run && !self.mark;
        if is_sending && self.state.is_none() {
            bail!(
                "--state is required, since every run would send everything; name a file, which is created"
            );
        }
        if self.format.is_some() && file.is_some() && !self.dry_run {
            bail!("--format is for printed messages; add --dry-run, or omit --destinations");
        }
        let names: BTreeSet<&str> =
            file.iter().flat_map(|(_, all)| all).map(|it| it.name.as_str()).collect();
        if let Some(name) = self.to.iter().find(|it| !names.contains(it.as_str())) {
            let similar = did_you_mean(name, &names.iter().copied().collect::<Vec<_>>())
                .map(|it| format!("; {it}"))
                .unwrap_or_default();
            bail!("there is no destination `{name}`{similar}");
        }
        let selected = self.landscape.select()?;
        let (store, mut state) = match &self.state {
            Some(place) => open_state(place, &selected, is_sending || self.mark)?,
            None => Store::none(),
        };
        if file.is_some() {
            let kept = names.iter().copied().chain([STANDARD_OUTPUT]).map(str::to_owned).collect();
            state.retain(&kept);
        }
        let (mut channels, mut all) = (Vec::new(), Vec::new());
        let has_file = file.is_some();
        if let Some((file, destinations)) = file {
            all = destinations.into_iter().filter(|it| self.is_selected(it)).collect();
            if is_sending {
                let resources = Resources { cluster: selected.live().map(Live::client) };
                channels = Channel::open_all(&file, std::mem::take(&mut all), &resources)?;
            }
        }
        let LoadedLandscape { landscape, is_partial, is_complete } = selected.load()?;
        let facts = LandscapeFacts::of(&landscape);
        let mut sent = Ok(());
        if is_sending {
            let delivery = Delivery {
                facts: &facts,
                destinations: &channels,
                options: DeliveryOptions {
                    within: self.within.0,
                    is_complete,
                    has_all_projects: self.landscape.has_all_projects(),
                },
            };
            let (report, saved) = selected.block_on(delivery.run(state, store))?;
            report_sent(&report, out)?;
            saved.context("the state was not saved")?;
            sent = undelivered(&report);
        } else if has_file && self.mark {
            let destinations: Vec<(&str, &[u16])> =
                all.iter().map(|it| (it.name.as_str(), it.remind())).collect();
            selected.block_on(mark(&facts, &destinations, is_complete, (state, store)))??;
            let projects = number_of(facts.projects(), "Project", "Projects");
            let names = number_of(destinations.len(), "destination", "destinations");
            let line = format!("recorded the facts of {projects} for {names}");
            Lines::plain(out).line(format_args!("{line}"))?;
        } else {
            self.print(&facts, &state, has_file.then_some(&all[..]), out)?;
            if self.mark {
                let destinations = [(STANDARD_OUTPUT, &[][..])];
                selected.block_on(mark(&facts, &destinations, is_complete, (state, store)))??;
            }
        }
        Ok(match (sent, landscape.shoots(), is_partial) {
            (Err(Undeliverable), ..) => Outcome::Failed,
            (Ok(()), _, true) => Outcome::Undetermined,
            (Ok(()), 0, false) => Outcome::Nothing,
            (Ok(()), ..) => Outcome::Clean,
        })
    }

    /// Reports whether a destination is selected.
    fn is_selected(&self, destination: &Destination) -> bool {
        self.to.is_empty() || self.to.contains(&destination.name)
    }

    /// Prints the news for destinations, or else for standard output.
    fn print(
        &self,
        facts: &LandscapeFacts,
        state: &NotificationState,
        destinations: Option<&[Destination]>,
        out: &mut dyn Write,
    ) -> anyhow::Result<()> {
        let template = match self.format.unwrap_or(Format::Text) {
            Format::Markdown => MessageTemplate::built_in(MessageFormat::Markdown)?,
            Format::Text | Format::Json => MessageTemplate::built_in(MessageFormat::Text)?,
        };
        let (mut printed, mut objects) = (Vec::new(), BTreeSet::new());
        let (mut quiet, mut noisy) = (BTreeSet::new(), BTreeSet::new());
        let chosen: Vec<Option<&Destination>> = match destinations {
            Some(all) => all.iter().map(Some).collect(),
            None => vec![None],
        };
        for destination in chosen {
            let name = destination.map_or(STANDARD_OUTPUT, |it| it.name.as_str());
            let remind = destination.map_or(&[][..], Destination::remind);
            for news in state.news(name, facts, remind) {
                let project = news.facts().project();
                if destination.is_some_and(|it| !it.takes(project)) {
                    continue;
                }
                let Some(message) = news.message() else {
                    quiet.insert(project);
                    continue;
                };
                noisy.insert(project);
                objects.extend(news.objects());
                let text = match (destination, self.format) {
                    (Some(destination), None) => destination.render(&message)?,
                    _ => template.render(&message)?,
                };
                printed.push(Printed { destination: name, message, text });
            }
        }
        if self.format == Some(Format::Json) {
            let messages: Vec<(&str, Message)> =
                printed.into_iter().map(|it| (it.destination, it.message)).collect();
            return Ok(out.write_all(messages_json(&messages)?.as_bytes())?);
        }
        let counts = summary(printed.len(), &objects, quiet.difference(&noisy).count());
        let mut out = Lines::plain(out);
        match destinations {
            Some(_) => out.line(format_args!("would send {counts}"))?,
            None => out.line(format_args!("{counts}"))?,
        }
        for Printed { destination, text, .. } in &printed {
            out.line(format_args!(""))?;
            if destinations.is_some() {
                out.line(format_args!("to {destination}:"))?;
            }
            out.block(text.trim_end())?;
            out.line(format_args!(""))?;
        }
        Ok(())
    }
}

/// Messages were not delivered, which was reported.
struct Undeliverable;

fn report_sent(report: &Report, out: &mut dyn Write) -> anyhow::Result<()> {
    let counts = summary(report.sent, report.objects(), report.quiet);
    Lines::plain(out).line(format_args!("sent {counts}"))?;
    Ok(())
}

/// Prints the messages that were not delivered.
fn undelivered(report: &Report) -> Result<(), Undeliverable> {
    let all = &report.undelivered;
    for Undelivered { destination, project, why } in all.iter().take(LISTED) {
        note(format_args!("error: {destination}: Project {project}: {why}"));
    }
    match all.len() {
        0 => return Ok(()),
        1 => note(format_args!("error: 1 message was not delivered; the next run tries it again")),
        count => note(format_args!(
            "error: {count} messages were not delivered; the next run tries them again"
        )),
    }
    Err(Undeliverable)
}

/// Formats the counts of messages, of objects, which are Shoots if the first part is true, and of Projects without news.
fn summary(messages: usize, objects: &BTreeSet<(bool, u32)>, quiet: usize) -> String {
    let messages = number_of(messages, "message", "messages");
    let is_of_shoots = objects.iter().all(|(is_shoot, _)| *is_shoot);
    let objects = if is_of_shoots {
        number_of(objects.len(), "Shoot", "Shoots")
    } else {
        number_of(objects.len(), "object", "objects")
    };
    let quiet = number_of(quiet, "Project has nothing new", "Projects have nothing new");
    format!("{messages} about {objects}; {quiet}")
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use rstest::rstest;

    use super::Within;

    #[rstest]
    #[case("90s", Some(90))]
    #[case("10m", Some(600))]
    #[case("99999999h", Some(86_400))]
    #[case("0s", None)]
    #[case("+5m", None)]
    #[case("5", None)]
    #[case("5é", None)]
    #[case("", None)]
    fn durations(#[case] text: &str, #[case] seconds: Option<u64>) {
        let within = text.parse::<Within>().ok();
        assert_eq!(within, seconds.map(|it| Within(Duration::from_secs(it))));
    }
}
