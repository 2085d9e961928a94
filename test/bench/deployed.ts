// Runs the built Worker in the local runtime, without wrangler's proxy. A second Worker measures the minimum costs.
import { randomBytes } from "node:crypto";
import { copyFileSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { basename, join } from "node:path";
import { convertV4MiniflareOptions, Miniflare, type V4MiniflareOptions } from "miniflare";
import { unstable_getMiniflareWorkerOptions as readWorkerOptions } from "wrangler";
import { bundle } from "../../scripts/build.ts";
import { migrateLocal } from "../../scripts/migrate.ts";
import { collectGarbage, type Memory, type Uncaught, watchUncaught } from "./inspector.ts";
import { killWorkerd } from "./workerd.ts";

/** The isolates of the local D1. */
const DATABASE_ISOLATES = ["d1:db:entry", "d1:db"];

export interface Deployed {
  /** The addresses of the product and of the empty Worker. */
  product: URL;
  floor: URL;
  adminToken: string;
  runCron(): Promise<void>;
  /** Size in MB of the product's heap after garbage collection. */
  liveHeap(): Promise<number>;
  /** Size in MB of `liveHeap` and of the buffers outside the heap. */
  liveMemory(worker: "product" | "floor"): Promise<number>;
  /** Collects the garbage of both Workers and of the local D1, whose isolates run on one thread. */
  collectGarbage(): Promise<void>;
  /** Reports uncaught errors of the product, and errors of the runtime that end a request. */
  watchUncaught(report: (uncaught: Uncaught) => void): Promise<void>;
  /** Kills the process and starts it again. The addresses and data stay the same. */
  restart(): Promise<void>;
  /** Copies the product's database for the floor, and restarts. */
  copyDatabase(): Promise<void>;
  stop(): Promise<void>;
}

interface Setup {
  /** By default the product. Otherwise a script that wraps the product. */
  script?: string;
  /** Receives the output of the process. By default, the output is printed. */
  onPrinted?: (text: string) => void;
}

/** Bundles the Worker into `directory`, stores its data there, and starts it. */
export async function startDeployed(
  directory: string,
  { script = "src/index.ts", onPrinted }: Setup = {},
): Promise<Deployed> {
  const [built, state, adminToken] = [join(directory, "built"), join(directory, "state"), crypto.randomUUID()];
  const databases = join(state, "v3/d1/miniflare-D1DatabaseObject");
  await bundle(script, built);
  await bundle("test/bench/workers/floor.ts", join(directory, "floor"));
  await migrateLocal(state);
  const { workerOptions } = readWorkerOptions("wrangler.toml");
  const variables = {
    ALLOW_PRIVATE_UPSTREAMS: "true",
    ADMIN_TOKEN: adminToken,
    ENCRYPTION_KEY: randomBytes(32).toString("base64"),
    ENCRYPTION_KEY_PREVIOUS: "",
  };
  const direct = (port: number) => ({ unsafeDirectSockets: [{ host: "127.0.0.1", port }] });
  const modules = readModules(built, `${basename(script, ".ts")}.js`);
  const optionsAt = (ports: { product: number; floor: number }) => ({
    resourcePersistencePath: join(state, "v3"),
    inspectorPort: 0,
    workers: [
      {
        ...workerOptions,
        ...direct(ports.product),
        name: "product",
        // Cloudflare serves assets before the Worker. The local simulation takes three times the CPU of a short request.
        assets: undefined,
        modules,
        bindings: Object.assign({}, workerOptions["bindings"], variables),
      },
      {
        ...direct(ports.floor),
        name: "floor",
        compatibilityDate: workerOptions.compatibilityDate,
        modules: readModules(join(directory, "floor"), "floor.js"),
        d1Databases: Object.assign({}, workerOptions["d1Databases"], { COPY: "copy" }),
        durableObjects: { FLOOR: { className: "Floor", useSQLite: true } },
      },
    ],
  });
  const start = async (ports: { product: number; floor: number }) => {
    // Wrangler's options have no types.
    const typed: V4MiniflareOptions = JSON.parse(JSON.stringify(optionsAt(ports)));
    const options = convertV4MiniflareOptions(typed);
    const handler = onPrinted && { handleStructuredLogs: ({ message }: { message: string }) => onPrinted(message) };
    const started = new Miniflare({ ...options, ...handler });
    await started.ready;
    return started;
  };
  let miniflare = await start({ product: 0, floor: 0 });
  const [product, floorUrl] = [
    await miniflare.unsafeGetDirectURL("product"),
    await miniflare.unsafeGetDirectURL("floor"),
  ];
  const restart = async (whileStopped = () => {}) => {
    killWorkerd();
    await miniflare.dispose();
    whileStopped();
    miniflare = await start({ product: Number(product.port), floor: Number(floorUrl.port) });
  };
  const collect = async (isolate: string): Promise<Memory> => {
    const url = isolate === "core:user:product" ? new URL("/health", product) : new URL("/trip", floorUrl);
    return collectGarbage(await miniflare.getInspectorURL(), isolate, async () => (await fetch(url)).text());
  };
  return {
    product,
    floor: floorUrl,
    adminToken,
    async runCron() {
      const { scheduled } = await miniflare.getWorker("product");
      await scheduled({ cron: "* * * * *" });
    },
    liveHeap: async () => (await collect("core:user:product")).heap,
    async liveMemory(worker) {
      const { heap, buffers } = await collect(`core:user:${worker}`);
      return heap + buffers;
    },
    async collectGarbage() {
      await Promise.all(["core:user:product", "core:user:floor", ...DATABASE_ISOLATES].map(collect));
    },
    watchUncaught: async (report) => watchUncaught(await miniflare.getInspectorURL(), report),
    restart,
    async copyDatabase() {
      const own = filesOf(databases);
      await fetch(new URL("/copy", floorUrl));
      const [copy] = filesOf(databases).filter((file) => !own.includes(file));
      if (own.length !== 1 || copy === undefined) throw new Error("Not one database and its copy.");
      await restart(() => {
        for (const suffix of ["", "-wal"])
          copyFileSync(join(databases, own[0] + suffix), join(databases, copy + suffix));
        rmSync(join(databases, `${copy}-shm`), { force: true });
      });
    },
    stop: () => miniflare.dispose(),
  };
}

const filesOf = (directory: string) =>
  readdirSync(directory).filter((name) => name.endsWith(".sqlite") && name !== "metadata.sqlite");

/** The modules of a build. The main module is first. */
export function readModules(directory: string, main: string) {
  const names = readdirSync(directory).filter((name) => name !== main && name.endsWith(".js"));
  return [main, ...names].map((name) => ({
    type: "ESModule" as const,
    path: name,
    contents: readFileSync(join(directory, name), "utf8"),
  }));
}
