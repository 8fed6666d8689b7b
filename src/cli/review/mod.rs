//! `garden-gate review`: the verdicts of the server before a push.

mod baseline;
mod configuration;
pub(in crate::cli) mod format;
mod garden;
mod levels;
pub(in crate::cli) mod outputs;

use std::collections::{BTreeSet, HashSet};
use std::fs;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::bail;
use clap::Args;
use jiff::Timestamp;
use rayon::prelude::*;

pub(in crate::cli) use self::configuration::Configuration;
pub(in crate::cli) use self::garden::{gardener_version, tell};

use self::baseline::Threshold;
use self::levels::LevelArgs;
use self::outputs::OutputArgs;
use super::Outcome;
use super::garden::GardenArgs;
use super::output::Inputs;
use crate::config::ReviewDefaults;
use crate::engine::World;
use crate::files;
use crate::garden::directory::{self, Reading, Wanted};
use crate::garden::{Knowledge, ObjectKey, Snapshot};
use crate::model::UserInfo;
use crate::report::{ConfigFile, LeftOutFile, SkippedInput, Summary};
use crate::review::change::Age;
use crate::review::change_set::{Applier, ReviewOptions};
use crate::review::cluster::Live;
use crate::review::git::Revision;
use crate::review::input::{Input, Unread};
use crate::review::kustomize::{Kustomization, Kustomizations};
use crate::review::live::ClusterState;
use crate::review::notes::note;
use crate::review::paths::PathRules;
use crate::review::silences::Silences;
use crate::review::subject::{FileObjects, Subject};
use crate::review::{
    ask, change, change_set, duplicates, input, live, repository, subject, versions,
};
use crate::rules;

/// Number of bytes read after which parsed documents are no longer kept in memory.
const KEPT: usize = 1 << 20;
/// Maximum size and number of files that are read as one batch.
const AT_ONCE: usize = 8 << 20;
const FILES_AT_ONCE: usize = 1_000;

/// The result for a file.
struct File {
    /// The absolute path, if there is one.
    path: Option<PathBuf>,
    is_named: bool,
    kustomization: Option<Kustomization>,
    objects: Result<FileObjects, SkippedFile>,
}

/// The subjects and the snapshot of one garden.
struct Round {
    /// The garden directory; empty if there is only one.
    garden: String,
    snapshot: Snapshot,
    /// The objects that a live cluster returned.
    shown: Option<ClusterState>,
    subjects: Vec<Subject>,
}

/// A file that is not judged.
struct SkippedFile {
    file: LeftOutFile,
    why: LeftFor,
}

/// The reason why a file is not judged.
enum LeftFor {
    /// A symbolic link to a directory outside of the reviewed one.
    Outside,
    /// A template.
    Template,
    /// A file without manifests.
    NoManifests,
}

/// The objects under review, with other relevant objects.
#[derive(Default)]
struct Change {
    /// The changed objects, with old states that are not from the garden.
    subjects: Vec<Subject>,
    /// The unchanged objects.
    unchanged: Vec<Subject>,
    /// Other objects after the change, of which only the names matter.
    named: Vec<ObjectKey>,
    /// The files of all objects.
    files: Vec<PathBuf>,
}

/// Arguments of `garden-gate review`.
#[derive(Args, Debug)]
#[command(after_long_help = "\
Examples:
  garden-gate review --garden dump/ shoots/
  garden-gate review --garden dump/ --git origin/main
  kustomize build . | garden-gate review --garden dump/ -
  garden-gate review --live --context landscape shoots/
  garden-gate review --live --ask-server --git origin/main
  garden-gate review --garden gardens/qa --garden gardens/prod shoots/
  garden-gate review --garden dump/ --namespace garden-dev shoot.yaml

Exit codes:
  0  no refusals; with --fail-on warn, no warnings either
  1  refusals that are not in the baseline, or with --fail-on warn also warnings; with --ask-server, also
     refusals by the API server
  2  the command failed, or a verdict is undetermined; with --ask-server, also a missing answer
  3  there are no objects to review")]
