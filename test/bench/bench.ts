// `npm run bench [-- <part> …]`: what the product costs, against the budgets. Fails when one is exceeded. `--save` keeps the report.
// The parts "contacts" and "campaigns" fill in up to BENCH_SIZE contacts: a million where one is named or the report is kept,
// else 100,000. "faults" has as many recipients, 100,000 at most. "campaigns-million" runs only where it is named.
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { wrangler, wranglerEnv } from "../../scripts/wrangler.ts";
import { draw, OVER, type Table } from "./table.ts";
import { measureThroughput } from "./throughput.ts";

const RESULTS = new URL("RESULTS.md", import.meta.url);
const PARTS = new URL("parts/", import.meta.url);
const inWorkerd = readdirSync(PARTS).flatMap((file) => /^(.+)\.bench\.ts$/.exec(file)?.[1] ?? []);

const people = (most: number) => Math.min(most, Number(process.env["BENCH_SIZE"] || most));
/** Parts that stand outside workerd. */
const outside: Record<string, () => Promise<Table>> = {
  throughput: () =>
    measureThroughput([
      { people: people(10_000), connections: 3, statuses: false },
      // Each status waits for its second in a timer, of which the local queues can have 10,000.
      { people: people(10_000), connections: 1, statuses: true },
    ]),
  bundle: measureBundle,
  "campaigns-million": () => measureThroughput([{ people: people(1_000_000), connections: 1, statuses: true }]),
};
const usual = [...inWorkerd, "throughput", "bundle"];

const save = process.argv.includes("--save");
const wanted = process.argv.slice(2).filter((argument) => argument !== "--save");
const known = [...inWorkerd, ...Object.keys(outside)];
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
let printed = "";
for (const part of parts) {
  const measured = outside[part];
  for (const table of measured ? [await measured()] : await runInWorkerd(part)) {
    print(draw(table));
    over += table.rows.filter((row) => row.includes(OVER)).length;
  }
}
print(over === 0 ? "Every budget is met." : `${over} over budget.`);
if (save)
  writeFileSync(
    RESULTS,
    `# What Tidings costs\n\n\`npm run bench -- --save\` printed and wrote this.\n\n\`\`\`\n${printed}\`\`\`\n`,
  );
process.exitCode = over === 0 ? 0 : 1;

function print(text: string): void {
  console.log(text);
  printed += `${text}\n`;
}

async function run(args: string[], env: NodeJS.ProcessEnv): Promise<{ code: number; output: string }> {
  const child = spawn(process.execPath, args, { stdio: ["ignore", "pipe", "pipe"], env });
  let output = "";
  child.stdout.on("data", (chunk) => (output += chunk));
  child.stderr.on("data", (chunk) => (output += chunk));
  const [code] = await once(child, "close");
  return { code: Number(code ?? 1), output };
}

/** The part's tables. It runs where the product runs, and hands them over through a file. */
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

/** As it would be deployed. Start-up is the best of three: everything else that runs on the machine only adds to it. */
async function measureBundle(): Promise<Table> {
  const directory = mkdtempSync(join(tmpdir(), "tidings-bench-"));
  const starts: number[] = [];
  let gzip = Infinity;
  try {
    for (let round = 0; round < 3; round++) {
      const args = wrangler("check", "startup", "--outfile", join(directory, "startup.cpuprofile"));
      const { output } = await run(args, wranglerEnv());
      gzip = Number(/gzip: ([\d.]+) KiB/.exec(output)?.[1] ?? Infinity);
      starts.push(Number(/Active: ([\d.]+) ms/.exec(output)?.[1] ?? Infinity));
      if (gzip === Infinity) throw new Error(`wrangler check startup told no size:\n${output}`);
    }
  } finally {
    rmSync(directory, { recursive: true });
  }
  const start = Math.min(...starts);
  return {
    title: "The Worker, as deployed",
    columns: ["what", "measured", "budget", ""],
    rows: [
      ["bundle, gzip", `${gzip.toFixed(0)} KB`, "≤ 600 KB", gzip <= 600 ? "ok" : OVER],
      ["start-up, active CPU", `${start.toFixed(0)} ms`, "≤ 60 ms", start <= 60 ? "ok" : OVER],
    ],
  };
}
