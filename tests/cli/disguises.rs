// SPDX-License-Identifier: Apache-2.0
//! Manifests that `kubectl apply` would store although their names, encodings or neighbours hide them.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

use std::fs;

use rstest::rstest;

use crate::change::{Folder, Reviewed};

const EXAMPLES: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");

fn example(name: &str) -> String {
    fs::read_to_string(format!("{EXAMPLES}/manifests/{name}.yaml")).unwrap()
}

fn denied() -> String {
    example("shoot-denied")
}

/// Returns a directory with an allowed Shoot.
fn directory() -> Folder {
    Folder::new(&[("in/web.yaml", &example("shoot-allowed"))])
}

fn review(folder: &Folder) -> Reviewed {
    let garden = format!("{EXAMPLES}/garden");
    folder.review(&["--garden", &garden, "--at", "2026-06-01", "in"])
}

/// Encodes a text, with a byte order mark.
fn encoded(text: &str, encoding: &str) -> Vec<u8> {
    let text = format!("\u{feff}{text}");
    let (is_little, is_wide) = (encoding.ends_with("le"), encoding.starts_with("utf-32"));
    let units: Vec<u32> = if is_wide {
        text.chars().map(u32::from).collect()
    } else {
        text.encode_utf16().map(u32::from).collect()
    };
    let bytes = units.into_iter().flat_map(|unit| match (is_little, is_wide) {
        (true, true) => unit.to_le_bytes().to_vec(),
        (false, true) => unit.to_be_bytes().to_vec(),
        (true, false) => unit.to_le_bytes()[..2].to_vec(),
        (false, false) => unit.to_be_bytes()[2..].to_vec(),
    });
    bytes.collect()
}

#[rstest]
fn wide_encodings_are_judged(
    #[values("utf-16le", "utf-16be", "utf-32le", "utf-32be")] encoding: &str,
    #[values("in/s.yaml", "in/.s.yaml", "in/s.json")] name: &str,
) {
    let folder = directory();
    fs::write(folder.path().join(name), encoded(&denied(), encoding)).unwrap();
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
    assert!(reviewed.out.contains(&format!("{name}: CREATE of Shoot garden-dev/sneaky: denied")));
}

#[test]
fn text_that_is_not_utf_8_is_undetermined() {
    let folder = directory();
    let text = [denied().as_bytes(), b"# \xe9\n"].concat();
    fs::write(folder.path().join("in/s.yaml"), &text).unwrap();
    assert_eq!(review(&folder).code, Some(4), "kubectl replaces the byte");
    let other = [&b"kind: ConfigMap\n# \xe9\n"[..]].concat();
    fs::write(folder.path().join("in/s.yaml"), other).unwrap();
    assert_eq!(review(&folder).code, Some(0));
}

#[rstest]
#[case("in/.s.yaml")]
#[case("in/.yaml")]
#[case("in/.json")]
#[case("in/.sub/s.yml")]
#[case("in/sub/.sub/..s.yaml")]
#[case("in/..sub/s.yaml")]
#[case("in/..data/s.yaml")]
#[case("in/.github/workflows/s.yaml")]
#[case("in/.garden-gate/s.json")]
fn hidden_files_are_judged(#[case] name: &str) {
    let folder = directory();
    folder.write(name, &denied());
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
    folder.write(name, "kind: [Shoot\napiVersion: core.gardener.cloud/v1beta1\n");
    assert_eq!(review(&folder).code, Some(1), "not valid YAML");
}

/// For kubectl, each object with `items` is a list.
#[rstest]
#[case::list("kind: List", "items", 1)]
#[case::another_kind("kind: ConfigMap", "items", 1)]
#[case::upper_case("kind: List", "ITEMS", 1)]
#[case::title_case_of_another_kind("kind: ConfigMap", "Items", 1)]
fn objects_with_items_are_lists(#[case] kind: &str, #[case] items: &str, #[case] code: i32) {
    let folder = directory();
    let item = denied().replace('\n', "\n  ");
    let text = format!("apiVersion: v1\n{kind}\n{items}:\n- {item}\n");
    folder.write("in/s.yaml", &text);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(code), "{}{}", reviewed.out, reviewed.err);
}

