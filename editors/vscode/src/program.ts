// SPDX-License-Identifier: Apache-2.0
// Finds the program, or downloads it from a release. Nothing here depends on Visual Studio Code.

import { execFile } from "node:child_process";
import { createHash } from "node:crypto";
import { accessSync, constants, statSync } from "node:fs";
import * as fs from "node:fs/promises";
import * as path from "node:path";
import { promisify } from "node:util";

/** Maximum size of a downloaded file in bytes. */
const LARGEST = 200 * 1024 * 1024;
/** Time limit of a download in milliseconds. */
const PATIENCE = 120_000;

/** A platform for which releases have a program. */
export interface Platform {
  os: string;
  arch: string;
}

/** Returns this machine's platform in the names of release files, such as linux-amd64. */
export function platform(os: string = process.platform, arch: string = process.arch): Platform {
  const systems: Record<string, string> = { win32: "windows" };
  const processors: Record<string, string> = { x64: "amd64" };
  return { os: systems[os] ?? os, arch: processors[arch] ?? arch };
}

/** Returns the file name of the program. */
export function programName(on: Platform): string {
  return on.os === "windows" ? "garden-gate.exe" : "garden-gate";
}

/** Returns the path of a downloaded program of a version. */
export function downloadedProgram(storage: string, version: string, on: Platform): string {
  return path.join(storage, version, programName(on));
}

function isProgram(file: string): boolean {
  try {
    accessSync(file, constants.X_OK);
    return statSync(file).isFile();
  } catch {
    return false;
  }
}

/** Places in which the program is searched for, in this order. */
export interface Places {
  /** The path in the settings; may be empty. */
  setting: string;
  /** The path of a downloaded program. */
  downloaded: string;
  /** The value of the variable PATH. */
  path: string;
}

/**
 * Returns the path of the program; undefined if there is none.
 *
 * Relative entries of PATH are skipped, so that a workspace cannot provide the program.
 *
 * @throws if the path in the settings is not a program
 */
export function findProgram(places: Places, on: Platform): string | undefined {
  if (places.setting !== "") {
    if (!isProgram(places.setting)) {
      throw new Error(`garden-gate.path: ${places.setting} is not a program that can be run; correct the setting`);
    }
    return places.setting;
  }
  const folders = places.path.split(path.delimiter).filter((folder) => path.isAbsolute(folder));
  const candidates = [places.downloaded, ...folders.map((folder) => path.join(folder, programName(on)))];
  return candidates.find(isProgram);
}

async function fetched(url: string): Promise<Buffer> {
  const response = await fetch(url, { signal: AbortSignal.timeout(PATIENCE) });
  if (!response.ok || response.body === null) {
    throw new Error(`${url}: HTTP status ${response.status}`);
  }
  if (url.startsWith("https:") && !response.url.startsWith("https:")) {
    throw new Error(`${url}: redirected from HTTPS to ${response.url}`);
  }
  const parts: Uint8Array[] = [];
  let size = 0;
  for await (const part of response.body) {
    size += part.length;
    if (size > LARGEST) {
      throw new Error(`${url}: larger than ${LARGEST} bytes`);
    }
    parts.push(part);
  }
  return Buffer.concat(parts);
}

/** Returns the checksum of a file in the format of sha256sum. */
export function checksum(sums: string, name: string): string | undefined {
  const lines = sums.split("\n").map((line) => line.split(/\s+/));
  const found = lines.find(([, file]) => file === name || file === `*${name}`);
  return found?.[0];
}

/**
 * Downloads the program of a release to `target`, after comparison with its SHA-256 checksum.
 *
 * @param address URL of the release's files; `{version}` in it is replaced
 * @throws if a file is missing, or has another checksum
 */
export async function download(address: string, version: string, target: string, on: Platform): Promise<void> {
  const url = address.replaceAll("{version}", version).replace(/\/$/, "");
  const name = `garden-gate-${version}-${on.os}-${on.arch}`;
  const archive = `${name}.${on.os === "windows" ? "zip" : "tar.gz"}`;
  const expected = checksum((await fetched(`${url}/SHA256SUMS`)).toString(), archive);
  if (expected === undefined) {
    throw new Error(`the release at ${url} has no ${archive}; build garden-gate, and set garden-gate.path`);
  }
  const content = await fetched(`${url}/${archive}`);
  const actual = createHash("sha256").update(content).digest("hex");
  if (actual !== expected) {
    throw new Error(`${url}/${archive} has the checksum ${actual}, but SHA256SUMS requires ${expected}`);
  }
  await fs.mkdir(path.dirname(target), { recursive: true });
  const work = await fs.mkdtemp(path.join(path.dirname(target), ".download-"));
  try {
    await fs.writeFile(path.join(work, archive), content);
    // Windows has a tar that reads zip archives, too.
    await promisify(execFile)("tar", ["-xf", archive, `${name}/${programName(on)}`], { cwd: work });
    const unpacked = path.join(work, name, programName(on));
    if (!(await fs.lstat(unpacked)).isFile()) {
      throw new Error(`${programName(on)} in ${archive} is not a file`);
    }
    await fs.chmod(unpacked, 0o755);
    await fs.rename(unpacked, target);
  } finally {
    await fs.rm(work, { recursive: true, force: true });
  }
}