pub(super) struct Review {
    /// Files or directories with manifests (YAML or JSON) or AdmissionReviews (JSON); `-` is standard input.
    ///
    /// A file may have several documents. In directories, .gitignore and .garden-gate-ignore exclude files.
    #[arg(default_value = ".", value_name = "PATH")]
    paths: Vec<PathBuf>,

    #[command(flatten)]
    garden: GardenArgs,

    /// Also send every object to the API server as a dry run, impersonating the user of --as.
    ///
    /// Nothing is stored. The response is printed next to the verdict, marked with `disagrees` if they differ.
    #[arg(long, requires = "live")]
    ask_server: bool,

    /// Old state of the manifests: a file or directory.
    ///
    /// Objects that exist only in the old state are reviewed as deletions; unchanged objects are skipped.
    #[arg(long, value_name = "PATH", conflicts_with = "git")]
    old: Option<PathBuf>,

    /// Old state from Git: the merge base of REV and HEAD, as for a pull request; `REV..` selects REV itself.
    #[arg(long, value_name = "REV")]
    git: Option<String>,

    /// Time of the review, such as 2026-12-24T18:00:00Z, or a date (UTC) [default: now].
    #[arg(long, value_name = "TIME", value_parser = crate::cli::time::time)]
    at: Option<Timestamp>,

    /// Namespace of manifests without one, as for kubectl [default with --live: the namespace of the context].
    #[arg(short, long, value_name = "NAME")]
    namespace: Option<String>,

    /// Also report files in directories that are neither YAML nor JSON as errors, not only named files.
    #[arg(long)]
    strict_files: bool,

    /// Add annotations with this reason to the manifests to silence the warnings of this review; comments are kept.
    #[arg(long, value_name = "REASON", num_args = 0..=1, require_equals = true, default_missing_value = "added by --add-silences")]
    add_silences: Option<String>,

    #[command(flatten)]
    configuration: Configuration,

    #[command(flatten)]
    levels: LevelArgs,

    #[command(flatten)]
    threshold: Threshold,

    /// Requesting user of manifests.
    ///
    /// Without a user, required verbs are listed, but not checked. AdmissionReviews have their own user.
    #[arg(long = "as", value_name = "USER")]
    user: Option<String>,

    /// Group of the user; may be given several times.
    #[arg(long = "as-group", value_name = "GROUP")]
    groups: Vec<String>,

    #[command(flatten)]
    outputs: OutputArgs,
}

