import idiomorph from "idiomorph/dist/idiomorph.min.js";
import papaparse from "papaparse/papaparse.min.js";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { lazily } from "../../../shared/memo.ts";
import { clientScripts, clientStyles } from "../../client/files.ts";

export type ScriptName = keyof typeof clientScripts;

/** Wraps Papa Parse, which is a CommonJS library, so that scripts can import it as a module. */
const papaParseModule = `const exports = {};\nconst module = { exports };\n${papaparse}\nexport const papa = module.exports;\n`;

const idiomorphModule = `${idiomorph}\nexport { Idiomorph };\n`;

/** Also shortens spaces inside CSS strings, so these must not contain two in a row. */
const compact = (css: string) =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1");

interface Asset {
  type: string;
  text: string;
}

/**
 * All files by name and without folders, because scripts import each other by file name. All pages share one
 * stylesheet, so that browsers load it once.
 */
const assetFiles = new Map<string, Asset>([
  ["console.css", { type: "text/css; charset=utf-8", text: compact(clientStyles.join("\n")) }],
  ...Object.entries({ ...clientScripts, "idiomorph.js": idiomorphModule, "papaparse.js": papaParseModule }).map(
    ([name, text]) => [name, { type: "text/javascript; charset=utf-8", text }] satisfies [string, Asset],
  ),
]);

/**
 * The name of the directory contains a hash of all files. Browsers can therefore cache a file forever, and a
 * page never mixes files of two versions.
 */
export interface Assets {
  pathOf(name: "console.css" | ScriptName): string;
  findAsset(path: string): Asset | undefined;
}

async function hashAssets(): Promise<Assets> {
  const version = (await sha256Hex(JSON.stringify([...assetFiles]))).slice(0, 12);
  const directory = `/console/assets/${version}/`;
  return {
    pathOf: (name) => directory + name,
    findAsset: (path) => (path.startsWith(directory) ? assetFiles.get(path.slice(directory.length)) : undefined),
  };
}

export const loadAssets = lazily(hashAssets);
