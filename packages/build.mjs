// Puts both packages into their folders `dist`: node build.mjs FOLDER, which contains the module that `.ci/wasm` has built.
import { cpSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { execFileSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("./", import.meta.url));
const module = process.argv[2];
for (const name of ["core", "codemirror"]) {
  const dist = `${root}${name}/dist`;
  rmSync(dist, { recursive: true, force: true });
  mkdirSync(dist);
  for (const file of readdirSync(`${root}${name}/src`)) cpSync(`${root}${name}/src/${file}`, `${dist}/${file}`);
  cpSync(`${root}../LICENSE`, `${root}${name}/LICENSE`);
}
for (const file of ["garden_gate.js", "garden_gate.d.ts", "garden_gate_bg.wasm"]) cpSync(`${module}/${file}`, `${root}core/dist/${file}`);
execFileSync(process.execPath, [`${root}node_modules/typescript/bin/tsc`, "--project", `${root}tsconfig.json`, "--noEmit", "false", "--emitDeclarationOnly"], { stdio: "inherit" });
