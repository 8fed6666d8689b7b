// SPDX-License-Identifier: Apache-2.0
//! The state of a session: open documents, the workspace and the garden; and the verdicts about them.

use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::hash::{DefaultHasher, Hash as _, Hasher as _};
use std::path::{Path, PathBuf};

use gen_lsp_types::{
    Diagnostic, DiagnosticSeverity, DidChangeTextDocumentParams, InitializeParams,
    PublishDiagnosticsParams, TextDocumentContentChangeEvent, TextDocumentItem, Uri,
    WorkspaceFolders,
};
use jiff::Timestamp;
use serde_json::Value;

use super::diagnostics::diagnostics;
use super::document::{OpenDocument, plain};
use super::garden::{DirectorySource, Garden, GardenSource, NAME_IT};
use super::source::{Encoding, SourceText};
use super::uri;
use super::workspace::Workspace;
use crate::config_files;
use crate::review::kustomize::Kustomizations;
use crate::review::notes::note;
use crate::review::paths::PathRules;
use crate::review::repository::absolute;
use crate::review::surroundings::{Files, why_template};
use garden_gate_core::admission::World;
use garden_gate_core::config::{Checked, Config, ReviewDefaults};
use garden_gate_core::garden::{Knowledge, ObjectKey, Snapshot};
use garden_gate_core::rules;
use garden_gate_model::api::{Described, Kind, Kinds, ShootName};
use garden_gate_products::editor::View;
use garden_gate_products::report::{LeftOutFile, Outcome, Reviewed};
use garden_gate_products::review::change::{self, Age, Comparison};
use garden_gate_products::review::change_set::{self, Applier, ChangeSet, ReviewOptions};
use garden_gate_products::review::{
    Completion, OtherObjects, Subject, duplicates, need_namespaces,
};
use garden_gate_text::escape;

/// Options of a session, from the command line.
pub(crate) struct Options<'a> {
    /// Loads the configuration for a directory.
    pub(crate) load: &'a dyn Fn(&Path) -> anyhow::Result<Checked>,
    /// Sets the levels of the command line, which take precedence over those of files.
    pub(crate) adjust: &'a dyn Fn(&mut Config) -> anyhow::Result<()>,
    /// The garden; `None` for that of the configuration.
    pub(crate) garden: Option<GardenSource>,
    /// Whether the garden directory of the configuration is declared to be complete.
    pub(crate) is_whole: bool,
    /// The requesting user.
    pub(crate) applier: &'a Applier<'a>,
    /// The namespace of manifests without one.
    pub(crate) namespace: Option<String>,
    /// The Git revision with the old state; `None` for `HEAD`, if there is a repository.
    pub(crate) revision: Option<String>,
    /// The time of verdicts; `None` for the current time.
    pub(crate) at: Option<Timestamp>,
}

/// The state of a session.
pub(super) struct Session<'a> {
    options: &'a Options<'a>,
    pub(super) encoding: Encoding,
    /// Whether the client opens URLs.
    pub(super) opens_urls: bool,
    /// Whether the client can report changed files.
    pub(super) watches_files: bool,
    roots: Vec<PathBuf>,
    documents: BTreeMap<String, OpenDocument>,
    workspace: Workspace,
    checked: Checked,
    path_rules: Option<PathRules>,
    /// The garden; `None` until it has been read.
    garden: Option<Garden>,
    is_reading: bool,
    /// Whether the garden must be read again after the current read.
    is_read_late: bool,
    disk: Option<Disk>,
    set: Option<JudgedSet>,
    /// The documents to judge, next first.
    queue: VecDeque<String>,
    verdicts: HashMap<String, Verdict>,
    /// The number of changes of configuration, garden and old state.
    generation: u64,
    /// Messages for the client's log.
    pub(super) messages: Vec<String>,
}

/// Objects of files that are not open.
struct Disk {
    subjects: Vec<Subject>,
    others: OtherObjects,
    kustomizations: Kustomizations,
}

/// The objects of all files.
struct SessionObjects<'s> {
    /// The objects that can be judged.
    new: Vec<Subject>,
    others: OtherObjects,
    /// The names of open documents that are judged.
    names: HashSet<&'s str>,
    /// The reasons why files are not judged.
    left: HashMap<String, String>,
}

