// SPDX-License-Identifier: Apache-2.0
//! The values of a configuration. Source: `pkg/apis/rsyslog/validation/rsyslog_relp.go`.

use super::findings::{INVALID, REQUIRED};
use crate::admission::{ErrorType, Findings};
use crate::rules::shared::lists::{one_of, short};
use crate::rules::shared::reported_path::ReportedPath;
use garden_gate_model::api::extensions::ExtensionVersion;
use garden_gate_model::api::extensions::rsyslog_relp::{
    LoggingRule, MessageContent, RsyslogRelpConfig, TLS,
};
use garden_gate_text::go::{dns_subdomain_error, is_quoted_posix_regexp, is_strict_address};

/// The first version that checks single rules.
const RULES: ExtensionVersion = ExtensionVersion::new(0, 8);
/// The first version that checks the syntax of hosts and the names of programs.
const SYNTAX: ExtensionVersion = ExtensionVersion::new(0, 11);
const AUTH_MODES: &[&str] = &["fingerprint", "name"];
const TLS_LIBS: &[&str] = &["gnutls", "openssl"];
/// The length of a fingerprint with SHA-1, in hexadecimal digits.
const FINGERPRINT: usize = 40;
/// Maximum length of a host name with its wildcard, in bytes.
const LONGEST_NAME: usize = 253;

/// Checks the values of a configuration.
pub(super) fn check_config(
    config: &RsyslogRelpConfig,
    place: &ReportedPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    check_target(&config.target, &place.child("target"), version, findings);
    if config.port < 0 {
        let message = format!("the port {} is negative", config.port);
        place
            .child("port")
            .report((&INVALID, ErrorType::Invalid), message, findings)
            .value(config.port)
            .help("use a number from 0 to 65535");
    }
    if let Some(tls) = &config.tls {
        check_tls(tls, &place.child("tls"), version, findings);
    }
    let at = place.child("loggingRules");
    if config.logging_rules.is_empty() {
        at.report((&REQUIRED, ErrorType::Required), "there is no rule", findings)
            .help("add a rule such as `- severity: 5`");
    }
    if version < RULES {
        return;
    }
    for (index, rule) in config.logging_rules.iter().enumerate() {
        check_rule(rule, &at, index, version, findings);
    }
}

fn check_target(
    target: &str,
    place: &ReportedPath,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    if target.is_empty() {
        let message = "the server that receives logs is not set";
        place
            .report((&REQUIRED, ErrorType::Required), message, findings)
            .help("set `target` to a host name or IP address");
        return;
    }
    if version < SYNTAX || is_strict_address(target) {
        return;
    }
    if let Some(why) = dns_subdomain_error(target) {
        let message =
            format!("`{}` is neither an IP address nor a host name: {why}", short(target));
        place
            .report((&INVALID, ErrorType::Invalid), message, findings)
            .value(target)
            .help("write it like `logs.example.com` or `2001:db8::1`, without a port");
    }
}

fn check_tls(tls: &TLS, place: &ReportedPath, version: ExtensionVersion, findings: &mut Findings) {
    if tls.enabled && tls.secret_reference_name.is_empty() {
        let message = "TLS is enabled without the name of a Secret";
        place
            .child("secretReferenceName")
            .report((&REQUIRED, ErrorType::Required), message, findings)
            .help("set it to the name of a Secret in `spec.resources` with the certificates");
    }
    for (field, value, allowed) in
        [("authMode", &tls.auth_mode, AUTH_MODES), ("tlsLib", &tls.tls_lib, TLS_LIBS)]
    {
        if let Some(value) = value.as_deref().filter(|it| !allowed.contains(it)) {
            let message = format!("the value `{}` is unsupported", short(value));
            place
                .child(field)
                .report((&INVALID, ErrorType::NotSupported), message, findings)
                .value(value)
                .help(one_of(value, allowed));
        }
    }
    let at = place.child("permittedPeer");
    for (index, peer) in tls.permitted_peers.iter().enumerate() {
        if peer.is_empty() {
            let message = "the permitted server is empty";
            at.index(index)
                .report((&REQUIRED, ErrorType::Required), message, findings)
                .help("write a name such as `*.example.com`, or remove the entry");
        } else if version >= SYNTAX && !is_peer(peer) {
            let message =
                format!("`{}` is neither a host name nor a fingerprint with SHA-1", short(peer));
            at.index(index)
                .report((&INVALID, ErrorType::Invalid), message, findings)
                .value(peer.as_str())
                .help("write it like `logs.example.com`, `*.example.com`, or `SHA1:` with 40 hexadecimal digits");
        }
    }
}