impl Review {
    /// Judges every object of every file, and writes the verdicts as they come.
    pub(super) fn run(&self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        self.outputs.check()?;
        let (mut checked, config) = self.configuration.load(&self.paths)?;
        self.levels.apply(&mut checked.config)?;
        let mut comparison = self.threshold.comparison(&checked.review)?;
        let live = self.garden.live()?;
        let directories = match &self.garden.directories[..] {
            [] => checked.review.garden.iter().cloned().collect(),
            directories => directories.to_vec(),
        };
        if directories.len() > 1 && self.outputs.fix {
            bail!("--fix takes versions from one garden; name one --garden");
        }
        let path_rules = PathRules::new(&checked.review)?;
        let context = live.as_ref().map(Live::namespace);
        let namespace = self.namespace.as_deref().or(context);
        let mut left_out = SkippedInput::default();
        let Change {
            mut subjects,
            unchanged,
            named,
            mut files,
        } = self.change(
            (&directories, namespace, &path_rules),
            &mut left_out,
            config.as_ref(),
        )?;
        duplicates::note(&mut subjects, &unchanged);
        files.extend(config.iter().map(|it| PathBuf::from(&it.path)));
        self.spare(files, &directories, &checked.review)?;
        let rounds = match &live {
            Some(live) => {
                let look = live::Look {
                    config: &checked.config,
                    has_old_states: self.has_old_states(),
                    namespace,
                    writes_versions: self.outputs.fix.then_some(&self.paths[..]),
                };
                let shown = live::look(live, &mut subjects, look)?;
                vec![Round {
                    garden: String::new(),
                    snapshot: shown.snapshot.clone().with_named(named),
                    shown: Some(shown),
                    subjects,
                }]
            }
            None => self.rounds(&directories, namespace, (subjects, unchanged, named))?,
        };
        if let [round] = &rounds[..]
            && let Some(text) = versions::standard_input(&round.subjects)
            && self.prints_fixed(live.is_some() || !directories.is_empty())
        {
            out.write_all(text.as_bytes())?;
        }
        let applier = self.applier(live.as_ref());
        let now = self.at.unwrap_or_else(Timestamp::now);
        let mut outputs = self.outputs.open(out, comparison.is_written())?;
        let mut summary = Summary::new(left_out, config);
        summary.rule_url.clone_from(&checked.review.rule_url);
        if let [round] = &rounds[..] {
            summary.garden_version = gardener_version(&round.snapshot);
        }
        let count = rounds.iter().map(|it| it.subjects.len()).sum();
        let mut telling = ReviewOptions {
            progress: self.outputs.progress(count),
            shows: self.outputs.shows(),
            ..ReviewOptions::default()
        };
        let mut silences = Silences::default();
        for round in rounds {
            let levels = (&checked.config, |config: &mut _| self.levels.apply(config));
            telling.configs = path_rules.configs(&round.subjects, levels)?;
            let world = World {
                rules: rules::ALL,
                garden: &round.snapshot,
                config: &checked.config,
                now,
            };
            let asked = live.as_ref().zip(round.shown.as_ref());
            let asked = asked.filter(|_| self.ask_server);
            let asked =
                asked.map(|(live, shown)| ask::ask(live, &round.subjects, shown, &applier, &world));
            let mut asked = asked.unwrap_or_default().into_iter();
            change_set::judge(round.subjects, &applier, &world, &telling, |mut judged| {
                for (subject, object) in &mut judged {
                    if let Some(asked) = asked.next().flatten() {
                        ask::tell(object, asked);
                    }
                    if self.outputs.fix {
                        object.fix = subject.fix()?;
                    }
                    object.garden.clone_from(&round.garden);
                    if self.add_silences.is_some() {
                        silences.add(subject, object);
                    }
                    comparison.mark(object);
                    summary.add(object);
                }
                outputs.write(judged.iter().map(|(_, object)| object))
            })?;
        }
        summary.baseline = comparison.end()?;
        outputs.end(&summary)?;
        if let Some(reason) = &self.add_silences {
            silences.write(reason, &self.paths)?;
        }
        Ok(self.threshold.outcome(&checked.review, &summary))
    }

    /// Reads each garden directory.
    ///
    /// Without a directory, only unchanged objects are known.
    fn rounds(
        &self,
        directories: &[PathBuf],
        namespace: Option<&str>,
        (mut subjects, mut unchanged, named): (Vec<Subject>, Vec<Subject>, Vec<ObjectKey>),
    ) -> anyhow::Result<Vec<Round>> {
        let round = |garden: String, snapshot: Snapshot, subjects| Round {
            garden,
            snapshot: snapshot.with_named(named.clone()),
            shown: None,
            subjects,
        };
        if directories.is_empty() {
            let nothing = Snapshot::new(Knowledge::Nothing);
            let snapshot = change_set::with_unchanged(&nothing, &mut unchanged);
            return Ok(vec![round(String::new(), snapshot, subjects)]);
        }
        let mut rounds = Vec::new();
        for (index, directory) in directories.iter().enumerate() {
            let mut subjects = match index + 1 == directories.len() {
                true => std::mem::take(&mut subjects),
                false => subjects.clone(),
            };
            let name = match directories.len() {
                1 => String::new(),
                _ => directory.display().to_string(),
            };
            let snapshot = self.garden(directory, namespace, &mut subjects)?;
            rounds.push(round(name, snapshot, subjects));
        }
        Ok(rounds)
    }