#[test]
fn list_whose_items_have_no_kind_is_undetermined() {
    let folder = directory();
    let text =
        "apiVersion: core.gardener.cloud/v1beta1\nkind: ShootList\nitems:\n- metadata: {name: a}\n";
    folder.write("in/s.yaml", text);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(4), "{}{}", reviewed.out, reviewed.err);
    let empty = text.replace("- metadata", "- kind: ''\n  metadata");
    folder.write("in/s.yaml", &empty);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(4), "{}{}", reviewed.out, reviewed.err);
    folder.write("in/s.yaml", &text.replace("ShootList", "PodList"));
    assert_eq!(review(&folder).code, Some(0));
}

#[test]
fn broken_files_with_escaped_kinds_are_undetermined() {
    let text =
        "apiVersion: \"core.gar\\x64ener.cloud/v1beta1\"\nkind: \"Sh\\u006fot\"\n---\na: [1\n";
    for name in ["in/s.yaml", "in/.s.yaml", "in/s.json"] {
        let folder = directory();
        folder.write(name, text);
        let reviewed = review(&folder);
        assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
    }
}

/// kubectl ends lines, also comments, at these characters.
#[rstest]
fn other_line_breaks_are_undetermined(#[values('\u{85}', '\u{2028}', '\u{2029}')] character: char) {
    let folder = directory();
    let allowed = example("shoot-allowed");
    folder.write("in/web.yaml", &format!("{allowed}  # x{character}  tolerations: []\n"));
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(4), "{}{}", reviewed.out, reviewed.err);
    let code = u32::from(character);
    assert!(reviewed.out.contains(&format!("U+{code:04X}")), "{}", reviewed.out);
}

/// kubectl reads `<<` in the order of the document, so that it replaces earlier keys.
#[rstest]
#[case::after_the_key("tolerations: []\n  <<: {tolerations: [{key: a}]}", 4)]
#[case::nested("tolerations: []\n  <<: {<<: {tolerations: [{key: a}]}}", 4)]
#[case::list("tolerations: []\n  <<: [{tolerations: [{key: a}]}]", 4)]
#[case::twice("<<: {tolerations: []}\n  <<: {tolerations: [{key: a}]}", 4)]
#[case::before_the_key("<<: {tolerations: [{key: a}]}\n  tolerations: []", 0)]
#[case::other_key("<<: {tolerations: []}", 0)]
fn ambiguous_merge_keys_are_undetermined(#[case] end: &str, #[case] code: i32) {
    let folder = directory();
    let allowed = example("shoot-allowed");
    let (before, _) = allowed.split_once("  tolerations:").unwrap_or((&allowed, ""));
    let rest = allowed.split_once("  kubernetes:").map(|(_, rest)| rest).unwrap();
    let text = format!("{before}  {end}\n  kubernetes:{rest}");
    folder.write("in/web.yaml", &text);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(code), "{text}{}{}", reviewed.out, reviewed.err);
}

#[test]
fn configuration_that_is_a_manifest_is_judged() {
    let folder = directory();
    folder.write("in/.garden-gate.yaml", &denied());
    assert_eq!(review(&folder).code, Some(2), "not a valid configuration");
    let garden = format!("{EXAMPLES}/garden");
    let reviewed = folder.review(&["--no-config", "--garden", &garden, "in"]);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
}

