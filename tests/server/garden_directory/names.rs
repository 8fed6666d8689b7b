// SPDX-License-Identifier: Apache-2.0
//! Secrets and ConfigMaps, of which only the name matters.

use garden_gate::garden::directory::{Reading, load, load_with};
use garden_gate_core::garden::{Named, ObjectKey, Unknown};
use garden_gate_model::api::Kind;
use rstest::rstest;

use super::{directory, whole_with};

const SECRET: &str = "apiVersion: v1
kind: Secret
metadata: {name: here, namespace: ns}
data: {token: a, token: b}
";

fn named(
    garden: &garden_gate_core::garden::Snapshot,
    kind: Kind,
    namespace: &str,
) -> Result<Option<Named>, Unknown> {
    garden.named(&ObjectKey::new(kind, namespace, "gone"))
}

#[rstest]
#[case::without_contents("", None)]
#[case::data("data: {kubeconfig: a}", Some(true))]
#[case::text("data: {}\nstringData: {kubeconfig: a}", Some(true))]
#[case::another_key("data: {token: a}", Some(false))]
fn of_a_secret_it_is_known_whether_it_has_a_kubeconfig(
    #[case] contents: &str,
    #[case] has_kubeconfig: Option<bool>,
) {
    let secret =
        format!("apiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: ns}}\n{contents}\n");
    let dir = directory(&[("secret.yaml", &secret)]);
    let garden = load(dir.path()).unwrap();
    let found = garden.snapshot.named(&ObjectKey::new(Kind::Secret, "ns", "s"));
    let expected = Named { has_kubeconfig, ..Named::default() };
    assert_eq!(found, Ok(Some(expected)));
    assert!(garden.problems.is_empty() && garden.skipped.is_empty());
}

/// This holds for any invalid content.
#[test]
fn who_dumps_a_secret_dumps_all_of_its_namespace() {
    let dir = whole_with(&[("secret.yaml", SECRET)]);
    let garden = load(dir.path()).unwrap().snapshot;
    let here = garden.named(&ObjectKey::new(Kind::Secret, "ns", "here"));
    assert!(matches!(here, Ok(Some(_))));
    assert_eq!(named(&garden, Kind::Secret, "ns"), Ok(None));
    for (kind, namespace, why) in [
        (Kind::Secret, "other", "the garden tells of no Secret of namespace `other`"),
        (Kind::ConfigMap, "ns", "the garden tells of no ConfigMap of namespace `ns`"),
        (Kind::WorkloadIdentity, "ns", "the garden tells of no WorkloadIdentity of namespace `ns`"),
    ] {
        assert_eq!(named(&garden, kind, namespace), Err(Unknown::Reason(why.to_owned())));
    }
}

#[rstest]
#[case::other_secrets("garden", "", Ok(None))]
#[case::one_for_issuers("garden", "shoot-service-account-issuer", Ok(Some(())))]
#[case::none(
    "ns",
    "shoot-service-account-issuer",
    Err("the garden tells of no Secret of namespace `garden`")
)]
fn a_landscape_offers_managed_issuers_by_a_secret(
    #[case] namespace: &str,
    #[case] role: &str,
    #[case] expected: Result<Option<()>, &str>,
) {
    let labels = format!("labels: {{gardener.cloud/role: '{role}'}}");
    let secret = format!(
        "apiVersion: v1\nkind: Secret\nmetadata: {{name: s, namespace: {namespace}, {labels}}}\n"
    );
    let dir = whole_with(&[("secret.yaml", &secret)]);
    let issuer = load(dir.path())
        .unwrap()
        .snapshot
        .issuer()
        .map(|it| it.map(|named| assert!(named.is_issuer)));
    assert_eq!(issuer.map_err(|why| why.to_string()), expected.map_err(str::to_owned));
}

#[test]
fn empty_list_or_complete_source_means_none_exist() {
    let dir = whole_with(&[("none.yaml", "apiVersion: v1\nkind: SecretList\n")]);
    let garden = load(dir.path()).unwrap().snapshot;
    assert_eq!(named(&garden, Kind::Secret, "ns"), Ok(None));
    assert!(matches!(named(&garden, Kind::ConfigMap, "ns"), Err(Unknown::Reason(_))));
    let reading = Reading { is_whole: true, ..Reading::default() };
    let garden = load_with(dir.path(), reading).unwrap().snapshot;
    assert_eq!(named(&garden, Kind::ConfigMap, "ns"), Ok(None));
}

#[rstest]
#[case::of_something_else("kind: Deployment\nname: {{ .a }}\n{{", true)]
#[case::of_a_secret("kind: Secret\nname: {{ .a }}\n{{", false)]
#[case::nameless("apiVersion: v1\nkind: Secret\n", false)]
fn what_cannot_be_read_may_be_what_is_missed(#[case] text: &str, #[case] is_missed: bool) {
    let dir = whole_with(&[("secret.yaml", SECRET), ("broken.yaml", text)]);
    let garden = load(dir.path()).unwrap().snapshot;
    let expected = if is_missed {
        Ok(None)
    } else {
        Err(Unknown::Reason("it may stand in a file that cannot be read".to_owned()))
    };
    assert_eq!(named(&garden, Kind::Secret, "ns"), expected);
}

#[test]
fn default_domains_do_not_depend_on_other_secrets() {
    let variant = SECRET.replace("token: b", "token: c");
    let dir = whole_with(&[("a.yaml", SECRET), ("b.yaml", &variant)]);
    let garden = load(dir.path()).unwrap();
    assert!(garden.problems.is_empty());
    assert_eq!(garden.snapshot.default_domains(), Ok(vec![]));
}