    /// Returns the objects of all files, except those in garden directories inside of reviewed ones.
    fn change(
        &self,
        (gardens, namespace, path_rules): (&[PathBuf], Option<&str>, &PathRules),
        left_out: &mut SkippedInput,
        config: Option<&ConfigFile>,
    ) -> anyhow::Result<Change> {
        // The revision is checked first, since reading may take long.
        let revision = self.git.as_deref().map(|revision| {
            let at = self.paths.first().map_or(Path::new("."), PathBuf::as_path);
            Revision::find(at, revision)
        });
        let revision = revision.transpose()?;
        if let (Some(revision), Some(config)) = (&revision, config)
            && config.is_found
            && revision.has_other(Path::new(&config.path))?
        {
            note(format_args!(
                "warning: the configuration `{}` is part of this change; for a configuration that the change cannot modify, name one with --config, or use --no-config",
                config.path
            ));
        }
        let paths = self.present(revision.as_ref())?;
        let mut files: Vec<PathBuf> = paths.iter().filter(|it| it.is_file()).cloned().collect();
        let mut walked = HashSet::new();
        let mut unread = HashSet::new();
        let (mut new, mut named) = (Vec::new(), Vec::new());
        let mut kustomizations = Kustomizations::default();
        kustomizations.extend_above(&paths);
        let mut inputs = input::read(&paths, gardens).peekable();
        let mut bytes = 0;
        while inputs.peek().is_some() {
            for file in self.read_some(&mut inputs, &mut bytes) {
                let File {
                    path,
                    is_named,
                    kustomization,
                    objects,
                } = file;
                let is_excluded = |it: &PathBuf| !is_named && path_rules.excludes(it);
                if path.as_ref().is_some_and(is_excluded) {
                    continue;
                }
                walked.extend(path.clone());
                kustomizations.extend(kustomization);
                let is_lost = |it: &Subject| it.why_unreadable().is_some();
                match objects {
                    Ok(held) => {
                        left_out.others += held.others;
                        if !held.subjects.is_empty() || !held.named.is_empty() {
                            files.extend(path.clone());
                        }
                        if held.subjects.iter().any(is_lost) {
                            unread.extend(path);
                        }
                        new.extend(held.subjects);
                        named.extend(held.named);
                    }
                    Err(SkippedFile { file, why }) => {
                        let LeftOutFile {
                            file: name,
                            why: reason,
                        } = &file;
                        match why {
                            LeftFor::Outside => {
                                note(format_args!("note: `{name}` is not read: {reason}"));
                            }
                            LeftFor::Template => note(format_args!("note: `{name}` {reason}")),
                            LeftFor::NoManifests => {}
                        }
                        match why {
                            LeftFor::Template => left_out.incomplete.push(file),
                            _ => left_out.files.push(file),
                        }
                        unread.extend(path);
                    }
                }
            }
        }
        let (mut new, incomplete) = complete(new, &kustomizations);
        for file in incomplete {
            note(format_args!("note: `{}` {}", file.file, file.why));
            let is_left = !new.iter().any(|it| *it.file == *file.file);
            unread.extend(
                repository::absolute(Path::new(&file.file))
                    .ok()
                    .filter(|_| is_left),
            );
            left_out.incomplete.push(file);
        }
        subject::set_namespaces(&mut new, namespace);
        let (old, origin) = match (&self.old, &revision) {
            (Some(old), _) => {
                let inside = self.paths.iter().flat_map(|it| input::inside(it, gardens));
                let except: Vec<PathBuf> = inside.map(|it| old.join(it)).collect();
                let old = std::slice::from_ref(old);
                kustomizations.extend_above(old);
                (
                    input::read(old, &except).collect(),
                    old[0].display().to_string(),
                )
            }
            (None, Some(revision)) => {
                let mut files = revision.files(&self.paths, &walked)?;
                let except = self.gardens_inside(gardens);
                // An object in a skipped file may still exist.
                let is_left = |name: &str| {
                    repository::absolute(Path::new(name)).is_ok_and(|it| {
                        unread.contains(&it) || except.iter().any(|garden| it.starts_with(garden))
                    })
                };
                files.retain(|file| !is_left(&file.name));
                (files, revision.name.clone())
            }
            (None, None) => {
                need_namespaces(&mut new);
                return Ok(Change {
                    subjects: new,
                    named,
                    files,
                    ..Change::default()
                });
            }
        };
        let mut old: Vec<Input> = old;
        old.retain(|input| {
            let place = self.place(Path::new(&input.name), Age::Old);
            let place = match (&self.old, self.paths.first()) {
                (Some(_), Some(path)) => repository::absolute(&path.join(place)),
                _ => Ok(place),
            };
            input.is_named || !place.is_ok_and(|it| path_rules.excludes(&it))
        });
        for input in &old {
            let text = input.text.as_deref().ok();
            let file = Path::new(&input.name);
            kustomizations.extend(text.and_then(|text| Kustomization::of(file, text)));
        }
        let old = old.into_iter().map(|input| before(input, &origin));
        let old: Vec<Vec<Subject>> = old.collect::<anyhow::Result<_>>()?;
        let (mut old, _) = complete(old.into_iter().flatten().collect(), &kustomizations);
        subject::set_namespaces(&mut old, namespace);
        let place = |subject: &Subject, age| self.place(Path::new(&*subject.file), age);
        let (mut subjects, unchanged) = change::compare(new, old, &origin, place)?;
        need_namespaces(&mut subjects);
        left_out.unchanged = unchanged.len();
        Ok(Change {
            subjects,
            unchanged,
            named,
            files,
        })
    }

