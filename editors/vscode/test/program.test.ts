// SPDX-License-Identifier: Apache-2.0
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash } from "node:crypto";
import * as fs from "node:fs";
import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import * as os from "node:os";
import * as path from "node:path";
import { after, before, test } from "node:test";
import { checksum, download, downloadedProgram, findProgram, platform } from "../src/program";

const LINUX = { os: "linux", arch: "amd64" };
const NAME = "garden-gate-1.2.3-linux-amd64";
const PROGRAM = "#!/bin/sh\necho 1.2.3\n";

let folder = "";
let server: Server;
let address = "";
const files = new Map<string, Buffer | string>();

before(async () => {
  folder = fs.mkdtempSync(path.join(os.tmpdir(), "garden-gate-"));
  fs.mkdirSync(path.join(folder, NAME));
  fs.writeFileSync(path.join(folder, NAME, "garden-gate"), PROGRAM);
  execFileSync("tar", ["-czf", `${NAME}.tar.gz`, NAME], { cwd: folder });
  const archive = fs.readFileSync(path.join(folder, `${NAME}.tar.gz`));
  const sum = createHash("sha256").update(archive).digest("hex");
  files.set(`/v1.2.3/${NAME}.tar.gz`, archive);
  files.set("/v1.2.3/SHA256SUMS", `${sum}  ${NAME}.tar.gz\n`);
  files.set(`/forged/${NAME}.tar.gz`, Buffer.concat([archive, Buffer.from("x")]));
  files.set("/forged/SHA256SUMS", `${sum}  ${NAME}.tar.gz\n`);
  files.set("/other/SHA256SUMS", `${sum}  garden-gate-1.2.3-darwin-arm64.tar.gz\n`);
  server = createServer((request, response) => {
    const content = files.get(request.url ?? "");
    response.statusCode = content === undefined ? 404 : 200;
    response.end(content);
  });
  await new Promise<void>((ready) => server.listen(0, "127.0.0.1", ready));
  address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});

after(() => {
  server.close();
  fs.rmSync(folder, { recursive: true });
});

test("platforms have the names of release files", () => {
  assert.deepEqual(platform("win32", "x64"), { os: "windows", arch: "amd64" });
  assert.deepEqual(platform("darwin", "arm64"), { os: "darwin", arch: "arm64" });
  assert.deepEqual(platform("linux", "x64"), LINUX);
});

test("checksums are read in both formats", () => {
  assert.equal(checksum("aa  x.zip\nbb *y.zip\n", "x.zip"), "aa");
  assert.equal(checksum("aa  x.zip\nbb *y.zip\n", "y.zip"), "bb");
  assert.equal(checksum("aa  x.zip.sig\n", "x.zip"), undefined);
});

test("a release is downloaded, and found afterwards", async () => {
  const storage = path.join(folder, "storage");
  const target = downloadedProgram(storage, "1.2.3", LINUX);
  const places = { setting: "", downloaded: target, path: "" };
  assert.equal(findProgram(places, LINUX), undefined);
  await download(`${address}/v{version}/`, "1.2.3", target, LINUX);
  assert.equal(findProgram(places, LINUX), target);
  assert.equal(execFileSync(target).toString(), "1.2.3\n");
  assert.deepEqual(fs.readdirSync(path.dirname(target)), ["garden-gate"]);
});

for (const [release, expected] of [
  ["forged", /has the checksum .* but SHA256SUMS requires/],
  ["other", /has no garden-gate-1.2.3-linux-amd64.tar.gz/],
  ["none", /none\/SHA256SUMS: HTTP status 404/],
] as const) {
  test(`nothing is installed from the release ${release}`, async () => {
    const target = downloadedProgram(path.join(folder, release), "1.2.3", LINUX);
    await assert.rejects(download(`${address}/${release}`, "1.2.3", target, LINUX), expected);
    assert.equal(fs.existsSync(target), false);
  });
}

test("the setting comes first, then the download, then PATH without relative entries", () => {
  const make = (name: string) => {
    const file = path.join(folder, name, "garden-gate");
    fs.mkdirSync(path.dirname(file), { recursive: true });
    fs.writeFileSync(file, PROGRAM, { mode: 0o755 });
    return file;
  };
  const [setting, downloaded, installed] = [make("set"), make("kept"), make("bin")];
  const relative = path.relative(process.cwd(), path.dirname(setting));
  const places = { setting, downloaded, path: [relative, path.dirname(installed)].join(path.delimiter) };
  assert.equal(findProgram(places, LINUX), setting);
  assert.equal(findProgram({ ...places, setting: "" }, LINUX), downloaded);
  assert.equal(findProgram({ ...places, setting: "", downloaded: "/absent" }, LINUX), installed);
  assert.throws(() => findProgram({ ...places, setting: "/absent" }, LINUX), /garden-gate.path: \/absent is not a program/);
});