/// All changes of the workspace as a set.
struct JudgedSet {
    set: ChangeSet,
    /// The objects of open documents.
    subjects: Vec<Subject>,
    /// The garden with objects that are not judged.
    garden: Snapshot,
    /// The garden with all changes.
    whole: Snapshot,
    config: Config,
    /// The digests of all changes of a kind.
    digests: BTreeMap<Kind, u64>,
    /// The reasons why files are not judged.
    left: HashMap<String, String>,
}

/// The verdicts about the objects of a document, and the state that they depend on.
pub(super) struct Verdict {
    generation: u64,
    edits: u64,
    looked_up: Kinds,
    digests: BTreeMap<Kind, u64>,
    copies: String,
    pub(super) objects: Vec<(Subject, Reviewed)>,
    published: Vec<Diagnostic>,
}

impl Verdict {
    /// Reports whether the changes of all looked up kinds are the same as those that were judged.
    fn depends_only_on(&self, digests: &BTreeMap<Kind, u64>) -> bool {
        let mut kinds = self.digests.keys().chain(digests.keys());
        kinds.all(|kind| {
            !self.looked_up.contains(*kind) || self.digests.get(kind) == digests.get(kind)
        })
    }
}

/// A read of the garden, for another thread.
pub(super) struct GardenRead {
    source: GardenSource,
    stamp: Option<u64>,
    subjects: Vec<Subject>,
    config: Config,
}

impl GardenRead {
    pub(super) fn run(self) -> anyhow::Result<Option<Box<Garden>>> {
        let garden = self.source.read(self.stamp, self.subjects, &self.config)?;
        Ok(garden.map(Box::new))
    }
}

impl<'a> Session<'a> {
    pub(super) fn new(options: &'a Options<'a>, params: &InitializeParams) -> Self {
        let capabilities = &params.capabilities;
        let offered = capabilities.general.as_ref().and_then(|it| it.position_encodings.as_ref());
        let window = capabilities.window.as_ref();
        let workspace = capabilities.workspace.as_ref();
        let watched = workspace.and_then(|it| it.did_change_watched_files.as_ref());
        let shows = window.and_then(|it| it.show_document.as_ref());
        Self {
            options,
            encoding: offered.map_or(Encoding::Utf16, |it| Encoding::select(it)),
            watches_files: watched.and_then(|it| it.dynamic_registration) == Some(true),
            opens_urls: shows.is_some_and(|it| it.support),
            roots: roots(params).into_iter().filter_map(|it| absolute(&it).ok()).collect(),
            documents: BTreeMap::new(),
            workspace: Workspace::default(),
            checked: Checked::default(),
            path_rules: None,
            garden: None,
            is_reading: false,
            is_read_late: false,
            disk: None,
            set: None,
            queue: VecDeque::new(),
            verdicts: HashMap::new(),
            generation: 0,
            messages: Vec::new(),
        }
    }

    /// Returns the configured template of the pages of rules.
    pub(super) fn rule_url(&self) -> Option<&str> {
        self.checked.review.rule_url.as_deref()
    }

    pub(super) fn document(&self, uri: &Uri) -> Option<&OpenDocument> {
        self.documents.get(&uri.0)
    }

    /// Returns the verdicts about the current text of a document.
    pub(super) fn verdict(&self, document: &OpenDocument) -> Option<&Verdict> {
        let verdict = self.verdicts.get(&document.uri.0)?;
        (verdict.edits == document.edits).then_some(verdict)
    }

