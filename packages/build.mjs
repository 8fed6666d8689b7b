// SPDX-License-Identifier: Apache-2.0
// Puts both packages into their folders `dist`: node build.mjs FOLDER [NOTICES]. FOLDER contains the module that `.ci/wasm` has built, and
// NOTICES what `.ci/notices` has written for it; without it, the package must not be published.
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("./", import.meta.url));
const [module, notices] = process.argv.slice(2);
for (const name of ["core", "codemirror"]) {
  const dist = `${root}${name}/dist`;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  for (const file of readdirSync(`${root}${name}/src`)) cpSync(`${root}${name}/src/${file}`, `${dist}/${file}`);
  cpSync(`${root}../LICENSE`, `${root}${name}/LICENSE`);
}
for (const file of ["garden_gate.js", "garden_gate.d.ts", "garden_gate_bg.wasm"]) cpSync(`${module}/${file}`, `${root}core/dist/${file}`);
for (const file of ["THIRD-PARTY-NOTICES", "rust-standard-library.html"]) {
  rmSync(`${root}core/${file}`, { force: true });
  if (notices) cpSync(`${notices}/${file}`, `${root}core/${file}`);
}
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--project", `${root}tsconfig.json`, "--noEmit", "false", "--emitDeclarationOnly"], { stdio: "inherit" });
