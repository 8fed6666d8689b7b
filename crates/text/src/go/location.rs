// SPDX-License-Identifier: Apache-2.0
use std::sync::LazyLock;

use jiff::tz::{TimeZone, TimeZoneDatabase};

/// The time zone database in the binary, so that a verdict does not depend on the machine.
static ZONES: LazyLock<TimeZoneDatabase> = LazyLock::new(TimeZoneDatabase::bundled);

/// Names that Linux distributions install in addition to the zones of the database.
const EXTRAS: [&str; 2] = ["localtime", "posixrules"];

/// Reports whether Go's `time.LoadLocation` accepts a name on Linux.
///
/// Valid names are empty, `UTC`, `Local`, or a zone in its exact spelling.
pub fn is_location(name: &str) -> bool {
    zone(name).is_some()
}

/// Returns the time zone of a location that Go knows on Linux. `Local` is UTC, as in a container.
pub fn zone(name: &str) -> Option<TimeZone> {
    if matches!(name, "" | "UTC" | "Local") {
        return Some(TimeZone::UTC);
    }
    if name.contains("..") || name.starts_with(['/', '\\']) || name.ends_with('/') {
        return None;
    }
    // Go opens a file below the zone directory, where `.` and repeated slashes have no effect.
    let steps: Vec<&str> = name.split('/').filter(|step| !matches!(*step, "" | ".")).collect();
    let path = steps.join("/");
    let name =
        ["posix/", "right/"].iter().find_map(|copy| path.strip_prefix(copy)).unwrap_or(&path);
    if EXTRAS.contains(&name) {
        return Some(TimeZone::UTC);
    }
    // Lookups in the database ignore case, but those on Linux do not.
    let zone = ZONES.get(name).ok()?;
    (zone.iana_name() == Some(name)).then_some(zone)
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::zone;

    #[rstest]
    #[case::plain("Europe/Berlin", Some("Europe/Berlin"))]
    #[case::dot("./Europe/Berlin", Some("Europe/Berlin"))]
    #[case::doubled_slash("Europe//./Berlin", Some("Europe/Berlin"))]
    #[case::copy("posix/Europe/Berlin", Some("Europe/Berlin"))]
    #[case::utc("./UTC", Some("UTC"))]
    #[case::other_case("europe/berlin", None)]
    #[case::parent("../Europe/Berlin", None)]
    #[case::copy_of_a_copy("posix/posix/UTC", None)]
    fn zone_is_found_by_its_path(#[case] name: &str, #[case] expected: Option<&str>) {
        let zone = zone(name);
        let name = zone.as_ref().and_then(|zone| zone.iana_name());
        assert_eq!(name, expected);
    }
}