/// The files of an ordinary repository change nothing, not even a count.
#[test]
fn hidden_files_of_other_programs_are_skipped() {
    let folder = directory();
    let before = review(&folder);
    assert_eq!(before.code, Some(0), "{}{}", before.out, before.err);
    for (name, text) in [
        (
            ".github/workflows/ci.yaml",
            "on: push\njobs: {a: {runs-on: b, steps: [{run: 'echo ${{ x }}'}]}}\n",
        ),
        (".github/broken.yaml", "{{ template }}\n: ["),
        (".pre-commit-config.yaml", "repos: []\n"),
        (".vscode/settings.json", "{\"a\": 1, // comment\n}"),
        (".idea/.yaml", ""),
        (".gitlab-ci.yml", "include: !reference [a]\n"),
        (".git/shoot.yaml", &denied()),
        (".git/config", "[core]\n"),
        (".binary.json", "\u{0}\u{1}"),
        ("sub/Kustomization", "resources: []\n"),
    ] {
        folder.write(&format!("in/{name}"), text);
    }
    std::os::unix::fs::symlink("editor@host.1:2", folder.path().join("in/.#web.yaml")).unwrap();
    let after = review(&folder);
    assert_eq!((after.code, after.out, after.err), (before.code, before.out, before.err));
}

#[test]
fn files_of_a_mounted_volume_are_judged_once() {
    let folder = Folder::new(&[("in/..2026/web.yaml", &example("shoot-allowed"))]);
    let link = |target: &str, name: &str| {
        std::os::unix::fs::symlink(target, folder.path().join(name)).unwrap();
    };
    link("..2026", "in/..data");
    link("..data/web.yaml", "in/web.yaml");
    let reviewed = review(&folder);
    assert!(reviewed.out.contains("; 0 warnings in 1 object of 1 file\n"), "{}", reviewed.out);
    folder.write("in/..2026/other.yaml", &denied());
    assert_eq!(review(&folder).code, Some(1));
}

#[rstest]
#[case::patch_of_another_directory(&[("in/other/kustomization.yaml", "resources: [web.yaml]\npatches: [{path: ../s.yaml}]\n"), ("in/s.yaml", "DENIED")])]
#[case::patch_of_the_directory(&[("in/kustomization.yaml", "resources: [web.yaml]\npatches: [{path: s.yaml}]\n"), ("in/s.yaml", "DENIED")])]
#[case::patch_of_an_empty_kustomization(&[("in/kustomization.yaml", "patchesStrategicMerge: [s.yaml]\n"), ("in/s.yaml", "DENIED")])]
#[case::resource_and_patch(&[("in/kustomization.yaml", "resources: [s.yaml]\npatches: [{path: s.yaml}]\n"), ("in/s.yaml", "DENIED")])]
#[case::json_patch(&[("in/kustomization.yaml", "resources: [s.yaml]\npatchesJson6902: [{path: s.yaml}]\n"), ("in/s.yaml", "DENIED")])]
#[case::base_and_patch(&[("in/a/kustomization.yaml", "bases: [../b]\npatches: [{path: ../b/s.yaml}]\n"), ("in/b/kustomization.yaml", "resources: [s.yaml]\n"), ("in/b/s.yaml", "DENIED")])]
#[case::resource_of_another_name(&[("in/kustomization.yaml", "resources: [web.yaml, s.txt]\n"), ("in/s.txt", "DENIED")])]
#[case::component_of_another_name(&[("in/kustomization.yml", "components: [s]\n"), ("in/s", "DENIED")])]
#[case::kustomization_without_extension(&[("in/sub/Kustomization", "resources: [s.manifest]\n"), ("in/sub/s.manifest", "DENIED")])]
#[case::patch_directive(&[("in/s.yaml", "DENIED\n  $patch: merge\n")])]
#[case::patch_directive_in_extension(&[("in/s.yaml", "DENIED\n  extensions: [{type: x, providerConfig: {$patch: merge}}]\n")])]
fn complete_objects_in_kustomizations_are_judged(#[case] files: &[(&str, &str)]) {
    let folder = directory();
    for (name, text) in files {
        folder.write(name, &text.replace("DENIED\n", &denied()).replace("DENIED", &denied()));
    }
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
}

