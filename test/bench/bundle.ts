// The Worker as it is deployed: its size, and the CPU time from its start to its first answer.
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
const EMPTY = "export default { fetch: () => new Response() };";

/** The modules that are evaluated before the first request: the main one and what it imports, directly or not. */
function modulesAtStart(outputs: Metafile["outputs"], directory: string): string[] {
  const reached = new Set([relative(process.cwd(), join(directory, "index.js"))]);
  for (const path of reached) {
    for (const { path: imported, kind } of outputs[path]?.imports ?? []) {
      if (kind === "import-statement" && imported in outputs) reached.add(imported);
    }
  }
  return [...reached];
}

/** Of the runtime with one Worker in it, from its start to its first answer. */
async function cpuToFirstAnswerMs(worker: object): Promise<number> {
  const options = { inspectorPort: 0, workers: [{ name: "measured", unsafeDirectSockets: [{ port: 0 }], ...worker }] };
  const typed: V4MiniflareOptions = JSON.parse(JSON.stringify(options)); // wrangler returns its options without types
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

/** Start-up is the best of some rounds: everything else that runs on the machine only adds to it. */
export async function measureBundle(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  try {
    const outputs = await bundle("src/index.ts", directory);
    const paths = Object.keys(outputs).filter((path) => path.endsWith(".js"));
    const [all, started] = [gzipKb(paths), gzipKb(modulesAtStart(outputs, directory))];

    const { workerOptions } = readWorkerOptions("wrangler.toml");
    const secrets = {
      ADMIN_TOKEN: "bench",
      ENCRYPTION_KEY: Buffer.alloc(32).toString("base64"),
      ENCRYPTION_KEY_PREVIOUS: "",
    };
    const bindings = Object.assign({}, workerOptions["bindings"], secrets);
    const product = { ...workerOptions, bindings, modules: readModules(directory, "index.js") };
    const { compatibilityDate } = workerOptions;
    const empty = { compatibilityDate, modules: [{ type: "ESModule", path: "empty.js", contents: EMPTY }] };
    const rounds: { product: number; empty: number }[] = [];
    for (let round = 0; round < ROUNDS; round++)
      rounds.push({ product: await cpuToFirstAnswerMs(product), empty: await cpuToFirstAnswerMs(empty) });
    const floor = Math.min(...rounds.map((round) => round.empty));
    const own = Math.min(...rounds.map((round) => round.product)) - floor;
    return {
      title: "The Worker, as deployed",
      columns: ["what", "measured", "budget", ""],
      rows: [
        ["modules, gzip", `${all.toFixed(0)} KB`, "", ""],
        ["  evaluated as it starts", `${started.toFixed(0)} KB`, "≤ 340 KB", started <= 340 ? "ok" : OVER],
        ["  loaded on demand", `${(all - started).toFixed(0)} KB`, "", ""],
        [
          "CPU to the first answer, less an empty Worker's",
          `${own.toFixed(0)} ms`,
          "≤ 170 ms",
          own <= 170 ? "ok" : OVER,
        ],
        ["  an empty Worker's", `${floor.toFixed(0)} ms`, "", ""],
      ],
    };
  } finally {
    rmSync(directory, { recursive: true });
  }
}