    /// Reads the configuration, the files of the workspace, and the old state.
    pub(super) fn refresh(&mut self) {
        let first = self.documents.values().find_map(|it| it.path.as_deref());
        let place =
            self.roots.first().map(PathBuf::as_path).or(first).unwrap_or(Path::new(".")).to_owned();
        match (self.options.load)(&place).and_then(|it| Ok((PathRules::new(&it.review)?, it))) {
            Ok((path_rules, checked)) => {
                let is_same = self.path_rules.is_some()
                    && self.checked.review == checked.review
                    && self.checked.config == checked.config;
                self.generation += u64::from(!is_same);
                self.checked = checked;
                self.path_rules = Some(path_rules);
            }
            Err(error) => {
                self.messages.push(format!("the configuration is not used: {error:#}"));
                if self.path_rules.is_none() {
                    self.path_rules = PathRules::new(&ReviewDefaults::default()).ok();
                }
            }
        }
        if let Err(why) = config_files::garden(&self.checked.review)
            && self.options.garden.is_none()
        {
            self.messages.push(format!("the garden is not read: {why}; {NAME_IT}"));
        }
        let gardens: Vec<PathBuf> = match self.source() {
            GardenSource::Directory(directory) => vec![directory.path],
            GardenSource::Nothing | GardenSource::Live(_) => Vec::new(),
        };
        let open: Vec<PathBuf> = self.documents.values().filter_map(|it| it.path.clone()).collect();
        let revision = self.options.revision.as_deref();
        let git = (revision.unwrap_or("HEAD.."), revision.is_some());
        if self.workspace.refresh((&self.roots, &open), &gardens, git) {
            self.generation += 1;
        }
        self.messages.append(&mut self.workspace.problems);
        self.disk = None;
        self.set = None;
    }

    fn source(&self) -> GardenSource {
        let review = &self.checked.review;
        let configured = || match config_files::garden(review) {
            Ok(Some(path)) => GardenSource::Directory(DirectorySource {
                path: path.clone(),
                is_whole: self.options.is_whole,
                is_of_workspace: review.tree.is_some(),
            }),
            Ok(None) | Err(_) => GardenSource::Nothing,
        };
        self.options.garden.clone().unwrap_or_else(configured)
    }

    /// Returns a read of the garden, unless one is running.
    pub(super) fn garden_read(&mut self) -> Option<GardenRead> {
        if self.is_reading {
            self.is_read_late = true;
            return None;
        }
        self.is_reading = true;
        let open: Vec<Subject> =
            self.documents.values().flat_map(|it| it.objects.subjects.iter()).cloned().collect();
        let mut subjects = self.disk().subjects.clone();
        subjects.extend(self.complete(open).0);
        Some(GardenRead {
            source: self.source(),
            stamp: self.garden.as_ref().map(|it| it.stamp),
            subjects,
            config: self.checked.config.clone(),
        })
    }

    /// Reports whether a new document may need its old state from Git or from a cluster.
    pub(super) fn needs_refresh(&self) -> bool {
        self.roots.is_empty() || self.is_live()
    }

    pub(super) fn is_live(&self) -> bool {
        matches!(self.source(), GardenSource::Live(_))
    }

    /// Replaces the garden by the result of a read, and returns whether it must be read again.
    pub(super) fn take_garden(&mut self, read: anyhow::Result<Option<Box<Garden>>>) -> bool {
        self.is_reading = false;
        let is_late = std::mem::take(&mut self.is_read_late);
        match read {
            Ok(None) => return is_late,
            Ok(Some(garden)) => {
                self.messages.extend(garden.problem.clone());
                self.garden = Some(*garden);
            }
            Err(error) => {
                self.messages.push(format!("the garden is unknown: {error:#}"));
                if self.garden.is_some() {
                    return false;
                }
                self.garden = Some(Garden {
                    snapshot: Snapshot::new(Knowledge::Nothing),
                    ..Garden::default()
                });
            }
        }
        self.generation += 1;
        self.set = None;
        is_late
    }

    pub(super) fn open(&mut self, item: TextDocumentItem) {
        let path = uri::path(&item.uri).and_then(|it| absolute(&it).ok());
        let source = SourceText::new(item.text, self.encoding);
        let key = item.uri.0.clone();
        let document = OpenDocument::new(item.uri, path, item.version, source);
        self.documents.insert(key.clone(), document);
        self.verdicts.remove(&key);
        self.disk = None;
        self.edited(key);
    }

