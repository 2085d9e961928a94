// `npm run db:restored -- <time>` must run after all databases were restored to this time (ISO 8601 with a time zone).
// With `--remote`, it changes the databases at Cloudflare instead of the local ones. It makes sure that messages and
// events that may have been sent after this time are not sent again. A second run only raises the
// versions of custom fields again.
import { parseArgs } from "node:util";
import { databases, databasesAt, readDeployedConfig, remoteOption, whereIs } from "./deploy/config.ts";
import { printFaults } from "./deploy/faults.ts";
import {
  MAX_MESSAGES,
  raiseFieldVersions,
  settleDueMessages,
  skipSentEvents,
  stopCampaigns,
} from "./deploy/restored.ts";
import { StartError } from "./start/settings.ts";
import { queryD1 } from "./wrangler.ts";

/**
 * Rows that were created up to this long after the given time also count as restored. The given time may have been
 * rounded down, and the clocks of Cloudflare's machines differ.
 */
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

/**
 * Returns the time in ms. Throws if it has no time zone, is in the future, or has a day that does not exist, such as
 * 31 June. `Date.parse` alone would accept that day.
 */
function readTime([time = "", ...others]: string[]): number {
  const [, year, month, day] = /^(\d{4})-(\d\d)-(\d\d)T.+(?:Z|[+-]\d\d:\d\d)$/.exec(time) ?? [];
  const hasDay = new Date(Date.UTC(Number(year), Number(month) - 1, Number(day))).getUTCDate() === Number(day);
  const at = Date.parse(time);
  if (others.length === 0 && hasDay && at <= Date.now() + MARGIN_MS) return at;
  throw new StartError("Usage: npm run db:restored -- 2026-11-20T10:00:00Z [--remote]. The time is in the past.");
}

/**
 * Throws unless sending is off. This checks wrangler.toml and also the running deployment, because wrangler.toml may
 * have changed since the last deployment.
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
 * Moves the start of webhooks, stops campaigns, and marks messages that are due as unknown, so that nothing is sent
 * again. Campaigns and messages that were created after the restore stay as they are. Also raises the versions of
 * custom fields.
 */
async function settle(name: string): Promise<void> {
  const query = async <Column extends string>(statements: string[]) =>
    (await queryD1<Record<Column, number>>(name, where, statements))[0];
  // The current time is from the database, because this computer's clock may differ from Cloudflare's clocks, from
  // which the times of messages are.
  const clock = await query<"now">(["SELECT CAST(unixepoch('subsec') * 1000 AS INTEGER) AS now"]);
  const restore = { at: restoredAt + MARGIN_MS, now: clock?.now ?? Date.now() };
  const change = async (statements: string[]): Promise<number> =>
    (await query<"count">([...statements, "SELECT changes() AS count"]))?.count ?? 0;
  const campaigns = await change([
    ...raiseFieldVersions(restore),
    ...skipSentEvents(restore),
    ...stopCampaigns(restore),
  ]);
  let messages = 0;
  for (let changed = MAX_MESSAGES; changed === MAX_MESSAGES; messages += changed)
    changed = await change(settleDueMessages(restore));
  console.log(`Database ${name}: ${messages} messages are unknown, ${campaigns} campaigns are stopped`);
}