    /// Returns the path of a manifest's file in terms that are common to both states of a change.
    fn place(&self, file: &Path, age: Age) -> PathBuf {
        let roots = match (age, &self.old) {
            (_, None) => {
                return repository::absolute(file).unwrap_or_else(|_| file.to_owned());
            }
            (Age::New, Some(_)) => &self.paths[..],
            (Age::Old, Some(old)) => std::slice::from_ref(old),
        };
        let relative = roots.iter().find_map(|root| {
            let root = root.strip_prefix(".").unwrap_or(root);
            file.strip_prefix(root).ok()
        });
        match relative {
            Some(relative) if !relative.as_os_str().is_empty() => relative.to_owned(),
            // The file itself was named.
            _ => file.file_name().unwrap_or_default().into(),
        }
    }

    /// Returns garden directories inside of reviewed directories, as absolute paths.
    fn gardens_inside(&self, gardens: &[PathBuf]) -> Vec<PathBuf> {
        let inside = self.paths.iter().flat_map(|path| {
            let inside = input::inside(path, gardens).into_iter();
            inside.map(|it| path.join(it))
        });
        inside
            .filter_map(|it| repository::absolute(&it).ok())
            .collect()
    }

    /// Returns the paths that can be read.
    ///
    /// A missing path that exists in the commit is a deletion.
    ///
    /// # Errors
    /// Fails if another path is missing or cannot be read, since a wrong command line yields no verdict.
    fn present(&self, revision: Option<&Revision>) -> anyhow::Result<Vec<PathBuf>> {
        let mut present = Vec::new();
        let mut problems = Vec::new();
        for path in &self.paths {
            let is_stream = path == Path::new("-") || files::is_passed_descriptor(path);
            let error = match fs::metadata(path) {
                _ if is_stream => None,
                Ok(it) if it.is_dir() => fs::read_dir(path).err(),
                Ok(it) if it.is_file() => files::open_regular(path).err(),
                Ok(_) => None,
                Err(error) => Some(error),
            };
            let is_missing = |it: &io::Error| it.kind() == io::ErrorKind::NotFound;
            match error {
                None => present.push(path.clone()),
                Some(error) if is_missing(&error) && was_there(revision, path)? => {}
                Some(error) => {
                    let why = match error.kind() {
                        io::ErrorKind::NotFound => "no such file or directory".to_owned(),
                        io::ErrorKind::PermissionDenied => "permission denied".to_owned(),
                        _ => error.to_string(),
                    };
                    problems.push(format!("{}: {why}", path.display()));
                }
            }
        }
        match problems.is_empty() {
            true => Ok(present),
            false => bail!("{}", problems.join("; ")),
        }
    }

