// SPDX-License-Identifier: Apache-2.0
//! `garden-gate review --live` of the built program, with an API server whose objects and responses a test defines.
#![expect(clippy::unwrap_used, reason = "a test that cannot go on should fail")]

mod api_server;

mod ahead;
mod asking;
mod auditing;
mod complete;
mod credentials;
mod drift;
mod dumping;
mod following;
mod listing;
mod notifying;
mod playground;
mod publishing;
mod reaching;
mod verbs;
mod workload;

use crate::folder;
use std::fs;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::command::{garden_gate, printed};
use api_server::ApiServer;

/// An API server, and a folder with manifests.
struct World {
    server: ApiServer,
    folder: TempDir,
}

/// The output of the program.
struct Printed {
    code: Option<i32>,
    out: String,
    err: String,
}

impl World {
    /// Returns the garden of the examples, and these files.
    fn new(files: &[(&str, &str)]) -> Self {
        let world = Self { server: ApiServer::start(), folder: folder::folder(files) };
        world.server.hold(&objects("examples/garden"));
        world.server.hold(&objects("tests/server/live/garden"));
        folder::write(world.folder.path(), "kubeconfig", &world.server.kubeconfig().to_string());
        world
    }

    /// Returns the landscape of the examples, with objects as an API server stores them.
    fn landscape() -> Self {
        let world = Self::new(&[]);
        world.server.script().objects.clear();
        world.server.hold(&objects("examples/landscape/garden"));
        world
    }

    /// Runs `garden-gate review --live` in the folder.
    fn review(&self, arguments: &[&str]) -> Printed {
        self.run(&[&["review", "--live", "--kubeconfig", "kubeconfig"], arguments].concat())
    }

    fn run(&self, arguments: &[&str]) -> Printed {
        let mut command = garden_gate(arguments);
        command.current_dir(self.folder.path());
        command.env("HOME", self.folder.path());
        command.env_remove("KUBECONFIG");
        let (code, out, err) = printed(command.output().unwrap());
        // The port is different each time.
        let [out, err] = [out, err].map(|it| it.replace(&self.server.url(), "http://server/"));
        Printed { code, out, err }
    }

    /// Returns the `reviews` of its JSON output.
    fn reviews(&self, arguments: &[&str]) -> Vec<Value> {
        let Printed { out, err, .. } = self.review(&[arguments, &["--format", "json"]].concat());
        let json: Value = serde_json::from_str(&out).unwrap_or_else(|_| unreachable!("{out}{err}"));
        json["reviews"].as_array().unwrap().clone()
    }
}

/// Returns all objects of the manifests in a directory.
fn objects(directory: &str) -> Vec<Value> {
    let mut objects = Vec::new();
    let mut files: Vec<_> = fs::read_dir(directory).unwrap().map(Result::unwrap).collect();
    files.sort_by_key(fs::DirEntry::path);
    for file in files {
        objects.extend(documents(&file.path()));
    }
    objects
}

/// Returns the objects of a file, and those in its lists.
fn documents(path: &Path) -> Vec<Value> {
    let text = fs::read_to_string(path).unwrap();
    let documents = garden_gate_text::yaml::parse(&text).unwrap();
    let documents = documents.iter().map(|it| it.to_value());
    let objects = documents.flat_map(|it| {
        if it["kind"] == "List" { it["items"].as_array().unwrap().clone() } else { vec![it] }
    });
    objects.collect()
}

/// Returns the text of a file in the repository.
fn file(path: &str) -> String {
    fs::read_to_string(path).unwrap()
}
