// SPDX-License-Identifier: Apache-2.0
//! Repositories that try to choose the compared state of `review --git`, or to run programs.

use rstest::rstest;

use crate::pipelines::recipes::Landscape;
use crate::repository::Printed;

const REVIEW: &str = "garden-gate review --garden dump --git origin/main";

/// The denied change, compared with `origin/main`.
const REFUSED: &str =
    "shoots/gateway.yaml: UPDATE of Shoot garden-platform/gateway (from origin/main): denied\n";

/// Creates a repository `plant` without changes since `origin/main`.
const PLANT: &str = "git init -q plant
cp shoots/gateway.yaml plant/
git -C plant add -A
git -C plant -c user.name=n -c user.email=e@example.com commit -qm m
git -C plant update-ref refs/remotes/origin/main HEAD
";

/// Returns a branch with a denied change.
fn landscape() -> Landscape {
    let landscape = Landscape::new();
    landscape.change("version: 1.34.7", "version: 1.32.13");
    landscape.repository.commit();
    landscape
}

fn prepare(landscape: &Landscape, script: &str) {
    let (code, out, err) = landscape.run(script, &[]);
    assert_eq!(code, Some(0), "{script}\n{out}{err}");
}

fn assert_refused(printed: &Printed) {
    let (code, out, err) = printed;
    assert!(out.contains(REFUSED), "{out}{err}");
    assert_eq!(*code, Some(1), "{out}{err}");
}

fn assert_error(printed: &Printed, says: &str) {
    let (code, out, err) = printed;
    assert_eq!((*code, out.as_str()), (Some(2), ""), "{err}");
    assert!(err.contains(says) && err.lines().count() == 1, "{err}");
}

