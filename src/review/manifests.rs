// SPDX-License-Identifier: Apache-2.0
//! Manifests under review, with the old state that they are compared with.

use std::collections::{HashMap, HashSet};
use std::fs;
use std::io;
use std::mem::take;
use std::path::{Path, PathBuf};

use anyhow::bail;
use rayon::prelude::*;

use super::git::Revision;
use super::ignored::Hiding;
use super::input::{self, Input, Unread};
use super::kustomize::{self, Kustomization, Kustomizations};
use super::notes::note;
use super::paths::PathRules;
use super::read_objects::ReadObjects;
use super::repository;
use super::surroundings::{Files, why_template};
use crate::files;
use garden_gate_core::garden::ObjectKey;
use garden_gate_core::garden::texts::mentioned;
use garden_gate_model::api::Kind;
use garden_gate_products::report::{ConfigFile, LeftOutFile, SkippedInput};
use garden_gate_products::review::change::{self, Age, Comparison};
use garden_gate_products::review::subject::{self, FileObjects, Subject};
use garden_gate_products::review::{Completion, OtherObjects, need_namespaces};

/// Number of bytes read after which parsed documents are no longer kept in memory.
const KEPT: usize = 1 << 20;
/// Maximum size and number of files that are read as one batch.
const AT_ONCE: usize = 8 << 20;
const FILES_AT_ONCE: usize = 1_000;

/// A file, with its objects or the reason why it is not judged.
struct File {
    name: String,
    /// The absolute path, if there is one.
    path: Option<PathBuf>,
    is_named: bool,
    kustomization: Option<Kustomization>,
    objects: Result<FileObjects, (LeftOutFile, LeftFor)>,
}

/// The reason why a file is not judged.
enum LeftFor {
    /// A symbolic link to a directory outside of the reviewed one.
    Outside,
    NoManifests,
}

impl LeftFor {
    /// Prints a note about a file that may contain objects of Gardener.
    fn note(&self, file: &LeftOutFile) {
        let LeftOutFile { file, why } = file;
        match self {
            LeftFor::Outside => note(format_args!("note: `{file}` is not read: {why}")),
            LeftFor::NoManifests => {}
        }
    }
}

/// The objects under review, with other relevant objects.
pub(crate) struct ChangedObjects {
    /// The changed objects, with old states that are not from the garden.
    pub(crate) subjects: Vec<Subject>,
    /// The unchanged objects.
    pub(crate) unchanged: Vec<Subject>,
    /// Other objects after the change.
    pub(crate) others: OtherObjects,
    /// The files of all objects.
    pub(crate) files: Vec<PathBuf>,
    /// Objects of which one state is in a file that cannot be read or is a template, with the reasons.
    pub(crate) unclear: HashMap<ObjectKey, String>,
}

/// The location of manifests and of their old state.
pub(crate) struct Manifests<'a> {
    /// Files and directories.
    pub(crate) paths: &'a [PathBuf],
    /// The file or directory with the old state.
    pub(crate) old: Option<&'a PathBuf>,
    /// The Git revision with the old state.
    pub(crate) git: Option<&'a str>,
    /// Garden directories, which are left out.
    pub(crate) gardens: &'a [PathBuf],
    /// Whether the configuration names the garden directory.
    pub(crate) is_garden_configured: bool,
    /// The namespace of manifests without one.
    pub(crate) namespace: Option<&'a str>,
    pub(crate) path_rules: &'a PathRules,
    /// Whether files without manifests in directories are errors.
    pub(crate) is_strict: bool,
}

/// Files of which not all objects are known, by their common names, with the reasons.
type UnclearFiles = HashMap<PathBuf, String>;

/// The objects of the old state.
struct OldObjects {
    subjects: Vec<Subject>,
    /// Objects in files whose new state is unclear, with the reasons. They may still exist.
    lost: Vec<(ObjectKey, String)>,
    /// The files whose old state is unclear.
    unclear: UnclearFiles,
}

/// The files of the state that manifests are compared with.
struct OldFiles {
    files: Vec<Input>,
    kustomizations: Kustomizations,
    /// The name of the directory or revision, for messages.
    origin: String,
}

