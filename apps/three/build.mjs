// Makes the package: build.mjs NODE_MODULES OUT_FOLDER. `npm pack OUT_FOLDER` then gives the archive.

import { spawnSync } from "node:child_process";
import { copyFileSync, existsSync, mkdirSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, out] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(modules, "x.js"))("esbuild");
mkdirSync(out, { recursive: true });
await build({
  entryPoints: [join(here, "src/index.ts")],
  outfile: join(out, "index.js"),
  bundle: true,
  format: "esm",
  target: "es2020",
  external: ["three"],
  banner: { js: "// SPDX-License-Identifier: MIT" },
  logLevel: "warning",
});
const compiler = join(modules, "typescript/bin/tsc");
if (existsSync(compiler)) {
  const options = ["-p", here, "--noEmit", "false", "--declaration", "--emitDeclarationOnly", "--outDir", out];
  const { status } = spawnSync(process.execPath, [compiler, ...options], { stdio: "inherit" });
  if (status !== 0) process.exit(1);
}
for (const name of ["package.json", "README.md"]) copyFileSync(join(here, name), join(out, name));
copyFileSync(join(here, "../../LICENSE"), join(out, "LICENSE"));