    /// Applies the edits of a document.
    pub(super) fn change(&mut self, params: DidChangeTextDocumentParams) {
        let key = params.text_document.text_document_identifier.uri.0;
        let Some(document) = self.documents.get_mut(&key) else {
            return;
        };
        for change in params.content_changes {
            match change {
                TextDocumentContentChangeEvent::TextDocumentContentChangePartial(it) => {
                    document.source.edit(Some(it.range), it.text);
                }
                TextDocumentContentChangeEvent::TextDocumentContentChangeWholeDocument(it) => {
                    document.source.edit(None, it.text);
                }
            }
        }
        document.version = params.text_document.version;
        document.edits += 1;
        document.is_parsed = false;
        self.edited(key);
    }

    fn edited(&mut self, key: String) {
        self.set = None;
        self.queue.retain(|it| *it != key);
        self.queue.push_front(key);
    }

    /// Closes a document, and returns the removal of its diagnostics.
    pub(super) fn close(&mut self, uri: &Uri) -> Option<PublishDiagnosticsParams> {
        let document = self.documents.remove(&uri.0)?;
        self.queue.retain(|it| *it != uri.0);
        self.disk = None;
        self.set = None;
        self.verdicts.remove(&uri.0);
        document.was_published.then(|| PublishDiagnosticsParams {
            uri: document.uri,
            version: None,
            diagnostics: Vec::new(),
        })
    }

    /// Judges the next document whose verdict may have changed, and returns its diagnostics if they have.
    ///
    /// Returns `None` if no document is left. No document is judged before the garden has been read.
    pub(super) fn judge_next(&mut self) -> Option<Option<PublishDiagnosticsParams>> {
        self.garden.as_ref()?;
        self.ensure_set();
        let key = self.queue.pop_front()?;
        Some(self.judge(&key))
    }

    /// Judges a document; `None` if its diagnostics are as before.
    fn judge(&mut self, key: &str) -> Option<PublishDiagnosticsParams> {
        let (Some(document), Some(set)) = (self.documents.get(key), &self.set) else {
            return None;
        };
        let own: Vec<Subject> =
            set.subjects.iter().filter(|it| *it.file == *document.name).cloned().collect();
        let judged = self.reviews(&own, set);
        let found = self.diagnostics_of(document, &own, &judged, set);
        let looked_up = judged.iter().fold(Kinds::default(), |kinds, it| match &it.outcome {
            Outcome::Judged(review, _) => kinds.union(review.looked_up),
            Outcome::Unreadable(..) => kinds,
        });
        let verdict = Verdict {
            generation: self.generation,
            edits: document.edits,
            looked_up,
            digests: set.digests.clone(),
            copies: copies(&own),
            objects: own.into_iter().zip(judged).collect(),
            published: found.clone(),
        };
        let before = self.verdicts.insert(key.to_owned(), verdict);
        let document = self.documents.get_mut(key)?;
        if document.broken.is_empty() {
            document.last = Some((document.source.clone(), found.clone()));
        }
        let is_same = before.is_some_and(|it| it.edits == document.edits && it.published == found);
        let is_new_without_any = !document.is_relevant() && !document.was_published;
        if is_same || is_new_without_any {
            return None;
        }
        document.was_published = true;
        Some(PublishDiagnosticsParams {
            uri: document.uri.clone(),
            version: Some(document.version),
            diagnostics: found,
        })
    }

    /// Judges objects of the set.
    fn reviews(&self, subjects: &[Subject], set: &JudgedSet) -> Vec<Reviewed> {
        let adjust = |config: &mut Config| (self.options.adjust)(config);
        let rules = self.path_rules.as_ref();
        let configs = rules.map(|it| it.configs(subjects, (&set.config, adjust)));
        let telling = ReviewOptions {
            configs: configs.and_then(Result::ok).unwrap_or_default(),
            ..ReviewOptions::default()
        };
        let world = World {
            rules: rules::ALL.into(),
            garden: &set.garden,
            config: &set.config,
            now: self.now(),
        };
        set.set.judge((subjects, &set.whole), self.options.applier, &world, &telling)
    }