/// Placeholders that Gardener accepts, which `kubectl apply` stores as they are.
#[rstest]
#[case("  provider:", "  provider:\n    infrastructureConfig: {cidr: '${CIDR}'}")]
#[case("  provider:", "  provider:\n    infrastructureConfig: {cidr: '$${CIDR}'}")]
#[case("  provider:", "  provider:\n    infrastructureConfig: {'{{ .cidr }}': 1}")]
#[case("    - name: pool-a", "    - name: pool-a\n      annotations: {a: '{{ .a }}'}")]
#[case("  purpose:", "  extensions: [{type: a, providerConfig: {a: '${A}'}}]\n  purpose:")]
fn accepted_placeholders_are_judged(#[case] from: &str, #[case] to: &str) {
    let folder = directory();
    for (name, code, verdict) in
        [("shoot-allowed", Some(0), "allowed"), ("shoot-denied", Some(1), "denied")]
    {
        let text = example(name);
        assert!(text.contains(from));
        folder.write("in/s.yaml", &text.replacen(from, to, 1));
        let reviewed = review(&folder);
        assert_eq!(reviewed.code, code, "{}{}", reviewed.out, reviewed.err);
        assert!(reviewed.out.contains(verdict), "{}", reviewed.out);
        let note = "which `kubectl apply` does not replace";
        assert!(reviewed.out.contains(note), "{}", reviewed.out);
    }
}

/// Placeholders that Gardener refuses, so that only another program can store the object.
#[rstest]
#[case("version: 1.34.7", "version: ${VERSION}")]
#[case("type: m5.large", "type: '{{ .type }}'")]
#[case("size: 50Gi", "size: ${SIZE}")]
#[case("minimum: 1", "minimum: ${MINIMUM}")]
#[case("purpose: evaluation", "purpose: ${PURPOSE:=testing}")]
#[case("architecture: amd64", "architecture: ${ARCHITECTURE}")]
fn refused_placeholders_are_left_out(#[case] from: &str, #[case] to: &str) {
    let folder = directory();
    let replaced = |name: &str| {
        let text = example(name).replacen("name: gateway", "name: other", 1);
        assert!(text.contains(from));
        text.replacen(from, to, 1)
    };
    for name in ["shoot-allowed", "shoot-denied"] {
        folder.write("in/s.yaml", &replaced(name));
        let reviewed = review(&folder);
        assert_eq!(reviewed.code, Some(0), "{}{}", reviewed.out, reviewed.err);
        assert!(!reviewed.out.contains("in/s.yaml"), "{}", reviewed.out);
        let note = "note: `in/s.yaml` ";
        assert_eq!(reviewed.err.matches(note).count(), 1, "{}", reviewed.err);
    }
}

#[test]
fn unknown_fields_with_placeholders_are_refused() {
    let folder = directory();
    let unknown = "  unknown: ${X}\n  purpose: evaluation";
    let text = denied().replacen("  purpose: evaluation", unknown, 1);
    assert_ne!(text, denied());
    folder.write("in/s.yaml", &text);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
}

/// Texts that `kubectl` reads, and this program does not: a placeholder is no excuse.
#[rstest]
#[case::after_the_end("DENIED...\n{{ x }}\n")]
#[case::comment_after_the_end("DENIED...\n# ${X}\nx: [\n")]
#[case::end_in_a_later_document("ALLOWED---\nDENIED...\n{% x %}\n")]
#[case::end_after_a_carriage_return("DENIED\r...\r{{ x }}\r")]
#[case::line_break("# {{ x }}\n# \u{85}\nDENIED")]
#[case::line_break_in_a_placeholder("# {{ \u{85} }}\nDENIEDx: {{ y }}\n")]
#[case::mark("ALLOWED---\n\u{feff}# {{ x }}\nDENIED")]
#[case::comment_of_a_template("{{/*\nDENIED\n*/}}\n  x:\n\tb\n")]
#[case::json("JSON\n{{ x }}\n")]
#[case::json_after_a_comment("# {{ x }}\nJSON\n{{ x }}\n")]
#[case::json_of_a_tag("--- !!map\nJSON\n{{ x }}\n")]
#[case::encoded("kind: !!binary U2hvb3Q=\napiVersion: !!binary eA==\n...\nx: [\n")]
#[case::joined(
    "kind: \"Shoo\\\n  t\"\napiVersion: \"core.garde\\\n  ner.cloud/v1beta1\"\n...\nx: [\n"
)]
fn placeholders_excuse_no_other_error(#[case] text: &str, #[values(true, false)] is_named: bool) {
    let reviewed = review_of(text, is_named);
    assert!(matches!(reviewed.code, Some(1 | 4)), "{}{}", reviewed.out, reviewed.err);
}

