// SPDX-License-Identifier: Apache-2.0
//! Assumptions and prices of `garden-gate plan`.

use std::time::Duration;

use super::duration;
use super::reader::{Field, Located, Reader};
use crate::plan::{Estimates, PlanSettings, Prices};

/// Maximum number of days of a step.
const LONGEST_DAYS: u64 = 30;
/// The highest price of a machine per hour.
const HIGHEST_PRICE: f64 = 1_000_000.0;

/// Parses the section `plan`.
pub(super) fn read(reader: &mut Reader<'_>, at: &Located<'_>) -> PlanSettings {
    let mut settings = PlanSettings::default();
    let fields: &mut [Field<'_>] = &mut [
        ("durations", &mut |reader, at| settings.estimates = read_durations(reader, at)),
        ("prices", &mut |reader, at| settings.prices = Some(read_prices(reader, at))),
    ];
    reader.fields(at, fields);
    settings
}

fn read_prices(reader: &mut Reader<'_>, at: &Located<'_>) -> Prices {
    let mut prices = Prices::default();
    let fields: &mut [Field<'_>] = &mut [
        ("currency", &mut |reader, at| prices.currency = read_currency(reader, at)),
        ("machineTypes", &mut |reader, at| {
            for (name, entry) in reader.entries(at) {
                if let Some(price) = read_price(reader, &entry) {
                    prices.hourly.insert(name.to_owned(), price);
                }
            }
        }),
    ];
    reader.fields(at, fields);
    if at.value.is_object() && at.field("currency").is_none() {
        let message = format!("{} has no `currency`", at.name());
        reader.error(at, &message, "set it, such as `currency: EUR`");
    }
    prices
}

fn read_currency(reader: &mut Reader<'_>, at: &Located<'_>) -> String {
    let text = reader.text(at).unwrap_or_default();
    if at.value.is_string() && (text.len() != 3 || !text.bytes().all(|it| it.is_ascii_uppercase()))
    {
        let message = format!("{} is not a currency code", at.name());
        reader.error(at, &message, "write three capital letters, such as `EUR`");
    }
    text.to_owned()
}

/// Parses a price per hour; the limit keeps all sums finite.
fn read_price(reader: &mut Reader<'_>, at: &Located<'_>) -> Option<f64> {
    let help = "write the price per hour, such as 0.096";
    let price = reader.typed(at, at.value.as_f64(), "a number", help)?;
    if (0.0..=HIGHEST_PRICE).contains(&price) {
        return Some(price);
    }
    let message = format!("{} is not between 0 and {HIGHEST_PRICE}", at.name());
    reader.error(at, &message, help);
    None
}

fn read_durations(reader: &mut Reader<'_>, at: &Located<'_>) -> Estimates {
    let default = Estimates::default();
    let (mut creation, mut removal, mut update) = (
        Step::new(default.creation_best, default.creation_typical),
        Step::new(default.removal_best, default.removal_typical),
        Step::new(default.update_best, default.update_typical),
    );
    let fields: &mut [Field<'_>] = &mut [
        ("machineCreation", &mut |reader, at| creation.read(reader, at)),
        ("machineRemoval", &mut |reader, at| removal.read(reader, at)),
        ("inPlaceUpdate", &mut |reader, at| update.read(reader, at)),
    ];
    reader.fields(at, fields);
    Estimates {
        creation_best: creation.best,
        creation_typical: creation.typical,
        creation_worst: creation.worst,
        removal_best: removal.best,
        removal_typical: removal.typical,
        removal_worst: removal.worst,
        update_best: update.best,
        update_typical: update.typical,
        update_worst: update.worst,
        ..default
    }
}

/// The durations of one step.
struct Step {
    best: Duration,
    typical: Duration,
    worst: Option<Duration>,
}

impl Step {
    fn new(best: Duration, typical: Duration) -> Self {
        Self { best, typical, worst: None }
    }

    /// Parses the durations; the default of an omitted one does not contradict the others.
    fn read(&mut self, reader: &mut Reader<'_>, at: &Located<'_>) {
        let (mut best, mut typical, mut worst) = (None, None, None);
        let fields: &mut [Field<'_>] = &mut [
            ("best", &mut |reader, at| best = read_duration(reader, at)),
            ("typical", &mut |reader, at| typical = read_duration(reader, at)),
            ("worst", &mut |reader, at| worst = read_duration(reader, at)),
        ];
        reader.fields(at, fields);
        let given = [("best", best), ("typical", typical), ("worst", worst)];
        let given: Vec<(&str, Duration)> =
            given.into_iter().filter_map(|(name, it)| Some((name, it?))).collect();
        for pair in given.windows(2) {
            if let [(shorter, one), (longer, other)] = pair
                && one > other
            {
                let message = format!("`{shorter}` of {} is longer than `{longer}`", at.name());
                reader.error(at, &message, "order the durations: `best`, `typical`, `worst`");
            }
        }
        let most = |it: Duration| worst.map_or(it, |worst| it.min(worst));
        let fallback = self.typical.max(best.unwrap_or_default());
        self.typical = typical.unwrap_or_else(|| most(fallback));
        self.best = best.unwrap_or_else(|| self.best.min(self.typical));
        self.worst = worst;
    }
}

fn read_duration(reader: &mut Reader<'_>, at: &Located<'_>) -> Option<Duration> {
    let help = "write it as `90s`, `4m` or `1h30m`";
    let text = reader.typed(at, at.value.as_str(), "a duration", help)?;
    let read = reader.valid(at, duration::parse(text), help)?;
    let longest = Duration::from_secs(LONGEST_DAYS * 24 * 60 * 60);
    match Duration::try_from(read) {
        Ok(read) if read <= longest => Some(read),
        _ => {
            let message = format!("{} is longer than {LONGEST_DAYS}d", at.name());
            reader.error(at, &message, help);
            None
        }
    }
}
