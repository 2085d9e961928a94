import idiomorph from "idiomorph/dist/idiomorph.min.js";
import papaparse from "papaparse/papaparse.min.js";
import { sha256Hex } from "../../../shared/security/crypto.ts";
import { lazily } from "../../../shared/memo.ts";
import { clientScripts, clientStyles } from "../../client/files.ts";

/** A page lists the scripts that it needs. `console.client.js` is on every page. */
export type ScriptName = keyof typeof clientScripts;

/** Wraps Papa Parse, which is a CommonJS library, so that scripts can import it as a module. */
const papaParseModule = `const exports = {};\nconst module = { exports };\n${papaparse}\nexport const papa = module.exports;\n`;

const idiomorphModule = `${idiomorph}\nexport { Idiomorph };\n`;

/**
 * Removes comments and indentation, a fifth of the styles. This is safe, because no string in them contains
 * two spaces in a row.
 */
const compact = (css: string) =>
  css
    .replace(/\/\*.*?\*\//gs, "")
    .replace(/\s+/g, " ")
    .replace(/ ?([{};,]) ?/g, "$1");

interface Asset {
  type: string;
  text: string;
}

/** All files by name, because scripts import each other by file name. All pages share one cached stylesheet. */
const assetFiles = new Map<string, Asset>([
  ["console.css", { type: "text/css; charset=utf-8", text: compact(clientStyles.join("\n")) }],
  ...Object.entries({ ...clientScripts, "idiomorph.js": idiomorphModule, "papaparse.js": papaParseModule }).map(
    ([name, text]) => [name, { type: "text/javascript; charset=utf-8", text }] satisfies [string, Asset],
  ),
]);

/**
 * The directory's name is a hash of all files, so browsers can cache the files forever, and a page never
 * mixes the files of two versions.
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