    /// Returns the diagnostics of a document with the results about its objects.
    fn diagnostics_of(
        &self,
        document: &OpenDocument,
        own: &[Subject],
        judged: &[Reviewed],
        set: &JudgedSet,
    ) -> Vec<Diagnostic> {
        if self.is_excluded(document) {
            return Vec::new();
        }
        let mut found = document.errors();
        for (subject, object) in own.iter().zip(judged) {
            if let Some(placeholder) = object.template {
                found.push(left_out(document, &why_template(&object.file, placeholder)));
                continue;
            }
            if subject.exists_after() {
                found.extend(diagnostics(&document.source, object, self.rule_url()));
            } else {
                found.extend(removal(&document.source, object, self.rule_url()));
            }
        }
        found.extend(document.carried());
        if let Some(why) = set.left.get(&document.name) {
            found.push(left_out(document, why));
        }
        found
    }

    pub(super) fn now(&self) -> Timestamp {
        self.options.at.unwrap_or_else(Timestamp::now)
    }

    fn is_excluded(&self, document: &OpenDocument) -> bool {
        let rules = self.path_rules.as_ref().zip(document.path.as_ref());
        rules.is_some_and(|(rules, path)| rules.excludes(path))
    }

    fn disk(&mut self) -> &Disk {
        let open: HashSet<&Path> =
            self.documents.values().filter_map(|it| it.path.as_deref()).collect();
        let completion =
            Completion { namespace: self.options.namespace.as_deref(), is_change: false };
        let (workspace, roots, rules) = (&self.workspace, &self.roots, &self.path_rules);
        let is_excluded = |it: &Path| rules.as_ref().is_some_and(|rules| rules.excludes(it));
        self.disk.get_or_insert_with(|| {
            let kustomizations = workspace.kustomizations(roots);
            let (mut subjects, mut others) = (Vec::new(), OtherObjects::default());
            for objects in workspace.objects(|it| !open.contains(it) && !is_excluded(it)) {
                subjects.extend(objects.subjects.iter().cloned());
                others.add(objects);
            }
            let (subjects, _) = completion.apply(subjects, &Files::new(Some(&kustomizations)));
            Disk { subjects, others, kustomizations }
        })
    }

    /// Completes manifests; returns the skipped files, too.
    fn complete(&self, subjects: Vec<Subject>) -> (Vec<Subject>, Vec<LeftOutFile>) {
        let kustomizations = self.disk.as_ref().map(|it| &it.kustomizations);
        let completion =
            Completion { namespace: self.options.namespace.as_deref(), is_change: false };
        completion.apply(subjects, &Files::new(kustomizations))
    }

    /// Compares all objects with their old states, and queues the documents whose verdicts may have changed.
    fn ensure_set(&mut self) {
        if self.set.is_some() {
            return;
        }
        for document in self.documents.values_mut().filter(|it| !it.is_parsed) {
            document.parse();
        }
        self.disk();
        let set = self.assemble();
        let mut by_file: HashMap<&str, Vec<&Subject>> = HashMap::new();
        for subject in &set.subjects {
            by_file.entry(&subject.file).or_default().push(subject);
        }
        let queued: HashSet<String> = self.queue.iter().cloned().collect();
        for (key, document) in &self.documents {
            let own = by_file.get(document.name.as_str());
            let is_current = self.verdicts.get(key).is_some_and(|it| {
                it.edits == document.edits
                    && it.generation == self.generation
                    && it.depends_only_on(&set.digests)
                    && it.copies == copies(own.into_iter().flatten().copied())
            });
            if !is_current && !queued.contains(key) {
                self.queue.push_back(key.clone());
            }
        }
        self.set = Some(set);
    }

