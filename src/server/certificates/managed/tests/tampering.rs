// SPDX-License-Identifier: Apache-2.0
//! Repairs of a damaged Secret.

use std::collections::BTreeMap;

use rcgen::{CertificateParams, KeyPair};

use super::{
    Contents, DAYS, SETTLED, Step, after, after_step, authority, due, fresh, leaf, lifetimes,
    names, start,
};
use crate::server::certificates::managed::plan::step;

type Data = BTreeMap<String, String>;
/// Changed entries, the expected first problem, and the expected repair steps.
type Case<'a> = (&'a [(&'a str, &'a str)], &'a str, &'a [Step]);

/// Returns complete contents: a CA, the next one, and a previous one.
fn full() -> Contents {
    let added = after_step(Step::AddAuthority, fresh(), 240 * DAYS);
    let used = after_step(Step::UseNextAuthority, added, 241 * DAYS);
    after_step(Step::AddAuthority, used, NOW)
}

const NOW: i64 = 242 * DAYS;

fn set(data: &mut Data, key: &str, text: &str) {
    data.insert(key.to_owned(), text.to_owned());
}

fn key() -> String {
    KeyPair::generate().unwrap().serialize_pem()
}

/// Performs all due steps without letting time pass.
fn repaired(contents: Contents, published: bool) -> (Contents, Vec<Step>) {
    let (mut contents, mut steps) = (contents, Vec::new());
    loop {
        let step = due(&contents, published.then_some(0), NOW);
        if step == Step::Keep {
            return (contents, steps);
        }
        assert!(steps.len() < 4, "{steps:?} do not repair it");
        steps.push(step);
        contents = after_step(step, contents, NOW);
    }
}

#[test]
fn whatever_is_damaged_is_made_anew_and_nothing_else() {
    let other = fresh();
    let (wrong_key, others_leaf) = (key(), &leaf(&other).certificate);
    let garbage = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";
    let cases: &[Case<'_>] = &[
        (&[("tls.key", &wrong_key)], "`tls.key` does not match", &[Step::RenewLeaf]),
        (&[("tls.key", "")], "`tls.key` holds no private key", &[Step::RenewLeaf]),
        (&[("tls.key", "x")], "`tls.key` holds no private key", &[Step::RenewLeaf]),
        (&[("tls.crt", "")], "`tls.crt` holds no certificate", &[Step::RenewLeaf]),
        (&[("tls.crt", garbage)], "`tls.crt` holds a certificate that", &[Step::RenewLeaf]),
        (
            &[("tls.crt", others_leaf), ("tls.key", &leaf(&other).key)],
            "`tls.crt` is not valid for clients that trust the CA",
            &[Step::RenewLeaf],
        ),
        // The next CA already exists, and is used once it has settled.
        (&[("ca.key", "")], "`ca.key` holds no private key", &[]),
        (&[("ca.key", &wrong_key)], "`ca.key` does not match", &[]),
        (
            &[("ca.key", "x"), ("tls.key", "x")],
            "`ca.key` holds no private key",
            &[Step::UseNextAuthority],
        ),
        // Without the CA, the serving certificate cannot be verified and is unusable, too.
        (&[("ca.crt", "x")], "`ca.crt` holds no certificate", &[Step::UseNextAuthority]),
        (
            &[("ca.crt", others_leaf)],
            "`ca.crt` is not the certificate of a CA",
            &[Step::UseNextAuthority],
        ),
        (&[("next-ca.key", "")], "`next-ca.key` holds no private key", &[]),
        (&[("next-ca.crt", "x")], "`next-ca.crt` holds no certificate", &[]),
        (&[("previous-ca.crt", garbage)], "`previous-ca.crt` holds a certificate", &[]),
        (
            &[("ca.key", ""), ("next-ca.key", "")],
            "`ca.key` holds no private key",
            &[Step::AddAuthority],
        ),
        (
            &[("ca.crt", "x"), ("ca.key", "x"), ("next-ca.crt", "x"), ("next-ca.key", "x")],
            "`ca.crt` holds no certificate",
            &[Step::Create],
        ),
    ];
    for (changes, problem, expected) in cases {
        let mut data = full().write();
        for (key, text) in *changes {
            set(&mut data, key, text);
        }
        let (contents, problems) = Contents::read(&data, after(NOW));
        assert!(problems[0].starts_with(problem), "{problems:?} for {problem}");
        let (repaired, steps) = repaired(contents, true);
        assert_eq!(steps, *expected, "{problem}");
        assert!(repaired.leaf.is_some(), "{problem}");
        let (read, _) = Contents::read(&repaired.write(), after(NOW));
        assert_eq!(read.leaf, repaired.leaf, "{problem}");
    }
}

