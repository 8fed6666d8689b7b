// SPDX-License-Identifier: Apache-2.0
//! `garden-gate dump`: writes a garden directory.

use std::collections::BTreeSet;
use std::fs;
use std::io::Write;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, bail};
use clap::Args;
use serde_json::{Value, json};

use super::Outcome;
use super::output::WholeFile;
use crate::files::{Trees, cannot_write, create_private_directory};
use crate::garden::directory::{DumpRecord, dump_record};
use crate::garden::live::{ListedGarden, Needs, Page, Target};
use crate::review::cluster::Live;
use crate::review::parameters;
use crate::review::progress::Progress;
use garden_gate_core::garden::{ADMISSION_POLICIES, ObjectKey, Snapshot, read};
use garden_gate_model::api::{Kind, Retrieval};
use garden_gate_products::report::{Lines, yaml_document};
use garden_gate_text::json::Json;

/// Bytes of a file after which the next one begins; larger files are slow to read, and above 64 MiB are refused.
const FULL: usize = 16 << 20;

/// Arguments of `garden-gate dump`.
#[derive(Args, Debug)]
#[command(after_help = "\
Kinds that you may not list are reported, on standard output and in
DIR/garden-dump.yaml: verdicts that depend on them are undetermined. Files of
an earlier dump are replaced. Only you may read the files; of objects with
credentials, they have the names, and the labels and annotations that rules
read.

Examples:
  garden-gate dump dump/
  garden-gate dump dump/ --context landscape-dev --namespace garden-dev
  garden-gate review --garden dump/ shoots/

Exit codes:
  0  written, except kinds that you may not list
  2  no kind could be listed, or a file could not be written")]
pub(super) struct Dump {
    /// Target directory, created if missing; it must be empty, or contain an earlier dump.
    #[arg(value_name = "DIR")]
    directory: PathBuf,

    /// Kubeconfig of the garden cluster [default: the files in KUBECONFIG, ~/.kube/config, or the service account of the
    /// pod].
    #[arg(long, value_name = "FILE")]
    kubeconfig: Option<PathBuf>,

    /// Context in the kubeconfig [default: the current context].
    #[arg(long, value_name = "NAME")]
    context: Option<String>,

    /// Namespace to list if you may not list all namespaces; may be given several times [default: the namespace of the
    /// context].
    #[arg(short, long = "namespace", value_name = "NAME")]
    namespaces: Vec<String>,
}

impl Dump {
    pub(super) fn run(self, out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let live = Live::find(&Target {
            kubeconfig: self.kubeconfig.clone(),
            context: self.context.clone(),
        })?;
        let former = former(&self.directory)?;
        // Fails if the API server does not answer, or does not serve a garden.
        let needs = Needs {
            kinds: BTreeSet::from([Kind::ExposureClass]),
            wanted: BTreeSet::from([ObjectKey::gardener_info()]),
            ..Needs::default()
        };
        let info = live.list(&needs)?.kept.into_values();
        create_private_directory(&self.directory).with_context(|| cannot_write(&self.directory))?;
        let mut writing = Writing {
            directory: &self.directory,
            namespaces: self.namespaces(&live),
            record: DumpRecord::default(),
            policies: Policies::default(),
        };
        let kinds = Kind::ALL.iter().copied();
        for kind in kinds.filter(|kind| kind.known() != Retrieval::Never) {
            writing.kind(&live, kind, out)?;
        }
        let mut file = KindFile::new(&self.directory, "gardener-info");
        info.into_iter().try_for_each(|it| file.add(&it))?;
        writing.record.files.extend(file.close()?);
        writing.parameters(&live, out)?;
        writing.finish(&former, out)
    }

    fn namespaces(&self, live: &Live) -> BTreeSet<String> {
        match &self.namespaces[..] {
            [] => BTreeSet::from([live.namespace().to_owned()]),
            named => named.iter().cloned().collect(),
        }
    }
}

