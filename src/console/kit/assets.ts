import papaparse from "papaparse/papaparse.min.js";
import { sha256Hex } from "../../shared/crypto.ts";
import { lazily } from "../../shared/lazily.ts";
import ages from "../client/ages.client.js";
import alerts from "../client/alerts.client.js";
import campaigns from "../client/campaigns.client.js";
import consoleScript from "../client/console.client.js";
import draftMarks from "../client/draft-marks.client.js";
import drafts from "../client/drafts.client.js";
import contacts from "../client/contacts.client.js";
import contactExport from "../client/export.client.js";
import elements from "../client/elements.client.js";
import faults from "../client/faults.client.js";
import focus from "../client/focus.client.js";
import merged from "../client/merged.client.js";
import importFile from "../client/import-file.client.js";
import importPlan from "../client/import-plan.client.js";
import importResults from "../client/import-results.client.js";
import importSend from "../client/import-send.client.js";
import importStore from "../client/import-store.client.js";
import contactImport from "../client/import.client.js";
import inbox from "../client/inbox.client.js";
import keys from "../client/keys.client.js";
import limit from "../client/limit.client.js";
import link from "../client/link.client.js";
import live from "../client/live.client.js";
import messageMenu from "../client/message-menu.client.js";
import outbox from "../client/outbox.client.js";
import palette from "../client/palette.client.js";
import presence from "../client/presence.client.js";
import presses from "../client/presses.client.js";
import preview from "../client/preview.client.js";
import quote from "../client/quote.client.js";
import requests from "../client/requests.client.js";
import save from "../client/save.client.js";
import formSaving from "../client/save-form.client.js";
import segments from "../client/segments.client.js";
import shortcuts from "../client/shortcuts.client.js";
import pageShowing from "../client/show-page.client.js";
import signIn from "../client/sign-in.client.js";
import suggest from "../client/suggest.client.js";
import send from "../client/send.client.js";
import swap from "../client/swap.client.js";
import templateEditor from "../client/template-editor.client.js";
import times from "../client/times.client.js";
import toast from "../client/toast.client.js";
import unread from "../client/unread.client.js";
import upload from "../client/upload.client.js";
import { stylesheet } from "./stylesheet.ts";

/** The scripts that pages name; every page has `console.client.js`. */
const entryScripts = {
  "console.client.js": consoleScript,
  "campaigns.client.js": campaigns,
  "draft-marks.client.js": draftMarks,
  "drafts.client.js": drafts,
  "contacts.client.js": contacts,
  "export.client.js": contactExport,
  "focus.client.js": focus,
  "merged.client.js": merged,
  "import.client.js": contactImport,
  "inbox.client.js": inbox,
  "limit.client.js": limit,
  "link.client.js": link,
  "message-menu.client.js": messageMenu,
  "presence.client.js": presence,
  "preview.client.js": preview,
  "segments.client.js": segments,
  "suggest.client.js": suggest,
  "send.client.js": send,
  "template-editor.client.js": templateEditor,
  "times.client.js": times,
  "upload.client.js": upload,
};

export type EntryScript = keyof typeof entryScripts;

/** Papa Parse is written for CommonJS; scripts import it as a module. */
const wrapPapaParse = (commonJs: string) =>
  `const exports = {};\nconst module = { exports };\n${commonJs}\nexport const papa = module.exports;\n`;

/** All scripts by the file names that they import each other by. */
const scripts = {
  ...entryScripts,
  "ages.client.js": ages,
  "alerts.client.js": alerts,
  "import-file.client.js": importFile,
  "import-plan.client.js": importPlan,
  "import-results.client.js": importResults,
  "import-send.client.js": importSend,
  "import-store.client.js": importStore,
  "elements.client.js": elements,
  "faults.client.js": faults,
  "keys.client.js": keys,
  "live.client.js": live,
  "outbox.client.js": outbox,
  "palette.client.js": palette,
  "papaparse.js": wrapPapaParse(papaparse),
  "presses.client.js": presses,
  "quote.client.js": quote,
  "requests.client.js": requests,
  "save.client.js": save,
  "save-form.client.js": formSaving,
  "shortcuts.client.js": shortcuts,
  "show-page.client.js": pageShowing,
  "sign-in.client.js": signIn,
  "swap.client.js": swap,
  "unread.client.js": unread,
  "toast.client.js": toast,
};

interface Asset {
  type: string;
  text: string;
}

const assetFiles = new Map<string, Asset>([
  ["console.css", { type: "text/css; charset=utf-8", text: stylesheet }],
  ...Object.entries(scripts).map(
    ([name, text]) => [name, { type: "text/javascript; charset=utf-8", text }] satisfies [string, Asset],
  ),
]);

/**
 * The files that browsers load. All of them share one directory named by a hash of their contents: browsers may keep
 * them for good, and a script never imports another version's.
 */
export interface Assets {
  pathOf(name: "console.css" | EntryScript): string;
  /** Undefined for an unknown path, those of older versions included. */
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

/** Hashes once an isolate, when first asked for. */
export const loadAssets = lazily(hashAssets);