    fn assemble(&self) -> JudgedSet {
        let SessionObjects { new, others, names, left } = self.gather();
        let none = Garden::default();
        let garden = self.garden.as_ref().unwrap_or(&none);
        let (mut changed, mut unchanged) = self.compare(new);
        apply(&mut changed, garden);
        need_namespaces(&mut changed);
        duplicates::note(&mut changed, &unchanged);
        let mut base = others.applied_to(&garden.snapshot);
        if base.knowledge() == Knowledge::Nothing {
            base = change_set::with_unchanged(&base, &mut unchanged);
        }
        let digests = digests(&changed);
        let set = ChangeSet::of(&mut changed);
        let is_open = |it: &Subject| names.contains(&*it.file);
        let unchanged = unchanged.into_iter().filter(is_open).map(|it| self.without_changes(it));
        let open = changed.into_iter().filter(is_open);
        let kept: HashSet<ObjectKey> =
            self.documents.values().flat_map(|it| &it.kept).filter_map(Subject::key).collect();
        let is_current = |it: &Subject| it.key().is_none_or(|key| !kept.contains(&key));
        let subjects = open.chain(unchanged).filter(is_current).collect();
        let mut config = self.checked.config.clone();
        let published = garden.snapshot.published_version().ok().flatten();
        config.set_garden_version(published.map(|it| it.version));
        JudgedSet {
            whole: set.applied_to(&base),
            set,
            subjects,
            garden: base,
            config,
            digests,
            left,
        }
    }

    /// Returns the objects of all files, as open documents have them.
    fn gather(&self) -> SessionObjects<'_> {
        let mut left = HashMap::new();
        let (mut new, mut others) = match &self.disk {
            Some(disk) => (disk.subjects.clone(), disk.others.clone()),
            None => Default::default(),
        };
        let mut names = HashSet::new();
        for document in self.documents.values().filter(|it| !self.is_excluded(it)) {
            let own = document.objects.subjects.iter().chain(&document.kept).cloned();
            let (own, incomplete) = self.complete(own.collect());
            left.extend(incomplete.into_iter().map(|it| (it.file, it.why)));
            names.insert(document.name.as_str());
            new.extend(own);
            others.add(&document.objects);
        }
        if let Some(namespace) = self.options.namespace.as_deref() {
            others.set_namespace(namespace);
        }
        SessionObjects { new, others, names, left }
    }

    /// Compares objects with their old states; returns the changed and the unchanged ones.
    fn compare(&self, new: Vec<Subject>) -> (Vec<Subject>, Vec<Subject>) {
        let Some((old, origin)) = self.workspace.old() else {
            return (new, Vec::new());
        };
        // An object that cannot be parsed may still exist.
        let documents = self.documents.values();
        let broken: HashSet<&str> = documents
            .filter(|it| !it.broken.is_empty() || it.skipped.is_some())
            .map(|it| it.name.as_str())
            .collect();
        let keys: HashSet<Option<ObjectKey>> =
            if broken.is_empty() { HashSet::new() } else { new.iter().map(Subject::key).collect() };
        let stays = |it: &&Subject| !broken.contains(&*it.file) || keys.contains(&it.key());
        let (old, _) = self.complete(old.iter().filter(stays).cloned().collect());
        let place = |subject: &Subject, _: Age| {
            let file = Path::new(&*subject.file);
            absolute(file).unwrap_or_else(|_| file.to_owned())
        };
        let Comparison { changed, unchanged, notes } =
            change::compare(new, old, origin, place).unwrap_or_default();
        for it in &notes {
            note(format_args!("note: {it}"));
        }
        (changed, unchanged)
    }

    /// Returns an unchanged object as an update without changes, about which its verdict is.
    fn without_changes(&self, mut subject: Subject) -> Subject {
        let origin = self.workspace.old().map_or("", |(_, origin)| origin);
        let same = subject.clone();
        // An object that was parsed can be serialized.
        let _ = subject.replaces(&same, origin);
        subject
    }

    /// Calls `look` with the state that a document at an offset depends on; `None` for another kind.
    pub(super) fn with_view<T>(
        &mut self,
        uri: &Uri,
        offset: usize,
        look: impl FnOnce(&Self, &OpenDocument, Option<&View<'_>>) -> T,
    ) -> Option<T> {
        self.ensure_set();
        let document = self.documents.get(&uri.0)?;
        let part = document.part_at(offset);
        let found: Option<(&Described, Value)> = document.object(&part, offset);
        let set = self.set.as_ref()?;
        let view = found.as_ref().map(|(kind, object)| View {
            kind,
            object,
            garden: &set.whole,
            now: self.now(),
            version: set.config.judged_as().version,
            namespace: self.options.namespace.as_deref().unwrap_or_default(),
        });
        Some(look(self, document, view.as_ref()))
    }

    pub(super) fn documents(&self) -> impl Iterator<Item = &OpenDocument> {
        self.documents.values()
    }

    pub(super) fn workspace(&self) -> &Workspace {
        &self.workspace
    }

    pub(super) fn garden(&self) -> Option<&Garden> {
        self.garden.as_ref()
    }
}

