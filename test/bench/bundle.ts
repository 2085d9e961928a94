// Measures the size of the deployed Worker, and its CPU time from start to first response.
import { randomBytes } from "node:crypto";
import { gzipSync } from "node:zlib";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import type { Metafile } from "esbuild";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { bundle } from "../../scripts/build.ts";
import { readModules } from "./deployed.ts";
import { OVER, type Table } from "./table.ts";
import { workerdCpuMs } from "./workerd.ts";

const ROUNDS = 10;
const OBJECTS = [
  "CampaignClock",
  "ConnectionPacer",
  "EventFeed",
  "KeyLimiter",
  "LiveUpdates",
  "RequestLog",
  "ScanTurns",
  "StatusInbox",
  "WebhookSender",
];
/** The empty Worker has the same bindings as the product, because the runtime starts them, too. */
const EMPTY = [
  "export default { fetch: () => new Response() };",
  ...OBJECTS.map((name) => `export class ${name} {}`),
].join("\n");

/**
 * The modules that run before the first request: the main module, and all modules that it imports directly or
 * indirectly.
 */
function modulesAtStart(outputs: Metafile["outputs"], directory: string): string[] {
  const reached = new Set([relative(process.cwd(), join(directory, "index.js"))]);
  for (const path of reached) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && imported in outputs) reached.add(imported);
    }
  }
  return [...reached];
}

/** Returns the CPU time from the start of the runtime to the first response. */
async function cpuToFirstAnswerMs(worker: object): Promise<number> {
  const options = { inspectorPort: 0, workers: [{ name: "measured", unsafeDirectSockets: [{ port: 0 }], ...worker }] };
  const typed: V4MiniflareOptions = JSON.parse(JSON.stringify(options)); // wrangler's options have no types
  const miniflare = new Miniflare(convertV4MiniflareOptions(typed));
  try {
    await fetch(new URL("/health", await miniflare.unsafeGetDirectURL("measured")));
    return workerdCpuMs();
  } finally {
    await miniflare.dispose();
  }
}

const gzipKb = (paths: string[]) =>
  paths.reduce((sum, path) => sum + gzipSync(readFileSync(path)).byteLength, 0) / 1024;

/** Reports the smallest of several results, because other programs can only add time. */
export async function measureBundle(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  try {
    const [split, whole] = [join(directory, "split"), join(directory, "whole")];
    const outputs = await bundle("src/index.ts", split);
    await bundle("src/index.ts", whole, { splitting: false });
    const paths = Object.keys(outputs).filter((path) => path.endsWith(".js"));
    const [all, started] = [gzipKb(paths), gzipKb(modulesAtStart(outputs, split))];

    const { workerOptions } = readWorkerOptions("wrangler.toml");
    const secrets = {
      ADMIN_TOKEN: "bench",
      ENCRYPTION_KEY: randomBytes(32).toString("base64"),
      ENCRYPTION_KEY_PREVIOUS: "",
    };
    const bindings = Object.assign({}, workerOptions["bindings"], secrets);
    const empty = [{ type: "ESModule", path: "empty.js", contents: EMPTY }];
    const workers = {
      split: { ...workerOptions, bindings, modules: readModules(split, "index.js") },
      whole: { ...workerOptions, bindings, modules: readModules(whole, "index.js") },
      empty: { ...workerOptions, bindings, modules: empty },
    };
    const best = { split: Infinity, whole: Infinity, empty: Infinity };
    for (let round = 0; round < ROUNDS; round++) {
      for (const name of ["split", "whole", "empty"] as const)
        best[name] = Math.min(best[name], await cpuToFirstAnswerMs(workers[name]));
    }
    const ratio = (best.split - best.empty) / (best.whole - best.empty);
    return {
      title: "The Worker, as deployed",
      columns: ["what", "measured", "budget", ""],
      rows: [
        ["modules, gzip", `${all.toFixed(0)} KB`, "", ""],
        ["  evaluated as it starts", `${started.toFixed(0)} KB`, "≤ 95 KB", started <= 95 ? "ok" : OVER],
        ["  loaded on demand", `${(all - started).toFixed(0)} KB`, "", ""],
        ["CPU of the local runtime to the first answer", `${best.split} ms`, "", ""],
        ["  with an empty Worker", `${best.empty} ms`, "", ""],
        ["  with the Worker as one module", `${best.whole} ms`, "", ""],
        ["modules to one module, less the empty Worker", ratio.toFixed(2), "≤ 0.30", ratio <= 0.3 ? "ok" : OVER],
      ],
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