    /// Checks that no output is a file that this review reads.
    fn spare(
        &self,
        mut files: Vec<PathBuf>,
        gardens: &[PathBuf],
        defaults: &ReviewDefaults,
    ) -> anyhow::Result<()> {
        let (baseline, written) = self.threshold.files(defaults);
        files.extend(self.configuration.admission_config().cloned());
        files.extend(baseline);
        files.extend(self.old.clone().filter(|it| it.is_file()));
        // This includes manifests that an ignore file excludes.
        let paths = self.paths.iter().filter(|it| it.is_dir());
        let inputs = Inputs {
            files,
            directories: paths.chain(gardens).chain(&self.old).cloned().collect(),
        };
        inputs.spare(self.outputs.files().chain(written))
    }

    /// Parses the next batch of files, on all cores, with limited memory.
    ///
    /// Adds the number of bytes read to `bytes`.
    fn read_some(&self, inputs: &mut impl Iterator<Item = Input>, bytes: &mut usize) -> Vec<File> {
        let (mut some, begin) = (Vec::new(), *bytes);
        for input in inputs {
            *bytes += input.text.as_ref().map_or(0, String::len);
            some.push(input);
            if *bytes - begin > AT_ONCE || some.len() == FILES_AT_ONCE {
                break;
            }
        }
        let keeps = *bytes < KEPT;
        let files = some.into_par_iter().map(|input| File {
            path: repository::absolute(Path::new(&input.name)).ok(),
            is_named: input.is_named,
            kustomization: {
                let text = input.text.as_deref().ok();
                text.and_then(|text| Kustomization::of(Path::new(&input.name), text))
            },
            objects: self.read(input, keeps),
        });
        files.collect()
    }

    /// Returns the objects of one file, and the number of others.
    ///
    /// A file without manifests is an error only if it was named or all files must have manifests.
    fn read(&self, input: Input, keeps: bool) -> Result<FileObjects, SkippedFile> {
        let Input {
            name,
            text,
            is_named,
        } = input;
        let is_wanted = is_named || self.strict_files;
        let text = match text {
            Ok(text) => text,
            Err(unread @ (Unread::NoText(_) | Unread::Outside(_))) if !is_wanted => {
                let left = match unread {
                    Unread::Outside(_) => LeftFor::Outside,
                    _ => LeftFor::NoManifests,
                };
                let file = LeftOutFile {
                    file: name,
                    why: unread.why(),
                };
                return Err(SkippedFile { file, why: left });
            }
            Err(unread) => {
                return Ok(FileObjects {
                    subjects: vec![Subject::unreadable(&name, unread.why())],
                    ..FileObjects::default()
                });
            }
        };
        let held = subject::read(&name, text, keeps);
        if let Some(why) = held.subjects.iter().find_map(Subject::why_template)
            && !self.strict_files
        {
            return Err(SkippedFile {
                file: LeftOutFile { file: name, why },
                why: LeftFor::Template,
            });
        }
        match held.subjects.iter().find_map(Subject::why_no_manifest) {
            Some(why) if !is_wanted => Err(SkippedFile {
                file: LeftOutFile { file: name, why },
                why: LeftFor::NoManifests,
            }),
            _ => Ok(held),
        }
    }

    /// Reports whether the old state does not come from the garden.
    fn has_old_states(&self) -> bool {
        self.old.is_some() || self.git.is_some()
    }

    /// Reports whether standard output is for fixed objects and files.
    ///
    /// This requires a garden.
    fn prints_fixed(&self, is_known: bool) -> bool {
        is_known && !self.has_old_states() && self.outputs.prints_fixed()
    }

