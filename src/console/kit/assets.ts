import papaparse from "papaparse/papaparse.min.js";
import { sha256Hex } from "../../shared/crypto.ts";
import campaigns from "../client/campaigns.client.js";
import exportScript from "../client/export.client.js";
import importFile from "../client/import-file.client.js";
import importPlan from "../client/import-plan.client.js";
import importResults from "../client/import-results.client.js";
import importSend from "../client/import-send.client.js";
import importStore from "../client/import-store.client.js";
import importPage from "../client/import.client.js";
import script from "../client/console.client.js";
import segments from "../client/segments.client.js";
import style from "../client/console.css";
import templates from "../client/templates.client.js";
import linkScript from "../client/link.client.js";
import inboxScript from "../client/inbox.client.js";
import inboxStyle from "../client/inbox.css";
import overviewStyle from "../client/overview.css";

const JAVASCRIPT = "text/javascript; charset=utf-8";

/** What pages may name in `scripts` besides what every page has. */
const files = {
  "console.css": { type: "text/css; charset=utf-8", text: style + inboxStyle + overviewStyle },
  "console.js": { type: JAVASCRIPT, text: script },
  "templates.js": { type: JAVASCRIPT, text: templates },
  "campaigns.js": { type: JAVASCRIPT, text: campaigns },
  "inbox.js": { type: JAVASCRIPT, text: inboxScript },
  "papaparse.js": { type: JAVASCRIPT, text: papaparse },
  "import.js": {
    type: JAVASCRIPT,
    text: [importFile, importStore, importSend, importPlan, importResults, importPage].join("\n"),
  },
  "link.js": { type: JAVASCRIPT, text: linkScript },
  "segments.js": { type: JAVASCRIPT, text: segments },
  "export.js": { type: JAVASCRIPT, text: exportScript },
} as const;

export type AssetName = keyof typeof files;

export interface Asset {
  type: string;
  text: string;
}

/** Where each file is. Its path changes with what it holds, so browsers may keep it for good. */
export interface Assets {
  path(name: AssetName): string;
  /** Undefined where nothing is, also where an older version was. */
  find(path: string): Asset | undefined;
}

async function build(): Promise<Assets> {
  const entries = await Promise.all(
    Object.entries(files).map(async ([name, file]) => {
      const hash = (await sha256Hex(file.text)).slice(0, 12);
      return { name, path: `/console/assets/${hash}/${name}`, file };
    }),
  );
  return {
    path: (name) => entries.find((entry) => entry.name === name)?.path ?? "",
    find: (path) => entries.find((entry) => entry.path === path)?.file,
  };
}

let built: Assets | undefined;

/** Built once an isolate, when first asked for. */
export async function loadAssets(): Promise<Assets> {
  const assets = built ?? (await build());
  built = assets;
  return assets;
}