/// `kubectl` reads these texts, and other programs do not.
#[rstest]
#[case::comment("DENIED# {{ x }}\nx: \"\n\"#${X}\n")]
#[case::tab("# {{ x }}\nDENIED  schedulerName:\ta # ${X}\n")]
#[case::flow("# {{ x }}\nDENIED  resources: [{a: b,\nc: d}]\n")]
#[case::quotes("DENIEDx: \"b\n{{ x }}\n  c\"\n")]
fn placeholders_hide_no_refusal(#[case] text: &str, #[values(true, false)] is_named: bool) {
    let reviewed = review_of(text, is_named);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
}

/// Reviews a file by name or in a directory. Its text is `text` with manifests in place of `DENIED`, `ALLOWED` and `JSON`.
fn review_of(text: &str, is_named: bool) -> Reviewed {
    let folder = directory();
    let shoot = garden_gate_text::yaml::parse(&denied()).unwrap().remove(0).to_value();
    let text = text.replace("DENIED", &denied()).replace("ALLOWED", &example("shoot-allowed"));
    folder.write("in/s.yaml", &text.replace("JSON", &shoot.to_string()));
    let garden = format!("{EXAMPLES}/garden");
    let path = if is_named { "in/s.yaml" } else { "in" };
    folder.review(&["--garden", &garden, "--at", "2026-06-01", path])
}

#[rstest]
#[case::condition("{{- if .Values.shoot }}\nSHOOT\n{{- end }}\n")]
#[case::values(
    "kind: Shoot\napiVersion: core.gardener.cloud/v1beta1\nmetadata:\n  name: {{ .n }}\n  labels: {{- toYaml .l | nindent 4 }}\n"
)]
#[case::range(
    "kind: Shoot\napiVersion: core.gardener.cloud/v1beta1\nspec:\n  tolerations:\n  {{- range .t }}\n  - key: {{ . }}\n  {{- end }}\n"
)]
#[case::include(
    "{{- include \"x\" . }}\n---\nkind: Shoot\napiVersion: core.gardener.cloud/v1beta1\n{{ include \"y\" . }}\n"
)]
#[case::statement("{% for s in shoots %}\nSHOOT\n{% endfor %}\n")]
#[case::list(
    "- kind: Shoot\n  apiVersion: core.gardener.cloud/v1beta1\n  metadata: {name: ${NAME}}\n"
)]
fn templates_are_left_out(#[case] text: &str) {
    let folder = directory();
    folder.write("in/s.yaml", &text.replace("SHOOT", &denied()));
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(0), "{}{}", reviewed.out, reviewed.err);
    assert!(reviewed.err.contains("note: `in/s.yaml` "), "{}", reviewed.err);
}

/// `kubectl apply` stores the documents of a file before it finds one that it cannot read.
#[rstest]
#[case::after("DENIED---\nTEMPLATE", 1)]
#[case::before("TEMPLATE---\nDENIED", 1)]
#[case::between("TEMPLATE---\nDENIED---\nTEMPLATE", 1)]
#[case::first_in_braces("{{- if .a }}\n---\nDENIED---\n{{- end }}\n", 1)]
#[case::of_another_kind("DENIED---\nkind: ConfigMap\nmetadata: {name: {{ .a }}}\n", 1)]
#[case::variable("DENIED---\na: b\n${SHOOTS}\n", 1)]
#[case::directive("DENIED---\nTEMPLATE---\na: |\n%\n", 4)]
#[case::broken("DENIED---\nTEMPLATE---\na: b: c\n", 4)]
#[case::only_templates("TEMPLATE---\nTEMPLATE", 0)]
fn templates_hide_no_other_document(#[case] text: &str, #[case] code: i32) {
    let folder = directory();
    let template =
        "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: {{ .name }}}\n";
    let text = text.replace("TEMPLATE", template);
    folder.write("in/s.yaml", &text.replace("DENIED", &denied()));
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(code), "{}{}", reviewed.out, reviewed.err);
    let is_named = reviewed.err.contains("note: `in/s.yaml` is a template");
    let is_template = text.contains("Shoot") && code != 4;
    assert_eq!(is_named, is_template, "{}", reviewed.err);
}

