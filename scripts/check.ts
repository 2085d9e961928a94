// `npm run check` runs all checks that do not start the product, and reports every failure.
import { spawn } from "node:child_process";
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { styleText } from "node:util";

interface Outcome {
  ok: boolean;
  output: string;
}

const checks: Record<string, () => Promise<Outcome>> = {
  "types of src": () => checkTypes("."),
  "types of test": () => checkTypes("test"),
  "types of scripts": () => checkTypes("scripts"),
  "types of client scripts": () => checkTypes("src/console/client"),
  "types of sdk": () => checkTypes("sdk"),
  "types of the documentation's scripts": () => checkTypes("scripts/docs/client"),
  "types of the command line": () => checkTypes("sdk/cli"),
  lint: () => run("oxlint"),
  format: () => run("oxfmt --check"),
  prose: () => run("node scripts/check-prose.ts"),
  architecture: () => run("node scripts/check-imports.ts"),
  "unused code": () => run("knip"),
  "generated types": () => run("node scripts/types.ts --check"),
  "generated files": () => run("node scripts/generate.ts --check"),
  migrations: checkMigrations,
};
let failures = 0;

async function report(name: string, check: () => Promise<Outcome>): Promise<void> {
  const startedAt = Date.now();
  const { ok, output } = await check();
  const line = `${ok ? "✓" : "✗"} ${name} ${((Date.now() - startedAt) / 1000).toFixed(1)} s`;
  console.log(styleText(ok ? "green" : "red", line));
  if (!ok) console.log(output.trimEnd());
  failures += ok ? 0 : 1;
}

// Two checks run at a time, because CI has two cores.
const left = Object.entries(checks);
const reportAll = async () => {
  for (let next = left.shift(); next !== undefined; next = left.shift()) await report(...next);
};
await Promise.all([reportAll(), reportAll()]);
// This check must be last, because it finds files that the other checks changed. It runs only in CI, because a
// developer's working tree has changes of its own.
if (process.env.CI) await report("clean tree", checkTree);

console.log(failures === 0 ? "All checks passed." : `${failures} checks failed.`);
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Uses TypeScript 7, because version 6 takes three times as long. Version 6 stays installed for tools that import
 * TypeScript as a library. Each check uses only one thread, because two checks run at a time.
 */
function checkTypes(project: string): Promise<Outcome> {
  return run(`node node_modules/typescript-7/bin/tsc --singleThreaded -p ${project}`);
}

function run(command: string): Promise<Outcome> {
  return new Promise((resolve) => {
    // With Go's default, the compiler and the linter collect garbage four times as often, which takes 6 s of CPU time.
    const env = { ...process.env, GOGC: "400", WRANGLER_HIDE_BANNER: "true", WRANGLER_SEND_METRICS: "false" };
    const child = spawn(command, { shell: true, stdio: ["ignore", "pipe", "pipe"], env });
    let output = "";
    child.stdout.on("data", (chunk) => (output += chunk));
    child.stderr.on("data", (chunk) => (output += chunk));
    child.on("close", (code) => resolve({ ok: code === 0, output }));
  });
}

/**
 * Generates the migrations in a copy of drizzle/. If a new file appears there, the schema has changed without a
 * migration.
 */
async function checkMigrations(): Promise<Outcome> {
  const copy = ".wrangler/check-migrations"; // drizzle-kit accepts only relative paths
  rmSync(copy, { recursive: true, force: true });
  mkdirSync(".wrangler", { recursive: true });
  if (existsSync("drizzle")) cpSync("drizzle", copy, { recursive: true });
  const snapshots = readdirSync(`${copy}/meta`).filter((name) => name.endsWith("_snapshot.json"));
  if (snapshots.length > 1)
    return { ok: false, output: `Keep only the newest snapshot in drizzle/meta: ${snapshots.join(", ")}` };
  try {
    const command = `drizzle-kit generate --dialect sqlite --schema src/db/schema/index.ts --out ${copy} --name missing`;
    const { ok, output } = await run(command);
    const upToDate =
      ok && output.includes("No schema changes") && !readdirSync(copy).some((name) => name.includes("_missing"));
    return { ok: upToDate, output: `${output}\nThe schema has changed. Run npm run db:generate -- <name>` };
  } finally {
    rmSync(copy, { recursive: true, force: true });
  }
}

async function checkTree(): Promise<Outcome> {
  const { ok, output } = await run("git status --porcelain");
  return { ok: ok && output === "", output: `Uncommitted, or changed by the checks:\n${output}` };
}
