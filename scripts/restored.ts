// Run `npm run db:restored -- <time>` after a restore of all databases to this time (ISO 8601 with a time zone). Add
// `--remote` for Cloudflare.
// Messages that may have been sent after this time are not sent again. Repeating the command has no effect.
import { databases, readDeployedConfig, whereIs } from "./deploy/config.ts";
import { MAX_MESSAGES, settleDueMessages, stopCampaigns } from "./deploy/restored.ts";
import { queryD1 } from "./wrangler.ts";

const time = process.argv.slice(2).find((argument) => !argument.startsWith("-")) ?? "";
const at = /T.+(?:Z|[+-]\d\d:\d\d)$/.test(time) ? Date.parse(time) : NaN;
if (!(at <= Date.now()))
  fail("Usage: npm run db:restored -- 2026-11-20T10:00:00Z [--remote]. The time is in the past.");
if (readDeployedConfig().vars?.["SENDING"] !== "off")
  fail('Set SENDING = "off" in wrangler.toml and deploy. See docs/recovery.md.');

const restore = { at, now: Date.now() };
for (const { database_name: name } of databases()) {
  const change = async (statements: string[]): Promise<number> => {
    const [changed] = await queryD1<{ count: number }>(name, whereIs(), [...statements, "SELECT changes() AS count"]);
    return changed?.count ?? 0;
  };
  const campaigns = await change(stopCampaigns(restore));
  let messages = 0;
  for (let changed = MAX_MESSAGES; changed === MAX_MESSAGES; messages += changed)
    changed = await change(settleDueMessages(restore));
  console.log(`Database ${name}: ${messages} messages are unknown, ${campaigns} campaigns are stopped`);
}
console.log('Wait two minutes. Then set SENDING = "on" and deploy.');

function fail(message: string): never {
  console.error(message);
  process.exit(1);
}