#[test]
fn old_states_beside_templates_are_compared() {
    let template = "---\nkind: Shoot\nmetadata: {name: {{ .name }}}\n";
    let shoot = example("shoot-allowed");
    let folder = Folder::new(&[("in/web.yaml", &(shoot.clone() + template))]);
    folder.git(&["init", "-q"]);
    folder.commit();
    let change = ["--no-config", "--git", "HEAD", "in"];
    let changed = shoot.replace("maximum: 3", "maximum: 4");
    assert_ne!(changed, shoot);
    folder.write("in/web.yaml", &(changed + template));
    let reviewed = folder.review(&change);
    assert!(reviewed.out.contains("UPDATE of Shoot"), "{}", reviewed.out);
    // Its object may be in the template now.
    folder.write("in/web.yaml", template);
    let reviewed = folder.review(&change);
    assert!(!reviewed.out.contains("DELETE"), "{}", reviewed.out);
}

/// Nothing completes these objects, so `kubectl apply` may store them as they are.
#[rstest]
#[case::unrelated("resources: [web.yaml]\n")]
#[case::empty("")]
#[case::patch_of_nothing("patches: [{path: s.yaml}]\n")]
fn incomplete_objects_need_a_kustomization_that_renders_them(#[case] kustomization: &str) {
    let folder = directory();
    let without = denied().replacen("  namespace: garden-dev\n", "", 1);
    assert_ne!(without, denied());
    folder.write("in/s.yaml", &without);
    folder.write("in/kustomization.yaml", kustomization);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(4), "{}{}", reviewed.out, reviewed.err);
    folder.write("in/kustomization.yaml", "resources: [s.yaml]\n");
    let rendered = review(&folder);
    assert_eq!(rendered.code, Some(0), "{}{}", rendered.out, rendered.err);
    assert!(rendered.err.contains("has no namespace and is completed by kustomize"));
}

/// A namespace that one kustomization sets, directly or in an overlay.
#[rstest]
#[case::own(&[("in/kustomization.yaml", "resources: [s.yaml]\nnamespace: garden-dev\n")], 1)]
#[case::of_a_directory(&[("o/kustomization.yaml", "resources: [../in]\nnamespace: garden-dev\n")], 1)]
#[case::overlay(&[("in/kustomization.yaml", "resources: [s.yaml]\n"), ("o/kustomization.yaml", "resources: [../in]\nnamespace: garden-dev\n")], 1)]
#[case::same_twice(&[("in/kustomization.yaml", "resources: [s.yaml]\nnamespace: garden-dev\n"), ("o/kustomization.yaml", "resources: [../in]\nnamespace: garden-dev\n")], 1)]
#[case::cycle(&[("in/kustomization.yaml", "resources: [s.yaml, ../o]\nnamespace: garden-dev\n"), ("o/kustomization.yaml", "resources: [../in]\n")], 1)]
#[case::two_overlays(&[("o/a/kustomization.yaml", "resources: [../../in]\nnamespace: garden-dev\n"), ("o/b/kustomization.yaml", "resources: [../../in]\nnamespace: garden-ops\n")], 4)]
#[case::none(&[("in/kustomization.yaml", "resources: [s.yaml]\n")], 4)]
fn namespaces_of_kustomizations_count(#[case] kustomizations: &[(&str, &str)], #[case] code: i32) {
    let folder = directory();
    let without = denied().replacen("  namespace: garden-dev\n", "", 1);
    folder.write("in/s.yaml", &without);
    for (name, text) in kustomizations {
        folder.write(name, text);
    }
    folder.write("empty/README", "");
    let garden = format!("{EXAMPLES}/garden");
    let arguments = ["--garden", &garden, "--at", "2026-06-01"];
    let paths = ["o", "in"].iter().filter(|it| folder.path().join(it).exists());
    let paths: Vec<&str> = paths.copied().collect();
    // In a change, an object whose namespace is not known is undetermined, since it may be stored.
    let change = ["--old", "empty"];
    let reviewed = folder.review(&[&arguments[..], &change, &paths].concat());
    assert_eq!(reviewed.code, Some(code), "{}{}", reviewed.out, reviewed.err);
    let named = ["--namespace", "garden-dev"];
    let reviewed = folder.review(&[&arguments[..], &change, &named, &paths].concat());
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
}

