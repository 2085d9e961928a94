// `npm run bench [-- <part> …]` compares costs with budgets, and fails if a cost is over its budget. `--save` writes
// the reports to RESULTS.md.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { measureBundle } from "./bundle.ts";
import { measureFairness } from "./fairness/measure-fairness.ts";
import { measureHttp } from "./http/measure-http.ts";
import { measureMedia } from "./media/measure-media.ts";
import { measureStatuses } from "./statuses/measure-statuses.ts";
import { draw, OVER, type Table } from "./table.ts";
import { measureThroughput } from "./throughput.ts";
import { measureWebhooks } from "./webhooks/measure-webhooks.ts";

const RESULTS = new URL("RESULTS.md", import.meta.url);
const PARTS = new URL("parts/", import.meta.url);
const inWorkerd = readdirSync(PARTS).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);

const people = (most: number) => Math.min(most, Number(process.env["BENCH_SIZE"] || most));
/** Parts that run outside workerd. */
const outside: Record<string, () => Promise<Table[]>> = {
  throughput: async () => [
    await measureThroughput([
      { people: people(10_000), connections: 3, statuses: false },
      // Each status waits in a timer, and the local queues allow at most 10,000 timers.
      { people: people(10_000), connections: 1, statuses: true },
    ]),
  ],
  // workerd measures the counts. The times are measured outside of workerd.
  events: async () => [...(await runInWorkerd("events")), ...(await measureWebhooks(people(100_000)))],
  fairness: measureFairness,
  http: measureHttp,
  statuses: async () => [await measureStatuses()],
  media: async () => [await measureMedia()],
  bundle: async () => [await measureBundle()],
  "campaigns-million": async () => [
    await measureThroughput([{ people: people(1_000_000), connections: 1, statuses: true }]),
  ],
};
const usual = [...inWorkerd, "throughput", "fairness", "http", "statuses", "media", "bundle"];

const save = process.argv.includes("--save");
const wanted = process.argv.slice(2).filter((argument) => argument !== "--save");
const known = [...new Set([...inWorkerd, ...Object.keys(outside)])];
const unknown = wanted.filter((name) => !known.includes(name));
if (unknown.length > 0) {
  console.error(`No such part: ${unknown.join(", ")}. There are: ${known.join(", ")}.`);
  process.exit(2);
}

const named = wanted.flatMap((name) => (name === "campaigns" ? [name, "throughput"] : name));
const parts = named.length > 0 ? named : usual;
const size =
  process.env["BENCH_SIZE"] ||
  (save || wanted.includes("contacts") || wanted.includes("campaigns") ? "1000000" : "100000");
let over = 0;
for (const part of parts) {
  const tables = await (outside[part]?.() ?? runInWorkerd(part));
  const printed = tables.map((table) => `${draw(table)}\n`).join("");
  console.log(printed);
  if (save) saveReport(part, printed);
  over += tables.flatMap(({ rows }) => rows).filter((row) => row.includes(OVER)).length;
}
console.log(over === 0 ? "Every budget is met." : `${over} over budget.`);
process.exitCode = over === 0 ? 0 : 1;

/** Stores the part's report with its date, after the reports of other parts. */
function saveReport(part: string, printed: string): void {
  const [head, ...sections] = readFileSync(RESULTS, "utf8")
    .trimEnd()
    .split(/\n(?=## )/);
  const others = sections.filter((section) => !section.startsWith(`## ${part}\n`));
  const day = new Date().toISOString().slice(0, 10);
  const own = `## ${part}\n\nMeasured on ${day}.\n\n\`\`\`\n${printed.trimEnd()}\n\`\`\`\n`;
  writeFileSync(RESULTS, `${[head, ...others, own].map((text) => text?.trimEnd()).join("\n\n")}\n`);
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code: Number(code ?? 1), output };
}

/** Runs the part in workerd. The part returns its tables in a file. */
async function runInWorkerd(part: string): Promise<Table[]> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  const report = join(directory, "report.jsonl");
  const vitest = join(dirname(createRequire(import.meta.url).resolve("vitest/package.json")), "vitest.mjs");
  const args = [vitest, "run", "--config", "test/bench/vitest.config.ts", `parts/${part}.bench.ts`];
  try {
    const { code, output } = await run(args, { ...process.env, BENCH_REPORT: report, BENCH_SIZE: size });
    if (code !== 0) throw new Error(`The part "${part}" failed:\n${output}`);
    const lines = readFileSync(report, "utf8").trim().split("\n");
    return lines.map((line): Table => JSON.parse(line));
  } finally {
    rmSync(directory, { recursive: true });
  }
}
