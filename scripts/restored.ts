// `npm run db:restored -- <time>`: after a restore of all databases to this time (ISO 8601 with a time zone), locally or (`--remote`)
// at Cloudflare. Nothing that may have left since is sent again. Repeating the command has no effect.
import { parseArgs } from "node:util";
import { databases, databasesAt, readDeployedConfig, remoteOption, whereIs } from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import { MAX_MESSAGES, settleDueMessages, skipSentEvents, stopCampaigns } from "./deploy/restored.ts";
import { StartError } from "./start/settings.ts";
import { queryD1 } from "./wrangler.ts";

/** Added to the given time, because that time may have been rounded down, and because Cloudflare's clocks differ. */
const MARGIN_MS = 60_000;

printFaults();
const { values, positionals } = parseArgs({ options: remoteOption, allowPositionals: true });
const where = whereIs(values.remote);
const restoredAt = readTime(positionals);
await assertStopped();
console.log(`Restored to ${new Date(restoredAt).toISOString()}: ${databasesAt(where)}`);
for (const { database_name: name } of databases()) await settle(name);
console.log(
  values.remote
    ? 'Wait two minutes. Then set SENDING = "on" and deploy.'
    : 'Start the service, and set SENDING = "on" after two minutes.',
);

/** Throws unless the only argument is a time in the past, with a time zone and a day that the month has. */
function readTime([time = "", ...others]: string[]): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T.+(?:Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  const hasDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const at = Date.parse(time);
  if (others.length === 0 && hasDay && at <= Date.now() + MARGIN_MS) return at;
  throw new StartError("Usage: npm run db:restored -- 2026-11-20T10:00:00Z [--remote]. The time is in the past.");
}

/**
 * Throws unless sending is off both in wrangler.toml and in the running deployment, which may not have the
 * latest wrangler.toml.
 */
async function assertStopped(): Promise<void> {
  const { SENDING: sending, PUBLIC_URL: url } = readDeployedConfig().vars ?? {};
  const advice = 'Set SENDING = "off" in wrangler.toml and deploy. See docs/recovery.md.';
  if (sending !== "off") throw new StartError(advice);
  // If PUBLIC_URL is empty, nothing has been deployed to this account yet, so nothing can send.
  if (!where.includes("--remote") || typeof url !== "string" || url === "") return;
  const health = await fetch(`${url}/health`).then((response) => response.text(), String);
  if (!health.includes('"sending":"off"'))
    throw new StartError(`${url}/health does not return "sending":"off", but: ${health.slice(0, 200)}\n${advice}`);
}

/**
 * Settles all rows that are due, so that nothing is sent again. Rows that were created after the restore stay
 * as they are.
 */
async function settle(name: string): Promise<void> {
  const query = async <Column extends string>(statements: string[]) =>
    (await queryD1<Record<Column, number>>(name, where, statements))[0];
  // Uses the clock of the database, because the times of messages are also from Cloudflare's clocks.
  const clock = await query<"now">(["SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now"]);
  const restore = { at: restoredAt + MARGIN_MS, now: clock?.now ?? Date.now() };
  const change = async (statements: string[]): Promise<number> =>
    (await query<"count">([...statements, "SELECT changes() AS count"]))?.count ?? 0;
  const campaigns = await change([...skipSentEvents(restore), ...stopCampaigns(restore)]);
  let messages = 0;
  for (let changed = MAX_MESSAGES; changed === MAX_MESSAGES; messages += changed)
    changed = await change(settleDueMessages(restore));
  console.log(`Database ${name}: ${messages} messages are unknown, ${campaigns} campaigns are stopped`);
}