#[rstest]
#[case("shoots")]
#[case("shoots/gateway.yaml")]
#[case("shoots/../shoots")]
#[case(".")]
fn bare_repository_in_reviewed_directory_is_not_compared_with(#[case] path: &str) {
    let landscape = landscape();
    // The second line shows that Git itself uses it.
    let plant = "git -C plant config core.worktree .
rm -r plant/.git/hooks
mv plant/.git/* shoots/
rm -r plant
[ \"$(git -C shoots rev-parse --absolute-git-dir)\" = \"$PWD/shoots\" ]
rm -f shoots/index";
    prepare(&landscape, &format!("{PLANT}{plant}"));
    assert_refused(&landscape.run(&format!("{REVIEW} {path}"), &[]));
    let below = format!("cd shoots && {} .", REVIEW.replace("dump", "../dump"));
    let (code, out, err) = landscape.run(&below, &[]);
    assert!(code == Some(1) && out.starts_with("gateway.yaml: UPDATE"), "{out}{err}");
}

#[rstest]
#[case::directory("mv plant/.git shoots/.git; rm -r plant")]
#[case::file(
    "mv plant/.git .git/planted; rm -r plant; echo \"gitdir: $PWD/.git/planted\" > shoots/.git"
)]
#[case::link("mv plant/.git .git/planted; rm -r plant; ln -s ../.git/planted shoots/.git")]
fn repository_inside_of_the_repository_is_an_error(#[case] plant: &str) {
    let landscape = landscape();
    prepare(&landscape, &format!("{PLANT}{plant}"));
    for path in ["shoots", "shoots/gateway.yaml", "argocd shoots"] {
        let printed = landscape.run(&format!("{REVIEW} {path}"), &[]);
        assert_error(&printed, "/shoots` inside `");
    }
    assert_refused(&landscape.run(&format!("{REVIEW} ."), &[]));
}

#[test]
fn repository_is_that_of_the_working_directory_or_the_only_one_above() {
    let landscape = landscape();
    prepare(&landscape, PLANT);
    let (code, out, err) =
        landscape.run(&format!("cd plant && {} .", REVIEW.replace("dump", "../dump")), &[]);
    assert!(code == Some(0) && out.contains("1 object is unchanged"), "{out}{err}");
    let absolute =
        "here=$PWD; cd / && garden-gate review --garden $here/dump --git origin/main $here";
    let (code, out, err) = landscape.run(&format!("{absolute}/shoots"), &[]);
    assert!(
        code == Some(1) && out.contains("UPDATE of Shoot garden-platform/gateway"),
        "{out}{err}"
    );
    let several = landscape.run(&format!("{absolute}/plant"), &[]);
    assert_error(&several, "is in the Git repositories `");
    let worktree = format!("git worktree add -q .git/linked && cd .git/linked && {REVIEW} shoots");
    assert_refused(&landscape.run(&worktree, &[]));
    let elsewhere = "git init -q .git/linked/deep && cd argocd && garden-gate review --git HEAD ../.git/linked/deep";
    assert_error(&landscape.run(elsewhere, &[]), "inside `");
}

#[rstest]
#[case::replaced("git replace origin/main HEAD && git diff --quiet origin/main HEAD")]
#[case::grafted(
    "printf '%s\\n' \"$(git rev-parse HEAD)\" \"$(git rev-parse origin/main) $(git rev-parse HEAD)\" > .git/info/grafts
[ \"$(git merge-base origin/main HEAD)\" = \"$(git rev-parse HEAD)\" ]"
)]
#[case::alternates(
    "git clone -q --bare . .git/other && echo \"$PWD/.git/other/objects\" > .git/objects/info/alternates && git repack -adlq"
)]
fn history_is_read_as_it_was_committed(#[case] plant: &str) {
    let landscape = landscape();
    prepare(&landscape, plant);
    assert_refused(&landscape.run(&format!("{REVIEW} shoots"), &[]));
}

#[rstest]
#[case::worktree("git config core.worktree \"$PWD/shoots\"", "for the work tree of")]
#[case::bare("git config core.bare true", "cannot use the repository")]
#[case::empty("mv .git/HEAD .git/no-head", "cannot use the repository")]
#[case::tag("git tag origin/main HEAD", "`origin/main` is ambiguous")]
#[case::branch("git branch origin/main HEAD", "`origin/main` is ambiguous")]
#[case::link("mv shoots real && ln -s real shoots", "leads through the symbolic link `")]
fn doubtful_repository_is_an_error(#[case] plant: &str, #[case] says: &str) {
    let landscape = landscape();
    prepare(&landscape, plant);
    assert_error(&landscape.run(&format!("{REVIEW} shoots"), &[]), says);
}

#[test]
fn directory_replaced_by_a_link_deletes_its_objects() {
    let landscape = landscape();
    let plant = "mkdir other && mv shoots/gateway.yaml other/ && rmdir shoots && ln -s other shoots
sed -i 's/name: gateway/name: another/' other/gateway.yaml";
    prepare(&landscape, plant);
    let (code, out, err) = landscape.run(&format!("{REVIEW} ."), &[]);
    assert!(
        out.contains("shoots/gateway.yaml: DELETE of Shoot garden-platform/gateway"),
        "{out}{err}"
    );
    assert_eq!(code, Some(1), "{out}{err}");
}

#[test]
fn deleted_path_is_compared_and_a_missing_one_is_an_error() {
    let landscape = landscape();
    prepare(&landscape, "rm -r shoots");
    for path in ["shoots", "shoots/gateway.yaml"] {
        let (_, out, err) = landscape.run(&format!("{REVIEW} {path}"), &[]);
        assert!(out.starts_with("shoots/gateway.yaml: DELETE of Shoot"), "{out}{err}");
    }
    let printed = landscape.run(&format!("{REVIEW} shots"), &[]);
    assert_error(&printed, "error: shots: no such file or directory");
}

#[test]
fn old_git_is_refused() {
    let landscape = landscape();
    let git = "#!/bin/sh\ncase \"$*\" in *version) echo git version 2.37.9;; *) touch ran;; esac\n";
    landscape.program("git", git);
    let printed = landscape.run(&format!("{REVIEW} shoots"), &[]);
    assert_error(&printed, "`git version 2.37.9` is too old; --git needs Git 2.38 or later");
    assert!(!landscape.repository.path().join("ran").exists());
}

#[rstest]
#[case::directory(&[("GIT_DIR", ".git/planted")])]
#[case::work_tree(&[("GIT_DIR", ".git/planted"), ("GIT_WORK_TREE", ".")])]
#[case::common(&[("GIT_COMMON_DIR", ".git/planted")])]
#[case::objects(&[("GIT_OBJECT_DIRECTORY", ".git/planted/objects")])]
#[case::alternates(&[("GIT_ALTERNATE_OBJECT_DIRECTORIES", ".git/planted/objects")])]
#[case::parameters(&[("GIT_CONFIG_PARAMETERS", "'core.worktree'='/tmp'")])]
#[case::grafts(&[("GIT_GRAFT_FILE", ".git/info/planted")])]
#[case::replaced(&[("GIT_REPLACE_REF_BASE", "refs/planted/")])]
#[case::namespace(&[("GIT_NAMESPACE", "planted")])]
#[case::ceiling(&[("GIT_CEILING_DIRECTORIES", "/")])]
#[case::programs(&[("GIT_EXEC_PATH", "/nonexistent")])]
#[case::shallow(&[("GIT_SHALLOW_FILE", ".git/info/planted")])]
#[case::index(&[("GIT_INDEX_FILE", "/nonexistent")])]
fn environment_does_not_choose_the_repository(#[case] environment: &[(&str, &str)]) {
    let landscape = landscape();
    let plant = "mv plant/.git .git/planted; rm -r plant
printf '%s\\n' \"$(git rev-parse HEAD)\" \"$(git rev-parse origin/main) $(git rev-parse HEAD)\" > .git/info/planted
git update-ref \"refs/planted/$(git rev-parse origin/main)\" HEAD";
    prepare(&landscape, &format!("{PLANT}{plant}"));
    assert_refused(&landscape.run(&format!("{REVIEW} shoots"), environment));
}

#[test]
fn environment_may_trust_the_repository() {
    let landscape = landscape();
    let trusting = [
        ("GIT_TEST_ASSUME_DIFFERENT_OWNER", "1"),
        ("GIT_CONFIG_COUNT", "1"),
        ("GIT_CONFIG_KEY_0", "safe.directory"),
        ("GIT_CONFIG_VALUE_0", "*"),
    ];
    assert_refused(&landscape.run(&format!("{REVIEW} shoots"), &trusting));
}

/// The first script configures a program, the second one makes Git run it, to prove the attack.
#[rstest]
#[case::fsmonitor("git config core.fsmonitor evil", "git status")]
#[case::hooks(
    "cp \"$EVIL\" .git/hooks/post-checkout; cp \"$EVIL\" .git/hooks/reference-transaction; cp \"$EVIL\" .git/hooks/post-index-change",
    "git checkout --detach; git checkout feature"
)]
#[case::hooks_path(
    "mkdir .git/evil; cp \"$EVIL\" .git/evil/post-checkout; git config core.hooksPath .git/evil",
    "git checkout --detach; git checkout feature"
)]
#[case::pager(
    "git config core.pager evil; git config pager.ls-tree evil; git config pager.rev-parse evil",
    "script -qec 'git ls-tree HEAD' /dev/null"
)]
#[case::alias(
    "for it in evil version rev-parse merge-base ls-tree cat-file; do git config alias.$it '!evil'; done",
    "git evil"
)]
#[case::clean(
    "git config filter.evil.clean evil; echo '* filter=evil' > .git/info/attributes",
    "touch shoots/*; git add -A; git reset --hard"
)]
#[case::smudge(
    "git config filter.evil.smudge evil; echo '* filter=evil' > .git/info/attributes",
    "git checkout-index -af --prefix=.git/out/"
)]
#[case::process(
    "git config filter.evil.process evil; echo '* filter=evil' > .git/info/attributes",
    "git checkout-index -af --prefix=.git/out/"
)]
#[case::textconv(
    "git config diff.evil.textconv evil; echo '* diff=evil' > .git/info/attributes",
    "git diff HEAD~1"
)]
#[case::difference("git config diff.external evil", "git diff HEAD~1")]
#[case::merge("git config merge.evil.driver evil; echo '* merge=evil' > .git/info/attributes", "")]
#[case::credentials(
    "git config credential.helper '!evil'",
    "printf 'protocol=https\\nhost=x\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill"
)]
#[case::password(
    "git config core.askPass evil",
    "printf 'protocol=https\\nhost=x\\n\\n' | GIT_TERMINAL_PROMPT=0 git credential fill"
)]
#[case::editor(
    "git config core.editor evil; git config sequence.editor evil",
    "git commit --allow-empty"
)]
#[case::pack("git config uploadpack.packObjectsHook evil", "")]
#[case::refs("git config core.alternateRefsCommand evil", "")]
#[case::signature(
    "git config gpg.program evil; git config log.showSignature true",
    "git commit -S --allow-empty -m m"
)]
#[case::included(
    "printf '[core]\\n fsmonitor = evil\\n' > .git/evil; git config include.path evil",
    "git status"
)]
#[case::per_worktree(
    "git config extensions.worktreeConfig true; git config --worktree core.fsmonitor evil",
    "git status"
)]
fn programs_of_the_configuration_are_not_run(#[case] set: &str, #[case] control: &str) {
    let landscape = landscape();
    let marker = evil(&landscape);
    prepare(&landscape, &format!("export EVIL={marker}.program\n{set}"));
    assert_control(&landscape, &marker, control);
    assert_refused(&landscape.run(&format!("{REVIEW} shoots"), &[("MARKER", &marker)]));
    assert!(!std::path::Path::new(&marker).exists());
}

/// A clone without the files of the revision, and a remote from which Git would fetch them.
#[rstest]
#[case::ext("git config remote.origin.url 'ext::evil x'; git config protocol.ext.allow always")]
#[case::ssh("git config remote.origin.url ssh://localhost/x; git config core.sshCommand evil")]
#[case::proxy("git config remote.origin.url git://localhost:1/x; git config core.gitProxy evil")]
#[case::helper("git config remote.origin.vcs evil")]
#[case::upload_pack("git config remote.origin.uploadpack evil")]
#[case::rewritten(
    "git config 'url.ext::evil .insteadOf' file:; git config protocol.ext.allow always"
)]
fn remotes_are_not_asked(#[case] set: &str) {
    let landscape = landscape();
    let marker = evil(&landscape);
    let clone = "git -C .git/origin config uploadpack.allowFilter true
git clone -q --no-checkout --filter=blob:none \"file://$PWD/.git/origin\" .git/partial
cd .git/partial
";
    prepare(&landscape, &format!("{clone}{set}"));
    let control = "git -C .git/partial cat-file -p origin/main:shoots/gateway.yaml";
    assert_control(&landscape, &marker, control);
    let review = "cd .git/partial && garden-gate review --git origin/main";
    let printed = landscape.run(review, &[("MARKER", &marker)]);
    assert_error(&printed, "the clone is partial and lacks files of the revision");
    assert!(!std::path::Path::new(&marker).exists());
}

/// Creates a program that creates the marker file whose path is returned.
fn evil(landscape: &Landscape) -> String {
    let marker = landscape.repository.path().join(".git/marker").to_str().unwrap().to_owned();
    let program = format!("#!/bin/sh\ntouch {marker}\nexit 1\n");
    landscape.repository.write(".git/marker.program", &program);
    prepare(landscape, &format!("chmod +x {marker}.program"));
    landscape.program("evil", &program);
    landscape.program("git-remote-evil", &program);
    marker
}

fn assert_control(landscape: &Landscape, marker: &str, control: &str) {
    if control.is_empty() {
        return;
    }
    let script = format!("set +e\n({control}) > .git/control 2>&1 < /dev/null\nrm {marker}");
    let (code, _, err) = landscape.run(&script, &[]);
    let said = std::fs::read_to_string(landscape.repository.path().join(".git/control"));
    assert_eq!(code, Some(0), "Git did not run the program: {err}{}", said.unwrap());
}
