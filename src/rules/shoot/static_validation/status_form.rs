use crate::admission::ErrorType::{self, Invalid, Required};
use crate::admission::{Change, Context, Findings, rule};
use crate::api::Shoot;
use crate::go::Network;
use crate::rules::shared::validation::{MALFORMED, MISSING, Part, REPEATED};

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

fn check(context: &Context<'_>, shoot: Change<'_, Shoot>, findings: &mut Findings) {
    if shoot.new.is_none() {
        return;
    }
    let Some(status) = Part::whole(context.new_opened()).at(&["status"]) else {
        return;
    };
    let addresses = status.items_at(&["advertisedAddresses"]);
    let mut names = Vec::new();
    for address in &addresses {
        check_address(address, &mut names, findings);
    }
    for (field, range) in NETWORKS
        .into_iter()
        .flat_map(|name| status.texts_at(&["networking", name]))
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
        findings
            .required(&MISSING, field, message)
            .help("set `name`");
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

/// Returns the violations of an address, parsed as by Go's `net/url`.
fn problems(url: &str) -> Vec<(ErrorType, &'static str)> {
    let (rest, fragment) = url.split_once('#').unwrap_or((url, ""));
    let (rest, query) = rest.split_once('?').unwrap_or((rest, ""));
    let (scheme, rest) = scheme(rest);
    let authority = rest.strip_prefix("//");
    let authority = authority.map(|it| it.split('/').next().unwrap_or(it));
    let (user, host) = match authority.and_then(|it| it.rsplit_once('@')) {
        Some((_, host)) => (true, host),
        None => (false, authority.unwrap_or_default()),
    };
    if url.contains(|it: char| it.is_ascii_control()) || !is_read(scheme, rest, host) {
        return vec![(Required, "it is no address")];
    }
    let problems = [
        (!scheme.eq_ignore_ascii_case("https"), "it is not `https`"),
        (host.is_empty(), "it has no host"),
        (user, "it names a user"),
        (!fragment.is_empty(), "it has a fragment"),
        (!query.is_empty(), "it has a query"),
    ];
    let problems = problems.into_iter().filter(|(is_so, _)| *is_so);
    problems.map(|(_, why)| (Invalid, why)).collect()
}

/// Splits a URL at its first colon into scheme and rest.
fn scheme(url: &str) -> (&str, &str) {
    let is_part = |it: char| it.is_ascii_alphanumeric() || "+-.".contains(it);
    match url.split_once(':') {
        Some((scheme, rest))
            if scheme.starts_with(|it: char| it.is_ascii_alphabetic())
                && scheme.chars().all(is_part) =>
        {
            (scheme, rest)
        }
        _ => ("", url),
    }
}

/// Reports whether `net/url` can parse the address at all.
fn is_read(scheme: &str, rest: &str, host: &str) -> bool {
    let first = rest.split('/').next().unwrap_or(rest);
    if scheme.is_empty() && first.contains(':') {
        return false;
    }
    let name = host.strip_prefix('[').and_then(|it| it.rsplit_once(']'));
    let (name, port) = match name {
        Some((name, port)) => (
            name,
            port.strip_prefix(':')
                .or(Some(port).filter(|it| it.is_empty())),
        ),
        None => {
            let (name, port) = host.rsplit_once(':').unwrap_or((host, ""));
            (name, Some(port))
        }
    };
    let is_allowed = |it: char| {
        !it.is_ascii() || it.is_ascii_alphanumeric() || "-_.~!$&'()*+,;=:[]<>\"".contains(it)
    };
    port.is_some_and(|port| port.bytes().all(|it| it.is_ascii_digit()))
        && name.chars().all(is_allowed)
        && has_whole_escapes(rest)
}

/// Reports whether two hexadecimal digits follow each `%`.
fn has_whole_escapes(text: &str) -> bool {
    let mut escapes = text.split('%').skip(1);
    escapes.all(|it| {
        let digits = it.as_bytes().get(..2);
        digits.is_some_and(|digits| digits.iter().all(u8::is_ascii_hexdigit))
    })
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