#[test]
fn who_trusted_what_was_there_goes_on_doing_so() {
    let before = full();
    let old = before.bundle(after(NOW));
    for key in ["tls.crt", "tls.key", "ca.key", "next-ca.key"] {
        let mut data = before.write();
        data.remove(key);
        let (contents, _) = Contents::read(&data, after(NOW));
        let (repaired, _) = repaired(contents, true);
        let bundle = repaired.bundle(after(NOW));
        for certificate in old.split_inclusive("-----END CERTIFICATE-----\n") {
            assert!(bundle.contains(certificate), "without {key}");
        }
    }
}

#[test]
fn an_authority_without_its_key_is_replaced_after_its_successor_is_trusted() {
    let mut data = fresh().write();
    data.remove("ca.key");
    let (contents, _) = Contents::read(&data, start());
    assert_eq!(due(&contents, Some(SETTLED), 0), Step::AddAuthority);
    let added = after_step(Step::AddAuthority, contents, 0);
    assert_eq!(leaf(&added), leaf(&fresh_like(&data)));
    for (seconds, published, expected) in [
        (SETTLED, Some(SETTLED - 1), Step::Keep),
        (SETTLED, None, Step::Keep),
        (SETTLED, Some(SETTLED), Step::UseNextAuthority),
        // Without a valid certificate, waiting has no advantage.
        (90 * DAYS, None, Step::UseNextAuthority),
    ] {
        assert_eq!(due(&added, published, seconds), expected, "{seconds}");
    }
    let used = after_step(Step::UseNextAuthority, added, 3_600);
    assert!(authority(&used).can_sign());
    assert_eq!(used.previous, [data["ca.crt"].clone()]);
}

fn fresh_like(data: &Data) -> Contents {
    Contents::read(data, start()).0
}

#[test]
fn what_somebody_with_a_fast_clock_made_is_not_used() {
    let ahead = 400 * DAYS;
    let contents = after_step(Step::Create, Contents::default(), ahead);
    let (read, problems) = Contents::read(&contents.write(), after(0));
    assert_eq!(read, Contents::default());
    assert!(problems[0].contains("some clock is wrong"), "{problems:?}");
    assert_eq!(step(&read, &names(), None, lifetimes(), start()), Step::Create);
    // Clock skew of some minutes is usual and supported.
    let contents = after_step(Step::Create, Contents::default(), 600);
    assert_eq!(Contents::read(&contents.write(), after(0)).0, contents);
}

#[test]
fn damage_again_and_again_does_not_make_the_secret_grow() {
    let mut contents = fresh();
    for _ in 0..30 {
        contents.leaf = None;
        contents.authority.as_mut().unwrap().key.clear();
        contents = repaired(contents, true).0;
    }
    let last = &authority(&contents).certificate;
    assert_eq!(contents.previous.len(), 20);
    assert!(contents.bundle(after(NOW)).contains(last));
}

#[test]
fn an_empty_secret_is_filled_without_a_complaint() {
    for data in [Data::new(), Data::from([("tls.crt".to_owned(), String::new())])] {
        let (contents, problems) = Contents::read(&data, start());
        assert_eq!((contents, problems.len()), (Contents::default(), 0));
    }
}

#[test]
fn a_certificate_for_another_name_is_renewed() {
    let key = KeyPair::generate().unwrap();
    let params = CertificateParams::new(vec!["else.garden.svc".to_owned()]).unwrap();
    let mut data = fresh().write();
    set(&mut data, "tls.crt", &params.self_signed(&key).unwrap().pem());
    set(&mut data, "tls.key", &key.serialize_pem());
    let (contents, _) = Contents::read(&data, start());
    assert_eq!(due(&contents, Some(SETTLED), 0), Step::RenewLeaf);
}