/// Returns the names of the files in the directory that an earlier dump wrote.
///
/// A record may name any path; only files in the directory are returned.
///
/// # Errors
/// Fails if the directory has other files, which would count as objects of the garden.
fn former(directory: &Path) -> anyhow::Result<Vec<String>> {
    let record = dump_record(directory)?;
    let mut files = Vec::new();
    let entries = match fs::read_dir(directory) {
        Ok(entries) => entries,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => return Ok(files),
        Err(error) => {
            return Err(error).with_context(|| format!("cannot read `{}`", directory.display()));
        }
    };
    for entry in entries {
        let entry = entry?;
        let name = entry.file_name().to_string_lossy().into_owned();
        // A symbolic link may lead out of the directory.
        let is_file = entry.file_type()?.is_file();
        let is_ignored = is_file && name == DumpRecord::FILE || name.starts_with('.');
        if is_file && record.files.contains(&name) {
            files.push(name);
        } else if !is_ignored {
            bail!(
                "`{}` contains `{name}`, which is not from a dump; name an empty or a new directory",
                directory.display()
            );
        }
    }
    Ok(files)
}

/// A running dump.
struct Writing<'a> {
    directory: &'a Path,
    /// The namespaces that are listed one by one if not all may be listed.
    namespaces: BTreeSet<String>,
    record: DumpRecord,
    policies: Policies,
}

/// The policies of a dump with their bindings, and the objects by which their parameters are found.
#[derive(Default)]
struct Policies {
    garden: Snapshot,
    namespaces: BTreeSet<String>,
    /// The ConfigMaps that are already written.
    config_maps: BTreeSet<ObjectKey>,
}

impl Policies {
    fn add(&mut self, key: &ObjectKey, manifest: &str) {
        match key.kind {
            kind if ADMISSION_POLICIES.contains(&kind) => {
                // Unreadable ones are reported when the directory is read.
                if let Ok(Some(object)) = read(key.kind, manifest) {
                    self.garden.apply(object);
                }
            }
            Kind::Namespace => {
                self.namespaces.insert(key.name.clone());
            }
            Kind::ConfigMap => {
                self.config_maps.insert(key.clone());
            }
            _ => {}
        }
    }

    /// Returns the parameters that bindings name, and that are not written yet.
    fn wanted(&self) -> BTreeSet<ObjectKey> {
        let mut wanted = parameters::wanted(&self.garden, &self.namespaces);
        // Whole objects of other kinds are written anyway, and no contents of Secrets are.
        wanted.retain(|it| it.kind == Kind::ConfigMap && !self.config_maps.contains(it));
        wanted
    }
}

