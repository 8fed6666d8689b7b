// SPDX-License-Identifier: Apache-2.0
// Starts `garden-gate lsp` for YAML files.

import * as vscode from "vscode";
import { LanguageClient, RevealOutputChannelOn } from "vscode-languageclient/node";
import { download, downloadedProgram, findProgram, platform } from "./program";

const DOWNLOAD = "Download";
const SETTINGS = "Open settings";

let client: LanguageClient | undefined;

function settings(): vscode.WorkspaceConfiguration {
  return vscode.workspace.getConfiguration("garden-gate");
}

function text(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the version of this extension, which is that of the program. */
function version(context: vscode.ExtensionContext): string {
  return (context.extension.packageJSON as { version: string }).version;
}

function target(context: vscode.ExtensionContext): string {
  return downloadedProgram(context.globalStorageUri.fsPath, version(context), platform());
}

async function downloadProgram(context: vscode.ExtensionContext): Promise<boolean> {
  const address = settings().get("releaseUrl", "");
  if (address === "") {
    const message = "Set garden-gate.releaseUrl to the URL of a release, or garden-gate.path to an installed program.";
    if ((await vscode.window.showErrorMessage(message, SETTINGS)) === SETTINGS) {
      await vscode.commands.executeCommand("workbench.action.openSettings", "garden-gate");
    }
    return false;
  }
  const title = `Downloading garden-gate ${version(context)}`;
  const options = { location: vscode.ProgressLocation.Notification, title };
  await vscode.window.withProgress(options, () => download(address, version(context), target(context), platform()));
  return true;
}

/** Returns the path of the program; asks for a download if there is none. */
async function program(context: vscode.ExtensionContext): Promise<string | undefined> {
  const places = { setting: settings().get("path", ""), downloaded: target(context), path: process.env["PATH"] ?? "" };
  const found = findProgram(places, platform());
  if (found !== undefined) {
    return found;
  }
  const message = "garden-gate is not installed.";
  const choice = await vscode.window.showWarningMessage(message, DOWNLOAD, SETTINGS);
  if (choice === SETTINGS) {
    await vscode.commands.executeCommand("workbench.action.openSettings", "garden-gate");
  }
  if (choice === DOWNLOAD && (await downloadProgram(context))) {
    return target(context);
  }
  return undefined;
}

async function start(context: vscode.ExtensionContext): Promise<void> {
  const command = await program(context);
  if (command === undefined) {
    return;
  }
  const folder = vscode.workspace.workspaceFolders?.[0];
  const server = {
    command,
    args: ["lsp", ...settings().get<string[]>("arguments", [])],
    ...(folder === undefined ? {} : { options: { cwd: folder.uri.fsPath } }),
  };
  const documents = {
    documentSelector: [{ scheme: "file", language: "yaml" }],
    revealOutputChannelOn: RevealOutputChannelOn.Never,
  };
  client = new LanguageClient("garden-gate", "garden-gate", server, documents);
  await client.start();
}

async function stop(): Promise<void> {
  const running = client;
  client = undefined;
  await running?.stop();
}

/** Runs an action, and shows its error. */
async function attempt(action: () => Promise<void>): Promise<void> {
  try {
    await action();
  } catch (error) {
    void vscode.window.showErrorMessage(`garden-gate: ${text(error)}`);
  }
}

export async function activate(context: vscode.ExtensionContext): Promise<void> {
  const restart = () =>
    attempt(async () => {
      await stop();
      await start(context);
    });
  const fetchProgram = () =>
    attempt(async () => {
      // Windows does not replace a running program.
      await stop();
      await downloadProgram(context);
      await start(context);
    });
  context.subscriptions.push(
    vscode.commands.registerCommand("garden-gate.restart", restart),
    vscode.commands.registerCommand("garden-gate.download", fetchProgram),
    vscode.workspace.onDidChangeConfiguration((change) => {
      const names = ["garden-gate.path", "garden-gate.arguments"];
      if (names.some((name) => change.affectsConfiguration(name))) {
        void restart();
      }
    }),
  );
  await attempt(() => start(context));
}

export async function deactivate(): Promise<void> {
  await stop();
}
