// bundle.mjs NODE_MODULES WORK: WORK/page.mjs with its packages and files as one WORK/page.html. See check.
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { join } from "node:path";

const [modules, work] = process.argv.slice(2);
const { build } = createRequire(join(modules, "x.js"))("esbuild");
const result = await build({
  entryPoints: [join(work, "page.mjs")],
  bundle: true,
  write: false,
  format: "iife",
  charset: "ascii",
  nodePaths: [modules],
  loader: { ".glb": "base64", ".pc2": "base64", ".vrm": "base64" },
  logLevel: "warning",
});
writeFileSync(join(work, "page.html"), `<!doctype html><meta charset="utf-8"><script>${result.outputFiles[0].text.replaceAll("</script", "<\\/script")}</script>`);