/// `kubectl apply -f` and `kubectl apply -k` store the object in different namespaces.
#[test]
fn other_namespace_of_a_kustomization_is_undetermined() {
    let folder = directory();
    let without = denied().replacen("  namespace: garden-dev\n", "", 1);
    folder.write("in/s.yaml", &without);
    let kustomization = "resources: [s.yaml]\nnamespace: garden-platform\n";
    folder.write("in/kustomization.yaml", kustomization);
    let garden = format!("{EXAMPLES}/garden");
    for (namespace, code) in [("garden-dev", 4), ("garden-platform", 0)] {
        let arguments = ["--garden", &garden, "--namespace", namespace, "in"];
        let reviewed = folder.review(&[&arguments[..], &["--at", "2026-06-01"]].concat());
        assert_eq!(reviewed.code, Some(code), "{}", reviewed.out);
    }
}

/// A change of a kustomization moves its objects.
#[rstest]
#[case(
    "kustomization.yaml",
    "resources: [s.yaml]\n",
    "resources: [s.yaml]\nnamespace: garden-dev\n"
)]
#[case("kustomization.yaml", "resources: []\n", "resources: [s.yaml]\nnamespace: garden-dev\n")]
#[case(
    "../kustomization.yaml",
    "resources: [in]\nnamespace: garden-platform\n",
    "resources: [in]\nnamespace: garden-dev\n"
)]
fn changed_kustomizations_create_objects(
    #[case] name: &str,
    #[case] before: &str,
    #[case] after: &str,
) {
    let without = denied().replacen("  namespace: garden-dev\n", "", 1);
    let folder = Folder::new(&[("in/s.yaml", &without)]);
    let name = format!("in/{name}");
    folder.write(&name, before);
    folder.git(&["init", "-q"]);
    folder.commit();
    folder.write(&name, after);
    let garden = format!("{EXAMPLES}/garden");
    let change = ["--garden", &garden, "--at", "2026-06-01", "--git", "HEAD", "in"];
    let reviewed = folder.review(&change);
    assert_eq!(reviewed.code, Some(1), "{}{}", reviewed.out, reviewed.err);
    assert!(reviewed.out.contains("CREATE of Shoot garden-dev/sneaky"), "{}", reviewed.out);
    // kubectl without kustomize uses another namespace.
    let other = [&["--namespace", "garden-platform"], &change[..]].concat();
    let reviewed = folder.review(&other);
    let undetermined = "undetermined[object/unreadable]: the manifest has no `metadata.namespace`: `kubectl apply -f` uses";
    assert!(reviewed.out.contains(undetermined), "{}", reviewed.out);
}

