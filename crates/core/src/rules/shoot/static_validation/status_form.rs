// SPDX-License-Identifier: Apache-2.0
use crate::admission::ErrorType::{self, Invalid, Required};
use crate::admission::{Context, Findings, Write, rule};
use crate::rules::shared::validation::{MALFORMED, MISSING, Part, REPEATED, address_errors};
use garden_gate_model::api::Shoot;
use garden_gate_text::go::{Network, Url};

rule! {
    page: include_str!("status_form.md"),
    id: "shoot/status-form",
    summary: "rejects invalid addresses and networks in the status of a Shoot",
    phase: Static,
    level: Deny,
    entry_point: Review,
    scopes: [Shoot [Update] [Status]],
    findings: { MALFORMED, MISSING, REPEATED },
    check: Judge(check),
}

const NETWORKS: [&str; 4] = ["nodes", "pods", "services", "egressCIDRs"];

fn check(context: &Context<'_>, _: Write<'_, Shoot>, findings: &mut Findings) {
    let Some(status) = Part::whole(context.new_opened()).at(&["status"]) else {
        return;
    };
    let addresses = status.items_at(&["advertisedAddresses"]);
    let mut names = Vec::new();
    for address in &addresses {
        check_address(address, &mut names, findings);
    }
    for (field, range) in
        NETWORKS.into_iter().flat_map(|name| status.texts_at(&["networking", name]))
    {
        if Network::read(&range).is_some_and(|it| it.is_canonical()) {
            continue;
        }
        let message = format!("`{range}` is no address range that begins at its first address");
        let help = "write it like `10.0.0.0/16`";
        findings.invalid(&MALFORMED, field, message).help(help);
    }
}

/// Checks an address; the URL only if the address has a unique name.
fn check_address(address: &Part<'_>, names: &mut Vec<String>, findings: &mut Findings) {
    let (name, url) = (address.text_at(&["name"]), address.text_at(&["url"]));
    let field = address.path().child("name");
    if name.is_empty() {
        let message = "an advertised address has no name";
        findings.required(&MISSING, field, message).help("set `name`");
        return;
    }
    if names.contains(&name) {
        let message = format!("another advertised address is called `{name}`");
        let help = "give it a name of its own";
        findings.duplicate(&REPEATED, field, message).help(help);
        return;
    }
    names.push(name);
    for (error, why) in problems(&url) {
        let field = address.path().child("url");
        let message = format!("`{url}` cannot be advertised: {why}");
        findings
            .report(&MALFORMED, error, field, message)
            .help("write it like `https://example.com:443`");
    }
}

/// Returns the violations of an address.
fn problems(url: &str) -> Vec<(ErrorType, &'static str)> {
    match Url::parse(url) {
        Ok(url) => address_errors(&url).map(|why| (Invalid, why)).collect(),
        Err(why) => vec![(Required, why)],
    }
}

#[cfg(test)]
mod tests {
    use rstest::rstest;

    use super::problems;
    use crate::admission::ErrorType::{self, Invalid, Required};

    #[rstest]
    #[case::host("https://a", &[])]
    #[case::port("HTTPS://a.b:443/", &[])]
    #[case::no_port("https://a:", &[])]
    #[case::ipv6("https://[::1]:443", &[])]
    #[case::path("https://a/b%20c", &[])]
    #[case::empty_query("https://a?", &[])]
    #[case::another_scheme("http://a", &[Invalid])]
    #[case::user("https://u:p@a", &[Invalid])]
    #[case::fragment("https://a#x", &[Invalid])]
    #[case::query("https://a?b=c", &[Invalid])]
    #[case::no_host("https://", &[Invalid])]
    #[case::nothing("", &[Invalid, Invalid])]
    #[case::a_word("a", &[Invalid, Invalid])]
    #[case::a_scheme_alone("https:a", &[Invalid])]
    #[case::no_scheme(":bad:", &[Required])]
    #[case::a_colon("1a:b", &[Required])]
    #[case::a_port_that_is_none("https://a:b", &[Required])]
    #[case::a_space("https://a b", &[Required])]
    #[case::half_of_an_escape("https://a/%2", &[Required])]
    #[case::a_line("https://a\n", &[Required])]
    fn addresses_are_read_as_go_reads_them(#[case] url: &str, #[case] expected: &[ErrorType]) {
        let found: Vec<_> = problems(url).into_iter().map(|(error, _)| error).collect();
        assert_eq!(found, expected);
    }
}