fn is_peer(peer: &str) -> bool {
    let is_fingerprint = peer.strip_prefix("SHA1:").is_some_and(|it| {
        it.len() == FINGERPRINT && it.bytes().all(|byte| byte.is_ascii_hexdigit())
    });
    let host = peer.strip_prefix("*.").unwrap_or(peer);
    let is_name = peer.len() <= LONGEST_NAME && dns_subdomain_error(host).is_none();
    is_fingerprint || is_name
}

fn check_rule(
    rule: &LoggingRule,
    rules: &ReportedPath,
    index: usize,
    version: ExtensionVersion,
    findings: &mut Findings,
) {
    let place = rules.index(index);
    let is_empty = rule.program_names.is_empty() && rule.severity.is_none();
    if is_empty && rule.message_content.is_none() {
        let message = "the rule has no condition";
        place
            .report((&REQUIRED, ErrorType::Required), message, findings)
            .help("set `severity`, `programNames` or `messageContent`");
    }
    if version >= SYNTAX {
        for (index, name) in rule.program_names.iter().enumerate() {
            // The extension forgets the index of the rule.
            let field = ReportedPath {
                own: rules.child("programNames").index(index).own,
                real: place.child("programNames").index(index).real,
            };
            check_program(name, &field, findings);
        }
    }
    if let Some(content) = &rule.message_content {
        check_content(content, &place.child("messageContent"), findings);
    }
}

fn check_program(name: &str, field: &ReportedPath, findings: &mut Findings) {
    let is_allowed = |it: char| it.is_ascii_graphic() && !matches!(it, '[' | ':' | '/');
    let message = if name.is_empty() {
        "the name of the program is empty".to_owned()
    } else if let Some(other) = name.chars().find(|it| !is_allowed(*it)) {
        format!("the name of the program `{}` contains `{}`", short(name), other.escape_debug())
    } else {
        return;
    };
    field.report((&INVALID, ErrorType::Invalid), message, findings).value(name).help(
        "write a name such as `systemd`, of printable characters other than `[`, `:` and `/`",
    );
}

fn check_content(content: &MessageContent, place: &ReportedPath, findings: &mut Findings) {
    if content.regex.is_none() && content.exclude.is_none() {
        let message = "the rule has no expression for the message";
        place
            .report((&REQUIRED, ErrorType::Required), message, findings)
            .help("set `regex` or `exclude`, or remove `messageContent`");
    }
    for (field, expression) in [("regex", &content.regex), ("exclude", &content.exclude)] {
        let Some(expression) = expression else {
            continue;
        };
        let at = place.child(field);
        match is_quoted_posix_regexp(expression) {
            Some(true) => {}
            // The extension reports it as missing.
            Some(false) => {
                let message = format!(
                    "`{}` is not a regular expression with POSIX ERE syntax",
                    short(expression)
                );
                at
                    .report((&INVALID, ErrorType::Required), message, findings)
                    .value(expression.as_str())
                    .help("close groups and classes; a backslash is a literal one, so write `[(]` instead of `\\(`");
            }
            None => {
                let message = format!(
                    "whether `{}` is a regular expression with POSIX ERE syntax is not known",
                    short(expression)
                );
                findings.undetermined(&at.real, message);
            }
        }
    }
}