/// A manifest of a change that is hidden by a rule, and whether the rule is older than the change.
#[rstest]
#[case::git_ignore(".gitignore", "s.yaml\n", true, 4)]
#[case::git_ignore_of_the_change(".gitignore", "s.yaml\n", false, 4)]
#[case::ignore(".garden-gate-ignore", "in/s.yaml\n", true, 0)]
#[case::ignore_of_the_change(".garden-gate-ignore", "in/s.yaml\n", false, 4)]
#[case::ignore_below("in/.garden-gate-ignore", "*.yaml\n!web.yaml\n", false, 4)]
#[case::exclusion(".garden-gate.yaml", "review: {exclude: [s.yaml]}\n", true, 0)]
#[case::exclusion_of_the_change(".garden-gate.yaml", "review: {exclude: [s.yaml]}\n", false, 4)]
#[case::garden(".garden-gate.yaml", "review: {garden: in/sub}\n", true, 0)]
#[case::garden_of_the_change(".garden-gate.yaml", "review: {garden: in/sub}\n", false, 4)]
fn hidden_changes_are_undetermined(
    #[case] rules: &str,
    #[case] text: &str,
    #[case] is_older: bool,
    #[case] code: i32,
) {
    let folder = Folder::new(&[("in/web.yaml", &example("shoot-allowed"))]);
    folder.write("keep", "");
    if is_older {
        folder.write(rules, text);
    }
    folder.git(&["init", "-q"]);
    folder.commit();
    folder.write(rules, text);
    let hidden = if text.contains("garden:") { "in/sub/s.yaml" } else { "in/s.yaml" };
    folder.write(hidden, &denied());
    folder.git(&["add", "-A", "-f"]);
    folder.git(&["commit", "-qm", "change"]);
    let garden = format!("{EXAMPLES}/garden");
    let named = if text.contains("garden:") { Vec::new() } else { vec!["--garden", &garden] };
    let arguments = [&named[..], &["--git", "HEAD~1..", "in"]].concat();
    let reviewed = folder.review(&arguments);
    let shown = format!("{}{}", reviewed.out, reviewed.err);
    assert_eq!(reviewed.code, Some(code), "{shown}");
    let is_named = reviewed.out.contains(&format!("{hidden}:1:1"));
    assert_eq!(is_named, code == 4, "{shown}");
    // Other files that are hidden change nothing.
    folder.write(hidden, "kind: ConfigMap\napiVersion: v1\nmetadata: {name: a}\n");
    folder.git(&["add", "-A", "-f"]);
    folder.git(&["commit", "-qm", "other"]);
    assert_eq!(folder.review(&arguments).code, Some(0));
}

#[rstest]
#[case::strategic_merge(
    "patches: [{patch: 'apiVersion: core.gardener.cloud/v1beta1\n\n  kind: Shoot'}]",
    true
)]
#[case::json("patches: [{target: {kind: Shoot}, patch: '[]'}]", true)]
#[case::inline(
    "patchesStrategicMerge: ['{apiVersion: core.gardener.cloud/v1beta1, kind: Shoot}']",
    true
)]
#[case::other_kind("patches: [{target: {kind: Deployment}, patch: '[]'}]", false)]
#[case::file("patches: [{target: {kind: Shoot}, path: patch.yaml}]", false)]
fn patches_in_kustomizations_are_named(#[case] patches: &str, #[case] is_named: bool) {
    let folder = directory();
    let text = format!("resources: [web.yaml]\n{patches}\n");
    folder.write("in/kustomization.yaml", &text);
    let reviewed = review(&folder);
    let note = "note: `in/kustomization.yaml` contains patches of objects of Gardener, not judged; review the output of `kustomize build in`";
    assert_eq!(reviewed.err.contains(note), is_named, "{}", reviewed.err);
    assert_eq!(reviewed.code, Some(0), "{}", reviewed.out);
}

/// A Component has no resources: it patches those of the kustomization that lists it.
#[test]
fn partial_patch_of_a_component_is_skipped() {
    let folder = directory();
    folder.write("in/c/kustomization.yaml", "kind: Component\npatches: [{path: p.yaml}]\n");
    let patch = "apiVersion: core.gardener.cloud/v1beta1\nkind: Shoot\nmetadata: {name: a, namespace: garden-dev}\nspec: {purpose: testing}\n";
    folder.write("in/c/p.yaml", patch);
    let reviewed = review(&folder);
    assert_eq!(reviewed.code, Some(0), "{}", reviewed.out);
    assert!(reviewed.err.contains("`in/c/p.yaml` is a kustomize patch"));
}
