// SPDX-License-Identifier: Apache-2.0
// The licences of npm packages whose code is in a bundle.
import { readdirSync, readFileSync } from "node:fs";

/** Returns a Vite plugin that adds the folders of the bundled packages to a set. */
export function collect(folders) {
  return {
    name: "collect-packages",
    generateBundle(_, bundle) {
      for (const chunk of Object.values(bundle)) {
        for (const id of Object.keys(chunk.modules ?? {})) {
          const folder = /^\0?(.*\/node_modules\/(?:@[^/]+\/)?[^/]+)\//.exec(id)?.[1];
          if (folder && !folder.endsWith("/node_modules/@garden-gate/core") && !folder.endsWith("/node_modules/@garden-gate/codemirror")) folders.add(folder);
        }
      }
    },
  };
}

/** Returns the notices for the packages in these folders. Fails if one has no licence file. */
export function notices(folders) {
  const parts = [...folders].sort().map((folder) => {
    const { name, version, license, repository } = JSON.parse(readFileSync(`${folder}/package.json`, "utf8"));
    const files = readdirSync(folder).filter((it) => /^(licen[cs]e|copying|notice)/i.test(it)).sort();
    if (files.length === 0) throw new Error(`${name} ${version} has no licence file in ${folder}: add its licence to packages/notices.mjs`);
    const source = typeof repository === "string" ? repository : repository?.url;
    return `${name} ${version} (${license})${source ? `, ${source}` : ""}\n\n${files.map((it) => readFileSync(`${folder}/${it}`, "utf8").trim()).join("\n\n")}`;
  });
  const line = "=".repeat(100);
  return ["The scripts of the playground contain other software. The module has notices of its own.", ...parts].join(`\n\n${line}\n\n`) + "\n";
}
