// SPDX-License-Identifier: Apache-2.0
use garden_gate_text::go::{
    Quantity, dns_label_error, dns_subdomain_error, is_network, label_value_error, parse_duration,
    qualified_name_error,
};

/// A restriction of the value of a field, in addition to its shape.
///
/// An absent value violates only [`Constraint::Filled`] and [`Constraint::FilledWithWorkers`].
#[derive(Clone, Copy, Debug)]
pub enum Constraint {
    /// One of these strings.
    Enum(&'static [&'static str]),
    /// The value is present and not empty if its parent is present.
    Filled,
    /// As [`Constraint::Filled`], for Shoots with workers.
    FilledWithWorkers,
    /// The value is absent or not empty.
    NotEmpty,
    /// A number that is not less.
    AtLeast(f64),
    /// A number that is not greater.
    AtMost(f64),
    /// A number that is less.
    Below(f64),
    /// A number or duration that is greater than 0.
    Positive,
    /// A duration that is not shorter, in seconds.
    LastsAtLeast(f64),
    /// A duration that is not longer, in seconds.
    LastsAtMost(f64),
    /// A string of that format.
    Format(Format),
    /// A string with at most this number of bytes.
    MaxBytes(usize),
    /// The items of the list differ.
    Distinct,
    /// The items of the list differ in this field.
    DistinctBy(&'static str),
    /// Forbidden from this minor version of Kubernetes 1 on; with the replacement.
    RemovedFrom(u64, &'static str),
    /// Forbidden before this minor version of Kubernetes 1.
    AddedIn(u64),
    /// Forbidden in Shoots without workers.
    WithWorkers,
    /// The value is immutable.
    Immutable,
    /// The value is immutable once it is set.
    ImmutableOnceSet,
    /// Gardener reports the field under this name.
    Called(&'static str),
    /// The field exists since this minor version of Gardener 1, or of the extension.
    Since(u16),
    /// The field exists until this minor version of the extension.
    Until(u16),
    /// The value of [`Constraint::Enum`] exists since this minor version of Gardener 1.
    ValueSince(u16, &'static str),
    /// A value without a shape is not only an object, but of any JSON type.
    AnyType,
}

/// The syntax of a string.
#[derive(Clone, Copy, Debug, Eq, PartialEq)]
pub enum Format {
    /// Lower-case letters, digits and `-`, at most 63.
    DnsLabel,
    /// DNS labels separated by dots, at most 253 characters.
    DnsSubdomain,
    /// As [`Format::DnsSubdomain`], or empty.
    DnsSubdomainOrNothing,
    /// A label key, for example `example.com/name`.
    LabelKey,
    /// A label value, or empty.
    LabelValue,
    /// A CIDR, for example `10.0.0.0/16`.
    Cidr,
    /// A size in `Gi`, for example `50Gi`.
    Gibibytes,
    /// A quantity that is not negative.
    Amount,
    /// A quantity that is not negative, or a percentage up to `100%`.
    AmountOrPercent,
    /// Certificates in PEM.
    Pem,
    /// An e-mail address.
    Email,
    /// A positive integer, as a string.
    PositiveInteger,
    /// Any string without `,`.
    WithoutComma,
    /// Lower case, without `,`, `.`, `#` and spaces.
    ResourceName,
    /// Lower case, without `,`, `#` and spaces.
    ApiGroup,
}

impl Format {
    /// Returns the reason why a string does not have this format; `None` if it does.
    pub fn error(self, text: &str) -> Option<&'static str> {
        let unless = |fits: bool, why| (!fits).then_some(why);
        match self {
            Format::DnsLabel => dns_label_error(text),
            Format::DnsSubdomain => dns_subdomain_error(text),
            Format::DnsSubdomainOrNothing if text.is_empty() => None,
            Format::DnsSubdomainOrNothing => dns_subdomain_error(text),
            Format::LabelKey => qualified_name_error(text),
            Format::LabelValue => label_value_error(text),
            Format::Cidr => {
                unless(is_network(text), "it is no address range, such as `10.0.0.0/16`")
            }
            Format::Gibibytes => unless(
                is_gibibytes(text),
                "it is a whole number with the unit `Gi`, such as `50Gi`",
            ),
            Format::Amount => unless(
                is_amount(text),
                "it is a number from 0 on, with a unit where one is needed, such as `200Mi`",
            ),
            Format::AmountOrPercent => unless(
                is_amount(text) || is_part(text),
                "it is a quantity, such as `200Mi`, or a part, such as `5%`, of at most `100%`",
            ),
            Format::Pem => unless(is_pem(text), "it is no certificate in PEM"),
            Format::Email => {
                unless(is_email(text), "it is no e-mail address, such as `me@example.com`")
            }
            Format::PositiveInteger => {
                unless(text.parse().is_ok_and(|it: i64| it > 0), "it is a whole number from 1 on")
            }
            Format::WithoutComma => unless(!text.contains(','), "it has no commas"),
            Format::ResourceName => unless(
                is_plain(text, ",. #"),
                "it is lower-case and has no commas, dots, spaces and `#`",
            ),
            Format::ApiGroup => {
                unless(is_plain(text, ", #"), "it is lower-case and has no commas, spaces and `#`")
            }
        }
    }
}

impl Format {
    /// Returns the help for an invalid string: a corrected string that is valid and `fits`, else an example.
    pub fn help(self, text: &str, fits: impl Fn(&str) -> bool) -> String {
        let is_right = |it: &String| self.error(it).is_none() && fits(it);
        match self.corrected(text).filter(is_right) {
            Some(corrected) => format!("write `{corrected}`"),
            None => self.syntax().to_owned(),
        }
    }

    /// Corrects case, units and separators; the result may still be invalid.
    fn corrected(self, text: &str) -> Option<String> {
        let text = text.trim();
        match self {
            Format::DnsLabel => Some(named(text, ".")),
            Format::DnsSubdomain | Format::DnsSubdomainOrNothing => Some(named(text, "")),
            Format::LabelValue => Some(text.replace(' ', "-")),
            Format::Gibibytes => gibibytes(text),
            Format::ResourceName | Format::ApiGroup => Some(text.to_lowercase()),
            Format::LabelKey
            | Format::Cidr
            | Format::Amount
            | Format::AmountOrPercent
            | Format::Pem
            | Format::Email
            | Format::PositiveInteger
            | Format::WithoutComma => None,
        }
        .filter(|it| !it.is_empty())
    }

    /// Returns the syntax, by an example.
    fn syntax(self) -> &'static str {
        match self {
            Format::DnsLabel => "write it like `my-name`",
            Format::DnsSubdomain | Format::DnsSubdomainOrNothing => {
                "write it like `my-name` or `example.com`"
            }
            Format::LabelKey => "write it like `example.com/name`",
            Format::LabelValue => "write it like `my-value`",
            Format::Cidr => "write it like `10.0.0.0/16`",
            Format::Gibibytes => "write it like `50Gi`",
            Format::Amount => "write it like `200Mi`",
            Format::AmountOrPercent => "write it like `200Mi` or `5%`",
            Format::Pem => {
                "write the certificate below `caBundle: |`, indented, from `-----BEGIN CERTIFICATE-----` on"
            }
            Format::Email => "write it like `me@example.com`",
            Format::PositiveInteger => "write it like `\"20\"`",
            Format::WithoutComma => "write each value as an element of its own, without `,`",
            Format::ResourceName => "write it like `deployments`",
            Format::ApiGroup => "write it like `apps`",
        }
    }
}

/// Converts a string to a name.
///
/// The result is in lower case, with `-` for spaces, `_` and other separators, and without separators at the ends.
fn named(text: &str, separators: &str) -> String {
    let is_separator = |it: char| it == '_' || it == ' ' || separators.contains(it);
    text.to_lowercase().replace(is_separator, "-").trim_matches(['-', '.']).to_owned()
}

/// Converts a size in another unit to `Gi`, rounded up.
fn gibibytes(text: &str) -> Option<String> {
    let end = text.find(|it: char| !it.is_ascii_digit());
    let (digits, unit) = text.split_at(end.unwrap_or(text.len()));
    let size: u64 = digits.parse().ok()?;
    let size = match unit.trim().to_lowercase().as_str() {
        "" | "g" | "gb" | "gi" | "gib" => size,
        "t" | "tb" | "ti" | "tib" => size.checked_mul(1024)?,
        _ => return None,
    };
    Some(format!("{size}Gi"))
}

/// Parses a duration and returns its seconds; `None` if it is not a valid duration.
pub fn seconds(text: &str) -> Option<f64> {
    parse_duration(text).ok().map(|it| it.as_secs_f64())
}

fn is_gibibytes(text: &str) -> bool {
    let digits = text.strip_suffix("Gi");
    digits.is_some_and(|it| !it.is_empty() && it.bytes().all(|b| b.is_ascii_digit()))
}

fn is_amount(text: &str) -> bool {
    Quantity::parse(text).is_ok_and(|it| !it.canonical().starts_with('-'))
}

fn is_part(text: &str) -> bool {
    let digits = text.strip_suffix('%').filter(|it| !it.is_empty());
    let is_number = |it: &str| it.bytes().all(|b| b.is_ascii_digit());
    digits.is_some_and(|it| is_number(it) && it.parse::<u32>().is_ok_and(|it| it <= 100))
}

/// Mirrors DecodeCertificate in `pkg/utils/encoding.go`, which uses the first block.
fn is_pem(text: &str) -> bool {
    let block = x509_parser::pem::parse_x509_pem(text.as_bytes());
    block.is_ok_and(|(_, block)| block.label == "CERTIFICATE" && block.parse_x509().is_ok())
}

/// Mirrors TestEmail in `pkg/utils/miscellaneous.go`.
fn is_email(text: &str) -> bool {
    let Some((name, host)) = text.split_once('@') else {
        return false;
    };
    let Some((labels, last)) = host.rsplit_once('.') else {
        return false;
    };
    let is_label =
        |it: &str| !it.is_empty() && it.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-');
    let is_last = last.len() >= 2 && last.bytes().all(|b| b.is_ascii_alphabetic());
    !name.is_empty() && labels.split('.').all(is_label) && is_last
}

fn is_plain(text: &str, forbidden: &str) -> bool {
    !text.contains(|it: char| forbidden.contains(it) || it.is_uppercase())
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::Format;

    #[rstest]
    #[case::volume(Format::Gibibytes, "50Gi", true)]
    #[case::unit_alone(Format::Gibibytes, "Gi", false)]
    #[case::fraction(Format::Gibibytes, "1.5Gi", false)]
    #[case::amount(Format::Amount, "200Mi", true)]
    #[case::negative(Format::Amount, "-1", false)]
    #[case::negative_nothing(Format::Amount, "-0", true)]
    #[case::part(Format::AmountOrPercent, "100%", true)]
    #[case::more_than_all(Format::AmountOrPercent, "101%", false)]
    #[case::email(Format::Email, "me@example.com", true)]
    #[case::no_host(Format::Email, "me@", false)]
    #[case::nobody(Format::Email, "example.com", false)]
    #[case::group(Format::ApiGroup, "apps.k8s.io", true)]
    #[case::resource(Format::ResourceName, "pods.apps", false)]
    #[case::upper(Format::ResourceName, "Pods", false)]
    fn forms(#[case] format: Format, #[case] text: &str, #[case] fits: bool) {
        assert_eq!(format.error(text).is_none(), fits);
    }

    /// Checks that suggested values are valid.
    #[rstest]
    #[case::case(Format::DnsLabel, "My_Pool.1", "write `my-pool-1`")]
    #[case::ends(Format::DnsLabel, "-a-", "write `a`")]
    #[case::hopeless(Format::DnsLabel, "a/b", "write it like `my-name`")]
    #[case::nothing(Format::DnsLabel, "", "write it like `my-name`")]
    #[case::dot_at_the_end(Format::DnsSubdomain, "Example.com.", "write `example.com`")]
    #[case::space(Format::LabelValue, "team a", "write `team-a`")]
    #[case::number(Format::Gibibytes, "50", "write `50Gi`")]
    #[case::decimal_unit(Format::Gibibytes, "50GB", "write `50Gi`")]
    #[case::larger_unit(Format::Gibibytes, "2Ti", "write `2048Gi`")]
    #[case::smaller_unit(Format::Gibibytes, "5000Mi", "write it like `50Gi`")]
    #[case::range(Format::Cidr, "300.64.0.0/13", "write it like `10.0.0.0/16`")]
    #[case::upper(Format::ResourceName, "Pods", "write `pods`")]
    #[case::group(Format::ResourceName, "pods.apps", "write it like `deployments`")]
    fn helps(#[case] format: Format, #[case] text: &str, #[case] help: &str) {
        assert_eq!(format.help(text, |_| true), help);
        for example in help.split('`').skip(1).step_by(2) {
            assert_eq!(format.error(example), None, "{example}");
        }
    }
}