impl Manifests<'_> {
    /// Returns the objects of all files, except those in garden directories inside of reviewed ones.
    ///
    /// # Errors
    /// Fails if a path or the old state cannot be read.
    pub(crate) fn read(
        &self,
        left_out: &mut SkippedInput,
        config: Option<&ConfigFile>,
    ) -> anyhow::Result<ChangedObjects> {
        // The revision is checked first, since reading may take long.
        let revision = self.revision(config)?;
        let paths = self.present(revision.as_ref())?;
        let mut files: Vec<PathBuf> = paths.iter().filter(|it| it.is_file()).cloned().collect();
        let mut read = self.read_new(&paths, left_out);
        files.append(&mut read.files);
        if let Some(revision) = &revision {
            let hiding = Hiding {
                revision,
                config,
                path_rules: self.path_rules,
                gardens: &self.gardens_inside(),
                is_garden_configured: self.is_garden_configured,
            };
            read.new.extend(hiding.subjects(&paths, &read.walked)?);
        }
        let is_change = self.old.is_some() || revision.is_some();
        let completion = Completion { namespace: self.namespace, is_change };
        self.complete(&mut read, completion, left_out);
        let mut unclear = HashMap::new();
        let (mut subjects, unchanged) = match self.old_state(revision.as_ref(), &read)? {
            Some(old) => {
                let origin = old.origin.clone();
                let old = self.old_subjects(old, &read, (completion, left_out))?;
                let place = |subject: &Subject, age| self.place(Path::new(&*subject.file), age);
                let Comparison { changed, unchanged, notes } =
                    change::compare(read.new, old.subjects, &origin, place)?;
                for it in &notes {
                    note(format_args!("note: {it}"));
                }
                for subject in changed.iter().filter(|it| it.is_new()) {
                    let why = old.unclear.get(&place(subject, Age::New));
                    unclear.extend(subject.key().zip(why.cloned()));
                }
                unclear.extend(old.lost);
                (changed, unchanged)
            }
            None => (read.new, Vec::new()),
        };
        need_namespaces(&mut subjects);
        left_out.unchanged = unchanged.len();
        Ok(ChangedObjects { subjects, unchanged, others: read.others, files, unclear })
    }

    /// Finds the revision with the old state, and prints a warning if the change contains the configuration.
    fn revision(&self, config: Option<&ConfigFile>) -> anyhow::Result<Option<Revision>> {
        let Some(revision) = self.git else {
            return Ok(None);
        };
        let at = self.paths.first().map_or(Path::new("."), PathBuf::as_path);
        let revision = Revision::find(at, revision)?;
        if let Some(config) = config
            && config.is_found
            && revision.has_other(Path::new(&config.path))?
        {
            note(format_args!(
                "warning: the configuration `{}` is part of this change; for a configuration that the change cannot modify, name one with --config, or use --no-config",
                config.path
            ));
        }
        Ok(Some(revision))
    }

    /// Reads the files at and below paths, and those that their kustomizations list.
    fn read_new(&self, paths: &[PathBuf], left_out: &mut SkippedInput) -> ReadObjects {
        let mut read = ReadObjects::default();
        read.kustomizations.extend_above(paths);
        let inputs = input::read(paths, self.gardens);
        self.read_all(inputs, &mut read, left_out);
        let mut listed = read.kustomizations.other_resources(paths);
        listed.retain(|it| !read.walked.contains(it));
        self.read_all(listed.iter().map(|it| input::listed(it)), &mut read, left_out);
        read
    }

    /// Completes the manifests, and leaves out those that another program completes.
    fn complete(
        &self,
        read: &mut ReadObjects,
        completion: Completion<'_>,
        left_out: &mut SkippedInput,
    ) {
        let (new, incomplete) =
            completion.apply(take(&mut read.new), &Files::new(Some(&read.kustomizations)));
        for file in incomplete {
            note(format_args!("note: `{}` {}", file.file, file.why));
            left_out.incomplete.push(file);
        }
        read.new = new;
        if let Some(namespace) = self.namespace {
            read.others.set_namespace(namespace);
        }
    }

    /// Returns the files of the old state; `None` if nothing is compared.
    fn old_state(
        &self,
        revision: Option<&Revision>,
        read: &ReadObjects,
    ) -> anyhow::Result<Option<OldFiles>> {
        let mut old = match (self.old, revision) {
            (Some(old), _) => self.old_files(old),
            (None, Some(revision)) => self.committed_files(revision, read)?,
            (None, None) => return Ok(None),
        };
        old.files.retain(|input| {
            let place = self.place(Path::new(&input.name), Age::Old);
            let place = match (self.old, self.paths.first()) {
                (Some(_), Some(path)) => repository::absolute(&path.join(place)),
                _ => Ok(place),
            };
            input.is_named || !place.is_ok_and(|it| self.path_rules.excludes(&it))
        });
        old.files.iter().for_each(|it| old.kustomizations.extend(kustomization(it)));
        Ok(Some(old))
    }

    /// Returns the files of `--old`, except those in garden directories.
    fn old_files(&self, old: &PathBuf) -> OldFiles {
        let paths = self.paths.iter();
        let inside = paths.flat_map(|it| input::inside(it, self.gardens));
        let except: Vec<PathBuf> = inside.map(|it| old.join(it)).collect();
        let paths = std::slice::from_ref(old);
        let mut kustomizations = Kustomizations::default();
        kustomizations.extend_above(paths);
        let files = input::read(paths, &except).collect();
        OldFiles { files, kustomizations, origin: old.display().to_string() }
    }

    /// Returns the files of a revision, except those in garden directories and those that are not read now.
    fn committed_files(&self, revision: &Revision, read: &ReadObjects) -> anyhow::Result<OldFiles> {
        let above: HashSet<PathBuf> = kustomize::above(self.paths).into_iter().collect();
        let paths: Vec<PathBuf> = above.iter().cloned().collect();
        let above = revision.files(&paths, &above)?;
        let mut kustomizations = Kustomizations::default();
        kustomizations.extend(above.iter().filter_map(kustomization));
        let mut files = revision.files(self.paths, &read.walked)?;
        let except = self.gardens_inside();
        let is_left = |name: &str| {
            let path = repository::absolute(Path::new(name));
            path.is_ok_and(|it| except.iter().any(|garden| it.starts_with(garden)))
        };
        files.retain(|file| !is_left(&file.name));
        Ok(OldFiles { files, kustomizations, origin: revision.name.clone() })
    }

    /// Returns the objects of the old state, without those that may still be in a file that is not read, or in a template.
    fn old_subjects(
        &self,
        old: OldFiles,
        read: &ReadObjects,
        (completion, left_out): (Completion<'_>, &SkippedInput),
    ) -> anyhow::Result<OldObjects> {
        let (mut subjects, mut unclear) = (Vec::new(), UnclearFiles::new());
        for input in old.files {
            let place = self.place(Path::new(&input.name), Age::Old);
            let (mut of_file, why) = before(input, &old.origin)?;
            subjects.append(&mut of_file);
            unclear.extend(why.map(|it| (place, it)));
        }
        let (subjects, incomplete) =
            completion.apply(subjects, &Files::new(Some(&old.kustomizations)));
        unclear.extend(incomplete.iter().map(|it| self.unclear(it, Age::Old)));
        let keys: HashSet<_> = read.new.iter().filter_map(Subject::key).collect();
        let now = self.unclear_now(read, left_out);
        let (mut kept, mut lost) = (Vec::new(), Vec::new());
        for subject in subjects {
            let why = now.get(&self.place(Path::new(&*subject.file), Age::Old));
            match (subject.key().filter(|it| !keys.contains(it)), why) {
                (Some(key), Some(why)) => lost.push((key, format!("it may still exist: {why}"))),
                (None, Some(_)) if subject.key().is_none() => {}
                _ => kept.push(subject),
            }
        }
        Ok(OldObjects { subjects: kept, lost, unclear })
    }

    /// Returns the files of which not all objects are known after the change.
    fn unclear_now(&self, read: &ReadObjects, left_out: &SkippedInput) -> UnclearFiles {
        let is_open = |it: &&LeftOutFile| {
            let has_others = read.new.iter().any(|subject| *subject.file == *it.file);
            !has_others || read.partial.contains(&it.file)
        };
        let left_out = left_out.files.iter().chain(left_out.incomplete.iter().filter(is_open));
        let mut unclear: UnclearFiles = left_out.map(|it| self.unclear(it, Age::New)).collect();
        for subject in &read.new {
            let file = subject.why_unreadable();
            let file = file.map(|why| LeftOutFile { file: subject.file.to_string(), why });
            unclear.extend(file.map(|it| self.unclear(&it, Age::New)));
        }
        unclear
    }

    /// Returns the common name of a file, and why not all of its objects are known.
    fn unclear(&self, file: &LeftOutFile, age: Age) -> (PathBuf, String) {
        let LeftOutFile { file, why } = file;
        (self.place(Path::new(file), age), format!("`{file}`: {why}"))
    }

    /// Returns the path of a manifest's file in terms that are common to both states of a change.
    fn place(&self, file: &Path, age: Age) -> PathBuf {
        let roots = match (age, self.old) {
            (_, None) => {
                return repository::absolute(file).unwrap_or_else(|_| file.to_owned());
            }
            (Age::New, Some(_)) => self.paths,
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
    fn gardens_inside(&self) -> Vec<PathBuf> {
        let inside = self.paths.iter().flat_map(|path| {
            let inside = input::inside(path, self.gardens).into_iter();
            inside.filter_map(|it| repository::absolute(&path.join(it)).ok())
        });
        inside.collect()
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
        for path in self.paths {
            let is_stream = path == Path::new("-") || files::is_passed_descriptor(path);
            let error = match fs::metadata(path) {
                _ if is_stream => None,
                Ok(it) if it.is_dir() => fs::read_dir(path).err(),
                Ok(it) if it.is_file() => files::open_regular(path).err(),
                Ok(_) => None,
                Err(error) => Some(error),
            };
            match error {
                None => present.push(path.clone()),
                Some(error)
                    if error.kind() == io::ErrorKind::NotFound
                        && revision.map_or(Ok(false), |it| it.has(path))? => {}
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
        if problems.is_empty() { Ok(present) } else { bail!("{}", problems.join("; ")) }
    }

    /// Reads files, and adds those that are not judged to `left_out`.
    fn read_all(
        &self,
        inputs: impl Iterator<Item = Input>,
        read: &mut ReadObjects,
        left_out: &mut SkippedInput,
    ) {
        let mut inputs = inputs.peekable();
        let mut bytes = 0;
        while inputs.peek().is_some() {
            for file in self.read_some(&mut inputs, &mut bytes) {
                let is_excluded = |it: &PathBuf| !file.is_named && self.path_rules.excludes(it);
                if file.path.as_ref().is_some_and(is_excluded) {
                    continue;
                }
                read.walked.extend(file.path.clone());
                let left = file.kustomization.as_ref();
                if let Some((name, why)) = left.and_then(|it| Some((&file.name, it.why_left()?))) {
                    note(format_args!("note: `{name}` {why}"));
                    let file = name.clone();
                    left_out.incomplete.push(LeftOutFile { file, why });
                }
                read.kustomizations.extend(file.kustomization);
                match file.objects {
                    Ok(mut held) => {
                        if let Some(placeholder) = held.template.take() {
                            let why = why_template(&file.name, placeholder);
                            note(format_args!("note: `{}` {why}", file.name));
                            let file = file.name;
                            read.partial.insert(file.clone());
                            left_out.incomplete.push(LeftOutFile { file, why });
                        }
                        read.add(file.path, held, left_out);
                    }
                    Err((skipped, left_for)) => {
                        left_for.note(&skipped);
                        left_out.files.push(skipped);
                    }
                }
            }
        }
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
            name: input.name.clone(),
            path: match &input.text {
                // A link that is not followed is unknown itself.
                Err(Unread::Closed(_)) => repository::absolute_entry(Path::new(&input.name)).ok(),
                _ => repository::absolute(Path::new(&input.name)).ok(),
            },
            is_named: input.is_named,
            kustomization: kustomization(&input),
            objects: self.objects(input, keeps),
        });
        files.collect()
    }

    /// Returns the objects of one file, and the number of others.
    ///
    /// A file without manifests is an error only if it was named or all files must have manifests.
    fn objects(&self, input: Input, keeps: bool) -> Result<FileObjects, (LeftOutFile, LeftFor)> {
        let is_quiet = input.is_quiet && !input.is_named;
        let is_wanted = input.is_named || self.is_strict && !is_quiet;
        let file = input.name;
        let text = match input.text {
            // NUL is not allowed in YAML and JSON.
            Ok(text) if is_quiet && text.contains('\0') => return Ok(FileObjects::default()),
            Ok(text) => text,
            Err(Unread::Outside(why)) if !is_wanted => {
                return Err((LeftOutFile { file, why }, LeftFor::Outside));
            }
            Err(Unread::NoText(_, text)) if is_quiet && !mentions_judged(&text) => {
                return Ok(FileObjects::default());
            }
            Err(Unread::NoText(why, text)) if !is_wanted && !mentions_judged(&text) => {
                return Err((LeftOutFile { file, why }, LeftFor::NoManifests));
            }
            Err(unread) => {
                return Ok(FileObjects {
                    subjects: vec![Subject::unreadable(&file, unread.why())],
                    ..FileObjects::default()
                });
            }
        };
        let mut held = subject::read(&file, text, keeps);
        if !self.is_strict {
            held.leave_templates();
        }
        if is_quiet && held.subjects.is_empty() {
            held.others = 0;
        }
        match held.subjects.iter().find_map(Subject::why_no_manifest) {
            Some(_) if is_quiet => Ok(FileObjects::default()),
            Some(why) if !is_wanted => Err((LeftOutFile { file, why }, LeftFor::NoManifests)),
            _ => Ok(held),
        }
    }
}

/// Reports whether a file that is not UTF-8 may contain a judged object, which `kubectl` reads all the same.
fn mentions_judged(text: &str) -> bool {
    // NUL is not allowed in YAML and JSON.
    !text.contains('\0') && mentioned(text).into_iter().any(Kind::is_judged)
}

/// Returns the kustomization in a file.
fn kustomization(input: &Input) -> Option<Kustomization> {
    Kustomization::of(Path::new(&input.name), input.text.as_deref().ok()?)
}

/// Returns the objects of a file in its old state, and why they may not be all.
///
/// A file that cannot be parsed is left out of the comparison.
pub(crate) fn before(input: Input, origin: &str) -> anyhow::Result<(Vec<Subject>, Option<String>)> {
    let (name, is_quiet) = (input.name, input.is_quiet);
    let why = match input.text {
        Ok(text) => {
            let mut held = subject::read(&name, text, false);
            held.leave_templates();
            let subjects = held.subjects;
            let template = held.template.map(|it| why_template(&name, it));
            let template = template.map(|why| uncompared(&name, origin, &why));
            if is_quiet && subjects.iter().any(|it| it.why_no_manifest().is_some()) {
                return Ok((Vec::new(), template));
            }
            match subjects.iter().find_map(Subject::why_unreadable) {
                None => return Ok((subjects, template)),
                Some(why) => why,
            }
        }
        Err(Unread::NoText(_, text)) if is_quiet && !mentions_judged(&text) => {
            return Ok((Vec::new(), None));
        }
        Err(unread) => unread.why(),
    };
    if input.is_named {
        bail!("cannot compare with `{name}`: {why}");
    }
    Ok((Vec::new(), Some(uncompared(&name, origin, &why))))
}

/// Prints a warning about a file in its old state, and returns why its objects are not known.
///
/// Every repository has templates and similar files; the user can judge whether the message matters.
fn uncompared(name: &str, origin: &str, why: &str) -> String {
    let what = format!("`{name}` in {origin} cannot be compared: {why}");
    note(format_args!("warning: {what}; its objects count as new"));
    what
}