    /// Reads a garden directory, and applies manifests to existing objects.
    fn garden(
        &self,
        directory: &Path,
        namespace: Option<&str>,
        subjects: &mut [Subject],
    ) -> anyhow::Result<Snapshot> {
        let keys = subjects.iter().filter_map(Subject::key);
        let reading = Reading {
            wanted: Wanted {
                objects: keys.filter(|key| !key.kind.is_of_shoot_cluster()).collect(),
                kinds: Vec::new(),
            },
            is_whole: self.garden.is_whole,
        };
        let loaded = directory::load_with(directory, reading)?;
        garden::tell(directory, &loaded);
        if self.has_old_states() {
            change::note_drift(subjects, &loaded.kept);
            return Ok(loaded.snapshot);
        }
        let (kept, name) = (&loaded.kept, directory.display().to_string());
        change::apply(subjects, kept, &name)?;
        if self.outputs.fix {
            let apply = |again: &mut [Subject]| {
                subject::set_namespaces(again, namespace);
                change::apply(again, kept, &name)
            };
            versions::write_back(subjects, &self.paths, apply)?;
        }
        change::doubt(subjects, &loaded.snapshot);
        Ok(loaded.snapshot)
    }

    /// Returns the requesting user.
    ///
    /// A named user is in `system:authenticated`, as behind an API server. Without a named user, stored values contain
    /// a placeholder.
    fn applier<'a>(&self, live: Option<&'a Live>) -> Applier<'a> {
        let name = self.user.as_deref().unwrap_or("(the requesting user)");
        let standard = match self.user.as_deref() {
            None | Some("system:anonymous") => "system:unauthenticated",
            Some(_) => "system:authenticated",
        };
        let groups = self.groups.iter().map(String::as_str).chain([standard]);
        let user = UserInfo {
            username: name.to_owned(),
            groups: groups.map(str::to_owned).collect(),
            ..UserInfo::default()
        };
        Applier {
            user,
            is_named: self.user.is_some() || !self.groups.is_empty(),
            live,
        }
    }
}

/// Separates manifests from those that another program completes.
///
/// Returns one skipped file for each file and reason.
fn complete(
    subjects: Vec<Subject>,
    kustomizations: &Kustomizations,
) -> (Vec<Subject>, Vec<LeftOutFile>) {
    let mut left = BTreeSet::new();
    let mut complete = Vec::new();
    let mut place: Option<(Arc<str>, PathBuf)> = None;
    for subject in subjects {
        // Many objects may share a file.
        let (_, place) = match place.take().filter(|(file, _)| *file == subject.file) {
            Some(known) => place.insert(known),
            None => {
                let file = Path::new(&*subject.file);
                let at = repository::absolute(file).unwrap_or_else(|_| file.to_owned());
                place.insert((Arc::clone(&subject.file), at))
            }
        };
        let why = subject.why_placeholders();
        match why.or_else(|| kustomizations.why_left(&subject, place)) {
            Some(why) => {
                left.insert((subject.file.to_string(), why));
            }
            None => complete.push(subject),
        }
    }
    let left = left
        .into_iter()
        .map(|(file, why)| LeftOutFile { file, why });
    (complete, left.collect())
}

/// Rejects manifests without a namespace.
fn need_namespaces(subjects: &mut [Subject]) {
    for subject in subjects.iter_mut().filter(|it| it.lacks_namespace()) {
        subject.fails(
            "the manifest has no `metadata.namespace`, and `kubectl` uses that of its context; set it with --namespace NAME, or in the manifest".to_owned(),
        );
    }
}

/// Reports whether the commit to compare with has a path.
fn was_there(revision: Option<&Revision>, path: &Path) -> anyhow::Result<bool> {
    revision.map_or(Ok(false), |it| it.has(path))
}

/// Returns the objects of a file in its old state.
///
/// A file that cannot be parsed is excluded from the comparison.
fn before(input: Input, origin: &str) -> anyhow::Result<Vec<Subject>> {
    let Input {
        name,
        text,
        is_named,
    } = input;
    let why = match text {
        Ok(text) => {
            let FileObjects { subjects, .. } = subject::read(&name, text, false);
            match subjects.iter().find_map(Subject::why_unreadable) {
                None => return Ok(subjects),
                Some(why) => why,
            }
        }
        Err(unread) => unread.why(),
    };
    if is_named {
        bail!("cannot compare with `{name}`: {why}");
    }
    // Every repository has templates and similar files; the user can judge whether the message matters.
    note(format_args!(
        "warning: `{name}` in {origin} cannot be compared: {why}; its objects count as new"
    ));
    Ok(Vec::new())
}
