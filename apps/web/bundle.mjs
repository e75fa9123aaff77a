// Makes the page without a model: bundle.mjs NODE_MODULES OUT.cpp [OUT.html]
// TypeScript and three.js become one script, which is packed and set into the shell with its style. OUT.cpp gives it to
// the C++ program as text with the slots %TITLE%, %ABOUT% and %MODEL%.

import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";

const here = dirname(fileURLToPath(import.meta.url));
const [modules, source] = process.argv.slice(2).map((path) => resolve(path));
const { build } = createRequire(join(modules, "x.js"))("esbuild");

const result = await build({
  entryPoints: [join(here, "src/main.ts")],
  bundle: true,
  minify: true,
  write: false,
  format: "iife",
  target: "es2020",
  charset: "ascii",
  legalComments: "none",
  nodePaths: [modules],
  logLevel: "warning",
});
const script = Buffer.from(result.outputFiles[0].contents);
const shrink = (css) => css.replace(/\n+/g, "").trim();
const parts = {
  NOTICE: readFileSync(join(modules, "three/LICENSE"), "utf8").trim(),
  STYLE: shrink(readFileSync(join(here, "page.css"), "utf8")),
  PROGRAM: gzipSync(script, { level: 9 }).toString("base64"),
};
const page = readFileSync(join(here, "page.html"), "utf8").replace(/%(NOTICE|STYLE|PROGRAM)%/g, (_, name) => parts[name]);

// In pieces, because compilers limit the length of a literal.
const pieces = page.match(/[^]{1,12000}/g).map((piece) => `R"~~~(${piece})~~~"`);
const size = Buffer.byteLength(page);
writeFileSync(
  source,
  `#include "page_shell.h"\n\nnamespace sinew::web {\nnamespace {\nconstexpr char text[] =\n${pieces.join("\n")};\n}\n` +
    `std::string_view page_shell() {\n    static_assert(sizeof(text) == ${size + 1});\n    return {text, sizeof(text) - 1};\n}\n}\n`,
);
console.log(`page shell: script ${script.length} bytes, ${size} bytes packed`);