impl Writing<'_> {
    fn kind(&mut self, live: &Live, kind: Kind, out: &mut dyn Write) -> anyhow::Result<()> {
        let resource = kind.full_resource();
        let mut file = KindFile::new(self.directory, kind.resource());
        let mut seen = BTreeSet::new();
        let mut failed = None;
        let progress = Progress::counting(&format!("listing {resource} ({})", live.name()));
        let listed = live.dump(kind, &self.namespaces, |page: Page| {
            progress.add(page.len());
            for (key, manifest) in page {
                self.policies.add(&key, manifest.get());
                // A list restarts after its continue token expires.
                if failed.is_none() && seen.insert(key) {
                    let manifest = Json::text(manifest.get()).to_value();
                    failed = file.add(&manifest).err();
                }
            }
        });
        drop(progress);
        if let Some(error) = failed {
            return Err(error);
        }
        let missing = match listed {
            // Other Secrets and ConfigMaps are not listed.
            Ok(None) if seen.is_empty() && !matches!(kind.known(), Retrieval::Labelled { .. }) => {
                file.add(&empty_list(kind))?;
                None
            }
            Ok(missing) => missing,
            Err(why) => Some(why),
        };
        if missing.is_none() || !seen.is_empty() {
            writeln!(out, "{resource}: {}", seen.len())?;
        }
        if let Some(why) = missing {
            self.record.add(kind, why);
        }
        self.record.files.extend(file.close()?);
        Ok(())
    }

    /// Writes the parameters that bindings of policies name.
    fn parameters(&mut self, live: &Live, out: &mut dyn Write) -> anyhow::Result<()> {
        let wanted = self.policies.wanted();
        if wanted.is_empty() {
            return Ok(());
        }
        let ListedGarden { kept, unknown, .. } =
            live.list(&Needs { wanted: wanted.clone(), ..Needs::default() })?;
        let mut file = KindFile::new(self.directory, "policy-parameters");
        let found = wanted.iter().filter_map(|key| kept.get(key));
        found.clone().try_for_each(|it| file.add(it))?;
        writeln!(out, "parameters of policies: {}", found.count())?;
        for (key, why) in unknown {
            let line = format_args!("  {key} is not written: {why}");
            Lines::plain(&mut *out).line(line)?;
        }
        self.record.files.extend(file.close()?);
        Ok(())
    }

    /// Writes the record, and removes files of the former dump.
    fn finish(self, former: &[String], out: &mut dyn Write) -> anyhow::Result<Outcome> {
        let path = self.directory.join(DumpRecord::FILE);
        let mut file = WholeFile::open_private(&path, &Trees::new([self.directory]))?;
        file.text.write_all(yaml_document(&self.record.to_value())?.as_bytes())?;
        file.copy().with_context(|| cannot_write(&path))?;
        let stale = former.iter();
        for name in stale.filter(|name| !self.record.files.contains(name)) {
            let path = self.directory.join(name);
            fs::remove_file(&path)
                .with_context(|| format!("cannot remove `{}`", path.display()))?;
        }
        if !self.record.incomplete.is_empty() {
            writeln!(
                out,
                "\nnot complete; verdicts that depend on other objects of these kinds are undetermined:"
            )?;
        }
        for incomplete in &self.record.incomplete {
            let line = format_args!("  {}: {}", incomplete.kind, incomplete.reason);
            Lines::plain(out).line(line)?;
        }
        Ok(Outcome::Clean)
    }
}

/// Returns an empty list of the kind, for kinds without objects.
fn empty_list(kind: Kind) -> Value {
    json!({
        "apiVersion": kind.api_version(),
        "kind": format!("{kind}List"),
        "items": [],
    })
}

/// The files of a kind, written one after the other.
struct KindFile<'a> {
    directory: &'a Path,
    stem: &'static str,
    open: Option<WholeFile>,
    bytes: usize,
    written: Vec<String>,
}

impl<'a> KindFile<'a> {
    fn new(directory: &'a Path, stem: &'static str) -> Self {
        Self { directory, stem, open: None, bytes: 0, written: Vec::new() }
    }

    fn add(&mut self, object: &Value) -> anyhow::Result<()> {
        let text = yaml_document(object)?;
        if self.bytes + text.len() > FULL {
            self.flush()?;
        }
        let file = match &mut self.open {
            Some(file) => file,
            none => {
                let name = match self.written.len() {
                    0 => format!("{}.yaml", self.stem),
                    count => format!("{}-{}.yaml", self.stem, count + 1),
                };
                let path = self.directory.join(&name);
                let file = WholeFile::open_private(&path, &Trees::new([self.directory]))?;
                self.written.push(name);
                none.insert(file)
            }
        };
        self.bytes += text.len();
        file.text.write_all(text.as_bytes()).with_context(|| file.cannot_keep())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        self.bytes = 0;
        match self.open.take() {
            Some(mut file) => file.copy().with_context(|| cannot_write(&file.path)),
            None => Ok(()),
        }
    }

    /// Returns the names of the files.
    fn close(mut self) -> anyhow::Result<Vec<String>> {
        self.flush()?;
        Ok(self.written)
    }
}