/// Applies manifests to the objects of the garden.
fn apply(subjects: &mut [Subject], garden: &Garden) {
    let keys = subjects.iter().filter_map(Subject::key).filter(|it| !it.kind.is_of_shoot_cluster());
    let lacking = keys.filter(|it| !garden.stored.contains_key(it) && exists(&garden.snapshot, it));
    let found = garden.find_all(lacking.collect());
    for stored in [&garden.stored, &found] {
        // An object that was parsed can be serialized.
        let _ = change::apply(subjects, stored, &garden.name);
    }
    for subject in subjects.iter_mut().filter(|it| it.is_new()) {
        let key = subject.key();
        if let Some((key, why)) = key.and_then(|it| garden.unknown.get_key_value(&it)) {
            subject.fails(format!("whether there is {key} already is not known: {why}"));
        }
    }
    change::doubt(subjects, &garden.snapshot);
}

/// Returns the diagnostic of a document that another program completes.
fn left_out(document: &OpenDocument, why: &str) -> Diagnostic {
    let message = format!("the document {}", escape::value(why));
    plain(document.source.range(0..0), DiagnosticSeverity::Information, message)
}

/// Returns the folders of the workspace.
#[expect(deprecated, reason = "clients without workspace folders send the root")]
fn roots(params: &InitializeParams) -> Vec<PathBuf> {
    let folders = &params.workspace_folders_initialize_params.workspace_folders;
    let roots: Vec<&Uri> = match folders {
        Some(WorkspaceFolders::WorkspaceFolderList(folders)) => {
            folders.iter().map(|it| &it.uri).collect()
        }
        _ => params.root_uri.iter().collect(),
    };
    roots.into_iter().filter_map(uri::path).collect()
}

/// Reports whether an object is in a garden.
fn exists(garden: &Snapshot, key: &ObjectKey) -> bool {
    if key.kind != Kind::Shoot {
        return garden.names_of(key.kind, &key.namespace).any(|it| it == key.name);
    }
    let name =
        ShootName { namespace: key.namespace.as_str().into(), name: key.name.as_str().into() };
    garden.shoots().is_ok_and(|it| it.get(&name).is_some())
}

/// Returns the diagnostics about a removed object, which has no position.
fn removal(source: &SourceText, object: &Reviewed, rule_url: Option<&str>) -> Vec<Diagnostic> {
    let heading = object.heading();
    let found = diagnostics(source, object, rule_url).into_iter().map(|it| {
        let message = match &it.message {
            gen_lsp_types::Message::String(text) => text.clone(),
            gen_lsp_types::Message::MarkupContent(content) => content.value.clone(),
        };
        Diagnostic {
            range: source.range(0..0),
            message: format!("{}: {message}", escape::value(&heading)).into(),
            ..it
        }
    });
    found.collect()
}

/// Returns the messages about other copies of objects.
fn copies<'s>(subjects: impl IntoIterator<Item = &'s Subject>) -> String {
    let copies = subjects.into_iter().filter_map(|it| it.copies.as_ref());
    copies.map(|it| format!("{it:?}\n")).collect()
}

/// Returns a digest of all changes of each kind.
fn digests(changed: &[Subject]) -> BTreeMap<Kind, u64> {
    let mut hashers: BTreeMap<Kind, DefaultHasher> = BTreeMap::new();
    for subject in changed {
        let Some(key) = subject.key() else { continue };
        let hasher = hashers.entry(key.kind).or_default();
        key.hash(hasher);
        subject.is_new().hash(hasher);
        subject.new_state().map(serde_json::value::RawValue::get).hash(hasher);
    }
    hashers.into_iter().map(|(kind, it)| (kind, it.finish())).collect()
}
